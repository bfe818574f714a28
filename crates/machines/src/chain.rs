//! Chains: many equal rods, each hinged to the one before.

use crate::kit::{Kit, KitJoint, Place};
use thiserror::Error;
use touchdown_geometry::Shape;
use touchdown_math::{Mat3, Pose, Vec3, rotation};
use touchdown_multibody::description::{
    Attachment, Body, ElementKind, ForceElement, Joint, JointAxis, JointKind,
};
use touchdown_sim::description::{Point, Visual};

/// Least sine of the angle between hinge and rods: below it a slender rod turns about itself, without inertia.
const ALONG: f64 = 1e-6;
/// Length of a rod over its radius, for drawing.
const SLENDERNESS: f64 = 40.0;
const COLOUR: [f32; 4] = [0.35, 0.5, 0.75, 1.0];

/// Equal slender rods, hinged one to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// Number of rods.
    pub links: u64,
    /// Length of a rod, m.
    pub length: f64,
    /// Mass of a rod, kg.
    pub mass: f64,
    /// First hinge, in the machine's frame, m.
    pub at: Vec3,
    /// Direction of the rods at zero angles, a unit vector.
    pub along: Vec3,
    /// Axis of every hinge, a unit vector.
    pub hinge: Vec3,
    /// Damping of every hinge, N m s/rad.
    pub damping: f64,
}

/// Errors of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ChainError {
    /// The hinges lie along the rods.
    #[error("the hinge must not lie along the rods")]
    HingeAlongRods,
}

impl Chain {
    /// Whether the hinges let the rods swing.
    pub fn check(&self) -> Result<(), ChainError> {
        if self.along.cross(&self.hinge).norm() < ALONG { Err(ChainError::HingeAlongRods) } else { Ok(()) }
    }

    /// Bodies and joints `NAME/1` …, a damper in each joint, and the point `NAME/tip`.
    pub fn kit(&self, name: &str) -> Kit {
        let rod = self.along * self.length;
        let across = Mat3::identity() - self.along * self.along.transpose();
        let inertia = across * (self.mass * self.length * self.length / 12.0);
        let kind = JointKind::Revolute { axis: self.hinge };
        let mut kit = Kit::default();
        for i in 1..=self.links {
            let link = format!("{name}/{i}");
            let (parent, child) = (kit.bodies.len().checked_sub(1), kit.bodies.len());
            kit.bodies.push(Body { name: link.clone(), mass: self.mass, com: rod * 0.5, inertia });
            let place = if i == 1 { Place::At(self.at) } else { Place::InParent(rod) };
            let joint = kit.joints.len();
            kit.joints.push(KitJoint { joint: Joint::new(&link, kind, parent, child, rod), place });
            if self.damping > 0.0 {
                let axis = JointAxis { joint, axis: 0 };
                let kind =
                    ElementKind::JointSpring { axis, stiffness: 0.0, damping: self.damping, rest: 0.0 };
                kit.elements.push(ForceElement { name: format!("{link}/spring"), kind });
            }
            kit.visuals.push(self.drawn(link, child));
        }
        let tip = kit.bodies.len().checked_sub(1);
        kit.points.push(Point { name: format!("{name}/tip"), at: Attachment::point(tip, rod) });
        kit
    }

    /// A rod a twentieth as thick as it is long.
    fn drawn(&self, name: String, body: usize) -> Visual {
        let X_BG = Pose { R: rotation::onto(&Vec3::z(), &self.along), p: self.along * (0.5 * self.length) };
        let shape = Shape::Cylinder { radius: self.length / SLENDERNESS, length: self.length };
        Visual { name, body: Some(body), X_BG, shape, colour: COLOUR }
    }
}
