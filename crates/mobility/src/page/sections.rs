//! The answer in words, full runs beside the map, the account of the ground, and lists.

use super::PageInput;
use crate::map::GroundAccount;
use crate::verify::{CheckedStretch, Why};
use maud::{Markup, html};
use touchdown_campaign::report::number;

/// What a reader wants to know first.
pub(super) fn answer(input: &PageInput) -> Markup {
    let ground = &input.layers.ground;
    let known = ground.cells - ground.unknown;
    let agree = input.checks.iter().filter(|check| check.slip_agrees()).count();
    let energy = input.checks.iter().filter(|check| check.energy_agrees()).count();
    html! {
        section {
            @if let Some(route) = input.route {
                p.outcome {
                    "The route is " (short(route.length_m)) " m long and costs " (kilojoules(route.energy_j)) " ("
                    (kilojoules(route.energy_interval_j[0])) " … " (kilojoules(route.energy_interval_j[1])) ") at a mean slip of "
                    (short(route.slip_mean)) "; the probability of getting stuck or tipping over on it is " (short(route.risk)) "."
                }
            }
            @if !input.checks.is_empty() {
                @if agree == input.checks.len() && energy == agree {
                    p { span class="flag good" { "✓ agrees" } " The full simulation agrees with the map on all " (agree) " stretches, in slip and energy." }
                } @else {
                    p {
                        span class="flag bad" { "✗ disagrees" }
                        " The full simulation agrees with the map's intervals on " (agree) " of " (input.checks.len()) " stretches in slip, on "
                        (energy) " in energy. See the table of full runs before you rely on the map."
                    }
                }
            }
            p {
                (share(known, ground.cells)) " of " (ground.cells) " cells are known ground. "
                (share(ground.steps, known)) " of it are steps that the rover does not climb, "
                (share(input.layers.steeper, known)) " is steeper than any slope that runs were made for (up to "
                (short(input.table.slope_max_deg())) "°): there the layers repeat the steepest runs, with a validity of 0."
            }
            @if !ground.cautions.is_empty() {
                ul.warnings { @for caution in &ground.cautions { li { (caution) } } }
            }
        }
    }
}

/// A number in three digits, or all that stand before the point.
pub(super) fn short(x: f64) -> String {
    let three: f64 = if x.abs() >= 100.0 { x.round() } else { format!("{x:.2e}").parse().unwrap_or(x) };
    number(three)
}

pub(super) fn kilojoules(joules: f64) -> String {
    format!("{} kJ", short(joules / 1000.0))
}

fn share(part: u64, of: u64) -> String {
    if of == 0 { "none".into() } else { format!("{} %", short(100.0 * part as f64 / of as f64)) }
}

/// What the map said, and what full runs found.
pub(super) fn checks(checks: &[CheckedStretch]) -> Markup {
    html! {
        @if !checks.is_empty() { section {
            h2 { "Map said, full simulation says" }
            p.note { "Stretches of the route on the relief of the map, driven along its waypoints. The scenario of each lies in the folder " code { "checks" } " and runs by itself." }
            div.scroll { table {
                thead { tr {
                    th { "stretch" } th { "why" } th.number { "from" } th.number { "to" }
                    th.number { "slip: map" } th.number { "full run" } th { "" }
                    th.number { "J/m: map" } th.number { "full run" } th { "" }
                    th.number { "P(stuck)" } th { "full run" }
                } }
                tbody { @for check in checks { (row(check)) } }
            } }
        } }
    }
}

fn row(check: &CheckedStretch) -> Markup {
    let why = match check.why {
        Why::Risk => "risk",
        Why::Uncertainty => "uncertainty",
        Why::Random => "drawn",
    };
    let interval = |[low, high]: [f64; 2]| format!("{} … {}", short(low), short(high));
    let flag = |agrees: bool| {
        let (class, word) = if agrees { ("flag good", "✓") } else { ("flag bad", "✗") };
        html! { span class=(class) { (word) } }
    };
    let said = &check.said;
    html! {
        tr {
            td { code { (check.name) } } td { (why) }
            td.number { (short(check.from_m)) " m" } td.number { (short(check.to_m)) " m" }
            td.number { (interval(said.slip_interval)) }
            @if let Some(found) = &check.found {
                td.number { (short(found.slip)) } td { (flag(check.slip_agrees())) }
                td.number { (interval(said.energy_interval_j_per_m)) }
                td.number { (found.energy_j_per_m.map_or("–".into(), number)) } td { (flag(check.energy_agrees())) }
                td.number { (short(said.p_stuck)) }
                td { @if found.stuck { "stuck" } @else if found.arrived { "arrived" } @else { "did not arrive in time" } }
            } @else {
                td {} td {} td.number { (interval(said.energy_interval_j_per_m)) } td {} td {}
                td.number { (short(said.p_stuck)) }
                td { "failed: " (check.failed.as_deref().unwrap_or_default()) }
            }
        }
    }
}

/// What was found in the map.
pub(super) fn ground(ground: &GroundAccount, steeper: u64) -> Markup {
    html! {
        section {
            h2 { "The ground" }
            div.scroll { table { tbody {
                @for (label, text) in ground.map.lines() { tr { td { (label) } td { (text) } } }
                tr { td { "unknown ground" } td { (ground.unknown) " cells: without data, or so near to the border or a hole that the rover's footprint reaches beyond" } }
                tr { td { "steps" } td { (ground.steps) " cells: impassable in every heading" } }
                tr { td { "too steep" } td { (steeper) " cells: steeper than any run" } }
            } } }
        }
    }
}

/// A list of sentences.
pub(super) fn statements(title: &str, list: &[String]) -> Markup {
    html! { @if !list.is_empty() { section { h2 { (title) } ul { @for text in list { li { (text) } } } } } }
}

/// A list of things and what is said of them.
pub(super) fn pairs(title: &str, note: &str, list: &[(String, String)]) -> Markup {
    html! {
        @if !list.is_empty() { section {
            h2 { (title) }
            @if !note.is_empty() { p.note { (note) } }
            div.scroll { table { tbody { @for (what, text) in list { tr { td { (what) } td { (text) } } } } } }
        } }
    }
}
