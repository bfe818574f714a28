//! Momentum of free-floating systems, in steps of `realtime`. See [`touchdown_multibody::rigid::afloat`].

use crate::engine::system::System;
use std::cell::RefCell;
use touchdown_math::Wrench;
use touchdown_multibody::rigid::WORLD;
use touchdown_multibody::rigid::afloat::{self, Raft};

/// Scratch of one step of a raft, about the world's origin.
#[derive(Clone, Debug)]
pub(crate) struct Floating {
    raft: Raft,
    /// Momentum before the step.
    before: Wrench,
    /// External wrench, at the step's evaluation.
    outside: Wrench,
}

impl System {
    /// The rafts of a world with only given loads from outside: no ground, and no contact or boom on the
    /// world. None in others.
    pub(crate) fn floating(&self, turns: bool) -> Vec<Floating> {
        let moves = |body: Option<usize>| body.is_some_and(|b| self.model.bodies[b].link != WORLD);
        let ties = RefCell::new(Vec::new());
        let both_move = |bodies: [Option<usize>; 2]| {
            ties.borrow_mut().push(bodies);
            bodies.into_iter().all(moves)
        };
        let floats = self.model.is_afloat()
            && self.ground.is_none()
            && !turns
            && !self.leans_on_ground()
            && self.all_ties(both_move);
        let rafts = if floats { afloat::rafts(&self.model, &ties.into_inner()) } else { Vec::new() };
        let at_rest = |raft| Floating { raft, before: Wrench::zero(), outside: Wrench::zero() };
        rafts.into_iter().map(at_rest).collect()
    }

    /// Momentum before a step.
    pub(crate) fn remember_momentum(&mut self, q: &[f64], v: &[f64]) {
        if !self.floating.is_empty() {
            self.update_kinematics(q, v);
            self.floating
                .iter_mut()
                .for_each(|floating| floating.before = floating.raft.momentum(&self.cache));
        }
    }

    /// External wrench during a step. Needs its forces.
    pub(crate) fn remember_outside(&mut self) {
        for floating in &mut self.floating {
            floating.outside = floating.raft.wrench_from_outside(&self.cache);
        }
    }

    /// Restores the momentum that a step lost: it may change only by external wrenches.
    pub(crate) fn restore_momentum(&mut self, h: f64, q: &[f64], v: &mut [f64]) {
        if self.floating.is_empty() {
            return;
        }
        self.update_kinematics(q, v);
        for Floating { raft, before, outside } in &self.floating {
            let missing = *before + *outside * h - raft.momentum(&self.cache);
            raft.add_momentum(&self.model, &self.cache, &missing, v);
        }
    }
}
