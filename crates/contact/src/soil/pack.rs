//! The nodes of a tile as bytes: whole arrays at once, little-endian, without untouched data. Bytes that do
//! not fit are refused.

use super::nodes::{Nodes, SharedNodes};
use super::tile::{ACTIVE, AREA, COVERED, HEAPED, MEMORY_NUMBERS, Memory, ROOF, UNDER, WAKE, is_held};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Bytes of a number.
const NUMBER: usize = size_of::<u64>();
/// Bytes of a memory.
const MEMORY: usize = MEMORY_NUMBERS * NUMBER;
/// Flags that outlive a commit.
const FLAGS: u8 = UNDER | WAKE | ACTIVE | COVERED | ROOF | HEAPED;

impl Nodes {
    /// Flags of all nodes; their displacements; a bit for each node that remembers anything; the memories of those; the levels of the
    /// nodes that are held; the heights of soil that moves with a body. Empty if the tile is unchanged.
    fn pack(&self) -> Vec<u8> {
        let remembers = |node: &usize| self.memory[*node].bits() != [0; MEMORY_NUMBERS];
        let touched: Vec<usize> = (0..AREA).filter(remembers).collect();
        if touched.is_empty() && self.flags == [0; AREA] && self.moved == [0; AREA] {
            return Vec::new();
        }
        let (held, heaped) = (self.held().count(), self.heaped().count());
        let size = AREA + AREA * NUMBER + AREA / 8 + touched.len() * MEMORY + (held + heaped) * NUMBER;
        let mut bytes = Vec::with_capacity(size);
        bytes.extend_from_slice(&self.flags);
        self.moved.iter().for_each(|m| bytes.extend_from_slice(&m.to_le_bytes()));
        let mut mask = [0u8; AREA / 8];
        touched.iter().for_each(|node| mask[node / 8] |= 1 << (node % 8));
        bytes.extend_from_slice(&mask);
        for node in touched {
            let numbers = self.memory[node].bits();
            numbers.iter().for_each(|bits| bytes.extend_from_slice(&bits.to_le_bytes()));
        }
        self.held().for_each(|node| bytes.extend_from_slice(&self.level[node].to_le_bytes()));
        self.heaped().for_each(|node| bytes.extend_from_slice(&self.heaped[node].to_le_bytes()));
        bytes
    }

    /// From those bytes, with the levels of other nodes still to be derived; `None` if they are not of this shape.
    fn unpack(bytes: &[u8]) -> Option<Box<Nodes>> {
        let mut nodes = Nodes::unlevelled();
        if bytes.is_empty() {
            return Some(nodes);
        }
        let mut rest = bytes;
        nodes.flags.copy_from_slice(rest.split_off(..AREA)?);
        if nodes.flags.iter().any(|flags| flags & !FLAGS != 0) {
            return None;
        }
        for moved in &mut nodes.moved {
            *moved = number(&mut rest)? as i64;
        }
        let mask = rest.split_off(..AREA / 8)?;
        for node in (0..AREA).filter(|node| mask[node / 8] >> (node % 8) & 1 == 1) {
            let mut bits = [0; MEMORY_NUMBERS];
            for bits in &mut bits {
                *bits = number(&mut rest)?;
            }
            nodes.memory[node] = Memory::from_bits(bits);
        }
        for node in 0..AREA {
            if is_held(nodes.flags[node]) {
                nodes.level[node] = f64::from_bits(number(&mut rest)?);
            }
        }
        for node in 0..AREA {
            if nodes.flags[node] & HEAPED != 0 {
                nodes.heaped[node] = f64::from_bits(number(&mut rest)?);
            }
        }
        rest.is_empty().then_some(nodes)
    }
}

/// Takes a number off the front.
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let (number, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*number))
}

impl Serialize for SharedNodes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.get().pack())
    }
}

impl<'de> Deserialize<'de> for SharedNodes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SharedNodes, D::Error> {
        deserializer.deserialize_bytes(NodesVisitor)
    }
}

struct NodesVisitor;

impl Visitor<'_> for NodesVisitor {
    type Value = SharedNodes;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "the bytes of a tile of {AREA} nodes")
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<SharedNodes, E> {
        let nodes = Nodes::unpack(bytes).ok_or_else(|| E::invalid_length(bytes.len(), &self))?;
        Ok(SharedNodes::new(nodes))
    }
}
