//! Columns of latches.

use super::{Hold, LatchMemory, LatchOnLinks};
use crate::books::channels::Columns;
use touchdown_math::Elementary;

/// A number of a latch.
pub(crate) type LatchValue = (usize, OfLatch);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OfLatch {
    State,
    Distance,
    Angle,
    Speed,
    Axial,
    Force,
    Torque,
    Stored,
    ForceMax,
    ClosedAt,
    ClosingSpeed,
    ClosingImpulse,
    ClosingEnergy,
}

/// Adds the columns of all latches.
pub(super) fn add(latches: &[LatchOnLinks], out: &mut Columns<LatchValue>) {
    use OfLatch::*;
    let rows = [
        (State, "state", "1", "0 open, 1 closed, 2 broken"),
        (Distance, "distance_m", "m", "distance of the frames"),
        (Angle, "angle_rad", "rad", "angle between the frames' axes"),
        (Speed, "speed_m_per_s", "m/s", "speed of the first frame as seen from the second"),
        (Axial, "axial_n", "N", "force on the first body along the second frame's axis"),
        (Force, "force_n", "N", "size of the force"),
        (Torque, "torque_n_m", "N m", "size of the torque about the first frame"),
        (Stored, "stored_j", "J", "energy in its springs"),
        (ForceMax, "force_max_n", "N", "largest force at the end of a step so far"),
        (ClosedAt, "closed_at_s", "s", "when it closed last; not a number before"),
        (ClosingSpeed, "closing_speed_m_per_s", "m/s", "speed of the frames when it closed"),
        (ClosingImpulse, "closing_impulse_n_s", "N s", "size of the impulse that ended their motion"),
        (ClosingEnergy, "closing_energy_j", "J", "energy that the impulse took"),
    ];
    for (i, latch) in latches.iter().enumerate() {
        out.put_rows(&format!("latch.{}", latch.name), "-", &rows, |value| (i, value));
    }
}

/// A number of a latch. Needs an evaluation.
pub(super) fn value(latch: &LatchOnLinks, memory: &LatchMemory, value: OfLatch) -> f64 {
    let (at, force) = (&latch.motion, &latch.force);
    let closing = |f: fn(&super::moment::Closing) -> f64| memory.closing.as_ref().map_or(f64::NAN, f);
    match value {
        OfLatch::State => match memory.hold {
            Hold::Open => 0.0,
            Hold::Closed(_) => 1.0,
            Hold::Broken => 2.0,
        },
        OfLatch::Distance => at.d.norm(),
        OfLatch::Angle => at.R[(2, 2)].clamp(-1.0, 1.0).arccosine(),
        OfLatch::Speed => at.d_dot.norm(),
        OfLatch::Axial => force.wrench.f.z,
        OfLatch::Force => force.wrench.f.norm(),
        OfLatch::Torque => force.wrench.t.norm(),
        OfLatch::Stored => force.stored,
        OfLatch::ForceMax => memory.force,
        OfLatch::ClosedAt => closing(|c| c.t),
        OfLatch::ClosingSpeed => closing(|c| c.speed),
        OfLatch::ClosingImpulse => closing(|c| c.impulse),
        OfLatch::ClosingEnergy => closing(|c| c.energy),
    }
}
