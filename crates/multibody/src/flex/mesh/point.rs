//! Points of elements: their positions, and the conversion of forces on them to generalised forces.

use super::{FlexMesh, LOCAL, LocalVectors, MeshElementKind, Slot};
use crate::flex::cable::cable_shape;
use crate::flex::plate::{jacobian, shape};
use touchdown_math::{Mat3, Vec3};

/// A body point (or a derivative along the body): a fixed sum of the vectors of its element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Its element.
    pub element: u32,
    /// Weights of the element's vectors.
    pub weight: [f64; LOCAL],
}

/// A point of a surface with its tangents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// The point.
    pub point: Point,
    /// ∂r/∂x and ∂r/∂y; their cross product is the outward normal.
    pub tangents: [Point; 2],
    /// Area that it represents in the stress-free form, m².
    pub area: f64,
}

impl Point {
    /// Value from the vectors of its element (see [`FlexMesh::gather`]).
    #[inline]
    pub fn at(&self, local: &LocalVectors) -> Vec3 {
        let mut sum = [0.0; 3];
        for k in 0..LOCAL {
            (0..3).for_each(|c| sum[c] += self.weight[k] * local[k][c]);
        }
        Vec3::new(sum[0], sum[1], sum[2])
    }

    /// Adds a force at the point to the forces on the vectors of its element.
    #[inline]
    pub fn push(&self, force: &Vec3, local: &mut LocalVectors) {
        for k in 0..LOCAL {
            (0..3).for_each(|c| local[k][c] += self.weight[k] * force[c]);
        }
    }
}

impl SurfacePoint {
    /// Outward unit normal.
    #[inline]
    pub fn normal(&self, local: &LocalVectors) -> Vec3 {
        self.tangents[0].at(local).cross(&self.tangents[1].at(local)).normalize()
    }
}

impl FlexMesh {
    fn point_of(&self, element: usize, weights: &[f64]) -> Point {
        let mut weight = [0.0; LOCAL];
        for (i, s) in weights.iter().enumerate() {
            for (k, w) in self.elements[element].row(i) {
                weight[*k as usize] += s * w;
            }
        }
        Point { element: element as u32, weight }
    }

    /// The body point at (ξ, η, ζ) of a plate, or at ξ = s/L of a cable.
    pub fn point(&self, element: usize, at: [f64; 3]) -> Point {
        match &self.elements[element].kind {
            MeshElementKind::Plate(tables, _) => self.point_of(element, &shape(tables.sizes, at).value),
            MeshElementKind::Cable(tables) => self.point_of(element, &cable_shape(tables.length, at[0])[0]),
        }
    }

    /// Position of a point.
    pub fn point_position(&self, point: &Point, q: &[f64]) -> Vec3 {
        point.at(&self.gather(point.element as usize, q))
    }

    /// Velocity of a point.
    pub fn point_velocity(&self, point: &Point, v: &[f64]) -> Vec3 {
        point.at(&self.gather_rates(point.element as usize, v))
    }

    /// The free coordinates that component c of a point depends on, with their weights.
    pub fn point_row(&self, point: &Point, component: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let weight = point.weight;
        let vectors = self.elements[point.element as usize].vectors.iter();
        vectors.enumerate().filter_map(move |(k, vector)| match self.slot_of(*vector as usize, component) {
            Slot::Free(i) if weight[k] != 0.0 => Some((i, weight[k])),
            _ => None,
        })
    }

    /// Adds the generalised forces of a force at a point.
    pub fn add_point_force(&self, point: &Point, force: &Vec3, out: &mut [f64]) {
        let mut local = [[0.0; 3]; LOCAL];
        point.push(force, &mut local);
        self.scatter(point.element as usize, &local, out);
    }

    /// Adds a 3 × 3 stiffness at a point (minus the derivative of the force by the position) to values in the pattern.
    pub fn add_point_stiffness(&self, point: &Point, stiffness: &Mat3, values: &mut [f64]) {
        let element = &self.elements[point.element as usize];
        for i in 0..element.vectors.len() {
            for j in 0..element.vectors.len() {
                let w = point.weight[i] * point.weight[j];
                if w != 0.0 {
                    let block = std::array::from_fn(|m| w * stiffness[(m / 3, m % 3)]);
                    self.scatter_block(element, i, j, &block, values);
                }
            }
        }
    }

    /// Points at the centres of n × m equal cells, along x and y, of a plate's face (ζ = ±½); none for cables.
    pub fn surface(&self, element: usize, [n, m]: [usize; 2], zeta: f64) -> Vec<SurfacePoint> {
        let centre = |k: usize, n: usize| (k as f64 + 0.5) / n as f64;
        let cells = (0..n).flat_map(|i| (0..m).map(move |j| (i, j)));
        let point = |(i, j)| self.surface_point(element, [centre(i, n), centre(j, m), zeta], n * m);
        cells.filter_map(point).collect()
    }

    /// One of `count` points that share a plate's face (ζ = ±½) equally, at (ξ, η, ζ); none for cables.
    pub fn surface_point(&self, element: usize, at: [f64; 3], count: usize) -> Option<SurfacePoint> {
        let (tables, reference) = self.elements[element].kind.plate()?;
        let cell = tables.sizes[0] * tables.sizes[1] / count as f64;
        let s = shape(tables.sizes, at);
        let J0 = jacobian(reference, &s.slope);
        let along = |d: usize| self.point_of(element, &s.slope[d]);
        // On the lower face the outward normal is reversed.
        let tangents = if at[2] < 0.0 { [along(1), along(0)] } else { [along(0), along(1)] };
        Some(SurfacePoint {
            point: self.point_of(element, &s.value),
            tangents,
            area: cell * J0.column(0).cross(&J0.column(1)).norm(),
        })
    }
}
