//! The table, part six: rigs, test stands that a few numbers describe.

use super::typed::{choice, count, number};
use super::{ANY, NOT_NEGATIVE, POSITIVE, Range, section, words};
use crate::unit::{ANGLE, FORCE, LENGTH, MASS, NUMBER, SPEED, SPIN, TIME};

/// Slip of a driven wheel: at 1 it would turn infinitely fast, at -1 it is dragged at twice its rim's speed.
const SLIP: Range = Range { min: -1.0, max: 0.95, open: true };

/// From travel along the heading of the wheel to travel along its axle, rad.
const SLIP_ANGLE: Range = Range { min: 0.0, max: std::f64::consts::FRAC_PI_2, open: false };

words! {
    pub(crate) enum RigWord {
        SingleWheel = "single-wheel",
        Spin = "spin",
        Footprint = "footprint",
        Plate = "plate",
    }
}

section! {
    /// A test stand.
    pub(crate) struct RigKeys "rig":
        "a test stand in flat soil: bodies, motions, load, windows and answers follow from a few numbers";
    required kind: RigWord = choice(),
        "a wheel at given slip; turned on the spot; rolling while it is lowered steadily; a bevameter's plate";
    optional load: f64 = number(&[&FORCE], POSITIVE), "vertical load; largest load of a plate";
    optional radius: f64 = number(&[&LENGTH], POSITIVE), "radius of the wheel's rim";
    optional width: f64 = number(&[&LENGTH], POSITIVE), "width of the wheel, or of the plate along y";
    optional length: f64 = number(&[&LENGTH], POSITIVE), "plate: length along x";
    derived("none") grousers: u64 = count(0, 1_000), "bars across the rim, how many";
    derived("10 mm") grouser_height: f64 = number(&[&LENGTH], NOT_NEGATIVE),
        "height of the bars above the rim";
    derived("with bekker the height of the grousers, otherwise zero") carried_layer: f64 = number(&[&LENGTH], NOT_NEGATIVE),
        "thickness of the soil that the sliding rim carries away";
    optional slip: f64 = number(&[&NUMBER], SLIP), "single-wheel: 1 - speed/(rim speed)";
    optional rim_speed: f64 = number(&[&SPEED], NOT_NEGATIVE),
        "single-wheel: speed of the rim, in place of slip; 0 is a locked wheel";
    derived("zero") slip_angle: f64 = number(&[&ANGLE], SLIP_ANGLE),
        "single-wheel: angle from the heading of the wheel to its travel";
    optional speed: f64 = number(&[&SPEED], POSITIVE), "single-wheel, footprint: speed of travel";
    optional wheel_speed: f64 = number(&[&SPIN], ANY), "spin: speed of the wheel";
    derived("2 s") spin_time: f64 = number(&[&TIME], POSITIVE), "spin: how long it turns at full speed";
    optional sink_rate: f64 = number(&[&SPEED], POSITIVE), "footprint: speed of lowering";
    derived("single-wheel: two radii more than run_in; footprint: eight radii") travel: f64 = number(&[&LENGTH], POSITIVE),
        "distance of a pass; the part beyond run_in is averaged";
    derived("four radii") run_in: f64 = number(&[&LENGTH], POSITIVE),
        "single-wheel: distance of a pass that is not averaged: the wheel leaves its first footprint";
    derived("1") passes: u64 = count(1, 20),
        "single-wheel: how often it rolls through its rut, lifted and brought back in between";
    derived("zero: edges midway between nodes") shift: f64 = number(&[&LENGTH], ANY),
        "plate: moved along x and y against the grid";
    derived("20") points: u64 = count(2, 10_000), "plate: steps of loading, and as many of unloading";
    derived("10 kg") mass: f64 = number(&[&MASS], POSITIVE),
        "of the carriage, the slide and the wheel or plate, each; steady results do not depend on it";
}
