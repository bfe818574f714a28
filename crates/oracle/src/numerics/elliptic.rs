//! Complete elliptic integral and Jacobi elliptic functions by the arithmetic–geometric mean.
//! Called by the problems whose motion is elliptic: pendulum, four-bar, torque-free body.
//!
//! Everything takes the *complementary* parameter m₁ = 1 − m, because motions close to a separatrix have m₁ ≪ 1 and
//! lose digits if it is formed by subtraction. Source: Abramowitz & Stegun 17.6 and 16.4.

/// sn, cn, dn and the amplitude at one argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jacobi {
    pub(crate) sn: f64,
    pub(crate) cn: f64,
    pub(crate) dn: f64,
    pub(crate) amplitude: f64,
}

/// The arithmetic–geometric mean of two positive numbers.
pub(crate) fn agm(mut a: f64, mut b: f64) -> f64 {
    // Quadratic convergence: from any ratio above 1e-15 seven rounds reach rounding; the loop never needs more than ten.
    for _ in 0..10 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

/// Complete elliptic integral of the first kind, K(m) with m = 1 − m₁.
pub(crate) fn complete(m1: f64) -> f64 {
    std::f64::consts::FRAC_PI_2 / agm(1.0, m1.sqrt())
}

/// Jacobi's functions of the argument u with complementary parameter m₁ in (0, 1].
pub(crate) fn jacobi(u: f64, m1: f64) -> Jacobi {
    // The descending recurrence multiplies u by 2^N: turns are removed first, so that their digits are not lost.
    let quarter = complete(m1);
    let turns = (u / (4.0 * quarter)).round();
    let reduced = u - turns * 4.0 * quarter;
    let m = 1.0 - m1;

    const LEVELS: usize = 8;
    let (mut a, mut b, mut c) = ([1.0; LEVELS], m1.sqrt(), [0.0; LEVELS]);
    c[0] = m.sqrt();
    for n in 1..LEVELS {
        let (previous, root) = (a[n - 1], b);
        a[n] = 0.5 * (previous + root);
        c[n] = 0.5 * (previous - root);
        b = (previous * root).sqrt();
    }
    let mut phase = (1u32 << (LEVELS - 1)) as f64 * a[LEVELS - 1] * reduced;
    for n in (1..LEVELS).rev() {
        phase = 0.5 * (phase + (c[n] * phase.sin() / a[n]).asin());
    }
    let (sn, cn) = phase.sin_cos();
    Jacobi { sn, cn, dn: (m1 + m * cn * cn).sqrt(), amplitude: phase + turns * std::f64::consts::TAU }
}

/// The argument u in [0, 4K) whose amplitude is `phase` in [0, 2π), by bisection on the monotone amplitude.
pub(crate) fn argument_of(phase: f64, m1: f64) -> f64 {
    let (mut low, mut high) = (0.0, 4.0 * complete(m1));
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if jacobi(middle, m1).amplitude < phase { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gauss's lemniscate constant: K(1/2) = Γ(1/4)²/(4√π) = 1.854 074 677 301 371 9 (Abramowitz & Stegun table 17.1).
    #[test]
    fn complete_integral_of_the_lemniscate() {
        assert!((complete(0.5) - 1.854_074_677_301_371_9).abs() < 1e-15);
    }

    /// sn(K/2) = 1/√(1 + k′) and cn(K/2) = √(k′/(1 + k′)), dn(K/2) = √k′ for every parameter.
    #[test]
    fn half_quarter_period_values() {
        for m1 in [0.9, 0.5, 0.1, 1e-3] {
            let (j, root) = (jacobi(0.5 * complete(m1), m1), f64::sqrt(m1));
            assert!((j.sn - (1.0 / (1.0 + root)).sqrt()).abs() < 1e-14);
            assert!((j.cn - (root / (1.0 + root)).sqrt()).abs() < 1e-14);
            assert!((j.dn - root.sqrt()).abs() < 1e-14);
        }
    }

    /// The amplitude is inverted by its argument, also past the first quarter.
    #[test]
    fn argument_inverts_amplitude() {
        for u in [0.3, 2.0, 5.0] {
            let m1 = 0.02;
            assert!((argument_of(jacobi(u, m1).amplitude, m1) - u).abs() < 1e-13);
        }
    }
}
