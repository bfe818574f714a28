//! Motion near a circular orbit: reference for relative gravity. Closed form.
//!
//! Problem: x radial (outward), y along the track, z along the orbit normal, axes turning with the rate n:
//! ẍ = 3n²x + 2nẏ, ÿ = −2nẋ, z̈ = −n²z. Source: Clohessy & Wiltshire, *Terminal guidance system for satellite rendezvous*, 1960.

/// Position and velocity in the turning axes.
#[derive(Clone, Copy, Debug)]
pub struct Relative {
    /// Radial, along-track, normal, m.
    pub position_m: [f64; 3],
    /// Their rates, m/s.
    pub velocity_m_per_s: [f64; 3],
}

/// The motion at time `t`, s, after the start, for the orbit rate `n`, rad/s.
pub fn at(n: f64, start: &Relative, t: f64) -> Relative {
    let ([x, y, z], [u, v, w]) = (start.position_m, start.velocity_m_per_s);
    let (s, c) = (n * t).sin_cos();
    // 1 − cos and n t − sin without cancellation while the angle is small.
    let half = (0.5 * n * t).sin();
    let versine = 2.0 * half * half;
    let lag = angle_less_sine(n * t);
    Relative {
        position_m: [
            (1.0 + 3.0 * versine) * x + s / n * u + 2.0 / n * versine * v,
            -6.0 * lag * x + y - 2.0 / n * versine * u + (4.0 * s - 3.0 * n * t) / n * v,
            c * z + s / n * w,
        ],
        velocity_m_per_s: [
            3.0 * n * s * x + c * u + 2.0 * s * v,
            -6.0 * n * versine * x - 2.0 * s * u + (1.0 - 4.0 * versine) * v,
            -n * s * z + c * w,
        ],
    }
}

/// θ − sin θ, by its series where the difference would lose digits.
fn angle_less_sine(theta: f64) -> f64 {
    if theta.abs() > 0.5 {
        return theta - theta.sin();
    }
    let square = theta * theta;
    let mut term = theta * square / 6.0;
    let mut sum = 0.0;
    for k in 2..12 {
        sum += term;
        term *= -square / ((2 * k) * (2 * k + 1)) as f64;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::extrapolation::solve_at;

    /// The closed form is what an integration of the equations gives, over more than one orbit.
    #[test]
    fn closed_form_solves_the_equations() {
        let n = 0.7;
        let start = Relative { position_m: [1.0, -0.4, 0.3], velocity_m_per_s: [0.2, -0.5, 0.6] };
        let rhs = |_: f64, y: &[f64], f: &mut [f64]| {
            f[..3].copy_from_slice(&y[3..6]);
            f[3] = 3.0 * n * n * y[0] + 2.0 * n * y[4];
            f[4] = -2.0 * n * y[3];
            f[5] = -n * n * y[2];
        };
        for t in [0.3, 12.0] {
            let y0 = [start.position_m, start.velocity_m_per_s].concat();
            let y = solve_at(&[t], y0, 0.05, rhs, |y| y.to_vec()).swap_remove(0);
            let end = at(n, &start, t);
            for i in 0..3 {
                assert!((end.position_m[i] - y[i]).abs() < 1e-11);
                assert!((end.velocity_m_per_s[i] - y[3 + i]).abs() < 1e-11);
            }
        }
    }
}
