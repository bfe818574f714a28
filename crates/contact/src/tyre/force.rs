//! Force: footprint and slip states ⇒ wrench on the wheel, energy, dissipation and the rates of the states. A pure function;
//! `tangent.rs` differentiates exactly these equations, using the intermediate values in `Loads`.

use super::detect::Footprint;
use super::slip::Axis;
use super::state::{TreadForce, solve_tread};
use super::{BrushParameters, STATES, TyreForce};
use crate::law::{Unilateral, smooth_floor, smooth_sign, unilateral};
use touchdown_math::Wrench;

/// Deformation over radius beyond which the linear radial spring is out of its range. The spring was fitted to loads that
/// deform the wheel by a fifth of its radius; at half of it a real wheel's hub is near the ground.
const DEFORMATION_RANGE: f64 = 0.5;
/// Largest sine of camber in range (45°): beyond, a wheel stands on its edge rather than its tread.
const SIN_CAMBER_RANGE: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Friction between the two coefficients, with what its derivative needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Friction {
    pub mu: f64,
    /// κ and −tan α, with denominators kept off zero.
    pub slip: [f64; 2],
    /// Those denominators, m/s, and their slopes.
    pub speed: [(f64, f64); 2],
    /// d μ / d √(κ² + tan²α), zero where the measure is capped, over the measure itself.
    pub mu_slope: f64,
}

/// Everything between the footprint and the wrench.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loads {
    pub normal: Unilateral,
    /// Force along the ground's normal N, N.
    pub N: f64,
    pub friction: Friction,
    /// Grip A = μN, N.
    pub grip: f64,
    /// Compliance a of the two axes, m/(N s).
    pub compliance: [f64; 2],
    pub tread: TreadForce,
    /// Resisting torque of rolling M, N m, and the sign of rolling with its slope.
    pub rolling_torque: f64,
    pub rolling_sign: (f64, f64),
}

/// Loads of a touching wheel for slip states that solve `e = base + h ė`; `h = 0` takes `base` as the states.
#[inline(always)]
pub(super) fn calc_loads(p: &BrushParameters, foot: &Footprint, base: &[f64; STATES], h: f64) -> Loads {
    let normal = unilateral(p.radial_stiffness, p.radial_damping, foot.deformation, foot.deformation_rate);
    // The spring and damper act along the spoke; frictionless ground can only push along n, and the part along the spoke is
    // N cos γ.
    let N = normal.force / foot.cos_camber;
    let friction = calc_friction(p, foot);
    let grip = friction.mu * N;
    let transport = [foot.roll_speed.abs().max(foot.v[0].abs()), foot.v[0].abs()];
    let C = slip_stiffness(p);
    let stiffness = calc_step_stiffness(p, h);
    let compliance = stiffness.map(|s| 1.0 / s);
    let axis = |i: usize| Axis {
        a: compliance[i],
        inverse_a: stiffness[i],
        V: transport[i],
        C: C[i],
        r: foot.slip_speed[i] + compliance[i] * C[i] * base[i],
    };
    let tread = solve_tread(&[axis(0), axis(1)], grip);
    let rolling_sign = smooth_sign(foot.roll_speed / p.low_speed);
    let rolling_torque = p.rolling_resistance * N * foot.rolling_radius * rolling_sign.0;
    Loads { normal, N, friction, grip, compliance, tread, rolling_torque, rolling_sign }
}

/// C of the two axes, N per unit slip.
#[inline(always)]
pub(super) fn slip_stiffness(p: &BrushParameters) -> [f64; 2] {
    [p.longitudinal_slip_stiffness, p.lateral_slip_stiffness]
}

/// 1/a = d + h C/σ, N s/m: over a step h the tread's spring C/σ and its damper d resist a slip speed together.
#[inline(always)]
fn calc_step_stiffness(p: &BrushParameters, h: f64) -> [f64; 2] {
    let h_over_sigma = h / p.relaxation_length;
    slip_stiffness(p).map(|C| p.standstill_damping + h_over_sigma * C)
}

#[inline(always)]
fn calc_friction(p: &BrushParameters, foot: &Footprint) -> Friction {
    let v_x = foot.v[0].abs();
    let speed = [smooth_floor(v_x.max(foot.roll_speed.abs()), p.low_speed), smooth_floor(v_x, p.low_speed)];
    let slip = [foot.slip_speed[0] / speed[0].0, foot.slip_speed[1] / speed[1].0];
    let measure = (slip[0] * slip[0] + slip[1] * slip[1]).sqrt();
    let range = p.friction_max - p.friction_min;
    let mu_slope = if measure > 0.0 && measure < 1.0 { -range / measure } else { 0.0 };
    Friction { mu: p.friction_max - range * measure.min(1.0), slip, speed, mu_slope }
}

/// Rates of the states, 1/s. The tread's law F = C e + d σ ė and e = base + h ė together give ė = a (F − C base)/σ.
#[inline(always)]
fn calc_rates(
    p: &BrushParameters,
    F: &[f64; 2],
    compliance: &[f64; 2],
    base: &[f64; STATES],
) -> [f64; STATES] {
    let C = slip_stiffness(p);
    let per_length = 1.0 / p.relaxation_length;
    let rate = |i: usize| compliance[i] * (F[i] - C[i] * base[i]) * per_length;
    [rate(0), rate(1)]
}

/// Result for a touching wheel, from its loads.
#[inline(always)]
pub(super) fn calc_touching(
    p: &BrushParameters,
    foot: &Footprint,
    loads: &Loads,
    base: &[f64; STATES],
    h: f64,
) -> TyreForce {
    let F = loads.tread.F;
    let force = foot.n * loads.N + foot.e_x * F[0] + foot.e_y * F[1];
    // −ℓ u × force, sorted by its two axes; about the spin axis the arm is the rolling radius, and the rolling resistance joins.
    let torque = foot.e_x * (foot.arm * foot.sin_camber * loads.N + foot.height * F[1])
        - foot.axis * (foot.rolling_radius * F[0] + loads.rolling_torque);
    let rate = calc_rates(p, &F, &loads.compliance, base);
    let size = (F[0] * F[0] + F[1] * F[1]).sqrt();
    // Heat of the tread: flow and sliding are the part of the slip speed that does not deflect it; both are
    // along the force.
    let flow = |i: usize| F[i] * (foot.slip_speed[i] - p.relaxation_length * rate[i]);
    TyreForce {
        wrench_C: Wrench { t: torque, f: force },
        p_WQ: foot.p_WQ,
        normal_force: loads.N,
        longitudinal_force: F[0],
        lateral_force: F[1],
        rolling_torque: loads.rolling_torque,
        deformation: foot.deformation,
        deformation_rate: foot.deformation_rate,
        slip_longitudinal: loads.friction.slip[0],
        slip_lateral: -loads.friction.slip[1],
        friction_used: if loads.grip > 0.0 { size / loads.grip } else { 0.0 },
        elastic_energy: 0.5 * p.radial_stiffness * foot.deformation * foot.deformation
            + calc_tread_energy(p, &rate, base, h),
        dissipated_power: loads.normal.dissipated_power
            + loads.rolling_torque * foot.spin
            + calc_damper_heat(p, &rate)
            + flow(0).max(0.0)
            + flow(1).max(0.0),
        state_rate: rate,
        in_range: foot.deformation <= DEFORMATION_RANGE * p.radius
            && foot.sin_camber.abs() <= SIN_CAMBER_RANGE,
    }
}

/// A wheel in the air: no force; the tread springs back against its own damper and turns its energy into heat.
#[inline(always)]
pub(super) fn calc_apart(p: &BrushParameters, foot: &Footprint, base: &[f64; STATES], h: f64) -> TyreForce {
    let compliance = calc_step_stiffness(p, h).map(|s| 1.0 / s);
    let rate = calc_rates(p, &[0.0; 2], &compliance, base);
    TyreForce {
        wrench_C: Wrench::zero(),
        p_WQ: foot.p_WQ,
        normal_force: 0.0,
        longitudinal_force: 0.0,
        lateral_force: 0.0,
        rolling_torque: 0.0,
        deformation: 0.0,
        deformation_rate: 0.0,
        slip_longitudinal: 0.0,
        slip_lateral: 0.0,
        friction_used: 0.0,
        elastic_energy: calc_tread_energy(p, &rate, base, h),
        dissipated_power: calc_damper_heat(p, &rate),
        state_rate: rate,
        in_range: true,
    }
}

/// ½ σ Σ C e² at e = base + h ė, J: the springs C/σ under the deflections σ e.
#[inline(always)]
fn calc_tread_energy(p: &BrushParameters, rate: &[f64; STATES], base: &[f64; STATES], h: f64) -> f64 {
    let C = slip_stiffness(p);
    let e = [base[0] + h * rate[0], base[1] + h * rate[1]];
    0.5 * p.relaxation_length * (C[0] * e[0] * e[0] + C[1] * e[1] * e[1])
}

/// d Σ (σ ė)², W: the tread's damper.
#[inline(always)]
fn calc_damper_heat(p: &BrushParameters, rate: &[f64; STATES]) -> f64 {
    let sigma = p.relaxation_length;
    p.standstill_damping * sigma * sigma * (rate[0] * rate[0] + rate[1] * rate[1])
}
