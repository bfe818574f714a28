//! Machines on slopes of soil: placed as the ground lies, and at rest from the start.

use super::common::{Checks, inline, run_text};
use touchdown_sim::Simulation;

/// The ExoMars rover with its wheels held, on a slope of sand that rises along `uphill_deg`.
fn parked(slope_deg: f64, uphill_deg: f64, start: &str) -> String {
    format!(
        r#"
title = "a rover on a slope"
duration = "3 s"
gravity = "mars"
start = "{start}"
integrator = {{ name = "realtime", step = "1 ms" }}
record = {{ series_every = "10 ms" }}
[terrain]
shape = "sloped"
slope = "{slope_deg} deg"
uphill = "{uphill_deg} deg"
soil = "dlr-simulant-a"
spacing = "15 mm"
damping = "3e4 Pa s/m"
[machine.rover]
use = "exomars-2009"
place = {{ clearance = "0 mm" }}
locks = ["deployment_*", "steering_*"]
[machine.rover.drive.wheels]
joints = "drive_*"
speed = "0 rad/s"
gain = "2000 N m s/rad"
limit = "25 N m"
"#
    )
}

const WHEELS: [&str; 6] =
    ["front_left", "front_right", "middle_left", "middle_right", "rear_left", "rear_right"];

/// A machine that touches a slope with all wheels at once is loaded suddenly, not dropped: a load applied at once to a spring that hardens
/// reaches at most twice its static value, so that no wheel carries more than twice what it carries at the end. Level over the slope, it fell
/// on its rear wheels with seven times that. Sinkage along the normal is the same kind of number on every slope: positive under every wheel.
#[test]
fn machines_are_placed_on_the_ground_as_it_lies() {
    let mut checks = Checks::default();
    for (slope, uphill) in [(0.0, 0.0), (10.0, 0.0), (15.0, 180.0), (6.0, 90.0)] {
        let run = run_text(&parked(slope, uphill, "as-given"), &[]);
        for wheel in WHEELS {
            let load = format!("soil.{wheel}.force_z_n");
            let largest = run.column(&load).into_iter().fold(0.0, f64::max);
            checks.below(
                &format!("{slope}° towards {uphill}°: peak of {wheel} over its load"),
                largest / run.end(&load),
                2.0,
            );
            checks.between(
                &format!("{slope}° towards {uphill}°: sinkage of {wheel}"),
                run.end(&format!("soil.{wheel}.sinkage_m")),
                5e-3,
                0.1,
            );
        }
    }
    checks.finish();
}

/// In equilibrium from the start, loads change by little: what the soil's creep and the friction that takes the slope's pull over move.
#[test]
fn a_machine_starts_at_rest_on_a_slope() {
    let mut checks = Checks::default();
    for slope in [0.0, 10.0] {
        let run = run_text(&parked(slope, 0.0, "equilibrium"), &[]);
        let sum =
            |t: f64| WHEELS.iter().map(|wheel| run.at(&format!("soil.{wheel}.force_z_n"), t)).sum::<f64>();
        let weight = 207.0 * 3.71;
        checks.between(&format!("{slope}°: load at the start over weight"), sum(0.0) / weight, 0.97, 1.03);
        for wheel in WHEELS {
            let loads = run.column(&format!("soil.{wheel}.force_z_n"));
            let largest = loads.iter().copied().fold(0.0, f64::max);
            checks.below(
                &format!("{slope}°: peak of {wheel} over its load at the start"),
                largest / loads[0],
                1.5,
            );
        }
    }
    checks.finish();
}

/// A start that is not written down is at rest. Where there is no rest, since a stone falls, it is as given, with a warning; asked for, it is refused.
#[test]
fn a_machine_starts_at_rest_where_there_is_rest() {
    let short = ["duration_s=0.01"];
    let alone = run_text(&parked(10.0, 0.0, "automatic"), &short);
    assert!(alone.column("soil.rear_left.sinkage_m")[0] > 5e-3, "it stands in the soil");
    let stone = "[body.stone]\nmass = \"1 kg\"\ninertia = [\"1 kg m2\", \"1 kg m2\", \"1 kg m2\"]\n\
                 [joint.stone]\ntype = \"free\"\nchild = \"stone\"\nat = [\"0 m\", \"0 m\", \"9 m\"]\n";
    let falling = |start: &str| parked(10.0, 0.0, start) + stone;
    let run = run_text(&falling("automatic"), &short);
    assert!(run.column("soil.rear_left.sinkage_m")[0] < 1e-9, "it only touches");
    let said = run.outcome.warnings.join("\n");
    assert!(said.contains("the start is not at rest") && said.contains("joint \"stone\""), "{said}");
    let asked = inline(&falling("equilibrium"), &short);
    let refused = Simulation::build(&asked.description).err().unwrap_or_default();
    assert!(refused.iter().any(|e| e.to_string().contains("no static equilibrium")), "{refused:?}");
}
