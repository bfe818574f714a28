//! Wheels in the air: number and duration of lift-offs of each, booked at accepted steps; part of the state.

use serde::{Deserialize, Serialize};

/// Time in the air beyond which a wheel is reported, s: thrown up at 1 m/s on Mars, it is back after half a
/// second.
const NOTICED: f64 = 0.5;

/// Lift-offs of one wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct LiftOffs {
    /// Whether it has touched the ground: before that, a fall is not a lift-off.
    touched: bool,
    /// Beginning of the present lift-off, s.
    since: Option<f64>,
    /// Number of lift-offs.
    pub count: u32,
    /// Time in the air after its first touch, s.
    pub time: f64,
    /// Beginning of the first lift-off longer than the reported limit, s.
    noticed: Option<f64>,
}

impl LiftOffs {
    /// A wheel that touches at the start, or not yet.
    pub fn new(touching: bool) -> LiftOffs {
        LiftOffs { touched: touching, ..LiftOffs::default() }
    }

    /// Books an accepted step from `before` to `now`. A wheel that touched before and does not touch now left
    /// at the end of the step, where the explicit method places that event.
    pub fn book(&mut self, before: f64, now: f64, touching: bool) {
        if touching {
            (self.touched, self.since) = (true, None);
            return;
        }
        if !self.touched {
            return;
        }
        let Some(since) = self.since else {
            (self.since, self.count) = (Some(now), self.count + 1);
            return;
        };
        self.time += now - before;
        if now - since > NOTICED {
            self.noticed = self.noticed.or(Some(since));
        }
    }

    /// Warning for a wheel that was in the air for long, or never touched.
    pub fn warning(&self, name: &str, now: f64) -> Option<String> {
        let count = if self.count == 1 { "once".into() } else { format!("{} times", self.count) };
        match self.noticed {
            Some(since) => Some(format!(
                "wheel \"{name}\" left the ground at t = {since:.3} s for longer than {NOTICED} s; it lifted off {count} and was in the air for {:.3} s",
                self.time
            )),
            None if !self.touched && now > NOTICED => {
                Some(format!("wheel \"{name}\" has not touched the ground since the start"))
            }
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fall before the first touch is no lift-off; short hops are counted, long ones reported with their begin.
    #[test]
    fn hops_are_counted_and_long_ones_reported() {
        let mut wheel = LiftOffs::default();
        let mut t = 0.0;
        let mut go = |steps: usize, touching: bool, wheel: &mut LiftOffs| {
            for _ in 0..steps {
                wheel.book(t, t + 0.125, touching);
                t += 0.125;
            }
        };
        go(8, false, &mut wheel);
        assert_eq!((wheel.count, wheel.time), (0, 0.0));
        assert!(wheel.warning("w", 1.0).is_some_and(|w| w.contains("has not touched")));
        go(4, true, &mut wheel);
        go(4, false, &mut wheel);
        assert_eq!((wheel.count, wheel.time, wheel.warning("w", 2.0)), (1, 0.375, None));
        go(1, true, &mut wheel);
        go(6, false, &mut wheel);
        go(1, true, &mut wheel);
        assert_eq!((wheel.count, wheel.time), (2, 1.0));
        let said = wheel.warning("w", 3.0).expect("reported");
        assert!(
            said.contains("t = 2.250 s") && said.contains("2 times") && said.contains("1.000 s"),
            "{said}"
        );
    }
}
