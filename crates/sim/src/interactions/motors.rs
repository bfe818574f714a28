//! Wheel motors and thrusters that follow an input: torques on rotors, thrusts on bodies, held between commands.
//!
//! They add to the demands of attitude control on the same hardware, and are zero until the first command. A
//! commanded thruster delivers the commanded thrust, between zero and its full thrust, along its axis as
//! mounted: the mean of its pulses.

use super::orbit::add_load;
use super::{Interaction, Making};
use crate::books::channels::{Columns, Snapshot};
use crate::description::{Input, InputTarget, WorldDescription};
use crate::engine::simulation::WorldError;
use crate::engine::state::{CheckpointError, same_count};
use crate::engine::system::{Instant, System};
use crate::interactions::How;
use touchdown_math::{Signal, Vec3};
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::{Model, kinematics};
use touchdown_spacecraft::thruster::STANDARD_GRAVITY;

/// Motors and thrusters that follow an input.
pub(crate) struct Motors;

/// One of them.
#[derive(Clone, Debug)]
pub(crate) struct Motor {
    target: InputTarget,
    name: String,
    on: On,
    /// Torque, N m, or thrust, N.
    signal: Signal,
}

#[derive(Clone, Debug)]
enum On {
    /// A rate of the model.
    Rotor(usize),
    /// A body, position and direction on it, and the propellant per impulse, kg/(N s).
    Body { body: usize, p_BT: Vec3, direction: Vec3, consumption: f64 },
}

impl Motor {
    /// From an input, if it is one of these.
    fn of(input: &Input, description: &WorldDescription, model: &Model) -> Option<Motor> {
        let (name, on) = match input.target {
            InputTarget::WheelMotor(k) => {
                let wheel = description.satellites.wheels.get(k)?;
                (wheel.name.clone(), On::Rotor(model.joints[wheel.joint].v))
            }
            InputTarget::Thruster(k) => {
                let jet = description.satellites.thrusters.get(k)?;
                let consumption = 1.0 / (jet.specific_impulse * STANDARD_GRAVITY);
                let (body, p_BT, direction) = (jet.body, jet.p_BT, jet.direction);
                (jet.name.clone(), On::Body { body, p_BT, direction, consumption })
            }
            _ => return None,
        };
        Some(Motor { target: input.target, name, on, signal: Signal::Constant(0.0) })
    }
}

impl Interaction for Motors {
    const NAME: &'static str = "motors and thrusters";
    type Parts = Vec<Motor>;
    /// Propellant that each has used, kg.
    type Memory = Vec<f64>;
    type Book = ();
    type Drawn = ();
    /// Which of them: its propellant.
    type Value = usize;

    fn build(making: &mut Making) -> Result<Vec<Motor>, Vec<WorldError>> {
        let (description, model) = (making.description, making.model);
        Ok(description.inputs.iter().filter_map(|input| Motor::of(input, description, model)).collect())
    }

    fn count(system: &System) -> usize {
        system.acts.motors.len()
    }

    fn start(system: &mut System, _at: (&[f64], &[f64]), _z: &mut [f64]) -> Vec<f64> {
        vec![0.0; system.acts.motors.len()]
    }

    fn evaluate(system: &mut System, at: &Instant, _how: How) -> Powers {
        let mut powers = Powers::default();
        let System { acts, model, cache, .. } = system;
        for motor in &acts.motors {
            let value = motor.signal.value(at.t);
            if value == 0.0 {
                continue;
            }
            match &motor.on {
                On::Rotor(rate) => {
                    cache.tau[*rate] += value;
                    let own = Powers { drives: value * at.v[*rate], ..Powers::default() };
                    powers += own;
                    cache.parts.book(cache.parts.of_link(model.rate_link[*rate]), own);
                }
                On::Body { body, p_BT, direction, .. } => {
                    let X_WB = kinematics::body_pose(model, cache, *body);
                    let (p_WT, f) = (X_WB.point(p_BT), X_WB.R * direction * value);
                    powers.loads += add_load(model, cache, (*body, p_WT), f, Vec3::zeros());
                }
            }
        }
        powers
    }

    /// The command is constant over a step, so that its propellant is exact.
    fn book(system: &System, (before, t): (f64, f64), memory: &mut Vec<f64>, _: &mut [()]) {
        for (motor, used) in system.acts.motors.iter().zip(memory) {
            if let On::Body { consumption, .. } = motor.on {
                *used += motor.signal.value(t) * (t - before) * consumption;
            }
        }
    }

    fn settle(system: &System, memory: &mut Vec<f64>) -> Result<(), CheckpointError> {
        same_count("motors and thrusters with an input", memory.len(), system.acts.motors.len())
    }

    fn follow(system: &mut System, target: &InputTarget, signal: &Signal) {
        if let Some(motor) = system.acts.motors.iter_mut().find(|motor| motor.target == *target) {
            motor.signal = signal.clone();
        }
    }

    fn columns(system: &System, _: &WorldDescription, out: &mut Columns<usize>) {
        for (i, motor) in system.acts.motors.iter().enumerate() {
            if let On::Body { .. } = motor.on {
                let about = "propellant used for thrust that was commanded by its input";
                out.put(i, &format!("thruster.{}.propellant_kg", motor.name), "kg", "-", about);
            }
        }
    }

    fn value(_: &System, s: &Snapshot, motor: usize) -> f64 {
        s.held.acts.motors[motor]
    }
}
