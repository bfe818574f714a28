//! Tables and figures of the measured wheels on the page.

use super::super::text::number;
use super::errors::{Errors, Group};
use super::{Compared, Part, Row, Rule, Wheel};
use maud::{Markup, PreEscaped, html};
use touchdown_record::figures::{Layer, Marks, Paper, Plot, Scale, plot_svg};

/// Colours that people with any kind of colour vision tell apart (Okabe & Ito, 2008).
const MEASURED: [u8; 3] = [0x1f, 0x23, 0x28];
const OURS: [u8; 3] = [0x00, 0x72, 0xb2];
const WONG_REECE: [u8; 3] = [0xd5, 0x5e, 0x00];

/// Name of the file, axis, number, whether over the load.
type Drawn = (&'static str, &'static str, fn(&Wheel) -> f64, bool);

/// What is drawn of a wheel.
const DRAWN: [Drawn; 4] = [
    ("pull", "pull over load", |w| w.pull_n, true),
    ("side", "side force over load", |w| w.side_n, true),
    ("torque", "torque, N m", |w| w.torque_n_m, false),
    ("sinkage", "sinkage, mm", |w| 1e3 * w.sinkage_m, false),
];

/// Figures of a set: name of the file and SVG. Measured points are never joined; bars are one standard deviation of the trials.
pub fn figures(compared: &Compared, paper: Paper) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for part in &compared.parts {
        for angle in angles(part) {
            for (file, label, of, over_load) in DRAWN {
                let name = format!("wheels-{}-{}-{angle}-{file}", compared.name, part.name);
                let figure = figure(compared, part, (angle, label, of, over_load));
                out.extend(figure.and_then(|plot| plot_svg(&plot, paper)).map(|svg| (name, svg)));
            }
        }
    }
    out
}

fn angles(part: &Part) -> Vec<f64> {
    let mut angles: Vec<f64> = part.rows.iter().map(|row| row.slip_angle_deg).collect();
    angles.sort_by(f64::total_cmp);
    angles.dedup();
    angles
}

/// One number of a wheel at a slip angle against slip; nothing where it was not measured. The side force of a straight wheel is none.
fn figure(
    compared: &Compared,
    part: &Part,
    (angle, label, of, over_load): (f64, &str, fn(&Wheel) -> f64, bool),
) -> Option<Plot> {
    let mut rows: Vec<&Row> = part.rows.iter().filter(|row| row.slip_angle_deg == angle).collect();
    rows.sort_by(|a, b| a.slip.total_cmp(&b.slip));
    let scale = |row: &Row| if over_load { row.load_n } else { 1.0 };
    let measured: Vec<[f64; 3]> = rows
        .iter()
        .map(|row| [row.slip, of(&row.measured) / scale(row), of(&row.deviation) / scale(row)])
        .filter(|[_, y, _]| y.is_finite())
        .collect();
    if measured.is_empty() || (angle == 0.0 && label.starts_with("side")) {
        return None;
    }
    let line = |rule: Rule| {
        let k = compared.place(rule)?;
        Some(rows.iter().map(|row| [row.slip, of(&row.predicted[k]) / scale(row)]).collect::<Vec<_>>())
    };
    let mut layers = Vec::new();
    for (rule, colour) in [(Rule::WongReece, WONG_REECE), (Rule::Default, OURS)] {
        if let Some(points) = line(rule) {
            let marks = if rule == Rule::Default { Marks::Line(points) } else { Marks::Dashed(points) };
            layers.push(Layer { label: rule.name(), colour, marks });
        }
    }
    let marks = Marks::Measured(measured);
    layers.push(Layer { label: "measured, ± one standard deviation".into(), colour: MEASURED, marks });
    let axis = |label: &str| Scale { label: label.into(), unit: String::new() };
    Some(Plot {
        title: format!("{}, {}, slip angle {angle}°: {label}", compared.name, part.name),
        x: axis("slip, as the authors define it"),
        y: axis(label),
        layers,
        height: 240.0,
    })
}

/// The part of the page about measured wheels.
pub(crate) fn section(sets: &[Compared]) -> Markup {
    html! {
        @if !sets.is_empty() { section {
            h2 id="measured" { "Measured wheels" }
            p { "Every row of published tests, run with the default rules: only geometry, load, speeds and the soil's table are set. Errors of forces are over the load of the row." }
            @for set in sets {
                h3 { (set.title) }
                p.note { (set.source) "; licence of the data: " (set.licence) }
                table.pedigree {
                    thead { tr { th { "input" } th { "value" } th { "from" } } }
                    tbody { @for input in &set.inputs { tr { td { (input.what) } td { (input.value) } td { (input.from) } } } }
                }
                (by_group(set))
                (by_row(set))
                @for (name, svg) in figures(set, Paper::Page) { figure id=(name) { (PreEscaped(svg)) } }
            }
        } }
    }
}

/// Errors by group and rule.
fn by_group(set: &Compared) -> Markup {
    let cells = |e: &Errors| {
        [e.pull_rms, e.pull_worst, e.side_rms, e.torque_rms, e.sinkage_median, e.sinkage_worst].map(short)
    };
    let name = |group: &Group| {
        if group.without_bound { format!("{} (no bound)", group.name) } else { group.name.clone() }
    };
    html! {
        table.detail {
            thead { tr { th { "group" } th { "rule" } th.number { "rows" } th.number { "pull, RMS" } th.number { "pull, worst" } th.number { "side, RMS" } th.number { "torque, RMS" } th.number { "sinkage, median" } th.number { "sinkage, worst off" } } }
            tbody { @for group in &set.groups { @for (k, rule) in set.rules.iter().enumerate() { tr {
                td { @if k == 0 { (name(group)) } }
                td { (rule.name()) }
                td.number { (group.errors[k].rows) }
                @for cell in cells(&group.errors[k]) { td.number { (cell) } }
            } } } }
        }
    }
}

/// Every row, ours beside Wong & Reece.
fn by_row(set: &Compared) -> Markup {
    let beside = [Rule::Default, Rule::WongReece].map(|rule| set.place(rule));
    html! {
        details {
            summary { "every row" }
            table.detail {
                thead { tr { th { "wheel" } th.number { "angle" } th.number { "slip" } th.number { "load, N" } th { "" } th.number { "pull, N" } th.number { "side, N" } th.number { "torque, N m" } th.number { "sinkage, mm" } th.number { "pull off by, over load" } } }
                tbody { @for part in &set.parts { @for row in &part.rows {
                    (one(part, row, "measured", &row.measured))
                    @for k in beside.iter().flatten() { (one(part, row, &set.rules[*k].name(), &row.predicted[*k])) }
                } } }
            }
        }
    }
}

fn one(part: &Part, row: &Row, what: &str, wheel: &Wheel) -> Markup {
    let off = (wheel.pull_n - row.measured.pull_n) / row.load_n;
    html! { tr {
        td { (part.name) } td.number { (number(row.slip_angle_deg)) } td.number { (number(row.slip)) } td.number { (number(row.load_n)) }
        td { (what) }
        @for x in [wheel.pull_n, wheel.side_n, wheel.torque_n_m, 1e3 * wheel.sinkage_m] { td.number { (short(x)) } }
        td.number { @if what != "measured" { (short(off)) } }
    } }
}

/// Three digits; a dash for nothing.
fn short(x: f64) -> String {
    if x.is_finite() { format!("{x:.3}") } else { "–".into() }
}
