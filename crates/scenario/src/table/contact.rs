//! The table: smooth contact of bodies with rigid ground and with each other.

use super::{ANY, Field, Kind, NOT_NEGATIVE, Need, POSITIVE, Range, Section, field, number, vector};
use crate::unit::{ANGLE, DAMPING, Dim, LENGTH, NUMBER, PRESSURE, SLOWNESS, SPEED, STIFFNESS};

/// Ranges of `contact::surface`.
const FRICTION: Range = Range { min: 0.0, max: 10.0, open: false };
const FRICTION_SPEED: Range = Range { min: 0.0, max: 100.0, open: true };
const EXPONENT: Range = Range { min: 1.0, max: 4.0, open: false };
const MOST: u64 = touchdown_contact::surface::MOST as u64;

const PLAIN: &[&Dim] = &[&NUMBER];
const SPEEDS: &[&Dim] = &[&SPEED];

/// Keys of laws that points of flexible bodies have, too.
pub(super) const COEFFICIENT: Field = field(
    "coefficient",
    number(PLAIN, POSITIVE),
    Need::Optional,
    "hunt-crossley: k as a plain number in N/m^n",
);
pub(super) const EXPONENT_OF_LAW: Field =
    field("exponent", number(PLAIN, EXPONENT), Need::Derived("hunt-crossley: 1.5"), "hunt-crossley: n");
pub(super) const COEFFICIENT_OF_FRICTION: Field =
    field("friction", number(PLAIN, FRICTION), Need::Optional, "coefficient mu; stick-slip: at rest");
pub(super) const SPEED_OF_FRICTION: Field = field(
    "friction_speed",
    number(SPEEDS, FRICTION_SPEED),
    Need::Derived("10 mm/s, with friction"),
    "regularised: v0; stick-slip: speed over which the coefficient falls",
);
pub(super) const LEAST_FRICTION: Field = field(
    "friction_min",
    number(PLAIN, FRICTION),
    Need::Derived("stick-slip: friction"),
    "stick-slip: coefficient at speed",
);

/// The other body of a contact.
static OTHER_FORM: Section = Section {
    name: "other_form",
    about: "the form of the other body: one of sphere, ellipsoid, cylinder, torus",
    fields: &[
        field("position", vector(&[&LENGTH]), Need::Derived("the body's origin"), "in the body's frame"),
        field("roll", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about x"),
        field("pitch", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about y"),
        field("yaw", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about z"),
        field("sphere", number(&[&LENGTH], POSITIVE), Need::Optional, "radius"),
        field(
            "ellipsoid",
            Kind::Numbers { dims: &[&LENGTH], range: POSITIVE, lengths: &[3] },
            Need::Optional,
            "half the extents along x, y and z",
        ),
        field(
            "cylinder",
            Kind::Numbers { dims: &[&LENGTH], range: POSITIVE, lengths: &[2] },
            Need::Optional,
            "radius and length of a cylinder about z; it touches with its round side",
        ),
        field(
            "torus",
            Kind::Numbers { dims: &[&LENGTH], range: POSITIVE, lengths: &[2] },
            Need::Optional,
            "radius of the ring about z, and of its tube",
        ),
    ],
};

/// A smooth contact.
pub(super) static CONTACT: Section = Section {
    name: "contact",
    about: "a body that touches rigid ground or another body: one of sphere, ellipsoid, cylinder, torus, box, mesh; \
            compliant, with friction",
    fields: &[
        field("body", Kind::Text, Need::Required, "the body"),
        field("position", vector(&[&LENGTH]), Need::Derived("the body's origin"), "in the body's frame"),
        field("at", vector(&[&LENGTH]), Need::Optional, "in the machine's frame, all joints at zero"),
        field("roll", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about x"),
        field("pitch", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about y"),
        field("yaw", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about z"),
        field(
            "sphere",
            number(&[&LENGTH], POSITIVE),
            Need::Derived("without another form: the body's uniform sphere"),
            "radius",
        ),
        field(
            "ellipsoid",
            Kind::Numbers { dims: &[&LENGTH], range: POSITIVE, lengths: &[3] },
            Need::Optional,
            "half the extents along x, y and z",
        ),
        field(
            "cylinder",
            Kind::Numbers { dims: &[&LENGTH], range: POSITIVE, lengths: &[2] },
            Need::Optional,
            "radius and length of a cylinder about z; it touches with its round side",
        ),
        field(
            "torus",
            Kind::Numbers { dims: &[&LENGTH], range: POSITIVE, lengths: &[2] },
            Need::Optional,
            "radius of the ring about z, and of its tube",
        ),
        field(
            "box",
            Kind::Numbers { dims: &[&LENGTH], range: POSITIVE, lengths: &[3] },
            Need::Optional,
            "edge lengths; it touches with its corners",
        ),
        field("mesh", Kind::Text, Need::Optional, "an STL file, convex or not; it touches with its corners"),
        field(
            "scale",
            Kind::Numbers { dims: &[&NUMBER], range: POSITIVE, lengths: &[1, 3] },
            Need::Default("1"),
            "metres per unit of the mesh file",
        ),
        field("corner_radius", number(&[&LENGTH], POSITIVE), Need::Optional, "box, mesh: rounds the corners"),
        field("other", Kind::Text, Need::Default("\"ground\""), "what it touches: ground, or another body"),
        field("other_form", Kind::Table(&OTHER_FORM), Need::Optional, "the form of the other body"),
        field(
            "normal_law",
            Kind::Choice(&["linear", "hunt-crossley", "hertz"]),
            Need::Default("\"linear\""),
            "push at penetration s: max(0, k s + d s'), max(0, k s^n (1 + d s')), or the latter after Hertz",
        ),
        field("stiffness", number(&[&STIFFNESS], POSITIVE), Need::Optional, "linear: k"),
        field(
            "damping",
            number(&[&DAMPING, &SLOWNESS], NOT_NEGATIVE),
            Need::Derived("zero"),
            "linear: d in N s/m; hunt-crossley, hertz: d in s/m",
        ),
        COEFFICIENT,
        EXPONENT_OF_LAW,
        field(
            "modulus",
            number(&[&PRESSURE], POSITIVE),
            Need::Optional,
            "hertz: E* with 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2",
        ),
        field(
            "friction_law",
            Kind::Choice(&["regularised", "stick-slip", "none"]),
            Need::Default("\"regularised\""),
            "regularised: mu N v/sqrt(v^2 + v0^2), creeps at rest; stick-slip: a spring that slides at the limit, holds at rest",
        ),
        COEFFICIENT_OF_FRICTION,
        SPEED_OF_FRICTION,
        LEAST_FRICTION,
        field(
            "tangential_stiffness",
            number(&[&STIFFNESS], POSITIVE),
            Need::Optional,
            "stick-slip: of the spring",
        ),
        field(
            "tangential_damping",
            number(&[&DAMPING], POSITIVE),
            Need::Optional,
            "stick-slip: of the spring",
        ),
        field(
            "threshold",
            number(&[&LENGTH], POSITIVE),
            Need::Default("\"0.1 m\""),
            "distance below which points that may touch are followed; adaptive steps never approach farther",
        ),
        field(
            "most",
            Kind::Count { min: 1, max: MOST },
            Need::Default("4"),
            "places followed at once, at most",
        ),
    ],
};
