//! What the report should show: as written in the file, and, once the columns of the series are known, as it is drawn.
//!
//! The file may leave out nearly everything of a figure; [`Scenario::figures`](crate::Scenario::figures) makes labels, units and factors from the columns.

use touchdown_sim::figure::{Figure, FigureKind, PhaseSpan, Points};

/// What the report should show, as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// How the question is answered.
    pub answer: AnswerRule,
    /// Figures in the order of the file.
    pub figures: Vec<WrittenFigure>,
    /// Parts of the run, in the order of the file.
    pub phases: Vec<PhaseSpan>,
}

/// How a question is answered: a quantity, conditions for yes, and words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnswerRule {
    /// The quantity that answers the question.
    pub quantity: Option<String>,
    /// What must hold for yes; without any the answer is a number.
    pub yes_if: Vec<Condition>,
    /// The answer in words; empty if none are given.
    pub text: Vec<Piece>,
    /// The same where the answer is no.
    pub text_no: Vec<Piece>,
    /// Where conditions compare with values of the file as it stands: the knobs that may be turned.
    pub reference_knobs: Option<Vec<String>>,
}

/// A condition on a quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The quantity, by name.
    pub quantity: String,
    /// How it must compare.
    pub relation: Relation,
    /// What it is compared with.
    pub limit: Limit,
}

impl Condition {
    /// Whether it asks for something that is (1) or is not (0), such as `docked >= 1`, and got such a value.
    pub fn is_of_a_flag(&self, found: f64) -> bool {
        let is_flag = |value: f64| value == 0.0 || value == 1.0;
        is_flag(found)
            && matches!(&self.limit, Limit::Value(value, unit) if unit.is_empty() && is_flag(*value))
    }
}

/// How a quantity must compare with its limit.
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
    /// `= … ±`, with the largest difference.
    Near(Tolerance),
}

/// The largest difference that counts as equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// A part of the limit.
    Part(f64),
    /// An amount in SI units.
    Amount(f64),
}

/// What a quantity is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Limit {
    /// A value in SI units, and the unit in which it was written.
    Value(f64, String),
    /// So many times a quantity or a knob.
    Named(f64, String),
}

/// A part of an answer in words.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// As it stands.
    Text(String),
    /// The value of a quantity or knob.
    Value {
        /// Its name.
        name: String,
        /// The unit in which it is shown; its own if empty.
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
    /// What is drawn.
    pub shows: Shows,
}

/// What a figure draws, as written.
#[derive(Clone, Debug, PartialEq)]
pub enum Shows {
    /// Columns of the series, which are looked up when the world stands.
    Lines(LineKeys),
    /// What needs no column to be known.
    Other(FigureKind),
}

/// Lines as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineKeys {
    /// Column of the horizontal axis; the first one if it is missing.
    pub x: Option<String>,
    /// What is written about the horizontal axis.
    pub x_axis: AxisKeys,
    /// Columns of the lines; `*` stands for anything.
    pub y: Vec<String>,
    /// What is written about the vertical axis.
    pub y_axis: AxisKeys,
    /// Names of the lines; none or as many as there are lines.
    pub labels: Vec<String>,
    /// Measured or published points.
    pub points: Vec<Points>,
}

/// An axis as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AxisKeys {
    /// What it shows.
    pub label: Option<String>,
    /// Its unit.
    pub unit: Option<String>,
}

/// The figures of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Those that can be drawn, in the order of the file.
    pub drawn: Vec<Figure>,
    /// Names of those whose `*` found no column.
    pub left_out: Vec<String>,
}
