//! Detection: the wheel's motion and the ground plane ⇒ the footprint, that is, all geometry and kinematics
//! of the contact. No forces here; `force.rs` comes next.

use super::{BrushParameters, GroundPlane, WheelMotion};
use touchdown_math::Vec3;

/// Cosine of the camber beyond which a wheel counts as lying on its side and the disc model gives no force (84°): the
/// spoke to the ground, `height / cos γ`, loses its meaning there.
const COS_CAMBER_MIN: f64 = 0.1;

/// Contact of a wheel with the plane. Axes of the footprint: `e_x` forward, `e_y` to the left in the plane,
/// normal `n`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footprint {
    /// Contact point: the end of the loaded spoke, which lies on the plane.
    pub p_WQ: Vec3,
    /// Spin axis.
    pub axis: Vec3,
    /// Normal of the plane.
    pub n: Vec3,
    /// Rolling direction in the plane.
    pub e_x: Vec3,
    /// Lateral direction in the plane, `n × e_x`.
    pub e_y: Vec3,
    /// Direction of the loaded spoke from the contact point to the centre, in the wheel's plane.
    pub u: Vec3,
    /// `n · axis`: sine of the camber γ.
    pub sin_camber: f64,
    /// Cosine of the camber.
    pub cos_camber: f64,
    /// Height of the centre above the plane, m.
    pub height: f64,
    /// Length of the loaded spoke ℓ = height / cos γ = R − δ, m.
    pub arm: f64,
    /// Effective rolling radius R_e = R − s δ, m: the arm of the longitudinal force and of the rolling resistance.
    pub rolling_radius: f64,
    /// Radial deformation δ = R − ℓ, m.
    pub deformation: f64,
    /// Its rate, m/s.
    pub deformation_rate: f64,
    /// Spin ω about the axis, rad/s.
    pub spin: f64,
    /// Angular velocity of the wheel, world axes, rad/s.
    pub w_WB: Vec3,
    /// Angular velocity in the footprint's axes e_x and e_y, rad/s.
    pub w: [f64; 2],
    /// Velocity of the centre in the footprint's axes e_x, e_y, n, m/s.
    pub v: [f64; 3],
    /// Slip speed of the ground under the tread along e_x and e_y, m/s: ω R_e − v_x, and minus the lateral velocity of the spoke's end.
    pub slip_speed: [f64; 2],
    /// Rolling speed ω R_e, m/s.
    pub roll_speed: f64,
    /// Whether the wheel touches.
    pub touching: bool,
}

impl Footprint {
    #[inline(always)]
    pub fn calc(p: &BrushParameters, motion: &WheelMotion, ground: &GroundPlane) -> Self {
        let (n, a) = (&ground.normal, &motion.axis_W);
        let forward = a.cross(n);
        let cos_exact = forward.norm();
        let cos_camber = cos_exact.max(COS_CAMBER_MIN);
        let inverse = 1.0 / cos_camber;
        let e_x = forward * inverse;
        let sin_camber = n.dot(a);
        let height = (motion.p_WC - ground.point).dot(n);
        let arm = height * inverse;
        let e_y = n.cross(&e_x);
        let w = [motion.w_WB.dot(&e_x), motion.w_WB.dot(&e_y)];
        let v = [motion.v_WC.dot(&e_x), motion.v_WC.dot(&e_y), motion.v_WC.dot(n)];
        let spin = motion.w_WB.dot(a);
        let deformation = p.radius - arm;
        // R − s δ, in a form that is ℓ to the last digit for s = 1.
        let rolling_radius = arm + (1.0 - p.rolling_share) * deformation;
        let roll_speed = rolling_radius * spin;
        let u = e_x.cross(a);
        Footprint {
            p_WQ: motion.p_WC - u * arm,
            axis: *a,
            n: *n,
            e_x,
            e_y,
            u,
            sin_camber,
            cos_camber,
            height,
            arm,
            rolling_radius,
            deformation,
            // Only the tilt about e_x and the normal velocity change ℓ = height / cos γ.
            deformation_rate: -inverse * (v[2] + arm * sin_camber * w[0]),
            spin,
            w_WB: motion.w_WB,
            w,
            v,
            slip_speed: [roll_speed - v[0], -v[1] - height * w[0]],
            roll_speed,
            touching: deformation > 0.0 && cos_exact >= COS_CAMBER_MIN,
        }
    }
}

/// Signed distance of the undeformed wheel (a disc) from the plane, m; negative when touching.
#[inline(always)]
pub(super) fn calc_gap(radius: f64, motion: &WheelMotion, ground: &GroundPlane) -> f64 {
    let cos_camber = motion.axis_W.cross(&ground.normal).norm();
    (motion.p_WC - ground.point).dot(&ground.normal) - radius * cos_camber
}
