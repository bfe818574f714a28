//! What driving and turning cost, cell by cell and heading by heading.

use super::{Aim, RouteJob, STEPS, Terrain};
use crate::Response;
use crate::layers::heading_deg;
use crate::map::Cell;
use rayon::prelude::*;
use touchdown_math::Elementary;

/// Cost of a metre without any risk.
const RISK_FLOOR: f64 = 1e-6;
/// Survival is not counted as less than this, so that its logarithm stays finite.
const LEAST_SURVIVAL: f64 = 1e-3;

/// Costs of a terrain.
pub(super) struct Costs<'a> {
    terrain: &'a Terrain,
    /// Per metre on the map, by cell and heading; infinite where it is closed.
    drive: Vec<f32>,
    /// Of a turn by 45°, by soil.
    turn: Vec<f64>,
    /// The least that a metre on the map costs anywhere.
    pub least: f64,
}

impl<'a> Costs<'a> {
    pub fn new(terrain: &'a Terrain, job: &RouteJob) -> Costs<'a> {
        let mut drive = vec![f32::INFINITY; terrain.cells.len() * STEPS.len()];
        drive.par_chunks_mut(STEPS.len()).zip(&terrain.cells).for_each(|(drive, cell)| {
            for (heading, cost) in drive.iter_mut().enumerate() {
                *cost = per_metre(cell, heading, job).map_or(f32::INFINITY, |cost| cost as f32);
            }
        });
        let quarter = std::f64::consts::FRAC_PI_4 * job.turn_radius_m;
        let level = |soil| quarter * cost(&job.table.at(soil, 0.0, 90.0), job);
        let turn = (0..job.table.soils().len()).map(level).collect();
        let least = drive.iter().copied().fold(f32::INFINITY, f32::min);
        Costs { terrain, drive, turn, least: f64::from(least) }
    }

    /// The cell ahead and the cost of driving there; `None` where it is closed.
    pub fn ahead(&self, cell: usize, heading: usize) -> Option<(usize, f64)> {
        let [east, south] = STEPS[heading];
        let next = self.terrain.neighbour(cell, [east, south])?;
        let is_diagonal = east != 0 && south != 0;
        if is_diagonal {
            for beside in [[east, 0], [0, south]] {
                let beside = self.terrain.neighbour(cell, beside)?;
                if self.drive[beside * STEPS.len() + heading].is_infinite() {
                    return None;
                }
            }
        }
        let [a, b] = [cell, next].map(|cell| f64::from(self.drive[cell * STEPS.len() + heading]));
        let length = if is_diagonal { std::f64::consts::SQRT_2 } else { 1.0 } * self.terrain.spacing;
        let cost = 0.5 * (a + b) * length;
        cost.is_finite().then_some((next, cost))
    }

    /// The cost of a turn by 45° on a cell.
    pub fn turn(&self, cell: usize) -> f64 {
        self.turn[usize::from(self.terrain.cells[cell].soil)]
    }
}

/// Cost of a metre on the map; `None` where it is closed.
fn per_metre(cell: &Cell, heading: usize, job: &RouteJob) -> Option<f64> {
    let response = response(cell, heading, job)?;
    Some(track(cell, heading) * cost(&response, job))
}

/// What the table says of a cell in a heading; `None` where it is closed.
pub(super) fn response(cell: &Cell, heading: usize, job: &RouteJob) -> Option<Response> {
    let slope = f64::from(cell.slope_deg);
    if !cell.is_known() || cell.is_step || !job.table.covers(slope) {
        return None;
    }
    let response = job.table.at(usize::from(cell.soil), slope, relative(cell, heading));
    (response.p_stuck <= job.p_stuck_max).then_some(response)
}

/// Length of the track over the ground for each metre on the map.
pub(super) fn track(cell: &Cell, heading: usize) -> f64 {
    let rise =
        f64::from(cell.slope_deg).to_radians().tangent() * relative(cell, heading).to_radians().cosine();
    (1.0 + rise * rise).sqrt()
}

/// Heading against the direction of ascent, degrees.
fn relative(cell: &Cell, heading: usize) -> f64 {
    heading_deg(heading) - f64::from(cell.uphill_deg)
}

/// Cost of a metre of track.
fn cost(response: &Response, job: &RouteJob) -> f64 {
    match job.aim {
        Aim::Energy => response.energy_j_per_m.max(0.0),
        Aim::Risk => RISK_FLOOR + risk(response) / job.wheelbase_m,
    }
}

/// −ln of the probability to get through a run.
pub(crate) fn risk(response: &Response) -> f64 {
    let survives = (1.0 - response.p_stuck) * (1.0 - response.p_tip);
    -survives.clamp(LEAST_SURVIVAL, 1.0).natural_log()
}
