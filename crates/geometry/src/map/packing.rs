//! How the strips and tiles of a GeoTIFF are packed. The `tiff` crate unpacks streams of bytes; blobs of LERC are unpacked here.

use super::MapError;
use super::geo_tiff::FORMAT;
use std::io::{Cursor, Read};

/// Compressions that are read, for messages.
pub(super) const ALLOWED: &str = "none, LZW, Deflate, PackBits, ZSTD, LERC";
/// Bytes of a LERC blob beside its heights and their mask: headers, ranges.
const LERC_HEADERS: u64 = 4096;

/// How a strip or tile is packed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Packing {
    /// A stream that the `tiff` crate unpacks.
    Stream {
        /// Largest number of bytes that one byte of it represents.
        most_per_byte: u64,
    },
    /// A blob of LERC (limited error raster compression), which may be compressed again.
    Lerc(Wrap),
}

/// Compression of a LERC blob.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Wrap {
    None,
    Deflate,
    Zstd,
}

/// Heights of a strip or tile, row by row.
pub(super) struct Blob {
    pub width: usize,
    pub height: usize,
    /// Not a number where the blob marks a pixel as invalid.
    pub values: Vec<f64>,
}

impl Packing {
    /// The compression of a number of the TIFF tag, with its name; `wrap` is the value of the tag of LERC's
    /// parameters.
    pub fn of(compression: u16, wrap: Option<u32>) -> Result<(&'static str, Self), String> {
        let stream = |name, most_per_byte| Ok((name, Self::Stream { most_per_byte }));
        match compression {
            1 => stream("not compressed", 1),
            // 3838 codes of at most 12 bits that stand for 1 to 3838 bytes.
            5 => stream("LZW", 1400),
            8 | 32946 => stream("Deflate", 1032),
            32773 => stream("PackBits", 64),
            // A block of 128 KiB that repeats one byte takes four.
            50000 => stream("ZSTD", 32_768),
            34887 => match wrap.unwrap_or(0) {
                0 => Ok(("LERC", Self::Lerc(Wrap::None))),
                1 => Ok(("LERC in Deflate", Self::Lerc(Wrap::Deflate))),
                2 => Ok(("LERC in ZSTD", Self::Lerc(Wrap::Zstd))),
                other => Err(format!("LERC in compression {other}")),
            },
            7 => Err("JPEG".into()),
            34925 => Err("LZMA".into()),
            50001 => Err("WebP".into()),
            other => Err(format!("number {other}")),
        }
    }

    /// Largest number of bytes from a strip or tile of `bytes`. LERC needs none for heights that are all the
    /// same.
    pub fn most(self, bytes: u64) -> u64 {
        match self {
            Self::Stream { most_per_byte } => bytes.saturating_mul(most_per_byte),
            Self::Lerc(_) => u64::MAX,
        }
    }
}

impl Wrap {
    /// Unpacks a LERC blob of at most `most` pixels, each of at most 8 bytes.
    pub fn heights(self, packed: &[u8], most: usize) -> Result<Blob, MapError> {
        let why = |why: String| MapError::Damaged { format: FORMAT, why };
        let blob = self.unwrapped(packed, most)?;
        let info = lerc_reader::get_blob_info(&blob).map_err(|error| why(error.to_string()))?;
        let (width, height) = (info.width as usize, info.height as usize);
        if info.depth != 1 || width.checked_mul(height).is_none_or(|pixels| pixels > most) {
            return Err(why(format!(
                "a LERC blob of {width} × {height} pixels with {} values each, in a strip or tile of {most}",
                info.depth
            )));
        }
        let decoded = lerc_reader::decode_to_f64(&blob).map_err(|error| why(error.to_string()))?;
        let mut values = decoded.pixels;
        for (value, valid) in values.iter_mut().zip(decoded.mask.iter().flatten()) {
            if *valid == 0 {
                *value = f64::NAN;
            }
        }
        Ok(Blob { width, height, values })
    }

    /// The blob after decompression; one that is longer than its pixels can need is refused.
    fn unwrapped(self, packed: &[u8], most: usize) -> Result<Vec<u8>, MapError> {
        let longest = (most as u64).saturating_mul(9).saturating_add(LERC_HEADERS);
        let mut blob = Vec::new();
        let read = match self {
            Self::None => return Ok(packed.to_vec()),
            Self::Deflate => flate2::read::ZlibDecoder::new(packed).take(longest + 1).read_to_end(&mut blob),
            Self::Zstd => zstd::Decoder::new(Cursor::new(packed))
                .and_then(|decoder| decoder.take(longest + 1).read_to_end(&mut blob)),
        };
        let too_long = blob.len() as u64 > longest;
        let why = match read {
            Ok(_) if !too_long => return Ok(blob),
            Ok(_) => "a strip or tile unpacks to more than its pixels need".into(),
            Err(error) => error.to_string(),
        };
        Err(MapError::Damaged { format: FORMAT, why })
    }
}
