//! Forms to draw: the initial form, and the motion of its corners.

use crate::engine::system::System;
use std::sync::Arc;
use touchdown_geometry::Shape;
use touchdown_math::{Elementary, Mat3, Pose, Vec3, rotation};

use crate::description::Visual;

/// Colour of contact geometry.
const CONTACT_COLOUR: [f32; 4] = [0.93, 0.42, 0.13, 1.0];

/// Displacements of a form's corners in its own frame, m, from an evaluated system.
pub(crate) type Displace = Arc<dyn Fn(&System, &mut Vec<[f32; 3]>) + Send + Sync>;

/// A form to draw.
#[derive(Clone)]
pub(crate) struct Drawing {
    pub visual: Visual,
    /// Motion of its corners; `None` for rigid forms.
    pub displace: Option<Displace>,
}

impl Drawing {
    /// A rigid form.
    pub fn fixed(visual: Visual) -> Drawing {
        Drawing { visual, displace: None }
    }
}

/// The form of a contact, in the colour of contacts.
pub(crate) fn contact_visual(name: String, body: Option<usize>, X_BG: Pose, shape: Shape) -> Visual {
    Visual { name, body, X_BG, shape, colour: CONTACT_COLOUR }
}

/// Turns z, the axis of a cylinder, onto a unit vector.
pub(crate) fn z_onto(axis: &Vec3) -> Mat3 {
    let across = Vec3::z().cross(axis);
    let turn = if across.norm() > 0.0 { across.normalize() } else { Vec3::x() };
    rotation::about_axis(&turn, across.norm().arctangent2(axis.z))
}
