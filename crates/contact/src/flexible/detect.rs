//! Detection: a position ⇒ its distance from the ground with derivatives. No forces.

use touchdown_geometry::surface::HeightJet;
use touchdown_math::{Mat3, Vec3};

/// Distance φ of a position from the ground, negative inside, with its derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// φ, m.
    pub value: f64,
    /// ∇φ: nearly the unit normal out of the ground.
    pub gradient: Vec3,
    /// Derivative of the gradient with respect to position, 1/m; to first order in φ.
    pub bend: Mat3,
}

impl Gap {
    /// Above a plane through `point` with the unit normal `normal`.
    #[inline]
    pub fn over_plane(p_W: &Vec3, point: &Vec3, normal: &Vec3) -> Gap {
        Gap { value: normal.dot(&(p_W - point)), gradient: *normal, bend: Mat3::zeros() }
    }

    /// Above ground z = f(x, y) whose derivatives below the position are known.
    #[inline]
    pub fn over_surface(p_W: &Vec3, jet: &HeightJet) -> Gap {
        let [fx, fy] = jet.gradient;
        let [fxx, fxy, fyy] = jet.hessian;
        let c = 1.0 / (1.0 + fx * fx + fy * fy).sqrt();
        let height = p_W.z - jet.z;
        // ∂c/∂x = −c³ (f_x f_xx + f_y f_xy)
        let cube = c * c * c;
        let (cx, cy) = (-cube * (fx * fxx + fy * fxy), -cube * (fx * fxy + fy * fyy));
        let gradient = Vec3::new(-fx * c + height * cx, -fy * c + height * cy, c);
        // At height 0: −c f_ij − f_i c_j − f_j c_i, and c_i in the row of z.
        let bend = Mat3::new(
            -c * fxx - 2.0 * fx * cx,
            -c * fxy - fx * cy - fy * cx,
            cx,
            -c * fxy - fx * cy - fy * cx,
            -c * fyy - 2.0 * fy * cy,
            cy,
            cx,
            cy,
            0.0,
        );
        Gap { value: height * c, gradient, bend }
    }
}
