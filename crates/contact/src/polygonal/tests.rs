//! Bodies that the parts below share.

mod closed_forms;
mod continuity;
mod friction;
mod impact;
mod laws;
mod peg;
mod robust;
mod tangents;

use super::*;
use touchdown_geometry::revolution::{Path, Resolution, Section, Side};
use touchdown_math::{Mat3, Pose, Vec3, rotation};

/// E = 2 MPa, ν = 0.3, b = 5 mm: k = 5.384615e8 N/m³.
fn rubber() -> Layer {
    Layer::from_material(2e6, 0.3, 5e-3).unwrap()
}

fn law(layer: &Layer, damping_depth: f64, friction: Friction) -> PairLaw {
    PairLaw::in_series(layer, &Layer::RIGID, damping_depth, friction).unwrap()
}

fn smooth(layer: &Layer) -> PairLaw {
    law(layer, 0.0, Friction::None)
}

/// A plate of 1 m radius, top at z = 0.
fn plate() -> Section {
    Section::through(&[[0.0, 1.0], [0.0, 0.0]], Side::Solid).unwrap()
}

/// The lower 40° of a sphere, centre at the origin.
fn cap(radius: f64) -> Section {
    let at = |angle: f64| [-radius * angle.cos(), radius * angle.sin()];
    let end = 40f64.to_radians();
    Section::new(&Path::from([-radius, 0.0]).arc(at(0.5 * end), at(end)), Side::Solid).unwrap()
}

/// The underside of a flat round punch.
fn punch(radius: f64) -> Section {
    Section::through(&[[0.0, 0.0], [0.0, radius]], Side::Solid).unwrap()
}

fn pair(body: &Section, resolution: &Resolution, reference: Section, law: PairLaw) -> RevolutionPair {
    RevolutionPair::new(Faces::revolved(&body.mesh(resolution)).unwrap(), reference, law).unwrap()
}

fn still(X_WS: Pose) -> SurfaceMotion {
    SurfaceMotion { X_WS, v_WC: Vec3::zeros(), w_WB: Vec3::zeros() }
}

fn at(p: Vec3) -> SurfaceMotion {
    still(Pose::translation(p))
}

fn origin() -> SurfaceMotion {
    at(Vec3::zeros())
}

fn turned(theta: Vec3, p: Vec3) -> SurfaceMotion {
    still(Pose::new(&rotation::exp(&theta), p))
}

/// A motion moved by a small rotation and displacement, world velocities held.
fn moved(motion: &SurfaceMotion, turn: &Vec3, way: &Vec3) -> SurfaceMotion {
    let R: Mat3 = *rotation::exp(turn).to_rotation_matrix().matrix();
    SurfaceMotion { X_WS: Pose { R: R * motion.X_WS.R, p: motion.X_WS.p + way }, ..*motion }
}

/// The force without memory.
fn fresh(pair: &RevolutionPair, body: &SurfaceMotion) -> PairForce {
    pair.evaluate(&PairState::default(), body, &origin())
}
