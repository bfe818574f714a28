//! The rover on brush tyres against statics, its own commands and the balance of its wheels.

mod common;

use common::{Checks, Run, inline, run, run_text, run_world, world};
use touchdown_oracle::rover_statics::{exomars, settle};

const WHEELS: [&str; 6] =
    ["front_left", "front_right", "middle_left", "middle_right", "rear_left", "rear_right"];
/// Bogie and wheel of the oracle's rover for each of `WHEELS`.
const PLACES: [(usize, usize); 6] = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (2, 1)];
/// Radial stiffness and damping of a tyre, N/m and N s/m: Samarini et al., Table 2.
const STIFFNESS: f64 = 8250.0;
const DAMPING: f64 = 8140.0;
/// Undeformed radius, m: twice MaRTA.
const RADIUS: f64 = 0.1425;
/// Rolling resistance over load: Samarini et al., Table 2.
const ROLLING_RESISTANCE: f64 = 0.015;
/// Inertia of a wheel about its axle, kg m²: Samarini et al., Table 1.
const WHEEL_INERTIA: f64 = 0.08571;
/// Weight on Mars, N.
const WEIGHT: f64 = 320.0 * 3.711;
/// 70 m/h, m/s.
const CRUISE: f64 = 70.0 / 3600.0;

fn tyre(run: &Run, wheel: &str, value: &str) -> Vec<f64> {
    run.column(&format!("tyre.{wheel}.{value}"))
}

fn loads(run: &Run) -> Vec<f64> {
    WHEELS.iter().map(|w| run.end(&format!("tyre.{w}.normal_force_n"))).collect()
}

/// Central differences of a column; the ends are left out.
fn rates(times: &[f64], values: &[f64]) -> Vec<f64> {
    (1..times.len() - 1).map(|i| (values[i + 1] - values[i - 1]) / (times[i + 1] - times[i - 1])).collect()
}

/// The settled rover weighs what its bodies weigh, and each wheel carries what the statics of the published geometry gives it.
#[test]
fn dropped_rover_settles_on_the_static_loads() {
    let mut checks = Checks::default();
    let run = run("rover-drop-brush", &[]);
    checks.below("drop, |total mass - 320| kg", (run.quantity("total_mass_kg") - 320.0).abs(), 5e-4);
    let sum: f64 = loads(&run).iter().sum();
    checks.below("drop, sum of loads against 1187.5 N, relative", (sum / WEIGHT - 1.0).abs(), 1e-3);
    let Some(statics) = settle(&exomars(), STIFFNESS) else {
        panic!("the oracle's rover stands on no wheels")
    };
    for (wheel, (bogie, k)) in WHEELS.iter().zip(PLACES) {
        let load = run.quantity(&format!("wheel_load_{wheel}_n"));
        let deformation = run.quantity(&format!("wheel_deformation_{wheel}_m"));
        let error = (load / statics.loads_n[bogie][k] - 1.0).abs();
        checks.below(&format!("drop, load {wheel} {load:.3} N against statics, relative"), error, 5e-3);
        let error = (deformation / statics.deformations_m[bogie][k] - 1.0).abs();
        checks.below(&format!("drop, deformation {wheel} against statics, relative"), error, 5e-3);
    }
    checks.finish();
}

/// The picture of a tyre is pushed in by what its spoke is shortened by: in every frame its deepest corner, of 64 around it, is displaced by
/// the deformation, less at most what the rim rises within half a segment; in the air no corner is.
#[test]
fn pictures_of_tyres_give_way_with_their_spokes() {
    let run = run("rover-drop-brush", &[]);
    let within = RADIUS * (1.0 - (std::f64::consts::PI / 64.0).cos());
    assert!(run.frames.len() > 100);
    for frame in &run.frames {
        for (wheel, corners) in WHEELS.iter().zip(&frame.deformations) {
            let deformation = run.at(&format!("tyre.{wheel}.deformation_m"), frame.time);
            let deepest = corners.iter().map(|d| f64::from(d[0].hypot(d[1]).hypot(d[2]))).fold(0.0, f64::max);
            // Displacements have 32 bits.
            let (low, high) = (deformation - within - 1e-7, deformation + 1e-7);
            assert!(
                low <= deepest && deepest <= high,
                "{wheel} at {} s: {deepest} of {deformation}",
                frame.time
            );
        }
    }
    let flat =
        |frame: &touchdown_sim::sink::Frame| frame.deformations.iter().flatten().any(|d| *d != [0.0; 3]);
    assert!(!flat(&run.frames[0]) && flat(&run.frames[run.frames.len() - 1]));
}

/// Damped six times beyond critical, the rover sinks in without rebound: no tyre ever springs back, the chassis never rises.
#[test]
fn dropped_rover_does_not_rebound() {
    // Positions near 1 m carry round-off of some 1e-16 m a step; over 12000 steps it stays below this.
    const ROUND_OFF: f64 = 1e-12;
    let mut checks = Checks::default();
    for integrator in ["integrator={name=\"realtime\"}", "integrator={name=\"explicit\"}"] {
        let run = run("rover-drop-brush", &[integrator]);
        for wheel in WHEELS {
            let mut deepest: f64 = 0.0;
            let springs_back = |d: f64| {
                deepest = deepest.max(d);
                deepest - d
            };
            let most = tyre(&run, wheel, "deformation_m").into_iter().map(springs_back).fold(0.0, f64::max);
            // Error-controlled rows are interpolated to the tolerance of 1e-12 m.
            checks.below(&format!("drop {integrator}, {wheel} springs back, m"), most, 10.0 * ROUND_OFF);
        }
        let up = run.column("body.rover/chassis.vz_m_per_s").into_iter().fold(f64::NEG_INFINITY, f64::max);
        checks.below(&format!("drop {integrator}, upward speed of the chassis, m/s"), up, ROUND_OFF);
    }
    checks.finish();
}

/// All integrators bring the rover to rest on the same loads, and on those that the static solution starts with.
#[test]
fn integrators_and_statics_agree_on_the_loads() {
    let mut checks = Checks::default();
    let reference = loads(&run("rover-drop-brush", &["integrator={name=\"explicit\"}"]));
    let others = [
        ("implicit, 1 ms", "integrator={name=\"implicit\", step=\"1 ms\"}", "duration_s=12"),
        ("implicit, adaptive", "integrator={name=\"implicit\"}", "duration_s=12"),
        ("realtime, 1 ms", "integrator={name=\"realtime\"}", "duration_s=12"),
    ];
    for (label, integrator, duration) in others {
        let found = loads(&run("rover-drop-brush", &[integrator, duration]));
        let worst = found.iter().zip(&reference).map(|(f, r)| (f / r - 1.0).abs()).fold(0.0, f64::max);
        checks.below(&format!("drop, loads {label} against explicit, relative"), worst, 1e-3);
    }
    let drives = ["integrator={name=\"realtime\"}", "integrator={name=\"implicit\"}"]
        .map(|i| run("rover-straight-brush", &[i]));
    let distances = drives.each_ref().map(|r| r.quantity("distance_m"));
    checks.below(
        "straight, distance implicit against realtime, relative",
        (distances[1] / distances[0] - 1.0).abs(),
        1e-3,
    );
    for wheel in WHEELS {
        let [a, b] = drives.each_ref().map(|r| r.quantity(&format!("wheel_load_{wheel}_n")));
        checks.below(
            &format!("straight, load {wheel} implicit against realtime, relative"),
            (b / a - 1.0).abs(),
            1e-3,
        );
    }
    let start = run("rover-drop-brush", &["start=equilibrium", "drop_height_m=-0.024", "duration_s=0.001"]);
    let Some(statics) = settle(&exomars(), STIFFNESS) else {
        panic!("the oracle's rover stands on no wheels")
    };
    for (wheel, (bogie, k)) in WHEELS.iter().zip(PLACES) {
        let found = start.at(&format!("tyre.{wheel}.normal_force_n"), 0.0);
        // Newton's method ends where forces are balanced to round-off of the weight.
        checks.below(
            &format!("equilibrium start, load {wheel}, N"),
            (found - statics.loads_n[bogie][k]).abs(),
            1e-6,
        );
    }
    checks.finish();
}

/// The wheels drive the rover at 70 m/h, and its travel is the integral of the speed that is asked for.
#[test]
fn straight_drive_holds_its_speed() {
    let mut checks = Checks::default();
    let run = run("rover-straight-brush", &[]);
    let times = run.column("time_s");
    let speed = run.column("body.rover/chassis.vx_m_per_s");
    let cruise = times.iter().zip(&speed).filter(|(t, _)| (20.0..=35.0).contains(*t));
    let worst = cruise.map(|(_, v)| (v / CRUISE - 1.0).abs()).fold(0.0, f64::max);
    checks.below("straight, speed in cruise against 70 m/h, relative", worst, 0.01);
    checks.below(
        "straight, mean speed, relative",
        (run.quantity("speed_cruise_m_per_s") / CRUISE - 1.0).abs(),
        0.01,
    );
    // 20 s of cruise and two ramps of 5 s.
    checks.below(
        "straight, distance, relative",
        (run.quantity("distance_m") / (CRUISE * 25.0) - 1.0).abs(),
        0.01,
    );
    let sideways = run.column("body.rover/chassis.y_m").iter().fold(0.0, |m: f64, y| m.max(y.abs()));
    checks.below("straight, drift to the side, m", sideways, 1e-9);
    // The speed lags by what the drive's torque needs: (torque / gain) of spin, and the slip at the force it makes.
    let lag: f64 = WHEELS
        .iter()
        .map(|w| {
            let torque = run.at(&format!("drive.rover/drive_{w}.torque_n_m"), 30.0);
            let rolling = RADIUS - run.at(&format!("tyre.{w}.deformation_m"), 30.0);
            torque / 2000.0 * rolling / 6.0
        })
        .sum();
    let predicted = CRUISE - lag;
    checks.below(
        "straight, speed at 30 s against drive law, relative",
        (run.at("body.rover/chassis.vx_m_per_s", 30.0) / predicted - 1.0).abs(),
        1e-3,
    );
    checks.finish();
}

/// The traction of a wheel is its driving moment less rolling resistance and the moment that spins it up, over the loaded radius.
#[test]
fn traction_is_the_balance_of_the_wheel() {
    let mut checks = Checks::default();
    let run = run("rover-traction-brush", &[]);
    let times = run.column("time_s");
    for wheel in WHEELS {
        let torque = run.column(&format!("drive.rover/drive_{wheel}.torque_n_m"));
        let spin_up = rates(&times, &run.column(&format!("body.rover/wheel_{wheel}.wy_rad_per_s")));
        let force = tyre(&run, wheel, "longitudinal_force_n");
        let (load, deformation) = (tyre(&run, wheel, "normal_force_n"), tyre(&run, wheel, "deformation_m"));
        // From half a second after the drive's step on: the sign of rolling is then full and differences of rows see no jump.
        let from = times.iter().position(|t| *t >= 5.5).unwrap_or(0);
        let worst = (from..times.len() - 1).map(|i| {
            let arm = RADIUS - deformation[i];
            let wanted =
                (torque[i] - ROLLING_RESISTANCE * load[i] * arm - WHEEL_INERTIA * spin_up[i - 1]) / arm;
            (force[i] / wanted - 1.0).abs()
        });
        checks.below(
            &format!("traction {wheel} against the wheel's balance, relative"),
            worst.fold(0.0, f64::max),
            0.02,
        );
    }
    // All six forces accelerate the rover: 320 kg, and the wheels' spin is already counted.
    let acceleration = rates(&times, &run.column("body.rover/chassis.vx_m_per_s"));
    let from = times.iter().position(|t| *t >= 7.0).unwrap_or(0);
    let total = |i: usize| {
        WHEELS.iter().map(|w| run.at(&format!("tyre.{w}.longitudinal_force_n"), times[i])).sum::<f64>()
    };
    let worst =
        (from..times.len() - 1).step_by(100).map(|i| (total(i) / (320.0 * acceleration[i - 1]) - 1.0).abs());
    checks.below(
        "traction, sum of forces against mass times acceleration, relative",
        worst.fold(0.0, f64::max),
        0.02,
    );
    checks.finish();
}

/// Pressed slowly, every tyre stays on its line: force = 8250 N/m · deformation + 8140 N s/m · its rate.
#[test]
fn pressed_tyres_stay_on_their_line() {
    let mut checks = Checks::default();
    let run = run("rover-load-brush", &[]);
    let times = run.column("time_s");
    let (mut least, mut most) = (f64::INFINITY, 0.0f64);
    for wheel in WHEELS {
        let (load, deformation) = (tyre(&run, wheel, "normal_force_n"), tyre(&run, wheel, "deformation_m"));
        (least, most) = (least.min(load[0]), most.max(load[load.len() - 1]));
        let rate = rates(&times, &deformation);
        let off = (1..times.len() - 1)
            .map(|i| (load[i] - STIFFNESS * deformation[i] - DAMPING * rate[i - 1]).abs());
        // Differences over 0.2 s of a start that settles in 1 s: c δ̇ dt²/6 = 4e-4 N.
        checks.below(&format!("load {wheel}, off its line, N"), off.fold(0.0, f64::max), 1e-3);
        let damping = (1..times.len()).map(|i| (load[i] - STIFFNESS * deformation[i]).abs());
        // A sixth of 580 N in 400 s, half as much again for the uneven shares of the wheels.
        let ramp = 1.5 * 580.0 / 400.0 / 6.0 * DAMPING / STIFFNESS;
        checks.below(&format!("load {wheel}, part of the damper, N"), damping.fold(0.0, f64::max), ramp);
    }
    checks.below("load, least wheel load, N", least, 160.0);
    checks.between("load, largest wheel load, N", most, 250.0, 300.0);
    checks.finish();
}

/// Steered to the tangents and driven with opposite rims, the rover turns on the spot.
#[test]
fn point_turn_reaches_its_heading_in_place() {
    let mut checks = Checks::default();
    let run = run("rover-point-turn", &[]);
    let wanted = std::f64::consts::FRAC_PI_2;
    checks.below(
        "point turn, yaw against 90 deg, relative",
        (run.quantity("yaw_end_rad") / wanted - 1.0).abs(),
        0.01,
    );
    let [x, y] = ["x_m", "y_m"].map(|c| run.column(&format!("body.rover/chassis.{c}")));
    let drift = x.iter().zip(&y).map(|(x, y)| x.hypot(*y)).fold(0.0, f64::max);
    // A thousandth of the distance that the outer wheels travel, 1.037 m times a quarter of a turn.
    checks.below("point turn, largest drift of the chassis origin, m", drift, 1e-3 * 1.037 * wanted);
    // atan(x/|y|) of each wheel; the servo's error is its holding torque over its stiffness, here below 0.5 N m.
    for (wheel, (place, side)) in WHEELS.iter().zip([
        (0.732, -1.0),
        (0.732, 1.0),
        (0.082, -1.0),
        (0.082, 1.0),
        (-0.737, -1.0),
        (-0.737, 1.0),
    ]) {
        let angle = side * (place / 0.73f64).atan();
        let found = run.end(&format!("joint.rover/steering_{wheel}.position_rad"));
        checks.below(
            &format!("point turn, steering {wheel}, error rad"),
            (found - angle).abs(),
            0.5 / 5000.0,
        );
    }
    checks.finish();
}

/// Parked on a slope that friction can hold, with its drives holding, the rover does not creep.
#[test]
fn parked_rover_does_not_creep() {
    const TEXT: &str = r#"
title = "rover parked on a slope"
duration = "120 s"
gravity_m_per_s2 = [0, 0, -3.711]
integrator = { name = "realtime", step = "2 ms" }
record = { series_every = "10 s", frames_every = "60 s" }
[ground]
shape = "plane"
[machine.rover]
use = "machines/exomars-samarini.toml"
place = { clearance = "-20 mm" }
locks = ["deployment_*", "steering_*"]
[machine.rover.drive.wheels]
joints = "drive_*"
position = "0 rad"
stiffness = "10000 N m/rad"
damping = "1000 N m s/rad"
"#;
    let mut checks = Checks::default();
    // 20 degrees downhill, uphill and to the side: tan 20° = 0.36 of the 0.757 that friction can hold.
    let (s, c) = 20f64.to_radians().sin_cos();
    for (label, heading) in [("nose down", 0f64), ("nose up", 180.0), ("to the side", 90.0), ("askew", 45.0)]
    {
        let (along, across) =
            (3.711 * s * heading.to_radians().cos(), 3.711 * s * heading.to_radians().sin());
        let gravity = format!("gravity_m_per_s2=[{along}, {across}, {}]", -3.711 * c);
        let run = run_text(TEXT, &[&gravity]);
        let moved = ["x_m", "y_m", "z_m"].map(|axis| {
            let column = format!("body.rover/chassis.{axis}");
            run.at(&column, 120.0) - run.at(&column, 60.0)
        });
        checks.below(
            &format!("parked on 20 deg {label}, creep in a minute, m"),
            moved.iter().map(|m| m * m).sum::<f64>().sqrt(),
            1e-9,
        );
        // The wheels' axes lean with the chassis, each by its own share: second order in the sum.
        let [ahead, aside] = ["longitudinal", "lateral"]
            .map(|d| WHEELS.iter().map(|w| run.end(&format!("tyre.{w}.{d}_force_n"))).sum::<f64>());
        let weight = 320.0 * along.hypot(across);
        let lean = ["roll", "pitch"].map(|d| run.end(&format!("body.rover/chassis.{d}_rad")));
        checks.below(
            &format!("parked on 20 deg {label}, friction against weight, N"),
            (ahead.hypot(aside) - weight).abs(),
            0.5 * weight * lean[0].hypot(lean[1]).powi(2) + 1e-6,
        );
    }
    checks.finish();
}

/// On a slope steeper than friction can hold the braked rover slides: what holds it below is friction and nothing else.
#[test]
fn braked_rover_slides_where_friction_cannot_hold() {
    const TEXT: &str = r#"
title = "braked rover on a slope that is too steep"
duration = "12 s"
gravity_m_per_s2 = [0, 0, -3.711]
integrator = { name = "realtime", step = "1 ms" }
record = { series_every = "10 ms", frames_every = "1 s" }
[ground]
shape = "plane"
[machine.rover]
use = "machines/exomars-samarini.toml"
place = { clearance = "-20 mm" }
locks = ["deployment_*", "steering_*", "drive_*"]
"#;
    // Nose down on 38 degrees: tan 38° = 0.78 of 0.757. At full slide the grip is A = 0.597 N, and at κ = −1 Fiala's law holds
    // A − A²/(4 C), C = 8250 N.
    let (s, c) = 38f64.to_radians().sin_cos();
    let scenario = inline(TEXT, &[&format!("gravity_m_per_s2=[{}, 0, {}]", 3.711 * s, -3.711 * c)]);
    let run = run_world(world(&scenario));
    // After ten time constants of the tyres the rover slides without pitching.
    let found =
        (run.at("body.rover/chassis.vx_m_per_s", 12.0) - run.at("body.rover/chassis.vx_m_per_s", 10.0)) / 2.0;
    let mut checks = Checks::default();
    let held: f64 =
        loads(&run).iter().map(|load| 0.597 * load).map(|grip| grip - grip * grip / (4.0 * 8250.0)).sum();
    let wanted = 3.711 * s - held / 320.0;
    checks.below(
        "sliding on 38 deg, acceleration against full slide, relative",
        (found / wanted - 1.0).abs(),
        1e-3,
    );
    checks.finish();
}
