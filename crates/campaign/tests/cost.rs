//! What a case costs beyond its own steps, in processor time: a busy machine slows everything down, but hardly changes what is worked.
#![cfg(target_os = "linux")]

use rustix::time::{ClockId, clock_gettime};
use std::path::Path;
use touchdown_campaign::{Ended, Planned, RunOptions, Store, make, read_study_text, run};
use touchdown_scenario::Prepared;
use touchdown_sim::Simulation;
use touchdown_sim::sink::{Frame, Progress, Sink, SinkError};

/// Processor time of all threads, s.
fn time() -> f64 {
    let t = clock_gettime(ClockId::ProcessCPUTime);
    t.tv_sec as f64 + 1e-9 * t.tv_nsec as f64
}

struct Nothing;

impl Sink for Nothing {
    fn series(&mut self, _: &[f64]) -> Result<(), SinkError> {
        Ok(())
    }
    fn frame(&mut self, _: &Frame) -> Result<(), SinkError> {
        Ok(())
    }
    fn checkpoint(&mut self, _: &[u8], _: u64, _: u64) -> Result<(), SinkError> {
        Ok(())
    }
    fn progress(&mut self, _: Progress) {}
}

fn plan(text: &str) -> Planned {
    let study = read_study_text("study.toml", text, Path::new(".")).expect("a study");
    make(&study, "1", Default::default()).expect("a plan")
}

/// Processor time of a case in a campaign of two threads, and of its steps alone, s.
fn costs(text: &str) -> [f64; 2] {
    let memory = Path::new("/dev/shm");
    let dir = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
    let planned = plan(text);
    let cases = planned.plan.cases;
    let prepared = Prepared::new(&planned.plan.scenario).expect("a scenario");
    let mut steps = 0.0;
    for index in 0..cases {
        let world = prepared.variant(&planned.sets(index)).expect("a case");
        let mut world = Simulation::build(world.description()).expect("a world");
        world.use_threads(1);
        let start = time();
        world.run(&mut Nothing).expect("a run");
        steps += time() - start;
    }
    let store = Store::create(dir.path(), planned).expect("room on disk");
    let options = RunOptions {
        threads: 2,
        shard: (0, 1),
        until_decided: false,
        accept_changes: false,
        program: ("1", ""),
        stop: &|| false,
    };
    let start = time();
    assert_eq!(run(&store, &options, &mut |_| {}).expect("a result"), Ended::Finished(cases));
    [time() - start, steps].map(|t| t / cases as f64)
}

/// Ten thousand cases of a pendulum in 20 s on two cores are 4 ms of processor time each, with the 10 s that it swings; at most 2 ms of it are not its steps.
#[test]
fn a_case_of_a_pendulum_costs_little_more_than_its_steps() {
    let study = "scenario = \"pendulum\"\ncases = 1000\nsampling = \"sobol\"\n[vary]\n\"joint.hinge.position\" = { uniform = [-90.0, -30.0], unit = \"deg\" }\n";
    let [case, steps] = costs(study);
    println!("{:.3} ms a case, {:.3} ms of it steps", 1e3 * case, 1e3 * steps);
    assert!(case < 4e-3 && case - steps < 2e-3, "{case} s, {steps} s of it steps");
}

/// A short case on soil: the soil, the wheel and the grid are made once, not once for each case.
#[test]
fn a_short_case_on_soil_costs_little_more_than_its_steps() {
    let study = "scenario = \"single-wheel\"\ncases = 60\nsampling = \"sobol\"\nset = [\"duration_s=0.05\"]\n[vary]\nslip = { uniform = [0.05, 0.6] }\n";
    let [case, steps] = costs(study);
    println!("{:.3} ms a case, {:.3} ms of it steps", 1e3 * case, 1e3 * steps);
    assert!(case - steps < 2e-3, "{case} s, {steps} s of it steps");
}
