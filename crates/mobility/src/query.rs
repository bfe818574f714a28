//! One slope, one heading, one soil: what the table says.

use crate::response::Saved;
use crate::table::Response;
use serde::Serialize;

/// What the table says of a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The soil.
    pub soil: String,
    /// Degrees.
    pub slope_deg: f64,
    /// Clockwise from uphill, degrees.
    pub heading_deg: f64,
    /// Roughness of the table, m.
    pub roughness_m: f64,
    /// The response.
    #[serde(flatten)]
    pub response: Response,
    /// Ends of the 90 % interval of the slip, taken as symmetric.
    pub slip_interval: [f64; 2],
    /// Whether runs were made for slopes like this one.
    pub covered: bool,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QueryError {
    /// A soil that no runs were made for.
    #[error("no runs were made on {soil}; there are runs on {}", known.join(", "))]
    Soil {
        /// What was asked.
        soil: String,
        /// What is there.
        known: Vec<String>,
    },
    /// A slope or a heading that is no angle.
    #[error("{name} must be {allowed}, found {found}")]
    Angle {
        /// Which.
        name: &'static str,
        /// What it may be.
        allowed: &'static str,
        /// What was asked.
        found: f64,
    },
}

/// Looks a question up. Without a soil, the first one.
pub fn query(
    saved: &Saved,
    soil: Option<&str>,
    slope_deg: f64,
    heading_deg: f64,
) -> Result<Answer, QueryError> {
    let known = saved.table.soils();
    let name = soil.or(known.first().map(String::as_str)).unwrap_or_default();
    let unknown = || QueryError::Soil { soil: name.into(), known: known.to_vec() };
    let k = known.iter().position(|n| n == name).ok_or_else(unknown)?;
    if !(0.0..=90.0).contains(&slope_deg) {
        let allowed = "an angle from 0 to 90 degrees";
        return Err(QueryError::Angle { name: "slope-deg", allowed, found: slope_deg });
    }
    if !heading_deg.is_finite() {
        return Err(QueryError::Angle {
            name: "heading-deg",
            allowed: "an angle in degrees",
            found: heading_deg,
        });
    }
    let response = saved.table.at(k, slope_deg, heading_deg);
    let half = response.slip_half_width;
    Ok(Answer {
        soil: name.into(),
        slope_deg,
        heading_deg,
        roughness_m: saved.asked.roughness_m,
        slip_interval: [response.slip - half, response.slip + half],
        response,
        covered: saved.table.covers(slope_deg),
    })
}
