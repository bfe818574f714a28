//! Against slow and obvious implementations: clipping every facet with every cell, and the vertex cloud of
//! the paper.

use super::*;
use proptest::prelude::*;

/// A cell as found by clipping.
struct Clipped {
    area: f64,
    extent: [f64; 4],
    /// From the node to the nearest covered place, and the lowest level there.
    distance: f64,
    level: f64,
}

/// Smallest part of a cell whose sides differ from rounding, m².
const SLIVER: f64 = 1e-16;

/// Clips all facets that look down with the cell about (x, y), after Sutherland and Hodgman; parts not above
/// `least` are left out.
fn clip_cell(mesh: &TriangleMesh, X_WS: &Pose, (x, y): (f64, f64), least: f64) -> Clipped {
    let (distance, level) = (f64::INFINITY, f64::INFINITY);
    let mut cell = Clipped { area: 0.0, extent: cover::NO_BOX, distance, level };
    for triangle in 0..mesh.triangles.len() {
        let mut polygon = mesh.corners(triangle).map(|p| X_WS.point(&p) - Vec3::new(x, y, 0.0)).to_vec();
        let normal = (polygon[1] - polygon[0]).cross(&(polygon[2] - polygon[0]));
        if normal.z >= 0.0 {
            continue;
        }
        let over_node = normal.dot(&polygon[0]) / normal.z;
        for (axis, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)] {
            let depth = |p: &Vec3| 0.5 * SPACING - sign * p[axis];
            let mut clipped = Vec::new();
            for (k, p) in polygon.iter().enumerate() {
                let q = &polygon[(k + 1) % polygon.len()];
                if depth(p) >= 0.0 {
                    clipped.push(*p);
                }
                if (depth(p) >= 0.0) != (depth(q) >= 0.0) {
                    clipped.push(p + (q - p) * (depth(p) / (depth(p) - depth(q))));
                }
            }
            polygon = clipped;
        }
        let sides: Vec<(Vec3, Vec3)> =
            (0..polygon.len()).map(|k| (polygon[k], polygon[(k + 1) % polygon.len()])).collect();
        let part = -0.5 * sides.iter().map(|(p, q)| p.x * q.y - p.y * q.x).sum::<f64>();
        if part <= least {
            continue;
        }
        cell.area += part;
        polygon.iter().for_each(|p| cover::extend(&mut cell.extent, x + p.x, y + p.y));
        let is_under = sides.iter().all(|(p, q)| p.x * q.y - p.y * q.x <= 0.0);
        let mut nearest = if is_under { Vec3::z() * over_node } else { Vec3::repeat(f64::INFINITY) };
        for (p, q) in sides.iter().filter(|_| !is_under) {
            let d = q - p;
            let s = (-(p.xy().dot(&d.xy())) / d.xy().norm_squared().max(1e-300)).clamp(0.0, 1.0);
            if (p + d * s).xy().norm() < nearest.xy().norm() {
                nearest = p + d * s;
            }
        }
        let distance = nearest.xy().norm();
        if distance < cell.distance - 1e-13 || (distance < cell.distance + 1e-13 && nearest.z < cell.level) {
            (cell.distance, cell.level) = (distance, nearest.z);
        }
    }
    cell
}

/// Covers, boxes and levels are those of clipping each facet with each cell.
fn assert_like_clipping(mesh: &TriangleMesh, X_WS: &Pose) -> Result<(), TestCaseError> {
    let columns = columns(mesh, X_WS, f64::INFINITY);
    for (k, (x, y, column)) in places(&columns).enumerate() {
        // With and without slivers: whether a sliver counts is a matter of rounding, and it can reach farther
        // than its area suggests.
        let [a, b] = [0.0, SLIVER].map(|least| clip_cell(mesh, X_WS, (x, y), least));
        let cover = (b.area / (SPACING * SPACING)).min(1.0);
        prop_assert!((column.cover - cover).abs() < 1e-11, "cover {} {cover}", column.cover);
        // The shape of a cell with less cover is not defined beyond rounding.
        if cover < 1e-9 {
            continue;
        }
        let is_between =
            |found: f64, a: f64, b: f64, off: f64| found > a.min(b) - off && found < a.max(b) + off;
        for side in 0..4 {
            let found = columns.boxes[k];
            let is_right = is_between(found[side], a.extent[side], b.extent[side], 1e-11);
            prop_assert!(is_right, "box {found:?} {:?} {:?}", a.extent, b.extent);
        }
        let is_right = is_between(column.level, a.level, b.level, 1e-9);
        prop_assert!(is_right, "{} {} {}", column.level, a.level, b.level);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn boxes_are_clipped_right(turn in prop::array::uniform3(-3.0..3.0f64), x in -0.01..0.01f64, y in -0.01..0.01f64) {
        assert_like_clipping(&cuboid(0.07, 0.04, 0.02), &pose(turn, [x, y, 0.1]))?;
    }

    /// Also where solids overlap, or where one lies under the other.
    #[test]
    fn rounded_and_joined_bodies_are_clipped_right(turn in prop::array::uniform3(-3.0..3.0f64), x in -0.01..0.01f64) {
        let sphere = Shape::Sphere { radius: 0.03 }.triangulate(9);
        assert_like_clipping(&sphere, &pose(turn, [x, 0.3 * x, 0.1]))?;
        let mesh = joined(&cuboid(0.07, 0.04, 0.02), &sphere, [0.02, 0.01, 0.03]);
        assert_like_clipping(&mesh, &pose(turn, [x, 0.3 * x, 0.1]))?;
    }
}

/// The paper's method: the lowest of a cloud of points in a column of some width about each node; infinite
/// where there is none.
fn cloud_minima(mesh: &TriangleMesh, X_WS: &Pose, gap: f64, width: f64, columns: &Columns) -> Vec<f64> {
    let mut minima = vec![f64::INFINITY; columns.at.len()];
    for triangle in 0..mesh.triangles.len() {
        let [a, b, c] = mesh.corners(triangle).map(|p| X_WS.point(&p));
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        let n = (longest / gap).ceil();
        for i in 0..=n as u32 {
            for j in 0..=n as u32 - i {
                let p = a + (b - a) * (f64::from(i) / n) + (c - a) * (f64::from(j) / n);
                let node = [p.x, p.y].map(|x| (x / SPACING).round());
                let off = f64::max((p.x - node[0] * SPACING).abs(), (p.y - node[1] * SPACING).abs());
                let (k, l) = (node[0] as i64 - columns.i0, node[1] as i64 - columns.j0);
                let is_in = (0..columns.nx as i64).contains(&k) && (0..columns.ny as i64).contains(&l);
                if is_in && off <= 0.5 * width {
                    let minimum = &mut minima[l as usize * columns.nx + k as usize];
                    *minimum = minimum.min(p.z);
                }
            }
        }
    }
    minima
}

/// As cloud and columns are refined together, the lowest vertex tends to the level over the node: from below
/// by half a column along the slope, from above by the gaps of the cloud; first order in both. In columns as
/// wide as cells it stays below by O(ds), whatever the cloud.
#[test]
fn vertex_cloud_tends_to_the_same_levels() {
    let bodies = [
        (Shape::Sphere { radius: 0.06 }.triangulate(48), pose([0.3, 0.2, 0.1], [0.002, 0.003, 0.05])),
        (wheel(96), pose([0.1, 0.2, 0.4], [0.0012, 0.0031, 0.1])),
        (cuboid(0.2, 0.15, 0.08), pose([0.4, -0.3, 0.6], [0.001, 0.002, 0.04])),
    ];
    for (mesh, X_WS) in &bodies {
        let lowest = MeshUnderside::new(mesh).lowest(X_WS);
        let columns = columns(mesh, X_WS, lowest + 0.03);
        // Nodes whose cells lie under the body, on slopes to 45°.
        let inner: Vec<usize> = (0..columns.at.len())
            .filter(|&k| {
                columns.at[k].cover > 1.0 - 1e-12 && columns.at[k].slope.iter().all(|s| s.abs() < 1.0)
            })
            .filter(|&k| columns.at[k].level < lowest + 0.03)
            .collect();
        assert!(inner.len() > 20);
        let mut mean = [0.0; 3];
        for (level, width) in [0.4 * SPACING, 0.2 * SPACING, 0.1 * SPACING].into_iter().enumerate() {
            let minima = cloud_minima(mesh, X_WS, width / 8.0, width, &columns);
            for &k in &inner {
                let difference = minima[k] - columns.at[k].level;
                // Below by slopes of at most 1 (and what curvature and edges add, a facet's turn) over half
                // the width in x and y; above by as much over a gap.
                assert!(difference > -1.3 * width && difference < width / 4.0, "{difference} {width}");
                mean[level] += difference.abs() / inner.len() as f64;
            }
        }
        for pair in mean.windows(2) {
            assert!((pair[0] / pair[1] - 2.0).abs() < 0.25, "{mean:?}");
        }
        // Columns as wide as cells: the bias of half a cell along the slope remains.
        let minima = cloud_minima(mesh, X_WS, SPACING / 40.0, SPACING, &columns);
        let bias: f64 = inner.iter().map(|&k| columns.at[k].level - minima[k]).sum();
        let slopes: f64 =
            inner.iter().map(|&k| columns.at[k].slope.iter().map(|s| s.abs()).sum::<f64>()).sum();
        assert!((bias / (0.5 * SPACING * slopes) - 1.0).abs() < 0.2, "{}", bias / (0.5 * SPACING * slopes));
    }
}
