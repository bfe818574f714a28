//! Energy: every evaluation balances, and a cycle of pressing and lifting dissipates the theoretical amount.

use super::*;

fn feet() -> Vec<Foot> {
    let damped = FootSoil {
        damping: HuntCrossley { k: 0.0, n: 1.0, b: 205.07, p: 0.096, q: 0.75 },
        ..sand(FootModel::Exact)
    };
    vec![
        on_soil(CYLINDER, sand(FootModel::Exact), None),
        on_soil(BALL, FootSoil { model: FootModel::Eq34, ..damped }, None),
        on_soil(PLATE, damped, Some(HuntCrossley::spring(11_945.0))),
        on_soil(DISC, FootSoil { exponent: 0.5, ..damped }, Some(HuntCrossley::hertz(3e4, 1.3))),
        on_marble(BALL),
    ]
}

/// Power of the wrench, rate of the stored energy (differences along the motion) and heat add up, in contact
/// and while it is gained and lost.
#[test]
fn power_is_stored_or_lost() {
    for foot in feet() {
        for (m, depth, v, rate) in [
            (0.02, 0.02, [0.03, -0.01], 0.1),
            (0.02, 0.01999, [0.01, 0.02], 1e-3),
            (0.02, 0.01999, [0.0, 0.0], -1e-3),
            (0.02, 0.019_99, [-0.02, 0.0], -0.3),
            (0.005, 0.005, [0.02, 0.0], 0.5),
        ] {
            let spring = foot.params().spring.filter(|_| foot.bearing().is_some());
            // With a spring the undeformed foot is deeper by what the spring gives.
            let extra = match (spring, foot.bearing()) {
                (Some(s), Some(b)) => (b.at(m).force / s.k).powf(1.0 / s.n),
                _ => 0.0,
            };
            let z = [m, extra, 1e-3, -5e-4, 0.0];
            let motion = |t: f64| at_depth(&foot, depth + extra + rate * t, v, rate);
            let f = foot.calc_force(&motion(0.0), &level(), &z);
            let after = |t: f64| {
                let z: [f64; STATES] = std::array::from_fn(|i| z[i] + t * f.state_rate[i]);
                foot.calc_force(&motion(t), &level(), &z).elastic_energy
            };
            let t = 1e-8;
            let stored = (after(t) - after(-t)) / (2.0 * t);
            let power = f.wrench_F.f.dot(&motion(0.0).v_WS);
            let scale = power.abs() + stored.abs() + f.dissipated_power.abs() + 1e-3;
            assert!(
                (power + stored + f.dissipated_power).abs() < 1e-5 * scale,
                "{foot:?} {f:?} {stored} {power}"
            );
            assert!(f.dissipated_power >= 0.0, "{f:?}");
        }
    }
}

/// A slow cycle of pressing and lifting takes the work of pressing less the spring-back ½ε m F, for every
/// shape and form.
#[test]
fn a_cycle_takes_the_work_of_pressing() {
    for shape in [CYLINDER, BALL, DISC, PLATE] {
        for model in FootModel::ALL.into_iter().filter(|m| m.fits(&shape)) {
            let foot = on_soil(shape, FootSoil { recovery: 0.01, ..sand(model) }, None);
            let (deep, h, speed) = (0.02, 1e-3, 0.004);
            let (mut depth, mut z, mut work, mut heat) = (0.0, [0.0; STATES], 0.0, 0.0);
            let mut before = foot.calc_force(&at_depth(&foot, 0.0, [0.0; 2], speed), &level(), &z);
            for rate in [speed, -speed / 20.0] {
                let steps = if rate > 0.0 { 5000 } else { 2000 };
                for _ in 0..steps {
                    depth += rate * h;
                    let motion = at_depth(&foot, depth, [0.0; 2], rate);
                    let (f, next) = foot.calc_force_at(&motion, &level(), &z, h);
                    work += 0.5 * (before.normal_force + f.normal_force) * rate * h;
                    heat += f.dissipated_power * h;
                    (z, before) = (next, f);
                }
                assert!(rate < 0.0 || (z[0] / deep - 1.0).abs() < 1e-3, "{z:?}");
            }
            let carried = foot.bearing().expect("soil").at(z[0]);
            let expected = carried.work - 0.5 * 0.01 * z[0] * carried.force;
            assert_eq!(before.normal_force, 0.0);
            // The trapezoidal rule over 5000 steps; the relaxation shifts the line of lifting by τ·rate.
            assert!((work / expected - 1.0).abs() < 1e-3, "{shape:?} {model:?} {work} {expected}");
            assert!((heat / expected - 1.0).abs() < 1e-3, "{shape:?} {model:?} {heat} {expected}");
        }
    }
}
