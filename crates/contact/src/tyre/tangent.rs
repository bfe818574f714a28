//! Tangent: how the wrench of `force.rs` changes with pose and velocity, slip states included. Forward differentiation by
//! hand: seven scalars contain all of the motion that affects a disc on a plane; gradients are taken with
//! respect to them and transformed to world axes at the end.

use super::detect::Footprint;
use super::force::{Friction, Loads};
use super::{BrushParameters, TyreTangent};
use std::ops::{Add, Mul};
use touchdown_math::Vec3;

/// Position of each of the seven scalars in a gradient: height, camber γ, w·e_x, spin, and the centre's velocity in the
/// footprint's axes.
const HEIGHT: usize = 0;
const CAMBER: usize = 1;
const W_X: usize = 2;
const SPIN: usize = 3;
const V_X: usize = 4;
const V_Y: usize = 5;
const V_N: usize = 6;
const SCALARS: usize = 7;

/// Gradient of a scalar with respect to the seven.
#[derive(Clone, Copy)]
struct Gradient([f64; SCALARS]);

impl Gradient {
    /// From the entries that are not zero.
    #[inline(always)]
    fn of<const M: usize>(entries: [(usize, f64); M]) -> Self {
        let mut g = [0.0; SCALARS];
        for (i, value) in entries {
            g[i] += value;
        }
        Gradient(g)
    }
}

impl Add for Gradient {
    type Output = Gradient;
    #[inline(always)]
    fn add(self, o: Gradient) -> Gradient {
        Gradient(std::array::from_fn(|i| self.0[i] + o.0[i]))
    }
}

impl Mul<f64> for Gradient {
    type Output = Gradient;
    #[inline(always)]
    fn mul(self, s: f64) -> Gradient {
        Gradient(self.0.map(|x| x * s))
    }
}

/// Gradients of the kinematic scalars in the loads.
struct Kinematics {
    arm: Gradient,
    rolling_radius: Gradient,
    N: Gradient,
    slip_speed: [Gradient; 2],
    transport: [Gradient; 2],
}

/// Gradients of the wrench in the footprint's axes: torque about e_x and about the spin axis, force along e_x, e_y, n.
struct LocalWrench {
    t_x: Gradient,
    t_axis: Gradient,
    F: [Gradient; 2],
    N: Gradient,
}

/// Derivatives of the wrench of a wheel that pushes on the ground.
#[inline(always)]
pub(super) fn update_tangent(
    p: &BrushParameters,
    foot: &Footprint,
    loads: &Loads,
    tangent: &mut TyreTangent,
) {
    let kinematics = differentiate_kinematics(p, foot, loads);
    let local = differentiate_loads(p, foot, loads, &kinematics);
    turn_to_world(foot, loads, &local, tangent);
}

#[inline(always)]
fn differentiate_kinematics(p: &BrushParameters, foot: &Footprint, loads: &Loads) -> Kinematics {
    let inverse = 1.0 / foot.cos_camber;
    let tan = foot.sin_camber * inverse;
    let (arm_h, arm_g) = (inverse, foot.arm * tan);
    let (k, c) = (p.radial_stiffness, p.radial_damping);
    // N = (k δ + c δ̇)/cos γ with δ = R − ℓ and δ̇ = −v_n/cos γ − ℓ tan γ w_x.
    let rate_g = -(foot.v[2] * tan + foot.w[0] * foot.arm * (inverse + foot.sin_camber * tan)) * inverse;
    let N = Gradient::of([
        (HEIGHT, (-k * arm_h - c * tan * foot.w[0] * inverse) * inverse),
        (CAMBER, (-k * arm_g + c * rate_g) * inverse + loads.N * tan),
        (W_X, -c * foot.arm * tan * inverse),
        (V_N, -c * inverse * inverse),
    ]);
    let arm = Gradient::of([(HEIGHT, arm_h), (CAMBER, arm_g)]);
    let rolling_radius = arm * p.rolling_share;
    let roll = rolling_radius * foot.spin + Gradient::of([(SPIN, foot.rolling_radius)]);
    let slip_x = roll + Gradient::of([(V_X, -1.0)]);
    let slip_y = Gradient::of([(V_Y, -1.0), (HEIGHT, -foot.w[0]), (W_X, -foot.height)]);
    // At rest the transport speeds have a kink: take the mean of both sides there.
    let V_y = Gradient::of([(V_X, sign_or_zero(foot.v[0]))]);
    let rolls_faster = foot.roll_speed.abs() > foot.v[0].abs();
    let V_x = if rolls_faster { roll * sign_or_zero(foot.roll_speed) } else { V_y };
    Kinematics { arm, rolling_radius, N, slip_speed: [slip_x, slip_y], transport: [V_x, V_y] }
}

#[inline(always)]
fn differentiate_loads(
    p: &BrushParameters,
    foot: &Footprint,
    loads: &Loads,
    kin: &Kinematics,
) -> LocalWrench {
    let mu = differentiate_friction(&loads.friction, kin);
    let grip = kin.N * loads.friction.mu + mu * loads.N;
    let tread = &loads.tread;
    let F = [0, 1].map(|i: usize| {
        kin.slip_speed[0] * tread.F_r[i][0]
            + kin.slip_speed[1] * tread.F_r[i][1]
            + kin.transport[0] * tread.F_V[i][0]
            + kin.transport[1] * tread.F_V[i][1]
            + grip * tread.F_A[i]
    });
    let (sin, arm) = (foot.sin_camber, foot.arm);
    let t_x = kin.arm * (sin * loads.N)
        + kin.N * (arm * sin)
        + F[1] * foot.height
        + Gradient::of([(CAMBER, arm * foot.cos_camber * loads.N), (HEIGHT, tread.F[1])]);
    // M = f N R_e S(ω R_e / low speed).
    let (S, slope) = loads.rolling_sign;
    let f = p.rolling_resistance;
    let R_e = foot.rolling_radius;
    let through_sign = f * loads.N * R_e * slope / p.low_speed;
    let t_axis = kin.rolling_radius * -(tread.F[0] + f * loads.N * S + through_sign * foot.spin)
        + F[0] * -R_e
        + kin.N * -(f * R_e * S)
        + Gradient::of([(SPIN, -through_sign * R_e)]);
    LocalWrench { t_x, t_axis, F, N: kin.N }
}

#[inline(always)]
fn differentiate_friction(friction: &Friction, kin: &Kinematics) -> Gradient {
    let part = |i: usize| {
        let (speed, slope) = friction.speed[i];
        let weight = friction.mu_slope * friction.slip[i] / speed;
        kin.slip_speed[i] * weight + kin.transport[i] * (-weight * friction.slip[i] * slope)
    };
    part(0) + part(1)
}

#[inline(always)]
fn sign_or_zero(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

/// A change of the wrench in world axes: torque, then force.
type Column = [f64; 6];

/// Each scalar changes the wrench by a column; the motion changes each scalar by a covector. The tangent is the sum of their
/// products. The footprint's axes turn with the yaw dψ = δθ·u / cos γ, the spin axis with δθ.
#[inline(always)]
fn turn_to_world(foot: &Footprint, loads: &Loads, local: &LocalWrench, tangent: &mut TyreTangent) {
    let column = |i: usize| {
        join(
            &(foot.e_x * local.t_x.0[i] + foot.axis * local.t_axis.0[i]),
            &(foot.e_x * local.F[0].0[i] + foot.e_y * local.F[1].0[i] + foot.n * local.N.0[i]),
        )
    };
    let (height, mut camber, w_x, spin) = (column(HEIGHT), column(CAMBER), column(W_X), column(SPIN));
    let (v_x, v_y, v_n) = (column(V_X), column(V_Y), column(V_N));
    let F = loads.tread.F;
    let t_axis = -(foot.rolling_radius * F[0] + loads.rolling_torque);
    let t_x = foot.arm * foot.sin_camber * loads.N + foot.height * F[1];
    // The spin axis leans by d axis / dγ = u and turns by n × axis = −cos γ e_x.
    for (row, u) in camber.iter_mut().zip(foot.u.iter()) {
        *row += t_axis * u;
    }
    let turned =
        join(&(foot.e_y * t_x - foot.e_x * (t_axis * foot.cos_camber)), &(foot.e_y * F[0] - foot.e_x * F[1]));
    // With the axes, the components of a given velocity change: dw_x = w_y dψ, dv_x = v_y dψ, dv_y = −v_x dψ.
    let yaw: Column =
        std::array::from_fn(|i| turned[i] + w_x[i] * foot.w[1] + v_x[i] * foot.v[1] - v_y[i] * foot.v[0]);
    let yaw_of = foot.u * (1.0 / foot.cos_camber);
    let spin_of = foot.axis.cross(&foot.w_WB);
    for j in 0..3 {
        for i in 0..6 {
            tangent.K[(i, j)] = camber[i] * foot.e_x[j] + yaw[i] * yaw_of[j] + spin[i] * spin_of[j];
            tangent.K[(i, j + 3)] = height[i] * foot.n[j];
            tangent.D[(i, j)] = w_x[i] * foot.e_x[j] + spin[i] * foot.axis[j];
            tangent.D[(i, j + 3)] = v_x[i] * foot.e_x[j] + v_y[i] * foot.e_y[j] + v_n[i] * foot.n[j];
        }
    }
}

#[inline(always)]
fn join(t: &Vec3, f: &Vec3) -> Column {
    [t.x, t.y, t.z, f.x, f.y, f.z]
}
