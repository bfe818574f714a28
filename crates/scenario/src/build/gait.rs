//! Gaits: the keys of `[gait]` ⇒ [`Gait`], drives of the legs, and the first pose.

use super::Builder;
use super::feet_grid::{feet_intrude, feet_on_grid};
use crate::read::{Record, Value};
use crate::table::{GaitKeys, IntegratorKeys, IntegratorWord, ScenarioKeys, Words};
use crate::unit::{NUMBER, TIME};
use touchdown_machines::gait::{Gait, LEGS, Leg, LegDrives, OffGround};
use touchdown_math::Pose;

/// Step for feet with laws of their own, and for feet on a grid, s: the energy balance closes within half a
/// percent.
const STEP: f64 = 2e-3;
const GRID_STEP: f64 = 5e-4;
/// Spectral radius of the implicit method: it damps oscillations that footfalls excite.
const SPECTRAL_RADIUS: f64 = 0.5;

/// A walk without an integrator gets one that suits its ground: a grid of soil has no complete derivatives,
/// so that Newton's method would converge slowly.
pub(crate) fn fill_gait(record: &mut Record) {
    let walks = record.has(ScenarioKeys::gait) || !record.map(ScenarioKeys::legs).is_empty();
    if !walks || record.has(ScenarioKeys::integrator) {
        return;
    }
    let root = ScenarioKeys::of(record);
    let grid = feet_on_grid(&root) || feet_intrude(&root);
    let Some(integrator) = record.table_mut(ScenarioKeys::integrator) else { return };
    let (name, step) =
        if grid { (IntegratorWord::Realtime, GRID_STEP) } else { (IntegratorWord::Implicit, STEP) };
    integrator.put(IntegratorKeys::name, Value::Text(name.word().into()));
    integrator.fill(IntegratorKeys::step, Value::Number(step, &TIME));
    if !grid {
        integrator.fill(IntegratorKeys::spectral_radius, Value::Number(SPECTRAL_RADIUS, &NUMBER));
    }
}

impl Builder<'_> {
    /// Drives, initial pose and walker of `[gait]`.
    pub fn collect_gait(&mut self) {
        let Some(gait) = self.root.gait.as_ref().and_then(|gait| gait.keys.as_ref()) else { return };
        // A foot or body with its own mistake is missing here, too.
        if !self.issues.is_empty() {
            return;
        }
        if self.gait(gait).is_none() && self.issues.is_empty() {
            self.issues.at(gait.here.loc, &gait.here.path, "cannot be made");
        }
    }

    fn gait(&mut self, gait: &GaitKeys) -> Option<()> {
        let body = self.body(0, &gait.body)??;
        if gait.legs.len() != LEGS {
            let (loc, path) = (gait.here.loc_of(GaitKeys::legs), gait.here.path_of(GaitKeys::legs));
            self.issues.at(loc, path, "must be six feet").found(gait.legs.len());
            return None;
        }
        let mut legs = Vec::new();
        for name in &gait.legs {
            let Some(leg) = self.leg(body, name) else {
                self.issues
                    .at(name.loc, &name.path, "is not a foot at the end of a leg")
                    .found(format!("\"{name}\""))
                    .hint("a leg: a joint of the body about z, then two across it, then the foot's body");
                return None;
            };
            legs.push(leg);
        }
        let plan = Gait {
            stride: gait.stride,
            period: gait.period,
            step_height: gait.step_height,
            duty: gait.duty,
            settle: gait.settle,
            height: gait.height,
            reach: gait.reach,
        };
        let start = self.initial_poses()[body];
        let walked = match plan.walk(self.ground.as_ref()?, &start, (&legs, &self.feet), self.root.duration?)
        {
            Ok(walked) => walked,
            Err(OffGround(at)) => {
                self.issues
                    .at(gait.here.loc, &gait.here.path, "walks where there is no ground")
                    .found(format!("at x = {:.3} m, y = {:.3} m", at[0], at[1]))
                    .hint("a larger map, a shorter duration, or another place to start");
                return None;
            }
        };
        let limit = gait.limit.unwrap_or(f64::INFINITY);
        let drives = LegDrives { stiffness: gait.stiffness, damping: gait.damping, limit };
        let X_WB = walked.X_WB;
        walked.drive(&mut self.mechanism, &legs, &drives);
        for joint in legs.iter().flat_map(|leg| leg.joints) {
            let name = self.mechanism.joints[joint].name.clone();
            self.remember("drive", &name, &gait.here);
        }
        self.stand(gait, (body, &X_WB), &legs)
    }

    fn leg(&self, body: usize, foot: &str) -> Option<Leg> {
        let foot = self.feet.iter().position(|f| f.name == foot)?;
        let scope = self.scope_of_body[body];
        let X_BM = self.zero_pose(scope, Some(body)).inverse();
        let in_body = |b: usize| X_BM.compose(&self.zero_pose(scope, Some(b)));
        Leg::find(&self.mechanism, in_body, body, (foot, &self.feet[foot]))
    }

    /// The body at the start of its path, with its feet level with it and the lowest foot at its clearance.
    fn stand(&mut self, gait: &GaitKeys, (body, X_WB): (usize, &Pose), legs: &[Leg]) -> Option<()> {
        let X_WB = Pose { R: X_WB.R, p: X_WB.p + X_WB.R.column(2) * gait.clearance };
        let feet: Vec<usize> = legs.iter().map(|leg| leg.foot).collect();
        self.place_walker(&gait.body, (body, &X_WB), &feet)
    }
}
