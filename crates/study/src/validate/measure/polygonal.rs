//! Polygonal contact against closed forms of the elastic layer and of stick and slip.

use super::{column, knob};
use crate::Case;
use touchdown_oracle::GRAVITY;
use touchdown_oracle::elastic_layer::{
    Area, cylinder_in_bore, impact_depth as depth_of, layer_stiffness, peg_in_cone, sphere_on_plane,
    stick_slip_period,
};

fn layer(case: &Case) -> Result<f64, String> {
    Ok(layer_stiffness(knob(case, "modulus_pa")?, knob(case, "poisson")?, knob(case, "layer_depth_m")?))
}

/// Force on a body that is pressed straight in, N.
pub(super) fn pressed(case: &Case) -> Result<f64, String> {
    let push = knob(case, "push_m")?;
    match case.scenario.name.as_str() {
        "peg-in-cone" => {
            let (tip, length) = (knob(case, "tip_radius_m")?, knob(case, "length_m")?);
            let half_angle = knob(case, "half_angle_deg")?.to_radians();
            Ok(peg_in_cone(knob(case, "layer_stiffness_n_per_m3")?, tip, length, half_angle, push))
        }
        "cylinder-in-bore" => {
            let (radius, bore) = (knob(case, "radius_m")?, knob(case, "bore_radius_m")?);
            Ok(cylinder_in_bore(layer(case)?, radius, bore, knob(case, "length_m")?, push))
        }
        "sphere-on-plate" => {
            let area = case.scenario.parameters.iter().find(|knob| knob.name == "area");
            let plane = area.is_some_and(|knob| knob.value.contains("reference"));
            let area = if plane { Area::Plane } else { Area::Body };
            Ok(sphere_on_plane(layer(case)?, knob(case, "radius_m")?, push, area))
        }
        other => Err(format!("{other} has no closed form here")),
    }
}

/// Moment of the contact about the axis z of the world, N m: of the force in the peg's tip, and of the torque there.
pub(super) fn axis_moment(case: &Case) -> Result<f64, String> {
    let value = |name: &str| case.value(name).ok_or_else(|| format!("no {name}"));
    let (x, y) = (knob(case, "offset_x_m")?, knob(case, "offset_y_m")?);
    Ok(value("torque_z_n_m")? + x * value("force_y_n")? - y * value("force_x_n")?)
}

/// Mean time between rises of the pull through the middle of its range, s. The first begins from rest and does not count.
pub(super) fn period(case: &Case) -> Result<f64, String> {
    let (times, pull) = (column(case, "time_s")?, column(case, "spring.pull.force_n")?);
    let late = pull.iter().skip(pull.len() / 4);
    let (low, high) =
        late.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), f| (low.min(*f), high.max(*f)));
    let middle = 0.5 * (low + high);
    let rises: Vec<f64> = (1..pull.len())
        .filter(|i| pull[i - 1] < middle && pull[*i] >= middle)
        .map(|i| times[i - 1] + (middle - pull[i - 1]) / (pull[i] - pull[i - 1]) * (times[i] - times[i - 1]))
        .skip(1)
        .collect();
    match (rises.first(), rises.last()) {
        (Some(first), Some(last)) if rises.len() > 2 => Ok((last - first) / (rises.len() - 1) as f64),
        _ => Err("it slips less than three times".into()),
    }
}

/// The same in closed form, s.
pub(super) fn period_closed(case: &Case) -> Result<f64, String> {
    let hook = column(case, "joint.hook.rate_m_per_s")?;
    let speed = *hook.last().ok_or("no rows")?;
    let mass = knob(case, "mass_kg")?;
    let (stick, slip) = (knob(case, "friction")?, knob(case, "friction_min")?);
    Ok(stick_slip_period(knob(case, "spring_n_per_m")?, mass, mass * GRAVITY, stick, slip, speed))
}

/// Deepest penetration of the bouncing sphere, m.
pub(super) fn impact_depth(case: &Case) -> Result<f64, String> {
    let speed = *column(case, "body.ball.vz_m_per_s")?.first().ok_or("no rows")?;
    Ok(depth_of(layer(case)?, knob(case, "radius_m")?, knob(case, "mass_kg")?, speed))
}
