//! What is written reads back, at every resolution and in every kind of numbers.

use super::*;
use crate::map::{self, MapOptions};
use std::io::Cursor;
use tiff::decoder::{Decoder, DecodingResult};

fn layout(columns: usize, rows: usize, stored: Stored, bands: usize) -> CogLayout {
    CogLayout {
        columns,
        rows,
        stored,
        no_data: Some(if stored == Stored::Class { 255.0 } else { -32768.0 }),
        halving: if stored == Stored::Class { Halving::First } else { Halving::Mean },
        bands: (0..bands).map(|band| format!("band {band} <m>")).collect(),
        place: GeoTags::local([1000.0, 2000.0], 0.5, "a test"),
    }
}

fn written(layout: CogLayout, value: impl Fn(usize, usize, usize) -> f32) -> Vec<u8> {
    let (columns, rows, bands) = (layout.columns, layout.rows, layout.bands.len());
    let mut cog = Cog::new(layout, || Ok(Cursor::new(Vec::new()))).expect("a layout");
    for row in 0..rows {
        let line: Vec<f32> = (0..columns * bands).map(|k| value(k / bands, row, k % bands)).collect();
        cog.row(&line).expect("a row");
    }
    let mut file = Vec::new();
    cog.finish(&mut file).expect("a file");
    file
}

/// Heights of more than one tile read back to the bit, with their place, their holes and two overviews.
#[test]
fn heights_read_back() {
    let height = |column: usize, row: usize| {
        if (column, row) == (700, 3) { f32::NAN } else { (column * column) as f32 * 1e-3 - row as f32 }
    };
    let file = written(layout(1100, 513, Stored::Float, 1), |column, row, _| height(column, row));
    let map = map::read(&file, "site.tif", &MapOptions::default()).expect("a map");
    assert_eq!((map.raster.columns(), map.raster.rows(), map.raster.spacing()), (1100, 513, 0.5));
    assert_eq!(map.raster.origin(), [1000.25, 2000.0 - 512.5 * 0.5]);
    assert_eq!(map.audit.no_data, 1);
    for (column, row) in [(0, 0), (511, 511), (512, 512), (1099, 0), (1099, 512), (37, 200)] {
        let expected = (column * column) as f32 * 1e-3 - row as f32;
        assert_eq!(map.raster.node(column, 512 - row), Some(f64::from(expected)), "{column}, {row}");
    }
    assert_eq!(map.raster.node(700, 512 - 3), None);
}

/// An overview's pixel is the mean of four; directories come before pixels, and pixels of overviews before those of the map.
#[test]
fn overviews_are_means_in_front() {
    let file = written(layout(1026, 5, Stored::Float, 1), |column, row, _| (column + 10 * row) as f32);
    let mut decoder = Decoder::new(Cursor::new(&file)).expect("a TIFF");
    let full = decoder.get_tag_u64_vec(tiff::tags::Tag::TileOffsets).expect("tiles");
    assert!(decoder.more_images());
    decoder.next_image().expect("an overview");
    assert_eq!(decoder.dimensions().expect("a size"), (513, 3));
    let half = decoder.get_tag_u64_vec(tiff::tags::Tag::TileOffsets).expect("tiles");
    assert!(half.iter().max() < full.iter().min());
    let DecodingResult::F32(values) = decoder.read_image().expect("pixels") else { panic!("floats") };
    // Columns 2 and 3 of rows 0 and 1: (2 + 3)/2 + (0 + 10)/2; the last row stands alone.
    assert_eq!(values[1], 7.5);
    assert_eq!(values[2 * 513 + 1], 42.5);
    decoder.next_image().expect("a second overview");
    assert_eq!(decoder.dimensions().expect("a size"), (257, 2));
    assert!(!decoder.more_images());
}

/// Whole numbers keep values to half a count, never become the mark, and stop at the ends of their range; eight bands lie side by side.
#[test]
fn scaled_numbers_and_bands() {
    let stored = Stored::Scaled { scale: 1e-3 };
    let file = written(layout(40, 30, stored, 8), |column, row, band| match (column, band) {
        (0, 0) => f32::NAN,
        (1, 0) => -32.768,
        (2, 0) => 1e9,
        _ => 0.01 * column as f32 + 0.1 * row as f32 - band as f32,
    });
    let mut decoder = Decoder::new(Cursor::new(&file)).expect("a TIFF");
    let DecodingResult::I16(values) = decoder.read_image().expect("pixels") else { panic!("whole numbers") };
    assert_eq!(values.len(), 40 * 30 * 8);
    assert_eq!((values[0], values[8], values[16]), (i16::MIN, i16::MIN + 1, i16::MAX));
    for (column, row, band) in [(3, 0, 0), (39, 29, 7), (20, 11, 5)] {
        let expected = 0.01 * column as f64 + 0.1 * row as f64 - band as f64;
        let found = f64::from(values[(row * 40 + column) * 8 + band]) * 1e-3;
        assert!((found - expected).abs() <= 0.5001e-3, "{found} instead of {expected}");
    }
}

/// Classes keep their numbers in overviews, too.
#[test]
fn classes_are_not_mixed() {
    let class = |column: usize, row: usize| if (column / 3 + row / 5).is_multiple_of(2) { 1.0 } else { 7.0 };
    let file = written(layout(600, 20, Stored::Class, 1), |column, row, _| class(column, row));
    let mut decoder = Decoder::new(Cursor::new(&file)).expect("a TIFF");
    for (width, step) in [(600, 1), (300, 2)] {
        let DecodingResult::U8(values) = decoder.read_image().expect("pixels") else { panic!("bytes") };
        assert_eq!(decoder.dimensions().expect("a size").0, width);
        for (k, value) in values.iter().enumerate() {
            let (column, row) = (k % width as usize * step, k / width as usize * step);
            assert_eq!(f32::from(*value), class(column, row), "{column}, {row}");
        }
        if step == 1 {
            decoder.next_image().expect("an overview");
        }
    }
}

/// Rows of the wrong length, too many and too few of them are refused.
#[test]
fn wrong_rows_are_refused() {
    let mut cog = Cog::new(layout(3, 1, Stored::Float, 2), || Ok(Cursor::new(Vec::new()))).expect("a layout");
    assert!(cog.row(&[0.0; 3]).is_err());
    cog.row(&[0.0; 6]).expect("a row");
    assert!(cog.row(&[0.0; 6]).is_err());
    let cog = Cog::new(layout(3, 1, Stored::Float, 1), || Ok(Cursor::new(Vec::new()))).expect("a layout");
    assert!(cog.finish(&mut Vec::new()).is_err());
    assert!(Cog::new(layout(0, 1, Stored::Float, 1), || Ok(Cursor::new(Vec::new()))).is_err());
}
