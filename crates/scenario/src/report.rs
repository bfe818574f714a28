//! Content of the report: as written in the file, and as drawn once the columns of the series are known.
//!
//! The file can omit most settings of a figure; [`Scenario::figures`](crate::Scenario::figures) derives
//! labels, units and factors from the columns.

use touchdown_sim::figure::{Figure, FigureKind, PhaseSpan, Points};

/// Content of the report, as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The answer section.
    pub answer: AnswerRule,
    /// Figures in file order.
    pub figures: Vec<WrittenFigure>,
    /// Parts of the run in file order.
    pub phases: Vec<PhaseSpan>,
}

/// How a question is answered: a quantity, conditions for yes, and texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnswerRule {
    /// The quantity that answers the question.
    pub quantity: Option<String>,
    /// Conditions for yes; without any the answer is a number.
    pub yes_if: Vec<Condition>,
    /// The answer as text; empty if not given.
    pub text: Vec<Piece>,
    /// The same for the answer no.
    pub text_no: Vec<Piece>,
    /// For conditions that compare with values of the unchanged file: the knobs that may be changed.
    pub reference_knobs: Option<Vec<String>>,
}

/// A condition on a quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The quantity, by name.
    pub quantity: String,
    /// The comparison.
    pub relation: Relation,
    /// The limit.
    pub limit: Limit,
}

impl Condition {
    /// Whether it requires something to be true (1) or false (0), such as `docked >= 1`, and the quantity has
    /// such a value.
    pub fn is_of_a_flag(&self, found: f64) -> bool {
        let is_flag = |value: f64| value == 0.0 || value == 1.0;
        is_flag(found)
            && matches!(&self.limit, Limit::Value(value, unit) if unit.is_empty() && is_flag(*value))
    }
}

/// Comparison of a quantity with its limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relation {
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `>=`
    AtLeast,
    /// `= … ±`, with the permitted difference.
    Near(Tolerance),
}

/// Permitted difference of an equality.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// A fraction of the limit.
    Part(f64),
    /// An amount in SI units.
    Amount(f64),
}

/// The limit of a quantity.
#[derive(Clone, Debug, PartialEq)]
pub enum Limit {
    /// A value in SI units, and its unit as written.
    Value(f64, String),
    /// A multiple of a quantity or a knob.
    Named(f64, String),
}

/// A part of an answer text.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Literal text.
    Text(String),
    /// The value of a quantity or knob.
    Value {
        /// Its name.
        name: String,
        /// The unit in which it is printed; its own if empty.
        unit: String,
        /// Significant digits.
        digits: usize,
    },
}

/// A figure as written.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenFigure {
    /// Short name: ASCII letters, digits, hyphens and underscores.
    pub name: String,
    /// Title; may be empty.
    pub title: String,
    /// Paper and figure that it follows; may be empty.
    pub source: String,
    /// The content.
    pub shows: Shows,
}

/// Content of a figure, as written.
#[derive(Clone, Debug, PartialEq)]
pub enum Shows {
    /// Columns of the series, which are looked up when the world is built.
    Lines(LineKeys),
    /// Content that does not depend on columns.
    Other(FigureKind),
}

/// Lines as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineKeys {
    /// Column of the horizontal axis; by default the first one.
    pub x: Option<String>,
    /// Settings of the horizontal axis.
    pub x_axis: AxisKeys,
    /// Columns of the lines; `*` matches any text.
    pub y: Vec<String>,
    /// Settings of the vertical axis.
    pub y_axis: AxisKeys,
    /// Names of the lines; none or as many as there are lines.
    pub labels: Vec<String>,
    /// Measured or published points.
    pub points: Vec<Points>,
}

/// An axis as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AxisKeys {
    /// Its label.
    pub label: Option<String>,
    /// Its unit.
    pub unit: Option<String>,
}

/// The figures of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Those that can be drawn, in the order of the file.
    pub drawn: Vec<Figure>,
    /// Names of those whose `*` matched no column.
    pub left_out: Vec<String>,
}
