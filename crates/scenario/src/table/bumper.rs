//! The table: bumpers.

use super::typed::{number, numbers, pair};
use super::{NOT_NEGATIVE, POSITIVE, section};
use crate::read::AttachSpec;
use crate::unit::{DAMPING, LENGTH, STIFFNESS};

section! {
    /// A bumper.
    pub(crate) struct BumperKeys "bumper":
        "two balls that push each other apart by a linear spring and damper along the line of their centres";
    required between: [AttachSpec; 2] = pair(), "centres of the balls: two bodies, or a body and \"world\"";
    required radii: [f64; 2] = numbers(&[&LENGTH], NOT_NEGATIVE),
        "of the first and the second ball; 0 is a point";
    required stiffness: f64 = number(&[&STIFFNESS], POSITIVE), "while they overlap";
    default("\"0 N s/m\"") damping: f64 = number(&[&DAMPING], NOT_NEGATIVE), "while they overlap";
}
