//! The heap that a body pushes along: soil that it has deposited and not yet left behind.
//!
//! The factors of `direction` refer to the depth below the undisturbed surface; the tests behind them already
//! include the heap that grows ahead of an intruder. Counted as ground as well, the heap would resist twice
//! and lift the body. With these factors penetration is therefore measured from the ground below that soil.
//! When every body is farther from it than the length of its own footprint, the soil is at rest and counts as
//! ground.

use super::deposit::Window;
use super::law::{Strength, unloaded_ground};
use super::params::{SoilOptions, StressLaw};
use super::state::Soil;
use super::tile::{HEAPED, Memory, NodeAt};

impl SoilOptions {
    /// Whether soil that moves with a body is distinguished from ground.
    pub(super) fn tells_heaps(&self) -> bool {
        self.stress == StressLaw::Directional
    }
}

/// Level of the ground at a node with the surface `level` and soil of this height that moves with a body, m:
/// never below ground that has carried.
#[inline]
pub(super) fn below_heap(soil: &Strength, level: f64, heaped: f64, memory: &Memory) -> f64 {
    let firm = if memory.yield_power > 0.0 { unloaded_ground(soil, memory) } else { f64::NEG_INFINITY };
    (level - heaped).max(firm.min(level))
}

impl Soil {
    /// Marks part of the soil on a node, height in m, as moving with a body.
    pub(super) fn heap_up(&mut self, at: NodeAt, height: f64) {
        let (nodes, node) = (self.write(at.slot).nodes, at.node as usize);
        nodes.heaped[node] += height;
        if nodes.flags[node] & HEAPED == 0 {
            nodes.flags[node] |= HEAPED;
            self.heaped.push(at);
        }
    }

    /// A pressing body keeps the soil around it in motion.
    pub(super) fn keep_moving(&mut self, window: Option<Window>) {
        if self.ground.options.tells_heaps() {
            self.moving.extend(window.map(|window| window.surroundings()));
        }
    }

    /// Soil that every body has left behind comes to rest.
    pub(super) fn settle_heaps(&mut self) {
        let (mut heaped, mut moving) = (std::mem::take(&mut self.heaped), std::mem::take(&mut self.moving));
        heaped.retain(|at| {
            let ((i, j), node) = (self.indices(*at), at.node as usize);
            let is_near =
                moving.iter().any(|[i0, i1, j0, j1]| (*i0..=*i1).contains(&i) && (*j0..=*j1).contains(&j));
            let stays = is_near && self.tiles[at.slot as usize].nodes().heaped[node] > 0.0;
            if !stays {
                let nodes = self.write(at.slot).nodes;
                nodes.heaped[node] = 0.0;
                nodes.flags[node] &= !HEAPED;
            }
            stays
        });
        moving.clear();
        (self.heaped, self.moving) = (heaped, moving);
    }

    /// The nodes with such soil, from their flags.
    pub(super) fn find_heaped(&mut self) {
        let nodes = self.tiles.iter().enumerate().flat_map(|(slot, tile)| {
            let flags = tile.nodes().flags.iter().enumerate().filter(|(_, flags)| **flags & HEAPED != 0);
            flags.map(move |(node, _)| NodeAt { slot: slot as u32, node: node as u16 })
        });
        self.heaped = nodes.collect();
    }
}
