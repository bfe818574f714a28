//! Error of the step length: at several fixed times a twin repeats two steps from the same accepted state,
//! unchanged and with half the length.
//!
//! The difference is the error of the rates over that time, up to the factor 2^p/(2^p − 1) of the method's
//! order p (Richardson). It is measured link by link, in the metric of the mass matrix, and extrapolated
//! linearly over the whole run, like the phase error of a pendulum. Divided by the largest speed of the link
//! this is the check `time_step_error`. Where energy is exchanged with drives, loads and heat, errors of the
//! rates decay in the time in which the kinetic energy is exchanged, and add up only over that time. Errors
//! of steps with an impact (a foot that lands) have little meaning for the results: runs with contacts that
//! exchange more than half of their energy have no estimate.
//!
//! The estimate depends only on accepted states at fixed times, so that neither recording nor threads nor a
//! restart changes it. It changes no bit of the run.

use crate::books::ledger::Ledger;
use crate::description::{Integrator, StepControl, WorldDescription};
use crate::engine::simulation::Simulation;
use crate::engine::state::{MethodMemory, State};
use crate::engine::step::Halt;
use crate::engine::system::System;
use crate::interactions::contact_names;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use touchdown_math::Elementary;

/// Intervals of a run, spread evenly over its duration.
const INTERVALS: u32 = 8;
/// Steps of an interval: the second begins with the error of the first. With the finer steps of the twin 48
/// in all, 2 % of a run of 2,400 steps.
const STEPS: u32 = 2;
/// Energy exchanged over kinetic energy up to which errors of the rates persist for the whole run.
const KEPT_TURNOVERS: f64 = 0.5;
/// The same, beyond which they decay so fast that errors of single steps have little meaning for the results.
const MOST_TURNOVERS: f64 = 20.0;
/// Travel below which a link counts as at rest, m and rad.
const LEAST_TRAVEL: f64 = 1e-3;

/// Results of the intervals so far; part of the state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TimeError {
    /// Number of intervals examined or skipped.
    pub seen: u32,
    /// Their lengths, added, s.
    length: f64,
    /// For each link: sizes of the errors of its rates, added, and the square of its largest speed; both weighted with its inertia.
    errors: Vec<f64>,
    speeds: Vec<f64>,
}

/// The worst link: error over its largest speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Worst {
    pub share: f64,
    pub link: usize,
}

impl TimeError {
    /// No interval yet, for a system with this number of links.
    pub fn new(links: usize) -> TimeError {
        TimeError { errors: vec![0.0; links], speeds: vec![0.0; links], ..TimeError::default() }
    }

    /// Number of links.
    pub fn links(&self) -> usize {
        self.errors.len()
    }

    fn is_due(&self, t: f64, duration: f64) -> bool {
        let next = (f64::from(self.seen) + 0.5) / f64::from(INTERVALS) * duration;
        self.seen < INTERVALS && t >= next && t < duration
    }

    /// Whether errors of the rates persist long enough to add up.
    pub fn is_judged(ledger: &Ledger, description: &WorldDescription) -> bool {
        let turnovers = ledger.turnovers();
        turnovers <= KEPT_TURNOVERS || turnovers <= MOST_TURNOVERS && contact_names(description).is_empty()
    }

    /// Part of the run over which errors of the rates add up: they decay in the time in which the energy is
    /// exchanged.
    fn memory(ledger: &Ledger) -> f64 {
        (KEPT_TURNOVERS / ledger.turnovers()).min(1.0)
    }

    /// Whether an interval was examined.
    pub fn is_known(&self) -> bool {
        self.length > 0.0
    }

    /// The worst link after `t`, s; `None` if no link has mass.
    pub fn worst(&self, system: &System, ledger: &Ledger, t: f64) -> Option<Worst> {
        let kept = t * Self::memory(ledger);
        let rest = LEAST_TRAVEL / t.max(f64::MIN_POSITIVE);
        let links = system.model.links.iter().enumerate().filter(|(_, link)| link.inertia.m > 0.0);
        let shares = links.map(|(k, link)| {
            let at_rest = (link.inertia.m + link.inertia.I.trace() / 3.0) * rest * rest;
            let pace = if self.is_known() { self.errors[k] / self.length } else { 0.0 };
            Worst { share: pace * kept / self.speeds[k].max(at_rest).sqrt(), link: k }
        });
        shares.reduce(|a, b| if b.share > a.share || b.share.is_nan() { b } else { a })
    }
}

/// A simulation beside the run, with the finer description.
pub(crate) struct Twin {
    simulation: Simulation,
    finer: Arc<WorldDescription>,
    /// 2^p/(2^p − 1).
    richardson: f64,
}

/// The same method with steps half as long, or with tolerances that make them so; and its order.
fn halved(integrator: Integrator) -> (Integrator, i32) {
    let control = |step: StepControl, order: i32| match step {
        StepControl::Fixed(h) => StepControl::Fixed(0.5 * h),
        // Local errors are one order higher than the method, and explicit controls them at its own.
        StepControl::Adaptive { relative, absolute, longest } => {
            let factor = 0.5f64.whole_power(order);
            StepControl::Adaptive { relative: relative * factor, absolute: absolute * factor, longest }
        }
    };
    match integrator {
        Integrator::Explicit { step } => (Integrator::Explicit { step: control(step, 8) }, 8),
        Integrator::Implicit { step, spectral_radius } => {
            (Integrator::Implicit { step: control(step, 3), spectral_radius }, 2)
        }
        Integrator::Realtime { step } => (Integrator::Realtime { step: 0.5 * step }, 1),
    }
}

impl Simulation {
    /// Looks at the next interval, if its time has come.
    pub(crate) fn look_at_steps(&mut self) {
        if !self.state.time_error.is_due(self.state.t, self.description.duration) {
            return;
        }
        self.state.time_error.seen += 1;
        if !TimeError::is_judged(&self.state.ledger, &self.description) {
            return;
        }
        let mut twin = self.twin.take().unwrap_or_else(|| Box::new(self.make_twin()));
        // A newly created method continues with the same bits; dropping it here keeps only one Newton matrix
        // in memory.
        self.method = None;
        // Failing steps end the run, which reports this; their errors are not estimated.
        let _ = twin.compare(&mut self.state);
        twin.simulation.method = None;
        self.twin = Some(twin);
    }

    fn make_twin(&self) -> Twin {
        let (integrator, order) = halved(self.description.integrator);
        let finer = Arc::new(WorldDescription { integrator, ..(*self.description).clone() });
        let gain = 2f64.whole_power(order);
        let mut simulation = self.fork();
        simulation.use_threads(1);
        Twin { simulation, finer, richardson: gain / (gain - 1.0) }
    }

    /// Starts again from an accepted state of another simulation of the same model.
    fn begin_at(&mut self, state: &State) -> Result<(), Halt> {
        self.state.clone_from(state);
        self.method = None;
        self.stand_at_state()?;
        Ok(())
    }
}

impl Twin {
    /// Steps an interval from an accepted state twice, and books the difference.
    fn compare(&mut self, state: &mut State) -> Result<(), Halt> {
        let simulation = &mut self.simulation;
        simulation.begin_at(state)?;
        let (begin, duration) = (state.t, simulation.description.duration);
        for _ in 0..STEPS {
            if simulation.state.t < duration {
                simulation.make_unseen_step(duration)?;
            }
        }
        let (end, coarse) = (simulation.state.t, simulation.state.v.clone());
        let own = std::mem::replace(&mut simulation.description, Arc::clone(&self.finer));
        let refined = simulation.step_finely(state, end);
        simulation.description = own;
        refined?;
        let nv = simulation.system.model.nv;
        let (q, v) = (&simulation.state.q, &simulation.state.v);
        let difference: Vec<f64> = coarse.iter().zip(v).map(|(a, b)| (a - b) * self.richardson).collect();
        let book = &mut state.time_error;
        book.length += end - begin;
        simulation.system.update_kinematics(q, &difference[..nv]);
        for (sum, twice) in book.errors.iter_mut().zip(twice_kinetic(&simulation.system)) {
            *sum += twice.sqrt();
        }
        simulation.system.update_kinematics(q, &v[..nv]);
        for (largest, twice) in book.speeds.iter_mut().zip(twice_kinetic(&simulation.system)) {
            *largest = largest.max(twice);
        }
        Ok(())
    }
}

impl Simulation {
    fn step_finely(&mut self, from: &State, end: f64) -> Result<(), Halt> {
        self.begin_at(from)?;
        if let MethodMemory::Implicit(memory) = &mut self.state.method {
            memory.halve_step();
        }
        let slack = self.exchange_slack();
        while self.state.t < end - slack {
            self.make_unseen_step(end)?;
        }
        Ok(())
    }
}

/// Twice the kinetic energy of each link, J.
fn twice_kinetic(system: &System) -> impl Iterator<Item = f64> + '_ {
    // Rounding may make the energy of a body at rest negative.
    system.cache.I.iter().zip(&system.cache.V).map(|(I, V)| V.dot(&I.apply(V)).max(0.0))
}
