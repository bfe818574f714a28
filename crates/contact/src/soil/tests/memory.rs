//! What soil remembers, and what an evaluation must not change.

use super::*;

/// Rolls the wheel over 0.3 m at constant height, both ways if asked; mean load and resistance over the
/// middle.
fn pass(bench: &mut Bench, height: f64, forth: bool) -> (f64, f64) {
    let (h, steps) = (0.002, 300);
    let v = if forth { 0.5 } else { -0.5 };
    let (mut load, mut resistance, mut count) = (0.0, 0.0, 0.0);
    for k in 0..steps {
        let x = (if forth { -0.15 } else { 0.15 }) + v * h * f64::from(k);
        let force = bench.step(h, &[rolling(0.0, Vec3::new(x, 0.0013, height), v, v / RADIUS)]).wrench_C.f;
        if x.abs() < 0.05 {
            load += force.z;
            resistance -= force.x * v.signum();
            count += 1.0;
        }
    }
    (load / count, resistance / count)
}

/// On its second pass through the rut, in either direction, a wheel finds soil that yields only above the
/// pressure it has carried. At the same height it carries almost nothing; to carry its load again it sinks
/// further by less than half of the first sinkage, and its rolling resistance is lower. (The pressure is that
/// of the rut's bottom over the whole contact, so that the arc ahead becomes ℓ = W/(p·b) = 60 mm:
/// ℓ²/2r = 14 mm.)
#[test]
fn second_passes_sink_and_resist_less() {
    let soil = ground(0.0, 0.0, 1e9);
    for forth in [true, false] {
        let mut bench = Bench::new(0.00625, soil, bare(), &[smooth_wheel()]);
        let (load, resistance) = pass(&mut bench, RADIUS - 0.03, true);
        let (again, _) = pass(&mut bench.clone(), RADIUS - 0.03, forth);
        let (deeper, resists) = pass(&mut bench, RADIUS - 0.045, forth);
        println!(
            "first: {load:.1} N, resists {resistance:.2} N; second: {again:.1} N, 15 mm deeper {deeper:.1} N, resists {resists:.2} N"
        );
        assert!(again < 0.05 * load && deeper > load);
        assert!(resists / deeper < resistance / load);
    }
}

/// Evaluating changes nothing: twice, or with other poses, velocities and tangents in between, gives the same
/// bits, and the soil is as before.
#[test]
fn evaluations_are_pure() {
    let mut bench = Bench::new(
        0.01,
        sand(),
        SoilOptions { friction: FrictionLaw::Janosi, ..full() },
        &[carrying_wheel()],
    );
    let at = |k: i32| rolling(0.1, Vec3::new(0.002 * f64::from(k), 0.0, RADIUS - 0.03), 0.1, 1.5);
    for k in 0..40 {
        bench.step(0.02, &[at(k)]);
    }
    let before = bench.state();
    let force = bench.evaluate(&at(41), 0.01, None);
    for k in [-300, 0, 60, 42] {
        let mut K = Mat6::zeros();
        let weights = TangentWeights { q: 1.0, v: 1.0 };
        bench.evaluate(&at(k), 0.3, Some((weights, &mut K)));
    }
    assert_eq!(bench.evaluate(&at(41), 0.01, None), force);
    assert!(bench.state() == before);
    // Neither does what was tried before the accepted evaluation show in what is committed.
    let mut straight = bench.clone();
    bench.evaluate(&at(-20), 0.3, None);
    assert_eq!(bench.step(0.02, &[at(42)]), straight.step(0.02, &[at(42)]));
    assert!(bench.state() == straight.state());
}

/// A run that is saved and continues elsewhere has the same bits as an uninterrupted one: the whole model,
/// two bodies, soil moved every third step.
#[test]
fn restarts_have_the_same_bits() {
    let options = SoilOptions { move_every: 3, friction: FrictionLaw::Janosi, ..full() };
    let surfaces = [carrying_wheel(), plate(0.08, 0.05)];
    let motions = |k: u32| {
        let t = f64::from(k) * 0.01;
        let wheel =
            rolling(0.3 * t, Vec3::new(0.1 * t, 0.003, RADIUS - 0.03 - 0.01 * (5.0 * t).sin()), 0.1, 1.5);
        let v = Vec3::new(0.05, 0.0, -0.2 * (10.0 * t).cos());
        [wheel, sliding(Vec3::new(0.05 * t, 0.15, -0.02 * (10.0 * t).sin()), v)]
    };
    let mut straight = Bench::new(0.01, sand(), options, &surfaces);
    let mut resumed = Bench::new(0.01, sand(), options, &surfaces);
    for k in 0..200 {
        let force = straight.step(0.01, &motions(k));
        if k % 7 == 3 {
            let (saved, t) = (resumed.state(), resumed.t);
            resumed = Bench { t, ..Bench::new(0.01, sand(), options, &surfaces) };
            resumed.restore(saved);
        }
        assert_eq!(resumed.step(0.01, &motions(k)), force, "step {k}");
    }
    assert!(straight.state() == resumed.state());
}
