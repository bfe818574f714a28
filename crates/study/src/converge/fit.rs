//! A sequence of values under refinement ⇒ its limit, its order and the uncertainty of both. Pure numbers, no scenario.
//!
//! f = f₀ + C·hᵖ by least squares. The uncertainty follows Eça & Hoekstra: a safety factor times the distance of the finest value from the
//! limit (Roache's: 1.25 where the order is plausible, 3 where it had to be held within its range), plus what the fit leaves
//! over. Where the values scatter more than they trend there is no order, and their spread is the uncertainty.
//!
//! - P. J. Roache: Perspective: a method for uniform reporting of grid refinement studies. J. Fluids Eng. 116 (1994).
//! - L. Eça, M. Hoekstra: A procedure for the estimation of the numerical uncertainty of CFD calculations based on grid refinement
//!   studies. J. Comput. Phys. 262 (2014).

use touchdown_math::Elementary;

/// Safety factor for a plausible order and at least three settings (Roache).
pub(super) const SAFETY: f64 = 1.25;
/// Safety factor otherwise (Roache).
const SAFETY_IN_DOUBT: f64 = 3.0;
/// Resolution of the order.
const ORDER_STEP: f64 = 0.01;
/// Values that differ by less than this part of their size differ by rounding.
const ROUND_OFF: f64 = 64.0 * f64::EPSILON;
/// Values that must be left when the coarsest are left out: three more than nothing would always fit.
const FEWEST_LATER: usize = 4;
/// Where values scatter, those of settings up to this much coarser than the scenario's count.
const NEAR: f64 = 1.5;

/// What a sequence does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trend {
    /// It approaches its limit like hᵖ.
    Order {
        /// p.
        order: f64,
        /// Whether the best p lay outside of the allowed range, so that p is its nearest end.
        held: bool,
    },
    /// It scatters more than it trends.
    Noise,
    /// It does not change but for rounding.
    Flat,
    /// Fewer than three numbers.
    TooFew,
}

/// Limit of a sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// What it does.
    pub trend: Trend,
    /// Value for h going to zero; not a number if there are no values.
    pub limit: f64,
    /// Half the width of the interval around the limit; infinite where fewer than two values say nothing about it.
    pub uncertainty: f64,
}

/// Straight line in hᵖ.
struct Line {
    limit: f64,
    slope: f64,
    /// Residual sum of squares.
    left: f64,
}

/// Fits pairs (setting h > 0, value), in any order; what is not finite is left out. `own` is the setting in question, `orders` the range
/// of plausible orders.
pub fn fit(pairs: &[(f64, f64)], own: f64, orders: (f64, f64)) -> Fit {
    let mut pairs: Vec<(f64, f64)> =
        pairs.iter().copied().filter(|(h, f)| h.is_finite() && *h > 0.0 && f.is_finite()).collect();
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let Some(&(_, finest)) = pairs.last() else {
        return Fit { trend: Trend::TooFew, limit: f64::NAN, uncertainty: f64::INFINITY };
    };
    let range = spread(pairs.iter().map(|p| p.1));
    let size = pairs.iter().fold(0.0, |m: f64, p| m.max(p.1.abs()));
    if pairs.len() < 3 {
        let uncertainty = if pairs.len() == 2 { SAFETY_IN_DOUBT * range } else { f64::INFINITY };
        return Fit { trend: Trend::TooFew, limit: finest, uncertainty };
    }
    if range <= ROUND_OFF * size {
        return Fit { trend: Trend::Flat, limit: finest, uncertainty: range };
    }
    if let Some(found) = with_order(&pairs, orders) {
        return found;
    }
    // The coarsest settings may lie where nothing converges yet. Without them values count that approach a limit from one side.
    let own_at = pairs.iter().position(|p| p.0 <= own).unwrap_or(0);
    let later = (1..=own_at).take_while(|skip| skip + FEWEST_LATER <= pairs.len());
    let fits = later
        .filter(|skip| is_monotonic(&pairs[*skip..]))
        .filter_map(|skip| with_order(&pairs[skip..], orders));
    let plausible = |fit: &Fit| matches!(fit.trend, Trend::Order { held: false, .. });
    fits.into_iter().find(plausible).unwrap_or_else(|| noise(&pairs, own))
}

/// The fit, unless the values scatter more than they trend. Needs three pairs, coarse to fine.
fn with_order(pairs: &[(f64, f64)], orders: (f64, f64)) -> Option<Fit> {
    let scaled: Vec<(f64, f64)> = pairs.iter().map(|(h, f)| (h / pairs[0].0, *f)).collect();
    let (order, line) = best(&scaled, orders);
    let freedom = pairs.len().saturating_sub(3).max(1);
    let deviation = (line.left / freedom as f64).sqrt();
    if deviation >= spread(pairs.iter().map(|p| p.1)) / (pairs.len() - 1) as f64 {
        return None;
    }
    let held = order < orders.0 + 0.5 * ORDER_STEP || order > orders.1 - 0.5 * ORDER_STEP;
    let safety = if held { SAFETY_IN_DOUBT } else { SAFETY };
    let (h, f) = scaled[scaled.len() - 1];
    let fitted = line.limit + line.slope * h.power(order);
    Some(Fit {
        trend: Trend::Order { order, held },
        limit: line.limit,
        uncertainty: safety * (line.limit - f).abs() + deviation + (f - fitted).abs(),
    })
}

fn is_monotonic(pairs: &[(f64, f64)]) -> bool {
    pairs.windows(2).all(|w| w[1].1 > w[0].1) || pairs.windows(2).all(|w| w[1].1 < w[0].1)
}

/// Largest less smallest.
pub fn spread(values: impl Iterator<Item = f64>) -> f64 {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), f| (f64::min(l, f), f64::max(h, f)));
    if low <= high { high - low } else { 0.0 }
}

/// The order within its range that leaves least over.
fn best(pairs: &[(f64, f64)], (low, high): (f64, f64)) -> (f64, Line) {
    let steps = ((high - low) / ORDER_STEP).round().max(1.0) as usize;
    let at = |k: usize| {
        let order = low + (high - low) * k as f64 / steps as f64;
        (order, line(pairs, order))
    };
    let mut best = at(0);
    for k in 1..=steps {
        let next = at(k);
        if next.1.left < best.1.left {
            best = next;
        }
    }
    best
}

/// Least squares of f against hᵖ.
fn line(pairs: &[(f64, f64)], order: f64) -> Line {
    let n = pairs.len() as f64;
    let x = |h: f64| h.power(order);
    let (mean_x, mean_f) = pairs.iter().fold((0.0, 0.0), |(a, b), (h, f)| (a + x(*h) / n, b + f / n));
    let (xx, xf) = pairs.iter().fold((0.0, 0.0), |(a, b), (h, f)| {
        let dx = x(*h) - mean_x;
        (a + dx * dx, b + dx * (f - mean_f))
    });
    // All settings equal: no slope to be seen.
    let slope = if xx > 0.0 { xf / xx } else { 0.0 };
    let limit = mean_f - slope * mean_x;
    let left = pairs.iter().map(|(h, f)| (f - limit - slope * x(*h)).whole_power(2)).sum();
    Line { limit, slope, left }
}

/// Mean and spread of the values near the scenario's setting and finer; of all where those are fewer than three.
fn noise(pairs: &[(f64, f64)], own: f64) -> Fit {
    let near: Vec<f64> = pairs.iter().filter(|p| p.0 <= NEAR * own).map(|p| p.1).collect();
    let values: Vec<f64> = if near.len() >= 3 { near } else { pairs.iter().map(|p| p.1).collect() };
    let limit = values.iter().sum::<f64>() / values.len() as f64;
    Fit { trend: Trend::Noise, limit, uncertainty: spread(values.into_iter()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDERS: (f64, f64) = (0.5, 3.0);

    fn sequence(levels: i32, ratio: f64, f: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        (0..levels).map(|k| ratio.powi(-k)).map(|h| (h, f(h))).collect()
    }

    fn order(fit: &Fit) -> f64 {
        match fit.trend {
            Trend::Order { order, .. } => order,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn pure_orders_are_found_with_their_limit() {
        // f = 3 - 2 h^p: order and limit to the resolution of the search, for three settings and more, and the interval holds the limit.
        for p in [0.7, 1.0, 1.5, 2.0, 2.6] {
            for levels in [3, 4, 5, 7] {
                let found = fit(&sequence(levels, 2.0, |h| 3.0 - 2.0 * h.powf(p)), 0.5, ORDERS);
                assert!((order(&found) - p).abs() <= ORDER_STEP, "{p} {levels}: {found:?}");
                assert!((found.limit - 3.0).abs() < 0.02, "{p} {levels}: {found:?}");
                assert!((found.limit - 3.0).abs() <= found.uncertainty);
            }
        }
    }

    #[test]
    fn mixed_orders_lie_between_and_are_covered() {
        // f = 1 + h + 2 h²: the order seen lies between one and two, and the interval holds the true limit.
        let found = fit(&sequence(5, std::f64::consts::SQRT_2, |h| 1.0 + h + 2.0 * h * h), 0.5, ORDERS);
        assert!((1.0..2.0).contains(&order(&found)), "{found:?}");
        assert!((found.limit - 1.0).abs() <= found.uncertainty, "{found:?}");
    }

    #[test]
    fn an_order_beyond_its_range_is_held_and_distrusted() {
        // h⁶ where three is the most: the order stays at three, and the safety factor is the larger one.
        let pairs = sequence(5, 2.0, |h| 1.0 + h.powi(6));
        let found = fit(&pairs, 0.25, ORDERS);
        assert_eq!(found.trend, Trend::Order { order: 3.0, held: true });
        assert!((found.limit - 1.0).abs() <= found.uncertainty);
        assert!(found.uncertainty >= SAFETY_IN_DOUBT * (found.limit - pairs[4].1).abs());
    }

    #[test]
    fn scatter_has_no_order_and_its_spread_is_the_uncertainty() {
        // Values that jump without a trend; and an oscillation that changes its sign at every level.
        let jumps = [5.03, 4.99, 5.02, 4.98, 5.01];
        let pairs: Vec<(f64, f64)> =
            jumps.iter().enumerate().map(|(k, f)| (0.5f64.powi(k as i32), *f)).collect();
        let found = fit(&pairs, 0.25, ORDERS);
        assert_eq!(found.trend, Trend::Noise);
        // From 0.375 down: 5.02, 4.98 and 5.01.
        assert!((found.limit - 15.01 / 3.0).abs() < 1e-12 && (found.uncertainty - 0.04).abs() < 1e-12);
        let swinging = fit(
            &sequence(6, 2.0, |h| 1.0 + if h.log2().round() % 2.0 == 0.0 { 0.1 } else { -0.1 }),
            0.25,
            ORDERS,
        );
        assert_eq!(swinging.trend, Trend::Noise);
        assert!((swinging.limit - 1.0).abs() <= swinging.uncertainty);
    }

    #[test]
    fn a_little_noise_widens_the_interval_but_leaves_the_order() {
        // First order with a ripple of a fiftieth of the trend.
        let ripple = [0.02, -0.02, 0.01, -0.02, 0.02];
        let mut pairs = sequence(5, 2.0, |h| 10.0 + h);
        pairs.iter_mut().zip(ripple).for_each(|(p, r)| p.1 += r);
        let (clean, rough) = (fit(&sequence(5, 2.0, |h| 10.0 + h), 0.25, ORDERS), fit(&pairs, 0.25, ORDERS));
        assert!((order(&rough) - 1.0).abs() < 0.3, "{rough:?}");
        assert!(rough.uncertainty > clean.uncertainty && (rough.limit - 10.0).abs() <= rough.uncertainty);
    }

    #[test]
    fn settings_too_coarse_to_converge_are_left_out() {
        // Second order from h = 1/4 on, and anything before: the order is that of the rest. The scenario's own setting is never left out.
        let mut pairs = sequence(7, 2.0, |h| 1.0 + h * h);
        (pairs[0].1, pairs[1].1) = (0.97, 1.0);
        let found = fit(&pairs, 0.125, ORDERS);
        assert!((order(&found) - 2.0).abs() <= ORDER_STEP, "{found:?}");
        assert!((found.limit - 1.0).abs() < 1e-4 && (found.limit - 1.0).abs() <= found.uncertainty);
        assert_ne!(fit(&pairs, 1.0, ORDERS), found);
    }

    #[test]
    fn stagnation_at_round_off_is_flat() {
        // The last digits of a double say nothing about an order.
        let found = fit(&[(1.0, 2.0), (0.5, 2.0 + 1e-15), (0.25, 2.0), (0.125, 2.0 - 1e-15)], 0.25, ORDERS);
        assert_eq!(found.trend, Trend::Flat);
        assert!(found.uncertainty < 1e-14 && (found.limit - 2.0).abs() < 1e-14);
        assert_eq!(fit(&[(1.0, 0.0), (0.5, 0.0), (0.25, 0.0)], 0.5, ORDERS).trend, Trend::Flat);
    }

    #[test]
    fn what_is_not_finite_is_left_out() {
        // A run that blew up at the coarsest setting takes nothing from the others; too few numbers say so.
        let mut pairs = sequence(5, 2.0, |h| 3.0 - h);
        pairs[0].1 = f64::NAN;
        pairs[1].1 = f64::INFINITY;
        let found = fit(&pairs, 0.25, ORDERS);
        assert!((order(&found) - 1.0).abs() <= ORDER_STEP && (found.limit - 3.0).abs() < 1e-3);
        pairs[2].1 = f64::NAN;
        let two = fit(&pairs, 0.125, ORDERS);
        assert_eq!(two.trend, Trend::TooFew);
        assert!(
            (two.limit - pairs[4].1).abs() < 1e-15 && two.uncertainty > 0.0 && two.uncertainty.is_finite()
        );
        assert!(fit(&pairs[4..], 0.125, ORDERS).uncertainty.is_infinite());
        assert!(fit(&[], 1.0, ORDERS).limit.is_nan());
    }

    #[test]
    fn growth_under_refinement_is_never_trusted() {
        // 1/h has no limit: whatever is said, the interval is wider than the values are apart at the end.
        let pairs = sequence(5, 2.0, |h| 1.0 / h);
        let found = fit(&pairs, 0.25, ORDERS);
        assert!(found.uncertainty > pairs[4].1 - pairs[3].1, "{found:?}");
    }
}
