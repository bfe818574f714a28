//! The nodes of a tile: the data that contact changes, and how copies of the soil share them.
//!
//! Heights are displacements from the relief in whole numbers of a very small unit: see `state`.

use super::tile::{AREA, Bed, HEAPED, Memory, UNDER, UNIT, is_held};
use std::sync::Arc;

/// The variable data of a tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nodes {
    /// Level below which the node acts on a body, m: its surface, or the surface when the present contact
    /// began. Derived, except where the node keeps the form of a body (`is_held`).
    pub level: [f64; AREA],
    /// `UNDER` and the like.
    pub flags: [u8; AREA],
    /// Displacement of the surface, in units.
    pub moved: [i64; AREA],
    /// Height of soil on the node that moves with a body, m: see `bow`. Part of `moved`.
    pub heaped: [f64; AREA],
    /// Memory of the nodes.
    pub memory: [Memory; AREA],
}

impl Nodes {
    /// The initial state of the bed.
    pub fn untouched(bed: &Bed) -> Box<Nodes> {
        let mut nodes = Nodes::unlevelled();
        nodes.level = bed.base;
        nodes
    }

    /// The same, with levels still to be derived.
    pub fn unlevelled() -> Box<Nodes> {
        Box::new(Nodes {
            level: [f64::NAN; AREA],
            flags: [0; AREA],
            moved: [0; AREA],
            heaped: [0.0; AREA],
            memory: [Memory::default(); AREA],
        })
    }

    /// Nodes that keep the form of a body without being pressed: their levels cannot be derived.
    pub fn held(&self) -> impl Iterator<Item = usize> + '_ {
        (0..AREA).filter(|node| is_held(self.flags[*node]))
    }

    /// Nodes with soil that moves with a body.
    pub fn heaped(&self) -> impl Iterator<Item = usize> + '_ {
        (0..AREA).filter(|node| self.flags[*node] & HEAPED != 0)
    }

    /// Derives the levels of all other nodes.
    pub fn derive_levels(&mut self, bed: &Bed) {
        for node in (0..AREA).filter(|node| !is_held(self.flags[*node])) {
            self.level[node] = if self.flags[node] & UNDER != 0 {
                self.memory[node].top
            } else {
                bed.base[node] + self.moved[node] as f64 * UNIT
            };
        }
    }
}

/// Equality of everything that influences later results, bit for bit.
impl PartialEq for Nodes {
    fn eq(&self, other: &Nodes) -> bool {
        self.flags == other.flags
            && self.moved == other.moved
            && self.heaped == other.heaped
            && self.memory.iter().zip(&other.memory).all(|(a, b)| a.bits() == b.bits())
            && self.held().all(|node| self.level[node].to_bits() == other.level[node].to_bits())
    }
}

/// Reason that nodes are always present.
const TAKEN: &str = "whoever takes nodes reads his own until he puts them back";

/// Nodes that several copies of the soil may share until one of them writes. They have their own box, so that
/// a sole owner can take them out and put them back without copying or allocating.
#[derive(Clone, Debug)]
pub(super) struct SharedNodes(Arc<Option<Box<Nodes>>>);

impl SharedNodes {
    pub fn new(nodes: Box<Nodes>) -> SharedNodes {
        SharedNodes(Arc::new(Some(nodes)))
    }

    /// The nodes; they must not be taken.
    #[inline(always)]
    pub fn get(&self) -> &Nodes {
        match &*self.0 {
            Some(nodes) => nodes,
            None => unreachable!("{TAKEN}"),
        }
    }

    /// Takes the nodes for writing, or a copy of them if they are shared. `put` must follow.
    #[cold]
    pub fn take(&mut self) -> Box<Nodes> {
        let taken = Arc::get_mut(&mut self.0).and_then(Option::take).or_else(|| {
            let shared = std::mem::replace(&mut self.0, Arc::new(None));
            Option::clone(&shared)
        });
        match taken {
            Some(nodes) => nodes,
            None => unreachable!("{TAKEN}"),
        }
    }

    /// Puts them back.
    pub fn put(&mut self, nodes: Box<Nodes>) {
        match Arc::get_mut(&mut self.0) {
            Some(place) => *place = Some(nodes),
            None => self.0 = Arc::new(Some(nodes)),
        }
    }

    /// Derives the levels that can be.
    pub fn derive_levels(&mut self, bed: &Bed) {
        let mut nodes = self.take();
        nodes.derive_levels(bed);
        self.put(nodes);
    }

    /// Whether both are the same nodes in memory.
    pub fn is_shared_with(&self, other: &SharedNodes) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Equality of everything that influences later results; fast if they are shared.
impl PartialEq for SharedNodes {
    fn eq(&self, other: &SharedNodes) -> bool {
        self.is_shared_with(other) || self.get() == other.get()
    }
}
