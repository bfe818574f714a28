//! Capture tools: the sum of the three contacts of a tool in a nozzle, at the crown.

mod columns;

use super::{How, Interaction, Making};
use crate::books::channels::{Columns, Snapshot};
use crate::description::WorldDescription;
use crate::engine::simulation::WorldError;
use crate::engine::system::{Instant, System};
use columns::CaptureValue;
use touchdown_math::{Pose, Vec3, Wrench};
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::kinematics;

/// Capture tools. Their forces come from polygonal contacts; this is the sum of them.
pub(crate) struct Captures;

/// A capture tool in the system.
#[derive(Clone, Debug)]
pub(crate) struct CaptureOnLinks {
    pub name: String,
    pub at: touchdown_multibody::description::Attachment,
    /// Indices of polygonal contacts: shoulder and body, bolt, crown.
    pub contacts: [usize; 3],
    crown_extended: f64,
}

/// Position of a tool in its nozzle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CapturePlace {
    /// The tool's origin in the nozzle's frame, m: z from the throat towards the exit.
    pub p: Vec3,
    /// The tool's forward direction there.
    pub forward: Vec3,
    /// Travel of the shoulder on the tool, forward, m.
    pub shoulder: f64,
}

/// Forces of the nozzle on a tool, in the tool's axes: x, y lateral, z forward.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CaptureForces {
    /// Of shoulder and body, bolt, and crown, N.
    pub parts: [Vec3; 3],
    /// Of all of them, N, and their torque about the centre of the crown, N m.
    pub total: (Vec3, Vec3),
}

impl Interaction for Captures {
    const NAME: &'static str = "capture tools";
    type Parts = Vec<CaptureOnLinks>;
    type Memory = ();
    type Book = ();
    type Drawn = ();
    type Value = CaptureValue;

    fn build(making: &mut Making) -> Result<Vec<CaptureOnLinks>, Vec<WorldError>> {
        let one = |c: &crate::description::Capture| CaptureOnLinks {
            name: c.name.clone(),
            at: c.at,
            contacts: c.contacts,
            crown_extended: c.crown_extended,
        };
        Ok(making.description.captures.iter().map(one).collect())
    }

    fn count(system: &System) -> usize {
        system.acts.captures.len()
    }

    fn evaluate(_: &mut System, _at: &Instant, _how: How) -> Powers {
        Powers::default()
    }

    fn columns(system: &System, _description: &WorldDescription, out: &mut Columns<CaptureValue>) {
        columns::add(&system.acts.captures, out);
    }

    fn value(system: &System, _s: &Snapshot, value: CaptureValue) -> f64 {
        columns::value(system, value)
    }
}

impl System {
    /// Travel of the crown's drive (m) and its rate (m/s) at the last evaluation.
    pub(crate) fn crown_travel(&self, i: usize) -> (f64, f64) {
        self.acts.polygonal.list[self.acts.captures[i].contacts[2]].opened
    }

    /// Position of a tool. Needs kinematics.
    pub(crate) fn capture_place(&self, i: usize) -> CapturePlace {
        let [shoulder, _, crown] = self.acts.captures[i].contacts;
        // The crown is the reference of its contact, the nozzle carries the faces.
        let [nozzle, tool] = self.polygonal_motions(crown).map(|m| m.X_WS);
        let X_NT = nozzle.inverse().compose(&tool);
        let on_tool = tool.inverse().compose(&self.polygonal_motions(shoulder)[0].X_WS);
        CapturePlace { p: X_NT.p, forward: X_NT.R * Vec3::z(), shoulder: on_tool.p.z }
    }

    /// Forces on a tool. Needs kinematics and an evaluation.
    pub(crate) fn capture_forces(&self, i: usize) -> CaptureForces {
        let on = &self.acts.captures[i];
        let X_WB =
            on.at.body.map_or_else(Pose::identity, |b| kinematics::body_pose(&self.model, &self.cache, b));
        let X_WT = X_WB.compose(&on.at.X_BF);
        let crown_W = X_WT.point(&(Vec3::z() * (on.crown_extended - self.crown_travel(i).0)));
        let to_T = X_WT.R.transpose();
        let mut out = CaptureForces::default();
        let mut total = Wrench::zero();
        for (part, contact) in out.parts.iter_mut().zip(on.contacts) {
            let (origin, W) = self.polygonal_wrench(contact);
            *part = to_T * W.f;
            total += W.shifted(&(crown_W - origin));
        }
        out.total = (to_T * total.f, to_T * total.t);
        out
    }
}
