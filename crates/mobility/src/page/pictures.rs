//! Pictures for the page: the shaded relief, and every layer in every heading, from the overviews of the files.

use super::PICTURES;
use crate::ResponseTable;
use crate::layers::{HEADINGS, Layer, LayersAccount, Small, heading_deg};
use crate::map::MapStageError;
use std::fs::File;
use std::io::BufReader;
use tiff::decoder::{Decoder, DecodingResult};
use touchdown_record::Place;

/// The light comes from the north-west, 45 degrees high, as in every picture of a map.
const LIGHT: [f64; 3] = [-0.5, 0.5, std::f64::consts::FRAC_1_SQRT_2];
/// Part of the light that reaches every slope.
const AMBIENT: f64 = 0.25;
/// Slopes of this root mean square are shaded as they are; gentler ground is shaded steeper.
const SHOWN_SLOPE: f64 = 0.35;
const STEEPEST: f64 = 20.0;
/// Colours of values, from low to high: viridis (N. J. Smith and S. van der Walt, 2015; public domain), even in lightness and seen by everyone.
pub(super) const STOPS: [[f64; 3]; 9] = [
    [68.0, 1.0, 84.0],
    [71.0, 44.0, 122.0],
    [59.0, 81.0, 139.0],
    [44.0, 113.0, 142.0],
    [33.0, 144.0, 141.0],
    [39.0, 173.0, 129.0],
    [92.0, 200.0, 99.0],
    [170.0, 220.0, 50.0],
    [253.0, 231.0, 37.0],
];

/// The pictures of a layer, one for each heading: `map/NAME-HEADING.png`.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Which layer.
    pub layer: Layer,
    /// The values of the first and the last colour.
    pub range: [f64; 2],
}

impl Picture {
    /// Where the picture of a heading lies beside the page.
    pub fn path(&self, heading: usize) -> String {
        format!("{PICTURES}/{}", file(self.layer, heading))
    }
}

fn file(layer: Layer, heading: usize) -> String {
    format!("{}-{:03}.png", layer.name(), heading_deg(heading))
}

/// Writes the pictures of layers that stand in the folder, and the relief.
pub fn write_pictures(
    account: &LayersAccount,
    layers: &[Layer],
    table: &ResponseTable,
    out: &Place,
) -> Result<Vec<Picture>, MapStageError> {
    let folder = out.make_below(PICTURES)?;
    let small = &account.small;
    folder.write("relief.png", &relief(small)?)?;
    let mut pictures = Vec::new();
    for layer in layers {
        let values = overview(*layer, small, table, out)?;
        let known = values.iter().copied().filter(|value| !value.is_nan());
        let found =
            known.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)]);
        let range = match layer {
            Layer::PStuck | Layer::PTip | Layer::Validity => [0.0, 1.0],
            Layer::Interval => [0.0, found[1].max(1e-3)],
            _ if found[0] <= found[1] => found,
            _ => [0.0, 1.0],
        };
        for heading in 0..HEADINGS {
            let band = values.iter().skip(heading).step_by(HEADINGS);
            let pixels: Vec<u8> = band.map(|value| colour_number(*value, range)).collect();
            folder.write(&file(*layer, heading), &png(small, &pixels, palette(tint))?)?;
        }
        pictures.push(Picture { layer: *layer, range });
    }
    Ok(pictures)
}

/// Values of the overview of a layer that lies on the squares of the small map, band by band for each.
fn overview(
    layer: Layer,
    small: &Small,
    table: &ResponseTable,
    out: &Place,
) -> Result<Vec<f64>, MapStageError> {
    let name = layer.file();
    let failed = |why: String| MapStageError::Unreadable { file: name.clone(), why };
    let file = File::open(out.path_of(&name)).map_err(|error| failed(error.to_string()))?;
    let mut decoder = Decoder::new(BufReader::new(file)).map_err(|error| failed(error.to_string()))?;
    let size = (small.columns as u32, small.rows as u32);
    while decoder.dimensions().map_err(|error| failed(error.to_string()))? != size {
        decoder
            .next_image()
            .map_err(|_| failed(format!("it has no overview of {} × {} pixels", size.0, size.1)))?;
    }
    match decoder.read_image().map_err(|error| failed(error.to_string()))? {
        DecodingResult::I16(counts) => {
            let scale = layer.scale(table);
            let value = |count: i16| if count == i16::MIN { f64::NAN } else { f64::from(count) * scale };
            Ok(counts.into_iter().map(value).collect())
        }
        _ => Err(failed("it does not hold whole numbers of 16 bits".into())),
    }
}

/// 0 where there is no data, else 1 to 255.
fn colour_number(value: f64, [low, high]: [f64; 2]) -> u8 {
    if value.is_nan() {
        return 0;
    }
    let part = ((value - low) / (high - low).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    1 + (254.0 * part).round() as u8
}

/// A palette whose first colour is clear.
fn palette(colour: impl Fn(f64) -> [u8; 3]) -> Vec<u8> {
    let rest = (1..256).flat_map(|k| colour(f64::from(k - 1) / 254.0));
    [0; 3].into_iter().chain(rest).collect()
}

/// The colour of a part of the range.
pub(super) fn tint(part: f64) -> [u8; 3] {
    let at = part.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let below = (at.floor() as usize).min(STOPS.len() - 2);
    let rest = at - below as f64;
    std::array::from_fn(|k| (STOPS[below][k] + rest * (STOPS[below + 1][k] - STOPS[below][k])).round() as u8)
}

/// Shaded relief in grey.
fn relief(small: &Small) -> Result<Vec<u8>, MapStageError> {
    let (columns, rows) = (small.columns, small.rows);
    let height = |column: usize, row: usize| f64::from(small.heights[row * columns + column]);
    let slope = |column: usize, row: usize| -> [f64; 2] {
        // One-sided beside holes and at the border.
        let along = |before: Option<f64>, here: f64, after: Option<f64>| {
            let [before, after] = [before, after].map(|z| z.filter(|z| !z.is_nan()));
            match (before, after) {
                (Some(a), Some(b)) => 0.5 * (b - a),
                (Some(a), None) => here - a,
                (None, Some(b)) => b - here,
                (None, None) => 0.0,
            }
        };
        let here = height(column, row);
        let x = along(
            column.checked_sub(1).map(|c| height(c, row)),
            here,
            (column + 1 < columns).then(|| height(column + 1, row)),
        );
        let y = along(
            (row + 1 < rows).then(|| height(column, row + 1)),
            here,
            row.checked_sub(1).map(|r| height(column, r)),
        );
        [x / small.spacing, y / small.spacing]
    };
    let nodes = || (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let (mut sum, mut count) = (0.0, 0.0);
    for (column, row) in nodes().filter(|(column, row)| !height(*column, *row).is_nan()) {
        let [x, y] = slope(column, row);
        sum += x * x + y * y;
        count += 1.0;
    }
    let steeper = (SHOWN_SLOPE / (sum / f64::max(count, 1.0)).sqrt()).clamp(1.0, STEEPEST);
    let pixel = |(column, row): (usize, usize)| {
        if height(column, row).is_nan() {
            return 0;
        }
        let [x, y] = slope(column, row).map(|slope| slope * steeper);
        let lit = (LIGHT[2] - x * LIGHT[0] - y * LIGHT[1]) / (1.0 + x * x + y * y).sqrt();
        let light = AMBIENT + (1.0 - AMBIENT) * lit.max(0.0);
        1 + (254.0 * light.min(1.0)).round() as u8
    };
    let pixels: Vec<u8> = nodes().map(pixel).collect();
    png(small, &pixels, palette(|part| [(255.0 * part).round() as u8; 3]))
}

/// A picture of colour numbers; number 0 is clear.
fn png(small: &Small, pixels: &[u8], palette: Vec<u8>) -> Result<Vec<u8>, MapStageError> {
    let failed =
        |error: png::EncodingError| MapStageError::Write { file: PICTURES.into(), why: error.to_string() };
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, small.columns as u32, small.rows as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette);
    encoder.set_trns(vec![0]);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(pixels).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(bytes)
}
