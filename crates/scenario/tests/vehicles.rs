//! What a vehicle reports without being asked, and that it is what its columns say.

mod common;

use common::{Checks, run, run_text};

/// A rover of four wheels on level sand, without machine, quantities or report.
const OWN: &str = include_str!("../../cli/src/new/rover.toml");

/// Distance is that of the chassis on a straight drive; slip, power and sinkage are means and maxima of their columns; the energy for a metre is the
/// work of the drives over the distance: mean power times time, since drives of constant speed draw nearly constant power.
#[test]
fn a_rover_of_ones_own_has_answers() {
    let mut checks = Checks::default();
    let text = OWN.split("[report]").next().expect("a part before it");
    let run = run_text(text, &["duration_s=3"]);
    let distance = run.quantity("distance_m");
    let gained = run.end("body.chassis.x_m") - run.column("body.chassis.x_m")[0];
    checks.below("distance from that of the chassis, m", (distance - gained).abs(), 2e-3);
    checks.below(
        "distance from its column, m",
        (distance - run.end("vehicle.chassis.distance_m")).abs(),
        1e-9,
    );
    let tilt = run.column("vehicle.chassis.tilt_rad").into_iter().fold(0.0, f64::max).to_degrees();
    checks.between("largest tilt over that of the rows", run.quantity("tilt_max_deg") / tilt, 1.0, 1.5);
    let wheels = ["front_left", "front_right", "rear_left", "rear_right"];
    let sinkage =
        wheels.iter().flat_map(|wheel| run.column(&format!("soil.{wheel}.sinkage_m"))).fold(0.0, f64::max);
    checks.between(
        "largest sinkage over that of the rows",
        run.quantity("sinkage_max_m") / sinkage,
        1.0,
        1.05,
    );
    let energy = run.quantity("energy_per_distance_j_per_m") * distance;
    checks.between(
        "energy over power times time",
        energy / (3.0 * run.quantity("power_mean_w")),
        0.999,
        1.001,
    );
    checks.between("slip", run.quantity("slip_mean"), 0.0, 1.0);
    checks.finish();
}

/// A quantity of the scenario takes the place of the vehicle's own of the same name: there is one of each.
#[test]
fn quantities_of_the_file_come_first() {
    let run = run("rover-drawbar-pull", &["duration_s=0.5", "spacing_m=0.02"]);
    let named = |name: &str| run.outcome.quantities.iter().filter(|q| q.name == name).count();
    assert_eq!((named("distance_m"), named("slip_mean"), named("power_mean_w")), (1, 1, 1));
    let climbed = run.end("vehicle.rover.climb_m");
    assert!((run.quantity("distance_m") - climbed).abs() < 1e-12, "the file asks for the distance uphill");
}
