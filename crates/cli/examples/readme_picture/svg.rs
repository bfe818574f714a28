//! A drawing in SVG: the few marks that the picture needs, appended to a text. Coordinates are pixels, y downwards.
//!
//! Below `scene` and `chart`; knows nothing of rovers.

use std::fmt::Write;

/// Fonts that exist on most machines, best first.
const FONTS: &str = "Inter, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";

/// What all paths share, and faces.
const STYLE: &str = "path{stroke-linejoin:round;stroke-linecap:round}.f{fill:currentColor;stroke:currentColor;stroke-width:.6}";

/// Where a text's given point lies.
#[derive(Clone, Copy)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text looks.
#[derive(Clone, Copy)]
pub struct Style<'a> {
    pub size: f64,
    pub colour: &'a str,
    pub bold: bool,
    pub anchor: Anchor,
}

impl<'a> Style<'a> {
    pub fn heading(size: f64, colour: &'a str) -> Style<'a> {
        Style { size, colour, bold: true, anchor: Anchor::Start }
    }

    pub fn plain(size: f64, colour: &'a str) -> Style<'a> {
        Style { size, colour, bold: false, anchor: Anchor::Start }
    }
}

/// How a line looks.
#[derive(Clone, Copy)]
pub struct Pen<'a> {
    pub width: f64,
    pub colour: &'a str,
    /// Length of dashes; zero for a full line.
    pub dash: f64,
}

/// The drawing so far.
pub struct Svg {
    body: String,
    size: (f64, f64),
}

impl Svg {
    pub fn new(size: (f64, f64)) -> Svg {
        Svg { body: String::new(), size }
    }

    /// Appends formatted text. Writing to a text cannot fail.
    pub fn put(&mut self, mark: std::fmt::Arguments) {
        let _ = self.body.write_fmt(mark);
        self.body.push('\n');
    }

    pub fn panel(&mut self, fill: &str, edge: &str) {
        let (w, h) = self.size;
        self.put(format_args!(
            r#"<rect x="1" y="1" width="{}" height="{}" rx="14" fill="{fill}" stroke="{edge}"/>"#,
            w - 2.0,
            h - 2.0
        ));
    }

    /// A filled polygon; the thin stroke of its own colour (class `f`) closes the seams between neighbours.
    pub fn polygon(&mut self, points: &[(f64, f64)], colour: &str) {
        self.put(format_args!(r#"<path class="f" color="{colour}" d="{}"/>"#, path(points, true)));
    }

    /// A gradient from one height of the page to another, stops from 0 to 1; returns what to fill with.
    pub fn gradient(&mut self, name: &str, (top, bottom): (f64, f64), stops: &[(f64, String)]) -> String {
        self.put(format_args!(
            r#"<linearGradient id="{name}" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="{top:.1}" y2="{bottom:.1}">"#
        ));
        for (at, colour) in stops {
            self.put(format_args!(r#"<stop offset="{at:.3}" stop-color="{colour}"/>"#));
        }
        self.put(format_args!("</linearGradient>"));
        format!("url(#{name})")
    }

    /// What follows is cut to a rectangle with round corners, until [`Svg::end_frame`].
    pub fn begin_frame(&mut self, [left, top, right, bottom]: [f64; 4], radius: f64) {
        let (w, h) = (right - left, bottom - top);
        self.put(format_args!(
            r#"<clipPath id="frame"><rect x="{left}" y="{top}" width="{w}" height="{h}" rx="{radius}"/></clipPath>"#
        ));
        self.put(format_args!(r#"<g clip-path="url(#frame)">"#));
    }

    pub fn end_frame(&mut self) {
        self.put(format_args!("</g>"));
    }

    /// Many polygons as one form, so that overlaps do not show; `fill` may be a gradient.
    pub fn form(&mut self, all: &[Vec<(f64, f64)>], fill: &str) {
        let path: String = all.iter().map(|points| path(points, true)).collect();
        self.put(format_args!(r#"<path d="{path}" fill="{fill}"/>"#));
    }

    pub fn line(&mut self, points: &[(f64, f64)], pen: Pen) {
        let Pen { width, colour, dash } = pen;
        let dashes =
            if dash > 0.0 { format!(r#" stroke-dasharray="{dash} {}""#, 0.8 * dash) } else { String::new() };
        self.put(format_args!(
            r#"<path d="{}" fill="none" stroke="{colour}" stroke-width="{width}"{dashes}/>"#,
            path(points, false)
        ));
    }

    /// A text in the middle of a rounded box.
    pub fn pill(&mut self, (x, y): (f64, f64), style: Style, fill: &str, text: &str) {
        // About the mean width of a character in these fonts.
        let w = style.size * (0.62 * text.chars().count() as f64 + 0.8);
        let h = 1.4 * style.size;
        self.put(format_args!(
            r#"<rect x="{:.1}" y="{:.1}" width="{w:.1}" height="{h:.1}" rx="{:.1}" fill="{fill}"/>"#,
            x - 0.5 * w,
            y - 0.5 * h,
            0.3 * h
        ));
        self.text((x, y + 0.36 * style.size), Style { anchor: Anchor::Middle, ..style }, text);
    }

    /// A disc with an edge.
    pub fn dot(&mut self, (x, y): (f64, f64), radius: f64, fill: &str, edge: &str) {
        self.put(format_args!(
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius}" fill="{fill}" stroke="{edge}" stroke-width="4"/>"#
        ));
    }

    /// An arrow whose head ends at `to`.
    pub fn arrow(&mut self, from: (f64, f64), to: (f64, f64), width: f64, colour: &str) {
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let (ux, uy) = ((to.0 - from.0) / length, (to.1 - from.1) / length);
        let at = |back: f64, side: f64| (to.0 - back * ux - side * uy, to.1 - back * uy + side * ux);
        self.line(&[from, at(3.0 * width, 0.0)], Pen { width, colour, dash: 0.0 });
        self.polygon(&[to, at(3.4 * width, 1.7 * width), at(3.4 * width, -1.7 * width)], colour);
    }

    pub fn text(&mut self, (x, y): (f64, f64), style: Style, text: &str) {
        let anchor = match style.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let weight = if style.bold { r#" font-weight="600""# } else { "" };
        self.put(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" font-size="{}" fill="{}" text-anchor="{anchor}"{weight}>{text}</text>"#,
            style.size, style.colour
        ));
    }

    /// The whole file; `about` is what a screen reader says.
    pub fn finish(self, about: &str) -> String {
        let (w, h) = self.size;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
             font-family=\"{FONTS}\" role=\"img\">\n<title>{about}</title>\n<style>{STYLE}</style>\n{}</svg>\n",
            self.body
        )
    }
}

/// Points as steps in tenths of a pixel; steps of nothing are left out.
pub fn path(points: &[(f64, f64)], closed: bool) -> String {
    let mut places = points.iter().map(|(x, y)| ((10.0 * x).round() as i64, (10.0 * y).round() as i64));
    let Some(mut last) = places.next() else { return String::new() };
    let mut d = String::from("M");
    put_pair(&mut d, last);
    let mut mark = 'l';
    for at in places {
        if at != last {
            d.push(mark);
            put_pair(&mut d, (at.0 - last.0, at.1 - last.1));
            (last, mark) = (at, ' ');
        }
    }
    if closed {
        d.push('z');
    }
    d
}

fn put_pair(text: &mut String, (x, y): (i64, i64)) {
    put_tenths(text, x);
    if y >= 0 {
        text.push(' ');
    }
    put_tenths(text, y);
}

/// A number of tenths without what can be left out.
fn put_tenths(text: &mut String, tenths: i64) {
    let (whole, rest) = (tenths.abs() / 10, tenths.abs() % 10);
    let sign = if tenths < 0 { "-" } else { "" };
    let _ = match (whole, rest) {
        (_, 0) => write!(text, "{sign}{whole}"),
        (0, _) => write!(text, "{sign}.{rest}"),
        _ => write!(text, "{sign}{whole}.{rest}"),
    };
}
