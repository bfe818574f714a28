//! Against closed forms.

use super::*;

const PLAIN: Form = Form { parity: Parity::None, rough: None };

fn choice(noise: f64) -> Choice {
    Choice { signal: 0.0, lengths: vec![0.0], noise, rough_noise: -30.0 }
}

/// Matérn 5/2 at distance one: (1 + √5 + 5/3) e^(−√5).
fn at_one() -> f64 {
    (1.0 + 5f64.sqrt() + 5.0 / 3.0) * (-5f64.sqrt()).exp()
}

/// Two values, 1 at 0 and 3 at 1, with noise of variance s: K = [[1 + s, c], [c, 1 + s]], whose inverse is known; the mean at 0 is k·K⁻¹y, the variance 1 − k·K⁻¹k + s.
#[test]
fn two_points_by_hand() {
    let data = Data { places: vec![vec![0.0], vec![1.0]], values: vec![1.0, 3.0] };
    let s = 0.04_f64;
    let process = Process::with(&choice(s.ln() / 2.0), &data, PLAIN, (0.0, 1.0)).unwrap();
    let c = at_one();
    let determinant = (1.0 + s) * (1.0 + s) - c * c;
    let solve = |b: [f64; 2]| {
        [((1.0 + s) * b[0] - c * b[1]) / determinant, ((1.0 + s) * b[1] - c * b[0]) / determinant]
    };
    let weights = solve([1.0, 3.0]);
    let back = solve([1.0, c]);
    let belief = process.at(&[0.0]);
    // The jitter of 1e-8 is all that differs.
    assert!((belief.mean - (weights[0] + c * weights[1])).abs() < 1e-6);
    let left = 1.0 - (back[0] + c * back[1]);
    assert!((belief.sd * belief.sd - (left + s)).abs() < 1e-6 && (belief.unknown - left).abs() < 1e-6);
    // Without the first value the second alone speaks: mean c·3/(1 + s), variance 1 + s − c²/(1 + s).
    let alone = process.leave_one_out(&data.values)[0];
    assert!((alone.mean - 3.0 * c / (1.0 + s)).abs() < 1e-6);
    assert!((alone.sd * alone.sd - (1.0 + s - c * c / (1.0 + s))).abs() < 1e-6);
}

/// A wave along x, seen at n places without noise.
fn wave(n: usize) -> Data {
    let places: Vec<Vec<f64>> = (0..n).map(|i| vec![3.0 * i as f64 / (n - 1) as f64]).collect();
    let values = places.iter().map(|x| (2.0 * x[0]).sin()).collect();
    Data { places, values }
}

#[test]
fn values_without_noise_are_met_and_what_lies_between_them_too() {
    let data = wave(20);
    let process = Process::fit(&data, PLAIN, None).unwrap();
    for (x, y) in data.places.iter().zip(&data.values) {
        assert!((process.at(x).mean - y).abs() < 0.01);
    }
    // Midway between places 0.16 apart, values of curvature 4 are missed by less than a straight line misses them: 4·0.16²/8 = 0.013.
    for i in 0..19 {
        let x = 3.0 * (i as f64 + 0.5) / 19.0;
        assert!((process.at(&[x]).mean - (2.0 * x).sin()).abs() < 0.013, "{x}");
    }
    // Far away nothing is known.
    assert!(process.at(&[30.0]).unknown > 0.99 && process.at(&[1.5]).unknown < 0.05);
}

/// The gradient by which the numbers are chosen is that of the density: central differences of step 1e-5.
#[test]
fn the_gradient_is_that_of_the_density() {
    let data = Data {
        places: (0..9).map(|i| vec![f64::from(i) * 0.3, f64::from(i * i % 5) * 0.2 - 0.4]).collect(),
        values: (0..9).map(|i| f64::from(i * 7 % 4) * 0.5 - 0.7).collect(),
    };
    for parity in [Parity::Even, Parity::Odd] {
        let form = Form { parity, rough: Some(0) };
        let x = [0.1, -1.0, -1.5, 0.2, -0.3];
        let at = |x: &[f64]| posterior(&Choice::of_slice(x), form, &data.places, &data.values).unwrap();
        let gradient = at(&x).1;
        for k in 0..x.len() {
            let moved = |h: f64| {
                let mut y = x;
                y[k] += h;
                at(&y).0
            };
            let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            assert!(
                (difference - gradient[k]).abs() < 1e-6 * (1.0 + difference.abs()),
                "{parity:?} {k}: {difference} {}",
                gradient[k]
            );
        }
    }
}

/// Values that are all the same are no mistake.
#[test]
fn a_constant_is_learnt() {
    let data = Data { places: wave(5).places, values: vec![0.7; 5] };
    let belief = Process::fit(&data, PLAIN, None).unwrap().at(&[1.1]);
    assert!((belief.mean - 0.7).abs() < 1e-9);
    assert!(Process::fit(&Data::default(), PLAIN, None).is_none());
}
