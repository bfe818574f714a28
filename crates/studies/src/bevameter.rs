//! The bevameter: a body pressed into the soil along z without inertia, load by load up to the largest, and relieved again.
//!
//! At every load the depth is found at which soil and load balance (the force grows with depth, so that halving finds it to the last
//! bit), then the soil commits it. No time passes; the rows are numbered.

use touchdown_sim::RunError;
use touchdown_sim::Simulation;
use touchdown_sim::SoilPress;
use touchdown_sim::System;
use touchdown_sim::broken_checks;
use touchdown_sim::description::{Procedure, WorldDescription};
use touchdown_sim::sink::{Column, NamedValue, Outcome, Progress, Sink};

/// Numbers of a bevameter test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bevameter {
    /// Index in [`WorldDescription::soil_bodies`](touchdown_sim::description::WorldDescription::soil_bodies); that body moves along z only.
    pub body: usize,
    /// Largest load, N.
    pub load: f64,
    /// Loads while loading, and as many while unloading.
    pub points: usize,
}

impl Procedure for Bevameter {
    fn columns(&self, _: &WorldDescription, _: &System) -> Option<Vec<Column>> {
        Some(columns())
    }

    fn run(&self, world: &mut Simulation, sink: &mut dyn Sink) -> Result<Outcome, RunError> {
        run(world, self, sink)
    }

    fn equals(&self, other: &dyn Procedure) -> bool {
        crate::equal(self, other)
    }
}

/// First step of the search for a bracket, m; it doubles.
const FIRST_STEP: f64 = 1e-6;
/// Doublings at most: beyond 10 m no soil carries.
const DOUBLINGS: usize = 24;
/// Halvings at most: a double has no more to give.
const HALVINGS: usize = 200;

/// Columns of the study's series.
fn columns() -> Vec<Column> {
    let column = Column::scalar;
    vec![
        column("point", "1", "number of the load, from 0"),
        column("load_n", "N", "load asked for"),
        column("force_n", "N", "vertical force of the soil"),
        column("sinkage_m", "m", "depth of the lowest point below the undisturbed ground"),
        column("area_m2", "m2", "area of the contact"),
        column("pressure_max_pa", "Pa", "largest pressure"),
    ]
}

/// Runs the study.
fn run(world: &mut Simulation, study: &Bevameter, sink: &mut dyn Sink) -> Result<Outcome, RunError> {
    let mut outcome = Outcome::of_study();
    let Some(mut press) = SoilPress::new(world, study.body) else {
        outcome.stopped_because = Some("a bevameter needs soil".into());
        outcome.finished = false;
        return Ok(outcome);
    };
    let count = study.points.max(1);
    let (mut z, mut at_load, mut last) = (0.0, [f64::NAN; 2], [f64::NAN; 2]);
    for point in 0..=2 * count {
        let part = if point <= count { point } else { 2 * count - point };
        let load = study.load * part as f64 / count as f64;
        let found = balance(&mut press, load, z);
        let Some(depth) = found else {
            outcome.finished = false;
            outcome.stopped_because = Some(format!("no depth carries {load} N"));
            break;
        };
        z = depth;
        let force = press.force(z);
        press.commit(point as f64);
        last = [force.wrench_C.f.z, force.sinkage];
        if point == count {
            at_load = last;
        }
        sink.series(&[point as f64, load, last[0], last[1], force.area, force.pressure_max])?;
        let done = (point + 1) as u64;
        sink.progress(Progress { time: done as f64, duration: (2 * count + 1) as f64, steps: done });
        outcome.steps = done;
    }
    let (checks, volume_error) = press.finish();
    let mut put = |name: &str, value: f64, unit: &str, about: &str| {
        let (name, unit, about) = (name.into(), unit.into(), about.into());
        outcome.quantities.push(NamedValue { name, value, unit, about });
    };
    put("sinkage_m", at_load[1], "m", "sinkage under the largest load");
    put("force_n", at_load[0], "N", "force of the soil there");
    put("sinkage_unloaded_m", last[1], "m", "sinkage left when the load is gone");
    put("soil_volume_error_relative", volume_error, "1", "soil lost or gained numerically");
    outcome.validity = checks;
    outcome.warnings.extend(broken_checks(&outcome.validity));
    Ok(outcome)
}

/// The depth at which the soil carries `load`, searched from `z`.
fn balance(press: &mut SoilPress, load: f64, z: f64) -> Option<f64> {
    let mut excess = |z: f64| press.force(z).wrench_C.f.z - load;
    let start = excess(z);
    if start == 0.0 {
        return Some(z);
    }
    // Down if it carries too little, up if too much.
    let direction = if start < 0.0 { 1.0 } else { -1.0 };
    let mut step = FIRST_STEP;
    let mut near = z;
    let mut far = z + direction * step;
    let mut doublings = 0;
    while excess(far) * direction < 0.0 {
        if doublings == DOUBLINGS {
            return None;
        }
        (near, step, doublings) = (far, 2.0 * step, doublings + 1);
        far = near + direction * step;
    }
    let (mut above, mut below) = if direction > 0.0 { (near, far) } else { (far, near) };
    for _ in 0..HALVINGS {
        let middle = 0.5 * (above + below);
        if middle <= above || middle >= below {
            break;
        }
        // Without load, what does not press is still above.
        if excess(middle) <= 0.0 { above = middle } else { below = middle }
    }
    Some(below)
}
