//! The command line of mobility maps as clap reads it.

use crate::campaign::args::EngineName;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct MobilityArgs {
    #[command(subcommand)]
    pub command: Option<MobilityCommand>,
    #[command(flatten)]
    pub responses: ResponseArgs,
}

#[derive(Debug, Subcommand)]
pub enum MobilityCommand {
    /// Ask what a rover does on one slope at one heading
    Query(QueryArgs),
}

/// Runs of a rover on slopes.
#[derive(Debug, Args)]
pub struct ResponseArgs {
    /// Folder of the map; the same command continues one that was interrupted
    #[arg(long, short, value_name = "DIR", required = true)]
    pub out: Option<PathBuf>,
    /// A rover of the library
    #[arg(long, value_name = "NAME", default_value = "exomars-2009")]
    pub rover: String,
    /// A soil of the library (touchdown list soils); may be given several times
    #[arg(long = "soil", value_name = "NAME", default_value = "dlr-simulant-a")]
    pub soils: Vec<String>,
    /// Factor on the scatter of the soil parameters; 0 for none
    #[arg(long, value_name = "FACTOR", default_value = "1")]
    pub soil_spread: f64,
    /// Gravity: earth, mars or moon
    #[arg(long, value_name = "WORLD", default_value = "mars")]
    pub gravity: String,
    /// Steepest slope of the runs, degrees
    #[arg(long, value_name = "DEG", default_value = "30")]
    pub slope_max_deg: f64,
    /// Root-mean-square roughness of the ground, at lengths below that of the rover, m
    #[arg(long, value_name = "M", default_value = "0.005")]
    pub roughness: f64,
    /// Largest roughness of the runs, m
    #[arg(long, value_name = "M", default_value = "0.02")]
    pub roughness_max: f64,
    /// Number of runs, of all soils together; more runs give narrower intervals
    #[arg(long, value_name = "N", default_value = "400", value_parser = clap::value_parser!(u64).range(8..=1_000_000))]
    pub cases: u64,
    /// Number of further random runs, of all soils together, which only test the intervals
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    pub holdout: u64,
    /// Seed of the choice of runs
    #[arg(long, value_name = "S", default_value = "1")]
    pub seed: u64,
    /// Number of runs in parallel; results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Submit the runs to a scheduler instead; the same command continues when they have ended
    #[arg(long, value_name = "NAME", conflicts_with = "threads")]
    pub engine: Option<EngineName>,
    /// No progress bar; print only where the results are
    #[arg(long, short)]
    pub quiet: bool,
    /// Print what was found as JSON
    #[arg(long, conflicts_with = "quiet")]
    pub json: bool,
}

/// One question to a map.
#[derive(Debug, Args)]
pub struct QueryArgs {
    /// Folder of the map
    pub dir: PathBuf,
    /// The slope, degrees
    #[arg(long, value_name = "DEG", allow_hyphen_values = true)]
    pub slope_deg: f64,
    /// Direction of travel, clockwise from uphill: 0 uphill, 90 across, 180 downhill
    #[arg(long, value_name = "DEG", allow_hyphen_values = true)]
    pub heading_deg: f64,
    /// The soil [default: the first one of the map]
    #[arg(long, value_name = "NAME")]
    pub soil: Option<String>,
    /// Print the answer as JSON
    #[arg(long)]
    pub json: bool,
}
