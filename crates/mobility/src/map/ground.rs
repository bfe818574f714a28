//! Rows of heights become rows of ground: slope over the footprint, direction of ascent, steps, soil.

use super::{ClassRows, MapStageError, Stencil};
use rayon::prelude::*;
use std::io::{Read, Seek};
use touchdown_geometry::map::{GeoTags, MapAudit, MapRows};
use touchdown_math::Elementary;

/// Slopes are counted in classes of a degree.
const SLOPES: usize = 91;

/// The ground below a rover whose middle stands on a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Steepness of the mean slope, degrees; not a number where it is not known.
    pub slope_deg: f32,
    /// Where it rises, degrees clockwise from north.
    pub uphill_deg: f32,
    /// Number of the soil in the table.
    pub soil: u8,
    /// Whether a step at this node is higher than the rover climbs.
    pub is_step: bool,
}

impl Cell {
    /// Ground of which nothing is known.
    pub const UNKNOWN: Cell = Cell { slope_deg: f32::NAN, uphill_deg: f32::NAN, soil: 0, is_step: false };

    /// Whether anything is known.
    pub fn is_known(&self) -> bool {
        !self.slope_deg.is_nan()
    }
}

/// Some rows of ground, from the north.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// Number of its first row.
    pub first: usize,
    /// Cells of a row.
    pub columns: usize,
    /// Row by row.
    pub cells: Vec<Cell>,
    /// Heights, m; not a number where there are none.
    pub heights: Vec<f64>,
}

/// What was found in the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundAccount {
    /// The map's own account.
    pub map: MapAudit,
    /// Cells in all.
    pub cells: u64,
    /// Cells with heights below which the footprint is not known, or without a class of soil.
    pub unknown: u64,
    /// Cells with a step.
    pub steps: u64,
    /// Cells of each degree of slope.
    pub slopes: Vec<u64>,
    /// What a user should look at.
    pub cautions: Vec<String>,
}

/// Ground row by row, from the north.
pub struct GroundRows<R: Read + Seek, C: Read + Seek> {
    rows: MapRows<R>,
    file: String,
    soil: Soil<C>,
    wheelbase: f64,
    band: Band,
    next: usize,
    account: (u64, u64, Vec<u64>),
}

/// Some rows of heights, and what makes slopes of them.
struct Band {
    stencil: Stencil,
    step_max: f64,
    /// Rows of the map.
    rows: usize,
    /// Rows of heights from `first` on.
    lines: Vec<Line>,
    first: usize,
}

/// Which soil lies where.
pub enum Soil<C: Read + Seek> {
    /// The same everywhere: its number in the table.
    Same(u8),
    /// By classes that lie on the same nodes.
    Classes(Box<ClassRows<C>>),
}

/// A row of heights, filtered along the row.
struct Line {
    z: Vec<f64>,
    difference: Vec<f64>,
    mean: Vec<f64>,
}

impl<R: Read + Seek, C: Read + Seek> GroundRows<R, C> {
    /// Ground of a map for a rover of this wheelbase that climbs steps of this height, m.
    pub fn new(
        rows: MapRows<R>,
        file: &str,
        soil: Soil<C>,
        wheelbase: f64,
        step_max: f64,
    ) -> Result<Self, MapStageError> {
        let ranges = [("the wheelbase, m,", wheelbase), ("the height of the highest step, m,", step_max)];
        for (key, found) in ranges {
            if !(found.is_finite() && found > 0.0) {
                return Err(MapStageError::Setting { key, found, allowed: "finite, > 0" });
            }
        }
        let stencil = Stencil::new(wheelbase, rows.spacing());
        let band = Band { stencil, step_max, rows: rows.rows(), lines: Vec::new(), first: 0 };
        let account = (0, 0, vec![0; SLOPES]);
        Ok(GroundRows { rows, file: file.into(), soil, wheelbase, band, next: 0, account })
    }

    /// The map below.
    pub fn map(&self) -> &MapRows<R> {
        &self.rows
    }

    /// Tags that put a picture of the same size in the same place.
    pub fn geo_tags(&self) -> GeoTags {
        self.rows.geo_tags()
    }

    /// The next rows, at most this many; `None` after the last.
    pub fn next_strip(&mut self, most: usize) -> Result<Option<Strip>, MapStageError> {
        let (columns, all) = (self.rows.columns(), self.rows.rows());
        let rows = most.min(all - self.next);
        if rows == 0 {
            return Ok(None);
        }
        self.read(rows)?;
        let first = self.next;
        let mut cells = vec![Cell::UNKNOWN; rows * columns];
        let band = &self.band;
        cells.par_chunks_mut(columns).enumerate().for_each(|(row, cells)| band.fill(first + row, cells));
        let mut soils = Vec::new();
        for line in cells.chunks_exact_mut(columns) {
            match &mut self.soil {
                Soil::Same(soil) => line.iter_mut().for_each(|cell| cell.soil = *soil),
                Soil::Classes(classes) => {
                    classes.next_row(&mut soils)?;
                    for (cell, soil) in line.iter_mut().zip(&soils) {
                        *cell = soil.map_or(Cell::UNKNOWN, |soil| Cell { soil, ..*cell });
                    }
                }
            }
        }
        self.count(&cells);
        let lines = &self.band.lines[first - self.band.first..][..rows];
        let heights = lines.iter().flat_map(|line| line.z.iter().copied()).collect();
        self.next += rows;
        Ok(Some(Strip { first, columns, cells, heights }))
    }

    /// What was found, when all rows were read.
    pub fn finish(self) -> Result<GroundAccount, MapStageError> {
        let spacing = self.rows.spacing();
        let cells = (self.rows.columns() * self.rows.rows()) as u64;
        let file = self.file;
        let map = self.rows.finish().map_err(|error| MapStageError::Map { file, error })?;
        let (unknown, steps, slopes) = self.account;
        let mut cautions = map.cautions.clone();
        if spacing > self.wheelbase {
            cautions.push(format!(
                "nodes lie {spacing} m apart, further than the wheelbase of {} m: slopes over the wheelbase, rocks and steps are steeper than the map shows",
                self.wheelbase
            ));
        }
        Ok(GroundAccount { map, cells, unknown, steps, slopes, cautions })
    }

    /// Reads heights until the next `rows` rows have their surroundings.
    fn read(&mut self, rows: usize) -> Result<(), MapStageError> {
        let (from, until) = self.band.keep(self.next, rows);
        let mut fresh = Vec::new();
        for _ in from..until {
            let row = self.rows.next_row();
            let row = row.map_err(|error| MapStageError::Map { file: self.file.clone(), error })?;
            fresh.push(row.unwrap_or_default().to_vec());
        }
        self.band.add(fresh);
        Ok(())
    }

    fn count(&mut self, cells: &[Cell]) {
        let (unknown, steps, slopes) = &mut self.account;
        for cell in cells {
            *unknown += u64::from(!cell.is_known());
            *steps += u64::from(cell.is_step);
            if cell.is_known() {
                slopes[(cell.slope_deg as usize).min(SLOPES - 1)] += 1;
            }
        }
    }
}

impl Band {
    /// Forgets rows that `rows` rows from `next` on do not need; the rows that they need beside those that are there.
    fn keep(&mut self, next: usize, rows: usize) -> (usize, usize) {
        let reach = self.stencil.reach;
        let first = next.saturating_sub(reach);
        self.lines.drain(..(first - self.first).min(self.lines.len()));
        self.first = first;
        (first + self.lines.len(), (next + rows + reach).min(self.rows))
    }

    /// Adds rows, filtered along the row.
    fn add(&mut self, rows: Vec<Vec<f64>>) {
        let stencil = &self.stencil;
        let line = |z: Vec<f64>| Line {
            difference: filtered(&z, &stencil.difference),
            mean: filtered(&z, &stencil.mean),
            z,
        };
        self.lines.par_extend(rows.into_par_iter().map(line));
    }

    /// Slopes and steps of a row.
    fn fill(&self, row: usize, cells: &mut [Cell]) {
        let reach = self.stencil.reach;
        if row < reach || row + reach >= self.rows {
            return;
        }
        let lines = &self.lines[row - reach - self.first..][..2 * reach + 1];
        let columns = cells.len();
        let mut east = vec![0.0; columns];
        let mut north = vec![0.0; columns];
        for (k, line) in lines.iter().enumerate() {
            // The first line is the northern one; weights run from the south.
            let (mean, difference) =
                (self.stencil.mean[2 * reach - k], self.stencil.difference[2 * reach - k]);
            for column in 0..columns {
                east[column] += mean * line.difference[column];
                north[column] += difference * line.mean[column];
            }
        }
        let across = [-2, -1, 0, 1, 2].map(|k: isize| &lines[reach.wrapping_add_signed(k)].z);
        for column in reach..columns.saturating_sub(reach) {
            let (x, y) = (east[column], north[column]);
            if x.is_nan() || y.is_nan() {
                continue;
            }
            let along = [0, 1, 2, 3, 4].map(|k| across[2][column + k - 2]);
            let up = across.map(|line| line[column]);
            cells[column] = Cell {
                slope_deg: (x * x + y * y).sqrt().arctangent().to_degrees() as f32,
                uphill_deg: x.arctangent2(y).to_degrees() as f32,
                soil: 0,
                is_step: step(along).max(step(up)) > self.step_max,
            };
        }
    }
}

/// A line of heights times weights, node by node; not a number where the weights reach beyond its ends.
fn filtered(z: &[f64], weights: &[f64]) -> Vec<f64> {
    let reach = weights.len() / 2;
    let mut out = vec![f64::NAN; z.len()];
    for (window, out) in z.windows(weights.len()).zip(&mut out[reach.min(z.len())..]) {
        *out = window.iter().zip(weights).map(|(z, weight)| z * weight).sum();
    }
    out
}

/// The higher of the two steps beside the middle of five nodes: how far the rise to a neighbour lies from the middle one of it and the rises
/// before and after it. Slopes, curvatures and ridges have none; a cliff or a rock has its height.
fn step(z: [f64; 5]) -> f64 {
    let rise = [z[1] - z[0], z[2] - z[1], z[3] - z[2], z[4] - z[3]];
    let off = |k: usize| (rise[k] - median(rise[k - 1], rise[k], rise[k + 1])).abs();
    off(1).max(off(2))
}

fn median(a: f64, b: f64, c: f64) -> f64 {
    a.min(b).max(a.max(b).min(c))
}
