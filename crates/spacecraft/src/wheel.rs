//! A set of reaction wheels: allocation of a demanded torque, limits, and unloading.
//!
//! A motor turns its rotor with u and the satellite with −u about the wheel's axis a. The torque on the satellite is −A u, A = [a₁ a₂ …]; the motors
//! therefore get u = −A⁺ T, with A⁺ the pseudo-inverse (least Σu²), and, if requested, a part of the null
//! space of A that equalises the rotors' momenta without any torque on the satellite. Friction of the
//! bearings is not included: it acts inside the joint of the rotor.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use touchdown_math::{Elementary, Mat3, Vec3, Wrench};

/// A set of equal wheels on one satellite.
#[derive(Clone, Debug, PartialEq)]
pub struct WheelSet {
    axes: Vec<Vec3>,
    /// Columns of the transposed pseudo-inverse: u_i = −pinv_i·T.
    pinv: Vec<Vec3>,
    /// Limits.
    pub limits: WheelLimits,
}

/// Limits of a wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelLimits {
    /// Largest motor torque, N m.
    pub torque: f64,
    /// Largest momentum of the rotor against the satellite, N m s.
    pub momentum: f64,
}

/// Errors of a set of wheels.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum WheelError {
    /// Axes that leave a direction without torque.
    #[error("the axes of the {found} wheels do not span all directions: no torque about some axis")]
    Span {
        /// Wheels found.
        found: usize,
    },
    /// A limit that is not positive.
    #[error("wheel limits must be positive, found {torque} N m and {momentum} N m s")]
    Limit {
        /// N m.
        torque: f64,
        /// N m s.
        momentum: f64,
    },
}

/// Result of a demand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelsGiven {
    /// Torque on the satellite, N m, in its axes.
    pub torque: Vec3,
    /// Whether a limit made it differ from the demand.
    pub limited: bool,
}

impl WheelSet {
    /// Checks and prepares a set; axes need not be unit vectors.
    pub fn new(axes: &[Vec3], limits: WheelLimits) -> Result<WheelSet, WheelError> {
        let WheelLimits { torque, momentum } = limits;
        if !(torque > 0.0 && momentum > 0.0) {
            return Err(WheelError::Limit { torque, momentum });
        }
        let axes: Vec<Vec3> = axes.iter().map(|a| a.normalize()).collect();
        let square: Mat3 = axes.iter().fold(Mat3::zeros(), |m, a| m + a * a.transpose());
        // The trace is the number of wheels; a direction with a millionth of its share counts as missing.
        let least = square.symmetric_eigenvalues().min();
        let inverse = square.try_inverse().filter(|_| least > 1e-6);
        let inverse = inverse.ok_or(WheelError::Span { found: axes.len() })?;
        let pinv = axes.iter().map(|a| inverse * a).collect();
        Ok(WheelSet { axes, pinv, limits })
    }

    /// Number of wheels.
    pub fn len(&self) -> usize {
        self.axes.len()
    }

    /// Whether there are none (never, once checked).
    pub fn is_empty(&self) -> bool {
        self.axes.is_empty()
    }

    /// Unit axes, in the satellite's axes.
    pub fn axes(&self) -> &[Vec3] {
        &self.axes
    }

    /// Momentum of all rotors, A h, N m s.
    pub fn momentum(&self, h: &[f64]) -> Vec3 {
        self.axes.iter().zip(h).map(|(a, h)| a * *h).sum()
    }

    /// Motor torques `u` (on the rotors, N m) for a torque on the satellite over the next `period` (s), at momenta `h` (N m s). `even_out` (1/s) is the rate at
    /// which momenta without effect outside are driven to zero; 0: not at all. A demand beyond the torque
    /// limit is scaled without changing its direction; no rotor is accelerated beyond its largest momentum.
    pub fn distribute(
        &self,
        demand: &Vec3,
        h: &[f64],
        period: f64,
        even_out: f64,
        u: &mut [f64],
    ) -> WheelsGiven {
        let total = self.momentum(h);
        for i in 0..self.len() {
            let idle = h[i] - self.pinv[i].dot(&total);
            u[i] = -self.pinv[i].dot(demand) - even_out * idle;
        }
        let largest = u.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let scale = (self.limits.torque / largest).min(1.0);
        let mut limited = scale < 1.0;
        let mut torque = Vec3::zeros();
        for i in 0..self.len() {
            let wanted = u[i] * scale;
            u[i] = self.given(wanted, h[i], period);
            limited |= u[i] != wanted;
            torque -= self.axes[i] * u[i];
        }
        WheelsGiven { torque, limited }
    }

    /// Torque that a motor gives for `period` (s) at the momentum `h`: within its limit, and never so much that |h| grows beyond its own. A rotor
    /// already beyond (friction and given starts may bring it there) is only braked.
    pub fn given(&self, wanted: f64, h: f64, period: f64) -> f64 {
        let WheelLimits { torque, momentum } = self.limits;
        let up = ((momentum - h) / period).clamp(0.0, torque);
        let down = ((-momentum - h) / period).clamp(-torque, 0.0);
        wanted.clamp(down, up)
    }
}

/// Unloading of wheels by thrusters: begins when a rotor holds more than a share of its limit, ends at half of that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Desaturation {
    /// Share of the momentum limit above which unloading begins.
    pub above: f64,
    /// Share at which it ends.
    pub below: f64,
    /// Time constant of the momentum's decay, s.
    pub time_constant: f64,
}

/// Whether wheels are being unloaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DesaturationState {
    /// Unloading.
    pub active: bool,
}

impl Desaturation {
    /// Unloading above a share of the limit, with a time constant of 60 s.
    pub fn above(share: f64) -> Desaturation {
        Desaturation { above: share, below: 0.5 * share, time_constant: 60.0 }
    }

    /// External torque on the satellite, N m, that unloads the wheels; the wheels must apply the opposite in
    /// addition to the demand of control.
    pub fn demand(&self, state: &mut DesaturationState, wheels: &WheelSet, h: &[f64]) -> Vec3 {
        let share = h.iter().fold(0.0f64, |m, x| m.max(x.abs())) / wheels.limits.momentum;
        state.active = if state.active { share > self.below } else { share > self.above };
        if state.active { -wheels.momentum(h) / self.time_constant } else { Vec3::zeros() }
    }
}

/// Imbalance of a rotor: forces and torques that turn with it and grow with the square of its speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Imbalance {
    /// Static: mass times eccentricity, kg m.
    pub static_kg_m: f64,
    /// Dynamic: product of inertia, kg m².
    pub dynamic_kg_m2: f64,
}

impl Imbalance {
    /// Wrench about the rotor's centre at its angle (rad) and speed (rad/s); `side` is a unit vector across the unit `axis`, where the angle is zero.
    pub fn wrench(&self, axis: &Vec3, side: &Vec3, angle: f64, speed: f64) -> Wrench {
        let (s, c) = angle.sine_cosine();
        let out = side * c + axis.cross(side) * s;
        let across = axis.cross(&out);
        Wrench::new(across * (self.dynamic_kg_m2 * speed * speed), out * (self.static_kg_m * speed * speed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pyramid() -> WheelSet {
        let axes = [[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [1.0, -1.0, 1.0]].map(Vec3::from);
        WheelSet::new(&axes, WheelLimits { torque: 0.2, momentum: 20.0 }).unwrap()
    }

    /// The satellite gets the demanded torque, exactly opposite to what the rotors get.
    #[test]
    fn demand_is_met_and_momentum_exchanged() {
        let wheels = pyramid();
        let (h, mut u) = ([3.0, -2.0, 1.0, 4.0], [0.0; 4]);
        for even_out in [0.0, 1e-3] {
            let demand = Vec3::new(0.1, -0.05, 0.08);
            let given = wheels.distribute(&demand, &h, 0.1, even_out, &mut u);
            assert!((given.torque - demand).norm() < 1e-16 && !given.limited);
            assert!((given.torque + wheels.momentum(&u)).norm() < 1e-16);
        }
    }

    /// Without evening out the torques are the smallest that do it; evening out only touches what has no effect outside.
    #[test]
    fn null_space_has_no_torque() {
        let wheels = pyramid();
        // The null vector of a pyramid is (1, −1, 1, −1).
        let (mut u, mut v) = ([0.0; 4], [0.0; 4]);
        let demand = Vec3::new(0.03, 0.02, -0.06);
        wheels.distribute(&demand, &[0.0; 4], 0.1, 0.0, &mut u);
        assert!((u[0] - u[1] + u[2] - u[3]).abs() < 1e-16);
        wheels.distribute(&demand, &[1.0, -1.0, 1.0, -1.0], 0.1, 0.01, &mut v);
        for (k, sign) in [1.0, -1.0, 1.0, -1.0].into_iter().enumerate() {
            assert!((v[k] - u[k] + 0.01 * sign).abs() < 1e-16);
        }
    }

    /// A demand beyond the motors keeps its direction; a full rotor is not sped up but may be braked, and no period passes the limit.
    #[test]
    fn limits_hold() {
        let wheels = pyramid();
        let mut u = [0.0; 4];
        let demand = Vec3::new(0.0, 0.0, 5.0);
        let given = wheels.distribute(&demand, &[0.0; 4], 0.1, 0.0, &mut u);
        assert!(given.limited && given.torque.cross(&demand).norm() < 1e-15);
        assert!(u.iter().all(|x| (x.abs() - 0.2).abs() < 1e-16));
        assert_eq!(wheels.given(0.1, 20.0, 0.1), 0.0);
        assert_eq!(wheels.given(-0.1, 20.0, 0.1), -0.1);
        assert_eq!(wheels.given(0.1, 21.0, 0.1), 0.0);
        assert!((wheels.given(0.2, 19.99, 0.1) - 0.1).abs() < 1e-12);
        assert!((wheels.given(-0.2, -19.99, 0.1) + 0.1).abs() < 1e-12);
    }

    /// Unloading starts above 70 %, goes on below it, ends at 35 %; its torque opposes the momentum.
    #[test]
    fn desaturation_has_hysteresis() {
        let (wheels, law) = (pyramid(), Desaturation::above(0.7));
        let mut state = DesaturationState::default();
        let at = |share: f64, state: &mut DesaturationState| {
            let h = [20.0 * share, 0.0, 0.0, 0.0];
            law.demand(state, &wheels, &h).dot(&wheels.momentum(&h))
        };
        assert_eq!(at(0.69, &mut state), 0.0);
        assert!(at(0.71, &mut state) < 0.0);
        assert!(at(0.5, &mut state) < 0.0);
        assert_eq!(at(0.34, &mut state), 0.0);
        assert_eq!(at(0.5, &mut state), 0.0);
    }

    /// Imbalance at rest is nothing, grows with the square of the speed and stays across the axis.
    #[test]
    fn imbalance_turns_with_the_rotor() {
        let jitter = Imbalance { static_kg_m: 1e-6, dynamic_kg_m2: 2e-7 };
        let one = jitter.wrench(&Vec3::z(), &Vec3::x(), 0.7, 100.0);
        let two = jitter.wrench(&Vec3::z(), &Vec3::x(), 0.7, 200.0);
        assert!((two.f - one.f * 4.0).norm() < 1e-15 && (one.f.norm() - 1e-2).abs() < 1e-15);
        assert!((one.f.y / one.f.x - 0.7f64.tan()).abs() < 1e-12 && one.t.dot(&Vec3::z()) == 0.0);
        assert!((one.t.norm() - 2e-3).abs() < 1e-15);
    }

    /// Axes in a plane are refused.
    #[test]
    fn wheels_in_a_plane_are_refused() {
        let axes = [Vec3::x(), Vec3::y(), Vec3::new(1.0, 1.0, 0.0)];
        let limits = WheelLimits { torque: 0.1, momentum: 1.0 };
        assert_eq!(WheelSet::new(&axes, limits), Err(WheelError::Span { found: 3 }));
        assert!(WheelSet::new(&axes, WheelLimits { torque: 0.0, momentum: 1.0 }).is_err());
    }
}
