//! The table: devices on the bus — sensors of columns, controllers of inputs.

use super::spacecraft::CLOCK;
use super::{ANY, Kind, NOT_NEGATIVE, Need, Section, field, number};
use crate::unit::{FREQUENCY, NUMBER};

/// Seed of a device.
const SEED: Kind = Kind::Count { min: 0, max: i64::MAX as u64 };

/// A sensor.
pub(super) static SENSOR: Section = Section {
    name: "sensor",
    about: "samples a column at a rate, with bias, noise and resolution in the column's unit; writes the signal sensor.NAME.value with the unit as suffix, which is a column, too",
    fields: &[
        field("column", Kind::Text, Need::Required, "what it samples; touchdown show lists the columns"),
        field("rate", number(&[&FREQUENCY], CLOCK), Need::Required, "samples in time"),
        field(
            "bias",
            number(&[&NUMBER], NOT_NEGATIVE),
            Need::Default("0"),
            "one sigma of the bias, which is drawn once",
        ),
        field("noise", number(&[&NUMBER], NOT_NEGATIVE), Need::Default("0"), "one sigma of each sample"),
        field(
            "resolution",
            number(&[&NUMBER], NOT_NEGATIVE),
            Need::Default("0"),
            "readings are multiples of it; 0: any value",
        ),
        field("seed", SEED, Need::Derived("from the scenario's seed and the name"), "seed of bias and noise"),
    ],
};

/// A controller.
pub(super) static CONTROLLER: Section = Section {
    name: "controller",
    about: "a PID controller: reads a signal, follows a set point, commands an input; writes the signal controller.NAME.output with the input's unit as suffix, which is a column, too",
    fields: &[
        field("reads", Kind::Text, Need::Required, "the signal that it reads"),
        field(
            "set_point",
            Kind::Signal(&[&NUMBER]),
            Need::Optional,
            "what the reading shall be, in its unit, in time",
        ),
        field(
            "set_point_from",
            Kind::Text,
            Need::Optional,
            "the signal of another device to follow, instead of set_point",
        ),
        field("rate", number(&[&FREQUENCY], CLOCK), Need::Required, "how often it acts"),
        field("proportional", number(&[&NUMBER], ANY), Need::Default("0"), "output for each unit of error"),
        field(
            "integral",
            number(&[&NUMBER], ANY),
            Need::Default("0"),
            "output for each unit of error and second; stops at the limits",
        ),
        field(
            "derivative",
            number(&[&NUMBER], ANY),
            Need::Default("0"),
            "output against each unit of the reading's rate",
        ),
        field("offset", number(&[&NUMBER], ANY), Need::Default("0"), "output without error"),
        field(
            "lower",
            number(&[&NUMBER], ANY),
            Need::Derived("the lower limit of the input"),
            "smallest output",
        ),
        field(
            "upper",
            number(&[&NUMBER], ANY),
            Need::Derived("the upper limit of the input"),
            "largest output",
        ),
        field(
            "commands",
            Kind::Text,
            Need::Optional,
            "the input that it commands; none: its output is for other devices",
        ),
    ],
};
