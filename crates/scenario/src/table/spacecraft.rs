//! The table: satellites — their orbit, wings, wheels, thrusters and attitude control.

use super::{ANY, FRACTION, Kind, NOT_NEGATIVE, Need, POSITIVE, Range, Section, field, number, vector};
use crate::unit::{
    ANGLE, ANGULAR_MOMENTUM, FORCE, FREQUENCY, INERTIA, LENGTH, MASS, NUMBER, PRESSURE, SPEED, SPIN, TIME,
    TORQUE, TORSION_DAMPING,
};

/// Damping ratios of structures and controllers.
const RATIO: Range = Range { min: 0.0, max: 2.0, open: false };
/// A control or sensor clock, Hz: the step loop stops at every tick.
pub(super) const CLOCK: Range = Range { min: 1e-3, max: 1e3, open: false };

/// The orbit that the world moves on.
pub(super) static ORBIT: Section = Section {
    name: "orbit",
    about: "the world's origin moves on a circular orbit; its axes do not turn: x points outward at the start, y along the track, z normal to the orbit",
    fields: &[
        field("rate", number(&[&SPIN], POSITIVE), Need::Required, "mean motion"),
        field(
            "relative_motion",
            Kind::Choice(&["clohessy-wiltshire", "two-body", "none"]),
            Need::Default("\"clohessy-wiltshire\""),
            "difference of gravity from that at the origin: linear in the place, exact, or left out",
        ),
        field("gravity_gradient", Kind::Flag, Need::Default("true"), "whether gravity turns bodies, too"),
        field(
            "solar_pressure",
            number(&[&PRESSURE], NOT_NEGATIVE),
            Need::Default("\"0 Pa\""),
            "of sunlight on the wings, which absorb it; 4.56e-6 Pa near the Earth",
        ),
        field("sun", Kind::Axis, Need::Default("[0, 1, 0]"), "direction to the sun"),
    ],
};

/// A solar wing.
pub(super) static WING: Section = Section {
    name: "wing",
    about: "a solar wing on a body: an even plate, hinged at its root by a spring for bending and one for torsion that the drive turns; body and joint are called NAME",
    fields: &[
        field("body", Kind::Text, Need::Required, "the body that carries it"),
        field("root", vector(&[&LENGTH]), Need::Required, "where it begins, in the body's frame"),
        field("side", Kind::Choice(&["+y", "-y"]), Need::Required, "where it points, in the body's axes"),
        field("mass", number(&[&MASS], POSITIVE), Need::Required, "mass"),
        field("length", number(&[&LENGTH], POSITIVE), Need::Required, "from root to tip"),
        field("width", number(&[&LENGTH], POSITIVE), Need::Required, "across"),
        field(
            "bending",
            number(&[&FREQUENCY], POSITIVE),
            Need::Required,
            "frequency of bending out of its plane with its root clamped",
        ),
        field(
            "torsion",
            number(&[&FREQUENCY], POSITIVE),
            Need::Required,
            "frequency of torsion with its root clamped",
        ),
        field("damping_ratio", number(&[&NUMBER], RATIO), Need::Required, "of both"),
        field(
            "drive_rate",
            number(&[&SPIN], ANY),
            Need::Default("\"0 rad/s\""),
            "speed at which its drive turns it about y",
        ),
        field(
            "drive_angle",
            number(&[&ANGLE], ANY),
            Need::Default("\"0 rad\""),
            "angle of the drive at the start; at zero the wing lies in the body's x-y plane",
        ),
    ],
};

/// A kind of reaction wheel.
pub(super) static REACTION_WHEEL_LAW: Section = Section {
    name: "reaction_wheel_law",
    about: "a kind of reaction or momentum wheel",
    fields: &[
        field("inertia", number(&[&INERTIA], POSITIVE), Need::Required, "of the rotor about its axis"),
        field(
            "torque_max",
            number(&[&TORQUE], NOT_NEGATIVE),
            Need::Default("\"0 N m\""),
            "largest torque of its motor; zero: it runs freely",
        ),
        field(
            "momentum_max",
            number(&[&ANGULAR_MOMENTUM], POSITIVE),
            Need::Required,
            "largest angular momentum that it holds",
        ),
        field("coulomb", number(&[&TORQUE], NOT_NEGATIVE), Need::Default("\"0 N m\""), "dry friction"),
        field(
            "viscous",
            number(&[&TORSION_DAMPING], NOT_NEGATIVE),
            Need::Default("\"0 N m s/rad\""),
            "viscous friction",
        ),
    ],
};

/// A wheel.
pub(super) static REACTION_WHEEL: Section = Section {
    name: "reaction_wheel",
    about: "a reaction or momentum wheel in a body, a rotor with its joint, both called NAME; its mass is the body's",
    fields: &[
        field("body", Kind::Text, Need::Required, "the body that carries it"),
        field("law", Kind::Text, Need::Required, "its kind: a [reaction_wheel_law.NAME]"),
        field("axis", Kind::Axis, Need::Required, "its axis in the body's frame"),
        field(
            "momentum",
            number(&[&ANGULAR_MOMENTUM], ANY),
            Need::Default("\"0 N m s\""),
            "angular momentum against the body at the start",
        ),
    ],
};

/// A kind of thruster.
pub(super) static THRUSTER_LAW: Section = Section {
    name: "thruster_law",
    about: "a kind of thruster, on or off",
    fields: &[
        field("thrust", number(&[&FORCE], POSITIVE), Need::Required, "force while it is on"),
        field(
            "specific_impulse",
            number(&[&TIME], POSITIVE),
            Need::Required,
            "impulse over the weight of its propellant on Earth",
        ),
        field(
            "minimum_on_time",
            number(&[&TIME], NOT_NEGATIVE),
            Need::Default("\"0 s\""),
            "shorter pulses wait until they have added up",
        ),
        field(
            "rise_time",
            number(&[&TIME], NOT_NEGATIVE),
            Need::Default("\"0 s\""),
            "in which thrust comes and goes",
        ),
        field(
            "misalignment",
            number(&[&ANGLE], NOT_NEGATIVE),
            Need::Default("\"0 rad\""),
            "of each thruster, one sigma, drawn from the seed",
        ),
    ],
};

/// A thruster.
pub(super) static THRUSTER: Section = Section {
    name: "thruster",
    about: "a thruster on a body",
    fields: &[
        field("body", Kind::Text, Need::Required, "the body that carries it"),
        field("law", Kind::Text, Need::Required, "its kind: a [thruster_law.NAME]"),
        field("at", vector(&[&LENGTH]), Need::Required, "where it is, in the body's frame"),
        field("direction", Kind::Axis, Need::Required, "of its force on the body, in the body's frame"),
    ],
};

/// A control mode.
static CONTROL_MODE: Section = Section {
    name: "control_mode",
    about: "a mode of attitude control: torque = -I w^2 angle - 2 z I w rate, and the same for the place with the mass",
    fields: &[
        field(
            "actuators",
            Kind::Choice(&["none", "wheels", "wheels and thrusters", "thrusters"]),
            Need::Required,
            "what it uses: wheels for torque, thrusters for force and for what wheels cannot",
        ),
        field("bandwidth", number(&[&FREQUENCY], POSITIVE), Need::Default("\"0.01 Hz\""), "of attitude"),
        field("damping", number(&[&NUMBER], RATIO), Need::Default("0.7"), "damping ratio"),
        field(
            "inertia",
            Kind::Numbers { dims: &[&INERTIA], range: POSITIVE, lengths: &[3] },
            Need::Derived("that of the body with all that it carries"),
            "moments of inertia that the gains are made for",
        ),
        field(
            "position_bandwidth",
            number(&[&FREQUENCY], POSITIVE),
            Need::Optional,
            "of the place; missing: the place is not controlled",
        ),
        field(
            "position_deadband",
            number(&[&LENGTH], NOT_NEGATIVE),
            Need::Default("\"0 m\""),
            "errors of the place that are let be",
        ),
        field(
            "velocity_deadband",
            number(&[&SPEED], NOT_NEGATIVE),
            Need::Default("\"0 m/s\""),
            "errors of the velocity that are let be",
        ),
    ],
};

static GYRO: Section = Section {
    name: "gyro",
    about: "angular rate, sampled",
    fields: &[
        field("rate", number(&[&FREQUENCY], CLOCK), Need::Required, "samples in time"),
        field(
            "angle_walk",
            number(&[&ANGLE], NOT_NEGATIVE),
            Need::Required,
            "error of the angle that noise builds up in one second, one sigma; it grows with the root of time",
        ),
        field(
            "bias",
            number(&[&SPIN], NOT_NEGATIVE),
            Need::Required,
            "one sigma for each axis, from the seed",
        ),
    ],
};

static STAR_TRACKER: Section = Section {
    name: "star_tracker",
    about: "attitude, sampled",
    fields: &[
        field("rate", number(&[&FREQUENCY], CLOCK), Need::Required, "samples in time"),
        field("noise", number(&[&ANGLE], NOT_NEGATIVE), Need::Required, "one sigma for each axis"),
    ],
};

/// Attitude control.
pub(super) static AOCS: Section = Section {
    name: "aocs",
    about: "attitude and orbit control of one body, with its reaction wheels and thrusters; columns aocs.NAME.…, of [aocs] itself aocs.…",
    fields: &[
        field("body", Kind::Text, Need::Required, "the body that it controls"),
        field("control_rate", number(&[&FREQUENCY], CLOCK), Need::Required, "how often it acts"),
        field("gyro", Kind::Table(&GYRO), Need::Required, "its gyro"),
        field("star_tracker", Kind::Table(&STAR_TRACKER), Need::Required, "its star tracker"),
        field("hold", Kind::Table(&CONTROL_MODE), Need::Required, "mode that holds the attitude"),
        field(
            "approach",
            Kind::Table(&CONTROL_MODE),
            Need::Optional,
            "mode that also holds the place; hold if missing",
        ),
        field(
            "mated",
            Kind::Table(&CONTROL_MODE),
            Need::Optional,
            "mode of both satellites together; hold if missing",
        ),
        field(
            "mode",
            Kind::Choice(&["hold", "approach", "contact", "mated"]),
            Need::Default("\"hold\""),
            "mode at the start",
        ),
        field(
            "turn",
            vector(&[&ANGLE]),
            Need::Default("[\"0 rad\", \"0 rad\", \"0 rad\"]"),
            "rotation vector from the attitude at the start to the one that is wanted from turn_at on",
        ),
        field("turn_at", number(&[&TIME], NOT_NEGATIVE), Need::Default("\"0 s\""), "see turn"),
        field(
            "desaturate_above",
            number(&[&NUMBER], FRACTION),
            Need::Default("0.7"),
            "share of a wheel's momentum above which thrusters take it out",
        ),
        field(
            "seed",
            Kind::Count { min: 0, max: i64::MAX as u64 },
            Need::Derived("the scenario's seed in [aocs]; from it and the name in [attitude_control.NAME]"),
            "seed of its sensors and of the thrusters' misalignment",
        ),
    ],
};
