//! `touchdown bench`: CPU time per step, and its ratio to the peer's step measured in the same run.
//!
//! Timings on shared machines wander; so the rounds of all jobs and of the peer take turns, and the median of five counts.
//! The unit `mj` is one step of MuJoCo on its rover.

mod ancf;
mod clock;
mod findings;
mod jobs;
mod patch;
mod peer;
mod polygonal;
mod soil;

use crate::args::{BenchArgs, Benched};
use crate::failure::Failure;
use crate::output::{print, print_json, say, table};
use findings::Findings;
use jobs::Job;
use peer::Peer;
use std::path::{Path, PathBuf};
use touchdown_math::Elementary;

/// Rounds of every job.
const ROUNDS: usize = 5;
/// Lengths of the chain for the cost of an evaluation.
const LINKS: [u64; 5] = [10, 30, 100, 300, 1000];
/// A peer beside the first: what it does, and its rounds.
type Other = (Peer, &'static str, Vec<f64>);
/// Simulated time of a step, s, unless a job has another.
const STEP: f64 = 1e-3;
/// Names the peer's Python where the command line does not.
const PEER_PYTHON: &str = "TOUCHDOWN_PEER_PYTHON";

/// Measures and prints.
pub fn bench(args: &BenchArgs) -> Result<(), Failure> {
    if !clock::COUNTS_CPU_TIME {
        return Err(Failure::other("bench measures processor time, which is read on Unix only"));
    }
    let python = args.peer_python.clone().or_else(|| std::env::var_os(PEER_PYTHON).map(PathBuf::from));
    let mut peer =
        python.as_deref().map(|python| Peer::start(python, args.peer_model.as_deref())).transpose()?;
    if peer.is_none() && args.what != Benched::Patch {
        say(&format!(
            "note: no peer; --peer-python (or {PEER_PYTHON}) names a Python that has the package mujoco"
        ));
    }
    // Helpers that stand by would count as work.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build_global();
    one.map_err(|error| Failure::other(format!("starting a thread: {error}")))?;
    let is_on = |what| args.what == what || args.what == Benched::All;
    let beside =
        |what, start: fn(&Path) -> Option<Peer>| python.as_deref().filter(|_| is_on(what)).and_then(start);
    let others = [
        (beside(Benched::Polygonal, Peer::drake), "a probe in a cone"),
        (beside(Benched::Ancf, Peer::exudyn), "plate of 8 x 8 thin elements"),
    ];
    let others = others.into_iter().filter_map(|(peer, what)| Some((peer?, what, Vec::new()))).collect();
    let mut jobs = Vec::new();
    if is_on(Benched::Rover) {
        jobs.push(Job::rover()?);
        jobs.push(Job::turn()?);
    }
    if is_on(Benched::Chain) {
        jobs.push(Job::chain()?);
    }
    let before_soil = jobs.len();
    if is_on(Benched::Soil) {
        jobs.extend(soil::jobs()?);
    }
    let before_polygonal = jobs.len();
    if is_on(Benched::Polygonal) {
        jobs.extend(polygonal::jobs()?);
    }
    if is_on(Benched::Ancf) {
        jobs.extend(ancf::jobs()?);
    }
    let mut found = Findings::default();
    if !jobs.is_empty() {
        steps(&mut jobs, &mut peer, others, &mut found)?;
    }
    drop(peer);
    if is_on(Benched::Rover) {
        phases(&mut jobs[0], &mut found);
    }
    if is_on(Benched::Soil) {
        soil::report(&mut jobs[before_soil..before_polygonal], &mut found)?;
    }
    if is_on(Benched::Chain) {
        evaluations(&mut found)?;
    }
    if is_on(Benched::Patch) {
        patch::report(&mut found)?;
    }
    if is_on(Benched::Polygonal) {
        polygonal::report(&mut found)?;
    }
    if is_on(Benched::Ancf) {
        ancf::report(&mut found)?;
    }
    if args.json { print_json(&found.json()) } else { print(&found.text()) }
}

/// Jobs and peer in turn; a table of their medians.
fn steps(
    jobs: &mut [Job],
    peer: &mut Option<Peer>,
    mut others: Vec<Other>,
    found: &mut Findings,
) -> Result<(), Failure> {
    let mut ours = vec![Vec::new(); jobs.len()];
    let mut theirs = Vec::new();
    for _ in 0..ROUNDS {
        if let Some(peer) = peer {
            theirs.push(peer.round()?);
        }
        for (other, _, samples) in &mut others {
            samples.push(other.round()?);
        }
        for (job, samples) in jobs.iter_mut().zip(&mut ours) {
            samples.push(job.round()?);
        }
    }
    let mj = peer.as_ref().map(|_| clock::median(&theirs));
    let mut rows = table(&["job", "us a step", "spread", "times real time", "mj", "target", ""]);
    if let Some(peer) = peer {
        let name = format!("{}: mj_step, its rover", peer.name);
        let fast = faster(&theirs, STEP);
        rows.add_row([name, micros(&theirs), spread(&theirs), fast, "1".into(), "".into(), "".into()]);
    }
    for (job, samples) in jobs.iter().zip(&ours) {
        let ratio = mj.map(|mj| clock::median(samples) / mj);
        let verdict = match (ratio, job.target_mj) {
            (Some(ratio), Some(target)) if ratio <= target => "met",
            (Some(_), Some(_)) => "missed",
            _ => "",
        };
        rows.add_row([
            job.name.clone(),
            micros(samples),
            spread(samples),
            faster(samples, job.step),
            ratio.map_or("-".into(), |ratio| format!("{ratio:.3}")),
            job.target_mj.map_or(String::new(), |target| format!("{target} mj")),
            verdict.into(),
        ]);
    }
    for (other, what, samples) in &others {
        let name = format!("{}: {what}", other.name);
        let ratio = mj.map_or("-".into(), |mj| format!("{:.3}", clock::median(samples) / mj));
        let (time, spread) = (micros(samples), spread(samples));
        rows.add_row([name, time, spread, faster(samples, STEP), ratio, "".into(), "".into()]);
    }
    found.add(
        rows,
        &[format!(
            "CPU time, median of {ROUNDS} rounds that take turns; spread: largest less smallest over the median"
        )],
    );
    Ok(())
}

/// Where the time of a step goes.
fn phases(job: &mut Job, found: &mut Findings) {
    let mut rows = table(&["phase of a step", "us a call"]);
    for phase in job.phases() {
        rows.add_row([phase.name.to_string(), format!("{:.3}", 1e6 * phase.time)]);
    }
    found.add(rows, &[format!("{}; a step has two kinematics and one of each other phase", job.name)]);
}

/// How the cost of an evaluation grows with the number of links.
fn evaluations(found: &mut Findings) -> Result<(), Failure> {
    let mut jobs = LINKS.iter().map(|links| Job::explicit(*links)).collect::<Result<Vec<_>, _>>()?;
    let mut samples = vec![Vec::new(); jobs.len()];
    for _ in 0..ROUNDS {
        for (job, list) in jobs.iter_mut().zip(&mut samples) {
            list.push(job.round_of_evaluations()?);
        }
    }
    let mut rows = table(&["explicit, links", "us an evaluation", "us an evaluation and link", "spread"]);
    let mut points = Vec::new();
    for (links, list) in LINKS.iter().zip(&samples) {
        let cost = clock::median(list);
        points.push(((*links as f64).natural_log(), cost.natural_log()));
        rows.add_row([
            links.to_string(),
            micros(list),
            format!("{:.4}", 1e6 * cost / *links as f64),
            spread(list),
        ]);
    }
    found.add(rows, &[format!("cost grows as links^{:.3} (1: linear)", slope(&points))]);
    Ok(())
}

fn micros(samples: &[f64]) -> String {
    format!("{:.2}", 1e6 * clock::median(samples))
}

/// How many times faster than real time a step is.
fn faster(samples: &[f64], step: f64) -> String {
    format!("{:.1}", step / clock::median(samples))
}

fn spread(samples: &[f64]) -> String {
    let (low, high) = samples.iter().fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(*x), high.max(*x)));
    format!("{:.0} %", 100.0 * (high - low) / clock::median(samples))
}

/// Slope of the straight line through the points with the least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (sx, sy) = points.iter().fold((0.0, 0.0), |(sx, sy), (x, y)| (sx + x, sy + y));
    let (mx, my) = (sx / n, sy / n);
    let (above, below) =
        points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + (x - mx) * (y - my), b + (x - mx) * (x - mx)));
    above / below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponent_of_a_power_law_is_found() {
        // The logarithm of c n^p is a straight line of slope p.
        let points: Vec<(f64, f64)> =
            LINKS.iter().map(|n| ((*n as f64).ln(), (3.0 * (*n as f64).powf(1.25)).ln())).collect();
        assert!((slope(&points) - 1.25).abs() < 1e-12);
    }

    #[test]
    fn the_median_ignores_a_disturbed_round() {
        // One outlier of five leaves the middle one where it was.
        assert_eq!(clock::median(&[3.0, 1.0, 2.0, 900.0, 2.5]), 2.5);
    }
}
