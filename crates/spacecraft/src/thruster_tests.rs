use super::*;

const PROPERTIES: ThrusterProperties = ThrusterProperties {
    thrust: 1.0,
    specific_impulse: 220.0,
    minimum_on_time: 0.02,
    rise_time: 0.01,
    misalignment: 0.0,
    period: 0.1,
};

/// Twelve thrusters in opposed pairs.
pub fn reference(properties: ThrusterProperties) -> ThrusterSet {
    let mut positions = Vec::new();
    let mut directions = Vec::new();
    for sign in [1.0, -1.0] {
        for other in [1.0, -1.0] {
            positions.push(Vec3::new(0.9 * sign, 0.0, 0.6 * other));
            directions.push(Vec3::x() * -sign);
            positions.push(Vec3::new(0.6 * other, 0.9 * sign, 0.0));
            directions.push(Vec3::y() * -sign);
            positions.push(Vec3::new(0.0, 0.6 * other, 0.8 * sign));
            directions.push(Vec3::z() * -sign);
        }
    }
    ThrusterSet::new(&positions, &directions, properties, Noise::new(1, 0)).unwrap()
}

/// Integrates the wrench of the pulses between their corners, where it is linear, by the trapezoidal rule: exact.
fn integral(set: &ThrusterSet, state: &ThrusterState, from: f64, to: f64) -> Wrench {
    let (mut sum, mut t) = (Wrench::zero(), from);
    while t < to {
        let next = set.next_corner(state, t).unwrap_or(to).min(to);
        let middle = set.wrench(state, 0.5 * (t + next));
        sum += middle * (next - t);
        t = next;
    }
    sum
}

/// The pulses of a period give the demanded impulse, torque and force, and no more than that is spent in sum.
#[test]
fn demanded_impulse_is_given() {
    // However short a pulse: a least on-time would hold some of it back.
    let set = reference(ThrusterProperties { minimum_on_time: 0.0, ..PROPERTIES });
    for demand in [
        Wrench::new(Vec3::zeros(), Vec3::new(0.0, 0.0, -0.9)),
        Wrench::new(Vec3::new(0.3, -0.4, 0.25), Vec3::zeros()),
        Wrench::new(Vec3::new(0.1, 0.2, -0.2), Vec3::new(0.5, -0.6, 0.7)),
    ] {
        let mut state = set.start();
        let given = set.command(&mut state, 0.0, &demand);
        assert!(!given.limited && (given.mean.f - demand.f).norm() < 1e-12);
        let impulse = integral(&set, &state, 0.0, 0.2);
        assert!((impulse.f - demand.f * 0.1).norm() < 1e-12, "{impulse:?}");
        assert!((impulse.t - demand.t * 0.1).norm() < 1e-12, "{impulse:?}");
    }
    // A pure force is pushed by the two thrusters that point there, nobody pushes back.
    let mut state = set.start();
    set.command(&mut state, 0.0, &Wrench::new(Vec3::zeros(), Vec3::new(0.0, 0.0, -0.9)));
    assert!((set.impulse(&state, 1.0) - 0.09).abs() < 1e-12, "{state:?}");
}

/// Small demands are gathered until a pulse is long enough; over many periods nothing is lost, and opposite demands cancel without a pulse.
#[test]
fn short_pulses_are_carried_over() {
    let set = reference(PROPERTIES);
    let mut state = set.start();
    // 0.03 N for 0.1 s are 1.5 ms on each of two thrusters.
    let demand = Wrench::new(Vec3::zeros(), Vec3::new(0.03, 0.0, 0.0));
    let mut first = None;
    for k in 0..1000 {
        set.command(&mut state, 0.1 * k as f64, &demand);
        if state.pulses > 0 && first.is_none() {
            first = Some(k);
        }
    }
    assert_eq!(first, Some(13), "20 ms are reached with the fourteenth period");
    let asked = 0.03 * 100.0;
    let given = set.impulse(&state, 200.0);
    assert!(given <= asked + 1e-9 && asked - given < 2.0 * 0.02 + 1e-9, "{given}");
    let mut state = set.start();
    for k in 0..1000 {
        let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
        set.command(&mut state, 0.1 * k as f64, &(demand * sign));
    }
    assert_eq!(state.pulses, 0);
}

/// What is booked is the integral of the thrust, at any time of a pulse, and propellant is impulse over Isp·g0.
#[test]
fn impulse_is_the_integral_of_thrust() {
    let set = reference(PROPERTIES);
    let mut state = set.start();
    let demand = Wrench::new(Vec3::new(0.2, 0.1, 0.3), Vec3::new(0.2, 0.7, -0.4));
    let (mut booked, n) = (0.0, 4000);
    for k in 0..10 {
        let start = 0.1 * k as f64;
        set.command(&mut state, start, &demand);
        let at = set.impulse(&state, start);
        assert!((at - booked).abs() < 1e-12, "{k}: {at} {booked}");
        // Midpoint rule: misses h²/8 of the change of slope at each kink.
        let h = 0.1 / n as f64;
        for i in 0..n {
            let t = start + (i as f64 + 0.5) * h;
            booked += h * (0..set.len()).map(|j| set.thrust(&state, j, t)).sum::<f64>();
            if i == n / 3 {
                assert!((set.impulse(&state, t + 0.5 * h) - booked).abs() < 1e-6);
            }
        }
        booked = set.impulse(&state, start + 0.1);
    }
    let end = set.impulse(&state, 2.0);
    let total = state.spent + state.on.iter().chain(&state.on_before).sum::<f64>();
    assert!((end - total).abs() < 1e-14);
    assert!((set.propellant(&state, 2.0) * 220.0 * STANDARD_GRAVITY - end).abs() < 1e-15);
}

/// A demand beyond the thrusters keeps its direction; valves open all the time then, and thrust does not dip between periods.
#[test]
fn limited_demand_keeps_its_direction() {
    let set = reference(PROPERTIES);
    let mut state = set.start();
    let demand = Wrench::new(Vec3::zeros(), Vec3::new(0.0, 0.0, 10.0));
    let given = set.command(&mut state, 0.0, &demand);
    assert!(given.limited && (given.mean.f - Vec3::new(0.0, 0.0, 2.0)).norm() < 1e-12);
    set.command(&mut state, 0.1, &demand);
    for k in 0..100 {
        let t = 0.05 + 1e-3 * k as f64;
        assert!((set.wrench(&state, t).f.z - 2.0).abs() < 1e-12, "{t}");
    }
    assert!((set.authority(&Wrench::new(Vec3::zeros(), Vec3::new(0.0, 0.0, 0.5))) - 4.0).abs() < 1e-12);
}

/// The mean thrust of a period is that of its pulses, also where the period has just begun or is over and nothing burns: 0.5 N on one axis.
#[test]
fn mean_thrust_shows_the_pulses() {
    let set = reference(PROPERTIES);
    let mut state = set.start();
    assert_eq!(set.mean_thrust(&state), 0.0);
    set.command(&mut state, 0.0, &Wrench::new(Vec3::zeros(), Vec3::new(0.0, 0.0, 0.5)));
    let end = PROPERTIES.period + PROPERTIES.rise_time;
    assert!((set.mean_thrust(&state) - set.impulse(&state, end) / PROPERTIES.period).abs() < 1e-12);
    assert!((set.mean_thrust(&state) - 0.5).abs() < 1e-9, "{}", set.mean_thrust(&state));
}

/// Misalignment has the given standard deviation and depends on the seed alone.
#[test]
fn misalignment_is_seeded() {
    let sigma = 0.5f64.to_radians();
    let (mut squares, n) = (0.0, 4000);
    for seed in 0..n {
        let d = [Vec3::new(0.0, 0.6, 0.8)];
        let properties = ThrusterProperties { misalignment: sigma, ..PROPERTIES };
        let set = ThrusterSet::new(&[Vec3::x()], &d, properties, Noise::new(seed, 4)).unwrap();
        squares += set.full[0].f.cross(&d[0]).norm_squared();
    }
    // Mean square of two axes; its standard deviation is 2σ²/√n.
    let mean = squares / n as f64 / (2.0 * sigma * sigma);
    assert!((mean - 1.0).abs() < 4.0 / (n as f64).sqrt(), "{mean}");
}

/// Impossible sets are refused with the reason.
#[test]
fn impossible_sets_are_refused() {
    let make = |n: usize, d: Vec3, properties| {
        ThrusterSet::new(&vec![Vec3::x(); n], &[d], properties, Noise::new(0, 0)).unwrap_err()
    };
    assert_eq!(make(2, Vec3::x(), PROPERTIES), ThrusterError::Count { positions: 2, directions: 1 });
    assert_eq!(make(1, Vec3::zeros(), PROPERTIES), ThrusterError::Direction { index: 0 });
    let slow = ThrusterProperties { rise_time: 0.2, ..PROPERTIES };
    assert!(matches!(make(1, Vec3::x(), slow), ThrusterError::Times { .. }));
}

/// Thrust summed at the ends of steps is the impulse of a pulse that rises over a whole number of them, wherever its end falls; steps of twice the rise lose a part.
#[test]
fn steps_sum_pulses_that_rise_over_whole_steps() {
    let set = reference(PROPERTIES);
    let mut worst: f64 = 0.0;
    for torque in [0.31, 0.4, 0.55] {
        let mut state = set.start();
        set.command(&mut state, 0.0, &Wrench::new(Vec3::x() * torque, Vec3::zeros()));
        let exact = set.impulse(&state, 0.2);
        let summed = |h: f64| {
            let steps = (0.2 / h).round() as usize;
            let thrust = |k: usize| (0..set.len()).map(|i| set.thrust(&state, i, k as f64 * h)).sum::<f64>();
            (1..=steps).map(|k| h * thrust(k)).sum::<f64>()
        };
        for h in [0.01, 0.005, 0.002] {
            assert!(
                set.is_summed_by(h) && (summed(h) / exact - 1.0).abs() < 1e-12,
                "{h}: {} {exact}",
                summed(h)
            );
        }
        assert!(!set.is_summed_by(0.02) && !set.is_summed_by(0.004) && !set.is_summed_by(0.05));
        worst = worst.max((summed(0.02) / exact - 1.0).abs());
    }
    assert!(worst > 0.1, "{worst}");
}
