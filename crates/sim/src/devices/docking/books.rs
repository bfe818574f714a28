//! What a docking is judged by: means of the forces at the crown, largest loads on the nozzle, motion of the client.

use crate::description::Docking;
use crate::engine::system::System;
use serde::{Deserialize, Serialize};
use touchdown_math::{Elementary, Pose, Vec3, Wrench};
use touchdown_multibody::rigid::kinematics;
use touchdown_spacecraft::camera::{CameraFix, Rim};
use touchdown_spacecraft::sequence::DockingPhase;

/// A mean that grows sample by sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    /// Root of the mean; of squares: the root mean square.
    pub fn root(&self) -> f64 {
        self.value().sqrt()
    }

    /// Not a number before the first sample.
    pub fn value(&self) -> f64 {
        self.sum / self.count as f64
    }
}

/// What the camera is judged by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SightBooks {
    /// Poses, and mean square of the error of the rim's centre at their arrival, m².
    pub fixes: u64,
    pub error: Mean,
}

impl SightBooks {
    /// Books a pose against where the rim is now: noise and delay together.
    pub fn book(&mut self, fix: &CameraFix, rim: &Rim) {
        self.fixes += 1;
        self.error.add((Vec3::from(fix.centre) - rim.centre).norm_squared());
    }
}

/// The books: means sampled at the ticks of the docking, extremes at every accepted step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Books {
    /// Pull of the nozzle on the crown after locking, N.
    pub locking_force: Mean,
    /// Tension between tool and nozzle, all three pairs: during the retraction and at the end, N.
    tension_retracting: Mean,
    tension_end: Mean,
    /// When the crown was locked, s.
    locked: Option<f64>,
    /// Largest force (N) and torque (N m) of the three pairs on the tool, at the crown.
    pub force_max: f64,
    pub torque_max: f64,
    /// Largest loads on the nozzle: across its axis (N), about its throat (N m), pressure (Pa).
    pub lateral_max: f64,
    pub nozzle_torque_max: f64,
    pub pressure_max: f64,
    /// Largest penetrations of tool, crown, bolt and brackets, m.
    pub penetration_max: [f64; 4],
    /// Largest angular rate of the client, rad/s.
    pub client_rate_max: f64,
    /// Farthest that the throat has been off the docking axis after locking, m.
    pub client_shift_max: f64,
    /// Largest force in the boom's drive and across the boom, N.
    pub drive_force_max: f64,
    pub boom_lateral_max: f64,
}

impl Books {
    /// What the final tension has more than that of the retraction, N.
    pub fn final_tension(&self) -> f64 {
        self.tension_end.value() - self.tension_retracting.value()
    }

    /// Books a tick: means.
    pub(super) fn book_tick(
        &mut self,
        system: &System,
        d: &Docking,
        (t, phase, near_end): (f64, DockingPhase, bool),
        crown_force: f64,
    ) {
        if phase == DockingPhase::Retract && self.locked.is_none() {
            self.locked = Some(t);
        }
        if self.locked.is_some_and(|locked| t <= locked + d.average_over) {
            self.locking_force.add(crown_force);
        }
        let mean = match phase {
            DockingPhase::Retract => &mut self.tension_retracting,
            DockingPhase::Docked if near_end => &mut self.tension_end,
            _ => return,
        };
        mean.add(system.nozzle_on_tool(d).f.z);
    }

    /// Books an accepted step: extremes, which a blow between two ticks may reach.
    pub(super) fn book_step(&mut self, system: &System, d: &Docking) {
        let rate = kinematics::body_velocity(&system.model, &system.cache, Some(d.client)).w.norm();
        self.client_rate_max = self.client_rate_max.max(rate);
        let boom = &system.acts.booms[d.boom].force;
        self.drive_force_max = self.drive_force_max.max(boom.drive_force.abs());
        self.boom_lateral_max = self.boom_lateral_max.max(boom.wrench.f.x.hypotenuse(boom.wrench.f.y));
        let X_WN = system.nozzle_frame(d);
        if self.locked.is_some() {
            let X_WA = kinematics::body_pose(&system.model, &system.cache, d.chaser);
            let off = X_WA.inverse().point(&X_WN.p).xy().norm();
            self.client_shift_max = self.client_shift_max.max(off);
        }
        self.book_contacts(system, d, &X_WN);
    }

    fn book_contacts(&mut self, system: &System, d: &Docking, X_WN: &Pose) {
        let c = &d.contacts;
        let deepest = |contacts: &[usize]| {
            contacts.iter().map(|i| system.acts.polygonal.list[*i].force.penetration_max).fold(0.0, f64::max)
        };
        let now = [deepest(&[c.tool]), deepest(&[c.crown]), deepest(&[c.bolt]), deepest(&c.brackets)];
        self.penetration_max.iter_mut().zip(now).for_each(|(most, depth)| *most = most.max(depth));
        if now[..3] == [0.0; 3] {
            return;
        }
        let W = system.nozzle_on_tool(d);
        self.force_max = self.force_max.max(W.f.norm());
        self.torque_max = self.torque_max.max(W.t.norm());
        let mut sum = Wrench::zero();
        for contact in [c.tool, c.crown, c.bolt] {
            sum += system.wrench_on_tool(contact, d.client, &X_WN.p);
            self.pressure_max = self.pressure_max.max(system.acts.polygonal.list[contact].force.pressure_max);
        }
        let f = X_WN.R.transpose() * sum.f;
        self.lateral_max = self.lateral_max.max(f.x.hypotenuse(f.y));
        self.nozzle_torque_max = self.nozzle_torque_max.max(sum.t.norm());
    }
}
