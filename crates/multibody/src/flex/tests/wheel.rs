//! The airless wheel: mass, and its force–deflection curves on rigid ground.

use crate::flex::mesh::{Fix, FlexMesh, MeshBuilder, SurfacePoint};
use crate::flex::statics::{Loads, Search, solve};
use crate::flex::wheel::{WheelForm, default_material};
use touchdown_math::{Mat3, Vec3};

/// Ground below the wheel: points on the outer faces, each with a spring; no friction.
struct Ground {
    points: Vec<SurfacePoint>,
    stiffness: f64,
    /// Height of the ground at full load, and at none.
    height: [f64; 2],
    force: f64,
}

impl Loads for Ground {
    fn add(
        &mut self,
        load: f64,
        mesh: &FlexMesh,
        q: &[f64],
        force: &mut [f64],
        mut tangent: Option<&mut [f64]>,
    ) {
        let height = self.height[0] + load * (self.height[1] - self.height[0]);
        self.force = 0.0;
        let normal = Mat3::from_diagonal(&Vec3::new(0.0, 0.0, self.stiffness));
        for s in &self.points {
            let depth = height - mesh.point_position(&s.point, q).z;
            if depth > 0.0 {
                self.force += self.stiffness * depth;
                mesh.add_point_force(&s.point, &Vec3::new(0.0, 0.0, self.stiffness * depth), force);
                if let Some(values) = tangent.as_deref_mut() {
                    mesh.add_point_stiffness(&s.point, &normal, values);
                }
            }
        }
    }
}

/// Forces at the deflections, hub clamped.
fn curve(form: &WheelForm, young: f64, deflections: &[f64]) -> Vec<f64> {
    let mut builder = MeshBuilder::new();
    let mut material = default_material();
    material.young = young;
    let material = builder.material(material);
    let wheel = form.add_to(&mut builder, material, &Vec3::zeros()).unwrap();
    builder.fix(wheel.hub, Fix::All);
    let mut mesh = builder.build().unwrap();
    let points = wheel.rim.iter().flat_map(|e| mesh.surface(*e, 10, 0.5)).collect();
    let mut q = mesh.reference().to_vec();
    let mut ground = Ground { points, stiffness: 1000.0, height: [-form.radius; 2], force: 0.0 };
    let mut out = Vec::new();
    for d in deflections {
        ground.height = [ground.height[1], d - form.radius];
        solve(&mut mesh, &mut q, &mut ground, &Search { steps: 4, ..Search::default() }).unwrap();
        out.push(ground.force);
    }
    out
}

/// The default wheel has the mass of the rover's, and the mass of six wheels is six times that, in six parts.
#[test]
fn masses() {
    let (mesh, _) = WheelForm::default().mesh(&default_material()).unwrap();
    assert!((mesh.total_mass() - 4.442).abs() < 5e-4, "{}", mesh.total_mass());
    assert_eq!(mesh.coordinates(), 12 * 9);
    assert!(mesh.parts()[0].centre.norm() < 1e-15);
    let mut builder = MeshBuilder::new();
    let material = builder.material(default_material());
    for k in 0..6 {
        WheelForm::default().add_to(&mut builder, material, &Vec3::new(k as f64, 0.5, 0.0)).unwrap();
    }
    let six = builder.build().unwrap();
    assert_eq!(six.parts().len(), 6);
    for (k, part) in six.parts().iter().enumerate() {
        assert_eq!(part.coordinates, 108 * k..108 * (k + 1));
        assert!((part.mass - mesh.total_mass()).abs() < 1e-12);
        assert!((part.centre - Vec3::new(k as f64, 0.5, 0.0)).norm() < 1e-13);
    }
}

/// 198 N at 22 to 26 mm, with a spoke down and between two.
#[test]
fn carries_the_rover() {
    let depths = [0.012, 0.022, 0.024, 0.026];
    for orientation in [0.0, std::f64::consts::FRAC_PI_4] {
        let found = curve(&WheelForm { orientation, ..WheelForm::default() }, 280e3, &depths);
        assert!(found[1] < 198.0 && found[3] > 198.0, "{found:?}");
    }
}

/// A rim of 90° elements locks: refined, the wheel is far softer between its spokes, and a little where a spoke stands.
#[test]
fn coarse_rims_lock() {
    let at = |orientation, elements_per_quadrant| {
        let form = WheelForm { orientation, elements_per_quadrant, ..WheelForm::default() };
        curve(&form, 280e3, &[0.006, 0.012, 0.018, 0.024])[3]
    };
    let quarter = std::f64::consts::FRAC_PI_4;
    let between = [1, 2, 4].map(|n| at(quarter, n));
    assert!(between[0] > 2.0 * between[1] && between[1] > 2.0 * between[2], "{between:?}");
    let down = [1, 2, 4].map(|n| at(0.0, n));
    assert!(down[0] > down[1] && down[1] > down[2] && down[2] > 0.8 * down[0], "{down:?}");
}

/// With the printed 28 kPa the wheel carries about a tenth of the rover's load.
#[test]
fn literal_modulus_is_too_soft() {
    for orientation in [0.0, std::f64::consts::FRAC_PI_4] {
        let form = WheelForm { orientation, ..WheelForm::default() };
        let force = curve(&form, 28e3, &[0.012, 0.024])[1];
        assert!(force > 0.08 * 198.0 && force < 0.15 * 198.0, "{force}");
    }
}
