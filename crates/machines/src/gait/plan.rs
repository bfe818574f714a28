//! The tripod's timetable: travel of the body, foothold of each foot, and progress of its swing to the next.

use touchdown_math::Elementary;

/// Share of a swing in which a foot only goes up, and in the end only down.
const LIFTED: f64 = 0.15;

/// Progress of the body and its cycles.
pub(super) struct Plan {
    pub stride: f64,
    pub period: f64,
    pub lift: f64,
    pub duty: f64,
    pub settle: f64,
}

/// State of a foot at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FootPhase {
    /// Cycle, counted from the leg's own first.
    pub cycle: i64,
    /// `None` on the ground; progress of the swing to the foothold of the next cycle, 0 to 1.
    pub swing: Option<f64>,
}

/// 0 to 1 with rest at both ends.
fn blend(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * s * (10.0 + s * (-15.0 + 6.0 * s))
}

/// Share of the distance to the next foothold, and height over the line there as a share of the largest. Up out of the footprint first, down into the new one last.
pub(super) fn swing(s: f64) -> (f64, f64) {
    let up = (std::f64::consts::PI * s).sine();
    (blend((s - LIFTED) / (1.0 - 2.0 * LIFTED)), up * up)
}

impl Plan {
    /// Distance travelled by the body: it accelerates in the first cycle.
    pub fn travelled(&self, t: f64) -> f64 {
        let u = (t - self.settle) / self.period;
        if u <= 0.0 {
            0.0
        } else if u < 1.0 {
            // ∫ of the blend from 0 to u.
            self.stride * u.whole_power(4) * (2.5 + u * (-3.0 + u))
        } else {
            self.stride * (u - 0.5)
        }
    }

    /// Travel of the body in the middle of a leg's stand: its foothold lies where it then stands under the body.
    pub fn foothold(&self, cycle: i64, offset: f64) -> f64 {
        let begin = (cycle as f64 - offset) * self.period + self.settle;
        if begin <= self.settle { 0.0 } else { self.travelled(begin + 0.5 * self.duty * self.period) }
    }

    pub fn phase(&self, t: f64, offset: f64) -> FootPhase {
        let at = (t - self.settle) / self.period + offset;
        let cycle = at.floor();
        let share = at - cycle;
        let swing_begins = (cycle + self.duty - offset) * self.period;
        // A swing that would have begun before the walk is left out.
        let stands = share < self.duty || swing_begins < 0.0;
        let swing = (!stands).then(|| (share - self.duty) / (1.0 - self.duty));
        FootPhase { cycle: cycle as i64, swing }
    }
}
