//! `touchdown resume`: a run that is killed again and again ends with the same bytes as one that is not.

mod common;

use common::*;
use std::path::Path;
use std::time::{Duration, Instant};

/// Kills of each run before it may end.
const KILLS: u32 = 3;
/// Seed of the moments, unless TOUCHDOWN_TEST_SEED gives another.
const SEED: u64 = 20_240_229;

/// Moments between 0 and 1 (splitmix64).
struct Moments(u64);

impl Moments {
    fn new() -> Self {
        let seed =
            std::env::var("TOUCHDOWN_TEST_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(SEED);
        println!("TOUCHDOWN_TEST_SEED={seed}");
        Moments(seed)
    }

    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as f64 / u64::MAX as f64
    }
}

/// Starts a command and kills it after `wait` from the moment the run folder exists. True if it was still running.
fn start_and_kill(dir: &Path, args: &[&str], wait: Duration) -> bool {
    let mut child = start(dir, args);
    while !dir.join("cut/manifest.json").exists() && child.try_wait().expect("known").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(wait);
    let running = child.try_wait().expect("known").is_none();
    child.kill().expect("ours to kill");
    child.wait().expect("ended");
    running
}

/// Runs straight, then with kills at random moments, and compares the bytes.
fn killed_equals_straight(scenario: &str, sets: &[&str]) {
    let dir = temporary();
    let settings: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
    let with = |words: &[&'static str]| -> Vec<&str> { words.iter().chain(&settings).copied().collect() };
    let begun = Instant::now();
    good(dir.path(), &[&["run", scenario, "--quiet", "--out", "straight"], settings.as_slice()].concat());
    let whole = begun.elapsed().as_secs_f64();
    let mut moments = Moments::new();
    let mut kills = 0;
    let cut = dir.path().join("cut");
    for attempt in 0..KILLS {
        // Each kill falls into the first part of what is left, so that the next one finds something to kill.
        let wait = Duration::from_secs_f64(whole * moments.next() / f64::from(KILLS));
        let args = if attempt == 0 { with(&["run"]) } else { vec!["resume", "cut"] };
        let args = if attempt == 0 { [args, vec![scenario, "--out", "cut"]].concat() } else { args };
        let running = start_and_kill(dir.path(), &args, wait);
        kills += u32::from(running);
        println!("{scenario}: kill {attempt} after {wait:?} of {whole:.3} s, running: {running}");
        touchdown_record::read_series(&cut).expect("a killed run stays readable");
    }
    assert!(kills > 0, "the run must be long enough to be killed");
    good(dir.path(), &["resume", "cut", "--quiet"]);
    let soil = dir.path().join("straight/soil.parquet").exists().then_some("soil.parquet");
    for name in ["series.parquet", "frames.mcap", "resolved.toml"].into_iter().chain(soil) {
        let (a, b) = (bytes(&dir.path().join("straight"), name), bytes(&cut, name));
        assert!(a == b, "{scenario}: {name} differs after resuming");
    }
    let quantities = |run: &Path| json(run, "summary.json")["quantities"].clone();
    assert_eq!(quantities(&dir.path().join("straight")), quantities(&cut));
}

#[test]
fn a_killed_rover_ends_as_if_it_had_not_been() {
    // Fixed steps with contact states: everything that influences later bits is in the checkpoint.
    killed_equals_straight("rover-drop-brush", &["record.checkpoint_every=100 ms", "duration_s=40"]);
}

#[test]
fn a_killed_explicit_run_ends_as_if_it_had_not_been() {
    // Adaptive steps with dense output: step size and controller memory survive, and so do rows inside a step.
    killed_equals_straight("pendulum-chain", &["record.checkpoint_every=100 ms", "duration_s=2"]);
}

#[test]
fn a_killed_implicit_run_ends_as_if_it_had_not_been() {
    // Newton's method starts from remembered accelerations and a kept factorisation, which the checkpoint holds.
    let sets = [
        "record.checkpoint_every=100 ms",
        "duration_s=2",
        "integrator.name=implicit",
        "integrator.step=0.25 ms",
    ];
    killed_equals_straight("pendulum-chain", &sets);
}

#[test]
fn a_killed_wheel_in_soil_ends_as_if_it_had_not_been() {
    // Soil with deposits, slides and what the wheel carries; frames hold only what changed since the last one.
    let sets = ["record.checkpoint_every=100 ms", "grousers=12", "slip=0.4", "passes=2"];
    killed_equals_straight("single-wheel", &sets);
}

#[test]
fn a_killed_rover_in_soil_ends_as_if_it_had_not_been() {
    // Six wheels, evaluated by as many threads as there are.
    killed_equals_straight("rover-drawbar-pull", &["record.checkpoint_every=100 ms", "duration_s=15"]);
}

#[test]
fn a_run_killed_before_its_first_checkpoint_starts_again() {
    // Nothing to go on from is no failure: the folder says what to run.
    killed_equals_straight("rover-drop-brush", &["record.checkpoint_every=1 h", "duration_s=30"]);
}

#[test]
fn resuming_a_finished_run_changes_nothing() {
    // The work is done: exit code 0, no byte changed.
    let dir = temporary();
    good(dir.path(), &["run", "pendulum", "--quiet", "--out", "a", "--set", "duration_s=0.1"]);
    let before = bytes(&dir.path().join("a"), "series.parquet");
    assert!(good(dir.path(), &["resume", "a"]).contains("reached its end"));
    assert_eq!(before, bytes(&dir.path().join("a"), "series.parquet"));
}

#[test]
fn what_is_no_run_cannot_be_resumed() {
    // A missing folder, a changed scenario and a manifest of another format are refused with exit code 2 and a hint.
    let dir = temporary();
    let said = touchdown(dir.path(), &["resume", "nowhere"]);
    assert!(said.code == 2 && said.stderr.contains("hint"), "{}", said.stderr);
    let run = dir.path().join("a");
    interrupted(dir.path(), "a");
    let resolved = bytes(&run, "resolved.toml");
    std::fs::write(run.join("resolved.toml"), [&resolved[..], b"# changed\n"].concat())
        .expect("room on disk");
    let said = touchdown(dir.path(), &["resume", "a"]);
    assert!(said.code == 2 && said.stderr.contains("not the one"), "{}", said.stderr);
    std::fs::write(run.join("resolved.toml"), resolved).expect("room on disk");
    let manifest = String::from_utf8(bytes(&run, "manifest.json")).expect("text");
    std::fs::write(run.join("manifest.json"), manifest.replace("\"format\": 2", "\"format\": 99"))
        .expect("room");
    let said = touchdown(dir.path(), &["resume", "a"]);
    assert!(said.code == 2 && said.stderr.contains("its format is 99"), "{}", said.stderr);
    std::fs::write(run.join("manifest.json"), manifest.replace("\"seed\": 0", "\"seed\": 1")).expect("room");
    let said = touchdown(dir.path(), &["resume", "a"]);
    assert!(said.code == 2 && said.stderr.contains("manifest.json"), "{}", said.stderr);
}
