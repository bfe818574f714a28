//! Processor time of a step on soil by phase, for `touchdown bench`.

use crate::engine::method::StepFailure;
use crate::engine::phases::PhaseTime;
use crate::engine::simulation::Simulation;
use touchdown_contact::soil::Stage;

/// A phase of a step on soil.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SoilPhase {
    Detection,
    Force,
    Commit,
    Displacement,
    Erosion,
}

impl From<Stage> for SoilPhase {
    fn from(stage: Stage) -> SoilPhase {
        match stage {
            Stage::Remembered => SoilPhase::Commit,
            Stage::Displaced => SoilPhase::Displacement,
            Stage::Eroded => SoilPhase::Erosion,
        }
    }
}

/// Names of the phases, in their order.
const SOIL_PHASES: [&str; 5] =
    ["detection and pressure", "forces and tangents", "commit", "moving displaced soil", "erosion"];

/// Adds up the times of the phases while steps are made.
#[derive(Clone, Debug)]
pub(crate) struct SoilWatch {
    clock: fn() -> f64,
    last: f64,
    times: [f64; SOIL_PHASES.len()],
}

impl SoilWatch {
    /// Starts the timer.
    pub fn start(&mut self) {
        self.last = (self.clock)();
    }

    /// A phase ends; the next begins.
    pub fn stop(&mut self, phase: SoilPhase) {
        let now = (self.clock)();
        self.times[phase as usize] += now - self.last;
        self.last = now;
    }
}

impl Simulation {
    /// Makes `steps` accepted steps, without recording, and reports the time of a step on soil: the mean of
    /// each phase, then of the rest. On one thread.
    pub fn time_soil_phases(
        &mut self,
        steps: u64,
        clock: fn() -> f64,
    ) -> Result<Vec<PhaseTime>, StepFailure> {
        if let Some(parts) = &mut self.system.acts.soil.parts {
            parts.watch = Some(SoilWatch { clock, last: 0.0, times: Default::default() });
        }
        let start = clock();
        let result = self.advance_steps(steps);
        let whole = clock() - start;
        let watch = self.system.acts.soil.parts.as_mut().and_then(|parts| parts.watch.take());
        let made = result?.max(1) as f64;
        let times = watch.map_or_else(Default::default, |w| w.times);
        let mut phases: Vec<PhaseTime> = SOIL_PHASES
            .into_iter()
            .zip(times)
            .map(|(name, time)| PhaseTime { name, time: time / made })
            .collect();
        let rest = whole - times.iter().sum::<f64>();
        phases.push(PhaseTime { name: "the rest of the step", time: rest / made });
        Ok(phases)
    }
}
