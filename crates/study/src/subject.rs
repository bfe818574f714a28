//! What a study of many runs is about: a quantity of a scenario, and its value with the scenario's own settings.

use crate::case::CaseError;
use touchdown_scenario::{Scenario, ScenarioErrors};
use touchdown_sim::Simulation;

/// Why a study has no subject.
#[derive(Debug, thiserror::Error)]
pub enum SubjectError {
    /// The scenario has mistakes.
    #[error("{0}")]
    Scenario(#[from] ScenarioErrors),
    /// No quantity was named, and the scenario has no answer.
    #[error("no quantity was named, and {scenario} has no answer of its own")]
    Unnamed {
        /// The scenario.
        scenario: String,
    },
    /// The scenario has no such quantity.
    #[error("{scenario} has no quantity {name}")]
    NoQuantity {
        /// The scenario.
        scenario: String,
        /// What was asked for.
        name: String,
        /// The nearest name, or why it is missing.
        hint: String,
    },
    /// A run did not reach its end.
    #[error("{settings}: {reason}")]
    Failed {
        /// Settings of that run.
        settings: String,
        /// Time, step and joint.
        reason: String,
    },
}

/// The quantity in question.
pub(crate) fn quantity(scenario: &Scenario, named: Option<&str>) -> Result<String, SubjectError> {
    let own = || scenario.converge.quantity.clone().or_else(|| scenario.report.answer.quantity.clone());
    let unnamed = || SubjectError::Unnamed { scenario: scenario.name.clone() };
    named.map(str::to_string).or_else(own).ok_or_else(unnamed)
}

/// Whether a run in time will have the quantity; studies without time are quick, and say so after their first run.
pub(crate) fn check_known(scenario: &Scenario, quantity: &str) -> Result<(), SubjectError> {
    if scenario.description.study.as_ref().is_some_and(|study| !study.takes_time()) {
        return Ok(());
    }
    let world = Simulation::build(&scenario.description).map_err(|errors| scenario.explain(&errors))?;
    let known = world.answers();
    if known.iter().any(|name| name == quantity) { Ok(()) } else { Err(unknown(scenario, quantity, &known)) }
}

/// Quantities that a hint lists.
const MOST_LISTED: usize = 6;

fn unknown(scenario: &Scenario, quantity: &str, known: &[String]) -> SubjectError {
    let left_out = scenario.warnings.iter().find(|w| w.starts_with(&format!("{quantity} is omitted")));
    let far = |name: &&String| strsim::damerau_levenshtein(name, quantity);
    // A third of the letters wrong is a slip of the finger; more is another word.
    let near =
        known.iter().min_by_key(far).filter(|name| far(name) <= 1 + name.len().max(quantity.len()) / 3);
    let hint = match (left_out, near) {
        (Some(why), _) => why.clone(),
        (None, Some(near)) => format!("did you mean {near}?"),
        (None, None) if known.is_empty() => "it has none".into(),
        (None, None) => {
            let more = if known.len() > MOST_LISTED { ", …" } else { "" };
            let first: Vec<&str> = known.iter().take(MOST_LISTED).map(String::as_str).collect();
            format!("it has {}{more}; touchdown show {} lists them", first.join(", "), scenario.name)
        }
    };
    SubjectError::NoQuantity { scenario: scenario.name.clone(), name: quantity.into(), hint }
}

/// The quantity at the scenario's own settings, and its unit.
pub(crate) fn own_value(
    name: &str,
    sets: &[String],
    scenario: &Scenario,
    quantity: &str,
) -> Result<(f64, String), SubjectError> {
    let failed =
        |reason: String| SubjectError::Failed { settings: "the scenario's own settings".into(), reason };
    let case = crate::validate::alone(|| crate::case::run_case(name, sets)).map_err(|error| match error {
        CaseError::Scenario(errors) => SubjectError::Scenario(errors),
        CaseError::Run(error) => failed(error.to_string()),
    })?;
    if let Some(reason) = case.outcome.stopped_because {
        return Err(failed(reason));
    }
    let all: Vec<_> = case.outcome.quantities.into_iter().chain(case.outcome.ledger).collect();
    let Some(found) = all.iter().find(|value| value.name == quantity) else {
        let known: Vec<String> = all.into_iter().map(|value| value.name).collect();
        return Err(unknown(scenario, quantity, &known));
    };
    if found.value.is_finite() {
        Ok((found.value, found.unit.clone()))
    } else {
        let hint = "at the scenario's own settings it has no value; touchdown run says why".into();
        Err(SubjectError::NoQuantity { scenario: scenario.name.clone(), name: quantity.into(), hint })
    }
}
