//! Studies of a world beside running it in time: each is a [`Procedure`] that a description carries.
//!
//! | study | question |
//! |---|---|
//! | [`Tilt`] | how far can the ground be tilted before a wheel lifts or slips? |
//! | [`Bevameter`] | how deep does a body sink under a load? |
//! | [`WheelPress`] | how does a flexible wheel deflect on hard ground or in soil? |
//! | [`FreeRolling`] | on which radius does a flexible wheel roll, and what does that cost? |
//! | [`Modes`] | what are the natural frequencies of a flexible body? |
//! | [`StaticLoad`] | how far does a flexible body bend? |
//! | [`ShellCourse`] | how far do curved shells with published deflections bend? |
//! | [`Spacings`] | what does a map lose against the formula it was taken from? |
//!
//! ```
//! use touchdown_sim::{Simulation, description::{Study, WorldDescription}};
//! use touchdown_studies::Bevameter;
//!
//! let study = Study::by(Bevameter { body: 0, load: 100.0, points: 10 });
//! assert!(!study.takes_time());
//! let world = Simulation::build(&WorldDescription { study: Some(study), ..Default::default() }).unwrap();
//! assert_eq!(world.columns()[1].name, "load_n");
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod bevameter;
mod free_rolling;
mod modes;
mod shell_course;
mod spacings;
mod static_load;
mod tilt;
mod wheel_press;

pub use bevameter::Bevameter;
pub use free_rolling::FreeRolling;
pub use modes::Modes;
pub use shell_course::ShellCourse;
pub use spacings::Spacings;
pub use static_load::StaticLoad;
pub use tilt::Tilt;
pub use wheel_press::WheelPress;

use std::any::Any;
use touchdown_sim::description::Procedure;

/// Whether `other` is a procedure of the same type with the same numbers.
fn equal<P: Procedure + PartialEq>(own: &P, other: &dyn Procedure) -> bool {
    (other as &dyn Any).downcast_ref::<P>() == Some(own)
}
