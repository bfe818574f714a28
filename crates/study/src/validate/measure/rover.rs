//! The rover on brush tyres against statics and the balances of its wheels.

use super::{column, rates};
use crate::Case;
use crate::validate::read::larger;
use touchdown_math::Elementary;
use touchdown_oracle::rover_statics::{exomars, settle};

const WHEELS: [&str; 6] =
    ["front_left", "front_right", "middle_left", "middle_right", "rear_left", "rear_right"];
/// Radial stiffness and damping of a tyre, N/m and N s/m: Samarini et al., Table 2.
const STIFFNESS: f64 = 8250.0;
const DAMPING: f64 = 8140.0;
/// Rolling resistance over load: Samarini et al., Table 2.
const ROLLING_RESISTANCE: f64 = 0.015;
/// Inertia of a wheel about its axle, kg m²: Samarini et al., Table 1.
const WHEEL_INERTIA: f64 = 0.08571;
/// Undeformed radius, m: twice that of ESA's half-scale rover.
const RADIUS: f64 = 0.1425;
/// When the wheels are driven, and how long the first jump is left out of differences of rows, s.
const DRIVEN: f64 = 5.5;

/// Load of a wheel (bogie, wheel) of the published layout on springs, N.
pub(super) fn static_load((bogie, wheel): (usize, usize)) -> Result<f64, String> {
    let settled = settle(&exomars(), STIFFNESS).ok_or("the published layout stands on no wheels")?;
    Ok(settled.loads_n[bogie][wheel])
}

fn tyre(case: &Case, wheel: &str, value: &str) -> Result<Vec<f64>, String> {
    column(case, &format!("tyre.{wheel}.{value}"))
}

/// How far a tyre ever comes back from its deepest deformation, m.
pub(super) fn rebound(case: &Case) -> Result<f64, String> {
    let mut most: f64 = 0.0;
    for wheel in WHEELS {
        let mut deepest: f64 = 0.0;
        for deformation in tyre(case, wheel, "deformation_m")? {
            deepest = deepest.max(deformation);
            most = larger(most, deepest - deformation);
        }
    }
    Ok(most)
}

/// Largest distance of a tyre's force from k δ + c δ̇, rates by differences of rows, N.
pub(super) fn tyre_line(case: &Case) -> Result<f64, String> {
    let times = column(case, "time_s")?;
    let mut most: f64 = 0.0;
    for wheel in WHEELS {
        let (load, deformation) = (tyre(case, wheel, "normal_force_n")?, tyre(case, wheel, "deformation_m")?);
        for (i, rate) in rates(&times, &deformation).iter().enumerate() {
            most = larger(most, (load[i + 1] - STIFFNESS * deformation[i + 1] - DAMPING * rate).abs());
        }
    }
    Ok(most)
}

/// Largest relative distance of a wheel's traction from (moment − rolling resistance − spin-up)/(R − δ), while it is driven.
pub(super) fn wheel_balance(case: &Case) -> Result<f64, String> {
    let times = column(case, "time_s")?;
    let mut most: f64 = 0.0;
    for wheel in WHEELS {
        let torque = column(case, &format!("drive.rover/drive_{wheel}.torque_n_m"))?;
        let spin_up = rates(&times, &column(case, &format!("body.rover/wheel_{wheel}.wy_rad_per_s"))?);
        let [force, load, deformation] =
            ["longitudinal_force_n", "normal_force_n", "deformation_m"].map(|value| tyre(case, wheel, value));
        let (force, load, deformation) = (force?, load?, deformation?);
        for i in (1..times.len().saturating_sub(1)).filter(|i| times[*i] >= DRIVEN) {
            let arm = RADIUS - deformation[i];
            let resisting = ROLLING_RESISTANCE * load[i] * arm + WHEEL_INERTIA * spin_up[i - 1];
            most = larger(most, (force[i] * arm / (torque[i] - resisting) - 1.0).abs());
        }
    }
    Ok(most)
}

/// Largest horizontal distance of the chassis from where it started, m.
pub(super) fn drift(case: &Case) -> Result<f64, String> {
    let [x, y] = ["x_m", "y_m"].map(|axis| column(case, &format!("body.rover/chassis.{axis}")));
    let (x, y) = (x?, y?);
    let away = x.iter().zip(&y).map(|(a, b)| (a - x[0]).hypotenuse(b - y[0]));
    Ok(away.fold(0.0, larger))
}
