//! The table, part seven: what the report shows — its answer, figures and the phases of a run.

use super::{ANY, Kind, NOT_NEGATIVE, Need, Section, field, number};
use crate::unit::{LENGTH, TIME};

/// The report page.
pub(super) static REPORT: Section = Section {
    name: "report",
    about: "what the report page shows first",
    fields: &[field("answer", Kind::Text, Need::Optional, "the quantity that answers the question")],
};

/// A figure of the report.
pub(super) static FIGURE: Section = Section {
    name: "figure",
    about: "a figure of the report: columns of the series, or the soil at the end of the run",
    fields: &[
        field(
            "kind",
            Kind::Choice(&["lines", "soil-map", "soil-section", "capture-sections"]),
            Need::Default("\"lines\""),
            "columns against time or another column; the soil's change of height from above; its height along a line; sections of a docking tool in a nozzle at several times",
        ),
        field("title", Kind::Text, Need::Derived("made from the axes"), "title"),
        field("source", Kind::Text, Need::Optional, "the paper and figure that it follows"),
        field(
            "x",
            Kind::Text,
            Need::Derived("the first column: time_s, unless a study has none"),
            "lines: column of the horizontal axis",
        ),
        field(
            "x_label",
            Kind::Text,
            Need::Derived("the column's own words"),
            "lines: what the axis shows, without its unit",
        ),
        field(
            "x_unit",
            Kind::Text,
            Need::Derived("the column's own"),
            "lines: unit of the axis, such as min or %",
        ),
        field(
            "y",
            Kind::Texts,
            Need::Optional,
            "lines: the columns; * stands for anything, and a figure whose * finds nothing is left out",
        ),
        field(
            "labels",
            Kind::Texts,
            Need::Derived("what tells the columns apart"),
            "lines: names of the lines, in the order of y",
        ),
        field(
            "y_label",
            Kind::Text,
            Need::Derived("the columns' own words"),
            "lines: what the axis shows, without its unit",
        ),
        field(
            "y_unit",
            Kind::Text,
            Need::Derived("the columns' own"),
            "lines: unit of the axis, such as mm or deg",
        ),
        field("along", Kind::Choice(&["x", "y"]), Need::Derived("x"), "soil-section: direction of the line"),
        field(
            "at",
            number(&[&LENGTH], ANY),
            Need::Derived("0 m"),
            "soil-section: the line's other coordinate: y of a line along x",
        ),
        field("capture", Kind::Text, Need::Optional, "capture-sections: the NAME of [capture_tool.NAME]"),
        field(
            "times",
            Kind::Numbers {
                dims: &[&TIME],
                range: NOT_NEGATIVE,
                lengths: &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
            },
            Need::Optional,
            "capture-sections: when",
        ),
    ],
};

/// A part of the run.
pub(super) static PHASE: Section = Section {
    name: "phase",
    about: "a part of the run, shaded in figures against time; its name or about says what happens",
    fields: &[
        field("from", number(&[&TIME], NOT_NEGATIVE), Need::Required, "its beginning"),
        field("to", number(&[&TIME], NOT_NEGATIVE), Need::Derived("the duration"), "its end"),
    ],
};
