//! The table, part one: the run — time, gravity, integrator, ground, knobs, quantities, studies.

use super::bumper::BumperKeys;
use super::device::{ControllerKeys, InputKeys, PathKeys, SensorKeys};
use super::latch::{LatchKeys, MagnetPairKeys, RatchetKeys};
use super::sequence::SequenceKeys;
use super::typed::{body_name, choice, count, flag, list, number, numbers, one_of, text, texts, vector};
use super::{
    ANY, ActuatorKeys, AocsKeys, BodyKeys, BoomKeys, BracketsKeys, BushingKeys, CaptureToolKeys, ChainKeys,
    CollisionKeys, ConstraintKeys, ContactKeys, ConvergeKeys, DockingKeys, DriveKeys, FRACTION, FigureKeys,
    FlexibleFormKeys, FlexibleKeys, FootKeys, FootLawKeys, FootRigKeys, GaitKeys, GroundKeys, ImpulseKeys,
    IntruderKeys, JointKeys, KeyKind, LegsKeys, LoadKeys, LockingWord, MachineKeys, NOT_NEGATIVE, NozzleKeys,
    OrbitKeys, POSITIVE, PhaseKeys, PointKeys, PolygonalKeys, PressKeys, Range, ReactionWheelKeys,
    ReactionWheelLawKeys, ReportKeys, RigKeys, RocksKeys, SoilContactKeys, SoilKeys, SpringKeys, TerrainKeys,
    ThrusterKeys, ThrusterLawKeys, TouchKeys, TyreKeys, TyreLawKeys, VisualKeys, WheelKeys, WingKeys, Words,
    section, words,
};
use crate::read::{BodyName, Found, KeyValue, Text};
use crate::unit::{ACCELERATION, ANGLE, ATTRACTION, FORCE, LENGTH, NUMBER, PRESSURE, STIFFNESS, TIME};
use touchdown_math::Vec3;

/// Longest run, s: three centuries.
const LONGEST_RUN: Range = Range { min: 0.0, max: 1e10, open: true };
/// Permitted tolerances: below 1e-15 nothing converges in double precision.
const TOLERANCE: Range = Range { min: 1e-15, max: 0.1, open: false };
/// Permitted steps, s.
const STEP: Range = Range { min: 1e-9, max: 1e10, open: false };
/// A slope or tilt, rad: up to a vertical wall.
const SLOPE: Range = Range { min: 0.0, max: std::f64::consts::FRAC_PI_2, open: false };

/// Headings from uphill to downhill, rad.
const HEADING: Range = Range { min: 0.0, max: std::f64::consts::PI, open: false };
/// Lengths of a list of slopes.
const UP_TO_24: &[usize] =
    &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24];

words! {
    pub(crate) enum WorldWord { None = "none", Earth = "earth", Mars = "mars", Moon = "moon" }
}

/// Gravity: that of a world, a vector, or attraction to a centre.
#[derive(Clone, Debug)]
pub(crate) enum GravityKey {
    World(WorldWord),
    Vector(Vec3),
    Central(CentralKeys),
}

impl KeyValue for GravityKey {
    fn of(found: Found) -> Option<Self> {
        let world = || WorldWord::of(found).map(GravityKey::World);
        let vector = || Vec3::of(found).map(GravityKey::Vector);
        world().or_else(vector).or_else(|| found.table().map(GravityKey::Central))
    }
}

/// The default of a knob: it is written to the knob's path before the table is read, and is not read here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnobValue;

impl KeyValue for KnobValue {
    fn of(_: Found) -> Option<Self> {
        Some(KnobValue)
    }
}

/// An integrator: its name alone, or with its settings.
#[derive(Clone, Debug)]
pub(crate) enum IntegratorKey {
    Name(IntegratorWord),
    Table(Box<IntegratorKeys>),
}

impl KeyValue for IntegratorKey {
    fn of(found: Found) -> Option<Self> {
        let name = IntegratorWord::of(found).map(IntegratorKey::Name);
        name.or_else(|| found.table().map(|t| IntegratorKey::Table(Box::new(t))))
    }
}

words! {
    pub(crate) enum StartWord { Automatic = "automatic", AsGiven = "as-given", Equilibrium = "equilibrium" }
}

words! {
    pub(crate) enum ModeWord { Dynamic = "dynamic", Static = "static" }
}

section! {
    /// A scenario file.
    pub(crate) loose struct ScenarioKeys "scenario":
        "a run: what moves, under which forces, for how long, and what it should answer";
    required title: Text = text(), "what it is, in a line";
    #[expect(dead_code)]
    optional based_on: Text = text(),
        "another scenario, by name or file: what this one does not say is taken from there, but for the title";
    optional reproduces: Text = text(), "the paper and figure it follows";
    optional question: Text = text(), "what it answers";
    derived("that of the rig; must be given without one") duration: f64 = number(&[&TIME], LONGEST_RUN),
        "simulated time";
    default("\"10 ms\"") sample_every: f64 = number(&[&TIME], STEP),
        "time between samples: quantities, odometers and path lengths are reductions of them, whatever is recorded";
    default("\"none\"") gravity: GravityKey = one_of(&[
        KeyKind::Choice(WorldWord::WORDS),
        KeyKind::Numbers { dims: &[&ACCELERATION], range: ANY, lengths: &[3] },
        KeyKind::Table(CentralKeys::SECTION),
    ]),
        "a world (along -z), a vector, or a centre of attraction";
    part gravity_tilt: GravityTiltKeys, "turns gravity as a slope would, while the ground stays level";
    default("\"automatic\"") start: StartWord = choice(),
        "from the positions as given, or from static equilibrium; automatic: static equilibrium, where it is found, if a machine is placed by a clearance \
         of 0 or less and nothing moves, else as given";
    default("\"dynamic\"") mode: ModeWord = choice(),
        "dynamic: a run in time; static: only the forces at the start, one row";
    default("0") seed: u64 = count(0, i64::MAX as u64), "seed of random numbers";
    default("\"explicit\"") integrator: IntegratorKey =
        one_of(&[KeyKind::Choice(IntegratorWord::WORDS), KeyKind::Table(IntegratorKeys::SECTION)]),
        "how time advances: its name, or a table; with [gait] or [legs], if none is given, steps of 2 ms (implicit), or of 0.5 ms \
         (realtime) where feet press a grid";
    part record: RecordKeys, "what is recorded and how often";
    named parameters: ParameterKeys, "the knobs: --set NAME=VALUE";
    part ground: GroundKeys, "rigid ground; none if missing";
    part terrain: TerrainKeys, "soil that deforms, instead of ground";
    named soil: SoilKeys, "a soil that terrain names";
    part rig: RigKeys, "a test stand in the terrain";
    named machine: MachineKeys, "a machine, from a file or written here";
    optional commands: Text = text(),
        "a CSV file that drives inputs: a column time_s, and one for each input, whose values are held; an empty cell changes nothing";
    default("false") inputs: bool = flag(),
        "all drives, actuators and prescribed motions outside machines can be commanded while the simulation runs";
    named input: InputKeys, "limits of an input";
    named body: BodyKeys, "a rigid body";
    named joint: JointKeys, "a joint that carries a body";
    named chain: ChainKeys, "equal rods, hinged one to the next";
    optional locks: Vec<Text> = texts(),
        "joints held rigidly at their initial positions; * stands for any text";
    named constraint: ConstraintKeys, "a loop closure, coupling or prescribed motion";
    named spring: SpringKeys, "a spring and damper between two points";
    named bushing: BushingKeys, "a spring and damper in six directions";
    named boom: BoomKeys, "an elastic boom whose length is driven";
    named bumper: BumperKeys, "two balls that push each other apart";
    named latch: LatchKeys, "holds two frames together once they have met";
    named magnet_pair: MagnetPairKeys, "two magnets as dipoles";
    named ratchet: RatchetKeys, "lets two points move one way";
    named actuator: ActuatorKeys, "a linear motor between two points";
    named load: LoadKeys, "a given force and torque";
    named impulse: ImpulseKeys, "a push that acts at once";
    named drive: DriveKeys, "motors on joints";
    named tyre_law: TyreLawKeys, "the numbers of a kind of tyre";
    named tyre: TyreKeys, "a tyre on a wheel, for plane ground";
    named flexible_form: FlexibleFormKeys, "form and material of a kind of flexible body";
    named flexible: FlexibleKeys, "a flexible body: a plate, an airless wheel, a mesh";
    named contact: ContactKeys, "a body that touches rigid ground or another body";
    named polygonal: PolygonalKeys,
        "a body with an elastic layer that touches over an area: bodies of revolution, meshes, rocks";
    named nozzle: NozzleKeys, "an engine whose nozzle a capture tool enters";
    named capture_tool: CaptureToolKeys, "a tool that catches a satellite by its nozzle";
    named brackets: BracketsKeys, "pads on which a ring comes to rest";
    named foot_law: FootLawKeys, "the numbers of a kind of foot";
    named foot: FootKeys, "a foot on hard ground or in soil";
    named intruder: IntruderKeys, "a body that moves through soil: a probe, a tool, a shank";
    part foot_rig: FootRigKeys, "a test stand for a foot";
    part gait: GaitKeys, "how a machine on six legs walks";
    named legs: LegsKeys, "how a machine on legs is controlled: stands, trots, crawls, follows a velocity";
    part orbit: OrbitKeys, "the orbit that the world moves on";
    named wing: WingKeys, "a solar wing on a body";
    named reaction_wheel_law: ReactionWheelLawKeys, "a kind of reaction wheel";
    named reaction_wheel: ReactionWheelKeys, "a reaction or momentum wheel";
    named thruster_law: ThrusterLawKeys, "a kind of thruster";
    named thruster: ThrusterKeys, "a thruster";
    part aocs: AocsKeys, "attitude control of a satellite";
    named attitude_control: AocsKeys, "attitude control of further satellites, with the keys of aocs";
    named sensor: SensorKeys, "a sensor that samples a column";
    named controller: ControllerKeys, "a PID controller of an input";
    named path: PathKeys, "a driver that takes a vehicle along waypoints";
    named sequence: SequenceKeys, "phases that follow each other when conditions hold";
    part docking: DockingKeys, "a boom captures a client by its nozzle";
    part rocks: RocksKeys, "rocks at random places";
    part press: PressKeys, "a body placed against another";
    named wheel: WheelKeys, "a wheel that rolls in soil";
    named soil_contact: SoilContactKeys, "a body that touches soil";
    named point: PointKeys, "a named point whose motion is recorded";
    named collision: CollisionKeys, "a form with which a body touches the ground";
    part touch: TouchKeys, "how collision shapes touch the ground";
    named visual: VisualKeys, "something to draw";
    named quantity: QuantityKeys, "a number of the summary";
    part study: StudyKeys, "something other than one run in time";
    part report: ReportKeys, "what the report page shows first";
    named phase: PhaseKeys, "a part of the run, shaded in figures against time";
    named figure: FigureKeys, "a figure of the report";
    part converge: ConvergeKeys, "what a convergence study refines";
}

section! {
    pub(crate) struct CentralKeys "gravity": "attraction to a point";
    default("[\"0 m\", \"0 m\", \"0 m\"]") centre: Vec3 = vector(&[&LENGTH]), "the attracting point";
    required mu: f64 = number(&[&ATTRACTION], POSITIVE), "gravitational parameter GM";
}

section! {
    pub(crate) struct GravityTiltKeys "gravity_tilt":
        "turns gravity as a slope would, while the ground stays level";
    default("\"0 deg\"") angle: f64 = number(&[&ANGLE], SLOPE), "steepness of the slope";
    default("\"0 deg\"") uphill: f64 = number(&[&ANGLE], ANY), "heading that leads uphill, from x towards y";
}

words! {
    pub(crate) enum IntegratorWord { Explicit = "explicit", Implicit = "implicit", Realtime = "realtime" }
}

section! {
    pub(crate) struct IntegratorKeys "integrator": "how time advances";
    required name: IntegratorWord = choice(),
        "explicit: adaptive Runge-Kutta; implicit: generalised-alpha; realtime: fixed step, bounded work";
    derived("realtime: 1 ms; explicit and implicit: chosen by the tolerance") step: f64 = number(&[&TIME], STEP),
        "fixed step; without it explicit and implicit choose their own";
    derived("explicit: 1e-10; implicit: 1e-6") tolerance: f64 = number(&[&NUMBER], TOLERANCE),
        "relative error allowed in a step";
    derived("a hundredth of the tolerance") absolute_tolerance: f64 = number(&[&NUMBER], TOLERANCE),
        "absolute error allowed in a step (m, rad, m/s, rad/s)";
    derived("the duration") longest_step: f64 = number(&[&TIME], STEP), "longest adaptive step";
    optional exchange_every: f64 = number(&[&TIME], STEP),
        "adaptive steps end on multiples of this, so that stopping or steering there changes no bit";
    derived("implicit: 0.8") spectral_radius: f64 = number(&[&NUMBER], FRACTION),
        "implicit: 0 damps high frequencies most, 1 not at all";
}

section! {
    pub(crate) struct RecordKeys "record": "what is recorded and how often";
    default("\"10 ms\"") series_every: f64 = number(&[&TIME], STEP), "time between rows of the series";
    default("\"50 ms\"") frames_every: f64 = number(&[&TIME], STEP), "time between frames of the 3-D view";
    default("\"30 s\"") checkpoint_every: f64 = number(&[&TIME], STEP),
        "wall-clock time between checkpoints; does not change results";
    default("false") reactions: bool = flag(), "record the wrench through every joint, six columns each";
}

section! {
    pub(crate) struct ParameterKeys "parameters": "a knob: a short name for a dotted path of the file";
    #[expect(dead_code)]
    required path: Text = text(), "the value it turns, such as spring.drawbar.stiffness";
    #[expect(dead_code)]
    derived("what the file says at the path") default: KnobValue = one_of(&[
        KeyKind::Text,
        KeyKind::Number(&[&NUMBER], ANY),
        KeyKind::Flag,
        KeyKind::Numbers { dims: &[&NUMBER], range: ANY, lengths: &[1, 2, 3, 4, 5, 6] },
    ]),
        "its value if it is not turned";
}

words! {
    pub(crate) enum TakeWord {
        End = "end",
        Begin = "begin",
        Max = "max",
        Min = "min",
        Mean = "mean",
        Deviation = "deviation",
        Change = "change",
        AtCrossing = "at-crossing",
    }
}

section! {
    pub(crate) struct QuantityKeys "quantity": "a number of the summary: a column of the series, reduced";
    required column: Text = text(), "column of the series, such as joint.crank.position_rad";
    chooser("\"end\"") take: TakeWord = choice(),
        "how it becomes a number; at-crossing: its value when another column first rises to a level";
    optional crossing: Text = text(), "at-crossing: the other column";
    optional level: f64 = number(&[&NUMBER], ANY), "at-crossing: the level, in the other column's unit";
    default("\"0 s\"") from: f64 = number(&[&TIME], NOT_NEGATIVE), "first time that counts";
    filled("the duration") to: f64 = number(&[&TIME], NOT_NEGATIVE), "last time that counts";
    optional scale: f64 = number(&[&NUMBER], POSITIVE),
        "least size that an error is held against, in its unit: for values that may be near zero, such as a pull beside its load";
}

section! {
    /// A wheel that is pressed for comparison.
    pub(crate) struct BesideKeys "beside":
        "a wheel pressed beside the one in question, like it but for the keys given";
    optional orientation: f64 = number(&[&ANGLE], ANY), "its turn; at zero a spoke points down";
    optional young_modulus: f64 = number(&[&PRESSURE], POSITIVE), "its E";
    optional elements_per_quadrant: u64 = count(1, 64),
        "its rim elements of a quarter turn, and elements along each spoke unless elements_per_spoke says otherwise";
    optional elements_per_spoke: u64 = count(1, 64), "elements along each of its spokes";
    optional elements_across: u64 = count(1, 64), "its elements across the width";
}

words! {
    pub(crate) enum StudyWord {
        Tilt = "tilt",
        Gradability = "gradability",
        Traverse = "traverse",
        Spacings = "spacings",
        WheelPress = "wheel-press",
        FreeRolling = "free-rolling",
        Modes = "modes",
        StaticLoad = "static-load",
        ShellCourse = "shell-course",
    }
}

words! {
    pub(crate) enum ShellWord {
        PinchedCylinder = "pinched-cylinder",
        ScordelisLoRoof = "scordelis-lo-roof",
        HemisphereWithHole = "hemisphere-with-hole",
    }
}

words! {
    pub(crate) enum FollowWord { Stable = "stable", Primary = "primary" }
}

section! {
    pub(crate) struct StudyKeys "study": "something other than one run in time";
    required kind: StudyWord = choice(),
        "tilt: the ground tilted in every direction until the first wheel lifts or slips; gradability: slopes \
             raised until a vehicle no longer climbs; traverse: one slope driven at a heading until a distance is gained or the vehicle is stuck; spacings: a run on ground by formula, repeated on maps of it; \
             wheel-press: the hub of a flexible wheel lowered on flat ground or into level terrain, without time and without friction; \
             free-rolling: a flexible wheel towed along x without a drive, for its rolling radius and resistance; \
             modes: natural frequencies of a flexible body; static-load: a plate that is held, and bent by a load at its far edge; \
             shell-course: a curved shell of the literature under its published load, by itself";
    optional slope: f64 = number(&[&ANGLE], SLOPE), "traverse: the slope";
    optional heading: f64 = number(&[&ANGLE], HEADING),
        "traverse: direction in which the vehicle looks at the start, clockwise from uphill; the slope falls to its right";
    optional stuck_over: f64 = number(&[&LENGTH], POSITIVE),
        "traverse: distance rolled by the wheels over which a mean slip at the limit counts as stuck, such as half a wheelbase";
    derived("tilt: 36") directions: u64 = count(1, 3600), "tilt: directions around the circle";
    derived("tilt: 60 deg") largest: f64 = number(&[&ANGLE], SLOPE), "tilt: largest tilt tried";
    derived("tilt: 0.1 deg") resolution: f64 = number(&[&ANGLE], Range { min: 1e-6, max: 0.2, open: false }),
        "tilt: how finely the limiting angle is found";
    optional required: f64 = number(&[&ANGLE], SLOPE), "tilt: angle that must be held";
    optional slopes: Vec<f64> = list(&[&ANGLE], SLOPE, UP_TO_24),
        "gradability: slopes in the order in which they are tried";
    derived("the only one") body: BodyName = body_name(), "spacings: the body whose path is compared";
    optional spacings: Vec<f64> = list(&[&LENGTH], POSITIVE, UP_TO_24),
        "spacings: distances of the maps' nodes, coarse to fine";
    derived("spacings: 20 m") size: Vec<f64> = list(&[&LENGTH], POSITIVE, &[1, 2]),
        "spacings: how far the maps reach along x and y";
    derived("spacings: the origin") centre: [f64; 2] = numbers(&[&LENGTH], ANY),
        "spacings: x and y of the middle of the maps";
    derived("the only one") wheel: Text = text(), "wheel-press, free-rolling: the [flexible.NAME] in question";
    derived("free-rolling: 180 deg") run_in: f64 = number(&[&ANGLE], NOT_NEGATIVE),
        "free-rolling: angle of the hub's joint from which it counts";
    derived("free-rolling: 1") turns: u64 = count(1, 1_000), "free-rolling: whole turns that count";
    derived("free-rolling: 1 s") from: f64 = number(&[&TIME], NOT_NEGATIVE),
        "free-rolling: time from which load and deformation are averaged";
    derived("wheel-press: 30 mm") deflection_max: f64 = number(&[&LENGTH], POSITIVE),
        "wheel-press: how far the hub is lowered";
    derived("wheel-press: 60, static-load: 10") rows: u64 = count(1, 10_000),
        "wheel-press, static-load: deflections or loads after the first, which is zero";
    derived("wheel-press: stable") follow: FollowWord = choice(),
        "wheel-press, on rigid ground: where equilibrium loses its stability (a spoke buckles), the stable branch that a wheel takes, or the one that begins without load";
    derived("the only one") flexible: Text = text(), "modes, static-load: the [flexible.NAME] in question";
    derived("modes: 6") count: u64 = count(1, 100), "modes: how many, rigid motions not counted";
    optional force: f64 = number(&[&FORCE], ANY),
        "static-load: the whole load along z of the world, spread evenly over the edge at x = length";
    optional spring: f64 = number(&[&STIFFNESS], POSITIVE),
        "wheel-press: stiffness of a spring whose line is shown beside the wheel's curve";
    optional shell: ShellWord = choice(), "shell-course: which shell";
    derived("shell-course: 16") elements: u64 = count(4, 64),
        "shell-course: elements along each side of the symmetric part; meshes with half and a quarter as many come first";
    derived("shell-course: assumed") locking: LockingWord = choice(), "shell-course: remedy against locking";
    named beside: BesideKeys, "wheel-press: a wheel pressed beside it: turned, finer, or of another material";
    derived("the only one") vehicle: Text = text(), "gradability, traverse: the machine that drives";
    derived("gradability, traverse: 1 m") distance: f64 = number(&[&LENGTH], POSITIVE),
        "gradability, traverse: distance to gain on each slope, along the heading";
    derived("gradability, traverse: 0.8") slip_limit: f64 = number(&[&NUMBER], FRACTION),
        "gradability: slip from which on a slope counts as not climbed; traverse: as stuck";
    derived("gradability, traverse: the duration") time_limit: f64 = number(&[&TIME], LONGEST_RUN),
        "gradability, traverse: time at most on each slope";
    derived("gradability, traverse: 5 s") turn_time: f64 = number(&[&TIME], LONGEST_RUN),
        "gradability, traverse: time in which gravity turns from one slope to the next";
}
