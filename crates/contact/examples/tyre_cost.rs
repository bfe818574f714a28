//! Prints what one evaluation of the brush tyre costs, in nanoseconds: the budget is 250 ns with tangent on a plane, and 2 µs more on a map.
//! Run: `cargo run --release -p touchdown-contact --example tyre_cost`.

use std::hint::black_box;
use std::time::Instant;
use touchdown_contact::tyre::{BrushParameters, BrushTyre, Footing, GroundPlane, WheelMotion};
use touchdown_geometry::Raster;
use touchdown_geometry::surface::{HeightForm, HeightSurface, Smoothness};
use touchdown_math::Vec3;

/// Evaluations per measurement; the best of `ROUNDS` measurements counts, the others met interruptions.
const CALLS: u32 = 200_000;
const ROUNDS: u32 = 9;

fn best_ns(mut call: impl FnMut()) -> f64 {
    (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..CALLS {
                call();
            }
            start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
        })
        .fold(f64::INFINITY, f64::min)
}

fn main() {
    let tyre = match BrushTyre::new(BrushParameters::SAMARINI) {
        Ok(tyre) => tyre,
        Err(problems) => return eprintln!("{problems:?}"),
    };
    let ground = GroundPlane { point: Vec3::zeros(), normal: Vec3::z() };
    let wheel = |height: f64, v: [f64; 2], spin: f64| WheelMotion {
        p_WC: Vec3::new(0.0, 0.0, height),
        axis_W: Vec3::y(),
        v_WC: Vec3::new(v[0], v[1], 0.0),
        w_WB: Vec3::y() * spin,
    };
    let cases = [
        ("parked", wheel(0.1185, [0.0, 0.0], 0.0), [0.003, 0.001]),
        ("rolling", wheel(0.1185, [0.0194, 1e-5], 0.1645), [0.004, 1e-4]),
        ("point turn", wheel(0.1185, [0.0194, 0.001], 0.1645), [0.002, 0.0025]),
        ("sliding", wheel(0.1185, [0.0194, 0.01], 0.3), [0.015, -0.002]),
        ("in the air", wheel(0.15, [0.0194, 0.0], 0.1645), [0.0, 0.0]),
    ];
    println!("{:12} {:>10} {:>14} {:>15}", "ns per call", "calc_force", "calc_force_at", "with tangent");
    for (name, motion, state) in cases {
        let explicit = best_ns(|| {
            black_box(tyre.calc_force(black_box(&motion), black_box(&ground), black_box(&state)));
        });
        let implicit = best_ns(|| {
            black_box(tyre.calc_force_at(black_box(&motion), black_box(&ground), black_box(&state), 1e-3));
        });
        let tangent = best_ns(|| {
            black_box(tyre.calc_force_implicit(
                black_box(&motion),
                black_box(&ground),
                black_box(&state),
                1e-3,
            ));
        });
        println!("{name:12} {explicit:10.0} {implicit:14.0} {tangent:15.0}");
    }
    on_maps(&tyre);
}

/// Finding the contact point on a map of 1001 × 1001 nodes, 0.1 m apart, along a path over it, upright and leaning.
fn on_maps(tyre: &BrushTyre) {
    let nodes = (0..1001).flat_map(|j| (0..1001).map(move |i| (f64::from(i), f64::from(j))));
    let heights = nodes.map(|(i, j)| 0.05 * (0.3 * i).sin() * (0.25 * j).cos()).collect();
    let Ok(raster) = Raster::new([0.0; 2], 0.1, 1001, 1001, heights) else { return };
    println!("{:12} {:>10} {:>14}", "on a map", "footing", "with tangent");
    for (name, smoothness, lean) in [
        ("c1 upright", Smoothness::C1, 0.0),
        ("c2 upright", Smoothness::C2, 0.0),
        ("c2 leaning", Smoothness::C2, 0.2),
    ] {
        let surface = HeightSurface::new(HeightForm::Map { raster: raster.clone(), smoothness });
        let mut patch = None;
        let mut k = 0u32;
        let mut wheel = || {
            k = k.wrapping_add(1);
            // 0.02 mm a call, as a rover makes in a step of a millisecond.
            let (x, y) = (2.0 + 2e-5 * f64::from(k % 4_000_000), 31.234);
            let z = surface.jet(x, y).map_or(0.0, |jet| jet.z) + 0.12;
            let axis_W = Vec3::new(0.0, f64::cos(lean), f64::sin(lean));
            WheelMotion { p_WC: Vec3::new(x, y, z), axis_W, v_WC: Vec3::x() * 0.02, w_WB: axis_W * 0.16 }
        };
        let path = best_ns(|| {
            black_box(wheel());
        });
        let find = best_ns(|| {
            let _ = black_box(Footing::find(&surface, &mut patch, 0.1425, &wheel()));
        });
        let full = best_ns(|| {
            let motion = wheel();
            if let Ok(footing) = Footing::find(&surface, &mut patch, 0.1425, &motion) {
                black_box(tyre.calc_force_on(&motion, &footing, &[0.004, 1e-4], 1e-3));
            }
        });
        println!("{name:12} {:10.0} {:14.0}", find - path, full - path);
    }
}
