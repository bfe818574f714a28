//! Elementary functions that give the same bits on every machine.
//!
//! The functions of the standard library (`f64::sin`, `f64::powf` …) are those of the system: glibc picks a variant by the
//! processor, with and without fused multiply-add, and their last digits differ. Here each is computed by the `libm` crate, from
//! additions, multiplications, divisions and square roots alone, which IEEE 754 rounds in one way. The names are words, so that
//! they cannot be taken for those of the standard library, which clippy refuses in the crates that compute (`clippy.toml`).

/// Elementary functions of `f64`, the same bits everywhere.
pub trait Elementary: Copy {
    /// sin x.
    fn sine(self) -> Self;
    /// cos x.
    fn cosine(self) -> Self;
    /// (sin x, cos x), for little more than one of them.
    fn sine_cosine(self) -> (Self, Self);
    /// tan x.
    fn tangent(self) -> Self;
    /// arcsin x, in −π/2 … π/2.
    fn arcsine(self) -> Self;
    /// arccos x, in 0 … π.
    fn arccosine(self) -> Self;
    /// arctan x, in −π/2 … π/2.
    fn arctangent(self) -> Self;
    /// Angle of the point (x, y) from the x axis, in −π … π; `self` is y.
    fn arctangent2(self, x: Self) -> Self;
    /// eˣ.
    fn exponential(self) -> Self;
    /// eˣ − 1, exact for small x.
    fn exponential_less_one(self) -> Self;
    /// ln x.
    fn natural_log(self) -> Self;
    /// ln(1 + x), exact for small x.
    fn natural_log_one_plus(self) -> Self;
    /// log₁₀ x.
    fn decimal_log(self) -> Self;
    /// log₂ x.
    fn binary_log(self) -> Self;
    /// xʸ.
    fn power(self, y: Self) -> Self;
    /// xⁿ by repeated squaring, lowest bit of n first; a negative power is the reciprocal of the positive one.
    fn whole_power(self, n: i32) -> Self;
    /// √(x² + y²) without overflow.
    fn hypotenuse(self, y: Self) -> Self;
    /// sinh x.
    fn hyperbolic_sine(self) -> Self;
    /// cosh x.
    fn hyperbolic_cosine(self) -> Self;
    /// tanh x.
    fn hyperbolic_tangent(self) -> Self;
    /// arsinh x.
    fn inverse_hyperbolic_sine(self) -> Self;
    /// ∛x.
    fn cube_root(self) -> Self;
}

impl Elementary for f64 {
    #[inline]
    fn sine(self) -> f64 {
        libm::sin(self)
    }

    #[inline]
    fn cosine(self) -> f64 {
        libm::cos(self)
    }

    #[inline]
    fn sine_cosine(self) -> (f64, f64) {
        libm::sincos(self)
    }

    #[inline]
    fn tangent(self) -> f64 {
        libm::tan(self)
    }

    #[inline]
    fn arcsine(self) -> f64 {
        libm::asin(self)
    }

    #[inline]
    fn arccosine(self) -> f64 {
        libm::acos(self)
    }

    #[inline]
    fn arctangent(self) -> f64 {
        libm::atan(self)
    }

    #[inline]
    fn arctangent2(self, x: f64) -> f64 {
        libm::atan2(self, x)
    }

    #[inline]
    fn exponential(self) -> f64 {
        libm::exp(self)
    }

    #[inline]
    fn exponential_less_one(self) -> f64 {
        libm::expm1(self)
    }

    #[inline]
    fn natural_log(self) -> f64 {
        libm::log(self)
    }

    #[inline]
    fn natural_log_one_plus(self) -> f64 {
        libm::log1p(self)
    }

    #[inline]
    fn decimal_log(self) -> f64 {
        libm::log10(self)
    }

    #[inline]
    fn binary_log(self) -> f64 {
        libm::log2(self)
    }

    #[inline]
    fn power(self, y: f64) -> f64 {
        libm::pow(self, y)
    }

    // Where n is a constant, the loop unrolls to the multiplications alone.
    #[inline]
    fn whole_power(self, n: i32) -> f64 {
        let (mut result, mut square, mut rest) = (1.0, self, n.unsigned_abs());
        while rest != 0 {
            if rest & 1 == 1 {
                result *= square;
            }
            rest >>= 1;
            if rest != 0 {
                square *= square;
            }
        }
        if n < 0 { 1.0 / result } else { result }
    }

    #[inline]
    fn hypotenuse(self, y: f64) -> f64 {
        libm::hypot(self, y)
    }

    #[inline]
    fn hyperbolic_sine(self) -> f64 {
        libm::sinh(self)
    }

    #[inline]
    fn hyperbolic_cosine(self) -> f64 {
        libm::cosh(self)
    }

    #[inline]
    fn hyperbolic_tangent(self) -> f64 {
        libm::tanh(self)
    }

    #[inline]
    fn inverse_hyperbolic_sine(self) -> f64 {
        libm::asinh(self)
    }

    #[inline]
    fn cube_root(self) -> f64 {
        libm::cbrt(self)
    }
}

#[cfg(test)]
mod tests {
    use super::Elementary;

    /// Pairs (ours, the system's) of all functions at a point in 0 < x < 1.
    fn pairs(x: f64) -> [(f64, f64); 22] {
        let wide = 40.0 * x - 20.0;
        let (ours, system) = (wide.sine_cosine(), wide.sin_cos());
        [
            (wide.sine(), wide.sin()),
            (wide.cosine(), wide.cos()),
            (ours.0, system.0),
            (ours.1, system.1),
            (wide.tangent(), wide.tan()),
            (x.arcsine(), x.asin()),
            (x.arccosine(), x.acos()),
            (wide.arctangent(), wide.atan()),
            (wide.arctangent2(x), wide.atan2(x)),
            (wide.exponential(), wide.exp()),
            (x.exponential_less_one(), x.exp_m1()),
            (x.natural_log(), x.ln()),
            (x.natural_log_one_plus(), x.ln_1p()),
            (x.decimal_log(), x.log10()),
            (x.binary_log(), x.log2()),
            (x.power(wide), x.powf(wide)),
            (wide.whole_power(7), wide.powi(7)),
            (wide.hypotenuse(x), wide.hypot(x)),
            (wide.hyperbolic_sine(), wide.sinh()),
            (wide.hyperbolic_cosine(), wide.cosh()),
            (wide.hyperbolic_tangent(), wide.tanh()),
            (wide.inverse_hyperbolic_sine(), wide.asinh()),
        ]
    }

    /// Every function is within a few units in the last place of the system's, whose own error is below one.
    #[test]
    fn functions_are_accurate() {
        for k in 1..4000 {
            for (which, (ours, system)) in pairs(f64::from(k) / 4000.0).into_iter().enumerate() {
                let allowed = 8.0 * f64::EPSILON * system.abs().max(1e-300);
                assert!((ours - system).abs() <= allowed, "function {which} at {k}: {ours:e} and {system:e}");
            }
        }
        assert_eq!(27f64.cube_root(), 3.0);
    }

    /// Bits of one number each, noted once: a machine that computes others is not covered by the promise.
    #[test]
    fn bits_are_those_of_every_machine() {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for k in 1..4000 {
            // A fixed start that no machine rounds differently; the pairs' second halves are the system's and stay out.
            for (which, (ours, _)) in pairs(f64::from(k) / 4000.0).into_iter().enumerate() {
                let bits = if which == 21 { f64::from(k).cube_root().to_bits() } else { ours.to_bits() };
                hash = (hash ^ bits).wrapping_mul(0x0100_0000_01b3);
            }
        }
        assert_eq!(hash, 0x1df1732d28e63b09, "{hash:#x}");
    }

    /// Whole powers are products: exact where the products are.
    #[test]
    fn whole_powers() {
        assert_eq!(3f64.whole_power(5), 243.0);
        assert_eq!(2f64.whole_power(-3), 0.125);
        assert_eq!(0f64.whole_power(0), 1.0);
        assert_eq!(2f64.whole_power(i32::MIN), 0.0);
    }
}
