//! Experiments.
use super::*;
use touchdown_geometry::Relief;

fn dlr(phi_deg: f64, c: f64, k_e: f64) -> SoilParameters {
    SoilParameters {
        law: PressureLaw::Bekker { cohesive: 2370.0, frictional: 60300.0 },
        exponent: 0.63,
        cohesion: c,
        friction_angle: phi_deg.to_radians(),
        elastic_stiffness: k_e,
        damping: 0.0,
        shear_length: 0.025,
    }
}
fn exact(z: f64, r: f64, b: f64, phi: f64, c: f64) -> (f64, f64, f64) {
    let K = 2370.0 / 0.1 + 60300.0;
    let t1 = (1.0 - z / r).acos();
    let n = 200000;
    let (mut w, mut h, mut t) = (0.0, 0.0, 0.0);
    for i in 0..n {
        // substitute to soften the end
        let u = (i as f64 + 0.5) / n as f64;
        let th = t1 * (1.0 - u * u);
        let dth = t1 * 2.0 * u / n as f64;
        let s = K * (r * (th.cos() - t1.cos())).powf(0.63);
        let tau = c + s * phi.to_radians().tan();
        w += r * b * (s * th.cos() + tau * th.sin()) * dth;
        h += r * b * (tau * th.cos() - s * th.sin()) * dth;
        t += r * r * b * tau * dth;
    }
    (w, h, t)
}
#[test]
fn experiment() {
    let (r, b, z) = (0.125, 0.1, 0.05387);
    for (phi, c, slip) in [(0.0, 0.0, false), (24.8, 188.0, true)] {
        let (w, h, t) = exact(z, r, b, if slip { phi } else { 0.0 }, if slip { c } else { 0.0 });
        println!("exact W {w:.3} H {h:.3} T {t:.3}");
        for k_e in [4e7, 4e8, 1e9, 1e11] {
            for ds in [0.0125, 0.00625, 0.003125] {
                for yaw in [0.0, 0.5f64] {
                    let options = SoilOptions {
                        width: BekkerWidth::Given(0.1),
                        friction: FrictionLaw::Coulomb { speed: 1e-6 },
                        deposition: false,
                        erosion: false,
                        spread_exponent: 2.0,
                        move_every: 1,
                        sweeps: 2,
                    };
                    let mut soil = Soil::new(
                        Relief::Plane { height: 0.0, gradient: [0.0; 2] },
                        ds,
                        vec![dlr(phi, c, k_e)],
                        vec![],
                        options,
                    );
                    let mut contacts = vec![SoilContact::new(&SoilSurface {
                        shape: SoilShape::Wheel { radius: r, width: b, grousers: None },
                        carried_layer: 0.0,
                    })];
                    let v = 0.02;
                    let dt = ds / v / 200.0;
                    let omega = if slip { 1000.0 } else { v / r };
                    let (mut sw, mut sh, mut n, mut lo, mut hi, mut st) =
                        (0.0, 0.0, 0, f64::MAX, f64::MIN, 0.0);
                    let steps = (0.2 / ds) as usize * 200 + 200;
                    let R = *nalgebra_rot(yaw);
                    for k in 0..steps {
                        let x = k as f64 * dt * v + 0.0013;
                        let motion = SurfaceMotion {
                            X_WS: Pose { R, p: R * Vec3::new(x, 0.0031, 0.0) + Vec3::new(0.0, 0.0, r - z) },
                            v_WC: R * Vec3::new(v, 0.0, 0.0),
                            w_WB: R * Vec3::new(0.0, omega, 0.0),
                        };
                        let f = contacts[0].evaluate(&soil, &motion, 0.0, None);
                        soil.advance(k as f64 * dt, &mut contacts);
                        if k >= steps - 200 {
                            let fx = f.wrench_C.f.dot(&(R * Vec3::x()));
                            sw += f.wrench_C.f.z;
                            sh += fx;
                            n += 1;
                            lo = lo.min(f.wrench_C.f.z);
                            hi = hi.max(f.wrench_C.f.z);
                            st -= f.wrench_C.t.dot(&(R * Vec3::y()));
                        }
                    }
                    let n = n as f64;
                    println!(
                        "k_e {k_e:.0e} ds {ds:.5} yaw {yaw} dW/W {:+.4} dH/W {:+.4} dT/T {:+.4} ripple {:.4}",
                        (sw / n - w) / w,
                        (sh / n - h) / w,
                        if t > 0.0 { (st / n - t) / t } else { 0.0 },
                        (hi - lo) / w
                    );
                }
            }
        }
    }
}
fn nalgebra_rot(yaw: f64) -> Box<touchdown_math::Mat3> {
    let (s, c) = yaw.sin_cos();
    Box::new(touchdown_math::Mat3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0))
}
