//! The table: rigid ground.

use super::{ANY, Kind, Need, POSITIVE, Range, Section, field, hills, map, number};
use crate::unit::{ANGLE, CURVATURE, LENGTH};

/// A slope, rad: up to a vertical wall.
const SLOPE: Range = Range { min: 0.0, max: std::f64::consts::FRAC_PI_2, open: false };

/// Ground that does not give way.
pub(super) static GROUND: Section = Section {
    name: "ground",
    about: "rigid ground z = f(x, y): a plane, a formula, hills made from the seed, or a map",
    fields: &[
        field(
            "shape",
            Kind::Choice(&["plane", "paraboloid", "expression", "procedural", "map"]),
            Need::Default("\"plane\""),
            "its form; each of the keys below says which form has it",
        ),
        field(
            "height",
            number(&[&LENGTH], ANY),
            Need::Default("\"0 m\""),
            "z of the surface at x = y = 0, mean of the hills, or added to expression and map",
        ),
        field("slope", number(&[&ANGLE], SLOPE), Need::Derived("plane: 0 deg"), "plane: steepness"),
        field(
            "uphill",
            number(&[&ANGLE], ANY),
            Need::Derived("plane: 0 deg"),
            "plane: heading in which it rises, from x towards y",
        ),
        field(
            "coefficients",
            Kind::Numbers { dims: &[&CURVATURE], range: ANY, lengths: &[1, 2] },
            Need::Optional,
            "paraboloid: a and b of z = a x^2 + b y^2, or one number for both; positive is a bowl",
        ),
        field(
            "expression",
            Kind::Text,
            Need::Optional,
            "expression: z in metres as a formula of x and y in metres, such as \"0.2 * sin(x) * cos(y)\"",
        ),
        hills::WAVELENGTH,
        hills::AMPLITUDE,
        hills::OCTAVES,
        map::FILE,
        map::ORIGIN,
        map::ZERO,
        map::CROP,
        map::CROP_NODES,
        map::NO_DATA,
        map::FILL,
        map::MAP_SPACING,
        map::MAP_SCALE,
        map::MAP_OFFSET,
        map::FIRST_ROW,
        field(
            "surface",
            Kind::Choice(&["analytic", "c1", "c2"]),
            Need::Derived("c2 for hills and maps, else analytic"),
            "how it is evaluated: by its formula, or as a map under smooth patches with continuous slopes (c1) or \
             curvatures too (c2)",
        ),
        field(
            "spacing",
            number(&[&LENGTH], POSITIVE),
            Need::Derived("c1 and c2 of all but a map: 0.1 m"),
            "distance of the nodes at which formula or hills are sampled",
        ),
        field(
            "size",
            Kind::Numbers { dims: &[&LENGTH], range: POSITIVE, lengths: &[1, 2] },
            Need::Derived("c1 and c2 of all but a map: 20 m"),
            "how far the sampled map reaches along x and y; there is no ground beyond",
        ),
        field(
            "centre",
            Kind::Numbers { dims: &[&LENGTH], range: ANY, lengths: &[2] },
            Need::Derived("c1 and c2 of all but a map: the origin"),
            "x and y of the middle of the sampled map",
        ),
        field(
            "feet",
            Kind::Choice(&["model", "grid"]),
            Need::Default("\"model\""),
            "how feet press it: by the law of each, or as bodies on a grid of the feet's soil with this surface, which \
             keeps their footprints; [terrain] gives the grid's numbers and is left out with model",
        ),
    ],
};
