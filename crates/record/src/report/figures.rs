//! Figures of a report: the data that the page's script draws, and their places on the page.

use super::{defaults, thin};
use crate::figure::ReportSpec;
use crate::figures::{Data, Paper, svg};
use crate::page::json_block;
use crate::series::{self, Series, SeriesColumn};
use crate::surface::read_surface;
use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};
use std::path::Path;
use touchdown_sim::figure::{Figure, FigureKind, Point, Points, Trace};

/// Approximate maximum number of points of a line: twice the resolution of a wide screen.
const MOST_POINTS: usize = 2000;
/// Column of the time.
const TIME: &str = "time_s";

/// Figures ready for the page.
pub(super) struct Drawn {
    figures: Vec<One>,
    /// Data of the page's script.
    data: Value,
    /// Whether the scenario names its figures.
    chosen: bool,
    /// Problems, in words.
    pub notes: Vec<String>,
}

/// One figure of the page, in the order of the page.
struct One {
    title: String,
    source: String,
    what: What,
    notes: Vec<String>,
}

enum What {
    /// Index in the data of the script, and a sentence for readers who cannot see the figure.
    Chart(usize, String),
    /// Markup that needs no script.
    Drawing(Markup),
    /// No data.
    Nothing,
}

/// Reads the data of the figures and thins them out.
pub(super) fn draw(dir: &Path, spec: &ReportSpec, columns: &Series) -> Drawn {
    let chosen = !spec.figures.is_empty();
    let defaults = if chosen { Vec::new() } else { defaults::figures(&columns.columns) };
    let wanted = if chosen { &spec.figures } else { &defaults };
    let needed: Vec<String> = wanted.iter().flat_map(columns_of).collect();
    let (series, notes) = series::salvage(dir, &|name| needed.iter().any(|needed| needed == name));
    let mut data = Vec::new();
    let figures = wanted.iter().map(|figure| one(dir, figure, &series, &mut data)).collect();
    let phases: Vec<Value> = spec
        .phases
        .iter()
        .filter(|phase| phase.from.is_finite() && phase.to > phase.from)
        .map(|phase| json!({ "label": phase.label, "from": phase.from, "to": phase.to }))
        .collect();
    Drawn { figures, data: json!({ "figures": data, "phases": phases }), chosen, notes }
}

pub(super) fn columns_of(figure: &Figure) -> Vec<String> {
    match &figure.kind {
        FigureKind::Lines { x, traces, .. } => {
            std::iter::once(x.clone()).chain(traces.iter().map(|trace| trace.column.clone())).collect()
        }
        FigureKind::SoilMap | FigureKind::SoilSection { .. } => Vec::new(),
        FigureKind::CaptureSections(sections) => sections.columns(),
    }
}

fn one(dir: &Path, figure: &Figure, series: &Series, data: &mut Vec<Value>) -> One {
    let mut notes = Vec::new();
    let what = match &figure.kind {
        FigureKind::Lines { .. } => match chart(figure, series, &mut notes) {
            Some((value, sentence)) => {
                data.push(value);
                What::Chart(data.len() - 1, sentence)
            }
            None => What::Nothing,
        },
        FigureKind::SoilMap | FigureKind::SoilSection { .. } => {
            let surface = read_surface(dir).unwrap_or_else(|error| {
                notes.push(format!("soil.parquet cannot be read ({}).", error.cause()));
                Vec::new()
            });
            let data = Data { series: &Series::default(), surface: &surface, phases: &[] };
            drawing(figure, &data, &mut notes)
        }
        FigureKind::CaptureSections(_) => {
            drawing(figure, &Data { series, surface: &[], phases: &[] }, &mut notes)
        }
    };
    One { title: figure.title.clone(), source: figure.source.clone(), what, notes }
}

/// Pictures are drawn here; the page's script does not change them.
fn drawing(figure: &Figure, data: &Data, notes: &mut Vec<String>) -> What {
    match svg(figure, data, Paper::Page) {
        // Every text in it has been escaped.
        Ok(text) => What::Drawing(PreEscaped(text)),
        Err(why) => {
            notes.push(format!("Not drawn: {why}."));
            What::Nothing
        }
    }
}

/// A chart's data, and a sentence that describes it.
fn chart(figure: &Figure, series: &Series, notes: &mut Vec<String>) -> Option<(Value, String)> {
    let FigureKind::Lines { x, x_label, x_unit, x_scale, y_label, y_unit, y_scale, traces, points } =
        &figure.kind
    else {
        return None;
    };
    let find = |name: &str| series.columns.iter().find(|c| c.name == name && !c.values.is_empty());
    let Some(across) = find(x) else {
        notes.push(format!("Not drawn: the series has no values of {x}."));
        return None;
    };
    let mut lines: Vec<(&Trace, &SeriesColumn)> = Vec::new();
    for trace in traces {
        match find(&trace.column) {
            Some(column) => lines.push((trace, column)),
            None => notes.push(format!("The series has no values of {}.", trace.column)),
        }
    }
    if lines.is_empty() {
        return None;
    }
    let time = x == TIME;
    let mut shape: Vec<&[f64]> = lines.iter().map(|(_, column)| column.values.as_slice()).collect();
    if !time {
        // For a line that reverses, peaks along the horizontal axis are kept as well.
        shape.push(&across.values);
    }
    let rows = thin::rows(&shape, MOST_POINTS);
    let pick = |values: &[f64], scale: f64| -> Vec<Value> {
        rows.iter().map(|row| rounded(values[*row] * scale)).collect()
    };
    let drawn: Vec<Value> = lines
        .iter()
        .map(|(trace, column)| {
            json!({
                "label": trace.label, "column": trace.column, "about": column.about, "measured": trace.measured,
                "values": pick(&column.values, *y_scale),
            })
        })
        .collect();
    let list = |labels: Vec<&str>| labels.join(", ");
    let labels = list(lines.iter().map(|(trace, _)| trace.label.as_str()).collect());
    let mut sentence = format!("{}: {y_label} against {x_label}; lines: {labels}", figure.title);
    if !points.is_empty() {
        let labels = list(points.iter().map(|points| points.label.as_str()).collect());
        sentence = format!("{sentence}; points: {labels}");
        notes.extend(sources(points));
    }
    let value = json!({
        "name": figure.name, "title": figure.title, "source": figure.source,
        "x": { "label": x_label, "unit": x_unit, "time": time, "values": pick(&across.values, *x_scale) },
        "y": { "label": y_label, "unit": y_unit, "lines": drawn },
        "points": points.iter().map(marks).collect::<Vec<_>>(),
    });
    Some((value, sentence))
}

/// Measured or published points for the page's script: marks with half the length of their error bars.
fn marks(points: &Points) -> Value {
    let all: Vec<Point> = points.each().collect();
    let values = |of: &dyn Fn(&Point) -> f64| -> Vec<Value> { all.iter().map(|p| rounded(of(p))).collect() };
    json!({
        "label": points.label, "source": points.source,
        "x": values(&|p| p.at[0]), "y": values(&|p| p.at[1]),
        "x_error": values(&|p| p.bars[0]), "y_error": values(&|p| p.bars[1]),
    })
}

/// Sources of the points of a figure, each once.
fn sources(sets: &[Points]) -> Vec<String> {
    let mut sources: Vec<String> = Vec::new();
    for set in sets.iter().filter(|set| !set.source.is_empty()) {
        let text = format!("Points: {}", set.source);
        if !sources.contains(&text) {
            sources.push(text);
        }
    }
    sources
}

/// Seven digits: more than a screen resolves, and half the size of the page. `null` where the value is not a
/// number.
fn rounded(x: f64) -> Value {
    if x.is_finite() {
        format!("{x:.6e}").parse::<f64>().map_or(Value::Null, Value::from)
    } else {
        Value::Null
    }
}

impl Drawn {
    /// The section of the page with the data behind it.
    pub fn section(&self) -> Markup {
        html! {
            section id="charts" {
                h2 { "Figures" }
                @if self.figures.is_empty() { p.absent { "There is nothing to draw." } }
                @else {
                    p.lead.screen {
                        @if !self.chosen { "The scenario defines no figures; these are the default ones. " }
                        "Drag to zoom, double-click to reset. Click an entry of the legend to hide its line; the legend shows the values at the cursor. A click on a chart against time moves the replay to that time."
                    }
                    noscript { p.flag.bad { "The charts need scripts, which are switched off." } }
                    div.figures { @for (n, figure) in self.figures.iter().enumerate() { (figure.markup(n + 1)) } }
                }
                (json_block("figures", &self.data))
            }
        }
    }
}

impl One {
    fn markup(&self, number: usize) -> Markup {
        html! {
            figure.chart id=(format!("figure-{number}")) {
                figcaption {
                    h3 { span.ordinal { "Figure " (number) } " " (self.title) }
                    @if !self.source.is_empty() { p.source { "after " (self.source) } }
                }
                @match &self.what {
                    What::Chart(index, sentence) => div.plot data-figure=(index) aria-label=(sentence) {},
                    What::Drawing(markup) => div.drawing.scroll { (markup) },
                    What::Nothing => {},
                }
                @for note in &self.notes { p.note { (note) } }
            }
        }
    }
}
