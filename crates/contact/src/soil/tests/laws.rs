//! Pressure of one node against the level of the body.

use super::super::law::{Pressure, Strength, pressure};
use super::super::tile::{COVERED, Memory, UNDER, WAKE};
use super::*;

/// Width in the pressure law, m.
const B: f64 = 0.1;

fn strength() -> Strength {
    Strength::new(&sand(), B, None)
}

/// A node under a body that reached down to `low` from a virgin surface at zero.
fn pressed(low: f64) -> (u8, Memory) {
    let z = -low;
    let yield_power = z.powf(0.63);
    let memory = Memory { low, yield_power, yield_level: low, yield_sinkage: z, ..Memory::default() };
    (UNDER, memory)
}

fn at(level: f64, flags: u8, memory: &Memory) -> Pressure {
    pressure(&strength(), level, memory.top, flags, memory)
}

/// Virgin soil follows p = (k_c/b + k_φ)·zⁿ, whatever was evaluated before; above its surface there is
/// nothing.
#[test]
fn virgin_soil_follows_bekker() {
    let K = touchdown_oracle::soil::plate::bekker_modulus(2370.0, 60_300.0, B);
    for z in [1e-6, 0.001, 0.05, 0.3f64] {
        let found = at(-z, 0, &Memory::default());
        assert!((found.p / (K * z.powf(0.63)) - 1.0).abs() < 1e-15);
        assert_eq!(found.kept, 1.0);
    }
    for z in [0.0, 0.01] {
        assert_eq!(at(z, 0, &Memory::default()).p, 0.0);
    }
}

/// Soil that carried p at some level carries p − k_e·rise above it, and never less than zero; reloading
/// follows the same line; beyond the level the virgin curve continues unchanged.
#[test]
fn unloading_and_reloading_follow_one_line() {
    let low = -0.04;
    let (flags, memory) = pressed(low);
    let yields = at(low, flags, &memory).p;
    let rebound = yields / sand().elastic_stiffness;
    for part in [0.1, 0.5, 0.9] {
        let found = at(low + part * rebound, flags, &memory);
        // Heights of 40 mm are rounded to 7e-18 m: 1e9 Pa/m makes 7e-9 Pa of it.
        assert!((found.p - (1.0 - part) * yields).abs() < 1e-7);
        assert_eq!(found.slope, -sand().elastic_stiffness);
        assert!((found.kept - (1.0 - part)).abs() < 1e-10);
        assert_eq!(found.yields, (0.0, 0.0));
    }
    assert_eq!(at(low + 1.001 * rebound, flags, &memory).p, 0.0);
    let virgin = at(-0.05, 0, &Memory::default());
    let beyond = at(-0.05, flags, &memory);
    assert!((beyond.p / virgin.p - 1.0).abs() < 1e-14 && beyond.kept == 1.0);
}

/// A second contact in the rut has the same line and the same continuation as if the body had never left.
#[test]
fn memory_outlives_the_contact() {
    let (flags, memory) = pressed(-0.04);
    let top = -0.04 + at(-0.04, flags, &memory).p / sand().elastic_stiffness;
    for level in [-0.0399, -0.04, -0.041, -0.06] {
        let staying = pressure(&strength(), level, 0.0, flags, &memory);
        let coming_back = pressure(&strength(), level, top, 0, &memory);
        assert_eq!(staying, coming_back);
    }
}

/// Fresh soil on compacted ground is virgin soil from its own surface until the ground below carries more: of
/// both, the greater.
#[test]
fn fresh_cover_carries_until_the_ground_does() {
    let (_, memory) = pressed(-0.04);
    let surface = -0.02;
    let at = |level: f64| pressure(&strength(), level, surface, 0, &memory);
    let virgin =
        |level: f64| pressure(&strength(), level, surface, 0, &Memory { top: surface, ..Memory::default() });
    for level in [-0.021, -0.03, -0.0399] {
        let (found, alone) = (at(level), virgin(level));
        assert_eq!((found.p, found.slope, found.yields), (alone.p, alone.slope, alone.yields));
        // Under a body that rises from the node, it counts by what the ground has carried there.
        let trickled = pressure(&strength(), level, surface, WAKE, &memory);
        assert!(trickled.p == found.p && trickled.kept < found.kept && found.kept == 1.0);
    }
    let ground = pressure(&strength(), -0.04, 0.0, UNDER, &memory);
    assert_eq!(at(-0.04).p, ground.p);
    assert!(virgin(-0.04).p < ground.p);
}

/// Soil that lost its top (it slid away, or was carried off) begins to carry at its new surface, from
/// nothing: without a jump.
#[test]
fn ground_that_lost_its_top_carries_from_its_new_surface() {
    let (_, memory) = pressed(-0.04);
    let surface = -0.05;
    let rebound = at(-0.04, UNDER, &memory).p / sand().elastic_stiffness;
    let depth = 1e-9;
    let found = pressure(&strength(), surface - depth, surface, 0, &memory);
    assert!(found.p <= 1.01 * sand().elastic_stiffness * depth, "jumps to {} Pa", found.p);
    // One rebound deeper it carries the same pressure as before.
    let found = pressure(&strength(), surface - rebound, surface, 0, &memory);
    assert!((found.p / at(-0.04, UNDER, &memory).p - 1.0).abs() < 1e-9);
}

/// For every history of a node, its pressure decreases continuously as the body rises, at the rate `slope`:
/// differences are compared with it on both sides of every kink. A step d changes the pressure by slope·d,
/// and the slope of K·zⁿ by the fraction (1 − n)·d/z.
#[test]
fn pressure_is_monotone_continuous_and_has_its_slope() {
    let (flags, memory) = pressed(-0.04);
    let covered = Memory { top: -0.02, low: -0.03, ..memory };
    let cases = [
        (0, Memory::default(), 0.0),
        (flags, memory, 0.0),
        (0, memory, -0.02),
        (UNDER | COVERED, covered, -0.02),
        (0, memory, -0.05),
    ];
    let d = 1e-8;
    for (flags, memory, surface) in cases {
        let at = |level: f64| pressure(&strength(), level, surface, flags, &memory);
        let mut above = at(0.001);
        let mut kinks = 0;
        let mut level = 0.001;
        while level > -0.07 {
            level -= d * 100.0;
            let (here, up, down) = (at(level), at(level + d), at(level - d));
            assert!(here.p >= above.p && here.slope <= 0.0);
            let steepest = up.slope.abs().max(down.slope.abs()).max(here.slope.abs());
            assert!(down.p - up.p <= 2.0 * d * steepest * 1.001 + 1e-6, "jump at {level}");
            let difference = (up.p - down.p) / (2.0 * d);
            if (difference - here.slope).abs() > 1e-3 * here.slope.abs() + 1e-1 {
                kinks += 1;
            }
            above = here;
        }
        // A kink is seen from at most a few places around it.
        assert!(kinks <= 8, "{kinks}");
    }
}

/// With n = 1 Reece's law is Bekker's with k_c = k₁ and k_φ = k₂; at z = b it is k₁ + k₂·b whatever the
/// exponent.
#[test]
fn reece_is_bekker_where_they_coincide() {
    let reece = |n: f64| SoilParameters {
        law: PressureLaw::Reece { cohesive: 2370.0, frictional: 60_300.0 },
        exponent: n,
        ..sand()
    };
    for b in [0.03, 0.1, 0.4] {
        let bekker = SoilParameters { exponent: 1.0, ..sand() };
        let (found, expected) = (Strength::new(&reece(1.0), b, None), Strength::new(&bekker, b, None));
        assert!((found.modulus / expected.modulus - 1.0).abs() < 1e-15);
        for n in [0.5, 1.387] {
            let soil = Strength::new(&reece(n), b, None);
            let p = pressure(&soil, -b, 0.0, 0, &Memory::default()).p;
            assert!((p / (2370.0 + 60_300.0 * b) - 1.0).abs() < 1e-14);
        }
    }
}
