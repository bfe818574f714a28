//! SIGINT (Ctrl-C) and SIGTERM: the first asks the run to stop with a checkpoint, the second ends the process at once.

use crate::failure::Failure;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What signals have asked for.
#[derive(Clone, Debug, Default)]
pub struct Signals {
    /// The next signal ends the process.
    deadly: Arc<AtomicBool>,
    /// Number of the last signal; 0: none came.
    last: Arc<AtomicUsize>,
}

impl Signals {
    /// Takes over from the operating system.
    pub fn take_over() -> Result<Self, Failure> {
        let signals = Signals::default();
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag down, raises it, and the second one finds it up.
            flag::register_conditional_default(signal, Arc::clone(&signals.deadly))
                .and_then(|_| flag::register(signal, Arc::clone(&signals.deadly)))
                .and_then(|_| flag::register_usize(signal, Arc::clone(&signals.last), signal as usize))
                .map_err(|error| Failure::other(format!("listening to signals: {error}")))?;
        }
        Ok(signals)
    }

    /// Hands back: from now on a signal ends the process.
    pub fn hand_back(&self) {
        self.deadly.store(true, Ordering::SeqCst);
    }

    /// The signal that came.
    pub fn came(&self) -> Option<u8> {
        u8::try_from(self.last.load(Ordering::Relaxed)).ok().filter(|signal| *signal > 0)
    }
}
