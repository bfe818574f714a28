//! Search with the corners of a mesh, and of two bodies.

use super::super::MOST;
use super::super::corners::Corners;
use super::{Finder, farthest};
use touchdown_geometry::surface::{BodySurface, HeightSurface};
use touchdown_math::{Pose, Vec3};

/// A corner that is no farther from side 1 than those across its edges.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Low {
    corner: u32,
    /// Its centre in the frame of side 1, m.
    centre: Vec3,
    /// Distance from side 1 to first order, m.
    gap: f64,
}

impl Finder<'_> {
    pub(super) fn corners_over_ground(
        &mut self,
        ground: &HeightSurface,
        corners: &Corners,
        known: &[(u32, Vec3)],
    ) {
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
        let lows = &mut *self.lows;
        lows.clear();
        corners.visit(
            |centre, radius| {
                let c = X_12.point(centre);
                let top = ground.highest([c.x - radius, c.x + radius], [c.y - radius, c.y + radius]);
                c.z - radius - corners.radius() - threshold <= top
            },
            |k, c| {
                let is_known = known.iter().any(|(feature, _)| *feature == k);
                let Some((own, c)) = gap(c).filter(|(own, _)| !is_known && *own < 2.0 * threshold) else {
                    return;
                };
                let lowest = corners
                    .neighbours(k)
                    .all(|other| gap(other).is_none_or(|(other, _)| other >= own - 1e-9 * threshold));
                if lowest {
                    lows.push(Low { corner: k, centre: c, gap: own });
                }
            },
        );
        self.refine_lows(known, |c| *c);
    }

    /// Refines as many as there are slots: first touching ones, the deepest and then those far from each
    /// other.
    fn refine_lows(&mut self, known: &[(u32, Vec3)], start: impl Fn(&Vec3) -> Vec3) {
        self.lows.sort_unstable_by(|a, b| a.gap.total_cmp(&b.gap).then(a.corner.cmp(&b.corner)));
        let mut chosen = [Vec3::zeros(); 2 * MOST];
        let mut count = known.len();
        for (place, (_, p)) in chosen.iter_mut().zip(known) {
            *place = *p;
        }
        for _ in 0..self.pair.options.most {
            let spread = |k: usize| {
                let near = chosen[..count].iter().map(|p| (p - self.lows[k].centre).norm());
                near.fold(f64::INFINITY, f64::min)
            };
            let Some(next) = farthest(self.lows.len(), |k| self.lows[k].gap, spread) else { return };
            let low = self.lows.remove(next);
            chosen[count] = low.centre;
            count += 1;
            self.refine(low.corner, [start(&low.centre), Vec3::zeros()]);
        }
    }

    pub(super) fn corners_at_body(&mut self, one: &BodySurface, corners: &Corners, known: &[(u32, Vec3)]) {
        let X_12 = self.poses[0].inverse().compose(self.poses[1]);
        let far = self.pair.options.threshold + corners.radius();
        let lows = &mut *self.lows;
        lows.clear();
        corners.visit(
            |centre, radius| one.distance(&X_12.point(centre)) <= radius + far,
            |k, c| {
                let c = X_12.point(c);
                let own = one.distance(&c);
                let is_known = known.iter().any(|(feature, _)| *feature == k);
                let lowest =
                    || corners.neighbours(k).all(|o| one.distance(&X_12.point(o)) >= own - 1e-9 * far);
                if own < far && !is_known && lowest() {
                    lows.push(Low { corner: k, centre: c, gap: own - corners.radius() });
                }
            },
        );
        self.refine_lows(known, |c| one.onto(c));
    }

    /// Two bodies, at least one not convex: candidates from every direction.
    pub(super) fn all_directions(&mut self, one: &BodySurface, two: &BodySurface) {
        let X_12 = self.poses[0].inverse().compose(self.poses[1]);
        if X_12.p.norm() > one.reach() + two.reach() + self.pair.options.threshold {
            return;
        }
        for n in directions() {
            let (p, q, _) = facing(one, two, &X_12, &n);
            self.refine(0, [p, q]);
        }
    }

    /// The distance of convex bodies is the greatest over all directions, and that function has no other
    /// maximum where they are apart: start at the best of several directions, then climb.
    pub(super) fn two_convex_bodies(&mut self, one: &BodySurface, two: &BodySurface) {
        let X_12 = self.poses[0].inverse().compose(self.poses[1]);
        if X_12.p.norm() > one.reach() + two.reach() + self.pair.options.threshold {
            return;
        }
        let along = |n: &Vec3| facing(one, two, &X_12, n).2;
        let between = X_12.p.try_normalize(0.0).unwrap_or_else(Vec3::z);
        let mut best = (along(&between), between);
        let mut climb = |n: Vec3| {
            let distance = along(&n);
            let better = distance > best.0;
            if better {
                best = (distance, n);
            }
            (better, best.1)
        };
        let mut n = between;
        for direction in directions() {
            n = climb(direction).1;
        }
        let mut step = 0.5;
        while step > 1e-2 {
            let mut better = false;
            for axis in [Vec3::x(), Vec3::y(), Vec3::z(), -Vec3::x(), -Vec3::y(), -Vec3::z()] {
                let (here, top) = climb((n + axis * step).normalize());
                (better, n) = (better || here, top);
            }
            if !better {
                step *= 0.5;
            }
        }
        let (p, q, _) = facing(one, two, &X_12, &n);
        self.refine(0, [p, q]);
    }
}

/// Points of two bodies whose normals lie along a direction, and their distance along it; frame of the first.
fn facing(one: &BodySurface, two: &BodySurface, X_12: &Pose, n: &Vec3) -> (Vec3, Vec3, f64) {
    let (p, q) = (one.facing(n), two.facing(&X_12.R.tr_mul(&-n)));
    (p, q, n.dot(&(X_12.point(&q) - p)))
}

/// The 26 directions to faces, edges and corners of a cube.
fn directions() -> impl Iterator<Item = Vec3> {
    let component = |k: usize| (k % 3) as f64 - 1.0;
    (0..27)
        .filter_map(move |k| Vec3::new(component(k), component(k / 3), component(k / 9)).try_normalize(0.0))
}
