//! Flexible bodies in the loop: the falling plate of the literature, rest on the ground, a wheel under its load, equilibrium, mistakes reported.

mod common;
#[path = "flexible/wheels.rs"]
mod wheels;

use common::{Checks, run, run_text};
use std::path::Path;
use touchdown_scenario::load_str;

const SHEET: &str =
    "[flexible_form.sheet]\ntype = \"plate\"\nlength_m = 0.3\nwidth_m = 0.3\nthickness_m = 0.01\n";
const WHEEL: &str = "[flexible_form.airless]\ntype = \"wheel\"\nradius = \"142.5 mm\"\nwidth = \"120 mm\"\nhub_radius = \"60 mm\"\n\
    rim_thickness = \"26.32 mm\"\nspoke_thickness = \"26.32 mm\"\nyoung_modulus = \"280 kPa\"\ndensity = \"1500 kg/m^3\"\n\
    locking = \"none\"\ndamping_time = \"5 ms\"\ncontact = { stiffness = \"3.786 MN/m^3\", damping = \"378.6 kN s/m^3\", friction = 0.6 }\n";

/// A soft plate hung by one corner falls from flat: the opposite corner's path, as an independent program found it with Gauss quadrature of 7 × 7 × 3 points.
#[test]
fn a_falling_plate_follows_its_known_path() {
    let text = format!(
        "title = \"t\"\nduration = \"0.3 s\"\ngravity = \"earth\"\nintegrator = {{ name = \"explicit\", tolerance = 1e-9 }}\n\
         record = {{ series_every = \"50 ms\" }}\n{SHEET}elements_x = 2\nelements_y = 2\nyoung_modulus = \"0.1 MPa\"\n\
         poisson_ratio = 0.3\ndensity_kg_per_m3 = 7810\n[flexible.plate]\nform = \"sheet\"\nhold = \"corner\"\npoint.far.place = [1, 1]\n"
    );
    let mut checks = Checks::default();
    for coordinates in ["plain", "cholesky"] {
        let run = run_text(&format!("{text}coordinates = \"{coordinates}\"\n"), &[]);
        let at = |axis: &str, t: f64| run.at(&format!("flexible.plate.far.{axis}_m"), t);
        checks.below(&format!("{coordinates}, x at 0.3 s"), (at("x", 0.3) - 0.2221656).abs(), 2e-6);
        checks.below(&format!("{coordinates}, z at 0.3 s"), (at("z", 0.3) + 0.4899997).abs(), 2e-6);
        checks.below(&format!("{coordinates}, energy"), run.quantity("energy_drift_relative"), 1e-9);
    }
    checks.finish();
}

/// A damped plate falls on a plane and comes to rest there: the ground carries its weight, and the energy ledger balances.
#[test]
fn a_plate_comes_to_rest_on_the_ground() {
    let text = format!(
        "title = \"t\"\nduration = \"3 s\"\ngravity = \"earth\"\nintegrator = {{ name = \"implicit\", step = \"1 ms\" }}\n\
         record = {{ series_every = \"50 ms\" }}\n[ground]\n{SHEET}elements_x = 2\nelements_y = 2\nyoung_modulus = \"1 MPa\"\n\
         density_kg_per_m3 = 1000\ndamping_time = \"5 ms\"\n\
         contact = {{ points = 5, faces = \"both\", stiffness_n_per_m3 = 222222, damping_n_s_per_m3 = 2222, friction = 0.5 }}\n\
         [flexible.plate]\nform = \"sheet\"\nposition_m = [0, 0, 0.1]\npitch = \"20 deg\"\n"
    );
    let run = run_text(&text, &[]);
    let mut checks = Checks::default();
    let weight = 0.3 * 0.3 * 0.01 * 1000.0 * 9.81;
    checks.below(
        "force less weight, relative",
        (run.end("flexible.plate.force_z_n") / weight - 1.0).abs(),
        1e-3,
    );
    // Damping of a point begins with a jump when it touches; the trapezoidal rule of the ledger is of first order there.
    checks.below("energy residual", run.quantity("energy_residual_relative"), 2e-2);
    checks.below("height", run.end("flexible.plate.centre_z_m"), 6e-3);
    // Frames show where it is: all corners within half the plate of the ground, from a form that stood 0.1 m and more above it.
    let last = run.frames.last().unwrap();
    assert!(last.deformations[0].iter().all(|d| d[2].is_finite()) && !last.deformations[0].is_empty());
    checks.finish();
}

/// A wheel of 4.442 kg that carries its share of a rover of 320 kg: at rest 198 N press it in by 21 to 26 mm (spoke down: stiffest), found by equilibrium and by waiting.
#[test]
fn a_wheel_carries_its_share() {
    let text = |start: &str| {
        format!(
            "title = \"t\"\nduration = \"8 s\"\ngravity_m_per_s2 = [0, 0, -3.711]\nstart = \"{start}\"\n\
             integrator = {{ name = \"implicit\", step = \"2 ms\" }}\nrecord = {{ series_every = \"50 ms\" }}\n[ground]\n\
             [body.load]\nmass = \"48.891 kg\"\npoint_mass = true\n\
             [joint.slide]\ntype = \"prismatic\"\nchild = \"load\"\naxis = [0, 0, 1]\nposition = \"143 mm\"\n\
             {WHEEL}[flexible.wheel]\nform = \"airless\"\nbody = \"load\"\n"
        )
    };
    let mut checks = Checks::default();
    for start in ["as-given", "equilibrium"] {
        let run = run_text(&text(start), &[]);
        let deformation = run.end("flexible.wheel.deformation_m");
        checks.between(&format!("{start}, deformation"), deformation, 0.021, 0.026);
        checks.below(
            &format!("{start}, force less 198 N"),
            (run.end("flexible.wheel.normal_force_n") - 53.333 * 3.711).abs(),
            0.3,
        );
        checks.between(&format!("{start}, mass"), run.quantity("total_mass_kg"), 53.332, 53.334);
    }
    checks.finish();
}

/// The wheel in its press: mass and curves of the two orientations, the brush tyre's line, frames that show the hub going down.
#[test]
fn a_wheel_is_pressed() {
    let mut checks = Checks::default();
    for orientation in ["0", "45"] {
        // Steps of 1 mm, and none beside it but the other orientation: the finer meshes are slow.
        let sets = [
            format!("orientation_deg={orientation}"),
            "study.rows=26".into(),
            "deflection_max_m=0.026".into(),
        ];
        let run = run("tyre-stiffness", &sets.iter().map(String::as_str).collect::<Vec<_>>());
        checks.between(&format!("{orientation} deg, mass"), run.quantity("mesh_mass_kg"), 4.4415, 4.4425);
        checks.between(
            &format!("{orientation} deg, 198 N"),
            run.quantity("deflection_at_198n_m"),
            0.022,
            0.026,
        );
        let own = if orientation == "0" { "spoke_down" } else { "between_spokes" };
        let beside = run.end(&format!("beside.{own}.force_n"));
        checks.below(&format!("{orientation} deg, beside it"), (run.end("force_n") - beside).abs(), 1e-6);
        checks.below(
            &format!("{orientation} deg, line"),
            (run.end("spring_force_n") - 8250.0 * 0.026).abs(),
            1e-9,
        );
        let down =
            |f: usize| run.frames[f].deformations[0].iter().map(|d| d[2]).fold(f32::INFINITY, f32::min);
        checks.below("start, largest displacement", f64::from(-down(0)), 1e-6);
        checks.below("end, lowered by 26 mm", f64::from((down(26) + 0.026).abs()), 0.01);
    }
    checks.finish();
}

/// Between soil and wheel the softer one deforms: a wheel a thousand times as stiff sinks as its rigid form does, soil that hardly yields bends the wheel as
/// rigid ground does, and between the two each goes down less than where the other is rigid. Soil is neither lost nor made; what the soil does to the wheel is
/// what the wheel stores.
#[test]
fn a_flexible_wheel_shares_its_deflection_with_the_soil() {
    let mut checks = Checks::default();
    let soft = run("wheel-ancf-press-on-soil", &["rows=25"]);
    checks.between(
        "sinkage over rigid",
        soft.quantity("sinkage_at_198n_m") / soft.quantity("rigid_sinkage_at_198n_m"),
        0.5,
        0.99,
    );
    let hard = soft.quantity("hard_ground_deflection_at_198n_m");
    checks.between("deflection over hard ground", soft.quantity("deflection_at_198n_m") / hard, 0.2, 0.8);
    checks.below("volume", soft.quantity("soil_volume_error_relative").abs(), f64::MIN_POSITIVE);
    let books = soft.end("energy_error_j") / soft.end("elastic_energy_j");
    checks.below("energy, trapezoidal rule over 25 rows", books.abs(), 1e-3);
    let stiff = run("wheel-ancf-press-on-soil", &["rows=25", "young_modulus_pa=280e6"]);
    let ratio = stiff.end("force_n") / stiff.end("rigid.force_n");
    checks.below(
        "a thousandth of the deflection",
        stiff.end("deflection_m") / soft.end("deflection_m"),
        2e-3,
    );
    checks.below("stiff wheel, force over rigid", (ratio - 1.0).abs(), 1e-3);
    let firm = run(
        "wheel-ancf-press-on-soil",
        &[
            "orientation_deg=45",
            "rows=24",
            "lowered_max_m=0.024",
            "exponent=1",
            "frictional_modulus=1e8",
            "contact_points=40",
            "ground_stiffness_n_per_m3=1.2114e9",
        ],
    );
    let deflection = firm.quantity("lowered_at_198n_m") - firm.quantity("sinkage_at_198n_m");
    let ratio = deflection / firm.quantity("hard_ground_deflection_at_198n_m");
    checks.below("firm soil, deflection over hard ground", (ratio - 1.0).abs(), 0.03);
    checks.finish();
}

/// Two rovers in one world: flexible wheels take the place of the tyres of their own machine only, and each rover stands on its six.
#[test]
fn two_rovers_stand_side_by_side() {
    let run = run("rover-compare-tyres", &["duration=0.02 s"]);
    let wheels = ["front_left", "front_right", "middle_left", "middle_right", "rear_left", "rear_right"];
    let sum = |kind: &str| wheels.iter().map(|w| run.end(&format!("{kind}{w}.normal_force_n"))).sum::<f64>();
    let mut checks = Checks::default();
    checks.below("brush tyres carry 320 kg", (sum("tyre.brush/") - 320.0 * 3.711).abs(), 0.1);
    checks.below("flexible wheels carry 320.002 kg", (sum("flexible.ancf/") - 320.002 * 3.711).abs(), 0.1);
    checks.finish();
}

/// A wheel that hangs free and is driven by 1 N m gains 1 N m s of angular momentum a second.
#[test]
fn a_driven_wheel_gains_angular_momentum() {
    let text = format!(
        "title = \"t\"\nduration = \"0.2 s\"\nintegrator = {{ name = \"explicit\", tolerance = 1e-8 }}\n\
         record = {{ series_every = \"50 ms\" }}\n[ground]\n[body.hub]\nmass_kg = 1e-6\ninertia_kg_m2 = [1e-9, 1e-9, 1e-9]\n\
         [joint.axle]\ntype = \"revolute\"\nchild = \"hub\"\naxis = [0, 1, 0]\nat_m = [0, 0, 1]\n\
         [drive.axle]\njoints = \"axle\"\ntorque = \"1 N m\"\n{WHEEL}[flexible.wheel]\nform = \"airless\"\nbody = \"hub\"\n"
    );
    let run = run_text(&text, &[]);
    let mut checks = Checks::default();
    checks.below(
        "momentum less impulse, relative",
        (run.end("flexible.wheel.axle_momentum_n_m_s") / 0.2 - 1.0).abs(),
        1e-5,
    );
    checks.finish();
}

/// Ground of a stiffness per area pushes a flat face that is 1 mm deep by k·A·s, whatever its elements and points.
#[test]
fn the_ground_is_the_same_for_every_mesh() {
    let mut checks = Checks::default();
    for (elements, points) in [([1, 1], 5), ([1, 1], 20), ([3, 2], 5), ([4, 4], 3)] {
        let [nx, ny] = elements;
        let text = format!(
            "title = \"t\"\nduration = \"1 ms\"\ngravity = \"none\"\nintegrator = {{ name = \"implicit\", step = \"1 ms\" }}\n\
             record = {{ series_every = \"1 ms\" }}\n[ground]\n{SHEET}elements_x = {nx}\nelements_y = {ny}\nyoung_modulus = \"1 MPa\"\n\
             density_kg_per_m3 = 1000\n\
             contact = {{ points = {points}, faces = \"lower\", stiffness_n_per_m3 = 1e6, friction_law = \"none\" }}\n\
             [flexible.plate]\nform = \"sheet\"\nposition_m = [0, 0, 0.004]\n"
        );
        let force = run_text(&text, &[]).at("flexible.plate.force_z_n", 0.0);
        checks.below(
            &format!("{elements:?}, {points} points"),
            (force / (1e6 * 0.09 * 0.001) - 1.0).abs(),
            1e-12,
        );
    }
    checks.finish();
}

/// The press says which branch it follows, and where the first one loses its stability; the unstable one only if asked.
#[test]
fn a_press_names_its_branch() {
    let mut checks = Checks::default();
    let sets =
        |more: &'static str| ["elements_per_quadrant=4", "study.rows=12", "deflection_max_m=0.024", more];
    let word =
        |run: &common::Run| run.outcome.words.iter().find(|w| w.name == "branch").unwrap().word.clone();
    let straight = run("tyre-stiffness", &sets("orientation_deg=0"));
    let turned = run("tyre-stiffness", &sets("orientation_deg=0.2"));
    checks.below("0 and 0.2 deg", (straight.end("force_n") / turned.end("force_n") - 1.0).abs(), 0.02);
    checks.between("buckles, m", straight.quantity("bifurcation_deflection_m"), 0.012, 0.0135);
    assert!(turned.quantity("bifurcation_deflection_m").is_nan());
    assert_eq!((word(&straight), word(&turned)), ("stable".into(), "stable".into()));
    assert!(straight.outcome.warnings.iter().any(|w| w.contains("a bifurcation: it buckles")));
    let primary = run("tyre-stiffness", &sets("follow=primary"));
    assert_eq!(word(&primary), "unstable");
    checks.between(
        "unstable branch over stable one",
        primary.end("force_n") / straight.end("force_n"),
        1.5,
        5.0,
    );
    checks.finish();
}

/// Mistakes are reported with their place, and none panics.
#[test]
fn mistakes_are_reported() {
    let message = |text: &str| {
        let text = format!("title = \"t\"\nduration = \"1 s\"\n{text}");
        match load_str("inline.toml", &text, Path::new("."), &[]) {
            Ok(_) => panic!("{text}"),
            Err(e) => e.to_string(),
        }
    };
    let material = "young_modulus_pa = 1e5\ndensity_kg_per_m3 = 1000\n";
    let flexible = "[flexible.plate]\nform = \"sheet\"\n";
    for (text, expected) in [
        (format!("{SHEET}{flexible}"), "needs young_modulus, density"),
        (format!("{SHEET}{material}[flexible.plate]\nform = \"sheat\"\n"), "did you mean \"sheet\"?"),
        (
            format!("{SHEET}{material}contact = {{ stiffness_n_per_m3 = 1, friction = 0 }}\n{flexible}"),
            "needs rigid ground",
        ),
        (format!("{SHEET}{material}{flexible}instead_of_tyres = true\n"), "finds no tyres"),
        (
            format!("{WHEEL}[ground]\n{flexible}")
                .replace("60 mm", "140 mm")
                .replace("\"sheet\"", "\"airless\""),
            "hub_radius must be less",
        ),
        (
            format!("[flexible_form.sheet]\ntype = \"file\"\nfile = \"nowhere.toml\"\n{flexible}"),
            "cannot be read",
        ),
    ] {
        let message = message(&text);
        assert!(message.contains(expected), "{message}");
    }
}

/// Standing in soil that hardly yields, a wheel of the test stand deflects as it does in a press on rigid ground, a spoke down; the rigid wheel takes its place where asked.
#[test]
fn a_wheel_on_hard_soil_deflects_as_in_a_press() {
    let mut checks = Checks::default();
    let stiff_points =
        ["rows=10", "lowered_max_m=0.02", "contact_points=40", "ground_stiffness_n_per_m3=1.2114e9"];
    let press = run("wheel-ancf-press-on-soil", &stiff_points);
    let hard = ["duration=1.3 s", "exponent=1", "frictional_modulus=1e8", "integrator.name=implicit"];
    let stand = run("wheel-ancf-on-soil", &hard);
    // Friction holds the rim, which frictionless points do not, and nodes of soil are 10 mm apart.
    let ratio = stand.end("flexible.wheel.deflection_m") / press.quantity("hard_ground_deflection_at_198n_m");
    checks.below("deflection", (ratio - 1.0).abs(), 0.05);
    checks.below("load", (stand.end("soil.wheel.force_z_n") / 198.0 - 1.0).abs(), 0.01);
    checks.below("energy", stand.quantity("energy_residual_relative"), 1e-3);
    assert!(common::built_in("wheel-ancf-on-soil", &["rigid=true"]).description.flexible.is_empty());
    checks.finish();
}

/// Grousers are a law of rigid wheels: a flexible wheel that stands in for one with them is refused, not run without them; the rigid wheel keeps them.
#[test]
fn grousers_of_flexible_wheels_are_refused() {
    let load = |sets: &[&str]| {
        touchdown_scenario::load(
            "wheel-ancf-on-soil",
            &sets.iter().map(|s| (*s).to_string()).collect::<Vec<_>>(),
        )
    };
    let refused = load(&["rig.grousers=12"]).expect_err("grousers").to_string();
    assert!(refused.contains("with grousers") && refused.contains("12 grousers"), "{refused}");
    assert!(load(&["rig.grousers=12", "rigid=true"]).is_ok() && load(&["rig.grousers=0"]).is_ok());
}

/// New wheels have assumed strains; the paper's wheel says that it has none.
#[test]
fn new_wheels_do_not_lock() {
    let locking = |wheel: &str| {
        let text = format!(
            "title = \"t\"\nduration = \"1 s\"\ngravity = \"none\"\n[ground]\n{wheel}[flexible.wheel]\nform = \"airless\"\n"
        );
        let scenario = load_str("inline.toml", &text, Path::new("."), &[]).expect("sound");
        let element = &scenario.description.flexible[0].mesh.elements()[0];
        element.kind.plate().map(|(tables, _)| tables.material.locking)
    };
    use touchdown_multibody::flex::material::Locking;
    assert_eq!(locking(WHEEL), Some(Locking::None));
    assert_eq!(locking(&WHEEL.replace("locking = \"none\"\n", "")), Some(Locking::Assumed));
}
