//! Tangential laws: Coulomb, Janosi and Hanamoto, and the layer that a sliding surface drags along.

use super::*;

/// Depth of the plate, m; its area is 0.01 m².
const DEPTH: f64 = 0.02;

/// A plate in soil, shown at one place with velocities as prescribed: sliding without new nodes.
fn in_soil(friction: FrictionLaw, shear_length: f64) -> Bench {
    let soil = SoilParameters { shear_length, ..sand() };
    let mut bench = Bench::new(0.01, soil, SoilOptions { friction, ..bare() }, &[plate(0.1, 0.1)]);
    bench.step(0.0, &[at(0.0)]);
    bench
}

fn at(v: f64) -> SurfaceMotion {
    sliding(Vec3::new(0.005, 0.005, 0.01 - DEPTH), Vec3::new(v, 0.0, 0.0))
}

/// What the soil bears in shear under the plate, N.
fn strength() -> f64 {
    let pressure = (2370.0 / 0.1 + 60_300.0) * DEPTH.powf(0.63);
    (188.0 + pressure * 24.8f64.to_radians().tan()) * 0.01
}

/// Steady sliding mobilises 1 − e^(−j/K) of the strength; the error of backward steps halves with them.
#[test]
fn janosi_follows_its_curve_to_first_order() {
    let K = 0.025f64;
    for (j, tolerance) in [(0.5 * K, 0.02), (K, 0.02), (3.0 * K, 0.02)] {
        let exact = 1.0 - (-j / K).exp();
        let errors = [25, 50, 100].map(|steps| {
            let mut bench = in_soil(FrictionLaw::Janosi, K);
            let h = j / SPEED / f64::from(steps);
            let mut found = 0.0;
            for _ in 0..steps {
                found = -bench.step(h, &[at(SPEED)]).wrench_C.f.x / strength();
            }
            found - exact
        });
        println!("j/K = {}: {exact:.4}, errors {errors:.5?}", j / K);
        // One backward step is off by (h/K)²/2: together j·h/(2K²)·e^(−j/K), at most 0.4·h/K.
        assert!(errors[2].abs() < tolerance);
        for pair in errors.windows(2) {
            let ratio = pair[0] / pair[1];
            assert!((1.8..2.2).contains(&ratio), "{errors:?}");
        }
    }
}

/// At rest the mobilised fraction is constant, to the last bit: a body on a slope that its shear holds does
/// not creep. A reverse motion reduces it.
#[test]
fn janosi_holds_without_creep() {
    let mut bench = in_soil(FrictionLaw::Janosi, 0.001);
    for _ in 0..10 {
        bench.step(0.001, &[at(0.05)]);
    }
    let held = bench.step(0.001, &[at(0.0)]).wrench_C.f.x;
    assert!(held < -0.2 * strength() && held > -strength());
    for _ in 0..1000 {
        assert_eq!(bench.step(0.01, &[at(0.0)]).wrench_C.f.x, held);
    }
    let back = bench.step(0.001, &[at(-0.05)]).wrench_C.f.x;
    assert!(back > held);
}

/// A node that was left and is pressed again begins without shear.
#[test]
fn janosi_forgets_when_the_contact_ends() {
    let mut bench = in_soil(FrictionLaw::Janosi, 0.001);
    for _ in 0..100 {
        bench.step(0.001, &[at(0.05)]);
    }
    bench.step(0.001, &[sliding(Vec3::new(0.005, 0.005, 0.1), Vec3::zeros())]);
    let force = bench.step(0.001, &[at(0.0)]).wrench_C.f;
    assert!(force.z > 0.0 && force.x == 0.0);
}

/// Coulomb's law, regularised, has the strength v/√(v² + v_ε²): nothing at rest, so that a tangential load T
/// below the strength S creeps at v_ε·T/√(S² − T²).
#[test]
fn coulomb_creeps_as_its_speed_says() {
    let speed = 0.01;
    let mut bench = in_soil(FrictionLaw::Coulomb { speed }, 0.025);
    assert_eq!(bench.look(&at(0.0)).wrench_C.f.x, 0.0);
    let S = strength();
    for part in [0.1, 0.5, 0.95] {
        let T = part * S;
        let creep = speed * T / (S * S - T * T).sqrt();
        let found = -bench.look(&at(creep)).wrench_C.f.x;
        assert!((found / T - 1.0).abs() < 1e-12, "{found} {T}");
    }
}

/// Hub height at which the wheel carries 100 N, by halving: evaluations change nothing.
fn standing(bench: &mut Bench, spin: f64) -> SurfaceMotion {
    let at = |z: f64| rolling(0.0, Vec3::new(0.0013, 0.0031, z), 0.0, spin);
    let (mut low, mut high) = (0.0, RADIUS);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if bench.look(&at(middle)).wrench_C.f.z > 100.0 { low = middle } else { high = middle }
    }
    at(0.5 * (low + high))
}

/// A wheel that spins on the spot digs itself in with a layer to carry, and not without: under a constant
/// load it sinks by about the layer times the travel of the rim over the length of the footprint, d = 5
/// mm·ωr·t/ℓ, less than that as ℓ grows; held at its height, it loses its support.
#[test]
fn spinning_wheels_dig_only_with_a_layer() {
    let (spin, h, steps) = (3.0, 0.01, 40);
    for options in [bare(), full()] {
        for (surface, digs) in [(smooth_wheel(), false), (carrying_wheel(), true)] {
            let mut bench = Bench::new(0.01, sand(), options, &[surface]);
            let start = standing(&mut bench, spin);
            bench.step(h, &[start]);
            // Settled: the virgin curve has been followed once.
            let first = standing(&mut bench, spin);
            let mut fixed = bench.clone();
            let before = fixed.step(h, &[first]).wrench_C.f.z;
            let after = (0..20).map(|_| fixed.step(h, &[first]).wrench_C.f.z).fold(f64::NAN, |_, f| f);
            let mut last = first;
            for _ in 0..steps {
                last = standing(&mut bench, spin);
                bench.step(h, &[last]);
            }
            let sunk = first.X_WS.p.z - last.X_WS.p.z;
            let chord = 2.0 * (RADIUS * RADIUS - first.X_WS.p.z.powi(2)).sqrt();
            let layer = 0.005 * spin * RADIUS * h * f64::from(steps) / chord;
            println!(
                "layer {digs}, deposits {}: sinks {:.3} mm (d = {:.3} mm); held: {before:.1} N, then {after:.1} N",
                options.deposition,
                1e3 * sunk,
                1e3 * layer
            );
            if digs {
                assert!(sunk > 0.5 * layer && sunk < 1.5 * layer && after < 0.5 * before);
            } else {
                // Soil that trickles against the wheel may carry a little more.
                assert!(sunk.abs() < 0.02 * layer && after > 0.999 * before);
            }
        }
    }
}
