//! A drawing in SVG: the few marks that the picture needs, appended to a text. Coordinates are pixels, y downwards.
//!
//! Below `scene` and `chart`; knows nothing of rovers.

use std::fmt::Write;

/// Fonts that exist on most machines, best first.
const FONTS: &str = "Inter, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";

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
    fn put(&mut self, mark: std::fmt::Arguments) {
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

    /// A filled polygon; the thin stroke of its own colour closes the seams between neighbours.
    pub fn polygon(&mut self, points: &[(f64, f64)], fill: &str) {
        let path = path(points, true);
        self.put(format_args!(
            r#"<path d="{path}" fill="{fill}" stroke="{fill}" stroke-width=".6" stroke-linejoin="round"/>"#
        ));
    }

    /// Many polygons as one form, so that overlaps do not show.
    pub fn polygons(&mut self, all: &[Vec<(f64, f64)>], fill: &str) {
        let path: String = all.iter().map(|points| path(points, true)).collect();
        self.put(format_args!(
            r#"<path d="{path}" fill="{fill}" stroke="{fill}" stroke-width=".6" stroke-linejoin="round"/>"#
        ));
    }

    pub fn line(&mut self, points: &[(f64, f64)], pen: Pen) {
        let Pen { width, colour, dash } = pen;
        let dashes =
            if dash > 0.0 { format!(r#" stroke-dasharray="{dash} {}""#, 0.8 * dash) } else { String::new() };
        self.put(format_args!(
            r#"<path d="{}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round"{dashes}/>"#,
            path(points, false)
        ));
    }

    /// A text with an edge of `halo`, legible over anything.
    pub fn label(&mut self, (x, y): (f64, f64), style: Style, halo: &str, text: &str) {
        self.put(format_args!(
            r#"<g stroke="{halo}" stroke-width="4" stroke-linejoin="round" paint-order="stroke">"#
        ));
        self.text((x, y), style, text);
        self.put(format_args!("</g>"));
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
             font-family=\"{FONTS}\" role=\"img\">\n<title>{about}</title>\n{}</svg>\n",
            self.body
        )
    }
}

fn path(points: &[(f64, f64)], closed: bool) -> String {
    let mut d = String::new();
    for (i, (x, y)) in points.iter().enumerate() {
        let _ = write!(d, "{}{x:.1} {y:.1}", if i == 0 { "M" } else { "L" });
    }
    if closed {
        d.push('Z');
    }
    d
}
