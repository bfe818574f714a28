//! The same wherever it happens: in the grid, across tiles, along any axis.

use super::*;

/// A power of two, so that a shift by whole cells is exact.
const SPACING: f64 = 1.0 / 128.0;

/// A wheel with a layer rolls, slips and turns a little; the whole model. Forces in the wheel's axes, and the heights around its end.
fn drive(shift: [i64; 2], quarter_turns: i32) -> (Vec<[f64; 6]>, Vec<f64>) {
    let mut bench = Bench::new(SPACING, sand(), full(), &[carrying_wheel()]);
    let origin = Vec3::new(shift[0] as f64 * SPACING, shift[1] as f64 * SPACING, 0.0);
    let Q = exact_turn(quarter_turns);
    let mut forces = Vec::new();
    for k in 0..std::env::var("N").map_or(300, |n| n.parse().unwrap()) {
        let t = f64::from(k) / 256.0;
        let z = RADIUS - 0.03 * (4.0 * t).min(1.0);
        let motion = rolling(0.2 * t, Vec3::new(0.0021 + 0.1 * t, 0.0013 + 0.0625 * t * t, z), 0.1, 1.5);
        let X_WS = Pose { R: Q * motion.X_WS.R, p: origin + Q * motion.X_WS.p };
        let motion = SurfaceMotion { X_WS, v_WC: Q * motion.v_WC, w_WB: Q * motion.w_WB };
        let w = bench.step(1.0 / 256.0, &[motion]).wrench_C;
        let (f, t) = (Q.transpose() * w.f, Q.transpose() * w.t);
        forces.push([t.x, t.y, t.z, f.x, f.y, f.z]);
    }
    let mut heights = Vec::new();
    for j in -16..=32 {
        for i in -24..=48 {
            let p = origin + Q * Vec3::new(f64::from(i) * SPACING, f64::from(j) * SPACING, 0.0);
            heights.push(bench.soil.surface(p.x, p.y).unwrap());
        }
    }
    (forces, heights)
}

/// Quarter turns about the vertical, to the last bit.
fn exact_turn(quarters: i32) -> Mat3 {
    let (s, c) = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][quarters.rem_euclid(4) as usize];
    Mat3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
}

fn largest_difference(a: &(Vec<[f64; 6]>, Vec<f64>), b: &(Vec<[f64; 6]>, Vec<f64>)) -> (f64, f64) {
    let forces = a.0.iter().flatten().zip(b.0.iter().flatten()).map(|(a, b)| (a - b).abs());
    let heights = a.1.iter().zip(&b.1).map(|(a, b)| (a - b).abs());
    (forces.fold(0.0, f64::max), heights.fold(0.0, f64::max))
}

#[test]
fn moving_the_world_by_whole_cells_changes_nothing() {
    let here = drive([0, 0], 0);
    for shift in [[32, -64], [7, 0], [0, 11], [-1, -1], [-1000, 513], [100_000, -77_777]] {
        let (force, height) = largest_difference(&here, &drive(shift, 0));
        println!("shifted by {shift:?}: force {force:.2e} N, height {height:.2e} m");
    }
    for quarters in 1..4 {
        let (force, height) = largest_difference(&here, &drive([0, 0], quarters));
        println!("turned by {quarters}: force {force:.2e} N, height {height:.2e} m");
    }
}
#[test]
fn dbg() {
    let a = drive([0, 0], 0);
    let b = drive([0, 0], 2);
    for (k, (x, y)) in a.1.iter().zip(&b.1).enumerate() {
        let (i, j) = (k as i32 % 73 - 24, k as i32 / 73 - 16);
        if (x - y).abs() > 1e-12 || x.abs() > 1e-5 {
            println!("node {i} {j}: {x:.6e} {y:.6e}");
        }
    }
}
