//! The tilt study: how far the ground can be tilted towards every direction before the first wheel lifts or slips.
//!
//! Tilting the ground is turning gravity. From static equilibrium on level ground the tilt grows in small steps; at each the statics
//! are solved by Newton's method with treads that deflect and hold (no time passes). The first step that lifts a wheel, makes it
//! slide or has no equilibrium is cut in half until its angle is known to the resolution. A second sweep with friction that
//! holds anything tells lifting apart from slipping; a third lets single wheels lift and slip, and ends where nothing holds the
//! machine any more: it slides off or tips over.

use rayon::prelude::*;
use touchdown_math::Elementary;
use touchdown_math::Vec3;
use touchdown_sim::RunError;
use touchdown_sim::System;
use touchdown_sim::broken_checks;
use touchdown_sim::description::{Procedure, WorldDescription};
use touchdown_sim::sink::{Column, NamedValue, Outcome, Progress, Sink};
use touchdown_sim::{Simulation, Statics};

/// Numbers of a tilt study.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tilt {
    /// Number of directions around the circle.
    pub directions: usize,
    /// Largest tilt tried, rad.
    pub largest: f64,
    /// Resolution of the angle, rad.
    pub resolution: f64,
    /// Required angle, rad.
    pub required: f64,
}

impl Procedure for Tilt {
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

/// Step of the tilt before it is cut, rad.
const STEP: f64 = 0.035;
/// A wheel that uses this part of its friction slides.
const SLIDING: f64 = 1.0 - 1e-6;
/// A wheel that carries less than this part of the mean load has lifted.
const LIFTED: f64 = 1e-6;
/// Friction that holds anything the machine can meet before it tips.
const UNLIMITED_FRICTION: f64 = 10.0;

/// What happens first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    None,
    Lift,
    Slip,
}

/// What ends a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Watch {
    LiftAndSlip,
    Collapse,
}

/// First angles of one direction, rad; `largest` where nothing happened.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Limits {
    /// First lift with unlimited friction.
    lift: f64,
    /// First lift or slip with the tyres' friction.
    first: f64,
    event: Event,
    /// Last tilt with an equilibrium, whatever single wheels do.
    holds: f64,
}

/// Columns of the study's series.
fn columns() -> Vec<Column> {
    let column = |name: &str, unit: &'static str, about: &str| Column {
        name: name.into(),
        unit,
        frame: "ground",
        about: about.into(),
    };
    vec![
        column("direction_rad", "rad", "direction downhill, from x (forward) towards y (left)"),
        column("lift_angle_rad", "rad", "tilt at which the first wheel lifts, friction unlimited"),
        column("stable_angle_rad", "rad", "tilt at which the first wheel lifts or slips"),
        column(
            "holding_angle_rad",
            "rad",
            "tilt up to which the machine stands at all, though single wheels may lift or slip",
        ),
        column(
            "slips_first",
            "1",
            "1 if slipping comes first, 0 if lifting, -1 if neither up to the largest tilt",
        ),
    ]
}

/// Runs the study; directions are independent and solved in parallel, results are handed over in order.
fn run(world: &mut Simulation, study: &Tilt, sink: &mut dyn Sink) -> Result<Outcome, RunError> {
    let world = &*world;
    let (gravity, up) = world.gravity_and_up();
    let direction = |i: usize| std::f64::consts::TAU * i as f64 / study.directions as f64;
    let all: Vec<Limits> = (0..study.directions)
        .into_par_iter()
        .map(|i| {
            let site = Site { up, gravity, direction: direction(i), study: *study };
            site.limits(world)
        })
        .collect();
    for (i, limits) in all.iter().enumerate() {
        let code = match limits.event {
            Event::None => -1.0,
            Event::Lift => 0.0,
            Event::Slip => 1.0,
        };
        sink.series(&[direction(i), limits.lift, limits.first, limits.holds, code])?;
        sink.progress(Progress {
            time: (i + 1) as f64,
            duration: study.directions as f64,
            steps: (i + 1) as u64,
        });
    }
    Ok(outcome(world, study, &all))
}

fn outcome(world: &Simulation, study: &Tilt, all: &[Limits]) -> Outcome {
    let smallest = |angle: fn(&Limits) -> f64| all.iter().map(angle).fold(f64::INFINITY, f64::min);
    let (lift, first, holds) = (smallest(|l| l.lift), smallest(|l| l.first), smallest(|l| l.holds));
    let slip = all.iter().filter(|l| l.event == Event::Slip).map(|l| l.first).fold(f64::INFINITY, f64::min);
    let slip = if slip.is_finite() { slip } else { study.largest };
    let value = |name: &str, value: f64, unit: &str, about: &str| NamedValue {
        name: name.into(),
        value,
        unit: unit.into(),
        about: about.into(),
    };
    let degrees = |angle: f64| angle.to_degrees();
    let quantities = vec![
        value(
            "stable_angle_min_deg",
            degrees(first),
            "deg",
            "smallest tilt at which the first wheel lifts or slips",
        ),
        value(
            "lift_angle_min_deg",
            degrees(lift),
            "deg",
            "smallest tilt at which the first wheel lifts, friction unlimited",
        ),
        value(
            "slip_angle_min_deg",
            degrees(slip),
            "deg",
            "smallest tilt at which a wheel slips before any lifts",
        ),
        value(
            "holding_angle_min_deg",
            degrees(holds),
            "deg",
            "smallest tilt at which the machine slides off or tips over",
        ),
        value("required_deg", degrees(study.required), "deg", "required tilt"),
        value("lift_margin_deg", degrees(lift - study.required), "deg", "lift angle over the requirement"),
        value(
            "stable_margin_deg",
            degrees(first - study.required),
            "deg",
            "lift-or-slip angle over the requirement",
        ),
        value(
            "holding_margin_deg",
            degrees(holds - study.required),
            "deg",
            "holding angle over the requirement",
        ),
        value("total_mass_kg", world.total_mass(), "kg", "sum of all bodies"),
    ];
    let mut warnings = Vec::new();
    if first < study.required {
        warnings.push(format!(
            "the first wheel lifts or slips at {:.2} deg, below the required {:.2} deg; the machine as a whole stands up to {:.2} deg",
            degrees(first),
            degrees(study.required),
            degrees(holds)
        ));
    }
    // On level ground, where the sweeps start.
    let validity = world.checks_at_rest();
    warnings.extend(broken_checks(&validity));
    let steps = all.len() as u64;
    Outcome { steps, quantities, validity, warnings, ..Outcome::of_study() }
}

/// One direction.
struct Site {
    up: Vec3,
    gravity: f64,
    direction: f64,
    study: Tilt,
}

/// A point of the march: coordinates and contact states.
#[derive(Clone)]
struct Pose {
    angle: f64,
    q: Vec<f64>,
    z: Vec<f64>,
}

impl Site {
    fn limits(&self, world: &Simulation) -> Limits {
        let q = &world.state().q;
        let (first, event) = self.march(Statics::new(world), q, Watch::LiftAndSlip);
        let (holds, _) = self.march(Statics::new(world), q, Watch::Collapse);
        let gripping = Statics::new(world).with_friction(UNLIMITED_FRICTION);
        let (lift, _) = self.march(gripping, q, Watch::LiftAndSlip);
        Limits { lift, first, event, holds }
    }

    /// Grows the tilt until something happens; the angle is between the last good one and that.
    fn march(&self, mut on: Statics, q: &[f64], watch: Watch) -> (f64, Event) {
        let mut good = Pose { angle: 0.0, q: q.to_vec(), z: vec![0.0; on.contact_states()] };
        let mut step = STEP;
        let mut event = Event::None;
        while good.angle < self.study.largest {
            let angle = (good.angle + step).min(self.study.largest);
            match self.tilt_to(&mut on, &good, angle, watch) {
                Ok(next) => good = next,
                Err(found) => {
                    event = found;
                    if step <= self.study.resolution {
                        return (good.angle, event);
                    }
                    step *= 0.5;
                }
            }
        }
        (self.study.largest, if good.angle < self.study.largest { event } else { Event::None })
    }

    /// Statics at a tilt, from the last good point.
    fn tilt_to(&self, on: &mut Statics, from: &Pose, angle: f64, watch: Watch) -> Result<Pose, Event> {
        let mut q = from.q.clone();
        // No equilibrium at all means that friction no longer holds: before that some wheel would have lifted.
        let z = on.settle(self.gravity_at(angle), &mut q, &from.z).map_err(|_| Event::Slip)?;
        if watch == Watch::Collapse {
            return Ok(Pose { angle, q, z });
        }
        let mean = on.total_mass() * self.gravity / on.tyres().len().max(1) as f64;
        if on.tyres().any(|(normal_force, _)| normal_force < LIFTED * mean) {
            return Err(Event::Lift);
        }
        if on.tyres().any(|(_, friction_used)| friction_used > SLIDING) {
            return Err(Event::Slip);
        }
        Ok(Pose { angle, q, z })
    }

    fn gravity_at(&self, angle: f64) -> Vec3 {
        let x = (Vec3::x() - self.up * self.up.x).normalize();
        let downhill = x * self.direction.cosine() + self.up.cross(&x) * self.direction.sine();
        (downhill * angle.sine() - self.up * angle.cosine()) * self.gravity
    }
}
