//! Routes with a known optimum: even ground, a wall with a gap, slopes; and an independent search over random ground.

use super::*;
use crate::layers::tests::table as two_soils;
use crate::map::{Cell, MapStageError};
use crate::{Response, ResponseTable};
use proptest::prelude::*;

/// The same response everywhere, with this energy.
fn even(energy_j_per_m: f64) -> ResponseTable {
    let response = Response {
        slip: 0.1,
        drift_deg: 0.0,
        energy_j_per_m,
        p_stuck: 0.01,
        p_tip: 0.0,
        slip_half_width: 0.02,
        energy_interval_j_per_m: [0.9 * energy_j_per_m, 1.2 * energy_j_per_m],
        valid: 1.0,
    };
    ResponseTable::new(vec!["sand".into()], vec![0.0, 40.0], vec![0.0, 180.0], vec![response; 4])
        .expect("a table")
}

fn cell(slope_deg: f32, uphill_deg: f32) -> Cell {
    Cell { slope_deg, uphill_deg, soil: 0, is_step: false }
}

/// Level ground; `#` is a step.
fn level(picture: &[&str], spacing: f64) -> Terrain {
    let (columns, rows) = (picture[0].len(), picture.len());
    let wall = |c: u8| Cell { is_step: c == b'#', ..cell(0.0, 0.0) };
    let cells: Vec<Cell> = picture.iter().flat_map(|line| line.bytes().map(wall)).collect();
    let heights = vec![0.0; cells.len()];
    let (first, step) = ([0.0, (rows - 1) as f64 * spacing], [spacing; 2]);
    Terrain { columns, rows, spacing, first, step, cells, heights, is_cut: false }
}

fn job(table: &ResponseTable, from: [f64; 2], to: [f64; 2]) -> RouteJob<'_> {
    RouteJob { table, from, to, aim: Aim::Energy, p_stuck_max: 0.5, turn_radius_m: 1.0, wheelbase_m: 1.3 }
}

/// On even ground the way is the shortest over eight neighbours with a single turn: 6 along and 4 diagonals of 2 m.
#[test]
fn even_ground_gives_the_best_octile_path() {
    let table = even(100.0);
    let route =
        plan(&level(&["..........."; 5], 2.0), &job(&table, [0.0, 0.0], [20.0, 8.0])).expect("a route");
    let length = 2.0 * (6.0 + 4.0 * 2.0_f64.sqrt());
    assert!((route.length_m - length).abs() < 1e-12 * length);
    assert!((route.energy_j - 100.0 * length).abs() < 1e-9 && route.turns == 1);
    let turn = 100.0 * std::f64::consts::FRAC_PI_4;
    assert!((route.cost - (100.0 * length + turn)).abs() < 1e-9, "{}", route.cost);
    assert_eq!((route.points[0].place, route.points[10].place), ([0.0, 0.0], [20.0, 8.0]));
    assert!((route.slip_mean - 0.1).abs() < 1e-12);
    let survives = 0.99_f64.powf(length / 1.3);
    assert!((route.risk - (1.0 - survives)).abs() < 1e-12);
    // The ends of the interval add up like the energy itself.
    let expected = [0.9, 1.2].map(|factor| factor * route.energy_j);
    assert!((0..2).all(|k| (route.energy_interval_j[k] / expected[k] - 1.0).abs() < 1e-12));
}

/// A wall is passed through its gap, without cutting its corners: straight across.
#[test]
fn a_wall_is_passed_through_its_gap() {
    let picture = [".......", "###.###", "......."];
    let table = even(100.0);
    let route = plan(&level(&picture, 1.0), &job(&table, [0.0, 2.0], [6.0, 0.0])).expect("a route");
    assert!(route.points.iter().any(|point| point.place == [3.0, 1.0]));
    assert!((route.length_m - 8.0).abs() < 1e-12 && route.turns == 4, "{route:?}");

    let closed = [".......", "#######", "......."];
    let error = plan(&level(&closed, 1.0), &job(&table, [0.0, 2.0], [6.0, 0.0])).expect_err("no route");
    assert!(matches!(error, MapStageError::NoRoute { .. }), "{error}");
}

/// Ends beside the map and on a step are refused with what is allowed.
#[test]
fn ends_must_be_ground_to_stand_on() {
    let table = even(100.0);
    let terrain = level(&["....", ".#..", "...."], 1.0);
    for (to, part) in [
        ([9.0, 0.0], "allowed: x 0 to 3, y 0 to 2"),
        ([1.0, 1.0], "on a step"),
        ([f64::NAN, 0.0], "not on the map"),
    ] {
        let error = plan(&terrain, &job(&table, [0.0, 0.0], to)).expect_err("refused").to_string();
        assert!(error.contains(part), "{error}");
    }
    let error = plan(&terrain, &RouteJob { p_stuck_max: 2.0, ..job(&table, [0.0, 0.0], [3.0, 0.0]) });
    assert!(error.expect_err("refused").to_string().contains("allowed: 0 to 1"));
}

/// The route of least risk goes around a ridge that the shortest one crosses; the one of least energy does not climb it where it is steep either,
/// but may roll down there.
#[test]
fn hills_are_driven_around() {
    let table = two_soils();
    let (columns, rows) = (41, 21);
    // A ridge across the way, steep but for its northern end.
    let cells = (0..rows * columns).map(|k| match (k % columns, k / columns) {
        (10..=19, row) => cell(if row < 4 { 4.0 } else { 24.0 }, 90.0),
        (20..=29, row) => cell(if row < 4 { 4.0 } else { 24.0 }, 270.0),
        _ => cell(0.0, 0.0),
    });
    let terrain = Terrain {
        columns,
        rows,
        cells: cells.collect(),
        heights: vec![0.0; columns * rows],
        ..level(&["."], 1.0)
    };
    let terrain = Terrain { first: [0.0, 20.0], ..terrain };
    for aim in [Aim::Energy, Aim::Risk] {
        let route =
            plan(&terrain, &RouteJob { aim, ..job(&table, [0.0, 10.0], [40.0, 10.0]) }).expect("a route");
        let avoids =
            |point: &RoutePoint| point.slope_deg < 10.0 || aim == Aim::Energy && point.place[0] >= 19.0;
        assert!(route.points.iter().all(avoids), "{aim:?}");
    }
}

/// Every state by every path: Bellman's equation over cells and the headings of the last step, solved by repetition. Written apart from
/// the search, with turns as a part of the steps.
fn by_repetition(terrain: &Terrain, costs: &cost::Costs, from: usize, to: usize) -> Option<f64> {
    let mut best = vec![f64::INFINITY; terrain.cells.len() * 8];
    (0..8).for_each(|heading| best[from * 8 + heading] = 0.0);
    loop {
        let mut changed = false;
        for state in 0..best.len() {
            let (cell, heading) = (state / 8, state % 8);
            for next_heading in 0..8 {
                let turned = heading.abs_diff(next_heading).min(8 - heading.abs_diff(next_heading)) as f64;
                let Some((next, cost)) = costs.ahead(cell, next_heading) else { continue };
                let sum = best[state] + turned * costs.turn(cell) + cost;
                if sum < best[next * 8 + next_heading] - 1e-12 {
                    best[next * 8 + next_heading] = sum;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let found = (0..8).map(|heading| best[to * 8 + heading]).fold(f64::INFINITY, f64::min);
    found.is_finite().then_some(found)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
    /// Random slopes, soils and walls: the search finds the cost that repetition finds, or nothing where there is nothing; and the profile adds up.
    #[test]
    fn the_search_finds_the_least_cost(
        ground in prop::collection::vec((0.0_f32..28.0, 0.0_f32..360.0, 0_u8..2, 0_u8..6), 8 * 7),
        risk in any::<bool>(),
    ) {
        let table = two_soils();
        let cells: Vec<Cell> = ground
            .iter()
            .map(|(slope_deg, uphill_deg, soil, wall)| Cell { slope_deg: *slope_deg, uphill_deg: *uphill_deg, soil: *soil, is_step: *wall == 0 })
            .collect();
        let terrain = Terrain { columns: 8, rows: 7, first: [0.0, 6.0], heights: vec![0.0; 56], cells, ..level(&["."], 1.0) };
        let aim = if risk { Aim::Risk } else { Aim::Energy };
        let job = RouteJob { aim, p_stuck_max: 0.3, ..job(&table, [0.0, 0.0], [7.0, 6.0]) };
        let costs = cost::Costs::new(&terrain, &job);
        let (Ok(from), Ok(to)) = (terrain.cell_at(job.from), terrain.cell_at(job.to)) else { return Ok(()) };
        let expected = by_repetition(&terrain, &costs, from, to);
        match (plan(&terrain, &job), expected) {
            (Ok(route), Some(expected)) => {
                prop_assert!((route.cost - expected).abs() <= 1e-9 * expected.max(1.0), "{} {}", route.cost, expected);
                let last = route.points.last().expect("points");
                prop_assert!((last.distance_m - route.length_m).abs() < 1e-12 * route.length_m);
                prop_assert!((last.energy_j - route.energy_j).abs() < 1e-9 * route.energy_j.abs());
            }
            (Err(MapStageError::NoRoute { .. }), None) => {}
            (found, expected) => prop_assert!(false, "{found:?} instead of {expected:?}"),
        }
    }
}
