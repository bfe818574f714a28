//! Patches of soil flattened to numbers, on their way through blocks to the frames.
//!
//! One entry per frame: the number of patches, then for each x0, y0, spacing, nx, ny and its heights.

use touchdown_sim::sink::SoilPatch;

/// Numbers of a patch before its heights.
const HEAD: usize = 5;

/// A patch as it lies in the numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Patch<'a> {
    pub x0: f64,
    pub y0: f64,
    pub spacing: f64,
    pub nx: usize,
    pub ny: usize,
    pub heights: &'a [f64],
}

/// Appends the patches of one frame.
pub(crate) fn push(values: &mut Vec<f64>, patches: &[SoilPatch]) {
    values.push(patches.len() as f64);
    for patch in patches {
        values.extend([patch.x0, patch.y0, patch.spacing, patch.nx as f64, patch.ny as f64]);
        values.extend(patch.heights.iter().copied().map(f64::from));
    }
}

/// Takes the patches of the next frame off the front; none where the numbers end.
pub(crate) fn take<'a>(values: &mut &'a [f64]) -> Vec<Patch<'a>> {
    let Some((count, mut rest)) = values.split_first() else { return Vec::new() };
    let mut patches = Vec::with_capacity(*count as usize);
    for _ in 0..*count as usize {
        let Some((head, after)) = rest.split_at_checked(HEAD) else { break };
        let (nx, ny) = (head[3] as usize, head[4] as usize);
        let Some((heights, after)) = after.split_at_checked(nx * ny) else { break };
        patches.push(Patch { x0: head[0], y0: head[1], spacing: head[2], nx, ny, heights });
        rest = after;
    }
    *values = rest;
    patches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_come_back_frame_by_frame() {
        // Two patches, none, one: each frame gets its own, heights to the bit of their 32.
        let patch = |x0: f64, nx: usize, ny: usize| SoilPatch {
            x0,
            y0: -0.5,
            spacing: 0.01,
            nx,
            ny,
            heights: (0..nx * ny).map(|n| 0.1 * n as f32).collect(),
            undisturbed: vec![0.0; nx * ny],
        };
        let frames = [vec![patch(0.0, 3, 2), patch(0.32, 1, 1)], vec![], vec![patch(7.0, 2, 2)]];
        let mut values = Vec::new();
        frames.iter().for_each(|frame| push(&mut values, frame));
        let mut rest = &values[..];
        for frame in &frames {
            let found = take(&mut rest);
            assert_eq!(found.len(), frame.len());
            for (found, given) in found.iter().zip(frame) {
                assert_eq!((found.x0, found.y0, found.spacing), (given.x0, given.y0, given.spacing));
                assert_eq!((found.nx, found.ny), (given.nx, given.ny));
                assert!(found.heights.iter().zip(&given.heights).all(|(f, g)| *f as f32 == *g));
            }
        }
        assert!(rest.is_empty() && take(&mut rest).is_empty());
    }
}
