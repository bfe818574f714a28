//! The two steady slip laws, each as the implicit balance of one axis of the tread. `state.rs` joins the two axes under the
//! friction circle.
//!
//! With the grip A = μN and an axis' slip stiffness C, a law F(q) gives the force at the steady slip q ≥ 0; its inverse
//! q̂(F) is the slip at which the tread flows under the force F. Each axis needs the F in [0, A] that solves
//! `a F + V q̂(F) = r`: the tread's compliance, its flow at the transport speed V, and the drive r. The left
//! side increases strictly with F, so that the solution is unique; it depends continuously on a, V, r and A.

use touchdown_math::Elementary;

/// One axis' balance: compliance `a` (m/(N s)) and its inverse, transport speed `V` (m/s), slip stiffness `C` (N), drive `r` (m/s).
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub a: f64,
    pub inverse_a: f64,
    pub V: f64,
    pub C: f64,
    pub r: f64,
}

/// The force of an axis and its derivatives with respect to r, V and A.
#[derive(Clone, Copy, Debug)]
pub(super) struct AxisForce {
    pub F: f64,
    pub F_r: f64,
    pub F_V: f64,
    pub F_A: f64,
}

/// Longitudinal law (Fiala): C q up to q* = A/(2C), beyond it A − A²/(4 C q). Never quite reaches A.
#[cfg(test)]
pub(super) fn fiala(C: f64, A: f64, q: f64) -> f64 {
    if C * q <= 0.5 * A { C * q } else { A - A * A / (4.0 * C * q) }
}

/// Lateral law: A(1 − H³), H = 1 − C q/(3A), full slide A beyond q = 3A/C.
#[cfg(test)]
pub(super) fn cubic(C: f64, A: f64, q: f64) -> f64 {
    let H = (1.0 - C * q / (3.0 * A)).max(0.0);
    A * (1.0 - H * H * H)
}

/// Balance of the longitudinal axis for r ≥ 0 and A > 0.
#[inline(always)]
pub(super) fn balance_fiala(axis: &Axis, A: f64) -> AxisForce {
    let Axis { a, V, C, r, .. } = *axis;
    // Linear branch, q̂ = F/C.
    let F_r = 1.0 / (a + V / C);
    let F = r * F_r;
    if F <= 0.5 * A {
        return AxisForce { F, F_r, F_V: -F * F_r / C, F_A: 0.0 };
    }
    // q̂ = A²/(4 C g) with the reserve g = A − F: a g² + (r − aA) g − V A²/(4C) = 0, its positive root written without
    // cancellation. It also holds for V = 0, where g = 0 is sliding.
    let b = r - a * A;
    let quarter = V * A * A / (4.0 * C);
    let root = (b * b + 4.0 * a * quarter).sqrt().max(f64::MIN_POSITIVE);
    let (g, flow) = if b > 0.0 {
        (2.0 * quarter / (b + root), 0.5 * (b + root))
    } else {
        let g = 0.5 * (root - b) / a;
        (g, quarter / g)
    };
    // Derivatives of the quadratic; `a g + flow` equals the root.
    let inverse = 1.0 / root;
    AxisForce {
        F: A - g,
        F_r: g * inverse,
        F_V: -A * A / (4.0 * C) * inverse,
        F_A: flow * (1.0 - 2.0 * g / A) * inverse,
    }
}

/// Up to this initial guess of y, Newton's method alone is fastest; above it, the closed form in H = 1 − y is
/// accurate.
const GUESS_SMALL: f64 = 0.2;
/// Newton steps at most: from `GUESS_SMALL` three or four reach round-off.
const NEWTON_STEPS: usize = 8;
/// Newton steps after the closed form, whose difference loses digits where p is large: quadratic from there.
const POLISH_STEPS: usize = 2;

/// Balance of the lateral axis for r ≥ 0 and A > 0.
#[inline(always)]
pub(super) fn balance_cubic(axis: &Axis, A: f64) -> AxisForce {
    let Axis { inverse_a, V, C, r, .. } = *axis;
    let flow = V / C;
    let p = 3.0 * flow * inverse_a;
    let rho = r / A * inverse_a;
    if rho >= 1.0 + p {
        return AxisForce { F: A, F_r: 0.0, F_V: 0.0, F_A: 1.0 };
    }
    let y = solve_cubic(p, rho);
    // With y = 1 − H: F = A y(3 − 3y + y²), q̂ = 3 A y/C.
    let H2 = (1.0 - y) * (1.0 - y);
    let inverse = inverse_a / (H2 + p / 3.0);
    AxisForce {
        F: A * (y * (3.0 - 3.0 * y + y * y)),
        F_r: H2 * inverse,
        F_V: -H2 * (3.0 * A * y / C) * inverse,
        F_A: flow * (y * y * (3.0 - 2.0 * y)) * inverse,
    }
}

/// The root in [0, 1] of y³ − 3y² + (3 + p) y = ρ for p ≥ 0 and 0 ≤ ρ < 1 + p.
#[inline(always)]
fn solve_cubic(p: f64, rho: f64) -> f64 {
    let scale = 1.0 / (3.0 + p);
    let guess = rho * scale;
    if guess >= GUESS_SMALL {
        return 1.0 - cardano(p, 1.0 + p - rho);
    }
    // The left side is concave and rising: Newton's method from any start lands at or left of the root and then climbs.
    let mut y = guess + 3.0 * guess * guess * scale;
    for _ in 0..NEWTON_STEPS {
        let residual = rho - y * (3.0 + p - y * (3.0 - y));
        let step = residual / (3.0 * (1.0 - y) * (1.0 - y) + p);
        y += step;
        // The next step would be of the order of step², below the last digit.
        if step.abs() <= 1e-9 * y {
            break;
        }
    }
    y
}

/// The real root of H³ + p H = m for p ≥ 0, m ≥ 0; in this form it keeps its digits towards full slide, H → 0.
fn cardano(p: f64, m: f64) -> f64 {
    let third = p / 3.0;
    let s = (0.5 * m + (0.25 * m * m + third * third * third).sqrt()).cube_root();
    let mut H = if s > 0.0 { s - third / s } else { 0.0 };
    for _ in 0..POLISH_STEPS {
        let slope = 3.0 * H * H + p;
        if slope > 0.0 {
            H -= (H * (H * H + p) - m) / slope;
        }
    }
    H
}
