//! The command line of mobility maps as clap reads it.

use crate::args::numbers;
use crate::campaign::args::EngineName;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use touchdown_mobility::layers::Layer;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct MobilityArgs {
    #[command(subcommand)]
    pub command: Option<MobilityCommand>,
    #[command(flatten)]
    pub map: MapArgs,
    #[command(flatten)]
    pub responses: ResponseArgs,
}

#[derive(Debug, Subcommand)]
pub enum MobilityCommand {
    /// Ask what a rover does on one slope at one heading
    Query(QueryArgs),
}

/// An elevation map, and what is asked of it.
#[derive(Debug, Args)]
pub struct MapArgs {
    /// Elevation map: layers, route, full runs and page are made for it; without one, only runs on slopes
    #[arg(value_name = "MAP")]
    pub map: Option<PathBuf>,
    /// Raster of soil classes on the nodes of the map
    #[arg(long, value_name = "FILE", requires_all = ["map", "legend"])]
    pub classes: Option<PathBuf>,
    /// Soil of each class: [class.N] with soil = "NAME"
    #[arg(long, value_name = "FILE", requires = "classes")]
    pub legend: Option<PathBuf>,
    /// Where a route starts, in the coordinates of the map
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>, allow_hyphen_values = true, requires_all = ["map", "to"])]
    pub from: Option<[f64; 2]>,
    /// Where it ends
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>, allow_hyphen_values = true, requires = "from")]
    pub to: Option<[f64; 2]>,
    /// What the route has least of
    #[arg(long, value_enum, value_name = "WHAT", default_value = "energy")]
    pub least: Least,
    /// The route does not lead where the probability of getting stuck is higher
    #[arg(long, value_name = "SHARE", default_value = "0.5")]
    pub p_stuck_max: f64,
    /// Stretches of the route that are run in full
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub checks: u16,
    /// Layers that are written, parted by commas [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = layer, requires = "map")]
    pub layers: Vec<Layer>,
    /// Height of the highest step that the rover climbs, m
    #[arg(long, value_name = "M", default_value_t = touchdown_mobility::map::STEP_MAX)]
    pub step_max: f64,
    /// Distance between nodes, m: for files that do not state it
    #[arg(long, value_name = "M", requires = "map")]
    pub spacing: Option<f64>,
    /// Factor for the heights
    #[arg(long, value_name = "FACTOR", allow_hyphen_values = true, requires = "map")]
    pub scale: Option<f64>,
    /// Added to the scaled heights, m
    #[arg(long, value_name = "M", allow_hyphen_values = true, requires = "map")]
    pub offset: Option<f64>,
    /// Further value that means no data
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, requires = "map")]
    pub no_data: Option<f64>,
}

/// What a route is to have least of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Least {
    /// Energy of the drives
    Energy,
    /// Probability of getting stuck or tipping over
    Risk,
}

fn layer(name: &str) -> Result<Layer, String> {
    Layer::named(name).ok_or_else(|| format!("layers are {}", Layer::ALL.map(Layer::name).join(", ")))
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
    /// A soil of the library (touchdown list soils); may be given several times where there is no map
    #[arg(long = "soil", value_name = "NAME", default_value = "dlr-simulant-a", conflicts_with = "classes")]
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
