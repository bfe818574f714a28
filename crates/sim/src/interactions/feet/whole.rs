//! A foot as a whole: sums over the parts of its sole.

use super::columns::FootAt;
use super::foot::FootOnLink;
use super::{FeetParts, FootBook};
use touchdown_math::Vec3;

/// Sums over the parts of a foot at the last evaluation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole {
    /// Depth of the deepest part, m.
    pub depth: f64,
    /// Mean deformation, m, and speed along the ground, m/s.
    pub spring: f64,
    pub slip: f64,
    /// Forces along the normals and the largest that the ground holds along itself, N.
    pub normal: f64,
    pub strength: f64,
    pub tangential_W: Vec3,
    pub force_W: Vec3,
    /// Torque about the centre of the foot, world axes, N m.
    pub torque_W: Vec3,
    /// Centre of the normal forces, in the foot's frame and in the world, m; not a number without any.
    pub centre: Vec3,
    pub centre_W: Vec3,
    /// The mean position of the lowest points of its parts, world, m.
    pub middle_W: Vec3,
}

impl Whole {
    /// Share of the strength along the ground that acts; zero without any.
    pub fn shear_share(&self) -> f64 {
        if self.strength > 0.0 { self.tangential_W.norm() / self.strength } else { 0.0 }
    }
}

impl FeetParts {
    /// The parts of a foot, with their number among all.
    pub(super) fn parts_of(&self, foot: usize) -> impl Iterator<Item = (usize, &FootOnLink)> {
        self.list.iter().enumerate().filter(move |(_, on)| on.of == foot)
    }

    /// Number of feet with their own law.
    pub(super) fn feet(&self) -> usize {
        self.list.last().map_or(0, |on| on.of + 1)
    }

    /// The sums of a foot. Needs an evaluation.
    pub(super) fn whole(&self, foot: usize) -> Whole {
        let zero = Vec3::zeros();
        let mut all = Whole {
            depth: f64::NEG_INFINITY,
            spring: 0.0,
            slip: 0.0,
            normal: 0.0,
            strength: 0.0,
            tangential_W: zero,
            force_W: zero,
            torque_W: zero,
            centre: zero,
            centre_W: zero,
            middle_W: self.parts_of(foot).map(|(_, on)| on.force.p_WQ * on.share).sum(),
        };
        for (_, on) in self.parts_of(foot) {
            let f = &on.force;
            all.depth = all.depth.max(f.depth);
            all.spring += on.share * f.spring;
            all.slip += on.share * on.slip;
            all.normal += f.normal_force;
            all.strength += f.strength;
            all.tangential_W += f.tangential_W;
            all.force_W += f.wrench_F.f;
            all.centre += on.place * f.normal_force;
            all.centre_W += f.p_WQ * f.normal_force;
            all.torque_W += (f.p_WQ - all.middle_W).cross(&f.wrench_F.f);
        }
        all.centre /= all.normal;
        all.centre_W /= all.normal;
        all
    }

    /// The foot that a foot is compared with, among those with their own law.
    pub(super) fn compared_with(&self, foot: usize) -> Option<usize> {
        let law = |k: usize| self.all.get(k).and_then(FootAt::law);
        let own = self.all.iter().position(|at| at.law() == Some(foot))?;
        self.compare.get(own).copied().flatten().and_then(law)
    }

    /// First time at which a part of a foot left its range of validity, s.
    pub(super) fn out_of_range(&self, foot: usize, books: &[FootBook]) -> Option<f64> {
        let times = self.parts_of(foot).filter_map(|(k, _)| books.get(k)?.out_of_range);
        times.reduce(f64::min)
    }
}
