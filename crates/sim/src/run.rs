//! The step loop: step ⇒ accept ⇒ book ⇒ record ⇒ commit the soil ⇒ checkpoint, until the end or the first thing that goes wrong.

use crate::bevameter;
use crate::description::Study;
use crate::gradability::Course;
use crate::method::{Method, StepFailure};
use crate::modes;
use crate::sink::{BodyPose, ContactArrow, Frame, Outcome, Progress, Sink, SinkError};
use crate::spacings;
use crate::state::MethodMemory;
use crate::static_load;
use crate::system::WORKS;
use crate::tilt;
use crate::wheel_press;
use crate::world::World;
use std::time::{Duration, Instant as Clock};

/// Why a run has no outcome yet.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The results could not be written.
    #[error("{0}")]
    Sink(#[from] SinkError),
    /// The sink asked to stop; a checkpoint of this moment was handed over.
    #[error("interrupted at t = {time:.6} s")]
    Interrupted {
        /// Simulated time, s.
        time: f64,
    },
}

/// Scratch of the loop.
pub(crate) struct Scratch {
    pub y: Vec<f64>,
    pub row: Vec<f64>,
    pub frame: Frame,
    constraint: Vec<f64>,
    pub speeds: Vec<f64>,
    pub paths: Vec<f64>,
}

impl World {
    /// Runs from the present state to the end of the scenario, handing results to the sink. A failure of the numbers is an outcome
    /// (with its reason); only a failure of the sink is an error.
    pub fn run(&mut self, sink: &mut dyn Sink) -> Result<Outcome, RunError> {
        let outcome = match self.description.study.clone() {
            Some(Study::Tilt(study)) => tilt::run(self, &study, sink)?,
            Some(Study::Bevameter(study)) => bevameter::run(self, &study, sink)?,
            Some(Study::WheelPress(study)) => wheel_press::run(self, &study, sink)?,
            Some(Study::Modes(study)) => modes::run(self, &study, sink)?,
            Some(Study::StaticLoad(study)) => static_load::run(self, &study, sink)?,
            Some(Study::Gradability(_) | Study::Spacings(_) | Study::Static) | None => {
                self.run_in_time(sink)?
            }
        };
        if let Some(parts) = &self.system.soil {
            parts.hand_surface(sink)?;
        }
        Ok(outcome)
    }

    fn run_in_time(&mut self, sink: &mut dyn Sink) -> Result<Outcome, RunError> {
        let mut method = Method::new(&self.system, self.description.integrator);
        let mut scratch = self.scratch();
        let duration = self.description.duration;
        let every = Duration::from_secs_f64(self.description.record.checkpoint_every.clamp(0.01, 1e6));
        let mut last_checkpoint = Clock::now();
        let mut failure = None;
        if self.state.steps == 0 && self.state.rows == 0 {
            failure = self.record_start(&mut scratch, sink)?;
        }
        self.commit_avionics();
        if let Err(reason) = self.apply_impulses(&mut scratch.constraint) {
            failure = Some(reason);
        }
        while failure.is_none() && self.state.t < duration && !self.study_is_over() {
            let limit = self.next_limit(&method);
            let before = self.state.t;
            match self.advance(&mut method, limit, &mut scratch) {
                Ok(()) => {}
                Err(reason) => {
                    failure = Some(reason);
                    break;
                }
            }
            if let Err(reason) = self.record_due(&mut method, &mut scratch, sink)? {
                failure = Some(reason);
            }
            self.system.commit_soil(self.state.t);
            self.commit_pairs();
            self.commit_polygonal(before);
            self.commit_feet();
            self.commit_avionics();
            if let Err(reason) = self.apply_impulses(&mut scratch.constraint) {
                failure = Some(reason);
            }
            sink.progress(Progress { time: self.state.t, duration, steps: self.state.steps });
            // At the end there is nothing to come back for.
            let stop = failure.is_none() && self.state.t < duration && sink.is_stop_requested();
            if stop || last_checkpoint.elapsed() >= every {
                let bytes = self.checkpoint();
                sink.checkpoint(&bytes, self.state.rows, self.state.frames)?;
                last_checkpoint = Clock::now();
            }
            if stop {
                return Err(RunError::Interrupted { time: self.state.t });
            }
        }
        let finished = failure.is_none();
        let mut outcome = self.outcome(failure);
        if finished && spacings::study(&self.description).is_some() {
            let at = Progress { time: duration, duration, steps: self.state.steps };
            spacings::add(self, &mut outcome, &mut || sink.progress(at));
        }
        Ok(outcome)
    }

    /// Names of the quantities and of the ledger's entries that a run in time answers with; known before it is made.
    pub fn answers(&self) -> Vec<String> {
        let Outcome { quantities, ledger, .. } = self.outcome(None);
        let added = spacings::study(&self.description).map(|_| spacings::names());
        let own = quantities.into_iter().chain(ledger).map(|value| value.name);
        added.into_iter().flatten().chain(own).collect()
    }

    /// Accepted steps without recording, for benchmarks and tests: `steps` of them, or as many as reach the end of the scenario.
    /// Returns how many.
    pub fn advance_steps(&mut self, steps: u64) -> Result<u64, StepFailure> {
        let mut method = Method::new(&self.system, self.description.integrator);
        let mut scratch = self.scratch();
        let mut made = 0;
        self.commit_avionics();
        self.apply_impulses(&mut scratch.constraint)?;
        while made < steps && self.state.t < self.description.duration {
            let limit = self.next_limit(&method);
            let before = self.state.t;
            self.advance(&mut method, limit, &mut scratch)?;
            self.system.commit_soil(self.state.t);
            self.commit_pairs();
            self.commit_polygonal(before);
            self.commit_feet();
            self.commit_avionics();
            self.apply_impulses(&mut scratch.constraint)?;
            made += 1;
        }
        Ok(made)
    }

    fn scratch(&self) -> Scratch {
        let s = &self.state;
        Scratch {
            y: vec![0.0; s.q.len() + s.v.len() + s.z.len() + WORKS],
            row: Vec::with_capacity(self.channels.columns.len()),
            frame: self.empty_frame(),
            constraint: vec![0.0; self.system.model.nc],
            speeds: vec![0.0; self.channels.path_bodies.len()],
            paths: vec![0.0; self.channels.path_bodies.len()],
        }
    }

    /// A frame with room for all that is shown.
    pub(crate) fn empty_frame(&self) -> Frame {
        let zero = touchdown_math::Vec3::zeros();
        let pose = BodyPose { p_WB: zero, q_WB: [1.0, 0.0, 0.0, 0.0] };
        let arrow = ContactArrow { p_WC: zero, f_W: zero, t_W: zero };
        Frame {
            time: 0.0,
            poses: vec![pose; self.system.model.bodies.len()],
            contacts: vec![arrow; self.contact_names().len()],
            soil: Vec::new(),
            pressures: vec![Vec::new(); self.system.soil_bodies.len()],
            deformations: vec![Vec::new(); self.deforming_forms().len()],
        }
    }

    /// The time the next step must not pass. Methods with fixed steps walk on a grid counted from zero, so that no error builds up.
    fn next_limit(&mut self, method: &Method) -> f64 {
        let (t, duration) = (self.state.t, self.description.duration);
        if let Some(h) = method.fixed_step() {
            // The next point of the grid: a step that had to be cut short goes on to it.
            let next = ((t / h + 1e-6).floor() + 1.0) * h;
            let next = if next > duration - 1e-9 * h { duration } else { next };
            let tick = self.next_tick(false);
            // A tick that is the grid's next point but for rounding does not cut the step.
            let next = if tick < next - 1e-6 * h { tick } else { next };
            return next.min(self.next_impulse());
        }
        let corner = self.corners.partition_point(|c| *c <= t);
        let mut limit = self.corners.get(corner).copied().unwrap_or(duration).min(duration);
        limit = limit.min(self.next_impulse()).min(self.next_tick(true));
        if !self.system.pairs.is_empty() {
            self.system.update_kinematics(&self.state.q, &self.state.v);
            limit = limit.min(t + self.system.pairs_horizon());
        }
        if !self.system.polygonal.is_empty() {
            self.system.update_kinematics(&self.state.q, &self.state.v);
            limit = limit.min(t + self.system.polygonal_horizon());
        }
        if !matches!(method, Method::Explicit { .. }) || self.system.soil.is_some() {
            // Without dense output the rows are stepped onto; with soil too, which remembers the end of a step, not its inside.
            let due = [self.row_time(self.state.rows), self.frame_time(self.state.frames)];
            limit = due.into_iter().filter(|at| *at > t).fold(limit, f64::min);
        }
        limit
    }

    pub(crate) fn row_time(&self, row: u64) -> f64 {
        row as f64 * self.description.record.series_every
    }

    pub(crate) fn frame_time(&self, frame: u64) -> f64 {
        frame as f64 * self.description.record.frames_every
    }

    /// step ⇒ accept ⇒ book.
    fn advance(&mut self, method: &mut Method, limit: f64, scratch: &mut Scratch) -> Result<(), StepFailure> {
        let before = self.state.t;
        let step = method.step(&mut self.system, &mut self.state, limit)?;
        let s = &mut self.state;
        s.steps += 1;
        s.evaluations += u64::from(step.work);
        s.rejected += u64::from(step.rejected);
        if let Some(k) = s.v.iter().position(|v| !v.is_finite()) {
            return Err(self.system.not_finite(k).into());
        }
        self.system.check_ground()?;
        self.system.check_pairs()?;
        self.system.check_standings()?;
        self.system.check_flexible()?;
        self.system.check_feet()?;
        s.works.dissipated += s.extremes.book_lost(&self.system);
        s.ledger.book(&mut self.system, (s.t, &s.q, &s.v), step.elastic, s.works, &mut scratch.constraint);
        s.extremes.book(&self.system, s.t - before);
        self.system.book_docking();
        for (i, force) in self.system.tyre_forces.iter().enumerate() {
            s.lift_offs[i].book(before, s.t, force.deformation > 0.0);
            if !force.in_range && s.out_of_range[i].is_none() {
                s.out_of_range[i] = Some(s.t);
            }
        }
        for (on, since) in self.system.feet.iter().zip(&mut s.feet_out_of_range) {
            if !on.force.in_range && since.is_none() {
                *since = Some(s.t);
            }
        }
        self.channels.vehicles.iter().try_for_each(|vehicle| vehicle.check_upright(&self.system))
    }

    /// The candidates of smooth contacts follow an accepted step, after its rows.
    fn commit_pairs(&mut self) {
        if self.system.pairs.is_empty() {
            return;
        }
        let s = &mut self.state;
        self.system.evaluate_pairs(s.t, (&s.q, &s.v), &s.z);
        s.extremes.book_pairs(&self.system, s.t - self.system.pairs_at);
        let set_back = self.system.commit_pairs(s.t, (&s.q, &s.v), &mut s.z);
        self.system.evaluate_pairs(s.t, (&s.q, &s.v), &s.z);
        s.works.dissipated += s.extremes.book_found(&self.system);
        if let (true, MethodMemory::Implicit(memory)) = (set_back, &mut s.method) {
            // A deflection that begins anew has no rate from before.
            memory.z_rate.iter_mut().zip(&s.z).filter(|(_, z)| **z == 0.0).for_each(|(rate, _)| *rate = 0.0);
        }
    }

    /// The anchors of polygonal contacts follow an accepted step, after its rows.
    fn commit_polygonal(&mut self, before: f64) {
        let s = &mut self.state;
        let h = s.t - before;
        let (books, works) = (&mut s.extremes.polygonal, &mut s.works);
        self.system.commit_polygonal((s.t, h), &s.q, &s.v, |i, force, heat, way| {
            books[i].book(force, h, heat);
            books[i].way = books[i].way.max(way);
            works.dissipated += heat;
        });
    }

    /// Footprints follow an accepted step, after its rows.
    fn commit_feet(&mut self) {
        let s = &mut self.state;
        let (lost, anew) = self.system.commit_feet((&s.q, &s.v), &mut s.z);
        s.works.dissipated += lost;
        if let (true, MethodMemory::Implicit(memory)) = (anew, &mut s.method) {
            memory.z_rate.iter_mut().zip(&s.z).filter(|(_, z)| **z == 0.0).for_each(|(rate, _)| *rate = 0.0);
        }
    }

    fn study_is_over(&self) -> bool {
        let no_time = matches!(self.description.study, Some(Study::Static));
        no_time || self.state.course.as_ref().is_some_and(Course::is_over)
    }
}
