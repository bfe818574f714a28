//! `touchdown compare`: what differs between runs in their inputs and quantities, and their curves over each other.

use super::args::CompareArgs;
use crate::failure::Failure;
use crate::output::{number, print, table};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use touchdown_record::figures::{COLOURS, Layer, Marks, Paper, Plot, Scale, plot_svg};
use touchdown_record::page::{is_ours, page};
use touchdown_record::{Series, read_series, write_file};

/// Curves drawn at most.
const MOST_CURVES: usize = 40;
/// Differences below this part of a value are those of rounding.
const ROUNDING: f64 = 1e-12;
/// Differences of more than ten times a value are not given in per cent.
const MOST_SHARE: f64 = 10.0;

/// A run as far as it is compared.
struct Run {
    name: String,
    inputs: BTreeMap<String, String>,
    quantities: Vec<(String, String, f64)>,
    series: Series,
}

/// Compares.
pub fn compare(args: &CompareArgs) -> Result<(), Failure> {
    let runs: Vec<Run> = args.runs.iter().map(|dir| read(dir)).collect::<Result<_, _>>()?;
    let inputs = different_inputs(&runs);
    let quantities = different_quantities(&runs);
    let path = args.out.clone().unwrap_or_else(|| "compare.html".into());
    let curves = different_curves(&runs);
    write_file(&path, render(&runs, &inputs, &quantities, &curves).as_bytes(), is_ours)?;
    if args.json {
        let values = |row: &Vec<Option<f64>>| row.iter().map(|v| serde_json::json!(v)).collect::<Vec<_>>();
        let value = serde_json::json!({
            "runs": runs.iter().map(|r| r.name.clone()).collect::<Vec<_>>(),
            "inputs": inputs.iter().map(|(k, v)| (k.clone(), serde_json::json!(v))).collect::<serde_json::Map<_, _>>(),
            "quantities": quantities.iter().map(|(k, _, v)| (k.clone(), serde_json::json!(values(v)))).collect::<serde_json::Map<_, _>>(),
            "curves": curves, "page": path.display().to_string(),
        });
        return print(&format!("{value:#}\n"));
    }
    let names: Vec<&str> = runs.iter().map(|r| r.name.as_str()).collect();
    let mut text = String::new();
    if inputs.is_empty() {
        text += "the inputs are the same\n";
    } else {
        let mut lines = table(&[&["input"], names.as_slice()].concat());
        inputs.iter().for_each(|(key, values)| {
            lines.add_row(std::iter::once(key.clone()).chain(values.iter().cloned()));
        });
        text += &format!("{lines}\n\n");
    }
    if quantities.is_empty() {
        text += "the quantities are the same\n";
    } else {
        let mut lines = table(&[&["quantity"], names.as_slice(), &["difference"]].concat());
        for (name, unit, values) in &quantities {
            let shown = values.iter().map(|v| v.map_or("–".into(), number));
            let difference = match (values.first().copied().flatten(), values.get(1).copied().flatten()) {
                (Some(a), Some(b)) => format!("{} {unit}{}", number(b - a), relative(a, b)),
                _ => "–".into(),
            };
            lines.add_row(std::iter::once(name.clone()).chain(shown).chain([difference]));
        }
        text += &format!("{lines}\n");
    }
    print(&format!("{text}{} curves differ: {}\n", curves.len(), path.display()))
}

/// A difference in per cent; none where the first value is so small that per cent say nothing.
fn relative(a: f64, b: f64) -> String {
    let share = (b - a) / a.abs();
    match share.abs() {
        size if size < ROUNDING => " (rounding)".into(),
        size if size < MOST_SHARE => format!(" ({:+.2} %)", 100.0 * share),
        _ => String::new(),
    }
}

fn read(dir: &Path) -> Result<Run, Failure> {
    let wrong = |what: String| Failure::BadInput {
        what,
        hint: Some("compare takes folders of runs that have ended".into()),
    };
    let file = |name: &str| {
        let path = dir.join(name);
        std::fs::read_to_string(&path).map_err(|e| wrong(format!("{}: {e}", path.display())))
    };
    let summary: Value = serde_json::from_str(&file("summary.json")?)
        .map_err(|e| wrong(format!("{}/summary.json: {e}", dir.display())))?;
    let mut inputs = BTreeMap::new();
    let mut section = String::new();
    for line in file("resolved.toml")?.lines().map(str::trim).filter(|l| !l.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            section = format!("{name}.");
        } else if let Some((key, value)) = line.split_once(" = ") {
            inputs.insert(format!("{section}{key}"), value.to_string());
        }
    }
    let quantities = summary["quantities"].as_object().into_iter().flatten().map(|(name, q)| {
        (
            name.clone(),
            q["unit"].as_str().filter(|unit| *unit != "1").unwrap_or("").to_string(),
            q["value"].as_f64().unwrap_or(f64::NAN),
        )
    });
    Ok(Run {
        name: dir.display().to_string(),
        inputs,
        quantities: quantities.collect(),
        series: read_series(dir)?,
    })
}

fn different_inputs(runs: &[Run]) -> Vec<(String, Vec<String>)> {
    let mut keys: Vec<&String> = runs.iter().flat_map(|r| r.inputs.keys()).collect();
    keys.sort();
    keys.dedup();
    let row = |key: &String| -> Vec<String> {
        runs.iter().map(|r| r.inputs.get(key).cloned().unwrap_or("–".into())).collect()
    };
    keys.into_iter()
        .map(|k| (k.clone(), row(k)))
        .filter(|(_, row)| row.iter().any(|v| *v != row[0]))
        .collect()
}

type Quantity = (String, String, Vec<Option<f64>>);

fn different_quantities(runs: &[Run]) -> Vec<Quantity> {
    let mut names: Vec<(String, String)> = Vec::new();
    for (name, unit, _) in runs.iter().flat_map(|r| &r.quantities) {
        if !names.iter().any(|(n, _)| n == name) {
            names.push((name.clone(), unit.clone()));
        }
    }
    let value = |r: &Run, name: &str| {
        r.quantities.iter().find(|q| q.0 == name).map(|q| q.2).filter(|x| x.is_finite())
    };
    let rows = names.into_iter().map(|(name, unit)| {
        let values: Vec<Option<f64>> = runs.iter().map(|r| value(r, &name)).collect();
        (name, unit, values)
    });
    rows.filter(|(_, _, v)| v.iter().any(|x| *x != v[0])).collect()
}

/// Names of columns that all runs have and that differ.
fn different_curves(runs: &[Run]) -> Vec<String> {
    let first = &runs[0].series;
    let in_all = |name: &str| runs.iter().all(|r| r.series.column(name).is_some());
    let differs = |name: &str| runs[1..].iter().any(|r| r.series.column(name) != first.column(name));
    let names =
        first.columns.iter().map(|c| c.name.as_str()).filter(|n| *n != "time_s" && in_all(n) && differs(n));
    names.map(str::to_string).collect()
}

fn render(
    runs: &[Run],
    inputs: &[(String, Vec<String>)],
    quantities: &[Quantity],
    curves: &[String],
) -> String {
    use maud::{PreEscaped, html};
    let drawn = curves.iter().take(MOST_CURVES).filter_map(|name| {
        let column = runs[0].series.columns.iter().find(|c| c.name == *name)?;
        let layers = runs.iter().enumerate().filter_map(|(k, r)| {
            let (t, y) = (r.series.column("time_s")?, r.series.column(name)?);
            let points = t.iter().zip(y).map(|(t, y)| [*t, *y]).collect();
            Some(Layer {
                label: r.name.clone(),
                colour: COLOURS[k % COLOURS.len()],
                marks: Marks::Line(points),
            })
        });
        let plot = Plot {
            title: name.clone(),
            x: Scale { label: "time".into(), unit: "s".into() },
            y: Scale { label: name.clone(), unit: column.unit.replace('1', "") },
            layers: layers.collect(),
            height: 240.0,
        };
        Some((name.clone(), column.about.clone(), plot_svg(&plot, Paper::Page)?))
    });
    let drawn: Vec<_> = drawn.collect();
    let body = html! {
        style { "main.compare { max-width: 60rem; } .compare table { width: auto; } .compare td, .compare th { padding-right: 1.5rem; } .compare figure svg { max-width: 100%; height: auto; } @media (max-width: 40rem) { .compare table { display: block; max-width: 100%; overflow-x: auto; } .compare figure { margin-inline: 0; } }" }
        main class="compare" {
            header { p.kicker { "touchdown · comparison" } h1 { "What differs" } }
            section {
                h2 { "Inputs" }
                @if inputs.is_empty() { p { "The same." } } @else { table {
                    thead { tr { th { "input" } @for r in runs { th { code { (r.name) } } } } }
                    tbody { @for (key, values) in inputs { tr { td { code { (key) } } @for v in values { td { (v) } } } } }
                } }
            }
            section {
                h2 { "Quantities" }
                @if quantities.is_empty() { p { "The same." } } @else { table {
                    thead { tr { th { "quantity" } th { "unit" } @for r in runs { th.number { code { (r.name) } } } } }
                    tbody { @for (name, unit, values) in quantities { tr {
                        td { code { (name) } } td { (unit) }
                        @for v in values { td.number { (v.map_or("–".into(), number)) } }
                    } } }
                } }
            }
            section {
                h2 { "Curves" }
                @if curves.len() > drawn.len() { p.note { (drawn.len()) " of " (curves.len()) " columns that differ." } }
                @for (name, about, svg) in &drawn { figure { figcaption { code { (name) } ": " (about) } (PreEscaped(svg)) } }
            }
        }
    };
    page("What differs · touchdown", &body, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn per_cent_are_given_where_they_say_something() {
        // Of nothing and of a residual near zero there are none; last digits are rounding.
        assert_eq!(relative(-20.0, -51.0), " (-155.00 %)");
        assert_eq!(relative(0.0, 1.0), "");
        assert_eq!(relative(1e-11, 0.15), "");
        assert_eq!(relative(0.3, 0.3 - 5.6e-17), " (rounding)");
    }
}
