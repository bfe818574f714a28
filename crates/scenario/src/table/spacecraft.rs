//! The table: satellites — their orbit, wings, wheels, thrusters and attitude control.

use super::device::SEED_MAX;
use super::typed::{axis, body_name, choice, count, flag, number, table, text, vector, vector_in};
use super::{ANY, FRACTION, NOT_NEGATIVE, POSITIVE, Range, section, words};
use crate::read::{BodyName, Text};
use crate::unit::{
    ANGLE, ANGULAR_MOMENTUM, FORCE, FREQUENCY, INERTIA, LENGTH, MASS, NUMBER, PRESSURE, SPEED, SPIN, TIME,
    TORQUE, TORSION_DAMPING,
};
use touchdown_math::Vec3;

/// Damping ratios of structures and controllers.
const RATIO: Range = Range { min: 0.0, max: 2.0, open: false };
/// A control or sensor clock, Hz: the step loop stops at every tick.
pub(super) const CLOCK: Range = Range { min: 1e-3, max: 1e3, open: false };

words! {
    pub(crate) enum RelativeMotionWord {
        ClohessyWiltshire = "clohessy-wiltshire",
        TwoBody = "two-body",
        None = "none",
    }
}

section! {
    /// The orbit of the world's frame.
    pub(crate) struct OrbitKeys "orbit":
        "the world's origin moves on a circular orbit; its axes do not turn: x points outward at the start, y along the track, z normal to the orbit";
    required rate: f64 = number(&[&SPIN], POSITIVE), "mean motion";
    default("\"clohessy-wiltshire\"") relative_motion: RelativeMotionWord = choice(),
        "difference of gravity from that at the origin: linear in the place, exact, or left out";
    default("true") gravity_gradient: bool = flag(), "whether gravity turns bodies, too";
    default("\"0 Pa\"") solar_pressure: f64 = number(&[&PRESSURE], NOT_NEGATIVE),
        "of sunlight on the wings, which absorb it; 4.56e-6 Pa near the Earth";
    default("[0, 1, 0]") sun: Vec3 = axis(), "direction to the sun";
}

words! {
    pub(crate) enum SideWord { PlusY = "+y", MinusY = "-y" }
}

section! {
    /// A solar wing.
    pub(crate) struct WingKeys "wing":
        "a solar wing on a body: an even plate, hinged at its root by a spring for bending and one for torsion that the drive turns; body and joint are called NAME";
    required body: BodyName = body_name(), "the body that carries it";
    required root: Vec3 = vector(&[&LENGTH]), "where it begins, in the body's frame";
    required side: SideWord = choice(), "where it points, in the body's axes";
    required mass: f64 = number(&[&MASS], POSITIVE), "mass";
    required length: f64 = number(&[&LENGTH], POSITIVE), "from root to tip";
    required width: f64 = number(&[&LENGTH], POSITIVE), "across";
    required bending: f64 = number(&[&FREQUENCY], POSITIVE),
        "frequency of bending out of its plane with its root clamped";
    required torsion: f64 = number(&[&FREQUENCY], POSITIVE), "frequency of torsion with its root clamped";
    required damping_ratio: f64 = number(&[&NUMBER], RATIO), "of both";
    default("\"0 rad/s\"") drive_rate: f64 = number(&[&SPIN], ANY),
        "speed at which its drive turns it about y";
    default("\"0 rad\"") drive_angle: f64 = number(&[&ANGLE], ANY),
        "angle of the drive at the start; at zero the wing lies in the body's x-y plane";
}

section! {
    /// A kind of reaction wheel.
    pub(crate) struct ReactionWheelLawKeys "reaction_wheel_law": "a kind of reaction or momentum wheel";
    required inertia: f64 = number(&[&INERTIA], POSITIVE), "of the rotor about its axis";
    default("\"0 N m\"") torque_max: f64 = number(&[&TORQUE], NOT_NEGATIVE),
        "largest torque of its motor; zero: it runs freely";
    required momentum_max: f64 = number(&[&ANGULAR_MOMENTUM], POSITIVE),
        "largest angular momentum that it holds";
    default("\"0 N m\"") coulomb: f64 = number(&[&TORQUE], NOT_NEGATIVE), "dry friction";
    default("\"0 N m s/rad\"") viscous: f64 = number(&[&TORSION_DAMPING], NOT_NEGATIVE), "viscous friction";
}

section! {
    /// A wheel.
    pub(crate) struct ReactionWheelKeys "reaction_wheel":
        "a reaction or momentum wheel in a body, a rotor with its joint, both called NAME; its mass is the body's";
    required body: BodyName = body_name(), "the body that carries it";
    required law: Text = text(), "its kind: a [reaction_wheel_law.NAME]";
    required axis: Vec3 = axis(), "its axis in the body's frame";
    default("\"0 N m s\"") momentum: f64 = number(&[&ANGULAR_MOMENTUM], ANY),
        "angular momentum against the body at the start";
    default("false") input: bool = flag(),
        "the torque of its motor can be commanded while the simulation runs, up to torque_max; it is added to the demand of the attitude control";
}

section! {
    /// A kind of thruster.
    pub(crate) struct ThrusterLawKeys "thruster_law": "a kind of thruster, on or off";
    required thrust: f64 = number(&[&FORCE], POSITIVE), "force while it is on";
    required specific_impulse: f64 = number(&[&TIME], POSITIVE),
        "impulse over the weight of its propellant on Earth";
    default("\"0 s\"") minimum_on_time: f64 = number(&[&TIME], NOT_NEGATIVE),
        "shorter pulses wait until they have added up";
    default("\"0 s\"") rise_time: f64 = number(&[&TIME], NOT_NEGATIVE), "in which thrust comes and goes";
    default("\"0 rad\"") misalignment: f64 = number(&[&ANGLE], NOT_NEGATIVE),
        "of each thruster, one sigma, drawn from the seed";
}

section! {
    /// A thruster.
    pub(crate) struct ThrusterKeys "thruster": "a thruster on a body";
    required body: BodyName = body_name(), "the body that carries it";
    required law: Text = text(), "its kind: a [thruster_law.NAME]";
    required at: Vec3 = vector(&[&LENGTH]), "where it is, in the body's frame";
    required direction: Vec3 = axis(), "of its force on the body, in the body's frame";
    default("false") input: bool = flag(),
        "its thrust can be commanded while the simulation runs, from nothing to full; it is added to the demand of the attitude control";
}

words! {
    pub(crate) enum ActuatorsWord {
        None = "none",
        Wheels = "wheels",
        WheelsAndThrusters = "wheels and thrusters",
        Thrusters = "thrusters",
    }
}

section! {
    /// A control mode.
    pub(crate) struct ControlModeKeys "control_mode":
        "a mode of attitude control: torque = -I w^2 angle - 2 z I w rate, and the same for the place with the mass";
    required actuators: ActuatorsWord = choice(),
        "what it uses: wheels for torque, thrusters for force and for what wheels cannot";
    default("\"0.01 Hz\"") bandwidth: f64 = number(&[&FREQUENCY], POSITIVE), "of attitude";
    default("0.7") damping: f64 = number(&[&NUMBER], RATIO), "damping ratio";
    derived("that of the body with all that it carries") inertia: Vec3 = vector_in(&[&INERTIA], POSITIVE),
        "moments of inertia that the gains are made for";
    optional position_bandwidth: f64 = number(&[&FREQUENCY], POSITIVE),
        "of the place; missing: the place is not controlled";
    default("\"0 m\"") position_deadband: f64 = number(&[&LENGTH], NOT_NEGATIVE),
        "errors of the place that are let be";
    default("\"0 m/s\"") velocity_deadband: f64 = number(&[&SPEED], NOT_NEGATIVE),
        "errors of the velocity that are let be";
}

section! {
    pub(crate) struct GyroKeys "gyro": "angular rate, sampled";
    required rate: f64 = number(&[&FREQUENCY], CLOCK), "samples in time";
    required angle_walk: f64 = number(&[&ANGLE], NOT_NEGATIVE),
        "error of the angle that noise builds up in one second, one sigma; it grows with the root of time";
    required bias: f64 = number(&[&SPIN], NOT_NEGATIVE), "one sigma for each axis, from the seed";
}

section! {
    pub(crate) struct StarTrackerKeys "star_tracker": "attitude, sampled";
    required rate: f64 = number(&[&FREQUENCY], CLOCK), "samples in time";
    required noise: f64 = number(&[&ANGLE], NOT_NEGATIVE), "one sigma for each axis";
}

words! {
    pub(crate) enum ControlModeWord {
        Hold = "hold",
        Approach = "approach",
        Contact = "contact",
        Mated = "mated",
    }
}

section! {
    /// Attitude control.
    pub(crate) struct AocsKeys "aocs":
        "attitude and orbit control of one body, with its reaction wheels and thrusters; columns aocs.NAME.…, of [aocs] itself aocs.…";
    required body: BodyName = body_name(), "the body that it controls";
    required control_rate: f64 = number(&[&FREQUENCY], CLOCK), "how often it acts";
    required gyro: GyroKeys = table(), "its gyro";
    required star_tracker: StarTrackerKeys = table(), "its star tracker";
    required hold: ControlModeKeys = table(), "mode that holds the attitude";
    optional approach: ControlModeKeys = table(), "mode that also holds the place; hold if missing";
    optional mated: ControlModeKeys = table(), "mode of both satellites together; hold if missing";
    default("\"hold\"") mode: ControlModeWord = choice(), "mode at the start";
    default("[\"0 rad\", \"0 rad\", \"0 rad\"]") turn: Vec3 = vector(&[&ANGLE]),
        "rotation vector from the attitude at the start to the one that is wanted from turn_at on";
    default("\"0 s\"") turn_at: f64 = number(&[&TIME], NOT_NEGATIVE), "see turn";
    default("0.7") desaturate_above: f64 = number(&[&NUMBER], FRACTION),
        "share of a wheel's momentum above which thrusters take it out";
    derived("the scenario's seed in [aocs]; from it and the name in [attitude_control.NAME]") seed: u64 =
        count(0, SEED_MAX), "seed of its sensors and of the thrusters' misalignment";
}
