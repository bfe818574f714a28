//! Random numbers as a function of seed and index: no generator is advanced, so that any case can be made alone.

/// The finaliser of SplitMix64 (Steele, Lea & Flood 2014): every bit of the result depends on every bit of `x`.
pub(crate) fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// 64 random bits of a seed, a stream (a dimension, a purpose) and a counter.
pub fn bits(seed: u64, stream: u64, counter: u64) -> u64 {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let key = mix(mix(seed ^ GOLDEN).wrapping_add(stream.wrapping_mul(GOLDEN)));
    mix(mix(key ^ counter).wrapping_add(counter.wrapping_mul(GOLDEN)))
}

/// The middle of the 53-bit cell in which the bits lie: above 0 and below 1.
pub(crate) fn unit(bits: u64) -> f64 {
    ((bits >> 12) as f64 + 0.5) * (1.0 / (1u64 << 52) as f64)
}

/// The place of `index` in a permutation of `0..count` that follows from `key`.
///
/// A Feistel network of four rounds permutes the next power of four; indices that leave `0..count` walk on until they are back (Black & Rogaway 2002).
pub(crate) fn permuted(index: u64, count: u64, key: u64) -> u64 {
    let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
    let half = bits.div_ceil(2).max(1);
    let mask = (1u64 << half) - 1;
    let mut x = index;
    loop {
        let (mut left, mut right) = (x >> half, x & mask);
        for round in 0..4 {
            (left, right) = (right, left ^ (self::bits(key, round, right) & mask));
        }
        x = left << half | right;
        if x < count {
            return x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_taken_once() {
        for count in [1, 2, 3, 7, 64, 100, 1025] {
            let mut seen = vec![false; count as usize];
            (0..count).for_each(|i| seen[permuted(i, count, 42) as usize] = true);
            assert!(seen.iter().all(|s| *s), "{count}");
        }
    }

    #[test]
    fn numbers_lie_inside_the_unit_interval_and_are_uniform() {
        assert!(unit(0) > 0.0 && unit(u64::MAX) < 1.0);
        // Mean and variance of 1e5 numbers within five standard errors.
        let n = 100_000;
        let values: Vec<f64> = (0..n).map(|i| unit(bits(7, 3, i))).collect();
        let mean = values.iter().sum::<f64>() / n as f64;
        let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n as f64;
        assert!((mean - 0.5).abs() < 5.0 * (1.0 / 12.0 / n as f64).sqrt(), "{mean}");
        assert!((variance - 1.0 / 12.0).abs() < 5.0 * (1.0 / 180.0 / n as f64).sqrt(), "{variance}");
    }
}
