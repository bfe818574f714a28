//! Static figures: what the report shows as SVG and PNG, for papers, slides and printing.
//!
//! Figure and data ⇒ a list of shapes (`chart`, `soil`, `relief`) ⇒ SVG text (`svg`) or pixels (`raster`).
//! All are pure functions without files or a clock, except [`write_into()`]. The same data give the same
//! bytes.

mod axis;
mod chart;
mod drawing;
mod font;
mod plot;
mod raster;
mod relief;
mod sections;
mod soil;
mod svg;
#[cfg(test)]
mod tests;
mod thin;
pub mod ticks;

use crate::claim::StudyFolder;
use crate::disk::Place;
use crate::error::RecordError;
use crate::figure::ReportSpec;
use crate::files::FIGURES;
use crate::series::Series;
use axis::{Axis, extent};
pub use chart::COLOURS;
use chart::{Band, Chart, Curve, Heading, PointSet};
use drawing::Drawing;
pub use plot::{Bar, BarPart, Layer, Marks, Plot, Scale, bars_svg, plot_svg};
pub use relief::{is_relief, relief_png};
use std::path::PathBuf;
use touchdown_sim::figure::{Figure, FigureKind, PhaseSpan, Point};
use touchdown_sim::sink::SoilNode;

/// Data of the figures.
#[derive(Clone, Copy, Debug)]
pub struct Data<'a> {
    /// The series.
    pub series: &'a Series,
    /// The soil's surface at the end; empty if there is none.
    pub surface: &'a [SoilNode],
    /// Parts of the run, shaded in figures against time.
    pub phases: &'a [PhaseSpan],
}

/// Background of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// White paper, for a separate file.
    White,
    /// A page that contains it: no background, text and lines in the page's colour.
    Page,
}

/// Why a figure could not be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undrawn {
    /// The series has none of its columns.
    #[error("the series has no column {0}")]
    NoColumn(String),
    /// No row has numbers for both axes.
    #[error("its columns hold no numbers")]
    NoData,
    /// There is no surface.
    #[error("no surface of soil was recorded")]
    NoSoil,
    /// The line lies outside the touched ground.
    #[error("the line lies outside the soil that was touched")]
    OutsideSoil,
    /// The pixels could not be encoded.
    #[error("the picture could not be encoded")]
    Pixels,
}

/// The figure as SVG.
pub fn svg(figure: &Figure, data: &Data, paper: Paper) -> Result<String, Undrawn> {
    Ok(svg::write(&draw(figure, data, paper)?, paper))
}

/// The figure as a PNG file, two pixels for each of the SVG's.
pub fn png(figure: &Figure, data: &Data) -> Result<Vec<u8>, Undrawn> {
    raster::write(&draw(figure, data, Paper::White)?).ok_or(Undrawn::Pixels)
}

/// Files that were written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The files.
    pub files: Vec<PathBuf>,
    /// What is missing, and which figures could not be drawn, in words.
    pub notes: Vec<String>,
}

/// Writes `NAME.svg` and `NAME.png` of every figure into the folder `figures` of a study.
pub fn write_into(folder: &StudyFolder, spec: &ReportSpec, data: &Data) -> Result<Written, RecordError> {
    write(&folder.place().make_below(FIGURES)?, spec, data)
}

/// Writes `NAME.svg` and `NAME.png` of every figure into a folder.
pub(crate) fn write(place: &Place, spec: &ReportSpec, data: &Data) -> Result<Written, RecordError> {
    let mut written = Written::default();
    for figure in &spec.figures {
        let note = |why: Undrawn| format!("\"{}\" is not drawn: {why}.", figure.title);
        let drawing = match draw(figure, data, Paper::White) {
            Ok(drawing) => drawing,
            Err(why) => {
                written.notes.push(note(why));
                continue;
            }
        };
        let text = svg::write(&drawing, Paper::White).into_bytes();
        for (name, bytes) in names(figure).into_iter().zip([Some(text), raster::write(&drawing)]) {
            match bytes {
                Some(bytes) => {
                    place.write(&name, &bytes)?;
                    written.files.push(place.path_of(&name));
                }
                None => written.notes.push(note(Undrawn::Pixels)),
            }
        }
    }
    Ok(written)
}

/// The files of a figure: SVG and PNG.
pub(crate) fn names(figure: &Figure) -> [String; 2] {
    let name = file_name(&figure.name);
    ["svg", "png"].map(|ending| format!("{name}.{ending}"))
}

/// A manifest may have been edited by hand: its names must not lead out of the folder.
fn file_name(name: &str) -> String {
    /// Longer names are cut.
    const LONGEST: usize = 100;
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
    let name: String = name.chars().take(LONGEST).map(plain).collect();
    if name.is_empty() { "figure".into() } else { name }
}

/// On a page, the page prints the figure's heading.
fn draw(figure: &Figure, data: &Data, paper: Paper) -> Result<Drawing, Undrawn> {
    let heading = Heading { title: &figure.title, source: &figure.source, shown: paper == Paper::White };
    match &figure.kind {
        FigureKind::SoilMap => soil::map(heading, data.surface),
        FigureKind::SoilSection { along_x, at } => soil::section(heading, data.surface, *along_x, *at),
        FigureKind::CaptureSections(sections) => sections::draw(heading, sections, data),
        FigureKind::Lines { .. } => lines(heading, &figure.kind, data),
    }
}

/// Columns against another column; missing columns are omitted as long as one is left.
fn lines(heading: Heading, kind: &FigureKind, data: &Data) -> Result<Drawing, Undrawn> {
    let FigureKind::Lines { x, x_label, x_unit, x_scale, y_label, y_unit, y_scale, traces, points: sets } =
        kind
    else {
        return Err(Undrawn::NoData);
    };
    let column = |name: &str| data.series.column(name).ok_or_else(|| Undrawn::NoColumn(name.into()));
    let abscissa = column(x)?;
    let mut curves = Vec::new();
    let mut missing = Undrawn::NoData;
    for trace in traces {
        match column(&trace.column) {
            Ok(values) => curves.push(Curve {
                label: trace.label.clone(),
                points: abscissa.iter().zip(values).map(|(x, y)| [x * x_scale, y * y_scale]).collect(),
                measured: trace.measured,
            }),
            Err(why) => missing = why,
        }
    }
    if curves.is_empty() {
        return Err(missing);
    }
    let sets: Vec<PointSet> =
        sets.iter().map(|set| PointSet { label: set.label.clone(), points: set.each().collect() }).collect();
    let whole = |p: &[f64; 2]| p[0].is_finite() && p[1].is_finite();
    let ends = |p: &Point| {
        let ([x, y], [dx, dy]) = (p.at, p.bars);
        [[x - dx, y - dy], [x + dx, y + dy]]
    };
    let marked = || sets.iter().flat_map(|set| &set.points).flat_map(ends);
    let points = || curves.iter().flat_map(|curve| &curve.points).copied().chain(marked()).filter(whole);
    let across = extent(points().map(|p| p[0])).ok_or(Undrawn::NoData)?;
    let upwards = extent(points().map(|p| p[1])).ok_or(Undrawn::NoData)?;
    let against_time = x == "time_s";
    // A monotonic line needs no margin at its ends.
    let rising = abscissa.windows(2).all(|pair| pair[0] <= pair[1]);
    let band = |phase: &PhaseSpan| Band {
        label: phase.label.clone(),
        from: phase.from * x_scale,
        to: phase.to * x_scale,
    };
    let chart = Chart {
        heading,
        x: if rising { Axis::tight(across, x_label, x_unit) } else { Axis::roomy(across, x_label, x_unit) },
        y: Axis::roomy(upwards, y_label, y_unit),
        bands: if against_time { data.phases.iter().map(band).collect() } else { Vec::new() },
        curves,
        sets,
    };
    Ok(chart.draw())
}
