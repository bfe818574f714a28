//! The table: bumpers.

use super::{Kind, NOT_NEGATIVE, Need, POSITIVE, Section, field, number};
use crate::unit::{DAMPING, LENGTH, STIFFNESS};

/// A bumper.
pub(super) static BUMPER: Section = Section {
    name: "bumper",
    about: "two balls that push each other apart by a linear spring and damper along the line of their centres",
    fields: &[
        field(
            "between",
            Kind::AttachPair,
            Need::Required,
            "centres of the balls: two bodies, or a body and \"world\"",
        ),
        field(
            "radii",
            Kind::Numbers { dims: &[&LENGTH], range: NOT_NEGATIVE, lengths: &[2] },
            Need::Required,
            "of the first and the second ball; 0 is a point",
        ),
        field("stiffness", number(&[&STIFFNESS], POSITIVE), Need::Required, "while they overlap"),
        field(
            "damping",
            number(&[&DAMPING], NOT_NEGATIVE),
            Need::Default("\"0 N s/m\""),
            "while they overlap",
        ),
    ],
};
