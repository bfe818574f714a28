//! Patches of soil as messages, and the state of the soil that a file has reported so far. Merging turns
//! patches into differences; reading turns them back.

use super::own::{SoilPatch, SoilUpdate};
use crate::patch::{HEIGHT_UNIT, Patch};
use prost_types::Timestamp;
use std::collections::BTreeMap;

/// Most nodes of a patch that are accepted; patches of this program have 33 by 33.
const MOST_NODES: usize = 1 << 16;

/// A whole patch as a message.
pub(crate) fn whole(patch: &Patch) -> SoilPatch {
    let first = patch.undisturbed.first().copied().unwrap_or(0.0);
    let level = patch.undisturbed.iter().all(|h| h.to_bits() == first.to_bits());
    let undisturbed = if level { vec![first] } else { patch.undisturbed.clone() };
    SoilPatch { undisturbed, ..changes(patch, patch.change.iter().copied()) }
}

/// The changes since `before`, which has the same nodes; `None` if there are none.
fn difference(patch: &Patch, before: &Patch) -> Option<SoilPatch> {
    let by = patch.change.iter().zip(&before.change).map(|(now, then)| now.wrapping_sub(*then));
    Some(changes(patch, by)).filter(|message| !message.changes.is_empty())
}

/// A message of the values that are not zero.
fn changes(patch: &Patch, values: impl Iterator<Item = i32>) -> SoilPatch {
    let (mut runs, mut changes) = (Vec::new(), Vec::new());
    let (mut skipped, mut taken) = (0, 0);
    for value in values {
        if value == 0 {
            if taken > 0 {
                runs.extend([skipped, taken]);
                (skipped, taken) = (0, 0);
            }
            skipped += 1;
        } else {
            taken += 1;
            changes.push(value);
        }
    }
    if taken > 0 {
        runs.extend([skipped, taken]);
    }
    // A patch has fewer nodes than 2³² along each side.
    let (nx, ny) = (patch.nx as u32, patch.ny as u32);
    SoilPatch { i: patch.i, j: patch.j, nx, ny, undisturbed: Vec::new(), runs, changes }
}

/// Patches as an update.
pub(crate) fn update(
    patches: Vec<SoilPatch>,
    spacing: f64,
    timestamp: Timestamp,
    keyframe: bool,
) -> SoilUpdate {
    SoilUpdate { timestamp: Some(timestamp), keyframe, spacing, height_unit: HEIGHT_UNIT, patches }
}

/// The known state of the soil.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Distance between the nodes, m.
    pub spacing: f64,
    patches: BTreeMap<(i32, i32), Patch>,
}

impl Known {
    pub fn patches(&self) -> impl Iterator<Item = &Patch> {
        self.patches.values()
    }

    pub fn get(&self, place: (i32, i32)) -> Option<&Patch> {
        self.patches.get(&place)
    }

    /// Applies a patch; returns the message that reports it, or `None` if nothing changed.
    pub fn learn(&mut self, patch: Patch) -> Option<SoilPatch> {
        let message = match self.patches.get(&patch.place()) {
            Some(before) if before.same_ground(&patch) => difference(&patch, before)?,
            _ => whole(&patch),
        };
        self.patches.insert(patch.place(), patch);
        Some(message)
    }

    /// Applies an update; returns the places of the patches that changed. Invalid patches are an error, and
    /// are left out.
    pub fn apply(&mut self, update: SoilUpdate, changed: &mut Vec<(i32, i32)>) -> Result<(), &'static str> {
        changed.clear();
        if !(update.spacing.is_finite() && update.spacing > 0.0) || update.height_unit != HEIGHT_UNIT {
            return Err("soil of an unknown scale");
        }
        self.spacing = update.spacing;
        let mut result = Ok(());
        for message in &update.patches {
            match self.apply_patch(message) {
                Ok(true) => changed.push((message.i, message.j)),
                Ok(false) => {}
                Err(why) => result = Err(why),
            }
        }
        result
    }

    /// Forgets everything, such as after a gap in a file.
    pub fn clear(&mut self) {
        self.patches.clear();
    }

    fn apply_patch(&mut self, message: &SoilPatch) -> Result<bool, &'static str> {
        let place = (message.i, message.j);
        if message.undisturbed.is_empty() {
            let Some(patch) = self.patches.get_mut(&place) else {
                return Err("a change of soil without an announcement");
            };
            add(message, &mut patch.change)?;
            return Ok(true);
        }
        let patch = patch_of(message)?;
        let known =
            self.patches.get(&place).is_some_and(|p| p.change == patch.change && p.same_ground(&patch));
        if !known {
            self.patches.insert(place, patch);
        }
        Ok(!known)
    }
}

/// The patch of a complete message.
pub(crate) fn patch_of(message: &SoilPatch) -> Result<Patch, &'static str> {
    let (nx, ny) = (message.nx as usize, message.ny as usize);
    let nodes =
        nx.checked_mul(ny).filter(|n| *n <= MOST_NODES).ok_or("a patch of soil too large to believe")?;
    let undisturbed = match &message.undisturbed[..] {
        [level] => vec![*level; nodes],
        heights if heights.len() == nodes => heights.to_vec(),
        _ => return Err("a patch of soil without some of its heights"),
    };
    let mut patch = Patch { i: message.i, j: message.j, nx, ny, undisturbed, change: vec![0; nodes] };
    add(message, &mut patch.change)?;
    Ok(patch)
}

fn add(message: &SoilPatch, change: &mut [i32]) -> Result<(), &'static str> {
    const TORN: &str = "a patch of soil whose changes do not fit it";
    let (mut nodes, mut values) = (change, &message.changes[..]);
    let (runs, rest) = message.runs.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(TORN);
    }
    for [skip, take] in runs {
        nodes.split_off_mut(..*skip as usize).ok_or(TORN)?;
        let run = nodes.split_off_mut(..*take as usize).ok_or(TORN)?;
        let by = values.split_off(..*take as usize).ok_or(TORN)?;
        run.iter_mut().zip(by).for_each(|(node, by)| *node = node.wrapping_add(*by));
    }
    if values.is_empty() { Ok(()) } else { Err(TORN) }
}
