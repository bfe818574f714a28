//! From an opened file to a map: crop and limits first, then the heights of the crop, no-data, scale, units and origin, each with its line in the
//! account.

use super::audit::{Extent, MapAudit, short};
use super::place::{Metres, Place, Unit};
use super::sheet::{Body, Sheet, Window};
use super::{Anchor, Crop, Fill, MOST_NODES, Map, MapError, MapOptions};
use crate::Raster;

/// No height is beyond this, m, on any body with solid ground.
const HIGHEST: f64 = 1e6;
/// Values of this size are marks, however their last digits were rounded.
const BEYOND_ANY_HEIGHT: f64 = 1e30;
/// Marks for no data that files have without saying so.
const USUAL_MARKS: [f64; 5] = [-9999.0, -32768.0, -32767.0, -99999.0, 32767.0];
/// A crop may miss the edge of the map by this part of a cell, for rounding.
const EDGE: f64 = 1e-6;

/// Makes the map.
pub(super) fn make(sheet: Sheet, body: Body, options: &MapOptions) -> Result<Map, MapError> {
    check(options)?;
    let place = place(&sheet, options)?;
    let (window, crop) = window(&sheet, &place, options.crop)?;
    let (columns, rows) = (window.columns.len(), window.rows.len());
    if columns.checked_mul(rows).is_none_or(|nodes| nodes > MOST_NODES) {
        return Err(MapError::Gigantic { columns, rows });
    }
    let extent = Extent {
        x: [place.x(window.columns.start), place.x(window.columns.end - 1)],
        y: [place.y(window.rows.end - 1), place.y(window.rows.start)],
        unit: place.unit_name().into(),
    };
    let Metres { spacing, conversions, cautions } = place.in_metres(extent.y)?;
    let stored = in_file_order(&window, &sheet);
    let mut values = body.decode(&sheet, &stored)?;
    if !sheet.south_first {
        flip(&mut values, columns);
    }
    let mut account = Account { conversions, cautions };
    account.conversions.splice(0..0, sheet.conversions.iter().cloned());
    account.cautions.splice(0..0, sheet.cautions.iter().cloned());
    account.cautions.extend(maybe_degrees(&sheet, &extent, spacing));
    let measured = account.heights(&mut values, columns, &sheet, options)?;
    let zero = zero(&place, &extent, spacing, options);
    if options.zero_height != 0.0 {
        values.iter_mut().for_each(|z| *z -= options.zero_height);
    }
    let south_west = [0, 1].map(|k| ([extent.x, extent.y][k][0] - zero[k]) / place.step[k] * spacing);
    let audit = MapAudit {
        format: format!("{}, {}", sheet.format, sheet.encoding),
        file_size: [sheet.columns, sheet.rows],
        size: [columns, rows],
        spacing,
        extent,
        heights: measured.range,
        zero: [zero[0], zero[1], options.zero_height],
        south_west,
        no_data: measured.missing,
        no_data_rule: no_data_rule(&sheet, options, measured.missing),
        coordinates: sheet.coordinates,
        crop,
        conversions: account.conversions,
        cautions: account.cautions,
    };
    Ok(Map { raster: Raster::new(south_west, spacing, columns, rows, values)?, audit })
}

/// What the user gave must be numbers.
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

/// Where the nodes lie: the file knows, or the user.
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
            // Saying what the file says too is no contradiction.
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

/// The window in the order of the file's rows.
fn in_file_order(window: &Window, sheet: &Sheet) -> Window {
    let rows = &window.rows;
    let rows = if sheet.south_first { sheet.rows - rows.end..sheet.rows - rows.start } else { rows.clone() };
    Window { columns: window.columns.clone(), rows }
}

/// The last row first.
fn flip(values: &mut [f64], columns: usize) {
    let rows = values.len() / columns;
    for row in 0..rows / 2 {
        let (low, high) = values.split_at_mut((rows - 1 - row) * columns);
        low[row * columns..][..columns].swap_with_slice(&mut high[..columns]);
    }
}

/// The file's place that is 0, 0 of the world.
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

/// What was found among the heights.
struct Measured {
    range: [f64; 2],
    missing: usize,
}

/// Lines of the account so far.
struct Account {
    conversions: Vec<String>,
    cautions: Vec<String>,
}

impl Account {
    /// Heights as stored become metres in place, rows from the south; not a number where there are none.
    fn heights(
        &mut self,
        values: &mut [f64],
        columns: usize,
        sheet: &Sheet,
        options: &MapOptions,
    ) -> Result<Measured, MapError> {
        let (factor, offset) = self.conversion(sheet, options);
        let rows = values.len() / columns;
        let from_north = |node: usize| (node % columns, rows - 1 - node / columns);
        let (mut missing, mut first_missing) = (0, None);
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        let mut lowest_stored = [f64::INFINITY, f64::NEG_INFINITY];
        for (node, value) in values.iter_mut().enumerate() {
            let marks = [sheet.no_data, options.no_data];
            if value.is_nan() || marks.iter().flatten().any(|mark| is_mark(*value, *mark)) {
                missing += 1;
                // The first from the north, as the user sees it, and from the west.
                let at = from_north(node);
                first_missing = Some(first_missing.map_or(at, |other: (usize, usize)| {
                    if (at.1, at.0) < (other.1, other.0) { at } else { other }
                }));
                *value = f64::NAN;
                continue;
            }
            let height = *value * factor + offset;
            if height.is_nan() || height.abs() > HIGHEST {
                let (column, row) = from_north(node);
                return Err(MapError::Height { column, row, found: height });
            }
            lowest_stored = [lowest_stored[0].min(*value), lowest_stored[1].max(*value)];
            range = [range[0].min(height), range[1].max(height)];
            *value = height;
        }
        let nodes = values.len();
        if missing == nodes {
            return Err(MapError::AllMissing { nodes });
        }
        if let Some(mark) = lowest_stored.into_iter().find(|v| USUAL_MARKS.contains(v)) {
            self.cautions.push(format!(
                "the value {mark} is at the end of the range of heights, and often stands for no data; if it does here, say so: no_data"
            ));
        }
        match (options.fill, first_missing) {
            (Fill::Error, Some((column, row))) => {
                return Err(MapError::Missing { count: missing, nodes, column, row });
            }
            (Fill::Height(height), Some(_)) => {
                values.iter_mut().filter(|z| z.is_nan()).for_each(|z| *z = height);
            }
            _ => {}
        }
        Ok(Measured { range, missing })
    }

    /// Factor and offset from stored values to metres, and what they are made of.
    fn conversion(&mut self, sheet: &Sheet, options: &MapOptions) -> (f64, f64) {
        if (sheet.scale, sheet.offset) != (1.0, 0.0) {
            self.conversions.push(format!(
                "heights are stored values × {} + {}, as the file says",
                short(sheet.scale),
                short(sheet.offset)
            ));
        }
        let (unit, metres) = &sheet.height_unit;
        if *metres != 1.0 {
            self.conversions.push(format!("heights from {unit} to m: × {}", short(*metres)));
        }
        if options.scale.is_some() || options.offset.is_some() {
            let (scale, offset) = (options.scale.unwrap_or(1.0), options.offset.unwrap_or(0.0));
            self.conversions.push(format!("heights × {} + {} m, as asked for", short(scale), short(offset)));
        }
        match options.zero_height {
            0.0 => {}
            by if by > 0.0 => {
                self.conversions.push(format!("heights lowered by {} m, as asked for", short(by)))
            }
            by => self.conversions.push(format!("heights raised by {} m, as asked for", short(-by))),
        }
        let scale = options.scale.unwrap_or(1.0);
        (sheet.scale * metres * scale, sheet.offset * metres * scale + options.offset.unwrap_or(0.0))
    }
}

/// Whether a stored value is the mark for no data. Marks that are the least float of 32 bits are written with differing digits.
fn is_mark(value: f64, mark: f64) -> bool {
    let beyond = |v: f64| v.abs() > BEYOND_ANY_HEIGHT;
    value == mark
        || (value as f32 == mark as f32 && (value as f32) as f64 == value)
        || (beyond(value) && beyond(mark) && value.is_sign_negative() == mark.is_sign_negative())
}

fn no_data_rule(sheet: &Sheet, options: &MapOptions, missing: usize) -> String {
    let mut marks = Vec::new();
    marks.extend(sheet.no_data.map(|mark| format!("the file marks them with {}", short(mark))));
    marks.extend(options.no_data.map(|mark| format!("marked with {}, as asked for", short(mark))));
    let mark = if marks.is_empty() { "the file marks none".to_string() } else { marks.join(", ") };
    match options.fill {
        _ if missing == 0 => mark,
        Fill::Height(height) => format!("{mark}; filled with a height of {} m, as asked for", short(height)),
        _ => format!("{mark}; left as holes"),
    }
}
