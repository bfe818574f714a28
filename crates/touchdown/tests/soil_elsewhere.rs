//! Soil for other simulators: forces of closed forms, derivatives, purity, states, refusals.

use touchdown::Error;
use touchdown::geometry::Shape;
use touchdown::math::{Mat6, Pose, Quat, Vec3};
use touchdown::soil::{Ground, GroundError, GroundState, Grousers, SoilShape, SoilSurface, SurfaceMotion};

fn surface(shape: SoilShape) -> SoilSurface {
    SoilSurface { shape, carried_layer: 0.0, bedded: false }
}

fn wheel() -> SoilSurface {
    surface(SoilShape::Wheel { radius: 0.15, width: 0.1, grousers: None })
}

fn at(x: f64, z: f64) -> SurfaceMotion {
    SurfaceMotion::at_rest(Pose::translation(Vec3::new(x, 0.0, z)))
}

/// A wheel with bars that rolls with slip and sinks.
fn rolling(k: usize) -> SurfaceMotion {
    let t = k as f64 * 1e-3;
    let turn = Quat::from_axis_angle(&Vec3::y_axis(), 0.5 * t);
    let mut motion = SurfaceMotion::at_rest(Pose::new(&turn, Vec3::new(0.06 * t, 0.0, 0.13 - 0.01 * t)));
    (motion.v_WS, motion.w_WS) = (Vec3::new(0.06, 0.0, -0.01), Vec3::y() * 0.5);
    motion
}

fn with_bars() -> Ground {
    with_bars_on(Ground::level("lunar-nominal", 0.01).expect("a soil of the library"))
}

fn with_bars_on(mut ground: Ground) -> Ground {
    let grousers = Some(Grousers { count: 12, height: 0.01, thickness: 0.003 });
    let shape = SoilShape::Wheel { radius: 0.15, width: 0.1, grousers };
    ground.add("wheel", SoilSurface { carried_layer: 0.01, ..surface(shape) }).expect("a wheel");
    ground
}

/// Evaluates and accepts some steps of the rolling wheel; returns the forces of each.
fn roll(ground: &mut Ground, steps: std::ops::Range<usize>) -> Vec<f64> {
    let step = |k| {
        let force = ground.evaluate(0, &rolling(k)).expect("a force").wrench_C.f.z;
        ground.advance(1e-3).expect("a step");
        force
    };
    steps.map(step).collect()
}

#[test]
fn a_plate_carries_what_bekkers_law_says() {
    // p = (k_c/b + k_phi) z^n over the plate's area; cells divide the plate evenly, so that only rounding is left.
    let keys = ["soil=lunar-nominal", "spacing=5 mm", "given_width=0.1 m"].map(String::from);
    let mut ground = Ground::with_keys(&keys).expect("keys of a terrain");
    let plate = Shape::Box { size: Vec3::new(0.1, 0.1, 0.02) }.triangulate(3);
    let plate = ground.add("plate", surface(SoilShape::Mesh(plate))).expect("a plate");
    let lunar =
        touchdown_scenario::soils().iter().find(|soil| soil.name == "lunar-nominal").expect("it is there");
    for z in [0.005, 0.01, 0.02] {
        let force = ground.evaluate(plate, &at(0.0, 0.01 - z)).expect("a force");
        let modulus = match lunar.parameters.law {
            touchdown::soil::PressureLaw::Bekker { cohesive, frictional } => cohesive / 0.1 + frictional,
            touchdown::soil::PressureLaw::Reece { .. } => panic!("the lunar soil follows Bekker"),
        };
        let expected = 0.01 * modulus * z.powf(lunar.parameters.exponent);
        assert!((force.wrench_C.f.z / expected - 1.0).abs() < 1e-9, "{} {expected}", force.wrench_C.f.z);
        assert!((force.sinkage - z).abs() < 1e-12 && (force.area - 0.01).abs() < 1e-12);
    }
}

#[test]
fn slopes_by_velocity_are_those_of_differences() {
    // With Bekker's pressure and Coulomb's friction the wrench is smooth in the velocity away from standstill: central differences of 1e-6 m/s are within 1e-5 of the largest
    // entry. The default laws leave out of their slopes how the direction of motion turns the pressure.
    let keys = ["soil=lunar-nominal", "spacing=10 mm", "stress_law=bekker", "friction_law=coulomb"];
    let mut ground = with_bars_on(Ground::with_keys(&keys.map(String::from)).expect("keys of a terrain"));
    roll(&mut ground, 0..50);
    let motion = rolling(50);
    let (_, slopes) = ground.evaluate_with_slopes(0, &motion).expect("slopes");
    let mut differences = Mat6::zeros();
    for j in 0..6 {
        let mut side = |d: f64| {
            let mut moved = motion;
            if j < 3 {
                moved.w_WS[j] += d
            } else {
                moved.v_WS[j - 3] += d
            }
            let W = ground.evaluate(0, &moved).expect("a force").wrench_C;
            [W.t, W.f]
        };
        let (a, b) = (side(1e-6), side(-1e-6));
        for i in 0..6 {
            differences[(i, j)] = (a[i / 3][i % 3] - b[i / 3][i % 3]) / 2e-6;
        }
    }
    let (off, largest) = ((slopes.D - differences).amax(), differences.amax());
    assert!(largest > 100.0 && off < 1e-5 * largest, "{off} of {largest}");
    // By pose: a plate's pressure along its normal, dF/dz = n F/z.
    let keys = ["soil=lunar-nominal", "spacing=5 mm"].map(String::from);
    let mut ground = Ground::with_keys(&keys).expect("keys of a terrain");
    let plate = Shape::Box { size: Vec3::new(0.1, 0.1, 0.02) }.triangulate(3);
    ground.add("plate", surface(SoilShape::Mesh(plate))).expect("a plate");
    let (force, slopes) = ground.evaluate_with_slopes(0, &at(0.0, 0.0)).expect("slopes");
    let n = touchdown_scenario::soils()
        .iter()
        .find(|s| s.name == "lunar-nominal")
        .expect("there")
        .parameters
        .exponent;
    let expected = -n * force.wrench_C.f.z / 0.01;
    assert!((slopes.K[(5, 5)] / expected - 1.0).abs() < 1e-9, "{} {expected}", slopes.K[(5, 5)]);
}

#[test]
fn evaluating_is_pure_and_states_go_back_to_the_bit() {
    // What was evaluated and not accepted leaves no trace: same forces, same heights, same state.
    let (mut straight, mut looked_at) = (with_bars(), with_bars());
    roll(&mut straight, 0..120);
    roll(&mut looked_at, 0..60);
    let saved = looked_at.save();
    let bytes = saved.to_bytes();
    for k in [5, 300, 60] {
        looked_at.evaluate(0, &rolling(k)).expect("a force");
    }
    let forces = roll(&mut looked_at, 60..120);
    assert_eq!(looked_at.save(), straight.save());
    // Back, and the same again; also from bytes, in another ground.
    let mut other = with_bars();
    other.restore(GroundState::from_bytes(&bytes).expect("its own bytes")).expect("it fits");
    assert_eq!(roll(&mut other, 60..120), forces);
    looked_at.restore(saved).expect("it fits");
    assert_eq!(roll(&mut looked_at, 60..120), forces);
    let (a, b) = (looked_at.heights([-0.3, -0.2], [60, 40]), other.heights([-0.3, -0.2], [60, 40]));
    let (a, b) = (a.expect("heights"), b.expect("heights"));
    assert!(a == b && a.iter().any(|h| *h < -0.01) && a.iter().any(|h| *h > 1e-4), "a rut with humps");
    assert!(looked_at.soil().volume_error_relative() < 1e-12);
    let fork = looked_at.clone();
    assert!(fork.soil().tiles_shared_with(looked_at.soil()) == fork.soil().tile_count());
}

#[test]
fn a_scenario_lends_its_ground_and_bodies() {
    let scenario = touchdown::scenario("rover-drawbar-pull").load().expect("built in");
    let ground = Ground::of_scenario(&scenario).expect("it has soil");
    assert_eq!(ground.bodies().count(), 6);
    assert_eq!(ground.soil().spacing(), 0.01);
}

#[test]
fn calls_that_make_no_sense_are_refused_and_change_nothing() {
    let refused = |result: Result<(), Error>, words: &str| {
        let said = result.expect_err(words).to_string();
        assert!(said.contains(words), "{said:?} does not say {words:?}");
    };
    let mut ground = with_bars();
    let before = ground.save();
    refused(ground.advance(1e-3), "was not evaluated since the last advance");
    ground.evaluate(0, &rolling(0)).expect("a force");
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        refused(ground.advance(dt), "a step must last");
    }
    refused(ground.evaluate(7, &rolling(0)).map(|_| ()), "no body number 7 on this ground: it has 1");
    let mut wrong = rolling(0);
    wrong.v_WS.y = f64::NAN;
    refused(ground.evaluate(0, &wrong).map(|_| ()), "the velocity must be finite, found NaN");
    refused(ground.advance(1e-3).and_then(|()| ground.evaluate(0, &wrong)).map(|_| ()), "must be finite");
    ground.restore(before.clone()).expect("its own state");
    let mut squeezed = rolling(0);
    squeezed.X_WS.R *= 1.01;
    refused(ground.evaluate(0, &squeezed).map(|_| ()), "must be a rotation");
    refused(ground.add("wheel", wheel()).map(|_| ()), "already a body \"wheel\"");
    let flat = surface(SoilShape::Wheel { radius: -1.0, width: 0.1, grousers: None });
    refused(ground.add("flat", flat).map(|_| ()), "body \"flat\": radius must lie in");
    refused(Ground::level("butter", 0.01).map(|_| ()), "butter");
    refused(Ground::with_keys(&["spacing=0".into(), "soil=lunar-nominal".into()]).map(|_| ()), "spacing");
    let pendulum = touchdown::scenario("pendulum").load().expect("built in");
    refused(Ground::of_scenario(&pendulum).map(|_| ()), "has no [terrain]");
    assert_eq!(ground.save(), before);
    let mut other = Ground::level("lunar-nominal", 0.02).expect("a soil");
    other.add("wheel", wheel()).expect("a wheel");
    refused(other.restore(before.clone()), "belongs to another soil or other bodies");
    let mut bytes = before.to_bytes();
    bytes.truncate(20);
    refused(GroundState::from_bytes(&bytes).map(|_| ()), "damaged bytes");
    roll(&mut ground, 0..2);
    refused(ground.add("late", wheel()).map(|_| ()), "only before the first advance");
    assert!(matches!(ground.evaluate(1, &rolling(3)), Err(Error::Ground(GroundError::NoSuchBody { .. }))));
}

#[test]
fn hard_contact_for_others_is_the_closed_form_and_remembers_only_what_is_accepted() {
    use touchdown::polygonal::{Contact, Friction, Layer, PairLaw};
    // A disc of elastic springs pressed flat: F = c A s, whatever the mesh.
    let friction = Friction::StickSlip { stick: 0.5, slip: 0.4, release_speed: 1e-3 };
    let law = PairLaw::in_series(&Layer::given(1e9), &Layer::RIGID, 0.0, friction).expect("a law");
    let block = |x, z| Shape::Box { size: Vec3::new(x, x, z) }.triangulate(3);
    let mut contact = Contact::between(&block(0.1, 0.1), &block(1.0, 0.5), law).expect("two blocks");
    let motion = |x, z| SurfaceMotion::at_rest(Pose::translation(Vec3::new(x, 0.0, z)));
    let rest = motion(0.0, 0.0);
    let force = contact.evaluate(&motion(0.0, 0.3 - 1e-4), &rest).expect("a force");
    // Side walls that dip in by s count with 2 s over the side length (0.4 % here).
    assert!((force.wrench_C.f.z / (1e9 * 0.01 * 1e-4) - 1.0).abs() < 5e-3, "{}", force.wrench_C.f.z);
    contact.advance().expect("a step");
    assert!(contact.advance().is_err(), "nothing was evaluated since");
    let saved = contact.save();
    let shifted = contact.evaluate(&motion(1e-5, 0.3 - 1e-4), &rest).expect("a force").wrench_C.f;
    assert!(shifted.x < 0.0, "anchors pull back");
    contact.advance().expect("a step");
    contact.restore(saved).expect("its own state");
    assert_eq!(contact.evaluate(&motion(1e-5, 0.3 - 1e-4), &rest).expect("a force").wrench_C.f, shifted);
    let peg = touchdown::scenario("peg-in-cone").load().expect("built in");
    let unknown = Contact::of_scenario(&peg, "no such").expect_err("it is not there").to_string();
    assert!(unknown.contains("there are: "), "{unknown}");
}
