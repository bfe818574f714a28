//! The boom against beam–column theory, its energy and differences.

use super::column::{coefficients, deflection};
use super::{BoomForce, BoomParameters, EndMotion, SafetySpring};
use touchdown_math::{Mat6, Vec3, rotation};
use touchdown_oracle::beam_column::BeamColumn;

fn boom() -> BoomParameters {
    let spring = SafetySpring { preload: 20.0, stiffness: 3600.0, travel: 0.05, damping: 300.0, corner: 1.0 };
    BoomParameters {
        bending_stiffness: 150.0,
        torsion_stiffness: 60.0,
        axial_stiffness: 1e6,
        axial_damping: 90.0,
        damping_ratio: 0.02,
        damping_frequency: 0.05,
        damping_length: 1.45,
        safety_spring: Some(spring),
        limits: [0.5, 1.6],
    }
}

/// Motions with tension in all parts of the safety spring's law, its corners and compression; large turns among them.
fn motions() -> Vec<(EndMotion, (f64, f64))> {
    let mut all = Vec::new();
    for (i, stretch) in [-8e-6, 1e-5, 2.1e-5, 0.002, 0.0501, 0.052].into_iter().enumerate() {
        let x = 0.3 + i as f64;
        let turn = if i == 1 { 0.8 } else { 0.05 };
        let (theta, length) =
            (Vec3::new(x.sin(), (2.0 * x).cos(), 0.7 * x.cos()) * turn, 0.6 + 0.17 * i as f64);
        let motion = EndMotion {
            d: Vec3::new(0.01 * (3.0 * x).sin(), 0.02 * x.cos(), length + stretch - 2e-4),
            R: *rotation::exp(&theta).to_rotation_matrix().matrix(),
            d_dot: Vec3::new(0.02, -0.01, 0.004),
            w: Vec3::new(0.03, 0.02, -0.05),
        };
        all.push((motion, (length, -0.005)));
    }
    all
}

/// A motion displaced by a turn and a shift of the tip.
fn moved(m: &EndMotion, turn: &Vec3, shift: &Vec3) -> EndMotion {
    EndMotion { R: rotation::exp(turn).to_rotation_matrix().matrix() * m.R, d: m.d + shift, ..*m }
}

fn wrench(f: &BoomForce) -> [f64; 6] {
    let W = &f.wrench;
    [W.t.x, W.t.y, W.t.z, W.f.x, W.f.y, W.f.z]
}

fn unit(k: usize, size: f64) -> (Vec3, Vec3) {
    let mut both = (Vec3::zeros(), Vec3::zeros());
    if k < 3 {
        both.0[k] = size
    } else {
        both.1[k - 3] = size
    }
    both
}

/// Stiffness under tension and compression is that of the beam–column's own solution, and its derivatives are those of differences.
#[test]
fn stiffness_is_that_of_beam_column_theory() {
    for mu in [-8.0, -2.4, -0.3, -1e-3, 0.0, 1e-4, 0.2, 3.0, 14.0, 60.0] {
        let c = coefficients(mu);
        let beam = BeamColumn { bending_stiffness: 1.0, length: 1.0, tension: 4.0 * mu };
        let (of_deflection, of_slope) = (beam.tip(1.0, 0.0), beam.tip(0.0, 1.0));
        // The reference solves a 4 × 4 system in e^±kz, which is as good as its condition at small forces.
        let close = |a: f64, b: f64| (a - b).abs() < 1e-7 * (1.0 + b.abs());
        assert!(close(c.force[0], of_deflection.force), "{mu} {} {}", c.force[0], of_deflection.force);
        assert!(close(-c.cross[0], of_deflection.moment) && close(-c.cross[0], of_slope.force), "{mu}");
        assert!(close(c.moment[0], of_slope.moment), "{mu} {} {}", c.moment[0], of_slope.moment);
        let h = 1e-4;
        let (a, b) = (coefficients(mu - h), coefficients(mu + h));
        for (j, low, high) in
            [(c.force, a.force, b.force), (c.cross, a.cross, b.cross), (c.moment, a.moment, b.moment)]
        {
            for k in 0..2 {
                let slope = (high[k] - low[k]) / (2.0 * h);
                assert!(
                    (slope - j[k + 1]).abs() < 1e-5 * (1.0 + j[k + 1].abs()),
                    "{mu} {k} {slope} {}",
                    j[k + 1]
                );
            }
        }
    }
}

/// The load of [`BoomParameters::buckling_load`] takes all stiffness from a tip that is free to turn and to move.
#[test]
fn free_tip_buckles_at_eulers_load() {
    let (boom, length) = (boom(), 1.45);
    let at = |share: f64| {
        let c = coefficients(-share * boom.buckling_load(length) * length * length / (4.0 * 150.0));
        c.force[0] * c.moment[0] - c.cross[0] * c.cross[0]
    };
    assert!(at(0.999) > 0.0 && at(1.001) < 0.0 && at(1.0).abs() < 1e-12);
    assert!((boom.buckling_load(1.45) - 176.03).abs() < 0.01);
}

/// Bending shortens a boom by ½∫w'² of its own shape, under tension as well.
#[test]
fn shortening_is_that_of_the_shape() {
    let (boom, length) = (BoomParameters { safety_spring: None, ..boom() }, 0.6);
    for stretch in [-1e-4, 0.0, 2e-4] {
        let (v, beta) = (0.011, -0.013);
        let motion = EndMotion {
            d: Vec3::new(v, 0.0, length + stretch),
            R: *rotation::exp(&Vec3::new(0.0, beta, 0.0)).to_rotation_matrix().matrix(),
            d_dot: Vec3::zeros(),
            w: Vec3::zeros(),
        };
        let force = boom.evaluate(&motion, (length, 0.0));
        let beam = BeamColumn { bending_stiffness: 150.0, length, tension: force.tension };
        let expected = beam.shortening(v, beta);
        assert!((force.shortening - expected).abs() < 1e-7 * expected, "{} {expected}", force.shortening);
        let elongation = force.tension * length / 1e6;
        assert!((elongation - (stretch + expected)).abs() < 1e-11);
        // Root and tip are in balance, the axial force with its lever among the moments.
        let tip = beam.tip(v, beta);
        // Theory takes L for d_z in the lever: as close as these are.
        assert!((force.root_torque.y + tip.root_moment).abs() < 1e-3 * tip.root_moment.abs());
    }
}

/// The safety spring stands still up to its preload, gives way with its stiffness and stops after its travel; rounding changes nothing beyond its corners.
#[test]
fn safety_spring_has_three_parts() {
    let spring = boom().safety_spring.unwrap();
    assert_eq!(spring.elongation(18.9).travel, 0.0);
    assert!((spring.elongation(110.0).travel - 0.025).abs() < 1e-15);
    assert!((spring.elongation(250.0).travel - 0.05).abs() < 1e-15);
    for n in [0.0, 19.3, 20.0, 20.9, 60.0, 199.2, 200.7, 230.0] {
        let (a, b, h) = (spring.elongation(n - 1e-5), spring.elongation(n + 1e-5), 2e-5);
        let e = spring.elongation(n);
        assert!(((b.travel - a.travel) / h - e.compliance[0]).abs() < 1e-11, "{n}");
        assert!(((b.compliance[0] - a.compliance[0]) / h - e.compliance[1]).abs() < 1e-9, "{n}");
        assert!(((b.complementary - a.complementary) / h - e.travel).abs() < 1e-9, "{n}");
    }
}

/// Wrenches at rest are the gradient of the energy.
#[test]
fn wrench_is_the_gradient_of_energy() {
    for (motion, (length, _)) in motions() {
        let rest = EndMotion { d_dot: Vec3::zeros(), w: Vec3::zeros(), ..motion };
        let here = wrench(&boom().evaluate(&rest, (length, 0.0)));
        for k in 0..6 {
            let h = if k == 5 { 1e-7 } else { 1e-5 };
            let energy = |size: f64| {
                let (turn, shift) = unit(k, size);
                boom().evaluate(&moved(&rest, &turn, &shift), (length, 0.0)).elastic_energy
            };
            let slope =
                (energy(-2.0 * h) - 8.0 * energy(-h) + 8.0 * energy(h) - energy(2.0 * h)) / (12.0 * h);
            assert!((here[k] + slope).abs() < 1e-7 * (1.0 + here[k].abs()), "{k} {} {slope}", here[k]);
        }
    }
}

/// Derivatives by turn, displacement and both velocities are those of differences, damping's share among them.
#[test]
fn tangent_matches_differences() {
    for (motion, length) in motions() {
        let (_, tangent) = boom().evaluate_with_tangent(&motion, length);
        let (mut K, mut D) = (Mat6::zeros(), Mat6::zeros());
        for k in 0..6 {
            let h = if k == 5 { 1e-8 } else { 1e-6 };
            let by = |h: f64, f: &dyn Fn(f64) -> [f64; 6]| {
                let (a, b, c, d) = (f(-2.0 * h), f(-h), f(h), f(2.0 * h));
                [0, 1, 2, 3, 4, 5].map(|i| (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * h))
            };
            let place = by(h, &|size| {
                let (turn, shift) = unit(k, size);
                wrench(&boom().evaluate(&moved(&motion, &turn, &shift), length))
            });
            // Linear in the velocities: any step is exact.
            let speed = by(0.1, &|size| {
                let (turn, shift) = unit(k, size);
                let faster = EndMotion { w: motion.w + turn, d_dot: motion.d_dot + shift, ..motion };
                wrench(&boom().evaluate(&faster, length))
            });
            (0..6).for_each(|i| (K[(i, k)], D[(i, k)]) = (place[i], speed[i]));
        }
        // Differences of forces known to round-off of lengths times the axial stiffness, 1e-10 N, over steps of 1e-8 m.
        let size = tangent.K.amax();
        assert!((K - tangent.K).amax() < 1e-7 * size, "{:e} of {size:e}", (K - tangent.K).amax());
        assert!((D - tangent.D).amax() < 1e-8 * tangent.D.amax().max(1.0));
    }
}

/// Energy changes by what the ends and the length drive feed in less what is lost.
#[test]
fn power_adds_up() {
    for (motion, (length, rate)) in motions() {
        let force = boom().evaluate(&motion, (length, rate));
        let energy = |t: f64| {
            let later = moved(&motion, &(motion.w * t), &(motion.d_dot * t));
            boom().evaluate(&later, (length + rate * t, rate)).elastic_energy
        };
        let h = 1e-5;
        let change = (energy(-2.0 * h) - 8.0 * energy(-h) + 8.0 * energy(h) - energy(2.0 * h)) / (12.0 * h);
        let ends = -force.wrench.t.dot(&motion.w) - force.wrench.f.dot(&motion.d_dot);
        let balance = ends + force.drive_power - force.dissipated_power;
        assert!((change - balance).abs() < 1e-8 * (1.0 + balance.abs()), "{change} {balance}");
        assert!(force.dissipated_power > 0.0);
    }
}

/// A boom pressed together far beyond every load keeps finite forces.
#[test]
fn collapse_is_finite() {
    let motion = EndMotion {
        d: Vec3::new(0.0, 0.0, 0.3),
        R: touchdown_math::Mat3::identity(),
        d_dot: Vec3::zeros(),
        w: Vec3::zeros(),
    };
    let (force, tangent) = boom().evaluate_with_tangent(&motion, (1.0, 0.0));
    assert!(force.tension.is_finite() && tangent.K.iter().all(|k| k.is_finite()));
    assert!(force.buckling_share > 10.0 && !force.in_range());
}

/// Impossible numbers are refused with their name.
#[test]
fn impossible_numbers_are_refused() {
    assert_eq!(boom().check(), Ok(()));
    let text = |b: BoomParameters| b.check().unwrap_err().to_string();
    assert!(
        text(BoomParameters { bending_stiffness: -1.0, ..boom() }).starts_with("bending stiffness is -1")
    );
    assert!(text(BoomParameters { limits: [0.6, 0.5], ..boom() }).contains("0.6 m to 0.5 m"));
}

/// The drawn line leaves the root straight and arrives with the tip's slope.
#[test]
fn drawn_line_fits_both_ends() {
    let (v, turn, h) = (0.02, 0.03, 1e-6);
    assert_eq!(deflection(0.0, v, turn), 0.0);
    assert_eq!(deflection(1.0, v, turn), v);
    assert!((deflection(h, v, turn) / h).abs() < 1e-6);
    assert!(((v - deflection(1.0 - h, v, turn)) / h - turn).abs() < 1e-6);
}
