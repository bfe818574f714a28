//! The signed distance from a section in the radial–axial plane: foot, normal and curvature of the normal.
//! Also that of a body of revolution in space, because the nearest point lies in the half-plane of the axis
//! and the point.

use super::section::{GROUP, Section};
use super::segment::{Part, Point, dot, left, norm, sub};

/// The nearest point of a section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foot {
    /// Distance, m, negative inside the material.
    pub distance: f64,
    /// The foot.
    pub point: Point,
    /// Unit gradient of the distance, out of the material.
    pub normal: Point,
    /// Change of the normal along the left tangent t of the normal: dn = bend·t (t·dp), 1/m.
    pub bend: f64,
    /// Index of the segment.
    pub segment: usize,
    /// Lower bound of the distance to material, m: the distance, but beyond a free end, without material on
    /// either side, the distance back to it.
    pub clearance: f64,
    /// The free end that the foot is, if it is one: an index into [`Section::free_ends`].
    pub free_end: Option<usize>,
}

/// Segments that may be nearest to some point of a neighbourhood.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    pub(super) list: [u32; Near::MOST],
    /// How many; above [`Near::MOST`]: all segments of the section.
    pub(super) count: usize,
}

impl Near {
    const MOST: usize = 32;

    #[inline]
    fn push(&mut self, segment: usize) {
        if self.count < Near::MOST {
            self.list[self.count] = segment as u32;
        }
        self.count += 1;
    }

    /// No segments.
    pub fn none() -> Near {
        Near { list: [0; Near::MOST], count: 0 }
    }
}

impl Section {
    /// The nearest point of the section. A point exactly on a corner's medial line has several: the first in
    /// order is used.
    pub fn foot(&self, p: Point) -> Foot {
        self.foot_from(p, 0)
    }

    /// The same, faster if a segment near the foot is known: most others are then excluded at once.
    #[inline]
    pub fn foot_from(&self, p: Point, segment: usize) -> Foot {
        let (segment, part) = self.nearest(p, segment);
        self.foot_on(segment, part, p)
    }

    /// Signed distance, m.
    pub fn distance(&self, p: Point) -> f64 {
        self.foot(p).distance
    }

    /// Segments that may hold the foot of any point within `radius` of `p`, and the foot of `p` itself, as [`Section::foot_from`].
    pub fn near(&self, p: Point, radius: f64, segment: usize) -> (Near, Foot) {
        let foot = self.foot_from(p, segment);
        (self.near_foot(p, radius, &foot), foot)
    }

    /// The same if the foot of `p` is known.
    pub fn near_foot(&self, p: Point, radius: f64, foot: &Foot) -> Near {
        let segment = foot.segment;
        // Distances change by at most the displacement: what is farther than 2·radius behind the nearest never wins.
        // A little more for rounding.
        let limit = (norm(sub(p, foot.point)) + 2.0 * radius) * (1.0 + 1e-9);
        // The nearest to the centre comes first: it soon rules out the others.
        let mut near = Near::none();
        near.push(segment);
        for (group, chunk) in self.segments.chunks(GROUP).enumerate() {
            if is_beyond(p, &self.groups[group], limit) {
                continue;
            }
            for (k, other) in chunk.iter().enumerate() {
                let index = group * GROUP + k;
                if index != segment && other.closest(p).0 <= limit * limit {
                    near.push(index);
                }
            }
        }
        near
    }

    /// The foot of a point for which `near` holds.
    #[inline]
    pub fn foot_among(&self, near: &Near, p: Point) -> Foot {
        let (segment, part) = self.nearest_among(near, p, 0);
        self.foot_on(segment, part, p)
    }

    /// The same for one of a row of points: `last` is the segment that a neighbour's foot was on, and becomes that of this one.
    #[inline]
    pub fn foot_beside(&self, near: &Near, p: Point, last: &mut usize) -> Foot {
        let (segment, part) = self.nearest_among(near, p, *last);
        *last = segment;
        self.foot_on(segment, part, p)
    }

    /// The nearest part of the segments of a neighbourhood. Where these are many, groups of them are ruled out at once.
    #[inline]
    fn nearest_among(&self, near: &Near, p: Point, last: usize) -> (usize, Part) {
        if near.count > GROUP {
            let first = if last > 0 { last } else { near.list[0] as usize };
            return self.nearest(p, first);
        }
        let mut best = Best::none();
        for &k in &near.list[..near.count] {
            best.look(self, k as usize, p);
        }
        (best.segment, best.part)
    }

    #[inline]
    fn nearest(&self, p: Point, hint: usize) -> (usize, Part) {
        let mut best = Best::none();
        best.look(self, hint.min(self.segments.len() - 1), p);
        for (group, circle) in self.groups.iter().enumerate() {
            if is_beyond(p, circle, best.distance) {
                continue;
            }
            let first = group * GROUP;
            for k in first..self.segments.len().min(first + GROUP) {
                best.look(self, k, p);
            }
        }
        (best.segment, best.part)
    }

    /// The foot on a segment extended without end, straight or around: beyond a free end, what the surface would be.
    #[inline]
    pub fn foot_extended(&self, segment: usize, p: Point) -> Foot {
        self.foot_on(segment, Part::Inside, p)
    }

    /// The foot on a part of a segment.
    #[inline]
    fn foot_on(&self, k: usize, part: Part, p: Point) -> Foot {
        let segment = &self.segments[k];
        match (part, &segment.arc) {
            (Part::Inside, None) => {
                let normal = left(segment.tangent).map(|x| x * self.sign);
                let distance = dot(normal, sub(p, segment.start));
                let point = [p[0] - distance * normal[0], p[1] - distance * normal[1]];
                Foot { distance, point, normal, bend: 0.0, segment: k, clearance: distance, free_end: None }
            }
            (Part::Inside, Some(arc)) => {
                let v = sub(p, arc.centre);
                let size = norm(v).max(f64::MIN_POSITIVE);
                // Turning left puts the centre on the left, where the normal of a solid points.
                let out = -arc.turn * self.sign / size;
                let normal = [v[0] * out, v[1] * out];
                let distance = -arc.turn * self.sign * (size - arc.radius);
                let scale = arc.radius / size;
                let point = [arc.centre[0] + v[0] * scale, arc.centre[1] + v[1] * scale];
                Foot { distance, point, normal, bend: out, segment: k, clearance: distance, free_end: None }
            }
            // A smooth joint is treated like the inside of its segments.
            (Part::Start, _) if is_smooth(self.joints[k]) => self.foot_on(k, Part::Inside, p),
            (Part::End, _) if is_smooth(self.joints[k + 1]) => self.foot_on(k, Part::Inside, p),
            (Part::Start, _) => self.foot_at_joint(k, k, segment.start, p),
            (Part::End, _) => self.foot_at_joint(k, k + 1, segment.end, p),
        }
    }

    /// The foot on a corner or end: the normal points at or away from it.
    fn foot_at_joint(&self, k: usize, joint: usize, point: Point, p: Point) -> Foot {
        let v = sub(p, point);
        let size = norm(v);
        let mean = self.joints[joint];
        let free_end = match joint {
            0 if self.ends[0].is_some() => Some(0),
            j if j == self.segments.len() && self.ends[1].is_some() => Some(1),
            _ => None,
        };
        let sign = if free_end.is_some() || dot(v, mean) >= 0.0 { 1.0 } else { -1.0 };
        let end = free_end.and_then(|end| self.ends[end]);
        let clearance = end.map_or(sign * size, |end| dot(v, mean).max(dot(v, end.tangent)));
        if size > 0.0 {
            let normal = [sign * v[0] / size, sign * v[1] / size];
            Foot { distance: sign * size, point, normal, bend: sign / size, segment: k, clearance, free_end }
        } else {
            let size = norm(mean).max(f64::MIN_POSITIVE);
            let normal = [mean[0] / size, mean[1] / size];
            Foot { distance: 0.0, point, normal, bend: 0.0, segment: k, clearance, free_end }
        }
    }
}

/// The nearest part so far.
struct Best {
    squared: f64,
    distance: f64,
    segment: usize,
    part: Part,
}

impl Best {
    #[inline]
    fn none() -> Best {
        Best { squared: f64::INFINITY, distance: f64::INFINITY, segment: 0, part: Part::Inside }
    }

    #[inline]
    fn look(&mut self, section: &Section, k: usize, p: Point) {
        if is_beyond(p, &section.circles[k], self.distance) {
            return;
        }
        let (squared, part) = section.segments[k].closest(p);
        if squared < self.squared {
            *self = Best { squared, distance: squared.sqrt(), segment: k, part };
        }
    }
}

/// Whether all of a circle (centre, radius) is farther than `distance`.
#[inline]
fn is_beyond(p: Point, circle: &(Point, f64), distance: f64) -> bool {
    let v = sub(p, circle.0);
    let reach = circle.1 + distance;
    dot(v, v) > reach * reach
}

/// Whether the two unit normals that meet at a joint agree, to an angle of 1e-4.
#[inline]
fn is_smooth(mean: Point) -> bool {
    dot(mean, mean) > 4.0 * (1.0 - 2.5e-9)
}
