//! Saving and restoring the soil: everything that influences later results, without derived data.
//!
//! In memory a saved state shares the nodes with the soil that it was taken from: saving copies nothing. `pack` makes bytes of them.

use super::ground::Ground;
use super::nodes::SharedNodes;
use super::state::Soil;
use super::tile::{AREA, NodeAt, Tile};
use super::volume::Accounts;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Data of the soil for a restart.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SoilState {
    /// The ground on which levels were derived; `None` if they are still to be.
    #[serde(skip)]
    ground: Option<Arc<Ground>>,
    form: Form,
}

/// The form of the soil and its pending work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Form {
    /// In the order of creation, by which `NodeAt` refers to them.
    tiles: Vec<SavedTile>,
    /// In the order in which erosion processes them.
    active: Vec<NodeAt>,
    accounts: Accounts,
    time: f64,
    time_moved: f64,
    steps: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedTile {
    key: (i32, i32),
    highest: f64,
    nodes: SharedNodes,
}

/// States are equal if they continue with the same bits on the same ground.
impl PartialEq for SoilState {
    fn eq(&self, other: &SoilState) -> bool {
        self.form == other.form
    }
}

/// Slots, the last lookup, scratch and drawing marks do not count: `restore` does not need them.
impl PartialEq for Soil {
    fn eq(&self, other: &Soil) -> bool {
        let same_ground = Arc::ptr_eq(&self.ground, &other.ground) || self.ground == other.ground;
        same_ground && self.save() == other.save()
    }
}

impl Soil {
    /// Data for a restart. Copies no tile.
    pub fn save(&self) -> SoilState {
        let tile = |t: &Tile| SavedTile { key: t.key, highest: t.highest, nodes: t.shared().clone() };
        let form = Form {
            tiles: self.tiles.iter().map(tile).collect(),
            active: self.active.clone(),
            accounts: self.accounts,
            time: self.time,
            time_moved: self.time_moved,
            steps: self.steps,
        };
        SoilState { ground: Some(Arc::clone(&self.ground)), form }
    }

    /// Returns to a state of the same ground, with all tiles marked as not drawn; `false`, and nothing
    /// changed, if it does not fit.
    #[must_use]
    pub fn restore(&mut self, state: SoilState) -> bool {
        let levelled = state.ground.is_some_and(|g| Arc::ptr_eq(&g, &self.ground));
        let mut made = Soil::untouched(Arc::clone(&self.ground));
        for saved in state.form.tiles {
            let SavedTile { key, highest, mut nodes } = saved;
            // Tiles at the very ends of the numbers would have no neighbours.
            let ends = [i32::MIN, i32::MAX];
            if made.slot(key).is_some() || ends.contains(&key.0) || ends.contains(&key.1) {
                return false;
            }
            let known = self.slot(key).map(|slot| Arc::clone(&self.tiles[slot as usize].bed));
            let bed = known.unwrap_or_else(|| Arc::new(self.ground.bed(key)));
            if !levelled {
                nodes.derive_levels(&bed);
            }
            made.add_tile(Tile::new(key, bed, nodes, highest));
        }
        let Form { active, accounts, time, time_moved, steps, .. } = state.form;
        let fits = made.holds(&active);
        if fits {
            made.find_heaped();
            *self = Soil { active, accounts, time, time_moved, steps, ..made };
        }
        fits
    }

    /// Whether all these nodes exist.
    pub(super) fn holds(&self, nodes: &[NodeAt]) -> bool {
        nodes.iter().all(|at| (at.slot as usize) < self.tiles.len() && (at.node as usize) < AREA)
    }
}
