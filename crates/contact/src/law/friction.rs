//! Friction of a point contact: across the normal, against the slip velocity.

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

/// Coefficient of friction that falls from `stick` at rest to `slip` over `speed` (Stribeck), and its slope over v²: μ = slip + (stick − slip)
/// exp(−v²/speed²).
#[inline]
pub fn falling_coefficient(stick: f64, slip: f64, speed: f64, v_squared: f64) -> (f64, f64) {
    let scale = 1.0 / (speed * speed);
    let extra = (stick - slip) * (-v_squared * scale).exp();
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

/// Solves G = k z_t + d u, u = v − λ G, |G| ≤ grip, λ ≥ 0, λ(grip − |G|) = 0, for a deflection that reaches z = base + h (u + W × z) at the end of
/// a step; h = 0 is the continuous form. W (rad/s, in the tangent plane) turns the bristle with the unit normal `n`: it keeps the deflection
/// tangential and does no work. `v` is tangential.
#[inline]
pub fn bristle(
    stiffness: f64,
    damping: f64,
    grip: f64,
    base: &Vec3,
    h: f64,
    v: &Vec3,
    n: &Vec3,
    W: &Vec3,
) -> Bristle {
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
                let norm = a.hypot(b);
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
