//! Contact switches: closed above a force, open again below a smaller one.

use serde::{Deserialize, Serialize};

/// A switch that closes under a force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSwitch {
    /// Force at which it closes, N.
    pub close: f64,
    /// Force below which it opens again, N.
    pub open: f64,
}

/// Whether a switch is closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchState {
    /// Closed.
    pub closed: bool,
}

impl ContactSwitch {
    /// A switch that closes at a force and opens at half of it.
    pub fn at(force: f64) -> ContactSwitch {
        ContactSwitch { close: force, open: 0.5 * force }
    }

    /// Reads the switch under a force, N.
    pub fn tick(&self, state: &mut SwitchState, force: f64) -> bool {
        state.closed = if state.closed { force >= self.open } else { force >= self.close };
        state.closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It closes at its force, stays closed down to the lower one, and does not chatter in between.
    #[test]
    fn hysteresis() {
        let (switch, mut state) = (ContactSwitch::at(5.0), SwitchState::default());
        let readings = [0.0, 4.9, 5.0, 4.0, 2.6, 2.4, 4.9, 5.1].map(|f| switch.tick(&mut state, f));
        assert_eq!(readings, [false, false, true, true, true, false, false, true]);
    }
}
