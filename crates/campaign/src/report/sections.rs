//! Tables and sentences of the page.

use super::table::{Table, chosen, input_names};
use crate::assess::{Assessed, Assessment, Verdict};
use crate::case::Status;
use crate::error::CampaignError;
use crate::kept::worst as worst_cases;
use crate::marginal::{Marginal, Setting, Vary};
use crate::plan::Plan;
use crate::sampling::Sampling;
use crate::stats::binomial::Rule;
use crate::store::Store;
use crate::study::Chance;
use maud::{Markup, html};
use touchdown_math::Elementary;

/// Knobs named beside an extreme value.
const NAMED: usize = 4;
/// Worst cases shown of each requirement.
const WORST: usize = 5;

/// A number with a few digits.
pub fn number(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    if !(1e-3..1e6).contains(&x.abs()) {
        return format!("{x:.3e}");
    }
    let digits = (4 - x.abs().decimal_log().floor() as i32).clamp(0, 8) as usize;
    let text = format!("{x:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// Three digits for a sentence, with a true minus.
fn rounded(x: f64) -> String {
    number(format!("{x:.2e}").parse().unwrap_or(x)).replacen('-', "\u{2212}", 1)
}

fn unit_of(unit: &str) -> String {
    if unit.is_empty() || unit == "1" { String::new() } else { format!(" {unit}") }
}

pub(super) fn answer(plan: &Plan, assessed: &Assessment, table: &Table) -> Markup {
    let [pass, fail, open] = [Verdict::Pass, Verdict::Fail, Verdict::Inconclusive]
        .map(|v| assessed.requirements.iter().filter(|r| r.verdict == v).count());
    html! {
        section {
            @if assessed.requirements.is_empty() {
                p.outcome { (extremes(plan, table)) }
                p { (assessed.cases) " cases" @if !assessed.finished { " so far, of " (assessed.planned) } (without_answer(assessed)) "." }
            } @else {
                p.outcome {
                    @if fail > 0 { (fail) " of " (assessed.requirements.len()) " requirements fail. " }
                    @if pass > 0 { (pass) " of " (assessed.requirements.len()) @if pass == 1 { " passes. " } @else { " pass. " } }
                    @if open > 0 { (open) " of " (assessed.requirements.len()) " cannot be decided with these cases." }
                }
                table {
                    thead { tr { th { "requirement" } th { "verdict" } th { "in words" } } }
                    tbody { @for r in &assessed.requirements { (requirement(r)) } }
                }
                p.note { (caution(plan)) }
            }
        }
    }
}

/// Where the first quantity is least and largest: what a campaign without requirements was run for.
fn extremes(plan: &Plan, table: &Table) -> Markup {
    let Some(k) = chosen(table, plan, 1).first().copied() else { return html! {} };
    let q = &plan.quantities[k];
    let trusted = |n: &usize| table.status[*n] == Status::Ok && table.quantities[k][*n].is_finite();
    let value = |n: usize| table.quantities[k][n];
    let order = |a: &usize, b: &usize| value(*a).total_cmp(&value(*b));
    let ends =
        ((0..table.rows()).filter(trusted).min_by(order), (0..table.rows()).filter(trusted).max_by(order));
    let (Some(least), Some(most)) = ends else { return html! {} };
    let names = input_names(plan);
    let place = |n: usize| -> String {
        let setting = |(name, values): (&&str, &Vec<Setting>)| {
            format!("{name} = {}", values[n].number().map_or(values[n].written(""), rounded))
        };
        names.iter().zip(&table.inputs).take(NAMED).map(setting).collect::<Vec<_>>().join(", ")
    };
    let end = |n: usize| format!("{}{} ({})", rounded(value(n)), unit_of(&q.unit), place(n));
    html! { code { (q.name) } " ranges from " (end(least)) " to " (end(most)) "." }
}

/// How many cases gave none.
fn without_answer(assessed: &Assessment) -> String {
    match assessed.troubles.iter().map(|t| t.count).sum::<u64>() {
        0 => String::new(),
        n => format!("; {n} of them failed or left the range of a model, and do not count here"),
    }
}

fn requirement(r: &Assessed) -> Markup {
    let (class, sign) = match r.verdict {
        Verdict::Pass => ("flag good", "✓ PASS"),
        Verdict::Fail => ("flag bad", "✗ FAIL"),
        Verdict::Inconclusive => ("flag unknown", "? INCONCLUSIVE"),
    };
    let c = r.counts;
    html! {
        tr {
            td { (r.requirement.name) }
            td { span class=(class) { (sign) } }
            td {
                code { (r.requirement.quantity) } " " (r.requirement.bound.words()) (unit_of(&r.unit))
                @if let Chance::Probability { probability, confidence } = r.requirement.chance {
                    " with a probability of " (number(100.0 * probability)) " %, shown with " (number(100.0 * confidence)) " % confidence. "
                } @else { " in every case. " }
                "Kept by " (c.kept) " of " (c.total()) " cases"
                @if c.unknown > 0 { "; " (c.unknown) " gave no answer" }
                ". "
                @if let Some([low, high]) = r.bounds {
                    "The probability is at least " (format!("{:.2}", 100.0 * low)) " % and at most " (format!("{:.2}", 100.0 * high)) " %"
                    @if r.rule == Rule::AnyTime { " (bounds that hold at any count)" } ". "
                }
                @if let Some(more) = r.more { "About " (more) " more cases are needed at this rate." }
                @else if r.verdict == Verdict::Inconclusive && c.unknown > 0 { "The verdict depends on the cases without an answer; more cases of this kind would not decide it." }
            }
        }
    }
}

/// What the numbers rest on.
fn caution(plan: &Plan) -> &'static str {
    match plan.sampling {
        Sampling::Random => {
            "Cases without an answer (failed numerically, or outside the range of a model) count against PASS and against FAIL."
        }
        Sampling::LatinHypercube | Sampling::Sobol => {
            "Cases without an answer count against PASS and against FAIL. Bounds are those of independent cases; these are spread more evenly, which as a rule makes the bounds wider than they need be."
        }
        Sampling::Grid | Sampling::Saltelli => {
            "These cases are a design, not a sample of what will happen: shares of them are no probabilities."
        }
    }
}

pub(super) fn worst(store: &Store) -> Result<Markup, CampaignError> {
    let plan = &store.planned.plan;
    let lists = worst_cases(store, WORST)?;
    let names = input_names(plan);
    let kept = |index: u64| {
        let folder = format!("runs/case-{index:06}/report.html");
        store.root().path_of(&folder).exists().then_some(folder)
    };
    Ok(html! {
        @if lists.iter().any(|(_, list)| !list.is_empty()) { section {
            h2 { "Worst cases" }
            @for ((name, list), r) in lists.iter().zip(&plan.requirements) {
                h3 { (name) ": " code { (r.quantity) } " " (r.bound.words()) }
                table {
                    thead { tr { th.number { "case" } th.number { "value" } @for name in &names { th { (name) } } th { "run" } } }
                    tbody { @for (index, x) in list { tr {
                        td.number { (index) }
                        td.number { (number(*x)) }
                        @for v in store.planned.inputs(*index) { td.number { (v.number().map_or(v.written(""), number)) } }
                        td {
                            @if let Some(path) = kept(*index) { a href=(path) { "replay" } }
                            @else { details { summary { "command" } code { (command(store, *index)) } } }
                        }
                    } } }
                }
            }
            p.note { "A command runs the case again; " code { "[keep] worst = 5" } " in the study keeps the runs." }
        } }
    })
}

/// The command that runs a case alone.
fn command(store: &Store, index: u64) -> String {
    let quoted = |text: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=+".contains(c);
        if text.chars().all(plain) { text.into() } else { format!("'{}'", text.replace('\'', "'\\''")) }
    };
    let sets = store.planned.sets(index);
    let sets: Vec<String> = sets.iter().map(|set| format!(" --set {}", quoted(set))).collect();
    format!("touchdown run {}{}", quoted(&store.planned.plan.scenario), sets.concat())
}

pub(super) fn troubles(assessed: &Assessment) -> Markup {
    html! {
        @if !assessed.troubles.is_empty() { section {
            h2 { "Cases without an answer" }
            table {
                thead { tr { th.number { "cases" } th { "status" } th { "reason" } th.number { "first" } } }
                tbody { @for t in &assessed.troubles { tr {
                    td.number { (t.count) } td { (t.status) } td { (t.reason) } td.number { (t.first) }
                } } }
            }
        } }
    }
}

pub(super) fn varied(plan: &Plan) -> Markup {
    html! {
        section {
            h2 { "What varied" }
            table {
                thead { tr { th { "knob" } th { "how" } th { "unit" } } }
                tbody { @for (v, unit) in plan.vary.iter().zip(&plan.units) { tr {
                    td { code { (v.name) } } td { (how(v)) } td { (unit) }
                } } }
            }
            @if let Some(table) = &plan.table { p { "And " (table.rows.len()) " rows of a table: " @for knob in &table.knobs { code { (knob) } " " } } }
            @for group in &plan.correlated {
                p { "Correlated: " @for m in &group.members { code { (plan.vary[*m].name) } " " } }
            }
            @if !plan.set.is_empty() { p { "In all cases: " @for set in &plan.set { code { (set) } " " } } }
        }
    }
}

fn how(v: &Vary) -> String {
    let cut = v.within.map_or(String::new(), |[a, b]| format!(", cut to {} … {}", number(a), number(b)));
    let text = match &v.how {
        Marginal::Values(list) => {
            let shown: Vec<String> =
                list.iter().take(12).map(|v| v.number().map_or(v.written(""), number)).collect();
            let more = if list.len() > 12 { format!(", … ({} values)", list.len()) } else { String::new() };
            format!("{}{more}", shown.join(", "))
        }
        Marginal::Uniform([a, b]) => format!("uniform from {} to {}", number(*a), number(*b)),
        Marginal::LogUniform([a, b]) => format!("logarithm uniform from {} to {}", number(*a), number(*b)),
        Marginal::Normal([m, s]) => format!("normal, mean {}, standard deviation {}", number(*m), number(*s)),
        Marginal::LogNormal([m, s]) => {
            format!("log-normal, median {}, standard deviation of the logarithm {}", number(*m), number(*s))
        }
        Marginal::Triangular([a, c, b]) => {
            format!("triangular from {} over {} to {}", number(*a), number(*c), number(*b))
        }
    };
    text + &cut
}

pub(super) fn assumed(plan: &Plan) -> Markup {
    html! {
        @if !plan.assumed.is_empty() { section {
            h2 { "Assumed inputs" }
            p { "Values of the scenario that were neither measured nor published." }
            details { summary { (plan.assumed.len()) " tables" } ul {
                @for a in &plan.assumed { li { code { (a.path) } ": " @if !a.values.is_empty() { (a.values) "; " } (a.reason) } }
            } }
        } }
    }
}

pub(super) fn provenance(store: &Store, assessed: &Assessment) -> Result<Markup, CampaignError> {
    let plan = &store.planned.plan;
    let finished = store.finished()?;
    Ok(html! {
        section {
            h2 { "Provenance" }
            table {
                tbody {
                    tr { td { "cases" } td { (assessed.cases) " of " (assessed.planned) ", " (plan.sampling.name()) ", seed " (plan.seed) } }
                    tr { td { "plan" } td { code { (store.planned.hash) } } }
                    @if let Some(f) = &finished { tr { td { "cases.parquet" } td { code { (f.cases_blake3) } } } }
                    tr { td { "program" } td { "touchdown " (plan.version) " " code { (plan.build.commit) } } }
                    @for input in &plan.inputs { tr { td { (input.name) } td { code { (input.blake3) } } } }
                }
            }
            p.note { "A case follows from the plan and its number alone: not from threads, shards, order or interruptions." }
        }
    })
}
