//! A run stopped half-way, whose checkpoint and sealed parts are broken: with the hashes as they were, or sealed again, so that the readers behind the hashes see them.

use std::path::{Path, PathBuf};
use touchdown_record::{
    Build, Disk, Options, Recorder, ReportSpec, Resumption, RunInfo, Scene, read_frames, read_series, verify,
};
use touchdown_scenario::{Scenario, load};
use touchdown_sim::Simulation;
use touchdown_sim::sink::{Frame, Sink, SinkError};

/// Rows after which the run is stopped.
const ROWS: usize = 12;
/// Bytes of a checkpoint's header, and of a hash: see `crates/record/src/checkpoint.rs`.
const HEADER: usize = 8 + 3 * 4 + 3 * 8 + 2 * HASH;
const HASH: usize = blake3::OUT_LEN;
const VERSION: &str = "0";

/// Hands everything on, and asks to stop after some rows.
struct Stopping {
    recorder: Recorder,
    rows: usize,
}

impl Sink for Stopping {
    fn series(&mut self, values: &[f64]) -> Result<(), SinkError> {
        self.rows += 1;
        self.recorder.series(values)
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.recorder.frame(frame)
    }

    fn checkpoint(&mut self, state: &[u8], rows: u64, frames: u64) -> Result<(), SinkError> {
        self.recorder.checkpoint(state, rows, frames)
    }

    fn progress(&mut self, _: touchdown_sim::sink::Progress) {}

    fn is_stop_requested(&self) -> bool {
        self.rows >= ROWS
    }
}

fn scenario() -> Scenario {
    load("pendulum", &["duration_s=0.2".into()]).expect("a built-in scenario")
}

fn world() -> Simulation {
    Simulation::build(&scenario().description).expect("a built-in world")
}

fn info() -> RunInfo {
    RunInfo {
        scenario: "pendulum".into(),
        title: String::new(),
        version: VERSION.into(),
        build: Build::default(),
        resolved_toml: scenario().resolved_toml,
        inputs: Vec::new(),
        seed: 0,
        threads: 1,
        command: String::new(),
        began: String::new(),
        knobs: Vec::new(),
        settings: Vec::new(),
        warnings: Vec::new(),
        assumed: Vec::new(),
        maps: Vec::new(),
        report: ReportSpec::default(),
    }
}

/// A run that was stopped half-way, in a folder `name` of `folder`.
fn suspend(folder: &Path) -> PathBuf {
    let (dir, mut world) = (folder.join("suspended"), world());
    let options = Options { overwrite: true, ..Options::default() };
    let recorder = Recorder::create(&dir, &info(), world.columns(), &Scene::of(&world), &options);
    let mut sink = Stopping { recorder: recorder.expect("room on disk"), rows: 0 };
    assert!(world.run(&mut sink).is_err(), "it is stopped before its end");
    sink.recorder.suspend().expect("room on disk");
    dir
}

/// The sealed part of a stream.
fn part(dir: &Path, stream: &str) -> PathBuf {
    let entries = std::fs::read_dir(dir.join("parts")).expect("sealed parts");
    let mut names = entries.map(|entry| entry.expect("an entry").path());
    let is_such = |path: &PathBuf| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(stream));
    names.find(is_such).expect("a part of each stream")
}

fn seed(read: impl Fn(&Path) -> Vec<u8>) -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    vec![read(&suspend(folder.path()))]
}

pub fn checkpoints(_: &Path) -> Vec<Vec<u8>> {
    seed(|dir| std::fs::read(dir.join("checkpoint.bin")).expect("a checkpoint"))
}

pub fn series_parts(_: &Path) -> Vec<Vec<u8>> {
    seed(|dir| std::fs::read(part(dir, "series")).expect("a part"))
}

pub fn frame_parts(_: &Path) -> Vec<Vec<u8>> {
    seed(|dir| std::fs::read(part(dir, "frames")).expect("a part"))
}

/// Every other input, by its content, is sealed again.
fn is_sealed_anew(bytes: &[u8]) -> bool {
    bytes.iter().fold(0u8, |sum, b| sum.wrapping_add(*b)) % 2 == 0
}

/// A checkpoint whose hash is that of its content.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() >= HEADER + HASH {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&bytes[..HEADER]).update(&bytes[HEADER + HASH..]);
        bytes[HEADER..HEADER + HASH].copy_from_slice(hasher.finalize().as_bytes());
    }
    bytes
}

pub fn read_checkpoint(bytes: &[u8], folder: &Path) {
    let dir = suspend(folder);
    let bytes = if is_sealed_anew(bytes) { sealed(bytes.to_vec()) } else { bytes.to_vec() };
    std::fs::write(dir.join("checkpoint.bin"), bytes).expect("room on disk");
    go_on(&dir);
}

pub fn read_series_part(bytes: &[u8], folder: &Path) {
    read_part(bytes, folder, "series");
}

pub fn read_frame_part(bytes: &[u8], folder: &Path) {
    read_part(bytes, folder, "frames");
}

/// A broken part under the name it had, or under the name of its content, with the checkpoint standing on it.
fn read_part(bytes: &[u8], folder: &Path, stream: &str) {
    let dir = suspend(folder);
    let old = part(&dir, stream);
    std::fs::write(&old, bytes).expect("room on disk");
    if is_sealed_anew(bytes) {
        let name = old.file_name().expect("a name").to_string_lossy().into_owned();
        let (before, after) = (name.rfind('-').expect("a hash"), name.rfind('.').expect("an ending"));
        let new = format!("{}-{}{}", &name[..before], blake3::hash(bytes), &name[after..]);
        std::fs::rename(&old, old.with_file_name(new)).expect("renamed");
        stand_on(&dir);
    }
    go_on(&dir);
}

/// Lets the checkpoint stand on the parts as they are now.
fn stand_on(dir: &Path) {
    let mut both = blake3::Hasher::new();
    for stream in ["series", "frames"] {
        let name = part(dir, stream).file_stem().expect("a name").to_string_lossy().into_owned();
        let words: Vec<&str> = name.split('-').collect();
        let mut chain = blake3::Hasher::new();
        for number in &words[1..3] {
            chain.update(&number.parse::<u64>().expect("a number").to_le_bytes());
        }
        chain.update(blake3::Hash::from_hex(words[3]).expect("a hash").as_bytes());
        both.update(chain.finalize().as_bytes());
    }
    let path = dir.join("checkpoint.bin");
    let mut bytes = std::fs::read(&path).expect("a checkpoint");
    bytes[HEADER - HASH..HEADER].copy_from_slice(both.finalize().as_bytes());
    std::fs::write(path, sealed(bytes)).expect("room on disk");
}

/// The folder is verified, read, resumed and run to its end; each works or says why not.
fn go_on(dir: &Path) {
    let _ = verify(dir).map_err(|error| error.to_string());
    let _ = read_series(dir).map_err(|error| error.to_string());
    read_frames(dir, |_| ());
    let Ok(resumption) = Resumption::open(dir, (VERSION, &Build::default()), false, &Disk::default()) else {
        return;
    };
    let mut world = world();
    let resumed = Recorder::resume(resumption, world.columns(), &Scene::of(&world), &Options::default());
    let Ok(mut resumed) = resumed else { return };
    if resumed.state.is_some_and(|state| world.resume(&state).is_err()) {
        return;
    }
    if let Ok(outcome) = world.run(&mut resumed.recorder) {
        let _ = resumed.recorder.finish(&outcome, 0.0).map_err(|error| error.to_string());
    }
}
