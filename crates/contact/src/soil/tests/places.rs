//! The same wherever it happens: anywhere in the grid, across tiles, along any axis; and nothing of it inside
//! a body.

use super::*;

/// A power of two, so that a shift by whole cells is exact.
const SPACING: f64 = 1.0 / 128.0;
const STEPS: u32 = 300;

/// Wrenches on the wheel in its own axes, and heights around it at the end.
struct Drive {
    wrenches: Vec<[f64; 6]>,
    heights: Vec<f64>,
}

/// The motion of the wheel at step k: it sinks 30 mm, then drives a bend with slip and slides sideways.
fn motion_at(k: u32) -> SurfaceMotion {
    let t = f64::from(k) / 256.0;
    let z = RADIUS - 0.03 * (4.0 * t).min(1.0);
    let mut motion = rolling(0.2 * t, Vec3::new(0.0021 + 0.1 * t, 0.0013 + 0.0625 * t * t, z), 0.1, 1.5);
    motion.v_WS = Vec3::new(0.1, 0.125 * t, if t < 0.25 { -0.12 } else { 0.0 });
    motion.w_WS.z = 0.2;
    motion
}

/// The drive in a world moved by whole cells and turned by right angles.
fn drive(options: SoilOptions, shift: [i64; 2], quarters: i32) -> Drive {
    let mut bench = Bench::new(SPACING, sand(), options, &[carrying_wheel()]);
    let origin = Vec3::new(shift[0] as f64 * SPACING, shift[1] as f64 * SPACING, 0.0);
    let Q = exact_turn(quarters);
    let wrenches = (0..STEPS).map(|k| {
        let here = motion_at(k);
        let X_WS = Pose { R: Q * here.X_WS.R, p: origin + Q * here.X_WS.p };
        let motion = SurfaceMotion { X_WS, v_WS: Q * here.v_WS, w_WS: Q * here.w_WS };
        let w = bench.step(1.0 / 256.0, &[motion]).wrench_C;
        let (f, t) = (Q.transpose() * w.f, Q.transpose() * w.t);
        [t.x, t.y, t.z, f.x, f.y, f.z]
    });
    let wrenches = wrenches.collect();
    let node = |i: i32, j: i32| origin + Q * Vec3::new(f64::from(i) * SPACING, f64::from(j) * SPACING, 0.0);
    let nodes = (-16..=32).flat_map(|j| (-24..=48).map(move |i| (i, j)));
    let heights = nodes.map(|(i, j)| node(i, j)).map(|p| bench.soil.surface(p.x, p.y).unwrap()).collect();
    Drive { wrenches, heights }
}

/// Quarter turns about the vertical, to the last bit.
fn exact_turn(quarters: i32) -> Mat3 {
    let (s, c) = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][quarters.rem_euclid(4) as usize];
    Mat3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
}

/// Largest differences of force (N, N m) and height (m).
fn differences(a: &Drive, b: &Drive) -> (f64, f64) {
    let forces = a.wrenches.iter().flatten().zip(b.wrenches.iter().flatten()).map(|(a, b)| (a - b).abs());
    let heights = a.heights.iter().zip(&b.heights).map(|(a, b)| (a - b).abs());
    (forces.fold(0.0, f64::max), heights.fold(0.0, f64::max))
}

/// Nothing depends on where in the world it happens, on which side of zero, or on where tiles meet: a shift
/// by whole cells changes what rounding changes. Coordinates at a distance d are rounded to d·2⁻⁵³, which the
/// stiffest soil, 1e9 Pa/m over 0.02 m², makes a force.
#[test]
fn moving_the_world_by_whole_cells_changes_nothing() {
    let here = drive(full(), [0, 0], 0);
    for shift in [[32, -64], [7, 0], [0, 11], [-1, -1], [-1000, 513], [100_000, -77_777i64]] {
        let (force, height) = differences(&here, &drive(full(), shift, 0));
        let distance = shift.iter().map(|s| s.abs() as f64 * SPACING).fold(1.0, f64::max);
        let rounding = distance * f64::EPSILON;
        println!("moved by {shift:?} cells: {force:.1e} N, {height:.1e} m");
        assert!(force < 1e9 * 0.02 * rounding && height < 100.0 * rounding);
    }
}

/// Rotating the world by a right angle rotates all results: without erosion to rounding. With erosion forces
/// agree within 0.5 % on average, because nodes slide one after the other, in an order that depends on the
/// axes.
#[test]
fn turning_the_world_turns_forces_and_deposits() {
    let still = SoilOptions { erosion: false, ..full() };
    let (here, eroding) = (drive(still, [0, 0], 0), drive(full(), [0, 0], 0));
    let mean = |drive: &Drive, k: usize| {
        drive.wrenches[200..].iter().map(|w| w[k]).sum::<f64>() / f64::from(STEPS - 200)
    };
    for quarters in 1..4 {
        let (force, height) = differences(&here, &drive(still, [0, 0], quarters));
        println!("turned {quarters} times: {force:.1e} N, {height:.1e} m");
        assert!(force < 1e-9 && height < 1e-11);
        let other = drive(full(), [0, 0], quarters);
        let (force, height) = differences(&eroding, &other);
        let load = mean(&other, 5) / mean(&eroding, 5) - 1.0;
        println!("with erosion: at most {force:.1e} N, {height:.1e} m; mean load {load:+.5}");
        assert!(load.abs() < 0.005);
    }
}

/// Where a body covers a whole cell there is no soil above its underside except for the rebound and the soil
/// that it presses on: also where it came from the side and covered the cell little by little. (At 1e9 Pa/m
/// soil that carries 15 kPa springs back 15 µm. In one step the wheel moves sideways by at most 7 % of a
/// cell: of a wall of 30 mm, 2 mm wait for the next commit.)
#[test]
fn no_soil_stands_inside_a_body() {
    let mut bench = Bench::new(SPACING, sand(), full(), &[smooth_wheel()]);
    let (mut pressed, mut beside) = (0.0f64, 0.0f64);
    for k in 0..STEPS {
        bench.look(&motion_at(k));
        let above = |bench: &Bench, cell: usize| {
            let (x, y) = bench.bodies[0].place(cell);
            bench.soil.surface(x, y).unwrap() - bench.bodies[0].columns.at[cell].level
        };
        for (cell, column) in bench.bodies[0].columns.at.iter().enumerate() {
            if column.cover == 1.0 && bench.bodies[0].status[cell] < 0.0 {
                beside = beside.max(above(&bench, cell));
            }
        }
        bench.step(1.0 / 256.0, &[motion_at(k)]);
        for touch in bench.bodies[0].touches.iter().filter(|touch| touch.cover == 1.0) {
            pressed = pressed.max(above(&bench, touch.cell as usize));
        }
    }
    println!(
        "above the underside: {:.1} µm where it presses, {:.1} µm elsewhere",
        1e6 * pressed,
        1e6 * beside
    );
    assert!(pressed < 20e-6 && beside < 2e-3);
}

/// A wall in the next tile is felt by a body whose edge reaches its cells as if no tiles met there.
#[test]
fn edges_feel_what_lies_across_the_border_of_a_tile() {
    let (ds, side) = (0.01, 32);
    let forces = [side, side + 5].map(|first| {
        let mut bench = Bench::new(ds, sand(), bare(), &[plate(0.1, 0.1)]);
        for j in -10..=10 {
            bench.soil.add_heap([f64::from(first) * ds, f64::from(j) * ds], 0.1 * ds, 0.05);
        }
        // The plate covers a third of the wall's cells, 10 mm below their tops.
        let x = (f64::from(first) - 0.5 + 0.3) * ds - 0.05;
        bench.look(&sliding(Vec3::new(x, 0.0, 0.05), Vec3::zeros())).wrench_C.f.z
    });
    assert!(forces[0] > 0.5 && (forces[0] / forces[1] - 1.0).abs() < 1e-9, "{forces:?}");
}

/// Ground that a body does not touch does not act on it: a tower beside its path, which raises all that the
/// search for contact looks at, changes nothing but the order of sums.
#[test]
fn what_is_not_touched_does_not_matter() {
    let forces = [0.0, 0.2].map(|height| {
        let mut heights = vec![0.0; 41 * 41];
        heights[25 * 41 + 22] = height;
        let map = touchdown_geometry::Raster::new([-1.0, -1.0], 0.05, 41, 41, heights).unwrap();
        let soil = Soil::new(Relief::Raster(map), 0.01, vec![sand()], vec![], full());
        let mut bench = Bench::on(soil, vec![SoilContact::new(&carrying_wheel())]);
        let at = |k: u32| {
            let t = f64::from(k) * 0.01;
            rolling(0.0, Vec3::new(0.003 + 0.1 * t, 0.0013, RADIUS - 0.03 * (5.0 * t).min(1.0)), 0.1, 2.0)
        };
        (0..150).map(|k| bench.step(0.01, &[at(k)]).wrench_C).collect::<Vec<_>>()
    });
    let apart = forces[0].iter().zip(&forces[1]).map(|(a, b)| (a.f - b.f).norm()).fold(0.0, f64::max);
    println!("forces {apart:.1e} N apart");
    assert!(apart < 1e-10);
}
