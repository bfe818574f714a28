//! Sun and haze: what colour a surface has on the page.

use super::faces::Face;
use touchdown_math::Vec3;

/// Direction to the sun, low, so that ruts show; not normalised.
pub const SUN: Vec3 = Vec3::new(-0.55, 0.50, 0.60);
/// Light from the sky, and from the sun on a surface that faces it.
const SKY: Colour = [0.62, 0.57, 0.54];
const DIRECT: Colour = [0.60, 0.57, 0.52];
/// Where the ground meets the sky.
pub const HAZE: Colour = [0.955, 0.865, 0.760];
/// Part of the page below the horizon, pixels, over which haze thins out by a factor e.
const HAZE_DEPTH: f64 = 75.0;

/// Red, green, blue; 0 to 1.
pub type Colour = [f64; 3];

/// Colour of a surface in the light; `sun` and `sky` are the visible parts of them, 0 to 1.
pub fn lit(colour: Colour, normal: &Vec3, sun: f64, sky: f64) -> Colour {
    let direct = sun * normal.dot(&SUN.normalize()).max(0.0);
    [0, 1, 2].map(|k| colour[k] * (SKY[k] * sky + DIRECT[k] * direct))
}

/// A colour seen through the haze at a height of the page, `below` pixels under the horizon.
pub fn hazy(colour: Colour, below: f64) -> Colour {
    let haze = 0.9 * (-below.max(0.0) / HAZE_DEPTH).exp();
    [0, 1, 2].map(|k| colour[k] + haze * (HAZE[k] - colour[k]))
}

pub fn hex(colour: Colour) -> String {
    let [r, g, b] = colour.map(|c| (255.0 * c.clamp(0.0, 1.0)).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// A surface does not shade what lies closer than this, in lengths of `SUN`: itself.
const CLEAR: f64 = 1e-3;

/// What stands in the sun.
pub struct Shadows {
    lit: Vec<Face>,
}

impl Shadows {
    pub fn of(faces: &[Face]) -> Shadows {
        Shadows { lit: faces.iter().filter(|f| f.normal.dot(&SUN) > 0.0).cloned().collect() }
    }

    /// Whether something stands between a point and the sun.
    pub fn cover(&self, p: &Vec3) -> bool {
        self.lit.iter().any(|face| {
            let along = face.normal.dot(&(face.corners[0] - p)) / face.normal.dot(&SUN);
            along > CLEAR && face.contains(&(p + SUN * along))
        })
    }

    /// The outlines of what is dark on level ground of a height.
    pub fn on_level(&self, z: f64) -> impl Iterator<Item = Vec<Vec3>> + '_ {
        let fall = move |p: &Vec3| p - SUN * ((p.z - z) / SUN.z);
        let above = self.lit.iter().filter(move |f| f.corners.iter().all(|p| p.z > z));
        above.map(move |f| f.corners.iter().map(fall).collect())
    }
}
