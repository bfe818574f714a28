//! Latches, pairs of magnets and ratchets between bodies.

use super::Builder;
use crate::read::{AttachSpec, Here};
use crate::table::{ClosingWord, Key, LatchKeys, LetsWord, MagnetPairKeys, RatchetKeys};
use touchdown_math::{Pose, Vec3, rotation};
use touchdown_multibody::description::Attachment;
use touchdown_sim::description::{InputTarget, Latch, MagnetPair, Ratchet};
use touchdown_spacecraft::latch::LatchLaw;
use touchdown_spacecraft::ratchet::RatchetLaw;

impl Builder<'_> {
    /// Latches of the scenario.
    pub fn collect_latches(&mut self) {
        for named in &self.root.latch {
            self.remember("latch", &named.name, named);
            let Some(keys) = &named.keys else { continue };
            let between = self.framed(&keys.between, &keys.here, LatchKeys::between, &keys.axis);
            let Some(between) = between else { continue };
            if keys.input {
                let target = InputTarget::Latch(self.latches.len());
                self.add_limited(named.name.clone(), target, [0.0, 1.0]);
            }
            let law = LatchLaw {
                reach: keys.reach,
                widest: keys.widest,
                fastest: keys.fastest.unwrap_or(f64::INFINITY),
                holds: [keys.stiffness, keys.damping],
                turns: [keys.turning_stiffness, keys.turning_damping],
                inelastic: keys.closing == ClosingWord::Inelastic,
                draws: [keys.draw_in, keys.draw_time],
                breaks_at: keys.breaks_at.unwrap_or(f64::INFINITY),
            };
            self.latches.push(Latch { name: named.name.clone(), between, law, armed: keys.armed });
        }
    }

    /// Pairs of magnets of the scenario.
    pub fn collect_magnets(&mut self) {
        for named in &self.root.magnet_pair {
            self.remember("magnet_pair", &named.name, named);
            let Some(keys) = &named.keys else { continue };
            let between = self.framed(&keys.between, &keys.here, MagnetPairKeys::between, &keys.axis);
            let Some(between) = between else { continue };
            if keys.input {
                let target = InputTarget::Magnet(self.magnets.len());
                self.add_limited(named.name.clone(), target, [-1.0, 1.0]);
            }
            let moments = [0, 1].map(|k| between[k].X_BF.R * Vec3::z() * keys.moments[k]);
            self.magnets.push(MagnetPair { name: named.name.clone(), between, moments, size: keys.size });
        }
    }

    /// Ratchets of the scenario.
    pub fn collect_ratchets(&mut self) {
        for named in &self.root.ratchet {
            self.remember("ratchet", &named.name, named);
            let Some(keys) = &named.keys else { continue };
            let Some(between) = self.ends(0, &keys.between, &keys.here, RatchetKeys::between) else {
                continue;
            };
            if keys.input {
                let target = InputTarget::Ratchet(self.ratchets.len());
                self.add_limited(named.name.clone(), target, [0.0, 1.0]);
            }
            let RatchetKeys { pitch, stiffness, damping, engaged, .. } = *keys;
            let law = RatchetLaw { pitch, stiffness, damping, shortens: keys.lets == LetsWord::Shorten };
            self.ratchets.push(Ratchet { name: named.name.clone(), between, law, engaged });
        }
    }

    /// Two ends with frames whose z axes share one direction, given with all joints at zero.
    fn framed<S>(
        &mut self,
        pair: &[AttachSpec; 2],
        here: &Here<S>,
        key: Key<S, [AttachSpec; 2]>,
        axis: &Vec3,
    ) -> Option<[Attachment; 2]> {
        let ends = self.ends(0, pair, here, key)?;
        let R_MA = rotation::onto(&Vec3::z(), &axis.normalize());
        Some(ends.map(|end| {
            let end = self.aligned(0, end);
            let X_BF = Pose { R: end.X_BF.R * R_MA, p: end.X_BF.p };
            Attachment { X_BF, ..end }
        }))
    }
}
