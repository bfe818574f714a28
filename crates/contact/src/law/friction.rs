//! Friction of a point contact: across the normal, against the slip velocity.

use touchdown_math::Elementary;
use touchdown_math::Vec3;

/// Regularised friction `−μ F_N v/√(v² + v_ε²)` with what its derivative needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regularised {
    /// Force, N.
    pub force: Vec3,
    /// Force per grip, −v/√(v² + v_ε²).
    pub direction: Vec3,
    /// √(v² + v_ε²), m/s.
    pub speed: f64,
    /// Power turned into heat, W, never negative.
    pub dissipated_power: f64,
}

/// Friction under the grip μ F_N (N) at the slip velocity `v` (m/s). Its derivative is −grip (1 − d dᵀ)/√(v² + v_ε²) over v, d its direction.
#[inline]
pub fn regularised(grip: f64, speed: f64, v: &Vec3) -> Regularised {
    let root = (v.norm_squared() + speed * speed).sqrt();
    let direction = -v / root;
    Regularised {
        force: direction * grip,
        direction,
        speed: root,
        dissipated_power: grip * v.norm_squared() / root,
    }
}

/// Coulomb friction with stick, as the resisting force (Ding et al., Eq. 10): the applied force `external`
/// (N) at rest, up to the static grip; μ F_N against the velocity `v` (m/s) while it slides; the static grip
/// at break-away. It is a law for hand calculations, because it needs the applied force as input. In the loop
/// [`bristle`] and [`super::shear::ShearBristle`] replace it.
#[inline]
pub fn coulomb(mu_static: f64, mu: f64, normal: f64, v: f64, external: f64) -> f64 {
    if v != 0.0 {
        (mu * normal).copysign(v)
    } else if external.abs() <= mu_static * normal {
        external
    } else {
        (mu_static * normal).copysign(external)
    }
}

/// Coefficient of friction that falls from `stick` at rest to `slip` over `speed` (Stribeck), and its slope over v²: μ = slip + (stick − slip)
/// exp(−v²/speed²).
#[inline]
pub fn falling_coefficient(stick: f64, slip: f64, speed: f64, v_squared: f64) -> (f64, f64) {
    let scale = 1.0 / (speed * speed);
    let extra = (stick - slip) * (-v_squared * scale).exponential();
    (slip + extra, -extra * scale)
}

/// The bristle of stick–slip friction: a spring and damper in the tangent plane that slides at the grip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bristle {
    /// Friction force G = k z_t + d u of the bristle, N; on the body that slips with +v it acts with −G.
    pub force: Vec3,
    /// Rate u of the deflection in the tangent plane, m/s; the rest of v is slip.
    pub rate: Vec3,
    /// Deflection in the tangent plane at the end, m.
    pub deflection: Vec3,
    /// Whether it slides.
    pub sliding: bool,
    /// Norm of the force that sticking would need, N.
    pub wanted: f64,
    /// Energy ½ k z_t², J.
    pub energy: f64,
    /// Heat d u² + G·slip, W, never negative.
    pub dissipated_power: f64,
}

/// How the two sides of a bristle move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BristleMotion {
    /// Slip velocity, tangential, m/s.
    pub v: Vec3,
    /// Unit normal.
    pub n: Vec3,
    /// How the normal turns, n × ṅ, rad/s: tangential. The bristle turns with it, which keeps the deflection tangential and does no work.
    pub W: Vec3,
}

/// Solves G = k z_t + d u, u = v − λ G, |G| ≤ grip, λ ≥ 0, λ(grip − |G|) = 0, for a deflection that reaches z = base + h (u + W × z) at the end of
/// a step; h = 0 is the continuous form.
#[inline]
pub fn bristle(
    stiffness: f64,
    damping: f64,
    grip: f64,
    (base, h): (&Vec3, f64),
    motion: &BristleMotion,
) -> Bristle {
    let BristleMotion { v, n, W } = motion;
    // (1 − h W×)⁻¹ x = (x + h W × x + h² W (W·x))/(1 + h² W²); in the tangent plane a step of u arrives as u along W and as u/(1 + h² W²) across.
    let square = h * h * W.norm_squared();
    let start = (base + h * W.cross(base) + (h * h * W.dot(base)) * W) / (1.0 + square);
    let start = start - n * n.dot(&start);
    let axis = if square > 0.0 { W.normalize() } else { Vec3::zeros() };
    let arrived = |u: &Vec3| {
        let along = axis * axis.dot(u);
        along + (u - along) / (1.0 + square)
    };
    let [across, along] = [damping + h * stiffness / (1.0 + square), damping + h * stiffness];
    let through = |u: &Vec3| u * damping + arrived(u) * (h * stiffness);
    let wanted_force = start * stiffness + through(v);
    let wanted = wanted_force.norm();
    let sliding = wanted > grip;
    let (force, rate) = if !sliding {
        (wanted_force, *v)
    } else {
        // G = (1 + λ c)⁻¹ G*, c diagonal along and across W. |G(λ)| = grip has one root; Newton on 1/|G| (nearly linear in λ) from equal c.
        let parts = [axis.dot(&wanted_force), (wanted_force - axis * axis.dot(&wanted_force)).norm()];
        let force_at = |lambda: f64| {
            let part = axis * parts[0];
            part / (1.0 + lambda * along) + (wanted_force - part) / (1.0 + lambda * across)
        };
        if grip <= 0.0 || along == across {
            let force = if wanted > 0.0 { wanted_force * (grip.max(0.0) / wanted) } else { Vec3::zeros() };
            (force, inverse(&(force - start * stiffness), &axis, along, across))
        } else {
            let mut lambda = (wanted / grip - 1.0) / along;
            for _ in 0..8 {
                let (f, g) = (1.0 + lambda * along, 1.0 + lambda * across);
                let (a, b) = (parts[0] / f, parts[1] / g);
                let norm = a.hypotenuse(b);
                let fall = (a * a * along / f + b * b * across / g) / norm;
                let step = (1.0 / grip - 1.0 / norm) * norm * norm / fall;
                lambda = (lambda + step).max(0.0);
                if step.abs() <= 1e-15 * lambda {
                    break;
                }
            }
            let force = force_at(lambda);
            let force = force * (grip / force.norm());
            (force, inverse(&(force - start * stiffness), &axis, along, across))
        }
    };
    let deflection = start + arrived(&rate) * h;
    let slip = v - rate;
    Bristle {
        force,
        rate,
        deflection,
        sliding,
        wanted,
        energy: 0.5 * stiffness * deflection.norm_squared(),
        dissipated_power: damping * rate.norm_squared() + force.dot(&slip).max(0.0),
    }
}

/// x with its part along the axis divided by `along` and the rest by `across`.
#[inline]
fn inverse(x: &Vec3, axis: &Vec3, along: f64, across: f64) -> Vec3 {
    let part = axis * axis.dot(x);
    part / along + (x - part) / across
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The regularised law opposes slip, stays below the grip and has the derivative it says (central differences).
    #[test]
    fn regularised_friction_opposes_slip() {
        let (grip, speed, v) = (30.0, 0.01, Vec3::new(0.004, -0.02, 0.001));
        let f = regularised(grip, speed, &v);
        assert!(f.force.norm() < grip && f.force.cross(&v).norm() < 1e-15);
        assert!((f.dissipated_power + f.force.dot(&v)).abs() < 1e-15);
        let slope =
            -(touchdown_math::Mat3::identity() - f.direction * f.direction.transpose()) * (grip / f.speed);
        for k in 0..3 {
            let mut step = Vec3::zeros();
            step[k] = 1e-8;
            let difference = (regularised(grip, speed, &(v + step)).force
                - regularised(grip, speed, &(v - step)).force)
                / 2e-8;
            assert!((difference - slope.column(k)).norm() < 1e-4, "{difference} {}", slope.column(k));
        }
        assert_eq!(regularised(grip, speed, &Vec3::zeros()).force, Vec3::zeros());
    }

    /// Eq. 10 of Ding et al.: rests below the static grip, breaks away at it, slides at the lower one.
    #[test]
    fn coulomb_sticks_and_slides() {
        let f = |v: f64, external: f64| coulomb(0.6, 0.4, 100.0, v, external);
        assert_eq!([f(0.0, -30.0), f(0.0, 70.0), f(0.01, 30.0), f(-0.01, 30.0)], [-30.0, 60.0, 40.0, -40.0]);
    }

    /// Friction falls from stick to slip, and its slope over v² is the derivative.
    #[test]
    fn friction_falls_with_speed() {
        let mu = |v2: f64| falling_coefficient(0.6, 0.4, 0.1, v2);
        assert_eq!(mu(0.0).0, 0.6);
        assert!((mu(1.0).0 - 0.4).abs() < 1e-15);
        let slope = (mu(0.01 + 1e-7).0 - mu(0.01 - 1e-7).0) / 2e-7;
        assert!((slope - mu(0.01).1).abs() < 1e-6);
    }

    /// The bristle satisfies its own equations, however fast the normal turns: the end of the step, the limit, the direction of the slip, the energy.
    #[test]
    fn bristles_solve_their_equations() {
        let n = Vec3::new(0.6, 0.0, 0.8);
        let tangent = |a: f64, b: f64| Vec3::new(0.8, 0.0, -0.6) * a + Vec3::y() * b;
        let (k, d) = (1e4, 50.0);
        for grip in [0.0, 3.0, 1e3] {
            for (h, turn) in [(0.0, 3.0), (1e-3, 0.0), (1e-2, 2.0), (0.5, 3.0)] {
                let base = tangent(1e-3, -2e-3) + n * 3e-4;
                let motion = BristleMotion { v: tangent(0.03, 0.2), n, W: tangent(turn, -0.4 * turn) };
                let f = bristle(k, d, grip, (&base, h), &motion);
                let slip = motion.v - f.rate;
                assert!(f.force.norm() <= grip * (1.0 + 1e-12) + 1e-12 || !f.sliding);
                assert!(f.sliding || slip.norm() == 0.0);
                assert!((f.force - f.deflection * k - f.rate * d).norm() < 1e-10 * (1.0 + f.wanted), "{f:?}");
                assert!(
                    slip.cross(&f.force).norm() < 1e-10 * (1.0 + f.force.norm())
                        && slip.dot(&f.force) >= -1e-12
                );
                // z = base + h (u + W × z), solved by the general inverse.
                let matrix = touchdown_math::Mat3::identity() - touchdown_math::cross_matrix(&motion.W) * h;
                let z = matrix.try_inverse().expect("a rotation's generator") * (base + f.rate * h);
                let z_t = z - n * n.dot(&z);
                assert!(
                    (z_t - f.deflection).norm() < 1e-14 * (1.0 + 1e3 * z.norm()),
                    "{z_t} {}",
                    f.deflection
                );
                assert!(f.force.dot(&n).abs() < 1e-12 * (1.0 + f.wanted) && f.dissipated_power >= 0.0);
            }
        }
    }
}
