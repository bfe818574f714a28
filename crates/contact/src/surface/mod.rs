//! Contact of two smooth surfaces at any distance: candidate points tracked by their own kinematics, compliant forces between them.

mod params;
mod state;

pub use crate::parameter::{Interval, ParameterError};
pub use params::{Form, FrictionLaw, NormalLaw, PairOptions, SurfaceLaw};
pub use state::{Candidate, PairState};

use touchdown_geometry::Missing;
use touchdown_geometry::surface::Patch;
use touchdown_math::{Mat6, Motion, Pose, Vec3, Wrench};

/// Candidates that a pair can follow at most.
pub const MOST: usize = 8;
/// Contact states of a candidate with stick–slip friction: the tangential deflection in world axes, m.
pub const STATES: usize = 3;

/// Motion of a side: the frame in which its form is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideMotion {
    /// Pose of the side's frame S.
    pub X_WS: Pose,
    /// Velocity of its origin, m/s.
    pub v_WS: Vec3,
    /// Angular velocity, rad/s.
    pub w_WS: Vec3,
}

impl SideMotion {
    /// The world itself, at rest.
    pub fn at_rest() -> SideMotion {
        SideMotion { X_WS: Pose::identity(), v_WS: Vec3::zeros(), w_WS: Vec3::zeros() }
    }
}

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
    /// Whether the sides are relatively convex here; otherwise it gives no force.
    pub in_range: bool,
}

/// What two sides do to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairForce {
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
pub struct PairTangent {
    /// `K[i][j]`: of the wrench on side i + 1 with respect to a small rotation of side j + 1 and a displacement of its origin, world velocities
    /// held.
    pub K: [[Mat6; 2]; 2],
    /// `D[i][j]`: with respect to angular velocity and velocity of the origin.
    pub D: [[Mat6; 2]; 2],
}

/// Memory that makes evaluations faster and changes no result: patches of a map, kept while a point stays in its cell.
#[derive(Clone, Debug, Default)]
pub struct PairScratch {
    patches: [[Option<Patch>; 2]; MOST],
}

/// Two sides with their law.
#[derive(Clone, Debug)]
pub struct SurfacePair {
    one: Form,
    two: Form,
    law: SurfaceLaw,
    options: PairOptions,
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
        if problems.is_empty() { Ok(SurfacePair { one, two, law, options }) } else { Err(problems) }
    }

    /// Contact states of the whole pair: [`STATES`] for each of its slots with stick–slip friction, otherwise none.
    pub fn states(&self) -> usize {
        self.law.states() * self.options.most
    }

    /// The candidates at the start.
    pub fn start(&self, sides: &[SideMotion; 2], scratch: &mut PairScratch) -> PairState {
        let mut state = PairState::default();
        self.commit(sides, 0.0, &mut state, &mut [], scratch);
        state
    }

    /// Force `since` seconds after the candidates `held` were committed, at contact states that solve z = base + h ż (`h = 0`: at `base`).
    /// `base` has [`SurfacePair::states`] numbers. A pure function of all but `scratch`.
    #[expect(clippy::too_many_arguments)]
    pub fn evaluate(
        &self,
        sides: &[SideMotion; 2],
        held: &PairState,
        since: f64,
        base: &[f64],
        h: f64,
        tangent: Option<&mut PairTangent>,
        scratch: &mut PairScratch,
    ) -> PairForce {
        let _ = (sides, held, since, base, h, tangent, scratch);
        todo!()
    }

    /// Accepts a step that ended `since` seconds after the last commit: tracks the candidates to it, searches for new ones and lets go of those
    /// that are far. Deflections of slots that change hands are set to zero in `z`.
    pub fn commit(
        &self,
        sides: &[SideMotion; 2],
        since: f64,
        state: &mut PairState,
        z: &mut [f64],
        scratch: &mut PairScratch,
    ) {
        let _ = (sides, since, state, z, &scratch.patches, &self.one, &self.two);
    }
}
