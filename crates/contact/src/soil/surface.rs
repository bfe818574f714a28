//! Reading the surface: tiles that changed since they were last drawn, and all nodes for a map. Changes nothing but the mark.

use super::state::Soil;
use super::tile::{AREA, CHANGED_COLUMN, CHANGED_ROW, NOWHERE, SIDE, Tile, UNIT};
use serde::{Deserialize, Serialize};

/// A node of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceNode {
    /// Place, m.
    pub x: f64,
    /// Place, m.
    pub y: f64,
    /// Height of the surface without load, m: under a body, the level after spring-back.
    pub height: f64,
    /// Height of the undisturbed surface, m.
    pub undisturbed: f64,
    /// Soil at its initial density that the ground below has absorbed, as a height, m: the density has grown
    /// by this over the thickness of the compacted soil.
    pub compacted: f64,
}

/// Changes of each tile since it was last drawn. It belongs to the recording: the soil moves without it, but
/// a resumed run needs it to draw the same as an uninterrupted one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawnMarks(Vec<u8>);

/// A tile of the surface with the first nodes of those behind it along x and y, so that drawn tiles join.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceTile<'a> {
    soil: &'a Soil,
    tile: &'a Tile,
}

impl SurfaceTile<'_> {
    /// Nodes along each side.
    pub const NODES: usize = SIDE + 1;

    /// Place of its first node, m.
    pub fn origin(&self) -> [f64; 2] {
        self.soil.ground.place(self.tile.key, 0).into()
    }

    /// Heights of its nodes, m, row by row with x running fastest; not a number where there is no ground.
    pub fn heights(&self) -> impl Iterator<Item = f64> + '_ {
        self.nodes(Tile::surface)
    }

    /// Undisturbed heights of the same nodes, m.
    pub fn undisturbed(&self) -> impl Iterator<Item = f64> + '_ {
        self.nodes(|tile, node| tile.bed.base[node])
    }

    /// A height of every node; of those that lie in no tile, that of the relief.
    fn nodes(&self, height: impl Fn(&Tile, usize) -> f64) -> impl Iterator<Item = f64> {
        let nodes = (0..Self::NODES).flat_map(|j| (0..Self::NODES).map(move |i| (i, j)));
        nodes.map(move |(i, j)| {
            let (over, node) = (j / SIDE * 3 + i / SIDE, j % SIDE * SIDE + i % SIDE);
            match self.tile.beside[4 + over] {
                NOWHERE => self.soil.untouched_height(self.tile.key, i, j),
                slot => height(&self.soil.tiles[slot as usize], node),
            }
        })
    }
}

impl Soil {
    /// Tiles whose surface changed since [`Soil::mark_drawn`], new ones included, in the order of creation.
    pub fn changed_tiles(&self) -> impl Iterator<Item = SurfaceTile<'_>> {
        let edge = |tile: &Tile, beside: usize, mark: u8| {
            let slot = tile.beside[beside];
            slot != NOWHERE && self.tiles[slot as usize].changed & mark == mark
        };
        let changed = move |tile: &&Tile| {
            tile.changed != 0
                || edge(tile, 5, CHANGED_COLUMN)
                || edge(tile, 7, CHANGED_ROW)
                || edge(tile, 8, CHANGED_COLUMN | CHANGED_ROW)
        };
        self.tiles.iter().filter(changed).map(|tile| SurfaceTile { soil: self, tile })
    }

    /// Marks everything as drawn. Copies no tile, and changes nothing that a later step reads.
    pub fn mark_drawn(&mut self) {
        self.tiles.iter_mut().for_each(|tile| tile.changed = 0);
    }

    /// The changes not yet drawn.
    pub fn marks(&self) -> DrawnMarks {
        DrawnMarks(self.tiles.iter().map(|tile| tile.changed).collect())
    }

    /// Restores the marks that belong to the present state; `false`, and nothing changed, if they do not fit.
    #[must_use]
    pub fn restore_marks(&mut self, marks: &DrawnMarks) -> bool {
        let fits = marks.0.len() == self.tiles.len();
        if fits {
            self.tiles.iter_mut().zip(&marks.0).for_each(|(tile, mark)| tile.changed = *mark);
        }
        fits
    }

    /// All nodes of the tiles that were touched, tile by tile from small to large x; nodes without ground are left out.
    pub fn surface_nodes(&self) -> impl Iterator<Item = SurfaceNode> + '_ {
        let tiles = self.slots.values().map(|slot| &self.tiles[*slot as usize]);
        let nodes = tiles.flat_map(|tile| (0..AREA).map(move |node| (tile, node)));
        nodes.filter(|(tile, node)| tile.bed.base[*node].is_finite()).map(|(tile, node)| {
            let (x, y) = self.ground.place(tile.key, node);
            let compacted = tile.nodes().memory[node].packed * UNIT;
            SurfaceNode { x, y, height: tile.surface(node), undisturbed: tile.bed.base[node], compacted }
        })
    }

    /// Height of the relief at a node of no tile, counted from the first node of the tile `key`, m.
    fn untouched_height(&self, key: (i32, i32), i: usize, j: usize) -> f64 {
        let along = |k: i32, n: usize| (i64::from(k) * SIDE as i64 + n as i64) as f64 * self.ground.spacing;
        self.ground.relief.height(along(key.0, i), along(key.1, j)).unwrap_or(f64::NAN)
    }
}
