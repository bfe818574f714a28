//! A tile: a square of nodes on its bed, with the slots of its neighbours.
//!
//! A copy of the soil shares beds and nodes. A commit opens the tiles that it writes, which copies nodes that are shared, and closes them
//! when it is done.

use super::nodes::{Nodes, SharedNodes};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Nodes along the side of a tile.
pub(super) const SIDE: usize = 32;
const SHIFT: u32 = SIDE.trailing_zeros();
/// Nodes of a tile.
pub(super) const AREA: usize = SIDE * SIDE;
/// The unit of displacement, m: 2⁻⁵⁰, a millionth of a nanometre. 64 bits of it reach ±8 km.
pub(super) const UNIT: f64 = 1.0 / (1u64 << 50) as f64;
/// No tile.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A body presses on the node.
pub(super) const UNDER: u8 = 1;
/// A body has just released the node and still stands beside it.
pub(super) const WAKE: u8 = 2;
/// The node is scheduled for erosion.
pub(super) const ACTIVE: u8 = 4;
/// Fresh soil lies on ground that carried a body before: see `law`.
pub(super) const COVERED: u8 = 8;
/// A body is above the node without pressing: erosion skips it.
pub(super) const ROOF: u8 = 16;
/// Scratch of `displace`: the present step touches the node.
pub(super) const SEEN: u8 = 32;
/// Part of the soil on the node moves with a body: see `bow`.
pub(super) const HEAPED: u8 = 64;

/// The surface of a tile changed since it was last drawn,
pub(super) const CHANGED: u8 = 1;
/// also in its first column, which the tile before it along x draws, too,
pub(super) const CHANGED_COLUMN: u8 = 2;
/// or in its first row, which the tile before it along y draws.
pub(super) const CHANGED_ROW: u8 = 4;

/// Numbers in a memory.
pub(super) const MEMORY_NUMBERS: usize = 13;

/// Motion of a body on a node on which it presses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Held {
    /// Direction of its sliding, x and y, of length one after a fraction of a millimetre.
    pub anchor: [f64; 2],
    /// Mobilised share of the shear strength, 1 − e^(−j/K).
    pub share: f64,
    /// Pressure and drag over the pressure of a level plate pushed down.
    pub bearing: f64,
    /// See `bearing`.
    pub drag: f64,
}

impl Held {
    /// For a node that the body has just reached.
    pub const NEW: Held = Held { anchor: [0.0; 2], share: 0.0, bearing: 1.0, drag: 0.0 };
}

/// Memory of a node. Levels are heights in the world, m.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memory {
    /// Surface when the present contact began: the reference of its penetration.
    pub top: f64,
    /// Lowest level of the body in the present contact.
    pub low: f64,
    /// Unloaded level down to which the displaced soil has been removed.
    pub done: f64,
    /// Greatest load carried so far: zⁿ of the pressure law, so that the pressure is K·zⁿ; zero for virgin soil.
    pub yield_power: f64,
    /// Level of the body at that load.
    pub yield_level: f64,
    /// Virgin sinkage z that belongs to it, m.
    pub yield_sinkage: f64,
    /// Fraction of the cell that the body covered when its displaced soil was last removed; the rest of the
    /// cell is higher.
    pub cover: f64,
    /// Soil that the ground below has absorbed by compaction, in units: a whole number.
    pub packed: f64,
    /// Motion of the body on the node.
    pub held: Held,
}

impl Memory {
    /// Its numbers as bits, in the order of its fields.
    #[inline]
    pub fn bits(&self) -> [u64; MEMORY_NUMBERS] {
        let Held { anchor: [x, y], share, bearing, drag } = self.held;
        [
            self.top,
            self.low,
            self.done,
            self.yield_power,
            self.yield_level,
            self.yield_sinkage,
            self.cover,
            self.packed,
            x,
            y,
            share,
            bearing,
            drag,
        ]
        .map(f64::to_bits)
    }

    /// From those bits.
    pub fn from_bits(bits: [u64; MEMORY_NUMBERS]) -> Memory {
        let [
            top,
            low,
            done,
            yield_power,
            yield_level,
            yield_sinkage,
            cover,
            packed,
            x,
            y,
            share,
            bearing,
            drag,
        ] = bits.map(f64::from_bits);
        Memory {
            top,
            low,
            done,
            yield_power,
            yield_level,
            yield_sinkage,
            cover,
            packed,
            held: Held { anchor: [x, y], share, bearing, drag },
        }
    }
}

/// The constant data of a tile: the undisturbed ground.
#[derive(Clone, Debug)]
pub(super) struct Bed {
    /// Undisturbed level, m; NaN where there is no ground.
    pub base: [f64; AREA],
    /// Index of the soil.
    pub soil: [u8; AREA],
}

impl Bed {
    /// Highest undisturbed level, m.
    pub fn highest(&self) -> f64 {
        self.base.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }
}

/// A square of nodes.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    /// Place among tiles.
    pub key: (i32, i32),
    /// Slots of the eight neighbours, by (dy + 1)·3 + dx + 1. Derived.
    pub beside: [u32; 9],
    /// No level of the tile lies above this, m.
    pub highest: f64,
    /// `CHANGED` and the like: changes not yet drawn. Nothing that moves soil reads it.
    pub changed: u8,
    pub bed: Arc<Bed>,
    /// Empty while the tile is open.
    nodes: SharedNodes,
    /// The nodes while a commit writes them, owned by the tile, so that a write needs no check for sharing.
    open: Option<Box<Nodes>>,
}

impl Tile {
    /// A tile at rest, without neighbours so far and not yet drawn.
    pub fn new(key: (i32, i32), bed: Arc<Bed>, nodes: SharedNodes, highest: f64) -> Tile {
        let changed = CHANGED | CHANGED_COLUMN | CHANGED_ROW;
        Tile { key, beside: [NOWHERE; 9], highest, changed, bed, nodes, open: None }
    }

    /// Its nodes.
    #[inline(always)]
    pub fn nodes(&self) -> &Nodes {
        match &self.open {
            Some(nodes) => nodes,
            None => self.nodes.get(),
        }
    }

    /// Its nodes, to be shared. Only while it is closed.
    pub fn shared(&self) -> &SharedNodes {
        &self.nodes
    }

    /// Whether a commit writes it.
    #[inline(always)]
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// For writing; opens it if necessary, and copies its nodes if they are shared. Only through
    /// `Soil::write`, which closes it again.
    #[inline(always)]
    pub fn write(&mut self) -> TileMut<'_> {
        let nodes = self.open.get_or_insert_with(|| self.nodes.take());
        TileMut { bed: &self.bed, nodes, highest: &mut self.highest, changed: &mut self.changed }
    }

    /// Ends writing.
    pub fn close(&mut self) {
        if let Some(nodes) = self.open.take() {
            self.nodes.put(nodes);
        }
    }

    /// Surface of a node without load, m.
    #[inline]
    pub fn surface(&self, node: usize) -> f64 {
        self.bed.base[node] + self.nodes().moved[node] as f64 * UNIT
    }
}

/// A tile that is being written.
pub(super) struct TileMut<'a> {
    pub bed: &'a Bed,
    pub nodes: &'a mut Nodes,
    pub highest: &'a mut f64,
    changed: &'a mut u8,
}

impl TileMut<'_> {
    /// Surface of a node without load, m.
    #[inline]
    pub fn surface(&self, node: usize) -> f64 {
        self.bed.base[node] + self.nodes.moved[node] as f64 * UNIT
    }

    /// Raises the surface of a node by units; negative ones lower it, first the soil that moves with a body.
    #[inline]
    pub fn lift(&mut self, node: usize, units: i64) {
        self.nodes.moved[node] += units;
        if units < 0 && self.nodes.heaped[node] > 0.0 {
            self.nodes.heaped[node] = (self.nodes.heaped[node] + units as f64 * UNIT).max(0.0);
        }
        let column = if node.is_multiple_of(SIDE) { CHANGED_COLUMN } else { 0 };
        let row = if node < SIDE { CHANGED_ROW } else { 0 };
        *self.changed |= CHANGED | column | row;
    }
}

/// A node: slot of its tile and index in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct NodeAt {
    pub slot: u32,
    pub node: u16,
}

/// Tile and index in it of the node (i, j).
#[inline]
pub(super) fn locate(i: i64, j: i64) -> ((i32, i32), usize) {
    let (ti, tj) = (i >> SHIFT, j >> SHIFT);
    let node = ((j - (tj << SHIFT)) as usize) * SIDE + (i - (ti << SHIFT)) as usize;
    ((ti as i32, tj as i32), node)
}

/// Grid indices of a node of the tile `key`.
pub(super) fn indices(key: (i32, i32), node: usize) -> (i64, i64) {
    let along = |k: i32, n: usize| i64::from(k) * SIDE as i64 + n as i64;
    (along(key.0, node % SIDE), along(key.1, node / SIDE))
}

/// Whether a node keeps the form of a body that does not press on it, so that its level is not its surface.
pub(super) fn is_held(flags: u8) -> bool {
    flags & UNDER == 0 && flags & (WAKE | ROOF) != 0
}
