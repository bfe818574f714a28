//! Reading the channels off an evaluated system, row by row.

use super::boom::boom_value;
use super::capture::capture_value;
use super::feet::foot_value;
use super::flexible::flexible_value;
use super::pairs::pair_value;
use super::polygonal::polygonal_value;
use super::soil::soil_value;
use super::{Channels, Snapshot, Source, TyreValue, TyresValue};
use crate::inputs;
use crate::system::System;
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
        let q = &s.q[..system.model.nq];
        constraint::calc_residual(&system.model, &system.cache, q, s.t, &mut self.residuals);
        if self.reactions {
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
            Source::Tyre(i, value) => self.tyre_value(system, s, i, value),
            Source::Tyres(value) => tyres_value(system, s, value),
            Source::Pair(i, value) => pair_value(system, s, i, value),
            Source::Polygonal(i, value) => polygonal_value(system, &s.polygonal[i], i, value),
            Source::Flexible(i, value) => flexible_value(system, i, value),
            Source::Boom(i, value) => boom_value(system, i, value),
            Source::Capture(i, value) => capture_value(system, i, value),
            Source::Foot(at, value) => foot_value(system, s.held, at, value),
            Source::Device(device, k) => system.device_value((device, k), &s.held.devices, (s.t, s.v)),
            Source::Walker(i, value) => self.walker_value(system, s, i, value),
            Source::Group(g, value) => self.group_value(system, g, value),
            Source::Soil(i, value) => soil_value(system, i, value),
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

    fn tyre_value(&self, system: &System, s: &Snapshot, i: usize, value: TyreValue) -> f64 {
        let f = &system.tyre_forces[i];
        match value {
            TyreValue::Normal => f.normal_force,
            TyreValue::Deformation => f.deformation,
            TyreValue::Longitudinal => f.longitudinal_force,
            TyreValue::Lateral => f.lateral_force,
            TyreValue::SlipLongitudinal => f.slip_longitudinal,
            TyreValue::SlipAngle => f.slip_angle(),
            TyreValue::FrictionUsed => f.friction_used,
            TyreValue::Gap => system.wheel_gap(i),
            TyreValue::LiftOffs => f64::from(s.lift_offs[i].count),
            TyreValue::AirTime => s.lift_offs[i].time,
            TyreValue::RimSpeed => {
                let motion = system.wheel_motion(i);
                motion.w_WB.dot(&motion.axis_W) * (system.tyres[i].tyre.params().radius - f.deformation)
            }
        }
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

fn tyres_value(system: &System, s: &Snapshot, value: TyresValue) -> f64 {
    match value {
        TyresValue::Touching => system.tyre_forces.iter().filter(|f| f.deformation > 0.0).count() as f64,
        TyresValue::LiftOffs => s.lift_offs.iter().map(|l| f64::from(l.count)).sum(),
        TyresValue::AirTimeMax => s.lift_offs.iter().map(|l| l.time).fold(0.0, f64::max),
    }
}

impl System {
    /// Power of a drive, W. Needs forces.
    pub(crate) fn drive_power(&self, i: usize, t: f64, q: &[f64], v: &[f64]) -> f64 {
        let axis = self.model.drives[i].axis;
        let slot = &self.model.joints[axis.joint];
        let rate = if slot.locked { 0.0 } else { v[slot.v + axis.axis] };
        elements::drive_force(&self.model, i, &self.at(t, q, v)).value * rate
    }
}
