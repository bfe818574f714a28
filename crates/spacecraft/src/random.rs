//! Noise as a pure function of (seed, channel, index): it needs no state and gives the same bits in every
//! order of evaluation.
//!
//! The generator is Philox 4×32 with ten rounds (Salmon, Moraes, Dror & Shaw, *Parallel random numbers: as easy as 1, 2, 3*, 2011). Normal numbers come from
//! Marsaglia's polar method with a logarithm computed here from sums, products and quotients: no function of
//! the system's mathematical library is used, so a seed gives the same bits on every machine.

use serde::{Deserialize, Serialize};

/// One source of noise: a seed shared by a run, and a channel of its own for each device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noise {
    /// Different seeds, different runs.
    pub seed: u64,
    /// Different channels of a seed are independent.
    pub channel: u32,
}

impl Noise {
    /// The noise of a channel.
    pub fn new(seed: u64, channel: u32) -> Noise {
        Noise { seed, channel }
    }

    /// The seed of a device, from that of a run and the device's name: its noise does not depend on other
    /// devices.
    pub fn seed_of(seed: u64, device: &str) -> u64 {
        // FNV-1a distinguishes names; the generator itself mixes them with the seed, on a counter that no
        // noise uses.
        let name = device
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3));
        let counter = [name as u32, (name >> 32) as u32, u32::MAX, u32::MAX];
        let [a, b, _, _] = philox(counter, [seed as u32, (seed >> 32) as u32]);
        (u64::from(a) << 32) | u64::from(b)
    }

    /// Uniform in the open interval (0, 1). `component` distinguishes numbers of one sample.
    pub fn uniform(&self, index: u64, component: u16) -> f64 {
        self.pair(index, component, 0)[0]
    }

    /// Normal with mean 0 and variance 1.
    pub fn normal(&self, index: u64, component: u16) -> f64 {
        // A point in the unit disc; each trial succeeds with π/4, so a thousandth try is never reached.
        for trial in 0..1000 {
            let [x, y] = self.pair(index, component, trial).map(|u| 2.0 * u - 1.0);
            let square = x * x + y * y;
            if square < 1.0 {
                return x * (-2.0 * ln(square) / square).sqrt();
            }
        }
        0.0
    }

    /// N independent normal numbers, components `first` to `first + N − 1`.
    pub fn normals<const N: usize>(&self, index: u64, first: u16) -> [f64; N] {
        std::array::from_fn(|i| self.normal(index, first.wrapping_add(i as u16)))
    }

    /// Two uniform numbers from one block.
    fn pair(&self, index: u64, component: u16, trial: u16) -> [f64; 2] {
        let counter = [
            index as u32,
            (index >> 32) as u32,
            self.channel,
            u32::from(component) | (u32::from(trial) << 16),
        ];
        let [a, b, c, d] = philox(counter, [self.seed as u32, (self.seed >> 32) as u32]);
        [unit(a, b), unit(c, d)]
    }
}

/// Middle of one of 2⁵² equal parts of (0, 1): never 0 or 1, exact.
fn unit(high: u32, low: u32) -> f64 {
    let bits = ((u64::from(high) << 32) | u64::from(low)) >> 12;
    (bits as f64 + 0.5) * (1.0 / (1u64 << 52) as f64)
}

/// Philox 4×32-10.
fn philox(mut x: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for round in 0..10 {
        if round > 0 {
            key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
        }
        let first = u64::from(x[0]) * 0xD251_1F53;
        let second = u64::from(x[2]) * 0xCD9E_8D57;
        x = [
            (second >> 32) as u32 ^ x[1] ^ key[0],
            second as u32,
            (first >> 32) as u32 ^ x[3] ^ key[1],
            first as u32,
        ];
    }
    x
}

/// Natural logarithm of a positive normal number: exponent apart, then 2 artanh((m − 1)/(m + 1)) with m in [1/√2, √2) by its series.
fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut exponent = ((bits >> 52) & 0x7ff) as i64 - 1023;
    let mut m = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    if m > std::f64::consts::SQRT_2 {
        m *= 0.5;
        exponent += 1;
    }
    let z = (m - 1.0) / (m + 1.0);
    let square = z * z;
    // |z| ≤ 0.172: the term after the last is below 1e-18 of the sum.
    let mut series = 0.0;
    for k in (0..11).rev() {
        series = series * square + 1.0 / (2 * k + 1) as f64;
    }
    exponent as f64 * std::f64::consts::LN_2 + 2.0 * z * series
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The generator gives the published answers.
    #[test]
    fn philox_known_answers() {
        assert_eq!(philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(
            philox([u32::MAX; 4], [u32::MAX; 2]),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
        assert_eq!(
            philox([0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344], [0xa409_3822, 0x299f_31d0]),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    /// Every pair of a run's seed and a device's name has a seed of its own; the same pair always the same.
    #[test]
    fn seeds_of_devices_differ() {
        let names = ["aocs.a", "aocs.b", "sensor.a", "sensor.b", ""];
        let mut seeds: Vec<u64> =
            (0..4).flat_map(|run| names.map(|name| Noise::seed_of(run, name))).collect();
        assert_eq!(Noise::seed_of(1, "sensor.a"), seeds[5 + 2]);
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 20);
    }

    /// The logarithm is that of the library to a few roundings.
    #[test]
    fn logarithm() {
        for k in 0..4000u64 {
            let x = Noise::new(1, 0).uniform(k, 0) * 10f64.powi(-((k % 30) as i32));
            assert!((ln(x) - x.ln()).abs() <= 4.0 * f64::EPSILON * x.ln().abs().max(0.1), "{x}");
        }
    }

    /// Moments of the normal numbers: mean, variance and fourth moment within four of their own standard deviations; neighbours are uncorrelated.
    #[test]
    fn normal_numbers_are_normal() {
        let noise = Noise::new(7, 3);
        let n = 200_000u64;
        let (mut sum, mut squares, mut fourth, mut lag, mut across) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for k in 0..n {
            let x = noise.normal(k, 0);
            sum += x;
            squares += x * x;
            fourth += x * x * x * x;
            lag += x * noise.normal(k + 1, 0);
            across += x * noise.normal(k, 1);
        }
        let count = n as f64;
        let bound = |variance: f64| 4.0 * (variance / count).sqrt();
        assert!((sum / count).abs() < bound(1.0));
        assert!((squares / count - 1.0).abs() < bound(2.0));
        assert!((fourth / count - 3.0).abs() < bound(96.0));
        assert!((lag / count).abs() < bound(1.0) && (across / count).abs() < bound(1.0));
    }

    /// Uniform numbers fill sixteen equal bins evenly (χ² of 15 degrees of freedom; 45 is passed once in 16,000 tries).
    #[test]
    fn uniform_numbers_are_uniform() {
        let mut bins = [0f64; 16];
        let n = 160_000;
        for k in 0..n {
            bins[(Noise::new(2, 9).uniform(k, 5) * 16.0) as usize] += 1.0;
        }
        let expected = n as f64 / 16.0;
        let chi: f64 = bins.iter().map(|b| (b - expected) * (b - expected) / expected).sum();
        assert!(chi < 45.0, "{chi}");
    }
}
