//! Adds kits of `touchdown_machines` to the world under construction.

use super::Builder;
use super::parts::Placed;
use super::tree::Frames;
use touchdown_machines::{Kit, Place};
use touchdown_multibody::description::BodyRef;

impl Builder<'_> {
    /// Adds a kit, mounted on a body or the world; all its parts have one location in the file.
    pub fn add_kit(&mut self, scope: usize, kit: Kit, base: BodyRef, at: &impl Placed) {
        let kit = kit.behind(self.mechanism.bodies.len(), self.mechanism.joints.len(), base);
        for body in kit.bodies {
            self.add_body(scope, body);
        }
        for kit_joint in kit.joints {
            let frames = match kit_joint.place {
                Place::At(place) => Frames::At(place),
                Place::InParent(place) => Frames::InParent(place),
            };
            self.add_joint(scope, kit_joint.joint, frames, at);
        }
        self.mechanism.constraints.extend(kit.constraints);
        self.mechanism.elements.extend(kit.elements);
        self.soil_bodies.extend(kit.soil_bodies);
        self.feet.extend(kit.feet);
        self.visuals.extend(kit.visuals);
        for point in kit.points {
            self.add_point(point);
        }
    }

    /// Adds the kit of a test stand, whose names are reserved.
    pub fn add_stand(&mut self, kit: Kit, at: &impl Placed) {
        let mut names = kit.bodies.iter().map(|body| &body.name);
        if let Some(name) =
            names.find(|name| self.bodies.contains_key(*name) || self.joints.contains_key(*name))
        {
            self.issues.at(at.loc(), at.path(), format!("has a part called {name}, as the scenario has"));
            return;
        }
        for body in &kit.bodies {
            self.remember("body", &body.name, at);
            self.remember("joint", &body.name, at);
        }
        for constraint in &kit.constraints {
            self.remember("constraint", &constraint.name, at);
        }
        for element in &kit.elements {
            self.remember("load", &element.name, at);
        }
        for foot in &kit.feet {
            self.remember("foot", &foot.name, at);
        }
        self.add_kit(0, kit, None, at);
    }
}
