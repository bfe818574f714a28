//! Satellites in the loop: what the orbit does to them, what their actuators do, and the devices that tick.

mod environment;

pub(crate) use environment::Environment;
