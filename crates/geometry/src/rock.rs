//! Irregular rocks from a seed: a sphere broken by planes and roughened by noise, stretched to a size.
//!
//! The radius in the direction u is that of the nearest of a few random planes, d/(n·u), kept below one,
//! times 1 + roughness·noise(u). With one radius for each direction the surface is closed and free of
//! self-intersections for any seed. Only sums, products, quotients, square roots and
//! `floor` are used: the same seed gives the same bits on every machine.

use crate::procedural::{blend, mix, pair, split};
use crate::{TriangleMesh, icosphere};
use touchdown_math::Elementary;
use touchdown_math::Vec3;

/// Cells of the coarsest noise in the sphere's radius, and how many octaves, each of half the size and height.
const CELLS: f64 = 1.5;
const OCTAVES: u32 = 3;
/// Distances of the planes from the middle, in radii: from this to one.
const NEAREST_PLANE: f64 = 0.6;

/// Parameters of a rock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rock {
    /// Different seeds give different rocks.
    pub seed: u64,
    /// Edges of the box around it, m.
    pub size: Vec3,
    /// Height of the noise, in radii: 0 smooth to 0.5 jagged.
    pub roughness: f64,
    /// Planes that break it: 0 round, a dozen angular.
    pub planes: u32,
    /// Halvings of the icosahedron's edges: 20·4ⁿ triangles; 4 (5120) shows its form, 8 is the most.
    pub halvings: u32,
}

impl Rock {
    /// A rock of usual roughness.
    pub fn new(seed: u64, size: Vec3) -> Rock {
        Rock { seed, size, roughness: 0.12, planes: 9, halvings: 4 }
    }

    /// Its surface, closed; the box around it has `size`, and the origin is its centre of volume.
    pub fn mesh(&self) -> TriangleMesh {
        let planes: Vec<(Vec3, f64)> = (0..u64::from(self.planes)).map(|k| self.plane(k)).collect();
        let roughness = self.roughness.clamp(0.0, 0.5);
        let mut mesh = icosphere(self.halvings);
        for p in &mut mesh.vertices {
            let cut = planes.iter().map(|(n, d)| (n.dot(p), *d)).filter(|(along, _)| *along > 0.0);
            let radius = cut.fold(1.0f64, |radius, (along, d)| radius.min(d / along));
            *p *= radius * (1.0 + roughness * self.noise(p));
        }
        let start = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        let (low, high) = mesh.vertices.iter().fold(start, |(low, high), p| (low.inf(p), high.sup(p)));
        let stretch = self.size.component_div(&(high - low));
        mesh.vertices.iter_mut().for_each(|p| p.component_mul_assign(&stretch));
        let centre = mesh.centroid();
        mesh.vertices.iter_mut().for_each(|p| *p -= centre);
        mesh
    }

    /// A plane in a random direction: a point of a cube that lies in the sphere, drawn again until it does.
    fn plane(&self, k: u64) -> (Vec3, f64) {
        let mut key = mix(self.seed ^ mix(k + 1));
        loop {
            let ([x, y], [z, d]) = (pair(key), pair(mix(key ^ 1)));
            let v = Vec3::new(x, y, z);
            let length = v.norm();
            if length > 0.1 && length <= 1.0 {
                let far = 0.5 * (d + 1.0);
                return (v / length, NEAREST_PLANE + far * (1.0 - NEAREST_PLANE));
            }
            key = mix(key);
        }
    }

    /// Gradient noise in space, about ±1.
    fn noise(&self, u: &Vec3) -> f64 {
        let mut sum = 0.0;
        for octave in 0..OCTAVES {
            let gain = 0.5f64.whole_power(octave as i32);
            let key = mix(self.seed ^ mix(0x10_0000 + u64::from(octave)));
            // Away from the origin, where lattices share a node.
            sum += gain * gradient_noise(key, &(u * (CELLS / gain) + Vec3::repeat(0.37)));
        }
        sum
    }
}

/// Planes of the eight nodes around a place, blended; as [`crate::Procedural`] in three dimensions.
fn gradient_noise(key: u64, at: &Vec3) -> f64 {
    let [(i, x), (j, y), (k, z)] = [at.x, at.y, at.z].map(split);
    let weights = [x, y, z].map(|s| blend(s).0);
    let mut sum = 0.0;
    for corner in 0..8u64 {
        let step = [corner & 1, corner >> 1 & 1, corner >> 2];
        let hash = [i, j, k].iter().zip(step).fold(key, |h, (c, s)| mix(h ^ (*c as u64).wrapping_add(s)));
        let ([gx, gy], [gz, _]) = (pair(hash), pair(mix(hash)));
        let [dx, dy, dz] = [x - step[0] as f64, y - step[1] as f64, z - step[2] as f64];
        let weight: f64 = (0..3).map(|a| if step[a] == 1 { weights[a] } else { 1.0 - weights[a] }).product();
        sum += weight * (gx * dx + gy * dy + gz * dz);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MeshAudit;

    /// Every rock is a closed, oriented body of the size that was asked for, about its centre of volume; the same seed is the same rock.
    #[test]
    fn rocks_are_sound() {
        for seed in 0..40 {
            let size = Vec3::new(0.3, 0.2, 0.15);
            let rock = Rock { halvings: 3, roughness: 0.3, ..Rock::new(seed, size) };
            let mesh = rock.mesh();
            let audit = MeshAudit::new(&mesh);
            assert!(audit.is_closed && audit.is_oriented && audit.components == 1, "seed {seed}");
            assert_eq!(audit.problems, []);
            assert!((audit.extent() - size).norm() < 1e-15);
            assert!(mesh.centroid().norm() < 1e-14);
            let fill = audit.volume / (size.x * size.y * size.z);
            // A sphere fills 52 % of its box.
            assert!((0.25..0.8).contains(&fill), "seed {seed} fills {fill}");
            assert_eq!(mesh, rock.mesh());
            assert_ne!(mesh, Rock { seed: seed + 1000, ..rock }.mesh());
        }
    }
}
