//! From start and goal to a route with its profile.

use super::cost::{self, Costs};
use super::search::search;
use super::{STEPS, Terrain};
use crate::layers::heading_deg;
use crate::map::MapStageError;
use crate::{Response, ResponseTable};
use serde::Serialize;
use touchdown_math::Elementary;

/// What a route is to have least of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Aim {
    /// Energy of the drives.
    Energy,
    /// Probability of getting stuck or tipping over.
    Risk,
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct RouteJob<'a> {
    /// What the rover does where.
    pub table: &'a ResponseTable,
    /// Start, in the file's coordinates.
    pub from: [f64; 2],
    /// Goal.
    pub to: [f64; 2],
    /// What it is to have least of.
    pub aim: Aim,
    /// Where the probability of getting stuck is higher, it does not lead.
    pub p_stuck_max: f64,
    /// The wheels that are farthest from the middle lie so far from it.
    pub turn_radius_m: f64,
    /// Distance that a run of the table travels.
    pub wheelbase_m: f64,
}

/// A route.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Route {
    /// What it has least of.
    pub aim: Aim,
    /// From the start on, a point for every cell.
    pub points: Vec<RoutePoint>,
    /// Length of the track over the ground, m.
    pub length_m: f64,
    /// Energy of the drives without that of turns, J.
    pub energy_j: f64,
    /// Sums of the ends of the 90 % intervals, J: errors of a surrogate are alike along a route, and do not cancel.
    pub energy_interval_j: [f64; 2],
    /// Mean of the slip over the track.
    pub slip_mean: f64,
    /// Probability of getting stuck or tipping over along it, were every wheelbase of it a run of its own.
    pub risk: f64,
    /// Turns by 45°.
    pub turns: usize,
    /// The sum that the search made least: J for energy, without a unit for risk; turns are in it.
    pub cost: f64,
    /// Whether the map was cut around the ends because it is too large to be searched as a whole.
    pub is_cut: bool,
}

/// A point of a route. What is said of driving holds for the track from here to the next point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RoutePoint {
    /// In the file's coordinates.
    pub place: [f64; 2],
    /// Height of the ground, m.
    pub height_m: f64,
    /// Track from the start, m.
    pub distance_m: f64,
    /// Energy from the start, J.
    pub energy_j: f64,
    /// Clockwise from north.
    pub heading_deg: f64,
    /// Steepness of the ground.
    pub slope_deg: f64,
    /// What the table says.
    pub response: Response,
    /// Number of its soil in the table.
    pub soil: u8,
    /// Its cell of the terrain.
    #[serde(skip)]
    pub cell: usize,
}

/// Searches a route.
pub fn plan(terrain: &Terrain, job: &RouteJob) -> Result<Route, MapStageError> {
    check(job)?;
    let (from, to) = (terrain.cell_at(job.from)?, terrain.cell_at(job.to)?);
    let costs = Costs::new(terrain, job);
    let found = search(terrain, &costs, from, to);
    let found =
        found.ok_or(MapStageError::NoRoute { from: job.from, to: job.to, p_stuck_max: job.p_stuck_max })?;
    let turns = found.states.windows(2).filter(|pair| pair[0].0 == pair[1].0).count();
    let mut points: Vec<RoutePoint> = Vec::new();
    let mut route = Totals::default();
    for (k, &(cell, heading)) in found.states.iter().enumerate() {
        let next = found.states.get(k + 1);
        if next.is_some_and(|next| next.0 == cell) {
            continue;
        }
        let ground = &terrain.cells[cell];
        let here = cost::response(ground, heading, job);
        // The goal may be closed in the heading in which it is reached only if it is the start, too.
        let here =
            here.unwrap_or_else(|| job.table.at(usize::from(ground.soil), f64::from(ground.slope_deg), 0.0));
        let mut point = RoutePoint {
            place: terrain.place(cell),
            height_m: terrain.heights[cell],
            distance_m: route.length,
            energy_j: route.energy,
            heading_deg: heading_deg(heading),
            slope_deg: f64::from(ground.slope_deg),
            response: here,
            soil: ground.soil,
            cell,
        };
        if let Some(&(ahead, _)) = next {
            let ground_ahead = &terrain.cells[ahead];
            let there = cost::response(ground_ahead, heading, job).unwrap_or(here);
            point.response = here.blend(&there, 0.5);
            let flat =
                terrain.spacing * ((STEPS[heading][0].pow(2) + STEPS[heading][1].pow(2)) as f64).sqrt();
            let tracks = [cost::track(ground, heading), cost::track(ground_ahead, heading)];
            route.add(&[here, there], tracks.map(|track| 0.5 * flat * track), job.wheelbase_m);
        }
        points.push(point);
    }
    Ok(Route {
        aim: job.aim,
        points,
        length_m: route.length,
        energy_j: route.energy,
        energy_interval_j: [route.energy_low, route.energy_high],
        slip_mean: if route.length > 0.0 { route.slip / route.length } else { 0.0 },
        risk: 1.0 - (-route.risk).exponential(),
        turns,
        cost: found.cost,
        is_cut: terrain.is_cut,
    })
}

fn check(job: &RouteJob) -> Result<(), MapStageError> {
    let refuse = |key, found, allowed| Err(MapStageError::Setting { key, found, allowed });
    match () {
        () if !(0.0..=1.0).contains(&job.p_stuck_max) => {
            refuse("the highest probability of getting stuck", job.p_stuck_max, "0 to 1")
        }
        () if !(job.turn_radius_m.is_finite() && job.turn_radius_m >= 0.0) => {
            refuse("the turning radius, m,", job.turn_radius_m, "finite, >= 0")
        }
        () if !(job.wheelbase_m.is_finite() && job.wheelbase_m > 0.0) => {
            refuse("the wheelbase, m,", job.wheelbase_m, "finite, > 0")
        }
        () => Ok(()),
    }
}

/// Sums along a route.
#[derive(Default)]
struct Totals {
    length: f64,
    energy: f64,
    energy_low: f64,
    energy_high: f64,
    slip: f64,
    risk: f64,
}

impl Totals {
    /// Adds the track over two cells.
    fn add(&mut self, responses: &[Response; 2], tracks: [f64; 2], wheelbase: f64) {
        for (response, track) in responses.iter().zip(tracks) {
            let energy = response.energy_j_per_m * track;
            let [low, high] = response.energy_interval_j_per_m;
            self.length += track;
            self.energy += energy;
            self.energy_low += low * track;
            self.energy_high += high * track;
            self.slip += response.slip * track;
            self.risk += cost::risk(response) * track / wheelbase;
        }
    }
}
