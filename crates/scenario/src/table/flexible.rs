//! The table: flexible bodies, their forms and materials, and their contact with the ground.

use super::contact::{EXPONENT, FRICTION, FRICTION_SPEED};
use super::typed::{body_name, choice, count, flag, list, number, quantity, table, text, vector};
use super::{ANY, FrictionWord, NOT_NEGATIVE, POSITIVE, Range, TurnKeys, section, words};
use crate::read::{BodyName, Quantity, Text};
use crate::unit::{
    ANGLE, AREAL_DAMPING, AREAL_STIFFNESS, DENSITY, LENGTH, NUMBER, PRESSURE, SLOWNESS, SPEED, SPIN, TIME,
};
use touchdown_math::Vec3;

const POISSON: Range = Range { min: -0.99, max: 0.499, open: false };
/// Half a turn either way, rad.
const SWEEP: Range = Range { min: -std::f64::consts::PI, max: std::f64::consts::PI, open: false };
const SIZE: Range = Range { min: 0.0, max: 100.0, open: true };
/// Elements in one direction; 10 000 in all are a plate of 100 by 100.
const ELEMENTS: u64 = 1_000;

words! {
    pub(crate) enum FacesWord { Outer = "outer", Lower = "lower", Both = "both" }
}

words! {
    pub(crate) enum FlexibleNormalWord { Linear = "linear", HuntCrossley = "hunt-crossley" }
}

section! {
    /// How a flexible body touches the ground.
    pub(crate) struct FlexibleContactKeys "flexible_contact":
        "points on the outer faces of a flexible body, each pressed on the ground by itself";
    default("10") points: u64 = count(1, 100),
        "points along each element's face (around a wheel): 10 and 10 across are 100 on each";
    filled("points") points_across: u64 = count(1, 100),
        "points across each face: few do where it stays straight";
    default("\"outer\"") faces: FacesWord = choice(),
        "plate: which face touches, outer is the upper one; a wheel touches with its rim";
    chooser("\"linear\"") normal_law: FlexibleNormalWord = choice(),
        "push per area at penetration s: max(0, k s + d s'), or max(0, k s^n (1 + d s'))";
    optional stiffness: f64 = number(&[&AREAL_STIFFNESS], POSITIVE),
        "linear: k per area of the face; a value printed for each of N points of a face of area A is N/A times it";
    derived("zero") damping: Quantity = quantity(&[&AREAL_DAMPING, &SLOWNESS], NOT_NEGATIVE),
        "linear: d per area; hunt-crossley: d in s/m";
    optional coefficient: f64 = number(&[&NUMBER], POSITIVE), "hunt-crossley: k per area, as a plain number in N/m^(n+2)";
    derived("hunt-crossley: 1.5") exponent: f64 = number(&[&NUMBER], EXPONENT), "hunt-crossley: n";
    chooser("\"stick-slip\"") friction_law: FrictionWord = choice(),
        "stick-slip: a spring that slides at the limit, holds at rest; regularised: creeps at rest";
    optional friction: f64 = number(&[&NUMBER], FRICTION), "coefficient mu; stick-slip: at rest";
    derived("10 mm/s, with friction") friction_speed: f64 = number(&[&SPEED], FRICTION_SPEED),
        "regularised: v0; stick-slip: speed over which the coefficient falls";
    derived("stick-slip: friction") friction_min: f64 = number(&[&NUMBER], FRICTION),
        "stick-slip: coefficient at speed";
    derived("stick-slip: stiffness") tangential_stiffness: f64 = number(&[&AREAL_STIFFNESS], POSITIVE),
        "stick-slip: of the springs, per area";
    derived("stick-slip: 5 ms times its stiffness") tangential_damping: f64 = number(&[&AREAL_DAMPING], POSITIVE),
        "stick-slip: of the springs, per area";
}

words! {
    pub(crate) enum FormWord { Plate = "plate", Wheel = "wheel", File = "file" }
}

words! {
    pub(crate) enum LockingWord { None = "none", Split = "split", PlaneStress = "plane-stress", Assumed = "assumed" }
}

words! {
    pub(crate) enum UnitsWord { Metre = "m", Millimetre = "mm" }
}

section! {
    /// Form and material.
    pub(crate) struct FlexibleFormKeys "flexible_form":
        "form and material of flexible bodies: a plate, an airless wheel, or a mesh from a file";
    required kind as "type": FormWord = choice(),
        "plate: flat, from the origin along x and y; wheel: about y, a spoke points down (-z); file: any mesh";
    optional file: Text = text(), "file: a TOML file with nodes, plates, cables, ties and materials, or a shell mesh of Abaqus (.inp), Gmsh (.msh) or VTK (.vtk)";
    derived("m") units: UnitsWord = choice(),
        "file: units of a shell mesh, m (metre, kilogram, pascal) or mm (millimetre, tonne, megapascal)";
    optional hub: Text = text(),
        "file: nodes of a shell mesh that a hub at its origin carries: a node set, a physical group or a point array";
    optional length: f64 = number(&[&LENGTH], SIZE), "plate: along x";
    optional width: f64 = number(&[&LENGTH], SIZE), "plate: along y; wheel: of rim and spokes; file: of a wheel";
    optional thickness: f64 = number(&[&LENGTH], SIZE), "plate: along z, half above and half below; file: of all plates of a shell mesh, instead of what it says";
    default("1") elements_x: u64 = count(1, ELEMENTS), "plate: elements along x";
    default("1") elements_y: u64 = count(1, ELEMENTS), "plate: elements along y";
    optional radius: f64 = number(&[&LENGTH], SIZE),
        "wheel: outer radius; file: with width, the mesh is a wheel about the y axis through its origin, and its plates beyond nine tenths of the radius are the tread";
    optional hub_radius: f64 = number(&[&LENGTH], SIZE), "wheel: where the spokes begin";
    optional rim_thickness: f64 = number(&[&LENGTH], SIZE), "wheel: of the rim";
    optional spoke_thickness: f64 = number(&[&LENGTH], SIZE), "wheel: of the spokes";
    default("1") elements_per_quadrant: u64 = count(1, 64),
        "wheel: rim elements of a quarter turn, and elements along each spoke unless elements_per_spoke says otherwise";
    derived("elements_per_quadrant") elements_per_spoke: u64 = count(1, 64), "wheel: elements along each spoke";
    default("1") elements_across: u64 = count(1, 64), "wheel: elements across the width";
    default("4") spokes: u64 = count(1, 256), "wheel: a divisor of four times elements_per_quadrant";
    default("\"0 deg\"") spoke_sweep: f64 = number(&[&ANGLE], SWEEP),
        "wheel: angle about the hub from the inner to the outer end of a spoke, which is curved in between";
    default("\"0 deg\"") orientation: f64 = number(&[&ANGLE], ANY),
        "wheel, file: turn about y at the start; at zero a spoke of a wheel points down";
    default("0.22") rolling_share: f64 = number(&[&NUMBER], Range { min: 0.0, max: 1.0, open: false }),
        "wheel: share of the deformation by which the rolling radius falls, for drives with rim_speed; 0.22 is what the default wheel rolls";
    optional young_modulus: f64 = number(&[&PRESSURE], POSITIVE), "plate, wheel: E; file: of all plates of a shell mesh, instead of what it says";
    default("0") poisson_ratio: f64 = number(&[&NUMBER], POISSON), "plate, wheel: nu";
    optional density: f64 = number(&[&DENSITY], POSITIVE), "plate, wheel: rho";
    derived("wheel, shell mesh: assumed, plate: none") locking: LockingWord = choice(),
        "remedy against locking, which makes thin plates too stiff: none, split and plane-stress (thickness, with nu above zero), assumed (bending of curved plates with few elements as well)";
    default("\"0 s\"") damping_time: f64 = number(&[&TIME], NOT_NEGATIVE),
        "viscous stress over elastic stress rate; a mode of angular frequency w gets the damping ratio w times half of it";
    optional contact: FlexibleContactKeys = table(), "how it touches the ground; without it falls through";
}

section! {
    /// A point of a flexible body whose motion is recorded.
    pub(crate) struct FlexiblePointKeys "flexible_point":
        "a point of a flexible body whose motion is recorded";
    required place: Vec<f64> = list(&[&NUMBER], Range { min: -0.5, max: 1.0, open: false }, &[2, 3]),
        "shares of length and width from 0 to 1, and of thickness from -0.5 to 0.5; of a plate as a whole, or of the element";
    optional element: u64 = count(0, 1_000_000), "element of a wheel or file, from zero";
}

words! {
    pub(crate) enum HoldWord {
        Nothing = "nothing",
        Edge = "edge",
        EdgePosition = "edge-position",
        Corner = "corner",
    }
}

words! {
    pub(crate) enum CoordinatesWord { Plain = "plain", Cholesky = "cholesky" }
}

section! {
    /// A flexible body.
    pub(crate) struct FlexibleKeys "flexible":
        "a flexible body: free, held in the world, or carried by a body";
    required form: Text = text(), "name of a [flexible_form.NAME]";
    optional body: BodyName = body_name(),
        "the body that carries it: a wheel's hub, or what hold says of a plate, is fixed to it";
    default("false") instead_of_tyres: bool = flag(),
        "a wheel in the place of every tyre (on terrain: of every rigid wheel), named after it; the wheel bodies' masses count the meshes";
    default("false") rigid: bool = flag(),
        "leaves it out, to compare: the rigid wheel or tyre in whose place it would come stays";
    default("false") mass_counts: bool = flag(),
        "the mass of the body counts the mesh: only the rest stays with the body";
    default("\"nothing\"") hold: HoldWord = choice(),
        "plate: what is held by the body or the world: the edge at x = 0 with its slopes, its positions alone, or the position of the corner at the origin";
    derived("the origin of the body or the world") position: Vec3 = vector(&[&LENGTH]), "of the form's frame";
    group turn: TurnKeys;
    optional velocity: Vec3 = vector(&[&SPEED]), "without a body: at the start";
    optional angular_velocity: Vec3 = vector(&[&SPIN]),
        "without a body: at the start, about the form's origin";
    default("\"0 deg\"") rolled: f64 = number(&[&ANGLE], Range { min: -6.0, max: 6.0, open: false }),
        "plate: angle of the arc along x, without stretching, into which it is rolled when it is let go at the start";
    default("\"plain\"") coordinates: CoordinatesWord = choice(),
        "of the state: nodal vectors, or their products with the factor of the mass, in which the mass is the identity";
    named point: FlexiblePointKeys, "a point whose motion is recorded";
}
