//! Branches of equilibrium under loads with a potential: stability of an equilibrium, loss of stability along
//! a branch, and the path to a stable equilibrium.
//!
//! # Equations
//! Elastic forces and loads with a potential Π have a symmetric tangent K = ∂²Π/∂q². Equilibrium is stable if no pivot of K is negative ([`SparseInertia`]).
//! Where the first pivot changes its sign, φ being the mode of K·φ = ω²·M·φ with ω² = 0:
//! - φ·∂f/∂λ = 0, λ the load: the branch continues, unstable, and others cross it (a **bifurcation**:
//!   buckling);
//! - φ·∂f/∂λ ≠ 0: the branch turns back (a **limit point**), and the form jumps.
//!
//! A stable form beyond is found by descent: the unstable form is moved along φ by a small imperfection. Then
//! Π is reduced by steps (K + σ·M)·p = f, with σ large enough that the matrix is positive definite and Π
//! decreases sufficiently (Levenberg–Marquardt); near the end σ = 0, and Newton's method converges. Of two
//! equivalent branches the same one is always chosen: the largest coordinate of φ is made positive.

use super::FlexError;
use super::mesh::FlexMesh;
use super::modes::{Mode, lowest_of};
use super::plate::Weights;
use super::statics::{Found, Loads, Search, largest, solve};
use touchdown_solve::linear::sparse::{SparseCholesky, SparseInertia};

/// Loads that are minus the gradient of a potential.
pub trait Potential: Loads {
    /// The potential at the last evaluation, J.
    fn energy(&self) -> f64;
}

/// How a branch loses its stability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The branch continues, unstable; others cross it.
    Bifurcation,
    /// The branch turns back.
    LimitPoint,
}

/// The imperfection, over the thickness of the thinnest plate: far above round-off, far below the
/// displacements of buckling.
const IMPERFECTION: f64 = 0.01;
/// Share of the largest possible work (both vectors parallel) below which a mode counts as doing none against
/// the load: a symmetric mesh gives 1e-8, a wheel turned by 0.2° 1e-2.
const NO_WORK: f64 = 1e-4;
/// Share of the predicted decrease by which the potential must fall (Armijo).
const ENOUGH: f64 = 1e-4;
/// The least σ, over the ratio of the traces of K and M: below the square of any elastic mode.
const LEAST: f64 = 1e-9;
/// Largest number of descent steps, and of imperfections.
const STEPS: usize = 500;
const ATTEMPTS: usize = 4;

/// Solvers for the stability of a mesh, created once.
#[derive(Clone, Debug)]
pub struct Stability {
    inertia: SparseInertia,
    cholesky: SparseCholesky,
    values: Vec<f64>,
    damped: Vec<f64>,
    force: Vec<f64>,
    rest: Vec<f64>,
}

/// Loads at the full load.
struct Full<'l>(&'l mut dyn Potential);

impl Loads for Full<'_> {
    fn prescribe(&mut self, _: f64, prescribed: &mut [f64]) {
        self.0.prescribe(1.0, prescribed);
    }

    fn add(&mut self, _: f64, mesh: &FlexMesh, q: &[f64], force: &mut [f64], tangent: Option<&mut [f64]>) {
        self.0.add(1.0, mesh, q, force, tangent);
    }
}

impl Stability {
    /// For meshes of this pattern.
    pub fn new(mesh: &FlexMesh) -> Stability {
        let (n, entries) = (mesh.coordinates(), mesh.pattern().entries());
        Stability {
            inertia: SparseInertia::new(mesh.pattern()),
            cholesky: SparseCholesky::new(mesh.pattern()),
            values: vec![0.0; entries],
            damped: vec![0.0; entries],
            force: vec![0.0; n],
            rest: vec![0.0; n],
        }
    }

    /// Tangent and unbalanced force at q under the full load.
    fn evaluate(&mut self, mesh: &FlexMesh, q: &[f64], loads: &mut dyn Potential) {
        self.values.fill(0.0);
        self.force.fill(0.0);
        let weights = Weights { position: 1.0, velocity: 0.0 };
        mesh.tangent(q, &self.rest, weights, &mut self.force, &mut self.values);
        loads.add(1.0, mesh, q, &mut self.force, Some(&mut self.values));
    }

    /// Negative pivots of the tangent under the full load: zero where the equilibrium is stable. A pivot of zero counts as negative.
    pub fn negative(&mut self, mesh: &FlexMesh, q: &[f64], loads: &mut dyn Potential) -> usize {
        self.evaluate(mesh, q, loads);
        self.inertia.negative(&self.values).unwrap_or(1)
    }

    /// The lowest mode under the full load.
    fn lowest(&mut self, mesh: &FlexMesh, q: &[f64], loads: &mut dyn Potential) -> Option<Mode> {
        self.evaluate(mesh, q, loads);
        lowest_of(mesh, &self.values, 1)?.into_iter().next()
    }

    /// The same, if it is unstable.
    fn unstable_mode(&mut self, mesh: &FlexMesh, q: &[f64], loads: &mut dyn Potential) -> Option<Mode> {
        self.lowest(mesh, q, loads).filter(|mode| mode.square < 0.0)
    }

    /// ω² of the lowest mode under the full load, 1/s²: the stiffness of the weakest mode.
    pub fn resistance(&mut self, mesh: &FlexMesh, q: &[f64], loads: &mut dyn Potential) -> Option<f64> {
        self.lowest(mesh, q, loads).map(|mode| mode.square)
    }

    /// The kind of loss of stability, at an unstable equilibrium just beyond; `by_load` is the derivative of
    /// the force by the load.
    pub fn loss(&mut self, mesh: &FlexMesh, q: &[f64], loads: &mut dyn Potential, by_load: &[f64]) -> Loss {
        let Some(mode) = self.unstable_mode(mesh, q, loads) else { return Loss::LimitPoint };
        let size = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let work: f64 = mode.shape.iter().zip(by_load).map(|(x, f)| x * f).sum();
        let share = work.abs() / (size(&mode.shape) * size(by_load)).max(f64::MIN_POSITIVE);
        if share < NO_WORK { Loss::Bifurcation } else { Loss::LimitPoint }
    }

    /// Moves from q, an unstable equilibrium or none, to a stable equilibrium under the full load.
    pub fn descend(
        &mut self,
        mesh: &mut FlexMesh,
        q: &mut [f64],
        loads: &mut dyn Potential,
        search: &Search,
    ) -> Result<Found, FlexError> {
        let mut found = Found::default();
        for _ in 0..ATTEMPTS {
            if let Some(mode) = self.unstable_mode(mesh, q, loads) {
                let most = mode.shape.iter().fold(0.0, |m: f64, x| if x.abs() > m.abs() { *x } else { m });
                let share = IMPERFECTION * mesh.thinnest() / most;
                q.iter_mut().zip(&mode.shape).for_each(|(q, x)| *q += share * x);
            }
            self.run_down(mesh, q, loads)?;
            let last = solve(mesh, q, &mut Full(loads), search)?;
            found = Found {
                iterations: found.iterations + last.iterations,
                steps: found.steps + last.steps,
                ..last
            };
            if self.negative(mesh, q, loads) == 0 {
                return Ok(found);
            }
        }
        Err(FlexError::Diverged { load: 1.0, residual: found.residual, element: 0 })
    }

    /// Reduces the potential until the predicted decrease is round-off.
    fn run_down(
        &mut self,
        mesh: &FlexMesh,
        q: &mut [f64],
        loads: &mut dyn Potential,
    ) -> Result<(), FlexError> {
        let mass = mesh.mass();
        let trace = |values: &[f64]| -> f64 {
            (0..q.len()).filter_map(|i| mesh.pattern().find(i, i)).map(|at| values[at]).sum()
        };
        self.evaluate(mesh, q, loads);
        let ratio = trace(&self.values) / trace(mass);
        let (least, mut sigma) = (LEAST * ratio, 0.0);
        let mut potential = self.potential(mesh, q, loads);
        for _ in 0..STEPS {
            self.evaluate(mesh, q, loads);
            let promised = loop {
                if let Some((trial, promised)) = self.step(mass, q, sigma) {
                    let next = self.potential(mesh, &trial, loads);
                    if next <= potential - ENOUGH * promised && mesh.check(&trial).is_ok() {
                        q.copy_from_slice(&trial);
                        potential = next;
                        sigma = if sigma > least { sigma / 8.0 } else { 0.0 };
                        break promised;
                    }
                    // The predicted decrease is below round-off.
                    if promised <= 1e-13 * potential.abs() {
                        return Ok(());
                    }
                }
                sigma = least.max(4.0 * sigma);
                if sigma.is_nan() || sigma > ratio {
                    let residual = largest(&self.force);
                    return Err(FlexError::Diverged { load: 1.0, residual, element: 0 });
                }
            };
            if sigma == 0.0 && promised <= 1e-13 * potential.abs() {
                break;
            }
        }
        Ok(())
    }

    /// The end of a step, and the decrease of the potential predicted by the tangent; `None` if the matrix is
    /// not positive definite.
    fn step(&mut self, mass: &[f64], q: &[f64], sigma: f64) -> Option<(Vec<f64>, f64)> {
        let sum = self.values.iter().zip(mass).map(|(k, m)| k + sigma * m);
        self.damped.iter_mut().zip(sum).for_each(|(d, x)| *d = x);
        self.cholesky.factor(&self.damped).ok()?;
        let mut step = self.force.clone();
        self.cholesky.solve(&mut step);
        let promised = step.iter().zip(&self.force).map(|(p, f)| p * f).sum();
        Some((q.iter().zip(&step).map(|(q, p)| q + p).collect(), promised))
    }

    /// Π, J. Not a number if it is not finite, which does not count as a decrease.
    fn potential(&self, mesh: &FlexMesh, q: &[f64], loads: &mut dyn Potential) -> f64 {
        let mut scratch = vec![0.0; q.len()];
        let elastic = mesh.forces(q, &self.rest, &mut scratch).elastic;
        loads.add(1.0, mesh, q, &mut scratch, None);
        elastic + loads.energy()
    }
}
