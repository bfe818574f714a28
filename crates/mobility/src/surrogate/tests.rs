//! On functions that are known.

use super::*;

/// Left and right are mirror images; noise is the same everywhere.
pub(crate) const FRAME: Frame = Frame { mirrored: true, rough: None };

pub(crate) fn fitted(cases: &[Case]) -> (Surrogate, CrossValidation) {
    Surrogate::fit(cases, cases.len(), FRAME).expect("cases")
}

/// Independent points of the unit cube, by SplitMix64 of their numbers.
pub(crate) fn points(n: usize, dimensions: usize, seed: u64) -> Vec<Vec<f64>> {
    let one = |i: usize, k: usize| {
        let mut z = (seed << 32 | (i * 8 + k) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..n).map(|i| (0..dimensions).map(|k| one(i, k)).collect()).collect()
}

/// Independent normal scores.
fn scores(n: usize, seed: u64) -> Vec<f64> {
    points(n, 1, seed)
        .iter()
        .map(|u| touchdown_campaign::normal_quantile(u[0].clamp(1e-6, 1.0 - 1e-6)))
        .collect()
}

/// A rover that is stuck uphill of a line: slip 0.1 + 0.4·a where it moves, 0.95 where not, with noise of 0.02; drift 20·b, energy 100·e^a.
pub(crate) fn cases(n: usize, seed: u64) -> Vec<Case> {
    let noise = [101, 102, 103].map(|k| scores(n, seed + k));
    let made = points(n, 2, seed).into_iter().enumerate().map(|(i, u)| {
        let (a, b) = (2.0 * u[0] - 1.0, u[1]);
        let stuck = a > 0.4;
        Case {
            place: vec![a, b],
            slip: if stuck { 0.95 } else { 0.2 + 0.2 * a } + 0.02 * noise[0][i],
            drift_deg: 20.0 * b + noise[1][i],
            energy_j_per_m: 100.0 * a.exp() * (0.05 * noise[2][i]).exp(),
            sinkage_m: 0.02,
            stuck,
            tipped: false,
            valid: true,
        }
    });
    made.collect()
}

/// 90 % intervals from 150 cases hold 85 to 95 % of 400 new ones (binomial: 90 ± 3 % with 95 %, and as much again for the calibration by 150). Where the
/// regime is sure, the interval of the slip is about 2·1.645·0.02 = 0.066 wide.
#[test]
fn intervals_hold_what_they_say() {
    let surrogate = fitted(&cases(150, 0)).0;
    let new = cases(400, 3);
    let held = |read: &dyn Fn(&Prediction, &Case) -> (Estimate, f64), of: &dyn Fn(&Case) -> bool| {
        let of: Vec<&Case> = new.iter().filter(|c| of(c)).collect();
        let within = of.iter().filter(|c| {
            let (estimate, found) = read(&surrogate.at(&c.place), c);
            found >= estimate.low && found <= estimate.high
        });
        within.count() as f64 / of.len() as f64
    };
    let slip = held(&|p, c| (p.slip, c.slip), &|_| true);
    let drift = held(&|p, c| (p.drift_deg, c.drift_deg), &|c| !c.stuck);
    let energy = held(&|p, c| (p.energy_j_per_m, c.energy_j_per_m), &|c| !c.stuck);
    assert!([slip, drift, energy].iter().all(|x| (0.85..=0.95).contains(x)), "{slip} {drift} {energy}");
    for (a, stuck) in [(-0.5, false), (0.0, false), (0.8, true)] {
        let found = surrogate.at(&[a, 0.5]);
        assert_eq!(found.p_stuck > 0.5, stuck);
        let width = found.slip.high - found.slip.low;
        assert!((0.04..0.11).contains(&width), "{a}: {width}");
    }
    // On the boundary both regimes are held.
    let open = surrogate.at(&[0.4, 0.5]).slip;
    assert!(open.low < 0.35 && open.high > 0.9, "{open:?}");
    assert!(surrogate.at(&[-9.0, 0.5]).extrapolates && !surrogate.at(&[0.0, 0.5]).extrapolates);
}

/// Left and right are mirror images, and straight uphill nothing drifts.
#[test]
fn mirror_images_hold_exactly() {
    let surrogate = fitted(&cases(60, 0)).0;
    let (right, left) = (surrogate.at(&[0.1, 0.4]), surrogate.at(&[0.1, -0.4]));
    assert!((right.slip.value - left.slip.value).abs() < 1e-12);
    assert!((right.drift_deg.value + left.drift_deg.value).abs() < 1e-9);
    assert_eq!(surrogate.at(&[0.1, 0.0]).drift_deg.value, 0.0);
}

/// The error of cases that were left out is that of the noise: 0.02, 1° and 5 % of the energy.
#[test]
fn cross_validation_finds_the_noise() {
    let found = fitted(&cases(150, 0)).1;
    assert!(found.drift_deg.is_some_and(|x| (0.7..1.6).contains(&x)), "{found:?}");
    assert!(found.stuck_right > 0.95, "{found:?}");
}

/// Rovers that all move have a surrogate, too, with a small probability of getting stuck.
#[test]
fn one_regime_is_enough() {
    let moving: Vec<Case> = cases(80, 0).into_iter().filter(|c| !c.stuck).collect();
    let found = fitted(&moving).0.at(&[0.0, 0.3]);
    assert!(found.p_stuck < 0.05 && (found.slip.value - 0.2).abs() < 0.05, "{found:?}");
    assert!(Surrogate::fit(&[], 0, FRAME).is_none());
}
