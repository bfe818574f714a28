//! Feet as bodies in soil. `[ground] feet = "grid"`: the surface is that of the ground, the soil that of the
//! feet, and each foot becomes a body in it. `feet = "intrusion"`: each foot becomes a body of surface
//! elements that moves through the soil below the surface.

use super::Builder;
use crate::table::{FeetWord, GroundKeys, HillsKeys, MapKeys, ScenarioKeys, TerrainKeys};
use touchdown_geometry::Relief;
use touchdown_geometry::surface::HeightForm;
use touchdown_machines::feet::{in_soil, through_soil};
use touchdown_sim::description::{Ground, SoilGround};

/// Whether feet press into a grid.
pub(super) fn feet_on_grid(root: &ScenarioKeys) -> bool {
    feet_are(root, FeetWord::Grid)
}

/// Whether feet move through soil.
pub(super) fn feet_intrude(root: &ScenarioKeys) -> bool {
    feet_are(root, FeetWord::Intrusion)
}

fn feet_are(root: &ScenarioKeys, word: FeetWord) -> bool {
    let ground = root.ground.as_ref().and_then(|ground| ground.keys.as_ref());
    ground.is_some_and(|keys| keys.feet == word) && (!root.foot.is_empty() || root.foot_rig.is_some())
}

/// Where a foot is described: by a table of its own, or by the stand that tests it.
fn place_of(root: &ScenarioKeys, foot: &str) -> String {
    if root.foot_rig.is_some() { "foot_rig".into() } else { format!("foot.{foot}") }
}

/// Whether `[terrain]` is given beside the ground only for feet on a grid, but the feet do not use one.
pub(super) fn feet_leave_terrain(root: &ScenarioKeys) -> bool {
    !root.foot.is_empty() && root.ground.is_some() && !feet_on_grid(root)
}

impl Builder<'_> {
    /// The grid with the surface of the ground.
    pub fn feet_terrain(&mut self, keys: &TerrainKeys) -> Option<SoilGround> {
        let of_the_ground = [
            TerrainKeys::shape.name(),
            TerrainKeys::height.name(),
            TerrainKeys::slope.name(),
            HillsKeys::wavelength.name(),
            HillsKeys::amplitude.name(),
            MapKeys::file.name(),
        ];
        for (_, loc, path) in keys.here.given().filter(|(key, ..)| of_the_ground.contains(key)) {
            self.issues.at(loc, path, "is said by the ground that feet press").hint("keep it in [ground]");
        }
        let relief = match self.rigid_ground()? {
            Ground::Plane { point, normal } => {
                let gradient = [-normal.x / normal.z, -normal.y / normal.z];
                let height = point.z - gradient[0] * point.x - gradient[1] * point.y;
                Some(Relief::Plane { height, gradient })
            }
            Ground::Surface(surface) => match surface.form() {
                HeightForm::Map { raster, .. } => Some(Relief::Raster(raster.clone())),
                _ => None,
            },
            Ground::Soil(_) => None,
        };
        if relief.is_none() {
            let here = &self.root.ground.as_ref()?.keys.as_ref()?.here;
            let (loc, path) = (here.loc_of(GroundKeys::shape), here.path_of(GroundKeys::shape));
            self.issues.at(loc, path, "has no grid: a formula is not sampled").hint("add surface = \"c2\"");
        }
        self.soil_ground(keys, relief)
    }

    /// Converts feet to bodies in soil, after their positions in their bodies are known.
    pub fn feet_into_soil(&mut self) {
        let root = self.root;
        if feet_intrude(root) {
            return self.feet_through_soil();
        }
        if !feet_on_grid(root) {
            return;
        }
        if root.terrain.is_none() {
            if let Some(ground) = root.ground.as_ref().and_then(|ground| ground.keys.as_ref()) {
                let key = GroundKeys::feet;
                let (loc, path) = (ground.here.loc_of(key), ground.here.path_of(key));
                self.issues.at(loc, path, "needs the numbers of the grid").hint("add [terrain]");
            }
            return;
        }
        for foot in &mut self.feet {
            let path = place_of(root, &foot.name);
            let body = match in_soil(foot) {
                Ok(body) => body,
                Err(why) => {
                    self.issues
                        .at(root.here.loc_of(ScenarioKeys::foot_law), path, why)
                        .hint("a soil of the library and stiffness zero, or [ground] feet = \"model\"");
                    continue;
                }
            };
            if self.soil_bodies.iter().any(|b| b.name == foot.name) {
                let loc = root.here.loc_of(ScenarioKeys::foot);
                self.issues.at(loc, path, "has the name of another body that touches soil");
            }
            foot.soil_body = Some(self.soil_bodies.len());
            self.soil_bodies.push(body);
        }
    }

    /// Converts feet to bodies of surface elements, after their positions in their bodies are known.
    fn feet_through_soil(&mut self) {
        let root = self.root;
        for foot in &mut self.feet {
            match through_soil(foot) {
                Ok(body) => {
                    foot.intruder = Some(self.intruders.len());
                    self.intruders.push(body);
                }
                Err(why) => {
                    self.issues
                        .at(root.here.loc_of(ScenarioKeys::foot_law), place_of(root, &foot.name), why)
                        .hint("a soil of the library and stiffness zero, or [ground] feet = \"model\"");
                }
            }
        }
    }
}
