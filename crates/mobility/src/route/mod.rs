//! The route of least energy or least risk, and what the table says along it.
//!
//! | part | is |
//! |---|---|
//! | state | a cell and a heading, one of eight |
//! | drive | to the neighbour ahead: the length of the track over the ground times the mean cost per metre of both cells in this heading |
//! | turn | by 45° on the spot: costs as much as driving π/4 times the turning radius on level ground of the cell's soil |
//! | energy | cost per metre: energy of the drives; what going downhill gives back is not kept, so that it is never below zero |
//! | risk | cost per metre: −ln((1 − P(stuck))(1 − P(tip))) over a wheelbase, the distance that a run travels; and 10⁻⁶, so that of equally safe routes the shortest is taken |
//! | closed | cells with a step, without data, steeper than any run, or with P(stuck) above a limit in the heading; and diagonals beside them |
//!
//! Ground of a part of the map ([`Terrain`]) ⇒ costs ⇒ `search` (A*) ⇒ [`Route`] with its profile ⇒ `geojson`.

mod cost;
mod geojson;
mod plan;
mod search;
mod terrain;
#[cfg(test)]
mod tests;

pub(crate) use cost::risk;
pub use geojson::geojson;
pub use plan::{Aim, Route, RouteJob, RoutePoint, plan};
pub use terrain::{MOST_CELLS, Terrain};

/// Steps to the neighbours in the eight headings: columns to the east, rows to the south.
pub(crate) const STEPS: [[isize; 2]; 8] =
    [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]];
