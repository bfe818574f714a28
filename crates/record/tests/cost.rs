//! Cost of recording for the loop: measured on demand, because no limit holds on a busy machine.

mod common;

use common::*;
use std::time::Instant;
use touchdown_record::{Options, Recorder, Scene};
use touchdown_sim::sink::{BodyPose, Column, Frame, Sink};

/// Columns of a rover run.
const WIDTH: usize = 200;
const ROWS: usize = 50_000;

#[test]
#[ignore = "a measurement: run with --ignored --nocapture"]
fn cost_of_a_row_and_a_frame() {
    // Handing over a row is a copy; the disk works beside the loop.
    let dir = tempfile::tempdir().expect("a temporary folder");
    let column =
        |i| Column { name: format!("column_{i}_m"), unit: "m", frame: "world", about: String::new() };
    let columns: Vec<Column> = (0..WIDTH).map(column).collect();
    let scene = Scene { bodies: (0..20).map(|i| format!("body_{i}")).collect(), ..Scene::default() };
    let mut recorder =
        Recorder::create(dir.path(), &info(), &columns, &scene, &Options::default()).expect("fresh");
    let mut row = vec![0.0; WIDTH];
    let pose = BodyPose { p_WB: touchdown_math::Vec3::zeros(), q_WB: [1.0, 0.0, 0.0, 0.0] };
    let frame = Frame { time: 0.0, poses: vec![pose; 20], contacts: Vec::new(), ..Frame::default() };
    let (mut handing, mut working) = (0.0, 0.0);
    for i in 0..ROWS {
        let start = Instant::now();
        // About what twenty steps of a rover cost.
        for (k, value) in row.iter_mut().enumerate() {
            *value = (0..40).fold(i as f64 * 1e-3 + k as f64, |x, _| x.sin() + 1e-3 * i as f64);
        }
        let worked = Instant::now();
        recorder.series(&row).expect("room on disk");
        if i % 5 == 0 {
            recorder.frame(&frame).expect("room on disk");
        }
        working += (worked - start).as_secs_f64();
        handing += worked.elapsed().as_secs_f64();
    }
    let merge = Instant::now();
    recorder.finish(&outcome(ROWS as u64, true), 0.0).expect("merged");
    let per_row = 1e6 / ROWS as f64;
    println!("work {:.2} µs/row, hand-over {:.3} µs/row", working * per_row, handing * per_row);
    println!("finish {:.2} µs/row", merge.elapsed().as_secs_f64() * per_row);
    for name in ["series.parquet", "frames.mcap"] {
        println!("{name}: {:.1} bytes/row", bytes(dir.path(), name).len() as f64 / ROWS as f64);
    }
}
