//! Plates, wheels and heaps in soil against closed forms, and what the soil's surface looks like at the end.

use super::{column, knob};
use crate::Case;
use crate::validate::read::larger;
use std::collections::BTreeMap;
use touchdown_contact::soil::{BekkerWidth, PressureLaw, SoilShape};
use touchdown_math::Elementary;
use touchdown_oracle::soil::plate::{bekker_modulus, reece_modulus, width_from_perimeter, width_short_side};
use touchdown_oracle::soil::rigid_wheel::{Shear, Standing, under_load};
use touchdown_oracle::soil::{Soil, Wheel, heap};
use touchdown_sim::description::{Ground, SoilGround};

/// Standard gravity of Mars in the scenarios, m/s².
const MARS: f64 = 3.711;

fn ground(case: &Case) -> Result<&SoilGround, String> {
    match &case.scenario.description.ground {
        Some(Ground::Soil(soil)) => Ok(soil),
        _ => Err(format!("{} has no soil", case.scenario.name)),
    }
}

/// The soil under a contact of width `b`, as the reference sees it.
pub(crate) fn soil(ground: &SoilGround, b: f64) -> Result<Soil, String> {
    let p = ground.soils.first().ok_or("there is no soil")?;
    let modulus = match p.law {
        PressureLaw::Bekker { cohesive, frictional } => bekker_modulus(cohesive, frictional, b),
        PressureLaw::Reece { cohesive, frictional } => reece_modulus(cohesive, frictional, p.exponent, b),
    };
    Ok(Soil { modulus, exponent: p.exponent, cohesion: p.cohesion, friction_angle: p.friction_angle })
}

/// Bekker: z = (p/K)^(1/n) with the width by the scenario's own rule.
pub(super) fn plate_sinkage(case: &Case) -> Result<f64, String> {
    let ground = ground(case)?;
    let (load, width, length) = (knob(case, "load_n")?, knob(case, "width_m")?, knob(case, "length_m")?);
    let b = match ground.options.width {
        BekkerWidth::Given(b) => b,
        BekkerWidth::Footprint => width_short_side(length, width),
        BekkerWidth::Perimeter => width_from_perimeter(length * width, 2.0 * (length + width)),
    };
    let soil = soil(ground, b)?;
    Ok((load / (length * width) / soil.modulus).power(1.0 / soil.exponent))
}

/// The rig's wheel under its load: without shear where the soil has none, else with all of it mobilised.
pub(super) fn wheel(case: &Case) -> Result<Standing, String> {
    let soil = soil(ground(case)?, knob(case, "bekker_width_m")?)?;
    let shear =
        if soil.friction_angle == 0.0 && soil.cohesion == 0.0 { Shear::None } else { Shear::Mobilised };
    let wheel = Wheel { radius: knob(case, "radius_m")?, width: knob(case, "width_m")? };
    under_load(&soil, &wheel, shear, knob(case, "load_n")?)
        .ok_or("the wheel sinks deeper than its axle".into())
}

/// Weight of all bodies on Mars, N.
fn weight(case: &Case) -> Result<f64, String> {
    Ok(case.value("total_mass_kg").ok_or("no mass")? * MARS)
}

/// Pull of a rover's wheels in virgin soil with all shear mobilised, each with its share of the weight.
pub(super) fn virgin_pull(case: &Case) -> Result<f64, String> {
    let ground = ground(case)?;
    let BekkerWidth::Given(b) = ground.options.width else {
        return Err("the width of the pressure law is not given".into());
    };
    let soil = soil(ground, b)?;
    let bodies = &case.scenario.description.soil_bodies;
    let share = weight(case)? / bodies.len() as f64;
    let mut sum = 0.0;
    for body in bodies {
        let SoilShape::Wheel { radius, width, .. } = body.surface.shape else {
            return Err("not only wheels touch the soil".into());
        };
        let standing = under_load(&soil, &Wheel { radius, width }, Shear::Mobilised, share);
        sum += standing.ok_or("the wheels sink deeper than their axles")?.forces.pull_n;
    }
    Ok(sum)
}

/// Load times tan φ: of a rig its load, of a machine its weight.
pub(super) fn friction_limit(case: &Case) -> Result<f64, String> {
    let soil = soil(ground(case)?, 1.0)?;
    let load = knob(case, "load_n").or_else(|_| weight(case))?;
    Ok(load * soil.friction_angle.tangent())
}

/// Height of each node above the undisturbed surface, m.
fn rises(case: &Case) -> impl Iterator<Item = f64> {
    case.surface.iter().map(|node| node.height - node.undisturbed)
}

/// The cone of the heap's volume, from the surface that the run left.
pub(super) fn cone_radius(case: &Case) -> Result<f64, String> {
    let ground = ground(case)?;
    let volume = rises(case).sum::<f64>() * ground.spacing * ground.spacing;
    Ok(heap::cone(volume, soil(ground, 1.0)?.friction_angle).radius_m)
}

pub(super) fn highest(case: &Case) -> Result<f64, String> {
    Ok(rises(case).fold(f64::NEG_INFINITY, larger))
}

pub(super) fn deepest(case: &Case) -> Result<f64, String> {
    Ok(rises(case).map(|rise| -rise).fold(f64::NEG_INFINITY, larger))
}

pub(super) fn volume_balance(case: &Case) -> Result<f64, String> {
    let above: f64 = rises(case).filter(|rise| *rise > 0.0).sum();
    let below: f64 = rises(case).filter(|rise| *rise < 0.0).sum();
    Ok(-above / below - 1.0)
}

/// Steepest step between neighbours over its limit, √2 of it on diagonals, two radii and more behind the wheel's last place, where
/// nothing touches the soil any more.
pub(super) fn steepest(case: &Case) -> Result<f64, String> {
    let ground = ground(case)?;
    let limit = ground.spacing * soil(ground, 1.0)?.friction_angle.tangent();
    let end = case.surface.iter().map(|node| node.x).fold(f64::NEG_INFINITY, larger);
    let radius = knob(case, "radius_m").unwrap_or(0.0);
    let index = |x: f64| (x / ground.spacing).round() as i64;
    let away = case.surface.iter().filter(|node| radius == 0.0 || node.x < end - 4.0 * radius);
    let at: BTreeMap<(i64, i64), f64> =
        away.map(|node| ((index(node.x), index(node.y)), node.height)).collect();
    let mut most: f64 = 0.0;
    for ((i, j), height) in &at {
        for (di, dj, distance) in [(1, 0, 1.0), (0, 1, 1.0), (1, 1, 2f64.sqrt()), (1, -1, 2f64.sqrt())] {
            if let Some(other) = at.get(&(i + di, j + dj)) {
                most = larger(most, (height - other).abs() / (distance * limit));
            }
        }
    }
    Ok(most)
}

/// Motor and carriage and load less soil and kinetic energy, by the trapezoidal rule over the rows, over the motor's work.
pub(super) fn rig_energy(case: &Case) -> Result<f64, String> {
    let times = column(case, "time_s")?;
    let work = |force: &str, rate: &str| -> Result<f64, String> {
        let (force, rate) = (column(case, force)?, column(case, rate)?);
        let power = |i: usize| force[i] * rate[i];
        Ok((1..times.len()).map(|i| 0.5 * (times[i] - times[i - 1]) * (power(i) + power(i - 1))).sum())
    };
    let booked = |name: &str| case.value(name).ok_or_else(|| format!("no {name} in the ledger"));
    let motor = work("constraint.wheel.force_0", "joint.wheel.rate_rad_per_s")?;
    // The carriage's coordinate runs backwards, so that the force that holds it back does negative work on the rig.
    let carriage = work("constraint.carriage.force_0", "joint.carriage.rate_m_per_s")?;
    let kinetic = booked("kinetic_end_j")? - booked("kinetic_start_j")?;
    let left = motor + carriage + booked("load_work_j")? - booked("dissipated_j")? - kinetic;
    Ok((left / motor).abs())
}
