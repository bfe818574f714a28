//! Facing points and their velocities.

use super::*;

/// Pairs of every kind, sides in random poses, near each other, both moving.
fn cases(count: usize) -> Vec<(SurfacePair, [SurfaceMotion; 2])> {
    let mut r = Random(7);
    let law = linear_law(REGULARISED);
    let mut out = Vec::new();
    for k in 0..count {
        let body = if k % 2 == 0 { ball(0.25) } else { ellipsoid() };
        let one = match k % 5 {
            0 => Form::Height(bowl()),
            1 => Form::Height(saddle()),
            2 => Form::Height(hills(Smoothness::C2)),
            3 => Form::Body(BodySurface::Ellipsoid { semi_axes: [0.5, 0.7, 0.4] }),
            _ => Form::Body(BodySurface::Sphere { radius: 0.6 }),
        };
        let over_ground = matches!(one, Form::Height(_));
        let X_W1 = r.pose(2.0, 3.0);
        // Over ground 0.1 m to 0.4 m above its level, beside a body at about the sum of the sizes.
        let p = if over_ground {
            Vec3::new(0.6 * r.next(), 0.6 * r.next(), 0.45 + 0.1 * r.next())
        } else {
            (r.vector(1.0) + Vec3::new(0.0, 0.0, 0.3)).normalize() * (0.8 + 0.1 * r.next())
        };
        let X_12 = Pose::new(&rotation::exp(&r.vector(2.0)), p);
        let sides = [
            moving(X_W1, r.vector(0.5), r.vector(0.8)),
            moving(X_W1.compose(&X_12), r.vector(0.5), r.vector(2.0)),
        ];
        out.push((pair(one, body, law), sides));
    }
    out
}

/// Velocities of both points, of the gap and of the normal agree with differences of the closest points: central, error h²/6 times third
/// derivatives of about 1e3/s³, with rounding 1e-15/h, both below 1e-8 for h = 1e-5… Richardson's rule removes the first.
#[test]
fn velocities_are_differences_of_closest_points() {
    let mut seen = [0; 5];
    for (k, (pair, sides)) in cases(200).iter().enumerate() {
        let mut scratch = PairScratch::default();
        let state = pair.start(sides, &mut scratch);
        let at = |t: f64, scratch: &mut PairScratch| {
            let sides = [later(&sides[0], t), later(&sides[1], t)];
            pair.evaluate(&sides, &state, 0.0, &[], 0.0, None, scratch)
        };
        let now = at(0.0, &mut scratch);
        for c in 0..now.count {
            let mut difference = |h: f64| {
                let (a, b) = (at(h, &mut scratch), at(-h, &mut scratch));
                let [a, b] =
                    [a, b].map(|f| f.contacts().iter().find(|x| x.slot == now.contacts[c].slot).copied());
                let (a, b) = (a?, b?);
                let over = 1.0 / (2.0 * h);
                Some([0, 1].map(|i| (a.places[i] - b.places[i]) * over)).map(|p| (p, (a.gap - b.gap) * over))
            };
            let (Some((coarse, coarse_gap)), Some((fine, fine_gap))) = (difference(4e-4), difference(2e-4))
            else {
                continue;
            };
            let x = &now.contacts[c];
            for i in 0..2 {
                let rate = (fine[i] * 4.0 - coarse[i]) / 3.0;
                let error = (rate - x.rates[i]).norm();
                assert!(
                    error < 1e-8 * (1.0 + rate.norm()),
                    "pair {k}, side {i}: {error:e} of {}",
                    rate.norm()
                );
            }
            let gap_rate = (4.0 * fine_gap - coarse_gap) / 3.0;
            assert!((gap_rate - x.gap_rate).abs() < 1e-8 * (1.0 + gap_rate.abs()), "pair {k}: gap");
            seen[k % 5] += 1;
        }
    }
    assert!(seen.iter().all(|n| *n >= 20), "too few candidates: {seen:?}");
}

/// Facing points satisfy their conditions to round-off: the line between them is normal to both surfaces, and its length is the gap.
#[test]
fn facing_points_face_each_other() {
    for (pair, sides) in cases(100) {
        let mut scratch = PairScratch::default();
        let state = pair.start(&sides, &mut scratch);
        let force = pair.evaluate(&sides, &state, 0.0, &[], 0.0, None, &mut scratch);
        for c in force.contacts() {
            let q_W = sides[1].X_WS.point(&c.places[1]);
            assert!(
                (q_W - c.p_W - c.normal_W * c.gap).norm() < 2e-14,
                "{:e}",
                (q_W - c.p_W - c.normal_W * c.gap).norm()
            );
        }
    }
}

/// The result of tracking does not depend on where it started: candidates committed elsewhere lead to the same points.
#[test]
fn the_path_leaves_no_trace() {
    for (pair, sides) in cases(60) {
        let mut scratch = PairScratch::default();
        let state = pair.start(&sides, &mut scratch);
        let there = [later(&sides[0], 0.02), later(&sides[1], 0.02)];
        let straight = pair.evaluate(&there, &state, 0.02, &[], 0.0, None, &mut scratch);
        let mut by_steps = state;
        for k in 1..=4 {
            let t = 0.005 * k as f64;
            pair.commit(
                &[later(&sides[0], t), later(&sides[1], t)],
                0.005,
                &mut by_steps,
                &mut [],
                &mut scratch,
            );
        }
        let stepped = pair.evaluate(&there, &by_steps, 0.0, &[], 0.0, None, &mut scratch);
        for a in straight.contacts() {
            if let Some(b) = stepped.contacts().iter().find(|b| b.slot == a.slot) {
                assert!((a.p_W - b.p_W).norm() < 1e-13 && (a.gap - b.gap).abs() < 1e-14);
            }
        }
        // Evaluating again, with patches of elsewhere in the scratch, gives the same bits.
        let again = pair.evaluate(&there, &state, 0.02, &[], 0.0, None, &mut scratch);
        let fresh = pair.evaluate(&there, &state, 0.02, &[], 0.0, None, &mut PairScratch::default());
        assert_eq!(again, fresh);
        assert_eq!(again, straight);
    }
}

/// The special case of a sphere over z = f(x, y): u̇ = [1 − (ρ + d) S]⁻¹ I⁻¹ f_*ᵀ v, written out for a bowl.
#[test]
fn sphere_over_a_bowl_moves_as_the_special_case_says() {
    let pair = pair(Form::Height(bowl()), ball(0.25), linear_law(REGULARISED));
    let v = Vec3::new(0.3, -0.7, 0.2);
    let sides = [
        SurfaceMotion::at_rest(Pose::identity()),
        moving(Pose::translation(Vec3::new(0.5, 0.3, 0.45)), v, Vec3::new(1.0, 2.0, 3.0)),
    ];
    let mut scratch = PairScratch::default();
    let state = pair.start(&sides, &mut scratch);
    let force = pair.evaluate(&sides, &state, 0.0, &[], 0.0, None, &mut scratch);
    assert_eq!(force.count, 1);
    let c = &force.contacts[0];
    let (x, y) = (c.places[0].x, c.places[0].y);
    let (fx, fy) = (0.4 * x, 0.4 * y);
    let first = nalgebra::Matrix2::new(1.0 + fx * fx, fx * fy, fx * fy, 1.0 + fy * fy);
    let second = nalgebra::Matrix2::identity() * (0.4 / (1.0 + fx * fx + fy * fy).sqrt());
    // [1 − (ρ + d) I⁻¹ II]⁻¹ I⁻¹ = [I − (ρ + d) II]⁻¹.
    let matrix = first - second * (0.25 + c.gap);
    let rate = matrix.try_inverse().expect("convex") * nalgebra::Vector2::new(v.x + fx * v.z, v.y + fy * v.z);
    assert!((rate.x - c.rates[0].x).abs() < 1e-14 && (rate.y - c.rates[0].y).abs() < 1e-14);
    // The closest point of a sphere does not see its spin; the point on the sphere does.
    assert!((c.twist_G.v.z - c.gap_rate).abs() < 1e-15);
}

/// A ball wider than the bowl is curved has no single closest point at the bottom: it is lost, counted and found again at the sides.
#[test]
fn lost_convexity_is_counted() {
    // κ = 0.4 at the bottom: relatively convex below ρ + d = 2.5 m.
    let narrow = HeightSurface::new(HeightForm::Paraboloid { height: 0.0, coefficients: [0.8, 0.5] });
    let law = linear_law(FrictionLaw::Frictionless);
    let pair =
        SurfacePair::new(Form::Height(narrow), ball(0.5), law, PairOptions { threshold: 1.0, most: 4 });
    let pair = pair.expect("a valid pair");
    let at = |z: f64| {
        [
            SurfaceMotion::at_rest(Pose::identity()),
            moving(Pose::translation(Vec3::new(0.0, 0.0, z)), Vec3::zeros(), Vec3::zeros()),
        ]
    };
    let mut scratch = PairScratch::default();
    // 1 − (ρ + d) 1.6 < 0 from z = 0.625 m on.
    let mut state = pair.start(&at(0.6), &mut scratch);
    assert_eq!(state.slots.iter().flatten().count(), 1);
    let lost = pair.evaluate(&at(0.8), &state, 0.0, &[], 0.0, None, &mut scratch);
    pair.commit(&at(0.8), 0.0, &mut state, &mut [], &mut scratch);
    // The Newton iteration starts exactly at the bottom, where nothing pushes it aside.
    assert_eq!((lost.count, lost.out_of_range, state.lost), (0, 1, 1));
    let places: Vec<f64> = state.slots.iter().flatten().map(|c| c.places[0][0]).collect();
    assert_eq!(places.len(), 2, "{places:?}");
    // Closest points of the parabola z = a x²: x² = (z₀ − 1/(2a))/a.
    let x = ((0.8 - 1.0 / 1.6) / 0.8f64).sqrt();
    assert!(places.iter().all(|p| (p.abs() - x).abs() < 1e-12) && places[0] * places[1] < 0.0);
}
