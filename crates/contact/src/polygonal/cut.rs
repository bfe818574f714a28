//! A face over a free end of the reference body: only the part before the end touches, and the edge pushes it out.
//!
//! b is linear over the face, positive before the end. The energy is U = ½ c A ⟨s₊²; b > 0⟩: its derivative
//! by s_i is the force of a whole face, restricted to the remaining part; its derivative by b_i is a force
//! along the edge's line, the energy uncovered per shift of the edge.

use super::triangle::Moments;
use touchdown_math::Elementary;
use touchdown_math::Vec3;

/// Where a free end cuts a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cut {
    /// Distances of the corners before the end, m; negative beyond it.
    pub b: [f64; 3],
    /// Their changes with the corners' places.
    pub gradient: [Vec3; 3],
}

/// A point of the face by its three shape functions.
type Share = [f64; 3];

/// The corners of the remaining part, at most five.
struct Rest {
    corners: [Share; 5],
    count: usize,
}

fn value(f: &[f64; 3], at: &Share) -> f64 {
    f[0] * at[0] + f[1] * at[1] + f[2] * at[2]
}

fn between(p: &Share, q: &Share, t: f64) -> Share {
    std::array::from_fn(|k| p[k] + t * (q[k] - p[k]))
}

impl Rest {
    /// The part of a face where both functions are positive (Sutherland and Hodgman).
    fn of(s: &[f64; 3], b: &[f64; 3]) -> Rest {
        let corner = |k: usize| std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 });
        let mut rest = Rest { corners: [corner(0), corner(1), corner(2), [0.0; 3], [0.0; 3]], count: 3 };
        for f in [b, s] {
            let old = rest;
            rest = Rest { corners: [[0.0; 3]; 5], count: 0 };
            for k in 0..old.count {
                let (p, q) = (&old.corners[k], &old.corners[(k + 1) % old.count]);
                let (at_p, at_q) = (value(f, p), value(f, q));
                if at_p > 0.0 {
                    rest.push(*p);
                }
                if (at_p > 0.0) != (at_q > 0.0) {
                    rest.push(between(p, q, at_p / (at_p - at_q)));
                }
            }
        }
        rest
    }

    fn push(&mut self, p: Share) {
        // Two lines cut a triangle to at most five corners; rounding must not add a sixth.
        if self.count < self.corners.len() {
            self.corners[self.count] = p;
            self.count += 1;
        }
    }

    /// Calls `f` with the triangles of the rest and their shares of the face's area.
    fn triangles(&self, mut f: impl FnMut(f64, [&Share; 3])) {
        for k in 2..self.count {
            let [p, q, r] = [&self.corners[0], &self.corners[k - 1], &self.corners[k]];
            let (u, v) = ([q[1] - p[1], q[2] - p[2]], [r[1] - p[1], r[2] - p[2]]);
            f((u[0] * v[1] - u[1] * v[0]).abs(), [p, q, r]);
        }
    }
}

impl Cut {
    /// As [`Moments::of`], over the remaining part.
    pub fn moments(&self, s: &[f64; 3]) -> Moments {
        let mut out = Moments::default();
        Rest::of(s, &self.b).triangles(|area, at| {
            let depths = at.map(|p| value(s, p).max(0.0));
            let sum = depths[0] + depths[1] + depths[2];
            for i in 0..3 {
                let shares = at[0][i] + at[1][i] + at[2][i];
                let product = depths[0] * at[0][i] + depths[1] * at[1][i] + depths[2] * at[2][i];
                out.share[i] += area / 3.0 * shares;
                out.depth[i] += area / 12.0 * (sum * shares + product);
            }
        });
        out
    }

    /// Largest depth over the remaining part, m: at one of its corners, because the depth is linear. Corners
    /// of the face beyond the end do not touch, at any depth.
    pub fn deepest(&self, s: &[f64; 3]) -> f64 {
        let rest = Rest::of(s, &self.b);
        rest.corners[..rest.count].iter().map(|p| value(s, p)).fold(0.0, f64::max)
    }

    /// As [`super::mass`], over the remaining part.
    pub fn mass(&self, s: &[f64; 3]) -> [[f64; 3]; 3] {
        let mut out = [[0.0; 3]; 3];
        Rest::of(s, &self.b).triangles(|area, at| {
            for i in 0..3 {
                for j in 0..3 {
                    let sums = (at[0][i] + at[1][i] + at[2][i]) * (at[0][j] + at[1][j] + at[2][j]);
                    let product: f64 = at.iter().map(|p| p[i] * p[j]).sum();
                    out[i][j] += area / 12.0 * (sums + product);
                }
            }
        });
        out
    }

    /// ∂⟨s₊²; b > 0⟩/∂b_i, m: the integral of s²N_i over the edge, divided by the slope of b across it.
    pub fn edge(&self, s: &[f64; 3]) -> [f64; 3] {
        let b = &self.b;
        let corner = |k: usize| -> Share { std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 }) };
        let mut ends = [[0.0; 3]; 2];
        let mut found = 0;
        for k in 0..3 {
            let j = (k + 1) % 3;
            if (b[k] > 0.0) != (b[j] > 0.0) && found < 2 {
                ends[found] = between(&corner(k), &corner(j), b[k] / (b[k] - b[j]));
                found += 1;
            }
        }
        let (low, high) = (value(s, &ends[0]), value(s, &ends[1]));
        if found < 2 || (low <= 0.0 && high <= 0.0) {
            return [0.0; 3];
        }
        if low < 0.0 {
            ends[0] = between(&ends[0], &ends[1], low / (low - high));
        } else if high < 0.0 {
            ends[1] = between(&ends[1], &ends[0], high / (high - low));
        }
        // In the plane of the second and third share the mean over the face is twice the integral.
        let length = f64::hypotenuse(ends[1][1] - ends[0][1], ends[1][2] - ends[0][2]);
        let slope = f64::hypotenuse(b[1] - b[0], b[2] - b[0]).max(f64::MIN_POSITIVE);
        let middle = between(&ends[0], &ends[1], 0.5);
        // Simpson's rule is exact for the cubic s²N.
        let at = |p: &Share, i: usize| value(s, p).max(0.0).whole_power(2) * p[i];
        std::array::from_fn(|i| {
            2.0 * length / slope * (at(&ends[0], i) + 4.0 * at(&middle, i) + at(&ends[1], i)) / 6.0
        })
    }
}
