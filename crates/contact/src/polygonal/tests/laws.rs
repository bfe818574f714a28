//! The law of one face: clipping, ramp, clamp, layers.

use super::*;

/// Integrals over the clipped triangle agree with a fine subdivision; their derivative is the mass matrix.
#[test]
fn clipping_is_exact() {
    let cases = [
        [1.0, 2.0, 3.0],
        [1.0, -2.0, -0.5],
        [-1.0, 2.0, 0.3],
        [0.7, 0.0, -1.0],
        [1.0, 0.0, 0.0],
        [-1.0, -2.0, 0.0],
    ];
    for s in cases {
        let moments = Moments::of(&s);
        let (mut share, mut depth) = ([0.0; 3], [0.0; 3]);
        let n = 1000;
        for i in 0..n {
            for j in 0..n - i {
                for (up, third) in [(true, 1.0 / 3.0), (false, 2.0 / 3.0)] {
                    if !up && j + i + 1 >= n {
                        continue;
                    }
                    let (u, v) =
                        ((f64::from(i) + third) / f64::from(n), (f64::from(j) + third) / f64::from(n));
                    let N = [1.0 - u - v, u, v];
                    let at = N[0] * s[0] + N[1] * s[1] + N[2] * s[2];
                    if at > 0.0 {
                        for k in 0..3 {
                            share[k] += N[k] / f64::from(n * n);
                            depth[k] += at * N[k] / f64::from(n * n);
                        }
                    }
                }
            }
        }
        for k in 0..3 {
            // Midpoints: the border is off by half a cell in area, its depth by the square of one.
            assert!((moments.share[k] - share[k]).abs() < 2e-3, "{s:?} {moments:?} {share:?}");
            assert!((moments.depth[k] - depth[k]).abs() < 3e-6, "{s:?} {moments:?} {depth:?}");
        }
        if s.iter().all(|s| *s != 0.0) {
            let (h, N) = (1e-6, mass(&s));
            for j in 0..3 {
                let (mut low, mut high) = (s, s);
                (low[j], high[j]) = (s[j] - h, s[j] + h);
                let (low, high) = (Moments::of(&low), Moments::of(&high));
                for i in 0..3 {
                    assert!(
                        ((high.depth[i] - low.depth[i]) / (2.0 * h) - N[i][j]).abs() < 1e-9,
                        "{s:?} {i} {j}"
                    );
                }
            }
        }
    }
}

/// Layers from materials: K/E = 1, 1.111, 1.346, 2.143, 3.793; in series, soft ones decide, rigid ones do not.
#[test]
fn layers() {
    for (poisson, ratio) in [(0.0, 1.0), (0.2, 1.111), (0.3, 1.346), (0.4, 2.143), (0.45, 3.793)] {
        let layer = Layer::from_material(1e6, poisson, 1e-2).unwrap();
        assert!((layer.stiffness / 1e8 - ratio).abs() < 5e-4);
        assert!((layer.shear_stiffness / (1e8 / (2.0 * (1.0 + poisson))) - 1.0).abs() < 1e-12);
    }
    assert!(Layer::from_material(1e6, 0.46, 1e-2).is_err());
    assert!(Layer::from_material(f64::NAN, 0.3, -1.0).is_err_and(|all| all.len() == 2));
    let soft = Layer { damping: 100.0, depth: 0.01, ..Layer::given(1e8) };
    let hard = Layer { damping: 300.0, depth: 0.02, ..Layer::given(3e8) };
    let both = PairLaw::in_series(&soft, &hard, 0.0, Friction::None).unwrap();
    assert!((both.stiffness / 0.75e8 - 1.0).abs() < 1e-12);
    // Equal time constants stay: d/c = 1e-6 s.
    assert!((both.damping / 75.0 - 1.0).abs() < 1e-12);
    // The soft one takes three quarters of the penetration: a quarter of 10 mm at 3.33 mm.
    assert!((both.penetration_limit - COMPRESSION_MAX * 0.01 / 0.75).abs() < 1e-12);
    let alone = PairLaw::in_series(&soft, &Layer::RIGID, 0.0, Friction::None).unwrap();
    assert!((alone.stiffness, alone.damping) == (1e8, 100.0));
    assert!(PairLaw::in_series(&Layer::RIGID, &Layer::RIGID, 0.0, Friction::None).is_err());
    let wrong = Friction::StickSlip { stick: 0.3, slip: 0.5, release_speed: 1e-3 };
    assert!(PairLaw::in_series(&soft, &Layer::RIGID, 0.0, wrong).is_err());
}

/// A flat element as deep as `s`, approached at `rate`.
fn flat(s: f64, rate: f64) -> Element {
    let x = [Vec3::zeros(), Vec3::new(0.0, 0.01, 0.0), Vec3::new(0.01, 0.0, 0.0)];
    let v = [Vec3::new(0.0, 0.0, -rate); 3];
    Element { x, s: [s; 3], n: [Vec3::z(); 3], s_rate: [rate; 3], v, area: 5e-5, area_gradient: None }
}

/// Eq. (1): damping rises over s_d0 and is whole beyond; clamped it never pulls, to the letter it does.
#[test]
fn damping_ramp_and_clamp() {
    let layer = Layer { damping: 1e5, ..Layer::given(1e8) };
    let mut ramped = law(&layer, 1e-4, Friction::None);
    let force =
        |law: &PairLaw, s: f64, rate: f64| calc_element(law, &flat(s, rate), None).unwrap().normal_force;
    for (s, share) in [(2.5e-5, 0.25), (1e-4, 1.0), (3e-4, 1.0)] {
        let expected = 5e-5 * (1e8 * s + 1e5 * share * 0.01);
        assert!((force(&ramped, s, 0.01) / expected - 1.0).abs() < 1e-12, "{s}");
    }
    assert_eq!(force(&ramped, 1e-4, -1.0), 0.0);
    ramped.separation = Separation::Literal;
    assert!((force(&ramped, 1e-4, -1.0) / (5e-5 * (1e4 - 1e5)) - 1.0).abs() < 1e-12);
    // Power in = stored + heat, on both branches.
    for (s, rate) in [(2e-4, 0.05), (2e-4, -0.05), (2e-4, -1.0)] {
        let clamped = law(&layer, 1e-4, Friction::None);
        let one = calc_element(&clamped, &flat(s, rate), None).unwrap();
        let stored = 5e-5 * 1e8 * s * rate;
        assert!(one.dissipated_power >= 0.0);
        assert!((one.normal_force * rate - stored - one.dissipated_power).abs() < 1e-12, "{s} {rate}");
    }
}

/// The smooth Coulomb law is μN from v₀ on and rises by 3μN/v₀ from rest.
#[test]
fn regularised_friction() {
    let layer = Layer::given(1e8);
    let smooth = law(&layer, 0.0, Friction::Regularised { coefficient: 0.4, speed: 1e-3 });
    let sliding = |v: f64| {
        let mut element = flat(1e-4, 0.0);
        element.v = [Vec3::new(v, 0.0, 0.0); 3];
        let one = calc_element(&smooth, &element, None).unwrap();
        one.friction.force.x / one.normal_force
    };
    assert!((sliding(1e-3) + 0.4).abs() < 1e-12 && (sliding(5.0) + 0.4).abs() < 1e-12);
    assert!((sliding(1e-9) / (-0.4 * 3e-6) - 1.0).abs() < 1e-5);
    assert_eq!(sliding(0.0), 0.0);
}
