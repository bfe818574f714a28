//! Force: distance and motion of a point and its bristle ⇒ force, energy, heat, rate of the bristle, and the weighted derivative of the force.

use super::detect::Gap;
use super::{FrictionLaw, NormalLaw, SurfaceLaw};
use crate::law::friction::{BristleMotion, bristle, falling_coefficient, regularised};
use crate::law::normal::{NormalForce, hertz_stiffness, hunt_crossley, linear};
use touchdown_math::{Mat3, Vec3};

/// A point and its velocity, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointMotion {
    /// Place, m.
    pub p_W: Vec3,
    /// Velocity, m/s.
    pub v_W: Vec3,
}

/// Effect of the ground on a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointForce {
    /// Force on the point, N.
    pub force: Vec3,
    /// N, N, never negative.
    pub normal_force: f64,
    /// Rate of the bristle's deflection, m/s.
    pub state_rate: Vec3,
    /// Deflection at the end of the step, m.
    pub state: Vec3,
    /// Stored, J.
    pub energy: f64,
    /// Turned into heat, W, never negative.
    pub dissipated_power: f64,
}

/// Force on a point at a distance from the ground. The bristle reaches z = base + h ż at the end of a step; h = 0 is the continuous form. With weights
/// (of ∂f/∂p and ∂f/∂v) also the weighted derivative; how the ground's curvature turns velocities and bristles is left out of it.
#[inline]
pub fn calc_force(
    law: &SurfaceLaw,
    gap: &Gap,
    motion: &PointMotion,
    (base, h): (&Vec3, f64),
    weights: Option<(f64, f64)>,
) -> (PointForce, Mat3) {
    let touches = gap.value < 0.0;
    if !touches && *base == Vec3::zeros() {
        return (PointForce::default(), Mat3::zeros());
    }
    let (g, v) = (gap.gradient, motion.v_W);
    let normal = calc_normal(&law.normal, -gap.value, -g.dot(&v));
    let n = g.normalize();
    let v_t = v - n * n.dot(&v);
    let mut out = PointForce {
        force: g * normal.force,
        normal_force: normal.force,
        energy: normal.energy,
        dissipated_power: normal.dissipated_power,
        ..PointForce::default()
    };
    let mut slope = Mat3::zeros();
    // Change of N by a change of place and by one of velocity, both along g.
    let (wq, wv) = weights.unwrap_or((0.0, 0.0));
    let N_slope = g * -(wq * normal.stiffness + wv * normal.damping);
    if weights.is_some() {
        slope = g * N_slope.transpose() + gap.bend * (wq * normal.force);
    }
    let across = Mat3::identity() - n * n.transpose();
    match law.friction {
        FrictionLaw::Frictionless => {}
        FrictionLaw::Regularised { coefficient, speed } => {
            let law = regularised(coefficient * normal.force, speed, &v_t);
            out.force += law.force;
            out.dissipated_power += law.dissipated_power;
            if weights.is_some() {
                let d = law.direction;
                let turning = (across - d * d.transpose()) * (-wv * coefficient * normal.force / law.speed);
                slope += d * N_slope.transpose() * coefficient + turning;
            }
        }
        FrictionLaw::StickSlip { stick, slip, speed, stiffness, damping } => {
            let (mu, mu_slope) = if slip < stick {
                falling_coefficient(stick, slip, speed, v_t.norm_squared())
            } else {
                (stick, 0.0)
            };
            let grip = mu * normal.force;
            // The bristle turns with the normal of the ground below.
            let W = n.cross(&(gap.bend * v));
            let law = bristle(stiffness, damping, grip, (base, h), &BristleMotion { v: v_t, n, W });
            out.force -= law.force;
            out.energy += law.energy;
            out.dissipated_power += law.dissipated_power;
            let step = base + law.rate * h;
            out.state =
                (step + h * W.cross(&step) + (h * h * W.dot(&step)) * W) / (1.0 + h * h * W.norm_squared());
            out.state_rate = law.rate + W.cross(&out.state);
            if weights.is_some() {
                let resistance = wv * (damping + h * stiffness);
                if !law.sliding {
                    slope -= across * resistance;
                } else if grip > 0.0 {
                    let d = law.force / grip;
                    let falls = v_t * (2.0 * wv * mu_slope * normal.force);
                    slope -= d * (N_slope * mu + falls).transpose()
                        + (across - d * d.transpose()) * (resistance * grip / law.wanted);
                }
            }
            if !touches && out.state.norm_squared() < RELAXED * RELAXED {
                out.state = Vec3::zeros();
            }
        }
    }
    (out, slope)
}

/// Deflection below which a bristle in the air counts as relaxed, m: its energy is below round-off of any other.
const RELAXED: f64 = 1e-12;

fn calc_normal(law: &NormalLaw, s: f64, s_rate: f64) -> NormalForce {
    match *law {
        NormalLaw::Linear { stiffness, damping } => linear(stiffness, damping, s, s_rate),
        NormalLaw::HuntCrossley { stiffness, exponent, damping } => {
            hunt_crossley(stiffness, exponent, damping, s, s_rate)
        }
        NormalLaw::Hertz { modulus, damping } => {
            hunt_crossley(hertz_stiffness(modulus, 1.0), 1.5, damping, s, s_rate)
        }
    }
}
