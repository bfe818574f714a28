//! Pressure of one node against the level of the body: Bekker's curve, with memory.
//!
//! Virgin soil follows p = K·zⁿ with z measured from the surface at the beginning of the contact (deposits
//! included). A node that has carried a pressure unloads and reloads along a steep line through that point;
//! beyond it the virgin curve continues. Soil deposited on ground that has carried before carries the load
//! until the ground below carries more; the memory of ground that lost its top moves down with it.

use super::params::SoilParameters;
use super::tile::{COVERED, Memory, UNDER, WAKE};
use touchdown_math::Elementary;

/// A soil with the width of the contact: input of the pressure law.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strength {
    /// K, Pa/mⁿ.
    pub modulus: f64,
    /// Its inverse.
    pub compliance: f64,
    /// n.
    pub exponent: f64,
    /// Slope of unloading, Pa/m.
    pub elastic: f64,
    /// Its inverse.
    pub softness: f64,
    /// tan φ, or that of the angle between soil and body where it is given.
    pub friction: f64,
    /// Pa.
    pub cohesion: f64,
    /// Pa s/m.
    pub damping: f64,
    /// 1/K of the law of Janosi and Hanamoto, 1/m.
    pub shear_rate: f64,
    /// Part of the sinkage volume that stays in the ground.
    pub compaction: f64,
    /// n, n(n + 1)/2, …: coefficients of (1 − ε)⁻ⁿ from the first power on.
    binomial: [f64; 6],
}

impl Strength {
    /// Of a soil under a contact of width b, m, against a body with the angle of friction `interface_angle`, if one is given.
    pub fn new(soil: &SoilParameters, b: f64, interface_angle: Option<f64>) -> Strength {
        let modulus = soil.law.modulus(soil.exponent, b);
        let mut binomial = [soil.exponent; 6];
        for k in 1..6 {
            binomial[k] = binomial[k - 1] * (soil.exponent + k as f64) / (k as f64 + 1.0);
        }
        Strength {
            modulus,
            compliance: 1.0 / modulus,
            exponent: soil.exponent,
            elastic: soil.elastic_stiffness,
            softness: 1.0 / soil.elastic_stiffness,
            friction: interface_angle.unwrap_or(soil.friction_angle).tangent(),
            cohesion: soil.cohesion,
            damping: soil.damping,
            shear_rate: 1.0 / soil.shear_length,
            compaction: soil.compaction,
            binomial,
        }
    }

    #[cold]
    fn power(&self, z: f64) -> f64 {
        if self.exponent == 1.0 { z } else { z.power(self.exponent) }
    }

    /// Virgin soil at the sinkage z, with zⁿ.
    #[inline(always)]
    fn yielding(&self, z: f64, per_z: f64, power: f64) -> Pressure {
        let p = self.modulus * power;
        Pressure { p, slope: -self.exponent * p * per_z, kept: 1.0, yields: (power, z) }
    }
}

/// Pressure of a node under a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pressure {
    /// Pa, never negative.
    pub p: f64,
    /// dp/d(level of the body), Pa/m, never positive.
    pub slope: f64,
    /// p over the pressure at which unloading began: one while it grows.
    pub kept: f64,
    /// zⁿ and z on the virgin curve where the node yields; zero where it does not.
    pub yields: (f64, f64),
}

impl Pressure {
    /// To first order, zⁿ and z where the node yields with the body higher by `rise`, m.
    #[inline(always)]
    pub fn yields_after(&self, soil: &Strength, rise: f64) -> (f64, f64) {
        let (power, z) = self.yields;
        if power > 0.0 { (power + self.slope * rise * soil.compliance, z - rise) } else { self.yields }
    }
}

/// Cover thinner than this is ignored, m: far below any grain, far above rounding.
pub(super) const THIN: f64 = 1e-9;

/// Largest ε of the series below: its seventh power is 1e-17.
const NEAR: f64 = 0.004;

const NONE: Pressure = Pressure { p: 0.0, slope: 0.0, kept: 0.0, yields: (0.0, 0.0) };

/// Pressure with the body at `level`, of a node with the surface (or reference) `surface`, `flags` and `memory`.
#[inline(always)]
pub(super) fn pressure(soil: &Strength, level: f64, surface: f64, flags: u8, memory: &Memory) -> Pressure {
    // Most nodes carried this body at the last step.
    if flags & (UNDER | COVERED) == UNDER && memory.yield_power > 0.0 {
        remembered(soil, level, memory)
    } else {
        pressure_after_changes(soil, level, surface, flags, memory)
    }
}

#[inline(always)]
fn pressure_after_changes(soil: &Strength, level: f64, surface: f64, flags: u8, memory: &Memory) -> Pressure {
    if memory.yield_power == 0.0 {
        let low = if flags & UNDER != 0 { memory.low } else { surface };
        return fresh(soil, level, surface, low);
    }
    let top_of_ground = unloaded_ground(soil, memory);
    let covered = if flags & UNDER != 0 { flags & COVERED != 0 } else { surface > top_of_ground + THIN };
    let lost = if flags & UNDER != 0 { 0.0 } else { (top_of_ground - surface).max(0.0) };
    let ground = remembered(soil, level + lost, memory);
    if !covered {
        return ground;
    }
    let low = if flags & UNDER != 0 { memory.low } else { surface };
    let cover = fresh(soil, level, surface, low);
    if cover.p > ground.p {
        // Soil that trickled under a rising body is measured by the load that the ground has carried there.
        let carried = if flags & WAKE != 0 { soil.modulus * memory.yield_power } else { cover.p };
        Pressure { kept: cover.kept.min(cover.p / carried), ..cover }
    } else {
        ground
    }
}

/// Level to which ground that has carried springs back, m.
#[inline]
pub(super) fn unloaded_ground(soil: &Strength, memory: &Memory) -> f64 {
    memory.yield_level + soil.modulus * memory.yield_power * soil.softness
}

/// Soil without memory before this contact, which began at `top` and reached down to `low`.
#[inline(always)]
fn fresh(soil: &Strength, level: f64, top: f64, low: f64) -> Pressure {
    let z = top - level;
    if z <= 0.0 {
        return NONE;
    }
    if level <= low {
        return soil.yielding(z, 1.0 / z, soil.power(z));
    }
    elastic(soil, soil.modulus * soil.power(top - low), level - low)
}

/// Ground that has carried before. A node that sinks with its body is a little beyond its yield point at nearly every evaluation: with
/// ε = 1 − y/z, zⁿ = yⁿ·(1 − ε)⁻ⁿ by the binomial series, whose first term left out is below round-off.
#[inline(always)]
fn remembered(soil: &Strength, level: f64, memory: &Memory) -> Pressure {
    let above = level - memory.yield_level;
    if above <= 0.0 {
        let z = memory.yield_sinkage - above;
        let per_z = 1.0 / z;
        let e = -above * per_z;
        if e > NEAR || soil.exponent == 1.0 {
            return soil.yielding(z, per_z, soil.power(z));
        }
        let [c1, c2, c3, c4, c5, c6] = soil.binomial;
        let ratio = 1.0 + e * (c1 + e * (c2 + e * (c3 + e * (c4 + e * (c5 + e * c6)))));
        return soil.yielding(z, per_z, memory.yield_power * ratio);
    }
    elastic(soil, soil.modulus * memory.yield_power, above)
}

#[inline(always)]
fn elastic(soil: &Strength, carried: f64, above: f64) -> Pressure {
    let p = carried - soil.elastic * above;
    if p <= 0.0 {
        return NONE;
    }
    Pressure { p, slope: -soil.elastic, kept: p / carried, yields: (0.0, 0.0) }
}
