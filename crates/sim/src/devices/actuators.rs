//! Wheels and thrusters of a body: their loads at every evaluation, and their books.

use super::control::DemandPorts;
use super::wiring::Wiring;
use super::{Bus, Effect, Now, Seen, Shown, Tick};
use crate::description::{AttitudeControl, MOST_WHEELS, Satellites, ThrusterBody};
use crate::interactions::orbit::add_load;
use crate::sink::Column;
use serde::{Deserialize, Serialize};
use touchdown_math::{Vec3, Wrench};
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::{Cache, Model, kinematics};
use touchdown_spacecraft::clock::Clock;
use touchdown_spacecraft::random::Noise;
use touchdown_spacecraft::thruster::{ThrusterError, ThrusterProperties, ThrusterSet, ThrusterState};
use touchdown_spacecraft::wheel::{WheelError, WheelSet};

/// Channels of the seed.
const MISALIGNMENT: u32 = 10;

/// Reaction wheels on their rates.
#[derive(Clone, Debug)]
pub(crate) struct Wheels {
    pub set: WheelSet,
    names: Vec<String>,
    /// Of each rotor: its rate in the model, and its inertia.
    rates: Vec<(usize, f64)>,
}

impl Wheels {
    /// Those with motors on a body.
    fn on(satellites: &Satellites, body: usize, model: &Model) -> Result<Option<Wheels>, ActuatorError> {
        let motors: Vec<_> =
            satellites.wheels.iter().filter(|w| w.body == body && w.limits.torque > 0.0).collect();
        if motors.len() > MOST_WHEELS {
            return Err(ActuatorError::TooManyWheels(motors.len()));
        }
        let Some(first) = motors.first() else { return Ok(None) };
        let axes: Vec<Vec3> = motors.iter().map(|w| w.axis).collect();
        let rates = motors.iter().map(|w| (model.joints[w.joint].v, w.inertia)).collect();
        let names = motors.iter().map(|w| w.name.clone()).collect();
        Ok(Some(Wheels { set: WheelSet::new(&axes, first.limits)?, names, rates }))
    }

    /// Momenta of the rotors against their satellite, N m s.
    pub fn momenta<'a>(&'a self, v: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        self.rates.iter().map(move |(rate, inertia)| v[*rate] * inertia)
    }

    fn power(&self, torques: &[f64], v: &[f64]) -> f64 {
        self.rates.iter().zip(torques).map(|((rate, _), u)| u * v[*rate]).sum()
    }
}

/// The thrusters on a body.
fn thrusters_on(
    satellites: &Satellites,
    control: &AttitudeControl,
) -> Result<Option<ThrusterSet>, ActuatorError> {
    let jets: Vec<_> = satellites.thrusters.iter().filter(|t| t.body == control.body).collect();
    let Some(first) = jets.first() else { return Ok(None) };
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
    Ok(Some(ThrusterSet::new(&positions, &directions, properties, noise)?))
}

fn kind(t: &ThrusterBody) -> [f64; 5] {
    [t.thrust, t.specific_impulse, t.minimum_on_time, t.rise_time, t.misalignment]
}

/// Commands of the actuators until the next tick, and their books.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ActuatorsState {
    clock: Clock,
    /// Torques of the motors on the rotors, N m.
    torques: Vec<f64>,
    thrusters: Option<ThrusterState>,
    /// Largest torque of a motor so far, N m, and largest momentum of a rotor, N m s.
    pub torque_max: f64,
    pub momentum_max: f64,
    /// Ticks at which wheels or thrusters could not meet the demand.
    pub limited_ticks: u64,
}

/// Errors of actuators.
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

#[derive(Clone, Copy, Debug)]
enum Value {
    Momentum(usize),
    Torque(usize),
    MomentumShare,
    Thrust,
    Propellant,
    Limited,
}

/// Wheels and thrusters of one body.
#[derive(Clone, Debug)]
pub(crate) struct Hardware {
    pub wheels: Option<Wheels>,
    thrusters: Option<ThrusterSet>,
}

impl Hardware {
    /// That on the body of a control.
    pub fn on(
        satellites: &Satellites,
        control: &AttitudeControl,
        model: &Model,
    ) -> Result<Hardware, ActuatorError> {
        let wheels = Wheels::on(satellites, control.body, model)?;
        Ok(Hardware { wheels, thrusters: thrusters_on(satellites, control)? })
    }

    /// Wheels that thrusters can unload.
    pub fn unloads(&self) -> Option<Wheels> {
        self.thrusters.as_ref().and(self.wheels.clone())
    }
}

/// The device that drives them.
#[derive(Clone, Debug)]
pub(crate) struct Actuators {
    pub body: usize,
    pub hardware: Hardware,
    demand: DemandPorts,
    shown: Shown<Value>,
}

impl Actuators {
    /// At rest, following the control of the same name.
    pub fn new(
        control: &AttitudeControl,
        base: &str,
        hardware: Hardware,
        wiring: &mut Wiring,
    ) -> (Actuators, ActuatorsState) {
        let state = ActuatorsState {
            clock: Clock::new(control.rate),
            torques: vec![0.0; hardware.wheels.as_ref().map_or(0, |w| w.set.len())],
            thrusters: hardware.thrusters.as_ref().map(ThrusterSet::start),
            torque_max: 0.0,
            momentum_max: 0.0,
            limited_ticks: 0,
        };
        let demand = DemandPorts::read(wiring, &format!("{base}.control"));
        let shown = shown(base, &hardware);
        (Actuators { body: control.body, hardware, demand, shown }, state)
    }

    /// Sends demands, in body axes: a torque to the wheels, a wrench to the thrusters if they may fire.
    /// Returns the change of the power of the wheels.
    fn command(
        &self,
        state: &mut ActuatorsState,
        (t, v): (f64, &[f64]),
        torque: &Vec3,
        thrust: Option<&Wrench>,
    ) -> f64 {
        let mut change = 0.0;
        let mut limited = false;
        if let Some(wheels) = &self.hardware.wheels {
            let mut momenta = [0.0; MOST_WHEELS];
            let count = wheels.set.len().min(MOST_WHEELS);
            for (slot, h) in momenta.iter_mut().zip(wheels.momenta(v)) {
                *slot = h;
                state.momentum_max = state.momentum_max.max(h.abs());
            }
            let before: f64 = wheels.power(&state.torques, v);
            let (period, torques) = (state.clock.interval(), &mut state.torques);
            let given = wheels.set.distribute(torque, &momenta[..count], period, 0.0, torques);
            limited |= given.limited;
            state.torque_max = state.torques.iter().fold(state.torque_max, |m, u| m.max(u.abs()));
            change = wheels.power(&state.torques, v) - before;
        }
        if let (Some(set), Some(thrusters)) = (&self.hardware.thrusters, &mut state.thrusters) {
            match thrust {
                Some(demand) => limited |= set.command(thrusters, t, demand).limited,
                None => set.stop(thrusters, t),
            }
        }
        state.limited_ticks += u64::from(limited);
        change
    }

    /// Propellant used until `t`, kg.
    pub fn propellant(&self, state: &ActuatorsState, t: f64) -> f64 {
        match (&self.hardware.thrusters, &state.thrusters) {
            (Some(set), Some(thrusters)) => set.propellant(thrusters, t),
            _ => 0.0,
        }
    }
}

fn shown(base: &str, hardware: &Hardware) -> Shown<Value> {
    let mut shown = Shown::new(base);
    if let Some(wheels) = &hardware.wheels {
        for (k, name) in wheels.names.iter().enumerate() {
            let about = "angular momentum of the rotor against its satellite";
            shown.put(Value::Momentum(k), &format!("{name}.momentum_n_m_s"), ("N m s", "-"), about);
            let about = "torque of the motor on the rotor";
            shown.put(Value::Torque(k), &format!("{name}.torque_n_m"), ("N m", "-"), about);
        }
        let about = "largest momentum of a rotor over its limit";
        shown.put(Value::MomentumShare, "momentum_share", ("1", "-"), about);
    }
    if hardware.thrusters.is_some() {
        let about = "thrust of all thrusters, sizes added: mean over the control period";
        shown.put(Value::Thrust, "thrust_n", ("N", "-"), about);
        shown.put(Value::Propellant, "propellant_kg", ("kg", "-"), "propellant used since the start");
    }
    let about = "ticks at which actuators could not give what was asked for";
    shown.put(Value::Limited, "limited_ticks", ("1", "-"), about);
    shown
}

impl Tick for Actuators {
    type State = ActuatorsState;

    fn next_time(&self, state: &ActuatorsState) -> f64 {
        state.clock.next_time()
    }

    fn next_kink(&self, state: &ActuatorsState, t: f64, step: Option<f64>) -> f64 {
        let thrusters = self.hardware.thrusters.as_ref().zip(state.thrusters.as_ref());
        let cut = thrusters.filter(|(set, _)| step.is_none_or(|h| !set.is_summed_by(h)));
        // A corner reached except for rounding counts as passed.
        let t = t + step.map_or(0.0, |h| 1e-6 * h);
        cut.and_then(|(set, thrusters)| set.next_corner(thrusters, t)).unwrap_or(f64::INFINITY)
    }

    fn tick(&self, state: &mut ActuatorsState, now: &Now, bus: &mut Bus) -> Option<Effect> {
        state.clock.due(now.t)?;
        let demand = self.demand;
        let torque = bus.vector(&demand.wheels)?;
        let thrust = bus.vector(&demand.torque).zip(bus.vector(&demand.force));
        let thrust = thrust.map(|(torque, force)| Wrench::new(torque, force));
        let power = self.command(state, (now.t, now.v), &torque, thrust.as_ref());
        Some(Effect { power: Some((power, self.body)) })
    }

    fn push(
        &self,
        state: &ActuatorsState,
        model: &Model,
        cache: &mut Cache,
        (t, v): (f64, &[f64]),
    ) -> Powers {
        let mut powers = Powers::default();
        if let Some(wheels) = &self.hardware.wheels {
            for ((rate, _), torque) in wheels.rates.iter().zip(&state.torques) {
                cache.tau[*rate] += torque;
                let own = Powers { drives: torque * v[*rate], ..Powers::default() };
                powers += own;
                cache.parts.book(cache.parts.of_link(model.rate_link[*rate]), own);
            }
        }
        if let (Some(set), Some(thrusters)) = (&self.hardware.thrusters, &state.thrusters) {
            let W = set.wrench(thrusters, t);
            if W != Wrench::zero() {
                let X_WB = kinematics::body_pose(model, cache, self.body);
                powers.loads += add_load(model, cache, (self.body, X_WB.p), X_WB.R * W.f, X_WB.R * W.t);
            }
        }
        powers
    }

    fn columns(&self) -> Vec<Column> {
        self.shown.columns()
    }

    fn value(&self, state: &ActuatorsState, column: usize, seen: &Seen) -> f64 {
        let mut momenta = self.hardware.wheels.iter().flat_map(|wheels| wheels.momenta(seen.v));
        match self.shown.value(column) {
            Value::Momentum(k) => momenta.nth(k).unwrap_or(f64::NAN),
            Value::Torque(k) => state.torques[k],
            Value::MomentumShare => {
                let limit = self.hardware.wheels.as_ref().map_or(f64::NAN, |w| w.set.limits.momentum);
                momenta.fold(0.0f64, |m, h| m.max(h.abs())) / limit
            }
            Value::Thrust => match (&self.hardware.thrusters, &state.thrusters) {
                (Some(set), Some(state)) => set.mean_thrust(state),
                _ => 0.0,
            },
            Value::Propellant => self.propellant(state, seen.t),
            Value::Limited => state.limited_ticks as f64,
        }
    }

    fn sizes(state: &ActuatorsState) -> [usize; 2] {
        [state.torques.len(), state.thrusters.as_ref().map_or(0, |thrusters| thrusters.on.len())]
    }
}
