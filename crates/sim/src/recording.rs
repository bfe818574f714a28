//! Rows and frames of a run in time, as their times come.

use crate::channels::Snapshot;
use crate::description::Study;
use crate::gradability::Mark;
use crate::ledger::{self, Works};
use crate::method::{Method, StepFailure};
use crate::quantities;
use crate::run::{RunError, Scratch};
use crate::sink::{BodyPose, ContactArrow, Sink};
use crate::world::World;
use touchdown_math::{Vec3, Wrench};
use touchdown_multibody::rigid::kinematics;

impl World {
    pub(crate) fn record_start(
        &mut self,
        scratch: &mut Scratch,
        sink: &mut dyn Sink,
    ) -> Result<Option<StepFailure>, RunError> {
        self.fill_state_vector(scratch);
        if let Err(e) = self.record_row(scratch, 0.0, sink)? {
            return Ok(Some(e));
        }
        self.record_frame(scratch, 0.0, sink)?;
        self.state.rows = 1;
        self.state.frames = 1;
        Ok(None)
    }

    fn fill_state_vector(&self, scratch: &mut Scratch) {
        let s = &self.state;
        let (nq, nv, nz) = (s.q.len(), s.v.len(), s.z.len());
        scratch.y[..nq].copy_from_slice(&s.q);
        scratch.y[nq..nq + nv].copy_from_slice(&s.v);
        scratch.y[nq + nv..nq + nv + nz].copy_from_slice(&s.z);
        scratch.y[nq + nv + nz..].copy_from_slice(&s.works.to_array());
    }

    /// Rows and frames whose time has come. They show the soil as it was in the step, before it moves on: the forces that acted.
    pub(crate) fn record_due(
        &mut self,
        method: &mut Method,
        scratch: &mut Scratch,
        sink: &mut dyn Sink,
    ) -> Result<Result<(), StepFailure>, RunError> {
        self.system.swap_soil_contacts();
        let recorded = self.record_each_due(method, scratch, sink);
        self.system.swap_soil_contacts();
        recorded
    }

    fn record_each_due(
        &mut self,
        method: &mut Method,
        scratch: &mut Scratch,
        sink: &mut dyn Sink,
    ) -> Result<Result<(), StepFailure>, RunError> {
        let (t, duration) = (self.state.t, self.description.duration);
        // Fixed steps may miss a row's time by round-off.
        let slack = method.fixed_step().map_or(0.0, |h| 1e-6 * h);
        loop {
            let (row, frame) = (self.row_time(self.state.rows), self.frame_time(self.state.frames));
            let last_row = t >= duration && self.state.last_row_time < t;
            let row_at = if row <= t + slack { Some(row) } else { last_row.then_some(t) };
            let frame_at = (frame <= t + slack).then_some(frame);
            let Some(wanted) = [row_at, frame_at].into_iter().flatten().reduce(f64::min) else {
                return Ok(Ok(()));
            };
            let inside = match method.interpolate(&mut self.system, wanted.min(t), &mut scratch.y) {
                Ok(inside) => inside,
                Err(e) => return Ok(Err(e)),
            };
            if !inside {
                self.fill_state_vector(scratch);
            }
            let time = if inside { wanted.min(t) } else { t };
            if row_at == Some(wanted) {
                if let Err(e) = self.record_row(scratch, time, sink)? {
                    return Ok(Err(e));
                }
                self.state.rows += 1;
            }
            if frame_at == Some(wanted) {
                self.record_frame(scratch, time, sink)?;
                self.state.frames += 1;
            }
        }
    }

    fn record_row(
        &mut self,
        scratch: &mut Scratch,
        t: f64,
        sink: &mut dyn Sink,
    ) -> Result<Result<(), StepFailure>, RunError> {
        let (nq, nv, nz) = (self.state.q.len(), self.state.v.len(), self.state.z.len());
        let (q, rest) = scratch.y.split_at(nq);
        let (v, rest) = rest.split_at(nv);
        let (z, works) = rest.split_at(nz);
        let powers = match self.system.evaluate(t, q, v, z) {
            Ok(powers) => powers,
            Err(e) => return Ok(Err(e.into())),
        };
        let works = Works::from_slice(works);
        let energies = ledger::energies(&mut self.system, powers.elastic);
        self.channels.speeds(&self.system, &mut scratch.speeds);
        let dt = t - self.state.last_row_time;
        for (k, (path, last)) in self.state.paths.iter_mut().enumerate() {
            *path += 0.5 * dt * (*last + scratch.speeds[k]);
            *last = scratch.speeds[k];
            scratch.paths[k] = *path;
        }
        self.state.last_row_time = t;
        for (vehicle, odometer) in self.channels.vehicles.iter().zip(&mut self.state.odometers) {
            odometer.advance(vehicle.look(&self.system, t));
        }
        let energy_residual = self.state.ledger.residual(&energies, &works);
        let (paths, odometers) = (&scratch.paths, &self.state.odometers);
        let (pairs, lift_offs) = (&self.state.extremes.pairs, &self.state.lift_offs);
        let polygonal = &self.state.extremes.polygonal;
        let snapshot = Snapshot {
            t,
            q,
            v,
            energies,
            works,
            energy_residual,
            paths,
            odometers,
            pairs,
            polygonal,
            lift_offs,
        };
        self.channels.fill(&mut self.system, &snapshot, &mut scratch.row);
        quantities::add_row(&self.quantities, &mut self.state.accumulators, &scratch.row);
        sink.series(&scratch.row)?;
        self.advance_study(t, scratch);
        Ok(Ok(()))
    }

    /// Hands a row that was just recorded to the gradability study, which may turn gravity from now on.
    fn advance_study(&mut self, t: f64, scratch: &Scratch) {
        let (Some(Study::Gradability(study)), Some(course)) =
            (&self.description.study, &mut self.state.course)
        else {
            return;
        };
        let (nq, nv) = (self.state.q.len(), self.state.v.len());
        let (q, v) = (&scratch.y[..nq], &scratch.y[nq..nq + nv]);
        let (vehicle, odometer) =
            (&self.channels.vehicles[study.vehicle], &self.state.odometers[study.vehicle]);
        let mark = Mark {
            t,
            climbed: odometer.climbed,
            rolled: odometer.rolled,
            slip: odometer.slip,
            sinkage: vehicle.mean_sinkage(&self.system),
            power: vehicle.drives.iter().map(|d| self.system.drive_power(*d, t, q, v)).sum(),
        };
        course.advance(study, mark, self.state.t);
        self.system.turn = Some(course.turn);
    }

    fn record_frame(&mut self, scratch: &mut Scratch, t: f64, sink: &mut dyn Sink) -> Result<(), RunError> {
        let (nq, nv, nz) = (self.state.q.len(), self.state.v.len(), self.state.z.len());
        let (q, v, z) = (&scratch.y[..nq], &scratch.y[nq..nq + nv], &scratch.y[nq + nv..nq + nv + nz]);
        self.system.update_kinematics(q, v);
        let instant = crate::system::Instant { t, q, v, z: crate::system::ContactStates::Given(z) };
        self.system.update_forces(&instant, None);
        scratch.frame.time = t;
        for (b, pose) in scratch.frame.poses.iter_mut().enumerate() {
            let X_WB = kinematics::body_pose(&self.system.model, &self.system.cache, b);
            let r = X_WB.quaternion();
            *pose = BodyPose { p_WB: X_WB.p, q_WB: [r.w, r.i, r.j, r.k] };
        }
        self.fill_arrows(&mut scratch.frame.contacts);
        if let Some(parts) = &mut self.system.soil {
            parts.draw(&mut scratch.frame.soil);
            parts.press(&mut scratch.frame.pressures);
        }
        for (i, (form, out)) in self.deforming.iter().zip(&mut scratch.frame.deformations).enumerate() {
            form.flatten(&self.system, self.system.ground_under(i), out);
        }
        let behind = &mut scratch.frame.deformations[self.deforming.len()..];
        for (i, (drawn, out)) in self.drawn.iter().zip(behind).enumerate() {
            let part = &self.system.flexible[i];
            let X_WG = match &part.carrier {
                None => self.description.flexible[i].X_WM,
                Some(on) => {
                    kinematics::body_pose(&self.system.model, &self.system.cache, on.body).compose(&on.X_BM)
                }
            };
            drawn.displace(part, &X_WG, out);
        }
        let behind = &mut scratch.frame.deformations[self.deforming.len() + self.drawn.len()..];
        for ((boom, tube), out) in self.system.booms.iter().zip(&self.tubes).zip(behind) {
            boom.displace(tube, out);
        }
        let forms = scratch.frame.deformations.len() - self.opening.len();
        for (form, out) in self.opening.iter().zip(&mut scratch.frame.deformations[forms..]) {
            form.displace(&self.system, out);
        }
        sink.frame(&scratch.frame)?;
        Ok(())
    }

    /// Forces of all contacts, in the order of tyres, soil, smooth contacts, polygonal contacts, flexible bodies and feet.
    fn fill_arrows(&self, out: &mut [ContactArrow]) {
        let system = &self.system;
        let bare = |p_WC: Vec3, f_W: Vec3| ContactArrow { p_WC, f_W, t_W: Vec3::zeros() };
        let tyres = system.tyre_forces.iter().map(|force| bare(force.p_WQ, force.wrench_C.f));
        let soil = system.soil_forces.iter().enumerate().map(|(i, force)| {
            // A free vector moved to where the resultant acts keeps its torque less that of the force.
            let (p_WC, W) = (system.soil_motion(i).p_WC, &force.wrench_C);
            let p_WQ = if force.nodes > 0 { force.p_WQ } else { p_WC };
            ContactArrow { p_WC: p_WQ, f_W: W.f, t_W: W.t - (p_WQ - p_WC).cross(&W.f) }
        });
        let at = |(p_WC, W): (Vec3, Wrench)| ContactArrow { p_WC, f_W: W.f, t_W: W.t };
        let pairs = (0..system.pairs.len()).map(|i| at(system.pair_resultant(i)));
        let polygonal = (0..system.polygonal.len()).map(|i| at(system.polygonal_resultant(i)));
        let touching = system.flexible.iter().filter(|part| part.contact.is_some()).map(|part| {
            let sum = part.ground_force();
            let p_WC = sum.centre().unwrap_or_else(|| part.centre());
            ContactArrow { p_WC, f_W: sum.force, t_W: sum.moment - p_WC.cross(&sum.force) }
        });
        let feet = system.feet.iter().map(|on| bare(on.force.p_WQ, on.force.wrench_F.f));
        let all = tyres.chain(soil).chain(pairs).chain(polygonal).chain(touching).chain(feet);
        out.iter_mut().zip(all).for_each(|(out, arrow)| *out = arrow);
    }
}
