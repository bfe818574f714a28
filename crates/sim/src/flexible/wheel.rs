//! Flexible wheels: where their hubs stand over the ground, and the drives that turn them.

use crate::rigid_ground::RigidGround;
use crate::system::System;
use touchdown_contact::flexible::Gap;
use touchdown_math::Vec3;
use touchdown_multibody::rigid::kinematics;

/// A wheel over the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WheelStance {
    /// Centre of the hub, m.
    pub p_WC: Vec3,
    /// Spin axis.
    pub axis_W: Vec3,
    /// Direction in which the wheel rolls when it turns positively about its axis: along the ground.
    pub forward_W: Vec3,
    /// Free radius less the height of the hub, m; zero when apart.
    pub deformation: f64,
}

impl System {
    /// How wheel `i` stands; `None` where the part is no wheel or there is no rigid ground. Needs kinematics, and contacts for `deformation`.
    pub(crate) fn flexible_wheel(&self, i: usize) -> Option<WheelStance> {
        let part = &self.flexible[i];
        let (wheel, on) = (part.wheel?, part.carrier.as_ref()?);
        let X_WM = kinematics::body_pose(&self.model, &self.cache, on.body).compose(&on.X_BM);
        let (p_WC, axis_W) = (X_WM.point(&wheel.centre), X_WM.R * wheel.axis);
        let gap = match self.ground.as_ref()? {
            RigidGround::Plane(plane) => Gap::over_plane(&p_WC, &plane.point, &plane.normal),
            RigidGround::Surface(surface) => Gap::over_surface(&p_WC, &surface.jet(p_WC.x, p_WC.y).ok()?),
        };
        let forward_W = axis_W.cross(&gap.gradient).try_normalize(1e-9).unwrap_or_else(Vec3::x);
        let touches = part.ground_force().points > 0;
        let deformation = if touches { wheel.radius - gap.value } else { 0.0 };
        Some(WheelStance { p_WC, axis_W, forward_W, deformation })
    }
}
