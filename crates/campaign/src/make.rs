//! Study ⇒ plan: the study is compared with its scenario. Knobs, their ranges and the quantities asked for must exist.

use crate::case::{Answers, probe};
use crate::error::CampaignError;
use crate::marginal::{Setting, Vary};
use crate::plan::{AssumedInput, FORMAT, Input, Named, Plan, Planned};
use crate::study::{CaseTable, Mistakes, Study, meant, nearest};
use std::collections::BTreeSet;
use touchdown_record::Build;
use touchdown_scenario::table::{KeyKind, SCENARIO};
use touchdown_scenario::{Diagnostic, Scenario, load};

/// Makes the plan of a study.
pub fn make(study: &Study, version: &str, build: Build) -> Result<Planned, CampaignError> {
    let mut mistakes = Mistakes::new(&study.file, &study.text);
    let base = load(&study.scenario, &study.set)?;
    check_knobs(study, &base, &mut mistakes);
    if !mistakes.is_empty() {
        // The other mistakes, too, at the scenario as it is.
        if let Ok(answers) = probe(&study.scenario, &study.set) {
            check_answers(study, &answers, &mut mistakes);
        }
        return Err(mistakes.into_errors().into());
    }
    let draft = Plan {
        format: FORMAT,
        version: version.into(),
        build,
        title: study.title.clone(),
        scenario: study.scenario.clone(),
        scenario_title: base.title.clone(),
        set: study.set.clone(),
        inputs: inputs(&study.scenario, &study.set, &study.vary, study.table.as_ref())?,
        assumed: base
            .assumed
            .iter()
            .map(|a| AssumedInput {
                path: a.path.clone(),
                values: a.values.clone(),
                reason: a.reason.clone(),
            })
            .collect(),
        cases: study.cases,
        seed: study.seed,
        sampling: study.sampling,
        units: units(study, &base),
        vary: study.vary.clone(),
        correlated: study.correlated.clone(),
        table: study.table.clone(),
        requirements: study.requirements.clone(),
        quantities: Vec::new(),
        answer: None,
        columns: study.columns.clone(),
        checks: Vec::new(),
        keep: study.keep.clone(),
        look_every: study.look_every,
        warnings: base.warnings.clone(),
    };
    let draft = Planned::new(draft)?;
    let answers = probe(&study.scenario, &draft.sets(0))?;
    let mut plan = draft.plan;
    check_answers(study, &answers, &mut mistakes);
    if !mistakes.is_empty() {
        return Err(mistakes.into_errors().into());
    }
    let needed = |n: &Named| {
        study.answer.as_ref() == Some(&n.name) || study.requirements.iter().any(|r| r.quantity == n.name)
    };
    let wanted = |n: &&Named| match &study.quantities {
        Some(list) => list.contains(&n.name) || needed(n),
        None => answers.own.contains(&n.name) || needed(n),
    };
    plan.quantities = answers.all.iter().filter(wanted).cloned().collect();
    let of_columns = study.columns.iter().filter_map(|c| answers.columns.iter().find(|k| k.name == *c));
    plan.quantities.extend(of_columns.map(|c| Named {
        name: format!("{}@end", c.name),
        unit: c.unit.clone(),
        about: format!("{}, at the end", c.about),
    }));
    plan.answer = study.answer.clone().or(base.report.answer.quantity);
    plan.answer = plan.answer.filter(|name| plan.quantities.iter().any(|q| q.name == *name));
    plan.checks = answers.checks;
    Planned::new(plan)
}

/// What a study that could not be read whole has of other mistakes: in what was read of it, as far as its scenario can be made.
pub(crate) fn check(study: &Study, mistakes: &mut Mistakes) {
    if let Ok(base) = load(&study.scenario, &study.set) {
        check_knobs(study, &base, mistakes);
        if let Ok(answers) = probe(&study.scenario, &study.set) {
            check_answers(study, &answers, mistakes);
        }
    }
}

/// Every quantity and column that is asked for must be there.
fn check_answers(study: &Study, answers: &Answers, mistakes: &mut Mistakes) {
    let known: Vec<&str> = answers.all.iter().map(|n| n.name.as_str()).collect();
    let unknown = |name: &str, path: &str, mistakes: &mut Mistakes| {
        let mistake =
            mistakes.at(study.spans.get(path).cloned(), path, format!("the scenario has no quantity {name}"));
        mistake.hint = Some(meant(name, &known));
    };
    for name in study.quantities.iter().flatten().filter(|n| !known.contains(&n.as_str())) {
        unknown(name, "quantities", mistakes);
    }
    for name in study.answer.iter().filter(|n| !known.contains(&n.as_str())) {
        unknown(name, "answer", mistakes);
    }
    for r in study.requirements.iter().filter(|r| !known.contains(&r.quantity.as_str())) {
        unknown(&r.quantity, &format!("requirement.{}.quantity", r.name), mistakes);
    }
    for column in study.columns.iter().filter(|c| !answers.columns.iter().any(|k| k.name == **c)) {
        let hint = nearest(column, answers.columns.iter().map(|c| c.name.as_str()));
        mistakes
            .at(
                study.spans.get("columns").cloned(),
                "columns",
                format!("the scenario has no column {column}"),
            )
            .hint = Some(
            hint.map_or("touchdown show NAME --json lists them".into(), |h| format!("did you mean {h}?")),
        );
    }
}

/// Every value of a list and both ends of every distribution must be allowed.
fn check_knobs(study: &Study, base: &Scenario, mistakes: &mut Mistakes) {
    let of_table = study.table.iter().flat_map(|t| {
        t.knobs.iter().enumerate().map(|(k, knob)| {
            (knob.clone(), String::new(), ends(t.rows.iter().map(|row| row[k].clone()).collect()))
        })
    });
    let of_vary = study.vary.iter().map(|v| (v.name.clone(), v.unit.clone(), ends(v.extremes())));
    for (name, unit, values) in of_vary.chain(of_table) {
        let path = format!("vary.{name}");
        for value in values {
            let set = format!("{name}={}", value.written(&unit));
            let sets: Vec<String> = study.set.iter().cloned().chain([set]).collect();
            let Err(errors) = load(&study.scenario, &sets) else { continue };
            let Some(first) = errors.diagnostics.into_iter().next() else { continue };
            let knobs: Vec<&str> = base.parameters.iter().map(|p| p.name.as_str()).collect();
            report(first, (&name, &value), study.spans.get(&path).cloned(), &knobs, mistakes);
            // One message for each knob.
            break;
        }
    }
}

/// Lists of numbers are as good as their ends; words are each tried.
fn ends(values: Vec<Setting>) -> Vec<Setting> {
    let numbers: Vec<f64> = values.iter().filter_map(Setting::number).collect();
    if numbers.len() < values.len() {
        let mut seen = BTreeSet::new();
        return values.into_iter().filter(|v| seen.insert(v.written(""))).collect();
    }
    if numbers.len() < 3 {
        return values;
    }
    let fold = |f: fn(f64, f64) -> f64, from: f64| numbers.iter().copied().fold(from, f);
    vec![Setting::Number(fold(f64::min, f64::INFINITY)), Setting::Number(fold(f64::max, f64::NEG_INFINITY))]
}

fn report(
    found: Diagnostic,
    (name, value): (&str, &Setting),
    span: Option<std::ops::Range<usize>>,
    knobs: &[&str],
    mistakes: &mut Mistakes,
) {
    let is_unknown = found.what.contains("no knob") || found.what.contains("not a") || found.path.is_empty();
    let hint = found.hint.or_else(|| is_unknown.then(|| meant(name, knobs)));
    let shown = value.written("");
    let what =
        if found.path.is_empty() { found.what } else { format!("at {shown}: {} {}", found.path, found.what) };
    let mistake = mistakes.at(span, &format!("vary.{name}"), what);
    (mistake.found, mistake.allowed) = (found.found, found.allowed);
    let cut =
        matches!(value, Setting::Number(_)).then(|| "within = [LOW, HIGH] cuts a distribution".to_string());
    mistake.hint = hint.or(cut);
}

/// Every file that a case may read, with its hash: those of the scenario, and those that a word in place of another one brings (a soil, a machine).
pub(crate) fn inputs(
    scenario: &str,
    set: &[String],
    vary: &[Vary],
    table: Option<&CaseTable>,
) -> Result<Vec<Input>, CampaignError> {
    let mut words: BTreeSet<String> = BTreeSet::new();
    let of_vary =
        vary.iter().flat_map(|v| v.values().unwrap_or_default().iter().map(move |value| (&v.name, value)));
    let of_table = table.iter().flat_map(|t| t.rows.iter().flat_map(move |row| t.knobs.iter().zip(row)));
    for (name, value) in of_vary.chain(of_table).filter(|(_, value)| value.number().is_none()) {
        words.insert(format!("{name}={}", value.written("")));
    }
    let mut found = load(scenario, set)?.inputs;
    for word in words {
        let sets: Vec<String> = set.iter().cloned().chain([word]).collect();
        // A word that is a mistake has been reported, or is one only beside other values: its case is refused.
        for input in load(scenario, &sets).map(|s| s.inputs).unwrap_or_default() {
            if !found.contains(&input) {
                found.push(input);
            }
        }
    }
    Ok(found.into_iter().map(|(name, blake3)| Input { name, blake3 }).collect())
}

/// The unit of each knob that varies: its own, or the scenario's.
fn units(study: &Study, base: &Scenario) -> Vec<String> {
    let own = |name: &str| {
        let knob = base.parameters.iter().find(|p| p.name == name || p.path == name);
        knob.map_or_else(|| unit_of(name).to_string(), |p| p.unit.clone())
    };
    let of_vary = study.vary.iter().map(|v| if v.unit.is_empty() { own(&v.name) } else { v.unit.clone() });
    let of_table = study.table.iter().flat_map(|t| &t.knobs).map(|k| own(k));
    of_vary.chain(of_table).collect()
}

/// The unit that the key at the end of a dotted path names; empty for words and pure numbers.
fn unit_of(path: &str) -> &'static str {
    let (mut section, mut is_name, mut unit) = (Some(SCENARIO), false, "");
    for segment in path.split('.') {
        if std::mem::take(&mut is_name) {
            continue;
        }
        let Some((field, dim)) = section.and_then(|section| section.find(segment)) else { return "" };
        unit = dim.map_or("", |dim| dim.unit);
        section = field.kind.section();
        is_name = matches!(field.kind, KeyKind::Map(_));
    }
    unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_numbers_at_a_path_have_the_unit_that_its_key_names() {
        let all = [
            "terrain.cohesion_pa",
            "body.hub.mass_kg",
            "joint.slide.position_m",
            "spring.coil.damping_n_s_per_m",
        ];
        assert_eq!(all.map(unit_of), ["Pa", "kg", "m", "N s/m"]);
        assert_eq!(["terrain.exponent", "integrator.name", "body.mass_kg", "nothing"].map(unit_of), [""; 4]);
    }
}
