//! A thin cable or beam of the same family: two nodes with position and tangent, 12 coordinates.
//!
//! # Model
//! r = Σ Nᵢ(s)·eᵢ with cubic Hermite functions of the arc length s of the straight stress-free form. Energy
//! ½∫EA·ε² + EI·|r″|² ds with ε = ½(r′·r′ − 1). Axial damping: Kelvin–Voigt, ½∫γ·EA·ε̇² ds is half the heat
//! per time.
//!
//! # Valid when
//! The member is thin, straight when free of stress, and its axial strain is small: |r″| is then its
//! curvature. No torsion, no shear.
//!
//! # References
//! Berzeri & Shabana (2000) for the elastic forces; Gerstmayr & Shabana (2006) for the element.

use super::FlexError;
use super::material::{Material, out_of_range};
use super::plate::{Energies, Weights};
use super::quadrature::gauss;

/// Nodal vectors of a cable: r, r′ at both ends.
pub const CABLE_VECTORS: usize = 4;
/// Nodal vectors by components.
pub type CableNodal = [[f64; CABLE_VECTORS]; 3];
/// Derivatives of the forces in 3 × 3 blocks.
pub type CableBlocks = [[[f64; 9]; CABLE_VECTORS]; CABLE_VECTORS];

/// Axial energy has degree 8 in s.
const POINTS: usize = 5;

/// Constants of a cable element.
#[derive(Clone, Debug, PartialEq)]
pub struct CableTables {
    /// Stress-free length, m.
    pub length: f64,
    /// E·A, N.
    pub axial_stiffness: f64,
    /// E·I, N m².
    pub bending_stiffness: f64,
    /// Mass per length, kg/m.
    pub line_density: f64,
    /// Kelvin–Voigt time γ of the axial strain, s.
    pub damping_time: f64,
    /// Compact mass matrix.
    pub mass: [[f64; CABLE_VECTORS]; CABLE_VECTORS],
    bending: [[f64; CABLE_VECTORS]; CABLE_VECTORS],
    points: [(f64, [f64; CABLE_VECTORS]); POINTS],
}

/// Cross-section of a cable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// Area, m².
    pub area: f64,
    /// Second moment of area, m⁴.
    pub inertia: f64,
}

impl Section {
    /// A round section.
    pub fn round(diameter: f64) -> Self {
        let area = std::f64::consts::PI * diameter * diameter / 4.0;
        Section { area, inertia: area * diameter * diameter / 16.0 }
    }
}

/// Values of the functions at x = s/L, and their first and second derivatives along s.
pub fn cable_shape(length: f64, x: f64) -> [[f64; CABLE_VECTORS]; 3] {
    let (y, l) = (1.0 - x, length);
    [
        [1.0 - x * x * (3.0 - 2.0 * x), l * x * y * y, x * x * (3.0 - 2.0 * x), -l * x * x * y],
        [-6.0 * x * y / l, y * (1.0 - 3.0 * x), 6.0 * x * y / l, x * (3.0 * x - 2.0)],
        [(12.0 * x - 6.0) / (l * l), (6.0 * x - 4.0) / l, (6.0 - 12.0 * x) / (l * l), (6.0 * x - 2.0) / l],
    ]
}

impl CableTables {
    /// Tables of an element; `element` is its number for messages.
    pub fn new(
        element: usize,
        length: f64,
        section: Section,
        material: &Material,
    ) -> Result<Self, FlexError> {
        material.check()?;
        if !(length > 0.0 && length.is_finite()) {
            return Err(FlexError::NoExtent { element, what: "length", found: length });
        }
        if !(section.area > 0.0 && section.area.is_finite()) {
            return Err(out_of_range(&format!("area of element {element}"), "positive", section.area));
        }
        if !(section.inertia >= 0.0 && section.inertia.is_finite()) {
            return Err(out_of_range(
                &format!("moment of area of element {element}"),
                "zero or more",
                section.inertia,
            ));
        }
        let mut tables = CableTables {
            length,
            axial_stiffness: material.young * section.area,
            bending_stiffness: material.young * section.inertia,
            line_density: material.density * section.area,
            damping_time: material.damping_time(),
            mass: [[0.0; CABLE_VECTORS]; CABLE_VECTORS],
            bending: [[0.0; CABLE_VECTORS]; CABLE_VECTORS],
            points: [(0.0, [0.0; CABLE_VECTORS]); POINTS],
        };
        for (point, (x, share)) in gauss(POINTS).into_iter().enumerate() {
            let [value, slope, bend] = cable_shape(length, x);
            let weight = share * length;
            tables.points[point] = (weight, slope);
            for i in 0..CABLE_VECTORS {
                for j in 0..CABLE_VECTORS {
                    tables.mass[i][j] += tables.line_density * weight * value[i] * value[j];
                    tables.bending[i][j] += tables.bending_stiffness * weight * bend[i] * bend[j];
                }
            }
        }
        Ok(tables)
    }

    /// Adds forces on the nodal vectors and, if requested, their weighted derivatives.
    pub fn evaluate(
        &self,
        e: &CableNodal,
        rate: &CableNodal,
        force: &mut CableNodal,
        mut tangent: Option<(Weights, &mut CableBlocks)>,
    ) -> Energies {
        let mut energies = Energies::default();
        for i in 0..CABLE_VECTORS {
            for j in 0..CABLE_VECTORS {
                for c in 0..3 {
                    force[c][i] -= self.bending[i][j] * e[c][j];
                    energies.elastic += 0.5 * e[c][i] * self.bending[i][j] * e[c][j];
                }
                if let Some((weights, blocks)) = &mut tangent {
                    (0..3).for_each(|a| blocks[i][j][4 * a] -= weights.position * self.bending[i][j]);
                }
            }
        }
        let gamma = self.damping_time;
        for (weight, slope) in &self.points {
            let along = |e: &CableNodal| {
                [0, 1, 2].map(|c| (0..CABLE_VECTORS).map(|i| slope[i] * e[c][i]).sum::<f64>())
            };
            let (r, v) = (along(e), along(rate));
            let dot = |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            let (strain, strain_rate) = (0.5 * (dot(&r, &r) - 1.0), dot(&r, &v));
            let stiffness = weight * self.axial_stiffness;
            let tension = stiffness * (strain + gamma * strain_rate);
            energies.elastic += 0.5 * stiffness * strain * strain;
            energies.dissipated += gamma * stiffness * strain_rate * strain_rate;
            for c in 0..3 {
                (0..CABLE_VECTORS).for_each(|i| force[c][i] -= tension * r[c] * slope[i]);
            }
            let Some((weights, blocks)) = &mut tangent else { continue };
            let right =
                [0, 1, 2].map(|c| weights.position * (r[c] + gamma * v[c]) + weights.velocity * gamma * r[c]);
            for i in 0..CABLE_VECTORS {
                for j in 0..CABLE_VECTORS {
                    let s = slope[i] * slope[j];
                    for a in 0..3 {
                        (0..3).for_each(|b| blocks[i][j][3 * a + b] -= stiffness * s * r[a] * right[b]);
                        blocks[i][j][4 * a] -= weights.position * tension * s;
                    }
                }
            }
        }
        energies
    }
}
