//! The table, part one: the run — time, gravity, integrator, ground, knobs, quantities, studies.

use super::boom::BOOM;
use super::bumper::BUMPER;
use super::capture::{BRACKETS, CAPTURE_TOOL, NOZZLE};
use super::contact::CONTACT;
use super::converge::CONVERGE;
use super::device::{CONTROLLER, SENSOR};
use super::docking::DOCKING;
use super::element::{ACTUATOR, BUSHING, CONSTRAINT, DRIVE, IMPULSE_ON, LOAD, SPRING};
use super::equipment::{POINT, TYRE, TYRE_LAW, VISUAL};
use super::flexible;
use super::foot::{FOOT, FOOT_LAW, FOOT_RIG, GAIT};
use super::ground::GROUND;
use super::machine::{BODY, CHAIN, JOINT, MACHINE};
use super::polygonal::{POLYGONAL, PRESS, ROCKS};
use super::report::{FIGURE, PHASE, REPORT};
use super::rig::RIG;
use super::soil::{SOIL, SOIL_CONTACT, TERRAIN, WHEEL};
use super::spacecraft::{AOCS, ORBIT, REACTION_WHEEL, REACTION_WHEEL_LAW, THRUSTER, THRUSTER_LAW, WING};
use super::{
    ANY, FRACTION, Field, Kind, NOT_NEGATIVE, Need, POSITIVE, Range, Section, field, number, vector,
};
use crate::unit::{ACCELERATION, ANGLE, ATTRACTION, FORCE, LENGTH, NUMBER, PRESSURE, STIFFNESS, TIME};

/// Longest run, s: three centuries.
const LONGEST_RUN: Range = Range { min: 0.0, max: 1e10, open: true };
/// Allowed tolerances: below 1e-15 nothing converges in double precision.
const TOLERANCE: Range = Range { min: 1e-15, max: 0.1, open: false };
/// Allowed steps, s.
const STEP: Range = Range { min: 1e-9, max: 1e10, open: false };
/// A slope or tilt, rad: up to a vertical wall.
const SLOPE: Range = Range { min: 0.0, max: std::f64::consts::FRAC_PI_2, open: false };

/// Lengths of a list of slopes.
const UP_TO_24: &[usize] =
    &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24];

/// A scenario file.
pub static SCENARIO: Section = Section {
    name: "scenario",
    about: "a run: what moves, under which forces, for how long, and what it should answer",
    fields: SCENARIO_FIELDS,
};

static SCENARIO_FIELDS: &[Field] = &[
    field("title", Kind::Text, Need::Required, "what it is, in a line"),
    field(
        "based_on",
        Kind::Text,
        Need::Optional,
        "another scenario, by name or file: what this one does not say is taken from there, but for the title",
    ),
    field("reproduces", Kind::Text, Need::Optional, "the paper and figure it follows"),
    field("question", Kind::Text, Need::Optional, "what it answers"),
    field(
        "duration",
        number(&[&TIME], LONGEST_RUN),
        Need::Derived("that of the rig; must be given without one"),
        "simulated time",
    ),
    field(
        "sample_every",
        number(&[&TIME], STEP),
        Need::Default("\"10 ms\""),
        "time between samples: quantities, odometers and path lengths are reductions of them, whatever is recorded",
    ),
    field(
        "gravity",
        Kind::OneOf(&[
            Kind::Choice(&["none", "earth", "mars", "moon"]),
            vector(&[&ACCELERATION]),
            Kind::Table(&CENTRAL),
        ]),
        Need::Default("\"none\""),
        "a world (along -z), a vector, or a centre of attraction",
    ),
    field(
        "gravity_tilt",
        Kind::Table(&GRAVITY_TILT),
        Need::Optional,
        "turns gravity as a slope would, while the ground stays level",
    ),
    field(
        "start",
        Kind::Choice(&["as-given", "equilibrium"]),
        Need::Default("\"as-given\""),
        "from the positions as given, or from static equilibrium",
    ),
    field(
        "mode",
        Kind::Choice(&["dynamic", "static"]),
        Need::Default("\"dynamic\""),
        "dynamic: a run in time; static: only the forces at the start, one row",
    ),
    field("seed", Kind::Count { min: 0, max: i64::MAX as u64 }, Need::Default("0"), "seed of random numbers"),
    field(
        "integrator",
        Kind::OneOf(&[Kind::Choice(&["explicit", "implicit", "realtime"]), Kind::Table(&INTEGRATOR)]),
        Need::Default("\"explicit\""),
        "how time advances: its name, or a table; with [gait], if none is given, steps of 2 ms (implicit), or of 0.5 ms \
         (realtime) where feet press a grid",
    ),
    field("record", Kind::Table(&RECORD), Need::Optional, "what is recorded and how often"),
    field("parameters", Kind::Map(&PARAMETER), Need::Optional, "the knobs: --set NAME=VALUE"),
    field("ground", Kind::Table(&GROUND), Need::Optional, "rigid ground; none if missing"),
    field("terrain", Kind::Table(&TERRAIN), Need::Optional, "soil that deforms, instead of ground"),
    field("soil", Kind::Map(&SOIL), Need::Optional, "a soil that terrain names"),
    field("rig", Kind::Table(&RIG), Need::Optional, "a test stand in the terrain"),
    field("machine", Kind::Map(&MACHINE), Need::Optional, "a machine, from a file or written here"),
    field(
        "commands",
        Kind::Text,
        Need::Optional,
        "a CSV file that drives inputs: a column time_s, and one for each input, whose values are held; an empty cell changes nothing",
    ),
    field(
        "inputs",
        Kind::Flag,
        Need::Default("false"),
        "all drives, actuators and prescribed motions outside machines can be commanded while the simulation runs",
    ),
    field("body", Kind::Map(&BODY), Need::Optional, "a rigid body"),
    field("joint", Kind::Map(&JOINT), Need::Optional, "a joint that carries a body"),
    field("chain", Kind::Map(&CHAIN), Need::Optional, "equal rods, hinged one to the next"),
    field(
        "locks",
        Kind::Texts,
        Need::Optional,
        "joints held rigidly at their initial positions; * stands for anything",
    ),
    field(
        "constraint",
        Kind::Map(&CONSTRAINT),
        Need::Optional,
        "a loop closure, coupling or prescribed motion",
    ),
    field("spring", Kind::Map(&SPRING), Need::Optional, "a spring and damper between two points"),
    field("bushing", Kind::Map(&BUSHING), Need::Optional, "a six-way spring and damper"),
    field("boom", Kind::Map(&BOOM), Need::Optional, "an elastic boom whose length is driven"),
    field("bumper", Kind::Map(&BUMPER), Need::Optional, "two balls that push each other apart"),
    field("actuator", Kind::Map(&ACTUATOR), Need::Optional, "a linear motor between two points"),
    field("load", Kind::Map(&LOAD), Need::Optional, "a given force and torque"),
    field("impulse", Kind::Map(&IMPULSE_ON), Need::Optional, "a push that acts at once"),
    field("drive", Kind::Map(&DRIVE), Need::Optional, "motors on joints"),
    field("tyre_law", Kind::Map(&TYRE_LAW), Need::Optional, "the numbers of a kind of tyre"),
    field("tyre", Kind::Map(&TYRE), Need::Optional, "a tyre on a wheel, for plane ground"),
    flexible::FORMS,
    flexible::BODIES,
    field("contact", Kind::Map(&CONTACT), Need::Optional, "a body that touches rigid ground or another body"),
    field(
        "polygonal",
        Kind::Map(&POLYGONAL),
        Need::Optional,
        "a body with an elastic layer that touches over an area: bodies of revolution, meshes, rocks",
    ),
    field("nozzle", Kind::Map(&NOZZLE), Need::Optional, "an engine whose nozzle a capture tool enters"),
    field(
        "capture_tool",
        Kind::Map(&CAPTURE_TOOL),
        Need::Optional,
        "a tool that catches a satellite by its nozzle",
    ),
    field("brackets", Kind::Map(&BRACKETS), Need::Optional, "pads on which a ring comes to rest"),
    field("foot_law", Kind::Map(&FOOT_LAW), Need::Optional, "the numbers of a kind of foot"),
    field("foot", Kind::Map(&FOOT), Need::Optional, "a foot on hard ground or in soil"),
    field("foot_rig", Kind::Table(&FOOT_RIG), Need::Optional, "a test stand for a foot"),
    field("gait", Kind::Table(&GAIT), Need::Optional, "how a machine on six legs walks"),
    field("orbit", Kind::Table(&ORBIT), Need::Optional, "the orbit that the world moves on"),
    field("wing", Kind::Map(&WING), Need::Optional, "a solar wing on a body"),
    field("reaction_wheel_law", Kind::Map(&REACTION_WHEEL_LAW), Need::Optional, "a kind of reaction wheel"),
    field("reaction_wheel", Kind::Map(&REACTION_WHEEL), Need::Optional, "a reaction or momentum wheel"),
    field("thruster_law", Kind::Map(&THRUSTER_LAW), Need::Optional, "a kind of thruster"),
    field("thruster", Kind::Map(&THRUSTER), Need::Optional, "a thruster"),
    field("aocs", Kind::Table(&AOCS), Need::Optional, "attitude control of a satellite"),
    field(
        "attitude_control",
        Kind::Map(&AOCS),
        Need::Optional,
        "attitude control of further satellites, with the keys of aocs",
    ),
    field("sensor", Kind::Map(&SENSOR), Need::Optional, "a sensor that samples a column"),
    field("controller", Kind::Map(&CONTROLLER), Need::Optional, "a PID controller of an input"),
    field("docking", Kind::Table(&DOCKING), Need::Optional, "a boom captures a client by its nozzle"),
    field("rocks", Kind::Table(&ROCKS), Need::Optional, "rocks at random places"),
    field("press", Kind::Table(&PRESS), Need::Optional, "a body placed against another"),
    field("wheel", Kind::Map(&WHEEL), Need::Optional, "a wheel that rolls in soil"),
    field("soil_contact", Kind::Map(&SOIL_CONTACT), Need::Optional, "a body that touches soil"),
    field("point", Kind::Map(&POINT), Need::Optional, "a named point whose motion is recorded"),
    field("visual", Kind::Map(&VISUAL), Need::Optional, "something to draw"),
    field("quantity", Kind::Map(&QUANTITY), Need::Optional, "a number of the summary"),
    field("study", Kind::Table(&STUDY), Need::Optional, "something other than one run in time"),
    field("report", Kind::Table(&REPORT), Need::Optional, "what the report page shows first"),
    field("phase", Kind::Map(&PHASE), Need::Optional, "a part of the run, shaded in figures against time"),
    field("figure", Kind::Map(&FIGURE), Need::Optional, "a figure of the report"),
    field("converge", Kind::Table(&CONVERGE), Need::Optional, "what a convergence study refines"),
];

static CENTRAL: Section = Section {
    name: "gravity",
    about: "attraction to a point",
    fields: &[
        field(
            "centre",
            vector(&[&LENGTH]),
            Need::Default("[\"0 m\", \"0 m\", \"0 m\"]"),
            "the attracting point",
        ),
        field("mu", number(&[&ATTRACTION], POSITIVE), Need::Required, "gravitational parameter GM"),
    ],
};

static GRAVITY_TILT: Section = Section {
    name: "gravity_tilt",
    about: "turns gravity as a slope would, while the ground stays level",
    fields: &[
        field("angle", number(&[&ANGLE], SLOPE), Need::Default("\"0 deg\""), "steepness of the slope"),
        field(
            "uphill",
            number(&[&ANGLE], ANY),
            Need::Default("\"0 deg\""),
            "heading that leads uphill, from x towards y",
        ),
    ],
};

static INTEGRATOR: Section = Section {
    name: "integrator",
    about: "how time advances",
    fields: &[
        field(
            "name",
            Kind::Choice(&["explicit", "implicit", "realtime"]),
            Need::Required,
            "explicit: adaptive Runge-Kutta; implicit: generalised-alpha; realtime: fixed step, bounded work",
        ),
        field(
            "step",
            number(&[&TIME], STEP),
            Need::Derived("realtime: 1 ms; explicit and implicit: chosen by the tolerance"),
            "fixed step; without it explicit and implicit choose their own",
        ),
        field(
            "tolerance",
            number(&[&NUMBER], TOLERANCE),
            Need::Derived("explicit: 1e-10; implicit: 1e-6"),
            "relative error allowed in a step",
        ),
        field(
            "absolute_tolerance",
            number(&[&NUMBER], TOLERANCE),
            Need::Derived("a hundredth of the tolerance"),
            "absolute error allowed in a step (m, rad, m/s, rad/s)",
        ),
        field("longest_step", number(&[&TIME], STEP), Need::Derived("the duration"), "longest adaptive step"),
        field(
            "exchange_every",
            number(&[&TIME], STEP),
            Need::Optional,
            "adaptive steps end on multiples of this, so that stopping or steering there changes no bit",
        ),
        field(
            "spectral_radius",
            number(&[&NUMBER], FRACTION),
            Need::Derived("implicit: 0.8"),
            "implicit: 0 damps high frequencies most, 1 not at all",
        ),
    ],
};

static RECORD: Section = Section {
    name: "record",
    about: "what is recorded and how often",
    fields: &[
        field(
            "series_every",
            number(&[&TIME], STEP),
            Need::Default("\"10 ms\""),
            "time between rows of the series",
        ),
        field(
            "frames_every",
            number(&[&TIME], STEP),
            Need::Default("\"50 ms\""),
            "time between frames of the 3-D view",
        ),
        field(
            "checkpoint_every",
            number(&[&TIME], STEP),
            Need::Default("\"30 s\""),
            "wall-clock time between checkpoints; does not change results",
        ),
        field(
            "reactions",
            Kind::Flag,
            Need::Default("false"),
            "record the wrench through every joint, six columns each",
        ),
    ],
};

static PARAMETER: Section = Section {
    name: "parameters",
    about: "a knob: a short name for a dotted path of the file",
    fields: &[
        field("path", Kind::Text, Need::Required, "the value it turns, such as spring.drawbar.stiffness"),
        field(
            "default",
            Kind::OneOf(&[
                Kind::Text,
                number(&[&NUMBER], ANY),
                Kind::Flag,
                Kind::Numbers { dims: &[&NUMBER], range: ANY, lengths: &[1, 2, 3, 4, 5, 6] },
            ]),
            Need::Derived("what the file says at the path"),
            "its value if it is not turned",
        ),
    ],
};

static QUANTITY: Section = Section {
    name: "quantity",
    about: "a number of the summary: a column of the series, reduced",
    fields: &[
        field("column", Kind::Text, Need::Required, "column of the series, such as joint.crank.position_rad"),
        field(
            "take",
            Kind::Choice(&["end", "begin", "max", "min", "mean", "deviation", "change", "at-crossing"]),
            Need::Default("\"end\""),
            "how it becomes a number; at-crossing: its value when another column first rises to a level",
        ),
        field("crossing", Kind::Text, Need::Optional, "at-crossing: the other column"),
        field(
            "level",
            number(&[&NUMBER], ANY),
            Need::Optional,
            "at-crossing: the level, in the other column's unit",
        ),
        field("from", number(&[&TIME], NOT_NEGATIVE), Need::Default("\"0 s\""), "first time that counts"),
        field("to", number(&[&TIME], NOT_NEGATIVE), Need::Derived("the duration"), "last time that counts"),
    ],
};

/// A wheel that is pressed beside the one in question.
static BESIDE: Section = Section {
    name: "beside",
    about: "a wheel pressed beside the one in question, like it but for the keys given",
    fields: &[
        field("orientation", number(&[&ANGLE], ANY), Need::Optional, "its turn; at zero a spoke points down"),
        field("young_modulus", number(&[&PRESSURE], POSITIVE), Need::Optional, "its E"),
        field(
            "elements_per_quadrant",
            Kind::Count { min: 1, max: 64 },
            Need::Optional,
            "its rim elements of a quarter turn, and elements along each spoke",
        ),
        field(
            "elements_across",
            Kind::Count { min: 1, max: 64 },
            Need::Optional,
            "its elements across the width",
        ),
    ],
};

static STUDY: Section = Section {
    name: "study",
    about: "something other than one run in time",
    fields: &[
        field(
            "kind",
            Kind::Choice(&["tilt", "gradability", "spacings", "wheel-press", "modes", "static-load"]),
            Need::Required,
            "tilt: the ground tilted in every direction until the first wheel lifts or slips; gradability: slopes \
             raised until a vehicle no longer climbs; spacings: a run on ground by formula, repeated on maps of it; \
             wheel-press: the hub of a flexible wheel lowered on flat ground or into level terrain, without time and without friction; \
             modes: natural frequencies of a flexible body; static-load: a plate that is held, and bent by a load at its far edge",
        ),
        field(
            "directions",
            Kind::Count { min: 1, max: 3600 },
            Need::Derived("tilt: 36"),
            "tilt: directions around the circle",
        ),
        field("largest", number(&[&ANGLE], SLOPE), Need::Derived("tilt: 60 deg"), "tilt: largest tilt tried"),
        field(
            "resolution",
            number(&[&ANGLE], Range { min: 1e-6, max: 0.2, open: false }),
            Need::Derived("tilt: 0.1 deg"),
            "tilt: how finely the limiting angle is found",
        ),
        field("required", number(&[&ANGLE], SLOPE), Need::Optional, "tilt: angle that must be held"),
        field(
            "slopes",
            Kind::Numbers { dims: &[&ANGLE], range: SLOPE, lengths: UP_TO_24 },
            Need::Optional,
            "gradability: slopes in the order in which they are tried",
        ),
        field("body", Kind::Text, Need::Derived("the only one"), "spacings: the body whose way is compared"),
        field(
            "spacings",
            Kind::Numbers { dims: &[&LENGTH], range: POSITIVE, lengths: UP_TO_24 },
            Need::Optional,
            "spacings: distances of the maps' nodes, coarse to fine",
        ),
        field(
            "size",
            Kind::Numbers { dims: &[&LENGTH], range: POSITIVE, lengths: &[1, 2] },
            Need::Derived("spacings: 20 m"),
            "spacings: how far the maps reach along x and y",
        ),
        field(
            "centre",
            Kind::Numbers { dims: &[&LENGTH], range: ANY, lengths: &[2] },
            Need::Derived("spacings: the origin"),
            "spacings: x and y of the middle of the maps",
        ),
        field(
            "wheel",
            Kind::Text,
            Need::Derived("the only one"),
            "wheel-press: the [flexible.NAME] that is pressed",
        ),
        field(
            "deflection_max",
            number(&[&LENGTH], POSITIVE),
            Need::Derived("wheel-press: 30 mm"),
            "wheel-press: how far the hub is lowered",
        ),
        field(
            "rows",
            Kind::Count { min: 1, max: 10_000 },
            Need::Derived("wheel-press: 60, static-load: 10"),
            "wheel-press, static-load: deflections or loads after the first, which is zero",
        ),
        field(
            "flexible",
            Kind::Text,
            Need::Derived("the only one"),
            "modes, static-load: the [flexible.NAME] in question",
        ),
        field(
            "count",
            Kind::Count { min: 1, max: 100 },
            Need::Derived("modes: 6"),
            "modes: how many, rigid motions not counted",
        ),
        field(
            "force",
            number(&[&FORCE], ANY),
            Need::Optional,
            "static-load: the whole load along z of the world, spread evenly over the edge at x = length",
        ),
        field(
            "spring",
            number(&[&STIFFNESS], POSITIVE),
            Need::Optional,
            "wheel-press: stiffness of a spring whose line is shown beside the wheel's curve",
        ),
        field(
            "beside",
            Kind::Map(&BESIDE),
            Need::Optional,
            "wheel-press: a wheel pressed beside it: turned, finer, or of another material",
        ),
        field("vehicle", Kind::Text, Need::Derived("the only one"), "gradability: the machine that climbs"),
        field(
            "distance",
            number(&[&LENGTH], POSITIVE),
            Need::Derived("gradability: 1 m"),
            "gradability: distance to gain on each slope",
        ),
        field(
            "slip_limit",
            number(&[&NUMBER], FRACTION),
            Need::Derived("gradability: 0.8"),
            "gradability: slip from which on a slope counts as not climbed",
        ),
        field(
            "time_limit",
            number(&[&TIME], LONGEST_RUN),
            Need::Derived("gradability: the duration"),
            "gradability: time at most on each slope",
        ),
        field(
            "turn_time",
            number(&[&TIME], LONGEST_RUN),
            Need::Derived("gradability: 5 s"),
            "gradability: time in which gravity turns from one slope to the next",
        ),
    ],
};
