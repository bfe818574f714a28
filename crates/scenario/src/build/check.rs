//! Checks of the whole mechanism: one joint for each body, no cycles, and inertia for every motion.

use super::Builder;
use touchdown_math::{Inertia, Mat3, Vec3, cross_matrix};
use touchdown_multibody::description::{Body, ConstraintKind, DriveKind, JointKind};

/// A motion whose inertia is this small relative to the others of its joint counts as without inertia.
const NO_INERTIA: f64 = 1e-14;

impl Builder<'_> {
    /// Every body must have exactly one joint that carries it, and be connected to the world.
    pub fn check_tree(&mut self) {
        let n = self.mechanism.bodies.len();
        let mut carrier: Vec<Option<usize>> = vec![None; n];
        for i in 0..self.planned.len() {
            let plan = &self.planned[i];
            let joint = &self.mechanism.joints[plan.joint];
            if carrier[joint.child].is_none() {
                carrier[joint.child] = Some(i);
            } else if let Some(before) = carrier[joint.child] {
                let (body, first) = (&self.mechanism.bodies[joint.child].name, self.planned[before].joint);
                let what = format!(
                    "carries body {body}, which joint {} already carries",
                    self.mechanism.joints[first].name
                );
                self.issues.at(plan.loc, plan.path.clone(), what).hint(
                    "a body has one joint of its own; close the loop with a [constraint.NAME] of type hinge",
                );
            }
        }
        let unread: bool = self.joints.values().any(Option::is_none);
        for (body, carried) in carrier.iter().enumerate() {
            let name = self.mechanism.bodies[body].name.clone();
            // The missing joint may be one that could not be read: the body is then not reported.
            if carried.is_none() && !unread {
                let origin = self.origins.get(&format!("body.{name}")).cloned();
                let Some(origin) = origin else { continue };
                let local = name.rsplit('/').next().unwrap_or(&name).to_string();
                self.issues.at(origin.loc, origin.path, "has no joint").hint(format!(
                    "add [joint.NAME] with child = \"{local}\"; type = \"free\" lets it move freely"
                ));
            }
        }
        self.check_cycles(&carrier);
    }

    fn check_cycles(&mut self, carrier: &[Option<usize>]) {
        // 0: not visited, otherwise the number of the walk that visited it; a walk that meets itself has
        // found a cycle.
        let mut visited = vec![0usize; carrier.len()];
        for start in 0..carrier.len() {
            let mut at = Some(start);
            while let Some(body) = at {
                if visited[body] == start + 1 {
                    self.report_cycle(body, carrier);
                    break;
                }
                if visited[body] != 0 {
                    break;
                }
                visited[body] = start + 1;
                at = carrier[body].and_then(|i| self.mechanism.joints[self.planned[i].joint].parent);
            }
        }
    }

    fn report_cycle(&mut self, body: usize, carrier: &[Option<usize>]) {
        let mut names = vec![self.mechanism.bodies[body].name.clone()];
        let mut at = body;
        let mut place = None;
        while let Some(i) = carrier[at] {
            place = Some(i);
            let Some(parent) = self.mechanism.joints[self.planned[i].joint].parent else { break };
            names.push(self.mechanism.bodies[parent].name.clone());
            at = parent;
            if at == body || names.len() > 12 {
                break;
            }
        }
        let Some(i) = place else { return };
        let (loc, path) = (self.planned[i].loc, self.planned[i].path.clone());
        self.issues
            .at(loc, path, "closes a cycle of joints")
            .found(names.join(" on "))
            .hint("joints form a tree that starts at the world; close loops with [constraint.NAME]");
    }

    /// Every motion of a joint must move some inertia, unless a constraint, a lock or a loop determines it.
    pub fn check_mobility(&mut self) {
        if !self.issues.is_empty() {
            return;
        }
        let order = self.outward_order();
        // Inertia of each body with all it carries, in its own frame, with all joints at zero.
        let own = |b: &Body| Inertia::new(b.mass, &b.com, &b.inertia);
        let mut composite: Vec<Inertia> = self.mechanism.bodies.iter().map(own).collect();
        for flexible in &self.flexible {
            if let Some(on) = &flexible.carrier {
                // A flexible body has inertia about every axis.
                let mass = flexible.mesh.total_mass();
                composite[on.body] += Inertia::new(mass, &Vec3::zeros(), &(Mat3::identity() * mass));
            }
        }
        let mut constrained = self.constrained_bodies();
        let exempt = self.exempt_joints();
        for &i in order.iter().rev() {
            let plan = &self.planned[i];
            let joint = &self.mechanism.joints[plan.joint];
            let child = joint.child;
            if !constrained[child]
                && !exempt[plan.joint]
                && !self.moves_inertia(plan.joint, &composite[child])
            {
                let what =
                    format!("lets body {} move without any inertia", self.mechanism.bodies[child].name);
                self.issues.at(plan.loc, plan.path.clone(), what).hint(
                    "give the body (or one that it carries) mass, or an inertia about the axis of this joint",
                );
            }
            if let Some(parent) = joint.parent {
                let X_PB = joint.X_PF.compose(&joint.X_BM.inverse());
                let outboard = composite[child].moved(&X_PB.R, &X_PB.p);
                composite[parent] += outboard;
                constrained[parent] |= constrained[child];
            }
        }
    }

    fn constrained_bodies(&self) -> Vec<bool> {
        let mut touched = vec![false; self.mechanism.bodies.len()];
        for constraint in &self.mechanism.constraints {
            let pair = match &constraint.kind {
                ConstraintKind::Coincident { a, b } | ConstraintKind::Distance { a, b, .. } => {
                    [a.body, b.body]
                }
                ConstraintKind::Parallel { a, b } | ConstraintKind::Perpendicular { a, b } => [a.0, b.0],
                _ => [None, None],
            };
            pair.into_iter().flatten().for_each(|body| touched[body] = true);
        }
        touched
    }

    /// Joints whose motion is prescribed or coupled, so that they need no inertia of their own.
    fn exempt_joints(&self) -> Vec<bool> {
        let mut exempt = vec![false; self.mechanism.joints.len()];
        for constraint in &self.mechanism.constraints {
            match &constraint.kind {
                ConstraintKind::Prescribed { axis, .. } => exempt[axis.joint] = true,
                ConstraintKind::Gear { driven, driver, .. } => {
                    exempt[driven.joint] = true;
                    exempt[driver.joint] = true;
                }
                _ => {}
            }
        }
        for drive in self.mechanism.drives.iter().filter(|d| matches!(d.kind, DriveKind::Lock)) {
            exempt[drive.axis.joint] = true;
        }
        exempt
    }

    /// Whether a joint's own mass matrix, with everything outboard rigid, is positive definite.
    fn moves_inertia(&self, joint: usize, outboard: &Inertia) -> bool {
        let joint = &self.mechanism.joints[joint];
        let X_MB = joint.X_BM.inverse();
        let at_joint = outboard.moved(&X_MB.R, &X_MB.p);
        let turn = |axis: &Vec3| (axis.dot(&(at_joint.I * axis)), at_joint.I.trace().abs());
        let good = |(own, all): (f64, f64)| own > NO_INERTIA * all && own > 0.0;
        let has_mass = at_joint.m > 0.0;
        match &joint.kind {
            JointKind::Fixed => true,
            JointKind::Prismatic { .. } => has_mass,
            JointKind::Revolute { axis } => good(turn(axis)),
            JointKind::Cylindrical { axis } => has_mass && good(turn(axis)),
            JointKind::Universal { axis_1, axis_2 } => good(turn(axis_1)) && good(turn(axis_2)),
            JointKind::Spherical => smallest_ratio(&at_joint.I) > NO_INERTIA,
            // Planar and free bodies rotate about their own centre of mass, so that they need inertia there.
            JointKind::Planar { normal } => has_mass && good(central_turn(&at_joint, normal)),
            JointKind::Free => has_mass && smallest_ratio(&central(&at_joint)) > NO_INERTIA,
        }
    }
}

/// Inertia about the centre of mass, from the inertia about the joint.
fn central(body: &Inertia) -> Mat3 {
    let c = body.h / body.m;
    let C = cross_matrix(&c);
    body.I + C * C * body.m
}

fn central_turn(body: &Inertia, axis: &Vec3) -> (f64, f64) {
    let I = central(body);
    (axis.dot(&(I * axis)), I.trace().abs())
}

/// Smallest over largest eigenvalue of a symmetric matrix; 0 if all vanish.
fn smallest_ratio(I: &Mat3) -> f64 {
    let e = I.symmetric_eigenvalues();
    let large = e.amax();
    if large > 0.0 { e.min() / large } else { 0.0 }
}
