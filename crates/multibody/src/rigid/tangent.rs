//! The Newton matrix: weighted derivatives of the inverse dynamics by acceleration, rate and coordinate, in one pass.
//!
//! With residual `r(q, v, a) = M·a + bias − Sᵀ·W − tau`, [`calc`] returns `wa·∂r/∂a + wv·∂r/∂v + wq·∂r/∂q`. Derivatives by a
//! coordinate are along the rates (body axes for quaternions). Singh, Russell, Wensing (2022) give the pieces: with
//! ψ̇ = V_parent × S, ψ̈ = A_parent × S + V_parent × ψ̇, Ṡ = V × S and the composites I, B, f of everything outboard of i,
//!
//! | for j inboard of or at i | |
//! |---|---|
//! | ∂r_i/∂q_j | S_iᵀ (2B_i ψ̇_j + I_i ψ̈_j) |
//! | ∂r_i/∂v_j | S_iᵀ (2B_i S_j + I_i (ψ̇_j + Ṡ_j)) |
//! | ∂r_j/∂q_i | S_jᵀ (2B_i ψ̇_i + I_i ψ̈_i + S_i ×* f_i) |
//! | ∂r_j/∂v_i | S_jᵀ (2B_i S_i + I_i (ψ̇_i + Ṡ_i)) |
//!
//! Twice the Coriolis operator of a rigid body about a fixed point has the form [B 0; −2F× 0], F the momentum, so its products
//! are cheap. External wrenches, constant in the world, add −(S_j × S_i)·W_i for j inboard of i; their own
//! dependence on the motion is in `E` and `E_pair`, already weighted.

use super::{Cache, Model, WORLD, inverse, mass};
use touchdown_math::{Mat3, Mat6, Motion, Vec3, Wrench, cross_matrix};

/// Weights of the three derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Of ∂r/∂a.
    pub a: f64,
    /// Of ∂r/∂v.
    pub v: f64,
    /// Of ∂r/∂q.
    pub q: f64,
}

/// Row-major nv × nv Newton matrix of the whole residual. Needs positions, velocities and forces in the cache; `a` is the point of
/// linearisation.
pub fn calc(model: &Model, a: &[f64], weights: Weights, cache: &mut Cache, out: &mut [f64]) {
    inverse::update_link_forces(model, a, cache);
    update_composites(model, cache);
    update_columns(model, weights, cache);
    let nv = model.nv;
    out.fill(0.0);
    for i in 0..nv {
        let link = model.rate_link[i];
        let S = cache.S[i];
        let left = left_factors(cache, link, &S, weights.q);
        let right = right_factor(cache, link, i, weights.q);
        let mut j = i;
        while j != usize::MAX {
            let S_j = &cache.S[j];
            out[i * nv + j] = left.b.dot(&cache.x[j]) + cache.y[j].dot(&left.F) + S_j.dot(&left.s);
            j = model.parent_rate[j];
        }
        // For rates of the same link the rotation of the forces is common: the first form holds for both.
        for j in model.links[link].v..i {
            let other = left_factors(cache, link, &cache.S[j], weights.q);
            out[j * nv + i] = other.b.dot(&cache.x[i]) + cache.y[i].dot(&other.F) + S.dot(&other.s);
        }
        let mut j = model.parent_rate[model.links[link].v];
        while j != usize::MAX {
            out[j * nv + i] = cache.S[j].dot(&right);
            j = model.parent_rate[j];
        }
        out[i * nv + i] += cache.e[i];
    }
    add_pairs(model, cache, out);
}

/// The Newton matrix without the derivatives of the inertia forces: `wa·M` plus the force elements' and contacts' part.
pub fn calc_linearly_implicit(model: &Model, wa: f64, cache: &mut Cache, out: &mut [f64]) {
    mass::update_composites(model, cache);
    cache.EC.copy_from_slice(&cache.E);
    for i in (0..model.links.len()).rev() {
        let parent = model.links[i].parent;
        if parent != WORLD {
            let E = cache.EC[i];
            cache.EC[parent] += E;
        }
    }
    let nv = model.nv;
    out.fill(0.0);
    for i in 0..nv {
        let link = model.rate_link[i];
        let S = cache.S[i];
        let F = cache.IC[link].apply(&S) * wa;
        let row = F + times_transposed(&cache.EC[link], &S);
        let column = F + times(&cache.EC[link], &S);
        let mut j = i;
        while j != usize::MAX {
            out[i * nv + j] = cache.S[j].dot(&row);
            out[j * nv + i] = cache.S[j].dot(&column);
            j = model.parent_rate[j];
        }
        out[i * nv + i] += cache.e[i];
    }
    add_pairs(model, cache, out);
}

/// Composites of everything outboard: `IC`, `B`, `F`, `f` (without external wrenches), `WC`, `EC`.
fn update_composites(model: &Model, cache: &mut Cache) {
    for i in 0..model.links.len() {
        let (I, V) = (&cache.I[i], cache.V[i]);
        let momentum = I.apply(&V);
        let (wx, vx, hx) = (cross_matrix(&V.w), cross_matrix(&V.v), cross_matrix(&I.h));
        cache.B[i] = wx * I.I - I.I * wx - vx * hx - hx * vx - cross_matrix(&momentum.t);
        cache.F[i] = momentum.f;
        cache.f[i] += cache.W[i];
        cache.IC[i] = cache.I[i];
        cache.EC[i] = cache.E[i];
        cache.WC[i] = cache.W[i];
    }
    for i in (0..model.links.len()).rev() {
        let p = model.links[i].parent;
        if p == WORLD {
            continue;
        }
        let (I, B, F, f, E, W) = (cache.IC[i], cache.B[i], cache.F[i], cache.f[i], cache.EC[i], cache.WC[i]);
        cache.IC[p] += I;
        cache.B[p] += B;
        cache.F[p] += F;
        cache.f[p] += f;
        cache.EC[p] += E;
        cache.WC[p] += W;
    }
}

/// `x_j = wq·ψ̇ + wv·S` (only the angular part enters the Coriolis operator) and
/// `y_j = wq·ψ̈ + wv·(ψ̇ + Ṡ) + wa·S`.
fn update_columns(model: &Model, weights: Weights, cache: &mut Cache) {
    let A_world = inverse::base_acceleration(model);
    for (i, link) in model.links.iter().enumerate() {
        let (V_P, A_P) = if link.parent == WORLD {
            (Motion::zero(), A_world)
        } else {
            (cache.V[link.parent], cache.A[link.parent])
        };
        for k in link.v..link.v + link.primitive.rates() {
            let S = cache.S[k];
            let psi_dot = V_P.cross(&S);
            let psi_ddot = A_P.cross(&S) + V_P.cross(&psi_dot);
            let S_dot = cache.V[i].cross(&S);
            cache.x[k] = psi_dot.w * weights.q + S.w * weights.v;
            cache.y[k] = psi_ddot * weights.q + (psi_dot + S_dot) * weights.v + S * weights.a;
        }
    }
}

/// Factors of row i: `b·x_j + F·y_j + s·S_j`.
struct Left {
    b: Vec3,
    F: Wrench,
    s: Wrench,
}

fn left_factors(cache: &Cache, link: usize, S: &Motion, wq: f64) -> Left {
    Left {
        b: cache.B[link].transpose() * S.w + cache.F[link].cross(&S.v) * 2.0,
        F: cache.IC[link].apply(S),
        s: times_transposed(&cache.EC[link], S) - S.cross_wrench(&cache.WC[link]) * wq,
    }
}

/// Factor of column i for the rows inboard: `S_j·(2B x_i + I y_i + wq·S_i ×* f_i + E S_i)`.
fn right_factor(cache: &Cache, link: usize, i: usize, wq: f64) -> Wrench {
    let (S, x) = (cache.S[i], cache.x[i]);
    let coriolis = Wrench::new(cache.B[link] * x, cache.F[link].cross(&x) * -2.0);
    coriolis
        + cache.IC[link].apply(&cache.y[i])
        + S.cross_wrench(&cache.f[link]) * wq
        + times(&cache.EC[link], &S)
}

/// Blocks that couple two moving links.
fn add_pairs(model: &Model, cache: &Cache, out: &mut [f64]) {
    let nv = model.nv;
    for (row_link, column_link, block) in &cache.E_pair {
        let mut i = last_rate(model, *column_link);
        while i != usize::MAX {
            let w = times(block, &cache.S[i]);
            let mut j = last_rate(model, *row_link);
            while j != usize::MAX {
                out[j * nv + i] += cache.S[j].dot(&w);
                j = model.parent_rate[j];
            }
            i = model.parent_rate[i];
        }
    }
}

/// The outermost rate of a link.
pub(super) fn last_rate(model: &Model, link: usize) -> usize {
    model.links[link].v + model.links[link].primitive.rates() - 1
}

fn times(K: &Mat6, m: &Motion) -> Wrench {
    let (a, b): (Mat3, Mat3) = (K.fixed_view::<3, 3>(0, 0).into(), K.fixed_view::<3, 3>(0, 3).into());
    let (c, d): (Mat3, Mat3) = (K.fixed_view::<3, 3>(3, 0).into(), K.fixed_view::<3, 3>(3, 3).into());
    Wrench::new(a * m.w + b * m.v, c * m.w + d * m.v)
}

fn times_transposed(K: &Mat6, m: &Motion) -> Wrench {
    let (a, b): (Mat3, Mat3) = (K.fixed_view::<3, 3>(0, 0).into(), K.fixed_view::<3, 3>(0, 3).into());
    let (c, d): (Mat3, Mat3) = (K.fixed_view::<3, 3>(3, 0).into(), K.fixed_view::<3, 3>(3, 3).into());
    Wrench::new(a.tr_mul(&m.w) + c.tr_mul(&m.v), b.tr_mul(&m.w) + d.tr_mul(&m.v))
}
