//! The table: devices on the bus — sensors of columns, controllers of inputs, drivers of vehicles.

use super::spacecraft::CLOCK;
use super::typed::{choice, count, flag, number, places, quantity, signal, text};
use super::{ANY, NOT_NEGATIVE, POSITIVE, section, words};
use crate::read::{Quantity, Text, Timed};
use crate::unit::{
    ACCELERATION, ANGLE, DAMPING, Dim, FORCE, FREQUENCY, LENGTH, NUMBER, SPEED, SPIN, STIFFNESS, TORQUE,
    TORSION, TORSION_DAMPING,
};

/// Largest seed.
pub(super) const SEED_MAX: u64 = i64::MAX as u64;

section! {
    /// A sensor.
    pub(crate) struct SensorKeys "sensor":
        "samples a column at a rate, with bias, noise and resolution in the column's unit; writes the signal sensor.NAME.value with the unit as suffix, which is a column, too";
    required column: Text = text(), "what it samples; touchdown show lists the columns";
    required rate: f64 = number(&[&FREQUENCY], CLOCK), "samples in time";
    default("0") bias: f64 = number(&[&NUMBER], NOT_NEGATIVE), "one sigma of the bias, which is drawn once";
    default("0") noise: f64 = number(&[&NUMBER], NOT_NEGATIVE), "one sigma of each sample";
    default("0") resolution: f64 = number(&[&NUMBER], NOT_NEGATIVE),
        "readings are multiples of it; 0: any value";
    derived("from the scenario's seed and the name") seed: u64 = count(0, SEED_MAX), "seed of bias and noise";
}

/// Units of an input.
const OF_INPUTS: &[&Dim] = &[
    &FORCE,
    &TORQUE,
    &SPEED,
    &SPIN,
    &LENGTH,
    &ANGLE,
    &STIFFNESS,
    &TORSION,
    &DAMPING,
    &TORSION_DAMPING,
    &FREQUENCY,
];

section! {
    /// Limits of an input.
    pub(crate) struct InputKeys "input":
        "limits of an input, NAME as touchdown show lists it; * stands for any text. Commands outside are refused";
    derived("that of its hardware; else none") min: Quantity = quantity(OF_INPUTS, ANY), "smallest value, in its unit";
    derived("that of its hardware; else none") max: Quantity = quantity(OF_INPUTS, ANY), "largest value, in its unit";
}

section! {
    /// A controller.
    pub(crate) struct ControllerKeys "controller":
        "a PID controller: reads a signal, follows a set point, commands an input; writes the signal controller.NAME.output with the input's unit as suffix, which is a column, too";
    required reads: Text = text(), "the signal that it reads";
    optional set_point: Timed = signal(&[&NUMBER]), "what the reading shall be, in its unit, in time";
    optional set_point_from: Text = text(), "the signal of another device to follow, instead of set_point";
    required rate: f64 = number(&[&FREQUENCY], CLOCK), "how often it acts";
    default("0") proportional: f64 = number(&[&NUMBER], ANY), "output for each unit of error";
    default("0") integral: f64 = number(&[&NUMBER], ANY),
        "output for each unit of error and second; stops at the limits";
    default("0") derivative: f64 = number(&[&NUMBER], ANY), "output against each unit of the reading's rate";
    default("0") offset: f64 = number(&[&NUMBER], ANY), "output without error";
    derived("the lower limit of the input") lower: f64 = number(&[&NUMBER], ANY), "smallest output";
    derived("the upper limit of the input") upper: f64 = number(&[&NUMBER], ANY), "largest output";
    optional commands: Text = text(), "the input that it commands; none: its output is for other devices";
    optional active_from: Text = text(),
        "the signal of another device that lets it act while it is not zero; while it rests its output is 0, or the limit next to it";
}

words! {
    pub(crate) enum PathModeWord { Ackermann = "ackermann", PointTurn = "point-turn", Crab = "crab" }
}

section! {
    /// A driver of a vehicle.
    pub(crate) struct PathKeys "path":
        "takes a vehicle along waypoints by pure pursuit: commands the drives that turn and steer its wheels; writes the signals path.NAME.cross_track_m, distance_left_m, goal, forward_m_per_s, sideways_m_per_s, turn_rad_per_s and arrived, which are columns, too";
    required vehicle: Text = text(), "the machine that it drives; outside machines the body that carries the wheels";
    optional points: Vec<[f64; 2]> = places(&[&LENGTH]), "x and y of the waypoints";
    optional file: Text = text(), "a CSV file with columns x and y in m, one waypoint a line, instead of points";
    required speed: f64 = number(&[&SPEED], POSITIVE), "speed over the ground if no wheel slips";
    default("\"ackermann\"") mode: PathModeWord = choice(),
        "how it takes curves: on circles (ackermann), by turns on the spot at the waypoints (point-turn), or with a fixed heading (crab)";
    derived("distance of the farthest wheel from the vehicle's origin") look_ahead: f64 = number(&[&LENGTH], POSITIVE),
        "how far ahead on the route the point lies to which it steers";
    default("\"0.1 m\"") arrival: f64 = number(&[&LENGTH], POSITIVE), "as near to a waypoint counts as there";
    derived("the speed over 2 s") acceleration: f64 = number(&[&ACCELERATION], POSITIVE),
        "fastest change of the speed";
    default("\"2 deg/s\"") turn_rate: f64 = number(&[&SPIN], POSITIVE),
        "largest rate of turns on the spot, and of those that keep a heading";
    derived("distance of the farthest wheel from the vehicle's origin") radius: f64 = number(&[&LENGTH], POSITIVE),
        "smallest radius of curves";
    default("\"5 deg/s\"") steering_rate: f64 = number(&[&SPIN], POSITIVE), "how fast wheels are steered";
    default("\"50 Hz\"") rate: f64 = number(&[&FREQUENCY], CLOCK), "how often it acts";
    default("false") input: bool = flag(),
        "the motion it wants can be commanded in its place: inputs NAME.forward, NAME.sideways, NAME.turn";
}
