//! Cases from a table, knobs that belong together, the posterior of an identification, and how many cases there are.

use super::items::{Keys, Spans, number, shown};
use super::mistakes::{Mistakes, meant};
use super::{CaseTable, Study};
use crate::marginal::{Correlated, Marginal, Setting, Vary, cholesky};
use crate::sampling::{MOST_DIMENSIONS, Sampling};
use std::path::Path;
use toml_edit::Item;
use touchdown_record::read_series;
use touchdown_scenario::{LARGEST_TABLE, read_text};

/// `[[correlated]]`: names and either one correlation or a matrix.
pub(super) fn correlated(item: &Item, vary: &[Vary], list: &mut Vec<Correlated>, mistakes: &mut Mistakes) {
    let Some(tables) = item.as_array_of_tables() else {
        mistakes.at(item.span(), "correlated", "must be tables [[correlated]]").found = Some(shown(item));
        return;
    };
    for table in tables.iter() {
        let span = table.span();
        let mut keys = Keys::new(table, "correlated", mistakes);
        let names = keys.texts("knobs").unwrap_or_default();
        let one = keys.number("correlation");
        let rows = keys.take("matrix").and_then(|item| {
            let rows: Option<Vec<Vec<f64>>> = item.as_array().and_then(|rows| {
                rows.iter().map(|row| row.as_array()?.iter().map(number).collect()).collect()
            });
            rows
        });
        keys.finish();
        let n = names.len();
        let uniform =
            |r: f64| (0..n).map(|i| (0..n).map(|j| if i == j { 1.0 } else { r }).collect()).collect();
        let matrix: Option<Vec<Vec<f64>>> = rows.or(one.map(uniform));
        let known: Vec<&str> = vary.iter().map(|v| v.name.as_str()).collect();
        let mut members = Vec::new();
        for name in &names {
            match known.iter().position(|k| k == name) {
                Some(_) if list.iter().any(|g: &Correlated| g.members.iter().any(|m| known[*m] == name)) => {
                    mistakes.at(span.clone(), "correlated.knobs", format!("{name} is in two groups"));
                }
                Some(k) if vary[k].values().is_some() => {
                    mistakes.at(
                        span.clone(),
                        "correlated.knobs",
                        format!("{name} is a list; only distributions can be correlated"),
                    );
                }
                Some(k) => members.push(k),
                None => {
                    mistakes.at(span.clone(), "correlated.knobs", format!("{name} does not vary")).hint =
                        Some(meant(name, &known));
                }
            }
        }
        let Some(matrix) = matrix.filter(|m| m.len() == n && m.iter().all(|row| row.len() == n)) else {
            let mistake =
                mistakes.at(span, "correlated", "needs a correlation, or a matrix with a row for each knob");
            mistake.hint = Some("correlation = 0.5, or matrix = [[1.0, 0.5], [0.5, 1.0]]".into());
            continue;
        };
        let symmetric = (0..n).all(|i| (0..=i).all(|j| matrix[i][j] == matrix[j][i] && matrix[i][i] == 1.0));
        match cholesky(&matrix).filter(|_| symmetric) {
            Some(factor) if members.len() == n => list.push(Correlated { members, factor }),
            Some(_) => {}
            None => {
                mistakes.at(
                    span,
                    "correlated.matrix",
                    "must be symmetric and positive definite with ones on its diagonal",
                );
            }
        }
    }
}

/// `[posterior]`: estimates, intervals and correlations of an identification become correlated normal distributions.
pub(super) fn posterior(
    item: &Item,
    folder: &Path,
    (vary, groups): (&mut Vec<Vary>, &mut Vec<Correlated>),
    spans: &mut Spans,
    mistakes: &mut Mistakes,
) {
    let Some(table) = item.as_table_like() else {
        mistakes.at(item.span(), "posterior", "must be a table").found = Some(shown(item));
        return;
    };
    let mut keys = Keys::new(table, "posterior", mistakes);
    let from = keys.text("from");
    let knobs: Vec<(String, String)> = keys
        .take("knobs")
        .and_then(Item::as_table_like)
        .map(|t| t.iter().filter_map(|(k, v)| Some((k.to_string(), v.as_str()?.to_string()))).collect())
        .unwrap_or_default();
    keys.finish();
    let span = item.span();
    let (Some(from), false) = (from, knobs.is_empty()) else {
        mistakes.at(span, "posterior", "needs from and knobs").hint =
            Some("from = \"runs/identify-NAME\", knobs = { KNOB = \"PARAMETER\" }".into());
        return;
    };
    let path = folder.join(&from).join("summary.json");
    let read = read_text(&path, LARGEST_TABLE).map_err(|e| e.to_string());
    let summary =
        read.and_then(|text| serde_json::from_str::<serde_json::Value>(&text).map_err(|e| e.to_string()));
    let summary = match summary {
        Ok(summary) => summary,
        Err(why) => {
            mistakes.at(span, "posterior.from", format!("{}: {why}", path.display()));
            return;
        }
    };
    let start = vary.len();
    for (knob, parameter) in &knobs {
        match estimate(&summary, parameter) {
            Some(normal) => {
                spans.insert(format!("vary.{knob}"), span.clone().unwrap_or(0..0));
                vary.push(Vary {
                    name: knob.clone(),
                    unit: String::new(),
                    how: Marginal::Normal(normal),
                    within: None,
                });
            }
            None => {
                mistakes.at(
                    span.clone(),
                    "posterior.knobs",
                    format!("{from} has no identifiable parameter {parameter}"),
                );
            }
        }
    }
    let names: Vec<&str> = knobs.iter().map(|(_, p)| p.as_str()).collect();
    let factor = correlations(&summary, &names).as_deref().and_then(cholesky);
    match factor {
        Some(factor) if vary.len() == start + knobs.len() => {
            groups.push(Correlated { members: (start..vary.len()).collect(), factor });
        }
        Some(_) => {}
        None => {
            mistakes.at(span, "posterior", "its correlations are not those of a distribution").hint =
                Some("leave out parameters of which only a combination is known".into());
        }
    }
}

/// Mean and standard deviation of a parameter, from its interval.
fn estimate(summary: &serde_json::Value, parameter: &str) -> Option<[f64; 2]> {
    let all = summary["quantities"].as_object()?;
    let value = all.get(parameter)?["value"].as_f64()?;
    let low = all.keys().find_map(|k| k.strip_prefix(&format!("{parameter}_ci"))?.strip_suffix("_low"))?;
    let end = |which: &str| all.get(&format!("{parameter}_ci{low}_{which}"))?["value"].as_f64();
    let z = crate::normal::normal_quantile(0.5 + low.parse::<f64>().ok()? / 200.0);
    Some([value, (end("high")? - end("low")?) / (2.0 * z)]).filter(|[_, s]| *s > 0.0)
}

fn correlations(summary: &serde_json::Value, names: &[&str]) -> Option<Vec<Vec<f64>>> {
    let table = summary["tables"].as_array()?.iter().rev().find(|t| {
        t["columns"].as_array().is_some_and(|c| names.iter().all(|n| c.iter().any(|c| c["name"] == **n)))
    })?;
    let columns = table["columns"].as_array()?;
    let rows = table["rows"].as_array()?;
    let place = |name: &str| columns.iter().position(|c| c["name"] == *name);
    let entry = |a: &str, b: &str| rows.iter().find(|r| r[0] == *a)?[place(b)?].as_f64();
    names
        .iter()
        .map(|a| names.iter().map(|b| if a == b { Some(1.0) } else { entry(a, b) }).collect())
        .collect()
}

/// `[table]`: cases of a CSV or Parquet file; its columns are knobs, or named by `columns = { KNOB = "COLUMN" }`.
pub(super) fn cases(
    item: &Item,
    folder: &Path,
    spans: &mut Spans,
    mistakes: &mut Mistakes,
) -> Option<CaseTable> {
    let span = item.span();
    let Some(table) = item.as_table_like() else {
        mistakes.at(span, "table", "must be a table").found = Some(shown(item));
        return None;
    };
    let mut keys = Keys::new(table, "table", mistakes);
    let file = keys.text("file");
    let chosen: Option<Vec<(String, String)>> = keys
        .take("columns")
        .and_then(Item::as_table_like)
        .map(|t| t.iter().filter_map(|(k, v)| Some((k.to_string(), v.as_str()?.to_string()))).collect());
    keys.note(spans, &["file"]);
    keys.finish();
    let Some(file) = file else {
        mistakes.at(span, "table.file", "is missing");
        return None;
    };
    let path = folder.join(&file);
    let read = if file.ends_with(".parquet") { parquet_rows(&path) } else { csv_rows(&path) };
    let (names, rows) = match read {
        Ok(read) => read,
        Err(why) => {
            mistakes.at(span, "table.file", why);
            return None;
        }
    };
    let chosen = chosen.unwrap_or_else(|| names.iter().map(|n| (n.clone(), n.clone())).collect());
    let mut places = Vec::new();
    for (knob, column) in &chosen {
        match names.iter().position(|n| n == column) {
            Some(k) => places.push(k),
            None => {
                let known: Vec<&str> = names.iter().map(String::as_str).collect();
                mistakes
                    .at(
                        span.clone(),
                        &format!("table.columns.{knob}"),
                        format!("{file} has no column {column}"),
                    )
                    .hint = Some(meant(column, &known));
            }
        }
        spans.insert(format!("vary.{knob}"), span.clone().unwrap_or(0..0));
    }
    if rows.is_empty() {
        mistakes.at(span, "table.file", format!("{file} has no rows"));
        return None;
    }
    let bytes = std::fs::read(&path).unwrap_or_default();
    Some(CaseTable {
        knobs: chosen.into_iter().map(|(knob, _)| knob).collect(),
        rows: rows.iter().map(|row| places.iter().map(|k| row[*k].clone()).collect()).collect(),
        blake3: blake3::hash(&bytes).to_hex().to_string(),
    })
}

type Rows = (Vec<String>, Vec<Vec<Setting>>);

fn csv_rows(path: &Path) -> Result<Rows, String> {
    let text = read_text(path, LARGEST_TABLE).map_err(|e| format!("{} {e}", path.display()))?;
    let mut lines = text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#'));
    let cells =
        |line: &str| line.split(',').map(|c| c.trim().trim_matches('"').to_string()).collect::<Vec<_>>();
    let names = cells(lines.next().ok_or("is empty")?);
    let setting = |cell: String| {
        cell.parse::<f64>().ok().filter(|x| x.is_finite()).map_or(Setting::Text(cell), Setting::Number)
    };
    let mut rows = Vec::new();
    for (n, line) in lines.enumerate() {
        let row: Vec<Setting> = cells(line).into_iter().map(setting).collect();
        if row.len() != names.len() {
            return Err(format!(
                "{}: row {} has {} cells, the heading {}",
                path.display(),
                n + 1,
                row.len(),
                names.len()
            ));
        }
        rows.push(row);
    }
    Ok((names, rows))
}

fn parquet_rows(path: &Path) -> Result<Rows, String> {
    let series = read_series(path).map_err(|e| e.to_string())?;
    let rows =
        (0..series.rows()).map(|k| series.columns.iter().map(|c| Setting::Number(c.values[k])).collect());
    Ok((series.columns.iter().map(|c| c.name.clone()).collect(), rows.collect()))
}

/// How many cases there are, and whether that fits what varies.
pub(super) fn counted(mut study: Study, samples: Option<u64>, mistakes: &mut Mistakes) -> Study {
    let span = |key: &str| study.spans.get(key).cloned();
    let dimensions = study.vary.len() + usize::from(study.table.is_some());
    if dimensions == 0 && mistakes.is_empty() {
        mistakes.at(None, "vary", "nothing varies").hint =
            Some("[vary]\nKNOB = { uniform = [0.0, 1.0] }".into());
    }
    let needed = if study.sampling == Sampling::Saltelli { 2 * dimensions } else { dimensions };
    if matches!(study.sampling, Sampling::Sobol | Sampling::Saltelli) && needed > MOST_DIMENSIONS {
        mistakes.at(
            span("sampling"),
            "sampling",
            format!("has {MOST_DIMENSIONS} dimensions, {needed} are needed"),
        );
    }
    let given = study.cases;
    match study.sampling {
        Sampling::Grid => {
            for v in study.vary.iter().filter(|v| v.values().is_none()) {
                mistakes
                    .at(
                        span(&format!("vary.{}", v.name)),
                        &format!("vary.{}", v.name),
                        "is a distribution; a grid needs values",
                    )
                    .hint = Some("{ linear = [0.0, 1.0], points = 5 }, or another sampling".into());
            }
            let sizes = study.vary.iter().filter_map(|v| v.values()).map(|v| v.len() as u64);
            let rows = study.table.iter().map(|t| t.rows.len() as u64);
            let product = sizes.chain(rows).try_fold(1u64, |n, k| n.checked_mul(k)).unwrap_or(u64::MAX);
            study.cases = product;
            if given != 0 && given != product {
                mistakes.at(span("cases"), "cases", format!("is {given}, but the grid has {product}")).hint =
                    Some("leave it out".into());
            }
        }
        Sampling::Saltelli => {
            let Some(samples) = samples else {
                mistakes.at(span("sampling"), "samples", "is missing").hint =
                    Some("samples = 512: rows of each of the two samples".into());
                return study;
            };
            study.cases = samples * (dimensions as u64 + 2);
            if !study.correlated.is_empty() {
                mistakes.at(span("sampling"), "sampling", "Sobol' indices need independent knobs").hint =
                    Some("leave out [[correlated]]".into());
            }
            if given != 0 && given != study.cases {
                mistakes.at(
                    span("cases"),
                    "cases",
                    format!("is {given}, but {samples} samples of {dimensions} knobs make {}", study.cases),
                );
            }
        }
        _ if given == 0 => {
            mistakes.at(span("cases"), "cases", "is missing").hint =
                Some("how many cases, such as cases = 2000".into());
        }
        _ => {}
    }
    if study.sampling != Sampling::Saltelli && samples.is_some() {
        mistakes.at(span("samples"), "samples", "belongs to sampling = \"saltelli\"").hint =
            Some("cases = N for other samplings".into());
    }
    if study.cases > 100_000_000 {
        mistakes.at(
            span("cases"),
            "cases",
            format!("{} cases are too many (allowed: 100000000)", study.cases),
        );
    }
    if matches!(study.sampling, Sampling::Grid | Sampling::Saltelli) {
        for r in study.requirements.iter().filter(|r| r.chance != super::Chance::EveryCase) {
            let path = format!("requirement.{}", r.name);
            mistakes
                .at(span(&path), &path, "asks for a probability, which cases of this sampling do not have")
                .hint = Some(
                "sampling = \"random\", \"latin-hypercube\" or \"sobol\"; or in_every_case = true".into(),
            );
        }
    }
    study
}
