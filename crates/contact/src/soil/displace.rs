//! Displaced soil: what the footprint gained in depth is split by the motion of the surface (Eqs. 6–8), and put down on the border of
//! the footprint (Eqs. 9–10).
//!
//! Eqs. 9 and 10 pair every node of the footprint with every node of its border. Here the footprint is gathered into at most
//! 3 × 3 groups first, each with the volume and mean place and direction of its nodes, so that the cost grows with the nodes touched.

use super::advance::unloaded;
use super::contact::SoilContact;
use super::detect::Touch;
use super::state::{COVERED, NodeAt, ROOF, SEEN, Soil, UNDER, UNIT, WAKE};
use touchdown_math::Vec3;

/// Groups along each side of the footprint at most. An odd number: then no node lies midway between two groups, and both sides of a
/// symmetric footprint are treated alike.
const GROUPS: usize = 3;

/// Soil on its way from one part of the footprint.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    /// Without direction: units, and place times units.
    sunk: i64,
    sunk_at: [f64; 2],
    /// With direction: units, place times units, direction times units.
    pushed: i64,
    pushed_at: [f64; 2],
    heading: [f64; 2],
}

/// A node of the border.
#[derive(Clone, Copy, Debug)]
struct Border {
    at: NodeAt,
    place: [f64; 2],
    weight: f64,
    gains: i64,
    /// Units for which there is room: under a body that stands still or rises, no more than fills the gap.
    room: i64,
}

/// Memory that the work needs again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    marks: Vec<u8>,
    border: Vec<Border>,
    groups: Vec<Group>,
}

/// The smallest window around the footprint, in grid indices, and how it is cut into groups.
#[derive(Clone, Copy, Debug)]
struct Window {
    i0: i64,
    j0: i64,
    nx: usize,
    ny: usize,
}

impl Window {
    /// The group of a node; of one outside the window: the nearest.
    fn group(&self, i: i64, j: i64) -> usize {
        let block = |k: i64, n: usize| {
            let k = k.clamp(0, n.max(1) as i64 - 1) as usize;
            ((2 * k + 1) * GROUPS) / (2 * n.max(1))
        };
        block(j - self.j0, self.ny) * GROUPS + block(i - self.i0, self.nx)
    }
}

impl SoilContact {
    /// Takes the displaced soil away and puts it down; ends the contact of nodes that were released. `elapsed`: time since the last
    /// time, s.
    pub(super) fn displace(&mut self, soil: &mut Soil, elapsed: f64) {
        let window = self.window();
        let mut scratch = std::mem::take(&mut self.displacing);
        scratch.groups.clear();
        scratch.groups.resize(GROUPS * GROUPS, Group::default());
        for touch in &self.touches {
            soil.tiles[touch.at.slot as usize].flags[touch.at.node as usize] |= SEEN;
        }
        let carry = self.carried_depths(elapsed);
        for index in 0..self.touches.len() {
            let touch = self.touches[index];
            let (i, j) = self.indices(touch.cell as usize);
            let group = &mut scratch.groups[window.map_or(0, |w| w.group(i, j))];
            let place = [i as f64 * soil.spacing, j as f64 * soil.spacing];
            self.displace_node(soil, &touch, place, group);
            if carry > 0.0 {
                self.carry_away(soil, &touch, place, carry, group);
            }
        }
        self.release(soil, window, &mut scratch.groups);
        if let Some(window) = window
            && self.held.carried > 0
        {
            // What found no room before goes down around the middle of the footprint.
            let (i, j) = (2 * window.i0 + window.nx as i64 - 1, 2 * window.j0 + window.ny as i64 - 1);
            let middle = [0.5 * i as f64 * soil.spacing, 0.5 * j as f64 * soil.spacing];
            put(&mut scratch.groups[window.group(i / 2, j / 2)], self.held.carried, middle, true);
            soil.accounts.carried -= i128::from(self.held.carried);
            self.held.carried = 0;
        }
        match window {
            Some(window) => self.deposit(soil, window, &mut scratch),
            None => {
                let left: i64 = scratch.groups.iter().map(|g| g.sunk + g.pushed).sum();
                self.held.carried += left;
                soil.accounts.carried += i128::from(left);
            }
        }
        self.displacing = scratch;
    }

    fn window(&self) -> Option<Window> {
        let first = self.touches.first()?;
        let (mut i0, mut j0) = self.indices(first.cell as usize);
        let (mut i1, mut j1) = (i0, j0);
        for touch in &self.touches {
            let (i, j) = self.indices(touch.cell as usize);
            (i0, i1, j0, j1) = (i0.min(i), i1.max(i), j0.min(j), j1.max(j));
        }
        Some(Window { i0, j0, nx: (i1 - i0 + 1) as usize, ny: (j1 - j0 + 1) as usize })
    }

    /// The node's new displacement, in units, split by Eqs. 6–8.
    fn displace_node(&self, soil: &mut Soil, touch: &Touch, place: [f64; 2], group: &mut Group) {
        let strength = *self.strength(touch.soil);
        let tile = &mut soil.tiles[touch.at.slot as usize];
        let node = touch.at.node as usize;
        let memory = &mut tile.memory[node];
        let level = unloaded(memory, tile.flags[node], &strength);
        let units = (memory.cover * (memory.done - level) / UNIT).round() as i64;
        if units <= 0 {
            return;
        }
        memory.done = level;
        tile.moved[node] -= units;
        tile.changed = true;
        let parts = split(touch, units);
        soil.accounts.book(units, parts);
        if !soil.options.deposition {
            soil.accounts.compacted += i128::from(units);
            return;
        }
        put(group, parts[0], place, true);
        put(group, parts[1] + parts[2], place, false);
        let pushed = (parts[1] + parts[2]) as f64;
        let flat = (touch.v.x * touch.v.x + touch.v.y * touch.v.y).sqrt();
        if flat > 0.0 {
            group.heading[0] += pushed * touch.v.x / flat;
            group.heading[1] += pushed * touch.v.y / flat;
        }
    }

    /// Layer that sliding carries off per unit of the sliding speed, s: thickness · time / length of the footprint along the slide.
    fn carried_depths(&self, elapsed: f64) -> f64 {
        if self.carried_layer <= 0.0 || self.touches.is_empty() {
            return 0.0;
        }
        let slide: Vec3 = self.touches.iter().map(sliding).sum();
        let flat = (slide.x * slide.x + slide.y * slide.y).sqrt();
        if flat == 0.0 {
            return 0.0;
        }
        let along = [slide.x / flat, slide.y / flat];
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for touch in &self.touches {
            let (i, j) = self.indices(touch.cell as usize);
            let s = i as f64 * along[0] + j as f64 * along[1];
            (least, most) = (least.min(s), most.max(s));
        }
        let length = (most - least + 1.0) * self.spacing;
        self.carried_layer * elapsed / length
    }

    /// A surface that slides drags a layer along: the node and all that it remembers go down by it.
    fn carry_away(&self, soil: &mut Soil, touch: &Touch, place: [f64; 2], rate: f64, group: &mut Group) {
        let slide = sliding(touch);
        let depth = rate * slide.norm();
        let tile = &mut soil.tiles[touch.at.slot as usize];
        let node = touch.at.node as usize;
        let memory = &mut tile.memory[node];
        let units = (memory.cover * depth / UNIT).round() as i64;
        if units <= 0 {
            return;
        }
        for level in [&mut memory.top, &mut memory.low, &mut memory.done, &mut memory.yield_level] {
            *level -= depth;
        }
        tile.level[node] = memory.top;
        tile.moved[node] -= units;
        soil.accounts.handled += i128::from(units);
        if !soil.options.deposition {
            soil.accounts.compacted += i128::from(units);
            return;
        }
        put(group, units, place, false);
        let flat = (slide.x * slide.x + slide.y * slide.y).sqrt();
        if flat > 0.0 {
            group.heading[0] += units as f64 * slide.x / flat;
            group.heading[1] += units as f64 * slide.y / flat;
        }
    }

    /// Ends the contact of nodes that the body no longer presses; what they still owe goes with the rest.
    fn release(&mut self, soil: &mut Soil, window: Option<Window>, groups: &mut [Group]) {
        let mut under = std::mem::take(&mut self.held.under);
        for at in under.drain(..) {
            let tile = &mut soil.tiles[at.slot as usize];
            let node = at.node as usize;
            if tile.flags[node] & SEEN != 0 {
                continue;
            }
            let strength = *self.strength(tile.soil[node]);
            let memory = &mut tile.memory[node];
            let level = unloaded(memory, tile.flags[node], &strength);
            let units = ((memory.cover * (memory.done - level) / UNIT).round() as i64).max(0);
            tile.moved[node] -= units;
            memory.done = level;
            tile.flags[node] = tile.flags[node] & !(UNDER | COVERED) | WAKE;
            tile.level[node] = level;
            let (i, j) = soil.indices(at);
            soil.accounts.book(units, [units, 0, 0]);
            if soil.options.deposition {
                let place = [i as f64 * soil.spacing, j as f64 * soil.spacing];
                put(&mut groups[window.map_or(0, |w| w.group(i, j))], units, place, true);
            } else {
                soil.accounts.compacted += i128::from(units);
            }
            self.held.wake.push(at);
        }
        for touch in &self.touches {
            soil.tiles[touch.at.slot as usize].flags[touch.at.node as usize] &= !SEEN;
            under.push(touch.at);
        }
        self.held.under = under;
        self.update_roof(soil);
        let mut wake = std::mem::take(&mut self.held.wake);
        wake.retain(|at| {
            let mut pressed = |dx, dy| {
                let n = soil.beside(*at, dx, dy);
                soil.tiles[n.slot as usize].flags[n.node as usize] & UNDER != 0
            };
            let near = NEIGHBOURS.iter().any(|(dx, dy)| pressed(*dx, *dy));
            let keep = near && soil.tiles[at.slot as usize].flags[at.node as usize] & UNDER == 0;
            if !keep {
                soil.leave(*at, WAKE);
            }
            keep
        });
        self.held.wake = wake;
    }

    /// Marks the nodes over which the body stands without pressing.
    fn update_roof(&mut self, soil: &mut Soil) {
        let mut roof = std::mem::take(&mut self.held.roof);
        let before = roof.len();
        self.for_each_roofed(|i, j| {
            let at = soil.node(i, j);
            let flags = &mut soil.tiles[at.slot as usize].flags[at.node as usize];
            *flags |= ROOF | SEEN;
            roof.push(at);
        });
        for at in roof.drain(..before) {
            if soil.tiles[at.slot as usize].flags[at.node as usize] & SEEN == 0 {
                soil.leave(at, ROOF);
            }
        }
        for at in &roof {
            soil.tiles[at.slot as usize].flags[at.node as usize] &= !SEEN;
        }
        self.held.roof = roof;
    }

    /// Puts the groups down on the border.
    fn deposit(&mut self, soil: &mut Soil, window: Window, scratch: &mut Scratch) {
        self.find_border(soil, window, scratch);
        let m = soil.options.spread_exponent;
        let nearest = soil.spacing * soil.spacing;
        let Scratch { border, groups, .. } = scratch;
        for group in groups.iter() {
            if group.sunk > 0 {
                let from = group.sunk_at.map(|p| p / group.sunk as f64);
                weigh_by_distance(border, from, nearest);
                self.share(soil, border, group.sunk);
            }
            if group.pushed > 0 {
                let from = group.pushed_at.map(|p| p / group.pushed as f64);
                if !weigh_by_direction(border, from, group.heading, m) {
                    weigh_by_distance(border, from, nearest);
                }
                self.share(soil, border, group.pushed);
            }
        }
        for border in border.iter().filter(|b| b.gains > 0) {
            soil.raise(border.at, border.gains);
        }
    }

    /// The nodes beside the footprint on which no body presses.
    fn find_border(&self, soil: &mut Soil, window: Window, scratch: &mut Scratch) {
        let (nx, ny) = (window.nx + 2, window.ny + 2);
        scratch.marks.clear();
        scratch.marks.resize(nx * ny, 0);
        for touch in &self.touches {
            let (i, j) = self.indices(touch.cell as usize);
            let cell = (j - window.j0 + 1) as usize * nx + (i - window.i0 + 1) as usize;
            scratch.marks[cell] = 2;
            for beside in [
                cell - nx - 1,
                cell - nx,
                cell - nx + 1,
                cell - 1,
                cell + 1,
                cell + nx - 1,
                cell + nx,
                cell + nx + 1,
            ] {
                scratch.marks[beside] |= 1;
            }
        }
        scratch.border.clear();
        for (cell, mark) in scratch.marks.iter().enumerate() {
            if *mark != 1 {
                continue;
            }
            let (i, j) = (window.i0 - 1 + (cell % nx) as i64, window.j0 - 1 + (cell / nx) as i64);
            let at = soil.node(i, j);
            let tile = &soil.tiles[at.slot as usize];
            let node = at.node as usize;
            if tile.flags[node] & UNDER == 0 && tile.base[node].is_finite() {
                let place = [i as f64 * soil.spacing, j as f64 * soil.spacing];
                let room = if tile.flags[node] & ROOF != 0 {
                    ((self.underside(i, j) - tile.level[node]) / UNIT).clamp(0.0, 1e18) as i64
                } else {
                    i64::MAX
                };
                scratch.border.push(Border { at, place, weight: 0.0, gains: 0, room });
            }
        }
    }

    /// Shares `units` among the border by its weights, to the last unit; what finds no room stays on its way.
    fn share(&mut self, soil: &mut Soil, border: &mut [Border], units: i64) {
        let mut left = units;
        for _ in 0..ROUNDS {
            let total: f64 = border.iter().filter(|b| b.room > 0).map(|b| b.weight).sum();
            if left == 0 || !(total > 0.0 && total.is_finite()) {
                break;
            }
            let scale = left as f64 / total;
            let mut best: Option<usize> = None;
            for k in 0..border.len() {
                let b = &mut border[k];
                if b.room > 0 {
                    let gain = ((b.weight * scale) as i64).min(b.room).min(left);
                    (b.gains, b.room, left) = (b.gains + gain, b.room - gain, left - gain);
                    if best.is_none_or(|best| border[k].weight > border[best].weight) {
                        best = Some(k);
                    }
                }
            }
            // The few units that rounding leaves.
            if let Some(best) = best
                && left < border.len() as i64
            {
                let gain = left.min(border[best].room);
                border[best].gains += gain;
                border[best].room -= gain;
                left -= gain;
            }
        }
        self.held.carried += left;
        soil.accounts.carried += i128::from(left);
    }
}

/// Rounds in which soil that found no room is shared again.
const ROUNDS: usize = 4;

/// The eight directions to a node's neighbours.
pub(super) const NEIGHBOURS: [(i32, i32); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// Velocity of the surface along itself, m/s.
fn sliding(touch: &Touch) -> Vec3 {
    touch.v - touch.m * (touch.m.dot(&touch.v) / touch.m.norm_squared())
}

/// Parts of the displaced units by sinkage (6), bulldozing (7) and shear (8); they sum to the whole.
fn split(touch: &Touch, units: i64) -> [i64; 3] {
    let square = touch.v.norm_squared();
    if square == 0.0 {
        return [units, 0, 0];
    }
    let v_n = touch.m * (touch.m.dot(&touch.v) / touch.m.norm_squared());
    let part = |x: f64| ((units as f64 * (x / square)).round() as i64).clamp(0, units);
    let sinkage = part(v_n.z * v_n.z);
    let bulldozing = part(v_n.x * v_n.x + v_n.y * v_n.y).min(units - sinkage);
    [sinkage, bulldozing, units - sinkage - bulldozing]
}

fn put(group: &mut Group, units: i64, place: [f64; 2], sinks: bool) {
    let weight = units as f64;
    let (sum, at) =
        if sinks { (&mut group.sunk, &mut group.sunk_at) } else { (&mut group.pushed, &mut group.pushed_at) };
    *sum += units;
    at[0] += weight * place[0];
    at[1] += weight * place[1];
}

/// Eq. 9. A group is never nearer to the border than its nodes are: one spacing.
fn weigh_by_distance(border: &mut [Border], from: [f64; 2], nearest: f64) {
    for b in border {
        let d = [b.place[0] - from[0], b.place[1] - from[1]];
        b.weight = 1.0 / (d[0] * d[0] + d[1] * d[1]).max(nearest);
    }
}

/// Eq. 10; `false` if nothing lies ahead.
fn weigh_by_direction(border: &mut [Border], from: [f64; 2], heading: [f64; 2], m: f64) -> bool {
    let length = (heading[0] * heading[0] + heading[1] * heading[1]).sqrt();
    if length == 0.0 {
        return false;
    }
    let mut any = false;
    for b in border {
        let d = [b.place[0] - from[0], b.place[1] - from[1]];
        let ahead = d[0] * heading[0] + d[1] * heading[1];
        b.weight = 0.0;
        if ahead > 0.0 {
            let square = (ahead * ahead) / ((d[0] * d[0] + d[1] * d[1]) * length * length);
            b.weight = if m == 2.0 { square } else { square.powf(0.5 * m) };
            any |= b.weight > 0.0;
        }
    }
    any
}
