//! Against closed forms: projected areas, planes of a tilted box, sphere, wheel.

use super::*;
use proptest::prelude::*;

/// Area of the projection of a box: half the sum over its six sides.
fn projected(size: [f64; 3], X_WS: &Pose) -> f64 {
    (0..3).map(|k| X_WS.R[(2, k)].abs() * size[(k + 1) % 3] * size[(k + 2) % 3]).sum()
}

proptest! {
    /// The covers of all cells add up to the projection of the body, however it is turned and moved.
    #[test]
    fn covers_add_up_to_the_projection(
        turn in prop::array::uniform3(-3.0..3.0f64), p in prop::array::uniform3(-2.0..2.0f64),
    ) {
        let size = [0.2, 0.1, 0.03];
        for turn in [[0.0, 0.0, turn[2]], [0.0; 3], turn] {
            let X_WS = pose(turn, p);
            let columns = columns(&cuboid(size[0], size[1], size[2]), &X_WS, f64::INFINITY);
            prop_assert!((covered_area(&columns) - projected(size, &X_WS)).abs() < 1e-14);
        }
    }

    /// Over a node under it, a convex body's underside is the highest of the planes of the sides that look down.
    #[test]
    fn tilted_box_has_its_planes(turn in prop::array::uniform3(-1.2..1.2f64), shift in 0.0..0.01f64) {
        let size = [0.2, 0.1, 0.06];
        let X_WS = pose(turn, [shift, -0.4 * shift, 0.1]);
        let planes: Vec<(Vec3, f64)> = (0..6).filter_map(|k| {
            let (axis, sign) = (k / 2, if k % 2 == 0 { 1.0 } else { -1.0 });
            let n: Vec3 = X_WS.R.column(axis) * sign;
            (n.z < -1e-3).then(|| (n, n.dot(&X_WS.p) + 0.5 * size[axis]))
        }).collect();
        prop_assume!((0..3).all(|k| X_WS.R[(2, k)].abs() > 1e-3));
        let columns = columns(&cuboid(size[0], size[1], size[2]), &X_WS, f64::INFINITY);
        let X_SW = X_WS.inverse();
        let mut compared = 0;
        for (x, y, column) in places(&columns) {
            let height = |(n, d): &(Vec3, f64)| (d - n.x * x - n.y * y) / n.z;
            let mut levels: Vec<f64> = planes.iter().map(height).collect();
            levels.sort_by(f64::total_cmp);
            let expected = levels[2];
            let p_SQ = X_SW.point(&Vec3::new(x, y, expected));
            // Outside the projection the highest plane is met beyond the box.
            if (0..3).any(|k| p_SQ[k].abs() > 0.5 * size[k] + 1e-12) {
                continue;
            }
            compared += 1;
            // Slopes are at most 1e3.
            prop_assert!((column.level - expected).abs() < 1e-12, "{} {expected}", column.level);
            if levels[2] - levels[1] > 1e-9 {
                let n = planes.iter().max_by(|a, b| height(a).total_cmp(&height(b))).unwrap().0;
                prop_assert!((column.slope[0] + n.x / n.z).abs() < 1e-9);
                prop_assert!((column.slope[1] + n.y / n.z).abs() < 1e-9);
            }
        }
        prop_assert!(compared as f64 * SPACING * SPACING > 0.8 * projected(size, &X_WS));
    }

    /// All cells that a level plate covers, whole or in part, have its level and no slope; their boxes make up the plate.
    #[test]
    fn level_plate_is_exact(x in -2.0..2.0f64, y in -2.0..2.0f64, a in 0.004..0.2f64, b in 0.004..0.2f64) {
        let columns = columns(&cuboid(a, b, 0.02), &pose([0.0; 3], [x, y, 0.01]), 0.0);
        prop_assert!(columns.at.is_empty());
        let columns = super::columns(&cuboid(a, b, 0.02), &pose([0.0; 3], [x, y, 0.007]), 0.0);
        for column in columns.at.iter().filter(|column| column.cover > 0.0) {
            prop_assert!((column.level + 0.003).abs() < 1e-15);
            prop_assert!(column.slope == [0.0; 2]);
        }
        prop_assert!((covered_area(&columns) - a * b).abs() < 1e-14);
        let boxes = columns.boxes.iter().filter(|extent| extent[1] > extent[0]);
        let sum: f64 = boxes.clone().map(|[x0, x1, y0, y1]| (x1 - x0) * (y1 - y0)).sum();
        prop_assert!((sum - a * b).abs() < 1e-14);
        let mut points = Vec::new();
        boxes.for_each(|&extent| crate::soil::outline::add_corners(&mut points, extent));
        let patch = crate::soil::outline::patch(&mut points).unwrap();
        prop_assert!((patch.area - a * b).abs() < 1e-13);
        prop_assert!((patch.perimeter - 2.0 * (a + b)).abs() < 1e-12);
        prop_assert!((patch.short_side - a.min(b)).abs() < 1e-12);
    }
}

/// A plate whose edges fall midway between nodes covers whole cells and nothing beside them.
#[test]
fn plate_along_cells_covers_whole_cells() {
    let mesh = cuboid(0.1, 0.2, 0.02);
    for (i, j) in [(0.0, 0.0), (37.0, -12.0), (-251.0, 333.0)] {
        let columns = columns(&mesh, &pose([0.0; 3], [(i + 0.5) * SPACING, (j - 0.5) * SPACING, 0.0]), 0.0);
        let covers: Vec<f64> =
            columns.at.iter().map(|column| column.cover).filter(|&cover| cover > 0.0).collect();
        assert_eq!(covers.len(), 10 * 20);
        // Places of 3 m are rounded to 4e-16 m, 4e-14 cells.
        assert!(covers.iter().all(|cover| (cover - 1.0).abs() < 2e-13));
        let [x0, x1, y0, y1] = columns.boxes.iter().filter(|b| b[0] < b[1]).fold(cover::NO_BOX, |all, b| {
            [all[0].min(b[0]), all[1].max(b[1]), all[2].min(b[2]), all[3].max(b[3])]
        });
        assert!((x1 - x0 - 0.1).abs() < 1e-14 && (y1 - y0 - 0.2).abs() < 1e-14);
    }
}

/// Largest errors of level and slope against a closed form, over nodes where it is given.
fn errors(columns: &Columns, exact: impl Fn(f64, f64) -> Option<(f64, [f64; 2])>) -> (f64, f64) {
    places(columns).filter_map(|(x, y, column)| Some((column, exact(x, y)?))).fold(
        (0.0, 0.0),
        |(level, slope): (f64, f64), (column, exact)| {
            let slopes = (0..2).map(|k| (column.slope[k] - exact.1[k]).abs()).fold(0.0, f64::max);
            (level.max((column.level - exact.0).abs()), slope.max(slopes))
        },
    )
}

/// Inscribed facets lie off the sphere by the square of their length, their slopes by its first power.
#[test]
fn sphere_converges() {
    let (radius, X_WS) = (0.1, pose([0.4, 0.2, 0.9], [0.0031, -0.0047, 0.08]));
    let exact = |x: f64, y: f64| {
        let (x, y) = (x - X_WS.p.x, y - X_WS.p.y);
        let h = (radius * radius - x * x - y * y).max(0.0).sqrt();
        // To 45°, where slopes are one.
        (h > radius * 0.5f64.sqrt()).then(|| (X_WS.p.z - h, [x / h, y / h]))
    };
    let error = |segments| {
        let mesh = Shape::Sphere { radius }.triangulate(segments);
        errors(&columns(&mesh, &X_WS, 0.06), exact)
    };
    let (coarse, fine) = (error(64), error(256));
    // Half a facet's diagonal, ℓ = √2·πr/64, spans a sagitta ℓ²/(2r) along the normal, √2 as much along z; its slope is off by ℓ/r·2√2.
    let chord = 2f64.sqrt() * std::f64::consts::PI / 64.0;
    assert!(
        coarse.0 < radius * chord * chord / 2f64.sqrt() && coarse.1 < 2.0 * 2f64.sqrt() * chord,
        "{coarse:?}"
    );
    // A quarter of the length: sixteen and four times less, within the scatter of where nodes fall on facets.
    assert!(coarse.0 / fine.0 > 10.0 && coarse.1 / fine.1 > 2.5, "{coarse:?} {fine:?}");
}

/// A wheel that leans and steers: level and slope of the cylinder under it, and on its axle's line the lowest point.
#[test]
fn leaning_wheel_converges() {
    let (radius, half_width) = (0.125, 0.05);
    let X_WS = pose([0.15, 0.3, 0.5], [0.0017, 0.0029, 0.1]);
    let axis: Vec3 = X_WS.R.column(1).into();
    let exact = |x: f64, y: f64| {
        // |(p + zẑ) × a|² = r² for the lower z.
        let p = Vec3::new(x - X_WS.p.x, y - X_WS.p.y, 0.0).cross(&axis);
        let e = Vec3::z().cross(&axis);
        let (aa, bb, cc) = (e.dot(&e), e.dot(&p), p.dot(&p) - radius * radius);
        let root = (bb * bb - aa * cc).max(0.0).sqrt();
        let z = (-bb - root) / aa;
        let p_CQ = Vec3::new(x - X_WS.p.x, y - X_WS.p.y, z);
        let n = p_CQ - axis * axis.dot(&p_CQ);
        let is_on_rim = axis.dot(&p_CQ).abs() < half_width && n.z < -0.6 * radius;
        is_on_rim.then(|| (z + X_WS.p.z, [-n.x / n.z, -n.y / n.z]))
    };
    let error = |segments| errors(&columns(&wheel(segments), &X_WS, 0.08), exact);
    let (coarse, fine) = (error(64), error(256));
    // Sagitta ℓ²/(2r) with ℓ = πr/64 the half chord, over n_z = 0.6; slope off by ℓ/r over n_z².
    let chord = std::f64::consts::PI / 64.0;
    assert!(coarse.0 < radius * chord * chord / 2.0 / 0.6 && coarse.1 < chord / 0.36 * 1.1, "{coarse:?}");
    assert!(coarse.0 / fine.0 > 10.0 && coarse.1 / fine.1 > 2.5, "{coarse:?} {fine:?}");
    // Lowest point of a cylinder: −r·√(1 − a_z²) − (width/2)·|a_z|.
    let lowest = X_WS.p.z - radius * (1.0 - axis.z * axis.z).sqrt() - half_width * axis.z.abs();
    let found = MeshUnderside::new(&wheel(4096)).lowest(&X_WS);
    // The sagitta of half a segment.
    assert!(found >= lowest - 1e-15 && found - lowest < radius * (std::f64::consts::PI / 4096.0).powi(2));
}
