//! The command line of campaigns, sweeps and comparisons as clap reads it.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum CampaignCommand {
    /// Make the plan of a study file; each case follows from the plan and its index
    Plan {
        /// The study file
        study: PathBuf,
        /// Folder of the campaign
        #[arg(long, short, value_name = "DIR")]
        out: PathBuf,
        /// Print what was planned as JSON
        #[arg(long)]
        json: bool,
    },
    /// Run the cases, or continue an interrupted campaign; results do not depend on threads, shards or interruptions
    Run(RunArgs),
    /// Submit the cases to a scheduler as shards
    Submit {
        /// Folder of the campaign, on a file system that all machines share
        dir: PathBuf,
        /// The scheduler
        #[arg(long, default_value = "slurm")]
        engine: EngineName,
        /// Number of parts that run independently
        #[arg(long, value_name = "N", default_value = "16", value_parser = clap::value_parser!(u64).range(1..=100_000))]
        shards: u64,
        /// Threads per shard
        #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
        threads: u16,
        /// Further option for sbatch, such as --option=--partition=short
        #[arg(long = "option", value_name = "WORD", allow_hyphen_values = true)]
        options: Vec<String>,
        /// Stop as soon as all requirements are decided
        #[arg(long)]
        until_decided: bool,
        /// Print the job as JSON
        #[arg(long)]
        json: bool,
    },
    /// Report how many cases are done, and the state of the others at the scheduler
    Status {
        /// Folder of the campaign
        dir: PathBuf,
        /// Print it as JSON
        #[arg(long)]
        json: bool,
    },
    /// Cancel shards at the scheduler; finished cases are kept
    Cancel {
        /// Folder of the campaign
        dir: PathBuf,
        /// Print what was cancelled as JSON
        #[arg(long)]
        json: bool,
    },
    /// Judge each requirement: PASS, FAIL or INCONCLUSIVE; exit code 0, 1 or 4
    Assess {
        /// Folder of the campaign
        dir: PathBuf,
        /// Print it as JSON
        #[arg(long)]
        json: bool,
    },
    /// Write report.html again: one page that opens offline
    Report {
        /// Folder of the campaign
        dir: PathBuf,
        /// Also write the envelope maps, one SVG file for each requirement, into this folder
        #[arg(long, value_name = "FOLDER")]
        maps: Option<PathBuf>,
        /// Print where the files are as JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    Slurm,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    /// Folder of the campaign
    pub dir: PathBuf,
    /// Number of cases in parallel [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Only this part of the cases, counted from 0, such as 3/64
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<(u64, u64)>,
    /// Stop as soon as all requirements are decided
    #[arg(long)]
    pub until_decided: bool,
    /// Continue although the program or an input has changed since the plan was made
    #[arg(long)]
    pub accept_changes: bool,
    /// Print progress and result as lines of JSON
    #[arg(long)]
    pub json: bool,
    /// Print only where the results are
    #[arg(long, short)]
    pub quiet: bool,
}

impl RunArgs {
    /// Number of threads to use.
    pub fn threads(&self) -> usize {
        threads(self.threads)
    }
}

/// Threads asked for, or all cores.
pub fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()), usize::from)
}

#[derive(Debug, Args)]
pub struct SweepArgs {
    /// A built-in scenario (see `touchdown list`) or a file
    pub scenario: String,
    /// Values of a knob or dotted path: a,b,c or from..to:points or log:from..to:points
    #[arg(long = "vary", value_name = "KNOB=VALUES", required = true)]
    pub vary: Vec<String>,
    /// Set a knob, or any value by its dotted path, in all cases
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// The quantity that the table and the plot show [default: the scenario's answer]
    #[arg(long, value_name = "NAME")]
    pub quantity: Option<String>,
    /// Folder for the results; the same command continues a sweep that was interrupted
    #[arg(long, short, value_name = "DIR")]
    pub out: PathBuf,
    /// Number of cases in parallel [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// No progress bar and no table; print only where the results are
    #[arg(long, short)]
    pub quiet: bool,
    /// Print cases, quantities and where the results are as JSON
    #[arg(long, conflicts_with = "quiet")]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Run folders, two or more; the others are compared with the first
    #[arg(required = true, num_args = 2..)]
    pub runs: Vec<PathBuf>,
    /// File of the page that draws the columns of all runs over each other [default: compare.html]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print it as JSON
    #[arg(long)]
    pub json: bool,
}

/// `I/N` with I below N.
fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((i, n)) if i < n && n <= 100_000 => Ok((i, n)),
        _ => Err("must be I/N with I from 0 to N - 1, such as 3/64".into()),
    }
}
