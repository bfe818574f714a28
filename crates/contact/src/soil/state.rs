//! The soil itself: tiles of nodes, each with its height and what it remembers. Changed by `advance`, `displace` and `erode` only.
//!
//! Heights are kept as displacements from the undisturbed relief in whole numbers of a very small unit, so that soil which
//! leaves one node arrives at others to the last bit, in whatever order: the volume of the soil is exact, not approximate.
//! Tiles exist where something touched or soil was put; everywhere else the ground is its relief.

use super::params::{SoilOptions, SoilParameters};
use super::tile::{
    ACTIVE, AREA, CHANGED, CHANGED_COLUMN, CHANGED_ROW, Memory, NOWHERE, NodeAt, ROOF, SIDE, Tile, UNDER,
    UNIT, WAKE, indices, locate,
};
use super::volume::Accounts;
use std::collections::BTreeMap;
use touchdown_geometry::Relief;

/// A rectangle of another soil, by the soil's index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// Smallest x and y, m.
    pub from: [f64; 2],
    /// Largest x and y, m.
    pub to: [f64; 2],
    /// Index of its soil.
    pub soil: usize,
}

/// Soil on a relief: the model of the ground, and its present form.
#[derive(Clone, Debug)]
pub struct Soil {
    pub(super) relief: Relief,
    pub(super) spacing: f64,
    pub(super) soils: Vec<SoilParameters>,
    pub(super) regions: Vec<Region>,
    pub(super) options: SoilOptions,
    /// Largest step between neighbours at rest (Eq. 11), m, of each soil.
    pub(super) limits: Vec<f64>,
    pub(super) tiles: Vec<Tile>,
    pub(super) slots: BTreeMap<(i32, i32), u32>,
    /// Slot of the tile that was looked up last.
    pub(super) recent: u32,
    /// Nodes that erosion looks at next.
    pub(super) active: Vec<NodeAt>,
    pub(super) accounts: Accounts,
    /// Time of the last commit, s.
    pub(super) time: f64,
    /// Time of the last removal of displaced soil, s.
    pub(super) time_moved: f64,
    /// Accepted steps since then.
    pub(super) steps: u32,
    /// Scratch of erosion.
    pub(super) next_active: Vec<NodeAt>,
}

impl Soil {
    /// Undisturbed soil. `soils` must not be empty; a region whose soil does not exist counts as the first.
    pub fn new(
        relief: Relief,
        spacing: f64,
        soils: Vec<SoilParameters>,
        regions: Vec<Region>,
        options: SoilOptions,
    ) -> Soil {
        Soil {
            limits: soils.iter().map(|s| spacing * s.friction_angle.tan()).collect(),
            relief,
            spacing,
            soils,
            regions,
            options,
            tiles: Vec::new(),
            slots: BTreeMap::new(),
            recent: NOWHERE,
            active: Vec::new(),
            accounts: Accounts::default(),
            time: 0.0,
            time_moved: 0.0,
            steps: 0,
            next_active: Vec::new(),
        }
    }

    /// Distance of the nodes, m.
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// How it is modelled.
    pub fn options(&self) -> &SoilOptions {
        &self.options
    }

    /// Undisturbed ground.
    pub fn relief(&self) -> &Relief {
        &self.relief
    }

    /// Surface at the node nearest to a place, m; `None` where there is no ground.
    pub fn surface(&self, x: f64, y: f64) -> Option<f64> {
        let (i, j) = ((x / self.spacing).round() as i64, (y / self.spacing).round() as i64);
        let (key, node) = locate(i, j);
        match self.slot(key) {
            Some(slot) => Some(self.tiles[slot as usize].surface(node)).filter(|h| h.is_finite()),
            None => self.relief.height(i as f64 * self.spacing, j as f64 * self.spacing),
        }
    }

    /// Puts a cylinder of soil on the ground.
    pub fn add_heap(&mut self, centre: [f64; 2], radius: f64, height: f64) {
        let range = |c: f64| {
            (((c - radius) / self.spacing).ceil() as i64, ((c + radius) / self.spacing).floor() as i64)
        };
        let ((i0, i1), (j0, j1)) = (range(centre[0]), range(centre[1]));
        for j in j0..=j1 {
            for i in i0..=i1 {
                let (dx, dy) = (i as f64 * self.spacing - centre[0], j as f64 * self.spacing - centre[1]);
                if dx * dx + dy * dy <= radius * radius {
                    let at = self.node(i, j);
                    let units = (height / UNIT).round() as i64;
                    self.accounts.added += i128::from(units);
                    self.accounts.handled += i128::from(units);
                    self.raise(at, units);
                }
            }
        }
    }

    /// No ground or soil in a box [x_min, x_max, y_min, y_max], or within a cell of it, lies above this, m; quick if the tile in slot
    /// `from` is near.
    pub(super) fn highest_within(&self, [x0, x1, y0, y1]: [f64; 4], from: u32) -> f64 {
        let side = SIDE as f64 * self.spacing;
        let range = |low: f64, high: f64| {
            (((low - self.spacing) / side).floor() as i32, ((high + self.spacing) / side).ceil() as i32)
        };
        let ((i0, i1), (j0, j1)) = (range(x0, x1), range(y0, y1));
        let mut highest = f64::NEG_INFINITY;
        for j in j0..j1 {
            for i in i0..i1 {
                highest = highest.max(match self.tiles.get(self.slot_near(from, (i, j)) as usize) {
                    Some(tile) => tile.highest,
                    None => {
                        let (x0, y0) = (f64::from(i) * side, f64::from(j) * side);
                        self.relief.highest(x0, x0 + side, y0, y0 + side)
                    }
                });
            }
        }
        highest
    }

    /// Slot of a tile that exists.
    #[inline]
    pub(super) fn slot(&self, key: (i32, i32)) -> Option<u32> {
        self.slots.get(&key).copied()
    }

    /// Slot of a tile, made if need be.
    #[inline]
    pub(super) fn slot_or_new(&mut self, key: (i32, i32)) -> u32 {
        let slot = self.slot_near(self.recent, key);
        self.recent = if slot == NOWHERE { self.make_tile(key) } else { slot };
        self.recent
    }

    /// Slot of a tile, or `NOWHERE`; quick if it is beside the tile in slot `from`.
    #[inline]
    pub(super) fn slot_near(&self, from: u32, key: (i32, i32)) -> u32 {
        if let Some(tile) = self.tiles.get(from as usize) {
            let (x, y) =
                (i64::from(key.0) - i64::from(tile.key.0) + 1, i64::from(key.1) - i64::from(tile.key.1) + 1);
            if (0..3).contains(&x) && (0..3).contains(&y) {
                return tile.beside[(y * 3 + x) as usize];
            }
        }
        self.slot(key).unwrap_or(NOWHERE)
    }

    #[cold]
    fn make_tile(&mut self, key: (i32, i32)) -> u32 {
        let slot = self.tiles.len() as u32;
        let mut tile = self.untouched(key);
        for dy in -1..=1i32 {
            for dx in -1..=1i32 {
                let at = ((dy + 1) * 3 + dx + 1) as usize;
                if let Some(other) = self.slot((key.0 + dx, key.1 + dy)) {
                    tile.beside[at] = other;
                    self.tiles[other as usize].beside[8 - at] = slot;
                }
            }
        }
        tile.beside[4] = slot;
        self.tiles.push(tile);
        self.slots.insert(key, slot);
        slot
    }

    fn untouched(&self, key: (i32, i32)) -> Tile {
        let mut base = Box::new([f64::NAN; AREA]);
        let mut soil = Box::new([0u8; AREA]);
        let mut highest = f64::NEG_INFINITY;
        for node in 0..AREA {
            let (x, y) = self.place(key, node);
            base[node] = self.relief.height(x, y).unwrap_or(f64::NAN);
            highest = highest.max(base[node]);
            soil[node] = self.soil_at(x, y);
        }
        Tile {
            key,
            level: base.clone(),
            base,
            moved: Box::new([0; AREA]),
            memory: Box::new([Memory::default(); AREA]),
            flags: Box::new([0; AREA]),
            soil,
            highest,
            changed: CHANGED | CHANGED_COLUMN | CHANGED_ROW,
            beside: [NOWHERE; 9],
        }
    }

    pub(super) fn soil_at(&self, x: f64, y: f64) -> u8 {
        let inside = |r: &&Region| r.from[0] <= x && x <= r.to[0] && r.from[1] <= y && y <= r.to[1];
        let soil = self.regions.iter().rev().find(inside).map_or(0, |r| r.soil);
        u8::try_from(soil).ok().filter(|s| usize::from(*s) < self.soils.len()).unwrap_or(0)
    }

    /// Place of a node, m.
    #[inline]
    pub(super) fn place(&self, key: (i32, i32), node: usize) -> (f64, f64) {
        let (i, j) = indices(key, node);
        (i as f64 * self.spacing, j as f64 * self.spacing)
    }

    /// Grid indices of a node.
    pub(super) fn indices(&self, at: NodeAt) -> (i64, i64) {
        indices(self.tiles[at.slot as usize].key, at.node as usize)
    }

    /// The node at grid indices, its tile made if need be.
    pub(super) fn node(&mut self, i: i64, j: i64) -> NodeAt {
        let (key, node) = locate(i, j);
        NodeAt { slot: self.slot_or_new(key), node: node as u16 }
    }

    /// The node beside another, its tile made if need be.
    #[inline]
    pub(super) fn beside(&mut self, at: NodeAt, dx: i32, dy: i32) -> NodeAt {
        let (x, y) = ((at.node as usize % SIDE) as i32 + dx, (at.node as usize / SIDE) as i32 + dy);
        let side = SIDE as i32;
        if x >= 0 && x < side && y >= 0 && y < side {
            return NodeAt { slot: at.slot, node: (y * side + x) as u16 };
        }
        let (tx, ty) = (x.div_euclid(side), y.div_euclid(side));
        let node = (y.rem_euclid(side) * side + x.rem_euclid(side)) as u16;
        let tile = &self.tiles[at.slot as usize];
        let known = tile.beside[((ty + 1) * 3 + tx + 1) as usize];
        let slot =
            if known != NOWHERE { known } else { self.slot_or_new((tile.key.0 + tx, tile.key.1 + ty)) };
        NodeAt { slot, node }
    }

    /// Changes the height of a node that no body presses on, and lets erosion look at it.
    pub(super) fn raise(&mut self, at: NodeAt, units: i64) {
        let (tile, node) = (&mut self.tiles[at.slot as usize], at.node as usize);
        tile.lift(node, units);
        if tile.flags[node] & (WAKE | ROOF) != 0 {
            // Part of the cell may still keep the form of the body over it.
            tile.level[node] += units as f64 * UNIT;
        } else {
            tile.level[node] = tile.surface(node);
        }
        if tile.level[node] > tile.highest {
            tile.highest = tile.level[node];
        }
        if self.options.erosion && tile.flags[node] & ACTIVE == 0 {
            tile.flags[node] |= ACTIVE;
            self.active.push(at);
        }
    }

    /// A body leaves a node for good (`flag` is what it still held): what is left of its form in the cell slumps to the mean.
    pub(super) fn leave(&mut self, at: NodeAt, flag: u8) {
        let (tile, node) = (&mut self.tiles[at.slot as usize], at.node as usize);
        tile.flags[node] &= !flag;
        if tile.flags[node] & (UNDER | WAKE | ROOF) == 0 {
            tile.level[node] = tile.surface(node);
            tile.highest = tile.highest.max(tile.level[node]);
            if self.options.erosion {
                self.activate(at);
            }
        }
    }

    /// Lets erosion look at a node.
    #[inline]
    pub(super) fn activate(&mut self, at: NodeAt) {
        let flags = &mut self.tiles[at.slot as usize].flags[at.node as usize];
        if *flags & ACTIVE == 0 {
            *flags |= ACTIVE;
            self.active.push(at);
        }
    }

    /// Nodes that erosion still looks at.
    pub fn active_nodes(&self) -> usize {
        self.active.len()
    }

    /// Tiles in memory.
    pub fn tile_count(&self) -> usize {
        self.tiles.len()
    }
}
