//! Nested dissection of large patterns: selects the blocks that are eliminated last because they separate two
//! pieces.
//!
//! A piece is laid out in levels of distance from a block at its end; the narrowest level near its middle separates it, and both sides are pieces again (George & Liu 1978,
//! *An automatic nested dissection algorithm for irregular finite element problems*). Minimum degree alone leaves fronts on sheets that grow faster than their sides.

use std::collections::VecDeque;

/// Pieces of at most this many blocks are left to minimum degree; patterns of at most [`WHOLE`] are not cut at all.
const PIECE: usize = 48;
const WHOLE: usize = 200;
/// Least share of a piece on either side of a separator.
const SHARE: f64 = 0.3;
/// Deepest cut.
const DEPTH: u32 = 40;

/// Elimination stage of each block: zero first, separators after the pieces that they separate, the first
/// separator last.
pub(super) fn ranks(around: &[Vec<usize>]) -> Vec<u32> {
    let n = around.len();
    let mut rank = vec![0; n];
    if n <= WHOLE {
        return rank;
    }
    let mut pieces = vec![((0..n).collect::<Vec<usize>>(), 0)];
    let mut within = vec![usize::MAX; n];
    let mut number = 0;
    while let Some((piece, depth)) = pieces.pop() {
        if piece.len() <= PIECE || depth >= DEPTH {
            continue;
        }
        piece.iter().for_each(|b| within[*b] = number);
        let levels = levels(around, &within, number, piece[0]);
        number += 1;
        let reached: usize = levels.iter().map(Vec::len).sum();
        if reached < piece.len() {
            // Not connected: the reached blocks, and the rest.
            let mut apart = vec![false; n];
            levels.iter().flatten().for_each(|b| apart[*b] = true);
            let (one, other) = piece.into_iter().partition(|b| apart[*b]);
            pieces.extend([(one, depth), (other, depth)]);
            continue;
        }
        let Some(cut) = narrowest(&levels, piece.len()) else { continue };
        levels[cut].iter().for_each(|b| rank[*b] = DEPTH + 1 - depth);
        let side = |levels: &[Vec<usize>]| levels.iter().flatten().copied().collect::<Vec<usize>>();
        pieces.extend([(side(&levels[..cut]), depth + 1), (side(&levels[cut + 1..]), depth + 1)]);
    }
    rank
}

/// Levels of distance inside a piece from a block at its end: the last block found from the last block found from `start`.
fn levels(around: &[Vec<usize>], within: &[usize], number: usize, start: usize) -> Vec<Vec<usize>> {
    let mut from = start;
    let mut best = spread(around, within, number, from);
    for _ in 0..4 {
        let Some(end) = best.last().and_then(|l| l.iter().min_by_key(|b| (around[**b].len(), **b))) else {
            break;
        };
        let next = spread(around, within, number, *end);
        if next.len() <= best.len() && from != start {
            break;
        }
        (from, best) = (*end, next);
    }
    best
}

fn spread(around: &[Vec<usize>], within: &[usize], number: usize, from: usize) -> Vec<Vec<usize>> {
    let mut seen = std::collections::BTreeSet::from([from]);
    let (mut out, mut queue): (Vec<Vec<usize>>, _) = (Vec::new(), VecDeque::from([(from, 0)]));
    while let Some((b, level)) = queue.pop_front() {
        if out.len() == level {
            out.push(Vec::new());
        }
        out[level].push(b);
        for next in around[b].iter().filter(|c| within[**c] == number) {
            if seen.insert(*next) {
                queue.push_back((*next, level + 1));
            }
        }
    }
    out
}

/// The narrowest level with enough on either side.
fn narrowest(levels: &[Vec<usize>], count: usize) -> Option<usize> {
    let least = (SHARE * count as f64) as usize;
    let mut before = 0;
    let mut best: Option<(usize, usize)> = None;
    for (k, level) in levels.iter().enumerate() {
        let after = count - before - level.len();
        if before >= least && after >= least && best.is_none_or(|(width, _)| level.len() < width) {
            best = Some((level.len(), k));
        }
        before += level.len();
    }
    best.map(|(_, k)| k)
}
