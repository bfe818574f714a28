//! The method on one mass with a linear force: order with steps of all lengths, and steps whose matrix is singular.

use super::*;
use crate::linear::NewtonMatrix;
use crate::mechanical::{Linearised, NewtonWeights, Sizes};
use touchdown_math::Elementary;

/// q'' = k·q.
struct Mass {
    k: f64,
}

impl Mechanical for Mass {
    type Error = ();
    fn sizes(&self) -> Sizes {
        Sizes { nq: 1, nv: 1, nc: 0, nz: 0 }
    }
    fn add_step(&self, q: &[f64], dq: &[f64], out: &mut [f64]) {
        out[0] = q[0] + dq[0];
    }
    fn residual(&mut self, at: &Point, r: &mut [f64], _: &mut [f64]) -> Result<(), ()> {
        r[0] = at.a[0] - self.k * at.q[0];
        Ok(())
    }
    fn tangent(&mut self, _: &Point, w: NewtonWeights, out: NewtonMatrix) -> Result<(), ()> {
        out.T[0] = w.a - w.q * self.k;
        Ok(())
    }
    fn linearised(&mut self, at: &Point, w: NewtonWeights, out: Linearised) -> Result<(), ()> {
        self.residual(at, out.r, out.C)?;
        self.tangent(at, w, out.matrix)
    }
    fn constraint_rates(&mut self, _: f64, _: &[f64], _: &[f64], _: &mut [f64]) {}
    fn constraint_residual(&mut self, _: f64, _: &[f64], _: &mut [f64]) {}
    fn contact_states(&mut self, _: &Point, _: &mut [f64]) -> Result<(), ()> {
        Ok(())
    }
    fn contact_rates(&mut self, _: f64, _: &[f64], _: &[f64], _: &[f64], _: &mut [f64]) -> Result<(), ()> {
        Ok(())
    }
}

/// A mass at q = 1 with rate v, and the method with its memory.
fn begin(k: f64, v: f64, h: f64, rho: f64) -> (Mass, Implicit, Memory) {
    let mass = Mass { k };
    let method = Implicit::new(&mass, Control::Fixed(h), rho);
    let start = Start { v: vec![v], a: vec![k], jerk: vec![k * v], lambda: vec![], z_rate: vec![] };
    (mass, method, Memory::new(start, h, rho))
}

/// q'' = −q over ten seconds, each third step cut short: half the steps make a quarter of the error. With the auxiliary acceleration left by a step of another length it was half.
#[test]
fn steps_of_changing_length_keep_second_order() {
    let error = |h: f64| {
        let (mut mass, mut method, mut memory) = begin(-1.0, 0.0, h, 0.6);
        let (mut t, mut q, mut v) = (0.0, [1.0], [0.0]);
        for n in 0.. {
            if t >= 10.0 {
                break;
            }
            let cut = if n % 3 == 2 { t + 0.3 * h } else { t + h };
            let step = method.step(&mut mass, &mut memory, &mut t, cut.min(10.0), (&mut q, &mut v, &mut []));
            assert!(step.is_ok());
        }
        (q[0] - 10f64.cosine()).abs()
    };
    let (coarse, fine) = (error(0.02), error(0.01));
    assert!((3.5..4.5).contains(&(coarse / fine)), "{coarse} {fine}");
}

/// With spectral radius one the matrix is 1 − h²·k/4: singular for k = 16 and h = 0.5, and 3/4 for half of that. The step is made in halves, each of
/// which is the trapezoidal rule for q = exp(4 t): a factor (1 + ½)/(1 − ½) = 3.
#[test]
fn a_step_with_a_singular_matrix_is_halved() {
    let (mut mass, mut method, mut memory) = begin(16.0, 4.0, 0.5, 1.0);
    let (mut t, mut q, mut v) = (0.0, [1.0], [4.0]);
    let mut rejected = 0;
    while t < 0.5 {
        let step = method.step(&mut mass, &mut memory, &mut t, 0.5, (&mut q, &mut v, &mut []));
        rejected += step.expect("a shorter step is regular").rejected;
    }
    assert!(rejected >= 1);
    assert!((q[0] - 9.0).abs() < 1e-9 && (v[0] - 36.0).abs() < 1e-8, "{q:?} {v:?}");
}
