//! Pressure under a plate against its sinkage: σ = K(b)·δⁿ, in the three forms of terramechanics.

use touchdown_math::Elementary;

/// How pressure grows with sinkage: p = K(b)·zⁿ.
///
/// The third form in use, Bernstein's and Goriatchkin's p = k·zⁿ (Ding et al., Eq. 12), has no width:
/// [`PressureLaw::bernstein`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PressureLaw {
    /// Bekker (Krenn & Hirzinger, Eq. 3; Ding et al., Eq. 13): K = k_c/b + k_φ.
    Bekker {
        /// Cohesive modulus k_c, N/m^(n+1) (not Pa/m^(n+1), as printed after Eq. 15 of Ding et al.).
        cohesive: f64,
        /// Frictional modulus k_φ, N/m^(n+2).
        frictional: f64,
    },
    /// Reece (Ding et al., Eq. 14): p = (k₁ + k₂·b)(z/b)ⁿ, so that K = (k₁ + k₂·b)/bⁿ.
    Reece {
        /// k₁ = c·k′_c, Pa.
        cohesive: f64,
        /// k₂ = γ·k′_φ, Pa/m, with the weight density γ (N/m³; the paper says density).
        frictional: f64,
    },
}

impl PressureLaw {
    /// Bernstein and Goriatchkin (Ding et al., Eq. 12): p = k·zⁿ under any plate, k in Pa/mⁿ.
    pub const fn bernstein(modulus: f64) -> PressureLaw {
        PressureLaw::Bekker { cohesive: 0.0, frictional: modulus }
    }

    /// K(b), Pa/mⁿ, under a contact of width b (m; the radius of a circular plate).
    #[inline]
    pub fn modulus(&self, exponent: f64, b: f64) -> f64 {
        match *self {
            PressureLaw::Bekker { cohesive, frictional } => cohesive / b + frictional,
            PressureLaw::Reece { cohesive, frictional } => (cohesive + frictional * b) / b.power(exponent),
        }
    }
}

/// x^e for x ≥ 0 with its slope and its integral from zero, for energy and stiffness of every power law. Zero
/// at and below zero.
#[inline]
pub fn power(x: f64, exponent: f64) -> Power {
    if x <= 0.0 {
        return Power { value: 0.0, slope: 0.0, integral: 0.0 };
    }
    let value = if exponent == 1.0 { x } else { x.power(exponent) };
    Power { value, slope: exponent * value / x, integral: value * x / (exponent + 1.0) }
}

/// A power with slope and integral.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// x^e.
    pub value: f64,
    /// e·x^(e−1).
    pub slope: f64,
    /// x^(e+1)/(e + 1).
    pub integral: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The three forms give the pressures of Eqs. 12–14: one soil in Bekker's form, the same in Reece's at the width where both agree.
    #[test]
    fn moduli_are_those_of_the_papers() {
        let (n, b) = (1.1, 0.08f64);
        let bekker = PressureLaw::Bekker { cohesive: 990.0, frictional: 1_528_430.0 }.modulus(n, b);
        assert!((bekker - 1.540805e6).abs() < 1e-6 * bekker);
        let reece = PressureLaw::Reece {
            cohesive: 990.0 * b.powf(n - 1.0),
            frictional: 1_528_430.0 * b.powf(n - 1.0),
        };
        assert!((reece.modulus(n, b) / bekker - 1.0).abs() < 1e-14);
        assert_eq!(
            PressureLaw::bernstein(3e5).modulus(n, b),
            PressureLaw::bernstein(3e5).modulus(n, 7.0 * b)
        );
    }

    /// Slope and integral belong to the power (differences).
    #[test]
    fn powers_know_slope_and_integral() {
        let (x, h) = (0.03, 1e-6);
        for e in [0.11, 1.0, 1.3] {
            let p = power(x, e);
            let (up, down) = (power(x + h, e), power(x - h, e));
            assert!(((up.value - down.value) / (2.0 * h) - p.slope).abs() < 1e-7 * p.slope);
            assert!(((up.integral - down.integral) / (2.0 * h) - p.value).abs() < 1e-7 * p.value);
        }
        assert_eq!(power(-1.0, 1.3).value, 0.0);
    }
}
