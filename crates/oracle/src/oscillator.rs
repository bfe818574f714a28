//! Linear oscillators in closed form: damped mass on a spring, drop on a spring–damper, two coupled masses.
//! References for force elements, for the brush tyre's over-damped drop and for normal modes; no integration anywhere.
//!
//! One mass: m ẍ + d ẋ + k x = 0 with δ = d/(2m), ω₀² = k/m solves as e^(−δt)(C x₀ + S (v₀ + δ x₀)), where (C, S) are
//! (cos ωt, sin ωt/ω), (1, t) or (cosh κt, sinh κt/κ) as the damping is below, at or above critical.

/// Position and velocity along a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Position, m.
    pub position_m: f64,
    /// Velocity, m/s.
    pub velocity_m_per_s: f64,
}

/// A mass on a linear spring and damper.
#[derive(Clone, Copy, Debug)]
pub struct Oscillator {
    /// Mass, kg (> 0).
    pub mass_kg: f64,
    /// Stiffness, N/m (≥ 0).
    pub stiffness_n_per_m: f64,
    /// Damping, N s/m (≥ 0).
    pub damping_ns_per_m: f64,
}

impl Oscillator {
    /// Damping relative to the critical one.
    pub fn damping_ratio(&self) -> f64 {
        0.5 * self.damping_ns_per_m / (self.stiffness_n_per_m * self.mass_kg).sqrt()
    }

    /// Motion about the equilibrium at time `t`, s, from the given start.
    pub fn at(&self, start: Motion, t: f64) -> Motion {
        let delta = 0.5 * self.damping_ns_per_m / self.mass_kg;
        let square = self.stiffness_n_per_m / self.mass_kg;
        let (x, v) = (start.position_m, start.velocity_m_per_s);
        let discriminant = delta * delta - square;
        if discriminant > 0.0 {
            // Two decaying exponentials; the slow root by Vieta, since δ − κ would cancel when heavily over-damped.
            let fast = delta + discriminant.sqrt();
            let slow = square / fast;
            let (ef, es) = ((-fast * t).exp(), (-slow * t).exp());
            let (a, b) = ((v + fast * x) / (fast - slow), -(v + slow * x) / (fast - slow));
            return Motion { position_m: a * es + b * ef, velocity_m_per_s: -slow * a * es - fast * b * ef };
        }
        let omega = (-discriminant).sqrt();
        let (c, s) = if omega > 0.0 { ((omega * t).cos(), (omega * t).sin() / omega) } else { (1.0, t) };
        let decay = (-delta * t).exp();
        Motion {
            position_m: decay * (c * x + s * (v + delta * x)),
            velocity_m_per_s: decay * (c * v - s * (square * x + delta * v)),
        }
    }
}

/// A mass dropped from rest on a massless vertical spring–damper, as a wheel with a radial tyre spring lands.
#[derive(Clone, Copy, Debug)]
pub struct Drop {
    /// The mass and the spring–damper below it.
    pub oscillator: Oscillator,
    /// Free height under the spring at release, m (≥ 0).
    pub height_m: f64,
    /// Gravity, m/s² (> 0).
    pub gravity: f64,
}

/// A dropped mass at one time.
#[derive(Clone, Copy, Debug)]
pub struct Landing {
    /// Compression of the spring, m; negative is the height still to fall.
    pub compression_m: f64,
    /// Downward velocity, m/s.
    pub velocity_m_per_s: f64,
    /// Force of the spring–damper on the mass, upwards, N; zero before touchdown.
    pub force_n: f64,
}

impl Drop {
    /// Time of touchdown after the release, s.
    pub fn touchdown(&self) -> f64 {
        (2.0 * self.height_m / self.gravity).sqrt()
    }

    /// Compression at rest, m.
    pub fn static_compression(&self) -> f64 {
        self.oscillator.mass_kg * self.gravity / self.oscillator.stiffness_n_per_m
    }

    /// The mass at time `t` after the release, s. Over-damped drops never lift off; for others the solution holds until
    /// the force would become tensile.
    pub fn at(&self, t: f64) -> Landing {
        let contact = t - self.touchdown();
        if contact < 0.0 {
            let fallen = 0.5 * self.gravity * t * t;
            return Landing {
                compression_m: fallen - self.height_m,
                velocity_m_per_s: self.gravity * t,
                force_n: 0.0,
            };
        }
        let rest = self.static_compression();
        let start = Motion { position_m: -rest, velocity_m_per_s: self.gravity * self.touchdown() };
        let about_rest = self.oscillator.at(start, contact);
        let compression_m = rest + about_rest.position_m;
        let velocity_m_per_s = about_rest.velocity_m_per_s;
        let force_n = self.oscillator.stiffness_n_per_m * compression_m
            + self.oscillator.damping_ns_per_m * velocity_m_per_s;
        Landing { compression_m, velocity_m_per_s, force_n }
    }
}

/// Two masses on a line: wall – spring – mass 1 – spring – mass 2 – spring – wall, undamped.
#[derive(Clone, Copy, Debug)]
pub struct CoupledMasses {
    /// Masses, kg.
    pub masses_kg: [f64; 2],
    /// Stiffness of left wall spring, coupling spring, right wall spring, N/m (a wall spring may be zero).
    pub stiffnesses_n_per_m: [f64; 3],
}

impl CoupledMasses {
    /// Natural angular frequencies, rad/s, ascending.
    pub fn frequencies(&self) -> [f64; 2] {
        self.modes().map(|mode| mode.0)
    }

    /// Displacements from rest at time `t`, s, from the given start.
    pub fn at(&self, start: [Motion; 2], t: f64) -> [Motion; 2] {
        let mut result = [Motion { position_m: 0.0, velocity_m_per_s: 0.0 }; 2];
        for (omega, shape) in self.modes() {
            let project =
                |values: [f64; 2]| (0..2).map(|i| self.masses_kg[i] * shape[i] * values[i]).sum::<f64>();
            let modal = Oscillator { mass_kg: 1.0, stiffness_n_per_m: omega * omega, damping_ns_per_m: 0.0 };
            let from = Motion {
                position_m: project(start.map(|m| m.position_m)),
                velocity_m_per_s: project(start.map(|m| m.velocity_m_per_s)),
            };
            let motion = modal.at(from, t);
            for i in 0..2 {
                result[i].position_m += shape[i] * motion.position_m;
                result[i].velocity_m_per_s += shape[i] * motion.velocity_m_per_s;
            }
        }
        result
    }

    /// Frequencies and mass-normalised shapes: one Jacobi rotation of M^(−½) K M^(−½).
    fn modes(&self) -> [(f64, [f64; 2]); 2] {
        let [k1, kc, k2] = self.stiffnesses_n_per_m;
        let root = self.masses_kg.map(f64::sqrt);
        let (a, b) = ((k1 + kc) / self.masses_kg[0], (kc + k2) / self.masses_kg[1]);
        let off = -kc / (root[0] * root[1]);
        let angle = 0.5 * (2.0 * off).atan2(a - b);
        let (s, c) = angle.sin_cos();
        let high = 0.5 * (a + b) + (0.5 * (a - b)).hypot(off);
        // The small eigenvalue from the determinant, without cancellation: exactly zero for a free pair.
        let low = (k1 * kc + k1 * k2 + kc * k2) / (self.masses_kg[0] * self.masses_kg[1] * high);
        [(low.sqrt(), [-s / root[0], c / root[1]]), (high.sqrt(), [c / root[0], s / root[1]])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::extrapolation::solve_at;

    fn integrated(o: Oscillator, start: Motion, t: f64) -> Motion {
        let rhs = |_: f64, y: &[f64], f: &mut [f64]| {
            f[0] = y[1];
            f[1] = -(o.stiffness_n_per_m * y[0] + o.damping_ns_per_m * y[1]) / o.mass_kg;
        };
        let y0 = vec![start.position_m, start.velocity_m_per_s];
        solve_at(&[t], y0, 0.01, rhs, |y| Motion { position_m: y[0], velocity_m_per_s: y[1] })[0]
    }

    /// Below, at and above critical damping the closed form is the solution of m ẍ + d ẋ + k x = 0.
    #[test]
    fn oscillator_solves_its_equation() {
        let start = Motion { position_m: 0.3, velocity_m_per_s: -1.1 };
        for damping in [0.0, 3.0, 20.0, 50.0] {
            let o = Oscillator { mass_kg: 2.0, stiffness_n_per_m: 50.0, damping_ns_per_m: damping };
            let (exact, found) = (o.at(start, 1.7), integrated(o, start, 1.7));
            assert!((exact.position_m - found.position_m).abs() < 1e-12, "d = {damping}");
            assert!((exact.velocity_m_per_s - found.velocity_m_per_s).abs() < 1e-12, "d = {damping}");
        }
    }

    /// A sixth of the rover (320 kg) on a brush tyre (Samarini et al., Table 2: 8250 N/m, 8140 N s/m) dropped by 10 mm on
    /// Mars: damping ratio 6.1, no rebound, always pushing, settling at the weight.
    #[test]
    fn brush_tyre_drop_is_over_damped() {
        let tyre = Oscillator { mass_kg: 320.0 / 6.0, stiffness_n_per_m: 8250.0, damping_ns_per_m: 8140.0 };
        let drop = Drop { oscillator: tyre, height_m: 0.01, gravity: 3.711 };
        assert!((tyre.damping_ratio() - 6.1).abs() < 0.05);
        for k in 1..2000 {
            let landing = drop.at(drop.touchdown() + 0.01 * k as f64);
            assert!(landing.force_n > 0.0 && landing.velocity_m_per_s > 0.0);
            assert!(landing.compression_m < drop.static_compression());
        }
        assert!((drop.at(60.0).force_n - 320.0 / 6.0 * 3.711).abs() < 1e-10);
    }

    /// Position and velocity are continuous at touchdown; there the damper's force is d v.
    #[test]
    fn touchdown_is_continuous() {
        let o = Oscillator { mass_kg: 1.0, stiffness_n_per_m: 100.0, damping_ns_per_m: 5.0 };
        let drop = Drop { oscillator: o, height_m: 0.05, gravity: 9.81 };
        let (before, after) = (drop.at(drop.touchdown() * (1.0 - 1e-12)), drop.at(drop.touchdown()));
        assert!(
            (before.compression_m - after.compression_m).abs() < 1e-12 && after.compression_m.abs() < 1e-16
        );
        assert!((before.velocity_m_per_s - after.velocity_m_per_s).abs() < 1e-11);
        assert!((after.force_n - 5.0 * after.velocity_m_per_s).abs() < 1e-13);
    }

    /// Equal masses and springs have the modes √(k/m) and √(3k/m); a free pair has a zero mode and the reduced mass.
    #[test]
    fn coupled_masses_have_textbook_frequencies() {
        let equal = CoupledMasses { masses_kg: [2.0; 2], stiffnesses_n_per_m: [8.0; 3] };
        let [low, high] = equal.frequencies();
        assert!((low - 2.0).abs() < 1e-15 && (high - 12f64.sqrt()).abs() < 1e-15);
        let free = CoupledMasses { masses_kg: [1.0, 3.0], stiffnesses_n_per_m: [0.0, 12.0, 0.0] };
        let [low, high] = free.frequencies();
        assert!(low == 0.0 && (high - 4.0).abs() < 1e-15);
    }

    /// The modal sum solves the two coupled equations, from any start.
    #[test]
    fn coupled_masses_solve_their_equations() {
        let pair = CoupledMasses { masses_kg: [1.5, 0.4], stiffnesses_n_per_m: [20.0, 35.0, 5.0] };
        let start = [(0.2, -0.5), (-0.1, 1.0)].map(|(x, v)| Motion { position_m: x, velocity_m_per_s: v });
        let rhs = |_: f64, y: &[f64], f: &mut [f64]| {
            f[0] = y[2];
            f[1] = y[3];
            f[2] = (-20.0 * y[0] - 35.0 * (y[0] - y[1])) / 1.5;
            f[3] = (-5.0 * y[1] - 35.0 * (y[1] - y[0])) / 0.4;
        };
        let y = solve_at(&[3.0], vec![0.2, -0.1, -0.5, 1.0], 0.05, rhs, |y| y.to_vec()).swap_remove(0);
        let exact = pair.at(start, 3.0);
        for i in 0..2 {
            assert!((exact[i].position_m - y[i]).abs() < 1e-12);
            assert!((exact[i].velocity_m_per_s - y[2 + i]).abs() < 1e-11);
        }
        // At t = 0 the modes must add up to the start itself.
        assert!((pair.at(start, 0.0)[1].position_m + 0.1).abs() < 1e-15);
    }
}
