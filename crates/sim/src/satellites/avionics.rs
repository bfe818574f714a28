//! The devices that tick: sensors, filter, control and what they command until the next tick.
//!
//! Commands change only when an accepted step ends on a tick; between ticks evaluation is a pure function of motion, time and commands.

use super::actuators::{ActuatorError, ActuatorState, ActuatorsOnBody};
use super::docking::Guidance;
use super::{DeviceParts, DevicesState};
use crate::description::{AttitudeControl, ControlMode, MOST_WHEELS, Satellites};
use crate::engine::system::{Instant, System};
use crate::interactions::Accepted;
use serde::{Deserialize, Serialize};
use touchdown_math::{Mat3, Pose, Quat, Vec3, rotation};
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::{Cache, Model, kinematics};
use touchdown_spacecraft::attitude::{AttitudeSensors, AttitudeState};
use touchdown_spacecraft::clock::Clock;
use touchdown_spacecraft::control::{
    Aocs, AocsMode, AttitudeLaw, AttitudeTarget, ModeSettings, Navigation, PositionLaw,
};
use touchdown_spacecraft::wheel::{Desaturation, DesaturationState};

/// The devices of the satellite that is controlled.
#[derive(Clone, Debug)]
pub(crate) struct Avionics {
    pub actuators: ActuatorsOnBody,
    sensors: AttitudeSensors,
    aocs: Aocs,
    desaturation: Desaturation,
    /// Attitudes that are wanted: at the start, and from a time on.
    targets: [Quat; 2],
    turn_at: f64,
    /// What they remember at the start.
    pub start: AvionicsState,
}

/// All that the devices remember.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AvionicsState {
    clock: Clock,
    pub attitude: AttitudeState,
    pub mode: AocsMode,
    /// Place and velocity against what they should be, body axes, m and m/s, where somebody says so.
    guidance: (Option<[f64; 3]>, Option<[f64; 3]>),
    desaturation: DesaturationState,
    pub actuators: ActuatorState,
}

impl AvionicsState {
    /// The next time at which something ticks.
    pub fn next_tick(&self) -> f64 {
        self.clock.next_time().min(self.attitude.next_time())
    }
}

impl Avionics {
    /// Those of a description, with the mechanism at its start.
    pub fn at_start(satellites: &Satellites, model: &Model) -> Result<Option<Avionics>, ActuatorError> {
        let mut cache = Cache::new(model);
        kinematics::update_positions(model, &model.q_initial, &mut cache);
        Avionics::new(satellites, model, &cache)
    }

    fn new(satellites: &Satellites, model: &Model, cache: &Cache) -> Result<Option<Avionics>, ActuatorError> {
        let Some(control) = &satellites.control else { return Ok(None) };
        let actuators = ActuatorsOnBody::new(satellites, control, model)?;
        let start = kinematics::body_pose(model, cache, control.body).quaternion();
        let [hold, approach, mated] = control.modes.map(|mode| settings(&mode, control, model, cache));
        let state = AvionicsState {
            clock: Clock::new(control.rate),
            attitude: control.sensors.start(&start),
            mode: control.mode,
            guidance: (None, None),
            desaturation: DesaturationState::default(),
            actuators: actuators.start(),
        };
        let avionics = Avionics {
            actuators,
            sensors: control.sensors.clone(),
            aocs: Aocs { hold, approach, mated },
            desaturation: Desaturation::above(control.desaturate_above),
            targets: [start, start * rotation::exp(&control.turn)],
            turn_at: control.turn_at,
            start: state,
        };
        Ok(Some(avionics))
    }

    /// The attitude that is wanted at `t`.
    pub fn target(&self, t: f64) -> Quat {
        self.targets[usize::from(t >= self.turn_at)]
    }

    /// Lets everything tick that is due at `t`. Returns the change of the power that wheels take, or none if nothing was commanded.
    fn tick(
        &self,
        state: &mut AvionicsState,
        t: f64,
        X_WB: &Pose,
        v: &[f64],
        guidance: Option<Guidance>,
    ) -> Option<f64> {
        if let Some(guidance) = guidance {
            state.mode = guidance.mode;
            state.guidance = (guidance.offset_B.map(Into::into), guidance.velocity_B.map(Into::into));
        }
        self.sensors.tick(&mut state.attitude, t, &X_WB.quaternion());
        state.clock.due(t)?;
        let target =
            AttitudeTarget { attitude: self.targets[usize::from(t >= self.turn_at)], rate_W: Vec3::zeros() };
        let estimate = &state.attitude.estimate;
        let navigation = Navigation {
            attitude: estimate.attitude(),
            rate_B: Vec3::from(estimate.rate_B),
            offset_B: state.guidance.0.map(Vec3::from),
            velocity_B: state.guidance.1.map(Vec3::from),
        };
        let mut unload = Vec3::zeros();
        if let (Some(wheels), Some(_)) = (&self.actuators.wheels, &self.actuators.thrusters) {
            let mut momenta = [0.0; MOST_WHEELS];
            let count = wheels.set.len().min(MOST_WHEELS);
            momenta.iter_mut().zip(self.actuators.momenta(v)).for_each(|(slot, h)| *slot = h);
            unload = self.desaturation.demand(&mut state.desaturation, &wheels.set, &momenta[..count]);
        }
        let demand = self.aocs.demand(state.mode, &navigation, &target, &unload);
        let thrust = demand.thrusters_on.then_some(&demand.thrusters);
        let period = state.clock.interval();
        Some(self.actuators.command(&mut state.actuators, (t, period), v, &demand.wheels, thrust))
    }
}

fn settings(mode: &ControlMode, control: &AttitudeControl, model: &Model, cache: &Cache) -> ModeSettings {
    let (mass, inertia) = outboard(control.body, model, cache);
    let inertia = mode.inertia.map_or(inertia, |diagonal| Mat3::from_diagonal(&diagonal));
    let (bandwidth_hz, damping) = (mode.bandwidth, mode.damping);
    ModeSettings {
        actuators: mode.actuators,
        attitude: Some(AttitudeLaw { inertia, bandwidth_hz, damping }),
        position: mode.position.map(|(bandwidth_hz, deadband, velocity_deadband)| PositionLaw {
            mass,
            bandwidth_hz,
            damping,
            deadband,
            velocity_deadband,
        }),
    }
}

/// Mass of a body with all that hangs outboard, and their inertia about their centre of mass in the body's axes.
fn outboard(body: usize, model: &Model, cache: &Cache) -> (f64, Mat3) {
    let parent = |b: usize| model.joints[model.inboard_joint[b]].parent;
    let hangs = |b: usize| {
        std::iter::successors(Some(b), |b| parent(*b)).take(model.bodies.len() + 1).any(|b| b == body)
    };
    let X_BW = kinematics::body_pose(model, cache, body).inverse();
    let (mut mass, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
    for (b, part) in model.bodies.iter().enumerate().filter(|(b, _)| hangs(*b)) {
        let X = X_BW.compose(&kinematics::body_pose(model, cache, b));
        let p = X.point(&part.com);
        mass += part.mass;
        first += p * part.mass;
        second += X.R * part.inertia * X.R.transpose()
            + (Mat3::identity() * p.norm_squared() - p * p.transpose()) * part.mass;
    }
    let centre = first / mass;
    (mass, second - (Mat3::identity() * centre.norm_squared() - centre * centre.transpose()) * mass)
}

impl System {
    /// Wheels and thrusters ⇒ torques and wrenches. Needs kinematics.
    pub(crate) fn update_actuators(&mut self, at: &Instant) -> Powers {
        match (&self.acts.devices.avionics, &at.held.acts.devices.avionics) {
            (Some(a), Some(held)) => {
                a.actuators.push(&held.actuators, &self.model, &mut self.cache, at.t, at.v)
            }
            _ => Powers::default(),
        }
    }
}

impl DeviceParts {
    /// The time of the next tick or kink of a thrust, which no step must pass; infinite without devices. Methods with fixed steps stop at ticks only.
    pub fn next_tick(&self, memory: &DevicesState, t: f64, kinks: bool) -> f64 {
        let (Some(avionics), Some(state)) = (&self.avionics, &memory.avionics) else {
            return f64::INFINITY;
        };
        let corner = avionics.actuators.next_corner(&state.actuators, t);
        let docking = memory.docking.as_ref().map_or(f64::INFINITY, |d| d.next_tick());
        state.next_tick().min(docking).min(if kinks { corner } else { f64::INFINITY })
    }
}

impl System {
    /// Devices tick at the end of an accepted step, after its rows.
    pub(super) fn tick(&mut self, step: &mut Accepted, memory: &mut DevicesState) {
        let t = step.t;
        let docking = memory.docking.as_ref().map_or(f64::INFINITY, |d| d.next_tick());
        let due = |a: &AvionicsState| a.next_tick().min(docking) <= t + 1e-9 * t.max(1.0);
        if !memory.avionics.as_ref().is_some_and(due) {
            return;
        }
        self.update_kinematics(step.q, step.v);
        let guidance = self.tick_docking(t, &mut memory.docking);
        let (Some(avionics), Some(state)) = (&self.acts.devices.avionics, &mut memory.avionics) else {
            return;
        };
        let X_WB = kinematics::body_pose(&self.model, &self.cache, avionics.actuators.body);
        let change = avionics.tick(state, t, &X_WB, step.v, guidance);
        // The step to come begins with the new torques.
        step.powers.drives += change.unwrap_or(0.0);
    }
}
