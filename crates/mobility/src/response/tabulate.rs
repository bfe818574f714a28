//! Surrogate ⇒ table over slope and heading, at one roughness and over the scatter of the soil.

use super::asked::Asked;
use super::space::Space;
use crate::surrogate::{Mixture, Surrogate};
use crate::table::Response;
use serde::{Deserialize, Serialize};

/// Distance of slopes and headings of the table, degrees.
const SLOPE_STEP: f64 = 1.0;
const HEADING_STEP: f64 = 7.5;
/// Half of the width of the central 90 % of a normal distribution, in standard deviations.
const NORMAL_90: f64 = 1.644_853_626_951_472_2;
/// Draws of the soil at each node.
pub(crate) const DRAWS: usize = 24;

/// How far a table lies from its surrogate, midway between its nodes: root mean square and largest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableAccuracy {
    /// Of the slip.
    pub slip: [f64; 2],
    /// Of the drift, degrees.
    pub drift_deg: [f64; 2],
    /// Of the energy, as a part of it.
    pub energy: [f64; 2],
    /// Of the probability of getting stuck.
    pub p_stuck: [f64; 2],
}

/// Slopes and headings of a table.
pub(crate) fn axes(slope_max_deg: f64) -> (Vec<f64>, Vec<f64>) {
    let even = |last: f64, step: f64| {
        let n = (last / step).ceil().max(1.0) as usize;
        (0..=n).map(|k| last * k as f64 / n as f64).collect()
    };
    (even(slope_max_deg, SLOPE_STEP), even(180.0, HEADING_STEP))
}

/// One soil: its surrogate, its coordinates, draws of its numbers.
pub(crate) struct OneSoil<'a> {
    pub surrogate: &'a Surrogate,
    pub space: &'a Space,
    /// Standard scores; one empty draw where nothing scatters.
    pub draws: &'a [Vec<f64>],
    pub roughness_m: f64,
}

impl OneSoil<'_> {
    /// The response at a slope and a heading, over all draws: slip by the pooled distribution, drift and energy of rovers that move, which do not pay back what they
    /// brake. Draws where the surrogate extrapolates count as outside validity.
    ///
    /// The interval of the energy holds what the soil does and what the surrogate does not know: by the law of total variance, on the scale in which energies are
    /// fitted, each draw's own interval taken for that of a normal distribution.
    pub fn response(&self, slope_deg: f64, heading_deg: f64) -> Response {
        let mut slips = Vec::with_capacity(self.draws.len());
        let [mut p_stuck, mut drift, mut energy, mut p_tip, mut valid, mut moving] = [0.0; 6];
        let mut energies = Spread::default();
        for scores in self.draws {
            let place = self.space.place(slope_deg, heading_deg, self.roughness_m, scores);
            let slip = self.surrogate.slip_at(&place);
            let means = self.surrogate.means(&place);
            let moves = 1.0 - slip.p_stuck;
            if let Some(found) = self.surrogate.energy_at(&place) {
                energies.add(moves, found);
            }
            // Soils on which no rover ever left its spot have neither drift nor energy, and no validity.
            let [drift_deg, energy_j_per_m, known] =
                means.track.map_or([0.0; 3], |[drift, energy]| [drift, energy, 1.0]);
            moving += moves;
            drift += moves * drift_deg;
            energy += moves * energy_j_per_m.max(0.0);
            p_stuck += slip.p_stuck;
            p_tip += means.p_tip;
            valid += if slip.extrapolates { 0.0 } else { known * means.valid };
            slips.push(slip.distribution);
        }
        let n = self.draws.len() as f64;
        let slips = Mixture::pooled(slips);
        let [low, high] = slips.interval(self.surrogate.slip_level());
        Response {
            slip: slips.mean(),
            drift_deg: drift / moving,
            energy_j_per_m: energy / moving,
            p_stuck: p_stuck / n,
            p_tip: p_tip / n,
            slip_half_width: 0.5 * (high - low),
            energy_interval_j_per_m: energies.interval(),
            valid: valid / n,
        }
    }

    /// Responses at all nodes, heading fastest.
    pub fn nodes(&self, slopes: &[f64], headings: &[f64]) -> Vec<Response> {
        let row =
            |slope: &f64| headings.iter().map(|heading| self.response(*slope, *heading)).collect::<Vec<_>>();
        slopes.iter().flat_map(row).collect()
    }

    /// Error of a table midway between its nodes, where a linear interpolation is worst.
    pub fn error(&self, nodes: &[Response], slopes: &[f64], headings: &[f64]) -> TableAccuracy {
        let n = headings.len();
        let mut squares = [[0.0f64; 2]; 4];
        let mut count = 0.0;
        for (i, slope) in slopes.windows(2).enumerate() {
            for (j, heading) in headings.windows(2).enumerate() {
                let at = |i: usize, j: usize| &nodes[i * n + j];
                let low = at(i, j).blend(at(i, j + 1), 0.5);
                let found = low.blend(&at(i + 1, j).blend(at(i + 1, j + 1), 0.5), 0.5);
                let right = self.response(0.5 * (slope[0] + slope[1]), 0.5 * (heading[0] + heading[1]));
                let energy = right.energy_j_per_m.abs().max(1.0);
                let errors = [
                    found.slip - right.slip,
                    found.drift_deg - right.drift_deg,
                    (found.energy_j_per_m - right.energy_j_per_m) / energy,
                    found.p_stuck - right.p_stuck,
                ];
                for (sum, error) in squares.iter_mut().zip(errors) {
                    *sum = [sum[0] + error * error, sum[1].max(error.abs())];
                }
                count += 1.0;
            }
        }
        let [slip, drift_deg, energy, p_stuck] =
            squares.map(|[sum, largest]| [(sum / count).sqrt(), largest]);
        TableAccuracy { slip, drift_deg, energy, p_stuck }
    }
}

/// Energies of several draws: sums of weights, means, their squares and variances within draws, on the scale of the fit.
#[derive(Default)]
struct Spread([f64; 4]);

impl Spread {
    /// Adds a draw: middle and ends of its 90 % interval.
    fn add(&mut self, weight: f64, [middle, low, high]: [f64; 3]) {
        let sd = (high - low) / (2.0 * NORMAL_90);
        for (sum, x) in self.0.iter_mut().zip([1.0, middle, middle * middle, sd * sd]) {
            *sum += weight * x;
        }
    }

    /// The interval of all, J/m; braking gives nothing back.
    fn interval(&self) -> [f64; 2] {
        let [weight, sum, squares, within] = self.0;
        // No rover ever left its spot: no energy.
        if weight <= 0.0 {
            return [0.0; 2];
        }
        let mean = sum / weight;
        let sd = (within / weight + (squares / weight - mean * mean).max(0.0)).sqrt();
        [-1.0, 1.0].map(|sign| Surrogate::energy_of(mean + sign * NORMAL_90 * sd).max(0.0))
    }
}

/// The first draws of a soil from its cases; they follow its scatter, because the design does.
pub(crate) fn draws<'a>(scores: impl Iterator<Item = &'a Vec<f64>>, asked: &Asked) -> Vec<Vec<f64>> {
    let draws: Vec<Vec<f64>> = scores.take(DRAWS).cloned().collect();
    if asked.soil_spread == 0.0 || draws.is_empty() { vec![Vec::new()] } else { draws }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::tests::{FRAME, cases};

    /// Two equal draws keep their interval; two that differ by 2 d add d² to the variance; braking gives nothing.
    #[test]
    fn variances_within_and_between_draws_add() {
        let (sd, d) = (0.3, 0.4);
        let draw = |middle: f64| [middle, middle - NORMAL_90 * sd, middle + NORMAL_90 * sd];
        let of = |draws: &[f64]| {
            let mut spread = Spread::default();
            draws.iter().for_each(|middle| spread.add(0.5, draw(*middle)));
            spread.interval()
        };
        let ends = |sd: f64| [-1.0, 1.0].map(|sign| Surrogate::energy_of(2.0 + sign * NORMAL_90 * sd));
        for (found, right) in [(of(&[2.0, 2.0]), ends(sd)), (of(&[2.0 - d, 2.0 + d]), ends(sd.hypot(d)))] {
            assert!(found.iter().zip(right).all(|(a, b)| (a - b).abs() < 1e-9 * b), "{found:?} {right:?}");
        }
        assert_eq!(of(&[-2.0])[0], 0.0);
        assert_eq!(Spread::default().interval(), [0.0; 2]);
    }

    #[test]
    fn axes_reach_their_ends() {
        let (slopes, headings) = axes(12.5);
        assert_eq!((slopes[0], slopes.last()), (0.0, Some(&12.5)));
        assert!(slopes.windows(2).all(|w| w[1] - w[0] <= SLOPE_STEP + 1e-12));
        assert_eq!((headings.len(), headings[24]), (25, 180.0));
    }

    /// Nodes are the surrogate's; the error is that of a bilinear interpolation of it.
    #[test]
    fn a_table_repeats_its_surrogate() {
        let made: Vec<_> = cases(80, 0)
            .into_iter()
            .map(|mut case| {
                case.place.push(0.0);
                case
            })
            .collect();
        let surrogate = Surrogate::draft(&made, FRAME, None).unwrap();
        let space = Space::new(0.02, &[]);
        let one = OneSoil { surrogate: &surrogate, space: &space, draws: &[Vec::new()], roughness_m: 0.0 };
        let (slopes, headings) = axes(15.0);
        let nodes = one.nodes(&slopes, &headings);
        let (i, j) = (7, 3);
        let direct = surrogate.at(&space.place(slopes[i], headings[j], 0.0, &[]));
        let node = &nodes[i * headings.len() + j];
        assert!((node.slip - direct.slip.value).abs() < 1e-12);
        assert!((node.drift_deg - direct.drift_deg.value).abs() < 1e-12);
        assert_eq!(nodes[i * headings.len()].drift_deg, 0.0);
        let error = one.error(&nodes, &slopes, &headings);
        // Energy is smooth: second derivatives of one part per coordinate, a cell of 0.07 ⇒ 0.07²/8 each way. Slip jumps by 0.75 in the one row of cells in fifteen
        // that the boundary crosses: 0.375/√15 = 0.1 at most.
        assert!(error.energy[0] > 0.0 && error.energy[0] < 0.003, "{error:?}");
        assert!(error.slip[0] <= error.slip[1] && error.slip[0] < 0.1, "{error:?}");
    }
}
