//! The integrator's memory at a start: consistent accelerations, multipliers and an initial estimate of their
//! rates.

use crate::description::{Integrator, StepControl, WorldDescription};
use crate::engine::history::History;
use crate::engine::integrable::InLoop;
use crate::engine::method::{StepFailure, new_explicit};
use crate::engine::simulation::{Simulation, WorldError};
use crate::engine::state::MethodMemory;
use crate::engine::system::System;
use touchdown_multibody::rigid::constrained::DynamicsError;
use touchdown_solve::{explicit, implicit};

/// Memory of the method for a start, or for continuing after a jump of the rates. The evaluated state must be
/// in the cache.
pub(crate) fn memory_at(
    system: &mut System,
    description: &WorldDescription,
    t: f64,
    (q, v, z): (&[f64], &[f64], &[f64]),
    held: &History,
) -> Result<MethodMemory, WorldError> {
    Ok(match description.integrator {
        Integrator::Realtime { .. } => MethodMemory::Realtime,
        Integrator::Implicit { step, spectral_radius } => {
            let h = match step {
                StepControl::Fixed(h) => h,
                StepControl::Adaptive { longest, .. } => longest.min(1e-3),
            };
            let (a, lambda, z_rate) = (system.a.clone(), system.lambda.clone(), system.z_rate.clone());
            let jerk = jerk_at(system, (t, q, v, z), held, &a, h)?;
            let start = implicit::Start { v: v.to_vec(), a, jerk, lambda, z_rate };
            MethodMemory::Implicit(Box::new(implicit::Memory::new(start, h, spectral_radius)))
        }
        Integrator::Explicit { step } => {
            let mut y = Vec::with_capacity(system.dim());
            y.extend_from_slice(q);
            y.extend_from_slice(v);
            y.extend_from_slice(z);
            y.resize(system.dim(), 0.0);
            let mut method = new_explicit(system, step);
            let memory = method
                .start(&mut InLoop { system, held }, t, &y, description.duration - t)
                .map_err(|e| match e {
                    explicit::ExplicitError::Rhs(e) => WorldError::Assembly(e),
                    _ => WorldError::Assembly(system.not_finite(0)),
                })?;
            MethodMemory::Explicit(memory)
        }
    })
}

impl Simulation {
    /// Restarts the method at the present state, which must be evaluated in the system.
    pub(crate) fn restart_method(&mut self) -> Result<(), StepFailure> {
        let (system, s) = (&mut self.system, &mut self.state);
        let memory = memory_at(system, &self.description, s.t, (&s.q, &s.v, &s.z), &s.held);
        s.method = memory.map_err(|e| match e {
            WorldError::Assembly(e) => StepFailure::Dynamics(e),
            other => StepFailure::NotFinite { what: other.to_string() },
        })?;
        system.evaluate(s.t, &s.q, &s.v, &s.z, &s.held)?;
        Ok(())
    }
}

/// Rate of the accelerations, from those a short time later along the initial motion.
fn jerk_at(
    system: &mut System,
    (t, q, v, z): (f64, &[f64], &[f64], &[f64]),
    held: &History,
    a: &[f64],
    h: f64,
) -> Result<Vec<f64>, DynamicsError> {
    let step: Vec<f64> = v.iter().zip(a).map(|(v, a)| h * v + 0.5 * h * h * a).collect();
    let mut v_later: Vec<f64> = v.iter().zip(a).map(|(v, a)| v + h * a).collect();
    let mut q_later = q.to_vec();
    system.add_step(q, &step, &mut q_later);
    if system.model.is_constrained() {
        let (nq, nv) = (system.model.nq, system.model.nv);
        system.constrained.project_positions(&system.model, t + h, &mut q_later[..nq], &mut system.cache)?;
        system.constrained.factor(&system.model, &mut system.cache)?;
        system.constrained.project_velocities(&system.model, t + h, &mut v_later[..nv]);
    }
    system.evaluate(t + h, &q_later, &v_later, z, held)?;
    Ok(system.a.iter().zip(a).map(|(later, now)| (later - now) / h).collect())
}
