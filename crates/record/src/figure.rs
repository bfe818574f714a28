//! What a report shows: the question, the quantity that answers it, figures and phases. Part of the manifest, so that a report
//! can be made again from the folder alone.

use serde::{Deserialize, Serialize};

/// What the report of a scenario shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReportSpec {
    /// What the scenario answers.
    #[serde(default)]
    pub question: String,
    /// The paper and figure it follows.
    #[serde(default)]
    pub reproduces: String,
    /// Name of the quantity that answers the question; empty if there is none.
    #[serde(default)]
    pub answer: String,
    /// Figures in the order of the page.
    #[serde(default)]
    pub figures: Vec<Figure>,
    /// Parts of the run, shaded in figures against time.
    #[serde(default)]
    pub phases: Vec<Phase>,
}

/// A figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Short name: letters, digits and hyphens; the name of its file.
    pub name: String,
    /// Title.
    pub title: String,
    /// Paper and figure that it reproduces; may be empty.
    #[serde(default)]
    pub source: String,
    /// What is drawn.
    pub kind: FigureKind,
}

/// What a figure draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum FigureKind {
    /// Columns of the series against the time or another column.
    Lines {
        /// Column of the horizontal axis, such as `time_s`.
        x: String,
        /// What the horizontal axis shows, without its unit.
        x_label: String,
        /// Unit of the horizontal axis, as printed.
        x_unit: String,
        /// Factor from the column's unit (SI) to the axis's.
        x_scale: f64,
        /// What the vertical axis shows, without its unit.
        y_label: String,
        /// Unit of the vertical axis, as printed.
        y_unit: String,
        /// Factor from the columns' unit (SI) to the axis's.
        y_scale: f64,
        /// Lines.
        traces: Vec<Trace>,
    },
    /// The soil's surface at the end seen from above, coloured by its change of height.
    SoilMap,
    /// The soil's surface at the end along a straight line.
    SoilSection {
        /// Whether the line runs along x (else along y).
        along_x: bool,
        /// The other coordinate of the line, m.
        at: f64,
    },
}

/// A line of a figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// Column of the series.
    pub column: String,
    /// Name in the legend.
    pub label: String,
}

/// A part of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// What happens, in a few words.
    pub label: String,
    /// Beginning, s.
    pub from: f64,
    /// End, s.
    pub to: f64,
}
