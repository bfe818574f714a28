//! Cover of the cells by a set of facets, from its outline alone. Between the nodes' levels (`mesh`) and the
//! finished columns.
//!
//! Each facet is a triangle on the grid, and its covered part of a cell is a sum over its three edges
//! (Green's theorem). An edge between two facets of the set enters twice with opposite signs, so only the
//! outline is walked, cell by cell. A piece of it adds the area to its right to its own cell, and the height
//! it climbs to all cells further right; likewise for the sides that cells share.
//!
//! The place of the set nearest to a node outside it lies on the outline too.

use super::super::columns::{Column, Columns};
use super::{floor, higher, lower};
use touchdown_math::Elementary;

/// Cover below which a cell counts as free: the rounding error of the sums.
const COVER_MIN: f64 = 1e-12;

/// Distances, in cells, that differ by less are equal.
const SAME_DISTANCE: f64 = 1e-12;

/// The box of a cell that nothing covers.
pub(super) const NO_BOX: [f64; 4] = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];

/// A corner of a facet: place on the grid in cells from the window's lower left corner, and height in m.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Corner {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

/// Sums over the pieces of the outline in one cell.
#[derive(Clone, Copy, Debug)]
struct Sums {
    /// Area to the right of them.
    area: f64,
    /// Covered length that they add to the cell's right side, and all sides further right.
    right: f64,
    /// The same for its upper side.
    upper: f64,
    /// Distance from the node to the nearest of them.
    distance: f64,
}

/// The sums of a window.
#[derive(Clone, Debug, Default)]
pub(super) struct Cover {
    nx: usize,
    ny: usize,
    sums: Vec<Sums>,
    /// Covered length of the left side of the first cell of each row.
    left: Vec<f64>,
    /// Covered length of the lower side of the cells of a row; before the last sweep, of the first.
    lower: Vec<f64>,
}

impl Cover {
    /// Starts a window; allocates only when it outgrows all before it.
    pub fn reset(&mut self, nx: usize, ny: usize) {
        (self.nx, self.ny) = (nx, ny);
        refill(&mut self.sums, nx * ny, Sums { area: 0.0, right: 0.0, upper: 0.0, distance: f64::INFINITY });
        refill(&mut self.left, ny, 0.0);
        refill(&mut self.lower, nx, 0.0);
    }

    /// Adds an edge of the outline. The set lies to the right of it: its facets look down, so they are clockwise seen from above.
    /// Levels at nodes under the set must be there already.
    pub fn add_edge(&mut self, edge: &Edge, columns: &mut Columns) {
        for (row, span) in Pieces::new(edge.from.y, edge.along.y, (0.0, 1.0), self.ny) {
            for (column, span) in Pieces::new(edge.from.x, edge.along.x, span, self.nx) {
                let climb = (span.1 - span.0) * edge.along.y;
                let advance = (span.1 - span.0) * edge.along.x;
                match (usize::try_from(column), usize::try_from(row)) {
                    (Ok(i), Ok(j)) => {
                        let k = j * self.nx + i;
                        let sums = &mut self.sums[k];
                        sums.area += climb * (i as f64 + 1.0 - edge.at(0.5 * (span.0 + span.1)).x);
                        sums.right += climb;
                        sums.upper -= advance;
                        let node = [i as f64 + 0.5, j as f64 + 0.5];
                        if edge.move_nearer(span, node, sums, &mut columns.at[k])
                            && let Some(above) = columns.facets.get_mut(k)
                        {
                            *above = edge.facet;
                        }
                        if let Some(extent) = columns.boxes.get_mut(k) {
                            let (p, q) = (edge.at(span.0), edge.at(span.1));
                            extend(extent, p.x, p.y);
                            extend(extent, q.x, q.y);
                        }
                    }
                    (Err(_), Ok(j)) => self.left[j] += climb,
                    (Ok(i), Err(_)) => self.lower[i] -= advance,
                    (Err(_), Err(_)) => {}
                }
            }
        }
    }

    /// Writes the cover of all columns and their boxes, in which so far there is the extent of the outline on the grid.
    pub fn finish(&mut self, spacing: f64, columns: &mut Columns) {
        let to_world = |cell: f64, first: i64| (first as f64 - 0.5 + cell) * spacing;
        for j in 0..self.ny {
            let mut left = self.left[j];
            for i in 0..self.nx {
                let k = j * self.nx + i;
                let sums = &self.sums[k];
                let (right, lower) = (left + sums.right, self.lower[i]);
                let upper = lower + sums.upper;
                let column = &mut columns.at[k];
                column.cover = (left + sums.area).min(1.0);
                let is_free = !(column.cover > COVER_MIN && column.level < f64::INFINITY);
                if is_free {
                    *column = Column::NONE;
                }
                if let Some(extent) = columns.boxes.get_mut(k) {
                    // A partly covered side bounds the box; otherwise the outline does.
                    let (x, y) = (i as f64, j as f64);
                    let side = |covered: f64, side: f64, outline: f64| {
                        if covered > COVER_MIN { side } else { outline }
                    };
                    let [x0, x1, y0, y1] = *extent;
                    *extent = if is_free {
                        NO_BOX
                    } else {
                        [
                            to_world(side(left, x, x0), columns.i0),
                            to_world(side(right, x + 1.0, x1), columns.i0),
                            to_world(side(lower, y, y0), columns.j0),
                            to_world(side(upper, y + 1.0, y1), columns.j0),
                        ]
                    };
                }
                left = right;
                self.lower[i] = upper;
            }
        }
    }
}

fn refill<T: Clone>(values: &mut Vec<T>, count: usize, value: T) {
    values.clear();
    values.resize(count, value);
}

/// Extends a box to a place.
#[inline]
pub(super) fn extend([x0, x1, y0, y1]: &mut [f64; 4], x: f64, y: f64) {
    (*x0, *x1, *y0, *y1) = (lower(x, *x0), higher(x, *x1), lower(y, *y0), higher(y, *y1));
}

/// An edge of the outline: `from + s·along`, s = 0…1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub from: Corner,
    pub along: Corner,
    /// Slopes of its facet.
    pub slope: [f64; 2],
    /// Index of its facet.
    pub facet: u32,
}

impl Edge {
    #[inline]
    fn at(&self, s: f64) -> Corner {
        let (p, d) = (&self.from, &self.along);
        Corner { x: p.x + s * d.x, y: p.y + s * d.y, z: p.z + s * d.z }
    }

    /// Gives a column level and slope of a piece of the edge if its node lies outside the set and nearer to this piece than to those
    /// before; of two equally near the lower one counts. Returns whether it did.
    #[inline]
    fn move_nearer(
        &self,
        (start, end): (f64, f64),
        node: [f64; 2],
        sums: &mut Sums,
        column: &mut Column,
    ) -> bool {
        let is_under_set = sums.distance == f64::INFINITY && column.level < f64::INFINITY;
        if is_under_set {
            return false;
        }
        let (p, d) = (&self.from, &self.along);
        let towards = (node[0] - p.x) * d.x + (node[1] - p.y) * d.y;
        let length2 = d.x * d.x + d.y * d.y;
        let s = if length2 > 0.0 { (towards / length2).max(start).min(end) } else { start };
        let nearest = self.at(s);
        let distance = ((nearest.x - node[0]).whole_power(2) + (nearest.y - node[1]).whole_power(2)).sqrt();
        let is_nearer = distance < sums.distance - SAME_DISTANCE;
        let moves = is_nearer || (distance < sums.distance + SAME_DISTANCE && nearest.z < column.level);
        if moves {
            sums.distance = distance;
            (column.level, column.slope) = (nearest.z, self.slope);
        }
        moves
    }
}

/// The stretches of a coordinate `origin + s·rate`, s in `span`, between whole numbers: which interval [k, k + 1), and from which s to
/// which. All below zero is one stretch, k = −1; what lies at `count` or above is left out.
struct Pieces {
    origin: f64,
    rate: f64,
    k: i64,
    last: i64,
    s: f64,
    end: f64,
    count: i64,
}

impl Pieces {
    #[inline]
    fn new(origin: f64, rate: f64, (start, end): (f64, f64), count: usize) -> Pieces {
        let interval = |s: f64| floor(origin + s * rate).clamp(-1, count as i64);
        Pieces { origin, rate, k: interval(start), last: interval(end), s: start, end, count: count as i64 }
    }
}

impl Iterator for Pieces {
    type Item = (i64, (f64, f64));

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        while self.s < self.end {
            let (k, start) = (self.k, self.s);
            let is_rising = self.last > k;
            let border = k + i64::from(is_rising);
            self.s = if k == self.last {
                self.end
            } else {
                ((border as f64 - self.origin) / self.rate).max(start).min(self.end)
            };
            self.k += (self.last - k).signum();
            if k < self.count && (self.s > start) {
                return Some((k, (start, self.s)));
            }
        }
        None
    }
}
