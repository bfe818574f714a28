//! Soil on large maps: only ground that was touched is refined and remembered, and the rest of the map counts for nothing.

mod common;

use common::{built_in, world};
use touchdown_geometry::{Raster, Relief};
use touchdown_sim::Simulation;
use touchdown_sim::description::Ground;

/// Distance of the map's nodes, m.
const CELL: f64 = 1.0;
/// Distance of the soil's nodes, m, and side of a tile of them.
const SPACING: f64 = 0.01;
const TILE: f64 = 32.0 * SPACING;
/// Steps of 1 ms, and how far the wheel has come by then: 0.05 m/s after 1.5 s of loading and half a ramp of 0.5 s.
const STEPS: u64 = 10_000;
const TRAVELLED: f64 = 0.05 * (10.0 - 1.5 - 0.25);

/// The single wheel on a level map with its south-western node at `origin`.
fn wheel_on_map(columns: usize, rows: usize, origin: [f64; 2]) -> Simulation {
    let mut scenario = built_in("single-wheel", &["spacing_m=0.01", "radius_m=0.15", "width_m=0.1"]);
    let heights = vec![0.0; columns * rows];
    let map = Raster::new(origin, CELL, columns, rows, heights).expect("a map");
    let Some(Ground::Soil(ground)) = &mut scenario.description.ground else { panic!("soil") };
    ground.relief = Relief::Raster(map);
    let mut world = world(&scenario);
    let made = world.advance_steps(STEPS);
    assert_eq!(made, Ok(STEPS));
    world
}

/// A wheel on 10 m² and on 1 km² of level ground: the same motion to the last bit, the same few tiles, checkpoints without the map.
#[test]
fn a_square_kilometre_costs_what_is_touched() {
    let small = wheel_on_map(6, 3, [-1.0, -1.0]);
    let large = wheel_on_map(1001, 1001, [-500.0, -500.0]);
    assert_eq!((&small.state().q, &small.state().v), (&large.state().q, &large.state().v));
    assert!(large.soil_forces()[0].nodes > 0, "the wheel rolls in the soil");
    let tiles = |w: &Simulation| w.soil().map_or(0, |soil| soil.tile_count());
    assert_eq!(tiles(&small), tiles(&large));
    // All that the wheel can have reached: its path and its width, and two radii around them for soil thrown and slid.
    let reach = 2.0 * 0.15;
    let along = ((TRAVELLED + 2.0 * reach) / TILE).ceil() + 1.0;
    let across = ((0.1 + 2.0 * reach) / TILE).ceil() + 1.0;
    let count = tiles(&large) as f64;
    println!("| tiles of 1 km² | {count} | at most {} |", along * across);
    assert!(count > 0.0 && count <= along * across, "{count} tiles, at most {along} x {across}");
    // A node remembers nine numbers and its height; with 10 bytes for each of them there is no room for a map of 8 MB.
    let bytes = large.checkpoint().len();
    let most = tiles(&large) * 32 * 32 * 10 * 11;
    println!(
        "| checkpoint | {bytes} B | at most {most} B, with the smaller map {} B |",
        small.checkpoint().len()
    );
    assert!(bytes < most && most < 4_000_000, "{bytes} of {most} bytes");
}
