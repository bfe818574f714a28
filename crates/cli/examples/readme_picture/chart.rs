//! The right half: curves against time, approaching what static equilibrium says.

use super::svg::{Anchor, Pen, Style, Svg};
use super::{INK, MUTED};

const AXIS: &str = "#8a8f98";
const GRID: &str = "#e4e2dc";

/// One curve with the value it should approach.
pub struct Curve<'a> {
    pub label: String,
    pub colour: &'a str,
    pub points: Vec<(f64, f64)>,
    pub target: f64,
}

/// A chart: a box on the page, ranges, ticks and curves.
pub struct Chart<'a> {
    pub title: &'a str,
    /// Left, top, width, height of the plotting area, pixels.
    pub area: (f64, f64, f64, f64),
    pub x: (f64, f64, f64),
    pub y: (f64, f64, f64),
    /// Written below the time axis; none where another chart stands below.
    pub x_label: Option<&'a str>,
    /// A remark at a point of the data.
    pub note: Option<((f64, f64), &'a str)>,
    pub curves: Vec<Curve<'a>>,
}

impl Chart<'_> {
    /// Data ⇒ page; values beyond the top are cut there.
    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (left, top, width, height) = self.area;
        let across = (x - self.x.0) / (self.x.1 - self.x.0);
        let up = ((y - self.y.0) / (self.y.1 - self.y.0)).min(1.0);
        (left + width * across, top + height * (1.0 - up))
    }

    pub fn draw(&self, svg: &mut Svg) {
        svg.text((self.area.0, self.area.1 - 16.0), Style::heading(17.0, INK), self.title);
        if let Some((at, text)) = self.note {
            let (x, y) = self.place(at);
            svg.text((x, y), Style::plain(15.0, MUTED), text);
        }
        self.draw_axes(svg);
        for curve in &self.curves {
            let target = [self.place((self.x.0, curve.target)), self.place((self.x.1, curve.target))];
            svg.line(&target, Pen { width: 1.4, colour: curve.colour, dash: 5.0 });
            svg.line(&self.thinned(curve), Pen { width: 2.8, colour: curve.colour, dash: 0.0 });
        }
        self.draw_labels(svg);
    }

    /// The curve on the page, without points that lie on the last one as far as the eye can tell.
    fn thinned(&self, curve: &Curve) -> Vec<(f64, f64)> {
        const VISIBLE: f64 = 1.5;
        let mut kept: Vec<(f64, f64)> = Vec::new();
        for point in curve.points.iter().map(|p| self.place(*p)) {
            let far = |last: &(f64, f64)| (point.0 - last.0).hypot(point.1 - last.1) > VISIBLE;
            if kept.last().is_none_or(far) {
                kept.push(point);
            }
        }
        kept
    }

    fn draw_axes(&self, svg: &mut Svg) {
        let small = Style { size: 15.0, colour: MUTED, bold: false, anchor: Anchor::End };
        for y in ticks(self.y) {
            let (start, end) = (self.place((self.x.0, y)), self.place((self.x.1, y)));
            svg.line(&[start, end], Pen { width: 1.0, colour: GRID, dash: 0.0 });
            svg.text((start.0 - 9.0, start.1 + 5.0), small, &format!("{y:.0}"));
        }
        let foot = [self.place((self.x.0, self.y.0)), self.place((self.x.1, self.y.0))];
        svg.line(&foot, Pen { width: 1.3, colour: AXIS, dash: 0.0 });
        let Some(label) = self.x_label else { return };
        let middle = Style { anchor: Anchor::Middle, ..small };
        for x in ticks(self.x) {
            let (px, py) = self.place((x, self.y.0));
            svg.text((px, py + 20.0), middle, &format!("{x:.0}"));
        }
        let (left, top, width, height) = self.area;
        svg.text((left + 0.5 * width, top + height + 43.0), middle, label);
    }

    /// Names at the right end of the curves, moved apart where they would touch.
    fn draw_labels(&self, svg: &mut Svg) {
        const LINE: f64 = 21.0;
        let mut order: Vec<(&Curve, f64)> =
            self.curves.iter().map(|c| (c, self.place((self.x.1, c.target)).1)).collect();
        order.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mean = order.iter().map(|o| o.1).sum::<f64>() / order.len().max(1) as f64;
        let first = mean - 0.5 * LINE * (order.len().max(1) - 1) as f64;
        for (k, (curve, _)) in order.iter().enumerate() {
            let style = Style::heading(16.0, curve.colour);
            let at = (self.area.0 + self.area.2 + 12.0, first + LINE * k as f64 + 5.0);
            svg.text(at, style, &curve.label);
        }
    }
}

/// Multiples of the step within a range (first, last, step).
fn ticks((first, last, step): (f64, f64, f64)) -> impl Iterator<Item = f64> {
    let count = ((last - first) / step + 1e-9).floor() as u32;
    (0..=count).map(move |k| first + step * f64::from(k))
}
