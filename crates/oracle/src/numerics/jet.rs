//! Numbers that carry their first and second derivative along a one-parameter path (truncated Taylor arithmetic).
//! With them a one-degree-of-freedom mechanism is written as its kinematics only; `Reduced` turns that into dynamics.

use std::ops::{Add, Mul, Neg, Sub};

/// A value with its first and second derivative by the path parameter.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Jet {
    pub(crate) value: f64,
    pub(crate) d: f64,
    pub(crate) dd: f64,
}

impl Jet {
    /// A value that changes along the path with the given derivatives.
    pub(crate) fn new(value: f64, d: f64, dd: f64) -> Jet {
        Jet { value, d, dd }
    }

    /// A value that does not change along the path.
    pub(crate) fn constant(value: f64) -> Jet {
        Jet::new(value, 0.0, 0.0)
    }

    fn chain(self, f: f64, df: f64, ddf: f64) -> Jet {
        Jet::new(f, df * self.d, ddf * self.d * self.d + df * self.dd)
    }

    pub(crate) fn sin(self) -> Jet {
        let (s, c) = self.value.sin_cos();
        self.chain(s, c, -s)
    }

    pub(crate) fn cos(self) -> Jet {
        let (s, c) = self.value.sin_cos();
        self.chain(c, -s, -c)
    }

    pub(crate) fn sqrt(self) -> Jet {
        let r = self.value.sqrt();
        self.chain(r, 0.5 / r, -0.25 / (r * self.value))
    }

    pub(crate) fn asin(self) -> Jet {
        let w = 1.0 - self.value * self.value;
        self.chain(self.value.asin(), 1.0 / w.sqrt(), self.value / (w * w.sqrt()))
    }
}

impl Add for Jet {
    type Output = Jet;
    fn add(self, o: Jet) -> Jet {
        Jet::new(self.value + o.value, self.d + o.d, self.dd + o.dd)
    }
}

impl Sub for Jet {
    type Output = Jet;
    fn sub(self, o: Jet) -> Jet {
        self + (-o)
    }
}

impl Neg for Jet {
    type Output = Jet;
    fn neg(self) -> Jet {
        Jet::new(-self.value, -self.d, -self.dd)
    }
}

impl Mul for Jet {
    type Output = Jet;
    fn mul(self, o: Jet) -> Jet {
        Jet::new(
            self.value * o.value,
            self.d * o.value + self.value * o.d,
            self.dd * o.value + 2.0 * self.d * o.d + self.value * o.dd,
        )
    }
}

impl Mul<f64> for Jet {
    type Output = Jet;
    fn mul(self, k: f64) -> Jet {
        Jet::new(self.value * k, self.d * k, self.dd * k)
    }
}

/// The reduced inertia of a one-degree-of-freedom mechanism: with path parameter s and every coordinate x(s),
/// T = ½ M ṡ², M = Σ w x′², and Lagrange's equation reads M s̈ + ½ M′ ṡ² = Q with ½ M′ = Σ w x′ x″.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reduced {
    pub(crate) inertia: f64,
    pub(crate) half_slope: f64,
}

impl Reduced {
    /// Adds a coordinate with its weight: a mass for a position, a moment of inertia for an angle.
    pub(crate) fn add(&mut self, weight: f64, x: Jet) {
        self.inertia += weight * x.d * x.d;
        self.half_slope += weight * x.d * x.dd;
    }

    /// s̈ under the generalised force Q at the speed ṡ.
    pub(crate) fn acceleration(&self, force: f64, speed: f64) -> f64 {
        (force - self.half_slope * speed * speed) / self.inertia
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Derivatives of a composed function agree with its own closed form: x = asin(sin²s)·√(2 + cos s) against central
    /// differences, whose truncation is h² and whose rounding is eps/h² (h = 1e-4: both near 1e-8).
    #[test]
    fn derivatives_match_differences() {
        let f = |s: f64| {
            let s = Jet::new(s, 1.0, 0.0);
            (s.sin() * s.sin()).asin() * (Jet::constant(2.0) + s.cos()).sqrt()
        };
        let (s, h) = (0.8, 1e-4);
        let (low, mid, high) = (f(s - h), f(s), f(s + h));
        assert!((mid.d - (high.value - low.value) / (2.0 * h)).abs() < 1e-7);
        assert!((mid.dd - (high.d - low.d) / (2.0 * h)).abs() < 1e-7);
    }
}
