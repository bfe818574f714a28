//! The integration methods behind one interface: one accepted step each, with dense output where the method has it.

use crate::description::{Integrator, StepControl};
use crate::engine::history::History;
use crate::engine::integrable::InLoop;
use crate::engine::state::{MethodMemory, State};
use crate::engine::system::System;
use touchdown_geometry::Missing;
use touchdown_multibody::rigid::constrained::DynamicsError;
use touchdown_solve::explicit::{Explicit, ExplicitError};
use touchdown_solve::implicit::Implicit;
use touchdown_solve::realtime::{Realtime, StepError};

/// A method with its working memory.
pub(crate) enum Method {
    Explicit { method: Box<Explicit>, y: Vec<f64> },
    Implicit { method: Box<Implicit>, fixed: Option<f64> },
    Realtime { method: Box<Realtime>, h: f64 },
}

/// Result of an accepted step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Step {
    /// Energy in springs and tyres at its end, J.
    pub elastic: f64,
    /// Evaluations or Newton iterations.
    pub work: u32,
    /// Rejected attempts.
    pub rejected: u32,
}

/// Reasons that stop a run before its end.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepFailure {
    /// The system could not be evaluated.
    #[error("{0}")]
    Dynamics(#[from] DynamicsError),
    /// The explicit method's step became too small.
    #[error(
        "the step became too small ({h:.1e} s): the motion is too stiff or singular for the tolerance; try integrator \"implicit\""
    )]
    TooSmall {
        /// Its length, s.
        h: f64,
    },
    /// Newton's method did not converge.
    #[error(
        "Newton's method did not converge (residual {residual:.1e} of its tolerance); try a smaller step"
    )]
    NoConvergence {
        /// The residual, relative to the tolerance.
        residual: f64,
    },
    /// The Newton matrix is singular.
    #[error(
        "the equations of motion are singular at {place}: nothing gives this motion inertia, or forces there are not finite, or too steep for a step of this length; give what moves there a mass, or shorten the step (implicit has tried shorter ones by itself)"
    )]
    Singular {
        /// The joint or constraint, with its name.
        place: String,
    },
    /// A number is not finite.
    #[error("{what} is not finite")]
    NotFinite {
        /// Which.
        what: String,
    },
    /// A vehicle lies on its side or back.
    #[error(
        "vehicle \"{vehicle}\" has fallen over: it leans {:.1} deg from the vertical; start it closer to the ground, drive slower or on a gentler slope",
        angle.to_degrees()
    )]
    FellOver {
        /// Its name.
        vehicle: String,
        /// Angle of its z axis from the direction against gravity, rad.
        angle: f64,
    },
    /// A flexible body deformed beyond the limits of its elements.
    #[error("flexible body \"{name}\": {problem}; use a smaller step, more elements or a stiffer material")]
    Deformed {
        /// Its name.
        name: String,
        /// What is wrong, with the element.
        problem: String,
    },
    /// A body left the known ground.
    #[error(
        "\"{body}\" left the map at x = {x:.3} m, y = {y:.3} m: the ground is not known there; use a larger map, or end the run before"
    )]
    OffMap {
        /// Its name.
        body: String,
        /// Where, m.
        x: f64,
        /// Where, m.
        y: f64,
    },
    /// A body is over a place where the map has no height.
    #[error(
        "\"{body}\" is over a hole in the map at x = {x:.3} m, y = {y:.3} m: the map has no height there; fill its gaps, or choose another path"
    )]
    Hole {
        /// Its name.
        body: String,
        /// Where, m.
        x: f64,
        /// Where, m.
        y: f64,
    },
}

impl StepFailure {
    /// A body where there is no ground.
    pub(crate) fn no_ground(why: Missing, body: &str, [x, y]: [f64; 2]) -> StepFailure {
        let body = body.into();
        match why {
            Missing::OffMap => StepFailure::OffMap { body, x, y },
            Missing::Hole => StepFailure::Hole { body, x, y },
        }
    }
}

/// The explicit integrator for a system.
pub(crate) fn new_explicit(system: &System, step: StepControl) -> Explicit {
    Explicit::new(system.dim(), system.event_count(), step)
}

impl Method {
    pub(crate) fn new(system: &mut System, integrator: Integrator) -> Method {
        match integrator {
            Integrator::Explicit { step } => {
                Method::Explicit { method: Box::new(new_explicit(system, step)), y: vec![0.0; system.dim()] }
            }
            Integrator::Implicit { step, spectral_radius } => {
                let fixed = match step {
                    StepControl::Fixed(h) => Some(h),
                    StepControl::Adaptive { .. } => None,
                };
                let system = InLoop { system, held: &History::default() };
                Method::Implicit { method: Box::new(Implicit::new(&system, step, spectral_radius)), fixed }
            }
            Integrator::Realtime { step } => {
                let system = InLoop { system, held: &History::default() };
                Method::Realtime { method: Box::new(Realtime::new(&system)), h: step }
            }
        }
    }

    /// Step length of methods with a fixed step.
    pub(crate) fn fixed_step(&self) -> Option<f64> {
        match self {
            Method::Explicit { .. } => None,
            Method::Implicit { fixed, .. } => *fixed,
            Method::Realtime { h, .. } => Some(*h),
        }
    }

    /// One accepted step, not beyond `t_limit`. On return the accepted state is in the system's cache.
    pub(crate) fn step(
        &mut self,
        system: &mut System,
        state: &mut State,
        t_limit: f64,
    ) -> Result<Step, StepFailure> {
        match self {
            Method::Explicit { method, y } => step_explicit(method, y, system, state, t_limit),
            Method::Implicit { method, .. } => step_implicit(method, system, state, t_limit),
            Method::Realtime { method, .. } => step_realtime(method, system, state, t_limit),
        }
    }

    /// The state inside the last step (explicit) or the last accepted state, as the explicit vector.
    pub(crate) fn interpolate(
        &mut self,
        system: &mut System,
        held: &History,
        t: f64,
        out: &mut [f64],
    ) -> Result<bool, StepFailure> {
        match self {
            Method::Explicit { method, .. } => {
                method.interpolate(&mut InLoop { system, held }, t, out).map_err(explicit_failure)?;
                system.model.normalise(&mut out[..system.model.nq]);
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

fn step_explicit(
    method: &mut Explicit,
    y: &mut [f64],
    system: &mut System,
    state: &mut State,
    t_limit: f64,
) -> Result<Step, StepFailure> {
    let (nq, nv, nz) = (state.q.len(), state.v.len(), state.z.len());
    y[..nq].copy_from_slice(&state.q);
    y[nq..nq + nv].copy_from_slice(&state.v);
    y[nq + nv..nq + nv + nz].copy_from_slice(&state.z);
    state.works_to(&mut y[nq + nv + nz..]);
    let MethodMemory::Explicit(memory) = &mut state.method else {
        unreachable!("method and memory are made together")
    };
    let mut in_loop = InLoop { system, held: &state.held };
    let report = method.step(&mut in_loop, memory, &mut state.t, y, t_limit).map_err(explicit_failure)?;
    state.q.copy_from_slice(&y[..nq]);
    state.v.copy_from_slice(&y[nq..nq + nv]);
    state.z.copy_from_slice(&y[nq + nv..nq + nv + nz]);
    state.works_from(&y[nq + nv + nz..]);
    let powers = system.evaluate(state.t, &state.q, &state.v, &state.z, &state.held)?;
    Ok(Step { elastic: powers.elastic, work: report.evaluations, rejected: report.rejected })
}

fn step_implicit(
    method: &mut Implicit,
    system: &mut System,
    state: &mut State,
    t_limit: f64,
) -> Result<Step, StepFailure> {
    let t_old = state.t;
    let MethodMemory::Implicit(memory) = &mut state.method else {
        unreachable!("method and memory are made together")
    };
    if system.changes_by_steps() {
        memory.forget_matrix();
    }
    let parts = (state.q.as_mut_slice(), state.v.as_mut_slice(), state.z.as_mut_slice());
    let mut in_loop = InLoop { system, held: &state.held };
    let result = method.step(&mut in_loop, memory, &mut state.t, t_limit, parts);
    let work = result.map_err(|e| step_failure(system, e))?;
    book_powers(system, state, t_old);
    Ok(Step { elastic: system.accepted_powers.elastic, work: work.iterations, rejected: work.rejected })
}

fn step_realtime(
    method: &mut Realtime,
    system: &mut System,
    state: &mut State,
    t_limit: f64,
) -> Result<Step, StepFailure> {
    let t_old = state.t;
    let mut in_loop = InLoop { system, held: &state.held };
    let result =
        method.step(&mut in_loop, (t_old, t_limit - t_old), &mut state.q, &mut state.v, &mut state.z);
    match result {
        Ok(lambda) => {
            system.lambda.copy_from_slice(lambda);
        }
        Err(e) => return Err(step_failure(system, e)),
    }
    state.t = t_limit;
    book_powers(system, state, t_old);
    Ok(Step { elastic: system.accepted_powers.elastic, work: 1, rejected: 0 })
}

fn book_powers(system: &System, state: &mut State, t_old: f64) {
    let (after, h) = (system.accepted_powers, state.t - t_old);
    state.works.add(&state.last_powers, &after, h);
    state.last_powers = after.into();
    state.flows.add(&system.accepted_parts, h);
    for (part, heat) in &system.stop_heat {
        state.works.dissipated += heat;
        state.flows.lose(*part, *heat);
    }
}

fn explicit_failure(e: ExplicitError<DynamicsError>) -> StepFailure {
    match e {
        ExplicitError::Rhs(e) => StepFailure::Dynamics(e),
        ExplicitError::StepTooSmall { h, .. } => StepFailure::TooSmall { h },
        other => StepFailure::NotFinite { what: other.to_string() },
    }
}

fn step_failure(system: &System, e: StepError<DynamicsError>) -> StepFailure {
    match e {
        StepError::System(e) => StepFailure::Dynamics(e),
        StepError::NoConvergence { residual } => StepFailure::NoConvergence { residual },
        StepError::Singular(column) => StepFailure::Singular { place: place_of(system, column) },
    }
}

/// The rate or constraint row of a column of the Newton matrix: rates first, then rows of constraints.
fn place_of(system: &System, column: usize) -> String {
    if let Some(name) = system.own_name(column) {
        return format!("flexible body \"{name}\"");
    }
    let row = column.checked_sub(system.nv());
    let of_row = |row| system.model.constraints.iter().find(|c| (c.row..c.row + c.rows).contains(&row));
    match row.and_then(of_row) {
        Some(constraint) => format!("constraint \"{}\"", constraint.name),
        None => format!("joint \"{}\"", system.model.rate_name(column)),
    }
}
