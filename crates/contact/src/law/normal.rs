//! Normal force of compliant contact as a function of penetration and its rate.

use super::unilateral;
use touchdown_math::Elementary;

/// A normal force with its slopes, energy and heat.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NormalForce {
    /// F, N, never negative.
    pub force: f64,
    /// ∂F/∂s, N/m; zero where the clamp acts.
    pub stiffness: f64,
    /// ∂F/∂ṡ, N s/m; zero where the clamp acts.
    pub damping: f64,
    /// Stored energy, J: a function of s alone.
    pub energy: f64,
    /// Power turned into heat, W, never negative: F ṡ = d(energy)/dt + heat.
    pub dissipated_power: f64,
}

/// Spring and damper, `max(0, k s + d ṡ)` at s > 0; zero when apart. At touchdown it jumps by d ṡ.
#[inline]
pub fn linear(stiffness: f64, damping: f64, s: f64, s_rate: f64) -> NormalForce {
    if s <= 0.0 {
        return NormalForce::default();
    }
    let law = unilateral(stiffness, damping, s, s_rate);
    let slope = if law.pushing { 1.0 } else { 0.0 };
    NormalForce {
        force: law.force,
        stiffness: stiffness * slope,
        damping: damping * slope,
        energy: 0.5 * stiffness * s * s,
        dissipated_power: law.dissipated_power,
    }
}

/// Hunt and Crossley's law, `max(0, k sⁿ (1 + d ṡ))` at s > 0, n ≥ 1; zero when apart. It starts and ends at
/// zero.
///
/// Energy k sⁿ⁺¹/(n + 1), heat d k sⁿ ṡ². Where the clamp acts, ṡ < −1/d, the released energy −k sⁿ ṡ is
/// heat.
///
/// K. H. Hunt, F. R. E. Crossley: Coefficient of restitution interpreted as damping in vibroimpact. J. Appl.
/// Mech. 42 (1975).
#[inline]
pub fn hunt_crossley(stiffness: f64, exponent: f64, damping: f64, s: f64, s_rate: f64) -> NormalForce {
    if s <= 0.0 {
        return NormalForce::default();
    }
    let elastic = stiffness * if exponent == 1.5 { s * s.sqrt() } else { s.power(exponent) };
    let energy = elastic * s / (exponent + 1.0);
    let factor = 1.0 + damping * s_rate;
    if factor > 0.0 {
        NormalForce {
            force: elastic * factor,
            stiffness: exponent * elastic / s * factor,
            damping: elastic * damping,
            energy,
            dissipated_power: elastic * damping * s_rate * s_rate,
        }
    } else {
        NormalForce { energy, dissipated_power: -elastic * s_rate, ..NormalForce::default() }
    }
}

/// Stiffness k of Hertz's law F = k s^(3/2), N/m^1.5: 4/3 E* √R with 1/R the geometric mean of the principal
/// relative curvatures (1/m). Exact for round contacts; about 1 % off for a ratio of curvatures of 2 (K. L.
/// Johnson: Contact Mechanics, 1985, section 4.2).
#[inline]
pub fn hertz_stiffness(modulus: f64, mean_curvature: f64) -> f64 {
    4.0 / 3.0 * modulus / mean_curvature.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASES: [(f64, f64); 6] =
        [(0.01, 0.0), (0.01, 0.4), (0.02, -0.3), (0.003, -2.5), (1e-5, -40.0), (0.0, -1.0)];

    /// Power is stored or dissipated, the force never pulls, and slopes are derivatives (central differences,
    /// error ~ 1e-10 of the scale).
    #[test]
    fn laws_balance_and_slopes_are_derivatives() {
        let laws: [fn(f64, f64) -> NormalForce; 3] = [
            |s, r| linear(2e4, 30.0, s, r),
            |s, r| hunt_crossley(1e6, 1.5, 0.8, s, r),
            |s, r| hunt_crossley(3e5, 1.2, 0.6, s, r),
        ];
        for law in laws {
            for (s, rate) in CASES {
                let f = law(s, rate);
                assert!(f.force >= 0.0 && f.dissipated_power >= 0.0);
                let h = 1e-6 * s;
                let difference = |a: NormalForce, b: NormalForce, h: f64| {
                    if h > 0.0 { (a.force - b.force) / (2.0 * h) } else { 0.0 }
                };
                let stored = if s > 0.0 {
                    (law(s + h, rate).energy - law(s - h, rate).energy) / (2.0 * h)
                } else {
                    0.0
                };
                let balance = f.force * rate - stored * rate - f.dissipated_power;
                assert!(
                    balance.abs() < 1e-8 * (1.0 + f.dissipated_power + (stored * rate).abs()),
                    "{balance}"
                );
                let along = difference(law(s + h, rate), law(s - h, rate), h);
                assert!((along - f.stiffness).abs() < 1e-6 * (1.0 + along.abs()), "{along} {}", f.stiffness);
                let over = difference(law(s, rate + 1e-6), law(s, rate - 1e-6), 1e-6);
                assert!((over - f.damping).abs() < 1e-5 * (1.0 + over.abs()), "{over} {}", f.damping);
            }
        }
    }

    /// Two spheres: Hertz's force is 4/3 E* √(R₁R₂/(R₁ + R₂)) s^(3/2).
    #[test]
    fn hertz_is_that_of_two_spheres() {
        let (r1, r2, modulus, s) = (0.2f64, 0.3f64, 7e9, 1e-4f64);
        let k = hertz_stiffness(modulus, 1.0 / r1 + 1.0 / r2);
        let expected = 4.0 / 3.0 * modulus * (r1 * r2 / (r1 + r2)).sqrt() * s.powf(1.5);
        assert!((hunt_crossley(k, 1.5, 0.0, s, 0.0).force / expected - 1.0).abs() < 1e-14);
    }
}
