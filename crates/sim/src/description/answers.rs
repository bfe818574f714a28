//! Recording and quantities of a run.

/// Recording options.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordOptions {
    /// Time between rows of the series, s.
    pub series_every: f64,
    /// Time between frames, s.
    pub frames_every: f64,
    /// Wall-clock time between checkpoints, s. Does not change the results.
    pub checkpoint_every: f64,
    /// Whether the wrench through every joint is recorded, six columns a joint.
    pub reactions: bool,
}

impl Default for RecordOptions {
    fn default() -> Self {
        RecordOptions { series_every: 0.01, frames_every: 0.05, checkpoint_every: 30.0, reactions: false }
    }
}

/// A number of the summary: a column of the series, reduced.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// Stable name with its unit, such as `wheel_load_front_left_n`.
    pub name: String,
    /// Column of the series, such as `tyre.front_left.normal_force_n`.
    pub column: String,
    /// How it is reduced.
    pub take: Take,
    /// For [`Take::AtCrossing`]: the column that crosses, and its level.
    pub crossing: Option<(String, f64)>,
    /// Only rows with `from <= t <= to` count, s.
    pub from: f64,
    /// See `from`.
    pub to: f64,
    /// A one-line description.
    pub about: String,
    /// Least scale of its error, in its unit: for values that may be near zero, such as a pull compared with
    /// its load.
    pub scale: Option<f64>,
}

/// How a column becomes a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Take {
    /// Value at the last row of the window.
    End,
    /// Value at the first row of the window.
    Begin,
    /// Largest value.
    Max,
    /// Smallest value.
    Min,
    /// Mean over the rows.
    Mean,
    /// Standard deviation over the rows.
    Deviation,
    /// Last minus first value.
    Change,
    /// Value when another column first reaches a level from below, interpolated between rows. None before that: not a number.
    AtCrossing,
}
