//! Power in is power out, and nothing pulls.

use super::*;

const LAWS: [NormalLaw; 3] = [
    NormalLaw::Linear { stiffness: 2e4, damping: 40.0 },
    NormalLaw::HuntCrossley { stiffness: 4e5, exponent: 1.3, damping: 0.7 },
    NormalLaw::Hertz { modulus: 1e7, damping: 0.5 },
];
const FRICTIONS: [FrictionLaw; 3] = [FrictionLaw::Frictionless, REGULARISED, STICK_SLIP];

/// Touching sides, ball or ellipsoid on the hills, everything moving, for all laws.
fn for_touching(mut check: impl FnMut(&SurfacePair, &[SurfaceMotion; 2], &SmoothState, &[f64; 12])) {
    let mut r = Random(11);
    let mut seen = 0;
    for k in 0..240 {
        let two = if k % 2 == 0 { ball(0.25) } else { ellipsoid() };
        let law = SurfaceLaw { normal: LAWS[k % 3], friction: FRICTIONS[(k / 3) % 3] };
        let pair = pair(Form::Height(hills(Smoothness::C2)), two, law);
        let X_W1 = r.pose(1.0, 2.0);
        let p = Vec3::new(r.next(), r.next(), 0.42);
        let mut scratch = PairScratch::default();
        let turn = rotation::exp(&r.vector(2.0));
        let mut sides =
            [moving(X_W1, r.vector(0.3), r.vector(0.5)), SurfaceMotion::at_rest(Pose::identity())];
        sides[1] = moving(X_W1.compose(&Pose::new(&turn, p)), r.vector(0.4), r.vector(1.5));
        let apart = pair.start(&sides, &mut scratch);
        // Down along the normal by the gap and a little more: the candidates are tracked into contact.
        let mut state = apart;
        for _ in 0..3 {
            let f = pair.evaluate(&sides, &state, 0.0, &[], 0.0, None, &mut scratch);
            let Some(c) = f.contacts().iter().min_by(|a, b| a.gap.total_cmp(&b.gap)) else { break };
            sides[1].X_WS.p -= c.normal_W * (c.gap + 0.003 + 0.001 * r.next());
            pair.commit(&sides, 0.0, &mut state, &mut [], &mut scratch);
        }
        if state.slots.iter().flatten().all(|c| c.gap > -1e-4) {
            continue;
        }
        let mut z = [0.0; 12];
        for z in &mut z {
            *z = 2e-3 * r.next();
        }
        check(&pair, &sides, &state, &z);
        seen += 1;
    }
    assert!(seen > 150, "{seen}");
}

/// P₁ + P₂ + d(stored)/dt + heat = 0: the powers of both wrenches go into springs and heat, to round-off. The stored energy's rate is taken from its
/// parts: −F_el ḋ for the normal law by a difference in the gap, k z·ż for the bristles.
#[test]
fn power_in_is_power_out() {
    let mut touching = 0;
    for_touching(|pair, sides, state, z| {
        let mut scratch = PairScratch::default();
        let f = pair.evaluate(sides, state, 0.0, z, 0.0, None, &mut scratch);
        let power: f64 =
            (0..2).map(|i| sides[i].w_WS.dot(&f.wrenches[i].t) + sides[i].v_WS.dot(&f.wrenches[i].f)).sum();
        let mut stored = 0.0;
        for c in f.contacts() {
            touching += usize::from(c.gap < 0.0);
            let elastic = |s: f64| {
                let curvature = state.slots[c.slot].map_or(0.0, |x| x.curvature);
                match pair.law().normal {
                    NormalLaw::Linear { stiffness, .. } => stiffness * s,
                    NormalLaw::HuntCrossley { stiffness, exponent, .. } => stiffness * s.powf(exponent),
                    NormalLaw::Hertz { modulus, .. } => 4.0 / 3.0 * modulus / curvature.sqrt() * s.powf(1.5),
                }
            };
            if c.gap < 0.0 {
                stored -= elastic(-c.gap) * c.gap_rate;
            }
            if let FrictionLaw::StickSlip { stiffness, .. } = pair.law().friction {
                // The tangential deflection changes by ż, less what the turning normal takes out of the plane: d(½ k z_t²)/dt = k z_t·u, and u is
                // the part of ż that is not the turn. By differences along the motion below; here u = (G − k z_t)/d.
                let FrictionLaw::StickSlip { damping, .. } = pair.law().friction else { unreachable!() };
                let z = Vec3::from_column_slice(&z[3 * c.slot..3 * c.slot + 3]);
                let z_t = z - c.normal_W * c.normal_W.dot(&z);
                stored += (stiffness * z_t).dot(&((-c.friction_W - z_t * stiffness) / damping));
            }
        }
        let balance = power + stored + f.dissipated_power;
        let scale = power.abs() + stored.abs() + f.dissipated_power;
        assert!(balance.abs() <= 4e-14 * (1.0 + scale), "{balance:e} of {scale}");
        assert!(f.dissipated_power >= 0.0);
        for c in f.contacts() {
            assert!(c.normal_force >= 0.0);
            assert!(c.friction_W.norm() <= 0.6 * c.normal_force * (1.0 + 1e-12) + 1e-12);
            assert!(c.friction_W.dot(&c.normal_W).abs() < 1e-9 * (1.0 + c.normal_force));
        }
    });
    assert!(touching > 150, "{touching}");
}

/// The booked energy changes along the motion as power and heat say (central differences).
#[test]
fn energy_follows_the_motion() {
    for_touching(|pair, sides, state, z| {
        let mut scratch = PairScratch::default();
        let now = pair.evaluate(sides, state, 0.0, z, 0.0, None, &mut scratch);
        let h = 1e-7;
        let mut energy = |t: f64| {
            let sides = [later(&sides[0], t), later(&sides[1], t)];
            let mut z = *z;
            for (z, rate) in z.iter_mut().zip(now.state_rate) {
                *z += t * rate;
            }
            pair.evaluate(&sides, state, 0.0, &z, 0.0, None, &mut scratch).elastic_energy
        };
        let stored = (energy(h) - energy(-h)) / (2.0 * h);
        let power: f64 = (0..2)
            .map(|i| sides[i].w_WS.dot(&now.wrenches[i].t) + sides[i].v_WS.dot(&now.wrenches[i].f))
            .sum();
        let scale = 1.0 + power.abs() + stored.abs() + now.dissipated_power;
        let error = (power + stored + now.dissipated_power) / scale;
        assert!(error.abs() < 1e-5, "{error:e}");
    });
}

/// The implicit form is the continuous one at its own end: z = base + h ż, same forces, same rates.
#[test]
fn implicit_form_is_the_continuous_one_at_its_end() {
    for_touching(|pair, sides, state, base| {
        if pair.states() == 0 {
            return;
        }
        let mut scratch = PairScratch::default();
        for h in [1e-4, 1e-2, 0.3] {
            let f = pair.evaluate(sides, state, 0.0, base, h, None, &mut scratch);
            let mut end = *base;
            for (z, rate) in end.iter_mut().zip(f.state_rate) {
                *z += h * rate;
            }
            let g = pair.evaluate(sides, state, 0.0, &end, 0.0, None, &mut scratch);
            let force = (f.wrenches[1].f - g.wrenches[1].f).norm();
            assert!(force < 1e-9 * (1.0 + g.wrenches[1].f.norm()), "{force:e}");
            for (a, b) in f.state_rate.iter().zip(g.state_rate) {
                assert!((a - b).abs() < 1e-9 * (1.0 + b.abs()), "{a} {b}");
            }
            assert!((f.elastic_energy - g.elastic_energy).abs() < 1e-11 * (1.0 + g.elastic_energy));
        }
    });
}

/// Stick–slip friction holds a pushed body without end: at rest under a force below the limit neither deflection nor force changes.
#[test]
fn sticking_does_not_creep() {
    let plane = HeightSurface::new(HeightForm::Plane { height: 0.0, gradient: [0.0, 0.0] });
    let pair = pair(Form::Height(plane), ball(0.25), linear_law(STICK_SLIP));
    let sides = [
        SurfaceMotion::at_rest(Pose::identity()),
        moving(Pose::translation(Vec3::new(0.0, 0.0, 0.248)), Vec3::zeros(), Vec3::zeros()),
    ];
    let mut scratch = PairScratch::default();
    let state = pair.start(&sides, &mut scratch);
    // N = 40 N; 0.5 of it held by 2 mm of deflection.
    let mut z = [0.0; 12];
    z[0] = 2e-3;
    let f = pair.evaluate(&sides, &state, 0.0, &z, 0.0, None, &mut scratch);
    assert_eq!(f.state_rate, [0.0; STATES * MOST]);
    assert!(
        (f.contacts[0].friction_W.x + 20.0).abs() < 1e-12 && (f.contacts[0].normal_force - 40.0).abs() < 1e-9
    );
    assert_eq!(f.dissipated_power, 0.0);
    // At 3 mm it would need 30 N: it slides back at the limit of 0.6·40 N.
    z[0] = 3e-3;
    let f = pair.evaluate(&sides, &state, 0.0, &z, 0.0, None, &mut scratch);
    assert!((f.contacts[0].friction_W.x + 24.0).abs() < 1e-9 && f.state_rate[0] < 0.0);
}

/// Turning and shifting the world turns the wrenches and changes nothing else.
#[test]
fn world_may_turn() {
    let mut r = Random(3);
    for_touching(|pair, sides, state, z| {
        let turn = r.pose(2.0, 3.0);
        let turned = sides.map(|s| moving(turn.compose(&s.X_WS), turn.R * s.v_WS, turn.R * s.w_WS));
        let mut turned_z = *z;
        for k in 0..4 {
            let z = turn.R * Vec3::from_column_slice(&z[3 * k..3 * k + 3]);
            turned_z[3 * k..3 * k + 3].copy_from_slice(z.as_slice());
        }
        let mut scratch = PairScratch::default();
        let a = pair.evaluate(sides, state, 0.0, z, 0.0, None, &mut scratch);
        let b = pair.evaluate(&turned, state, 0.0, &turned_z, 0.0, None, &mut scratch);
        // Positions of some metres lose 1e-15 m in the turn; stiffnesses are below 1e7 N/m.
        for i in 0..2 {
            assert!(
                (turn.R * a.wrenches[i].f - b.wrenches[i].f).norm() < 1e-7 * (1.0 + a.wrenches[i].f.norm())
            );
            assert!(
                (turn.R * a.wrenches[i].t - b.wrenches[i].t).norm() < 1e-7 * (1.0 + a.wrenches[i].t.norm())
            );
        }
        assert!((a.elastic_energy - b.elastic_energy).abs() < 1e-8 * (1.0 + a.elastic_energy));
        assert!((a.dissipated_power - b.dissipated_power).abs() < 1e-7 * (1.0 + a.dissipated_power));
        for (x, y) in a.contacts().iter().zip(b.contacts()) {
            assert!((x.twist_G.v - y.twist_G.v).norm() < 1e-12 && (x.gap - y.gap).abs() < 1e-13);
        }
    });
}
