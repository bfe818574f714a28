//! The table, part two: machines — bodies, joints, chains.
//!
//! A key that ends in `at` is a place in the machine's frame with all joints at zero, which is how drawings give it.

use super::element::{ACTUATOR, BUSHING, CONSTRAINT, DRIVE, LOAD, SPRING, UNIFORM};
use super::equipment::{POINT, TYRE, TYRE_LAW, VISUAL};
use super::flexible;
use super::soil::{SOIL_CONTACT, WHEEL};
use super::spacecraft::{REACTION_WHEEL, REACTION_WHEEL_LAW, THRUSTER, THRUSTER_LAW, WING};
use super::{ANY, Field, Kind, NOT_NEGATIVE, Need, POSITIVE, Section, field, number, vector};
use crate::unit::{
    ANGLE, DAMPING, FORCE, INERTIA, LENGTH, MASS, NUMBER, SPEED, SPIN, STIFFNESS, TORQUE, TORSION,
    TORSION_DAMPING,
};

/// Most links of a chain: a run with more would take days, and a slip of the finger must not fill the memory.
const MOST_LINKS: u64 = 100_000;

/// A machine: inside `[machine.NAME]` or a file of its own.
pub static MACHINE: Section = Section {
    name: "machine",
    about: "a machine; its bodies, joints and drives are called NAME/... outside it",
    fields: &[
        field("title", Kind::Text, Need::Optional, "what it is"),
        field("source", Kind::Text, Need::Optional, "where its numbers come from"),
        field(
            "use",
            Kind::Text,
            Need::Optional,
            "a machine file, or the name of a built-in machine; keys beside it replace those of the file",
        ),
        field("urdf", Kind::Text, Need::Optional, "a URDF file"),
        field(
            "allow",
            Kind::Texts,
            Need::Optional,
            "parts of the URDF that may be lost, such as gazebo or collision",
        ),
        field("place", Kind::Table(&PLACE), Need::Optional, "where it stands in the world"),
        field(
            "locks",
            Kind::Texts,
            Need::Optional,
            "joints held rigidly at their initial positions; * stands for anything",
        ),
        field(
            "inputs",
            Kind::Flag,
            Need::Default("false"),
            "all its drives, actuators and prescribed motions can be commanded while the simulation runs",
        ),
        field("body", Kind::Map(&BODY), Need::Optional, "a rigid body"),
        field("joint", Kind::Map(&JOINT), Need::Optional, "a joint that carries a body"),
        field("chain", Kind::Map(&CHAIN), Need::Optional, "equal rods, hinged one to the next"),
        field(
            "constraint",
            Kind::Map(&CONSTRAINT),
            Need::Optional,
            "a loop closure, coupling or prescribed motion",
        ),
        field("spring", Kind::Map(&SPRING), Need::Optional, "a spring and damper between two points"),
        field("bushing", Kind::Map(&BUSHING), Need::Optional, "a six-way spring and damper"),
        field("actuator", Kind::Map(&ACTUATOR), Need::Optional, "a linear motor between two points"),
        field("load", Kind::Map(&LOAD), Need::Optional, "a given force and torque"),
        field("drive", Kind::Map(&DRIVE), Need::Optional, "motors on joints"),
        field("tyre_law", Kind::Map(&TYRE_LAW), Need::Optional, "the numbers of a kind of tyre"),
        field("tyre", Kind::Map(&TYRE), Need::Optional, "a tyre on a wheel, for plane ground"),
        flexible::FORMS,
        flexible::BODIES,
        field("wheel", Kind::Map(&WHEEL), Need::Optional, "a wheel that rolls in soil"),
        field("soil_contact", Kind::Map(&SOIL_CONTACT), Need::Optional, "a body that touches soil"),
        field("wing", Kind::Map(&WING), Need::Optional, "a solar wing on a body"),
        field(
            "reaction_wheel_law",
            Kind::Map(&REACTION_WHEEL_LAW),
            Need::Optional,
            "a kind of reaction wheel",
        ),
        field("reaction_wheel", Kind::Map(&REACTION_WHEEL), Need::Optional, "a reaction or momentum wheel"),
        field("thruster_law", Kind::Map(&THRUSTER_LAW), Need::Optional, "a kind of thruster"),
        field("thruster", Kind::Map(&THRUSTER), Need::Optional, "a thruster"),
        field("point", Kind::Map(&POINT), Need::Optional, "a named point whose motion is recorded"),
        field("visual", Kind::Map(&VISUAL), Need::Optional, "something to draw"),
    ],
};

static PLACE: Section = Section {
    name: "place",
    about: "where a machine stands: its frame in the world (turned by roll, then pitch, then yaw)",
    fields: &[
        field("x", number(&[&LENGTH], ANY), Need::Default("\"0 m\""), "along x"),
        field("y", number(&[&LENGTH], ANY), Need::Default("\"0 m\""), "along y"),
        field("z", number(&[&LENGTH], ANY), Need::Derived("0 m, or by the clearance"), "along z"),
        field(
            "clearance",
            number(&[&LENGTH], ANY),
            Need::Optional,
            "instead of z: gap between the ground and the lowest tyre or wheel",
        ),
        field("roll", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about x"),
        field("pitch", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about y"),
        field("yaw", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about z"),
    ],
};

pub(super) static BODY: Section = Section {
    name: "body",
    about: "a rigid body; its frame sits at its joint, parallel to the machine's frame when all joints are at zero",
    fields: &[
        field("mass", number(&[&MASS], NOT_NEGATIVE), Need::Required, "mass"),
        field(
            "mass_includes_outboard",
            Kind::Flag,
            Need::Default("false"),
            "whether mass is that of the body with all bodies that hang outboard of it",
        ),
        field(
            "centre_of_mass",
            vector(&[&LENGTH]),
            Need::Derived("the body's origin"),
            "in the body's frame",
        ),
        field(
            "centre_of_mass_at",
            vector(&[&LENGTH]),
            Need::Optional,
            "in the machine's frame, all joints at zero",
        ),
        field(
            "inertia",
            Kind::Numbers { dims: &[&INERTIA], range: ANY, lengths: &[3, 6] },
            Need::Optional,
            "about the centre of mass, body axes: Ixx, Iyy, Izz and, if not zero, Ixy, Ixz, Iyz",
        ),
        field(
            "uniform",
            Kind::Table(&UNIFORM),
            Need::Optional,
            "instead of inertia: a solid of even density",
        ),
        field("point_mass", Kind::Flag, Need::Default("false"), "instead of inertia: all mass in one point"),
    ],
};

static FRAME: Section = Section {
    name: "frame",
    about: "a frame in a body (turned by roll, then pitch, then yaw)",
    fields: FRAME_FIELDS,
};

static FRAME_FIELDS: &[Field] = &[
    field("position", vector(&[&LENGTH]), Need::Default("[\"0 m\", \"0 m\", \"0 m\"]"), "its origin"),
    field("roll", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about x"),
    field("pitch", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about y"),
    field("yaw", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about z"),
    field(
        "quaternion",
        Kind::Numbers { dims: &[&NUMBER], range: ANY, lengths: &[4] },
        Need::Optional,
        "instead of the angles: w, x, y, z",
    ),
];

pub(super) static JOINT: Section = Section {
    name: "joint",
    about: "the joint that carries a body: every body has exactly one, and the joints form a tree that starts at the world",
    fields: &[
        field(
            "type",
            Kind::Choice(&[
                "fixed",
                "revolute",
                "prismatic",
                "cylindrical",
                "universal",
                "spherical",
                "planar",
                "free",
            ]),
            Need::Required,
            "what it lets move",
        ),
        field("parent", Kind::Text, Need::Default("\"world\""), "the body it hangs on"),
        field("child", Kind::Text, Need::Required, "the body it carries"),
        field(
            "axis",
            Kind::Axis,
            Need::Optional,
            "direction of rotation or travel; normal of a planar joint",
        ),
        field("second_axis", Kind::Axis, Need::Optional, "universal: the axis fixed to the child"),
        field(
            "at",
            vector(&[&LENGTH]),
            Need::Derived("the parent's origin"),
            "in the machine's frame, all joints at zero",
        ),
        field(
            "parent_frame",
            Kind::Table(&FRAME),
            Need::Optional,
            "instead of at: the joint's frame in the parent",
        ),
        field("child_frame", Kind::Table(&FRAME), Need::Optional, "the joint's frame in the child"),
        field(
            "position",
            Kind::Numbers { dims: &[&LENGTH, &ANGLE], range: ANY, lengths: &[1, 2, 3] },
            Need::Derived("zero"),
            "initial angle or travel (several for joints with several)",
        ),
        field(
            "rate",
            Kind::Numbers { dims: &[&SPEED, &SPIN], range: ANY, lengths: &[1, 2, 3] },
            Need::Derived("zero"),
            "initial speed (several for joints with several)",
        ),
        field(
            "placed",
            Kind::Table(&FRAME),
            Need::Optional,
            "free and spherical: the initial place of the child",
        ),
        field("velocity", vector(&[&SPEED]), Need::Optional, "free: initial velocity, in the parent's axes"),
        field(
            "angular_velocity",
            vector(&[&SPIN]),
            Need::Optional,
            "free and spherical: initial angular velocity, in the child's axes",
        ),
        field(
            "held",
            Kind::Flag,
            Need::Default("false"),
            "keeps its initial position while loops are being closed",
        ),
        field("spring", Kind::Table(&JOINT_SPRING), Need::Optional, "a spring and damper in the joint"),
        field("limits", Kind::Table(&JOINT_LIMITS), Need::Optional, "stops"),
        field("friction", Kind::Table(&JOINT_FRICTION), Need::Optional, "dry and viscous friction"),
    ],
};

/// Which coordinate of a joint with several: at most six.
const COORDINATE: Field = field(
    "coordinate",
    Kind::Count { min: 0, max: 5 },
    Need::Default("0"),
    "which of several motions, from 0",
);

static JOINT_SPRING: Section = Section {
    name: "joint spring",
    about: "a spring and damper in a joint",
    fields: &[
        field("stiffness", number(&[&STIFFNESS, &TORSION], NOT_NEGATIVE), Need::Required, "stiffness"),
        field(
            "damping",
            number(&[&DAMPING, &TORSION_DAMPING], NOT_NEGATIVE),
            Need::Derived("zero"),
            "damping",
        ),
        field("rest", number(&[&LENGTH, &ANGLE], ANY), Need::Derived("zero"), "position without force"),
        COORDINATE,
    ],
};

static JOINT_LIMITS: Section = Section {
    name: "joint limits",
    about: "stops at both ends of a joint's motion",
    fields: &[
        field("lower", number(&[&LENGTH, &ANGLE], ANY), Need::Required, "lower end"),
        field("upper", number(&[&LENGTH, &ANGLE], ANY), Need::Required, "upper end"),
        field(
            "stiffness",
            number(&[&STIFFNESS, &TORSION], POSITIVE),
            Need::Required,
            "stiffness of the stops",
        ),
        field(
            "damping",
            number(&[&DAMPING, &TORSION_DAMPING], NOT_NEGATIVE),
            Need::Derived("zero"),
            "damping of the stops",
        ),
        COORDINATE,
    ],
};

static JOINT_FRICTION: Section = Section {
    name: "joint friction",
    about: "dry and viscous friction in a joint",
    fields: &[
        field("coulomb", number(&[&FORCE, &TORQUE], NOT_NEGATIVE), Need::Derived("zero"), "dry friction"),
        field(
            "viscous",
            number(&[&DAMPING, &TORSION_DAMPING], NOT_NEGATIVE),
            Need::Derived("zero"),
            "viscous friction",
        ),
        field(
            "transition",
            number(&[&SPEED, &SPIN], POSITIVE),
            Need::Derived("1 mm/s or 1 mrad/s"),
            "speed at which dry friction has reached 71 % of its value",
        ),
        COORDINATE,
        field(
            "input",
            Kind::Flag,
            Need::Default("false"),
            "its dry friction can be commanded while the simulation runs",
        ),
    ],
};

pub(super) static CHAIN: Section = Section {
    name: "chain",
    about: "equal slender rods, each hinged to the one before: bodies and joints NAME/1, NAME/2 ..., point NAME/tip",
    fields: &[
        field("links", Kind::Count { min: 1, max: MOST_LINKS }, Need::Required, "number of rods"),
        field("length", number(&[&LENGTH], POSITIVE), Need::Required, "length of a rod"),
        field("mass", number(&[&MASS], POSITIVE), Need::Required, "mass of a rod"),
        field("parent", Kind::Text, Need::Default("\"world\""), "the body it hangs on"),
        field(
            "at",
            vector(&[&LENGTH]),
            Need::Default("[\"0 m\", \"0 m\", \"0 m\"]"),
            "first hinge, in the machine's frame",
        ),
        field("along", Kind::Axis, Need::Default("[1, 0, 0]"), "direction of the rods at zero angles"),
        field("hinge", Kind::Axis, Need::Default("[0, 0, 1]"), "axis of every hinge"),
        field(
            "damping",
            number(&[&TORSION_DAMPING], NOT_NEGATIVE),
            Need::Default("\"0 N m s/rad\""),
            "of every hinge",
        ),
    ],
};
