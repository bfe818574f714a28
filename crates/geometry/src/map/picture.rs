//! The picture inside a GeoTIFF: the strips or tiles that a window touches, checked, then decompressed one after the other.

use super::geo_tiff::{FORMAT, damaged};
use super::packing::{Blob, Packing};
use super::sheet::Window;
use super::{MOST_NODES, MapError};
use std::io::{Read, Seek, SeekFrom};
use tiff::decoder::{Decoder, DecodingResult};

/// A picture of heights, still packed.
pub(super) struct Picture<R: Read + Seek> {
    pub decoder: Decoder<R>,
    pub columns: usize,
    pub rows: usize,
    /// Columns and rows of a strip or tile.
    pub chunk: [usize; 2],
    /// Chunks in the file: first byte and length; length 0 if a chunk was never written.
    pub chunks: Vec<(u64, u64)>,
    /// Bytes of a height.
    pub size: u64,
    pub packing: Packing,
    /// Bytes of the file.
    pub length: u64,
}

impl<R: Read + Seek> Picture<R> {
    /// Heights of a window, row by row.
    pub fn decode(&mut self, window: &Window) -> Result<Vec<f64>, MapError> {
        let chunks = self.chunks_of(window);
        self.check(&chunks)?;
        let (columns, rows) = (window.columns.len(), window.rows.len());
        let mut values = vec![f64::NAN; columns * rows];
        for (index, [left, top]) in chunks {
            // A chunk that was never written has no data.
            if self.chunks[index].1 == 0 {
                continue;
            }
            let chunk = u32::try_from(index).map_err(|_| MapError::Gigantic { columns, rows })?;
            let (width, height) = self.decoder.chunk_data_dimensions(chunk);
            let (width, height) = (width as usize, height as usize);
            let (decoded, stride) = match self.packing {
                Packing::Stream { .. } => (self.decoder.read_chunk(chunk).map_err(damaged)?, width),
                Packing::Lerc(wrap) => {
                    let blob = wrap.heights(&self.packed(index)?, self.chunk_nodes()?)?;
                    let Blob { width: stride, height: lines, values } = blob;
                    if stride < width || lines < height {
                        return Err(too_short());
                    }
                    (DecodingResult::F64(values), stride)
                }
            };
            let across = left.max(window.columns.start)..(left + width).min(window.columns.end);
            for row in top.max(window.rows.start)..(top + height).min(window.rows.end) {
                let from = (row - top) * stride + (across.start - left);
                let to = (row - window.rows.start) * columns + (across.start - window.columns.start);
                copy(&decoded, from, &mut values[to..][..across.len()])?;
            }
        }
        Ok(values)
    }

    /// Whether no strip or tile of a window was ever written.
    pub fn is_empty(&self, window: &Window) -> bool {
        self.chunks_of(window)
            .iter()
            .all(|(index, _)| self.chunks.get(*index).is_some_and(|chunk| chunk.1 == 0))
    }

    /// The bytes of a strip or tile in the file; `check` has verified that the file contains them.
    fn packed(&mut self, index: usize) -> Result<Vec<u8>, MapError> {
        let (offset, bytes) = self.chunks[index];
        let mut packed = vec![0; usize::try_from(bytes).map_err(|_| too_short())?];
        let source = self.decoder.inner();
        let read = source.seek(SeekFrom::Start(offset)).and_then(|_| source.read_exact(&mut packed));
        read.map_err(|error| damaged(error.into()))?;
        Ok(packed)
    }

    /// Pixels of a strip or tile; more than a map may have in all are refused.
    fn chunk_nodes(&self) -> Result<usize, MapError> {
        let [columns, rows] = self.chunk;
        let nodes = columns.checked_mul(rows).filter(|nodes| *nodes <= MOST_NODES);
        nodes.ok_or(MapError::Gigantic { columns, rows })
    }

    /// Indices of the strips or tiles that a window touches, with the column and row of their first pixel.
    fn chunks_of(&self, window: &Window) -> Vec<(usize, [usize; 2])> {
        let [width, height] = self.chunk;
        let across = self.columns.div_ceil(width);
        let span = |range: &std::ops::Range<usize>, size: usize| range.start / size..=(range.end - 1) / size;
        span(&window.rows, height)
            .flat_map(|j| {
                span(&window.columns, width).map(move |i| (j * across + i, [i * width, j * height]))
            })
            .collect()
    }

    /// Whether the chunks lie in the file and have a possible size, before memory is allocated for them.
    fn check(&self, chunks: &[(usize, [usize; 2])]) -> Result<(), MapError> {
        let why = |why: String| MapError::Damaged { format: FORMAT, why };
        for (index, [_, top]) in chunks {
            let Some((offset, bytes)) = self.chunks.get(*index) else {
                return Err(why(format!("it lists {} strips or tiles, but needs more", self.chunks.len())));
            };
            let end = offset.saturating_add(*bytes);
            let length = self.length;
            if *bytes > 0 && end > length {
                return Err(why(format!("it ends at byte {length}, but a strip or tile ends at {end}")));
            }
            // The last strip is as high as the rest of the picture, the last tile as high as all.
            let height = if self.chunk[0] == self.columns {
                self.chunk[1].min(self.rows - top)
            } else {
                self.chunk[1]
            };
            let needed = (self.chunk[0] as u64).saturating_mul(height as u64).saturating_mul(self.size);
            if *bytes > 0 && needed > self.packing.most(*bytes) {
                return Err(why(format!("a strip or tile of {bytes} bytes should hold {needed}")));
            }
        }
        Ok(())
    }
}

/// Copies values from a place of a decoded chunk.
fn copy(decoded: &DecodingResult, from: usize, to: &mut [f64]) -> Result<(), MapError> {
    fn fill<T: Copy>(list: &[T], from: usize, to: &mut [f64], value: impl Fn(T) -> f64) -> Option<()> {
        let list = list.get(from..from + to.len())?;
        to.iter_mut().zip(list).for_each(|(to, from)| *to = value(*from));
        Some(())
    }
    let copied = match decoded {
        DecodingResult::U8(list) => fill(list, from, to, f64::from),
        DecodingResult::U16(list) => fill(list, from, to, f64::from),
        DecodingResult::U32(list) => fill(list, from, to, f64::from),
        DecodingResult::U64(list) => fill(list, from, to, |x| x as f64),
        DecodingResult::I8(list) => fill(list, from, to, f64::from),
        DecodingResult::I16(list) => fill(list, from, to, f64::from),
        DecodingResult::I32(list) => fill(list, from, to, f64::from),
        DecodingResult::I64(list) => fill(list, from, to, |x| x as f64),
        DecodingResult::F16(list) => fill(list, from, to, |x| x.to_f64()),
        DecodingResult::F32(list) => fill(list, from, to, f64::from),
        DecodingResult::F64(list) => fill(list, from, to, |x| x),
    };
    copied.ok_or_else(too_short)
}

fn too_short() -> MapError {
    MapError::Damaged { format: FORMAT, why: "a strip or tile is shorter than it should be".into() }
}
