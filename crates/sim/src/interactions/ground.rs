//! Rigid ground of tyres, feet and flexible bodies: a plane, or a smooth surface.

use crate::description::{Ground, WorldDescription};
use touchdown_contact::tyre::GroundPlane;
use touchdown_geometry::surface::HeightSurface;
use touchdown_math::Vec3;

/// Rigid ground.
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
