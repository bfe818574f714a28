//! Figures of the page: response curves and scatter, histograms with quantiles, bars of sensitivity.

use super::sections::number;
use super::table::{Table, chosen, input_names};
use crate::case::Status;
use crate::plan::Plan;
use crate::sampling::{Block, Sampling, saltelli_place};
use crate::stats::quantile::quantile;
use crate::stats::sensitivity::{Design, by_ranks};
use maud::{Markup, PreEscaped, html};
use touchdown_record::figures::{Bar, BarPart, Layer, Marks, Paper, Plot, Scale, bars_svg, plot_svg};

pub(super) const GOOD: [u8; 3] = [0x00, 0x9e, 0x73];
pub(super) const BAD: [u8; 3] = [0xd5, 0x5e, 0x00];
pub(super) const UNSURE: [u8; 3] = [0xe6, 0x9f, 0x00];
/// Colours that people with any kind of colour vision tell apart (Okabe & Ito, 2008).
const COLOURS: [[u8; 3]; 6] = [[0x00, 0x72, 0xb2], BAD, GOOD, [0xcc, 0x79, 0xa7], UNSURE, [0x56, 0xb4, 0xe9]];
/// Of values that are shown but not to be trusted.
const DOUBTED: [u8; 3] = [0x80, 0x80, 0x80];
/// Quantities shown.
const SHOWN: usize = 6;
const HEIGHT: f64 = 300.0;

pub(super) fn figure(caption: &str, plot: &Plot) -> Markup {
    html! { @if let Some(svg) = plot_svg(plot, Paper::Page) { figure { figcaption { (caption) } (PreEscaped(svg)) } } }
}

pub(super) fn unit(plan: &Plan, input: usize) -> String {
    plan.units.get(input).map(|unit| shown_unit(unit)).unwrap_or_default()
}

/// A plain number has none.
fn shown_unit(unit: &str) -> String {
    if unit == "1" { String::new() } else { unit.into() }
}

/// Inputs that are numbers and vary, with their values.
pub(super) fn numeric(table: &Table) -> Vec<(usize, Vec<f64>)> {
    let varies = |v: &Vec<f64>| v.iter().any(|x| *x != v[0]);
    (0..table.inputs.len())
        .filter_map(|k| Some((k, table.numbers(k)?)))
        .filter(|(_, v)| !v.is_empty() && varies(v))
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
    let doubted: Vec<[f64; 2]> = (0..x.len())
        .filter(|n| table.status[*n] != Status::Ok && table.quantities[k][*n].is_finite())
        .map(|n| [x[n], table.quantities[k][n]])
        .collect();
    if !doubted.is_empty() {
        let doubted = doubted.iter().step_by(doubted.len().div_ceil(DOTS)).copied().collect();
        layers.push(Layer {
            label: "outside the model's range".into(),
            colour: DOUBTED,
            marks: Marks::Dots(doubted),
        });
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
