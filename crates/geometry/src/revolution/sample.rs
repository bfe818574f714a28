//! From a section to triangles: rings about the axis, dense where the section bends, every other one rotated
//! by half a step, so that all triangles are isosceles.

use super::section::{Section, Side};
use crate::TriangleMesh;
use std::f64::consts::TAU;
use touchdown_math::Elementary;
use touchdown_math::Vec3;

/// Resolution of a section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    /// Corners around the axis, at least 3.
    pub segments: u32,
    /// Largest distance between an arc of the section and its chord, m.
    pub sagitta: f64,
    /// Largest distance of rings along the section, m.
    pub spacing: f64,
}

/// A ring of corners: its segment of the section and its place there as a share 0..1 of the length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ring {
    /// Index of the segment.
    pub segment: usize,
    /// Share of its length.
    pub share: f64,
}

/// Triangles of a body of revolution.
#[derive(Clone, Debug, PartialEq)]
pub struct RevolvedMesh {
    /// Triangles, counter-clockwise seen from outside the material; their corners lie on the true surface.
    pub mesh: TriangleMesh,
    /// For each triangle the area of the true surface that it represents, m²: they sum to that of the section
    /// between its first and last ring.
    pub areas: Vec<f64>,
    /// Number of triangles between each pair of neighbouring rings, in their order.
    pub strips: Vec<u32>,
}

impl Section {
    /// The resolution that is equal in both directions: `segments` corners around, rings along the section no
    /// farther apart than corners of the widest ring, and arcs of the section as close to their chords as
    /// that ring is.
    pub fn resolution(&self, segments: u32) -> Resolution {
        let widest =
            self.segments.iter().flat_map(|s| [s.start[1], s.point(0.5)[1], s.end[1]]).fold(0.0, f64::max);
        let step = TAU / f64::from(segments.max(3));
        Resolution { segments, sagitta: widest * (1.0 - (0.5 * step).cosine()), spacing: widest * step }
    }

    /// Rings along the section.
    pub fn rings(&self, resolution: &Resolution) -> Vec<Ring> {
        let mut rings = vec![Ring { segment: 0, share: 0.0 }];
        for (k, segment) in self.segments.iter().enumerate() {
            let by_bend = segment.arc.map_or(0.0, |arc| {
                let flat = (1.0 - resolution.sagitta / arc.radius).clamp(-1.0, 1.0).arccosine();
                arc.sweep / (2.0 * flat).max(1e-4)
            });
            let by_length = segment.length / resolution.spacing;
            // For infinite or absurd values: at least one piece and a bounded number.
            let pieces = by_bend.max(by_length).ceil().clamp(1.0, 1e5) as usize;
            rings.extend((1..=pieces).map(|i| Ring { segment: k, share: i as f64 / pieces as f64 }));
        }
        rings
    }

    /// Upper bound of the triangles of [`Section::mesh`], without computing them.
    pub fn triangles_at(&self, resolution: &Resolution) -> usize {
        2 * resolution.segments.max(3) as usize * (self.rings(resolution).len() - 1)
    }

    /// Triangles through rings of `segments` corners. Rings of another section with as many segments may be used: a family keeps its triangles.
    pub fn revolve(&self, rings: &[Ring], segments: u32) -> RevolvedMesh {
        let n = segments.max(3) as usize;
        let mut out = RevolvedMesh { mesh: TriangleMesh::default(), areas: Vec::new(), strips: Vec::new() };
        let places: Vec<(usize, bool)> =
            rings.iter().enumerate().map(|(j, ring)| self.add_ring(j, ring, n, &mut out)).collect();
        let widest = rings.iter().map(|ring| self.ring_point(ring)[1]).fold(0.0, f64::max);
        debug_assert!(widest.is_finite());
        for (j, pair) in rings.windows(2).enumerate() {
            let first = out.mesh.triangles.len();
            add_strip(
                places[j],
                places[j + 1],
                j % 2 == 1,
                n,
                self.side == Side::Cavity,
                &mut out.mesh.triangles,
            );
            let flat: Vec<f64> = (first..out.mesh.triangles.len()).map(|t| flat_area(&out.mesh, t)).collect();
            let scale =
                self.area_between(&pair[0], &pair[1]) / flat.iter().sum::<f64>().max(f64::MIN_POSITIVE);
            out.areas.extend(flat.iter().map(|area| area * scale));
            out.strips.push(flat.len() as u32);
        }
        out
    }

    /// Triangles at a resolution.
    pub fn mesh(&self, resolution: &Resolution) -> RevolvedMesh {
        self.revolve(&self.rings(resolution), resolution.segments)
    }

    fn ring_point(&self, ring: &Ring) -> [f64; 2] {
        self.segments[ring.segment.min(self.segments.len() - 1)].point(ring.share)
    }

    /// Area of the surface between neighbouring rings, m².
    fn area_between(&self, from: &Ring, to: &Ring) -> f64 {
        let segment = &self.segments[to.segment.min(self.segments.len() - 1)];
        let before = if from.segment == to.segment { segment.swept_area(from.share) } else { 0.0 };
        segment.swept_area(to.share) - before
    }

    /// Adds the corners of a ring; returns the first and whether the ring is a point of the axis.
    fn add_ring(&self, j: usize, ring: &Ring, n: usize, out: &mut RevolvedMesh) -> (usize, bool) {
        let [a, r] = self.ring_point(ring);
        let first = out.mesh.vertices.len();
        let length: f64 = self.segments.iter().map(|s| s.length).sum();
        if r <= 1e-12 * length {
            out.mesh.vertices.push(Vec3::new(0.0, 0.0, a));
            return (first, true);
        }
        let shift = if j % 2 == 1 { 0.5 } else { 0.0 };
        out.mesh.vertices.extend((0..n).map(|k| {
            let (sin, cos) = (TAU * (k as f64 + shift) / n as f64).sine_cosine();
            Vec3::new(r * cos, r * sin, a)
        }));
        (first, false)
    }
}

fn flat_area(mesh: &TriangleMesh, triangle: usize) -> f64 {
    let [a, b, c] = mesh.corners(triangle);
    0.5 * (b - a).cross(&(c - a)).norm()
}

/// Triangles between two rings (first corner, whether a point); `shifted`: the lower one is turned by half a step.
fn add_strip(
    (low, low_point): (usize, bool),
    (high, high_point): (usize, bool),
    shifted: bool,
    n: usize,
    inward: bool,
    out: &mut Vec<[u32; 3]>,
) {
    let at = |first: usize, point: bool, k: usize| if point { first as u32 } else { (first + k % n) as u32 };
    let mut push = |[a, b, c]: [u32; 3]| out.push(if inward { [a, c, b] } else { [a, b, c] });
    for k in 0..n {
        // The corner over the middle of k and k + 1, seen from the lower and from the upper ring.
        let (above, below) = if shifted { (k + 1, k) } else { (k, k + 1) };
        if !low_point {
            push([at(low, false, k), at(low, false, k + 1), at(high, high_point, above)]);
        }
        if !high_point {
            push([at(high, false, k + 1), at(high, false, k), at(low, low_point, below)]);
        }
    }
}
