//! What the contacts of a capture tool cost, far apart and clamped: `cargo test --release -p touchdown-scenario --test docking_cost -- --ignored --nocapture`.

use std::hint::black_box;
use std::time::Instant;
use touchdown_contact::polygonal::{PairState, SurfaceMotion};
use touchdown_math::{Pose, Vec3};
use touchdown_scenario::load;
use touchdown_sim::description::PolygonalPair;

fn at(X_WS: Pose) -> SurfaceMotion {
    SurfaceMotion { X_WS, v_WC: Vec3::zeros(), w_WB: Vec3::zeros() }
}

fn timed(calls: u32, mut call: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        best = best.min(start.elapsed().as_secs_f64() / f64::from(calls));
    }
    1e6 * best
}

#[test]
#[ignore = "measures time"]
fn cost_of_a_capture() {
    let sets: Vec<String> =
        std::env::var("SETS").unwrap_or_default().split_whitespace().map(String::from).collect();
    let scenario = load("docking-lock", &sets).unwrap();
    // Tool far, in the throat, and clamped: its origin and the way of the crown.
    for (place, z, shoulder, way) in
        [("far", 1.0, 0.0, 0.0), ("in the throat", 1.448, 0.0, 0.0), ("clamped", 1.4519, -0.0019, 0.01475)]
    {
        for contact in &scenario.description.polygonal {
            let PolygonalPair::Revolution(pair) = &contact.pair else { continue };
            let mut pair = pair.clone();
            if let Some(opening) = &contact.opening {
                pair.reference = opening.family.at(way);
            }
            let moved = |k: usize| {
                let side = &contact.sides[k];
                let shift = match side.body {
                    None => 0.0,
                    Some(_) if contact.name.ends_with("tool") => z + shoulder,
                    Some(_) => z,
                };
                at(Pose::translation(Vec3::z() * shift).compose(&side.X_BS))
            };
            let (body, reference) = (moved(0), moved(1));
            let mut state = PairState::default();
            pair.commit(&mut state, &body, &reference);
            let force = pair.evaluate(&state, &body, &reference);
            let effort = pair.for_each_touching(&state, &body, &reference, |_| {});
            let plain = timed(50, || _ = black_box(pair.evaluate(&state, black_box(&body), &reference)));
            let slopes =
                timed(50, || _ = black_box(pair.evaluate_with_tangent(&state, black_box(&body), &reference)));
            let commit = timed(50, || _ = black_box(pair.commit(&mut state, black_box(&body), &reference)));
            println!(
                "{place:14} {:14} faces {:6} spheres {:5} corners {:5} touching {:5} force {:7.2} N depth {:.1} um: {plain:7.1} us, with slopes {slopes:7.1} us, commit {commit:7.1} us",
                contact.name,
                pair.faces.faces().len(),
                effort.spheres,
                effort.corners,
                force.polygons,
                force.wrench_C.f.z,
                1e6 * force.penetration_max
            );
        }
    }
}
