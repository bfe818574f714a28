//! Erosion: slopes steeper than the angle of friction slide (Krenn & Hirzinger, Eqs. 11–12), a few sweeps at a time.
//!
//! Only nodes whose surroundings changed are looked at; what is still too steep after the last sweep goes on next time.

use super::displace::NEIGHBOURS;
use super::state::{ACTIVE, NodeAt, ROOF, SIDE, Soil, UNDER, UNIT};

/// Excess over the limit that is left alone, relative to the limit: half of the 0.1 % that counts as at rest.
const REST: f64 = 5e-4;

impl Soil {
    /// Sweeps over the active nodes.
    pub(super) fn erode(&mut self) {
        if !self.options.erosion {
            return;
        }
        for sweep in 0..self.options.sweeps {
            if self.active.is_empty() {
                return;
            }
            let mut list = std::mem::take(&mut self.active);
            self.active = std::mem::take(&mut self.next_active);
            // Every other sweep runs backwards, so that no side is favoured.
            for k in 0..list.len() {
                let at = list[if sweep % 2 == 0 { k } else { list.len() - 1 - k }];
                self.tiles[at.slot as usize].flags[at.node as usize] &= !ACTIVE;
                self.slide(at);
            }
            list.clear();
            self.next_active = list;
        }
    }

    /// Lets one node slide onto its lower neighbours.
    fn slide(&mut self, at: NodeAt) {
        let (tile, node) = (&self.tiles[at.slot as usize], at.node as usize);
        if tile.flags[node] & (UNDER | ROOF) != 0 || tile.base[node].is_nan() {
            return;
        }
        let mut around = [at; 8];
        let (x, y) = (node % SIDE, node / SIDE);
        if x > 0 && y > 0 && x < SIDE - 1 && y < SIDE - 1 {
            for (beside, (dx, dy)) in around.iter_mut().zip(NEIGHBOURS) {
                beside.node = (node as i32 + dy * SIDE as i32 + dx) as u16;
            }
        } else {
            for (beside, (dx, dy)) in around.iter_mut().zip(NEIGHBOURS) {
                *beside = self.beside(at, dx, dy);
            }
        }
        self.slide_onto(at, &around);
    }

    fn slide_onto(&mut self, at: NodeAt, around: &[NodeAt; 8]) {
        let (tile, node) = (&self.tiles[at.slot as usize], at.node as usize);
        let height = tile.level[node];
        let limit = self.limits[usize::from(tile.soil[node])];
        let mut steps = [0.0; 8];
        let (mut excess, mut sum, mut last) = (0.0f64, 0.0, 8);
        for k in 0..8 {
            let (other, n) = (&self.tiles[around[k].slot as usize], around[k].node as usize);
            let limit = limit * REACH[k];
            let step = height - other.level[n];
            // Not a number where there is no ground: neither more nor less than anything.
            if step - limit > REST * limit {
                if other.flags[n] & (UNDER | ROOF) == 0 {
                    steps[k] = step;
                    excess = excess.max(step - limit);
                    sum += step;
                    last = k;
                }
            } else if -step - limit > REST * limit && other.flags[n] & (UNDER | ROOF | ACTIVE) == 0 {
                self.activate(around[k]);
            }
        }
        let total = (0.5 * excess / UNIT) as i64;
        // Soil without friction flows until the last unit.
        if total == 0 {
            return;
        }
        let (mut left, scale) = (total, total as f64 / sum);
        for k in 0..=last {
            if steps[k] > 0.0 {
                let share = if k == last { left } else { (scale * steps[k]) as i64 };
                left -= share;
                self.raise(around[k], share);
            }
        }
        self.accounts.handled += i128::from(total);
        self.raise(at, -total);
        // What stands above the lowered node may slide now.
        let lower = height - total as f64 * UNIT;
        for k in 0..8 {
            let (other, n) = (&self.tiles[around[k].slot as usize], around[k].node as usize);
            if other.level[n] - lower > limit * REACH[k] && other.flags[n] & (UNDER | ROOF | ACTIVE) == 0 {
                self.activate(around[k]);
            }
        }
    }
}

/// Distance of the neighbours over the spacing (Eq. 11; √2 on diagonals), in the order of `NEIGHBOURS`.
const REACH: [f64; 8] = {
    const D: f64 = std::f64::consts::SQRT_2;
    [D, 1.0, D, 1.0, 1.0, D, 1.0, D]
};
