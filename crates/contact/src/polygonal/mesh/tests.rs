//! Meshes against meshes and ground: closed forms, order, energy, continuity, random poses.

use super::super::{Friction, Layer};
use super::*;
use touchdown_geometry::surface::HeightForm;
use touchdown_geometry::{Rock, Shape, TriangleMesh, icosphere};
use touchdown_math::{Pose, Quat, rotation};

mod behaviour;
mod closed_forms;
mod random_poses;

/// Layer of the closed forms: E = 2 MPa, ν = 0.3, b = 5 mm.
fn layer() -> Layer {
    Layer::from_material(2e6, 0.3, 5e-3).expect("a sound layer")
}

fn law(friction: Friction) -> PairLaw {
    PairLaw::in_series(&layer(), &Layer::RIGID, 0.0, friction).expect("a sound law")
}

fn solid(mesh: &TriangleMesh) -> Arc<SolidMesh> {
    Arc::new(SolidMesh::new(mesh).expect("a sound mesh"))
}

fn sphere(radius: f64, halvings: u32) -> TriangleMesh {
    let mut mesh = icosphere(halvings);
    mesh.vertices.iter_mut().for_each(|p| *p *= radius);
    mesh
}

fn pair(mesh: &TriangleMesh, reference: &TriangleMesh, law: PairLaw) -> MeshPair {
    MeshPair::new(solid(mesh), Reference::Mesh(solid(reference)), law)
}

/// A reproducible stream of numbers, uniform in [0, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::from_fn(|_, _| size * (2.0 * self.next() - 1.0))
    }

    /// A turn about a random axis by up to half a revolution.
    fn turn(&mut self) -> Quat {
        rotation::exp(&(self.vector(1.0).normalize() * (self.next() * std::f64::consts::PI)))
    }
}

/// Force at rest, without memory.
fn still(pair: &MeshPair, X_WC: Pose, scratch: &mut MeshScratch) -> PolygonalForce {
    pair.evaluate(
        &PolygonalState::default(),
        &SurfaceMotion::at_rest(X_WC),
        &SurfaceMotion::at_rest(Pose::identity()),
        scratch,
    )
}
