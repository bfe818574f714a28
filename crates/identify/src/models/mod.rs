//! Models of feet for identification (Ding et al., section 4.2), each a function from parameters to what a test bed records.

mod drag;
mod drop;
mod press;

pub use drag::{Drag, Strength};
pub use drop::{Drop, Moment};
pub use press::press;
