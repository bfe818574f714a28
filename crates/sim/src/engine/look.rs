//! Observation of accepted steps: samples, rows and frames at their times.
//!
//! Observation uses a separate system, whose scratch no step reads: it changes nothing. Samples are part of
//! the model, not of the recording: odometers, path lengths, quantities and the gradability course advance
//! with them, at `sample_every`, whether or not anything is recorded.

use crate::books::channels::{Channels, Snapshot};
use crate::books::ledger::{self, Works};
use crate::books::quantities;
use crate::books::vehicle::Driven;
use crate::description::{Study, WorldDescription};
use crate::engine::course::Mark;
use crate::engine::method::{Method, StepFailure};
use crate::engine::recording::Recorder;
use crate::engine::simulation::Simulation;
use crate::engine::state::State;
use crate::engine::step::Halt;
use crate::engine::system::{ContactStates, Instant, System};
use crate::sink::Frame;

/// A system for observation, and its scratch.
#[derive(Debug)]
pub(crate) struct Observer {
    pub system: System,
    /// Coordinates, rates, contact states and works of the observed state.
    pub y: Vec<f64>,
    pub row: Vec<f64>,
    pub frame: Frame,
    pub speeds: Vec<f64>,
    pub paths: Vec<f64>,
    pub driven: Vec<Driven>,
}

impl Simulation {
    /// The observer, created at the first observation.
    pub(crate) fn take_observer(&mut self) -> Box<Observer> {
        self.observer.take().unwrap_or_else(|| {
            let mut system = self.system.clone();
            system.use_threads(1);
            let paths = self.channels.path_bodies.len();
            Box::new(Observer {
                y: vec![0.0; system.dim()],
                system,
                row: Vec::with_capacity(self.channels.columns.len()),
                frame: self.empty_frame(),
                speeds: vec![0.0; paths],
                paths: vec![0.0; paths],
                driven: vec![Driven::default(); self.channels.vehicles.len()],
            })
        })
    }

    /// The first sample, row and frame.
    pub(crate) fn look_at_start(&mut self, mut recorder: Option<&mut Recorder>) -> Result<(), Halt> {
        let mut observer = self.take_observer();
        observer.take_state(&self.state);
        let looked = self.look_once(&mut observer, 0.0, [true; 3], &mut recorder);
        self.observer = Some(observer);
        looked
    }

    /// Samples, rows and frames that are due. They show the soil of the step, before it moves: the forces
    /// that acted.
    pub(crate) fn look(
        &mut self,
        method: &mut Method,
        mut recorder: Option<&mut Recorder>,
    ) -> Result<(), Halt> {
        let mut observer = self.take_observer();
        let looked = self.look_at_each(&mut observer, method, &mut recorder);
        self.observer = Some(observer);
        looked
    }

    fn look_at_each(
        &mut self,
        observer: &mut Observer,
        method: &mut Method,
        recorder: &mut Option<&mut Recorder>,
    ) -> Result<(), Halt> {
        let t = self.state.t;
        let is_end = t >= self.description.duration;
        // Fixed steps may miss a time by round-off.
        let slack = method.fixed_step().map_or(0.0, |h| 1e-6 * h);
        let due =
            |at: f64, last: f64| if at <= t + slack { Some(at) } else { (is_end && last < t).then_some(t) };
        loop {
            let record = &self.description.record;
            let sample =
                due(self.state.samples as f64 * self.description.sample_every, self.state.last_sample);
            let (row, frame) = recorder.as_deref().map_or((None, None), |r| {
                let row = due(r.recording.rows as f64 * record.series_every, r.recording.last_row);
                let frame = r.recording.frames as f64 * record.frames_every;
                (row, (frame <= t + slack).then_some(frame))
            });
            let Some(wanted) = [sample, row, frame].into_iter().flatten().reduce(f64::min) else {
                return Ok(());
            };
            let place = (&mut observer.system, &self.state.held);
            let inside = method.interpolate(place.0, place.1, wanted.min(t), &mut observer.y)?;
            if !inside {
                observer.take_state(&self.state);
            }
            let time = if inside { wanted.min(t) } else { t };
            let due = [sample, row, frame].map(|at| at == Some(wanted));
            self.look_once(observer, time, due, recorder)?;
            if due[0] && !inside {
                // A step without dense output gives one sample, for any number of sample times that it
                // passed.
                let passed = ((t + slack) / self.description.sample_every).floor() as u64 + 1;
                self.state.samples = self.state.samples.max(passed);
            }
        }
    }

    /// One observation of the state in `observer.y`: a sample, a row, a frame, as given by `due`.
    fn look_once(
        &mut self,
        o: &mut Observer,
        t: f64,
        due: [bool; 3],
        recorder: &mut Option<&mut Recorder>,
    ) -> Result<(), Halt> {
        let [sample, row, frame] = due;
        o.system.take_inputs(&self.description, (&self.state.held.inputs, self.state.held.seed));
        let row = row && recorder.is_some();
        if sample || row {
            self.read_row(o, t, sample, row)?;
        }
        if let Some(recorder) = recorder {
            if row {
                recorder.sink.series(&o.row)?;
                recorder.recording.rows += 1;
                recorder.recording.last_row = t;
            }
            if frame {
                self.draw_frame(o, t);
                recorder.sink.frame(&o.frame)?;
                recorder.recording.frames += 1;
            }
        }
        Ok(())
    }

    /// Reads the columns of the observed state; a sample advances the running quantities.
    fn read_row(&mut self, o: &mut Observer, t: f64, sample: bool, row: bool) -> Result<(), Halt> {
        let elastic = o.evaluate(t, &self.state, row || self.sampled.needs_forces)?;
        o.measure(t, &self.state, &self.channels);
        if sample {
            let s = &mut self.state;
            s.paths.iter_mut().zip(o.paths.iter().zip(&o.speeds)).for_each(|(p, (l, v))| *p = (*l, *v));
            for (vehicle, odometer) in self.channels.vehicles.iter().zip(&mut s.odometers) {
                odometer.advance(vehicle.look(&o.system, t));
            }
            s.samples += 1;
            s.last_sample = t;
        }
        if !row && self.sampled.columns.is_empty() && self.state.course.is_none() {
            return Ok(());
        }
        let only = (!row).then_some(&self.sampled.columns[..]);
        o.read(t, elastic, (&self.state, &self.description), &mut self.channels, only);
        if sample {
            quantities::add_row(&self.quantities, &mut self.state.accumulators, &o.row);
            self.advance_study(o, t);
        }
        Ok(())
    }

    /// Passes a sample to the gradability study, which may turn gravity from then on.
    fn advance_study(&mut self, o: &Observer, t: f64) {
        let (Some(Study::Gradability(study)), Some(course)) =
            (&self.description.study, &mut self.state.course)
        else {
            return;
        };
        let (nq, nv) = (self.state.q.len(), self.state.v.len());
        let (q, v) = (&o.y[..nq], &o.y[nq..nq + nv]);
        let (vehicle, driven) = (&self.channels.vehicles[study.vehicle], &o.driven[study.vehicle]);
        let mark = Mark {
            t,
            climbed: driven.climbed,
            aside: self.state.odometers[study.vehicle].aside(&course.turn.level_up()),
            lean: vehicle.tilt(&o.system),
            rolled: driven.rolled,
            slip: driven.slip,
            sinkage: vehicle.mean_sinkage(&o.system),
            power: vehicle.drives.iter().map(|d| o.system.drive_power(*d, t, q, v)).sum(),
        };
        course.advance(study, mark, self.state.t);
        self.state.held.turn = Some(course.turn);
    }
}

impl Observer {
    /// Selects the accepted state for observation.
    pub fn take_state(&mut self, s: &State) {
        let (nq, nv, nz) = (s.q.len(), s.v.len(), s.z.len());
        self.y[..nq].copy_from_slice(&s.q);
        self.y[nq..nq + nv].copy_from_slice(&s.v);
        self.y[nq + nv..nq + nv + nz].copy_from_slice(&s.z);
        s.works_to(&mut self.y[nq + nv + nz..]);
    }

    /// Evaluates the state in `y`: forces if requested, or only positions and velocities. Returns the stored
    /// energy, J; not a number without forces.
    pub fn evaluate(&mut self, t: f64, s: &State, forces: bool) -> Result<f64, StepFailure> {
        let (nq, nv, nz) = (s.q.len(), s.v.len(), s.z.len());
        let (q, v, z) = (&self.y[..nq], &self.y[nq..nq + nv], &self.y[nq + nv..nq + nv + nz]);
        if forces {
            return Ok(self.system.evaluate(t, q, v, z, &s.held)?.elastic);
        }
        self.system.update_kinematics(q, v);
        Ok(f64::NAN)
    }

    /// Evaluates the parts of the state in `y`, which is that of `s`, that columns read: positions,
    /// velocities, single parts of interactions. Returns `false` and does nothing if a column needs all
    /// forces.
    pub fn evaluate_parts(&mut self, s: &State, columns: &[usize], channels: &Channels) -> bool {
        let part =
            |system: &System, k: usize| channels.reading(k).and_then(|reading| system.part_of(reading));
        let is_part = |k: &usize| channels.is_kinematic(&self.system, *k) || part(&self.system, *k).is_some();
        if !columns.iter().all(is_part) {
            return false;
        }
        let z = ContactStates::Given(&s.z);
        let at = Instant { t: s.t, q: &s.q, v: &s.v, z, held: &s.held };
        self.system.update_kinematics(at.q, at.v);
        for (j, k) in columns.iter().enumerate() {
            let own = part(&self.system, *k);
            let seen = columns[..j].iter().any(|other| part(&self.system, *other) == own);
            if let Some(own) = own
                && !seen
            {
                self.system.look_at(&at, own);
            }
        }
        true
    }

    /// Path lengths and odometers since the last sample. Needs kinematics.
    pub fn measure(&mut self, t: f64, s: &State, channels: &Channels) {
        channels.speeds(&self.system, &mut self.speeds);
        let dt = t - s.last_sample;
        for (k, (path, last)) in s.paths.iter().enumerate() {
            self.paths[k] = *path + 0.5 * dt * (*last + self.speeds[k]);
        }
        for (k, (vehicle, odometer)) in channels.vehicles.iter().zip(&s.odometers).enumerate() {
            self.driven[k] = odometer.at(&vehicle.look(&self.system, t));
        }
    }

    /// Columns of the state in `y`, all or some, into `row`. Needs `evaluate` and `measure`.
    pub fn read(
        &mut self,
        t: f64,
        elastic: f64,
        (s, description): (&State, &WorldDescription),
        channels: &mut Channels,
        only: Option<&[usize]>,
    ) {
        let (q, rest) = self.y.split_at(s.q.len());
        let (v, rest) = rest.split_at(s.v.len());
        let works = Works::from_slice(&rest[s.z.len()..]);
        let energies = ledger::energies(&mut self.system, elastic);
        let snapshot = Snapshot {
            t,
            q,
            v,
            energies,
            works,
            energy_residual: s.ledger.residual(&energies, &works),
            paths: &self.paths,
            odometers: &self.driven,
            books: &s.books,
            held: &s.held,
            description,
        };
        channels.fill(&mut self.system, &snapshot, only, &mut self.row);
    }
}
