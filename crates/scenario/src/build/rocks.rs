//! Rocks at random places: bodies, their beds in the soil, and their contacts with wheels.

use super::Builder;
use super::names::glob;
use super::tree::Frames;
use crate::read::{Record, Value};
use crate::table::{RocksKeys, ScenarioKeys};
use crate::unit::NUMBER;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, TAU};
use std::sync::Arc;
use touchdown_contact::polygonal::mesh::{MeshPair, Reference};
use touchdown_contact::polygonal::{Friction, Layer, PairLaw};
use touchdown_contact::soil::{SoilShape, SoilSurface};
use touchdown_geometry::revolution::{Path, Section, Side};
use touchdown_geometry::{Raster, Relief, Rock, SolidMesh, TriangleMesh};
use touchdown_math::{Mat3, Pose, Vec3, rotation};
use touchdown_multibody::description::{Body, Joint, JointKind};
use touchdown_sim::description::{
    Ground, PolygonalContact, PolygonalPair, PolygonalSide, SoilBody, SoilGround,
};

/// Height and width of rocks over their longest edge.
const WIDE: f64 = 0.8;
const HIGH: f64 = 0.65;
/// Tries to find a free place for a rock.
const TRIES: u32 = 200;
/// Halvings of a rock's triangles where wheels meet it, 1280 of them, and where soil does, 320: as fine as the soil's grid.
const HALVINGS: u32 = 3;
const SOIL_HALVINGS: u32 = 2;
/// Rounding of a wheel's edges over its width.
const EDGE: f64 = 0.1;
/// Ground beyond the field of rocks where their beds make a map of the terrain, m.
const MARGIN: f64 = 6.0;
/// Way of approach in one adaptive step, m.
const THRESHOLD: f64 = 0.01;
/// Speed below which friction sticks again, m/s.
const RELEASE: f64 = 1e-3;

/// A rock where it lies at the start.
#[derive(Clone, Debug)]
pub(crate) struct PlacedRock {
    name: String,
    mesh: TriangleMesh,
    /// Coarser, as the soil sees it.
    underside: TriangleMesh,
    place: Vec3,
    body: Option<usize>,
}

/// Puts in what follows from other keys.
pub(crate) fn fill_rocks(record: &mut Record) {
    let seed = record.get(ScenarioKeys::seed).unwrap_or(0);
    let soil = record.has(ScenarioKeys::terrain);
    let Some(rocks) = record.table_mut(ScenarioKeys::rocks) else { return };
    rocks.fill(RocksKeys::seed, Value::Count(seed));
    rocks.fill(RocksKeys::fixed, Value::Flag(!soil));
    if let Some(friction) = rocks.get(RocksKeys::friction) {
        rocks.fill(RocksKeys::friction_min, Value::Number(friction, &NUMBER));
    }
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

impl<'a> Builder<'a> {
    /// Bodies and joints of the rocks.
    pub fn collect_rocks(&mut self) {
        if let Some(keys) = self.rocks_keys() {
            self.place_rocks(keys);
        }
    }

    fn rocks_keys(&self) -> Option<&'a RocksKeys> {
        self.root.rocks.as_ref()?.keys.as_ref()
    }

    /// Height of the ground on which rocks lie.
    fn level_of_rocks(&self) -> f64 {
        let ground = || self.root.ground.as_ref()?.keys.as_ref();
        self.terrain_keys().map(|keys| keys.height).or_else(|| Some(ground()?.height)).unwrap_or(0.0)
    }

    fn place_rocks(&mut self, keys: &RocksKeys) -> Option<()> {
        let (from, to, sizes) = (keys.from, keys.to, keys.size);
        let level = self.level_of_rocks();
        let mut dice = Dice(keys.seed);
        let mut taken: Vec<(Vec3, f64)> = Vec::new();
        for k in 0..keys.count {
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
            let Some(spot) = spot else {
                self.issues
                    .at(
                        keys.here.loc_of(RocksKeys::count),
                        keys.here.path_of(RocksKeys::count),
                        "leaves no room for so many rocks",
                    )
                    .found(format!("room for {k}"));
                return None;
            };
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
            let place = Vec3::new(spot.x, spot.y, level - low - keys.buried * (high - low));
            let name = format!("rock_{}", k + 1);
            let body = if keys.fixed { None } else { Some(self.rock_body(&name, keys, &mesh, &place)) };
            self.rocks.push(PlacedRock { name, mesh, underside, place, body });
        }
        Some(())
    }

    fn rock_body(&mut self, name: &str, keys: &RocksKeys, mesh: &TriangleMesh, place: &Vec3) -> usize {
        let inertia = mesh.inertia(keys.density);
        self.remember("body", name, &keys.here);
        self.remember("joint", name, &keys.here);
        // The mesh's origin is its centre of volume.
        let body = Body { name: name.into(), mass: inertia.m, com: Vec3::zeros(), inertia: inertia.I };
        let body = self.add_body(0, body);
        let joint = Joint::new(name, JointKind::Free, None, body, Vec3::zeros());
        self.add_joint(0, joint, Frames::At(*place), &keys.here);
        body
    }

    /// Beds of the rocks in the soil, and contacts with wheels.
    pub fn touch_rocks(&mut self) {
        if let Some(keys) = self.rocks_keys()
            && !self.rocks.is_empty()
        {
            self.bed_rocks(keys);
            self.meet_rocks(keys);
        }
    }

    fn bed_rocks(&mut self, keys: &RocksKeys) {
        let Some(Ground::Soil(soil)) = &mut self.ground else { return };
        if let Err(why) = dig(soil, &self.rocks, keys) {
            self.issues.at(keys.here.loc, &keys.here.path, "cannot be buried").found(why);
        }
        for rock in &self.rocks {
            let Some(body) = rock.body else { continue };
            let surface = SoilSurface {
                shape: SoilShape::Mesh(rock.underside.clone()),
                carried_layer: 0.0,
                bedded: true,
            };
            let name = rock.name.clone();
            self.soil_bodies.push(SoilBody { name, body, X_BS: Pose::identity(), surface, skin: None });
        }
    }

    fn meet_rocks(&mut self, keys: &RocksKeys) -> Option<()> {
        let names = self.mechanism.bodies.iter().enumerate();
        let wheels: Vec<usize> = names
            .filter(|(_, body)| keys.wheels.iter().any(|pattern| glob(pattern, &body.name)))
            .map(|(i, _)| i)
            .collect();
        if wheels.is_empty() {
            let (loc, path) = (keys.here.loc_of(RocksKeys::wheels), keys.here.path_of(RocksKeys::wheels));
            self.issues.at(loc, path, "matches no body");
            return None;
        }
        let layer = Layer {
            damping: keys.damping,
            shear_damping: keys.tangential_damping,
            ..Layer::given(keys.stiffness)
        };
        let friction =
            Friction::StickSlip { stick: keys.friction, slip: keys.friction_min, release_speed: RELEASE };
        let law = match PairLaw::in_series(&layer, &Layer::RIGID, keys.damping_depth, friction) {
            Ok(law) => law,
            Err(problems) => {
                for problem in problems {
                    self.issues.at(keys.here.loc, &keys.here.path, problem.to_string());
                }
                return None;
            }
        };
        let segments = u32::try_from(keys.resolution).ok()?;
        let wheel = wheel_mesh(keys.wheel_radius, keys.wheel_width, segments)?;
        let tyre = self.solid(&keys.here, &wheel)?;
        let lies = Pose { R: rotation::about_axis(&Vec3::x(), FRAC_PI_2), p: Vec3::zeros() };
        let sides: Vec<(usize, String, Pose)> = wheels
            .iter()
            .map(|i| {
                let own = &self.mechanism.bodies[*i];
                match self.soil_bodies.iter().find(|s| s.body == *i) {
                    Some(soil) => (*i, soil.name.clone(), Pose { p: soil.X_BS.p, ..lies }),
                    None => {
                        let name = own.name.rsplit('/').next().unwrap_or_default().to_string();
                        (*i, name, Pose { p: own.com, ..lies })
                    }
                }
            })
            .collect();
        for rock in self.rocks.clone() {
            let solid = self.solid(&keys.here, &rock.mesh)?;
            for (body, group, X_BS) in &sides {
                self.polygonal.push(meeting(&rock, (*body, group, X_BS), (&tyre, &solid), law));
            }
        }
        Some(())
    }
}

fn meeting(
    rock: &PlacedRock,
    (body, group, X_BS): (usize, &str, &Pose),
    (tyre, solid): (&Arc<SolidMesh>, &Arc<SolidMesh>),
    law: PairLaw,
) -> PolygonalContact {
    let X_BR = if rock.body.is_some() { Pose::identity() } else { Pose::translation(rock.place) };
    PolygonalContact {
        name: format!("{group}/{}", rock.name),
        sides: [
            PolygonalSide { body: Some(body), X_BS: *X_BS, mesh: TriangleMesh::default() },
            PolygonalSide { body: rock.body, X_BS: X_BR, mesh: rock.mesh.clone() },
        ],
        pair: PolygonalPair::Mesh(Box::new(MeshPair::new(tyre.clone(), Reference::Mesh(solid.clone()), law))),
        tells_reference: false,
        threshold: THRESHOLD,
        opening: None,
        group: Some(group.into()),
    }
}

/// A wheel about z, its edges rounded.
fn wheel_mesh(radius: f64, width: f64, segments: u32) -> Option<TriangleMesh> {
    let (half, f) = (0.5 * width, EDGE * width.min(radius));
    let (low, cut) = (radius - f, f * FRAC_1_SQRT_2);
    let path = Path::from([-half, 0.0])
        .line([-half, low])
        .arc([-half + f - cut, low + cut], [-half + f, radius])
        .line([half - f, radius])
        .arc([half - f + cut, low + cut], [half, low])
        .line([half, 0.0]);
    let section = Section::new(&path, Side::Solid).ok()?;
    Some(section.mesh(&section.resolution(segments)).mesh)
}

/// Makes the level terrain a map in which the soil ends at the undersides of the rocks.
fn dig(soil: &mut SoilGround, rocks: &[PlacedRock], keys: &RocksKeys) -> Result<(), String> {
    if keys.buried == 0.0 {
        return Ok(());
    }
    let Relief::Plane { height, gradient: [0.0, 0.0] } = soil.relief else {
        return Err("only level terrain can be dug; set buried = 0".into());
    };
    let h = soil.spacing;
    let low = [0, 1].map(|k| ((keys.from[k].min(keys.to[k]) - MARGIN) / h).floor());
    let high = [0, 1].map(|k| ((keys.from[k].max(keys.to[k]) + MARGIN) / h).ceil());
    let [columns, rows] = [0, 1].map(|k| (high[k] - low[k]) as usize + 1);
    let mut heights = vec![height; columns * rows];
    for rock in rocks {
        for triangle in 0..rock.underside.triangles.len() {
            let corners = rock.underside.corners(triangle).map(|p| p + rock.place);
            lower(&mut heights, (columns, rows, h, low), &corners);
        }
    }
    let origin = low.map(|n| n * h);
    soil.relief = Relief::Raster(Raster::new(origin, h, columns, rows, heights).map_err(|e| e.to_string())?);
    Ok(())
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
