//! Coordinates in which responses are smooth: the slope as a vector along and across the heading, roughness, numbers of the soil by their scatter.

use super::asked::Scatter;
use serde::Serialize;
use touchdown_campaign::Setting;
use touchdown_math::Elementary;

/// sin(slope) of a coordinate of one: about 14.5°.
const SLOPE_SCALE: f64 = 0.25;
/// Standard deviations of a coordinate of one.
const SOIL_SCALE: f64 = 2.0;
/// Where roughness stands among the coordinates.
pub(crate) const ROUGH: usize = 2;

/// From slope, heading, roughness and soil to coordinates.
///
/// The component of the slope along the heading and the one across it: on the level no heading differs from another, and left and right differ by a sign.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Space {
    roughness_max_m: f64,
    /// Middle and standard deviation of each number of the soil that scatters, by its knob.
    soil: Vec<(String, f64, f64)>,
}

impl Space {
    pub(crate) fn new(roughness_max_m: f64, scatter: &[Scatter]) -> Space {
        let soil = scatter.iter().map(|s| (s.knob.to_string(), s.middle, s.sd)).collect();
        Space { roughness_max_m, soil }
    }

    /// A place; `soil` holds standard scores of the soil's numbers.
    pub fn place(&self, slope_deg: f64, heading_deg: f64, roughness_m: f64, soil: &[f64]) -> Vec<f64> {
        let steep = slope_deg.to_radians().sine() / SLOPE_SCALE;
        let (across, along) = heading_deg.to_radians().sine_cosine();
        // Exactly on the line of steepest ascent, also downhill.
        let across = if heading_deg % 180.0 == 0.0 { 0.0 } else { across };
        let mut place = vec![steep * along, steep * across, roughness_m / self.roughness_max_m];
        place.extend(soil.iter().map(|z| z / SOIL_SCALE));
        place
    }

    /// The place of a case and the standard scores of its soil, from the names and values of its inputs; `None` if one is missing.
    pub(crate) fn of_inputs(&self, names: &[&str], values: &[Setting]) -> Option<(Vec<f64>, Vec<f64>)> {
        let number = |name: &str| values[names.iter().position(|n| *n == name)?].number();
        let scores: Option<Vec<f64>> =
            self.soil.iter().map(|(knob, middle, sd)| Some((number(knob)? - middle) / sd)).collect();
        let scores = scores?;
        let place = self.place(number("slope_deg")?, number("heading_deg")?, number("roughness_m")?, &scores);
        Some((place, scores))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 14.4775° has a sine of a quarter; at 60° half of it lies along the heading, √¾ across.
    #[test]
    fn a_slope_is_a_vector() {
        let space = Space { roughness_max_m: 0.02, soil: vec![("cohesion_pa".into(), 188.0, 56.4)] };
        let slope = 0.25f64.asin().to_degrees();
        let names = ["slope_deg", "heading_deg", "roughness_m", "cohesion_pa"];
        let values = [slope, 60.0, 0.005, 188.0 + 56.4].map(Setting::Number);
        let (place, scores) = space.of_inputs(&names, &values).unwrap();
        for (found, wanted) in place.iter().zip([0.5, 0.75f64.sqrt(), 0.25, 0.5]) {
            assert!((found - wanted).abs() < 1e-12, "{place:?}");
        }
        assert!((scores[0] - 1.0).abs() < 1e-12);
        assert_eq!(space.place(20.0, 180.0, 0.0, &[])[1], 0.0);
        assert_eq!(space.of_inputs(&names[..3], &values[..3]), None);
    }
}
