//! Figures of the page: envelope map, response curves and scatter, histograms with quantiles, bars of sensitivity.

use super::sections::number;
use super::table::{Table, chosen, input_names};
use crate::case::Status;
use crate::plan::Plan;
use crate::sampling::{Block, Sampling, saltelli_place};
use crate::stats::binomial::Rule;
use crate::stats::quantile::quantile;
use crate::stats::sensitivity::{Design, by_ranks};
use maud::{Markup, PreEscaped, html};
use touchdown_record::figures::{Bar, BarPart, Layer, Marks, Paper, Plot, Scale, bars_svg, plot_svg};

const GOOD: [u8; 3] = [0x00, 0x9e, 0x73];
const BAD: [u8; 3] = [0xd5, 0x5e, 0x00];
const NONE: [u8; 3] = [0x7a, 0x7f, 0x87];
const UNSURE: [u8; 3] = [0xe6, 0x9f, 0x00];
/// Colours that people with any kind of colour vision tell apart (Okabe & Ito, 2008).
const COLOURS: [[u8; 3]; 6] = [[0x00, 0x72, 0xb2], BAD, GOOD, [0xcc, 0x79, 0xa7], UNSURE, [0x56, 0xb4, 0xe9]];
/// Quantities shown.
const SHOWN: usize = 6;
const HEIGHT: f64 = 300.0;

fn figure(caption: &str, plot: &Plot) -> Markup {
    html! { @if let Some(svg) = plot_svg(plot, Paper::Page) { figure { figcaption { (caption) } (PreEscaped(svg)) } } }
}

fn unit(plan: &Plan, input: usize) -> String {
    plan.units.get(input).map(|unit| shown_unit(unit)).unwrap_or_default()
}

/// A plain number has none.
fn shown_unit(unit: &str) -> String {
    if unit == "1" { String::new() } else { unit.into() }
}

/// Inputs that are numbers and vary, with their values.
fn numeric(table: &Table) -> Vec<(usize, Vec<f64>)> {
    let varies = |v: &Vec<f64>| v.iter().any(|x| *x != v[0]);
    (0..table.inputs.len())
        .filter_map(|k| Some((k, table.numbers(k)?)))
        .filter(|(_, v)| !v.is_empty() && varies(v))
        .collect()
}

/// A map of outcomes over the first two knobs, for each requirement: its name, what it shows, and the plot.
pub(super) fn maps(table: &Table, plan: &Plan) -> Vec<(String, String, Plot)> {
    let inputs = numeric(table);
    let [(i, x), (j, y), ..] = inputs.as_slice() else { return Vec::new() };
    let names = input_names(plan);
    let (sides_x, sides_y) = (cells(x), cells(y));
    let maps = plan.requirements.iter().filter_map(|r| {
        let k = plan.quantities.iter().position(|q| q.name == r.quantity)?;
        let outcome = |n: usize| match table.status[n] {
            Status::Ok if !table.quantities[k][n].is_nan() => Some(r.bound.holds(table.quantities[k][n])),
            _ => None,
        };
        let layers = map_layers((x, &sides_x), (y, &sides_y), &outcome);
        let plot = Plot {
            title: format!("{} over {} and {}", r.name, names[*i], names[*j]),
            x: Scale { label: names[*i].into(), unit: unit(plan, *i) },
            y: Scale { label: names[*j].into(), unit: unit(plan, *j) },
            layers,
            height: 420.0,
        };
        Some((r.name.clone(), format!("{}: {} {}", r.name, r.quantity, r.bound.words()), plot))
    });
    maps.collect()
}

/// The maps on the page.
pub(super) fn envelope(table: &Table, plan: &Plan) -> Markup {
    let maps = maps(table, plan);
    html! {
        @if !maps.is_empty() { section {
            h2 { "Envelope" }
            p.note { "Cells of the two first knobs, over all the others: kept or broken where the cases of a cell show which side of one half the share lies on (90 % each), open where they do not: there runs the boundary. Cells of a grid hold one case and show its outcome." }
            @for (_, caption, map) in &maps { (figure(caption, map)) }
        } }
    }
}

/// Edges of cells: around each value of a list, else equal parts, so many that a cell of the map holds some cases.
fn cells(values: &[f64]) -> Vec<f64> {
    /// Cases of a cell on average: four that agree show a side of one half with 90 %.
    const CASES: f64 = 8.0;
    let parts = ((values.len() as f64 / CASES).sqrt() as usize).clamp(4, 16);
    let mut distinct = values.to_vec();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    let (low, high) = (distinct[0], distinct[distinct.len() - 1]);
    if distinct.len() <= 60 && distinct.len() > 1 && distinct.len() * 2 <= values.len() {
        let between = distinct.windows(2).map(|w| 0.5 * (w[0] + w[1]));
        let first = low - 0.5 * (distinct[1] - low);
        let last = high + 0.5 * (high - distinct[distinct.len() - 2]);
        return std::iter::once(first).chain(between).chain([last]).collect();
    }
    (0..=parts).map(|k| low + (high - low) * k as f64 / parts as f64).collect()
}

fn cell_of(x: f64, edges: &[f64]) -> usize {
    edges.partition_point(|e| *e <= x).saturating_sub(1).min(edges.len() - 2)
}

fn map_layers(
    (x, ex): (&[f64], &[f64]),
    (y, ey): (&[f64], &[f64]),
    outcome: &dyn Fn(usize) -> Option<bool>,
) -> Vec<Layer> {
    let width = ex.len() - 1;
    let mut counts = vec![[0u64; 3]; width * (ey.len() - 1)];
    for n in 0..x.len() {
        let which = outcome(n).map_or(2, |kept| usize::from(!kept));
        counts[cell_of(y[n], ey) * width + cell_of(x[n], ex)][which] += 1;
    }
    let mut boxes: [Vec<[f64; 4]>; 4] = Default::default();
    for (at, [kept, broken, none]) in counts.iter().copied().enumerate() {
        let n = kept + broken;
        let (c, r) = (at % width, at / width);
        let shows = |s: u64| n == 1 && s == 1 || Rule::FixedCount.shows_above(s, n, 0.5, 0.9);
        let layer = match () {
            () if n + none == 0 => continue,
            () if n == 0 => 3,
            () if shows(kept) => 0,
            () if shows(broken) => 1,
            () => 2,
        };
        boxes[layer].push([ex[c], ey[r], ex[c + 1], ey[r + 1]]);
    }
    let kinds =
        [("kept", GOOD), ("broken", BAD), ("open: the boundary runs here", UNSURE), ("no answer", NONE)];
    let layers = kinds.into_iter().zip(boxes).filter(|(_, b)| !b.is_empty());
    layers
        .map(|((label, colour), boxes)| Layer { label: label.into(), colour, marks: Marks::Boxes(boxes) })
        .collect()
}

/// Each quantity against each knob: a curve where values are listed, else points and running means.
pub(super) fn responses(table: &Table, plan: &Plan) -> Markup {
    if table.rows() < 2 {
        return html! {};
    }
    let names = input_names(plan);
    let inputs = numeric(table);
    let word = (0..table.inputs.len()).find(|k| table.numbers(*k).is_none());
    let mut quantities = chosen(table, plan, if inputs.len() > 2 { 3 } else { SHOWN });
    quantities.retain(|k| table.varies(*k));
    html! {
        @if !inputs.is_empty() && !quantities.is_empty() { section {
            h2 { "Responses" }
            @for (at, k) in quantities.iter().enumerate() { details open[at == 0] {
                summary { code { (plan.quantities[*k].name) } ": " (plan.quantities[*k].about) }
                @for (i, x) in &inputs { (response(table, plan, *k, (*i, x), word, names[*i])) }
            } }
        } }
    }
}

fn response(
    table: &Table,
    plan: &Plan,
    k: usize,
    (i, x): (usize, &[f64]),
    word: Option<usize>,
    name: &str,
) -> Markup {
    /// Dots drawn at most.
    const DOTS: usize = 2000;
    let q = &plan.quantities[k];
    let groups: Vec<String> = match word {
        Some(w) => {
            let mut all: Vec<String> = Vec::new();
            table.inputs[w].iter().map(|v| v.written("")).for_each(|v| {
                if !all.contains(&v) {
                    all.push(v)
                }
            });
            all
        }
        None => vec![String::new()],
    };
    let listed = plan.sampling == Sampling::Grid;
    let mut layers = Vec::new();
    for (g, group) in groups.iter().enumerate() {
        let belongs = |n: &usize| word.is_none_or(|w| table.inputs[w][*n].written("") == *group);
        let points: Vec<[f64; 2]> = (0..x.len())
            .filter(belongs)
            .map(|n| [x[n], table.quantities[k][n]])
            .filter(|p| p[1].is_finite())
            .collect();
        let colour = COLOURS[g % COLOURS.len()];
        let means = means(&points, listed);
        if !listed || means.len() < points.len() {
            let thin = points.len().div_ceil(DOTS).max(1);
            let dots = points.iter().step_by(thin).copied().collect();
            let faint = colour.map(|c| 255 - (255 - c) / 2);
            layers.push(Layer { label: String::new(), colour: faint, marks: Marks::Dots(dots) });
        }
        layers.push(Layer { label: group.clone(), colour, marks: Marks::Line(means) });
    }
    let plot = Plot {
        title: format!("{} against {name}", q.name),
        x: Scale { label: name.into(), unit: unit(plan, i) },
        y: Scale { label: q.name.clone(), unit: shown_unit(&q.unit) },
        layers,
        height: HEIGHT,
    };
    let what = if listed { "" } else { "; the line is the mean over twentieths of the cases" };
    figure(&format!("{} against {name}{what}", q.name), &plot)
}

/// Means at each value of a list, or over twentieths of the cases in order of their input.
fn means(points: &[[f64; 2]], listed: bool) -> Vec<[f64; 2]> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mean = |group: &[[f64; 2]]| {
        let n = group.len() as f64;
        [group.iter().map(|p| p[0]).sum::<f64>() / n, group.iter().map(|p| p[1]).sum::<f64>() / n]
    };
    if listed {
        return sorted.chunk_by(|a, b| a[0] == b[0]).map(mean).collect();
    }
    sorted.chunks(sorted.len().div_ceil(20).max(1)).map(mean).collect()
}

/// Histograms and quantiles.
pub(super) fn distributions(table: &Table, plan: &Plan) -> Markup {
    if matches!(plan.sampling, Sampling::Grid) || table.rows() < 10 {
        return html! {};
    }
    html! { section {
        h2 { "Distributions" }
        @for k in chosen(table, plan, SHOWN) { (histogram(table, plan, k)) }
    } }
}

fn histogram(table: &Table, plan: &Plan, k: usize) -> Markup {
    let q = &plan.quantities[k];
    let mut values: Vec<f64> = table.quantities[k].iter().copied().filter(|x| x.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    let (Some(low), Some(high)) = (values.first().copied(), values.last().copied()) else { return html! {} };
    if high <= low {
        return html! { p { code { (q.name) } " is " (number(low)) " in all cases." } };
    }
    let bins = ((values.len() as f64).sqrt().ceil() as usize).clamp(6, 40);
    let mut counts = vec![0u32; bins];
    values
        .iter()
        .for_each(|x| counts[(((x - low) / (high - low) * bins as f64) as usize).min(bins - 1)] += 1);
    let edge = |b: usize| low + (high - low) * b as f64 / bins as f64;
    let boxes = counts.iter().enumerate().map(|(b, n)| [edge(b), 0.0, edge(b + 1), f64::from(*n)]).collect();
    let top = f64::from(counts.iter().copied().max().unwrap_or(1));
    let limits = plan.requirements.iter().filter(|r| r.quantity == q.name).flat_map(|r| match r.bound {
        crate::study::Bound::AtMost(x) | crate::study::Bound::AtLeast(x) => vec![x],
        crate::study::Bound::Within([a, b]) => vec![a, b],
    });
    let mut layers = vec![Layer { label: "cases".into(), colour: COLOURS[0], marks: Marks::Boxes(boxes) }];
    for x in limits.filter(|x| (low..=high).contains(x)) {
        layers.push(Layer {
            label: "limit".into(),
            colour: BAD,
            marks: Marks::Dashed(vec![[x, 0.0], [x, top]]),
        });
    }
    let plot = Plot {
        title: format!("Distribution of {}", q.name),
        x: Scale { label: q.name.clone(), unit: shown_unit(&q.unit) },
        y: Scale { label: "cases".into(), unit: String::new() },
        layers,
        height: 220.0,
    };
    let quantiles: Vec<_> =
        [0.01, 0.05, 0.5, 0.95, 0.99].into_iter().filter_map(|p| quantile(&values, p, 0.9)).collect();
    let end = |x: Option<f64>| x.map_or("open".into(), number);
    html! {
        (figure(&format!("{}: {}", q.name, q.about), &plot))
        table {
            thead { tr { th.number { "quantile" } th.number { "value" } th.number { "90 % interval" } } }
            tbody { @for x in &quantiles { tr {
                td.number { (100.0 * x.part) " %" }
                td.number { (number(x.value)) }
                td.number { (end(x.interval[0])) " … " (end(x.interval[1])) }
            } } }
        }
    }
}

/// Which knob drives which quantity.
pub(super) fn sensitivity(table: &Table, plan: &Plan) -> Markup {
    let inputs = numeric(table);
    if inputs.len() < 2 || table.rows() < 20 || plan.sampling == Sampling::Grid {
        return html! {};
    }
    let names = input_names(plan);
    html! { section {
        h2 { "Sensitivity" }
        @if plan.sampling == Sampling::Saltelli {
            p.note { "Sobol' indices: the upper bar is the share of the variance that goes if the knob is known, the lower one what stays if all others are known; lines are 95 % bootstrap intervals." }
        } @else {
            p.note { "The upper bar estimates the share of the variance that a knob explains by itself, from ranks (Gamboa et al. 2022); the lower one is Spearman's rank correlation: its direction." }
        }
        @for k in chosen(table, plan, SHOWN) {
            @let bars = if plan.sampling == Sampling::Saltelli { sobol(table, plan, k, &names) } else { ranked(table, k, &inputs, &names) };
            @if let Some(svg) = bars.and_then(|bars| bars_svg("index", "", &bars, Paper::Page)) {
                figure { figcaption { code { (plan.quantities[k].name) } } (PreEscaped(svg)) }
            }
        }
    } }
}

fn ranked(table: &Table, k: usize, inputs: &[(usize, Vec<f64>)], names: &[&str]) -> Option<Vec<Bar>> {
    let whole: Vec<usize> = (0..table.rows()).filter(|n| table.quantities[k][*n].is_finite()).collect();
    let y: Vec<f64> = whole.iter().map(|n| table.quantities[k][*n]).collect();
    if whole.len() < 20 || y.iter().all(|v| *v == y[0]) {
        return None;
    }
    let mut bars: Vec<Bar> = inputs
        .iter()
        .map(|(i, x)| {
            let x: Vec<f64> = whole.iter().map(|n| x[*n]).collect();
            let found = by_ranks(&x, &y);
            let part = |value: f64, colour| BarPart { value, interval: [f64::NAN; 2], colour };
            Bar {
                name: names[*i].into(),
                parts: vec![part(found.first, COLOURS[0]), part(found.spearman, UNSURE)],
            }
        })
        .collect();
    bars.sort_by(|a, b| b.parts[0].value.total_cmp(&a.parts[0].value));
    Some(bars)
}

fn sobol(table: &Table, plan: &Plan, k: usize, names: &[&str]) -> Option<Vec<Bar>> {
    let n = plan.vary.len() + usize::from(plan.table.is_some());
    let width = n + 2;
    let mut design = Design { mixed: vec![Vec::new(); n], ..Design::default() };
    // Rows of which every block has an answer.
    for row in table.quantities[k].chunks_exact(width).filter(|row| row.iter().all(|y| y.is_finite())) {
        for (at, y) in row.iter().enumerate() {
            match saltelli_place(at as u64, n).1 {
                Block::A => design.a.push(*y),
                Block::B => design.b.push(*y),
                Block::Mixed(i) => design.mixed[i].push(*y),
            }
        }
    }
    if design.a.len() < 8 || design.a.iter().all(|y| *y == design.a[0]) {
        return None;
    }
    let part = |index: crate::stats::sensitivity::Index, colour| BarPart {
        value: index.value,
        interval: index.interval,
        colour,
    };
    let mut bars: Vec<Bar> = design
        .indices()
        .into_iter()
        .zip(names)
        .map(|(s, name)| Bar {
            name: (*name).into(),
            parts: vec![part(s.first, COLOURS[0]), part(s.total, UNSURE)],
        })
        .collect();
    bars.sort_by(|a, b| b.parts[1].value.total_cmp(&a.parts[1].value));
    Some(bars)
}
