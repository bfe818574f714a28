//! Cases that nothing was fitted to: do the intervals hold them, is the boundary right, and is all of this better than a slope alone?

use super::cases::Run;
use crate::surrogate::{Case, Estimate, Frame, Surrogate};
use serde::{Deserialize, Serialize};

/// Name of their campaign, and of their batch in `response.parquet`.
pub(crate) const HELD_OUT: &str = "held-out";

/// Probability within which of one half the boundary is open.
const OPEN: f64 = 0.4;

/// What held-out cases say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldOut {
    /// Cases.
    pub cases: usize,
    /// Share of cases whose slip lies in its interval of 90 %.
    pub slip_held: f64,
    /// The same of the drift, of rovers that move.
    pub drift_held: Option<f64>,
    /// Of the energy.
    pub energy_held: Option<f64>,
    /// Cases away from the boundary: P(stuck) below 0.1 or above 0.9.
    pub away: usize,
    /// Share of them whose more probable regime is theirs.
    pub stuck_right_away: Option<f64>,
    /// Share of all cases whose more probable regime is theirs.
    pub stuck_right: f64,
    /// Mean width of the intervals of the slip.
    pub slip_width: f64,
    /// The same of a model that knows the slope alone.
    pub slip_width_slope_only: Option<f64>,
    /// Share of cases in the intervals of that model.
    pub slip_held_slope_only: Option<f64>,
}

fn holds(estimate: &Estimate, x: f64) -> bool {
    x >= estimate.low && x <= estimate.high
}

fn share(of: &[bool]) -> Option<f64> {
    let yes = of.iter().filter(|yes| **yes).count();
    (!of.is_empty()).then(|| yes as f64 / of.len() as f64)
}

/// The cases as seen by a model that knows the slope alone.
fn slope_only(runs: &[Run]) -> Vec<Case> {
    runs.iter().map(|run| Case { place: vec![run.slope_deg / 10.0], ..run.case.clone() }).collect()
}

/// Compares; `None` without held-out cases. The first `spread` of the fitted ones are spread as those are.
pub(crate) fn compare(
    surrogate: &Surrogate,
    (fitted, spread): (&[Run], usize),
    held_out: &[Run],
) -> Option<HeldOut> {
    if held_out.is_empty() {
        return None;
    }
    let found: Vec<_> = held_out.iter().map(|run| surrogate.at(&run.case.place)).collect();
    let plain = Surrogate::fit(&slope_only(fitted), spread, Frame { mirrored: false, rough: None }).map(
        |(plain, _)| {
            slope_only(held_out).iter().map(|case| plain.at(&case.place).slip).collect::<Vec<Estimate>>()
        },
    );
    let cases = || held_out.iter().map(|run| &run.case).zip(&found);
    let of = |pick: &dyn Fn(&Case) -> f64, estimate: &dyn Fn(usize) -> Estimate| {
        let moving = held_out.iter().enumerate().filter(|(_, r)| !r.case.stuck && pick(&r.case).is_finite());
        share(&moving.map(|(k, run)| holds(&estimate(k), pick(&run.case))).collect::<Vec<bool>>())
    };
    let slip: Vec<bool> = cases().map(|(c, p)| holds(&p.slip, c.slip)).collect();
    let right = |(c, p): (&Case, &crate::surrogate::Prediction)| (p.p_stuck > 0.5) == c.stuck;
    let away: Vec<bool> = cases().filter(|(_, p)| (p.p_stuck - 0.5).abs() > OPEN).map(right).collect();
    let width = |all: &mut dyn Iterator<Item = &Estimate>| {
        all.map(|e| e.high - e.low).sum::<f64>() / held_out.len() as f64
    };
    Some(HeldOut {
        cases: held_out.len(),
        slip_held: share(&slip).unwrap_or(f64::NAN),
        drift_held: of(&|c| c.drift_deg, &|k| found[k].drift_deg),
        energy_held: of(&|c| c.energy_j_per_m, &|k| found[k].energy_j_per_m),
        away: away.len(),
        stuck_right_away: share(&away),
        stuck_right: share(&cases().map(right).collect::<Vec<bool>>()).unwrap_or(f64::NAN),
        slip_width: width(&mut found.iter().map(|p| &p.slip)),
        slip_width_slope_only: plain.as_ref().map(|plain| width(&mut plain.iter())),
        slip_held_slope_only: plain.as_ref().and_then(|plain| {
            let held = plain.iter().zip(held_out).map(|(e, run)| holds(e, run.case.slip));
            share(&held.collect::<Vec<bool>>())
        }),
    })
}
