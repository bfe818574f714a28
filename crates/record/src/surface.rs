//! `soil.parquet`: the soil's surface at the end of a run, one row per node of the touched squares of ground.

use crate::disk::Place;
use crate::error::RecordError;
use crate::files::{Folder, SOIL};
use crate::series::{SeriesWriter, group_rows, read_series};
use std::path::Path;
use touchdown_sim::sink::{Column, SoilNode};

fn columns() -> [Column; 4] {
    [
        ("x_m", "place of the node"),
        ("y_m", "place of the node"),
        ("height_m", "height of the surface at the end of the run"),
        ("undisturbed_m", "height of the undisturbed surface there"),
    ]
    .map(|(name, about)| Column { name: name.into(), unit: "m", frame: "world", about: about.into() })
}

/// Writes `soil.parquet`.
pub(crate) fn write(place: &Place, nodes: &[SoilNode]) -> Result<(), RecordError> {
    let columns = columns();
    let (replacement, file) = place.start(SOIL)?;
    let mut writer = SeriesWriter::new(file, &columns, replacement.doing())?;
    for group in nodes.chunks(group_rows(columns.len())) {
        let column = |read: fn(&SoilNode) -> f64| group.iter().map(read).collect();
        writer.write(vec![
            column(|n| n.x),
            column(|n| n.y),
            column(|n| n.height),
            column(|n| n.undisturbed),
        ])?;
    }
    replacement.commit(writer.finish()?)
}

/// Reads `soil.parquet` of a run folder, or such a file itself; no nodes if the folder has none.
pub fn read_surface(path: &Path) -> Result<Vec<SoilNode>, RecordError> {
    let file = if path.is_dir() { Folder::new(path).soil() } else { path.to_path_buf() };
    if path.is_dir() && !file.exists() {
        return Ok(Vec::new());
    }
    let series = read_series(&file)?;
    let column = |name: &str| {
        series.column(name).ok_or_else(|| RecordError::Format {
            doing: format!("reading {}", file.display()),
            why: format!("there is no column {name}"),
        })
    };
    let [x, y, height, undisturbed] =
        [column("x_m")?, column("y_m")?, column("height_m")?, column("undisturbed_m")?];
    let node = |i: usize| SoilNode { x: x[i], y: y[i], height: height[i], undisturbed: undisturbed[i] };
    Ok((0..series.rows()).map(node).collect())
}
