//! The font of the figures, DejaVu Sans cut down to Latin, Greek and mathematical signs: widths for the
//! layout, outlines for PNG.

use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// Font family that an SVG requests; other fonts are mostly narrower, so that a text that fits in this one
/// fits in them.
pub(super) const FAMILY: &str = "'DejaVu Sans', Verdana, 'Segoe UI', system-ui, sans-serif";

static FONT: &[u8] = include_bytes!("../../fonts/DejaVuSans-subset.ttf");
/// Width of a character if the font cannot be read, as a fraction of the font size.
const FALLBACK: f64 = 0.6;

fn face() -> Option<Face<'static>> {
    Face::parse(FONT, 0).ok()
}

/// The glyph of a character (a box if there is none) and its width in sizes.
fn glyph(face: &Face, c: char) -> (GlyphId, f64) {
    let id = face.glyph_index(c).unwrap_or(GlyphId(0));
    (id, f64::from(face.glyph_hor_advance(id).unwrap_or(0)) / f64::from(face.units_per_em()))
}

/// Width of a text, pixels.
pub(super) fn width(text: &str, size: f64) -> f64 {
    match face() {
        Some(face) => text.chars().map(|c| glyph(&face, c).1).sum::<f64>() * size,
        None => text.chars().count() as f64 * FALLBACK * size,
    }
}

/// Draws glyphs one after the other.
pub(super) trait Pencil: OutlineBuilder {
    /// The next glyph starts at this x, with this scale from units to pixels.
    fn begin(&mut self, x: f64, scale: f64);
}

/// Draws the outlines of a text that starts at the origin, in units of the font with y upwards.
pub(super) fn outline(text: &str, size: f64, pencil: &mut impl Pencil) {
    let Some(face) = face() else { return };
    let scale = size / f64::from(face.units_per_em());
    let mut x = 0.0;
    for c in text.chars() {
        let (id, advance) = glyph(&face, c);
        pencil.begin(x, scale);
        face.outline_glyph(id, pencil);
        x += advance * size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The font can be read and contains what axes need: digits, minus, degree, powers, Greek.
    #[test]
    fn the_font_has_what_figures_need() {
        let face = face().expect("the font is part of the program");
        for c in "0123456789−+.,·×°µ²³⁻⁰¹⁹ωδφ…–%[]()éÅ".chars() {
            assert!(face.glyph_index(c).is_some(), "{c}");
        }
        assert!(width("mm", 10.0) > width("ii", 10.0) && width("", 10.0) == 0.0);
    }
}
