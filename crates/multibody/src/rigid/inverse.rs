//! Motion ⇒ generalised forces (Newton–Euler), and the bias forces of the equations of motion.

use super::{Cache, Model, WORLD};
use crate::description::Gravity;
use touchdown_math::{Motion, Vec3};

/// The acceleration of the world equivalent to uniform gravity: −g.
#[inline]
pub fn base_acceleration(model: &Model) -> Motion {
    match model.gravity {
        Gravity::Uniform(g) => Motion::new(Vec3::zeros(), -g),
        Gravity::Central { .. } => Motion::zero(),
    }
}

/// `out = M·a + bias − Sᵀ·W`: the generalised forces that the joints must supply for the accelerations `a`, given the external
/// wrenches in `cache.W`. Writes link accelerations to `A` and the wrench through each link's joint to `f`.
pub fn calc(model: &Model, a: &[f64], cache: &mut Cache, out: &mut [f64]) {
    update_link_forces(model, a, cache);
    for i in (0..model.links.len()).rev() {
        let link = &model.links[i];
        let f = cache.f[i];
        for k in link.v..link.v + link.primitive.rates() {
            out[k] = cache.S[k].dot(&f);
        }
        if link.parent != WORLD {
            cache.f[link.parent] += f;
        }
    }
}

/// `A` and, for each link alone, `f = I·A + V ×* I·V − W`.
pub(super) fn update_link_forces(model: &Model, a: &[f64], cache: &mut Cache) {
    let A_world = base_acceleration(model);
    for (i, link) in model.links.iter().enumerate() {
        let (A_P, bias_P) = if link.parent == WORLD {
            (A_world, Motion::zero())
        } else {
            (cache.A[link.parent], cache.A_bias[link.parent])
        };
        let mut A = A_P + (cache.A_bias[i] - bias_P);
        for k in link.v..link.v + link.primitive.rates() {
            A += cache.S[k] * a[k];
        }
        let momentum = cache.I[i].apply(&cache.V[i]);
        cache.f[i] = cache.I[i].apply(&A) + cache.V[i].cross_wrench(&momentum) - cache.W[i];
        cache.A[i] = A;
    }
}
