//! Attitude and orbit control of a body: estimate and guidance from the bus ⇒ demanded torque and force, on
//! the bus.

use super::actuators::Wheels;
use super::attitude::EstimatePorts;
use super::bus::Port;
use super::wiring::Wiring;
use super::{Bus, Effect, Now, Seen, Shown, Tick};
use crate::description::{AttitudeControl, ControlMode, MOST_WHEELS};
use crate::engine::system::System;
use crate::sink::Column;
use serde::{Deserialize, Serialize};
use touchdown_math::{Mat3, Quat, Vec3, rotation};
use touchdown_multibody::rigid::{Cache, Model, kinematics};
use touchdown_spacecraft::attitude::{quaternion, rotation_vector};
use touchdown_spacecraft::clock::Clock;
use touchdown_spacecraft::control::{
    Aocs, AocsMode, AttitudeLaw, AttitudeTarget, ModeSettings, Navigation, PositionLaw,
};
use touchdown_spacecraft::wheel::{Desaturation, DesaturationState};

/// Guidance of a control: its mode, and the errors of position and velocity of the body, body axes. Errors
/// that are not on the bus are not controlled.
#[derive(Clone, Copy, Debug)]
pub(super) struct GuidancePorts {
    pub mode: Port,
    pub offset: [Port; 3],
    pub velocity: [Port; 3],
}

const MODE: &str = "mode";
const OFFSET: [&str; 3] = ["offset_x_m", "offset_y_m", "offset_z_m"];
const VELOCITY: [&str; 3] = ["velocity_x_m_per_s", "velocity_y_m_per_s", "velocity_z_m_per_s"];

impl GuidancePorts {
    /// Written by the guiding device.
    pub fn write(wiring: &mut Wiring) -> GuidancePorts {
        let (mode, offset) = (wiring.write(MODE), wiring.write_all(OFFSET));
        GuidancePorts { mode, offset, velocity: wiring.write_all(VELOCITY) }
    }

    fn read(wiring: &mut Wiring, device: &str) -> GuidancePorts {
        let [mode] = wiring.read_all(device, [MODE]);
        let offset = wiring.read_all(device, OFFSET);
        GuidancePorts { mode, offset, velocity: wiring.read_all(device, VELOCITY) }
    }
}

/// Demands on actuators, body axes: torque of the wheels; torque and force of the thrusters, empty while they
/// may not fire.
#[derive(Clone, Copy, Debug)]
pub(super) struct DemandPorts {
    pub wheels: [Port; 3],
    pub torque: [Port; 3],
    pub force: [Port; 3],
}

const WHEELS: [&str; 3] = ["wheel_torque_x_n_m", "wheel_torque_y_n_m", "wheel_torque_z_n_m"];
const TORQUE: [&str; 3] = ["thruster_torque_x_n_m", "thruster_torque_y_n_m", "thruster_torque_z_n_m"];
const FORCE: [&str; 3] = ["thruster_force_x_n", "thruster_force_y_n", "thruster_force_z_n"];

impl DemandPorts {
    /// Read from a control.
    pub fn read(wiring: &mut Wiring, device: &str) -> DemandPorts {
        let [wheels, torque, force] = [WHEELS, TORQUE, FORCE].map(|names| wiring.read_all(device, names));
        DemandPorts { wheels, torque, force }
    }
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Mode,
    Error(usize),
    ErrorNorm,
}

/// Attitude and orbit control of a body.
#[derive(Clone, Debug)]
pub(crate) struct Control {
    body: usize,
    aocs: Aocs,
    /// The mode while no guidance is active.
    mode: AocsMode,
    /// Wheels that thrusters can unload; the control reads their speeds without error.
    unloads: Option<Wheels>,
    desaturation: Desaturation,
    /// Target attitudes: at the start, and from a given time.
    targets: [Quat; 2],
    turn_at: f64,
    estimate: EstimatePorts,
    guidance: Option<GuidancePorts>,
    demand: DemandPorts,
    shown: Shown<Value>,
}

/// Its memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ControlState {
    clock: Clock,
    desaturation: DesaturationState,
}

impl Control {
    /// From a description, with the mechanism at its start, and the wheels that its thrusters can unload.
    pub fn new(
        control: &AttitudeControl,
        base: &str,
        system: &System,
        unloads: Option<Wheels>,
        wiring: &mut Wiring,
    ) -> (Control, ControlState) {
        let (model, cache) = (&system.model, &system.cache);
        let start = system.attitude_of(control.body);
        let [hold, approach, mated] = control.modes.map(|mode| settings(&mode, control, model, cache));
        let [wheels, torque, force] = [WHEELS, TORQUE, FORCE].map(|names| wiring.write_all(names));
        let made = Control {
            body: control.body,
            aocs: Aocs { hold, approach, mated },
            mode: control.mode,
            unloads,
            desaturation: Desaturation::above(control.desaturate_above),
            targets: [start, start * rotation::exp(&control.turn)],
            turn_at: control.turn_at,
            estimate: EstimatePorts::read(wiring, &format!("{base}.attitude")),
            guidance: control.guidance.as_ref().map(|device| GuidancePorts::read(wiring, device)),
            demand: DemandPorts { wheels, torque, force },
            shown: shown(base),
        };
        let state =
            ControlState { clock: Clock::new(control.rate), desaturation: DesaturationState::default() };
        (made, state)
    }

    /// The target attitude at `t`.
    fn target(&self, t: f64) -> Quat {
        self.targets[usize::from(t >= self.turn_at)]
    }

    fn mode(&self, bus: &Bus) -> AocsMode {
        let code = self.guidance.and_then(|guidance| bus.get(guidance.mode));
        code.and_then(|code| AocsMode::from_code(code as i32)).unwrap_or(self.mode)
    }

    /// Torque that unloads the wheels.
    fn unload(&self, state: &mut DesaturationState, v: &[f64]) -> Vec3 {
        let Some(wheels) = &self.unloads else { return Vec3::zeros() };
        let mut momenta = [0.0; MOST_WHEELS];
        let count = wheels.set.len().min(MOST_WHEELS);
        momenta.iter_mut().zip(wheels.momenta(v)).for_each(|(slot, h)| *slot = h);
        self.desaturation.demand(state, &wheels.set, &momenta[..count])
    }
}

fn shown(base: &str) -> Shown<Value> {
    let mut shown = Shown::new(base);
    shown.put(Value::Mode, "mode", ("1", "-"), "0 hold, 1 approach, 2 contact, 3 mated");
    let about = "rotation vector from the attitude that is wanted to the true one";
    shown.put_axes(Value::Error, ("error", "rad"), ("rad", "body"), about);
    let about = "angle between the attitude that is wanted and the true one";
    shown.put(Value::ErrorNorm, "error_rad", ("rad", "-"), about);
    shown
}

impl Tick for Control {
    type State = ControlState;

    fn next_time(&self, state: &ControlState) -> f64 {
        state.clock.next_time()
    }

    fn tick(&self, state: &mut ControlState, now: &Now, bus: &mut Bus) -> Option<Effect> {
        state.clock.due(now.t)?;
        let target = AttitudeTarget { attitude: self.target(now.t), rate_W: Vec3::zeros() };
        let navigation = Navigation {
            attitude: quaternion(&bus.all(&self.estimate.quaternion)?),
            rate_B: bus.vector(&self.estimate.rate)?,
            offset_B: self.guidance.and_then(|guidance| bus.vector(&guidance.offset)),
            velocity_B: self.guidance.and_then(|guidance| bus.vector(&guidance.velocity)),
        };
        let unload = self.unload(&mut state.desaturation, now.v);
        let demand = self.aocs.demand(self.mode(bus), &navigation, &target, &unload);
        let thrusters = demand.thrusters_on.then_some(demand.thrusters);
        bus.set_all(&self.demand.wheels, Some(demand.wheels.into()));
        bus.set_all(&self.demand.torque, thrusters.map(|wrench| wrench.t.into()));
        bus.set_all(&self.demand.force, thrusters.map(|wrench| wrench.f.into()));
        Some(Effect::default())
    }

    fn columns(&self) -> Vec<Column> {
        self.shown.columns()
    }

    fn value(&self, _: &ControlState, column: usize, seen: &Seen) -> f64 {
        let attitude = seen.system.attitude_of(self.body);
        let error = || rotation_vector(&(self.target(seen.t).inverse() * attitude));
        match self.shown.value(column) {
            Value::Mode => f64::from(self.mode(seen.bus).code()),
            Value::Error(k) => error()[k],
            Value::ErrorNorm => error().norm(),
        }
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

/// Mass of a body with everything outboard, and their inertia about their centre of mass in the body's axes.
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
