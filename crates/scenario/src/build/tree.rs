//! The tree: joints looked up and checked, the pose of every body at zero, frames of every joint, and initial
//! coordinates.

use super::Builder;
use super::parts::Placed;
use crate::read::{Here, Quantity};
use crate::source::Loc;
use crate::table::{FrameKeys, JointKeys, JointWord, Key, TurnKeys, Words};
use touchdown_math::{Mat3, Pose, Quat, Vec3, rotation};
use touchdown_multibody::description::{BodyRef, Joint, JointKind};

/// A joint of the mechanism with the data for its frames.
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
    Table(&'a JointKeys),
    /// Place in the machine's frame at zero (the first hinge of a chain).
    At(Vec3),
    /// Place in the parent's frame (the other hinges of a chain).
    InParent(Vec3),
}

impl<'a> Builder<'a> {
    /// Joints of every scope; frames and coordinates follow once the tree has been checked.
    pub fn collect_joints(&mut self) {
        for s in 0..self.scopes.len() {
            let (parts, prefix) = (self.scopes[s].parts, self.scopes[s].prefix.clone());
            for named in parts.joint {
                let name = format!("{prefix}{}", named.name);
                self.remember("joint", &name, named);
                let joint = named.keys.as_ref().and_then(|keys| Some((self.joint(s, &name, keys)?, keys)));
                let index = joint.map(|(joint, keys)| self.add_joint(s, joint, Frames::Table(keys), named));
                self.joints.insert(name, index);
            }
        }
    }

    pub fn add_joint(&mut self, scope: usize, joint: Joint, frames: Frames<'a>, at: &impl Placed) -> usize {
        let index = self.mechanism.joints.len();
        self.joints.insert(joint.name.clone(), Some(index));
        self.mechanism.joints.push(joint);
        self.planned.push(PlannedJoint {
            joint: index,
            scope,
            frames,
            loc: at.loc(),
            path: at.path().into(),
        });
        index
    }

    fn joint(&mut self, scope: usize, name: &str, keys: &JointKeys) -> Option<Joint> {
        let kind = self.joint_kind(keys);
        let (parent, child) = (self.body(scope, &keys.parent), self.body(scope, &keys.child));
        let (Some(parent), Some(child), Some(kind)) = (parent, child, kind) else { return None };
        let Some(child) = child else {
            self.issues
                .at(keys.child.loc, &keys.child.path, "cannot be the world")
                .hint("the world is a parent only");
            return None;
        };
        if parent == Some(child) {
            self.issues.at(keys.child.loc, &keys.child.path, "is its own parent");
            return None;
        }
        Some(Joint::new(name, kind, parent, child, Vec3::zeros()))
    }

    fn joint_kind(&mut self, keys: &JointKeys) -> Option<JointKind> {
        let wanted = match keys.kind {
            JointWord::Revolute | JointWord::Prismatic | JointWord::Cylindrical | JointWord::Planar => 1,
            JointWord::Universal => 2,
            JointWord::Fixed | JointWord::Spherical | JointWord::Free => 0,
        };
        let word = keys.kind.word();
        for (k, key) in [JointKeys::axis, JointKeys::second_axis].into_iter().enumerate() {
            let (name, given) = (key.name(), keys.here.has(key));
            if k < wanted && !given {
                self.issues
                    .at(keys.here.loc, &keys.here.path, format!("needs {name}, because it is {word}"))
                    .hint(format!("such as {name} = [0, 1, 0]"));
            } else if k >= wanted && given {
                let what = format!("means nothing in a {word} joint");
                self.issues.at(keys.here.loc_of(key), keys.here.path_of(key), what);
            }
        }
        let axis = keys.axis;
        Some(match keys.kind {
            JointWord::Fixed => JointKind::Fixed,
            JointWord::Revolute => JointKind::Revolute { axis: axis? },
            JointWord::Prismatic => JointKind::Prismatic { axis: axis? },
            JointWord::Cylindrical => JointKind::Cylindrical { axis: axis? },
            JointWord::Universal => JointKind::Universal { axis_1: axis?, axis_2: keys.second_axis? },
            JointWord::Spherical => JointKind::Spherical,
            JointWord::Planar => JointKind::Planar { normal: axis? },
            JointWord::Free => JointKind::Free,
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
        // For a parent, the world means the machine's own frame, so that a machine can be placed as a whole.
        let X_MBase = if parent.is_some() { self.zero_pose(scope, parent) } else { Pose::identity() };
        let mut X_BM = Pose::identity();
        let X_MF = match plan.frames {
            Frames::At(at) => Pose::translation(at),
            Frames::InParent(p) => X_MBase.compose(&Pose::translation(p)),
            Frames::Table(keys) => {
                X_BM = keys.child_frame.as_ref().map_or(X_BM, frame);
                match (&keys.parent_frame, keys.at) {
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
        // The coordinates of a free body in the world are its pose in the world, independent of its machine's
        // place.
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
            Frames::Table(keys) => self.initial_state(index, keys, &offset),
            _ if free_in_world => self.mechanism.joints[index].position = free_coordinates(&offset),
            _ => {}
        }
    }

    /// A frame must give its rotation only once, and a quaternion must not be zero.
    fn check_frame(&mut self, keys: &FrameKeys) {
        let Some(q) = keys.quaternion else { return };
        let (loc, path) = (keys.here.loc_of(FrameKeys::quaternion), keys.here.path_of(FrameKeys::quaternion));
        let angles = [TurnKeys::roll, TurnKeys::pitch, TurnKeys::yaw];
        if angles.into_iter().any(|key| keys.turn.here.has(key)) {
            self.issues.at(loc, path, "says the same as roll, pitch and yaw").hint("keep one of the two");
        } else if q.iter().map(|c| c * c).sum::<f64>() < 1e-12 {
            self.issues.at(loc, path, "must not be zero").hint("[1, 0, 0, 0] (w, x, y, z) is no rotation");
        }
    }

    fn initial_state(&mut self, index: usize, keys: &JointKeys, offset: &Pose) {
        for frame in [&keys.parent_frame, &keys.child_frame, &keys.placed].into_iter().flatten() {
            self.check_frame(frame);
        }
        if keys.parent_frame.is_some() && keys.at.is_some() {
            let at = JointKeys::at;
            self.issues
                .at(keys.here.loc_of(at), keys.here.path_of(at), "says the same as parent_frame")
                .hint("keep one of the two");
        }
        self.mechanism.joints[index].held_in_assembly = keys.held;
        match self.mechanism.joints[index].kind {
            JointKind::Free | JointKind::Spherical => self.placed_state(index, keys, offset),
            _ => self.numbered_state(index, keys),
        }
    }

    fn placed_state(&mut self, index: usize, keys: &JointKeys, offset: &Pose) {
        let free = self.mechanism.joints[index].kind == JointKind::Free;
        let numbers = [JointKeys::position.any(), JointKeys::rate.any()];
        self.refuse(keys, &numbers, "placed, velocity and angular_velocity");
        let X = offset.compose(&keys.placed.as_ref().map_or_else(Pose::identity, frame));
        let spin = keys.angular_velocity.unwrap_or_else(Vec3::zeros);
        let joint = &mut self.mechanism.joints[index];
        if free {
            let v = keys.velocity.unwrap_or_else(Vec3::zeros);
            joint.position = free_coordinates(&X);
            joint.rate = vec![v.x, v.y, v.z, spin.x, spin.y, spin.z];
        } else {
            joint.position = free_coordinates(&X)[3..].to_vec();
            joint.rate = vec![spin.x, spin.y, spin.z];
            self.refuse(keys, &[JointKeys::velocity.any()], "angular_velocity");
        }
    }

    fn numbered_state(&mut self, index: usize, keys: &JointKeys) {
        let places = [JointKeys::placed.any(), JointKeys::velocity.any(), JointKeys::angular_velocity.any()];
        self.refuse(keys, &places, "position and rate");
        if let Some(list) = &keys.position
            && let Some(values) = self.coordinates(index, &keys.here, JointKeys::position, list)
        {
            self.mechanism.joints[index].position = values;
        }
        if let Some(list) = &keys.rate
            && let Some(values) = self.coordinates(index, &keys.here, JointKeys::rate, list)
        {
            self.mechanism.joints[index].rate = values;
        }
    }

    /// As many numbers as the joint has motions, each of a matching dimension.
    fn coordinates(
        &mut self,
        index: usize,
        here: &Here<JointKeys>,
        key: Key<JointKeys, Vec<Quantity>>,
        list: &[Quantity],
    ) -> Option<Vec<f64>> {
        let n = self.mechanism.joints[index].kind.rates();
        let (loc, path) = (here.loc_of(key), here.path_of(key));
        if list.len() != n {
            let what = format!("must have {n} numbers, one for each motion");
            self.issues.at(loc, path, what).found(list.len());
            return None;
        }
        let one = |(k, quantity): (usize, &Quantity)| {
            let c = self.checked_coordinate(index, Some(k), loc, &path)?;
            self.suited(Some(quantity), c.angular)
        };
        let values: Vec<Option<f64>> = list.iter().enumerate().map(one).collect();
        values.into_iter().collect()
    }

    fn refuse(&mut self, keys: &JointKeys, refused: &[Key<JointKeys, ()>], instead: &str) {
        for key in refused.iter().filter(|key| keys.here.has(**key)) {
            let what = format!("means nothing in a {} joint", keys.kind.word());
            self.issues
                .at(keys.here.loc_of(*key), keys.here.path_of(*key), what)
                .hint(format!("it has {instead}"));
        }
    }
}

/// Pose from the keys of a frame: position, and angles or a quaternion.
fn frame(keys: &FrameKeys) -> Pose {
    let p = keys.position;
    if let Some(q) = keys.quaternion {
        // A zero quaternion has no direction; `check_frame` has reported it.
        let norm = q.iter().map(|c| c * c).sum::<f64>();
        return if norm > 0.0 { Pose { R: rotation::from_quaternion(&q), p } } else { Pose::translation(p) };
    }
    Pose { R: turned(&keys.turn), p }
}

/// Rotation by roll, pitch and yaw: about x, then y, then z, all fixed axes.
pub(crate) fn turned(keys: &TurnKeys) -> Mat3 {
    turned_by(keys.roll, keys.pitch, keys.yaw)
}

/// The same from three angles.
pub(crate) fn turned_by(roll: f64, pitch: f64, yaw: f64) -> Mat3 {
    rotation::about_axis(&Vec3::z(), yaw)
        * rotation::about_axis(&Vec3::y(), pitch)
        * rotation::about_axis(&Vec3::x(), roll)
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
