//! Static equilibrium by Newton's method on the tangent stiffness, with pseudo-time continuation.
//!
//! Solves `bias(q, 0) − forces(q, 0) − Gᵀλ = 0`, `C(q) = 0`. The matrix is K + M/τ²: for small τ a damped motion towards rest, for large τ
//! Newton's method; τ grows as the residual falls. Directions without stiffness (a rover free to roll) get no step, because no
//! force acts along them, and no singular matrix, because of the mass.

use crate::system::{ContactStates, Instant, System};
use touchdown_multibody::rigid::constrained::DynamicsError;
use touchdown_multibody::rigid::tangent::{self, Weights};
use touchdown_multibody::rigid::{constraint, inverse};
use touchdown_solve::linear::Saddle;

/// Newton steps at most.
const STEPS: usize = 300;
/// Residual relative to the largest weight or force at which the search ends.
const BALANCED: f64 = 1e-11;
/// First pseudo-time, s: about a tenth of the period of a soft suspension.
const TAU_START: f64 = 0.05;
/// Pseudo-time beyond which the mass no longer matters, s.
const TAU_END: f64 = 1e4;

/// Why no equilibrium was found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EquilibriumError {
    /// The system could not be evaluated.
    #[error("{0}")]
    Dynamics(#[from] DynamicsError),
    /// Forces are left over.
    #[error(
        "no static equilibrium: joint \"{joint}\" still sees {residual:.3e} N (or N m) after {STEPS} steps; is something free to fall or driven?"
    )]
    NotFound {
        /// The joint with the largest force left.
        joint: String,
        /// That force.
        residual: f64,
    },
}

/// Moves `q` to static equilibrium at time `t` with contact states `z`, rates zero. Returns the number of steps.
pub(crate) fn solve(system: &mut System, t: f64, q: &mut [f64], z: &[f64]) -> Result<usize, EquilibriumError> {
    let (nv, nc) = (system.model.nv, system.model.nc);
    let zero = vec![0.0; nv];
    let (mut r, mut r_new, mut C, mut step) = (vec![0.0; nv], vec![0.0; nv], vec![0.0; nc], vec![0.0; nv]);
    let (mut lambda, mut dlambda) = (vec![0.0; nc], vec![0.0; nc]);
    let mut q_new = q.to_vec();
    let mut saddle = Saddle::new(nv, nc);
    let mut tau = TAU_START;
    let mut scale = 0.0;
    for count in 0..STEPS {
        let weights = Weights { a: 1.0 / (tau * tau), v: 0.0, q: 1.0 };
        evaluate(system, (t, q, &zero, z), Some(weights), &lambda);
        let size = residual(system, (t, q), &zero, &mut r, &mut C);
        if scale == 0.0 {
            scale = largest_force(system, &zero);
        }
        if size <= BALANCED * scale && C.iter().all(|c| c.abs() < 1e-12) {
            return Ok(count);
        }
        let (T, G) = saddle.blocks_mut();
        tangent::calc(&system.model, &zero, weights, &mut system.cache, T);
        constraint::calc_jacobian(&system.model, &system.cache, G);
        if let Err(k) = saddle.factor() {
            return Err(DynamicsError::Massless { joint: system.model.rate_name(k.min(nv - 1)).into() }.into());
        }
        step.iter_mut().zip(&r).for_each(|(s, r)| *s = -r);
        dlambda.iter_mut().zip(&C).for_each(|(d, c)| *d = -c);
        saddle.solve(&mut step, &mut dlambda);
        lambda.iter_mut().zip(&dlambda).for_each(|(l, d)| *l += d);
        system.model.add_step(q, &step, &mut q_new);
        evaluate(system, (t, &q_new, &zero, z), None, &lambda);
        let size_new = residual(system, (t, &q_new), &zero, &mut r_new, &mut C);
        // Switched evolution relaxation: the pseudo-time follows the residual, and shrinks where a step made things worse.
        tau = (tau * (size / size_new.max(1e-300)).clamp(0.25, 4.0)).min(TAU_END);
        if size_new.is_finite() && size_new < 10.0 * size.max(scale) {
            q.copy_from_slice(&q_new);
        } else {
            lambda.iter_mut().zip(&dlambda).for_each(|(l, d)| *l -= d);
        }
    }
    let worst = (0..nv).max_by(|a, b| r[*a].abs().total_cmp(&r[*b].abs())).unwrap_or(0);
    Err(EquilibriumError::NotFound { joint: system.model.rate_name(worst).into(), residual: r[worst].abs() })
}

fn evaluate(system: &mut System, (t, q, v, z): (f64, &[f64], &[f64], &[f64]), weights: Option<Weights>, lambda: &[f64]) {
    system.update_kinematics(q, v);
    system.update_forces(&Instant { t, q, v, z: ContactStates::Given(z) }, weights);
    constraint::add_forces(&system.model, lambda, weights.map_or(0.0, |w| w.q), &mut system.cache);
    system.cache.gather_wrenches(&system.model);
}

/// Force balance in `r` and closure in `C`; returns the largest force left.
fn residual(system: &mut System, (t, q): (f64, &[f64]), zero: &[f64], r: &mut [f64], C: &mut [f64]) -> f64 {
    inverse::calc(&system.model, zero, &mut system.cache, r);
    r.iter_mut().zip(&system.cache.tau).for_each(|(r, tau)| *r -= tau);
    constraint::calc_residual(&system.model, &system.cache, q, t, C);
    r.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// The largest generalised force of weight and elements, to measure the residual by.
fn largest_force(system: &System, _zero: &[f64]) -> f64 {
    let weight = system.cache.f.iter().chain(&system.cache.W).map(|w| w.f.norm()).fold(0.0, f64::max);
    let drives = system.cache.tau.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    weight.max(drives).max(1e-9)
}
