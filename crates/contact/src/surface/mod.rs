//! Smooth contact: two surfaces with normals and curvatures, at any distance; facing points tracked by their
//! own kinematics; compliant forces between them.
//!
//! # Model
//! Side 1 is ground z = f(x, y), a formula or smooth patches over a map, or a smooth body; side 2 a smooth body, a cap, or a mesh rounded to
//! balls at its corners, cylinders along its edges and planes at its faces. Both may move. Two points, one on each side, are a **candidate** where each is the closest to the other: the line between them is normal to
//! both surfaces. A search finds candidates while the sides are still apart; from then on they are tracked
//! through touch and lift-off, so that nothing jumps when contact begins. Several candidates of one pair can
//! coexist, each in its own slot.
//!
//! # Equations
//! With outward unit normals n and −n, tangent basis B = (t₁, t₂) of side 1 (the Gauss frame is B and n), curvatures K₁, K₂ (derivative of the normal along B,
//! positive for convex material), distance d along n, relative twist (ω, v_c) of side 2 at its point:
//!
//! - Facing: p₂ − p₁ = d n, n₂ = −n₁. Touching: s = −d > 0.
//! - **Velocities** of the points on their surfaces: w₁ = (K₁ + K₂ + d K₂K₁)⁻¹ (ω × n + K₂ v_t), w₂ = (1 + d K₁) w₁ − v_t, ḋ = n·v_c. At d = 0 these are
//!   Montana's. The normal turns with ṅ = ω₁ × n + B K₁ w₁.
//! - **Relative convexity**: 1 + d K₁ and S = K₁(1 + d K₁)⁻¹ + K₂ are positive definite. S is the curvature of side 2 against the surface parallel to side 1
//!   through its point. Elsewhere there is no single closest point.
//! - **Drift control**: an evaluation starts at the position predicted by the velocities of the last accepted
//!   step, and applies Newton's method to the two conditions until a step is below 1e-9 of the sides' size,
//!   that is, until round-off. The matrix is the one of the velocities. A ball needs p₁ alone: (1 + (ρ +
//!   d)K₁) a = Bᵀ(c − p₁).
//! - **Normal force** N on s and ṡ = −ḋ: linear max(0, k s + d ṡ); Hunt–Crossley max(0, k sⁿ(1 + d ṡ)); Hertz, which is the same with n = 3/2 and k = 4/3 E* (det
//!   S)^(−1/4), S taken when the sides were last apart, so that k is constant while they touch.
//! - **Friction** on the slip velocity v_t at the closest point of side 1: regularised, −μN v_t/√(v_t² + v_ε²); or stick–slip, a bristle with deflection z,
//!   G = k z + d u, u = v_t − λ G, |G| ≤ μN, λ ≥ 0, λ(μN − |G|) = 0, ż = u + (n × ṅ) × z, μ = μ_slip + (μ_stick − μ_slip) exp(−v_t²/v_s²).
//! - Forces act at the closest point of side 1: N n + F_t on side 2, the opposite on side 1.
//!
//! **Power.** P₁ + P₂ = −N ṡ + F_t·v_t, because both forces act at one point and ḋ = n·v there. N ṡ is stored or heat by each law; F_t·v_t likewise; the bristle's turn
//! with the normal does no work. So P₁ + P₂ + d(stored)/dt + heat = 0 to round-off.
//!
//! **Implicit form.** With z = base + h ż the bristle solves one scalar equation, h = 0 is the continuous form; as in [`crate::tyre`].
//!
//! **Trial and commit.** [`SurfacePair::evaluate`] changes nothing and depends on the path by less than
//! round-off. [`SurfacePair::commit`] tracks the candidates to an accepted step, runs the search, assigns
//! free slots to new candidates and drops those farther than one and a half thresholds. A patch in
//! [`PairScratch`] is a copy of map data: it changes no result.
//!
//! **Search.** A body over a map: nodes that are closer to it than their four neighbours, among those not
//! excluded by a pyramid of highest ground. Over a formula: the same on nine by nine points under the body. A
//! mesh: corners within the threshold that are no farther than those across their edges, from a tree of
//! balls; among many, the deepest and then those far from each other. Its faces and edges (`flats`): nodes
//! farther out along a face's normal than their neighbours, places along an edge nearer than those beside
//! them. Two bodies: the direction in which they are farthest apart. All are refined by tracking; duplicates,
//! and results that are not minima, are dropped.
//!
//! # Parameters
//! [`Form`], [`SurfaceLaw`], [`PairOptions`]: `threshold` must exceed the approach of the sides in a step,
//! otherwise a contact begins with a jump; `most` is the number of slots.
//!
//! # State
//! [`SmoothState`]: the candidates, plain data. With stick–slip friction [`STATES`] numbers a slot, world axes; they are contact states of the integrator.
//!
//! # Valid when
//! Penetration is small compared with the radii of curvature; forces act at a point (no moment about the
//! normal, no contact patch). Lines and circles of contact are represented by a few places of rims and rings
//! (`rings.rs`), each with the whole law. Bumps of ground that are narrower than a cell, or than a quarter of
//! a body over a formula, may be missed. Corners of a mesh touch where they are near, in addition to faces
//! and edges that touch peaks and ridges: ground under and beside a corner is then counted twice. A face on
//! ground without curvature, and an edge along such ground, touch with their corners. The deflection of
//! stick–slip friction does not turn with side 1 about the normal. Where candidates lose relative convexity
//! ([`SmoothForce::out_of_range`]) they give no force; the next commit counts them in [`SmoothState::lost`]
//! and searches again; their stored energy is then missing from the energy ledger.
//!
//! # Verified by
//! `tests.rs` and its parts: velocities against differences of the closest points to 1e-8 for balls and ellipsoids on formulas, maps and each other; the special case
//! of a sphere over a bowl; power to round-off and energy along the motion for all laws; tangents against differences; candidates against dense
//! sampling; stable slots; lost convexity; turned worlds; energy and continuity where cylinders and tori lie, stand and lean.
//!
//! # References
//! - M. Wassink, R. Carloni, P. Poulakis, S. Stramigioli: Digital elevation map reconstruction for port-based dynamic simulation of contacts on
//!   irregular surfaces. Section II, Fig. 1.
//! - V. Duindam, S. Stramigioli: Modeling the kinematics and dynamics of compliant contact. IEEE ICRA (2003).
//! - D. J. Montana: The kinematics of contact and grasp. Int. J. Robotics Research 7 (1988) 3.
//! - K. H. Hunt, F. R. E. Crossley: Coefficient of restitution interpreted as damping in vibroimpact. J. Appl. Mech. 42 (1975).
//! - K. L. Johnson: Contact Mechanics (1985), chapter 4.

mod corners;
mod detect;
mod flats;
mod force;
mod kinematics;
mod params;
mod passed;
mod rings;
mod sides;
mod state;
mod tangent;
#[cfg(test)]
mod tests;
mod track;

pub use crate::parameter::{Interval, ParameterError};
pub use params::{Form, FrictionLaw, NormalLaw, PairOptions, SurfaceLaw};
pub use state::{Candidate, SmoothState};
pub use touchdown_geometry::surface::BodySurface;

use detect::{Found, Low};
use rings::Ring;
use sides::Second;
use touchdown_geometry::Missing;
use touchdown_geometry::surface::{Patch, Surface};
pub use touchdown_math::SurfaceMotion;
use touchdown_math::{Mat6, Motion, Vec3, Wrench};
use track::Lost;

/// Candidates that a pair can follow at most.
pub const MOST: usize = 8;
/// Contact states of a candidate with stick–slip friction: the tangential deflection in world axes, m.
pub const STATES: usize = 3;

/// One candidate at an evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// Its slot.
    pub slot: usize,
    /// Closest point of side 1, where forces act, m.
    pub p_W: Vec3,
    /// Unit normal out of side 1.
    pub normal_W: Vec3,
    /// Closest points on sides 1 and 2, each in the frame of its side, m. On a height surface the first two numbers are its coordinates u, v.
    pub places: [Vec3; 2],
    /// Their rates by the port-based equations, m/s.
    pub rates: [Vec3; 2],
    /// Distance d, m; negative when touching.
    pub gap: f64,
    /// Its rate, m/s.
    pub gap_rate: f64,
    /// Twist of side 2 relative to side 1 at the point, in the Gauss frame of side 1 (two tangents, normal).
    pub twist_G: Motion,
    /// Force of side 1 on side 2 along the normal, N, never negative.
    pub normal_force: f64,
    /// Force of side 1 on side 2 across it, N.
    pub friction_W: Vec3,
}

/// Mutual effect of two sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothForce {
    /// Wrenches on side 1 and side 2, each about the origin of its frame, world axes.
    pub wrenches: [Wrench; 2],
    /// The candidates: the first `count` are set.
    pub contacts: [ContactPoint; MOST],
    /// How many there are.
    pub count: usize,
    /// Energy stored, J.
    pub elastic_energy: f64,
    /// Power turned into heat, W, never negative.
    pub dissipated_power: f64,
    /// Rates of the contact states, m/s: three for each slot; zero without stick–slip friction.
    pub state_rate: [f64; STATES * MOST],
    /// Why there was no ground at a candidate or below the body, and where (in the frame of side 1, m).
    pub missing: Option<(Missing, [f64; 2])>,
    /// Candidates out of range: relative convexity lost.
    pub out_of_range: usize,
}

/// Derivatives of the wrenches; rows and columns 0–2 angular, 3–5 linear, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothTangent {
    /// `K[i][j]`: of the wrench on side i + 1 with respect to a small rotation of side j + 1 and a displacement of its origin, world velocities
    /// held.
    pub K: [[Mat6; 2]; 2],
    /// `D[i][j]`: with respect to angular velocity and velocity of the origin.
    pub D: [[Mat6; 2]; 2],
}

/// Cache that changes no result: patches of a map, kept while a point stays in its cell.
#[derive(Clone, Debug, Default)]
pub struct PairScratch {
    patches: [[Option<Patch>; 2]; MOST],
    search: [Option<Patch>; 2],
    found: Vec<Found>,
    lows: Vec<Low>,
}

/// Two sides with their law.
#[derive(Clone, Debug)]
pub struct SurfacePair {
    one: Surface,
    two: Second,
    law: SurfaceLaw,
    options: PairOptions,
    /// Rings, where a line or a circle may be closest.
    rings: Vec<Ring>,
    /// Size by which places are distinguished, m.
    size: f64,
}

impl ContactPoint {
    const NONE: ContactPoint = ContactPoint {
        slot: 0,
        p_W: Vec3::new(0.0, 0.0, 0.0),
        normal_W: Vec3::new(0.0, 0.0, 0.0),
        places: [Vec3::new(0.0, 0.0, 0.0); 2],
        rates: [Vec3::new(0.0, 0.0, 0.0); 2],
        gap: 0.0,
        gap_rate: 0.0,
        twist_G: Motion { w: Vec3::new(0.0, 0.0, 0.0), v: Vec3::new(0.0, 0.0, 0.0) },
        normal_force: 0.0,
        friction_W: Vec3::new(0.0, 0.0, 0.0),
    };
}

impl Default for SmoothForce {
    fn default() -> Self {
        SmoothForce {
            wrenches: [Wrench::zero(); 2],
            contacts: [ContactPoint::NONE; MOST],
            count: 0,
            elastic_energy: 0.0,
            dissipated_power: 0.0,
            state_rate: [0.0; STATES * MOST],
            missing: None,
            out_of_range: 0,
        }
    }
}

impl SmoothForce {
    /// The candidates.
    pub fn contacts(&self) -> &[ContactPoint] {
        &self.contacts[..self.count]
    }
}

impl Default for SmoothTangent {
    fn default() -> Self {
        SmoothTangent { K: [[Mat6::zeros(); 2]; 2], D: [[Mat6::zeros(); 2]; 2] }
    }
}

impl SurfacePair {
    /// Checks forms, law and settings; all problems come back at once.
    pub fn new(
        one: Form,
        two: Form,
        law: SurfaceLaw,
        options: PairOptions,
    ) -> Result<SurfacePair, Vec<ParameterError>> {
        let mut problems = one.check();
        problems.extend(two.check());
        problems.extend(law.check());
        problems.extend(options.check());
        let one = match one {
            Form::Height(height) => Some(Surface::Height(height)),
            Form::Body(body) if !matches!(two, Form::Height(_)) => Some(Surface::Body(body)),
            _ => None,
        };
        match one {
            Some(one) if problems.is_empty() => {
                let two = Second::new(two, &one);
                let rings = rings::rings(&one, &two);
                Ok(SurfacePair { rings, one, size: detect::size_of(&two), two, law, options })
            }
            Some(_) => Err(problems),
            None => {
                problems.push(ParameterError::Order);
                Err(problems)
            }
        }
    }

    /// The law.
    pub fn law(&self) -> &SurfaceLaw {
        &self.law
    }

    /// The settings.
    pub fn options(&self) -> &PairOptions {
        &self.options
    }

    /// Contact states of the whole pair: [`STATES`] for each of its slots with stick–slip friction, otherwise none.
    pub fn states(&self) -> usize {
        self.law.states() * self.options.most
    }

    /// The candidates at the start.
    pub fn start(&self, sides: &[SurfaceMotion; 2], scratch: &mut PairScratch) -> SmoothState {
        let mut state = SmoothState::default();
        self.commit(sides, 0.0, &mut state, &mut [], scratch);
        state
    }

    /// Force `since` seconds after the candidates `held` were committed, at contact states that solve z =
    /// base + h ż (`h = 0`: at `base`).
    /// `base` has [`SurfacePair::states`] numbers. A pure function of everything except `scratch`: candidates
    /// are tracked to round-off from their predicted positions, so that the result does not depend on the
    /// path. `tangent` is set if requested.
    #[expect(clippy::too_many_arguments)]
    pub fn evaluate(
        &self,
        sides: &[SurfaceMotion; 2],
        held: &SmoothState,
        since: f64,
        base: &[f64],
        h: f64,
        mut tangent: Option<&mut SmoothTangent>,
        scratch: &mut PairScratch,
    ) -> SmoothForce {
        let mut out = SmoothForce { missing: self.ground_below(sides), ..SmoothForce::default() };
        if let Some(tangent) = tangent.as_deref_mut() {
            *tangent = SmoothTangent::default();
        }
        let mut features = [0; MOST];
        for (slot, candidate) in held.slots.iter().enumerate().filter_map(|(k, c)| Some((k, c.as_ref()?))) {
            let facing = match self.follow(sides, candidate, since, &mut scratch.patches[slot]) {
                Ok(facing) => facing,
                Err(Lost::Convexity) => {
                    out.out_of_range += 1;
                    continue;
                }
                Err(Lost::Ground(why, place)) => {
                    out.missing = Some((why, place));
                    continue;
                }
                Err(Lost::Elsewhere) => continue,
            };
            // Two candidates that converged to the same place count once.
            let same = |k: usize| {
                self.same_place(features[k], &out.contacts[k].places[0], candidate.feature, &facing.places[0])
            };
            if (0..out.count).any(same) {
                continue;
            }
            let base =
                base.get(slot * STATES..(slot + 1) * STATES).map_or(Vec3::zeros(), Vec3::from_column_slice);
            let loads = force::calc_loads(&self.law, &facing, sides, candidate.curvature, &base, h);
            let f = loads.force();
            out.wrenches[0] += Wrench::force_at(-f, &loads.arms[0]);
            out.wrenches[1] += Wrench::force_at(f, &loads.arms[1]);
            out.elastic_energy += loads.energy;
            out.dissipated_power += loads.heat;
            out.state_rate[slot * STATES..(slot + 1) * STATES].copy_from_slice(loads.state_rate.as_slice());
            out.contacts[out.count] = loads.report(slot, sides);
            features[out.count] = candidate.feature;
            out.count += 1;
            if let Some(tangent) = tangent.as_deref_mut().filter(|_| facing.gap < 0.0) {
                tangent::add_tangent(&loads, sides, tangent);
            }
        }
        out
    }

    /// The reason for missing ground under the second side's origin, if the map is high enough to be touched.
    fn ground_below(&self, sides: &[SurfaceMotion; 2]) -> Option<(Missing, [f64; 2])> {
        let Surface::Height(ground) = &self.one else { return None };
        let map = ground.map()?;
        let [X1, X2] = [&sides[0].X_WS, &sides[1].X_WS];
        let c = X1.R.tr_mul(&(X2.p - X1.p));
        if c.z - self.two.reach() > ground.top() {
            return None;
        }
        let Some(((i, _), (j, _))) = map.cell_at(c.x, c.y) else {
            return Some((Missing::OffMap, [c.x, c.y]));
        };
        let known = |a: usize, b: usize| map.node(i + a, j + b).is_some();
        let whole = known(0, 0) && known(1, 0) && known(0, 1) && known(1, 1);
        (!whole).then_some((Missing::Hole, [c.x, c.y]))
    }
}
