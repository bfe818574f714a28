//! Models of feet (Ding et al., section 4.2) and of plates for identification, each a function from parameters to what a test bed records.

mod drag;
mod drop;
mod plate;
mod press;

pub use drag::{Drag, Strength};
pub use drop::{Drop, Moment};
pub use plate::plate;
pub use press::press;
