//! One resolution of a map: a line of tiles is compressed row by row, and written to a scratch file when it
//! is full. The memory is that of one compressed line of tiles.

use super::directory::{Directory, Kind};
use super::{CogLayout, Halving, SOFTWARE, Stored, TILE};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::{self, Write};

pub(super) struct Level<S> {
    columns: usize,
    rows: usize,
    bands: usize,
    stored: Stored,
    no_data: Option<f64>,
    /// The tiles that are being filled, from west to east.
    tiles: Vec<ZlibEncoder<Vec<u8>>>,
    given: usize,
    /// A row of a tile, and its bytes.
    line: Vec<f32>,
    coded: Vec<u8>,
    /// The previous row, if it waits for the second row of a pair to be halved.
    waiting: Option<Vec<f32>>,
    scratch: S,
    written: u64,
    /// Length of each tile in bytes.
    counts: Vec<u64>,
}

impl<S: Write> Level<S> {
    pub fn new(
        columns: usize,
        rows: usize,
        bands: usize,
        stored: Stored,
        no_data: Option<f64>,
        scratch: S,
    ) -> Level<S> {
        let (tiles, line, coded, counts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (given, waiting, written) = (0, None, 0);
        Level {
            columns,
            rows,
            bands,
            stored,
            no_data,
            tiles,
            given,
            line,
            coded,
            waiting,
            scratch,
            written,
            counts,
        }
    }

    pub fn row(&mut self, values: &[f32]) -> io::Result<()> {
        let filled = self.given % TILE;
        self.given += 1;
        if filled == 0 {
            let tile = || ZlibEncoder::new(Vec::new(), Compression::new(6));
            self.tiles = (0..self.columns.div_ceil(TILE)).map(|_| tile()).collect();
        }
        let is_last = self.given == self.rows;
        // Pixels beyond the edge repeat those at the edge: they are never shown and compress well.
        let times = if is_last { TILE - filled } else { 1 };
        for tile in 0..self.tiles.len() {
            self.code(tile, values);
            for _ in 0..times {
                self.tiles[tile].write_all(&self.coded)?;
            }
        }
        if is_last || filled + 1 == TILE {
            self.write_tiles()?;
        }
        Ok(())
    }

    /// The row of the next resolution, from two rows, or from the last one alone.
    pub fn halved(&mut self, values: &[f32], halving: Halving) -> Option<Vec<f32>> {
        if self.waiting.is_none() && self.given < self.rows {
            self.waiting = Some(values.to_vec());
            return None;
        }
        let above = self.waiting.take();
        let above = above.as_deref().unwrap_or(values);
        let bands = self.bands;
        let mut half = Vec::with_capacity(self.columns.div_ceil(2) * bands);
        for west in (0..self.columns).step_by(2) {
            let east = (west + 1).min(self.columns - 1);
            for band in 0..bands {
                let [a, b] = [west, east].map(|column| column * bands + band);
                let four = [above[a], above[b], values[a], values[b]];
                half.push(match halving {
                    Halving::Mean => mean(four),
                    Halving::First => four.into_iter().find(|value| !value.is_nan()).unwrap_or(f32::NAN),
                });
            }
        }
        Some(half)
    }

    fn write_tiles(&mut self) -> io::Result<()> {
        for encoder in self.tiles.drain(..) {
            let tile = encoder.finish()?;
            self.scratch.write_all(&tile)?;
            self.written += tile.len() as u64;
            self.counts.push(tile.len() as u64);
        }
        Ok(())
    }

    /// The bytes of a tile's part of a row, differences taken along it, band by band.
    fn code(&mut self, tile: usize, values: &[f32]) {
        let (bands, mark) = (self.bands, self.no_data.unwrap_or(0.0));
        let first = tile * TILE;
        let columns = TILE.min(self.columns - first);
        self.line.clear();
        self.line.extend_from_slice(&values[first * bands..(first + columns) * bands]);
        for _ in columns..TILE {
            self.line.extend_from_within((columns - 1) * bands..columns * bands);
        }
        let (line, coded) = (&self.line, &mut self.coded);
        coded.clear();
        match self.stored {
            Stored::Float => {
                // Bytes of equal significance are grouped, the most significant first; then differences of
                // bytes.
                let size = line.len();
                coded.resize(size * 4, 0);
                for (k, value) in line.iter().enumerate() {
                    let value = if value.is_nan() { mark as f32 } else { *value };
                    for (weight, byte) in value.to_be_bytes().into_iter().enumerate() {
                        coded[weight * size + k] = byte;
                    }
                }
                for k in (bands..coded.len()).rev() {
                    coded[k] = coded[k].wrapping_sub(coded[k - bands]);
                }
            }
            Stored::Scaled { scale } => {
                let mut before = vec![0; bands];
                for (k, value) in line.iter().enumerate() {
                    let count = count(*value, scale, mark);
                    let before = std::mem::replace(&mut before[k % bands], count);
                    coded.extend(count.wrapping_sub(before).to_le_bytes());
                }
            }
            Stored::Class => {
                let class = |value: f32| if value.is_nan() { mark as u8 } else { value as u8 };
                let before = |k: usize| k.checked_sub(bands).map_or(0, |k| class(line[k]));
                coded.extend((0..line.len()).map(|k| class(line[k]).wrapping_sub(before(k))));
            }
        }
    }

    /// The directory of this resolution; its tiles are counted from 0.
    pub fn directory(&self, layout: &CogLayout, is_overview: bool, metadata: Option<&str>) -> Directory {
        let (bits, format, predictor) = match self.stored {
            Stored::Float => (32, 3, 3),
            Stored::Scaled { .. } => (16, 2, 2),
            Stored::Class => (8, 1, 2),
        };
        let mut directory = Directory::default();
        let of_every_band = |value: u64| vec![value; self.bands];
        directory.numbers(254, Kind::Long, vec![u64::from(is_overview)]);
        directory.numbers(256, Kind::Long, vec![self.columns as u64]);
        directory.numbers(257, Kind::Long, vec![self.rows as u64]);
        directory.numbers(258, Kind::Short, of_every_band(bits));
        // Deflate; black is zero; bands of a pixel together.
        directory.numbers(259, Kind::Short, vec![8]);
        directory.numbers(262, Kind::Short, vec![1]);
        directory.numbers(277, Kind::Short, vec![self.bands as u64]);
        directory.numbers(284, Kind::Short, vec![1]);
        if !is_overview {
            directory.text(305, SOFTWARE);
        }
        directory.numbers(317, Kind::Short, vec![predictor]);
        directory.numbers(322, Kind::Long, vec![TILE as u64]);
        directory.numbers(323, Kind::Long, vec![TILE as u64]);
        let starts = self.counts.iter().scan(0, |at, count| Some(std::mem::replace(at, *at + count)));
        directory.tiles(starts.collect());
        directory.numbers(325, Kind::Long8, self.counts.clone());
        if self.bands > 1 {
            directory.numbers(338, Kind::Short, vec![0; self.bands - 1]);
        }
        directory.numbers(339, Kind::Short, of_every_band(format));
        if !is_overview {
            directory.place(&layout.place);
        }
        if let Some(metadata) = metadata {
            directory.text(42112, metadata);
        }
        if let Some(mark) = self.no_data {
            directory.text(42113, &mark.to_string());
        }
        directory
    }

    pub fn bytes(&self) -> u64 {
        self.written
    }

    pub fn scratch(&mut self) -> &mut S {
        &mut self.scratch
    }
}

fn mean(four: [f32; 4]) -> f32 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in four.into_iter().filter(|value| !value.is_nan()) {
        sum += value;
        count += 1.0;
    }
    if count == 0.0 { f32::NAN } else { sum / count }
}

/// The integer of a value: never the no-data value, unless there is no data.
fn count(value: f32, scale: f64, mark: f64) -> i16 {
    if value.is_nan() {
        return mark as i16;
    }
    let whole = (f64::from(value) / scale).round().clamp(f64::from(i16::MIN), f64::from(i16::MAX)) as i16;
    if f64::from(whole) == mark {
        whole.saturating_add(if whole == i16::MAX { -1 } else { 1 })
    } else {
        whole
    }
}
