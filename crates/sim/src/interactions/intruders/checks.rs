//! Bodies in soil: extremes of the run, and whether they moved slowly enough for their law.

use crate::books::validity::at_most;
use crate::interactions::Checked;
use crate::sink::Check;
use serde::{Deserialize, Serialize};
use touchdown_contact::intrusion::{IntrusionForce, SPEED_MAX};

/// Extremes of one body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct IntruderBook {
    /// Time so far, that below ground faster than the law allows, and below ground, s.
    last: f64,
    fast: f64,
    below: f64,
}

impl IntruderBook {
    /// Books an accepted state.
    pub fn book(&mut self, force: &IntrusionForce, t: f64) {
        let dt = t - self.last;
        self.last = t;
        if force.depth > 0.0 {
            self.below += dt;
            if force.speed > SPEED_MAX {
                self.fast += dt;
            }
        }
    }
}

/// The checks of all bodies.
pub(super) fn checks(on: &Checked) -> Vec<Check> {
    let about = "share of its time below ground in which a part of a body moved through soil faster than 0.5 m/s, where the inertia of grains, which the law leaves out, begins to count";
    let all = on.system.acts.intruders.list.iter().zip(&on.books.intruders);
    let share = |book: &IntruderBook| if book.below > 0.0 { book.fast / book.below } else { 0.0 };
    at_most("intrusion_faster_than_law", FAST, "1", about)
        .worst(all.map(|(body, book)| (body.name.as_str(), share(book))))
        .into_iter()
        .collect()
}

/// A twentieth of the time, because footfalls are short.
const FAST: f64 = 0.05;
