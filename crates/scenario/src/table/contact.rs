//! The table: smooth contact of bodies with rigid ground and with each other.

use super::typed::{
    body_name, choice, count, list, number, numbers, quantity, table, text, vector, vector_in,
};
use super::{NOT_NEGATIVE, POSITIVE, Range, TurnKeys, section, words};
use crate::read::{BodyName, Quantity, Text};
use crate::unit::{DAMPING, Dim, LENGTH, NUMBER, PRESSURE, SLOWNESS, SPEED, STIFFNESS};
use touchdown_math::Vec3;

/// Ranges of `contact::surface`.
pub(super) const FRICTION: Range = Range { min: 0.0, max: 10.0, open: false };
pub(super) const FRICTION_SPEED: Range = Range { min: 0.0, max: 100.0, open: true };
pub(super) const EXPONENT: Range = Range { min: 1.0, max: 4.0, open: false };
const MOST: u64 = touchdown_contact::surface::MOST as u64;

const PLAIN: &[&Dim] = &[&NUMBER];
const SPEEDS: &[&Dim] = &[&SPEED];

section! {
    /// The other body of a contact.
    pub(crate) struct OtherFormKeys "other_form":
        "the form of the other body: one of sphere, ellipsoid, cylinder, torus";
    derived("the body's origin") position: Vec3 = vector(&[&LENGTH]), "in the body's frame";
    group turn: TurnKeys;
    optional sphere: f64 = number(&[&LENGTH], POSITIVE), "radius";
    optional ellipsoid: Vec3 = vector_in(&[&LENGTH], POSITIVE), "half the extents along x, y and z";
    optional cylinder: [f64; 2] = numbers(&[&LENGTH], POSITIVE),
        "radius and length of a cylinder about z; it touches with its round side, rims and ends";
    optional torus: [f64; 2] = numbers(&[&LENGTH], POSITIVE), "radius of the ring about z, and of its tube";
}

words! {
    pub(crate) enum NormalWord { Linear = "linear", HuntCrossley = "hunt-crossley", Hertz = "hertz" }
}

words! {
    pub(crate) enum SmoothFrictionWord {
        Regularised = "regularised",
        StickSlip = "stick-slip",
        None = "none",
    }
}

section! {
    /// A smooth contact.
    pub(crate) struct ContactKeys "contact":
        "a body that touches rigid ground or another body: one of sphere, ellipsoid, cylinder, torus, box, mesh; \
            compliant, with friction";
    required body: BodyName = body_name(), "the body";
    derived("the body's origin") position: Vec3 = vector(&[&LENGTH]), "in the body's frame";
    optional at: Vec3 = vector(&[&LENGTH]), "in the machine's frame, all joints at zero";
    group turn: TurnKeys;
    derived("without another form: the body's uniform sphere") sphere: f64 = number(&[&LENGTH], POSITIVE),
        "radius";
    optional ellipsoid: Vec3 = vector_in(&[&LENGTH], POSITIVE), "half the extents along x, y and z";
    optional cylinder: [f64; 2] = numbers(&[&LENGTH], POSITIVE),
        "radius and length of a cylinder about z; it touches with its round side, rims and ends";
    optional torus: [f64; 2] = numbers(&[&LENGTH], POSITIVE), "radius of the ring about z, and of its tube";
    optional cuboid as "box": Vec3 = vector_in(&[&LENGTH], POSITIVE),
        "edge lengths; it touches with its corners, and with edges and faces where ridges and peaks are";
    optional mesh: Text = text(), "an STL file, convex or not; it touches as a box does";
    default("1") scale: Vec<f64> = list(&[&NUMBER], POSITIVE, &[1, 3]), "metres per unit of the mesh file";
    optional corner_radius: f64 = number(&[&LENGTH], POSITIVE), "box, mesh: rounds corners, edges and faces";
    default("\"ground\"") other: BodyName = body_name(), "what it touches: ground, or another body";
    optional other_form: OtherFormKeys = table(), "the form of the other body";
    chooser("\"linear\"") normal_law: NormalWord = choice(),
        "push at penetration s: max(0, k s + d s'), max(0, k s^n (1 + d s')), or the latter after Hertz";
    optional stiffness: f64 = number(&[&STIFFNESS], POSITIVE), "linear: k";
    derived("zero") damping: Quantity = quantity(&[&DAMPING, &SLOWNESS], NOT_NEGATIVE),
        "linear: d in N s/m; hunt-crossley, hertz: d in s/m";
    optional coefficient: f64 = number(PLAIN, POSITIVE), "hunt-crossley: k as a plain number in N/m^n";
    derived("hunt-crossley: 1.5") exponent: f64 = number(PLAIN, EXPONENT), "hunt-crossley: n";
    optional modulus: f64 = number(&[&PRESSURE], POSITIVE),
        "hertz: E* with 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2";
    chooser("\"regularised\"") friction_law: SmoothFrictionWord = choice(),
        "regularised: mu N v/sqrt(v^2 + v0^2), creeps at rest; stick-slip: a spring that slides at the limit, holds at rest";
    optional friction: f64 = number(PLAIN, FRICTION), "coefficient mu; stick-slip: at rest";
    derived("10 mm/s, with friction") friction_speed: f64 = number(SPEEDS, FRICTION_SPEED),
        "regularised: v0; stick-slip: speed over which the coefficient falls";
    derived("stick-slip: friction") friction_min: f64 = number(PLAIN, FRICTION),
        "stick-slip: coefficient at speed";
    optional tangential_stiffness: f64 = number(&[&STIFFNESS], POSITIVE), "stick-slip: of the spring";
    optional tangential_damping: f64 = number(&[&DAMPING], POSITIVE), "stick-slip: of the spring";
    default("\"0.1 m\"") threshold: f64 = number(&[&LENGTH], POSITIVE),
        "distance below which points that may touch are followed; adaptive steps never approach farther";
    default("4") most: u64 = count(1, MOST), "places followed at once, at most";
}
