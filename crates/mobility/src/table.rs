//! What a rover does on a slope, tabulated: the seam between runs and maps.

use serde::{Deserialize, Serialize};

/// What a rover does on one slope in one heading, with the uncertainty of what says so.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// Mean slip: 1 − speed over the ground along the heading / speed of the rims.
    pub slip: f64,
    /// Angle from the heading to the track over the ground, degrees, positive down the slope.
    pub drift_deg: f64,
    /// Energy of the drives for each metre of the track.
    pub energy_j_per_m: f64,
    /// Probability that the rover gets stuck.
    pub p_stuck: f64,
    /// Probability that the rover tips over.
    pub p_tip: f64,
    /// Half of the width of the 90 % interval of the slip.
    pub slip_half_width: f64,
    /// Ends of the 90 % interval of the energy per metre, for a rover that moves.
    pub energy_interval_j_per_m: [f64; 2],
    /// Share of the runs nearby that stayed within the range of their models, from 0 to 1.
    pub valid: f64,
}

impl Response {
    /// A blend `self·(1 − t) + other·t`.
    pub fn blend(&self, other: &Self, t: f64) -> Self {
        let mix = |a: f64, b: f64| a + (b - a) * t;
        Self {
            slip: mix(self.slip, other.slip),
            drift_deg: mix(self.drift_deg, other.drift_deg),
            energy_j_per_m: mix(self.energy_j_per_m, other.energy_j_per_m),
            p_stuck: mix(self.p_stuck, other.p_stuck),
            p_tip: mix(self.p_tip, other.p_tip),
            slip_half_width: mix(self.slip_half_width, other.slip_half_width),
            energy_interval_j_per_m: [0, 1]
                .map(|end| mix(self.energy_interval_j_per_m[end], other.energy_interval_j_per_m[end])),
            valid: mix(self.valid, other.valid),
        }
    }
}

/// What is wrong with a table.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TableError {
    /// An axis that does not rise strictly, or is empty.
    #[error("the axis `{axis}` of a response table must rise and hold at least two values; found {found:?}")]
    Axis {
        /// Its name.
        axis: &'static str,
        /// Its values.
        found: Vec<f64>,
    },
    /// Another number of responses than the axes ask for.
    #[error("a response table of these axes holds {expected} responses; found {found}")]
    Count {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
}

/// Responses over soil, slope and heading; linear between its nodes.
///
/// Headings are angles between the direction of travel and the line of steepest ascent, from 0° (uphill) to 180°
/// (downhill); left and right of it are mirror images. Beyond the last slope the response of the last slope holds, and
/// [`ResponseTable::covers`] says that it does not apply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResponseTable {
    soils: Vec<String>,
    slopes_deg: Vec<f64>,
    headings_deg: Vec<f64>,
    /// Heading fastest, then slope, then soil.
    responses: Vec<Response>,
}

impl ResponseTable {
    /// A table from its axes and responses (heading fastest, then slope, then soil).
    pub fn new(
        soils: Vec<String>,
        slopes_deg: Vec<f64>,
        headings_deg: Vec<f64>,
        responses: Vec<Response>,
    ) -> Result<Self, TableError> {
        let table = Self { soils, slopes_deg, headings_deg, responses };
        table.check().map(|()| table)
    }

    /// What is wrong with a table that was read from a file.
    pub(crate) fn check(&self) -> Result<(), TableError> {
        for (axis, values) in [("slope_deg", &self.slopes_deg), ("heading_deg", &self.headings_deg)] {
            if values.len() < 2 || values.windows(2).any(|w| w[0] >= w[1] || w[0].is_nan() || w[1].is_nan()) {
                return Err(TableError::Axis { axis, found: values.clone() });
            }
        }
        let expected = self.soils.len() * self.slopes_deg.len() * self.headings_deg.len();
        if expected != self.responses.len() || expected == 0 {
            return Err(TableError::Count { expected, found: self.responses.len() });
        }
        Ok(())
    }

    /// The names of its soils.
    pub fn soils(&self) -> &[String] {
        &self.soils
    }

    /// All responses: heading fastest, then slope, then soil.
    pub fn responses(&self) -> &[Response] {
        &self.responses
    }

    /// The steepest slope that runs were made for, degrees.
    pub fn slope_max_deg(&self) -> f64 {
        *self.slopes_deg.last().expect("at least two slopes")
    }

    /// Whether runs were made for slopes like this one.
    pub fn covers(&self, slope_deg: f64) -> bool {
        slope_deg >= self.slopes_deg[0] && slope_deg <= self.slope_max_deg()
    }

    /// The response on soil number `soil` at a slope and a heading against the line of steepest ascent (any sign, degrees).
    /// The drift keeps its meaning: positive down the slope.
    pub fn at(&self, soil: usize, slope_deg: f64, heading_deg: f64) -> Response {
        let turn = heading_deg.rem_euclid(360.0);
        let heading = if turn > 180.0 { 360.0 - turn } else { turn };
        let (i, s) = cell(&self.slopes_deg, slope_deg);
        let (j, t) = cell(&self.headings_deg, heading);
        let n = self.headings_deg.len();
        let row = |i: usize| {
            let first = (soil * self.slopes_deg.len() + i) * n + j;
            self.responses[first].blend(&self.responses[first + 1], t)
        };
        row(i).blend(&row(i + 1), s)
    }
}

/// The interval of a rising axis in which `x` lies and the share of it that is behind `x`, clamped to the axis.
fn cell(axis: &[f64], x: f64) -> (usize, f64) {
    let last = axis.len() - 2;
    let i = axis.partition_point(|&a| a <= x).saturating_sub(1).min(last);
    (i, ((x - axis[i]) / (axis[i + 1] - axis[i])).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(slip: f64) -> Response {
        Response {
            slip,
            drift_deg: 0.0,
            energy_j_per_m: 10.0,
            p_stuck: 0.0,
            p_tip: 0.0,
            slip_half_width: 0.0,
            energy_interval_j_per_m: [10.0; 2],
            valid: 1.0,
        }
    }

    /// slip = slope/100 + heading/1000: linear in both, so that the table must give it back everywhere.
    fn table() -> ResponseTable {
        let (slopes, headings) = (vec![0.0, 5.0, 20.0], vec![0.0, 90.0, 180.0]);
        let responses = slopes
            .iter()
            .flat_map(|s| headings.iter().map(move |h| response(s / 100.0 + h / 1000.0)))
            .collect();
        ResponseTable::new(vec!["sand".into()], slopes, headings, responses).unwrap()
    }

    #[test]
    fn a_linear_response_is_met_between_the_nodes() {
        let table = table();
        for (slope, heading) in [(0.0, 0.0), (3.0, 45.0), (20.0, 180.0), (11.0, 170.0)] {
            assert!((table.at(0, slope, heading).slip - (slope / 100.0 + heading / 1000.0)).abs() < 1e-14);
            assert_eq!(table.at(0, slope, heading), table.at(0, slope, -heading));
            assert!(
                (table.at(0, slope, heading).slip - table.at(0, slope, heading + 360.0).slip).abs() < 1e-14
            );
        }
        assert_eq!(table.at(0, 35.0, 0.0), table.at(0, 20.0, 0.0));
        assert!(table.covers(20.0) && !table.covers(20.1));
    }

    #[test]
    fn a_table_that_does_not_fit_is_refused() {
        let two = vec![0.0, 1.0];
        let soils = vec!["sand".to_string()];
        assert!(matches!(
            ResponseTable::new(soils.clone(), vec![1.0, 0.0], two.clone(), vec![response(0.0); 4]),
            Err(TableError::Axis { axis: "slope_deg", .. })
        ));
        assert!(matches!(
            ResponseTable::new(soils.clone(), two.clone(), vec![0.0, f64::NAN], vec![response(0.0); 4]),
            Err(TableError::Axis { axis: "heading_deg", .. })
        ));
        assert!(matches!(
            ResponseTable::new(soils, two.clone(), two, vec![response(0.0); 3]),
            Err(TableError::Count { expected: 4, found: 3 })
        ));
    }
}
