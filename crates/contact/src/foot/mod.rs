//! Feet: a flat, cylindrical or spherical foot on hard ground or in soil; normal and tangential force, plastic footprints.
//!
//! # Model
//! The ground under a foot is a plane; the foot touches it with its lowest point. Three cases: a foot that deforms on hard ground; a hard foot in soil; a foot
//! with a spring in soil. The bearing force of soil is the integral of its stress over the sole. Soil yields
//! and keeps the footprint: it holds any load that it has carried, without rebound. Along the ground a
//! bristle in series with slipping soil follows the curve of Janosi and Hanamoto. A flat sole is an area:
//! [`FootShape::parts`] divide it, each with its own depth and states. The ground exerts forces, not moments:
//! they act at the lowest point of each part, and moments about all axes follow from their arms.
//!
//! # Equations
//! With the depth δ of the undeformed foot below ground, tangential velocity v_t of its lowest point, numbers of equations of Ding et al. in parentheses:
//!
//! - **Hard ground** (9, 53): N = max(0, k δⁿ + b δᵖ δ̇^q), all five parameters ([`crate::law::hunt_crossley`]); strength A = μN (10, 11).
//! - **Pressing soil** N = F(m): [`Bearing`], from the pressure σ = K δⁿ under each point (`exact` (21, 24, 31)), or in the closed forms (29a–c, 33, 34).
//! - **Yielding** of the pressed sinkage m: δ + τ δ̇ = m + τ(1 − ε) ṁ, ṁ ≥ 0. With τ → 0 m is the largest δ so far; τ is far below any loading time.
//! - **Holding** (54), ṁ = 0: N between zero and F(m) on a line that falls to zero over the share ε of m. A
//!   foot at rest carries exactly its load; when it lifts, m remains.
//! - **Damping** (53): b δᵖ δ̇^q while the foot sinks, in the share to which the soil bears.
//! - **A spring in soil** (46): one force through the foot's law and the soil, whose depths add up to δ
//!   (`series.rs`). A foot with mass is a separate body with a hard sole on a spring: the system of two
//!   masses (47), [`TwoMasses`]; at rest a single law is equivalent (48–52), [`equivalent()`].
//! - **Along the ground** (15, 30, 35–44, 55, 56): strength A = c S + N tan φ with the area S on which cohesion acts: the sole's plan for `exact`, F/σ_m for the other
//!   forms; G follows the curve of Janosi, tanh or a line by [`crate::law::shear::ShearBristle`], against v_t in any direction (4).
//! - **Slopes** (2, 3): the plane may have any inclination; [`slope_axes`] gives the foot's axes on it.
//!
//! **Energy.** Stored: the foot's spring, the soil's spring-back, the bristle. Heat: plastic work N(1 − ε)ṁ
//! less the energy stored in the spring-back, damping, relaxation, slip. Power of the wrench + d(stored)/dt +
//! heat = 0 to round-off. A cycle of pressing and lifting dissipates ∫F dδ less ½ε m F(m), which is
//! recovered.
//!
//! **Implicit form.** m = base + h ṁ, x = base + h ẋ and e = base + h u are solved inside; h = 0 is the continuous form, as in [`crate::tyre`].
//!
//! # Parameters
//! [`FootParameters`], [`FootSoil`]. ε and τ are not in the paper, in which N jumps to the load when δ̇
//! changes sign (Eq. 54 needs the load as input). Small values have no other effect: ε = 0.001 gives a
//! rebound of a thousandth of the sinkage.
//!
//! # State
//! [`STATES`] numbers for the integrator, [`FootprintMemory`], which [`Foot::commit`] moves at accepted steps, and [`Footprints`] left behind, which feet share.
//!
//! # Valid when
//! A round foot is not deeper than its radius and a sole not tilted by more than 30°
//! ([`FootForce::in_range`]); deeper, `exact` continues with the whole foot below ground. Sinkage is
//! quasi-static, bulldozing by a dragged foot is not modelled, and a dragged foot meets soil as firm as at
//! its previous position.
//!
//! # Verified by
//! `tests.rs` and its parts: every corrected equation; the errors of Fig. 11; exact forces to 1e-6; energy of a cycle and power to round-off; tangents against
//! differences; drops that stop and hold; steps into the same and into new footprints; turned worlds.
//!
//! # References
//! - L. Ding, H. Gao, Z. Deng, J. Song, Y. Liu, G. Liu, K. Iagnemma: Foot–terrain interaction mechanics for legged robots. Int. J. Robotics Research 32 (2013) 13.
//! - J. Y. Wong, A. R. Reece: Prediction of rigid wheel performance. J. Terramechanics 4 (1967).
//! - Z. Janosi, B. Hanamoto: The analytical determination of drawbar pull as a function of slip. 1st Int. Conf. Terrain-Vehicle Systems (1961).
//! - P. R. Dahl: A solid friction model. Aerospace Corp. TOR-0158 (1968): the bristle whose steady curve is Janosi's.

mod bearing;
mod detect;
mod equivalent;
mod force;
mod frame;
mod hard;
mod params;
mod plastic;
mod quadrature;
mod series;
mod shape;
mod sole;
mod state;
pub mod stress;
mod tangent;
#[cfg(test)]
mod tests;

pub use crate::parameter::{Interval, ParameterError};
pub use crate::tyre::GroundPlane;
pub use bearing::{Bearing, Carried, hertz_friction, hertz_parameters};
pub use equivalent::{Equivalent, TwoMassForces, TwoMasses, equivalent, series_stiffness};
pub use frame::{force_in_world, slope_axes};
pub use hard::HardGround;
pub use params::{FootGround, FootModel, FootParameters, FootSoil, Stress};
pub use shape::FootShape;
pub use sole::SolePart;
pub use state::{FootprintMemory, Footprints, STATES};

use detect::Sole;
pub use touchdown_math::SurfaceMotion;
use touchdown_math::{Mat6, Vec3, Wrench};

/// Effect of the ground on a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootForce {
    /// Wrench on the foot about the origin of its frame, world axes.
    pub wrench_F: Wrench,
    /// Lowest point of the undeformed foot, where forces act, m.
    pub p_WQ: Vec3,
    /// Force along the normal, N, never negative.
    pub normal_force: f64,
    /// Force along the ground, N.
    pub tangential_W: Vec3,
    /// Largest force along the ground at this load, N.
    pub strength: f64,
    /// Depth δ of the undeformed foot below ground, m; negative when apart.
    pub depth: f64,
    /// Deformation of the foot's spring, m.
    pub spring: f64,
    /// Energy stored, J.
    pub elastic_energy: f64,
    /// Power turned into heat, W.
    pub dissipated_power: f64,
    /// Rates of the contact states, m/s.
    pub state_rate: [f64; STATES],
    /// Whether depth and tilt are within the model's range.
    pub in_range: bool,
}

/// Derivatives of a foot's wrench, world axes; rows and columns 0–2 angular, 3–5 linear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootTangent {
    /// With respect to a small rotation of the foot and a displacement of its origin, world velocities held.
    pub K: Mat6,
    /// With respect to angular velocity and velocity of the origin.
    pub D: Mat6,
}

/// A foot with checked parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foot {
    params: FootParameters,
    bearing: Option<Bearing>,
    /// Which part of a sole it is, and its share of the whole.
    part: (u32, f64),
}

impl Foot {
    /// Checks the parameters; all problems come back at once.
    pub fn new(params: FootParameters) -> Result<Foot, Vec<ParameterError>> {
        let problems = params.check();
        if !problems.is_empty() {
            return Err(problems);
        }
        let bearing = match &params.ground {
            FootGround::Hard { .. } => None,
            FootGround::Soil(soil) => Some(Bearing::new(params.shape, soil)),
        };
        Ok(Foot { params, bearing, part: (0, 1.0) })
    }

    /// A part of this foot ([`FootShape::parts`]): the origin of its motion is the place of the part.
    pub fn part(&self, index: u32, share: f64) -> Foot {
        Foot { part: (index, share), ..*self }
    }

    /// The parameters.
    pub fn params(&self) -> &FootParameters {
        &self.params
    }

    /// Bearing force of its soil at rest; none on hard ground.
    pub fn bearing(&self) -> Option<&Bearing> {
        self.bearing.as_ref()
    }

    /// Distance of the foot from the present ground, footprint included, m; negative when touching. An event
    /// function.
    pub fn calc_gap(&self, motion: &SurfaceMotion, ground: &GroundPlane, state: &[f64; STATES]) -> f64 {
        let bottom = match &self.params.ground {
            FootGround::Hard { .. } => 0.0,
            FootGround::Soil(soil) => (1.0 - soil.recovery) * state[0].max(0.0) + state[1],
        };
        self.calc_outline_gap(motion, ground) + bottom
    }

    /// Distance of the undeformed foot from the untouched ground, m.
    pub fn calc_outline_gap(&self, motion: &SurfaceMotion, ground: &GroundPlane) -> f64 {
        -Sole::calc(&self.params.shape, motion, ground).depth
    }

    /// Force at the given states: the continuous-time form.
    pub fn calc_force(
        &self,
        motion: &SurfaceMotion,
        ground: &GroundPlane,
        state: &[f64; STATES],
    ) -> FootForce {
        self.calc_force_at(motion, ground, state, 0.0).0
    }

    /// Force at the states that solve `z = base + h · ż(motion, z)`, and those states.
    pub fn calc_force_at(
        &self,
        motion: &SurfaceMotion,
        ground: &GroundPlane,
        base: &[f64; STATES],
        h: f64,
    ) -> (FootForce, [f64; STATES]) {
        let (sole, loads) = self.calc(motion, ground, base, h);
        let force = loads.report(&sole, self.is_in_range(&sole)).shared(self.part.1);
        (force, stepped(base, h, &force))
    }

    /// As [`Foot::calc_force_at`], with the total derivative of the wrench: the states follow the motion.
    pub fn calc_force_implicit(
        &self,
        motion: &SurfaceMotion,
        ground: &GroundPlane,
        base: &[f64; STATES],
        h: f64,
    ) -> (FootForce, FootTangent, [f64; STATES]) {
        let (sole, loads) = self.calc(motion, ground, base, h);
        let force = loads.report(&sole, self.is_in_range(&sole)).shared(self.part.1);
        let tangent = tangent::calc_tangent(&loads, &sole, &motion.w_WS);
        let tangent = FootTangent { K: tangent.K * self.part.1, D: tangent.D * self.part.1 };
        (force, tangent, stepped(base, h, &force))
    }

    fn calc(
        &self,
        motion: &SurfaceMotion,
        ground: &GroundPlane,
        base: &[f64; STATES],
        h: f64,
    ) -> (Sole, force::Loads) {
        let sole = Sole::calc(&self.params.shape, motion, ground);
        let base = [base[0].max(0.0), base[1], base[2], base[3], base[4]];
        let loads = force::calc_loads(&self.params, self.bearing.as_ref(), &sole, &base, h);
        (sole, loads)
    }

    fn is_in_range(&self, sole: &Sole) -> bool {
        sole.depth <= 0.0 || (sole.upright && self.params.shape.round().is_none_or(|r| sole.depth <= r))
    }
}

impl FootForce {
    /// That of a part: its share of forces, energy and heat, at the same depth.
    fn shared(mut self, share: f64) -> FootForce {
        self.wrench_F = Wrench { t: self.wrench_F.t * share, f: self.wrench_F.f * share };
        self.normal_force *= share;
        self.tangential_W *= share;
        self.strength *= share;
        self.elastic_energy *= share;
        self.dissipated_power *= share;
        self
    }
}

#[inline]
fn stepped(base: &[f64; STATES], h: f64, force: &FootForce) -> [f64; STATES] {
    std::array::from_fn(|i| base[i] + h * force.state_rate[i])
}
