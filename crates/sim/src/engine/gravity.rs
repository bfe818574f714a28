//! Directions defined by gravity, and gravity that turns in time.
//!
//! A slope is tilted gravity, not inclined ground. While it turns, its potential −Σ m·g·p changes by −Σ m·ġ·p
//! at every place: external power, booked as that of a load.

use crate::engine::system::{Instant, System};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use touchdown_math::Elementary;
use touchdown_math::Vec3;
use touchdown_multibody::description::Gravity;
use touchdown_multibody::rigid::elements::Powers;

/// Shortest turn, s: a jump of gravity would do work that no integrator could book.
const SHORTEST: f64 = 0.1;

/// The direction against gravity at a place; z without gravity.
pub(crate) fn up(gravity: &Gravity, p_W: &Vec3) -> Vec3 {
    let against = match gravity {
        Gravity::Uniform(g) => -g,
        Gravity::Central { centre, .. } => p_W - centre,
    };
    against.try_normalize(f64::MIN_POSITIVE).unwrap_or_else(Vec3::z)
}

/// The horizontal part of a direction: its part across `up`, as a unit vector. For one that points straight
/// up or down, any horizontal direction.
pub(crate) fn level(direction: &Vec3, up: &Vec3) -> Vec3 {
    let part = |d: &Vec3| (d - up * up.dot(d)).try_normalize(1e-9);
    part(direction).or_else(|| part(&Vec3::x())).or_else(|| part(&Vec3::y())).unwrap_or_else(Vec3::x)
}

/// Gravity that turns from one slope to another within a given time and stays there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Turn {
    /// At slope zero, m/s².
    level_g: [f64; 3],
    /// Uphill on a slope, a unit vector across `level_g`.
    uphill: [f64; 3],
    /// Slopes, rad.
    from: f64,
    to: f64,
    /// When it begins, s.
    begin: f64,
    /// How long it takes, s.
    duration: f64,
}

impl Turn {
    /// From slope zero, beginning at t = 0; takes [`SHORTEST`] at least.
    pub fn first(level_g: &Vec3, uphill: &Vec3, to: f64, duration: f64) -> Turn {
        let duration = duration.max(SHORTEST);
        Turn { level_g: (*level_g).into(), uphill: (*uphill).into(), from: 0.0, to, begin: 0.0, duration }
    }

    /// From the end of this one to another slope.
    pub fn next(&self, to: f64, begin: f64) -> Turn {
        Turn { from: self.to, to, begin, ..*self }
    }

    /// Up at slope zero.
    pub fn level_up(&self) -> Vec3 {
        up(&Gravity::Uniform(Vec3::from(self.level_g)), &Vec3::zeros())
    }

    /// Its end, s.
    pub fn end(&self) -> f64 {
        self.begin + self.duration
    }

    /// Slope at a time, rad, and its rate, rad/s. The polynomial of fifth order with zero rate and
    /// acceleration at its ends keeps forces smooth for the integrators.
    pub fn slope(&self, t: f64) -> (f64, f64) {
        if t >= self.end() {
            return (self.to, 0.0);
        }
        let s = ((t - self.begin) / self.duration).max(0.0);
        let angle = self.to - self.from;
        let part = s * s * s * (10.0 - s * (15.0 - 6.0 * s));
        let rate = 30.0 * s * s * (1.0 - s) * (1.0 - s) / self.duration;
        (self.from + angle * part, angle * rate)
    }

    /// Gravity at a time, m/s², and its rate, m/s³.
    pub fn at(&self, t: f64) -> (Vec3, Vec3) {
        let (slope, rate) = self.slope(t);
        let (level_g, uphill) = (Vec3::from(self.level_g), Vec3::from(self.uphill));
        let downhill_g = uphill * -level_g.norm();
        let (sin, cos) = slope.sine_cosine();
        (level_g * cos + downhill_g * sin, (downhill_g * cos - level_g * sin) * rate)
    }
}

impl System {
    /// Sets gravity at a time; returns the power supplied by its rotation, W. Needs positions.
    pub(crate) fn update_gravity(&mut self, at: &Instant) -> f64 {
        let Some(turn) = &at.held.turn else { return 0.0 };
        let (g, g_rate) = turn.at(at.t);
        Arc::make_mut(&mut self.model).gravity = Gravity::Uniform(g);
        if self.cache.parts.count() > 0 {
            for i in 0..self.cache.I.len() {
                let I = &self.cache.I[i];
                let loads = -g_rate.dot(&(I.h + self.cache.c * I.m));
                self.cache.parts.book(self.cache.parts.of_link(i), Powers { loads, ..Powers::default() });
            }
        }
        -self.cache.I.iter().map(|I| g_rate.dot(&(I.h + self.cache.c * I.m))).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_keeps_the_size_of_gravity_and_leans_downhill() {
        // |g| is the same at every slope; at the end the angle from level gravity is the slope, towards −uphill.
        let level_g = Vec3::new(0.0, 0.0, -3.71);
        let turn = Turn::first(&level_g, &Vec3::y(), 0.4, 2.0);
        for t in [-1.0, 0.0, 0.3, 1.0, 1.9, 2.0, 5.0] {
            assert!((turn.at(t).0.norm() - 3.71).abs() < 1e-14);
        }
        assert_eq!(turn.at(-1.0).0, level_g);
        let g = turn.at(2.0).0;
        assert!((g - Vec3::new(0.0, -3.71 * 0.4f64.sin(), -3.71 * 0.4f64.cos())).norm() < 1e-15);
    }

    #[test]
    fn rates_are_derivatives() {
        // Central differences of slope and gravity; error h²/6 times a third derivative of order one.
        let turn = Turn::first(&Vec3::new(0.0, 0.0, -1.6), &Vec3::x(), 0.2, 1.5).next(0.5, 3.0);
        let h = 1e-5;
        for t in [2.0, 3.2, 3.75, 4.4, 5.0] {
            let slope = (turn.slope(t + h).0 - turn.slope(t - h).0) / (2.0 * h);
            assert!((slope - turn.slope(t).1).abs() < 1e-9, "t = {t}");
            let g = (turn.at(t + h).0 - turn.at(t - h).0) / (2.0 * h);
            assert!((g - turn.at(t).1).norm() < 1e-9, "t = {t}");
        }
    }

    #[test]
    fn one_turn_goes_on_where_the_last_ended() {
        // No jump of slope or rate from one stage to the next, also where no time was asked for.
        let first = Turn::first(&Vec3::new(0.0, 0.0, -1.6), &Vec3::x(), 0.2, 1.0);
        assert_eq!(first.slope(7.0), first.next(0.3, 7.0).slope(7.0));
        let sudden = Turn::first(&Vec3::new(0.0, 0.0, -1.6), &Vec3::x(), 0.2, 0.0);
        assert_eq!((sudden.slope(0.0), sudden.slope(SHORTEST)), ((0.0, 0.0), (0.2, 0.0)));
    }

    #[test]
    fn level_directions_exist_for_every_machine() {
        // A machine that looks straight up still has a level direction.
        let up = Vec3::new(0.6, 0.0, 0.8);
        for direction in [Vec3::x(), Vec3::z(), up, -up] {
            let level = level(&direction, &up);
            assert!(level.dot(&up).abs() < 1e-15 && (level.norm() - 1.0).abs() < 1e-15);
        }
    }
}
