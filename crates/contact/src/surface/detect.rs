//! Search: poses of the sides ⇒ facing points that are closer than the threshold. Knows no forces and remembers nothing.
//!
//! A body over ground: nodes of the map (or of a grid laid under the body) that are closer to it than their four neighbours, refined by
//! tracking. Four, because along a ridge that runs askew a neighbour across the corner can be closer although there is a minimum beside the node; what
//! is found twice is dropped. A mesh: corners that are no farther from side 1 than the corners across their edges, from the tree of corners. Two bodies: directions
//! in which they face each other.

use super::corners::Corners;
use super::sides::{Second, Two};
use super::track::{Facing, track};
use super::{SideMotion, SurfacePair};
use touchdown_geometry::Raster;
use touchdown_geometry::surface::{BodySurface, HeightForm, HeightSurface, Patch, Surface};
use touchdown_math::{Pose, Vec3};

/// Nodes along a side of the grid laid under a body over ground that is a formula: bumps narrower than a quarter of the body may be missed.
const SAMPLES: usize = 9;

/// Facing points that the search found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub feature: u32,
    pub facing: Facing,
}

/// Writes into `found` what is closer than the threshold and not `known` yet, in no particular order.
pub(super) fn search(
    pair: &SurfacePair,
    sides: &[SideMotion; 2],
    known: &[(u32, Vec3)],
    patches: &mut [Option<Patch>; 2],
    found: &mut Vec<Found>,
) {
    found.clear();
    let poses = [&sides[0].X_WS, &sides[1].X_WS];
    let mut finder = Finder { pair, poses, patches, found };
    match (&pair.one, &pair.two) {
        (Surface::Height(ground), Second::Surface(Surface::Body(body))) => {
            finder.over_ground(ground, body, known)
        }
        (Surface::Height(_), Second::Surface(Surface::Height(_))) => {
            let below = poses[0].inverse().point(&poses[1].p);
            finder.refine(0, [below, Vec3::zeros()]);
        }
        (Surface::Height(ground), Second::Corners(corners)) => {
            finder.corners_over_ground(ground, corners, known)
        }
        (Surface::Body(one), Second::Surface(Surface::Body(two))) => finder.two_bodies(one, two),
        (Surface::Body(one), Second::Corners(corners)) => finder.corners_at_body(one, corners, known),
        (Surface::Body(_), Second::Surface(Surface::Height(_))) => {}
    }
}

struct Finder<'a> {
    pair: &'a SurfacePair,
    poses: [&'a Pose; 2],
    patches: &'a mut [Option<Patch>; 2],
    found: &'a mut Vec<Found>,
}

impl Finder<'_> {
    /// Tracks from a start and keeps what is near and new.
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

    /// `X_21`, the body's origin in the frame of the ground, and how far from it ground counts.
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
        let far = if is_sphere { (body.reach() + far).powi(2) } else { far };
        let distance =
            |p: &Vec3| if is_sphere { (p - c).norm_squared() } else { body.distance(&X_21.point(p)) };
        // Infinite beyond the edge and without data.
        let at = |i: usize, j: usize| match map.row(j).get(i) {
            Some(z) if *z > f64::NEG_INFINITY => distance(&place(i, j, *z)),
            _ => f64::INFINITY,
        };
        ground.visit_nodes([c.x - half, c.x + half], [c.y - half, c.y + half], above, |columns, rows| {
            for j in rows[0]..rows[1] {
                // Each node once: its neighbours along the row are those of the turns before and after.
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
        // A body smaller than a cell has no node to itself.
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

    fn corners_over_ground(&mut self, ground: &HeightSurface, corners: &Corners, known: &[(u32, Vec3)]) {
        let X_12 = self.poses[0].inverse().compose(self.poses[1]);
        let threshold = self.pair.options.threshold;
        let patch = &mut None;
        let mut gap = |c: &Vec3| {
            let c = X_12.point(c);
            ground
                .jet_with(patch, c.x, c.y)
                .ok()
                .map(|jet| ((c.z - jet.z) * jet.normal().z - corners.radius(), c))
        };
        let top = ground.top();
        let mut lows: [Option<(u32, Vec3)>; 64] = [None; 64];
        let mut count = 0;
        corners.visit(
            |centre, radius| X_12.point(centre).z - radius - corners.radius() - threshold <= top,
            |k, c| {
                let is_known = known.iter().any(|(feature, _)| *feature == k);
                let Some((own, c)) = gap(c).filter(|(own, _)| !is_known && *own < 2.0 * threshold) else {
                    return;
                };
                let lowest = corners
                    .neighbours(k)
                    .all(|other| gap(other).is_none_or(|(other, _)| other >= own - 1e-9 * threshold));
                if lowest && count < lows.len() {
                    lows[count] = Some((k, c));
                    count += 1;
                }
            },
        );
        for (k, c) in lows.into_iter().flatten() {
            self.refine(k, [c, Vec3::zeros()]);
        }
    }

    fn corners_at_body(&mut self, one: &BodySurface, corners: &Corners, known: &[(u32, Vec3)]) {
        let X_12 = self.poses[0].inverse().compose(self.poses[1]);
        let far = self.pair.options.threshold + corners.radius();
        let mut lows: [Option<(u32, Vec3)>; 64] = [None; 64];
        let mut count = 0;
        corners.visit(
            |centre, radius| one.distance(&X_12.point(centre)) <= radius + far,
            |k, c| {
                let c = X_12.point(c);
                let own = one.distance(&c);
                let is_known = known.iter().any(|(feature, _)| *feature == k);
                let lowest =
                    || corners.neighbours(k).all(|o| one.distance(&X_12.point(o)) >= own - 1e-9 * far);
                if own < far && !is_known && lowest() && count < lows.len() {
                    lows[count] = Some((k, c));
                    count += 1;
                }
            },
        );
        for (k, c) in lows.into_iter().flatten() {
            self.refine(k, [one.onto(&c), Vec3::zeros()]);
        }
    }

    fn two_bodies(&mut self, one: &BodySurface, two: &BodySurface) {
        let X_12 = self.poses[0].inverse().compose(self.poses[1]);
        if X_12.p.norm() > one.reach() + two.reach() + self.pair.options.threshold {
            return;
        }
        // Points whose normals lie along a direction, and their distance along it.
        let facing = |n: &Vec3| {
            let (p, q) = (one.facing(n), two.facing(&X_12.R.tr_mul(&-n)));
            (p, q, n.dot(&(X_12.point(&q) - p)))
        };
        let between = X_12.p.try_normalize(0.0).unwrap_or_else(Vec3::z);
        let directions = || {
            let steps = [-1.0, 0.0, 1.0];
            let all = steps.into_iter().flat_map(move |x| {
                steps.into_iter().flat_map(move |y| steps.into_iter().map(move |z| Vec3::new(x, y, z)))
            });
            all.filter_map(|d| d.try_normalize(0.0)).chain([between])
        };
        if !(one.is_strictly_convex() && two.is_strictly_convex()) {
            for n in directions() {
                let (p, q, _) = facing(&n);
                self.refine(0, [p, q]);
            }
            return;
        }
        // The distance of convex bodies is the greatest over all directions, and that function has no other maximum where they are apart.
        let mut best = (facing(&between).2, between);
        for n in directions() {
            let along = facing(&n).2;
            if along > best.0 {
                best = (along, n);
            }
        }
        let mut step = 0.5;
        while step > 1e-2 {
            let before = best.0;
            for axis in [Vec3::x(), Vec3::y(), Vec3::z(), -Vec3::x(), -Vec3::y(), -Vec3::z()] {
                let n = (best.1 + axis * step).normalize();
                let along = facing(&n).2;
                if along > best.0 {
                    best = (along, n);
                }
            }
            if best.0 <= before {
                step *= 0.5;
            }
        }
        let (p, q, _) = facing(&best.1);
        self.refine(0, [p, q]);
    }
}

/// Whether none of the four neighbours, by their offsets 0 to 2, is lower, and those before it not as low.
fn is_lowest(own: f64, mut neighbour: impl FnMut(usize, usize) -> Option<f64>) -> bool {
    let before = [(1, 0), (0, 1)].into_iter().all(|(a, b)| neighbour(a, b).is_none_or(|other| other > own));
    before && [(2, 1), (1, 2)].into_iter().all(|(a, b)| neighbour(a, b).is_none_or(|other| other >= own))
}

impl SurfacePair {
    /// Whether two candidates are one.
    pub(super) fn same_place(&self, feature: u32, p: &Vec3, other: u32, q: &Vec3) -> bool {
        feature == other && (p - q).norm() < 1e-6 * self.size
    }
}

/// Size by which places are told apart, m.
pub(super) fn size_of(two: &Second) -> f64 {
    match two.at(0) {
        Two::Ball { radius, .. } => radius,
        Two::Surface(_) => {
            if two.reach().is_finite() {
                two.reach()
            } else {
                1.0
            }
        }
    }
}
