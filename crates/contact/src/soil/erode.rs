//! Erosion: slopes steeper than the angle of friction slide (Krenn & Hirzinger, Eqs. 11–12), a few sweeps at a time.
//!
//! Only nodes whose surroundings changed are examined; slopes that are still too steep after the last sweep
//! continue next time.

use super::displace::NEIGHBOURS;
use super::nodes::Nodes;
use super::state::Soil;
use super::tile::{ACTIVE, AREA, NodeAt, ROOF, SIDE, Tile, UNDER, UNIT};
use wide::f64x2;

/// Tolerated excess over the limit, relative to the limit: half of the 0.1 % that counts as at rest.
const REST: f64 = 5e-4;

impl Soil {
    /// Sweeps over the active nodes.
    pub(super) fn erode(&mut self) {
        if !self.ground.options.erosion {
            return;
        }
        for sweep in 0..self.ground.options.sweeps {
            if self.active.is_empty() {
                return;
            }
            let mut list = std::mem::take(&mut self.active);
            self.active = std::mem::take(&mut self.next_active);
            // Every other sweep runs backwards, so that no side is favoured.
            for k in 0..list.len() {
                let at = list[if sweep % 2 == 0 { k } else { list.len() - 1 - k }];
                self.write(at.slot).nodes.flags[at.node as usize] &= !ACTIVE;
                self.slide(at);
            }
            list.clear();
            self.next_active = list;
        }
    }

    /// Lets one node slide onto its lower neighbours.
    fn slide(&mut self, at: NodeAt) {
        let (tile, node) = (&self.tiles[at.slot as usize], at.node as usize);
        let nodes = tile.nodes();
        if tile.bed.base[node].is_nan() {
            return;
        }
        if nodes.flags[node] & (UNDER | ROOF) != 0 {
            if let Some(wall) = tile.wall(node) {
                self.slide_wall(at, wall);
            }
            return;
        }
        let (height, limit) = (nodes.level[node], self.ground.limits[usize::from(tile.bed.soil[node])]);
        let (mut around, mut levels) = ([at; 8], [0.0; 8]);
        let (x, y) = (node % SIDE, node / SIDE);
        if x > 0 && y > 0 && x < SIDE - 1 && y < SIDE - 1 {
            for k in 0..8 {
                // Always inside; the mask lets the compiler omit the check.
                let beside = (node as isize + BESIDE[k]) as usize % AREA;
                around[k].node = beside as u16;
                levels[k] = nodes.open_level(beside);
            }
            // Called in each branch and not after both: the levels stay in registers.
            self.slide_onto(at, height, limit, &around, &levels);
        } else {
            for (k, (dx, dy)) in NEIGHBOURS.iter().enumerate() {
                around[k] = self.beside(at, *dx, *dy);
                levels[k] = self.tiles[around[k].slot as usize].nodes().open_level(around[k].node as usize);
            }
            self.slide_onto(at, height, limit, &around, &levels);
        }
    }

    /// Nodes under a body neither lose nor gain soil, but soil beside the body in a partly covered cell
    /// slides off like any other soil. Otherwise soil that is repeatedly squeezed out there would grow into a
    /// tower.
    fn slide_wall(&mut self, at: NodeAt, wall: Wall) {
        let tile = &self.tiles[at.slot as usize];
        let limit = self.ground.limits[usize::from(tile.bed.soil[at.node as usize])];
        let (mut around, mut steps, mut excess) = ([at; 8], [0.0; 8], 0.0f64);
        for (k, (dx, dy)) in NEIGHBOURS.iter().enumerate() {
            around[k] = self.beside(at, *dx, *dy);
            let level = self.tiles[around[k].slot as usize].nodes().open_level(around[k].node as usize);
            let (step, limit) = (wall.height - level, limit * REACH[k]);
            if step - limit > REST * limit {
                steps[k] = step;
                excess = excess.max(step - limit);
            }
        }
        let total = (0.5 * excess * wall.part / UNIT) as i64;
        let Some(last) = steps.iter().rposition(|step| *step > 0.0).filter(|_| total > 0) else { return };
        let (mut left, scale) = (total, total as f64 / steps.iter().sum::<f64>());
        let tells_heaps = self.ground.options.tells_heaps();
        for k in (0..=last).filter(|k| steps[*k] > 0.0) {
            let share = if k == last { left } else { (scale * steps[k]) as i64 };
            left -= share;
            self.raise(around[k], share);
            if tells_heaps {
                self.heap_up(around[k], share as f64 * UNIT);
            }
        }
        self.accounts.handled += i128::from(total);
        // The level under the body is not touched.
        self.write(at.slot).lift(at.node as usize, -total);
        self.activate(at);
    }

    /// The same with the neighbours and their levels, not a number where nothing may move.
    #[inline(always)]
    fn slide_onto(&mut self, at: NodeAt, height: f64, limit: f64, around: &[NodeAt; 8], levels: &[f64; 8]) {
        let mut steps = [0.0; 8];
        let (mut excess, mut lower, mut higher) = (f64x2::ZERO, 0, 0);
        // Two neighbours in the lanes: a diagonal and a straight one.
        for k in [0, 2, 4, 6] {
            let limit = f64x2::splat(limit) * f64x2::new([REACH[k], REACH[k + 1]]);
            let rest = f64x2::splat(REST) * limit;
            let step = f64x2::splat(height) - f64x2::new([levels[k], levels[k + 1]]);
            let (over, under) = (step - limit, -step - limit);
            let slides = over.simd_gt(rest);
            excess = (over & slides).fast_max(excess);
            [steps[k], steps[k + 1]] = (step & slides).to_array();
            lower |= slides.to_bitmask() << k;
            higher |= under.simd_gt(rest).to_bitmask() << k;
        }
        for k in bits(higher) {
            self.activate(around[k]);
        }
        let [a, b] = excess.to_array();
        let total = (0.5 * a.max(b) / UNIT) as i64;
        // Soil without friction flows until the last unit.
        if total == 0 {
            return;
        }
        let (mut left, scale) = (total, total as f64 / steps.iter().sum::<f64>());
        let last = lower.ilog2() as usize;
        // Soil that moves with a body lies on top and slides first.
        let heaped = self.tiles[at.slot as usize].nodes().heaped[at.node as usize];
        let part = (heaped / (total as f64 * UNIT)).min(1.0);
        for k in bits(lower) {
            let share = if k == last { left } else { (scale * steps[k]) as i64 };
            left -= share;
            self.raise(around[k], share);
            if part > 0.0 {
                self.heap_up(around[k], part * share as f64 * UNIT);
            }
        }
        self.accounts.handled += i128::from(total);
        self.raise(at, -total);
        // Neighbours above the lowered node may slide now; raised nodes are examined in any case.
        let lowered = height - total as f64 * UNIT;
        let mut above = 0;
        for k in [0, 2, 4, 6] {
            let limit = f64x2::splat(limit) * f64x2::new([REACH[k], REACH[k + 1]]);
            let step = f64x2::new([levels[k], levels[k + 1]]) - f64x2::splat(lowered);
            above |= step.simd_gt(limit).to_bitmask() << k;
        }
        for k in bits(above & !lower) {
            self.activate(around[k]);
        }
    }
}

/// Soil that stands beside a body in a cell that it covers in part.
#[derive(Clone, Copy)]
struct Wall {
    /// Its height in the world, m.
    height: f64,
    /// The part of the cell that it fills.
    part: f64,
}

impl Tile {
    /// The soil beside the body in the cell of a node under one.
    fn wall(&self, node: usize) -> Option<Wall> {
        let (nodes, memory) = (self.nodes(), &self.nodes().memory[node]);
        let part = 1.0 - memory.cover;
        if part <= 0.0 || part >= 1.0 {
            return None;
        }
        let floor = if nodes.flags[node] & UNDER != 0 { memory.done } else { nodes.level[node] };
        let rise = self.surface(node) - floor;
        (rise > 0.0).then(|| Wall { height: floor + rise / part, part })
    }
}

impl Nodes {
    /// Level of a node that may slide or gain; not a number, for which all comparisons are false, under a
    /// body and where there is no ground.
    #[inline(always)]
    fn open_level(&self, node: usize) -> f64 {
        // All bits set give not-a-number. Branch-free, because the branch would be unpredictable.
        let closed = u64::from(self.flags[node] & (UNDER | ROOF) != 0).wrapping_neg();
        f64::from_bits(self.level[node].to_bits() | closed)
    }
}

/// Positions of the set bits, from the lowest on.
#[inline(always)]
fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let k = (mask != 0).then_some(mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        k
    })
}

/// Distance of the neighbours over the spacing (Eq. 11; √2 on diagonals), in the order of `NEIGHBOURS`.
const REACH: [f64; 8] = {
    const D: f64 = std::f64::consts::SQRT_2;
    [D, 1.0, D, 1.0, 1.0, D, 1.0, D]
};

/// From a node to its neighbours in the same tile, in the same order.
const BESIDE: [isize; 8] = {
    const S: isize = SIDE as isize;
    [-S - 1, -S, -S + 1, -1, 1, S - 1, S, S + 1]
};
