//! Stretches by their rules; answers of rows by hand; a full run on a plane, whose relief, slope and waypoints are known.

use super::run::{Mark, found};
use super::*;
use crate::layers::tests::table;
use crate::map::Cell;
use crate::route::{Aim, Route, RouteJob, Terrain, plan};
use touchdown_record::{Disk, Place};

/// A plane that rises to the east by so much per metre, level from south to north.
fn plane(columns: usize, rows: usize, rise: f64) -> Terrain {
    let slope_deg = rise.atan().to_degrees() as f32;
    Terrain {
        columns,
        rows,
        spacing: 1.0,
        first: [0.0, (rows - 1) as f64],
        step: [1.0; 2],
        cells: vec![Cell { slope_deg, uphill_deg: 90.0, soil: 0, is_step: false }; columns * rows],
        heights: (0..columns * rows).map(|k| 100.0 + rise * (k % columns) as f64).collect(),
        is_cut: false,
    }
}

fn route(terrain: &Terrain, from: [f64; 2], to: [f64; 2]) -> Route {
    let table = table();
    let job = RouteJob {
        table: &table,
        from,
        to,
        aim: Aim::Energy,
        p_stuck_max: 0.9,
        turn_radius_m: 1.0,
        wheelbase_m: 1.5,
    };
    plan(terrain, &job).expect("a route")
}

/// Stretches have the length asked for, do not overlap, and come in the order of the route; the riskiest and the most uncertain are among them, and
/// the rest follows from the seed.
#[test]
fn stretches_follow_risk_uncertainty_and_seed() {
    let terrain = plane(120, 3, 0.0);
    let mut route = route(&terrain, [0.0, 1.0], [119.0, 1.0]);
    route.points[33].response.p_stuck = 0.4;
    route.points[71].response.slip_half_width = 0.3;
    let chosen = choose(&route, 5.0, 10, 1);
    assert_eq!(chosen.len(), 10);
    assert!(chosen.windows(2).all(|pair| pair[0].last <= pair[1].first));
    assert!(chosen.iter().all(|s| route.points[s.last].distance_m - route.points[s.first].distance_m >= 5.0));
    let holds =
        |point: usize, why: Why| chosen.iter().any(|s| (s.first..s.last).contains(&point) && s.why == why);
    assert!(holds(33, Why::Risk) && holds(71, Why::Uncertainty));
    let counts =
        [Why::Risk, Why::Uncertainty, Why::Random].map(|why| chosen.iter().filter(|s| s.why == why).count());
    assert_eq!(counts, [4, 2, 4]);
    assert_eq!(chosen, choose(&route, 5.0, 10, 1));
    assert_ne!(chosen, choose(&route, 5.0, 10, 2));
    // A short route is one stretch, and nothing is chosen of a point.
    route.points.truncate(4);
    assert_eq!(choose(&route, 5.0, 10, 1).len(), 1);
    route.points.truncate(1);
    assert!(choose(&route, 5.0, 10, 1).is_empty());
}

/// At 10 W and a slip of a fifth, 0.1 m/s at the rims: 10/0.08 J/m, from the moment on that half a metre is gained.
#[test]
fn rows_make_answers() {
    let mark = |k: usize| {
        let time = 0.1 * k as f64;
        let settling = if time < 6.25 { 100.0 } else { 10.0 };
        Mark { time, gained: 0.08 * time - 5.0, rolled: 0.1 * time, power: settling, arrived: k == 700 }
    };
    let marks: Vec<Mark> = (0..=700).map(mark).collect();
    let answer = found(&marks, false).expect("an answer");
    assert!((answer.slip - 0.2).abs() < 1e-9 && answer.arrived && !answer.stuck);
    assert!((answer.energy_j_per_m.expect("energy") - 125.0).abs() < 1e-6);
    assert!((answer.track_m - (5.6 - 0.504)).abs() < 1e-9);
    // Wheels that spin on the spot: all slip, and no energy per metre.
    let spinning: Vec<Mark> = marks.iter().map(|mark| Mark { gained: 0.0, ..*mark }).collect();
    let answer = found(&spinning, true).expect("an answer");
    assert_eq!((answer.slip, answer.energy_j_per_m, answer.stuck), (1.0, None, true));
    assert_eq!(found(&[], false), None);
}

/// The rover's own measures: those of its machine file (wheels at x = ±0.73 m, y = ±0.73 m, rims of 125 mm).
#[test]
fn footprints_come_from_the_machine() {
    let footprint = Footprint::of("exomars-2009").expect("a rover");
    assert!((footprint.wheelbase_m - 1.469).abs() < 0.01, "{footprint:?}");
    assert!((footprint.rim_m - 0.125).abs() < 1e-12);
    assert!(footprint.turn_radius_m > 0.9 && footprint.turn_radius_m < 1.2);
    assert!(Footprint::of("no-rover").is_err());
}

/// On level firm ground a full run arrives, slips little, and the run of a second process takes its result over; the files run by themselves.
#[test]
fn a_stretch_is_driven_on_the_relief() {
    let table = crate::ResponseTable::new(
        vec!["mer-b-sandy-loam".into(), "dust".into()],
        vec![0.0, 30.0],
        vec![0.0, 180.0],
        table().responses()[..8].to_vec(),
    )
    .expect("a table");
    let terrain = plane(16, 9, 0.05);
    let route = route(&terrain, [4.0, 4.0], [9.0, 4.0]);
    let stretches = choose(&route, 5.0, 1, 1);
    let dir = tempfile::tempdir().expect("a folder");
    let place = Place::make(dir.path(), &Disk::default()).expect("a folder");
    let job = CheckJob {
        table: &table,
        rover: "exomars-2009",
        gravity: "mars",
        speed_m_per_s: 0.2,
        wheelbase_m: 1.469,
        threads: 1,
        version: "test",
        stop: &|| false,
    };
    let checked = check(&terrain, &route, &stretches, &job, &place).expect("a check").expect("not stopped");
    let [stretch] = &checked[..] else { panic!("one stretch") };
    let found = stretch.found.unwrap_or_else(|| panic!("{:?}", stretch.failed));
    // 5 m on the map are 5·√(1 + 0.05²) m over the ground; half a metre of settling and the radius of arrival are not counted.
    assert!(found.arrived && !found.stuck && (found.track_m - 4.4).abs() < 0.06, "{found:?}");
    assert!(found.slip.abs() < 0.1, "{found:?}");
    let relief = std::fs::read_to_string(dir.path().join("checks/stretch-01.asc")).expect("a relief");
    // The last line is the southern one; it rises by 0.05 m per metre, in steps of 0.1 m.
    let last: Vec<f64> =
        relief.lines().last().expect("a line").split(' ').map(|z| z.parse().expect("a number")).collect();
    assert!(last.windows(2).all(|pair| (pair[1] - pair[0] - 0.005).abs() < 2e-5), "{last:?}");
    // A result that stands there is taken over: it is not run again, even though a step would be refused.
    let json = dir.path().join("checks/stretch-01.json");
    let kept = std::fs::read_to_string(&json).expect("a result");
    let stopped = CheckJob { stop: &|| true, ..job };
    let again = check(&terrain, &route, &stretches, &stopped, &place).expect("a check").expect("taken over");
    assert_eq!((again, std::fs::read_to_string(&json).expect("a result")), (checked, kept));
    // Without it, a run that is asked to stop gives no answer.
    std::fs::remove_file(&json).expect("removed");
    assert_eq!(check(&terrain, &route, &stretches, &stopped, &place).expect("a check"), None);
}
