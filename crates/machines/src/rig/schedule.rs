//! The timetable of a rig: times of loading, travel, rotation, lifting and return, and averaging windows.

use super::{Rig, RigKind};

/// Time in which the load is applied while nothing else moves, s.
const LOAD_TIME: f64 = 1.0;
/// Time for the soil to come to rest before the wheel turns, s.
const SETTLE_TIME: f64 = 0.5;
/// Time in which speeds rise or fall, s.
const RAMP_TIME: f64 = 0.5;
/// Time in which the wheel is lifted out of its rut, and let down again, s: slow enough not to drop it hard.
const LIFT_TIME: f64 = 3.0;
const LOWER_TIME: f64 = 6.0;
/// Speed at which the carriage is brought back, m/s, unless it travels faster.
const RETURN_SPEED: f64 = 0.2;
/// Default travel before averaging, in radii (two lengths of contact), in which the wheel leaves its
/// first footprint.
pub const RADII_BEFORE: f64 = 4.0;

/// Averaging window, s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// First.
    pub from: f64,
    /// Last.
    pub to: f64,
}

/// Motions of a rig in time. Rows are (time, rate) for speeds and (time, value) for the rest.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    /// Speed of travel, m/s.
    pub travel: Vec<(f64, f64)>,
    /// Speed of the wheel, rad/s.
    pub spin: Vec<(f64, f64)>,
    /// Speed of lowering of a guided wheel, m/s.
    pub sink: Vec<(f64, f64)>,
    /// Height to which the stop of the slide is lifted, m.
    pub lift: Vec<(f64, f64)>,
    /// Vertical load, N.
    pub load: Vec<(f64, f64)>,
    /// One for each pass.
    pub windows: Vec<Window>,
    /// Total duration, s.
    pub duration: f64,
}

impl Rig {
    /// Its timetable.
    pub fn schedule(&self) -> Schedule {
        let mut s = Schedule::default();
        match &self.kind {
            RigKind::SingleWheel { wheel, load, wheel_speed, speed, travel, run_in, passes, .. } => {
                let pass = pass(*travel, *run_in, *speed, self.spacing);
                let start = s.load(*load);
                s.single_wheel(start, *passes, pass, (*speed, *wheel_speed, wheel.lift()));
            }
            RigKind::Spin { load, wheel_speed, spin_time, .. } => {
                let start = s.load(*load);
                s.spin = vec![(start, 0.0), (start + RAMP_TIME, *wheel_speed)];
                s.duration = start + RAMP_TIME + spin_time;
                s.windows = vec![Window { from: start, to: s.duration }];
            }
            RigKind::Footprint { wheel, speed, sink_rate, travel } => {
                let ramp = |rate: f64| vec![(0.0, 0.0), (RAMP_TIME, rate)];
                s.travel = ramp(*speed);
                s.spin = ramp(speed / wheel.radius);
                s.sink = ramp(*sink_rate);
                s.duration = to_the_nanosecond(0.5 * RAMP_TIME + travel / speed);
                s.windows = vec![Window { from: 0.0, to: s.duration }];
            }
            // A bevameter has no time: its loads are applied in sequence at rest.
            RigKind::Plate { .. } => s.duration = 1.0,
        }
        s
    }
}

/// Times are displayed, so they are rounded.
fn to_the_nanosecond(t: f64) -> f64 {
    (t * 1e9).round() / 1e9
}

/// Travel before the window, and within it: whole cells of the grid, so that the ripple of the nodes averages out.
fn pass(travel: f64, run_in: f64, speed: f64, spacing: f64) -> (f64, f64) {
    let before = run_in.max(speed * RAMP_TIME);
    let cells = ((travel - before) / spacing + 1e-9).floor().max(1.0);
    (before, cells * spacing)
}

/// The shortest travel that leaves one radius to average over.
pub fn shortest_travel(radius: f64, run_in: f64, speed: f64) -> f64 {
    run_in.max(speed * RAMP_TIME) + radius
}

impl Schedule {
    /// Passes through the rut from a time on: travel before and within the window of each, speeds of travel and wheel, and lift.
    fn single_wheel(
        &mut self,
        mut start: f64,
        passes: u64,
        (before, length): (f64, f64),
        (speed, spin, lift): (f64, f64, f64),
    ) {
        for pass in 1..=passes {
            // At full speed the carriage is half a ramp behind a start without a ramp.
            let at = |distance: f64| to_the_nanosecond(start + 0.5 * RAMP_TIME + distance / speed);
            let window = Window { from: at(before), to: at(before + length) };
            self.windows.push(window);
            self.travel.extend([(start, 0.0), (start + RAMP_TIME, speed)]);
            self.spin.extend([(start, 0.0), (start + RAMP_TIME, spin)]);
            self.duration = window.to;
            if pass < passes {
                start = self.bring_back(window.to, speed, spin, before + length, lift);
            }
        }
    }

    /// Applies the load; returns the time at which the wheel may start.
    fn load(&mut self, load: f64) -> f64 {
        self.load = vec![(0.0, 0.0), (LOAD_TIME, load)];
        LOAD_TIME + SETTLE_TIME
    }

    /// From full speed at `end`: stops, lifts the wheel, returns it over its whole travel, lowers it; returns
    /// the next start time.
    fn bring_back(&mut self, end: f64, speed: f64, spin: f64, distance: f64, lift: f64) -> f64 {
        let stop = end + RAMP_TIME;
        self.travel.extend([(end, speed), (stop, 0.0)]);
        self.spin.extend([(end, spin), (stop, 0.0)]);
        let up = stop + LIFT_TIME;
        let whole_distance = distance + 0.5 * speed * RAMP_TIME;
        // Slow enough that there is a stretch at full speed between the ramps.
        let back = RETURN_SPEED.max(speed).min(0.5 * whole_distance / RAMP_TIME);
        let there = up + whole_distance / back + RAMP_TIME;
        self.travel.extend([(up, 0.0), (up + RAMP_TIME, -back), (there - RAMP_TIME, -back), (there, 0.0)]);
        let down = there + LOWER_TIME;
        self.lift.extend([(stop, 0.0), (up, lift), (there, lift), (down, 0.0)]);
        down + SETTLE_TIME
    }
}
