//! Ranges of the soil's and the bodies' numbers, checked once when a world is built; all problems come back at once.

use super::params::{
    BekkerWidth, FrictionLaw, PressureLaw, SoilOptions, SoilParameters, SoilShape, SoilSurface,
};
use crate::parameter::{Interval, ParameterError, Row, check_rows};

/// Largest modulus of sinkage (N/m^(n+1), N/m^(n+2), Pa, Pa/m): rock is near 1e11.
const MODULUS_MAX: f64 = 1e12;
/// Largest exponent of sinkage: the softest snow stays below 2.
const EXPONENT_MAX: f64 = 3.0;
/// Largest cohesion, Pa: frozen ground stays below 10 MPa.
const COHESION_MAX: f64 = 1e8;
/// Largest angle of friction, rad: 80°, beyond any value of soil mechanics.
const FRICTION_ANGLE_MAX: f64 = 80.0 * std::f64::consts::PI / 180.0;
/// Largest slope of unloading, Pa/m: beyond it the rebound of any pressure is lost in the rounding of heights.
const STIFFNESS_MAX: f64 = 1e13;
/// Largest damping, Pa s/m.
const DAMPING_MAX: f64 = 1e9;
/// Largest size of a wheel, a width or a shear length, m.
const SIZE_MAX: f64 = 10.0;
/// Largest regularisation speed, m/s.
const SPEED_MAX: f64 = 10.0;
/// Largest exponent of Eq. 10: with it all soil goes to the node straight ahead.
const SPREAD_MAX: f64 = 100.0;
/// Most steps between removals of displaced soil, and most sweeps of erosion.
const COUNT_MAX: f64 = 10_000.0;

impl SoilParameters {
    /// Checks every number and returns all problems, in the order of the fields; empty when all is well.
    pub fn check(&self) -> Vec<ParameterError> {
        let modulus = Interval::from_zero(MODULUS_MAX);
        let (units, cohesive, frictional) = match self.law {
            PressureLaw::Bekker { cohesive, frictional } => {
                (["N/m^(n+1)", "N/m^(n+2)"], cohesive, frictional)
            }
            PressureLaw::Reece { cohesive, frictional } => (["Pa", "Pa/m"], cohesive, frictional),
        };
        let mut problems = check_rows([
            ("cohesive modulus", units[0], cohesive, modulus),
            ("frictional modulus", units[1], frictional, modulus),
            ("exponent", "(no unit)", self.exponent, Interval::above_zero(EXPONENT_MAX)),
            ("cohesion", "Pa", self.cohesion, Interval::from_zero(COHESION_MAX)),
            ("friction_angle", "rad", self.friction_angle, Interval::from_zero(FRICTION_ANGLE_MAX)),
            ("elastic_stiffness", "Pa/m", self.elastic_stiffness, Interval::above_zero(STIFFNESS_MAX)),
            ("damping", "Pa s/m", self.damping, Interval::from_zero(DAMPING_MAX)),
            ("shear_length", "m", self.shear_length, Interval::above_zero(SIZE_MAX)),
            ("compaction", "(no unit)", self.compaction, Interval::from_zero(1.0)),
        ]);
        if cohesive == 0.0 && frictional == 0.0 {
            // Soil that carries nothing at any depth.
            let allowed = Interval::above_zero(MODULUS_MAX);
            let found = frictional;
            problems.push(ParameterError::OutOfRange {
                field: "frictional modulus",
                unit: units[1],
                allowed,
                found,
            });
        }
        problems
    }
}

impl SoilOptions {
    /// Checks every number and returns all problems; empty when all is well.
    pub fn check(&self) -> Vec<ParameterError> {
        let count = Interval { min: 1.0, min_included: true, max: COUNT_MAX };
        let mut rows: Vec<Row> = Vec::new();
        if let BekkerWidth::Given(width) = self.width {
            rows.push(("width in the pressure law", "m", width, Interval::above_zero(SIZE_MAX)));
        }
        if let FrictionLaw::Coulomb { speed } = self.friction {
            rows.push(("friction speed", "m/s", speed, Interval::above_zero(SPEED_MAX)));
        }
        let spread = Interval { min: 1.0, min_included: false, max: SPREAD_MAX };
        rows.push(("spread_exponent", "(no unit)", self.spread_exponent, spread));
        rows.push(("move_every", "steps", f64::from(self.move_every), count));
        if self.erosion {
            rows.push(("sweeps", "(no unit)", f64::from(self.sweeps), count));
        }
        check_rows(rows)
    }
}

impl SoilSurface {
    /// Checks every number, and that a grid of the given `spacing` (m) resolves the form; empty when all is
    /// well.
    pub fn check(&self, spacing: f64) -> Vec<ParameterError> {
        let size = Interval::above_zero(SIZE_MAX);
        let mut rows: Vec<Row> = Vec::new();
        let smallest = match &self.shape {
            SoilShape::Wheel { radius, width, grousers } => {
                rows.push(("radius", "m", *radius, size));
                rows.push(("width", "m", *width, size));
                if let Some(bars) = grousers {
                    let count = Interval { min: 1.0, min_included: true, max: COUNT_MAX };
                    rows.push(("count of grousers", "(no unit)", f64::from(bars.count), count));
                    rows.push(("height of grousers", "m", bars.height, Interval::from_zero(radius.max(0.0))));
                    rows.push(("thickness of grousers", "m", bars.thickness, size));
                }
                radius.min(*width)
            }
            SoilShape::Mesh(mesh) => {
                let facets = Interval { min: 1.0, min_included: true, max: 1e9 };
                rows.push(("facets of the mesh", "(no unit)", mesh.triangles.len() as f64, facets));
                // The largest side of its box: a plate may have any thickness.
                let side = |k: usize| {
                    let along = |v: &touchdown_math::Vec3| v[k];
                    mesh.vertices.iter().map(along).fold(f64::NEG_INFINITY, f64::max)
                        - mesh.vertices.iter().map(along).fold(f64::INFINITY, f64::min)
                };
                side(0).max(side(1)).max(side(2))
            }
        };
        rows.push(("carried_layer", "m", self.carried_layer, Interval::from_zero(SIZE_MAX)));
        // An invalid body has been reported; then only the grid itself is checked.
        let largest = if smallest > 0.0 && smallest.is_finite() { smallest } else { SIZE_MAX };
        rows.push(("spacing", "m", spacing, Interval::above_zero(largest)));
        check_rows(rows)
    }
}
