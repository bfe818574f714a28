//! Candidates: found, kept, let go.

use super::super::track::track;
use super::*;

fn placed(p: Vec3) -> [SurfaceMotion; 2] {
    [SurfaceMotion::at_rest(Pose::identity()), moving(Pose::translation(p), Vec3::zeros(), Vec3::zeros())]
}

/// A ball over hills has every local minimum of its distance as a candidate: compared with a dense sampling
/// of the surface.
#[test]
fn a_ball_finds_all_closest_points() {
    // Wavy ground narrower than the ball, so that it stands on several crests.
    let (nodes, spacing) = (161, 0.05);
    let z = |x: f64, y: f64| 0.08 * (5.0 * x).sin() * (4.0 * y).cos();
    let heights = (0..nodes * nodes)
        .map(|k| z(-4.0 + spacing * (k % nodes) as f64, -4.0 + spacing * (k / nodes) as f64));
    let raster = Raster::new([-4.0, -4.0], spacing, nodes, nodes, heights.collect()).expect("a valid map");
    let ground = HeightSurface::new(HeightForm::Map { raster, smoothness: Smoothness::C2 });
    let (radius, threshold) = (1.5, 0.1);
    let law = linear_law(FrictionLaw::Frictionless);
    let pair =
        SurfacePair::new(Form::Height(ground.clone()), ball(radius), law, PairOptions { threshold, most: 8 });
    let pair = pair.expect("a valid pair");
    let mut r = Random(5);
    let (mut most, mut checked) = (0, 0);
    for _ in 0..40 {
        let c = Vec3::new(r.next(), r.next(), 1.5 + 0.1 * r.next());
        let mut scratch = PairScratch::default();
        let state = pair.start(&placed(c), &mut scratch);
        // Reference: local minima of a fine sampling, a hundredth of the ball apart.
        let n = 241;
        let step = 3.2 / (n - 1) as f64;
        let distance = |i: usize, j: usize| {
            let (x, y) = (c.x - 1.6 + step * i as f64, c.y - 1.6 + step * j as f64);
            ground.jet(x, y).map(|jet| (Vec3::new(x, y, jet.z) - c).norm() - radius).unwrap_or(f64::INFINITY)
        };
        let all: Vec<f64> = (0..n * n).map(|k| distance(k % n, k / n)).collect();
        let mut minima = Vec::new();
        for j in 1..n - 1 {
            for i in 1..n - 1 {
                let own = all[j * n + i];
                let around = [-1i64, 0, 1].into_iter().flat_map(|a| [-1i64, 0, 1].map(|b| (a, b)));
                let lowest = around
                    .filter(|x| *x != (0, 0))
                    .all(|(a, b)| own < all[((j as i64 + b) * n as i64 + i as i64 + a) as usize]);
                // Not at the threshold itself, where sampling decides.
                if lowest && own < threshold - 1e-3 {
                    minima.push((c.x - 1.6 + step * i as f64, c.y - 1.6 + step * j as f64, own));
                }
            }
        }
        minima.sort_by(|a, b| a.2.total_cmp(&b.2));
        most = most.max(minima.len());
        for (x, y, gap) in minima.iter().take(4) {
            // Sampling makes minima of its own along ridges that run askew; those tracking leaves.
            let poses = placed(c).map(|side| side.X_WS);
            let start = [Vec3::new(*x, *y, 0.0), Vec3::zeros()];
            let two = pair.two.at(0);
            let Ok(there) = track(&pair.one, &two, [&poses[0], &poses[1]], start, &mut [None, None]) else {
                continue;
            };
            if (there.places[0] - Vec3::new(*x, *y, there.places[0].z)).norm() > 2.0 * step {
                continue;
            }
            checked += 1;
            let same = |s: &&Candidate| (Vec3::from(s.places[0]) - there.places[0]).norm() < 1e-9;
            let near = state.slots.iter().flatten().find(same);
            let near =
                near.unwrap_or_else(|| panic!("no candidate at {x} {y} {gap} over {c}: {:?}", state.slots));
            assert!((near.gap - gap).abs() < 1e-3);
        }
    }
    assert!(most >= 3 && checked >= 60, "the ball should stand on several crests: {most}, {checked}");
}

/// Candidates appear while still apart, keep their slot as they touch and slide, and are let go far away.
#[test]
fn slots_are_stable() {
    let pair = pair(Form::Height(hills(Smoothness::C2)), ball(0.25), linear_law(REGULARISED));
    let mut scratch = PairScratch::default();
    let path = |t: f64| placed(Vec3::new(-2.0 + 4.0 * t, 0.3, 0.75 - 0.5 * (std::f64::consts::PI * t).sin()));
    let mut state = pair.start(&path(0.0), &mut scratch);
    let (mut touched, mut before) = (false, None::<f64>);
    for k in 1..=400 {
        let t = k as f64 / 400.0;
        pair.commit(&path(t), 0.01, &mut state, &mut [], &mut scratch);
        let gap = state.slots[0].map(|c| c.gap);
        assert!(state.slots[1].is_none());
        match (before, gap) {
            (None, Some(gap)) => assert!(gap > 0.2 && gap <= 0.3, "appears at {gap}"),
            (Some(gap), None) => assert!(gap > 0.4, "let go at {gap}"),
            _ => {}
        }
        touched |= gap.is_some_and(|gap| gap < 0.0);
        before = gap;
    }
    assert!(touched && state.lost == 0 && state.crowded == 0);
}

/// A box stands on the four corners of its base; a plate with many corners gets corners far from each other.
#[test]
fn meshes_stand_on_their_corners() {
    let plane = HeightSurface::new(HeightForm::Plane { height: 0.2, gradient: [0.0, 0.0] });
    let box_mesh = touchdown_geometry::Shape::Box { size: Vec3::new(0.6, 0.4, 0.2) }.triangulate(8);
    let law = linear_law(STICK_SLIP);
    let options = PairOptions { threshold: 0.05, most: 4 };
    let form = Form::Mesh { mesh: box_mesh, radius: 0.01 };
    let on_box = SurfacePair::new(Form::Height(plane.clone()), form, law, options).expect("a valid pair");
    let mut scratch = PairScratch::default();
    let sides = placed(Vec3::new(0.0, 0.0, 0.2 + 0.1 + 0.01 - 1e-3));
    let mut state = on_box.start(&sides, &mut scratch);
    on_box.commit(&sides, 0.0, &mut state, &mut [], &mut scratch);
    let force = on_box.evaluate(&sides, &state, 0.0, &[0.0; 12], 0.0, None, &mut scratch);
    assert_eq!((force.count, state.crowded), (4, 0));
    // 1 mm on 2e4 N/m at each corner, balanced.
    assert!((force.wrenches[1].f.z - 80.0).abs() < 1e-9 && force.wrenches[1].t.norm() < 1e-9);
    let corners: Vec<[f64; 3]> = force.contacts().iter().map(|c| c.p_W.into()).collect();
    assert!(
        corners.iter().all(|c| (c[0].abs() - 0.3).abs() < 1e-12 && (c[1].abs() - 0.2).abs() < 1e-12),
        "{corners:?}"
    );

    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for k in 0..400u32 {
        let (i, j) = (k % 20, k / 20);
        vertices.push(Vec3::new(f64::from(i) * 0.03 - 0.285, f64::from(j) * 0.03 - 0.285, 0.0));
        if i < 19 && j < 19 {
            triangles.extend([[k, k + 21, k + 1], [k, k + 20, k + 21]]);
        }
    }
    let plate = Form::Mesh { mesh: touchdown_geometry::TriangleMesh { vertices, triangles }, radius: 0.01 };
    let on_plate = SurfacePair::new(Form::Height(plane), plate, law, options).expect("a valid pair");
    let sides = placed(Vec3::new(0.0, 0.0, 0.2 + 0.01 + 1e-3));
    let state = on_plate.start(&sides, &mut scratch);
    let places: Vec<[f64; 3]> = state.slots.iter().flatten().map(|c| c.places[0]).collect();
    assert_eq!(places.len(), 4);
    let nearest = (0..4)
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .map(|(i, j)| (places[i][0] - places[j][0]).hypot(places[i][1] - places[j][1]));
    assert!(nearest.fold(f64::INFINITY, f64::min) > 0.5, "{places:?}");
}

/// Beyond the edge of a map and over its holes a body reports it, unless it is above all ground.
#[test]
fn missing_ground_is_reported() {
    let mut heights = vec![0.0; 21 * 21];
    heights[10 * 21 + 10] = f64::NAN;
    let raster = Raster::new([-1.0, -1.0], 0.1, 21, 21, heights).expect("a valid map");
    let ground = HeightSurface::new(HeightForm::Map { raster, smoothness: Smoothness::C2 });
    let pair = pair(Form::Height(ground), ball(0.05), linear_law(REGULARISED));
    let mut scratch = PairScratch::default();
    let mut missing = |p: Vec3| {
        let state = pair.start(&placed(p), &mut scratch);
        pair.evaluate(&placed(p), &state, 0.0, &[], 0.0, None, &mut scratch).missing.map(|(why, _)| why)
    };
    assert_eq!(missing(Vec3::new(0.5, 0.5, 0.049)), None);
    assert_eq!(missing(Vec3::new(1.2, 0.5, 0.049)), Some(Missing::OffMap));
    assert_eq!(missing(Vec3::new(0.03, 0.03, 0.049)), Some(Missing::Hole));
    assert_eq!(missing(Vec3::new(1.2, 0.5, 0.3)), None);
}

/// Points spread evenly over a sphere (a golden spiral).
fn directions(count: usize) -> impl Iterator<Item = Vec3> {
    let turn = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    (0..count).map(move |k| {
        let z = 1.0 - (2.0 * k as f64 + 1.0) / count as f64;
        let r = (1.0 - z * z).sqrt();
        Vec3::new(r * (turn * k as f64).cos(), r * (turn * k as f64).sin(), z)
    })
}

/// Ellipsoids over hills: the nearest candidate is the nearest of all points, that is, no pair of sampled
/// points is closer; and it is not missed.
#[test]
fn ellipsoids_over_hills_find_the_nearest_point() {
    let mut r = Random(31);
    let ground = hills(Smoothness::C2);
    let mut found = 0;
    for k in 0..60 {
        let semi_axes = if k % 2 == 0 { [0.3, 0.2, 0.15] } else { [0.5, 0.15, 0.1] };
        let body = BodySurface::Ellipsoid { semi_axes };
        let pair = pair(Form::Height(ground.clone()), Form::Body(body), linear_law(REGULARISED));
        let X = Pose::new(&rotation::exp(&r.vector(3.0)), Vec3::new(1.5 * r.next(), 1.5 * r.next(), 0.55));
        let sides = [SurfaceMotion::at_rest(Pose::identity()), moving(X, Vec3::zeros(), Vec3::zeros())];
        let state = pair.start(&sides, &mut PairScratch::default());
        let nearest = state.slots.iter().flatten().map(|c| c.gap).reduce(f64::min);
        let points: Vec<Vec3> = directions(400).map(|n| X.point(&body.facing(&n))).collect();
        let mut sampled = f64::INFINITY;
        for j in 0..60 {
            for i in 0..60 {
                let (x, y) = (X.p.x - 0.6 + 0.02 * i as f64, X.p.y - 0.6 + 0.02 * j as f64);
                let p = Vec3::new(x, y, ground.jet(x, y).expect("inside").z);
                sampled = points.iter().map(|q| (q - p).norm()).fold(sampled, f64::min);
            }
        }
        if nearest.is_some_and(|gap| gap < 0.0) {
            continue;
        }
        // Samples some 3 cm apart miss the nearest points by a few millimetres at these curvatures.
        assert!(
            nearest.is_none_or(|gap| gap <= sampled && sampled < gap + 0.01),
            "{k}: {nearest:?} {sampled}"
        );
        assert!(nearest.is_some() || sampled > 0.29, "{k}: missed {sampled}");
        found += usize::from(nearest.is_some());
    }
    assert!(found > 30, "{found}");
}

/// Two ellipsoids, anywhere and turned arbitrarily: one candidate, and no pair of sampled points is closer.
#[test]
fn ellipsoids_find_each_other() {
    let mut r = Random(37);
    let bodies = [[0.5, 0.7, 0.4], [0.6, 0.1, 0.2]].map(|semi_axes| BodySurface::Ellipsoid { semi_axes });
    let law = linear_law(REGULARISED);
    let options = PairOptions { threshold: 1.0, most: 4 };
    let pair =
        SurfacePair::new(Form::Body(bodies[0]), Form::Body(bodies[1]), law, options).expect("a valid pair");
    let mut found = 0;
    for k in 0..100 {
        let X1 = r.pose(3.0, 1.0);
        let out = (r.vector(1.0) + Vec3::new(1e-3, 0.0, 0.0)).normalize() * (0.9 + 0.3 * r.next());
        let X2 = Pose::new(&rotation::exp(&r.vector(3.0)), X1.p + out);
        let sides = [X1, X2].map(|X| moving(X, Vec3::zeros(), Vec3::zeros()));
        let state = pair.start(&sides, &mut PairScratch::default());
        let all: Vec<&Candidate> = state.slots.iter().flatten().collect();
        let points = |i: usize| directions(500).map(move |n| sides[i].X_WS.point(&bodies[i].facing(&n)));
        let ones: Vec<Vec3> = points(0).collect();
        let sampled = points(1).map(|q| ones.iter().map(|p| (p - q).norm()).fold(f64::INFINITY, f64::min));
        let sampled = sampled.fold(f64::INFINITY, f64::min);
        // Apart where some direction separates them; deep inside each other they may have no facing points.
        let separated = directions(2000).any(|n| {
            let p = sides[0].X_WS.point(&bodies[0].facing(&X1.R.tr_mul(&n)));
            let q = sides[1].X_WS.point(&bodies[1].facing(&X2.R.tr_mul(&-n)));
            n.dot(&(q - p)) > 0.0
        });
        if separated {
            assert_eq!(all.len(), 1, "{k}: {all:?}");
            assert!(all[0].gap <= sampled && sampled < all[0].gap + 0.03, "{k}: {} {sampled}", all[0].gap);
            found += 1;
        }
        assert!(all.len() <= 1);
    }
    assert!(found > 30, "{found}");
}

/// Closed forms: a cylinder across a ball, a torus that stands, a cap in a bowl.
#[test]
fn other_forms_find_their_closed_forms() {
    let law = linear_law(REGULARISED);
    let upside_down = rotation::exp(&(Vec3::x() * std::f64::consts::PI));
    let hill = HeightForm::Ellipsoid { centre: [0.0; 3], semi_axes: [1.0; 3], hollow: false };
    let plane = HeightForm::Plane { height: 0.0, gradient: [0.0; 2] };
    let quarter = rotation::exp(&(Vec3::x() * std::f64::consts::FRAC_PI_2));
    let cap = HeightSurface::new(HeightForm::Paraboloid { height: 0.0, coefficients: [-1.5, -1.5] });
    let bowl_form = bowl().form().clone();
    let cases = [
        (
            hill,
            Form::Body(BodySurface::Cylinder { radius: 0.2, half_length: 0.5 }),
            quarter,
            1.25,
            1.25 - 1.0 - 0.2,
        ),
        (plane, Form::Body(BodySurface::Torus { radius: 0.4, tube: 0.1 }), quarter, 0.55, 0.05),
        (bowl_form, Form::Height(cap), upside_down, 0.07, 0.07),
    ];
    for (ground, two, turn, height, gap) in cases {
        let pair = pair(Form::Height(HeightSurface::new(ground)), two, law);
        let X = Pose::new(&turn, Vec3::new(0.0, 0.0, height));
        let sides = [SurfaceMotion::at_rest(Pose::identity()), moving(X, Vec3::zeros(), Vec3::zeros())];
        let state = pair.start(&sides, &mut PairScratch::default());
        // The rims of the cylinder are near, too: 0.163 m above the ball.
        let gaps: Vec<f64> = state.slots.iter().flatten().map(|c| c.gap).collect();
        let nearest = gaps.iter().copied().fold(f64::INFINITY, f64::min);
        let others = gaps.iter().filter(|g| **g > nearest).all(|g| *g > 0.16);
        assert!((nearest - gap).abs() < 1e-12 && others, "{gaps:?}, expected {gap}");
    }
}

/// Bodies at bodies: a ball outside a torus and inside its hole, the corner of a box on a sphere.
#[test]
fn bodies_at_bodies_find_their_closed_forms() {
    let law = linear_law(REGULARISED);
    let torus = Form::Body(BodySurface::Torus { radius: 0.5, tube: 0.1 });
    let outside = pair(torus, ball(0.2), law);
    let gaps = |pair: &SurfacePair, X: Pose| {
        let sides = [SurfaceMotion::at_rest(Pose::identity()), moving(X, Vec3::zeros(), Vec3::zeros())];
        let state = pair.start(&sides, &mut PairScratch::default());
        let mut gaps: Vec<f64> = state.slots.iter().flatten().map(|c| c.gap).collect();
        gaps.sort_by(f64::total_cmp);
        gaps
    };
    let found = gaps(&outside, Pose::translation(Vec3::new(0.0, 0.85, 0.0)));
    assert!(found.len() == 1 && (found[0] - 0.05).abs() < 1e-12, "{found:?}");
    // In the hole, off the middle: near one side, and the other side is a saddle of the distance around the
    // hole.
    let found = gaps(&outside, Pose::translation(Vec3::new(0.17, 0.0, 0.0)));
    assert!(!found.is_empty() && (found[0] - 0.03).abs() < 1e-12, "{found:?}");

    let cube = touchdown_geometry::Shape::Box { size: Vec3::repeat(0.4) }.triangulate(8);
    let sphere = Form::Body(BodySurface::Sphere { radius: 1.0 });
    let on_corner = pair(sphere, Form::Mesh { mesh: cube, radius: 0.02 }, law);
    // The corner (−1, −1, −1) straight down.
    let diagonal = Vec3::repeat(-1.0).normalize();
    let turn = touchdown_math::Quat::rotation_between(&diagonal, &-Vec3::z()).expect("not opposite");
    let half = 0.2 * 3f64.sqrt();
    let found = gaps(&on_corner, Pose::new(&turn, Vec3::new(0.0, 0.0, 1.0 + 0.02 + half + 0.01)));
    assert!(found.len() == 1 && (found[0] - 0.01).abs() < 1e-12, "{found:?}");
}

/// A ball that rolls over a whole map of either class, across hundreds of cells, is never lost, although
/// curvatures of class C¹ jump.
#[test]
fn rolling_across_cells_keeps_the_contact() {
    for smoothness in [Smoothness::C1, Smoothness::C2] {
        let ground = hills(smoothness);
        let pair = pair(Form::Height(ground.clone()), ball(0.25), linear_law(REGULARISED));
        let mut scratch = PairScratch::default();
        let at = |k: usize| {
            let t = k as f64 / 2000.0;
            let (x, y) = (-3.3 + 6.6 * t, 3.0 * (9.0 * t).sin());
            let jet = ground.jet(x, y).expect("inside");
            placed(Vec3::new(x, y, jet.z) + jet.normal() * (0.25 - 1e-3))
        };
        let mut state = pair.start(&at(0), &mut scratch);
        for k in 1..=2000 {
            pair.commit(&at(k), 0.01, &mut state, &mut [], &mut scratch);
            let gap = state.slots[0].map(|c| c.gap);
            assert!(gap.is_some_and(|gap| (gap + 1e-3).abs() < 1e-12), "{smoothness:?} {k}: {gap:?}");
        }
        assert_eq!((state.lost, state.crowded), (0, 0));
    }
}

/// A rough mesh over hills has its deepest corner among its candidates, however it is turned: the tree hides
/// none.
#[test]
fn meshes_find_their_deepest_corner() {
    let mut r = Random(41);
    let mut mesh = touchdown_geometry::Shape::Sphere { radius: 0.3 }.triangulate(24);
    for v in &mut mesh.vertices {
        *v *= 1.0 + 0.2 * r.next();
    }
    let ground = hills(Smoothness::C2);
    let form = Form::Mesh { mesh: mesh.clone(), radius: 0.01 };
    let options = PairOptions { threshold: 0.05, most: 8 };
    let law = linear_law(REGULARISED);
    let pair = SurfacePair::new(Form::Height(ground.clone()), form, law, options).expect("a valid pair");
    let mut near = 0;
    for k in 0..60 {
        let X = Pose::new(
            &rotation::exp(&r.vector(3.0)),
            Vec3::new(2.0 * r.next(), 2.0 * r.next(), 0.4 + 0.05 * r.next()),
        );
        let sides = [SurfaceMotion::at_rest(Pose::identity()), moving(X, Vec3::zeros(), Vec3::zeros())];
        let state = pair.start(&sides, &mut PairScratch::default());
        let deepest = mesh.vertices.iter().filter_map(|v| {
            let c = X.point(v);
            let start = [c, Vec3::zeros()];
            let ball = super::super::sides::Two::Ball { centre: *v, radius: 0.01 };
            track(&pair.one, &ball, [&sides[0].X_WS, &X], start, &mut [None, None]).ok().map(|f| f.gap)
        });
        let deepest = deepest.fold(f64::INFINITY, f64::min);
        let found = state.slots.iter().flatten().map(|c| c.gap).fold(f64::INFINITY, f64::min);
        if deepest < 0.05 {
            assert!((found - deepest).abs() < 1e-12, "{k}: {found} {deepest}");
            near += 1;
        } else {
            assert_eq!(found, f64::INFINITY);
        }
    }
    assert!(near > 20, "{near}");
}
