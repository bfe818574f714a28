//! Polygonal contact: elastic layers on rigid bodies, face by face (PCM of Krenn & Hirzinger, section II.B, after Hippmann).

mod detect;
mod faces;
mod force;
pub mod mesh;
mod pair;
mod params;
mod state;
mod sum;
mod tangent;
#[cfg(test)]
mod tests;
mod triangle;

pub use crate::parameter::{Interval, ParameterError};
pub use crate::soil::SurfaceMotion;
pub use detect::Effort;
pub use faces::{Face, Faces, FacesError};
pub use force::{Element, ElementForce, FrictionForce, Hold, calc_element};
pub use pair::{AreaOf, Commit, RevolutionPair, TouchingFace};
pub use params::{COMPRESSION_MAX, Friction, Layer, PairLaw, Separation};
pub use state::{FaceState, PairState, Phase, calc_next};
pub use tangent::{Bending, PairTangent, Spins, add_tangent};
use touchdown_math::{Vec3, Wrench};
pub use triangle::{Moments, mass};

/// Corners around a body of revolution unless said otherwise: with them, a sphere or cylinder pressed a fiftieth of its radius into a plate is within 0.1 % of
/// its closed form.
pub const DEFAULT_SEGMENTS: u32 = 720;

/// What a pair does to the body that carries the area; the reference body gets the opposite wrench about the same point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairForce {
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
    /// Whether every layer stays within the compression at which it is linear.
    pub in_range: bool,
}

impl PairForce {
    /// Nothing touches yet; faces are added by [`PairForce::add`], then [`PairForce::finish`] closes the sums.
    pub fn new() -> PairForce {
        PairForce { in_range: true, ..PairForce::default() }
    }

    /// Adds a face.
    #[inline]
    pub fn add(&mut self, law: &PairLaw, element: &Element, force: &ElementForce) {
        for i in 0..3 {
            self.wrench_C += Wrench::force_at(force.f[i], &element.x[i]);
        }
        let s = element.s[0].max(element.s[1]).max(element.s[2]);
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
