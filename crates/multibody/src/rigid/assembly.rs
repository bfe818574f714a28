//! Assembly: from the given coordinates to coordinates that close every loop, with as little motion as
//! possible.

use super::constrained::{DynamicsError, row_name};
use super::{Cache, Model, constraint, kinematics};
use touchdown_solve::linear::Cholesky;

/// Gauss–Newton steps at most.
const STEPS: usize = 200;
/// Residual at which the mechanism counts as closed (m, rad).
const CLOSED: f64 = 1e-12;
/// Largest step of one coordinate (m, rad): prevents jumps of Newton's method to another branch.
const LONGEST: f64 = 0.3;

/// Moves all coordinates that are not held until the constraints at time `t` close. Smallest steps in the sense of least squares.
pub fn assemble(model: &Model, t: f64, q: &mut [f64], cache: &mut Cache) -> Result<(), DynamicsError> {
    let (nv, nc) = (model.nv, model.nc);
    let (mut C, mut G, mut A) = (vec![0.0; nc], vec![0.0; nc * nv], Cholesky::new(nc));
    let (mut step, mut q_new) = (vec![0.0; nv], q.to_vec());
    let mut best = f64::INFINITY;
    let mut stalled = 0;
    for _ in 0..STEPS {
        kinematics::update_positions(model, q, cache);
        constraint::calc_residual(model, cache, q, t, &mut C);
        let size = C.iter().fold(0.0, |m: f64, c| m.max(c.abs()));
        if size < CLOSED {
            return Ok(());
        }
        stalled = if size < 0.9 * best { 0 } else { stalled + 1 };
        best = best.min(size);
        if stalled > 30 || !size.is_finite() {
            break;
        }
        constraint::calc_jacobian(model, cache, &mut G);
        for row in G.chunks_exact_mut(nv) {
            row.iter_mut().zip(&model.held).filter(|(_, held)| **held).for_each(|(g, _)| *g = 0.0);
        }
        fill_normal_matrix(&G, nv, nc, A.matrix_mut());
        if A.factor().is_err() {
            break;
        }
        A.solve(&mut C);
        step.fill(0.0);
        for (c, row) in C.iter().zip(G.chunks_exact(nv)) {
            step.iter_mut().zip(row).for_each(|(s, g)| *s -= c * g);
        }
        let longest = step.iter().fold(0.0, |m: f64, s| m.max(s.abs()));
        if longest > LONGEST {
            step.iter_mut().for_each(|s| *s *= LONGEST / longest);
        }
        model.add_step(q, &step, &mut q_new);
        q.copy_from_slice(&q_new);
    }
    constraint::calc_residual(model, cache, q, t, &mut C);
    let worst = (0..nc).max_by(|a, b| C[*a].abs().total_cmp(&C[*b].abs())).unwrap_or(0);
    Err(DynamicsError::Open { constraint: row_name(model, worst), residual: C[worst].abs() })
}

/// `G·Gᵀ` with a trace of regularisation for redundant rows.
fn fill_normal_matrix(G: &[f64], nv: usize, nc: usize, A: &mut [f64]) {
    let mut trace = 0.0;
    for i in 0..nc {
        for j in 0..=i {
            A[i * nc + j] =
                G[i * nv..(i + 1) * nv].iter().zip(&G[j * nv..(j + 1) * nv]).map(|(a, b)| a * b).sum();
        }
        trace += A[i * nc + i];
    }
    (0..nc).for_each(|i| A[i * nc + i] += (1e-10 * trace / nc as f64).max(f64::MIN_POSITIVE));
}
