//! Feet on soil and on springs: what a sole carries at a depth by quadrature of the stress over its face, and what follows by balances of energy. References for `contact::foot`.
//!
//! The stress is normal to the face and follows p = K zⁿ at the depth z below the untouched ground (Wong & Reece 1967; L. Ding et al., Int. J. Robotics Research 32 (2013), Eqs. 16, 24, 31).
//! Drops: a weight W falls from the height h; plastic soil takes E(δ) = ∫F dδ, a spring k stores F²/2k, both at the same force F.

use super::{Soil, solve_growing};
use crate::numerics::quadrature::Gauss;
use std::f64::consts::PI;
use std::sync::OnceLock;

/// The rule, made once: balances of energy ask for thousands of forces.
fn rule() -> &'static Gauss {
    static RULE: OnceLock<Gauss> = OnceLock::new();
    RULE.get_or_init(Gauss::new)
}

/// Form of a sole; sizes in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sole {
    /// Flat, of any outline.
    Flat {
        /// m².
        area: f64,
    },
    /// Cylinder that lies.
    Cylinder {
        /// r.
        radius: f64,
        /// b, along its axis.
        width: f64,
    },
    /// Ball.
    Ball {
        /// R.
        radius: f64,
    },
}

impl Sole {
    /// Force at a depth up to the radius, N.
    pub fn force(&self, soil: &Soil, depth: f64) -> f64 {
        if depth <= 0.0 {
            return 0.0;
        }
        // A round face from its entry, at the angle θ₁ from below, to the lowest point; the distance d from the entry keeps the digits of z = r (cos θ − cos θ₁).
        let round = |radius: f64, face: &dyn Fn(f64) -> f64| {
            let entry = 2.0 * (0.5 * depth / radius).sqrt().asin();
            let [sum] = rule().integrate_from_end(entry, |d| {
                let z = 2.0 * radius * (entry - 0.5 * d).sin() * (0.5 * d).sin();
                let angle = entry - d;
                [soil.pressure(z) * angle.cos() * face(angle)]
            });
            sum
        };
        match *self {
            Sole::Flat { area } => area * soil.pressure(depth),
            Sole::Cylinder { radius, width } => round(radius, &|_| 2.0 * radius * width),
            Sole::Ball { radius } => round(radius, &|angle| 2.0 * PI * radius * radius * angle.sin()),
        }
    }

    /// Work that pressing to a depth takes, J.
    pub fn work(&self, soil: &Soil, depth: f64) -> f64 {
        let [work] = rule().integrate_from_end(depth, |z| [self.force(soil, z)]);
        work
    }

    /// Deepest that it may be, m: round ones to their axis.
    fn deepest(&self) -> f64 {
        match *self {
            Sole::Flat { .. } => 1.0,
            Sole::Cylinder { radius, .. } | Sole::Ball { radius } => radius,
        }
    }

    /// Depth at which a load is carried, m; `None` if it is deeper than its axis.
    pub fn depth_under(&self, soil: &Soil, load: f64) -> Option<f64> {
        solve_growing(load, self.deepest(), |d| self.force(soil, d))
    }

    /// Depth at which a weight that fell from a height stops: W (h + δ) = E(δ).
    pub fn depth_of_drop(&self, soil: &Soil, weight: f64, height: f64) -> Option<f64> {
        self.depth_of_drop_on_spring(soil, weight, height, f64::INFINITY)
    }

    /// The same of the soil under a foot with a spring of the stiffness k: W (h + δ + F/k) = E(δ) + F²/2k with F = F(δ).
    pub fn depth_of_drop_on_spring(&self, soil: &Soil, weight: f64, height: f64, k: f64) -> Option<f64> {
        solve_growing(0.0, self.deepest(), |d| {
            let force = self.force(soil, d);
            self.work(soil, d) + 0.5 * force * force / k - weight * (height + d + force / k)
        })
    }
}

/// Largest force of a weight that fell from a height on a spring without damping: W + √(W² + 2 k W h), N.
pub fn peak_on_spring(weight: f64, height: f64, k: f64) -> f64 {
    weight + (weight * weight + 2.0 * k * weight * height).sqrt()
}

/// Height from which a foot with a spring must fall for soil F = c δᵐ to lower the peak of its force, m: (m² − 1) W/2k. From lower ones the soil lets the weight go further
/// down than it takes energy. It does not depend on c.
pub fn calming_height(weight: f64, k: f64, m: f64) -> f64 {
    (m * m - 1.0) * weight / (2.0 * k)
}

/// Share of the limit that is there after a displacement j/K: Janosi & Hanamoto's curve, and those of Ding et al., Eqs. 39 and 43.
pub fn shear_share(curve: Curve, travel: f64) -> f64 {
    match curve {
        Curve::Exponential => -(-travel).exp_m1(),
        Curve::Line => (0.5 * travel).min(1.0),
        Curve::Tanh => (travel / 1.5).tanh(),
    }
}

/// How force along the ground builds up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Curve {
    /// 1 − e^(−j/K).
    Exponential,
    /// j/2K up to 1.
    Line,
    /// tanh(j/1.5K).
    Tanh,
}

/// Largest distance of a curve from the exponential one up to j = 1.2 K: beyond, both others cross it and come close again.
pub fn largest_distance(curve: Curve) -> f64 {
    let distance = |x: f64| (shear_share(curve, x) - shear_share(Curve::Exponential, x)).abs();
    // One maximum: golden section to rounding of the argument.
    let (mut a, mut b, shrink) = (0.0, 1.2, 0.5 * (5f64.sqrt() - 1.0));
    for _ in 0..80 {
        let (c, d) = (b - shrink * (b - a), a + shrink * (b - a));
        if distance(c) > distance(d) { b = d } else { a = c }
    }
    distance(0.5 * (a + b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sand(width: f64) -> Soil {
        let modulus = 990.0 / width + 1_528_430.0;
        Soil { modulus, exponent: 1.1, cohesion: 1040.0, friction_angle: 28f64.to_radians() }
    }

    /// Forces on dry sand as computed elsewhere, to the digits printed; a ball's integral has a closed form.
    #[test]
    fn forces_are_those_computed_elsewhere() {
        let (cylinder, ball) = (Sole::Cylinder { radius: 0.05, width: 0.08 }, Sole::Ball { radius: 0.05 });
        let rows = [(0.01, 30.972696), (0.02, 90.941485), (0.03, 168.100522), (0.04, 256.600891)];
        for (depth, expected) in rows {
            let force = cylinder.force(&sand(0.08), depth);
            assert!((force - expected).abs() <= 0.51e-6, "{depth} {force}");
        }
        assert!((cylinder.force(&sand(0.08), 0.05) - 352.01397).abs() <= 0.51e-5);
        for (depth, expected, digit) in
            [(1e-3, 0.115333, 1e-6), (0.02, 54.5671, 1e-4), (0.05, 290.7105, 1e-4)]
        {
            let (soil, share) = (sand(0.05), depth / 0.05);
            let force = ball.force(&soil, depth);
            assert!((force - expected).abs() <= 0.51 * digit, "{depth} {force}");
            let closed =
                2.0 * PI * 0.05 * soil.modulus * f64::powf(depth, 2.1) * ((1.0 - share) / 2.1 + share / 3.1);
            assert!((force / closed - 1.0).abs() < 1e-12, "{depth} {force} {closed}");
        }
    }

    /// Depths invert forces; a drop from no height on flat ground with n = 1 goes twice as deep as the load at rest; below the calming height soil raises the peak, above it lowers it.
    #[test]
    fn balances_of_energy() {
        let ball = Sole::Ball { radius: 0.05 };
        let depth = ball.depth_under(&sand(0.05), 54.0).unwrap();
        assert!((ball.force(&sand(0.05), depth) / 54.0 - 1.0).abs() < 1e-12);
        assert!(ball.depth_under(&sand(0.05), 1e4).is_none());
        let (flat, line) = (Sole::Flat { area: 1.0 }, Soil { exponent: 1.0, modulus: 1e4, ..sand(1.0) });
        let depth = flat.depth_of_drop(&line, 200.0, 0.0).unwrap();
        assert!((depth / 0.04 - 1.0).abs() < 1e-9, "{depth}");
        let (k, weight) = (11_945.0, 200.0);
        for modulus in [3e3, 2e4] {
            let soil = Soil { exponent: 1.3, modulus, ..sand(1.0) };
            for share in [0.5, 1.0, 2.0] {
                let height = share * calming_height(weight, k, 1.3);
                let depth = flat.depth_of_drop_on_spring(&soil, weight, height, k).unwrap();
                let ratio = flat.force(&soil, depth) / peak_on_spring(weight, height, k);
                let right =
                    if share == 1.0 { (ratio - 1.0).abs() < 1e-9 } else { (ratio > 1.0) == (share < 1.0) };
                assert!(right, "{modulus} {share} {ratio}");
            }
        }
    }

    /// (1 − ln 2)/2 at j = K ln 2 for the line; 0.072 at 0.53 K for the tanh.
    #[test]
    fn distances_of_the_curves() {
        assert!((largest_distance(Curve::Line) - 0.5 * (1.0 - 2f64.ln())).abs() < 1e-12);
        assert!((largest_distance(Curve::Tanh) - 0.072).abs() < 5e-4);
    }
}
