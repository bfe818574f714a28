//! The table: rigid ground.

use super::typed::{choice, list, number, numbers, text};
use super::{ANY, HillsKeys, MapKeys, POSITIVE, Range, section, words};
use crate::read::Text;
use crate::unit::{ANGLE, CURVATURE, LENGTH};

/// A slope, rad: up to a vertical wall.
const SLOPE: Range = Range { min: 0.0, max: std::f64::consts::FRAC_PI_2, open: false };

words! {
    pub(crate) enum GroundShapeWord {
        Plane = "plane",
        Paraboloid = "paraboloid",
        Expression = "expression",
        Procedural = "procedural",
        Map = "map",
    }
}

words! {
    pub(crate) enum SurfaceWord { Analytic = "analytic", C1 = "c1", C2 = "c2" }
}

words! {
    pub(crate) enum FeetWord { Model = "model", Grid = "grid", Intrusion = "intrusion" }
}

section! {
    /// Rigid ground.
    pub(crate) struct GroundKeys "ground":
        "rigid ground z = f(x, y): a plane, a formula, hills made from the seed, or a map";
    chooser("\"plane\"") shape: GroundShapeWord = choice(),
        "its form; each of the keys below says which form has it";
    default("\"0 m\"") height: f64 = number(&[&LENGTH], ANY),
        "z of the surface at x = y = 0, mean of the hills, or added to expression and map";
    derived("plane: 0 deg") slope: f64 = number(&[&ANGLE], SLOPE), "plane: steepness";
    derived("plane: 0 deg") uphill: f64 = number(&[&ANGLE], ANY),
        "plane: heading in which it rises, from x towards y";
    optional coefficients: Vec<f64> = list(&[&CURVATURE], ANY, &[1, 2]),
        "paraboloid: a and b of z = a x^2 + b y^2, or one number for both; positive is a bowl";
    optional expression: Text = text(),
        "expression: z in metres as a formula of x and y in metres, such as \"0.2 * sin(x) * cos(y)\"";
    group hills: HillsKeys;
    group map: MapKeys;
    derived("c2 for hills and maps, else analytic") surface: SurfaceWord = choice(),
        "how it is evaluated: by its formula, or as a map under smooth patches with continuous slopes (c1) or \
             curvatures too (c2)";
    derived("c1 and c2 of all but a map: 0.1 m") spacing: f64 = number(&[&LENGTH], POSITIVE),
        "distance of the nodes at which formula or hills are sampled";
    derived("c1 and c2 of all but a map: 20 m") size: Vec<f64> = list(&[&LENGTH], POSITIVE, &[1, 2]),
        "how far the sampled map reaches along x and y; there is no ground beyond";
    derived("c1 and c2 of all but a map: the origin") centre: [f64; 2] = numbers(&[&LENGTH], ANY),
        "x and y of the middle of the sampled map";
    default("\"model\"") feet: FeetWord = choice(),
        "how feet press it: by the law of each (model), as bodies on a grid of the feet's soil with this surface, which \
             keeps their footprints (grid), or as bodies that move through that soil in any direction (intrusion); \
             [terrain] gives the grid's numbers and is left out without it";
}
