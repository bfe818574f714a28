//! `sand-pile`, `wheel-footprint`, and soil in frames.

use super::check_volume;
use super::common::{Checks, run};
use touchdown_oracle::soil::heap::cone;
use touchdown_sim::sink::{Frame, SoilPatch};

/// A cylinder of soil slides to the cone of its volume at the angle of friction: radius within a cell, no step beyond 1.001 of its limit.
#[test]
fn heaps_come_to_rest_as_cones() {
    let mut checks = Checks::default();
    for (sets, angle) in
        [(vec![], 30.0), (vec!["friction_angle_deg=24.8", "radius_m=0.15", "height_m=0.1"], 24.8)]
    {
        let run = run("sand-pile", &sets);
        check_volume(&run, &format!("{angle} deg"), &mut checks);
        let (ds, slope) = (0.01, f64::to_radians(angle).tan());
        let rise = |n: &touchdown_sim::sink::SoilNode| n.height - n.undisturbed;
        let volume: f64 = run.surface.iter().map(rise).sum::<f64>() * ds * ds;
        // Covered: by more than half a step, which is where a cone ends on a grid.
        let covered = run.surface.iter().filter(|n| rise(n) > 0.5 * ds * slope).count();
        let radius = (covered as f64 * ds * ds / std::f64::consts::PI).sqrt();
        let ideal = cone(volume, f64::to_radians(angle)).radius_m;
        println!("{angle} deg: radius {:.1} mm, cone {:.1} mm", 1e3 * radius, 1e3 * ideal);
        checks.below(&format!("{angle} deg, radius off the cone, cells"), (radius - ideal).abs() / ds, 1.0);
        let steepest = steepest_step(&run.surface, ds) / (ds * slope);
        checks.below(&format!("{angle} deg, steepest step over its limit"), steepest, 1.001);
        // At rest: the last frames show nothing new.
        let late = run.frames.iter().rev().take(20).all(|frame| frame.soil.is_empty());
        assert!(late, "the heap still moves");
    }
    checks.finish();
}

/// Largest step between neighbours along x and y, and along diagonals over √2, m.
fn steepest_step(nodes: &[touchdown_sim::sink::SoilNode], ds: f64) -> f64 {
    let index = |x: f64| (x / ds).round() as i64;
    let at: std::collections::BTreeMap<(i64, i64), f64> =
        nodes.iter().map(|n| ((index(n.x), index(n.y)), n.height)).collect();
    let mut most: f64 = 0.0;
    for ((i, j), h) in &at {
        for (di, dj) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            if let Some(other) = at.get(&(i + di, j + dj)) {
                most = most.max((h - other).abs() / f64::from((di * di + dj * dj) as i32).sqrt());
            }
        }
    }
    most
}

/// Pictures made of the frames alone show the surface at the end: every change is in some frame, and patches join at their edges.
#[test]
fn frames_show_the_soil() {
    let run = run("wheel-footprint", &["travel_m=0.6", "record.frames_every=37 ms"]);
    let mut picture = std::collections::BTreeMap::new();
    for patch in run.frames.iter().flat_map(|frame: &Frame| &frame.soil) {
        assert_eq!(patch.heights.len(), patch.nx * patch.ny);
        for (n, h) in patch.heights.iter().enumerate() {
            picture.insert(node(patch, n), *h);
        }
    }
    // The last frame is a little older than the end: less than 37 ms of lowering at 2 mm/s lie between, and what slid meanwhile.
    let mut apart: f64 = 0.0;
    for n in &run.surface {
        let key = ((n.x / 0.01).round() as i64, (n.y / 0.01).round() as i64);
        let shown = picture.get(&key).unwrap_or_else(|| panic!("{key:?} was never shown"));
        apart = apart.max((f64::from(*shown) - n.height).abs());
    }
    assert!(apart < 5e-3, "{apart}");
    // Most of the ground is at rest most of the time: few patches of all per frame.
    let patches: usize = run.frames.iter().map(|f| f.soil.len()).sum();
    assert!(patches < 10 * run.frames.len(), "{patches} patches in {} frames", run.frames.len());
    let depth = run.surface.iter().map(|n| n.undisturbed - n.height).fold(0.0, f64::max);
    let sinkage = run.quantity("sinkage_m");
    // The rut keeps the form of the wheel, less the elastic rebound.
    assert!((depth - sinkage).abs() < 1e-3, "{depth} {sinkage}");
}

/// Grid indices of a node of a patch.
fn node(patch: &SoilPatch, n: usize) -> (i64, i64) {
    let index = |x: f64| (x / patch.spacing).round() as i64;
    (index(patch.x0) + (n % patch.nx) as i64, index(patch.y0) + (n / patch.nx) as i64)
}
