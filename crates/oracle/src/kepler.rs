//! Bound motion in a central gravity field: reference for the engine's central gravity.
//! Closed form up to Kepler's equation, which Newton solves to rounding.
//!
//! Problem: r̈ = −μ r/|r|³ from r₀, v₀ with negative energy. With a = −μ/(2E), σ = r₀·v₀/√μ and x the change of the
//! eccentric anomaly: n t = x − (1 − r₀/a) sin x + (σ/√a)(1 − cos x), n = √(μ/a³);
//! r = f r₀ + g v₀ with f = 1 − (a/r₀)(1 − cos x), g = t − (x − sin x)/n, and ḟ, ġ likewise.
//! Source: Battin, *An Introduction to the Mathematics and Methods of Astrodynamics*, 4.3.

/// Position and velocity relative to the attracting centre.
#[derive(Clone, Copy, Debug)]
pub struct Orbit {
    /// Position, m.
    pub position_m: [f64; 3],
    /// Velocity, m/s.
    pub velocity_m_per_s: [f64; 3],
}

/// Semi-major axis of the orbit, m; `None` if it is not bound.
pub fn semi_major_axis(mu: f64, orbit: &Orbit) -> Option<f64> {
    let (r, v2) = (norm(orbit.position_m), dot(orbit.velocity_m_per_s, orbit.velocity_m_per_s));
    let inverse = 2.0 / r - v2 / mu;
    (inverse > 0.0).then(|| 1.0 / inverse)
}

/// Period of the orbit, s; `None` if it is not bound. `mu` is the gravitational parameter, m³/s².
pub fn period(mu: f64, orbit: &Orbit) -> Option<f64> {
    semi_major_axis(mu, orbit).map(|a| std::f64::consts::TAU * (a * a * a / mu).sqrt())
}

/// The orbit at time `t`, s, after the given start; `None` if it is not bound.
pub fn at(mu: f64, start: &Orbit, t: f64) -> Option<Orbit> {
    let a = semi_major_axis(mu, start)?;
    let n = (mu / (a * a * a)).sqrt();
    let (r0, v0) = (norm(start.position_m), start.velocity_m_per_s);
    // e cos E and e sin E at the start.
    let (ec, es) = (1.0 - r0 / a, dot(start.position_m, v0) / (mu * a).sqrt());
    let x = eccentric_change(n * t, ec, es);
    let (sin, cos) = x.sin_cos();
    let r = a * (1.0 - ec * cos + es * sin);
    let (f, g) = (1.0 - a / r0 * (1.0 - cos), t - (x - sin) / n);
    let (f_dot, g_dot) = (-(mu * a).sqrt() * sin / (r * r0), 1.0 - a / r * (1.0 - cos));
    let combine = |p: f64, q: f64| std::array::from_fn(|i| p * start.position_m[i] + q * v0[i]);
    Some(Orbit { position_m: combine(f, g), velocity_m_per_s: combine(f_dot, g_dot) })
}

/// Solves x − ec sin x + es (1 − cos x) = mean: monotone in x, so Newton inside a shrinking bracket cannot fail.
fn eccentric_change(mean: f64, ec: f64, es: f64) -> f64 {
    let e = ec.hypot(es);
    let (mut low, mut high) = (mean - 2.0 * e - 1e-12, mean + 2.0 * e + 1e-12);
    let mut x = mean;
    for _ in 0..100 {
        let (sin, cos) = x.sin_cos();
        let residual = x - ec * sin + es * (1.0 - cos) - mean;
        if residual > 0.0 {
            high = x
        } else {
            low = x
        }
        let newton = x - residual / (1.0 - ec * cos + es * sin);
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - x).abs() <= 1e-16 * (1.0 + x.abs()) {
            return next;
        }
        x = next;
    }
    x
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::extrapolation::solve_at;

    const MU: f64 = 1.3;

    fn eccentric_start() -> Orbit {
        Orbit { position_m: [1.0, 0.2, -0.3], velocity_m_per_s: [0.3, 0.7, 0.4] }
    }

    /// Kepler's equation gives the same point as an integration of r̈ = −μ r/|r|³, over more than one revolution.
    #[test]
    fn orbit_solves_the_equation_of_motion() {
        let start = eccentric_start();
        let t = 1.7 * period(MU, &start).unwrap();
        let rhs = |_: f64, y: &[f64], f: &mut [f64]| {
            let cube = norm([y[0], y[1], y[2]]).powi(3);
            for i in 0..3 {
                f[i] = y[3 + i];
                f[3 + i] = -MU * y[i] / cube;
            }
        };
        let y0 = [start.position_m, start.velocity_m_per_s].concat();
        let y = solve_at(&[t], y0, 0.05, rhs, |y| y.to_vec()).swap_remove(0);
        let exact = at(MU, &start, t).unwrap();
        for i in 0..3 {
            assert!((exact.position_m[i] - y[i]).abs() < 1e-11);
            assert!((exact.velocity_m_per_s[i] - y[3 + i]).abs() < 1e-11);
        }
    }

    /// A circular orbit turns uniformly with √(μ/r³).
    #[test]
    fn circular_orbit_turns_uniformly() {
        let (r, t) = (2.0f64, 3.0);
        let speed = (MU / r).sqrt();
        let start = Orbit { position_m: [r, 0.0, 0.0], velocity_m_per_s: [0.0, speed, 0.0] };
        let angle = speed / r * t;
        let end = at(MU, &start, t).unwrap();
        assert!((end.position_m[0] - r * angle.cos()).abs() < 1e-14);
        assert!((end.position_m[1] - r * angle.sin()).abs() < 1e-14);
    }

    /// After one period a bound orbit is back at its start; an escape has no period.
    #[test]
    fn bound_orbits_close() {
        let start = eccentric_start();
        let end = at(MU, &start, period(MU, &start).unwrap()).unwrap();
        for i in 0..3 {
            assert!((end.position_m[i] - start.position_m[i]).abs() < 1e-13);
        }
        assert!(period(MU, &Orbit { velocity_m_per_s: [2.0, 1.0, 0.0], ..start }).is_none());
    }
}
