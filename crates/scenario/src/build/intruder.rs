//! Bodies that move through soil: the keys of `[intruder.NAME]`.

use super::Builder;
use super::contact::place_in_body;
use super::soil::soil_parameters;
use super::tree::turned;
use crate::table::IntruderKeys;
use touchdown_contact::intrusion::IntrusionSoil;
use touchdown_math::Pose;
use touchdown_sim::description::IntruderBody;

impl Builder<'_> {
    /// Probes, tools, shanks and other bodies that move through soil; feet are added later.
    pub fn collect_intruders(&mut self) {
        for named in &self.root.intruder {
            self.remember("intruder", &named.name, named);
            if self.ground.is_none() && self.issues.is_empty() {
                self.issues
                    .at(named.loc, &named.path, "needs a ground to go into")
                    .hint("add [ground] or [terrain]");
            }
            let made = named.keys.as_ref().and_then(|keys| self.intruder(&named.name, keys));
            self.intruders.extend(made);
        }
    }

    fn intruder(&mut self, name: &str, keys: &IntruderKeys) -> Option<IntruderBody> {
        let body = self.moving_body(0, &keys.body);
        let shape = self.form(&keys.form);
        let at = self.body_point(0, &place_in_body!(keys, IntruderKeys));
        // Unknown names were reported when the library was opened.
        let soil = self.root.soil.iter().find(|s| s.name == *keys.soil)?;
        let soil = soil_parameters(soil.keys.as_ref()?, None);
        let (shape, body) = (shape?, body?);
        Some(IntruderBody {
            name: name.into(),
            body,
            X_BS: Pose { R: turned(&keys.turn), p: at?.X_BF.p },
            mesh: shape.triangulate(u32::try_from(keys.segments).ok()?),
            soil: IntrusionSoil {
                law: soil.law,
                exponent: soil.exponent,
                width: keys.width,
                friction_angle: keys.friction_angle.unwrap_or(soil.friction_angle),
                elastic_stiffness: soil.elastic_stiffness,
                relaxation: keys.relaxation,
            },
        })
    }
}
