//! Ctrl-C while the engine runs: Python's lock is released, and asked for now and then to see whether a signal came.

use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// How long the engine runs between two looks at signals.
const EVERY: Duration = Duration::from_millis(40);

/// Looks at signals now and then.
pub struct Watch {
    next: Instant,
    /// What a signal handler raised.
    pub raised: Option<PyErr>,
}

impl Watch {
    /// From now on.
    pub fn new() -> Watch {
        Watch { next: Instant::now() + EVERY, raised: None }
    }

    /// Whether it is time to look.
    pub fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }

    /// Whether to go on; to be asked after every step, without Python's lock.
    pub fn go_on(&mut self) -> bool {
        if self.raised.is_some() {
            return false;
        }
        let now = Instant::now();
        if now >= self.next {
            self.raised = Python::attach(|py| py.check_signals()).err();
            self.next = Instant::now() + EVERY;
        }
        self.raised.is_none()
    }

    /// The exception that ended it, if one did.
    pub fn result(self) -> PyResult<()> {
        self.raised.map_or(Ok(()), Err)
    }
}
