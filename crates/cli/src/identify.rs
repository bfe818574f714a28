//! `touchdown identify`: a study file ⇒ parameters with intervals, in a table and in files like a run's.

use crate::args::IdentifyArgs;
use crate::failure::Failure;
use crate::folder::plain;
use crate::identity::VERSION;
use crate::output::{number, print, print_json, table, with_unit};
use crate::run::summary_json;
use std::fmt::Write;
use std::path::Path;
use touchdown_record::figures::{self, Data};
use touchdown_record::{Series, SeriesColumn, StudyFolder, write_answers};
use touchdown_sim::sink::{Cell, NamedValue, Table, TableColumn};
use touchdown_study::identify::{Identified, IdentifyError, Shown, identify as study, render};

impl From<IdentifyError> for Failure {
    fn from(error: IdentifyError) -> Self {
        let what = error.to_string();
        match error {
            IdentifyError::Scenario(errors) => errors.into(),
            IdentifyError::Bound { .. } => Failure::Other {
                what,
                hint: Some("fewer rows, starts or free parameters; or a larger bound in [fit]".into()),
            },
            IdentifyError::Fit(_) => Failure::Numerical { reason: what, kept: String::new() },
            IdentifyError::File { .. } | IdentifyError::Series { .. } | IdentifyError::Study { .. } => {
                Failure::BadInput {
                    what,
                    hint: Some("docs/identify.md shows a study file; `data` is looked for beside it".into()),
                }
            }
            IdentifyError::Data { .. } => Failure::BadInput { what, hint: Some("nothing was fitted".into()) },
        }
    }
}

/// Identifies, writes, reports.
pub fn identify(args: &IdentifyArgs) -> Result<(), Failure> {
    let stages = study(&args.file, args.data.as_deref())?;
    let name = args.file.file_stem().map_or("study".into(), |s| s.to_string_lossy().into_owned());
    let default = || Path::new("runs").join(format!("identify-{}", plain(&name)));
    let dir = args.out.clone().unwrap_or_else(default);
    let folder = StudyFolder::open(&dir, "identification")?;
    let mut quantities = Vec::new();
    let mut tables = Vec::new();
    let mut remarks = Vec::new();
    let mut text = String::new();
    for (n, stage) in stages.iter().enumerate() {
        quantities.extend(answers(stage));
        tables.push(correlations(stage));
        remarks.extend(stage.fit.remarks.iter().cloned());
        let prefix = if stages.len() > 1 { format!("stage-{}-", n + 1) } else { String::new() };
        write_fit(&folder, &prefix, stage)?;
        if !args.quiet {
            text += &in_words(stage);
        }
    }
    write_answers(&folder, (&name, VERSION), &quantities, &tables, &remarks)?;
    let page = render(&name, VERSION, &stages, &remarks);
    folder.write("report.html", page.as_bytes())?;
    if args.json {
        return print_json(&summary_json(&dir)?);
    }
    for remark in &remarks {
        let _ = writeln!(text, "note: {remark}");
    }
    print(&format!("{text}report: {}\nresults: {}\n", dir.join("report.html").display(), dir.display()))
}

/// Numbers of a stage, as a run's quantities.
fn answers(stage: &Identified) -> Vec<NamedValue> {
    let mut out = Vec::new();
    let percent = (100.0 * stage.confidence).round();
    let mut add = |name: String, value: f64, unit: &str, about: String| {
        out.push(NamedValue { name, value, unit: unit.into(), about });
    };
    for (e, unit) in stage.fit.estimates.iter().zip(&stage.units) {
        add(e.name.clone(), e.value, unit, format!("estimate; {}", e.verdict.text()));
        // An interval of a parameter that is not identifiable would say nothing.
        let [low, high] = if e.verdict.is_identifiable() { e.interval } else { [f64::NAN; 2] };
        add(
            format!("{}_ci{percent}_low", e.name),
            low,
            unit,
            format!("lower end of its {percent} % interval"),
        );
        add(
            format!("{}_ci{percent}_high", e.name),
            high,
            unit,
            format!("upper end of its {percent} % interval"),
        );
    }
    for (k, (name, unit, _)) in stage.measured.iter().enumerate() {
        let about = format!("standard deviation of the noise of {name}, given or measured by the residuals");
        add(format!("noise_{name}"), stage.fit.sigma[k], unit, about);
        if let Some(unseen) = &stage.hold_out {
            let about =
                |what| format!("{what} of {name} on rows left out of the fit, over its largest value");
            add(format!("hold_out_rms_{name}"), unseen.rms[k], "1", about("root mean square error"));
            add(format!("hold_out_max_{name}"), unseen.largest[k], "1", about("largest error"));
        }
    }
    out
}

fn correlations(stage: &Identified) -> Table {
    let names = || stage.fit.estimates.iter().map(|e| e.name.clone());
    let column = |name: String| TableColumn { name, unit: "1".into() };
    Table {
        title: format!(
            "Correlations{}",
            if stage.title.is_empty() { String::new() } else { format!(": {}", stage.title) }
        ),
        about: "of the estimates; ±1 means that only a combination is known".into(),
        columns: std::iter::once("parameter".to_string()).chain(names()).map(column).collect(),
        rows: names()
            .zip(&stage.fit.correlations)
            .map(|(name, row)| {
                std::iter::once(Cell::Text(name)).chain(row.iter().map(|c| Cell::Number(*c))).collect()
            })
            .collect(),
    }
}

/// Measured, predicted and residual of every series: `fit.csv` and figures.
fn write_fit(folder: &StudyFolder, prefix: &str, stage: &Identified) -> Result<(), Failure> {
    let shown = Shown::new(stage, prefix);
    folder.write(&format!("{prefix}fit.csv"), csv(&shown.series).as_bytes())?;
    let data = Data { series: &shown.series, surface: &[], phases: &[] };
    figures::write_into(folder, &shown.spec, &data)?;
    Ok(())
}

fn csv(series: &Series) -> String {
    let heading = |c: &SeriesColumn| format!("{} [{}]", c.name, c.unit);
    let mut text = series.columns.iter().map(heading).collect::<Vec<_>>().join(",") + "\n";
    for row in 0..series.rows() {
        let cells: Vec<String> = series.columns.iter().map(|c| format!("{:?}", c.values[row])).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}

/// For people.
fn in_words(stage: &Identified) -> String {
    let mut text = String::new();
    if !stage.title.is_empty() {
        let _ = writeln!(text, "{}", stage.title);
    }
    let _ = writeln!(text, "data        {} ({} rows)", stage.data.display(), stage.abscissa.2.len());
    let (made, [most, seconds]) = (stage.fit.evaluations, stage.bounds);
    let _ = writeln!(text, "search      {made} evaluations of the model (at most {most}, {seconds} s)");
    let percent = (100.0 * stage.confidence).round();
    let interval = format!("{percent} % interval");
    let mut rows = table(&["parameter", "value", "unit", &interval, "finding"]);
    for (e, unit) in stage.fit.estimates.iter().zip(&stage.units) {
        let interval = if e.verdict.is_identifiable() {
            format!("{} … {}", number(e.interval[0]), number(e.interval[1]))
        } else {
            "–".into()
        };
        rows.add_row([&e.name, &number(e.value), &(*unit).to_string(), &interval, &e.verdict.text()]);
    }
    text += &format!("{rows}\n");
    if stage.fit.estimates.len() > 1 {
        let names: Vec<&str> = stage.fit.estimates.iter().map(|e| e.name.as_str()).collect();
        let mut rows = table(&[&["correlation"], names.as_slice()].concat());
        for (name, row) in names.iter().zip(&stage.fit.correlations) {
            rows.add_row(std::iter::once((*name).to_string()).chain(row.iter().map(|c| format!("{c:.3}"))));
        }
        text += &format!("{rows}\n");
    }
    for (k, (name, unit, _)) in stage.measured.iter().enumerate() {
        let _ = write!(text, "{name}: noise {}", with_unit(stage.fit.sigma[k], unit));
        if let Some(unseen) = &stage.hold_out {
            let _ = write!(
                text,
                "; on {} rows left out: {:.2} % of full scale rms, {:.2} % at most",
                unseen.rows,
                100.0 * unseen.rms[k],
                100.0 * unseen.largest[k]
            );
        }
        text += "\n";
    }
    text
}
