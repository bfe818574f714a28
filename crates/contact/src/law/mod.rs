//! Shared laws of contact models: the spring and damper without tension, normal laws of compliant contact
//! ([`normal`], [`hunt_crossley`]), friction of a point ([`friction`]), pressure and shear of soil
//! ([`sinkage`], [`shear`]), and two regularisations at zero speed. Each returns its slope beside its value,
//! because every model hands derivatives to the implicit integrators.

pub mod friction;
pub mod hunt_crossley;
pub mod normal;
pub mod shear;
pub mod sinkage;

/// A spring and damper in parallel that pushes but never pulls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unilateral {
    /// Force, N, never negative.
    pub force: f64,
    /// Power turned into heat, W, never negative.
    pub dissipated_power: f64,
    /// Whether the force depends on the motion, that is, whether the clamp is idle.
    pub pushing: bool,
}

/// Force `max(0, k s + c ṡ)` at the penetration `s > 0` (m) with the rate `s_rate` (m/s).
///
/// The stored energy is `½ k s²` as long as `s > 0`. Where the clamp acts, the surfaces separate faster than
/// the layer can follow: no force does work, and the energy released by the decreasing `s` is heat, `−k s ṡ`.
/// The clamp acts only for
/// `ṡ < −k s / c`, so that this is positive, and `force · ṡ = d(½ k s²)/dt + dissipated_power` holds on both branches.
#[inline]
pub fn unilateral(stiffness: f64, damping: f64, s: f64, s_rate: f64) -> Unilateral {
    let force = stiffness * s + damping * s_rate;
    if force > 0.0 {
        Unilateral { force, dissipated_power: damping * s_rate * s_rate, pushing: true }
    } else {
        Unilateral { force: 0.0, dissipated_power: -stiffness * s * s_rate, pushing: false }
    }
}

/// Sign of `x` that passes smoothly through zero within ±1, and its slope: `x(3 − x²)/2`, exactly ±1 beyond.
///
/// Once continuously differentiable; unlike `tanh` it is exact away from zero, so that steady values stay exact.
#[inline]
pub fn smooth_sign(x: f64) -> (f64, f64) {
    if x.abs() >= 1.0 { (1f64.copysign(x), 0.0) } else { (0.5 * x * (3.0 - x * x), 1.5 * (1.0 - x * x)) }
}

/// `x ≥ 0` kept away from zero, and its slope: `x` itself from `floor` on, `(x² + floor²)/(2 floor)` below.
///
/// Once continuously differentiable, at least `floor / 2`: a denominator that is exact except near zero.
#[inline]
pub fn smooth_floor(x: f64, floor: f64) -> (f64, f64) {
    if x >= floor { (x, 1.0) } else { (0.5 * (x * x / floor + floor), x / floor) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The clamped spring and damper never pulls, never creates energy, and its power is stored or dissipated.
    #[test]
    fn unilateral_balances_energy() {
        let (k, c) = (8250.0, 8140.0);
        for (s, s_rate) in [(0.024, 0.0), (0.01, 0.3), (0.01, -0.005), (0.01, -0.3), (1e-6, -2.0)] {
            let n = unilateral(k, c, s, s_rate);
            assert!(n.force >= 0.0 && n.dissipated_power >= 0.0);
            let balance = n.force * s_rate - k * s * s_rate - n.dissipated_power;
            assert!(balance.abs() < 1e-12 * (1.0 + n.dissipated_power), "{balance}");
        }
        assert!((unilateral(k, c, 0.024, 0.0).force - 198.0).abs() < 1e-12);
        assert!(!unilateral(k, c, 0.01, -0.3).pushing);
    }

    /// The regularisations join without a step in value or slope and are exact outside their zone.
    #[test]
    fn regularisations_join_smoothly() {
        let tiny = 1e-9;
        let (inside, outside) = (smooth_sign(1.0 - tiny), smooth_sign(1.0 + tiny));
        assert!((inside.0 - outside.0).abs() < 1e-15 && (inside.1 - outside.1).abs() < 1e-8);
        assert_eq!(smooth_sign(-3.0), (-1.0, 0.0));
        assert_eq!(smooth_sign(0.0).0, 0.0);
        let (inside, outside) = (smooth_floor(2.0 - tiny, 2.0), smooth_floor(2.0 + tiny, 2.0));
        assert!((inside.0 - outside.0).abs() < 3.0 * tiny && (inside.1 - outside.1).abs() < tiny);
        assert_eq!(smooth_floor(0.0, 2.0), (1.0, 0.0));
        assert_eq!(smooth_floor(5.0, 2.0), (5.0, 1.0));
    }
}
