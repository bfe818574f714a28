//! The ground of a part of a map, in memory: between and around start and goal of a route.

use crate::map::{Cell, GroundRows, MapStageError};
use std::io::{Read, Seek};
use std::ops::Range;

/// Most cells that a route is searched over: a search holds about 120 bytes for each.
pub const MOST_CELLS: usize = 8_000_000;
/// Rows that are read at a time.
const STRIP: usize = 64;
/// A larger map is cut to this part of the distance between the ends around them.
const MARGIN: f64 = 0.5;
/// And at least to this many cells around them.
const LEAST_MARGIN: f64 = 200.0;

/// Ground in memory, rows from the north.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    /// Cells from west to east.
    pub columns: usize,
    /// Cells from north to south.
    pub rows: usize,
    /// Distance of the nodes, m.
    pub spacing: f64,
    /// The north-western node in the file's coordinates.
    pub first: [f64; 2],
    /// From node to node in the file's coordinates.
    pub step: [f64; 2],
    /// Row by row.
    pub cells: Vec<Cell>,
    /// Heights, m; not a number where there are none.
    pub heights: Vec<f64>,
    /// Whether a larger map was cut around the ends.
    pub is_cut: bool,
}

impl Terrain {
    /// Reads the ground of a map, or, if it is too large, what lies around two places of it.
    pub fn read<R, C>(mut ground: GroundRows<R, C>, ends: [[f64; 2]; 2]) -> Result<Terrain, MapStageError>
    where
        R: Read + Seek,
        C: Read + Seek,
    {
        let map = ground.map();
        let (all_columns, all_rows) = (map.columns(), map.rows());
        let (origin, step, spacing) = (map.place(0, 0), map.step().0, map.spacing());
        let whole = all_columns * all_rows <= MOST_CELLS;
        let (columns, rows) = match whole {
            true => (0..all_columns, 0..all_rows),
            false => around(ends, origin, step, [all_columns, all_rows]),
        };
        let cells = columns.len() * rows.len();
        if cells > MOST_CELLS {
            return Err(MapStageError::RouteTooLarge { cells, most: MOST_CELLS });
        }
        let mut terrain = Terrain {
            columns: columns.len(),
            rows: rows.len(),
            spacing,
            first: [origin[0] + columns.start as f64 * step[0], origin[1] - rows.start as f64 * step[1]],
            step,
            cells: Vec::with_capacity(cells),
            heights: Vec::with_capacity(cells),
            is_cut: !whole,
        };
        while let Some(strip) = ground.next_strip(STRIP)? {
            for (k, line) in strip.cells.chunks_exact(strip.columns).enumerate() {
                if rows.contains(&(strip.first + k)) {
                    terrain.cells.extend(&line[columns.clone()]);
                    terrain.heights.extend(&strip.heights[k * strip.columns..][columns.clone()]);
                }
            }
            if strip.first + STRIP >= rows.end {
                break;
            }
        }
        Ok(terrain)
    }

    /// The cell whose node is nearest to a place.
    pub fn cell_at(&self, [x, y]: [f64; 2]) -> Result<usize, MapStageError> {
        let refuse = |what: &str| Err(MapStageError::Place { x, y, what: what.into() });
        let column = ((x - self.first[0]) / self.step[0]).round();
        let row = ((self.first[1] - y) / self.step[1]).round();
        if !(column >= 0.0 && row >= 0.0 && column < self.columns as f64 && row < self.rows as f64) {
            let [east, south] = self.place(self.cells.len() - 1);
            return refuse(&format!(
                "is not on the map, allowed: x {} to {east}, y {south} to {}",
                self.first[0], self.first[1]
            ));
        }
        let cell = row as usize * self.columns + column as usize;
        match self.cells[cell] {
            found if !found.is_known() => refuse(
                "has no ground to stand on: at the border of the map, at a hole in it, or without a class of soil",
            ),
            found if found.is_step => refuse("is on a step that is higher than the rover climbs"),
            _ => Ok(cell),
        }
    }

    /// Where a cell's node lies in the file's coordinates.
    pub fn place(&self, cell: usize) -> [f64; 2] {
        let (column, row) = (cell % self.columns, cell / self.columns);
        [self.first[0] + column as f64 * self.step[0], self.first[1] - row as f64 * self.step[1]]
    }

    /// The neighbour in a direction, if there is one.
    pub(super) fn neighbour(&self, cell: usize, [east, south]: [isize; 2]) -> Option<usize> {
        let column = (cell % self.columns).checked_add_signed(east).filter(|c| *c < self.columns)?;
        let row = (cell / self.columns).checked_add_signed(south).filter(|r| *r < self.rows)?;
        Some(row * self.columns + column)
    }
}

/// Columns and rows around two places.
fn around(
    [a, b]: [[f64; 2]; 2],
    origin: [f64; 2],
    step: [f64; 2],
    [columns, rows]: [usize; 2],
) -> (Range<usize>, Range<usize>) {
    let along = |k: usize| {
        let sign = [1.0, -1.0][k];
        let [a, b] = [a, b].map(|place| sign * (place[k] - origin[k]) / step[k]);
        [a.min(b), a.max(b)]
    };
    let (x, y) = (along(0), along(1));
    let margin = LEAST_MARGIN.max(MARGIN * (x[1] - x[0]).max(y[1] - y[0]));
    let cut = |[from, to]: [f64; 2], all: usize| {
        let from = (from - margin).clamp(0.0, all as f64) as usize;
        from..((to + margin).clamp(0.0, all as f64) as usize + 1).min(all).max(from)
    };
    (cut(x, columns), cut(y, rows))
}
