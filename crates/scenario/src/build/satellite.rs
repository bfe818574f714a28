//! Parts of satellites: wings and rotors become bodies with joints; orbit and thrusters act on bodies.

use super::Builder;
use super::parts::Parts;
use super::tree::Frames;
use crate::read::{Named, Text};
use crate::table::{ReactionWheelKeys, RelativeMotionWord, SideWord, ThrusterKeys, WingKeys};
use touchdown_geometry::Shape;
use touchdown_math::{Mat3, Pose, Signal, Vec3};
use touchdown_multibody::description::{
    Body, Command, Drive, DriveKind, ElementKind, ForceElement, Joint, JointAxis, JointKind,
};
use touchdown_sim::description::{ReactionWheel, ThrusterBody, Visual, WingBody};
use touchdown_spacecraft::orbit::{EARTH_MU, Orbit, RelativeGravity, SolarPressure};
use touchdown_spacecraft::wheel::WheelLimits;
use touchdown_spacecraft::wing::{Wing, WingDescription, WingDrive};

/// Speed at which dry friction of a rotor has most of its value, rad/s: far below the operating speed.
const ROTOR_TRANSITION: f64 = 0.1;
/// Thickness of a wing for drawing, m.
const THICKNESS: f64 = 0.02;
const WING_COLOUR: [f32; 4] = [0.13, 0.2, 0.45, 1.0];

impl<'a> Builder<'a> {
    /// Wings of every scope: a body on a universal joint, a spring for bending, one for torsion that the
    /// drive turns.
    pub fn collect_wings(&mut self) {
        for s in 0..self.scopes.len() {
            for named in self.scopes[s].parts.wing {
                let name = self.free_name(s, named);
                if let (Some(name), Some(keys)) = (name, &named.keys) {
                    self.wing(s, name, keys);
                }
            }
        }
    }

    fn wing(&mut self, scope: usize, name: String, keys: &WingKeys) -> Option<()> {
        let body = self.carrier(scope, &keys.body)?;
        let (length, width) = (keys.length, keys.width);
        let drive = WingDrive { angle: keys.drive_angle, rate: keys.drive_rate };
        let wing = Wing::new(&WingDescription {
            mass: keys.mass,
            length,
            width,
            side: match keys.side {
                SideWord::PlusY => 1.0,
                SideWord::MinusY => -1.0,
            },
            bending_hz: keys.bending,
            torsion_hz: keys.torsion,
            damping_ratio: keys.damping_ratio,
            drive,
        });
        let child = self.add_body(
            scope,
            Body { name: name.clone(), mass: wing.mass, com: wing.centre, inertia: wing.inertia },
        );
        let kind = JointKind::Universal { axis_1: Vec3::y(), axis_2: Vec3::x() };
        let mut joint = Joint::new(&name, kind, Some(body), child, Vec3::zeros());
        (joint.position, joint.rate) = (vec![drive.angle, 0.0], vec![drive.rate, 0.0]);
        let joint = self.add_joint(scope, joint, Frames::InParent(keys.root), &keys.here);
        let (torsion, bending) = (JointAxis { joint, axis: 0 }, JointAxis { joint, axis: 1 });
        let mut spring = |name: String, axis, hinge: touchdown_spacecraft::wing::Hinge, rest| {
            let (stiffness, damping) = (hinge.stiffness, hinge.damping);
            let kind = ElementKind::JointSpring { axis, stiffness, damping, rest };
            self.mechanism.elements.push(ForceElement { name, kind });
        };
        spring(format!("{name}/bending"), bending, wing.bending, 0.0);
        if drive.rate == 0.0 {
            spring(format!("{name}/torsion"), torsion, wing.torsion, drive.angle);
        } else {
            let command = Command::Position {
                target: Signal::Line { start: drive.angle, rate: drive.rate },
                stiffness: wing.torsion.stiffness,
                damping: wing.torsion.damping,
                limit: f64::INFINITY,
            };
            let kind = DriveKind::Follow(command);
            self.mechanism.drives.push(Drive { name: name.clone(), axis: torsion, kind, active_from: 0.0 });
        }
        self.satellites.wings.push(WingBody { body: child, area: wing.area, centre: wing.centre });
        let shape = Shape::Box { size: Vec3::new(width, length, THICKNESS) };
        let X_BG = Pose::translation(wing.centre);
        self.visuals.push(Visual { name, body: Some(child), X_BG, shape, colour: WING_COLOUR });
        Some(())
    }

    /// Rotors of every scope.
    pub fn collect_reaction_wheels(&mut self) {
        for s in 0..self.scopes.len() {
            for named in self.scopes[s].parts.reaction_wheel {
                let name = self.free_name(s, named);
                if let (Some(name), Some(keys)) = (name, &named.keys) {
                    self.reaction_wheel(s, name, keys);
                }
            }
        }
    }

    fn reaction_wheel(&mut self, scope: usize, name: String, keys: &ReactionWheelKeys) -> Option<()> {
        let law = self.law_of(scope, &keys.law, "reaction_wheel_law", |parts| parts.reaction_wheel_law);
        let body = self.carrier(scope, &keys.body)?;
        let (law, axis) = (law?, keys.axis);
        let inertia = law.inertia;
        let limits = WheelLimits { torque: law.torque_max, momentum: law.momentum_max };
        let momentum = keys.momentum;
        if momentum.abs() > limits.momentum {
            let key = ReactionWheelKeys::momentum;
            self.issues
                .at(keys.here.loc_of(key), keys.here.path_of(key), "is more than the wheel holds")
                .found(format!("{momentum} N m s"))
                .allowed(format!("up to {} N m s", limits.momentum));
        }
        let rotor = Body {
            name: name.clone(),
            mass: 0.0,
            com: Vec3::zeros(),
            inertia: Mat3::from(axis * axis.transpose()) * inertia,
        };
        let child = self.add_body(scope, rotor);
        let mut joint = Joint::new(&name, JointKind::Revolute { axis }, Some(body), child, Vec3::zeros());
        joint.rate = vec![momentum / inertia];
        let joint = self.add_joint(scope, joint, Frames::InParent(Vec3::zeros()), &keys.here);
        let (coulomb, viscous) = (law.coulomb, law.viscous);
        if coulomb > 0.0 || viscous > 0.0 {
            let kind = ElementKind::JointFriction {
                axis: JointAxis { joint, axis: 0 },
                coulomb,
                viscous,
                transition: ROTOR_TRANSITION,
            };
            self.mechanism.elements.push(ForceElement { name: format!("{name}/friction"), kind });
        }
        if keys.input {
            self.add_motor(self.satellites.wheels.len(), &name, limits.torque);
        }
        self.satellites.wheels.push(ReactionWheel { name, joint, body, axis, inertia, limits });
        Some(())
    }

    /// Thrusters of every scope.
    pub fn collect_thrusters(&mut self) {
        for s in 0..self.scopes.len() {
            for named in self.scopes[s].parts.thruster {
                let name = format!("{}{}", self.scopes[s].prefix, named.name);
                self.remember("thruster", &name, named);
                if let Some(keys) = &named.keys {
                    self.thruster(s, name, keys);
                }
            }
        }
    }

    fn thruster(&mut self, scope: usize, name: String, keys: &ThrusterKeys) -> Option<()> {
        let law = self.law_of(scope, &keys.law, "thruster_law", |parts| parts.thruster_law);
        let body = self.carrier(scope, &keys.body)?;
        let law = law?;
        if keys.input {
            self.add_jet(self.satellites.thrusters.len(), &name, law.thrust);
        }
        self.satellites.thrusters.push(ThrusterBody {
            name,
            body,
            p_BT: keys.at,
            direction: keys.direction,
            thrust: law.thrust,
            specific_impulse: law.specific_impulse,
            minimum_on_time: law.minimum_on_time,
            rise_time: law.rise_time,
            misalignment: law.misalignment,
        });
        Some(())
    }

    /// The orbit of the world.
    pub fn collect_orbit(&mut self) {
        let Some(keys) = self.root.orbit.as_ref().and_then(|orbit| orbit.keys.as_ref()) else { return };
        let model = match keys.relative_motion {
            RelativeMotionWord::TwoBody => RelativeGravity::TwoBody,
            RelativeMotionWord::None => RelativeGravity::Free,
            RelativeMotionWord::ClohessyWiltshire => RelativeGravity::ClohessyWiltshire,
        };
        let mut orbit = Orbit::around(EARTH_MU, keys.rate, model);
        orbit.gravity_gradient = keys.gravity_gradient;
        self.satellites.orbit = Some(orbit);
        if keys.solar_pressure > 0.0 {
            self.satellites.sun =
                Some(SolarPressure { pressure: keys.solar_pressure, sun_W: keys.sun.into() });
        }
    }

    /// The body that a part is mounted on; the world cannot carry parts.
    pub(super) fn carrier(&mut self, scope: usize, name: &Text) -> Option<usize> {
        let body = self.body(scope, name)?;
        if body.is_none() {
            self.issues.at(name.loc, &name.path, "must be a body, not the world");
        }
        body
    }

    /// The kind that a part names: from its own machine, else from the scenario.
    fn law_of<T>(
        &mut self,
        scope: usize,
        name: &Text,
        kinds: &str,
        laws: fn(&Parts<'a>) -> &'a [Named<T>],
    ) -> Option<&'a T> {
        let (own, root) = (laws(&self.scopes[scope].parts), laws(&self.scopes[0].parts));
        let found = own.iter().chain(root).find(|named| named.name == **name);
        if found.is_none() {
            self.issues
                .at(name.loc, &name.path, format!("names no [{kinds}.NAME]"))
                .found(format!("\"{name}\""));
        }
        found?.keys.as_ref()
    }

    /// The full name of a part that becomes a body and a joint, unless it is taken.
    fn free_name<T>(&mut self, scope: usize, named: &Named<T>) -> Option<String> {
        let name = format!("{}{}", self.scopes[scope].prefix, named.name);
        if self.bodies.contains_key(&name) || self.joints.contains_key(&name) {
            let what = format!("is called like the body or joint {name}");
            self.issues.at(named.loc, &named.path, what).hint("give it another name");
            return None;
        }
        self.remember("body", &name, named);
        self.remember("joint", &name, named);
        Some(name)
    }
}
