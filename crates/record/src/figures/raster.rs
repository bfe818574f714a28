//! A drawing as PNG: shapes filled and stroked with tiny-skia, text by the outlines of its glyphs.

use super::drawing::{Anchor, Colour, Drawing, Frame, Image, Pen, Shape, Text};
use super::{font, svg};
use tiny_skia::{
    Color, FillRule, FilterQuality, LineJoin, Mask, Paint, PathBuilder, Pixmap, PixmapPaint, PixmapRef, Rect,
    Stroke, StrokeDash, Transform,
};
use ttf_parser::OutlineBuilder;

/// Pixels of the file per pixel of the drawing: sharp on paper and on fine screens.
const FINENESS: f32 = 2.0;

/// The drawing as a PNG file; `None` if it is too large or has no size.
pub(super) fn write(drawing: &Drawing) -> Option<Vec<u8>> {
    let size = |length: f64| (length * f64::from(FINENESS)).ceil() as u32;
    let mut pixmap = Pixmap::new(size(drawing.width), size(drawing.height))?;
    pixmap.fill(Color::WHITE);
    for shape in &drawing.shapes {
        draw(&mut pixmap, shape);
    }
    pixmap.encode_png().ok()
}

/// An image as a PNG file of its own.
pub(super) fn encode_image(image: &Image) -> Option<Vec<u8>> {
    pixmap_of(image)?.encode_png().ok()
}

fn pixmap_of(image: &Image) -> Option<Pixmap> {
    let mut pixmap = Pixmap::new(u32::try_from(image.columns).ok()?, u32::try_from(image.rows).ok()?)?;
    for (pixel, [r, g, b, a]) in pixmap.pixels_mut().iter_mut().zip(&image.pixels) {
        *pixel = tiny_skia::ColorU8::from_rgba(*r, *g, *b, *a).premultiply();
    }
    Some(pixmap)
}

fn draw(pixmap: &mut Pixmap, shape: &Shape) -> Option<()> {
    let fine = Transform::from_scale(FINENESS, FINENESS);
    match shape {
        Shape::Fill(frame, colour) => pixmap.fill_rect(rect(*frame)?, &paint(*colour), fine, None),
        Shape::Outline(frame, pen) => {
            let path = PathBuilder::from_rect(rect(*frame)?);
            pixmap.stroke_path(&path, &paint(pen.colour), &stroke(*pen), fine, None);
        }
        Shape::Dot([x, y], r, colour) => {
            let path = PathBuilder::from_circle(*x as f32, *y as f32, *r as f32)?;
            pixmap.fill_path(&path, &paint(*colour), FillRule::Winding, fine, None);
        }
        Shape::Line(points, pen, within) => {
            let mut path = PathBuilder::new();
            for (i, [x, y]) in points.iter().enumerate() {
                let (x, y) = (*x as f32, *y as f32);
                if i == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
            }
            let mask = within.and_then(|frame| mask(pixmap, frame));
            pixmap.stroke_path(&path.finish()?, &paint(pen.colour), &stroke(*pen), fine, mask.as_ref());
        }
        Shape::Text(text) => draw_text(pixmap, text)?,
        Shape::Image(frame, image) => {
            let source = pixmap_of(image)?;
            draw_image(pixmap, source.as_ref(), *frame);
        }
    }
    Some(())
}

fn draw_image(pixmap: &mut Pixmap, source: PixmapRef, [left, top, width, height]: Frame) {
    let scale = |length: f64, pixels: u32| length as f32 / pixels as f32 * FINENESS;
    let (sx, sy) = (scale(width, source.width()), scale(height, source.height()));
    let place = Transform::from_row(sx, 0.0, 0.0, sy, left as f32 * FINENESS, top as f32 * FINENESS);
    let quality = PixmapPaint { quality: FilterQuality::Nearest, ..PixmapPaint::default() };
    pixmap.draw_pixmap(0, 0, source, &quality, place, None);
}

fn rect([left, top, width, height]: Frame) -> Option<Rect> {
    Rect::from_xywh(left as f32, top as f32, width as f32, height as f32)
}

/// The part within a frame.
fn mask(pixmap: &Pixmap, frame: Frame) -> Option<Mask> {
    let mut mask = Mask::new(pixmap.width(), pixmap.height())?;
    let path = PathBuilder::from_rect(rect(frame)?);
    mask.fill_path(&path, FillRule::Winding, false, Transform::from_scale(FINENESS, FINENESS));
    Some(mask)
}

fn paint(colour: Colour) -> Paint<'static> {
    let [r, g, b] = svg::on_white(colour);
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, 255);
    paint
}

fn stroke(pen: Pen) -> Stroke {
    let dash = pen.dash.iter().map(|d| *d as f32).collect();
    Stroke {
        width: pen.width as f32,
        line_join: LineJoin::Round,
        dash: StrokeDash::new(dash, 0.0),
        ..Stroke::default()
    }
}

fn draw_text(pixmap: &mut Pixmap, text: &Text) -> Option<()> {
    let mut glyphs = Glyphs { path: PathBuilder::new(), x: 0.0, scale: 0.0 };
    font::outline(&text.text, text.size, &mut glyphs);
    let length = font::width(&text.text, text.size) as f32;
    let shift = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -0.5 * length,
        Anchor::End => -length,
    };
    let [x, y] = text.at.map(|place| place as f32);
    let turn = if text.upwards { Transform::from_rotate(-90.0) } else { Transform::identity() };
    let place = Transform::from_translate(shift, 0.0)
        .post_concat(turn)
        .post_translate(x, y)
        .post_scale(FINENESS, FINENESS);
    pixmap.fill_path(&glyphs.path.finish()?, &paint(text.colour), FillRule::Winding, place, None);
    Some(())
}

/// Appends outlines of glyphs to the path, in units of the font with y upwards.
struct Glyphs {
    path: PathBuilder,
    x: f32,
    scale: f32,
}

impl Glyphs {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + self.scale * x, -self.scale * y)
    }
}

impl font::Pencil for Glyphs {
    fn begin(&mut self, x: f64, scale: f64) {
        (self.x, self.scale) = (x as f32, scale as f32);
    }
}

impl OutlineBuilder for Glyphs {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.path.close();
    }
}
