//! The table: extendable booms.

use super::{Kind, NOT_NEGATIVE, Need, POSITIVE, Range, Section, field, number};
use crate::unit::{DAMPING, FORCE, FREQUENCY, LENGTH, NUMBER, RIGIDITY, STIFFNESS};

/// Damping ratios.
const RATIO: Range = Range { min: 0.0, max: 2.0, open: false };

static SAFETY_SPRING: Section = Section {
    name: "safety_spring",
    about: "a preloaded spring in line with a boom: it does not move below its preload, then gives way, and stands at its stop after its travel",
    fields: &[
        field("preload", number(&[&FORCE], NOT_NEGATIVE), Need::Required, "pull at which it begins to move"),
        field("stiffness", number(&[&STIFFNESS], POSITIVE), Need::Required, "while it moves"),
        field("travel", number(&[&LENGTH], POSITIVE), Need::Required, "way to its stop"),
        field("damping", number(&[&DAMPING], NOT_NEGATIVE), Need::Default("\"0 N s/m\""), "while it moves"),
        field(
            "corner",
            number(&[&FORCE], POSITIVE),
            Need::Default("\"1 N\""),
            "half-width of the force over which it begins and stops to move",
        ),
    ],
};

/// A boom.
pub(super) static BOOM: Section = Section {
    name: "boom",
    about: "an elastic boom, clamped in two bodies, whose length is driven: it bends, twists and stretches, and tension stiffens it. It has no mass: give the halves of it to the bodies at its ends",
    fields: &[
        field(
            "between",
            Kind::AttachPair,
            Need::Required,
            "where its root leaves one body and where its tip is clamped in the other",
        ),
        field(
            "axis",
            Kind::Axis,
            Need::Default("[0, 0, 1]"),
            "from root to tip, in the machine's frame with all joints at zero: there it is straight",
        ),
        field("length", Kind::Signal(&[&LENGTH]), Need::Required, "its length without load, in time"),
        field("shortest", number(&[&LENGTH], POSITIVE), Need::Required, "shortest length"),
        field("longest", number(&[&LENGTH], POSITIVE), Need::Required, "longest length"),
        field("bending_stiffness", number(&[&RIGIDITY], POSITIVE), Need::Required, "EI"),
        field("torsion_stiffness", number(&[&RIGIDITY], POSITIVE), Need::Required, "GJ"),
        field("axial_stiffness", number(&[&FORCE], POSITIVE), Need::Required, "EA"),
        field(
            "axial_damping",
            number(&[&DAMPING], NOT_NEGATIVE),
            Need::Default("\"0 N s/m\""),
            "of the column along its axis",
        ),
        field(
            "damping_ratio",
            number(&[&NUMBER], RATIO),
            Need::Required,
            "of the mode at damping_frequency; damping is proportional to stiffness, so other modes have it in proportion to their frequency",
        ),
        field("damping_frequency", number(&[&FREQUENCY], POSITIVE), Need::Required, "of that mode"),
        field(
            "damping_length",
            number(&[&LENGTH], POSITIVE),
            Need::Derived("length at the start"),
            "length at which it has that frequency; elsewhere it is taken to fall with the root of the length",
        ),
        field("safety_spring", Kind::Table(&SAFETY_SPRING), Need::Optional, "a spring in line with it"),
        field(
            "radius",
            number(&[&LENGTH], POSITIVE),
            Need::Default("\"20 mm\""),
            "of the tube that is drawn",
        ),
        field(
            "input",
            Kind::Flag,
            Need::Default("false"),
            "the rate of its length can be commanded while the simulation runs",
        ),
    ],
};
