//! Tangents against central differences, and turned worlds.

use super::*;
use touchdown_math::rotation;

fn moved(motion: &SurfaceMotion, k: usize, step: f64) -> SurfaceMotion {
    let mut unit = Vec3::zeros();
    unit[k % 3] = step;
    let mut out = *motion;
    if k < 3 {
        out.X_WS.R = rotation::exp(&unit).to_rotation_matrix().into_inner() * motion.X_WS.R;
    } else {
        out.X_WS.p += unit;
    }
    out
}

fn faster(motion: &SurfaceMotion, k: usize, step: f64) -> SurfaceMotion {
    let mut unit = Vec3::zeros();
    unit[k % 3] = step;
    let mut out = *motion;
    if k < 3 {
        out.w_WS += unit
    } else {
        out.v_WS += unit
    }
    out
}

/// K and D are the derivatives of the wrench, yielding, holding and reloading, on a slope, turning and sliding.
#[test]
fn tangents_are_derivatives() {
    let damped = FootSoil {
        damping: HuntCrossley { k: 0.0, n: 1.0, b: 205.0, p: 0.3, q: 1.1 },
        recovery: 0.02,
        ..sand(FootModel::Exact)
    };
    let feet = [
        on_soil(CYLINDER, damped, None),
        on_soil(BALL, damped, Some(HuntCrossley::spring(1.2e4))),
        on_soil(PLATE, damped, Some(HuntCrossley::hertz(3e4, 1.3))),
        on_marble(CYLINDER),
        on_marble(DISC),
    ];
    let normal = Vec3::new(0.1, -0.15, 1.0).normalize();
    let ground = GroundPlane { point: Vec3::new(0.1, 0.2, -0.3), normal };
    for foot in feet {
        for (m, depth, rate, h) in
            [(0.015, 0.0152, 0.2, 1e-3), (0.015, 0.0149, 0.004, 1e-3), (0.015, 0.01489, -0.004, 0.01)]
        {
            let extra = match (foot.params().spring, foot.bearing()) {
                (Some(s), Some(b)) => (b.at(m).force / s.k).powf(1.0 / s.n),
                _ => 0.0,
            };
            let height = foot.params().shape.round().unwrap_or(0.0);
            let tilt = rotation::exp(&Vec3::new(0.2, 0.1, 0.3)).to_rotation_matrix().into_inner();
            let mut motion = SurfaceMotion {
                X_WS: Pose { R: tilt, p: ground.point + normal * height },
                v_WS: Vec3::new(0.03, -0.02, 0.0),
                w_WS: Vec3::new(0.02, 0.3, -0.1),
            };
            let gap = foot.calc_outline_gap(&motion, &ground);
            motion.X_WS.p -= normal * (gap + depth + extra);
            let sole = Sole::calc(&foot.params().shape, &motion, &ground);
            motion.v_WS -= normal * (normal.dot(&sole.v) + rate);
            let base = [m, extra, 4e-4, -3e-4, 1e-4];
            let (force, tangent, _) = foot.calc_force_implicit(&motion, &ground, &base, h);
            assert!(force.normal_force > 0.0);
            for k in 0..6 {
                for (change, matrix, step) in [
                    (moved as fn(&SurfaceMotion, usize, f64) -> SurfaceMotion, tangent.K, 1e-8),
                    (faster, tangent.D, 1e-7),
                ] {
                    let at =
                        |s: f64| foot.calc_force_at(&change(&motion, k, s), &ground, &base, h).0.wrench_F;
                    let (up, down) = (at(step), at(-step));
                    let difference = [(up.t - down.t) / (2.0 * step), (up.f - down.f) / (2.0 * step)];
                    for i in 0..3 {
                        for (row, value) in [(i, difference[0][i]), (i + 3, difference[1][i])] {
                            let scale = 1.0 + matrix.norm();
                            assert!(
                                (value - matrix[(row, k)]).abs() < 2e-5 * scale,
                                "{:?} {m} {rate} ({row}, {k}) {value} {}",
                                foot.params().shape,
                                matrix[(row, k)]
                            );
                        }
                    }
                }
            }
        }
    }
}

/// Turn the world and forces turn with it.
#[test]
fn forces_turn_with_the_world() {
    let R = rotation::exp(&Vec3::new(0.4, -0.7, 1.1)).to_rotation_matrix().into_inner();
    for foot in [on_soil(CYLINDER, sand(FootModel::Exact), None), on_marble(BALL)] {
        let motion = at_depth(&foot, 0.01, [0.02, 0.01], 0.05);
        let turned = SurfaceMotion {
            X_WS: Pose { R: R * motion.X_WS.R, p: R * motion.X_WS.p },
            v_WS: R * motion.v_WS,
            w_WS: R * motion.w_WS,
        };
        let e = Vec3::new(2e-4, 1e-4, 0.0);
        let f = foot.calc_force(&motion, &level(), &[0.01, 0.0, e.x, e.y, e.z]);
        let e = R * e;
        let ground = GroundPlane { point: Vec3::zeros(), normal: R * Vec3::z() };
        let g = foot.calc_force(&turned, &ground, &[0.01, 0.0, e.x, e.y, e.z]);
        assert!(
            (R * f.wrench_F.f - g.wrench_F.f).norm() < 1e-10
                && (R * f.wrench_F.t - g.wrench_F.t).norm() < 1e-10
        );
    }
}
