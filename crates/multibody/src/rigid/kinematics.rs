//! Coordinates and rates ⇒ poses, axes, velocities and inertias in world axes.

use super::{Cache, Model, Primitive, WORLD};
use touchdown_math::{Motion, Pose, Vec3, Wrench, rotation};

/// Coordinates ⇒ `c`, `R_WL`, `p_WL`, `S`, `I`. Repeated calls at the same coordinates return at once.
pub fn update_positions(model: &Model, q: &[f64], cache: &mut Cache) {
    if !q.is_empty() && cache.q == q {
        return;
    }
    cache.q.copy_from_slice(q);
    for (i, link) in model.links.iter().enumerate() {
        let (R_WJ, p_WJ) = if link.parent == WORLD {
            (link.X_PJ.R, link.X_PJ.p)
        } else {
            let R_WP = &cache.R_WL[link.parent];
            let R_WJ = if link.aligned { *R_WP } else { R_WP * link.X_PJ.R };
            (R_WJ, cache.p_WL[link.parent] + R_WP * link.X_PJ.p)
        };
        let (R, p) = match link.primitive {
            Primitive::Revolute(axis) => (rotation::turned(&R_WJ, &axis, q[link.q]), p_WJ),
            Primitive::Prismatic(axis) => (R_WJ, p_WJ + R_WJ * (axis * q[link.q])),
            Primitive::Translation => {
                (R_WJ, p_WJ + R_WJ * Vec3::new(q[link.q], q[link.q + 1], q[link.q + 2]))
            }
            Primitive::Ball => (R_WJ * rotation::from_quaternion(&q[link.q..link.q + 4]), p_WJ),
        };
        if i == 0 {
            cache.c = p;
        }
        let r = p - cache.c;
        match link.primitive {
            Primitive::Revolute(axis) => cache.S[link.v] = turning(R * axis, &r),
            Primitive::Prismatic(axis) => cache.S[link.v] = Motion::new(Vec3::zeros(), R * axis),
            Primitive::Translation => {
                for k in 0..3 {
                    cache.S[link.v + k] = Motion::new(Vec3::zeros(), R_WJ.column(k).into());
                }
            }
            Primitive::Ball => {
                for k in 0..3 {
                    cache.S[link.v + k] = turning(R.column(k).into(), &r);
                }
            }
        }
        cache.I[i] = link.inertia.moved(&R, &r);
        cache.R_WL[i] = R;
        cache.p_WL[i] = p;
    }
}

/// Rotation about `axis` through the point at `r` from the reference point.
#[inline]
fn turning(axis: Vec3, r: &Vec3) -> Motion {
    Motion::new(axis, r.cross(&axis))
}

/// Rates ⇒ `V`, `A_bias` (after `update_positions`).
pub fn update_velocities(model: &Model, v: &[f64], cache: &mut Cache) {
    for (i, link) in model.links.iter().enumerate() {
        let (V_P, A_P) = if link.parent == WORLD {
            (Motion::zero(), Motion::zero())
        } else {
            (cache.V[link.parent], cache.A_bias[link.parent])
        };
        let mut joint = cache.S[link.v] * v[link.v];
        for k in 1..link.primitive.rates() {
            joint += cache.S[link.v + k] * v[link.v + k];
        }
        cache.V[i] = V_P + joint;
        cache.A_bias[i] = A_P + V_P.cross(&joint);
    }
}

/// Pose of a body in the world.
pub fn body_pose(model: &Model, cache: &Cache, body: usize) -> Pose {
    let at = &model.bodies[body];
    if at.link == WORLD { at.X_LB } else { link_pose(cache, at.link).compose(&at.X_LB) }
}

/// Pose of a link in the world.
#[inline]
pub fn link_pose(cache: &Cache, link: usize) -> Pose {
    Pose { R: cache.R_WL[link], p: cache.p_WL[link] }
}

/// Velocity of a body about `c`; zero for the world.
#[inline]
pub fn body_velocity(model: &Model, cache: &Cache, body: Option<usize>) -> Motion {
    match body.map(|b| model.bodies[b].link) {
        Some(link) if link != WORLD => cache.V[link],
        _ => Motion::zero(),
    }
}

/// Velocity of the body-fixed point that is at `p_W` now.
#[inline]
pub fn point_velocity(cache: &Cache, V: &Motion, p_W: &Vec3) -> Vec3 {
    V.v + V.w.cross(&(p_W - cache.c))
}

/// Acceleration of the body-fixed point that is at `p_W` now, from the body's spatial velocity and acceleration.
#[inline]
pub fn point_acceleration(cache: &Cache, V: &Motion, A: &Motion, p_W: &Vec3) -> Vec3 {
    let r = p_W - cache.c;
    A.v + A.w.cross(&r) + V.w.cross(&(V.v + V.w.cross(&r)))
}

/// Kinetic energy (J), linear momentum (N s), and angular momentum about the world's origin (N m s).
pub fn energy_and_momentum(cache: &Cache) -> (f64, Vec3, Vec3) {
    let (mut kinetic, mut total) = (0.0, Wrench::zero());
    for (I, V) in cache.I.iter().zip(&cache.V) {
        let momentum = I.apply(V);
        kinetic += 0.5 * V.dot(&momentum);
        total += momentum;
    }
    (kinetic, total.f, total.t + cache.c.cross(&total.f))
}
