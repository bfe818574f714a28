//! Ground: rigid ground and soil.

use touchdown_contact::soil::{Region, Soil, SoilOptions, SoilParameters};
use touchdown_geometry::Relief;
use touchdown_geometry::surface::HeightSurface;
use touchdown_math::Vec3;

/// The ground.
#[derive(Clone, Debug, PartialEq)]
pub enum Ground {
    /// A rigid plane.
    Plane {
        /// A point of it, m.
        point: Vec3,
        /// Its unit normal, out of the ground.
        normal: Vec3,
    },
    /// A rigid smooth surface.
    Surface(Box<HeightSurface>),
    /// Soil that deforms.
    Soil(Box<SoilGround>),
}

impl Ground {
    /// Height and unit normal, out of the ground, at a place; nothing where there is no ground.
    pub fn height(&self, x: f64, y: f64) -> Option<(f64, Vec3)> {
        match self {
            Ground::Plane { point, normal } => {
                let down = normal.x * (x - point.x) + normal.y * (y - point.y);
                Some((point.z - down / normal.z, *normal))
            }
            Ground::Surface(surface) => surface.jet(x, y).ok().map(|jet| (jet.z, jet.normal())),
            Ground::Soil(soil) => soil.relief.height(x, y).zip(soil.relief.normal(x, y)),
        }
    }

    /// Whether its friction acts only during sliding: the search for rest then needs moored machines.
    pub(crate) fn holds_by_sliding(&self) -> bool {
        matches!(self, Ground::Soil(_))
    }
}

/// Soil on a relief.
#[derive(Clone, Debug, PartialEq)]
pub struct SoilGround {
    /// Undisturbed surface.
    pub relief: Relief,
    /// Distance of the grid's nodes, m. Node (i, j) lies at (i·spacing, j·spacing).
    pub spacing: f64,
    /// The soils. The first one is used outside of all regions.
    pub soils: Vec<SoilParameters>,
    /// Regions of other soils; later ones take precedence.
    pub regions: Vec<SoilRegion>,
    /// Soil added at the start.
    pub heaps: Vec<Heap>,
    /// Model options.
    pub options: SoilOptions,
}

impl SoilGround {
    /// The undisturbed soil.
    pub fn lay(&self) -> Soil {
        let region = |r: &SoilRegion| Region { from: r.from, to: r.to, soil: r.soil };
        let regions = self.regions.iter().map(region).collect();
        let mut soil =
            Soil::new(self.relief.clone(), self.spacing, self.soils.clone(), regions, self.options);
        for heap in &self.heaps {
            soil.add_heap(heap.centre, heap.radius, heap.height);
        }
        soil
    }
}

/// A rectangle of another soil.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoilRegion {
    /// Smallest x and y, m.
    pub from: [f64; 2],
    /// Largest x and y, m.
    pub to: [f64; 2],
    /// Index in [`SoilGround::soils`].
    pub soil: usize,
}

/// A cylinder of soil put on the ground at the start, to slide to its natural slope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heap {
    /// Centre, m.
    pub centre: [f64; 2],
    /// Radius, m.
    pub radius: f64,
    /// Height, m.
    pub height: f64,
}
