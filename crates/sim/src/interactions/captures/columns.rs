//! Columns of capture tools.

use super::CaptureOnLinks;
use crate::books::channels::{AXES, Columns};
use crate::engine::system::System;

/// A number of a capture tool.
pub(crate) type CaptureValue = (usize, OfCapture);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OfCapture {
    Travel,
    Part(usize),
    Force(usize),
    Torque(usize),
    Place(usize),
    Lean(usize),
    Shoulder,
}

/// Adds the columns of all tools.
pub(super) fn add(captures: &[CaptureOnLinks], out: &mut Columns<CaptureValue>) {
    use OfCapture::*;
    for (i, capture) in captures.iter().enumerate() {
        let base = format!("capture.{}", capture.name);
        let mut put = |value: OfCapture, suffix: &str, unit: &'static str, about: &str| {
            out.put((i, value), &format!("{base}.{suffix}"), unit, "tool", about);
        };
        put(Travel, "crown_travel_m", "m", "travel of the crown's drive");
        let parts = ["shoulder", "bolt", "crown"];
        for (k, part) in parts.iter().enumerate() {
            let about = format!("force of the nozzle on the {part}, forward");
            put(Part(k), &format!("{part}_axial_n"), "N", &about);
        }
        for k in 0..3 {
            let about = "force of the nozzle on the tool, all three contacts";
            put(Force(k), &format!("force_{}_n", AXES[k]), "N", about);
        }
        for k in 0..3 {
            let about = "origin of the tool in the nozzle's frame: z from the throat towards the exit";
            put(Place(k), &format!("place_{}_m", AXES[k]), "m", about);
        }
        for k in 0..2 {
            let about = "how far the tool leans in the nozzle's frame for a unit forward";
            put(Lean(k), &format!("lean_{}", AXES[k]), "1", about);
        }
        put(Shoulder, "shoulder_travel_m", "m", "travel of the shoulder on the tool, forward");
        for k in 0..3 {
            let about = "torque of the nozzle on the tool about the middle of the crown, all three contacts";
            put(Torque(k), &format!("torque_{}_n_m", AXES[k]), "N m", about);
        }
    }
}

/// A number of a capture tool. Needs kinematics and an evaluation.
pub(super) fn value(system: &System, (i, value): CaptureValue) -> f64 {
    let forces = system.capture_forces(i);
    match value {
        OfCapture::Travel => system.crown_travel(i).0,
        OfCapture::Part(k) => forces.parts[k].z,
        OfCapture::Force(k) => forces.total.0[k],
        OfCapture::Torque(k) => forces.total.1[k],
        OfCapture::Place(k) => system.capture_place(i).p[k],
        OfCapture::Lean(k) => {
            let forward = system.capture_place(i).forward;
            forward[k] / forward.z.abs()
        }
        OfCapture::Shoulder => system.capture_place(i).shoulder,
    }
}
