//! A kit: the parts that a machine adds to a world, with indices that count from zero within it.

use touchdown_math::{Mat3, Pose, Signal, Vec3};
use touchdown_multibody::description::{
    Attachment, Body, BodyRef, Constraint, ConstraintKind, ElementKind, ForceElement, Joint, JointAxis,
    JointKind,
};
use touchdown_sim::description::{FootContact, Point, SoilBody, Visual, WorldDescription};

/// Position of the frame of a joint, with all joints at zero. Its axes are those of the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// In the machine's frame.
    At(Vec3),
    /// In the parent's frame.
    InParent(Vec3),
}

/// A joint of a kit; its frames follow from its place.
#[derive(Clone, Debug)]
pub struct KitJoint {
    /// The joint; `parent: None` is the mounting of the kit.
    pub joint: Joint,
    /// Where it is.
    pub place: Place,
}

/// Parts of a world. Bodies and joints are named by their index in this kit.
#[derive(Clone, Debug, Default)]
pub struct Kit {
    /// Rigid bodies.
    pub bodies: Vec<Body>,
    /// Their joints, parents before children.
    pub joints: Vec<KitJoint>,
    /// Prescribed motions.
    pub constraints: Vec<Constraint>,
    /// Loads, springs and stops.
    pub elements: Vec<ForceElement>,
    /// Bodies that touch soil.
    pub soil_bodies: Vec<SoilBody>,
    /// Feet.
    pub feet: Vec<FootContact>,
    /// Named points.
    pub points: Vec<Point>,
    /// Visual forms other than those of contacts.
    pub visuals: Vec<Visual>,
}

impl Kit {
    /// A body with the joint that carries it; both have the same name and index.
    pub(crate) fn add(
        &mut self,
        name: &str,
        (mass, inertia): (f64, Mat3),
        (parent, kind): (BodyRef, JointKind),
        at: &Vec3,
    ) -> usize {
        let body = self.bodies.len();
        self.bodies.push(Body { name: name.into(), mass, com: Vec3::zeros(), inertia });
        let joint = Joint::new(name, kind, parent, body, Vec3::zeros());
        self.joints.push(KitJoint { joint, place: Place::At(*at) });
        body
    }

    /// Prescribes the motion of a joint.
    pub(crate) fn prescribe(&mut self, name: &str, joint: usize, motion: Signal) {
        let kind = ConstraintKind::Prescribed { axis: JointAxis { joint, axis: 0 }, motion };
        self.constraints.push(Constraint { name: name.into(), kind });
    }

    /// A force along z on a body.
    pub(crate) fn load(&mut self, body: usize, force: Signal) {
        let rest = const { Signal::Constant(0.0) };
        let kind = ElementKind::Load {
            at: Attachment::point(Some(body), Vec3::zeros()),
            force: [rest.clone(), rest.clone(), force],
            torque: [rest.clone(), rest.clone(), rest],
            follows_body: false,
        };
        self.elements.push(ForceElement { name: "load".into(), kind });
    }

    /// The same kit with indices after the given numbers of bodies and joints, mounted on a body or the
    /// world.
    pub fn behind(mut self, bodies: usize, joints: usize, base: BodyRef) -> Kit {
        for KitJoint { joint, .. } in &mut self.joints {
            joint.parent = joint.parent.map_or(base, |parent| Some(parent + bodies));
            joint.child += bodies;
        }
        for constraint in &mut self.constraints {
            if let ConstraintKind::Prescribed { axis, .. } = &mut constraint.kind {
                axis.joint += joints;
            }
        }
        for element in &mut self.elements {
            match &mut element.kind {
                ElementKind::Load { at, .. } => at.body = at.body.map(|body| body + bodies),
                ElementKind::JointSpring { axis, .. } | ElementKind::JointLimit { axis, .. } => {
                    axis.joint += joints;
                }
                _ => {}
            }
        }
        self.soil_bodies.iter_mut().for_each(|soil| soil.body += bodies);
        self.feet.iter_mut().for_each(|foot| foot.body += bodies);
        for point in &mut self.points {
            point.at.body = point.at.body.map(|body| body + bodies);
        }
        for visual in &mut self.visuals {
            visual.body = visual.body.map(|body| body + bodies);
        }
        self
    }

    /// Adds the whole kit to a world, mounted on a body (`None`: the world) whose frame is the machine's.
    pub fn add_to(self, world: &mut WorldDescription, base: BodyRef) {
        let mechanism = &mut world.mechanism;
        let first = mechanism.bodies.len();
        let kit = self.behind(first, mechanism.joints.len(), base);
        // Places of the kit's bodies in the machine's frame, with all joints at zero.
        let mut origins = vec![Vec3::zeros(); kit.bodies.len()];
        for KitJoint { joint, place } in kit.joints {
            let parent = joint.parent.and_then(|parent| origins.get(parent.checked_sub(first)?)).copied();
            let parent = parent.unwrap_or_else(Vec3::zeros);
            let (at, in_parent) = match place {
                Place::At(at) => (at, at - parent),
                Place::InParent(p) => (parent + p, p),
            };
            origins[joint.child - first] = at;
            mechanism.joints.push(Joint { X_PF: Pose::translation(in_parent), ..joint });
        }
        mechanism.bodies.extend(kit.bodies);
        mechanism.constraints.extend(kit.constraints);
        mechanism.elements.extend(kit.elements);
        world.soil_bodies.extend(kit.soil_bodies);
        world.feet.extend(kit.feet);
        world.points.extend(kit.points);
        world.visuals.extend(kit.visuals);
    }
}
