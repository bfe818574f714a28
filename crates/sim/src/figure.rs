//! Figures of a run, in terms of its columns, as requested by a scenario and stored in a run folder.

use serde::{Deserialize, Serialize};

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
    /// Its content.
    pub kind: FigureKind,
}

/// Content of a figure.
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
        /// Measured or published points.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        points: Vec<Points>,
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
    /// A docking tool in a nozzle at several times.
    CaptureSections(Box<CaptureSections>),
}

/// Sections of a docking tool and its nozzle, and the times at which they are drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaptureSections {
    /// Name of the capture tool: its columns are `capture.NAME.*`.
    pub capture: String,
    /// Times, s.
    pub times: Vec<f64>,
    /// Section of the nozzle, m: along its axis from the throat towards the exit, and radius.
    pub nozzle: Vec<[f64; 2]>,
    /// Section of the shoulder with the tool's body, m: forward from the tool's origin, and radius.
    pub shoulder: Vec<[f64; 2]>,
    /// Section of the bolt, likewise.
    pub bolt: Vec<[f64; 2]>,
    /// The crown.
    pub crown: CrownSection,
}

impl CaptureSections {
    /// Columns that it needs.
    pub fn columns(&self) -> Vec<String> {
        let of = ["place_x_m", "place_z_m", "lean_x", "shoulder_travel_m", "crown_travel_m", "crown_axial_n"];
        let own = of.iter().map(|suffix| format!("capture.{}.{suffix}", self.capture));
        std::iter::once("time_s".to_string()).chain(own).collect()
    }
}

/// A crown of wire that spreads over the first part of the travel by which it is drawn back; m.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrownSection {
    /// Of the wire.
    pub wire_radius: f64,
    /// Of its circle when stowed.
    pub stowed_radius: f64,
    /// Of its circle when open.
    pub open_radius: f64,
    /// Its place forward when stowed.
    pub extended: f64,
    /// Travel over which it spreads.
    #[serde(alias = "spread_way")]
    pub spread_travel: f64,
}

/// A line of a figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// Column of the series.
    pub column: String,
    /// Name in the legend.
    pub label: String,
    /// Whether its values were measured: marks, never joined.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub measured: bool,
}

/// Measured or published points, in the units of the axes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Points {
    /// Name in the legend.
    pub label: String,
    /// Where they come from.
    #[serde(default)]
    pub source: String,
    /// Along the horizontal axis.
    pub x: Vec<f64>,
    /// Along the vertical axis.
    pub y: Vec<f64>,
    /// Half of the bars along x; empty where no errors are known.
    #[serde(default)]
    pub x_error: Vec<f64>,
    /// Half of the bars along y; empty where no errors are known.
    #[serde(default)]
    pub y_error: Vec<f64>,
}

impl Points {
    /// Place and half of the bars of each point; a manifest that was changed by hand may have lists of several lengths.
    pub fn each(&self) -> impl Iterator<Item = Point> + '_ {
        let bar =
            |errors: &[f64], k: usize| errors.get(k).copied().filter(|bar| bar.is_finite()).unwrap_or(0.0);
        let points = self.x.iter().zip(&self.y).enumerate();
        let finite = points.filter(|(_, (x, y))| x.is_finite() && y.is_finite());
        finite.map(move |(k, (x, y))| Point {
            at: [*x, *y],
            bars: [bar(&self.x_error, k), bar(&self.y_error, k)],
        })
    }
}

/// A point with half of its error bars.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Its place.
    pub at: [f64; 2],
    /// Half of its bars.
    pub bars: [f64; 2],
}

/// A part of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseSpan {
    /// What happens, in a few words.
    pub label: String,
    /// Beginning, s.
    pub from: f64,
    /// End, s.
    pub to: f64,
}
