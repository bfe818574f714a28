//! A beam under axial force N, clamped at its root, with given deflection v and slope β at its tip: EI w'''' − N w'' = 0.
//!
//! With s = z/L and λ = N L²/EI the solutions clamped at s = 0 are Σ λᵏ s²ᵏ⁺²/(2k+2)! and Σ λᵏ s²ᵏ⁺³/(2k+3)!, for tension and compression alike; two
//! conditions at the tip decide their shares. The shear N w' − EI w''' is the same everywhere. (Timoshenko and Gere, Theory of Elastic Stability, 1.)

use crate::numerics::quadrature::Gauss;

/// A beam of one plane, SI; compression is a negative tension.
#[derive(Clone, Copy, Debug)]
pub struct BeamColumn {
    /// EI, N m².
    pub bending_stiffness: f64,
    /// m.
    pub length: f64,
    /// N.
    pub tension: f64,
}

/// What has to act on the tip, and on the root, to hold a shape.
#[derive(Clone, Copy, Debug)]
pub struct EndLoads {
    /// Lateral force on the tip, N.
    pub force: f64,
    /// Moment on the tip, N m.
    pub moment: f64,
    /// Moment on the root, N m.
    pub root_moment: f64,
}

impl BeamColumn {
    /// Σ λᵏ sⁿ/n! with n = 2k + `from`.
    fn series(&self, s: f64, from: i32) -> f64 {
        let lambda = self.tension * self.length * self.length / self.bending_stiffness;
        let mut term = (1..=from).fold(1.0, |t, n| t * s / f64::from(n));
        let mut sum = 0.0;
        for k in 0..80 {
            sum += term;
            let n = f64::from(2 * k + from);
            term *= lambda * s * s / ((n + 1.0) * (n + 2.0));
        }
        sum
    }

    /// Shares of the two functions.
    fn shares(&self, v: f64, slope: f64) -> [f64; 2] {
        let (a, b, c) = (self.series(1.0, 2), self.series(1.0, 3), self.series(1.0, 1));
        let (turn, det) = (slope * self.length, a * a - b * c);
        [(v * a - b * turn) / det, (a * turn - c * v) / det]
    }

    /// Deflection and slope at the share `s` of the length.
    pub fn shape(&self, v: f64, slope: f64, s: f64) -> [f64; 2] {
        let [x, y] = self.shares(v, slope);
        let deflection = x * self.series(s, 2) + y * self.series(s, 3);
        [deflection, (x * self.series(s, 1) + y * self.series(s, 2)) / self.length]
    }

    /// Loads that hold deflection `v` and slope at the tip.
    pub fn tip(&self, v: f64, slope: f64) -> EndLoads {
        let [x, y] = self.shares(v, slope);
        let (EI, L) = (self.bending_stiffness, self.length);
        EndLoads {
            force: -EI * y / L.powi(3),
            moment: EI * (x * self.series(1.0, 0) + y * self.series(1.0, 1)) / (L * L),
            root_moment: -EI * x / (L * L),
        }
    }

    /// Deflection and slope of a tip under a lateral force and a moment.
    pub fn bent(&self, force: f64, moment: f64) -> [f64; 2] {
        let (a, b) = (self.tip(1.0, 0.0), self.tip(0.0, 1.0));
        let det = a.force * b.moment - b.force * a.moment;
        [(force * b.moment - b.force * moment) / det, (a.force * moment - a.moment * force) / det]
    }

    /// First frequency (Hz) and damping ratio of a body on the tip, its centre of mass there, with damping of `time` s times the stiffness without tension.
    /// Energy lost in a cycle of the undamped mode over that of its motion: right to the square of the ratio.
    pub fn ringing(&self, mass: f64, inertia: f64, time: f64) -> [f64; 2] {
        let (a, b) = (self.tip(1.0, 0.0), self.tip(0.0, 1.0));
        // |K − ω²M| = 0
        let half = 0.5 * (a.force / mass + b.moment / inertia);
        let rest = (a.force * b.moment - a.moment * b.force) / (mass * inertia);
        let square = rest / (half + (half * half - rest).sqrt());
        let slope = (square * mass - a.force) / b.force;
        let free = BeamColumn { tension: 0.0, ..*self }.tip(1.0, slope);
        let ratio = 0.5 * time * (free.force + slope * free.moment)
            / (square.sqrt() * (mass + inertia * slope * slope));
        [square.sqrt() / std::f64::consts::TAU, ratio]
    }

    /// By how much the ends come closer by bending, ½∫w'², m.
    pub fn shortening(&self, v: f64, slope: f64) -> f64 {
        let [square] = Gauss::new().integrate_from_end(1.0, |s| [self.shape(v, slope, s)[1].powi(2)]);
        0.5 * self.length * square
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without axial force a cantilever under a tip force bends by F L³/3EI; a pull of N gives F/N (L − tanh kL/k), k² = N/EI.
    #[test]
    fn cantilever_bends_as_in_the_textbook() {
        let mut beam = BeamColumn { bending_stiffness: 150.0, length: 1.45, tension: 0.0 };
        let free = beam.bent(2.0, 0.0)[0];
        assert!((free - 2.0 * 1.45_f64.powi(3) / 450.0).abs() < 1e-14);
        beam.tension = 200.0;
        let k = (200.0_f64 / 150.0).sqrt();
        let pulled = 2.0 / 200.0 * (1.45 - (k * 1.45).tanh() / k);
        assert!((beam.bent(2.0, 0.0)[0] - pulled).abs() < 1e-14);
        beam.tension = -100.0;
        let k = (100.0_f64 / 150.0).sqrt();
        let pushed = 2.0 / 100.0 * ((k * 1.45).tan() / k - 1.45);
        assert!((beam.bent(2.0, 0.0)[0] - pushed).abs() < 1e-13);
    }
}
