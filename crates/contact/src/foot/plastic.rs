//! Soil that yields under a sole and does not push it back: the normal force with its one state m, the sinkage up to which the soil has been pressed.
//!
//! While the soil yields, the force follows the pressing curve, N = F(m). Otherwise the soil holds the sole:
//! a steep elastic line from F(m) down to zero over the share ε of m, with relaxation τ. The force then takes
//! the value needed for equilibrium (Ding et al., Eq. 54), between zero and F(m), and the rebound is only ε
//! m.

use super::bearing::Bearing;
use super::params::FootSoil;

/// Least pressed sinkage of touched soil, m: it keeps secants finite.
const LEAST: f64 = 1e-9;

/// Depth of a sole with its rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Press {
    /// Depth below ground δ, m.
    pub depth: f64,
    /// δ̇, m/s.
    pub rate: f64,
}

/// The normal force with its derivatives and energies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Column {
    /// N.
    pub force: f64,
    /// ∂N/∂δ, N/m and ∂N/∂δ̇, N s/m, m following.
    pub slopes: [f64; 2],
    /// ṁ, m/s.
    pub yield_rate: f64,
    /// Area on which cohesion acts, m², and its derivatives by δ and δ̇.
    pub area: f64,
    pub area_slopes: [f64; 2],
    /// Stored, J.
    pub energy: f64,
    /// Heat, W.
    pub dissipated_power: f64,
}

/// Force at the pressed sinkage m that solves m = base + h ṁ, ṁ ≥ 0, δ + τ δ̇ = m + τ(1 − ε) ṁ where it yields.
pub(super) fn calc_column(bearing: &Bearing, soil: &FootSoil, press: &Press, base: f64, h: f64) -> Column {
    let Press { depth, rate } = *press;
    let (tau, keeps) = (soil.relaxation, 1.0 - soil.recovery);
    // Above the ground, or above the bottom of the footprint.
    if depth <= 0.0 || depth <= keeps * base {
        return Column::default();
    }
    let lag = h + tau * keeps;
    let yield_rate = ((depth + tau * rate - base) / lag).max(0.0);
    let yields = yield_rate > 0.0;
    let m = base + h * yield_rate;
    let pressed = m.max(LEAST);
    let carried = bearing.at(pressed);
    // Compression of the spring-back, whose stiffness is F(m) over ε m.
    let stiffness = carried.force / (soil.recovery * pressed);
    let compression = (depth - keeps * m).max(0.0);
    let held = stiffness * compression;
    let moves = [1.0, tau];
    let mut out = Column { yield_rate, energy: 0.5 * held * compression, ..Column::default() };
    let compression_rate = rate - keeps * yield_rate;
    let (share, share_slopes) = if yields {
        let by_m = moves.map(|s| s * h / lag);
        out.force = carried.force;
        out.slopes = by_m.map(|s| s * carried.slope);
        out.area_slopes = by_m.map(|s| s * carried.area.1);
        (1.0, [0.0, 0.0])
    } else {
        out.force = (stiffness * (compression + tau * rate)).max(0.0);
        if out.force > 0.0 {
            out.slopes = moves.map(|s| s * stiffness);
        }
        out.area_slopes = out.slopes.map(|s| s * carried.area.0 / carried.force);
        (out.force / carried.force, out.slopes.map(|s| s / carried.force))
    };
    out.area = carried.area.0 * share;
    // Stored ½ k x² with k = F/(ε m): its derivative by m at a given compression x is ½ x² dk/dm.
    let by_m = 0.5 * compression * compression * (carried.slope - carried.force / pressed)
        / (soil.recovery * pressed);
    out.dissipated_power = out.force * rate - held * compression_rate - by_m * yield_rate;
    if rate > 0.0 && soil.damping.b > 0.0 {
        // Eq. 53: b δᵖ δ̇^q while the sole sinks, in the share to which the soil bears.
        let (full, by_depth, by_rate) = soil.damping.damper(depth, rate);
        out.force += full * share;
        out.dissipated_power += full * share * rate;
        out.slopes[0] += by_depth * share + full * share_slopes[0];
        out.slopes[1] += by_rate * share + full * share_slopes[1];
    }
    out
}
