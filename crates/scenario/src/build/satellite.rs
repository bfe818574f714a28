//! Parts of satellites: wings and rotors become bodies with joints; orbit and thrusters act on bodies.

use super::Builder;
use super::tree::Frames;
use crate::read::{NamedRecord, Record};
use touchdown_geometry::Shape;
use touchdown_math::{Mat3, Pose, Signal, Vec3};
use touchdown_multibody::description::{
    Body, Command, Drive, DriveKind, ElementKind, ForceElement, Joint, JointAxis, JointKind,
};
use touchdown_sim::description::{ReactionWheel, ThrusterBody, Visual, WingBody};
use touchdown_spacecraft::orbit::{EARTH_MU, Orbit, RelativeGravity, SolarPressure};
use touchdown_spacecraft::wheel::WheelLimits;
use touchdown_spacecraft::wing::{Wing, WingDescription, WingDrive};

/// Speed at which dry friction of a rotor has most of its value, rad/s: far below those at which it runs.
const ROTOR_TRANSITION: f64 = 0.1;
/// Thickness of a wing, for the eye, m.
const THICKNESS: f64 = 0.02;
const WING_COLOUR: [f32; 4] = [0.13, 0.2, 0.45, 1.0];

impl<'a> Builder<'a> {
    /// Wings of every scope: a body on a universal joint, a spring for bending, one for torsion that the drive turns.
    pub fn collect_wings(&mut self) {
        for s in 0..self.scopes.len() {
            for named in self.scopes[s].record.map("wing") {
                self.wing(s, named);
            }
        }
    }

    fn wing(&mut self, scope: usize, named: &'a NamedRecord) -> Option<()> {
        let r = &named.record;
        let name = self.free_name(scope, named)?;
        let body = self.carrier(scope, r)?;
        let (length, width) = (r.number("length")?, r.number("width")?);
        let drive = WingDrive { angle: r.number("drive_angle")?, rate: r.number("drive_rate")? };
        let wing = Wing::new(&WingDescription {
            mass: r.number("mass")?,
            length,
            width,
            side: if r.text("side")? == "-y" { -1.0 } else { 1.0 },
            bending_hz: r.number("bending")?,
            torsion_hz: r.number("torsion")?,
            damping_ratio: r.number("damping_ratio")?,
            drive,
        });
        let child = self.add_body(
            scope,
            Body { name: name.clone(), mass: wing.mass, com: wing.centre, inertia: wing.inertia },
        );
        let kind = JointKind::Universal { axis_1: Vec3::y(), axis_2: Vec3::x() };
        let mut joint = Joint::new(&name, kind, Some(body), child, Vec3::zeros());
        (joint.position, joint.rate) = (vec![drive.angle, 0.0], vec![drive.rate, 0.0]);
        let joint = self.add_joint(scope, joint, Frames::InParent(r.vec3("root")?), r);
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
            for named in self.scopes[s].record.map("reaction_wheel") {
                self.reaction_wheel(s, named);
            }
        }
    }

    fn reaction_wheel(&mut self, scope: usize, named: &'a NamedRecord) -> Option<()> {
        let r = &named.record;
        let law = self.law_of(scope, r, "reaction_wheel_law");
        let name = self.free_name(scope, named)?;
        let body = self.carrier(scope, r)?;
        let (law, axis) = (law?, r.vec3("axis")?);
        let inertia = law.number("inertia")?;
        let limits = WheelLimits { torque: law.number("torque_max")?, momentum: law.number("momentum_max")? };
        let momentum = r.number("momentum")?;
        if momentum.abs() > limits.momentum {
            self.issues
                .at(r.loc_of("momentum"), r.path_of("momentum"), "is more than the wheel holds")
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
        let joint = self.add_joint(scope, joint, Frames::InParent(Vec3::zeros()), r);
        let (coulomb, viscous) = (law.number("coulomb")?, law.number("viscous")?);
        if coulomb > 0.0 || viscous > 0.0 {
            let kind = ElementKind::JointFriction {
                axis: JointAxis { joint, axis: 0 },
                coulomb,
                viscous,
                transition: ROTOR_TRANSITION,
            };
            self.mechanism.elements.push(ForceElement { name: format!("{name}/friction"), kind });
        }
        self.satellites.wheels.push(ReactionWheel { name, joint, body, axis, inertia, limits });
        Some(())
    }

    /// Thrusters of every scope.
    pub fn collect_thrusters(&mut self) {
        for s in 0..self.scopes.len() {
            for named in self.scopes[s].record.map("thruster") {
                let name = format!("{}{}", self.scopes[s].prefix, named.name);
                self.remember("thruster", &name, &named.record);
                self.thruster(s, name, &named.record);
            }
        }
    }

    fn thruster(&mut self, scope: usize, name: String, r: &Record) -> Option<()> {
        let law = self.law_of(scope, r, "thruster_law");
        let body = self.carrier(scope, r)?;
        let law = law?;
        self.satellites.thrusters.push(ThrusterBody {
            name,
            body,
            p_BT: r.vec3("at")?,
            direction: r.vec3("direction")?,
            thrust: law.number("thrust")?,
            specific_impulse: law.number("specific_impulse")?,
            minimum_on_time: law.number("minimum_on_time")?,
            rise_time: law.number("rise_time")?,
            misalignment: law.number("misalignment")?,
        });
        Some(())
    }

    /// The orbit of the world.
    pub fn collect_orbit(&mut self) {
        let Some(r) = self.scopes[0].record.table("orbit") else { return };
        let model = match r.text("relative_motion") {
            Some("two-body") => RelativeGravity::TwoBody,
            Some("none") => RelativeGravity::Free,
            _ => RelativeGravity::ClohessyWiltshire,
        };
        let Some(rate) = r.number("rate") else { return };
        let mut orbit = Orbit::around(EARTH_MU, rate, model);
        orbit.gravity_gradient = r.flag("gravity_gradient");
        self.satellites.orbit = Some(orbit);
        let pressure = r.number("solar_pressure").unwrap_or(0.0);
        if let Some(sun) = r.vec3("sun").filter(|_| pressure > 0.0) {
            self.satellites.sun = Some(SolarPressure { pressure, sun_W: sun.into() });
        }
    }

    /// The body that a part sits on; the world carries none.
    pub(super) fn carrier(&mut self, scope: usize, r: &Record) -> Option<usize> {
        let body = self.body(scope, r.text("body")?, r.loc_of("body"), &r.path_of("body"))?;
        if body.is_none() {
            self.issues.at(r.loc_of("body"), r.path_of("body"), "must be a body, not the world");
        }
        body
    }

    /// The table of a kind that a part names: of its own machine, else of the scenario.
    fn law_of(&mut self, scope: usize, r: &Record, kinds: &'static str) -> Option<&'a Record> {
        let name = r.text("law")?;
        let own = self.scopes[scope].record.map(kinds).iter();
        let root = self.scopes[0].record.map(kinds).iter();
        let found = own.chain(root).find(|named| named.name == name).map(|named| &named.record);
        if found.is_none() {
            self.issues
                .at(r.loc_of("law"), r.path_of("law"), format!("names no [{kinds}.NAME]"))
                .found(format!("\"{name}\""));
        }
        found
    }

    /// The full name of a part that becomes body and joint, unless something else has it.
    fn free_name(&mut self, scope: usize, named: &NamedRecord) -> Option<String> {
        let name = format!("{}{}", self.scopes[scope].prefix, named.name);
        if self.bodies.contains_key(&name) || self.joints.contains_key(&name) {
            let what = format!("is called like the body or joint {name}");
            self.issues.at(named.record.loc, &named.record.path, what).hint("give it another name");
            return None;
        }
        self.remember("body", &name, &named.record);
        self.remember("joint", &name, &named.record);
        Some(name)
    }
}
