//! A flexible wheel that is towed: the joint of its hub, and the range of angles that is evaluated.

use super::Builder;
use crate::table::StudyKeys;
use std::f64::consts::TAU;
use touchdown_sim::description::Study;
use touchdown_studies::FreeRolling;

impl Builder<'_> {
    /// The study of a wheel that rolls freely.
    pub fn free_rolling(&mut self, keys: &StudyKeys) -> Option<Study> {
        let wheels: Vec<usize> = (0..self.flexible.len())
            .filter(|i| self.flexible[*i].wheel.is_some() && self.flexible[*i].contact.is_some())
            .collect();
        let found = match &keys.wheel {
            Some(name) => wheels.iter().copied().find(|i| self.flexible[*i].name == **name),
            None if wheels.len() == 1 => wheels.first().copied(),
            None => None,
        };
        let hub = found.and_then(|i| {
            let flexible = &self.flexible[i];
            let body = flexible.carrier.as_ref()?.body;
            let joint = self.mechanism.joints.iter().find(|j| j.child == body && j.kind.positions() == 1)?;
            Some((flexible, body, joint))
        });
        let Some((flexible, body, joint)) = hub else {
            if self.issues.is_empty() {
                self.issues
                    .at(keys.here.loc, &keys.here.path, "needs a flexible wheel on rigid ground, on a hub that turns in a joint")
                    .hint("[flexible.NAME] with body = \"HUB\", [joint.NAME] with type = \"revolute\" and child = \"HUB\"; wheel = \"NAME\" chooses one of several");
            }
            return None;
        };
        let begin = keys.run_in?;
        Some(Study::by(FreeRolling {
            radius: flexible.wheel?.radius,
            body: self.mechanism.bodies[body].name.clone(),
            joint: joint.name.clone(),
            wheel: flexible.name.clone(),
            angles: [begin, begin + TAU * keys.turns? as f64],
            from: keys.from?,
        }))
    }
}
