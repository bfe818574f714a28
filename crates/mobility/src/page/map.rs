//! The map: relief below, a layer of a heading over it, the route on top.

use super::pictures::STOPS;
use super::sections::short;
use super::{PICTURES, PageInput, Picture};
use crate::layers::{HEADINGS, Layer, Small, heading_deg};
use crate::route::Route;
use crate::verify::CheckedStretch;
use maud::{Markup, PreEscaped, html};
use std::fmt::Write;

/// Switches pictures; without it the page shows the first one.
const SCRIPT: &str = include_str!("map.js");
/// Points of the compass in the order of a grid of three by three, with the number of the heading.
const ROSE: [Option<(&str, usize)>; 9] = [
    Some(("NW", 7)),
    Some(("N", 0)),
    Some(("NE", 1)),
    Some(("W", 6)),
    None,
    Some(("E", 2)),
    Some(("SW", 5)),
    Some(("S", 4)),
    Some(("SE", 3)),
];

pub(super) fn section(input: &PageInput) -> Markup {
    let small = &input.layers.small;
    let shown = input.pictures.iter().position(|p| p.layer == Layer::PStuck).unwrap_or(0);
    html! {
        section {
            h2 { "The map" }
            p.note {
                (short(small.spacing)) " m to a pixel here; the GeoTIFFs beside this page hold every cell. "
                "The shading is the relief, lit from the north-west. Grey without shading: no data."
            }
            div.choose {
                fieldset.layers {
                    legend { "Layer" }
                    @for (k, picture) in input.pictures.iter().enumerate() {
                        label {
                            input type="radio" name="layer" value=(picture.layer.name()) checked[k == shown];
                            " " (picture.layer.about())
                        }
                    }
                    label { input type="radio" name="layer" value=""; " relief alone" }
                }
                fieldset {
                    legend { "Heading" }
                    div.rose {
                        @for point in ROSE {
                            @if let Some((name, heading)) = point {
                                label title=(format!("{}° clockwise from north", heading_deg(heading))) {
                                    input type="radio" name="heading" value=(format!("{:03}", heading_deg(heading))) checked[heading == 0];
                                    (name)
                                }
                            } @else { span.middle { "rover drives" } }
                        }
                    }
                }
            }
            @for (k, picture) in input.pictures.iter().enumerate() { (bar(picture, k == shown)) }
            figure id="mobility-map" data-folder=(PICTURES) {
                div.sheet {
                    img.relief src=(format!("{PICTURES}/relief.png")) alt="Shaded relief of the map" width=(small.columns) height=(small.rows);
                    @if let Some(picture) = input.pictures.get(shown) {
                        img.layer src=(picture.path(0)) alt=(picture.layer.about());
                    }
                    (overlay(small, input.route, input.checks))
                }
                figcaption {
                    @if input.route.is_some() { "White: the route, from the ring to the dot. Blue on it: stretches where the full simulation agrees with the map; orange: where it does not. " }
                    "North is up."
                }
            }
            script { (PreEscaped(SCRIPT)) }
        }
    }
}

/// The colours of a layer and what they mean.
fn bar(picture: &Picture, shown: bool) -> Markup {
    let stops: Vec<String> = STOPS.iter().map(|[r, g, b]| format!("rgb({r} {g} {b})")).collect();
    let style = format!("background: linear-gradient(to right, {})", stops.join(", "));
    html! {
        div.bar data-layer=(picture.layer.name()) hidden[!shown] {
            span { (short(picture.range[0])) }
            i style=(style) {}
            span { (short(picture.range[1])) }
            span { (picture.layer.about()) }
        }
    }
}

/// Route and stretches in pixels of the small map.
fn overlay(small: &Small, route: Option<&Route>, checks: &[CheckedStretch]) -> Markup {
    let Some(route) = route.filter(|route| !route.points.is_empty()) else { return html! {} };
    let pixel = |place: [f64; 2]| {
        let column = (place[0] - small.first[0]) / small.step[0] + 0.5;
        let row = (small.first[1] - place[1]) / small.step[1] + 0.5;
        [column / small.factor as f64, row / small.factor as f64]
    };
    let line = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        points.fold(String::new(), |mut text, place| {
            let [x, y] = pixel(place);
            let _ = write!(text, "{x:.1},{y:.1} ");
            text
        })
    };
    let whole = line(&mut route.points.iter().map(|point| point.place));
    let (first, last) = (pixel(route.points[0].place), pixel(route.points[route.points.len() - 1].place));
    let of = |check: &CheckedStretch| {
        let inside = |distance: f64| (check.from_m - 1e-9..=check.to_m + 1e-9).contains(&distance);
        line(&mut route.points.iter().filter(|point| inside(point.distance_m)).map(|point| point.place))
    };
    let unit = small.columns.max(small.rows) as f64 / 400.0;
    html! {
        svg viewBox=(format!("0 0 {} {}", small.columns, small.rows)) preserveAspectRatio="none" role="img" aria-label="The route" {
            polyline points=(whole) fill="none" stroke="#000" stroke-width=(2.0 * unit) stroke-linejoin="round" opacity="0.6" {}
            polyline points=(whole) fill="none" stroke="#fff" stroke-width=(1.1 * unit) stroke-linejoin="round" {}
            @for check in checks {
                polyline points=(of(check)) fill="none" stroke=(if check.slip_agrees() { "#56b4e9" } else { "#e69f00" }) stroke-width=(2.4 * unit) {}
            }
            circle cx=(first[0]) cy=(first[1]) r=(3.0 * unit) fill="none" stroke="#fff" stroke-width=(1.2 * unit) {}
            circle cx=(last[0]) cy=(last[1]) r=(3.0 * unit) fill="#fff" stroke="#000" stroke-width=(0.5 * unit) {}
        }
    }
}

const _: () = assert!(HEADINGS == ROSE.len() - 1);
