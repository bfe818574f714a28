//! Smooth surfaces of bodies, in the body's frame, centred at its origin. Points are given in space: no
//! poles, no seams.

use super::SurfacePoint;
use touchdown_math::{Elementary, Mat3, Vec3, rotation};

/// Radius of a sharp edge over that of its body: small enough to be a point, large enough to have a curvature.
pub const EDGE: f64 = 1e-6;

/// The form of a smooth body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodySurface {
    /// A sphere.
    Sphere {
        /// m.
        radius: f64,
    },
    /// An ellipsoid along the axes.
    Ellipsoid {
        /// Half the extents along x, y and z, m.
        semi_axes: [f64; 3],
    },
    /// A cylinder about z. Its round side is smooth; its ends and rims are found by [`BodySurface::nearest`].
    Cylinder {
        /// m.
        radius: f64,
        /// m.
        half_length: f64,
    },
    /// A torus about z.
    Torus {
        /// Of the circle in the middle of the tube, m.
        radius: f64,
        /// Of the tube, m; smaller.
        tube: f64,
    },
}

impl BodySurface {
    /// Projection of a nearby point onto the surface: the nearest point; on an ellipsoid, that along the ray
    /// from the centre. Smooth near the surface and the identity on it.
    #[inline]
    pub fn onto(&self, p: &Vec3) -> Vec3 {
        match self {
            BodySurface::Sphere { radius } => *p * (radius / p.norm()),
            BodySurface::Ellipsoid { semi_axes } => {
                let a = Vec3::from(*semi_axes);
                p / p.component_div(&a).norm()
            }
            BodySurface::Cylinder { radius, .. } => {
                let scale = radius / p.x.hypotenuse(p.y);
                Vec3::new(p.x * scale, p.y * scale, p.z)
            }
            BodySurface::Torus { radius, tube } => {
                let middle = circle(*radius, p);
                middle + (p - middle) * (tube / (p - middle).norm())
            }
        }
    }

    /// The point with its Gauss frame and curvature; `p` lies on the surface.
    #[inline]
    pub fn point(&self, p: &Vec3) -> SurfacePoint {
        match self {
            BodySurface::Sphere { radius } => SurfacePoint {
                p: *p,
                frame: frame(&(p / *radius)),
                curvature: [1.0 / radius, 0.0, 1.0 / radius],
            },
            BodySurface::Ellipsoid { semi_axes } => {
                // F = Σ (x/a)² − 1: normal ∇F/|∇F|, curvature = the tangential part of Hess F/|∇F|.
                let weight = Vec3::from(*semi_axes).map(|a| 1.0 / (a * a));
                let slope = weight.component_mul(p);
                let length = slope.norm();
                let frame = frame(&(slope / length));
                let (t1, t2): (Vec3, Vec3) = (frame.column(0).into(), frame.column(1).into());
                let (k1, k2) = (weight.component_mul(&t1), weight.component_mul(&t2));
                SurfacePoint {
                    p: *p,
                    frame,
                    curvature: [k1.dot(&t1) / length, k1.dot(&t2) / length, k2.dot(&t2) / length],
                }
            }
            BodySurface::Cylinder { radius, .. } => {
                let n = Vec3::new(p.x, p.y, 0.0) / *radius;
                // The first tangent goes around, the second along the axis.
                let frame = Mat3::from_columns(&[Vec3::new(-n.y, n.x, 0.0), Vec3::z(), n]);
                SurfacePoint { p: *p, frame, curvature: [1.0 / radius, 0.0, 0.0] }
            }
            BodySurface::Torus { radius, tube } => {
                let middle = circle(*radius, p);
                let n = (p - middle) / *tube;
                let out = p.x.hypotenuse(p.y);
                // The first tangent goes around the axis, the second around the tube.
                let t1 = Vec3::new(-p.y, p.x, 0.0) / out;
                let frame = Mat3::from_columns(&[t1, n.cross(&t1), n]);
                SurfacePoint { p: *p, frame, curvature: [(out - radius) / (tube * out), 0.0, 1.0 / tube] }
            }
        }
    }

    /// The point whose outward normal is the unit vector `n`: the farthest of the body along it. On forms with a whole line of such points, the
    /// one in the middle of the body.
    #[inline]
    pub fn facing(&self, n: &Vec3) -> Vec3 {
        match self {
            BodySurface::Sphere { radius } => n * *radius,
            BodySurface::Ellipsoid { semi_axes } => {
                let a = Vec3::from(*semi_axes);
                let scaled = a.component_mul(n);
                a.component_mul(&scaled) / scaled.norm()
            }
            BodySurface::Cylinder { radius, .. } => outward(n) * *radius,
            BodySurface::Torus { radius, tube } => outward(n) * *radius + n * *tube,
        }
    }

    /// Distance of a place from the surface, m, negative inside: exact except for the ellipsoid, where it is
    /// the distance along the ray from the centre, scaled by its smallest semi-axis (a lower bound outside).
    #[inline]
    pub fn distance(&self, p: &Vec3) -> f64 {
        match self {
            BodySurface::Sphere { radius } => p.norm() - radius,
            BodySurface::Ellipsoid { semi_axes: [a, b, c] } => {
                (Vec3::new(p.x / a, p.y / b, p.z / c).norm() - 1.0) * a.min(*b).min(*c)
            }
            BodySurface::Cylinder { radius, half_length } => {
                let beyond = (p.z.abs() - half_length).max(0.0);
                (p.x.hypotenuse(p.y) - radius).hypotenuse(beyond).copysign(p.x.hypotenuse(p.y) - radius)
            }
            BodySurface::Torus { radius, tube } => (p - circle(*radius, p)).norm() - tube,
        }
    }

    /// The place of the closed body nearest to a point, for the one form whose surface has edges: on the round side, on an end or on a rim of
    /// a cylinder. `None` for forms that are smooth everywhere; Newton's method finds it there.
    pub fn nearest(&self, p: &Vec3) -> Option<SurfacePoint> {
        let BodySurface::Cylinder { radius, half_length } = self else { return None };
        let (out, radial) = (p.x.hypotenuse(p.y), outward(p));
        let end = half_length.copysign(p.z);
        let (beside, beyond) = (out - radius, p.z.abs() - half_length);
        if beside > 0.0 && beyond > 0.0 {
            let foot = Vec3::new(radial.x * radius, radial.y * radius, end);
            let n = (p - foot).normalize();
            let t1 = Vec3::new(-radial.y, radial.x, 0.0);
            let frame = Mat3::from_columns(&[t1, n.cross(&t1), n]);
            let curvature = [n.dot(&radial) / radius, 0.0, 1.0 / (EDGE * radius)];
            return Some(SurfacePoint { p: foot, frame, curvature });
        }
        if beyond > beside {
            let n = Vec3::new(0.0, 0.0, 1f64.copysign(p.z));
            return Some(SurfacePoint { p: Vec3::new(p.x, p.y, end), frame: frame(&n), curvature: [0.0; 3] });
        }
        Some(self.point(&Vec3::new(radial.x * radius, radial.y * radius, p.z)))
    }

    /// Radius of the sphere about the origin that holds the body, m.
    pub fn reach(&self) -> f64 {
        match self {
            BodySurface::Sphere { radius } => *radius,
            BodySurface::Ellipsoid { semi_axes: [a, b, c] } => a.max(*b).max(*c),
            BodySurface::Cylinder { radius, half_length } => radius.hypotenuse(*half_length),
            BodySurface::Torus { radius, tube } => radius + tube,
        }
    }

    /// Whether the whole surface is convex without flat directions, so that [`BodySurface::facing`] is its inverse Gauss map.
    pub fn is_strictly_convex(&self) -> bool {
        matches!(self, BodySurface::Sphere { .. } | BodySurface::Ellipsoid { .. })
    }

    /// Whether a point of the unbounded form belongs to the body.
    #[inline]
    pub fn holds(&self, p: &Vec3) -> bool {
        match self {
            BodySurface::Cylinder { half_length, .. } => p.z.abs() <= *half_length,
            _ => true,
        }
    }
}

/// A right-handed frame whose third column is the unit vector `n`.
#[inline]
fn frame(n: &Vec3) -> Mat3 {
    let t1 = rotation::perpendicular(n);
    Mat3::from_columns(&[t1, n.cross(&t1), *n])
}

/// The unit vector away from the z axis; along x on it.
#[inline]
fn outward(p: &Vec3) -> Vec3 {
    let out = p.x.hypotenuse(p.y);
    if out > 0.0 { Vec3::new(p.x / out, p.y / out, 0.0) } else { Vec3::x() }
}

/// The point of a circle about z that is nearest to a place.
#[inline]
fn circle(radius: f64, p: &Vec3) -> Vec3 {
    outward(p) * radius
}
