//! Two nodes side by side, one in each lane: vectors of lanes, and their sums in a fixed order.

use super::detect::Touch;
use touchdown_math::Vec3;
use wide::f64x2;

/// A vector in each lane.
pub(super) type V = [f64x2; 3];

#[inline(always)]
pub(super) fn cross(a: &V, b: &V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
pub(super) fn dot(a: &V, b: &V) -> f64x2 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(super) fn splat(v: &Vec3) -> V {
    [f64x2::splat(v.x), f64x2::splat(v.y), f64x2::splat(v.z)]
}

/// Both lanes together.
#[inline(always)]
pub(super) fn total(v: f64x2) -> f64 {
    let [a, b] = v.to_array();
    a + b
}

/// A number of both nodes.
#[inline(always)]
pub(super) fn both(pair: &[&Touch; 2], number: impl Fn(&Touch) -> f64) -> f64x2 {
    f64x2::new([number(pair[0]), number(pair[1])])
}
