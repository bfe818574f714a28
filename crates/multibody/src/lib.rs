//! Mechanisms: rigid bodies in a tree of joints with loop constraints, force elements and drives.

pub mod carried;
pub mod description;
pub mod rigid;
