//! Laws and closed figures of bodies that move through soil.

mod bodies;
mod laws;

use super::*;
use crate::law::sinkage::PressureLaw;
use touchdown_math::{Mat3, Pose, SurfaceMotion};

/// Poppy seeds, loosely packed: ζ = 0.248 N/cm³ (Li, Zhang & Goldman 2013, Table S1: 0.248), as a modulus with n = 1.
const ZETA: f64 = 0.248e6;

/// Soil whose pressure is linear in depth.
fn linear() -> IntrusionSoil {
    IntrusionSoil {
        law: PressureLaw::Bekker { cohesive: 0.0, frictional: ZETA },
        exponent: 1.0,
        width: 0.1,
        friction_angle: 0.5,
        elastic_stiffness: 1e9,
        relaxation: 1e-3,
    }
}

/// A flat surface at z = 0.
fn level(_: f64, _: f64) -> Option<(f64, Vec3)> {
    Some((0.0, Vec3::z()))
}

fn motion(p: Vec3, R: Mat3, v: Vec3) -> SurfaceMotion {
    SurfaceMotion { X_WS: Pose { R, p }, v_WS: v, w_WS: Vec3::zeros() }
}

/// Force after a straight motion so long that all anchors are at yield.
fn steady(intruder: &Intruder, motion: &SurfaceMotion) -> IntrusionForce {
    let base = vec![0.0; intruder.states()];
    let (mut states, mut rates) = (base.clone(), base.clone());
    // Ten steps of a millimetre: yield is reached within micrometres.
    let h = 1e-3 / motion.v_WS.norm();
    let mut force = None;
    for _ in 0..10 {
        let before = states.clone();
        force = Some(intruder.evaluate(motion, &level, (&before, h), (&mut states, &mut rates), None));
    }
    force.unwrap_or_else(|| unreachable!("ten steps were made"))
}

/// A plate of so many cells along and across, as a body of its lower side alone.
fn plate(side: f64, cells: usize, soil: IntrusionSoil) -> Intruder {
    let cell = side / cells as f64;
    let at = |k: usize| -0.5 * side + cell * (k as f64 + 0.5);
    let places = (0..cells).flat_map(|i| (0..cells).map(move |j| (i, j)));
    let elements = places
        .map(|(i, j)| Element { p_S: Vec3::new(at(i), at(j), 0.0), n_S: -Vec3::z(), area: cell * cell })
        .collect();
    Intruder { elements, soil }
}
