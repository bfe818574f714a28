//! The compiled mechanism: constant after `Model::build`; every algorithm of this module reads it and none
//! writes it.

use crate::description::{Attachment, BodyRef, ConstraintKind, Drive, ElementKind, ForceElement, Gravity};
use touchdown_math::{Inertia, Mat3, Pose, Signal, Vec3};

/// In place of a link's index: the world, which does not move.
pub const WORLD: usize = usize::MAX;

/// The motion that the joint of a link allows; axes in the joint frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Primitive {
    /// Rotation about a unit vector.
    Revolute(Vec3),
    /// Travel along a unit vector.
    Prismatic(Vec3),
    /// Three translations along the joint frame's axes.
    Translation,
    /// A quaternion; rates in link axes.
    Ball,
}

impl Primitive {
    /// Degrees of freedom.
    pub fn rates(&self) -> usize {
        match self {
            Primitive::Revolute(_) | Primitive::Prismatic(_) => 1,
            Primitive::Translation | Primitive::Ball => 3,
        }
    }

    /// Position coordinates.
    pub fn positions(&self) -> usize {
        if *self == Primitive::Ball { 4 } else { self.rates() }
    }
}

/// One link: a primitive joint and everything rigidly attached outboard of it.
#[derive(Clone, Debug)]
pub struct Link {
    /// Index of the parent link, or [`WORLD`].
    pub parent: usize,
    /// What moves.
    pub primitive: Primitive,
    /// Joint frame in the parent link (in the world for roots).
    pub X_PJ: Pose,
    /// Whether the joint frame is parallel to the parent link: saves a product at every evaluation.
    pub aligned: bool,
    /// First position coordinate.
    pub q: usize,
    /// First rate.
    pub v: usize,
    /// Inertia about the link's origin in link axes; zero for the links inside composite joints.
    pub inertia: Inertia,
}

/// Placement of a body: its link, and its frame in that link.
#[derive(Clone, Copy, Debug)]
pub struct BodyOnLink {
    /// Link index or [`WORLD`].
    pub link: usize,
    /// Body frame in the link frame (in the world for bodies fixed to it).
    pub X_LB: Pose,
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass in the body frame, m.
    pub com: Vec3,
    /// Inertia about the centre of mass, body axes, kg m².
    pub inertia: Mat3,
}

/// Placement of a joint of the description.
#[derive(Clone, Debug)]
pub struct JointSlot {
    /// First position coordinate; meaningless when `locked`.
    pub q: usize,
    /// First rate; meaningless when `locked`.
    pub v: usize,
    /// Number of rates left, 0 when fixed or locked.
    pub rates: usize,
    /// Number of position coordinates left.
    pub positions: usize,
    /// Last link of the joint (the one that carries the child), or the link of the parent when fixed.
    pub link: usize,
    /// Fixed, or held by a lock.
    pub locked: bool,
    /// Child body.
    pub child: usize,
    /// Parent body.
    pub parent: Option<usize>,
    /// Joint frame M in the child body.
    pub X_BM: Pose,
    /// Initial coordinates (all of them, also of a locked joint).
    pub position: Vec<f64>,
}

/// A constraint with its place among the rows.
#[derive(Clone, Debug)]
pub struct ConstraintSlot {
    /// Name, for messages.
    pub name: String,
    /// Equations.
    pub kind: ConstraintKind,
    /// First row.
    pub row: usize,
    /// Number of rows.
    pub rows: usize,
}

/// The compiled mechanism.
#[derive(Clone, Debug)]
pub struct Model {
    /// Links, parents before children.
    pub links: Vec<Link>,
    /// Number of position coordinates.
    pub nq: usize,
    /// Number of rates.
    pub nv: usize,
    /// Number of constraint rows.
    pub nc: usize,
    /// For each rate: the rate before it towards the root, or `usize::MAX`.
    pub parent_rate: Vec<usize>,
    /// For each rate: its link.
    pub rate_link: Vec<usize>,
    /// Bodies of the description.
    pub bodies: Vec<BodyOnLink>,
    /// Names of the bodies.
    pub body_names: Vec<String>,
    /// Joints of the description.
    pub joints: Vec<JointSlot>,
    /// Names of the joints.
    pub joint_names: Vec<String>,
    /// Body order in which every parent precedes its children.
    pub body_order: Vec<usize>,
    /// For each body: its inboard joint.
    pub inboard_joint: Vec<usize>,
    /// Constraints; their attachments and axes are in link frames.
    pub constraints: Vec<ConstraintSlot>,
    /// Force elements; their attachments are in link frames.
    pub elements: Vec<ForceElement>,
    /// Drives that act by force (without locks).
    pub drives: Vec<Drive>,
    /// Gravity.
    pub gravity: Gravity,
    /// Initial coordinates as described, before assembly.
    pub q_initial: Vec<f64>,
    /// Initial rates as described.
    pub v_initial: Vec<f64>,
    /// For each rate: held while the mechanism is assembled.
    pub held: Vec<bool>,
}

impl Model {
    /// Lets the prescribed motion of a constraint follow another signal.
    pub fn follow(&mut self, constraint: usize, signal: Signal) {
        if let ConstraintKind::Prescribed { motion, .. } = &mut self.constraints[constraint].kind {
            *motion = signal;
        }
    }

    /// Total mass, kg.
    pub fn total_mass(&self) -> f64 {
        self.bodies.iter().fold(0.0, |sum, b| sum + b.mass)
    }

    /// Whether forces or constraints couple the tree, so that the articulated-body pass does not suffice.
    pub fn is_constrained(&self) -> bool {
        self.nc > 0
    }

    /// The parents of the rates if the Newton matrix keeps the tree's sparsity: no force law connects two
    /// branches.
    pub fn elimination_tree(&self) -> Option<&[usize]> {
        let pair = |a: &Attachment, b: &Attachment| self.on_one_branch(a.body, b.body);
        let elements = self.elements.iter().all(|e| match &e.kind {
            ElementKind::Spring { a, b, .. }
            | ElementKind::Bushing { a, b, .. }
            | ElementKind::Actuator { a, b, .. } => pair(a, b),
            _ => true,
        });
        let constraints = self.constraints.iter().all(|c| match &c.kind {
            ConstraintKind::Distance { a, b, .. } => pair(a, b),
            _ => true,
        });
        (elements && constraints).then_some(&self.parent_rate)
    }

    /// Whether one of two bodies' links carries the other, or one does not move.
    pub fn on_one_branch(&self, a: BodyRef, b: BodyRef) -> bool {
        let link = |body: BodyRef| body.map_or(WORLD, |b| self.bodies[b].link);
        let carries = |mut outer: usize, inner: usize| {
            while outer != WORLD && outer != inner {
                outer = self.links[outer].parent;
            }
            outer == inner
        };
        let (a, b) = (link(a), link(b));
        a == WORLD || b == WORLD || carries(a, b) || carries(b, a)
    }

    /// `out = q ⊕ dq`: moves the coordinates by a step in the space of the rates.
    pub fn add_step(&self, q: &[f64], dq: &[f64], out: &mut [f64]) {
        for link in &self.links {
            let (iq, iv) = (link.q, link.v);
            match link.primitive {
                Primitive::Ball => {
                    touchdown_math::rotation::quaternion_plus(
                        &q[iq..iq + 4],
                        &dq[iv..iv + 3],
                        &mut out[iq..iq + 4],
                    );
                }
                _ => {
                    for k in 0..link.primitive.rates() {
                        out[iq + k] = q[iq + k] + dq[iv + k];
                    }
                }
            }
        }
    }

    /// Time derivative of the coordinates.
    pub fn position_rates(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        for link in &self.links {
            let (iq, iv) = (link.q, link.v);
            match link.primitive {
                Primitive::Ball => {
                    touchdown_math::rotation::quaternion_rate(
                        &q[iq..iq + 4],
                        &v[iv..iv + 3],
                        &mut out[iq..iq + 4],
                    );
                }
                _ => {
                    let n = link.primitive.rates();
                    out[iq..iq + n].copy_from_slice(&v[iv..iv + n]);
                }
            }
        }
    }

    /// Brings quaternions back to unit length.
    pub fn normalise(&self, q: &mut [f64]) {
        for link in self.links.iter().filter(|l| l.primitive == Primitive::Ball) {
            let s = &mut q[link.q..link.q + 4];
            let norm = s.iter().map(|x| x * x).sum::<f64>().sqrt();
            s.iter_mut().for_each(|x| *x /= norm);
        }
    }

    /// Name of the body that the joint of a rate carries, for messages.
    pub fn rate_body(&self, rate: usize) -> &str {
        let owner = self.joints.iter().find(|j| !j.locked && (j.v..j.v + j.rates).contains(&rate));
        owner.map_or("?", |j| self.body_names[j.child].as_str())
    }

    /// Name of the joint that owns a rate, for messages.
    pub fn rate_name(&self, rate: usize) -> &str {
        let owner = self.joints.iter().position(|j| !j.locked && (j.v..j.v + j.rates).contains(&rate));
        owner.map_or("?", |j| self.joint_names[j].as_str())
    }
}
