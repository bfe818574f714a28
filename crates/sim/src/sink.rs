//! Destination of results: the step loop sends rows, frames and checkpoints to a [`Sink`] and does not access
//! files.

use std::borrow::Cow;
use touchdown_math::Vec3;

/// A column of the series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Dotted name ending in its unit, such as `tyre.front_left.normal_force_n`.
    pub name: String,
    /// Unit as printed, such as `N`; `1` where there is none.
    pub unit: &'static str,
    /// Frame of expression: `world`, `ground`, `joint`, or `-` for scalars.
    pub frame: &'static str,
    /// What it is, in one line.
    pub about: String,
}

impl Column {
    /// A number that belongs to no frame.
    pub fn scalar(name: &str, unit: &'static str, about: &str) -> Column {
        Column { name: name.into(), unit, frame: "-", about: about.into() }
    }
}

/// Columns that were renamed: the end of the former name, and the end of the name.
const RENAMED: [(&str, &str); 2] =
    [(".crown_way_m", ".crown_travel_m"), (".shoulder_way_m", ".shoulder_travel_m")];

/// The present name of a column, from its present or former name, so that older files can be read.
pub fn current_name(name: &str) -> Cow<'_, str> {
    let renamed = RENAMED.iter().find_map(|(former, now)| Some((name.strip_suffix(former)?, *now)));
    renamed.map_or(Cow::Borrowed(name), |(base, now)| Cow::Owned(format!("{base}{now}")))
}

/// Index of a column by its present or former name.
pub fn find_column(columns: &[Column], name: &str) -> Option<usize> {
    let name = current_name(name);
    columns.iter().position(|column| column.name == *name)
}

/// Pose of one body in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPose {
    /// Position of the body frame's origin, m.
    pub p_WB: Vec3,
    /// Orientation {w, x, y, z}.
    pub q_WB: [f64; 4],
}

/// A contact force to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactArrow {
    /// Where it acts, in the world, m.
    pub p_WC: Vec3,
    /// Force on the body, in the world, N.
    pub f_W: Vec3,
    /// Torque on the body, in the world, N m.
    pub t_W: Vec3,
}

/// A rectangle of the soil's surface: nodes (x0 + i·spacing, y0 + j·spacing), row by row with i (along x) running fastest. A later
/// patch of the same first node replaces it, so that patches should coincide with tiles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoilPatch {
    /// First node, m.
    pub x0: f64,
    /// First node, m.
    pub y0: f64,
    /// Distance of the nodes, m.
    pub spacing: f64,
    /// Nodes along x.
    pub nx: usize,
    /// Nodes along y.
    pub ny: usize,
    /// nx·ny heights, m; not a number where there is no ground.
    pub heights: Vec<f32>,
    /// Undisturbed heights of the same nodes, m.
    pub undisturbed: Vec<f32>,
}

/// A node of the soil's grid that carries a body: it lies at (i·spacing, j·spacing).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PressureNode {
    /// Index along x.
    pub i: i32,
    /// Index along y.
    pub j: i32,
    /// Pressure, Pa.
    pub pressure: f32,
}

/// A node of the soil's surface at the end of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SoilNode {
    /// Place, m.
    pub x: f64,
    /// Place, m.
    pub y: f64,
    /// Height of the surface, m.
    pub height: f64,
    /// Height of the undisturbed surface, m.
    pub undisturbed: f64,
}

/// The scene at one time. `poses` has one entry per body of the mechanism, `contacts` one per contact, in the
/// order of `Simulation::contact_names`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Simulated time, s.
    pub time: f64,
    /// Poses of the bodies, in the mechanism's order.
    pub poses: Vec<BodyPose>,
    /// Contact forces: those of the tyres in their order, those of the bodies in soil, those on the second sides of smooth contacts.
    pub contacts: Vec<ContactArrow>,
    /// Patches of soil that changed since the last frame; the first frame has all that differ from the
    /// relief. They share their edges.
    pub soil: Vec<SoilPatch>,
    /// For each body in soil, in their order: the nodes that carry it.
    pub pressures: Vec<Vec<PressureNode>>,
    /// For each deformable form, in their order: the displacement of each corner of its triangles from its
    /// place at rest, in the form's frame, m.
    pub deformations: Vec<Vec<[f32; 3]>>,
}

/// Progress of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Simulated time, s.
    pub time: f64,
    /// Time to reach, s.
    pub duration: f64,
    /// Accepted steps so far.
    pub steps: u64,
}

/// Failure of a sink (for example a full disk). The run stops and reports this; written data are kept.
#[derive(Debug, thiserror::Error)]
#[error("{doing}: {source}")]
pub struct SinkError {
    /// What it was doing, such as `writing runs/a/series.parquet`.
    pub doing: String,
    /// The cause.
    pub source: std::io::Error,
}

/// Receiver of a run's results. Calls come in order of time, from one thread.
pub trait Sink {
    /// One row of the series; `row[0]` is the time.
    fn series(&mut self, row: &[f64]) -> Result<(), SinkError>;
    /// One frame.
    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError>;
    /// A restart point: everything sent so far (`rows` rows, `frames` frames) must be safe on disk before
    /// this checkpoint replaces the last one.
    fn checkpoint(&mut self, state: &[u8], rows: u64, frames: u64) -> Result<(), SinkError>;
    /// The soil's surface at the end of the run, failed or not: all nodes of the squares of ground that were
    /// touched. Not called without soil. A sink that wraps another one must forward it.
    fn surface(&mut self, _: &[SoilNode]) -> Result<(), SinkError> {
        Ok(())
    }
    /// Called after every accepted step; must be cheap.
    fn progress(&mut self, progress: Progress);
    /// Asked after every accepted step of a run in time, so it must be cheap: whether to write a checkpoint
    /// and stop there, to be resumed later. A sink that wraps another one must forward it.
    fn is_stop_requested(&self) -> bool {
        false
    }
}

/// A named number of the summary.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedValue {
    /// Name with its unit, such as `distance_m`.
    pub name: String,
    /// Value.
    pub value: f64,
    /// Unit as printed.
    pub unit: String,
    /// A one-line description.
    pub about: String,
}

/// A named word of the summary: an answer that is not a number.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedWord {
    /// Name, such as `branch`.
    pub name: String,
    /// One of a few words, which `about` lists.
    pub word: String,
    /// A one-line description.
    pub about: String,
}

/// Whether a run stayed within the range of a model or a method: a measured value against its limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Name with its unit, such as `cells_per_radius`.
    pub name: String,
    /// The value of the run.
    pub value: f64,
    /// The limit.
    pub limit: f64,
    /// Whether the value must stay below the limit (else: above).
    pub at_most: bool,
    /// Unit as printed.
    pub unit: String,
    /// Its meaning and the reason for the limit, in a line.
    pub about: String,
}

impl Check {
    /// Whether the value is on the right side of its limit. False for a value that is not a number.
    pub fn holds(&self) -> bool {
        if self.at_most { self.value <= self.limit } else { self.value >= self.limit }
    }
}

/// A number or a text of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A number, in the unit of its column.
    Number(f64),
    /// A text.
    Text(String),
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableColumn {
    /// Heading.
    pub name: String,
    /// Unit as printed; `1` where there is none.
    pub unit: String,
}

/// Columns of a table that is a state chart. A row without a condition is a phase, with its ending instead of
/// the next phase; other rows are transitions.
pub const STATE_CHART: [&str; 4] = ["phase", "next", "condition", "at"];

/// A table of results of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Heading.
    pub title: String,
    /// Its description, in a line or two.
    pub about: String,
    /// Its columns.
    pub columns: Vec<TableColumn>,
    /// Its rows, as long as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

/// Verdict of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All conditions hold.
    Yes,
    /// One of the conditions does not hold.
    No,
    /// The answer is a number.
    Number,
    /// The run does not decide: it stopped early, or a value is missing.
    Undecided,
}

impl Verdict {
    /// As files and scripts read it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Yes => "yes",
            Verdict::No => "no",
            Verdict::Number => "number",
            Verdict::Undecided => "undecided",
        }
    }
}

/// The answer to the question of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The quantity behind it; empty if there is none.
    pub quantity: String,
    /// Its value; not a number if it has none.
    pub value: f64,
    /// Its unit as printed.
    pub unit: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// One or two sentences, failed checks included.
    pub text: String,
}

/// How a run ended; becomes `summary.json`.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Whether the run reached its end.
    pub finished: bool,
    /// If not: why, with time, body and joint.
    pub stopped_because: Option<String>,
    /// Simulated time reached, s.
    pub sim_time: f64,
    /// Accepted steps.
    pub steps: u64,
    /// BLAKE3 hash of the state at the end of a run in time, in hexadecimal digits.
    pub state_blake3: Option<String>,
    /// The answer in words, if the scenario has made one from the rest.
    pub answer: Option<Answer>,
    /// The requested numbers.
    pub quantities: Vec<NamedValue>,
    /// Words in addition.
    pub words: Vec<NamedWord>,
    /// Tables of a study.
    pub tables: Vec<Table>,
    /// Energy, momentum and constraint residuals.
    pub ledger: Vec<NamedValue>,
    /// Checks of the ranges of models and methods.
    pub validity: Vec<Check>,
    /// Warnings: assumptions violated, ranges exceeded.
    pub warnings: Vec<String>,
}

impl Outcome {
    /// Of a successful study without time; its results are filled in later.
    pub fn of_study() -> Outcome {
        Outcome {
            finished: true,
            stopped_because: None,
            sim_time: 0.0,
            steps: 0,
            state_blake3: None,
            answer: None,
            quantities: Vec::new(),
            words: Vec::new(),
            tables: Vec::new(),
            ledger: Vec::new(),
            validity: Vec::new(),
            warnings: Vec::new(),
        }
    }
}
