//! Highest ground of a map, block by block: a search visits only blocks with sufficiently high ground, at the
//! same cost on maps of any size.

use crate::Raster;

/// Nodes along a side of the smallest blocks.
const BLOCK: usize = 8;
/// Part of the range of the nodes by which a patch can exceed them: the weights of the cubic and of the quintic line have negative parts of 0.148
/// at most, so that those of their products are at most (1.296² − 1)/2.
pub(super) const OVERSHOOT: f64 = 0.34;

/// The same beside a hole, where some nodes of a line are extrapolated: these exceed the range by at most
/// three times as much, and have weights with an absolute sum of 0.148·1.296, at up to eight places.
const HOLE_OVERSHOOT: f64 = 5.0;

/// Highest ground of each block of nodes and of each square of 2 × 2 blocks, of these, and so on up to the whole map.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Peaks {
    levels: Vec<Level>,
}

#[derive(Clone, Debug, PartialEq)]
struct Level {
    columns: usize,
    rows: usize,
    highest: Vec<f64>,
}

impl Peaks {
    pub fn new(map: &Raster) -> Peaks {
        let blocks = |nodes: usize| nodes.div_ceil(BLOCK);
        let (columns, rows) = (blocks(map.columns()), blocks(map.rows()));
        let mut highest = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                highest.push(block_top(map, column * BLOCK, row * BLOCK));
            }
        }
        let mut levels = vec![Level { columns, rows, highest }];
        while let Some(last) = levels.last().filter(|l| l.columns > 1 || l.rows > 1) {
            let (columns, rows) = (last.columns.div_ceil(2), last.rows.div_ceil(2));
            let mut highest = Vec::with_capacity(columns * rows);
            for row in 0..rows {
                for column in 0..columns {
                    let part = |i: usize, j: usize| last.at(2 * column + i, 2 * row + j);
                    highest.push(part(0, 0).max(part(1, 0)).max(part(0, 1)).max(part(1, 1)));
                }
            }
            levels.push(Level { columns, rows, highest });
        }
        Peaks { levels }
    }

    /// The highest ground of the map, m.
    pub fn top(&self) -> f64 {
        self.levels.last().map_or(f64::NEG_INFINITY, |l| l.at(0, 0))
    }

    /// An upper bound of the ground around the nodes of a window, m.
    pub fn highest(&self, window: [[usize; 2]; 2]) -> f64 {
        let level = self.level_of(window);
        let side = BLOCK << level;
        let mut highest = f64::NEG_INFINITY;
        for row in window[1][0] / side..=(window[1][1] - 1) / side {
            for column in window[0][0] / side..=(window[0][1] - 1) / side {
                highest = highest.max(self.levels[level].at(column, row));
            }
        }
        highest
    }

    /// The level whose blocks are as large as the window: at most two by two meet it.
    fn level_of(&self, window: [[usize; 2]; 2]) -> usize {
        let size = (window[0][1] - window[0][0]).max(window[1][1] - window[1][0]);
        let mut level = 0;
        while BLOCK << level < size && level + 1 < self.levels.len() {
            level += 1;
        }
        level
    }

    /// Calls `visit` with the ranges [from, to) of nodes in each smallest block that meets the window of nodes and reaches above a height.
    pub fn visit(&self, window: [[usize; 2]; 2], above: f64, visit: &mut impl FnMut([usize; 2], [usize; 2])) {
        let level = self.level_of(window);
        let side = BLOCK << level;
        for row in window[1][0] / side..=(window[1][1] - 1) / side {
            for column in window[0][0] / side..=(window[0][1] - 1) / side {
                self.descend(level, column, row, window, above, visit);
            }
        }
    }

    fn descend(
        &self,
        level: usize,
        column: usize,
        row: usize,
        window: [[usize; 2]; 2],
        above: f64,
        visit: &mut impl FnMut([usize; 2], [usize; 2]),
    ) {
        if self.levels[level].at(column, row) < above {
            return;
        }
        let side = BLOCK << level;
        let clip = |k: usize, [from, to]: [usize; 2]| [from.max(k * side), to.min((k + 1) * side)];
        let (columns, rows) = (clip(column, window[0]), clip(row, window[1]));
        if columns[0] >= columns[1] || rows[0] >= rows[1] {
            return;
        }
        if level == 0 {
            visit(columns, rows);
            return;
        }
        for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            self.descend(level - 1, 2 * column + i, 2 * row + j, window, above, visit);
        }
    }
}

impl Level {
    fn at(&self, column: usize, row: usize) -> f64 {
        if column < self.columns && row < self.rows {
            self.highest[row * self.columns + column]
        } else {
            f64::NEG_INFINITY
        }
    }
}

/// Upper bound of patches beside the nodes of a block: their range, with two more lines of nodes all around,
/// and the excess of patches. At the edge of the map the line through three nodes exceeds it by an eighth of
/// the range, less than inside.
fn block_top(map: &Raster, column: usize, row: usize) -> f64 {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut overshoot = OVERSHOOT;
    for j in row.saturating_sub(2)..(row + BLOCK + 2).min(map.rows()) {
        for i in column.saturating_sub(2)..(column + BLOCK + 2).min(map.columns()) {
            match map.node(i, j) {
                Some(z) => (low, high) = (low.min(z), high.max(z)),
                None => overshoot = HOLE_OVERSHOOT,
            }
        }
    }
    if high > low { high + overshoot * (high - low) } else { high }
}
