//! Numbers that a convergence study can refine, with their paths, so that `--set` can change them.

use crate::error::Issues;
use crate::parameters;
use crate::read::{Part, Record, Text, Value, format_number};
use crate::table::{
    ConvergeKeys, FlexibleFormKeys, FormWord, IntegratorKeys, RigKeys, RigWord, ScenarioKeys, StudyKeys,
    StudyWord, TerrainKeys,
};

/// The content of `[converge]`, and the numbers that can be refined.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Converge {
    /// The quantity to study by default.
    pub quantity: Option<String>,
    /// Smallest magnitude that the tolerance refers to, in the unit of `quantity`.
    pub scale: Option<f64>,
    /// Permitted relative numerical error.
    pub tolerance: Option<f64>,
    /// Ratio of successive steps.
    pub step_ratio: Option<f64>,
    /// Ratio of successive spacings.
    pub grid_ratio: Option<f64>,
    /// Fixed step, tolerances of an adaptive one, or the resolution of a study without time; empty if there
    /// is none.
    pub step: Vec<Setting>,
    /// Spacing of the soil's grid, and how often its soil moves; empty without soil.
    pub grid: Vec<Setting>,
    /// Resolution of meshes.
    pub mesh: Vec<Setting>,
    /// Elements of a pressed wheel, of a quarter of its rim and along its spokes: refined apart, unless `mesh` says otherwise.
    pub wheel: Option<[Setting; 2]>,
    /// Sizes that should not affect the result.
    pub domain: Vec<Setting>,
}

/// A number of the scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Dotted path.
    pub path: String,
    /// Its value, SI.
    pub value: f64,
    /// Its unit as written; empty for pure numbers.
    pub unit: &'static str,
    /// Whether it is a whole number.
    pub whole: bool,
}

impl Setting {
    /// The value that is set if `value` is requested: counts are rounded, and at least one.
    pub fn rounded(&self, value: f64) -> f64 {
        if self.whole { value.round().max(1.0) } else { value }
    }

    /// `PATH=VALUE` for another value.
    pub fn set(&self, value: f64) -> String {
        let value = self.rounded(value);
        let value = if self.whole { format!("{value:.0}") } else { format_number(value) };
        if self.unit.is_empty() {
            format!("{}={value}", self.path)
        } else {
            format!("{}={value} {}", self.path, self.unit)
        }
    }
}

/// Reads `[converge]` and looks its paths up; the record must have been filled.
pub(crate) fn read(record: &Record, part: Option<&Part<ConvergeKeys>>, issues: &mut Issues) -> Converge {
    let (terrain, spacing) = (ScenarioKeys::terrain.name(), TerrainKeys::spacing.name());
    let grid = [(terrain, spacing), (terrain, TerrainKeys::move_every.name())];
    let found = Converge {
        step: step(record),
        grid: list(record, &grid),
        wheel: wheel(record),
        ..Converge::default()
    };
    let Some(keys) = part.and_then(|part| part.keys.clone()) else { return found };
    let mut named = |paths: Option<Vec<Text>>| {
        let mut found = Vec::new();
        for path in paths.unwrap_or_default() {
            match setting(record, &path) {
                Some(setting) => found.push(setting),
                None => {
                    issues
                        .at(path.loc, &path.path, "names nothing that holds a number here")
                        .found(format!("\"{path}\""))
                        .hint("a path of this scenario, such as duration or rig.travel");
                }
            }
        }
        found
    };
    Converge {
        quantity: keys.quantity.map(|quantity| quantity.text),
        scale: keys.scale,
        tolerance: keys.tolerance,
        step_ratio: keys.step_ratio,
        grid_ratio: keys.grid_ratio,
        domain: named(keys.domain),
        wheel: found.wheel.filter(|_| keys.mesh.is_none()),
        mesh: named(keys.mesh),
        ..found
    }
}

/// The setting that controls the step: that of the study if it has no time, otherwise the integrator's.
fn step(record: &Record) -> Vec<Setting> {
    let study = record.table(ScenarioKeys::study).and_then(|s| s.get(StudyKeys::kind));
    let rig = record.table(ScenarioKeys::rig).and_then(|r| r.get(RigKeys::kind));
    if study == Some(StudyWord::Tilt) {
        return list(record, &[(ScenarioKeys::study.name(), StudyKeys::resolution.name())]);
    }
    // Without time there is no step, whatever the integrator's is.
    let timeless = [StudyWord::WheelPress, StudyWord::Modes, StudyWord::StaticLoad, StudyWord::ShellCourse];
    if rig == Some(RigWord::Plate) || study.is_some_and(|kind| timeless.contains(&kind)) {
        return Vec::new();
    }
    let integrator = ScenarioKeys::integrator.name();
    let fixed = list(record, &[(integrator, IntegratorKeys::step.name())]);
    let tolerances = [IntegratorKeys::tolerance.name(), IntegratorKeys::absolute_tolerance.name()];
    if fixed.is_empty() { list(record, &tolerances.map(|key| (integrator, key))) } else { fixed }
}

/// Elements around the rim and along the spokes of the wheel that a study presses; spokes follow the rim if nothing is said of them.
fn wheel(record: &Record) -> Option<[Setting; 2]> {
    let study = record.table(ScenarioKeys::study).and_then(|s| s.get(StudyKeys::kind));
    if study != Some(StudyWord::WheelPress) {
        return None;
    }
    let forms = record.map(ScenarioKeys::flexible_form);
    let form = forms.iter().find(|form| form.record.get(FlexibleFormKeys::kind) == Some(FormWord::Wheel))?;
    let (rim, spokes) = (FlexibleFormKeys::elements_per_quadrant, FlexibleFormKeys::elements_per_spoke);
    let count = form.record.get(rim)?;
    let setting = |name: &str, count: u64| Setting {
        path: format!("{}.{}.{name}", ScenarioKeys::flexible_form.name(), form.name),
        value: count as f64,
        unit: "",
        whole: true,
    };
    let along = form.record.get(spokes).unwrap_or(count);
    Some([setting(rim.name(), count), setting(spokes.name(), along)])
}

/// Settings by their tables and keys.
fn list(record: &Record, paths: &[(&str, &str)]) -> Vec<Setting> {
    paths.iter().filter_map(|(table, key)| setting(record, &format!("{table}.{key}"))).collect()
}

fn setting(record: &Record, path: &str) -> Option<Setting> {
    let segments: Vec<String> = path.split('.').map(str::to_string).collect();
    let (value, unit, whole) = match parameters::lookup(record, &segments)?.value.as_ref()? {
        Value::Number(x, dim) => (*x, dim.unit, false),
        Value::Count(n) => (*n as f64, "", true),
        _ => return None,
    };
    let positive = value.is_finite() && value > 0.0;
    positive.then(|| Setting { path: path.into(), value, unit, whole })
}

#[cfg(test)]
mod tests {
    use crate::load;

    fn converge(sets: &[&str]) -> Result<super::Converge, String> {
        let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
        load("single-wheel", &sets).map(|scenario| scenario.converge).map_err(|e| e.to_string())
    }

    #[test]
    fn settings_turn_what_they_were_read_from() {
        // Every number that can be refined is read as set, in SI, with counts rounded.
        let own = converge(&[]).expect("built in");
        for (k, setting) in own.step.iter().chain(&own.grid).chain(&own.domain).enumerate() {
            // Doubled, except for the step, whose run would be unchanged.
            let wanted = 2.0 * setting.value;
            let turned = converge(&[&setting.set(wanted), "rig.travel=2 m"]).expect("sound");
            let all: Vec<_> = turned.step.iter().chain(&turned.grid).chain(&turned.domain).collect();
            let expected = if setting.path == "rig.travel" { 2.0 } else { wanted };
            assert_eq!((all[k].path.as_str(), all[k].value), (setting.path.as_str(), expected));
        }
        assert_eq!(own.grid[1].set(0.2), "terrain.move_every=1");
    }

    #[test]
    fn a_domain_that_is_no_number_is_reported() {
        // A path that does not exist, and one that leads to a word.
        for path in ["rig.travels", "rig.kind"] {
            let message = converge(&[&format!("converge.domain={path}")]).expect_err("no number");
            assert!(
                message.contains("names nothing that holds a number") && message.contains(path),
                "{message}"
            );
        }
    }
}
