//! Checks of sequences before a run.

use super::{Sequence, Trigger};
use thiserror::Error;

/// Errors of a sequence.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SequenceError {
    /// A number that must be positive.
    #[error("{what} must be positive, found {found}")]
    NotPositive {
        /// What.
        what: &'static str,
        /// Found.
        found: f64,
    },
    /// The boom cannot become long enough.
    #[error(
        "the client is beyond reach: the tool would be inserted at a boom length of {needed:.3} m, the boom ends at {longest:.3} m"
    )]
    BeyondReach {
        /// Length needed, m.
        needed: f64,
        /// Longest, m.
        longest: f64,
    },
    /// The boom cannot become short enough.
    #[error(
        "the boom cannot pull the client onto the brackets: it would have to be {needed:.3} m long with the safety spring at its stop, {shortest:.3} m is the shortest"
    )]
    TooShort {
        /// Length needed, m.
        needed: f64,
        /// Shortest, m.
        shortest: f64,
    },
    /// Lengths in the wrong order.
    #[error(
        "boom lengths must rise from docked ({docked:.3} m) to start ({start:.3} m) to inserted ({inserted:.3} m)"
    )]
    Order {
        /// Docked, m.
        docked: f64,
        /// Start, m.
        start: f64,
        /// Inserted, m.
        inserted: f64,
    },
    /// Times that do not rise.
    #[error("times of the sequence must rise, found {0} s after {1} s")]
    Times(f64, f64),
    /// The drive could not hold the tension.
    #[error("the boom's drive gives {0} N in insertion, more than its {1} N otherwise")]
    Force(f64, f64),
}

impl Sequence {
    /// Checks the sequence.
    pub fn check(&self) -> Result<(), SequenceError> {
        let (b, e, a) = (&self.boom, &self.events, &self.abort);
        let positive = [
            ("insertion speed", b.insertion_speed),
            ("retraction speed", b.retraction_speed),
            ("approach speed", b.approach_speed),
            ("ramp of the boom's speed", b.ramp),
            ("ramp of the retraction", b.retraction_ramp),
            ("travel of the safety spring", b.spring_travel),
            ("shortest boom length", b.length_limits[0]),
            ("docked boom length", b.length_docked),
            ("insertion force", b.insertion_force),
            ("locking force", e.locking_force),
            ("threshold of the distance sensors", e.throat_passed),
            ("retreat speed", e.retreat_speed),
            ("control period", self.period),
            ("insertion timeout", a.insertion_timeout),
            ("locking timeout", a.locking_timeout),
            ("retraction timeout", a.retraction_timeout),
            ("seating timeout", a.seating_timeout),
            ("tension timeout", a.tension_timeout),
        ];
        for (what, found) in positive {
            // Not `found <= 0`, so that values that are not a number are refused.
            if !(found > 0.0 && found.is_finite()) {
                return Err(SequenceError::NotPositive { what, found });
            }
        }
        let (inserted, start, docked) = (b.length_inserted, b.length_start, b.length_docked);
        if inserted > b.length_limits[1] {
            return Err(SequenceError::BeyondReach { needed: inserted, longest: b.length_limits[1] });
        }
        let shortest = docked - b.spring_travel;
        if shortest < b.length_limits[0] {
            return Err(SequenceError::TooShort { needed: shortest, shortest: b.length_limits[0] });
        }
        if !(docked < start && start < inserted) {
            return Err(SequenceError::Order { docked, start, inserted });
        }
        if b.insertion_force > b.force {
            return Err(SequenceError::Force(b.insertion_force, b.force));
        }
        if let Trigger::Clock { inserted, locked, brackets, seated, docked } = self.trigger {
            let times = [0.0, inserted, locked, brackets, seated, docked];
            if let Some(pair) = times.windows(2).find(|pair| pair[0] >= pair[1]) {
                return Err(SequenceError::Times(pair[1], pair[0]));
            }
        }
        Ok(())
    }
}
