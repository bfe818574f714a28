//! The answer to a scenario's question: a verdict and a sentence from the results of a run.
//!
//! The verdict is yes or no if the file has conditions, a number if it has none, and undecided if the run
//! stopped early or a value is missing. Failed checks are part of the sentence, so that no answer is given
//! without its reservations.

use crate::error::Issues;
use crate::figures::printed;
use crate::report::{AnswerRule, Condition, Limit, Piece, Relation, Tolerance};
use crate::scenario::Scenario;
use crate::unit::{self, Exponents, parse_unit};
use touchdown_math::Elementary;
use touchdown_sim::sink::{Answer, Check, Column, NamedValue, Outcome, Verdict, find_column};
use touchdown_sim::vehicle_quantities;

/// Significant digits of an answer without a text of its own.
const DIGITS: usize = 4;
/// Number of failed checks that are named; further ones are counted.
const MOST_NAMED: usize = 3;

/// A value in the unit in which it was recorded.
struct Measured {
    value: f64,
    unit: String,
}

impl Measured {
    fn si(&self) -> f64 {
        parse_unit(&self.unit).map_or(self.value, |u| self.value * u.numerator / u.denominator)
    }
}

impl Scenario {
    /// Answers the question from the results of a run.
    pub fn answer(&self, outcome: &Outcome) -> Answer {
        let rule = &self.report.answer;
        let main = self.main_quantity(outcome);
        let (mut verdict, mut text) = self.judged(outcome, main);
        if !outcome.finished {
            let why = outcome.stopped_because.as_deref().unwrap_or("no reason is recorded");
            (verdict, text) =
                (Verdict::Undecided, format!("Undecided: the run stopped before its end: {why}"));
        } else if let Some(knob) = self.foreign_knob() {
            let start = format!("Undecided: the values compared with hold for {knob} as the file gives it");
            (verdict, text) =
                (Verdict::Undecided, format!("{start}. {}", self.in_words(&rule.text, outcome)));
        }
        let broken: Vec<&Check> = outcome.validity.iter().filter(|check| !check.holds()).collect();
        let text = sentence(&text) + &but(&broken, outcome.validity.len());
        Answer {
            quantity: main.map_or_else(|| rule.quantity.clone().unwrap_or_default(), |q| q.name.clone()),
            value: main.map_or(f64::NAN, |q| q.value),
            unit: main.map_or_else(String::new, |q| q.unit.clone()),
            verdict,
            text,
        }
    }

    /// The quantity that the file names, else the first one.
    fn main_quantity<'o>(&self, outcome: &'o Outcome) -> Option<&'o NamedValue> {
        let named = |name: &String| outcome.quantities.iter().find(|q| q.name == *name);
        match &self.report.answer.quantity {
            Some(name) => named(name),
            None if self.description.study.is_some() => outcome.quantities.first(),
            None => {
                let own = self.description.quantities.first().map(|q| q.name.clone());
                let of_vehicles = || vehicle_quantities(&self.description.vehicles).into_iter().next();
                own.or_else(of_vehicles).as_ref().and_then(named)
            }
        }
    }

    fn judged(&self, outcome: &Outcome, main: Option<&NamedValue>) -> (Verdict, String) {
        let rule = &self.report.answer;
        if rule.yes_if.is_empty() {
            return match main {
                None => (Verdict::Undecided, no_quantity(rule)),
                Some(q) if q.value.is_nan() => (Verdict::Undecided, no_value(&q.name, outcome)),
                Some(q) if rule.text.is_empty() => (Verdict::Number, plain_number(q)),
                Some(_) => (Verdict::Number, self.in_words(&rule.text, outcome)),
            };
        }
        let held: Vec<Option<bool>> = rule.yes_if.iter().map(|c| self.holds(c, outcome)).collect();
        if let Some(lost) = rule.yes_if.iter().zip(&held).find(|(_, held)| held.is_none()) {
            return (Verdict::Undecided, no_value(&lost.0.quantity, outcome));
        }
        let failed: Vec<&Condition> =
            rule.yes_if.iter().zip(&held).filter(|(_, held)| **held == Some(false)).map(|(c, _)| c).collect();
        let words = self.in_words(if failed.is_empty() { &rule.text } else { &rule.text_no }, outcome);
        // A quantity that the text of a no already mentions is not repeated as a number that is 0 or 1.
        let has_words = rule.text_no != rule.text;
        let is_said =
            |c: &Condition| self.measured(&c.quantity, outcome).is_some_and(|m| c.is_of_a_flag(m.value));
        let missed: Vec<String> =
            failed.iter().filter(|c| !(has_words && is_said(c))).map(|c| self.missed(c, outcome)).collect();
        let gap = if words.is_empty() || missed.is_empty() { "" } else { "; " };
        match failed.is_empty() {
            true if words.is_empty() => (Verdict::Yes, "Yes: all conditions hold".into()),
            true => (Verdict::Yes, format!("Yes: {words}")),
            false => (Verdict::No, format!("No: {words}{gap}{}", missed.join("; "))),
        }
    }

    /// Whether a condition holds; `None` if a value is missing.
    fn holds(&self, condition: &Condition, outcome: &Outcome) -> Option<bool> {
        let value = self.measured(&condition.quantity, outcome)?.si();
        let limit = match &condition.limit {
            Limit::Value(value, _) => *value,
            Limit::Named(factor, name) => factor * self.measured(name, outcome)?.si(),
        };
        if value.is_nan() || limit.is_nan() {
            return None;
        }
        Some(match condition.relation {
            Relation::Below => value < limit,
            Relation::AtMost => value <= limit,
            Relation::Above => value > limit,
            Relation::AtLeast => value >= limit,
            Relation::Near(Tolerance::Part(part)) => (value - limit).abs() <= part * limit.abs(),
            Relation::Near(Tolerance::Amount(amount)) => (value - limit).abs() <= amount,
        })
    }

    /// The requirement of a condition that does not hold.
    fn missed(&self, condition: &Condition, outcome: &Outcome) -> String {
        let Condition { quantity, relation, limit } = condition;
        let limit_unit = match limit {
            Limit::Value(_, unit) => unit.as_str(),
            Limit::Named(..) => "",
        };
        let found =
            self.measured(quantity, outcome).map_or("no value".into(), |m| shown(&m, limit_unit, DIGITS));
        let in_unit = |si: f64, unit: &str| {
            let factor = parse_unit(unit).map_or(1.0, |u| u.denominator / u.numerator);
            shown(&Measured { value: si * factor, unit: unit.into() }, "", DIGITS)
        };
        let (wanted, unit) = match limit {
            Limit::Value(value, unit) => (in_unit(*value, unit), unit.clone()),
            Limit::Named(factor, name) => match self.measured(name, outcome) {
                Some(m) => {
                    (shown(&Measured { value: factor * m.value, unit: m.unit.clone() }, "", DIGITS), m.unit)
                }
                None => (name.clone(), String::new()),
            },
        };
        let asked = match relation {
            Relation::Below => format!("must be below {wanted}"),
            Relation::AtMost => format!("must be at most {wanted}"),
            Relation::Above => format!("must be above {wanted}"),
            Relation::AtLeast => format!("must be at least {wanted}"),
            Relation::Near(Tolerance::Part(part)) => {
                format!("must be {wanted} ± {} %", number(100.0 * part, DIGITS))
            }
            Relation::Near(Tolerance::Amount(amount)) => {
                format!("must be {wanted} ± {}", in_unit(*amount, &unit))
            }
        };
        format!("{quantity} is {found}, {asked}")
    }

    fn in_words(&self, pieces: &[Piece], outcome: &Outcome) -> String {
        let word_of = |name: &str| outcome.words.iter().find(|w| w.name == name).map(|w| w.word.clone());
        let word = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Value { name, unit, digits } => match self.measured(name, outcome) {
                Some(measured) if measured.value.is_nan() => "no value".into(),
                Some(measured) => shown(&measured, unit, *digits),
                None => word_of(name).or_else(|| self.knob_as_text(name)).unwrap_or("no value".into()),
            },
        };
        pieces.iter().map(word).collect()
    }

    /// A quantity of the run, or a numeric knob.
    fn measured(&self, name: &str, outcome: &Outcome) -> Option<Measured> {
        if let Some(q) = outcome.quantities.iter().find(|q| q.name == name) {
            return Some(Measured { value: q.value, unit: q.unit.clone() });
        }
        let knob = self.parameters.iter().find(|knob| knob.name == name)?;
        // A list of one number counts as that number, for instance for joints that can have several.
        let number = knob.value.trim_start_matches('[').trim_end_matches(']');
        Some(Measured { value: number.parse().ok()?, unit: knob.unit.clone() })
    }

    fn knob_as_text(&self, name: &str) -> Option<String> {
        self.parameters.iter().find(|knob| knob.name == name).map(|knob| knob.value.clone())
    }

    /// A knob that was changed although the conditions compare with values of the unchanged file.
    fn foreign_knob(&self) -> Option<&str> {
        let allowed = self.report.answer.reference_knobs.as_ref()?;
        let turned = |knob: &&crate::Parameter| knob.value != knob.default && !allowed.contains(&knob.name);
        self.parameters.iter().find(turned).map(|knob| knob.name.as_str())
    }

    /// Compares units of conditions and texts with those of the columns behind their quantities.
    pub(crate) fn check_answer_units(&self, columns: &[Column], issues: &mut Issues) {
        let unit_of = |name: &str| -> Option<&str> {
            let quantity = self.description.quantities.iter().find(|q| q.name == name);
            match quantity {
                Some(quantity) => find_column(columns, &quantity.column).map(|k| columns[k].unit),
                None => self.parameters.iter().find(|knob| knob.name == name).map(|knob| knob.unit.as_str()),
            }
        };
        let mut fits = |key: String, name: &str, unit: &str| {
            let own = unit_of(name).and_then(|unit| parse_unit(unit).ok());
            let (Some(own), Ok(asked)) = (own, parse_unit(unit)) else { return };
            if own.exponents != asked.exponents {
                let origin = self.origin("report", &key);
                let [own, asked]: [Exponents; 2] = [own.exponents, asked.exponents];
                issues
                    .at(origin.loc, &origin.path, format!("compares {name} in a unit that is not its own"))
                    .found(unit::describe(asked))
                    .allowed(unit::describe(own));
            }
        };
        let rule = &self.report.answer;
        for (i, condition) in rule.yes_if.iter().enumerate() {
            if let Limit::Value(value, unit) = &condition.limit
                && (*value != 0.0 || !unit.is_empty())
            {
                fits(format!("yes_if/{i}"), &condition.quantity, unit);
            }
        }
        for (key, pieces) in [("text", &rule.text), ("text_no", &rule.text_no)] {
            for piece in pieces {
                if let Piece::Value { name, unit, .. } = piece
                    && !unit.is_empty()
                {
                    fits(key.into(), name, unit);
                }
            }
        }
    }
}

fn no_quantity(rule: &AnswerRule) -> String {
    match &rule.quantity {
        Some(name) => format!("Undecided: the run did not give {name}"),
        None => "The scenario names no quantity as its answer; see the quantities".into(),
    }
}

/// Why a quantity has no value, from the run's warnings.
fn no_value(name: &str, outcome: &Outcome) -> String {
    let about = format!("quantity \"{name}\" has no value: ");
    let why = outcome.warnings.iter().find_map(|warning| warning.strip_prefix(&about));
    format!("Undecided: {name} has no value{}", why.map_or(String::new(), |why| format!(", because {why}")))
}

fn plain_number(q: &NamedValue) -> String {
    let value = shown(&Measured { value: q.value, unit: q.unit.clone() }, "", DIGITS);
    if q.about.is_empty() { format!("{value} ({})", q.name) } else { format!("{value}: {}", q.about) }
}

/// Failed checks as the last part of an answer.
fn but(broken: &[&Check], all: usize) -> String {
    if broken.is_empty() {
        return String::new();
    }
    let check = |check: &&Check| {
        let show = |value: f64| shown(&Measured { value, unit: check.unit.clone() }, "", 3);
        let side = if check.at_most { "at most" } else { "at least" };
        format!("{} is {} (allowed: {side} {})", check.name, show(check.value), show(check.limit))
    };
    let named: Vec<String> = broken.iter().take(MOST_NAMED).map(check).collect();
    let more = match broken.len() - named.len() {
        0 => String::new(),
        n => format!("; and {n} more"),
    };
    let (number, verb) = (broken.len(), if broken.len() == 1 { "fails" } else { "fail" });
    format!(" But {number} of {all} validity checks {verb}: {}{more}.", named.join("; "))
}

/// A value with its unit, converted if another compatible unit is requested.
fn shown(measured: &Measured, unit: &str, digits: usize) -> String {
    let scaled = match (parse_unit(&measured.unit), parse_unit(unit)) {
        (Ok(own), Ok(asked)) if !unit.is_empty() && own.exponents == asked.exponents => {
            let factor = own.numerator * asked.denominator / (own.denominator * asked.numerator);
            Measured { value: measured.value * factor, unit: unit.into() }
        }
        _ => Measured { value: measured.value, unit: measured.unit.clone() },
    };
    let unit = printed(&scaled.unit);
    let gap = if unit.is_empty() || unit.starts_with('°') { "" } else { " " };
    format!("{}{gap}{unit}", number(scaled.value, digits))
}

/// A number with this many significant digits, without trailing zeros.
fn number(x: f64, digits: usize) -> String {
    let size = x.abs();
    if x == 0.0 || !x.is_finite() {
        return format!("{}", x.abs());
    }
    if size < 1e7 && x.fract() == 0.0 {
        return format!("{x}");
    }
    if !(1e-4..1e7).contains(&size) {
        return format!("{x:.*e}", digits.saturating_sub(1));
    }
    let decimals = (digits as i32 - 1 - size.decimal_log().floor() as i32).clamp(0, 12);
    let text = format!("{x:.*}", decimals as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// With a capital at the beginning and a full stop at the end.
fn sentence(text: &str) -> String {
    let mut chars = text.trim_end_matches('.').chars();
    let text: String = chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default();
    text + "."
}

#[cfg(test)]
mod tests;
