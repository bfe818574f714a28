//! The table: docking hardware — nozzle, capture tool, brackets — and the contacts between them.

use super::typed::{
    axis, body_name, choice, count, flag, list, number, numbers, signal, table, text, vector,
};
use super::{ANY, NOT_NEGATIVE, POSITIVE, Range, section, words};
use crate::read::{BodyName, Text, Timed};
use crate::unit::{ANGLE, AREAL_DAMPING, AREAL_STIFFNESS, Dim, LENGTH, NUMBER, SPEED};
use touchdown_math::Vec3;

const LENGTHS: &[&Dim] = &[&LENGTH];
const ANGLES: &[&Dim] = &[&ANGLE];
/// Slopes of nozzles.
const SLOPE: Range = Range { min: 0.0, max: 1.4, open: true };
/// Flanks of a groove.
const FLANK: Range = Range { min: 0.0, max: 1.3, open: false };
const TILT: Range = Range { min: -1.0, max: 1.0, open: false };
const FRICTION: Range = Range { min: 0.0, max: 10.0, open: false };
const FRICTION_SPEED: Range = Range { min: 0.0, max: 1.0, open: true };

words! {
    pub(crate) enum FrictionWord { StickSlip = "stick-slip", Regularised = "regularised", None = "none" }
}

section! {
    pub(crate) struct LayerKeys "layer": "elastic layer of a contact, per area, with dry friction";
    required stiffness: f64 = number(&[&AREAL_STIFFNESS], POSITIVE), "per area";
    optional depth: f64 = number(LENGTHS, POSITIVE),
        "of the layer: a check then asks whether it is pressed by less than a quarter of it, up to which it is taken as linear";
    required damping: f64 = number(&[&AREAL_DAMPING], NOT_NEGATIVE), "per area";
    default("\"0 m\"") damping_depth: f64 = number(LENGTHS, NOT_NEGATIVE),
        "penetration over which damping rises";
    filled("half the stiffness") tangential_stiffness: f64 = number(&[&AREAL_STIFFNESS], POSITIVE),
        "while it sticks, per area";
    default("\"0 N s/m^3\"") tangential_damping: f64 = number(&[&AREAL_DAMPING], NOT_NEGATIVE),
        "while it sticks, per area";
    required friction: f64 = number(&[&NUMBER], FRICTION), "coefficient at rest";
    filled("friction") friction_min: f64 = number(&[&NUMBER], FRICTION), "coefficient while it slides";
    default("\"0.1 mm/s\"") friction_speed: f64 = number(&[&SPEED], FRICTION_SPEED),
        "below it a sliding face sticks again";
    default("\"stick-slip\"") friction_law: FrictionWord = choice(),
        "stick-slip: every face is held by an anchor until it breaks away; regularised: creeps at rest";
}

section! {
    /// A nozzle.
    pub(crate) struct NozzleKeys "nozzle":
        "an apogee engine: chamber, cone, rounded throat and a bell that is a parabola; a capture tool touches it";
    required body: BodyName = body_name(), "the body that it belongs to, or world";
    required throat: Vec3 = vector(LENGTHS), "middle of the throat, in the body's frame";
    required axis: Vec3 = axis(), "from throat to exit, body axes";
    default("\"0 deg\"") tilt_x: f64 = number(ANGLES, TILT),
        "rotation vector that turns it out of this axis, along x of the nozzle";
    default("\"0 deg\"") tilt_y: f64 = number(ANGLES, TILT), "the same along y";
    default("\"0 m\"") offset_x: f64 = number(LENGTHS, ANY), "shifts the throat along x of the nozzle";
    default("\"0 m\"") offset_y: f64 = number(LENGTHS, ANY), "the same along y";
    required throat_radius: f64 = number(LENGTHS, POSITIVE), "of the throat";
    required throat_arc_radius: f64 = number(LENGTHS, POSITIVE), "of the throat's rounding in the section";
    required exit_radius: f64 = number(LENGTHS, POSITIVE), "of the exit";
    required convergence: f64 = number(ANGLES, SLOPE), "slope of the cone behind the throat";
    required divergence_start: f64 = number(ANGLES, SLOPE), "slope of the bell where it begins";
    required divergence_end: f64 = number(ANGLES, SLOPE), "slope of the bell at the exit";
    required bell_length: f64 = number(LENGTHS, POSITIVE), "from throat to exit";
    required chamber_radius: f64 = number(LENGTHS, POSITIVE), "of the chamber";
    required chamber_length: f64 = number(LENGTHS, POSITIVE), "from the throat to the end of the chamber";
    required layer: LayerKeys = table(), "what gives and rubs where it touches";
}

section! {
    pub(crate) struct BoltKeys "bolt":
        "the central bolt; q is the distance forward from the ring on which the shoulder meets the bell";
    required radius: f64 = number(LENGTHS, POSITIVE), "of the bolt";
    required lead_in_radius: f64 = number(LENGTHS, POSITIVE), "at the end of its lead-in";
    required lead_in_from: f64 = number(LENGTHS, POSITIVE), "q at which the lead-in begins";
    required nose: f64 = number(LENGTHS, POSITIVE), "q of its end";
    required nose_radius: f64 = number(LENGTHS, POSITIVE), "of its rounded edge";
    default("\"0.75 mm\"") spacing: f64 = number(LENGTHS, POSITIVE), "distance of rings of faces along it";
}

section! {
    pub(crate) struct ShoulderKeys "shoulder": "the shoulder with the tool's body behind it";
    required body: BodyName = body_name(), "its body: on a spring on the tool, or the tool itself";
    required arc_radius: f64 = number(LENGTHS, POSITIVE), "of its rounding in the section";
    required arc_centre_radius: f64 = number(LENGTHS, POSITIVE),
        "distance of the rounding's centre from the axis";
    required arc_centre: f64 = number(LENGTHS, ANY), "q of that centre";
    required body_radius: f64 = number(LENGTHS, POSITIVE), "of the tool's body behind it";
    required body_length: f64 = number(LENGTHS, POSITIVE), "how far that reaches back";
    default("\"0.4 mm\"") spacing: f64 = number(LENGTHS, POSITIVE),
        "distance of rings of faces along its rounding";
}

section! {
    pub(crate) struct CrownKeys "crown":
        "the locking crown: a wire bent to a circle. Its drive has one travel: it is drawn back by it, and spreads over the first part of it";
    required wire_radius: f64 = number(LENGTHS, POSITIVE), "of the wire";
    required stowed_radius: f64 = number(LENGTHS, POSITIVE), "of its circle when stowed";
    required open_radius: f64 = number(LENGTHS, POSITIVE), "of its circle when open";
    required extended: f64 = number(LENGTHS, POSITIVE), "q of its circle when stowed";
    required spread_travel: f64 = number(LENGTHS, POSITIVE), "travel of the drive over which it spreads";
    required longest_travel: f64 = number(LENGTHS, POSITIVE), "longest travel of the drive";
    default("\"0 m\"") travel: Timed = signal(&[&LENGTH]),
        "travel of the drive in time; its work is in drive_work_j";
    default("false") input: bool = flag(), "the rate of that travel can be commanded while the simulation runs: input NAME_crown";
    default("\"0.25 mm\"") spacing: f64 = number(LENGTHS, POSITIVE),
        "distance of rings of faces on the nozzle's cone and throat";
}

section! {
    /// A capture tool.
    pub(crate) struct CaptureToolKeys "capture_tool":
        "a capture tool that enters a nozzle: makes the polygonal contacts NAME_tool (shoulder and body), NAME_crown and NAME_bolt";
    required nozzle: Text = text(), "the NAME of [nozzle.NAME]";
    required body: BodyName = body_name(), "the body that carries bolt and crown; z is forward";
    derived("the body's origin") position: Vec3 = vector(LENGTHS),
        "q = 0 in that body's frame: the middle of the ring on which the shoulder meets the bell";
    required bolt: BoltKeys = table(), "central bolt";
    required shoulder: ShoulderKeys = table(), "shoulder and body";
    required crown: CrownKeys = table(), "locking crown";
    default("16") around: u64 = count(8, 2_000),
        "corners around the faces: what touches along a whole ring needs few; up to 32 a strip of faces is one leaf, which is quick";
}

section! {
    /// Brackets.
    pub(crate) struct BracketsKeys "brackets":
        "pads on which a ring of another body comes to rest, flat or with a groove that centres it: makes the polygonal contacts NAME_1, NAME_2 ...";
    required body: BodyName = body_name(), "the body that carries the pads; they look along its z";
    required azimuth: Vec<f64> = list(ANGLES, ANY, &[1, 2, 3, 4, 5, 6]),
        "where the pads are, about z of the body from its x axis";
    required radius: f64 = number(LENGTHS, POSITIVE), "distance of the pads' middles from z";
    required plane: f64 = number(LENGTHS, ANY), "z at which the ring's edge comes to rest, in the body's frame";
    required size: [f64; 2] = numbers(LENGTHS, POSITIVE), "of a pad, outwards and around";
    default("\"0 deg\"") flank: f64 = number(ANGLES, FLANK),
        "slope of the two flanks of a V groove along the ring, which centres it; 0: flat pads";
    required ring_body: BodyName = body_name(), "the body with the ring, or world";
    required ring_centre: Vec3 = vector(LENGTHS), "middle of the ring's edge, in that body's frame";
    default("[0, 0, 1]") ring_axis: Vec3 = axis(), "where the edge looks, body axes";
    required ring_radius: f64 = number(LENGTHS, POSITIVE), "of the ring";
    required ring_section_radius: f64 = number(LENGTHS, POSITIVE), "of its rounded edge";
    required layer: LayerKeys = table(), "what gives and rubs where it touches";
    default("\"0.25 mm\"") spacing: f64 = number(LENGTHS, POSITIVE),
        "distance of corners of a pad outwards, across the line on which the ring touches";
    default("4") along: u64 = count(1, 200), "faces of a pad along that line";
}
