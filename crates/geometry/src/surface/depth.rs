//! Depth of a point below a height surface, for bodies that press on smooth ground.

use super::{HeightJet, HeightSurface, Patch, SurfacePoint};
use crate::Missing;
use touchdown_math::Vec3;

/// Newton steps to the nearest place; near the surface two are sufficient.
const STEPS: usize = 12;
/// Step at which it has converged, m.
const ARRIVED: f64 = 1e-13;
/// The place of a height surface nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeightDepth {
    /// Distance, m: positive below the ground.
    pub s: f64,
    /// The nearest place with its frame and curvature.
    pub at: SurfacePoint,
}

impl HeightSurface {
    /// Depth of a point: distance to the nearest stationary place reached by descent from the one below it,
    /// with the sign of its side.
    /// `patch` is kept between calls as in [`HeightSurface::jet_with`].
    pub fn depth_with(&self, patch: &mut Option<Patch>, p: &Vec3) -> Result<HeightDepth, Missing> {
        let (mut x, mut y) = (p.x, p.y);
        let mut jet = self.jet_with(patch, x, y)?;
        for _ in 0..STEPS {
            let [dx, dy] = newton(&jet, p, x, y);
            // Off the map there is no nearer place.
            let Ok(next) = self.jet_with(patch, x + dx, y + dy) else { break };
            (x, y, jet) = (x + dx, y + dy, next);
            if dx.abs() + dy.abs() < ARRIVED {
                break;
            }
        }
        let at = jet.point(x, y);
        let away = p - at.p;
        let s = away.norm();
        Ok(HeightDepth { s: if away.dot(&at.normal()) > 0.0 { -s } else { s }, at })
    }
}

/// A step towards the place where the line to `p` is normal to the surface; along the gradient where the matrix is not positive (far below a
/// bowl's centre of curvature).
fn newton(jet: &HeightJet, p: &Vec3, x: f64, y: f64) -> [f64; 2] {
    let rise = jet.z - p.z;
    let [a, b] = jet.gradient;
    let [aa, ab, bb] = jet.hessian;
    let (u, v) = (x - p.x + rise * a, y - p.y + rise * b);
    let (h11, h12, h22) = (1.0 + a * a + rise * aa, a * b + rise * ab, 1.0 + b * b + rise * bb);
    let determinant = h11 * h22 - h12 * h12;
    if h11 > 0.0 && determinant > 0.0 {
        [-(h22 * u - h12 * v) / determinant, -(h11 * v - h12 * u) / determinant]
    } else {
        let scale = -0.5 / (1.0 + a * a + b * b);
        [scale * u, scale * v]
    }
}

#[cfg(test)]
mod tests {
    use super::super::HeightForm;
    use super::*;

    /// Below a plane the depth is the distance to the plane; below a bowl the line from the point to its place is normal to it.
    #[test]
    fn depth_is_distance() {
        let plane = HeightSurface::new(HeightForm::Plane { height: 0.3, gradient: [0.4, -0.2] });
        let n = Vec3::new(-0.4, 0.2, 1.0).normalize();
        for s in [-0.2, -1e-6, 1e-6, 0.1] {
            let p = Vec3::new(1.0, 2.0, 0.3 + 0.4 - 0.4) - s * n;
            let depth = plane.depth_with(&mut None, &p).unwrap();
            assert!((depth.s - s).abs() < 1e-14, "{} {s}", depth.s);
        }
        let bowl = HeightSurface::new(HeightForm::Paraboloid { height: 0.0, coefficients: [0.8, -0.5] });
        for (x, y, s) in [(0.3, 0.2, 0.05), (-0.5, 0.7, -0.1), (0.1, -0.9, 0.15)] {
            let at = bowl.jet(x, y).unwrap().point(x, y);
            let p = at.p - s * at.normal();
            let depth = bowl.depth_with(&mut None, &p).unwrap();
            assert!((depth.s - s).abs() < 1e-12 && (depth.at.p - at.p).norm() < 1e-11, "{depth:?}");
        }
    }

    /// No place of a rectangle is higher than its bound.
    #[test]
    fn bounds_hold() {
        let heights = (0..121).map(|k| (f64::from(k * k % 37) / 37.0).sin()).collect();
        let raster = crate::Raster::new([0.0, 0.0], 0.1, 11, 11, heights).unwrap();
        let map = HeightForm::Map { raster, smoothness: super::super::Smoothness::C2 };
        let bowl = HeightForm::Paraboloid { height: 0.1, coefficients: [0.8, -0.5] };
        let plane = HeightForm::Plane { height: 0.3, gradient: [0.4, -0.2] };
        for surface in [map, bowl, plane].map(HeightSurface::new) {
            for (x, y) in
                [([0.12, 0.31], [0.4, 0.77]), ([0.5, 0.52], [0.1, 0.9]), ([-0.3, 0.4], [-0.2, 0.35])]
            {
                let bound = surface.highest(x, y);
                for k in 0..400 {
                    let (s, t) = (f64::from(k % 20) / 19.0, f64::from(k / 20) / 19.0);
                    let at = surface.jet(x[0] + s * (x[1] - x[0]), y[0] + t * (y[1] - y[0]));
                    assert!(at.map_or(true, |jet| jet.z <= bound + 1e-12));
                }
            }
        }
    }
}
