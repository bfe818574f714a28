//! Impulse ⇒ jump of the rates: the response of a mechanism to an impulse, and the impulse that stops the
//! relative motion of two bodies.

use super::constrained::{Constrained, DynamicsError};
use super::{Cache, Model, WORLD, mass};
use nalgebra::{DMatrix, DVector};
use touchdown_math::{Vec3, Wrench};

/// Adds M⁻¹Jᵀp to the rates and removes motion that the constraints forbid: constraint impulses are
/// mass-orthogonal to all motions they allow. The impulse `p` (N s, world axes) acts on a body at the point
/// `p_W`. Needs positions in the cache. Not for the step loop's steady part: allocates.
pub fn add_jump(
    model: &Model,
    (cache, constrained): (&mut Cache, &mut Constrained),
    t: f64,
    (body, p_W): (usize, Vec3),
    p: Vec3,
    v: &mut [f64],
) -> Result<(), DynamicsError> {
    let link = model.bodies[body].link;
    let W = Wrench::force_at(p, &(p_W - cache.c));
    add_response(model, (cache, constrained), t, &[(link, W)], v)
}

/// Adds M⁻¹Jᵀ of impulses on links, about the cache's centre, and removes motion that the constraints forbid.
fn add_response(
    model: &Model,
    (cache, constrained): (&mut Cache, &mut Constrained),
    t: f64,
    impulses: &[(usize, Wrench)],
    v: &mut [f64],
) -> Result<(), DynamicsError> {
    let nv = model.nv;
    let mut M = vec![0.0; nv * nv];
    mass::calc(model, cache, &mut M);
    mass::factor(model, &mut M).map_err(|k| DynamicsError::Massless { joint: model.rate_name(k).into() })?;
    let mut jump = vec![0.0; nv];
    for (link, W) in impulses {
        each_rate(model, *link, |k| jump[k] += cache.S[k].dot(W));
    }
    mass::solve(model, &M, &mut jump);
    v.iter_mut().zip(&jump).for_each(|(v, dv)| *v += dv);
    if model.is_constrained() {
        constrained.factor(model, cache)?;
        constrained.project_velocities(model, t, v);
    }
    Ok(())
}

/// The rates that move a link.
fn each_rate(model: &Model, link: usize, mut each: impl FnMut(usize)) {
    if link == WORLD {
        return;
    }
    let on = &model.links[link];
    let mut k = on.v + on.primitive.rates() - 1;
    while k != usize::MAX {
        each(k);
        k = model.parent_rate[k];
    }
}

/// Directions of relative motion, in the order of a wrench: three rotations, three displacements.
const DIRECTIONS: usize = 6;
/// Share of the largest response below which a direction has no response: the bodies cannot move relative to
/// each other there.
const NO_RESPONSE: f64 = 1e-12;

/// Ends the relative motion of two links at a point by an impulse and its opposite about one point, so that
/// momentum is conserved. Without `turns` relative rotation stays free. Returns the impulse on the first
/// link, about `p_W` in world axes. Rates must obey the constraints. Needs positions in the cache; allocates.
pub fn add_catch(
    model: &Model,
    (cache, constrained): (&mut Cache, &mut Constrained),
    t: f64,
    (links, p_W, turns): ([usize; 2], Vec3, bool),
    v: &mut [f64],
) -> Result<Wrench, DynamicsError> {
    let first = if turns { 0 } else { 3 };
    let arm = p_W - cache.c;
    let unit = |k: usize| match k {
        0..3 => Wrench::new(Vec3::ith(k, 1.0), Vec3::zeros()),
        _ => Wrench::force_at(Vec3::ith(k - 3, 1.0), &arm),
    };
    let size = DIRECTIONS - first;
    // Relative velocity in each direction, and its change by a unit impulse.
    let relative = |cache: &Cache, v: &[f64]| {
        DVector::from_fn(size, |row, _| {
            let (W, mut sum) = (unit(first + row), 0.0);
            each_rate(model, links[0], |k| sum += cache.S[k].dot(&W) * v[k]);
            each_rate(model, links[1], |k| sum -= cache.S[k].dot(&W) * v[k]);
            sum
        })
    };
    let before = relative(cache, v);
    let mut response = DMatrix::zeros(size, size);
    for k in 0..size {
        let (W, mut jumped) = (unit(first + k), v.to_vec());
        let opposite = Wrench { t: -W.t, f: -W.f };
        let pair = [(links[0], W), (links[1], opposite)];
        add_response(model, (&mut *cache, &mut *constrained), t, &pair, &mut jumped)?;
        response.set_column(k, &(relative(cache, &jumped) - &before));
    }
    // Symmetric except for rounding. Rotations and displacements have different units: each direction is
    // scaled by its own response, if that exceeds rounding.
    let most = |k: usize| {
        let (from, to) = if first + k < 3 { (0, 3 - first) } else { (3 - first, size) };
        (from..to).fold(0.0, |most: f64, i| most.max(response[(i, i)]))
    };
    let scale = DVector::from_fn(size, |k, _| {
        let own = response[(k, k)];
        if own > NO_RESPONSE * most(k) { own.sqrt() } else { f64::INFINITY }
    });
    let scaled = DMatrix::from_fn(size, size, |i, j| {
        0.5 * (response[(i, j)] + response[(j, i)]) / (scale[i] * scale[j])
    });
    let modes = scaled.symmetric_eigen();
    let wanted = before.component_div(&scale);
    let mut impulse = DVector::zeros(size);
    for (value, mode) in modes.eigenvalues.iter().zip(modes.eigenvectors.column_iter()) {
        if *value > NO_RESPONSE {
            impulse -= mode * (mode.dot(&wanted) / value);
        }
    }
    let impulse = impulse.component_div(&scale);
    let part = |from: usize| {
        if from < first { Vec3::zeros() } else { Vec3::from_fn(|k, _| impulse[from - first + k]) }
    };
    let (angular, linear) = (part(0), part(3));
    let W = Wrench::force_at(linear, &arm) + Wrench::new(angular, Vec3::zeros());
    let opposite = Wrench { t: -W.t, f: -W.f };
    add_response(model, (cache, constrained), t, &[(links[0], W), (links[1], opposite)], v)?;
    Ok(Wrench::new(angular, linear))
}
