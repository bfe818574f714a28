//! A rigid wheel in virgin soil: exact integrals of Bekker's pressure over the rim, without shear and with all of it mobilised.
//! Reference for the `single-wheel` rig and the rover's drawbar pull without deposition.
//!
//! Ahead of bottom dead centre, 0 ≤ θ ≤ θ₁ with cos θ₁ = 1 − z/r: σ = K (r (cos θ − cos θ₁))ⁿ, on the true area of the rim. The
//! compaction resistance is then exactly b K zⁿ⁺¹/(n+1), the work of pressing a plate into the rut. Mobilised shear is τ = c + σ tan φ
//! forward everywhere: the rim slides backwards at ωr − v cos θ, which is positive on the whole arc as soon as the wheel slips at all.
//!
//! Behind bottom dead centre plastic soil stays below the rim. Soil that rebounds elastically follows it: σ = p_max − k_e·(rise of the rim)
//! until it vanishes; it pushes the wheel forward with b p_max²/(2 k_e).
//!
//! Sources: M. G. Bekker, *Introduction to Terrain-Vehicle Systems*, 1969 (whose closed formula replaces the arc by a parabola and
//! sinks 17 % too little where the wheel stands 0.77 r deep); Krenn & Hirzinger, Eqs. (3)–(5).

use super::{Forces, Soil, Wheel, solve_growing};
use crate::numerics::quadrature::Gauss;
use std::f64::consts::FRAC_PI_2;

/// Shear between rim and soil.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shear {
    /// None: a frictionless, towed wheel.
    None,
    /// τ = c + σ tan φ on the whole contact, pushing the wheel forward: a driven wheel that slips.
    Mobilised,
}

impl Shear {
    fn stress(self, soil: &Soil, pressure: f64) -> f64 {
        match self {
            Shear::None => 0.0,
            Shear::Mobilised => soil.shear_strength(pressure),
        }
    }
}

/// A wheel that carries its load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Depth of its lowest point below the undisturbed surface, m.
    pub sinkage_m: f64,
    /// Forces there.
    pub forces: Forces,
}

/// Forces at a `sinkage` (m, 0 to r), contact only ahead of bottom dead centre.
pub fn at_sinkage(soil: &Soil, wheel: &Wheel, shear: Shear, sinkage: f64) -> Forces {
    ahead(&Gauss::new(), soil, wheel, shear, sinkage)
}

/// Forces at a `sinkage` (m, 0 to r) in soil that rebounds behind the wheel with `unloading_stiffness` k_e, Pa/m. Meant for k_e well above
/// p_max/z: softer soil would rebound above its undisturbed surface.
pub fn at_sinkage_with_rebound(
    soil: &Soil,
    wheel: &Wheel,
    shear: Shear,
    sinkage: f64,
    unloading_stiffness: f64,
) -> Forces {
    let gauss = Gauss::new();
    ahead(&gauss, soil, wheel, shear, sinkage)
        + behind(&gauss, soil, wheel, shear, sinkage, unloading_stiffness)
}

/// Sinkage and forces under a vertical `load`, N; `None` if the wheel would sink deeper than its axle.
pub fn under_load(soil: &Soil, wheel: &Wheel, shear: Shear, load: f64) -> Option<Standing> {
    let gauss = Gauss::new();
    standing(wheel, load, |sinkage| ahead(&gauss, soil, wheel, shear, sinkage))
}

/// As [`under_load`], in soil that rebounds: see [`at_sinkage_with_rebound`].
pub fn under_load_with_rebound(
    soil: &Soil,
    wheel: &Wheel,
    shear: Shear,
    load: f64,
    unloading_stiffness: f64,
) -> Option<Standing> {
    let gauss = Gauss::new();
    standing(wheel, load, |sinkage| {
        ahead(&gauss, soil, wheel, shear, sinkage)
            + behind(&gauss, soil, wheel, shear, sinkage, unloading_stiffness)
    })
}

fn standing(wheel: &Wheel, load: f64, forces: impl Fn(f64) -> Forces) -> Option<Standing> {
    let sinkage_m = solve_growing(load, wheel.radius, |z| forces(z).load_n)?;
    Some(Standing { sinkage_m, forces: forces(sinkage_m) })
}

/// The arc of virgin soil, from its entry at the surface.
fn ahead(gauss: &Gauss, soil: &Soil, wheel: &Wheel, shear: Shear, sinkage: f64) -> Forces {
    let entry = wheel.angle_at_rise(sinkage);
    wheel.integrate(gauss, entry, |d| {
        let pressure = soil.pressure(wheel.depth_inside(entry, d));
        [entry - d, pressure, shear.stress(soil, pressure)]
    })
}

/// The arc of rebounding soil, from where it loses touch; beyond the level of the axle the rim no longer lies above it.
fn behind(gauss: &Gauss, soil: &Soil, wheel: &Wheel, shear: Shear, sinkage: f64, stiffness: f64) -> Forces {
    let greatest = soil.pressure(sinkage);
    let rebound = greatest / stiffness;
    let exit = if rebound < wheel.radius { wheel.angle_at_rise(rebound) } else { FRAC_PI_2 };
    wheel.integrate(gauss, exit, |d| {
        let angle = exit - d;
        // The depth below the exit, written so that it vanishes there without cancellation; plus what the axle's level cut off.
        let left = (rebound - wheel.radius).max(0.0);
        let pressure = stiffness * (wheel.depth_inside(exit, d) + left);
        [-angle, pressure, shear.stress(soil, pressure)]
    })
}

#[cfg(test)]
#[path = "rigid_wheel_tests.rs"]
mod tests;
