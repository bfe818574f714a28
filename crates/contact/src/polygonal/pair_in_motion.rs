//! The pair in motion as the sum over leaves uses it: velocities, memory of faces, and faces that are
//! evaluated individually.

use super::PolygonalForce;
use super::detect::{Before, Leaf};
use super::force::{FrictionForce, Hold, calc_element_within};
use super::pair::{RevolutionPair, Scene};
use super::params::{Friction, PairLaw};
use super::state::{FaceState, PolygonalState, calc_next_of};
use super::tangent::{PolygonalTangent, add_tangent_within};
use touchdown_math::Vec3;

/// A pair in motion, with the part of its memory not yet read.
pub(super) struct PairInMotion<'a> {
    pair: &'a RevolutionPair,
    scene: &'a Scene,
    memory: &'a [FaceState],
    /// The memory to come, where a step is accepted.
    pub next: Option<&'a mut Vec<FaceState>>,
    /// Stored energy before, less that after, J.
    pub heat: f64,
}

impl<'a> PairInMotion<'a> {
    pub fn new(pair: &'a RevolutionPair, scene: &'a Scene, state: &'a PolygonalState) -> PairInMotion<'a> {
        PairInMotion { pair, scene, memory: &state.faces, next: None, heat: 0.0 }
    }
}

impl PairInMotion<'_> {
    /// Velocity of the body's origin and its angular velocity, against the reference body.
    #[inline]
    pub fn rigid(&self) -> (Vec3, Vec3) {
        (self.scene.v, self.scene.w)
    }

    /// Velocity of a corner due to the changing form of the body, m/s; `None` for a rigid body.
    #[inline]
    pub fn own_velocities(&self, leaf: &Leaf) -> Option<impl Iterator<Item = Vec3> + '_> {
        let range = leaf.node.corners[0] as usize..leaf.node.corners[1] as usize;
        let rates = self.pair.faces.rates.get(range)?;
        Some(rates.iter().map(|rate| self.scene.X_RB.R * rate))
    }

    /// Speed at which the surface of the reference body approaches the corners, m/s; `None` if it does not
    /// change.
    #[inline]
    pub fn surface_speeds<'a>(&'a self, leaf: &'a Leaf) -> Option<impl Iterator<Item = f64> + 'a> {
        let rate = self.pair.reference_rate;
        (rate != 0.0)
            .then(|| (0..leaf.corners()).map(move |k| rate * self.pair.reference.normal_rate(&leaf.foot(k))))
    }

    /// Memory of a face.
    #[inline]
    pub fn hold(&mut self, face: u32) -> Option<Hold> {
        self.pair.hold(self.scene, face, &mut self.memory)
    }

    /// Adds one face: its force, and its derivatives if requested.
    pub fn add_alone(
        &mut self,
        leaf: &Leaf,
        face: u32,
        out: &mut PolygonalForce,
        tangent: Option<&mut PolygonalTangent>,
    ) {
        let pair = self.pair;
        let at = &pair.faces.faces[face as usize];
        let law = pair.law(face);
        let corners = at.corners.map(|k| leaf.corner(usize::from(k)));
        let places = at.corners.map(|k| usize::from(k) + leaf.node.corners[0] as usize);
        let element = pair.element(self.scene, face, places, &corners);
        let hold = if law.friction == Friction::None { None } else { self.hold(face) };
        let cut = if leaf.before_end(&at.corners) == Before::Part { leaf.cut(&at.corners) } else { None };
        let Some(force) = calc_element_within(law, &element, cut.as_ref(), hold.as_ref()) else { return };
        if let Some(tangent) = tangent {
            let (bending, spins) = (corners.map(|c| c.bending()), &self.scene.spins);
            add_tangent_within(
                law,
                (&element, cut.as_ref()),
                &force,
                hold.as_ref(),
                &bending,
                spins,
                tangent,
            );
        }
        out.add(law, &element, &force);
        self.remember(law, face, &force.friction, force.area);
    }

    /// Records a face's friction and touching area when a step is accepted. Not inlined, because it would use
    /// registers of the sum over faces.
    #[inline(never)]
    pub fn remember(&mut self, law: &PairLaw, face: u32, friction: &FrictionForce, area: f64) {
        let Some(next) = &mut self.next else { return };
        // `hold` has advanced to this face.
        let old = self.memory.first().filter(|first| first.face == face);
        let centre_R = self.scene.X_RB.point(&self.pair.faces.faces[face as usize].centre);
        if let Some((new, lost)) = calc_next_of(law, face, old, (friction, area), &centre_R, |f| *f) {
            // The stored energy of a face that stays in contact belongs to the motion; only a sudden loss is
            // heat here.
            self.heat += lost - old.map_or(0.0, |old| old.stored);
            next.push(new);
        }
    }
}
