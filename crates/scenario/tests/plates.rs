//! Plates without time (static load, natural modes), a plate rolled and let go, and mistakes in such studies.

mod common;

use common::{Checks, run_text};
use std::path::Path;
use touchdown_scenario::load_str;

fn plate(more: &str) -> String {
    format!(
        "title = \"t\"\nduration = \"1 s\"\ngravity = \"none\"\n[flexible_form.sheet]\ntype = \"plate\"\nlength_m = 1\n\
         width_m = 0.1\nthickness_m = 0.01\nyoung_modulus_pa = 2.1e11\ndensity_kg_per_m3 = 7850\n{more}"
    )
}

/// A thin cantilever of n elements finds all but 1/(4n²) of a beam's deflection, and the load's work is its energy.
#[test]
fn a_cantilever_bends_as_it_should() {
    let mut checks = Checks::default();
    for n in [1, 2, 4] {
        let text = plate(&format!(
            "elements_x = {n}\n[flexible.strip]\nform = \"sheet\"\nhold = \"edge\"\npitch = \"30 deg\"\n\
             [study]\nkind = \"static-load\"\nforce_n = -0.1\nrows = 2\n"
        ));
        // Tilted: the load has a part along the strip, and the study no beam to compare with.
        let tilted = run_text(&text, &[]);
        let flat = run_text(&text.replace("30 deg", "0 deg"), &[]);
        let ratio = flat.quantity("deflection_over_beam");
        checks.below(&format!("{n}: ratio"), (ratio - 1.0 + 0.25 / f64::from(n * n)).abs(), 1e-4);
        checks.below(&format!("{n}: energy"), (flat.quantity("energy_over_work") - 1.0).abs(), 1e-6);
        let bent = tilted.quantity("deflection_m") / flat.quantity("deflection_m");
        checks.below(&format!("{n}: tilted by 30 degrees, cos² of it"), (bent - 0.75).abs(), 1e-3);
    }
    checks.finish();
}

/// Frequencies of a free strip are its own, six motions are rigid; held at an edge none is.
#[test]
fn modes_are_counted() {
    let text =
        plate("elements_x = 4\n[flexible.strip]\nform = \"sheet\"\n[study]\nkind = \"modes\"\ncount = 3\n");
    let free = run_text(&text, &[]);
    let held = run_text(&text.replace("form = \"sheet\"", "form = \"sheet\"\nhold = \"edge\""), &[]);
    let mut checks = Checks::default();
    assert_eq!([free.quantity("rigid_motions"), held.quantity("rigid_motions")], [6.0, 0.0]);
    // Euler and Bernoulli: (βl)² = 22.3733 free, 3.5160 clamped, times √(EI/ρA)/l²; coarse elements are too stiff.
    let scale = (2.1e11f64 * 1e-4 / (12.0 * 7850.0)).sqrt() / std::f64::consts::TAU;
    checks.between("free", free.quantity("frequency_1_hz") / (22.3733 * scale), 1.0, 1.1);
    checks.between("held", held.quantity("frequency_1_hz") / (3.5160 * scale), 1.0, 1.03);
    checks.finish();
}

/// A soft plate, rolled and let go, keeps its energy with the implicit method, and swings through its flat form. What drifts grows with the squares of step and angle;
/// on so coarse a mesh, whose elements stretch when they bend, one degree is enough.
#[test]
fn a_rolled_plate_keeps_its_energy() {
    let run = common::run(
        "ancf-ringing-plate",
        &["elements_x=2", "elements_y=2", "rolled_deg=1", "duration=0.5 s"],
    );
    let mut checks = Checks::default();
    checks.below("energy", run.quantity("energy_drift_relative"), 1e-6);
    // At the start the corner is above the middle by the rise of the arc; half a swing later it is below.
    let rise = 0.3 / 1f64.to_radians() * (1.0 - 0.5f64.to_radians().cos());
    let gap = |t: f64| run.at("flexible.plate.corner.z_m", t) - run.at("flexible.plate.middle.z_m", t);
    checks.below("rise at the start", (gap(0.0) / rise - 1.0).abs(), 1e-4);
    checks.below("least height over the rise", run.quantity("corner_height_min_m") / rise, 0.3);
    checks.finish();
}

/// A curved shell finds its published deflection on 8 × 8 elements, beside coarser meshes; the plain element does not.
#[test]
fn a_curved_shell_deflects_as_published() {
    let sets = ["shell=hemisphere-with-hole", "elements=8"];
    let run = common::run("ancf-shells", &sets);
    let mut checks = Checks::default();
    checks.below("assumed strains", (run.quantity("deflection_over_published") - 1.0).abs(), 0.05);
    checks.below("last row", (run.end("deflection_m") - run.quantity("deflection_m")).abs(), 1e-15);
    let plain = common::run("ancf-shells", &[sets[0], sets[1], "locking=none"]);
    checks.below("plain element", plain.quantity("deflection_over_published"), 0.5);
    checks.finish();
}

/// Mistakes are reported with their place.
#[test]
fn mistakes_are_reported() {
    let message_of = |text: &str| match load_str("inline.toml", text, Path::new("."), &[]) {
        Ok(_) => panic!("{text}"),
        Err(e) => e.to_string(),
    };
    let strip = "[flexible.strip]\nform = \"sheet\"\n";
    for (text, expected) in [
        (format!("{strip}[study]\nkind = \"static-load\"\nforce_n = 1\n"), "held in the world"),
        (format!("{strip}hold = \"edge\"\n[study]\nkind = \"static-load\"\n"), "needs force"),
        (
            format!("{strip}[study]\nkind = \"modes\"\nforce_n = 1\n"),
            "means nothing in a study of kind modes",
        ),
        (format!("{strip}[study]\nkind = \"shell-course\"\n"), "needs shell"),
        (format!("{strip}[study]\nkind = \"modes\"\nflexible = \"other\"\n"), "must name a flexible body"),
        (
            format!("{strip}hold = \"edge\"\nrolled = \"5 deg\"\n"),
            "means nothing but for a plate that is free",
        ),
    ] {
        let message = message_of(&plate(&text));
        assert!(message.contains(expected), "{message}");
    }
}
