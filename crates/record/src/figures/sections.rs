//! A docking tool in a nozzle, step by step: sections of both in the plane of the nozzle's axis and x, one
//! picture per time.

use super::chart::{self, Heading};
use super::drawing::{Anchor, Colour, Drawing, Frame, Pen, Shape, Text, label};
use super::{Data, Undrawn};
use touchdown_math::Elementary;
use touchdown_sim::figure::CaptureSections;

/// Pictures side by side, the gap between them and the space above each for its time, pixels.
const ACROSS: usize = 3;
const GAP: f64 = 14.0;
const CAPTION: f64 = 20.0;
/// Extent of a picture, m: along the axis towards the client from before the shoulder to behind the crown;
/// and to both sides.
const ALONG: [f64; 2] = [-0.085, 0.030];
const ASIDE: f64 = 0.046;

const ENGINE: Colour = Colour::Rgb([0x7a, 0x7f, 0x87]);
const TOOL: Colour = Colour::Rgb([0x00, 0x72, 0xb2]);
const BOLT: Colour = Colour::Rgb([0x00, 0x9e, 0x73]);
const CROWN: Colour = Colour::Rgb([0xd5, 0x5e, 0x00]);

/// Pose of the tool at a time.
struct Place {
    time: f64,
    /// Its origin in the nozzle's frame: lateral and along the nozzle's axis, m.
    aside: f64,
    along: f64,
    /// Lateral component of its axis for a unit component forward.
    lean: f64,
    shoulder: f64,
    travel: f64,
    force: f64,
}

impl Place {
    /// A point of the tool, q forward and r lateral, in the picture: right is towards the client.
    fn point(&self, q: f64, r: f64) -> [f64; 2] {
        let size = self.lean.hypotenuse(1.0);
        let (s, c) = (self.lean / size, 1.0 / size);
        [-self.along + q * c - r * s, self.aside + q * s + r * c]
    }
}

pub(super) fn draw(heading: Heading, sections: &CaptureSections, data: &Data) -> Result<Drawing, Undrawn> {
    let places: Vec<Place> = sections
        .times
        .iter()
        .filter_map(|t| place(sections, data, *t).transpose())
        .collect::<Result<_, _>>()?;
    if places.is_empty() {
        return Err(Undrawn::NoData);
    }
    let mut drawing =
        Drawing { width: chart::WIDTH, height: 0.0, title: heading.title.into(), shapes: Vec::new() };
    let top = heading.draw(&mut drawing);
    let width = (chart::WIDTH - 24.0 - GAP * (ACROSS - 1) as f64) / ACROSS as f64;
    let scale = width / (ALONG[1] - ALONG[0]);
    let height = 2.0 * ASIDE * scale;
    for (k, place) in places.iter().enumerate() {
        let (row, column) = (k / ACROSS, k % ACROSS);
        let left = 12.0 + column as f64 * (width + GAP);
        let above = top + row as f64 * (height + CAPTION + GAP) + CAPTION;
        picture(&mut drawing, [left, above, width, height], scale, sections, place);
    }
    let rows = places.len().div_ceil(ACROSS) as f64;
    let below = top + rows * (height + CAPTION + GAP) + 8.0;
    legend(&mut drawing, below);
    drawing.height = below + 18.0;
    Ok(drawing)
}

/// The row of the series nearest to a time; `None` outside the run.
fn place(sections: &CaptureSections, data: &Data, time: f64) -> Result<Option<Place>, Undrawn> {
    let column = |name: &str| data.series.column(name).ok_or_else(|| Undrawn::NoColumn(name.into()));
    let times = column("time_s")?;
    let after = times.partition_point(|t| *t < time - 1e-9);
    if after >= times.len() {
        return Ok(None);
    }
    let at = |suffix: &str| {
        let name = format!("capture.{}.{suffix}", sections.capture);
        Ok(column(&name)?.get(after).copied().unwrap_or(f64::NAN))
    };
    Ok(Some(Place {
        time: times[after],
        aside: at("place_x_m")?,
        along: at("place_z_m")?,
        lean: at("lean_x")?,
        shoulder: at("shoulder_travel_m")?,
        travel: at("crown_travel_m")?,
        force: at("crown_axial_n")?,
    }))
}

fn picture(drawing: &mut Drawing, frame: Frame, scale: f64, sections: &CaptureSections, place: &Place) {
    let [left, top, width, height] = frame;
    let to = |p: [f64; 2]| [left + (p[0] - ALONG[0]) * scale, top + 0.5 * height - p[1] * scale];
    drawing.shapes.push(Shape::Outline(frame, Pen::thin(Colour::Grid)));
    let axis = [[ALONG[0], 0.0], [ALONG[1], 0.0]].map(to).to_vec();
    let dashed = Pen { colour: Colour::Grid, width: 1.0, dash: &[9.0, 3.0, 2.5, 3.0] };
    drawing.shapes.push(Shape::Line(axis, dashed, Some(frame)));
    let mut outline = |points: Vec<[f64; 2]>, colour: Colour, width: f64| {
        let pen = Pen { colour, width, dash: &[] };
        drawing.shapes.push(Shape::Line(points.into_iter().map(to).collect(), pen, Some(frame)));
    };
    for side in [1.0, -1.0] {
        outline(sections.nozzle.iter().map(|p| [-p[0], side * p[1]]).collect(), ENGINE, 2.4);
        let part = |points: &[[f64; 2]], shift: f64| -> Vec<[f64; 2]> {
            points.iter().map(|p| place.point(p[0] + shift, side * p[1])).collect()
        };
        outline(part(&sections.shoulder, place.shoulder), TOOL, 1.8);
        outline(part(&sections.bolt, 0.0), BOLT, 1.8);
        let crown = &sections.crown;
        let share = (place.travel / crown.spread_travel).clamp(0.0, 1.0);
        let circle = crown.stowed_radius + share * (crown.open_radius - crown.stowed_radius);
        let wire = (0..=24).map(|k| {
            let (s, c) = (std::f64::consts::TAU * f64::from(k) / 24.0).sine_cosine();
            let q = crown.extended - place.travel + crown.wire_radius * c;
            place.point(q, side * (circle + crown.wire_radius * s))
        });
        outline(wire.collect(), CROWN, 2.2);
    }
    let caption = format!("{:.1} s", place.time);
    drawing.text(label(&caption, [left, top - 6.0], chart::TEXT), 0.5 * width);
    let force = format!("crown {:.0} N", place.force + 0.0);
    let label = label(&force, [left + width, top - 6.0], chart::SMALL);
    drawing.text(Text { anchor: Anchor::End, colour: Colour::Muted, ..label }, 0.5 * width);
}

fn legend(drawing: &mut Drawing, y: f64) {
    let mut x = 12.0;
    for (name, colour) in [("nozzle", ENGINE), ("shoulder and body", TOOL), ("bolt", BOLT), ("crown", CROWN)]
    {
        drawing.line(&[[x, y - 4.0], [x + 22.0, y - 4.0]], Pen { colour, width: 2.2, dash: &[] });
        drawing.text(label(name, [x + 28.0, y], chart::SMALL), 160.0);
        x += 28.0 + 8.0 * name.len() as f64 + 18.0;
    }
}
