//! The table: docking hardware — nozzle, capture tool, brackets — and the contacts between them.

use super::{ANY, Field, Kind, NOT_NEGATIVE, Need, POSITIVE, Range, Section, field, number, vector};
use crate::unit::{ANGLE, AREAL_DAMPING, AREAL_STIFFNESS, Dim, LENGTH, NUMBER, SPEED};

const LENGTHS: &[&Dim] = &[&LENGTH];
const ANGLES: &[&Dim] = &[&ANGLE];
/// Slopes of nozzles.
const SLOPE: Range = Range { min: 0.0, max: 1.4, open: true };
const TILT: Range = Range { min: -1.0, max: 1.0, open: false };
const FRICTION: Range = Range { min: 0.0, max: 10.0, open: false };
const FRICTION_SPEED: Range = Range { min: 0.0, max: 1.0, open: true };

const fn length(key: &'static str, about: &'static str) -> Field {
    field(key, number(LENGTHS, POSITIVE), Need::Required, about)
}

const fn place(key: &'static str, about: &'static str) -> Field {
    field(key, number(LENGTHS, ANY), Need::Required, about)
}

const AROUND: Field = field(
    "around",
    Kind::Count { min: 8, max: 2_000 },
    Need::Default("16"),
    "corners around the faces: what touches along a whole ring needs few; up to 32 a strip of faces is one leaf, which is quick",
);

static LAYER: Section = Section {
    name: "layer",
    about: "elastic layer of a contact, per area, with dry friction",
    fields: &[
        field("stiffness", number(&[&AREAL_STIFFNESS], POSITIVE), Need::Required, "per area"),
        field("damping", number(&[&AREAL_DAMPING], NOT_NEGATIVE), Need::Required, "per area"),
        field(
            "damping_depth",
            number(LENGTHS, NOT_NEGATIVE),
            Need::Default("\"0 m\""),
            "penetration over which damping rises",
        ),
        field(
            "tangential_stiffness",
            number(&[&AREAL_STIFFNESS], POSITIVE),
            Need::Derived("half the stiffness"),
            "while it sticks, per area",
        ),
        field(
            "tangential_damping",
            number(&[&AREAL_DAMPING], NOT_NEGATIVE),
            Need::Default("\"0 N s/m^3\""),
            "while it sticks, per area",
        ),
        field("friction", number(&[&NUMBER], FRICTION), Need::Required, "coefficient at rest"),
        field(
            "friction_min",
            number(&[&NUMBER], FRICTION),
            Need::Derived("friction"),
            "coefficient while it slides",
        ),
        field(
            "friction_speed",
            number(&[&SPEED], FRICTION_SPEED),
            Need::Default("\"0.1 mm/s\""),
            "below it a sliding face sticks again",
        ),
        field(
            "friction_law",
            Kind::Choice(&["stick-slip", "regularised", "none"]),
            Need::Default("\"stick-slip\""),
            "stick-slip: every face hangs on an anchor until it breaks away; regularised: creeps at rest",
        ),
    ],
};

const LAYER_KEY: Field =
    field("layer", Kind::Table(&LAYER), Need::Required, "what gives and rubs where it touches");

/// A nozzle.
pub(super) static NOZZLE: Section = Section {
    name: "nozzle",
    about: "an apogee engine: chamber, cone, rounded throat and a bell that is a parabola; a capture tool touches it",
    fields: &[
        field("body", Kind::Text, Need::Required, "the body that it belongs to, or world"),
        field("throat", vector(LENGTHS), Need::Required, "middle of the throat, in the body's frame"),
        field("axis", Kind::Axis, Need::Required, "from throat to exit, body axes"),
        field(
            "tilt_x",
            number(ANGLES, TILT),
            Need::Default("\"0 deg\""),
            "rotation vector that turns it out of this axis, along x of the nozzle",
        ),
        field("tilt_y", number(ANGLES, TILT), Need::Default("\"0 deg\""), "the same along y"),
        field(
            "offset_x",
            number(LENGTHS, ANY),
            Need::Default("\"0 m\""),
            "shifts the throat along x of the nozzle",
        ),
        field("offset_y", number(LENGTHS, ANY), Need::Default("\"0 m\""), "the same along y"),
        length("throat_radius", "of the throat"),
        length("throat_arc_radius", "of the throat's rounding in the section"),
        length("exit_radius", "of the exit"),
        field("convergence", number(ANGLES, SLOPE), Need::Required, "slope of the cone behind the throat"),
        field("divergence_start", number(ANGLES, SLOPE), Need::Required, "slope of the bell where it begins"),
        field("divergence_end", number(ANGLES, SLOPE), Need::Required, "slope of the bell at the exit"),
        length("bell_length", "from throat to exit"),
        length("chamber_radius", "of the chamber"),
        length("chamber_length", "from the throat to the end of the chamber"),
        LAYER_KEY,
    ],
};

static BOLT: Section = Section {
    name: "bolt",
    about: "the central bolt; q is the way forward from the ring on which the shoulder meets the bell",
    fields: &[
        length("radius", "of the bolt"),
        length("lead_in_radius", "at the end of its lead-in"),
        length("lead_in_from", "q at which the lead-in begins"),
        length("nose", "q of its end"),
        length("nose_radius", "of its rounded edge"),
        field(
            "spacing",
            number(LENGTHS, POSITIVE),
            Need::Default("\"0.75 mm\""),
            "distance of rings of faces along it",
        ),
    ],
};

static SHOULDER: Section = Section {
    name: "shoulder",
    about: "the shoulder with the tool's body behind it",
    fields: &[
        field("body", Kind::Text, Need::Required, "its body: on a spring on the tool, or the tool itself"),
        length("arc_radius", "of its rounding in the section"),
        length("arc_centre_radius", "distance of the rounding's centre from the axis"),
        place("arc_centre", "q of that centre"),
        length("body_radius", "of the tool's body behind it"),
        length("body_length", "how far that reaches back"),
        field(
            "spacing",
            number(LENGTHS, POSITIVE),
            Need::Default("\"0.4 mm\""),
            "distance of rings of faces along its rounding",
        ),
    ],
};

static CROWN: Section = Section {
    name: "crown",
    about: "the locking crown: a wire bent to a circle. One way drives it: it is drawn back by that way, and spreads over the first part of it",
    fields: &[
        length("wire_radius", "of the wire"),
        length("stowed_radius", "of its circle when stowed"),
        length("open_radius", "of its circle when open"),
        length("extended", "q of its circle when stowed"),
        length("spread_way", "way of the drive over which it spreads"),
        length("longest_way", "longest way of the drive"),
        field(
            "way",
            Kind::Signal(&[&LENGTH]),
            Need::Default("\"0 m\""),
            "way of the drive in time; its work is in drive_work_j",
        ),
        field(
            "spacing",
            number(LENGTHS, POSITIVE),
            Need::Default("\"0.25 mm\""),
            "distance of rings of faces on the nozzle's cone and throat",
        ),
    ],
};

/// A capture tool.
pub(super) static CAPTURE_TOOL: Section = Section {
    name: "capture_tool",
    about: "a capture tool that enters a nozzle: makes the polygonal contacts NAME_tool (shoulder and body), NAME_crown and NAME_bolt",
    fields: &[
        field("nozzle", Kind::Text, Need::Required, "the NAME of [nozzle.NAME]"),
        field("body", Kind::Text, Need::Required, "the body that carries bolt and crown; z is forward"),
        field(
            "position",
            vector(LENGTHS),
            Need::Derived("the body's origin"),
            "q = 0 in that body's frame: the middle of the ring on which the shoulder meets the bell",
        ),
        field("bolt", Kind::Table(&BOLT), Need::Required, "central bolt"),
        field("shoulder", Kind::Table(&SHOULDER), Need::Required, "shoulder and body"),
        field("crown", Kind::Table(&CROWN), Need::Required, "locking crown"),
        AROUND,
    ],
};

/// Brackets.
pub(super) static BRACKETS: Section = Section {
    name: "brackets",
    about: "flat pads on which a ring of another body comes to rest: makes the polygonal contacts NAME_1, NAME_2 ...",
    fields: &[
        field("body", Kind::Text, Need::Required, "the body that carries the pads; they look along its z"),
        field(
            "azimuth",
            Kind::Numbers { dims: ANGLES, range: ANY, lengths: &[1, 2, 3, 4, 5, 6] },
            Need::Required,
            "where the pads are, about z of the body from its x axis",
        ),
        length("radius", "distance of the pads' middles from z"),
        place("plane", "z of the pads, in the body's frame"),
        field(
            "size",
            Kind::Numbers { dims: LENGTHS, range: POSITIVE, lengths: &[2] },
            Need::Required,
            "of a pad, outwards and around",
        ),
        field("ring_body", Kind::Text, Need::Required, "the body with the ring, or world"),
        field(
            "ring_centre",
            vector(LENGTHS),
            Need::Required,
            "middle of the ring's edge, in that body's frame",
        ),
        field("ring_axis", Kind::Axis, Need::Default("[0, 0, 1]"), "where the edge looks, body axes"),
        length("ring_radius", "of the ring"),
        length("ring_section_radius", "of its rounded edge"),
        LAYER_KEY,
        field(
            "spacing",
            number(LENGTHS, POSITIVE),
            Need::Default("\"0.25 mm\""),
            "distance of corners of a pad outwards, across the line on which the ring touches",
        ),
        field(
            "along",
            Kind::Count { min: 1, max: 200 },
            Need::Default("4"),
            "faces of a pad along that line",
        ),
    ],
};
