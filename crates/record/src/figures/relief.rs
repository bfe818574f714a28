//! A map from above: colours by height, shaded as if lit from the north-west, holes hatched; with a scale bar
//! and a legend of the colours.

use super::axis::{Axis, extent};
use super::chart::{self, Heading};
use super::drawing::{Anchor, Colour, Drawing, Frame, Image, Pen, Shape, Text, label};
use super::{raster, soil};
use touchdown_geometry::{Raster, Relief};
use touchdown_math::Elementary;

/// Maximum size of the map's picture, pixels of the drawing; the image has as many pixels for each of them as
/// the file has.
const WIDEST: f64 = 570.0;
const TALLEST: f64 = 560.0;
const FINENESS: f64 = 2.0;
/// The light comes from the north-west at 45 degrees, the convention of cartography.
const LIGHT: [f64; 3] = [-0.5, 0.5, std::f64::consts::FRAC_1_SQRT_2];
/// The root mean square of slopes that shading shows well. Flatter ground is shaded as if steeper, steeper
/// ground as if flatter, by a factor of up to `STEEPEST`.
const SHOWN_SLOPE: f64 = 0.35;
const STEEPEST: f64 = 20.0;
/// Fraction of the light that reaches every slope.
const AMBIENT: f64 = 0.3;

/// The map as a PNG file; `None` if it cannot be encoded.
pub fn relief_png(map: &Raster, title: &str) -> Option<Vec<u8>> {
    raster::write(&draw(map, title)).map(marked)
}

/// A text chunk of a PNG file: keyword, zero, text.
const MARK: &[u8] = b"tEXtSoftware\0touchdown terrain";
/// Signature and header of a PNG file, bytes; other chunks may follow.
const PNG_HEAD: usize = 33;

/// Marks the file as a picture of this program, which may be replaced.
fn marked(mut png: Vec<u8>) -> Vec<u8> {
    let mut sum = flate2::Crc::new();
    sum.update(MARK);
    let length = (MARK.len() - 4) as u32;
    let chunk = [&length.to_be_bytes()[..], MARK, &sum.sum().to_be_bytes()].concat();
    png.splice(PNG_HEAD..PNG_HEAD, chunk);
    png
}

/// Whether a file is a picture that [`relief_png`] drew.
pub fn is_relief(content: &[u8]) -> bool {
    content.get(PNG_HEAD + 4..).is_some_and(|rest| rest.starts_with(MARK))
}

/// The map as a drawing.
pub(super) fn draw(map: &Raster, title: &str) -> Drawing {
    const LEFT: f64 = 76.0;
    let [x, y] = [[map.origin()[0], map.columns() as f64], [map.origin()[1], map.rows() as f64]]
        .map(|[from, nodes]| (from, from + (nodes - 1.0) * map.spacing()));
    let size = [x.1 - x.0, y.1 - y.0];
    // Both axes have the same scale; a narrow strip of ground is still a pixel wide.
    let scale = (WIDEST / size[0]).min(TALLEST / size[1]);
    let [width, height] = size.map(|length| (length * scale).max(1.0));
    let grid = Heights::sample(map, [width, height].map(|pixels| (pixels * FINENESS).ceil() as usize));
    let range = extent(grid.values.iter().copied()).unwrap_or((0.0, 1.0));
    let exaggeration = grid.exaggeration();
    let mut drawing = Drawing { width: chart::WIDTH, height: 0.0, title: title.into(), shapes: Vec::new() };
    let light = match exaggeration {
        1.0 => "Light from the north-west.".to_string(),
        times => format!("Light from the north-west, slopes shaded {times} times as steep."),
    };
    let top = Heading { title, source: "", shown: true }.draw(&mut drawing);
    let about = Text { colour: Colour::Muted, ..label(&light, [12.0, top + 8.0], chart::SMALL) };
    drawing.text(about, chart::WIDTH - 24.0);
    let top = top + 22.0;
    let frame = [LEFT, top, width, height];
    chart::axes(&mut drawing, frame, &Axis::tight(x, "x", "m"), &Axis::tight(y, "y", "m"));
    let heights = Axis::tight(range, "height", "m");
    let part = |z: f64| (z - range.0) / (range.1 - range.0).max(f64::MIN_POSITIVE);
    drawing.shapes.push(Shape::Image(frame, grid.image(exaggeration, part)));
    drawing.shapes.push(Shape::Outline(frame, Pen::thin(Colour::Muted)));
    scale_bar(&mut drawing, frame, scale);
    let bar = [LEFT + width + 22.0, top, 16.0, height.clamp(160.0, 320.0)];
    soil::bar(&mut drawing, bar, &heights, |z| tint(part(z)));
    let mut below = top + bar[3];
    if grid.values.iter().any(|z| z.is_nan()) {
        below += 22.0;
        let sample = [bar[0], below, 16.0, 16.0];
        let pixels = (0..32 * 32).map(|k| hatch(k % 32, k / 32)).collect();
        drawing.shapes.push(Shape::Image(sample, Image { columns: 32, rows: 32, pixels }));
        drawing.shapes.push(Shape::Outline(sample, Pen::thin(Colour::Muted)));
        drawing.text(label("no data", [bar[0] + 24.0, below + 12.0], chart::SMALL), 60.0);
        below += 16.0;
    }
    drawing.height = (top + height + 48.0).max(below + 16.0);
    drawing
}

/// Heights at the pixels, rows from the north; not a number where they are unknown.
struct Heights {
    columns: usize,
    rows: usize,
    /// Distance between pixels, m.
    step: [f64; 2],
    values: Vec<f64>,
}

impl Heights {
    /// Interpolated between nodes where there are more pixels than nodes; the mean of a pixel's nodes where
    /// there are fewer. A pixel without nodes has no height.
    fn sample(map: &Raster, [columns, rows]: [usize; 2]) -> Heights {
        let (columns, rows) = (columns.max(2), rows.max(2));
        let step = [(map.columns(), columns), (map.rows(), rows)]
            .map(|(nodes, pixels)| (nodes - 1) as f64 * map.spacing() / pixels as f64);
        let is_fine = step[0] <= map.spacing() && step[1] <= map.spacing();
        let relief = Relief::Raster(map.clone());
        let mut values = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                // From the south-western corner, in pixels.
                let (i, j) = (column, rows - 1 - row);
                values.push(if is_fine {
                    let [x, y] =
                        [(i, 0), (j, 1)].map(|(k, side)| map.origin()[side] + (k as f64 + 0.5) * step[side]);
                    relief.height(x, y).unwrap_or(f64::NAN)
                } else {
                    mean(map, [span(i, columns, map.columns()), span(j, rows, map.rows())])
                });
            }
        }
        Heights { columns, rows, step, values }
    }

    /// Slopes to the east and to the north at a pixel, from neighbours that have heights.
    fn slope(&self, column: usize, row: usize) -> [f64; 2] {
        let at = |column: usize, row: usize| self.values[row * self.columns + column];
        let here = at(column, row);
        let (west, east) = (column.saturating_sub(1), (column + 1).min(self.columns - 1));
        let (north, south) = (row.saturating_sub(1), (row + 1).min(self.rows - 1));
        let known = |height: f64| if height.is_nan() { (here, 0.0) } else { (height, 1.0) };
        let difference = |from: f64, to: f64, step: f64| {
            let ((from, a), (to, b)) = (known(from), known(to));
            if a + b == 0.0 { 0.0 } else { (to - from) / (step * (a + b)) }
        };
        let x = difference(at(west, row), at(east, row), self.step[0]);
        let y = difference(at(column, south), at(column, north), self.step[1]);
        [x, y]
    }

    /// The factor by which slopes are exaggerated, to one digit.
    fn exaggeration(&self) -> f64 {
        let pixels = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (column, row)));
        let known = pixels.filter(|(column, row)| !self.values[row * self.columns + column].is_nan());
        let (sum, count) = known.fold((0.0, 0.0), |(sum, count), (column, row)| {
            let [x, y] = self.slope(column, row);
            (sum + x * x + y * y, count + 1.0)
        });
        let mean = f64::max(sum / f64::max(count, 1.0), f64::MIN_POSITIVE).sqrt();
        let times = (SHOWN_SLOPE / mean).clamp(1.0 / STEEPEST, STEEPEST);
        if times > 1.0 { times.round() } else { (10.0 * times).ceil() / 10.0 }
    }

    fn image(&self, exaggeration: f64, part: impl Fn(f64) -> f64) -> Image {
        let mut pixels = Vec::with_capacity(self.values.len());
        for (k, height) in self.values.iter().enumerate() {
            let (column, row) = (k % self.columns, k / self.columns);
            if height.is_nan() {
                pixels.push(hatch(column, row));
                continue;
            }
            let [x, y] = self.slope(column, row).map(|slope| slope * exaggeration);
            let lit = (LIGHT[2] - x * LIGHT[0] - y * LIGHT[1]) / (1.0 + x * x + y * y).sqrt();
            let light = AMBIENT + (1.0 - AMBIENT) * (lit / LIGHT[2]).max(0.0);
            let [r, g, b] = tint(part(*height)).map(|colour| shade(f64::from(colour), light));
            pixels.push([r, g, b, 255]);
        }
        Image { columns: self.columns, rows: self.rows, pixels }
    }
}

/// A colour in shade, or in more light than level ground receives, which moves it towards white and keeps its
/// hue.
fn shade(colour: f64, light: f64) -> u8 {
    let lit = if light <= 1.0 { colour * light } else { colour + (255.0 - colour) * (light - 1.0) };
    lit.round().clamp(0.0, 255.0) as u8
}

/// Nodes of a pixel.
fn span(pixel: usize, pixels: usize, nodes: usize) -> std::ops::Range<usize> {
    let from = pixel * nodes / pixels;
    from..((pixel + 1) * nodes / pixels).max(from + 1).min(nodes)
}

fn mean(map: &Raster, [columns, rows]: [std::ops::Range<usize>; 2]) -> f64 {
    let nodes = rows.flat_map(|row| columns.clone().map(move |column| (column, row)));
    let known = nodes.filter_map(|(column, row)| map.node(column, row));
    let (sum, count) = known.fold((0.0, 0.0), |(sum, count), height| (sum + height, count + 1.0));
    sum / count
}

/// Grey stripes: unknown ground.
fn hatch(column: usize, row: usize) -> [u8; 4] {
    let grey = if (column + row) % 12 < 3 { 150 } else { 226 };
    [grey, grey, grey, 255]
}

/// Lighter is higher, so that the colours can be distinguished with any kind of colour vision and in grey.
fn tint(part: f64) -> [u8; 3] {
    const STOPS: [[f64; 3]; 5] = [
        [52.0, 72.0, 104.0],
        [84.0, 122.0, 128.0],
        [150.0, 152.0, 116.0],
        [214.0, 184.0, 138.0],
        [250.0, 242.0, 226.0],
    ];
    let at = part.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let below = (at.floor() as usize).min(STOPS.len() - 2);
    let rest = at - below as f64;
    std::array::from_fn(|k| (STOPS[below][k] + rest * (STOPS[below + 1][k] - STOPS[below][k])).round() as u8)
}

/// A scale bar of a round length in the south-western corner.
fn scale_bar(drawing: &mut Drawing, [left, top, width, height]: Frame, scale: f64) {
    const ROOM: f64 = 10.0;
    let (length, text) = round_length(0.3 * width / scale);
    let pixels = length * scale;
    // Where the map is too small for the bar, the axes are sufficient.
    if width < 120.0 || height < 60.0 {
        return;
    }
    let (x, y) = (left + ROOM, top + height - ROOM);
    drawing.shapes.push(Shape::Fill([x, y - 28.0, pixels + 16.0, 28.0], Colour::Rgb([255, 255, 255])));
    let pen = Pen { width: 2.0, ..Pen::thin(Colour::Ink) };
    drawing.line(
        &[[x + 8.0, y - 10.0], [x + 8.0, y - 6.0], [x + 8.0 + pixels, y - 6.0], [x + 8.0 + pixels, y - 10.0]],
        pen,
    );
    let middle = label(&text, [x + 8.0 + 0.5 * pixels, y - 13.0], chart::SMALL);
    drawing.text(Text { anchor: Anchor::Middle, ..middle }, pixels.max(40.0));
}

/// 1, 2 or 5 times a power of ten, at most a length, m; and as text.
fn round_length(most: f64) -> (f64, String) {
    let magnitude = 10f64.power(most.decimal_log().floor());
    let length = [5.0, 2.0, 1.0].map(|k| k * magnitude).into_iter().find(|l| *l <= most).unwrap_or(magnitude);
    let (shown, unit) = match length {
        l if l >= 1000.0 => (l / 1000.0, "km"),
        l if l < 0.01 => (l * 1000.0, "mm"),
        l => (l, "m"),
    };
    (length, format!("{} {unit}", (shown * 1e6).round() / 1e6))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(columns: usize, rows: usize, height: impl Fn(usize, usize) -> f64) -> Raster {
        let heights =
            (0..rows).flat_map(|j| (0..columns).map(move |i| (i, j))).map(|(i, j)| height(i, j)).collect();
        Raster::new([0.0, 0.0], 2.0, columns, rows, heights).expect("sound")
    }

    /// Slopes that face the light are brighter than those that face away, on fine and on thinned-out maps;
    /// level ground keeps its colour.
    #[test]
    fn light_comes_from_the_north_west() {
        for nodes in [9, 3000] {
            let ridge = |sign: f64| {
                Heights::sample(&map(nodes, 9, |i, j| sign * 0.3 * (i as f64 - j as f64)), [40, 40])
                    .image(1.0, |_| 0.5)
            };
            let level = Heights::sample(&map(nodes, 9, |_, _| 3.0), [40, 40]).image(1.0, |_| 0.5);
            let at = |image: &Image| image.pixels[20 * 40 + 20][0];
            // Rising to the south-east, the ground faces the north-west.
            assert!(at(&ridge(1.0)) > at(&level) && at(&level) > at(&ridge(-1.0)));
            assert_eq!(at(&level), tint(0.5)[0]);
        }
    }

    /// Only holes are hatched; the picture has a note about them.
    #[test]
    fn holes_are_hatched() {
        let holed = map(9, 9, |i, j| if (i, j) == (4, 4) { f64::NAN } else { 1.0 });
        let grid = Heights::sample(&holed, [80, 80]);
        // The four cells around the node, a quarter of each side.
        let missing = grid.values.iter().filter(|z| z.is_nan()).count();
        assert_eq!(missing, 20 * 20);
        let says = |drawing: &Drawing| {
            drawing.shapes.iter().any(|s| matches!(s, Shape::Text(t) if t.text == "no data"))
        };
        assert!(says(&draw(&holed, "a map")) && !says(&draw(&map(9, 9, |_, _| 1.0), "a map")));
    }

    /// Scale bars have round lengths that fit.
    #[test]
    fn scale_bars_are_round() {
        for (most, length, text) in
            [(7.3, 5.0, "5 m"), (2400.0, 2000.0, "2 km"), (0.0042, 0.002, "2 mm"), (0.3, 0.2, "0.2 m")]
        {
            let (found, shown) = round_length(most);
            assert!((found - length).abs() < 1e-12 * length && shown == text, "{found} {shown}");
        }
    }
}
