//! `[requirement.NAME]`: a bound on a quantity and the confidence with which it must hold; `[keep]`.

use super::Keep;
use super::items::{Keys, Spans, shown};
use super::mistakes::Mistakes;
use serde::{Deserialize, Serialize};
use toml_edit::Item;

/// What a quantity must be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Not above.
    AtMost(f64),
    /// Not below.
    AtLeast(f64),
    /// Between, ends included.
    Within([f64; 2]),
}

impl Bound {
    /// Whether a value keeps it; not a number does not.
    pub fn holds(self, x: f64) -> bool {
        match self {
            Bound::AtMost(limit) => x <= limit,
            Bound::AtLeast(limit) => x >= limit,
            Bound::Within([low, high]) => (low..=high).contains(&x),
        }
    }

    /// How far a value is inside; negative outside.
    pub fn margin(self, x: f64) -> f64 {
        match self {
            Bound::AtMost(limit) => limit - x,
            Bound::AtLeast(limit) => x - limit,
            Bound::Within([low, high]) => (x - low).min(high - x),
        }
    }

    /// In words.
    pub fn words(self) -> String {
        match self {
            Bound::AtMost(limit) => format!("at most {limit}"),
            Bound::AtLeast(limit) => format!("at least {limit}"),
            Bound::Within([low, high]) => format!("from {low} to {high}"),
        }
    }
}

/// How often it must hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Chance {
    /// In every planned case.
    EveryCase,
    /// With a probability, shown with a confidence.
    Probability {
        /// The probability.
        probability: f64,
        /// The confidence.
        confidence: f64,
    },
}

/// A requirement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Requirement {
    /// Its name.
    pub name: String,
    /// A quantity of the scenario.
    pub quantity: String,
    /// What it must be.
    pub bound: Bound,
    /// How often.
    pub chance: Chance,
}

pub(super) fn read(item: &Item, list: &mut Vec<Requirement>, spans: &mut Spans, mistakes: &mut Mistakes) {
    let Some(table) = item.as_table_like() else {
        mistakes.at(item.span(), "requirement", "must be tables [requirement.NAME]").found =
            Some(shown(item));
        return;
    };
    for (name, item) in table.iter() {
        let path = format!("requirement.{name}");
        let span = table.key(name).and_then(|k| k.span()).or(item.span());
        let Some(table) = item.as_table_like() else {
            mistakes.at(span, &path, "must be a table").found = Some(shown(item));
            continue;
        };
        let mut keys = Keys::new(table, &path, mistakes);
        let quantity = keys.text("quantity");
        let missing = quantity.is_none() && keys.is_missing("quantity");
        let [at_most, at_least] = ["at_most", "at_least"].map(|key| keys.number(key));
        let within = keys.numbers::<2>("within");
        let [probability, confidence] = ["probability", "confidence"].map(|key| keys.number(key));
        let every = keys.flag("in_every_case").unwrap_or(false);
        keys.note(spans, &["quantity", "probability"]);
        keys.finish();
        spans.insert(path.clone(), span.clone().unwrap_or(0..0));
        if missing {
            mistakes.at(span.clone(), &format!("{path}.quantity"), "is missing");
        }
        let bounds = [at_most.map(Bound::AtMost), at_least.map(Bound::AtLeast), within.map(Bound::Within)];
        let bounds: Vec<Bound> = bounds.into_iter().flatten().collect();
        if bounds.len() != 1 {
            let mistake = mistakes.at(span.clone(), &path, "must have one bound");
            mistake.allowed = Some("at_most, at_least, within".into());
        }
        if let Some([low, high]) = within.filter(|[low, high]| low > high) {
            mistakes.at(span.clone(), &format!("{path}.within"), format!("must rise, found {low} to {high}"));
        }
        let chance = chance(probability, confidence, every);
        if let Err(why) = &chance {
            mistakes.at(span.clone(), &path, *why).hint =
                Some("probability = 0.95 and confidence = 0.9, or in_every_case = true".into());
        }
        if let (Some(quantity), [bound], Ok(chance)) = (quantity, bounds.as_slice(), chance) {
            list.push(Requirement { name: name.into(), quantity, bound: *bound, chance });
        }
    }
}

fn chance(probability: Option<f64>, confidence: Option<f64>, every: bool) -> Result<Chance, &'static str> {
    let inside = |x: f64| x > 0.0 && x < 1.0;
    match (probability, confidence, every) {
        (None, None, _) => Ok(Chance::EveryCase),
        (Some(_), _, true) | (_, Some(_), true) => Err("asks for every case and for a probability"),
        (Some(p), Some(c), false) if inside(p) && inside(c) && c >= 0.5 => {
            Ok(Chance::Probability { probability: p, confidence: c })
        }
        (Some(_), Some(_), false) => {
            Err("needs a probability between 0 and 1 and a confidence from 0.5 to 1")
        }
        _ => Err("needs a probability and a confidence"),
    }
}

pub(super) fn keep(item: &Item, mistakes: &mut Mistakes) -> Keep {
    let Some(table) = item.as_table_like() else {
        mistakes.at(item.span(), "keep", "must be a table").found = Some(shown(item));
        return Keep::default();
    };
    let mut keys = Keys::new(table, "keep", mistakes);
    let [failures, worst, every] =
        ["failures", "worst", "every"].map(|key| keys.count(key, 0..=1_000_000).unwrap_or(0));
    keys.finish();
    Keep { failures, worst, every }
}
