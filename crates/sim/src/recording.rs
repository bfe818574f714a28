//! Rows and frames on their way to a sink: who takes them, and what a frame shows.

use crate::look::Observer;
use crate::sink::{BodyPose, ContactArrow, Frame, Sink};
use crate::state::Recording;
use crate::system::{ContactStates, Instant, System};
use crate::world::World;
use touchdown_math::{Vec3, Wrench};
use touchdown_multibody::rigid::kinematics;

/// Who takes rows and frames, and how many so far.
pub(crate) struct Recorder<'a> {
    pub recording: Recording,
    pub sink: &'a mut dyn Sink,
}

impl World {
    /// A frame with room for all that is shown.
    pub(crate) fn empty_frame(&self) -> Frame {
        let zero = touchdown_math::Vec3::zeros();
        let pose = BodyPose { p_WB: zero, q_WB: [1.0, 0.0, 0.0, 0.0] };
        let arrow = ContactArrow { p_WC: zero, f_W: zero, t_W: zero };
        Frame {
            time: 0.0,
            poses: vec![pose; self.system.model.bodies.len()],
            contacts: vec![arrow; self.contact_names().len()],
            soil: Vec::new(),
            pressures: vec![Vec::new(); self.system.soil_bodies.len()],
            deformations: vec![Vec::new(); self.deforming_forms().len()],
        }
    }

    /// All of a frame but the soil's surface, at the state in `observer.y`.
    pub(crate) fn draw_frame(&self, observer: &mut Observer, t: f64) {
        let (nq, nv, nz) = (self.state.q.len(), self.state.v.len(), self.state.z.len());
        let Observer { system, y, frame, .. } = observer;
        let (q, v, z) = (&y[..nq], &y[nq..nq + nv], &y[nq + nv..nq + nv + nz]);
        system.update_kinematics(q, v);
        let instant = Instant { t, q, v, z: ContactStates::Given(z), held: &self.state.held };
        system.update_forces(&instant, None);
        frame.time = t;
        for (b, pose) in frame.poses.iter_mut().enumerate() {
            let X_WB = kinematics::body_pose(&system.model, &system.cache, b);
            let r = X_WB.quaternion();
            *pose = BodyPose { p_WB: X_WB.p, q_WB: [r.w, r.i, r.j, r.k] };
        }
        system.fill_arrows(&mut frame.contacts);
        if let Some(parts) = &system.soil {
            parts.press(&mut frame.pressures);
        }
        for (i, (form, out)) in self.deforming.iter().zip(&mut frame.deformations).enumerate() {
            form.flatten(system, system.ground_under(i), out);
        }
        let behind = &mut frame.deformations[self.deforming.len()..];
        for (i, (drawn, out)) in self.drawn.iter().zip(behind).enumerate() {
            let part = &system.flexible[i];
            let X_WG = match &part.carrier {
                None => self.description.flexible[i].X_WM,
                Some(on) => kinematics::body_pose(&system.model, &system.cache, on.body).compose(&on.X_BM),
            };
            drawn.displace(part, &X_WG, out);
        }
        let behind = &mut frame.deformations[self.deforming.len() + self.drawn.len()..];
        for ((boom, tube), out) in system.booms.iter().zip(self.tubes.iter()).zip(behind) {
            boom.displace(tube, out);
        }
        let forms = frame.deformations.len() - self.opening.len();
        for (form, out) in self.opening.iter().zip(&mut frame.deformations[forms..]) {
            form.displace(system, out);
        }
    }
}

impl System {
    /// Forces of all contacts, in the order of tyres, soil, smooth contacts, polygonal contacts, flexible bodies and feet.
    fn fill_arrows(&self, out: &mut [ContactArrow]) {
        let system = self;
        let bare = |p_WC: Vec3, f_W: Vec3| ContactArrow { p_WC, f_W, t_W: Vec3::zeros() };
        let tyres = system.tyre_forces.iter().map(|force| bare(force.p_WQ, force.wrench_C.f));
        let soil = system.soil_forces.iter().enumerate().map(|(i, force)| {
            // A free vector moved to where the resultant acts keeps its torque less that of the force.
            let (p_WC, W) = (system.soil_motion(i).p_WC, &force.wrench_C);
            let p_WQ = if force.nodes > 0 { force.p_WQ } else { p_WC };
            ContactArrow { p_WC: p_WQ, f_W: W.f, t_W: W.t - (p_WQ - p_WC).cross(&W.f) }
        });
        let at = |(p_WC, W): (Vec3, Wrench)| ContactArrow { p_WC, f_W: W.f, t_W: W.t };
        let pairs = (0..system.pairs.len()).map(|i| at(system.pair_resultant(i)));
        let polygonal = (0..system.polygonal.len()).map(|i| at(system.polygonal_resultant(i)));
        let touching = system.flexible.iter().filter(|part| part.contact.is_some()).map(|part| {
            let sum = part.ground_force();
            let p_WC = sum.centre().unwrap_or_else(|| part.centre());
            ContactArrow { p_WC, f_W: sum.force, t_W: sum.moment - p_WC.cross(&sum.force) }
        });
        let feet = system.feet.iter().map(|on| bare(on.force.p_WQ, on.force.wrench_F.f));
        let all = tyres.chain(soil).chain(pairs).chain(polygonal).chain(touching).chain(feet);
        out.iter_mut().zip(all).for_each(|(out, arrow)| *out = arrow);
    }
}
