//! The machine for its controller: positions and speeds of joints, feet and mass. Sensors are perfect:
//! estimates are read from the state.

use crate::description::{LegController, WorldDescription};
use crate::engine::system::System;
use touchdown_math::{Mat3, Pose, Vec3};
use touchdown_multibody::description::JointKind;
use touchdown_multibody::rigid::kinematics;

/// A body with its mass.
#[derive(Clone, Debug)]
struct Part {
    body: usize,
    mass: f64,
    com: Vec3,
    inertia: Mat3,
}

/// A joint of a leg.
#[derive(Clone, Debug)]
pub(super) struct Hinge {
    child: usize,
    X_BM: Pose,
    axis: Vec3,
    slides: bool,
    /// Bodies that it carries, by their place in the machine's parts.
    carries: Vec<usize>,
}

/// A leg.
#[derive(Clone, Debug)]
pub(super) struct Limb {
    pub hinges: Vec<Hinge>,
    body: usize,
    p_BF: Vec3,
    /// Height of the foot's frame above its sole, m.
    pub above: f64,
    /// Mass of the leg, kg.
    pub mass: f64,
}

/// The machine.
#[derive(Clone, Debug)]
pub(super) struct Robot {
    pub body: usize,
    pub limbs: Vec<Limb>,
    parts: Vec<Part>,
    pub mass: f64,
}

/// Its present mass distribution.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole {
    pub com: Vec3,
    /// About the centre of mass, world axes, kg m².
    pub inertia: Mat3,
}

/// A joint in the world: a point of its axis and the axis.
#[derive(Clone, Copy, Debug)]
struct Axis {
    p: Vec3,
    a: Vec3,
    slides: bool,
}

impl Axis {
    /// Torque or force in the joint that balances a force at a point.
    fn torque(&self, p: &Vec3, f: &Vec3) -> f64 {
        if self.slides { self.a.dot(f) } else { self.a.dot(&(p - self.p).cross(f)) }
    }
}

impl Robot {
    /// The machine of a description; the joints of its legs turn or slide.
    pub fn new(controller: &LegController, world: &WorldDescription) -> Option<Robot> {
        let mechanism = &world.mechanism;
        let joint_of = |body: usize| mechanism.joints.iter().find(|joint| joint.child == body);
        let hangs_on = |body: usize, on: usize| {
            let mut at = Some(body);
            while let Some(b) = at {
                if b == on {
                    return true;
                }
                at = joint_of(b).and_then(|joint| joint.parent);
            }
            false
        };
        // Bodies fixed to it move with it.
        let mut root = controller.body;
        while let Some(joint) = joint_of(root).filter(|joint| joint.kind == JointKind::Fixed) {
            root = joint.parent?;
        }
        let bodies: Vec<usize> = (0..mechanism.bodies.len()).filter(|b| hangs_on(*b, root)).collect();
        let part = |body: &usize| {
            let b = &mechanism.bodies[*body];
            Part { body: *body, mass: b.mass, com: b.com, inertia: b.inertia }
        };
        let parts: Vec<Part> = bodies.iter().map(part).collect();
        let mut limbs = Vec::with_capacity(controller.legs.len());
        for leg in &controller.legs {
            let mut hinges = Vec::with_capacity(leg.joints.len());
            for of in &leg.joints {
                let joint = mechanism.joints.get(of.joint)?;
                let (axis, slides) = match joint.kind {
                    JointKind::Revolute { axis } => (axis, false),
                    JointKind::Prismatic { axis } => (axis, true),
                    _ => return None,
                };
                let carries = (0..bodies.len()).filter(|k| hangs_on(bodies[*k], joint.child)).collect();
                hinges.push(Hinge { child: joint.child, X_BM: joint.X_BM, axis, slides, carries });
            }
            let foot = world.feet.get(leg.foot)?;
            let mass = hinges.first()?.carries.iter().map(|k: &usize| parts[*k].mass).sum();
            let above = foot.law.shape.round().unwrap_or(0.0);
            limbs.push(Limb { hinges, body: foot.body, p_BF: foot.X_BF.p, above, mass });
        }
        let mass = parts.iter().map(|part| part.mass).sum();
        Some(Robot { body: controller.body, limbs, parts, mass })
    }

    /// Centre of mass and inertia.
    pub fn whole(&self, system: &System) -> Whole {
        let mut com = Vec3::zeros();
        for part in &self.parts {
            com += self.centre(part, system) * (part.mass / self.mass);
        }
        let mut inertia = Mat3::zeros();
        for part in &self.parts {
            let X_WB = kinematics::body_pose(&system.model, &system.cache, part.body);
            let r = X_WB.point(&part.com) - com;
            inertia += X_WB.R * part.inertia * X_WB.R.transpose();
            inertia += (Mat3::identity() * r.norm_squared() - r * r.transpose()) * part.mass;
        }
        Whole { com, inertia }
    }

    fn centre(&self, part: &Part, system: &System) -> Vec3 {
        kinematics::body_pose(&system.model, &system.cache, part.body).point(&part.com)
    }

    /// Place and velocity of a foot's frame.
    pub fn foot(&self, limb: &Limb, system: &System) -> (Vec3, Vec3) {
        let p = kinematics::body_pose(&system.model, &system.cache, limb.body).point(&limb.p_BF);
        let V = kinematics::body_velocity(&system.model, &system.cache, Some(limb.body));
        (p, kinematics::point_velocity(&system.cache, &V, &p))
    }

    /// Torques of a leg's joints for a force of its foot at a point, including the leg's own weight.
    pub fn torques(
        &self,
        limb: &Limb,
        system: &System,
        (p, push): (&Vec3, &Vec3),
        gravity: &Vec3,
        out: &mut [f64],
    ) {
        for (hinge, torque) in limb.hinges.iter().zip(out) {
            let X_WB = kinematics::body_pose(&system.model, &system.cache, hinge.child);
            let axis = Axis {
                p: X_WB.point(&hinge.X_BM.p),
                a: X_WB.R * (hinge.X_BM.R * hinge.axis),
                slides: hinge.slides,
            };
            let weight = |k: &usize| {
                let part = &self.parts[*k];
                axis.torque(&self.centre(part, system), &(gravity * part.mass))
            };
            *torque = axis.torque(p, push) - hinge.carries.iter().map(weight).sum::<f64>();
        }
    }
}
