//! The mass matrix by composite bodies, and factors that keep the tree's sparsity (no fill-in: Featherstone's LᵀDL).

use super::{Cache, Model, WORLD};

/// Composite inertias ⇒ `out`, row-major nv × nv, both triangles.
pub fn calc(model: &Model, cache: &mut Cache, out: &mut [f64]) {
    let nv = model.nv;
    out.fill(0.0);
    update_composites(model, cache);
    for i in 0..nv {
        let F = cache.IC[model.rate_link[i]].apply(&cache.S[i]);
        let mut j = i;
        while j != usize::MAX {
            let m = cache.S[j].dot(&F);
            out[i * nv + j] = m;
            out[j * nv + i] = m;
            j = model.parent_rate[j];
        }
    }
}

/// `IC`: inertia of each link with everything outboard.
pub(super) fn update_composites(model: &Model, cache: &mut Cache) {
    cache.IC.copy_from_slice(&cache.I);
    for i in (0..model.links.len()).rev() {
        let parent = model.links[i].parent;
        if parent != WORLD {
            let I = cache.IC[i];
            cache.IC[parent] += I;
        }
    }
}

/// Replaces the lower triangle of `H` by L and D with `H = LᵀDL`, in O(n d²). An error names the rate whose pivot is not positive.
pub fn factor(model: &Model, H: &mut [f64]) -> Result<(), usize> {
    let (nv, parent) = (model.nv, &model.parent_rate);
    for k in (0..nv).rev() {
        let pivot = H[k * nv + k];
        if pivot <= 0.0 || pivot.is_nan() {
            return Err(k);
        }
        let mut i = parent[k];
        while i != usize::MAX {
            let factor = H[k * nv + i] / pivot;
            let mut j = i;
            while j != usize::MAX {
                H[i * nv + j] -= factor * H[k * nv + j];
                j = parent[j];
            }
            H[k * nv + i] = factor;
            i = parent[i];
        }
    }
    Ok(())
}

/// Solves `M·x = b` in place with the factors.
pub fn solve(model: &Model, LD: &[f64], x: &mut [f64]) {
    let (nv, parent) = (model.nv, &model.parent_rate);
    for k in (0..nv).rev() {
        let mut i = parent[k];
        while i != usize::MAX {
            x[i] -= LD[k * nv + i] * x[k];
            i = parent[i];
        }
    }
    for k in 0..nv {
        x[k] /= LD[k * nv + k];
        let mut i = parent[k];
        let mut sum = x[k];
        while i != usize::MAX {
            sum -= LD[k * nv + i] * x[i];
            i = parent[i];
        }
        x[k] = sum;
    }
}
