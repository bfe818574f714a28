//! The table: latches, pairs of magnets, ratchets.

use super::typed::{axis, choice, flag, number, numbers, pair};
use super::{ANY, NOT_NEGATIVE, POSITIVE, Range, section, words};
use crate::read::AttachSpec;
use crate::unit::{ANGLE, DAMPING, FORCE, LENGTH, NUMBER, SPEED, STIFFNESS, TIME, TORSION, TORSION_DAMPING};
use touchdown_math::Vec3;

/// Angles between axes.
const BETWEEN_AXES: Range = Range { min: 0.0, max: std::f64::consts::PI, open: false };

words! {
    pub(crate) enum ClosingWord {
        Inelastic = "inelastic",
        Elastic = "elastic",
    }
}

section! {
    /// A latch.
    pub(crate) struct LatchKeys "latch":
        "holds two frames together once they have met: armed, within reach, square and slow enough; one-way, until it is let go or breaks";
    required between: [AttachSpec; 2] = pair(), "the frames: two bodies, or a body and \"world\"";
    default("[0, 0, 1]") axis: Vec3 = axis(),
        "of both frames, in the machine's frame with all joints at zero: what must agree, and where the hook draws the first body";
    required reach: f64 = number(&[&LENGTH], POSITIVE), "distance of the frames within which it closes";
    default("\"180 deg\"") widest: f64 = number(&[&ANGLE], BETWEEN_AXES), "largest angle between the axes at which it closes";
    derived("any") fastest: f64 = number(&[&SPEED], POSITIVE), "largest speed of the frames at which it closes";
    default("\"inelastic\"") closing: ClosingWord = choice(),
        "inelastic: the relative motion ends at once, by an impulse; elastic: springs and dampers catch it";
    required stiffness: f64 = number(&[&STIFFNESS], POSITIVE), "in all directions, once closed";
    default("\"0 N s/m\"") damping: f64 = number(&[&DAMPING], NOT_NEGATIVE), "in all directions";
    default("\"0 N m/rad\"") turning_stiffness: f64 = number(&[&TORSION], NOT_NEGATIVE),
        "about all axes; 0: a ball and socket";
    default("\"0 N m s/rad\"") turning_damping: f64 = number(&[&TORSION_DAMPING], NOT_NEGATIVE), "about all axes";
    default("\"0 m\"") draw_in: f64 = number(&[&LENGTH], ANY), "how far its hook draws the first body along the axis, once closed";
    default("\"1 s\"") draw_time: f64 = number(&[&TIME], POSITIVE), "how long that takes";
    derived("none") breaks_at: f64 = number(&[&FORCE], POSITIVE), "force at which it breaks permanently";
    default("true") armed: bool = flag(), "whether it closes by itself; false: when its input says 1";
    default("false") input: bool = flag(), "it can be armed (1) and let go (0) while the simulation runs";
}

section! {
    /// A pair of magnets.
    pub(crate) struct MagnetPairKeys "magnet_pair":
        "two magnets as point dipoles: force and torque by distance and angles";
    required between: [AttachSpec; 2] = pair(), "their middles: two bodies, or a body and \"world\"";
    default("[1, 0, 0]") axis: Vec3 = axis(),
        "where both moments point, in the machine's frame with all joints at zero: one behind the other they attract";
    required moments as "moments_a_m2": [f64; 2] = numbers(&[&NUMBER], ANY), "magnetic moments, A m²; a negative one points the other way";
    default("\"0 m\"") size: f64 = number(&[&LENGTH], NOT_NEGATIVE),
        "largest dimension of a magnet, to check that the dipole's law holds; 0: not checked";
    default("false") input: bool = flag(), "its strength can be commanded from -1 to 1 while the simulation runs";
}

words! {
    pub(crate) enum LetsWord {
        Shorten = "shorten",
        Lengthen = "lengthen",
    }
}

section! {
    /// A ratchet.
    pub(crate) struct RatchetKeys "ratchet":
        "a pawl in the teeth of a rack: lets the distance of two points change one way and holds it the other way, tooth by tooth";
    required between: [AttachSpec; 2] = pair(), "its points: two bodies, or a body and \"world\"; the teeth lie along their line";
    default("\"shorten\"") lets: LetsWord = choice(), "shorten: the points may come nearer and are held from parting; lengthen: the reverse";
    required pitch: f64 = number(&[&LENGTH], POSITIVE), "distance of its teeth; one lies where the points are at the start";
    required stiffness: f64 = number(&[&STIFFNESS], POSITIVE), "of pawl and rack, while they hold";
    default("\"0 N s/m\"") damping: f64 = number(&[&DAMPING], NOT_NEGATIVE), "of pawl and rack, while they hold";
    default("true") engaged: bool = flag(), "whether its pawl is in the teeth at the start";
    default("false") input: bool = flag(), "its pawl can be put in (1) and lifted (0) while the simulation runs";
}
