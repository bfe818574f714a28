//! Energy and momentum of flexible bodies at the last evaluation, and the numbers that are reported of them.

use super::FlexPart;
use crate::engine::system::System;
use touchdown_math::Vec3;
use touchdown_multibody::description::Gravity;
use touchdown_multibody::flex::mesh::Slot;
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

    /// Total mass, kg.
    pub(crate) fn total_mass(&self) -> f64 {
        self.model.total_mass() + self.acts.flexible.iter().map(FlexPart::mass_beside_carrier).sum::<f64>()
    }
}

impl FlexPart {
    /// What its own coordinates have; the rest is its carrier's.
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
