//! Erosion: slopes steeper than the angle of friction slide (Krenn & Hirzinger, Eqs. 11–12), a few sweeps at a time.
//!
//! Only nodes whose surroundings changed are looked at; what is still too steep after the last sweep goes on next time.

use super::displace::NEIGHBOURS;
use super::state::{ACTIVE, NodeAt, ROOF, Soil, UNDER, UNIT};

/// Excess over the limit that is left alone, relative to the limit: half of the 0.1 % that counts as at rest.
const REST: f64 = 5e-4;

impl Soil {
    /// Sweeps over the active nodes.
    pub(super) fn erode(&mut self) {
        if !self.options.erosion {
            return;
        }
        for _ in 0..self.options.sweeps {
            if self.active.is_empty() {
                return;
            }
            let mut list = std::mem::take(&mut self.active);
            self.active = std::mem::take(&mut self.next_active);
            for at in &list {
                self.tiles[at.slot as usize].flags[at.node as usize] &= !ACTIVE;
                self.slide(*at);
            }
            list.clear();
            self.next_active = list;
        }
    }

    /// Lets one node slide onto its lower neighbours.
    fn slide(&mut self, at: NodeAt) {
        let tile = &self.tiles[at.slot as usize];
        let node = at.node as usize;
        if tile.flags[node] & (UNDER | ROOF) != 0 || tile.base[node].is_nan() {
            return;
        }
        let height = tile.level[node];
        let limit = self.limits[usize::from(tile.soil[node])];
        let mut steps = [(at, 0.0); 8];
        let (mut count, mut excess, mut sum) = (0, 0.0f64, 0.0);
        for (dx, dy) in NEIGHBOURS {
            let beside = self.beside(at, dx, dy);
            let (other, k) = (&self.tiles[beside.slot as usize], beside.node as usize);
            if other.flags[k] & (UNDER | ROOF) != 0 || other.base[k].is_nan() {
                continue;
            }
            let limit = if dx != 0 && dy != 0 { limit * std::f64::consts::SQRT_2 } else { limit };
            let step = height - other.level[k];
            if step - limit > REST * limit {
                steps[count] = (beside, step);
                count += 1;
                excess = excess.max(step - limit);
                sum += step;
            } else if -step - limit > REST * limit {
                self.activate(beside);
            }
        }
        if count == 0 {
            return;
        }
        let total = (0.5 * excess / UNIT) as i64;
        if total == 0 {
            // Soil without friction flows until the last unit.
            return;
        }
        let mut left = total;
        for (k, (to, step)) in steps[..count].iter().enumerate() {
            let share = if k + 1 == count { left } else { (total as f64 * (step / sum)) as i64 };
            left -= share;
            self.raise(*to, share);
        }
        self.accounts.handled += i128::from(total);
        self.raise(at, -total);
        // What stands above the lowered node may slide now.
        let lower = height - total as f64 * UNIT;
        for (dx, dy) in NEIGHBOURS {
            let beside = self.beside(at, dx, dy);
            let other = &self.tiles[beside.slot as usize];
            let limit = if dx != 0 && dy != 0 { limit * std::f64::consts::SQRT_2 } else { limit };
            if other.level[beside.node as usize] - lower > limit {
                self.activate(beside);
            }
        }
    }
}
