//! The flat sides of a wheel that ploughs: pressure on the leading side between its rim and the surface beside it.
//!
//! Along the chord, each strip of the side is in the soil from the rim up to the surface outside, at most up
//! to the undisturbed one: a heap beside the wheel is loose and yields. Pressure K·zⁿ times the factor of a
//! vertical face (`direction`) gives K·Dⁿ⁺¹/(n + 1) over its depth D. The trailing side meets no resistance.
//! The force needs motion: below `SLOW` it fades, and only the anchors under the rim hold.

use super::contact::{Form, SoilContact};
use super::direction::Resistance;
use super::state::Soil;
use super::tangent::TangentWeights;
use nalgebra::Vector6;
use touchdown_math::{Elementary, Mat6, Vec3, Wrench};
use wide::f64x2;

/// Speed along the axle at which the side meets 71 % of its resistance, m/s.
const SLOW: f64 = 1e-3;

impl SoilContact {
    /// Adds the push on the leading side of a wheel to its wrench about the frame's origin and to the tangent.
    pub(super) fn add_sides(
        &self,
        soil: &Soil,
        wrench: &mut Wrench,
        mut tangent: Option<(TangentWeights, &mut Mat6)>,
    ) {
        let (Form::Wheel(wheel), Some(first)) = (&self.form, self.touches.first()) else { return };
        let (motion, ds) = (&self.motion, self.spacing);
        let (C, axis): (Vec3, Vec3) = (motion.X_WS.p, motion.X_WS.R.column(1).into());
        let flat = axis.x.hypotenuse(axis.y);
        if flat < 0.1 {
            return;
        }
        let heading = Vec3::new(axis.y / flat, -axis.x / flat, 0.0);
        let strength = self.strength(first.soil);
        let strips = (wheel.radius / ds).floor() as i32;
        for side in [-1.0, 1.0] {
            let n = axis * side;
            // The speed of its centre and the rotation of the axle bound the speed of any point of the side
            // into the soil: the trailing side, and both sides of a wheel that rolls straight ahead, are
            // finished here.
            if n.dot(&motion.v_WS) + n.cross(&motion.w_WS).norm() * wheel.radius <= 0.0 {
                continue;
            }
            let middle = C + n * (0.5 * wheel.width);
            for k in -strips..strips {
                let along = (f64::from(k) + 0.5) * ds;
                let half = (wheel.radius * wheel.radius - along * along).max(0.0).sqrt();
                let foot = middle + heading * along - Vec3::z() * half;
                let beside = foot + n * (0.5 * ds);
                let undisturbed = soil.relief().height(beside.x, beside.y);
                let Some(undisturbed) = undisturbed.filter(|height| *height > foot.z) else { continue };
                let Some(surface) = soil.surface_near(self.near, beside.x, beside.y) else { continue };
                let depth = (surface.min(undisturbed) - foot.z).min(2.0 * half);
                if depth <= 0.0 {
                    continue;
                }
                // Centre of a pressure that grows with zⁿ.
                let n1 = strength.exponent + 1.0;
                let r = foot + Vec3::z() * (depth / (n1 + 1.0)) - C;
                let v = motion.v_WS + motion.w_WS.cross(&r);
                let ahead = n.dot(&v);
                if ahead <= 0.0 {
                    continue;
                }
                let lanes = |v: &Vec3| [v.x, v.y, v.z].map(f64x2::splat);
                let factor = Resistance::of(&lanes(&n), &lanes(&v)).bearing.to_array()[0];
                let push = factor * strength.modulus * depth.power(n1) / n1 * ds;
                let square = ahead * ahead + SLOW * SLOW;
                let f = n * (-push * ahead / square.sqrt());
                wrench.f += f;
                wrench.t += r.cross(&f);
                if let Some((weights, K)) = &mut tangent {
                    let t = r.cross(&n);
                    let u = Vector6::new(t.x, t.y, t.z, n.x, n.y, n.z);
                    let slope = push * SLOW * SLOW / (square * square.sqrt());
                    **K -= u * u.transpose() * (weights.v * slope);
                }
            }
        }
    }
}
