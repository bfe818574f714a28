//! The scenario of a stretch: the relief around it from the C² patches, in a frame whose x axis is the first heading, and the waypoints.

use super::{CheckJob, Stretch};
use crate::map::MapStageError;
use crate::route::{Route, Terrain};
use std::fmt::Write;
use touchdown_geometry::Raster;
use touchdown_geometry::surface::{HeightForm, HeightSurface, Smoothness};
use touchdown_math::Elementary;

/// Ground around the waypoints, m: more than half a rover.
const MARGIN: f64 = 2.5;
/// Distance of the nodes of the relief, m; finer than a wheel's footprint is long, so that the patches look smooth.
const FINE: f64 = 0.1;
/// Cells around a place that its patch needs.
const AROUND: usize = 3;
/// What the grid says where there is no data.
const NO_DATA: f64 = -9999.0;

/// Texts of the two files of a stretch.
pub(super) struct Texts {
    pub scenario: String,
    pub relief: String,
}

/// A frame on the map: origin at a node, x along a heading, y to its left, z from the height there.
struct Local {
    surface: HeightSurface,
    /// Origin in the surface's metres.
    origin: [f64; 2],
    height: f64,
    forward: [f64; 2],
}

impl Local {
    /// Metres to the east and north from the origin, in the frame.
    fn turned(&self, [east, north]: [f64; 2]) -> [f64; 2] {
        let [e, n] = self.forward;
        [east * e + north * n, north * e - east * n]
    }

    /// Height and slopes along x and y at a place of the frame.
    fn ground(&self, [x, y]: [f64; 2]) -> Option<(f64, [f64; 2])> {
        let [e, n] = self.forward;
        let at = [self.origin[0] + x * e - y * n, self.origin[1] + x * n + y * e];
        let jet = self.surface.jet(at[0], at[1]).ok()?;
        Some((jet.z - self.height, self.turned(jet.gradient)))
    }
}

/// Makes the texts; the files will be called `name` with their endings.
pub(super) fn texts(
    terrain: &Terrain,
    route: &Route,
    stretch: &Stretch,
    name: &str,
    job: &CheckJob,
) -> Result<Texts, MapStageError> {
    let refuse = |why: &str| MapStageError::Run { name: name.into(), why: why.into() };
    let points = &route.points[stretch.first..=stretch.last];
    let cells: Vec<[usize; 2]> =
        points.iter().map(|p| [p.cell % terrain.columns, p.cell / terrain.columns]).collect();
    let local = local(terrain, &cells, points[0].heading_deg)?;
    let metres = |cell: &[usize; 2]| {
        let off = |k: usize, sign: f64| sign * (cell[k] as f64 - cells[0][k] as f64) * terrain.spacing;
        local.turned([off(0, 1.0), off(1, -1.0)])
    };
    let places: Vec<[f64; 2]> = cells.iter().map(metres).collect();
    let (_, slope) = local.ground([0.0; 2]).ok_or_else(|| refuse("there is no ground where it begins"))?;
    // Waypoints are the corners and the end.
    let is_corner =
        |k: &usize| *k + 1 == points.len() || points[*k].heading_deg != points[*k - 1].heading_deg;
    let corners: Vec<[f64; 2]> = (1..points.len()).filter(is_corner).map(|k| places[k]).collect();
    let mut soils: Vec<(usize, u8)> = Vec::new();
    for point in points {
        match soils.iter_mut().find(|(_, soil)| *soil == point.soil) {
            Some((count, _)) => *count += 1,
            None => soils.push((1, point.soil)),
        }
    }
    let soil = soils.iter().max_by_key(|(count, soil)| (*count, u8::MAX - soil)).map_or(0, |(_, soil)| *soil);
    let length = route.points[stretch.last].distance_m - points[0].distance_m;
    let mut waypoints = String::from("[0, 0]");
    for [x, y] in &corners {
        let _ = write!(waypoints, ", [{x:.4}, {y:.4}]");
    }
    let pitch = -slope[0].arctangent();
    let roll = (slope[1] * pitch.cosine()).arctangent();
    let scenario = format!(
        include_str!("stretch.toml.txt"),
        version = job.version,
        from = points[0].place,
        to = route.points[stretch.last].place,
        duration = (2.5 * length / job.speed_m_per_s + 20.0).ceil(),
        gravity = job.gravity,
        name = name,
        soil = job.table.soils()[usize::from(soil)],
        several = if soils.len() > 1 { "; soil: that of most cells, the route crosses others" } else { "" },
        rover = job.rover,
        pitch = pitch.to_degrees(),
        roll = roll.to_degrees(),
        waypoints = waypoints,
        speed = job.speed_m_per_s,
    );
    Ok(Texts { scenario, relief: relief(&local, &places, terrain.spacing) })
}

fn local(terrain: &Terrain, cells: &[[usize; 2]], heading_deg: f64) -> Result<Local, MapStageError> {
    let reach = (MARGIN * std::f64::consts::SQRT_2 / terrain.spacing).ceil() as usize + AROUND;
    let range = |k: usize, all: usize| {
        let of = cells.iter().map(|cell| cell[k]);
        let (low, high) = of.fold((usize::MAX, 0), |(low, high), c| (low.min(c), high.max(c)));
        low.saturating_sub(reach)..(high + reach + 1).min(all)
    };
    let (columns, rows) = (range(0, terrain.columns), range(1, terrain.rows));
    // The raster's rows come from the south.
    let mut heights = Vec::with_capacity(columns.len() * rows.len());
    for row in rows.clone().rev() {
        heights.extend_from_slice(&terrain.heights[row * terrain.columns..][columns.clone()]);
    }
    let raster = Raster::new([0.0; 2], terrain.spacing, columns.len(), rows.len(), heights);
    let raster = raster
        .map_err(|error| MapStageError::Run { name: "on the relief".into(), why: error.to_string() })?;
    let [column, row] = cells[0];
    let origin =
        [(column - columns.start) as f64 * terrain.spacing, (rows.end - 1 - row) as f64 * terrain.spacing];
    let (sine, cosine) = heading_deg.to_radians().sine_cosine();
    Ok(Local {
        surface: HeightSurface::new(HeightForm::Map { raster, smoothness: Smoothness::C2 }),
        origin,
        height: terrain.heights[row * terrain.columns + column],
        forward: [sine, cosine],
    })
}

/// The relief as an ASCII grid, in millimetres' hundredths.
fn relief(local: &Local, places: &[[f64; 2]], spacing: f64) -> String {
    let fine = FINE.min(spacing);
    let range = |k: usize| {
        let of = places.iter().map(|place| place[k]);
        let (low, high) =
            of.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        let first = ((low - MARGIN) / fine).floor();
        (first * fine, (((high + MARGIN) / fine).ceil() - first) as usize + 1)
    };
    let ((x, columns), (y, rows)) = (range(0), range(1));
    let mut text = format!(
        "ncols {columns}\nnrows {rows}\nxllcenter {x:.6}\nyllcenter {y:.6}\ncellsize {fine}\nNODATA_value {NO_DATA}\n"
    );
    for row in (0..rows).rev() {
        for column in 0..columns {
            let ground = local.ground([x + column as f64 * fine, y + row as f64 * fine]);
            let gap = if column == 0 { "" } else { " " };
            let _ = match ground {
                Some((height, _)) => write!(text, "{gap}{height:.5}"),
                None => write!(text, "{gap}{NO_DATA}"),
            };
        }
        text.push('\n');
    }
    text
}
