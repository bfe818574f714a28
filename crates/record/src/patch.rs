//! A patch of soil in integers, as in files and pages: changes of height in units of 0.1 mm, and the
//! undisturbed heights.

use touchdown_sim::sink::SoilPatch;

/// Unit of changes of height, m.
pub(crate) const HEIGHT_UNIT: f64 = 1e-4;

/// A patch; its first node lies at (i·spacing, j·spacing).
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Patch {
    pub i: i32,
    pub j: i32,
    pub nx: usize,
    pub ny: usize,
    /// nx·ny undisturbed heights, m, x fastest; not a number where there is no ground.
    pub undisturbed: Vec<f32>,
    /// Changes of the same nodes, units; zero where there is no ground.
    pub change: Vec<i32>,
}

impl Patch {
    pub fn of(patch: &SoilPatch) -> Patch {
        let nodes = patch.heights.iter().zip(&patch.undisturbed);
        Patch {
            i: index(patch.x0, patch.spacing),
            j: index(patch.y0, patch.spacing),
            nx: patch.nx,
            ny: patch.ny,
            undisturbed: patch.undisturbed.clone(),
            change: nodes.map(|(height, before)| units(*height, *before)).collect(),
        }
    }

    /// Key that identifies it.
    pub fn place(&self) -> (i32, i32) {
        (self.i, self.j)
    }

    /// Whether two patches have the same nodes on the same undisturbed ground, bit by bit.
    pub fn same_ground<'a>(&'a self, other: &'a Patch) -> bool {
        let bits = |p: &'a Patch| p.undisturbed.iter().map(|h| h.to_bits());
        (self.place(), self.nx, self.ny) == (other.place(), other.nx, other.ny) && bits(self).eq(bits(other))
    }

    /// Writes it as a frame has it.
    pub fn fill(&self, spacing: f64, out: &mut SoilPatch) {
        (out.x0, out.y0, out.spacing) = (f64::from(self.i) * spacing, f64::from(self.j) * spacing, spacing);
        (out.nx, out.ny) = (self.nx, self.ny);
        out.undisturbed.clone_from(&self.undisturbed);
        let height =
            |(change, before): (&i32, &f32)| (f64::from(*before) + f64::from(*change) * HEIGHT_UNIT) as f32;
        out.heights.clear();
        out.heights.extend(self.change.iter().zip(&self.undisturbed).map(height));
    }
}

/// Index of a node from its place; the cast saturates.
pub(crate) fn index(x: f64, spacing: f64) -> i32 {
    (x / spacing).round() as i32
}

/// Change of height in units; not a number (no ground) becomes zero, and larger changes saturate.
pub(crate) fn units(height: f32, before: f32) -> i32 {
    ((f64::from(height) - f64::from(before)) / HEIGHT_UNIT).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_come_back_to_half_a_unit_and_units_exactly() {
        // The error of rounding to 0.1 mm is at most half of it (plus the round-off of 32 bits); rounding a
        // second time changes nothing.
        let undisturbed: Vec<f32> = (0..6).map(|n| 12.5 - 0.37 * n as f32).chain([f32::NAN]).collect();
        let heights = undisturbed.iter().enumerate().map(|(n, h)| h + 0.001_234 * (n as f32 - 2.5)).collect();
        let given = SoilPatch { x0: -0.64, y0: 0.32, spacing: 0.02, nx: 7, ny: 1, heights, undisturbed };
        let patch = Patch::of(&given);
        assert_eq!((patch.i, patch.j, patch.change[6]), (-32, 16, 0));
        let mut back = SoilPatch::default();
        patch.fill(0.02, &mut back);
        let apart = |n: usize| (back.heights[n] - given.heights[n]).abs();
        assert!((0..6).all(|n| apart(n) < 0.5e-4 + 2e-6) && back.heights[6].is_nan());
        assert_eq!(Patch::of(&back).change, patch.change);
        assert!(Patch::of(&back).same_ground(&patch));
    }
}
