//! Ratchets: a pawl on one body in the teeth of a rack on another lets two points move in one direction and
//! holds them in the other.
//!
//! Used for grippers that hold a position without power, ties, and struts that can only shorten. Teeth lie a
//! pitch apart along the distance of the points, counted from their distance at the start. With L the
//! distance, n the tooth behind which the pawl is engaged and L_n = L_0 ∓ n·pitch its position, moving back
//! by e = ±(L − L_n) > 0 is resisted by
//! `F = max(0, k e + c ė)` along the line of the points. The pawl advances to the next tooth when the points
//! have passed it: e is zero there, so that force and energy do not jump. Theory: `docs/theory/ratchets.md`.

use crate::latch::LatchError;
use touchdown_math::{Mat3, Vec3};

/// Parameters of a ratchet, SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatchetLaw {
    /// Distance of its teeth, m.
    pub pitch: f64,
    /// Stiffness of pawl and rack, N/m.
    pub stiffness: f64,
    /// Their damping, N s/m.
    pub damping: f64,
    /// Whether the points may approach and are held from separating; otherwise the reverse.
    pub shortens: bool,
}

/// Result of a ratchet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatchetForce {
    /// Distance of the points behind the tooth, m; negative while they are free.
    pub behind: f64,
    /// Size of the force, N.
    pub size: f64,
    /// Force on the first point, N.
    pub force: Vec3,
    /// J.
    pub stored: f64,
    /// W.
    pub dissipated: f64,
}

/// A ratchet without force.
pub const FREE: RatchetForce =
    RatchetForce { behind: 0.0, size: 0.0, force: Vec3::new(0.0, 0.0, 0.0), stored: 0.0, dissipated: 0.0 };

impl RatchetLaw {
    /// An error if the parameters are invalid.
    pub fn check(&self) -> Result<(), LatchError> {
        let rules = [
            ("the pitch", self.pitch, false),
            ("the stiffness", self.stiffness, false),
            ("the damping", self.damping, true),
        ];
        for (what, found, or_zero) in rules {
            let allowed = if or_zero { "zero or more" } else { "more than zero" };
            if !(found.is_finite() && (found > 0.0 || or_zero && found == 0.0)) {
                return Err(LatchError { what, found, allowed });
            }
        }
        Ok(())
    }

    /// 1 if separation is held, -1 if approach is held.
    fn sign(&self) -> f64 {
        if self.shortens { 1.0 } else { -1.0 }
    }

    /// The last tooth that points at this distance have passed, of those that lie from `start` on.
    pub fn tooth(&self, start: f64, distance: f64) -> i64 {
        // A cast of a number beyond its range gives the end of the range.
        (self.sign() * (start - distance) / self.pitch).floor() as i64
    }

    /// Place of a tooth: the distance of the points there, m.
    pub fn place(&self, start: f64, tooth: i64) -> f64 {
        start - self.sign() * tooth as f64 * self.pitch
    }

    /// Its force with the pawl behind the tooth at `place`, m; `p` (m) and `v` (m/s) are the first point's
    /// against the second.
    pub fn evaluate(&self, place: f64, p: &Vec3, v: &Vec3) -> RatchetForce {
        let distance = p.norm();
        // Coincident points have no direction; any is valid.
        let n = if distance > 0.0 { p / distance } else { Vec3::z() };
        let behind = self.sign() * (distance - place);
        let rate = self.sign() * n.dot(v);
        let spring = self.stiffness * behind.max(0.0);
        let size = if behind > 0.0 { (spring + self.damping * rate).max(0.0) } else { 0.0 };
        RatchetForce {
            behind,
            size,
            force: -n * (self.sign() * size),
            stored: 0.5 * spring * behind.max(0.0),
            // Power of the points that the spring does not store; c·ė² while it holds.
            dissipated: (size - spring) * rate,
        }
    }

    /// Derivatives of the force on the first point by its place, N/m, and velocity, N s/m; zero where it does not hold.
    pub fn tangent(&self, place: f64, p: &Vec3, v: &Vec3) -> (Mat3, Mat3) {
        let at = self.evaluate(place, p, v);
        let distance = p.norm();
        if at.size <= 0.0 || distance <= 0.0 {
            return (Mat3::zeros(), Mat3::zeros());
        }
        let n = p / distance;
        let along = n * n.transpose();
        let across = (Mat3::identity() - along) / distance;
        let by_place = -(along * self.stiffness)
            - n * (across * v).transpose() * self.damping
            - across * (self.sign() * at.size);
        (by_place, -along * self.damping)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(shortens: bool) -> RatchetLaw {
        RatchetLaw { pitch: 0.5e-3, stiffness: 2e6, damping: 300.0, shortens }
    }

    /// Points that came nearer by 1.7 teeth stand behind the first, and the reverse for a ratchet that lets them part.
    #[test]
    fn a_tooth_is_passed_when_it_is_passed() {
        assert_eq!(law(true).tooth(0.3, 0.3 - 0.85e-3), 1);
        assert_eq!(law(false).tooth(0.3, 0.3 + 0.85e-3), 1);
        assert_eq!(law(true).tooth(0.3, 0.3 + 0.1e-3), -1);
        assert!((law(true).place(0.3, 1) - 0.2995).abs() < 1e-15);
        assert!((law(false).place(0.3, 1) - 0.3005).abs() < 1e-15);
    }

    /// It holds one way with k e, never the other way, and never pushes where it should pull.
    #[test]
    fn it_holds_one_way() {
        for (shortens, sign) in [(true, 1.0), (false, -1.0)] {
            let law = law(shortens);
            let back = Vec3::x() * (0.3 + sign * 1e-4);
            let held = law.evaluate(0.3, &back, &Vec3::zeros());
            assert!((held.size - 200.0).abs() < 1e-6 && (held.force.x + sign * 200.0).abs() < 1e-6);
            assert!((held.stored - 0.01).abs() < 1e-9);
            assert_eq!(law.evaluate(0.3, &(Vec3::x() * (0.3 - sign * 1e-4)), &Vec3::x()).size, 0.0);
            let moving_on = law.evaluate(0.3, &back, &(Vec3::x() * -sign));
            assert_eq!(moving_on.size, 0.0, "300 N of damping against 200 N");
            assert!((moving_on.dissipated - 200.0).abs() < 1e-6, "the spring's power is lost");
        }
    }

    /// Power given to the points, stored and turned into heat add up to nothing; derivatives agree with differences of second order.
    #[test]
    fn powers_add_up_and_derivatives_agree() {
        let (p, v) = (Vec3::new(0.1, -0.2, 0.2003), Vec3::new(0.03, -0.02, 0.05));
        for law in [law(true), RatchetLaw { shortens: false, ..law(true) }] {
            let place = p.norm() - law.sign() * 2e-4;
            let at = law.evaluate(place, &p, &v);
            assert!(at.size > 0.0);
            let h = 1e-6;
            let moved = |sign: f64| law.evaluate(place, &(p + v * (sign * h)), &v).stored;
            let sum = at.force.dot(&v) + (moved(1.0) - moved(-1.0)) / (2.0 * h) + at.dissipated;
            // Rounding of a distance of 0.3 m, 1e-16 m, times 400 N over 2e-6 s, some times.
            assert!(sum.abs() < 1e-7, "{sum}");
            let (K, D) = law.tangent(place, &p, &v);
            for k in 0..3 {
                let e = Vec3::ith(k, h);
                let by_place = (law.evaluate(place, &(p + e), &v).force
                    - law.evaluate(place, &(p - e), &v).force)
                    / (2.0 * h);
                let by_velocity = (law.evaluate(place, &p, &(v + e)).force
                    - law.evaluate(place, &p, &(v - e)).force)
                    / (2.0 * h);
                // Rounding: 400 N times 1e-16 over 2e-6, and 1e-16 m of distance times 2e6 N/m over the same.
                assert!((K.column(k) - by_place).norm() < 1e-9 * 2e6);
                assert!((D.column(k) - by_velocity).norm() < 1e-5 * 300.0);
            }
        }
    }
}
