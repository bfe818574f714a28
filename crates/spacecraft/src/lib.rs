//! Parts of satellites and of docking: relative orbit, wings, wheels, thrusters, sensors, attitude control, boom, capture tool, sequence.
//!
//! Everything here is a law or a device by itself: numbers in, numbers out, with its own small state where it has one. No mechanism, no step loop; `sim`
//! puts the parts on bodies and calls them, laws at every evaluation, devices at their ticks.

pub mod boom;
pub mod capture;
pub mod clock;
pub mod nozzle;
pub mod orbit;
pub mod random;
pub mod wing;
