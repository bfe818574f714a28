//! Tangent: derivatives of the wrenches with respect to poses and velocities of both sides. Poses enter through the kinematics of the facing
//! points, which are linear in small displacements; curvatures are held, as is the turn of a bristle with the normal (of the order of the step).

use super::force::{Friction, Loads};
use super::{SmoothTangent, SurfaceMotion};
use touchdown_math::{Mat3, Motion, Vec3};

/// A small displacement or change of velocity and its effect at the contact.
struct Change {
    /// Of the closest point, m.
    p: Vec3,
    /// Of the normal.
    n: Vec3,
    /// Of the gap, m.
    gap: f64,
    /// Of the relative velocity there, m/s.
    v: Vec3,
    /// Of the origins of the sides, m.
    origins: [Vec3; 2],
}

/// Adds what one candidate contributes.
pub(super) fn add_tangent(loads: &Loads, sides: &[SurfaceMotion; 2], out: &mut SmoothTangent) {
    let w = [sides[0].w_WS, sides[1].w_WS];
    for j in 0..2 {
        for k in 0..6 {
            let unit = |i: usize| if k % 3 == i { 1.0 } else { 0.0 };
            let axis = Vec3::new(unit(0), unit(1), unit(2));
            let (turn, shift) = if k < 3 { (axis, Vec3::zeros()) } else { (Vec3::zeros(), axis) };
            // The side as moving with this twist about the closest point.
            let at_point = Motion { w: turn, v: shift + turn.cross(&loads.arms[j]) };
            let mut twists = [Motion::zero(), Motion::zero()];
            twists[j] = at_point;
            let rates = loads.kinematics.rates(&loads.facing, &twists[0], &twists[1]);
            let p = twists[0].v + rates.w[0];
            let mut origins = [Vec3::zeros(), Vec3::zeros()];
            origins[j] = shift;
            let v = w[1].cross(&(p - origins[1])) - w[0].cross(&(p - origins[0]));
            let moved = Change { p, n: rates.normal, gap: rates.gap, v, origins };
            let zero = Vec3::zeros();
            let sign = if j == 1 { 1.0 } else { -1.0 };
            let faster = Change { p: zero, n: zero, gap: 0.0, v: at_point.v * sign, origins: [zero, zero] };
            for (change, matrices) in [(moved, &mut out.K), (faster, &mut out.D)] {
                let df = force_change(loads, &change);
                let f = loads.force();
                for i in 0..2 {
                    let sign = if i == 1 { 1.0 } else { -1.0 };
                    let torque = (change.p - change.origins[i]).cross(&f) + loads.arms[i].cross(&df);
                    for a in 0..3 {
                        matrices[i][j][(a, k)] += sign * torque[a];
                        matrices[i][j][(a + 3, k)] += sign * df[a];
                    }
                }
            }
        }
    }
}

/// Change of the force on side 2.
fn force_change(loads: &Loads, change: &Change) -> Vec3 {
    let Loads { n, v, v_t, normal, .. } = loads;
    let speed = n.dot(v);
    let speed_change = change.n.dot(v) + n.dot(&change.v);
    let v_t_change = change.v - change.n * speed - n * speed_change;
    let N_change = -normal.stiffness * change.gap - normal.damping * speed_change;
    let along = n * N_change + change.n * normal.force;
    let across = match &loads.friction {
        Friction::None => Vec3::zeros(),
        Friction::Regularised { coefficient, law } => {
            let direction = -(projector(&law.direction) * v_t_change) / law.speed;
            (law.direction * N_change + direction * normal.force) * *coefficient
        }
        Friction::StickSlip { law, stiffness, resistance, coefficient: (mu, mu_slope), base } => {
            let base_change = -change.n * n.dot(base) - n * change.n.dot(base);
            let wanted = base_change * *stiffness + v_t_change * *resistance;
            let grip = mu * normal.force;
            if !law.sliding {
                -wanted
            } else if grip > 0.0 {
                let direction = law.force / grip;
                let grip_change = mu * N_change + normal.force * mu_slope * 2.0 * v_t.dot(&v_t_change);
                -(direction * grip_change + projector(&direction) * wanted * (grip / law.wanted))
            } else {
                Vec3::zeros()
            }
        }
    };
    along + across
}

/// 1 − d dᵀ.
fn projector(d: &Vec3) -> Mat3 {
    Mat3::identity() - d * d.transpose()
}
