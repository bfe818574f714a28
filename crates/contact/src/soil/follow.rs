//! From an evaluation to the accepted state of a linearly implicit step, very near it, without reading the
//! soil again.

use super::contact::SoilContact;
use super::force::{Common, Pair};
use super::lanes::splat;
use super::params::SoilOptions;
use super::shear::Laws;
use super::tangent::TangentWeights;
use super::{SoilForce, SurfaceMotion};
use nalgebra::Vector6;
use touchdown_math::{Mat6, Vec3};

/// A small motion since the last evaluation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Followed {
    /// Origin of the frame before it, m.
    C: Vec3,
    /// Its displacement, m, and turn, rad.
    shift: Vec3,
    turn: Vec3,
}

impl SoilContact {
    /// Continues from the last evaluation (which had this tangent) to a motion very near it, to first order:
    /// the force that a linearly implicit step applies, and the nodes' levels, pressures and shears that
    /// belong to it.
    pub fn follow(
        &mut self,
        motion: &SurfaceMotion,
        since: f64,
        (weights, tangent): (TangentWeights, &Mat6),
        force: &mut SoilForce,
    ) {
        let old = self.motion;
        (self.motion, self.since) = (*motion, since);
        if self.deforming.is_some() {
            force.sinkage -= self.normal.dot(&(motion.X_WS.p - old.X_WS.p));
            return self.follow_deforming((&old, motion), weights, force);
        }
        let (dv, dw) = (motion.v_WS - old.v_WS, motion.w_WS - old.w_WS);
        let change = tangent * (Vector6::new(dw.x, dw.y, dw.z, dv.x, dv.y, dv.z) / weights.v);
        force.wrench_C.t += Vec3::new(change[0], change[1], change[2]);
        force.wrench_C.f += Vec3::new(change[3], change[4], change[5]);
        force.dissipated_power = -(force.wrench_C.f.dot(&motion.v_WS) + force.wrench_C.t.dot(&motion.w_WS));
        let shift = motion.X_WS.p - old.X_WS.p;
        let turned = motion.X_WS.R * old.X_WS.R.transpose();
        let turn = 0.5
            * Vec3::new(
                turned[(2, 1)] - turned[(1, 2)],
                turned[(0, 2)] - turned[(2, 0)],
                turned[(1, 0)] - turned[(0, 1)],
            );
        force.sinkage -= self.normal.dot(&shift);
        self.followed = Some(Followed { C: old.X_WS.p, shift, turn });
    }

    /// Rise of the body over the node of a touch after the last followed motion, m.
    #[inline(always)]
    pub(super) fn followed_rise(&self, index: usize) -> f64 {
        if let Some(deforming) = &self.deforming {
            return deforming.risen.get(index).copied().unwrap_or(0.0);
        }
        let touch = &self.touches[index];
        let Some(Followed { C, shift, turn }) = &self.followed else { return 0.0 };
        let r = Vec3::new(touch.x - C.x, touch.y - C.y, touch.level - C.z);
        let moved = shift + turn.cross(&r);
        touch.m[0] * moved.x + touch.m[1] * moved.y + moved.z
    }

    /// Memory of the nodes once the step is accepted, with the last followed motion. The direction of a face
    /// is that of the evaluation: it turns by a small part of a step's motion over 0.2 mm, far below the
    /// accuracy of the law.
    pub(super) fn hold(&mut self, options: &SoilOptions) {
        let mut held = std::mem::take(&mut self.held);
        let common = Common {
            drift: self.deforming.as_ref().map_or(&[], |d| &d.drift),
            C: splat(&self.followed.map_or(self.motion.X_WS.p, |f| f.C)),
            v: splat(&self.motion.v_WS),
            w: splat(&self.motion.w_WS),
            laws: Laws { friction: options.friction, stress: options.stress, since: self.since },
            weights: None,
        };
        let mut pair = Pair::default();
        for (k, (touches, held)) in self.touches.chunks(2).zip(held.chunks_mut(2)).enumerate() {
            // An odd last node fills both lanes.
            let last = touches.len().min(held.len()) - 1;
            let nodes = [&touches[0], &touches[last]];
            common.move_with(nodes, 2 * k, &mut pair);
            let faced = self.faced.get(k).copied();
            let (_, now, _) = common.advance(self, nodes, [held[0], held[last]], (&pair, faced));
            held.iter_mut().enumerate().for_each(|(lane, held)| *held = now.of(lane));
        }
        self.held = held;
    }
}
