//! Forces between points of bodies: wrenches booked on both, and their tangents about the reference point.

use super::Cache;
use super::constraint::Side;
use super::model::{Model, WORLD};
use touchdown_math::{Mat3, Mat6, Vec3, Wrench, cross_matrix};

/// Force `f` on side b and `−f` on side a, with `stiffness` = minus the weighted derivative of `f` by the relative motion of the
/// points. Books wrenches and tangents.
pub(super) fn add_point_pair(
    cache: &mut Cache,
    a: &Side,
    b: &Side,
    f: Vec3,
    stiffness: Option<Mat3>,
    wq: f64,
) {
    for (side, sign) in [(a, -1.0), (b, 1.0)] {
        if let Some(body) = side.body {
            cache.W_body[body] += Wrench::force_at(f * sign, &(side.p_W - cache.c));
        }
        add_dead_force(cache, side, &(f * sign), wq);
    }
    let Some(K) = stiffness.filter(|k| *k != Mat3::zeros()) else { return };
    // Without weights the stiffness is zero, and tangents, which were not cleared then, are not written.
    for (row, r_sign) in [(a, -1.0), (b, 1.0)] {
        for (column, c_sign) in [(a, -1.0), (b, 1.0)] {
            let block = lever_block(&(row.p_W - cache.c), &(K * (r_sign * c_sign)), &(column.p_W - cache.c));
            add_block(cache, row.link, column.link, &block);
        }
    }
}

/// Adds a wrench on a body at the point `p_W` (torque about that point), as contacts give it. `slope` is the weighted derivative of
/// that wrench by the motion of the body at the point.
pub fn add_contact(
    model: &Model,
    cache: &mut Cache,
    (body, p_W): (usize, Vec3),
    wrench: &Wrench,
    slope: Option<(&Mat6, f64)>,
) {
    let r = p_W - cache.c;
    cache.W_body[body] += wrench.shifted(&-r);
    let link = model.bodies[body].link;
    let Some((A, wq)) = slope.filter(|_| link != WORLD) else { return };
    let side = Side { link, body: Some(body), p_W, V: cache.V[link] };
    add_dead_force(cache, &side, &wrench.f, wq);
    // −XᵀAX with X = [1 0; −r× 1], by blocks.
    let rx = cross_matrix(&r);
    let view = |i: usize, j: usize| -> Mat3 { A.fixed_view::<3, 3>(3 * i, 3 * j).into() };
    let (tv, fv) = (view(0, 1), view(1, 1));
    let (tw, fw) = (view(0, 0) - tv * rx, view(1, 0) - fv * rx);
    let mut block = Mat6::zeros();
    block.fixed_view_mut::<3, 3>(0, 0).copy_from(&-(tw + rx * fw));
    block.fixed_view_mut::<3, 3>(0, 3).copy_from(&-(tv + rx * fv));
    block.fixed_view_mut::<3, 3>(3, 0).copy_from(&-fw);
    block.fixed_view_mut::<3, 3>(3, 3).copy_from(&-fv);
    cache.E[link] += block;
}

/// Adds the coupling of two bodies in a contact: `slope` is the weighted derivative of the wrench on the first link, about its point, by the motion of
/// the second link at its own.
pub fn add_coupling(cache: &mut Cache, [row, column]: [(usize, Vec3); 2], slope: &Mat6) {
    if row.0 == WORLD || column.0 == WORLD {
        return;
    }
    // −XᵢᵀAXⱼ with X = [1 0; −r× 1].
    let shift = |p_W: &Vec3| {
        let mut X = Mat6::identity();
        X.fixed_view_mut::<3, 3>(3, 0).copy_from(&-cross_matrix(&(p_W - cache.c)));
        X
    };
    let block = -(shift(&row.1).transpose() * slope * shift(&column.1));
    add_block(cache, row.0, column.0, &block);
}

/// A force that keeps its direction while its point moves with the body: its moment about `c` changes.
pub(super) fn add_dead_force(cache: &mut Cache, side: &Side, f: &Vec3, wq: f64) {
    if side.link == WORLD || wq == 0.0 {
        return;
    }
    // −δ(torque) = f × δp, δp = δv + δw × r = δv − r × δw
    let fx = cross_matrix(f) * wq;
    let mut block = Mat6::zeros();
    block.fixed_view_mut::<3, 3>(0, 0).copy_from(&(-fx * cross_matrix(&(side.p_W - cache.c))));
    block.fixed_view_mut::<3, 3>(0, 3).copy_from(&fx);
    cache.E[side.link] += block;
}

/// `[r_i×; 1]·K·[−r_j×, 1]`: a stiffness between points as a block about `c`.
pub(super) fn lever_block(r_i: &Vec3, K: &Mat3, r_j: &Vec3) -> Mat6 {
    let (ri, rj) = (cross_matrix(r_i), cross_matrix(r_j));
    let mut block = Mat6::zeros();
    let riK = ri * K;
    block.fixed_view_mut::<3, 3>(0, 0).copy_from(&(-riK * rj));
    block.fixed_view_mut::<3, 3>(0, 3).copy_from(&riK);
    block.fixed_view_mut::<3, 3>(3, 0).copy_from(&(-K * rj));
    block.fixed_view_mut::<3, 3>(3, 3).copy_from(K);
    block
}

/// Adds minus the weighted derivative of the wrench on `row` by the motion of `column` (both links, about `c`).
pub fn add_block(cache: &mut Cache, row: usize, column: usize, block: &Mat6) {
    if row == WORLD || column == WORLD {
        return;
    }
    if row == column {
        cache.E[row] += block;
    } else {
        cache.E_pair.push((row, column, *block));
    }
}
