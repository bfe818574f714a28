//! Directions that gravity gives: up, and level with it.

use touchdown_math::Vec3;
use touchdown_multibody::description::Gravity;

/// Against gravity at a place; z where there is none.
pub(crate) fn up(gravity: &Gravity, p_W: &Vec3) -> Vec3 {
    let against = match gravity {
        Gravity::Uniform(g) => -g,
        Gravity::Central { centre, .. } => p_W - centre,
    };
    against.try_normalize(f64::MIN_POSITIVE).unwrap_or_else(Vec3::z)
}

/// A direction made level: its part across `up`, as a unit vector. One that points straight up or down becomes any level one.
pub(crate) fn level(direction: &Vec3, up: &Vec3) -> Vec3 {
    let part = |d: &Vec3| (d - up * up.dot(d)).try_normalize(1e-9);
    part(direction).or_else(|| part(&Vec3::x())).or_else(|| part(&Vec3::y())).unwrap_or_else(Vec3::x)
}
