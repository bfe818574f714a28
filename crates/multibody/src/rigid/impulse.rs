//! Impulse ⇒ jump of the rates: what a force that acts at once does to a mechanism.

use super::constrained::{Constrained, DynamicsError};
use super::{Cache, Model, WORLD, mass};
use touchdown_math::{Vec3, Wrench};

/// Adds M⁻¹Jᵀp to the rates and takes out what the constraints forbid: their own impulses are mass-orthogonal to all motions they allow. The
/// impulse `p` (N s, world axes) acts on a body at the point `p_W`. Needs positions in the cache. Not for the step loop's steady part: allocates.
pub fn add_jump(
    model: &Model,
    (cache, constrained): (&mut Cache, &mut Constrained),
    t: f64,
    (body, p_W): (usize, Vec3),
    p: Vec3,
    v: &mut [f64],
) -> Result<(), DynamicsError> {
    let nv = model.nv;
    let mut M = vec![0.0; nv * nv];
    mass::calc(model, cache, &mut M);
    mass::factor(model, &mut M).map_err(|k| DynamicsError::Massless { joint: model.rate_name(k).into() })?;
    let mut jump = vec![0.0; nv];
    let link = model.bodies[body].link;
    if link != WORLD {
        let W = Wrench::force_at(p, &(p_W - cache.c));
        let on = &model.links[link];
        let mut k = on.v + on.primitive.rates() - 1;
        while k != usize::MAX {
            jump[k] = cache.S[k].dot(&W);
            k = model.parent_rate[k];
        }
    }
    mass::solve(model, &M, &mut jump);
    v.iter_mut().zip(&jump).for_each(|(v, dv)| *v += dv);
    if model.is_constrained() {
        constrained.factor(model, cache)?;
        constrained.project_velocities(model, t, v);
    }
    Ok(())
}
