//! Assessment of the requirements from the cases: PASS, FAIL or INCONCLUSIVE, conservative where the cases do not decide.
//!
//! A case that failed numerically, left the range of a model or could not be made counts as a failure when PASS is tested and as a success when FAIL is tested.

use crate::case::{Row, Status};
use crate::error::CampaignError;
use crate::plan::Plan;
use crate::stats::binomial::Rule;
use crate::store::Store;
use crate::study::{Chance, Requirement};
use serde::Serialize;
use std::collections::BTreeMap;

/// What is known about a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// It holds.
    Pass,
    /// It does not hold.
    Fail,
    /// The cases do not say.
    Inconclusive,
}

impl Verdict {
    /// As it is printed.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "PASS",
            Verdict::Fail => "FAIL",
            Verdict::Inconclusive => "INCONCLUSIVE",
        }
    }
}

/// What one case says about one requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Kept,
    Broken,
    Unknown,
}

/// Which quantity each requirement is about.
#[derive(Clone, Debug)]
pub(crate) struct Classifier {
    columns: Vec<(Requirement, usize)>,
}

impl Classifier {
    pub fn new(plan: &Plan) -> Classifier {
        let place = |r: &Requirement| plan.quantities.iter().position(|q| q.name == r.quantity);
        Classifier {
            columns: plan.requirements.iter().filter_map(|r| Some((r.clone(), place(r)?))).collect(),
        }
    }

    pub fn classes(&self, row: &Row) -> Vec<Class> {
        let class = |(r, k): &(Requirement, usize)| {
            let x = row.quantities.get(*k).copied().unwrap_or(f64::NAN);
            match row.status {
                Status::Ok if !x.is_nan() && r.bound.holds(x) => Class::Kept,
                Status::Ok if !x.is_nan() => Class::Broken,
                _ => Class::Unknown,
            }
        };
        self.columns.iter().map(class).collect()
    }

    /// Whether a case breaks any requirement.
    pub fn breaks(&self, row: &Row) -> bool {
        self.classes(row).contains(&Class::Broken)
    }
}

/// Counts of one requirement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Cases that keep it.
    pub kept: u64,
    /// Cases that break it.
    pub broken: u64,
    /// Cases that say nothing: failed, outside validity, or without this quantity.
    pub unknown: u64,
}

impl Counts {
    fn add(&mut self, class: Class) {
        match class {
            Class::Kept => self.kept += 1,
            Class::Broken => self.broken += 1,
            Class::Unknown => self.unknown += 1,
        }
    }

    /// All cases.
    pub fn total(&self) -> u64 {
        self.kept + self.broken + self.unknown
    }

    /// How many more cases like these decide: for PASS those without an answer count as broken, for FAIL as kept. None where it hangs on them.
    fn more(&self, rule: Rule, probability: f64, confidence: f64) -> Option<u64> {
        let n = self.total();
        let limit = probability * n as f64;
        let cautious = [self.kept, self.kept + self.unknown];
        match cautious.map(|kept| kept as f64) {
            [low, _] if low > limit => rule.more(cautious[0], n, probability, confidence),
            [_, high] if high < limit => rule.more(cautious[1], n, probability, confidence),
            _ => None,
        }
    }

    fn verdict(&self, chance: Chance, rule: Rule, complete: bool) -> Verdict {
        let n = self.total();
        match chance {
            Chance::EveryCase if self.broken > 0 => Verdict::Fail,
            Chance::EveryCase if complete && self.unknown == 0 && n > 0 => Verdict::Pass,
            Chance::EveryCase => Verdict::Inconclusive,
            Chance::Probability { probability, confidence } => {
                if rule.shows_above(self.kept, n, probability, confidence) {
                    Verdict::Pass
                } else if rule.shows_below(self.kept + self.unknown, n, probability, confidence) {
                    Verdict::Fail
                } else {
                    Verdict::Inconclusive
                }
            }
        }
    }
}

/// Follows requirements while cases come in any order; decides at fixed counts of the unbroken beginning.
#[derive(Clone, Debug)]
pub struct Tracker {
    classifier: Classifier,
    look_every: u64,
    cases: u64,
    next: u64,
    waiting: BTreeMap<u64, Vec<Class>>,
    counts: Vec<Counts>,
    decided: Vec<Option<Verdict>>,
    stop: Option<u64>,
}

impl Tracker {
    /// Before the first case.
    pub fn new(plan: &Plan) -> Tracker {
        let classifier = Classifier::new(plan);
        let n = classifier.columns.len();
        Tracker {
            classifier,
            look_every: plan.look_every.max(1),
            cases: plan.cases,
            next: 0,
            waiting: BTreeMap::new(),
            counts: vec![Counts::default(); n],
            decided: vec![None; n],
            stop: None,
        }
    }

    /// Takes a case.
    pub fn add(&mut self, row: &Row) {
        if row.index < self.next || self.counts.is_empty() {
            return;
        }
        self.waiting.insert(row.index, self.classifier.classes(row));
        while let Some(classes) = self.waiting.remove(&self.next) {
            self.counts.iter_mut().zip(classes).for_each(|(counts, class)| counts.add(class));
            self.next += 1;
            if self.next.is_multiple_of(self.look_every) || self.next == self.cases {
                self.look();
            }
        }
    }

    fn look(&mut self) {
        let complete = self.next == self.cases;
        for ((counts, decided), (r, _)) in
            self.counts.iter().zip(&mut self.decided).zip(&self.classifier.columns)
        {
            if decided.is_none() {
                let verdict = counts.verdict(r.chance, Rule::AnyTime, complete);
                *decided = (verdict != Verdict::Inconclusive).then_some(verdict);
            }
        }
        if self.stop.is_none() && self.decided.iter().all(Option::is_some) {
            self.stop = Some(self.next);
        }
    }

    /// Number of cases after which everything was decided.
    pub fn stops_at(&self) -> Option<u64> {
        self.stop
    }

    /// How many requirements are decided.
    pub fn decided(&self) -> usize {
        self.decided.iter().flatten().count()
    }

    /// How many there are.
    pub fn requirements(&self) -> usize {
        self.decided.len()
    }
}

/// What is known about a requirement.
#[derive(Clone, Debug, Serialize)]
pub struct Assessed {
    /// The requirement.
    pub requirement: Requirement,
    /// Unit of its quantity.
    pub unit: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Counts of cases.
    #[serde(flatten)]
    pub counts: Counts,
    /// Bounds of the probability, with the confidence, doubtful cases on the cautious side; none for "in every case".
    pub bounds: Option<[f64; 2]>,
    /// How they were found.
    pub rule: Rule,
    /// About how many more cases it takes, where it is inconclusive and that can be said.
    pub more: Option<u64>,
}

/// What a campaign says so far.
#[derive(Clone, Debug, Serialize)]
pub struct Assessment {
    /// Cases that were looked at: the unbroken beginning, up to the last look.
    pub cases: u64,
    /// Cases of the plan.
    pub planned: u64,
    /// Whether the campaign is finished.
    pub finished: bool,
    /// Requirements.
    pub requirements: Vec<Assessed>,
    /// Cases that failed numerically, left validity or were refused, by reason: status, reason, how many, the first.
    pub troubles: Vec<Trouble>,
}

/// Cases that said nothing for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Trouble {
    /// How they ended.
    pub status: String,
    /// Why.
    pub reason: String,
    /// How many.
    pub count: u64,
    /// The first of them.
    pub first: u64,
}

impl Assessment {
    /// The worst of all verdicts: FAIL, then INCONCLUSIVE.
    pub fn verdict(&self) -> Verdict {
        let any = |v: Verdict| self.requirements.iter().any(|r| r.verdict == v);
        match () {
            () if any(Verdict::Fail) => Verdict::Fail,
            () if any(Verdict::Inconclusive) => Verdict::Inconclusive,
            () => Verdict::Pass,
        }
    }
}

/// Assesses what is there. A finished campaign of a fixed count is judged by that count; all else by the rule that holds at any time, at the last look.
pub fn assess(store: &Store) -> Result<Assessment, CampaignError> {
    store.check_result()?;
    let plan = &store.planned.plan;
    let finished = store.finished()?;
    let classifier = Classifier::new(plan);
    let (mut now, mut at_look) = (vec![Counts::default(); classifier.columns.len()], Vec::new());
    let (mut seen, mut looked) = (0u64, 0u64);
    let mut troubles: BTreeMap<(Status, String), Trouble> = BTreeMap::new();
    store.prefix(&mut |row| {
        seen += 1;
        now.iter_mut().zip(classifier.classes(&row)).for_each(|(counts, class)| counts.add(class));
        if seen % plan.look_every == 0 {
            (looked, at_look) = (seen, now.clone());
        }
        if row.status != Status::Ok {
            let reason = kind_of(&row.reason);
            let new = Trouble {
                status: row.status.name().into(),
                reason: reason.clone(),
                count: 0,
                first: row.index,
            };
            troubles.entry((row.status, reason)).or_insert(new).count += 1;
        }
    })?;
    let complete = finished.is_some();
    let rule =
        if finished.as_ref().is_some_and(|f| !f.until_decided) { Rule::FixedCount } else { Rule::AnyTime };
    if complete {
        (looked, at_look) = (seen, now);
    }
    at_look.resize(classifier.columns.len(), Counts::default());
    let whole = complete && looked == plan.cases;
    let assessed = |((r, k), counts): (&(Requirement, usize), &Counts)| {
        let verdict = counts.verdict(r.chance, rule, whole);
        let (bounds, more) = match r.chance {
            Chance::EveryCase => (None, None),
            Chance::Probability { probability, confidence } => {
                let n = counts.total();
                let low = rule.bounds(counts.kept, n, confidence)[0];
                let high = rule.bounds(counts.kept + counts.unknown, n, confidence)[1];
                let more = (verdict == Verdict::Inconclusive)
                    .then(|| counts.more(rule, probability, confidence))
                    .flatten();
                (Some([low, high]), more)
            }
        };
        Assessed {
            requirement: r.clone(),
            unit: plan.quantities[*k].unit.clone(),
            verdict,
            counts: *counts,
            bounds,
            rule,
            more,
        }
    };
    let mut troubles: Vec<Trouble> = troubles.into_values().collect();
    troubles.sort_by_key(|t| (std::cmp::Reverse(t.count), t.first));
    Ok(Assessment {
        cases: looked,
        planned: plan.cases,
        finished: complete,
        requirements: classifier.columns.iter().zip(&at_look).map(assessed).collect(),
        troubles,
    })
}

/// A reason without its numbers, so that like cases are counted together.
pub(crate) fn kind_of(reason: &str) -> String {
    let mut out = String::new();
    let mut in_number = false;
    for c in reason.chars() {
        let digit = c.is_ascii_digit() || (in_number && matches!(c, '.' | 'e' | '-' | '+'));
        if digit && !in_number {
            out.push('…');
        }
        if !digit {
            out.push(c);
        }
        in_number = digit;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A case without an answer counts as broken when PASS is tested and as kept when FAIL is tested; it never decides anything itself.
    #[test]
    fn a_case_without_an_answer_counts_against_either_verdict() {
        let chance = Chance::Probability { probability: 0.5, confidence: 0.95 };
        let verdict = |kept, broken, unknown, chance: Chance| {
            Counts { kept, broken, unknown }.verdict(chance, Rule::FixedCount, true)
        };
        // Five of five show a half with 95 % (1/32), five of six do not (7/64), eight of nine do (10/512).
        assert_eq!(verdict(5, 0, 0, chance), Verdict::Pass);
        assert_eq!(verdict(5, 0, 1, chance), Verdict::Inconclusive);
        assert_eq!(verdict(8, 0, 1, chance), Verdict::Pass);
        assert_eq!(verdict(0, 5, 0, chance), Verdict::Fail);
        assert_eq!(verdict(0, 5, 1, chance), Verdict::Inconclusive);
        assert_eq!(verdict(0, 8, 1, chance), Verdict::Fail);
        assert_eq!(verdict(0, 0, 100, chance), Verdict::Inconclusive);
        assert_eq!(verdict(9, 0, 0, Chance::EveryCase), Verdict::Pass);
        assert_eq!(verdict(9, 0, 1, Chance::EveryCase), Verdict::Inconclusive);
        assert_eq!(verdict(9, 1, 1, Chance::EveryCase), Verdict::Fail);
    }

    /// More cases decide only where those without an answer leave it to the others.
    #[test]
    fn cases_without_an_answer_are_not_outnumbered_by_more_of_the_same() {
        let more = |kept, broken, unknown| Counts { kept, broken, unknown }.more(Rule::FixedCount, 0.9, 0.9);
        // 77 % keep it, or 100 %: on either side of 90 %, whatever the count.
        assert_eq!(more(77, 0, 23), None);
        // 95 % at least: the number of cases that shows 90 % with 19 of 20.
        let needed = more(19, 0, 1).expect("it can be shown");
        assert!(Rule::FixedCount.shows_above(19 * (20 + needed) / 20, 20 + needed, 0.9, 0.9) && needed > 0);
        // 80 % at most.
        assert!(more(6, 2, 2).is_some_and(|n| n > 0));
    }
}
