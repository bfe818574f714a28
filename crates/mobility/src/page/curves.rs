//! Response curves: slip and energy against slope, soil by soil, with their intervals and the runs they come from.

use super::DataPoint;
use crate::{Response, ResponseTable};
use maud::{Markup, PreEscaped, html};
use touchdown_record::figures::{COLOURS, Layer, Marks, Paper, Plot, Scale, plot_svg};

/// Headings that are drawn, degrees from the ascent, with their names.
const HEADINGS: [(f64, &str); 3] = [(0.0, "uphill"), (90.0, "across"), (180.0, "downhill")];
/// Runs within this angle of a heading are drawn with it, degrees.
const NEAR: f64 = 22.5;
/// Points of a curve.
const POINTS: usize = 61;

pub(super) fn section(table: &ResponseTable, data: &[DataPoint]) -> Markup {
    html! {
        section {
            h2 { "Responses to the slope" }
            p.note {
                "Lines: the table that the map is made of. Dashed: ends of the 90 % intervals."
                @if !data.is_empty() { " Dots: runs whose heading is within " (NEAR) "° of the line's." }
            }
            @for (number, soil) in table.soils().iter().enumerate() {
                details open[number == 0] {
                    summary { code { (soil) } }
                    (figure(&slip(table, number, data)))
                    (figure(&energy(table, number, data)))
                }
            }
        }
    }
}

fn figure(plot: &Plot) -> Markup {
    html! { @if let Some(svg) = plot_svg(plot, Paper::Page) { figure { figcaption { (plot.title) } (PreEscaped(svg)) } } }
}

fn colour(k: usize) -> [u8; 3] {
    COLOURS[k % COLOURS.len()]
}

fn slopes(table: &ResponseTable) -> impl Iterator<Item = f64> {
    let most = table.slope_max_deg();
    (0..POINTS).map(move |k| most * k as f64 / (POINTS - 1) as f64)
}

/// Runs on a soil near a heading.
fn near<'a>(data: &'a [DataPoint], soil: &'a str, heading: f64) -> impl Iterator<Item = &'a DataPoint> {
    let off = move |h: f64| {
        let turn = h.rem_euclid(360.0);
        (turn.min(360.0 - turn) - heading).abs()
    };
    data.iter().filter(move |point| point.soil == soil && off(point.heading_deg) <= NEAR)
}

fn plot(title: String, label: &str, unit: &str, layers: Vec<Layer>) -> Plot {
    let scale = |label: &str, unit: &str| Scale { label: label.into(), unit: unit.into() };
    Plot { title, x: scale("slope", "deg"), y: scale(label, unit), layers, height: 300.0 }
}

fn slip(table: &ResponseTable, soil: usize, data: &[DataPoint]) -> Plot {
    let name = &table.soils()[soil];
    let mut layers = Vec::new();
    for (k, (heading, words)) in HEADINGS.into_iter().enumerate() {
        let line = |sign: f64| -> Vec<[f64; 2]> {
            slopes(table)
                .map(|slope| {
                    let response = table.at(soil, slope, heading);
                    [slope, response.slip + sign * response.slip_half_width]
                })
                .collect()
        };
        let dots = near(data, name, heading).map(|point| [point.slope_deg, point.slip]).collect();
        layers.push(Layer { label: String::new(), colour: colour(k), marks: Marks::Dots(dots) });
        layers.push(Layer { label: String::new(), colour: colour(k), marks: Marks::Dashed(line(-1.0)) });
        layers.push(Layer { label: String::new(), colour: colour(k), marks: Marks::Dashed(line(1.0)) });
        layers.push(Layer { label: words.into(), colour: colour(k), marks: Marks::Line(line(0.0)) });
    }
    plot(format!("Slip on {name}"), "mean slip", "", layers)
}

fn energy(table: &ResponseTable, soil: usize, data: &[DataPoint]) -> Plot {
    let name = &table.soils()[soil];
    let mut layers = Vec::new();
    for (k, (heading, words)) in HEADINGS.into_iter().enumerate() {
        let line = |of: &dyn Fn(&Response) -> f64| -> Vec<[f64; 2]> {
            slopes(table).map(|slope| [slope, of(&table.at(soil, slope, heading))]).collect()
        };
        let end = |end: usize| Marks::Dashed(line(&|response| response.energy_interval_j_per_m[end]));
        let dots =
            near(data, name, heading).filter_map(|point| Some([point.slope_deg, point.energy_j_per_m?]));
        layers.push(Layer { label: String::new(), colour: colour(k), marks: Marks::Dots(dots.collect()) });
        layers.push(Layer { label: String::new(), colour: colour(k), marks: end(0) });
        layers.push(Layer { label: String::new(), colour: colour(k), marks: end(1) });
        let middle = Marks::Line(line(&|response| response.energy_j_per_m));
        layers.push(Layer { label: words.into(), colour: colour(k), marks: middle });
    }
    plot(format!("Energy of the drives on {name}"), "energy per metre", "J/m", layers)
}
