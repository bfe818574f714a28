//! Rows and frames for a sink, and the content of a frame.

use crate::engine::look::Observer;
use crate::engine::simulation::Simulation;
use crate::engine::state::Recording;
use crate::engine::system::{ContactStates, Instant};
use crate::sink::{BodyPose, ContactArrow, Frame, Sink};
use touchdown_math::Vec3;
use touchdown_multibody::rigid::kinematics;

/// The receiver of rows and frames, and their number so far.
pub(crate) struct Recorder<'a> {
    pub recording: Recording,
    pub sink: &'a mut dyn Sink,
}

impl Simulation {
    /// A frame with space for its whole content.
    pub fn empty_frame(&self) -> Frame {
        let zero = Vec3::zeros();
        let pose = BodyPose { p_WB: zero, q_WB: [1.0, 0.0, 0.0, 0.0] };
        let arrow = ContactArrow { p_WC: zero, f_W: zero, t_W: zero };
        Frame {
            time: 0.0,
            poses: vec![pose; self.system.model.bodies.len()],
            contacts: vec![arrow; self.contact_names().len()],
            deformations: vec![Vec::new(); self.deforming_forms().len()],
            ..Frame::default()
        }
    }

    /// The whole frame, at the state in `observer.y`.
    pub(crate) fn draw_frame(&mut self, observer: &mut Observer, t: f64) {
        let s = &mut self.state;
        let (nq, nv, nz) = (s.q.len(), s.v.len(), s.z.len());
        let Observer { system, y, frame, .. } = observer;
        let (q, v, z) = (&y[..nq], &y[nq..nq + nv], &y[nq + nv..nq + nv + nz]);
        system.update_kinematics(q, v);
        system.update_forces(&Instant { t, q, v, z: ContactStates::Given(z), held: &s.held }, None);
        frame.time = t;
        for (b, pose) in frame.poses.iter_mut().enumerate() {
            let X_WB = kinematics::body_pose(&system.model, &system.cache, b);
            let r = X_WB.quaternion();
            *pose = BodyPose { p_WB: X_WB.p, q_WB: [r.w, r.i, r.j, r.k] };
        }
        let mut contacts = frame.contacts.iter_mut();
        system.arrows(&mut |arrow| contacts.next().into_iter().for_each(|out| *out = arrow));
        let changing = self.drawings.iter().filter_map(|drawing| drawing.displace.as_ref());
        changing.zip(&mut frame.deformations).for_each(|(displace, out)| displace(system, out));
        s.held.acts.paint(system, frame);
    }
}
