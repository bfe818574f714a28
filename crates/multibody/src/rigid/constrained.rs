//! Accelerations and projections with constraints: mass-orthogonal, tolerant of redundant rows and of singular positions.
//!
//! With `A = G·M⁻¹·Gᵀ` every task is the same: the smallest change x (in the metric of M) with `G·x = b` is `M⁻¹Gᵀλ`, `A·λ = b`. A is
//! singular where rows are redundant; a small multiple of the identity makes it regular, and refinement
//! against the true rows removes the resulting error for every consistent row.

use super::{Cache, Model, constraint, inverse, kinematics, mass};
use touchdown_solve::linear::Cholesky;

/// Relative regularisation of A: directions weaker than this count as redundant.
const REDUNDANT: f64 = 1e-10;
/// Refinements at most; in regular positions one or two reach round-off.
const REFINEMENTS: usize = 5;
/// Position residual at which projection may stop once it no longer falls (m, rad). It continues to
/// round-off: close to a singular position an error of the residual appears in the accelerations divided by
/// the square of the distance from it.
const CLOSE: f64 = 1e-11;
/// Newton steps of a projection at most.
const PROJECTIONS: usize = 25;

/// Factors and scratch for one model.
#[derive(Clone, Debug)]
pub struct Constrained {
    /// Factored mass matrix, nv × nv.
    M: Vec<f64>,
    /// Jacobian, nc × nv.
    G: Vec<f64>,
    /// Rows M⁻¹G_cᵀ, nc × nv.
    Y: Vec<f64>,
    A: Cholesky,
    b: Vec<f64>,
    rest: Vec<f64>,
    lambda_step: Vec<f64>,
    x: Vec<f64>,
    q_new: Vec<f64>,
}

/// Errors of a constrained evaluation.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DynamicsError {
    /// Something massless can move freely.
    #[error("joint \"{joint}\" moves nothing that has mass or inertia in its direction")]
    Massless {
        /// Its name.
        joint: String,
    },
    /// Newton's method could not bring the coordinates back onto the constraints.
    #[error("constraint \"{constraint}\" cannot be closed: its residual is {residual:.3e} (m or rad)")]
    Open {
        /// The worst constraint.
        constraint: String,
        /// Its residual.
        residual: f64,
    },
    /// A coordinate, rate or acceleration is not finite.
    #[error("the motion of joint \"{joint}\" (body \"{body}\") is not finite")]
    NotFinite {
        /// Its name.
        joint: String,
        /// The body it carries.
        body: String,
    },
}

impl Constrained {
    /// Memory for a model; none without constraints, because it is not used then.
    pub fn new(model: &Model) -> Self {
        let (nq, nv, nc) = if model.is_constrained() { (model.nq, model.nv, model.nc) } else { (0, 0, 0) };
        Constrained {
            M: vec![0.0; nv * nv],
            G: vec![0.0; nc * nv],
            Y: vec![0.0; nc * nv],
            A: Cholesky::new(nc),
            b: vec![0.0; nc],
            rest: vec![0.0; nc],
            lambda_step: vec![0.0; nc],
            x: vec![0.0; nv],
            q_new: vec![0.0; nq],
        }
    }

    /// Factors M and A at the positions in the cache.
    pub fn factor(&mut self, model: &Model, cache: &mut Cache) -> Result<(), DynamicsError> {
        let (nv, nc) = (model.nv, model.nc);
        mass::calc(model, cache, &mut self.M);
        mass::factor(model, &mut self.M)
            .map_err(|k| DynamicsError::Massless { joint: model.rate_name(k).into() })?;
        constraint::calc_jacobian(model, cache, &mut self.G);
        self.Y.copy_from_slice(&self.G);
        for row in self.Y.chunks_exact_mut(nv.max(1)) {
            mass::solve(model, &self.M, row);
        }
        let A = self.A.matrix_mut();
        let mut trace = 0.0;
        for i in 0..nc {
            for j in 0..=i {
                let (g, y) = (&self.G[i * nv..(i + 1) * nv], &self.Y[j * nv..(j + 1) * nv]);
                A[i * nc + j] = g.iter().zip(y).map(|(a, b)| a * b).sum();
            }
            trace += A[i * nc + i];
        }
        let epsilon = (REDUNDANT * trace / nc.max(1) as f64).max(f64::MIN_POSITIVE);
        (0..nc).for_each(|i| A[i * nc + i] += epsilon);
        // Not positive definite can only mean not finite here: rows of a finite G give a positive semi-definite A.
        self.A
            .factor()
            .map_err(|row| DynamicsError::Open { constraint: row_name(model, row), residual: f64::NAN })
    }

    /// `x` ← smallest change with `G·x = self.b`; adds the multipliers to `lambda`.
    fn smallest_change(&mut self, nv: usize, lambda: Option<&mut [f64]>) {
        self.x.fill(0.0);
        self.rest.copy_from_slice(&self.b);
        let mut lambda = lambda;
        let size = |r: &[f64]| r.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let goal = 1e-15 * size(&self.b);
        for _ in 0..=REFINEMENTS {
            self.lambda_step.copy_from_slice(&self.rest);
            self.A.solve(&mut self.lambda_step);
            for (c, l) in self.lambda_step.iter().enumerate() {
                self.x.iter_mut().zip(&self.Y[c * nv..(c + 1) * nv]).for_each(|(x, y)| *x += l * y);
            }
            if let Some(total) = lambda.as_deref_mut() {
                total.iter_mut().zip(&self.lambda_step).for_each(|(t, l)| *t += l);
            }
            for (c, rest) in self.rest.iter_mut().enumerate() {
                let gx: f64 = self.G[c * nv..(c + 1) * nv].iter().zip(&self.x).map(|(a, b)| a * b).sum();
                *rest = self.b[c] - gx;
            }
            if size(&self.rest) <= goal {
                break;
            }
        }
    }

    /// Moves `q` onto the constraints at time `t`; leaves positions of the result and valid factors behind.
    pub fn project_positions(
        &mut self,
        model: &Model,
        t: f64,
        q: &mut [f64],
        cache: &mut Cache,
    ) -> Result<(), DynamicsError> {
        kinematics::update_positions(model, q, cache);
        self.factor(model, cache)?;
        let mut last = f64::INFINITY;
        for _ in 0..PROJECTIONS {
            constraint::calc_residual(model, cache, q, t, &mut self.b);
            let size = self.b.iter().fold(0.0, |m: f64, c| m.max(c.abs()));
            if size <= f64::EPSILON * 0.1 || (size < CLOSE && size > 0.5 * last) {
                return Ok(());
            }
            if !size.is_finite() {
                break;
            }
            if size > 0.1 * last {
                self.factor(model, cache)?;
            }
            last = size;
            self.b.iter_mut().for_each(|b| *b = -*b);
            self.smallest_change(model.nv, None);
            model.add_step(q, &self.x, &mut self.q_new);
            q.copy_from_slice(&self.q_new);
            kinematics::update_positions(model, q, cache);
        }
        Err(self.open(model, t, q, cache))
    }

    fn open(&mut self, model: &Model, t: f64, q: &[f64], cache: &Cache) -> DynamicsError {
        constraint::calc_residual(model, cache, q, t, &mut self.b);
        let mut worst = (0, 0.0);
        for (i, c) in self.b.iter().enumerate() {
            if !c.is_finite() || c.abs() > worst.1 {
                worst = (i, c.abs());
            }
        }
        DynamicsError::Open { constraint: row_name(model, worst.0), residual: worst.1 }
    }

    /// Removes the part of `v` that violates `G·v + C_t = 0`. Needs factors at the present position.
    pub fn project_velocities(&mut self, model: &Model, t: f64, v: &mut [f64]) {
        constraint::calc_time_derivative(model, t, &mut self.b);
        for (c, b) in self.b.iter_mut().enumerate() {
            let gv: f64 =
                self.G[c * model.nv..(c + 1) * model.nv].iter().zip(v.iter()).map(|(a, b)| a * b).sum();
            *b = -*b - gv;
        }
        self.smallest_change(model.nv, None);
        v.iter_mut().zip(&self.x).for_each(|(v, x)| *v += x);
    }

    /// Accelerations and multipliers at the state in the cache (positions, velocities, forces). Needs valid factors.
    pub fn accelerations(
        &mut self,
        model: &Model,
        t: f64,
        cache: &mut Cache,
        a: &mut [f64],
        lambda: &mut [f64],
    ) {
        let nv = model.nv;
        self.x.fill(0.0);
        inverse::calc(model, &self.x, cache, a);
        a.iter_mut().zip(&cache.tau).for_each(|(a, tau)| *a = tau - *a);
        mass::solve(model, &self.M, a);
        constraint::calc_bias(model, cache, t, &mut self.b);
        for (c, b) in self.b.iter_mut().enumerate() {
            let ga: f64 = self.G[c * nv..(c + 1) * nv].iter().zip(a.iter()).map(|(x, y)| x * y).sum();
            *b = -*b - ga;
        }
        lambda.fill(0.0);
        self.smallest_change(nv, Some(lambda));
        a.iter_mut().zip(&self.x).for_each(|(a, x)| *a += x);
    }
}

/// Name of the constraint that owns a row.
pub(super) fn row_name(model: &Model, row: usize) -> String {
    let owner = model.constraints.iter().find(|c| (c.row..c.row + c.rows).contains(&row));
    owner.map_or_else(|| "?".into(), |c| c.name.clone())
}
