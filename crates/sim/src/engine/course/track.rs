//! A traverse: one slope at a heading, evaluated from the track over the ground.

use super::{Course, Mark};
use crate::books::vehicle::mean_slip;
use crate::description::Traverse;
use crate::sink::NamedValue;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use touchdown_math::Elementary;

/// Number of marks in a window: its length is known to a hundredth.
const MARKS: f64 = 100.0;
/// Lean from the vertical beyond which a vehicle tips over, rad: above the steepest slope on which a vehicle
/// stands, and below the lean at which the run fails because the vehicle lies on its side.
const TIPPED: f64 = 70.0 * std::f64::consts::PI / 180.0;
/// Least length of a track with a direction, as a share of the distance rolled.
const LEAST_TRACK: f64 = 0.05;

/// Progress of a traverse; part of the state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Track {
    /// Distance aside at the begin of the slope, m.
    aside: f64,
    /// [rolled, gained] along the track: those of the window and one before it, oldest first.
    window: VecDeque<[f64; 2]>,
    /// At the last row.
    now: [f64; 2],
    /// Whether it leans too far.
    tipped: bool,
}

impl Track {
    /// At the begin of the slope.
    pub fn begin(at: &Mark) -> Track {
        let now = [at.rolled, at.climbed];
        let mut window = VecDeque::with_capacity(MARKS as usize + 4);
        window.push_back(now);
        Track { aside: at.aside, window, now, tipped: false }
    }

    /// Adds a row.
    pub fn advance(&mut self, at: &Mark, over: f64) {
        self.now = [at.rolled, at.climbed];
        self.tipped |= at.lean >= TIPPED;
        if self.window.back().is_none_or(|last| at.rolled - last[0] >= over / MARKS) {
            self.window.push_back(self.now);
        }
        while self.window.len() > 1 && self.window[1][0] <= at.rolled - over {
            self.window.pop_front();
        }
    }

    /// Whether it has tipped over.
    pub fn has_tipped(&self) -> bool {
        self.tipped
    }

    /// Whether the mean slip over the last distance rolled is at or above a limit; false before that distance
    /// was rolled.
    pub fn is_stuck(&self, traverse: &Traverse, limit: f64) -> bool {
        let Some(old) = self.window.front() else { return false };
        let rolled = self.now[0] - old[0];
        rolled >= traverse.stuck_over && mean_slip(self.now[1] - old[1], rolled) >= limit
    }
}

impl Course {
    /// The answers of a traverse; none before its slope was begun.
    pub(super) fn track_quantities(&self, traverse: &Traverse, slip_limit: f64) -> Vec<NamedValue> {
        let gained = self.last.climbed - self.begin.climbed;
        let rolled = self.last.rolled - self.begin.rolled;
        let aside = self.track.as_ref().map_or(f64::NAN, |track| self.last.aside - track.aside);
        let length = gained.hypotenuse(aside);
        let has_track = length >= LEAST_TRACK * rolled && length > 0.0;
        let on_track = |x: f64| if has_track { x } else { f64::NAN };
        let of_track = |read: &dyn Fn(&Track) -> f64| self.track.as_ref().map_or(f64::NAN, read);
        let time = self.last.t - self.begin.t;
        let put = |name: &str, value: f64, unit: &str, about: &str| NamedValue {
            name: name.into(),
            value,
            unit: unit.into(),
            about: about.into(),
        };
        let flag = |yes: bool| f64::from(u8::from(yes));
        vec![
            put(
                "slip",
                of_track(&|_| self.slip()),
                "1",
                "1 - (distance gained along the heading)/(distance rolled)",
            ),
            put(
                "drift_deg",
                on_track(aside.arctangent2(gained).to_degrees()),
                "deg",
                "angle from the heading to the track over the ground, positive down the slope; none where it hardly moves",
            ),
            put(
                "energy_j_per_m",
                on_track(self.integrals[1] / length),
                "J/m",
                "work of the drives of its wheels over the length of its track, braking counts as negative; none where it hardly moves",
            ),
            put(
                "sinkage_m",
                of_track(&|_| if time > 0.0 { self.integrals[0] / time } else { self.last.sinkage }),
                "m",
                "mean sinkage of the wheels",
            ),
            put(
                "stuck",
                of_track(&|track| flag(track.is_stuck(traverse, slip_limit))),
                "1",
                "1 if the mean slip over the last distance rolled reached the limit",
            ),
            put("tipped", of_track(&|track| flag(track.tipped)), "1", "1 if it tipped over"),
        ]
    }
}
