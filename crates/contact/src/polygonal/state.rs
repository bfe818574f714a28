//! Memory of a contact: an anchor in the reference body for every touching face. Forces read it; only an
//! accepted step changes it.

use super::force::{ElementForce, FrictionForce};
use super::params::{Friction, PairLaw};
use serde::{Deserialize, Serialize};
use touchdown_math::Vec3;

/// Grip of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Grip {
    /// Sticks.
    Stick,
    /// Has broken away and was not yet faster than the release speed.
    Breaking,
    /// Slides, and has been faster than the release speed.
    Slide,
}

/// Memory of a touching face.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaceState {
    /// The face.
    pub face: u32,
    /// Its grip.
    pub grip: Grip,
    /// Position of the face's centre without tangential force: r₀, m, in the reference body's frame.
    pub anchor_R: [f64; 3],
    /// Area attached to the anchor, m².
    pub area: f64,
    /// Tangential energy, J.
    pub stored: f64,
}

/// Memory of a pair: its touching faces in ascending order. Empty for a fresh contact, and always with a friction law that has no memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PolygonalState {
    /// The touching faces.
    pub faces: Vec<FaceState>,
}

/// Memory of a face after an accepted step that ended with `force`, and the heat released, J, less the part
/// of the work booked as heat that the spring still stores. `None` with a law that has no memory.
///
/// `centre_R` is the face's centre and `to_R` turns world vectors into the reference body's frame.
///
/// New area is attached to the anchor without tension: the force stays, the stretch is shared. Breaking away
/// lets the force fall from μ_stick·N to μ_slip·N; the anchor then trails the face at r₀ = r + F/c_T.
pub fn calc_next(
    law: &PairLaw,
    face: u32,
    old: Option<&FaceState>,
    force: &ElementForce,
    centre_R: &Vec3,
    to_R: impl Fn(&Vec3) -> Vec3,
) -> Option<(FaceState, f64)> {
    calc_next_of(law, face, old, (&force.friction, force.area), centre_R, to_R)
}

/// The same from the required parts of the force: friction and touching area.
#[inline]
pub(super) fn calc_next_of(
    law: &PairLaw,
    face: u32,
    old: Option<&FaceState>,
    (friction, area): (&FrictionForce, f64),
    centre_R: &Vec3,
    to_R: impl Fn(&Vec3) -> Vec3,
) -> Option<(FaceState, f64)> {
    let Friction::StickSlip { stick, slip, release_speed } = law.friction else { return None };
    let fast = friction.speed >= release_speed;
    let Some(old) = old else {
        let grip = if fast { Grip::Slide } else { Grip::Stick };
        let anchor_R = (*centre_R).into();
        return Some((FaceState { face, grip, anchor_R, area, stored: 0.0 }, 0.0));
    };
    let grip = match old.grip {
        Grip::Stick if friction.at_limit && fast => Grip::Slide,
        Grip::Stick if friction.at_limit => Grip::Breaking,
        Grip::Breaking if fast => Grip::Slide,
        Grip::Slide if !fast => Grip::Stick,
        same => same,
    };
    let breaks = old.grip == Grip::Stick && grip != Grip::Stick;
    let keeps = if breaks && stick > 0.0 { slip / stick } else { 1.0 };
    let pull = friction.elastic * keeps;
    let spring = law.shear_stiffness * area;
    let before =
        if friction.spring > 0.0 { 0.5 * friction.elastic.norm_squared() / friction.spring } else { 0.0 };
    let stored = if spring > 0.0 { 0.5 * pull.norm_squared() / spring } else { 0.0 };
    // A face that neither slips nor grows keeps its anchor to the bit: it holds without end.
    let anchor_R = if friction.at_limit || area > old.area {
        if spring > 0.0 { (centre_R + to_R(&(pull / spring))).into() } else { (*centre_R).into() }
    } else {
        old.anchor_R
    };
    let heat = if friction.at_limit {
        // All work of the step was booked as heat; the part stored in the spring is not heat.
        old.stored - stored
    } else {
        // Area that separated removed its share of the spring; new area shares the stretch.
        let shrunk =
            if friction.spring > 0.0 { law.shear_stiffness * old.area / friction.spring } else { 1.0 };
        before * (shrunk - 1.0) + before - stored
    };
    Some((FaceState { face, grip, anchor_R, area, stored }, heat))
}
