//! Mechanisms: rigid bodies in a tree of joints with loop constraints, force elements and drives.

pub mod description;
pub mod rigid;
