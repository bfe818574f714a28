//! Pattern ⇒ order of elimination and fronts: done once for a pattern.

use super::SparsePattern;
use std::collections::{BTreeSet, HashMap};

/// A front: unknowns that are eliminated together, and those that their Schur complement changes.
#[derive(Clone, Debug)]
pub(super) struct Front {
    /// Unknowns eliminated here, in order.
    pub pivots: Vec<u32>,
    /// Coupled unknowns eliminated later, in the order of their elimination.
    pub rest: Vec<u32>,
    /// Fronts whose Schur complements are added here, in the order in which they were computed.
    pub children: Vec<usize>,
    /// Place of each of `rest` among the pivots and the rest of the parent.
    pub in_parent: Vec<u32>,
    /// Entries of the matrix that belong here: index of the value, row and column in the front.
    pub own: Vec<(u32, u32, u32)>,
}

impl Front {
    /// Pivots and rest.
    pub fn size(&self) -> usize {
        self.pivots.len() + self.rest.len()
    }
}

/// The fronts of a pattern, children before parents.
#[derive(Clone, Debug)]
pub(super) struct Fronts {
    pub n: usize,
    pub fronts: Vec<Front>,
    /// Largest size of a front.
    pub largest: usize,
    /// Largest number of values that wait for their parents at one time.
    pub waiting: usize,
}

/// A block of unknowns in the elimination: its neighbours that are eliminated later.
struct Eliminated {
    block: usize,
    later: Vec<usize>,
}

impl Fronts {
    pub fn new(pattern: &SparsePattern) -> Fronts {
        let blocks = join_alike(pattern);
        let order = minimum_degree(&blocks, pattern);
        let mut fronts = supernodes(&blocks, &order);
        place_entries(pattern, &mut fronts);
        let largest = fronts.iter().map(Front::size).max().unwrap_or(0);
        let (mut now, mut waiting) = (0, 0);
        for front in &fronts {
            let r = front.rest.len();
            // The children wait until they are added; the new rest stays in the front meanwhile.
            now -= front.children.iter().map(|c| fronts[*c].rest.len().pow(2)).sum::<usize>();
            now += r * r;
            waiting = waiting.max(now);
        }
        Fronts { n: pattern.size(), fronts, largest, waiting }
    }
}

/// Unknowns with the same pattern, as blocks.
fn join_alike(pattern: &SparsePattern) -> Vec<Vec<u32>> {
    let mut blocks: Vec<Vec<u32>> = Vec::new();
    let mut of: HashMap<&[u32], usize> = HashMap::new();
    for k in 0..pattern.size() {
        // Only for lookup: the order of the blocks is that of their first unknowns.
        let at = *of.entry(pattern.rows(k)).or_insert(blocks.len());
        if at == blocks.len() {
            blocks.push(Vec::new());
        }
        blocks[at].push(k as u32);
    }
    blocks
}

/// Eliminates the block with the fewest unknowns around it first (ties: the first), separators of large
/// patterns last, and records the fill of each.
fn minimum_degree(blocks: &[Vec<u32>], pattern: &SparsePattern) -> Vec<Eliminated> {
    let mut of = vec![0; pattern.size()];
    for (b, block) in blocks.iter().enumerate() {
        block.iter().for_each(|k| of[*k as usize] = b);
    }
    let mut around: Vec<Vec<usize>> = blocks
        .iter()
        .enumerate()
        .map(|(b, block)| {
            let mut list: Vec<usize> =
                pattern.rows(block[0] as usize).iter().map(|i| of[*i as usize]).filter(|o| *o != b).collect();
            list.sort_unstable();
            list.dedup();
            list
        })
        .collect();
    let degree = |list: &[usize]| list.iter().map(|b| blocks[*b].len()).sum::<usize>();
    let rank = super::dissect::ranks(&around);
    let mut queue: BTreeSet<(u32, usize, usize)> =
        around.iter().enumerate().map(|(b, list)| (rank[b], degree(list), b)).collect();
    let mut order = Vec::new();
    while let Some((_, _, block)) = queue.pop_first() {
        let later = std::mem::take(&mut around[block]);
        for &b in &later {
            queue.remove(&(rank[b], degree(&around[b]), b));
            let joined = merge(&around[b], &later, block, b);
            around[b] = joined;
            queue.insert((rank[b], degree(&around[b]), b));
        }
        order.push(Eliminated { block, later });
    }
    order
}

/// Merges two ascending lists, without two of their members.
fn merge(a: &[usize], b: &[usize], without: usize, nor: usize) -> Vec<usize> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let next = match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) => *x.min(y),
            (Some(x), None) => *x,
            (None, Some(y)) => *y,
            (None, None) => break,
        };
        i += usize::from(a.get(i) == Some(&next));
        j += usize::from(b.get(j) == Some(&next));
        if next != without && next != nor {
            out.push(next);
        }
    }
    out
}

/// Blocks in a post-order of the elimination tree, with chains joined if this causes no fill-in.
fn supernodes(blocks: &[Vec<u32>], order: &[Eliminated]) -> Vec<Front> {
    let n = order.len();
    let mut when = vec![0; n];
    order.iter().enumerate().for_each(|(k, e)| when[e.block] = k);
    let parent: Vec<Option<usize>> = order.iter().map(|e| e.later.iter().map(|b| when[*b]).min()).collect();
    let mut children = vec![Vec::new(); n];
    (0..n).for_each(|k| parent[k].into_iter().for_each(|p| children[p].push(k)));
    let mut post = Vec::with_capacity(n);
    let mut stack: Vec<(usize, bool)> =
        (0..n).rev().filter(|k| parent[*k].is_none()).map(|k| (k, false)).collect();
    while let Some((k, done)) = stack.pop() {
        if done {
            post.push(k);
        } else {
            stack.push((k, true));
            stack.extend(children[k].iter().rev().map(|c| (*c, false)));
        }
    }
    let mut place = vec![0; n];
    post.iter().enumerate().for_each(|(at, k)| place[*k] = at);
    let mut fronts: Vec<Front> = Vec::new();
    let mut front_of = vec![0; n];
    let width = |k: usize| blocks[order[k].block].len();
    let size = |k: usize| order[k].later.iter().map(|b| blocks[*b].len()).sum::<usize>();
    for (at, &k) in post.iter().enumerate() {
        let before = at.checked_sub(1).map(|a| post[a]);
        let joins = before.filter(|b| parent[*b] == Some(k) && size(*b) == size(k) + width(k));
        let mut later: Vec<usize> = order[k].later.iter().map(|b| place[when[*b]]).collect();
        later.sort_unstable();
        let rest: Vec<u32> =
            later.iter().flat_map(|p| blocks[order[post[*p]].block].iter().copied()).collect();
        let own = blocks[order[k].block].iter().copied();
        let grown = children[k].iter().copied().filter(|c| Some(*c) != joins);
        // A chain keeps the children of its first block; those of later blocks are joined to it as well.
        let mut left: Vec<usize> = grown.map(|c| front_of[c]).collect();
        match (joins, fronts.last_mut()) {
            (Some(_), Some(front)) if left.is_empty() => {
                front.pivots.extend(own);
                front.rest = rest;
                front_of[k] = fronts.len() - 1;
            }
            _ => {
                left.extend(joins.map(|c| front_of[c]));
                left.sort_unstable();
                front_of[k] = fronts.len();
                fronts.push(Front {
                    pivots: own.collect(),
                    rest,
                    children: left,
                    in_parent: Vec::new(),
                    own: Vec::new(),
                });
            }
        }
    }
    connect(&mut fronts);
    fronts
}

/// Sets the position of each rest in its parent.
fn connect(fronts: &mut [Front]) {
    for p in 0..fronts.len() {
        let local: HashMap<u32, u32> = {
            let f = &fronts[p];
            f.pivots.iter().chain(&f.rest).zip(0..).map(|(k, at)| (*k, at)).collect()
        };
        for c in fronts[p].children.clone() {
            fronts[c].in_parent = fronts[c].rest.iter().map(|k| local[k]).collect();
        }
    }
}

/// Assigns every entry of the matrix to the front that eliminates its first unknown.
fn place_entries(pattern: &SparsePattern, fronts: &mut [Front]) {
    let mut front_of = vec![0; pattern.size()];
    for (f, front) in fronts.iter().enumerate() {
        front.pivots.iter().for_each(|k| front_of[*k as usize] = f);
    }
    let mut local = vec![0u32; pattern.size()];
    for f in 0..fronts.len() {
        let front = &fronts[f];
        front.pivots.iter().chain(&front.rest).zip(0..).for_each(|(k, at)| local[*k as usize] = at);
        let mut own = Vec::new();
        for &j in &front.pivots {
            let column = j as usize;
            for (i, k) in pattern.rows(column).iter().zip(pattern.first(column)..) {
                let row = *i as usize;
                if front_of[row] < f {
                    continue;
                }
                own.push((k as u32, local[row], local[column]));
                if front_of[row] > f
                    && let Some(mirror) = pattern.find(column, row)
                {
                    own.push((mirror as u32, local[column], local[row]));
                }
            }
        }
        fronts[f].own = own;
    }
}
