//! A foot with a spring in soil, without mass between them: one force through both (Ding et al., Eq. 46 with m_F = 0).
//!
//! The spring's deformation x is a state. Its rate makes the forces equal: the foot's, sgn k|x + τ ẋ|ⁿ + b xᵖ
//! ẋ^q, grows with ẋ, the soil's falls with it. Both parts are passive, and so is their combination.

use super::bearing::Bearing;
use super::params::FootSoil;
use super::plastic::{Column, Press, calc_column};
use crate::law::hunt_crossley::{HuntCrossley, signed_power};
use crate::law::sinkage::power;

/// The column under the sole, with the spring above it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Series {
    /// Soil, with slopes by the motion of the foot and energies of both.
    pub column: Column,
    /// x at the end, m.
    pub deformation: f64,
    /// ẋ, m/s.
    pub rate: f64,
}

/// Force of the spring with its slopes by x and ẋ.
fn spring_force(law: &HuntCrossley, tau: f64, x: f64, rate: f64) -> (f64, [f64; 2]) {
    let (elastic, slope) = signed_power(x + tau * rate, law.n);
    let (damper, by_x, by_rate) = law.damper(x.max(0.0), rate);
    (law.k * elastic + damper, [law.k * slope + by_x, law.k * slope * tau + by_rate])
}

pub(super) fn calc_series(
    law: &HuntCrossley,
    (bearing, soil): (&Bearing, &FootSoil),
    press: &Press,
    base: [f64; 2],
    h: f64,
) -> Series {
    let tau = soil.relaxation;
    let try_at = |rate: f64| {
        let x = base[1] + h * rate;
        let sole = Press { depth: press.depth - x, rate: press.rate - rate };
        let column = calc_column(bearing, soil, &sole, base[0], h);
        let (force, slopes) = spring_force(law, tau, x, rate);
        let slope = h * (slopes[0] + column.slopes[0]) + slopes[1] + column.slopes[1];
        (force - column.force, slope, column)
    };
    // The residual grows with the rate: bounds first, then Newton between them.
    let mut rate = if press.depth > base[1] { press.rate.max(0.0) } else { 0.0 };
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut stride = press.rate.abs() + 1e-3;
    let mut best = try_at(rate);
    for _ in 0..200 {
        let (miss, slope, _) = best;
        if miss == 0.0 {
            break;
        }
        if miss > 0.0 {
            high = rate
        } else {
            low = rate
        }
        let newton = rate - miss / slope;
        let next = if newton > low && newton < high && (newton - rate).abs() <= 4.0 * stride {
            newton
        } else if low.is_finite() && high.is_finite() {
            0.5 * (low + high)
        } else {
            stride *= 2.0;
            rate - stride.copysign(miss)
        };
        let done = (next - rate).abs() <= 1e-15 * (rate.abs() + press.rate.abs()) + 1e-18;
        rate = next;
        best = try_at(rate);
        if done {
            break;
        }
    }
    let (_, slope, mut column) = best;
    let x = base[1] + h * rate;
    // With the force the rate follows: d(rate) = (N_δ dδ + N_δ̇ dδ̇)/slope.
    let follow = |by: [f64; 2], through: f64| {
        let by_rate = h * by[0] + by[1];
        [by[0] - by_rate * column.slopes[0] * through, by[1] - by_rate * column.slopes[1] * through]
    };
    let through = if slope > 0.0 { 1.0 / slope } else { 0.0 };
    let (slopes, area_slopes) = (follow(column.slopes, through), follow(column.area_slopes, through));
    (column.slopes, column.area_slopes) = (slopes, area_slopes);
    let spring = power(x, law.n);
    column.energy += law.k * spring.integral;
    column.dissipated_power += (column.force - law.k * spring.value) * rate;
    Series { column, deformation: x, rate }
}
