//! Loads of every joint, fixed and locked joints included.

use super::{Cache, Model, WORLD, inverse};
use touchdown_math::{Inertia, Wrench};

/// For each joint of the description: the wrench that the parent exerts on the child through the joint (drives and joint springs
/// included), in world axes about the child's joint frame origin. Needs positions, velocities, all external wrenches (contacts,
/// elements, constraint multipliers) in `W_body`, and the true accelerations `a`.
pub fn calc(model: &Model, a: &[f64], cache: &mut Cache, out: &mut [Wrench]) {
    out.fill(Wrench::zero());
    cache.gather_wrenches(model);
    inverse::update_link_forces(model, a, cache);
    for &b in model.body_order.iter().rev() {
        let j = model.inboard_joint[b];
        out[j] += own_wrench(model, cache, b);
        if let Some(p) = model.joints[j].parent {
            let through = out[j];
            out[model.inboard_joint[p]] += through;
        }
    }
    for (slot, wrench) in model.joints.iter().zip(out) {
        let at = &model.bodies[slot.child];
        let p_LM = at.X_LB.point(&slot.X_BM.p);
        let p_WM = if at.link == WORLD { p_LM } else { cache.p_WL[at.link] + cache.R_WL[at.link] * p_LM };
        *wrench = wrench.shifted(&(p_WM - cache.c));
    }
}

/// Wrench that one body needs from its neighbours: inertia forces less external wrenches, about `c`.
fn own_wrench(model: &Model, cache: &Cache, b: usize) -> Wrench {
    let body = &model.bodies[b];
    let own = Inertia::new(body.mass, &body.com, &body.inertia);
    if body.link == WORLD {
        let I = own.moved(&body.X_LB.R, &(body.X_LB.p - cache.c));
        return I.apply(&inverse::base_acceleration(model)) - cache.W_body[b];
    }
    let on_link = own.moved(&body.X_LB.R, &body.X_LB.p);
    let I = on_link.moved(&cache.R_WL[body.link], &(cache.p_WL[body.link] - cache.c));
    let V = cache.V[body.link];
    I.apply(&cache.A[body.link]) + V.cross_wrench(&I.apply(&V)) - cache.W_body[b]
}
