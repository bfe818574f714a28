//! A drawing as SVG: on white paper for a file, or in the colours of the page that contains it.

use super::Paper;
use super::drawing::{Anchor, Colour, Drawing, Frame, Image, Pen, Shape, Text};
use super::{font, raster};
use std::fmt::Write;

/// The drawing as one `<svg>` element. Every text in it is escaped.
pub(super) fn write(drawing: &Drawing, paper: Paper) -> String {
    let mut out = String::new();
    let (w, h) = (number(drawing.width), number(drawing.height));
    let title = escaped(&drawing.title);
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" \
         font-family=\"{}\">\n<title>{title}</title>\n",
        font::FAMILY
    );
    if paper == Paper::White {
        let _ = writeln!(out, "<rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>");
    }
    for shape in &drawing.shapes {
        write_shape(&mut out, shape, paper);
    }
    out + "</svg>\n"
}

fn write_shape(out: &mut String, shape: &Shape, paper: Paper) {
    let _ = match shape {
        Shape::Fill(frame, colour) => {
            writeln!(out, "<rect {} {}/>", placed(*frame), painted("fill", *colour, paper))
        }
        Shape::Outline(frame, pen) => {
            writeln!(out, "<rect {} fill=\"none\" {}/>", placed(*frame), stroke(*pen, paper))
        }
        Shape::Dot([x, y], r, colour) => {
            let (x, y, r) = (number(*x), number(*y), number(*r));
            writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" {}/>", painted("fill", *colour, paper))
        }
        Shape::Line(points, pen, within) => write_line(out, points, *pen, *within, paper),
        Shape::Text(text) => write_text(out, text, paper),
        Shape::Image(frame, image) => write_image(out, *frame, image),
    };
}

/// A line. What lies outside its frame is clipped by a nested picture, which needs no name that could clash
/// with another figure's.
fn write_line(
    out: &mut String,
    points: &[[f64; 2]],
    pen: Pen,
    within: Option<Frame>,
    paper: Paper,
) -> std::fmt::Result {
    let [left, top, ..] = within.unwrap_or([0.0; 4]);
    if let Some(frame) = within {
        let [_, _, width, height] = frame.map(number);
        write!(out, "<svg {} viewBox=\"0 0 {width} {height}\" overflow=\"hidden\">", placed(frame))?;
    }
    write!(out, "<polyline fill=\"none\" stroke-linejoin=\"round\" {} points=\"", stroke(pen, paper))?;
    for (i, [x, y]) in points.iter().enumerate() {
        let space = if i > 0 { " " } else { "" };
        write!(out, "{space}{},{}", number(x - left), number(y - top))?;
    }
    writeln!(out, "\"/>{}", if within.is_some() { "</svg>" } else { "" })
}

fn write_text(out: &mut String, text: &Text, paper: Paper) -> std::fmt::Result {
    let [x, y] = text.at.map(number);
    let anchor = match text.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let turn = if text.upwards { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
    writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" text-anchor=\"{anchor}\" {}{turn}>{}</text>",
        number(text.size),
        painted("fill", text.colour, paper),
        escaped(&text.text)
    )
}

fn write_image(out: &mut String, frame: Frame, image: &Image) -> std::fmt::Result {
    let Some(png) = raster::encode_image(image) else { return Ok(()) };
    let data = base64(&png);
    writeln!(
        out,
        "<image {} preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{data}\"/>",
        placed(frame)
    )
}

fn placed(frame: Frame) -> String {
    let [x, y, w, h] = frame.map(number);
    format!("x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"")
}

fn stroke(pen: Pen, paper: Paper) -> String {
    let dash = if pen.dash.is_empty() {
        String::new()
    } else {
        let lengths: Vec<String> = pen.dash.iter().map(|d| number(*d)).collect();
        format!(" stroke-dasharray=\"{}\"", lengths.join(" "))
    };
    format!("{} stroke-width=\"{}\"{dash}", painted("stroke", pen.colour, paper), number(pen.width))
}

/// A colour as an attribute. On a page, the parts of the figure take the page's own colour at different
/// opacities.
fn painted(attribute: &str, colour: Colour, paper: Paper) -> String {
    let faint = match colour {
        Colour::Ink => 1.0,
        Colour::Muted => 0.7,
        Colour::Grid => 0.16,
        Colour::Shade => 0.06,
        Colour::Rgb(_) => f64::NAN,
    };
    match (paper, faint.is_nan()) {
        (Paper::Page, false) => format!("{attribute}=\"currentColor\" {attribute}-opacity=\"{faint}\""),
        _ => {
            let [r, g, b] = on_white(colour);
            format!("{attribute}=\"#{r:02x}{g:02x}{b:02x}\"")
        }
    }
}

/// A colour on white paper.
pub(super) fn on_white(colour: Colour) -> [u8; 3] {
    match colour {
        Colour::Ink => [0x1f, 0x23, 0x28],
        Colour::Muted => [0x5c, 0x63, 0x70],
        Colour::Grid => [0xe1, 0xe4, 0xe8],
        Colour::Shade => [0xf1, 0xf3, 0xf6],
        Colour::Rgb(rgb) => rgb,
    }
}

/// A coordinate to a hundredth of a pixel, as short as possible.
fn number(x: f64) -> String {
    let text = format!("{x:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".into() } else { short.into() }
}

/// Text escaped for XML, without control characters, which XML cannot represent.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let at = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for k in 0..4 {
            let sign = SIGNS[(bits >> (18 - 6 * k)) as usize & 63] as char;
            out.push(if k <= three.len() { sign } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of RFC 4648, section 10.
    #[test]
    fn base64_is_that_of_the_standard() {
        for (plain, coded) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    /// Coordinates are short and never in exponents, which some readers refuse.
    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0, -0.001, 12.5, 100.0, 1.0 / 3.0].map(number), ["0", "0", "12.5", "100", "0.33"]);
    }
}
