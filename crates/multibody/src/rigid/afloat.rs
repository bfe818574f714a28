//! Free-floating mechanisms: nothing fixes them to the world, so that only external wrenches change their
//! momentum.
//!
//! A linearised step conserves linear momentum, but angular momentum only to the order of the step, because
//! it rotates bodies by rates that are solved together with the forces. The missing part is restored as a
//! motion of the whole with its joints locked, separately for each [`Raft`]. This is the smallest change of
//! the rates in the metric of the mass matrix, because the momentum along a rigid motion ξ is the product ⟨v,
//! ξ⟩ in that metric: a projection onto an invariant (Hairer, Lubich, Wanner, *Geometric numerical
//! integration*, section IV.4).

use super::parts::first_links;
use super::{Cache, Model, Primitive, WORLD};
use crate::description::{BodyRef, ElementKind, Gravity};
use touchdown_math::{Inertia, Mat3, Motion, Vec3, Wrench};

impl Model {
    /// Whether every tree starts with a free joint, there are no loops and no gravity, and no element or
    /// drive acts between a body and the world. Given loads may act.
    pub fn is_afloat(&self) -> bool {
        let mut roots = self.links.iter().enumerate().filter(|(_, link)| link.parent == WORLD);
        let free = roots.all(|(i, root)| {
            let next = self.links.get(i + 1).is_some_and(|l| l.parent == i && l.primitive == Primitive::Ball);
            let alone = self.links.iter().filter(|l| l.parent == i).count() == 1;
            root.primitive == Primitive::Translation && next && alone
        });
        let leans = |body: BodyRef| body.is_none_or(|b| self.bodies[b].link == WORLD);
        let holds = |joint: usize| self.joints[joint].rates == 6 && !self.joints[joint].locked;
        let elements = self.elements.iter().all(|e| match &e.kind {
            ElementKind::Spring { a, b, .. }
            | ElementKind::Bushing { a, b, .. }
            | ElementKind::Actuator { a, b, .. } => !leans(a.body) && !leans(b.body),
            ElementKind::JointSpring { axis, .. }
            | ElementKind::JointLimit { axis, .. }
            | ElementKind::JointFriction { axis, .. } => !holds(axis.joint),
            ElementKind::Load { .. } => true,
        });
        let drives = self.drives.iter().all(|d| !holds(d.axis.joint));
        let weightless = matches!(self.gravity, Gravity::Uniform(g) if g == Vec3::zeros());
        !self.links.is_empty() && free && elements && drives && weightless && self.nc == 0
    }
}

/// Trees that float together: links, in their order. They are not connected to other trees, so that their
/// momentum is separate.
#[derive(Clone, Debug, PartialEq)]
pub struct Raft {
    links: Vec<usize>,
}

/// The rafts of a model that is afloat; `ties` are pairs of bodies with other interactions.
pub fn rafts(model: &Model, ties: &[[BodyRef; 2]]) -> Vec<Raft> {
    let raft_of = first_links(model, ties, &[]);
    let mut firsts = raft_of.clone();
    firsts.sort_unstable();
    firsts.dedup();
    let links = |first: usize| (0..raft_of.len()).filter(|i| raft_of[*i] == first).collect();
    firsts.into_iter().map(|first| Raft { links: links(first) }).collect()
}

impl Raft {
    /// Momentum about the world's origin: angular as `t`, linear as `f`. Needs kinematics.
    pub fn momentum(&self, cache: &Cache) -> Wrench {
        let momenta = self.links.iter().map(|i| cache.I[*i].apply(&cache.V[*i]));
        momenta.fold(Wrench::zero(), |sum, momentum| sum + momentum).shifted(&-cache.c)
    }

    /// External wrench about the world's origin: the sum of all wrenches, in which those between bodies
    /// cancel. Needs gathered wrenches.
    pub fn wrench_from_outside(&self, cache: &Cache) -> Wrench {
        self.links.iter().fold(Wrench::zero(), |sum, i| sum + cache.W[*i]).shifted(&-cache.c)
    }

    /// Adds the rigid motion of the raft that has this momentum (about the world's origin) to the rates of its free joints. Needs positions.
    pub fn add_momentum(&self, model: &Model, cache: &Cache, missing: &Wrench, v: &mut [f64]) {
        let mut whole = Inertia::zero();
        self.links.iter().for_each(|i| whole += cache.I[*i]);
        // About the centre of mass, where translation and rotation decouple.
        let r = whole.h / whole.m;
        let about = missing.shifted(&(cache.c + r));
        let I_com = whole.I - Inertia::new(whole.m, &r, &Mat3::zeros()).I;
        let Some(w) = I_com.cholesky().map(|factors| factors.solve(&about.t)) else { return };
        let motion = Motion::new(w, about.f / whole.m).shifted(&-r);
        for i in self.links.iter().copied().filter(|i| model.links[*i].parent == WORLD) {
            let root = &model.links[i];
            let travel = root.X_PJ.R.transpose() * motion.shifted(&(cache.p_WL[i] - cache.c)).v;
            let turn = cache.R_WL[i + 1].transpose() * motion.w;
            for k in 0..3 {
                v[root.v + k] += travel[k];
                v[model.links[i + 1].v + k] += turn[k];
            }
        }
    }
}
