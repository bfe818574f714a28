//! Output of a study: series and figures of measured, predicted and residual, and `report.html` with the estimates beside them.

use super::Identified;
use crate::validate::text::{number, with_unit};
use maud::{Markup, PreEscaped, html};
use touchdown_record::figures::{Data, Paper, svg};
use touchdown_record::page::page;
use touchdown_record::{ReportSpec, Series, SeriesColumn};
use touchdown_sim::figure::{Figure, FigureKind, Trace};

/// Residuals are expected between this many standard deviations of the noise, nineteen times of twenty.
const BAND: f64 = 1.96;

/// Rules of this page alone.
const STYLE: &str = "main.identify { max-width: 60rem; } .identify table { width: auto; } .identify td, .identify th { padding-right: 1.75rem; } \
                     .identify h3 { margin: 1.5rem 0 0.3rem; } \
                     .identify td:last-child, .identify th:last-child { min-width: 0; } .identify figure { margin: 1.5rem 0; } .identify figure svg { max-width: 100%; height: auto; } \
                     @media (max-width: 40rem) { .identify td, .identify th { padding-right: 0.9rem; } .identify figure { overflow-x: auto; } .identify figure svg { max-width: none; width: 38rem; } }";

/// Measured, predicted and residual of every series of a stage, and the figures that show them.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Abscissa first.
    pub series: Series,
    /// Fit and residual of each.
    pub spec: ReportSpec,
}

impl Shown {
    /// Of a stage; names of figures begin with `prefix`.
    pub fn new(stage: &Identified, prefix: &str) -> Shown {
        let (x_name, x_unit, x) = &stage.abscissa;
        let column = |name: &str, unit: &str, about: &str, values: Vec<f64>| SeriesColumn {
            name: name.into(),
            unit: unit.into(),
            frame: String::new(),
            about: about.into(),
            values,
        };
        let mut series = Series { columns: vec![column(x_name, x_unit, "", x.clone())] };
        let mut spec = ReportSpec::default();
        let parts = stage.measured.iter().zip(&stage.fit.prediction).zip(&stage.fit.sigma);
        for (((name, unit, values), predicted), sigma) in parts {
            let residual = predicted.iter().zip(values).map(|(p, m)| p - m).collect();
            let [measured, fitted, left, above, below] =
                ["measured", "predicted", "residual", "band", "band_below"].map(|w| format!("{name}_{w}"));
            let band = |sign: f64| vec![sign * BAND * sigma; values.len()];
            series.columns.push(column(&measured, unit, "measured", values.clone()));
            series.columns.push(column(&fitted, unit, "predicted at the estimates", predicted.clone()));
            series.columns.push(column(&left, unit, "predicted minus measured", residual));
            series.columns.push(column(&above, unit, "19 of 20 residuals are expected below", band(1.0)));
            series.columns.push(column(&below, unit, "19 of 20 residuals are expected above", band(-1.0)));
            let mut figure = |what: &str, title: String, y: &str, traces: &[(&String, &str)]| {
                let trace = |(column, label): &(&String, &str)| Trace {
                    column: (*column).clone(),
                    label: (*label).into(),
                    measured: **column == measured || **column == left,
                };
                spec.figures.push(Figure {
                    name: format!("{prefix}{name}-{what}"),
                    title,
                    source: String::new(),
                    kind: FigureKind::Lines {
                        x: x_name.clone(),
                        x_label: x_name.clone(),
                        x_unit: (*x_unit).into(),
                        x_scale: 1.0,
                        y_label: y.into(),
                        y_unit: (*unit).into(),
                        y_scale: 1.0,
                        traces: traces.iter().map(trace).collect(),
                        points: Vec::new(),
                    },
                });
            };
            let both = [(&measured, "measured"), (&fitted, "predicted")];
            figure("fit", format!("{name}: measured and predicted"), name, &both);
            let rest = [(&left, "residual"), (&above, "1.96 times the noise"), (&below, "the same below")];
            figure("residual", format!("{name}: predicted minus measured"), "residual", &rest);
        }
        Shown { series, spec }
    }
}

/// The whole page. `remarks` are those of all stages.
pub fn render(name: &str, version: &str, stages: &[Identified], remarks: &[String]) -> String {
    let title = format!("Parameters of {name}");
    let body = html! {
        style { (PreEscaped(STYLE)) }
        main class="identify" {
            header {
                p.kicker { "touchdown " (version) ", identification" }
                h1 { (title) }
            }
            @for stage in stages { (section(stage)) }
            @if !remarks.is_empty() {
                section { h2 { "Notes" } ul { @for remark in remarks { li { (remark) } } } }
            }
        }
    };
    page(&format!("{title} · touchdown"), &body, false)
}

fn section(stage: &Identified) -> Markup {
    let shown = Shown::new(stage, "");
    let data = Data { series: &shown.series, surface: &[], phases: &[] };
    let file = stage.data.file_name().map(|f| f.to_string_lossy().into_owned()).unwrap_or_default();
    html! {
        section {
            h2 { @if stage.title.is_empty() { "Estimates" } @else { (stage.title) } }
            p { "From " (stage.abscissa.2.len()) " rows of " code { (file) } "." }
            (estimates(stage))
            @if stage.fit.estimates.len() > 1 { (correlations(stage)) }
            (errors(stage))
            @for figure in &shown.spec.figures {
                @match svg(figure, &data, Paper::Page) {
                    Ok(text) => figure { figcaption { (figure.title) } (PreEscaped(text)) },
                    Err(why) => p.absent { (figure.title) " is not drawn: " (why) "." },
                }
            }
        }
    }
}

fn estimates(stage: &Identified) -> Markup {
    let percent = (100.0 * stage.confidence).round();
    html! {
        div.scroll tabindex="0" { table {
            thead { tr { th { "parameter" } th.number { "value" } th { "unit" } th.number { (percent) " % interval" } th { "finding" } } }
            tbody { @for (e, unit) in stage.fit.estimates.iter().zip(&stage.units) {
                tr {
                    td { (e.name) }
                    td.number { (number(e.value)) }
                    td { (unit) }
                    td.number { @if e.verdict.is_identifiable() { (number(e.interval[0])) " … " (number(e.interval[1])) } @else { "–" } }
                    td { (e.verdict.text()) }
                }
            } }
        } }
    }
}

fn correlations(stage: &Identified) -> Markup {
    let names = || stage.fit.estimates.iter().map(|e| &e.name);
    html! {
        h3 { "Correlations" }
        p { "Of the estimates; ±1 means that only a combination is known." }
        div.scroll tabindex="0" { table {
            thead { tr { th {} @for name in names() { th.number { (name) } } } }
            tbody { @for (name, row) in names().zip(&stage.fit.correlations) {
                tr { td { (name) } @for c in row { td.number { (format!("{c:.3}")) } } }
            } }
        } }
    }
}

/// Noise, and errors on rows left out.
fn errors(stage: &Identified) -> Markup {
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    html! {
        h3 { "Residuals" }
        ul { @for (k, (name, unit, _)) in stage.measured.iter().enumerate() {
            li {
                (name) ": noise " (with_unit(stage.fit.sigma[k], unit))
                @if let Some(unseen) = &stage.hold_out {
                    "; on " (unseen.rows) " rows left out " (percent(unseen.rms[k])) " of full scale rms, " (percent(unseen.largest[k])) " at most"
                }
            }
        } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// The page of a study holds its estimates, intervals, and a picture of the residuals of every series; names are escaped.
    #[test]
    fn a_study_has_a_page_with_its_residuals() {
        let folder = std::env::temp_dir().join(format!("touchdown-identify-page-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let rows: String = (1..9).map(|i| format!("{},{}\n", i, 100 * i + 53 + i % 2)).collect();
        std::fs::write(folder.join("a.csv"), format!("z_mm,F_N\n{rows}")).unwrap();
        let study = "title = \"Spring <b>\"\ndata = \"a.csv\"\n[columns]\nforce = \"F_N\"\ndeformation = \"z_mm\"\n[model]\nkind = \"press\"\n\
                     [fixed]\nn = 1\n[free]\nk = { start = 1e4, min = 0, max = 1e6 }\nweight = { start = 10, min = 0, max = 1000 }\n";
        std::fs::write(folder.join("s.toml"), study).unwrap();
        let stages = super::super::identify(&folder.join("s.toml"), None::<&Path>).unwrap();
        let page = render("s", "0", &stages, &["remark".into()]);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(page.matches("<figcaption>").count(), 2 * stages[0].measured.len());
        for text in ["Spring &lt;b&gt;", "weight", "95 % interval", "Correlations", "noise", "remark"] {
            assert!(page.contains(text), "{text}");
        }
    }
}
