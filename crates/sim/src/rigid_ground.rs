//! Rigid ground under the tyres: a plane, or a smooth surface with the place where each wheel stands on it.

use crate::description::{Ground, WorldDescription};
use crate::method::StepFailure;
use crate::system::System;
use touchdown_contact::tyre::{Footing, GroundPlane, NoGround};
use touchdown_geometry::surface::{HeightJet, HeightSurface, Patch};
use touchdown_math::Vec3;

/// What tyres roll on.
#[derive(Clone, Debug)]
pub(crate) enum RigidGround {
    Plane(GroundPlane),
    Surface(Box<HeightSurface>),
}

impl RigidGround {
    /// The rigid ground of a description, if it has any.
    pub fn new(description: &WorldDescription) -> Option<RigidGround> {
        match description.ground.as_ref()? {
            Ground::Plane { point, normal } => {
                Some(RigidGround::Plane(GroundPlane { point: *point, normal: *normal }))
            }
            Ground::Surface(surface) => Some(RigidGround::Surface(surface.clone())),
            Ground::Soil(_) => None,
        }
    }

    /// Direction out of the ground as a whole.
    pub fn up(&self) -> Vec3 {
        match self {
            RigidGround::Plane(plane) => plane.normal,
            RigidGround::Surface(_) => Vec3::z(),
        }
    }

    /// Whether it is the same plane everywhere.
    pub fn is_plane(&self) -> bool {
        matches!(self, RigidGround::Plane(_))
    }
}

/// A wheel on rigid ground at the last evaluation. Nothing here is remembered: the patch saves time only.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    /// Tangent plane under the wheel.
    pub footing: Footing,
    /// Where there is no ground, if so.
    pub lost: Option<NoGround>,
    patch: Option<Patch>,
}

impl Standing {
    pub fn new() -> Standing {
        let plane = GroundPlane { point: Vec3::zeros(), normal: Vec3::z() };
        Standing {
            footing: Footing { plane, jet: HeightJet::default(), second: 0.0 },
            lost: None,
            patch: None,
        }
    }
}

impl System {
    /// Finds where wheel `i` stands. Needs kinematics; `false` without rigid ground.
    pub(crate) fn update_standing(&mut self, i: usize) -> bool {
        let motion = self.wheel_motion(i);
        let radius = self.tyres[i].tyre.params().radius;
        let standing = &mut self.standings[i];
        match &self.ground {
            None => return false,
            Some(RigidGround::Plane(plane)) => standing.footing.plane = *plane,
            Some(RigidGround::Surface(surface)) => {
                let found = Footing::find(surface, &mut standing.patch, radius, &motion);
                standing.lost = found.err();
                standing.footing = found.unwrap_or_else(|_| Footing::none(&motion, radius));
            }
        }
        true
    }

    /// Signed distance of wheel `i` from the ground at the last evaluation, m; negative while it touches.
    pub(crate) fn wheel_gap(&self, i: usize) -> f64 {
        self.tyres[i].tyre.calc_gap(&self.wheel_motion(i), &self.standings[i].footing.plane)
    }

    /// An error if a wheel stood where there is no ground at the last evaluation.
    pub(crate) fn check_standings(&self) -> Result<(), StepFailure> {
        let lost = self.standings.iter().enumerate().find_map(|(i, s)| Some((i, s.lost?)));
        let Some((i, NoGround { at, why })) = lost else { return Ok(()) };
        Err(StepFailure::no_ground(why, &self.tyres[i].name, at))
    }
}
