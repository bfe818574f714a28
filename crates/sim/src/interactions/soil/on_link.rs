//! Bodies that touch soil, on the links of the compiled mechanism, and their motion for contacts and columns.

use crate::description::WorldDescription;
use crate::engine::system::System;
use touchdown_contact::soil::SoilShape;
use touchdown_contact::tyre::WheelMotion;
use touchdown_math::{Mat3, Vec3};
use touchdown_multibody::rigid::Model;

/// A body that touches soil, on its link.
#[derive(Clone, Debug)]
pub(crate) struct SoilOnLink {
    pub name: String,
    pub body: usize,
    pub link: usize,
    /// Origin of the surface's frame in the link, m.
    pub p_LC: Vec3,
    /// Axes of the surface's frame in the link; y is the axle of a wheel.
    pub R_LS: Mat3,
    /// Radius of a wheel's rim, m; not a number for other forms.
    pub radius: f64,
    /// The same with its grousers, m.
    pub tip_radius: f64,
    /// Width of a wheel, m; not a number for other forms.
    pub width: f64,
    /// The flexible body whose faces touch, if it is one.
    pub flexible: Option<usize>,
}

impl SoilOnLink {
    /// All of a description, in its order.
    pub fn all(description: &WorldDescription, model: &Model) -> Vec<SoilOnLink> {
        let on_link = |d: &crate::description::SoilBody| {
            let at = &model.bodies[d.body];
            let X_LS = at.X_LB.compose(&d.X_BS);
            let (radius, tip_radius, width) = match &d.surface.shape {
                SoilShape::Wheel { radius, grousers, width } => {
                    (*radius, radius + grousers.map_or(0.0, |g| g.height), *width)
                }
                SoilShape::Mesh(_) => (f64::NAN, f64::NAN, f64::NAN),
            };
            SoilOnLink {
                name: d.name.clone(),
                body: d.body,
                link: at.link,
                p_LC: X_LS.p,
                R_LS: X_LS.R,
                radius,
                tip_radius,
                width,
                flexible: d.skin.as_ref().map(|s| s.flexible),
            }
        };
        description.soil_bodies.iter().map(on_link).collect()
    }

    /// Whether it rolls, so that slip is defined.
    pub fn is_wheel(&self) -> bool {
        self.radius.is_finite()
    }
}

impl System {
    /// Whether bodies touch soil in it.
    pub fn has_soil_contacts(&self) -> bool {
        self.acts.soil.parts.is_some()
    }

    /// Motion of a body that touches soil, at the origin of its surface's frame. Needs kinematics.
    pub(crate) fn soil_motion(&self, i: usize) -> WheelMotion {
        let on = &self.acts.soil.bodies[i];
        self.motion_on_link(on.link, &on.p_LC, &on.R_LS.column(1).into())
    }
}
