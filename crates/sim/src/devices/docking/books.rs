//! Books of a docking: means of the forces at the crown, largest loads on the nozzle, motion of the client.

use crate::description::Docking;
use crate::engine::system::System;
use serde::{Deserialize, Serialize};
use touchdown_math::{Elementary, Pose, Vec3, Wrench};
use touchdown_multibody::rigid::kinematics;
use touchdown_spacecraft::camera::{CameraFix, Rim};
use touchdown_spacecraft::sequence::{AbortReason, DockingPhase};

/// The shoulder is where it should be when the crown begins to lock if it is no farther before its mark than this, m. Behind its mark there is only its seat.
const IN_PLACE: f64 = 2e-3;

/// A running mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    pub fn add(&mut self, value: f64) {
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

/// Books of the camera.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SightBooks {
    /// Poses, and mean square of the error of the rim's centre at their arrival, m².
    pub fixes: u64,
    pub error: Mean,
    /// Normalised innovation squared of the poses: 5 in the mean if the filter is consistent.
    pub innovation: Mean,
}

impl SightBooks {
    /// Books the error of a pose against the present position of the rim: noise and delay together.
    pub fn book(&mut self, fix: &CameraFix, rim: &Rim, innovation: Option<f64>) {
        self.fixes += 1;
        innovation.into_iter().for_each(|squared| self.innovation.add(squared));
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
    /// When the ring lay on all brackets, s; force of the nozzle across the tool from then on (N, tool's axes), and bending moments of the boom: root times tip and
    /// tip times tip, N² m².
    seated: Option<f64>,
    lateral_seated: [Mean; 2],
    moments_seated: [Mean; 2],
    /// When the crown was locked, s.
    locked: Option<f64>,
    /// True distance of the shoulder before its mark when the crown began to lock, m.
    pub before_mark: Option<f64>,
    /// Whether a docking was aborted because of a client's rate that was lower in truth.
    pub false_rate_abort: bool,
    /// Largest force (N) and torque (N m) of the three pairs on the tool, at the crown.
    pub force_max: f64,
    pub torque_max: f64,
    /// Largest loads on the nozzle: across its axis (N), about its throat (N m), pressure (Pa).
    pub lateral_max: f64,
    pub nozzle_torque_max: f64,
    pub pressure_max: f64,
    /// Largest penetrations of tool, crown, bolt and brackets, m.
    pub penetration_max: [f64; 4],
    /// Largest angular rate of the client, rad/s; the same since it was locked.
    pub client_rate_max: f64,
    pub grasped_rate_max: f64,
    /// Largest offset of the throat from the docking axis after locking, m.
    pub client_shift_max: f64,
    /// Largest force in the boom's drive and across the boom, N.
    pub drive_force_max: f64,
    pub boom_lateral_max: f64,
}

impl Books {
    /// Final tension minus that of the retraction, N.
    pub fn final_tension(&self) -> f64 {
        self.tension_end.value() - self.tension_retracting.value()
    }

    /// Whether the client has been locked.
    pub fn is_grasped(&self) -> bool {
        self.locked.is_some()
    }

    /// Whether tool and nozzle have touched.
    pub fn has_touched(&self) -> bool {
        self.force_max > 0.0
    }

    /// Whether locking began with the shoulder farther out than the sequence took it to be.
    pub fn false_insert(&self) -> bool {
        self.before_mark.is_some_and(|before| before > IN_PLACE)
    }

    /// Force of the nozzle across the tool after seating, N: mean of an axis of the tool. Not a number before.
    pub fn lateral_seated(&self, axis: usize) -> f64 {
        self.lateral_seated[axis].value()
    }

    /// Bending moment of the boom at its root over that at its tip, after seating: positive for an S, negative for an arc.
    pub fn moment_ratio_seated(&self) -> f64 {
        self.moments_seated[0].value() / self.moments_seated[1].value()
    }

    /// Compares the decisions of the sequence with the truth.
    pub(super) fn book_decision(
        &mut self,
        system: &System,
        d: &Docking,
        phase: DockingPhase,
        aborted: Option<AbortReason>,
    ) {
        if phase == DockingPhase::Lock {
            self.before_mark = Some(system.before_mark(d));
        }
        if let (DockingPhase::Abort, Some(AbortReason::ClientRate(_))) = (phase, aborted) {
            let rate = kinematics::body_velocity(&system.model, &system.cache, Some(d.client)).w.norm();
            self.false_rate_abort = rate < d.sequence.abort.client_rate;
        }
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
        if phase == DockingPhase::Tension {
            let seated = *self.seated.get_or_insert(t);
            if t <= seated + d.average_over {
                self.book_seated(system, d);
            }
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

    fn book_seated(&mut self, system: &System, d: &Docking) {
        let (W, boom) = (system.nozzle_on_tool(d), &system.acts.booms[d.boom].force);
        self.lateral_seated.iter_mut().zip([W.f.x, W.f.y]).for_each(|(mean, f)| mean.add(f));
        let (root, tip) = (boom.root_torque.xy(), boom.wrench.t.xy());
        self.moments_seated[0].add(root.dot(&tip));
        self.moments_seated[1].add(tip.norm_squared());
    }

    /// Books an accepted step: extremes, which may occur between two ticks.
    pub(super) fn book_step(&mut self, system: &System, d: &Docking) {
        let rate = kinematics::body_velocity(&system.model, &system.cache, Some(d.client)).w.norm();
        self.client_rate_max = self.client_rate_max.max(rate);
        if self.locked.is_some() {
            self.grasped_rate_max = self.grasped_rate_max.max(rate);
        }
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
