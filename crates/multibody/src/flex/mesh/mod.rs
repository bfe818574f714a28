//! Meshes of plates and cables: nodes, joints of elements, hubs, and assembly into sparse systems.
//!
//! # Model
//! A node has the unknowns r and F = ∂r/∂X (12 numbers: r, then the columns of F). An element takes its gradients as F·J₀ with the
//! constant J₀ of its own stress-free form at that node. Elements that meet at an angle (T and V joints) and curved forms are then linear
//! in the unknowns, and so is a hub: nodes tied to a reference node have r = rᴿ + Fᴿ(X − Xᴿ), F = Fᴿ (Samarini et al., Eqs. (1), (2),
//! corrected). All this is eliminated when the mesh is built. A node that only cables touch has r and the tangent r′ alone.
//!
//! # Coordinates
//! *Vectors* are the remaining unknowns in groups of three; each of their components is free (an entry of q)
//! or prescribed. Unconnected parts of the mesh (several wheels) are [`Part`]s; their coordinates are stored
//! one after the other.

mod assemble;
mod build;
mod evaluate;
mod point;

pub use build::{CableElement, Fix, MeshBuilder, PlateElement};
pub use evaluate::{LocalBlocks, LocalVectors};
pub use point::{Point, SurfacePoint};

use super::cable::CableTables;
use super::plate::{Nodal, PlateTables};
use std::ops::Range;
use std::sync::Arc;
use touchdown_math::{Pose, Vec3};
use touchdown_solve::linear::sparse::SparsePattern;

/// The most vectors that an element depends on.
pub const LOCAL: usize = 16;

/// An element as assembled.
#[derive(Clone, Debug)]
pub struct Element {
    /// Its kind.
    pub kind: MeshElementKind,
    /// Nodes, as numbered by the builder.
    pub nodes: Vec<usize>,
    /// The part of the mesh it belongs to.
    pub part: usize,
    /// Vectors it depends on, at most [`LOCAL`].
    pub vectors: Vec<u32>,
    /// Nodal vector i is Σ weight·(vector `local`) over `rows[first[i]..first[i + 1]]`.
    rows: Vec<(u8, f64)>,
    first: Vec<u8>,
    /// Index of the first value of block (i, j), component b of the column: `[(i·n + j)·3 + b]`.
    starts: Vec<u32>,
}

/// Kinds of elements.
#[derive(Clone, Debug)]
pub enum MeshElementKind {
    /// A plate: constants (shared by elements of the same form) and its own stress-free vectors.
    Plate(Arc<PlateTables>, Box<Nodal>),
    /// A cable.
    Cable(Arc<CableTables>),
}

impl MeshElementKind {
    /// The plate's constants and stress-free vectors, if it is one.
    pub fn plate(&self) -> Option<(&PlateTables, &Nodal)> {
        match self {
            MeshElementKind::Plate(tables, reference) => Some((tables, reference)),
            MeshElementKind::Cable(_) => None,
        }
    }
}

/// Elements that are joined, directly or through others: a wheel of several.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its free coordinates.
    pub coordinates: Range<usize>,
    /// Its vectors.
    pub vectors: Range<usize>,
    /// Its elements.
    pub elements: Vec<usize>,
    /// Its mass, kg.
    pub mass: f64,
    /// Centre of mass in the stress-free form, m.
    pub centre: Vec3,
}

/// A node as assembled: its vectors in terms of those of the mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Position in the stress-free form, m.
    pub position: Vec3,
    /// Reference node it is tied to, if any.
    pub tied_to: Option<usize>,
    /// First of its vectors (those of the reference node if tied): r, then columns of F (or r′ of a cable).
    pub first_vector: usize,
    /// 4, or 2 where only cables meet.
    pub vectors: usize,
    /// Direction of r′ where only cables meet.
    tangent: Option<Vec3>,
    part: usize,
}

/// Where a component of a vector is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Entry of q.
    Free(usize),
    /// Entry of the prescribed values.
    Prescribed(usize),
}

/// A mesh, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct FlexMesh {
    nodes: Vec<Node>,
    elements: Vec<Element>,
    parts: Vec<Part>,
    /// For each component of each vector: below `free` an entry of q, else of `prescribed`.
    slots: Vec<u32>,
    free: usize,
    prescribed: Vec<f64>,
    reference: Vec<f64>,
    pattern: SparsePattern,
    mass: Vec<f64>,
    /// Mass that uniform acceleration meets at each free coordinate.
    weight: Vec<f64>,
}

impl FlexMesh {
    /// Number of free coordinates.
    pub fn coordinates(&self) -> usize {
        self.free
    }

    /// Nodes as numbered by the builder.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Elements as numbered by the builder.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// The unconnected parts, such as wheels; their coordinates are not coupled in the mass or the tangent.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Entries of the mass matrix and of the tangent.
    pub fn pattern(&self) -> &SparsePattern {
        &self.pattern
    }

    /// Values of the constant mass matrix in the [pattern](Self::pattern).
    pub fn mass(&self) -> &[f64] {
        &self.mass
    }

    /// Free coordinates of the stress-free form.
    pub fn reference(&self) -> &[f64] {
        &self.reference
    }

    /// Values of prescribed coordinates; [`slot`](Self::slot) identifies them.
    pub fn prescribed(&self) -> &[f64] {
        &self.prescribed
    }

    /// Values of prescribed coordinates, to be changed. They have no rate.
    pub fn prescribed_mut(&mut self) -> &mut [f64] {
        &mut self.prescribed
    }

    /// Where component c of vector `vector` of a node is (0: r, 1–3: columns of F). For tied nodes: of their reference node.
    pub fn slot(&self, node: usize, vector: usize, component: usize) -> Slot {
        self.slot_of(self.nodes[node].first_vector + vector, component)
    }

    /// Where component c of a vector is.
    pub fn slot_of(&self, vector: usize, component: usize) -> Slot {
        let slot = self.slots[3 * vector + component] as usize;
        if slot < self.free { Slot::Free(slot) } else { Slot::Prescribed(slot - self.free) }
    }

    #[inline]
    fn value(&self, q: &[f64], vector: usize, component: usize) -> f64 {
        let slot = self.slots[3 * vector + component] as usize;
        if slot < self.free { q[slot] } else { self.prescribed[slot - self.free] }
    }

    /// A vector: prescribed components included.
    pub fn vector(&self, q: &[f64], vector: usize) -> Vec3 {
        Vec3::from_fn(|c, _| self.value(q, vector, c))
    }

    /// Position of a node.
    pub fn node_position(&self, q: &[f64], node: usize) -> Vec3 {
        let n = &self.nodes[node];
        let r = self.vector(q, n.first_vector);
        let Some(hub) = n.tied_to else { return r };
        let X = n.position - self.nodes[hub].position;
        (0..3).fold(r, |sum, d| sum + X[d] * self.vector(q, n.first_vector + 1 + d))
    }

    /// Mass of the whole mesh, kg.
    pub fn total_mass(&self) -> f64 {
        self.parts.iter().map(|p| p.mass).sum()
    }

    /// Adds the generalised forces of a uniform acceleration g (weight): exact, because it moves positions only.
    pub fn add_gravity(&self, gravity: &Vec3, force: &mut [f64]) {
        for vector in 0..self.slots.len() / 3 {
            for c in 0..3 {
                if let Slot::Free(i) = self.slot_of(vector, c) {
                    force[i] += self.weight[i] * gravity[c];
                }
            }
        }
    }

    /// Adds M·a to `out`.
    pub fn add_mass_times(&self, a: &[f64], out: &mut [f64]) {
        self.pattern.add_product(&self.mass, a, out);
    }

    /// ½ vᵀMv, J.
    pub fn kinetic_energy(&self, v: &[f64]) -> f64 {
        let mut p = vec![0.0; v.len()];
        self.add_mass_times(v, &mut p);
        0.5 * v.iter().zip(&p).map(|(a, b)| a * b).sum::<f64>()
    }

    /// Potential energy of weight, J, up to a constant of prescribed coordinates.
    pub fn potential(&self, gravity: &Vec3, q: &[f64]) -> f64 {
        let mut f = vec![0.0; q.len()];
        self.add_gravity(gravity, &mut f);
        -f.iter().zip(q).map(|(a, b)| a * b).sum::<f64>()
    }

    /// Places a part, in its stress-free form, at a pose: X goes to `pose`·X. Free coordinates only.
    pub fn place(&self, part: usize, pose: &Pose, q: &mut [f64]) {
        self.place_form(part, pose, &self.reference, q);
    }

    /// The same in the form that free coordinates `form` give it in the mesh's own frame.
    pub fn place_form(&self, part: usize, pose: &Pose, form: &[f64], q: &mut [f64]) {
        self.for_each_vector(part, |mesh, vector, is_position| {
            let X = mesh.vector(form, vector);
            let x = pose.R * X + if is_position { pose.p } else { Vec3::zeros() };
            mesh.store(vector, &x, q);
        });
    }

    /// Velocities of a rigid motion of a part from its present form: point `about` moves with `velocity`, all turns with `spin`.
    pub fn set_rigid_rate(
        &self,
        part: usize,
        q: &[f64],
        about: &Vec3,
        velocity: &Vec3,
        spin: &Vec3,
        v: &mut [f64],
    ) {
        self.for_each_vector(part, |mesh, vector, is_position| {
            let x = mesh.vector(q, vector);
            let rate = if is_position { velocity + spin.cross(&(x - about)) } else { spin.cross(&x) };
            mesh.store(vector, &rate, v);
        });
    }

    fn store(&self, vector: usize, value: &Vec3, out: &mut [f64]) {
        for c in 0..3 {
            if let Slot::Free(i) = self.slot_of(vector, c) {
                out[i] = value[c];
            }
        }
    }

    fn for_each_vector(&self, part: usize, mut visit: impl FnMut(&Self, usize, bool)) {
        for node in self.nodes.iter().filter(|n| n.tied_to.is_none() && n.part == part) {
            for v in 0..node.vectors {
                visit(self, node.first_vector + v, v == 0);
            }
        }
    }
}
