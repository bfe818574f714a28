//! Soil mechanics in closed form and by quadrature: plates, feet, rigid wheels and heaps. References for the soil contact model.
//!
//! Here: what the problems share, soil, wheel and the forces between them. Pressure follows p = K zⁿ at the depth z below the undisturbed
//! surface; Bekker's modulus is K = k_c/b + k_φ, Reece's K = (k₁ + k₂ b)/bⁿ. Shear strength is Mohr–Coulomb's, c + p tan φ.
//!
//! Wheels roll towards +x; the angle θ of a point of the rim counts from bottom dead centre, positive ahead. Per width of rim r dθ, with
//! pressure σ along the rim's normal and shear τ that pushes the wheel forward (Bekker 1969; Wong & Reece 1967):
//! W = r b ∫ (σ cos θ + τ sin θ) dθ,  P = r b ∫ (τ cos θ − σ sin θ) dθ,  T = r² b ∫ τ dθ.

pub mod foot;
pub mod heap;
pub mod plate;
pub mod rigid_wheel;
pub mod wong_reece;

use crate::numerics::quadrature::Gauss;

/// A soil under a body of known width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Soil {
    /// Modulus of sinkage K, Pa/mⁿ: see [`plate::bekker_modulus`] and [`plate::reece_modulus`].
    pub modulus: f64,
    /// Exponent of sinkage n (> 0).
    pub exponent: f64,
    /// Cohesion c, Pa.
    pub cohesion: f64,
    /// Angle of internal friction φ, rad.
    pub friction_angle: f64,
}

impl Soil {
    /// Pressure at a depth, Pa.
    pub fn pressure(&self, depth: f64) -> f64 {
        self.modulus * depth.powf(self.exponent)
    }

    /// Shear stress that it bears under a pressure, Pa.
    pub fn shear_strength(&self, pressure: f64) -> f64 {
        self.cohesion + pressure * self.friction_angle.tan()
    }
}

/// A rigid wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wheel {
    /// Radius r, m.
    pub radius: f64,
    /// Width b, m.
    pub width: f64,
}

impl Wheel {
    /// The angle at which the rim is `rise` (0 to 2r) above its lowest point, rad; without cancellation for small ones.
    fn angle_at_rise(&self, rise: f64) -> f64 {
        2.0 * (0.5 * rise / self.radius).sqrt().asin()
    }

    /// r (cos θ − cos θ_end) for θ at the distance `d` inside `end`, both on the same side of bottom dead centre: its depth below the end.
    fn depth_inside(&self, end: f64, d: f64) -> f64 {
        2.0 * self.radius * (end - 0.5 * d).sin() * (0.5 * d).sin()
    }

    /// Integrates an arc of `length` whose point at the distance d from its (possibly singular) beginning has θ, σ and τ.
    fn integrate(&self, gauss: &Gauss, length: f64, stress: impl Fn(f64) -> [f64; 3]) -> Forces {
        self.integrate_aside(gauss, length, |d| {
            let [angle, sigma, tau] = stress(d);
            [angle, sigma, tau, 0.0]
        })
    }

    /// The same with shear along the axle, the fourth number.
    fn integrate_aside(&self, gauss: &Gauss, length: f64, stress: impl Fn(f64) -> [f64; 4]) -> Forces {
        let [vertical, thrust, resistance, moment, side] = gauss.integrate_from_end(length, |d| {
            let [angle, sigma, tau, across] = stress(d);
            let (sin, cos) = angle.sin_cos();
            [sigma * cos + tau * sin, tau * cos, sigma * sin, tau, across]
        });
        let area = self.radius * self.width;
        Forces {
            load_n: area * vertical,
            pull_n: area * (thrust - resistance),
            torque_n_m: self.radius * area * moment,
            resistance_n: area * resistance,
            side_n: area * side,
        }
    }
}

/// Forces between a wheel and soil.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Forces {
    /// Vertical force W that the soil bears, N.
    pub load_n: f64,
    /// Drawbar pull P: the horizontal force of the soil on the wheel, N; negative where it must be towed.
    pub pull_n: f64,
    /// Torque T that turns the wheel, N m.
    pub torque_n_m: f64,
    /// The part of the pressure in it, R = r b ∫ σ sin θ dθ, N: compaction resistance, against the motion.
    pub resistance_n: f64,
    /// Force along the axle, against the sideways motion, N.
    pub side_n: f64,
}

impl std::ops::Add for Forces {
    type Output = Forces;

    fn add(self, other: Forces) -> Forces {
        Forces {
            load_n: self.load_n + other.load_n,
            pull_n: self.pull_n + other.pull_n,
            torque_n_m: self.torque_n_m + other.torque_n_m,
            resistance_n: self.resistance_n + other.resistance_n,
            side_n: self.side_n + other.side_n,
        }
    }
}

/// The argument in (0, `high`) at which a growing function passes `wanted`, to rounding; `None` if it stays below up to `high`.
fn solve_growing(wanted: f64, high: f64, f: impl Fn(f64) -> f64) -> Option<f64> {
    let (mut low, mut high) = (0.0, high);
    // Written so that a value that is not a number is refused, too.
    let reached = f(high) >= wanted;
    if !reached {
        return None;
    }
    // Halvings until the bracket cannot be split further; a hundred also resolve roots far smaller than the range.
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if f(middle) < wanted { low = middle } else { high = middle }
    }
    Some(0.5 * (low + high))
}
