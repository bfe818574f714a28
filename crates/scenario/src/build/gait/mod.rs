//! A tripod gait: what the joints of six legs do so that the feet on the ground stand still and the body goes on steadily, over the ground as it lies before anything touches it.
//!
//! [`plan`] (timetable) and [`course`] (body and footholds over the ground) ⇒ places of the feet ([`walk`]) ⇒ angles of the three joints ([`leg`]) ⇒ tables that drives follow. Lengths of the legs come
//! from the machine with all joints at zero.

mod course;
mod leg;
mod plan;
mod walk;

use super::Builder;
use super::feet_grid::feet_on_grid;
use crate::read::{Record, Value};
use crate::table::{GaitKeys, IntegratorKeys, IntegratorWord, ScenarioKeys, Words};
use crate::unit::{NUMBER, TIME};
use course::{Course, OffGround};
use leg::Leg;
use plan::Plan;
use touchdown_math::{Pose, Signal, Vec3};
use touchdown_multibody::description::{Command, Drive, DriveKind, JointAxis, JointKind};
use touchdown_sim::description::Walker;
use walk::{Tables, Walk};

/// Rows of the tables in one cycle: angles between them are lines, off by less than 1e-4 rad.
const ROWS: f64 = 200.0;
/// Legs of a machine with tripods.
const LEGS: usize = 6;
/// Least length of a thigh or shank, m.
const SHORTEST: f64 = 1e-4;
/// Step of feet with laws of their own, and of feet on a grid, s: energy adds up within half a percent.
const STEP: f64 = 2e-3;
const GRID_STEP: f64 = 5e-4;
/// Spectral radius of the implicit method: footfalls are no reason to ring on.
const SPECTRAL_RADIUS: f64 = 0.5;

/// A walk without an integrator gets one that suits its ground: a grid of soil has no complete derivatives, so that Newton's method would crawl.
pub(crate) fn fill_gait(record: &mut Record) {
    if !record.has(ScenarioKeys::gait) || record.has(ScenarioKeys::integrator) {
        return;
    }
    let grid = feet_on_grid(&ScenarioKeys::of(record));
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
    /// Drives, first pose and walker of `[gait]`.
    pub fn collect_gait(&mut self) {
        let Some(gait) = self.root.gait.as_ref().and_then(|gait| gait.keys.as_ref()) else { return };
        // A foot or body with a mistake of its own would be missing here, too.
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
            match self.leg(body, name) {
                Some(leg) => legs.push(leg),
                None => {
                    self.issues
                        .at(name.loc, &name.path, "is not a foot at the end of a leg")
                        .found(format!("\"{name}\""))
                        .hint("a leg: a joint of the body about z, then two across it, then the foot's body");
                    return None;
                }
            }
        }
        let plan = Plan {
            stride: gait.stride,
            period: gait.period,
            lift: gait.step_height,
            duty: gait.duty,
            settle: gait.settle,
        };
        let duration = self.root.duration?;
        let limit = gait.limit.unwrap_or(f64::INFINITY);
        let (stiffness, damping) = (gait.stiffness, gait.damping);
        let walked = self.walk(gait, &plan, (body, &legs), duration)?;
        let (poses, tables) = match walked {
            Ok(walked) => walked,
            Err(OffGround(at)) => {
                self.issues
                    .at(gait.here.loc, &gait.here.path, "walks where there is no ground")
                    .found(format!("at x = {:.3} m, y = {:.3} m", at[0], at[1]))
                    .hint("a larger map, a shorter duration, or another place to start");
                return None;
            }
        };
        for (leg, tables) in legs.iter().zip(tables) {
            for (joint, table) in leg.joints.into_iter().zip(tables) {
                let joints = &mut self.mechanism.joints;
                joints[joint].position = vec![table[0].1];
                let name = joints[joint].name.clone();
                let axis = JointAxis { joint, axis: 0 };
                let target = Signal::Linear(table);
                let kind = DriveKind::Follow(Command::Position { target, stiffness, damping, limit });
                self.mechanism.drives.push(Drive { name: name.clone(), axis, kind, active_from: 0.0 });
                self.remember("drive", &name, &gait.here);
            }
        }
        self.stand(gait, (body, &poses), &legs)
    }

    /// Pose of the body at the start, and the angles of all legs in time.
    fn walk(
        &self,
        gait: &GaitKeys,
        plan: &Plan,
        (body, legs): (usize, &[Leg]),
        duration: f64,
    ) -> Option<Result<(Pose, Vec<Tables>), OffGround>> {
        let (height, reach) = (gait.height, gait.reach);
        let at = self.initial_poses()[body];
        let soles = legs.iter().map(|leg| {
            let (sin, cos) = leg.heading.sin_cos();
            Vec3::new(leg.hip[0] + reach * cos, leg.hip[1] + reach * sin, leg.height - height)
        });
        let course = Course {
            ground: self.ground.as_ref()?,
            start: [at.p.x, at.p.y],
            heading: at.R[(1, 0)].atan2(at.R[(0, 0)]),
            soles: soles.collect(),
            stride: plan.stride,
        };
        let above: Vec<f64> =
            legs.iter().map(|leg| self.feet[leg.foot].law.shape.round().unwrap_or(0.0)).collect();
        let step = plan.period / ROWS;
        let count = (duration / step).ceil() as usize + 1;
        let made = || {
            let poses: Result<Vec<Pose>, _> =
                (0..count).map(|k| course.body(plan.way(k as f64 * step))).collect();
            let walk = Walk { plan, course: &course, step, poses: poses? };
            let tables: Result<Vec<Tables>, _> =
                legs.iter().enumerate().map(|(i, leg)| walk.leg(i, leg, above[i])).collect();
            Ok((walk.poses[0], tables?))
        };
        Some(made())
    }

    /// Joints and lengths of the leg that ends in a foot.
    fn leg(&self, body: usize, foot: &str) -> Option<Leg> {
        let foot = self.feet.iter().position(|f| f.name == foot)?;
        let above = |b: usize| self.mechanism.joints.iter().position(|j| j.child == b);
        // The foot's body may be fixed to the last link of the leg.
        let mut tip_body = self.feet[foot].body;
        let mut joints = Vec::new();
        while tip_body != body {
            let joint = above(tip_body)?;
            match self.mechanism.joints[joint].kind {
                JointKind::Fixed => {}
                JointKind::Revolute { .. } => joints.push(joint),
                _ => return None,
            }
            tip_body = self.mechanism.joints[joint].parent?;
        }
        joints.reverse();
        let joints: [usize; 3] = joints.try_into().ok()?;
        let scope = self.scope_of_body[body];
        let X_BM = self.zero_pose(scope, Some(body)).inverse();
        let in_body = |b: usize| X_BM.compose(&self.zero_pose(scope, Some(b)));
        let place = |j: usize| {
            let joint = &self.mechanism.joints[j];
            let X = in_body(joint.child).compose(&joint.X_BM);
            let JointKind::Revolute { axis } = joint.kind else { return (X.p, Vec3::zeros()) };
            (X.p, X.R * axis)
        };
        let (hip, up) = place(joints[0]);
        let on = &self.feet[foot];
        let tip = in_body(on.body).compose(&on.X_BF).p;
        let out = (tip - hip).xy();
        let heading = out.y.atan2(out.x);
        let radial = Vec3::new(heading.cos(), heading.sin(), 0.0);
        let across = Vec3::z().cross(&radial);
        let in_plane = |p: Vec3| [(p - hip).dot(&radial), p.z];
        let ((knee, axis_1), (ankle, axis_2)) = (place(joints[1]), place(joints[2]));
        let signs = [up.z, axis_1.dot(&across), axis_2.dot(&across)];
        if signs.iter().any(|s| (s.abs() - 1.0).abs() > 1e-6) {
            return None;
        }
        let signs = signs.map(f64::signum);
        let points = [in_plane(knee), in_plane(ankle), in_plane(tip)];
        // Without a thigh or a shank the foot cannot be brought anywhere.
        let apart = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) > SHORTEST;
        if !apart(points[0], points[1]) || !apart(points[1], points[2]) {
            return None;
        }
        Some(Leg { foot, joints, signs, hip: [hip.x, hip.y], heading, points, height: hip.z })
    }

    /// The body where its way begins, with its feet level with it and the lowest at its clearance.
    fn stand(&mut self, gait: &GaitKeys, (body, X_WB): (usize, &Pose), legs: &[Leg]) -> Option<()> {
        let X_WB = Pose { R: X_WB.R, p: X_WB.p + X_WB.R.column(2) * gait.clearance };
        let free = self.mechanism.joints.iter_mut().find(|j| j.child == body && j.kind == JointKind::Free);
        let Some(free) = free else {
            self.issues.at(gait.body.loc, &gait.body.path, "must hang on a free joint");
            return None;
        };
        let X_FM = free.X_PF.inverse().compose(&X_WB).compose(&free.X_BM);
        let q = X_FM.quaternion();
        free.position = vec![X_FM.p.x, X_FM.p.y, X_FM.p.z, q.w, q.i, q.j, q.k];
        let poses = self.initial_poses();
        for leg in legs {
            let on = &mut self.feet[leg.foot];
            on.X_BF = Pose { R: poses[on.body].R.transpose() * poses[body].R, p: on.X_BF.p };
        }
        let name = gait.body.replace('/', "_");
        self.walkers.push(Walker { name, body, start: X_WB.p });
        Some(())
    }
}
