//! Full runs on the real relief: does the map say what the simulation finds?
//!
//! Route ⇒ stretches of 5 m ([`choose()`]: by risk, by uncertainty, at random) ⇒ for each a scenario of its own, the relief around it from the C²
//! patches and the waypoints of the route, in the folder `checks` ⇒ runs ⇒ [`CheckedStretch`], what the map said beside what was found. A stretch
//! whose files stand there already, from the same program, is not run again.

mod choose;
mod rover;
mod run;
mod stretch;
#[cfg(test)]
mod tests;

pub use choose::{Stretch, Why, choose};
pub use rover::Footprint;
pub use run::{CheckJob, CheckedStretch, Found, Said, check};

/// Track of a stretch, m.
pub const STRETCH_M: f64 = 5.0;
/// Stretches that are checked.
pub const STRETCHES: usize = 10;
