//! Frames of a docking's hardware, and forces between nozzle and tool. Needs kinematics and forces.

use crate::description::{Docking, DockingContacts};
use crate::engine::system::System;
use touchdown_math::{Pose, Vec3, Wrench};

impl System {
    /// Wrench of the nozzle on the tool through a contact, about a point of the world.
    pub(crate) fn wrench_on_tool(&self, contact: usize, client: usize, p_W: &Vec3) -> Wrench {
        let (origin, W) = self.polygonal_side_wrench(contact);
        let W = W.shifted(&(p_W - origin));
        if self.polygonal_bodies(contact)[0] == Some(client) { Wrench { t: -W.t, f: -W.f } } else { W }
    }

    /// The frame of the crown, which is the tool's: reference of the crown's contact.
    pub(crate) fn crown_frame(&self, docking: &Docking) -> Pose {
        self.polygonal_frames(docking.contacts.crown)[1]
    }

    /// The nozzle's frame: reference of the tool's contact, z out of the nozzle.
    pub(crate) fn nozzle_frame(&self, docking: &Docking) -> Pose {
        self.polygonal_frames(docking.contacts.tool)[1]
    }

    /// How far the shoulder is before its mark, m: what it could go on along the tool's axis before it touches the bell, less the gap that the mark leaves. A tool that leans
    /// touches with one side first; its seat is there. In front of the throat, and where the shoulder's form is not known, it is the distance along the nozzle's axis.
    pub(crate) fn before_mark(&self, docking: &Docking) -> f64 {
        let g = &docking.sequence.geometry;
        let [shoulder, nozzle] = self.polygonal_frames(docking.contacts.tool);
        let X_NT = nozzle.inverse().compose(&shoulder);
        let nose = X_NT.point(&(Vec3::z() * g.nose_q));
        match (&docking.shoulder, self.polygonal_section(docking.contacts.tool)) {
            (Some(form), Some(cavity)) if nose.z < 0.0 => form.free_travel(cavity, &X_NT, g.nose_q) - g.gap,
            _ => X_NT.p.z - g.shoulder_a - g.gap,
        }
    }

    /// Sum over tool, crown and bolt of the nozzle's wrench on the tool, in the crown's frame about its origin.
    pub(crate) fn nozzle_on_tool(&self, docking: &Docking) -> Wrench {
        let X_WC = self.crown_frame(docking);
        let DockingContacts { tool, crown, bolt, .. } = docking.contacts;
        let mut sum = Wrench::zero();
        for contact in [tool, crown, bolt] {
            sum += self.wrench_on_tool(contact, docking.client, &X_WC.p);
        }
        let Rt = X_WC.R.transpose();
        Wrench::new(Rt * sum.t, Rt * sum.f)
    }

    /// Force of the nozzle on the crown along the tool's axis, N: positive when the crown is pulled out of the tool, against the shoulder.
    pub(crate) fn crown_pull(&self, docking: &Docking) -> f64 {
        let X_WC = self.crown_frame(docking);
        let W = self.wrench_on_tool(docking.contacts.crown, docking.client, &X_WC.p);
        (X_WC.R.transpose() * W.f).z
    }
}
