//! The table, part two: machines — bodies, joints, chains.
//!
//! A key that ends in `at` is a position in the machine's frame with all joints at zero, as in drawings.

use super::typed::{
    axis, body_name, choice, count, flag, list, number, numbers, quantities, quantity, table, text, texts,
    vector,
};
use super::{
    ANY, ActuatorKeys, BushingKeys, CollisionKeys, ConstraintKeys, DriveKeys, FlexibleFormKeys, FlexibleKeys,
    LoadKeys, NOT_NEGATIVE, POSITIVE, PointKeys, ReactionWheelKeys, ReactionWheelLawKeys, SoilContactKeys,
    SpringKeys, ThrusterKeys, ThrusterLawKeys, TurnKeys, TyreKeys, TyreLawKeys, UniformKeys, VisualKeys,
    WheelKeys, WingKeys, section, words,
};
use crate::read::{BodyName, Quantity, Text};
use crate::unit::{
    ANGLE, DAMPING, FORCE, INERTIA, LENGTH, MASS, NUMBER, SPEED, SPIN, STIFFNESS, TORQUE, TORSION,
    TORSION_DAMPING,
};
use touchdown_math::Vec3;

/// Most links of a chain: longer chains would run for days, and a typing error must not fill the memory.
const MOST_LINKS: u64 = 100_000;

section! {
    /// A machine: inside `[machine.NAME]` or a file of its own.
    pub(crate) loose struct MachineKeys "machine":
        "a machine; its bodies, joints and drives are called NAME/... outside it";
    #[expect(dead_code)]
    optional title: Text = text(), "what it is";
    #[expect(dead_code)]
    optional source: Text = text(), "where its numbers come from";
    #[expect(dead_code)]
    optional uses as "use": Text = text(),
        "a machine file, or the name of a built-in machine; keys beside it replace those of the file";
    #[expect(dead_code)]
    optional urdf: Text = text(), "a URDF file; what it holds beside bodies, joints and forms is left out and reported in one list";
    #[expect(dead_code)]
    optional allow: Vec<Text> = texts(), "parts of the URDF that are left out without being reported, such as gazebo";
    part place: PlaceKeys, "its position in the world";
    optional locks: Vec<Text> = texts(),
        "joints held rigidly at their initial positions; * stands for any text";
    default("false") inputs: bool = flag(),
        "all its drives, actuators and prescribed motions can be commanded while the simulation runs";
    named body: BodyKeys, "a rigid body";
    named joint: JointKeys, "a joint that carries a body";
    named chain: ChainKeys, "equal rods, hinged one to the next";
    named constraint: ConstraintKeys, "a loop closure, coupling or prescribed motion";
    named spring: SpringKeys, "a spring and damper between two points";
    named bushing: BushingKeys, "a spring and damper in six directions";
    named actuator: ActuatorKeys, "a linear motor between two points";
    named load: LoadKeys, "a given force and torque";
    named drive: DriveKeys, "motors on joints";
    named tyre_law: TyreLawKeys, "the numbers of a kind of tyre";
    named tyre: TyreKeys, "a tyre on a wheel, for plane ground";
    named flexible_form: FlexibleFormKeys, "form and material of a kind of flexible body";
    named flexible: FlexibleKeys, "a flexible body: a plate, an airless wheel, a mesh";
    named wheel: WheelKeys, "a wheel that rolls in soil";
    named soil_contact: SoilContactKeys, "a body that touches soil";
    named wing: WingKeys, "a solar wing on a body";
    named reaction_wheel_law: ReactionWheelLawKeys, "a kind of reaction wheel";
    named reaction_wheel: ReactionWheelKeys, "a reaction or momentum wheel";
    named thruster_law: ThrusterLawKeys, "a kind of thruster";
    named thruster: ThrusterKeys, "a thruster";
    named point: PointKeys, "a named point whose motion is recorded";
    named collision: CollisionKeys, "a form with which a body touches the ground";
    named visual: VisualKeys, "something to draw";
}

section! {
    pub(crate) struct PlaceKeys "place":
        "position of a machine: its frame in the world (turned by roll, then pitch, then yaw)";
    default("\"0 m\"") x: f64 = number(&[&LENGTH], ANY), "along x";
    default("\"0 m\"") y: f64 = number(&[&LENGTH], ANY), "along y";
    derived("0 m, or by the clearance") z: f64 = number(&[&LENGTH], ANY), "along z";
    optional clearance: f64 = number(&[&LENGTH], ANY),
        "instead of z: gap between the ground and the lowest tyre or wheel";
    group turn: TurnKeys;
}

section! {
    pub(crate) struct BodyKeys "body":
        "a rigid body; its frame sits at its joint, parallel to the machine's frame when all joints are at zero";
    lenient mass: f64 = number(&[&MASS], NOT_NEGATIVE), "mass";
    default("false") mass_includes_outboard: bool = flag(),
        "whether mass is that of the body with all bodies that hang outboard of it";
    derived("the body's origin") centre_of_mass: Vec3 = vector(&[&LENGTH]), "in the body's frame";
    optional centre_of_mass_at: Vec3 = vector(&[&LENGTH]), "in the machine's frame, all joints at zero";
    optional inertia: Vec<f64> = list(&[&INERTIA], ANY, &[3, 6]),
        "about the centre of mass, body axes: Ixx, Iyy, Izz and, if not zero, Ixy, Ixz, Iyz";
    optional uniform: UniformKeys = table(), "instead of inertia: a solid of even density";
    default("false") point_mass: bool = flag(), "instead of inertia: all mass in one point";
}

section! {
    pub(crate) struct FrameKeys "frame": "a frame in a body (turned by roll, then pitch, then yaw)";
    default("[\"0 m\", \"0 m\", \"0 m\"]") position: Vec3 = vector(&[&LENGTH]), "its origin";
    group turn: TurnKeys;
    optional quaternion: [f64; 4] = numbers(&[&NUMBER], ANY), "instead of the angles: w, x, y, z";
}

words! {
    pub(crate) enum JointWord {
        Fixed = "fixed",
        Revolute = "revolute",
        Prismatic = "prismatic",
        Cylindrical = "cylindrical",
        Universal = "universal",
        Spherical = "spherical",
        Planar = "planar",
        Free = "free",
    }
}

section! {
    pub(crate) struct JointKeys "joint":
        "the joint that carries a body: every body has exactly one, and the joints form a tree that starts at the world";
    required kind as "type": JointWord = choice(), "what it lets move";
    default("\"world\"") parent: BodyName = body_name(), "the parent body";
    required child: BodyName = body_name(), "the body it carries";
    optional axis: Vec3 = axis(), "direction of rotation or travel; normal of a planar joint";
    optional second_axis: Vec3 = axis(), "universal: the axis fixed to the child";
    derived("the parent's origin") at: Vec3 = vector(&[&LENGTH]),
        "in the machine's frame, all joints at zero";
    optional parent_frame: FrameKeys = table(), "instead of at: the joint's frame in the parent";
    optional child_frame: FrameKeys = table(), "the joint's frame in the child";
    derived("zero") position: Vec<Quantity> = quantities(&[&LENGTH, &ANGLE], ANY, &[1, 2, 3]),
        "initial angle or travel (several for joints with several)";
    derived("zero") rate: Vec<Quantity> = quantities(&[&SPEED, &SPIN], ANY, &[1, 2, 3]),
        "initial speed (several for joints with several)";
    optional placed: FrameKeys = table(), "free and spherical: the initial place of the child";
    optional velocity: Vec3 = vector(&[&SPEED]), "free: initial velocity, in the parent's axes";
    optional angular_velocity: Vec3 = vector(&[&SPIN]),
        "free and spherical: initial angular velocity, in the child's axes";
    default("false") held: bool = flag(), "keeps its initial position while loops are being closed";
    optional spring: JointSpringKeys = table(), "a spring and damper in the joint";
    optional limits: JointLimitsKeys = table(), "stops";
    optional friction: JointFrictionKeys = table(), "dry and viscous friction";
    optional motor: JointMotorKeys = table(), "what its motor can do: limits of the drives of this joint";
}

section! {
    pub(crate) struct JointSpringKeys "joint spring": "a spring and damper in a joint";
    required stiffness: Quantity = quantity(&[&STIFFNESS, &TORSION], NOT_NEGATIVE), "stiffness";
    derived("zero") damping: Quantity = quantity(&[&DAMPING, &TORSION_DAMPING], NOT_NEGATIVE), "damping";
    derived("zero") rest: Quantity = quantity(&[&LENGTH, &ANGLE], ANY), "position without force";
    default("0") coordinate: u64 = count(0, 5), "which of several motions, from 0";
}

section! {
    pub(crate) struct JointLimitsKeys "joint limits": "stops at both ends of a joint's motion";
    required lower: Quantity = quantity(&[&LENGTH, &ANGLE], ANY), "lower end";
    required upper: Quantity = quantity(&[&LENGTH, &ANGLE], ANY), "upper end";
    required stiffness: Quantity = quantity(&[&STIFFNESS, &TORSION], POSITIVE), "stiffness of the stops";
    derived("zero") damping: Quantity = quantity(&[&DAMPING, &TORSION_DAMPING], NOT_NEGATIVE),
        "damping of the stops";
    default("0") coordinate: u64 = count(0, 5), "which of several motions, from 0";
}

section! {
    pub(crate) struct JointFrictionKeys "joint friction": "dry and viscous friction in a joint";
    derived("zero") coulomb: Quantity = quantity(&[&FORCE, &TORQUE], NOT_NEGATIVE), "dry friction";
    derived("zero") viscous: Quantity = quantity(&[&DAMPING, &TORSION_DAMPING], NOT_NEGATIVE),
        "viscous friction";
    derived("1 mm/s or 1 mrad/s") transition: Quantity = quantity(&[&SPEED, &SPIN], POSITIVE),
        "speed at which dry friction has reached 71 % of its value";
    default("0") coordinate: u64 = count(0, 5), "which of several motions, from 0";
    default("false") input: bool = flag(), "its dry friction can be commanded while the simulation runs";
}

section! {
    pub(crate) struct JointMotorKeys "joint motor":
        "what the motor in a joint can do; drives of the joint keep to it";
    optional limit: Quantity = quantity(&[&TORQUE, &FORCE], POSITIVE),
        "largest torque or force: the limit of drives that give none, and of commands";
    optional speed: Quantity = quantity(&[&SPIN, &SPEED], POSITIVE),
        "largest speed that may be commanded of drives that follow a speed";
}

section! {
    pub(crate) struct ChainKeys "chain":
        "equal slender rods, each hinged to the one before: bodies and joints NAME/1, NAME/2 ..., point NAME/tip";
    required links: u64 = count(1, MOST_LINKS), "number of rods";
    required length: f64 = number(&[&LENGTH], POSITIVE), "length of a rod";
    required mass: f64 = number(&[&MASS], POSITIVE), "mass of a rod";
    default("\"world\"") parent: BodyName = body_name(), "the parent body";
    default("[\"0 m\", \"0 m\", \"0 m\"]") at: Vec3 = vector(&[&LENGTH]),
        "first hinge, in the machine's frame";
    default("[1, 0, 0]") along: Vec3 = axis(), "direction of the rods at zero angles";
    default("[0, 0, 1]") hinge: Vec3 = axis(), "axis of every hinge";
    default("\"0 N m s/rad\"") damping: f64 = number(&[&TORSION_DAMPING], NOT_NEGATIVE), "of every hinge";
}
