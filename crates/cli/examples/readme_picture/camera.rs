//! Central projection: the world as one eye sees it.

use touchdown_math::Vec3;

/// An eye and the page in front of it.
pub struct Camera {
    pub eye: Vec3,
    right: Vec3,
    up: Vec3,
    ahead: Vec3,
    /// Distance of the page from the eye, pixels, and where the eye looks at on it.
    focus: f64,
    middle: (f64, f64),
}

impl Camera {
    /// Looks from `eye` to `at`, which comes to lie in the `middle` of the page.
    pub fn new(eye: Vec3, at: Vec3, focus: f64, middle: (f64, f64)) -> Camera {
        let ahead = (at - eye).normalize();
        let right = ahead.cross(&Vec3::z()).normalize();
        Camera { eye, right, up: right.cross(&ahead), ahead, focus, middle }
    }

    /// World ⇒ page, for points ahead of the eye.
    pub fn project(&self, p: &Vec3) -> (f64, f64) {
        let d = p - self.eye;
        let scale = self.focus / self.ahead.dot(&d);
        (self.middle.0 + scale * self.right.dot(&d), self.middle.1 - scale * self.up.dot(&d))
    }

    pub fn on_page(&self, corners: &[Vec3]) -> Vec<(f64, f64)> {
        corners.iter().map(|p| self.project(p)).collect()
    }

    /// Height on the page at which level ground ends.
    pub fn horizon(&self) -> f64 {
        self.middle.1 + self.focus * self.ahead.z / self.up.z
    }
}
