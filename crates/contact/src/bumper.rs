//! Bumpers: two balls that push each other apart by a linear spring and damper along the line of their centres.
//!
//! This is the simplest contact model and the example for adding one. With δ the overlap of the balls and n
//! the direction from the second centre to the first, the first ball feels F·n, F = max(0, k·δ + c·dδ/dt)
//! while δ > 0. Theory: `docs/theory/bumper.md`.

use touchdown_math::{Mat3, Vec3};

/// Spring, damper and size of a bumper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BumperLaw {
    /// Radii of both balls, m; zero is a point.
    pub radii: [f64; 2],
    /// Stiffness, N/m.
    pub stiffness: f64,
    /// Damping, N s/m.
    pub damping: f64,
}

/// Why the numbers of a bumper are invalid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum BumperError {
    /// No size.
    #[error("its balls need a radius: found {0} m and {1} m")]
    Radii(f64, f64),
    /// Spring or damper.
    #[error("its stiffness must be positive and its damping not negative: found {0} N/m and {1} N s/m")]
    Law(f64, f64),
}

/// State and force of a bumper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BumperForce {
    /// Distance of the surfaces, m; negative while they touch.
    pub gap: f64,
    /// Its rate, m/s.
    pub gap_rate: f64,
    /// Size of the push, N.
    pub push: f64,
    /// Force on the first ball, N.
    pub force: Vec3,
    /// Energy in the spring, J.
    pub stored: f64,
    /// Power turned into heat, W.
    pub dissipated: f64,
}

/// Derivatives of the force on the first ball by its own motion, the second held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BumperTangent {
    /// By the place of its centre, N/m.
    pub by_place: Mat3,
    /// By its velocity, N s/m.
    pub by_velocity: Mat3,
}

impl BumperLaw {
    /// An error if the numbers are invalid.
    pub fn check(&self) -> Result<(), BumperError> {
        let [a, b] = self.radii;
        if !(a >= 0.0 && b >= 0.0 && a + b > 0.0 && (a + b).is_finite()) {
            return Err(BumperError::Radii(a, b));
        }
        let good = self.stiffness > 0.0 && self.stiffness.is_finite() && self.damping >= 0.0;
        if good && self.damping.is_finite() {
            Ok(())
        } else {
            Err(BumperError::Law(self.stiffness, self.damping))
        }
    }

    /// Force at a place `p` (m) and velocity `v` (m/s) of the first centre against the second.
    pub fn evaluate(&self, p: &Vec3, v: &Vec3) -> BumperForce {
        let distance = p.norm();
        // Coincident centres have no direction; any is valid.
        let n = if distance > 0.0 { p / distance } else { Vec3::z() };
        let (gap, gap_rate) = (distance - self.radii[0] - self.radii[1], n.dot(v));
        let overlap = (-gap).max(0.0);
        let spring = self.stiffness * overlap;
        let push = if gap < 0.0 { (spring - self.damping * gap_rate).max(0.0) } else { 0.0 };
        BumperForce {
            gap,
            gap_rate,
            push,
            force: n * push,
            stored: 0.5 * spring * overlap,
            // Power of the spring that is not transferred to the balls; c·(dδ/dt)² while it pushes.
            dissipated: (spring - push) * gap_rate,
        }
    }

    /// Derivatives of the force, zero where it does not push.
    pub fn tangent(&self, p: &Vec3, v: &Vec3) -> BumperTangent {
        let at = self.evaluate(p, v);
        let distance = p.norm();
        if at.push <= 0.0 || distance <= 0.0 {
            return BumperTangent { by_place: Mat3::zeros(), by_velocity: Mat3::zeros() };
        }
        let n = p / distance;
        let along = n * n.transpose();
        let across = (Mat3::identity() - along) / distance;
        let by_place =
            -(along * self.stiffness) - n * (across * v).transpose() * self.damping + across * at.push;
        BumperTangent { by_place, by_velocity: -along * self.damping }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAW: BumperLaw = BumperLaw { radii: [0.3, 0.2], stiffness: 2e4, damping: 150.0 };

    #[test]
    fn it_pushes_by_spring_and_damper_and_never_pulls() {
        // 10 mm of overlap, approaching at 0.2 m/s: 200 N + 30 N. When the balls separate at 2 m/s the force
        // would be −100 N and is clamped to zero.
        let p = Vec3::new(0.49, 0.0, 0.0);
        let near = LAW.evaluate(&p, &Vec3::new(-0.2, 0.7, 0.0));
        assert!((near.push - 230.0).abs() < 1e-9 && (near.force.x - 230.0).abs() < 1e-9);
        assert!((near.stored - 1.0).abs() < 1e-12 && (near.dissipated - 6.0).abs() < 1e-9);
        let leaving = LAW.evaluate(&p, &Vec3::new(2.0, 0.0, 0.0));
        assert_eq!(leaving.push, 0.0);
        // The spring relaxes without pushing: all of its power is heat.
        assert!((leaving.dissipated - 200.0 * 2.0).abs() < 1e-9);
        assert_eq!(LAW.evaluate(&Vec3::new(0.51, 0.0, 0.0), &Vec3::zeros()).push, 0.0);
    }

    #[test]
    fn derivatives_are_those_of_the_force() {
        // Central differences of step h leave f'''·h²/6: below 1e-6 of the stiffness at h = 1e-6 m.
        let (p, v) = (Vec3::new(0.3, -0.25, 0.28), Vec3::new(-0.3, 0.2, -0.1));
        let tangent = LAW.tangent(&p, &v);
        let h = 1e-6;
        for k in 0..3 {
            let mut e = Vec3::zeros();
            e[k] = h;
            let by_place = (LAW.evaluate(&(p + e), &v).force - LAW.evaluate(&(p - e), &v).force) / (2.0 * h);
            let by_velocity =
                (LAW.evaluate(&p, &(v + e)).force - LAW.evaluate(&p, &(v - e)).force) / (2.0 * h);
            assert!((by_place - tangent.by_place.column(k)).norm() < 1e-6 * LAW.stiffness);
            assert!((by_velocity - tangent.by_velocity.column(k)).norm() < 1e-6 * LAW.stiffness);
        }
    }

    #[test]
    fn what_cannot_exist_is_refused() {
        assert!(LAW.check().is_ok());
        assert!(BumperLaw { radii: [0.0, 0.0], ..LAW }.check().is_err());
        assert!(BumperLaw { stiffness: 0.0, ..LAW }.check().is_err());
        assert!(BumperLaw { damping: f64::NAN, ..LAW }.check().is_err());
    }
}
