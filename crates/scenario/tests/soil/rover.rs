//! The rovers on soil: `rover-drawbar-pull`, `rover-drawbar-trial` and `rover-gradability`, shortened; `rover-slope`.

use super::check_volume;
use super::common::{Checks, Run, run};

/// Nodes 15 mm apart: as at 10 mm the rover leaves its first footprints and stretches the spring alike, for half the time.
const COARSE: &str = "spacing_m=0.015";

/// Mean of both sides of a column at the end.
fn end(run: &Run, wheel: &str, what: &str) -> f64 {
    let side = |side: &str| run.end(&format!("soil.{wheel}_{side}.{what}"));
    0.5 * (side("left") + side("right"))
}

/// The paper's findings: the rover drops into the sand and drives out of its first humps within ten seconds; the pull rises while slip rises; the wheels
/// dig in as slip grows; front wheels sink less than middle and rear ones, because they carry less: the torques of the drives turn the bogies
/// backwards. The weight is carried, the pull is the spring's.
#[test]
fn rovers_pull_and_sink_as_the_paper_says() {
    let mut checks = Checks::default();
    for (rover, weight) in [("exomars-2009", 207.0 * 3.71), ("exomars-samarini", 320.0 * 3.71)] {
        let run = run("rover-drawbar-pull", &["duration_s=50", COARSE, &format!("rover={rover}")]);
        check_volume(&run, rover, &mut checks);
        checks.below(
            &format!("{rover}, residual of the ledger"),
            run.quantity("energy_residual_relative"),
            0.005,
        );
        let [front, middle, rear] = ["front", "middle", "rear"]
            .map(|wheel| (end(&run, wheel, "sinkage_m"), end(&run, wheel, "force_z_n")));
        println!("{rover}: front {front:?}, middle {middle:?}, rear {rear:?} (sinkage m, load N)");
        for (what, other) in [("middle", middle), ("rear", rear)] {
            checks.below(&format!("{rover}, sinkage front over {what}"), front.0 / other.0, 1.0);
            checks.below(&format!("{rover}, load front over {what}"), front.1 / other.1, 1.0);
        }
        let carried = 2.0 * (front.1 + middle.1 + rear.1);
        checks.between(&format!("{rover}, load over weight"), carried / weight, 0.97, 1.03);
        let at = |column: &str, t: f64| run.at(column, t);
        let sunk = at("soil.rear_left.sinkage_m", 1.0);
        checks.between(&format!("{rover}, m sunk in the first second"), sunk, 0.02, 0.06);
        checks.between(
            &format!("{rover}, m driven in ten seconds"),
            at("vehicle.rover.climb_m", 10.0),
            0.09,
            0.194,
        );
        let [early, late] =
            [15.0, 50.0].map(|t| (at("spring.drawbar.force_n", t), at("vehicle.rover.slip_drive", t)));
        println!("{rover}: {early:?}, then {late:?} (pull N, slip)");
        checks.below(&format!("{rover}, pull at 15 s over that at 50 s"), early.0 / late.0, 0.5);
        checks.below(&format!("{rover}, slip at 15 s over that at 50 s"), early.1 / late.1, 1.0);
        // The spring: 100 N/m beyond the slack of 0.194 m.
        let stretched = 100.0 * (at("vehicle.rover.climb_m", 50.0) - 0.194);
        checks.between(&format!("{rover}, pull over that of the travel"), late.0 / stretched, 0.98, 1.02);
    }
    checks.finish();
}

/// With its slip imposed the rover goes at a steady speed, so that the tow takes what the wheels push together: within the force that changes the speed
/// of 207 kg by 5 mm/s in ten seconds, 0.1 N. The slip is the tenth asked for, less what the drives lose (0.5 % of their speed,
/// 0.0045 of slip); without cohesion no wheel pulls more than tan φ of its load.
#[test]
fn a_towed_rover_shows_the_sum_of_its_wheels() {
    let run = run("rover-drawbar-trial", &["duration_s=40", COARSE, "cohesion_pa=0"]);
    let mut checks = Checks::default();
    check_volume(&run, "trial", &mut checks);
    let times = run.column("time_s");
    let mean = |column: &str| {
        let late = run.column(column).into_iter().zip(&times).filter(|(_, t)| **t >= 30.0);
        let (sum, count) = late.fold((0.0, 0.0), |(sum, count), (value, _)| (sum + value, count + 1.0));
        sum / count
    };
    let mut pushes = 0.0;
    for wheel in ["front", "middle", "rear"] {
        for side in ["left", "right"] {
            let of = |what: &str| mean(&format!("soil.{wheel}_{side}.{what}"));
            let (push, load) = (of("force_x_n"), of("force_z_n"));
            checks.below(
                &format!("{wheel} {side}, push over load"),
                push / load,
                34.74f64.to_radians().tan(),
            );
            pushes += push;
        }
    }
    checks.below("tow less the wheels, N", (mean("spring.tow.force_n") - pushes).abs(), 0.1);
    checks.between("slip", mean("vehicle.rover.slip_drive"), 0.09, 0.105);
    checks.finish();
}

/// Slip, sinkage and power rise with the slope; the steepest slope climbed lies below the one whose downhill pull is all that the wheels can give on
/// the level (70 N of 768 N: 5.2 degrees), and the run ends when a slope is abandoned.
#[test]
fn steeper_slopes_slip_more_until_one_is_too_steep() {
    let mut checks = Checks::default();
    let run = run("rover-gradability", &[COARSE, "slope_deg=[0, 3, 9]", "distance_m=0.4", "duration_s=200"]);
    check_volume(&run, "gradability", &mut checks);
    let of = |k: usize, what: &str| run.quantity(&format!("slope_{k}_{what}"));
    for k in 1..=3 {
        println!(
            "{} deg: {} {:.3} {:.1} mm {:.2} W",
            of(k, "deg"),
            of(k, "climbed"),
            of(k, "slip"),
            1e3 * of(k, "sinkage_m"),
            of(k, "power_w")
        );
    }
    assert_eq!([1, 2, 3].map(|k| of(k, "climbed")), [1.0, 1.0, 0.0]);
    checks.between("gradability, deg", run.quantity("gradability_deg"), 2.999, 3.001);
    for what in ["slip", "sinkage_m", "power_w"] {
        checks.below(&format!("{what} on the level over 3 deg"), of(1, what) / of(2, what), 1.0);
    }
    checks.between("slip on 9 deg", of(3, "slip"), 0.8, 1.5);
    checks.below("end of the run, s", run.outcome.sim_time, 199.0);
    checks.finish();
}

/// One slope, three headings: uphill the rover slips more than across, downhill least; across it drifts down the slope, and not at all along its steepest line,
/// where left and right are mirror images. Downhill the wheels are pushed, and a metre costs less.
#[test]
fn headings_on_a_slope_differ() {
    let mut checks = Checks::default();
    let heading = |deg: u32| run("rover-slope", &["slope_deg=8", &format!("heading_deg={deg}")]);
    let [up, across, down] = [0, 90, 180].map(heading);
    for (name, run) in [("up", &up), ("across", &across), ("down", &down)] {
        let of = |what: &str| run.quantity(what);
        println!(
            "{name}: slip {:.3} drift {:.2} deg {:.0} J/m",
            of("slip"),
            of("drift_deg"),
            of("energy_j_per_m")
        );
        assert_eq!(of("tipped"), 0.0);
    }
    assert_eq!([&up, &across, &down].map(|run| run.quantity("stuck")), [1.0, 0.0, 0.0]);
    let slip = |run: &Run| run.quantity("slip");
    checks.below("slip across over that uphill", slip(&across) / slip(&up), 1.0);
    checks.below("slip downhill less that across", slip(&down) - slip(&across), 0.0);
    // Down the slope, and less than across the heading.
    checks.between("drift across, deg", across.quantity("drift_deg"), 1.0, 45.0);
    // Mirror images but for round-off, which the contact's thresholds amplify: small beside the drift across.
    let mirror = down.quantity("drift_deg").abs() / across.quantity("drift_deg");
    checks.below("drift downhill over that across", mirror, 0.01);
    let energy = |run: &Run| run.quantity("energy_j_per_m");
    checks.below("energy downhill over that across", energy(&down) / energy(&across), 1.0);
    checks.finish();
}
