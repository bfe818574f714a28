//! Attitude and orbit control: demanded torque and force, and their actuators, for each mode.
//!
//! Attitude: T = −K θ − D (ω − ω_target), K = I (2π f)², D = 2 ζ I (2π f), with θ the rotation vector from target to estimate in body axes. Position: the same with the
//! mass, each axis after a dead band, in which there is no demand. The gains are those of the body that the
//! mode controls: the chaser, or the mated pair.

use crate::attitude::rotation_vector;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;
use touchdown_math::{Mat3, Quat, Vec3, Wrench};

/// Mode of attitude and orbit control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AocsMode {
    /// Attitude is held.
    #[default]
    Hold,
    /// Attitude and relative position are held, or a relative velocity is reached.
    Approach,
    /// No control: the satellite drifts freely while it touches the other.
    Contact,
    /// The attitude of the mated pair is held.
    Mated,
}

impl AocsMode {
    const ALL: [AocsMode; 4] = [AocsMode::Hold, AocsMode::Approach, AocsMode::Contact, AocsMode::Mated];

    /// A number for columns and signals: 0 hold, 1 approach, 2 contact, 3 mated.
    pub fn code(self) -> i32 {
        self as i32
    }

    /// The mode of a number.
    pub fn from_code(code: i32) -> Option<AocsMode> {
        AocsMode::ALL.into_iter().find(|mode| mode.code() == code)
    }
}

/// Which actuators a mode may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Actuators {
    /// None.
    #[default]
    None,
    /// Wheels for torque.
    Wheels,
    /// Wheels for torque, thrusters for force.
    WheelsAndThrusters,
    /// Thrusters for both.
    Thrusters,
}

/// Attitude law of a mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttitudeLaw {
    /// Inertia of the controlled body, kg m².
    pub inertia: Mat3,
    /// Bandwidth, Hz.
    pub bandwidth_hz: f64,
    /// Damping ratio.
    pub damping: f64,
}

/// Position law of a mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositionLaw {
    /// Mass of the controlled body, kg.
    pub mass: f64,
    /// Bandwidth, Hz.
    pub bandwidth_hz: f64,
    /// Damping ratio.
    pub damping: f64,
    /// Dead band of position errors, m.
    pub deadband: f64,
    /// Dead band of velocities, m/s.
    pub velocity_deadband: f64,
}

impl AttitudeLaw {
    /// Demanded torque, N m, in body axes.
    pub fn torque(&self, attitude: &Quat, rate_B: &Vec3, target: &AttitudeTarget) -> Vec3 {
        let w = TAU * self.bandwidth_hz;
        let off = rotation_vector(&(target.attitude.inverse() * attitude));
        let rate_off = rate_B - attitude.inverse() * target.rate_W;
        -self.inertia * (off * (w * w) + rate_off * (2.0 * self.damping * w))
    }
}

/// The excess of a number over a dead band: continuous, zero inside.
fn beyond(x: f64, band: f64) -> f64 {
    (x.abs() - band).max(0.0).copysign(x)
}

impl PositionLaw {
    /// Demanded force, N, in the axes of the errors: `offset` from the target (m), `velocity` against it
    /// (m/s). Without an offset only the velocity is controlled.
    pub fn force(&self, offset: Option<&Vec3>, velocity: &Vec3) -> Vec3 {
        let w = TAU * self.bandwidth_hz;
        let spring = offset.map_or(Vec3::zeros(), |e| e.map(|x| beyond(x, self.deadband)));
        let damper = velocity.map(|x| beyond(x, self.velocity_deadband));
        -(spring * (w * w) + damper * (2.0 * self.damping * w)) * self.mass
    }
}

/// Target attitude.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttitudeTarget {
    /// Attitude of the body in the world.
    pub attitude: Quat,
    /// Its angular velocity, rad/s, in W.
    pub rate_W: Vec3,
}

/// Settings of a mode.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModeSettings {
    /// Its actuators.
    pub actuators: Actuators,
    /// Its attitude law.
    pub attitude: Option<AttitudeLaw>,
    /// Its position law.
    pub position: Option<PositionLaw>,
}

/// Settings of all modes of one satellite; contact has none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aocs {
    /// Attitude hold.
    pub hold: ModeSettings,
    /// Approach.
    pub approach: ModeSettings,
    /// Mated control.
    pub mated: ModeSettings,
}

/// Estimate of the satellite at a control tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Navigation {
    /// Attitude in the world.
    pub attitude: Quat,
    /// Angular velocity in body axes, rad/s.
    pub rate_B: Vec3,
    /// Place against its target, in body axes, m; `None` while unknown or not to be held.
    pub offset_B: Option<Vec3>,
    /// Velocity against its target, in body axes, m/s; `None` while unknown.
    pub velocity_B: Option<Vec3>,
}

/// Demands on the actuators, in body axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Demand {
    /// Torque of the wheels on the satellite, N m.
    pub wheels: Vec3,
    /// Torque and force of the thrusters, N m and N.
    pub thrusters: Wrench,
    /// Whether thrusters may fire at all.
    pub thrusters_on: bool,
}

impl Aocs {
    /// Settings of a mode.
    pub fn settings(&self, mode: AocsMode) -> ModeSettings {
        match mode {
            AocsMode::Hold => self.hold,
            AocsMode::Approach => self.approach,
            AocsMode::Contact => ModeSettings::default(),
            AocsMode::Mated => self.mated,
        }
    }

    /// Demands of a mode on its actuators. `unload` is the external torque that unloads the wheels
    /// ([`crate::wheel::Desaturation::demand`]): thrusters give it and wheels its opposite, so that the net
    /// torque on the satellite is zero. In contact there is no demand.
    pub fn demand(
        &self,
        mode: AocsMode,
        navigation: &Navigation,
        target: &AttitudeTarget,
        unload: &Vec3,
    ) -> Demand {
        let settings = self.settings(mode);
        let torque = match settings.attitude {
            Some(law) => law.torque(&navigation.attitude, &navigation.rate_B, target),
            None => Vec3::zeros(),
        };
        let force = match (settings.position, navigation.velocity_B) {
            (Some(law), Some(velocity)) => law.force(navigation.offset_B.as_ref(), &velocity),
            _ => Vec3::zeros(),
        };
        let unloading = *unload != Vec3::zeros();
        match settings.actuators {
            Actuators::None => Demand::default(),
            Actuators::Wheels => Demand {
                wheels: torque - unload,
                thrusters: Wrench::new(*unload, Vec3::zeros()),
                thrusters_on: unloading,
            },
            Actuators::WheelsAndThrusters => {
                Demand { wheels: torque - unload, thrusters: Wrench::new(*unload, force), thrusters_on: true }
            }
            Actuators::Thrusters => {
                Demand { wheels: -unload, thrusters: Wrench::new(torque + unload, force), thrusters_on: true }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchdown_math::rotation;

    fn aim() -> AttitudeTarget {
        AttitudeTarget { attitude: Quat::identity(), rate_W: Vec3::zeros() }
    }

    fn law() -> AttitudeLaw {
        let inertia = Mat3::from_diagonal(&Vec3::new(1067.0, 650.0, 967.0));
        AttitudeLaw { inertia, bandwidth_hz: 0.01, damping: 0.7 }
    }

    /// A rigid body under the attitude law comes back as a damped oscillator of the stated bandwidth: after one degree, its angle over time is the closed
    /// form of ζ = 0.7 to the error of the steps (second order, 1e-6 of the start here).
    #[test]
    fn attitude_follows_the_closed_form() {
        let law = law();
        let (mut q, mut w) = (rotation::exp(&Vec3::new(0.0, 1f64.to_radians(), 0.0)), Vec3::zeros());
        let (h, natural) = (0.01, TAU * 0.01);
        let damped = natural * (1.0f64 - 0.49).sqrt();
        let mut t = 0.0;
        for _ in 0..10_000 {
            let half = w + h / 2.0 * law.inertia.try_inverse().unwrap() * law.torque(&q, &w, &aim());
            let middle = q * rotation::exp(&(w * (0.5 * h)));
            w += h * law.inertia.try_inverse().unwrap() * law.torque(&middle, &half, &aim());
            q *= rotation::exp(&(half * h));
            t += h;
        }
        let exact = 1f64.to_radians()
            * (-0.7 * natural * t).exp()
            * ((damped * t).cos() + 0.7 * natural / damped * (damped * t).sin());
        assert!(
            (rotation_vector(&q).y - exact).abs() < 1e-6 * 1f64.to_radians(),
            "{}",
            rotation_vector(&q).y
        );
        // One degree results in 0.07 N m about the axis of 1000 kg m².
        let torque = law.torque(&rotation::exp(&(Vec3::z() * 1f64.to_radians())), &Vec3::zeros(), &aim());
        assert!((torque.z + 967.0 * natural * natural * 1f64.to_radians()).abs() < 1e-15);
    }

    /// A target that turns is followed without a torque when attitude and rate agree, in whatever axes the body stands.
    #[test]
    fn turning_target_needs_no_torque() {
        let attitude = rotation::exp(&Vec3::new(0.4, -1.0, 0.3));
        let rate_W = Vec3::new(1e-3, -2e-3, 5e-4);
        let target = AttitudeTarget { attitude, rate_W };
        let torque = law().torque(&attitude, &(attitude.inverse() * rate_W), &target);
        assert!(torque.norm() < 1e-15);
    }

    /// Inside the dead bands nothing is wanted; beyond them the force begins at zero and opposes.
    #[test]
    fn dead_bands() {
        let law = PositionLaw {
            mass: 1400.0,
            bandwidth_hz: 0.01,
            damping: 0.7,
            deadband: 0.005,
            velocity_deadband: 0.0005,
        };
        let inside = law.force(Some(&Vec3::new(0.0049, -0.004, 0.0)), &Vec3::new(4e-4, 0.0, -4e-4));
        assert_eq!(inside, Vec3::zeros());
        let natural = TAU * 0.01;
        let beyond = law.force(Some(&Vec3::new(0.015, -0.005, 0.0)), &Vec3::zeros());
        assert!((beyond.x + 1400.0 * natural * natural * 0.01).abs() < 1e-12 && beyond.y == 0.0);
        assert!(law.force(None, &Vec3::new(0.0, 0.0, 0.02)).z < 0.0);
    }

    /// Each mode uses its actuators only; unloading gives the satellite no torque; contact is free drift.
    #[test]
    fn modes_use_their_actuators() {
        let position = PositionLaw {
            mass: 1.0,
            bandwidth_hz: 0.01,
            damping: 0.7,
            deadband: 0.0,
            velocity_deadband: 0.0,
        };
        let attitude = Some(law());
        let aocs = Aocs {
            hold: ModeSettings { actuators: Actuators::Wheels, attitude, position: None },
            approach: ModeSettings {
                actuators: Actuators::WheelsAndThrusters,
                attitude,
                position: Some(position),
            },
            mated: ModeSettings { actuators: Actuators::Thrusters, attitude, position: None },
        };
        let navigation = Navigation {
            attitude: rotation::exp(&Vec3::new(0.01, 0.0, 0.0)),
            rate_B: Vec3::zeros(),
            offset_B: Some(Vec3::new(1.0, 0.0, 0.0)),
            velocity_B: Some(Vec3::zeros()),
        };
        let unload = Vec3::new(0.0, 0.1, 0.0);
        let demand = |mode| aocs.demand(mode, &navigation, &aim(), &unload);
        let wanted = law().torque(&navigation.attitude, &navigation.rate_B, &aim());
        for mode in [AocsMode::Hold, AocsMode::Approach, AocsMode::Mated] {
            let d = demand(mode);
            assert!((d.wheels + d.thrusters.t - wanted).norm() < 1e-15, "{mode:?}");
            assert_eq!(d.thrusters.f != Vec3::zeros(), mode == AocsMode::Approach);
            assert!(d.thrusters_on);
        }
        assert_eq!(demand(AocsMode::Contact), Demand::default());
        assert!(!aocs.demand(AocsMode::Hold, &navigation, &aim(), &Vec3::zeros()).thrusters_on);
    }
}
