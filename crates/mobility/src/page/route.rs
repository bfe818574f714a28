//! The route: its sums, and its profile.

use super::sections::{kilojoules, short};
use crate::ResponseTable;
use crate::route::{Aim, Route, RoutePoint};
use maud::{Markup, PreEscaped, html};
use touchdown_record::figures::{COLOURS, Layer, Marks, Paper, Plot, Scale, plot_svg};

pub(super) fn section(route: &Route, table: &ResponseTable) -> Markup {
    let [low, high] = route.energy_interval_j;
    let aim = match route.aim {
        Aim::Energy => "least energy",
        Aim::Risk => "least risk",
    };
    html! {
        section {
            h2 { "The route of " (aim) }
            table { tbody {
                tr { td { "length" } td.number { (short(route.length_m)) " m" } td { "over the ground" } }
                tr { td { "energy of the drives" } td.number { (kilojoules(route.energy_j)) } td { (kilojoules(low)) " … " (kilojoules(high)) ": sums of the 90 % intervals of all cells. Turns are not in it." } }
                tr { td { "mean slip" } td.number { (short(route.slip_mean)) } td {} }
                tr { td { "risk" } td.number { (short(route.risk)) } td { "probability of getting stuck or tipping over, were every wheelbase of the route a run of its own" } }
                tr { td { "turns by 45°" } td.number { (route.turns) } td {} }
            } }
            @if route.points.len() > POINTS {
                p.note { "Curves of many points are drawn as " (route.points.len().div_ceil(route.points.len().div_ceil(POINTS))) " means; those of risk as the highest value of each." }
            }
            @if route.is_cut { p.note { "The map is too large to be searched as a whole: the route is the best one in a rectangle around its ends, half their distance wider on each side." } }
            (figure(&profile(route, "Slip along the route", "mean slip", "", vec![
                dashed(0, route, &|p| p.response.slip - p.response.slip_half_width),
                dashed(0, route, &|p| p.response.slip + p.response.slip_half_width),
                line("slip, with its 90 % interval", 0, binned(route, mean, &|p| p.response.slip)),
            ])))
            (figure(&profile(route, "Energy from the start", "energy", "J", vec![
                line("", 1, binned(route, last, &|p| p.energy_j)),
            ])))
            (figure(&profile(route, "Risk along the route", "probability", "", vec![
                line("stuck", 1, binned(route, highest, &|p| p.response.p_stuck)),
                line("tipped", 3, binned(route, highest, &|p| p.response.p_tip)),
            ])))
            (figure(&profile(route, "Height of the ground", "height", "m", vec![
                line("", 2, binned(route, mean, &|p| p.height_m)),
            ])))
            (figure(&profile(route, "Steepness of the ground", "slope", "deg", vec![
                line("", 2, binned(route, mean, &|p| p.slope_deg)),
            ])))
            p.note { "Soils along the route: " (soils(route, table)) "." }
        }
    }
}

fn soils(route: &Route, table: &ResponseTable) -> String {
    let mut found: Vec<u8> = route.points.iter().map(|point| point.soil).collect();
    found.sort_unstable();
    found.dedup();
    let names: Vec<&str> = found.iter().map(|soil| table.soils()[usize::from(*soil)].as_str()).collect();
    names.join(", ")
}

fn figure(plot: &Plot) -> Markup {
    html! { @if let Some(svg) = plot_svg(plot, Paper::Page) { figure { figcaption { (plot.title) } (PreEscaped(svg)) } } }
}

/// Points of a curve at most: more are drawn as one, by what is said of the curve.
const POINTS: usize = 200;

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn highest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

fn last(values: &[f64]) -> f64 {
    values.last().copied().unwrap_or(f64::NAN)
}

/// What happens along the route, some points at a time.
fn binned(route: &Route, fold: fn(&[f64]) -> f64, of: &dyn Fn(&RoutePoint) -> f64) -> Vec<[f64; 2]> {
    let size = route.points.len().div_ceil(POINTS).max(1);
    let bin = |points: &[RoutePoint]| {
        let values: Vec<f64> = points.iter().map(of).collect();
        [points[points.len() - 1].distance_m, fold(&values)]
    };
    route.points.chunks(size).map(bin).collect()
}

fn line(label: &str, colour: usize, points: Vec<[f64; 2]>) -> Layer {
    Layer { label: label.into(), colour: COLOURS[colour % COLOURS.len()], marks: Marks::Line(points) }
}

fn dashed(colour: usize, route: &Route, of: &dyn Fn(&RoutePoint) -> f64) -> Layer {
    Layer { marks: Marks::Dashed(binned(route, mean, of)), ..line("", colour, Vec::new()) }
}

fn profile(route: &Route, title: &str, label: &str, unit: &str, layers: Vec<Layer>) -> Plot {
    let far = route.length_m >= 10_000.0;
    let mut layers = layers;
    if far {
        for layer in &mut layers {
            if let Marks::Line(points) | Marks::Dashed(points) = &mut layer.marks {
                points.iter_mut().for_each(|point| point[0] /= 1000.0);
            }
        }
    }
    Plot {
        title: title.into(),
        x: Scale { label: "distance".into(), unit: if far { "km" } else { "m" }.into() },
        y: Scale { label: label.into(), unit: unit.into() },
        layers,
        height: 220.0,
    }
}
