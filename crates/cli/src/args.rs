//! The command line as clap reads it. Nothing here does work.

mod values;

use crate::campaign::args::{CampaignCommand, CompareArgs, SweepArgs};
use crate::export::ExportCommand;
use crate::mobility::args::MobilityArgs;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::net::SocketAddr;
use std::path::PathBuf;
use touchdown_geometry::map::Fill;
pub(crate) use values::numbers;
use values::{address, counts, fill, part, size};

/// Contact dynamics for space robots: scenarios in, trustworthy results out.
#[derive(Debug, Parser)]
#[command(name = "touchdown", version)]
#[command(
    after_help = "Start with: touchdown list, then: touchdown run pendulum\ntouchdown --version --json says which build this is."
)]
pub struct Cli {
    /// Colour in messages and answers; NO_COLOR in the environment turns it off
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Colour,
    /// Without a command: a greeting and the first three commands
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// When text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// On a terminal
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List built-in scenarios, machines and soils
    List {
        /// Only this kind
        what: Option<Listed>,
        /// Print them as JSON
        #[arg(long)]
        json: bool,
    },
    /// Describe a scenario (question, source, knobs with defaults), a machine or a soil
    Show {
        /// A built-in scenario, machine or soil, or a scenario file
        name: String,
        /// Print it as JSON: of a scenario its knobs, inputs, signals, columns and quantities
        #[arg(long)]
        json: bool,
        /// Set a knob, or any value by its dotted path
        #[arg(long = "set", value_name = "KEY=VALUE")]
        sets: Vec<String>,
    },
    /// Run a scenario and record its results
    Run(RunArgs),
    /// Read, validate and explain a scenario
    Check(CheckArgs),
    /// Continue an interrupted run from its last checkpoint
    Resume(ResumeArgs),
    /// Check all files of a run folder against their hashes; exit code 1 if one is damaged
    Verify {
        /// The run folder, finished or not
        dir: PathBuf,
        /// Print what was found as JSON
        #[arg(long)]
        json: bool,
    },
    /// Write report.html of a run folder again; it opens offline
    Report {
        /// The run folder, which may be damaged or unfinished
        dir: PathBuf,
        /// Also draw every figure as SVG and PNG, in DIR/figures
        #[arg(long)]
        figures: bool,
        /// Print where the files are as JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a run in 3-D, in a browser on this machine
    View(ViewArgs),
    /// Compare the scenarios with papers, closed forms and references; exit code 1 if a claim does not hold
    Validate(ValidateArgs),
    /// Refine step, grid, mesh and domain to find the numerical uncertainty of a quantity
    Converge(ConvergeArgs),
    /// Move uncertain inputs one by one to find how far a quantity follows
    Sensitivity(SensitivityArgs),
    /// Run a scenario over values of its knobs, with a table and a plot
    Sweep(SweepArgs),
    /// Run thousands of cases that answer one question, on this machine or on a cluster
    Campaign {
        #[command(subcommand)]
        command: CampaignCommand,
    },
    /// What a rover does on every slope at every heading, with intervals, from runs on slopes
    Mobility(MobilityArgs),
    /// Compare runs: inputs, quantities and curves that differ
    Compare(CompareArgs),
    /// Estimate parameters from measurements, with intervals; a study file names data, model and free parameters
    Identify(IdentifyArgs),
    /// Audit an elevation map: content, conversions and a picture in shaded relief
    Terrain(TerrainArgs),
    /// Measure step times, and compare them with a peer if its Python is given
    Bench(BenchArgs),
    /// Write a commented scenario to start from
    New(NewArgs),
    /// Export a scenario for other simulators: an FMU
    Export {
        #[command(subcommand)]
        command: ExportCommand,
    },
    /// Open the report of a run folder in the browser
    Open {
        /// The run folder
        dir: PathBuf,
    },
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write one for every command into a folder
    Man {
        /// Folder for one page per command
        #[arg(long, short, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Print the JSON Schema of scenarios and other files, for editors
    Schema {
        /// The kind of file
        #[arg(default_value = "scenario")]
        what: Described,
        /// The keys of scenarios as lines for people
        #[arg(long)]
        text: bool,
        /// The keys of scenarios as a page in Markdown: docs/reference/scenario.md
        #[arg(long, conflicts_with = "text")]
        markdown: bool,
    },
}

/// Kinds of files that have a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Described {
    /// What runs
    Scenario,
    /// What scenarios `use`
    Machine,
    /// What `[terrain] soil` names
    Soil,
    /// What `touchdown campaign plan` reads
    Study,
    /// What `touchdown identify` reads
    Identify,
    /// What `touchdown validate` reads
    Claims,
}

/// What `touchdown terrain --make` makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SiteKind {
    /// A rough plain with craters, dunes and fields of rocks
    CraterField,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Listed {
    Scenarios,
    Machines,
    Soils,
}

/// What `touchdown new` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Template {
    /// One wheel with grousers in soil, at a given slip
    Wheel,
    /// A rover of four wheels on a slope of soil
    Rover,
    /// A satellite captures another by its nozzle
    Docking,
    /// A six-legged machine on soil
    Legs,
}

#[derive(Debug, Args)]
pub struct NewArgs {
    /// Kind of scenario
    pub template: Template,
    /// The file to write, such as my-rover.toml; an existing file is never replaced
    pub file: PathBuf,
}

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// A scenario file, or the name of a built-in one
    pub scenario: String,
    /// Print the scenario with every omitted value filled in
    #[arg(long)]
    pub resolved: bool,
    /// Print what was found as JSON
    #[arg(long, conflicts_with = "resolved")]
    pub json: bool,
    /// Set a knob, or any value by its dotted path
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Refuse a scenario that would take more memory, such as 8GiB [default: 80 % of what is free]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory_limit: Option<u64>,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    /// A built-in scenario (see `touchdown list`) or a file
    pub scenario: String,
    /// Folder for the results [default: runs/NAME, or runs/NAME-2, … if that holds a run]
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Set a knob (`touchdown show NAME` lists them), or any value by its dotted path
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Drive inputs (`touchdown show NAME` lists them) from a table: a column time_s, and one for each input, whose values are held
    #[arg(long, value_name = "FILE.csv")]
    pub commands: Option<PathBuf>,
    /// Replace a run in the folder; files that no run made stay
    #[arg(long, visible_alias = "overwrite")]
    pub force: bool,
    /// Show the run in 3-D while it is computed, in a browser on this machine
    #[arg(long)]
    pub view: bool,
    /// Port of the page on 127.0.0.1 [default: the first free one from 8317 on]
    #[arg(long, value_name = "N", requires = "view")]
    pub port: Option<u16>,
    /// Stream the run to Foxglove while it goes on, at ADDRESS:PORT or PORT of this machine [default: the first free port from 8765 on]
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, value_parser = address)]
    pub foxglove: Option<Option<SocketAddr>>,
    #[command(flatten)]
    pub how: HowArgs,
}

#[derive(Debug, Args)]
pub struct ViewArgs {
    /// The run folder, which may be damaged or unfinished
    pub dir: PathBuf,
    /// Port on 127.0.0.1 [default: the first free one from 8317 on]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
}

#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// The run folder
    pub dir: PathBuf,
    /// Continue although an input, the scenario or the program has changed since the run began; manifest and report state it
    #[arg(long)]
    pub accept_changes: bool,
    #[command(flatten)]
    pub how: HowArgs,
}

/// What changes how a run is done, but not its results.
#[derive(Debug, Args)]
pub struct HowArgs {
    /// Number of threads; results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// No progress bar; print only the answer with failed checks, and where the results are
    #[arg(long, short)]
    pub quiet: bool,
    /// Print every quantity, the ledger and all checks
    #[arg(long, short, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Print the summary as one JSON document
    #[arg(long, conflicts_with_all = ["quiet", "verbose"])]
    pub json: bool,
    /// End with exit code 4 if a validity check fails
    #[arg(long)]
    pub strict: bool,
    /// Refuse a run that would take more memory, such as 8GiB [default: 80 % of what is free]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory_limit: Option<u64>,
    /// Also write series.csv
    #[arg(long)]
    pub csv: bool,
    /// Do not write report.html
    #[arg(long)]
    pub no_report: bool,
}

impl HowArgs {
    /// Number of threads to use.
    pub fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, |n| n.get());
        self.threads.map_or_else(all, usize::from)
    }
}

#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// Only the claims about a scenario, or of a topic (docking, feet, flexible, mechanisms, polygonal, rover, soil, surface); or a file of claims
    pub name: Option<String>,
    /// The page [default: validation.html, or validation-NAME.html]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Also write the rows as JSON, for scripts
    #[arg(long, value_name = "FILE")]
    pub rows: Option<PathBuf>,
    /// Print the rows as JSON; with a FILE the same as --rows
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "rows")]
    pub json: Option<Option<PathBuf>>,
    /// Number of runs in parallel; results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// No progress bar; print only the rows that do not hold
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Benched {
    Rover,
    Chain,
    Soil,
    Patch,
    Polygonal,
    Ancf,
    All,
}

#[derive(Debug, Args)]
pub struct BenchArgs {
    /// What to measure
    #[arg(default_value = "all")]
    pub what: Benched,
    /// Python interpreter with the package mujoco [default: $TOUCHDOWN_PEER_PYTHON]; nothing is installed
    #[arg(long, value_name = "PATH")]
    pub peer_python: Option<PathBuf>,
    /// The peer's model [default: the rover of benches/peers, built in]
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
    /// Which site is made
    #[arg(long, default_value_t = 1, requires = "make")]
    pub seed: u64,
    /// Side of the site, m
    #[arg(long, default_value_t = 2000.0, value_name = "M", requires = "make")]
    pub size: f64,
    /// The part that is read, in the file's coordinates
    #[arg(long, value_name = "WEST,EAST,SOUTH,NORTH", value_parser = numbers::<4>, allow_hyphen_values = true)]
    pub crop: Option<[f64; 4]>,
    /// The part that is read, in nodes from 0 in the north-western corner
    #[arg(long, value_name = "COLUMN,COLUMN,ROW,ROW", value_parser = counts::<4>, conflicts_with = "crop")]
    pub crop_nodes: Option<[usize; 4]>,
    /// Distance between nodes, m: for files that do not state it, and of a site [default there: 1]
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
    /// Further value that means no data
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub no_data: Option<f64>,
    /// Treatment of nodes without data: hole, error, or a height in m [default: hole]
    #[arg(long, value_name = "WHAT", value_parser = fill, allow_hyphen_values = true)]
    pub fill: Option<Fill>,
    /// The first row of a PNG or NPY is the southern one
    #[arg(long)]
    pub south_first: bool,
    /// The picture [default: NAME-relief.png in this folder], or the heights of the site
    #[arg(long, short, value_name = "PNG|TIF")]
    pub out: Option<PathBuf>,
    /// Print what the file holds as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ConvergeArgs {
    /// A built-in scenario (see `touchdown list`) or a file
    pub scenario: String,
    /// The quantity [default: that of the scenario's `converge` table, or its answer]
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
    /// The quantity [default: that of the scenario's `converge` table, or its answer]
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
    /// Data to use in place of those that the (last stage of the) study names
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
