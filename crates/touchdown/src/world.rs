//! A world put together in a program: bodies, joints, ground, contacts, drives.

use crate::{Error, ScenarioBuilder, Solid, scenario_text};
use touchdown_contact::soil::{SoilOptions, SoilShape, SoilSurface};
use touchdown_geometry::Relief;
use touchdown_machines::Kit;
use touchdown_math::{Pose, Signal, Vec3};
use touchdown_multibody::description::{
    Body, Command, Constraint, Drive, DriveKind, ForceElement, Gravity, Joint, JointAxis, JointKind,
};
use touchdown_sim::Simulation;
use touchdown_sim::description::{
    Boom, Bumper, Flexible, FootContact, Ground, Input, InputTarget, Latch, MagnetPair, PolygonalContact,
    Quantity, Ratchet, SmoothContact, SoilBody, SoilGround, Tyre, Visual, WorldDescription,
};

/// A body of a [`World`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyId(pub usize);

/// A joint of a [`World`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointId(pub usize);

/// What a scenario file must hold to be one; soil needs something that touches it.
const PROBE: &str = "[body.probe]\nmass_kg = 1\ninertia_kg_m2 = [1, 1, 1]\n[joint.probe]\ntype = \"free\"\nchild = \"probe\"\n";
const PROBE_WHEEL: &str = "[wheel.probe]\nbody = \"probe\"\nradius_m = 0.1\nwidth_m = 0.1\n";

/// A world being put together. What it has no method for stands in [`World::description_mut`].
#[derive(Clone, Debug, Default)]
pub struct World {
    description: WorldDescription,
}

/// Something that a world can hold.
pub trait Part {
    /// Puts it in.
    fn add_to(self, description: &mut WorldDescription);
}

macro_rules! parts {
    ($($part:ty => $($field:ident).+;)*) => {
        $(impl Part for $part {
            fn add_to(self, description: &mut WorldDescription) {
                description.$($field).+.push(self);
            }
        })*
    };
}

parts! {
    Constraint => mechanism.constraints;
    ForceElement => mechanism.elements;
    Tyre => tyres;
    SmoothContact => contacts;
    PolygonalContact => polygonal;
    Flexible => flexible;
    Boom => booms;
    Bumper => bumpers;
    Latch => latches;
    MagnetPair => magnets;
    Ratchet => ratchets;
    FootContact => feet;
    Visual => visuals;
    Quantity => quantities;
}

impl World {
    /// An empty world without gravity, one second long.
    pub fn new() -> World {
        World::default()
    }

    /// A world with the bodies and joints of a URDF file, named `NAME/…`.
    pub fn from_urdf(name: &str, path: &str) -> Result<World, Error> {
        let text = format!("title = \"{name}\"\nduration_s = 1\n[machine.{name}]\nurdf = {path:?}\n");
        World::from_scenario(&scenario_text(&text))
    }

    /// A world that begins as a scenario: from a file, a name or a text. What TOML can say, a program can say, too, and go on from there.
    pub fn from_scenario(scenario: &ScenarioBuilder) -> Result<World, Error> {
        Ok(World { description: scenario.load()?.description })
    }

    /// Gravity along −z, m/s².
    pub fn gravity(&mut self, g: f64) -> &mut World {
        self.description.mechanism.gravity = Gravity::Uniform(Vec3::new(0.0, 0.0, -g));
        self
    }

    /// Simulated time, s.
    pub fn duration(&mut self, duration: f64) -> &mut World {
        self.description.duration = duration;
        self
    }

    /// Steps of a fixed length, s, linearly implicit: for soil and stiff contacts, and for control in the loop.
    pub fn realtime(&mut self, step: f64) -> &mut World {
        self.description.integrator = touchdown_sim::description::Integrator::Realtime { step };
        self
    }

    /// A body with its mass in kg.
    pub fn body(&mut self, name: &str, mass: f64, solid: Solid) -> BodyId {
        let bodies = &mut self.description.mechanism.bodies;
        bodies.push(Body { name: name.into(), mass, com: Vec3::zeros(), inertia: solid.inertia(mass) });
        BodyId(bodies.len() - 1)
    }

    /// A joint that carries `child`, at a place of its parent (`None`: the world), m; its frame is that of the child.
    pub fn joint(
        &mut self,
        name: &str,
        kind: JointKind,
        parent: Option<BodyId>,
        child: BodyId,
        at: Vec3,
    ) -> JointId {
        let joints = &mut self.description.mechanism.joints;
        joints.push(Joint::new(name, kind, parent.map(|body| body.0), child.0, at));
        JointId(joints.len() - 1)
    }

    /// A motor on the first axis of a joint; what it follows can be commanded under its name while the simulation runs.
    pub fn drive(&mut self, name: &str, joint: JointId, command: Command) -> &mut World {
        let mechanism = &mut self.description.mechanism;
        let target = InputTarget::Drive(mechanism.drives.len());
        let axis = JointAxis { joint: joint.0, axis: 0 };
        let kind = DriveKind::Follow(command);
        mechanism.drives.push(Drive { name: name.into(), axis, kind, active_from: 0.0 });
        self.input(name, target)
    }

    /// A motor that holds the rate of a joint, rad/s or m/s, by a gain, with a largest torque or force.
    pub fn speed_drive(
        &mut self,
        name: &str,
        joint: JointId,
        rate: f64,
        gain: f64,
        limit: f64,
    ) -> &mut World {
        self.drive(name, joint, Command::Speed { target: Signal::Constant(rate), gain, limit })
    }

    /// Declares an input, without limits.
    pub fn input(&mut self, name: &str, target: InputTarget) -> &mut World {
        let unit = target.unit(&self.description.mechanism);
        let (lower, upper) = (f64::MIN, f64::MAX);
        self.description.inputs.push(Input { name: name.into(), target, unit, lower, upper });
        self
    }

    /// Level soil of the library at z = 0, on a grid of this spacing, m.
    pub fn soil(&mut self, name: &str, spacing: f64) -> Result<&mut World, Error> {
        let soils = touchdown_scenario::soils();
        let soil = soils.iter().find(|soil| soil.name == name).ok_or_else(|| Error::Unknown {
            kind: "soil",
            name: name.into(),
            known: soils.iter().map(|soil| soil.name.clone()).collect(),
        })?;
        self.description.ground = Some(Ground::Soil(Box::new(SoilGround {
            relief: Relief::Plane { height: 0.0, gradient: [0.0; 2] },
            spacing,
            soils: vec![soil.parameters],
            regions: Vec::new(),
            heaps: Vec::new(),
            options: SoilOptions::default(),
        })));
        Ok(self)
    }

    /// Soil of the library on a map file (GeoTIFF, ASCII grid, points, PNG, NPY), on a grid of this spacing, m.
    pub fn soil_on_map(&mut self, name: &str, spacing: f64, file: &str) -> Result<&mut World, Error> {
        let keys =
            format!("[terrain]\nshape = \"map\"\nfile = {file:?}\nsoil = {name:?}\nspacing_m = {spacing:?}");
        self.ground_of(&keys)
    }

    /// Rigid smooth ground on a map file, under patches with continuous curvature.
    pub fn map(&mut self, file: &str) -> Result<&mut World, Error> {
        self.ground_of(&format!("[ground]\nshape = \"map\"\nfile = {file:?}"))
    }

    /// The ground that keys of a scenario file describe: `[ground]` or `[terrain]` with all that they can say.
    pub fn ground_of(&mut self, keys: &str) -> Result<&mut World, Error> {
        let wheel = if keys.contains("[terrain]") { PROBE_WHEEL } else { "" };
        let text = format!("title = \"ground\"\nduration_s = 1\n{keys}\n{PROBE}{wheel}");
        self.description.ground = scenario_text(&text).load()?.description.ground;
        Ok(self)
    }

    /// A rigid level plane at a height, m.
    pub fn plane(&mut self, height: f64) -> &mut World {
        let (point, normal) = (Vec3::z() * height, Vec3::z());
        self.description.ground = Some(Ground::Plane { point, normal });
        self
    }

    /// A smooth wheel in soil about the y axis of a body, m.
    pub fn wheel(&mut self, name: &str, body: BodyId, radius: f64, width: f64) -> &mut World {
        let shape = SoilShape::Wheel { radius, width, grousers: None };
        self.description.soil_bodies.push(SoilBody {
            name: name.into(),
            body: body.0,
            X_BS: Pose::identity(),
            surface: SoilSurface { shape, carried_layer: 0.0, bedded: false },
            skin: None,
        });
        self
    }

    /// Puts a part in: a tyre, a contact, a boom, a bumper, a spring, a foot, a quantity…
    pub fn add(&mut self, part: impl Part) -> &mut World {
        part.add_to(&mut self.description);
        self
    }

    /// Mounts a machine of [`machines`](crate::machines) on a body, or on the world.
    pub fn mount(&mut self, kit: Kit, base: Option<BodyId>) -> &mut World {
        kit.add_to(&mut self.description, base.map(|body| body.0));
        self
    }

    /// A body by its name.
    pub fn find_body(&self, name: &str) -> Result<BodyId, Error> {
        let names = self.description.mechanism.bodies.iter().map(|body| &body.name);
        found("body", name, names).map(BodyId)
    }

    /// A joint by its name.
    pub fn find_joint(&self, name: &str) -> Result<JointId, Error> {
        let names = self.description.mechanism.joints.iter().map(|joint| &joint.name);
        found("joint", name, names).map(JointId)
    }

    /// A joint, to set its start or frames.
    pub fn joint_mut(&mut self, joint: JointId) -> &mut Joint {
        &mut self.description.mechanism.joints[joint.0]
    }

    /// The description.
    pub fn description(&self) -> &WorldDescription {
        &self.description
    }

    /// The description, for all that has no method here.
    pub fn description_mut(&mut self) -> &mut WorldDescription {
        &mut self.description
    }

    /// Checks and builds it.
    pub fn simulate(&self) -> Result<Simulation, Error> {
        Ok(Simulation::build(&self.description)?)
    }
}

fn found<'a>(
    kind: &'static str,
    name: &str,
    names: impl Iterator<Item = &'a String> + Clone,
) -> Result<usize, Error> {
    names.clone().position(|known| known == name).ok_or_else(|| Error::Unknown {
        kind,
        name: name.into(),
        known: names.cloned().collect(),
    })
}
