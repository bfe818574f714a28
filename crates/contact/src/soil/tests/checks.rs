//! Parameters out of their range are named, all at once.

use super::*;
use crate::ParameterError;

fn fields(problems: &[ParameterError]) -> Vec<&'static str> {
    let field = |problem: &ParameterError| match problem {
        ParameterError::NotFinite { field, .. } | ParameterError::OutOfRange { field, .. } => *field,
        ParameterError::FrictionOrder { .. } => "friction_min",
        ParameterError::Order => "sides",
        ParameterError::HardOnHard | ParameterError::ModelOfFoot { .. } => "foot",
    };
    problems.iter().map(field).collect()
}

/// The soils, options and bodies of these tests are in range.
#[test]
fn sound_numbers_pass() {
    assert_eq!(sand().check(), []);
    assert_eq!(ground(0.0, 0.0, 1e11).check(), []);
    assert_eq!(full().check(), []);
    assert_eq!(
        SoilOptions { friction: FrictionLaw::Janosi, width: BekkerWidth::Perimeter, ..full() }.check(),
        []
    );
    assert_eq!(carrying_wheel().check(0.01), []);
    assert_eq!(plate(0.1, 0.2).check(0.01), []);
}

/// Every parameter of a soil out of its range is reported, in order; the message states the permitted range.
#[test]
fn bad_soils_are_explained() {
    let bad = SoilParameters {
        law: PressureLaw::Bekker { cohesive: -1.0, frictional: f64::NAN },
        exponent: 0.0,
        cohesion: -120.0,
        friction_angle: 1.6,
        elastic_stiffness: 0.0,
        damping: -1.0,
        shear_length: f64::INFINITY,
        compaction: 1.5,
    };
    let all = [
        "cohesive modulus",
        "frictional modulus",
        "exponent",
        "cohesion",
        "friction_angle",
        "elastic_stiffness",
        "damping",
        "shear_length",
        "compaction",
    ];
    assert_eq!(fields(&bad.check()), all);
    let message = SoilParameters { cohesion: -120.0, ..sand() }.check()[0].to_string();
    assert_eq!(message, "cohesion must lie in [0, 100000000] Pa, found -120");
    let nothing = SoilParameters { law: PressureLaw::Reece { cohesive: 0.0, frictional: 0.0 }, ..sand() };
    assert_eq!(fields(&nothing.check()), ["frictional modulus"]);
}

#[test]
fn bad_options_and_bodies_are_explained() {
    let bad = SoilOptions {
        width: BekkerWidth::Given(0.0),
        friction: FrictionLaw::Coulomb { speed: 0.0 },
        spread_exponent: 1.0,
        move_every: 0,
        sweeps: 0,
        ..full()
    };
    let all = ["width in the pressure law", "friction speed", "spread_exponent", "move_every", "sweeps"];
    assert_eq!(fields(&bad.check()), all);
    let bars = Grousers { count: 0, height: 0.2, thickness: 0.0 };
    let shape = SoilShape::Wheel { radius: RADIUS, width: -0.1, grousers: Some(bars) };
    let bad = SoilSurface { shape, carried_layer: -0.001, bedded: false };
    let all = ["width", "count of grousers", "height of grousers", "thickness of grousers", "carried_layer"];
    assert_eq!(fields(&bad.check(0.01)), all);
    let empty = SoilShape::Mesh(touchdown_geometry::TriangleMesh { vertices: vec![], triangles: vec![] });
    let empty = SoilSurface { shape: empty, carried_layer: 0.0, bedded: false };
    assert_eq!(fields(&empty.check(0.01)), ["facets of the mesh"]);
}

/// A grid that cannot see the body is refused: cells larger than the wheel's radius or width.
#[test]
fn coarse_grids_are_refused() {
    for spacing in [0.0, -0.01, 0.11, f64::NAN] {
        assert_eq!(fields(&smooth_wheel().check(spacing)), ["spacing"], "{spacing}");
        assert_eq!(fields(&plate(0.1, 0.05).check(spacing)), ["spacing"], "{spacing}");
    }
}
