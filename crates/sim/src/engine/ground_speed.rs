//! Drives that hold the speed of a wheel's hub over the ground: their correction of the commanded rim speed.
//!
//! The rolling radius of a flexible wheel varies with its angle by several per cent, which no formula of its
//! deformation describes. Such a drive therefore integrates the error of the hub's speed: target rate =
//! speed/radius + c, dc/dt = k·(speed − v_hub)/radius. Below the frequency k/2π the rover keeps its speed and
//! the wheel follows the ground; c is a state like those of contacts, solved inside an implicit step. Its
//! derivatives, of the order of step times k, are left out of the Newton matrix.

use crate::engine::system::{ContactStates, Instant, System};
use touchdown_multibody::description::DriveKind;
use touchdown_multibody::rigid::Model;

/// For each drive the state that holds its correction; advances the count of states.
pub(crate) fn states(model: &Model, nz: &mut usize) -> Vec<Option<usize>> {
    let mut state = |kind: &DriveKind| match kind {
        DriveKind::RimSpeed { correction, .. } if *correction > 0.0 => {
            *nz += 1;
            Some(*nz - 1)
        }
        _ => None,
    };
    model.drives.iter().map(|drive| state(&drive.kind)).collect()
}

impl System {
    /// Corrections of the drives and their rates. Needs kinematics, and interactions for the rolling radii.
    pub(crate) fn update_corrections(&mut self, at: &Instant) {
        for k in 0..self.correction_state.len() {
            let Some(state) = self.correction_state[k] else { continue };
            let drive = &self.model.drives[k];
            let DriveKind::RimSpeed { speed, correction, .. } = &drive.kind else { continue };
            let rate = match self.drive_wheel[k].and_then(|wheel| self.hub_speed(wheel)) {
                Some(hub) if at.t >= drive.active_from => {
                    correction * (speed.value(at.t) - hub) / self.rolling_radius[k]
                }
                _ => 0.0,
            };
            let value = match at.z {
                ContactStates::Given(z) => z[state],
                ContactStates::Implicit { base, h } => base[state] + h * rate,
            };
            (self.correction[k], self.z_used[state], self.z_rate[state]) = (value, value, rate);
        }
    }
}
