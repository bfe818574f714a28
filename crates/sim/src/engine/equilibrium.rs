//! Static equilibrium by Newton's method on the tangent stiffness, with pseudo-time continuation.
//!
//! Solves `bias(q, 0) − forces(q, 0) − Gᵀλ = 0`, `C(q) = 0`. The matrix is K + M/τ²: for small τ a damped
//! motion towards rest, for large τ Newton's method; τ grows as the residual falls. Directions without
//! stiffness (a rover free to roll) get no step, because no force acts along them, and do not make the matrix
//! singular, because of the mass.

use crate::engine::integrable::InLoop;
use crate::engine::system::{ContactStates, Instant, System};
use touchdown_multibody::rigid::constrained::DynamicsError;
use touchdown_multibody::rigid::tangent::{self, Weights};
use touchdown_multibody::rigid::{constraint, inverse};
use touchdown_solve::linear::Coupled;

/// Largest number of Newton steps.
const STEPS: usize = 300;
/// Residual relative to the largest weight or force at which the search ends.
const BALANCED: f64 = 1e-11;
/// The same if [`STALLED_STEPS`] steps no longer reduce it: the round-off of stiff contacts.
const STALLED: f64 = 1e-9;
/// Steps without a lower residual after which a search has stalled: several cycles of Newton's method about its limit.
const STALLED_STEPS: usize = 20;
/// First pseudo-time, s: about a tenth of the period of a soft suspension.
const TAU_START: f64 = 0.05;
/// Pseudo-time beyond which the mass is negligible, s.
const TAU_END: f64 = 1e4;

/// The reason that no equilibrium was found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EquilibriumError {
    /// The system could not be evaluated.
    #[error("{0}")]
    Dynamics(#[from] DynamicsError),
    /// Forces do not balance.
    #[error(
        "no static equilibrium: joint \"{joint}\" still sees {residual:.3e} N (or N m) after {STEPS} steps; is something free to fall or driven?"
    )]
    NotFound {
        /// The joint with the largest residual force.
        joint: String,
        /// That force.
        residual: f64,
    },
}

/// Treatment of contacts in a search for equilibrium.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Contacts<'a> {
    /// Their states stay as they are.
    Frozen(&'a [f64]),
    /// Their states follow the motion from the start of the search, infinitely slowly: treads deflect and
    /// hold.
    Following(&'a [f64]),
    /// The same, and driven wheels are held, as by brakes.
    Braked(&'a [f64]),
    /// Their states stay as they are; driven wheels are held, and machines on free joints may sink, pitch and roll but not drift or yaw.
    Moored(&'a [f64]),
}

/// Stiffness of a brake or a mooring, N m/rad or N/m: holds a wheel to a milliradian under the largest torque
/// of friction.
const BRAKE: f64 = 1e5;

/// Duration of an infinitely slow motion, s: dampers have no effect.
const SLOWLY: f64 = 1e9;

/// Scratch of a search.
struct Search {
    r: Vec<f64>,
    C: Vec<f64>,
    step: Vec<f64>,
    lambda: Vec<f64>,
    dlambda: Vec<f64>,
    q_new: Vec<f64>,
    /// Travel from the beginning, in the space of the rates.
    travel: Vec<f64>,
    zero: Vec<f64>,
    v: Vec<f64>,
    /// Rates held by brakes and moorings.
    held: Vec<usize>,
}

/// Moves `q` to static equilibrium at time `t`. Returns the number of steps; the equilibrium is in the
/// system's cache.
pub(crate) fn solve(
    on: &mut InLoop,
    t: f64,
    q: &mut [f64],
    contacts: Contacts,
) -> Result<usize, EquilibriumError> {
    let system = &*on.system;
    let (nv, nc) = (system.nv(), system.model.nc);
    let mut s = Search {
        r: vec![0.0; nv],
        C: vec![0.0; nc],
        step: vec![0.0; nv],
        lambda: vec![0.0; nc],
        dlambda: vec![0.0; nc],
        q_new: q.to_vec(),
        travel: vec![0.0; nv],
        zero: vec![0.0; nv],
        v: vec![0.0; nv],
        held: match contacts {
            Contacts::Frozen(_) | Contacts::Following(_) => Vec::new(),
            Contacts::Braked(_) => system.braked_rates().collect(),
            Contacts::Moored(_) => system.braked_rates().chain(system.moored_rates()).collect(),
        },
    };
    let rigid = system.model.nv;
    let mut newton = Coupled::new(nv, nc, system.newton_tree(), system.own_blocks());
    let mut tau = TAU_START;
    let mut scale = 0.0;
    let (mut least, mut since_least) = (f64::INFINITY, 0);
    for count in 0..STEPS {
        let following = matches!(contacts, Contacts::Following(_) | Contacts::Braked(_));
        let weights = Weights { a: 1.0 / (tau * tau), v: if following { 1.0 / SLOWLY } else { 0.0 }, q: 1.0 };
        let size = evaluate(on, t, q, contacts, Some(weights), &mut s);
        let system = &mut *on.system;
        if scale == 0.0 {
            scale = largest_force(system);
        }
        since_least = if size < least { 0 } else { since_least + 1 };
        least = least.min(size);
        let balanced = if since_least > STALLED_STEPS { STALLED } else { BALANCED };
        if size <= balanced * scale && s.C.iter().all(|c| c.abs() < 1e-12) {
            return Ok(count);
        }
        let matrix = newton.matrix_mut();
        tangent::calc(&system.model, &s.zero[..rigid], weights, &mut system.cache, matrix.T);
        s.held.iter().for_each(|k| matrix.T[k * rigid + k] += BRAKE);
        constraint::calc_jacobian(&system.model, &system.cache, matrix.G);
        system.fill_blocks(weights, matrix.blocks);
        if let Err(k) = newton.factor() {
            return Err(DynamicsError::Massless { joint: system.rate_name(k.min(nv - 1)) }.into());
        }
        s.step.iter_mut().zip(&s.r).for_each(|(s, r)| *s = -r);
        s.dlambda.iter_mut().zip(&s.C).for_each(|(d, c)| *d = -c);
        newton.solve(&mut s.step, &mut s.dlambda);
        let accepted = s.try_step(on, t, q, contacts, size.max(scale));
        // Switched evolution relaxation: the pseudo-time follows the residual, and decreases if a step
        // increased it.
        tau = (tau * (size / accepted.max(1e-300)).clamp(0.25, 4.0)).min(TAU_END);
    }
    let worst = (0..nv).max_by(|a, b| s.r[*a].abs().total_cmp(&s.r[*b].abs())).unwrap_or(0);
    Err(EquilibriumError::NotFound { joint: on.system.rate_name(worst), residual: s.r[worst].abs() })
}

impl Search {
    /// Takes the step unless it makes the residual ten times worse than anything so far or turns an element of a flexible body inside out, where forces
    /// may balance as well; returns the residual at its end.
    fn try_step(&mut self, on: &mut InLoop, t: f64, q: &mut [f64], contacts: Contacts, worst: f64) -> f64 {
        let sign = |s: &mut Search, sign: f64| {
            s.lambda.iter_mut().zip(&s.dlambda).for_each(|(l, d)| *l += sign * d);
            s.travel.iter_mut().zip(&s.step).for_each(|(w, d)| *w += sign * d);
        };
        sign(self, 1.0);
        let mut q_new = std::mem::take(&mut self.q_new);
        on.system.add_step(q, &self.step, &mut q_new);
        let size = evaluate(on, t, &q_new, contacts, None, self);
        let sound = size.is_finite() && on.system.is_sound();
        if sound && size < 10.0 * worst {
            q.copy_from_slice(&q_new);
        } else {
            sign(self, -1.0);
        }
        self.q_new = q_new;
        if sound { size } else { f64::MAX }
    }
}

/// Forces at rest ⇒ force balance in `s.r` and closure in `s.C`; returns the largest residual force.
fn evaluate(
    on: &mut InLoop,
    t: f64,
    q: &[f64],
    contacts: Contacts,
    weights: Option<Weights>,
    s: &mut Search,
) -> f64 {
    let z = match contacts {
        Contacts::Frozen(z) | Contacts::Moored(z) => ContactStates::Given(z),
        Contacts::Following(base) | Contacts::Braked(base) => {
            s.v.iter_mut().zip(&s.travel).for_each(|(v, w)| *v = w / SLOWLY);
            ContactStates::Implicit { base, h: SLOWLY }
        }
    };
    let (system, held) = (&mut *on.system, on.held);
    system.update_kinematics(q, &s.v);
    system.update_forces(&Instant { t, q, v: &s.v, z, held }, weights);
    constraint::add_forces(&system.model, &s.lambda, weights.map_or(0.0, |w| w.q), &mut system.cache);
    system.cache.gather_wrenches(&system.model);
    residual(system, (t, q), &s.zero, &mut s.r, &mut s.C);
    s.held.iter().for_each(|k| s.r[*k] += BRAKE * s.travel[*k]);
    s.r.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// Force balance in `r` and closure in `C`.
fn residual(system: &mut System, (t, q): (f64, &[f64]), zero: &[f64], r: &mut [f64], C: &mut [f64]) {
    let nv = system.model.nv;
    inverse::calc(&system.model, &zero[..nv], &mut system.cache, &mut r[..nv]);
    r.iter_mut().zip(&system.cache.tau).for_each(|(r, tau)| *r -= tau);
    system.calc_own_residual(zero, r);
    constraint::calc_residual(&system.model, &system.cache, &q[..system.model.nq], t, C);
}

/// The largest generalised force of weight and elements, as scale of the residual.
fn largest_force(system: &System) -> f64 {
    let weight = system.cache.f.iter().chain(&system.cache.W).map(|w| w.f.norm()).fold(0.0, f64::max);
    let drives = system.cache.tau.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    weight.max(drives).max(1e-9)
}
