//! A* over cells and headings: the least sum of costs from any heading at the start to any heading at the goal.
//!
//! The remaining cost is at least the octile distance times the least cost of a metre: never too much, and never falling by more than a step
//! costs, so that the first visit of a state is the best one. Equal sums are taken in the order of their states: the result is the same always.

use super::cost::Costs;
use super::{STEPS, Terrain};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

const HEADINGS: usize = STEPS.len();
/// No state came before.
const START: u8 = 3;

/// A state to be looked at.
#[derive(PartialEq)]
struct Open {
    least: f64,
    state: usize,
}

impl Eq for Open {}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        // The heap gives the greatest first.
        other.least.total_cmp(&self.least).then(other.state.cmp(&self.state))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Cells and headings along the way, and its cost. A cell stands there once for every heading in which it is.
pub(super) struct Found {
    pub states: Vec<(usize, usize)>,
    pub cost: f64,
}

/// Searches; `None` if nothing leads there.
pub(super) fn search(terrain: &Terrain, costs: &Costs, from: usize, to: usize) -> Option<Found> {
    let size = terrain.cells.len() * HEADINGS;
    // Cost to reach each state, and how it was reached: ahead (0), by a turn to the right (1) or to the left (2).
    let mut reached = vec![f64::INFINITY; size];
    let mut how = vec![START; size];
    let mut open = BinaryHeap::new();
    let remaining = |cell: usize| costs.least * octile(terrain, cell, to);
    for heading in 0..HEADINGS {
        reached[from * HEADINGS + heading] = 0.0;
        open.push(Open { least: remaining(from), state: from * HEADINGS + heading });
    }
    while let Some(Open { least, state }) = open.pop() {
        let (cell, heading) = (state / HEADINGS, state % HEADINGS);
        let so_far = reached[state];
        if cell == to {
            return Some(Found { states: back(terrain, &how, state), cost: so_far });
        }
        // An older entry of a state that was reached for less since.
        if least > so_far + remaining(cell) {
            continue;
        }
        let turn = so_far + costs.turn(cell);
        let beside = |turned: usize| cell * HEADINGS + (heading + turned) % HEADINGS;
        let ahead =
            costs.ahead(cell, heading).map(|(next, cost)| (next * HEADINGS + heading, so_far + cost, 0));
        for (next, cost, by) in
            ahead.into_iter().chain([(beside(1), turn, 1), (beside(HEADINGS - 1), turn, 2)])
        {
            if cost < reached[next] {
                reached[next] = cost;
                how[next] = by;
                open.push(Open { least: cost + remaining(next / HEADINGS), state: next });
            }
        }
    }
    None
}

/// The way to a state, from its start.
fn back(terrain: &Terrain, how: &[u8], last: usize) -> Vec<(usize, usize)> {
    let mut states = Vec::new();
    let (mut cell, mut heading) = (last / HEADINGS, last % HEADINGS);
    loop {
        states.push((cell, heading));
        match how[cell * HEADINGS + heading] {
            0 => {
                let [east, south] = STEPS[heading];
                // It came from there, so there is a cell.
                cell = terrain.neighbour(cell, [-east, -south]).unwrap_or(cell);
            }
            1 => heading = (heading + HEADINGS - 1) % HEADINGS,
            2 => heading = (heading + 1) % HEADINGS,
            _ => break,
        }
    }
    states.reverse();
    states
}

/// Length of the shortest way between two cells over eight neighbours, m.
fn octile(terrain: &Terrain, a: usize, b: usize) -> f64 {
    let apart = |a: usize, b: usize| a.abs_diff(b) as f64;
    let across = apart(a % terrain.columns, b % terrain.columns);
    let along = apart(a / terrain.columns, b / terrain.columns);
    let (short, long) = (across.min(along), across.max(along));
    terrain.spacing * (long - short + std::f64::consts::SQRT_2 * short)
}
