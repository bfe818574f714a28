//! Rocks at random places: their bodies, their beds in the soil, and their contacts with wheels.

use crate::kit::Kit;
use std::f64::consts::{FRAC_1_SQRT_2, TAU};
use std::sync::Arc;
use thiserror::Error;
use touchdown_contact::polygonal::PairLaw;
use touchdown_contact::polygonal::mesh::{MeshPair, Reference};
use touchdown_contact::soil::{SoilShape, SoilSurface};
use touchdown_geometry::map::MOST_NODES;
use touchdown_geometry::revolution::{Path, Section, Side};
use touchdown_geometry::{Raster, Relief, Rock, SolidMesh, TriangleMesh};
use touchdown_math::{Mat3, Pose, Vec3, rotation};
use touchdown_multibody::description::JointKind;
use touchdown_sim::description::{
    Ground, PolygonalContact, PolygonalPair, PolygonalSide, SoilBody, SoilGround,
};

/// Height and width of rocks over their longest edge.
const WIDE: f64 = 0.8;
const HIGH: f64 = 0.65;
/// Tries to find a free place for a rock.
const TRIES: u32 = 200;
/// Halvings of a rock's triangles for contact with wheels (1280 triangles) and with soil (320): as fine as
/// the soil's grid.
const HALVINGS: u32 = 3;
const SOIL_HALVINGS: u32 = 2;
/// Rounding of a wheel's edges over its width.
const EDGE: f64 = 0.1;
/// Ground beyond the field of rocks where their beds make a map of the terrain, m.
const MARGIN: f64 = 6.0;
/// Distance of approach in one adaptive step, m.
const THRESHOLD: f64 = 0.01;
/// Speed below which friction on rocks sticks again, m/s.
pub const RELEASE: f64 = 1e-3;

/// A field of irregular rocks.
#[derive(Clone, Debug, PartialEq)]
pub struct RockField {
    /// How many.
    pub count: u64,
    /// Different seeds give different rocks at different places.
    pub seed: u64,
    /// Two corners of the field, x and y, m.
    pub from: [f64; 2],
    /// See `from`.
    pub to: [f64; 2],
    /// Longest edge of the boxes around them: smallest and largest, m.
    pub size: [f64; 2],
    /// Share of their height below the ground.
    pub buried: f64,
    /// Height at which they are placed before the ground below them is known, m.
    pub level: f64,
}

/// A rock where it lies at the start.
#[derive(Clone, Debug)]
pub struct PlacedRock {
    /// `rock_1` …
    pub name: String,
    /// Its surface, about its centre of volume.
    pub mesh: TriangleMesh,
    /// A coarser surface for contact with soil.
    pub underside: TriangleMesh,
    /// Position of that centre, m.
    pub place: Vec3,
    /// Its body; `None`: it does not move.
    pub body: Option<usize>,
}

/// Reasons that rocks cannot be placed or buried.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RockError {
    /// The field is too small.
    #[error("room for {0}")]
    NoRoom(u64),
    /// No ground below one.
    #[error("there is no ground below {name}, at x = {x:.3} m, y = {y:.3} m")]
    OffGround {
        /// The rock.
        name: String,
        /// Where it lies, m.
        x: f64,
        /// See `x`.
        y: f64,
    },
    /// The map of the beds would be larger than any map that is read.
    #[error(
        "a map of {columns:.0} × {rows:.0} nodes below them, allowed: {MOST_NODES} in all; a smaller field or a larger terrain.spacing has fewer"
    )]
    TooLarge {
        /// Nodes along x.
        columns: f64,
        /// Nodes along y.
        rows: f64,
    },
    /// The beds do not form a map.
    #[error("{0}")]
    Map(String),
}

/// Random numbers 0..1, the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

impl RockField {
    /// Rocks at free places, the same for the same seed; none of them has a body yet.
    pub fn place(&self) -> Result<Vec<PlacedRock>, RockError> {
        let (from, to, sizes) = (self.from, self.to, self.size);
        let mut dice = Dice(self.seed);
        let mut taken: Vec<(Vec3, f64)> = Vec::new();
        let mut rocks = Vec::new();
        for k in 0..self.count {
            let size = sizes[0] + (sizes[1] - sizes[0]) * dice.roll();
            let seed = (dice.roll() * (1u64 << 53) as f64) as u64;
            let shape =
                Vec3::new(1.0, WIDE + 0.2 * (dice.roll() - 0.5), HIGH + 0.2 * (dice.roll() - 0.5)) * size;
            let yaw = rotation::about_axis(&Vec3::z(), TAU * dice.roll());
            let spot = (0..TRIES).find_map(|_| {
                let p = [0, 1].map(|a| from[a] + (to[a] - from[a]) * dice.roll());
                let p = Vec3::new(p[0], p[1], 0.0);
                taken.iter().all(|(q, s)| (p - q).norm() > 0.6 * (s + size)).then_some(p)
            });
            let spot = spot.ok_or(RockError::NoRoom(k))?;
            taken.push((spot, size));
            let [mesh, underside] = [HALVINGS, SOIL_HALVINGS].map(|halvings| {
                let mut mesh = Rock { halvings, ..Rock::new(seed, shape) }.mesh();
                mesh.vertices.iter_mut().for_each(|p| *p = yaw * *p);
                mesh
            });
            let (low, high) = mesh
                .vertices
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p.z), high.max(p.z)));
            let place = Vec3::new(spot.x, spot.y, self.level - low - self.buried * (high - low));
            rocks.push(PlacedRock { name: format!("rock_{}", k + 1), mesh, underside, place, body: None });
        }
        Ok(rocks)
    }

    /// Height of the ground below rocks over their level, m.
    pub fn lifts(&self, ground: &Ground, rocks: &[PlacedRock]) -> Result<Vec<f64>, RockError> {
        let lift = |rock: &PlacedRock| {
            let (x, y) = (rock.place.x, rock.place.y);
            let off = RockError::OffGround { name: rock.name.clone(), x, y };
            ground.height(x, y).map(|(z, _)| z - self.level).ok_or(off)
        };
        rocks.iter().map(lift).collect()
    }

    /// Converts the terrain to a map in which the soil ends at the undersides of the rocks. It reaches some
    /// metres beyond their field; hills and maps are sampled at the nodes of the soil, where they have
    /// ground.
    pub fn dig(&self, soil: &mut SoilGround, rocks: &[PlacedRock]) -> Result<(), RockError> {
        if self.buried == 0.0 {
            return Ok(());
        }
        let h = soil.spacing;
        let low = [0, 1].map(|k| ((self.from[k].min(self.to[k]) - MARGIN) / h).floor());
        let high = [0, 1].map(|k| ((self.from[k].max(self.to[k]) + MARGIN) / h).ceil());
        let [columns, rows] = [0, 1].map(|k| high[k] - low[k] + 1.0);
        if columns * rows > MOST_NODES as f64 {
            return Err(RockError::TooLarge { columns, rows });
        }
        let [columns, rows] = [columns as usize, rows as usize];
        let nodes = (0..rows).flat_map(|j| (0..columns).map(move |i| (i, j)));
        let height = |(i, j): (usize, usize)| {
            soil.relief.height((low[0] + i as f64) * h, (low[1] + j as f64) * h).unwrap_or(f64::NAN)
        };
        let mut heights: Vec<f64> = nodes.map(height).collect();
        for rock in rocks {
            for triangle in 0..rock.underside.triangles.len() {
                let corners = rock.underside.corners(triangle).map(|p| p + rock.place);
                lower(&mut heights, (columns, rows, h, low), &corners);
            }
        }
        let origin = low.map(|n| n * h);
        let raster = Raster::new(origin, h, columns, rows, heights);
        soil.relief = Relief::Raster(raster.map_err(|e| RockError::Map(e.to_string()))?);
        Ok(())
    }
}

impl PlacedRock {
    /// Its body on a free joint, of even density, kg/m³.
    pub fn kit(&self, density: f64) -> Kit {
        let inertia = self.mesh.inertia(density);
        let mut kit = Kit::default();
        // The mesh's origin is its centre of volume.
        kit.add(&self.name, (inertia.m, inertia.I), (None, JointKind::Free), &self.place);
        kit
    }

    /// Its contact with soil; `None` if it does not move.
    pub fn in_soil(&self) -> Option<SoilBody> {
        let shape = SoilShape::Mesh(self.underside.clone());
        let surface = SoilSurface { shape, carried_layer: 0.0, bedded: true };
        let name = self.name.clone();
        Some(SoilBody { name, body: self.body?, X_BS: Pose::identity(), surface, skin: None })
    }

    /// Contact of a wheel, on a body, in a group and at a place in that body, with the rock.
    pub fn meet(
        &self,
        (body, group, X_BS): (usize, &str, &Pose),
        (tyre, rock): (&Arc<SolidMesh>, &Arc<SolidMesh>),
        law: PairLaw,
    ) -> PolygonalContact {
        let X_BR = if self.body.is_some() { Pose::identity() } else { Pose::translation(self.place) };
        PolygonalContact {
            name: format!("{group}/{}", self.name),
            sides: [
                PolygonalSide { body: Some(body), X_BS: *X_BS, mesh: TriangleMesh::default() },
                PolygonalSide { body: self.body, X_BS: X_BR, mesh: self.mesh.clone() },
            ],
            pair: PolygonalPair::Mesh(Box::new(MeshPair::new(
                tyre.clone(),
                Reference::Mesh(rock.clone()),
                law,
            ))),
            tells_reference: false,
            threshold: THRESHOLD,
            opening: None,
            on: true,
            group: Some(group.into()),
        }
    }
}

/// The section of a wheel, its edges rounded; `None` for invalid sizes.
pub fn wheel_section(radius: f64, width: f64) -> Option<Section> {
    let (half, f) = (0.5 * width, EDGE * width.min(radius));
    let (low, cut) = (radius - f, f * FRAC_1_SQRT_2);
    let path = Path::from([-half, 0.0])
        .line([-half, low])
        .arc([-half + f - cut, low + cut], [-half + f, radius])
        .line([half - f, radius])
        .arc([half - f + cut, low + cut], [half, low])
        .line([half, 0.0]);
    Section::new(&path, Side::Solid).ok()
}

/// Lowers the nodes below a triangle to it.
fn lower(heights: &mut [f64], (columns, rows, h, low): (usize, usize, f64, [f64; 2]), p: &[Vec3; 3]) {
    let normal = (p[1] - p[0]).cross(&(p[2] - p[0]));
    if normal.z >= 0.0 {
        return;
    }
    let bound = |k: usize, up: bool| {
        let values = [p[0][k], p[1][k], p[2][k]].map(|x| x / h - low[k]);
        let edge = values.iter().copied().fold(values[0], if up { f64::max } else { f64::min });
        if up { edge.floor() } else { edge.ceil() }
    };
    let (i0, i1, j0, j1) =
        (bound(0, false).max(0.0), bound(0, true), bound(1, false).max(0.0), bound(1, true));
    let inverse = Mat3::from_columns(&[p[1] - p[0], p[2] - p[0], Vec3::z()]).try_inverse();
    let Some(inverse) = inverse else { return };
    for j in j0 as usize..=(j1.max(-1.0) + 1.0) as usize {
        for i in i0 as usize..=(i1.max(-1.0) + 1.0) as usize {
            if i >= columns || j >= rows {
                continue;
            }
            let at = Vec3::new((low[0] + i as f64) * h, (low[1] + j as f64) * h, 0.0);
            // at = p0 + a (p1 − p0) + b (p2 − p0) − z ẑ
            let abz = inverse * (at - p[0]);
            if abz.x >= 0.0 && abz.y >= 0.0 && abz.x + abz.y <= 1.0 {
                let node = &mut heights[j * columns + i];
                *node = node.min(-abz.z);
            }
        }
    }
}
