//! Drives that hold the speed of a wheel's hub over the ground: what they add to the rim speed that is asked for.
//!
//! The rolling radius of a flexible wheel changes with its angle by several per cent, which no formula of its deformation tells. Such a drive therefore sums up the error
//! of the hub's speed: target rate = speed/radius + c, dc/dt = k·(speed − v_hub)/radius. Below the frequency k/2π the rover keeps its speed and the wheel follows the ground; c is a
//! state like those of contacts, solved inside an implicit step. Its derivatives are left out of the Newton matrix: of the order of step times k.

use crate::system::{ContactStates, Instant, System};
use touchdown_math::Vec3;
use touchdown_multibody::description::DriveKind;
use touchdown_multibody::rigid::Model;

/// For each drive the state that holds its correction; counts them on.
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
    /// Corrections of the drives and their rates. Needs kinematics, and contacts for the rolling radii.
    pub(crate) fn update_corrections(&mut self, at: &Instant) {
        for k in 0..self.correction_state.len() {
            let Some(state) = self.correction_state[k] else { continue };
            let drive = &self.model.drives[k];
            let DriveKind::RimSpeed { speed, correction, .. } = &drive.kind else { continue };
            let rate = match self.hub_speed(k) {
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

    /// Speed of the hub that a drive turns, along the ground where its wheel rolls, m/s.
    fn hub_speed(&self, drive: usize) -> Option<f64> {
        if let Some(i) = self.drive_flexible[drive] {
            let (stance, body) = (self.flexible_wheel(i)?, self.flexible[i].carrier.as_ref()?.body);
            return Some(self.point_velocity_of(body, &stance.p_WC).dot(&stance.forward_W));
        }
        let i = self.drive_tyre[drive]?;
        let motion = self.wheel_motion(i);
        let forward = motion.axis_W.cross(&self.ground_under(i).normal);
        Some(motion.v_WC.dot(&forward.try_normalize(1e-9).unwrap_or_else(Vec3::x)))
    }

    fn point_velocity_of(&self, body: usize, p_W: &Vec3) -> Vec3 {
        use touchdown_multibody::rigid::kinematics;
        let V = kinematics::body_velocity(&self.model, &self.cache, Some(body));
        kinematics::point_velocity(&self.cache, &V, p_W)
    }
}
