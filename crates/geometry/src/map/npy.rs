//! NPY: an array of NumPy. The user gives the position of its nodes.
//!
//! Magic, version, length of the header, a Python dictionary with `descr`, `fortran_order` and `shape`, then the values. Source: NumPy manual,
//! `numpy.lib.format`.

use super::sheet::{Body, ReadValue, Sheet};
use super::{MapError, MapOptions};

const FORMAT: &str = "NPY";

/// Opens an array.
pub(super) fn open<'a>(bytes: &'a [u8], options: &MapOptions) -> Result<(Sheet, Body<'a>), MapError> {
    let (header, values) = split(bytes).ok_or(damaged("its header is cut off or not text"))?;
    let kind = quoted(header, "descr").ok_or(damaged("its header names no kind of values"))?;
    let (size, read) = reader(kind).ok_or(unsupported(format!("values of the kind '{kind}'")))?;
    let by_columns = match word(header, "fortran_order") {
        Some("True") => true,
        Some("False") => false,
        _ => return Err(damaged("its header does not say the order of values")),
    };
    let shape = shape(header).ok_or(damaged("its header names no shape"))?;
    let [rows, columns] = shape[..] else {
        return Err(unsupported(format!("{} dimensions", shape.len())));
    };
    let needed = rows.checked_mul(columns).and_then(|nodes| nodes.checked_mul(size));
    if columns == 0 || rows == 0 || needed != Some(values.len()) {
        return Err(damaged(&format!(
            "{} bytes follow its header, not those of {rows} rows and {columns} columns",
            values.len()
        )));
    }
    let order = if by_columns { ", column by column" } else { "" };
    let sheet = Sheet {
        south_first: options.south_first,
        ..Sheet::new(FORMAT, format!("{kind}{order}"), columns, rows)
    };
    Ok((sheet, Body::Plain { bytes: values, read, size, by_columns }))
}

/// The header's text and the bytes of the values.
fn split(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (length, rest) = match bytes.get(6)? {
        1 => (usize::from(u16::from_le_bytes([*bytes.get(8)?, *bytes.get(9)?])), bytes.get(10..)?),
        2 | 3 => (u32::from_le_bytes(bytes.get(8..12)?.try_into().ok()?) as usize, bytes.get(12..)?),
        _ => return None,
    };
    let (header, values) = rest.split_at_checked(length)?;
    Some((std::str::from_utf8(header).ok()?, values))
}

/// The text after a key of the dictionary.
fn after<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = header.split_once(&format!("'{key}'"))?;
    Some(rest.trim_start().strip_prefix(':')?.trim_start())
}

fn quoted<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    after(header, key)?.strip_prefix('\'')?.split('\'').next()
}

fn word<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    after(header, key)?.split([',', '}']).next().map(str::trim)
}

fn shape(header: &str) -> Option<Vec<usize>> {
    let inside = after(header, "shape")?.strip_prefix('(')?.split(')').next()?;
    inside.split(',').map(str::trim).filter(|n| !n.is_empty()).map(|n| n.parse().ok()).collect()
}

/// Size in bytes and reader of a kind of values.
fn reader(kind: &str) -> Option<(usize, ReadValue)> {
    macro_rules! number {
        ($type:ty, $from:ident) => {
            (size_of::<$type>(), |bytes: &[u8]| {
                let mut own = [0; size_of::<$type>()];
                own.copy_from_slice(bytes);
                <$type>::$from(own) as f64
            })
        };
    }
    Some(match kind {
        "|u1" | "<u1" => number!(u8, from_le_bytes),
        "|i1" | "<i1" => number!(i8, from_le_bytes),
        "<u2" => number!(u16, from_le_bytes),
        "<i2" => number!(i16, from_le_bytes),
        "<u4" => number!(u32, from_le_bytes),
        "<i4" => number!(i32, from_le_bytes),
        "<i8" => number!(i64, from_le_bytes),
        "<u8" => number!(u64, from_le_bytes),
        "<f4" => number!(f32, from_le_bytes),
        "<f8" => number!(f64, from_le_bytes),
        ">u2" => number!(u16, from_be_bytes),
        ">i2" => number!(i16, from_be_bytes),
        ">u4" => number!(u32, from_be_bytes),
        ">i4" => number!(i32, from_be_bytes),
        ">f4" => number!(f32, from_be_bytes),
        ">f8" => number!(f64, from_be_bytes),
        _ => return None,
    })
}

fn damaged(why: &str) -> MapError {
    MapError::Damaged { format: FORMAT, why: why.into() }
}

fn unsupported(found: String) -> MapError {
    MapError::Unsupported {
        format: FORMAT,
        found,
        allowed: "two dimensions of f4, f8, i1, i2, i4, i8, u1, u2, u4 or u8",
        hint: "numpy.save(\"map.npy\", array.astype(\"<f4\"))",
    }
}
