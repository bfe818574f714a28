//! Brush tyre on rigid ground: a wheel as a disc with a radial spring and damper and a tread that shears,
//! slips and sticks.
//!
//! # Model
//! The wheel is a disc of radius R about a spin axis; the ground under it is a plane. The disc's lowest spoke, from the centre
//! to the plane, is the loaded one: its end is the contact point Q. A spring and damper along the spoke carry the load. Under
//! it, a tread transmits the tangential force: in each direction a spring and damper (the deflection of the tread) in series
//! with the steady slip law of the rolling brush (the flow of the tread through the footprint), and the
//! friction circle limits both; on it the whole footprint slides. This is the relaxation model with full
//! non-linearity: the same force that deflects the tread drives its flow (Pacejka, section 7.2).
//!
//! # Equations
//! With the unit normal n, spin axis a, centre C at `height` above the plane, sin γ = n·a (camber), e_x = a × n / cos γ
//! (forward), e_y = n × e_x, the spoke u = e_x × a:
//!
//! - ℓ = height / cos γ is the length of the spoke; **δ = R − ℓ**, Q = C − ℓ u. The spoke's end moves with v_Q = v_C − ℓ w × u,
//!   and δ̇ = −n·v_Q / cos γ exactly.
//! - Normal: the spoke carries max(0, k δ + c δ̇); ground without friction pushes along n alone, so that N = max(0, k δ + c δ̇)/cos γ.
//!   In an upright wheel this is N = max(0, k δ + c δ̇).
//! - Rolling radius: **R_e = R − s δ**. s = 1 rolls on the loaded radius ℓ; a rim of constant length rolls
//!   farther (s near 0). It is the arm of F_x and of the rolling resistance about the spin axis as well, so
//!   that the power of the wrench is −F_x v_sx for any s.
//! - Slip speeds: v_sx = ω R_e − v_x, v_sy = −e_y·v_Q (ω = w·a, v_x = e_x·v_C).
//! - Steady slips: **κ = v_sx / max(|ωR_e|, |v_x|)**, **tan α = −v_sy / |v_x|**. Friction **μ = μ_max − (μ_max − μ_min) min(1, √(κ² + tan²α))**.
//! - Steady laws with the grip A = μN. Longitudinal (Fiala): C_κ κ up to κ* = A/(2C_κ), beyond it A − A²/(4C_κ|κ|). Lateral:
//!   A(1 − H³), H = 1 − C_α|tan α|/(3A), and A beyond |tan α| = 3A/C_α. Their inverses q̂_i(F_i) give the slip at which the tread
//!   flows under a force.
//! - Tread: states e_x, e_y (deflection over σ), for i = x, y with V_x = max(|ωR_e|, |v_x|), V_y = |v_x|:
//!
//!   F_i = C_i e_i + d σ ė_i,  σ ė_i + V_i q̂_i(F_i) + ν F_i = v_si,  |F| ≤ A, ν ≥ 0, ν(A − |F|) = 0.
//! - Rolling resistance: torque −f N R_e S(ωR_e) about a; S is the sign, smooth within ±`low_speed`, zero at rest.
//!
//! **Steady rolling.** ė = 0 leaves V_i q̂_i(F_i) = v_si: F_x is the Fiala law at κ, with the larger of the two speeds below it both
//! in driving (ωR_e) and in braking (v_x); F_y is the cubic law at tan α. The damper d has no effect. In the
//! linear range the state equation is the familiar σ κ̇ + |V| κ = slip speed. While the resultant of the laws
//! stays inside the circle the axes are independent. On the circle, the footprint slides against the friction
//! force, which turns towards the sliding velocity as sliding exceeds the flow.
//!
//! **No wind-up.** q̂ grows without bound towards the grip and ν takes the rest: a force that is saturated no longer deflects
//! the tread. If the load falls, F follows A and the tread springs back against d; in the air (A = 0) it relaxes with d σ/C.
//!
//! **Standstill.** With V = 0 only the springs, their dampers and the circle remain: the tread holds any
//! force below μ_max N permanently, without creep, and slides at μN. With `low_speed` in the denominators of
//! the slips in μ (exact from
//! `low_speed` on, at least half of it below), numerical noise of a parked wheel is not interpreted as full
//! slip.
//!
//! **Energy.** Stored: ½ k δ² while δ > 0, and ½ σ Σ C_i e_i². Heat: c δ̇² (while the spoke's clamp acts: −k
//! δ δ̇, the energy released by the decreasing δ without force), d σ² Σ ė_i², Σ V_i q̂_i F_i + ν|F|², f N
//! |ωR_e| S. Each is never negative, and power of the wrench + d(stored)/dt + heat = 0 holds identically, because slip speed and arm
//! use the same R_e, spoke and lateral tread the same ℓ.
//!
//! **Curved ground.** The ground under a wheel is the tangent plane at the point of the surface nearest to the centre within the wheel's plane
//! ([`Footing`]); all of the above applies unchanged, and δ̇ and the energy balance are exact.
//!
//! **Implicit form.** With e = base + h ė both equations of the tread become a_i F_i + V_i q̂_i + ν F_i = v_si + a_i C_i base_i,
//! a_i = 1/(d + h C_i/σ): the same scalar problems for every h, and the continuous form is h = 0. It is strictly convex, hence
//! uniquely solvable: a quadratic and a cubic inside the circle, one scalar iteration for ν on it.
//!
//! # Parameters
//! [`BrushParameters`]; [`BrushParameters::SAMARINI`] holds Table 2 of Samarini et al. Its longitudinal slip stiffness is read
//! as 8250 N per unit slip and the lateral one as 850 N per degree: the printed units (per m²) would need a third of full slip for
//! ordinary thrust.
//!
//! # State
//! Two elastic slips per wheel ([`STATES`]), zero for a fresh tyre. Forces never change them; their rates are part of the result.
//!
//! # Valid when
//! The ground is plane or smooth over the footprint and touches the wheel at one place: its hollows are wider than the wheel, and it has no
//! bumps shorter than a fifth of the radius (`ground.rs`, [`Footing`]). δ is below half of R and the camber below 45° ([`TyreForce::in_range`]); no
//! moment resists turning on the spot about n (the brush is a point there) and none rises from lateral force off the centre
//! (no trail). Beyond 84° of camber the wheel lies on its side and gives no force. At touchdown N jumps by c
//! δ̇ (a property of the law; locate it with [`BrushTyre::calc_gap`]). Where μ falls with slip, below
//! `low_speed`, implicit steps much longer than m·`low_speed`/((μ_max − μ_min) N) may have two solutions for
//! a sliding mass m.
//!
//! # Verified by
//! `tests.rs` and its parts: the laws against hand-computed values, continuity at κ* and full slide, steady driving and braking, the
//! friction circle, energy balance to round-off and dissipation ≥ 0 for random motions, tangents against central differences,
//! holding on slopes for an hour, landing and lift-off, rotated worlds; on curved ground the contact point against brute force, the rate of
//! δ, the energy along a path and the tangent with the turning of the plane.
//!
//! # References
//! - E. Samarini, A. A. Shabana, E. Grossi, A. Somà: Integration of geometry and analysis for the study of continuum-based
//!   airless tyres of planetary wheeled robots. Int. J. Vehicle Performance. Table 2, section 7.2.
//! - E. Fiala: Seitenkräfte am rollenden Luftreifen. VDI-Zeitschrift 96 (1954).
//! - H. B. Pacejka: Tire and Vehicle Dynamics, 3rd ed. (2012): brush model in chapter 3, relaxation in chapter 7.

mod detect;
mod force;
mod ground;
mod params;
mod slip;
mod state;
mod tangent;
#[cfg(test)]
mod tests;

pub use crate::parameter::{Interval, ParameterError};
use detect::Footprint;
pub use ground::{Footing, NoGround};
pub use params::BrushParameters;
pub use state::STATES;
use touchdown_math::{Elementary, Mat6, Vec3, Wrench};

/// Motion of the wheel relative to the ground, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelMotion {
    /// Wheel centre, m.
    pub p_WC: Vec3,
    /// Unit spin axis; turning positively about it rolls the wheel forward.
    pub axis_W: Vec3,
    /// Velocity of the wheel centre, m/s.
    pub v_WC: Vec3,
    /// Angular velocity of the wheel body, rad/s.
    pub w_WB: Vec3,
}

/// The ground under a wheel, at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundPlane {
    /// A point of the plane, m.
    pub point: Vec3,
    /// Its unit normal, out of the ground.
    pub normal: Vec3,
}

/// Effect of a tyre on its wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TyreForce {
    /// Wrench on the wheel about its centre, world axes.
    pub wrench_C: Wrench,
    /// Contact point, m.
    pub p_WQ: Vec3,
    /// Force of the ground along its normal, N, never negative.
    pub normal_force: f64,
    /// Force on the wheel forward in the plane, N.
    pub longitudinal_force: f64,
    /// Force on the wheel to the left in the plane, N.
    pub lateral_force: f64,
    /// Rolling resistance, N m: its torque on the wheel is minus this about the spin axis.
    pub rolling_torque: f64,
    /// Radial deformation δ, m; zero when apart.
    pub deformation: f64,
    /// Its rate, m/s; zero when apart.
    pub deformation_rate: f64,
    /// κ = (ωR_e − v_x)/max(|ωR_e|, |v_x|) of the present motion; the denominator is kept off zero at low speed.
    pub slip_longitudinal: f64,
    /// tan α = v_y/|v_x| of the present motion; the denominator is kept off zero at low speed.
    pub slip_lateral: f64,
    /// Tangential force over grip, |F_t|/(μN); zero when apart.
    pub friction_used: f64,
    /// Energy stored in spoke and tread, J.
    pub elastic_energy: f64,
    /// Power turned into heat, W, never negative.
    pub dissipated_power: f64,
    /// Rates of the slip states, 1/s.
    pub state_rate: [f64; STATES],
    /// Whether deformation and camber are within the model's range.
    pub in_range: bool,
}

impl TyreForce {
    /// Slip angle α, rad.
    pub fn slip_angle(&self) -> f64 {
        self.slip_lateral.arctangent()
    }
}

/// Derivatives of a tyre's wrench about the wheel centre, world axes; rows and columns 0–2 angular, 3–5 linear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TyreTangent {
    /// With respect to a small rotation of the wheel and a displacement of its centre, world velocities held.
    pub K: Mat6,
    /// With respect to angular velocity and velocity of the centre.
    pub D: Mat6,
}

/// A brush tyre with checked parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrushTyre {
    params: BrushParameters,
}

impl BrushTyre {
    /// Checks the parameters; all problems come back at once.
    pub fn new(params: BrushParameters) -> Result<Self, Vec<ParameterError>> {
        let problems = params.check();
        if problems.is_empty() { Ok(BrushTyre { params }) } else { Err(problems) }
    }

    /// The parameters.
    pub fn params(&self) -> &BrushParameters {
        &self.params
    }

    /// Signed distance of the undeformed wheel from the ground, m; negative when touching. An event function.
    pub fn calc_gap(&self, motion: &WheelMotion, ground: &GroundPlane) -> f64 {
        detect::calc_gap(self.params.radius, motion, ground)
    }

    /// Force at the given slip states: the continuous-time form.
    pub fn calc_force(&self, motion: &WheelMotion, ground: &GroundPlane, state: &[f64; STATES]) -> TyreForce {
        self.calc_force_at(motion, ground, state, 0.0).0
    }

    /// Force at the slip states that solve `e = base + h · ė(motion, e)`, and those states: backward Euler with the old
    /// states as `base`, or one substep of any implicit rule.
    pub fn calc_force_at(
        &self,
        motion: &WheelMotion,
        ground: &GroundPlane,
        base: &[f64; STATES],
        h: f64,
    ) -> (TyreForce, [f64; STATES]) {
        let (force, _) = self.calc(motion, ground, base, h);
        (force, stepped(base, h, &force))
    }

    /// As [`BrushTyre::calc_force_at`], with the total derivative of the wrench: the slip states follow the motion.
    pub fn calc_force_implicit(
        &self,
        motion: &WheelMotion,
        ground: &GroundPlane,
        base: &[f64; STATES],
        h: f64,
    ) -> (TyreForce, TyreTangent, [f64; STATES]) {
        let (force, pushing) = self.calc(motion, ground, base, h);
        let mut all = (force, TyreTangent { K: Mat6::zeros(), D: Mat6::zeros() }, stepped(base, h, &force));
        if let Some((foot, loads)) = pushing {
            tangent::update_tangent(&self.params, &foot, &loads, &mut all.1);
        }
        all
    }

    /// detect ⇒ loads ⇒ force; footprint and loads are returned if the wheel touches the ground.
    #[inline(always)]
    fn calc(
        &self,
        motion: &WheelMotion,
        ground: &GroundPlane,
        base: &[f64; STATES],
        h: f64,
    ) -> (TyreForce, Option<(Footprint, force::Loads)>) {
        let foot = Footprint::calc(&self.params, motion, ground);
        if !foot.touching {
            return (force::calc_apart(&self.params, &foot, base, h), None);
        }
        let loads = force::calc_loads(&self.params, &foot, base, h);
        let force = force::calc_touching(&self.params, &foot, &loads, base, h);
        (force, loads.normal.pushing.then_some((foot, loads)))
    }
}

#[inline]
fn stepped(base: &[f64; STATES], h: f64, force: &TyreForce) -> [f64; STATES] {
    [base[0] + h * force.state_rate[0], base[1] + h * force.state_rate[1]]
}
