//! The jobs that are timed: built-in scenarios brought to the phase that matters, then a fixed number of steps from there.

use super::{STEP, clock};
use crate::failure::Failure;
use crate::located;
use touchdown_scenario::{Scenario, load};
use touchdown_sim::{Simulation, State};

/// Steps before the rover cruises: 15 s of settling and accelerating at 1 ms.
const ROVER_WARM_UP: u64 = 15_000;
/// Steps of a round: the 20 s of cruising.
const ROVER_STEPS: u64 = 20_000;
/// Steps before the rover turns on the spot, and of a round: 15 s of settling and steering, 20 s of turning.
const TURN_WARM_UP: u64 = 15_000;
const TURN_STEPS: u64 = 20_000;
/// Steps before the chain is measured, and of a round: 0.2 s and 0.5 s of its fall.
const CHAIN_WARM_UP: u64 = 200;
const CHAIN_STEPS: u64 = 500;
/// Links times steps of a round of the explicit chain: the same work for each length, about.
const EXPLICIT_WORK: u64 = 60_000;
/// Calls of each phase: a tenth of a second in all.
const PHASE_CALLS: u32 = 10_000;
/// Longer than any of them runs, so that no step is cut short by the end.
pub const WITHOUT_END: &str = "duration=1e5 s";

/// A world at the phase that matters.
pub struct Job {
    /// What is done.
    pub name: String,
    /// The most it may cost, in mj.
    pub target_mj: Option<f64>,
    /// Simulated time of a step, s.
    pub step: f64,
    /// Steps of a round.
    pub steps: u64,
    /// CPU time of the steps before, s.
    pub warm_up: f64,
    world: Simulation,
    /// Where each round begins.
    start: State,
}

impl Job {
    fn new(name: String, scenario: &str, sets: &[&str], steps: (u64, u64)) -> Result<Job, Failure> {
        Job::on(name, &with(scenario, sets)?, steps)
    }

    /// A scenario after this many steps, and this many more in each round.
    pub fn on(name: String, scenario: &Scenario, (warm_up, steps): (u64, u64)) -> Result<Job, Failure> {
        let mut world = located::build_world(scenario, None)?;
        let before = clock::cpu_time();
        world.advance_steps(warm_up).map_err(|why| stopped(&name, &why.to_string()))?;
        let warm_up = clock::cpu_time() - before;
        let start = world.save();
        let name = format!("{name} ({} rates)", world.degrees_of_freedom().0);
        Ok(Job { name, target_mj: None, step: STEP, steps, warm_up, world, start })
    }

    /// Threads that evaluate contacts.
    pub fn use_threads(&mut self, threads: usize) {
        self.world.use_threads(threads);
    }

    /// The most that a step may cost, in mj.
    pub fn with_target(self, mj: f64) -> Job {
        Job { target_mj: Some(mj), ..self }
    }

    /// Simulated time of a step that is not 1 ms, s.
    pub fn with_step(self, step: f64) -> Job {
        Job { step, ..self }
    }

    /// The rover on brush tyres, cruising.
    pub fn rover() -> Result<Job, Failure> {
        let sets = ["integrator.name=realtime", "integrator.step=1 ms", WITHOUT_END];
        let name = "rover on brush tyres, realtime 1 ms".to_string();
        let job = Job::new(name, "rover-straight-brush", &sets, (ROVER_WARM_UP, ROVER_STEPS))?;
        Ok(job.with_target(0.5))
    }

    /// The rover turning on the spot: the steering joints move too.
    pub fn turn() -> Result<Job, Failure> {
        let sets = ["integrator.name=realtime", "integrator.step=1 ms", WITHOUT_END];
        let name = "the same, turning on the spot".to_string();
        let job = Job::new(name, "rover-point-turn", &sets, (TURN_WARM_UP, TURN_STEPS))?;
        Ok(job.with_target(0.5))
    }

    /// The chain of 50 links, falling, with the implicit method.
    pub fn chain() -> Result<Job, Failure> {
        let sets = ["links=50", "integrator.name=implicit", "integrator.step=1 ms", WITHOUT_END];
        let name = "chain of 50 links, implicit 1 ms".to_string();
        let job = Job::new(name, "pendulum-chain", &sets, (CHAIN_WARM_UP, CHAIN_STEPS))?;
        Ok(job.with_target(4.0))
    }

    /// A chain with the explicit method at a fixed step, for the cost of an evaluation.
    pub fn explicit(links: u64) -> Result<Job, Failure> {
        let links_set = format!("links={links}");
        let sets = [&links_set, "integrator.name=explicit", "integrator.step=0.1 ms", WITHOUT_END];
        let steps = EXPLICIT_WORK / links;
        Job::new(format!("chain of {links} links, explicit"), "pendulum-chain", &sets, (steps / 10, steps))
    }

    /// One round: CPU time per step, s.
    pub fn round(&mut self) -> Result<f64, Failure> {
        self.round_by(clock::cpu_time)
    }

    /// One round by another clock: time per step, s.
    pub fn round_by(&mut self, clock: fn() -> f64) -> Result<f64, Failure> {
        self.go_back()?;
        let before = clock();
        let result = self.world.advance_steps(self.steps);
        let seconds = clock() - before;
        result.map_err(|why| stopped(&self.name, &why.to_string()))?;
        Ok(seconds / self.steps as f64)
    }

    fn go_back(&mut self) -> Result<(), Failure> {
        self.world.restore(self.start.clone()).map_err(|why| stopped(&self.name, &why.to_string()))
    }

    /// The world, after the last round.
    pub fn world(&self) -> &Simulation {
        &self.world
    }

    /// Where the time of a step on soil goes: means over a round, CPU time, s.
    pub fn soil_phases(&mut self) -> Result<Vec<touchdown_sim::PhaseTime>, Failure> {
        self.go_back()?;
        let phases = self.world.time_soil_phases(self.steps, clock::cpu_time);
        phases.map_err(|why| stopped(&self.name, &why.to_string()))
    }

    /// Where the time of a step goes: phases of a 1 ms step and their CPU times, s.
    pub fn phases(&mut self) -> Vec<touchdown_sim::PhaseTime> {
        self.world.time_phases(1e-3, PHASE_CALLS, &clock::cpu_time)
    }

    /// One round: CPU time per evaluation, s.
    pub fn round_of_evaluations(&mut self) -> Result<f64, Failure> {
        let seconds = self.round()? * self.steps as f64;
        let end = self.world.state().evaluations;
        self.go_back()?;
        // The counter holds the method's own; each accepted state is evaluated again for the ledger.
        Ok(seconds / (end - self.world.state().evaluations + self.steps) as f64)
    }
}

/// A built-in scenario with its knobs turned.
pub fn with(scenario: &str, sets: &[&str]) -> Result<Scenario, Failure> {
    let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
    Ok(load(scenario, &sets)?)
}

fn stopped(name: &str, why: &str) -> Failure {
    Failure::other(format!("{name}: {why}"))
}
