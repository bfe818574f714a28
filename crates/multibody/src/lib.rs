//! Mechanisms: rigid bodies in a tree of joints with loop constraints, force elements and drives; flexible bodies of plates and cables.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod carried;
pub mod description;
pub mod flex;
pub mod rigid;
