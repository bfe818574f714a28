//! The table: a docking — the two satellites, sensors, sequence, limits.

use super::typed::{body_name, choice, count, list, number, numbers, table, text, texts, vector};
use super::{ANY, FRACTION, NOT_NEGATIVE, POSITIVE, Range, section, words};
use crate::read::{BodyName, Text};
use crate::unit::{ANGLE, FORCE, FREQUENCY, LENGTH, NUMBER, PRESSURE, SPEED, SPIN, TIME, TORQUE};
use touchdown_math::Vec3;

/// Clocks of sensors and of the sequence, Hz.
const CLOCK: Range = Range { min: 1e-2, max: 1e3, open: false };
/// Initial tilts, rad: the nozzle faces the chaser.
const TILT: Range = Range { min: -1.0, max: 1.0, open: false };

words! {
    pub(crate) enum TriggerWord { Sensors = "sensors", Clock = "clock" }
}

section! {
    /// A docking.
    pub(crate) struct DockingKeys "docking":
        "a boom brings a tool into the nozzle of a client, a crown locks it, and the boom pulls the client onto brackets; driven by sensors";
    required chaser: BodyName = body_name(), "body of the satellite with the boom; attitude control is its own";
    required client: BodyName = body_name(), "body of the other; it is placed by throat, offset and tilt";
    required boom: Text = text(), "the [boom.NAME] that is driven";
    required tool: Text = text(), "the [polygonal.NAME] of tool and nozzle; the nozzle is its reference";
    required bolt: Text = text(),
        "the [polygonal.NAME] of central bolt and nozzle; the nozzle is its reference";
    required crown: Text = text(),
        "the [polygonal.NAME] of nozzle and crown; the crown is its reference, and opens";
    required brackets: Vec<Text> = texts(), "the [polygonal.NAME] of ring and brackets";
    required throat: Vec3 = vector(&[&LENGTH]),
        "where the nozzle's throat is at the start, in the chaser's frame, without offset";
    default("\"0 m\"") offset_x: f64 = number(&[&LENGTH], ANY),
        "of the throat from there, along the chaser's x";
    default("\"0 m\"") offset_y: f64 = number(&[&LENGTH], ANY), "the same along y";
    default("\"0 deg\"") tilt_x: f64 = number(&[&ANGLE], TILT),
        "rotation vector of the client about its throat: along the chaser's x";
    default("\"0 deg\"") tilt_y: f64 = number(&[&ANGLE], TILT), "the same along y";
    default("[\"0 m/s\", \"0 m/s\", \"0 m/s\"]") relative_velocity: Vec3 = vector(&[&SPEED]),
        "of the client against the chaser at the start, chaser's axes";
    default("\"0 deg/s\"") client_rate: f64 = number(&[&SPIN], ANY), "of the client about its x at the start";
    default("\"50 Hz\"") rate: f64 = number(&[&FREQUENCY], CLOCK), "how often the sequence looks and acts";
    default("\"sensors\"") trigger: TriggerWord = choice(),
        "what triggers the next phase: the sensors, or a timetable";
    required crown_speed: f64 = number(&[&SPEED], POSITIVE), "of the crown's drive";
    required switch_force: f64 = number(&[&FORCE], POSITIVE),
        "at which contact switches close; they open at half of it";
    default("\"20 s\"") average_over: f64 = number(&[&TIME], POSITIVE),
        "time over which locking force and final tension are averaged";
    required camera: CameraKeys = table(), "two cameras on the chaser, which look along its z";
    required distance: DistanceKeys = table(), "distance sensors around the tool, which look outwards";
    required geometry: GeometryKeys = table(), "places along the axes of tool and nozzle";
    required drive: BoomDriveKeys = table(), "how the boom is driven";
    required events: EventsKeys = table(), "what the sequence waits for";
    optional times: TimesKeys = table(), "the timetable; for trigger = \"clock\"";
    required abort: AbortKeys = table(), "when it aborts and retreats";
    required allowables: AllowablesKeys = table(), "loads above which damage is feared";
}

section! {
    pub(crate) struct CameraKeys "camera": "a stereo pair of pinhole cameras that sees the rim of the nozzle";
    required position: [f64; 6] = numbers(&[&LENGTH], ANY),
        "of both cameras in the chaser's frame: x y z, x y z";
    required focal: f64 = number(&[&NUMBER], POSITIVE), "focal length, pixels";
    required image: [f64; 2] = numbers(&[&NUMBER], POSITIVE), "width and height, pixels";
    required noise: f64 = number(&[&NUMBER], POSITIVE), "of each coordinate of a point, one sigma, pixels";
    required rim_points: u64 = count(8, 128), "points of the rim that each camera looks for";
    derived("the exit radius of the nozzle") rim_radius: f64 = number(&[&LENGTH], POSITIVE),
        "radius of the rim that the camera looks for, where that is not the nozzle's";
    required rate: f64 = number(&[&FREQUENCY], CLOCK), "pictures in time";
    required delay: f64 = number(&[&TIME], NOT_NEGATIVE), "from a picture to its pose";
}

section! {
    pub(crate) struct DistanceKeys "distance": "laser distance sensors around the tool";
    required place: f64 = number(&[&LENGTH], ANY), "along the tool's axis";
    required radius: f64 = number(&[&LENGTH], NOT_NEGATIVE),
        "distance of the sensors from the axis: there they read zero";
    required azimuth: Vec<f64> = list(&[&ANGLE], ANY, &[1, 2, 3, 4, 5, 6, 7, 8]),
        "directions around the axis";
    required range: f64 = number(&[&LENGTH], POSITIVE), "farthest that they see";
    required noise: f64 = number(&[&LENGTH], NOT_NEGATIVE), "one sigma";
    required rate: f64 = number(&[&FREQUENCY], CLOCK), "samples in time";
}

section! {
    pub(crate) struct GeometryKeys "geometry":
        "places along the axes of tool and nozzle, as the sequence knows them";
    derived("the nose of the capture tool's bolt") nose: f64 = number(&[&LENGTH], POSITIVE),
        "nose of the tool ahead of its shoulder, where the sequence knows it wrongly";
    derived("the bell length of the nozzle") exit: f64 = number(&[&LENGTH], POSITIVE),
        "exit of the nozzle from its throat, where the sequence knows it wrongly";
    required shoulder: f64 = number(&[&LENGTH], POSITIVE),
        "where the shoulder meets the nozzle, from the throat";
    required gap: f64 = number(&[&LENGTH], NOT_NEGATIVE), "left between shoulder and nozzle after insertion";
}

section! {
    pub(crate) struct BoomDriveKeys "boom_drive": "lengths, speeds and forces of the boom's drive";
    required length_start: f64 = number(&[&LENGTH], POSITIVE), "length before, and after a retreat";
    required length_inserted: f64 = number(&[&LENGTH], POSITIVE),
        "length when the tool is in, for the clock; else the camera says";
    required length_docked: f64 = number(&[&LENGTH], POSITIVE),
        "length at which the ring reaches the brackets";
    required insertion_speed: f64 = number(&[&SPEED], POSITIVE), "outwards, and inwards without a client";
    required retraction_speed: f64 = number(&[&SPEED], POSITIVE), "inwards with the client";
    required approach_speed: f64 = number(&[&SPEED], POSITIVE),
        "near the brackets and when the spring is tensioned";
    required approach_distance: f64 = number(&[&LENGTH], NOT_NEGATIVE),
        "last distance before the brackets, at that speed";
    required ramp: f64 = number(&[&TIME], POSITIVE), "in which speeds are reached";
    required retraction_ramp: f64 = number(&[&TIME], POSITIVE), "the same with the client";
    required insertion_force: f64 = number(&[&FORCE], POSITIVE), "largest force while the tool goes in";
    required force: f64 = number(&[&FORCE], POSITIVE),
        "largest force otherwise; the drive holds by itself when it rests";
}

section! {
    pub(crate) struct EventsKeys "events": "what the sequence waits for";
    default("3") centring_fixes: u64 = count(1, 1000),
        "poses that the camera must give before the boom starts";
    required lateral_tolerance: f64 = number(&[&LENGTH], POSITIVE),
        "farthest that the nozzle may be off the docking axis for that";
    required throat_passed: f64 = number(&[&LENGTH], POSITIVE),
        "a distance sensor has passed the throat when it reads more than this again";
    required locking_force: f64 = number(&[&FORCE], POSITIVE), "of the crown's drive";
    required locked_for: f64 = number(&[&TIME], NOT_NEGATIVE), "time for which it must be held";
    required retraction_after: f64 = number(&[&TIME], NOT_NEGATIVE), "rest before the retraction";
    required seated_for: f64 = number(&[&TIME], NOT_NEGATIVE), "time for which all brackets must be touched";
    required docked_for: f64 = number(&[&TIME], NOT_NEGATIVE),
        "time for which the safety spring must be at its stop";
    required retreat_speed: f64 = number(&[&SPEED], POSITIVE), "at which the chaser backs off after an abort";
    required contact_force: f64 = number(&[&FORCE], POSITIVE),
        "force in the boom that counts as contact: free drift from then on";
}

section! {
    pub(crate) struct TimesKeys "times": "timetable of a docking by the clock";
    required inserted: f64 = number(&[&TIME], POSITIVE), "the tool is in";
    required locked: f64 = number(&[&TIME], POSITIVE), "the crown is locked";
    required brackets: f64 = number(&[&TIME], POSITIVE), "the ring is at the brackets";
    required seated: f64 = number(&[&TIME], POSITIVE), "the ring lies on the brackets";
    required docked: f64 = number(&[&TIME], POSITIVE), "the spring is tensioned";
}

section! {
    pub(crate) struct AbortKeys "abort":
        "when a docking is aborted: crown stowed, boom back, thrusters away from the client";
    required insertion_timeout: f64 = number(&[&TIME], POSITIVE), "from the start until the tool is in";
    required insertion_force: f64 = number(&[&FORCE], POSITIVE), "push on the tool while it goes in";
    required insertion_force_for: f64 = number(&[&TIME], NOT_NEGATIVE), "how long it may last";
    required lateral_error: f64 = number(&[&LENGTH], POSITIVE),
        "of the nozzle from the docking axis before the tool enters";
    required locking_timeout: f64 = number(&[&TIME], POSITIVE), "for locking";
    required boom_lateral_force: f64 = number(&[&FORCE], POSITIVE), "across the boom";
    required client_rate: f64 = number(&[&SPIN], POSITIVE),
        "at which the client turns: what the camera sees less three standard deviations";
    default("\"1 s\"") client_rate_for: f64 = number(&[&TIME], NOT_NEGATIVE), "how long it may last";
    required retraction_timeout: f64 = number(&[&TIME], POSITIVE), "from locking to the first bracket";
    required seating_timeout: f64 = number(&[&TIME], POSITIVE), "from the first bracket to all of them";
    required tension_timeout: f64 = number(&[&TIME], POSITIVE), "for tensioning the spring";
    required stowing_timeout: f64 = number(&[&TIME], POSITIVE),
        "for stowing the crown; then the retreat continues";
}

section! {
    pub(crate) struct AllowablesKeys "allowables": "loads above which damage is feared";
    required pressure: f64 = number(&[&PRESSURE], POSITIVE), "on the nozzle";
    required lateral_force: f64 = number(&[&FORCE], POSITIVE), "across the nozzle's axis";
    required torque: f64 = number(&[&TORQUE], POSITIVE), "on the nozzle about its throat";
    required penetration: f64 = number(&[&LENGTH], POSITIVE), "of any pair";
    default("0.1") margin: f64 = number(&[&NUMBER], FRACTION),
        "share of actuators that should be left: below it the report warns";
}
