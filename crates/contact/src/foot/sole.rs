//! A flat sole as an area: parts, each with its position and its share of the loads of the whole sole, so
//! that the pressure may differ between parts.
//!
//! Force, area and stiffness of a part are its share of those of a sole pressed in to the depth of the part. Places and shares integrate over the sole: the sum of shares is
//! one, the second moments are those of the area (width²/12, radius²/4), so that a law that is linear in depth resists tilt exactly; the mean distance from the
//! middle, which gives the torque of friction about the normal, is exact on a disc (2/3 of the radius) and 2 % low on a square. The outermost parts lie on the
//! edge: a sole tips about its edge.

use super::shape::FootShape;
use std::f64::consts::TAU;
use touchdown_math::{Elementary, Vec3};

/// Points along a side of a rectangle and their weights: Simpson's rule of three eighths.
const ALONG: [(f64, f64); 4] = [(-0.5, 0.125), (-1.0 / 6.0, 0.375), (1.0 / 6.0, 0.375), (0.5, 0.125)];
/// Rings of a disc: radius over its own, points, share.
const RINGS: [(f64, usize, f64); 2] = [(0.5, 3, 2.0 / 3.0), (1.0, 6, 1.0 / 3.0)];

/// A part of a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolePart {
    /// Where it is, in the foot's frame, m.
    pub place: Vec3,
    /// Its share of the foot.
    pub share: f64,
}

impl FootShape {
    /// The parts of a flat sole; a round foot is one.
    pub fn parts(&self) -> Vec<SolePart> {
        match *self {
            FootShape::FlatRectangular { width, length } => {
                let part = |(x, a): (f64, f64), (y, b): (f64, f64)| SolePart {
                    place: Vec3::new(x * length, y * width, 0.0),
                    share: a * b,
                };
                ALONG.iter().flat_map(|x| ALONG.iter().map(move |y| part(*x, *y))).collect()
            }
            FootShape::FlatCircular { radius } => {
                let ring = |(out, points, share): (f64, usize, f64)| {
                    (0..points).map(move |k| {
                        let (s, c) = (TAU * k as f64 / points as f64).sine_cosine();
                        let place = Vec3::new(c, s, 0.0) * (out * radius);
                        SolePart { place, share: share / points as f64 }
                    })
                };
                RINGS.into_iter().flat_map(ring).collect()
            }
            FootShape::Cylindrical { .. } | FootShape::Spherical { .. } => {
                vec![SolePart { place: Vec3::zeros(), share: 1.0 }]
            }
        }
    }
}
