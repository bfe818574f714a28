//! Checkpoints: a run that is stopped and taken up in a fresh world ends with the same bits.

use super::common::{Memory, built_in, inline, world};
use super::{NONE, scenario};
use std::time::Duration;
use touchdown_scenario::Scenario;
use touchdown_sim::sink::{Frame, Outcome, Progress, Sink, SinkError};
use touchdown_sim::{CheckpointError, State};

/// Wall-clock time between checkpoints, the shortest that the loop takes.
const EVERY: Duration = Duration::from_millis(10);

/// Takes a checkpoint after each of the given steps, by making the loop wait there, and remembers how many rows it stands for.
struct Stopping {
    memory: Memory,
    steps: Vec<u64>,
    points: Vec<(Vec<u8>, u64)>,
}

impl Sink for Stopping {
    fn series(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.memory.series(row)
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.memory.frame(frame)
    }

    fn checkpoint(&mut self, state: &[u8], rows: u64, _: u64) -> Result<(), SinkError> {
        self.points.push((state.to_vec(), rows));
        Ok(())
    }

    fn progress(&mut self, progress: Progress) {
        if self.steps.contains(&progress.steps) {
            std::thread::sleep(EVERY + Duration::from_millis(1));
        }
    }
}

fn bits(rows: &[Vec<f64>]) -> Vec<Vec<u64>> {
    rows.iter().map(|r| r.iter().map(|x| x.to_bits()).collect()).collect()
}

fn finish(scenario: &Scenario, from: &[u8]) -> (Memory, Outcome) {
    let (mut world, mut memory) = (world(scenario), Memory::default());
    assert_eq!(world.restore(from), Ok(()));
    let outcome = world.run(&mut memory).unwrap_or_else(|e| panic!("{e}"));
    (memory, outcome)
}

/// Interrupted after any step, the rows still to come, the answers and the books have the same bits as those of the straight run.
#[test]
fn resumed_runs_end_with_the_same_bits() {
    let integrators = [
        "integrator={name=\"explicit\"}",
        "integrator={name=\"explicit\", step=\"1 ms\"}",
        "integrator={name=\"implicit\"}",
        "integrator={name=\"implicit\", step=\"1 ms\"}",
        "integrator={name=\"realtime\", step=\"1 ms\"}",
    ];
    for (name, duration) in
        [("rover-drop-brush", "1"), ("four-bar", "1"), ("double-pendulum", "1"), ("spinning-top", "5")]
    {
        for integrator in integrators {
            let sets = [integrator, &format!("duration_s={duration}"), "record.checkpoint_every=0.01 s"];
            let scenario = built_in(name, &sets);
            let mut sink =
                Stopping { memory: Memory::default(), steps: vec![1, 2, 7, 29, 150, 777], points: vec![] };
            let straight = world(&scenario).run(&mut sink).unwrap_or_else(|e| panic!("{e}"));
            assert!(straight.finished, "{name} {integrator}: {:?}", straight.stopped_because);
            assert!(sink.points.len() >= 3, "{name} {integrator}: {} checkpoints", sink.points.len());
            for (state, rows) in &sink.points {
                let (rest, outcome) = finish(&scenario, state);
                let same = bits(&rest.rows) == bits(&sink.memory.rows[*rows as usize..]);
                assert!(same, "{name} {integrator}: rows differ after a restart at row {rows}");
                assert_eq!(
                    format!("{outcome:?}"),
                    format!("{straight:?}"),
                    "{name} {integrator}: restart at row {rows}"
                );
            }
        }
    }
}

/// Twice the same scenario gives twice the same bits.
#[test]
fn runs_repeat_to_the_bit() {
    let scenario = built_in("rover-straight-brush", &["duration_s=12"]);
    let [first, second] = [0, 1].map(|_| {
        let mut memory = Memory::default();
        let outcome = world(&scenario).run(&mut memory).unwrap_or_else(|e| panic!("{e}"));
        (bits(&memory.rows), format!("{outcome:?}"))
    });
    assert!(first == second);
}

/// A damaged checkpoint, one of another format and one of another model are refused, and leave the world as it was.
#[test]
fn foreign_checkpoints_are_refused() {
    let mut pendulum = world(&built_in("pendulum", &[]));
    let before = pendulum.state().clone();
    let own = pendulum.state().to_bytes();
    for cut in [0, 1, own.len() / 2, own.len() - 1] {
        assert_eq!(pendulum.restore(&own[..cut]), Err(CheckpointError::Damaged), "cut to {cut} bytes");
    }
    let mut newer = own.clone();
    newer[0] += 1;
    assert!(matches!(pendulum.restore(&newer), Err(CheckpointError::Version { .. })));
    let other = world(&built_in("double-pendulum", &[])).state().to_bytes();
    assert!(matches!(pendulum.restore(&other), Err(CheckpointError::OtherModel { .. })));
    assert_eq!(*pendulum.state(), before);
    assert_eq!(State::from_bytes(&own), Ok(before));
}

/// A checkpoint of another integrator is not one of this run.
#[test]
fn checkpoints_of_another_integrator_are_refused() {
    let explicit = world(&built_in("pendulum", &[])).state().to_bytes();
    let mut implicit = world(&built_in("pendulum", &["integrator=implicit"]));
    assert!(implicit.restore(&explicit).is_err());
}

/// Steps of the adaptive implicit method need no recording.
#[test]
fn adaptive_implicit_steps_without_recording() {
    let body = "[body.ball]\nmass_kg = 1\nuniform = { sphere = \"0.1 m\" }\n[joint.free]\ntype = \"free\"\nchild = \"ball\"\n";
    let mut world = world(&inline(&scenario(10.0, NONE, body), &["integrator=implicit"]));
    assert!(world.advance_steps(20).is_ok());
    assert!(world.state().t > 0.0);
}
