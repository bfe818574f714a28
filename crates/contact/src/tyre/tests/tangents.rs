//! Tangents: derivatives of the implicit wrench, slip states included, against differences of the wrench itself.

use super::*;
use proptest::strategy::ValueTree;

/// The wrench after a small change of one of the twelve: rotation, displacement, angular velocity, velocity.
fn wrench(case: &Case, h: f64, which: usize, by: f64) -> [f64; 6] {
    let mut m = case.motion;
    let step = {
        let mut unit = Vec3::zeros();
        unit[which % 3] = by;
        unit
    };
    match which / 3 {
        0 => m.axis_W = rotation::exp(&step) * m.axis_W,
        1 => m.p_WC += step,
        2 => m.w_WB += step,
        _ => m.v_WC += step,
    }
    let f = case.tyre().calc_force_at(&m, &case.ground, &case.state, h).0.wrench_C;
    [f.t.x, f.t.y, f.t.z, f.f.x, f.f.y, f.f.z]
}

/// Scale of the change of a rotation (rad), a displacement (m), an angular velocity (rad/s), a velocity (m/s). Slips vary over
/// speeds of 1e-3 of the travel speed, hence the small last two.
const STEP: [f64; 4] = [1e-6, 1e-7, 1e-6, 1e-7];

/// Central difference of fourth order, and how much the one-sided ones disagree: large only across a kink.
fn difference(case: &Case, h: f64, which: usize) -> ([f64; 6], [f64; 6]) {
    let d = STEP[which / 3];
    let [m2, m1, p1, p2] = [-2.0, -1.0, 1.0, 2.0].map(|s| wrench(case, h, which, s * d));
    let centre = wrench(case, h, which, 0.0);
    let slope = std::array::from_fn(|i| (8.0 * (p1[i] - m1[i]) - (p2[i] - m2[i])) / (12.0 * d));
    let bend = std::array::from_fn(|i| {
        ((p1[i] - 2.0 * centre[i] + m1[i]) / d).abs() + ((p2[i] - 2.0 * centre[i] + m2[i]) / d).abs()
    });
    (slope, bend)
}

/// Whether travel, rolling or slip would change direction within the reach of the differences: the transport speeds |v_x| and
/// max(|ωℓ|, |v_x|) have their kinks there, too weak to be seen in the bend.
fn near_reversal(case: &Case) -> bool {
    let foot = Footprint::calc(case.tyre().params(), &case.motion, &case.ground);
    let (roll, v_x) = (foot.roll_speed.abs(), foot.v[0].abs());
    roll.min(v_x).min((roll - v_x).abs()) < 1e-5 || foot.slip_speed[1].abs() < 1e-5
}

/// The total derivative of the wrench agrees with differences to 1e-6 of the column's size, wherever no kink (start of sliding,
/// reversal, touchdown) lies within the difference's reach.
#[test]
fn tangents_match_differences() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut compared, mut skipped, mut slid) = (0, 0, 0);
    let strategy = (case(), 1e-4..0.02f64);
    for _ in 0..3000 {
        let (case, h) = strategy.new_tree(&mut runner).expect("the strategy never rejects").current();
        let m = &case.motion;
        if near_reversal(&case) {
            continue;
        }
        let (f, tangent, _) = case.tyre().calc_force_implicit(m, &case.ground, &case.state, h);
        if f.normal_force == 0.0 {
            continue;
        }
        slid += usize::from(f.friction_used > 1.0 - 1e-12);
        for which in 0..12 {
            let (slope, bend) = difference(&case, h, which);
            let column = |i: usize| if which < 6 { tangent.K[(i, which)] } else { tangent.D[(i, which - 6)] };
            for half in 0..2 {
                let rows = 3 * half..3 * half + 3;
                let size = rows.clone().map(|i| column(i).abs().max(slope[i].abs())).fold(0.0, f64::max);
                // Error of the wrench over the step: the friction circle is met to 1e-13 of the force, positions of some
                // metres to 1e-15 m; the weights of the difference formula add up to 1.5.
                let floor = 1e-12 * (10.0 + f.wrench_C.f.norm()) * [1.0, 0.15][1 - half] / STEP[which / 3];
                if rows.clone().any(|i| bend[i] > 3e-3 * size + 10.0 * floor) {
                    skipped += 1;
                    continue;
                }
                compared += 1;
                for i in rows {
                    let error = (column(i) - slope[i]).abs();
                    assert!(
                        error < 1e-6 * size + floor,
                        "{which} {i}: {} {} {case:?} {h}",
                        column(i),
                        slope[i]
                    );
                }
            }
        }
    }
    assert!(compared > 10 * skipped, "{compared} compared, {skipped} skipped");
    assert!(slid > 200, "only {slid} cases slid");
}

/// A parked wheel resists a velocity by its damper and by the spring over the step, d + h C/σ, in each direction.
#[test]
fn damping_of_a_parked_wheel() {
    let (p, h) = (BrushParameters::SAMARINI, 1e-3);
    let (_, tangent, _) = tyre().calc_force_implicit(&rolling(0.0, 0.0, 0.0), &level(), &[0.0; 2], h);
    let expected = |C: f64| -(p.standstill_damping + h * C / p.relaxation_length);
    assert!((tangent.D[(3, 3)] - expected(p.longitudinal_slip_stiffness)).abs() < 1e-9);
    assert!((tangent.D[(4, 4)] - expected(p.lateral_slip_stiffness)).abs() < 1e-9);
    assert!((tangent.K[(5, 5)] + p.radial_stiffness).abs() < 1e-9);
    assert!((tangent.D[(5, 5)] + p.radial_damping).abs() < 1e-9);
}
