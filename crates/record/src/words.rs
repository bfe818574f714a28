//! The parts of a frame with variable size, as words of 32 bits that pass through blocks: patches of soil,
//! pressures, deforming geometry.
//!
//! One entry per frame: the number of patches, then for each its spacing (two words), the indices of its
//! first node, nx, ny, its heights and undisturbed heights; then the number of bodies in soil, for each the
//! number of nodes, and for each node i, j and pressure; then the number of deforming forms, for each the
//! number of corners, and for each corner its displacement.

use crate::patch::{Patch, index, units};
use touchdown_sim::sink::{Frame, PressureNode, SoilPatch};

/// Words of a patch before its heights.
const HEAD: usize = 6;
/// Words of a node under pressure.
const NODE: usize = 3;
/// Words of a corner that moves.
const CORNER: usize = 3;

/// The parts of a frame beside its fixed numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Varying {
    /// Distance between the soil's nodes, m; zero without patches.
    pub spacing: f64,
    pub patches: Vec<Patch>,
    pub pressures: Vec<Vec<PressureNode>>,
    pub deformations: Vec<Vec<[f32; 3]>>,
}

/// Appends the variable parts of one frame.
pub(crate) fn push(words: &mut Vec<u32>, frame: &Frame) {
    words.push(frame.soil.len() as u32);
    for patch in &frame.soil {
        push_patch(words, patch);
    }
    words.push(frame.pressures.len() as u32);
    for nodes in &frame.pressures {
        words.push(nodes.len() as u32);
        words.extend(nodes.iter().flat_map(|n| [n.i as u32, n.j as u32, n.pressure.to_bits()]));
    }
    words.push(frame.deformations.len() as u32);
    for corners in &frame.deformations {
        words.push(corners.len() as u32);
        words.extend(corners.iter().flatten().map(|d| d.to_bits()));
    }
}

fn push_patch(words: &mut Vec<u32>, patch: &SoilPatch) {
    let spacing = patch.spacing.to_bits();
    words.extend([spacing as u32, (spacing >> 32) as u32]);
    let first = [patch.x0, patch.y0].map(|x| index(x, patch.spacing) as u32);
    words.extend(first);
    words.extend([patch.nx as u32, patch.ny as u32]);
    words.extend(patch.heights.iter().map(|h| h.to_bits()));
    words.extend(patch.undisturbed.iter().map(|h| h.to_bits()));
}

/// Removes the variable parts of the next frame from the front; `None` where the words end.
pub(crate) fn take(words: &mut &[u32]) -> Varying {
    take_whole(words).unwrap_or_default()
}

fn take_whole(words: &mut &[u32]) -> Option<Varying> {
    let mut varying = Varying::default();
    for _ in 0..take_some(words, 1)?[0] {
        let head = take_some(words, HEAD)?;
        varying.spacing = f64::from_bits(u64::from(head[0]) | u64::from(head[1]) << 32);
        let (nx, ny) = (head[4] as usize, head[5] as usize);
        let heights = take_some(words, nx * ny)?.iter().map(|h| f32::from_bits(*h));
        let undisturbed: Vec<f32> = take_some(words, nx * ny)?.iter().map(|h| f32::from_bits(*h)).collect();
        let change = heights.zip(&undisturbed).map(|(height, before)| units(height, *before)).collect();
        varying.patches.push(Patch { i: head[2] as i32, j: head[3] as i32, nx, ny, undisturbed, change });
    }
    for _ in 0..take_some(words, 1)?[0] {
        let count = take_some(words, 1)?[0] as usize;
        let node =
            |n: &[u32]| PressureNode { i: n[0] as i32, j: n[1] as i32, pressure: f32::from_bits(n[2]) };
        varying.pressures.push(take_some(words, NODE * count)?.chunks_exact(NODE).map(node).collect());
    }
    for _ in 0..take_some(words, 1)?[0] {
        let count = take_some(words, 1)?[0] as usize;
        let corners = take_some(words, CORNER * count)?.as_chunks::<CORNER>().0;
        varying.deformations.push(corners.iter().map(|d| d.map(f32::from_bits)).collect());
    }
    Some(varying)
}

fn take_some<'a>(words: &mut &'a [u32], count: usize) -> Option<&'a [u32]> {
    words.split_off(..count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_varies_comes_back_frame_by_frame() {
        // Two patches, none, one; pressures of two bodies, of none; a form that changes: each frame gets its
        // own, and nothing of another.
        let patch = |x0: f64, nx: usize, ny: usize| SoilPatch {
            x0,
            y0: -0.5,
            spacing: 0.01,
            nx,
            ny,
            heights: (0..nx * ny).map(|n| 0.1 * n as f32).collect(),
            undisturbed: (0..nx * ny).map(|n| 0.05 * n as f32).collect(),
        };
        let node = |i, pressure| PressureNode { i, j: -7, pressure };
        let pressures =
            [vec![vec![node(3, 1.5), node(-4, 2e5)], vec![]], vec![], vec![vec![], vec![node(1, 0.5)]]];
        let soil = [vec![patch(0.0, 3, 2), patch(0.32, 1, 1)], vec![], vec![patch(-7.0, 2, 2)]];
        let deformations = [vec![], vec![vec![[0.5, -1e-3, 0.0], [0.0; 3]], vec![]], vec![vec![[7.0; 3]]]];
        let frames: Vec<Frame> = soil
            .into_iter()
            .zip(pressures)
            .zip(deformations)
            .map(|((soil, pressures), deformations)| Frame {
                soil,
                pressures,
                deformations,
                ..Frame::default()
            })
            .collect();
        let mut words = Vec::new();
        frames.iter().for_each(|frame| push(&mut words, frame));
        let mut rest = &words[..];
        for frame in &frames {
            let found = take(&mut rest);
            assert_eq!(found.patches, frame.soil.iter().map(Patch::of).collect::<Vec<_>>());
            assert_eq!(found.pressures, frame.pressures);
            assert_eq!(found.deformations, frame.deformations);
        }
        assert!(rest.is_empty() && take(&mut rest) == Varying::default());
    }
}
