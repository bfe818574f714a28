//! The bushing: a six-axis spring and damper whose torque is the exact gradient of its energy in the rotation vector.

use super::constraint::Side;
use super::elements::Powers;
use super::push::add_block;
use super::tangent::Weights;
use super::{Cache, Model, WORLD};
use crate::description::Attachment;
use touchdown_math::{Elementary, Mat3, Mat6, Motion, Vec3, Wrench, cross_matrix};

/// Adds one bushing. Energy ½ θᵀKθ + ½ dᵀKd with the rotation vector θ and offset d of frame b in frame a.
pub(super) fn update(
    model: &Model,
    (a, b): (&Attachment, &Attachment),
    (stiffness, damping): (&[f64; 6], &[f64; 6]),
    w: Weights,
    cache: &mut Cache,
    powers: &mut Powers,
) {
    let (sa, sb) = (Side::new(model, cache, a), Side::new(model, cache, b));
    let R_WA = orientation(cache, &sa, a);
    let R_AB = R_WA.transpose() * orientation(cache, &sb, b);
    let diagonal =
        |x: &[f64; 6], from: usize| Mat3::from_diagonal(&Vec3::new(x[from], x[from + 1], x[from + 2]));
    let (Kr, Kt, Dr, Dt) =
        (diagonal(stiffness, 0), diagonal(stiffness, 3), diagonal(damping, 0), diagonal(damping, 3));

    let theta = rotation_vector(&R_AB);
    let J = rate_map(&theta);
    let w_A = R_WA.transpose() * (sb.V.w - sa.V.w);
    let d = R_WA.transpose() * (sb.p_W - sa.p_W);
    let on_a = Side { p_W: sb.p_W, ..sa };
    let d_dot = R_WA.transpose() * (sb.velocity(cache) - on_a.velocity(cache));

    powers.elastic += 0.5 * (theta.dot(&(Kr * theta)) + d.dot(&(Kt * d)));
    powers.dissipated += w_A.dot(&(Dr * w_A)) + d_dot.dot(&(Dt * d_dot));
    let torque = R_WA * -(J.transpose() * (Kr * theta) + Dr * w_A);
    let force = R_WA * -(Kt * d + Dt * d_dot);
    let arm = sb.p_W - cache.c;
    let wrench = Wrench::force_at(force, &arm) + Wrench::new(torque, Vec3::zeros());
    b.body.into_iter().for_each(|i| cache.W_body[i] += wrench);
    a.body.into_iter().for_each(|i| cache.W_body[i] -= wrench);

    if w.q == 0.0 && w.v == 0.0 {
        return;
    }
    let rotational = R_WA * (J.transpose() * Kr * J * w.q + Dr * w.v) * R_WA.transpose();
    let translational = R_WA * (Kt * w.q + Dt * w.v) * R_WA.transpose();
    let relative = relative_block(&arm, &rotational, &translational, &(force * w.q));
    // The wrench also turns with frame a: δW = ξ_a ×* W.
    let turning = cross_wrench_matrix(&(wrench * w.q));
    add_block(cache, sb.link, sb.link, &relative);
    add_block(cache, sb.link, on_a.link, &(-relative - turning));
    add_block(cache, on_a.link, sb.link, &-relative);
    add_block(cache, on_a.link, on_a.link, &(relative + turning));
}

fn orientation(cache: &Cache, side: &Side, at: &Attachment) -> Mat3 {
    if side.link == WORLD { at.X_BF.R } else { cache.R_WL[side.link] * at.X_BF.R }
}

/// The rotation vector of a rotation, |θ| ≤ π.
fn rotation_vector(R: &Mat3) -> Vec3 {
    touchdown_math::Pose { R: *R, p: Vec3::zeros() }.quaternion().scaled_axis()
}

/// `θ̇ = J(θ)·w` for w in the axes of a (inverse of the left Jacobian of the rotation group).
fn rate_map(theta: &Vec3) -> Mat3 {
    let x = cross_matrix(theta);
    let angle = theta.norm();
    // 1/θ² − (1 + cos θ)/(2θ sin θ), by series where the difference would cancel.
    let k = if angle < 1e-2 {
        1.0 / 12.0 + angle * angle / 720.0
    } else {
        1.0 / (angle * angle) - (1.0 + angle.cosine()) / (2.0 * angle * angle.sine())
    };
    Mat3::identity() - x * 0.5 + x * x * k
}

/// Minus the derivative of the wrench by the relative motion at `arm`, about `c`: stiffness blocks and the moving point of action.
fn relative_block(arm: &Vec3, rotational: &Mat3, translational: &Mat3, force: &Vec3) -> Mat6 {
    let (rx, fx) = (cross_matrix(arm), cross_matrix(force));
    let mut block = Mat6::zeros();
    block.fixed_view_mut::<3, 3>(0, 0).copy_from(&(rotational - (rx * translational + fx) * rx));
    block.fixed_view_mut::<3, 3>(0, 3).copy_from(&(rx * translational + fx));
    block.fixed_view_mut::<3, 3>(3, 0).copy_from(&(-translational * rx));
    block.fixed_view_mut::<3, 3>(3, 3).copy_from(translational);
    block
}

/// The matrix of `ξ ↦ ξ ×* W`.
fn cross_wrench_matrix(W: &Wrench) -> Mat6 {
    let mut M = Mat6::zeros();
    for k in 0..6 {
        let mut unit = Motion::zero();
        if k < 3 {
            unit.w[k] = 1.0
        } else {
            unit.v[k - 3] = 1.0
        }
        let column = unit.cross_wrench(W);
        M.fixed_view_mut::<3, 1>(0, k).copy_from(&column.t);
        M.fixed_view_mut::<3, 1>(3, k).copy_from(&column.f);
    }
    M
}
