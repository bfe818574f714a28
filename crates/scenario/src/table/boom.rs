//! The table: extendable booms.

use super::typed::{axis, flag, number, pair, signal, table};
use super::{NOT_NEGATIVE, POSITIVE, Range, section};
use crate::read::{AttachSpec, Timed};
use crate::unit::{DAMPING, FORCE, FREQUENCY, LENGTH, NUMBER, RIGIDITY, STIFFNESS};
use touchdown_math::Vec3;

/// Damping ratios.
const RATIO: Range = Range { min: 0.0, max: 2.0, open: false };

section! {
    pub(crate) struct SafetySpringKeys "safety_spring":
        "a preloaded spring in line with a boom: it does not move below its preload, then yields, and rests on its stop after its travel";
    required preload: f64 = number(&[&FORCE], NOT_NEGATIVE), "pull at which it begins to move";
    required stiffness: f64 = number(&[&STIFFNESS], POSITIVE), "while it moves";
    required travel: f64 = number(&[&LENGTH], POSITIVE), "travel to its stop";
    default("\"0 N s/m\"") damping: f64 = number(&[&DAMPING], NOT_NEGATIVE), "while it moves";
    default("\"1 N\"") corner: f64 = number(&[&FORCE], POSITIVE),
        "half-width of the force over which it begins and stops to move";
}

section! {
    /// A boom.
    pub(crate) struct BoomKeys "boom":
        "an elastic boom, clamped in two bodies, whose length is driven: it bends, twists and stretches, and tension stiffens it. It has no mass: give the halves of it to the bodies at its ends";
    required between: [AttachSpec; 2] = pair(),
        "where its root leaves one body and where its tip is clamped in the other";
    default("[0, 0, 1]") axis: Vec3 = axis(),
        "from root to tip, in the machine's frame with all joints at zero: there it is straight";
    required length: Timed = signal(&[&LENGTH]), "its length without load, in time";
    required shortest: f64 = number(&[&LENGTH], POSITIVE), "shortest length";
    required longest: f64 = number(&[&LENGTH], POSITIVE), "longest length";
    required bending_stiffness: f64 = number(&[&RIGIDITY], POSITIVE), "EI";
    required torsion_stiffness: f64 = number(&[&RIGIDITY], POSITIVE), "GJ";
    required axial_stiffness: f64 = number(&[&FORCE], POSITIVE), "EA";
    default("\"0 N s/m\"") axial_damping: f64 = number(&[&DAMPING], NOT_NEGATIVE),
        "of the column along its axis";
    required damping_ratio: f64 = number(&[&NUMBER], RATIO),
        "of the mode at damping_frequency; damping is proportional to stiffness, so other modes have it in proportion to their frequency";
    required damping_frequency: f64 = number(&[&FREQUENCY], POSITIVE), "of that mode";
    filled("length at the start") damping_length: f64 = number(&[&LENGTH], POSITIVE),
        "length at which it has that frequency; elsewhere it is taken to fall with the root of the length";
    optional safety_spring: SafetySpringKeys = table(), "a spring in line with it";
    default("\"20 mm\"") radius: f64 = number(&[&LENGTH], POSITIVE), "of the tube that is drawn";
    default("false") input: bool = flag(),
        "the rate of its length can be commanded while the simulation runs";
}
