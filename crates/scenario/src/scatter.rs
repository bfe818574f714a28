//! Inputs of a scenario with known scatter: the parameters of the soils that it takes from the library.

use crate::scenario::Scenario;
use crate::soil::{Soil, SoilSpread, SoilValue, soils};
use crate::table::TerrainKeys;
use toml_edit::{Item, TableLike};

/// An input with scatter, and the settings that change it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scattered {
    /// The input, as printed: `dlr-simulant-a: friction_angle`.
    pub name: String,
    /// Its lower, nominal and upper value, as printed.
    pub values: [String; 3],
    /// Settings `PATH=VALUE` for the lower and for the upper value.
    pub settings: [Vec<String>; 2],
    /// Standard deviation of the input over half the difference of the two values.
    pub weight: f64,
    /// Definition and source of the two values.
    pub about: String,
}

impl Scattered {
    /// Standard deviation of a uniform distribution over its half-width: 1/√3. A range counts as uniform.
    pub const UNIFORM: f64 = 0.577_350_269_189_625_8;
}

impl Scenario {
    /// The scattering parameters of the soils that the scenario takes from the library, in file order.
    pub fn scattered(&self) -> Vec<Scattered> {
        let Ok(document) = self.resolved_toml.parse::<toml_edit::DocumentMut>() else { return Vec::new() };
        let mut places: Vec<(&'static Soil, Vec<String>)> = Vec::new();
        find(document.as_table(), "", &mut places);
        let mut all = Vec::new();
        for (soil, paths) in &places {
            all.extend(soil.spread.iter().filter_map(|spread| scattered(soil, spread, paths)));
        }
        all
    }
}

/// Every place in a table that names a soil of the library, soil by soil.
fn find(table: &dyn TableLike, path: &str, places: &mut Vec<(&'static Soil, Vec<String>)>) {
    for (key, item) in table.iter() {
        let here = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
        match item {
            Item::Value(toml_edit::Value::String(name)) if key == TerrainKeys::soil.name() => {
                // Knobs with that name are not searched: the values that they set are found here.
                let Some(soil) = soils().iter().find(|soil| soil.name == *name.value()) else { continue };
                match places.iter_mut().find(|place| place.0.name == soil.name) {
                    Some(place) => place.1.push(here),
                    None => places.push((soil, vec![here])),
                }
            }
            item => {
                if let Some(inner) = item.as_table_like() {
                    find(inner, &here, places);
                }
            }
        }
    }
}

fn scattered(soil: &Soil, spread: &SoilSpread, paths: &[String]) -> Option<Scattered> {
    let own = soil.values.iter().find(|value| value.key == spread.key)?;
    let (ends, weight, kind) = match (spread.sd, spread.range) {
        (Some(sd), _) => ([own.value - sd, own.value + sd], 1.0, "one standard deviation down and up"),
        (None, Some(range)) => (range, Scattered::UNIFORM, "smallest and largest value"),
        (None, None) => return None,
    };
    let from = match (spread.source.as_str(), spread.assumed.as_str()) {
        ("", "") => String::new(),
        ("", assumed) => format!("; assumed: {assumed}"),
        (source, _) => format!("; {source}"),
    };
    let written = |x: f64| written(own, x);
    let settings = ends.map(|x| {
        let table = format!("{{ use = \"{}\", {} = {} }}", soil.name, spread.key, quoted(&written(x)));
        paths.iter().map(|path| format!("{path}={table}")).collect()
    });
    Some(Scattered {
        name: format!("{}: {}", soil.name, spread.key),
        values: [written(ends[0]), written(own.value), written(ends[1])],
        settings,
        weight,
        about: format!("{kind}{from}"),
    })
}

/// A value as in a scenario file: angles in degrees, lengths in millimetres, moduli as plain numbers. Six
/// digits resolve every scatter.
fn written(of: &SoilValue, x: f64) -> String {
    let digits = |x: f64| {
        let rounded: f64 = format!("{x:.5e}").parse().unwrap_or(x);
        rounded.to_string()
    };
    match of.unit {
        "rad" => format!("{} deg", digits(x.to_degrees())),
        "m" => format!("{} mm", digits(1e3 * x)),
        "Pa" => format!("{} Pa", digits(x)),
        _ => digits(x),
    }
}

/// In quotes if it has a unit.
fn quoted(text: &str) -> String {
    if text.contains(' ') { format!("\"{text}\"") } else { text.to_string() }
}

#[cfg(test)]
mod tests {
    use crate::load;

    /// A wheel's soil has five scattering parameters; each setting makes a valid scenario in which only that
    /// parameter differs.
    #[test]
    fn the_scatter_of_a_soil_becomes_settings() {
        let own = load("single-wheel", &[]).expect("built in");
        let all = own.scattered();
        let names: Vec<&str> = all.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names.len(), 5, "{names:?}");
        assert_eq!(all[0].values, ["22.82 deg", "24.8 deg", "26.78 deg"]);
        let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
        for input in &all {
            for sets in &input.settings {
                let moved = load("single-wheel", sets).expect("sound");
                let key = input.name.split(' ').next_back().expect("a key");
                // The soil is now inline in the terrain; its parameters are those of the library, except one.
                let (before, after) = (lines(&own.resolved_toml), lines(&moved.resolved_toml));
                let changed: Vec<&String> =
                    after.iter().filter(|line| line.starts_with(key) && !before.contains(line)).collect();
                assert_eq!(changed.len(), 1, "{key}: {changed:?}");
            }
        }
    }

    /// Without a soil of the library no scatter is known.
    #[test]
    fn a_scenario_without_soil_has_no_scatter() {
        assert!(load("pendulum", &[]).expect("built in").scattered().is_empty());
    }
}
