//! From nodes, elements, ties and supports to an assembled mesh.

use super::{Element, ElementKind, FlexMesh, LOCAL, Node, Part};
use crate::flex::FlexError;
use crate::flex::cable::{CableTables, Section};
use crate::flex::material::{Material, out_of_range};
use crate::flex::plate::{Evaluation, Nodal, PlateTables, VECTORS};
use crate::flex::quadrature::Order;
use std::sync::Arc;
use touchdown_math::{Mat3, Vec3};
use touchdown_solve::linear::sparse::SparsePattern;

/// A plate in a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct PlateElement {
    /// Nodes counter-clockwise, seen from the side of ζ = ½.
    pub nodes: [usize; 4],
    /// a, b, t, m.
    pub sizes: [f64; 3],
    /// Stress-free gradients ∂X/∂(x, y, z) at the nodes: columns of 3 × 3 matrices.
    pub gradients: [Mat3; 4],
    /// Which material.
    pub material: usize,
}

/// A cable in a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct CableElement {
    /// Its ends; the stress-free form is the straight line between them.
    pub nodes: [usize; 2],
    /// Cross-section.
    pub section: Section,
    /// Which material.
    pub material: usize,
}

/// What is held of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fix {
    /// Position and all gradients: clamped.
    All,
    /// Position: pinned.
    Position,
    /// Chosen components: r, then the columns of F.
    Components([bool; 12]),
}

/// Matrices of so many different forms are kept (115 kB and 230 kB each); elements of more forms are evaluated by quadrature.
const MOST_FORMS: usize = 400;
/// Forms whose products of vectors differ by less, relative to the largest, are the same.
const SAME_FORM: f64 = 1e-10;

/// Collects a mesh.
#[derive(Clone, Debug, Default)]
pub struct MeshBuilder {
    nodes: Vec<Vec3>,
    ties: Vec<Option<usize>>,
    fixes: Vec<[bool; 12]>,
    materials: Vec<Material>,
    elements: Vec<Given>,
    order: Order,
    evaluation: Evaluation,
}

#[derive(Clone, Debug)]
enum Given {
    Plate(PlateElement),
    Cable(CableElement),
}

impl MeshBuilder {
    /// An empty mesh with exact quadrature.
    pub fn new() -> Self {
        Self::default()
    }

    /// Quadrature of the elastic forces of plates.
    pub fn set_order(&mut self, order: Order) {
        self.order = order;
    }

    /// How elastic forces of plates are evaluated.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.evaluation = evaluation;
    }

    /// Adds a node (or reference node) at a position of the stress-free form, m; returns its number.
    pub fn node(&mut self, position: Vec3) -> usize {
        self.nodes.push(position);
        self.ties.push(None);
        self.fixes.push([false; 12]);
        self.nodes.len() - 1
    }

    /// Adds a material; returns its number.
    pub fn material(&mut self, material: Material) -> usize {
        self.materials.push(material);
        self.materials.len() - 1
    }

    /// Adds a plate; returns the element's number.
    pub fn plate(&mut self, plate: PlateElement) -> usize {
        self.elements.push(Given::Plate(plate));
        self.elements.len() - 1
    }

    /// Adds a cable; returns the element's number.
    pub fn cable(&mut self, cable: CableElement) -> usize {
        self.elements.push(Given::Cable(cable));
        self.elements.len() - 1
    }

    /// Ties a node to a reference node: it follows its position and gradients.
    pub fn tie(&mut self, node: usize, reference: usize) {
        if let Some(tie) = self.ties.get_mut(node) {
            *tie = Some(reference);
        }
    }

    /// Holds components of a node (of its reference node, if it is tied).
    pub fn fix(&mut self, node: usize, fix: Fix) {
        let held = match fix {
            Fix::All => [true; 12],
            Fix::Position => std::array::from_fn(|k| k < 3),
            Fix::Components(held) => held,
        };
        if let Some(fixes) = self.fixes.get_mut(node) {
            (0..12).for_each(|k| fixes[k] |= held[k]);
        }
    }

    /// Position of a node, m.
    pub fn position(&self, node: usize) -> Vec3 {
        self.nodes[node]
    }

    /// Checks and assembles.
    pub fn build(&self) -> Result<FlexMesh, FlexError> {
        self.check()?;
        let mut nodes = self.number_nodes()?;
        let parts = self.find_parts(&mut nodes);
        let vectors: usize = parts.last().map_or(0, |p| p.vectors.end);
        let (slots, free, values) = self.number_slots(&nodes, vectors);
        let mut mesh = FlexMesh {
            nodes,
            elements: Vec::new(),
            parts,
            free,
            reference: values[..free].to_vec(),
            prescribed: values[free..].to_vec(),
            slots,
            pattern: SparsePattern::new(0, []),
            mass: Vec::new(),
            weight: vec![0.0; free],
        };
        mesh.elements = self.make_elements(&mesh)?;
        for part in &mut mesh.parts {
            let range = part.vectors.start * 3..part.vectors.end * 3;
            let is_free = |slot: &&u32| (**slot as usize) < free;
            let count = mesh.slots[range.clone()].iter().filter(is_free).count();
            let first = mesh.slots[..range.start].iter().filter(is_free).count();
            part.coordinates = first..first + count;
        }
        for (number, element) in mesh.elements.iter().enumerate() {
            mesh.parts[element.part].elements.push(number);
        }
        make_pattern(&mut mesh);
        add_masses(&mut mesh);
        Ok(mesh)
    }

    fn check(&self) -> Result<(), FlexError> {
        if self.elements.is_empty() {
            return Err(FlexError::Empty);
        }
        for (node, position) in self.nodes.iter().enumerate() {
            if let Some(bad) = position.iter().find(|x| !x.is_finite()) {
                return Err(out_of_range(&format!("position of node {node}"), "finite", *bad));
            }
        }
        let count = self.nodes.len();
        let known = |element, what, found, count| {
            if found < count { Ok(()) } else { Err(FlexError::Unknown { element, what, found, count }) }
        };
        for (element, given) in self.elements.iter().enumerate() {
            let (nodes, material) = match given {
                Given::Plate(p) => (&p.nodes[..], p.material),
                Given::Cable(c) => (&c.nodes[..], c.material),
            };
            for node in nodes {
                known(element, "node", *node, count)?;
            }
            known(element, "material", material, self.materials.len())?;
        }
        for (node, tie) in self.ties.iter().enumerate() {
            let Some(to) = *tie else { continue };
            known(node, "node", to, count)?;
            if self.ties[to].is_some() || to == node {
                return Err(FlexError::TieToTied { node, to });
            }
        }
        Ok(())
    }

    /// How many vectors each node has.
    fn number_nodes(&self) -> Result<Vec<Node>, FlexError> {
        let mut nodes: Vec<Node> = self
            .nodes
            .iter()
            .zip(&self.ties)
            .map(|(position, tie)| Node {
                position: *position,
                tied_to: *tie,
                first_vector: 0,
                vectors: 0,
                tangent: None,
                part: usize::MAX,
            })
            .collect();
        let hub_of = |node: usize| self.ties[node].unwrap_or(node);
        for given in &self.elements {
            match given {
                Given::Plate(plate) => plate.nodes.iter().for_each(|n| nodes[hub_of(*n)].vectors = 4),
                Given::Cable(cable) => {
                    for n in cable.nodes {
                        let node = &mut nodes[hub_of(n)];
                        node.vectors = node.vectors.max(if self.ties[n].is_some() { 4 } else { 2 });
                    }
                }
            }
        }
        for given in &self.elements {
            let Given::Cable(cable) = given else { continue };
            let direction = self.direction(cable);
            for n in cable.nodes {
                let node = &mut nodes[hub_of(n)];
                if node.vectors == 2 {
                    let tangent = *node.tangent.get_or_insert(direction);
                    if (tangent - direction).norm() > 1e-9 {
                        return Err(out_of_range(
                            &format!("angle between cables at node {n}, degrees"),
                            "zero: only plates and hubs can join cables at an angle",
                            tangent.angle(&direction).to_degrees(),
                        ));
                    }
                }
            }
        }
        for node in 0..nodes.len() {
            let is_hub = self.ties.contains(&Some(node));
            if nodes[node].vectors == 0 && self.ties[node].is_none() {
                // A node with nothing: a hub whose nodes no element touches, or one that was forgotten.
                return Err(if is_hub || self.ties.iter().any(Option::is_some) {
                    FlexError::HubWithoutNodes { node }
                } else {
                    FlexError::LooseNode { node }
                });
            }
        }
        for node in 0..nodes.len() {
            if let Some(hub) = self.ties[node] {
                nodes[node].vectors = nodes[hub].vectors;
            }
        }
        Ok(nodes)
    }

    fn direction(&self, cable: &CableElement) -> Vec3 {
        (self.nodes[cable.nodes[1]] - self.nodes[cable.nodes[0]]).normalize()
    }

    fn nodes_of(given: &Given) -> &[usize] {
        match given {
            Given::Plate(p) => &p.nodes,
            Given::Cable(c) => &c.nodes,
        }
    }

    /// Finds what is joined, and numbers the vectors part by part.
    fn find_parts(&self, nodes: &mut [Node]) -> Vec<Part> {
        let mut leader: Vec<usize> = (0..nodes.len()).map(|n| self.ties[n].unwrap_or(n)).collect();
        fn root(leader: &mut [usize], mut n: usize) -> usize {
            while leader[n] != n {
                leader[n] = leader[leader[n]];
                n = leader[n];
            }
            n
        }
        for given in &self.elements {
            let list = Self::nodes_of(given);
            let first = root(&mut leader, list[0]);
            for n in &list[1..] {
                let other = root(&mut leader, *n);
                let into = root(&mut leader, first);
                // The lowest number leads, so that parts keep the order in which they were described.
                leader[into.max(other)] = into.min(other);
            }
        }
        let mut number = vec![usize::MAX; nodes.len()];
        let mut count = 0;
        for n in 0..nodes.len() {
            let r = root(&mut leader, n);
            if number[r] == usize::MAX {
                number[r] = count;
                count += 1;
            }
            nodes[n].part = number[r];
        }
        let mut parts = Vec::with_capacity(count);
        let mut next = 0;
        for part in 0..count {
            let start = next;
            for node in nodes.iter_mut().filter(|n| n.part == part && n.tied_to.is_none()) {
                node.first_vector = next;
                next += node.vectors;
            }
            parts.push(Part {
                coordinates: 0..0,
                vectors: start..next,
                elements: Vec::new(),
                mass: 0.0,
                centre: Vec3::zeros(),
            });
        }
        for n in 0..nodes.len() {
            if let Some(hub) = nodes[n].tied_to {
                nodes[n].first_vector = nodes[hub].first_vector;
            }
        }
        parts
    }

    /// Free components in order of the vectors, then prescribed ones; and the value of each in the stress-free form.
    fn number_slots(&self, nodes: &[Node], vectors: usize) -> (Vec<u32>, usize, Vec<f64>) {
        let mut held = vec![false; 3 * vectors];
        let mut rest = vec![0.0; 3 * vectors];
        for (number, node) in nodes.iter().enumerate() {
            for k in 0..3 * node.vectors {
                let index = 3 * node.first_vector + k;
                held[index] |= self.fixes[number][k];
                if node.tied_to.is_none() {
                    rest[index] = match (k / 3, k % 3) {
                        (0, c) => node.position[c],
                        (v, c) if node.vectors == 4 => f64::from(u8::from(v == c + 1)),
                        (_, c) => node.tangent.map_or(0.0, |t| t[c]),
                    };
                }
            }
        }
        let free = held.iter().filter(|h| !**h).count();
        let (mut next_free, mut next_held) = (0, free);
        let mut slots = vec![0; 3 * vectors];
        let mut values = vec![0.0; 3 * vectors];
        for index in 0..3 * vectors {
            let next = if held[index] { &mut next_held } else { &mut next_free };
            slots[index] = *next as u32;
            values[*next] = rest[index];
            *next += 1;
        }
        (slots, free, values)
    }

    fn make_elements(&self, mesh: &FlexMesh) -> Result<Vec<Element>, FlexError> {
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
                    ElementKind::Plate(tables, Box::new(reference))
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
                    ElementKind::Cable(Arc::new(tables))
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
            // Products of vectors do not tell a mirrored form; its volume does.
            && tables.check(number, reference).is_ok()
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

fn make_pattern(mesh: &mut FlexMesh) {
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
            // Free components of a vector follow each other, so its rows do in every column.
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
fn add_masses(mesh: &mut FlexMesh) {
    let mut mass = std::mem::take(&mut mesh.mass);
    let mut weight = std::mem::take(&mut mesh.weight);
    let mut moments = vec![(0.0, Vec3::zeros()); mesh.parts.len()];
    // In the stress-free form, positions of all vectors.
    let mut is_position = vec![false; mesh.slots.len() / 3];
    mesh.nodes.iter().for_each(|n| is_position[n.first_vector] = true);
    for element in &mesh.elements {
        let n = element.vectors.len();
        let nodal: &dyn Fn(usize, usize) -> f64 = match &element.kind {
            ElementKind::Plate(tables, _) => &|i, j| tables.mass[i][j],
            ElementKind::Cable(tables) => &|i, j| tables.mass[i][j],
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
