//! The soil itself: tiles of nodes, each with its height and memory. Changed by `advance`, `displace` and
//! `erode` only.
//!
//! Heights are kept as displacements from the undisturbed relief in whole numbers of a very small unit, so
//! that soil that leaves one node arrives at others to the last bit, in any order: the volume of the soil is
//! exact, not approximate. Tiles exist only where a body touched or soil was added; everywhere else the
//! ground is its relief.

use super::ground::{Ground, Region};
use super::nodes::{Nodes, SharedNodes};
use super::params::{SoilOptions, SoilParameters};
use super::tile::{ACTIVE, NOWHERE, NodeAt, ROOF, SIDE, Tile, TileMut, UNDER, UNIT, WAKE, indices, locate};
use super::volume::Accounts;
use std::collections::BTreeMap;
use std::sync::Arc;
use touchdown_geometry::Relief;
use touchdown_math::Elementary;

/// Soil on a relief: the model of the ground, and its present form. A clone shares the ground and all tiles; a tile is copied when one of
/// them writes it. Soils are equal if they continue with the same bits; drawing marks do not count.
#[derive(Clone, Debug)]
pub struct Soil {
    pub(super) ground: Arc<Ground>,
    pub(super) tiles: Vec<Tile>,
    pub(super) slots: BTreeMap<(i32, i32), u32>,
    /// Slot of the tile that was looked up last.
    pub(super) recent: u32,
    /// Nodes that erosion processes next.
    pub(super) active: Vec<NodeAt>,
    pub(super) accounts: Accounts,
    /// Time of the last commit, s.
    pub(super) time: f64,
    /// Time of the last removal of displaced soil, s.
    pub(super) time_moved: f64,
    /// Accepted steps since then.
    pub(super) steps: u32,
    /// Nodes with soil that moves with a body; their order has no effect. Derived from their flags.
    pub(super) heaped: Vec<NodeAt>,
    /// Surroundings of the bodies that press, in grid indices. Scratch of `bow`; empty between commits.
    pub(super) moving: Vec<[i64; 4]>,
    /// Scratch of erosion; empty between commits.
    pub(super) next_active: Vec<NodeAt>,
    /// Slots of the tiles that the present commit writes; empty between commits.
    pub(super) opened: Vec<u32>,
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
        let limits = soils.iter().map(|s| spacing * s.friction_angle.tangent()).collect();
        Soil::untouched(Arc::new(Ground { relief, spacing, soils, regions, options, limits }))
    }

    /// The undisturbed ground.
    pub(super) fn untouched(ground: Arc<Ground>) -> Soil {
        Soil {
            ground,
            tiles: Vec::new(),
            slots: BTreeMap::new(),
            recent: NOWHERE,
            active: Vec::new(),
            accounts: Accounts::default(),
            time: 0.0,
            time_moved: 0.0,
            steps: 0,
            heaped: Vec::new(),
            moving: Vec::new(),
            next_active: Vec::new(),
            opened: Vec::new(),
        }
    }

    /// Distance of the nodes, m.
    pub fn spacing(&self) -> f64 {
        self.ground.spacing
    }

    /// Its model options.
    pub fn options(&self) -> &SoilOptions {
        &self.ground.options
    }

    /// Undisturbed ground.
    pub fn relief(&self) -> &Relief {
        &self.ground.relief
    }

    /// Surface at the node nearest to a place, m; `None` where there is no ground.
    pub fn surface(&self, x: f64, y: f64) -> Option<f64> {
        self.surface_near(NOWHERE, x, y)
    }

    /// The same; fast if the tile in slot `from` is near.
    pub(super) fn surface_near(&self, from: u32, x: f64, y: f64) -> Option<f64> {
        let ds = self.ground.spacing;
        // Halves are rounded away from zero, as by `round`, which is a library call on baseline processors.
        let nearest = |x: f64| (x / ds + 0.5f64.copysign(x)) as i64;
        let (i, j) = (nearest(x), nearest(y));
        let (key, node) = locate(i, j);
        match self.tiles.get(self.slot_near(from, key) as usize) {
            Some(tile) => Some(tile.surface(node)).filter(|h| h.is_finite()),
            None => self.ground.relief.height(i as f64 * ds, j as f64 * ds),
        }
    }

    /// Puts a cylinder of soil on the ground.
    pub fn add_heap(&mut self, centre: [f64; 2], radius: f64, height: f64) {
        let ds = self.ground.spacing;
        let range = |c: f64| (((c - radius) / ds).ceil() as i64, ((c + radius) / ds).floor() as i64);
        let ((i0, i1), (j0, j1)) = (range(centre[0]), range(centre[1]));
        for j in j0..=j1 {
            for i in i0..=i1 {
                let (dx, dy) = (i as f64 * ds - centre[0], j as f64 * ds - centre[1]);
                if dx * dx + dy * dy <= radius * radius {
                    let at = self.node(i, j);
                    let units = (height / UNIT).round() as i64;
                    self.accounts.added += i128::from(units);
                    self.accounts.handled += i128::from(units);
                    self.raise(at, units);
                }
            }
        }
        self.close_tiles();
    }

    /// No ground or soil in a box [x_min, x_max, y_min, y_max], or within a cell of it, lies above this, m;
    /// fast if the tile in slot
    /// `from` is near.
    pub(super) fn highest_within(&self, [x0, x1, y0, y1]: [f64; 4], from: u32) -> f64 {
        let (ds, side) = (self.ground.spacing, SIDE as f64 * self.ground.spacing);
        let range =
            |low: f64, high: f64| (((low - ds) / side).floor() as i32, ((high + ds) / side).ceil() as i32);
        let ((i0, i1), (j0, j1)) = (range(x0, x1), range(y0, y1));
        let mut highest = f64::NEG_INFINITY;
        for j in j0..j1 {
            for i in i0..i1 {
                highest = highest.max(match self.tiles.get(self.slot_near(from, (i, j)) as usize) {
                    Some(tile) => tile.highest,
                    None => {
                        let (x0, y0) = (f64::from(i) * side, f64::from(j) * side);
                        self.ground.relief.highest(x0, x0 + side, y0, y0 + side)
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

    /// Slot of a tile, created if necessary.
    #[inline]
    pub(super) fn slot_or_new(&mut self, key: (i32, i32)) -> u32 {
        let slot = self.slot_near(self.recent, key);
        self.recent = if slot == NOWHERE { self.make_tile(key) } else { slot };
        self.recent
    }

    /// Slot of a tile, or `NOWHERE`; fast if it is beside the tile in slot `from`.
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
        let bed = Arc::new(self.ground.bed(key));
        let nodes = SharedNodes::new(Nodes::untouched(&bed));
        let highest = bed.highest();
        self.add_tile(Tile::new(key, bed, nodes, highest))
    }

    /// Adds a tile at a place without one; returns its slot.
    pub(super) fn add_tile(&mut self, mut tile: Tile) -> u32 {
        let (slot, key) = (self.tiles.len() as u32, tile.key);
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

    /// Grid indices of a node.
    pub(super) fn indices(&self, at: NodeAt) -> (i64, i64) {
        indices(self.tiles[at.slot as usize].key, at.node as usize)
    }

    /// The node at grid indices, its tile created if necessary.
    pub(super) fn node(&mut self, i: i64, j: i64) -> NodeAt {
        let (key, node) = locate(i, j);
        NodeAt { slot: self.slot_or_new(key), node: node as u16 }
    }

    /// The node beside another, its tile created if necessary.
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

    /// A tile for writing. All writing goes through here: nodes that other copies of the soil share are copied first.
    #[inline(always)]
    pub(super) fn write(&mut self, slot: u32) -> TileMut<'_> {
        let tile = &mut self.tiles[slot as usize];
        if !tile.is_open() {
            self.opened.push(slot);
        }
        tile.write()
    }

    /// Ends writing: from now on copies of the soil may share all tiles again.
    pub(super) fn close_tiles(&mut self) {
        for slot in self.opened.drain(..) {
            self.tiles[slot as usize].close();
        }
    }

    /// Changes the height of a node on which no body presses, and schedules it for erosion.
    pub(super) fn raise(&mut self, at: NodeAt, units: i64) {
        let erosion = self.ground.options.erosion;
        let (mut tile, node) = (self.write(at.slot), at.node as usize);
        tile.lift(node, units);
        let surface = tile.surface(node);
        let nodes = tile.nodes;
        if nodes.flags[node] & (WAKE | ROOF) != 0 {
            // Part of the cell may still keep the form of the body over it.
            nodes.level[node] += units as f64 * UNIT;
        } else {
            nodes.level[node] = surface;
        }
        if nodes.level[node] > *tile.highest {
            *tile.highest = nodes.level[node];
        }
        if erosion && nodes.flags[node] & ACTIVE == 0 {
            nodes.flags[node] |= ACTIVE;
            self.active.push(at);
        }
    }

    /// A body leaves a node permanently (`flag` is its remaining hold): the rest of its form in the cell
    /// slumps to the mean.
    pub(super) fn leave(&mut self, at: NodeAt, flag: u8) {
        let (tile, node) = (self.write(at.slot), at.node as usize);
        tile.nodes.flags[node] &= !flag;
        if tile.nodes.flags[node] & (UNDER | WAKE | ROOF) == 0 {
            let surface = tile.surface(node);
            tile.nodes.level[node] = surface;
            *tile.highest = tile.highest.max(surface);
            if self.ground.options.erosion {
                self.activate(at);
            }
        }
    }

    /// Schedules a node for erosion.
    #[inline]
    pub(super) fn activate(&mut self, at: NodeAt) {
        if self.tiles[at.slot as usize].nodes().flags[at.node as usize] & ACTIVE == 0 {
            self.write(at.slot).nodes.flags[at.node as usize] |= ACTIVE;
            self.active.push(at);
        }
    }

    /// Nodes scheduled for erosion.
    pub fn active_nodes(&self) -> usize {
        self.active.len()
    }

    /// Tiles in memory.
    pub fn tile_count(&self) -> usize {
        self.tiles.len()
    }

    /// Tiles whose nodes lie only once in memory for this soil and another.
    pub fn tiles_shared_with(&self, other: &Soil) -> usize {
        let both = self.tiles.iter().zip(&other.tiles);
        both.filter(|(a, b)| a.shared().is_shared_with(b.shared())).count()
    }
}
