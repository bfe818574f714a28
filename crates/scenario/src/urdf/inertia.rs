//! Physically impossible inertias of URDF files: their replacements, and the remarks about them.

use touchdown_math::{Mat3, Vec3};

/// Differences below this fraction of the largest moment are round-off of printed digits.
const PRINTED: f64 = 1e-3;

/// The inertia as given, or the nearest possible one, with a description of the fault. A principal moment is
/// at least zero and at most the sum of the other two: the two smaller ones are raised to satisfy this.
pub(super) fn possible(given: Mat3, mass: f64) -> (Mat3, Option<String>) {
    if given.iter().any(|x| !x.is_finite()) || !mass.is_finite() || given == Mat3::zeros() {
        return (given, None);
    }
    let own = given.symmetric_eigen();
    let mut moments: Vec3 = own.eigenvalues;
    let largest = moments.amax();
    moments.iter_mut().for_each(|moment| *moment = moment.max(0.0));
    let lacks = 2.0 * moments.max() - moments.sum();
    let most = moments.imax();
    if lacks > 0.0 {
        let raised = 0.5 * lacks * (1.0 + PRINTED * PRINTED);
        (0..3).filter(|i| *i != most).for_each(|i| moments[i] += raised);
    }
    let change = (moments - own.eigenvalues).amax();
    if change == 0.0 {
        return (given, None);
    }
    let R = own.eigenvectors;
    let sound = R * Mat3::from_diagonal(&moments) * R.transpose();
    let sound = 0.5 * (sound + sound.transpose());
    let shown = |x: &Vec3| format!("{:.3e}, {:.3e}, {:.3e}", x[0], x[1], x[2]);
    let what = || {
        format!(
            "no body has its principal moments {}; read as {} kg m^2",
            shown(&own.eigenvalues),
            shown(&moments)
        )
    };
    (sound, (change > PRINTED * largest).then(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A possible inertia is unchanged bit for bit; a largest moment above the sum of the others raises them,
    /// and is reported.
    #[test]
    fn moments_obey_the_triangle_inequality() {
        let sound = Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 2.5));
        assert_eq!(possible(sound, 1.0), (sound, None));
        assert_eq!(possible(Mat3::zeros(), 0.0), (Mat3::zeros(), None));
        let (raised, odd) = possible(Mat3::from_diagonal(&Vec3::new(0.1, 0.1, 0.5)), 1.0);
        let mut moments: Vec<f64> = raised.symmetric_eigenvalues().iter().copied().collect();
        moments.sort_by(f64::total_cmp);
        assert!((moments[0] - 0.25).abs() < 1e-6 && moments[0] + moments[1] >= moments[2]);
        assert!(odd.is_some_and(|text| text.contains("read as")));
        let (raised, odd) = possible(Mat3::from_diagonal(&Vec3::new(-0.1, 0.3, 0.3)), 1.0);
        assert!(raised.symmetric_eigenvalues().iter().all(|x| *x >= -1e-15) && odd.is_some());
    }

    /// A violation of the inequality by the last printed digit is not reported.
    #[test]
    fn rounding_is_not_odd() {
        let (raised, odd) = possible(Mat3::from_diagonal(&Vec3::new(0.1, 0.2, 0.30001)), 1.0);
        assert!(odd.is_none() && raised[(0, 0)] > 0.1);
    }
}
