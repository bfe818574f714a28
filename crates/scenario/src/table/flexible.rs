//! The table: flexible bodies, their forms and materials, and their contact with the ground.

use super::contact::{
    COEFFICIENT, COEFFICIENT_OF_FRICTION, EXPONENT_OF_LAW, LEAST_FRICTION, SPEED_OF_FRICTION,
};
use super::{ANY, Field, Kind, NOT_NEGATIVE, Need, POSITIVE, Range, Section, field, number, vector};
use crate::unit::{
    ANGLE, DAMPING, DENSITY, LENGTH, NUMBER, PRESSURE, SLOWNESS, SPEED, SPIN, STIFFNESS, TIME,
};

const POISSON: Range = Range { min: -0.99, max: 0.499, open: false };
const SIZE: Range = Range { min: 0.0, max: 100.0, open: true };
/// Elements in one direction; 10 000 in all are a plate of 100 by 100.
const ELEMENTS: u64 = 1_000;

/// Flexible bodies in a machine or scenario.
pub(super) const FORMS: Field = field(
    "flexible_form",
    Kind::Map(&FLEXIBLE_FORM),
    Need::Optional,
    "form and material of a kind of flexible body",
);
/// See `FORMS`.
pub(super) const BODIES: Field = field(
    "flexible",
    Kind::Map(&FLEXIBLE),
    Need::Optional,
    "a flexible body: a plate, an airless wheel, a mesh",
);

/// How a flexible body touches the ground.
static FLEXIBLE_CONTACT: Section = Section {
    name: "flexible_contact",
    about: "points on the outer faces of a flexible body, each pressed on the ground by itself",
    fields: &[
        field(
            "points",
            Kind::Count { min: 1, max: 100 },
            Need::Default("10"),
            "points along each element's face (around a wheel): 10 and 10 across are 100 on each",
        ),
        field(
            "points_across",
            Kind::Count { min: 1, max: 100 },
            Need::Derived("points"),
            "points across each face: few do where it stays straight",
        ),
        field(
            "faces",
            Kind::Choice(&["outer", "lower", "both"]),
            Need::Default("\"outer\""),
            "plate: which face touches, outer is the upper one; a wheel touches with its rim",
        ),
        field(
            "normal_law",
            Kind::Choice(&["linear", "hunt-crossley"]),
            Need::Default("\"linear\""),
            "push on a point at penetration s: max(0, k s + d s'), or max(0, k s^n (1 + d s'))",
        ),
        field("stiffness", number(&[&STIFFNESS], POSITIVE), Need::Optional, "linear: k of each point"),
        field(
            "damping",
            number(&[&DAMPING, &SLOWNESS], NOT_NEGATIVE),
            Need::Derived("zero"),
            "linear: d in N s/m; hunt-crossley: d in s/m",
        ),
        COEFFICIENT,
        EXPONENT_OF_LAW,
        field(
            "friction_law",
            Kind::Choice(&["stick-slip", "regularised", "none"]),
            Need::Default("\"stick-slip\""),
            "stick-slip: a spring that slides at the limit, holds at rest; regularised: creeps at rest",
        ),
        COEFFICIENT_OF_FRICTION,
        SPEED_OF_FRICTION,
        LEAST_FRICTION,
        field(
            "tangential_stiffness",
            number(&[&STIFFNESS], POSITIVE),
            Need::Derived("stick-slip: stiffness"),
            "stick-slip: of each point's spring",
        ),
        field(
            "tangential_damping",
            number(&[&DAMPING], POSITIVE),
            Need::Derived("stick-slip: 5 ms times its stiffness"),
            "stick-slip: of each point's spring",
        ),
    ],
};

/// Form and material.
static FLEXIBLE_FORM: Section = Section {
    name: "flexible_form",
    about: "form and material of flexible bodies: a plate, an airless wheel, or a mesh from a file",
    fields: &[
        field(
            "type",
            Kind::Choice(&["plate", "wheel", "file"]),
            Need::Required,
            "plate: flat, from the origin along x and y; wheel: about y, a spoke points down (-z); file: any mesh",
        ),
        field(
            "file",
            Kind::Text,
            Need::Optional,
            "file: a TOML file with nodes, plates, cables, ties and materials",
        ),
        field("length", number(&[&LENGTH], SIZE), Need::Optional, "plate: along x"),
        field("width", number(&[&LENGTH], SIZE), Need::Optional, "plate: along y; wheel: of rim and spokes"),
        field(
            "thickness",
            number(&[&LENGTH], SIZE),
            Need::Optional,
            "plate: along z, half above and half below",
        ),
        field(
            "elements_x",
            Kind::Count { min: 1, max: ELEMENTS },
            Need::Default("1"),
            "plate: elements along x",
        ),
        field(
            "elements_y",
            Kind::Count { min: 1, max: ELEMENTS },
            Need::Default("1"),
            "plate: elements along y",
        ),
        field("radius", number(&[&LENGTH], SIZE), Need::Optional, "wheel: outer radius"),
        field("hub_radius", number(&[&LENGTH], SIZE), Need::Optional, "wheel: where the spokes begin"),
        field("rim_thickness", number(&[&LENGTH], SIZE), Need::Optional, "wheel: of the rim"),
        field("spoke_thickness", number(&[&LENGTH], SIZE), Need::Optional, "wheel: of the spokes"),
        field(
            "elements_per_quadrant",
            Kind::Count { min: 1, max: 64 },
            Need::Default("1"),
            "wheel: rim elements of a quarter turn, and elements along each spoke",
        ),
        field(
            "elements_across",
            Kind::Count { min: 1, max: 64 },
            Need::Default("1"),
            "wheel: elements across the width",
        ),
        field(
            "spokes",
            Kind::Count { min: 1, max: 256 },
            Need::Default("4"),
            "wheel: a divisor of four times elements_per_quadrant",
        ),
        field(
            "orientation",
            number(&[&ANGLE], ANY),
            Need::Default("\"0 deg\""),
            "wheel: turn at the start; at zero a spoke points down",
        ),
        field(
            "rolling_share",
            number(&[&NUMBER], Range { min: 0.0, max: 1.0, open: false }),
            Need::Default("0.22"),
            "wheel: share of the deformation by which the rolling radius falls, for drives with rim_speed; 0.22 is what the default wheel rolls",
        ),
        field("young_modulus", number(&[&PRESSURE], POSITIVE), Need::Optional, "plate, wheel: E"),
        field("poisson_ratio", number(&[&NUMBER], POISSON), Need::Default("0"), "plate, wheel: nu"),
        field("density", number(&[&DENSITY], POSITIVE), Need::Optional, "plate, wheel: rho"),
        field(
            "locking",
            Kind::Choice(&["none", "split", "plane-stress"]),
            Need::Default("\"none\""),
            "remedy against thickness locking of thin plates with nu above zero",
        ),
        field(
            "damping_time",
            number(&[&TIME], NOT_NEGATIVE),
            Need::Default("\"0 s\""),
            "viscous stress over elastic stress rate; a mode of angular frequency w gets the damping ratio w times half of it",
        ),
        field(
            "contact",
            Kind::Table(&FLEXIBLE_CONTACT),
            Need::Optional,
            "how it touches the ground; without it falls through",
        ),
    ],
};

/// A point of a flexible body whose motion is recorded.
static FLEXIBLE_POINT: Section = Section {
    name: "flexible_point",
    about: "a point of a flexible body whose motion is recorded",
    fields: &[
        field(
            "place",
            Kind::Numbers {
                dims: &[&NUMBER],
                range: Range { min: -0.5, max: 1.0, open: false },
                lengths: &[2, 3],
            },
            Need::Required,
            "shares of length and width from 0 to 1, and of thickness from -0.5 to 0.5; of a plate as a whole, or of the element",
        ),
        field(
            "element",
            Kind::Count { min: 0, max: 1_000_000 },
            Need::Optional,
            "element of a wheel or file, from zero",
        ),
    ],
};

/// A flexible body.
static FLEXIBLE: Section = Section {
    name: "flexible",
    about: "a flexible body: free, held in the world, or carried by a body",
    fields: &[
        field("form", Kind::Text, Need::Required, "name of a [flexible_form.NAME]"),
        field(
            "body",
            Kind::Text,
            Need::Optional,
            "the body that carries it: a wheel's hub, or what hold says of a plate, is fixed to it",
        ),
        field(
            "instead_of_tyres",
            Kind::Flag,
            Need::Default("false"),
            "a wheel in the place of every tyre, named after it; the wheel bodies' masses count the meshes",
        ),
        field(
            "rigid",
            Kind::Flag,
            Need::Default("false"),
            "leaves it out, to compare: the rigid wheel or tyre in whose place it would come stays",
        ),
        field(
            "mass_counts",
            Kind::Flag,
            Need::Default("false"),
            "the mass of the body counts the mesh: only the rest stays with the body",
        ),
        field(
            "hold",
            Kind::Choice(&["nothing", "edge", "edge-position", "corner"]),
            Need::Default("\"nothing\""),
            "plate: what is held by the body or the world: the edge at x = 0 with its slopes, its positions alone, or the position of the corner at the origin",
        ),
        field(
            "position",
            vector(&[&LENGTH]),
            Need::Derived("the origin of the body or the world"),
            "of the form's frame",
        ),
        field("roll", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about x"),
        field("pitch", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about y"),
        field("yaw", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about z"),
        field("velocity", vector(&[&SPEED]), Need::Optional, "without a body: at the start"),
        field(
            "angular_velocity",
            vector(&[&SPIN]),
            Need::Optional,
            "without a body: at the start, about the form's origin",
        ),
        field(
            "rolled",
            number(&[&ANGLE], Range { min: -6.0, max: 6.0, open: false }),
            Need::Default("\"0 deg\""),
            "plate: angle of the arc along x, without stretching, into which it is rolled when it is let go at the start",
        ),
        field(
            "coordinates",
            Kind::Choice(&["plain", "cholesky"]),
            Need::Default("\"plain\""),
            "of the state: nodal vectors, or their products with the factor of the mass, in which the mass is the identity",
        ),
        field("point", Kind::Map(&FLEXIBLE_POINT), Need::Optional, "a point whose motion is recorded"),
    ],
};
