//! Runs the stretches and sets beside each other what the map said and what was found.

use super::rover::wheels;
use super::stretch::{self, Texts};
use super::{Stretch, Why};
use crate::ResponseTable;
use crate::map::MapStageError;
use crate::route::{Route, RoutePoint, Terrain};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use touchdown_record::Place;
use touchdown_scenario::load;
use touchdown_sim::sink::{Frame, Progress, Sink, SinkError, find_column};
use touchdown_sim::{RunError, Simulation};

/// The folder of the checks.
const FOLDER: &str = "checks";
/// At the begin the rover settles in the soil; track that does not count, m.
const SETTLE: f64 = 0.5;
/// Mean slip over half a wheelbase that counts as stuck.
const STUCK: f64 = 0.8;

/// How stretches are run.
#[derive(Clone, Copy)]
pub struct CheckJob<'a> {
    /// What the map was made of.
    pub table: &'a ResponseTable,
    /// The machine.
    pub rover: &'a str,
    /// As in a scenario.
    pub gravity: &'a str,
    /// Speed of the rims, m/s: that of the runs of the table.
    pub speed_m_per_s: f64,
    /// Wheelbase, m.
    pub wheelbase_m: f64,
    /// Runs at the same time.
    pub threads: usize,
    /// The version of this program: runs of another one are not taken over.
    pub version: &'a str,
    /// Asked between steps.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// What the map says of a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Said {
    /// Mean slip.
    pub slip: f64,
    /// Ends of its 90 % interval.
    pub slip_interval: [f64; 2],
    /// Energy per metre of track.
    pub energy_j_per_m: f64,
    /// Its interval, from that of the slip.
    pub energy_interval_j_per_m: [f64; 2],
    /// The highest probability of getting stuck.
    pub p_stuck: f64,
}

/// What the full run found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// Mean slip: 1 − track/distance rolled.
    pub slip: f64,
    /// Energy of the drives of the wheels per metre of track; none where it hardly moved.
    pub energy_j_per_m: Option<f64>,
    /// Track along the route that counts, m.
    pub track_m: f64,
    /// Whether the mean slip over half a wheelbase reached 0.8.
    pub stuck: bool,
    /// Whether it came to the end of the stretch.
    pub arrived: bool,
}

/// A stretch of the route that was run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckedStretch {
    /// Name of its files in the folder `checks`, without their endings.
    pub name: String,
    /// Why it was chosen.
    pub why: Why,
    /// Where it begins on the route, m.
    pub from_m: f64,
    /// Where it ends, m.
    pub to_m: f64,
    /// What the map says.
    pub said: Said,
    /// What the full run found; none where it failed.
    pub found: Option<Found>,
    /// Why it failed.
    pub failed: Option<String>,
}

impl CheckedStretch {
    /// Whether the slip lies in its interval.
    pub fn slip_agrees(&self) -> bool {
        let [low, high] = self.said.slip_interval;
        self.found.is_some_and(|found| (low..=high).contains(&found.slip))
    }

    /// Whether the energy lies in its interval.
    pub fn energy_agrees(&self) -> bool {
        let [low, high] = self.said.energy_interval_j_per_m;
        self.found.and_then(|found| found.energy_j_per_m).is_some_and(|found| (low..=high).contains(&found))
    }
}

/// Runs stretches, each on one thread; `None` if it was asked to stop. What was run before stands in the folder and is taken over.
pub fn check(
    terrain: &Terrain,
    route: &Route,
    stretches: &[Stretch],
    job: &CheckJob,
    out: &Place,
) -> Result<Option<Vec<CheckedStretch>>, MapStageError> {
    let folder = out.make_below(FOLDER)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(job.threads).build();
    let pool = pool.map_err(|_| MapStageError::Threads(job.threads))?;
    let numbered: Vec<(usize, &Stretch)> = stretches.iter().enumerate().collect();
    let all: Result<Vec<Option<CheckedStretch>>, MapStageError> = pool.install(|| {
        numbered
            .into_par_iter()
            .with_max_len(1)
            .map(|(k, stretch)| one(terrain, route, (k, stretch), job, &folder))
            .collect()
    });
    Ok(all?.into_iter().collect())
}

fn one(
    terrain: &Terrain,
    route: &Route,
    (number, stretch): (usize, &Stretch),
    job: &CheckJob,
    folder: &Place,
) -> Result<Option<CheckedStretch>, MapStageError> {
    let name = format!("stretch-{:02}", number + 1);
    let Texts { scenario, relief } = stretch::texts(terrain, route, stretch, &name, job)?;
    let points = &route.points[stretch.first..stretch.last];
    let end = &route.points[stretch.last];
    let flat: f64 =
        points.iter().zip(&route.points[stretch.first + 1..]).map(|(a, b)| apart(terrain, a, b)).sum();
    let length = end.distance_m - points[0].distance_m;
    let mut checked = CheckedStretch {
        name: name.clone(),
        why: stretch.why,
        from_m: points[0].distance_m,
        to_m: end.distance_m,
        said: said(points, end.distance_m),
        found: None,
        failed: None,
    };
    let files = [(format!("{name}.toml"), &scenario), (format!("{name}.asc"), &relief)];
    let result = format!("{name}.json");
    let stands = |(file, text): &(String, &String)| {
        folder.read(file).ok().flatten().is_some_and(|old| old == text.as_bytes())
    };
    if files.iter().all(stands)
        && let Some(kept) = folder.read(&result)?
        && let Ok(kept) = serde_json::from_slice::<CheckedStretch>(&kept)
    {
        return Ok(Some(CheckedStretch { found: kept.found, failed: kept.failed, ..checked }));
    }
    folder.remove(&result)?;
    for (file, text) in &files {
        folder.write(file, text.as_bytes())?;
    }
    match drive(&folder.path_of(&files[0].0).to_string_lossy(), length / flat, job) {
        Ok(Some(found)) => checked.found = Some(found),
        Ok(None) => return Ok(None),
        Err(why) => checked.failed = Some(why),
    }
    let text = serde_json::to_string_pretty(&checked)
        .map_err(|error| MapStageError::Write { file: result.clone(), why: error.to_string() })?;
    folder.write(&result, format!("{text}\n").as_bytes())?;
    Ok(Some(checked))
}

/// Distance of two points on the map, m.
fn apart(terrain: &Terrain, a: &RoutePoint, b: &RoutePoint) -> f64 {
    let is_diagonal = a.place[0] != b.place[0] && a.place[1] != b.place[1];
    terrain.spacing * if is_diagonal { std::f64::consts::SQRT_2 } else { 1.0 }
}

/// Means over the track to `end`, m. Errors of a surrogate are alike along a stretch: the half widths are averaged, not their squares.
fn said(points: &[RoutePoint], end: f64) -> Said {
    let ends = points[1..].iter().map(|point| point.distance_m).chain([end]);
    let length = end - points[0].distance_m;
    let weights: Vec<f64> =
        points.iter().zip(ends).map(|(point, end)| (end - point.distance_m) / length).collect();
    let mean = |of: &dyn Fn(&RoutePoint) -> f64| {
        points.iter().zip(&weights).map(|(point, w)| w * of(point)).sum::<f64>()
    };
    let slip = mean(&|p| p.response.slip);
    let half = mean(&|p| p.response.slip_half_width);
    let energy = |end: usize| mean(&|p| p.response.energy_interval_j_per_m[end]);
    let [low, high] = [energy(0), energy(1)];
    Said {
        slip,
        slip_interval: [slip - half, slip + half],
        energy_j_per_m: mean(&|p| p.response.energy_j_per_m),
        energy_interval_j_per_m: [low.min(high), low.max(high)],
        p_stuck: points.iter().map(|p| p.response.p_stuck).fold(0.0, f64::max),
    }
}

/// What is kept of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mark {
    pub time: f64,
    /// Along the route, over the ground, m.
    pub gained: f64,
    /// By the rims, m.
    pub rolled: f64,
    /// Of the drives of the wheels, W.
    pub power: f64,
    pub arrived: bool,
}

/// Runs a scenario; `None` if it was asked to stop, or why it failed. `stretched` is track over the ground for each metre on the map.
fn drive(file: &str, stretched: f64, job: &CheckJob) -> Result<Option<Found>, String> {
    let scenario = load(file, &[]).map_err(|errors| errors.to_string())?;
    let mut world =
        Simulation::build(&scenario.description).map_err(|errors| scenario.explain(&errors).to_string())?;
    world.use_threads(1);
    let columns = world.columns();
    let place = |name: &str| find_column(columns, name).ok_or_else(|| format!("there is no column {name}"));
    let joints = &scenario.description.mechanism.joints;
    let mut wheel_columns = Vec::new();
    for wheel in wheels(&scenario) {
        let joint = joints.iter().find(|joint| joint.child == wheel.body);
        let joint = joint.ok_or("a wheel has no joint")?;
        wheel_columns.push((place(&format!("joint.{}.position_rad", joint.name))?, wheel.radius));
    }
    let mut watch = Watch {
        left: place("path.route.distance_left_m")?,
        arrived: place("path.route.arrived")?,
        power: place("vehicle.rover.drive_power_w")?,
        wheels: wheel_columns,
        stretched,
        half_wheelbase: 0.5 * job.wheelbase_m,
        marks: Vec::new(),
        stuck: false,
        stop: job.stop,
    };
    match world.run(&mut watch) {
        Err(RunError::Interrupted { .. }) if !watch.is_over() => Ok(None),
        Err(RunError::Sink(error)) => Err(error.to_string()),
        Ok(outcome) if outcome.stopped_because.is_some() => Err(outcome.stopped_because.unwrap_or_default()),
        Ok(_) | Err(RunError::Interrupted { .. }) => {
            found(&watch.marks, watch.stuck).map(Some).ok_or_else(|| "its wheels did not turn".into())
        }
    }
}

/// Answers of a run from its rows.
pub(super) fn found(marks: &[Mark], stuck: bool) -> Option<Found> {
    let (first, last) = (marks.first()?, marks.last()?);
    // A rover that never settles is judged by all that it did.
    let start = marks.iter().position(|mark| mark.gained - first.gained >= SETTLE).unwrap_or(0);
    let counted = &marks[start..];
    let (gained, rolled) = (last.gained - marks[start].gained, last.rolled - marks[start].rolled);
    if rolled <= 0.0 {
        return None;
    }
    let energy: f64 =
        counted.windows(2).map(|w| kept(w[0].power, w[1].power) * (w[1].time - w[0].time)).sum();
    let moves = gained > 0.05 * rolled;
    Some(Found {
        slip: 1.0 - gained / rolled,
        energy_j_per_m: moves.then(|| energy / gained),
        track_m: gained,
        stuck,
        arrived: last.arrived,
    })
}

/// Mean power between two rows; what braking gives back is not kept, as in the table.
fn kept(before: f64, after: f64) -> f64 {
    (0.5 * (before + after)).max(0.0)
}

/// Keeps what is needed of every row, and ends the run when it has arrived or is stuck.
struct Watch<'a> {
    left: usize,
    arrived: usize,
    power: usize,
    wheels: Vec<(usize, f64)>,
    stretched: f64,
    half_wheelbase: f64,
    marks: Vec<Mark>,
    stuck: bool,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl Watch<'_> {
    fn is_over(&self) -> bool {
        self.stuck || self.marks.last().is_some_and(|mark| mark.arrived)
    }
}

impl Sink for Watch<'_> {
    fn series(&mut self, row: &[f64]) -> Result<(), SinkError> {
        // The driver has not looked yet.
        if row[self.left].is_nan() {
            return Ok(());
        }
        let rolled = self.wheels.iter().map(|(column, radius)| row[*column] * radius).sum::<f64>();
        let mark = Mark {
            time: row[0],
            gained: -row[self.left] * self.stretched,
            rolled: rolled / self.wheels.len() as f64,
            power: row[self.power],
            arrived: row[self.arrived] == 1.0,
        };
        self.marks.push(mark);
        let before = self.marks.iter().rev().find(|old| mark.rolled - old.rolled >= self.half_wheelbase);
        if let Some(before) = before {
            let slip = 1.0 - (mark.gained - before.gained) / (mark.rolled - before.rolled);
            self.stuck |= slip >= STUCK;
        }
        Ok(())
    }

    fn frame(&mut self, _: &Frame) -> Result<(), SinkError> {
        Ok(())
    }

    fn checkpoint(&mut self, _: &[u8], _: u64, _: u64) -> Result<(), SinkError> {
        Ok(())
    }

    fn progress(&mut self, _: Progress) {}

    fn is_stop_requested(&self) -> bool {
        self.is_over() || (self.stop)()
    }
}
