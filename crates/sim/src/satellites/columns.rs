//! Columns of satellites: attitude control, wheels, thrusters.

use super::{Avionics, DeviceParts, DeviceValue};
use crate::books::channels::{AXES, Columns, Snapshot};
use crate::engine::system::System;
use touchdown_math::{Quat, Vec3};
use touchdown_multibody::rigid::kinematics;
use touchdown_spacecraft::attitude::rotation_vector;
use touchdown_spacecraft::control::AocsMode;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum AocsValue {
    Mode,
    Error(usize),
    ErrorNorm,
    Estimate(usize),
    RateError(usize),
    Momentum(usize),
    Torque(usize),
    MomentumShare,
    Thrust,
    Propellant,
    Limited,
}

/// Adds the columns of a satellite that is controlled.
pub(super) fn add(parts: &DeviceParts, out: &mut Columns<DeviceValue>) {
    use AocsValue::*;
    let Some(avionics) = &parts.avionics else { return };
    let mut put = |value, name: &str, unit, frame, about: &str| {
        out.put(DeviceValue::Aocs(value), &format!("aocs.{name}"), unit, frame, about);
    };
    put(Mode, "mode", "1", "-", "0 hold, 1 approach, 2 contact, 3 mated");
    for (k, axis) in AXES.iter().enumerate() {
        let about = "rotation vector from the attitude that is wanted to the true one";
        put(Error(k), &format!("error_{axis}_rad"), "rad", "body", about);
    }
    put(ErrorNorm, "error_rad", "rad", "-", "angle between the attitude that is wanted and the true one");
    for (k, axis) in AXES.iter().enumerate() {
        let about = "rotation vector from the true attitude to the one that the filter believes";
        put(Estimate(k), &format!("estimate_error_{axis}_rad"), "rad", "body", about);
    }
    for (k, axis) in AXES.iter().enumerate() {
        let about = "angular velocity that the filter believes less the true one";
        put(RateError(k), &format!("rate_error_{axis}_rad_per_s"), "rad/s", "body", about);
    }
    if let Some(wheels) = &avionics.actuators.wheels {
        for (k, name) in wheels.names.iter().enumerate() {
            let about = "angular momentum of the rotor against its satellite";
            put(Momentum(k), &format!("{name}.momentum_n_m_s"), "N m s", "-", about);
            put(Torque(k), &format!("{name}.torque_n_m"), "N m", "-", "torque of the motor on the rotor");
        }
        let about = "largest momentum of a rotor over its limit";
        put(MomentumShare, "momentum_share", "1", "-", about);
    }
    if avionics.actuators.thrusters.is_some() {
        put(Thrust, "thrust_n", "N", "-", "thrust of all thrusters, sizes added");
        put(Propellant, "propellant_kg", "kg", "-", "propellant used since the start");
    }
    put(Limited, "limited_ticks", "1", "-", "ticks at which actuators could not give what was asked for");
}

/// A number of a satellite that is controlled. Needs an evaluation.
pub(super) fn value(system: &System, s: &Snapshot, value: AocsValue) -> f64 {
    let (Some(a), Some(state)) = (&system.acts.devices.avionics, &s.held.acts.devices.avionics) else {
        return f64::NAN;
    };
    let actuators = &state.actuators;
    let momentum = |k: usize| a.actuators.momenta(s.v).nth(k).unwrap_or(f64::NAN);
    match value {
        AocsValue::Mode => match state.mode {
            AocsMode::Hold => 0.0,
            AocsMode::Approach => 1.0,
            AocsMode::Contact => 2.0,
            AocsMode::Mated => 3.0,
        },
        AocsValue::Error(k) => error(system, a, s.t)[k],
        AocsValue::ErrorNorm => error(system, a, s.t).norm(),
        AocsValue::Estimate(k) => {
            rotation_vector(&(attitude(system, a).inverse() * state.attitude.estimate.attitude()))[k]
        }
        AocsValue::RateError(k) => {
            let link = system.model.bodies[a.actuators.body].link;
            let true_rate = attitude(system, a).inverse() * system.cache.V[link].w;
            state.attitude.estimate.rate_B[k] - true_rate[k]
        }
        AocsValue::Momentum(k) => momentum(k),
        AocsValue::Torque(k) => actuators.torques[k],
        AocsValue::MomentumShare => {
            let limit = a.actuators.wheels.as_ref().map_or(f64::NAN, |w| w.set.limits.momentum);
            a.actuators.momenta(s.v).fold(0.0f64, |m, h| m.max(h.abs())) / limit
        }
        AocsValue::Thrust => match (&a.actuators.thrusters, &actuators.thrusters) {
            (Some(set), Some(state)) => (0..set.len()).map(|i| set.thrust(state, i, s.t)).sum(),
            _ => 0.0,
        },
        AocsValue::Propellant => a.actuators.propellant(actuators, s.t),
        AocsValue::Limited => actuators.limited_ticks as f64,
    }
}

fn attitude(system: &System, a: &Avionics) -> Quat {
    kinematics::body_pose(&system.model, &system.cache, a.actuators.body).quaternion()
}

fn error(system: &System, a: &Avionics, t: f64) -> Vec3 {
    rotation_vector(&(a.target(t).inverse() * attitude(system, a)))
}
