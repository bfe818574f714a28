//! The ends of a contact: the part of the distance to its neighbours that a node represents.
//!
//! Inside the contact a node represents its cell. At the front, where the body has not yet reached the next
//! node, the pressure falls to zero in between; at the rear, where the next node was released, the contact
//! ends where the underside is lowest. The force therefore changes continuously as the contact moves over the
//! grid, and its mean is that of the continuous contact.

use super::contact::SoilContact;
use super::detect::{FREE, Touch};

impl SoilContact {
    /// Area that a node represents, horizontal projection, m². Windows have a ring of nodes around the
    /// body, so that every loaded node has its four neighbours; a node at the very edge counts
    /// fully.
    #[inline(always)]
    pub(super) fn area(&self, touch: &Touch, slope: [f64; 2]) -> f64 {
        let nx = self.columns.nx;
        let cell = touch.cell as usize;
        let kept = touch.pressure.kept;
        let whole = self.spacing * self.spacing * touch.cover;
        if cell <= nx || cell + nx >= self.status.len() {
            return whole;
        }
        let inside = |neighbour: usize| self.status[neighbour] >= kept;
        // Most nodes: nothing ends here.
        if inside(cell - 1) && inside(cell + 1) && inside(cell - nx) && inside(cell + nx) {
            return whole;
        }
        let part =
            |neighbour: usize, k: usize, side: f64| self.part(touch, neighbour, k, slope[k] * side, side);
        let x = part(cell - 1, 0, 1.0) + part(cell + 1, 0, -1.0);
        let y = part(cell - nx, 1, 1.0) + part(cell + nx, 1, -1.0);
        whole * x.min(y)
    }

    /// Part of the distance from a node to its neighbour that belongs to it. The node lies at `side` of the neighbour along axis k; `here`
    /// is the slope of the underside over it, from the neighbour towards it.
    fn part(&self, touch: &Touch, neighbour: usize, k: usize, here: f64, side: f64) -> f64 {
        let (status, kept) = (self.status[neighbour], touch.pressure.kept);
        if status >= kept {
            return 0.5;
        }
        if status == FREE {
            // The pressure grows from zero with the n-th power of the depth.
            let depth = touch.top - touch.level;
            return depth / ((depth + self.gap[neighbour]) * (1.0 + self.strength(touch.soil).exponent));
        }
        let share = if status > 0.0 { status / kept } else { 0.0 };
        if here <= 0.0 {
            return 0.5 * share;
        }
        // `force` has left the slopes of the nodes that carry in their columns.
        let there = if status > 0.0 {
            self.columns.at[neighbour].slope[k]
        } else {
            let (x, y) = self.place(neighbour);
            self.slope(neighbour, x, y)[k]
        };
        let there = there * side;
        let reach = if there >= 0.0 { 1.0 } else { here / (here - there) };
        0.5 * share + (1.0 - share) * reach
    }
}
