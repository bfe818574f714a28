//! Drops, steps into footprints, drags.

use super::*;

/// A foot dropped into soil stops without rebound but for the share ε, and holds exactly its load (Eq. 54).
#[test]
fn a_dropped_foot_stops_and_holds_its_load() {
    for (shape, b) in [(CYLINDER, 0.0), (BALL, 0.0), (DISC, 205.0), (PLATE, 50.0)] {
        let damping = HuntCrossley { k: 0.0, n: 1.0, b, p: 0.096, q: 0.75 };
        let foot = on_soil(shape, FootSoil { damping, relaxation: 0.01, ..sand(FootModel::Exact) }, None);
        let (mass, load) = (25.0, 250.0);
        let path = drop_foot(&foot, mass, load, 0.31, 1e-4, 8000);
        let deepest = path.iter().map(|w| w[0]).fold(0.0, f64::max);
        let [depth, rate, force] = path[path.len() - 1];
        assert!((deepest - depth) <= 1e-3 * deepest, "{shape:?} {deepest} {depth}");
        assert!(rate.abs() < 1e-9 && (force - load).abs() < 1e-6 * load, "{shape:?} {rate} {force}");
        // Where pressing alone takes up the energy (no damping): M v²/2 + W δ = ∫F.
        if b == 0.0 {
            let work = foot.bearing().expect("soil").at(deepest).work;
            let energy = 0.5 * mass * 0.31 * 0.31 + load * deepest;
            assert!((work / energy - 1.0).abs() < 2e-3, "{shape:?} {work} {energy}");
        }
    }
}

/// The sand of section 5.3: k_TN and n_TN of Table 12 in SI (F = b √(2r) K δ^(n + ½)), damping of group 4.
fn sand_of_the_tests() -> FootSoil {
    let (k, n) = (1.26e4, 1.132);
    FootSoil {
        law: PressureLaw::bernstein(k / (0.08 * 0.1f64.sqrt())),
        exponent: n - 0.5,
        damping: HuntCrossley { k: 0.0, n: 1.0, b: 205.07, p: 0.096, q: 0.075 },
        relaxation: 0.01,
        ..sand(FootModel::Eq29c)
    }
}

/// A deformable foot on hard ground vibrates and settles under its load; in soil it vibrates less; a hard
/// foot in soil least.
#[test]
fn vibration_is_largest_on_hard_ground() {
    let back = |foot: &Foot| {
        let path = drop_foot(foot, 25.0, 250.0, 0.31, 2e-4, 10_000);
        let deepest = path.iter().enumerate().max_by(|a, b| a.1[0].total_cmp(&b.1[0])).expect("steps").0;
        let after = path[deepest..].iter().map(|w| w[0]).fold(f64::INFINITY, f64::min);
        let last = path[path.len() - 1];
        assert!((last[2] - 250.0).abs() < 1.0, "{last:?}");
        path[deepest][0] - after
    };
    let spring = on_marble(CYLINDER).params().spring;
    let marble = back(&on_marble(CYLINDER));
    let both = back(&on_soil(CYLINDER, sand_of_the_tests(), spring));
    let hard = back(&on_soil(CYLINDER, sand_of_the_tests(), None));
    assert!(marble > 1.2 * both && both > 100.0 * hard, "{marble} {both} {hard}");
}

/// A foot with a spring pressed slowly into soil: deformations of both add up to Eqs. 48 and 49; lifted, it
/// follows the spring alone (the line L3 of Fig. 26).
#[test]
fn pressing_with_a_spring_and_lifting_along_it() {
    let k = 11_945.0;
    let foot = on_soil(
        CYLINDER,
        FootSoil { relaxation: 1e-3, ..sand(FootModel::Exact) },
        Some(HuntCrossley::spring(k)),
    );
    let (mut z, h, speed) = ([0.0; STATES], 1e-3, 0.002);
    let mut depth = 0.0;
    for _ in 0..20_000 {
        depth += speed * h;
        z = foot.calc_force_at(&at_depth(&foot, depth, [0.0; 2], speed), &level(), &z, h).1;
    }
    let at_rest = foot.calc_force(&at_depth(&foot, depth, [0.0; 2], 0.0), &level(), &z);
    let soil = foot.bearing().expect("soil").sinkage(at_rest.normal_force);
    // The relaxation lets the spring lead by τ times the speed.
    assert!(
        (soil + at_rest.normal_force / k - depth).abs() < 1e-3 * speed,
        "{soil} {}",
        at_rest.normal_force
    );
    assert!((foot.settled(&at_depth(&foot, depth, [0.0; 2], 0.0), &level())[0] - soil).abs() < 1e-3 * speed);
    for _ in 0..1000 {
        depth -= 1e-6;
        z = foot.calc_force_at(&at_depth(&foot, depth, [0.0; 2], -1e-3), &level(), &z, h).1;
    }
    let lifted = foot.calc_force(&at_depth(&foot, depth, [0.0; 2], 0.0), &level(), &z);
    let slope = (at_rest.normal_force - lifted.normal_force) / 1e-3;
    assert!((slope / k - 1.0).abs() < 0.01, "{slope}");
}

/// The same footprint is firm at the second step, soil beside it is fresh; a foot in the air carries no
/// deflection over.
#[test]
fn footprints_stay_where_they_are() {
    let foot = on_soil(DISC, sand(FootModel::Exact), None);
    let (mut z, mut memory) = ([0.0; STATES], FootprintMemory::default());
    let mut left = Footprints::default();
    let deep = at_depth(&foot, 0.01, [0.0; 2], 0.0);
    z[0] = foot.settled(&deep, &level())[0];
    foot.commit(&deep, &level(), (&mut memory, &mut left), &mut z);
    let above = at_depth(&foot, -0.05, [0.0; 2], 0.0);
    foot.commit(&above, &level(), (&mut memory, &mut left), &mut z);
    assert_eq!(z[0], 0.01);
    assert!(
        foot.calc_gap(&deep, &level(), &z) < 0.0
            && foot.calc_gap(&at_depth(&foot, 0.005, [0.0; 2], 0.0), &level(), &z) > 0.0
    );
    assert_eq!(foot.calc_force(&at_depth(&foot, 0.005, [0.0; 2], 0.1), &level(), &z).normal_force, 0.0);
    let mut beside = above;
    beside.X_WS.p.x = 0.2;
    foot.commit(&beside, &level(), (&mut memory, &mut left), &mut z);
    assert_eq!((z, memory.place), ([0.0; STATES], None));
    let mut fresh = at_depth(&foot, 0.005, [0.0; 2], 0.01);
    fresh.X_WS.p.x = 0.2;
    let (f, z) = foot.calc_force_at(&fresh, &level(), &z, 1.0);
    assert!(f.normal_force > 0.0 && (z[0] - 0.005).abs() < 1e-4);
}

/// Footprints remain after feet move on. The same foot after a step elsewhere, and another foot of the same
/// size, find them firm within half a foot's size; a foot of another size does not.
#[test]
fn footprints_left_behind_are_found_again() {
    let foot = on_soil(DISC, sand(FootModel::Exact), None);
    let mut left = Footprints::default();
    let (mut z, mut memory) = ([0.0; STATES], FootprintMemory::default());
    let at = |foot: &Foot, x: f64, depth: f64| {
        let mut motion = at_depth(foot, depth, [0.0; 2], 0.0);
        motion.X_WS.p.x = x;
        motion
    };
    for (x, depth) in [(0.0, 0.01), (0.2, 0.015)] {
        foot.commit(&at(&foot, x, -0.05), &level(), (&mut memory, &mut left), &mut z);
        assert_eq!(z, [0.0; STATES], "fresh soil at {x}");
        z[0] = depth;
        foot.commit(&at(&foot, x, depth), &level(), (&mut memory, &mut left), &mut z);
    }
    assert_eq!(left.len(), 1);
    let (mut z_other, mut other) = ([0.0; STATES], FootprintMemory::default());
    let small = on_soil(FootShape::FlatCircular { radius: 0.03 }, sand(FootModel::Exact), None);
    small.commit(&at(&small, 0.0, -0.05), &level(), (&mut other, &mut left), &mut z_other);
    assert_eq!((z_other[0], left.len()), (0.0, 1), "a smaller foot");
    foot.commit(&at(&foot, 0.04, -0.05), &level(), (&mut other, &mut left), &mut z_other);
    assert_eq!((z_other[0], left.len()), (0.01, 0), "another foot stands over it");
    foot.commit(&at(&foot, 0.1, -0.05), &level(), (&mut other, &mut left), &mut z_other);
    assert_eq!((z_other[0], left.len()), (0.0, 1), "and goes on without a step");
    foot.commit(&at(&foot, 0.01, -0.05), &level(), (&mut memory, &mut left), &mut z);
    assert_eq!((z[0], left.len()), (0.01, 1), "the first foot is back, its second footprint is kept");
}

/// A foot dragged at 20 mm/s under constant depth resists along Janosi's curve against its motion, in any
/// direction (Eqs. 4, 30, 56), with the strength c S + N tan φ.
#[test]
fn a_dragged_foot_follows_janosi() {
    let foot = on_soil(CYLINDER, sand(FootModel::Eq29c), None);
    let soil = sand(FootModel::Eq29c);
    let direction = [0.02 * 0.6, -0.02 * 0.8];
    let (mut z, h) = ([0.02, 0.0, 0.0, 0.0, 0.0], 1e-4);
    let mut j = 0.0;
    for step in 1..=50_000 {
        let (f, next) = foot.calc_force_at(&at_depth(&foot, 0.02, direction, 0.0), &level(), &z, h);
        z = next;
        j += 0.02 * h;
        if step % 5000 == 0 {
            let area = 0.08 * (2.0f64 * 0.05 * 0.02).sqrt();
            let strength = soil.cohesion * area + f.normal_force * soil.friction_angle.tan();
            let expected = strength * (1.0 - (-j / soil.shear_length).exp());
            assert!(
                (f.tangential_W.norm() / expected - 1.0).abs() < 1e-3,
                "{j} {} {expected}",
                f.tangential_W.norm()
            );
            let along = f.tangential_W.dot(&Vec3::new(direction[0], direction[1], 0.0));
            assert!((along + f.tangential_W.norm() * 0.02).abs() < 1e-9);
        }
    }
    // At rest it holds without end: no creep.
    let f = foot.calc_force_at(&at_depth(&foot, 0.02, [0.0; 2], 0.0), &level(), &z, 3600.0).0;
    assert!((f.tangential_W.norm() / f.strength - 0.98).abs() < 0.02);
}
