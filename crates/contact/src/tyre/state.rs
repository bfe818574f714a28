//! The slip states of a tyre: elastic slips of the tread, one per axis, and the force that results from them,
//! the motion and the friction circle. Between detection and force assembly; also computes the rates of the
//! states.
//!
//! A state e = (e_x, e_y) is the tangential deflection of the tread over the relaxation length σ. It changes only through
//! its rate, which the integrator carries; evaluating forces leaves it alone.

use super::slip::{Axis, AxisForce, balance_cubic, balance_fiala};
use touchdown_math::Elementary;

/// Slip states per wheel: longitudinal and lateral.
pub const STATES: usize = 2;

/// Tangential force on the wheel, and its derivatives with respect to the drive r, the transport speeds V and the grip A.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreadForce {
    pub F: [f64; 2],
    pub F_r: [[f64; 2]; 2],
    pub F_V: [[f64; 2]; 2],
    pub F_A: [f64; 2],
}

/// Relative excess over the friction circle that still counts as on it.
const CIRCLE_TOLERANCE: f64 = 1e-13;
/// Iterations for the sliding multiplier at most; bisection alone would reach the tolerance in fewer than 60.
const CIRCLE_STEPS: usize = 60;

/// Solves `a_i F_i + V_i q̂_i(F_i) + ν F_i = r_i` with |F| ≤ A, ν ≥ 0 and ν = 0 inside the circle.
///
/// ν F is the sliding of the whole footprint against the friction force. The equations are the optimality conditions of a
/// strictly convex problem on a disc: the force is unique and continuous in everything, at zero speed too.
#[inline(always)]
pub(super) fn solve_tread(axes: &[Axis; 2], A: f64) -> TreadForce {
    if A <= 0.0 {
        return TreadForce { F: [0.0; 2], F_r: [[0.0; 2]; 2], F_V: [[0.0; 2]; 2], F_A: [0.0; 2] };
    }
    let sign = [1f64.copysign(axes[0].r), 1f64.copysign(axes[1].r)];
    let axes = [Axis { r: axes[0].r.abs(), ..axes[0] }, Axis { r: axes[1].r.abs(), ..axes[1] }];
    let free = [balance_fiala(&axes[0], A), balance_cubic(&axes[1], A)];
    let inside = free[0].F * free[0].F + free[1].F * free[1].F <= A * A;
    if inside { inside_circle(&free, &sign) } else { on_circle(&slide(&axes, A), &sign, A) }
}

/// Forces of both axes when the footprint slides: finds ν such that |F(ν)| = A.
#[inline(never)]
fn slide(axes: &[Axis; 2], A: f64) -> [AxisForce; 2] {
    let at = |nu: f64| {
        let softened = axes.map(|axis| {
            let a = axis.a + nu;
            Axis { a, inverse_a: 1.0 / a, ..axis }
        });
        [balance_fiala(&softened[0], A), balance_cubic(&softened[1], A)]
    };
    // |F_i| ≤ r_i / (a_i + ν) bounds ν from above. From below: with both axes active neither force alone reaches A, so that
    // the lateral law has left its flat part.
    let mut high = (axes[0].r * axes[0].r + axes[1].r * axes[1].r).sqrt() / A;
    let mut low = (axes[1].r / A - axes[1].a - 3.0 * axes[1].V / axes[1].C).max(0.0).min(high);
    // Start as if the tread did not flow: exact at standstill for equal compliances.
    let mut nu = (high - axes[0].a.max(axes[1].a)).max(low);
    let mut forces = at(nu);
    for _ in 0..CIRCLE_STEPS {
        let squared = forces[0].F * forces[0].F + forces[1].F * forces[1].F;
        let size = squared.sqrt();
        let excess = size - A;
        if excess.abs() <= CIRCLE_TOLERANCE * A {
            break;
        }
        if excess > 0.0 {
            low = nu
        } else {
            high = nu
        }
        // Newton's step for A/|F(ν)| = 1, which is nearly linear in ν.
        let softness = forces[0].F_r * forces[0].F * forces[0].F + forces[1].F_r * forces[1].F * forces[1].F;
        let newton = nu + excess * squared / (A * softness);
        nu = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        forces = at(nu);
    }
    forces
}

#[inline(always)]
fn inside_circle(free: &[AxisForce; 2], sign: &[f64; 2]) -> TreadForce {
    TreadForce {
        F: [sign[0] * free[0].F, sign[1] * free[1].F],
        F_r: [[free[0].F_r, 0.0], [0.0, free[1].F_r]],
        F_V: [[sign[0] * free[0].F_V, 0.0], [0.0, sign[1] * free[1].F_V]],
        F_A: [sign[0] * free[0].F_A, sign[1] * free[1].F_A],
    }
}

/// Force and derivatives on the circle: each axis yields by its own slope, and ν follows so that F·dF = A dA.
fn on_circle(axes: &[AxisForce; 2], sign: &[f64; 2], A: f64) -> TreadForce {
    let size = axes[0].F.hypotenuse(axes[1].F);
    // The residual of the iteration must not break the friction circle.
    let scale = (A / size).min(1.0);
    let F = [sign[0] * axes[0].F * scale, sign[1] * axes[1].F * scale];
    let yield_of = [axes[0].F_r * F[0], axes[1].F_r * F[1]];
    let softness = (yield_of[0] * F[0] + yield_of[1] * F[1]).max(f64::MIN_POSITIVE);
    // dF_i = Σ_j (δ_ij − yield_i F_j / softness) dF_j(free) + yield_i A dA / softness.
    let projected = |free: [f64; 2]| {
        let along = (F[0] * free[0] + F[1] * free[1]) / softness;
        [free[0] - yield_of[0] * along, free[1] - yield_of[1] * along]
    };
    let columns = |x: f64, y: f64| {
        let (of_x, of_y) = (projected([x, 0.0]), projected([0.0, y]));
        [[of_x[0], of_y[0]], [of_x[1], of_y[1]]]
    };
    let through_A = projected([sign[0] * axes[0].F_A, sign[1] * axes[1].F_A]);
    TreadForce {
        F,
        F_r: columns(axes[0].F_r, axes[1].F_r),
        F_V: columns(sign[0] * axes[0].F_V, sign[1] * axes[1].F_V),
        F_A: [through_A[0] + yield_of[0] * A / softness, through_A[1] + yield_of[1] * A / softness],
    }
}
