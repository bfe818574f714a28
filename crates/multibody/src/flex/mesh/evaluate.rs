//! Forces and tangents of a mesh.

use super::{Element, FlexMesh, LOCAL, MeshElementKind};
use crate::flex::FlexError;
use crate::flex::cable::{CABLE_VECTORS, CableBlocks, CableNodal};
use crate::flex::plate::{Blocks, Energies, Nodal, Recovered, Strained, VECTORS, Weights, recover};
use touchdown_math::Vec3;

/// The vectors that an element depends on (or forces on them), in its own order.
pub type LocalVectors = [[f64; 3]; LOCAL];
/// 3 × 3 blocks between them, by rows.
pub type LocalBlocks = [[[f64; 9]; LOCAL]; LOCAL];

const NO_VECTORS: LocalVectors = [[0.0; 3]; LOCAL];

impl Element {
    /// Weights of nodal vector i.
    #[inline]
    pub(super) fn row(&self, i: usize) -> &[(u8, f64)] {
        &self.rows[self.first[i] as usize..self.first[i + 1] as usize]
    }

    #[inline]
    fn nodal<const N: usize>(&self, local: &LocalVectors) -> [[f64; N]; 3] {
        let mut e = [[0.0; N]; 3];
        for i in 0..N {
            for (k, w) in self.row(i) {
                let v = &local[*k as usize % LOCAL];
                (0..3).for_each(|c| e[c][i] += w * v[c]);
            }
        }
        e
    }

    #[inline]
    fn to_local<const N: usize>(&self, nodal: &[[f64; N]; 3]) -> LocalVectors {
        let mut out = NO_VECTORS;
        for i in 0..N {
            for (k, w) in self.row(i) {
                (0..3).for_each(|c| out[*k as usize % LOCAL][c] += w * nodal[c][i]);
            }
        }
        out
    }
}

impl FlexMesh {
    /// The vectors that an element depends on; prescribed ones included.
    #[inline]
    pub fn gather(&self, element: usize, q: &[f64]) -> LocalVectors {
        let mut local = NO_VECTORS;
        for (k, vector) in self.elements[element].vectors.iter().enumerate().take(LOCAL) {
            (0..3).for_each(|c| local[k][c] = self.value(q, *vector as usize, c));
        }
        local
    }

    /// Rates of these vectors; those of prescribed ones are zero.
    #[inline]
    pub fn gather_rates(&self, element: usize, v: &[f64]) -> LocalVectors {
        let mut local = NO_VECTORS;
        for (k, vector) in self.elements[element].vectors.iter().enumerate().take(LOCAL) {
            for c in 0..3 {
                let slot = self.slots[3 * *vector as usize + c] as usize;
                if slot < self.free {
                    local[k][c] = v[slot];
                }
            }
        }
        local
    }

    /// Adds forces on an element's vectors to those on the free coordinates.
    #[inline]
    pub fn scatter(&self, element: usize, local: &LocalVectors, out: &mut [f64]) {
        for (k, vector) in self.elements[element].vectors.iter().enumerate().take(LOCAL) {
            for c in 0..3 {
                let slot = self.slots[3 * *vector as usize + c] as usize;
                if slot < self.free {
                    out[slot] += local[k][c];
                }
            }
        }
    }

    /// Adds a 3 × 3 block between vectors i and j of an element to values in the pattern.
    #[inline]
    pub(super) fn scatter_block(
        &self,
        element: &Element,
        i: usize,
        j: usize,
        block: &[f64; 9],
        values: &mut [f64],
    ) {
        let n = element.vectors.len();
        let slots = &self.slots[3 * element.vectors[i] as usize..][..3];
        for b in 0..3 {
            let mut at = element.starts[(i * n + j) * 3 + b] as usize;
            if at == u32::MAX as usize {
                continue;
            }
            for a in 0..3 {
                if (slots[a] as usize) < self.free {
                    values[at] += block[3 * a + b];
                    at += 1;
                }
            }
        }
    }

    /// Adds blocks between an element's vectors to values in the pattern.
    pub fn scatter_blocks(&self, element: usize, blocks: &LocalBlocks, values: &mut [f64]) {
        let element = &self.elements[element];
        let n = element.vectors.len().min(LOCAL);
        for i in 0..n {
            for j in 0..n {
                self.scatter_block(element, i, j, &blocks[i][j], values);
            }
        }
    }

    /// Adds elastic and viscous forces to `force`; returns stored and dissipated energy.
    pub fn forces(&self, q: &[f64], v: &[f64], force: &mut [f64]) -> Energies {
        let mut sum = Energies::default();
        for number in 0..self.elements.len() {
            let energies = self.element_forces(number, q, v, force);
            sum.elastic += energies.elastic;
            sum.dissipated += energies.dissipated;
        }
        sum
    }

    /// Adds the elastic and viscous forces that the mesh exerts on prescribed coordinates, such as those of a
    /// held hub: the loads of supports, in the order of [`prescribed`](Self::prescribed).
    pub fn support_forces(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        for (number, element) in self.elements.iter().enumerate() {
            let (forces, _) = self.local_forces(number, q, v);
            for (k, vector) in element.vectors.iter().enumerate() {
                for c in 0..3 {
                    if let super::Slot::Prescribed(i) = self.slot_of(*vector as usize, c) {
                        out[i] += forces[k][c];
                    }
                }
            }
        }
    }

    /// Adds the forces of one element.
    pub fn element_forces(&self, number: usize, q: &[f64], v: &[f64], force: &mut [f64]) -> Energies {
        let (forces, energies) = self.local_forces(number, q, v);
        self.scatter(number, &forces, force);
        energies
    }

    /// Forces of one element on its vectors.
    #[inline]
    fn local_forces(&self, number: usize, q: &[f64], v: &[f64]) -> (LocalVectors, Energies) {
        let element = &self.elements[number];
        let (local, rates) = (self.gather(number, q), self.gather_rates(number, v));
        match &element.kind {
            MeshElementKind::Plate(tables, _) => {
                let mut f: Nodal = [[0.0; VECTORS]; 3];
                let energies = tables.evaluate(&element.nodal(&local), &element.nodal(&rates), &mut f, None);
                (element.to_local(&f), energies)
            }
            MeshElementKind::Cable(tables) => {
                let mut f: CableNodal = [[0.0; CABLE_VECTORS]; 3];
                let energies = tables.evaluate(&element.nodal(&local), &element.nodal(&rates), &mut f, None);
                (element.to_local(&f), energies)
            }
        }
    }

    /// Adds elastic and viscous forces Q to `force`, and −(w_q·∂Q/∂q + w_v·∂Q/∂v) to `values` in the [pattern](Self::pattern):
    /// a stiffness is positive.
    pub fn tangent(
        &self,
        q: &[f64],
        v: &[f64],
        weights: Weights,
        force: &mut [f64],
        values: &mut [f64],
    ) -> Energies {
        let mut sum = Energies::default();
        for number in 0..self.elements.len() {
            let energies = self.element_tangent(number, q, v, weights, force, values);
            sum.elastic += energies.elastic;
            sum.dissipated += energies.dissipated;
        }
        sum
    }

    /// Adds the forces and tangent of one element, as [`tangent`](Self::tangent) does.
    pub fn element_tangent(
        &self,
        number: usize,
        q: &[f64],
        v: &[f64],
        weights: Weights,
        force: &mut [f64],
        values: &mut [f64],
    ) -> Energies {
        let element = &self.elements[number];
        let (local, rates) = (self.gather(number, q), self.gather_rates(number, v));
        let (forces, energies) = match &element.kind {
            MeshElementKind::Plate(tables, _) => {
                let mut f: Nodal = [[0.0; VECTORS]; 3];
                let mut K: Blocks = [[[0.0; 9]; VECTORS]; VECTORS];
                let (e, rate) = (element.nodal(&local), element.nodal(&rates));
                let energies = tables.evaluate(&e, &rate, &mut f, Some((weights, &mut K)));
                self.scatter_tangent(element, &K, values);
                (element.to_local(&f), energies)
            }
            MeshElementKind::Cable(tables) => {
                let mut f: CableNodal = [[0.0; CABLE_VECTORS]; 3];
                let mut K: CableBlocks = [[[0.0; 9]; CABLE_VECTORS]; CABLE_VECTORS];
                let (e, rate) = (element.nodal(&local), element.nodal(&rates));
                let energies = tables.evaluate(&e, &rate, &mut f, Some((weights, &mut K)));
                self.scatter_tangent(element, &K, values);
                (element.to_local(&f), energies)
            }
        };
        self.scatter(number, &forces, force);
        energies
    }

    /// Subtracts blocks between nodal vectors from the values: columns first, then rows.
    fn scatter_tangent<const N: usize>(&self, element: &Element, K: &[[[f64; 9]; N]; N], values: &mut [f64]) {
        let n = element.vectors.len().min(LOCAL);
        let mut blocks: LocalBlocks = [[[0.0; 9]; LOCAL]; LOCAL];
        for i in 0..N {
            let mut columns = [[0.0; 9]; LOCAL];
            for j in 0..N {
                for (l, w) in element.row(j) {
                    let into = &mut columns[*l as usize % LOCAL];
                    (0..9).for_each(|m| into[m] += w * K[i][j][m]);
                }
            }
            for (k, w) in element.row(i) {
                let into = &mut blocks[*k as usize % LOCAL];
                for l in 0..n {
                    (0..9).for_each(|m| into[l][m] -= w * columns[l][m]);
                }
            }
        }
        for i in 0..n {
            for j in 0..n {
                self.scatter_block(element, i, j, &blocks[i][j], values);
            }
        }
    }

    /// Adds the forces of a pressure (Pa) on a face (ζ = ±½) of a plate, along its inner normal; it follows the deformation.
    pub fn add_pressure(&self, number: usize, q: &[f64], zeta: f64, pressure: f64, force: &mut [f64]) {
        let element = &self.elements[number];
        if let MeshElementKind::Plate(tables, _) = &element.kind {
            let mut f: Nodal = [[0.0; VECTORS]; 3];
            tables.add_pressure(&element.nodal(&self.gather(number, q)), zeta, pressure, &mut f);
            self.scatter(number, &element.to_local(&f), force);
        }
    }

    /// Refuses a form in which an element is turned inside out, or whose coordinates are not finite.
    pub fn check(&self, q: &[f64]) -> Result<(), FlexError> {
        self.look(q).map(|_| ())
    }

    /// Largest strain and smallest volume of all plates; an error where one is turned inside out.
    pub fn look(&self, q: &[f64]) -> Result<Strained, FlexError> {
        let mut worst = Strained::default();
        for (number, element) in self.elements.iter().enumerate() {
            if let MeshElementKind::Plate(tables, _) = &element.kind {
                worst = worst.or(tables.look(number, &element.nodal(&self.gather(number, q)))?);
            }
        }
        Ok(worst)
    }

    /// Thickness of the thinnest plate, m; infinite without plates.
    pub fn thinnest(&self) -> f64 {
        let thickness = |e: &super::Element| e.kind.plate().map_or(f64::INFINITY, |(t, _)| t.sizes[2]);
        self.elements.iter().map(thickness).fold(f64::INFINITY, f64::min)
    }

    /// Strain, stress and energy at a point of a plate; nothing for cables.
    pub fn recover(&self, number: usize, q: &[f64], at: [f64; 3]) -> Option<Recovered> {
        let element = &self.elements[number];
        let (tables, reference) = element.kind.plate()?;
        Some(recover(tables, reference, &element.nodal(&self.gather(number, q)), at))
    }

    /// Elastic energy of each element, J.
    pub fn element_energies(&self, q: &[f64], v: &[f64]) -> Vec<f64> {
        let mut scratch = vec![0.0; self.free];
        (0..self.elements.len()).map(|n| self.element_forces(n, q, v, &mut scratch).elastic).collect()
    }

    /// Momentum of the mesh, kg m/s (free coordinates only).
    pub fn momentum(&self, v: &[f64]) -> Vec3 {
        let mut sum = Vec3::zeros();
        for vector in 0..self.slots.len() / 3 {
            for c in 0..3 {
                if let super::Slot::Free(i) = self.slot_of(vector, c) {
                    sum[c] += self.weight[i] * v[i];
                }
            }
        }
        sum
    }
}
