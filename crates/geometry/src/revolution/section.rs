//! The section of a body of revolution: a chain of lines and arcs, checked once, with material on one side.

use super::path::Path;
use super::segment::{Point, Segment, cross, dot, norm, sub};
use thiserror::Error;

/// The side of the material, along the direction of the section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Material towards the axis of a section that runs towards +a: on the right. A peg, a sphere.
    Solid,
    /// Material away from the axis of a section that runs towards +a: on the left. A nozzle, a bore.
    Cavity,
}

/// Errors of a section.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SectionError {
    /// Fewer than two points.
    #[error(
        "a section needs at least two points, found {found} (a line from [a, r] to [a, r] is the shortest)"
    )]
    TooShort {
        /// Points found.
        found: usize,
    },
    /// Not a number, or infinite.
    #[error("point {point} of the section is not finite")]
    NotFinite {
        /// Its index, the start being 0.
        point: usize,
    },
    /// A negative radius.
    #[error(
        "point {point} of the section has the radius {radius} m: radii count from the axis and are never negative"
    )]
    NegativeRadius {
        /// Its index, the start being 0.
        point: usize,
        /// Its radius, m.
        radius: f64,
    },
    /// An arc or spline between valid points crosses the axis.
    #[error(
        "the section crosses the axis near a = {axial} m (an arc or spline bends below radius 0: add a point there)"
    )]
    CrossesAxis {
        /// Where, m.
        axial: f64,
    },
    /// Two neighbouring points coincide.
    #[error("points {point} and {} of the section coincide: leave one out", point + 1)]
    Coincide {
        /// Index of the first.
        point: usize,
    },
    /// The section crosses itself.
    #[error("the section crosses itself near a = {axial} m, r = {radius} m (check the order of its points)")]
    CrossesItself {
        /// Where, m.
        axial: f64,
        /// Where, m.
        radius: f64,
    },
    /// Members of a family that do not fit together.
    #[error(
        "member {member} of the family has other strokes than the first: all need the same lines, arcs and splines"
    )]
    Mismatch {
        /// Its index.
        member: usize,
    },
    /// Parameters of a family that do not rise.
    #[error("parameters of a family must rise and be at least two, found trouble at member {member}")]
    Order {
        /// Index of the member.
        member: usize,
    },
}

/// A section of a body of revolution about z, a = z; see [`Side`] for where its material is.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    pub(super) segments: Vec<Segment>,
    pub(super) side: Side,
    pub(super) sign: f64,
    /// Circles (centre, radius) around groups of [`GROUP`] segments, so that distant ones are skipped at
    /// once.
    pub(super) groups: Vec<(Point, f64)>,
    /// Circles around single segments.
    pub(super) circles: Vec<(Point, f64)>,
    /// At each joint, the sum of the unit normals on both sides; first and last: at the ends.
    pub(super) joints: Vec<Point>,
    pub(super) ends: [Option<FreeEnd>; 2],
}

/// An end of a section that is neither on the axis nor joined to the other end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeEnd {
    /// Where it is.
    pub point: Point,
    /// Unit tangent, away from the section.
    pub tangent: Point,
}

/// Segments in a group.
pub(super) const GROUP: usize = 8;
/// Lengths below this share of the section's size count as zero.
const TINY: f64 = 1e-12;
/// Pieces of an arc when the section is checked for crossings.
const CHORDS: usize = 8;

impl Section {
    /// Checks a path and converts it to a section.
    pub fn new(path: &Path, side: Side) -> Result<Section, SectionError> {
        let points = path.points();
        if points.len() < 2 {
            return Err(SectionError::TooShort { found: points.len() });
        }
        if let Some(point) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            return Err(SectionError::NotFinite { point });
        }
        if let Some(point) = points.iter().position(|p| p[1] < 0.0) {
            return Err(SectionError::NegativeRadius { point, radius: points[point][1] });
        }
        let size = points.iter().fold(0f64, |size, p| size.max(norm(sub(*p, points[0]))));
        let apart = |p: &[Point]| norm(sub(p[1], p[0])) <= TINY * size;
        if let Some(point) = points.windows(2).position(apart) {
            return Err(SectionError::Coincide { point });
        }
        let section = Section::unchecked(path, side);
        section.check_axis(size)?;
        section.check_crossings()?;
        Ok(section)
    }

    /// Straight lines through points.
    pub fn through(points: &[Point], side: Side) -> Result<Section, SectionError> {
        let path = Path::through(points).ok_or(SectionError::TooShort { found: 0 })?;
        Section::new(&path, side)
    }

    /// A section of a path with valid points.
    pub(super) fn unchecked(path: &Path, side: Side) -> Section {
        let segments = path.segments();
        let sign = match side {
            Side::Solid => 1.0,
            Side::Cavity => -1.0,
        };
        let groups = segments.chunks(GROUP).map(enclosing).collect();
        let circles = segments.chunks(1).map(enclosing).collect();
        let (first, last) = (segments[0], segments[segments.len() - 1]);
        let size = segments.iter().map(|s| s.length).sum::<f64>();
        let closed = norm(sub(first.start, last.end)) <= TINY * size;
        let on_axis = |p: Point| p[1] <= TINY * size;
        let normal = |s: &Segment, share: f64| {
            let t = s.tangent_at(share);
            [-sign * t[1], sign * t[0]]
        };
        let join = |p: Point, q: Point| [p[0] + q[0], p[1] + q[1]];
        let mut joints = Vec::with_capacity(segments.len() + 1);
        // On the axis the section meets its mirror image; at a free end only its own normal counts.
        let end = |n: Point, p: Point| if on_axis(p) { [2.0 * n[0], 0.0] } else { n };
        let (n_first, n_last) = (normal(&first, 0.0), normal(&last, 1.0));
        joints.push(if closed { join(n_last, n_first) } else { end(n_first, first.start) });
        for pair in segments.windows(2) {
            joints.push(join(normal(&pair[0], 1.0), normal(&pair[1], 0.0)));
        }
        joints.push(if closed { join(n_last, n_first) } else { end(n_last, last.end) });
        let free =
            |p: Point, tangent: Point| (!closed && !on_axis(p)).then_some(FreeEnd { point: p, tangent });
        let ends = [free(first.start, first.tangent.map(|x| -x)), free(last.end, last.tangent_at(1.0))];
        Section { segments, side, sign, groups, circles, joints, ends }
    }

    /// Its lines and arcs, in order.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Its free ends, at its start and at its end.
    pub fn free_ends(&self) -> &[Option<FreeEnd>; 2] {
        &self.ends
    }

    /// The side of its material.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Smallest radius of its convex arcs, m; zero with a convex corner. Deeper than this, the nearest point of the section jumps.
    pub fn reach(&self) -> f64 {
        let convex = |turn: f64| turn * self.sign < 0.0;
        let arcs = self.segments.iter().filter_map(|s| s.arc).filter(|arc| convex(arc.turn));
        let corner = self.segments.windows(2).any(|pair| {
            let turn = cross(pair[0].tangent_at(1.0), pair[1].tangent);
            turn.abs() > 1e-6 && convex(turn)
        });
        if corner { 0.0 } else { arcs.fold(f64::INFINITY, |least, arc| least.min(arc.radius)) }
    }

    /// Area of the surface of revolution, m².
    pub fn area(&self) -> f64 {
        self.segments.iter().map(|s| s.swept_area(1.0)).sum()
    }

    fn check_axis(&self, size: f64) -> Result<(), SectionError> {
        for segment in &self.segments {
            for k in 0..=4 * CHORDS {
                let p = segment.point(k as f64 / (4 * CHORDS) as f64);
                if p[1] < -1e-9 * size {
                    return Err(SectionError::CrossesAxis { axial: p[0] });
                }
            }
        }
        Ok(())
    }

    /// Searches crossings of chords: of lines exactly, of arcs to a 200th of their radius.
    fn check_crossings(&self) -> Result<(), SectionError> {
        let mut chain: Vec<Point> = vec![self.segments[0].start];
        for segment in &self.segments {
            let pieces = if segment.arc.is_some() { CHORDS } else { 1 };
            chain.extend((1..=pieces).map(|k| segment.point(k as f64 / pieces as f64)));
        }
        let chords: Vec<[Point; 2]> = chain.windows(2).map(|p| [p[0], p[1]]).collect();
        for (i, p) in chords.iter().enumerate() {
            for q in chords.iter().skip(i + 2) {
                if let Some(at) = crossing(p, q) {
                    return Err(SectionError::CrossesItself { axial: at[0], radius: at[1] });
                }
            }
        }
        Ok(())
    }
}

/// A circle around segments.
fn enclosing(segments: &[Segment]) -> (Point, f64) {
    let ends = segments.iter().flat_map(|s| [s.start, s.point(0.5), s.end]);
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for p in ends {
        for c in 0..2 {
            (low[c], high[c]) = (low[c].min(p[c]), high[c].max(p[c]));
        }
    }
    let centre = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
    // A point of an arc is no farther from the centre than either end plus the distance to it.
    let farthest = |s: &Segment| 0.5 * (norm(sub(s.start, centre)) + norm(sub(s.end, centre)) + s.length);
    let exact = |s: &Segment| match s.arc {
        None => norm(sub(s.start, centre)).max(norm(sub(s.end, centre))),
        Some(_) => farthest(s),
    };
    (centre, segments.iter().map(exact).fold(0.0, f64::max))
}

/// Where two chords cross in their inside.
fn crossing(p: &[Point; 2], q: &[Point; 2]) -> Option<Point> {
    let (u, v, w) = (sub(p[1], p[0]), sub(q[1], q[0]), sub(q[0], p[0]));
    let area = cross(u, v);
    let size = (dot(u, u) * dot(v, v)).sqrt();
    if area.abs() <= 1e-12 * size {
        return None;
    }
    let (s, t) = (cross(w, v) / area, cross(w, u) / area);
    let inside = |x: f64| x > 1e-9 && x < 1.0 - 1e-9;
    (inside(s) && inside(t)).then(|| [p[0][0] + s * u[0], p[0][1] + s * u[1]])
}
