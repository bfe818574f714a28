//! Latches: frames on two bodies that are held together once they have met.
//!
//! An open latch does nothing. It closes when distance, angle and speed of the frames are small enough. At
//! that moment their relative motion may be ended by an impulse (computed in `sim`, because it involves the
//! whole mechanism). From then on spring and damper in all directions hold the frames as they met, and a hook
//! may draw the first by a length along the second's axis. A latch whose force passes its limit breaks
//! permanently. Theory: `docs/theory/latches.md`.
//!
//! With p the position of the first frame in the second's axes, p₀ that at closing, d(t) the distance drawn
//! by the hook and θ the rotation vector since closing:
//!
//! `e = p − p₀ − d ẑ`, `f = −k e − c ė`, `τ = −k_θ θ − c_θ ω`, `U = ½ k e² + ½ k_θ θ²`, heat `c ė² + c_θ ω²`,
//! power of the hook `f_z ḋ`
//!
//! Stiffness is the same in all directions; therefore θ needs no rate map: θ·θ̇ = θ·ω, and the powers balance
//! exactly.

use crate::boom::EndMotion;
use touchdown_math::{Elementary, Mat3, Mat6, Pose, Vec3, Wrench, cross_matrix};

/// Events are located to about this share of their scale.
const SLACK: f64 = 1.0 + 1e-6;

/// Parameters of a latch, SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatchLaw {
    /// Distance of the frames within which it closes, m.
    pub reach: f64,
    /// Largest angle between the frames' axes at which it closes, rad.
    pub widest: f64,
    /// Largest speed of the frames against each other at which it closes, m/s.
    pub fastest: f64,
    /// k, N/m, and c, N s/m.
    pub holds: [f64; 2],
    /// k_θ, N m/rad, and c_θ, N m s/rad; zeros: a ball and socket.
    pub turns: [f64; 2],
    /// Whether closing ends the relative motion by an impulse.
    pub inelastic: bool,
    /// Distance drawn by the hook, m, and its duration, s.
    pub draws: [f64; 2],
    /// Force at which it breaks, N.
    pub breaks_at: f64,
}

/// Errors of a latch.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{what} must be {allowed}, found {found}")]
pub struct LatchError {
    /// Which number.
    pub what: &'static str,
    /// Its value, SI.
    pub found: f64,
    /// What it may be.
    pub allowed: &'static str,
}

/// How the frames met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Met {
    /// Pose of the first frame in the second.
    pub X: Pose,
    /// When, s.
    pub t: f64,
}

/// Result of a closed latch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatchForce {
    /// On the first, about its frame's origin, in the second's axes.
    pub wrench: Wrench,
    /// J.
    pub stored: f64,
    /// W.
    pub dissipated: f64,
    /// Power of the hook, W.
    pub drawn: f64,
}

impl LatchLaw {
    /// An error if the parameters are invalid.
    pub fn check(&self) -> Result<(), LatchError> {
        let rules = [
            ("the reach", self.reach, false),
            ("the stiffness", self.holds[0], false),
            ("the damping", self.holds[1], true),
            ("the turning stiffness", self.turns[0], true),
            ("the turning damping", self.turns[1], true),
            ("the time to draw", self.draws[1], false),
        ];
        for (what, found, or_zero) in rules {
            let allowed = if or_zero { "zero or more" } else { "more than zero" };
            if !(found.is_finite() && (found > 0.0 || or_zero && found == 0.0)) {
                return Err(LatchError { what, found, allowed });
            }
        }
        Ok(())
    }

    /// Whether it breaks under a force, N.
    pub fn breaks_under(&self, force: f64) -> bool {
        force >= self.breaks_at / SLACK
    }

    /// Whether it closes for this pose and motion of the frames.
    pub fn may_close(&self, at: &EndMotion) -> bool {
        let axes = at.R[(2, 2)].clamp(-1.0, 1.0);
        at.d.norm() <= self.reach * SLACK && axes >= self.widest.cosine() && at.d_dot.norm() <= self.fastest
    }

    /// Distance drawn by the hook at `t`, m, and its rate, m/s.
    pub fn drawn(&self, met: &Met, t: f64) -> (f64, f64) {
        let [length, time] = self.draws;
        let since = t - met.t;
        if since >= time { (length, 0.0) } else { (length * since / time, length / time) }
    }

    /// Its force while closed.
    pub fn evaluate(&self, at: &EndMotion, met: &Met, t: f64) -> LatchForce {
        let ([k, c], [kt, ct]) = (self.holds, self.turns);
        let (drawn, rate) = self.drawn(met, t);
        let e = at.d - met.X.p - Vec3::z() * drawn;
        let slip = at.d_dot - Vec3::z() * rate;
        let theta = rotation_vector(&(at.R * met.X.R.transpose()));
        let force = -(e * k + slip * c);
        LatchForce {
            wrench: Wrench::new(-(theta * kt + at.w * ct), force),
            stored: 0.5 * (k * e.norm_squared() + kt * theta.norm_squared()),
            dissipated: c * slip.norm_squared() + ct * at.w.norm_squared(),
            drawn: force.z * rate,
        }
    }

    /// Derivatives of the wrench by turn and displacement of the first, and by its velocities, in the second's axes; exact to the square of θ.
    pub fn tangent(&self, at: &EndMotion, met: &Met) -> (Mat6, Mat6) {
        let theta = rotation_vector(&(at.R * met.X.R.transpose()));
        let x = cross_matrix(&theta);
        let rate_map = Mat3::identity() - x * 0.5 + x * x / 12.0;
        let blocks = |angular: Mat3, linear: f64| {
            let mut M = Mat6::zeros();
            M.fixed_view_mut::<3, 3>(0, 0).copy_from(&-angular);
            M.fixed_view_mut::<3, 3>(3, 3).copy_from(&(Mat3::identity() * -linear));
            M
        };
        let K = blocks(rate_map * self.turns[0], self.holds[0]);
        let D = blocks(Mat3::identity() * self.turns[1], self.holds[1]);
        (K, D)
    }
}

/// The rotation vector of a rotation, |θ| ≤ π.
fn rotation_vector(R: &Mat3) -> Vec3 {
    let q = Pose { R: *R, p: Vec3::zeros() }.quaternion();
    let v = q.imag() * q.w.signum();
    let sine = v.norm();
    // angle/sin(angle/2): 2 for small ones, by series where the quotient would lose digits.
    let ratio = if sine < 1e-4 { 2.0 + sine * sine / 3.0 } else { 2.0 * sine.arctangent2(q.w.abs()) / sine };
    v * ratio
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchdown_math::rotation;

    fn law() -> LatchLaw {
        LatchLaw {
            reach: 0.01,
            widest: 0.1,
            fastest: 0.2,
            holds: [2e4, 30.0],
            turns: [500.0, 2.0],
            inelastic: true,
            draws: [0.002, 4.0],
            breaks_at: f64::INFINITY,
        }
    }

    fn motion(d: Vec3, theta: Vec3) -> EndMotion {
        let R = rotation::exp(&theta).to_rotation_matrix().into_inner();
        EndMotion { d, R, d_dot: Vec3::new(0.02, -0.05, 0.01), w: Vec3::new(0.1, -0.2, 0.3) }
    }

    /// It closes within reach, angle and speed, and at none of them beyond.
    #[test]
    fn it_closes_within_its_limits() {
        let near = motion(Vec3::new(0.006, 0.0, -0.008), Vec3::new(0.09, 0.0, 2.0));
        assert!(law().may_close(&near));
        assert!(!law().may_close(&EndMotion { d: near.d * 1.01, ..near }));
        assert!(!law().may_close(&EndMotion { d_dot: Vec3::x() * 0.21, ..near }));
        assert!(!law().may_close(&motion(near.d, Vec3::new(0.11, 0.0, 0.0))));
        let weak = LatchLaw { breaks_at: 40.0, ..law() };
        assert_eq!([39.9, 40.0, 41.0].map(|force| weak.breaks_under(force)), [false, true, true]);
        assert!(!law().breaks_under(f64::MAX));
    }

    /// Power given to the bodies, stored, turned into heat and fed in by the hook add up to nothing.
    #[test]
    fn powers_add_up() {
        let (law, met) =
            (law(), Met { X: motion(Vec3::new(0.004, 0.001, 0.0), Vec3::x() * 0.05).X(), t: 1.0 });
        let at = motion(Vec3::new(0.006, -0.002, 0.003), Vec3::new(0.2, -0.1, 0.15));
        let force = law.evaluate(&at, &met, 2.0);
        let h = 1e-5;
        let moved = |sign: f64| {
            let d = at.d + at.d_dot * (sign * h);
            let R = rotation::exp(&(at.w * (sign * h))).to_rotation_matrix().into_inner() * at.R;
            law.evaluate(&EndMotion { d, R, ..at }, &met, 2.0 + sign * h).stored
        };
        let growth = (moved(1.0) - moved(-1.0)) / (2.0 * h);
        let given = force.wrench.f.dot(&at.d_dot) + force.wrench.t.dot(&at.w);
        let sum = given + growth + force.dissipated - force.drawn;
        // Rounding of a difference of 12 J over 2e-5 s, and the square of the step.
        assert!(sum.abs() < 1e-8, "{sum}");
    }

    /// Drawn against a stop, it pulls with stiffness times length when it has done; before, in proportion to time.
    #[test]
    fn preload_is_stiffness_times_draw() {
        let (law, met) = (law(), Met { X: Pose::identity(), t: 3.0 });
        let at = EndMotion { d: Vec3::zeros(), R: Mat3::identity(), d_dot: Vec3::zeros(), w: Vec3::zeros() };
        assert!((law.evaluate(&at, &met, 9.0).wrench.f.z - 40.0).abs() < 1e-12);
        let half = law.evaluate(&at, &met, 5.0);
        assert!((half.stored - 0.5 * 2e4 * 1e-6).abs() < 1e-15, "{half:?}");
    }

    /// Derivatives agree with differences, to the cube of the angle that the rate map leaves out.
    #[test]
    fn derivatives_agree_with_differences() {
        let (law, met) = (law(), Met { X: Pose::identity(), t: 0.0 });
        let at = motion(Vec3::new(0.006, -0.002, 0.003), Vec3::new(0.02, -0.01, 0.015));
        let (K, D) = law.tangent(&at, &met);
        let h = 1e-6;
        for k in 0..6 {
            let e = Vec3::ith(k % 3, h);
            let moved = |sign: f64| {
                let turn = rotation::exp(&(e * sign)).to_rotation_matrix().into_inner();
                let (turned, shifted) =
                    (EndMotion { R: turn * at.R, ..at }, EndMotion { d: at.d + e * sign, ..at });
                law.evaluate(if k < 3 { &turned } else { &shifted }, &met, 5.0).wrench
            };
            let driven = |sign: f64| {
                let (w, d_dot) = (at.w + e * sign, at.d_dot + e * sign);
                let (spun, pushed) = (EndMotion { w, ..at }, EndMotion { d_dot, ..at });
                law.evaluate(if k < 3 { &spun } else { &pushed }, &met, 5.0).wrench
            };
            for (M, [plus, minus]) in [(&K, [moved(1.0), moved(-1.0)]), (&D, [driven(1.0), driven(-1.0)])] {
                let (t, f) = ((plus.t - minus.t) / (2.0 * h), (plus.f - minus.f) / (2.0 * h));
                let column = M.column(k);
                let error_t = (Vec3::new(column[0], column[1], column[2]) - t).norm();
                let error_f = (Vec3::new(column[3], column[4], column[5]) - f).norm();
                assert!(
                    error_t < 1e-5 * law.turns[0] && error_f < 1e-7 * law.holds[0],
                    "{k}: {error_t} {error_f}"
                );
            }
        }
    }

    impl EndMotion {
        /// Its pose.
        fn X(&self) -> Pose {
            Pose { R: self.R, p: self.d }
        }
    }
}
