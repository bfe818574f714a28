//! The table, part seven: what the report shows — its answer, figures and the phases of a run.

use super::typed::{choice, list, number, text, texts};
use super::{ANY, NOT_NEGATIVE, section, words};
use crate::read::Text;
use crate::unit::{LENGTH, TIME};

section! {
    /// The report page.
    pub(crate) struct ReportKeys "report": "what the report page shows first";
    optional answer: Text = text(), "the quantity that answers the question";
    optional yes_if: Vec<Text> = texts(),
        "conditions that must all hold for the answer to be yes: \"margin_m > 0 m\", \"speed_m_per_s = speed_wanted ± 5 %\"; \
             a quantity, then <, <=, >, >= or =, then a value with its unit, a quantity or a knob (also 0.9 * NAME). \
             Without any the answer is a number";
    optional text: Text = text(),
        "the answer in words: {NAME} is a quantity or a knob, {NAME:mm} the same in that unit, {NAME:mm:3} with three digits";
    derived("text") text_no: Text = text(), "the same where the answer is no";
    optional reference_knobs: Vec<Text> = texts(),
        "where yes_if compares with values of the file as it stands: the only knobs that may be turned; the answer is \
             undecided with any other";
}

words! {
    pub(crate) enum FigureWord {
        Lines = "lines",
        SoilMap = "soil-map",
        SoilSection = "soil-section",
        CaptureSections = "capture-sections",
    }
}

words! {
    pub(crate) enum AlongWord { X = "x", Y = "y" }
}

section! {
    /// A figure of the report.
    pub(crate) struct FigureKeys "figure":
        "a figure of the report: columns of the series, or the soil at the end of the run";
    chooser("\"lines\"") kind: FigureWord = choice(),
        "columns against time or another column; the soil's change of height from above; its height along a line; sections of a docking tool in a nozzle at several times";
    derived("made from the axes") title: Text = text(), "title";
    optional source: Text = text(), "the paper and figure that it follows";
    derived("the first column: time_s, unless a study has none") x: Text = text(),
        "lines: column of the horizontal axis";
    derived("the column's own words") x_label: Text = text(), "lines: what the axis shows, without its unit";
    derived("the column's own") x_unit: Text = text(), "lines: unit of the axis, such as min or %";
    optional y: Vec<Text> = texts(),
        "lines: the columns; * stands for any text, and a figure whose * matches nothing is omitted";
    derived("the parts of the names that differ") labels: Vec<Text> = texts(),
        "lines: names of the lines, in the order of y";
    derived("the columns' own words") y_label: Text = text(), "lines: what the axis shows, without its unit";
    derived("the columns' own") y_unit: Text = text(), "lines: unit of the axis, such as mm or deg";
    derived("x") along: AlongWord = choice(), "soil-section: direction of the line";
    derived("0 m") at: f64 = number(&[&LENGTH], ANY),
        "soil-section: the line's other coordinate: y of a line along x";
    optional data: Text = text(),
        "lines: a CSV file of measured or published points, drawn as marks that are never joined: columns x and y in the units of the axes, \
             and where known x_error and y_error (half of the error bars) and set (their name); a comment at the top (#) names their source";
    optional capture: Text = text(), "capture-sections: the NAME of [capture_tool.NAME]";
    optional times: Vec<f64> = list(&[&TIME], NOT_NEGATIVE, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
        "capture-sections: when";
}

section! {
    /// A part of the run.
    pub(crate) struct PhaseKeys "phase":
        "a part of the run, shaded in figures against time; its name or about says what happens";
    required from: f64 = number(&[&TIME], NOT_NEGATIVE), "its beginning";
    filled("the duration") to: f64 = number(&[&TIME], NOT_NEGATIVE), "its end";
}
