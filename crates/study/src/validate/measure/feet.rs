//! Feet against quadrature and balances of energy of `oracle`, for the run's own inputs.

use super::{column, knob};
use crate::Case;
use touchdown_contact::foot::{FootGround, FootParameters, FootShape};
use touchdown_contact::law::sinkage::PressureLaw;
use touchdown_math::Elementary;
use touchdown_oracle::soil::Soil;
use touchdown_oracle::soil::foot::{Curve, Sole, largest_distance, peak_on_spring};
use touchdown_oracle::soil::plate::{bekker_modulus, reece_modulus};

/// The first foot with its name.
fn foot(case: &Case) -> Result<(&str, &FootParameters), String> {
    let foot = case.scenario.description.feet.first();
    foot.map(|f| (f.name.as_str(), &f.law)).ok_or_else(|| format!("{} has no foot", case.scenario.name))
}

/// Sole and soil of a foot as the reference sees them; `None` on hard ground.
fn sole(foot: &FootParameters) -> Option<(Sole, Soil)> {
    let FootGround::Soil(soil) = foot.ground else { return None };
    let (sole, b) = match foot.shape {
        FootShape::FlatCircular { radius } => {
            (Sole::Flat { area: std::f64::consts::PI * radius * radius }, radius)
        }
        FootShape::FlatRectangular { width, length } => (Sole::Flat { area: width * length }, width),
        FootShape::Cylindrical { radius, width } => (Sole::Cylinder { radius, width }, width),
        FootShape::Spherical { radius } => (Sole::Ball { radius }, radius),
    };
    let modulus = match soil.law {
        PressureLaw::Bekker { cohesive, frictional } => bekker_modulus(cohesive, frictional, b),
        PressureLaw::Reece { cohesive, frictional } => reece_modulus(cohesive, frictional, soil.exponent, b),
    };
    let (cohesion, friction_angle) = (soil.cohesion, soil.friction_angle);
    Some((sole, Soil { modulus, exponent: soil.exponent, cohesion, friction_angle }))
}

fn in_soil(case: &Case) -> Result<(Sole, Soil), String> {
    sole(foot(case)?.1).ok_or_else(|| format!("{} has hard ground", case.scenario.name))
}

fn deeper() -> String {
    "the foot sinks deeper than its axis".into()
}

/// Force at a depth of the radius.
pub(super) fn force_at_radius(case: &Case) -> Result<f64, String> {
    let (sole, soil) = in_soil(case)?;
    let radius = foot(case)?.1.shape.round().ok_or("a flat foot has no radius of its own")?;
    Ok(sole.force(&soil, radius))
}

/// Depth under the load at rest: of the soil, of the foot's spring, or of both together.
pub(super) fn press_depth(case: &Case) -> Result<f64, String> {
    let load = knob(case, "load_n")?;
    let law = foot(case)?.1;
    let spring = law.spring.map_or(0.0, |s| (load / s.k).power(1.0 / s.n));
    let soil = match sole(law) {
        Some((sole, soil)) => sole.depth_under(&soil, load).ok_or_else(deeper)?,
        None => 0.0,
    };
    Ok(spring + soil)
}

/// Depth at which a dropped foot stops.
pub(super) fn drop_depth(case: &Case) -> Result<f64, String> {
    let (sole, soil) = in_soil(case)?;
    sole.depth_of_drop(&soil, knob(case, "load_n")?, knob(case, "drop_height_m")?).ok_or_else(deeper)
}

/// Largest force of a dropped foot with a spring and no damping, on hard ground or in soil.
pub(super) fn drop_peak(case: &Case) -> Result<f64, String> {
    let law = foot(case)?.1;
    let (weight, height) = (knob(case, "load_n")?, knob(case, "drop_height_m")?);
    let k = law.spring.ok_or("the foot has no spring")?.k;
    let Some((sole, soil)) = sole(law) else { return Ok(peak_on_spring(weight, height, k)) };
    let depth = sole.depth_of_drop_on_spring(&soil, weight, height, k).ok_or_else(deeper)?;
    Ok(sole.force(&soil, depth))
}

/// Largest force along the ground of a dragged flat foot, or on hard ground: the limit times the share that the travel there mobilises.
pub(super) fn drag_force(case: &Case) -> Result<f64, String> {
    let (name, law) = foot(case)?;
    let load = knob(case, "load_n")?;
    let (limit, length) = match (law.ground, sole(law)) {
        (FootGround::Hard { friction, shear_length }, _) => (friction * load, shear_length),
        (FootGround::Soil(ground), Some((Sole::Flat { area }, soil))) => {
            (soil.cohesion * area + load * soil.friction_angle.tangent(), ground.shear_length)
        }
        _ => return Err(format!("foot {name:?} is round: cohesion acts on an area that grows")),
    };
    let travel = column(case, "body.slide.x_m")?.into_iter().fold(0.0, f64::max);
    Ok(limit * -(-travel / length).exponential_less_one())
}

pub(super) fn line_distance() -> f64 {
    largest_distance(Curve::Line)
}

pub(super) fn tanh_distance() -> f64 {
    largest_distance(Curve::Tanh)
}
