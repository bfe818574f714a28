//! Lines on two axes: title, legend above the data, bands of phases, grid, lines distinguished by colour and
//! by dash.

use super::axis::Axis;
use super::drawing::{Anchor, Colour, Drawing, Frame, Pen, Shape, Text, label};
use super::{font, thin};
use touchdown_sim::figure::Point;

/// Size of a chart, pixels.
pub(super) const WIDTH: f64 = 760.0;
const PLOT_HEIGHT: f64 = 320.0;
/// Space at the right for the last tick's label.
pub(super) const RIGHT: f64 = 26.0;
/// Font sizes, pixels.
pub(super) const TITLE: f64 = 16.0;
pub(super) const TEXT: f64 = 12.0;
pub(super) const SMALL: f64 = 11.0;
/// Height of the strip with the names of the phases.
const STRIP: f64 = 18.0;
/// Length of the sample of a line in the legend.
const SAMPLE: f64 = 26.0;
/// Radius of a point, pixels.
const DOT: f64 = 3.0;

/// Colours that can be distinguished with any kind of colour vision (Okabe & Ito, 2008).
pub const COLOURS: [[u8; 3]; 7] = [
    [0x00, 0x72, 0xb2],
    [0xd5, 0x5e, 0x00],
    [0x00, 0x9e, 0x73],
    [0xcc, 0x79, 0xa7],
    [0xe6, 0x9f, 0x00],
    [0x56, 0xb4, 0xe9],
    [0x7a, 0x7f, 0x87],
];
/// Dash patterns for lines beyond the number of colours.
const DASHES: [&[f64]; 4] = [&[], &[8.0, 4.0], &[2.5, 2.5], &[9.0, 3.0, 2.5, 3.0]];

/// The pen of the i-th line.
fn pen(i: usize) -> Pen {
    Pen { colour: Colour::Rgb(COLOURS[i % COLOURS.len()]), width: 1.8, dash: DASHES[i % DASHES.len()] }
}

/// A line of a chart; a value that is not a number makes a gap. A measured line is a row of dots.
pub(super) struct Curve {
    pub label: String,
    pub points: Vec<[f64; 2]>,
    pub measured: bool,
}

/// Points with error bars, never joined.
pub(super) struct PointSet {
    pub label: String,
    pub points: Vec<Point>,
}

/// A part of the horizontal axis.
pub(super) struct Band {
    pub label: String,
    pub from: f64,
    pub to: f64,
}

/// What a chart shows.
pub(super) struct Chart<'a> {
    pub heading: Heading<'a>,
    pub x: Axis,
    pub y: Axis,
    pub curves: Vec<Curve>,
    pub sets: Vec<PointSet>,
    pub bands: Vec<Band>,
}

impl Chart<'_> {
    pub fn draw(&self) -> Drawing {
        let mut drawing =
            Drawing { width: WIDTH, height: 0.0, title: self.heading.title.into(), shapes: Vec::new() };
        let mut top = self.heading.draw(&mut drawing);
        let left = 34.0 + self.y.ticks.iter().map(|t| font::width(&t.1, SMALL)).fold(0.0, f64::max);
        if self.curves.len() + self.sets.len() > 1 {
            top = self.legend(&mut drawing, left, top);
        }
        let strip = self.bands.iter().any(|band| band.from < self.x.to && band.to > self.x.from);
        top += if strip { STRIP } else { 4.0 };
        let frame = [left, top, WIDTH - left - RIGHT, PLOT_HEIGHT];
        self.shade(&mut drawing, frame);
        axes(&mut drawing, frame, &self.x, &self.y);
        for (i, curve) in self.curves.iter().enumerate() {
            self.curve(&mut drawing, frame, curve, pen(i));
        }
        for (i, set) in self.sets.iter().enumerate() {
            self.set(&mut drawing, frame, set, pen(self.curves.len() + i).colour);
        }
        drawing.shapes.push(Shape::Outline(frame, Pen::thin(Colour::Muted)));
        drawing.height = top + PLOT_HEIGHT + 48.0;
        drawing
    }

    /// Names of the lines in rows above the data, each with a sample; returns the lower end.
    fn legend(&self, drawing: &mut Drawing, left: f64, top: f64) -> f64 {
        const ROW: f64 = 18.0;
        const BETWEEN: f64 = 18.0;
        let room = WIDTH - left - RIGHT;
        let (mut x, mut y) = (left, top + 12.0);
        let curves = self.curves.iter().map(|curve| (&curve.label, curve.measured));
        let sets = self.sets.iter().map(|set| (&set.label, true));
        for (i, (name, marks)) in curves.chain(sets).enumerate() {
            let width = (SAMPLE + 6.0 + font::width(name, TEXT)).min(room);
            if x > left && x + width > left + room {
                (x, y) = (left, y + ROW);
            }
            if marks {
                drawing.shapes.push(Shape::Dot([x + 0.5 * SAMPLE, y - 4.0], DOT, pen(i).colour));
            } else {
                drawing.line(&[[x, y - 4.0], [x + SAMPLE, y - 4.0]], Pen { width: 2.2, ..pen(i) });
            }
            drawing.text(label(name, [x + SAMPLE + 6.0, y], TEXT), width - SAMPLE - 6.0);
            x += width + BETWEEN;
        }
        y + 6.0
    }

    /// Shaded phases, alternating where they touch, and named above the data where there is room.
    fn shade(&self, drawing: &mut Drawing, frame: Frame) {
        let [left, top, width, height] = frame;
        let at = |x: f64| {
            left + width * (x.clamp(self.x.from, self.x.to) - self.x.from) / (self.x.to - self.x.from)
        };
        let places: Vec<[f64; 2]> = self.bands.iter().map(|band| [at(band.from), at(band.to)]).collect();
        let (mut shaded, mut written) = (f64::NEG_INFINITY, left);
        for (i, [start, end]) in places.iter().copied().enumerate().filter(|(_, [start, end])| start < end) {
            if start > shaded {
                drawing.shapes.push(Shape::Fill([start, top, end - start, height], Colour::Shade));
                shaded = end;
            }
            for edge in [start, end] {
                drawing.line(&[[edge, top - 4.0], [edge, top]], Pen::thin(Colour::Muted));
            }
            let text = &self.bands[i].label;
            let length = font::width(text, SMALL);
            // A name that is too long for its phase may extend to the start of the next one.
            let first = if length < end - start { 0.5 * (start + end - length) } else { start };
            let limit = places.get(i + 1).map_or(left + width, |next| next[0].max(end));
            if first >= written && first + length <= limit {
                let text = Text { colour: Colour::Muted, ..label(text, [first, top - 6.0], SMALL) };
                drawing.text(text, length + 1.0);
                written = first + length + 6.0;
            }
        }
    }

    /// The scale from values to places in a frame.
    fn place(&self, frame: Frame) -> impl Fn([f64; 2]) -> [f64; 2] + '_ {
        let [left, top, width, height] = frame;
        move |[x, y]| {
            let across = left + width * ((x - self.x.from) / (self.x.to - self.x.from));
            [across, top + height * (1.0 - (y - self.y.from) / (self.y.to - self.y.from))]
        }
    }

    /// Points with their error bars.
    fn set(&self, drawing: &mut Drawing, frame: Frame, set: &PointSet, colour: Colour) {
        let place = self.place(frame);
        let bar = Pen { colour, width: 1.4, dash: &[] };
        for Point { at: [x, y], bars: [dx, dy] } in &set.points {
            for (from, to, bar_is_there) in
                [([x - dx, *y], [x + dx, *y], *dx > 0.0), ([*x, y - dy], [*x, y + dy], *dy > 0.0)]
            {
                if bar_is_there {
                    drawing.line(&[place(from), place(to)], bar);
                }
            }
            drawing.shapes.push(Shape::Dot(place([*x, *y]), DOT, colour));
        }
    }

    /// A line, cut where a value is not a number; a single point is a dot, and so is every measured one.
    fn curve(&self, drawing: &mut Drawing, frame: Frame, curve: &Curve, pen: Pen) {
        let place = self.place(frame);
        let finite = |p: &[f64; 2]| p[0].is_finite() && p[1].is_finite();
        if curve.measured {
            let dot = |p: &[f64; 2]| Shape::Dot(place(*p), DOT, pen.colour);
            drawing.shapes.extend(curve.points.iter().filter(|p| finite(p)).map(dot));
            return;
        }
        for run in curve.points.split(|p| !finite(p)).filter(|run| !run.is_empty()) {
            let points: Vec<[f64; 2]> = run.iter().map(|p| place(*p)).collect();
            match points.as_slice() {
                [only] => drawing.shapes.push(Shape::Dot(*only, DOT, pen.colour)),
                _ => drawing.shapes.push(Shape::Line(thin::thin(&points), pen, Some(frame))),
            }
        }
    }
}

/// Title and source.
#[derive(Clone, Copy)]
pub(super) struct Heading<'a> {
    pub title: &'a str,
    pub source: &'a str,
    pub shown: bool,
}

impl Heading<'_> {
    /// Draws the heading if it is to be shown; returns its lower end.
    pub fn draw(&self, drawing: &mut Drawing) -> f64 {
        const EDGE: f64 = 12.0;
        if !self.shown {
            return 6.0;
        }
        drawing.text(label(self.title, [EDGE, 26.0], TITLE), WIDTH - 2.0 * EDGE);
        if self.source.is_empty() {
            return 38.0;
        }
        let text = label(&format!("after {}", self.source), [EDGE, 43.0], SMALL);
        drawing.text(Text { colour: Colour::Muted, ..text }, WIDTH - 2.0 * EDGE);
        52.0
    }
}

/// Grid, ticks and titles of both axes around a frame.
pub(super) fn axes(drawing: &mut Drawing, frame: Frame, x: &Axis, y: &Axis) {
    let [left, top, width, height] = frame;
    let bottom = top + height;
    let grid = Pen::thin(Colour::Grid);
    let small = |text: &str, at: [f64; 2], anchor: Anchor| Text {
        anchor,
        colour: Colour::Muted,
        ..label(text, at, SMALL)
    };
    for (value, text) in &x.ticks {
        let at = left + width * (value - x.from) / (x.to - x.from);
        drawing.line(&[[at, top], [at, bottom]], grid);
        drawing.text(small(text, [at, bottom + 16.0], Anchor::Middle), width);
    }
    for (value, text) in &y.ticks {
        let at = top + height * (1.0 - (value - y.from) / (y.to - y.from));
        let pen = if *value == 0.0 { Pen::thin(Colour::Muted) } else { grid };
        drawing.line(&[[left, at], [left + width, at]], pen);
        drawing.text(small(text, [left - 6.0, at + 4.0], Anchor::End), left);
    }
    let centred = |text: &str, at: [f64; 2]| Text { anchor: Anchor::Middle, ..label(text, at, TEXT) };
    drawing.text(centred(&x.title, [left + 0.5 * width, bottom + 36.0]), width);
    drawing.text(Text { upwards: true, ..centred(&y.title, [18.0, top + 0.5 * height]) }, height);
}
