//! Checkpoints: a run that is stopped and taken up in a fresh world ends with the same bits.

use super::common::{Memory, built_in, inline, world};
use super::{NONE, scenario};
use std::time::Duration;
use touchdown_scenario::Scenario;
use touchdown_sim::CheckpointError;
use touchdown_sim::sink::{Frame, Outcome, Progress, Sink, SinkError, SoilNode};

/// Wall-clock time between checkpoints, s.
const EVERY: f64 = 0.05;

/// Takes a checkpoint after each of the given steps, by making the loop wait there, and remembers how many rows and frames it stands for.
struct Stopping {
    memory: Memory,
    steps: Vec<u64>,
    /// Whether the last step is one of them: the loop may take others.
    asked: bool,
    points: Vec<(Vec<u8>, u64, u64)>,
}

impl Sink for Stopping {
    fn series(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.memory.series(row)
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.memory.frame(frame)
    }

    fn checkpoint(&mut self, state: &[u8], rows: u64, frames: u64) -> Result<(), SinkError> {
        if self.asked {
            self.points.push((state.to_vec(), rows, frames));
        }
        Ok(())
    }

    fn surface(&mut self, nodes: &[SoilNode]) -> Result<(), SinkError> {
        self.memory.surface(nodes)
    }

    fn progress(&mut self, progress: Progress) {
        self.asked = self.steps.contains(&progress.steps);
        if self.asked {
            std::thread::sleep(Duration::from_secs_f64(EVERY));
        }
    }
}

fn bits(rows: &[Vec<f64>]) -> Vec<Vec<u64>> {
    rows.iter().map(|r| r.iter().map(|x| x.to_bits()).collect()).collect()
}

fn finish(scenario: &Scenario, from: &[u8]) -> (Memory, Outcome) {
    let (mut world, mut memory) = (world(scenario), Memory::default());
    assert_eq!(world.resume(from), Ok(()));
    let outcome = world.run(&mut memory).unwrap_or_else(|e| panic!("{e}"));
    (memory, outcome)
}

/// Interrupted after any step, the rows still to come, the answers and the ledger have the same bits as those of the straight run.
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
            let sets = [integrator, &format!("duration_s={duration}")];
            stopped_equals_straight(name, &sets, &[1, 2, 7, 29, 150, 777]);
        }
    }
}

/// On rough ground each wheel's place is found again, and what it did in the air is kept.
#[test]
fn resumed_runs_on_rough_ground_end_with_the_same_bits() {
    let rough = ["amplitude_m=0.09", "speed_m_per_s=0.3", "duration_s=20", "record.series_every=100 ms"];
    for integrator in ["integrator.tolerance=1e-5", "integrator={name=\"realtime\", step=\"2 ms\"}"] {
        stopped_equals_straight("rover-on-map", &[&rough[..], &[integrator]].concat(), &[1, 7, 77, 199]);
    }
}

/// Soil remembers: heights, what each node has carried, what a wheel holds and carries, which tiles are still to be drawn, which cadence it
/// is in. All of it survives, during the phases of a study, too.
#[test]
fn resumed_runs_on_soil_end_with_the_same_bits() {
    let fast = ["speed_m_per_s=0.2", "grousers=12", "travel_m=0.75"];
    for more in [
        vec!["friction_law=janosi", "passes=2", "terrain.bekker_width=perimeter"],
        vec!["integrator={name=\"implicit\", step=\"1 ms\"}"],
        vec!["integrator={name=\"explicit\", tolerance=1e-5}", "duration_s=1"],
    ] {
        stopped_equals_straight("single-wheel", &[&fast[..], &more].concat(), &[1, 13, 101, 377, 2011, 4003]);
    }
    let rover = ["spacing_m=0.015"];
    stopped_equals_straight(
        "rover-drawbar-pull",
        &[&rover[..], &["duration_s=5"]].concat(),
        &[7, 1234, 4321],
    );
    // Settling, turning, climbing, turning on: two slopes of 3 cm each.
    let slopes = ["duration_s=30", "slope_deg=[1, 2]", "distance_m=0.03", "study.turn_time=1 s"];
    stopped_equals_straight("rover-gradability", &[&rover[..], &slopes].concat(), &[500, 2500, 4500, 6500]);
    let pile = ["duration_s=1"];
    stopped_equals_straight("sand-pile", &pile, &[1, 19, 20, 333]);
}

/// Candidates of smooth contacts, their deflections and books survive, as do impulses that have acted or not: the push comes at 0.9 s, between touches.
#[test]
fn resumed_runs_with_smooth_contact_end_with_the_same_bits() {
    let push = ["duration_s=1", "impulse.push.time=0.9 s"];
    for integrator in [
        "integrator={name=\"explicit\", tolerance=1e-8}",
        "integrator={name=\"implicit\", step=\"1 ms\"}",
        "integrator={name=\"implicit\"}",
        "integrator={name=\"realtime\", step=\"1 ms\"}",
    ] {
        let steps = [1, 2, 23, 60, 150, 500, 899, 900, 901];
        stopped_equals_straight("ball-in-bowl", &[&[integrator][..], &push].concat(), &steps);
    }
    stopped_equals_straight("ball-on-map", &["duration_s=4.5"], &[3, 77, 400, 900, 1300]);
    stopped_equals_straight("ellipsoid-on-map", &["duration_s=2"], &[5, 111, 600]);
}

/// Runs straight with checkpoints after the given steps, and from each of them to the end: the same rows, frames, surface and answers.
fn stopped_equals_straight(name: &str, sets: &[&str], steps: &[u64]) {
    let every = format!("record.checkpoint_every={EVERY} s");
    let scenario = built_in(name, &[sets, &[&every]].concat());
    let mut sink =
        Stopping { memory: Memory::default(), steps: steps.to_vec(), asked: false, points: vec![] };
    let straight = world(&scenario).run(&mut sink).unwrap_or_else(|e| panic!("{e}"));
    assert!(straight.finished, "{name} {sets:?}: {:?}", straight.stopped_because);
    assert_eq!(sink.points.len(), steps.iter().filter(|s| **s <= straight.steps).count(), "{name} {sets:?}");
    assert!(sink.points.len() >= 3, "{name} {sets:?}: too short");
    for (state, rows, frames) in &sink.points {
        let (rest, outcome) = finish(&scenario, state);
        let at = format!("{name} {sets:?}: restart at row {rows}");
        assert!(bits(&rest.rows) == bits(&sink.memory.rows[*rows as usize..]), "rows differ: {at}");
        assert!(rest.frames == sink.memory.frames[*frames as usize..], "frames differ: {at}");
        assert!(rest.surface == sink.memory.surface, "surfaces differ: {at}");
        assert_eq!(format!("{outcome:?}"), format!("{straight:?}"), "{at}");
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
    let own = pendulum.checkpoint();
    for cut in [0, 1, own.len() / 2, own.len() - 1] {
        assert_eq!(pendulum.resume(&own[..cut]), Err(CheckpointError::Damaged), "cut to {cut} bytes");
    }
    let mut newer = own.clone();
    newer[0] += 1;
    assert!(matches!(pendulum.resume(&newer), Err(CheckpointError::Version { .. })));
    let other = world(&built_in("double-pendulum", &[])).checkpoint();
    assert!(matches!(pendulum.resume(&other), Err(CheckpointError::OtherModel { .. })));
    assert_eq!(*pendulum.state(), before);
    assert_eq!(pendulum.resume(&own), Ok(()));
    assert_eq!(pendulum.save(), before);
}

/// A checkpoint of another integrator is not one of this run.
#[test]
fn checkpoints_of_another_integrator_are_refused() {
    let explicit = world(&built_in("pendulum", &[])).checkpoint();
    let mut implicit = world(&built_in("pendulum", &["integrator=implicit"]));
    assert!(implicit.resume(&explicit).is_err());
}

/// Steps of the adaptive implicit method need no recording.
#[test]
fn adaptive_implicit_steps_without_recording() {
    let body = "[body.ball]\nmass_kg = 1\nuniform = { sphere = \"0.1 m\" }\n[joint.free]\ntype = \"free\"\nchild = \"ball\"\n";
    let mut world = world(&inline(&scenario(10.0, NONE, body), &["integrator=implicit"]));
    assert!(world.advance_steps(20).is_ok());
    assert!(world.state().t > 0.0);
}
