//! `single-wheel` and `wheel-spin` against the exact integrals of the pressure over the rim, the friction limit, and the balance of energy.

use super::common::{Checks, Run, run};
use super::{check_volume, reference};
use touchdown_oracle::soil::rigid_wheel::{Shear, under_load};
use touchdown_oracle::soil::{Soil, Wheel};

/// The scenario's wheel and load.
const WHEEL: Wheel = Wheel { radius: 0.15, width: 0.1 };
const LOAD: f64 = 200.0;
/// The rules of Krenn & Hirzinger, whose integrals are known.
const LAWS: [&str; 2] = ["stress_law=bekker", "friction_law=coulomb"];
/// φ = 30°, c = 0: the soil of the slip tests.
const SAND: [&str; 4] = ["friction_angle_deg=30", "cohesion_pa=0", LAWS[0], LAWS[1]];
/// Forces alone.
const BARE: [&str; 4] = ["deposition=off", "erosion=off", LAWS[0], LAWS[1]];

fn single_wheel(sets: &[&[&str]]) -> Run {
    run("single-wheel", &sets.concat())
}

/// Sinkage within 3 %, pull and torque within 0.02·W of the exact integral: the contact is some ten cells long, and its ends are seen to first
/// order in a cell. (Soil that springs back behind the wheel would carry 2 % of the load; its 2 mm of rim fall between nodes.)
fn check_wheel(what: &str, sets: &[&[&str]], soil: &Soil, shear: Shear, checks: &mut Checks) {
    let run = single_wheel(sets);
    check_volume(&run, what, checks);
    let exact = under_load(soil, &WHEEL, shear, LOAD).unwrap_or_else(|| panic!("{what} sinks too deep"));
    let (z, pull) = (run.quantity("sinkage_m"), run.quantity("drawbar_pull_n"));
    println!(
        "{what}: {:.2} mm, exact {:.2}; {pull:.2} N, exact {:.2}",
        1e3 * z,
        1e3 * exact.sinkage_m,
        exact.forces.pull_n
    );
    checks.below(&format!("{what}, sinkage"), (z / exact.sinkage_m - 1.0).abs(), 0.03);
    checks.below(&format!("{what}, pull over load"), (pull - exact.forces.pull_n).abs() / LOAD, 0.02);
    let torque = run.quantity("torque_n_m") - exact.forces.torque_n_m;
    checks.below(&format!("{what}, torque over load·r"), torque.abs() / (LOAD * WHEEL.radius), 0.02);
    checks.below(
        &format!("{what}, ripple of the pull over load"),
        run.quantity("drawbar_pull_n_std") / LOAD,
        0.02,
    );
}

/// A wheel without friction feels the exact compaction resistance, one whose shear is all mobilised the exact pull and torque.
#[test]
fn rolling_wheels_feel_the_exact_integral() {
    let mut checks = Checks::default();
    for name in ["dlr-simulant-a", "lunar-nominal", "dry-sand-lll"] {
        let soil = reference(name, 0.1).0;
        let on = format!("soil={name}");
        let smooth = Soil { cohesion: 0.0, friction_angle: 0.0, ..soil };
        let towed = [on.as_str(), "friction_angle_deg=0", "cohesion_pa=0", "slip=0"];
        check_wheel(&format!("{name}, towed"), &[&towed, &BARE], &smooth, Shear::None, &mut checks);
        // The rim slides by 50 mm/s where the friction is complete from some 0.1 mm/s on.
        let driven = [on.as_str(), "slip=0.5", "friction_speed_m_per_s=1e-5"];
        check_wheel(&format!("{name}, driven"), &[&driven, &BARE], &soil, Shear::Mobilised, &mut checks);
    }
    checks.finish();
}

/// Slip-sinkage: the more the wheel slips, the less soil it pushes ahead and the deeper it sinks. The pull rises, levels off, and never exceeds the
/// friction limit. (Below a slip of 0.1 the sinkage falls by a millimetre: there the shear that grows with slip carries more of the load
/// than the hump ahead of the wheel loses.)
#[test]
fn sinkage_and_pull_grow_with_slip() {
    let mut checks = Checks::default();
    let runs = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9].map(|slip| {
        let run = single_wheel(&[&SAND, &[&format!("slip={slip}")]]);
        check_volume(&run, &format!("slip {slip}"), &mut checks);
        (slip, run.quantity("sinkage_m"), run.quantity("drawbar_pull_n"))
    });
    let limit = LOAD * 30f64.to_radians().tan();
    for (slip, sinkage, pull) in runs {
        println!("slip {slip}: {:.2} mm, {pull:.2} N", 1e3 * sinkage);
        checks.below(&format!("slip {slip}, pull over the friction limit"), pull / limit, 1.0);
    }
    for pair in runs.windows(2) {
        let [(_, z, pull), (slip, deeper, more)] = [pair[0], pair[1]];
        checks.below(&format!("up to slip {slip}, pull lost, N"), pull - more, 0.0);
        if pair[0].0 >= 0.1 {
            checks.below(&format!("up to slip {slip}, sinkage lost, m"), z - deeper, 0.0);
        }
    }
    let [.., (_, _, before), (_, _, last)] = runs;
    let rise = last - runs[0].2;
    checks.below("share of the rise in the last 0.15 of slip", (last - before) / rise, 0.02);
    checks.between(
        "growth of the sinkage from slip 0.1 to 0.9, mm",
        1e3 * (runs[8].1 - runs[1].1),
        15.0,
        40.0,
    );
    checks.finish();
}

/// With pressure by direction a slipping wheel sinks deeper, at a slip of 0.6 to two and a half to seven times the depth of the standing one (published tests: three to seven), and
/// never pulls beyond the strength of the soil. The standing wheel bears on both halves of its arc, without shear.
#[test]
fn slipping_wheels_sink_by_direction() {
    let mut checks = Checks::default();
    for soil in ["lunar-nominal", "dry-sand-lll", "ding-2011-sand"] {
        let runs = [0.0, 0.2, 0.4, 0.6].map(|slip| {
            let run = run("single-wheel", &[&format!("soil={soil}"), &format!("slip={slip}")]);
            check_volume(&run, &format!("{soil}, slip {slip}"), &mut checks);
            let what = format!("{soil}, slip {slip}, residual of the ledger");
            checks.below(&what, run.quantity("energy_residual_relative"), 0.005);
            (run.quantity("sinkage_m"), run.quantity("drawbar_pull_n"))
        });
        for pair in runs.windows(2) {
            checks.below(&format!("{soil}, sinkage lost with slip, m"), pair[0].0 - pair[1].0, 0.0);
        }
        let smooth = Soil { cohesion: 0.0, friction_angle: 0.0, ..reference(soil, 0.1).0 };
        let standing = under_load(&smooth, &WHEEL, Shear::None, 0.5 * LOAD).map_or(0.0, |s| s.sinkage_m);
        let what = format!("{soil}, sinkage at slip 0.6 over that of the standing wheel");
        checks.between(&what, runs[3].0 / standing, 2.5, 7.0);
        for (_, pull) in runs {
            checks.below(&format!("{soil}, pull over load"), pull / LOAD, 0.7);
        }
    }
    checks.finish();
}

/// Soil that a wheel pushes aside pushes back: the side force opposes the motion to the side, grows with the slip angle up to 30° and is largest at 90°, and the
/// books close. A wheel that goes straight has none. Slip counts the whole speed, so that between 30° and 60° the rim turns ever faster than it travels
/// along its heading, which turns friction away from the side.
#[test]
fn wheels_at_a_slip_angle_are_pushed_aside() {
    let mut checks = Checks::default();
    let forces = [0, 10, 30, 60, 90].map(|angle| {
        let run = run("single-wheel", &[&format!("slip_angle_deg={angle}"), "soil=dry-sand-lll"]);
        check_volume(&run, &format!("slip angle {angle}"), &mut checks);
        let what = format!("slip angle {angle}, residual of the ledger");
        checks.below(&what, run.quantity("energy_residual_relative"), 0.005);
        run.quantity("side_force_n")
    });
    println!("side forces {forces:.2?} N");
    checks.below("straight, side force over load", forces[0].abs() / LOAD, 0.01);
    for (less, more) in [(0, 1), (1, 2), (2, 4), (3, 4)] {
        checks.below("side force lost with the angle, N", forces[less] - forces[more], 0.0);
    }
    // All friction across would be tan(2φ/3) = 0.34 of the load at 28°: beyond it, the side pushes.
    checks.between("side force at 60° over load", forces[3] / LOAD, 0.3, 2.0);
    checks.finish();
}

/// A locked wheel is dragged: rim at rest, slip without bound, and a pull against the carriage of at least what its friction takes.
#[test]
fn locked_wheels_are_dragged() {
    let run = run("single-wheel", &["rim_speed_m_per_s=0", "soil=dry-sand-lll"]);
    let pull = run.quantity("drawbar_pull_n") / LOAD;
    println!("locked: pull {pull:.3} of the load");
    assert!(pull < -0.3, "{pull}");
}

/// In its rut a wheel finds soil that yields only beyond what it has carried: it pulls more at the same slip and load.
#[test]
fn second_passes_pull_more() {
    let mut checks = Checks::default();
    for slip in [0.2, 0.4, 0.6] {
        let run = single_wheel(&[&SAND, &["passes=2", &format!("slip={slip}")]]);
        check_volume(&run, "two passes", &mut checks);
        let [first, second] = [1, 2].map(|k| run.quantity(&format!("drawbar_pull_pass_{k}_n")));
        println!("slip {slip}: {first:.2} N, then {second:.2} N");
        checks.below(&format!("slip {slip}, pull lost in the second pass, N"), first - second, 0.0);
    }
    checks.finish();
}

/// Motor work and load = work against the soil + work of the carriage + kinetic energy, summed from the rows of the series by the
/// trapezoidal rule: within 0.5 % of the motor's work.
#[test]
fn energy_of_the_rig_balances() {
    let mut checks = Checks::default();
    for sets in [["slip=0.2", "grousers=0"], ["slip=0.6", "grousers=0"], ["slip=0.4", "grousers=12"]] {
        let run = single_wheel(&[&SAND, &sets]);
        let t = run.column("time_s");
        let work = |force: &str, rate: &str| {
            let power: Vec<f64> =
                run.column(force).iter().zip(run.column(rate)).map(|(f, v)| f * v).collect();
            (1..t.len()).map(|i| 0.5 * (t[i] - t[i - 1]) * (power[i] + power[i - 1])).sum::<f64>()
        };
        let motor = work("constraint.wheel.force_0", "joint.wheel.rate_rad_per_s");
        // Its coordinate runs backwards, so that the force that holds it back does negative work on the rig.
        let carriage = work("constraint.carriage.force_0", "joint.carriage.rate_m_per_s");
        let [load, soil] = ["load_work_j", "dissipated_j"].map(|name| run.quantity(name));
        let kinetic = run.quantity("kinetic_end_j") - run.quantity("kinetic_start_j");
        println!(
            "{sets:?}: motor {motor:.2}, carriage {carriage:.2}, load {load:.2}, soil {soil:.2}, kinetic {kinetic:.3} J"
        );
        let left = motor + carriage + load - soil - kinetic;
        checks.below(&format!("{sets:?}, energy left over motor work"), left.abs() / motor, 0.005);
        checks.below(
            &format!("{sets:?}, residual of the ledger"),
            run.quantity("energy_residual_relative"),
            0.005,
        );
    }
    checks.finish();
}

/// Turned on the spot, a wheel with grousers carries soil from under itself and digs in; a smooth one only shears.
#[test]
fn only_grousers_dig() {
    let mut checks = Checks::default();
    let [smooth, barred] = ["grousers=0", "grousers=12"].map(|set| run("wheel-spin", &[set]));
    for (what, run) in [("smooth", &smooth), ("grousers", &barred)] {
        check_volume(run, what, &mut checks);
        checks.below(
            &format!("{what}, residual of the ledger"),
            run.quantity("energy_residual_relative"),
            0.005,
        );
    }
    checks.between("smooth, mm dug in 2 s", 1e3 * smooth.quantity("sinkage_growth_m"), 0.0, 3.0);
    checks.between("grousers, mm dug in 2 s", 1e3 * barred.quantity("sinkage_growth_m"), 17.0, 120.0);
    // Deeper and deeper, row by row, once the wheel is at speed: no floor is reached.
    let z = barred.column("soil.wheel.sinkage_m");
    let halves = [z[z.len() - 101] - z[z.len() - 201], z[z.len() - 1] - z[z.len() - 101]];
    checks.between(
        "grousers, digging of the last second over the one before",
        halves[1] / halves[0],
        0.3,
        1.0,
    );
    // A wheel that slides everywhere turns against c and tan φ of its load (24.8°, 188 Pa), with more on the inclined parts of its rim.
    let torque = smooth.quantity("torque_n_m") / (LOAD * WHEEL.radius);
    checks.between(
        "smooth, torque over load·r",
        torque,
        24.8f64.to_radians().tan(),
        1.3 * 24.8f64.to_radians().tan(),
    );
    checks.finish();
}
