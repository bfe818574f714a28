//! The table: a docking — who meets whom, sensors, sequence, limits.

use super::{ANY, FRACTION, Kind, NOT_NEGATIVE, Need, POSITIVE, Range, Section, field, number, vector};
use crate::unit::{ANGLE, FORCE, FREQUENCY, LENGTH, NUMBER, PRESSURE, SPEED, SPIN, TIME, TORQUE};

/// Clocks of sensors and of the sequence, Hz.
const CLOCK: Range = Range { min: 1e-2, max: 1e3, open: false };
/// Tilts at the start, rad: a nozzle looks at the chaser.
const TILT: Range = Range { min: -1.0, max: 1.0, open: false };

/// A docking.
pub(super) static DOCKING: Section = Section {
    name: "docking",
    about: "a boom brings a tool into the nozzle of a client, a crown locks it, and the boom pulls the client onto brackets; driven by sensors",
    fields: &[
        field(
            "chaser",
            Kind::Text,
            Need::Required,
            "body of the satellite with the boom; attitude control is its own",
        ),
        field(
            "client",
            Kind::Text,
            Need::Required,
            "body of the other; it is placed by throat, offset and tilt",
        ),
        field("boom", Kind::Text, Need::Required, "the [boom.NAME] that is driven"),
        field(
            "tool",
            Kind::Text,
            Need::Required,
            "the [polygonal.NAME] of tool and nozzle; the nozzle is its reference",
        ),
        field(
            "bolt",
            Kind::Text,
            Need::Required,
            "the [polygonal.NAME] of central bolt and nozzle; the nozzle is its reference",
        ),
        field(
            "crown",
            Kind::Text,
            Need::Required,
            "the [polygonal.NAME] of nozzle and crown; the crown is its reference, and opens",
        ),
        field("brackets", Kind::Texts, Need::Required, "the [polygonal.NAME] of ring and brackets"),
        field(
            "throat",
            vector(&[&LENGTH]),
            Need::Required,
            "where the nozzle's throat is at the start, in the chaser's frame, without offset",
        ),
        field(
            "offset_x",
            number(&[&LENGTH], ANY),
            Need::Default("\"0 m\""),
            "of the throat from there, along the chaser's x",
        ),
        field("offset_y", number(&[&LENGTH], ANY), Need::Default("\"0 m\""), "the same along y"),
        field(
            "tilt_x",
            number(&[&ANGLE], TILT),
            Need::Default("\"0 deg\""),
            "rotation vector of the client about its throat: along the chaser's x",
        ),
        field("tilt_y", number(&[&ANGLE], TILT), Need::Default("\"0 deg\""), "the same along y"),
        field(
            "relative_velocity",
            vector(&[&SPEED]),
            Need::Default("[\"0 m/s\", \"0 m/s\", \"0 m/s\"]"),
            "of the client against the chaser at the start, chaser's axes",
        ),
        field(
            "client_rate",
            number(&[&SPIN], ANY),
            Need::Default("\"0 deg/s\""),
            "of the client about its x at the start",
        ),
        field(
            "rate",
            number(&[&FREQUENCY], CLOCK),
            Need::Default("\"50 Hz\""),
            "how often the sequence looks and acts",
        ),
        field(
            "trigger",
            Kind::Choice(&["sensors", "clock"]),
            Need::Default("\"sensors\""),
            "what makes it go on: what the sensors say, or the times",
        ),
        field("crown_speed", number(&[&SPEED], POSITIVE), Need::Required, "of the crown's drive"),
        field(
            "switch_force",
            number(&[&FORCE], POSITIVE),
            Need::Required,
            "at which contact switches close; they open at half of it",
        ),
        field(
            "average_over",
            number(&[&TIME], POSITIVE),
            Need::Default("\"20 s\""),
            "time over which locking force and final tension are averaged",
        ),
        field(
            "camera",
            Kind::Table(&CAMERA),
            Need::Required,
            "two cameras on the chaser, which look along its z",
        ),
        field(
            "distance",
            Kind::Table(&DISTANCE),
            Need::Required,
            "distance sensors around the tool, which look outwards",
        ),
        field("geometry", Kind::Table(&GEOMETRY), Need::Required, "places along the axes of tool and nozzle"),
        field("drive", Kind::Table(&BOOM_DRIVE), Need::Required, "how the boom is driven"),
        field("events", Kind::Table(&EVENTS), Need::Required, "what the sequence waits for"),
        field(
            "times",
            Kind::Table(&TIMES),
            Need::Optional,
            "when it goes on by the clock; for trigger = \"clock\"",
        ),
        field("abort", Kind::Table(&ABORT), Need::Required, "when it gives up and retreats"),
        field("allowables", Kind::Table(&ALLOWABLES), Need::Required, "loads above which damage is feared"),
    ],
};

static CAMERA: Section = Section {
    name: "camera",
    about: "a stereo pair of pinhole cameras that sees the rim of the nozzle",
    fields: &[
        field(
            "position",
            Kind::Numbers { dims: &[&LENGTH], range: ANY, lengths: &[6] },
            Need::Required,
            "of both cameras in the chaser's frame: x y z, x y z",
        ),
        field("focal", number(&[&NUMBER], POSITIVE), Need::Required, "focal length, pixels"),
        field(
            "image",
            Kind::Numbers { dims: &[&NUMBER], range: POSITIVE, lengths: &[2] },
            Need::Required,
            "width and height, pixels",
        ),
        field(
            "noise",
            number(&[&NUMBER], POSITIVE),
            Need::Required,
            "of each coordinate of a point, one sigma, pixels",
        ),
        field(
            "rim_points",
            Kind::Count { min: 8, max: 128 },
            Need::Required,
            "points of the rim that each camera looks for",
        ),
        field("rim_radius", number(&[&LENGTH], POSITIVE), Need::Required, "radius of the rim"),
        field("rate", number(&[&FREQUENCY], CLOCK), Need::Required, "pictures in time"),
        field("delay", number(&[&TIME], NOT_NEGATIVE), Need::Required, "from a picture to its pose"),
    ],
};

static DISTANCE: Section = Section {
    name: "distance",
    about: "laser distance sensors around the tool",
    fields: &[
        field("place", number(&[&LENGTH], ANY), Need::Required, "along the tool's axis"),
        field(
            "radius",
            number(&[&LENGTH], NOT_NEGATIVE),
            Need::Required,
            "distance of the sensors from the axis: there they read zero",
        ),
        field(
            "azimuth",
            Kind::Numbers { dims: &[&ANGLE], range: ANY, lengths: &[1, 2, 3, 4, 5, 6, 7, 8] },
            Need::Required,
            "directions around the axis",
        ),
        field("range", number(&[&LENGTH], POSITIVE), Need::Required, "farthest that they see"),
        field("noise", number(&[&LENGTH], NOT_NEGATIVE), Need::Required, "one sigma"),
        field("rate", number(&[&FREQUENCY], CLOCK), Need::Required, "samples in time"),
    ],
};

static GEOMETRY: Section = Section {
    name: "geometry",
    about: "places along the axes of tool and nozzle, as the sequence knows them",
    fields: &[
        field("nose", number(&[&LENGTH], POSITIVE), Need::Required, "nose of the tool ahead of its shoulder"),
        field("exit", number(&[&LENGTH], POSITIVE), Need::Required, "exit of the nozzle from its throat"),
        field(
            "shoulder",
            number(&[&LENGTH], POSITIVE),
            Need::Required,
            "where the shoulder meets the nozzle, from the throat",
        ),
        field(
            "gap",
            number(&[&LENGTH], NOT_NEGATIVE),
            Need::Required,
            "left between shoulder and nozzle after insertion",
        ),
    ],
};

static BOOM_DRIVE: Section = Section {
    name: "boom_drive",
    about: "lengths, speeds and forces of the boom's drive",
    fields: &[
        field(
            "length_start",
            number(&[&LENGTH], POSITIVE),
            Need::Required,
            "length before, and after a retreat",
        ),
        field(
            "length_inserted",
            number(&[&LENGTH], POSITIVE),
            Need::Required,
            "length when the tool is in, for the clock; else the camera says",
        ),
        field(
            "length_docked",
            number(&[&LENGTH], POSITIVE),
            Need::Required,
            "length at which the ring reaches the brackets",
        ),
        field(
            "insertion_speed",
            number(&[&SPEED], POSITIVE),
            Need::Required,
            "outwards, and inwards without a client",
        ),
        field("retraction_speed", number(&[&SPEED], POSITIVE), Need::Required, "inwards with the client"),
        field(
            "approach_speed",
            number(&[&SPEED], POSITIVE),
            Need::Required,
            "near the brackets and when the spring is tensioned",
        ),
        field(
            "approach_distance",
            number(&[&LENGTH], NOT_NEGATIVE),
            Need::Required,
            "last way before the brackets, at that speed",
        ),
        field("ramp", number(&[&TIME], POSITIVE), Need::Required, "in which speeds are reached"),
        field("retraction_ramp", number(&[&TIME], POSITIVE), Need::Required, "the same with the client"),
        field(
            "insertion_force",
            number(&[&FORCE], POSITIVE),
            Need::Required,
            "largest force while the tool goes in",
        ),
        field(
            "force",
            number(&[&FORCE], POSITIVE),
            Need::Required,
            "largest force otherwise; the drive holds by itself when it rests",
        ),
    ],
};

static EVENTS: Section = Section {
    name: "events",
    about: "what the sequence waits for",
    fields: &[
        field(
            "centring_fixes",
            Kind::Count { min: 1, max: 1000 },
            Need::Default("3"),
            "poses that the camera must give before the boom starts",
        ),
        field(
            "lateral_tolerance",
            number(&[&LENGTH], POSITIVE),
            Need::Required,
            "farthest that the nozzle may be off the docking axis for that",
        ),
        field(
            "throat_passed",
            number(&[&LENGTH], POSITIVE),
            Need::Required,
            "a distance sensor has passed the throat when it reads more than this again",
        ),
        field("locking_force", number(&[&FORCE], POSITIVE), Need::Required, "of the crown's drive"),
        field("locked_for", number(&[&TIME], NOT_NEGATIVE), Need::Required, "time for which it must be held"),
        field(
            "retraction_after",
            number(&[&TIME], NOT_NEGATIVE),
            Need::Required,
            "rest before the retraction",
        ),
        field(
            "seated_for",
            number(&[&TIME], NOT_NEGATIVE),
            Need::Required,
            "time for which all brackets must be touched",
        ),
        field(
            "docked_for",
            number(&[&TIME], NOT_NEGATIVE),
            Need::Required,
            "time for which the safety spring must be at its stop",
        ),
        field(
            "retreat_speed",
            number(&[&SPEED], POSITIVE),
            Need::Required,
            "at which the chaser backs off after an abort",
        ),
        field(
            "contact_force",
            number(&[&FORCE], POSITIVE),
            Need::Required,
            "force in the boom that counts as contact: free drift from then on",
        ),
    ],
};

static TIMES: Section = Section {
    name: "times",
    about: "when a docking by the clock goes on",
    fields: &[
        field("inserted", number(&[&TIME], POSITIVE), Need::Required, "the tool is in"),
        field("locked", number(&[&TIME], POSITIVE), Need::Required, "the crown is locked"),
        field("brackets", number(&[&TIME], POSITIVE), Need::Required, "the ring is at the brackets"),
        field("seated", number(&[&TIME], POSITIVE), Need::Required, "the ring lies on the brackets"),
        field("docked", number(&[&TIME], POSITIVE), Need::Required, "the spring is tensioned"),
    ],
};

static ABORT: Section = Section {
    name: "abort",
    about: "when a docking is given up: crown stowed, boom back, thrusters away from the client",
    fields: &[
        field(
            "insertion_timeout",
            number(&[&TIME], POSITIVE),
            Need::Required,
            "from the start until the tool is in",
        ),
        field(
            "insertion_force",
            number(&[&FORCE], POSITIVE),
            Need::Required,
            "push on the tool while it goes in",
        ),
        field("insertion_force_for", number(&[&TIME], NOT_NEGATIVE), Need::Required, "how long it may last"),
        field(
            "lateral_error",
            number(&[&LENGTH], POSITIVE),
            Need::Required,
            "of the nozzle from the docking axis before the tool enters",
        ),
        field("locking_timeout", number(&[&TIME], POSITIVE), Need::Required, "for locking"),
        field("boom_lateral_force", number(&[&FORCE], POSITIVE), Need::Required, "across the boom"),
        field("client_rate", number(&[&SPIN], POSITIVE), Need::Required, "at which the client turns"),
        field(
            "retraction_timeout",
            number(&[&TIME], POSITIVE),
            Need::Required,
            "from locking to the first bracket",
        ),
        field(
            "seating_timeout",
            number(&[&TIME], POSITIVE),
            Need::Required,
            "from the first bracket to all of them",
        ),
        field("tension_timeout", number(&[&TIME], POSITIVE), Need::Required, "for tensioning the spring"),
        field(
            "stowing_timeout",
            number(&[&TIME], POSITIVE),
            Need::Required,
            "for stowing the crown; then the retreat goes on",
        ),
    ],
};

static ALLOWABLES: Section = Section {
    name: "allowables",
    about: "loads above which damage is feared",
    fields: &[
        field("pressure", number(&[&PRESSURE], POSITIVE), Need::Required, "on the nozzle"),
        field("lateral_force", number(&[&FORCE], POSITIVE), Need::Required, "across the nozzle's axis"),
        field("torque", number(&[&TORQUE], POSITIVE), Need::Required, "on the nozzle about its throat"),
        field("penetration", number(&[&LENGTH], POSITIVE), Need::Required, "of any pair"),
        field(
            "margin",
            number(&[&NUMBER], FRACTION),
            Need::Default("0.1"),
            "share of actuators that should be left: below it the report warns",
        ),
    ],
};
