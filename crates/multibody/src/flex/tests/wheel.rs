//! The airless wheel: mass, and its force–deflection curves on rigid ground.

use crate::flex::FlexError;
use crate::flex::branch::Loss;
use crate::flex::material::{Damping, Material};
use crate::flex::mesh::MeshBuilder;
use crate::flex::modes::lowest;
use crate::flex::press::{Curve, Follow, Press, Pressed, PressedWheel};
use crate::flex::quadrature::Order;
use crate::flex::wheel::{WheelForm, default_material};
use touchdown_math::Vec3;

fn press(form: &WheelForm, young: f64) -> Press {
    let mut material = default_material();
    material.young = young;
    Press {
        wheel: PressedWheel::Form(*form, material),
        order: Order::EXACT,
        points: [10; 2],
        stiffness: 3.786e6,
        follow: Follow::Stable,
    }
}

/// Forces at the deflections, hub clamped.
fn curve(form: &WheelForm, young: f64, deflections: &[f64]) -> Vec<f64> {
    let curve = press(form, young).curve(deflections).unwrap();
    assert_eq!(curve.ended, None);
    // Balance: the largest force that is not in equilibrium, against the force on the ground.
    assert!(curve.points.iter().all(|p| p.found.residual < 1e-8 * p.force.max(1.0)), "{curve:?}");
    let hub = |p: &Pressed| (p.hub_force - Vec3::new(0.0, 0.0, p.force)).norm();
    assert!(curve.points.iter().all(|p| hub(p) < 1e-7 * p.force.max(1.0)), "{curve:?}");
    curve.points.iter().map(|p| p.force).collect()
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

/// A rim of 90° elements locks: refined, the wheel is far softer between its spokes, and a little where a
/// spoke stands and does not buckle.
#[test]
fn coarse_rims_lock() {
    let at = |orientation, elements_per_quadrant| {
        let form = WheelForm { orientation, elements_per_quadrant, ..WheelForm::default() };
        let rig = Press { follow: Follow::Primary, ..press(&form, 280e3) };
        rig.curve(&[0.006, 0.012, 0.018, 0.024]).unwrap().points[3].force
    };
    let quarter = std::f64::consts::FRAC_PI_4;
    let between = [1, 2, 4].map(|n| at(quarter, n));
    assert!(between[0] > 2.0 * between[1] && between[1] > 2.0 * between[2], "{between:?}");
    let down = [1, 2, 4].map(|n| at(0.0, n));
    assert!(down[0] > down[1] && down[1] > down[2] && down[2] > 0.75 * down[0], "{down:?}");
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

/// The work done by the ground is the energy in the wheel and in the springs of the contact points.
#[test]
fn work_becomes_energy() {
    let deflections: Vec<f64> = (0..=240).map(|k| 1e-4 * f64::from(k)).collect();
    let curve = press(&WheelForm::default(), 280e3).curve(&deflections).unwrap();
    let piece = |p: &[Pressed]| 0.5 * (p[0].force + p[1].force) * (p[1].deflection - p[0].deflection);
    let work: f64 = curve.points.windows(2).map(piece).sum();
    let last = curve.points.last().unwrap();
    // The trapezoidal rule is off by h²/12 times the change of the slope, 1e-8/12 · 1e4 N/m: a few 1e-6 J of
    // 2.6 J.
    assert!((last.found.energy + last.contact_energy - work).abs() < 1e-5 * work, "{last:?} {work}");
}

/// A curve that cannot continue keeps its results, and gives the reason for its end.
#[test]
fn curves_end_with_a_reason() {
    let mut rig = press(&WheelForm::default(), 28e3);
    // Stiff ground through the hub turns the rim inside out.
    rig.stiffness = 3.786e9;
    let curve = rig.curve(&[0.005, 0.3]).unwrap();
    assert_eq!(curve.points.len(), 1);
    assert!(
        matches!(curve.ended, Some(FlexError::Inverted { .. } | FlexError::Diverged { .. })),
        "{:?}",
        curve.ended
    );
}

/// A floating wheel has six rigid motions and no other free one; held at its hub it sways alike along x and
/// z, at about 11 Hz: between the two, Kelvin–Voigt damping can be chosen.
#[test]
fn natural_modes() {
    let (floating, _) = WheelForm::default().mesh(&default_material()).unwrap();
    let modes = lowest(&floating, floating.reference(), 8).unwrap();
    assert!(modes[..6].iter().all(|m| m.square.abs() < 1e-9 * modes[6].square) && modes[6].frequency > 10.0);
    let mut rig = press(&WheelForm::default(), 280e3);
    let sway = |rig: &Press| {
        let held = rig.held().unwrap().mesh;
        let mut modes = lowest(&held, held.reference(), 4).unwrap();
        assert!((modes[1].frequency / modes[2].frequency - 1.0).abs() < 1e-9);
        (held, modes.swap_remove(1))
    };
    let (_, mode) = sway(&rig);
    assert!(mode.frequency > 9.0 && mode.frequency < 13.0);
    let material = Material { damping: Damping::of_mode(0.03, mode.frequency), ..default_material() };
    rig.wheel = PressedWheel::Form(WheelForm::default(), material);
    let (held, mode) = sway(&rig);
    let heat = held.forces(held.reference(), &mode.shape, &mut vec![0.0; held.coordinates()]).dissipated;
    let omega = mode.square.sqrt();
    assert!((heat / (2.0 * omega) - 0.03).abs() < 1e-6, "{}", heat / (2.0 * omega));
}

/// A wheel that hardly yields displaces a segment of a circle from the ground, whatever its mesh and points:
/// F = k·w·∫(δ − R(1 − cos θ))·R dθ.
#[test]
fn finer_meshes_press_on_the_same_ground() {
    let depth = 0.01;
    for (elements_per_quadrant, points) in [(8, [10, 2]), (12, [10, 4]), (12, [20, 1])] {
        let form = WheelForm { elements_per_quadrant, ..WheelForm::default() };
        let rig = Press { points, ..press(&form, 280e9) };
        let curve = rig.curve(&[0.0, depth]).unwrap();
        let (R, end) = (form.radius, (1.0 - depth / form.radius).acos());
        let area = 2.0 * R * ((depth - R) * end + R * end.sin());
        let force = rig.stiffness * form.width * area;
        // Midway between nodes the rim is thinner by t/2·(1 − cos(Δ/2)), 0.06 mm with eight elements per
        // quadrant: 0.6 % of the force.
        assert!(
            (curve.points[1].force / force - 1.0).abs() < 0.01,
            "{points:?}: {} {force}",
            curve.points[1].force
        );
    }
}

/// A wheel that stands on a spoke buckles, the earlier the finer its mesh; rotated by 0.2° it bends from the
/// start, to the same stable form. The branch that begins without load continues, unstable and far too stiff.
#[test]
fn presses_follow_the_stable_branch() {
    let depths: Vec<f64> = (0..=12).map(|k| 0.002 * f64::from(k)).collect();
    for (spokes, thickness, young) in [(4, 0.02632, 280e3), (16, 0.004, 20e6)] {
        let at = |degrees: f64, follow| {
            let (rim_thickness, spoke_thickness) = (thickness, thickness);
            let orientation = degrees.to_radians();
            let wheel = WheelForm::default();
            let form = WheelForm {
                elements_per_quadrant: 4,
                spokes,
                rim_thickness,
                spoke_thickness,
                orientation,
                ..wheel
            };
            Press { follow, ..press(&form, young) }.curve(&depths).unwrap()
        };
        let end = |curve: &Curve| curve.points.last().unwrap().force;
        let (straight, turned) = (at(0.0, Follow::Stable), at(0.2, Follow::Stable));
        assert!((end(&straight) / end(&turned) - 1.0).abs() < 0.02, "{} {}", end(&straight), end(&turned));
        for curve in [&straight, &turned] {
            assert!(curve.ended.is_none() && curve.points.iter().all(|p| p.negative == 0));
        }
        // Turned, nothing is symmetric, and no branch crosses another.
        assert_eq!(turned.lost, None);
        let lost = straight.lost.unwrap();
        assert!(
            lost.by == Loss::Bifurcation && lost.deflection > 0.004 && lost.deflection < 0.014,
            "{lost:?}"
        );
        let primary = at(0.0, Follow::Primary);
        assert_eq!(primary.lost, straight.lost);
        assert!(end(&primary) > 1.5 * end(&straight));
        // Before it buckles the two are one, after it the first branch is unstable.
        for (p, s) in primary.points.iter().zip(&straight.points) {
            if p.deflection < lost.deflection {
                assert_eq!((p.negative, p.force), (0, s.force));
            } else {
                assert!(p.negative > 0 && p.force > s.force);
            }
        }
    }
}
