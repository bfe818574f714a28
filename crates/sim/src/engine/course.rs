//! The gradability study: slopes raised one after the other until a vehicle no longer climbs, in one continuous run.
//!
//! Gravity turns smoothly to the first slope, and from each climbed slope to the next one; the ground remains
//! as the vehicle has left it. On each slope, counted from the end of the turn:
//! - climbed: it has covered the distance within the time limit, with a mean slip over the slope below the
//!   limit;
//! - not climbed: the time is over, or the distance was covered with too much slip, or the slip of the last
//!   second has been at or above the limit for [`PATIENCE`] without interruption.
//!
//! A traverse is one slope driven at a heading (`track`): it ends when the distance is covered, the vehicle
//! is stuck or has tipped over, or the time is over.
//!
//! The run ends with the first slope not climbed, or with the last one climbed. Decisions are made only at
//! rows of the series, so that their interval is the resolution in time. [`Course`] is part of the state: a
//! resumed run ends with the same bits.

mod track;

use crate::books::vehicle::mean_slip;
use crate::description::Gradability;
use crate::engine::gravity::Turn;
use crate::sink::{Column, NamedValue};
use serde::{Deserialize, Serialize};
use track::Track;

/// Longest time of excessive slip, s: starting and single stones take less.
pub(crate) const PATIENCE: f64 = 5.0;
/// Quantity that answers the study.
const ANSWER: &str = "gradability_deg";

/// The vehicle at a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Mark {
    /// Simulated time, s.
    pub t: f64,
    /// Distance gained since the start along the forward direction at the start, which is uphill without a heading, m.
    pub climbed: f64,
    /// Distance to the right of that direction, m.
    pub aside: f64,
    /// Angle of its z axis from the vertical, rad.
    pub lean: f64,
    /// Mean distance rolled by the wheels since the start, m.
    pub rolled: f64,
    /// Slip over the last second.
    pub slip: f64,
    /// Mean sinkage of the wheels, m.
    pub sinkage: f64,
    /// Power of the drives, W.
    pub power: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum CoursePhase {
    /// Gravity turns to the slope.
    Turning,
    /// On the slope.
    Climbing,
    /// The study is over.
    Over,
}

/// Result of one slope.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Verdict {
    climbed: bool,
    slip: f64,
    sinkage: f64,
    power: f64,
}

/// Progress of the study; part of the state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Course {
    /// Gravity now.
    pub turn: Turn,
    phase: CoursePhase,
    /// Slopes decided so far, in order.
    verdicts: Vec<Verdict>,
    /// Begin of the present slope.
    begin: Mark,
    /// Last row on the present slope.
    last: Mark,
    /// Integrals over the present slope: sinkage, m s, and power, J.
    integrals: [f64; 2],
    /// Time since which the slip is too large, s.
    slipping_since: Option<f64>,
    /// Track of a traverse.
    track: Option<Track>,
}

impl Course {
    /// At the start, gravity turning to the first slope.
    pub fn new(turn: Turn, study: &Gradability) -> Course {
        Course {
            turn,
            phase: if study.slopes.is_empty() { CoursePhase::Over } else { CoursePhase::Turning },
            verdicts: Vec::with_capacity(study.slopes.len()),
            begin: Mark::default(),
            last: Mark::default(),
            integrals: [0.0; 2],
            slipping_since: None,
            track: None,
        }
    }

    /// Whether the study is over.
    pub fn is_over(&self) -> bool {
        self.phase == CoursePhase::Over
    }

    /// Adds a row; `now` is the time up to which the motion is known: gravity may change only after it.
    pub fn advance(&mut self, study: &Gradability, at: Mark, now: f64) {
        match self.phase {
            CoursePhase::Turning if at.t >= self.turn.end() => {
                (self.begin, self.last) = (at, at);
                self.integrals = [0.0; 2];
                self.slipping_since = None;
                self.track = study.traverse.map(|_| Track::begin(&at));
                self.phase = CoursePhase::Climbing;
            }
            CoursePhase::Climbing => {
                self.collect(study, at);
                if let Some(climbed) = self.decide(study) {
                    self.close(study, climbed, now);
                }
            }
            CoursePhase::Turning | CoursePhase::Over => {}
        }
    }

    fn collect(&mut self, study: &Gradability, at: Mark) {
        let dt = at.t - self.last.t;
        self.integrals[0] += 0.5 * dt * (self.last.sinkage + at.sinkage);
        self.integrals[1] += 0.5 * dt * (self.last.power + at.power);
        let too_much = at.slip >= study.slip_limit;
        self.slipping_since = if too_much { self.slipping_since.or(Some(at.t)) } else { None };
        self.last = at;
        if let (Some(track), Some(traverse)) = (&mut self.track, &study.traverse) {
            track.advance(&at, traverse.stuck_over);
        }
    }

    /// Mean slip over the present slope.
    fn slip(&self) -> f64 {
        let (begin, last) = (&self.begin, &self.last);
        mean_slip(last.climbed - begin.climbed, last.rolled - begin.rolled)
    }

    /// Whether the present slope was climbed; `None` while undecided.
    fn decide(&self, study: &Gradability) -> Option<bool> {
        // A row just before a time limit by round-off has reached it.
        const SLACK: f64 = 1e-9;
        let t = self.last.t;
        if self.last.climbed - self.begin.climbed >= study.distance {
            return Some(self.slip() < study.slip_limit);
        }
        let late = t - self.begin.t >= study.time_limit - SLACK;
        if let (Some(track), Some(traverse)) = (&self.track, &study.traverse) {
            let ended = late || track.is_stuck(traverse, study.slip_limit) || track.has_tipped();
            return ended.then_some(false);
        }
        let stuck = self.slipping_since.is_some_and(|since| t - since >= PATIENCE - SLACK);
        (late || stuck).then_some(false)
    }

    fn close(&mut self, study: &Gradability, climbed: bool, now: f64) {
        let time = (self.last.t - self.begin.t).max(f64::MIN_POSITIVE);
        let [sinkage, power] = self.integrals.map(|integral| integral / time);
        self.verdicts.push(Verdict { climbed, slip: self.slip(), sinkage, power });
        match study.slopes.get(self.verdicts.len()) {
            Some(slope) if climbed => {
                self.turn = self.turn.next(*slope, now);
                self.phase = CoursePhase::Turning;
            }
            _ => self.phase = CoursePhase::Over,
        }
    }

    /// The answers. Slopes that were not tried or not completed have no numbers; neither has the steepest one
    /// while the study is not over.
    pub fn quantities(&self, study: &Gradability) -> Vec<NamedValue> {
        if let Some(traverse) = &study.traverse {
            return self.track_quantities(traverse, study.slip_limit);
        }
        let mut out = Vec::new();
        let mut put = |name: String, value: f64, unit: &str, about: &str| {
            out.push(NamedValue { name, value, unit: unit.into(), about: about.into() });
        };
        let answer = if self.is_over() { self.steepest(study).to_degrees() } else { f64::NAN };
        put(ANSWER.into(), answer, "deg", "steepest slope climbed; 0 if none was");
        for (k, slope) in study.slopes.iter().enumerate() {
            let verdict = self.verdicts.get(k);
            let number = |read: fn(&Verdict) -> f64| verdict.map_or(f64::NAN, read);
            let name = |what: &str| format!("slope_{}_{what}", k + 1);
            put(name("deg"), slope.to_degrees(), "deg", "the slope");
            put(name("climbed"), number(|v| f64::from(u8::from(v.climbed))), "1", "1 if climbed, 0 if not");
            put(name("slip"), number(|v| v.slip), "1", "1 - (distance gained)/(distance rolled) on it");
            put(name("sinkage_m"), number(|v| v.sinkage), "m", "mean sinkage of the wheels on it");
            put(name("power_w"), number(|v| v.power), "W", "mean power of the wheels' drives on it");
        }
        out
    }

    /// The steepest slope climbed so far, rad; 0 if none was.
    fn steepest(&self, study: &Gradability) -> f64 {
        let climbed = study.slopes.iter().zip(&self.verdicts).filter(|(_, verdict)| verdict.climbed);
        climbed.fold(0.0, |steepest: f64, (slope, _)| steepest.max(*slope))
    }

    /// The reason for a missing answer: the time may end before the study does.
    pub fn warning(&self, study: &Gradability) -> Option<String> {
        let tried = self.verdicts.len();
        let slope = study.slopes.get(tried).filter(|_| !self.is_over())?;
        let so_far = match self.verdicts.iter().filter(|verdict| verdict.climbed).count() {
            0 => "no slope was climbed until then".into(),
            _ => format!("the steepest climbed until then has {:.2} deg", self.steepest(study).to_degrees()),
        };
        Some(format!(
            "quantity \"{ANSWER}\" has no value: the run ended before slope {} of {} ({:.2} deg) was climbed or abandoned; {so_far}",
            tried + 1,
            study.slopes.len(),
            slope.to_degrees()
        ))
    }
}

/// The study's own column.
pub(crate) fn column() -> Column {
    Column {
        name: "gravity.slope_rad".into(),
        unit: "rad",
        frame: "world",
        about: "angle of gravity from its direction at the start, downhill against the vehicle".into(),
    }
}

#[cfg(test)]
mod tests;
