//! Mechanisms: rigid bodies in a tree of joints with loop constraints, force elements and drives; flexible bodies of plates and cables.

pub mod carried;
pub mod description;
pub mod flex;
pub mod rigid;
