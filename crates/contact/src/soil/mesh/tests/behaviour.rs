//! Continuity, ceilings, concave and broken bodies, reuse of room.

use super::*;
use std::collections::BTreeMap;

/// cover·(ceiling − level) of each node: how soil feels cover and level together.
fn felt(mesh: &MeshUnderside, X_WS: &Pose, ceiling: f64) -> BTreeMap<(i64, i64), f64> {
    let mut columns = Columns::default();
    mesh.fill(X_WS, SPACING, ceiling, false, &mut MeshScratch::default(), &mut columns);
    let (i0, j0, nx) = (columns.i0, columns.j0, columns.nx);
    (columns.at.iter().enumerate())
        .map(|(k, column)| {
            let node = (i0 + (k % nx) as i64, j0 + (k / nx) as i64);
            (node, if column.cover > 0.0 { column.cover * (ceiling - column.level).max(0.0) } else { 0.0 })
        })
        .collect()
}

fn largest_change(a: &BTreeMap<(i64, i64), f64>, b: &BTreeMap<(i64, i64), f64>) -> f64 {
    let all = a.keys().chain(b.keys());
    all.map(|node| (a.get(node).unwrap_or(&0.0) - b.get(node).unwrap_or(&0.0)).abs()).fold(0.0, f64::max)
}

/// As a convex body moves, what each node feels changes continuously, also when edges pass over nodes, cells fill, and nodes come in from the
/// side: wherever it changes most in a step of the motion, it changes ever less as the step is halved there.
#[test]
fn motion_is_felt_continuously() {
    let bodies = [
        (cuboid(0.1, 0.07, 0.04), 0.03),
        (wheel(40), 0.11),
        (Shape::Sphere { radius: 0.06 }.triangulate(12), 0.04),
    ];
    let (step, halvings, ceiling) = (1e-3, 26, 0.02);
    for (mesh, height) in &bodies {
        let mesh = MeshUnderside::new(mesh);
        let at =
            |t: f64| felt(&mesh, &pose([0.3 * t, 0.2 + 0.1 * t, 3.0 * t], [t, -0.7 * t, *height]), ceiling);
        for n in 0..200 {
            let (mut from, mut to) = (f64::from(n) * step, f64::from(n + 1) * step);
            for _ in 0..halvings {
                let middle = 0.5 * (from + to);
                let half = at(middle);
                let is_first = largest_change(&at(from), &half) > largest_change(&half, &at(to));
                (from, to) = if is_first { (from, middle) } else { (middle, to) };
            }
            // Edges travel at less than 2 per unit of the motion, take 100/m of a cell each on a depth of 0.05 m, and the box starts with a side so
            // steep that levels rise by 100: some 200 in all, on a step of 1.5e-11. A jump would be a good part of the depth.
            let change = largest_change(&at(from), &at(to));
            assert!(change < 200.0 * (to - from), "{n}: {change}");
        }
    }
}

/// Every column below the ceiling is the same wherever the ceiling is put.
#[test]
fn ceiling_changes_nothing_below_it() {
    let X_WS = pose([0.1, 0.3, 0.4], [0.003, 0.001, 0.1]);
    for mesh in [wheel(90), Shape::Sphere { radius: 0.125 }.triangulate(60)] {
        let whole = columns(&mesh, &X_WS, f64::INFINITY);
        for ceiling in [-0.02, 0.0, 0.03] {
            let part = columns(&mesh, &X_WS, ceiling);
            assert!(part.at.len() < whole.at.len());
            let below = |columns: &Columns| -> Vec<_> {
                let kept = places(columns).filter(|(_, _, column)| column.level < ceiling);
                kept.map(|(x, y, column)| [x, y, column.level, column.cover]).collect()
            };
            let (part, whole) = (below(&part), below(&whole));
            assert!(!part.is_empty() && part.len() == whole.len());
            // Places are rounded with respect to the window's corner.
            let is_same = |(a, b): (&[f64; 4], &[f64; 4])| (0..4).all(|k| (a[k] - b[k]).abs() < 1e-13);
            assert!(part.iter().zip(&whole).all(is_same));
        }
    }
}

/// The window holds the part below the ceiling and one ring of nodes more, no matter how large the rest is.
#[test]
fn window_is_that_of_the_part_below() {
    // A slab tilted by 1:2 about y, its lower edge 20 mm under the ceiling: 40 mm of it, in the cells -4…0, lie below.
    let mesh = TriangleMesh {
        vertices: [[0.0, -5.0, 0.0], [0.0, 5.0, 0.0], [-9.0, 0.0, 4.5]].map(Vec3::from).to_vec(),
        triangles: vec![[0, 2, 1], [0, 1, 2]],
    };
    let columns = columns(&mesh, &pose([0.0; 3], [0.0034, 0.0, -0.02]), 0.0);
    assert_eq!((columns.i0, columns.nx), (-5, 7));
    assert!(columns.ny >= 999 && columns.ny <= 1005);
}

/// Of two bodies over each other the lower counts at each node, and no cell is covered more than once.
#[test]
fn lowest_of_several_counts() {
    let leg_under_table = joined(&cuboid(0.4, 0.4, 0.02), &cuboid(0.06, 0.06, 0.1), [0.003, 0.004, -0.05]);
    let X_WS = pose([0.0; 3], [0.0, 0.0, 0.08]);
    let whole = columns(&leg_under_table, &X_WS, 1.0);
    for (x, y, column) in places(&whole) {
        let is_leg = (x - 0.003).abs() < 0.03 && (y - 0.004).abs() < 0.03;
        let is_table = x.abs() < 0.199 && y.abs() < 0.199;
        let level = if is_leg { -0.02 } else { 0.07 };
        assert!(column.cover <= 1.0);
        assert!(!(is_leg || is_table) || (column.level - level).abs() < 1e-15);
    }
    // Below the ceiling there is only the leg, with its own edges.
    let leg = columns(&leg_under_table, &X_WS, 0.0);
    assert!((covered_area(&leg) - 0.06 * 0.06).abs() < 1e-15);
    assert!(leg.at.iter().all(|column| column.cover == 0.0 || (column.level + 0.02).abs() < 1e-15));
}

/// Loose triangles, as many files hold them, make the same columns as a joined mesh, and every edge finds its partner again.
#[test]
fn loose_triangles_are_joined() {
    let mesh = wheel(30);
    let mut loose = TriangleMesh::default();
    for (n, triangle) in mesh.triangles.iter().enumerate() {
        loose.vertices.extend(triangle.map(|i| mesh.vertices[i as usize]));
        loose.triangles.push([0, 1, 2].map(|k| 3 * n as u32 + k));
    }
    let X_WS = pose([0.1, 0.2, 0.3], [0.0, 0.0, 0.1]);
    let (a, b) = (columns(&mesh, &X_WS, 0.03), columns(&loose, &X_WS, 0.03));
    assert!(a.at == b.at && a.boxes == b.boxes);
    let facets = MeshUnderside::new(&loose).tree.facets;
    assert!(facets.iter().all(|facet| facet.across.iter().all(|&k| k != NONE)));
}

/// Bodies without facets, facets without area, corners that are not there, poses and spacings that are not numbers: no column, no panic.
#[test]
fn broken_input_gives_no_columns() {
    let nothing = TriangleMesh::default();
    let sliver = TriangleMesh {
        vertices: vec![Vec3::zeros(), Vec3::x(), 2.0 * Vec3::x(), Vec3::repeat(f64::NAN)],
        triangles: vec![[0, 1, 2], [0, 0, 1], [0, 1, 3], [0, 1, 9]],
    };
    for mesh in [&nothing, &sliver] {
        assert!(columns(mesh, &Pose::identity(), 1.0).at.is_empty());
        assert_eq!(MeshUnderside::new(mesh).lowest(&Pose::identity()), f64::INFINITY);
        assert!(MeshUnderside::new(mesh).bounds(&Pose::identity()).is_none());
    }
    let mesh = cuboid(0.1, 0.1, 0.1);
    for p in [[f64::NAN, 0.0, 0.0], [0.0, 0.0, f64::NAN], [1e300, 0.0, 0.0], [0.0, f64::NEG_INFINITY, 0.0]] {
        assert!(columns(&mesh, &pose([0.0; 3], p), 1.0).at.is_empty(), "{p:?}");
    }
    assert!(columns(&mesh, &Pose::identity(), f64::NAN).at.is_empty());
    for spacing in [0.0, -0.01, 1e-9, f64::NAN] {
        let (mut scratch, mut out) = (MeshScratch::default(), Columns::default());
        MeshUnderside::new(&mesh).fill(&Pose::identity(), spacing, 1.0, false, &mut scratch, &mut out);
        assert!(out.at.is_empty(), "{spacing}");
    }
}

/// The tree finds the lowest corner of all, at any pose.
#[test]
fn lowest_is_that_of_all_corners() {
    let mesh = joined(&wheel(64), &cuboid(0.02, 0.3, 0.05), [0.1, 0.0, 0.1]);
    let underside = MeshUnderside::new(&mesh);
    for n in 0..200 {
        let t = f64::from(n);
        let X_WS = pose([t.sin() * 2.0, (1.3 * t).cos() * 2.0, t], [0.0, 0.0, 0.3]);
        let lowest = mesh.vertices.iter().map(|p| X_WS.point(p).z).fold(f64::INFINITY, f64::min);
        // The same products in another order.
        assert!((underside.lowest(&X_WS) - lowest).abs() < 1e-15);
        let [x0, x1, y0, y1] = underside.bounds(&X_WS).unwrap();
        let is_in = |p: Vec3| p.x > x0 - 1e-12 && p.x < x1 + 1e-12 && p.y > y0 - 1e-12 && p.y < y1 + 1e-12;
        assert!(mesh.vertices.iter().all(|p| is_in(X_WS.point(p))));
    }
}

/// Filling again needs no new room, and leaves no trace in the scratch.
#[test]
fn room_is_reused() {
    let (underside, X_WS) = (MeshUnderside::new(&wheel(200)), pose([0.1, 0.0, 0.5], [0.0, 0.0, 0.1]));
    let (mut scratch, mut out) = (MeshScratch::default(), Columns::default());
    underside.fill(&X_WS, SPACING, 0.05, true, &mut scratch, &mut out);
    let first = out.clone();
    let room = |scratch: &MeshScratch, out: &Columns| {
        (scratch.seen.as_ptr(), scratch.is_seen.as_ptr(), out.at.as_ptr(), out.boxes.as_ptr())
    };
    let before = room(&scratch, &out);
    underside.fill(&pose([0.0; 3], [0.0, 0.0, 0.16]), SPACING, 0.05, true, &mut scratch, &mut out);
    underside.fill(&X_WS, SPACING, 0.05, true, &mut scratch, &mut out);
    assert!(out.at == first.at && out.boxes == first.boxes && (out.i0, out.nx) == (first.i0, first.nx));
    assert_eq!(room(&scratch, &out), before);
    assert!(scratch.is_seen.iter().all(|seen| !seen));
}
