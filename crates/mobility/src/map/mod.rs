//! What of an elevation map matters to a rover: slope over its wheelbase, the direction of ascent, steps, and the class of the soil.
//!
//! Rows of the map (`touchdown_geometry::map::MapRows`) ⇒ [`Stencil`] ⇒ [`GroundRows`], strip by strip from the north: memory is that of a few
//! rows. Whatever a rover's footprint needs and the map has not got is no data: the border, and the surroundings of holes.

mod classes;
mod error;
mod ground;
mod legend;
mod stencil;
#[cfg(test)]
pub(crate) mod tests;

pub use classes::ClassRows;
pub use error::MapStageError;
pub use ground::{Cell, GroundAccount, GroundRows, Soil, Strip};
pub use legend::Legend;
pub use stencil::Stencil;

/// Height of the highest step that a rover climbs, m: what the scenario `rover-obstacle` shows for the rover of Samarini et al.
pub const STEP_MAX: f64 = 0.25;
