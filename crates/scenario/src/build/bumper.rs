//! Bumpers between bodies.

use super::Builder;
use crate::table::BumperKeys;
use touchdown_contact::bumper::BumperLaw;
use touchdown_sim::description::Bumper;

impl Builder<'_> {
    /// Bumpers of the scenario.
    pub fn collect_bumpers(&mut self) {
        for named in &self.root.bumper {
            self.remember("bumper", &named.name, named);
            let Some(keys) = &named.keys else { continue };
            let between = self.ends(0, &keys.between, &keys.here, BumperKeys::between);
            let BumperKeys { radii, stiffness, damping, .. } = *keys;
            let law = BumperLaw { radii, stiffness, damping };
            let name = named.name.clone();
            self.bumpers.extend(between.map(|between| Bumper { name, between, law }));
        }
    }
}
