//! Depositing displaced soil on the border of the footprint (Krenn & Hirzinger, Eqs. 9–10).
//!
//! Eqs. 9 and 10 pair every node of the footprint with every node of its border. Here the footprint is first
//! gathered into at most 3 × 3 groups, each with the volume and mean position and direction of its nodes, so
//! that the cost grows with the nodes touched. All groups share the border at the same time: where there is
//! too little room (under a body at rest or rising), each gets its part of it and is shared again with
//! the rest.

use super::contact::{ContactState, SoilContact};
use super::state::Soil;
use super::tile::{NodeAt, ROOF, UNDER, UNIT};
use touchdown_math::Elementary;

/// Groups along each side of the footprint at most. An odd number: then no node lies midway between two groups, and both sides of a
/// symmetric footprint are treated alike.
pub(super) const GROUPS: usize = 3;

/// Rounds in which soil that found no room is shared again; the remainder is carried by the body.
const ROUNDS: usize = 4;

/// Soil to be deposited from one part of the footprint.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    /// Without direction: units, and place times units.
    sunk: i64,
    sunk_at: [f64; 2],
    /// With direction, by quarter of the compass (+x, −x, +y, −y): soil pushed ahead and soil thrown
    /// back must not cancel.
    pushed: [Pushed; 4],
}

/// Soil with one direction: units, place times units, direction times units.
#[derive(Clone, Copy, Debug, Default)]
struct Pushed {
    units: i64,
    at: [f64; 2],
    heading: [f64; 2],
}

impl Group {
    /// Adds soil that goes to all sides.
    pub fn sink(&mut self, units: i64, place: [f64; 2]) {
        self.sunk += units;
        self.sunk_at = add(self.sunk_at, place, units as f64);
    }

    /// Adds soil that goes along a horizontal velocity.
    pub fn push(&mut self, units: i64, place: [f64; 2], along: [f64; 2]) {
        let [x, y] = along;
        let quarter = if x.abs() >= y.abs() { usize::from(x < 0.0) } else { 2 + usize::from(y < 0.0) };
        let pushed = &mut self.pushed[quarter];
        pushed.units += units;
        pushed.at = add(pushed.at, place, units as f64);
        let speed = x.hypotenuse(y);
        if speed > 0.0 {
            pushed.heading = add(pushed.heading, along, units as f64 / speed);
        }
    }

    /// All of it, units.
    pub fn units(&self) -> i64 {
        self.sunk + self.pushed.iter().map(|p| p.units).sum::<i64>()
    }
}

fn add(sum: [f64; 2], v: [f64; 2], weight: f64) -> [f64; 2] {
    [sum[0] + weight * v[0], sum[1] + weight * v[1]]
}

/// The smallest window around the footprint, in grid indices, and how it is cut into groups.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    i0: i64,
    j0: i64,
    nx: usize,
    ny: usize,
}

impl Window {
    /// Around the loaded nodes; `None` if there are none.
    pub fn around(contact: &SoilContact) -> Option<Window> {
        let first = contact.touches.first()?;
        let (mut i0, mut j0) = contact.indices(first.cell as usize);
        let (mut i1, mut j1) = (i0, j0);
        for touch in &contact.touches {
            let (i, j) = contact.indices(touch.cell as usize);
            (i0, i1, j0, j1) = (i0.min(i), i1.max(i), j0.min(j), j1.max(j));
        }
        Some(Window { i0, j0, nx: (i1 - i0 + 1) as usize, ny: (j1 - j0 + 1) as usize })
    }

    /// The group of a node; of one outside the window: the nearest.
    pub fn group(&self, i: i64, j: i64) -> usize {
        let block = |k: i64, n: usize| {
            let k = k.clamp(0, n as i64 - 1) as usize;
            ((2 * k + 1) * GROUPS) / (2 * n)
        };
        block(j - self.j0, self.ny) * GROUPS + block(i - self.i0, self.nx)
    }

    /// The window extended by its own length on every side: [i_min, i_max, j_min, j_max].
    pub fn surroundings(&self) -> [i64; 4] {
        let (nx, ny) = (self.nx as i64, self.ny as i64);
        let length = nx.max(ny);
        [self.i0 - length, self.i0 + nx - 1 + length, self.j0 - length, self.j0 + ny - 1 + length]
    }

    /// Its middle, m.
    fn middle(&self, spacing: f64) -> [f64; 2] {
        let middle = |first: i64, n: usize| (first as f64 + 0.5 * (n as f64 - 1.0)) * spacing;
        [middle(self.i0, self.nx), middle(self.j0, self.ny)]
    }
}

/// A node of the border.
#[derive(Clone, Copy, Debug)]
struct Border {
    at: NodeAt,
    place: [f64; 2],
    gains: i64,
    /// Units for which there is room: under a body at rest or rising, at most the gap.
    room: i64,
    /// In the present round: units assigned to this node by the groups, then the part of them for which there
    /// is room.
    wanted: f64,
    part: f64,
}

/// Soil to be deposited with one set of weights.
#[derive(Clone, Copy, Debug)]
struct Packet {
    left: i64,
    /// Units per weight in the present round.
    scale: f64,
}

/// Working memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub groups: Vec<Group>,
    marks: Vec<u8>,
    border: Vec<Border>,
    packets: Vec<Packet>,
    /// For each packet, the weights of the border's nodes.
    weights: Vec<f64>,
}

impl SoilContact {
    /// Deposits the groups on the border, and earlier soil without room around the middle of the footprint.
    pub(super) fn deposit(
        &self,
        soil: &mut Soil,
        held: &mut ContactState,
        window: Window,
        scratch: &mut Scratch,
    ) {
        self.find_border(soil, window, scratch);
        scratch.packets.clear();
        scratch.weights.clear();
        let m = soil.ground.options.spread_exponent;
        for k in 0..scratch.groups.len() {
            let group = scratch.groups[k];
            if group.sunk > 0 {
                let from = group.sunk_at.map(|p| p / group.sunk as f64);
                scratch.add_by_distance(group.sunk, from, soil.ground.spacing);
            }
            for pushed in group.pushed.iter().filter(|p| p.units > 0) {
                let from = pushed.at.map(|p| p / pushed.units as f64);
                if !scratch.add_by_direction(pushed.units, from, pushed.heading, m) {
                    scratch.add_by_distance(pushed.units, from, soil.ground.spacing);
                }
            }
        }
        if held.carried > 0 {
            scratch.add_by_distance(held.carried, window.middle(soil.ground.spacing), soil.ground.spacing);
        }
        let left = scratch.share();
        soil.accounts.carried += i128::from(left - held.carried);
        held.carried = left;
        let tells_heaps = soil.ground.options.tells_heaps();
        for border in scratch.border.iter().filter(|b| b.gains > 0) {
            soil.raise(border.at, border.gains);
            if tells_heaps {
                soil.heap_up(border.at, border.gains as f64 * UNIT);
            }
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
            for row in [cell - nx, cell, cell + nx] {
                scratch.marks[row - 1..=row + 1].iter_mut().for_each(|mark| *mark |= 1);
            }
            scratch.marks[cell] = 2;
        }
        scratch.border.clear();
        for (cell, mark) in scratch.marks.iter().enumerate() {
            if *mark != 1 {
                continue;
            }
            let (i, j) = (window.i0 - 1 + (cell % nx) as i64, window.j0 - 1 + (cell / nx) as i64);
            let at = soil.node(i, j);
            let tile = &soil.tiles[at.slot as usize];
            let (nodes, node) = (tile.nodes(), at.node as usize);
            if nodes.flags[node] & UNDER == 0 && tile.bed.base[node].is_finite() {
                let place = [i as f64 * soil.ground.spacing, j as f64 * soil.ground.spacing];
                let room = if nodes.flags[node] & ROOF != 0 {
                    ((self.column(i, j).level - nodes.level[node]) / UNIT).clamp(0.0, 1e18) as i64
                } else {
                    i64::MAX
                };
                scratch.border.push(Border { at, place, gains: 0, room, wanted: 0.0, part: 1.0 });
            }
        }
    }
}

impl Scratch {
    /// Eq. 9. A group is never nearer to the border than its nodes are: one spacing.
    fn add_by_distance(&mut self, units: i64, from: [f64; 2], spacing: f64) {
        self.packets.push(Packet { left: units, scale: 0.0 });
        self.weights.extend(self.border.iter().map(|b| {
            let d = [b.place[0] - from[0], b.place[1] - from[1]];
            1.0 / (d[0] * d[0] + d[1] * d[1]).max(spacing * spacing)
        }));
    }

    /// Eq. 10; returns `false` and adds nothing if no node of the border lies ahead.
    fn add_by_direction(&mut self, units: i64, from: [f64; 2], heading: [f64; 2], m: f64) -> bool {
        let square_of_heading = heading[0] * heading[0] + heading[1] * heading[1];
        if square_of_heading == 0.0 {
            return false;
        }
        let before = self.weights.len();
        let mut any = false;
        self.weights.extend(self.border.iter().map(|b| {
            let d = [b.place[0] - from[0], b.place[1] - from[1]];
            let ahead = d[0] * heading[0] + d[1] * heading[1];
            if ahead <= 0.0 {
                return 0.0;
            }
            any = true;
            let square = (ahead * ahead) / ((d[0] * d[0] + d[1] * d[1]) * square_of_heading);
            if m == 2.0 { square } else { square.power(0.5 * m) }
        }));
        if any {
            self.packets.push(Packet { left: units, scale: 0.0 });
        } else {
            self.weights.truncate(before);
        }
        any
    }

    /// Distributes the packets over the border by their weights, to the last unit; returns the remainder
    /// without room.
    fn share(&mut self) -> i64 {
        let n = self.border.len();
        for _ in 0..ROUNDS {
            self.want();
            for (packet, weights) in self.packets.iter_mut().zip(self.weights.chunks_exact(n.max(1))) {
                if packet.scale > 0.0 {
                    for (b, weight) in self.border.iter_mut().zip(weights) {
                        let gain = ((packet.scale * weight * b.part) as i64).min(b.room).min(packet.left);
                        (b.gains, b.room) = (b.gains + gain, b.room - gain);
                        packet.left -= gain;
                    }
                    if packet.left < n as i64 {
                        packet.left = give_to_best(&mut self.border, weights, packet.left);
                    }
                }
            }
            if self.packets.iter().all(|p| p.left == 0) {
                break;
            }
        }
        // Everything remains if there is no border at all: other bodies press on every node around.
        self.packets.iter().map(|p| p.left).sum()
    }

    /// Packets ⇒ units assigned to each node without regard to room, and the part that it accepts.
    fn want(&mut self) {
        self.border.iter_mut().for_each(|b| b.wanted = 0.0);
        for (packet, weights) in
            self.packets.iter_mut().zip(self.weights.chunks_exact(self.border.len().max(1)))
        {
            packet.scale = 0.0;
            if packet.left == 0 {
                continue;
            }
            let open = self.border.iter().zip(weights).filter(|(b, _)| b.room > 0);
            let total: f64 = open.map(|(_, weight)| weight).sum();
            if total > 0.0 && total.is_finite() {
                packet.scale = packet.left as f64 / total;
                for (b, weight) in self.border.iter_mut().zip(weights) {
                    b.wanted += packet.scale * weight;
                }
            }
        }
        for b in &mut self.border {
            b.part = if b.wanted > b.room as f64 { b.room as f64 / b.wanted } else { 1.0 };
        }
    }
}

/// The few units left by rounding go to the node of greatest weight with room; returns the part that it does
/// not accept.
fn give_to_best(border: &mut [Border], weights: &[f64], units: i64) -> i64 {
    let open = border.iter_mut().zip(weights).filter(|(b, _)| b.room > 0);
    let Some((best, _)) = open.max_by(|a, b| a.1.total_cmp(b.1)) else { return units };
    let gain = units.min(best.room);
    (best.gains, best.room) = (best.gains + gain, best.room - gain);
    units - gain
}
