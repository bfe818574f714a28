//! Conversion of stored heights to metres, row by row: scale, units, no-data; and statistics for the record.

use super::audit::short;
use super::sheet::Sheet;
use super::{Fill, MapError, MapOptions};

/// No height is beyond this, m, on any body with solid ground.
const HIGHEST: f64 = 1e6;
/// Values of this size are no-data markers, for any rounding of their last digits.
const BEYOND_ANY_HEIGHT: f64 = 1e30;
/// Common undeclared no-data values.
const USUAL_MARKS: [f64; 5] = [-9999.0, -32768.0, -32767.0, -99999.0, 32767.0];
/// Converts heights and collects their statistics.
pub(super) struct Heights {
    factor: f64,
    offset: f64,
    zero: f64,
    marks: [Option<f64>; 2],
    fill: Fill,
    missing: usize,
    /// Column and row from the north.
    first_missing: Option<(usize, usize)>,
    range: [f64; 2],
    stored: [f64; 2],
    conversions: Vec<String>,
}

/// Statistics of the heights.
pub(super) struct Measured {
    pub range: [f64; 2],
    pub missing: usize,
    pub no_data_rule: String,
    pub conversions: Vec<String>,
    pub cautions: Vec<String>,
}

impl Heights {
    pub fn new(sheet: &Sheet, options: &MapOptions) -> Heights {
        let (factor, offset, conversions) = conversion(sheet, options);
        let none = [f64::INFINITY, f64::NEG_INFINITY];
        Heights {
            factor,
            offset,
            zero: options.zero_height,
            marks: [sheet.no_data, options.no_data],
            fill: options.fill,
            missing: 0,
            first_missing: None,
            range: none,
            stored: none,
            conversions,
        }
    }

    /// Converts the heights of a row, counted from the north, to metres in place; not a number where there
    /// are none. Rows come from the north.
    pub fn convert(&mut self, values: &mut [f64], row: usize) -> Result<(), MapError> {
        for (column, value) in values.iter_mut().enumerate() {
            if value.is_nan() || self.marks.iter().flatten().any(|mark| is_mark(*value, *mark)) {
                self.missing += 1;
                self.first_missing.get_or_insert((column, row));
                *value = if let Fill::Height(height) = self.fill { height - self.zero } else { f64::NAN };
                continue;
            }
            let height = *value * self.factor + self.offset;
            if height.is_nan() || height.abs() > HIGHEST {
                return Err(MapError::Height { column, row, found: height });
            }
            self.stored = [self.stored[0].min(*value), self.stored[1].max(*value)];
            self.range = [self.range[0].min(height), self.range[1].max(height)];
            *value = height - self.zero;
        }
        Ok(())
    }

    /// Statistics of this number of nodes.
    pub fn finish(self, nodes: usize) -> Result<Measured, MapError> {
        let missing = self.missing;
        if missing == nodes {
            return Err(MapError::AllMissing { nodes });
        }
        if let (Fill::Error, Some((column, row))) = (self.fill, self.first_missing) {
            return Err(MapError::Missing { count: missing, nodes, column, row });
        }
        let mark = self.stored.into_iter().find(|v| USUAL_MARKS.contains(v));
        let cautions = mark.into_iter().map(|mark| {
            format!("the value {mark} is at the end of the range of heights, and often stands for no data; if it does here, say so: no_data")
        });
        let no_data_rule = self.no_data_rule();
        let (range, conversions) = (self.range, self.conversions);
        Ok(Measured { range, missing, no_data_rule, conversions, cautions: cautions.collect() })
    }

    fn no_data_rule(&self) -> String {
        let [of_file, asked] = self.marks;
        let mut marks = Vec::new();
        marks.extend(of_file.map(|mark| format!("the file marks them with {}", short(mark))));
        marks.extend(asked.map(|mark| format!("marked with {}, as asked for", short(mark))));
        let mark = if marks.is_empty() { "the file marks none".to_string() } else { marks.join(", ") };
        match self.fill {
            _ if self.missing == 0 => mark,
            Fill::Height(height) => {
                format!("{mark}; filled with a height of {} m, as asked for", short(height))
            }
            _ => format!("{mark}; left as holes"),
        }
    }
}

/// Factor and offset from stored values to metres, and their parts.
fn conversion(sheet: &Sheet, options: &MapOptions) -> (f64, f64, Vec<String>) {
    let mut conversions = Vec::new();
    if (sheet.scale, sheet.offset) != (1.0, 0.0) {
        conversions.push(format!(
            "heights are stored values × {} + {}, as the file says",
            short(sheet.scale),
            short(sheet.offset)
        ));
    }
    let (unit, metres) = &sheet.height_unit;
    if *metres != 1.0 {
        conversions.push(format!("heights from {unit} to m: × {}", short(*metres)));
    }
    if options.scale.is_some() || options.offset.is_some() {
        let (scale, offset) = (options.scale.unwrap_or(1.0), options.offset.unwrap_or(0.0));
        conversions.push(format!("heights × {} + {} m, as asked for", short(scale), short(offset)));
    }
    match options.zero_height {
        0.0 => {}
        by if by > 0.0 => conversions.push(format!("heights lowered by {} m, as asked for", short(by))),
        by => conversions.push(format!("heights raised by {} m, as asked for", short(-by))),
    }
    let scale = options.scale.unwrap_or(1.0);
    let offset = sheet.offset * metres * scale + options.offset.unwrap_or(0.0);
    (sheet.scale * metres * scale, offset, conversions)
}

/// Whether a stored value means no data. The least 32-bit float is written with different digits.
fn is_mark(value: f64, mark: f64) -> bool {
    let beyond = |v: f64| v.abs() > BEYOND_ANY_HEIGHT;
    value == mark
        || (value as f32 == mark as f32 && (value as f32) as f64 == value)
        || (beyond(value) && beyond(mark) && value.is_sign_negative() == mark.is_sign_negative())
}
