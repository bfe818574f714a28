//! Definition of a section: a start and strokes, each a line, an arc or a spline. Turned into segments once.

use super::segment::{Point, Segment, add, cross, dot, norm, sub};
use touchdown_math::Elementary;

/// A stroke of a section, from the end of the previous one.
#[derive(Clone, Debug, PartialEq)]
pub enum Stroke {
    /// Straight to a point.
    Line {
        /// End.
        to: Point,
    },
    /// An arc through a point to another.
    Arc {
        /// A point of the arc between its ends.
        via: Point,
        /// End.
        to: Point,
    },
    /// A smooth curve through points: the natural cubic spline over the chord length, approximated by arcs
    /// with continuous tangents.
    Spline {
        /// Points after the start.
        through: Vec<Point>,
    },
}

/// Definition of a section.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Where it starts.
    pub start: Point,
    /// The strokes.
    pub strokes: Vec<Stroke>,
}

/// Pairs of arcs for each span of a spline: they follow it to about a thousandth of the sagitta of a span.
const PAIRS: usize = 4;

impl Path {
    /// A path that starts at a point.
    pub fn from(start: Point) -> Path {
        Path { start, strokes: Vec::new() }
    }

    /// Straight lines through points; the first is the start. `None` without points.
    pub fn through(points: &[Point]) -> Option<Path> {
        let (start, rest) = points.split_first()?;
        Some(Path { start: *start, strokes: rest.iter().map(|&to| Stroke::Line { to }).collect() })
    }

    /// Adds a line.
    pub fn line(mut self, to: Point) -> Path {
        self.strokes.push(Stroke::Line { to });
        self
    }

    /// Adds an arc.
    pub fn arc(mut self, via: Point, to: Point) -> Path {
        self.strokes.push(Stroke::Arc { via, to });
        self
    }

    /// Adds a spline.
    pub fn spline(mut self, through: &[Point]) -> Path {
        self.strokes.push(Stroke::Spline { through: through.to_vec() });
        self
    }

    /// All points of the definition, the start first.
    pub(super) fn points(&self) -> Vec<Point> {
        let mut all = vec![self.start];
        for stroke in &self.strokes {
            match stroke {
                Stroke::Line { to } => all.push(*to),
                Stroke::Arc { via, to } => all.extend([*via, *to]),
                Stroke::Spline { through } => all.extend(through),
            }
        }
        all
    }

    /// The path of the same strokes through other points, in the order of [`Path::points`].
    pub(super) fn with_points(&self, points: &[Point]) -> Path {
        let mut next = points.iter().copied();
        let mut take = |old: Point| next.next().unwrap_or(old);
        let start = take(self.start);
        let strokes = self.strokes.iter().map(|stroke| match stroke {
            Stroke::Line { to } => Stroke::Line { to: take(*to) },
            Stroke::Arc { via, to } => {
                let via = take(*via);
                Stroke::Arc { via, to: take(*to) }
            }
            Stroke::Spline { through } => {
                Stroke::Spline { through: through.iter().map(|p| take(*p)).collect() }
            }
        });
        Path { start, strokes: strokes.collect() }
    }

    /// The segments; the points are distinct and finite.
    pub(super) fn segments(&self) -> Vec<Segment> {
        let mut out = Vec::new();
        let mut here = self.start;
        for stroke in &self.strokes {
            match stroke {
                Stroke::Line { to } => {
                    out.push(Segment::line(here, *to));
                    here = *to;
                }
                Stroke::Arc { via, to } => {
                    Segment::arcs(here, arc_tangent(here, *via, *to), *to, &mut out);
                    here = *to;
                }
                Stroke::Spline { through } => {
                    add_spline(here, through, &mut out);
                    here = through.last().copied().unwrap_or(here);
                }
            }
        }
        out
    }
}

/// Unit tangent at `start` of the circle through three points: the chord to `end` turned by the angle at `via`, because the angle
/// between tangent and chord is the inscribed one.
fn arc_tangent(start: Point, via: Point, end: Point) -> Point {
    let (u, w, chord) = (sub(via, start), sub(end, via), sub(end, start));
    let angle = cross(u, w).arctangent2(dot(u, w));
    let tangent = super::segment::turned(chord, -angle);
    let size = norm(tangent);
    [tangent[0] / size, tangent[1] / size]
}

/// Arcs along the natural cubic spline through `start` and the points.
fn add_spline(start: Point, through: &[Point], out: &mut Vec<Segment>) {
    let points: Vec<Point> = std::iter::once(start).chain(through.iter().copied()).collect();
    let chords: Vec<f64> = points.windows(2).map(|p| norm(sub(p[1], p[0]))).collect();
    let slopes = natural_slopes(&points, &chords);
    for (k, &length) in chords.iter().enumerate() {
        let at = |t: f64| hermite(points[k], slopes[k], points[k + 1], slopes[k + 1], length, t);
        let (mut p, mut u) = at(0.0);
        for step in 1..=PAIRS {
            let (q, w) = at(step as f64 / PAIRS as f64);
            add_biarc(p, u, q, w, out);
            (p, u) = (q, w);
        }
    }
}

/// Slopes dp/ds at the points such that the second derivative is continuous and vanishes at the ends (Thomas's algorithm).
fn natural_slopes(points: &[Point], chords: &[f64]) -> Vec<Point> {
    let n = points.len();
    let secant = |k: usize, c: usize| (points[k + 1][c] - points[k][c]) / chords[k];
    let mut slopes = vec![[0.0; 2]; n];
    let mut upper = vec![0.0; n];
    for c in 0..2 {
        for k in 0..n {
            let (lower, diagonal, right, rhs) = if k == 0 {
                (0.0, 2.0, 1.0, 3.0 * secant(0, c))
            } else if k == n - 1 {
                (1.0, 2.0, 0.0, 3.0 * secant(n - 2, c))
            } else {
                let (a, b) = (1.0 / chords[k - 1], 1.0 / chords[k]);
                (a, 2.0 * (a + b), b, 3.0 * (a * secant(k - 1, c) + b * secant(k, c)))
            };
            let (before, above) = if k == 0 { (0.0, 0.0) } else { (slopes[k - 1][c], upper[k - 1]) };
            let pivot = diagonal - lower * above;
            upper[k] = right / pivot;
            slopes[k][c] = (rhs - lower * before) / pivot;
        }
        for k in (0..n - 1).rev() {
            slopes[k][c] -= upper[k] * slopes[k + 1][c];
        }
    }
    slopes
}

/// Point and unit tangent of the cubic with ends `p`, `q` and slopes `u`, `w` over a chord length, at t in 0..1.
fn hermite(p: Point, u: Point, q: Point, w: Point, length: f64, t: f64) -> (Point, Point) {
    let s = 1.0 - t;
    let value = |c: usize| {
        let (u, w) = (u[c] * length, w[c] * length);
        p[c] * s * s * (1.0 + 2.0 * t) + u * t * s * s + q[c] * t * t * (3.0 - 2.0 * t) - w * t * t * s
    };
    let slope = |c: usize| {
        let (u, w) = (u[c] * length, w[c] * length);
        6.0 * (q[c] - p[c]) * t * s + u * s * (1.0 - 3.0 * t) + w * t * (3.0 * t - 2.0)
    };
    let tangent = [slope(0), slope(1)];
    let size = norm(tangent).max(f64::MIN_POSITIVE);
    ([value(0), value(1)], [tangent[0] / size, tangent[1] / size])
}

/// Two arcs from p to q with the unit tangents u and w at the ends, joined without a corner.
fn add_biarc(p: Point, u: Point, q: Point, w: Point, out: &mut Vec<Segment>) {
    let v = sub(q, p);
    let (vv, vt) = (dot(v, v), dot(v, [u[0] + w[0], u[1] + w[1]]));
    let bend = 2.0 * (1.0 - dot(u, w));
    // Equal tangent lengths d: |v − d(u + w)| = 2d. The stable root also serves parallel tangents.
    let d = vv / (vt + (vt * vt + bend * vv).sqrt()).max(f64::MIN_POSITIVE);
    let (near, far) = (add(p, u, d), add(q, w, -d));
    let middle = [0.5 * (near[0] + far[0]), 0.5 * (near[1] + far[1])];
    let tangent = sub(far, near);
    let size = norm(tangent).max(f64::MIN_POSITIVE);
    Segment::arcs(p, u, middle, out);
    Segment::arcs(middle, [tangent[0] / size, tangent[1] / size], q, out);
}
