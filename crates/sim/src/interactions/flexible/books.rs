//! Energy and momentum of flexible bodies at the last evaluation, and their reported numbers.

use super::FlexPart;
use crate::books::ledger::Energies;
use crate::engine::system::System;
use touchdown_math::Vec3;
use touchdown_multibody::description::Gravity;
use touchdown_multibody::flex::mesh::Slot;
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::parts::Parts;
use touchdown_multibody::rigid::{elements, kinematics};

impl System {
    /// Kinetic energy (J), linear momentum (N s), and angular momentum about the world's origin (N m s) at the last evaluation.
    pub(crate) fn energy_and_momentum(&mut self) -> (f64, Vec3, Vec3) {
        let (mut kinetic, mut p, mut l) = kinematics::energy_and_momentum(&self.cache);
        for part in &mut self.acts.flexible {
            part.update_momenta();
            let (k, linear, angular) = part.energy_and_momentum();
            kinetic += k;
            p += linear;
            l += angular;
        }
        (kinetic, p, l)
    }

    /// Potential energy of gravity at the last evaluation, J.
    pub(crate) fn gravity_energy(&self) -> f64 {
        let rigid = elements::gravity_energy(&self.model, &self.cache);
        let Gravity::Uniform(g) = self.model.gravity else { return rigid };
        rigid + self.acts.flexible.iter().map(|part| part.potential(&g)).sum::<f64>()
    }

    /// Finds the parts of the world between which no energy is exchanged.
    pub(crate) fn find_parts(&mut self) {
        let mut ties = Vec::new();
        let mut collect = |bodies| ties.push(bodies);
        self.each_tie(&mut collect);
        let alone = self.acts.flexible.iter().filter(|part| part.carrier.is_none()).count();
        let parts = Parts::new(&self.model, &ties, alone);
        let mut next = parts.count() - alone.min(parts.count());
        for part in &mut self.acts.flexible {
            part.own_part = match &part.carrier {
                Some(on) => parts.of_link(on.link),
                None => next,
            };
            next += usize::from(part.carrier.is_none());
        }
        self.accepted_parts = vec![Powers::default(); parts.count()];
        self.cache.parts = parts;
    }

    /// Calls with kinetic and potential energy at the last evaluation, piece by piece, and the independent
    /// part of each. Needs momenta.
    pub(crate) fn energies_by_part(&self, each: &mut dyn FnMut(usize, Energies)) {
        let parts = &self.cache.parts;
        for (i, (I, V)) in self.cache.I.iter().zip(&self.cache.V).enumerate() {
            let kinetic = 0.5 * V.dot(&I.apply(V));
            each(parts.of_link(i), Energies { kinetic, ..Energies::default() });
        }
        elements::gravity_energy_of_links(&self.model, &self.cache, |link, potential| {
            each(parts.of_link(link), Energies { potential, ..Energies::default() });
        });
        for part in &self.acts.flexible {
            let (kinetic, ..) = part.energy_and_momentum();
            let potential = match self.model.gravity {
                Gravity::Uniform(g) => part.potential(&g),
                Gravity::Central { .. } => 0.0,
            };
            each(part.own_part, Energies { kinetic, potential, elastic: 0.0 });
        }
    }

    /// Calls with the weight of each piece, N, and its independent part; not if weight depends on the place.
    pub(crate) fn weights_by_part(&self, each: &mut dyn FnMut(usize, f64)) {
        let Gravity::Uniform(g) = self.model.gravity else { return };
        let links = self.cache.I.iter().enumerate();
        links.for_each(|(i, I)| each(self.cache.parts.of_link(i), I.m * g.norm()));
        for part in &self.acts.flexible {
            each(part.own_part, part.mass_beside_carrier() * g.norm());
        }
    }

    /// A body of an independent part, for messages.
    pub(crate) fn name_of_part(&self, part: usize) -> &str {
        match self.cache.parts.first_link(part) {
            Some(link) => self.model.rate_body(self.model.links[link].v),
            None => {
                let alone = self.acts.flexible.iter().find(|flexible| flexible.own_part == part);
                alone.map_or("", |flexible| &flexible.name)
            }
        }
    }

    /// Total mass, kg.
    pub(crate) fn total_mass(&self) -> f64 {
        self.model.total_mass() + self.acts.flexible.iter().map(FlexPart::mass_beside_carrier).sum::<f64>()
    }
}

impl FlexPart {
    /// Share of its own coordinates; the rest belongs to its carrier.
    fn energy_and_momentum(&self) -> (f64, Vec3, Vec3) {
        let momenta = &self.momenta;
        let kinetic = 0.5 * momenta.iter().zip(&self.s_rate).map(|(p, v)| p * v).sum::<f64>();
        let mut linear = Vec3::zeros();
        for ((weight, axis), v) in self.weight.iter().zip(&self.s_rate) {
            linear[*axis as usize] += weight * v;
        }
        let mut angular = Vec3::zeros();
        match &self.carrier {
            Some(_) => {
                for (s, p) in self.s.chunks_exact(3).zip(momenta.chunks_exact(3)) {
                    angular += Vec3::new(s[0], s[1], s[2]).cross(&Vec3::new(p[0], p[1], p[2]));
                }
            }
            None => {
                for node in self.mesh.nodes().iter().filter(|n| n.tied_to.is_none()) {
                    for vector in node.first_vector..node.first_vector + node.vectors {
                        let p = Vec3::from_fn(|c, _| match self.mesh.slot_of(vector, c) {
                            Slot::Free(i) => momenta[i],
                            Slot::Prescribed(_) => 0.0,
                        });
                        angular += self.mesh.vector(&self.e, vector).cross(&p);
                    }
                }
            }
        }
        (kinetic, linear, angular)
    }

    fn potential(&self, g: &Vec3) -> f64 {
        -self.weight.iter().zip(&self.s).map(|((w, axis), s)| w * g[*axis as usize] * s).sum::<f64>()
    }
}
