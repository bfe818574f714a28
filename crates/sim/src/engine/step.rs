//! One step, in one place: step ⇒ accept ⇒ book ⇒ look ⇒ commit. Every run, study, benchmark and binding goes through [`Simulation::make_step`].

use crate::engine::method::{Method, StepFailure};
use crate::engine::recording::Recorder;
use crate::engine::simulation::Simulation;
use crate::engine::state::MethodMemory;
use crate::sink::SinkError;

/// A corner of a signal within this share of a fixed step from the end of a step counts as at the end.
const CORNER_SLACK: f64 = 1e-6;

/// Reasons that prevent or end stepping.
#[derive(Debug)]
pub(crate) enum Halt {
    /// Numerical failure.
    Step(StepFailure),
    /// Failure of the sink.
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

impl Simulation {
    /// Events before the first step: the first sample, the first tick of the devices, impulses at the start.
    pub(crate) fn begin(&mut self, recorder: Option<&mut Recorder>) -> Result<(), Halt> {
        if self.state.begun {
            return Ok(());
        }
        self.look_at_start(recorder)?;
        self.state.begun = true;
        self.commit_devices()?;
        self.apply_impulses()?;
        self.let_happen()?;
        self.follow_schedule();
        Ok(())
    }

    /// One accepted step that does not pass `until`. After an error the state is the last accepted one, with
    /// its books and samples up to the failure.
    pub(crate) fn make_step(&mut self, until: f64, recorder: Option<&mut Recorder>) -> Result<(), Halt> {
        self.look_at_steps();
        let mut method = self.take_method();
        let made = self.step_with(&mut method, until).and_then(|before| {
            self.look(&mut method, recorder)?;
            self.commit(before)
        });
        self.method = Some(method);
        made
    }

    /// The same without samples, rows and frames: for a twin of a run.
    pub(crate) fn make_unseen_step(&mut self, until: f64) -> Result<(), Halt> {
        let mut method = self.take_method();
        let made = self.step_with(&mut method, until).and_then(|before| self.commit(before));
        self.method = Some(method);
        made
    }

    fn take_method(&mut self) -> Box<Method> {
        let made = self.method.take();
        made.unwrap_or_else(|| Box::new(Method::new(&mut self.system, self.description.integrator)))
    }

    /// One accepted step, not yet committed; returns its start time.
    fn step_with(&mut self, method: &mut Method, until: f64) -> Result<f64, Halt> {
        self.accept_inputs()?;
        let before = self.state.t;
        let limit = self.next_limit(method);
        // A time equal to the end of the step except for rounding does not shorten it.
        let limit = if until < limit - self.exchange_slack() { until } else { limit };
        self.advance(method, limit)?;
        self.pass_corners(before, method.fixed_step());
        Ok(before)
    }

    /// Commits the accepted step that began at `before`, and applies events at its end.
    fn commit(&mut self, before: f64) -> Result<(), Halt> {
        if self.state.commit(&mut self.system, before) {
            self.state.forget_rates();
        }
        self.commit_devices()?;
        self.apply_impulses()?;
        self.let_happen()?;
        self.follow_schedule();
        Ok(())
    }

    /// If the step ended at a corner of a signal, accelerations do not continue their previous trend.
    fn pass_corners(&mut self, before: f64, fixed_step: Option<f64>) {
        let slack = fixed_step.map_or(0.0, |h| CORNER_SLACK * h);
        let passed = |t: f64| self.corners.partition_point(|c| *c <= t + slack);
        if passed(before) < passed(self.state.t)
            && let MethodMemory::Implicit(memory) = &mut self.state.method
        {
            memory.forget_trend();
        }
    }

    /// The time the next step must not pass. Methods with fixed steps use a grid counted from zero, so that
    /// no error accumulates.
    fn next_limit(&mut self, method: &Method) -> f64 {
        let (t, duration) = (self.state.t, self.description.duration);
        if let Some(h) = method.fixed_step() {
            // The next point of the grid: after a shortened step the next one ends there.
            let next = ((t / h + 1e-6).floor() + 1.0) * h;
            let next = if next > duration - 1e-9 * h { duration } else { next };
            let tick = self.state.next_time(&self.system, Some(h));
            // Between corners of signals the forces at the ends of steps represent the interval: no pulse is
            // stepped over.
            let corner = self.corners.partition_point(|c| *c <= t + CORNER_SLACK * h);
            let tick = self.corners.get(corner).map_or(tick, |corner| tick.min(*corner));
            // A time equal to the grid's next point except for rounding does not shorten the step.
            let next = if tick < next - 1e-6 * h { tick } else { next };
            return next.min(self.next_impulse());
        }
        let corner = self.corners.partition_point(|c| *c <= t);
        let mut limit = self.corners.get(corner).copied().unwrap_or(duration).min(duration);
        limit = limit.min(self.next_impulse()).min(self.state.next_time(&self.system, None));
        if self.system.is_watched() {
            self.system.update_kinematics(&self.state.q, &self.state.v);
            limit = limit.min(t + self.system.horizon());
        }
        if !matches!(method, Method::Explicit { .. }) || self.system.has_no_inside() {
            // Without dense output, steps end on samples.
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
        self.system.check_interactions(&s.held.acts)?;
        s.works.dissipated += s.books.lost(&self.system, &mut s.flows);
        let works = (s.works, &s.flows);
        s.ledger.book(&mut self.system, (s.t, &s.q, &s.v), step.elastic, works, &mut self.constraint);
        s.books.book(&self.system, (before, s.t), &mut s.held.acts);
        self.channels.vehicles.iter().try_for_each(|vehicle| vehicle.check_upright(&self.system))
    }
}

impl crate::engine::state::State {
    /// Restarted deflections have no earlier rate.
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
