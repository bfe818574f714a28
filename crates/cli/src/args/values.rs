//! Values of arguments: sizes, parts, lists, and what is wrong with them.

use std::net::{Ipv4Addr, SocketAddr};
use touchdown_geometry::map::Fill;

/// Where to listen: a port of this machine, or an address with a port.
pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    let port = text.parse().map(|port: u16| (Ipv4Addr::LOCALHOST, port).into());
    port.or_else(|_| text.replace("localhost", "127.0.0.1").parse())
        .map_err(|_| "must be a port such as 8765, or an address with a port such as 0.0.0.0:8765".into())
}

/// Bytes: a number with MB, GB, MiB or GiB, or alone.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("GB", 1_000_000_000), ("MB", 1_000_000)];
    let ending = units.iter().find(|(unit, _)| text.ends_with(unit)).copied();
    let (unit, factor) = ending.unwrap_or(("", 1));
    match text.trim_end_matches(unit).trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok((number * factor as f64) as u64),
        _ => Err("must be a size such as 8GiB, 500MB or a number of bytes".into()),
    }
}

/// A part of one, above zero.
pub(super) fn part(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x > 0.0 && x <= 1.0 => Ok(x),
        _ => Err("must be a number above 0 and at most 1, such as 0.05".into()),
    }
}

/// So many numbers, parted by commas.
pub(crate) fn numbers<const N: usize>(text: &str) -> Result<[f64; N], String> {
    list(text, |word| word.parse().ok().filter(|x: &f64| x.is_finite()), "numbers")
}

/// So many whole numbers, parted by commas.
pub(super) fn counts<const N: usize>(text: &str) -> Result<[usize; N], String> {
    list(text, |word| word.parse().ok(), "whole numbers")
}

fn list<T, const N: usize>(
    text: &str,
    read: impl Fn(&str) -> Option<T>,
    what: &str,
) -> Result<[T; N], String> {
    let values: Option<Vec<T>> = text.split(',').map(|word| read(word.trim())).collect();
    values
        .and_then(|values| values.try_into().ok())
        .ok_or(format!("must be {N} {what} with commas between them"))
}

/// What stands for nodes without data.
pub(super) fn fill(text: &str) -> Result<Fill, String> {
    match text {
        "hole" => Ok(Fill::Hole),
        "error" => Ok(Fill::Error),
        height => match height.parse::<f64>() {
            Ok(height) if height.is_finite() => Ok(Fill::Height(height)),
            _ => Err("must be hole, error, or a height in m".into()),
        },
    }
}
