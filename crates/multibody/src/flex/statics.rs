//! Static equilibrium: Newton's method with load steps, for force–deflection curves.

use super::FlexError;
use super::mesh::{FlexMesh, Slot};
use super::plate::Weights;
use nalgebra::{DMatrix, SymmetricEigen};
use touchdown_math::Elementary;
use touchdown_math::Vec3;
use touchdown_solve::linear::sparse::SparseLu;

/// Settings of the search for equilibrium.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search {
    /// Load steps at first; a step that fails is halved.
    pub steps: usize,
    /// Largest unbalanced generalised force that counts as none, relative to the largest elastic one.
    pub tolerance: f64,
    /// The same, absolute, N.
    pub floor: f64,
    /// Newton iterations of a step.
    pub iterations: usize,
}

impl Default for Search {
    fn default() -> Self {
        Search { steps: 1, tolerance: 1e-10, floor: 1e-9, iterations: 40 }
    }
}

/// Forces other than the elastic ones: loads, contact. Positions, supports and magnitude of the load follow
/// `load` from 0 to 1.
pub trait Loads {
    /// Sets prescribed coordinates for a share of the load.
    fn prescribe(&mut self, load: f64, prescribed: &mut [f64]) {
        let _ = (load, prescribed);
    }

    /// Adds forces to `force` and, if wanted, minus their derivatives by q to values in the mesh's pattern.
    fn add(&mut self, load: f64, mesh: &FlexMesh, q: &[f64], force: &mut [f64], tangent: Option<&mut [f64]>);
}

/// A constant force that grows with the load.
#[derive(Clone, Debug, PartialEq)]
pub struct DeadLoad(pub Vec<f64>);

impl Loads for DeadLoad {
    fn add(&mut self, load: f64, _: &FlexMesh, _: &[f64], force: &mut [f64], _: Option<&mut [f64]>) {
        force.iter_mut().zip(&self.0).for_each(|(f, g)| *f += load * g);
    }
}

/// What was found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Found {
    /// Newton iterations in all.
    pub iterations: usize,
    /// Load steps, halved ones included.
    pub steps: usize,
    /// Largest unbalanced force that is left, N.
    pub residual: f64,
    /// Elastic energy, J.
    pub energy: f64,
}

/// Largest number of halvings of a load step.
const HALVINGS: i32 = 10;
/// Number of rounding errors that may add up in an unbalanced force.
const ROUND_OFF: f64 = 100.0;
/// A rigid motion is free if its stiffness is below this share of the largest entry of the tangent.
const FREE_SHARE: f64 = 1e-11;

/// Carries a mesh from its present form q (equilibrium at load zero, or near it) to equilibrium under the full load.
pub fn solve(
    mesh: &mut FlexMesh,
    q: &mut [f64],
    loads: &mut dyn Loads,
    search: &Search,
) -> Result<Found, FlexError> {
    let n = mesh.coordinates();
    let mut work = Work {
        lu: SparseLu::new(mesh.pattern()),
        values: vec![0.0; mesh.pattern().entries()],
        force: vec![0.0; n],
        rest: vec![0.0; n],
        trial: q.to_vec(),
    };
    let mut found = Found::default();
    check_support(mesh, q, loads, &mut work)?;
    let (mut reached, mut step) = (0.0, 1.0 / search.steps.max(1) as f64);
    let least = step * 0.5f64.whole_power(HALVINGS);
    let mut good = q.to_vec();
    let mut prescribed = mesh.prescribed().to_vec();
    while reached < 1.0 {
        let load = f64::min(1.0, reached + step);
        let load = if 1.0 - load < 1e-12 { 1.0 } else { load };
        loads.prescribe(load, mesh.prescribed_mut());
        found.steps += 1;
        let outcome = newton(mesh, q, load, loads, search, &mut work, &mut found);
        match outcome.and_then(|()| mesh.check(q)) {
            Ok(()) => {
                reached = load;
                good.copy_from_slice(q);
                prescribed.copy_from_slice(mesh.prescribed());
                step *= 1.5;
            }
            Err(why) => {
                step *= 0.5;
                q.copy_from_slice(&good);
                mesh.prescribed_mut().copy_from_slice(&prescribed);
                if step < least {
                    return Err(why);
                }
            }
        }
    }
    Ok(found)
}

struct Work {
    lu: SparseLu,
    values: Vec<f64>,
    force: Vec<f64>,
    rest: Vec<f64>,
    trial: Vec<f64>,
}

pub(super) fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m: f64, f| if f.is_nan() { f64::INFINITY } else { m.max(f.abs()) })
}

fn newton(
    mesh: &FlexMesh,
    q: &mut [f64],
    load: f64,
    loads: &mut dyn Loads,
    search: &Search,
    work: &mut Work,
    found: &mut Found,
) -> Result<(), FlexError> {
    let weights = Weights { position: 1.0, velocity: 0.0 };
    let mut last = f64::INFINITY;
    for _ in 0..search.iterations {
        work.values.fill(0.0);
        work.force.fill(0.0);
        let energies = mesh.tangent(q, &work.rest, weights, &mut work.force, &mut work.values);
        let scale = largest(&work.force);
        loads.add(load, mesh, q, &mut work.force, Some(&mut work.values));
        let residual = largest(&work.force);
        (found.residual, found.energy) = (residual, energies.elastic);
        found.iterations += 1;
        if residual <= search.floor.max(search.tolerance * scale) {
            return Ok(());
        }
        // A residual of this size that Newton steps no longer reduce is round-off of stiff members.
        let round_off = ROUND_OFF * f64::EPSILON * largest(&work.values) * largest(q);
        if residual <= round_off && residual > 0.3 * last {
            return Ok(());
        }
        last = residual;
        if !residual.is_finite() || work.lu.factor(&work.values).is_err() {
            break;
        }
        work.lu.solve(&mut work.force);
        // Shorter steps until the residual does not grow much: a full Newton step may cross a kink of contact.
        let mut share = 1.0;
        loop {
            for i in 0..q.len() {
                work.trial[i] = q[i] + share * work.force[i];
            }
            let next = residual_at(mesh, &work.trial, load, loads, &work.rest);
            if next < 4.0 * residual || next <= search.floor || share < 0.05 {
                break;
            }
            share *= 0.5;
        }
        q.copy_from_slice(&work.trial);
    }
    let mut force = vec![0.0; q.len()];
    mesh.forces(q, &work.rest, &mut force);
    loads.add(load, mesh, q, &mut force, None);
    Err(FlexError::Diverged { load, residual: largest(&force), element: worst_element(mesh, &force) })
}

fn residual_at(mesh: &FlexMesh, q: &[f64], load: f64, loads: &mut dyn Loads, rest: &[f64]) -> f64 {
    let mut force = vec![0.0; q.len()];
    mesh.forces(q, rest, &mut force);
    loads.add(load, mesh, q, &mut force, None);
    largest(&force)
}

/// The element with the largest value among the coordinates it touches.
fn worst_element(mesh: &FlexMesh, values: &[f64]) -> usize {
    let size = |element: usize| {
        let slots = mesh.elements()[element].vectors.iter().flat_map(|v| (0..3).map(|c| (*v as usize, c)));
        slots.fold(0.0, |m: f64, (v, c)| match mesh.slot_of(v, c) {
            Slot::Free(i) if values[i].is_nan() => f64::INFINITY,
            Slot::Free(i) => m.max(values[i].abs()),
            Slot::Prescribed(_) => m,
        })
    };
    (0..mesh.elements().len()).max_by(|a, b| size(*a).total_cmp(&size(*b)).then(b.cmp(a))).unwrap_or(0)
}

/// A part that can move as a rigid body without resistance has no equilibrium.
fn check_support(
    mesh: &FlexMesh,
    q: &[f64],
    loads: &mut dyn Loads,
    work: &mut Work,
) -> Result<(), FlexError> {
    work.values.fill(0.0);
    let mut scratch = vec![0.0; q.len()];
    mesh.tangent(q, &work.rest, Weights { position: 1.0, velocity: 0.0 }, &mut scratch, &mut work.values);
    loads.add(0.0, mesh, q, &mut scratch, Some(&mut work.values));
    let scale = largest(&work.values);
    for (number, part) in mesh.parts().iter().enumerate() {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let mut motions: Vec<Vec<f64>> = Vec::new();
        for k in 0..6 {
            let mut motion = vec![0.0; q.len()];
            let unit = Vec3::from_fn(|c, _| f64::from(u8::from(c == k % 3)));
            let (velocity, spin) = if k < 3 { (unit, Vec3::zeros()) } else { (Vec3::zeros(), unit) };
            mesh.set_rigid_rate(number, q, &part.centre, &velocity, &spin, &mut motion);
            let before = dot(&motion, &motion).sqrt();
            for other in &motions {
                let along = dot(other, &motion);
                motion.iter_mut().zip(other).for_each(|(x, y)| *x -= along * y);
            }
            let norm = dot(&motion, &motion).sqrt();
            // A straight cable that turns about itself does not move.
            if norm > 1e-9 * before {
                motion.iter_mut().for_each(|x| *x /= norm);
                motions.push(motion);
            }
        }
        let images: Vec<Vec<f64>> = motions
            .iter()
            .map(|motion| {
                let mut image = vec![0.0; q.len()];
                mesh.pattern().add_product(&work.values, motion, &mut image);
                image
            })
            .collect();
        let count = motions.len();
        let stiffness = DMatrix::from_fn(count, count, |i, j| {
            0.5 * (dot(&motions[i], &images[j]) + dot(&motions[j], &images[i]))
        });
        let eigen = SymmetricEigen::new(stiffness);
        if eigen.eigenvalues.iter().any(|x| x.abs() < FREE_SHARE * scale) {
            let element = part.elements[0];
            return Err(FlexError::Unsupported { node: mesh.elements()[element].nodes[0], element });
        }
    }
    Ok(())
}
