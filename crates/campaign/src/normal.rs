//! The normal distribution with the same bits on every processor: Wichura's AS 241 and the error function of `libm`.

use touchdown_math::Elementary;

/// Numerator and denominator of a rational function, lowest power first.
type Rational = ([f64; 8], [f64; 8]);

/// M. J. Wichura, Algorithm AS 241: the percentage points of the normal distribution, Applied Statistics 37 (1988) 477–484, PPND16: near the middle.
#[rustfmt::skip]
const MIDDLE: Rational = (
    [3.387_132_872_796_366_5, 133.141_667_891_784_38, 1_971.590_950_306_551_3, 13_731.693_765_509_46,
     45_921.953_931_549_87, 67_265.770_927_008_7, 33_430.575_583_588_13, 2_509.080_928_730_122_7],
    [1.0, 42.313_330_701_600_91, 687.187_007_492_057_9, 5_394.196_021_424_751,
     21_213.794_301_586_597, 39_307.895_800_092_71, 28_729.085_735_721_943, 5_226.495_278_852_854],
);
/// The same farther out.
#[rustfmt::skip]
const OUTER: Rational = (
    [1.423_437_110_749_683_5, 4.630_337_846_156_546, 5.769_497_221_460_691, 3.647_848_324_763_204_5,
     1.270_458_252_452_368_4, 0.241_780_725_177_450_6, 0.022_723_844_989_269_184, 7.745_450_142_783_414e-4],
    [1.0, 2.053_191_626_637_759, 1.676_384_830_183_803_8, 0.689_767_334_985_1,
     0.148_103_976_427_480_08, 0.015_198_666_563_616_457, 5.475_938_084_995_345e-4, 1.050_750_071_644_416_9e-9],
);
/// The same in the tails.
#[rustfmt::skip]
const TAIL: Rational = (
    [6.657_904_643_501_103, 5.463_784_911_164_114, 1.784_826_539_917_291_3, 0.296_560_571_828_504_87,
     0.026_532_189_526_576_124, 0.001_242_660_947_388_078_4, 2.711_555_568_743_487_6e-5, 2.010_334_399_292_288_1e-7],
    [1.0, 0.599_832_206_555_888, 0.136_929_880_922_735_8, 0.014_875_361_290_850_615,
     7.868_691_311_456_133e-4, 1.846_318_317_510_054_8e-5, 1.421_511_758_316_446e-7, 2.044_263_103_389_939_8e-15],
);

fn ratio((above, below): &Rational, x: f64) -> f64 {
    let at = |c: &[f64; 8]| c.iter().rev().fold(0.0, |sum, c| sum * x + c);
    at(above) / at(below)
}

/// Quantile of the standard normal distribution, to about sixteen digits.
pub fn normal_quantile(u: f64) -> f64 {
    let q = u - 0.5;
    if q.abs() <= 0.425 {
        return q * ratio(&MIDDLE, 0.180_625 - q * q);
    }
    let r = (-(u.min(1.0 - u)).natural_log()).sqrt();
    let z = if r <= 5.0 { ratio(&OUTER, r - 1.6) } else { ratio(&TAIL, r - 5.0) };
    if q < 0.0 { -z } else { z }
}

/// Distribution function of the standard normal distribution.
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

/// Density of the standard normal distribution.
pub fn normal_density(z: f64) -> f64 {
    (-0.5 * z * z).exponential() / (2.0 * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        // 0.975, 0.995 and 1e-6: tables of the normal distribution; the distribution function turns them round to a few units of the last digit.
        for (u, z) in [
            (0.5, 0.0),
            (0.975, 1.959_963_984_540_054),
            (0.995, 2.575_829_303_548_901),
            (1e-6, -4.753_424_308_822_899),
        ] {
            assert!((normal_quantile(u) - z).abs() < 1e-13, "{u}: {}", normal_quantile(u));
        }
        for u in [1e-15, 1e-9, 0.003, 0.07, 0.08, 0.3, 0.77, 0.99, 1.0 - 1e-9] {
            assert!(
                (normal_cdf(normal_quantile(u)) / u - 1.0).abs() < 1e-13 / u.min(1.0 - u).max(0.01),
                "{u}"
            );
        }
    }
}
