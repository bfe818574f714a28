//! The table, part three: constraints, force elements and drives.

use super::{ANY, Kind, NOT_NEGATIVE, Need, POSITIVE, Section, field, number, vector};
use crate::unit::{
    ANGLE, DAMPING, FORCE, FREQUENCY, IMPULSE, LENGTH, NUMBER, PITCH, PITCH_INVERSE, SPEED, SPIN, STIFFNESS,
    TIME, TORQUE, TORSION, TORSION_DAMPING,
};

/// A point of a body, written as a table.
pub(crate) static ATTACH: Section = Section {
    name: "point of a body",
    about: "a point of a body; \"BODY\" and \"BODY:POINT\" are short for it",
    fields: &[
        field("body", Kind::Text, Need::Required, "the body, or world"),
        field("position", vector(&[&LENGTH]), Need::Derived("the body's origin"), "in the body's frame"),
        field("at", vector(&[&LENGTH]), Need::Optional, "in the machine's frame, all joints at zero"),
    ],
};

/// A solid of even density.
pub(crate) static UNIFORM: Section = Section {
    name: "uniform",
    about: "a solid of even density around the centre of mass: one of box, rod, sphere, cylinder",
    fields: &[
        field(
            "box",
            Kind::Numbers { dims: &[&LENGTH], range: POSITIVE, lengths: &[3] },
            Need::Optional,
            "edge lengths",
        ),
        field("rod", number(&[&LENGTH], POSITIVE), Need::Optional, "length of a slender rod"),
        field("sphere", number(&[&LENGTH], POSITIVE), Need::Optional, "radius"),
        field(
            "cylinder",
            Kind::Numbers { dims: &[&LENGTH], range: POSITIVE, lengths: &[2] },
            Need::Optional,
            "radius and length",
        ),
        field("along", Kind::Axis, Need::Default("[1, 0, 0]"), "direction of a rod or cylinder, body axes"),
    ],
};

pub(super) static CONSTRAINT: Section = Section {
    name: "constraint",
    about: "a loop closure, coupling or prescribed motion; redundant ones are harmless",
    fields: &[
        field(
            "type",
            Kind::Choice(&[
                "coincident",
                "hinge",
                "parallel",
                "perpendicular",
                "distance",
                "gear",
                "prescribed",
            ]),
            Need::Required,
            "coincident points; hinge (points and axes); axes; distance of points; joints coupled or prescribed",
        ),
        field("between", Kind::AttachPair, Need::Optional, "the two points (or bodies, for axes)"),
        field(
            "at",
            vector(&[&LENGTH]),
            Need::Optional,
            "where both points lie, in the machine's frame with all joints at zero",
        ),
        field(
            "axis",
            Kind::Axis,
            Need::Optional,
            "hinge, parallel: the common axis, in the machine's frame at zero",
        ),
        field("first_axis", Kind::Axis, Need::Optional, "axis in the first body"),
        field("second_axis", Kind::Axis, Need::Optional, "axis in the second body"),
        field("length", number(&[&LENGTH], POSITIVE), Need::Optional, "distance"),
        field("joint", Kind::Text, Need::Optional, "prescribed: the joint (JOINT.1 for its second motion)"),
        field("motion", Kind::Signal(&[&ANGLE, &LENGTH]), Need::Optional, "prescribed: its position in time"),
        field("driven", Kind::Text, Need::Optional, "gear: the joint that follows"),
        field("driver", Kind::Text, Need::Optional, "gear: the joint that leads"),
        field(
            "ratio",
            number(&[&NUMBER, &PITCH, &PITCH_INVERSE], ANY),
            Need::Optional,
            "gear: driven = ratio * driver + offset",
        ),
        field("offset", number(&[&ANGLE, &LENGTH], ANY), Need::Derived("zero"), "gear: see ratio"),
        field(
            "input",
            Kind::Flag,
            Need::Optional,
            "prescribed: the rate of its motion can be commanded while the simulation runs",
        ),
    ],
};

pub(super) static SPRING: Section = Section {
    name: "spring",
    about: "a spring and damper in line between two points; tension is positive",
    fields: &[
        field("between", Kind::AttachPair, Need::Required, "its two ends"),
        field("stiffness", number(&[&STIFFNESS], NOT_NEGATIVE), Need::Default("\"0 N/m\""), "stiffness"),
        field("damping", number(&[&DAMPING], NOT_NEGATIVE), Need::Default("\"0 N s/m\""), "damping"),
        field(
            "rest_length",
            number(&[&LENGTH], NOT_NEGATIVE),
            Need::Default("\"0 m\""),
            "length without force",
        ),
        field(
            "preload",
            number(&[&FORCE], ANY),
            Need::Default("\"0 N\""),
            "force added to it, tension positive",
        ),
        field(
            "acts",
            Kind::Choice(&["both-ways", "pulls-only", "pushes-only"]),
            Need::Default("\"both-ways\""),
            "spring, rope or buffer",
        ),
        field(
            "slack_until",
            number(&[&TIME], NOT_NEGATIVE),
            Need::Default("\"0 s\""),
            "no force before this time",
        ),
        field(
            "input",
            Kind::Flag,
            Need::Default("false"),
            "its stiffness can be commanded while the simulation runs",
        ),
    ],
};

pub(super) static BUSHING: Section = Section {
    name: "bushing",
    about: "a six-way spring and damper between two frames, in the axes of the first body",
    fields: &[
        field("between", Kind::AttachPair, Need::Required, "its two ends"),
        field(
            "stiffness",
            Kind::Numbers { dims: &[&STIFFNESS], range: NOT_NEGATIVE, lengths: &[3] },
            Need::Default("[\"0 N/m\", \"0 N/m\", \"0 N/m\"]"),
            "along x, y, z",
        ),
        field(
            "damping",
            Kind::Numbers { dims: &[&DAMPING], range: NOT_NEGATIVE, lengths: &[3] },
            Need::Default("[\"0 N s/m\", \"0 N s/m\", \"0 N s/m\"]"),
            "along x, y, z",
        ),
        field(
            "turning_stiffness",
            Kind::Numbers { dims: &[&TORSION], range: NOT_NEGATIVE, lengths: &[3] },
            Need::Default("[\"0 N m/rad\", \"0 N m/rad\", \"0 N m/rad\"]"),
            "about x, y, z",
        ),
        field(
            "turning_damping",
            Kind::Numbers { dims: &[&TORSION_DAMPING], range: NOT_NEGATIVE, lengths: &[3] },
            Need::Default("[\"0 N m s/rad\", \"0 N m s/rad\", \"0 N m s/rad\"]"),
            "about x, y, z",
        ),
    ],
};

pub(super) static ACTUATOR: Section = Section {
    name: "actuator",
    about: "a linear motor: pushes its ends apart (positive); follows one of force, speed, length",
    fields: &[
        field("between", Kind::AttachPair, Need::Required, "its two ends"),
        field("force", Kind::Signal(&[&FORCE]), Need::Optional, "a given push"),
        field("speed", Kind::Signal(&[&SPEED]), Need::Optional, "target speed of lengthening; needs gain"),
        field("length", Kind::Signal(&[&LENGTH]), Need::Optional, "target length; needs stiffness"),
        field("gain", number(&[&DAMPING], NOT_NEGATIVE), Need::Optional, "force per speed error"),
        field("stiffness", number(&[&STIFFNESS], NOT_NEGATIVE), Need::Optional, "force per length error"),
        field("damping", number(&[&DAMPING], NOT_NEGATIVE), Need::Derived("zero"), "force per speed error"),
        field("limit", number(&[&FORCE], POSITIVE), Need::Derived("no limit"), "largest force"),
        field("input", Kind::Flag, Need::Default("false"), "it can be commanded while the simulation runs"),
    ],
};

static FORCE_PARTS: Section = Section {
    name: "force",
    about: "components of a force in time",
    fields: &[
        field("x", Kind::Signal(&[&FORCE]), Need::Default("\"0 N\""), "along x"),
        field("y", Kind::Signal(&[&FORCE]), Need::Default("\"0 N\""), "along y"),
        field("z", Kind::Signal(&[&FORCE]), Need::Default("\"0 N\""), "along z"),
    ],
};

static TORQUE_PARTS: Section = Section {
    name: "torque",
    about: "components of a torque in time",
    fields: &[
        field("x", Kind::Signal(&[&TORQUE]), Need::Default("\"0 N m\""), "about x"),
        field("y", Kind::Signal(&[&TORQUE]), Need::Default("\"0 N m\""), "about y"),
        field("z", Kind::Signal(&[&TORQUE]), Need::Default("\"0 N m\""), "about z"),
    ],
};

pub(super) static LOAD: Section = Section {
    name: "load",
    about: "a given force and torque on a body",
    fields: &[
        field("on", Kind::Attach, Need::Required, "where it acts; BODY:centre_of_mass is always there"),
        field("force", Kind::Table(&FORCE_PARTS), Need::Optional, "its force"),
        field("torque", Kind::Table(&TORQUE_PARTS), Need::Optional, "its torque"),
        field(
            "follows_body",
            Kind::Flag,
            Need::Default("false"),
            "components in body axes instead of world axes",
        ),
        field(
            "input",
            Kind::Flag,
            Need::Default("false"),
            "its components can be commanded while the simulation runs",
        ),
    ],
};

pub(super) static IMPULSE_ON: Section = Section {
    name: "impulse",
    about: "a push that acts at once on a body, such as a blow; a row at its time shows the moment before",
    fields: &[
        field("on", Kind::Attach, Need::Required, "where it acts; BODY:centre_of_mass is always there"),
        field("time", number(&[&TIME], NOT_NEGATIVE), Need::Required, "when it acts"),
        field("impulse", vector(&[&IMPULSE]), Need::Required, "its three components, in world axes"),
    ],
};

pub(super) static DRIVE: Section = Section {
    name: "drive",
    about: "motors on joints; follows one of torque, force, speed, position, rim_speed",
    fields: &[
        field(
            "joints",
            Kind::Texts,
            Need::Required,
            "the joints: names, * stands for anything; JOINT.1 for a second motion",
        ),
        field("torque", Kind::Signal(&[&TORQUE]), Need::Optional, "a given torque"),
        field("force", Kind::Signal(&[&FORCE]), Need::Optional, "a given force"),
        field("speed", Kind::Signal(&[&SPIN, &SPEED]), Need::Optional, "target speed; needs gain"),
        field(
            "position",
            Kind::Signal(&[&ANGLE, &LENGTH]),
            Need::Optional,
            "target position; needs stiffness",
        ),
        field(
            "rim_speed",
            Kind::Signal(&[&SPEED]),
            Need::Optional,
            "target speed of a wheel's rim, at its present radius; needs gain",
        ),
        field(
            "ground_gain",
            number(&[&FREQUENCY], NOT_NEGATIVE),
            Need::Optional,
            "rim_speed: rate in 1/s at which it is corrected by the speed of the hub over the ground; zero does not",
        ),
        field(
            "gain",
            number(&[&TORSION_DAMPING, &DAMPING], NOT_NEGATIVE),
            Need::Optional,
            "torque per speed error",
        ),
        field(
            "stiffness",
            number(&[&TORSION, &STIFFNESS], NOT_NEGATIVE),
            Need::Optional,
            "torque per position error",
        ),
        field(
            "damping",
            number(&[&TORSION_DAMPING, &DAMPING], NOT_NEGATIVE),
            Need::Derived("zero"),
            "torque per speed error",
        ),
        field(
            "limit",
            number(&[&TORQUE, &FORCE], POSITIVE),
            Need::Derived("no limit"),
            "largest torque or force",
        ),
        field(
            "factors",
            Kind::Numbers { dims: &[&NUMBER], range: ANY, lengths: &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] },
            Need::Optional,
            "each joint follows the target times its factor, in the order of joints",
        ),
        field(
            "active_from",
            number(&[&TIME], NOT_NEGATIVE),
            Need::Default("\"0 s\""),
            "no torque before this time",
        ),
        field(
            "ramp_time",
            number(&[&TIME], NOT_NEGATIVE),
            Need::Default("\"0 s\""),
            "a constant target comes on smoothly over this time",
        ),
        field(
            "input",
            Kind::Flag,
            Need::Default("false"),
            "each joint can be commanded while the simulation runs",
        ),
    ],
};
