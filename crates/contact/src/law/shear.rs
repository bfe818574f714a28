//! Shear of soil under a contact: the share of its strength that a displacement mobilises, and a bristle with
//! the same behaviour under changing load and direction.
//!
//! The papers write the force as a function of the displacement j since touchdown (Ding et al., Eqs. 36–44,
//! 56). Literally, this is an elastic law: a foot that moves back would recover all its work, and more under
//! a higher load. Here the curve is that of steady loading, dG/dj = (A/K)·m(G/A); loading and unloading
//! follow a bristle of fixed stiffness, and the rest is slip. Under constant strength A both give the same
//! curve.

use touchdown_math::Elementary;
use touchdown_math::Vec3;

/// Ratio K′/K of the tanh form (Ding et al., Eq. 43): at most 0.072 from the exponential, at j = 0.53 K. The smallest possible is at 1.338.
pub const TANH_RATIO: f64 = 1.5;

/// Share of the strength that a shear displacement j mobilises, with the shear length K.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mobilisation {
    /// Janosi & Hanamoto, sgn j (1 − e^(−|j|/K)) (Ding et al., Eqs. 15, 36–38, 56).
    Janosi,
    /// tanh(j/(1.5 K)) (Eqs. 42–44, 56).
    Tanh,
    /// j/(2K) up to 2K, one beyond (Eqs. 39–41). At most 0.153 from the exponential, at j = 0.693 K; it begins with half of its slope.
    Linear,
    /// A spring up to the grip, then sliding: Coulomb with stick. The spring is that of the bristle; K is not
    /// used.
    Stick,
}

impl Mobilisation {
    /// Share at the displacement j and its slope over j, 1/m. `Stick` has no length: the whole share acts as
    /// soon as it moves.
    #[inline]
    pub fn share(self, j: f64, length: f64) -> (f64, f64) {
        let x = j / length;
        match self {
            Mobilisation::Janosi => {
                let rest = (-x.abs()).exponential();
                ((1.0 - rest).copysign(x), rest / length)
            }
            Mobilisation::Tanh => {
                let y = (x / TANH_RATIO).hyperbolic_tangent();
                (y, (1.0 - y * y) / (TANH_RATIO * length))
            }
            Mobilisation::Linear if x.abs() <= 2.0 => (0.5 * x, 0.5 / length),
            Mobilisation::Linear => (1f64.copysign(x), 0.0),
            Mobilisation::Stick => (if j == 0.0 { 0.0 } else { 1f64.copysign(j) }, 0.0),
        }
    }

    /// Work over strength that a displacement from zero to j ≥ 0 takes, m: the integral of the share.
    #[inline]
    pub fn work(self, j: f64, length: f64) -> f64 {
        let x = j.abs() / length;
        match self {
            Mobilisation::Janosi => length * (x + (-x).exponential_less_one()),
            Mobilisation::Tanh => {
                let u = x / TANH_RATIO;
                // ln cosh u without overflow.
                TANH_RATIO
                    * length
                    * (u + (-2.0 * u).exponential().natural_log_one_plus() - std::f64::consts::LN_2)
            }
            Mobilisation::Linear if x <= 2.0 => 0.25 * length * x * x,
            Mobilisation::Linear => length * (x - 1.0),
            Mobilisation::Stick => j.abs(),
        }
    }

    /// m(y) = K dy/dj of steady loading at the share y in [0, 1].
    #[inline]
    fn growth(self, y: f64) -> f64 {
        match self {
            Mobilisation::Janosi => 1.0 - y,
            Mobilisation::Tanh => (1.0 - y * y) / TANH_RATIO,
            Mobilisation::Linear => 0.5,
            Mobilisation::Stick => 0.0,
        }
    }
}

/// The bristle: spring k and damper d in the tangent plane, in series with soil that slips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShearBristle {
    /// Which curve it follows.
    pub curve: Mobilisation,
    /// Shear length K, m.
    pub length: f64,
    /// Stiffness k of unloading, N/m. Below A/K it is the initial slope of the curve.
    pub stiffness: f64,
    /// Damping d, N s/m, above zero: it lets the deflection follow a grip that falls.
    pub damping: f64,
}

/// Result of a bristle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shear {
    /// Resistance G, N: on the foot that moves with +v it acts with −G.
    pub force: Vec3,
    /// Rate u of the deflection, m/s; the rest of v is slip along G.
    pub rate: Vec3,
    /// |G|/A.
    pub used: f64,
    /// Energy ½ k e², J.
    pub energy: f64,
    /// Heat d u² + |G| slip, W, never negative.
    pub dissipated_power: f64,
    /// ∂G/∂v as `along` Ĝ Ĝᵀ + `across` (1 − Ĝ Ĝᵀ) + `turn` Ĝ v_⊥ᵀ, N s/m, v_⊥ the part of v across G.
    slopes: Slopes,
    /// ∂G/∂A.
    pub by_strength: Vec3,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Slopes {
    direction: Vec3,
    along: f64,
    across: f64,
    turn: Vec3,
}

impl Shear {
    /// No resistance.
    pub fn none() -> Shear {
        let zero = Vec3::zeros();
        Shear {
            force: zero,
            rate: zero,
            used: 0.0,
            energy: 0.0,
            dissipated_power: 0.0,
            slopes: Slopes::default(),
            by_strength: zero,
        }
    }

    /// Change of G with a change of v (the deflection at the end of the step following).
    #[inline]
    pub fn change(&self, dv: &Vec3) -> Vec3 {
        let Slopes { direction, along, across, turn } = &self.slopes;
        let part = direction.dot(dv);
        direction * (along * part + turn.dot(dv)) + (dv - direction * part) * *across
    }
}

impl ShearBristle {
    /// Solves G = k e + d u, u = v − σ Ĝ, σ = (v·Ĝ)₊ φ, φ = 1 − (A/(k K)) m(|G|/A), |G| ≤ A, with the deflection e = base + h u at the end of a step
    /// (h = 0: the continuous form). Both vectors lie in the tangent plane.
    ///
    /// G is parallel to k base + (d + h k) v, which leaves one scalar equation; each curve solves it in closed form. σ ≥ 0 along G: passive for
    /// any history of load and motion.
    pub fn solve(&self, strength: f64, (base, h): (&Vec3, f64), v: &Vec3) -> Shear {
        let (k, c) = (self.stiffness, self.damping + h * self.stiffness);
        let wanted = base * k + v * c;
        let g_star = wanted.norm();
        if g_star <= 0.0 {
            let slopes = Slopes { direction: Vec3::zeros(), along: 0.0, across: c, turn: Vec3::zeros() };
            return Shear { rate: *v, slopes, ..Shear::none() };
        }
        let direction = wanted / g_star;
        let along = v.dot(&direction).max(0.0);
        let alpha = (strength / (k * self.length)).min(1.0);
        let saturated = alpha == 1.0;
        let cv = c * along;
        let free = match self.curve {
            Mobilisation::Stick => g_star,
            Mobilisation::Linear => g_star - cv * (1.0 - 0.5 * alpha),
            Mobilisation::Janosi if strength > 0.0 => {
                (g_star - cv * (1.0 - alpha)) / (1.0 + cv * alpha / strength)
            }
            Mobilisation::Tanh if strength > 0.0 => {
                let beta = alpha / TANH_RATIO;
                let right = g_star - cv * (1.0 - beta);
                let square = cv * beta / (strength * strength);
                2.0 * right / (1.0 + (1.0 + 4.0 * square * right.max(0.0)).sqrt())
            }
            _ => 0.0,
        };
        let g = free.clamp(0.0, strength.max(0.0));
        let slip = (g_star - g) / c;
        let rate = v - direction * slip;
        let deflection = base + rate * h;
        let ratio = g / g_star;
        let mut slopes = Slopes { direction, along: 0.0, across: c * ratio, turn: Vec3::zeros() };
        let mut by_strength = Vec3::zeros();
        if free > strength {
            by_strength = direction;
        } else if free > 0.0 {
            // R = g − g* + c v_l φ(g, A) = 0.
            let y = g / strength;
            let phi =
                if self.curve == Mobilisation::Stick { 0.0 } else { 1.0 - alpha * self.curve.growth(y) };
            let growth_slope = match self.curve {
                Mobilisation::Janosi => -1.0,
                Mobilisation::Tanh => -2.0 * y / TANH_RATIO,
                _ => 0.0,
            };
            let phi_g = -alpha * growth_slope / strength;
            let alpha_slope =
                if saturated || self.curve == Mobilisation::Stick { 0.0 } else { alpha / strength };
            let phi_A = -alpha_slope * self.curve.growth(y) + alpha * growth_slope * y / strength;
            let per = 1.0 / (1.0 + cv * phi_g);
            let moves = v.dot(&direction) > 0.0;
            let through = if moves { c * phi } else { 0.0 };
            slopes.along = (c - through) * per;
            // The direction turns by (1 − Ĝ Ĝᵀ) c dv/g*, which changes v·Ĝ.
            slopes.turn = (v - direction * v.dot(&direction)) * (-through * c / g_star * per);
            by_strength = direction * (-cv * phi_A * per);
        }
        Shear {
            force: direction * g,
            rate,
            used: if strength > 0.0 { g / strength } else { 0.0 },
            energy: 0.5 * k * deflection.norm_squared(),
            dissipated_power: self.damping * rate.norm_squared() + g * slip,
            slopes,
            by_strength,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CURVES: [Mobilisation; 3] = [Mobilisation::Janosi, Mobilisation::Tanh, Mobilisation::Linear];

    /// Largest difference from the exponential over j in (0, 6K], and where, as a share of K.
    fn farthest(curve: impl Fn(f64) -> f64) -> (f64, f64) {
        let error = |x: f64| (curve(x) - Mobilisation::Janosi.share(x, 1.0).0).abs();
        (1..60_000)
            .map(|i| i as f64 * 1e-4)
            .map(|x| (error(x), x))
            .fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a })
    }

    /// Eqs. 36–44: odd, slopes and works by differences; the simplifications are as far from the exponential as computed independently.
    #[test]
    fn shares_are_those_of_the_paper() {
        let K = 0.025;
        for curve in CURVES {
            for j in [1e-3, 0.01, 0.03, 0.2] {
                let (y, slope) = curve.share(j, K);
                assert_eq!(curve.share(-j, K), (-y, slope));
                let h = 1e-7;
                assert!(
                    ((curve.share(j + h, K).0 - curve.share(j - h, K).0) / (2.0 * h) - slope).abs() < 1e-6
                );
                assert!(((curve.work(j + h, K) - curve.work(j - h, K)) / (2.0 * h) - y).abs() < 1e-7);
                assert!((curve.growth(y) - K * slope).abs() < 1e-14 || y == 1.0, "{curve:?} {j}");
            }
        }
        let (linear, at) = farthest(|x| Mobilisation::Linear.share(x, 1.0).0);
        assert!((linear - 0.1534).abs() < 1e-4 && (at - 2f64.ln()).abs() < 1e-3, "{linear} {at}");
        let (tanh, at) = farthest(|x| Mobilisation::Tanh.share(x, 1.0).0);
        assert!((tanh - 0.072).abs() < 5e-4 && (at - 0.53).abs() < 5e-3, "{tanh} {at}");
        let best = farthest(|x| (x / 1.338).tanh()).0;
        assert!(farthest(|x| (x / 1.32).tanh()).0 > best && farthest(|x| (x / 1.36).tanh()).0 > best);
    }

    fn bristle(curve: Mobilisation) -> ShearBristle {
        ShearBristle { curve, length: 0.025, stiffness: 2e4, damping: 2.0 }
    }

    /// Dragged at constant strength the bristle draws the curve: first order in the step, and behind by v d/k in displacement.
    #[test]
    fn steady_loading_follows_the_curve() {
        let strength = 60.0;
        for curve in CURVES {
            let b = bristle(curve);
            let mut last = f64::INFINITY;
            for steps in [2000, 4000] {
                let (mut e, h) = (Vec3::zeros(), 3.0 / steps as f64);
                let (v, mut worst) = (Vec3::x() * 0.02, 0.0f64);
                for i in 1..=steps {
                    let f = b.solve(strength, (&e, h), &v);
                    e += f.rate * h;
                    let expected = strength * curve.share(0.02 * i as f64 * h, b.length).0;
                    worst = worst.max((f.force.norm() - expected).abs());
                }
                assert!(worst < 0.02 * 3.0 / steps as f64 * strength / b.length + 0.02, "{curve:?} {worst}");
                assert!(worst < last);
                last = worst;
            }
        }
    }

    /// For any load, deflection and motion the bristle keeps below the strength, loses and never makes energy, and its slopes are derivatives.
    #[test]
    fn bristle_is_passive_and_knows_its_slopes() {
        let cases = [
            (Vec3::new(1e-3, 0.0, 0.0), Vec3::new(0.02, 0.01, 0.0)),
            (Vec3::new(1e-3, 5e-4, 0.0), Vec3::new(-0.02, 0.004, 0.0)),
            (Vec3::new(-3e-3, 1e-3, 0.0), Vec3::new(0.0, -0.03, 0.0)),
            (Vec3::new(2e-2, 0.0, 0.0), Vec3::new(1e-5, 1e-5, 0.0)),
        ];
        for curve in [Mobilisation::Janosi, Mobilisation::Tanh, Mobilisation::Linear, Mobilisation::Stick] {
            let b = bristle(curve);
            for (e, v) in cases {
                for (strength, h) in [(60.0, 0.0), (60.0, 1e-3), (3.0, 1e-2), (2e3, 1e-2), (0.0, 1e-3)] {
                    let f = b.solve(strength, (&e, h), &v);
                    assert!(f.force.norm() <= strength * (1.0 + 1e-12) && f.dissipated_power >= 0.0);
                    let end = e + f.rate * h;
                    let balance = f.force.dot(&v) - b.stiffness * end.dot(&f.rate) - f.dissipated_power;
                    assert!(balance.abs() < 1e-12 * (1.0 + f.dissipated_power), "{balance}");
                    let step = 1e-7;
                    for k in 0..2 {
                        let mut d = Vec3::zeros();
                        d[k] = step;
                        let difference = (b.solve(strength, (&e, h), &(v + d)).force
                            - b.solve(strength, (&e, h), &(v - d)).force)
                            / (2.0 * step);
                        let slope = f.change(&(d / step));
                        assert!(
                            (difference - slope).norm() < 1e-4 * (1.0 + slope.norm()),
                            "{curve:?} {strength} {h} {difference} {slope}"
                        );
                    }
                    if strength > 0.0 {
                        let step = 1e-5 * strength;
                        let difference = (b.solve(strength + step, (&e, h), &v).force
                            - b.solve(strength - step, (&e, h), &v).force)
                            / (2.0 * step);
                        assert!((difference - f.by_strength).norm() < 1e-6, "{curve:?} {strength} {h}");
                    }
                }
            }
        }
    }

    /// A cycle of shear under low and release under high load gains nothing, which the literal form of Eq. 56 would.
    #[test]
    fn no_work_is_won_by_loading_a_sheared_foot() {
        let b = bristle(Mobilisation::Janosi);
        let (mut e, h, mut work) = (Vec3::zeros(), 1e-3, 0.0);
        for cycle in 0..4 {
            for (strength, speed) in [(20.0, 0.02), (200.0, -0.02)] {
                for _ in 0..500 {
                    let v = Vec3::x() * speed;
                    let f = b.solve(strength, (&e, h), &v);
                    e += f.rate * h;
                    work += f.force.dot(&v) * h;
                }
            }
            assert!(work > 0.0, "{cycle} {work}");
        }
    }
}
