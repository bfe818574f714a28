//! The table, part six: rigs, test stands that a few numbers describe.

use super::{ANY, Kind, NOT_NEGATIVE, Need, POSITIVE, Range, Section, field, number};
use crate::unit::{FORCE, LENGTH, MASS, NUMBER, SPEED, SPIN, TIME};

/// Slip of a driven wheel: at 1 it would turn infinitely fast, at -1 it is dragged at twice its rim's speed.
const SLIP: Range = Range { min: -1.0, max: 0.95, open: true };

/// A test stand.
pub(super) static RIG: Section = Section {
    name: "rig",
    about: "a test stand in flat soil: bodies, motions, load, windows and answers follow from a few numbers",
    fields: &[
        field(
            "kind",
            Kind::Choice(&["single-wheel", "spin", "footprint", "plate"]),
            Need::Required,
            "a wheel at given slip; turned on the spot; rolling while it is lowered steadily; a bevameter's plate",
        ),
        field("load", number(&[&FORCE], POSITIVE), Need::Optional, "vertical load; largest load of a plate"),
        field("radius", number(&[&LENGTH], POSITIVE), Need::Optional, "radius of the wheel's rim"),
        field(
            "width",
            number(&[&LENGTH], POSITIVE),
            Need::Optional,
            "width of the wheel, or of the plate along y",
        ),
        field("length", number(&[&LENGTH], POSITIVE), Need::Optional, "plate: length along x"),
        field(
            "grousers",
            Kind::Count { min: 0, max: 1_000 },
            Need::Derived("none"),
            "bars across the rim, how many",
        ),
        field(
            "grouser_height",
            number(&[&LENGTH], NOT_NEGATIVE),
            Need::Derived("10 mm"),
            "height of the bars above the rim",
        ),
        field(
            "carried_layer",
            number(&[&LENGTH], NOT_NEGATIVE),
            Need::Derived("the height of the grousers, zero if there are none"),
            "thickness of the soil that the sliding rim carries away",
        ),
        field("slip", number(&[&NUMBER], SLIP), Need::Optional, "single-wheel: 1 - speed/(rim speed)"),
        field(
            "speed",
            number(&[&SPEED], POSITIVE),
            Need::Optional,
            "single-wheel, footprint: speed of travel",
        ),
        field("wheel_speed", number(&[&SPIN], ANY), Need::Optional, "spin: speed of the wheel"),
        field(
            "spin_time",
            number(&[&TIME], POSITIVE),
            Need::Derived("2 s"),
            "spin: how long it turns at full speed",
        ),
        field("sink_rate", number(&[&SPEED], POSITIVE), Need::Optional, "footprint: speed of lowering"),
        field(
            "travel",
            number(&[&LENGTH], POSITIVE),
            Need::Derived("single-wheel: two radii more than run_in; footprint: eight radii"),
            "distance of a pass; what lies beyond run_in is averaged",
        ),
        field(
            "run_in",
            number(&[&LENGTH], POSITIVE),
            Need::Derived("four radii"),
            "single-wheel: distance of a pass that is not averaged: the wheel leaves its first footprint",
        ),
        field(
            "passes",
            Kind::Count { min: 1, max: 20 },
            Need::Derived("1"),
            "single-wheel: how often it rolls through its rut, lifted and brought back in between",
        ),
        field(
            "shift",
            number(&[&LENGTH], ANY),
            Need::Derived("zero: edges midway between nodes"),
            "plate: moved along x and y against the grid",
        ),
        field(
            "points",
            Kind::Count { min: 2, max: 10_000 },
            Need::Derived("20"),
            "plate: loads on the way up, and as many on the way down",
        ),
        field(
            "mass",
            number(&[&MASS], POSITIVE),
            Need::Derived("10 kg"),
            "of the carriage, the slide and the wheel or plate, each; steady results do not depend on it",
        ),
    ],
};
