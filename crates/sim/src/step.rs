//! One step, in one place: step ⇒ accept ⇒ book ⇒ look ⇒ commit. Every run, study, benchmark and binding goes through [`World::make_step`].

use crate::method::{Method, StepFailure};
use crate::recording::Recorder;
use crate::sink::SinkError;
use crate::state::MethodMemory;
use crate::world::World;

/// Why a step was not made, or was the last.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The numbers.
    Step(StepFailure),
    /// Whoever takes the results.
    Sink(SinkError),
}

impl From<StepFailure> for Halt {
    fn from(failure: StepFailure) -> Halt {
        Halt::Step(failure)
    }
}

impl From<SinkError> for Halt {
    fn from(error: SinkError) -> Halt {
        Halt::Sink(error)
    }
}

impl World {
    /// What comes before the first step: the first sample, the first tick of the devices, impulses at the start.
    pub(crate) fn begin(&mut self, recorder: Option<&mut Recorder>) -> Result<(), Halt> {
        if self.state.begun {
            return Ok(());
        }
        self.look_at_start(recorder)?;
        self.state.begun = true;
        self.commit_devices()?;
        self.apply_impulses()?;
        self.follow_schedule();
        Ok(())
    }

    /// One accepted step that does not pass `until`. After an error the state is the last accepted one, booked and sampled as far as it got.
    pub(crate) fn make_step(&mut self, until: f64, recorder: Option<&mut Recorder>) -> Result<(), Halt> {
        let mut method = match self.method.take() {
            Some(method) => method,
            None => Box::new(Method::new(&mut self.system, self.description.integrator)),
        };
        let made = self.step_with(&mut method, until, recorder);
        self.method = Some(method);
        made
    }

    fn step_with(
        &mut self,
        method: &mut Method,
        until: f64,
        recorder: Option<&mut Recorder>,
    ) -> Result<(), Halt> {
        self.accept_inputs()?;
        let before = self.state.t;
        let limit = self.next_limit(method);
        // A time that is the end of the step but for rounding does not cut it.
        let limit = if until < limit - self.exchange_slack() { until } else { limit };
        self.advance(method, limit)?;
        self.look(method, recorder)?;
        self.system.commit_soil(self.state.t, &mut self.state.held.soil);
        self.commit_pairs();
        self.commit_polygonal(before);
        self.commit_feet();
        self.commit_devices()?;
        self.apply_impulses()?;
        self.follow_schedule();
        Ok(())
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
        if !self.system.pairs.is_empty() || !self.system.polygonal.is_empty() {
            self.system.update_kinematics(&self.state.q, &self.state.v);
            limit = limit.min(t + self.system.pairs_horizon()).min(t + self.system.polygonal_horizon());
        }
        if !matches!(method, Method::Explicit { .. }) || self.system.soil.is_some() {
            // Without dense output the samples are stepped onto; with soil too, which remembers the end of a step, not its inside.
            limit = next_multiple(t, self.description.sample_every).min(limit);
        }
        limit = limit.min(self.next_command());
        if let Some(every) = self.description.exchange_every {
            limit = next_multiple(t, every).min(limit);
        }
        limit
    }

    /// step ⇒ accept ⇒ book.
    fn advance(&mut self, method: &mut Method, limit: f64) -> Result<(), StepFailure> {
        let before = self.state.t;
        let step = method.step(&mut self.system, &mut self.state, limit)?;
        let s = &mut self.state;
        s.steps += 1;
        s.evaluations += u64::from(step.work);
        s.rejected += u64::from(step.rejected);
        if let Some(k) = s.v.iter().position(|v| !v.is_finite()) {
            return Err(self.system.not_finite(k).into());
        }
        self.system.check_ground(&s.held)?;
        self.system.check_pairs()?;
        self.system.check_standings()?;
        self.system.check_flexible()?;
        self.system.check_feet()?;
        s.works.dissipated += s.extremes.book_lost(&self.system);
        s.ledger.book(&mut self.system, (s.t, &s.q, &s.v), step.elastic, s.works, &mut self.constraint);
        s.extremes.book(&self.system, s.t - before);
        self.system.book_devices(&mut s.held.devices);
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

    /// The candidates of smooth contacts follow an accepted step.
    fn commit_pairs(&mut self) {
        if self.system.pairs.is_empty() {
            return;
        }
        let s = &mut self.state;
        let since = s.t - s.held.pairs.at;
        self.system.evaluate_pairs(s.t, (&s.q, &s.v), &s.z, &s.held.pairs);
        s.extremes.book_pairs(&self.system, since);
        let set_back = self.system.commit_pairs(s.t, (&s.q, &s.v), &mut s.z, &mut s.held.pairs);
        self.system.evaluate_pairs(s.t, (&s.q, &s.v), &s.z, &s.held.pairs);
        s.works.dissipated += s.extremes.book_found(&self.system);
        if set_back {
            s.forget_rates();
        }
    }

    /// The anchors of polygonal contacts follow an accepted step.
    fn commit_polygonal(&mut self, before: f64) {
        let s = &mut self.state;
        let h = s.t - before;
        let (books, works) = (&mut s.extremes.polygonal, &mut s.works);
        self.system.commit_polygonal((s.t, h), (&s.q, &s.v), &mut s.held.polygonal, |i, force, heat, way| {
            books[i].book(force, h, heat);
            books[i].way = books[i].way.max(way);
            works.dissipated += heat;
        });
    }

    /// Footprints follow an accepted step.
    fn commit_feet(&mut self) {
        let s = &mut self.state;
        let (lost, anew) = self.system.commit_feet((&s.q, &s.v), &mut s.z, &mut s.held.feet);
        s.works.dissipated += lost;
        if anew {
            s.forget_rates();
        }
    }
}

impl crate::state::State {
    /// Deflections that begin anew have no rate from before.
    fn forget_rates(&mut self) {
        if let MethodMemory::Implicit(memory) = &mut self.method {
            let rates = memory.z_rate.iter_mut().zip(&self.z);
            rates.filter(|(_, z)| **z == 0.0).for_each(|(rate, _)| *rate = 0.0);
        }
    }
}

/// The first multiple of `every` after `t`.
fn next_multiple(t: f64, every: f64) -> f64 {
    let mut k = (t / every).floor();
    while k * every <= t {
        k += 1.0;
    }
    k * every
}
