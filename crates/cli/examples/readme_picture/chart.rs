//! The right half: curves on axes whose ranges follow from the data.

use super::svg::{Anchor, Pen, Style, Svg};
use super::{INK, MUTED, PANEL, TEXT};
use touchdown_record::figures::ticks::{labels, round_step};

const AXIS: &str = "#8a8f98";
const GRID: &str = "#e4e2dc";

/// A range that starts at zero, with ticks.
pub struct Axis {
    last: f64,
    step: f64,
}

impl Axis {
    /// Up to a value, with ticks at multiples of a step.
    pub fn new(last: f64, step: f64) -> Axis {
        Axis { last, step }
    }

    /// With a few ticks at round numbers, the last one at or above a value.
    pub fn reaching(value: f64) -> Axis {
        const MOST_TICKS: f64 = 4.5;
        let step = round_step(value / MOST_TICKS, "");
        Axis { last: step * (value / step).ceil(), step }
    }

    /// Places and what is written there.
    fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        let count = (self.last / self.step + 1e-9).floor() as u32;
        let places: Vec<f64> = (0..=count).map(|k| self.step * f64::from(k)).collect();
        let texts = labels(&places, self.step).texts;
        places.into_iter().zip(texts)
    }
}

/// One curve.
pub struct Curve {
    /// Written at its right end.
    pub label: Option<&'static str>,
    pub colour: &'static str,
    pub points: Vec<(f64, f64)>,
    /// The moment that the scene shows, or the moments that it goes through.
    pub marks: Vec<(f64, f64)>,
}

/// A chart: a box on the page, axes and curves.
pub struct Chart {
    pub title: &'static str,
    /// Left, top, width, height of the plotting area, pixels.
    pub area: (f64, f64, f64, f64),
    pub x: Axis,
    /// Written after the last number of the axis.
    pub x_unit: &'static str,
    pub y: Axis,
    /// A height to compare with, and what it is.
    pub level: Option<(f64, String)>,
    pub curves: Vec<Curve>,
}

impl Chart {
    /// Data ⇒ page.
    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (left, top, width, height) = self.area;
        (left + width * x / self.x.last, top + height * (1.0 - y / self.y.last))
    }

    pub fn draw(&self, svg: &mut Svg) {
        let (left, top, width, _) = self.area;
        svg.text((left - 46.0, top - 20.0), Style::heading(TEXT + 2.0, INK), self.title);
        self.draw_axes(svg);
        if let Some((height, text)) = &self.level {
            let ends = [self.place((0.0, *height)), self.place((self.x.last, *height))];
            svg.line(&ends, Pen { width: 1.8, colour: MUTED, dash: 6.0 });
            svg.text((left + 8.0, ends[0].1 - 7.0), Style::plain(TEXT - 2.0, MUTED), text);
        }
        for curve in &self.curves {
            svg.line(&self.thinned(curve), Pen { width: 4.0, colour: curve.colour, dash: 0.0 });
            let marks: Vec<_> = curve.marks.iter().map(|mark| self.place(*mark)).collect();
            match marks[..] {
                [mark] => svg.dot(mark, 7.0, PANEL.0, curve.colour),
                _ => svg.moving_dot(&marks, 7.0, PANEL.0, curve.colour),
            }
        }
        self.draw_labels(svg, left + width + 10.0);
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
        let small = Style { size: TEXT - 2.0, colour: MUTED, bold: false, anchor: Anchor::End };
        for (y, text) in self.y.ticks() {
            let (start, end) = (self.place((0.0, y)), self.place((self.x.last, y)));
            svg.line(&[start, end], Pen { width: 1.2, colour: GRID, dash: 0.0 });
            svg.text((start.0 - 10.0, start.1 + 7.0), small, &text);
        }
        let foot = [self.place((0.0, 0.0)), self.place((self.x.last, 0.0))];
        svg.line(&foot, Pen { width: 1.6, colour: AXIS, dash: 0.0 });
        let below = self.area.1 + self.area.3 + 27.0;
        let middle = Style { anchor: Anchor::Middle, ..small };
        for (x, text) in self.x.ticks() {
            svg.text((self.place((x, 0.0)).0, below), middle, &text);
        }
        svg.text((foot[1].0 + 24.0, below), Style { anchor: Anchor::Start, ..small }, self.x_unit);
    }

    /// Names at the right end of the curves, moved apart where they would touch.
    fn draw_labels(&self, svg: &mut Svg, left: f64) {
        let mut order = Vec::new();
        for curve in &self.curves {
            order.extend(curve.label.zip(curve.points.last()).map(|(label, end)| {
                let style = Style::heading(TEXT, curve.colour);
                (label, style, self.place(*end).1)
            }));
        }
        order.sort_by(|a, b| a.2.total_cmp(&b.2));
        let mut above = f64::NEG_INFINITY;
        for (label, style, end) in order {
            let y = end.max(above + TEXT);
            svg.text((left, y + 7.0), style, label);
            above = y;
        }
    }
}
