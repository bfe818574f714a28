//! Tests of the brush tyre, by the kind of claim; here the helpers that they share: a wheel on level ground, random motions,
//! and the decided laws written again in plain numbers.

mod energy;
mod ground;
mod laws;
mod standstill;
mod tangents;

use super::*;
use proptest::prelude::*;
use touchdown_math::rotation;

/// Load of the hand-computed cases, N, and the deformation that carries it, m.
const LOAD: f64 = 198.0;
const DEFORMATION: f64 = 0.024;

fn tyre() -> BrushTyre {
    BrushTyre::new(BrushParameters::SAMARINI).expect("the published parameters are valid")
}

fn level() -> GroundPlane {
    GroundPlane { point: Vec3::zeros(), normal: Vec3::z() }
}

/// An upright wheel heading along x, deformed by `DEFORMATION`, moving at (v_x, v_y) with the spin `spin`.
fn rolling(v_x: f64, v_y: f64, spin: f64) -> WheelMotion {
    WheelMotion {
        p_WC: Vec3::new(0.0, 0.0, BrushParameters::SAMARINI.radius - DEFORMATION),
        axis_W: Vec3::y(),
        v_WC: Vec3::new(v_x, v_y, 0.0),
        w_WB: Vec3::y() * spin,
    }
}

/// The friction coefficient and the two pure laws at the slips κ and tan α under `LOAD`, straight from the equations of the
/// theory page; positive for positive slips.
fn decided_laws(kappa: f64, tan_alpha: f64) -> (f64, f64, f64) {
    let p = BrushParameters::SAMARINI;
    let (C_x, C_y) = (p.longitudinal_slip_stiffness, p.lateral_slip_stiffness);
    let mu = p.friction_max - (p.friction_max - p.friction_min) * kappa.hypot(tan_alpha).min(1.0);
    let A = mu * LOAD;
    let F_x = if kappa.abs() <= A / (2.0 * C_x) {
        C_x * kappa
    } else {
        (A - A * A / (4.0 * C_x * kappa.abs())) * kappa.signum()
    };
    let t = tan_alpha.abs();
    let F_y = if t >= 3.0 * A / C_y { A } else { A * (1.0 - (1.0 - C_y * t / (3.0 * A)).powi(3)) };
    (mu, F_x, F_y * tan_alpha.signum())
}

/// A speed between about 1e-7 and 1 m/s of either sign, or exactly zero.
fn speed() -> impl Strategy<Value = f64> {
    prop_oneof![
        1 => Just(0.0),
        8 => (-7.0..0.0f64, any::<bool>()).prop_map(|(e, s)| if s { 10f64.powf(e) } else { -10f64.powf(e) }),
    ]
}

fn vector(scale: f64) -> impl Strategy<Value = Vec3> {
    [-scale..scale, -scale..scale, -scale..scale].prop_map(|[x, y, z]| Vec3::new(x, y, z))
}

/// A wheel near random ground in a randomly turned world: camber to 50°, deformations from −10 mm to 50 mm, any speeds.
#[derive(Clone, Debug)]
struct Case {
    motion: WheelMotion,
    ground: GroundPlane,
    state: [f64; STATES],
    /// Share of the deformation by which the rolling radius falls.
    share: f64,
}

impl Case {
    fn tyre(&self) -> BrushTyre {
        let params = BrushParameters { rolling_share: self.share, ..BrushParameters::SAMARINI };
        BrushTyre::new(params).expect("a share from 0 to 1 is valid")
    }
}

fn case() -> impl Strategy<Value = Case> {
    let place = (vector(3.0), vector(5.0), -0.9..0.9f64, -0.01..0.05f64);
    let motion = (speed(), speed(), speed(), speed(), vector(1.0), 0.0..2.0f64);
    let state = [-0.03..0.03f64, -0.006..0.006f64];
    let share = prop_oneof![Just(1.0), 0.0..1.0f64];
    (place, motion, state, share).prop_map(
        |((turn, point, camber, delta), (v_x, v_y, v_n, roll, w, w_scale), state, share)| {
            let R = rotation::exp(&turn);
            let axis = R * Vec3::new(0.0, camber.cos(), camber.sin());
            let arm = BrushParameters::SAMARINI.radius - delta;
            let centre = point + R * Vec3::new(0.3, -0.2, arm * camber.cos());
            // Half of the time the wheel is close to pure rolling, where the laws bend.
            let spin = (if w_scale < 1.0 { v_x + 0.05 * roll } else { roll }) / arm;
            let other = w - axis * w.dot(&axis);
            let motion = WheelMotion {
                p_WC: centre,
                axis_W: axis,
                v_WC: R * Vec3::new(v_x, v_y, 0.1 * v_n),
                w_WB: axis * spin + other * (v_y.abs() * w_scale),
            };
            Case { motion, ground: GroundPlane { point, normal: R * Vec3::z() }, state, share }
        },
    )
}

/// All problems of a parameter set come back at once, each with the field and what was found.
#[test]
fn parameters_report_all_problems() {
    let p = BrushParameters {
        radius: -1.0,
        radial_stiffness: f64::NAN,
        rolling_resistance: 2.0,
        friction_min: 0.9,
        standstill_damping: 0.0,
        ..BrushParameters::SAMARINI
    };
    let problems = BrushTyre::new(p).expect_err("five fields are wrong");
    let text: Vec<String> = problems.iter().map(|e| e.to_string()).collect();
    assert_eq!(text.len(), 5, "{text:?}");
    assert_eq!(text[0], "radius must lie in (0, 10] m, found -1");
    assert_eq!(text[1], "radial_stiffness must be a finite number, found NaN");
    assert!(text[4].contains("0.9 > 0.757"));
}

/// Apart, there is no force and no tangent; the gap is the distance of the disc, and the tread relaxes to zero.
#[test]
fn no_force_apart() {
    let tyre = tyre();
    let mut motion = rolling(1.0, 0.3, 4.0);
    motion.p_WC.z = 0.15;
    assert!((tyre.calc_gap(&motion, &level()) - 0.0075).abs() < 1e-15);
    let (force, tangent, e) = tyre.calc_force_implicit(&motion, &level(), &[0.01, -0.004], 1.0);
    assert_eq!(force.wrench_C, Wrench::zero());
    assert_eq!(tangent.K.norm() + tangent.D.norm(), 0.0);
    assert!(force.dissipated_power > 0.0);
    // Backward Euler over h ≫ d σ/C shrinks the state by about d σ/(C h).
    assert!(e[0] > 0.0 && e[0] < 0.01 * 0.04 && e[1] < 0.0);
}

proptest! {
    /// Turning and shifting the world turns the wrench and changes nothing else.
    #[test]
    fn world_may_turn(case in case(), turn in vector(3.0), shift in vector(2.0)) {
        let tyre = case.tyre();
        let R = rotation::exp(&turn);
        let m = &case.motion;
        let turned = WheelMotion {
            p_WC: R * m.p_WC + shift, axis_W: R * m.axis_W, v_WC: R * m.v_WC, w_WB: R * m.w_WB,
        };
        let ground = GroundPlane { point: R * case.ground.point + shift, normal: R * case.ground.normal };
        let a = tyre.calc_force(m, &case.ground, &case.state);
        let b = tyre.calc_force(&turned, &ground, &case.state);
        // Positions of some metres lose 1e-15 m in the turn; the stiffest springs, dampers and slopes are below 1e6 per metre.
        let near = |x: f64, y: f64| (x - y).abs() < 1e-8 * (1.0 + x.abs());
        prop_assert!((R * a.wrench_C.f - b.wrench_C.f).norm() < 1e-8 * (1.0 + a.wrench_C.f.norm()));
        prop_assert!((R * a.wrench_C.t - b.wrench_C.t).norm() < 1e-8 * (1.0 + a.wrench_C.t.norm()));
        prop_assert!(near(a.dissipated_power, b.dissipated_power) && near(a.elastic_energy, b.elastic_energy));
        prop_assert!(near(a.state_rate[0], b.state_rate[0]) && near(a.state_rate[1], b.state_rate[1]));
    }

    /// Nothing pulls, nothing exceeds the friction circle, nothing is not a number.
    #[test]
    fn force_stays_in_the_friction_cone(case in case(), h in 0.0..0.01f64) {
        let p = BrushParameters::SAMARINI;
        let (f, tangent, e) = case.tyre().calc_force_implicit(&case.motion, &case.ground, &case.state, h);
        let tangential = f.longitudinal_force.hypot(f.lateral_force);
        prop_assert!(f.normal_force >= 0.0);
        prop_assert!(f.friction_used <= 1.0 + 1e-14);
        prop_assert!(tangential <= p.friction_max * f.normal_force * (1.0 + 1e-14));
        prop_assert!(e.iter().chain(tangent.K.iter()).chain(tangent.D.iter()).all(|x| x.is_finite()));
    }

    /// The implicit form is the continuous one at its own end state: same wrench, same rates, e = base + h ė.
    #[test]
    fn implicit_form_is_the_continuous_one_at_its_end(case in case(), h in 1e-5..0.1f64) {
        let tyre = case.tyre();
        let (f, e) = tyre.calc_force_at(&case.motion, &case.ground, &case.state, h);
        let g = tyre.calc_force(&case.motion, &case.ground, &e);
        let near = |x: f64, y: f64| (x - y).abs() < 1e-9 * (1.0 + x.abs());
        let reached = |i: usize| (e[i] - case.state[i] - h * f.state_rate[i]).abs() < 1e-15;
        prop_assert!(reached(0) && reached(1));
        // F = C e + d σ ė: an error of 1e-16 in e is one of 1e-16 C/(d σ) ≈ 1e-14 in ė, more on the circle.
        prop_assert!(near(f.state_rate[0], g.state_rate[0]) && near(f.state_rate[1], g.state_rate[1]), "{:?} {:?}", f, g);
        prop_assert!((f.wrench_C.f - g.wrench_C.f).norm() < 1e-9 * (1.0 + f.wrench_C.f.norm()));
        prop_assert!((f.elastic_energy - g.elastic_energy).abs() < 1e-12);
        prop_assert!((f.dissipated_power - g.dissipated_power).abs() < 1e-8 * (1.0 + f.dissipated_power));
    }
}
