//! Columns of a triangle mesh: its pose and the grid ⇒ the lowest point over each node and what the body covers of each cell.
//!
//! This generalises the column minima of Krenn & Hirzinger, section III. They use the lowest vertex of a
//! cloud in each column, which converges to the same as cloud and columns are refined. Here every facet
//! applies its plane to the nodes under it, so that no density has to be chosen.
//!
//! A facet counts if it faces down and reaches below the ceiling (found in `mesh/tree`). Nodes under such
//! facets use the lowest plane. Nodes outside with partly covered cells use the nearest covered place
//! (`mesh/cover`), so that their level is continuous when the edge of the body reaches the node, while the
//! cover grows from zero.
//!
//! Where counted facets overlap (a concave body, intersecting solids), each counts in the cover, which is
//! limited to one: too much only in cells where the edge of one crosses below or above another.

use super::columns::{Column, Columns};
use cover::{Corner, Cover, Edge};
use touchdown_geometry::TriangleMesh;
use touchdown_math::{Pose, Vec3};
use tree::{NONE, Tree};

mod cover;
#[cfg(test)]
mod tests;
mod tree;

/// Facets steeper than this (cosine to the vertical) are walls: they cover nothing beyond their neighbours.
const WALL: f64 = 1e-6;

/// Facets count up to so many cells above the ceiling, so that cells which the body covers at the ceiling's height are complete and
/// cover does not depend on where the ceiling was put: on slopes up to 2√2 (70°).
const REACH: f64 = 2.0;

/// Distance from a facet, in cells, at which a node still counts as under it, against rounding on edges that run through nodes.
const ON_EDGE: f64 = 1e-9;

/// A window of more nodes than this is an error (a diverged pose, a spacing unrelated to the body) and stays
/// empty.
const NODES_MAX: f64 = 1e8;

/// The underside of a triangle mesh (frame S).
#[derive(Clone, Debug)]
pub(super) struct MeshUnderside {
    tree: Tree,
}

/// Working memory of filling columns; only its capacity persists between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct MeshScratch {
    seen: Vec<Seen>,
    /// Whether a facet is in `seen`, by its index.
    is_seen: Vec<bool>,
    cover: Cover,
}

/// A facet that is seen from below.
#[derive(Clone, Copy, Debug)]
struct Seen {
    index: usize,
    /// Corners in the world, m.
    corners: [Vec3; 3],
}

impl MeshUnderside {
    /// Facets without area or with missing corners are left out.
    pub fn new(mesh: &TriangleMesh) -> Self {
        MeshUnderside { tree: Tree::new(mesh) }
    }

    /// The same mesh with moved corners.
    pub fn reshape(&mut self, mesh: &TriangleMesh) {
        self.tree.reshape(mesh);
    }

    /// The triangle of a facet in the mesh, and its corners.
    pub fn facet(&self, index: u32) -> (u32, &[Vec3; 3]) {
        let facet = &self.tree.facets[index as usize];
        (facet.triangle, &facet.corners)
    }

    /// Height of the lowest point at a pose, m; infinite for a mesh without facets.
    pub fn lowest(&self, X_WS: &Pose) -> f64 {
        self.tree.lowest(X_WS)
    }

    /// A box [x_min, x_max, y_min, y_max] that holds the body at a pose, m; `None` for a mesh without facets.
    pub fn bounds(&self, X_WS: &Pose) -> Option<[f64; 4]> {
        self.tree.bounds(X_WS)
    }

    /// Fills the columns over the part of the body below `ceiling`, and a ring of nodes around it; empty if all lies above.
    /// Boxes are those of what is covered of each cell.
    pub fn fill(
        &self,
        X_WS: &Pose,
        spacing: f64,
        ceiling: f64,
        with_boxes: bool,
        scratch: &mut MeshScratch,
        out: &mut Columns,
    ) {
        let MeshScratch { seen, is_seen, cover } = scratch;
        let covered = self.collect_seen(X_WS, ceiling, REACH * spacing, seen);
        let Some((columns, rows)) = covered.and_then(|covered| window(covered, spacing)) else {
            return out.reset((0, -1), (0, -1), with_boxes);
        };
        out.reset(columns, rows, with_boxes);
        cover.reset(out.nx, out.ny);
        is_seen.resize(self.tree.facets.len().max(is_seen.len()), false);
        let corner = [columns.0, rows.0].map(|first| (first as f64 - 0.5) * spacing);
        let per_spacing = 1.0 / spacing;
        let on_grid = |p: &Vec3| Corner {
            x: (p.x - corner[0]) * per_spacing,
            y: (p.y - corner[1]) * per_spacing,
            z: p.z,
        };
        let slope = |index: usize| {
            let n = X_WS.R * self.tree.facets[index].normal;
            [-n.x / n.z, -n.y / n.z]
        };
        for facet in seen.iter() {
            is_seen[facet.index] = true;
            let corners = facet.corners.map(|p| on_grid(&p));
            lower_nodes((facet.index as u32, &corners), spacing, out, || slope(facet.index));
        }
        for facet in seen.iter() {
            for (k, &across) in self.tree.facets[facet.index].across.iter().enumerate() {
                if across == NONE || !is_seen[across as usize] {
                    let (p, q) = (on_grid(&facet.corners[k]), on_grid(&facet.corners[(k + 1) % 3]));
                    let along = Corner { x: q.x - p.x, y: q.y - p.y, z: q.z - p.z };
                    let (slope, facet) = (slope(facet.index), facet.index as u32);
                    cover.add_edge(&Edge { from: p, along, slope, facet }, out);
                }
            }
        }
        cover.finish(spacing, out);
        seen.iter().for_each(|facet| is_seen[facet.index] = false);
    }

    /// Collects the facets that are seen; returns the box of what lies below the ceiling.
    fn collect_seen(&self, X_WS: &Pose, ceiling: f64, reach: f64, seen: &mut Vec<Seen>) -> Option<[f64; 4]> {
        seen.clear();
        let mut covered: Option<[f64; 4]> = None;
        let vertical = X_WS.R.row(2).transpose();
        self.tree.for_each_below(X_WS, ceiling + reach, |index| {
            let facet = &self.tree.facets[index];
            let steepness = vertical.dot(&facet.normal);
            if steepness > -WALL {
                return;
            }
            let corners = facet.corners.map(|p| X_WS.point(&p));
            let lowest = lower(lower(corners[0].z, corners[1].z), corners[2].z);
            if lowest >= ceiling + reach {
                return;
            }
            seen.push(Seen { index, corners });
            if lowest < ceiling {
                add_part_below(&corners, ceiling, covered.get_or_insert(cover::NO_BOX));
            }
        });
        covered
    }
}

/// Extends a box by the part of a triangle below a height.
fn add_part_below(corners: &[Vec3; 3], ceiling: f64, covered: &mut [f64; 4]) {
    if corners.iter().all(|p| p.z < ceiling) {
        return corners.iter().for_each(|p| cover::extend(covered, p.x, p.y));
    }
    for (k, p) in corners.iter().enumerate() {
        let q = &corners[(k + 1) % 3];
        if p.z < ceiling {
            cover::extend(covered, p.x, p.y);
        }
        if (p.z < ceiling) != (q.z < ceiling) {
            let s = (ceiling - p.z) / (q.z - p.z);
            cover::extend(covered, p.x + s * (q.x - p.x), p.y + s * (q.y - p.y));
        }
    }
}

/// First and last node, along x and y, of the cells that a box touches and of the ring around them; `None` for a box that is none.
fn window([x0, x1, y0, y1]: [f64; 4], spacing: f64) -> Option<((i64, i64), (i64, i64))> {
    let (x, y) = ([x0, x1].map(|x| x / spacing), [y0, y1].map(|y| y / spacing));
    // Beyond 2⁵² cells share their nodes' numbers.
    let is_near = [x, y].iter().flatten().all(|n| n.abs() < 1.0 / f64::EPSILON);
    let is_sound = spacing > 0.0 && (x[1] - x[0] + 4.0) * (y[1] - y[0] + 4.0) < NODES_MAX;
    let nodes = |[low, high]: [f64; 2]| (floor(low + 0.5) - 1, floor(high + 0.5) + 1);
    (is_near && is_sound).then(|| (nodes(x), nodes(y)))
}

/// The whole number at or below, as an index: quicker than `floor`, which is a function call on plain x86-64.
#[inline]
fn floor(x: f64) -> i64 {
    let k = x as i64;
    k - i64::from((k as f64) > x)
}

/// The lower of two numbers: one instruction, unlike `min`, which has to deal with NaN.
#[inline]
fn lower(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The higher of two numbers.
#[inline]
fn higher(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// First and last of `count` nodes in a range on the grid; node k lies at k + ½.
#[inline]
fn nodes_within((low, high): (f64, f64), count: usize) -> (i64, i64) {
    let first = -floor(0.5 + ON_EDGE - low);
    (first.max(0), floor(high - 0.5 + ON_EDGE).min(count as i64 - 1))
}

/// Lowers the columns of the nodes under a facet to it. `corners` on the grid; `slope` is asked for only if there may be such nodes.
#[inline]
fn lower_nodes(
    (facet, corners): (u32, &[Corner; 3]),
    spacing: f64,
    out: &mut Columns,
    slope: impl FnOnce() -> [f64; 2],
) {
    let [a, b, c] = corners;
    let range = |p: f64, q: f64, r: f64| (lower(lower(p, q), r), higher(higher(p, q), r));
    let (x, y) = (range(a.x, b.x, c.x), range(a.y, b.y, c.y));
    let (columns, rows) = (nodes_within(x, out.nx), nodes_within(y, out.ny));
    // Small facets mostly lie between the nodes.
    if columns.0 > columns.1 || rows.0 > rows.1 {
        return;
    }
    let z = range(a.z, b.z, c.z);
    let slope = slope();
    let rise = slope.map(|s| s * spacing);
    for j in rows.0..=rows.1 {
        let row = j as f64 + 0.5;
        let (first, last) = nodes_within(row_of_triangle(corners, row.clamp(y.0, y.1), x), out.nx);
        for i in first..=last {
            let level = a.z + rise[0] * (i as f64 + 0.5 - a.x) + rise[1] * (row - a.y);
            // Steep facets must not extend beyond their corners by the tolerance `ON_EDGE`.
            let level = lower(higher(level, z.0), z.1);
            let cell = j as usize * out.nx + i as usize;
            let column = &mut out.at[cell];
            if level < column.level {
                *column = Column { level, slope, cover: 0.0 };
                if let Some(above) = out.facets.get_mut(cell) {
                    *above = facet;
                }
            }
        }
    }
}

/// Where a row at `y` enters and leaves a triangle that is clockwise seen from above.
fn row_of_triangle(corners: &[Corner; 3], y: f64, (mut start, mut end): (f64, f64)) -> (f64, f64) {
    for k in 0..3 {
        let (p, q) = (&corners[k], &corners[(k + 1) % 3]);
        // From the lower corner: the facet across the edge gets the same bits, and no node is missed between
        // the two.
        let (low, high) = if p.y < q.y { (p, q) } else { (q, p) };
        if high.y > low.y {
            let x = low.x + (high.x - low.x) * ((y - low.y) / (high.y - low.y));
            if p.y < q.y {
                start = higher(start, x);
            } else {
                end = lower(end, x);
            }
        }
    }
    (start, end)
}
