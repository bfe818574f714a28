//! The table: feet, their test stand, gaits, and controllers of legs.

use super::spacecraft::CLOCK;
use super::typed::{body_name, choice, flag, number, places, text, texts, vector};
use super::{ANY, NOT_NEGATIVE, POSITIVE, Range, section, words};
use crate::read::{BodyName, Text};
use crate::unit::{
    ACCELERATION, ANGLE, DAMPING, FORCE, FREQUENCY, LENGTH, MASS, NUMBER, SPEED, SPIN, STIFFNESS, TIME,
    TORQUE, TORSION, TORSION_DAMPING,
};
use touchdown_math::Vec3;

/// Ranges of `contact::foot`.
const SIZE: Range = Range { min: 0.0, max: 10.0, open: true };
const EXPONENT: Range = Range { min: 0.0, max: 5.0, open: true };
const FROM_ZERO: Range = Range { min: 0.0, max: 5.0, open: false };
const FRICTION: Range = Range { min: 0.0, max: 10.0, open: false };
const RECOVERY: Range = Range { min: 0.0, max: 0.2, open: true };
const RELAXATION: Range = Range { min: 0.0, max: 1.0, open: true };
/// A foot is on the ground for more than half of a cycle; otherwise a tripod would have phases without
/// contact.
const DUTY: Range = Range { min: 0.5, max: 0.95, open: false };

words! {
    pub(crate) enum FootShapeWord {
        FlatCircular = "flat-circular",
        FlatRectangular = "flat-rectangular",
        Cylindrical = "cylindrical",
        Spherical = "spherical",
    }
}

words! {
    pub(crate) enum FootModelWord {
        Exact = "exact",
        Linearised = "linearised",
        Equation29a = "29a",
        Equation29b = "29b",
        Equation29c = "29c",
        Equation33 = "33",
        Equation34 = "34",
    }
}

words! {
    pub(crate) enum HardWord {
        Concrete = "concrete",
        Wood = "wood",
        Gravel = "gravel",
        Sand = "sand",
        CompactClay = "compact-clay",
        LooseClay = "loose-clay",
    }
}

words! {
    pub(crate) enum StressWord { Symmetric = "symmetric", OneSided = "one-sided" }
}

words! {
    pub(crate) enum CurveWord { Janosi = "janosi", Tanh = "tanh", Linear = "linear", Stick = "stick" }
}

section! {
    /// A kind of foot, with the ground under it.
    pub(crate) struct FootLawKeys "foot_law":
        "a kind of foot: its form, its spring, and the soil that it presses; of the sizes its shape uses its own";
    required shape: FootShapeWord = choice(), "its form; cylinders lie along the foot's y";
    optional radius: f64 = number(&[&LENGTH], SIZE), "of a flat-circular sole, a cylinder or a ball";
    optional width: f64 = number(&[&LENGTH], SIZE), "flat-rectangular, cylindrical: along y";
    optional length: f64 = number(&[&LENGTH], SIZE), "flat-rectangular: along x";
    required soil: Text = text(), "hard, or the soil under it: a [soil.NAME] or one of the library";
    optional hard_ground: HardWord = choice(),
        "soil = hard, with a rigid foot: which ground, by Table 4 of Ding et al.: linear springs and dampers along the normal and along the ground";
    default("\"exact\"") model: FootModelWord = choice(),
        "in soil, how stress is integrated: exactly, linear over the angle, or an equation of Ding et al. (29: cylinders, 33 and 34: balls)";
    default("\"symmetric\"") stress: StressWord = choice(), "in soil: on both sides of a foot, or on one";
    default("\"0 N/m\"") stiffness: f64 = number(&[&STIFFNESS, &NUMBER], NOT_NEGATIVE),
        "of the foot, k of N = k d^n + b d^p d'^q; zero: it does not deform";
    default("1") exponent: f64 = number(&[&NUMBER], EXPONENT), "of the foot: n";
    default("\"0 N s/m\"") damping: f64 = number(&[&DAMPING, &NUMBER], NOT_NEGATIVE), "of the foot: b";
    default("0") damping_exponent: f64 = number(&[&NUMBER], FROM_ZERO), "of the foot: p";
    default("1") rate_exponent: f64 = number(&[&NUMBER], EXPONENT), "of the foot: q";
    default("\"0 N s/m\"") soil_damping: f64 = number(&[&DAMPING, &NUMBER], NOT_NEGATIVE),
        "of the soil while the foot sinks: b of b d^p d'^q";
    default("0") soil_damping_exponent: f64 = number(&[&NUMBER], FROM_ZERO), "of the soil: p";
    default("1") soil_rate_exponent: f64 = number(&[&NUMBER], EXPONENT), "of the soil: q";
    default("0.5") friction: f64 = number(&[&NUMBER], FRICTION), "on hard ground";
    derived("that of the soil; hard ground: 10 mm") shear_length: f64 = number(&[&LENGTH], SIZE),
        "displacement in which the force along the ground builds up";
    default("\"janosi\"") curve: CurveWord = choice(),
        "how it builds up: 1 - exp(-j/K), tanh(j/1.5K), j/2K, or a spring up to the limit";
    default("\"20 kN/m\"") tangential_stiffness: f64 = number(&[&STIFFNESS], POSITIVE),
        "of unloading along the ground";
    default("\"1 ms\"") tangential_relaxation: f64 = number(&[&TIME], RELAXATION),
        "in which the deflection along the ground follows a falling grip";
    default("0.001") recovery: f64 = number(&[&NUMBER], RECOVERY), "share of the sinkage that springs back";
    default("\"2 ms\"") relaxation: f64 = number(&[&TIME], RELAXATION), "time in which it springs back";
}

section! {
    /// A foot on a body.
    pub(crate) struct FootKeys "foot":
        "a foot on a body, on hard ground or in soil with the surface that [ground] gives";
    required body: BodyName = body_name(), "the body";
    required law: Text = text(), "the NAME of a [foot_law.NAME]";
    derived("the body's origin") position: Vec3 = vector(&[&LENGTH]),
        "middle of a flat sole, centre of a round one, in the body's frame";
    optional at: Vec3 = vector(&[&LENGTH]), "in the machine's frame, all joints at zero";
    default("\"0 deg\"") roll: f64 = number(&[&ANGLE], ANY), "about x; its z axis points up";
    default("\"0 deg\"") pitch: f64 = number(&[&ANGLE], ANY), "about y";
    default("\"0 deg\"") yaw: f64 = number(&[&ANGLE], ANY), "about z";
    optional compare: Text = text(), "another foot: columns tell how far its forces are from that one's";
}

words! {
    pub(crate) enum FootRigWord { Press = "press", Drop = "drop", Drag = "drag" }
}

section! {
    /// A test stand for feet.
    pub(crate) struct FootRigKeys "foot_rig":
        "a test stand for one foot, called foot, on level ground: bodies, load and motion follow from a few numbers";
    required kind: FootRigWord = choice(),
        "press: the load comes and goes slowly; drop: the foot falls with its load; drag: it is loaded, then moved to and fro";
    required law: Text = text(), "the NAME of a [foot_law.NAME]";
    required load: f64 = number(&[&FORCE], POSITIVE), "total force on the ground at rest";
    derived("drop: all of the load is weight; else 0.1 kg") mass: f64 = number(&[&MASS], POSITIVE),
        "that moves with the foot; its weight is part of the load";
    derived("zero") drop_height: f64 = number(&[&LENGTH], NOT_NEGATIVE),
        "drop: height of the sole above the ground at the start";
    derived("press: 2 s; drag: 1 s") load_time: f64 = number(&[&TIME], POSITIVE),
        "press, drag: time in which the load comes on, or goes";
    derived("20 mm/s") speed: f64 = number(&[&SPEED], POSITIVE), "drag: to and fro";
    derived("100 mm") travel: f64 = number(&[&LENGTH], POSITIVE), "drag: in each direction, about";
}

section! {
    /// A gait of a machine on six legs.
    pub(crate) struct GaitKeys "gait":
        "a tripod gait: drives of the joints of six legs, each with a joint about z and two in the plane of the leg, from the machine's form";
    required body: BodyName = body_name(), "the body that the legs carry, on a free joint";
    required legs: Vec<Text> = texts(),
        "names of the feet's [foot.NAME], whose legs swing in turn: the first, third and fifth together, then the others";
    required stride: f64 = number(&[&LENGTH], NOT_NEGATIVE), "distance of the body in one cycle";
    required period: f64 = number(&[&TIME], POSITIVE), "time of one cycle";
    required step_height: f64 = number(&[&LENGTH], NOT_NEGATIVE), "height to which a foot is lifted";
    default("0.55") duty: f64 = number(&[&NUMBER], DUTY), "share of a cycle on the ground";
    required height: f64 = number(&[&LENGTH], POSITIVE), "of the legs' first joints above the ground";
    required reach: f64 = number(&[&LENGTH], POSITIVE), "of a standing foot from its first joint, in plan";
    default("\"0.5 s\"") settle: f64 = number(&[&TIME], NOT_NEGATIVE), "before it begins to walk";
    default("\"0 m\"") clearance: f64 = number(&[&LENGTH], NOT_NEGATIVE), "of the lowest foot at the start";
    required stiffness: f64 = number(&[&TORSION], POSITIVE), "of the drives";
    required damping: f64 = number(&[&TORSION_DAMPING], NOT_NEGATIVE), "of the drives";
    optional limit: f64 = number(&[&TORQUE], POSITIVE), "largest torque of a drive";
}

words! {
    pub(crate) enum LegGaitWord { Stand = "stand", Trot = "trot", Crawl = "crawl", Ripple = "ripple" }
}

section! {
    /// A controller of a machine on legs.
    pub(crate) struct LegsKeys "legs":
        "controls a machine on two to eight legs of any form by the torques of their joints: it stands, steps, follows a velocity, corrects lean and footholds; writes the signals legs.NAME.forward_m_per_s, sideways_m_per_s, turn_rad_per_s, height_m, feet_planned and limp, which are columns, too";
    required body: BodyName = body_name(), "the body that the legs carry, on a free joint; its x axis is forward";
    required feet: Vec<Text> = texts(), "names of the [foot.NAME] at the ends of the legs";
    default("\"trot\"") gait: LegGaitWord = choice(),
        "stand: feet stay; trot: neighbours alternate (diagonals of four legs, tripods of six); crawl: one leg after the other; ripple: waves on both sides";
    optional period: f64 = number(&[&TIME], POSITIVE), "time of one cycle; needed by all gaits but stand";
    optional step_height: f64 = number(&[&LENGTH], NOT_NEGATIVE), "height to which a foot is lifted; needed by all gaits but stand";
    default("0.6") duty: f64 = number(&[&NUMBER], DUTY), "share of a cycle on the ground";
    required height: f64 = number(&[&LENGTH], POSITIVE), "of the body's origin above the ground";
    derived("height") begin_height: f64 = number(&[&LENGTH], POSITIVE), "the same at the start: it stands up, or sits down";
    default("\"0.1 m/s\"") rise: f64 = number(&[&SPEED], POSITIVE), "how fast the height changes";
    derived("below the feet with all joints at zero") stance: Vec<[f64; 2]> = places(&[&LENGTH]),
        "x and y in the body's frame where each foot stands at rest, in the order of feet";
    default("\"0 m/s\"") forward: f64 = number(&[&SPEED], ANY), "velocity along the body's x axis";
    default("\"0 m/s\"") sideways: f64 = number(&[&SPEED], ANY), "velocity to the left";
    default("\"0 deg/s\"") turn: f64 = number(&[&SPIN], ANY), "rate of turn to the left";
    default("\"0.5 s\"") start: f64 = number(&[&TIME], NOT_NEGATIVE), "time from which it follows that velocity";
    default("\"0.2 m/s^2\"") acceleration: f64 = number(&[&ACCELERATION], POSITIVE), "fastest change of the velocity";
    default("0.5") friction: f64 = number(&[&NUMBER], POSITIVE),
        "tangential over normal force that it asks of feet at most; the default is assumed";
    default("\"1.5 Hz\"") body_frequency: f64 = number(&[&FREQUENCY], POSITIVE),
        "natural frequency with which lean and height are corrected; the default is assumed";
    default("\"4 Hz\"") foot_frequency: f64 = number(&[&FREQUENCY], POSITIVE),
        "natural frequency of a foot about its path in the air; the default is assumed";
    derived("those of the joints' motors, else none") limit: f64 = number(&[&TORQUE], POSITIVE), "largest torque of a joint";
    default("\"500 Hz\"") rate: f64 = number(&[&FREQUENCY], CLOCK), "how often it acts";
    default("false") input: bool = flag(),
        "velocity and height can be commanded in its place: inputs NAME.forward, NAME.sideways, NAME.turn, NAME.height";
}
