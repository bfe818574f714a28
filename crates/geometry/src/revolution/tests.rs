use super::*;
use proptest::prelude::*;

/// A crown: out along a cone, around a lip, back inside, not a graph of ρ(a).
fn crown() -> Section {
    let path = Path::from([0.0, 0.02]).line([0.05, 0.04]).arc([0.055, 0.045], [0.05, 0.05]).spline(&[
        [0.03, 0.055],
        [0.02, 0.07],
        [0.03, 0.08],
    ]);
    Section::new(&path, Side::Solid).unwrap()
}

/// A sphere's section is its exact distance |p| − R inside and outside, as a solid and as a cavity.
#[test]
fn a_sphere_has_its_distance() {
    let path = Path::from([-0.05, 0.0]).arc([0.0, 0.05], [0.05, 0.0]);
    for (side, sign) in [(Side::Solid, 1.0), (Side::Cavity, -1.0)] {
        let sphere = Section::new(&path, side).unwrap();
        for (a, r) in [(0.03, 0.01), (-0.06, 0.02), (0.0, 0.049), (0.05, 0.0), (-0.001, 0.0002), (0.2, 0.0)] {
            let foot = sphere.foot([a, r]);
            let expected = sign * (f64::hypot(a, r) - 0.05);
            assert!((foot.distance - expected).abs() < 1e-16, "{a} {r}: {} {expected}", foot.distance);
        }
        assert!((sphere.area() - 4.0 * std::f64::consts::PI * 0.0025).abs() < 1e-15);
    }
}

/// Distance, normal and curvature are those of the nearest of many points of the section, and the normal is the gradient.
#[test]
fn the_foot_is_the_nearest_point() {
    let section = crown();
    let cloud: Vec<Point> =
        section.segments().iter().flat_map(|s| (0..=200).map(|k| s.point(f64::from(k) / 200.0))).collect();
    let spacing = section.segments().iter().map(|s| s.length / 200.0).fold(0.0, f64::max);
    for i in 0..40 {
        for j in 0..40 {
            let p = [-0.02 + 0.0023 * f64::from(i), 0.0001 + 0.0023 * f64::from(j)];
            let foot = section.foot(p);
            let brute =
                cloud.iter().map(|q| f64::hypot(q[0] - p[0], q[1] - p[1])).fold(f64::INFINITY, f64::min);
            // No sample is nearer; the foot is half a spacing from one. Arcs of large radius carry round-off of r·ε.
            assert!(foot.distance.abs() <= brute + 1e-13, "{p:?} {foot:?} {brute}");
            assert!(brute <= foot.distance.abs() + 0.5 * spacing + 1e-13, "{p:?} {foot:?} {brute}");
            let h = 1e-6;
            let gradient = [0, 1].map(|c| {
                let (mut low, mut high) = (p, p);
                (low[c], high[c]) = (p[c] - h, p[c] + h);
                (section.distance(high) - section.distance(low)) / (2.0 * h)
            });
            let smooth = section.foot([p[0] + 1e-4, p[1]]).segment == foot.segment
                && section.foot([p[0], p[1] + 1e-4]).segment == foot.segment
                && section.foot([p[0] - 1e-4, p[1] - 1e-4]).segment == foot.segment;
            if smooth && foot.distance.abs() > 1e-3 {
                for c in 0..2 {
                    assert!((gradient[c] - foot.normal[c]).abs() < 1e-6, "{p:?} {gradient:?} {foot:?}");
                }
                let t = [-foot.normal[1], foot.normal[0]];
                let ahead = section.foot([p[0] + h * t[0], p[1] + h * t[1]]);
                if ahead.segment == foot.segment {
                    let turn = ((ahead.normal[0] - foot.normal[0]) * t[0]
                        + (ahead.normal[1] - foot.normal[1]) * t[1])
                        / h;
                    assert!(
                        (turn - foot.bend).abs() < 1e-3 * (1.0 + foot.bend.abs()),
                        "{turn} {}",
                        foot.bend
                    );
                }
            }
        }
    }
}

/// Arcs of a spline join without a corner and follow it: through points of a circle they stay on the circle to the spline's own error, which falls
/// with the fourth power of the spacing away from the natural ends.
#[test]
fn splines_are_smooth_and_close() {
    let error = |n: usize| {
        let point = |k: usize| {
            let angle = std::f64::consts::PI * (1.0 - k as f64 / n as f64);
            [angle.cos(), 2.0 + angle.sin()]
        };
        let through: Vec<Point> = (1..=n).map(point).collect();
        let section = Section::new(&Path::from(point(0)).spline(&through), Side::Solid).unwrap();
        for pair in section.segments().windows(2) {
            let (u, w) = (pair[0].tangent_at(1.0), pair[1].tangent);
            assert!((u[0] * w[1] - u[1] * w[0]).abs() < 1e-9, "corner");
        }
        let middle = section.segments().len() / 4..3 * section.segments().len() / 4;
        let points =
            section.segments()[middle].iter().flat_map(|s| (0..4).map(|k| s.point(f64::from(k) / 4.0)));
        points.map(|p| (f64::hypot(p[0], p[1] - 2.0) - 1.0).abs()).fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(16), error(32));
    assert!(coarse < 1e-4 && coarse / fine > 10.0, "{coarse} {fine}");
}

/// Triangles have their corners on the surface, are isosceles, closed for a closed section, and carry the true area.
#[test]
fn meshes_are_isosceles_and_carry_the_area() {
    let sphere = Section::new(&Path::from([-1.0, 0.0]).arc([0.0, 1.0], [1.0, 0.0]), Side::Solid).unwrap();
    let out = sphere.mesh(&sphere.resolution(24));
    assert!(out.mesh.check().is_ok() && out.mesh.is_closed());
    assert!((out.areas.iter().sum::<f64>() - 4.0 * std::f64::consts::PI).abs() < 1e-12);
    let volume = out.mesh.volume() / (4.0 / 3.0 * std::f64::consts::PI);
    assert!(volume > 0.97 && volume < 1.0, "{volume}");
    for t in 0..out.mesh.triangles.len() {
        let [a, b, c] = out.mesh.corners(t);
        let mut sides = [(a - b).norm(), (b - c).norm(), (c - a).norm()];
        sides.sort_by(f64::total_cmp);
        assert!(
            (sides[0] - sides[1]).min(sides[1] - sides[2]).abs() < 1e-12
                || (sides[1] - sides[0]) < 1e-12
                || (sides[2] - sides[1]) < 1e-12
        );
    }
    let cavity = Section::new(&Path::from([-1.0, 0.0]).arc([0.0, 1.0], [1.0, 0.0]), Side::Cavity).unwrap();
    assert!(cavity.mesh(&cavity.resolution(24)).mesh.volume() < 0.0);
    let crown = crown();
    let out = crown.mesh(&crown.resolution(32));
    assert!((out.areas.iter().sum::<f64>() - crown.area()).abs() < 1e-12);
}

/// Rings are close where the section bends and far where it is straight.
#[test]
fn rings_follow_the_curvature() {
    let path =
        Path::from([0.0, 0.01]).line([0.1, 0.01]).arc([0.10146, 0.00646], [0.105, 0.005]).line([0.2, 0.005]);
    let section = Section::new(&path, Side::Cavity).unwrap();
    let rings = section.rings(&Resolution { segments: 32, sagitta: 1e-5, spacing: 0.02 });
    let gap = |segment: usize| {
        section.segments()[segment].length / rings.iter().filter(|r| r.segment == segment).count() as f64
    };
    let bent = (0..section.segments().len()).find(|k| section.segments()[*k].arc.is_some()).unwrap();
    assert!(gap(bent) < 7e-4 && gap(0) > 0.01, "{} {}", gap(bent), gap(0));
}

/// A crown that opens: the rate of the distance is that of differences, for lines and for arcs.
#[test]
fn moving_sections_know_their_speed() {
    let shut = Path::from([0.0, 0.02]).line([0.05, 0.02]).arc([0.055, 0.025], [0.05, 0.03]);
    let open = Path::from([0.0, 0.02]).line([0.05, 0.04]).arc([0.057, 0.047], [0.05, 0.05]);
    let family = Family::new(vec![(0.0, shut), (2.0, open)], Side::Solid).unwrap();
    let (q, h) = (0.7, 1e-5);
    let now = family.at(q);
    let (before, after) = (family.at(q - h), family.at(q + h));
    for p in [[0.02, 0.03], [0.03, 0.02], [0.058, 0.034], [0.05, 0.06], [-0.01, 0.01]] {
        let foot = now.section.foot(p);
        let rate = (after.section.distance(p) - before.section.distance(p)) / (2.0 * h);
        assert!((rate + now.normal_rate(&foot)).abs() < 1e-7, "{p:?} {rate} {}", now.normal_rate(&foot));
    }
    assert_eq!(family.at(5.0).normal_rate(&now.section.foot([0.02, 0.03])), 0.0);
}

/// Impossible sections are named.
#[test]
fn impossible_sections_are_refused() {
    let refuse = |points: &[Point]| Section::through(points, Side::Solid).unwrap_err();
    assert_eq!(refuse(&[]), SectionError::TooShort { found: 0 });
    assert_eq!(refuse(&[[0.0, 1.0]]), SectionError::TooShort { found: 1 });
    assert_eq!(refuse(&[[0.0, 1.0], [1.0, -0.5]]), SectionError::NegativeRadius { point: 1, radius: -0.5 });
    assert_eq!(refuse(&[[0.0, 1.0], [0.0, 1.0], [1.0, 1.0]]), SectionError::Coincide { point: 0 });
    assert!(matches!(refuse(&[[0.0, 1.0], [f64::NAN, 1.0]]), SectionError::NotFinite { point: 1 }));
    let crossed = refuse(&[[0.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.5, 2.0], [0.5, 0.5]]);
    assert_eq!(crossed, SectionError::CrossesItself { axial: 0.5, radius: 1.0 });
    let dips = Path::from([0.0, 0.1]).arc([1.0, 0.0], [2.0, 0.1]);
    assert!(Section::new(&dips, Side::Solid).is_ok());
    let dips = Path::from([0.0, 0.1]).arc([0.3, 0.0], [2.0, 0.1]);
    assert!(matches!(Section::new(&dips, Side::Solid), Err(SectionError::CrossesAxis { .. })));
    let line = || Path::from([0.0, 1.0]).line([1.0, 1.0]);
    let arc = Path::from([0.0, 1.0]).arc([0.5, 1.2], [1.0, 1.0]);
    assert_eq!(
        Family::new(vec![(0.0, line()), (1.0, arc)], Side::Solid),
        Err(SectionError::Mismatch { member: 1 })
    );
    assert_eq!(
        Family::new(vec![(1.0, line()), (1.0, line())], Side::Solid),
        Err(SectionError::Order { member: 1 })
    );
}

/// Corners limit how deep the distance is smooth, arcs by their radius; concave ones do not.
#[test]
fn reach_is_the_least_convex_radius() {
    let corner = Section::through(&[[0.0, 1.0], [1.0, 1.0], [2.0, 0.5]], Side::Solid).unwrap();
    assert_eq!(corner.reach(), 0.0);
    let hollow = Section::through(&[[0.0, 1.0], [1.0, 1.0], [2.0, 0.5]], Side::Cavity).unwrap();
    assert_eq!(hollow.reach(), f64::INFINITY);
    let sphere = Section::new(&Path::from([-1.0, 0.0]).arc([0.0, 1.0], [1.0, 0.0]), Side::Solid).unwrap();
    assert!((sphere.reach() - 1.0).abs() < 1e-12);
}

proptest! {
    /// What is near a neighbourhood holds the foot of each of its points.
    #[test]
    fn near_segments_suffice(a in -0.05..0.1f64, r in 0.0..0.15f64, da in -1.0..1.0f64, dr in -1.0..1.0f64, radius in 0.0..0.03f64) {
        let section = crown();
        let (near, _) = section.near([a, r], radius, 3);
        let size = f64::hypot(da, dr).max(1.0);
        let p = [a + radius * da / size, (r + radius * dr / size).abs()];
        // A mirrored point is nearer still: the map to the half-plane never stretches.
        prop_assert!((section.foot_among(&near, p).distance - section.foot(p).distance).abs() < 1e-15);
    }

    /// Any finite points give a section or an error, and any point a finite foot.
    #[test]
    fn random_sections_do_not_panic(points in prop::collection::vec((-1.0..1.0f64, -0.1..1.0f64), 0..6), a in -2.0..2.0f64, r in 0.0..2.0f64) {
        let points: Vec<Point> = points.iter().map(|p| [p.0, p.1]).collect();
        if let Ok(section) = Section::through(&points, Side::Cavity) {
            let foot = section.foot([a, r]);
            prop_assert!(foot.distance.is_finite() && foot.bend.is_finite());
            prop_assert!((f64::hypot(foot.normal[0], foot.normal[1]) - 1.0).abs() < 1e-12);
        }
        if points.len() > 2
            && let Ok(section) = Section::new(&Path::from(points[0]).spline(&points[1..]), Side::Solid)
        {
            prop_assert!(section.foot([a, r]).distance.is_finite());
            prop_assert!(section.mesh(&section.resolution(8)).mesh.check().is_ok());
        }
    }
}
