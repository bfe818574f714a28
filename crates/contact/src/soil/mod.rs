//! Soil contact: rigid bodies in soil that yields, flows aside and keeps its shape (SCM of Krenn & Hirzinger, section III).
//!
//! # Model
//! The ground is a grid of nodes, ds apart, each with a height and a memory. The input from a body is its
//! underside over the nodes (*columns*): wherever that is lower than the ground, the node pushes with the
//! plate pressure times a factor of direction and resists sliding with its strength. An evaluation is a pure
//! function of soil and motion. When a step is accepted, nodes store the load that they have carried, the
//! soil that the body displaced is deposited on the border of its footprint, and slopes that are too steep
//! slide.
//!
//! # Equations
//! Numbers in parentheses are the paper's. For a node with the underside at `level`, slopes s, normal m = (−s_x, −s_y, 1):
//!
//! - **Pressure** (3): p = K·zⁿ, K = k_c/b + k_φ (Bekker) or (k₁ + k₂ b)/bⁿ (Reece); z = top − level, with `top` the surface when the present
//!   contact began, deposits included (but see direction). Soil damping: max(0, p − d·(m·v)).
//! - **Direction** ([`StressLaw::Directional`], default): p times α(n, v)/α(level plate pushed down) of three-dimensional resistive force theory
//!   (`direction`), nothing where n·v < 0; a node follows a new direction over 0.2 mm of motion, so that nothing changes at rest. Friction is at most
//!   the tangential part of α. [`StressLaw::Bekker`]: factor one.
//!   [`StressLaw::WongReece`]: under wheels a factor of the angle (`peak`), one under other bodies.
//!   Soil that a body has deposited and not yet left behind does not count as ground (`bow`): z is measured
//!   from below it.
//! - **Sides** (directional): the leading flat side of a wheel meets α(n, v)·K·Dⁿ⁺¹/(n + 1) per length, D its depth below the undisturbed surface (`sides`).
//! - **Memory**: a node that carried p_y at z_y unloads and reloads along p = p_y − k_e·rise and continues
//!   along the virgin curve beyond. Fresh soil on ground that carried before carries like virgin soil until
//!   the ground below carries more. The memory of ground that lost its top moves down with it.
//! - **Force** (4): p·A·m over the horizontal area A = ds²·cover·end: the true face ds²/n_z times the unit normal, so that the vertical part is
//!   p·ds². `cover` is the fraction of the cell under the body, `end` the part that the node represents at
//!   the rim of the contact (`ends`).
//! - **Friction** (5): strength τ = c + p tan φ on the true area, against the sliding velocity v_t. `coulomb`: τ·v_t/√(v_t² + v_ε²).
//!   `anchored`: against an anchor a of each node with da = (v̂_t − a)|v_t| dt/0.2 mm in the plane of the underside. `janosi`: the same times the share
//!   S with dS = (1 − S) dj/K, dj = |v_t| dt, so that S = 1 − e^(−j/K). Both are solved by backward Euler:
//!   nothing changes at rest. φ is that of the soil or of the interface: under `Directional` two thirds of
//!   the soil's on smooth rims and meshes. Friction never pulls a body that leaves the soil: cohesion may.
//! - **Grousers**: the soil between closely spaced bars moves with them as a block, so that the wheel bears
//!   and shears on a cylinder between rim and tips (`wheel`). **Steep faces** of meshes are limited by their
//!   depth: their slope counts up to depth over spacing.
//! - **Displaced volume** (6)–(8): the drop of the unloaded level since the last time, times the cover, split
//!   by v_n and v_t into sinkage, bulldozing and shear; also the soil beside a body that spreads over more of
//!   a cell. The parts sum exactly to the whole.
//! - **Compaction**: the part `compaction` of the sinkage volume stays in the ground, node by node, and is
//!   included in the account.
//! - **Deposition** (9)–(10): on the eight-neighbour border of the footprint, sinkage by 1/d², the rest by cosᵐ of the angle to the velocity; by 1/d²
//!   where nothing lies ahead. Footprint nodes are gathered into 3 × 3 groups, which share the border at
//!   once. Under a body that does not come closer there is room only up to its underside; the remainder
//!   travels with the body.
//! - **Carried layer** (assumed; self-carving): a surface that slides at v_t takes `carried_layer`·|v_t|·Δt/ℓ from every loaded node, ℓ the length
//!   of the footprint along the slide; the node's memory is lowered by it at every step; the volume moves
//!   with the soil, along v_t by (10).
//! - **Erosion** (11)–(12): neighbours that differ by more than ds·tan φ (√2 of that on diagonals) slide, half of the largest excess at a time, over nodes
//!   whose surroundings changed; nodes under a body are left out.
//!
//! **Width b**: [`BekkerWidth::Given`] as in the paper; `Footprint`, the short side of the contact's convex hull; `Perimeter`, 2A/P of it.
//!
//! **Power**: [`SoilForce::dissipated_power`] is the power that the body supplies to the soil; the small
//! elastic return counts as negative.
//!
//! **Tangent**: by velocity all terms are included (with anchors: exact at rest and where they lie along the
//! motion; the turning of `Directional`'s factor is left out). By pose: pressure along m, exact for a plate
//! along its normal. Left out: moving ends, turning and curving slopes, and nodes that move through the
//! body's frame, so that the horizontal stiffness of a wheel on virgin soil is not reproduced by differences;
//! its vertical stiffness is 4 % off.
//!
//! # Parameters
//! [`SoilParameters`] per soil and region, [`SoilOptions`] for the model, [`SoilSurface`] per body, each with `check`. k_e is *assumed*: with the 4e7 Pa/m
//! found in other codes soil follows a wheel behind bottom dead centre and carries 7.6 % more than the exact integral; with 1e9 Pa/m, 1.5 %.
//!
//! # State
//! [`SoilState`]: per touched tile of 32 × 32 nodes the heights, memories and flags; [`ContactState`]: the
//! nodes that a body covers and the soil it carries. Both change only in [`Soil::advance`]. Heights are
//! displacements from the undisturbed relief in whole numbers of 2⁻⁵⁰ m: volume is exact for any order
//! of motion. Untouched ground has no tiles.
//!
//! # Valid when
//! Cells are several times smaller than the footprint (ds ≤ r/10: forces within 3 %, ds ≤ r/20: within 2 %). The flat sides of a
//! wheel push only where it moves along its axle (12 % of the force is missing at a camber of 0.1 rad and r/4
//! of sinkage: use a mesh), and a wheel that leans beyond 84° gives no force. Single bars of a wheel, their
//! wedges and their ripple are not modelled. Soil has one height per place: no overhangs, no flow around a
//! body deeper than its widest place. The soil has no inertia. Erosion processes one node after the other,
//! so that turning the world by a right angle changes heights by less than the height at which soil begins to
//! slide, and mean forces by less than 0.1 %.
//!
//! # Verified by
//! `tests.rs` and its parts: plates and wheels against closed forms (`oracle::soil`), first order in ds, compaction resistance, ripple; the law of one node;
//! Janosi's curve and wheel, the planar law of resistive force theory; lifting without pull; second passes; tangents; volume to the last unit over random motions of three bodies; cones of repose;
//! purity and restarts to the bit; moved and turned worlds, borders of tiles, ground that is not touched.
//!
//! # References
//! - R. Krenn, G. Hirzinger: Contact dynamics simulation for space robotics applications. DLR. Section III, Eqs. 3–12.
//! - R. Krenn, A. Gibbesch: Soft soil contact modeling technique for multi-body system simulation. Trends in Computational Contact
//!   Mechanics, Springer (2011).
//! - M. G. Bekker: Introduction to Terrain-Vehicle Systems. University of Michigan Press (1969).
//! - A. R. Reece: Principles of soil–vehicle mechanics. Proc. IMechE 180 (1965).
//! - Z. Janosi, B. Hanamoto: The analytical determination of drawbar pull as a function of slip for tracked vehicles in deformable
//!   soils. Proc. 1st Int. Conf. Mechanics of Soil–Vehicle Systems, Turin (1961).

mod advance;
mod bow;
mod cell;
mod check;
mod columns;
mod contact;
mod deform;
mod deposit;
mod detect;
pub(crate) mod direction;
mod displace;
mod ends;
mod erode;
mod follow;
mod force;
mod ground;
mod heap;
mod lanes;
mod law;
mod mesh;
mod nodes;
mod outline;
mod pack;
mod params;
mod peak;
mod save;
mod shear;
mod sides;
mod state;
mod surface;
mod tangent;
#[cfg(test)]
mod tests;
mod tile;
mod volume;
mod wheel;

pub use advance::Stage;
pub use contact::{ContactState, NodePressure, SoilContact};
pub use deform::{NodePush, SurfaceCorner};
pub use ground::Region;
pub use heap::HeapFigures;
pub use params::{
    BekkerWidth, FrictionLaw, Grousers, PressureLaw, SoilOptions, SoilParameters, SoilShape, SoilSurface,
    StressLaw,
};
pub use save::SoilState;
pub use state::Soil;
pub use surface::{DrawnMarks, SurfaceNode, SurfaceTile};
pub use tangent::TangentWeights;
pub use touchdown_math::SurfaceMotion;
use touchdown_math::{Vec3, Wrench};

/// Effect of the soil on a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SoilForce {
    /// Wrench on the body about the origin of its surface's frame, world axes.
    pub wrench_C: Wrench,
    /// Power that the body supplies to the soil, W: compaction, friction, and the small elastic return.
    pub dissipated_power: f64,
    /// Depth of the body's deepest point below the plane that touches the undisturbed ground under the origin of its frame, m, along that plane's
    /// normal; negative above it.
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
