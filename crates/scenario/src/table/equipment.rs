//! The table, part four: tyres, named points and what bodies look like.

use super::{ANY, FRACTION, Kind, Need, POSITIVE, Range, Section, field, number, vector};
use crate::unit::{ANGLE, CORNERING, DAMPING, FORCE, LENGTH, NUMBER, SPEED, STIFFNESS};

/// Sizes of a wheel, m; coefficients of a tyre, SI; friction; speed of regularisation, m/s: the ranges of `contact::tyre`.
const WHEEL: Range = Range { min: 0.0, max: 10.0, open: true };
const COEFFICIENT: Range = Range { min: 0.0, max: 1e12, open: true };
const RADIAL_DAMPING: Range = Range { min: 0.0, max: 1e12, open: false };
const FRICTION: Range = Range { min: 0.0, max: 10.0, open: false };
const LOW_SPEED: Range = Range { min: 0.0, max: 1.0, open: true };

pub(super) static TYRE_LAW: Section = Section {
    name: "tyre_law",
    about: "a brush tyre: radial spring and damper, friction between two coefficients, rolling resistance",
    fields: &[
        field("radius", number(&[&LENGTH], WHEEL), Need::Required, "undeformed radius"),
        field("width", number(&[&LENGTH], WHEEL), Need::Required, "width, for drawing"),
        field("radial_stiffness", number(&[&STIFFNESS], COEFFICIENT), Need::Required, "radial stiffness"),
        field("radial_damping", number(&[&DAMPING], RADIAL_DAMPING), Need::Required, "radial damping"),
        field(
            "longitudinal_slip_stiffness",
            number(&[&FORCE], COEFFICIENT),
            Need::Required,
            "force per unit slip",
        ),
        field(
            "lateral_slip_stiffness",
            number(&[&CORNERING], COEFFICIENT),
            Need::Required,
            "force per slip angle",
        ),
        field("friction_min", number(&[&NUMBER], FRICTION), Need::Required, "friction at full slide"),
        field("friction_max", number(&[&NUMBER], FRICTION), Need::Required, "friction without slip"),
        field("rolling_resistance", number(&[&NUMBER], FRACTION), Need::Default("0"), "resistance over load"),
        field(
            "relaxation_length",
            number(&[&LENGTH], WHEEL),
            Need::Default("\"50 mm\""),
            "distance rolled while the slip force builds up",
        ),
        field(
            "standstill_damping",
            number(&[&DAMPING], COEFFICIENT),
            Need::Default("\"6000 N s/m\""),
            "damping of the tread's deflection; keeps a parked wheel from ringing, unseen in steady rolling",
        ),
        field(
            "low_speed",
            number(&[&SPEED], LOW_SPEED),
            Need::Default("\"5 mm/s\""),
            "speed below which slip and the sign of rolling resistance are regularised",
        ),
    ],
};

pub(super) static TYRE: Section = Section {
    name: "tyre",
    about: "a tyre on a wheel; the summary's wheel quantities are named after it",
    fields: &[
        field("body", Kind::Text, Need::Required, "the wheel"),
        field("law", Kind::Text, Need::Required, "name of a [tyre_law.NAME]"),
        field(
            "centre",
            vector(&[&LENGTH]),
            Need::Default("[\"0 m\", \"0 m\", \"0 m\"]"),
            "wheel centre in the body's frame",
        ),
        field(
            "axis",
            Kind::Axis,
            Need::Default("[0, 1, 0]"),
            "spin axis; turning positively about it rolls forward",
        ),
    ],
};

pub(super) static POINT: Section = Section {
    name: "point",
    about: "a named point whose motion is recorded; elsewhere BODY:POINT means it",
    fields: &[
        field("body", Kind::Text, Need::Default("\"world\""), "the body it is fixed to"),
        field("position", vector(&[&LENGTH]), Need::Derived("the body's origin"), "in the body's frame"),
        field("at", vector(&[&LENGTH]), Need::Optional, "in the machine's frame, all joints at zero"),
    ],
};

pub(super) static VISUAL: Section = Section {
    name: "visual",
    about: "something to draw: one of box, cylinder (about z), sphere, mesh",
    fields: &[
        field("body", Kind::Text, Need::Default("\"world\""), "the body it is fixed to"),
        field("position", vector(&[&LENGTH]), Need::Derived("the body's origin"), "in the body's frame"),
        field("at", vector(&[&LENGTH]), Need::Optional, "in the machine's frame, all joints at zero"),
        field("roll", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about x"),
        field("pitch", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about y"),
        field("yaw", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about z"),
        field(
            "box",
            Kind::Numbers { dims: &[&LENGTH], range: POSITIVE, lengths: &[3] },
            Need::Optional,
            "edge lengths",
        ),
        field(
            "cylinder",
            Kind::Numbers { dims: &[&LENGTH], range: POSITIVE, lengths: &[2] },
            Need::Optional,
            "radius and length",
        ),
        field("sphere", number(&[&LENGTH], POSITIVE), Need::Optional, "radius"),
        field("mesh", Kind::Text, Need::Optional, "an STL, OBJ or glTF file (.stl, .obj, .glb, .gltf)"),
        field(
            "scale",
            Kind::Numbers { dims: &[&NUMBER], range: POSITIVE, lengths: &[1, 3] },
            Need::Default("1"),
            "metres per unit of the mesh file",
        ),
        field(
            "colour",
            Kind::Numbers { dims: &[&NUMBER], range: FRACTION, lengths: &[3, 4] },
            Need::Default("[0.7, 0.7, 0.7]"),
            "red, green, blue and, if not 1, opacity",
        ),
    ],
};
