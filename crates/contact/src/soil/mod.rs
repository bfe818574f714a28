//! Soil contact model: bodies in soil that yields, flows and keeps its shape.
mod advance;
mod cell;
mod check;
mod columns;
mod contact;
mod deposit;
mod detect;
mod displace;
mod ends;
mod erode;
mod force;
mod law;
mod mesh;
mod outline;
mod params;
mod state;
mod surface;
mod tangent;
#[cfg(test)]
mod tests;
mod wheel;

pub use contact::{ContactState, SoilContact};
pub use params::{
    BekkerWidth, FrictionLaw, Grousers, PressureLaw, SoilOptions, SoilParameters, SoilShape, SoilSurface,
};
pub use state::{Region, Soil, SoilState};
pub use surface::{SurfaceNode, SurfaceTile};
pub use tangent::TangentWeights;
use touchdown_math::{Pose, Vec3, Wrench};

/// Motion of a body's surface, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceMotion {
    /// Pose of the surface's frame; a wheel turns about its y axis.
    pub X_WS: Pose,
    /// Velocity of its origin, m/s.
    pub v_WC: Vec3,
    /// Angular velocity of the body, rad/s.
    pub w_WB: Vec3,
}

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
    /// A place under the body where there is no ground: beyond the map, or a hole in it.
    pub missing: Option<[f64; 2]>,
}
