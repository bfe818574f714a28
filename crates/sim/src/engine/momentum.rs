//! Momentum of what floats freely in space, through steps of `realtime`. See [`touchdown_multibody::rigid::afloat`].

use crate::engine::system::System;
use touchdown_math::Wrench;
use touchdown_multibody::rigid::{WORLD, afloat};

/// Scratch of one step, about the world's origin.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Floating {
    /// Momentum before the step.
    before: Wrench,
    /// What acts from outside, at the step's evaluation.
    outside: Wrench,
}

impl System {
    /// Whether only given loads act on it from outside: no ground, and no contact or boom that leans on the world.
    pub(crate) fn floats(&self, turns: bool) -> bool {
        let moves = |body: Option<usize>| body.is_some_and(|b| self.model.bodies[b].link != WORLD);
        let both_move = |bodies: [Option<usize>; 2]| bodies.into_iter().all(moves);
        self.model.is_afloat()
            && self.ground.is_none()
            && !turns
            && !self.leans_on_ground()
            && self.all_ties(both_move)
    }

    /// Momentum before a step.
    pub(crate) fn remember_momentum(&mut self, q: &[f64], v: &[f64]) {
        if self.floating.is_some() {
            self.update_kinematics(q, v);
            self.floating = Some(Floating { before: afloat::momentum(&self.cache), ..Floating::default() });
        }
    }

    /// What acts from outside during a step. Needs its forces.
    pub(crate) fn remember_outside(&mut self) {
        if let Some(floating) = &mut self.floating {
            floating.outside = afloat::wrench_from_outside(&self.cache);
        }
    }

    /// Gives the rates back what a step lost: momentum changes by what acts from outside, and by nothing else.
    pub(crate) fn restore_momentum(&mut self, h: f64, q: &[f64], v: &mut [f64]) {
        let Some(Floating { before, outside }) = self.floating else { return };
        self.update_kinematics(q, v);
        let missing = before + outside * h - afloat::momentum(&self.cache);
        afloat::add_momentum(&self.model, &self.cache, &missing, v);
    }
}
