//! The path over the ground: position and lean of the body, and footholds.

use touchdown_math::{Elementary, Mat3, Pose, Vec3, rotation};
use touchdown_sim::description::Ground;

/// Samples of the ground under a foot along a stride: the body does not follow every stone.
const LOOKS: i32 = 4;
/// Samples of the ground along a swing.
const SWING_LOOKS: i32 = 8;

/// There is no ground at this place, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffGround(pub [f64; 2]);

/// A foothold: where the foot's frame stands, and the ground's normal there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Foothold {
    pub p: Vec3,
    pub normal: Vec3,
}

pub(super) struct Course<'a> {
    pub ground: &'a Ground,
    /// Body's place in plan at the start, and its heading, rad.
    pub start: [f64; 2],
    pub heading: f64,
    /// Where soles stand in the body's frame, m: the same height for all.
    pub soles: Vec<Vec3>,
    pub stride: f64,
}

impl Course<'_> {
    fn height(&self, x: f64, y: f64) -> Result<(f64, Vec3), OffGround> {
        self.ground.height(x, y).ok_or(OffGround([x, y]))
    }

    /// Pose of the body after a travelled distance: over the plane through the ground under its soles, smoothed over a stride.
    pub fn body(&self, distance: f64) -> Result<Pose, OffGround> {
        let (s, c) = self.heading.sine_cosine();
        let origin = [self.start[0] + distance * c, self.start[1] + distance * s];
        let level = rotation::about_axis(&Vec3::z(), self.heading);
        // Least squares of z = a + b x + c y, in the level frame that goes with the body.
        let (mut normal, mut right) = (Mat3::zeros(), Vec3::zeros());
        for sole in &self.soles {
            for k in -LOOKS..=LOOKS {
                let x = sole.x + 0.5 * self.stride * f64::from(k) / f64::from(LOOKS);
                let at = level * Vec3::new(x, sole.y, 0.0);
                let (z, _) = self.height(origin[0] + at.x, origin[1] + at.y)?;
                let row = Vec3::new(1.0, x, sole.y);
                normal += row * row.transpose();
                right += row * z;
            }
        }
        let [a, b, c]: [f64; 3] =
            normal.cholesky().map_or([right.x / normal[(0, 0)], 0.0, 0.0], |m| m.solve(&right).into());
        let up = Vec3::new(-b, -c, 1.0).normalize();
        let ahead = Vec3::new(1.0, 0.0, b).normalize();
        let R = level * Mat3::from_columns(&[ahead, up.cross(&ahead), up]);
        let below = self.soles.first().map_or(0.0, |sole| sole.z);
        Ok(Pose { R, p: Vec3::new(origin[0], origin[1], a) - R * Vec3::z() * below })
    }

    /// Foothold of a sole after a travelled distance of the body, of a foot whose frame is `above` the ground.
    pub fn foothold(&self, sole: usize, distance: f64, above: f64) -> Result<Foothold, OffGround> {
        let p = self.body(distance)?.point(&self.soles[sole]);
        let (z, normal) = self.height(p.x, p.y)?;
        Ok(Foothold { p: Vec3::new(p.x, p.y, z) + normal * above, normal })
    }

    /// Largest rise of the ground over the line between two footholds, m.
    pub fn hump(&self, from: &Foothold, to: &Foothold, above: f64) -> Result<f64, OffGround> {
        let mut most = 0.0_f64;
        for k in 1..SWING_LOOKS {
            let p = from.p.lerp(&to.p, f64::from(k) / f64::from(SWING_LOOKS));
            most = most.max(self.height(p.x, p.y)?.0 + above - p.z);
        }
        Ok(most)
    }
}
