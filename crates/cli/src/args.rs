//! The command line as clap reads it. Nothing here does work.

mod studies;
mod values;

pub use studies::{BenchArgs, ConvergeArgs, IdentifyArgs, SensitivityArgs, TerrainArgs, ValidateArgs};

use crate::campaign::args::{CampaignCommand, CompareArgs, SweepArgs};
use crate::export::ExportCommand;
use crate::mobility::args::MobilityArgs;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::net::SocketAddr;
use std::path::PathBuf;
pub(crate) use values::numbers;
use values::{address, size};

/// A contact-dynamics simulator for space robots: wheels in soil, feet, flexible tyres, hard parts and docking.
#[derive(Debug, Parser)]
#[command(name = "touchdown", version)]
#[command(
    after_help = "Start with: touchdown list, then: touchdown run pendulum\ntouchdown --version --json says which build this is."
)]
pub struct Cli {
    /// Colour in messages and answers; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 900)]
    pub color: Colour,
    /// Without a command: a greeting and the first three commands
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// When text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List built-in scenarios, machines and soils
    List {
        /// List only this kind
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
    /// Check a scenario and report all its errors at once
    Check(CheckArgs),
    /// Continue an interrupted run from its last checkpoint
    Resume(ResumeArgs),
    /// Check all files of a run folder against their hashes; exit code 1 if one differs
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
    /// Vary uncertain inputs one at a time and report how far a quantity moves
    Sensitivity(SensitivityArgs),
    /// Run a scenario over values of its knobs, with a table and a plot
    Sweep(SweepArgs),
    /// Run thousands of cases that answer one question, on this machine or on a cluster
    Campaign {
        #[command(subcommand)]
        command: CampaignCommand,
    },
    /// Find what a rover does on every slope at every heading, with intervals
    Mobility(MobilityArgs),
    /// Compare runs: inputs, quantities and curves that differ
    Compare(CompareArgs),
    /// Estimate parameters from measurements, with intervals; a study file names data, model and free parameters
    Identify(IdentifyArgs),
    /// Audit an elevation map: content, conversions and a picture in shaded relief
    Terrain(TerrainArgs),
    /// Measure step times; with --peer-python also those of MuJoCo
    Bench(BenchArgs),
    /// Write a commented scenario to start from
    New(NewArgs),
    /// Export a scenario for other simulators, as an FMU
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
        /// Folder for the pages, one for each command
        #[arg(long, short, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Print the JSON Schema of scenarios and other files, for editors
    Schema {
        /// The kind of file
        #[arg(default_value = "scenario")]
        what: Described,
        /// Print the keys of scenarios as plain text
        #[arg(long)]
        text: bool,
        /// Print the keys of scenarios in Markdown, as in docs/reference/scenario.md
        #[arg(long, conflicts_with = "text")]
        markdown: bool,
    },
}

/// Kinds of files that have a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Described {
    /// Scenarios: what `touchdown run` reads
    Scenario,
    /// Machine files: what `use` names in a scenario
    Machine,
    /// Soil files: what `soil` names in `[terrain]`
    Soil,
    /// Study files of campaigns: what `touchdown campaign plan` reads
    Study,
    /// Study files of identifications: what `touchdown identify` reads
    Identify,
    /// Claims: what `touchdown validate` reads
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
    /// Refuse a scenario that would need more memory than this, such as 8GiB [default: 80 % of what is free]
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
    /// Drive inputs (`touchdown show NAME` lists them) from a table with a column time_s and one for each input; values are held between rows
    #[arg(long, value_name = "FILE.csv")]
    pub commands: Option<PathBuf>,
    /// Replace a run in the folder; other files in it are kept
    #[arg(long, visible_alias = "overwrite")]
    pub force: bool,
    /// Show the run in 3-D while it is computed, in a browser on this machine
    #[arg(long)]
    pub view: bool,
    /// Port of the page on 127.0.0.1 [default: the first free one from 8317 on]
    #[arg(long, value_name = "N", requires = "view")]
    pub port: Option<u16>,
    /// Stream the run to Foxglove while it is computed, at ADDRESS:PORT or at PORT of this machine [default: the first free port from 8765 on]
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
    /// Continue although an input, the scenario or the program has changed since the run began; the manifest and the report record it
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
    /// Refuse a run that would need more memory than this, such as 8GiB [default: 80 % of what is free]
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
