//! Pressure under a wheel by Wong & Reece: greatest ahead of bottom dead centre, falling to nothing there (J. Terramechanics 4, 1967).
//!
//! With θ the angle of a node from the lowest point, θ₁ that of the entry and θ_m = (a₀ + a₁ s) θ₁, pressure
//! is the plate pressure ahead of θ_m, and behind it that of the mirrored angle θ_e = θ₁ − (θ/θ_m)(θ₁ − θ_m),
//! the exit lying at the bottom. Over the plate's pressure at the same depth this is a factor, which each
//! node approaches over a short distance of motion, so that the force is continuous for any motion. θ₁ is
//! that of the node's own ground: cos θ₁ = (height of the centre over the surface where its contact
//! began)/radius.

use super::SurfaceMotion;
use super::detect::Touch;
use super::wheel::Wheel;
use touchdown_math::{Elementary, Vec3};

/// a₀ and a₁, the same for every soil.
const PEAK: [f64; 2] = [0.4, 0.15];
/// Slower than this a wheel has no slip, m/s.
const STILL: f64 = 1e-12;

/// Where the greatest pressure of a wheel lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peak {
    centre: Vec3,
    /// Direction of travel of the wheel, horizontal.
    ahead: [f64; 2],
    radius: f64,
    /// θ_m/θ₁.
    share: f64,
}

impl Peak {
    /// For a moving wheel; a wheel at rest has none.
    pub fn of(wheel: &Wheel, motion: &SurfaceMotion) -> Option<Peak> {
        let axis: Vec3 = motion.X_WS.R.column(1).into();
        let flat = axis.x.hypotenuse(axis.y);
        let heading = Vec3::new(axis.y, -axis.x, 0.0) / flat.max(f64::MIN_POSITIVE);
        let (speed, rim) = (heading.dot(&motion.v_WS), axis.dot(&motion.w_WS) * wheel.radius);
        let most = speed.abs().max(rim.abs());
        if most < STILL || flat < 0.1 {
            return None;
        }
        let sign = if speed + rim < 0.0 { -1.0 } else { 1.0 };
        let slip = (sign * (rim - speed) / most).clamp(-1.0, 1.0);
        let ahead = [sign * heading.x, sign * heading.y];
        Some(Peak { centre: motion.X_WS.p, ahead, radius: wheel.radius, share: PEAK[0] + PEAK[1] * slip })
    }

    /// Pressure of a node over that of a plate at the same depth.
    pub fn factor(&self, touch: &Touch, exponent: f64) -> f64 {
        let forward = (touch.x - self.centre.x) * self.ahead[0] + (touch.y - self.centre.y) * self.ahead[1];
        let angle = forward.arctangent2(self.centre.z - touch.level);
        let end = ((self.centre.z - touch.top) / self.radius).clamp(-1.0, 1.0);
        let entry = end.arccosine();
        let peak = self.share * entry;
        if angle >= peak || entry <= 0.0 {
            return 1.0;
        }
        if angle <= 0.0 {
            return 0.0;
        }
        let mirrored = entry - angle / peak * (entry - peak);
        let (depth, own) = (mirrored.cosine() - end, angle.cosine() - end);
        if depth <= 0.0 || own <= 0.0 { 0.0 } else { (depth / own).min(1.0).power(exponent) }
    }
}
