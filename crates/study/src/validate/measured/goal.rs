//! Goals of a data set ⇒ rows of the report, one for each group, each beside the zero guess and Wong & Reece.

use super::super::claim::ClaimKind;
use super::super::report::{Row, Verdict};
use super::super::text::number;
use super::errors::{Errors, Group};
use super::set::{GoalFile, Set};
use super::{Compared, Rule};

/// Name of a figure, and how it follows from the errors of a group.
type Figure = (&'static str, fn(&Errors) -> f64);

/// The figures that goals name.
const FIGURES: [Figure; 6] = [
    ("pull, RMS over load", |e| e.pull_rms),
    ("pull, worst row over load", |e| e.pull_worst),
    ("side force, RMS over load", |e| e.side_rms),
    ("torque, RMS over its maximum", |e| e.torque_rms),
    ("sinkage, median off by", |e| (e.sinkage_median - 1.0).abs()),
    ("sinkage, worst row off by", |e| e.sinkage_worst),
];

/// The rows of a set's goals.
pub(crate) fn goals(set: &Set, compared: &Compared) -> Vec<Row> {
    let mut rows = Vec::new();
    for goal in &set.goal {
        let [from, to] = goal.angles;
        let in_reach = |group: &&Group| !group.without_bound && (from..=to).contains(&group.slip_angle_deg);
        rows.extend(compared.groups.iter().filter(in_reach).map(|group| row(set, compared, goal, group)));
    }
    rows
}

fn row(set: &Set, compared: &Compared, goal: &GoalFile, group: &Group) -> Row {
    let figure = FIGURES.iter().find(|(name, _)| *name == goal.figure).map(|(_, figure)| figure);
    let of = |rule: usize| figure.map(|figure| figure(&group.errors[rule])).filter(|x| x.is_finite());
    let complete = group.errors.first().is_some_and(|errors| errors.rows == group.rows);
    let measured = of(0).filter(|_| complete);
    let inside = measured.is_some_and(|x| x <= goal.at_most);
    let known = goal.known.iter().find(|known| known.group == group.name);
    let (verdict, note) = match (measured, inside, known) {
        (None, _, Some(known)) => (Verdict::Differs, known.because.clone()),
        (None, ..) => {
            let reason =
                compared.parts.iter().flat_map(|part| &part.rows).find_map(|row| row.missing.first());
            let reason = reason.filter(|text| !text.is_empty()).cloned();
            (Verdict::Fail, reason.unwrap_or("a row gave no number".into()))
        }
        (_, true, Some(_)) => (Verdict::Fail, "listed as a known difference, but it agrees now".into()),
        (_, true, None) => (Verdict::Pass, String::new()),
        (_, false, Some(known)) => (Verdict::Differs, known.because.clone()),
        (_, false, None) => (Verdict::Fail, String::new()),
    };
    let beside = compared.rules.iter().enumerate().skip(1);
    let detail = beside.filter_map(|(k, rule)| Some((rule.name(), of(k)?))).collect();
    Row {
        topic: set.topic.clone(),
        line: 1,
        scenario: set.scenario.clone(),
        set: set.set.clone(),
        what: format!("{}, {}: {}", set.name, group.name, goal.figure),
        source: set.source.clone(),
        kind: ClaimKind::Measured,
        target: format!("≤ {}", number(goal.at_most)),
        tolerance: String::new(),
        why: format!("{} rows with slip ≥ −0.2; goal set beforehand for every set of data", group.rows),
        least: None,
        most: Some(goal.at_most),
        measured,
        shown: measured.map_or("no value".into(), number),
        unit: "1".into(),
        detail,
        verdict,
        note,
    }
}

impl Compared {
    /// Place of a rule among those compared.
    pub(super) fn place(&self, rule: Rule) -> Option<usize> {
        self.rules.iter().position(|known| *known == rule)
    }
}
