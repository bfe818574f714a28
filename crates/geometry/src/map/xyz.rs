//! XYZ and CSV: points x, y, z, one a line, on a regular grid in any order; nodes without a point have no
//! data.
//!
//! Numbers are separated by commas, semicolons, tabs or blanks. A first line of names is optional and selects
//! the columns x, y and z if it has such names; further columns are left out, with a line in the record.
//! Lines that begin with `#` are remarks.

use super::ascii_grid::shorten;
use super::audit::short;
use super::place::{Place, Unit};
use super::sheet::{Body, Sheet};
use super::{MOST_NODES, MapError, MapOptions};

const FORMAT: &str = "XYZ";
/// A point may lie this part of a cell beside its node: writers round coordinates.
const BESIDE: f64 = 0.05;
/// Coordinates that differ by less than this part of the extent are the same.
const SAME: f64 = 1e-7;
/// Fewer points than this share of the nodes do not form a grid.
const LEAST_FILLED: f64 = 0.05;

/// Opens and reads points.
pub(super) fn open(text: &str, options: &MapOptions) -> Result<(Sheet, Body<'static>), MapError> {
    let points = Points::read(text.trim_start_matches('\u{feff}'))?;
    let spacing = options.spacing.filter(|d| d.is_finite() && *d > 0.0);
    let axis = |name, k: usize| Axis::find(name, points.list.iter().map(|p| p[k]), spacing);
    let (mut x, mut y) = (axis("x", 0)?, axis("y", 1)?);
    let rounded = make_square(&mut x, &mut y);
    let (columns, rows) = (x.nodes, y.nodes);
    if (points.list.len() as f64) < LEAST_FILLED * columns as f64 * rows as f64 {
        let why =
            format!("{} points would fill only a small part of {columns} × {rows} nodes", points.list.len());
        return Err(MapError::Irregular { why });
    }
    let nodes = columns.checked_mul(rows).filter(|nodes| *nodes <= MOST_NODES);
    let nodes = nodes.ok_or(MapError::Gigantic { columns, rows })?;
    let mut values = vec![f64::NAN; nodes];
    for [px, py, z] in &points.list {
        let (Some(i), Some(j)) = (x.node(*px), y.node(*py)) else {
            let why =
                format!("the point {px}, {py} lies between nodes that are {} and {} apart", x.step, y.step);
            return Err(MapError::Irregular { why });
        };
        let value = &mut values[j * columns + i];
        if !value.is_nan() && *value != *z {
            return Err(MapError::Irregular {
                why: format!("the node at {px}, {py} has the heights {value} and {z}"),
            });
        }
        *value = *z;
    }
    let place = Place {
        first: [x.first, y.first + (rows - 1) as f64 * y.step],
        step: [x.step, y.step],
        unit: Unit::Length("m".into(), 1.0),
        equirectangular: None,
    };
    let mut sheet =
        Sheet { place: Some(place), south_first: true, ..Sheet::new(FORMAT, "text", columns, rows) };
    sheet.encoding = format!("text, {} points", points.list.len());
    sheet.conversions = points.remarks;
    sheet.conversions.extend(rounded);
    Ok((sheet, Body::Values(values)))
}

/// Rounded coordinates give slightly different spacings along x and y; if no node moves by more than
/// rounding, both get the mean.
fn make_square(x: &mut Axis, y: &mut Axis) -> Option<String> {
    let cells = [x.nodes, y.nodes].map(|nodes| (nodes - 1) as f64);
    if x.step == y.step || (x.step / y.step - 1.0).abs() * cells[0].max(cells[1]) > BESIDE {
        return None;
    }
    let step = (cells[0] * x.step + cells[1] * y.step) / (cells[0] + cells[1]);
    let text = format!(
        "nodes every {} m, from {} along x and {} along y",
        short(step),
        short(x.step),
        short(y.step)
    );
    (x.step, y.step) = (step, step);
    Some(text)
}

/// The points of a text.
struct Points {
    list: Vec<[f64; 3]>,
    remarks: Vec<String>,
}

impl Points {
    fn read(text: &str) -> Result<Points, MapError> {
        let mut points = Points { list: Vec::new(), remarks: Vec::new() };
        let mut columns = [0, 1, 2];
        let mut is_first = true;
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let words: Vec<&str> = words(line);
            if std::mem::take(&mut is_first) {
                if words.len() > 3 {
                    points
                        .remarks
                        .push(format!("{} further columns of numbers are left out", words.len() - 3));
                }
                if words.iter().any(|word| word.parse::<f64>().is_err()) {
                    columns = named(&words, number)?;
                    continue;
                }
            }
            let number_at = |k: usize| words.get(columns[k]).and_then(|word| word.parse::<f64>().ok());
            match [number_at(0), number_at(1), number_at(2)] {
                [Some(x), Some(y), Some(z)] if x.is_finite() && y.is_finite() => points.list.push([x, y, z]),
                _ => {
                    let found = format!("`{}`", shorten(line));
                    return Err(MapError::Point {
                        line: number,
                        found,
                        allowed: "three numbers x, y, z, with points for decimals",
                    });
                }
            }
        }
        if points.list.len() < 4 {
            return Err(MapError::Irregular {
                why: format!("there are {} points, allowed: at least 4", points.list.len()),
            });
        }
        Ok(points)
    }
}

/// The words of a line, separated by semicolons, commas or blanks, whichever occur.
fn words(line: &str) -> Vec<&str> {
    let parted = [';', ','].into_iter().find(|mark| line.contains(*mark));
    match parted {
        Some(mark) => line.split(mark).map(|word| word.trim().trim_matches('"')).collect(),
        None => line.split_whitespace().collect(),
    }
}

/// Which columns hold x, y and z, by their names; the first three without such names.
fn named(words: &[&str], line: usize) -> Result<[usize; 3], MapError> {
    let names: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
    let find = |list: &[&str]| names.iter().position(|name| list.contains(&name.as_str()));
    if find(&["lon", "longitude", "lat", "latitude"]).is_some() {
        let found = format!("`{}`", shorten(&words.join(" ")));
        return Err(MapError::Point { line, found, allowed: "coordinates in metres, not degrees" });
    }
    let x = find(&["x", "x_m", "easting", "east", "e"]);
    let y = find(&["y", "y_m", "northing", "north", "n"]);
    let z = find(&["z", "z_m", "height", "height_m", "elevation", "elev", "h"]);
    match [x, y, z] {
        [Some(x), Some(y), Some(z)] => Ok([x, y, z]),
        [None, None, None] if words.len() >= 3 => Ok([0, 1, 2]),
        _ => {
            let found = format!("`{}`", shorten(&words.join(" ")));
            Err(MapError::Point { line, found, allowed: "names of three columns: x, y, z" })
        }
    }
}

/// The nodes along x or y.
struct Axis {
    first: f64,
    step: f64,
    nodes: usize,
}

impl Axis {
    /// The spacing, unless it is given, is the mean of the gaps that are no larger than one and a half times the least: rounding of coordinates
    /// averages out.
    fn find(
        name: &str,
        coordinates: impl Iterator<Item = f64>,
        given: Option<f64>,
    ) -> Result<Axis, MapError> {
        let mut sorted: Vec<f64> = coordinates.collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let (first, last) = (sorted[0], sorted[sorted.len() - 1]);
        let extent = last - first;
        sorted.dedup_by(|b, a| *b - *a <= SAME * extent);
        let gaps = || sorted.windows(2).map(|pair| pair[1] - pair[0]);
        let least = gaps().fold(f64::INFINITY, f64::min);
        if !(extent > 0.0 && extent.is_finite() && least.is_finite()) {
            return Err(MapError::Irregular { why: format!("all have the same {name}") });
        }
        let (sum, count) =
            gaps().filter(|gap| *gap <= 1.5 * least).fold((0.0, 0.0), |(s, n), gap| (s + gap, n + 1.0));
        let cells = (extent / given.unwrap_or(sum / count)).round();
        if !(cells >= 1.0 && cells < MOST_NODES as f64) {
            return Err(MapError::Irregular {
                why: format!("{name} runs over {extent} with gaps of {least}"),
            });
        }
        Ok(Axis { first, step: given.unwrap_or(extent / cells), nodes: cells as usize + 1 })
    }

    fn node(&self, at: f64) -> Option<usize> {
        let along = (at - self.first) / self.step;
        let node = along.round();
        ((along - node).abs() <= BESIDE).then_some((node as usize).min(self.nodes - 1))
    }
}
