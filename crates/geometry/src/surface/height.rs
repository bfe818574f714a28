//! The ground as a smooth surface z = f(x, y).

use super::peaks::Peaks;
use super::{Expression, HeightJet, Patch, Smoothness};
use crate::{Missing, Procedural, Raster};
use std::sync::Arc;

/// Kind of the height function.
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
    /// The upper half of an ellipsoid, a hill, or the inside of its lower half, a bowl; a sphere if all semi-axes are equal. Outside it there is
    /// no ground.
    Ellipsoid {
        /// Centre, m.
        centre: [f64; 3],
        /// Half the extents along x, y and z, m.
        semi_axes: [f64; 3],
        /// Whether it is a bowl.
        hollow: bool,
    },
    /// The upper half of a level cylinder, a ridge, or the inside of its lower half, a gutter. Outside it there is no ground.
    Cylinder {
        /// A point of its axis, m.
        centre: [f64; 3],
        /// Unit vector along the axis in the plane of x and y.
        axis: [f64; 2],
        /// m.
        radius: f64,
        /// Whether it is a gutter.
        hollow: bool,
    },
    /// Hills and hollows made from a seed; twice continuously differentiable.
    Procedural(Procedural),
    /// Any formula.
    Expression(Expression),
    /// Smooth patches over a map.
    Map {
        /// The map.
        raster: Raster,
        /// Continuity of its patches.
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

    /// Its kind.
    pub fn form(&self) -> &HeightForm {
        &self.form
    }

    /// Height and derivatives at a place, or the reason for missing ground.
    #[inline]
    pub fn jet(&self, x: f64, y: f64) -> Result<HeightJet, Missing> {
        self.jet_with(&mut None, x, y)
    }

    /// The same with a patch that is cached while the place stays in its cell and rebuilt when it leaves it.
    /// The result does not depend on the given patch.
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
            HeightForm::Ellipsoid { centre, semi_axes: [a, b, c], hollow } => {
                let (u, v) = ((x - centre[0]) / (a * a), (y - centre[1]) / (b * b));
                let rest = 1.0 - u * (x - centre[0]) - v * (y - centre[1]);
                let sign = if *hollow { -1.0 } else { 1.0 };
                dome(rest, [u, v], [1.0 / (a * a), 0.0, 1.0 / (b * b)], centre[2], sign * c)
            }
            HeightForm::Cylinder { centre, axis: [along_x, along_y], radius, hollow } => {
                let across = (along_x * (y - centre[1]) - along_y * (x - centre[0])) / radius;
                let (u, v) = (-along_y / radius, along_x / radius);
                let sign = if *hollow { -1.0 } else { 1.0 };
                let rest = 1.0 - across * across;
                dome(rest, [across * u, across * v], [u * u, u * v, v * v], centre[2], sign * radius)
            }
            HeightForm::Procedural(noise) => {
                let (z, gradient, hessian) = noise.jet(x, y);
                Ok(HeightJet { z, gradient, hessian })
            }
            HeightForm::Expression(expression) => {
                let jet = expression.jet(x, y);
                let numbers =
                    [jet.z, jet.gradient[0], jet.gradient[1], jet.hessian[0], jet.hessian[1], jet.hessian[2]];
                // Where the formula has no finite value or slope there is no ground.
                if numbers.iter().all(|n| n.is_finite()) { Ok(jet) } else { Err(Missing::Hole) }
            }
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

    /// An upper bound of the height, m; infinite if none is known.
    pub fn top(&self) -> f64 {
        self.peaks.as_ref().map_or(f64::INFINITY, |peaks| peaks.top())
    }

    /// An upper bound of the height in a rectangle, m: infinite if none is known, negative infinity outside a
    /// map.
    pub fn highest(&self, x: [f64; 2], y: [f64; 2]) -> f64 {
        match (&self.form, &self.peaks) {
            (HeightForm::Plane { .. }, _) => {
                let corners = [(x[0], y[0]), (x[1], y[0]), (x[0], y[1]), (x[1], y[1])];
                let heights = corners.map(|(x, y)| self.jet(x, y).map_or(f64::INFINITY, |jet| jet.z));
                heights.into_iter().fold(f64::NEG_INFINITY, f64::max)
            }
            (HeightForm::Paraboloid { height, coefficients: [a, b] }, _) => {
                let most = |c: f64, [low, high]: [f64; 2]| {
                    let ends = (c * low * low).max(c * high * high);
                    if low < 0.0 && high > 0.0 { ends.max(0.0) } else { ends }
                };
                height + most(*a, x) + most(*b, y)
            }
            (HeightForm::Procedural(noise), _) => noise.highest(x, y),
            (HeightForm::Ellipsoid { centre, semi_axes, hollow }, _) => {
                if *hollow {
                    centre[2]
                } else {
                    centre[2] + semi_axes[2]
                }
            }
            (HeightForm::Cylinder { centre, radius, hollow, .. }, _) => {
                if *hollow {
                    centre[2]
                } else {
                    centre[2] + radius
                }
            }
            (HeightForm::Map { raster, .. }, Some(peaks)) => {
                let window = window(raster, x, y, |from, to| [from.floor(), to.ceil()]);
                window.map_or(f64::NEG_INFINITY, |window| peaks.highest(window))
            }
            _ => f64::INFINITY,
        }
    }

    /// Calls `visit` with ranges [from, to) of columns and rows of nodes that lie in the rectangle, as far as ground beside them may reach above
    /// a height; a map only. The cost does not depend on the size of the map.
    #[inline]
    pub fn visit_nodes(
        &self,
        x: [f64; 2],
        y: [f64; 2],
        above: f64,
        mut visit: impl FnMut([usize; 2], [usize; 2]),
    ) {
        let (Some(map), Some(peaks)) = (self.map(), &self.peaks) else { return };
        if let Some(window) = window(map, x, y, |from, to| [from.ceil(), to.floor()]) {
            peaks.visit(window, above, &mut visit);
        }
    }
}

/// Ranges [from, to) of columns and rows of the nodes of a rectangle, as far as they are on the map; `round` makes whole numbers of cells from its ends.
fn window(
    map: &Raster,
    x: [f64; 2],
    y: [f64; 2],
    round: impl Fn(f64, f64) -> [f64; 2],
) -> Option<[[usize; 2]; 2]> {
    let span = |[from, to]: [f64; 2], axis: usize, nodes: usize| {
        let cells = |c: f64| (c - map.origin()[axis]) / map.spacing();
        let [from, to] = round(cells(from), cells(to));
        let (from, to) = (from.max(0.0), to.min((nodes - 1) as f64));
        (from <= to).then(|| [from as usize, to as usize + 1])
    };
    Some([span(x, 0, map.columns())?, span(y, 1, map.rows())?])
}

/// z = height + scale √rest with rest = 1 − q(x, y), q a quadratic form with half the gradient `half` and half the Hessian `bend`.
#[inline]
fn dome(rest: f64, half: [f64; 2], bend: [f64; 3], height: f64, scale: f64) -> Result<HeightJet, Missing> {
    if rest <= 0.0 || rest.is_nan() {
        return Err(Missing::OffMap);
    }
    let root = rest.sqrt();
    // (√rest)' = −half/√rest, (√rest)'' = −bend/√rest − half halfᵀ/√rest³.
    let second = |b: f64, p: f64, q: f64| -scale * (b + p * q / rest) / root;
    let [p, q] = half;
    Ok(HeightJet {
        z: height + scale * root,
        gradient: [-scale * p / root, -scale * q / root],
        hessian: [second(bend[0], p, p), second(bend[1], p, q), second(bend[2], q, q)],
    })
}
