//! Bumpers between bodies.

use super::Builder;
use crate::read::Record;
use touchdown_contact::bumper::BumperLaw;
use touchdown_sim::description::Bumper;

impl Builder<'_> {
    /// Bumpers of the scenario.
    pub fn collect_bumpers(&mut self) {
        let record = self.scopes[0].record;
        for named in record.map("bumper") {
            self.remember("bumper", &named.name, &named.record);
            let bumper = self.bumper(named.name.clone(), &named.record);
            self.bumpers.extend(bumper);
        }
    }

    fn bumper(&mut self, name: String, record: &Record) -> Option<Bumper> {
        let between = self.ends(0, record)?;
        let radii = record.numbers("radii")?;
        let law = BumperLaw {
            radii: [radii[0].0, radii[1].0],
            stiffness: record.number("stiffness")?,
            damping: record.number("damping")?,
        };
        Some(Bumper { name, between, law })
    }
}
