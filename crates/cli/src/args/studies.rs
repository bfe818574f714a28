//! The command line of studies, measurements and maps: what is asked beside one run in time.

use super::values::{counts, fill, numbers, part};
use super::{Benched, SiteKind};
use clap::Args;
use std::path::PathBuf;
use touchdown_geometry::map::Fill;

#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// Only the claims about a scenario, or of a topic (docking, feet, flexible, mechanisms, polygonal, rover, soil, surface); or a file of claims
    pub name: Option<String>,
    /// File of the page [default: validation.html, or validation-NAME.html]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Also write the rows as JSON, for scripts
    #[arg(long, value_name = "FILE")]
    pub rows: Option<PathBuf>,
    /// Print the rows as JSON; with a FILE, the same as --rows
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "rows")]
    pub json: Option<Option<PathBuf>>,
    /// Number of runs in parallel; results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// No progress bar; print only the rows that do not hold
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
pub struct BenchArgs {
    /// What to measure
    #[arg(default_value = "all")]
    pub what: Benched,
    /// Python interpreter with the package mujoco [default: $TOUCHDOWN_PEER_PYTHON]; nothing is installed
    #[arg(long, value_name = "PATH")]
    pub peer_python: Option<PathBuf>,
    /// Model for the peer [default: the built-in rover of benches/peers]
    #[arg(long, value_name = "PATH")]
    pub peer_model: Option<PathBuf>,
    /// Print the tables as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct TerrainArgs {
    /// GeoTIFF, ESRI ASCII grid, XYZ or CSV points, grey PNG, or NPY
    #[arg(required_unless_present = "make", conflicts_with = "make")]
    pub file: Option<PathBuf>,
    /// Make a site instead of reading a map: a GeoTIFF of heights (--out), one of soil classes, and their legend
    #[arg(long, value_enum, value_name = "KIND", requires = "out")]
    pub make: Option<SiteKind>,
    /// Seed of the site
    #[arg(long, default_value_t = 1, requires = "make")]
    pub seed: u64,
    /// Side of the site, m
    #[arg(long, default_value_t = 2000.0, value_name = "M", requires = "make")]
    pub size: f64,
    /// Part of the map to read, in the coordinates of the file
    #[arg(long, value_name = "WEST,EAST,SOUTH,NORTH", value_parser = numbers::<4>, allow_hyphen_values = true)]
    pub crop: Option<[f64; 4]>,
    /// Part of the map to read, in nodes counted from 0 in the north-western corner
    #[arg(long, value_name = "COLUMN,COLUMN,ROW,ROW", value_parser = counts::<4>, conflicts_with = "crop")]
    pub crop_nodes: Option<[usize; 4]>,
    /// Distance between nodes, m: for files that do not state it, and for a site [default for a site: 1]
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    pub spacing: Option<f64>,
    /// Factor for the heights; for PNG, metres per count
    #[arg(long, value_name = "FACTOR", allow_hyphen_values = true)]
    pub scale: Option<f64>,
    /// Added to the scaled heights, m
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    pub offset: Option<f64>,
    /// Position of the south-western node in the world, m
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>, allow_hyphen_values = true)]
    pub origin: Option<[f64; 2]>,
    /// Point in the file's coordinates, with its height, m, that becomes the origin of the world
    #[arg(long, value_name = "X,Y,Z", value_parser = numbers::<3>, allow_hyphen_values = true, conflicts_with = "origin")]
    pub zero: Option<[f64; 3]>,
    /// Another value that marks missing data
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub no_data: Option<f64>,
    /// What becomes of nodes without data: hole, error, or a height in m [default: hole]
    #[arg(long, value_name = "WHAT", value_parser = fill, allow_hyphen_values = true)]
    pub fill: Option<Fill>,
    /// Take the first row of a PNG or NPY as the southern one
    #[arg(long)]
    pub south_first: bool,
    /// File of the picture [default: NAME-relief.png in this folder], or of the heights of the site
    #[arg(long, short, value_name = "PNG|TIF")]
    pub out: Option<PathBuf>,
    /// Print the contents of the file as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ConvergeArgs {
    /// A built-in scenario (see `touchdown list`) or a file
    pub scenario: String,
    /// Quantity whose error is estimated [default: that of the scenario's `converge` table, or its answer]
    #[arg(long, value_name = "NAME")]
    pub quantity: Option<String>,
    /// Set a knob, or any value by its dotted path, before anything is refined
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Number of values tried for each of step, grid and mesh
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u8).range(3..=9))]
    pub levels: u8,
    /// Allowed numerical error relative to the value [default: that of the scenario's `converge` table, or 0.05]
    #[arg(long, value_name = "PART", value_parser = part)]
    pub tolerance: Option<f64>,
    /// Folder for the result, which reports and the validation page show
    #[arg(long, short, value_name = "DIR", default_value = "runs/convergence")]
    pub out: PathBuf,
    /// Number of runs in parallel; results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// No progress bar and no table; print only the verdict
    #[arg(long, short)]
    pub quiet: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct SensitivityArgs {
    /// A built-in scenario (see `touchdown list`) or a file
    pub scenario: String,
    /// Quantity whose change is reported [default: that of the scenario's `converge` table, or its answer]
    #[arg(long, value_name = "NAME")]
    pub quantity: Option<String>,
    /// An input and the ends of its range [default: the scatter of the soils that the scenario takes from the library]
    #[arg(long, value_name = "KNOB=LOW..HIGH")]
    pub vary: Vec<String>,
    /// Set a knob, or any value by its dotted path, before any input is moved
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Folder for the result, which reports show
    #[arg(long, short, value_name = "DIR", default_value = "runs/sensitivity")]
    pub out: PathBuf,
    /// Number of runs in parallel; results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// No progress bar and no table; print only the verdict
    #[arg(long, short)]
    pub quiet: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct IdentifyArgs {
    /// The study file
    pub file: PathBuf,
    /// Data to use in place of those that the study, or its last stage, names
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// Folder for the results [default: runs/identify-NAME]
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// No tables; print only notes and where the results are
    #[arg(long, short)]
    pub quiet: bool,
    /// Print the summary as JSON
    #[arg(long)]
    pub json: bool,
}
