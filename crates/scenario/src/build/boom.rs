//! Booms between bodies.

use super::Builder;
use super::visual::onto;
use crate::read::{Record, Value};
use crate::unit::LENGTH;
use touchdown_math::{Pose, Signal};
use touchdown_multibody::description::Attachment;
use touchdown_sim::description::Boom;
use touchdown_spacecraft::boom::{BoomParameters, SafetySpring};

/// Puts in what follows from other keys.
pub(crate) fn fill_booms(record: &mut Record) {
    for boom in record.map_mut("boom") {
        let start = boom.record.signal("length").map(|(signal, _)| signal.value(0.0));
        if let Some(length) = start {
            boom.record.fill("damping_length", Value::Number(length, &LENGTH));
        }
    }
}

impl Builder<'_> {
    /// Booms of the scenario.
    pub fn collect_booms(&mut self) {
        let record = self.scopes[0].record;
        for named in record.map("boom") {
            self.remember("boom", &named.name, &named.record);
            if let Some(boom) = self.boom(named.name.clone(), &named.record) {
                if named.record.flag("input") {
                    self.add_input(
                        boom.name.clone(),
                        touchdown_sim::description::InputTarget::Boom(self.booms.len()),
                    );
                }
                self.booms.push(boom);
            }
        }
    }

    fn boom(&mut self, name: String, record: &Record) -> Option<Boom> {
        let ends = self.ends(0, record)?.map(|end| self.aligned(0, end));
        let R_MA = onto(&record.vec3("axis")?.normalize());
        let [root, tip] = ends.map(|end| {
            let X_BF = Pose { R: end.X_BF.R * R_MA, p: end.X_BF.p };
            Attachment { X_BF, ..end }
        });
        let spring = match record.table("safety_spring") {
            None => None,
            Some(s) => Some(SafetySpring {
                preload: s.number("preload")?,
                stiffness: s.number("stiffness")?,
                travel: s.number("travel")?,
                damping: s.number("damping")?,
                corner: s.number("corner")?,
            }),
        };
        let law = BoomParameters {
            bending_stiffness: record.number("bending_stiffness")?,
            torsion_stiffness: record.number("torsion_stiffness")?,
            axial_stiffness: record.number("axial_stiffness")?,
            axial_damping: record.number("axial_damping")?,
            damping_ratio: record.number("damping_ratio")?,
            damping_frequency: record.number("damping_frequency")?,
            damping_length: record.number("damping_length")?,
            safety_spring: spring,
            limits: [record.number("shortest")?, record.number("longest")?],
        };
        if let Err(problem) = law.check() {
            self.issues.at(record.loc, &record.path, "cannot exist").found(problem.to_string());
            return None;
        }
        let length = record.signal("length")?.0.clone();
        self.check_reach(record, &length, law.limits)?;
        Some(Boom { name, root, tip, law, length, radius: record.number("radius")? })
    }

    /// A length in time stays between the shortest and the longest.
    fn check_reach(&mut self, record: &Record, length: &Signal, [short, long]: [f64; 2]) -> Option<()> {
        let duration = self.scopes[0].record.number("duration").unwrap_or(0.0);
        let corners = length.corners().iter().map(|corner| corner.1);
        let mut all = corners.chain([length.value(0.0), length.value(duration)]);
        let Some(bad) = all.find(|l| *l < short || *l > long) else { return Some(()) };
        self.issues
            .at(record.loc_of("length"), record.path_of("length"), "leaves the reach of the boom")
            .found(format!("{bad} m"))
            .allowed(format!("from {short} m to {long} m"));
        None
    }
}
