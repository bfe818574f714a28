//! Docking: the boom against beam–column theory, the crown against the closed form of a ring in a cone.

use super::{column, knob};
use crate::Case;
use touchdown_math::Elementary;
use touchdown_oracle::beam_column::BeamColumn;
use touchdown_oracle::elastic_layer::ring_in_cone;

/// A boom at the start, with the pull that a knob says.
fn beam(case: &Case, name: &str, pull: &str) -> Result<BeamColumn, String> {
    let boom = case.scenario.description.booms.iter().find(|boom| boom.name == name);
    let boom = boom.ok_or_else(|| format!("{} has no boom {name:?}", case.scenario.name))?;
    let (bending_stiffness, length) = (boom.law.bending_stiffness, boom.length.value(0.0));
    Ok(BeamColumn { bending_stiffness, length, tension: knob(case, pull)? })
}

fn ringing_boom(case: &Case) -> Result<BeamColumn, String> {
    beam(case, "ringing", "pull_n")
}

/// Deflection and slope of its tip at rest, m and rad.
pub(super) fn bent(case: &Case) -> Result<[f64; 2], String> {
    Ok(ringing_boom(case)?.bent(knob(case, "push_n")?, 0.0))
}

/// By how much its bending draws the tip in, m.
pub(super) fn shortening(case: &Case) -> Result<f64, String> {
    let [v, slope] = bent(case)?;
    Ok(ringing_boom(case)?.shortening(v, slope))
}

/// Deflection of a guided tip at rest, m, and bending moments of the bodies on tip and root, N m.
pub(super) fn s_shape(case: &Case) -> Result<[f64; 3], String> {
    let beam = beam(case, "guided", "guided_pull_n")?;
    let v = knob(case, "guided_push_n")? / beam.tip(1.0, 0.0).force;
    let loads = beam.tip(v, 0.0);
    Ok([v, loads.moment, loads.root_moment])
}

/// Frequency (Hz) and damping ratio that theory gives the boom that rings.
pub(super) fn ringing(case: &Case) -> Result<[f64; 2], String> {
    let beam = ringing_boom(case)?;
    let omega = std::f64::consts::TAU * knob(case, "damping_frequency_hz")?;
    let time = 2.0 * knob(case, "damping_ratio")? / omega;
    let bodies = &case.scenario.description.mechanism.bodies;
    let tool = bodies.iter().find(|body| body.name == "tool").ok_or("it has no tool")?;
    Ok(beam.ringing(tool.mass, tool.inertia[(1, 1)], time))
}

/// The same from the run: mean time between rises through the middle after the blow, and decrease of the swings.
pub(super) fn rung(case: &Case) -> Result<[f64; 2], String> {
    let (times, tip) = (column(case, "time_s")?, column(case, "boom.ringing.deflection_x_m")?);
    // Stiffer modes have died away by then.
    let from = times.iter().position(|t| *t >= 3.0).ok_or("it ends too early")?;
    let rest = *tip.first().ok_or("no rows")?;
    let rises: Vec<usize> = (from + 1..tip.len()).filter(|i| tip[i - 1] < rest && tip[*i] >= rest).collect();
    let at =
        |i: usize| times[i - 1] + (rest - tip[i - 1]) / (tip[i] - tip[i - 1]) * (times[i] - times[i - 1]);
    let ([first, .., last], cycles) = (&rises[..], rises.len().saturating_sub(1)) else {
        return Err("it rings less than twice".into());
    };
    let period = (at(*last) - at(*first)) / cycles as f64;
    // Largest swing of a cycle, by the parabola through its three highest rows.
    let swing = |i: usize| {
        let to = (i + (period / (times[1] - times[0])) as usize).min(tip.len() - 2);
        let top = (i..to).max_by(|a, b| tip[*a].total_cmp(&tip[*b])).unwrap_or(i);
        let (a, b, c) = (tip[top - 1], tip[top], tip[top + 1]);
        b - rest + (a - c).whole_power(2) / (8.0 * (2.0 * b - a - c))
    };
    let before_last = rises[rises.len() - 2];
    let decrement = (swing(*first) / swing(before_last)).natural_log() / (cycles - 1) as f64;
    Ok([1.0 / period, decrement / (decrement.whole_power(2) + std::f64::consts::TAU.whole_power(2)).sqrt()])
}

/// Penetration of the crown's wire under the axial force that it has at the end, m.
pub(super) fn crown_depth(case: &Case) -> Result<f64, String> {
    let force = *column(case, "capture.nozzle.crown_axial_n")?.last().ok_or("no rows")?;
    let (wire, slope) = (knob(case, "wire_radius_m")?, knob(case, "convergence_deg")?.to_radians());
    let (open, layer) = (knob(case, "open_radius_m")?, knob(case, "layer_stiffness_n_per_m3")?);
    // The cone passes the wire's middle at its radius less the penetration, which is found in a few rounds.
    let deeper = |s: f64| ring_in_cone(layer, wire, open + (wire - s) * slope.cosine(), slope, force);
    Ok((0..5).fold(0.0, |s, _| deeper(s)))
}
