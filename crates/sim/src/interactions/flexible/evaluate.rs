//! Coordinates ⇒ nodal vectors ⇒ forces: one evaluation of the flexible bodies.

use super::{FlexPart, frame_vectors};
use crate::description::WorldDescription;
use crate::engine::system::{ContactStates, Instant, System};
use touchdown_math::{Motion, Pose, Vec3, Wrench};
use touchdown_multibody::description::Gravity;
use touchdown_multibody::flex::plate::Weights as MeshWeights;
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::kinematics;
use touchdown_multibody::rigid::tangent::Weights;

impl System {
    /// Number of all coordinates.
    pub(crate) fn nq(&self) -> usize {
        self.model.nq + self.own_coordinates()
    }

    /// Number of all rates.
    pub(crate) fn nv(&self) -> usize {
        self.model.nv + self.own_coordinates()
    }

    /// Number of coordinates other than those of joints.
    pub(crate) fn own_coordinates(&self) -> usize {
        self.acts.flexible.last().map_or(0, |part| part.range().end)
    }

    /// The flexible body to which a rate belongs, if it is one.
    pub(crate) fn own_name(&self, rate: usize) -> Option<&str> {
        let behind = rate.checked_sub(self.model.nv)?;
        self.acts.flexible.iter().find(|part| part.range().contains(&behind)).map(|part| part.name.as_str())
    }

    /// Name of the joint or flexible body that a rate belongs to, for messages.
    pub(crate) fn rate_name(&self, rate: usize) -> String {
        self.own_name(rate).unwrap_or_else(|| self.model.rate_name(rate)).into()
    }

    /// Appends the coordinates of the flexible bodies to those of the joints: stress-free, moving with their
    /// carriers or as described.
    pub(crate) fn start_own_coordinates(
        &mut self,
        description: &WorldDescription,
        q: &mut Vec<f64>,
        v: &mut Vec<f64>,
    ) {
        let (nq, nv) = (self.model.nq, self.model.nv);
        q.resize(self.nq(), 0.0);
        v.resize(self.nv(), 0.0);
        self.update_kinematics(q, v);
        let mut parts = std::mem::take(&mut self.acts.flexible);
        for (part, flexible) in parts.iter_mut().zip(&description.flexible) {
            let carrier = self.carrier_vectors(part);
            let (X_WM, velocity, spin) = match &part.carrier {
                None => (flexible.X_WM, flexible.velocity, flexible.spin),
                Some(on) => {
                    let X_WB = kinematics::body_pose(&self.model, &self.cache, on.body);
                    let X_BM = flexible.carrier.as_ref().map_or_else(Pose::identity, |c| c.X_BM);
                    let V = kinematics::body_velocity(&self.model, &self.cache, Some(on.body));
                    let X_WM = X_WB.compose(&X_BM);
                    (X_WM, kinematics::point_velocity(&self.cache, &V, &X_WM.p), V.w)
                }
            };
            let range = part.range();
            let (q, v) = (&mut q[nq..][range.clone()], &mut v[nv..][range]);
            part.initial((&X_WM, flexible.shape.as_deref()), (&velocity, &spin), &carrier, (q, v));
        }
        self.acts.flexible = parts;
    }

    /// Position and axes of a carrier, and their rates. Needs kinematics.
    pub(crate) fn carrier_vectors(&self, part: &FlexPart) -> [[Vec3; 4]; 2] {
        let Some(on) = &part.carrier else { return [[Vec3::zeros(); 4]; 2] };
        if !on.moves() {
            return [frame_vectors(&on.X_LB), [Vec3::zeros(); 4]];
        }
        let X = kinematics::link_pose(&self.cache, on.link).compose(&on.X_LB);
        let V = self.cache.V[on.link];
        let at = frame_vectors(&X);
        let mut rates = at.map(|x| V.w.cross(&x));
        rates[0] = kinematics::point_velocity(&self.cache, &V, &X.p);
        [at, rates]
    }

    /// Coordinates of the flexible bodies ⇒ nodal vectors. Needs kinematics.
    pub(crate) fn place_flexible(&mut self, at: &Instant) {
        let mut parts = std::mem::take(&mut self.acts.flexible);
        let (q, v) = (&at.q[self.model.nq..], &at.v[self.model.nv..]);
        for part in &mut parts {
            let carrier = self.carrier_vectors(part);
            part.place(&q[part.range()], &v[part.range()], &carrier);
        }
        self.acts.flexible = parts;
    }

    /// Forces of the flexible bodies: on their coordinates, and as wrenches on their carriers. Needs `place_flexible` and soil.
    pub(crate) fn update_flexible(&mut self, at: &Instant, weights: Option<Weights>) -> Powers {
        let mut powers = Powers::default();
        let mut parts = std::mem::take(&mut self.acts.flexible);
        let gravity = match self.model.gravity {
            Gravity::Uniform(g) => g,
            Gravity::Central { .. } => Vec3::zeros(),
        };
        for part in &mut parts {
            let carrier = self.carrier_vectors(part);
            let (elastic, dissipated) = self.update_part(part, at.z, weights);
            let own = Powers { elastic, dissipated, ..Powers::default() };
            powers += own;
            self.cache.parts.book(part.own_part, own);
            if let Some(on) = &part.carrier {
                self.cache.W_body[on.body] += part.wrench_on_carrier(&carrier[0], &self.cache.c);
            }
            if weights.is_some() {
                self.add_carrier_tangent(part, &carrier[0], weights.map_or(0.0, |w| w.q));
            }
            part.add_weight(&gravity);
        }
        self.acts.flexible = parts;
        powers
    }

    /// Elastic and contact forces of one part; returns stored energy and heat.
    fn update_part(&mut self, part: &mut FlexPart, z: ContactStates, weights: Option<Weights>) -> (f64, f64) {
        part.force.fill(0.0);
        part.energies = match weights {
            None => part.mesh.forces(&part.e, &part.e_rate, &mut part.force),
            Some(w) => {
                part.slope.fill(0.0);
                let weights = MeshWeights { position: w.q, velocity: w.v };
                part.mesh.tangent(&part.e, &part.e_rate, weights, &mut part.force, &mut part.slope)
            }
        };
        let (mut elastic, mut dissipated) = (part.energies.elastic, part.energies.dissipated);
        if let (Some(contact), Some(ground)) = (&mut part.contact, &self.ground) {
            let motion = (&part.mesh, &part.e[..], &part.e_rate[..]);
            let slope = weights.map(|w| (w, &mut part.slope[..]));
            contact.update(ground, motion, (z, &mut self.z_used, &mut self.z_rate), &mut part.force, slope);
            elastic += contact.sum.energy;
            dissipated += contact.sum.dissipated;
        }
        // Its power is booked with that of the soil.
        if let (Some((body, skin)), Some(soil)) = (&part.skin, &self.acts.soil.parts) {
            let slope = weights.map(|_| &mut part.slope[..]);
            skin.add_pushes(&part.mesh, soil.bodies[*body].pushes(), &mut part.force, slope);
        }
        (elastic, dissipated)
    }

    /// Accelerations of the flexible coordinates from the forces of the last evaluation.
    pub(crate) fn update_own_accelerations(&mut self) {
        let first = self.model.nv;
        for part in &mut self.acts.flexible {
            let range = first + part.first..first + part.first + part.own.len();
            let a = &mut self.a[range];
            part.own_forces(a);
            if part.cholesky {
                part.factors.solve_lower(a);
            } else {
                part.factors.solve(a);
            }
        }
    }

    /// `r = M·a − forces` of the flexible coordinates, from the forces of the last evaluation.
    pub(crate) fn calc_own_residual(&mut self, a: &[f64], r: &mut [f64]) {
        let first = self.model.nv;
        for part in &mut self.acts.flexible {
            let range = first + part.first..first + part.first + part.own.len();
            let (a, r) = (&a[range.clone()], &mut r[range]);
            part.own_forces(r);
            if part.cholesky {
                part.factors.solve_lower(r);
                r.iter_mut().zip(a).for_each(|(r, a)| *r = a - *r);
            } else {
                r.iter_mut().for_each(|r| *r = -*r);
                part.sparse_mass.0.add_product(&part.sparse_mass.1, a, r);
            }
        }
    }
}

impl FlexPart {
    /// Coordinates and rates of the state ⇒ s ⇒ nodal vectors.
    fn place(&mut self, q: &[f64], v: &[f64], carrier: &[[Vec3; 4]; 2]) {
        self.s.copy_from_slice(q);
        self.s_rate.copy_from_slice(v);
        if self.cholesky {
            self.factors.solve_upper(&mut self.s);
            self.factors.solve_upper(&mut self.s_rate);
        }
        let sides = [(&self.s, &carrier[0], &mut self.e), (&self.s_rate, &carrier[1], &mut self.e_rate)];
        for (s, link, e) in sides {
            match &self.carrier {
                None => e.copy_from_slice(s),
                Some(on) => on.carried.place_coordinates(link, s, e),
            }
        }
    }

    /// Wrench of the forces on the nodal vectors on the carrier, about `c`.
    fn wrench_on_carrier(&self, at: &[Vec3; 4], c: &Vec3) -> Wrench {
        let Some(on) = &self.carrier else { return Wrench::zero() };
        let f = on.carried.link_forces(&self.force);
        let torque = (at[0] - c).cross(&f[0]) + at[1].cross(&f[1]) + at[2].cross(&f[2]) + at[3].cross(&f[3]);
        Wrench::new(torque, f[0])
    }

    fn add_weight(&mut self, g: &Vec3) {
        for ((weight, axis), k) in self.weight.iter().zip(&self.own) {
            self.force[*k as usize] += weight * g[*axis as usize];
        }
    }

    /// M·ṡ of the last evaluation.
    pub(super) fn update_momenta(&mut self) {
        self.momenta.fill(0.0);
        self.sparse_mass.0.add_product(&self.sparse_mass.1, &self.s_rate, &mut self.momenta);
    }

    /// Forces on its own coordinates.
    fn own_forces(&self, out: &mut [f64]) {
        out.iter_mut().zip(&self.own).for_each(|(f, k)| *f = self.force[*k as usize]);
    }
}

/// A unit motion along one of the six axes: first the rotations about `c`.
pub(super) fn unit_motion(k: usize) -> Motion {
    let unit = Vec3::from_fn(|c, _| if c == k % 3 { 1.0 } else { 0.0 });
    if k < 3 { Motion::new(unit, Vec3::zeros()) } else { Motion::new(Vec3::zeros(), unit) }
}
