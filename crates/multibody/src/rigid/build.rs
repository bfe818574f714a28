//! Description ⇒ compiled model: orders the tree, splits joints into primitives, fuses bodies that cannot
//! move.

use super::model::{BodyOnLink, ConstraintSlot, JointSlot, Link, Model, Primitive, WORLD};
use crate::description::{
    Attachment, ConstraintKind, DriveKind, ElementKind, Joint, JointAxis, JointKind, Mechanism,
};
use touchdown_math::{Inertia, Mat3, Pose, Vec3, rotation};

/// Errors of a mechanism.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// A body has no inboard joint, or more than one.
    #[error("body \"{body}\" has {found} inboard joints, needs exactly one")]
    Inboard {
        /// Body name.
        body: String,
        /// Number of joints whose child it is.
        found: usize,
    },
    /// Following the parents of a body never reaches the world.
    #[error("body \"{body}\" is not connected to the world: its parents form a cycle")]
    Cycle {
        /// Body name.
        body: String,
    },
    /// A joint got the wrong number of initial values.
    #[error("joint \"{joint}\" needs {needed} initial {what}, found {found}")]
    Initial {
        /// Joint name.
        joint: String,
        /// `coordinates` or `rates`.
        what: &'static str,
        /// Needed count.
        needed: usize,
        /// Given count.
        found: usize,
    },
    /// An index out of range.
    #[error("{owner} refers to a {what} that does not exist")]
    Reference {
        /// Who refers.
        owner: String,
        /// To what kind of thing.
        what: &'static str,
    },
    /// A drive, spring or gear names a coordinate that a joint does not have or that cannot be named.
    #[error("{owner} names axis {axis} of joint \"{joint}\", which has {available} axes that can be named")]
    Axis {
        /// Who names it.
        owner: String,
        /// Joint name.
        joint: String,
        /// The axis asked for.
        axis: usize,
        /// How many there are.
        available: usize,
    },
}

impl Model {
    /// Compiles a mechanism. Numbers (masses, stiffnesses) are not checked; the structure is.
    pub fn build(mechanism: &Mechanism) -> Result<Model, Vec<BuildError>> {
        let mut errors = check_references(mechanism);
        if !errors.is_empty() {
            return Err(errors);
        }
        let (inboard_joint, body_order) = order_bodies(mechanism)?;
        let mut builder = Builder::new(mechanism, inboard_joint, body_order);
        builder.check_axes(&mut errors);
        if !errors.is_empty() {
            return Err(errors);
        }
        builder.place_bodies();
        builder.add_constraints();
        builder.rebase_attachments();
        Ok(builder.model)
    }
}

/// Every index must be in range, and every joint must have its numbers.
fn check_references(m: &Mechanism) -> Vec<BuildError> {
    let mut errors = Vec::new();
    let nb = m.bodies.len();
    for joint in &m.joints {
        if joint.child >= nb || joint.parent.is_some_and(|p| p >= nb) {
            errors.push(BuildError::Reference { owner: format!("joint \"{}\"", joint.name), what: "body" });
        }
        for (what, needed, found) in [
            ("coordinates", joint.kind.positions(), joint.position.len()),
            ("rates", joint.kind.rates(), joint.rate.len()),
        ] {
            if needed != found {
                errors.push(BuildError::Initial { joint: joint.name.clone(), what, needed, found });
            }
        }
    }
    for (name, bodies, axes) in super::uses::uses(m) {
        if bodies.iter().any(|b| b.is_some_and(|b| b >= nb)) {
            errors.push(BuildError::Reference { owner: name.clone(), what: "body" });
        }
        if axes.iter().any(|a| a.joint >= m.joints.len()) {
            errors.push(BuildError::Reference { owner: name, what: "joint" });
        }
    }
    errors
}

/// For each body its inboard joint, and an order with parents first.
fn order_bodies(m: &Mechanism) -> Result<(Vec<usize>, Vec<usize>), Vec<BuildError>> {
    let nb = m.bodies.len();
    let mut inboard: Vec<Vec<usize>> = vec![Vec::new(); nb];
    for (j, joint) in m.joints.iter().enumerate() {
        inboard[joint.child].push(j);
    }
    let mut errors: Vec<BuildError> = inboard
        .iter()
        .enumerate()
        .filter(|(_, joints)| joints.len() != 1)
        .map(|(b, joints)| BuildError::Inboard { body: m.bodies[b].name.clone(), found: joints.len() })
        .collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let inboard: Vec<usize> = inboard.iter().map(|j| j[0]).collect();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nb];
    let mut stack: Vec<usize> = Vec::new();
    for b in (0..nb).rev() {
        match m.joints[inboard[b]].parent {
            Some(p) => children[p].push(b),
            None => stack.push(b),
        }
    }
    let mut order = Vec::with_capacity(nb);
    while let Some(b) = stack.pop() {
        order.push(b);
        stack.extend(&children[b]);
    }
    if order.len() < nb {
        let mut reached = vec![false; nb];
        order.iter().for_each(|&b| reached[b] = true);
        errors.extend(
            (0..nb).filter(|&b| !reached[b]).map(|b| BuildError::Cycle { body: m.bodies[b].name.clone() }),
        );
        return Err(errors);
    }
    Ok((inboard, order))
}

/// The pose of a joint's frame M in its frame F at the given coordinates.
fn joint_pose(kind: &JointKind, q: &[f64]) -> Pose {
    let mut X = Pose::identity();
    let mut at = 0;
    for primitive in primitives(kind) {
        let own = match primitive {
            Primitive::Revolute(a) => Pose { R: rotation::about_axis(&a, q[at]), p: Vec3::zeros() },
            Primitive::Prismatic(a) => Pose::translation(a * q[at]),
            Primitive::Translation => Pose::translation(Vec3::new(q[at], q[at + 1], q[at + 2])),
            Primitive::Ball => Pose { R: rotation::from_quaternion(&q[at..at + 4]), p: Vec3::zeros() },
        };
        X = X.compose(&own);
        at += primitive.positions();
    }
    X
}

/// The primitives a joint is made of, inboard first.
fn primitives(kind: &JointKind) -> Vec<Primitive> {
    match *kind {
        JointKind::Fixed => vec![],
        JointKind::Revolute { axis } => vec![Primitive::Revolute(axis)],
        JointKind::Prismatic { axis } => vec![Primitive::Prismatic(axis)],
        JointKind::Cylindrical { axis } => vec![Primitive::Prismatic(axis), Primitive::Revolute(axis)],
        JointKind::Universal { axis_1, axis_2 } => {
            vec![Primitive::Revolute(axis_1), Primitive::Revolute(axis_2)]
        }
        JointKind::Spherical => vec![Primitive::Ball],
        JointKind::Planar { normal } => {
            let u = rotation::perpendicular(&normal);
            vec![Primitive::Prismatic(u), Primitive::Prismatic(normal.cross(&u)), Primitive::Revolute(normal)]
        }
        JointKind::Free => vec![Primitive::Translation, Primitive::Ball],
    }
}

struct Builder<'a> {
    mechanism: &'a Mechanism,
    locked: Vec<bool>,
    model: Model,
}

impl<'a> Builder<'a> {
    fn new(mechanism: &'a Mechanism, inboard_joint: Vec<usize>, body_order: Vec<usize>) -> Self {
        let mut locked: Vec<bool> = mechanism.joints.iter().map(|j| j.kind == JointKind::Fixed).collect();
        for drive in mechanism.drives.iter().filter(|d| matches!(d.kind, DriveKind::Lock)) {
            locked[drive.axis.joint] = true;
        }
        let body = BodyOnLink {
            link: WORLD,
            X_LB: Pose::identity(),
            mass: 0.0,
            com: Vec3::zeros(),
            inertia: Mat3::zeros(),
        };
        let slot = JointSlot {
            q: 0,
            v: 0,
            rates: 0,
            positions: 0,
            link: WORLD,
            locked: true,
            child: 0,
            parent: None,
            X_BM: Pose::identity(),
            position: vec![],
        };
        let model = Model {
            links: vec![],
            nq: 0,
            nv: 0,
            nc: 0,
            parent_rate: vec![],
            rate_link: vec![],
            bodies: vec![body; mechanism.bodies.len()],
            body_names: mechanism.bodies.iter().map(|b| b.name.clone()).collect(),
            joints: vec![slot; mechanism.joints.len()],
            joint_names: mechanism.joints.iter().map(|j| j.name.clone()).collect(),
            body_order,
            inboard_joint,
            constraints: vec![],
            elements: mechanism.elements.clone(),
            drives: mechanism.drives.iter().filter(|d| !matches!(d.kind, DriveKind::Lock)).cloned().collect(),
            gravity: mechanism.gravity,
            q_initial: vec![],
            v_initial: vec![],
            held: vec![],
        };
        Builder { mechanism, locked, model }
    }

    /// Walks the tree outwards, making links and placing bodies on them.
    fn place_bodies(&mut self) {
        for b in self.model.body_order.clone() {
            let j = self.model.inboard_joint[b];
            let joint = &self.mechanism.joints[j];
            let (parent_link, X_LP) = match joint.parent {
                Some(p) => (self.model.bodies[p].link, self.model.bodies[p].X_LB),
                None => (WORLD, Pose::identity()),
            };
            let X_LF = X_LP.compose(&joint.X_PF);
            let X_MB = joint.X_BM.inverse();
            let (link, X_LB) = if self.locked[j] {
                (parent_link, X_LF.compose(&joint_pose(&joint.kind, &joint.position)).compose(&X_MB))
            } else {
                (self.add_links(joint, parent_link, X_LF), X_MB)
            };
            self.fill_slot(j, link);
            let body = &self.mechanism.bodies[b];
            self.model.bodies[b] =
                BodyOnLink { link, X_LB, mass: body.mass, com: body.com, inertia: body.inertia };
            if link != WORLD {
                let own = Inertia::new(body.mass, &body.com, &body.inertia).moved(&X_LB.R, &X_LB.p);
                self.model.links[link].inertia += own;
            }
        }
    }

    /// One link for each primitive of a joint; returns the outermost.
    fn add_links(&mut self, joint: &Joint, parent_link: usize, X_LF: Pose) -> usize {
        let m = &mut self.model;
        let (mut parent, mut X_PJ) = (parent_link, X_LF);
        for primitive in primitives(&joint.kind) {
            let index = m.links.len();
            for k in 0..primitive.rates() {
                let inboard = if parent == WORLD { usize::MAX } else { super::tangent::last_rate(m, parent) };
                m.parent_rate.push(if k == 0 { inboard } else { m.nv + k - 1 });
                m.rate_link.push(index);
                m.held.push(joint.held_in_assembly);
            }
            let aligned = X_PJ.R == Mat3::identity();
            m.links.push(Link {
                parent,
                primitive,
                X_PJ,
                aligned,
                q: m.nq,
                v: m.nv,
                inertia: Inertia::zero(),
            });
            m.nq += primitive.positions();
            m.nv += primitive.rates();
            (parent, X_PJ) = (index, Pose::identity());
        }
        m.q_initial.extend(&joint.position);
        m.v_initial.extend(&joint.rate);
        parent
    }

    fn fill_slot(&mut self, j: usize, link: usize) {
        let joint = &self.mechanism.joints[j];
        let (rates, positions) =
            if self.locked[j] { (0, 0) } else { (joint.kind.rates(), joint.kind.positions()) };
        self.model.joints[j] = JointSlot {
            q: self.model.nq - positions,
            v: self.model.nv - rates,
            rates,
            positions,
            link,
            locked: self.locked[j],
            child: joint.child,
            parent: joint.parent,
            X_BM: joint.X_BM,
            position: joint.position.clone(),
        };
    }

    fn add_constraints(&mut self) {
        for constraint in &self.mechanism.constraints {
            let rows = constraint.kind.rows();
            self.model.constraints.push(ConstraintSlot {
                name: constraint.name.clone(),
                kind: constraint.kind.clone(),
                row: self.model.nc,
                rows,
            });
            self.model.nc += rows;
        }
    }

    /// Attachments are described in bodies; they are converted once to links for the algorithms.
    fn rebase_attachments(&mut self) {
        let bodies = &self.model.bodies;
        let frame = |at: &mut Attachment| {
            if let Some(b) = at.body {
                at.X_BF = bodies[b].X_LB.compose(&at.X_BF);
            }
        };
        let axis = |at: &mut (Option<usize>, Vec3)| {
            if let Some(b) = at.0 {
                at.1 = bodies[b].X_LB.R * at.1;
            }
        };
        for constraint in &mut self.model.constraints {
            match &mut constraint.kind {
                ConstraintKind::Coincident { a, b } | ConstraintKind::Distance { a, b, .. } => {
                    [a, b].into_iter().for_each(frame)
                }
                ConstraintKind::Parallel { a, b } | ConstraintKind::Perpendicular { a, b } => {
                    [a, b].into_iter().for_each(axis)
                }
                ConstraintKind::Gear { .. } | ConstraintKind::Prescribed { .. } => {}
            }
        }
        for element in &mut self.model.elements {
            match &mut element.kind {
                ElementKind::Spring { a, b, .. }
                | ElementKind::Bushing { a, b, .. }
                | ElementKind::Actuator { a, b, .. } => {
                    [a, b].into_iter().for_each(frame);
                }
                ElementKind::Load { at, .. } => frame(at),
                _ => {}
            }
        }
    }

    /// Coordinates that elements name must exist and must not be part of a quaternion. Elements on a locked
    /// joint have no effect.
    fn check_axes(&self, errors: &mut Vec<BuildError>) {
        let locks =
            self.mechanism.drives.iter().filter(|d| matches!(d.kind, DriveKind::Lock)).map(|d| &d.name);
        let locks: Vec<String> = locks.map(|n| format!("drive \"{n}\"")).collect();
        for (owner, _, axes) in super::uses::uses(self.mechanism) {
            if locks.contains(&owner) {
                continue;
            }
            for JointAxis { joint, axis } in axes {
                let kind = &self.mechanism.joints[joint].kind;
                let available = match kind {
                    JointKind::Spherical => 0,
                    JointKind::Free => 3,
                    other => other.rates(),
                };
                if axis >= available {
                    let joint = self.mechanism.joints[joint].name.clone();
                    errors.push(BuildError::Axis { owner: owner.clone(), joint, axis, available });
                }
            }
        }
    }
}
