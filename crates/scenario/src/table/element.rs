//! The table, part three: constraints, force elements and drives.

use super::typed::{
    attach, axis, body_name, choice, flag, list, number, numbers, pair, quantity, signal, table, text, texts,
    vector, vector_in,
};
use super::{ANY, NOT_NEGATIVE, POSITIVE, section, words};
use crate::read::{AttachSpec, BodyName, Quantity, Text, Timed};
use crate::unit::{
    ANGLE, DAMPING, FORCE, FREQUENCY, IMPULSE, LENGTH, NUMBER, PITCH, PITCH_INVERSE, SPEED, SPIN, STIFFNESS,
    TIME, TORQUE, TORSION, TORSION_DAMPING,
};
use touchdown_math::Vec3;

section! {
    /// A point of a body, written as a table.
    pub(crate) struct AttachKeys "point of a body":
        "a point of a body; \"BODY\" and \"BODY:POINT\" are short for it";
    required body: BodyName = body_name(), "the body, or world";
    derived("the body's origin") position: Vec3 = vector(&[&LENGTH]), "in the body's frame";
    optional at: Vec3 = vector(&[&LENGTH]), "in the machine's frame, all joints at zero";
}

section! {
    /// A homogeneous solid.
    pub(crate) struct UniformKeys "uniform":
        "a solid of even density around the centre of mass: one of box, rod, sphere, cylinder";
    optional cuboid as "box": Vec3 = vector_in(&[&LENGTH], POSITIVE), "edge lengths";
    optional rod: f64 = number(&[&LENGTH], POSITIVE), "length of a slender rod";
    optional sphere: f64 = number(&[&LENGTH], POSITIVE), "radius";
    optional cylinder: [f64; 2] = numbers(&[&LENGTH], POSITIVE), "radius and length";
    default("[1, 0, 0]") along: Vec3 = axis(), "direction of a rod or cylinder, body axes";
}

words! {
    pub(crate) enum ConstraintWord {
        Coincident = "coincident",
        Hinge = "hinge",
        Parallel = "parallel",
        Perpendicular = "perpendicular",
        Distance = "distance",
        Gear = "gear",
        Prescribed = "prescribed",
    }
}

section! {
    pub(crate) struct ConstraintKeys "constraint":
        "a loop closure, coupling or prescribed motion; redundant ones are harmless";
    required kind as "type": ConstraintWord = choice(),
        "coincident points; hinge (points and axes); axes; distance of points; joints coupled or prescribed";
    optional between: [AttachSpec; 2] = pair(), "the two points (or bodies, for axes)";
    optional at: Vec3 = vector(&[&LENGTH]),
        "where both points lie, in the machine's frame with all joints at zero";
    optional axis: Vec3 = axis(), "hinge, parallel: the common axis, in the machine's frame at zero";
    optional first_axis: Vec3 = axis(), "axis in the first body";
    optional second_axis: Vec3 = axis(), "axis in the second body";
    optional length: f64 = number(&[&LENGTH], POSITIVE), "distance";
    optional joint: Text = text(), "prescribed: the joint (JOINT.1 for its second motion)";
    optional motion: Timed = signal(&[&ANGLE, &LENGTH]), "prescribed: its position in time";
    optional driven: Text = text(), "gear: the joint that follows";
    optional driver: Text = text(), "gear: the joint that leads";
    optional ratio: Quantity = quantity(&[&NUMBER, &PITCH, &PITCH_INVERSE], ANY),
        "gear: driven = ratio * driver + offset";
    derived("zero") offset: Quantity = quantity(&[&ANGLE, &LENGTH], ANY), "gear: see ratio";
    optional input: bool = flag(),
        "prescribed: the rate of its motion can be commanded while the simulation runs";
}

words! {
    pub(crate) enum ActsWord { BothWays = "both-ways", PullsOnly = "pulls-only", PushesOnly = "pushes-only" }
}

section! {
    pub(crate) struct SpringKeys "spring":
        "a spring and damper in line between two points; tension is positive";
    required between: [AttachSpec; 2] = pair(), "its two ends";
    default("\"0 N/m\"") stiffness: f64 = number(&[&STIFFNESS], NOT_NEGATIVE), "stiffness";
    default("\"0 N s/m\"") damping: f64 = number(&[&DAMPING], NOT_NEGATIVE), "damping";
    default("\"0 m\"") rest_length: f64 = number(&[&LENGTH], NOT_NEGATIVE), "length without force";
    default("\"0 N\"") preload: f64 = number(&[&FORCE], ANY), "force added to it, tension positive";
    default("\"both-ways\"") acts: ActsWord = choice(), "spring, rope or buffer";
    default("\"0 s\"") slack_until: f64 = number(&[&TIME], NOT_NEGATIVE), "no force before this time";
    default("false") input: bool = flag(), "its stiffness can be commanded while the simulation runs";
}

section! {
    pub(crate) struct BushingKeys "bushing":
        "a spring and damper in six directions between two frames, in the axes of the first body";
    required between: [AttachSpec; 2] = pair(), "its two ends";
    default("[\"0 N/m\", \"0 N/m\", \"0 N/m\"]") stiffness: Vec3 = vector_in(&[&STIFFNESS], NOT_NEGATIVE),
        "along x, y, z";
    default("[\"0 N s/m\", \"0 N s/m\", \"0 N s/m\"]") damping: Vec3 = vector_in(&[&DAMPING], NOT_NEGATIVE),
        "along x, y, z";
    default("[\"0 N m/rad\", \"0 N m/rad\", \"0 N m/rad\"]") turning_stiffness: Vec3 = vector_in(&[&TORSION], NOT_NEGATIVE),
        "about x, y, z";
    default("[\"0 N m s/rad\", \"0 N m s/rad\", \"0 N m s/rad\"]") turning_damping: Vec3 = vector_in(&[&TORSION_DAMPING], NOT_NEGATIVE),
        "about x, y, z";
}

section! {
    pub(crate) struct ActuatorKeys "actuator":
        "a linear motor: pushes its ends apart (positive); follows one of force, speed, length";
    required between: [AttachSpec; 2] = pair(), "its two ends";
    optional force: Timed = signal(&[&FORCE]), "a given push";
    optional speed: Timed = signal(&[&SPEED]), "target speed of lengthening; needs gain";
    optional length: Timed = signal(&[&LENGTH]), "target length; needs stiffness";
    optional gain: Quantity = quantity(&[&DAMPING], NOT_NEGATIVE), "force per speed error";
    optional stiffness: Quantity = quantity(&[&STIFFNESS], NOT_NEGATIVE), "force per length error";
    derived("zero") damping: Quantity = quantity(&[&DAMPING], NOT_NEGATIVE), "force per speed error";
    derived("no limit") limit: Quantity = quantity(&[&FORCE], POSITIVE), "largest force";
    default("false") input: bool = flag(), "it can be commanded while the simulation runs";
}

section! {
    pub(crate) struct ForcePartsKeys "force": "components of a force in time";
    default("\"0 N\"") x: Timed = signal(&[&FORCE]), "along x";
    default("\"0 N\"") y: Timed = signal(&[&FORCE]), "along y";
    default("\"0 N\"") z: Timed = signal(&[&FORCE]), "along z";
}

section! {
    pub(crate) struct TorquePartsKeys "torque": "components of a torque in time";
    default("\"0 N m\"") x: Timed = signal(&[&TORQUE]), "about x";
    default("\"0 N m\"") y: Timed = signal(&[&TORQUE]), "about y";
    default("\"0 N m\"") z: Timed = signal(&[&TORQUE]), "about z";
}

section! {
    pub(crate) struct LoadKeys "load": "a given force and torque on a body";
    required on: AttachSpec = attach(), "where it acts; BODY:centre_of_mass is always there";
    optional force: ForcePartsKeys = table(), "its force";
    optional torque: TorquePartsKeys = table(), "its torque";
    default("false") follows_body: bool = flag(), "components in body axes instead of world axes";
    default("false") input: bool = flag(), "its components can be commanded while the simulation runs";
}

section! {
    pub(crate) struct ImpulseKeys "impulse":
        "a push that acts at once on a body, such as a blow; a row at its time shows the moment before";
    required on: AttachSpec = attach(), "where it acts; BODY:centre_of_mass is always there";
    required time: f64 = number(&[&TIME], NOT_NEGATIVE), "when it acts";
    required impulse: Vec3 = vector(&[&IMPULSE]), "its three components, in world axes";
}

section! {
    pub(crate) struct DriveKeys "drive":
        "motors on joints; follows one of torque, force, speed, position, rim_speed";
    required joints: Vec<Text> = texts(),
        "the joints: names, * stands for any text; JOINT.1 for a second motion";
    optional torque: Timed = signal(&[&TORQUE]), "a given torque";
    optional force: Timed = signal(&[&FORCE]), "a given force";
    optional speed: Timed = signal(&[&SPIN, &SPEED]), "target speed; needs gain";
    optional position: Timed = signal(&[&ANGLE, &LENGTH]), "target position; needs stiffness";
    optional rim_speed: Timed = signal(&[&SPEED]),
        "target speed of a wheel's rim, at its present radius; needs gain";
    optional ground_gain: f64 = number(&[&FREQUENCY], NOT_NEGATIVE),
        "rim_speed: rate in 1/s at which it is corrected by the speed of the hub over the ground; zero does not";
    optional gain: Quantity = quantity(&[&TORSION_DAMPING, &DAMPING], NOT_NEGATIVE), "torque per speed error";
    optional stiffness: Quantity = quantity(&[&TORSION, &STIFFNESS], NOT_NEGATIVE),
        "torque per position error";
    derived("zero") damping: Quantity = quantity(&[&TORSION_DAMPING, &DAMPING], NOT_NEGATIVE),
        "torque per speed error";
    derived("no limit") limit: Quantity = quantity(&[&TORQUE, &FORCE], POSITIVE), "largest torque or force";
    optional factors: Vec<f64> = list(&[&NUMBER], ANY, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
        "each joint follows the target times its factor, in the order of joints";
    default("\"0 s\"") active_from: f64 = number(&[&TIME], NOT_NEGATIVE), "no torque before this time";
    default("\"0 s\"") ramp_time: f64 = number(&[&TIME], NOT_NEGATIVE),
        "a constant target comes on smoothly over this time";
    default("false") input: bool = flag(), "each joint can be commanded while the simulation runs";
}
