//! Machines as a program makes them, without any file.

use touchdown_contact::foot::{FootGround, FootParameters, FootShape};
use touchdown_contact::law::shear::Mobilisation;
use touchdown_contact::soil::SoilOptions;
use touchdown_geometry::{Raster, Relief};
use touchdown_machines::foot_stand::FootTest;
use touchdown_machines::rig::{RigKind, RigWheel};
use touchdown_machines::rocks::RockError;
use touchdown_machines::{Chain, ChainError, FootStand, Rig, RockField};
use touchdown_math::Vec3;
use touchdown_multibody::description::ConstraintKind;
use touchdown_sim::description::{Ground, SoilGround, WorldDescription};

fn chain() -> Chain {
    let at = Vec3::new(1.0, 0.0, 2.0);
    Chain { links: 3, length: 0.5, mass: 1.0, at, along: Vec3::x(), hinge: Vec3::y(), damping: 0.1 }
}

/// Every rod hangs on the end of the one before, behind what the mechanism already has.
#[test]
fn rods_hang_one_on_the_other() {
    let mut world = WorldDescription::default();
    chain().kit("first").add_to(&mut world, None);
    chain().kit("second").add_to(&mut world, Some(2));
    let mechanism = &world.mechanism;
    let parents: Vec<_> = mechanism.joints.iter().map(|j| j.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(1), Some(2), Some(3), Some(4)]);
    assert_eq!(mechanism.joints[0].X_PF.p, Vec3::new(1.0, 0.0, 2.0));
    assert_eq!(mechanism.joints[1].X_PF.p, Vec3::new(0.5, 0.0, 0.0));
    assert_eq!(world.points.iter().map(|point| point.at.body).collect::<Vec<_>>(), [Some(2), Some(5)]);
    assert_eq!(mechanism.elements.len(), 6);
}

/// A hinge along the rods would turn them about themselves.
#[test]
fn a_hinge_along_the_rods_is_refused() {
    assert_eq!(chain().check(), Ok(()));
    assert_eq!(Chain { hinge: Vec3::x(), ..chain() }.check(), Err(ChainError::HingeAlongRods));
}

fn rig(passes: u64) -> Rig {
    let wheel = RigWheel { radius: 0.25, width: 0.2, grousers: 0, grouser_height: 0.01, carried_layer: 0.0 };
    let (slip, speed, travel, run_in) = (0.2, 0.05, 1.5, 1.0);
    let kind = RigKind::SingleWheel {
        wheel,
        load: 100.0,
        wheel_speed: speed / (wheel.radius * (1.0 - slip)),
        slip_angle: 0.0,
        speed,
        travel,
        run_in,
        passes,
    };
    Rig { kind, mass: 10.0, spacing: 0.01, level: 0.0 }
}

/// A wheel that passes once has no stop to lift it; one that passes twice has, and a window for each pass.
#[test]
fn passes_make_the_stand() {
    let names = |rig: &Rig| rig.kit().bodies.iter().map(|b| b.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&rig(1)), ["carriage", "slide", "wheel"]);
    assert_eq!(names(&rig(2)), ["carriage", "stop", "slide", "wheel"]);
    let plan = rig(2).schedule();
    assert_eq!(plan.windows.len(), 2);
    assert!(plan.windows[0].to < plan.windows[1].from && plan.windows[1].to == plan.duration);
    // What is averaged is a whole number of cells, at the speed of travel.
    let window = plan.windows[0];
    assert!(((window.to - window.from) * 0.05 - 0.5).abs() < 1e-9, "{window:?}");
}

/// The rim of a wheel at a slip turns by so much faster than it travels.
#[test]
fn slip_is_one_minus_speed_over_rim_speed() {
    let kit = rig(1).kit();
    let wheel = kit.constraints.iter().find(|c| c.name == "wheel").expect("its motion is given");
    let ConstraintKind::Prescribed { motion, .. } = &wheel.kind else { panic!("not prescribed") };
    let (t, dt) = (10.0, 1.0);
    let spin = (motion.value(t + dt) - motion.value(t)) / dt;
    assert!((1.0 - 0.05 / (spin * 0.25) - 0.2).abs() < 1e-9, "{spin}");
}

fn field(count: u64) -> RockField {
    RockField { count, seed: 7, from: [0.0, -1.0], to: [4.0, 1.0], size: [0.1, 0.3], buried: 0.5, level: 0.2 }
}

/// The same seed gives the same rocks, and they do not touch each other.
#[test]
fn rocks_follow_from_their_seed() {
    let rocks = field(12).place().expect("room for twelve");
    let again = field(12).place().expect("room for twelve");
    assert!(rocks.iter().zip(&again).all(|(a, b)| a.place == b.place && a.mesh == b.mesh));
    for (i, a) in rocks.iter().enumerate() {
        assert!(rocks[..i].iter().all(|b| (a.place - b.place).xy().norm() > 0.6 * 0.2));
        let masses = a.kit(2700.0).bodies;
        assert!(masses[0].mass > 0.5 && masses[0].mass < 2700.0 * 0.027, "{}", masses[0].mass);
    }
}

/// A field that is too small says how many it holds.
#[test]
fn a_full_field_says_how_many_it_holds() {
    let Err(RockError::NoRoom(placed)) = field(1000).place() else { panic!("a thousand found room") };
    assert!((12..1000).contains(&placed), "{placed}");
}

/// A ball is dropped from the height of its sole: its centre is one radius higher.
#[test]
fn a_dropped_ball_starts_a_radius_above_its_sole() {
    let law = FootParameters {
        shape: FootShape::Spherical { radius: 0.05 },
        spring: None,
        ground: FootGround::Hard { friction: 0.5, shear_length: 0.01 },
        curve: Mobilisation::Janosi,
        tangential_stiffness: 1e4,
        tangential_relaxation: 1e-3,
    };
    let stand = FootStand { test: FootTest::Drop { height: 0.1 }, load: 98.1, mass: 10.0, gravity: 9.81 };
    let mut world = WorldDescription::default();
    stand.kit(law).add_to(&mut world, None);
    assert_eq!(world.mechanism.joints[world.feet[0].body].X_PF.p, Vec3::new(0.0, 0.0, 0.05 + 0.1));
    assert_eq!(FootTest::Press { load_time: 2.0 }.duration(), 5.0);
}

/// On a slope every rock lies as deep in the ground below it as on the level, and its bed is dug there: nowhere under a rock does the soil stand above its underside.
#[test]
fn rocks_lie_on_sloping_ground() {
    let soil = SoilGround {
        relief: Relief::Plane { height: 0.5, gradient: [0.1, -0.2] },
        spacing: 0.02,
        soils: Vec::new(),
        regions: Vec::new(),
        heaps: Vec::new(),
        options: SoilOptions::default(),
    };
    let field = field(6);
    let mut rocks = field.place().expect("room for six");
    let level: Vec<f64> = rocks.iter().map(|rock| rock.place.z).collect();
    let mut ground = Ground::Soil(Box::new(soil));
    let lifts = field.lifts(&ground, &rocks).expect("a plane is everywhere");
    rocks.iter_mut().zip(&lifts).for_each(|(rock, lift)| rock.place.z += lift);
    let Ground::Soil(soil) = &mut ground else { unreachable!("made so") };
    field.dig(soil, &rocks).expect("a plane can be dug");
    let slope = |x: f64, y: f64| 0.5 + 0.1 * x - 0.2 * y;
    for (rock, level) in rocks.iter().zip(level) {
        let p = rock.place;
        let slope = slope(p.x, p.y);
        assert!((p.z - slope - (level - 0.2)).abs() < 1e-12, "{}", rock.name);
        // Below the centre of volume the soil ends at the underside.
        let bed = soil.relief.height(p.x, p.y).expect("dug");
        assert!(bed < p.z && bed < slope, "{}: {bed} below {slope}", rock.name);
    }
    // Beside the field it is as it was.
    let beside = soil.relief.height(-2.0, -3.0).expect("on the map");
    assert!((beside - slope(-2.0, -3.0)).abs() < 1e-12, "{beside}");
}

/// Beyond the edge of its map there is nothing to lie on: the rock is named.
#[test]
fn a_rock_off_the_map_is_named() {
    let raster = Raster::new([0.0, -0.5], 0.5, 4, 3, vec![0.0; 12]).expect("sound");
    let soil = SoilGround {
        relief: Relief::Raster(raster),
        spacing: 0.02,
        soils: Vec::new(),
        regions: Vec::new(),
        heaps: Vec::new(),
        options: SoilOptions::default(),
    };
    let rocks = field(12).place().expect("room for twelve");
    let ground = Ground::Soil(Box::new(soil));
    let Err(RockError::OffGround { name, x, .. }) = field(12).lifts(&ground, &rocks) else {
        panic!("all lie")
    };
    assert!(name.starts_with("rock_") && x > 1.5, "{name} {x}");
}
