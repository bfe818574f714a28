//! Wong & Reece's integral with the inputs of a row: soil, width and shear length as the scenario has them.

use super::super::measure::soil_at_width;
use super::Wheel;
use super::set::{PartFile, Set, Tested};
use touchdown_oracle::soil::Wheel as Rim;
use touchdown_oracle::soil::wong_reece::{Contact, Rolling, rolling_under_load};
use touchdown_scenario::load;
use touchdown_sim::description::Ground;

/// a₀ and a₁ of the angle of greatest pressure, the same for every soil.
const PEAK: [f64; 2] = [0.4, 0.15];

/// The wheel of a row, or why the integral says nothing.
pub(super) fn wong_reece(set: &Set, part: &PartFile, row: &Tested) -> Result<Wheel, String> {
    let (width, speed) = (set.number("width_m")?, set.number("speed_m_per_s")?);
    let scenario = load(&set.scenario, &set.set).map_err(|errors| errors.to_string())?;
    let Some(Ground::Soil(ground)) = &scenario.description.ground else { return Err("no soil".into()) };
    let soil = soil_at_width(ground, set.number("bekker_width_m")?)?;
    let shear_length = ground.soils.first().map_or(f64::NAN, |soil| soil.shear_length);
    let rim = match row.rim_speed_m_per_s {
        rim if rim.is_nan() => speed / (1.0 - row.slip),
        rim => rim,
    };
    let rolling = Rolling::at_speeds(rim, speed, row.slip_angle_deg.to_radians())
        .ok_or("the integral has no locked wheel")?;
    let contact = Contact { peak: PEAK, exit_angle: 0.0, shear_length };
    let rim = Rim { radius: part.radius_m, width };
    let found = rolling_under_load(&soil, &rim, &contact, rolling, row.load_n);
    let found = found.ok_or("the wheel sinks deeper than its axle")?;
    Ok(Wheel {
        pull_n: found.forces.pull_n,
        side_n: found.forces.side_n,
        torque_n_m: found.forces.torque_n_m,
        sinkage_m: found.sinkage_m,
    })
}
