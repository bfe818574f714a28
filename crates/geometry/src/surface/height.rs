//! The ground as a smooth surface z = f(x, y).

use super::{HeightJet, Patch, Smoothness};
use crate::{Missing, Raster};

/// What the height is.
#[derive(Clone, Debug, PartialEq)]
pub enum HeightForm {
    /// A plane: height at the origin and slopes.
    Plane {
        /// m.
        height: f64,
        /// ∂z/∂x and ∂z/∂y.
        gradient: [f64; 2],
    },
    /// z = height + a x² + b y².
    Paraboloid {
        /// m.
        height: f64,
        /// Coefficients a and b, 1/m.
        coefficients: [f64; 2],
    },
    /// Smooth patches over a map.
    Map {
        /// The map.
        raster: Raster,
        /// How its patches join.
        smoothness: Smoothness,
    },
}

/// Ground as a smooth surface; shared by copies where it is a map.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightSurface {
    form: HeightForm,
}

impl HeightSurface {
    /// A surface of this form.
    pub fn new(form: HeightForm) -> HeightSurface {
        HeightSurface { form }
    }

    /// What it is.
    pub fn form(&self) -> &HeightForm {
        &self.form
    }

    /// Height and derivatives at a place, or why there are none.
    #[inline]
    pub fn jet(&self, x: f64, y: f64) -> Result<HeightJet, Missing> {
        self.jet_with(&mut None, x, y)
    }

    /// The same with a patch that is kept while the place stays in its cell and rebuilt when it leaves it. The result does not depend on
    /// the patch that is handed in.
    #[inline]
    pub fn jet_with(&self, patch: &mut Option<Patch>, x: f64, y: f64) -> Result<HeightJet, Missing> {
        match &self.form {
            HeightForm::Plane { height, gradient } => {
                let z = height + gradient[0] * x + gradient[1] * y;
                Ok(HeightJet { z, gradient: *gradient, hessian: [0.0; 3] })
            }
            HeightForm::Paraboloid { height, coefficients: [a, b] } => Ok(HeightJet {
                z: height + a * x * x + b * y * y,
                gradient: [2.0 * a * x, 2.0 * b * y],
                hessian: [2.0 * a, 0.0, 2.0 * b],
            }),
            HeightForm::Map { raster, smoothness } => {
                let ((column, s), (row, t)) = raster.cell_at(x, y).ok_or(Missing::OffMap)?;
                if patch.is_none_or(|p| p.cell() != (column, row)) {
                    *patch = Patch::build(raster, column, row, *smoothness);
                }
                let patch = patch.as_ref().ok_or(Missing::Hole)?;
                Ok(patch.jet(s, t, raster.spacing()))
            }
        }
    }
}
