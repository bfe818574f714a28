//! Record of the content of a map file and of all conversions to a [`super::Map`], for the user.

use std::fmt::Write;

/// Record of a file and its conversions.
#[derive(Clone, Debug, PartialEq)]
pub struct MapAudit {
    /// Format and how heights are stored in it.
    pub format: String,
    /// Columns and rows of the file.
    pub file_size: [usize; 2],
    /// Columns and rows that were read.
    pub size: [usize; 2],
    /// Distance of the nodes, m.
    pub spacing: f64,
    /// From the first to the last node that was read, in the file's coordinates.
    pub extent: Extent,
    /// Lowest and highest height of the file, m, after scale and units.
    pub heights: [f64; 2],
    /// Place in the file's coordinates that is 0, 0 of the world, and height that is z = 0.
    pub zero: [f64; 3],
    /// Position of the south-western node in the world, m.
    pub south_west: [f64; 2],
    /// Nodes without data among those read.
    pub no_data: usize,
    /// Their marker, and their treatment.
    pub no_data_rule: String,
    /// The coordinate system, as named in the file.
    pub coordinates: Option<String>,
    /// The crop, in words.
    pub crop: Option<String>,
    /// Every conversion that was done.
    pub conversions: Vec<String>,
    /// Cautions for the user.
    pub cautions: Vec<String>,
}

/// A rectangle of the file's coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Extent {
    /// West and east.
    pub x: [f64; 2],
    /// South and north.
    pub y: [f64; 2],
    /// Unit of both; empty where they are counts of nodes.
    pub unit: String,
}

impl MapAudit {
    /// The record as labels and texts, in reading order.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let [columns, rows] = self.size;
        let Extent { x, y, unit } = &self.extent;
        let mut lines = vec![
            ("format", self.format.clone()),
            ("coordinates", self.coordinates.clone().unwrap_or("the file names no coordinate system".into())),
            (
                "size",
                format!(
                    "{columns} × {rows} nodes, {} × {} m",
                    length(columns, self.spacing),
                    length(rows, self.spacing)
                ),
            ),
            ("spacing", format!("{} m", short(self.spacing))),
            ("extent x", range(*x, unit)),
            ("extent y", range(*y, unit)),
            ("heights", range(self.heights, "m")),
            ("no data", format!("{} of {} nodes; {}", self.no_data, columns * rows, self.no_data_rule)),
            ("crop", self.crop.clone().unwrap_or("none: the whole file".into())),
            ("world 0, 0, 0", {
                let [x, y, z] = self.zero.map(short);
                format!("is x {x}, y {y} {unit}, height {z} m of the file").replace("  ", " ")
            }),
            ("south-west", {
                let [x, y] = self.south_west.map(short);
                format!("the first node lies at x {x}, y {y} m of the world")
            }),
        ];
        lines.extend(self.conversions.iter().map(|text| ("converted", text.clone())));
        lines.extend(self.cautions.iter().map(|text| ("caution", text.clone())));
        lines
    }

    /// The record in one line, for lists of remarks.
    pub fn in_short(&self) -> String {
        let [columns, rows] = self.size;
        let mut text = format!(
            "{}; {columns} × {rows} nodes every {} m, heights {}; {} nodes without data",
            self.format,
            short(self.spacing),
            range(self.heights, "m"),
            self.no_data,
        );
        if self.no_data > 0 {
            let _ = write!(text, " ({})", self.no_data_rule);
        }
        for remark in
            self.crop.iter().map(|crop| format!("crop {crop}")).chain(self.conversions.iter().cloned())
        {
            let _ = write!(text, "; {remark}");
        }
        text
    }
}

fn length(nodes: usize, spacing: f64) -> String {
    short((nodes - 1) as f64 * spacing)
}

fn range([from, to]: [f64; 2], unit: &str) -> String {
    format!("{} to {} {unit}", short(from), short(to)).trim_end().to_string()
}

/// Ten digits, without zeros at the end: a millimetre in a planet's circumference.
pub(super) fn short(x: f64) -> String {
    let rounded: f64 = format!("{x:.9e}").parse().unwrap_or(x);
    if rounded != 0.0 && !(1e-6..1e12).contains(&rounded.abs()) {
        format!("{rounded:e}")
    } else {
        format!("{rounded}")
    }
}
