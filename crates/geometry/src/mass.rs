//! Centre of volume and inertia of the volume enclosed by a closed mesh, exact for the polyhedron: sums over
//! the tetrahedra between its faces and a point.

use crate::TriangleMesh;
use touchdown_math::{Inertia, Mat3, Vec3};

impl TriangleMesh {
    /// Volume (m³), its first moment (m⁴) and its second moment ∫ x xᵀ dV (m⁵), about `o`.
    fn moments(&self, o: &Vec3) -> (f64, Vec3, Mat3) {
        let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
        for i in 0..self.triangles.len() {
            let p = self.corners(i).map(|p| p - o);
            let v = p[0].dot(&p[1].cross(&p[2])) / 6.0;
            let sum: Vec3 = p.iter().sum();
            volume += v;
            first += v / 4.0 * sum;
            let squares: Mat3 = p.iter().map(|p| p * p.transpose()).sum();
            second += v / 20.0 * (squares + sum * sum.transpose());
        }
        (volume, first, second)
    }

    /// A point amid the corners, which minimises rounding of sums; zero for a mesh without corners.
    fn middle(&self) -> Vec3 {
        self.vertices.iter().sum::<Vec3>() / self.vertices.len().max(1) as f64
    }

    /// Centre of the enclosed volume, m; of a mesh without volume the mean of its corners.
    pub fn centroid(&self) -> Vec3 {
        let o = self.middle();
        let (volume, first, _) = self.moments(&o);
        if volume == 0.0 { o } else { o + first / volume }
    }

    /// Inertia about the origin of the enclosed volume filled with `density` (kg/m³).
    pub fn inertia(&self, density: f64) -> Inertia {
        let o = self.middle();
        let (volume, first, second) = self.moments(&o);
        let centre = if volume == 0.0 { Vec3::zeros() } else { first / volume };
        let central = second - volume * centre * centre.transpose();
        let I = Mat3::identity() * central.trace() - central;
        Inertia::new(density * volume, &(o + centre), &(density * I))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;

    /// A box has the inertia m(y² + z²)/12, …, and carries it to the origin by Steiner's theorem.
    #[test]
    fn box_has_its_closed_form() {
        let (size, shift, density) = (Vec3::new(0.3, 0.5, 0.9), Vec3::new(2.0, -1.0, 0.5), 2700.0);
        let mut mesh = Shape::Box { size }.triangulate(3);
        mesh.vertices.iter_mut().for_each(|p| *p += shift);
        let m = density * size.product();
        let square = size.component_mul(&size);
        let I = Mat3::from_diagonal(&(Vec3::repeat(square.sum()) - square)) * (m / 12.0);
        let expected = Inertia::new(m, &shift, &I);
        let found = mesh.inertia(density);
        // Twelve terms, each exact to rounding.
        let tolerance = 50.0 * f64::EPSILON;
        assert!((mesh.centroid() - shift).norm() < tolerance);
        assert!((found.m / m - 1.0).abs() < tolerance);
        assert!((found.h - expected.h).norm() < tolerance * expected.h.norm());
        assert!((found.I - expected.I).norm() < tolerance * expected.I.norm());
    }
}
