//! The tree: joints looked up and checked, the pose of every body at zero, frames of every joint, and initial coordinates.

use super::Builder;
use crate::read::Record;
use crate::source::Loc;
use touchdown_math::{Pose, Quat, Vec3, rotation};
use touchdown_multibody::description::{BodyRef, Joint, JointKind};

/// A joint of the mechanism with what its frames will be made from.
pub(crate) struct PlannedJoint<'a> {
    pub joint: usize,
    pub scope: usize,
    pub frames: Frames<'a>,
    pub loc: Loc,
    pub path: String,
}

/// How a joint's frames are given.
pub(crate) enum Frames<'a> {
    /// By the keys of a `[joint.NAME]` table.
    Table(&'a Record),
    /// Place in the machine's frame at zero (the first hinge of a chain).
    At(Vec3),
    /// Place in the parent's frame (the other hinges of a chain).
    InParent(Vec3),
}

impl<'a> Builder<'a> {
    /// Joints of every scope; frames and coordinates follow when the tree is known to be sound.
    pub fn collect_joints(&mut self) {
        for s in 0..self.scopes.len() {
            let (record, prefix) = (self.scopes[s].record, self.scopes[s].prefix.clone());
            for named in record.map("joint") {
                let name = format!("{prefix}{}", named.name);
                self.remember("joint", &name, &named.record);
                let joint = self.joint(s, &name, &named.record);
                let index = joint.map(|j| self.add_joint(s, j, Frames::Table(&named.record), &named.record));
                self.joints.insert(name, index);
            }
        }
    }

    pub fn add_joint(&mut self, scope: usize, joint: Joint, frames: Frames<'a>, record: &Record) -> usize {
        let index = self.mechanism.joints.len();
        self.joints.insert(joint.name.clone(), Some(index));
        self.mechanism.joints.push(joint);
        self.planned.push(PlannedJoint {
            joint: index,
            scope,
            frames,
            loc: record.loc,
            path: record.path.clone(),
        });
        index
    }

    fn joint(&mut self, scope: usize, name: &str, record: &Record) -> Option<Joint> {
        let kind = self.joint_kind(record);
        let mut ends = [None, None];
        for (end, key) in ends.iter_mut().zip(["parent", "child"]) {
            if let Some(text) = record.text(key) {
                *end = self.body(scope, text, record.loc_of(key), &record.path_of(key));
            }
        }
        let ([Some(parent), Some(child)], Some(kind)) = (ends, kind) else { return None };
        let Some(child) = child else {
            let path = record.path_of("child");
            self.issues
                .at(record.loc_of("child"), path, "cannot be the world")
                .hint("the world is a parent only");
            return None;
        };
        if parent == Some(child) {
            self.issues.at(record.loc_of("child"), record.path_of("child"), "is its own parent");
            return None;
        }
        Some(Joint::new(name, kind, parent, child, Vec3::zeros()))
    }

    fn joint_kind(&mut self, record: &Record) -> Option<JointKind> {
        let word = record.text("type")?;
        let wanted: &[&str] = match word {
            "revolute" | "prismatic" | "cylindrical" | "planar" => &["axis"],
            "universal" => &["axis", "second_axis"],
            _ => &[],
        };
        for key in ["axis", "second_axis"] {
            if wanted.contains(&key) && !record.has(key) {
                self.issues
                    .at(record.loc, &record.path, format!("needs {key}, because it is {word}"))
                    .hint(format!("such as {key} = [0, 1, 0]"));
            } else if !wanted.contains(&key) && record.has(key) {
                self.issues.at(
                    record.loc_of(key),
                    record.path_of(key),
                    format!("means nothing in a {word} joint"),
                );
            }
        }
        let axis = record.vec3("axis");
        Some(match word {
            "fixed" => JointKind::Fixed,
            "revolute" => JointKind::Revolute { axis: axis? },
            "prismatic" => JointKind::Prismatic { axis: axis? },
            "cylindrical" => JointKind::Cylindrical { axis: axis? },
            "universal" => JointKind::Universal { axis_1: axis?, axis_2: record.vec3("second_axis")? },
            "spherical" => JointKind::Spherical,
            "planar" => JointKind::Planar { normal: axis? },
            _ => JointKind::Free,
        })
    }

    /// Poses of all bodies at zero, joint frames and initial coordinates, from the world outwards.
    pub fn place_tree(&mut self) {
        for i in self.outward_order() {
            self.place_joint(i);
        }
    }

    /// Planned joints ordered so that a parent comes before its children; joints in cycles are left out.
    pub fn outward_order(&self) -> Vec<usize> {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.mechanism.bodies.len() + 1];
        let slot = |body: BodyRef| body.map_or(0, |b| b + 1);
        for (i, plan) in self.planned.iter().enumerate() {
            children[slot(self.mechanism.joints[plan.joint].parent)].push(i);
        }
        let mut reached = vec![false; self.mechanism.bodies.len()];
        let mut order = Vec::with_capacity(self.planned.len());
        let mut next = children[0].clone();
        while let Some(i) = next.pop() {
            let child = self.mechanism.joints[self.planned[i].joint].child;
            if !std::mem::replace(&mut reached[child], true) {
                order.push(i);
                next.extend(&children[child + 1]);
            }
        }
        order
    }

    fn place_joint(&mut self, planned: usize) {
        let plan = &self.planned[planned];
        let (index, scope) = (plan.joint, plan.scope);
        let joint = &self.mechanism.joints[index];
        let (parent, child, kind) = (joint.parent, joint.child, joint.kind);
        // The world as a parent means the machine's own frame, so that a machine can be placed as a whole.
        let X_MBase = if parent.is_some() { self.zero_pose(scope, parent) } else { Pose::identity() };
        let mut X_BM = Pose::identity();
        let X_MF = match plan.frames {
            Frames::At(at) => Pose::translation(at),
            Frames::InParent(p) => X_MBase.compose(&Pose::translation(p)),
            Frames::Table(record) => {
                X_BM = record.table("child_frame").map_or(X_BM, frame);
                match (record.table("parent_frame"), record.vec3("at")) {
                    (Some(given), _) => X_MBase.compose(&frame(given)),
                    (None, Some(at)) => Pose::translation(at),
                    (None, None) => Pose::translation(X_MBase.p),
                }
            }
        };
        let X_WF = self.scopes[scope].X_WM.compose(&X_MF);
        let home = self.scope_of_body[child];
        let X_MB = X_MF.compose(&X_BM.inverse());
        let to_home =
            |X: Pose| self.scopes[home].X_WM.inverse().compose(&self.scopes[scope].X_WM).compose(&X);
        self.X_MB_zero[child] = if home == scope { X_MB } else { to_home(X_MB) };
        // A free body in the world has its place in the world as coordinates, wherever its machine stands.
        let free_in_world = kind == JointKind::Free && parent.is_none();
        let X_PF = match parent {
            None if free_in_world => Pose::identity(),
            None => X_WF,
            Some(_) => X_MBase.inverse().compose(&X_MF),
        };
        let joint = &mut self.mechanism.joints[index];
        (joint.X_PF, joint.X_BM) = (X_PF, X_BM);
        let offset = if free_in_world { X_WF } else { Pose::identity() };
        match self.planned[planned].frames {
            Frames::Table(record) => self.initial_state(index, record, &offset),
            _ if free_in_world => self.mechanism.joints[index].position = free_coordinates(&offset),
            _ => {}
        }
    }

    /// A frame says its rotation once, and a quaternion must not be zero.
    fn check_frame(&mut self, record: &Record) {
        if !record.has("quaternion") {
            return;
        }
        let (loc, path) = (record.loc_of("quaternion"), record.path_of("quaternion"));
        if ["roll", "pitch", "yaw"].iter().any(|k| record.has(k)) {
            self.issues.at(loc, path, "says the same as roll, pitch and yaw").hint("keep one of the two");
        } else if record
            .numbers("quaternion")
            .is_some_and(|q| q.iter().map(|c| c.0 * c.0).sum::<f64>() < 1e-12)
        {
            self.issues.at(loc, path, "must not be zero").hint("[1, 0, 0, 0] (w, x, y, z) is no rotation");
        }
    }

    fn initial_state(&mut self, index: usize, record: &'a Record, offset: &Pose) {
        for key in ["parent_frame", "child_frame", "placed"] {
            if let Some(frame) = record.table(key) {
                self.check_frame(frame);
            }
        }
        if record.has("parent_frame") && record.has("at") {
            let what = "says the same as parent_frame";
            self.issues.at(record.loc_of("at"), record.path_of("at"), what).hint("keep one of the two");
        }
        self.mechanism.joints[index].held_in_assembly = record.flag("held");
        match self.mechanism.joints[index].kind {
            JointKind::Free | JointKind::Spherical => self.placed_state(index, record, offset),
            _ => self.numbered_state(index, record),
        }
    }

    fn placed_state(&mut self, index: usize, record: &Record, offset: &Pose) {
        let free = self.mechanism.joints[index].kind == JointKind::Free;
        self.refuse(record, &["position", "rate"], "placed, velocity and angular_velocity");
        let X = offset.compose(&record.table("placed").map_or_else(Pose::identity, frame));
        let spin = record.vec3("angular_velocity").unwrap_or_else(Vec3::zeros);
        let joint = &mut self.mechanism.joints[index];
        if free {
            let v = record.vec3("velocity").unwrap_or_else(Vec3::zeros);
            joint.position = free_coordinates(&X);
            joint.rate = vec![v.x, v.y, v.z, spin.x, spin.y, spin.z];
        } else {
            joint.position = free_coordinates(&X)[3..].to_vec();
            joint.rate = vec![spin.x, spin.y, spin.z];
            self.refuse(record, &["velocity"], "angular_velocity");
        }
    }

    fn numbered_state(&mut self, index: usize, record: &Record) {
        self.refuse(record, &["placed", "velocity", "angular_velocity"], "position and rate");
        let n = self.mechanism.joints[index].kind.rates();
        for key in ["position", "rate"] {
            let Some(list) = record.numbers(key) else { continue };
            let (loc, path) = (record.loc_of(key), record.path_of(key));
            if list.len() != n {
                self.issues
                    .at(loc, path, format!("must have {n} numbers, one for each motion"))
                    .found(list.len());
                continue;
            }
            for (k, (value, dim)) in list.iter().enumerate() {
                let Some(c) = self.checked_coordinate(index, Some(k), loc, &path) else { continue };
                if self.check_suits(record, key, dim, c.angular) {
                    let joint = &mut self.mechanism.joints[index];
                    let target = if key == "position" { &mut joint.position } else { &mut joint.rate };
                    target[k] = *value;
                }
            }
        }
    }

    fn refuse(&mut self, record: &Record, keys: &[&str], instead: &str) {
        for key in keys.iter().filter(|k| record.has(k)) {
            let kind = record.text("type").unwrap_or("such");
            self.issues
                .at(record.loc_of(key), record.path_of(key), format!("means nothing in a {kind} joint"))
                .hint(format!("it has {instead}"));
        }
    }
}

/// Pose from the keys of a frame: position, and angles or a quaternion.
pub(crate) fn frame(record: &Record) -> Pose {
    let p = record.vec3("position").unwrap_or_else(Vec3::zeros);
    if let Some([w, x, y, z]) = record.numbers("quaternion") {
        let q = [w.0, x.0, y.0, z.0];
        // A zero quaternion has no direction; `check_frame` has reported it.
        let norm = q.iter().map(|c| c * c).sum::<f64>();
        return if norm > 0.0 { Pose { R: rotation::from_quaternion(&q), p } } else { Pose::translation(p) };
    }
    Pose { R: turned(record), p }
}

/// Rotation by the keys roll, pitch, yaw: about x, then y, then z, all fixed axes.
pub(crate) fn turned(record: &Record) -> touchdown_math::Mat3 {
    let angle = |key: &str| record.number(key).unwrap_or(0.0);
    rotation::about_axis(&Vec3::z(), angle("yaw"))
        * rotation::about_axis(&Vec3::y(), angle("pitch"))
        * rotation::about_axis(&Vec3::x(), angle("roll"))
}

/// Position and quaternion {w, x, y, z}.
fn free_coordinates(X: &Pose) -> Vec<f64> {
    let q: Quat = X.quaternion();
    vec![X.p.x, X.p.y, X.p.z, q.w, q.i, q.j, q.k]
}

/// Pose of the child's joint frame in the parent's at the given coordinates.
pub(crate) fn joint_pose(kind: &JointKind, q: &[f64]) -> Pose {
    let turn = |axis: &Vec3, angle: f64| rotation::about_axis(axis, angle);
    match kind {
        JointKind::Fixed => Pose::identity(),
        JointKind::Revolute { axis } => Pose { R: turn(axis, q[0]), p: Vec3::zeros() },
        JointKind::Prismatic { axis } => Pose::translation(axis * q[0]),
        JointKind::Cylindrical { axis } => Pose { R: turn(axis, q[1]), p: axis * q[0] },
        JointKind::Universal { axis_1, axis_2 } => {
            Pose { R: turn(axis_1, q[0]) * turn(axis_2, q[1]), p: Vec3::zeros() }
        }
        JointKind::Spherical => Pose { R: rotation::from_quaternion(q), p: Vec3::zeros() },
        JointKind::Planar { normal } => {
            let a = rotation::perpendicular(normal);
            let b = normal.cross(&a);
            Pose { R: turn(normal, q[2]), p: a * q[0] + b * q[1] }
        }
        JointKind::Free => Pose { R: rotation::from_quaternion(&q[3..]), p: Vec3::new(q[0], q[1], q[2]) },
    }
}
