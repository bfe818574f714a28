//! Docking hardware in the loop: a boom between free bodies, a clamped nozzle, and what is refused.

mod common;

use common::{Checks, Run, built_in, run, run_text, world};
use std::path::Path;
use touchdown_contact::polygonal::{PolygonalState, SurfaceMotion};
use touchdown_math::{Pose, Vec3};
use touchdown_scenario::{load, load_str};
use touchdown_sim::description::PolygonalPair;

fn ledger(run: &Run, name: &str) -> f64 {
    run.outcome.ledger.iter().find(|entry| entry.name == name).unwrap().value
}

/// Two free bodies that swing against each other on a boom whose length is driven.
fn pair(integrator: &str) -> Run {
    let text = format!(
        "title = \"t\"\nduration = \"20 s\"\ngravity = \"none\"\nintegrator = {integrator}\nrecord = {{ series_every = \"0.5 s\" }}\n\
         [body.chaser]\nmass = \"140 kg\"\ninertia_kg_m2 = [70, 65, 60]\n\
         [body.client]\nmass = \"190 kg\"\ninertia_kg_m2 = [130, 120, 150]\n\
         [joint.chaser]\ntype = \"free\"\nchild = \"chaser\"\nangular_velocity_rad_per_s = [0.02, 0.01, 0.03]\n\
         [joint.client]\ntype = \"free\"\nchild = \"client\"\nplaced = {{ position_m = [0.01, 0, 2.8] }}\n\
         velocity_m_per_s = [0.005, 0, 0.004]\nangular_velocity_rad_per_s = [-0.01, 0.01, 0.02]\n\
         [boom.b]\nbetween = [{{ body = \"chaser\", position_m = [0, 0, 0.8] }}, {{ body = \"client\", position_m = [0, 0, -1.0] }}]\n\
         length = {{ smooth = [[\"2 s\", \"1 m\"], [\"18 s\", \"0.9 m\"]] }}\nshortest_m = 0.5\nlongest_m = 1.6\n\
         bending_stiffness_n_m2 = 150\ntorsion_stiffness_n_m2 = 60\naxial_stiffness_n = 1e5\naxial_damping_n_s_per_m = 50\n\
         damping_ratio = 0.02\ndamping_frequency_hz = 0.15\n\
         safety_spring = {{ preload_n = 5, stiffness_n_per_m = 400, travel_m = 0.05, damping_n_s_per_m = 30 }}\n"
    );
    run_text(&text, &[])
}

/// Action is reaction, about one point; explicit and implicit methods agree; the work of the length drive is booked.
#[test]
fn a_boom_keeps_momentum_and_energy() {
    let mut checks = Checks::default();
    let explicit = pair("{ name = \"explicit\", tolerance = 1e-10 }");
    let implicit = pair("{ name = \"implicit\", tolerance = 1e-8 }");
    // The two bodies carry 1 N s and some 5 N m s.
    for (name, run, bound) in [("explicit", &explicit, 1e-9), ("implicit", &implicit, 1e-6)] {
        checks.below(&format!("{name}, momentum"), ledger(run, "momentum_change_max_n_s"), bound);
        let spin = ledger(run, "angular_momentum_change_max_n_m_s");
        checks.below(&format!("{name}, angular momentum"), spin, 100.0 * bound);
        checks.below(&format!("{name}, energy"), run.quantity("energy_residual_relative"), 1e3 * bound);
    }
    let realtime = pair("{ name = \"realtime\", step = \"10 ms\" }");
    for name in ["momentum_change_max_n_s", "angular_momentum_change_max_n_m_s"] {
        checks.below(&format!("realtime, {name}"), ledger(&realtime, name), 1e-9);
    }
    let moved = ledger(&explicit, "drive_work_j").abs();
    assert!(moved > 1e-4, "the drive works {moved} J");
    let travel = explicit.column("boom.b.spring_travel_m").into_iter().fold(0.0, f64::max);
    assert!(travel > 1e-5, "the safety spring moves {travel} m");
    for column in ["body.client.vx_m_per_s", "body.client.vz_m_per_s", "body.chaser.wy_rad_per_s"] {
        let (a, b) = (explicit.end(column), implicit.end(column));
        // Rates of 5 mm/s and 30 mrad/s; the implicit method damps the ringing along the axis.
        checks.below(&format!("{column}: implicit less explicit"), (a - b).abs(), 1e-5);
    }
    checks.finish();
}

/// What cannot work is refused with the reason.
#[test]
fn impossible_hardware_is_refused() {
    let refused = |name: &str, set: &str| load(name, &[set.to_string()]).unwrap_err().to_string();
    let lock = |set: &str| refused("docking-lock", set);
    assert!(lock("capture_tool.nozzle.bolt.radius_m=0.009").contains("wider than the throat"));
    assert!(lock("capture_tool.nozzle.crown.open_radius_m=0.005").contains("cannot open"));
    assert!(lock("capture_tool.nozzle.crown.open_radius_m=0.0065").contains("cannot hold"));
    assert!(lock("nozzle.engine.bell_length_m=2").contains("no bell"));
    assert!(lock("nozzle.engine.throat_radius_m=-1").contains("throat_radius"));
    assert!(lock("boom.cdm.longest_m=1.2").contains("leaves the reach of the boom"));
    assert!(lock("boom.cdm.shortest_m=1.7").contains("cannot exist"));
    assert!(lock("capture_tool.nozzle.nozzle=none").contains("is no nozzle of this scenario"));
    assert!(refused("boom-bending", "boom.ringing.length_m=2").contains("from 0.3 m to 1.6 m"));
}

/// Only the band that can touch is looked at: one sphere of a tool that is far, a few rings of one that is clamped.
#[test]
fn what_cannot_touch_costs_nothing() {
    let scenario = load("docking-lock", &[]).unwrap();
    let still = |X_WS| SurfaceMotion::at_rest(X_WS);
    // Place of the tool, travel of its shoulder and of its crown; corners that may be mapped: two for each of a strip's 30 around.
    for (z, shoulder, travel, most) in
        [(1.0, 0.0, 0.0, 0), (1.448, 0.0, 0.0, 0), (1.4519, -0.0019, 0.01475, 30 * 60)]
    {
        for contact in &scenario.description.polygonal {
            let PolygonalPair::Revolution(pair) = &contact.pair else { panic!("{}", contact.name) };
            let mut pair = pair.clone();
            if let Some(opening) = &contact.opening {
                pair.reference = opening.family.at(travel);
            }
            let moved = [0, 1].map(|k: usize| {
                let side = &contact.sides[k];
                let on_shoulder = if contact.name.ends_with("tool") { shoulder } else { 0.0 };
                let shift = side.body.map_or(0.0, |_| z + on_shoulder);
                still(Pose::translation(Vec3::z() * shift).compose(&side.X_BS))
            });
            let effort = pair.for_each_touching(&PolygonalState::default(), &moved[0], &moved[1], |_| {});
            assert!(effort.corners <= most, "{} at {z} m: {effort:?}", contact.name);
            assert!(
                effort.spheres <= if z == 1.0 { 1 } else { 150 },
                "{} at {z} m: {effort:?}",
                contact.name
            );
        }
    }
}

/// A clamped nozzle: crown and shoulder push against each other, and the boom's pull adds to the crown while the soft shoulder hardly notices.
#[test]
fn a_clamped_nozzle_is_in_balance() {
    let run = run("docking-lock", &["record.frames_every=10 s"]);
    let mut checks = Checks::default();
    let q = |name: &str| run.quantity(name);
    checks.below(
        "crown less shoulder less boom, N",
        (q("locking_force_n") + q("locking_shoulder_n") - q("locking_sum_n")).abs(),
        1e-3,
    );
    checks.below("locking force, N from 100", (q("locking_force_n") - 100.0).abs(), 5.0);
    checks.below("sum while locked, N", q("locking_sum_n").abs(), 2.0);
    checks.below("final tension, N from 200", (q("final_tension_n") - 200.0).abs(), 10.0);
    for part in ["tool", "crown", "bolt"] {
        checks.below(part, q(&format!("penetration_max_nozzle_{part}_m")), 5e-4);
    }
    checks.finish();
}

/// Pictures show the crown as it is: drawn back and spread, its wire the same all around.
#[test]
fn the_crown_is_drawn_as_it_opens() {
    let travel = "capture_tool.nozzle.crown.travel={ table = [[\"0 s\", \"0 m\"], [\"0.1 s\", \"0.01 m\"]] }";
    let sets = [travel, "duration=0.1 s"];
    let forms = world(&built_in("docking-lock", &sets)).contact_forms();
    let crown = forms.iter().position(|form| form.name.contains("crown")).expect("a crown is drawn");
    let run = run("docking-lock", &sets);
    let moved: Vec<f64> =
        run.frames.last().and_then(|frame| frame.deformations.get(crown)).map_or(vec![], |list| {
            list.iter().map(|d| d.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt()).collect()
        });
    // From 5.5 to 12 mm outwards and 10 mm back; single precision.
    let wanted = 0.0065f64.hypot(0.010);
    assert!(!moved.is_empty() && moved.iter().all(|travel| (travel - wanted).abs() < 1e-8), "{moved:?}");
}

/// Files and settings with the former names of keys mean what they meant, and columns are found by their former names.
#[test]
fn former_names_still_read() {
    let now = include_str!("../scenarios/docking/docking-lock.toml");
    let former = now
        .replace("spread_travel_m", "spread_way_m")
        .replace("longest_travel_m", "longest_way_m")
        .replace("\ntravel = {", "\nway = {");
    assert_eq!(former.matches("way").count() - now.matches("way").count(), 3);
    let read = |text: &str, sets: &[String]| {
        load_str("lock.toml", text, Path::new("."), sets).unwrap_or_else(|e| panic!("{e}"))
    };
    let (old, new) = (read(&former, &[]), read(now, &[]));
    assert_eq!(old.resolved_toml, new.resolved_toml);
    let set = ["capture_tool.nozzle.crown.longest_way=19 mm".to_string()];
    let renamed = ["capture_tool.nozzle.crown.longest_travel=19 mm".to_string()];
    assert_eq!(read(now, &set).resolved_toml, read(now, &renamed).resolved_toml);
    let sim = touchdown_sim::Simulation::build(&new.description).expect("a tool and a nozzle");
    for (former, name) in [("crown_way_m", "crown_travel_m"), ("shoulder_way_m", "shoulder_travel_m")] {
        let column = |name: &str| sim.column(&format!("capture.nozzle.{name}")).expect("a column");
        assert_eq!(column(former), column(name));
    }
}

/// A client that is pushed away by the bolt recedes faster than the boom follows: its throat leaves the distance sensors, with readings like those of a passage, and the boom
/// ends at its longest. The tool is not inserted then.
#[test]
fn a_tool_left_behind_is_not_inserted() {
    let run = run(
        "docking",
        &[
            "offset_x_m=0.01096",
            "offset_y_m=0.02072",
            "tilt_x_deg=-0.653",
            "tilt_y_deg=2.265",
            "client_rate_deg_per_s=0.0544",
            "client_mass_kg=1818",
            "camera_noise_px=1.165",
            "seed=990984",
            "duration_s=75",
        ],
    );
    assert_eq!(run.quantity("false_insert"), 0.0, "{}", run.end("docking.before_mark_m"));
}

/// A client that leans by 2.5° is pushed away if the boom drives one side of the shoulder against its bell, and a filter that begins anew takes it to rest: locking then began with
/// the shoulder 3.5 mm before its mark. The boom stops before the leaning shoulder touches; what is not known does not count as rest.
#[test]
fn a_leaning_client_is_locked_with_the_shoulder_in_place() {
    let run = run(
        "docking",
        &[
            "offset_x_m=-0.01667",
            "offset_y_m=0.004189",
            "tilt_x_deg=-0.09183",
            "tilt_y_deg=-2.457",
            "client_rate_deg_per_s=-0.04318",
            "client_mass_kg=2656",
            "camera_noise_px=0.8522",
            "seed=279",
            "duration_s=75",
        ],
    );
    assert_eq!(run.quantity("false_insert"), 0.0, "{}", run.end("docking.before_mark_m"));
}

/// A client that leans by 1.4° besides turning is inserted and locked, where a shoulder that pushed it made the boom follow it to its end.
#[test]
fn a_leaning_client_is_not_pushed_out_of_reach() {
    let run = run(
        "docking",
        &[
            "offset_x_m=0.00648",
            "offset_y_m=-0.01676",
            "tilt_x_deg=-1.404",
            "tilt_y_deg=-0.07206",
            "client_rate_deg_per_s=0.02149",
            "client_mass_kg=2995",
            "camera_noise_px=0.1209",
            "seed=366",
            "duration_s=65",
        ],
    );
    assert_eq!(run.quantity("aborted"), 0.0, "code {}", run.quantity("abort_code"));
    assert_eq!(run.quantity("false_insert"), 0.0, "{}", run.end("docking.before_mark_m"));
    assert!(run.quantity("phase_locked_s") < 60.0, "{}", run.quantity("phase_locked_s"));
}

/// Where the rim leaves the picture, other circles nearly fit the arc that is left. A docking with a locked client of 0.04 °/s is not aborted for what they say.
#[test]
fn a_locked_client_is_not_given_up_for_a_rate_that_it_does_not_have() {
    let run = run(
        "docking",
        &[
            "camera_noise_px=1.058",
            "seed=88273",
            "offset_x_m=0.01809",
            "offset_y_m=-0.01762",
            "tilt_x_deg=0.49",
            "tilt_y_deg=1.895",
            "client_rate_deg_per_s=-0.0149",
            "client_mass_kg=2873",
            "duration_s=235",
        ],
    );
    assert_eq!(run.quantity("aborted"), 0.0, "code {}", run.quantity("abort_code"));
    assert_eq!(run.quantity("false_rate_abort"), 0.0);
}

/// The camera looks for the rim that the nozzle has: another exit changes what it sees, not where it sees it.
#[test]
fn the_camera_knows_the_rim_of_the_nozzle() {
    for radius in ["0.122", "0.15"] {
        let scenario = built_in("docking", &[&format!("nozzle.engine.exit_radius_m={radius}")]);
        let docking = &scenario.description.satellites.dockings[0];
        assert_eq!(docking.camera.rim_radius, radius.parse::<f64>().unwrap());
        assert_eq!(docking.sequence.geometry.exit_a, 0.35);
        assert_eq!(docking.sequence.geometry.nose_q, 0.09);
    }
}
