//! Chains: one table that stands for many equal rods, hinged one to the next.

use super::Builder;
use super::tree::Frames;
use super::visual::onto;
use crate::table::ChainKeys;
use touchdown_geometry::Shape;
use touchdown_math::{Mat3, Pose};
use touchdown_multibody::description::{
    Attachment, Body, BodyRef, ElementKind, ForceElement, Joint, JointAxis, JointKind,
};
use touchdown_sim::description::{Point, Visual};

/// Bodies of a scenario at most: two of the longest chains. A few lines could ask for any number.
const MOST_BODIES: u64 = 200_000;

impl Builder<'_> {
    /// Bodies `NAME/1` …, joints of the same names, and the point `NAME/tip`.
    pub fn collect_chains(&mut self) {
        for s in 0..self.scopes.len() {
            let (parts, prefix) = (self.scopes[s].parts, self.scopes[s].prefix.clone());
            for named in parts.chain {
                let name = format!("{prefix}{}", named.name);
                self.remember("chain", &name, named);
                let Some(keys) = &named.keys else { continue };
                self.check_chain(keys);
                if let Some(parent) = self.body(s, &keys.parent) {
                    self.expand_chain(s, &name, keys, parent);
                }
            }
        }
    }

    fn check_chain(&mut self, chain: &ChainKeys) {
        // A hinge along the rods turns a slender rod about itself, where it has no inertia.
        if chain.along.cross(&chain.hinge).norm() < 1e-6 {
            let (loc, path) = (chain.here.loc_of(ChainKeys::hinge), chain.here.path_of(ChainKeys::hinge));
            self.issues.at(loc, path, "must not lie along the rods");
        }
    }

    fn expand_chain(&mut self, scope: usize, name: &str, chain: &ChainKeys, parent: BodyRef) {
        let here = &chain.here;
        let rod = chain.along * chain.length;
        let across = Mat3::identity() - chain.along * chain.along.transpose();
        let inertia = across * (chain.mass * chain.length * chain.length / 12.0);
        let kind = JointKind::Revolute { axis: chain.hinge };
        // A machine and a chain of one name could both have a body NAME/1.
        if self.bodies.contains_key(&format!("{name}/1"))
            || self.point_names.contains_key(&format!("{name}/tip"))
        {
            self.issues
                .at(here.loc, &here.path, "has the name of a machine whose bodies are called like its links")
                .hint("give the chain another name");
            return;
        }
        if self.mechanism.bodies.len() as u64 + chain.links > MOST_BODIES {
            self.issues
                .at(
                    here.loc_of(ChainKeys::links),
                    here.path_of(ChainKeys::links),
                    "makes too many bodies in all",
                )
                .found(self.mechanism.bodies.len() as u64 + chain.links)
                .allowed(format!("at most {MOST_BODIES}"));
            return;
        }
        let mut parent = parent;
        for i in 1..=chain.links {
            let link = format!("{name}/{i}");
            let body = Body { name: link.clone(), mass: chain.mass, com: rod * 0.5, inertia };
            let child = self.add_body(scope, body);
            let frames = if i == 1 { Frames::At(chain.at) } else { Frames::InParent(rod) };
            let joint = self.add_joint(scope, Joint::new(&link, kind, parent, child, rod), frames, here);
            if chain.damping > 0.0 {
                let axis = JointAxis { joint, axis: 0 };
                let kind =
                    ElementKind::JointSpring { axis, stiffness: 0.0, damping: chain.damping, rest: 0.0 };
                self.mechanism.elements.push(ForceElement { name: format!("{link}/spring"), kind });
            }
            self.visuals.push(link_visual(&link, child, chain));
            parent = Some(child);
        }
        self.add_point(Point { name: format!("{name}/tip"), at: Attachment::point(parent, rod) });
    }
}

/// A rod a twentieth as thick as it is long.
fn link_visual(name: &str, body: usize, chain: &ChainKeys) -> Visual {
    let X_BG = Pose { R: onto(&chain.along), p: chain.along * (0.5 * chain.length) };
    let shape = Shape::Cylinder { radius: chain.length / 40.0, length: chain.length };
    Visual { name: name.into(), body: Some(body), X_BG, shape, colour: [0.35, 0.5, 0.75, 1.0] }
}
