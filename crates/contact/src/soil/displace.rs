//! Displaced soil: the gain in depth of the footprint is split by the motion of the surface (Krenn &
//! Hirzinger, Eqs. 6–8) and removed, with the layer that a sliding surface drags along; nodes on which the
//! body no longer presses are released. `deposit` puts the soil down.

use super::advance::unloaded;
use super::contact::{ContactState, SoilContact};
use super::deposit::{GROUPS, Group, Window};
use super::detect::Touch;
use super::state::Soil;
use super::tile::{COVERED, Memory, NodeAt, ROOF, SEEN, UNDER, UNIT, WAKE};
use touchdown_math::Vec3;

impl SoilContact {
    /// Removes the displaced soil and deposits it; ends the contact of released nodes. `elapsed`: time since
    /// the last call, s.
    pub(super) fn displace(&mut self, soil: &mut Soil, held: &mut ContactState, elapsed: f64) {
        let window = Window::around(self);
        let mut scratch = std::mem::take(&mut self.displacing);
        scratch.groups.clear();
        scratch.groups.resize(GROUPS * GROUPS, Group::default());
        for touch in &self.touches {
            soil.write(touch.at.slot).nodes.flags[touch.at.node as usize] |= SEEN;
        }
        let carry = self.carried_depths(elapsed);
        for index in 0..self.touches.len() {
            let touch = self.touches[index];
            let (i, j) = self.indices(touch.cell as usize);
            let group = &mut scratch.groups[window.map_or(0, |w| w.group(i, j))];
            let place = [i as f64 * soil.ground.spacing, j as f64 * soil.ground.spacing];
            self.displace_node(soil, index, carry, place, group);
            if touch.cover < 1.0 && soil.ground.options.erosion {
                soil.activate(touch.at);
            }
        }
        soil.keep_moving(window);
        self.release(soil, held, window, &mut scratch.groups);
        match window {
            Some(window) => self.deposit(soil, held, window, &mut scratch),
            None => {
                let left: i64 = scratch.groups.iter().map(Group::units).sum();
                held.carried += left;
                soil.accounts.carried += i128::from(left);
            }
        }
        self.displacing = scratch;
    }

    /// The node's new displacement, in units: the layer carried off by sliding (`carry` times its speed) goes
    /// along the slide; the rest is split by Eqs. 6–8.
    fn displace_node(&self, soil: &mut Soil, index: usize, carry: f64, place: [f64; 2], group: &mut Group) {
        let touch = &self.touches[index];
        let strength = *self.strength(touch.soil);
        let (mut tile, node) = (soil.write(touch.at.slot), touch.at.node as usize);
        let surface = tile.surface(node);
        let memory = &mut tile.nodes.memory[node];
        let level = unloaded(memory, tile.nodes.flags[node], &strength);
        let beside = spread(memory, touch.cover, surface - memory.done);
        let units = ((touch.cover * (memory.done - level) + beside) / UNIT).round() as i64;
        if units <= 0 {
            return;
        }
        memory.done = memory.done.min(level);
        tile.lift(node, -units);
        let v = self.velocity(index);
        let slide = sliding(touch, &v);
        let carried = ((touch.cover * carry * slide.norm() / UNIT).round() as i64).min(units);
        let parts = split(touch, &v, units - carried);
        soil.accounts.book(units - carried, parts);
        soil.accounts.handled += i128::from(carried);
        let has_deposits = soil.ground.options.deposition;
        let packed =
            if has_deposits { (strength.compaction * parts[0] as f64).round() as i64 } else { units };
        soil.accounts.compacted += i128::from(packed);
        if packed > 0 {
            soil.write(touch.at.slot).nodes.memory[node].packed += packed as f64;
        }
        if !has_deposits {
            return;
        }
        group.sink(parts[0] - packed, place);
        group.push(parts[1] + parts[2], place, [v.x, v.y]);
        group.push(carried, place, [slide.x, slide.y]);
    }

    /// Layer that sliding carries off per unit of the sliding speed, s: thickness · time / length of the footprint along the slide.
    fn carried_depths(&self, elapsed: f64) -> f64 {
        if self.carried_layer <= 0.0 || self.touches.is_empty() {
            return 0.0;
        }
        let of = |(index, touch): (usize, &Touch)| sliding(touch, &self.velocity(index));
        let slide: Vec3 = self.touches.iter().enumerate().map(of).sum();
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

    /// A surface that slides drags a layer along: the nodes and their memory are lowered by it, step by step
    /// (`elapsed`, s), so that the body follows without losing contact. The soil itself moves with the rest
    /// of the displaced soil.
    pub(super) fn drag(&self, soil: &mut Soil, elapsed: f64) {
        let carry = self.carried_depths(elapsed);
        if carry == 0.0 {
            return;
        }
        for (index, touch) in self.touches.iter().enumerate() {
            let depth = carry * sliding(touch, &self.velocity(index)).norm();
            let (nodes, node) = (soil.write(touch.at.slot).nodes, touch.at.node as usize);
            let memory = &mut nodes.memory[node];
            for level in [&mut memory.top, &mut memory.low, &mut memory.yield_level] {
                *level -= depth;
            }
            nodes.level[node] = memory.top;
        }
    }

    /// Ends the contact of nodes on which the body no longer presses; their remaining displaced soil is added
    /// to the rest.
    fn release(
        &self,
        soil: &mut Soil,
        held: &mut ContactState,
        window: Option<Window>,
        groups: &mut [Group],
    ) {
        let mut under = std::mem::take(&mut held.under);
        for at in under.drain(..) {
            let (mut tile, node) = (soil.write(at.slot), at.node as usize);
            if tile.nodes.flags[node] & SEEN != 0 {
                continue;
            }
            let strength = *self.strength(tile.bed.soil[node]);
            let memory = &mut tile.nodes.memory[node];
            let level = unloaded(memory, tile.nodes.flags[node], &strength);
            let units = ((memory.cover * (memory.done - level) / UNIT).round() as i64).max(0);
            memory.done = level;
            tile.lift(node, -units);
            let was_wake = tile.nodes.flags[node] & WAKE != 0;
            tile.nodes.flags[node] = tile.nodes.flags[node] & !(UNDER | COVERED) | WAKE;
            tile.nodes.level[node] = level;
            take(soil, soil.indices(at), units, window, groups);
            if !was_wake {
                held.wake.push(at);
            }
        }
        for touch in &self.touches {
            soil.write(touch.at.slot).nodes.flags[touch.at.node as usize] &= !SEEN;
            under.push(touch.at);
        }
        held.under = under;
        self.update_roof(soil, held, window, groups);
        let mut wake = std::mem::take(&mut held.wake);
        wake.retain(|at| {
            let mut pressed = |dx, dy| {
                let n = soil.beside(*at, dx, dy);
                soil.tiles[n.slot as usize].nodes().flags[n.node as usize] & UNDER != 0
            };
            let near = NEIGHBOURS.iter().any(|(dx, dy)| pressed(*dx, *dy));
            if near {
                let (i, j) = soil.indices(*at);
                clear_beside(soil, *at, self.column(i, j).cover, window, groups);
            } else {
                soil.leave(*at, WAKE);
            }
            near
        });
        held.wake = wake;
    }

    /// Marks the nodes below the body on which it does not press, below the highest ground on which it
    /// pressed: a limit independent of the window of the contact search.
    fn update_roof(
        &self,
        soil: &mut Soil,
        held: &mut ContactState,
        window: Option<Window>,
        groups: &mut [Group],
    ) {
        let tops = self.touches.iter().map(|touch| touch.top);
        if let Some(highest) = tops.reduce(f64::max) {
            held.highest = Some(highest);
        }
        let highest = held.highest.unwrap_or(f64::NEG_INFINITY);
        let mut roof = std::mem::take(&mut held.roof);
        let before = roof.len();
        self.for_each_roofed(highest, |(i, j), cover| {
            let at = soil.node(i, j);
            soil.write(at.slot).nodes.flags[at.node as usize] |= ROOF | SEEN;
            roof.push(at);
            clear_beside(soil, at, cover, window, groups);
            if cover < 1.0 && soil.ground.options.erosion {
                soil.activate(at);
            }
        });
        for at in roof.drain(..before) {
            if soil.tiles[at.slot as usize].nodes().flags[at.node as usize] & SEEN == 0 {
                soil.leave(at, ROOF);
            }
        }
        for at in &roof {
            soil.write(at.slot).nodes.flags[at.node as usize] &= !SEEN;
        }
        held.roof = roof;
    }
}

/// A body spreads over a cell of which it covered less before: mean height of the soil beside it that it
/// displaces; the soil stands `wall` above the underside on average over the cell.
fn spread(memory: &mut Memory, cover: f64, wall: f64) -> f64 {
    let before = std::mem::replace(&mut memory.cover, cover);
    if cover > before { wall.max(0.0) * (cover - before) / (1.0 - before) } else { 0.0 }
}

/// The form that a body left at a node without pressing fills only part of the cell: the soil beside it is
/// displaced when the body spreads over it.
fn clear_beside(soil: &mut Soil, at: NodeAt, cover: f64, window: Option<Window>, groups: &mut [Group]) {
    let (mut tile, node) = (soil.write(at.slot), at.node as usize);
    if tile.nodes.flags[node] & UNDER != 0 {
        return;
    }
    let wall = tile.surface(node) - tile.nodes.level[node];
    let units = (spread(&mut tile.nodes.memory[node], cover, wall) / UNIT).round() as i64;
    if units > 0 {
        tile.lift(node, -units);
        take(soil, soil.indices(at), units, window, groups);
    }
}

/// Adds the units that a node lost by sinkage to the soil to be deposited.
fn take(soil: &mut Soil, (i, j): (i64, i64), units: i64, window: Option<Window>, groups: &mut [Group]) {
    soil.accounts.book(units, [units, 0, 0]);
    if soil.ground.options.deposition {
        let place = [i as f64 * soil.ground.spacing, j as f64 * soil.ground.spacing];
        groups[window.map_or(0, |w| w.group(i, j))].sink(units, place);
    } else {
        soil.accounts.compacted += i128::from(units);
    }
}

/// The eight directions to a node's neighbours.
pub(super) const NEIGHBOURS: [(i32, i32); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// Velocity of the surface along itself, m/s.
fn sliding(touch: &Touch, v: &Vec3) -> Vec3 {
    v - normal_part(touch, v)
}

/// Velocity of the surface along its normal, m/s.
fn normal_part(touch: &Touch, v: &Vec3) -> Vec3 {
    let m = Vec3::new(touch.m[0], touch.m[1], 1.0);
    m * (m.dot(v) / m.norm_squared())
}

/// Parts of the displaced units by sinkage (6), bulldozing (7) and shear (8); they sum to the whole.
fn split(touch: &Touch, v: &Vec3, units: i64) -> [i64; 3] {
    let square = v.norm_squared();
    if square == 0.0 {
        return [units, 0, 0];
    }
    let v_n = normal_part(touch, v);
    let part = |x: f64| ((units as f64 * (x / square)).round() as i64).clamp(0, units);
    let sinkage = part(v_n.z * v_n.z);
    let bulldozing = part(v_n.x * v_n.x + v_n.y * v_n.y).min(units - sinkage);
    [sinkage, bulldozing, units - sinkage - bulldozing]
}
