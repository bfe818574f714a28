//! The ground as a smooth surface z = f(x, y).

use super::peaks::Peaks;
use super::{HeightJet, Patch, Smoothness};
use crate::{Missing, Raster};
use std::sync::Arc;

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
    /// Of a map.
    peaks: Option<Arc<Peaks>>,
}

impl HeightSurface {
    /// A surface of this form.
    pub fn new(form: HeightForm) -> HeightSurface {
        let peaks = match &form {
            HeightForm::Map { raster, .. } => Some(Arc::new(Peaks::new(raster))),
            _ => None,
        };
        HeightSurface { form, peaks }
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

    /// The map, where it is one.
    pub fn map(&self) -> Option<&Raster> {
        match &self.form {
            HeightForm::Map { raster, .. } => Some(raster),
            _ => None,
        }
    }

    /// A height that the surface exceeds nowhere, m; infinite where none is known.
    pub fn top(&self) -> f64 {
        self.peaks.as_ref().map_or(f64::INFINITY, |peaks| peaks.top())
    }

    /// Calls `visit` with ranges [from, to) of columns and rows of nodes that lie in the rectangle, as far as ground beside them may reach above
    /// a height; a map only. The cost does not depend on the size of the map.
    #[inline]
    pub fn visit_nodes(
        &self,
        [x0, x1]: [f64; 2],
        [y0, y1]: [f64; 2],
        above: f64,
        mut visit: impl FnMut([usize; 2], [usize; 2]),
    ) {
        let (Some(map), Some(peaks)) = (self.map(), &self.peaks) else { return };
        let span = |from: f64, to: f64, axis: usize, nodes: usize| {
            let cells = |x: f64| (x - map.origin()[axis]) / map.spacing();
            let (from, to) = (cells(from).ceil().max(0.0), cells(to).floor().min((nodes - 1) as f64));
            (from <= to).then(|| [from as usize, to as usize + 1])
        };
        let columns = span(x0, x1, 0, map.columns());
        let rows = span(y0, y1, 1, map.rows());
        if let (Some(columns), Some(rows)) = (columns, rows) {
            peaks.visit([columns, rows], above, &mut visit);
        }
    }
}
