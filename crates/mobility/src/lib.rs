//! Mobility maps: where a rover can go, in which direction, with what slip, energy and risk, and how sure that is.
//!
//! Runs of the rover on inclined soil (a campaign) ⇒ surrogate with intervals ⇒ [`ResponseTable`] ⇒ layers over an
//! elevation map, for eight headings ⇒ route ⇒ page. The table is the seam: what fills it knows no map, and what reads it
//! knows no rover.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod binding;
pub mod layers;
pub mod map;
pub mod page;
mod query;
pub mod response;
pub mod route;
pub mod stage;
pub mod surrogate;
mod table;
pub mod verify;

pub use binding::{bind, file_hash};
pub use query::{Answer, QueryError, query};
pub use table::{Response, ResponseTable, TableError};
