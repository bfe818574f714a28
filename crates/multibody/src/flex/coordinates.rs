//! Cholesky coordinates: p = Lᵀe with M = L·Lᵀ, in which the mass matrix is the identity (Samarini et al., Eq. (7)).

use super::mesh::{FlexMesh, Slot};
use touchdown_solve::linear::sparse::{SparseCholesky, SparsePattern};

/// The constant factor of a mesh's mass matrix, and its operations. Components x, y and z are factored
/// separately: the mass does not couple them.
#[derive(Clone, Debug)]
pub struct MassFactor {
    factor: SparseCholesky,
}

impl MassFactor {
    /// Factors the mass of a mesh; an error is a coordinate without mass.
    pub fn new(mesh: &FlexMesh) -> Result<Self, usize> {
        let mut groups = Vec::new();
        for element in mesh.elements() {
            for c in 0..3 {
                let free = element.vectors.iter().filter_map(|v| match mesh.slot_of(*v as usize, c) {
                    Slot::Free(i) => Some(i),
                    Slot::Prescribed(_) => None,
                });
                groups.push(free.collect::<Vec<usize>>());
            }
        }
        let pattern = SparsePattern::from_groups(mesh.coordinates(), groups.iter().map(Vec::as_slice));
        let mut values = Vec::with_capacity(pattern.entries());
        for column in 0..pattern.size() {
            for row in pattern.rows(column) {
                values.push(mesh.pattern().find(*row as usize, column).map_or(0.0, |at| mesh.mass()[at]));
            }
        }
        let mut factor = SparseCholesky::new(&pattern);
        factor.factor(&values)?;
        Ok(MassFactor { factor })
    }

    /// x ← M⁻¹·x: accelerations from forces.
    pub fn solve(&mut self, x: &mut [f64]) {
        self.factor.solve(x);
    }

    /// p = Lᵀ·e, in place; also for velocities.
    pub fn to_cholesky(&mut self, e: &mut [f64]) {
        self.factor.multiply_upper(e);
    }

    /// e = L⁻ᵀ·p, in place; also for velocities.
    pub fn to_nodal(&mut self, p: &mut [f64]) {
        self.factor.solve_upper(p);
    }

    /// Generalised forces in Cholesky coordinates, which are the accelerations there: L⁻¹·Q, in place.
    pub fn force_to_cholesky(&mut self, force: &mut [f64]) {
        self.factor.solve_lower(force);
    }
}
