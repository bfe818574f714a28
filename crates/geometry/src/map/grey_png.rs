//! PNG: grey pictures whose counts are heights. The user gives the position of nodes and the size of a count.

use super::sheet::{Body, Sheet};
use super::{MOST_NODES, MapError, MapOptions};
use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Transformations};
use std::io::Cursor;

const FORMAT: &str = "PNG";
/// Largest expansion of a byte by Deflate.
const MOST_PER_BYTE: usize = 1032;

/// Opens and decodes a picture.
pub(super) fn open(bytes: &[u8], options: &MapOptions) -> Result<(Sheet, Body<'static>), MapError> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MOST_NODES * 2 });
    decoder.set_transformations(Transformations::IDENTITY);
    let info = decoder.read_header_info().map_err(damaged)?;
    let (columns, rows) = (info.width as usize, info.height as usize);
    let size = match (info.color_type, info.bit_depth) {
        (ColorType::Grayscale, BitDepth::Eight) => 1,
        (ColorType::Grayscale, BitDepth::Sixteen) => 2,
        (kind, depth) => {
            return Err(MapError::Unsupported {
                format: FORMAT,
                found: format!("{kind:?} pixels of {} bits", depth as u8),
                allowed: "grey pixels of 8 or 16 bits",
                hint: "gdal_translate -ot UInt16 -b 1 IN.png OUT.png; coloured pictures of heights hold no heights",
            });
        }
    };
    let nodes = columns.checked_mul(rows).filter(|nodes| *nodes <= MOST_NODES);
    let nodes = nodes.ok_or(MapError::Gigantic { columns, rows })?;
    if nodes * size > bytes.len().saturating_mul(MOST_PER_BYTE) {
        let why = format!("{} bytes cannot hold {columns} × {rows} pixels", bytes.len());
        return Err(MapError::Damaged { format: FORMAT, why });
    }
    let mut reader = decoder.read_info().map_err(damaged)?;
    let mut pixels = vec![0; nodes * size];
    if reader.output_buffer_size() != Some(pixels.len()) {
        return Err(MapError::Damaged { format: FORMAT, why: "its size contradicts itself".into() });
    }
    reader.next_frame(&mut pixels).map_err(damaged)?;
    let values = match size {
        1 => pixels.iter().map(|count| f64::from(*count)).collect(),
        _ => pixels.chunks_exact(2).map(|pair| f64::from(u16::from_be_bytes([pair[0], pair[1]]))).collect(),
    };
    let sheet = Sheet {
        needs_scale: true,
        south_first: options.south_first,
        ..Sheet::new(FORMAT, format!("grey, u{}", 8 * size), columns, rows)
    };
    Ok((sheet, Body::Values(values)))
}

fn damaged(error: DecodingError) -> MapError {
    let why = match error {
        DecodingError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            "it ends too early".into()
        }
        other => other.to_string(),
    };
    MapError::Damaged { format: FORMAT, why }
}
