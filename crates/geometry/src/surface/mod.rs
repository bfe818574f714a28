//! Smooth surfaces: local geometry of a form for contact between smooth bodies.
//!
//! Two families. A **height surface** ([`HeightSurface`]) is the ground z = f(x, y): a formula, or smooth patches over a map of heights
//! ([`Patch`]). It gives its height with first and second derivatives ([`HeightJet`]). A **body surface** is closed or open and given in the
//! body's own frame. Both return a [`SurfacePoint`]: place, unit normal out of the material, and curvature in
//! an orthonormal basis of the tangent plane (the Gauss frame), which has no singular coordinates.
//!
//! # References
//! - M. Wassink, R. Carloni, P. Poulakis, S. Stramigioli: Digital elevation map reconstruction for port-based dynamic simulation of contacts on
//!   irregular surfaces. Sections II-A, III.

mod body;
mod depth;
mod expression;
mod height;
mod patch;
mod peaks;
#[cfg(test)]
mod tests;

pub use body::{BodySurface, EDGE};
pub use depth::HeightDepth;
pub use expression::{Expression, ExpressionError};
pub use height::{HeightForm, HeightSurface};
pub use patch::{Patch, Smoothness};

use crate::Missing;
use touchdown_math::{Elementary, Mat3, Vec3};

/// A height and its derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeightJet {
    /// Height, m.
    pub z: f64,
    /// ∂z/∂x and ∂z/∂y.
    pub gradient: [f64; 2],
    /// ∂²z/∂x², ∂²z/∂x∂y, ∂²z/∂y², 1/m.
    pub hessian: [f64; 3],
}

impl HeightJet {
    /// Unit normal out of the ground.
    #[inline]
    pub fn normal(&self) -> Vec3 {
        Vec3::new(-self.gradient[0], -self.gradient[1], 1.0).normalize()
    }

    /// The point above (x, y) with its Gauss frame and curvature.
    #[inline]
    pub fn point(&self, x: f64, y: f64) -> SurfacePoint {
        let [zx, zy] = self.gradient;
        let [zxx, zxy, zyy] = self.hessian;
        let root = (1.0 + zx * zx + zy * zy).sqrt();
        let n = Vec3::new(-zx, -zy, 1.0) / root;
        // First tangent in the plane of x and z, the second completes a right-handed frame with the normal.
        let length = (1.0 + zx * zx).sqrt();
        let t1 = Vec3::new(1.0, 0.0, zx) / length;
        let t2 = n.cross(&t1);
        // In coordinates (x, y) the second form is Hess/root; t1 and t2 in coordinates are their own first two components. A bowl (positive
        // Hessian) is concave seen from outside the ground.
        let form =
            |a: &Vec3, b: &Vec3| -(a.x * (zxx * b.x + zxy * b.y) + a.y * (zxy * b.x + zyy * b.y)) / root;
        SurfacePoint {
            p: Vec3::new(x, y, self.z),
            frame: Mat3::from_columns(&[t1, t2, n]),
            curvature: [form(&t1, &t1), form(&t1, &t2), form(&t2, &t2)],
        }
    }
}

/// A point of a smooth surface with its Gauss frame, in the surface's own axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Place, m.
    pub p: Vec3,
    /// Columns: two orthonormal tangents and the unit normal out of the material.
    pub frame: Mat3,
    /// Derivative of the normal along the tangents, K = [K₁₁, K₁₂, K₂₂] (symmetric), 1/m: positive where the material is convex.
    pub curvature: [f64; 3],
}

impl SurfacePoint {
    /// Unit normal out of the material.
    #[inline]
    pub fn normal(&self) -> Vec3 {
        self.frame.column(2).into()
    }

    /// Principal curvatures, 1/m, the smaller first; positive where the material is convex.
    pub fn principal_curvatures(&self) -> [f64; 2] {
        let [a, b, c] = self.curvature;
        let (mean, spread) = (0.5 * (a + c), (0.5 * (a - c)).hypotenuse(b));
        [mean - spread, mean + spread]
    }
}

/// A smooth surface of either family, in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Surface {
    /// Ground z = f(x, y), its material below; turned over, a cap.
    Height(HeightSurface),
    /// A body.
    Body(BodySurface),
}

impl Surface {
    /// Projection of a nearby point onto the surface, with Gauss frame and curvature: above (x, y) on a
    /// height surface, [`BodySurface::onto`] on a body. The patch is only a cache.
    #[inline]
    pub fn point(&self, patch: &mut Option<Patch>, p: &Vec3) -> Result<SurfacePoint, Missing> {
        match self {
            Surface::Height(height) => Ok(height.jet_with(patch, p.x, p.y)?.point(p.x, p.y)),
            Surface::Body(body) => Ok(body.point(&body.onto(p))),
        }
    }
}
