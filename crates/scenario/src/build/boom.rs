//! Booms between bodies.

use super::Builder;
use crate::read::{Record, Timed, Value};
use crate::table::{BoomKeys, ScenarioKeys};
use crate::unit::LENGTH;
use touchdown_math::{Pose, Vec3, rotation};
use touchdown_multibody::description::Attachment;
use touchdown_sim::description::{Boom, InputTarget};
use touchdown_spacecraft::boom::{BoomParameters, SafetySpring};

/// Fills in values that follow from other keys.
pub(crate) fn fill_booms(record: &mut Record) {
    for boom in record.map_mut(ScenarioKeys::boom) {
        let length = boom.record.get(BoomKeys::length);
        if let Some(length) = length {
            let start = Value::Number(length.signal.value(0.0), &LENGTH);
            boom.record.fill(BoomKeys::damping_length, start);
        }
    }
}

impl Builder<'_> {
    /// Booms of the scenario.
    pub fn collect_booms(&mut self) {
        for named in &self.root.boom {
            self.remember("boom", &named.name, named);
            let Some(keys) = &named.keys else { continue };
            if let Some(boom) = self.boom(named.name.clone(), keys) {
                if keys.input {
                    self.add_input(boom.name.clone(), InputTarget::Boom(self.booms.len()));
                }
                self.booms.push(boom);
            }
        }
    }

    fn boom(&mut self, name: String, keys: &BoomKeys) -> Option<Boom> {
        let ends = self.ends(0, &keys.between, &keys.here, BoomKeys::between)?;
        let ends = ends.map(|end| self.aligned(0, end));
        let R_MA = rotation::onto(&Vec3::z(), &keys.axis.normalize());
        let [root, tip] = ends.map(|end| {
            let X_BF = Pose { R: end.X_BF.R * R_MA, p: end.X_BF.p };
            Attachment { X_BF, ..end }
        });
        let law = BoomParameters {
            bending_stiffness: keys.bending_stiffness,
            torsion_stiffness: keys.torsion_stiffness,
            axial_stiffness: keys.axial_stiffness,
            axial_damping: keys.axial_damping,
            damping_ratio: keys.damping_ratio,
            damping_frequency: keys.damping_frequency,
            damping_length: keys.damping_length,
            safety_spring: keys.safety_spring.as_ref().map(|s| SafetySpring {
                preload: s.preload,
                stiffness: s.stiffness,
                travel: s.travel,
                damping: s.damping,
                corner: s.corner,
            }),
            limits: [keys.shortest, keys.longest],
        };
        if let Err(problem) = law.check() {
            self.issues.at(keys.here.loc, &keys.here.path, "cannot exist").found(problem.to_string());
            return None;
        }
        self.check_reach(&keys.length, law.limits)?;
        Some(Boom { name, root, tip, law, length: keys.length.signal.clone(), radius: keys.radius })
    }

    /// A length over time must stay between the shortest and the longest length.
    fn check_reach(&mut self, length: &Timed, [short, long]: [f64; 2]) -> Option<()> {
        let duration = self.root.duration.unwrap_or(0.0);
        let signal = &length.signal;
        let corners = signal.corners().iter().map(|corner| corner.1);
        let mut all = corners.chain([signal.value(0.0), signal.value(duration)]);
        let Some(bad) = all.find(|l| *l < short || *l > long) else { return Some(()) };
        self.issues
            .at(length.loc, &length.path, "leaves the reach of the boom")
            .found(format!("{bad} m"))
            .allowed(format!("from {short} m to {long} m"));
        None
    }
}
