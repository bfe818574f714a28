//! Accepting a step: the memory of the nodes under a body, and, every few steps, the soil that it displaced.

use super::bow::below_heap;
use super::contact::{ContactState, SoilContact};
use super::law::{Strength, THIN, unloaded_ground};
use super::params::FrictionLaw;
use super::state::Soil;
use super::tile::{COVERED, Memory, NOWHERE, ROOF, UNDER, WAKE};
use touchdown_math::Elementary;

/// A stage of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The memory of the nodes under a body is updated.
    Remembered,
    /// The soil that a body displaced has been moved.
    Displaced,
    /// Steep slopes have slid.
    Eroded,
}

impl Soil {
    /// Commits the accepted step that ends at time t. Every contact must have been evaluated at the accepted
    /// state; its memory changes with the soil.
    pub fn advance<'a>(
        &mut self,
        t: f64,
        contacts: impl IntoIterator<Item = (&'a mut SoilContact, &'a mut ContactState)>,
    ) {
        self.advance_in_stages(t, contacts, |_| {});
    }

    /// The same, with a call at the end of each stage (stages of a body: for each body), so that they can be
    /// timed.
    pub fn advance_in_stages<'a>(
        &mut self,
        t: f64,
        contacts: impl IntoIterator<Item = (&'a mut SoilContact, &'a mut ContactState)>,
        mut done: impl FnMut(Stage),
    ) {
        self.steps += 1;
        let moves = self.steps >= self.ground.options.move_every.max(1);
        let elapsed = t - self.time_moved;
        for (contact, held) in contacts {
            contact.remember(self, held);
            contact.drag(self, t - self.time);
            done(Stage::Remembered);
            if moves {
                contact.displace(self, held, elapsed);
                done(Stage::Displaced);
            }
        }
        self.time = t;
        if moves {
            self.erode();
            self.settle_heaps();
            done(Stage::Eroded);
            self.time_moved = t;
            self.steps = 0;
        }
        self.close_tiles();
    }

    /// Time since the last commit, s.
    pub fn since(&self, t: f64) -> f64 {
        (t - self.time).max(0.0)
    }
}

impl SoilContact {
    /// touches ⇒ memories of the nodes.
    fn remember(&mut self, soil: &mut Soil, held: &mut ContactState) {
        if !self.touches.is_empty() {
            held.width = Some(self.width);
        }
        let options = soil.ground.options;
        let elapsed = self.since;
        if options.remembers_motion() {
            self.hold(&options);
        }
        for index in 0..self.touches.len() {
            let touch = &self.touches[index];
            let at = if touch.at.slot == NOWHERE {
                let (i, j) = self.indices(touch.cell as usize);
                soil.node(i, j)
            } else {
                touch.at
            };
            let rise = self.followed_rise(index);
            let level = touch.level + rise;
            let (power, sinkage) = touch.pressure.yields_after(self.strength(touch.soil), rise);
            let (nodes, node) = (soil.write(at.slot).nodes, at.node as usize);
            let (memory, flags) = (&mut nodes.memory[node], &mut nodes.flags[node]);
            if *flags & UNDER == 0 {
                // Not `touch.top`: another body may have put soil down here within this commit.
                let (surface, strength) = (nodes.level[node], self.strength(touch.soil));
                let top = below_heap(strength, surface, nodes.heaped[node], memory);
                (nodes.level[node], nodes.heaped[node]) = (top, 0.0);
                let above = top - unloaded_ground(strength, memory);
                let covered = memory.yield_power > 0.0 && above > THIN;
                // The memory of ground that lost its top moves down with it.
                memory.yield_level += above.min(0.0);
                (memory.top, memory.low, memory.done) = (top, top, surface);
                if *flags & (WAKE | ROOF) == 0 {
                    memory.cover = touch.cover;
                }
                *flags = (*flags | UNDER) & !COVERED | if covered { COVERED } else { 0 };
                held.under.push(at);
            }
            memory.low = if level < memory.low { level } else { memory.low };
            if let Some(held_now) = self.held.get(index) {
                memory.held = *held_now;
            }
            if power > memory.yield_power {
                (memory.yield_power, memory.yield_level, memory.yield_sinkage) = (power, level, sinkage);
                *flags &= !COVERED;
            }
            (self.touches[index].at, self.touches[index].level) = (at, level);
        }
        if options.friction == FrictionLaw::JanosiRim {
            self.carry_along(soil, elapsed);
        }
    }

    /// The mobilised shares move with the surface of the body (upwind, of first order): the inflow from
    /// places where the body has not pressed yet has none.
    fn carry_along(&mut self, soil: &mut Soil, elapsed: f64) {
        const NONE: u32 = u32::MAX;
        let (mut numbers, mut shares) = std::mem::take(&mut self.carrying);
        numbers.clear();
        numbers.resize(self.columns.at.len(), NONE);
        shares.clear();
        for (number, touch) in self.touches.iter().enumerate() {
            numbers[touch.cell as usize] = number as u32;
            shares.push(soil.tiles[touch.at.slot as usize].nodes().memory[touch.at.node as usize].held.share);
        }
        let nx = self.columns.nx;
        for (index, touch) in self.touches.iter().enumerate() {
            let (own, mut share, v) = (shares[index], shares[index], self.velocity(index));
            for (speed, travel, stride) in [(v.x, self.motion.v_WS.x, 1), (v.y, self.motion.v_WS.y, nx)] {
                let cell = touch.cell as usize;
                let from = if speed < 0.0 { cell.checked_add(stride) } else { cell.checked_sub(stride) };
                let found = from.and_then(|cell| numbers.get(cell)).filter(|n| **n != NONE);
                // Beyond the contact: fresh ahead of an approaching body; the same as here beside it and
                // behind it.
                let is_under = from.and_then(|cell| self.columns.at.get(cell)).is_some_and(|c| c.cover > 0.0);
                let beyond = if is_under && speed * travel <= 0.0 { 0.0 } else { own };
                let before = found.map_or(beyond, |n| shares[*n as usize]);
                share += (before - own) * (speed.abs() * elapsed / self.spacing).min(0.5);
            }
            soil.write(touch.at.slot).nodes.memory[touch.at.node as usize].held.share = share;
        }
        self.carrying = (numbers, shares);
    }
}

/// Level to which a node under a body would spring back, m.
pub(super) fn unloaded(memory: &Memory, flags: u8, soil: &Strength) -> f64 {
    if flags & COVERED == 0 {
        return unloaded_ground(soil, memory).min(memory.top);
    }
    let p = soil.modulus * (memory.top - memory.low).max(0.0).power(soil.exponent);
    (memory.low + p * soil.softness).min(memory.top)
}
