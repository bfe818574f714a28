//! Saving and restoring the soil: all that influences later bits, nothing that can be derived from it.

use super::state::Soil;
use super::tile::{AREA, Memory, NOWHERE, NodeAt, Tile, UNDER, is_held};
use super::volume::Accounts;
use serde::{Deserialize, Serialize};

/// What a restart needs of the soil.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SoilState {
    tiles: Vec<TileState>,
    active: Vec<NodeAt>,
    accounts: Accounts,
    time: f64,
    time_moved: f64,
    steps: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct TileState {
    key: (i32, i32),
    moved: Vec<i64>,
    memory: Vec<Memory>,
    flags: Vec<u8>,
    /// Levels of the nodes that keep the form of a body without being pressed (`WAKE`, `ROOF`), in order.
    held: Vec<f64>,
    highest: f64,
    changed: u8,
}

impl Soil {
    /// What a restart needs.
    pub fn state(&self) -> SoilState {
        let tile = |t: &Tile| TileState {
            key: t.key,
            moved: t.moved.to_vec(),
            memory: t.memory.to_vec(),
            flags: t.flags.to_vec(),
            held: (0..AREA).filter(|node| is_held(t.flags[*node])).map(|node| t.level[node]).collect(),
            highest: t.highest,
            changed: t.changed,
        };
        SoilState {
            tiles: self.tiles.iter().map(tile).collect(),
            active: self.active.clone(),
            accounts: self.accounts,
            time: self.time,
            time_moved: self.time_moved,
            steps: self.steps,
        }
    }

    /// Goes back to a state of the same ground; `false` if it does not fit.
    #[must_use]
    pub fn restore(&mut self, state: &SoilState) -> bool {
        self.tiles.clear();
        self.slots.clear();
        self.recent = NOWHERE;
        for saved in &state.tiles {
            let slot = self.slot_or_new(saved.key) as usize;
            let tile = &mut self.tiles[slot];
            if [saved.moved.len(), saved.memory.len(), saved.flags.len()] != [AREA; 3] {
                return false;
            }
            tile.moved.copy_from_slice(&saved.moved);
            tile.memory.copy_from_slice(&saved.memory);
            tile.flags.copy_from_slice(&saved.flags);
            let mut held = saved.held.iter();
            for node in 0..AREA {
                let flags = tile.flags[node];
                tile.level[node] = if is_held(flags) {
                    let Some(level) = held.next() else { return false };
                    *level
                } else if flags & UNDER != 0 {
                    tile.memory[node].top
                } else {
                    tile.surface(node)
                };
            }
            (tile.highest, tile.changed) = (saved.highest, saved.changed);
        }
        self.active.clone_from(&state.active);
        (self.accounts, self.time, self.time_moved, self.steps) =
            (state.accounts, state.time, state.time_moved, state.steps);
        let tiles = self.tiles.len();
        self.active.iter().all(|at| (at.slot as usize) < tiles && (at.node as usize) < AREA)
    }
}

#[cfg(test)]
impl SoilState {
    /// Makes it a state of another shape.
    pub(super) fn break_first_tile(&mut self) {
        self.tiles[0].moved.pop();
    }
}
