//! Deviation of an element from its stress-free form, at its corners and in its middle: the basis of
//! warnings, and of the end of a run.

use super::points::strain;
use super::{Nodal, PROBES, PlateTables, VECTORS};
use crate::flex::FlexError;
use touchdown_math::Mat3;

/// The extremes of a form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strained {
    /// Largest size √(E:E) of the Green–Lagrange strain.
    pub strain: f64,
    /// Smallest volume over the stress-free one; at zero an element turns inside out.
    pub volume: f64,
}

impl Default for Strained {
    fn default() -> Self {
        Strained { strain: 0.0, volume: 1.0 }
    }
}

impl Strained {
    /// The worse of two.
    pub fn or(self, other: Strained) -> Strained {
        Strained { strain: self.strain.max(other.strain), volume: self.volume.min(other.volume) }
    }
}

impl PlateTables {
    /// Strain and volume of an element with nodal vectors e; an error where it is turned inside out.
    pub fn look(&self, element: usize, e: &Nodal) -> Result<Strained, FlexError> {
        let mut worst = Strained::default();
        for (probe, at) in self.probes.iter().zip(PROBES) {
            let F: [[f64; 3]; 3] = std::array::from_fn(|c| {
                std::array::from_fn(|d| (0..VECTORS).map(|i| e[c][i] * probe.slope[d][i]).sum())
            });
            let ratio = Mat3::from_fn(|c, d| F[c][d]).determinant();
            if ratio.is_nan() || ratio <= 0.0 {
                return Err(FlexError::Inverted { element, at, ratio });
            }
            let E = strain(&F);
            let square = (0..6).map(|k| E[k] * E[k] * if k < 3 { 1.0 } else { 0.5 }).sum::<f64>();
            worst = worst.or(Strained { strain: square.sqrt(), volume: ratio });
        }
        Ok(worst)
    }
}
