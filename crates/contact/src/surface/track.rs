//! Tracking: a start near two facing points ⇒ the facing points, to round-off. Newton's method on the conditions of the closest points.
//!
//! With r = p₂ − p₁ the conditions are B₁ᵀ r = 0 and B₁ᵀ n₂ = 0. A displacement a of p₁ and b of p₂ in their tangent planes changes them by
//! b − (1 + d K₁) a and K₂ b + K₁ a: the matrix of the port-based equations. For a ball only p₁ is unknown: (1 + (ρ + d) K₁) a = B₁ᵀ (c − p₁).

use super::sides::Two;
use nalgebra::{Matrix2, Vector2};
use touchdown_geometry::Missing;
use touchdown_geometry::surface::{Patch, Surface, SurfacePoint};
use touchdown_math::{Mat3, Pose, Vec3};

/// Newton iterations at most; from a tracked start two or three do.
pub(super) const ITERATIONS: usize = 40;
/// Halvings of a step that does not reduce the residual.
const HALVINGS: usize = 8;
/// A step below this part of the sides' size leaves an error of its square: round-off.
pub(super) const SMALL: f64 = 1e-9;

/// Two facing points, in world axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facing {
    /// The points in the frames of their sides, m.
    pub places: [Vec3; 2],
    /// Closest point of side 1, m.
    pub p_W: Vec3,
    /// Gauss frame of side 1.
    pub frame_W: Mat3,
    /// Distance d along the normal of side 1, m.
    pub gap: f64,
    /// Curvatures of both sides along the tangents of side 1, 1/m.
    pub K: [Matrix2<f64>; 2],
}

/// Why two points do not face each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Lost {
    /// The surfaces are not relatively convex there, or there is no such point nearby.
    Convexity,
    /// There is no ground, in the frame of side 1 at (x, y).
    Ground(Missing, [f64; 2]),
    /// In this position this part of the sides does not touch.
    Elsewhere,
}

impl Facing {
    /// 1 + d K₁.
    #[inline]
    pub fn spread(&self) -> Matrix2<f64> {
        Matrix2::identity() + self.K[0] * self.gap
    }

    /// Relative curvature S = K₁ (1 + d K₁)⁻¹ + K₂, 1/m: the curvature of side 2 against the surface parallel to side 1 through its closest
    /// point. Relatively convex where it and 1 + d K₁ are positive definite; `None` elsewhere.
    #[inline]
    pub fn relative_curvature(&self) -> Option<Matrix2<f64>> {
        let spread = self.spread();
        if !is_positive(&spread) {
            return None;
        }
        // K₁ and 1 + d K₁ commute: the product is symmetric.
        let S = self.K[0] * inverse(&spread) + self.K[1];
        is_positive(&S).then_some(S)
    }
}

/// Inverse of a 2 × 2 matrix that has one.
#[inline]
pub(super) fn inverse(m: &Matrix2<f64>) -> Matrix2<f64> {
    let over = 1.0 / (m[(0, 0)] * m[(1, 1)] - m[(0, 1)] * m[(1, 0)]);
    Matrix2::new(m[(1, 1)], -m[(0, 1)], -m[(1, 0)], m[(0, 0)]) * over
}

#[inline]
pub(super) fn is_positive(m: &Matrix2<f64>) -> bool {
    let (trace, det) = (m[(0, 0)] + m[(1, 1)], m[(0, 0)] * m[(1, 1)] - m[(0, 1)] * m[(1, 0)]);
    // A share of the trace squared that rounding leaves in the determinant of a singular matrix.
    trace > 0.0 && det > 1e-13 * trace * trace
}

#[inline]
pub(super) fn matrix([a, b, c]: [f64; 3]) -> Matrix2<f64> {
    Matrix2::new(a, b, b, c)
}

/// The two tangential components of a vector in a Gauss frame.
#[inline]
pub(super) fn tangential(frame: &Mat3, v: &Vec3) -> Vector2<f64> {
    Vector2::new(frame.column(0).dot(v), frame.column(1).dot(v))
}

/// The vector of two tangential components.
#[inline]
pub(super) fn spatial(frame: &Mat3, a: &Vector2<f64>) -> Vec3 {
    frame.column(0) * a.x + frame.column(1) * a.y
}

/// Facing points near a start, in the frames of the sides.
#[inline]
pub(super) fn track(
    one: &Surface,
    two: &Two,
    poses: [&Pose; 2],
    start: [Vec3; 2],
    patches: &mut [Option<Patch>; 2],
) -> Result<Facing, Lost> {
    let facing = match two {
        Two::Ball { centre, radius } => {
            track_ball(one, (centre, *radius), poses, &start[0], &mut patches[0])?
        }
        Two::Flat(flat, radius) => flat.track(one, *radius, poses, &start[0], &mut patches[0])?,
        Two::Surface(two) => track_pair(one, two, poses, start, patches)?,
    };
    if facing.relative_curvature().is_some() { Ok(facing) } else { Err(Lost::Convexity) }
}

pub(super) fn point(surface: &Surface, patch: &mut Option<Patch>, p: &Vec3) -> Result<SurfacePoint, Lost> {
    surface.point(patch, p).map_err(|why| Lost::Ground(why, [p.x, p.y]))
}

pub(super) fn track_ball(
    one: &Surface,
    (centre, radius): (&Vec3, f64),
    [X1, X2]: [&Pose; 2],
    start: &Vec3,
    patch: &mut Option<Patch>,
) -> Result<Facing, Lost> {
    let c_W = X2.point(centre);
    let c = X1.R.tr_mul(&(c_W - X1.p));
    if let Surface::Body(body) = one
        && let Some(mut at) = body.nearest(&c)
    {
        // An edge pressed in deeper than its radius still turns about its point.
        let depth = radius - at.normal().dot(&(c - at.p));
        if depth > 0.0 {
            at.curvature[2] = at.curvature[2].min(0.5 / depth);
        }
        return Ok(facing_ball(at, (&c, &c_W, radius), [X1, X2]));
    }
    let mut at = point(one, patch, start)?;
    let small = SMALL * (radius + (c - at.p).norm());
    for _ in 0..ITERATIONS {
        let away = c - at.p;
        let g = tangential(&at.frame, &away);
        let height = away.dot(&at.frame.column(2));
        let H = Matrix2::identity() + matrix(at.curvature) * height;
        // Where the closest point is no minimum, downhill.
        let mut a = if is_positive(&H) { inverse(&H) * g } else { g };
        let length = a.norm();
        let most = radius + away.norm();
        if length > most {
            a *= most / length;
        }
        let mut next = point(one, patch, &(at.p + spatial(&at.frame, &a)))?;
        if length > small {
            // Closer, or nearer to where the normal points at the centre.
            let better = |next: &SurfacePoint| {
                (c - next.p).norm_squared() < away.norm_squared()
                    || tangential(&next.frame, &(c - next.p)).norm() < g.norm()
            };
            let mut halvings = 0;
            while !better(&next) && halvings < HALVINGS {
                a *= 0.5;
                halvings += 1;
                next = point(one, patch, &(at.p + spatial(&at.frame, &a)))?;
            }
        }
        at = next;
        if length <= small {
            return Ok(facing_ball(at, (&c, &c_W, radius), [X1, X2]));
        }
    }
    Err(Lost::Convexity)
}

/// The point of side 1 that faces a ball with its centre at `c` in the frame of side 1.
pub(super) fn facing_ball(
    at: SurfacePoint,
    (c, c_W, radius): (&Vec3, &Vec3, f64),
    [X1, X2]: [&Pose; 2],
) -> Facing {
    let frame_W = X1.R * at.frame;
    let n_W: Vec3 = frame_W.column(2).into();
    let q_W = c_W - n_W * radius;
    Facing {
        places: [at.p, X2.R.tr_mul(&(q_W - X2.p))],
        p_W: X1.point(&at.p),
        frame_W,
        gap: at.normal().dot(&(c - at.p)) - radius,
        K: [matrix(at.curvature), Matrix2::identity() / radius],
    }
}

/// A ball beside the round side of an infinitely long cylinder.
pub(super) fn beside_cylinder(one: &Surface, (centre, radius): (&Vec3, f64), [X1, X2]: [&Pose; 2]) -> Facing {
    let c_W = X2.point(centre);
    let c = X1.R.tr_mul(&(c_W - X1.p));
    let at = match one {
        Surface::Body(body) => body.point(&body.onto(&c)),
        Surface::Height(_) => SurfacePoint { p: c, frame: Mat3::identity(), curvature: [0.0; 3] },
    };
    facing_ball(at, (&c, &c_W, radius), [X1, X2])
}

/// Both points at a trial, with the residuals of the conditions.
struct Pair {
    one: SurfacePoint,
    two: SurfacePoint,
    frames_W: [Mat3; 2],
    facing: Facing,
    off: Vector2<f64>,
    tilt: Vector2<f64>,
}

impl Pair {
    fn new(
        surfaces: [&Surface; 2],
        [X1, X2]: [&Pose; 2],
        places: [&Vec3; 2],
        patches: &mut [Option<Patch>; 2],
    ) -> Result<Pair, Lost> {
        let [patch1, patch2] = patches;
        let one = point(surfaces[0], patch1, places[0])?;
        let two = point(surfaces[1], patch2, places[1])?;
        let frames_W = [X1.R * one.frame, X2.R * two.frame];
        let (p_W, q_W) = (X1.point(&one.p), X2.point(&two.p));
        let n1: Vec3 = frames_W[0].column(2).into();
        let n2: Vec3 = frames_W[1].column(2).into();
        let away = q_W - p_W;
        let across = |i: usize, j: usize| frames_W[0].column(i).dot(&frames_W[1].column(j));
        let Q = Matrix2::new(across(0, 0), across(0, 1), across(1, 0), across(1, 1));
        let facing = Facing {
            places: [one.p, two.p],
            p_W,
            frame_W: frames_W[0],
            gap: n1.dot(&away),
            K: [matrix(one.curvature), Q * matrix(two.curvature) * Q.transpose()],
        };
        Ok(Pair {
            one,
            two,
            frames_W,
            facing,
            off: tangential(&frames_W[0], &away),
            tilt: tangential(&frames_W[0], &n2),
        })
    }

    /// Residual of the facing conditions, m: the tilt is weighted by a length.
    fn residual(&self, size: f64) -> f64 {
        let opposed = self.frames_W[0].column(2).dot(&self.frames_W[1].column(2)) < 0.0;
        if opposed { self.off.norm_squared() + size * size * self.tilt.norm_squared() } else { f64::INFINITY }
    }
}

fn track_pair(
    one: &Surface,
    two: &Surface,
    poses: [&Pose; 2],
    start: [Vec3; 2],
    patches: &mut [Option<Patch>; 2],
) -> Result<Facing, Lost> {
    let size = match (one, two) {
        (Surface::Body(a), Surface::Body(b)) => a.reach().min(b.reach()),
        (Surface::Body(a), _) | (_, Surface::Body(a)) => a.reach(),
        _ => 1.0,
    };
    let mut at = Pair::new([one, two], poses, [&start[0], &start[1]], patches)?;
    for _ in 0..ITERATIONS {
        let f = &at.facing;
        let M = f.K[0] + f.K[1] + f.K[1] * f.K[0] * f.gap;
        let det = M[(0, 0)] * M[(1, 1)] - M[(0, 1)] * M[(1, 0)];
        if det == 0.0 || !det.is_finite() {
            return Err(Lost::Convexity);
        }
        let mut a = inverse(&M) * (f.K[1] * at.off - at.tilt);
        let mut b = f.spread() * a - at.off;
        let length = a.norm().max(b.norm());
        if length > size {
            (a, b) = (a * (size / length), b * (size / length));
        }
        let small = length <= SMALL * size;
        let residual = at.residual(size);
        let mut halvings = 0;
        let next = loop {
            let step = spatial(&f.frame_W, &b);
            // Side 2 moves in its own tangent plane.
            let own = tangential(&at.frames_W[1], &step);
            let places = [at.one.p + spatial(&at.one.frame, &a), at.two.p + spatial(&at.two.frame, &own)];
            let next = Pair::new([one, two], poses, [&places[0], &places[1]], patches)?;
            if small || halvings == HALVINGS || next.residual(size) < residual {
                break next;
            }
            halvings += 1;
            (a, b) = (a * 0.5, b * 0.5);
        };
        at = next;
        if small {
            let opposed = at.frames_W[0].column(2).dot(&at.frames_W[1].column(2)) < 0.0;
            let whole = match two {
                Surface::Body(body) => body.holds(&at.two.p),
                Surface::Height(_) => true,
            };
            return if opposed && whole { Ok(at.facing) } else { Err(Lost::Convexity) };
        }
    }
    Err(Lost::Convexity)
}
