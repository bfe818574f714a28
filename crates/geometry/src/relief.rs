//! Relief: the height of undisturbed ground over the plane, as a function. Whoever deforms the ground keeps the displacement from it.

use touchdown_math::Vec3;

/// Undisturbed ground.
#[derive(Clone, Debug, PartialEq)]
pub enum Relief {
    /// A plane through a point: height at the origin and slope towards x and y.
    Plane {
        /// Height at the origin, m.
        height: f64,
        /// dz/dx and dz/dy.
        gradient: [f64; 2],
    },
}

/// Why there is no ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Beyond the map.
    OffMap,
    /// A hole.
    Hole,
}
impl Relief {
    /// Why there is no ground at a place.
    pub fn why_missing(&self, _x: f64, _y: f64) -> Missing {
        Missing::OffMap
    }

    /// Height at a place, m; `None` beyond the edge of a map or in one of its holes.
    pub fn height(&self, x: f64, y: f64) -> Option<f64> {
        match self {
            Relief::Plane { height, gradient } => Some(height + gradient[0] * x + gradient[1] * y),
        }
    }

    /// No ground of a rectangle lies above this, m.
    pub fn highest(&self, x0: f64, x1: f64, y0: f64, y1: f64) -> f64 {
        match self {
            Relief::Plane { height, gradient } => {
                height + (gradient[0] * x0).max(gradient[0] * x1) + (gradient[1] * y0).max(gradient[1] * y1)
            }
        }
    }

    /// Unit normal at a place, out of the ground.
    pub fn normal(&self, x: f64, y: f64) -> Option<Vec3> {
        match self {
            Relief::Plane { gradient, .. } => {
                self.height(x, y).map(|_| Vec3::new(-gradient[0], -gradient[1], 1.0).normalize())
            }
        }
    }
}
