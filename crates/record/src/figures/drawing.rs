//! A picture as a list of shapes in pixels, before it becomes SVG or PNG.

use super::font;

/// A colour by its role in the figure, so that a page can use its own light and dark colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Colour {
    /// Text and the lines of axes.
    Ink,
    /// Small print.
    Muted,
    /// Lines of the grid.
    Grid,
    /// Bands behind the data.
    Shade,
    /// Data.
    Rgb([u8; 3]),
}

/// Anchor of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A stroke.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pen {
    pub colour: Colour,
    pub width: f64,
    /// Lengths of dashes and gaps; empty for a solid line.
    pub dash: &'static [f64],
}

impl Pen {
    pub fn thin(colour: Colour) -> Pen {
        Pen { colour, width: 1.0, dash: &[] }
    }
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Text {
    pub text: String,
    /// Its anchor on the base line.
    pub at: [f64; 2],
    pub size: f64,
    pub colour: Colour,
    pub anchor: Anchor,
    /// Rotated, to be read from below upwards.
    pub upwards: bool,
}

/// Left, top, width, height.
pub(super) type Frame = [f64; 4];

/// An image, row by row from the top; red, green, blue, opacity.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Image {
    pub columns: usize,
    pub rows: usize,
    pub pixels: Vec<[u8; 4]>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Fill(Frame, Colour),
    Outline(Frame, Pen),
    /// A line through points, clipped to a frame if there is one.
    Line(Vec<[f64; 2]>, Pen, Option<Frame>),
    Dot([f64; 2], f64, Colour),
    Text(Text),
    Image(Frame, Image),
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Drawing {
    pub width: f64,
    pub height: f64,
    /// Description for readers who cannot see the picture.
    pub title: String,
    pub shapes: Vec<Shape>,
}

impl Drawing {
    pub fn line(&mut self, points: &[[f64; 2]], pen: Pen) {
        self.shapes.push(Shape::Line(points.to_vec(), pen, None));
    }

    /// A text that is made smaller, and then cut, until it fits a width.
    pub fn text(&mut self, mut text: Text, width: f64) {
        /// Smaller text is not readable.
        const SMALLEST: f64 = 9.0;
        while font::width(&text.text, text.size) > width && text.size > SMALLEST {
            text.size = (text.size - 0.5).max(SMALLEST);
        }
        if font::width(&text.text, text.size) > width {
            let mut kept: Vec<char> = text.text.chars().take(400).collect();
            while !kept.is_empty()
                && font::width(&kept.iter().collect::<String>(), text.size) > width - text.size
            {
                kept.pop();
            }
            text.text = kept.into_iter().collect::<String>().trim_end().to_string() + "…";
        }
        self.shapes.push(Shape::Text(text));
    }
}

/// A text in ink that starts at a point.
pub(super) fn label(text: &str, at: [f64; 2], size: f64) -> Text {
    Text { text: text.into(), at, size, colour: Colour::Ink, anchor: Anchor::Start, upwards: false }
}
