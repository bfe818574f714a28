//! Soil contact model: bodies in soil that yields, flows and keeps its shape.
mod cell;
mod columns;
mod mesh;
mod outline;
mod params;
pub use params::*;
use touchdown_math::{Vec3, Wrench};

/// What soil does to a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SoilForce {
    /// Wrench on the body about the origin of its surface's frame, world axes.
    pub wrench_C: Wrench,
    /// Power that the body puts into the soil, W: compaction, friction, and the little that comes back elastically.
    pub dissipated_power: f64,
    /// Depth of the body's lowest point below the undisturbed level under the origin of its frame, m; negative above it.
    pub sinkage: f64,
    /// Horizontal projection of the contact, m².
    pub area: f64,
    /// Largest pressure, Pa.
    pub pressure_max: f64,
    /// Nodes that carry.
    pub nodes: u32,
    /// Where the resultant acts: the pressure-weighted mean of the nodes, m.
    pub p_WQ: Vec3,
}
