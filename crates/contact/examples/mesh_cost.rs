//! Cost of mesh contact: against the size of the meshes at a fixed number of touching faces, and against the number of touching faces.
//!
//! `cargo run --release -p touchdown-contact --example mesh_cost`

use std::sync::Arc;
use std::time::Instant;
use touchdown_contact::polygonal::mesh::{MeshPair, MeshScratch, Reference};
use touchdown_contact::polygonal::{Friction, Layer, PairLaw, PolygonalState};
use touchdown_geometry::{SolidMesh, TriangleMesh, icosphere};
use touchdown_math::{Pose, SurfaceMotion, Vec3, rotation};

const RADIUS: f64 = 0.1;

fn main() {
    let law = PairLaw::in_series(&Layer::given(1e9), &Layer::RIGID, 0.0, Friction::None)
        .unwrap_or_else(|problems| panic!("{problems:?}"));
    println!("two spheres, the same number of faces touching, finer and finer meshes");
    println!(
        "{:>10} {:>10} {:>10} {:>9} {:>9} {:>12}",
        "triangles", "build ms", "touching", "corners", "µs", "µs/touching"
    );
    for halvings in 3..=8 {
        let start = Instant::now();
        let mesh = Arc::new(ready(&sphere(halvings)));
        let build = start.elapsed().as_secs_f64() * 1e3;
        // The zone shrinks with the faces: depth ∝ area of a face.
        let depth = 0.35 * RADIUS / f64::from(1u32 << (2 * halvings - 6)).max(1.0) * 0.05;
        let pair = MeshPair::new(mesh.clone(), Reference::Mesh(mesh.clone()), law);
        report(&pair, mesh.faces().len(), build, 2.0 * RADIUS - depth);
    }
    println!("two spheres of {} triangles, deeper and deeper", 20 << 14);
    println!(
        "{:>10} {:>10} {:>10} {:>9} {:>9} {:>12}",
        "triangles", "depth mm", "touching", "corners", "µs", "µs/touching"
    );
    let mesh = Arc::new(ready(&sphere(7)));
    let pair = MeshPair::new(mesh.clone(), Reference::Mesh(mesh.clone()), law);
    for depth in [1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3] {
        report(&pair, mesh.faces().len(), depth * 1e3, 2.0 * RADIUS - depth);
    }
    nearest(&mesh);
}

fn sphere(halvings: u32) -> TriangleMesh {
    let mut mesh = icosphere(halvings);
    mesh.vertices.iter_mut().for_each(|p| *p *= RADIUS);
    mesh
}

fn ready(mesh: &TriangleMesh) -> SolidMesh {
    SolidMesh::new(mesh).unwrap_or_else(|problem| panic!("{problem}"))
}

/// Mean over poses all around.
fn report(pair: &MeshPair, triangles: usize, first: f64, distance: f64) {
    let (mut scratch, state, still) =
        (MeshScratch::default(), PolygonalState::default(), SurfaceMotion::at_rest(Pose::identity()));
    let poses: Vec<Pose> = (0..64)
        .map(|k| {
            let turn = rotation::exp(&(Vec3::new(1.0, 0.3 * f64::from(k), -0.7) * 0.37));
            Pose::new(&turn, turn * Vec3::z() * distance)
        })
        .collect();
    let mut run = || {
        let (mut touching, mut measured) = (0, 0);
        let start = Instant::now();
        for X in &poses {
            touching +=
                pair.evaluate(&state, &SurfaceMotion::at_rest(*X), &still, &mut scratch).polygons as usize;
            measured += scratch.measured();
        }
        (
            start.elapsed().as_secs_f64() * 1e6 / poses.len() as f64,
            touching / poses.len(),
            measured / poses.len(),
        )
    };
    run();
    let (time, touching, measured) =
        (0..7).map(|_| run()).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
    println!(
        "{triangles:>10} {first:>10.3} {touching:>10} {measured:>9} {time:>9.1} {:>12.3}",
        time / touching.max(1) as f64
    );
}

/// Nearest places of random points near the surface, without a hint.
fn nearest(mesh: &SolidMesh) {
    let points: Vec<Vec3> = (0..20_000)
        .map(|k| {
            let turn = rotation::exp(&Vec3::new(0.1 * f64::from(k), 0.37 * f64::from(k), 0.2));
            turn * Vec3::z() * (RADIUS * (0.99 + 0.0000005 * f64::from(k)))
        })
        .collect();
    let start = Instant::now();
    let sum: f64 = points.iter().map(|p| mesh.depth(p, None).s).sum();
    let each = start.elapsed().as_secs_f64() * 1e6 / points.len() as f64;
    println!(
        "nearest place of a point within 1 % of the surface, {} triangles: {each:.2} µs (sum {sum:.3})",
        mesh.faces().len()
    );
}
