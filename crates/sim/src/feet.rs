//! Feet in the loop: where each stands, its force and states, and the footprint that follows at accepted steps.
//!
//! Evaluation is a pure function of motion and contact states; only `commit_feet` changes a footprint. Those left behind are shared by all feet. Ground is a plane, or the plane that touches smooth ground
//! in the point closest to the foot.

use crate::description::{FootContact, WorldDescription};
use crate::method::StepFailure;
use crate::rigid_ground::RigidGround;
use crate::sides::Side;
use crate::system::{ContactStates, Instant, System};
use crate::world::WorldError;
use serde::{Deserialize, Serialize};
use touchdown_contact::foot::{
    Foot, FootForce, FootMotion, FootprintMemory, Footprints, GroundPlane, STATES,
};
use touchdown_contact::tyre::NoGround;
use touchdown_geometry::surface::Patch;
use touchdown_math::{Pose, Vec3};
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::tangent::Weights;
use touchdown_multibody::rigid::{Model, kinematics, push};

/// Steps to the closest point of curved ground; each ends with its error times depth over radius of curvature.
const STEPS: usize = 20;

/// What feet remember of accepted steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FeetHistory {
    /// The footprint under each foot.
    pub memories: Vec<FootprintMemory>,
    /// Footprints that feet left behind.
    pub footprints: Footprints,
}

/// A foot on its link.
#[derive(Clone, Debug)]
pub(crate) struct FootOnLink {
    pub name: String,
    pub foot: Foot,
    pub side: Side,
    /// The foot that it is compared with.
    pub compare: Option<usize>,
    /// First of its contact states.
    first: usize,
    /// Plane below it at the last evaluation, with the patch that saves time, and where there is no ground.
    pub plane: GroundPlane,
    patch: Option<Patch>,
    lost: Option<NoGround>,
    /// Force at the last evaluation.
    pub force: FootForce,
    /// Speed of its lowest point along the ground at the last evaluation, m/s.
    pub slip: f64,
}

impl FootOnLink {
    /// Those of a description that have a law of their own, with contact states from `first` on.
    pub fn all(
        description: &WorldDescription,
        model: &Model,
        first: usize,
    ) -> Result<Vec<FootOnLink>, Vec<WorldError>> {
        let (mut feet, mut errors) = (Vec::new(), Vec::new());
        for contact in description.feet.iter().filter(|contact| contact.soil_body.is_none()) {
            if RigidGround::new(description).is_none() {
                errors.push(WorldError::NoFootGround { foot: contact.name.clone() });
            }
            let told = |problem| WorldError::Foot { foot: contact.name.clone(), problem };
            match Foot::new(contact.law) {
                Err(problems) => errors.extend(problems.into_iter().map(told)),
                Ok(foot) => {
                    feet.push(FootOnLink::new(contact, foot, model, first + STATES * feet.len()));
                }
            }
        }
        if errors.is_empty() { Ok(feet) } else { Err(errors) }
    }

    fn new(contact: &FootContact, foot: Foot, model: &Model, first: usize) -> FootOnLink {
        let plane = GroundPlane { point: Vec3::zeros(), normal: Vec3::z() };
        // Far above the ground, where nothing acts.
        let away =
            FootMotion { X_WF: Pose::translation(Vec3::z() * 1e3), v_WF: Vec3::zeros(), w_WF: Vec3::zeros() };
        FootOnLink {
            name: contact.name.clone(),
            side: Side::new(model, Some(contact.body), &contact.X_BF, 0.0),
            compare: contact.compare,
            first,
            force: foot.calc_force(&away, &plane, &[0.0; STATES]),
            plane,
            patch: None,
            lost: None,
            slip: 0.0,
            foot,
        }
    }

    fn states(&self, z: &[f64]) -> [f64; STATES] {
        std::array::from_fn(|k| z[self.first + k])
    }

    /// Share of the strength along the ground that acts; zero without any.
    pub fn shear_share(&self) -> f64 {
        if self.force.strength > 0.0 { self.force.tangential_W.norm() / self.force.strength } else { 0.0 }
    }

    /// Finds the plane below the foot.
    fn stand(&mut self, ground: &Option<RigidGround>, motion: &FootMotion) {
        self.lost = None;
        match ground {
            None => {}
            Some(RigidGround::Plane(plane)) => self.plane = *plane,
            Some(RigidGround::Surface(surface)) => {
                let p = motion.X_WF.p;
                let mut at = [p.x, p.y];
                for _ in 0..STEPS {
                    match surface.jet_with(&mut self.patch, at[0], at[1]) {
                        Err(why) => {
                            self.lost = Some(NoGround { at, why });
                            // No ground: as if it were far below.
                            self.plane = GroundPlane { point: p - Vec3::z() * 1e3, normal: Vec3::z() };
                            return;
                        }
                        Ok(jet) => {
                            let normal = jet.normal();
                            let point = Vec3::new(at[0], at[1], jet.z);
                            self.plane = GroundPlane { point, normal };
                            let below = p - normal * normal.dot(&(p - point));
                            let step = (below.x - at[0]).hypot(below.y - at[1]);
                            if step < 1e-13 {
                                return;
                            }
                            at = [below.x, below.y];
                        }
                    }
                }
            }
        }
    }
}

impl System {
    /// Motion of a foot. Needs kinematics.
    pub(crate) fn foot_motion(&self, i: usize) -> FootMotion {
        let m = self.moving(&self.feet[i].side);
        FootMotion { X_WF: m.X_WS, v_WF: m.v, w_WF: m.w }
    }

    /// Feet ⇒ wrenches on their bodies, contact states and rates. Needs kinematics.
    pub(crate) fn update_feet(&mut self, at: &Instant, weights: Option<Weights>) -> Powers {
        let mut powers = Powers::default();
        for i in 0..self.feet.len() {
            let motion = self.foot_motion(i);
            let on = &mut self.feet[i];
            on.stand(&self.ground, &motion);
            let (base, h) = match at.z {
                ContactStates::Given(z) => (on.states(z), 0.0),
                ContactStates::Implicit { base, h } => (on.states(base), h),
            };
            let Some(body) = on.side.body else { continue };
            let place = (body, motion.X_WF.p);
            let slot = on.first..on.first + STATES;
            let used = match weights {
                None => {
                    let (force, used) = on.foot.calc_force_at(&motion, &on.plane, &base, h);
                    on.force = force;
                    push::add_contact(&self.model, &mut self.cache, place, &force.wrench_F, None);
                    used
                }
                Some(w) => {
                    let (force, tangent, used) = on.foot.calc_force_implicit(&motion, &on.plane, &base, h);
                    on.force = force;
                    let slope = tangent.K * w.q + tangent.D * w.v;
                    let slope = Some((&slope, w.q));
                    push::add_contact(&self.model, &mut self.cache, place, &force.wrench_F, slope);
                    used
                }
            };
            let v = motion.v_WF + motion.w_WF.cross(&(on.force.p_WQ - motion.X_WF.p));
            on.slip = (v - on.plane.normal * on.plane.normal.dot(&v)).norm();
            self.z_used[slot.clone()].copy_from_slice(&used);
            self.z_rate[slot].copy_from_slice(&on.force.state_rate);
            powers.elastic += on.force.elastic_energy;
            powers.dissipated += on.force.dissipated_power;
        }
        powers
    }

    /// Contact states of feet that were pressed slowly to where they stand at the start.
    pub(crate) fn start_feet(&mut self, q: &[f64], v: &[f64], z: &mut [f64]) -> FeetHistory {
        let mut held = FeetHistory::default();
        if self.feet.is_empty() {
            return held;
        }
        self.update_kinematics(q, v);
        held.footprints = Footprints::with_room();
        for i in 0..self.feet.len() {
            let motion = self.foot_motion(i);
            let on = &mut self.feet[i];
            on.stand(&self.ground, &motion);
            let mut memory = FootprintMemory::default();
            let mut states = on.foot.settled(&motion, &on.plane);
            on.foot.commit(&motion, &on.plane, (&mut memory, &mut held.footprints), &mut states);
            z[on.first..on.first + STATES].copy_from_slice(&states);
            held.memories.push(memory);
        }
        held
    }

    /// Distance of foot `i` from the ground as it is, m: an event. Needs kinematics.
    pub(crate) fn foot_gap(&mut self, i: usize, z: &[f64]) -> f64 {
        let motion = self.foot_motion(i);
        let on = &mut self.feet[i];
        on.stand(&self.ground, &motion);
        on.foot.calc_gap(&motion, &on.plane, &on.states(z))
    }

    /// Accepts a step that ended at this state: footprints follow, feet in the air that went on find fresh soil. Returns the energy that went with what was left
    /// of their deflection, J, and whether states began anew.
    pub(crate) fn commit_feet(
        &mut self,
        (q, v): (&[f64], &[f64]),
        z: &mut [f64],
        held: &mut FeetHistory,
    ) -> (f64, bool) {
        let (mut lost, mut anew) = (0.0, false);
        if self.feet.is_empty() {
            return (lost, anew);
        }
        self.update_kinematics(q, v);
        for i in 0..self.feet.len() {
            let motion = self.foot_motion(i);
            let on = &mut self.feet[i];
            on.stand(&self.ground, &motion);
            let before = on.states(z);
            let mut states = before;
            let memory = (&mut held.memories[i], &mut held.footprints);
            on.foot.commit(&motion, &on.plane, memory, &mut states);
            if states != before {
                let stored = |z: &[f64; STATES]| on.foot.calc_force(&motion, &on.plane, z).elastic_energy;
                lost += stored(&before) - stored(&states);
                anew = true;
                z[on.first..on.first + STATES].copy_from_slice(&states);
            }
        }
        (lost, anew)
    }

    /// An error if a foot was where there is no ground at the last evaluation.
    pub(crate) fn check_feet(&self) -> Result<(), StepFailure> {
        let Some((on, NoGround { at, why })) = self.feet.iter().find_map(|on| Some((on, on.lost?))) else {
            return Ok(());
        };
        Err(StepFailure::no_ground(why, &on.name, at))
    }

    /// Angle between a body's z axis and the direction against gravity, rad. Needs kinematics.
    pub(crate) fn lean(&self, body: usize) -> f64 {
        let X_WB = kinematics::body_pose(&self.model, &self.cache, body);
        let up = crate::gravity::up(&self.model.gravity, &X_WB.p);
        X_WB.R.column(2).dot(&up).clamp(-1.0, 1.0).acos()
    }
}
