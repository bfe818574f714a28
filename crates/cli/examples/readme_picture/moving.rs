//! Marks that move, as SVG animations: each lists its values at equal times and shows the last one where animations are off.

use super::svg::{Svg, path};

/// Time that one round takes, s.
pub const ROUND_S: f64 = 20.0;
/// Part of the values, from the end, that hold still before the next round.
const HOLD: f64 = 0.1;

/// Where something is at equal times: place on the page, pixels, and turn, degrees clockwise.
pub struct Motion {
    pub places: Vec<(f64, f64)>,
    pub turns: Vec<f64>,
}

impl Svg {
    /// What follows moves, until [`Svg::end_moving`]; its coordinates are from the place.
    pub fn begin_moving(&mut self, motion: &Motion) {
        let place = |(x, y): (f64, f64)| format!("{x:.1} {y:.1}");
        self.moving_group("translate", &motion.places.iter().map(|p| place(*p)).collect::<Vec<_>>());
        self.moving_group("rotate", &motion.turns.iter().map(|t| format!("{t:.1}")).collect::<Vec<_>>());
    }

    pub fn end_moving(&mut self) {
        self.put(format_args!("</g></g>"));
    }

    fn moving_group(&mut self, kind: &str, values: &[String]) {
        let Some(last) = values.last() else { return };
        self.put(format_args!(
            r#"<g transform="{kind}({last})"><animateTransform attributeName="transform" type="{kind}" {}/>"#,
            timing(values)
        ));
    }

    /// A polygon whose corners move; each list has as many of them.
    pub fn moving_polygon(&mut self, outlines: &[Vec<(f64, f64)>], fill: &str) {
        let values: Vec<String> = outlines.iter().map(|outline| path(outline, true)).collect();
        let Some(last) = values.last() else { return };
        self.put(format_args!(
            r#"<path fill="{fill}" d="{last}"><animate attributeName="d" {}/></path>"#,
            timing(&values)
        ));
    }

    /// A disc with an edge that moves.
    pub fn moving_dot(&mut self, places: &[(f64, f64)], radius: f64, fill: &str, edge: &str) {
        let Some((x, y)) = places.last() else { return };
        let along = |part: fn(&(f64, f64)) -> f64| {
            timing(&places.iter().map(|p| format!("{:.1}", part(p))).collect::<Vec<_>>())
        };
        self.put(format_args!(
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius}" fill="{fill}" stroke="{edge}" stroke-width="4"><animate attributeName="cx" {}/><animate attributeName="cy" {}/></circle>"#,
            along(|p| p.0),
            along(|p| p.1)
        ));
    }
}

/// Values at equal times, the last one held.
fn timing(values: &[String]) -> String {
    let held = (HOLD * values.len() as f64).ceil() as usize;
    let last = values.last().into_iter().cycle().take(held);
    let all: Vec<&str> = values.iter().chain(last).map(String::as_str).collect();
    format!(r#"values="{}" dur="{ROUND_S}s" repeatCount="indefinite""#, all.join(";"))
}
