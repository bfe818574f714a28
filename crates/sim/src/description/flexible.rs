//! Flexible bodies: their mesh, carrier, contact and wheel.

use touchdown_contact::surface::SurfaceLaw;
use touchdown_math::{Pose, Vec3};
use touchdown_multibody::flex::mesh::FlexMesh;

/// A flexible body: a mesh, free or carried by a body.
#[derive(Clone, Debug)]
pub struct Flexible {
    /// Unique name; columns and quantities are named after it.
    pub name: String,
    /// The mesh, in its own frame M, stress-free. A mesh that is carried has no prescribed coordinates.
    pub mesh: FlexMesh,
    /// Pose of M at the start, for a free mesh.
    pub X_WM: Pose,
    /// Velocity of M's origin at the start, m/s, for a free mesh.
    pub velocity: Vec3,
    /// Angular velocity at the start, rad/s, world axes, for a free mesh.
    pub spin: Vec3,
    /// Free coordinates at the start, in M; `None`: the stress-free form.
    pub shape: Option<Vec<f64>>,
    /// Its carrier.
    pub carrier: Option<FlexCarrier>,
    /// Coordinates of the state.
    pub coordinates: NodalCoordinates,
    /// Contact with the ground.
    pub contact: Option<FlexContactDescription>,
    /// Set for a wheel: its deformation and traction are recorded.
    pub wheel: Option<FlexWheel>,
    /// Points whose motion is recorded: name, element, place in it (ξ, η from 0 to 1, ζ from −½ to ½).
    pub points: Vec<(String, usize, [f64; 3])>,
}

/// How a body carries a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexCarrier {
    /// Index in the mechanism's bodies.
    pub body: usize,
    /// The mesh's frame in the body.
    pub X_BM: Pose,
    /// Nodes of the mesh that move with the body: a reference node, or several.
    pub nodes: Vec<usize>,
    /// Whether their gradients move with it as well; otherwise they are pinned.
    pub gradients: bool,
}

/// Coordinates of a flexible body in the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodalCoordinates {
    /// Nodal vectors.
    #[default]
    Plain,
    /// Lᵀ times them, M = L·Lᵀ: the mass is the identity.
    Cholesky,
}

/// Contact points on a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexContactDescription {
    /// Faces that can touch: element and side (ζ = −½ or ½).
    pub faces: Vec<(usize, f64)>,
    /// Points along and across each face.
    pub points: [usize; 2],
    /// Law of the ground on a face, per area: stiffness in N/m³ (N/m^(n+2)), damping in N s/m³
    /// (Hunt–Crossley's in s/m).
    pub law: SurfaceLaw,
}

/// A flexible wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlexWheel {
    /// Outer radius without load, m.
    pub radius: f64,
    /// Width, m.
    pub width: f64,
    /// Centre in the mesh's frame, m.
    pub centre: Vec3,
    /// Spin axis in the mesh's frame, a unit vector; turning positively about it rolls the wheel forward.
    pub axis: Vec3,
    /// Rolling radius over the ground = radius − share·deformation, for drives that hold a rim speed: the
    /// rolling radius of a rim of constant length exceeds its hub height.
    pub rolling_share: f64,
}
