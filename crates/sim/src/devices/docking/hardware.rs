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
