//! What the report should show: as written in the file, and, once the columns of the series are known, as it is drawn.
//!
//! The file may leave out nearly everything of a figure; [`Scenario::figures`](crate::Scenario::figures) makes labels, units and factors from the columns.

/// What the report should show, as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The quantity that answers the question.
    pub answer: Option<String>,
    /// Figures in the order of the file.
    pub figures: Vec<Figure<LineKeys>>,
    /// Parts of the run, in the order of the file.
    pub phases: Vec<Phase>,
}

/// A part of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// What happens, in a few words.
    pub label: String,
    /// Beginning, s.
    pub from: f64,
    /// End, s.
    pub to: f64,
}

/// A figure; `L` is how its lines are given: [`LineKeys`] as written, [`Lines`] as drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure<L = Lines> {
    /// Short name: ASCII letters, digits, hyphens and underscores.
    pub name: String,
    /// Title; as written it may be empty.
    pub title: String,
    /// Paper and figure that it follows; may be empty.
    pub source: String,
    /// What is drawn.
    pub drawn: Drawn<L>,
}

/// What a figure draws.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawn<L> {
    /// Columns of the series.
    Lines(L),
    /// The soil's surface at the end from above.
    SoilMap,
    /// The soil's surface at the end along a straight line.
    SoilSection {
        /// Whether the line runs along x (else along y).
        along_x: bool,
        /// The other coordinate of the line, m.
        at: f64,
    },
    /// A docking tool in a nozzle at several times.
    CaptureSections(Box<CaptureSections>),
}

/// Sections of a docking tool and its nozzle.
#[derive(Clone, Debug, PartialEq)]
pub struct CaptureSections {
    /// Name of the capture tool.
    pub capture: String,
    /// Times, s.
    pub times: Vec<f64>,
    /// Outlines (along the axis, radius), m: nozzle from its throat, shoulder and bolt from the tool's origin.
    pub nozzle: Vec<[f64; 2]>,
    /// Shoulder with body.
    pub shoulder: Vec<[f64; 2]>,
    /// Bolt.
    pub bolt: Vec<[f64; 2]>,
    /// The crown.
    pub crown: touchdown_spacecraft::capture::Crown,
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
}

/// An axis as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AxisKeys {
    /// What it shows.
    pub label: Option<String>,
    /// Its unit.
    pub unit: Option<String>,
}

/// Lines as drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    /// Column of the horizontal axis.
    pub x: String,
    /// The horizontal axis.
    pub x_axis: Axis,
    /// The vertical axis.
    pub y_axis: Axis,
    /// The lines.
    pub traces: Vec<Trace>,
}

/// An axis as drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it shows, without its unit.
    pub label: String,
    /// Its unit as printed; empty for pure numbers.
    pub unit: String,
    /// Factor from the column's unit to this one.
    pub scale: f64,
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Column of the series.
    pub column: String,
    /// Its name in the legend.
    pub label: String,
}

/// The figures of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Those that can be drawn, in the order of the file.
    pub drawn: Vec<Figure>,
    /// Names of those whose `*` found no column.
    pub left_out: Vec<String>,
}
