//! The table: collision shapes of machines, and their contact with the ground.

use super::typed::{body_name, number, text, texts, vector};
use super::{FormKeys, NOT_NEGATIVE, POSITIVE, Range, TurnKeys, section};
use crate::read::{BodyName, Text};
use crate::unit::{AREAL_DAMPING, AREAL_STIFFNESS, LENGTH, NUMBER};
use touchdown_math::Vec3;

/// Coefficients of friction.
const FRICTION: Range = Range { min: 0.0, max: 10.0, open: false };

section! {
    /// A form of a body that touches the ground.
    pub(crate) struct CollisionKeys "collision":
        "a form with which a body touches the ground: one of box, cylinder (about z), sphere, mesh (its convex hull); bodies with a foot, tyre, wheel or contact of their own touch with that alone";
    required body: BodyName = body_name(), "the body it is fixed to";
    derived("the body's origin") position: Vec3 = vector(&[&LENGTH]), "in the body's frame";
    optional at: Vec3 = vector(&[&LENGTH]), "in the machine's frame, all joints at zero";
    group turn: TurnKeys;
    group form: FormKeys;
}

section! {
    /// Contact of collision shapes with the ground.
    pub(crate) struct TouchKeys "touch":
        "how collision shapes touch the ground: by an elastic layer on rigid ground, or, with a soil, as bodies of surface elements that move through it";
    default("[\"*\"]") bodies: Vec<Text> = texts(),
        "bodies whose shapes touch: full names, * stands for any text; an empty list lets none touch";
    // A layer of foam, 10 mm thick, with a modulus of 0.1 MPa: a body of 30 kg that falls on a side of 0.1 m² is stopped in some 10 ms, ten steps of 1 ms. With ten times the stiffness steps of half a
    // millisecond leave 12 % of the energy of a fall unexplained, with this one 3 %.
    default("\"1e7 N/m^3\"") stiffness: f64 = number(&[&AREAL_STIFFNESS], POSITIVE),
        "rigid ground: of the layer, per area; the default is assumed";
    default("\"1e5 N s/m^3\"") damping: f64 = number(&[&AREAL_DAMPING], NOT_NEGATIVE),
        "rigid ground: of the layer, per area; the default is assumed";
    default("0.6") friction: f64 = number(&[&NUMBER], FRICTION),
        "rigid ground: coefficient at rest and while sliding; the default is assumed";
    derived("that of the feet's law, or of [terrain] without ground") soil: Text = text(),
        "a soil of the library, or a [soil.NAME] of this file";
    derived("the middle one of the three edges of the box around the form") width: f64 = number(&[&LENGTH], POSITIVE),
        "soil: width b of the pressure law";
}
