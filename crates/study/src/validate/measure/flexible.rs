//! The rover on flexible wheels: moments of each wheel, and what the wheel's angle does to its deformation.

use super::column;
use crate::Case;
use crate::validate::read::larger;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

const WHEELS: [&str; 6] =
    ["front_left", "front_right", "middle_left", "middle_right", "rear_left", "rear_right"];
/// When the wheels are driven, s.
const DRIVEN: f64 = 5.0;
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
                    Some((deformation[*j] - deformation[*i]).powi(2))
                })
                .collect();
            (squares.iter().sum::<f64>() / squares.len() as f64).sqrt()
        };
        most = larger(most, changes(FRAC_PI_2) / changes(FRAC_PI_4));
    }
    Ok(most)
}
