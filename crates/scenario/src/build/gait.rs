//! A tripod gait: what the joints of six legs do so that the feet on the ground stand still and the body goes on steadily.
//!
//! plan (footholds in the way's own coordinate) ⇒ foot in the body's frame ⇒ angles of the three joints ⇒ tables that drives follow. Lengths of the legs come from
//! the machine with all joints at zero.

use super::Builder;
use crate::read::Record;
use touchdown_math::{Pose, Signal, Vec3};
use touchdown_multibody::description::{Command, Drive, DriveKind, JointAxis, JointKind};
use touchdown_sim::description::{Ground, Walker};

/// Rows of the tables in one cycle: angles between them are lines, off by less than 1e-4 rad.
const ROWS: f64 = 200.0;
/// Share of a swing in which a foot only goes up, and in the end only down.
const LIFTED: f64 = 0.15;
/// Legs of a machine with tripods.
const LEGS: usize = 6;

/// Least length of a thigh or shank, m.
const SHORTEST: f64 = 1e-4;

/// The three joints of a leg and its lengths: points in the leg's vertical plane, distance from the first joint's axis and height over the body's origin.
struct Leg {
    foot: usize,
    joints: [usize; 3],
    /// +1 or −1: which way the joints count.
    signs: [f64; 3],
    /// First joint's axis in the body's frame, in plan, and direction of the leg at zero, rad.
    hip: [f64; 2],
    heading: f64,
    /// Second joint, third joint and foot at zero.
    points: [[f64; 2]; 3],
    /// Height of the first joint in the body's frame, m.
    height: f64,
}

/// Progress of the body and its cycles.
struct Plan {
    stride: f64,
    period: f64,
    lift: f64,
    duty: f64,
    settle: f64,
}

/// 0 to 1 with rest at both ends.
fn blend(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * s * (10.0 + s * (-15.0 + 6.0 * s))
}

impl Plan {
    /// Way of the body: it gets going in the first cycle.
    fn way(&self, t: f64) -> f64 {
        let (v, u) = (self.stride / self.period, (t - self.settle) / self.period);
        if u <= 0.0 {
            0.0
        } else if u < 1.0 {
            // ∫ of the blend from 0 to u.
            v * self.period * u.powi(4) * (2.5 + u * (-3.0 + u))
        } else {
            v * self.period * (u - 0.5)
        }
    }

    /// Place of the foothold of cycle `k` of a leg, along the way: under the body in the middle of its stand.
    fn foothold(&self, k: i64, offset: f64) -> f64 {
        let begin = (k as f64 - offset) * self.period + self.settle;
        if begin < self.settle { 0.0 } else { self.way(begin + 0.5 * self.duty * self.period) }
    }

    /// Place of a foot along the way relative to the body, and its height over the ground.
    fn foot(&self, t: f64, offset: f64) -> (f64, f64) {
        let cycle = (t - self.settle) / self.period + offset;
        let k = cycle.floor();
        let phase = cycle - k;
        let k = k as i64;
        let swing_begins = (k as f64 + self.duty - offset) * self.period;
        let here = self.foothold(k, offset);
        // A swing that would have begun before the walk is left out.
        if phase < self.duty || swing_begins < 0.0 {
            return (here - self.way(t), 0.0);
        }
        let s = (phase - self.duty) / (1.0 - self.duty);
        let next = self.foothold(k + 1, offset);
        let up = (std::f64::consts::PI * s).sin();
        // Up out of the footprint first, down into the new one last.
        let along = blend((s - LIFTED) / (1.0 - 2.0 * LIFTED));
        (here + (next - here) * along - self.way(t), self.lift * up * up)
    }
}

impl Leg {
    /// Angles of the joints that bring the foot to a place in the body's frame, knee up; the nearest where it is out of reach.
    fn angles(&self, p: &Vec3) -> [f64; 3] {
        let (dx, dy) = (p.x - self.hip[0], p.y - self.hip[1]);
        let turn = dy.atan2(dx) - self.heading;
        let turn = turn - std::f64::consts::TAU * (turn / std::f64::consts::TAU).round();
        let [knee, ankle, tip] = self.points;
        let sub = |a: [f64; 2], b: [f64; 2]| [a[0] - b[0], a[1] - b[1]];
        let (thigh, shank) = (sub(ankle, knee), sub(tip, ankle));
        let (l1, l2) = (thigh[0].hypot(thigh[1]), shank[0].hypot(shank[1]));
        let to = sub([dx.hypot(dy), p.z], knee);
        let d = to[0].hypot(to[1]).max((l1 - l2).abs() * (1.0 + 1e-9)).min((l1 + l2) * (1.0 - 1e-9));
        let inner = ((l1 * l1 + d * d - l2 * l2) / (2.0 * l1 * d)).clamp(-1.0, 1.0).acos();
        let first = to[1].atan2(to[0]) + inner;
        let end = [d * to[0] / to[0].hypot(to[1]), d * to[1] / to[0].hypot(to[1])];
        let rest = sub(end, [l1 * first.cos(), l1 * first.sin()]);
        let second = rest[1].atan2(rest[0]);
        let wrap = |a: f64| a - std::f64::consts::TAU * (a / std::f64::consts::TAU).round();
        let (a, b) = (wrap(first - thigh[1].atan2(thigh[0])), wrap(second - shank[1].atan2(shank[0])));
        // Turning positively about y of a leg along x takes it down.
        [self.signs[0] * turn, -self.signs[1] * a, -self.signs[2] * wrap(b - a)]
    }
}

impl Builder<'_> {
    /// Drives, first pose and walker of `[gait]`.
    pub fn collect_gait(&mut self) {
        let record = self.scopes[0].record;
        let Some(gait) = record.table("gait") else { return };
        // A foot or body with a mistake of its own would be missing here, too.
        if !self.issues.is_empty() {
            return;
        }
        if self.gait(record, gait).is_none() && self.issues.is_empty() {
            self.issues.at(gait.loc, &gait.path, "cannot be made");
        }
    }

    fn gait(&mut self, record: &Record, gait: &Record) -> Option<()> {
        let (loc, path) = (gait.loc_of("body"), gait.path_of("body"));
        let body = self.body(0, gait.text("body")?, loc, &path)??;
        let texts = gait.texts("legs");
        if texts.len() != LEGS {
            self.issues
                .at(gait.loc_of("legs"), gait.path_of("legs"), "must be six feet")
                .found(format!("{}", texts.len()));
            return None;
        }
        let mut legs = Vec::new();
        for (name, loc) in texts {
            match self.leg(body, name) {
                Some(leg) => legs.push(leg),
                None => {
                    self.issues
                        .at(*loc, gait.path_of("legs"), "is not a foot at the end of a leg")
                        .found(format!("\"{name}\""))
                        .hint("a leg: a joint of the body about z, then two across it, then the foot's body");
                    return None;
                }
            }
        }
        let plan = Plan {
            stride: gait.number("stride")?,
            period: gait.number("period")?,
            lift: gait.number("step_height")?,
            duty: gait.number("duty")?,
            settle: gait.number("settle")?,
        };
        let duration = record.number("duration")?;
        let limit = gait.number("limit").unwrap_or(f64::INFINITY);
        let (stiffness, damping) = (gait.number("stiffness")?, gait.number("damping")?);
        for (i, leg) in legs.iter().enumerate() {
            let standing = self.standing(gait, leg)?;
            let offset = if i % 2 == 0 { 0.0 } else { 0.5 };
            let step = plan.period / ROWS;
            let count = (duration / step).ceil() as usize + 1;
            let mut tables: [Vec<(f64, f64)>; 3] = std::array::from_fn(|_| Vec::with_capacity(count));
            for k in 0..count {
                let t = k as f64 * step;
                let (along, up) = plan.foot(t, offset);
                let angles = leg.angles(&(standing + Vec3::new(along, 0.0, up)));
                tables.iter_mut().zip(angles).for_each(|(table, angle)| table.push((t, angle)));
            }
            for (joint, table) in leg.joints.into_iter().zip(tables) {
                let joints = &mut self.mechanism.joints;
                joints[joint].position = vec![table[0].1];
                let name = joints[joint].name.clone();
                let axis = JointAxis { joint, axis: 0 };
                let target = Signal::Linear(table);
                let kind = DriveKind::Follow(Command::Position { target, stiffness, damping, limit });
                self.mechanism.drives.push(Drive { name: name.clone(), axis, kind, active_from: 0.0 });
                self.remember("drive", &name, gait);
            }
        }
        self.stand(gait, body, &legs)
    }

    /// Where the foot's frame stands in the body's frame.
    fn standing(&self, gait: &Record, leg: &Leg) -> Option<Vec3> {
        let (height, reach) = (gait.number("height")?, gait.number("reach")?);
        let above = self.feet[leg.foot].law.shape.round().unwrap_or(0.0);
        let (sin, cos) = leg.heading.sin_cos();
        Some(Vec3::new(leg.hip[0] + reach * cos, leg.hip[1] + reach * sin, leg.height - height + above))
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

    /// Feet level with the body, and the body so high that the lowest is at its clearance.
    fn stand(&mut self, gait: &Record, body: usize, legs: &[Leg]) -> Option<()> {
        let poses = self.initial_poses();
        for leg in legs {
            let on = &mut self.feet[leg.foot];
            on.X_BF = Pose { R: poses[on.body].R.transpose() * poses[body].R, p: on.X_BF.p };
        }
        let clearance = gait.number("clearance")?;
        let mut lift = f64::NEG_INFINITY;
        for leg in legs {
            let on = &self.feet[leg.foot];
            let p = poses[on.body].point(&on.X_BF.p) - Vec3::z() * on.law.shape.round().unwrap_or(0.0);
            let ground = match &self.ground {
                Some(Ground::Plane { point, normal }) => {
                    point.z - normal.xy().dot(&(p - point).xy()) / normal.z
                }
                Some(Ground::Surface(surface)) => surface.jet(p.x, p.y).ok()?.z,
                Some(Ground::Soil(soil)) => soil.relief.height(p.x, p.y)?,
                None => return None,
            };
            lift = lift.max(ground + clearance - p.z);
        }
        let (loc, path) = (gait.loc_of("body"), gait.path_of("body"));
        let free = self.mechanism.joints.iter_mut().find(|j| j.child == body && j.kind == JointKind::Free);
        let Some(free) = free else {
            self.issues.at(loc, path, "must hang on a free joint");
            return None;
        };
        if let Some(z) = free.position.get_mut(2) {
            *z += lift;
        }
        let start = poses[body].p + Vec3::z() * lift;
        self.walkers.push(Walker { name: gait.text("body")?.replace('/', "_"), body, start });
        Some(())
    }
}
