//! Alignment of a machine with the ground where it is placed: its frame follows the plane through the ground
//! below its wheels.

use super::Builder;
use crate::table::PlaceKeys;
use touchdown_math::{Mat3, Vec3, rotation};
use touchdown_sim::description::Ground;

/// Iterations: the wheels of a tilted machine stand above other ground than those of a level one. Each pass
/// reduces the error by the product of slope and its change.
const PASSES: usize = 4;
/// Slope of the fitted plane below which the ground counts as level: the round-off of the heights.
const LEVEL: f64 = 1e-12;
/// Smallest spread of the wheels' positions across their longest line, relative to the spread along it. Below
/// it they lie on one line, which does not define a plane.
const LEAST_SPREAD: f64 = 1e-3;

impl Builder<'_> {
    /// Rotates a machine that is placed only by its clearance onto the ground: the shortest rotation from the
    /// vertical to the normal of the plane through the ground below its wheels. A nonzero roll or pitch,
    /// level ground, or fewer than three wheels leave it unchanged.
    pub(super) fn lean_on_ground(&mut self, scope: usize, keys: &PlaceKeys, ground: &Ground) {
        if keys.turn.roll != 0.0 || keys.turn.pitch != 0.0 {
            return;
        }
        let level: Mat3 = self.scopes[scope].X_WM.R;
        for _ in 0..PASSES {
            let below = |p: Vec3| Some(Vec3::new(p.x, p.y, height(ground, &p)?));
            let Some(points) = self.wheel_centres(scope).into_iter().map(below).collect::<Option<Vec<_>>>()
            else {
                return; // Off the map: reported where the clearance is measured.
            };
            let Some([along_x, along_y]) = plane_through(&points) else { return };
            if along_x.abs().max(along_y.abs()) < LEVEL {
                return;
            }
            let normal = Vec3::new(-along_x, -along_y, 1.0).normalize();
            self.scopes[scope].X_WM.R = rotation::onto(&Vec3::z(), &normal) * level;
            self.place_tree_quietly();
        }
    }

    /// Centres of all wheels and tyres of a machine in its initial position.
    fn wheel_centres(&self, scope: usize) -> Vec<Vec3> {
        let poses = self.initial_poses();
        let tyres = self.tyres.iter().filter(|t| self.scope_of_body[t.body] == scope);
        let flexible = self
            .flexible_wheels(scope)
            .map(|(body, wheel, X_BM)| poses[body].compose(X_BM).point(&wheel.centre));
        let in_soil = self.soil_bodies.iter().filter(|b| self.scope_of_body[b.body] == scope);
        let in_soil = in_soil.map(|b| poses[b.body].compose(&b.X_BS).p);
        tyres.map(|t| poses[t.body].point(&t.centre)).chain(flexible).chain(in_soil).collect()
    }
}

/// Height of the ground at a position; `None` off the map.
fn height(ground: &Ground, p: &Vec3) -> Option<f64> {
    match ground {
        Ground::Plane { point, normal } => {
            Some(point.z - (normal.x * (p.x - point.x) + normal.y * (p.y - point.y)) / normal.z)
        }
        Ground::Surface(surface) => surface.jet(p.x, p.y).ok().map(|jet| jet.z),
        Ground::Soil(soil) => soil.relief.height(p.x, p.y),
    }
}

/// Slopes along x and y of the least-squares plane through points; `None` if they lie on one line in the plan
/// view.
fn plane_through(points: &[Vec3]) -> Option<[f64; 2]> {
    let n = points.len() as f64;
    let mean = points.iter().sum::<Vec3>() / n;
    let sum = |f: fn(Vec3) -> f64| points.iter().map(|p| f(p - mean)).sum::<f64>();
    let (xx, xy, yy) = (sum(|d| d.x * d.x), sum(|d| d.x * d.y), sum(|d| d.y * d.y));
    let (xz, yz) = (sum(|d| d.x * d.z), sum(|d| d.y * d.z));
    let determinant = xx * yy - xy * xy;
    let spread = LEAST_SPREAD * (xx + yy);
    (determinant > spread * spread)
        .then(|| [(yy * xz - xy * yz) / determinant, (xx * yz - xy * xz) / determinant])
}

#[cfg(test)]
mod tests {
    use super::plane_through;
    use touchdown_math::Vec3;

    #[test]
    fn a_plane_through_points_of_a_plane_is_that_plane() {
        let on = |x: f64, y: f64| Vec3::new(x, y, 0.7 + 0.2 * x - 0.1 * y);
        let points =
            [on(1.0, 0.5), on(1.0, -0.5), on(0.1, 0.6), on(0.1, -0.6), on(-1.0, 0.5), on(-1.0, -0.5)];
        let [along_x, along_y] = plane_through(&points).expect("not on one line");
        assert!((along_x - 0.2).abs() < 1e-14 && (along_y + 0.1).abs() < 1e-14, "{along_x} {along_y}");
    }

    #[test]
    fn points_on_one_line_have_no_plane() {
        // Two wheels on an axle, and a row of wheels.
        let row = |x: f64| Vec3::new(x, 2.0 * x, x * x);
        assert!(plane_through(&[row(0.0), row(1.0)]).is_none());
        assert!(plane_through(&[row(0.0), row(0.5), row(1.0)]).is_none());
        assert!(plane_through(&[]).is_none());
    }
}
