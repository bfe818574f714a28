//! From an opened file to a map: crop and limits first, then the heights of the crop (`heights`), units and
//! origin, each with its line in the record.

use super::audit::{Extent, MapAudit, short};
use super::heights::Heights;
use super::place::{Metres, Place, Unit};
use super::sheet::{Body, Sheet, Window};
use super::{Anchor, Crop, MOST_NODES, Map, MapError, MapOptions};
use crate::Raster;

/// A crop may miss the edge of the map by this part of a cell, for rounding.
const EDGE: f64 = 1e-6;

/// Builds the map.
pub(super) fn make(sheet: Sheet, body: Body, options: &MapOptions) -> Result<Map, MapError> {
    let frame = Frame::new(&sheet, options)?;
    let [columns, rows] = frame.size();
    if columns.checked_mul(rows).is_none_or(|nodes| nodes > MOST_NODES) {
        return Err(MapError::Gigantic { columns, rows });
    }
    let mut values = body.decode(&sheet, &frame.in_file_order(&sheet))?;
    if !sheet.south_first {
        flip(&mut values, columns);
    }
    let mut heights = Heights::new(&sheet, options);
    // From the north, so that the first problem in the order of the picture is reported.
    for (row, line) in values.chunks_exact_mut(columns).rev().enumerate() {
        heights.convert(line, row)?;
    }
    let audit = frame.audit(sheet, options, heights)?;
    Ok(Map { raster: Raster::new(audit.south_west, audit.spacing, columns, rows, values)?, audit })
}

/// Data determined before heights are decoded.
pub(super) struct Frame {
    /// Positions of the nodes of the file.
    pub place: Place,
    /// The part that is read, rows from the north.
    pub window: Window,
    crop: Option<String>,
    extent: Extent,
    metres: Metres,
}

impl Frame {
    pub fn new(sheet: &Sheet, options: &MapOptions) -> Result<Frame, MapError> {
        check(options)?;
        let place = place(sheet, options)?;
        let (window, crop) = window(sheet, &place, options.crop)?;
        let extent = Extent {
            x: [place.x(window.columns.start), place.x(window.columns.end - 1)],
            y: [place.y(window.rows.end - 1), place.y(window.rows.start)],
            unit: place.unit_name().into(),
        };
        let metres = place.in_metres(extent.y)?;
        Ok(Frame { place, window, crop, extent, metres })
    }

    /// Columns and rows that are read.
    pub fn size(&self) -> [usize; 2] {
        [self.window.columns.len(), self.window.rows.len()]
    }

    /// Distance of the nodes, m.
    pub fn spacing(&self) -> f64 {
        self.metres.spacing
    }

    /// The window in the order of the file's rows.
    pub fn in_file_order(&self, sheet: &Sheet) -> Window {
        let Window { columns, rows } = self.window.clone();
        let rows = if sheet.south_first { sheet.rows - rows.end..sheet.rows - rows.start } else { rows };
        Window { columns, rows }
    }

    /// The record, after all heights were converted.
    pub fn audit(self, sheet: Sheet, options: &MapOptions, heights: Heights) -> Result<MapAudit, MapError> {
        let size = self.size();
        let Frame { place, extent, metres: Metres { spacing, conversions, mut cautions }, .. } = self;
        let zero = zero(&place, &extent, spacing, options);
        let mut conversions = [sheet.conversions.clone(), conversions].concat();
        cautions.splice(0..0, sheet.cautions.iter().cloned());
        cautions.extend(maybe_degrees(&sheet, &extent, spacing));
        let measured = heights.finish(size[0] * size[1])?;
        conversions.extend(measured.conversions);
        cautions.extend(measured.cautions);
        let south_west = [0, 1].map(|k| ([extent.x, extent.y][k][0] - zero[k]) / place.step[k] * spacing);
        Ok(MapAudit {
            format: format!("{}, {}", sheet.format, sheet.encoding),
            file_size: [sheet.columns, sheet.rows],
            size,
            spacing,
            extent,
            heights: measured.range,
            zero: [zero[0], zero[1], options.zero_height],
            south_west,
            no_data: measured.missing,
            no_data_rule: measured.no_data_rule,
            coordinates: sheet.coordinates,
            crop: self.crop,
            conversions,
            cautions,
        })
    }
}

/// Checks that the user's values are numbers.
fn check(options: &MapOptions) -> Result<(), MapError> {
    let refuse = |key, found: f64, allowed: &str| {
        Err(MapError::Setting { key, why: format!("is {found}, allowed: {allowed}") })
    };
    match (options.spacing, options.scale, options.offset) {
        (Some(d), ..) if !(d.is_finite() && d > 0.0) => refuse("the spacing", d, "finite, > 0 m"),
        (_, Some(s), _) if !(s.is_finite() && s != 0.0) => refuse("the scale", s, "finite, not 0"),
        (.., Some(z)) if !z.is_finite() => refuse("the offset", z, "finite"),
        _ if !options.zero_height.is_finite() => refuse("the height of zero", options.zero_height, "finite"),
        _ => Ok(()),
    }
}

/// Positions of the nodes, from the file or the user.
fn place(sheet: &Sheet, options: &MapOptions) -> Result<Place, MapError> {
    if sheet.needs_scale && options.scale.is_none() {
        return Err(MapError::Setting {
            key: "the scale",
            why: format!(
                "is missing: a {} file holds counts, and only you know how many metres a count is",
                sheet.format
            ),
        });
    }
    match (&sheet.place, options.spacing) {
        (Some(place), None) => Ok(place.clone()),
        (Some(place), Some(given)) => {
            // The same value as in the file is accepted.
            let Metres { spacing, .. } = place.in_metres([place.y(sheet.rows - 1), place.first[1]])?;
            if (given / spacing - 1.0).abs() < 1e-6 {
                return Ok(place.clone());
            }
            let why =
                format!("is {given} m, but the file says {} m itself, allowed: leave it out", short(spacing));
            Err(MapError::Setting { key: "the spacing", why })
        }
        (None, Some(spacing)) => Ok(Place {
            first: [0.0, (sheet.rows - 1) as f64 * spacing],
            step: [spacing; 2],
            unit: Unit::Length("m".into(), 1.0),
            equirectangular: None,
        }),
        (None, None) => Err(MapError::NotGeoreferenced { format: sheet.format }),
    }
}

/// The nodes that are read, rows from the north, and the crop in words.
fn window(sheet: &Sheet, place: &Place, crop: Option<Crop>) -> Result<(Window, Option<String>), MapError> {
    let (columns, rows) = (sheet.columns, sheet.rows);
    let unit = place.unit_name();
    match crop {
        None => Ok((Window { columns: 0..columns, rows: 0..rows }, None)),
        Some(Crop::Nodes { columns: [west, east], rows: [north, south] }) => {
            let text = format!("columns {west} to {east}, rows {north} to {south} from the north");
            if west < east && east < columns && north < south && south < rows {
                let window = Window { columns: west..east + 1, rows: north..south + 1 };
                return Ok((window, Some(format!("{text} of {columns} × {rows}"))));
            }
            let allowed =
                format!("columns 0 to {}, rows 0 to {}, at least two of each", columns - 1, rows - 1);
            Err(MapError::Crop { found: text, allowed })
        }
        Some(Crop::Coordinates { x, y }) => {
            let text =
                format!("x {} to {}, y {} to {} {unit}", short(x[0]), short(x[1]), short(y[0]), short(y[1]));
            let first = [place.first[0], place.y(rows - 1)];
            let along = |k: usize, [from, to]: [f64; 2], nodes: usize| {
                let [from, to] = [from, to].map(|at| (at - first[k]) / place.step[k]);
                let last = (nodes - 1) as f64;
                let fits = from >= -EDGE && to <= last + EDGE;
                let [from, to] = [(from - EDGE).ceil().max(0.0), (to + EDGE).floor().min(last)];
                (fits && from < to).then_some(from as usize..to as usize + 1)
            };
            let (Some(columns_kept), Some(northward)) = (along(0, x, columns), along(1, y, rows)) else {
                let [east, north] = [place.x(columns - 1), place.first[1]];
                let allowed = format!(
                    "x {} to {}, y {} to {} {unit}, at least two nodes along each",
                    short(first[0]),
                    short(east),
                    short(first[1]),
                    short(north),
                );
                return Err(MapError::Crop { found: text, allowed });
            };
            let rows_kept = rows - northward.end..rows - northward.start;
            let text =
                format!("{text}: {} × {} of {columns} × {rows} nodes", columns_kept.len(), rows_kept.len());
            Ok((Window { columns: columns_kept, rows: rows_kept }, Some(text)))
        }
    }
}

/// Text files do not name their unit; small steps within a globe's range of degrees are suspicious.
fn maybe_degrees(sheet: &Sheet, extent: &Extent, spacing: f64) -> Option<String> {
    const SMALL: f64 = 0.01;
    let within = |ends: [f64; 2], most: f64| ends.iter().all(|end| end.abs() <= most) && ends[0] != 0.0;
    let looks_so = sheet.place.is_some() && sheet.coordinates.is_none() && spacing < SMALL;
    (looks_so && within(extent.x, 360.0) && within(extent.y, 90.0)).then(|| {
        format!("nodes {} m apart are close; if these are degrees, bring the map into metres first: gdalwarp -t_srs", short(spacing))
    })
}

/// The last row first.
fn flip(values: &mut [f64], columns: usize) {
    let rows = values.len() / columns;
    for row in 0..rows / 2 {
        let (low, high) = values.split_at_mut((rows - 1 - row) * columns);
        low[row * columns..][..columns].swap_with_slice(&mut high[..columns]);
    }
}

/// The place of the file at 0, 0 of the world.
fn zero(place: &Place, extent: &Extent, spacing: f64, options: &MapOptions) -> [f64; 2] {
    let south_west = [extent.x[0], extent.y[0]];
    match options.anchor {
        Anchor::Zero(zero) => zero,
        Anchor::SouthWest(at) => [0, 1].map(|k| south_west[k] - at[k] / spacing * place.step[k]),
        Anchor::AsFile => match place.unit {
            Unit::Length(..) => [0.0; 2],
            Unit::Degrees(_) => south_west,
        },
    }
}
