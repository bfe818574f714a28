//! Flexible bodies in the loop (in soil: `in_soil`): derivatives of the whole, energy, momentum, coordinates,
//! the rigid limit, rest on the ground.

mod in_soil;

use crate::Simulation;
use crate::description::*;
use crate::engine::integrable::InLoop;
use touchdown_contact::surface::{FrictionLaw, NormalLaw, SurfaceLaw};
use touchdown_math::{Mat3, Pose, Vec3, rotation};
use touchdown_multibody::description::{Body, Gravity, Joint, JointKind, Mechanism};
use touchdown_multibody::flex::material::{Damping, Material};
use touchdown_multibody::flex::mesh::{FlexMesh, MeshBuilder};
use touchdown_multibody::flex::sheet::SheetForm;
use touchdown_multibody::flex::wheel::{WheelForm, default_material};
use touchdown_solve::linear::Coupled;
use touchdown_solve::{Mechanical, NewtonWeights, Point};

fn world_of(
    mechanism: Mechanism,
    flexible: Vec<Flexible>,
    integrator: Integrator,
    duration: f64,
) -> WorldDescription {
    WorldDescription {
        mechanism,
        flexible,
        integrator,
        duration,
        record: RecordOptions {
            series_every: duration,
            frames_every: duration,
            checkpoint_every: 1e6,
            reactions: false,
        },
        ..WorldDescription::default()
    }
}

fn sheet(length: f64, thickness: f64, n: usize, material: Material) -> FlexMesh {
    let mut builder = MeshBuilder::new();
    let material = builder.material(material);
    let form = SheetForm { length, width: length, thickness, elements: [n, n] };
    form.add_to(&mut builder, material).unwrap();
    builder.build().unwrap()
}

fn free(name: &str, mesh: FlexMesh) -> Flexible {
    Flexible {
        shape: None,
        name: name.into(),
        mesh,
        X_WM: Pose::identity(),
        velocity: Vec3::zeros(),
        spin: Vec3::zeros(),
        carrier: None,
        coordinates: NodalCoordinates::Plain,
        contact: None,
        wheel: None,
        points: vec![],
    }
}

fn body(mass: f64, kind: JointKind, position: Vec<f64>, rate: Vec<f64>) -> Mechanism {
    let inertia = Mat3::from_diagonal(&Vec3::new(0.02, 0.03, 0.04)) * mass;
    Mechanism {
        gravity: Gravity::Uniform(Vec3::zeros()),
        bodies: vec![Body { name: "block".into(), mass, com: Vec3::new(0.02, -0.01, 0.03), inertia }],
        joints: vec![Joint {
            name: "joint".into(),
            kind,
            parent: None,
            child: 0,
            X_PF: Pose::identity(),
            X_BM: Pose::identity(),
            position,
            rate,
            held_in_assembly: false,
        }],
        ..Mechanism::default()
    }
}

fn fixed(h: f64, spectral_radius: f64) -> Integrator {
    Integrator::Implicit { step: StepControl::Fixed(h), spectral_radius }
}

fn tight() -> Integrator {
    let step = StepControl::Adaptive { relative: 1e-11, absolute: 1e-12, longest: 1.0 };
    Integrator::Explicit { step }
}

fn rubber() -> Material {
    Material { damping: Damping::None, ..Material::elastic(1e5, 0.3, 7810.0) }
}

/// A plate on a block that flies and spins; the plate's first edge is tied to it.
fn plate_on_block(integrator: Integrator, coordinates: NodalCoordinates) -> WorldDescription {
    let rate = vec![0.3, -0.2, 0.1, 1.0, 2.0, -1.5];
    let mechanism = body(2.0, JointKind::Free, vec![0.1, 0.2, 0.5, 1.0, 0.0, 0.0, 0.0], rate);
    let mesh = sheet(0.3, 0.01, 2, rubber());
    let X_BM =
        Pose { R: rotation::turned(&Mat3::identity(), &Vec3::x(), 0.3), p: Vec3::new(0.05, -0.1, 0.0) };
    let mut flexible = free("plate", mesh);
    // Nodes of the edge at x = 0 are the first three.
    flexible.carrier = Some(FlexCarrier { body: 0, X_BM, nodes: vec![0, 1, 2], gradients: true });
    flexible.coordinates = coordinates;
    world_of(mechanism, vec![flexible], integrator, 0.2)
}

fn run(description: &WorldDescription) -> Simulation {
    let mut world = Simulation::build(description).unwrap();
    world.advance_steps(u64::MAX).unwrap();
    world
}

fn entry(world: &Simulation, name: &str) -> f64 {
    world.state.ledger.entries().iter().find(|e| e.name == name).unwrap().value
}

/// A wheel with friction on a plane, on a block that presses it down; turned and moving.
fn wheel_on_ground(integrator: Integrator, coordinates: NodalCoordinates) -> WorldDescription {
    let mut material = default_material();
    material.damping = Damping::KelvinVoigt { time: 2e-3 };
    let (mesh, wheel) = WheelForm::default().mesh(&material).unwrap();
    let mechanism = body(
        5.0,
        JointKind::Free,
        vec![0.1, 0.2, 0.1426, 1.0, 0.0, 0.0, 0.0],
        vec![0.1, 0.0, -0.05, 0.0, 0.7, 0.0],
    );
    let mut flexible = free("wheel", mesh);
    flexible.carrier =
        Some(FlexCarrier { body: 0, X_BM: Pose::identity(), nodes: vec![wheel.hub], gradients: true });
    flexible.coordinates = coordinates;
    let law = SurfaceLaw {
        normal: NormalLaw::Linear { stiffness: 3.786e6, damping: 3.786e5 },
        friction: FrictionLaw::StickSlip {
            stick: 0.6,
            slip: 0.6,
            speed: 0.1,
            stiffness: 3.786e6,
            damping: 7.57e4,
        },
    };
    let faces = wheel.rim.iter().map(|e| (*e, 0.5)).collect();
    flexible.contact = Some(FlexContactDescription { faces, points: [10; 2], law });
    let mut description = world_of(mechanism, vec![flexible], integrator, 0.5);
    description.mechanism.gravity = Gravity::Uniform(Vec3::new(0.0, 0.0, -3.71));
    description.ground = Some(Ground::Plane { point: Vec3::zeros(), normal: Vec3::z() });
    description
}

/// The Newton matrix is the derivative of the residual along every direction: rigid rows, flexible rows and
/// what couples them.
#[test]
fn newton_matrices_are_derivatives() {
    for coordinates in [NodalCoordinates::Plain, NodalCoordinates::Cholesky] {
        for description in
            [plate_on_block(fixed(1e-3, 0.9), coordinates), wheel_on_ground(fixed(1e-3, 0.9), coordinates)]
        {
            check_newton(&description);
        }
    }
}

fn check_newton(description: &WorldDescription) {
    let mut world = Simulation::build(description).unwrap();
    world.advance_steps(20).unwrap();
    let (q, v, z) = (world.state.q.clone(), world.state.v.clone(), world.state.z.clone());
    let system = &mut InLoop { system: &mut world.system, held: &world.state.held };
    let n = system.system.nv();
    let a: Vec<f64> = (0..n).map(|k| (k as f64).sin()).collect();
    let h = 1e-3;
    let w = NewtonWeights { a: 1.0, v: h, q: h * h };
    let residual = |system: &mut InLoop, direction: &[f64], size: f64| {
        let along = |x: &[f64], w: f64| -> Vec<f64> {
            x.iter().zip(direction).map(|(x, d)| x + size * w * d).collect()
        };
        let step: Vec<f64> = direction.iter().map(|d| size * w.q * d).collect();
        let mut q_moved = q.clone();
        system.add_step(&q, &step, &mut q_moved);
        let (v, a) = (along(&v, w.v), along(&a, w.a));
        let mut r = vec![0.0; n];
        let at = Point { t: 0.0, q: &q_moved, v: &v, a: &a, lambda: &[], z_base: &z, h_z: h };
        system.residual(&at, &mut r, &mut []).unwrap();
        r
    };
    let mut newton = Coupled::new(n, 0, None, system.blocks());
    let at = Point { t: 0.0, q: &q, v: &v, a: &a, lambda: &[], z_base: &z, h_z: h };
    system.tangent(&at, w, newton.matrix_mut()).unwrap();
    newton.factor().unwrap();
    for case in 0..6 {
        // The solution of T·x = T·d must be d; T·d by central differences.
        let direction: Vec<f64> = (0..n).map(|k| ((k * (case + 3) + case) as f64).sin() * 50.0).collect();
        let size = 1e-3;
        let (after, before) = (residual(system, &direction, size), residual(system, &direction, -size));
        let mut x: Vec<f64> = after.iter().zip(&before).map(|(a, b)| (a - b) / (2.0 * size)).collect();
        newton.solve(&mut x, &mut []);
        let worst = x.iter().zip(&direction).map(|(x, d)| (x - d).abs()).fold(0.0, f64::max);
        // Left out: rates of the carrier's axes by its pose, of the order h·ω of the damping.
        assert!(worst < 0.05, "case {case}: {worst}");
    }
}

/// A free elastic plate thrown with a spin keeps its energy and its momenta: `implicit` at 1 ms to 1e-6 over
/// 2 s, `explicit` to 1e-9.
#[test]
fn free_plates_keep_energy_and_momentum() {
    for (integrator, duration, energy, momentum) in
        [(fixed(1e-3, 1.0), 2.0, 1e-6, 1e-9), (tight(), 0.3, 1e-9, 1e-9)]
    {
        let mut plate = free("plate", sheet(0.3, 0.01, 2, rubber()));
        (plate.velocity, plate.spin) = (Vec3::new(0.1, 0.2, 0.3), Vec3::new(0.5, -0.3, 1.0));
        let world = run(&world_of(Mechanism::default(), vec![plate], integrator, duration));
        let drift = world.state.ledger.energy_drift_relative();
        let (p, l) =
            (entry(&world, "momentum_change_max_n_s"), entry(&world, "angular_momentum_change_max_n_m_s"));
        assert!(drift < energy, "{integrator:?}: {drift:e}");
        assert!(p < momentum && l < 1e3 * momentum, "{integrator:?}: {p:e} {l:e}");
    }
}

/// A block with a plate tied to it: energy and both momenta of the two together are kept.
#[test]
fn carried_plates_keep_energy_and_momentum() {
    let world = run(&plate_on_block(tight(), NodalCoordinates::Plain));
    let drift = world.state.ledger.energy_drift_relative();
    let (p, l) =
        (entry(&world, "momentum_change_max_n_s"), entry(&world, "angular_momentum_change_max_n_m_s"));
    assert!(drift < 1e-9 && p < 1e-10 && l < 1e-10, "{drift:e} {p:e} {l:e}");
    // 2 kg and 0.3² · 0.01 · 7810.
    assert!((world.total_mass() - 2.0 - 0.09 * 78.1).abs() < 1e-9);
}

/// Plain and Cholesky coordinates are the same motion, with every method.
#[test]
fn coordinates_do_not_matter() {
    for integrator in [tight(), fixed(1e-3, 0.9), Integrator::Realtime { step: 1e-3 }] {
        let ends = [NodalCoordinates::Plain, NodalCoordinates::Cholesky].map(|c| {
            let world = run(&plate_on_block(integrator, c));
            (world.state.q[..7].to_vec(), world.system.acts.flexible[0].e.clone())
        });
        for (a, b) in ends[0].0.iter().zip(&ends[1].0).chain(ends[0].1.iter().zip(&ends[1].1)) {
            assert!((a - b).abs() < 1e-9, "{integrator:?}: {a} {b}");
        }
    }
}

/// The methods agree: `implicit` converges to `explicit` with the square of the step, also for a wheel that
/// rolls with friction.
#[test]
fn implicit_converges_to_explicit() {
    let end = |integrator| run(&plate_on_block(integrator, NodalCoordinates::Plain)).state.q[..7].to_vec();
    let exact = end(tight());
    let error = |h: f64| {
        let q = end(fixed(h, 0.9));
        q.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(1e-3), error(5e-4));
    assert!((3.0..5.5).contains(&(coarse / fine)), "{coarse:e} {fine:e}");
}

/// A stiff plate on a hinge swings as the rigid body that it is: period of a uniform plate about its edge.
#[test]
fn stiff_plates_are_rigid() {
    let mut mechanism = body(1e-6, JointKind::Revolute { axis: Vec3::y() }, vec![0.4], vec![0.0]);
    mechanism.bodies[0].com = Vec3::zeros();
    mechanism.gravity = Gravity::Uniform(Vec3::new(0.0, 0.0, -9.81));
    let mut plate = free("plate", sheet(0.3, 0.05, 1, Material::elastic(2e9, 0.0, 1000.0)));
    // Hangs down from the hinge: its x axis along −z.
    let X_BM = Pose {
        R: rotation::turned(&Mat3::identity(), &Vec3::y(), std::f64::consts::FRAC_PI_2),
        p: Vec3::new(0.0, -0.15, 0.0),
    };
    plate.carrier = Some(FlexCarrier { body: 0, X_BM, nodes: vec![0, 1], gradients: true });
    let world = run(&world_of(mechanism, vec![plate], fixed(5e-4, 0.8), 1.0));
    // θ̈ = −(m g L/2)/(m (L²/3 + t²/12)) sin θ, by the classical fourth-order method.
    let (length, t) = (0.3, 0.05);
    let rate = |th: f64| -9.81 * 0.5 * length / (length * length / 3.0 + t * t / 12.0) * f64::sin(th);
    let (mut th, mut w, h) = (0.4, 0.0, 1e-4);
    for _ in 0..10_000 {
        let k1 = (w, rate(th));
        let k2 = (w + 0.5 * h * k1.1, rate(th + 0.5 * h * k1.0));
        let k3 = (w + 0.5 * h * k2.1, rate(th + 0.5 * h * k2.0));
        let k4 = (w + h * k3.1, rate(th + h * k3.0));
        th += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
        w += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
    }
    // First mode near 300 Hz, swing near 1 Hz: stretch and bending of the order of the ratio squared.
    assert!((world.state.q[0] - th).abs() < 2e-4, "{} {th}", world.state.q[0]);
}

/// A wheel dropped on the ground: the energy ledger balances with contact, friction and damping, and a
/// restored run continues with the same bits.
#[test]
fn wheels_on_the_ground_balance_and_resume() {
    // Of second and of first order, with points whose damping begins with a jump.
    for (integrator, bound) in [(fixed(5e-4, 0.8), 2e-3), (Integrator::Realtime { step: 2e-4 }, 0.02)] {
        let description = wheel_on_ground(integrator, NodalCoordinates::Plain);
        let world = run(&description);
        let residual = world.state.ledger.energy_residual_relative();
        assert!(residual < bound, "{integrator:?}: {residual:e}");
        let sum = world.system.acts.flexible[0].ground_force();
        assert!(sum.points > 0, "{sum:?}");
        let mut first = Simulation::build(&description).unwrap();
        first.advance_steps(200).unwrap();
        let bytes = first.checkpoint();
        let mut second = Simulation::build(&description).unwrap();
        second.resume(&bytes).unwrap();
        second.advance_steps(u64::MAX).unwrap();
        assert_eq!(second.state.q, world.state.q, "{integrator:?}");
    }
}
