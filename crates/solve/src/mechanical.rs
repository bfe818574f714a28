//! Interface of a constrained mechanical system to the implicit integrators.
//!
//! `r(t, q, v, a, λ) = M·a + bias − forces − Gᵀ·λ = 0`, `C(q, t) = 0`. Contacts may carry states z of first order,
//! `dz/dt = g(q, v, z)`; inside an implicit step they solve `z = z_base + h_z·g` and are eliminated locally.
//! Joint coordinates of rigid bodies come first; nodal coordinates of flexible bodies follow with their own
//! mass block (Samarini et al., Eq. 7): the integrators treat all coordinates alike.

use crate::linear::{BlockShape, NewtonMatrix};

/// Numbers of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Position coordinates.
    pub nq: usize,
    /// Rates.
    pub nv: usize,
    /// Constraint rows.
    pub nc: usize,
    /// First-order contact states.
    pub nz: usize,
}

/// Weights of the Newton matrix `a·∂r/∂a + v·∂r/∂v + q·∂r/∂q`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonWeights {
    /// Of ∂r/∂a.
    pub a: f64,
    /// Of ∂r/∂v.
    pub v: f64,
    /// Of ∂r/∂q.
    pub q: f64,
}

/// Point at which a system is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a> {
    /// Time, s.
    pub t: f64,
    /// Coordinates.
    pub q: &'a [f64],
    /// Rates.
    pub v: &'a [f64],
    /// Accelerations.
    pub a: &'a [f64],
    /// Multipliers.
    pub lambda: &'a [f64],
    /// Known part of the contact states.
    pub z_base: &'a [f64],
    /// Weight of their rate, s.
    pub h_z: f64,
}

/// A constrained mechanical system. All functions are pure in their arguments.
pub trait Mechanical {
    /// Error of an evaluation.
    type Error;
    /// Sizes; constant.
    fn sizes(&self) -> Sizes;
    /// If the Newton matrix has the sparsity of a tree: for each rate the next towards the root, or `usize::MAX`.
    fn elimination_tree(&self) -> Option<&[usize]> {
        None
    }
    /// Sparse blocks of the Newton matrix, after the rigid rates; constant. None without flexible bodies.
    fn blocks(&self) -> Vec<BlockShape> {
        Vec::new()
    }
    /// Multiplier of the tolerances of Newton's method: above one if there are many unknowns and corrections
    /// are costly.
    fn newton_slack(&self) -> f64 {
        1.0
    }
    /// Number of corrections of a step that improve the next ones, without constraints: useful if corrections
    /// are costly compared with products of vectors.
    fn secants(&self) -> usize {
        0
    }
    /// `out = q ⊕ dq`.
    fn add_step(&self, q: &[f64], dq: &[f64], out: &mut [f64]);
    /// `r` and `C`.
    fn residual(&mut self, at: &Point, r: &mut [f64], C: &mut [f64]) -> Result<(), Self::Error>;
    /// The Newton matrix and the constraints' Jacobian.
    fn tangent(&mut self, at: &Point, weights: NewtonWeights, out: NewtonMatrix) -> Result<(), Self::Error>;
    /// As `tangent`, without the derivatives of the inertia forces; also returns `r` and `C`.
    fn linearised(&mut self, at: &Point, weights: NewtonWeights, out: Linearised) -> Result<(), Self::Error>;
    /// After `linearised` at this point: fixes each law with a kink (a drive with a limit) on its branch.
    /// Does nothing by default.
    fn choose_branches(&mut self, _t: f64, _q: &[f64], _v: &[f64]) {}
    /// At the end of a step made on these branches: changes branches that the motion contradicts, and returns
    /// whether any changed.
    fn revise_branches(&mut self, _t: f64, _q: &[f64], _v: &[f64]) -> bool {
        false
    }
    /// After the step: laws follow the motion again.
    fn release_branches(&mut self) {}
    /// Before a step from this state: holds each law whose force jumps (a stop of a joint) on its branch there. Nothing by default.
    fn hold_stops(&mut self, _q: &[f64], _v: &[f64]) {}
    /// At the end of a step made on these branches: takes others where the motion contradicts them, and says whether it did. With `engage` it lets none go, so that it says no in the end.
    fn revise_stops(&mut self, _q: &[f64], _v: &[f64], _engage: bool) -> bool {
        false
    }
    /// Whether at the last `residual` a contact state moved on along a law that jumps with the direction of motion (soil at yield). Never by default.
    fn yields(&self) -> bool {
        false
    }
    /// Whether something is where it could yield, so that an attempt without an end may lie between both sides of a jump. Never by default.
    fn may_yield(&self) -> bool {
        false
    }
    /// After a step between two states (coordinates, rates) of length h: books the heat of these laws, by their force at the end or, with `both`, by the mean of both ends.
    fn book_stops(&mut self, _before: (&[f64], &[f64]), _after: (&[f64], &[f64]), _h: f64, _both: bool) {}
    /// Before a step: what the state has of quantities that the step must keep. Nothing by default.
    fn remember_invariants(&mut self, _q: &[f64], _v: &[f64]) {}
    /// After a step of length h: corrects the rates at `q` for the loss of these quantities since
    /// `remember_invariants`.
    fn restore_invariants(&mut self, _h: f64, _q: &[f64], _v: &mut [f64]) {}
    /// `Ċ = G·v + C_t`.
    fn constraint_rates(&mut self, t: f64, q: &[f64], v: &[f64], out: &mut [f64]);
    /// `C` alone.
    fn constraint_residual(&mut self, t: f64, q: &[f64], out: &mut [f64]);
    /// The contact states that solve `z = z_base + h_z·g` at the given motion. Called once at every accepted
    /// point, even without contact states, so that a system can store its evaluation.
    fn contact_states(&mut self, at: &Point, z: &mut [f64]) -> Result<(), Self::Error>;
    /// `dz/dt` at a state.
    fn contact_rates(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        z: &[f64],
        out: &mut [f64],
    ) -> Result<(), Self::Error>;
}

/// Output of `Mechanical::linearised`.
#[derive(Debug)]
pub struct Linearised<'a> {
    /// Residual.
    pub r: &'a mut [f64],
    /// Constraint residual.
    pub C: &'a mut [f64],
    /// Newton matrix and Jacobian.
    pub matrix: NewtonMatrix<'a>,
}
