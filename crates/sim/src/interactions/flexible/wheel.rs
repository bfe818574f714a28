//! Flexible wheels: height of their hubs over the ground, and the drives that turn them.

use crate::engine::system::System;
use crate::interactions::ground::RigidGround;
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
    /// State of wheel `i` over the ground; `None` if the part is not a wheel or there is no rigid ground.
    /// Needs kinematics, and contacts for `deformation`.
    pub(crate) fn flexible_wheel(&self, i: usize) -> Option<WheelStance> {
        let part = &self.acts.flexible[i];
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

    /// Free radius of wheel `i` less the height of its hub above the deepest point of its rim, along the
    /// ground's normal, m; `None` if it is not a wheel in soil. Needs soil.
    pub(crate) fn deflection_in_soil(&self, i: usize) -> Option<f64> {
        let part = &self.acts.flexible[i];
        let (wheel, (body, _)) = (part.wheel?, part.skin.as_ref()?);
        let C = self.soil_motion(*body).p_WC;
        let (_, height) = self.acts.soil.parts.as_ref()?.fresh.relief().over(&C)?;
        Some(wheel.radius - (height + self.acts.soil.forces[*body].sinkage))
    }

    /// Angular momentum of wheel `i`'s mesh about its axle, relative to a non-rotating frame that moves with
    /// the hub's centre, N m s.
    pub(crate) fn axle_momentum(&self, i: usize) -> Option<f64> {
        let (part, stance) = (&self.acts.flexible[i], self.flexible_wheel(i)?);
        let on = part.carrier.as_ref()?;
        let V = kinematics::body_velocity(&self.model, &self.cache, Some(on.body));
        let v_C = kinematics::point_velocity(&self.cache, &V, &stance.p_WC);
        let mut momenta = vec![0.0; part.e.len()];
        part.mesh.pattern().add_product(part.mesh.mass(), &part.e_rate, &mut momenta);
        let vector = |x: &[f64]| Vec3::new(x[0], x[1], x[2]);
        let about_origin: Vec3 = part
            .e
            .chunks_exact(3)
            .zip(momenta.chunks_exact(3))
            .map(|(e, p)| vector(e).cross(&vector(p)))
            .sum();
        let mass = part.mesh.total_mass();
        let (arm, momentum) = (part.centre() - stance.p_WC, mass * part.centre_velocity());
        let angular = about_origin - stance.p_WC.cross(&momentum) - mass * arm.cross(&v_C);
        Some(angular.dot(&stance.axis_W))
    }
}
