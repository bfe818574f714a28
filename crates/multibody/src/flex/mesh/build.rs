//! From nodes, elements, ties and supports to an assembled mesh.

use super::assemble::{add_masses, make_pattern};
use super::{FlexMesh, Node, Part};
use crate::flex::FlexError;
use crate::flex::cable::Section;
use crate::flex::material::{Material, out_of_range};
use crate::flex::plate::Evaluation;
use crate::flex::quadrature::Order;
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

/// Held components of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fix {
    /// Position and all gradients: clamped.
    All,
    /// Position: pinned.
    Position,
    /// Chosen components: r, then the columns of F.
    Components([bool; 12]),
}

/// Collects a mesh.
#[derive(Clone, Debug, Default)]
pub struct MeshBuilder {
    pub(super) nodes: Vec<Vec3>,
    ties: Vec<Option<usize>>,
    fixes: Vec<[bool; 12]>,
    pub(super) materials: Vec<Material>,
    pub(super) elements: Vec<Given>,
    pub(super) order: Order,
    pub(super) evaluation: Evaluation,
}

#[derive(Clone, Debug)]
pub(super) enum Given {
    // Boxed: a plate is three times as large as a cable.
    Plate(Box<PlateElement>),
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
        self.elements.push(Given::Plate(Box::new(plate)));
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
            if nodes[node].vectors == 0 && self.ties[node].is_none() {
                // A node without element: a hub with unconnected nodes, or an unused node.
                return Err(if self.ties.iter().any(Option::is_some) {
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

    pub(super) fn direction(&self, cable: &CableElement) -> Vec3 {
        (self.nodes[cable.nodes[1]] - self.nodes[cable.nodes[0]]).normalize()
    }

    pub(super) fn nodes_of(given: &Given) -> &[usize] {
        match given {
            Given::Plate(p) => &p.nodes,
            Given::Cable(c) => &c.nodes,
        }
    }

    /// Finds connected parts, and numbers the vectors part by part.
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
                // The lowest number represents the part, so that parts keep the order of the description.
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
}
