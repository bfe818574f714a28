//! Knobs that belong together, and how many cases there are.

use super::Study;
use super::items::{Keys, number, shown};
use super::mistakes::{Mistakes, meant};
use crate::marginal::{Correlated, Vary, cholesky};
use crate::sampling::{MOST_DIMENSIONS, Sampling};
use toml_edit::Item;

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
