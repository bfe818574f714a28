//! Detection of passing through, from the forms alone: penetration deeper than contact can allow. It does not
//! use candidates, so that it also finds contacts missed by the search.

use super::sides::Second;
use super::{SurfaceMotion, SurfacePair};
use touchdown_geometry::surface::{BodySurface, HeightSurface, Surface};
use touchdown_math::{Elementary, Vec3};

/// Test points on the circle of a torus.
const AROUND: usize = 8;

/// Calls `visit` with points in the core of a body, at its greatest depth.
fn visit_core(body: &BodySurface, mut visit: impl FnMut(Vec3)) {
    match body {
        BodySurface::Sphere { .. } | BodySurface::Ellipsoid { .. } => visit(Vec3::zeros()),
        BodySurface::Cylinder { radius, half_length } => {
            let end = (half_length - radius).max(0.0);
            [-end, 0.0, end].into_iter().for_each(|z| visit(Vec3::new(0.0, 0.0, z)));
        }
        BodySurface::Torus { radius, .. } => {
            for k in 0..AROUND {
                let (s, c) = (std::f64::consts::TAU * k as f64 / AROUND as f64).sine_cosine();
                visit(Vec3::new(radius * c, radius * s, 0.0));
            }
        }
    }
}

/// How deep a point lies in a body, m; negative outside.
fn depth_in_body(body: &BodySurface, p: &Vec3) -> f64 {
    body.nearest(p).map_or_else(|| -body.distance(p), |at| at.normal().dot(&(at.p - p)))
}

/// How deep a point lies below ground, m, to first order; nothing where there is no ground.
fn depth_in_ground(ground: &HeightSurface, p: &Vec3) -> f64 {
    ground.jet(p.x, p.y).map_or(0.0, |jet| (jet.z - p.z) * jet.normal().z)
}

impl SurfacePair {
    /// Depth of the core of one side in the other, m; zero if outside. Contact of forms that overlap by less
    /// than their radius never reaches it: one has passed through the other, or is about to.
    pub fn passed(&self, sides: &[SurfaceMotion; 2]) -> f64 {
        let X_12 = sides[0].X_WS.inverse().compose(&sides[1].X_WS);
        let X_21 = X_12.inverse();
        let mut deepest = 0f64;
        let mut in_one = |p: Vec3| {
            let p = X_12.point(&p);
            deepest = deepest.max(match &self.one {
                Surface::Height(ground) => depth_in_ground(ground, &p),
                Surface::Body(body) => depth_in_body(body, &p),
            });
        };
        match &self.two {
            Second::Surface(Surface::Body(body)) => visit_core(body, &mut in_one),
            Second::Corners(corners) => in_one(corners.middle()),
            Second::Surface(Surface::Height(_)) => {}
        }
        if let (Surface::Body(one), Second::Surface(Surface::Body(two))) = (&self.one, &self.two) {
            visit_core(one, |p| deepest = deepest.max(depth_in_body(two, &X_21.point(&p))));
        }
        deepest
    }
}
