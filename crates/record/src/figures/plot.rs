//! Plots of many cases: lines, points, bars and cells on two axes, in the style of all figures.

use super::axis::{Axis, extent};
use super::chart::{Heading, RIGHT, SMALL, TEXT, WIDTH, axes};
use super::drawing::{Anchor, Colour, Drawing, Frame, Pen, Shape, Text, label};
use super::thin::thin;
use super::{Paper, font, svg};

/// Quantity on an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scale {
    /// Its name.
    pub label: String,
    /// Unit as printed.
    pub unit: String,
}

/// One kind of mark.
#[derive(Clone, Debug, PartialEq)]
pub enum Marks {
    /// A line through points.
    Line(Vec<[f64; 2]>),
    /// A thin dashed line through points.
    Dashed(Vec<[f64; 2]>),
    /// Dots.
    Dots(Vec<[f64; 2]>),
    /// Measured points with their deviation, a bar above and below: x, y, deviation. They are never joined.
    Measured(Vec<[f64; 3]>),
    /// Rectangles: left, bottom, right, top.
    Boxes(Vec<[f64; 4]>),
}

/// Marks with their name and colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Name in the legend; empty for none.
    pub label: String,
    /// Colour: red, green, blue.
    pub colour: [u8; 3],
    /// The marks.
    pub marks: Marks,
}

/// A plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// Description for readers who cannot see the plot.
    pub title: String,
    /// The horizontal axis.
    pub x: Scale,
    /// The vertical axis.
    pub y: Scale,
    /// Layers, the lowest first.
    pub layers: Vec<Layer>,
    /// Height of the frame, pixels.
    pub height: f64,
}

impl Marks {
    fn corners(&self) -> Vec<[f64; 2]> {
        match self {
            Marks::Line(points) | Marks::Dashed(points) | Marks::Dots(points) => points.clone(),
            Marks::Measured(points) => {
                let reach = |d: f64| if d.is_finite() { d } else { 0.0 };
                points.iter().flat_map(|[x, y, d]| [[*x, y - reach(*d)], [*x, y + reach(*d)]]).collect()
            }
            Marks::Boxes(boxes) => boxes.iter().flat_map(|[l, b, r, t]| [[*l, *b], [*r, *t]]).collect(),
        }
    }
}

/// The plot as SVG; none if there is nothing to draw.
pub fn plot_svg(plot: &Plot, paper: Paper) -> Option<String> {
    let corners: Vec<[f64; 2]> = plot.layers.iter().flat_map(|l| l.marks.corners()).collect();
    let finite = |p: &&[f64; 2]| p[0].is_finite() && p[1].is_finite();
    let boxed = plot.layers.iter().any(|l| matches!(l.marks, Marks::Boxes(_)));
    let across = extent(corners.iter().filter(finite).map(|p| p[0]))?;
    let upwards = extent(corners.iter().filter(finite).map(|p| p[1]))?;
    let axis = |range, scale: &Scale| {
        if boxed {
            Axis::tight(range, &scale.label, &scale.unit)
        } else {
            Axis::roomy(range, &scale.label, &scale.unit)
        }
    };
    let (x, y) = (axis(across, &plot.x), axis(upwards, &plot.y));
    let mut drawing = Drawing { width: WIDTH, height: 0.0, title: plot.title.clone(), shapes: Vec::new() };
    let heading = Heading { title: &plot.title, source: "", shown: paper == Paper::White };
    let mut top = heading.draw(&mut drawing);
    let left = 34.0 + y.ticks.iter().map(|t| font::width(&t.1, SMALL)).fold(0.0, f64::max);
    top = legend(plot, &mut drawing, left, top);
    let frame = [left, top, WIDTH - left - RIGHT, plot.height];
    axes(&mut drawing, frame, &x, &y);
    let place = |p: [f64; 2]| {
        let u = (p[0] - x.from) / (x.to - x.from);
        let v = (p[1] - y.from) / (y.to - y.from);
        [left + frame[2] * u, top + frame[3] * (1.0 - v)]
    };
    plot.layers.iter().for_each(|layer| draw(layer, &mut drawing, frame, &place));
    drawing.shapes.push(Shape::Outline(frame, Pen::thin(Colour::Muted)));
    drawing.height = top + plot.height + 48.0;
    Some(svg::write(&drawing, paper))
}

fn draw(layer: &Layer, drawing: &mut Drawing, frame: Frame, place: &dyn Fn([f64; 2]) -> [f64; 2]) {
    let colour = Colour::Rgb(layer.colour);
    let finite = |p: &&[f64; 2]| p[0].is_finite() && p[1].is_finite();
    let line = |points: &[[f64; 2]]| points.iter().filter(finite).map(|p| place(*p)).collect::<Vec<_>>();
    match &layer.marks {
        Marks::Line(points) => {
            drawing.shapes.push(Shape::Line(
                thin(&line(points)),
                Pen { colour, width: 1.8, dash: &[] },
                Some(frame),
            ));
        }
        Marks::Dashed(points) => {
            drawing.shapes.push(Shape::Line(
                line(points),
                Pen { colour, width: 1.4, dash: &[5.0, 3.0] },
                Some(frame),
            ));
        }
        Marks::Dots(points) => {
            drawing.shapes.extend(line(points).into_iter().map(|at| Shape::Dot(at, 2.2, colour)));
        }
        Marks::Measured(points) => {
            for [x, y, deviation] in points.iter().filter(|p| p[0].is_finite() && p[1].is_finite()) {
                if deviation.is_finite() {
                    let bar = [place([*x, y - deviation]), place([*x, y + deviation])];
                    drawing.line(&bar, Pen { colour, width: 1.4, dash: &[] });
                }
                drawing.shapes.push(Shape::Dot(place([*x, *y]), 3.2, colour));
            }
        }
        Marks::Boxes(boxes) => {
            for [l, b, r, t] in boxes.iter().filter(|b| b.iter().all(|v| v.is_finite())) {
                let ([x0, y1], [x1, y0]) = (place([*l, *b]), place([*r, *t]));
                let gap = if x1 - x0 > 4.0 { 0.5 } else { 0.0 };
                drawing
                    .shapes
                    .push(Shape::Fill([x0 + gap, y0, x1 - x0 - 2.0 * gap, (y1 - y0).max(0.0)], colour));
            }
        }
    }
}

/// Names of the layers in rows above the data; returns the lower end.
fn legend(plot: &Plot, drawing: &mut Drawing, left: f64, top: f64) -> f64 {
    let named: Vec<&Layer> = plot.layers.iter().filter(|l| !l.label.is_empty()).collect();
    if named.is_empty() {
        return top + 4.0;
    }
    let room = WIDTH - left - RIGHT;
    let (mut x, mut y) = (left, top + 12.0);
    for layer in named {
        let width = (18.0 + font::width(&layer.label, TEXT)).min(room);
        if x > left && x + width > left + room {
            (x, y) = (left, y + 18.0);
        }
        drawing.shapes.push(match layer.marks {
            Marks::Measured(_) => Shape::Dot([x + 5.5, y - 4.5], 3.2, Colour::Rgb(layer.colour)),
            _ => Shape::Fill([x, y - 9.0, 11.0, 9.0], Colour::Rgb(layer.colour)),
        });
        drawing.text(label(&layer.label, [x + 16.0, y], TEXT), width - 16.0);
        x += width + 18.0;
    }
    y + 10.0
}

/// Horizontal bars with intervals, each with its name; the first on top.
pub fn bars_svg(title: &str, unit: &str, bars: &[Bar], paper: Paper) -> Option<String> {
    const ROW: f64 = 34.0;
    let ends = bars.iter().flat_map(|b| b.parts.iter().flat_map(|p| [p.value, p.interval[0], p.interval[1]]));
    let (low, high) = extent(ends.chain([0.0]))?;
    let x = Axis::tight((low.min(0.0), high.max(1e-9)), title, unit);
    let names = bars.iter().map(|b| font::width(&b.name, TEXT)).fold(0.0, f64::max).min(0.4 * WIDTH);
    let mut drawing = Drawing { width: WIDTH, height: 0.0, title: title.into(), shapes: Vec::new() };
    let (left, top) = (names + 24.0, 14.0);
    let frame = [left, top, WIDTH - left - RIGHT, ROW * bars.len() as f64];
    let y = Axis { from: 0.0, to: 1.0, ticks: Vec::new(), title: String::new() };
    axes(&mut drawing, frame, &x, &y);
    let at = |v: f64| left + frame[2] * ((v - x.from) / (x.to - x.from)).clamp(0.0, 1.0);
    for (k, bar) in bars.iter().enumerate() {
        let row = top + ROW * k as f64;
        let name =
            Text { anchor: Anchor::End, ..label(&bar.name, [left - 8.0, row + 0.5 * ROW + 4.0], TEXT) };
        drawing.text(name, names + 8.0);
        let n = bar.parts.len().max(1) as f64;
        for (j, part) in bar.parts.iter().enumerate() {
            let height = (ROW - 10.0) / n;
            let y = row + 5.0 + height * j as f64;
            let (from, to) = (at(0.0).min(at(part.value)), at(0.0).max(at(part.value)));
            drawing.shapes.push(Shape::Fill([from, y, to - from, height - 1.0], Colour::Rgb(part.colour)));
            let [low, high] = part.interval;
            if low.is_finite() && high.is_finite() && high > low {
                let middle = y + 0.5 * (height - 1.0);
                drawing.line(
                    &[[at(low), middle], [at(high), middle]],
                    Pen { colour: Colour::Ink, width: 1.2, dash: &[] },
                );
            }
        }
    }
    drawing.shapes.push(Shape::Outline(frame, Pen::thin(Colour::Muted)));
    drawing.height = top + frame[3] + 48.0;
    Some(svg::write(&drawing, paper))
}

/// A row of bars.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Its name.
    pub name: String,
    /// Its bars, one below the other.
    pub parts: Vec<BarPart>,
}

/// A bar with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BarPart {
    /// Its length.
    pub value: f64,
    /// Ends of its interval; not finite for none.
    pub interval: [f64; 2],
    /// Red, green, blue.
    pub colour: [u8; 3],
}
