//! Poses that the pixels do not tell from others: pixels and a pose that fits them ⇒ whether a circle with quite another axis fits them as well.
//!
//! The covariance of a fit holds where the squares left rise around it as a parabola. A short arc with few points fits several circles: the fit then ends at one that may be
//! turned by 60°, with a covariance of a degree. Turned back to the axis with which the search began, the squares do not rise by what that covariance says.

use super::{Rim, Seen, StereoCamera, tangents};
use nalgebra::{SMatrix, SVector};
use touchdown_math::Elementary;

/// A pose that lies farther from where its search began, in standard deviations of its axis, is compared with a circle that keeps the axis from there.
const FAR: f64 = 5.0;
/// Of what the squares must rise by its covariance when the axis is turned back, they rise by this share at least. Where the covariance holds it is 0.8 to 1.0; where a short arc
/// fits several circles, 0.001.
const RISE_SHARE: f64 = 0.25;

impl StereoCamera {
    /// Whether the pixels do not tell a pose from circles with the axis with which its search began, although its covariance (over the pixels' variance) says so. `squares` are those
    /// left by the pose, pixels².
    pub(super) fn is_ambiguous(
        &self,
        seen: &Seen,
        first: &Rim,
        found: &Rim,
        (covariance, squares): (&SMatrix<f64, 5, 5>, f64),
    ) -> bool {
        let (t1, t2) = tangents(&found.axis);
        let turned = SVector::<f64, 2>::new(first.axis.dot(&t1), first.axis.dot(&t2));
        let Some(inverse) = covariance.fixed_view::<2, 2>(3, 3).into_owned().try_inverse() else {
            return true;
        };
        let rise = turned.dot(&(inverse * turned));
        // A tenth of a thousandth of a pixel is rounding.
        rise > (FAR * self.noise_px.max(1e-4)).whole_power(2)
            && self.squares_with_axis(seen, first) - squares < RISE_SHARE * rise
    }

    /// Squares left by the circle that fits best among those with the axis of a rim, pixels²; the search begins at its centre.
    fn squares_with_axis(&self, seen: &Seen, rim: &Rim) -> f64 {
        let mut guess = *rim;
        for _ in 0..20 {
            let normal = self.normal(seen, &guess);
            let Some(factors) = normal.N.fixed_view::<3, 3>(0, 0).into_owned().cholesky() else { break };
            let step = factors.solve(&normal.b.fixed_rows::<3>(0).into_owned());
            guess.centre += step;
            if step.amax() < 1e-10 {
                break;
            }
        }
        self.normal(seen, &guess).squares
    }
}
