//! Curved shells with published deflections on finer and finer meshes: what an element is worth. No time passes, and no body of the scenario takes part.

use touchdown_multibody::flex::course::Course;
use touchdown_multibody::flex::material::Locking;
use touchdown_sim::RunError;
use touchdown_sim::Simulation;
use touchdown_sim::System;
use touchdown_sim::description::{Procedure, WorldDescription};
use touchdown_sim::sink::{Column, NamedValue, Outcome, Progress, Sink};

/// A shell and how it is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShellCourse {
    /// Which shell.
    pub shell: Course,
    /// Elements along each side of the symmetric part, on the finest mesh; each mesh before it has half as many.
    pub elements: usize,
    /// Remedy against locking.
    pub locking: Locking,
}

impl Procedure for ShellCourse {
    fn columns(&self, _: &WorldDescription, _: &System) -> Option<Vec<Column>> {
        let column = Column::scalar;
        Some(vec![
            column("elements", "1", "elements along each side of the symmetric part"),
            column("deflection_m", "m", "deflection at the published place"),
            column("deflection_over_published", "1", "the same over the published one"),
        ])
    }

    fn run(&self, _: &mut Simulation, sink: &mut dyn Sink) -> Result<Outcome, RunError> {
        run(self, sink)
    }

    fn equals(&self, other: &dyn Procedure) -> bool {
        crate::equal(self, other)
    }
}

/// Meshes are halved down to so many elements.
const COARSEST: usize = 4;

fn run(study: &ShellCourse, sink: &mut dyn Sink) -> Result<Outcome, RunError> {
    let mut outcome = Outcome::of_study();
    let halves = std::iter::successors(Some(study.elements), |n| (n / 2 >= COARSEST).then_some(n / 2));
    let mut meshes: Vec<usize> = halves.collect();
    meshes.reverse();
    let published = study.shell.published();
    let mut deflection = f64::NAN;
    for (k, n) in meshes.iter().enumerate() {
        match study.shell.deflection(*n, study.locking) {
            Ok(found) => deflection = found,
            Err(why) => {
                (outcome.finished, outcome.stopped_because) = (false, Some(why.to_string()));
                break;
            }
        }
        sink.series(&[*n as f64, deflection, deflection / published])?;
        outcome.steps = k as u64 + 1;
        sink.progress(Progress { time: (k + 1) as f64, duration: meshes.len() as f64, steps: outcome.steps });
    }
    let mut put = |name: &str, value: f64, unit: &str, about: &str| {
        let (name, unit, about) = (name.into(), unit.into(), about.into());
        outcome.quantities.push(NamedValue { name, value, unit, about });
    };
    put("deflection_m", deflection, "m", "deflection at the published place, finest mesh");
    put("published_m", published, "m", "published deflection");
    put("deflection_over_published", deflection / published, "1", "the one over the other");
    Ok(outcome)
}
