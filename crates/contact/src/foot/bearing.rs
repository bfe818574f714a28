//! Bearing force of soil at rest: force of a foot against its sinkage, in the exact form and in the named
//! forms of the paper.
//!
//! Numbers of equations are those of L. Ding et al. (2013), with the corrections of the theory page: Eqs. 32, 33 and 35 carry a factor ½ that the
//! printed ones lack, and the integral in the caption of Fig. 11 its r b.

use super::params::{FootModel, FootSoil, Stress};
use super::quadrature::Rule;
use super::shape::{Entry, FootShape};
use crate::law::sinkage::power;
use std::f64::consts::PI;
use touchdown_math::Elementary;

/// Force of soil on a foot at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bearing {
    shape: FootShape,
    model: FootModel,
    /// K, Pa/mⁿ.
    modulus: f64,
    /// n.
    exponent: f64,
    /// One, or a half where only one side of the foot presses.
    sides: f64,
    rule: Rule,
    smooth: Rule,
}

/// The bearing force at a sinkage, with its derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Carried {
    /// Normal force F, N.
    pub force: f64,
    /// dF/dδ, N/m.
    pub slope: f64,
    /// ∫F dδ from zero, J: the work of pressing.
    pub work: f64,
    /// Area on which cohesion acts along the ground, m², and its slope, m.
    pub area: (f64, f64),
    /// Pressure at the deepest point σ_m, Pa.
    pub pressure: f64,
}

impl Bearing {
    /// For a foot on a soil, with a model that fits its shape ([`FootModel::fits`]); both checked by the caller.
    pub fn new(shape: FootShape, soil: &FootSoil) -> Bearing {
        Bearing {
            shape,
            model: soil.model,
            modulus: soil.law.modulus(soil.exponent, shape.pressure_width()),
            exponent: soil.exponent,
            sides: match soil.stress {
                Stress::Symmetric => 1.0,
                Stress::OneSided => 0.5,
            },
            rule: Rule::powers_at_end(),
            smooth: Rule::legendre(),
        }
    }

    /// Pressure law's modulus K under this foot, Pa/mⁿ.
    pub fn modulus(&self) -> f64 {
        self.modulus
    }

    /// Force, slope, work, area and pressure at the sinkage δ, m. Nothing at and above the ground.
    pub fn at(&self, sinkage: f64) -> Carried {
        if sinkage <= 0.0 {
            return Carried::default();
        }
        let shares = match self.shape {
            FootShape::FlatCircular { .. } | FootShape::FlatRectangular { .. } => {
                let area = self.shape.sole().unwrap_or(0.0);
                let p = power(sinkage, self.exponent);
                // Eqs. 16, 17, 19.
                Carried {
                    force: area * p.value,
                    slope: area * p.slope,
                    work: area * p.integral,
                    area: (area, 0.0),
                    pressure: p.value,
                }
            }
            FootShape::Cylindrical { radius, width } => self.cylinder(radius, width, sinkage),
            FootShape::Spherical { radius } => self.sphere(radius, sinkage),
        };
        let scale = self.modulus * self.sides;
        Carried {
            force: scale * shares.force,
            slope: scale * shares.slope,
            work: scale * shares.work,
            area: (self.sides * shares.area.0, self.sides * shares.area.1),
            pressure: self.modulus * shares.pressure,
        }
    }

    /// Sinkage under a load, m: the inverse of the force, to round-off.
    pub fn sinkage(&self, load: f64) -> f64 {
        if load <= 0.0 {
            return 0.0;
        }
        // Newton on ln F over ln δ: nearly linear, hence safe from any start.
        let mut x = (self.shape.reach() * 0.5).natural_log();
        for _ in 0..60 {
            let depth = x.exponential();
            let carried = self.at(depth);
            let step = (load / carried.force).natural_log() * carried.force / (carried.slope * depth);
            x += step.clamp(-2.0, 2.0);
            if step.abs() < 1e-15 {
                break;
            }
        }
        x.exponential()
    }

    /// Per K.
    fn cylinder(&self, r: f64, b: f64, d: f64) -> Carried {
        let n = self.exponent;
        let sigma = power(d, n);
        let entry = Entry::new(r, d);
        match self.model {
            FootModel::Exact => self.exact_cylinder(r, b, d, &entry),
            // Eq. 29a, which is Eq. 25 with symmetric stress: r b σ_m·2(1 − cos θ₁)/θ₁, and r(1 − cos θ₁) = δ.
            FootModel::Linearised | FootModel::Eq29a => self.with_area(sigma.value, d, |d| {
                let e = Entry::new(r, d);
                let area = 2.0 * b * d / e.angle;
                (area, area * (1.0 / d - e.slope / e.angle))
            }),
            FootModel::Eq29b => self.with_area(sigma.value, d, |d| {
                let e = Entry::new(r, d);
                (r * b * e.angle, r * b * e.slope)
            }),
            // Eq. 29c: b √(2 r δ) K δⁿ.
            _ => {
                let root = b * (2.0 * r).sqrt();
                self.hertz(root, 0.5, d, sigma.value)
            }
        }
    }

    /// Eq. 24 with the stresses of Eq. 21, symmetric: 2 r b ∫σ cos θ dθ from zero to θ₁, θ = θ₁ s.
    fn exact_cylinder(&self, r: f64, b: f64, d: f64, entry: &Entry) -> Carried {
        let n = self.exponent;
        let t = entry.angle;
        let beyond = d >= r;
        let [sum, by_end, by_depth, work] = self.rule.sum(|s| {
            let (sin, cos) = (t * s).sine_cosine();
            // r(cos θ − cos θ₁) without cancellation near θ₁.
            let z = if beyond {
                r * cos + (d - r)
            } else {
                2.0 * r * (0.5 * t * (1.0 + s)).sine() * (0.5 * t * (1.0 - s)).sine()
            };
            let p = z.power(n);
            let along = if beyond { 1.0 } else { 1.0 - s * sin / entry.sin };
            [p * cos, p * s * sin, n * p / z * along * cos, p * z * cos]
        });
        let scale = 2.0 * b * r;
        Carried {
            force: scale * t * sum,
            slope: scale * (entry.slope * sum + t * by_depth - t * entry.slope * by_end),
            work: scale * t * work / (n + 1.0),
            area: (scale * entry.sin, scale * entry.cos * entry.slope),
            pressure: d.power(n),
        }
    }

    fn sphere(&self, r: f64, d: f64) -> Carried {
        let n = self.exponent;
        let sigma = power(d, n);
        match self.model {
            FootModel::Exact => exact_sphere(r, d, n),
            // Eq. 33 with its factor ½.
            FootModel::Linearised | FootModel::Eq33 => self.with_area(sigma.value, d, |d| {
                let e = Entry::new(r, d);
                let (share, slope) = missing_sinc(2.0 * e.angle);
                let half = 0.5 * PI * r * r;
                (half * share, half * slope * 2.0 * e.slope)
            }),
            // Eq. 34.
            _ => self.hertz(PI * r, 1.0, d, sigma.value),
        }
    }

    /// F = a(δ)·δⁿ with the area and its slope given; the work by quadrature, over √δ from the start.
    fn with_area(&self, sigma: f64, d: f64, area: impl Fn(f64) -> (f64, f64)) -> Carried {
        let (a, slope) = area(d);
        // The entry angle has a kink where the whole foot is below ground.
        let whole = self.shape.round().unwrap_or(d).min(d);
        let [below] = self.smooth.sum(|s| {
            let depth = whole * s * s;
            [area(depth).0 * depth.power(self.exponent) * 2.0 * s * whole]
        });
        let [above] = self.smooth.sum(|s| {
            let depth = whole + (d - whole) * s;
            [area(depth).0 * depth.power(self.exponent) * (d - whole)]
        });
        let work = below + above;
        Carried {
            force: a * sigma,
            slope: sigma * (slope + a * self.exponent / d),
            work,
            area: (a, slope),
            pressure: sigma,
        }
    }

    /// F = c δ^(n + e), area c δ^e.
    fn hertz(&self, c: f64, e: f64, d: f64, sigma: f64) -> Carried {
        let (force, area) = (power(d, self.exponent + e), power(d, e));
        Carried {
            force: c * force.value,
            slope: c * force.slope,
            work: c * force.integral,
            area: (c * area.value, c * area.slope),
            pressure: sigma,
        }
    }
}

/// 2π ∫u (u + δ − R)ⁿ du over the heights u of the sphere below ground, per K: Eq. 31 with the stress of Eq. 21, in closed form. Up to the equator it is
/// 2π R δ^(n+1) [(1 − D)/(n + 1) + D/(n + 2)].
fn exact_sphere(r: f64, d: f64, n: f64) -> Carried {
    let over = (d - r).max(0.0);
    let (one, two) = (power(d, n + 1.0), power(d, n + 2.0));
    let (low, lower) = (power(over, n + 1.0), power(over, n + 2.0));
    let gap = d - r;
    // ∫(w − gap)·wⁿ dw; its derivative by δ is n∫(w − gap)·w^(n−1) dw, of the same shape.
    let force = (two.value - lower.value) / (n + 2.0) - gap * (one.value - low.value) / (n + 1.0);
    let flat = power(d, n);
    let low_flat = power(over, n);
    let slope = n * ((one.value - low.value) / (n + 1.0) - gap * (flat.value - low_flat.value) / n);
    let (three, lowest) = (power(d, n + 3.0), power(over, n + 3.0));
    let work =
        ((three.value - lowest.value) / (n + 3.0) - gap * (two.value - lower.value) / (n + 2.0)) / (n + 1.0);
    let area = if gap >= 0.0 { (PI * r * r, 0.0) } else { (PI * d * (2.0 * r - d), 2.0 * PI * (r - d)) };
    Carried {
        force: 2.0 * PI * force,
        slope: 2.0 * PI * slope,
        work: 2.0 * PI * work,
        area,
        pressure: flat.value,
    }
}

/// 1 − sin x/x and its slope, without cancellation.
fn missing_sinc(x: f64) -> (f64, f64) {
    if x < 0.5 {
        let y = x * x;
        let value = y / 6.0
            * (1.0 - y / 20.0 * (1.0 - y / 42.0 * (1.0 - y / 72.0 * (1.0 - y / 110.0 * (1.0 - y / 156.0)))));
        let slope = x / 3.0
            * (1.0 - y / 10.0 * (1.0 - y / 28.0 * (1.0 - y / 54.0 * (1.0 - y / 88.0 * (1.0 - y / 130.0)))));
        return (value, slope);
    }
    let (sin, cos) = x.sine_cosine();
    (1.0 - sin / x, (sin / x - cos) / x)
}

/// Table 7: stiffness k_TN (N/m^n_TN) and exponent n_TN of F = k δⁿ for a foot with symmetric stress, from the closed forms (Eqs. 17, 19, 29c, 34).
pub fn hertz_parameters(shape: &FootShape, soil: &FootSoil) -> (f64, f64) {
    let (K, n) = (soil.law.modulus(soil.exponent, shape.pressure_width()), soil.exponent);
    match *shape {
        FootShape::FlatCircular { .. } | FootShape::FlatRectangular { .. } => {
            (K * shape.sole().unwrap_or(0.0), n)
        }
        FootShape::Cylindrical { radius, width } => (K * width * (2.0 * radius).sqrt(), n + 0.5),
        FootShape::Spherical { radius } => (K * PI * radius, n + 1.0),
    }
}

/// Table 7: coefficient μ = F_T/F_N of full shear under the normal force F (N): cohesion over the area of the closed forms, and tan φ.
pub fn hertz_friction(shape: &FootShape, soil: &FootSoil, force: f64) -> f64 {
    let (k, n) = hertz_parameters(shape, soil);
    let depth = (force / k).power(1.0 / n);
    let pressure = soil.law.modulus(soil.exponent, shape.pressure_width()) * depth.power(soil.exponent);
    soil.cohesion / pressure + soil.friction_angle.tangent()
}
