//! Derivatives of the wrench of a foot with respect to its pose and velocities, the states following over the step.

use super::FootTangent;
use super::detect::Sole;
use super::force::Loads;
use touchdown_math::{Mat6, Vec3};

/// `w`: angular velocity of the foot; `h`: step over which the deflection follows.
pub(super) fn calc_tangent(loads: &Loads, sole: &Sole, w: &Vec3) -> FootTangent {
    let mut out = FootTangent { K: Mat6::zeros(), D: Mat6::zeros() };
    let n = &sole.n;
    let f = loads.force(n);
    let zero = Vec3::zeros();
    for k in 0..6 {
        let mut unit = zero;
        unit[k % 3] = 1.0;
        let (turn, shift) = if k < 3 { (unit, zero) } else { (zero, unit) };
        let arm = sole.arm_change(&turn);
        let moved = (-n.dot(&(shift + arm)), w.cross(&arm), arm);
        let faster = (0.0, shift + turn.cross(&sole.arm), zero);
        for ((depth, v, arm), matrix) in [(moved, &mut out.K), (faster, &mut out.D)] {
            let df = force_change(loads, n, depth, &v);
            let torque = arm.cross(&f) + sole.arm.cross(&df);
            for i in 0..3 {
                matrix[(i, k)] = torque[i];
                matrix[(i + 3, k)] = df[i];
            }
        }
    }
    out
}

fn force_change(loads: &Loads, n: &Vec3, depth: f64, v: &Vec3) -> Vec3 {
    let along = n.dot(v);
    let with = |slopes: &[f64; 2]| slopes[0] * depth - slopes[1] * along;
    let across =
        loads.shear.change(&(v - n * along)) + loads.shear.by_strength * with(&loads.strength_slopes);
    n * with(&loads.normal_slopes) - across
}
