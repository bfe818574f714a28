//! Soil: the terrain with its relief, soils, regions and heaps.

use super::Builder;
use super::feet_grid::{feet_leave_terrain, feet_on_grid};
use super::plates::{self, OutsideWidths};
use crate::read::{Record, Value};
use crate::source::Loc;
use crate::table::{
    BekkerWidthWord, HeapKeys, HillsKeys, Keys, MapKeys, RegionKeys, ScenarioKeys, Section, SoilKey,
    SoilKeys, SoilLawWord, TerrainFrictionWord, TerrainKeys, TerrainShapeWord, TerrainStressWord, Words,
};
use crate::unit::SPEED;
use touchdown_contact::soil::{
    BekkerWidth, FrictionLaw, PressureLaw, SoilOptions, SoilParameters, StressLaw,
};
use touchdown_geometry::{Procedural, Relief};
use touchdown_math::Elementary;
use touchdown_sim::description::{Heap, SoilGround, SoilRegion};

/// Speed of regularisation of Coulomb friction if the speed of the wheels is unknown, m/s: half of a rover's
/// 70 m/h.
const FRICTION_SPEED: f64 = 0.01;

/// Octaves of procedural ground if not given.
const OCTAVES: u64 = 4;

/// The parameters of a soil; those that `over` (the terrain) gives replace the soil's own.
pub(crate) fn soil_parameters(soil: &SoilKeys, over: Option<&TerrainKeys>) -> SoilParameters {
    let or = |own: f64, over_it: fn(&TerrainKeys) -> Option<f64>| over.and_then(over_it).unwrap_or(own);
    // The law at the width of the terrain, if it depends on it; a width outside its range has been reported.
    let at_width = over.and_then(|o| plates::at_width(soil, o.given_width)?.ok());
    let [cohesive, frictional, exponent] = match at_width {
        Some(law) => [0.0, law.modulus, law.exponent],
        None => [soil.cohesive_modulus.max(0.0), soil.frictional_modulus, soil.exponent],
    };
    let cohesive = or(cohesive, |o| o.cohesive_modulus);
    // Granular scaling: pressures at geometrically similar depths grow with the weight of the grains;
    // cohesion and lengths do not depend on it.
    let frictional = or(frictional, |o| o.frictional_modulus) * over.map_or(1.0, |o| o.soil_weight);
    SoilParameters {
        law: match soil.law {
            SoilLawWord::Reece => PressureLaw::Reece { cohesive, frictional },
            SoilLawWord::Bekker => PressureLaw::Bekker { cohesive, frictional },
        },
        exponent: or(exponent, |o| o.exponent),
        cohesion: or(soil.cohesion, |o| o.cohesion),
        friction_angle: or(soil.friction_angle, |o| o.friction_angle),
        elastic_stiffness: or(soil.elastic_stiffness, |o| o.elastic_stiffness),
        damping: or(soil.damping, |o| o.damping),
        shear_length: or(soil.shear_length, |o| o.shear_length),
        compaction: or(soil.compaction, |o| o.compaction),
    }
}

/// Fills in values that follow from others: the speed of friction from that of the rig.
pub(crate) fn fill_terrain(record: &mut Record) {
    let root = ScenarioKeys::of(record);
    let feet_soil = grid_soil(&root);
    let rig_speed = root.rig.and_then(|rig| rig.keys?.speed);
    if let Some(terrain) = record.table_mut(ScenarioKeys::terrain) {
        let speed = rig_speed.map_or(FRICTION_SPEED, |v| 0.5 * v);
        terrain.fill(TerrainKeys::friction_speed, Value::Number(speed, &SPEED));
        if let Some(soil) = feet_soil {
            terrain.fill(TerrainKeys::soil, Value::Text(soil));
        }
    }
}

/// The soil of the feet, if they press into a grid of it.
fn grid_soil(root: &ScenarioKeys) -> Option<String> {
    feet_on_grid(root).then_some(())?;
    let law = &root.foot.first()?.keys.as_ref()?.law;
    let law = root.foot_law.iter().find(|l| l.name == **law)?;
    Some(law.keys.as_ref()?.soil.to_string())
}

impl<'a> Builder<'a> {
    /// The keys of `[terrain]`.
    pub fn terrain_keys(&self) -> Option<&'a TerrainKeys> {
        self.root.terrain.as_ref()?.keys.as_ref()
    }

    /// The soil of `[terrain]`; `None` after a mistake or without one.
    pub fn terrain(&mut self) -> Option<SoilGround> {
        let root = self.root;
        let keys = self.terrain_keys()?;
        if feet_on_grid(root) {
            return self.feet_terrain(keys);
        }
        if feet_leave_terrain(root) {
            return None;
        }
        if root.ground.is_some() {
            self.issues
                .at(
                    keys.here.loc,
                    &keys.here.path,
                    "cannot be combined with ground: there is only one surface",
                )
                .hint("keep one of [terrain] and [ground]");
        }
        let relief = self.relief(keys);
        self.soil_ground(keys, relief)
    }

    /// The grid on a relief.
    pub fn soil_ground(&mut self, keys: &TerrainKeys, relief: Option<Relief>) -> Option<SoilGround> {
        let mut soils = Vec::new();
        if !keys.here.has(TerrainKeys::soil) && keys.soil.is_none() {
            self.issues
                .at(keys.here.loc, &keys.here.path, "needs soil")
                .hint("soil: a soil of the library, a [soil.NAME] of this file, or a table");
        }
        let first = keys.soil.as_ref().and_then(|soil| self.soil(soil));
        if let Some(soil) = &first {
            self.check_widths(soil, keys);
        }
        let first = first.map(|soil| soil_parameters(&soil, Some(keys)));
        soils.extend(first);
        let regions = self.regions(keys, &mut soils);
        let heaps = keys.heap.iter().filter_map(|named| Some(heap(named.keys.as_ref()?))).collect();
        first?;
        Some(SoilGround {
            relief: relief?,
            spacing: keys.spacing,
            soils,
            regions,
            heaps,
            options: options(keys)?,
        })
    }

    /// A soil whose law depends on the width requires a width within its range.
    fn check_widths(&mut self, soil: &SoilKeys, keys: &TerrainKeys) {
        let Some(law) = plates::at_width(soil, keys.given_width) else { return };
        let (loc, path) = (keys.here.loc, &keys.here.path);
        if keys.bekker_width != BekkerWidthWord::Given {
            self.issues.at(
                loc,
                path,
                "needs bekker_width = \"given\", because the soil's law holds for a range of widths",
            );
        }
        if let Err(OutsideWidths { from, to }) = law {
            self.issues
                .at(loc, path, "has a width b for which its soil says nothing")
                .found(format!("given_width {} m", keys.given_width))
                .hint(format!("between {from} m and {to} m"));
        }
    }

    /// A soil: an inline table, or a `[soil.NAME]`, where soils of the library have been added.
    pub(super) fn soil(&self, soil: &SoilKey) -> Option<SoilKeys> {
        match soil {
            SoilKey::Table(table) => Some((**table).clone()),
            // Unknown names were reported when the library was opened.
            SoilKey::Name(name) => self.root.soil.iter().find(|s| s.name == **name)?.keys.clone(),
        }
    }

    fn regions(&mut self, terrain: &TerrainKeys, soils: &mut Vec<SoilParameters>) -> Vec<SoilRegion> {
        let mut regions = Vec::new();
        for keys in terrain.region.iter().filter_map(|named| named.keys.as_ref()) {
            let Some(soil) = self.soil(&keys.soil) else { continue };
            let (from, to) = (keys.from, keys.to);
            if from[0] >= to[0] || from[1] >= to[1] {
                let (loc, path) = (keys.here.loc_of(RegionKeys::from), keys.here.path_of(RegionKeys::from));
                self.issues
                    .at(loc, path, "must lie below to, along x and y")
                    .found(format!("{from:?} and {to:?}"));
            }
            regions.push(SoilRegion { from, to, soil: soils.len() });
            soils.push(soil_parameters(&soil, None));
        }
        regions
    }

    fn relief(&mut self, keys: &TerrainKeys) -> Option<Relief> {
        self.check_terrain_keys(keys);
        let height = keys.height;
        match keys.shape {
            TerrainShapeWord::Flat => Some(Relief::Plane { height, gradient: [0.0; 2] }),
            TerrainShapeWord::Sloped => {
                let (rise, heading) = (keys.slope?.tangent(), keys.uphill.unwrap_or(0.0));
                Some(Relief::Plane { height, gradient: [rise * heading.cosine(), rise * heading.sine()] })
            }
            TerrainShapeWord::Procedural => self.hills(&keys.hills, height, (keys.here.loc, &keys.here.path)),
            TerrainShapeWord::Map => self.map(&keys.map, height).map(Relief::Raster),
        }
    }

    /// Each shape has keys of its own: required ones must be given, and those of other shapes must not.
    fn check_terrain_keys(&mut self, keys: &TerrainKeys) {
        let word = keys.shape.word();
        let needed = match keys.shape {
            TerrainShapeWord::Flat => vec![],
            TerrainShapeWord::Sloped => vec![(TerrainKeys::slope.name(), keys.here.has(TerrainKeys::slope))],
            TerrainShapeWord::Procedural => keys.hills.needed(),
            TerrainShapeWord::Map => keys.map.needed(),
        };
        for (key, _) in needed.iter().filter(|(_, given)| !given) {
            let what = format!("needs {key}, because its shape is {word}");
            self.issues.at(keys.here.loc, &keys.here.path, what);
        }
        for (key, loc, path) in keys.here.given() {
            if let Some(shape) = shape_of(key).filter(|shape| *shape != keys.shape) {
                self.issues
                    .at(loc, path, format!("means nothing in {word} terrain"))
                    .hint(format!("shape = \"{}\" has it", shape.word()));
            }
        }
    }

    /// Hills generated from the seed, around a given height.
    pub fn hills(&mut self, keys: &HillsKeys, height: f64, (loc, path): (Loc, &str)) -> Option<Relief> {
        let octaves = u32::try_from(keys.octaves.unwrap_or(OCTAVES)).ok()?;
        let made = Procedural::new(self.root.seed?, height, keys.wavelength?, keys.amplitude?, octaves);
        match made {
            Ok(hills) => Some(Relief::Procedural(hills)),
            Err(error) => {
                self.issues.at(loc, path, "cannot be made").found(error);
                None
            }
        }
    }
}

/// The only shape of terrain that has this key; `None` for keys of all shapes.
fn shape_of(key: &str) -> Option<TerrainShapeWord> {
    let has = |section: &Section| section.fields().any(|field| field.key == key);
    if key == TerrainKeys::slope.name() || key == TerrainKeys::uphill.name() {
        Some(TerrainShapeWord::Sloped)
    } else if has(HillsKeys::SECTION) {
        Some(TerrainShapeWord::Procedural)
    } else if has(MapKeys::SECTION) {
        Some(TerrainShapeWord::Map)
    } else {
        None
    }
}

fn heap(keys: &HeapKeys) -> Heap {
    Heap { centre: keys.centre, radius: keys.radius, height: keys.height }
}

fn options(keys: &TerrainKeys) -> Option<SoilOptions> {
    Some(SoilOptions {
        width: match keys.bekker_width {
            BekkerWidthWord::Footprint => BekkerWidth::Footprint,
            BekkerWidthWord::Perimeter => BekkerWidth::Perimeter,
            BekkerWidthWord::Given => BekkerWidth::Given(keys.given_width),
        },
        friction: match keys.friction_law {
            TerrainFrictionWord::Janosi => FrictionLaw::Janosi,
            TerrainFrictionWord::JanosiRim => FrictionLaw::JanosiRim,
            TerrainFrictionWord::Anchored => FrictionLaw::Anchored,
            TerrainFrictionWord::Coulomb => FrictionLaw::Coulomb { speed: keys.friction_speed },
        },
        stress: match keys.stress_law {
            TerrainStressWord::Bekker => StressLaw::Bekker,
            TerrainStressWord::WongReece => StressLaw::WongReece,
            TerrainStressWord::Directional => StressLaw::Directional,
        },
        interface_angle: keys.interface_friction_angle,
        deposition: keys.deposition,
        erosion: keys.erosion,
        spread_exponent: keys.spread_exponent,
        move_every: u32::try_from(keys.move_every).ok()?,
        sweeps: u32::try_from(keys.sweeps).ok()?,
    })
}
