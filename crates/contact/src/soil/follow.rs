//! From an evaluation to the accepted state of a linearly implicit step, very near it, without looking at the soil again.

use super::contact::SoilContact;
use super::force::{Laws, splat};
use super::params::SoilOptions;
use super::tangent::TangentWeights;
use super::tile::Held;
use super::{SoilForce, SurfaceMotion};
use nalgebra::Vector6;
use touchdown_math::{Mat6, Vec3};
use wide::f64x2;

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
    /// Goes on from the last evaluation (which had this tangent) to a motion very near it, to first order: the force that a linearly
    /// implicit step applies, and the nodes' levels, pressures and shears that belong to it.
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

    /// How much higher the body is over the node of a touch after what was last followed, m.
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

    /// How the body has moved on the node of a touch, with what was last followed.
    pub(super) fn held_after(&self, index: usize, options: &SoilOptions) -> Held {
        let touch = &self.touches[index];
        let C = self.followed.map_or(self.motion.X_WS.p, |f| f.C);
        let r = Vec3::new(touch.x - C.x, touch.y - C.y, touch.level - C.z);
        let m = Vec3::new(touch.m[0], touch.m[1], 1.0);
        let v = self.motion.v_WS + self.motion.w_WS.cross(&r) + self.drift(index);
        let (rise, square) = (m.dot(&v), m.norm_squared());
        let v_t = v - m * (rise / square);
        let laws = Laws { friction: options.friction, stress: options.stress, since: self.since };
        let held = self.held.get(index).copied().unwrap_or(Held::NEW);
        let strength = self.strength(touch.soil);
        let factor = self.peak.map_or(1.0, |peak| peak.factor(touch, strength.exponent));
        let rates = (f64x2::splat(strength.shear_rate), f64x2::splat(factor));
        let lanes = [rise, square].map(f64x2::splat);
        laws.advance([held; 2], (&splat(&m), lanes[1]), (&splat(&v_t), lanes[0]), rates).1.one()
    }
}
