//! Loop closures and couplings: rows `C(q, t) = 0`, their Jacobian `G`, and terms at velocity and
//! acceleration level.
//!
//! `Ċ = G·v + C_t` and `C̈ = G·a + γ`. A multiplier pushes the *second* side of its constraint: the force on the system is `Gᵀ·λ`.

use super::kinematics::{body_velocity, point_acceleration, point_velocity};
use super::model::{JointSlot, Model, WORLD};
use super::{Cache, tangent};
use crate::description::{Attachment, BodyRef, ConstraintKind, JointAxis};
use touchdown_math::{Motion, Vec3, Wrench, rotation};

/// A side of a constraint or element at the present position.
pub(super) struct Side {
    /// Link, or [`WORLD`].
    pub link: usize,
    /// Body, for booking wrenches.
    pub body: BodyRef,
    /// The point, in the world, m.
    pub p_W: Vec3,
    /// Velocity of the link about `c`.
    pub V: Motion,
}

impl Side {
    pub(super) fn new(model: &Model, cache: &Cache, at: &Attachment) -> Side {
        let link = link_of(model, at.body);
        let p_W = if link == WORLD { at.X_BF.p } else { cache.p_WL[link] + cache.R_WL[link] * at.X_BF.p };
        Side { link, body: at.body, p_W, V: body_velocity(model, cache, at.body) }
    }

    pub(super) fn velocity(&self, cache: &Cache) -> Vec3 {
        point_velocity(cache, &self.V, &self.p_W)
    }

    fn acceleration(&self, cache: &Cache) -> Vec3 {
        let A = if self.link == WORLD { Motion::zero() } else { cache.A_bias[self.link] };
        point_acceleration(cache, &self.V, &A, &self.p_W)
    }
}

pub(super) fn link_of(model: &Model, body: BodyRef) -> usize {
    body.map_or(WORLD, |b| model.bodies[b].link)
}

/// The present value of a joint coordinate: from `q`, or the constant of a locked joint.
pub(super) fn coordinate(model: &Model, axis: JointAxis, q: &[f64]) -> f64 {
    let slot: &JointSlot = &model.joints[axis.joint];
    if slot.locked { slot.position[axis.axis] } else { q[slot.q + axis.axis] }
}

/// The rate's index, or `None` for a locked joint.
pub(super) fn rate_index(model: &Model, axis: JointAxis) -> Option<usize> {
    let slot = &model.joints[axis.joint];
    (!slot.locked).then_some(slot.v + axis.axis)
}

/// Rows `C(q, t)` (after `update_positions`).
pub fn calc_residual(model: &Model, cache: &Cache, q: &[f64], t: f64, C: &mut [f64]) {
    for slot in &model.constraints {
        let row = slot.row;
        match &slot.kind {
            ConstraintKind::Coincident { a, b } => {
                let d = Side::new(model, cache, b).p_W - Side::new(model, cache, a).p_W;
                C[row..row + 3].copy_from_slice(d.as_slice());
            }
            ConstraintKind::Parallel { a, b } => {
                let (first, second, b_W) = parallel_axes(model, cache, a, b);
                C[row] = first.dot(&b_W);
                C[row + 1] = second.dot(&b_W);
            }
            ConstraintKind::Perpendicular { a, b } => {
                C[row] = axis_in_world(model, cache, a).dot(&axis_in_world(model, cache, b))
            }
            ConstraintKind::Distance { a, b, length } => {
                C[row] = (Side::new(model, cache, b).p_W - Side::new(model, cache, a).p_W).norm() - length;
            }
            ConstraintKind::Gear { driven, driver, ratio, offset } => {
                C[row] = coordinate(model, *driven, q) - ratio * coordinate(model, *driver, q) - offset;
            }
            ConstraintKind::Prescribed { axis, motion } => {
                C[row] = coordinate(model, *axis, q) - motion.value(t)
            }
        }
    }
}

/// Two axes perpendicular to a's axis, fixed in a, and b's axis, all in the world.
fn parallel_axes(
    model: &Model,
    cache: &Cache,
    a: &(BodyRef, Vec3),
    b: &(BodyRef, Vec3),
) -> (Vec3, Vec3, Vec3) {
    let u = rotation::perpendicular(&a.1);
    let v = a.1.cross(&u);
    (
        axis_in_world(model, cache, &(a.0, u)),
        axis_in_world(model, cache, &(a.0, v)),
        axis_in_world(model, cache, b),
    )
}

fn axis_in_world(model: &Model, cache: &Cache, at: &(BodyRef, Vec3)) -> Vec3 {
    let link = link_of(model, at.0);
    if link == WORLD { at.1 } else { cache.R_WL[link] * at.1 }
}

/// Row-major `nc × nv` Jacobian (after `update_positions`).
pub fn calc_jacobian(model: &Model, cache: &Cache, G: &mut [f64]) {
    let nv = model.nv;
    G.fill(0.0);
    for slot in &model.constraints {
        let rows = &mut G[slot.row * nv..(slot.row + slot.rows) * nv];
        match &slot.kind {
            ConstraintKind::Coincident { a, b } => {
                for (at, sign) in [(b, 1.0), (a, -1.0)] {
                    let side = Side::new(model, cache, at);
                    for_path(model, side.link, |k| {
                        let column = point_velocity(cache, &cache.S[k], &side.p_W) * sign;
                        (0..3).for_each(|r| rows[r * nv + k] += column[r]);
                    });
                }
            }
            ConstraintKind::Parallel { a, b } => {
                let (first, second, b_W) = parallel_axes(model, cache, a, b);
                add_axis_row(model, cache, (a.0, b.0), &b_W.cross(&first), &mut rows[..nv]);
                add_axis_row(model, cache, (a.0, b.0), &b_W.cross(&second), &mut rows[nv..]);
            }
            ConstraintKind::Perpendicular { a, b } => {
                let m = axis_in_world(model, cache, b).cross(&axis_in_world(model, cache, a));
                add_axis_row(model, cache, (a.0, b.0), &m, rows);
            }
            ConstraintKind::Distance { a, b, .. } => {
                let (sa, sb) = (Side::new(model, cache, a), Side::new(model, cache, b));
                let n = (sb.p_W - sa.p_W).normalize();
                for (side, sign) in [(&sb, 1.0), (&sa, -1.0)] {
                    for_path(model, side.link, |k| {
                        rows[k] += sign * n.dot(&point_velocity(cache, &cache.S[k], &side.p_W))
                    });
                }
            }
            ConstraintKind::Gear { driven, driver, ratio, .. } => {
                rate_index(model, *driven).into_iter().for_each(|k| rows[k] += 1.0);
                rate_index(model, *driver).into_iter().for_each(|k| rows[k] -= ratio);
            }
            ConstraintKind::Prescribed { axis, .. } => {
                rate_index(model, *axis).into_iter().for_each(|k| rows[k] += 1.0)
            }
        }
    }
}

/// Row of `(w_b − w_a)·m`.
fn add_axis_row(model: &Model, cache: &Cache, (a, b): (BodyRef, BodyRef), m: &Vec3, row: &mut [f64]) {
    for (body, sign) in [(b, 1.0), (a, -1.0)] {
        for_path(model, link_of(model, body), |k| row[k] += sign * cache.S[k].w.dot(m));
    }
}

/// Calls `f` for every rate between a link and the root.
fn for_path(model: &Model, link: usize, mut f: impl FnMut(usize)) {
    if link == WORLD {
        return;
    }
    let mut k = tangent::last_rate(model, link);
    while k != usize::MAX {
        f(k);
        k = model.parent_rate[k];
    }
}

/// `C_t`: the explicit time derivative of C.
pub fn calc_time_derivative(model: &Model, t: f64, Ct: &mut [f64]) {
    Ct.fill(0.0);
    for slot in &model.constraints {
        if let ConstraintKind::Prescribed { motion, .. } = &slot.kind {
            Ct[slot.row] = -motion.jet(t)[1];
        }
    }
}

/// `Ċ = G·v + C_t` without forming the Jacobian (after `update_velocities`).
pub fn calc_rates(model: &Model, cache: &Cache, t: f64, v: &[f64], out: &mut [f64]) {
    calc_time_derivative(model, t, out);
    let rate = |axis: &JointAxis| rate_index(model, *axis).map_or(0.0, |k| v[k]);
    for slot in &model.constraints {
        let row = slot.row;
        match &slot.kind {
            ConstraintKind::Coincident { a, b } => {
                let d =
                    Side::new(model, cache, b).velocity(cache) - Side::new(model, cache, a).velocity(cache);
                out[row..row + 3].copy_from_slice(d.as_slice());
            }
            ConstraintKind::Parallel { a, b } => {
                let (first, second, b_W) = parallel_axes(model, cache, a, b);
                let w = body_velocity(model, cache, b.0).w - body_velocity(model, cache, a.0).w;
                out[row] = w.dot(&b_W.cross(&first));
                out[row + 1] = w.dot(&b_W.cross(&second));
            }
            ConstraintKind::Perpendicular { a, b } => {
                let w = body_velocity(model, cache, b.0).w - body_velocity(model, cache, a.0).w;
                out[row] = w.dot(&axis_in_world(model, cache, b).cross(&axis_in_world(model, cache, a)));
            }
            ConstraintKind::Distance { a, b, .. } => {
                let (sa, sb) = (Side::new(model, cache, a), Side::new(model, cache, b));
                out[row] = (sb.p_W - sa.p_W).normalize().dot(&(sb.velocity(cache) - sa.velocity(cache)));
            }
            ConstraintKind::Gear { driven, driver, ratio, .. } => {
                out[row] = rate(driven) - ratio * rate(driver)
            }
            ConstraintKind::Prescribed { axis, .. } => out[row] += rate(axis),
        }
    }
}

/// `γ` of `C̈ = G·a + γ` (after `update_velocities`).
pub fn calc_bias(model: &Model, cache: &Cache, t: f64, gamma: &mut [f64]) {
    for slot in &model.constraints {
        let row = slot.row;
        match &slot.kind {
            ConstraintKind::Coincident { a, b } => {
                let d = Side::new(model, cache, b).acceleration(cache)
                    - Side::new(model, cache, a).acceleration(cache);
                gamma[row..row + 3].copy_from_slice(d.as_slice());
            }
            ConstraintKind::Parallel { a, b } => {
                let (first, second, b_W) = parallel_axes(model, cache, a, b);
                gamma[row] = axis_bias(model, cache, (a.0, b.0), &first, &b_W);
                gamma[row + 1] = axis_bias(model, cache, (a.0, b.0), &second, &b_W);
            }
            ConstraintKind::Perpendicular { a, b } => {
                let (a_W, b_W) = (axis_in_world(model, cache, a), axis_in_world(model, cache, b));
                gamma[row] = axis_bias(model, cache, (a.0, b.0), &a_W, &b_W);
            }
            ConstraintKind::Distance { a, b, .. } => {
                let (sa, sb) = (Side::new(model, cache, a), Side::new(model, cache, b));
                let d = sb.p_W - sa.p_W;
                let length = d.norm();
                let n = d / length;
                let dv = sb.velocity(cache) - sa.velocity(cache);
                let along = n.dot(&dv);
                gamma[row] = n.dot(&(sb.acceleration(cache) - sa.acceleration(cache)))
                    + (dv.norm_squared() - along * along) / length;
            }
            ConstraintKind::Gear { .. } => gamma[row] = 0.0,
            ConstraintKind::Prescribed { motion, .. } => gamma[row] = -motion.jet(t)[2],
        }
    }
}

/// Second derivative of `u_a·b_b` at zero joint accelerations.
fn axis_bias(model: &Model, cache: &Cache, (a, b): (BodyRef, BodyRef), u: &Vec3, b_W: &Vec3) -> f64 {
    let turning = |body: BodyRef| match link_of(model, body) {
        WORLD => (Vec3::zeros(), Vec3::zeros()),
        link => (cache.V[link].w, cache.A_bias[link].w),
    };
    let ((w_a, alpha_a), (w_b, alpha_b)) = (turning(a), turning(b));
    let m_dot = w_b.cross(b_W).cross(u) + b_W.cross(&w_a.cross(u));
    (alpha_b - alpha_a).dot(&b_W.cross(u)) + (w_b - w_a).dot(&m_dot)
}

/// Books the multipliers as wrenches on bodies and generalised forces, as contacts and springs are booked.
/// Reactions and tangents need this form; the equations of motion use `Gᵀ·λ` directly.
pub fn add_forces(model: &Model, lambda: &[f64], wq: f64, cache: &mut Cache) {
    for slot in &model.constraints {
        let row = slot.row;
        match &slot.kind {
            ConstraintKind::Coincident { a, b } => {
                let f = Vec3::new(lambda[row], lambda[row + 1], lambda[row + 2]);
                let (sa, sb) = (Side::new(model, cache, a), Side::new(model, cache, b));
                super::push::add_point_pair(cache, &sa, &sb, f, None, wq);
            }
            ConstraintKind::Parallel { a, b } => {
                let (first, second, b_W) = parallel_axes(model, cache, a, b);
                add_torque(
                    cache,
                    (a.0, b.0),
                    b_W.cross(&first) * lambda[row] + b_W.cross(&second) * lambda[row + 1],
                );
            }
            ConstraintKind::Perpendicular { a, b } => {
                let m = axis_in_world(model, cache, b).cross(&axis_in_world(model, cache, a));
                add_torque(cache, (a.0, b.0), m * lambda[row]);
            }
            ConstraintKind::Distance { a, b, .. } => {
                let (sa, sb) = (Side::new(model, cache, a), Side::new(model, cache, b));
                let d = sb.p_W - sa.p_W;
                let length = d.norm();
                let n = d / length;
                let across = touchdown_math::Mat3::identity() - n * n.transpose();
                let stiffness = across * (-wq * lambda[row] / length);
                super::push::add_point_pair(cache, &sa, &sb, n * lambda[row], Some(stiffness), wq);
            }
            ConstraintKind::Gear { driven, driver, ratio, .. } => {
                rate_index(model, *driven).into_iter().for_each(|k| cache.tau[k] += lambda[row]);
                rate_index(model, *driver).into_iter().for_each(|k| cache.tau[k] -= ratio * lambda[row]);
            }
            ConstraintKind::Prescribed { axis, .. } => {
                rate_index(model, *axis).into_iter().for_each(|k| cache.tau[k] += lambda[row]);
            }
        }
    }
}

fn add_torque(cache: &mut Cache, (a, b): (BodyRef, BodyRef), torque: Vec3) {
    let wrench = Wrench::new(torque, Vec3::zeros());
    b.into_iter().for_each(|b| cache.W_body[b] += wrench);
    a.into_iter().for_each(|a| cache.W_body[a] -= wrench);
}

/// Power that prescribed motions supply to the system, `Σ λ·d motion/dt`; booked with the parts that they
/// move.
pub fn book_prescribed_power(model: &Model, cache: &mut Cache, lambda: &[f64], t: f64) -> f64 {
    let mut power = 0.0;
    for (i, slot) in model.constraints.iter().enumerate() {
        if let ConstraintKind::Prescribed { motion, .. } = &slot.kind {
            let own = lambda[slot.row] * motion.jet(t)[1];
            power += own;
            cache.parts.book_constraint(i, own);
        }
    }
    power
}
