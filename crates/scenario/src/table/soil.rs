//! The table, part five: soils, the terrain that contains them, and bodies in soil.

use super::typed::{axis, body_name, choice, count, flag, number, numbers, one_of, table, text, vector};
use super::{
    ANY, FormKeys, HillsKeys, KeyKind, MapKeys, NOT_NEGATIVE, POSITIVE, Range, TurnKeys, section, words,
};
use crate::read::{BodyName, Found, KeyValue, Text};
use crate::unit::{ANGLE, LENGTH, NUMBER, PRESSURE, SOIL_DAMPING, SOIL_STIFFNESS, SPEED, TIME};
use touchdown_math::Vec3;

/// Exponents of sinkage: published ones lie between 0.1 and 1.6.
const EXPONENT: Range = Range { min: 0.0, max: 5.0, open: true };
/// Angle of internal friction, rad: friction alone does not hold slopes above 60 degrees.
const FRICTION_ANGLE: Range = Range { min: 0.0, max: std::f64::consts::FRAC_PI_3, open: false };
/// A slope, rad: up to 80 degrees, above which a height over the plane is not meaningful.
const SLOPE: Range = Range { min: 0.0, max: 80.0 * std::f64::consts::PI / 180.0, open: false };
/// Sizes of wheels and grid cells, m.
const SIZE: Range = Range { min: 0.0, max: 10.0, open: true };
/// Heights of grousers and layers, m.
const THICKNESS: Range = Range { min: 0.0, max: 10.0, open: false };
/// A fraction.
const SHARE: Range = Range { min: 0.0, max: 1.0, open: false };
/// Weight of soil relative to that in its tests: from the gravity of small moons to centrifuges.
const WEIGHT: Range = Range { min: 1e-3, max: 100.0, open: false };
/// Exponent of the spread of displaced soil.
const SPREAD: Range = Range { min: 0.0, max: 10.0, open: false };

words! {
    pub(crate) enum SoilLawWord { Bekker = "bekker", Reece = "reece" }
}

section! {
    /// A soil: `[soil.NAME]`, a table inside `[terrain]`, or a file of the library.
    pub(crate) struct SoilKeys "soil": "a soil: how pressure grows with sinkage z, and how it shears";
    optional title: Text = text(), "what it is";
    optional source: Text = text(), "where its numbers come from";
    #[expect(dead_code)]
    optional uses as "use": Text = text(), "a soil of the library; keys beside it replace its values";
    default("\"bekker\"") law: SoilLawWord = choice(),
        "pressure: bekker (kc/b + kphi) z^n, or reece (k1 + k2 b)(z/b)^n, with the width b";
    required exponent: f64 = number(&[&NUMBER], EXPONENT), "exponent of sinkage n";
    required cohesive_modulus: f64 = number(&[&NUMBER], ANY),
        "bekker: kc in N/m^(n+1), below zero only with widths; reece: k1 in Pa";
    required frictional_modulus: f64 = number(&[&NUMBER], NOT_NEGATIVE),
        "bekker: kphi in N/m^(n+2); reece: k2 in Pa/m";
    required cohesion: f64 = number(&[&PRESSURE], NOT_NEGATIVE), "cohesion c";
    required friction_angle: f64 = number(&[&ANGLE], FRICTION_ANGLE), "angle of internal friction phi";
    // Assumed, because published soils do not give it. Stiff, so that a rut rebounds by a fraction of a
    // millimetre.
    default("\"1e9 Pa/m\"") elastic_stiffness: f64 = number(&[&SOIL_STIFFNESS], POSITIVE),
        "slope of unloading and reloading; the default is assumed";
    default("\"0 Pa s/m\"") damping: f64 = number(&[&SOIL_DAMPING], NOT_NEGATIVE),
        "pressure per speed of penetration";
    // Assumed if not published: the usual value for firm sand.
    default("\"25 mm\"") shear_length: f64 = number(&[&LENGTH], POSITIVE),
        "shear displacement at which 63 % of the strength is there; the default is assumed";
    // Rarely published: between zero for dense soil and most of the rut for very loose soil.
    default("0") compaction: f64 = number(&[&NUMBER], SHARE),
        "part of the volume displaced by sinkage that stays in the ground, which becomes denser";
    optional widths: [f64; 2] = numbers(&[&LENGTH], POSITIVE),
        "smallest and largest width b for which the moduli hold; needed where kc < 0";
    named plate: PlateKeys,
        "a plate pressed into it; the moduli are then those of the plates, interpolated to given_width";
    named spread: SpreadKeys, "how far a number of the soil scatters, by its key";
}

section! {
    /// A plate of a bevameter: `[soil.NAME.plate.NAME]`.
    pub(crate) struct PlateKeys "plate": "a plate pressed into a soil: p = k z^n";
    required width: f64 = number(&[&LENGTH], SIZE), "diameter of a round plate, short side of others";
    required modulus: f64 = number(&[&NUMBER], POSITIVE), "k, in N/m^(n+2)";
    required exponent: f64 = number(&[&NUMBER], EXPONENT), "n";
}

section! {
    /// Scatter of a parameter of a soil: `[soil.NAME.spread.KEY]`.
    pub(crate) struct SpreadKeys "spread": "how far a number of a soil scatters: sd or range";
    optional sd: f64 = number(&[&NUMBER, &PRESSURE, &ANGLE, &LENGTH], NOT_NEGATIVE),
        "standard deviation, in the unit of the number";
    optional range: [f64; 2] = numbers(&[&NUMBER, &PRESSURE, &ANGLE, &LENGTH], ANY),
        "smallest and largest value, in the unit of the number";
    optional source: Text = text(), "the source of the measurement; assumed states that there is none";
}

words! {
    pub(crate) enum TerrainShapeWord {
        Flat = "flat",
        Sloped = "sloped",
        Procedural = "procedural",
        Map = "map",
    }
}

words! {
    pub(crate) enum TerrainFrictionWord { Coulomb = "coulomb", Janosi = "janosi", JanosiRim = "janosi-rim", Anchored = "anchored" }
}

words! {
    pub(crate) enum TerrainStressWord { Bekker = "bekker", Directional = "directional", WongReece = "wong-reece" }
}

words! {
    pub(crate) enum BekkerWidthWord { Given = "given", Footprint = "footprint", Perimeter = "perimeter" }
}

/// A soil: by its name, or an inline table.
#[derive(Clone, Debug)]
pub(crate) enum SoilKey {
    Name(Text),
    Table(Box<SoilKeys>),
}

impl KeyValue for SoilKey {
    fn of(found: Found) -> Option<Self> {
        let name = Text::of(found).map(SoilKey::Name);
        name.or_else(|| found.table().map(|t| SoilKey::Table(Box::new(t))))
    }
}

section! {
    /// Soil into which wheels and other bodies sink.
    pub(crate) struct TerrainKeys "terrain": "soil that deforms, on a grid of nodes; instead of ground";
    chooser("\"flat\"") shape: TerrainShapeWord = choice(),
        "its form before anything touches it: flat, a slope, hills made from the seed, or a map file";
    default("\"0 m\"") height: f64 = number(&[&LENGTH], ANY), "z of the surface, or added to the map";
    optional slope: f64 = number(&[&ANGLE], SLOPE), "sloped: steepness";
    optional uphill: f64 = number(&[&ANGLE], ANY), "sloped: heading in which it rises, from x towards y";
    group hills: HillsKeys;
    group map: MapKeys;
    default("\"10 mm\"") spacing: f64 = number(&[&LENGTH], SIZE), "distance of the grid's nodes";
    derived("that of the feet, where they press a grid") soil: SoilKey = one_of(&[KeyKind::Text, KeyKind::Table(SoilKeys::SECTION)]),
        "a soil of the library, a [soil.NAME] of this file, or a table";
    derived("the soil's own") exponent: f64 = number(&[&NUMBER], EXPONENT), "in place of the soil's own";
    derived("the soil's own") cohesive_modulus: f64 = number(&[&NUMBER], NOT_NEGATIVE),
        "in place of the soil's own";
    derived("the soil's own") frictional_modulus: f64 = number(&[&NUMBER], NOT_NEGATIVE),
        "in place of the soil's own";
    derived("the soil's own") cohesion: f64 = number(&[&PRESSURE], NOT_NEGATIVE),
        "in place of the soil's own";
    derived("the soil's own") friction_angle: f64 = number(&[&ANGLE], FRICTION_ANGLE),
        "in place of the soil's own";
    derived("the soil's own") elastic_stiffness: f64 = number(&[&SOIL_STIFFNESS], POSITIVE),
        "in place of the soil's own";
    derived("the soil's own") damping: f64 = number(&[&SOIL_DAMPING], NOT_NEGATIVE),
        "in place of the soil's own";
    derived("the soil's own") shear_length: f64 = number(&[&LENGTH], POSITIVE), "in place of the soil's own";
    derived("the soil's own") compaction: f64 = number(&[&NUMBER], SHARE), "in place of the soil's own";
    default("1") soil_weight: f64 = number(&[&NUMBER], WEIGHT),
        "weight of a volume of soil over that in its tests (gravity and density together): scales the frictional modulus";
    derived("the soil's own; two thirds of it with directional, without grousers") interface_friction_angle: f64 = number(&[&ANGLE], FRICTION_ANGLE),
        "angle of friction between soil and the surface of bodies";
    default("\"anchored\"") friction_law: TerrainFrictionWord = choice(),
        "shear: all of the strength after 0.2 mm (anchored), by shear displacement of the soil (janosi) or of the rim (janosi-rim), or by speed (coulomb, as Krenn & Hirzinger)";
    default("\"directional\"") stress_law: TerrainStressWord = choice(),
        "pressure: by the directions of face and motion (directional), that of plates whatever the motion (bekker, as Krenn & Hirzinger), or under wheels with its maximum ahead of the lowest point (wong-reece)";
    filled("half the speed of the rig, else 10 mm/s") friction_speed: f64 = number(&[&SPEED], POSITIVE),
        "coulomb: sliding speed at which 71 % of the strength is there";
    default("\"given\"") bekker_width: BekkerWidthWord = choice(),
        "width b of the pressure law: given, short side of the contact, or twice its area over its perimeter";
    default("\"0.1 m\"") given_width: f64 = number(&[&LENGTH], SIZE), "given: the width b";
    default("true") deposition: bool = flag(), "displaced soil is put down beside the footprint";
    default("true") erosion: bool = flag(), "slopes steeper than the friction angle slide";
    // Assumed: the paper names the exponent of its Eq. 10 but does not give its value.
    default("2") spread_exponent: f64 = number(&[&NUMBER], SPREAD),
        "how narrowly pushed soil is thrown ahead; the default is assumed";
    default("20") move_every: u64 = count(1, 10_000), "displaced soil is moved every so many steps";
    default("2") sweeps: u64 = count(1, 1_000), "sweeps of erosion each time";
    named region: RegionKeys, "a rectangle of another soil; later ones win";
    named heap: HeapKeys, "soil heaped up at the start";
}

section! {
    pub(crate) struct RegionKeys "region": "a rectangle of another soil, along x and y";
    required from: [f64; 2] = numbers(&[&LENGTH], ANY), "smallest x and y";
    required to: [f64; 2] = numbers(&[&LENGTH], ANY), "largest x and y";
    required soil: SoilKey = one_of(&[KeyKind::Text, KeyKind::Table(SoilKeys::SECTION)]),
        "a soil of the library, a [soil.NAME] of this file, or a table";
}

section! {
    pub(crate) struct HeapKeys "heap":
        "a cylinder of soil put on the ground at the start, to slide to its natural slope";
    default("[\"0 m\", \"0 m\"]") centre: [f64; 2] = numbers(&[&LENGTH], ANY), "its middle, x and y";
    required radius: f64 = number(&[&LENGTH], POSITIVE), "its radius";
    required height: f64 = number(&[&LENGTH], POSITIVE), "its height";
}

section! {
    pub(crate) struct WheelKeys "wheel":
        "a rigid wheel that rolls in soil; on a plane ground tyres stand for it";
    required body: BodyName = body_name(), "the body";
    default("[\"0 m\", \"0 m\", \"0 m\"]") centre: Vec3 = vector(&[&LENGTH]),
        "wheel centre in the body's frame";
    default("[0, 1, 0]") axis: Vec3 = axis(), "spin axis; turning positively about it rolls forward";
    required radius: f64 = number(&[&LENGTH], SIZE), "radius of the rim";
    required width: f64 = number(&[&LENGTH], SIZE), "width";
    optional grousers: GrousersKeys = table(), "bars across the rim";
    derived("with bekker the height of the grousers, otherwise zero") carried_layer: f64 = number(&[&LENGTH], THICKNESS),
        "thickness of the soil that the sliding rim carries away";
}

section! {
    pub(crate) struct GrousersKeys "grousers": "bars across the rim of a wheel";
    required count: u64 = count(1, 1_000), "how many around the rim";
    required height: f64 = number(&[&LENGTH], SIZE), "height above the rim";
    default("\"3 mm\"") thickness: f64 = number(&[&LENGTH], SIZE), "thickness along the rim";
}

section! {
    pub(crate) struct SoilContactKeys "soil_contact":
        "a body that touches soil with its surface: one of box, cylinder (about z), sphere, mesh";
    required body: BodyName = body_name(), "the body";
    derived("the body's origin") position: Vec3 = vector(&[&LENGTH]), "in the body's frame";
    optional at: Vec3 = vector(&[&LENGTH]), "in the machine's frame, all joints at zero";
    group turn: TurnKeys;
    group form: FormKeys;
    default("\"0 mm\"") carried_layer: f64 = number(&[&LENGTH], THICKNESS),
        "thickness of the soil that the sliding surface carries away";
}

section! {
    /// A body that moves through soil.
    pub(crate) struct IntruderKeys "intruder":
        "a body that moves through soil in any direction, below the surface of the ground as it was: one of box, cylinder (about z), sphere, mesh";
    required body: BodyName = body_name(), "the body";
    derived("the body's origin") position: Vec3 = vector(&[&LENGTH]), "in the body's frame";
    optional at: Vec3 = vector(&[&LENGTH]), "in the machine's frame, all joints at zero";
    group turn: TurnKeys;
    group form: FormKeys;
    required soil: Text = text(), "a soil of the library, or a [soil.NAME] of this file";
    required width: f64 = number(&[&LENGTH], SIZE), "width b of the pressure law: its smaller side, seen from above";
    derived("the soil's own") friction_angle: f64 = number(&[&ANGLE], FRICTION_ANGLE),
        "angle of friction between soil and its surface";
    // As for feet: the motion of a body of some kilograms is damped by a half.
    default("\"1 ms\"") relaxation: f64 = number(&[&TIME], NOT_NEGATIVE),
        "time of damping while the soil holds it; the default is assumed";
    default("16") segments: u64 = count(3, 256), "triangles around a full circle of a cylinder or sphere";
}
