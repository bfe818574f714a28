//! Reading the surface: every change is drawn, once, and tiles join.

use super::*;
use std::collections::BTreeMap;

type Drawing = BTreeMap<(i64, i64), Vec<f64>>;

/// Draws what changed into a picture of the whole; how many tiles that were.
fn draw(soil: &mut Soil, picture: &mut Drawing) -> usize {
    let ds = soil.spacing();
    let index = |x: f64| (x / ds).round() as i64;
    let mut count = 0;
    for tile in soil.changed_tiles() {
        let [x, y] = tile.origin();
        picture.insert((index(x), index(y)), tile.heights().collect());
        count += 1;
    }
    soil.mark_drawn();
    count
}

/// Whether every node of the picture, those on the borders of tiles included, lies where the soil is.
fn is_like(soil: &Soil, picture: &Drawing) -> bool {
    let side = SurfaceTile::NODES;
    picture.iter().all(|((i, j), heights)| {
        heights.len() == side * side
            && heights.iter().enumerate().all(|(n, h)| {
                let (i, j) = (i + (n % side) as i64, j + (n / side) as i64);
                soil.surface(i as f64 * soil.spacing(), j as f64 * soil.spacing()) == Some(*h)
            })
    })
}

/// A wheel that carries soil away drives across tiles: pictures made of the changes alone always show the soil, joints between tiles included;
/// tiles that nothing reached are not drawn again; one taken up from a saved state draws the same.
#[test]
fn changes_are_drawn_once_and_join() {
    let mut bench = Bench::new(0.01, sand(), full(), &[carrying_wheel()]);
    let mut picture = Drawing::new();
    let mut resumed: Option<(Bench, Drawing)> = None;
    let mut drawn = Vec::new();
    for k in 0..300 {
        let x = -0.2 + 0.003 * f64::from(k);
        let motion = rolling(0.3, Vec3::new(x, 0.3 * x, RADIUS - 0.03), 0.3, 0.4 / RADIUS);
        bench.step(0.01, &[motion]);
        if let Some((other, _)) = &mut resumed {
            other.step(0.01, &[motion]);
        }
        if k % 10 == 9 {
            drawn.push(draw(&mut bench.soil, &mut picture));
            assert!(is_like(&bench.soil, &picture), "step {k}");
            if let Some((other, copy)) = &mut resumed {
                draw(&mut other.soil, copy);
                assert!(*copy == picture, "step {k}");
            }
        }
        // Between two drawings, so that something is pending.
        if k == 104 {
            let mut other = Bench::new(0.01, sand(), full(), &[carrying_wheel()]);
            other.restore(bench.state());
            assert!(other.soil.restore_marks(&bench.soil.marks()));
            other.t = bench.t;
            resumed = Some((other, picture.clone()));
        }
    }
    assert_eq!(picture.len(), bench.soil.tile_count());
    assert!(picture.len() >= 8, "the path must cross tiles");
    // The footprint and its slopes stretch over at most three by three tiles; at the end the first ones have long come to rest.
    assert!(drawn.iter().all(|n| *n <= 9), "{drawn:?}");
    assert_eq!(draw(&mut bench.soil, &mut picture), 0);
}

/// The map of all nodes holds the volume of the account: all soil that was displaced was put down, but for what the body carries.
#[test]
fn the_map_holds_the_volume() {
    let mut bench = Bench::new(0.01, sand(), full(), &[smooth_wheel()]);
    for k in 0..40 {
        let sinkage = 0.001 * f64::from(k);
        bench.step(0.01, &[rolling(0.0, Vec3::new(0.0, 0.0, RADIUS - sinkage), 0.0, 0.0)]);
    }
    let nodes: Vec<SurfaceNode> = bench.soil.surface_nodes().collect();
    assert_eq!(nodes.len(), 1024 * bench.soil.tile_count());
    let lowest = nodes.iter().map(|n| n.height - n.undisturbed).fold(0.0, f64::min);
    assert!(lowest < -0.03, "{lowest}");
    let sum: f64 = nodes.iter().map(|n| n.height - n.undisturbed).sum();
    let carried = bench.soil.accounts.carried as f64 * super::super::tile::UNIT;
    // Rounding of the sum of so many heights.
    assert!((sum + carried).abs() < 1e-12, "{sum} {carried}");
    assert!(nodes.iter().all(|n| bench.soil.surface(n.x, n.y) == Some(n.height)));
}

/// The undisturbed heights of a drawn tile are those of the relief at its nodes, also beyond its own border, however deep the wheel has dug.
#[test]
fn drawn_tiles_remember_the_relief() {
    let relief = Relief::Plane { height: 0.01, gradient: [0.02, -0.03] };
    let mut bench = Bench::new(0.01, sand(), full(), &[smooth_wheel()]);
    bench.soil = Soil::new(relief.clone(), 0.01, vec![sand()], vec![], full());
    for k in 0..40 {
        let sinkage = 0.001 * f64::from(k);
        bench.step(0.01, &[rolling(0.0, Vec3::new(0.0, 0.0, 0.01 + RADIUS - sinkage), 0.0, 0.0)]);
    }
    let side = SurfaceTile::NODES;
    let mut deepest = 0.0_f64;
    for tile in bench.soil.changed_tiles() {
        let [x, y] = tile.origin();
        assert_eq!(tile.undisturbed().count(), side * side);
        for (n, (before, now)) in tile.undisturbed().zip(tile.heights()).enumerate() {
            let (x, y) = (x + (n % side) as f64 * 0.01, y + (n / side) as f64 * 0.01);
            let there = relief.height(x, y).expect("a plane is everywhere");
            // Round-off of the places, times the slope.
            assert!((before - there).abs() < 1e-15);
            deepest = deepest.max(before - now);
        }
    }
    assert!(deepest > 0.02, "{deepest}");
}

/// Pressures of the nodes make the vertical force: under a plate with edges midway between nodes they sum to F/ds², with damping and without,
/// and the largest is the one that the force reports.
#[test]
fn pressures_carry_the_load() {
    let soil = SoilParameters { damping: 3e4, ..sand() };
    for speed in [0.0, -0.05, 0.02] {
        let mut bench = Bench::new(0.01, soil, bare(), &[plate(0.1, 0.06)]);
        let force = bench.look(&sliding(Vec3::new(0.005, 0.005, 0.0), Vec3::z() * speed));
        let nodes: Vec<NodePressure> = bench.bodies[0].pressures().collect();
        assert_eq!(nodes.len(), 60);
        let load: f64 = nodes.iter().map(|n| n.pressure * 1e-4).sum();
        // Round-off of sixty terms.
        assert!((load / force.wrench_C.f.z - 1.0).abs() < 1e-13, "{load} {}", force.wrench_C.f.z);
        let largest = nodes.iter().map(|n| n.pressure).fold(0.0, f64::max);
        assert!((largest / force.pressure_max - 1.0).abs() < 1e-14);
        assert!(nodes.iter().all(|n| (-4..=5).contains(&n.i) && (-2..=3).contains(&n.j)));
    }
}
