//! Sobol' points with Owen's nested uniform scrambling, 52 bits of each coordinate, up to 2⁵² points.

use super::hash;
use super::joe_kuo::{DIMENSIONS, TABLE};

/// Bits of a coordinate.
const BITS: usize = 52;

/// Direction numbers of the first dimensions.
#[derive(Clone, Debug)]
pub(crate) struct Sobol {
    directions: Vec<[u64; BITS]>,
    seed: u64,
}

/// Most dimensions that there can be.
pub(crate) const MOST_DIMENSIONS: usize = DIMENSIONS;

impl Sobol {
    /// The first `dimensions` of the table, at most [`MOST_DIMENSIONS`].
    pub fn new(dimensions: usize, seed: u64) -> Sobol {
        Sobol { directions: TABLE.iter().take(dimensions).map(directions).collect(), seed }
    }

    /// Coordinate of a point, above 0 and below 1.
    pub fn coordinate(&self, index: u64, dimension: usize) -> f64 {
        hash::unit(self.scrambled(self.plain(index, dimension), dimension) << (64 - BITS))
    }

    /// Coordinate before scrambling, as the upper `BITS` bits of a number.
    fn plain(&self, index: u64, dimension: usize) -> u64 {
        let directions = &self.directions[dimension];
        let mut x = 0;
        let mut rest = index;
        while rest != 0 {
            x ^= directions[rest.trailing_zeros() as usize % BITS];
            rest &= rest - 1;
        }
        x
    }

    /// Each bit is flipped or not as a hash of all the bits above it says (Owen 1995): the points keep their net and are each uniform.
    fn scrambled(&self, x: u64, dimension: usize) -> u64 {
        let mut out = x;
        for k in 0..BITS {
            let shift = BITS - 1 - k;
            // The bits above, with a one before them so that prefixes of different length differ.
            let prefix = (1u64 << k) | (x >> (shift + 1));
            out ^= (hash::bits(self.seed, dimension as u64, prefix) >> 63) << shift;
        }
        out
    }
}

/// v_k = m_k·2^(BITS−k), by the recurrence of the primitive polynomial (Bratley & Fox 1988, Eq. 6).
fn directions((polynomial, first): &(u32, &[u32])) -> [u64; BITS] {
    let mut v = [0u64; BITS];
    if *polynomial == 1 {
        (0..BITS).for_each(|k| v[k] = 1 << (BITS - 1 - k));
        return v;
    }
    let degree = first.len();
    for k in 0..BITS {
        v[k] = if k < degree {
            u64::from(first[k]) << (BITS - 1 - k)
        } else {
            let mut x = v[k - degree] ^ (v[k - degree] >> degree);
            for j in 1..degree {
                if polynomial >> (degree - j) & 1 == 1 {
                    x ^= v[k - j];
                }
            }
            x
        };
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_points_are_those_of_the_table() {
        // Against SciPy 1.x, `qmc.Sobol(128, scramble=False, bits=52)`, whose points stand in Gray order: its point 1000 is number 540 here.
        let sobol = Sobol::new(MOST_DIMENSIONS, 0);
        let at = |i: u64, d: usize| sobol.plain(i, d) as f64 / (1u64 << BITS) as f64;
        let second: Vec<f64> = (0..8).map(|i| at(i, 1)).collect();
        assert_eq!(second, [0.0, 0.5, 0.75, 0.25, 0.625, 0.125, 0.375, 0.875]);
        let third: Vec<f64> = (0..8).map(|i| at(i, 2)).collect();
        assert_eq!(third, [0.0, 0.5, 0.75, 0.25, 0.375, 0.875, 0.625, 0.125]);
        let far = [0, 7, 100, 127].map(|d| at(540, d));
        assert_eq!(far, [0.219_726_562_5, 0.899_414_062_5, 0.768_554_687_5, 0.543_945_312_5]);
    }

    #[test]
    fn scrambled_points_stay_a_net() {
        // Every dimension: one point in each of 2^m intervals; the first two: one in each elementary box of area 2^-m.
        let (m, sobol) = (8u32, Sobol::new(MOST_DIMENSIONS, 11));
        let n = 1u64 << m;
        for d in 0..MOST_DIMENSIONS {
            let mut seen = vec![false; n as usize];
            (0..n).for_each(|i| seen[(sobol.coordinate(i, d) * n as f64) as usize] = true);
            assert!(seen.iter().all(|s| *s), "dimension {d}");
        }
        for a in 0..=m {
            let (wide, high) = (1u64 << a, 1u64 << (m - a));
            let mut seen = vec![false; n as usize];
            for i in 0..n {
                let x = (sobol.coordinate(i, 0) * wide as f64) as u64;
                let y = (sobol.coordinate(i, 1) * high as f64) as u64;
                seen[(x * high + y) as usize] = true;
            }
            assert!(seen.iter().all(|s| *s), "boxes {wide} x {high}");
        }
    }

    #[test]
    fn an_integral_converges_faster_than_by_chance() {
        // ∏(1 + (x_j − 1/2)) has mean 1 and, with n random points, a standard error of 0.66/√n in five dimensions; scrambled nets are far better.
        let (n, sobol) = (1u64 << 14, Sobol::new(5, 3));
        let mean = (0..n).map(|i| (0..5).map(|d| 0.5 + sobol.coordinate(i, d)).product::<f64>()).sum::<f64>();
        assert!((mean / n as f64 - 1.0).abs() < 1e-4, "{}", mean / n as f64);
    }
}
