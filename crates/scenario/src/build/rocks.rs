//! Rocks at random places: the keys of `[rocks]` ⇒ [`RockField`], bodies, beds in the soil and contacts with
//! wheels.

use super::Builder;
use super::names::glob;
use crate::read::{Record, Value};
use crate::table::{RocksKeys, ScenarioKeys};
use crate::unit::NUMBER;
use std::f64::consts::FRAC_PI_2;
use touchdown_contact::polygonal::{Friction, Layer, PairLaw};
use touchdown_machines::RockField;
use touchdown_machines::rocks::{RELEASE, wheel_section};
use touchdown_math::{Pose, Vec3, rotation};
use touchdown_sim::description::Ground;

/// Fills in values that follow from other keys.
pub(crate) fn fill_rocks(record: &mut Record) {
    let seed = record.get(ScenarioKeys::seed).unwrap_or(0);
    let soil = record.has(ScenarioKeys::terrain);
    let Some(rocks) = record.table_mut(ScenarioKeys::rocks) else { return };
    rocks.fill(RocksKeys::seed, Value::Count(seed));
    rocks.fill(RocksKeys::fixed, Value::Flag(!soil));
    if let Some(friction) = rocks.get(RocksKeys::friction) {
        rocks.fill(RocksKeys::friction_min, Value::Number(friction, &NUMBER));
    }
}

impl<'a> Builder<'a> {
    fn rocks_keys(&self) -> Option<&'a RocksKeys> {
        self.root.rocks.as_ref()?.keys.as_ref()
    }

    fn rock_field(&self, keys: &RocksKeys) -> RockField {
        let ground = || self.root.ground.as_ref()?.keys.as_ref();
        let level = self.terrain_keys().map(|keys| keys.height).or_else(|| Some(ground()?.height));
        RockField {
            count: keys.count,
            seed: keys.seed,
            from: keys.from,
            to: keys.to,
            size: keys.size,
            buried: keys.buried,
            level: level.unwrap_or(0.0),
        }
    }

    /// Bodies and joints of the rocks.
    pub fn collect_rocks(&mut self) {
        let Some(keys) = self.rocks_keys() else { return };
        match self.rock_field(keys).place() {
            Ok(rocks) => self.rocks = rocks,
            Err(why) => {
                let (loc, path) = (keys.here.loc_of(RocksKeys::count), keys.here.path_of(RocksKeys::count));
                self.issues.at(loc, path, "leaves no room for so many rocks").found(why);
            }
        }
        for k in 0..if keys.fixed { 0 } else { self.rocks.len() } {
            self.rocks[k].body = Some(self.mechanism.bodies.len());
            let (name, kit) = (self.rocks[k].name.clone(), self.rocks[k].kit(keys.density));
            self.remember("body", &name, &keys.here);
            self.remember("joint", &name, &keys.here);
            self.add_kit(0, kit, None, &keys.here);
        }
    }

    /// Beds of the rocks in the soil, and contacts with wheels.
    pub fn touch_rocks(&mut self) {
        if let Some(keys) = self.rocks_keys()
            && !self.rocks.is_empty()
        {
            self.lay_rocks(keys);
            self.bed_rocks(keys);
            self.meet_rocks(keys);
        }
    }

    /// Places each rock on the ground below it.
    fn lay_rocks(&mut self, keys: &RocksKeys) {
        let field = self.rock_field(keys);
        let Some(lifts) = self.ground.as_ref().map(|ground| field.lifts(ground, &self.rocks)) else { return };
        let lifts = match lifts {
            Ok(lifts) => lifts,
            Err(why) => {
                self.issues.at(keys.here.loc, &keys.here.path, "lie beyond the ground").found(why);
                return;
            }
        };
        for (rock, lift) in self.rocks.iter_mut().zip(lifts) {
            rock.place.z += lift;
            let joints = self.mechanism.joints.iter_mut();
            if let Some(joint) = joints.into_iter().find(|joint| rock.body == Some(joint.child)) {
                joint.position[2] += lift;
            }
        }
    }

    fn bed_rocks(&mut self, keys: &RocksKeys) {
        let field = self.rock_field(keys);
        let Some(Ground::Soil(soil)) = &mut self.ground else { return };
        if let Err(why) = field.dig(soil, &self.rocks) {
            self.issues.at(keys.here.loc, &keys.here.path, "cannot be buried").found(why);
        }
        self.soil_bodies.extend(self.rocks.iter().filter_map(|rock| rock.in_soil()));
    }

    fn meet_rocks(&mut self, keys: &RocksKeys) -> Option<()> {
        let names = self.mechanism.bodies.iter().enumerate();
        let wheels: Vec<usize> = names
            .filter(|(_, body)| keys.wheels.iter().any(|pattern| glob(pattern, &body.name)))
            .map(|(i, _)| i)
            .collect();
        if wheels.is_empty() {
            let (loc, path) = (keys.here.loc_of(RocksKeys::wheels), keys.here.path_of(RocksKeys::wheels));
            self.issues.at(loc, path, "matches no body");
            return None;
        }
        let layer = Layer {
            damping: keys.damping,
            shear_damping: keys.tangential_damping,
            ..Layer::given(keys.stiffness)
        };
        let friction =
            Friction::StickSlip { stick: keys.friction, slip: keys.friction_min, release_speed: RELEASE };
        let law = match PairLaw::in_series(&layer, &Layer::RIGID, keys.damping_depth, friction) {
            Ok(law) => law,
            Err(problems) => {
                for problem in problems {
                    self.issues.at(keys.here.loc, &keys.here.path, problem.to_string());
                }
                return None;
            }
        };
        let segments = u32::try_from(keys.resolution).ok()?;
        let section = wheel_section(keys.wheel_radius, keys.wheel_width)?;
        let place = (keys.here.loc_of(RocksKeys::wheel_width), keys.here.path_of(RocksKeys::wheel_width));
        self.check_triangles(&section, segments, place)?;
        let wheel = section.mesh(&section.resolution(segments)).mesh;
        let tyre = self.solid(&keys.here, &wheel)?;
        let lies = Pose { R: rotation::about_axis(&Vec3::x(), FRAC_PI_2), p: Vec3::zeros() };
        let sides: Vec<(usize, String, Pose)> = wheels
            .iter()
            .map(|i| {
                let own = &self.mechanism.bodies[*i];
                match self.soil_bodies.iter().find(|s| s.body == *i) {
                    Some(soil) => (*i, soil.name.clone(), Pose { p: soil.X_BS.p, ..lies }),
                    None => {
                        let name = own.name.rsplit('/').next().unwrap_or_default().to_string();
                        (*i, name, Pose { p: own.com, ..lies })
                    }
                }
            })
            .collect();
        for rock in self.rocks.clone() {
            let solid = self.solid(&keys.here, &rock.mesh)?;
            for (body, group, X_BS) in &sides {
                self.polygonal.push(rock.meet((*body, group, X_BS), (&tyre, &solid), law));
            }
        }
        Some(())
    }
}
