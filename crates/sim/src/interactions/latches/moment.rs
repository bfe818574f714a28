//! Changes of latches between two steps: they close with an impulse, are released, break.

use super::Latches;
use crate::engine::method::StepFailure;
use crate::engine::system::System;
use crate::interactions::{Interaction, Moment};
use serde::{Deserialize, Serialize};
use touchdown_math::{Mat3, Pose, Vec3};
use touchdown_multibody::rigid::{impulse, kinematics};
use touchdown_spacecraft::latch::Met;

/// Meeting of the frames of a latch: pose of the first in the second, and time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MetFrames {
    place: [f64; 3],
    /// Column by column.
    axes: [[f64; 3]; 3],
    pub t: f64,
}

impl MetFrames {
    fn new(met: &Met) -> MetFrames {
        MetFrames { place: met.X.p.into(), axes: met.X.R.into(), t: met.t }
    }

    /// In the form of the law.
    pub fn met(&self) -> Met {
        Met { X: Pose { R: Mat3::from(self.axes), p: Vec3::from(self.place) }, t: self.t }
    }
}

/// Whether a latch holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) enum Hold {
    #[default]
    Open,
    Closed(MetFrames),
    Broken,
}

/// Memory of a latch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct LatchMemory {
    pub hold: Hold,
    /// Of the last closing: time, s; speed, m/s; size of the impulse, N s; energy that it dissipated, J.
    pub closing: Option<Closing>,
    /// Largest force, N.
    pub force: f64,
}

/// How a latch closed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Closing {
    pub t: f64,
    pub speed: f64,
    pub impulse: f64,
    pub energy: f64,
}

/// Closes, releases and breaks latches.
pub(super) fn happen(
    system: &mut System,
    now: &mut Moment,
    memory: &mut [LatchMemory],
) -> Result<bool, StepFailure> {
    if Latches::count(system) == 0 {
        return Ok(false);
    }
    system.update_kinematics(now.q, now.v);
    let mut happened = false;
    for (i, memory) in memory.iter_mut().enumerate() {
        happened |= match memory.hold {
            Hold::Open => close(system, now, i, memory)?,
            Hold::Closed(met) => let_go(system, now, (i, &met.met()), memory),
            Hold::Broken => false,
        };
    }
    Ok(happened)
}

/// Closes if it is armed and the frames have met.
fn close(
    system: &mut System,
    now: &mut Moment,
    i: usize,
    memory: &mut LatchMemory,
) -> Result<bool, StepFailure> {
    let on = &system.acts.latches[i];
    let at = on.motion(system);
    if !on.is_armed(now.t) || !on.law.may_close(&at) {
        return Ok(false);
    }
    let met = Met { X: Pose { R: at.R, p: at.d }, t: now.t };
    memory.hold = Hold::Closed(MetFrames::new(&met));
    let mut closing = Closing { t: now.t, speed: at.d_dot.norm(), impulse: 0.0, energy: 0.0 };
    if on.law.inelastic {
        let (turns, links) = (on.law.turns[0] > 0.0, [on.sides[0].link, on.sides[1].link]);
        let p_W = system.side_motion(&on.sides[0]).X_WS.p;
        let nv = system.model.nv;
        let (before, ..) = kinematics::energy_and_momentum(&system.cache);
        let parts = (&mut system.cache, &mut system.constrained);
        let W = impulse::add_catch(&system.model, parts, now.t, (links, p_W, turns), &mut now.v[..nv])?;
        system.update_kinematics(now.q, now.v);
        let (after, ..) = kinematics::energy_and_momentum(&system.cache);
        (closing.impulse, closing.energy) = (W.f.norm(), before - after);
        lose(system, now, i, before - after);
    }
    memory.closing = Some(closing);
    Ok(true)
}

/// Opens if it is no longer armed, breaks if it is overloaded; the energy stored in its springs is lost.
fn let_go(system: &System, now: &mut Moment, (i, met): (usize, &Met), memory: &mut LatchMemory) -> bool {
    let on = &system.acts.latches[i];
    let force = on.law.evaluate(&on.motion(system), met, now.t);
    let size = force.wrench.f.norm();
    memory.force = memory.force.max(size);
    memory.hold = match (on.law.breaks_under(size), on.is_armed(now.t)) {
        (true, _) => Hold::Broken,
        (false, false) => Hold::Open,
        (false, true) => return false,
    };
    lose(system, now, i, force.stored);
    true
}

/// Energy dissipated by a latch, J, for the whole and for its independent part.
fn lose(system: &System, now: &mut Moment, i: usize, heat: f64) {
    now.works.dissipated += heat;
    now.flows.lose(system.acts.latches[i].part(system), heat);
}
