//! The study in the loop, with a machine whose slip on every slope is known: a sledge on a rail, pushed by a
//! speed control that yields to gravity, with a wheel that turns freely at a constant rate.
//!
//! Steady state: k·(v₀ − v) = m·g·sin θ; with v₀ = ω·r the slip is 1 − v/v₀ = m·g·sin θ/(k·v₀).

use crate::Simulation;
use crate::description::*;
use crate::engine::method::StepFailure;
use crate::sink::{Frame, Outcome, Progress, Sink, SinkError};
use touchdown_contact::soil::*;
use touchdown_geometry::Relief;
use touchdown_math::{Elementary, Mat3, Pose, Signal, Vec3};
use touchdown_multibody::description::*;

const G: f64 = 3.71;
const MASS: f64 = 10.0;
const RADIUS: f64 = 0.125;
/// Rim speed, m/s.
const SPEED: f64 = 0.1;
/// m·g/(k·v₀): slip over the sine of the slope.
const SLIP_PER_SINE: f64 = 2.0;

fn body(name: &str, mass: f64, inertia: f64) -> Body {
    Body { name: name.into(), mass, com: Vec3::zeros(), inertia: Mat3::from_diagonal_element(inertia) }
}

fn joint(name: &str, kind: JointKind, parent: Option<usize>, child: usize, rate: f64) -> Joint {
    let (X_PF, X_BM) = (Pose::identity(), Pose::identity());
    let (position, rate) = (vec![0.0], vec![rate]);
    Joint { name: name.into(), kind, parent, child, X_PF, X_BM, position, rate, held_in_assembly: false }
}

fn drive(name: &str, joint: usize, speed: f64, gain: f64) -> Drive {
    let command = Command::Speed { target: Signal::Constant(speed), gain, limit: f64::INFINITY };
    Drive {
        name: name.into(),
        axis: JointAxis { joint, axis: 0 },
        kind: DriveKind::Follow(command),
        active_from: 0.0,
    }
}

/// The ground is far below: nothing touches it.
fn ground() -> Ground {
    let soil = SoilParameters {
        law: PressureLaw::Bekker { cohesive: 2370.0, frictional: 60_300.0 },
        exponent: 0.63,
        cohesion: 188.0,
        friction_angle: 0.43,
        elastic_stiffness: 4e7,
        damping: 0.0,
        shear_length: 0.01,
        compaction: 0.0,
    };
    let options = SoilOptions {
        width: BekkerWidth::Given(0.1),
        friction: FrictionLaw::Coulomb { speed: 0.01 },
        interface_angle: None,
        stress: StressLaw::Bekker,
        deposition: false,
        erosion: false,
        spread_exponent: 1.0,
        move_every: 1,
        sweeps: 1,
    };
    Ground::Soil(Box::new(SoilGround {
        relief: Relief::Plane { height: -100.0, gradient: [0.0; 2] },
        spacing: 0.01,
        soils: vec![soil],
        regions: vec![],
        heaps: vec![],
        options,
    }))
}

fn sledge(slopes: &[f64], integrator: Integrator) -> WorldDescription {
    let mechanism = Mechanism {
        gravity: Gravity::Uniform(Vec3::z() * -G),
        bodies: vec![body("sledge", MASS - 1.0, 1.0), body("wheel", 1.0, 0.01)],
        joints: vec![
            joint("rail", JointKind::Prismatic { axis: Vec3::x() }, None, 0, SPEED),
            joint("axle", JointKind::Revolute { axis: Vec3::y() }, Some(0), 1, SPEED / RADIUS),
        ],
        drives: vec![
            drive("push", 0, SPEED, MASS * G / (SLIP_PER_SINE * SPEED)),
            drive("spin", 1, SPEED / RADIUS, 1.0),
        ],
        ..Default::default()
    };
    let shape = SoilShape::Wheel { radius: RADIUS, width: 0.1, grousers: None };
    WorldDescription {
        mechanism,
        ground: Some(ground()),
        soil_bodies: vec![SoilBody {
            name: "wheel".into(),
            body: 1,
            X_BS: Pose::identity(),
            surface: SoilSurface { shape, carried_layer: 0.0, bedded: false },
            skin: None,
        }],
        vehicles: vec![Vehicle { name: "sledge".into(), body: 0, wheels: vec![0] }],
        integrator,
        duration: 1000.0,
        record: RecordOptions {
            series_every: 0.1,
            frames_every: 10.0,
            checkpoint_every: 0.01,
            reactions: false,
        },
        study: Some(Study::Gradability(Gradability {
            vehicle: 0,
            slopes: slopes.iter().map(|s| s.to_radians()).collect(),
            distance: 1.0,
            slip_limit: 0.8,
            time_limit: 100.0,
            turn_time: 4.0,
            traverse: None,
        })),
        ..WorldDescription::default()
    }
}

const EXPLICIT: Integrator =
    Integrator::Explicit { step: StepControl::Adaptive { relative: 1e-9, absolute: 1e-9, longest: 0.1 } };
const IMPLICIT: Integrator = Integrator::Implicit { step: StepControl::Fixed(5e-3), spectral_radius: 0.9 };
const REALTIME: Integrator = Integrator::Realtime { step: 1e-3 };

/// Keeps rows; at every row whose number is in `stops` it waits, so that a checkpoint falls due.
#[derive(Default)]
struct Memory {
    rows: Vec<Vec<u64>>,
    stops: Vec<usize>,
    checkpoints: Vec<(Vec<u8>, usize)>,
}

impl Sink for Memory {
    fn series(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.rows.push(row.iter().map(|x| x.to_bits()).collect());
        if self.stops.contains(&self.rows.len()) {
            std::thread::sleep(std::time::Duration::from_millis(11));
        }
        Ok(())
    }

    fn frame(&mut self, _: &Frame) -> Result<(), SinkError> {
        Ok(())
    }

    fn checkpoint(&mut self, state: &[u8], rows: u64, _: u64) -> Result<(), SinkError> {
        self.checkpoints.push((state.to_vec(), rows as usize));
        Ok(())
    }

    fn progress(&mut self, _: Progress) {}
}

fn run(description: &WorldDescription, memory: &mut Memory) -> (Simulation, Outcome) {
    let mut world = Simulation::build(description).unwrap_or_else(|e| panic!("{e:?}"));
    let outcome = world.run(memory).unwrap_or_else(|e| panic!("{e}"));
    (world, outcome)
}

fn value(outcome: &Outcome, name: &str) -> f64 {
    let found = outcome.quantities.iter().find(|q| q.name == name);
    found.unwrap_or_else(|| panic!("{name}")).value
}

#[test]
fn slip_and_power_on_every_slope_follow_from_statics() {
    // Slip 2·sin θ: 10, 20 and 23° are climbed, 24° has 0.813 and is given up. The wheel's drive pushes
    // nothing.
    let slopes = [10.0, 20.0, 23.0, 24.0, 30.0];
    let mut memory = Memory::default();
    let (world, outcome) = run(&sledge(&slopes, EXPLICIT), &mut memory);
    assert!(outcome.finished && outcome.warnings.is_empty(), "{outcome:?}");
    assert_eq!(outcome.quantities[0].name, "gradability_deg");
    assert!((value(&outcome, "gradability_deg") - 23.0).abs() < 1e-12);
    for (k, slope) in slopes.iter().enumerate().take(4) {
        let expected = SLIP_PER_SINE * slope.to_radians().sine();
        let slip = value(&outcome, &format!("slope_{}_slip", k + 1));
        // The machine lags behind gravity by m/k = 54 ms, within which a turn that ends smoothly moves by
        // (0.054/4)³.
        assert!((slip - expected).abs() < 1e-4, "slope {slope}: {slip} {expected}");
        assert!(value(&outcome, &format!("slope_{}_power_w", k + 1)).abs() < 1e-9);
    }
    assert!(value(&outcome, "slope_5_slip").is_nan());
    // Columns: the slope of gravity at the end, and the vehicle's tilt, which is the same on a rail.
    let end = |name: &str| {
        let k = world.columns().iter().position(|c| c.name == name).unwrap_or_else(|| panic!("{name}"));
        f64::from_bits(memory.rows[memory.rows.len() - 1][k])
    };
    assert!((end("gravity.slope_rad") - 24f64.to_radians()).abs() < 1e-12);
    assert!((end("vehicle.sledge.tilt_rad") - 24f64.to_radians()).abs() < 1e-12);
    let slip = SLIP_PER_SINE * 24f64.to_radians().sine();
    assert!((end("vehicle.sledge.slip_drive") - slip).abs() < 1e-6);
    assert!((end("soil.wheel.slip_drive") - slip).abs() < 1e-6);
    assert!((end("vehicle.sledge.speed_m_per_s") - SPEED * (1.0 - slip)).abs() < 1e-6);
    assert!((end("vehicle.sledge.climb_m") - end("body.sledge.x_m")).abs() < 1e-12);
}

#[test]
fn energy_balances_while_gravity_turns() {
    // Turning gravity does work on what lies away from the origin, half of all that is exchanged here.
    // Explicit counts it to its tolerance of 1e-9 over some ten times the machine's time constant; the
    // trapezoidal rule of implicit to h²/12 of the second derivative of its power, 60/T² or less: 8e-6;
    // realtime, of first order, to h/T or less: 2.5e-4.
    for (integrator, bound) in [(EXPLICIT, 1e-8), (IMPLICIT, 8e-6), (REALTIME, 2.5e-4)] {
        let (world, outcome) = run(&sledge(&[10.0, 20.0], integrator), &mut Memory::default());
        assert!(outcome.finished);
        let residual = value(&outcome, "energy_residual_relative");
        assert!(residual < bound, "{integrator:?}: {residual:.2e}");
        // The energy ledger balances over a potential that was climbed: m·g·(x·sin θ) at the end, and as much
        // was fed in.
        let climbed = world.state().q[0] * 20f64.to_radians().sine();
        let entry =
            outcome.ledger.iter().find(|e| e.name == "potential_change_j").map_or(f64::NAN, |e| e.value);
        assert!((entry - MASS * G * climbed).abs() < 1e-9, "{entry}");
    }
}

#[test]
fn a_stopped_study_goes_on_with_the_same_bits() {
    // From checkpoints during turns and on slopes: the same rows and the same answers.
    for integrator in [EXPLICIT, IMPLICIT] {
        let description = sledge(&[5.0, 15.0, 24.0], integrator);
        let mut straight = Memory { stops: vec![20, 60, 170, 200, 300], ..Memory::default() };
        let (_, outcome) = run(&description, &mut straight);
        assert!(straight.checkpoints.len() >= 5, "{}", straight.checkpoints.len());
        for (state, rows) in &straight.checkpoints {
            let mut world = Simulation::build(&description).unwrap_or_else(|e| panic!("{e:?}"));
            assert_eq!(world.resume(state), Ok(()));
            let mut rest = Memory::default();
            let again = world.run(&mut rest).unwrap_or_else(|e| panic!("{e}"));
            assert!(rest.rows[..] == straight.rows[*rows..], "{integrator:?}: rows after {rows}");
            assert_eq!(format!("{again:?}"), format!("{outcome:?}"));
        }
    }
}

#[test]
fn a_vehicle_that_falls_over_ends_the_run_with_its_reason() {
    // Gravity that leans by more than 80° is a vehicle on its back; what was found up to there stays.
    let mut memory = Memory::default();
    let (_, outcome) = run(&sledge(&[10.0, 85.0], EXPLICIT), &mut memory);
    assert!(!outcome.finished && !memory.rows.is_empty());
    let reason = outcome.stopped_because.clone().unwrap_or_default();
    assert!(reason.contains("\"sledge\" has fallen over") && reason.contains("t = "), "{reason}");
    assert_eq!(value(&outcome, "slope_1_climbed"), 1.0);
    assert!(value(&outcome, "gradability_deg").is_nan());
    assert!(outcome.warnings.iter().any(|w| w.contains("slope 2 of 2") && w.contains("10.00 deg")));
}

#[test]
fn reasons_teach() {
    // Where it happened and what to do about it.
    let off = StepFailure::OffMap { body: "front_left".into(), x: 1.25, y: -3.0 }.to_string();
    let hole = StepFailure::Hole { body: "front_left".into(), x: 1.25, y: -3.0 }.to_string();
    for text in [&off, &hole] {
        assert!(text.contains("\"front_left\"") && text.contains("x = 1.250 m, y = -3.000 m"), "{text}");
    }
    assert!(off.contains("larger map") && hole.contains("no height"));
}

#[test]
fn a_study_without_a_vehicle_is_refused() {
    // No slope can be climbed: reported before the run.
    let mut description = sledge(&[10.0], EXPLICIT);
    description.vehicles.clear();
    let errors = Simulation::build(&description).err().unwrap_or_default();
    assert!(errors.iter().any(|e| e.to_string().contains("needs a vehicle")), "{errors:?}");
}
