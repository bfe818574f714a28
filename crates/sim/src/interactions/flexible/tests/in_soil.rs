//! A flexible wheel that rolls in soil: derivatives, books, coordinates, restarts.

use super::*;
use touchdown_contact::soil::{
    BekkerWidth, FrictionLaw as Shear, PressureLaw, SoilOptions, SoilParameters, SoilShape, SoilSurface,
    StressLaw,
};
use touchdown_geometry::Relief;

/// A wheel on a block of 5 kg that sinks into loose soil, turning and moving on.
fn wheel_in_soil(integrator: Integrator, coordinates: NodalCoordinates, friction: Shear) -> WorldDescription {
    let mut description = wheel_on_ground(integrator, coordinates);
    let flexible = &mut description.flexible[0];
    let contact = flexible.contact.take().unwrap();
    description.mechanism.joints[0].rate = vec![0.1, 0.0, -0.05, 0.0, 0.8, 0.0];
    let soil = SoilParameters {
        law: PressureLaw::Bekker { cohesive: 2370.0, frictional: 60_300.0 },
        exponent: 0.63,
        cohesion: 188.0,
        friction_angle: 24.8_f64.to_radians(),
        elastic_stiffness: 1e8,
        damping: 1e4,
        shear_length: 0.025,
        compaction: 0.0,
    };
    let options = SoilOptions {
        width: BekkerWidth::Given(0.12),
        friction,
        interface_angle: None,
        stress: StressLaw::Bekker,
        deposition: true,
        erosion: true,
        spread_exponent: 2.0,
        move_every: 5,
        sweeps: 3,
    };
    let relief = Relief::Plane { height: 0.0, gradient: [0.0; 2] };
    let (soils, regions, heaps) = (vec![soil], vec![], vec![]);
    let ground = SoilGround { relief, spacing: 0.01, soils, regions, heaps, options };
    description.ground = Some(Ground::Soil(Box::new(ground)));
    let shape = SoilShape::Wheel { radius: 0.1425, width: 0.12, grousers: None };
    description.soil_bodies = vec![SoilBody {
        name: "wheel".into(),
        body: 0,
        X_BS: Pose::identity(),
        surface: SoilSurface { shape, carried_layer: 0.002, bedded: false },
        skin: Some(FlexSkin { flexible: 0, faces: contact.faces, cells: [23, 4] }),
    }];
    description
}

const COULOMB: Shear = Shear::Coulomb { speed: 0.02 };

/// Newton's method converges, although turning normals and moving ends are left out of its matrix: a dozen
/// corrections a step at most, few steps halved.
#[test]
fn newton_converges_in_soil() {
    let mut description = wheel_in_soil(fixed(1e-3, 0.9), NodalCoordinates::Plain, COULOMB);
    description.duration = 0.3;
    let world = run(&description);
    let (steps, work) = (world.state.steps as f64, world.state.evaluations as f64);
    assert!(work < 12.0 * steps && steps < 330.0, "{work} corrections in {steps} steps");
}

/// The energy ledger balances, soil is conserved, the wheel is carried, and a restored run continues with the
/// same bits; with both laws of friction and every method.
#[test]
fn wheels_in_soil_balance_and_resume() {
    let tolerant = Integrator::Explicit {
        step: StepControl::Adaptive { relative: 1e-6, absolute: 1e-8, longest: 2e-3 },
    };
    // Of second and first order; explicit steps end where the soil moves, between which the ledger is its
    // own.
    let methods = [
        (fixed(1e-3, 0.8), 0.2, 1e-3),
        (Integrator::Realtime { step: 1e-3 }, 0.2, 0.02),
        (tolerant, 0.03, 1e-3),
    ];
    for friction in [COULOMB, Shear::Janosi] {
        for (integrator, duration, bound) in methods {
            let mut description = wheel_in_soil(integrator, NodalCoordinates::Plain, friction);
            description.duration = duration;
            let world = run(&description);
            let residual = world.state.ledger.energy_residual_relative();
            assert!(residual < bound, "{friction:?} {integrator:?}: {residual:e}");
            let force = world.soil_forces()[0];
            assert!(force.nodes > 5 && force.wrench_C.f.z > 1.0, "{force:?}");
            assert_eq!(world.soil().unwrap().volume_error_relative(), 0.0);
            let mut first = Simulation::build(&description).unwrap();
            first.advance_steps(17).unwrap();
            let bytes = first.checkpoint();
            let mut second = Simulation::build(&description).unwrap();
            second.resume(&bytes).unwrap();
            second.advance_steps(u64::MAX).unwrap();
            assert_eq!(second.state.q, world.state.q, "{integrator:?}");
            assert!(second.soil().unwrap() == world.soil().unwrap(), "{integrator:?}");
        }
    }
}

/// Plain and Cholesky coordinates are the same motion.
#[test]
fn coordinates_do_not_matter_in_soil() {
    let ends = [NodalCoordinates::Plain, NodalCoordinates::Cholesky].map(|coordinates| {
        let mut description = wheel_in_soil(Integrator::Realtime { step: 1e-3 }, coordinates, COULOMB);
        description.duration = 0.1;
        run(&description).system.acts.flexible[0].e.clone()
    });
    for (a, b) in ends[0].iter().zip(&ends[1]) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
}
