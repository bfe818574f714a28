//! The docking sequence: a state machine that reads sensors at its ticks and commands boom, crown and
//! attitude control.
//!
//! | phase | the boom | the crown | ends when |
//! |---|---|---|---|
//! | [`DockingPhase::Centre`] | waits | stowed | the camera has seen the nozzle often enough, near enough to the docking axis |
//! | [`DockingPhase::Extend`] | goes out | stowed | the nose is in the plane of the exit |
//! | [`DockingPhase::Insert`] | goes out, stops before the shoulder touches, also where it leans | stowed | all distance sensors have passed the throat, and the shoulder is surely at its mark |
//! | [`DockingPhase::Lock`] | goes along with the nozzle until the crown pulls | spreads and comes back | its drive has held the locking force |
//! | [`DockingPhase::Retract`] | waits, comes back, slows down | locked | a bracket switch closes |
//! | [`DockingPhase::Seat`] | comes back slowly | locked | all bracket switches have stayed closed |
//! | [`DockingPhase::Tension`] | comes back until the safety spring is at its stop | locked | it has stayed there |
//! | [`DockingPhase::Docked`] | rests, self-locking | locked | – |
//! | [`DockingPhase::Abort`] | stops | is stowed | it is stowed |
//! | [`DockingPhase::Retreat`] | retracts, then thrusters push away | stowed | the satellites separate fast enough, or 100 s of thrust |
//! | [`DockingPhase::Retreated`] | rests | stowed | – |
//!
//! The timed variant ([`Trigger::Clock`]) goes through the same phases at given times, without any sensor and
//! without aborts; it uses the commanded length as the boom's length.

mod abort;
mod check;
mod machine;
mod ramp;
#[cfg(test)]
mod tests;

pub use abort::{AbortCriteria, AbortReason};
pub use check::SequenceError;
pub use ramp::Ramp;

use crate::camera::RimSeen;
use crate::control::AocsMode;
use serde::{Deserialize, Serialize};

/// Phase of the sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DockingPhase {
    /// The camera finds the nozzle.
    #[default]
    Centre,
    /// The boom brings the tool to the nozzle.
    Extend,
    /// The tool goes in.
    Insert,
    /// The crown locks.
    Lock,
    /// The boom pulls the client in.
    Retract,
    /// The ring comes down on the brackets.
    Seat,
    /// The safety spring is tensioned.
    Tension,
    /// Done.
    Docked,
    /// Aborted: the crown is stowed.
    Abort,
    /// The tool is withdrawn and the chaser retreats.
    Retreat,
    /// Safely away.
    Retreated,
}

impl DockingPhase {
    /// Its name, as in tables and messages.
    pub fn name(self) -> &'static str {
        match self {
            DockingPhase::Centre => "centre",
            DockingPhase::Extend => "extend",
            DockingPhase::Insert => "insert",
            DockingPhase::Lock => "lock",
            DockingPhase::Retract => "retract",
            DockingPhase::Seat => "seat",
            DockingPhase::Tension => "tension",
            DockingPhase::Docked => "docked",
            DockingPhase::Abort => "abort",
            DockingPhase::Retreat => "retreat",
            DockingPhase::Retreated => "retreated",
        }
    }

    /// A number for columns, in the order of a docking: 0 centre to 7 docked, −1 abort, −2 retreat, −3 retreated.
    pub fn code(self) -> i32 {
        match self {
            DockingPhase::Abort => -1,
            DockingPhase::Retreat => -2,
            DockingPhase::Retreated => -3,
            onwards => onwards as i32,
        }
    }

    /// Whether the sequence has ended.
    pub fn is_final(self) -> bool {
        matches!(self, DockingPhase::Docked | DockingPhase::Retreated)
    }
}

/// Trigger of transitions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trigger {
    /// Sensors.
    Sensors,
    /// Given times, s: inserted, locked, brackets, seated, docked.
    Clock {
        /// The tool is in.
        inserted: f64,
        /// The crown is locked.
        locked: f64,
        /// The ring is at the brackets.
        brackets: f64,
        /// The ring lies on the brackets.
        seated: f64,
        /// The spring is tensioned.
        docked: f64,
    },
}

/// Positions on the docking axis, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DockingGeometry {
    /// Root of the boom, z in the chaser.
    pub boom_root_z: f64,
    /// Nose of the tool ahead of its shoulder.
    pub nose_q: f64,
    /// Nozzle exit from the throat, along the nozzle's axis.
    pub exit_a: f64,
    /// Where the shoulder meets the nozzle, from the throat.
    pub shoulder_a: f64,
    /// Gap left between shoulder and nozzle after insertion.
    pub gap: f64,
    /// How much earlier the shoulder of a tool touches that leans in the nozzle, m for each unit of the sine of its lean: one side of it meets the bell first.
    pub early_per_lean: f64,
}

/// Lengths, speeds and forces of the boom's drive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoomSettings {
    /// Length before and after a docking that fails, m.
    pub length_start: f64,
    /// Length when inserted, m, for the timed variant; otherwise from the camera.
    pub length_inserted: f64,
    /// Length at which the ring reaches the brackets, m.
    pub length_docked: f64,
    /// Shortest and longest, m.
    pub length_limits: [f64; 2],
    /// Speed outwards, and inwards without a client, m/s.
    pub insertion_speed: f64,
    /// Speed inwards with the client, m/s.
    pub retraction_speed: f64,
    /// Speed near the brackets and when the spring is tensioned, m/s.
    pub approach_speed: f64,
    /// The last distance before the brackets, covered at that speed, m.
    pub approach_distance: f64,
    /// Time in which speeds are reached, s.
    pub ramp: f64,
    /// The same with the client, s.
    pub retraction_ramp: f64,
    /// Largest force of the drive during insertion, N.
    pub insertion_force: f64,
    /// Largest force of the drive otherwise, N.
    pub force: f64,
    /// Travel of the safety spring to its stop, m.
    pub spring_travel: f64,
}

/// Thresholds and times of the events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventSettings {
    /// Poses that the camera must give before the boom starts.
    pub centring_fixes: u32,
    /// Farthest that the nozzle may be off the docking axis for that, m.
    pub lateral_tolerance: f64,
    /// A distance sensor has passed the throat when it reads more than this again, m.
    pub throat_passed: f64,
    /// Force of the crown's drive, N.
    pub locking_force: f64,
    /// Time for which it must be held, s.
    pub locked_for: f64,
    /// Rest before the retraction, s.
    pub retraction_after: f64,
    /// Time for which all brackets must be touched, s.
    pub seated_for: f64,
    /// Time for which the spring must be at its stop, s.
    pub docked_for: f64,
    /// Speed at which the chaser retreats after an abort, m/s.
    pub retreat_speed: f64,
    /// Force at the tool that counts as contact, N.
    pub contact_force: f64,
}

/// A docking sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sequence {
    /// Sensors or clock.
    pub trigger: Trigger,
    /// Places.
    pub geometry: DockingGeometry,
    /// Boom.
    pub boom: BoomSettings,
    /// Events.
    pub events: EventSettings,
    /// Abort criteria.
    pub abort: AbortCriteria,
    /// Time between ticks, s.
    pub period: f64,
}

/// Readings of the sensors at a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Readings<'a> {
    /// The present rim of the nozzle in the chaser, from all pictures so far, and the time of the latest;
    /// `None` if that is old.
    pub camera: Option<RimSeen>,
    /// Distance sensors, m.
    pub distances: &'a [Option<f64>],
    /// Switch at the nose.
    pub nose: bool,
    /// Switch at the shoulder.
    pub shoulder: bool,
    /// Switches of the brackets.
    pub brackets: &'a [bool],
    /// Force of the crown's drive, N, positive when it pulls the nozzle against the shoulder.
    pub crown_force: f64,
    /// Whether the crown is stowed.
    pub crown_stowed: bool,
    /// Length of the boom, m.
    pub boom_length: f64,
    /// Axial force in the boom, N, tension positive.
    pub boom_force: f64,
    /// Force across the boom, N.
    pub boom_lateral_force: f64,
    /// Travel of the safety spring, m.
    pub spring_travel: f64,
    /// Angular rate of the client, rad/s.
    pub client_rate: f64,
    /// Separation speed of the satellites, m/s; zero without a pose.
    pub separation_speed: f64,
    /// Standard deviations along the docking axis: of the rim's place, m, and of that speed, m/s; `None` if the camera does not say.
    pub sureness: Option<[f64; 2]>,
}

/// Commands until the next tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Commands {
    /// Rate of the boom's length over time.
    pub boom_rate: Ramp,
    /// Largest force of the boom's drive, N.
    pub boom_force: f64,
    /// Drive of the crown: +1 spreads and comes back at its full speed, −1 stows, 0 rests (self-locking).
    pub crown: f64,
    /// Force at which the crown's drive stops, N.
    pub crown_force: f64,
    /// Mode of attitude and orbit control.
    pub aocs: AocsMode,
    /// Speed of the chaser's retreat along its −z, m/s, if any.
    pub retreat_speed: Option<f64>,
}

/// Cause of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reason {
    /// The nozzle is this far off the docking axis, m.
    Centred(f64),
    /// The nose is in the exit plane at this length of the boom, m.
    AtExit(f64),
    /// All distance sensors have passed the throat inwards, and the camera sees the shoulder this far before its mark, m.
    Inserted(f64),
    /// The crown's drive held this force, N.
    Locked(f64),
    /// The bracket with this index was touched first.
    FirstBracket(u32),
    /// All brackets are touched.
    AllBrackets,
    /// The safety spring is at its stop, at this force in the boom, N.
    SpringAtStop(f64),
    /// The clock.
    Time,
    /// An abort criterion.
    Wrong(AbortReason),
    /// The crown is stowed.
    CrownStowed,
    /// The crown did not stow in time; the retreat continues.
    CrownStuck,
    /// The satellites separate at this speed, m/s.
    Parting(f64),
    /// Thrusters have pushed for this time, s, without a measured speed.
    Pushed(f64),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Reason::Centred(x) => write!(f, "nozzle {:.1} mm off the docking axis", 1e3 * x),
            Reason::AtExit(x) => write!(f, "nose in the exit plane at a boom length of {x:.3} m"),
            Reason::Inserted(x) => {
                write!(
                    f,
                    "all distance sensors passed the throat inwards; {:.1} mm before the mark, by the camera",
                    1e3 * x
                )
            }
            Reason::Locked(x) => write!(f, "crown drive held {x:.1} N"),
            Reason::FirstBracket(k) => write!(f, "bracket {} touched", k + 1),
            Reason::AllBrackets => write!(f, "all brackets touched"),
            Reason::SpringAtStop(x) => write!(f, "safety spring at its stop, {x:.1} N in the boom"),
            Reason::Time => write!(f, "time"),
            Reason::Wrong(reason) => reason.fmt(f),
            Reason::CrownStowed => write!(f, "crown stowed"),
            Reason::CrownStuck => write!(f, "crown not stowed in time"),
            Reason::Parting(x) => write!(f, "satellites part at {:.1} mm/s", 1e3 * x),
            Reason::Pushed(x) => write!(f, "thrusters pushed for {x:.0} s"),
        }
    }
}

/// One step of the sequence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transition {
    /// When, s.
    pub time: f64,
    /// From.
    pub from: DockingPhase,
    /// To.
    pub to: DockingPhase,
    /// Why.
    pub reason: Reason,
}

/// Memory of the sequence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SequenceState {
    /// Its phase.
    pub phase: DockingPhase,
    /// Beginning of the phase, s.
    pub entered: f64,
    /// All transitions.
    pub transitions: Vec<Transition>,
    /// The reason for its abort.
    pub aborted: Option<AbortReason>,
    /// Rate of the boom's length.
    ramp: Ramp,
    /// Time of the last tick, s, and the length commanded until then, m.
    last: (f64, f64),
    /// Length at which the tool is in, m, from the camera; it may lie beyond the boom's reach.
    pub length_inserted: f64,
    /// How much shorter that is than for an upright tool, m.
    early: f64,
    /// How far the nozzle is off the docking axis, m, by the camera's latest pose.
    pub lateral_error: Option<f64>,
    /// Time of the latest pose used, s, and how many were.
    fixes: (f64, u32),
    /// Whether all distance sensors were in the throat at once, and have not left it forwards.
    in_throat: bool,
    /// Whether anything has been touched.
    touched: bool,
    /// Whether the crown has pulled.
    gripped: bool,
    /// Since when the crown, the brackets, the spring, the push (on the tool, later of the thrusters) and the client's rate are what is waited for, s.
    held: [Option<f64>; 5],
}

impl SequenceState {
    /// Its status, in a sentence for reports and warnings.
    pub fn verdict(&self) -> String {
        let at = |phase| self.time_of(phase).unwrap_or(self.entered);
        match (self.phase, &self.aborted) {
            (DockingPhase::Docked, _) => format!("docked at {:.1} s", at(DockingPhase::Docked)),
            (phase, Some(why)) => {
                let end = if phase == DockingPhase::Retreated {
                    "away from the client"
                } else {
                    "still in retreat"
                };
                format!("docking aborted at {:.1} s: {why}; {end}", at(DockingPhase::Abort))
            }
            (phase, None) => format!("undecided in phase {} since {:.1} s", phase.name(), self.entered),
        }
    }

    /// When a phase was first entered, s; `None` if it was not, and for the first.
    pub fn time_of(&self, phase: DockingPhase) -> Option<f64> {
        self.transitions.iter().find(|x| x.to == phase).map(|x| x.time)
    }
}
