//! Feet on a grid of soil: `[ground] feet = "grid"`. The surface stays that of the ground, the soil that of the feet, and each foot becomes a body in it.

use super::Builder;
use crate::read::Record;
use touchdown_contact::foot::FootGround;
use touchdown_contact::soil::{SoilShape, SoilSurface};
use touchdown_geometry::Relief;
use touchdown_geometry::surface::HeightForm;
use touchdown_sim::description::{Ground, SoilBody, SoilGround};

/// Keys of the terrain that say what the ground says.
const OF_THE_GROUND: [&str; 6] = ["shape", "height", "slope", "wavelength", "amplitude", "file"];

/// Triangles around a full circle of a foot on a grid: chords within 0.4 % of the radius, a tenth of a cell.
const SEGMENTS: u32 = 36;

/// Whether feet press a grid.
pub(super) fn feet_on_grid(record: &Record) -> bool {
    record.table("ground").and_then(|g| g.text("feet")) == Some("grid") && !record.map("foot").is_empty()
}

/// Whether `[terrain]` stands beside the ground only for the case that feet press a grid, and they do not.
pub(super) fn feet_leave_terrain(record: &Record) -> bool {
    let feet = !record.map("foot").is_empty() && record.has("ground");
    feet && !feet_on_grid(record)
}

impl Builder<'_> {
    /// The grid with the surface of the ground.
    pub fn feet_terrain(&mut self, record: &Record, table: &Record) -> Option<SoilGround> {
        for key in OF_THE_GROUND.into_iter().filter(|key| table.has(key)) {
            self.issues
                .at(table.loc_of(key), table.path_of(key), "is said by the ground that feet press")
                .hint("keep it in [ground]");
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
            let ground = record.table("ground")?;
            self.issues
                .at(ground.loc_of("shape"), ground.path_of("shape"), "has no grid: a formula is not sampled")
                .hint("add surface = \"c2\"");
        }
        self.soil_ground(record, table, relief)
    }

    /// Feet become bodies in soil, where they stand in their bodies by now.
    pub fn feet_into_soil(&mut self) {
        let record = self.scopes[0].record;
        if !feet_on_grid(record) {
            return;
        }
        if record.table("terrain").is_none() {
            let ground = record.table("ground").map(|g| (g.loc_of("feet"), g.path_of("feet")));
            if let Some((loc, path)) = ground {
                self.issues.at(loc, path, "needs the numbers of the grid").hint("add [terrain]");
            }
            return;
        }
        for foot in &mut self.feet {
            if matches!(foot.law.ground, FootGround::Hard { .. }) || foot.law.spring.is_some() {
                let loc = record.loc_of("foot_law");
                self.issues
                    .at(
                        loc,
                        format!("foot.{}", foot.name),
                        "cannot press a grid: it needs soil and a hard foot",
                    )
                    .hint("a soil of the library and stiffness zero, or [ground] feet = \"model\"");
                continue;
            }
            if self.soil_bodies.iter().any(|b| b.name == foot.name) {
                self.issues.at(
                    record.loc_of("foot"),
                    format!("foot.{}", foot.name),
                    "has the name of another body that touches soil",
                );
            }
            let (X_FG, shape) = foot.law.shape.form();
            let surface = SoilSurface {
                shape: SoilShape::Mesh(shape.triangulate(SEGMENTS)),
                carried_layer: 0.0,
                bedded: false,
            };
            foot.soil_body = Some(self.soil_bodies.len());
            let X_BS = foot.X_BF.compose(&X_FG);
            self.soil_bodies.push(SoilBody {
                name: foot.name.clone(),
                body: foot.body,
                X_BS,
                surface,
                skin: None,
            });
        }
    }
}
