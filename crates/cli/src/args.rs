//! The command line as clap reads it. Nothing here does work.

mod values;

use crate::campaign::args::{CampaignCommand, CompareArgs, SweepArgs};
use crate::export::ExportCommand;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use touchdown_geometry::map::Fill;
use values::{counts, fill, numbers, part, size};

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
    /// Without one: a greeting and the first three commands
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
    /// What is built in, a line each
    List {
        /// Only these
        what: Option<Listed>,
        /// Print them as JSON
        #[arg(long)]
        json: bool,
    },
    /// A scenario's question, source, knobs and defaults; a machine; a soil's numbers and their source
    Show {
        /// A built-in scenario, machine or soil, or a scenario file
        name: String,
        /// Print knobs, inputs, signals, columns and quantities of a scenario as JSON
        #[arg(long)]
        json: bool,
        /// Turn a knob, or set any value by its dotted path
        #[arg(long = "set", value_name = "KEY=VALUE")]
        sets: Vec<String>,
    },
    /// Run a scenario and record its results
    Run(RunArgs),
    /// Read, validate and explain a scenario
    Check(CheckArgs),
    /// Go on with an interrupted run from its last checkpoint
    Resume(ResumeArgs),
    /// Check a run folder from end to end against its hashes; 1 if something is damaged
    Verify {
        /// The run folder, finished or not
        dir: PathBuf,
        /// Print what was found as JSON
        #[arg(long)]
        json: bool,
    },
    /// Make the report of a run folder anew: report.html, which opens offline
    Report {
        /// The run folder; a damaged or unfinished one will do
        dir: PathBuf,
        /// Draw every figure as SVG and PNG too, in the folder figures beside it
        #[arg(long)]
        figures: bool,
        /// Print where the files are as JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a run folder in three dimensions, in a browser of this machine
    View(ViewArgs),
    /// Run the claims of the papers, closed forms and references that the scenarios reproduce; 1 if one does not hold
    Validate(ValidateArgs),
    /// Refine step, grid, mesh and domain: a quantity with its numerical uncertainty
    Converge(ConvergeArgs),
    /// Run a scenario over values of its knobs: a table, a plot
    Sweep(SweepArgs),
    /// Thousands of cases that answer one question, on this machine or on a cluster
    Campaign {
        #[command(subcommand)]
        command: CampaignCommand,
    },
    /// What differs between runs: inputs, quantities, curves
    Compare(CompareArgs),
    /// Parameters from measurements: a study file names data, model and what is free; estimates with intervals
    Identify(IdentifyArgs),
    /// What a map file holds and what becomes of it as ground, with a picture in shaded relief
    Terrain(TerrainArgs),
    /// Step times, and ratios against the peer if its Python is given
    Bench(BenchArgs),
    /// Write a commented scenario to start from
    New(NewArgs),
    /// A scenario for other simulators: an FMU
    Export {
        #[command(subcommand)]
        command: ExportCommand,
    },
    /// Open the report of a run folder in the browser
    Open {
        /// The run folder
        dir: PathBuf,
    },
    /// Completions for a shell, on standard output
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Manual pages: of the program on standard output, or of every command in a folder
    Man {
        /// Folder for one page per command
        #[arg(long, short, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// JSON Schema of scenario files, for editors
    Schema {
        /// The same as lines for people
        #[arg(long)]
        text: bool,
        /// The same as a page in Markdown: docs/reference/scenario.md
        #[arg(long, conflicts_with = "text")]
        markdown: bool,
    },
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
    /// What to start from
    pub template: Template,
    /// The file to write, such as my-rover.toml; never replaces one
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
    /// Turn a knob, or any value by its dotted path
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
    /// Turn a knob (`touchdown show NAME` lists them), or any value by its dotted path
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Drive inputs (`touchdown show NAME` lists them) from a table: a column time_s, and one for each input, whose values are held
    #[arg(long, value_name = "FILE.csv")]
    pub commands: Option<PathBuf>,
    /// Replace a run that the folder holds; files in it that no run made stay
    #[arg(long, visible_alias = "overwrite")]
    pub force: bool,
    /// Show the run in three dimensions while it goes on, in a browser of this machine
    #[arg(long)]
    pub view: bool,
    /// Port of the page on 127.0.0.1 [default: the first free one from 8317 on]
    #[arg(long, value_name = "N", requires = "view")]
    pub port: Option<u16>,
    #[command(flatten)]
    pub how: HowArgs,
}

#[derive(Debug, Args)]
pub struct ViewArgs {
    /// The run folder; a damaged or unfinished one will do
    pub dir: PathBuf,
    /// Port on 127.0.0.1 [default: the first free one from 8317 on]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
}

#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// The run folder
    pub dir: PathBuf,
    /// Go on although an input, the scenario or the program has changed since the run began; the manifest and the report say so
    #[arg(long)]
    pub accept_changes: bool,
    #[command(flatten)]
    pub how: HowArgs,
}

/// What changes how a run is done, but not its results.
#[derive(Debug, Args)]
pub struct HowArgs {
    /// Threads to use; results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// No progress bar: only the answer, with failed checks, and where the results are
    #[arg(long, short)]
    pub quiet: bool,
    /// Every quantity, the ledger and all checks
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
    /// Write series.csv too
    #[arg(long)]
    pub csv: bool,
    /// Make no report.html
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
    /// Where the page goes [default: validation.html, or validation-NAME.html]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write the rows for scripts, too
    #[arg(long, value_name = "FILE")]
    pub rows: Option<PathBuf>,
    /// Print the rows as JSON; with a FILE the same as --rows
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "rows")]
    pub json: Option<Option<PathBuf>>,
    /// Runs at the same time; results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// No progress bar, and only the rows that do not hold
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
    /// A Python that has the package mujoco [default: $TOUCHDOWN_PEER_PYTHON]; nothing is installed
    #[arg(long, value_name = "PATH")]
    pub peer_python: Option<PathBuf>,
    /// The peer's model [default: the rover of benches/peers, built in]
    #[arg(long, value_name = "PATH")]
    pub peer_model: Option<PathBuf>,
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
    /// Distance of the nodes, m: for files that do not say it, and of a site [default there: 1]
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    pub spacing: Option<f64>,
    /// Heights are multiplied by this; for PNG the metres of one count
    #[arg(long, value_name = "FACTOR", allow_hyphen_values = true)]
    pub scale: Option<f64>,
    /// Added to the heights after that, m
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    pub offset: Option<f64>,
    /// Where the south-western node lies in the world, m
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>, allow_hyphen_values = true)]
    pub origin: Option<[f64; 2]>,
    /// Place in the file's coordinates and height, m, that are 0, 0, 0 of the world
    #[arg(long, value_name = "X,Y,Z", value_parser = numbers::<3>, allow_hyphen_values = true, conflicts_with = "origin")]
    pub zero: Option<[f64; 3]>,
    /// Value that stands for no data, beside the file's own
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub no_data: Option<f64>,
    /// What becomes of nodes without data: hole, error, or a height in m [default: hole]
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
    /// Turn a knob, or any value by its dotted path, before anything is refined
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Settings tried of each of step, grid and mesh
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u8).range(3..=9))]
    pub levels: u8,
    /// Numerical error that is allowed, over the value [default: that of the scenario's `converge` table, or 0.05]
    #[arg(long, value_name = "PART", value_parser = part)]
    pub tolerance: Option<f64>,
    /// Folder for the stamp that reports and the validation page show
    #[arg(long, short, value_name = "DIR", default_value = "runs/convergence")]
    pub out: PathBuf,
    /// Runs at the same time; results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// No progress bar and no table: only the verdict
    #[arg(long, short)]
    pub quiet: bool,
    /// Print the stamp as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct IdentifyArgs {
    /// The study file
    pub file: PathBuf,
    /// Data instead of those that the (last stage of the) study names
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// Folder for the results [default: runs/identify-NAME]
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// No tables: only what must be known and where the results are
    #[arg(long, short)]
    pub quiet: bool,
    /// Print the summary as JSON
    #[arg(long)]
    pub json: bool,
}
