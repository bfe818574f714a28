//! One resolution of a map: rows gather to a line of tiles, which is compressed and kept in a scratch file.

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
    /// Rows of the tiles that are being filled.
    gathered: Vec<f32>,
    given: usize,
    /// The row before, when it waits for its neighbour to be halved with.
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
        let (gathered, counts) = (Vec::new(), Vec::new());
        let (given, waiting, written) = (0, None, 0);
        Level { columns, rows, bands, stored, no_data, gathered, given, waiting, scratch, written, counts }
    }

    pub fn row(&mut self, values: &[f32]) -> io::Result<()> {
        self.gathered.extend_from_slice(values);
        self.given += 1;
        if self.given.is_multiple_of(TILE) || self.given == self.rows {
            self.write_tiles()?;
        }
        Ok(())
    }

    /// The row of the next resolution, when two rows are there, or the last one alone.
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
        let width = self.columns * self.bands;
        let rows = self.gathered.len() / width;
        for first in (0..self.columns).step_by(TILE) {
            let columns = TILE.min(self.columns - first);
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(6));
            let mut line = Vec::with_capacity(TILE * self.bands);
            for row in 0..TILE {
                // Pixels beyond the edge repeat those at the edge: they are never shown and cost little.
                let start = row.min(rows - 1) * width + first * self.bands;
                line.clear();
                line.extend_from_slice(&self.gathered[start..start + columns * self.bands]);
                for _ in columns..TILE {
                    line.extend_from_within((columns - 1) * self.bands..columns * self.bands);
                }
                encoder.write_all(&self.encode(&line))?;
            }
            let tile = encoder.finish()?;
            self.scratch.write_all(&tile)?;
            self.written += tile.len() as u64;
            self.counts.push(tile.len() as u64);
        }
        self.gathered.clear();
        Ok(())
    }

    /// A row of a tile as bytes, differences taken along it, band by band.
    fn encode(&self, line: &[f32]) -> Vec<u8> {
        let mark = self.no_data.unwrap_or(0.0);
        match self.stored {
            Stored::Float => {
                // Bytes of equal weight stand together, the heaviest first; then differences of bytes.
                let size = line.len();
                let mut bytes = vec![0; size * 4];
                for (k, value) in line.iter().enumerate() {
                    let value = if value.is_nan() { mark as f32 } else { *value };
                    for (weight, byte) in value.to_be_bytes().into_iter().enumerate() {
                        bytes[weight * size + k] = byte;
                    }
                }
                for k in (self.bands..bytes.len()).rev() {
                    bytes[k] = bytes[k].wrapping_sub(bytes[k - self.bands]);
                }
                bytes
            }
            Stored::Scaled { scale } => {
                let counts: Vec<i16> = line.iter().map(|value| count(*value, scale, mark)).collect();
                let before = |k: usize| k.checked_sub(self.bands).map_or(0, |k| counts[k]);
                (0..counts.len()).flat_map(|k| counts[k].wrapping_sub(before(k)).to_le_bytes()).collect()
            }
            Stored::Class => {
                let classes: Vec<u8> =
                    line.iter().map(|value| if value.is_nan() { mark as u8 } else { *value as u8 }).collect();
                let before = |k: usize| k.checked_sub(self.bands).map_or(0, |k| classes[k]);
                (0..classes.len()).map(|k| classes[k].wrapping_sub(before(k))).collect()
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

/// The whole number of a value: never the mark, unless there is no data.
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
