//! Where a foot touches the plane under it: motion ⇒ lowest point, depth, velocity there. No forces.

use super::shape::FootShape;
use super::{GroundPlane, SurfaceMotion};
use touchdown_math::Vec3;

/// cos of the largest tilt against the ground at which flat soles and cylinders keep their law: 30°.
const UPRIGHT: f64 = 0.866;

/// The lowest point of a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sole {
    pub n: Vec3,
    /// From the origin of the foot to the point, m.
    pub arm: Vec3,
    /// The point, m.
    pub p_W: Vec3,
    /// Depth below ground, m; negative when apart.
    pub depth: f64,
    /// Velocity of the material there, m/s.
    pub v: Vec3,
    /// Its part along the ground, m/s.
    pub v_t: Vec3,
    /// The cylinder's axis, or zero.
    axis: Vec3,
    shape: FootShape,
    /// Whether the foot stands as its law assumes.
    pub upright: bool,
}

impl Sole {
    pub fn calc(shape: &FootShape, motion: &SurfaceMotion, ground: &GroundPlane) -> Sole {
        let n = ground.normal;
        let mut axis = Vec3::zeros();
        let (arm, cos) = match *shape {
            FootShape::Spherical { radius } => (-n * radius, 1.0),
            FootShape::Cylindrical { radius, .. } => {
                axis = motion.X_WS.R.column(1).into();
                let u = n - axis * n.dot(&axis);
                let cos = u.norm();
                // A cylinder on its end has no lowest line: the point below the centre replaces it, far out
                // of range.
                let down = if cos > 1e-3 { u / cos } else { n };
                (-down * radius, cos)
            }
            _ => (Vec3::zeros(), n.dot(&motion.X_WS.R.column(2))),
        };
        let p_W = motion.X_WS.p + arm;
        let v = motion.v_WS + motion.w_WS.cross(&arm);
        let v_t = v - n * n.dot(&v);
        let depth = n.dot(&(ground.point - p_W));
        Sole { n, arm, p_W, depth, v, v_t, axis, shape: *shape, upright: cos >= UPRIGHT }
    }

    /// How the arm moves when the foot turns by the small rotation.
    pub fn arm_change(&self, turn: &Vec3) -> Vec3 {
        let FootShape::Cylindrical { radius, .. } = self.shape else { return Vec3::zeros() };
        let s = self.n.dot(&self.axis);
        let square = 1.0 - s * s;
        if square < 1e-6 {
            return Vec3::zeros();
        }
        let da = turn.cross(&self.axis);
        let ds = self.n.dot(&da);
        let u = self.n - self.axis * s;
        let du = (-self.axis * ds - da * s) / square.sqrt() + u * (s * ds / (square * square.sqrt()));
        -du * radius
    }
}
