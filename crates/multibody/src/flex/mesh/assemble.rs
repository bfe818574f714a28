//! Elements of a mesh: shared constants of equal forms, elimination of ties, pattern and masses.

use super::build::{Given, MeshBuilder};
use super::{Element, FlexMesh, LOCAL, MeshElementKind};
use crate::flex::FlexError;
use crate::flex::cable::CableTables;
use crate::flex::mesh::PlateElement;
use crate::flex::plate::{Evaluation, Nodal, PlateTables, VECTORS};
use std::sync::Arc;
use touchdown_math::Vec3;
use touchdown_solve::linear::sparse::SparsePattern;

/// Largest number of different forms with stored matrices (115 kB and 230 kB each: more would not fit in the
/// processor's cache, from which they are read at every evaluation); elements of other forms are evaluated by
/// quadrature.
const MOST_FORMS: usize = 100;
/// Forms whose products of vectors differ by less, relative to the largest, are the same.
const SAME_FORM: f64 = 1e-10;

impl MeshBuilder {
    pub(super) fn make_elements(&self, mesh: &FlexMesh) -> Result<Vec<Element>, FlexError> {
        let mut forms: Vec<(usize, Arc<PlateTables>)> = Vec::new();
        let mut out = Vec::with_capacity(self.elements.len());
        for (number, given) in self.elements.iter().enumerate() {
            let mut vectors: Vec<u32> = Vec::new();
            let (mut rows, mut first) = (Vec::new(), vec![0]);
            let mut add = |sum: Vec<(usize, f64)>| {
                for (vector, weight) in sum.into_iter().filter(|(_, w)| *w != 0.0) {
                    let local = vectors.iter().position(|v| *v as usize == vector).unwrap_or_else(|| {
                        vectors.push(vector as u32);
                        vectors.len() - 1
                    });
                    rows.push((local as u8, weight));
                }
                first.push(rows.len() as u8);
            };
            let kind = match given {
                Given::Plate(plate) => {
                    let mut reference: Nodal = [[0.0; VECTORS]; 3];
                    for (k, n) in plate.nodes.into_iter().enumerate() {
                        add(position_rows(mesh, n));
                        for c in 0..3 {
                            reference[c][4 * k] = mesh.nodes[n].position[c];
                            (0..3).for_each(|d| reference[c][4 * k + 1 + d] = plate.gradients[k][(c, d)]);
                        }
                        for d in 0..3 {
                            add(gradient_rows(mesh, n, &plate.gradients[k].column(d).into_owned()));
                        }
                    }
                    let tables = self.tables(number, plate, &reference, &mut forms)?;
                    MeshElementKind::Plate(tables, Box::new(reference))
                }
                Given::Cable(cable) => {
                    let [a, b] = cable.nodes;
                    let length = (self.nodes[b] - self.nodes[a]).norm();
                    let material = &self.materials[cable.material];
                    let tables = CableTables::new(number, length, cable.section, material)?;
                    for n in cable.nodes {
                        add(position_rows(mesh, n));
                        add(gradient_rows(mesh, n, &self.direction(cable)));
                    }
                    MeshElementKind::Cable(Arc::new(tables))
                }
            };
            let nodes = Self::nodes_of(given).to_vec();
            let part = mesh.nodes[nodes[0]].part;
            out.push(Element { kind, nodes, part, vectors, rows, first, starts: Vec::new() });
        }
        Ok(out)
    }

    /// Constants of a plate: those of an earlier one of the same form and material, or new ones.
    fn tables(
        &self,
        number: usize,
        plate: &PlateElement,
        reference: &Nodal,
        forms: &mut Vec<(usize, Arc<PlateTables>)>,
    ) -> Result<Arc<PlateTables>, FlexError> {
        let same = forms.iter().rev().find(|(material, tables)| {
            *material == plate.material
                && tables.sizes == plate.sizes
                && is_same_form(&tables.reference, reference)
        });
        if let Some((_, tables)) = same
            // Products of vectors do not distinguish a mirrored form; its volume does.
            && tables.look(number, reference).is_ok()
        {
            return Ok(tables.clone());
        }
        let evaluation = if forms.len() < MOST_FORMS { self.evaluation } else { Evaluation::Points };
        let material = &self.materials[plate.material];
        let tables =
            Arc::new(PlateTables::new(number, plate.sizes, reference, material, self.order, evaluation)?);
        if forms.len() < MOST_FORMS {
            forms.push((plate.material, tables.clone()));
        }
        Ok(tables)
    }
}

impl FlexMesh {
    /// Uses the constants of another mesh where forms and materials are the same: six equal wheels then use
    /// one set of matrices, which stays in the processor's cache.
    pub fn share_forms(&mut self, other: &FlexMesh) {
        let mut known: Vec<&Arc<PlateTables>> = Vec::new();
        for element in &other.elements {
            if let MeshElementKind::Plate(tables, _) = &element.kind
                && !known.iter().any(|k| Arc::ptr_eq(k, tables))
                && known.len() < MOST_FORMS
            {
                known.push(tables);
            }
        }
        for element in &mut self.elements {
            if let MeshElementKind::Plate(tables, reference) = &mut element.kind {
                let same = known.iter().find(|k| k.is_for(tables) && is_same_form(&k.reference, reference));
                if let Some(same) = same {
                    *tables = Arc::clone(same);
                }
            }
        }
    }
}

/// Whether two sets of vectors have the same products (up to a common translation): they are turned copies.
fn is_same_form(a: &Nodal, b: &Nodal) -> bool {
    let vector = |e: &Nodal, i: usize| {
        let shift = if i.is_multiple_of(4) { 1.0 } else { 0.0 };
        Vec3::from_fn(|c, _| e[c][i] - shift * e[c][0])
    };
    for i in 0..VECTORS {
        for k in 0..=i {
            let (x, y) = (vector(a, i).dot(&vector(a, k)), vector(b, i).dot(&vector(b, k)));
            let scale = vector(a, i).norm() * vector(a, k).norm();
            if (x - y).abs() > SAME_FORM * scale.max(f64::MIN_POSITIVE) {
                return false;
            }
        }
    }
    true
}

fn position_rows(mesh: &FlexMesh, n: usize) -> Vec<(usize, f64)> {
    let node = &mesh.nodes[n];
    let mut rows = vec![(node.first_vector, 1.0)];
    if let Some(hub) = node.tied_to {
        let X = node.position - mesh.nodes[hub].position;
        rows.extend((0..3).map(|d| (node.first_vector + 1 + d, X[d])));
    }
    rows
}

/// F·J₀ for one column of J₀; where only cables meet, r′ itself.
fn gradient_rows(mesh: &FlexMesh, n: usize, column: &Vec3) -> Vec<(usize, f64)> {
    let node = &mesh.nodes[n];
    if node.vectors == 2 {
        return vec![(node.first_vector + 1, 1.0)];
    }
    (0..3).map(|d| (node.first_vector + 1 + d, column[d])).collect()
}

pub(super) fn make_pattern(mesh: &mut FlexMesh) {
    let free_of = |mesh: &FlexMesh, element: &Element| -> Vec<usize> {
        let all = element.vectors.iter().flat_map(|v| (0..3).map(move |c| 3 * *v as usize + c));
        all.map(|index| mesh.slots[index] as usize).filter(|slot| *slot < mesh.free).collect()
    };
    let groups: Vec<Vec<usize>> = mesh.elements.iter().map(|e| free_of(mesh, e)).collect();
    mesh.pattern = SparsePattern::from_groups(mesh.free, groups.iter().map(Vec::as_slice));
    for number in 0..mesh.elements.len() {
        let vectors = mesh.elements[number].vectors.clone();
        let n = vectors.len();
        debug_assert!(n <= LOCAL);
        let mut starts = vec![u32::MAX; 3 * n * n];
        for i in 0..n {
            // Free components of a vector are consecutive, and so are its rows in every column.
            let row =
                (0..3).map(|c| mesh.slots[3 * vectors[i] as usize + c] as usize).find(|s| *s < mesh.free);
            let Some(row) = row else { continue };
            for j in 0..n {
                for b in 0..3 {
                    let column = mesh.slots[3 * vectors[j] as usize + b] as usize;
                    if column < mesh.free
                        && let Some(at) = mesh.pattern.find(row, column)
                    {
                        starts[(i * n + j) * 3 + b] = at as u32;
                    }
                }
            }
        }
        mesh.elements[number].starts = starts;
    }
    mesh.mass = vec![0.0; mesh.pattern.entries()];
}

/// Mass matrix, mass met by uniform acceleration, and mass and centre of each part.
pub(super) fn add_masses(mesh: &mut FlexMesh) {
    let mut mass = std::mem::take(&mut mesh.mass);
    let mut weight = std::mem::take(&mut mesh.weight);
    let mut moments = vec![(0.0, Vec3::zeros()); mesh.parts.len()];
    // In the stress-free form, positions of all vectors.
    let mut is_position = vec![false; mesh.slots.len() / 3];
    mesh.nodes.iter().for_each(|n| is_position[n.first_vector] = true);
    for element in &mesh.elements {
        let n = element.vectors.len();
        let nodal: &dyn Fn(usize, usize) -> f64 = match &element.kind {
            MeshElementKind::Plate(tables, _) => &|i, j| tables.mass[i][j],
            MeshElementKind::Cable(tables) => &|i, j| tables.mass[i][j],
        };
        let mut compact = [[0.0; LOCAL]; LOCAL];
        let count = element.first.len() - 1;
        for i in 0..count {
            for j in 0..count {
                let m = nodal(i, j);
                for (k, x) in element.row(i) {
                    element.row(j).iter().for_each(|(l, y)| compact[*k as usize][*l as usize] += m * x * y);
                }
            }
        }
        for i in 0..n {
            let vector = element.vectors[i] as usize;
            let met: f64 =
                (0..n).filter(|j| is_position[element.vectors[*j] as usize]).map(|j| compact[i][j]).sum();
            let rest = mesh.vector(&mesh.reference, vector);
            let moment = &mut moments[element.part];
            moment.1 += met * rest;
            if is_position[vector] {
                moment.0 += met;
            }
            for c in 0..3 {
                let slot = mesh.slots[3 * vector + c] as usize;
                if slot < mesh.free {
                    weight[slot] += met;
                }
            }
            for j in 0..n {
                let m = compact[i][j];
                let unit = [m, 0.0, 0.0, 0.0, m, 0.0, 0.0, 0.0, m];
                mesh.scatter_block(element, i, j, &unit, &mut mass);
            }
        }
    }
    for (part, (m, moment)) in mesh.parts.iter_mut().zip(moments) {
        part.mass = m;
        part.centre = moment / m;
    }
    (mesh.mass, mesh.weight) = (mass, weight);
}
