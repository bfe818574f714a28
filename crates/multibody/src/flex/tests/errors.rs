//! What cannot be built or solved is refused by name.

use super::sheet;
use crate::flex::FlexError;
use crate::flex::describe::MeshDescription;
use crate::flex::material::{Damping, Locking, Material};
use crate::flex::mesh::{Fix, MeshBuilder, PlateElement};
use crate::flex::quadrature::Order;
use crate::flex::sheet::SheetForm;
use crate::flex::statics::{DeadLoad, Search, solve};
use crate::flex::wheel::{WheelForm, default_material};
use touchdown_math::{Mat3, Vec3};

const FORM: SheetForm = SheetForm { length: 1.0, width: 0.5, thickness: 0.01, elements: [2, 1] };

fn square(nodes: [usize; 4], thickness: f64) -> Result<(), FlexError> {
    let mut builder = MeshBuilder::new();
    let material = builder.material(default_material());
    for [x, y] in [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]] {
        builder.node(Vec3::new(x, y, 0.0));
    }
    let sizes = [1.0, 1.0, thickness];
    builder.plate(PlateElement { nodes, sizes, gradients: [Mat3::identity(); 4], material });
    builder.build().map(|_| ())
}

/// Thickness zero, inverted elements, nodes that do not exist.
#[test]
fn elements_are_checked() {
    assert_eq!(square([0, 1, 2, 3], 0.01), Ok(()));
    let why = square([0, 1, 2, 3], 0.0).unwrap_err();
    assert_eq!(why.to_string(), "element 0: its thickness is 0 m; it must be positive");
    let why = square([1, 0, 3, 2], 0.01).unwrap_err();
    assert!(matches!(why, FlexError::Inverted { element: 0, .. }), "{why}");
    assert!(matches!(square([0, 1, 2, 9], 0.01), Err(FlexError::Unknown { found: 9, count: 4, .. })));
    assert!(matches!(
        square([0, 1, 2, 2], 0.01),
        Err(FlexError::LooseNode { node: 3 } | FlexError::Inverted { .. })
    ));
    assert_eq!(MeshBuilder::new().build().unwrap_err(), FlexError::Empty);
}

/// Hubs without nodes, and ties to ties.
#[test]
fn hubs_are_checked() {
    let mut builder = MeshBuilder::new();
    let material = builder.material(default_material());
    let sheet = FORM.add_to(&mut builder, material).unwrap();
    let hub = builder.node(Vec3::zeros());
    builder.tie(sheet.node(0, 0), sheet.node(0, 1));
    assert_eq!(builder.build().unwrap_err(), FlexError::HubWithoutNodes { node: hub });
    builder.tie(sheet.node(1, 0), hub);
    builder.tie(sheet.node(0, 0), sheet.node(1, 0));
    assert!(matches!(builder.build(), Err(FlexError::TieToTied { .. })));
}

/// Numbers out of range, of materials and wheels.
#[test]
fn ranges_are_checked() {
    for (material, word) in [
        (Material::elastic(-1.0, 0.0, 1.0), "young_modulus must be positive"),
        (Material::elastic(1.0, 0.5, 1.0), "poisson_ratio must be between"),
        (Material::elastic(1.0, 0.0, f64::NAN), "density must be positive"),
        (
            Material { damping: Damping::KelvinVoigt { time: -1.0 }, ..Material::elastic(1.0, 0.0, 1.0) },
            "damping_time must be zero or more",
        ),
        (
            Material {
                damping: Damping::KelvinVoigt { time: 1.0 },
                locking: Locking::Split,
                ..Material::elastic(1.0, 0.0, 1.0)
            },
            "damping_time must be zero with the split law",
        ),
        (
            Material {
                damping: Damping::NavierStokes { bulk: -1.0, shear: 1.0 },
                ..Material::elastic(1.0, 0.0, 1.0)
            },
            "bulk_viscosity",
        ),
    ] {
        let why = material.check().unwrap_err().to_string();
        assert!(why.starts_with(word), "{why}");
    }
    for form in [
        WheelForm { hub_radius: 0.14, ..WheelForm::default() },
        WheelForm { rim_thickness: 0.0, ..WheelForm::default() },
        WheelForm { spokes: 3, ..WheelForm::default() },
        WheelForm { elements_across: 0, ..WheelForm::default() },
        WheelForm { spoke_sweep: 4.0, ..WheelForm::default() },
    ] {
        assert!(matches!(form.mesh(&default_material()), Err(FlexError::OutOfRange { .. })), "{form:?}");
    }
}

/// A sheet that nothing holds, or that is held at one point, has no equilibrium.
#[test]
fn support_is_needed() {
    for pinned in [false, true] {
        let (mut mesh, s) = sheet(FORM, default_material(), Order::REDUCED, |b, s| {
            if pinned {
                b.fix(s.node(0, 0), Fix::Position);
            }
        });
        let mut load = vec![0.0; mesh.coordinates()];
        mesh.add_point_force(
            &mesh.point(s.plate(0, 0), [1.0, 0.5, 0.0]),
            &Vec3::new(0.0, 0.0, -1.0),
            &mut load,
        );
        let mut q = mesh.reference().to_vec();
        let why = solve(&mut mesh, &mut q, &mut DeadLoad(load), &Search::default()).unwrap_err();
        assert!(matches!(why, FlexError::Unsupported { element: 0, .. }), "{why}");
    }
}

/// A load that no form can carry ends with an error that names an element, and leaves the last good form.
#[test]
fn hopeless_loads_end() {
    let (mut mesh, s) = sheet(FORM, default_material(), Order::REDUCED, |b, s| {
        (0..=1).for_each(|j| b.fix(s.node(0, j), Fix::All));
    });
    // St. Venant–Kirchhoff material softens under compression.
    let mut load = vec![0.0; mesh.coordinates()];
    for j in 0..2 {
        let tip = mesh.point(s.plate(1, 0), [1.0, j as f64, 0.0]);
        mesh.add_point_force(&tip, &Vec3::new(-280e3 * 0.005, 0.0, 0.0), &mut load);
    }
    let mut q = mesh.reference().to_vec();
    let why =
        solve(&mut mesh, &mut q, &mut DeadLoad(load), &Search { steps: 4, ..Search::default() }).unwrap_err();
    assert!(matches!(why, FlexError::Diverged { .. } | FlexError::Inverted { .. }), "{why}");
    assert!(mesh.check(&q).is_ok() && q.iter().all(|x| x.is_finite()));
}

/// A present form that is turned inside out is named.
#[test]
fn inverted_forms_are_named() {
    let (mesh, s) = sheet(FORM, default_material(), Order::REDUCED, |_, _| {});
    let mut q = mesh.reference().to_vec();
    assert!(mesh.check(&q).is_ok());
    // The thickness vector of the last node points down.
    let at = 12 * s.node(2, 1) + 11;
    q[at] = -1.0;
    assert!(matches!(mesh.check(&q), Err(FlexError::Inverted { element: 1, .. })));
    q[at] = f64::NAN;
    assert!(matches!(mesh.check(&q), Err(FlexError::Inverted { element: 1, .. })));
}

fn described() -> MeshDescription {
    let json = r#"{"material": [{"young_modulus_pa": 280e3, "density_kgpm3": 1500.0, "damping_time_s": 0.01}],
        "nodes_m": [[0,0,0],[1,0,0],[1,1,0],[0,1,0],[2,0,0],[2,1,0],[2,0.5,0]],
        "plate": [{"nodes": [0,1,2,3], "thickness_m": 0.01}, {"nodes": [1,4,5,2], "thickness_m": 0.01}],
        "tie": [{"to": 6, "nodes": [4, 5]}],
        "fix": [{"node": 6, "hold": "position"}]}"#;
    serde_json::from_str(json).unwrap()
}

/// A described mesh is the mesh that the builder makes.
#[test]
fn descriptions_become_meshes() {
    let mesh = described().build().unwrap();
    assert_eq!(mesh.coordinates(), 4 * 12 + 9);
    assert!((mesh.total_mass() - 1500.0 * 2.0 * 0.01).abs() < 1e-12);
    let mut bad = described();
    bad.tie[0].nodes.clear();
    assert_eq!(bad.build().unwrap_err(), FlexError::HubWithoutNodes { node: 6 });
    let mut bad = described();
    bad.plate[1].nodes[2] = 12;
    assert!(matches!(bad.build(), Err(FlexError::Unknown { element: 1, found: 12, .. })));
    let mut bad = described();
    bad.plate[0].nodes = [0, 0, 0, 0];
    assert!(matches!(bad.build(), Err(FlexError::NoExtent { element: 0, .. })));
}
