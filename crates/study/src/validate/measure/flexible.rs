//! The rover on flexible wheels: moments of each wheel, and what the wheel's angle does to its deformation.

use super::column;
use crate::Case;
use crate::validate::read::larger;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
use touchdown_math::Elementary;

const WHEELS: [&str; 6] =
    ["front_left", "front_right", "middle_left", "middle_right", "rear_left", "rear_right"];
/// When the wheels are driven, s.
const DRIVEN: f64 = 5.0;
/// Quarter turns over which traction is held against power: enough that what rocks does not count.
const TURNED: f64 = 6.0;
/// When the rover cruises on its straight path, s.
const CRUISE: [f64; 2] = [15.0, 35.0];

/// Change of a wheel's angular momentum less the impulse of all moments about its axle, over the impulse of its drive: largest of all wheels.
pub(super) fn balance(case: &Case) -> Result<f64, String> {
    let times = column(case, "time_s")?;
    let mut most: f64 = 0.0;
    for wheel in WHEELS {
        let torque = column(case, &format!("drive.rover/drive_{wheel}.torque_n_m"))?;
        let ground = column(case, &format!("flexible.{wheel}.ground_moment_n_m"))?;
        let momentum = column(case, &format!("flexible.{wheel}.axle_momentum_n_m_s"))?;
        let first =
            times.iter().position(|t| *t > DRIVEN).ok_or("the run ends before the wheels are driven")?;
        let (mut driven, mut all) = (0.0, 0.0);
        for i in first + 1..times.len() {
            let half = 0.5 * (times[i] - times[i - 1]);
            driven += half * (torque[i] + torque[i - 1]);
            all += half * (torque[i] + torque[i - 1] + ground[i] + ground[i - 1]);
        }
        let gained = momentum[times.len() - 1] - momentum[first];
        most = larger(most, ((gained - all) / driven).abs());
    }
    Ok(most)
}

/// First and last row, from a time on, between which the wheels turn by whole quarters on average, at most `most` of them.
fn quarters(case: &Case, from: f64, to: f64, most: f64) -> Result<(usize, usize, f64), String> {
    let times = column(case, "time_s")?;
    let mut angle = vec![0.0; times.len()];
    for wheel in WHEELS {
        let own = column(case, &format!("joint.rover/drive_{wheel}.position_rad"))?;
        angle.iter_mut().zip(&own).for_each(|(sum, own)| *sum += own / WHEELS.len() as f64);
    }
    let first = times.iter().position(|t| *t >= from).ok_or("the run ends before the wheels turn")?;
    let end = times.iter().rposition(|t| *t <= to).unwrap_or(first);
    let whole = ((angle[end] - angle[first]) / FRAC_PI_2).floor().min(most);
    let last = (first..=end).find(|i| angle[*i] - angle[first] >= whole * FRAC_PI_2).unwrap_or(end);
    if whole < 1.0 {
        return Err("the wheels do not turn by a quarter".into());
    }
    Ok((first, last, angle[last] - angle[first]))
}

/// Travel of the rover over the angle of its wheels while it cruises, over whole quarter turns, m.
pub(super) fn rolling_radius(case: &Case) -> Result<f64, String> {
    let (first, last, angle) = quarters(case, CRUISE[0], CRUISE[1], f64::INFINITY)?;
    let x = column(case, "body.rover/chassis.x_m")?;
    Ok((x[last] - x[first]) / angle)
}

/// Work of the tractive forces over that of the drives less heat, spin and what springs, wheels and gravity store: some quarter turns from rest.
pub(super) fn traction_by_power(case: &Case) -> Result<f64, String> {
    let (first, last, _) = quarters(case, DRIVEN, f64::INFINITY, TURNED)?;
    let (times, speed) = (column(case, "time_s")?, column(case, "body.rover/chassis.vx_m_per_s")?);
    let (mut traction, mut left) = (0.0, 0.0);
    for wheel in WHEELS {
        let of = |name: &str| column(case, &format!("flexible.{wheel}.{name}"));
        let (force, spin) = (of("tractive_force_n")?, of("axle_momentum_n_m_s")?);
        let (material, contact) = (of("material_heat_w")?, of("contact_heat_w")?);
        let torque = column(case, &format!("drive.rover/drive_{wheel}.torque_n_m"))?;
        let rate = column(case, &format!("joint.rover/drive_{wheel}.rate_rad_per_s"))?;
        for i in first + 1..=last {
            let half = 0.5 * (times[i] - times[i - 1]);
            let sum = |power: &dyn Fn(usize) -> f64| half * (power(i) + power(i - 1));
            traction += sum(&|i| force[i] * speed[i]);
            left += sum(&|i| torque[i] * rate[i] - material[i] - contact[i]);
        }
        left -= 0.5 * (spin[last] * rate[last] - spin[first] * rate[first]);
    }
    for stored in ["energy.elastic_j", "energy.potential_j"] {
        let stored = column(case, stored)?;
        left -= stored[last] - stored[first];
    }
    Ok(traction / left)
}

/// How much a quarter turn of the wheel changes its deformation, over how much an eighth does; both as root mean squares while cruising.
pub(super) fn quarter_turn(case: &Case) -> Result<f64, String> {
    let times = column(case, "time_s")?;
    let mut most: f64 = 0.0;
    for wheel in WHEELS {
        let angle = column(case, &format!("joint.rover/drive_{wheel}.position_rad"))?;
        let deformation = column(case, &format!("flexible.{wheel}.deformation_m"))?;
        let cruise = |i: &usize| times[*i] >= CRUISE[0] && times[*i] <= CRUISE[1];
        let rows: Vec<usize> = (0..times.len()).filter(cruise).collect();
        let changes = |turn: f64| {
            let squares: Vec<f64> = rows
                .iter()
                .filter_map(|i| {
                    let j = rows.iter().find(|j| angle[**j] >= angle[*i] + turn)?;
                    Some((deformation[*j] - deformation[*i]).whole_power(2))
                })
                .collect();
            (squares.iter().sum::<f64>() / squares.len() as f64).sqrt()
        };
        most = larger(most, changes(FRAC_PI_2) / changes(FRAC_PI_4));
    }
    Ok(most)
}
