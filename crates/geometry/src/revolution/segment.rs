//! One piece of a section: a straight line or an arc of at most a quarter of a circle, in the plane of axial place and radius.

use touchdown_math::Elementary;

/// A point or vector of the radial–axial plane: axial place a, radius ρ, m.
pub type Point = [f64; 2];

#[inline]
pub(super) fn sub(p: Point, q: Point) -> Point {
    [p[0] - q[0], p[1] - q[1]]
}

#[inline]
pub(super) fn add(p: Point, q: Point, scale: f64) -> Point {
    [p[0] + scale * q[0], p[1] + scale * q[1]]
}

#[inline]
pub(super) fn dot(p: Point, q: Point) -> f64 {
    p[0] * q[0] + p[1] * q[1]
}

#[inline]
pub(super) fn cross(p: Point, q: Point) -> f64 {
    p[0] * q[1] - p[1] * q[0]
}

#[inline]
pub(super) fn norm(p: Point) -> f64 {
    dot(p, p).sqrt()
}

/// A quarter turn to the left.
#[inline]
pub(super) fn left(p: Point) -> Point {
    [-p[1], p[0]]
}

/// A circle that a segment follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    /// Centre.
    pub centre: Point,
    /// Radius, m.
    pub radius: f64,
    /// +1 if the section turns left (counter-clockwise with a to the right and ρ up), −1 if it turns right.
    pub turn: f64,
    /// Angle swept, rad, positive, at most a right angle.
    pub sweep: f64,
}

/// A line or an arc of a section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Where it starts.
    pub start: Point,
    /// Where it ends.
    pub end: Point,
    /// Unit tangent at the start.
    pub tangent: Point,
    /// Length, m.
    pub length: f64,
    /// The arc; `None` for a line.
    pub arc: Option<Arc>,
}

/// Which part of a segment is nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Start,
    Inside,
    End,
}

/// An arc flatter than this (sagitta over chord) is treated as a line: its radius would lose half of the
/// digits.
const FLAT: f64 = 1e-8;

impl Segment {
    /// The straight line between two points.
    pub fn line(start: Point, end: Point) -> Segment {
        let chord = sub(end, start);
        let length = norm(chord);
        Segment { start, end, tangent: [chord[0] / length, chord[1] / length], length, arc: None }
    }

    /// The arc that leaves `start` along the unit vector `tangent` and reaches `end`, cut into pieces of at most a right angle.
    pub(super) fn arcs(start: Point, tangent: Point, end: Point, out: &mut Vec<Segment>) {
        let chord = sub(end, start);
        let (side, ahead) = (cross(tangent, chord), dot(tangent, chord));
        let length = norm(chord);
        if side.abs() <= FLAT * length && ahead > 0.0 {
            return out.push(Segment::line(start, end));
        }
        // A half circle ahead, or the chord straight behind, would have no side: turn left.
        let turn = if side < 0.0 { -1.0 } else { 1.0 };
        let radius = 0.5 * length * length / side.abs().max(f64::MIN_POSITIVE);
        let centre = add(start, left(tangent), turn * radius);
        let mut sweep = 2.0 * side.abs().arctangent2(ahead);
        if sweep < 0.0 {
            sweep += std::f64::consts::TAU;
        }
        let pieces = (sweep / std::f64::consts::FRAC_PI_2 - 1e-9).ceil().max(1.0);
        let (step, count) = (sweep / pieces, pieces as usize);
        let spoke = sub(start, centre);
        let point = |k: usize| match k {
            0 => start,
            k if k == count => end,
            k => add(centre, turned(spoke, turn * step * k as f64), 1.0),
        };
        for k in 0..count {
            out.push(Segment {
                start: point(k),
                end: point(k + 1),
                tangent: turned(tangent, turn * step * k as f64),
                length: radius * step,
                arc: Some(Arc { centre, radius, turn, sweep: step }),
            });
        }
    }

    /// Point at a share 0..1 of the length.
    pub fn point(&self, share: f64) -> Point {
        match &self.arc {
            _ if share <= 0.0 => self.start,
            _ if share >= 1.0 => self.end,
            None => add(self.start, self.tangent, share * self.length),
            Some(arc) => {
                add(arc.centre, turned(sub(self.start, arc.centre), arc.turn * arc.sweep * share), 1.0)
            }
        }
    }

    /// Unit tangent at a share 0..1 of the length.
    pub fn tangent_at(&self, share: f64) -> Point {
        match &self.arc {
            None => self.tangent,
            Some(arc) => turned(self.tangent, arc.turn * arc.sweep * share),
        }
    }

    /// Area of the surface that the part up to `share` sweeps around the axis, m² (Pappus).
    pub fn swept_area(&self, share: f64) -> f64 {
        let length = share * self.length;
        let mean = match &self.arc {
            None => 0.5 * (self.start[1] + self.point(share)[1]),
            Some(arc) => {
                // Centroid of an arc: on its middle spoke, at r sin(α)/α for half the angle α.
                let half = 0.5 * arc.sweep * share;
                let spoke = turned(sub(self.start, arc.centre), arc.turn * half);
                let sinc = if half > 1e-4 { half.sine() / half } else { 1.0 - half * half / 6.0 };
                arc.centre[1] + spoke[1] * sinc
            }
        };
        std::f64::consts::TAU * mean * length
    }

    /// Squared distance of a point, and the part that is nearest.
    #[inline]
    pub(super) fn closest(&self, p: Point) -> (f64, Part) {
        let from_start = sub(p, self.start);
        match &self.arc {
            None => {
                let along = dot(from_start, self.tangent);
                if along <= 0.0 {
                    (dot(from_start, from_start), Part::Start)
                } else if along >= self.length {
                    let from_end = sub(p, self.end);
                    (dot(from_end, from_end), Part::End)
                } else {
                    let off = cross(self.tangent, from_start);
                    (off * off, Part::Inside)
                }
            }
            Some(arc) => {
                let v = sub(p, arc.centre);
                // At most a right angle: inside the wedge between the end spokes.
                let after_start = arc.turn * cross(sub(self.start, arc.centre), v) > 0.0;
                let before_end = arc.turn * cross(v, sub(self.end, arc.centre)) > 0.0;
                if after_start && before_end {
                    let off = norm(v) - arc.radius;
                    return (off * off, Part::Inside);
                }
                let from_end = sub(p, self.end);
                let (a, b) = (dot(from_start, from_start), dot(from_end, from_end));
                if a <= b { (a, Part::Start) } else { (b, Part::End) }
            }
        }
    }
}

/// A vector turned by an angle to the left.
pub(super) fn turned(v: Point, angle: f64) -> Point {
    let (sin, cos) = angle.sine_cosine();
    [cos * v[0] - sin * v[1], sin * v[0] + cos * v[1]]
}
