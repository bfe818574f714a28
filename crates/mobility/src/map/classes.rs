//! The class of the soil at every node, row by row: a second map on the same nodes, and its legend.

use super::{Legend, MapStageError};
use crate::ResponseTable;
use std::io::{Read, Seek};
use touchdown_geometry::map::{MapOptions, MapRows};

/// Nodes of classes and of heights may lie apart by this part of a cell.
const APART: f64 = 1e-3;

/// Soils row by row.
pub struct ClassRows<R: Read + Seek> {
    rows: MapRows<R>,
    file: String,
    /// Number of the soil of each class in the table.
    soils: Vec<Option<u8>>,
    allowed: String,
    row: usize,
}

impl<R: Read + Seek> ClassRows<R> {
    /// Opens a raster of classes that lies on the nodes of `heights`, of which the same part is read.
    pub fn open(
        (source, file): (R, &str),
        legend: (&Legend, &str),
        heights: &MapRows<impl Read + Seek>,
        options: &MapOptions,
        table: &ResponseTable,
    ) -> Result<ClassRows<R>, MapStageError> {
        let soils = legend.0.numbers(table, legend.1)?;
        let options = MapOptions { crop: options.crop, spacing: options.spacing, ..MapOptions::default() };
        let rows = MapRows::open(source, file, &options)
            .map_err(|error| MapStageError::Map { file: file.into(), error })?;
        let refuse =
            |what: String, what_of| Err(MapStageError::OtherGrid { file: file.into(), what, what_of });
        let sizes = [[rows.columns(), rows.rows()], [heights.columns(), heights.rows()]];
        if sizes[0] != sizes[1] {
            let [found, expected] = sizes.map(|[columns, rows]| format!("{columns} × {rows}"));
            return refuse(format!("{found} nodes, the heights have {expected}"), "columns and rows");
        }
        let [found, expected] = [rows.place(0, 0), heights.place(0, 0)];
        let [far, far_expected] =
            [(rows.columns() - 1, rows.rows() - 1), (heights.columns() - 1, heights.rows() - 1)];
        let [far, far_expected] = [rows.place(far.0, far.1), heights.place(far_expected.0, far_expected.1)];
        let step = heights.step().0;
        let apart = |a: [f64; 2], b: [f64; 2]| (0..2).any(|k| (a[k] - b[k]).abs() > APART * step[k]);
        if apart(found, expected) || apart(far, far_expected) {
            return refuse(
                format!("from {found:?} to {far:?}, the heights from {expected:?} to {far_expected:?}"),
                "first and last node",
            );
        }
        let classes: Vec<String> = legend.0.classes.keys().map(u8::to_string).collect();
        Ok(ClassRows { rows, file: file.into(), soils, allowed: classes.join(", "), row: 0 })
    }

    /// Numbers of the soils of the next row; `None` where there is no class.
    pub fn next_row(&mut self, soils: &mut Vec<Option<u8>>) -> Result<(), MapStageError> {
        soils.clear();
        let file = &self.file;
        let values =
            self.rows.next_row().map_err(|error| MapStageError::Map { file: file.clone(), error })?;
        for (column, value) in values.unwrap_or_default().iter().enumerate() {
            if value.is_nan() {
                soils.push(None);
                continue;
            }
            let is_whole = value.fract() == 0.0 && (0.0..self.soils.len() as f64).contains(value);
            let soil = is_whole.then(|| self.soils[*value as usize]).flatten();
            let Some(soil) = soil else {
                return Err(MapStageError::Class {
                    file: file.clone(),
                    column,
                    row: self.row,
                    found: *value,
                    allowed: self.allowed.clone(),
                });
            };
            soils.push(Some(soil));
        }
        self.row += 1;
        Ok(())
    }
}
