//! Reading the channels of an evaluated system, row by row.

use super::{Channels, Snapshot, Source};
use crate::engine::inputs;
use crate::engine::system::System;
use touchdown_math::Vec3;
use touchdown_multibody::rigid::{WORLD, constraint, elements, kinematics, reaction};

impl Channels {
    /// Fills a row from a system that was just evaluated at the snapshot (kinematics, forces, accelerations): all of it, or some columns only.
    pub(crate) fn fill(
        &mut self,
        system: &mut System,
        s: &Snapshot,
        only: Option<&[usize]>,
        row: &mut Vec<f64>,
    ) {
        for (b, pose) in self.poses.iter_mut().enumerate() {
            *pose = kinematics::body_pose(&system.model, &system.cache, b);
        }
        let wanted = |is_such: fn(&Source) -> bool| {
            only.is_none_or(|columns| columns.iter().any(|k| is_such(&self.sources[*k])))
        };
        if wanted(|source| matches!(source, Source::ConstraintResidual(_))) {
            let q = &s.q[..system.model.nq];
            constraint::calc_residual(&system.model, &system.cache, q, s.t, &mut self.residuals);
        }
        let reacts =
            |source: &Source| matches!(source, Source::ReactionForce(..) | Source::ReactionTorque(..));
        if self.reactions && wanted(reacts) {
            constraint::add_forces(&system.model, &system.lambda, 0.0, &mut system.cache);
            let nv = system.model.nv;
            reaction::calc(&system.model, &system.a[..nv], &mut system.cache, &mut self.wrenches);
        }
        row.resize(self.sources.len(), f64::NAN);
        match only {
            None => (0..self.sources.len()).for_each(|i| row[i] = self.value(self.sources[i], system, s)),
            Some(columns) => columns.iter().for_each(|i| row[*i] = self.value(self.sources[*i], system, s)),
        }
    }

    fn value(&self, source: Source, system: &System, s: &Snapshot) -> f64 {
        let velocity = |b: usize| kinematics::body_velocity(&system.model, &system.cache, Some(b));
        match source {
            Source::Time => s.t,
            Source::Input(i) => inputs::value_at(s.description, &s.held.inputs, i, s.t),
            Source::PointPosition(i, k) => self.point(i)[k],
            Source::PointVelocity(i, k) => {
                let V = kinematics::body_velocity(&system.model, &system.cache, self.points[i].body);
                kinematics::point_velocity(&system.cache, &V, &self.point(i))[k]
            }
            Source::Coordinate(i) => s.q[i],
            Source::Rate(i) => s.v[i],
            Source::BodyPosition(b, k) => self.poses[b].p[k],
            Source::BodyVelocity(b, k) => {
                kinematics::point_velocity(&system.cache, &velocity(b), &self.poses[b].p)[k]
            }
            Source::BodyRate(b, k) => velocity(b).w[k],
            Source::BodyQuaternion(b, k) => {
                let q = self.poses[b].quaternion();
                [q.w, q.i, q.j, q.k][k]
            }
            Source::BodyAngle(b, k) => {
                let (roll, pitch, yaw) = self.poses[b].quaternion().euler_angles();
                [roll, pitch, yaw][k]
            }
            Source::BodyPath(slot) => s.paths[slot],
            Source::DriveForce(i) => elements::drive_force(&system.model, i, &system.at(s.t, s.q, s.v)).value,
            Source::DrivePower(i) => system.drive_power(i, s.t, s.q, s.v),
            Source::Acting(reading) => system.read(s, reading),
            Source::Slope => s.held.turn.as_ref().map_or(0.0, |turn| turn.slope(s.t).0),
            Source::Vehicle(i, value) => self.vehicle_value(system, s, i, value),
            Source::LineForce(i) | Source::LineLength(i) => {
                let line = elements::line_force(&system.model, &system.cache, &system.at(s.t, s.q, s.v), i);
                let (force, length) = line.unwrap_or((f64::NAN, f64::NAN));
                if matches!(source, Source::LineForce(_)) { force } else { length }
            }
            Source::ConstraintResidual(i) => {
                let slot = &system.model.constraints[i];
                self.residuals[slot.row..slot.row + slot.rows].iter().fold(0.0, |m: f64, c| m.max(c.abs()))
            }
            Source::Multiplier(row) => system.lambda[row],
            Source::ReactionForce(j, k) => self.wrenches[j].f[k],
            Source::ReactionTorque(j, k) => self.wrenches[j].t[k],
            Source::Energy(k) => {
                let (e, w) = (&s.energies, &s.works);
                [e.kinetic, e.potential, e.elastic, w.dissipated, w.drives, w.loads, s.energy_residual][k]
            }
        }
    }

    fn point(&self, i: usize) -> Vec3 {
        let at = &self.points[i];
        at.body.map_or(at.X_BF.p, |b| self.poses[b].point(&at.X_BF.p))
    }

    /// Speeds of the bodies whose path is recorded, m/s. Needs kinematics.
    pub(crate) fn speeds(&self, system: &System, out: &mut [f64]) {
        for (slot, b) in self.path_bodies.iter().enumerate() {
            let link = system.model.bodies[*b].link;
            out[slot] = if link == WORLD {
                0.0
            } else {
                let p = kinematics::body_pose(&system.model, &system.cache, *b).p;
                kinematics::point_velocity(&system.cache, &system.cache.V[link], &p).norm()
            };
        }
    }
}
