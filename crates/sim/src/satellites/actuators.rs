//! Wheels and thrusters of the satellite that is controlled: what they do at every evaluation, and their books.

use super::environment::add_load;
use crate::description::{AttitudeControl, MOST_WHEELS, Satellites, ThrusterBody};
use serde::{Deserialize, Serialize};
use touchdown_math::{Vec3, Wrench};
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::{Cache, Model, kinematics};
use touchdown_spacecraft::random::Noise;
use touchdown_spacecraft::thruster::{ThrusterError, ThrusterProperties, ThrusterSet, ThrusterState};
use touchdown_spacecraft::wheel::{WheelError, WheelSet};

/// Channels of the seed.
const MISALIGNMENT: u32 = 10;

/// Reaction wheels on their rates.
#[derive(Clone, Debug)]
pub(crate) struct Wheels {
    pub set: WheelSet,
    pub names: Vec<String>,
    /// Of each rotor: its rate in the model, and its inertia.
    rates: Vec<(usize, f64)>,
}

/// What the actuators do until the next tick, and what they have done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ActuatorState {
    /// Torques of the motors on the rotors, N m.
    pub torques: Vec<f64>,
    pub thrusters: Option<ThrusterState>,
    /// Largest torque of a motor so far, N m, and largest momentum of a rotor, N m s.
    pub torque_max: f64,
    pub momentum_max: f64,
    /// Ticks at which wheels or thrusters could not give what was asked for.
    pub limited_ticks: u64,
}

/// Why actuators cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ActuatorError {
    /// The wheels.
    #[error("{0}")]
    Wheels(#[from] WheelError),
    /// The thrusters.
    #[error("{0}")]
    Thrusters(#[from] ThrusterError),
    /// Too many wheels.
    #[error("a satellite has at most {MOST_WHEELS} wheels with motors, found {0}")]
    TooManyWheels(usize),
    /// Thrusters of one satellite are of one kind.
    #[error("the thrusters of one satellite must have the same law")]
    Mixed,
}

/// Wheels and thrusters of one body.
#[derive(Clone, Debug)]
pub(crate) struct ActuatorsOnBody {
    pub body: usize,
    pub wheels: Option<Wheels>,
    pub thrusters: Option<ThrusterSet>,
}

impl ActuatorsOnBody {
    /// Those on the body that is controlled.
    pub fn new(
        satellites: &Satellites,
        control: &AttitudeControl,
        model: &Model,
    ) -> Result<ActuatorsOnBody, ActuatorError> {
        let motors: Vec<_> =
            satellites.wheels.iter().filter(|w| w.body == control.body && w.limits.torque > 0.0).collect();
        if motors.len() > MOST_WHEELS {
            return Err(ActuatorError::TooManyWheels(motors.len()));
        }
        let wheels = match motors.first() {
            None => None,
            Some(first) => {
                let axes: Vec<Vec3> = motors.iter().map(|w| w.axis).collect();
                let rates = motors.iter().map(|w| (model.joints[w.joint].v, w.inertia)).collect();
                let names = motors.iter().map(|w| w.name.clone()).collect();
                Some(Wheels { set: WheelSet::new(&axes, first.limits)?, names, rates })
            }
        };
        let jets: Vec<_> = satellites.thrusters.iter().filter(|t| t.body == control.body).collect();
        let thrusters = match jets.first() {
            None => None,
            Some(first) => {
                if jets.iter().any(|t| kind(t) != kind(first)) {
                    return Err(ActuatorError::Mixed);
                }
                let properties = ThrusterProperties {
                    thrust: first.thrust,
                    specific_impulse: first.specific_impulse,
                    minimum_on_time: first.minimum_on_time,
                    rise_time: first.rise_time,
                    misalignment: first.misalignment,
                    period: 1.0 / control.rate,
                };
                let positions: Vec<Vec3> = jets.iter().map(|t| t.p_BT).collect();
                let directions: Vec<Vec3> = jets.iter().map(|t| t.direction).collect();
                let noise = Noise::new(control.seed, MISALIGNMENT);
                Some(ThrusterSet::new(&positions, &directions, properties, noise)?)
            }
        };
        Ok(ActuatorsOnBody { body: control.body, wheels, thrusters })
    }

    /// All at rest.
    pub fn start(&self) -> ActuatorState {
        ActuatorState {
            torques: vec![0.0; self.wheels.as_ref().map_or(0, |w| w.set.len())],
            thrusters: self.thrusters.as_ref().map(ThrusterSet::start),
            ..ActuatorState::default()
        }
    }

    /// Momenta of the rotors against their satellite, N m s.
    pub fn momenta<'a>(&'a self, v: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        self.wheels.iter().flat_map(move |w| w.rates.iter().map(move |(rate, inertia)| v[*rate] * inertia))
    }

    /// Adds torques and thrust at `t`.
    pub fn push(&self, state: &ActuatorState, model: &Model, cache: &mut Cache, t: f64, v: &[f64]) -> Powers {
        let mut powers = Powers::default();
        if let Some(wheels) = &self.wheels {
            for ((rate, _), torque) in wheels.rates.iter().zip(&state.torques) {
                cache.tau[*rate] += torque;
                powers.drives += torque * v[*rate];
            }
        }
        if let (Some(set), Some(thrusters)) = (&self.thrusters, &state.thrusters) {
            let W = set.wrench(thrusters, t);
            if W != Wrench::zero() {
                let X_WB = kinematics::body_pose(model, cache, self.body);
                powers.loads += add_load(model, cache, (self.body, X_WB.p), X_WB.R * W.f, X_WB.R * W.t);
            }
        }
        powers
    }

    /// Sends demands, in body axes: a torque to the wheels, a wrench to the thrusters if they may fire. Returns the change of the power that wheels take.
    pub fn command(
        &self,
        state: &mut ActuatorState,
        (t, period): (f64, f64),
        v: &[f64],
        torque: &Vec3,
        thrust: Option<&Wrench>,
    ) -> f64 {
        let mut change = 0.0;
        let mut limited = false;
        if let Some(wheels) = &self.wheels {
            let mut momenta = [0.0; MOST_WHEELS];
            let count = wheels.set.len().min(MOST_WHEELS);
            for (slot, h) in momenta.iter_mut().zip(self.momenta(v)) {
                *slot = h;
                state.momentum_max = state.momentum_max.max(h.abs());
            }
            let before: f64 = self.wheel_power(&state.torques, v);
            let given = wheels.set.distribute(torque, &momenta[..count], period, 0.0, &mut state.torques);
            limited |= given.limited;
            state.torque_max = state.torques.iter().fold(state.torque_max, |m, u| m.max(u.abs()));
            change = self.wheel_power(&state.torques, v) - before;
        }
        if let (Some(set), Some(thrusters)) = (&self.thrusters, &mut state.thrusters) {
            match thrust {
                Some(demand) => limited |= set.command(thrusters, t, demand).limited,
                None => set.stop(thrusters, t),
            }
        }
        state.limited_ticks += u64::from(limited);
        change
    }

    fn wheel_power(&self, torques: &[f64], v: &[f64]) -> f64 {
        let rates = self.wheels.iter().flat_map(|w| &w.rates);
        rates.zip(torques).map(|((rate, _), u)| u * v[*rate]).sum()
    }

    /// Propellant used until `t`, kg.
    pub fn propellant(&self, state: &ActuatorState, t: f64) -> f64 {
        match (&self.thrusters, &state.thrusters) {
            (Some(set), Some(thrusters)) => set.propellant(thrusters, t),
            _ => 0.0,
        }
    }

    /// The next time at which thrust has a kink.
    pub fn next_corner(&self, state: &ActuatorState, t: f64) -> f64 {
        let next = self.thrusters.as_ref().zip(state.thrusters.as_ref());
        next.and_then(|(set, thrusters)| set.next_corner(thrusters, t)).unwrap_or(f64::INFINITY)
    }
}

fn kind(t: &ThrusterBody) -> [f64; 5] {
    [t.thrust, t.specific_impulse, t.minimum_on_time, t.rise_time, t.misalignment]
}
