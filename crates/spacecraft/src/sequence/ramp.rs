//! A rate that changes linearly from one value to another, and braking of a drive at a mark.

use serde::{Deserialize, Serialize};
use touchdown_math::Elementary;

/// A rate over time: from a value at a time, with a slope, to another value, which then holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ramp {
    /// When it begins, s.
    pub start: f64,
    /// Rate there.
    pub from: f64,
    /// Rate at the end.
    pub to: f64,
    /// Time that it takes, s.
    pub duration: f64,
}

impl Ramp {
    /// From a rate to another with a slope (per second, its size); without a slope at once.
    pub fn new(start: f64, from: f64, to: f64, slope: f64) -> Ramp {
        let duration = if slope > 0.0 { (to - from).abs() / slope } else { 0.0 };
        Ramp { start, from, to, duration }
    }

    /// The rate and its slope at `t`.
    pub fn at(&self, t: f64) -> (f64, f64) {
        let s = t - self.start;
        if s >= self.duration {
            return (self.to, 0.0);
        }
        let slope = (self.to - self.from) / self.duration;
        (self.from + slope * s.max(0.0), slope)
    }

    /// The same as seen by what moves with a rate.
    pub fn seen_from(&self, rate: f64) -> Ramp {
        Ramp { from: self.from - rate, to: self.to - rate, ..*self }
    }

    /// Integral of the rate from its start to `t` (not before).
    pub fn travel(&self, t: f64) -> f64 {
        let s = (t - self.start).max(0.0);
        let rising = s.min(self.duration);
        let (rate, _) = self.at(self.start + rising);
        0.5 * (self.from + rate) * rising + self.to * (s - rising)
    }

    /// When its slope ends, s: a kink of the rate.
    pub fn end(&self) -> f64 {
        self.start + self.duration
    }

    /// The ramp from the present rate towards `rate`, or, near the mark, to rest at it: `distance` is the
    /// remaining distance to the mark, m, in the direction of
    /// `rate`. The drive comes to rest exactly there; before braking starts there must be room for another
    /// `period`.
    pub fn towards(&self, t: f64, rate: f64, slope: f64, distance: f64, period: f64) -> Ramp {
        let sign = rate.signum();
        let now = self.at(t).0;
        let speed = now * sign;
        // The drive does not start for a distance that a single tick would pass.
        if distance <= 0.0 || (speed <= 0.0 && distance < slope * period * period) {
            return Ramp::new(t, now, 0.0, slope);
        }
        // Half a slope's gain in the period to come is on the safe side.
        let ahead = speed + 0.5 * slope * period;
        let next = speed + slope * period;
        if speed > 0.0 && ahead * period + 0.5 * next.min(rate.abs()).whole_power(2) / slope >= distance {
            // A slope much steeper than planned means that the mark has moved.
            return Ramp::new(t, now, 0.0, (0.5 * speed * speed / distance).min(10.0 * slope));
        }
        if self.to == rate && self.from != rate {
            return *self;
        }
        Ramp::new(t, now, rate, slope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The travel is the integral of the rate.
    #[test]
    fn travel_is_the_integral() {
        let ramp = Ramp::new(2.0, 0.01, -0.005, 0.003);
        let (mut sum, n) = (0.0, 100_000);
        let h = 8.0 / n as f64;
        for k in 0..n {
            sum += h * ramp.at(2.0 + (k as f64 + 0.5) * h).0;
        }
        assert!((sum - ramp.travel(10.0)).abs() < 1e-12);
        assert_eq!(ramp.end(), 7.0);
    }

    /// A drive braked onto a mark stops there, whatever the distance, the speed and the time between ticks.
    #[test]
    fn brakes_onto_the_mark() {
        for (distance, speed, slope, period) in [
            (0.48, 0.0126, 0.0126, 0.1),
            (0.05, 0.0025, 0.0025, 0.1),
            (0.02, -0.0126, 0.0126, 0.02),
            (0.003, 0.0126, 0.0126, 0.1),
        ] {
            let mut ramp = Ramp::default();
            let (mut x, mut t): (f64, f64) = (0.0, 0.0);
            let mut fastest = 0f64;
            for k in 1..2000 {
                let sign: f64 = f64::signum(speed);
                ramp = ramp.towards(t, speed, slope, distance - x * sign, period);
                let next = k as f64 * period;
                x += ramp.travel(next) - ramp.travel(t);
                t = next;
                fastest = fastest.max(ramp.at(t).0.abs());
                assert!(x * sign <= distance + 1e-9, "{distance}: {x}");
            }
            assert!(
                (x.abs() - distance).abs() < slope * period * period && ramp.at(t).0.abs() < 1e-6,
                "{distance}: {x} {ramp:?}"
            );
            assert!(fastest <= speed.abs() + 1e-15);
        }
    }
}
