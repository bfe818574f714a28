//! How the question is answered: the quantity, conditions for yes, and texts with values in them. Names are
//! looked up here, units later, when the columns are known.

use super::study::presses_wheel;
use super::{Builder, Origin};
use crate::error::nearest;
use crate::read::Text;
use crate::report::{AnswerRule, Condition, Limit, Piece, Relation, Tolerance};
use crate::table::ReportKeys;
use crate::unit::{self, parse_quantity, parse_unit};
use touchdown_sim::description::{Quantity, Vehicle};
use touchdown_sim::vehicle_quantities;

/// Significant digits of values in texts, unless the file specifies others.
const DIGITS: usize = 4;
/// More digits than a number has.
const MOST_DIGITS: usize = 17;
/// Quantities of every run; the last six only of runs in soil.
const ALWAYS: [&str; 10] = [
    "energy_drift_relative",
    "constraint_residual_max",
    "total_mass_kg",
    "energy_residual_relative",
    "soil_volume_error_relative",
    "soil_volume_moved_m3",
    "soil_volume_compacted_m3",
    "heap_radius_m",
    "heap_height_m",
    "heap_steepness_relative",
];

/// Quantities of a wheel in a press that the report can name.
const OF_PRESS: [&str; 3] = ["branch", "bifurcation_deflection_m", "mesh_mass_kg"];

impl<'a> Builder<'a> {
    fn report_keys(&self) -> Option<&'a ReportKeys> {
        self.root.report.as_ref()?.keys.as_ref()
    }

    /// The answer section.
    pub(super) fn answer_rule(&mut self) -> AnswerRule {
        let Some(keys) = self.report_keys() else { return AnswerRule::default() };
        let conditions = keys.yes_if.as_deref().unwrap_or_default();
        for (i, text) in conditions.iter().enumerate() {
            self.remember_text(&format!("yes_if/{i}"), text);
        }
        for (key, text) in [("text", &keys.text), ("text_no", &keys.text_no)] {
            text.iter().for_each(|text| self.remember_text(key, text));
        }
        let yes_if = conditions.iter().filter_map(|text| self.condition(text)).collect();
        let mut words = |text: &Option<Text>| text.as_ref().map(|text| self.pieces(text)).unwrap_or_default();
        let (text, no) = (words(&keys.text), words(&keys.text_no));
        AnswerRule {
            quantity: keys.answer.as_ref().map(Text::to_string),
            yes_if,
            text_no: if no.is_empty() { text.clone() } else { no },
            text,
            reference_knobs: keys
                .reference_knobs
                .as_ref()
                .map(|list| list.iter().map(Text::to_string).collect()),
        }
    }

    fn remember_text(&mut self, key: &str, text: &Text) {
        let origin = Origin { loc: text.loc, path: text.path.clone() };
        self.origins.insert(format!("report.{key}"), origin);
    }

    /// `NAME > 0 m`, `NAME = OTHER ± 5 %`.
    fn condition(&mut self, text: &Text) -> Option<Condition> {
        let read = read_condition(text);
        if let Err(what) = &read {
            self.issues.at(text.loc, &text.path, what).found(format!("\"{text}\"")).hint(
                "a quantity, then <, <=, >, >= or =, then a value: \"margin_m > 0 m\", \"speed_m_per_s = 70 m/h ± 5 %\"",
            );
        }
        read.ok()
    }

    /// Text with `{NAME}`, `{NAME:unit}` and `{NAME:unit:digits}` in it.
    fn pieces(&mut self, text: &Text) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut rest: &str = text;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((field, after)) = after.split_once('}') else {
                self.issues.at(text.loc, &text.path, "has a { without its }");
                return pieces;
            };
            pieces.push(Piece::Text(before.into()));
            match read_field(field) {
                Ok(piece) => pieces.push(piece),
                Err(what) => {
                    self.issues
                        .at(text.loc, &text.path, what)
                        .found(format!("{{{field}}}"))
                        .hint("{NAME}, {NAME:mm} or {NAME:mm:3}");
                }
            }
            rest = after;
        }
        pieces.push(Piece::Text(rest.into()));
        pieces
    }

    /// The quantities of a study are known only after it has run; here only the form of the name is checked.
    pub fn check_answer_name(&mut self) {
        let Some(answer) = self.report_keys().and_then(|keys| keys.answer.as_ref()) else { return };
        if answer.is_empty() || !answer.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            self.issues
                .at(answer.loc, &answer.path, "is not the name of a quantity")
                .found(format!("\"{answer}\""))
                .hint("names have letters, digits and _");
        }
    }

    /// The answer must name quantities of the run; conditions and texts can also name knobs.
    pub fn check_report(&mut self, quantities: &[Quantity], vehicles: &[Vehicle], rule: &AnswerRule) {
        let Some(keys) = self.report_keys() else { return };
        let given = self.root.quantity.iter().map(|q| q.name.as_str());
        let of_vehicles = vehicle_quantities(vehicles);
        let made = quantities.iter().map(|q| &q.name).chain(&of_vehicles).map(String::as_str);
        let of_press: &[&str] = if presses_wheel(self.root) { &OF_PRESS } else { &[] };
        let names: Vec<&str> = given.chain(made).chain(ALWAYS).chain(of_press.iter().copied()).collect();
        // A rig whose run was shortened omits its answer, with a warning; one with a mistake has none.
        if self.root.rig.is_some() && (!self.warnings.is_empty() || self.rig().is_none()) {
            return;
        }
        if let Some(answer) = &keys.answer {
            self.check_named((answer, answer), &names, "a quantity");
        }
        let knobs = self.root.parameters.iter().map(|knob| knob.name.as_str()).chain(["duration_s"]);
        let both: Vec<&str> = names.iter().copied().chain(knobs).collect();
        for (text, condition) in keys.yes_if.iter().flatten().zip(&rule.yes_if) {
            self.check_named((text, &condition.quantity), &names, "a quantity");
            if let Limit::Named(_, name) = &condition.limit {
                self.check_named((text, name), &both, "a quantity or knob");
            }
        }
        for (text, pieces) in [(&keys.text, &rule.text), (&keys.text_no, &rule.text_no)] {
            let values = pieces.iter().filter_map(|piece| match piece {
                Piece::Value { name, .. } => Some(name),
                Piece::Text(_) => None,
            });
            for (text, name) in text.iter().flat_map(|text| values.clone().map(move |name| (text, name))) {
                self.check_named((text, name), &both, "a quantity or knob");
            }
        }
        let knobs: Vec<&str> =
            self.root.parameters.iter().map(|knob| knob.name.as_str()).chain(["duration_s"]).collect();
        for knob in keys.reference_knobs.iter().flatten() {
            self.check_named((knob, knob), &knobs, "a knob");
        }
    }

    fn check_named(&mut self, (text, name): (&Text, &str), names: &[&str], what: &str) {
        if names.contains(&name) {
            return;
        }
        let near = nearest(name, names.iter().copied());
        let issue = self
            .issues
            .at(text.loc, &text.path, format!("names {what} that does not exist"))
            .found(format!("\"{name}\""));
        issue.hint(near.map_or("add [quantity.NAME]".into(), |n| format!("did you mean \"{n}\"?")));
    }
}

fn read_condition(text: &str) -> Result<Condition, String> {
    let at = text.find(['<', '>', '=']).ok_or("has no comparison")?;
    let (quantity, rest) = (text[..at].trim(), &text[at..]);
    if !is_name(quantity) {
        return Err("does not begin with the name of a quantity".into());
    }
    let signs = rest.len() - rest.trim_start_matches(['<', '>', '=']).len();
    let (sign, rest) = (&rest[..signs], rest[signs..].trim());
    let (limit, tolerance) = match rest.split_once('±').or_else(|| rest.split_once("+-")) {
        Some((limit, tolerance)) => (limit.trim(), Some(tolerance.trim())),
        None => (rest, None),
    };
    let relation = match (sign, tolerance) {
        ("<", None) => Relation::Below,
        ("<=", None) => Relation::AtMost,
        (">", None) => Relation::Above,
        (">=", None) => Relation::AtLeast,
        ("=", Some(tolerance)) => Relation::Near(read_tolerance(tolerance)?),
        ("=", None) => return Err("needs ± and a tolerance after =".into()),
        _ => return Err("has a comparison that is none of <, <=, >, >=, =".into()),
    };
    Ok(Condition { quantity: quantity.into(), relation, limit: read_limit(limit)? })
}

fn read_tolerance(text: &str) -> Result<Tolerance, String> {
    let (amount, _) = parse_quantity(text).map_err(|_| "has a tolerance that cannot be read")?;
    if !(amount >= 0.0 && amount.is_finite()) {
        return Err("has a tolerance below zero".into());
    }
    Ok(if text.ends_with('%') { Tolerance::Part(amount) } else { Tolerance::Amount(amount) })
}

fn read_limit(text: &str) -> Result<Limit, String> {
    if is_name(text) {
        return Ok(Limit::Named(1.0, text.into()));
    }
    if let Some((factor, name)) = text.split_once('*') {
        let factor: f64 = factor.trim().parse().map_err(|_| "has a factor that is no number")?;
        let name = name.trim();
        return if is_name(name) {
            Ok(Limit::Named(factor, name.into()))
        } else {
            Err("has no name after *".into())
        };
    }
    let (value, _) = parse_quantity(text).map_err(|_| "has a value that cannot be read")?;
    Ok(Limit::Value(
        value,
        text.trim_start_matches(|c: char| !c.is_alphabetic() && c != '%' && c != '°').into(),
    ))
}

fn read_field(field: &str) -> Result<Piece, String> {
    let mut parts = field.split(':').map(str::trim);
    let name = parts.next().unwrap_or_default();
    if !is_name(name) {
        return Err("needs the name of a quantity or knob".into());
    }
    let unit = parts.next().unwrap_or_default();
    if let (false, Err(_)) = (unit.is_empty(), parse_unit(unit)) {
        let near =
            nearest(unit, unit::unit_names()).map_or(String::new(), |near| format!("; did you mean {near}?"));
        return Err(format!("has an unknown unit{near}"));
    }
    let digits = match parts.next() {
        None => DIGITS,
        Some(digits) => digits
            .parse()
            .ok()
            .filter(|n| (1..=MOST_DIGITS).contains(n))
            .ok_or("needs a number of digits from 1 to 17")?,
    };
    match parts.next() {
        None => Ok(Piece::Value { name: name.into(), unit: unit.into(), digits }),
        Some(_) => Err("has too many colons".into()),
    }
}

/// Names of quantities and knobs: letters first; `.` and `/` in those of machines.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || "_./-".contains(c))
}
