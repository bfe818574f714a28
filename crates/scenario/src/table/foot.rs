//! The table: feet, their test stand, and gaits.

use super::{ANY, Kind, NOT_NEGATIVE, Need, POSITIVE, Range, Section, field, number, vector};
use crate::unit::{
    ANGLE, DAMPING, FORCE, LENGTH, MASS, NUMBER, SPEED, STIFFNESS, TIME, TORQUE, TORSION, TORSION_DAMPING,
};

/// Ranges of `contact::foot`.
const SIZE: Range = Range { min: 0.0, max: 10.0, open: true };
const EXPONENT: Range = Range { min: 0.0, max: 5.0, open: true };
const FROM_ZERO: Range = Range { min: 0.0, max: 5.0, open: false };
const FRICTION: Range = Range { min: 0.0, max: 10.0, open: false };
const RECOVERY: Range = Range { min: 0.0, max: 0.2, open: true };
const RELAXATION: Range = Range { min: 0.0, max: 1.0, open: true };
/// A foot is on the ground for more than half of a cycle, or a tripod would hang in the air.
const DUTY: Range = Range { min: 0.5, max: 0.95, open: false };

/// A kind of foot, with the ground under it.
pub(super) static FOOT_LAW: Section = Section {
    name: "foot_law",
    about: "a kind of foot: its form, its spring, and the soil that it presses; of the sizes its shape uses its own",
    fields: &[
        field(
            "shape",
            Kind::Choice(&["flat-circular", "flat-rectangular", "cylindrical", "spherical"]),
            Need::Required,
            "its form; cylinders lie along the foot's y",
        ),
        field(
            "radius",
            number(&[&LENGTH], SIZE),
            Need::Optional,
            "of a flat-circular sole, a cylinder or a ball",
        ),
        field("width", number(&[&LENGTH], SIZE), Need::Optional, "flat-rectangular, cylindrical: along y"),
        field("length", number(&[&LENGTH], SIZE), Need::Optional, "flat-rectangular: along x"),
        field(
            "soil",
            Kind::Text,
            Need::Required,
            "hard, or the soil under it: a [soil.NAME] or one of the library",
        ),
        field(
            "model",
            Kind::Choice(&["exact", "linearised", "29a", "29b", "29c", "33", "34"]),
            Need::Default("\"exact\""),
            "in soil, how stress is integrated: exactly, linear over the angle, or an equation of Ding et al. (29: cylinders, 33 and 34: balls)",
        ),
        field(
            "stress",
            Kind::Choice(&["symmetric", "one-sided"]),
            Need::Default("\"symmetric\""),
            "in soil: on both sides of a foot, or on one",
        ),
        field(
            "stiffness",
            number(&[&STIFFNESS, &NUMBER], NOT_NEGATIVE),
            Need::Default("\"0 N/m\""),
            "of the foot, k of N = k d^n + b d^p d'^q; zero: it does not deform",
        ),
        field("exponent", number(&[&NUMBER], EXPONENT), Need::Default("1"), "of the foot: n"),
        field(
            "damping",
            number(&[&DAMPING, &NUMBER], NOT_NEGATIVE),
            Need::Default("\"0 N s/m\""),
            "of the foot: b",
        ),
        field("damping_exponent", number(&[&NUMBER], FROM_ZERO), Need::Default("0"), "of the foot: p"),
        field("rate_exponent", number(&[&NUMBER], EXPONENT), Need::Default("1"), "of the foot: q"),
        field(
            "soil_damping",
            number(&[&DAMPING, &NUMBER], NOT_NEGATIVE),
            Need::Default("\"0 N s/m\""),
            "of the soil while the foot sinks: b of b d^p d'^q",
        ),
        field("soil_damping_exponent", number(&[&NUMBER], FROM_ZERO), Need::Default("0"), "of the soil: p"),
        field("soil_rate_exponent", number(&[&NUMBER], EXPONENT), Need::Default("1"), "of the soil: q"),
        field("friction", number(&[&NUMBER], FRICTION), Need::Default("0.5"), "on hard ground"),
        field(
            "shear_length",
            number(&[&LENGTH], SIZE),
            Need::Derived("that of the soil; hard ground: 10 mm"),
            "displacement in which the force along the ground builds up",
        ),
        field(
            "curve",
            Kind::Choice(&["janosi", "tanh", "linear", "stick"]),
            Need::Default("\"janosi\""),
            "how it builds up: 1 - exp(-j/K), tanh(j/1.5K), j/2K, or a spring up to the limit",
        ),
        field(
            "tangential_stiffness",
            number(&[&STIFFNESS], POSITIVE),
            Need::Default("\"20 kN/m\""),
            "of unloading along the ground",
        ),
        field(
            "tangential_relaxation",
            number(&[&TIME], RELAXATION),
            Need::Default("\"1 ms\""),
            "in which the deflection along the ground follows a falling grip",
        ),
        field(
            "recovery",
            number(&[&NUMBER], RECOVERY),
            Need::Default("0.001"),
            "share of the sinkage that springs back",
        ),
        field(
            "relaxation",
            number(&[&TIME], RELAXATION),
            Need::Default("\"2 ms\""),
            "time in which it springs back",
        ),
    ],
};

/// A foot on a body.
pub(super) static FOOT: Section = Section {
    name: "foot",
    about: "a foot on a body, on hard ground or in soil with the surface that [ground] gives",
    fields: &[
        field("body", Kind::Text, Need::Required, "the body"),
        field("law", Kind::Text, Need::Required, "the NAME of a [foot_law.NAME]"),
        field(
            "position",
            vector(&[&LENGTH]),
            Need::Derived("the body's origin"),
            "middle of a flat sole, centre of a round one, in the body's frame",
        ),
        field("at", vector(&[&LENGTH]), Need::Optional, "in the machine's frame, all joints at zero"),
        field("roll", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about x; its z axis points up"),
        field("pitch", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about y"),
        field("yaw", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about z"),
        field(
            "compare",
            Kind::Text,
            Need::Optional,
            "another foot: columns tell how far its forces are from that one's",
        ),
    ],
};

/// A test stand for feet.
pub(super) static FOOT_RIG: Section = Section {
    name: "foot_rig",
    about: "a test stand for one foot, called foot, on level ground: bodies, load and motion follow from a few numbers",
    fields: &[
        field(
            "kind",
            Kind::Choice(&["press", "drop", "drag"]),
            Need::Required,
            "press: the load comes and goes slowly; drop: the foot falls with its load; drag: it is loaded, then moved to and fro",
        ),
        field("law", Kind::Text, Need::Required, "the NAME of a [foot_law.NAME]"),
        field("load", number(&[&FORCE], POSITIVE), Need::Required, "total force on the ground at rest"),
        field(
            "mass",
            number(&[&MASS], POSITIVE),
            Need::Derived("drop: all of the load is weight on Earth; else 0.1 kg"),
            "that moves with the foot; its weight is part of the load",
        ),
        field(
            "drop_height",
            number(&[&LENGTH], NOT_NEGATIVE),
            Need::Derived("zero"),
            "drop: height of the sole above the ground at the start",
        ),
        field(
            "load_time",
            number(&[&TIME], POSITIVE),
            Need::Derived("press: 2 s; drag: 1 s"),
            "press, drag: time in which the load comes on, or goes",
        ),
        field("speed", number(&[&SPEED], POSITIVE), Need::Derived("20 mm/s"), "drag: to and fro"),
        field("travel", number(&[&LENGTH], POSITIVE), Need::Derived("100 mm"), "drag: each way, about"),
    ],
};

/// A gait of a machine on six legs.
pub(super) static GAIT: Section = Section {
    name: "gait",
    about: "a tripod gait: drives of the joints of six legs, each with a joint about z and two in the plane of the leg, from the machine's form",
    fields: &[
        field("body", Kind::Text, Need::Required, "the body that the legs carry, on a free joint"),
        field(
            "legs",
            Kind::Texts,
            Need::Required,
            "names of the feet's [foot.NAME], whose legs swing in turn: the first, third and fifth together, then the others",
        ),
        field("stride", number(&[&LENGTH], NOT_NEGATIVE), Need::Required, "way of the body in one cycle"),
        field("period", number(&[&TIME], POSITIVE), Need::Required, "time of one cycle"),
        field(
            "step_height",
            number(&[&LENGTH], NOT_NEGATIVE),
            Need::Required,
            "height to which a foot is lifted",
        ),
        field("duty", number(&[&NUMBER], DUTY), Need::Default("0.55"), "share of a cycle on the ground"),
        field(
            "height",
            number(&[&LENGTH], POSITIVE),
            Need::Required,
            "of the legs' first joints above the ground",
        ),
        field(
            "reach",
            number(&[&LENGTH], POSITIVE),
            Need::Required,
            "of a standing foot from its first joint, in plan",
        ),
        field(
            "settle",
            number(&[&TIME], NOT_NEGATIVE),
            Need::Default("\"0.5 s\""),
            "before it begins to walk",
        ),
        field(
            "clearance",
            number(&[&LENGTH], NOT_NEGATIVE),
            Need::Default("\"0 m\""),
            "of the lowest foot at the start",
        ),
        field("stiffness", number(&[&TORSION], POSITIVE), Need::Required, "of the drives"),
        field("damping", number(&[&TORSION_DAMPING], NOT_NEGATIVE), Need::Required, "of the drives"),
        field("limit", number(&[&TORQUE], POSITIVE), Need::Optional, "largest torque of a drive"),
    ],
};
