//! Stress under a round foot over its angle: Wong and Reece's, and its linearised form, for any entry, exit
//! and maximum (Ding et al., Eqs. 20–25, 31, 32).

use super::quadrature::Rule;
use touchdown_math::Elementary;

/// Angles of a contact, rad, positive towards the front: exit θ₂ ≤ θ_m ≤ θ₁ entry. On flat ground with symmetric stress θ₂ = −θ₁ and θ_m = 0 (the paper
/// prints θ₂ = θ₁, for which Eq. 25 would give nothing).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angles {
    /// θ₁.
    pub entry: f64,
    /// θ₂.
    pub exit: f64,
    /// θ_m.
    pub peak: f64,
}

impl Angles {
    /// From the sinkages in front and behind, m (Eq. 20, with the sign of the exit), with the maximum between them at the share `peak` of the entry angle.
    pub fn from_sinkages(radius: f64, front: f64, behind: f64, peak: f64) -> Angles {
        let entry = (1.0 - front / radius).arccosine();
        Angles { entry, exit: -(1.0 - behind / radius).arccosine(), peak: peak * entry }
    }
}

/// Normal stress over the angle, as multiples of K rⁿ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Eq. 21.
    WongReece,
    /// Eqs. 22 and 23: linear from zero at both ends to the maximum.
    Linear,
}

impl Profile {
    /// σ(θ)/(K rⁿ).
    pub fn at(self, angles: &Angles, exponent: f64, theta: f64) -> f64 {
        let Angles { entry, exit, peak } = *angles;
        if theta >= entry || theta <= exit {
            return 0.0;
        }
        let front = theta >= peak;
        match self {
            Profile::WongReece => {
                let like =
                    if front { theta } else { entry - (theta - exit) / (peak - exit) * (entry - peak) };
                (like.cosine() - entry.cosine()).max(0.0).power(exponent)
            }
            Profile::Linear => {
                let most = (peak.cosine() - entry.cosine()).power(exponent);
                most * if front { (entry - theta) / (entry - peak) } else { (theta - exit) / (peak - exit) }
            }
        }
    }
}

/// A, B of Eq. 25: [F_N; F_T] = r b [A B; −B A] [σ_m; τ_m] for stresses that are linear over the angle.
pub fn linear_factors(angles: &Angles) -> (f64, f64) {
    let Angles { entry, exit, peak } = *angles;
    let a =
        (peak.cosine() - exit.cosine()) / (peak - exit) + (peak.cosine() - entry.cosine()) / (entry - peak);
    let b = (peak.sine() - exit.sine()) / (peak - exit) + (peak.sine() - entry.sine()) / (entry - peak);
    (a, b)
}

/// Eq. 32 with its factor ½: force of a ball over R² σ_m, stress linear from the maximum at θ_m to the entry.
pub fn linear_ball(angles: &Angles) -> f64 {
    let Angles { entry, peak, .. } = *angles;
    let mean = ((2.0 * entry).sine() - (2.0 * peak).sine()) / (2.0 * (entry - peak));
    0.5 * std::f64::consts::PI * ((2.0 * peak).cosine() - mean)
}

/// Eq. 24 over r b: normal force and force against the motion of a cylinder, given its normal stress and shear stress over the angle (Pa). Gauss points on both
/// sides of the maximum.
pub fn integrate_cylinder(
    angles: &Angles,
    sigma: impl Fn(f64) -> f64,
    tau: impl Fn(f64) -> f64,
) -> (f64, f64) {
    let rule = Rule::powers_at_end();
    let mut total = [0.0; 2];
    for end in [angles.entry, angles.exit] {
        let span = end - angles.peak;
        let part = rule.sum(|s| {
            let theta = angles.peak + span * s;
            let (sin, cos) = theta.sine_cosine();
            let (n, t) = (sigma(theta), tau(theta));
            [n * cos + t * sin, -n * sin + t * cos]
        });
        total[0] += span.abs() * part[0];
        total[1] += span.abs() * part[1];
    }
    (total[0], total[1])
}
