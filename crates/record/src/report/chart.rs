//! State charts: phases as boxes in a column, transitions as arrows beside them, with conditions and times.

use maud::{Markup, html};
use serde_json::Value;
use touchdown_sim::sink::STATE_CHART;

/// Sizes, in units of the picture.
const BOX: (f64, f64) = (190.0, 40.0);
const GAP: f64 = 22.0;
const LINE: f64 = 15.0;
/// Left edge of the boxes, which leaves room for arrows.
const LEFT: f64 = 90.0;
/// Distance of arrows from the boxes: the first, and the increment of each further one.
const ARROW: (f64, f64) = (16.0, 9.0);
/// Width of a letter of the labels.
const LETTER: f64 = 6.3;

/// A phase with its transitions.
struct State<'a> {
    name: &'a str,
    ends: &'a str,
    times: &'a str,
    /// Next phase, condition, times.
    ways: Vec<[&'a str; 3]>,
    top: f64,
}

impl State<'_> {
    fn height(&self) -> f64 {
        BOX.1.max(LINE * self.ways.len() as f64)
    }
}

/// The picture of a table that is a state chart; nothing for other tables.
pub(super) fn of(table: &Value) -> Markup {
    let columns = table["columns"].as_array().into_iter().flatten();
    if !columns.map(|column| column["name"].as_str().unwrap_or_default()).eq(STATE_CHART) {
        return html! {};
    }
    let mut states: Vec<State> = Vec::new();
    for row in table["rows"].as_array().into_iter().flatten() {
        let cell = |k: usize| row[k].as_str().unwrap_or_default();
        match (cell(2), states.last_mut()) {
            ("", _) => {
                let top = states.last().map_or(GAP, |last| last.top + last.height() + GAP);
                states.push(State { name: cell(0), ends: cell(1), times: cell(3), ways: Vec::new(), top });
            }
            (condition, Some(state)) => state.ways.push([cell(1), condition, cell(3)]),
            (_, None) => {}
        }
    }
    draw(&states, table["title"].as_str().unwrap_or_default())
}

fn label([next, condition, times]: &[&str; 3]) -> String {
    let taken = if times.is_empty() { String::new() } else { format!("  at {times}") };
    format!("→ {next}: {condition}{taken}")
}

fn draw(states: &[State], title: &str) -> Markup {
    let longest = states.iter().flat_map(|state| &state.ways).map(|way| label(way).chars().count()).max();
    let width = LEFT + BOX.0 + 24.0 + LETTER * longest.unwrap_or(0) as f64;
    let height = states.last().map_or(0.0, |last| last.top + last.height() + GAP);
    let mut arrows = Vec::new();
    for (k, state) in states.iter().enumerate() {
        for way in &state.ways {
            let to = states.iter().position(|other| other.name == way[0]);
            arrows.extend(to.map(|to| (path(states, (k, to), arrows.len()), !way[2].is_empty())));
        }
    }
    // A page can contain several charts.
    let tip = format!("tip-{}", title.replace(|c: char| !c.is_alphanumeric(), "-"));
    html! {
        div.scroll tabindex="0" {
            svg.chart viewBox=(format!("0 0 {width:.0} {height:.0}")) width=(format!("{width:.0}")) height=(format!("{height:.0}")) role="img" aria-label=(title) font-size="11" {
                defs { marker id=(tip) viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto" {
                    path d="M0,0 L8,4 L0,8 z" fill="currentColor" {}
                } }
                @for (d, taken) in &arrows {
                    path d=(d) fill="none" stroke="currentColor" stroke-width=(if *taken { "2" } else { "0.8" }) opacity=(if *taken { "1" } else { "0.5" }) marker-end=(format!("url(#{tip})")) {}
                }
                @for state in states {
                    rect x=(LEFT) y=(state.top) width=(BOX.0) height=(BOX.1) rx="5" fill="currentColor" fill-opacity=(if state.times.is_empty() { "0.03" } else { "0.14" }) stroke="currentColor" {}
                    text x=(LEFT + 8.0) y=(state.top + 16.0) fill="currentColor" font-weight="bold" {
                        (state.name) @if !state.ends.is_empty() { " (" (state.ends) ")" }
                    }
                    text x=(LEFT + 8.0) y=(state.top + 31.0) fill="currentColor" { (state.times) }
                    @for (w, way) in state.ways.iter().enumerate() {
                        text x=(LEFT + BOX.0 + 12.0) y=(state.top + 12.0 + LINE * w as f64) fill="currentColor" { (label(way)) }
                    }
                }
            }
        }
    }
}

/// From box to box: straight to the next, otherwise around the left of the boxes.
fn path(states: &[State], (from, to): (usize, usize), count: usize) -> String {
    let (a, b) = (&states[from], &states[to]);
    if to == from + 1 {
        let x = LEFT + 0.5 * BOX.0;
        return format!("M{x},{} L{x},{}", a.top + BOX.1, b.top);
    }
    let x = LEFT - (ARROW.0 + ARROW.1 * count as f64).min(LEFT - 6.0);
    let (y, end) = (a.top + 0.7 * BOX.1, b.top + 0.3 * BOX.1);
    format!("M{LEFT},{y} L{x},{y} L{x},{end} L{LEFT},{end}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Every phase is a box with its times, every transition an arrow that is bold if it was taken; other
    /// tables are no charts.
    #[test]
    fn phases_are_boxes_and_ways_arrows() {
        let column = |name: &str| json!({ "name": name, "unit": "1" });
        let columns: Vec<Value> = STATE_CHART.iter().map(|name| column(name)).collect();
        let rows = json!([
            ["out", "", "", "0.00 s"],
            ["out", "home", "a.x_m > 2", "3.00 s"],
            ["out", "lost", "after 8 s", ""],
            ["home", "done", "", "3.00 s"],
            ["lost", "aborted", "", ""],
        ]);
        let svg = of(&json!({ "title": "State chart of s", "columns": columns, "rows": rows })).into_string();
        assert_eq!((svg.matches("<rect").count(), svg.matches("marker-end").count()), (3, 2), "{svg}");
        assert_eq!(svg.matches("stroke-width=\"2\"").count(), 1);
        for words in ["→ home: a.x_m &gt; 2  at 3.00 s", "→ lost: after 8 s<", "lost (aborted)"] {
            assert!(svg.contains(words), "{words}: {svg}");
        }
        let other = json!({ "columns": [column("phase"), column("next")], "rows": rows });
        assert_eq!(of(&other).into_string(), "");
    }
}
