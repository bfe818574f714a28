//! Search: poses of the sides ⇒ facing points that are closer than the threshold. No forces, no memory.
//!
//! A body over ground: nodes of the map (or of a grid laid under the body) that are closer to it than their four neighbours, refined by
//! tracking. Only four, because along an oblique ridge a diagonal neighbour can be closer although there is a
//! minimum beside the node; duplicates are dropped. A mesh: corners that are no farther from side 1 than the
//! corners across their edges, from the tree of corners. Two bodies: directions in which they face each
//! other.

mod flats;
mod others;

pub(super) use others::Low;

use super::sides::{Second, Two};
use super::track::{Facing, track};
use super::{SurfaceMotion, SurfacePair};
use touchdown_geometry::Raster;
use touchdown_geometry::surface::{BodySurface, HeightForm, HeightSurface, Patch, Surface};
use touchdown_math::{Elementary, Pose, Vec3};

/// Nodes along a side of the grid laid under a body over ground that is a formula: bumps narrower than a quarter of the body may be missed.
const SAMPLES: usize = 9;

/// Facing points that the search found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub feature: u32,
    pub facing: Facing,
}

/// Writes to `found` the points closer than the threshold that are not yet `known`, in no particular order.
pub(super) fn search(
    pair: &SurfacePair,
    sides: &[SurfaceMotion; 2],
    known: &[(u32, Vec3)],
    patches: &mut [Option<Patch>; 2],
    (found, lows): (&mut Vec<Found>, &mut Vec<Low>),
) {
    found.clear();
    let poses = [&sides[0].X_WS, &sides[1].X_WS];
    let mut finder = Finder { pair, poses, patches, found, lows };
    match (&pair.one, &pair.two) {
        (Surface::Height(ground), Second::Surface(Surface::Body(body))) => {
            finder.over_ground(ground, body, known)
        }
        // These have at most one place.
        (Surface::Height(_), Second::Surface(Surface::Height(_))) if known.is_empty() => {
            let below = poses[0].inverse().point(&poses[1].p);
            finder.refine(0, [below, Vec3::zeros()]);
        }
        (Surface::Height(ground), Second::Corners(corners)) => {
            finder.corners_over_ground(ground, corners, known);
            finder.flats_over_ground(ground, corners, known);
        }
        (Surface::Body(one), Second::Surface(Surface::Body(two))) => {
            let convex = one.is_strictly_convex() && two.is_strictly_convex();
            if !convex {
                finder.all_directions(one, two);
            } else if known.is_empty() {
                finder.two_convex_bodies(one, two);
            }
        }
        (Surface::Body(one), Second::Corners(corners)) => {
            finder.corners_at_body(one, corners, known);
            finder.flats_at_body(one, corners, known);
        }
        (_, Second::Surface(Surface::Height(_))) => {}
    }
    pair.search_rings(poses, known, finder.patches, finder.found);
}

struct Finder<'a> {
    pair: &'a SurfacePair,
    poses: [&'a Pose; 2],
    patches: &'a mut [Option<Patch>; 2],
    found: &'a mut Vec<Found>,
    lows: &'a mut Vec<Low>,
}

impl Finder<'_> {
    /// Tracks from a start and keeps the result if it is near and new.
    fn refine(&mut self, feature: u32, start: [Vec3; 2]) {
        let two = self.pair.two.at(feature);
        let Ok(facing) = track(&self.pair.one, &two, self.poses, start, self.patches) else { return };
        if facing.gap < self.pair.options.threshold
            && !self
                .found
                .iter()
                .any(|f| self.pair.same_place(f.feature, &f.facing.places[0], feature, &facing.places[0]))
        {
            self.found.push(Found { feature, facing });
        }
    }

    fn over_ground(&mut self, ground: &HeightSurface, body: &BodySurface, known: &[(u32, Vec3)]) {
        let X_21 = self.poses[1].inverse().compose(self.poses[0]);
        let c = X_21.inverse().p;
        let reach = body.reach() + self.pair.options.threshold;
        match ground.map() {
            Some(map) => self.over_map(ground, map, body, known, (&X_21, c, reach)),
            None => self.over_formula(ground, body, known, (&X_21, c, reach)),
        }
    }

    /// `X_21`, the body's origin in the frame of the ground, and the distance within which ground counts.
    fn over_map(
        &mut self,
        ground: &HeightSurface,
        map: &Raster,
        body: &BodySurface,
        known: &[(u32, Vec3)],
        (X_21, c, reach): (&Pose, Vec3, f64),
    ) {
        let (spacing, origin) = (map.spacing(), map.origin());
        let half = reach + spacing;
        // Ground below this is out of reach everywhere.
        let above = c.z - reach;
        let place = |i: usize, j: usize, z: f64| {
            Vec3::new(origin[0] + i as f64 * spacing, origin[1] + j as f64 * spacing, z)
        };
        // The square of the distance from the centre serves a sphere as well.
        let is_sphere = matches!(body, BodySurface::Sphere { .. });
        // On a slope of up to 60° the node beside a place lies no farther away than this.
        let far = self.pair.options.threshold + 2.0 * spacing;
        let far = if is_sphere { (body.reach() + far).whole_power(2) } else { far };
        let distance =
            |p: &Vec3| if is_sphere { (p - c).norm_squared() } else { body.distance(&X_21.point(p)) };
        // Infinite beyond the edge and without data.
        let at = |i: usize, j: usize| match map.row(j).get(i) {
            Some(z) if *z > f64::NEG_INFINITY => distance(&place(i, j, *z)),
            _ => f64::INFINITY,
        };
        ground.visit_nodes([c.x - half, c.x + half], [c.y - half, c.y + half], above, |columns, rows| {
            for j in rows[0]..rows[1] {
                // Each node is evaluated once: its neighbours along the row are those of the previous and
                // next iteration.
                let [mut before, mut own] = [columns[0].wrapping_sub(1), columns[0]].map(|i| at(i, j));
                for i in columns[0]..columns[1] {
                    let after = at(i + 1, j);
                    if own <= far
                        && own < before
                        && own <= after
                        && own < at(i, j.wrapping_sub(1))
                        && own <= at(i, j + 1)
                    {
                        let p = place(i, j, map.row(j)[i]);
                        let is_known = |(_, q): &(u32, Vec3)| {
                            (q.x - p.x).abs() <= spacing && (q.y - p.y).abs() <= spacing
                        };
                        if !known.iter().any(is_known) {
                            self.refine_over(ground, body, X_21, &p);
                        }
                    }
                    (before, own) = (own, after);
                }
            }
        });
        // A body smaller than a cell may have no node of its own.
        if self.found.is_empty() && known.is_empty() {
            self.refine_over(ground, body, X_21, &c);
        }
    }

    fn over_formula(
        &mut self,
        ground: &HeightSurface,
        body: &BodySurface,
        known: &[(u32, Vec3)],
        (X_21, c, reach): (&Pose, Vec3, f64),
    ) {
        let samples = if matches!(ground.form(), HeightForm::Plane { .. }) { 3 } else { SAMPLES };
        let spacing = 2.0 * reach / (samples - 1) as f64;
        let mut nodes = [[(Vec3::zeros(), f64::INFINITY); SAMPLES]; SAMPLES];
        for (j, row) in nodes[..samples].iter_mut().enumerate() {
            for (i, node) in row[..samples].iter_mut().enumerate() {
                let (x, y) = (c.x - reach + i as f64 * spacing, c.y - reach + j as f64 * spacing);
                if let Ok(jet) = ground.jet(x, y) {
                    let p = Vec3::new(x, y, jet.z);
                    *node = (p, body.distance(&X_21.point(&p)));
                }
            }
        }
        for j in 0..samples {
            for i in 0..samples {
                let (p, own) = nodes[j][i];
                let is_known =
                    |(_, q): &(u32, Vec3)| (q.x - p.x).abs() <= spacing && (q.y - p.y).abs() <= spacing;
                let neighbour = |a: usize, b: usize| {
                    let (i, j) = ((i + a).checked_sub(1)?, (j + b).checked_sub(1)?);
                    (i < samples && j < samples).then(|| nodes[j][i].1)
                };
                if own.is_finite() && is_lowest(own, neighbour) && !known.iter().any(is_known) {
                    self.refine_over(ground, body, X_21, &p);
                }
            }
        }
    }

    fn refine_over(&mut self, ground: &HeightSurface, body: &BodySurface, X_21: &Pose, p: &Vec3) {
        let Ok(jet) = ground.jet_with(&mut self.patches[0], p.x, p.y) else { return };
        let p = Vec3::new(p.x, p.y, jet.z);
        let facing = X_21.R * -jet.normal();
        let q = if body.is_strictly_convex() { body.facing(&facing) } else { body.onto(&X_21.point(&p)) };
        self.refine(0, [p, q]);
    }
}

/// From places in the order of their gaps, the one farthest from those chosen before, by its `spread`;
/// touching places come first. `None` if there is none.
pub(super) fn farthest(
    count: usize,
    gap: impl Fn(usize) -> f64,
    spread: impl Fn(usize) -> f64,
) -> Option<usize> {
    let touching = (0..count).take_while(|&k| gap(k) < 0.0).count();
    let among = if touching > 0 { touching } else { count };
    let mut best: Option<(usize, f64)> = None;
    for k in 0..among {
        let here = spread(k);
        if best.is_none_or(|(_, most)| here > most) {
            best = Some((k, here));
        }
    }
    best.map(|(k, _)| k)
}

/// Whether none of the four neighbours, by their offsets 0 to 2, is lower, and the preceding ones are
/// strictly higher.
fn is_lowest(own: f64, mut neighbour: impl FnMut(usize, usize) -> Option<f64>) -> bool {
    let before = [(1, 0), (0, 1)].into_iter().all(|(a, b)| neighbour(a, b).is_none_or(|other| other > own));
    before && [(2, 1), (1, 2)].into_iter().all(|(a, b)| neighbour(a, b).is_none_or(|other| other >= own))
}

impl SurfacePair {
    /// Whether two candidates are the same.
    pub(super) fn same_place(&self, feature: u32, p: &Vec3, other: u32, q: &Vec3) -> bool {
        feature == other && (p - q).norm() < 1e-6 * self.size
    }
}

/// Size by which places are distinguished, m.
pub(super) fn size_of(two: &Second) -> f64 {
    match two.at(0) {
        Two::Ball { radius, .. } | Two::Flat(_, radius) => radius,
        Two::Surface(_) => {
            if two.reach().is_finite() {
                two.reach()
            } else {
                1.0
            }
        }
    }
}
