//! Frames in the format of the page: `viewer/FORMAT.md`.

use crate::patch::Patch;
use std::collections::BTreeMap;
use touchdown_sim::sink::{Frame, PressureNode};

/// Encodes frames in sequence; stores the state of the soil, because a frame contains only changes.
#[derive(Clone, Debug, Default)]
pub struct Encoder {
    /// Changes of the patches up to now, in units of height.
    known: BTreeMap<(i32, i32), Vec<i16>>,
}

/// Parts of a frame that are omitted to make it smaller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Left {
    pub pressures: bool,
}

impl Encoder {
    /// Appends a frame.
    pub fn frame(&mut self, frame: &Frame, out: &mut Vec<u8>) {
        self.frame_without(frame, Left::default(), out);
    }

    pub(super) fn frame_without(&mut self, frame: &Frame, left: Left, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend([0; 4]);
        out.extend(frame.time.to_le_bytes());
        for pose in &frame.poses {
            numbers(out, pose.p_WB.iter().chain(&pose.q_WB));
        }
        for contact in &frame.contacts {
            numbers(out, contact.p_WC.iter().chain(contact.f_W.iter()));
        }
        self.soil(frame, out);
        let bodies = if left.pressures { &[][..] } else { &frame.pressures[..] };
        out.extend(count(bodies.len()).to_le_bytes());
        bodies.iter().for_each(|nodes| pressures(nodes, out));
        out.extend(count(frame.deformations.len()).to_le_bytes());
        frame.deformations.iter().for_each(|corners| deformation(corners, out));
        // A frame is far smaller than four gigabytes.
        let length = (out.len() - start - 4) as u32;
        out[start..start + 4].copy_from_slice(&length.to_le_bytes());
    }

    fn soil(&mut self, frame: &Frame, out: &mut Vec<u8>) {
        let place = out.len();
        out.extend([0; 2]);
        let mut written = 0_u16;
        for patch in &frame.soil {
            if written < u16::MAX && self.patch(&Patch::of(patch), out) {
                written += 1;
            }
        }
        out[place..place + 2].copy_from_slice(&written.to_le_bytes());
    }

    /// Appends a patch; `false` if it has not changed.
    fn patch(&mut self, patch: &Patch, out: &mut Vec<u8>) -> bool {
        let clamp = |change: i32| change.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let now: Vec<i16> = patch.change.iter().map(|change| clamp(*change)).collect();
        let known = self.known.get_mut(&patch.place()).filter(|before| before.len() == now.len());
        let first = known.is_none();
        if known.as_ref().is_some_and(|before| **before == now) {
            return false;
        }
        out.extend(patch.i.to_le_bytes());
        out.extend(patch.j.to_le_bytes());
        out.extend(count(patch.nx).to_le_bytes());
        out.extend(count(patch.ny).to_le_bytes());
        out.push(u8::from(first));
        match known {
            None => {
                put(out, &patch.undisturbed, |height| height.to_le_bytes());
                put(out, &now, |change| change.to_le_bytes());
                self.known.insert(patch.place(), now);
            }
            Some(before) => {
                before.iter_mut().zip(&now).for_each(|(before, now)| *before = now.wrapping_sub(*before));
                put(out, before, |change| change.to_le_bytes());
                *before = now;
            }
        }
        true
    }
}

/// Numbers of 32 bits.
fn numbers<'a>(out: &mut Vec<u8>, values: impl Iterator<Item = &'a f64>) {
    out.extend(values.flat_map(|value| (*value as f32).to_le_bytes()));
}

/// Values in sequence, a block of memory at a time: patches are most of a replay.
fn put<T, const N: usize>(out: &mut Vec<u8>, values: &[T], bytes: impl Fn(&T) -> [u8; N]) {
    let start = out.len();
    out.resize(start + N * values.len(), 0);
    for (place, value) in out[start..].chunks_exact_mut(N).zip(values) {
        place.copy_from_slice(&bytes(value));
    }
}

/// Displacements, scaled so that the largest component is the largest number.
fn deformation(corners: &[[f32; 3]], out: &mut Vec<u8>) {
    let largest = corners.iter().flatten().fold(0.0, |most: f32, d| most.max(d.abs()));
    let scale = if largest > 0.0 { f32::from(i16::MAX) / largest } else { 0.0 };
    // A form has fewer corners than 2³².
    out.extend((corners.len() as u32).to_le_bytes());
    out.extend(largest.to_le_bytes());
    put(out, corners.as_flattened(), |d| ((d * scale).round() as i16).to_le_bytes());
}

/// A count in 16 bits; the numbers of patches, sides of patches and bodies in soil are below that.
fn count(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}

fn pressures(nodes: &[PressureNode], out: &mut Vec<u8>) {
    let base = nodes.first().map_or((0, 0), |n| (n.i, n.j));
    let largest = nodes.iter().map(|n| n.pressure).fold(0.0, f32::max);
    let scale = if largest > 0.0 { f32::from(u16::MAX) / largest } else { 0.0 };
    // A body covers fewer nodes than 2³² in all, and than 2¹⁵ along each side.
    out.extend((nodes.len() as u32).to_le_bytes());
    out.extend(base.0.to_le_bytes());
    out.extend(base.1.to_le_bytes());
    out.extend(largest.to_le_bytes());
    for node in nodes {
        let from = |at: i32, base: i32| (at.wrapping_sub(base)) as i16;
        out.extend(from(node.i, base.0).to_le_bytes());
        out.extend(from(node.j, base.1).to_le_bytes());
        out.extend(((node.pressure * scale).round() as u16).to_le_bytes());
    }
}
