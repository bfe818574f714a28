//! Sides of contacts between two bodies: their poses and motions, and conversion of the derivatives of a law
//! by one motion to derivatives by both.

use crate::engine::system::System;
use touchdown_contact::tyre::WheelMotion;
use touchdown_math::{Mat3, Mat6, Motion, Pose, SurfaceMotion, Vec3, Wrench, cross_matrix};
use touchdown_multibody::description::Gravity;
use touchdown_multibody::rigid::{Model, WORLD, kinematics, push};
use touchdown_spacecraft::boom::EndMotion;

/// A side on its link.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    /// Index in the mechanism's bodies; `None` is the world.
    pub body: Option<usize>,
    pub link: usize,
    pub X_LS: Pose,
    /// Farthest point of the form from the frame's origin, m; zero for the world, which does not move.
    pub reach: f64,
}

impl Side {
    /// A form in a body's frame, or in the world's.
    pub fn new(model: &Model, body: Option<usize>, X_BS: &Pose, reach: f64) -> Side {
        match body {
            None => Side { body, link: WORLD, X_LS: *X_BS, reach: 0.0 },
            Some(b) => {
                let at = &model.bodies[b];
                Side { body, link: at.link, X_LS: at.X_LB.compose(X_BS), reach }
            }
        }
    }
}

impl System {
    /// Motion of a point of a link, with an axis fixed to it. Needs kinematics.
    pub(crate) fn motion_on_link(&self, link: usize, p_LC: &Vec3, axis_L: &Vec3) -> WheelMotion {
        if link == WORLD {
            return WheelMotion { p_WC: *p_LC, axis_W: *axis_L, v_WC: Vec3::zeros(), w_WB: Vec3::zeros() };
        }
        let R = &self.cache.R_WL[link];
        let V: &Motion = &self.cache.V[link];
        let p_WC = self.cache.p_WL[link] + R * p_LC;
        let v_WC = kinematics::point_velocity(&self.cache, V, &p_WC);
        WheelMotion { p_WC, axis_W: R * axis_L, v_WC, w_WB: V.w }
    }

    /// Motion of a side. Needs kinematics.
    pub(crate) fn side_motion(&self, side: &Side) -> SurfaceMotion {
        if side.link == WORLD {
            return SurfaceMotion::at_rest(side.X_LS);
        }
        let X_WS = kinematics::link_pose(&self.cache, side.link).compose(&side.X_LS);
        let V = &self.cache.V[side.link];
        SurfaceMotion { X_WS, v_WS: kinematics::point_velocity(&self.cache, V, &X_WS.p), w_WS: V.w }
    }

    /// Adds a wrench to the first side and its opposite to the second, both about `p_W`, with weighted
    /// derivatives `A[of][by]`, if any, and the weight of positions.
    pub(crate) fn push_sides(
        &mut self,
        sides: &[Side; 2],
        p_W: &Vec3,
        wrench: &Wrench,
        slope: Option<(&[[Mat6; 2]; 2], f64)>,
    ) {
        let opposite = Wrench { t: -wrench.t, f: -wrench.f };
        for (k, (side, wrench)) in sides.iter().zip([wrench, &opposite]).enumerate() {
            let Some(body) = side.body else { continue };
            let own = slope.map(|(A, wq)| (&A[k][k], wq));
            push::add_contact(&self.model, &mut self.cache, (body, *p_W), wrench, own);
        }
        let Some((A, _)) = slope else { return };
        for (a, b) in [(0, 1), (1, 0)] {
            push::add_coupling(&mut self.cache, [(sides[a].link, *p_W), (sides[b].link, *p_W)], &A[a][b]);
        }
    }
}

/// Weighted derivatives of the wrenches on both sides of a contact by the motions of both, all at the first side's origin, from those of the
/// first side's wrench by its own motion, `K` and `D`, the second held.
///
/// A law depends only on relative motion: if both sides move together, the wrench moves with them. The
/// remainder beyond the first side's own motion is the second side's part.
pub(crate) fn both_sides(
    (K, D): (&Mat6, &Mat6),
    (wq, wv): (f64, f64),
    wrench: &Wrench,
    first: &SurfaceMotion,
    second: &SurfaceMotion,
) -> [[Mat6; 2]; 2] {
    let r = first.X_WS.p - second.X_WS.p;
    let (w, v) = (first.w_WS - second.w_WS, first.v_WS - second.v_WS - second.w_WS.cross(&r));
    // For a common rotation the wrench rotates, and so do the velocities.
    let mut together = blocks(&-cross_matrix(&wrench.t), &-cross_matrix(&wrench.f));
    together += D * blocks(&cross_matrix(&w), &cross_matrix(&v));
    let other = together - K;
    // About points that stay with the second side: (p₁ − p₂) × f.
    let mut arm = Mat6::zeros();
    arm.fixed_view_mut::<3, 3>(0, 3).copy_from(&-cross_matrix(&wrench.f));
    [[K * wq + D * wv, other * wq - D * wv], [-(K + arm) * wq - D * wv, (arm - other) * wq + D * wv]]
}

/// Motion of the first side in the axes of the second.
pub(crate) fn end_motion(first: &SurfaceMotion, second: &SurfaceMotion) -> EndMotion {
    let Rt = second.X_WS.R.transpose();
    let r = first.X_WS.p - second.X_WS.p;
    EndMotion {
        d: Rt * r,
        R: Rt * first.X_WS.R,
        d_dot: Rt * (first.v_WS - second.v_WS - second.w_WS.cross(&r)),
        w: Rt * (first.w_WS - second.w_WS),
    }
}

/// Derivatives of the first side's wrench in the second's axes, by rotation and displacement and by
/// velocities, ⇒ in those of the world.
pub(crate) fn end_tangent((K, D): (&Mat6, &Mat6), second: &SurfaceMotion) -> (Mat6, Mat6) {
    let (mut K, D) = (to_world(&second.X_WS.R, K), to_world(&second.X_WS.R, D));
    // The second side rotates: at constant world velocities, a displaced point moves relative to it.
    let mut on = Mat6::zeros();
    on.fixed_view_mut::<3, 3>(3, 3).copy_from(&-cross_matrix(&second.w_WS));
    K += D * on;
    (K, D)
}

/// Derivatives in a frame's axes ⇒ in those of the world.
fn to_world(R: &Mat3, M: &Mat6) -> Mat6 {
    let mut turn = Mat6::zeros();
    turn.fixed_view_mut::<3, 3>(0, 0).copy_from(R);
    turn.fixed_view_mut::<3, 3>(3, 3).copy_from(R);
    turn * M * turn.transpose()
}

/// A matrix that maps a rotation to an angular and a linear part; displacements have no effect.
fn blocks(angular: &Mat3, linear: &Mat3) -> Mat6 {
    let mut out = Mat6::zeros();
    out.fixed_view_mut::<3, 3>(0, 0).copy_from(angular);
    out.fixed_view_mut::<3, 3>(3, 0).copy_from(linear);
    out
}

impl System {
    /// Time in which two sides that approach each other at `speed` (m/s) come nearer by `threshold` (m), with
    /// twice gravity as a margin for other forces.
    pub(crate) fn time_to_approach(&self, threshold: f64, speed: f64) -> f64 {
        let fall = match self.model.gravity {
            Gravity::Uniform(g) => 2.0 * g.norm(),
            Gravity::Central { .. } => 0.0,
        };
        // threshold = speed·h + fall·h²/2
        let root = (speed * speed + 2.0 * fall * threshold).sqrt();
        if root > 0.0 { 2.0 * threshold / (speed + root) } else { f64::INFINITY }
    }
}
