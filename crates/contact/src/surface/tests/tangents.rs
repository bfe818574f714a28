//! Derivatives of the wrenches against differences.

use super::*;
use touchdown_math::Mat6;

fn nudged(side: &SurfaceMotion, k: usize, h: f64) -> SurfaceMotion {
    let mut turn = Vec3::zeros();
    let mut out = *side;
    if k < 3 {
        turn[k] = h;
        out.X_WS.R = rotation::exp(&turn).to_rotation_matrix().into_inner() * side.X_WS.R;
    } else {
        out.X_WS.p[k - 3] += h;
    }
    out
}

fn faster(side: &SurfaceMotion, k: usize, h: f64) -> SurfaceMotion {
    let mut out = *side;
    if k < 3 {
        out.w_WS[k] += h
    } else {
        out.v_WS[k - 3] += h
    }
    out
}

pub(super) fn check(
    pair: &SurfacePair,
    sides: &[SurfaceMotion; 2],
    state: &SmoothState,
    z: &[f64],
    h_step: f64,
    tolerance: f64,
) {
    let mut scratch = PairScratch::default();
    let mut tangent = SmoothTangent::default();
    let now = pair.evaluate(sides, state, 0.0, z, h_step, Some(&mut tangent), &mut scratch);
    assert!(now.contacts().iter().any(|c| c.gap < 0.0));
    for j in 0..2 {
        let (mut K, mut D) = ([Mat6::zeros(); 2], [Mat6::zeros(); 2]);
        for k in 0..6 {
            for (out, change) in
                [(&mut K, nudged as fn(&SurfaceMotion, usize, f64) -> SurfaceMotion), (&mut D, faster)]
            {
                let h = 1e-6;
                let mut at = |h: f64| {
                    let mut moved = *sides;
                    moved[j] = change(&sides[j], k, h);
                    pair.evaluate(&moved, state, 0.0, z, h_step, None, &mut scratch).wrenches
                };
                let (a, b) = (at(h), at(-h));
                for i in 0..2 {
                    for r in 0..3 {
                        out[i][(r, k)] = (a[i].t[r] - b[i].t[r]) / (2.0 * h);
                        out[i][(r + 3, k)] = (a[i].f[r] - b[i].f[r]) / (2.0 * h);
                    }
                }
            }
        }
        for i in 0..2 {
            for (name, exact, difference) in [("K", tangent.K[i][j], K[i]), ("D", tangent.D[i][j], D[i])] {
                let error = (exact - difference).norm() / (1.0 + difference.norm());
                assert!(error < tolerance, "{name}[{i}][{j}]: {error:e}\n{exact}{difference}");
            }
        }
    }
}

/// Tangents are the derivatives of the wrenches on both sides by the motion of both. Differences are good to about 1e-6; for stick–slip friction
/// in a step the turn of the bristle is held in the tangent, an error of the order of deflection times turn in the step.
#[test]
fn tangents_are_derivatives() {
    let mut r = Random(23);
    let frictions = [FrictionLaw::Frictionless, REGULARISED, STICK_SLIP];
    let normals = [
        NormalLaw::Linear { stiffness: 2e4, damping: 40.0 },
        NormalLaw::HuntCrossley { stiffness: 4e5, exponent: 1.5, damping: 0.7 },
        NormalLaw::Hertz { modulus: 1e7, damping: 0.3 },
    ];
    for k in 0..54 {
        let law = SurfaceLaw { normal: normals[k % 3], friction: frictions[(k / 3) % 3] };
        let two = if k % 2 == 0 { ball(0.25) } else { ellipsoid() };
        let one = match (k / 9) % 3 {
            0 => Form::Height(saddle()),
            1 => Form::Height(hills(Smoothness::C2)),
            _ => Form::Body(BodySurface::Ellipsoid { semi_axes: [0.5, 0.7, 0.4] }),
        };
        let pair = pair(one, two, law);
        let X_W1 = r.pose(1.0, 1.0);
        let mut X_12 =
            Pose::new(&rotation::exp(&r.vector(1.0)), Vec3::new(0.2 * r.next(), 0.2 * r.next(), 0.75));
        let place = |X_12: &Pose| moving(X_W1.compose(X_12), Vec3::zeros(), Vec3::zeros());
        let still = moving(X_W1, Vec3::zeros(), Vec3::zeros());
        let mut scratch = PairScratch::default();
        let mut state = pair.start(&[still, place(&X_12)], &mut scratch);
        // Down along the normal until it touches by 2 mm.
        for _ in 0..30 {
            let sides = [still, place(&X_12)];
            let f = pair.evaluate(&sides, &state, 0.0, &[], 0.0, None, &mut scratch);
            if let Some(c) = f.contacts().first() {
                X_12.p -= X_W1.R.tr_mul(&c.normal_W) * (c.gap + 2e-3);
            } else {
                X_12.p.z -= 0.05;
            }
            pair.commit(&[still, place(&X_12)], 0.0, &mut state, &mut [], &mut scratch);
        }
        let sides = [
            moving(X_W1, r.vector(0.1), r.vector(0.2)),
            SurfaceMotion { v_WS: r.vector(0.1), w_WS: r.vector(0.3), ..place(&X_12) },
        ];
        let scale = if k % 4 == 0 { 1e-4 } else { 2e-3 };
        let z: Vec<f64> = (0..12).map(|_| scale * r.next()).collect();
        check(&pair, &sides, &state, &z, 0.0, 2e-5);
        if pair.states() > 0 {
            check(&pair, &sides, &state, &z, 1e-3, 1e-3);
        }
    }
}
