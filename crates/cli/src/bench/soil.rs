//! `touchdown bench soil`: wheels in soil that flows. What a step costs, where its time goes, and that neither the size of the map nor
//! anything but the nodes under the wheels decides it.

use super::findings::Findings;
use super::jobs::{Job, WITHOUT_END, with};
use super::{ROUNDS, STEP, clock, micros, slope, spread};
use crate::failure::Failure;
use crate::output::table;
use touchdown_geometry::{Raster, Relief};
use touchdown_math::Elementary;
use touchdown_scenario::Scenario;
use touchdown_sim::description::Ground;

/// Steps before the wheel rolls steadily: 1.5 s of loading and four radii at 0.05 m/s.
const WHEEL_WARM_UP: u64 = 14_000;
/// Grid spacings, mm, with steps of a round: about the same work for each, and whole cells of travel.
const SPACINGS: [(f64, u64); 4] = [(20.0, 8_000), (10.0, 4_000), (5.0, 2_000), (2.5, 1_000)];
/// How many of them are jobs.
const SPACINGS_OF_JOBS: usize = 2;
/// Steps of a round on maps: 0.25 m of travel.
const MAP_STEPS: u64 = 5_000;
/// When the rover is measured: on its way with the spring coming taut, and dug in; the most that a step may then cost, mj.
const ROVER_TIMES: [(u64, &str, f64); 2] = [(30_000, "30 s", 3.0), (150_000, "150 s", 4.0)];
/// Rules of its soil, and settings for them: those of the paper, and the default ones with bars on its rims, without which it does not get away.
const ROVER_RULES: [(&str, &[&str]); 2] = [
    ("rules of the paper", &[]),
    (
        "default rules, bars",
        &["stress_law=directional", "friction_law=anchored", "rover=exomars-2009-grousers"],
    ),
];
/// Steps of a round of the rover: 5 s.
const ROVER_STEPS: u64 = 5_000;
/// The whole test of the rover, s, of which the warm-up of the last job is the first part; how many times faster than real time it must be.
const WHOLE: f64 = 180.0;
const TIMES_REAL_TIME: f64 = 14.0;
/// Distance of the nodes of the maps, m, and height of their hills.
const MAP_SPACING: f64 = 1.0;
const MAP_HEIGHT: f64 = 2e-3;
/// Columns, rows and south-western corner of the maps of 10 m² and 1 km²; the wheel starts at the origin and rolls east.
const SMALL_MAP: (usize, usize, [f64; 2]) = (6, 3, [-1.0, -1.0]);
const LARGE_MAP: (usize, usize, [f64; 2]) = (1001, 1001, [-500.0, -500.0]);
/// The most that the larger map may cost, relative, and hold, bytes.
const MAP_RATIO: f64 = 1.1;
const MAP_MEMORY: f64 = 200e6;

/// What a step costs: a wheel on two grids, and the rover at two times with two sets of rules.
pub fn jobs() -> Result<Vec<Job>, Failure> {
    let mut jobs = Vec::new();
    for ((spacing, steps), target) in SPACINGS.into_iter().take(SPACINGS_OF_JOBS).zip([0.3, 0.5]) {
        let name = format!("wheel in soil, {spacing} mm, realtime 1 ms");
        let job = Job::on(name, &wheel(spacing)?, (WHEEL_WARM_UP, steps))?;
        jobs.push(job.with_target(target));
    }
    for (rules, sets) in ROVER_RULES {
        let rover = with("rover-drawbar-pull", &[&[WITHOUT_END][..], sets].concat())?;
        for (warm_up, time, target) in ROVER_TIMES {
            let name = format!("rover-drawbar-pull, {rules}, 10 mm, realtime 1 ms, from {time} on");
            jobs.push(Job::on(name, &rover, (warm_up, ROVER_STEPS))?.with_target(target));
        }
    }
    Ok(jobs)
}

/// The wheel of the single-wheel rig, going on and on.
fn wheel(spacing_mm: f64) -> Result<Scenario, Failure> {
    let spacing = format!("spacing_m={}", 1e-3 * spacing_mm);
    with("single-wheel", &[&spacing, "travel_m=1000"])
}

/// Where the time of those steps goes, and on what it depends.
pub fn report(jobs: &mut [Job], found: &mut Findings) -> Result<(), Failure> {
    phases(jobs, found)?;
    // The last of each set of rules.
    for (rover, (rules, _)) in
        jobs.iter_mut().skip(SPACINGS_OF_JOBS + 1).step_by(ROVER_TIMES.len()).zip(ROVER_RULES)
    {
        whole(rules, rover, found)?;
    }
    if let Some(rover) = jobs.last_mut() {
        threads(rover, found)?;
    }
    nodes(found)?;
    maps(found)
}

/// Phases of a step, a column for each job.
fn phases(jobs: &mut [Job], found: &mut Findings) -> Result<(), Failure> {
    let lists = jobs.iter_mut().map(Job::soil_phases).collect::<Result<Vec<_>, _>>()?;
    let mut rows = table(&[
        "phase of a step on soil, us",
        "wheel, 20 mm",
        "wheel, 10 mm",
        "rover, rules of the paper, 30 s",
        "150 s",
        "rover, default rules, 30 s",
        "150 s",
    ]);
    for (index, phase) in lists.iter().flatten().take(lists[0].len()).enumerate() {
        let times = lists.iter().map(|list| format!("{:.2}", 1e6 * list[index].time));
        rows.add_row(std::iter::once(phase.name.to_string()).chain(times));
    }
    let about = "mean over all steps of a round; soil is moved, and slides, in every twentieth of them";
    found.add(rows, &[about.into()]);
    Ok(())
}

/// The three minutes of the rover: what came before the rounds, and the rest at their pace.
fn whole(rules: &str, rover: &mut Job, found: &mut Findings) -> Result<(), Failure> {
    let done = STEP * ROVER_TIMES[1].0 as f64;
    let seconds = rover.warm_up + (WHOLE - done) / STEP * rover.round()?;
    let (times, step) = (WHOLE / seconds, 1e6 * seconds * STEP / WHOLE);
    let verdict = verdict(TIMES_REAL_TIME, times);
    found.say(format!(
        "rover-drawbar-pull, {rules}, all {WHOLE} s: {seconds:.1} s, {step:.1} us a step, {times:.1} times real time (target {TIMES_REAL_TIME}: {verdict})"
    ));
    Ok(())
}

/// The rover on one thread and on two, by the clock on the wall.
fn threads(rover: &mut Job, found: &mut Findings) -> Result<(), Failure> {
    let mut samples = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (threads, list) in [1, 2].into_iter().zip(&mut samples) {
            rover.use_threads(threads);
            list.push(rover.round_by(clock::wall_time)?);
        }
    }
    rover.use_threads(1);
    let mut rows = table(&["threads", "us a step on the wall", "spread"]);
    for (threads, list) in ["1", "2"].into_iter().zip(&samples) {
        rows.add_row([threads.to_string(), micros(list), spread(list)]);
    }
    let ratio = clock::median(&samples[0]) / clock::median(&samples[1]);
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    found.add(rows, &[format!("{}: {ratio:.2} times faster on two threads ({cores} cores)", rover.name)]);
    Ok(())
}

/// How the cost of a step grows with the nodes that carry.
fn nodes(found: &mut Findings) -> Result<(), Failure> {
    let mut jobs = Vec::new();
    for (spacing, steps) in SPACINGS {
        jobs.push(Job::on(format!("{spacing} mm"), &wheel(spacing)?, (WHEEL_WARM_UP, steps))?);
    }
    let samples = take_turns(&mut jobs)?;
    let mut rows = table(&["wheel, spacing", "nodes touched", "us a step", "ns a step and node", "spread"]);
    let mut points = Vec::new();
    for (((spacing, _), job), list) in SPACINGS.iter().zip(&jobs).zip(&samples) {
        let (nodes, cost) = (nodes_touched(job), clock::median(list));
        points.push((nodes.natural_log(), cost.natural_log()));
        rows.add_row([
            format!("{spacing} mm"),
            format!("{nodes}"),
            micros(list),
            format!("{:.1}", 1e9 * cost / nodes),
            spread(list),
        ]);
    }
    found.add(rows, &[format!("cost grows as nodes^{:.3} (1: linear)", slope(&points))]);
    Ok(())
}

/// That the size of the map does not count.
fn maps(found: &mut Findings) -> Result<(), Failure> {
    let mut jobs = Vec::new();
    for (name, size) in [("10 m2", SMALL_MAP), ("1 km2", LARGE_MAP)] {
        let mut scenario = wheel(10.0)?;
        if let Some(Ground::Soil(ground)) = &mut scenario.description.ground {
            ground.relief = Relief::Raster(map(size)?);
        }
        jobs.push(Job::on(name.into(), &scenario, (WHEEL_WARM_UP, MAP_STEPS))?);
    }
    let samples = take_turns(&mut jobs)?;
    let mut rows = table(&["wheel at 10 mm, map of 1 m cells", "us a step", "spread", "tiles in memory"]);
    for (job, list) in jobs.iter().zip(&samples) {
        let tiles = job.world().soil().map_or(0, |soil| soil.tile_count());
        rows.add_row([job.name.clone(), micros(list), spread(list), tiles.to_string()]);
    }
    let ratio = clock::median(&samples[1]) / clock::median(&samples[0]);
    let size =
        format!("larger over smaller map: {ratio:.3} (target {MAP_RATIO}: {})", verdict(ratio, MAP_RATIO));
    let memory = match clock::resident_memory() {
        Some(bytes) => {
            format!(
                "{:.0} MB (target {:.0} MB: {})",
                bytes / 1e6,
                MAP_MEMORY / 1e6,
                verdict(bytes, MAP_MEMORY)
            )
        }
        None => "not measured".into(),
    };
    let memory = format!("resident memory of this process, with both maps and all jobs before: {memory}");
    found.add(rows, &[size, memory]);
    Ok(())
}

/// Gentle hills.
fn map((columns, rows, origin): (usize, usize, [f64; 2])) -> Result<Raster, Failure> {
    let height = |column: usize, row: usize| {
        let (x, y) = (origin[0] + MAP_SPACING * column as f64, origin[1] + MAP_SPACING * row as f64);
        MAP_HEIGHT * x.sine() * y.cosine()
    };
    let heights = (0..rows).flat_map(|row| (0..columns).map(move |column| height(column, row))).collect();
    let made = Raster::new(origin, MAP_SPACING, columns, rows, heights);
    made.map_err(|error| Failure::other(format!("a map cannot be made: {error}")))
}

/// Rounds of all jobs in turn.
fn take_turns(jobs: &mut [Job]) -> Result<Vec<Vec<f64>>, Failure> {
    let mut samples = vec![Vec::new(); jobs.len()];
    for _ in 0..ROUNDS {
        for (job, list) in jobs.iter_mut().zip(&mut samples) {
            list.push(job.round()?);
        }
    }
    Ok(samples)
}

/// Nodes that carry, all bodies together.
fn nodes_touched(job: &Job) -> f64 {
    job.world().soil_forces().iter().map(|force| f64::from(force.nodes)).sum()
}

fn verdict(found: f64, most: f64) -> &'static str {
    if found <= most { "met" } else { "missed" }
}
