//! The map stage as a whole: from a table of responses and an elevation map to layers, route, checks and page in a folder.
//!
//! Every file under its final name is complete, and each is a function of what went in: a stage that was killed anywhere and is started again ends
//! with the same bytes. Full runs that stand in the folder are taken over.

use crate::ResponseTable;
use crate::layers::{Layer, LayersAccount, LayersJob, write_layers};
use crate::map::{ClassRows, GroundAccount, GroundRows, Legend, MapStageError, Soil};
use crate::page::{DataPoint, PageInput, write_page, write_pictures};
use crate::route::{Aim, Route, RouteJob, Terrain, geojson, plan};
use crate::verify::{CheckJob, CheckedStretch, Footprint, STRETCH_M, check, choose};
use serde_json::{Value, json};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use touchdown_geometry::map::{MapOptions, MapRows};
use touchdown_record::Place;
use touchdown_scenario::{LARGEST_FILE, read_text};

/// The route beside the layers.
const ROUTE: &str = "route.geojson";
/// Rows that a survey reads at a time.
const STRIP: usize = 64;

/// Which soil lies where.
#[derive(Clone, Copy, Debug)]
pub enum SoilFrom<'a> {
    /// One soil of the table everywhere.
    Same(&'a str),
    /// Classes on the same nodes, and the soil of each.
    Classes {
        /// The raster of classes.
        file: &'a Path,
        /// Its legend.
        legend: &'a Path,
    },
}

/// A route that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct RouteAsked {
    /// Start and goal in the map's coordinates.
    pub ends: [[f64; 2]; 2],
    /// What it is to have least of.
    pub aim: Aim,
    /// Where the probability of getting stuck is higher, it does not lead.
    pub p_stuck_max: f64,
    /// Full runs on stretches of it.
    pub checks: usize,
}

/// What the stage works with.
pub struct StageJob<'a> {
    /// The elevation map.
    pub dem: &'a Path,
    /// What the user says about it.
    pub options: &'a MapOptions,
    /// Which soil lies where.
    pub soil: SoilFrom<'a>,
    /// What the rover does where.
    pub table: &'a ResponseTable,
    /// The machine.
    pub rover: &'a str,
    /// As in a scenario.
    pub gravity: &'a str,
    /// Speed of the rims in the runs of the table, m/s.
    pub speed_m_per_s: f64,
    /// Measures of the rover.
    pub footprint: Footprint,
    /// Height of the highest step that it climbs, m.
    pub step_max: f64,
    /// Layers to write.
    pub layers: &'a [Layer],
    /// The route, if one is asked for.
    pub route: Option<RouteAsked>,
    /// For stretches that are drawn.
    pub seed: u64,
    /// How many threads.
    pub threads: usize,
    /// The version of this program.
    pub version: &'a str,
    /// Runs that the table was made of, for the page; may be empty.
    pub data: &'a [DataPoint],
    /// Statements about the surrogate, for the page.
    pub surrogate: &'a [String],
    /// What was assumed before this stage: what, and why.
    pub assumed: &'a [(String, String)],
    /// Names and hashes of what went in.
    pub provenance: &'a [(String, String)],
    /// Asked between steps of full runs.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// What the stage made.
pub struct StageOutcome {
    /// What was found and written.
    pub layers: LayersAccount,
    /// The route.
    pub route: Option<Route>,
    /// What full runs found.
    pub checks: Vec<CheckedStretch>,
    /// For `summary.json`.
    pub summary: Value,
}

/// What a long stage is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageStep {
    /// Rows of the layers that are done, of how many.
    Layers(usize, usize),
    /// Searching the route.
    Route,
    /// Running so many stretches in full.
    Checks(usize),
}

type Ground = GroundRows<BufReader<File>, BufReader<File>>;

/// Makes everything; `None` if it was asked to stop during full runs.
pub fn run_stage(
    job: &StageJob,
    out: &Place,
    show: &mut (dyn FnMut(StageStep) + Send),
) -> Result<Option<StageOutcome>, MapStageError> {
    let layers_job = LayersJob { table: job.table, layers: job.layers, threads: job.threads };
    let layers =
        write_layers(ground(job)?, &layers_job, out, &mut |done, of| show(StageStep::Layers(done, of)))?;
    let (mut route, mut checks) = (None, Vec::new());
    if let Some(asked) = &job.route {
        show(StageStep::Route);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(job.threads).build();
        let pool = pool.map_err(|_| MapStageError::Threads(job.threads))?;
        let (terrain, found) = pool.install(|| -> Result<(Terrain, Route), MapStageError> {
            let terrain = Terrain::read(ground(job)?, asked.ends)?;
            let found = plan(&terrain, &route_job(job, asked))?;
            Ok((terrain, found))
        })?;
        let line = geojson(&found, job.table, layers.ground.map.coordinates.as_deref());
        out.write(ROUTE, format!("{line}\n").as_bytes())?;
        let stretches = choose(&found, STRETCH_M, asked.checks, job.seed);
        show(StageStep::Checks(stretches.len()));
        match check(&terrain, &found, &stretches, &check_job(job), out)? {
            Some(checked) => checks = checked,
            None => return Ok(None),
        }
        route = Some(found);
    } else {
        out.remove(ROUTE)?;
    }
    let pictures = write_pictures(&layers, job.layers, job.table, out)?;
    let mut assumed = job.assumed.to_vec();
    assumed.extend(assumptions(job));
    let map = job.dem.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let page = PageInput {
        map: &map,
        rover: job.rover,
        table: job.table,
        data: job.data,
        layers: &layers,
        pictures: &pictures,
        route: route.as_ref(),
        checks: &checks,
        surrogate: job.surrogate,
        assumed: &assumed,
        provenance: job.provenance,
        version: job.version,
    };
    write_page(&page, out)?;
    let summary = summary(job, &layers, route.as_ref(), &checks);
    Ok(Some(StageOutcome { layers, route, checks, summary }))
}

/// What is found in the ground of a map before any run is made: how steep it is, above all.
pub fn survey(
    dem: &Path,
    options: &MapOptions,
    footprint: &Footprint,
    step_max: f64,
) -> Result<GroundAccount, MapStageError> {
    let (rows, name) = open(dem, options)?;
    let mut ground: Ground = GroundRows::new(rows, &name, Soil::Same(0), footprint.wheelbase_m, step_max)?;
    while ground.next_strip(STRIP)?.is_some() {}
    ground.finish()
}

fn open(path: &Path, options: &MapOptions) -> Result<(MapRows<BufReader<File>>, String), MapStageError> {
    let name = path.display().to_string();
    let rows = MapRows::open(file(path)?, &name, options);
    let rows = rows.map_err(|error| MapStageError::Map { file: name.clone(), error })?;
    Ok((rows, name))
}

/// A plain file, however large: a pipe would wait for its writer.
fn file(path: &Path) -> Result<BufReader<File>, MapStageError> {
    let unreadable = |why: String| MapStageError::Unreadable { file: path.display().to_string(), why };
    touchdown_scenario::check_plain(path, u64::MAX).map_err(|problem| unreadable(format!("it {problem}")))?;
    Ok(BufReader::new(File::open(path).map_err(|error| unreadable(error.to_string()))?))
}

fn ground(job: &StageJob) -> Result<Ground, MapStageError> {
    let (rows, name) = open(job.dem, job.options)?;
    let soil = match job.soil {
        SoilFrom::Same(soil) => {
            let number = job.table.soils().iter().position(|other| other == soil);
            let number = number.and_then(|number| u8::try_from(number).ok());
            Soil::Same(number.ok_or_else(|| MapStageError::Legend {
                file: name.clone(),
                what: format!("the soil `{soil}`, for which there are no runs"),
                allowed: job.table.soils().join(", "),
            })?)
        }
        SoilFrom::Classes { file: path, legend } => {
            let legend_name = legend.display().to_string();
            let text = read_text(legend, LARGEST_FILE).map_err(|problem| MapStageError::Unreadable {
                file: legend_name.clone(),
                why: format!("it {problem}"),
            })?;
            let parsed = Legend::parse(&text, &legend_name)?;
            let class_name = path.display().to_string();
            let source = (file(path)?, class_name.as_str());
            Soil::Classes(Box::new(ClassRows::open(
                source,
                (&parsed, &legend_name),
                &rows,
                job.options,
                job.table,
            )?))
        }
    };
    GroundRows::new(rows, &name, soil, job.footprint.wheelbase_m, job.step_max)
}

fn route_job<'a>(job: &StageJob<'a>, asked: &RouteAsked) -> RouteJob<'a> {
    RouteJob {
        table: job.table,
        from: asked.ends[0],
        to: asked.ends[1],
        aim: asked.aim,
        p_stuck_max: asked.p_stuck_max,
        turn_radius_m: job.footprint.turn_radius_m,
        wheelbase_m: job.footprint.wheelbase_m,
    }
}

fn check_job<'a>(job: &StageJob<'a>) -> CheckJob<'a> {
    CheckJob {
        table: job.table,
        rover: job.rover,
        gravity: job.gravity,
        speed_m_per_s: job.speed_m_per_s,
        wheelbase_m: job.footprint.wheelbase_m,
        threads: job.threads,
        version: job.version,
        stop: job.stop,
    }
}

/// What this stage assumes.
fn assumptions(job: &StageJob) -> Vec<(String, String)> {
    let mut list = vec![
        ("highest step", format!("{} m: what the scenario rover-obstacle climbs", job.step_max)),
        (
            "roughness below the cell",
            "what is smaller than the distance of the nodes is not in the map, but in the runs".into(),
        ),
        (
            "slopes",
            "mean over a square with the wheelbase as its side; curvature below the rover is not seen".into(),
        ),
    ];
    if let Some(asked) = &job.route {
        list.extend([
            ("turns", format!("cost as much as driving π/4 × {:.2} m (the farthest wheel from the middle) on level ground for 45°", job.footprint.turn_radius_m)),
            ("closed ground", format!("the route does not lead where P(stuck) is above {}", asked.p_stuck_max)),
            ("risk", "every wheelbase of a route is a run of its own, independent of the others".into()),
            ("energy interval", "the 90 % intervals of all cells added up, as if all erred alike".into()),
        ]);
    }
    list.into_iter().map(|(what, why): (&str, String)| (what.into(), why)).collect()
}

fn summary(
    job: &StageJob,
    layers: &LayersAccount,
    route: Option<&Route>,
    checks: &[CheckedStretch],
) -> Value {
    let ground = &layers.ground;
    json!({
        "cells": ground.cells,
        "unknown_cells": ground.unknown,
        "step_cells": ground.steps,
        "too_steep_cells": layers.steeper,
        "spacing_m": ground.map.spacing,
        "cautions": ground.cautions,
        "layers": job.layers.iter().map(|layer| layer.file()).collect::<Vec<_>>(),
        "route": route.map(|route| json!({
            "aim": route.aim,
            "length_m": route.length_m,
            "energy_j": route.energy_j,
            "energy_interval_j": route.energy_interval_j,
            "slip_mean": route.slip_mean,
            "risk": route.risk,
            "turns_of_45_deg": route.turns,
        })),
        "checks": checks.iter().map(|check| json!({
            "name": check.name,
            "why": check.why,
            "said": check.said,
            "found": check.found,
            "failed": check.failed,
            "slip_agrees": check.slip_agrees(),
            "energy_agrees": check.energy_agrees(),
        })).collect::<Vec<_>>(),
    })
}
