//! What is asked, and the study of one soil.

use serde::{Deserialize, Serialize};
use touchdown_scenario::{Soil, SoilSpread, soils};

/// The scenario of one run.
pub(crate) const SCENARIO: &str = "rover-slope";
/// Speed of every wheel in it, rad/s.
pub const WHEEL_SPEED: f64 = 0.8;
/// Quantities of a run that the surrogates are made from.
pub(crate) const QUANTITIES: [&str; 6] =
    ["slip", "drift_deg", "energy_j_per_m", "sinkage_m", "stuck", "tipped"];
/// Standard deviations at which a distribution of a soil's number is cut.
const CUT: f64 = 2.5;
/// Least share of its value that a number of a soil keeps.
const LEAST: f64 = 0.05;
/// Grounds of the same roughness among which a case draws.
const GROUNDS: usize = 16;

/// Numbers of a soil that the scenario has knobs for: key, knob, factor from SI to the knob's unit.
const KNOBS: [(&str, &str, f64); 6] = [
    ("friction_angle", "friction_angle_deg", 180.0 / std::f64::consts::PI),
    ("cohesion", "cohesion_pa", 1.0),
    ("cohesive_modulus", "cohesive_modulus", 1.0),
    ("frictional_modulus", "frictional_modulus", 1.0),
    ("exponent", "exponent", 1.0),
    ("shear_length", "shear_length_m", 1.0),
];

/// What is asked of a response stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// Machine of the library.
    pub rover: String,
    /// A world, as `gravity` of a scenario has it.
    pub gravity: String,
    /// Soils of the library, in the order of the table.
    pub soils: Vec<String>,
    /// Factor for the scatter of the soils' numbers; 0: none.
    pub soil_spread: f64,
    /// Steepest slope, degrees.
    pub slope_max_deg: f64,
    /// Largest roughness that cases have: root mean square of what is smaller than the rover, m.
    pub roughness_max_m: f64,
    /// Roughness of the table, m.
    pub roughness_m: f64,
    /// Cases of each soil, refinements included.
    pub cases: u64,
    /// Seed of the designs.
    pub seed: u64,
    /// Further random cases of each soil, which nothing is fitted to.
    pub held_out: u64,
}

/// Why a stage cannot begin.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{what}")]
pub struct Refusal {
    /// What is wrong.
    pub what: String,
    /// How to put it right.
    pub hint: Option<String>,
}

/// A number of a soil that scatters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scatter {
    pub knob: &'static str,
    pub middle: f64,
    /// Standard deviation.
    pub sd: f64,
    /// As a study has it.
    pub marginal: String,
}

/// A number of nine digits, as one writes it: it is the same number after it was written and read again.
pub(crate) fn written(x: f64) -> f64 {
    format!("{x:.8e}").parse().unwrap_or(x)
}

impl Scatter {
    fn of(soil: &Soil, spread: &SoilSpread, factor: f64) -> Option<Scatter> {
        let (_, knob, unit) = *KNOBS.iter().find(|(key, ..)| *key == spread.key)?;
        let value = soil.values.iter().find(|v| v.key == spread.key)?.value;
        let value = written(value * unit);
        if let Some(range) = spread.range {
            let [low, high] = range.map(|x| written(value + factor * (x * unit - value)));
            let half = 0.5 * (high - low);
            let marginal = format!("{{ uniform = [{low:?}, {high:?}] }}");
            return (half > 0.0).then(|| Scatter {
                knob,
                middle: 0.5 * (low + high),
                sd: half / 3f64.sqrt(),
                marginal,
            });
        }
        let sd = written(spread.sd? * unit * factor);
        let (low, high) = (written((value - CUT * sd).max(LEAST * value)), written(value + CUT * sd));
        let marginal = format!("{{ normal = [{value:?}, {sd:?}], within = [{low:?}, {high:?}] }}");
        (sd > 0.0 && low < high).then_some(Scatter { knob, middle: value, sd, marginal })
    }
}

impl Asked {
    /// Refuses what makes no sense.
    pub fn check(&self) -> Result<(), Refusal> {
        let refuse = |what: String, hint: Option<&str>| Err(Refusal { what, hint: hint.map(Into::into) });
        let positive = [("slope_max_deg", self.slope_max_deg), ("roughness_max_m", self.roughness_max_m)];
        if let Some((name, x)) = positive.iter().find(|(_, x)| !(x.is_finite() && *x > 0.0)) {
            return refuse(format!("{name} must be above zero, found {x}"), None);
        }
        if self.slope_max_deg > 60.0 {
            return refuse(
                format!("slope_max_deg must be at most 60, found {}", self.slope_max_deg),
                Some("no soil of the library holds a rover there"),
            );
        }
        if !(0.0..=self.roughness_max_m).contains(&self.roughness_m) {
            return refuse(
                format!(
                    "roughness must lie from 0 to {} m, found {}",
                    self.roughness_max_m, self.roughness_m
                ),
                Some("cases are made up to that roughness; roughness_max raises it"),
            );
        }
        if !(0.0..=3.0).contains(&self.soil_spread) {
            return refuse(format!("soil_spread must lie from 0 to 3, found {}", self.soil_spread), None);
        }
        if self.soils.is_empty() {
            return refuse("there is no soil".into(), Some("--soil NAME; touchdown list soils"));
        }
        self.soils.iter().try_for_each(|name| soil(name).map(|_| ()))
    }

    /// Numbers of a soil that scatter.
    pub(crate) fn scatter(&self, name: &str) -> Result<Vec<Scatter>, Refusal> {
        let soil = soil(name)?;
        Ok(soil.spread.iter().filter_map(|s| Scatter::of(soil, s, self.soil_spread)).collect())
    }

    /// The study of a soil: knobs over which its cases lie, spread by a sampling.
    pub(crate) fn study(
        &self,
        soil: &str,
        (cases, seed, sampling): (u64, u64, &str),
    ) -> Result<String, Refusal> {
        let quantities: Vec<String> = QUANTITIES.iter().map(|q| format!("{q:?}")).collect();
        let grounds: Vec<String> = (1..=GROUNDS).map(|k| format!("\"{k}\"")).collect();
        let mut text = format!(
            "title = {:?}\nscenario = {SCENARIO:?}\ncases = {cases}\nseed = {seed}\nsampling = {sampling:?}\n",
            format!("{} on slopes of {soil}", self.rover)
        );
        text += &format!(
            "set = [{:?}, {:?}, {:?}]\nquantities = [{}]\n[vary]\n",
            format!("soil={soil}"),
            format!("rover={}", self.rover),
            format!("gravity={}", self.gravity),
            quantities.join(", ")
        );
        text += &format!("slope_deg = {{ uniform = [0.0, {:?}] }}\n", self.slope_max_deg);
        text += "heading_deg = { uniform = [0.0, 180.0] }\n";
        text += &format!("roughness_m = {{ uniform = [0.0, {:?}] }}\n", self.roughness_max_m);
        text += &format!("seed = {{ values = [{}] }}\n", grounds.join(", "));
        for scatter in self.scatter(soil)? {
            text += &format!("{} = {}\n", scatter.knob, scatter.marginal);
        }
        Ok(text)
    }
}

/// A soil of the library.
pub(crate) fn soil(name: &str) -> Result<&'static Soil, Refusal> {
    soils().iter().find(|soil| soil.name == name).ok_or_else(|| Refusal {
        what: format!("there is no soil {name}"),
        hint: Some("touchdown list soils".into()),
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn asked() -> Asked {
        Asked {
            rover: "exomars-2009".into(),
            gravity: "mars".into(),
            soils: vec!["dlr-simulant-a".into()],
            soil_spread: 1.0,
            slope_max_deg: 30.0,
            roughness_max_m: 0.02,
            roughness_m: 0.005,
            cases: 8,
            seed: 1,
            held_out: 0,
        }
    }

    /// The scatter of the file: friction angle 24.8 ± 1.98°, shear length from 10 to 25 mm. Twice the factor is twice the scatter, zero none.
    #[test]
    fn the_scatter_of_a_soil_is_that_of_its_file() {
        let of = |factor: f64| Asked { soil_spread: factor, ..asked() }.scatter("dlr-simulant-a").unwrap();
        let plain = of(1.0);
        let angle = plain.iter().find(|s| s.knob == "friction_angle_deg").unwrap();
        assert!((angle.middle - 24.8).abs() < 1e-9 && (angle.sd - 1.98).abs() < 1e-9, "{angle:?}");
        let length = plain.iter().find(|s| s.knob == "shear_length_m").unwrap();
        assert!((length.middle - 0.0175).abs() < 1e-12 && (length.sd - 0.0075 / 3f64.sqrt()).abs() < 1e-12);
        assert_eq!(plain.len(), 5);
        let twice = of(2.0).into_iter().find(|s| s.knob == "friction_angle_deg").unwrap();
        assert!((twice.sd - 3.96).abs() < 1e-9);
        assert!(of(0.0).is_empty());
    }

    #[test]
    fn senseless_questions_are_refused_with_a_reason() {
        let refused = |asked: Asked, wanted: &str| {
            let why = asked.check().unwrap_err().what;
            assert!(why.contains(wanted), "{why}");
        };
        assert_eq!(asked().check(), Ok(()));
        refused(Asked { soils: vec!["dlr-simulant-q".into()], ..asked() }, "dlr-simulant-q");
        refused(Asked { soils: Vec::new(), ..asked() }, "no soil");
        refused(Asked { roughness_m: 0.1, ..asked() }, "0.02");
        refused(Asked { slope_max_deg: f64::NAN, ..asked() }, "slope_max_deg");
        refused(Asked { slope_max_deg: 80.0, ..asked() }, "60");
        refused(Asked { soil_spread: -1.0, ..asked() }, "soil_spread");
    }

    /// Full runs on a map are driven at the speed of the runs that the table was made of.
    #[test]
    fn the_wheels_have_the_speed_of_the_scenario() {
        let scenario = touchdown_scenario::load(SCENARIO, &[]).unwrap();
        let text =
            &scenario.parameters.iter().find(|knob| knob.name == "wheel_speed_rad_per_s").unwrap().value;
        assert_eq!(text.parse::<f64>().unwrap(), WHEEL_SPEED);
    }

    /// Every soil of the library makes a study that the campaign takes.
    #[test]
    fn every_soil_has_a_study() {
        for soil in soils() {
            let text = asked().study(&soil.name, (4, 1, "sobol")).unwrap();
            let study = touchdown_campaign::read_study_text("study", &text, std::path::Path::new("."));
            assert!(study.is_ok(), "{}: {}", soil.name, study.unwrap_err());
        }
    }
}
