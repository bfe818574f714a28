//! Vehicles: machines on soil wheels. Distance travelled, distance rolled by the wheels, lean.
//!
//! An [`Odometer`] advances with the samples and is part of the state, so that a resumed run ends with the same bits.

use crate::description::WorldDescription;
use crate::engine::gravity;
use crate::engine::method::StepFailure;
use crate::engine::system::System;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use touchdown_math::Elementary;
use touchdown_math::Vec3;
use touchdown_multibody::rigid::kinematics;

/// Rim speed below which a wheel counts as standing, m/s: its slip is zero by definition. A rover's wheel rolls at 10 mm/s or more.
pub(crate) const STANDSTILL: f64 = 1e-6;
/// Least distance rolled by the wheels of a vehicle for its slip to be meaningful, m. While they start, the
/// vehicle settles by parts of a millimetre: divided by less than that, the slip would be arbitrary.
const LEAST_ROLLED: f64 = 1e-3;
/// Time over which the slip of a vehicle is averaged, s.
const WINDOW: f64 = 1.0;
/// Largest number of samples of a window for which space is reserved.
const MOST_SAMPLES: f64 = 1e5;
/// A sample just inside a window by round-off counts as its begin, s.
const BEGIN_SLACK: f64 = 1e-9;
/// Lean of the z axis from the vertical beyond which a vehicle has fallen over, rad.
const FALLEN: f64 = 80.0 * std::f64::consts::PI / 180.0;

/// A vehicle with the indices of its parts.
#[derive(Clone, Debug)]
pub(crate) struct VehicleParts {
    pub name: String,
    pub body: usize,
    /// Indices of its wheels among the bodies that touch soil.
    pub wheels: Vec<usize>,
    /// Indices of the drives that turn these wheels.
    pub drives: Vec<usize>,
}

/// A vehicle at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Look {
    t: f64,
    /// Origin of its body, m.
    p_W: [f64; 3],
    /// x axis of its body.
    forward_W: [f64; 3],
    /// Mean ω·r of its wheels, m/s.
    rim_speed: f64,
}

impl VehicleParts {
    /// All vehicles of a description.
    pub fn all(description: &WorldDescription, system: &System) -> Vec<VehicleParts> {
        let parts = |vehicle: &crate::description::Vehicle| {
            let is_wheel = |i: &&usize| system.acts.soil.bodies.get(**i).is_some_and(|on| on.is_wheel());
            let wheels: Vec<usize> = vehicle.wheels.iter().filter(is_wheel).copied().collect();
            let turns = |drive: &touchdown_multibody::description::Drive| {
                let slot = &system.model.joints[drive.axis.joint];
                !slot.locked && wheels.iter().any(|w| system.acts.soil.bodies[*w].link == slot.link)
            };
            let drives = system.model.drives.iter().enumerate().filter(|(_, d)| turns(d)).map(|(i, _)| i);
            VehicleParts { name: vehicle.name.clone(), body: vehicle.body, drives: drives.collect(), wheels }
        };
        description.vehicles.iter().map(parts).collect()
    }

    /// Its position and the rates of its wheels. Needs kinematics.
    pub fn look(&self, system: &System, t: f64) -> Look {
        let X_WB = kinematics::body_pose(&system.model, &system.cache, self.body);
        let rim_speed = |w: &usize| {
            let motion = system.soil_motion(*w);
            motion.w_WB.dot(&motion.axis_W) * system.acts.soil.bodies[*w].radius
        };
        let sum: f64 = self.wheels.iter().map(rim_speed).sum();
        let forward: Vec3 = X_WB.R.column(0).into();
        Look {
            t,
            p_W: X_WB.p.into(),
            forward_W: forward.into(),
            rim_speed: sum / self.wheels.len().max(1) as f64,
        }
    }

    /// Angle of its z axis from the vertical, rad. Needs kinematics.
    pub fn tilt(&self, system: &System) -> f64 {
        let X_WB = kinematics::body_pose(&system.model, &system.cache, self.body);
        let up = gravity::up(&system.model.gravity, &X_WB.p);
        X_WB.R.column(2).dot(&up).clamp(-1.0, 1.0).arccosine()
    }

    /// An error if it has fallen over. Needs kinematics, and gravity at the same time.
    pub fn check_upright(&self, system: &System) -> Result<(), StepFailure> {
        let angle = self.tilt(system);
        if angle > FALLEN {
            return Err(StepFailure::FellOver { vehicle: self.name.clone(), angle });
        }
        Ok(())
    }

    /// Largest sinkage of its wheels, m. Needs forces.
    pub fn largest_sinkage(&self, system: &System) -> f64 {
        self.wheels.iter().map(|w| system.acts.soil.forces[*w].sinkage).fold(0.0, f64::max)
    }

    /// Mean sinkage of its wheels, m. Needs forces.
    pub fn mean_sinkage(&self, system: &System) -> f64 {
        let sum: f64 = self.wheels.iter().map(|w| system.acts.soil.forces[*w].sinkage).sum();
        sum / self.wheels.len().max(1) as f64
    }
}

/// Odometer of a vehicle; part of the state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Odometer {
    /// Forward at the start, in the plane across gravity: uphill where gravity tilts, unless a heading is
    /// given.
    uphill_W: [f64; 3],
    start: [f64; 3],
    last: Look,
    /// Its reading at the last sample.
    pub driven: Driven,
    /// [time, distance, rolled] at the samples of the last second and one before it, oldest first.
    window: VecDeque<[f64; 3]>,
}

/// Reading of an odometer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Driven {
    /// Distance gained along its forward direction, m.
    pub distance: f64,
    /// Mean distance rolled by its wheels, m.
    pub rolled: f64,
    /// Distance gained along `uphill_W`, m.
    pub climbed: f64,
    /// 1 − distance/rolled over the last second; zero while the wheels rolled less than [`LEAST_ROLLED`] in it.
    pub slip: f64,
}

impl Odometer {
    /// At the start; `up` is the direction against gravity, `every` the time between samples, s.
    pub fn new(at: Look, up: &Vec3, every: f64) -> Odometer {
        let samples = (WINDOW / every.max(1e-9)).min(MOST_SAMPLES);
        let mut window = VecDeque::with_capacity(samples as usize + 4);
        window.push_back([at.t, 0.0, 0.0]);
        Odometer {
            uphill_W: gravity::level(&Vec3::from(at.forward_W), up).into(),
            start: at.p_W,
            last: at,
            driven: Driven::default(),
            window,
        }
    }

    /// Uphill where gravity tilts.
    pub fn uphill(&self) -> Vec3 {
        Vec3::from(self.uphill_W)
    }

    /// Distance to the right of its initial forward direction, at the last sample, m; `up` is the direction
    /// against gravity at the start.
    pub fn aside(&self, up: &Vec3) -> f64 {
        (Vec3::from(self.last.p_W) - Vec3::from(self.start)).dot(&self.uphill().cross(up))
    }

    /// Its reading at a later instant. Distance gained: the travel since the last sample along the mean of
    /// both forward directions, exact on a straight line. Distance rolled: trapezoidal rule over the rim
    /// speeds.
    pub fn at(&self, now: &Look) -> Driven {
        let dt = now.t - self.last.t;
        if dt <= 0.0 {
            return self.driven;
        }
        let step = Vec3::from(now.p_W) - Vec3::from(self.last.p_W);
        let forward = Vec3::from(now.forward_W) + Vec3::from(self.last.forward_W);
        let distance = self.driven.distance + step.dot(&forward) / forward.norm().max(f64::MIN_POSITIVE);
        let rolled = self.driven.rolled + 0.5 * dt * (now.rim_speed + self.last.rim_speed);
        let climbed = (Vec3::from(now.p_W) - Vec3::from(self.start)).dot(&self.uphill());
        Driven { distance, rolled, climbed, slip: self.slip_over_window([now.t, distance, rolled]) }
    }

    /// Adds the next sample.
    pub fn advance(&mut self, now: Look) {
        if now.t <= self.last.t {
            return;
        }
        self.driven = self.at(&now);
        self.last = now;
        self.window.push_back([now.t, self.driven.distance, self.driven.rolled]);
        while self.window.len() > 2 && self.window[1][0] <= now.t - WINDOW + BEGIN_SLACK {
            self.window.pop_front();
        }
    }

    fn slip_over_window(&self, now: [f64; 3]) -> f64 {
        let begin = now[0] - WINDOW;
        let next = self.window.iter().position(|sample| sample[0] > begin + BEGIN_SLACK).filter(|k| *k > 0);
        let (old, next) = match next {
            Some(k) => (self.window[k - 1], self.window[k]),
            // The window is completely inside, or empty.
            None if self.window[0][0] > begin + BEGIN_SLACK => {
                (self.window[0], self.window.get(1).copied().unwrap_or(now))
            }
            None => (self.window[self.window.len() - 1], now),
        };
        let part = ((begin - old[0]) / (next[0] - old[0])).clamp(0.0, 1.0);
        let [driven, rolled] = [1, 2].map(|k| old[k] + part * (next[k] - old[k]));
        mean_slip(now[1] - driven, now[2] - rolled)
    }
}

/// 1 − driven/rolled; zero if the wheels hardly rolled.
pub(crate) fn mean_slip(driven: f64, rolled: f64) -> f64 {
    if rolled.abs() < LEAST_ROLLED { 0.0 } else { 1.0 - driven / rolled }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A vehicle on a straight line along y with a constant rim speed.
    fn look(t: f64, place: f64, rim_speed: f64) -> Look {
        Look { t, p_W: [0.0, place, 0.3], forward_W: [0.0, 1.0, 0.0], rim_speed }
    }

    #[test]
    fn slip_is_the_mean_over_the_last_second() {
        // Rim 0.1 m/s; speed 0.1 m/s for a second, then 0.05 m/s: slip climbs linearly from 0 to 0.5 within the next second.
        let place = |t: f64| if t <= 1.0 { 0.1 * t } else { 0.05 + 0.05 * t };
        for rows_per_second in [100, 7] {
            let mut odometer =
                Odometer::new(look(0.0, 0.0, 0.1), &Vec3::z(), 1.0 / f64::from(rows_per_second));
            for i in 1..=3 * rows_per_second {
                let t = f64::from(i) / f64::from(rows_per_second);
                odometer.advance(look(t, place(t), 0.1));
                let expected = if t <= 1.0 { 0.0 } else { (0.5 * (t - 1.0)).min(0.5) };
                assert!(
                    (odometer.driven.slip - expected).abs() < 1e-9,
                    "t = {t}: {} {expected}",
                    odometer.driven.slip
                );
            }
            assert!(
                (odometer.driven.distance - 0.2).abs() < 1e-12
                    && (odometer.driven.rolled - 0.3).abs() < 1e-12
            );
            assert!((odometer.driven.climbed - 0.2).abs() < 1e-12);
        }
    }

    #[test]
    fn rows_between_which_the_window_begins_are_interpolated() {
        // With rows every 0.3 s the mean is still over one second: speed v(t) = 0.1 t against a rim of 0.2 m/s, driven
        // 0.05(t² − (t−1)²) on the rows' polygon.
        let mut odometer = Odometer::new(look(0.0, 0.0, 0.2), &Vec3::z(), 0.3);
        let place = |t: f64| 0.05 * t * t;
        for i in 1..=10 {
            odometer.advance(look(0.3 * f64::from(i), place(0.3 * f64::from(i)), 0.2));
        }
        // t = 3: the window begins at 2.0, between the rows at 1.8 and 2.1.
        let begin = place(1.8) + (place(2.1) - place(1.8)) * 2.0 / 3.0;
        let expected = 1.0 - (place(3.0) - begin) / 0.2;
        assert!((odometer.driven.slip - expected).abs() < 1e-12, "{} {expected}", odometer.driven.slip);
    }

    #[test]
    fn standing_wheels_do_not_slip() {
        // A vehicle that slides with locked wheels has no slip of drive by definition; no division by zero.
        let mut odometer = Odometer::new(look(0.0, 0.0, 0.0), &Vec3::z(), 0.1);
        odometer.advance(look(0.1, 1.0, 0.0));
        assert_eq!(odometer.driven.slip, 0.0);
    }

    #[test]
    fn slip_counts_from_a_millimetre_on() {
        // The rim starts with 2 mm/s² while the vehicle settles backwards by a millimetre: rolled t² mm, a millimetre at t = 1 s.
        let mut odometer = Odometer::new(look(0.0, 0.0, 0.0), &Vec3::z(), 0.1);
        for i in 1..=15 {
            let t = 0.1 * f64::from(i);
            odometer.advance(look(t, -1e-3, 2e-3 * t));
            if i < 10 {
                assert_eq!(odometer.driven.slip, 0.0, "t = {t}");
            }
        }
        // From 0.5 to 1.5 s it rolled 2.25 − 0.25 mm and stood.
        assert!((odometer.driven.slip - 1.0).abs() < 1e-9, "{}", odometer.driven.slip);
    }

    #[test]
    fn a_curve_is_measured_along_the_path() {
        // A circle of radius 1 m in 200 rows: 2π r gained to the second order of the angle between rows, nothing climbed in the end.
        let on_circle = |a: f64| Look {
            t: a,
            p_W: [a.sin(), 1.0 - a.cos(), 0.0],
            forward_W: [a.cos(), a.sin(), 0.0],
            rim_speed: 1.0,
        };
        let mut odometer = Odometer::new(on_circle(0.0), &Vec3::z(), 0.03);
        let angle = std::f64::consts::TAU / 200.0;
        (1..=200).for_each(|i| odometer.advance(on_circle(f64::from(i) * angle)));
        let error = (odometer.driven.distance - std::f64::consts::TAU).abs();
        assert!(error < std::f64::consts::TAU * angle * angle / 20.0, "{error}");
        assert!(odometer.driven.climbed.abs() < 1e-12);
    }

    #[test]
    fn an_odometer_goes_on_from_a_checkpoint_with_the_same_bits() {
        // As bytes and back in the middle of a window.
        let mut straight = Odometer::new(look(0.0, 0.0, 0.1), &Vec3::z(), 0.1);
        let advance = |o: &mut Odometer, i: i32| {
            let t = 0.1 * f64::from(i);
            o.advance(look(t, 0.03 * t * t, 0.1 + 0.01 * t));
        };
        (1..15).for_each(|i| advance(&mut straight, i));
        let bytes = postcard::to_stdvec(&straight).expect("plain data");
        let mut resumed: Odometer = postcard::from_bytes(&bytes).expect("the same data");
        (15..40).for_each(|i| {
            advance(&mut straight, i);
            advance(&mut resumed, i);
        });
        assert_eq!(straight, resumed);
    }
}
