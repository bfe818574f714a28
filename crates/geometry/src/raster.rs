//! An elevation map: heights on a regular grid, bilinear between them; a kind of [`crate::Relief`].
//!
//! Nodes lie at origin + spacing·(column, row), columns eastwards (x), rows northwards (y). Ground exists
//! between the outermost nodes, only in cells with four known corners: edges and holes are not extrapolated.

use crate::{Missing, ReliefError};
use std::sync::Arc;

/// Stored value of a node without data. Infinite, to differ from every height; negative, so that it is never
/// the highest; and equal to itself, so that equal maps compare equal.
const NO_DATA: f64 = f64::NEG_INFINITY;
/// Tolerance at the edge, as a share of a cell: closer places lie on the edge, except for rounding.
const EDGE: f64 = 1e-9;

/// A map of heights. Copies share the heights: eight bytes a node, once.
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    origin: [f64; 2],
    spacing: f64,
    columns: usize,
    rows: usize,
    heights: Arc<[f64]>,
}

impl Raster {
    /// A map whose south-western node lies at `origin` (x, y in m), with nodes every `spacing` (m). `heights` (m): `columns` of the southern row
    /// from west to east, then the row to the north of it, and so on; not a number where there is no data.
    pub fn new(
        origin: [f64; 2],
        spacing: f64,
        columns: usize,
        rows: usize,
        mut heights: Vec<f64>,
    ) -> Result<Raster, ReliefError> {
        check_origin(origin)?;
        if !(spacing.is_finite() && spacing > 0.0) {
            return Err(ReliefError::Range { what: "spacing", found: spacing, allowed: "finite, > 0 m" });
        }
        if columns < 2 || rows < 2 {
            return Err(ReliefError::TooSmall { columns, rows });
        }
        if columns.checked_mul(rows) != Some(heights.len()) {
            return Err(ReliefError::Count { found: heights.len(), columns, rows });
        }
        for (node, height) in heights.iter_mut().enumerate() {
            if height.is_infinite() {
                let (column, row) = (node % columns, node / columns);
                return Err(ReliefError::Height { column, row, found: *height });
            }
            if height.is_nan() {
                *height = NO_DATA;
            }
        }
        Ok(Raster { origin, spacing, columns, rows, heights: heights.into() })
    }

    /// The same map elsewhere: its south-western node at `origin` (x, y in m). Surveyors' coordinates are
    /// often far from the site.
    pub fn with_origin(self, origin: [f64; 2]) -> Result<Raster, ReliefError> {
        check_origin(origin)?;
        Ok(Raster { origin, ..self })
    }

    /// Place of the south-western node, m.
    pub fn origin(&self) -> [f64; 2] {
        self.origin
    }

    /// Distance between neighbouring nodes, m.
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// Nodes along x.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Nodes along y.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Height of a node, m; `None` beyond the edge or without data.
    pub fn node(&self, column: usize, row: usize) -> Option<f64> {
        let inside = column < self.columns && row < self.rows;
        inside.then(|| self.heights[row * self.columns + column]).filter(|height| *height != NO_DATA)
    }

    /// Heights of a row of nodes from west to east, m; negative infinity where there is no data. Empty beyond the edge.
    #[inline]
    pub fn row(&self, row: usize) -> &[f64] {
        if row < self.rows { &self.heights[row * self.columns..(row + 1) * self.columns] } else { &[] }
    }

    /// Heights of the 4 × 4 nodes around a cell, row by row from the south; `None` if not all are known.
    #[inline]
    pub(crate) fn nodes_around(&self, column: usize, row: usize) -> Option<[[f64; 4]; 4]> {
        let (i, j) = (column.checked_sub(1)?, row.checked_sub(1)?);
        if column + 2 >= self.columns || row + 2 >= self.rows {
            return None;
        }
        let mut z = [[0.0; 4]; 4];
        let mut lowest = f64::INFINITY;
        for (k, line) in z.iter_mut().enumerate() {
            let start = (j + k) * self.columns + i;
            line.copy_from_slice(&self.heights[start..start + 4]);
            lowest = line.iter().fold(lowest, |low, z| low.min(*z));
        }
        (lowest != NO_DATA).then_some(z)
    }

    /// The cell that a place lies in, column and row of its south-western node, and where in it, 0 to 1; `None` beyond the edge.
    pub fn cell_at(&self, x: f64, y: f64) -> Option<((usize, f64), (usize, f64))> {
        Some((self.cell(x, 0, self.columns)?, self.cell(y, 1, self.rows)?))
    }

    /// All heights, as stored.
    #[cfg(test)]
    pub(crate) fn heights(&self) -> &[f64] {
        &self.heights
    }

    /// Height (m) and its slopes towards x and y, or why there is none.
    pub(crate) fn sample(&self, x: f64, y: f64) -> Result<(f64, [f64; 2]), Missing> {
        let ((i, u), (j, v)) = self.cell_at(x, y).ok_or(Missing::OffMap)?;
        let south = j * self.columns + i;
        let north = south + self.columns;
        let [sw, se] = [self.heights[south], self.heights[south + 1]];
        let [nw, ne] = [self.heights[north], self.heights[north + 1]];
        if sw == NO_DATA || se == NO_DATA || nw == NO_DATA || ne == NO_DATA {
            return Err(Missing::Hole);
        }
        // Weighted sums rather than steps from one corner: these are exact at all four corners.
        let [s, n] = [(1.0 - u) * sw + u * se, (1.0 - u) * nw + u * ne];
        let along_x = (1.0 - v) * (se - sw) + v * (ne - nw);
        Ok(((1.0 - v) * s + v * n, [along_x / self.spacing, (n - s) / self.spacing]))
    }

    /// The highest node of the cells that a rectangle touches, m.
    pub(crate) fn highest(&self, x: [f64; 2], y: [f64; 2]) -> f64 {
        let mut highest = NO_DATA;
        if let (Some(columns), Some(rows)) = (self.span(x, 0, self.columns), self.span(y, 1, self.rows)) {
            for row in rows {
                let start = row * self.columns;
                let nodes = &self.heights[start + columns.start()..=start + columns.end()];
                highest = nodes.iter().copied().fold(highest, f64::max);
            }
        }
        highest
    }

    /// A coordinate along an axis in cells from the first node.
    fn in_cells(&self, coordinate: f64, axis: usize) -> f64 {
        (coordinate - self.origin[axis]) / self.spacing
    }

    /// The cell that a coordinate lies in, and where in it, 0 to 1; `None` beyond the edge, also for a coordinate that is not a number.
    fn cell(&self, coordinate: f64, axis: usize, nodes: usize) -> Option<(usize, f64)> {
        let last = (nodes - 1) as f64;
        let along = self.in_cells(coordinate, axis);
        if !(along >= -EDGE && along <= last + EDGE) {
            return None;
        }
        let along = along.clamp(0.0, last);
        // The last line of nodes belongs to the cell before it.
        let cell = (along as usize).min(nodes - 2);
        Some((cell, along - cell as f64))
    }

    /// The nodes of all cells that an interval touches; `None` if it misses the map.
    fn span(
        &self,
        [from, to]: [f64; 2],
        axis: usize,
        nodes: usize,
    ) -> Option<std::ops::RangeInclusive<usize>> {
        let last = (nodes - 1) as f64;
        let [from, to] = [self.in_cells(from, axis), self.in_cells(to, axis)];
        let meets = from <= to && to >= -EDGE && from <= last + EDGE;
        meets.then(|| from.floor().clamp(0.0, last) as usize..=to.ceil().clamp(0.0, last) as usize)
    }
}

fn check_origin(origin: [f64; 2]) -> Result<(), ReliefError> {
    match origin.into_iter().find(|c| !c.is_finite()) {
        Some(found) => {
            Err(ReliefError::Range { what: "coordinate of the first node", found, allowed: "finite" })
        }
        None => Ok(()),
    }
}
