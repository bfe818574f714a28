//! Relief: the height of undisturbed ground over the plane, as a function. Deformation of the ground is
//! stored elsewhere as displacement from it.
//!
//! Three kinds: a plane and procedural ground extend without end; a map ([`Raster`]) has edges and may have holes, where there is no height.

use crate::{Procedural, Raster};
use touchdown_math::Vec3;

/// Undisturbed ground.
#[derive(Clone, Debug, PartialEq)]
pub enum Relief {
    /// A plane through a point: height at the origin and slope towards x and y.
    Plane {
        /// Height at the origin, m.
        height: f64,
        /// dz/dx and dz/dy.
        gradient: [f64; 2],
    },
    /// Hills and hollows from a seed.
    Procedural(Procedural),
    /// A map.
    Raster(Raster),
}

/// Reasons for a missing height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// It lies beyond the edge of the map.
    OffMap,
    /// The map has no data there.
    Hole,
}

/// Errors of a relief.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ReliefError {
    /// A number is outside its range.
    #[error("{what} of the ground is {found}, allowed: {allowed}")]
    Range {
        /// Its name.
        what: &'static str,
        /// The value.
        found: f64,
        /// Its range in words.
        allowed: &'static str,
    },
    /// A map without a single cell.
    #[error("the map has {columns} columns and {rows} rows of heights, allowed: at least 2 of each")]
    TooSmall {
        /// Nodes along x.
        columns: usize,
        /// Nodes along y.
        rows: usize,
    },
    /// Another number of heights than nodes.
    #[error("the map has {found} heights, allowed: {columns} columns times {rows} rows")]
    Count {
        /// Number of heights.
        found: usize,
        /// Nodes along x.
        columns: usize,
        /// Nodes along y.
        rows: usize,
    },
    /// An infinite height.
    #[error(
        "the height at column {column}, row {row} of the map is {found}, allowed: finite, or not a number where there is no data"
    )]
    Height {
        /// Node along x, from 0 in the west.
        column: usize,
        /// Node along y, from 0 in the south.
        row: usize,
        /// The value.
        found: f64,
    },
}

impl Relief {
    /// Height at a place, m; `None` beyond the edge of a map or in one of its holes.
    pub fn height(&self, x: f64, y: f64) -> Option<f64> {
        match self {
            Relief::Plane { height, gradient } => Some(height + gradient[0] * x + gradient[1] * y),
            Relief::Procedural(noise) => Some(noise.sample(x, y).0),
            Relief::Raster(map) => map.sample(x, y).ok().map(|(height, _)| height),
        }
    }

    /// dz/dx and dz/dy at a place; `None` where there is no height. On the lines between the nodes of a map, where slopes jump: that to the
    /// north-east.
    pub fn gradient(&self, x: f64, y: f64) -> Option<[f64; 2]> {
        match self {
            Relief::Plane { gradient, .. } => Some(*gradient),
            Relief::Procedural(noise) => Some(noise.sample(x, y).1),
            Relief::Raster(map) => map.sample(x, y).ok().map(|(_, gradient)| gradient),
        }
    }

    /// Unit normal at a place, out of the ground.
    pub fn normal(&self, x: f64, y: f64) -> Option<Vec3> {
        self.gradient(x, y).map(|[along_x, along_y]| Vec3::new(-along_x, -along_y, 1.0).normalize())
    }

    /// Unit normal of the ground below a point, and the point's height along it over the tangent plane there, m.
    pub fn over(&self, p: &Vec3) -> Option<(Vec3, f64)> {
        let (height, normal) = (self.height(p.x, p.y)?, self.normal(p.x, p.y)?);
        Some((normal, normal.z * (p.z - height)))
    }

    /// An upper bound of the height in the rectangle x₀ ≤ x ≤ x₁, y₀ ≤ y ≤ y₁, m: exact on a plane, the
    /// highest node around it on a map, less tight for procedural ground. Negative infinity where a map has
    /// no height.
    pub fn highest(&self, x0: f64, x1: f64, y0: f64, y1: f64) -> f64 {
        match self {
            Relief::Plane { height, gradient } => {
                height + rise(gradient[0], x0, x1) + rise(gradient[1], y0, y1)
            }
            Relief::Procedural(noise) => noise.highest([x0, x1], [y0, y1]),
            Relief::Raster(map) => map.highest([x0, x1], [y0, y1]),
        }
    }

    /// The reason for a missing height at a place; `None` if there is one.
    pub fn why_missing(&self, x: f64, y: f64) -> Option<Missing> {
        match self {
            Relief::Plane { .. } | Relief::Procedural(_) => None,
            Relief::Raster(map) => map.sample(x, y).err(),
        }
    }
}

/// Largest rise of a slope between two ends; zero for level ground at any distance.
fn rise(slope: f64, from: f64, to: f64) -> f64 {
    if slope == 0.0 { 0.0 } else { (slope * from).max(slope * to) }
}

#[cfg(test)]
#[path = "relief_tests.rs"]
mod tests;
