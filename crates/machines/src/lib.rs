//! Machines from a few numbers: chains, test stands, rocks and gaits as parts of a world description.
//!
//! Each is a plain struct of parameters in SI and a function that turns it into bodies, joints, forces, motions and contacts.
//! Nothing here reads files: `touchdown-scenario` fills the same structs from the keys of a scenario.
//!
//! ```
//! use touchdown_machines::Chain;
//! use touchdown_math::Vec3;
//! use touchdown_sim::description::WorldDescription;
//!
//! let chain = Chain {
//!     links: 3,
//!     length: 0.5,
//!     mass: 1.0,
//!     at: Vec3::new(0.0, 0.0, 2.0),
//!     along: Vec3::x(),
//!     hinge: Vec3::y(),
//!     damping: 0.0,
//! };
//! let mut world = WorldDescription::default();
//! chain.kit("rope").add_to(&mut world, None);
//! assert_eq!(world.mechanism.bodies.len(), 3);
//! assert_eq!(world.mechanism.joints[2].parent, Some(1));
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod chain;
pub mod feet;
pub mod foot_stand;
pub mod gait;
mod kit;
pub mod legs;
pub mod rig;
pub mod rocks;
mod rows;

pub use chain::{Chain, ChainError};
pub use foot_stand::FootStand;
pub use kit::{Kit, KitJoint, Place};
pub use rig::Rig;
pub use rocks::RockField;
