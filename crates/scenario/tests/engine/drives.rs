//! Joint drives: torque, speed and position with gains and limits, delayed starts, locks.

use super::common::{Checks, inline, run_text, world};
use super::{CLOSE, NONE, Run, others_agree, others_agree_at_jumps, run_checked, scenario};
use touchdown_oracle::oscillator::{Motion, Oscillator};

const DISC: &str = "[body.disc]\nmass_kg = 1\ninertia_kg_m2 = [0.3, 0.3, 0.5]\n[joint.axle]\ntype = \"revolute\"\nchild = \"disc\"\naxis = [0, 0, 1]\n";

fn driven(label: &str, drive: &str, wanted: &dyn Fn(f64) -> f64, checks: &mut Checks) -> Run {
    let text = scenario(2.0, NONE, &format!("{DISC}[drive.motor]\njoints = \"axle\"\n{drive}"));
    let run = run_checked(label, &text, checks);
    let found = run.column("time_s").into_iter().zip(run.column("joint.axle.position_rad"));
    let error = found.map(|(t, angle)| (angle - wanted(t)).abs()).fold(0.0, f64::max);
    checks.below(&format!("{label}, angle, rad"), error, CLOSE);
    // A drive that is switched on is a jump of torque.
    let agree = if drive.contains("active_from") { others_agree_at_jumps } else { others_agree };
    agree(label, &text, &["joint.axle.position_rad"], &run, checks);
    run
}

/// A given torque turns a disc with T/I, from the time at which the drive is switched on.
#[test]
fn torque_drive_accelerates() {
    let mut checks = Checks::default();
    let run = driven(
        "torque drive",
        "torque = \"0.4 N m\"\nactive_from = \"0.5 s\"\n",
        &|t| 0.4 * (t - 0.5).max(0.0).powi(2),
        &mut checks,
    );
    checks.below(
        "torque drive, torque before its start, N m",
        run.at("drive.motor.torque_n_m", 0.4).abs(),
        1e-15,
    );
    checks.below(
        "torque drive, work, J",
        (run.end("energy.drive_work_j") - 0.25 * 1.2f64.powi(2)).abs(),
        CLOSE,
    );
    checks.finish();
}

/// A speed drive gives its limit until the error is limit/gain, then approaches its target exponentially.
#[test]
fn speed_drive_saturates_then_settles() {
    let mut checks = Checks::default();
    // I = 0.5, gain 2, limit 1: 2 rad/s² up to 1.5 rad/s at 0.75 s, then the rest of 0.5 rad/s decays with 4/s.
    let wanted = |t: f64| {
        let late = (t - 0.75).max(0.0);
        t.min(0.75).powi(2) + 2.0 * late - 0.5 * (1.0 - (-4.0 * late).exp()) / 4.0
    };
    let run = driven(
        "speed drive",
        "speed = \"2 rad/s\"\ngain = \"2 N m s/rad\"\nlimit = \"1 N m\"\n",
        &wanted,
        &mut checks,
    );
    let most = run.column("drive.motor.torque_n_m").into_iter().fold(0.0, f64::max);
    checks.below("speed drive, torque beyond its limit, N m", most - 1.0, 1e-12);
    checks.finish();
}

/// A position drive is a spring and damper about its target; a moving target is followed without lag of its damper.
#[test]
fn position_drive_is_a_servo() {
    let mut checks = Checks::default();
    let law = Oscillator { mass_kg: 0.5, stiffness_n_per_m: 20.0, damping_ns_per_m: 2.0 };
    let step = Motion { position_m: -0.7, velocity_m_per_s: 0.0 };
    let gains = "stiffness = \"20 N m/rad\"\ndamping = \"2 N m s/rad\"\n";
    driven(
        "position drive",
        &format!("position = \"0.7 rad\"\n{gains}"),
        &|t| 0.7 + law.at(step, t).position_m,
        &mut checks,
    );
    // A ramp of 1 rad/s from rest: the error starts with −1 rad/s.
    let ramp = Motion { position_m: 0.0, velocity_m_per_s: -1.0 };
    let moving = format!("position = {{ line = {{ start = \"0 rad\", rate = \"1 rad/s\" }} }}\n{gains}");
    driven("position drive on a ramp", &moving, &|t| t + law.at(ramp, t).position_m, &mut checks);
    checks.finish();
}

/// A limited position drive moves like a given torque while it is saturated.
#[test]
fn position_drive_respects_its_limit() {
    let mut checks = Checks::default();
    let text = scenario(
        0.5,
        NONE,
        &format!(
            "{DISC}[drive.motor]\njoints = \"axle\"\nposition = \"3 rad\"\nstiffness = \"20 N m/rad\"\nlimit = \"0.6 N m\"\n"
        ),
    );
    let run = run_checked("limited position drive", &text, &mut checks);
    checks.below(
        "limited position drive, angle, rad",
        (run.end("joint.axle.position_rad") - 0.6 * 0.25).abs(),
        CLOSE,
    );
    checks.finish();
}

/// A locked joint has no freedom left, and what it carries stays where it is.
#[test]
fn lock_removes_the_joint() {
    let text = scenario(0.5, super::DOWN, &format!("{DISC}position_rad = 0.3\n[body.bob]\nmass_kg = 1\nuniform = {{ sphere = \"0.1 m\" }}\n[joint.arm]\ntype = \"revolute\"\nparent = \"disc\"\nchild = \"bob\"\naxis = [1, 0, 0]\n")).replace("record", "locks = \"a*\"\nrecord");
    let scenario = inline(&text, &[]);
    assert_eq!(world(&scenario).degrees_of_freedom(), (0, 0));
    let run = super::common::run_world(world(&scenario));
    // R_z(0.3): a quaternion of half the angle, held to round-off.
    assert!((run.end("body.bob.qz") - 0.15f64.sin()).abs() < 1e-15);
}

/// The wheels of a rover whose drives are at their limits turn forwards and never back and forth from step to step, in `realtime` as elsewhere: a drive at its limit gives that limit whatever
/// the wheel does, and is linearised as that. With a limit that the ground can take up it is held, with one that it cannot the wheel reaches its speed.
#[test]
fn drives_at_their_limits_do_not_chatter() {
    let text = |limit: &str, step: &str| {
        format!(
            "title = \"t\"\nduration = \"1 s\"\ngravity = \"mars\"\nstart = \"as-given\"\n\
             integrator = {{ name = \"realtime\", step = \"{step}\" }}\nrecord = {{ series_every = \"{step}\" }}\n[ground]\n\
             [machine.rover]\nuse = \"machines/exomars-samarini.toml\"\nplace = {{ clearance = \"0 mm\" }}\n\
             locks = [\"deployment_*\", \"steering_*\"]\n[machine.rover.drive.wheels]\njoints = \"drive_*\"\n\
             speed = \"2.5 rad/s\"\ngain = \"2000 N m s/rad\"\nlimit = \"{limit}\"\n"
        )
    };
    let mut checks = Checks::default();
    for (limit, step, reached) in [("2 N m", "1 ms", 2.5), ("40 N m", "1 ms", 2.6), ("40 N m", "2 ms", 2.6)] {
        let label = format!("{limit}, {step}");
        let run = run_text(&text(limit, step), &[]);
        for wheel in ["front_left", "middle_right", "rear_left"] {
            let rate = run.column(&format!("joint.rover/drive_{wheel}.rate_rad_per_s"));
            let least = rate.iter().copied().fold(0.0, f64::min);
            let most = rate.iter().copied().fold(0.0, f64::max);
            checks.below(&format!("{label}, {wheel}, backwards"), -least, 1e-9);
            checks.between(&format!("{label}, {wheel}, fastest"), most, 0.5, reached);
            let changes: Vec<f64> = rate.windows(2).map(|w| w[1] - w[0]).collect();
            // To and fro in three steps running, by more than a thousandth of the speed asked for.
            let alternates =
                |d: &&[f64]| d[0] * d[1] < 0.0 && d[1] * d[2] < 0.0 && d.iter().all(|d| d.abs() > 2.5e-3);
            let shaken = changes.windows(3).filter(alternates).count();
            checks.below(&format!("{label}, {wheel}, alternations"), shaken as f64, 0.5);
        }
    }
    checks.finish();
}
