//! The point of a surface z = f(x, y) closest to a given one, by Newton's method on the squared distance.

use super::Surface;

/// Newton steps at most: it starts below the point and converges quadratically.
const MOST_STEPS: usize = 60;

/// A closest point.
pub(super) struct Closest {
    pub point: [f64; 3],
    /// Upwards, of unit length.
    pub normal: [f64; 3],
}

impl Closest {
    /// Starts below the point `c`; it must lie nearer than the surface's centres of curvature.
    pub fn find(surface: impl Fn(f64, f64) -> Surface, c: &[f64; 3]) -> Closest {
        let (mut x, mut y) = (c[0], c[1]);
        let mut at = surface(x, y);
        let mut last = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            let up = c[2] - at.z;
            let ([zx, zy], [zxx, zxy, zyy]) = (at.gradient, at.hessian);
            // Half the gradient of the squared distance, and its derivative.
            let g = [(x - c[0]) - up * zx, (y - c[1]) - up * zy];
            let (a, b, d) = (1.0 + zx * zx - up * zxx, zx * zy - up * zxy, 1.0 + zy * zy - up * zyy);
            let det = a * d - b * b;
            let step = [(d * g[0] - b * g[1]) / det, (a * g[1] - b * g[0]) / det];
            (x, y) = (x - step[0], y - step[1]);
            at = surface(x, y);
            let size = step[0].hypot(step[1]);
            // Down to rounding, where steps no longer fall.
            if size == 0.0 || (size < 1e-9 && size >= 0.5 * last) {
                break;
            }
            last = size;
        }
        let [zx, zy] = at.gradient;
        let root = (1.0 + zx * zx + zy * zy).sqrt();
        Closest { point: [x, y, at.z], normal: [-zx / root, -zy / root, 1.0 / root] }
    }

    /// Distance of a ball's surface, m; negative inside.
    pub fn gap(&self, y: &[f64; 9], radius: f64) -> f64 {
        dot(&self.normal, &[0, 1, 2].map(|k| y[k] - self.point[k])) - radius
    }
}

pub(super) fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
