//! Dimensions of a heap: soil put on the ground at the start, after it has slid.

use super::displace::NEIGHBOURS;
use super::state::Soil;
use super::tile::{AREA, NodeAt, ROOF, UNDER, UNIT};
use touchdown_math::Elementary;

/// Dimensions of a heap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeapFigures {
    /// Radius of a circle as large as the ground that is covered by more than half a step, m.
    pub radius: f64,
    /// Greatest height above the undisturbed ground, m.
    pub height: f64,
    /// Largest step between neighbours over its limit (Eq. 11).
    pub steepness: f64,
    /// Radius of the cone of the same volume at the first soil's angle of friction, m.
    pub cone_radius: f64,
}

impl Soil {
    /// Dimensions of all added soil, taken as one heap.
    pub fn heap(&self) -> HeapFigures {
        let limit = self.ground.limits.first().copied().unwrap_or(0.0);
        let (mut covered, mut height, mut steepness) = (0usize, 0.0f64, 0.0f64);
        for (slot, tile) in self.tiles.iter().enumerate() {
            for node in 0..AREA {
                let rise = tile.nodes().moved[node] as f64 * UNIT;
                covered += usize::from(rise > 0.5 * limit);
                height = height.max(rise);
                if rise != 0.0 && tile.nodes().flags[node] & (UNDER | ROOF) == 0 {
                    let at = NodeAt { slot: slot as u32, node: node as u16 };
                    steepness = steepness.max(self.steepest_step(at));
                }
            }
        }
        let cell = self.ground.spacing * self.ground.spacing;
        let volume = self.accounts.added as f64 * UNIT * cell;
        let slope = limit / self.ground.spacing;
        HeapFigures {
            radius: (covered as f64 * cell / std::f64::consts::PI).sqrt(),
            height,
            steepness,
            // V = π r³ tan φ / 3.
            cone_radius: (3.0 * volume / (std::f64::consts::PI * slope)).cube_root(),
        }
    }

    /// Largest step from a node to its neighbours over the limit of its soil.
    fn steepest_step(&self, at: NodeAt) -> f64 {
        let tile = &self.tiles[at.slot as usize];
        let (x, y) = self.ground.place(tile.key, at.node as usize);
        let (here, limit) = (
            tile.surface(at.node as usize),
            self.ground.limits[usize::from(tile.bed.soil[at.node as usize])],
        );
        let step = |(dx, dy): &(i32, i32)| {
            let (dx, dy) = (f64::from(*dx), f64::from(*dy));
            let there = self.surface(x + dx * self.ground.spacing, y + dy * self.ground.spacing)?;
            Some((here - there).abs() / (limit * dx.hypotenuse(dy)))
        };
        NEIGHBOURS.iter().filter_map(step).fold(0.0, f64::max)
    }
}
