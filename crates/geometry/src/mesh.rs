//! The triangle mesh and its integrals: area, enclosed volume, whether it is closed.
//!
//! Imported or made by [`crate::Shape::triangulate`]; checked once with [`TriangleMesh::check`].

use std::hash::{Hash, Hasher};
use touchdown_math::Vec3;

/// A triangle mesh. Its debug output has only counts and a [`digest`], because all corners would fill pages.
#[derive(Clone, PartialEq, Default)]
pub struct TriangleMesh {
    /// Corners, m.
    pub vertices: Vec<Vec3>,
    /// Corner indices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl std::fmt::Debug for TriangleMesh {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (corners, triangles) = (self.vertices.len(), self.triangles.len());
        let mut hasher = std::hash::DefaultHasher::new();
        self.triangles.hash(&mut hasher);
        let digests = (digest(self.vertices.iter().flatten()), hasher.finish());
        write!(f, "TriangleMesh({corners} corners, {triangles} triangles, digests {digests:x?})")
    }
}

/// A number that distinguishes two lists of numbers, bit by bit; for one program, not for files.
pub fn digest<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    numbers.into_iter().for_each(|x| x.to_bits().hash(&mut hasher));
    hasher.finish()
}

/// Errors of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// A triangle refers to a missing corner.
    #[error("triangle {triangle} names corner {corner}, but the mesh has {corners}")]
    NoSuchCorner {
        /// Index of the triangle.
        triangle: usize,
        /// The corner it names.
        corner: u32,
        /// Number of corners.
        corners: usize,
    },
    /// A coordinate is infinite or not a number.
    #[error("corner {corner} has a coordinate that is not finite")]
    NotFinite {
        /// Index of the corner.
        corner: usize,
    },
}

impl TriangleMesh {
    /// Whether every index names a corner and every coordinate is finite; the other functions rely on it.
    pub fn check(&self) -> Result<(), MeshError> {
        if let Some(corner) = self.vertices.iter().position(|p| !p.iter().all(|c| c.is_finite())) {
            return Err(MeshError::NotFinite { corner });
        }
        let corners = self.vertices.len();
        for (triangle, indices) in self.triangles.iter().enumerate() {
            if let Some(&corner) = indices.iter().find(|&&i| i as usize >= corners) {
                return Err(MeshError::NoSuchCorner { triangle, corner, corners });
            }
        }
        Ok(())
    }

    /// Corners of a triangle, m.
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|i| self.vertices[i as usize])
    }

    /// Twice the area of a triangle times its outward unit normal, m².
    pub(crate) fn double_area(&self, triangle: usize) -> Vec3 {
        let [a, b, c] = self.corners(triangle);
        (b - a).cross(&(c - a))
    }

    /// Outward unit normal of a triangle; `None` where it has no area.
    pub fn normal(&self, triangle: usize) -> Option<Vec3> {
        self.double_area(triangle).try_normalize(0.0)
    }

    /// Surface area, m².
    pub fn area(&self) -> f64 {
        (0..self.triangles.len()).map(|i| 0.5 * self.double_area(i).norm()).sum()
    }

    /// Enclosed volume, m³, by the divergence theorem: a sixth of the sum of `a · (b × c)`. Positive if the triangles are
    /// counter-clockwise seen from outside; for an open mesh it depends on the origin and has no meaning.
    pub fn volume(&self) -> f64 {
        (0..self.triangles.len())
            .map(|i| {
                let [a, b, c] = self.corners(i);
                a.dot(&b.cross(&c)) / 6.0
            })
            .sum()
    }

    /// Whether every edge is shared by exactly two triangles that run along it in opposite directions.
    pub fn is_closed(&self) -> bool {
        let mut edges: Vec<(u32, u32)> =
            self.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
        edges.sort_unstable();
        let unique = edges.windows(2).all(|pair| pair[0] != pair[1]);
        unique && edges.iter().all(|&(a, b)| edges.binary_search(&(b, a)).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tetrahedron() -> TriangleMesh {
        TriangleMesh {
            vertices: vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()],
            triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        }
    }

    #[test]
    fn tetrahedron_has_its_closed_forms() {
        // The unit corner tetrahedron has volume 1/6, area 3/2 + √3/2, wherever it stands.
        let mut mesh = tetrahedron();
        assert!(mesh.check().is_ok() && mesh.is_closed());
        assert!((mesh.volume() - 1.0 / 6.0).abs() < 1e-15);
        assert!((mesh.area() - (1.5 + 0.75f64.sqrt())).abs() < 1e-15);
        mesh.vertices.iter_mut().for_each(|p| *p += Vec3::new(3.0, -2.0, 5.0));
        // Each of 12 products is at most 38 m³ and exact but for rounding.
        assert!((mesh.volume() - 1.0 / 6.0).abs() < 12.0 * 38.0 * f64::EPSILON);
    }

    #[test]
    fn a_missing_triangle_opens_the_mesh() {
        // A surface with a hole or with one triangle turned over encloses nothing.
        let mut open = tetrahedron();
        open.triangles.pop();
        assert!(!open.is_closed());
        let mut turned = tetrahedron();
        turned.triangles[0].swap(0, 1);
        assert!(!turned.is_closed());
    }

    #[test]
    fn broken_meshes_are_named() {
        // A wrong index or coordinate is found before it is used.
        let mut mesh = tetrahedron();
        mesh.triangles[2][1] = 9;
        assert_eq!(mesh.check(), Err(MeshError::NoSuchCorner { triangle: 2, corner: 9, corners: 4 }));
        mesh.vertices[1].y = f64::NAN;
        assert_eq!(mesh.check(), Err(MeshError::NotFinite { corner: 1 }));
    }

    #[test]
    fn a_sliver_has_no_normal() {
        // Three corners on a line span no plane.
        let mesh = TriangleMesh {
            vertices: vec![Vec3::zeros(), Vec3::x(), 2.0 * Vec3::x()],
            triangles: vec![[0, 1, 2]],
        };
        assert_eq!(mesh.normal(0), None);
        assert_eq!(mesh.area(), 0.0);
    }
}
