//! The bevameter: a body pressed into the soil along z without inertia, load by load up to the largest, and relieved again.
//!
//! At every load the depth is found at which soil and load balance (the force grows with depth, so that halving finds it to the last
//! bit), then the soil commits it. No time passes; the rows are numbered.

use crate::books::validity;
use crate::description::Bevameter;
use crate::engine::run::RunError;
use crate::engine::world::Simulation;
use crate::interactions::Books;
use crate::interactions::soil::{LaidSoil, SoilHistory, SoilParts};
use crate::sink::{Column, NamedValue, Outcome, Progress, Sink};
use std::sync::Arc;
use touchdown_math::Vec3;

/// First step of the search for a bracket, m; it doubles.
const FIRST_STEP: f64 = 1e-6;
/// Doublings at most: beyond 10 m no soil carries.
const DOUBLINGS: usize = 24;
/// Halvings at most: a double has no more to give.
const HALVINGS: usize = 200;

/// Columns of the study's series.
pub(crate) fn columns() -> Vec<Column> {
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
pub(crate) fn run(
    world: &mut Simulation,
    study: &Bevameter,
    sink: &mut dyn Sink,
) -> Result<Outcome, RunError> {
    let mut outcome = Outcome::of_study();
    let p_start = world.system.soil_motion(study.body).p_WC;
    let (Some(mut parts), SoilHistory::Laid(mut laid)) =
        (world.system.acts.soil.parts.take(), std::mem::take(&mut world.state.held.acts.soil))
    else {
        outcome.stopped_because = Some("a bevameter needs soil".into());
        outcome.finished = false;
        return Ok(outcome);
    };
    let mut books = Books::open(&world.system);
    let count = study.points.max(1);
    let (mut z, mut at_load, mut last) = (0.0, [f64::NAN; 2], [f64::NAN; 2]);
    for point in 0..=2 * count {
        let part = if point <= count { point } else { 2 * count - point };
        let load = study.load * part as f64 / count as f64;
        let press = Press { body: study.body, p_start };
        let found = press.balance((&mut parts, &laid), load, z);
        let Some(depth) = found else {
            outcome.finished = false;
            outcome.stopped_because = Some(format!("no depth carries {load} N"));
            break;
        };
        z = depth;
        let force = press.force((&mut parts, &laid), z);
        parts.commit(point as f64, Arc::make_mut(&mut laid));
        world.system.acts.soil.forces[study.body] = force;
        books.book(&world.system, (0.0, 0.0), &mut world.state.held.acts);
        last = [force.wrench_C.f.z, force.sinkage];
        if point == count {
            at_load = last;
        }
        sink.series(&[point as f64, load, last[0], last[1], force.area, force.pressure_max])?;
        let done = (point + 1) as u64;
        sink.progress(Progress { time: done as f64, duration: (2 * count + 1) as f64, steps: done });
        outcome.steps = done;
    }
    let mut put = |name: &str, value: f64, unit: &str, about: &str| {
        let (name, unit, about) = (name.into(), unit.into(), about.into());
        outcome.quantities.push(NamedValue { name, value, unit, about });
    };
    put("sinkage_m", at_load[1], "m", "sinkage under the largest load");
    put("force_n", at_load[0], "N", "force of the soil there");
    put("sinkage_unloaded_m", last[1], "m", "sinkage left when the load is gone");
    put(
        "soil_volume_error_relative",
        laid.soil.volume_error_relative(),
        "1",
        "soil lost or gained by the books",
    );
    (world.system.acts.soil.parts, world.state.held.acts.soil) = (Some(parts), SoilHistory::Laid(laid));
    outcome.validity = validity::static_checks(world, &books);
    outcome.warnings.extend(validity::warnings(&outcome.validity));
    Ok(outcome)
}

/// The body under test.
struct Press {
    body: usize,
    p_start: Vec3,
}

impl Press {
    /// Force of the soil with the body lowered by z from its start.
    fn force(
        &self,
        (parts, laid): (&mut SoilParts, &LaidSoil),
        z: f64,
    ) -> touchdown_contact::soil::SoilForce {
        parts.evaluate_at_rest(laid, self.body, self.p_start - Vec3::z() * z)
    }

    /// The depth at which the soil carries `load`, searched from `z`.
    fn balance(&self, (parts, laid): (&mut SoilParts, &LaidSoil), load: f64, z: f64) -> Option<f64> {
        let mut excess = |z: f64| self.force((parts, laid), z).wrench_C.f.z - load;
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
}
