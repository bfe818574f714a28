//! Soil: the terrain with its relief, soils, regions and heaps.

use super::Builder;
use super::feet_grid::{feet_leave_terrain, feet_on_grid};
use crate::read::{Record, Value};
use crate::table::MAP_KEYS;
use crate::unit::SPEED;
use touchdown_contact::soil::{BekkerWidth, FrictionLaw, PressureLaw, SoilOptions, SoilParameters};
use touchdown_geometry::{Procedural, Relief};
use touchdown_sim::description::{Heap, SoilGround, SoilRegion};

/// Speed of regularisation of Coulomb friction if nothing says how fast wheels will go, m/s: half of a rover's 70 m/h.
const FRICTION_SPEED: f64 = 0.01;

/// Octaves of procedural ground if none are given.
const OCTAVES: u64 = 4;

/// The numbers of a soil; those that `over` (the terrain) says itself stand in place of the soil's own.
pub(crate) fn soil_parameters(soil: &Record, over: Option<&Record>) -> Option<SoilParameters> {
    let get = |key: &str| over.and_then(|o| o.number(key)).or_else(|| soil.number(key));
    let (cohesive, frictional) = (get("cohesive_modulus")?, get("frictional_modulus")?);
    let law = match soil.text("law")? {
        "reece" => PressureLaw::Reece { cohesive, frictional },
        _ => PressureLaw::Bekker { cohesive, frictional },
    };
    Some(SoilParameters {
        law,
        exponent: get("exponent")?,
        cohesion: get("cohesion")?,
        friction_angle: get("friction_angle")?,
        elastic_stiffness: get("elastic_stiffness")?,
        damping: get("damping")?,
        shear_length: get("shear_length")?,
    })
}

/// Puts in what follows from others: the speed of friction from that of the rig.
pub(crate) fn fill_terrain(record: &mut Record) {
    let feet_soil = grid_soil(record);
    let rig_speed = record.table("rig").and_then(|rig| rig.number("speed"));
    if let Some(terrain) = record.table_mut("terrain") {
        let speed = rig_speed.map_or(FRICTION_SPEED, |v| 0.5 * v);
        terrain.fill("friction_speed", Value::Number(speed, &SPEED));
        if let Some(soil) = feet_soil {
            terrain.fill("soil", Value::Text(soil));
        }
    }
}

/// The soil of the feet, where they press a grid of it.
fn grid_soil(record: &Record) -> Option<String> {
    feet_on_grid(record).then_some(())?;
    let law = record.map("foot").first()?.record.text("law")?;
    let law = record.map("foot_law").iter().find(|l| l.name == law)?;
    law.record.text("soil").map(str::to_string)
}

impl Builder<'_> {
    /// The soil of `[terrain]`; nothing after a mistake or without one.
    pub fn terrain(&mut self) -> Option<SoilGround> {
        let record = self.scopes[0].record;
        let table = record.table("terrain")?;
        if feet_on_grid(record) {
            return self.feet_terrain(record, table);
        }
        if feet_leave_terrain(record) {
            return None;
        }
        if record.has("ground") {
            self.issues
                .at(table.loc, &table.path, "stands beside ground, and there is one surface only")
                .hint("keep one of [terrain] and [ground]");
        }
        let relief = self.relief(record, table);
        self.soil_ground(record, table, relief)
    }

    /// The grid on a relief.
    pub fn soil_ground(
        &mut self,
        record: &Record,
        table: &Record,
        relief: Option<Relief>,
    ) -> Option<SoilGround> {
        let mut soils = Vec::new();
        let first = self.soil(record, table).and_then(|soil| soil_parameters(soil, Some(table)));
        soils.extend(first);
        let regions = self.regions(record, table, &mut soils);
        let heaps = table.map("heap").iter().filter_map(|named| heap(&named.record)).collect();
        first?;
        Some(SoilGround {
            relief: relief?,
            spacing: table.number("spacing")?,
            soils,
            regions,
            heaps,
            options: options(table)?,
        })
    }

    /// The table of a soil: written in place, or a `[soil.NAME]`, where the library's have been put too.
    fn soil<'r>(&mut self, record: &'r Record, holder: &'r Record) -> Option<&'r Record> {
        if let Some(table) = holder.table("soil") {
            return Some(table);
        }
        if holder.value("soil").is_none() && !holder.has("soil") {
            self.issues
                .at(holder.loc, &holder.path, "needs soil")
                .hint("soil: a soil of the library, a [soil.NAME] of this file, or a table");
        }
        // A name that is neither the file's nor the library's has been reported when the library was opened.
        let name = holder.text("soil")?;
        let named = record.map("soil").iter().find(|s| s.name == name)?;
        Some(&named.record)
    }

    fn regions(
        &mut self,
        record: &Record,
        terrain: &Record,
        soils: &mut Vec<SoilParameters>,
    ) -> Vec<SoilRegion> {
        let mut regions = Vec::new();
        for named in terrain.map("region") {
            let r = &named.record;
            let corner = |key: &str| match r.numbers(key) {
                Some([x, y]) => Some([x.0, y.0]),
                _ => None,
            };
            let soil = self.soil(record, r).and_then(|soil| soil_parameters(soil, None));
            let (Some(from), Some(to), Some(soil)) = (corner("from"), corner("to"), soil) else { continue };
            if from[0] >= to[0] || from[1] >= to[1] {
                self.issues
                    .at(r.loc_of("from"), r.path_of("from"), "must lie below to, along x and y")
                    .found(format!("{from:?} and {to:?}"));
            }
            regions.push(SoilRegion { from, to, soil: soils.len() });
            soils.push(soil);
        }
        regions
    }

    fn relief(&mut self, record: &Record, table: &Record) -> Option<Relief> {
        let shape = table.text("shape")?;
        let (needed, optional): (&[&str], &[&str]) = match shape {
            "sloped" => (&["slope"], &["uphill"]),
            "procedural" => (&["wavelength", "amplitude"], &["octaves"]),
            "map" => (&["file"], &MAP_KEYS),
            _ => (&[], &[]),
        };
        let own = ["slope", "uphill", "wavelength", "amplitude", "octaves"];
        for key in own.into_iter().chain(MAP_KEYS) {
            if needed.contains(&key) && !table.has(key) {
                self.issues.at(table.loc, &table.path, format!("needs {key}, because its shape is {shape}"));
            } else if table.has(key) && !needed.contains(&key) && !optional.contains(&key) {
                self.issues
                    .at(table.loc_of(key), table.path_of(key), format!("means nothing in {shape} terrain"))
                    .hint(format!("shape = \"{}\" has it", shape_of(key)));
            }
        }
        let height = table.number("height")?;
        match shape {
            "flat" => Some(Relief::Plane { height, gradient: [0.0; 2] }),
            "sloped" => {
                let (rise, heading) = (table.number("slope")?.tan(), table.number("uphill").unwrap_or(0.0));
                Some(Relief::Plane { height, gradient: [rise * heading.cos(), rise * heading.sin()] })
            }
            "procedural" => self.hills(record, table),
            _ => self.map(table).map(Relief::Raster),
        }
    }

    /// Hills made from the seed.
    pub fn hills(&mut self, record: &Record, table: &Record) -> Option<Relief> {
        let made = Procedural::new(
            record.count("seed")?,
            table.number("height")?,
            table.number("wavelength")?,
            table.number("amplitude")?,
            u32::try_from(table.count("octaves").unwrap_or(OCTAVES)).ok()?,
        );
        match made {
            Ok(hills) => Some(Relief::Procedural(hills)),
            Err(error) => {
                self.issues.at(table.loc, &table.path, "cannot be made").found(error);
                None
            }
        }
    }
}

/// The shape of terrain that a key belongs to.
fn shape_of(key: &str) -> &'static str {
    match key {
        "slope" | "uphill" => "sloped",
        key if MAP_KEYS.contains(&key) => "map",
        _ => "procedural",
    }
}

fn heap(record: &Record) -> Option<Heap> {
    let [x, y] = record.numbers("centre")? else { return None };
    Some(Heap { centre: [x.0, y.0], radius: record.number("radius")?, height: record.number("height")? })
}

fn options(table: &Record) -> Option<SoilOptions> {
    Some(SoilOptions {
        width: match table.text("bekker_width")? {
            "footprint" => BekkerWidth::Footprint,
            "perimeter" => BekkerWidth::Perimeter,
            _ => BekkerWidth::Given(table.number("given_width")?),
        },
        friction: match table.text("friction_law")? {
            "janosi" => FrictionLaw::Janosi,
            _ => FrictionLaw::Coulomb { speed: table.number("friction_speed")? },
        },
        deposition: table.flag("deposition"),
        erosion: table.flag("erosion"),
        spread_exponent: table.number("spread_exponent")?,
        move_every: u32::try_from(table.count("move_every")?).ok()?,
        sweeps: u32::try_from(table.count("sweeps")?).ok()?,
    })
}
