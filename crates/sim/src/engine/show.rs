//! Static content of a picture of a world: the contact geometry (not the visuals) and the ground around the
//! start.

use crate::description::{Ground, Visual};
use crate::engine::simulation::Simulation;
use crate::interactions;
pub use crate::interactions::smooth::form_shape;
use touchdown_geometry::surface::{HeightForm, HeightSurface};
use touchdown_math::Vec3;
use touchdown_multibody::rigid::{Cache, kinematics};

/// Largest number of nodes of a relief's sample along each side.
const MOST_SAMPLES: f64 = 128.0;
/// Ground shown beyond the bodies at the start, m: always, for each second of the run (most rovers are slower than that), and at most.
const MARGIN: f64 = 3.0;
const MARGIN_PER_SECOND: f64 = 0.05;
const MARGIN_MAX: f64 = 12.0;
/// Finest sample of a rigid surface, m; its nodes along each side and its margin, at most: it does not change
/// and is sent only once.
const SURFACE_SPACING: f64 = 0.01;
const SURFACE_SAMPLES: f64 = 256.0;
const SURFACE_MARGIN_MAX: f64 = 40.0;

/// A contact of the frames: its name and the body that it pushes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactName {
    /// Its name.
    pub name: String,
    /// Index in the mechanism's bodies; `None` if unknown.
    pub body: Option<usize>,
    /// Whether the body touches soil.
    pub soil: bool,
}

/// The ground as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum GroundView {
    /// A rigid plane.
    Plane {
        /// A point of it, m.
        point: Vec3,
        /// Its unit normal, out of the ground.
        normal: Vec3,
    },
    /// A rigid surface.
    Relief {
        /// Its heights around the start.
        relief: ReliefSample,
    },
    /// Soil that deforms.
    Soil {
        /// Distance of its nodes, m.
        spacing: f64,
        /// Its undisturbed surface around the start.
        relief: ReliefSample,
    },
}

/// A coarse sample of the undisturbed ground. Its nodes are nodes of the soil, a power of two of them apart, and lie at whole multiples of
/// that, so that its cells and the patches of soil cover each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReliefSample {
    /// First node, m.
    pub x0: f64,
    /// First node, m.
    pub y0: f64,
    /// Distance of the nodes, m.
    pub spacing: f64,
    /// Nodes along x.
    pub nx: usize,
    /// Nodes along y.
    pub ny: usize,
    /// nx·ny heights, m, x fastest; not a number where there is no ground.
    pub heights: Vec<f32>,
}

impl Simulation {
    /// The contacts, in the order of a frame's.
    pub fn contact_names(&self) -> Vec<ContactName> {
        interactions::contact_names(&self.description)
    }

    /// The geometry of every contact, named after it; deformable forms come first.
    pub fn contact_forms(&self) -> Vec<Visual> {
        self.drawings.iter().map(|drawing| drawing.visual.clone()).collect()
    }

    /// Those of [`Simulation::contact_forms`] that change, in the order of a frame's deformations.
    pub fn deforming_forms(&self) -> Vec<usize> {
        (0..self.drawings.iter().filter(|drawing| drawing.displace.is_some()).count()).collect()
    }

    /// The ground around the bodies at the start.
    pub fn ground_view(&self) -> Option<GroundView> {
        Some(match self.description.ground.as_ref()? {
            Ground::Plane { point, normal } => GroundView::Plane { point: *point, normal: *normal },
            Ground::Surface(surface) => {
                let height = |x, y| surface.jet(x, y).ok().map(|jet| jet.z);
                let around = on_map(surface, self.surroundings(SURFACE_MARGIN_MAX));
                GroundView::Relief { relief: sample(height, SURFACE_SPACING, SURFACE_SAMPLES, around) }
            }
            Ground::Soil(ground) => {
                let height = |x, y| ground.relief.height(x, y);
                let relief = sample(height, ground.spacing, MOST_SAMPLES, self.surroundings(MARGIN_MAX));
                GroundView::Soil { spacing: ground.spacing, relief }
            }
        })
    }

    /// A box [x_min, x_max, y_min, y_max] around the bodies as given, with a margin, m. Does not change while the world runs.
    fn surroundings(&self, margin_max: f64) -> [f64; 4] {
        let model = &self.system.model;
        let mut cache = Cache::new(model);
        kinematics::update_positions(model, &model.q_initial, &mut cache);
        let mut around = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
        for body in 0..model.bodies.len() {
            let p = kinematics::body_pose(model, &cache, body).p;
            around = [around[0].min(p.x), around[1].max(p.x), around[2].min(p.y), around[3].max(p.y)];
        }
        if !around.iter().all(|x| x.is_finite()) {
            around = [0.0; 4];
        }
        let margin = (MARGIN + MARGIN_PER_SECOND * self.description.duration).min(margin_max);
        [around[0] - margin, around[1] + margin, around[2] - margin, around[3] + margin]
    }
}

/// The part of a box that lies on the map, if there is one.
fn on_map(surface: &HeightSurface, around: [f64; 4]) -> [f64; 4] {
    let HeightForm::Map { raster, .. } = surface.form() else { return around };
    let ([x, y], spacing) = (raster.origin(), raster.spacing());
    let (east, north) =
        (x + spacing * (raster.columns() - 1) as f64, y + spacing * (raster.rows() - 1) as f64);
    let part = [around[0].max(x), around[1].min(east), around[2].max(y), around[3].min(north)];
    if part[0] < part[1] && part[2] < part[3] { part } else { around }
}

/// Samples heights over a box, at nodes a power of two of `finest` (m) apart, which are also nodes of the
/// soil.
fn sample(
    height: impl Fn(f64, f64) -> Option<f64>,
    finest: f64,
    most: f64,
    [x_min, x_max, y_min, y_max]: [f64; 4],
) -> ReliefSample {
    let size = (x_max - x_min).max(y_max - y_min);
    let mut spacing = finest;
    // One interval more than nodes fit between: the ends are moved outwards to whole multiples.
    while size / spacing > most - 3.0 {
        spacing *= 2.0;
    }
    let range = |from: f64, to: f64| {
        let first = (from / spacing).floor();
        (first * spacing, ((to / spacing).ceil() - first) as usize + 1)
    };
    let ((x0, nx), (y0, ny)) = (range(x_min, x_max), range(y_min, y_max));
    let place = |n: usize| (x0 + (n % nx) as f64 * spacing, y0 + (n / nx) as f64 * spacing);
    let height = |(x, y)| height(x, y).map_or(f32::NAN, |h| h as f32);
    ReliefSample { x0, y0, spacing, nx, ny, heights: (0..nx * ny).map(|n| height(place(n))).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchdown_geometry::Relief;

    #[test]
    fn a_sample_lies_on_the_soils_nodes_and_covers_the_box() {
        // Spacing a power of two of the soil's, first node a whole multiple of it, at most 128 nodes, holes not a number.
        let relief = Relief::Plane { height: 1.0, gradient: [0.5, -0.25] };
        for size in [0.3, 2.0, 25.0] {
            let [x0, x1, y0, y1] = [-0.7 * size, 0.3 * size, 0.1, 0.1 + 0.5 * size];
            let s = sample(|x, y| relief.height(x, y), 0.01, MOST_SAMPLES, [x0, x1, y0, y1]);
            let doublings = (s.spacing / 0.01).log2();
            assert!((doublings - doublings.round()).abs() < 1e-12 && s.nx <= 128 && s.ny <= 128);
            let multiple = s.x0 / s.spacing;
            assert!((multiple - multiple.round()).abs() < 1e-9);
            let end = |from: f64, n: usize| from + (n - 1) as f64 * s.spacing;
            // Except for the round-off of positions.
            let (x_end, y_end) = (end(s.x0, s.nx) + 1e-12, end(s.y0, s.ny) + 1e-12);
            assert!(s.x0 <= x0 + 1e-12 && x_end >= x1 && s.y0 <= y0 + 1e-12 && y_end >= y1);
            assert_eq!(s.heights.len(), s.nx * s.ny);
            let last = 1.0 + 0.5 * end(s.x0, s.nx) - 0.25 * end(s.y0, s.ny);
            assert!((f64::from(s.heights[s.nx * s.ny - 1]) - last).abs() < 1e-6);
        }
    }
}
