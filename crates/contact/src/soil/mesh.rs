//! Columns of a triangle mesh: its pose and the grid ⇒ the lowest point over each node and what the body covers of each cell.
//!
//! The general form of the column minima of Krenn & Hirzinger, section III: they take the lowest vertex of a cloud in each column,
//! which tends to the same as cloud and columns are refined. Here every facet gives its plane to the nodes under it, so that no
//! density has to be chosen.
//!
//! A facet is seen when it looks down and reaches below the ceiling (found in `mesh/tree`). Nodes under seen facets take the lowest
//! plane. Nodes outside whose cells are partly covered take the nearest covered place (`mesh/cover`), so that their level joins on
//! continuously when the edge of the body reaches the node, while the cover grows from nothing.
//!
//! Where seen facets lie over each other (a concave body, solids that intersect), each counts in the cover, which is capped at one: too
//! much only in cells that the edge of one crosses under or over another.

use super::columns::{Column, Columns};
use cover::{Corner, Cover, Edge};
use touchdown_geometry::TriangleMesh;
use touchdown_math::{Pose, Vec3};
use tree::{NONE, Tree};

mod cover;
#[cfg(test)]
mod tests;
mod tree;

/// Facets steeper than this (cosine to the vertical) are walls: they cover nothing that their neighbours do not.
const WALL: f64 = 1e-6;

/// Facets count up to so many cells above the ceiling, so that cells which the body covers at the ceiling's height are complete and
/// cover does not depend on where the ceiling was put: on slopes up to 2√2 (70°).
const REACH: f64 = 2.0;

/// Distance from a facet, in cells, at which a node still counts as under it, against rounding on edges that run through nodes.
const ON_EDGE: f64 = 1e-9;

/// A window of more nodes than this is a mistake (a pose that ran away, a spacing without relation to the body) and stays empty.
const NODES_MAX: f64 = 1e8;

/// The underside of a triangle mesh (frame S).
#[derive(Clone, Debug)]
pub(super) struct MeshUnderside {
    tree: Tree,
}

/// What filling columns needs besides; holds nothing between calls but room.
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
    slope: [f64; 2],
}

impl MeshUnderside {
    /// Facets without area or with corners that are not there are left out.
    pub fn new(mesh: &TriangleMesh) -> Self {
        MeshUnderside { tree: Tree::new(mesh) }
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
        for facet in seen.iter() {
            is_seen[facet.index] = true;
            lower_nodes(
                &facet.corners.map(|p| on_grid(&p)),
                facet.slope.map(|s| s * spacing),
                facet.slope,
                out,
            );
        }
        for facet in seen.iter() {
            for (k, &across) in self.tree.facets[facet.index].across.iter().enumerate() {
                if across == NONE || !is_seen[across as usize] {
                    let (p, q) = (on_grid(&facet.corners[k]), on_grid(&facet.corners[(k + 1) % 3]));
                    let along = Corner { x: q.x - p.x, y: q.y - p.y, z: q.z - p.z };
                    cover.add_edge(&Edge { from: p, along, slope: facet.slope }, out);
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
            let lowest = corners[0].z.min(corners[1].z).min(corners[2].z);
            if lowest >= ceiling + reach {
                return;
            }
            let n = X_WS.R * facet.normal;
            seen.push(Seen { index, corners, slope: [-n.x / n.z, -n.y / n.z] });
            if lowest < ceiling {
                add_part_below(&corners, ceiling, covered.get_or_insert(cover::NO_BOX));
            }
        });
        covered
    }
}

/// Extends a box by the part of a triangle below a height.
fn add_part_below(corners: &[Vec3; 3], ceiling: f64, covered: &mut [f64; 4]) {
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

/// First and last node, along x and y, of the cells that a box touches and the ring around them; `None` for a box that is no box.
fn window([x0, x1, y0, y1]: [f64; 4], spacing: f64) -> Option<((i64, i64), (i64, i64))> {
    let nodes = |low: f64, high: f64| {
        (
            (low / spacing + 0.5).floor() - 1.0,
            (high / spacing - 0.5).ceil().max((low / spacing + 0.5).floor()) + 1.0,
        )
    };
    let (x, y) = (nodes(x0, x1), nodes(y0, y1));
    let is_sound = spacing > 0.0 && (x.1 - x.0 + 1.0) * (y.1 - y.0 + 1.0) < NODES_MAX;
    // Beyond 2⁵³ neighbouring nodes are the same number.
    let is_near = [x.0, x.1, y.0, y.1].iter().all(|n| n.abs() < 1.0 / f64::EPSILON);
    (is_sound && is_near).then_some(((x.0 as i64, x.1 as i64), (y.0 as i64, y.1 as i64)))
}

/// Lowers the columns of the nodes under a facet to it. `corners` on the grid; `rise` is the slope per cell.
fn lower_nodes(corners: &[Corner; 3], rise: [f64; 2], slope: [f64; 2], out: &mut Columns) {
    let [a, b, c] = corners;
    let range = |p: f64, q: f64, r: f64| (p.min(q).min(r), p.max(q).max(r));
    let (x, y, z) = (range(a.x, b.x, c.x), range(a.y, b.y, c.y), range(a.z, b.z, c.z));
    // Node k lies at k + ½.
    let first = |low: f64| (low - 0.5 - ON_EDGE).ceil().max(0.0);
    let last = |high: f64, count: usize| (high - 0.5 + ON_EDGE).floor().min(count as f64 - 1.0);
    if first(x.0) > last(x.1, out.nx) {
        return;
    }
    let mut j = first(y.0);
    while j <= last(y.1, out.ny) {
        let (start, end) = row_of_triangle(corners, (j + 0.5).clamp(y.0, y.1), x);
        let mut i = first(start);
        while i <= last(end, out.nx) {
            let level = a.z + rise[0] * (i + 0.5 - a.x) + rise[1] * (j + 0.5 - a.y);
            // Steep facets must not reach beyond their corners by what `ON_EDGE` admits.
            let level = level.clamp(z.0, z.1);
            let column = &mut out.at[j as usize * out.nx + i as usize];
            if level < column.level {
                *column = Column { level, slope, cover: 0.0 };
            }
            i += 1.0;
        }
        j += 1.0;
    }
}

/// Where a row at `y` enters and leaves a triangle that is clockwise seen from above.
fn row_of_triangle(corners: &[Corner; 3], y: f64, (mut start, mut end): (f64, f64)) -> (f64, f64) {
    for k in 0..3 {
        let (p, q) = (&corners[k], &corners[(k + 1) % 3]);
        // From the lower corner: the facet across the edge finds the same bits, and no node falls between the two.
        let (low, high) = if p.y < q.y { (p, q) } else { (q, p) };
        if high.y > low.y {
            let x = low.x + (high.x - low.x) * ((y - low.y) / (high.y - low.y));
            if p.y < q.y {
                start = start.max(x);
            } else {
                end = end.min(x);
            }
        }
    }
    (start, end)
}
