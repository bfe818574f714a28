//! Detection: columns against the soil ⇒ the loaded nodes, and the status of the others.

use super::SoilForce;
use super::bow::below_heap;
use super::contact::SoilContact;
use super::law::{self, Pressure};
use super::state::Soil;
use super::tile::{Held, Memory, NOWHERE, NodeAt, SIDE, UNDER, WAKE, locate};
use touchdown_math::Vec3;

/// A node that carries at the last evaluation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// Its tile (`NOWHERE` if untouched so far) and index.
    pub at: NodeAt,
    /// Its column.
    pub cell: u32,
    /// Index of its soil.
    pub soil: u8,
    /// Place of its node, m.
    pub x: f64,
    /// See `x`.
    pub y: f64,
    /// Level of the body.
    pub level: f64,
    /// Surface, or the surface when the contact began.
    pub top: f64,
    /// Fraction of the cell under the body.
    pub cover: f64,
    /// Its pressure.
    pub pressure: Pressure,
    /// Normal (m, 1) = (−s_x, −s_y, 1) of the underside, not normalised, out of the soil. Written by `force`.
    pub m: [f64; 2],
    /// Its area, horizontal projection, m². Written by `force`.
    pub area: f64,
}

/// Status of a column: the body has just left the node.
pub(super) const LEFT: f64 = -1.0;
/// The body is above the node and has not reached it.
pub(super) const FREE: f64 = -2.0;
/// No body above the node. Larger than any share that a node keeps, because a contact does not end at the
/// edge of the body: see `ends`.
pub(super) const OUTSIDE: f64 = f64::INFINITY;

/// A run of columns in one row of the window, inside one tile.
#[derive(Clone, Copy)]
struct Run {
    /// First column.
    cell: usize,
    length: usize,
    slot: u32,
    /// Index in the tile of its first node.
    node: usize,
}

impl SoilContact {
    /// columns, soil ⇒ touches, status, gap.
    pub(super) fn detect(&mut self, soil: &Soil, force: &mut SoilForce) {
        let (nx, ny) = (self.columns.nx, self.columns.ny);
        self.touches.clear();
        self.held.clear();
        self.status.clear();
        self.status.resize(nx * ny, OUTSIDE);
        self.gap.resize(nx * ny, 0.0);
        if nx * ny == 0 {
            return;
        }
        let (i0, j0) = (self.columns.i0, self.columns.j0);
        let side = SIDE as i64;
        let (t0, t1) = (i0.div_euclid(side), (i0 + nx as i64 - 1).div_euclid(side));
        let mut row_of_slots = i64::MIN;
        for j in 0..ny {
            let gj = j0 + j as i64;
            let tj = gj.div_euclid(side);
            if tj != row_of_slots {
                row_of_slots = tj;
                self.slots.clear();
                self.slots.extend((t0..=t1).map(|ti| soil.slot_near(self.near, (ti as i32, tj as i32))));
                self.near = self.slots.iter().copied().find(|slot| *slot != NOWHERE).unwrap_or(self.near);
            }
            let row = (gj.rem_euclid(side) as usize) * SIDE;
            let mut i = 0;
            while i < nx {
                let gi = i0 + i as i64;
                let in_tile = gi.rem_euclid(side) as usize;
                let slot = self.slots[(gi.div_euclid(side) - t0) as usize];
                let length = (nx - i).min(SIDE - in_tile);
                let run = Run { cell: j * nx + i, length, slot, node: row + in_tile };
                if slot == NOWHERE {
                    self.detect_untouched(soil, run, force);
                } else {
                    self.detect_run(soil, run, force);
                }
                i += length;
            }
        }
    }

    fn detect_run(&mut self, soil: &Soil, run: Run, force: &mut SoilForce) {
        let tile = &soil.tiles[run.slot as usize];
        let held = tile.nodes();
        let (cells, nodes) = (run.cell..run.cell + run.length, run.node..run.node + run.length);
        let i0 = i64::from(tile.key.0) * SIDE as i64 + (run.node % SIDE) as i64;
        let y = soil.ground.place(tile.key, run.node).1;
        let remembers = soil.ground.options.remembers_motion();
        let columns = self.columns.at[cells.clone()].iter().zip(&held.level[nodes.clone()]);
        let heaped = &held.heaped[nodes];
        let results = self.status[cells.clone()].iter_mut().zip(&mut self.gap[cells]);
        for (k, ((column, top), (status, gap))) in columns.zip(results).enumerate() {
            let node = run.node + k;
            let mut top = *top;
            if column.level < top && heaped[k] > 0.0 {
                let strength = &self.strengths[usize::from(tile.bed.soil[node])];
                top = below_heap(strength, top, heaped[k], &held.memory[node]);
            }
            // Not reached; no body here, whose level is infinite; or no ground, whose level is not a number.
            let reached = column.level < top;
            if !reached {
                if column.cover > 0.0 {
                    if top.is_nan() {
                        force.missing = Some(soil.ground.place(tile.key, node).into());
                    } else {
                        *status = if held.flags[node] & WAKE != 0 { LEFT } else { FREE };
                        *gap = column.level - top;
                    }
                }
                continue;
            }
            let (flags, memory, index) = (held.flags[node], &held.memory[node], tile.bed.soil[node]);
            let strength = &self.strengths[usize::from(index)];
            let pressure = law::pressure(strength, column.level, top, flags, memory);
            if pressure.p <= 0.0 {
                *status = LEFT;
                continue;
            }
            *status = pressure.kept;
            self.touches.push(Touch {
                at: NodeAt { slot: run.slot, node: node as u16 },
                cell: (run.cell + k) as u32,
                soil: index,
                x: (i0 + k as i64) as f64 * self.spacing,
                y,
                level: column.level,
                top,
                cover: column.cover,
                pressure,
                m: [0.0; 2],
                area: 0.0,
            });
            if remembers {
                self.held.push(if flags & UNDER != 0 { memory.held } else { Held::NEW });
            }
        }
    }

    /// In a tile that does not exist yet: virgin ground.
    #[cold]
    fn detect_untouched(&mut self, soil: &Soil, run: Run, force: &mut SoilForce) {
        for cell in run.cell..run.cell + run.length {
            let column = self.columns.at[cell];
            if column.cover <= 0.0 {
                continue;
            }
            let ((i, j), (x, y)) = (self.indices(cell), self.place(cell));
            let Some(top) = soil.ground.relief.height(x, y) else {
                force.missing = Some([x, y]);
                continue;
            };
            self.gap[cell] = column.level - top;
            self.status[cell] = FREE;
            if column.level >= top {
                continue;
            }
            let index = soil.ground.soil_at(x, y);
            let pressure = law::pressure(self.strength(index), column.level, top, 0, &Memory::default());
            self.status[cell] = pressure.kept;
            self.touches.push(Touch {
                at: NodeAt { slot: NOWHERE, node: locate(i, j).1 as u16 },
                cell: cell as u32,
                soil: index,
                x,
                y,
                level: column.level,
                top,
                cover: column.cover,
                pressure,
                m: [0.0; 2],
                area: 0.0,
            });
            if soil.ground.options.remembers_motion() {
                self.held.push(Held::NEW);
            }
        }
    }

    /// Grid indices and cover of the nodes below the body where its underside is lower than `highest` and
    /// does not press and, unless it is bedded, does not come closer.
    pub(super) fn for_each_roofed(&self, highest: f64, mut f: impl FnMut((i64, i64), f64)) {
        let C = self.motion.X_WS.p;
        for (cell, status) in self.status.iter().enumerate() {
            let level = self.columns.at[cell].level;
            if (*status == FREE || *status == LEFT) && level < highest {
                let (x, y) = self.place(cell);
                let r = Vec3::new(x - C.x, y - C.y, level - C.z);
                let v = self.motion.v_WS + self.motion.w_WS.cross(&r);
                let slope = self.slope(cell, x, y);
                if self.bedded || v.z - slope[0] * v.x - slope[1] * v.y >= 0.0 {
                    f(self.indices(cell), self.columns.at[cell].cover);
                }
            }
        }
    }
}
