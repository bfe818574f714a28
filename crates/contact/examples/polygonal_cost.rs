//! Prints what polygonal contact costs: per candidate corner of the radial–axial map (the budget is 50 ns), and per touching face.
//! Run: `cargo run --release -p touchdown-contact --example polygonal_cost`.

use std::hint::black_box;
use std::time::Instant;
use touchdown_contact::polygonal::{
    Faces, Friction, Layer, PairLaw, PolygonalState, RevolutionPair, SurfaceMotion,
};
use touchdown_geometry::revolution::{Path, Resolution, Section, Side};
use touchdown_math::{Pose, Vec3};

/// The best of so many measurements counts, the others met interruptions.
const ROUNDS: u32 = 9;

fn best_ns(calls: u32, mut call: impl FnMut()) -> f64 {
    (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..calls {
                call();
            }
            start.elapsed().as_secs_f64() * 1e9 / f64::from(calls)
        })
        .fold(f64::INFINITY, f64::min)
}

fn at(z: f64) -> SurfaceMotion {
    SurfaceMotion {
        X_WS: Pose::translation(Vec3::new(2e-4, 1e-4, z)),
        v_WS: Vec3::zeros(),
        w_WS: Vec3::zeros(),
    }
}

/// A probe of strips × segments × 2 faces in a nozzle.
fn probe(nozzle: &Section, segments: u32, strips: u32, friction: Friction) -> Result<RevolutionPair, String> {
    let wall = 15f64.to_radians().tan();
    let text = |e: &dyn std::fmt::Debug| format!("{e:?}");
    let body =
        Section::through(&[[0.0, 0.03], [0.05, 0.03 + 0.05 * wall]], Side::Solid).map_err(|e| text(&e))?;
    let length: f64 = body.segments().iter().map(|s| s.length).sum();
    let resolution =
        Resolution { segments, sagitta: 1.0, spacing: length / f64::from(strips) * (1.0 + 1e-9) };
    let faces = Faces::revolved(&body.mesh(&resolution)).map_err(|e| text(&e))?;
    let law = PairLaw::in_series(&Layer::given(1e9), &Layer::RIGID, 0.0, friction).map_err(|e| text(&e))?;
    RevolutionPair::new(faces, nozzle.clone(), law).map_err(|e| text(&e))
}

fn main() -> Result<(), String> {
    let wall = 15f64.to_radians().tan();
    let cone =
        Section::through(&[[0.0, 0.02], [0.06 / wall, 0.08]], Side::Cavity).map_err(|e| e.to_string())?;
    // A bell: a spline of 40 arcs.
    let points: Vec<[f64; 2]> =
        (1..=5).map(|k| [0.045 * f64::from(k), 0.02 + 0.027 * f64::from(k).sqrt()]).collect();
    let bell =
        Section::new(&Path::from([0.0, 0.02]).spline(&points), Side::Cavity).map_err(|e| e.to_string())?;
    let touch = 0.01 / wall;
    let fresh = PolygonalState::default();

    println!("{:34} {:>8} {:>8} {:>10} {:>12}", "detection alone", "spheres", "corners", "µs", "ns/corner");
    for (name, section) in [("cone, 1 line", &cone), ("bell, 40 arcs", &bell)] {
        for segments in [32, 128, 512] {
            let pair = probe(section, segments, segments / 4, Friction::None)?;
            // Just before first touch: leaves are mapped, no face touches.
            let (mut low, mut high) = (0.0, 0.3);
            while high - low > 1e-6 {
                let z = 0.5 * (low + high);
                let touches = pair.evaluate(&fresh, &at(z), &at(0.0)).polygons > 0;
                *if touches { &mut low } else { &mut high } = z;
            }
            let (body, reference) = (at(high), at(0.0));
            let effort = pair.for_each_touching(&fresh, &body, &reference, |_| {});
            let ns = best_ns(2_000_000 / (segments * segments), || {
                black_box(pair.evaluate(&fresh, black_box(&body), &reference));
            });
            let each = ns / f64::from(effort.corners.max(1));
            let faces = pair.faces.faces().len();
            println!(
                "{name:20} {faces:7} faces {:8} {:8} {:10.2} {each:12.1}",
                effort.spheres,
                effort.corners,
                ns * 1e-3
            );
        }
    }

    println!(
        "\n{:34} {:>8} {:>10} {:>10} {:>14} {:>10}",
        "forces", "touching", "µs", "ns/face", "with tangent", "commit"
    );
    let stick = Friction::StickSlip { stick: 0.5, slip: 0.3, release_speed: 1e-3 };
    for (name, friction) in [("smooth", Friction::None), ("stick-slip", stick)] {
        for (segments, strips) in [(32, 8), (64, 16), (128, 32), (256, 64)] {
            let pair = probe(&cone, segments, strips, friction)?;
            let (body, reference) = (at(touch - 2e-3), at(0.0));
            let mut state = PolygonalState::default();
            let touching = f64::from(pair.commit(&mut state, &body, &reference).force.polygons);
            let calls = 200_000 / (segments * strips);
            let ns = best_ns(calls, || {
                black_box(pair.evaluate(&state, black_box(&body), &reference));
            });
            let tangent = best_ns(calls, || {
                black_box(pair.evaluate_with_tangent(&state, black_box(&body), &reference));
            });
            let commit = best_ns(calls, || {
                black_box(pair.commit(&mut state, black_box(&body), &reference));
            });
            let faces = pair.faces.faces().len();
            println!(
                "{name:20} {faces:7} faces {touching:8} {:10.2} {:10.1} {:14.2} {:10.2}",
                ns * 1e-3,
                ns / touching,
                tangent * 1e-3,
                commit * 1e-3
            );
        }
    }
    Ok(())
}
