//! One trial of a step: its twelve stages, its end point and its estimated error; called by `step` and `events`.
//! After acceptance it keeps the stages, from which `dense` interpolates.
//! Hairer, Nørsett, Wanner I, sections II.5 and II.10.

use super::tableau::{A, B, C, E3, E5, END, Row, STAGES, STAGES_DENSE};
use super::{Control, ExplicitError, Ode};

/// Weight of the third-order estimate in the denominator of the joined error; Hairer, Nørsett, Wanner I, section II.10.
const THIRD_ORDER_WEIGHT: f64 = 0.01;

/// Stages and ends of the step being tried, or of the last one accepted.
pub(super) struct Trial {
    control: Control,
    /// Stage slopes, one after the other: `STAGES_DENSE × n`. Written by `begin`, `attempt`, `prepare_dense`.
    pub(super) k: Vec<f64>,
    /// Beginning of the step, n. Written by `begin`.
    pub(super) y_old: Vec<f64>,
    /// End point, projected once the error test is passed, n. Written by `attempt`.
    pub(super) y_new: Vec<f64>,
    /// Argument of a stage or an error vector, n.
    pub(super) scratch: Vec<f64>,
    /// Terms of the interpolant, `TERMS × n`. Written by `prepare_dense`.
    pub(super) terms: Vec<f64>,
    /// Whether `terms` belong to the present trial.
    pub(super) terms_ready: bool,
    /// Times of both ends, s.
    pub(super) t_old: f64,
    pub(super) t_new: f64,
    /// Evaluations of the right-hand side since `begin`.
    pub(super) evaluations: u32,
}

impl Trial {
    pub(super) fn new(n: usize, control: Control) -> Self {
        Self {
            control,
            k: vec![0.0; STAGES_DENSE * n],
            y_old: vec![0.0; n],
            y_new: vec![0.0; n],
            scratch: vec![0.0; n],
            terms: vec![0.0; super::dense::TERMS * n],
            terms_ready: false,
            t_old: f64::NAN,
            t_new: f64::NAN,
            evaluations: 0,
        }
    }

    /// Length of the present trial, s.
    pub(super) fn h(&self) -> f64 {
        self.t_new - self.t_old
    }

    /// Takes over the beginning of a step and evaluates its first stage, which all trials share.
    pub(super) fn begin<O: Ode>(
        &mut self,
        ode: &mut O,
        t: f64,
        y: &[f64],
    ) -> Result<(), ExplicitError<O::Error>> {
        self.y_old.copy_from_slice(y);
        self.t_old = t;
        self.t_new = f64::NAN;
        self.terms_ready = false;
        self.evaluations = 1;
        let n = y.len();
        evaluate(ode, t, &self.y_old, &mut self.k[..n])
    }

    /// Tries the step that ends at `t_new`; returns its error (0 with a fixed step). Up to 1 it passed, and the end point is
    /// projected.
    pub(super) fn attempt<O: Ode>(
        &mut self,
        ode: &mut O,
        t_new: f64,
    ) -> Result<f64, ExplicitError<O::Error>> {
        self.t_new = t_new;
        self.terms_ready = false;
        for s in 1..STAGES {
            self.stage(ode, s)?;
        }
        let (n, h) = (self.y_old.len(), self.h());
        combine(B, &self.k, &mut self.y_new);
        for i in 0..n {
            self.y_new[i] = self.y_old[i] + h * self.y_new[i];
        }
        check_finite(t_new, &self.y_new)?;
        let error = match self.control {
            Control::Fixed(_) => 0.0,
            Control::Adaptive { relative, absolute, .. } => self.error(ode.scales(), relative, absolute),
        };
        if error <= 1.0 {
            ode.project(t_new, &mut self.y_new).map_err(ExplicitError::Rhs)?;
            check_finite(t_new, &self.y_new)?;
        }
        Ok(error)
    }

    /// Evaluates stage `s` from those before it.
    pub(super) fn stage<O: Ode>(&mut self, ode: &mut O, s: usize) -> Result<(), ExplicitError<O::Error>> {
        let (n, h) = (self.y_old.len(), self.h());
        let (before, rest) = self.k.split_at_mut(s * n);
        combine(A[s], before, &mut self.scratch);
        for i in 0..n {
            self.scratch[i] = self.y_old[i] + h * self.scratch[i];
        }
        // A stage at the end takes the time of the end itself: t + h may differ from it in the last bit.
        let t = if C[s] == 1.0 { self.t_new } else { self.t_old + C[s] * h };
        self.evaluations += 1;
        evaluate(ode, t, &self.scratch, &mut rest[..n])
    }

    /// Evaluates the slope at the end point.
    pub(super) fn end_slope<O: Ode>(&mut self, ode: &mut O) -> Result<(), ExplicitError<O::Error>> {
        let n = self.y_old.len();
        self.evaluations += 1;
        evaluate(ode, self.t_new, &self.y_new, &mut self.k[END * n..(END + 1) * n])
    }

    /// The joined error of orders 5 and 3, relative to the tolerance; Hairer, Nørsett, Wanner I, section II.10.
    fn error(&mut self, scales: &[f64], relative: f64, absolute: f64) -> f64 {
        combine(E5, &self.k, &mut self.scratch);
        let (fifth, counted) = self.weighted_squares(scales, relative, absolute);
        combine(E3, &self.k, &mut self.scratch);
        let (third, _) = self.weighted_squares(scales, relative, absolute);
        let denominator = fifth + THIRD_ORDER_WEIGHT * third;
        if denominator == 0.0 {
            return 0.0;
        }
        let error = self.h() * fifth / (denominator * counted).sqrt();
        // Squares that overflow give inf/inf: the error of such a step is far too large.
        if error.is_nan() { f64::INFINITY } else { error }
    }

    /// Sum of squares of `scratch` over its tolerances, and the number of components that took part.
    fn weighted_squares(&self, scales: &[f64], relative: f64, absolute: f64) -> (f64, f64) {
        let (mut sum, mut counted) = (0.0, 0.0);
        for (i, e) in self.scratch.iter().enumerate() {
            if scales[i] == f64::INFINITY {
                continue;
            }
            let size = self.y_old[i].abs().max(self.y_new[i].abs());
            let q = e / tolerance(absolute * scales[i], relative * size);
            sum += q * q;
            counted += 1.0;
        }
        (sum, counted)
    }
}

/// Tolerance of one component. Both parts may vanish (a purely relative tolerance at zero): the floor avoids
/// 0/0.
pub(super) fn tolerance(absolute: f64, relative: f64) -> f64 {
    (absolute + relative).max(f64::MIN_POSITIVE)
}

/// `out = Σ coefficient · stage`; the order of the sum is that of the row.
pub(super) fn combine(row: Row, k: &[f64], out: &mut [f64]) {
    let n = out.len();
    out.fill(0.0);
    for &(j, a) in row {
        for (o, k) in out.iter_mut().zip(&k[j * n..(j + 1) * n]) {
            *o += a * k;
        }
    }
}

/// Evaluates the right-hand side and refuses slopes that are not finite: a zero weight would hide them.
pub(super) fn evaluate<O: Ode>(
    ode: &mut O,
    t: f64,
    y: &[f64],
    dy: &mut [f64],
) -> Result<(), ExplicitError<O::Error>> {
    ode.rhs(t, y, dy).map_err(ExplicitError::Rhs)?;
    check_finite(t, dy)
}

/// Names the first component that is not finite.
pub(super) fn check_finite<E>(t: f64, values: &[f64]) -> Result<(), ExplicitError<E>> {
    match values.iter().position(|v| !v.is_finite()) {
        Some(index) => Err(ExplicitError::NotFinite { t, index }),
        None => Ok(()),
    }
}
