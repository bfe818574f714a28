//! Polygonal contact: elastic layers on rigid bodies, face by face (PCM of Krenn & Hirzinger, section II.B, after Hippmann).
//!
//! # Model
//! Two rigid bodies have thin elastic layers. One, *the body*, carries a mesh of triangles; the other, *the
//! reference body*, defines the depth of each corner of a face and the direction of its force. Each element
//! of area is an independent spring (elastic foundation). Here the reference body is a body of revolution,
//! known by its section r(a); meshes against meshes use the same law.
//!
//! # Equations
//! Numbers in parentheses are the paper's. For a face of area A with corners x_i:
//!
//! - **Map** (Figs. 4, 5): a corner goes to a = axial place, ρ = distance from the axis; its signed distance φ_i from the section is exact, and
//!   s_i = −φ_i, n_i = ∇φ_i. s is linear over the face between its corners, not measured at the chordal
//!   centre, which is off by the sagitta.
//! - **Clipping** (instead of Fig. 6's refinement): the part where s > 0 counts, ⟨·⟩ = mean over the face; exact for linear s (`triangle`).
//! - **Energy** U = ½ c A ⟨s₊²⟩. Its gradient is the force **f_i = c A ⟨s₊N_i⟩ n_i** at each corner: not the
//!   integral of c·s·n, but the derivative of the discrete energy by the corner's position. Hence wrench =
//!   −grad U to round-off, on any mesh; and each n_i lies in a plane with the axis, so that there is no
//!   torque about the axis of the reference body.
//! - **Damping** (1): f_i += d A ⟨ramp(s) N_i⟩ ṡ_i with ramp = min(s, s_d0)/s_d0; [`Separation::Clamped`]
//!   keeps f_i ≥ 0, and the energy released by the decreasing s is then heat.
//! - **Friction** (2), per face with N = Σf_i, at its centre of pressure: trial F* = −c_T A e − d_T A v_T with e = tangential part of r − r₀, limited to
//!   |F| ≤ μN, μ = μ_stick or μ_slip by the face's [`Grip`]. r is the face's centre and r₀ its anchor in the reference body. At an accepted step at the limit
//!   r₀ = r + F/(c_T A). The paper's signs are corrected so that both cases oppose motion. A face that broke away sticks again only after its
//!   speed was above v_T0 once and fell below: the literal rule chatters.
//! - **Smooth friction**: F = −μN v/reg(v), reg = v from v₀ on and v²/v₀ (1 − v/(3v₀)) + v₀/3 below. It creeps: for small loads v = v₀F/(3μN).
//!
//! **Free ends** (`cut`): only the part of a face before the end of the section counts, U = ½ c A ⟨s₊²; b > 0⟩ with b the distance before the end; its derivative by b
//! is a force of the edge.
//!
//! **Area** ([`AreaOf`]). `Body`: faces carry the area of the true surface that they stand for. `Reference`: that of the reference body under them,
//! U = ½c∫s² over its surface; A then depends on the pose and ∂A/∂x_i is part of the force. On a plane this is the pressure of a liquid, c times the volume.
//!
//! **Layers** ([`Layer`]): c = K/b, K = E(1−ν)/((1+ν)(1−2ν)), c_T = G/b; two in series.
//!
//! **Power**: −(power of the wrench) = d(stored)/dt + heat, exactly for the normal force; for friction except
//! for area that changes while it sticks, which [`Commit::heat`] books.
//!
//! # Parameters
//! [`Layer`], [`Friction`], [`PairLaw`]; all per area, so that forces do not depend on the mesh.
//!
//! # State
//! [`PolygonalState`]: for each touching face an anchor, the area attached to it and its grip. Empty without
//! stick–slip. `evaluate` reads it; only `commit` changes it.
//!
//! # Valid when
//! The layer is thin compared with the contact and compressed by less than a quarter of its depth
//! ([`PolygonalForce::in_range`]). Springs are independent: F ∝ d² for a sphere, whereas Hertz has d^1.5; the
//! two are equal at one depth only. Penetration stays below the smallest convex radius of the reference body
//! ([`Section::reach`](touchdown_geometry::revolution::Section::reach)): at a sharp convex edge the nearest
//! point, and with it the force, jumps. Faces are several times smaller than the contact: the error is
//! (h/a)²/3 for a sphere with contact radius a. With [`AreaOf::Body`] all faces inside the reference body
//! push, also upright sides: supply only the touching surface, or use [`AreaOf::Reference`] with
//! a closed mesh.
//!
//! # Verified by
//! `tests.rs` and its parts: closed forms of sphere, cylinder, cone and punch for both areas and their order; wrench against the gradient of the energy; swapped
//! reference; sweeps; impact and restitution; break-away, holding, stick–slip period; tangents against differences; random poses.
//!
//! # References
//! - R. Krenn, G. Hirzinger: Contact dynamics simulation for space robotics applications. DLR. Section II.B, Eqs. 1–2.
//! - G. Hippmann: An algorithm for compliant contact between complexly shaped bodies. Multibody System Dynamics 12 (2004).
//! - K. L. Johnson: Contact Mechanics. Cambridge University Press (1985), section 4.3.

mod corners;
mod cut;
mod detect;
mod faces;
mod force;
pub mod mesh;
mod pair;
mod pair_in_motion;
mod params;
mod slopes;
mod state;
mod sum;
mod tangent;
#[cfg(test)]
mod tests;
mod tree;
mod triangle;

pub use crate::parameter::{Interval, ParameterError};
pub use detect::Effort;
pub use faces::{Face, Faces, FacesError};
pub use force::{Element, ElementForce, FrictionForce, Hold, calc_element};
pub use pair::{AreaOf, Commit, RevolutionPair, TouchingFace};
pub use params::{COMPRESSION_MAX, Friction, Layer, PairLaw, Separation};
pub use slopes::Slopes;
pub use state::{FaceState, Grip, PolygonalState, calc_next};
pub use tangent::{Bending, PolygonalTangent, Spins, add_tangent};
pub use touchdown_math::SurfaceMotion;
use touchdown_math::{Vec3, Wrench};
pub use triangle::{Moments, mass};

/// Default number of corners around a body of revolution: with it, a sphere or cylinder pressed a fiftieth of
/// its radius into a plate is within 0.1 % of its closed form.
pub const DEFAULT_SEGMENTS: u32 = 720;

/// Effect of a pair on the body that carries the area; the reference body gets the opposite wrench about the
/// same point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PolygonalForce {
    /// Wrench on the body about the origin of its surface's frame, world axes.
    pub wrench_C: Wrench,
    /// Sum of the faces' normal forces, N.
    pub normal_force: f64,
    /// Contact area, m².
    pub area: f64,
    /// Touching faces.
    pub polygons: u32,
    /// Largest penetration, m; zero when apart.
    pub penetration_max: f64,
    /// Largest pressure of the springs, Pa.
    pub pressure_max: f64,
    /// Centre of pressure, m; the frame's origin when apart.
    pub p_WQ: Vec3,
    /// Largest sliding speed, m/s.
    pub sliding_speed_max: f64,
    /// Faces whose friction is at its limit.
    pub sliding: u32,
    /// Stored energy, J.
    pub elastic_energy: f64,
    /// Power turned into heat, W.
    pub dissipated_power: f64,
    /// Power supplied by a changing reference body, W: normal forces times the outward speed of its surface.
    pub surface_power: f64,
    /// Whether every layer stays within the compression at which it is linear.
    pub in_range: bool,
}

impl PolygonalForce {
    /// Nothing touches yet; faces are added by [`PolygonalForce::add`], then [`PolygonalForce::finish`] closes the sums.
    pub fn new() -> PolygonalForce {
        PolygonalForce { in_range: true, ..PolygonalForce::default() }
    }

    /// Adds a face.
    #[inline]
    pub fn add(&mut self, law: &PairLaw, element: &Element, force: &ElementForce) {
        for i in 0..3 {
            self.wrench_C += Wrench::force_at(force.f[i], &element.x[i]);
        }
        let s = force.deepest;
        self.normal_force += force.normal_force;
        self.area += force.area.max(0.0);
        self.polygons += u32::from(force.area > 0.0);
        self.penetration_max = self.penetration_max.max(s);
        self.pressure_max = self.pressure_max.max(law.stiffness * s);
        self.p_WQ += force.p * force.normal_force;
        self.sliding_speed_max = self.sliding_speed_max.max(force.friction.speed);
        self.sliding += u32::from(force.friction.at_limit);
        self.elastic_energy += force.elastic_energy;
        self.dissipated_power += force.dissipated_power;
        self.in_range &= s <= law.penetration_limit;
        for i in 0..3 {
            self.surface_power += force.normal[i] * (element.s_rate[i] + element.n[i].dot(&element.v[i]));
        }
    }

    /// Turns sums into means; `origin` is the point that torques are about, m.
    pub fn finish(&mut self, origin: &Vec3) {
        let weight = if self.normal_force > 0.0 { 1.0 / self.normal_force } else { 0.0 };
        self.p_WQ = origin + self.p_WQ * weight;
    }

    /// Torque on the body about a point, N m; the force is the same about all points.
    pub fn torque_about(&self, origin: &Vec3, point: &Vec3) -> Vec3 {
        self.wrench_C.shifted(&(point - origin)).t
    }
}
