//! A claim as a file of `validation/` states it: what is measured, against which bound, and why that bound.

use super::measure::Measure;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// What a claim rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ClaimKind {
    /// A solution in closed form, or an integral to rounding.
    #[serde(rename = "exact form")]
    ExactForm,
    /// A solution by an integrator that the engine does not share.
    #[serde(rename = "reference solution")]
    ReferenceSolution,
    /// How fast errors fall when the step does.
    #[serde(rename = "order")]
    Order,
    /// Energy, momentum, volume of soil.
    #[serde(rename = "conservation")]
    Conservation,
    /// Numbers that a paper prints.
    #[serde(rename = "published table")]
    PublishedTable,
    /// What a paper says or shows in a figure, as a measurable statement.
    #[serde(rename = "published finding")]
    PublishedFinding,
    /// What follows from a number that the scenario is given: the chain from input to outcome works, and nothing more is shown.
    #[serde(rename = "set")]
    Set,
    /// Every row of a measurement, with its own error.
    #[serde(rename = "measured data")]
    Measured,
}

impl ClaimKind {
    /// All of them, in the order of the page.
    pub const ALL: [ClaimKind; 8] = [
        ClaimKind::ExactForm,
        ClaimKind::ReferenceSolution,
        ClaimKind::Order,
        ClaimKind::Conservation,
        ClaimKind::PublishedTable,
        ClaimKind::PublishedFinding,
        ClaimKind::Measured,
        ClaimKind::Set,
    ];

    /// As files and pages write it.
    pub fn name(self) -> &'static str {
        match self {
            ClaimKind::ExactForm => "exact form",
            ClaimKind::ReferenceSolution => "reference solution",
            ClaimKind::Order => "order",
            ClaimKind::Conservation => "conservation",
            ClaimKind::PublishedTable => "published table",
            ClaimKind::PublishedFinding => "published finding",
            ClaimKind::Measured => "measured data",
            ClaimKind::Set => "set",
        }
    }

    /// Whether it compares with what others found (validation) or with the model's own mathematics (verification).
    pub fn is_validation(self) -> bool {
        matches!(self, ClaimKind::PublishedTable | ClaimKind::PublishedFinding | ClaimKind::Measured)
    }
}

/// What is expected of a claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Expected {
    /// The measured value keeps the bound.
    #[default]
    Agrees,
    /// It is known not to; `because` says why. A row that begins to agree fails, so that the difference is not kept by mistake.
    Differs,
}

/// A claim.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    /// Built-in scenario.
    pub scenario: String,
    /// Its settings, `KEY=VALUE`.
    #[serde(default)]
    pub set: Vec<String>,
    /// The statement, in a sentence.
    pub what: String,
    /// Paper with figure, table or equation; book; or closed form.
    pub source: String,
    /// What it rests on.
    pub kind: ClaimKind,
    /// What is measured: (value − minus)/over.
    pub value: Term,
    /// Taken off the value.
    pub minus: Option<Term>,
    /// The value is divided by it.
    pub over: Option<Term>,
    /// Further settings, one after the other: the values are reduced to one by `take`.
    #[serde(default)]
    pub sweep: Vec<String>,
    /// How the values of a sweep become one.
    pub take: Option<Reduce>,
    /// The same statement for several settings, a row each.
    #[serde(default)]
    pub rows: Vec<Part>,
    /// Value to meet.
    pub target: Option<Term>,
    /// How far the measured value may lie from the target, in its unit.
    pub within: Option<f64>,
    /// The same as a part of the target.
    pub within_relative: Option<f64>,
    /// Least value.
    pub at_least: Option<f64>,
    /// Largest value.
    pub at_most: Option<f64>,
    /// Why the bound lies there.
    pub why: String,
    /// Whether the bound is kept.
    #[serde(default)]
    pub expected: Expected,
    /// Why it is not.
    #[serde(default)]
    pub because: String,
}

/// One of several rows of a claim.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part {
    /// What is special about it.
    pub label: String,
    /// Its settings, after those of the claim.
    #[serde(default)]
    pub set: Vec<String>,
    /// What is measured here, in place of the claim's.
    pub value: Option<Term>,
    /// Taken off it, in place of the claim's.
    pub minus: Option<Term>,
    /// Its own bound, in place of the claim's.
    pub target: Option<Term>,
    /// As in the claim.
    pub at_least: Option<f64>,
    /// As in the claim.
    pub at_most: Option<f64>,
}

/// How the values of a sweep become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Reduce {
    /// Smallest change from one value to the next: above zero if they rise.
    #[serde(rename = "least step")]
    LeastStep,
    /// Largest change from one value to the next: below zero if they fall.
    #[serde(rename = "largest step")]
    LargestStep,
    /// Largest of them.
    Max,
    /// Smallest of them.
    Min,
    /// Largest less smallest, over their mean.
    #[serde(rename = "relative spread")]
    RelativeSpread,
    /// The last change over that from first to last: small if they level off.
    #[serde(rename = "last share")]
    LastShare,
    /// Slope of log₂ of errors whose setting is halved from one to the next.
    #[serde(rename = "order")]
    Order,
}

/// A number that a row needs: given, read from a run, or a sum of such.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Term {
    /// Given.
    Number(f64),
    /// Read from a run.
    Reading(Reading),
    /// Sum.
    Sum(Vec<Term>),
}

/// What is read from a run.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reading {
    /// A quantity or an entry of the ledger.
    pub value: Option<String>,
    /// A column of the series, reduced by `take` over `from` to `to`.
    pub column: Option<String>,
    /// How; the last value if not given.
    #[serde(default)]
    pub take: Take,
    /// Beginning of the rows that count, s.
    pub from: Option<f64>,
    /// End of the rows that count, s.
    pub to: Option<f64>,
    /// Something that the program works out from the run or for it.
    pub measure: Option<Measure>,
    /// Settings of another run, after those of the row.
    #[serde(default)]
    pub set: Vec<String>,
}

/// How a column becomes a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Take {
    /// Its last value.
    #[default]
    End,
    /// Its first value.
    Begin,
    /// Largest.
    Max,
    /// Smallest.
    Min,
    /// Mean.
    Mean,
    /// Largest without its sign.
    Largest,
    /// Last less first.
    Change,
}

impl<'de> Deserialize<'de> for Term {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TermVisitor)
    }
}

/// Reads a term by what stands there, so that a mistake is reported as that of a table or a name, not of a choice.
struct TermVisitor;

impl<'de> Visitor<'de> for TermVisitor {
    type Value = Term;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "the name of a quantity, a number, {{ column or measure or value = … }}, or a list of these to be summed"
        )
    }

    fn visit_f64<E: de::Error>(self, x: f64) -> Result<Term, E> {
        Ok(Term::Number(x))
    }

    fn visit_i64<E: de::Error>(self, x: i64) -> Result<Term, E> {
        Ok(Term::Number(x as f64))
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Term, E> {
        Ok(Term::Reading(Reading { value: Some(name.into()), ..Reading::default() }))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Term, A::Error> {
        let mut terms = Vec::new();
        while let Some(term) = list.next_element()? {
            terms.push(term);
        }
        Ok(Term::Sum(terms))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Term, A::Error> {
        let reading = Reading::deserialize(MapAccessDeserializer::new(map))?;
        let named = [reading.value.is_some(), reading.column.is_some(), reading.measure.is_some()];
        if named.iter().filter(|n| **n).count() != 1 {
            return Err(de::Error::custom("give exactly one of value, column and measure"));
        }
        Ok(Term::Reading(reading))
    }
}
