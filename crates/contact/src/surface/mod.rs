//! Contact of two smooth surfaces at any distance: candidate points tracked by their own kinematics, compliant forces between them.

mod corners;
mod detect;
mod force;
mod kinematics;
mod params;
mod sides;
mod state;
mod tangent;
#[cfg(test)]
mod tests;
mod track;

pub use crate::parameter::{Interval, ParameterError};
pub use params::{Form, FrictionLaw, NormalLaw, PairOptions, SurfaceLaw};
pub use state::{Candidate, PairState};

use detect::Found;
use sides::Second;
use touchdown_geometry::Missing;
use touchdown_geometry::surface::{Patch, Surface};
use touchdown_math::{Mat6, Motion, Pose, Vec3, Wrench};
use track::Lost;

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
    search: [Option<Patch>; 2],
    found: Vec<Found>,
}

/// Two sides with their law.
#[derive(Clone, Debug)]
pub struct SurfacePair {
    one: Surface,
    two: Second,
    law: SurfaceLaw,
    options: PairOptions,
    /// Size by which places are told apart, m.
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

impl Default for PairForce {
    fn default() -> Self {
        PairForce {
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

impl PairForce {
    /// The candidates.
    pub fn contacts(&self) -> &[ContactPoint] {
        &self.contacts[..self.count]
    }
}

impl Default for PairTangent {
    fn default() -> Self {
        PairTangent { K: [[Mat6::zeros(); 2]; 2], D: [[Mat6::zeros(); 2]; 2] }
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
                let two = Second::new(two);
                Ok(SurfacePair { one, size: detect::size_of(&two), two, law, options })
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
    pub fn start(&self, sides: &[SideMotion; 2], scratch: &mut PairScratch) -> PairState {
        let mut state = PairState::default();
        self.commit(sides, 0.0, &mut state, &mut [], scratch);
        state
    }

    /// Force `since` seconds after the candidates `held` were committed, at contact states that solve z = base + h ż (`h = 0`: at `base`).
    /// `base` has [`SurfacePair::states`] numbers. A pure function of all but `scratch`: candidates are tracked to round-off from where they are
    /// expected, so that the way there leaves no trace. `tangent` is set where it is asked for.
    #[expect(clippy::too_many_arguments)]
    pub fn evaluate(
        &self,
        sides: &[SideMotion; 2],
        held: &PairState,
        since: f64,
        base: &[f64],
        h: f64,
        mut tangent: Option<&mut PairTangent>,
        scratch: &mut PairScratch,
    ) -> PairForce {
        let mut out = PairForce { missing: self.ground_below(sides), ..PairForce::default() };
        if let Some(tangent) = tangent.as_deref_mut() {
            *tangent = PairTangent::default();
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
            };
            // Two candidates that ran into each other are one.
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

    /// Why there is no ground under the second side's origin, where the map is high enough to be touched.
    fn ground_below(&self, sides: &[SideMotion; 2]) -> Option<(Missing, [f64; 2])> {
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
