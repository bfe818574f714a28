//! Scenarios in soil against closed forms (`oracle::soil`), balances, and what the paper says about them.

#[path = "../common/mod.rs"]
mod common;

mod grounds;
mod heap;
mod placing;
mod plate;
mod rover;
mod wheel;

use common::{Checks, Run};
use touchdown_contact::soil::PressureLaw;
use touchdown_oracle::soil::{Soil, plate::bekker_modulus};
use touchdown_scenario::soils;

/// Soil is counted in whole units: nothing may be lost, and rounding cannot lose any.
fn check_volume(run: &Run, what: &str, checks: &mut Checks) {
    let error = run.quantity("soil_volume_error_relative").abs();
    checks.below(&format!("{what}, soil lost over soil moved"), error, 1e-12);
}

/// A soil of the library as the reference sees it, under a contact of width b, and its slope of unloading, Pa/m.
fn reference(name: &str, b: f64) -> (Soil, f64) {
    let found = soils().iter().find(|s| s.name == name).unwrap_or_else(|| panic!("no soil {name}"));
    let p = found.parameters;
    let PressureLaw::Bekker { cohesive, frictional } = p.law else { panic!("{name} is not Bekker's") };
    let modulus = bekker_modulus(cohesive, frictional, b);
    let soil = Soil { modulus, exponent: p.exponent, cohesion: p.cohesion, friction_angle: p.friction_angle };
    (soil, p.elastic_stiffness)
}
