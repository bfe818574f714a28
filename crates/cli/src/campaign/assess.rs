//! `touchdown campaign assess`: verdicts on the requirements, in words and as an exit code.

use crate::failure::Failure;
use crate::output::{number, print, table};
use std::fmt::Write;
use std::path::Path;
use touchdown_campaign::stats::binomial::Rule;
use touchdown_campaign::{Assessed, Assessment, Chance, Store, Verdict};

/// Assesses what is there.
pub fn assess(dir: &Path, json: bool) -> Result<(), Failure> {
    let store = Store::open(dir)?;
    touchdown_campaign::try_finish(&store)?;
    let assessed = touchdown_campaign::assess(&store)?;
    if json {
        let mut value = serde_json::to_value(&assessed).map_err(|e| Failure::other(e.to_string()))?;
        value["verdict"] = assessed.verdict().name().into();
        print(&format!("{value:#}\n"))?;
    } else {
        print(&in_words(&assessed))?;
    }
    judged(&assessed, true)
}

/// The verdict as a failure, so that the exit code says it. After a run only `FAIL` does: an answer that needs more cases is no failure of the run.
pub fn judged(assessed: &Assessment, strict: bool) -> Result<(), Failure> {
    match assessed.verdict() {
        Verdict::Pass => Ok(()),
        Verdict::Fail => Err(Failure::Verdict { code: 1, what: "a requirement does not hold".into() }),
        Verdict::Inconclusive if strict => {
            Err(Failure::Verdict { code: 4, what: "the cases do not decide every requirement".into() })
        }
        Verdict::Inconclusive => Ok(()),
    }
}

/// For people.
pub fn in_words(assessed: &Assessment) -> String {
    let mut text = String::new();
    let so_far = if assessed.finished { "" } else { " so far (the unbroken beginning, up to the last look)" };
    let _ = writeln!(text, "{} of {} cases{so_far}", assessed.cases, assessed.planned);
    let mut rows = table(&["requirement", "verdict", "cases", "in words"]);
    for r in &assessed.requirements {
        let c = r.counts;
        let counts = match c.unknown {
            0 => format!("{} of {}", c.kept, c.total()),
            unknown => format!("{} of {}, {unknown} without an answer", c.kept, c.total()),
        };
        rows.add_row([r.requirement.name.as_str(), r.verdict.name(), &counts, &words(r)]);
    }
    if !assessed.requirements.is_empty() {
        let _ = writeln!(text, "{rows}");
    }
    for t in assessed.troubles.iter().take(10) {
        let _ = writeln!(text, "{} {}: {} (first: case {})", t.count, t.status, t.reason, t.first);
    }
    text
}

fn words(r: &Assessed) -> String {
    let unit = if r.unit == "1" { String::new() } else { format!(" {}", r.unit) };
    let what = format!("{} {}{unit}", r.requirement.quantity, r.requirement.bound.words());
    match (r.requirement.chance, r.bounds) {
        (Chance::Probability { probability, confidence }, Some([low, high])) => {
            let rule = if r.rule == Rule::AnyTime { ", holds at any count" } else { "" };
            let more = match r.more {
                Some(n) => format!("; about {n} more cases needed"),
                None if r.verdict == Verdict::Inconclusive && r.counts.unknown > 0 => {
                    "; the verdict depends on the cases without an answer".into()
                }
                None => String::new(),
            };
            format!(
                "{what} with {} %: between {} % and {} % ({} % confidence each{rule}){more}",
                number(100.0 * probability),
                percent(low),
                percent(high),
                number(100.0 * confidence)
            )
        }
        _ => format!("{what} in every case"),
    }
}

fn percent(x: f64) -> String {
    format!("{:.2}", 100.0 * x)
}
