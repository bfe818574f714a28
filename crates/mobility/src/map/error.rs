//! Why the map stage cannot go on: which file, what was found, what is allowed, and what to do about it.

use crate::TableError;
use touchdown_geometry::map::MapError;
use touchdown_record::RecordError;

/// Why the map stage cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum MapStageError {
    /// An invalid map.
    #[error("{file}: {error}")]
    Map {
        /// Its name.
        file: String,
        /// What is wrong with it.
        error: MapError,
    },
    /// A file that cannot be opened.
    #[error("{file} cannot be read: {why}")]
    Unreadable {
        /// Its name.
        file: String,
        /// What the system says.
        why: String,
    },
    /// Classes that lie elsewhere than the heights.
    #[error(
        "the classes of {file} do not lie on the nodes of the heights: {what}; allowed: the same {what_of}"
    )]
    OtherGrid {
        /// The file of classes.
        file: String,
        /// What differs, found and expected.
        what: String,
        /// Which property.
        what_of: &'static str,
    },
    /// A class that has no soil.
    #[error(
        "{file}: class {found} at column {column}, row {row} from the north is not in the legend, allowed: {allowed}"
    )]
    Class {
        /// The file of classes.
        file: String,
        /// Column from the west.
        column: usize,
        /// Row from the north.
        row: usize,
        /// As stored.
        found: f64,
        /// Classes of the legend.
        allowed: String,
    },
    /// An invalid legend.
    #[error("{file}: {what}, allowed: {allowed}")]
    Legend {
        /// Its name.
        file: String,
        /// What was found.
        what: String,
        /// What may stand there.
        allowed: String,
    },
    /// A place that is not on the map, or that the rover cannot stand on.
    #[error("the place x {x}, y {y} {what}")]
    Place {
        /// In the file's coordinates.
        x: f64,
        /// In the file's coordinates.
        y: f64,
        /// What is wrong with it.
        what: String,
    },
    /// No way leads there.
    #[error(
        "no route leads from {from:?} to {to:?}: every path crosses a step, ground without data, a slope that no run was made for, or a place where the probability of getting stuck is above {p_stuck_max}"
    )]
    NoRoute {
        /// Start, in the file's coordinates.
        from: [f64; 2],
        /// Goal.
        to: [f64; 2],
        /// The limit.
        p_stuck_max: f64,
    },
    /// More cells than a route is searched over.
    #[error("a route over {cells} cells was asked for, allowed: {most}")]
    RouteTooLarge {
        /// Cells between and around start and goal.
        cells: usize,
        /// Most.
        most: usize,
    },
    /// A setting out of range.
    #[error("{key} is {found}, allowed: {allowed}")]
    Setting {
        /// Which.
        key: &'static str,
        /// Its value.
        found: f64,
        /// Its range.
        allowed: &'static str,
    },
    /// A run on the real relief that cannot be made.
    #[error("the full run {name}: {why}")]
    Run {
        /// Which.
        name: String,
        /// Why not.
        why: String,
    },
    /// A folder that holds the answer to another question.
    #[error("{file}: {why}")]
    Asked {
        /// What it was asked.
        file: String,
        /// What differs.
        why: String,
    },
    /// Threads that the system does not give.
    #[error("{0} threads cannot be started")]
    Threads(usize),
    /// A file that cannot be written.
    #[error("writing {file}: {why}")]
    Write {
        /// Which.
        file: String,
        /// What the system says.
        why: String,
    },
    /// An invalid table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A folder or file that cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl MapStageError {
    /// How to mend it, if that is known.
    pub fn hint(&self) -> Option<&str> {
        match self {
            MapStageError::Map { error, .. } => error.hint(),
            MapStageError::OtherGrid { .. } => Some(
                "resample the classes onto the heights: gdalwarp -r near -tr … -te … CLASSES.tif OUT.tif",
            ),
            MapStageError::Class { .. } => Some(
                "add [class.N] with its soil to the legend, or mark the class as no data: gdal_edit.py -a_nodata N",
            ),
            MapStageError::Place { .. } => Some(
                "places are given in the coordinates of the map: touchdown terrain MAP prints its extent",
            ),
            MapStageError::NoRoute { .. } => Some(
                "see p_stuck.tif for what lies between; a higher limit of the risk, or other ends, may help",
            ),
            MapStageError::RouteTooLarge { .. } => {
                Some("crop the map around the traverse, or thin it out: gdal_translate -tr SPACING SPACING")
            }
            MapStageError::Asked { .. } => Some("choose another folder"),
            _ => None,
        }
    }

    pub(crate) fn write(file: impl Into<String>, error: &std::io::Error) -> Self {
        MapStageError::Write { file: file.into(), why: error.to_string() }
    }
}
