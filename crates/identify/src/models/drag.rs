//! Dragging a foot: tangential force over displacement (Eqs. 61 and 62).

use touchdown_contact::law::shear::Mobilisation;

/// What the tangential force tends to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strength {
    /// μF: Eq. 61.
    Friction {
        /// μ.
        mu: f64,
    },
    /// c S + F tan φ with the area S on which cohesion acts (Eq. 62; S already halved for round feet).
    Soil {
        /// c, Pa.
        cohesion: f64,
        /// tan φ.
        tan_phi: f64,
    },
}

/// What moved, row by row, all of one length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag<'a> {
    /// Displacement j along the ground, m.
    pub displacement: &'a [f64],
    /// Normal force, N.
    pub normal: &'a [f64],
    /// Area on which cohesion acts, m².
    pub area: &'a [f64],
    /// Curve by which the force builds up.
    pub curve: Mobilisation,
}

impl Drag<'_> {
    /// Resistance against the displacement, N, with the shear length K, m.
    pub fn force(&self, strength: &Strength, length: f64) -> Vec<f64> {
        let row = |i: usize| {
            let most = match *strength {
                Strength::Friction { mu } => mu * self.normal[i],
                Strength::Soil { cohesion, tan_phi } => cohesion * self.area[i] + tan_phi * self.normal[i],
            };
            most * self.curve.share(self.displacement[i], length).0
        };
        (0..self.displacement.len()).map(row).collect()
    }
}
