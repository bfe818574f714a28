//! Legend of a raster of classes: which soil each class is.

use super::MapStageError;
use crate::ResponseTable;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Classes are stored as whole numbers up to this one.
const LAST_CLASS: usize = 255;

/// A soil for each class.
#[derive(Clone, Debug, PartialEq)]
pub struct Legend {
    /// Name and soil of each class.
    pub classes: BTreeMap<u8, (String, String)>,
}

#[derive(Deserialize)]
struct File {
    class: BTreeMap<String, Class>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Class {
    #[serde(default)]
    name: String,
    soil: String,
}

impl Legend {
    /// Reads a legend: `[class.N]` with `soil`, and a `name` for people.
    pub fn parse(text: &str, file: &str) -> Result<Legend, MapStageError> {
        let refuse = |what: String, allowed: &str| MapStageError::Legend {
            file: file.into(),
            what,
            allowed: allowed.into(),
        };
        let parsed: File = toml_edit::de::from_str(text).map_err(|error| {
            let what = error.to_string();
            refuse(what.trim().replace('\n', "; "), "tables [class.N] with soil = \"NAME\" and name = \"…\"")
        })?;
        let mut classes = BTreeMap::new();
        for (number, class) in parsed.class {
            let number: u8 = number
                .parse()
                .map_err(|_| refuse(format!("the class `{number}`"), "whole numbers from 0 to 255"))?;
            classes.insert(number, (class.name, class.soil));
        }
        if classes.is_empty() {
            return Err(refuse("no class".into(), "at least one table [class.N]"));
        }
        Ok(Legend { classes })
    }

    /// The soils that it names, each once, in the order of the classes.
    pub fn soils(&self) -> Vec<String> {
        let mut soils: Vec<String> = Vec::new();
        for (_, soil) in self.classes.values() {
            if !soils.contains(soil) {
                soils.push(soil.clone());
            }
        }
        soils
    }

    /// The number of each class's soil in a table.
    pub(super) fn numbers(
        &self,
        table: &ResponseTable,
        file: &str,
    ) -> Result<Vec<Option<u8>>, MapStageError> {
        let mut numbers = vec![None; LAST_CLASS + 1];
        for (class, (_, soil)) in &self.classes {
            let number = table.soils().iter().position(|name| name == soil);
            let number =
                number.and_then(|number| u8::try_from(number).ok()).ok_or_else(|| MapStageError::Legend {
                    file: file.into(),
                    what: format!("the soil `{soil}` of class {class}, for which there are no runs"),
                    allowed: table.soils().join(", "),
                })?;
            numbers[usize::from(*class)] = Some(number);
        }
        Ok(numbers)
    }
}
