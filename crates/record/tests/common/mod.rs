//! A made-up run for the tests: rows and frames as functions of the step number, recorded like the real loop would.
#![allow(dead_code)] // each test file uses its own half

use std::path::Path;
use touchdown_geometry::{Shape, TriangleMesh};
use touchdown_math::{Pose, Vec3};
use touchdown_record::{
    Build, Disk, InputFile, Options, RecordError, Recorder, ReportSpec, Resumption, RunInfo, Scene,
};
use touchdown_sim::description::Visual;
use touchdown_sim::show::{ContactName, GroundView, ReliefSample};
use touchdown_sim::sink::{
    BodyPose, Column, ContactArrow, Frame, NamedValue, Outcome, PressureNode, Sink, SinkError, SoilPatch,
};

/// A frame comes with every fifth row.
pub const FRAME_EVERY: u64 = 5;
/// Time between rows, s.
pub const STEP: f64 = 0.02;

/// Version of the program that the made-up run was made with.
pub const VERSION: &str = "0.0.0";

pub fn build() -> Build {
    Build { target: "made-up".into(), ..Build::default() }
}

pub fn columns() -> Vec<Column> {
    let column =
        |name: &str, unit, frame, about: &str| Column { name: name.into(), unit, frame, about: about.into() };
    vec![
        column("time_s", "s", "-", "simulated time"),
        column("body.chassis.z_m", "m", "world", "height of the chassis"),
        column(
            "tyre.left.normal_force_n",
            "N",
            "ground",
            "force of the ground on the tyre, along its normal",
        ),
        column("ledger.energy_j", "J", "-", "kinetic and potential energy"),
    ]
}

pub fn scene() -> Scene {
    let mesh = TriangleMesh {
        vertices: vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()],
        triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    };
    let visual = |name: &str, body, shape| Visual {
        name: name.into(),
        body,
        X_BG: Pose::translation(Vec3::new(0.1, 0.2, 0.3)),
        shape,
        colour: [0.2, 0.4, 0.6, 1.0],
    };
    let contact = |name: &str, body, soil| ContactName { name: name.into(), body: Some(body), soil };
    let heights = vec![0.0, 0.25, f32::NAN, 0.5];
    let relief = ReliefSample { x0: -0.32, y0: -0.32, spacing: 0.64, nx: 2, ny: 2, heights };
    Scene {
        bodies: vec!["chassis".into(), "wheel".into()],
        visuals: vec![
            visual("hull", Some(0), Shape::Box { size: Vec3::new(1.0, 2.0, 3.0) }),
            visual("rim", Some(1), Shape::Cylinder { radius: 0.25, length: 0.1 }),
            visual("hub", Some(1), Shape::Sphere { radius: 0.05 }),
            visual("rock", None, Shape::Mesh(mesh.clone())),
        ],
        contacts: vec![contact("left", 1, false), contact("right", 1, true)],
        contact_forms: vec![
            visual("right", Some(1), Shape::Cylinder { radius: 0.25, length: 0.1 }),
            visual("left", Some(1), Shape::Mesh(mesh)),
        ],
        deforming: vec![1],
        ground: Some(GroundView::Soil { spacing: 0.01, relief }),
        duration: 60.0,
        frames_every: STEP * FRAME_EVERY as f64,
        ..Scene::default()
    }
}

pub fn info() -> RunInfo {
    RunInfo {
        scenario: "made-up".into(),
        title: "A run made up for tests".into(),
        version: VERSION.into(),
        build: build(),
        resolved_toml: "duration = \"1 s\"\n".into(),
        inputs: vec![InputFile::of("made-up.toml", b"content")],
        seed: 7,
        threads: 1,
        command: "touchdown run made-up".into(),
        began: String::new(),
        knobs: Vec::new(),
        settings: Vec::new(),
        warnings: vec!["one value is assumed".into()],
        assumed: Vec::new(),
        maps: Vec::new(),
        report: ReportSpec::default(),
    }
}

pub fn row(i: u64) -> Vec<f64> {
    let t = i as f64 * STEP;
    vec![t, 1.0 + 0.1 * (3.0 * t).sin(), 200.0 + 1e-3 * (i as f64 * 0.618_034).fract(), (-t).exp()]
}

pub fn frame(i: u64) -> Frame {
    let t = i as f64 * STEP;
    let (s, c) = (0.5 * t).sin_cos();
    let pose = |z: f64| BodyPose { p_WB: Vec3::new(t, 0.0, z), q_WB: [c, 0.0, s, 0.0] };
    let contact = |y: f64| ContactArrow {
        p_WC: Vec3::new(t, y, 0.0),
        f_W: Vec3::new(0.0, 0.0, 200.0 + t),
        t_W: Vec3::new(0.0, t, 0.0),
    };
    let node = |i: i32| PressureNode { i, j: -2 * i, pressure: 100.0 + t as f32 };
    Frame {
        time: t,
        poses: vec![pose(1.0), pose(0.25)],
        contacts: vec![contact(0.5), contact(-0.5)],
        soil: soil(i),
        pressures: vec![(0..i % 4).map(|k| node(i as i32 + k as i32)).collect()],
        // Corners of the form that changes, a multiple of the file's unit each.
        deformations: vec![(0..4).map(|k| [0.0, -1e-3 * k as f32, 1e-5 * (i % 100) as f32]).collect()],
    }
}

/// A rut that follows the wheel: none at first, then one patch or two.
fn soil(i: u64) -> Vec<SoilPatch> {
    let patch = |k: u64| SoilPatch {
        x0: 0.03 * k as f64,
        y0: -0.16,
        spacing: 0.01,
        nx: 4,
        ny: 3,
        heights: (0..12).map(|n| -1e-4 * (n as f32 + i as f32)).collect(),
        undisturbed: vec![0.0; 12],
    };
    (0..(i / FRAME_EVERY) % 3).map(patch).collect()
}

pub fn outcome(steps: u64, finished: bool) -> Outcome {
    let value = |name: &str, value: f64| NamedValue {
        name: name.into(),
        value,
        unit: "m".into(),
        about: "a number".into(),
    };
    Outcome {
        finished,
        stopped_because: (!finished).then(|| "t = 1 s, body wheel: velocity is not finite".into()),
        sim_time: steps as f64 * STEP,
        steps,
        state_blake3: None,
        answer: None,
        words: Vec::new(),
        tables: vec![],
        quantities: vec![value("distance_m", 1.25), value("broken_m", f64::NAN)],
        ledger: vec![value("residual_m", f64::INFINITY)],
        validity: vec![],
        warnings: vec!["one value is assumed".into(), "left the range of validity".into()],
    }
}

/// Number of frames in the first `rows` rows.
pub fn frames_in(rows: u64) -> u64 {
    rows.div_ceil(FRAME_EVERY)
}

/// Records rows `from..to`, with a checkpoint before every row whose number is a multiple of `checkpoint_every`.
pub fn record(sink: &mut impl Sink, from: u64, to: u64, checkpoint_every: u64) -> Result<(), SinkError> {
    for i in from..to {
        if i > from && i % checkpoint_every == 0 {
            sink.checkpoint(&i.to_le_bytes(), i, frames_in(i))?;
        }
        sink.series(&row(i))?;
        if i % FRAME_EVERY == 0 {
            sink.frame(&frame(i))?;
        }
    }
    Ok(())
}

pub fn create(dir: &Path, options: &Options) -> Recorder {
    Recorder::create(dir, &info(), &columns(), &scene(), options).expect("a fresh folder")
}

/// Opens an interrupted run with the program that began it.
pub fn reopen(dir: &Path) -> Result<Resumption, RecordError> {
    Resumption::open(dir, (VERSION, &build()), false, &Disk::default())
}

/// Resumes and returns the number of the next row.
pub fn resume(dir: &Path, options: &Options) -> (Recorder, u64) {
    let resumed =
        Recorder::resume(reopen(dir).expect("a run"), &columns(), &scene(), options).expect("resumed");
    (resumed.recorder, resumed.state.map_or(0, row_of))
}

/// The number of the next row, as a checkpoint's state has it.
pub fn row_of(state: Vec<u8>) -> u64 {
    u64::from_le_bytes(state.try_into().expect("eight bytes"))
}

/// A whole run without interruption.
pub fn straight(dir: &Path, rows: u64, checkpoint_every: u64, options: &Options) {
    let mut recorder = create(dir, options);
    record(&mut recorder, 0, rows, checkpoint_every).expect("room on disk");
    recorder.finish(&outcome(rows, true), 0.5).expect("merged");
}

pub fn bytes(dir: &Path, name: &str) -> Vec<u8> {
    std::fs::read(dir.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Both result files are the same, byte by byte.
pub fn assert_same_results(a: &Path, b: &Path) {
    for name in ["series.parquet", "frames.mcap"] {
        assert!(bytes(a, name) == bytes(b, name), "{name} differs");
    }
}
