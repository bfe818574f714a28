//! What `[ground]` becomes: a plane, a formula, hills or a map, and the messages about keys that do not fit.

use crate::{Scenario, load_str};
use std::path::Path;
use touchdown_geometry::surface::{HeightForm, HeightSurface, Smoothness};
use touchdown_sim::description::Ground;

const BODY: &str = "title = \"ball\"\nduration = \"1 s\"\n[body.ball]\nmass = \"1 kg\"\ninertia = [\"1 kg m^2\", \"1 kg m^2\", \"1 kg m^2\"]\n[joint.free]\ntype = \"free\"\nchild = \"ball\"\n";

fn with_ground(keys: &str) -> Result<Scenario, String> {
    load_str("test.toml", &format!("{BODY}[ground]\n{keys}\n"), Path::new("."), &[])
        .map_err(|e| e.to_string())
}

fn surface(keys: &str) -> HeightSurface {
    match with_ground(keys).unwrap().description.ground {
        Some(Ground::Surface(surface)) => *surface,
        other => panic!("{other:?}"),
    }
}

/// Shapes with a formula are evaluated by it unless a map of them is asked for; the map reaches as far as asked for.
#[test]
fn formulas_are_analytic_or_sampled() {
    let bowl = "shape = \"paraboloid\"\ncoefficients = \"0.2 1/m\"\nheight = \"-1 m\"\n";
    let form = HeightForm::Paraboloid { height: -1.0, coefficients: [0.2, 0.2] };
    assert_eq!(surface(bowl).form(), &form);
    let sampled = surface(&format!(
        "{bowl}surface = \"c1\"\nspacing = \"0.5 m\"\nsize = [\"8.2 m\", \"4 m\"]\ncentre = [\"1 m\", \"0 m\"]"
    ));
    let HeightForm::Map { raster, smoothness: Smoothness::C1 } = sampled.form() else { panic!() };
    assert_eq!((raster.columns(), raster.rows(), raster.origin()), (19, 9, [-3.5, -2.0]));
    // Patches reproduce quadratics.
    let z = sampled.jet(2.3, -1.1).unwrap().z;
    assert!((z - (-1.0 + 0.2 * (2.3f64.powi(2) + 1.1f64.powi(2)))).abs() < 1e-14);
    // A plane stays the plane that it was.
    let plane = with_ground("slope = \"30 deg\"").unwrap().description.ground;
    assert!(matches!(plane, Some(Ground::Plane { normal, .. }) if (normal.x + 0.5).abs() < 1e-15));
    let tilted = surface("slope = \"30 deg\"\nsurface = \"c2\"").jet(1.0, 2.0).unwrap();
    assert!((tilted.z - 30f64.to_radians().tan()).abs() < 1e-14);
}

/// Hills are sampled from the seed: another seed, other hills.
#[test]
fn hills_follow_the_seed() {
    let hills = "shape = \"procedural\"\nwavelength = \"2 m\"\namplitude = \"50 mm\"";
    let one = surface(hills);
    let HeightForm::Map { raster, smoothness: Smoothness::C2 } = one.form() else { panic!() };
    assert_eq!((raster.spacing(), raster.columns(), raster.rows()), (0.1, 201, 201));
    let other =
        load_str("test.toml", &format!("seed = 7\n{BODY}[ground]\n{hills}\n"), Path::new("."), &[]).unwrap();
    assert!(other.description.ground != Some(Ground::Surface(Box::new(one))));
}

/// Mistakes are reported where they are made.
#[test]
fn keys_of_other_shapes_are_refused() {
    let said = |keys: &str, words: &[&str]| {
        let error = with_ground(keys).map(|_| ()).unwrap_err();
        for word in words {
            assert!(error.contains(word), "{keys}: {error}");
        }
    };
    said(
        "slope = \"3 deg\"\nshape = \"map\"\nfile = \"none.asc\"",
        &["ground.slope", "means nothing in map ground", "none.asc"],
    );
    said("shape = \"paraboloid\"", &["needs coefficients, because its shape is paraboloid"]);
    said("shape = \"procedural\"", &["needs wavelength", "needs amplitude"]);
    let hills = "shape = \"procedural\"\nwavelength = \"2 m\"\namplitude = \"50 mm\"\n";
    said(&format!("{hills}surface = \"analytic\""), &["cannot be analytic", "c2"]);
    said(&format!("{hills}spacing = \"1 um\""), &["too many nodes"]);
    said("shape = \"map\"\nfile = \"none.asc\"\nspacing = \"1 m\"", &["ground.spacing", "means nothing"]);
}
