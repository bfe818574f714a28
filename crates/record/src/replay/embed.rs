//! The replay inside a report: the same frames, thinned out to fit the budget.

use super::Encoder;
use super::encode::Left;
use super::scene::scene_json;
use crate::frames::{FramesRead, read_frames};
use crate::manifest::Manifest;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use touchdown_sim::sink::{Frame, SoilPatch};

/// Frames kept at first, at most: 2.5 per second over three minutes; the page interpolates bodies between
/// them.
const MOST_FRAMES: usize = 450;
/// Fraction of the budget that the estimate uses, so that a second attempt is rarely needed.
const AIM: f64 = 0.92;
/// With fewer frames than this, pressures are omitted.
const FEW_FRAMES: usize = 120;

/// The scene (JSON) and the gzipped frames of a folder. In base64 the frames take at most `budget` bytes.
/// Frames are omitted evenly in time, never the first nor the last; soil that changed in an omitted frame is
/// in the next one. If few frames are left, pressures are omitted too.
pub fn embedded(dir: &Path, budget: usize) -> (String, Vec<u8>) {
    let mut times = Vec::new();
    let mut read = read_frames(dir, |frame| times.push(frame.time));
    let budget = budget / 4 * 3;
    let mut left = Left::default();
    let mut keep = times.len().min(MOST_FRAMES);
    let mut packed = pack(dir, times.len(), keep, left);
    while packed.len() > budget && keep > 2 {
        let fewer = (keep as f64 * AIM * budget as f64 / packed.len() as f64) as usize;
        if fewer < FEW_FRAMES && !left.pressures {
            left.pressures = true;
            keep = keep.min(2 * FEW_FRAMES);
        } else {
            keep = fewer.clamp(2, keep - 1);
        }
        packed = pack(dir, times.len(), keep, left);
    }
    if packed.len() > budget {
        packed = pack(dir, 0, 0, left);
        read.notes.push("the replay is too large for a page: see `touchdown view`".into());
    } else if left.pressures {
        read.notes.push("pressures are left out of this small replay: see `touchdown view`".into());
    }
    note_rate(&mut read, &times, keep);
    let manifest = Manifest::read(dir).ok();
    (scene_json(manifest.as_ref(), &read.scene, &read.notes), packed)
}

/// The scene states the interval between frames.
fn note_rate(read: &mut FramesRead, times: &[f64], keep: usize) {
    if let [first, .., last] = times
        && keep > 1
    {
        read.scene.frames_every = (last - first) / (keep - 1) as f64;
    }
}

/// Packs `keep` of this many frames.
fn pack(dir: &Path, frames: usize, keep: usize, left: Left) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    let (mut encoder, mut bytes) = (Encoder::default(), Vec::new());
    let mut soil: BTreeMap<(i64, i64), SoilPatch> = BTreeMap::new();
    let mut index = 0;
    read_frames(dir, |frame| {
        // Patches of omitted frames wait for the next frame that is kept.
        for patch in &frame.soil {
            let place = [patch.x0, patch.y0].map(|x| (x / patch.spacing).round() as i64);
            soil.insert((place[0], place[1]), patch.clone());
        }
        if is_kept(index, frames, keep) {
            let soil = std::mem::take(&mut soil).into_values().collect();
            bytes.clear();
            encoder.frame_without(&Frame { soil, ..frame.clone() }, left, &mut bytes);
            // Writing to memory cannot fail.
            let _ = gzip.write_all(&bytes);
        }
        index += 1;
    });
    gzip.finish().unwrap_or_default()
}

/// Whether a frame is one of `keep` that are spread evenly, including the first and the last.
fn is_kept(index: usize, frames: usize, keep: usize) -> bool {
    match (frames, keep) {
        (0, _) | (_, 0) => false,
        (_, 1) | (1, _) => index == 0,
        _ => {
            // The k-th kept frame is the one nearest to k·(frames − 1)/(keep − 1).
            let (gaps, spans) = (keep - 1, frames - 1);
            let k = (2 * index * gaps + spans) / (2 * spans);
            (2 * k * spans + gaps) / (2 * gaps) == index
        }
    }
}
