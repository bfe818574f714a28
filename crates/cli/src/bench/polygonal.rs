//! `touchdown bench polygonal`: hard contact over areas. What a corner of the radial–axial map costs, what a probe in a cone costs per step with its dynamics,
//! and how the cost grows with touching faces and with the size of meshes.

use super::findings::Findings;
use super::jobs::{Job, WITHOUT_END, with};
use super::{ROUNDS, clock, slope};
use crate::failure::Failure;
use crate::output::table;
use std::hint::black_box;
use std::sync::Arc;
use touchdown_contact::polygonal::mesh::{MeshPair, MeshScratch, Reference};
use touchdown_contact::polygonal::{Faces, Friction, Layer, PairLaw, PolygonalState, RevolutionPair};
use touchdown_geometry::revolution::{Resolution, Section, Side};
use touchdown_geometry::{Shape, SolidMesh, icosphere};
use touchdown_math::{Elementary, Pose, SurfaceMotion, Vec3};

/// Steps before the probe rests in the cone, and of a round.
const WARM_UP: u64 = 2_000;
const STEPS: u64 = 2_000;
/// The most that a corner may cost, s, and a step of the probe, mj.
const CORNER_TARGET: f64 = 50e-9;
const PROBE_TARGET: f64 = 2.0;
/// Corners around the probes of the tables.
const SEGMENTS: [u32; 4] = [32, 64, 128, 256];
/// Halvings of an icosahedron's edges: 1,280 to 1.3 million triangles.
const HALVINGS: [u32; 6] = [3, 4, 5, 6, 7, 8];
/// Faces that a round evaluates, about.
const WORK: u32 = 2_000_000;
/// Half angle of probe and cone, and sizes, m.
const HALF_ANGLE: f64 = 15.0;
const TIP: f64 = 0.03;
const LENGTH: f64 = 0.05;
const THROAT: f64 = 0.02;
const EXIT: f64 = 0.08;

/// Steps of the docking before the nozzle is clamped and before the launch ring rests on the brackets, and of a round: 60 s, 270 s and 5 s.
const CLAMPED: u64 = 12_000;
const DOCKED: u64 = 54_000;
const DOCKING_STEPS: u64 = 1_000;
const DOCKING_STEP: f64 = 5e-3;

/// A probe of 512 faces that rests in a cone under its weight: all faces touch. And two satellites while and after they dock.
pub fn jobs() -> Result<Vec<Job>, Failure> {
    let job = |name: &str, more: &[&str]| {
        let mut sets = vec![
            "mode=dynamic",
            "gravity=earth",
            "resolution=32",
            "length_m=0.07",
            "push_m=1e-4",
            "integrator=realtime",
            WITHOUT_END,
        ];
        sets.extend(more);
        let scenario = with("peg-in-cone", &sets)?;
        Job::on(format!("{name}, realtime 1 ms"), &scenario, (WARM_UP, STEPS))
    };
    let docking = |name: &str, warm_up: u64| {
        let job = Job::on(name.into(), &with("docking", &[])?, (warm_up, DOCKING_STEPS))?;
        Ok::<Job, Failure>(job.with_step(DOCKING_STEP))
    };
    Ok(vec![
        job("probe of 512 faces in a cone", &[])?.with_target(PROBE_TARGET),
        job("the same, damping without ramp", &["polygonal.peg.damping_depth=0 m"])?
            .with_target(PROBE_TARGET),
        job("the same, stick and slip", &["friction=0.3"])?,
        docking("satellites, nozzle clamped, realtime 5 ms", CLAMPED)?,
        docking("the same, docked", DOCKED)?,
    ])
}

/// What detection and forces cost.
pub fn report(found: &mut Findings) -> Result<(), Failure> {
    corners(found)?;
    faces(found)?;
    meshes(found)
}

fn failed(why: &dyn std::fmt::Display) -> Failure {
    Failure::other(format!("a probe cannot be made: {why}"))
}

fn law() -> Result<PairLaw, Failure> {
    PairLaw::in_series(&Layer::given(1e9), &Layer::RIGID, 0.0, Friction::None)
        .map_err(|problems| failed(&problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")))
}

/// A probe of segments × strips × 2 faces in a nozzle.
fn probe(segments: u32, strips: u32) -> Result<RevolutionPair, Failure> {
    let tan = HALF_ANGLE.to_radians().tangent();
    let section = |points: &[[f64; 2]], side| Section::through(points, side).map_err(|e| failed(&e));
    let body = section(&[[0.0, TIP], [LENGTH, TIP + LENGTH * tan]], Side::Solid)?;
    let nozzle = section(&[[0.0, THROAT], [(EXIT - THROAT) / tan, EXIT]], Side::Cavity)?;
    let length: f64 = body.segments().iter().map(|s| s.length).sum();
    let spacing = length / f64::from(strips) * (1.0 + 1e-9);
    let mesh = body.mesh(&Resolution { segments, sagitta: 1.0, spacing });
    let faces = Faces::revolved(&mesh).map_err(|e| failed(&e))?;
    RevolutionPair::new(faces, nozzle, law()?).map_err(|_| failed(&"its law is out of range"))
}

/// Height of the probe's tip at first coaxial touch, m.
fn touch() -> f64 {
    (TIP - THROAT) / HALF_ANGLE.to_radians().tangent()
}

fn at(z: f64) -> Pose {
    Pose::translation(Vec3::new(2e-4, 1e-4, z))
}

/// Median CPU time of a call, s.
fn timed(calls: u32, mut call: impl FnMut()) -> f64 {
    let samples: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let before = clock::cpu_time();
            (0..calls).for_each(|_| call());
            (clock::cpu_time() - before) / f64::from(calls)
        })
        .collect();
    clock::median(&samples)
}

/// Just before first touch: leaves are mapped, no face touches.
fn corners(found: &mut Findings) -> Result<(), Failure> {
    let mut rows = table(&["detection, faces", "corners mapped", "us a call", "ns a corner", "target", ""]);
    let fresh = PolygonalState::default();
    for segments in SEGMENTS {
        let pair = probe(segments, segments / 4)?;
        let reference = SurfaceMotion::at_rest(Pose::identity());
        let (mut low, mut high) = (0.0, 0.3);
        while high - low > 1e-6 {
            let z = 0.5 * (low + high);
            let touches = pair.evaluate(&fresh, &SurfaceMotion::at_rest(at(z)), &reference).polygons > 0;
            *if touches { &mut low } else { &mut high } = z;
        }
        let body = SurfaceMotion::at_rest(at(high));
        let mapped = pair.for_each_touching(&fresh, &body, &reference, |_| {}).corners;
        let time = timed(WORK / (segments * segments), || {
            black_box(pair.evaluate(&fresh, black_box(&body), &reference));
        });
        let each = time / f64::from(mapped.max(1));
        rows.add_row([
            pair.faces.faces().len().to_string(),
            mapped.to_string(),
            format!("{:.2}", 1e6 * time),
            format!("{:.1}", 1e9 * each),
            format!("{:.0} ns", 1e9 * CORNER_TARGET),
            if each <= CORNER_TARGET { "met" } else { "missed" }.into(),
        ]);
    }
    found.add(rows, &[]);
    Ok(())
}

/// Forces and derivatives of touching faces.
fn faces(found: &mut Findings) -> Result<(), Failure> {
    let mut rows = table(&["forces, faces", "touching", "us a call", "ns a face", "us with derivatives"]);
    let mut points = Vec::new();
    for segments in SEGMENTS {
        let pair = probe(segments, segments / 4)?;
        let (body, reference) =
            (SurfaceMotion::at_rest(at(touch() - 2e-3)), SurfaceMotion::at_rest(Pose::identity()));
        let fresh = PolygonalState::default();
        let touching = f64::from(pair.evaluate(&fresh, &body, &reference).polygons);
        let calls = WORK / (segments * segments);
        let time = timed(calls, || {
            black_box(pair.evaluate(&fresh, black_box(&body), &reference));
        });
        let tangent = timed(calls, || {
            black_box(pair.evaluate_with_tangent(&fresh, black_box(&body), &reference));
        });
        points.push((touching.natural_log(), time.natural_log()));
        rows.add_row([
            pair.faces.faces().len().to_string(),
            touching.to_string(),
            format!("{:.2}", 1e6 * time),
            format!("{:.1}", 1e9 * time / touching),
            format!("{:.2}", 1e6 * tangent),
        ]);
    }
    found.add(rows, &[format!("cost grows as touching faces^{:.3} (1: linear)", slope(&points))]);
    Ok(())
}

/// A ball of more and more triangles on a block of few, pressed in so that about as many faces touch.
fn meshes(found: &mut Findings) -> Result<(), Failure> {
    let mut rows = table(&["mesh on a mesh, triangles", "touching", "us a call", "us a touching face"]);
    let block = Shape::Box { size: Vec3::new(4.0, 4.0, 1.0) }.triangulate(3);
    let block = Arc::new(SolidMesh::new(&block).map_err(|e| failed(&e))?);
    let mut points = Vec::new();
    for halvings in HALVINGS {
        let ball = SolidMesh::new(&icosphere(halvings)).map_err(|e| failed(&e))?;
        let size = ball.faces().len();
        let pair = MeshPair::new(Arc::new(ball), Reference::Mesh(block.clone()), law()?);
        // A cap of depth d has the share d/2 of a unit sphere's faces: about a hundred of them.
        let depth = 200.0 / size as f64;
        let X = Pose::translation(Vec3::new(0.13, 0.07, 1.5 - depth));
        let (body, reference) = (SurfaceMotion::at_rest(X), SurfaceMotion::at_rest(Pose::identity()));
        let (state, mut scratch) = (PolygonalState::default(), MeshScratch::default());
        let touching = f64::from(pair.evaluate(&state, &body, &reference, &mut scratch).polygons.max(1));
        let time = timed(2_000, || {
            black_box(pair.evaluate(&state, black_box(&body), &reference, &mut scratch));
        });
        points.push(((size as f64).natural_log(), time));
        rows.add_row([
            size.to_string(),
            touching.to_string(),
            format!("{:.2}", 1e6 * time),
            format!("{:.3}", 1e6 * time / touching),
        ]);
    }
    let growth = 1e6 * slope(&points) * std::f64::consts::LN_10;
    found
        .add(rows, &[format!("{growth:.2} us more for ten times as many triangles, about as many touching")]);
    Ok(())
}
