//! A driver of a vehicle: follows a route by commanding the steering and speed of its wheels, as inputs.
//!
//! | file | holds |
//! |---|---|
//! | `route` | straight legs between points |
//! | `pilot` | position and heading ⇒ target motion |
//! | `steering` | a motion of the vehicle ⇒ angles and rim speeds of its wheels |
//!
//! At each tick: pose of the vehicle ⇒ target motion (its components can be commanded from outside instead) ⇒
//! angles of the wheels, limited by the steering rate ⇒ actual motion, which stops while a wheel is not yet
//! aligned and is limited by the acceleration ⇒ speeds of the rims.

mod pilot;
mod route;
mod steering;

use super::bus::Port;
use super::sampled::check_rate;
use super::wiring::Wiring;
use super::{Bus, DeviceError, Effect, Now, Seen, Shown, Tick};
use crate::description::{Input, InputTarget, PathFollower};
use crate::sink::Column;
use pilot::{Pilot, Progress};
use route::Route;
use serde::{Deserialize, Serialize};
use steering::Twist;
use touchdown_math::Elementary;
use touchdown_multibody::rigid::kinematics;
use touchdown_spacecraft::clock::Clock;

/// Error of a wheel's angle beyond which the vehicle waits, rad: 10 degrees, which means a sixth of the speed
/// sideways.
const ALIGNED: f64 = 10.0 * std::f64::consts::PI / 180.0;

/// Signals: suffix, unit, meaning.
const SIGNALS: [(&str, &str, &str); 7] = [
    ("cross_track_m", "m", "distance from the route, positive to its left"),
    ("distance_left_m", "m", "along the route to its end"),
    ("goal", "1", "number of the waypoint to which it drives, from 1"),
    ("forward_m_per_s", "m/s", "speed forwards that the wheels are given"),
    ("sideways_m_per_s", "m/s", "speed to the left that the wheels are given"),
    ("turn_rad_per_s", "rad/s", "rate of turn to the left that the wheels are given"),
    ("arrived", "1", "1 from its arrival at the last waypoint on"),
];

/// An input with its limits.
#[derive(Clone, Copy, Debug)]
struct Commands {
    input: usize,
    lower: f64,
    upper: f64,
    factor: f64,
}

#[derive(Clone, Copy, Debug)]
struct Wheel {
    place: [f64; 2],
    drive: Option<Commands>,
    /// Its joint, and the least and largest angle to the left.
    steering: Option<(Commands, usize, [f64; 2])>,
}

/// A driver.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    body: usize,
    pilot: Pilot,
    wheels: Vec<Wheel>,
    /// Fastest changes of the motion, m/s² and rad/s², and of the angles, rad/s.
    changes: Twist,
    steering_rate: f64,
    /// Inputs that replace components of the target motion, if commanded.
    instead: [Option<usize>; 3],
    out: [Port; 7],
    shown: Shown<usize>,
}

/// Its memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PathState {
    clock: Clock,
    last: Option<f64>,
    progress: Progress,
    twist: Twist,
    /// Angles to the left, rad, and speeds of the rims, m/s, of the wheels.
    angles: Vec<f64>,
    rims: Vec<f64>,
}

impl Path {
    /// That of a description.
    pub fn new(
        path: &PathFollower,
        (index, device): (usize, &str),
        inputs: &[Input],
        wiring: &mut Wiring,
    ) -> Result<(Path, PathState), DeviceError> {
        check_rate(device, path.rate)?;
        check_numbers(path, device)?;
        let find = |name: &str, factor: f64| -> Result<Commands, DeviceError> {
            let input = inputs.iter().position(|input| input.name == *name).ok_or_else(|| {
                let known = inputs.iter().map(|input| input.name.clone()).collect();
                DeviceError::NoInput { device: device.into(), input: name.into(), known }
            })?;
            Ok(Commands { input, lower: inputs[input].lower, upper: inputs[input].upper, factor })
        };
        let mut wheels = Vec::with_capacity(path.wheels.len());
        for wheel in &path.wheels {
            let drive = wheel.drive.as_ref().map(|d| find(&d.input, d.per_speed)).transpose()?;
            let steering = match &wheel.steering {
                None => None,
                Some(s) => Some((find(&s.input, s.sign)?, s.joint, s.limits)),
            };
            wheels.push(Wheel { place: wheel.place, drive, steering });
        }
        let reach = path.reach();
        let fixed: Vec<f64> = wheels.iter().filter(|w| w.steering.is_none()).map(|w| w.place[0]).collect();
        let pivot = if fixed.is_empty() { 0.0 } else { fixed.iter().sum::<f64>() / fixed.len() as f64 };
        let mut shown = Shown::new(device);
        for (k, (suffix, unit, about)) in SIGNALS.into_iter().enumerate() {
            shown.put(k, suffix, (unit, "-"), about);
        }
        let count = wheels.len();
        let commanded = |part| inputs.iter().position(|input| input.target == InputTarget::Path(index, part));
        let made = Path {
            body: path.body,
            pilot: Pilot {
                route: Route::new(&path.points),
                mode: path.mode,
                speed: path.speed,
                acceleration: path.acceleration,
                look_ahead: path.look_ahead,
                arrival: path.arrival,
                turn_rate: path.turn_rate,
                radius: path.radius,
                pivot,
            },
            wheels,
            changes: [path.acceleration, path.acceleration, path.acceleration / reach],
            steering_rate: path.steering_rate,
            instead: [0, 1, 2].map(commanded),
            out: wiring.write_all(SIGNALS.map(|(suffix, ..)| suffix)),
            shown,
        };
        let state = PathState {
            clock: Clock::new(path.rate),
            last: None,
            progress: Progress::default(),
            twist: [0.0; 3],
            angles: vec![0.0; count],
            rims: vec![0.0; count],
        };
        Ok((made, state))
    }

    /// Turns the angles towards a motion, limited by the steering rate; returns whether all wheels are
    /// aligned.
    fn steer(&self, state: &mut PathState, wanted: Twist, (now, dt): (&Now, f64)) -> bool {
        let mut aligned = true;
        for (wheel, angle) in self.wheels.iter().zip(&mut state.angles) {
            let Some((commands, joint, limits)) = &wheel.steering else { continue };
            let is = commands.factor * now.q[now.system.model.joints[*joint].q];
            let held = if state.last.is_some() { *angle } else { is };
            let target = steering::angle(wanted, wheel.place, (held, *limits));
            let most = self.steering_rate * dt;
            *angle = held + (target - held).clamp(-most, most);
            aligned &= (target - is).abs() < ALIGNED;
        }
        aligned
    }

    /// Speeds of the rims along the present angles of the wheels.
    fn roll(&self, state: &mut PathState, now: &Now) {
        for (wheel, rim) in self.wheels.iter().zip(&mut state.rims) {
            let angle = wheel.steering.as_ref().map_or(0.0, |(commands, joint, _)| {
                commands.factor * now.q[now.system.model.joints[*joint].q]
            });
            *rim = steering::rim_speed(state.twist, wheel.place, angle);
        }
    }
}

fn check_numbers(path: &PathFollower, device: &str) -> Result<(), DeviceError> {
    let error = |what, found, allowed: &str| {
        Err(DeviceError::Number { device: device.into(), what, found, allowed: allowed.into() })
    };
    for (what, found) in [
        ("speed", path.speed),
        ("acceleration", path.acceleration),
        ("look_ahead", path.look_ahead),
        ("arrival", path.arrival),
        ("turn_rate", path.turn_rate),
        ("radius", path.radius),
        ("steering_rate", path.steering_rate),
        ("the distance of its farthest wheel", path.reach()),
    ] {
        if !(found > 0.0 && found.is_finite()) {
            return error(what, found, "more than zero");
        }
    }
    if path.points.len() < 2 {
        return error("the number of its points", path.points.len() as f64, "2 or more");
    }
    let apart = |pair: &[[f64; 2]]| route::length(route::difference(pair[1], pair[0]));
    match path.points.windows(2).map(apart).find(|d| !(*d > 0.0 && d.is_finite())) {
        Some(found) => error("the distance of one point from the next", found, "more than zero"),
        None => Ok(()),
    }
}

impl Tick for Path {
    type State = PathState;

    fn next_time(&self, state: &PathState) -> f64 {
        state.clock.next_time()
    }

    fn tick(&self, state: &mut PathState, now: &Now, bus: &mut Bus) -> Option<Effect> {
        state.clock.due(now.t)?;
        let X_WB = kinematics::body_pose(&now.system.model, &now.system.cache, self.body);
        let yaw = X_WB.R[(1, 0)].arctangent2(X_WB.R[(0, 0)]);
        let dt = state.last.map_or(0.0, |last| now.t - last);
        let sight = self.pilot.look(&mut state.progress, [X_WB.p.x, X_WB.p.y], yaw);
        let mut wanted = sight.wanted;
        for (wanted, input) in wanted.iter_mut().zip(self.instead) {
            let commanded = input.and_then(|input| now.system.inputs[input]);
            *wanted = commanded.map_or(*wanted, |commanded| commanded.value);
        }
        let asked = if self.steer(state, wanted, (now, dt)) { wanted } else { [0.0; 3] };
        for ((is, asked), change) in state.twist.iter_mut().zip(asked).zip(self.changes) {
            *is += (asked - *is).clamp(-change * dt, change * dt);
        }
        self.roll(state, now);
        state.last = Some(now.t);
        let [forward, sideways, turn] = state.twist;
        let goal = f64::from(state.progress.goal.min(self.pilot.route.points().len() as u32 - 1) + 1);
        let arrived = f64::from(u8::from(state.progress.arrived));
        let said = [sight.cross_track, sight.left, goal, forward, sideways, turn, arrived];
        bus.set_all(&self.out, Some(said));
        Some(Effect::default())
    }

    fn command(&self, state: &PathState, _: &Bus, give: &mut impl FnMut(usize, f64)) {
        let mut clamped =
            |to: &Commands, value: f64| give(to.input, (to.factor * value).clamp(to.lower, to.upper));
        for ((wheel, angle), rim) in self.wheels.iter().zip(&state.angles).zip(&state.rims) {
            if let Some((to, ..)) = &wheel.steering {
                clamped(to, *angle);
            }
            if let Some(to) = &wheel.drive {
                clamped(to, *rim);
            }
        }
    }

    fn columns(&self) -> Vec<Column> {
        self.shown.columns()
    }

    fn value(&self, _: &PathState, column: usize, seen: &Seen) -> f64 {
        seen.bus.get(self.out[self.shown.value(column)]).unwrap_or(f64::NAN)
    }

    fn sizes(state: &PathState) -> [usize; 2] {
        [state.angles.len(), state.rims.len()]
    }
}
