//! Sites have the statistics that they are made from.

use super::*;

/// Craters and rocks are as many as their laws say, and sizes fall as D⁻².
#[test]
fn counts_follow_their_laws() {
    let field = CraterField::new(3, 1000.0, 1.0).expect("a field");
    let site = field.make();
    // 0.5 · 10^4.9 (4⁻² − 166.7⁻²) a km².
    assert_eq!(site.craters, 2481);
    // Golombek & Rapp: F(D) is the share of ground under rocks of D and more, so that ∫ π D²/4 n dD = F(smallest) − F(largest).
    let share = |from: f64, to: f64| 0.1 * ((-3.31 * from).exponential() - (-3.31 * to).exponential());
    let steps = 4000;
    let width = 4.5 / steps as f64;
    let covered: f64 = (0..steps)
        .map(|k| {
            let [d, e] = [1.5 + k as f64 * width, 1.5 + (k + 1) as f64 * width];
            let middle = 0.5 * (d + e);
            (rocks::a_square_metre(d) - rocks::a_square_metre(e))
                * std::f64::consts::FRAC_PI_4
                * middle
                * middle
        })
        .sum();
    assert!((covered / share(1.5, 6.0) - 1.0).abs() < 1e-4, "{covered} instead of {}", share(1.5, 6.0));
}

/// Fresh craters have the depth and the rim of Pike's fits, are continuous at the rim, and end where they are said to.
#[test]
fn craters_have_their_form() {
    assert!((craters::form(1.0) - craters::form(0.0) - 0.2).abs() < 1e-15);
    assert!((craters::form(1.0) - 0.036).abs() < 1e-15);
    assert!((craters::form(1.0 + 1e-9) - 0.036).abs() < 1e-9);
    assert!(craters::form(3.0 - 1e-9) < 1e-9 && craters::form(3.0) == 0.0);
}

/// The relief alone: height differences grow with the distance to the power H. A site ends at 512 m; here the octaves go on to 262 km and
/// down to 0.06 m, because longer ones tilt and shorter ones roughen the ground at every distance.
#[test]
fn relief_is_a_power_law() {
    let field = CraterField::new(5, 4000.0, 1.0).expect("a field");
    let octaves = relief(5, 262_144.0, 0.06);
    let height = |x: f64, y: f64| octaves.iter().map(|octave| octave.sample(x, y).0).sum::<f64>();
    let deviation = |apart: f64| {
        let mut sum = 0.0;
        let count = 20_000;
        for k in 0..count {
            let [x, y] = [0, 1].map(|axis| field.draw(9, k, axis) * 1e6);
            sum += (height(x + apart, y) - height(x, y)).whole_power(2);
        }
        (sum / count as f64).sqrt()
    };
    // Each mean square of 20,000 differences is known to about 1 to 2 %, so that the exponent over four octaves is to 0.01.
    let exponent = (deviation(64.0) / deviation(4.0)).natural_log() / 16f64.natural_log();
    assert!((exponent - HURST).abs() < 0.03, "{exponent}");
}

/// The same seed gives the same site, another one another; a site holds all three classes, and every height is a number.
#[test]
fn seeds_and_classes() {
    let make = |seed| CraterField::new(seed, 2000.0, 10.0).expect("a field").make();
    let site = make(1);
    assert_eq!(site, make(1));
    assert_ne!(site.heights, make(2).heights);
    assert!(site.heights.iter().all(|height| height.is_finite()));
    for class in [SoilClass::Plain, SoilClass::Dunes, SoilClass::Rocks] {
        let share = site.classes.iter().filter(|c| **c == class).count() as f64 / 40_000.0;
        assert!((0.05..0.9).contains(&share), "{class:?}: {share}");
    }
}

/// Sizes and spacings that make no site are refused.
#[test]
fn wrong_sizes_are_refused() {
    for (size, spacing) in [(10.0, 1.0), (f64::NAN, 1.0), (1e6, 1.0), (100.0, 0.0), (100.0, f64::INFINITY)] {
        assert!(CraterField::new(1, size, spacing).is_err(), "{size}, {spacing}");
    }
}
