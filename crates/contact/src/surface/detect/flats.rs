//! Search with the faces and edges of a mesh: peaks and ridges of side 1 between its corners.

use super::super::corners::Corners;
use super::super::flats::{Edge, Face, Flat};
use super::super::track::Lost;
use super::{Finder, Found, SAMPLES};
use touchdown_geometry::surface::{BodySurface, HeightSurface};
use touchdown_math::Vec3;

/// Places along an edge over ground that is a formula.
const ALONG: usize = 16;

/// Samples of side 1 below a face: the corner of a grid, its spacing, its number of nodes.
struct Grid {
    origin: [f64; 2],
    spacing: f64,
    nodes: [usize; 2],
}

impl Finder<'_> {
    pub(super) fn flats_over_ground(
        &mut self,
        ground: &HeightSurface,
        corners: &Corners,
        known: &[(u32, Vec3)],
    ) {
        let X_12 = self.poses[0].inverse().compose(self.poses[1]);
        let flats = corners.flats();
        let far = corners.radius() + self.pair.options.threshold;
        for (k, face) in flats.faces.iter().enumerate() {
            let feature = corners.flat_feature(k);
            let p = face.corners.map(|p| X_12.point(&p));
            let m = X_12.R * face.outward;
            if m.z < 0.0 && may_touch(ground, &p, far) {
                self.peaks_below(ground, (feature, face), (&p, &m, far), known);
            }
        }
        for (k, edge) in flats.edges.iter().enumerate() {
            let feature = corners.flat_feature(flats.faces.len() + k);
            let p = edge.ends.map(|p| X_12.point(&p));
            if may_touch(ground, &p, far) {
                self.ridges_below(ground, (feature, edge), (&p, far), known);
            }
        }
    }

    /// Nodes that are farther out along the face's normal than their four neighbours.
    fn peaks_below(
        &mut self,
        ground: &HeightSurface,
        (feature, face): (u32, &Face),
        (p, m, far): (&[Vec3; 3], &Vec3, f64),
        known: &[(u32, Vec3)],
    ) {
        let grid = grid_below(ground, p);
        let far = far + 2.0 * grid.spacing;
        let mut patch = None;
        let mut at = |i: usize, j: usize| {
            let place = [i, j].map(|k| k as f64 * grid.spacing);
            let (x, y) = (grid.origin[0] + place[0], grid.origin[1] + place[1]);
            let z = match ground.map() {
                Some(map) => {
                    let [column, row] = [0, 1].map(|k| ([x, y][k] - map.origin()[k]) / map.spacing());
                    let inside = column > -0.5 && row > -0.5;
                    inside.then(|| map.node(column.round() as usize, row.round() as usize)).flatten()
                }
                None => ground.jet_with(&mut patch, x, y).ok().map(|jet| jet.z),
            };
            z.map(|z| (Vec3::new(x, y, z), m.dot(&(Vec3::new(x, y, z) - p[0]))))
        };
        for j in 1..grid.nodes[1].saturating_sub(1) {
            for i in 1..grid.nodes[0].saturating_sub(1) {
                let Some((place, own)) = at(i, j).filter(|(_, own)| *own < far) else { continue };
                let before = [at(i - 1, j), at(i, j - 1)].iter().flatten().all(|(_, other)| *other > own);
                let after = [at(i + 1, j), at(i, j + 1)].iter().flatten().all(|(_, other)| *other >= own);
                if before && after {
                    self.refine_flat(feature, Flat::Face(face), place, known);
                }
            }
        }
    }

    /// Places along the edge that are nearer to the ground than those beside them.
    fn ridges_below(
        &mut self,
        ground: &HeightSurface,
        (feature, edge): (u32, &Edge),
        (p, far): (&[Vec3; 2], f64),
        known: &[(u32, Vec3)],
    ) {
        let length = (p[1] - p[0]).norm();
        let spacing = ground.map().map_or(length / ALONG as f64, |map| 0.5 * map.spacing());
        let count = (length / spacing).ceil().max(2.0);
        let mut patch = None;
        let mut at = |k: f64| {
            let c = p[0] + (p[1] - p[0]) * (k / count);
            let jet = ground.jet_with(&mut patch, c.x, c.y).ok()?;
            Some((Vec3::new(c.x, c.y, jet.z), (c.z - jet.z) * jet.normal().z))
        };
        let (mut before, mut own) = (None, at(0.0));
        for k in 0..=count as usize {
            let after = if (k as f64) < count { at(k as f64 + 1.0) } else { None };
            if let Some((place, gap)) = own {
                let lower = |other: &Option<(Vec3, f64)>| other.is_some_and(|(_, other)| other < gap);
                if gap < 2.0 * far && !lower(&before) && !lower(&after) {
                    self.refine_flat(feature, Flat::Edge(edge), place, known);
                }
            }
            (before, own) = (own, after);
        }
    }

    /// Faces and edges against a body with one point for each direction.
    pub(super) fn flats_at_body(&mut self, one: &BodySurface, corners: &Corners, known: &[(u32, Vec3)]) {
        if !one.is_strictly_convex() {
            return;
        }
        let X_12 = self.poses[0].inverse().compose(self.poses[1]);
        let flats = corners.flats();
        let far = one.reach() + corners.radius() + self.pair.options.threshold;
        for (k, face) in flats.faces.iter().enumerate() {
            let m = X_12.R * face.outward;
            if (m.dot(&X_12.point(&face.corners[0]))).abs() < far {
                let start = one.facing(&-m);
                self.refine_flat(corners.flat_feature(k), Flat::Face(face), start, known);
            }
        }
        for (k, edge) in flats.edges.iter().enumerate() {
            let [a, b] = edge.ends.map(|p| X_12.point(&p));
            let along = (-(b - a).dot(&a) / (b - a).norm_squared()).clamp(0.0, 1.0);
            let c = a + (b - a) * along;
            if c.norm() < far {
                let feature = corners.flat_feature(flats.faces.len() + k);
                self.refine_flat(feature, Flat::Edge(edge), one.onto(&c), known);
            }
        }
    }

    /// Tracks from a start and keeps the result if it is near, belongs to the face or edge, and is not at the
    /// place of another candidate.
    fn refine_flat(&mut self, feature: u32, flat: Flat, start: Vec3, known: &[(u32, Vec3)]) {
        let radius = self.pair.size;
        let tracked: Result<_, Lost> =
            flat.track(&self.pair.one, radius, self.poses, &start, &mut self.patches[0]);
        let Ok(facing) = tracked else { return };
        // Deeper than the threshold, it is the far side of a body that passed through the face.
        let near = facing.gap.abs() < self.pair.options.threshold && facing.relative_curvature().is_some();
        let place = facing.places[0];
        let taken = |p: &Vec3| (p - place).norm() < 1e-6 * self.pair.size;
        let is_taken =
            known.iter().any(|(_, p)| taken(p)) || self.found.iter().any(|f| taken(&f.facing.places[0]));
        if near && !is_taken && self.pair.two.holds(feature, &facing, self.poses[1]) {
            self.found.push(Found { feature, facing });
        }
    }
}

/// Whether ground below points can be within this distance.
fn may_touch(ground: &HeightSurface, points: &[Vec3], far: f64) -> bool {
    let (low, high) = bounds(points);
    let top = ground.highest([low.x - far, high.x + far], [low.y - far, high.y + far]);
    low.z - far <= top
}

fn bounds(points: &[Vec3]) -> (Vec3, Vec3) {
    let start = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    points.iter().fold(start, |(low, high), p| (low.inf(p), high.sup(p)))
}

/// The nodes of a map below a face and one more on each side; below a formula a grid of as many places as a body has.
fn grid_below(ground: &HeightSurface, points: &[Vec3]) -> Grid {
    let (low, high) = bounds(points);
    let Some(map) = ground.map() else {
        let spacing = (high - low).xy().norm() / (SAMPLES - 1) as f64;
        let nodes = [0, 1].map(|k| ((high[k] - low[k]) / spacing).ceil() as usize + 3);
        return Grid { origin: [low.x - spacing, low.y - spacing], spacing, nodes };
    };
    let (spacing, origin) = (map.spacing(), map.origin());
    let from = [0, 1].map(|k| ((low[k] - origin[k]) / spacing).floor() - 1.0);
    let to = [0, 1].map(|k| ((high[k] - origin[k]) / spacing).ceil() + 1.0);
    Grid {
        origin: [0, 1].map(|k| origin[k] + from[k] * spacing),
        spacing,
        nodes: [0, 1].map(|k| (to[k] - from[k]) as usize + 1),
    }
}
