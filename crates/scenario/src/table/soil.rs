//! The table, part five: soils, the terrain they lie in, and what touches them.

use super::{
    ANY, Field, Kind, NOT_NEGATIVE, Need, POSITIVE, Range, Section, field, hills, map, number, vector,
};
use crate::unit::{ANGLE, LENGTH, NUMBER, PRESSURE, SOIL_DAMPING, SOIL_STIFFNESS, SPEED};

/// Exponents of sinkage: published ones lie between 0.1 and 1.6.
const EXPONENT: Range = Range { min: 0.0, max: 5.0, open: true };
/// Angle of internal friction, rad: no soil holds a slope of more than 60 degrees by friction.
const FRICTION_ANGLE: Range = Range { min: 0.0, max: std::f64::consts::FRAC_PI_3, open: false };
/// A slope, rad: up to 80 degrees, beyond which a height over the plane says nothing.
const SLOPE: Range = Range { min: 0.0, max: 80.0 * std::f64::consts::PI / 180.0, open: false };
/// Sizes of wheels and grid cells, m.
const SIZE: Range = Range { min: 0.0, max: 10.0, open: true };
/// Heights of grousers and layers, m.
const THICKNESS: Range = Range { min: 0.0, max: 10.0, open: false };
/// Exponent of the spread of displaced soil.
const SPREAD: Range = Range { min: 0.0, max: 10.0, open: false };

/// A soil: `[soil.NAME]`, a table inside `[terrain]`, or a file of the library.
pub static SOIL: Section = Section {
    name: "soil",
    about: "a soil: how pressure grows with sinkage z, and how it shears",
    fields: &[
        field("title", Kind::Text, Need::Optional, "what it is"),
        field("source", Kind::Text, Need::Optional, "where its numbers come from"),
        field("use", Kind::Text, Need::Optional, "a soil of the library; keys beside it replace its values"),
        field(
            "law",
            Kind::Choice(&["bekker", "reece"]),
            Need::Default("\"bekker\""),
            "pressure: bekker (kc/b + kphi) z^n, or reece (k1 + k2 b)(z/b)^n, with the width b",
        ),
        field("exponent", number(&[&NUMBER], EXPONENT), Need::Required, "exponent of sinkage n"),
        field(
            "cohesive_modulus",
            number(&[&NUMBER], NOT_NEGATIVE),
            Need::Required,
            "bekker: kc in N/m^(n+1); reece: k1 in Pa",
        ),
        field(
            "frictional_modulus",
            number(&[&NUMBER], NOT_NEGATIVE),
            Need::Required,
            "bekker: kphi in N/m^(n+2); reece: k2 in Pa/m",
        ),
        field("cohesion", number(&[&PRESSURE], NOT_NEGATIVE), Need::Required, "cohesion c"),
        field(
            "friction_angle",
            number(&[&ANGLE], FRICTION_ANGLE),
            Need::Required,
            "angle of internal friction phi",
        ),
        // Assumed: published soils do not say it. Stiff, so that a rut rebounds by a fraction of a millimetre.
        field(
            "elastic_stiffness",
            number(&[&SOIL_STIFFNESS], POSITIVE),
            Need::Default("\"1e9 Pa/m\""),
            "slope of unloading and reloading; the default is assumed",
        ),
        field(
            "damping",
            number(&[&SOIL_DAMPING], NOT_NEGATIVE),
            Need::Default("\"0 Pa s/m\""),
            "pressure per speed of penetration",
        ),
        // Assumed where none is published: the usual value for firm sand.
        field(
            "shear_length",
            number(&[&LENGTH], POSITIVE),
            Need::Default("\"25 mm\""),
            "shear displacement at which 63 % of the strength is there; the default is assumed",
        ),
    ],
};

/// Soil on which wheels and other bodies sink in.
pub(super) static TERRAIN: Section = Section {
    name: "terrain",
    about: "soil that deforms, on a grid of nodes; instead of ground",
    fields: TERRAIN_FIELDS,
};

static TERRAIN_FIELDS: &[Field] = &[
    field(
        "shape",
        Kind::Choice(&["flat", "sloped", "procedural", "map"]),
        Need::Default("\"flat\""),
        "its form before anything touches it: flat, a slope, hills made from the seed, or a map file",
    ),
    field(
        "height",
        number(&[&LENGTH], ANY),
        Need::Default("\"0 m\""),
        "z of the surface, or added to the map",
    ),
    field("slope", number(&[&ANGLE], SLOPE), Need::Optional, "sloped: steepness"),
    field(
        "uphill",
        number(&[&ANGLE], ANY),
        Need::Optional,
        "sloped: heading in which it rises, from x towards y",
    ),
    hills::WAVELENGTH,
    hills::AMPLITUDE,
    hills::OCTAVES,
    map::FILE,
    map::ORIGIN,
    map::ZERO,
    map::CROP,
    map::CROP_NODES,
    map::NO_DATA,
    map::FILL,
    map::MAP_SPACING,
    map::MAP_SCALE,
    map::MAP_OFFSET,
    map::FIRST_ROW,
    field("spacing", number(&[&LENGTH], SIZE), Need::Default("\"10 mm\""), "distance of the grid's nodes"),
    field(
        "soil",
        Kind::OneOf(&[Kind::Text, Kind::Table(&SOIL)]),
        Need::Derived("that of the feet, where they press a grid"),
        "a soil of the library, a [soil.NAME] of this file, or a table",
    ),
    field(
        "exponent",
        number(&[&NUMBER], EXPONENT),
        Need::Derived("the soil's own"),
        "in place of the soil's own",
    ),
    field(
        "cohesive_modulus",
        number(&[&NUMBER], NOT_NEGATIVE),
        Need::Derived("the soil's own"),
        "in place of the soil's own",
    ),
    field(
        "frictional_modulus",
        number(&[&NUMBER], NOT_NEGATIVE),
        Need::Derived("the soil's own"),
        "in place of the soil's own",
    ),
    field(
        "cohesion",
        number(&[&PRESSURE], NOT_NEGATIVE),
        Need::Derived("the soil's own"),
        "in place of the soil's own",
    ),
    field(
        "friction_angle",
        number(&[&ANGLE], FRICTION_ANGLE),
        Need::Derived("the soil's own"),
        "in place of the soil's own",
    ),
    field(
        "elastic_stiffness",
        number(&[&SOIL_STIFFNESS], POSITIVE),
        Need::Derived("the soil's own"),
        "in place of the soil's own",
    ),
    field(
        "damping",
        number(&[&SOIL_DAMPING], NOT_NEGATIVE),
        Need::Derived("the soil's own"),
        "in place of the soil's own",
    ),
    field(
        "shear_length",
        number(&[&LENGTH], POSITIVE),
        Need::Derived("the soil's own"),
        "in place of the soil's own",
    ),
    field(
        "friction_law",
        Kind::Choice(&["coulomb", "janosi"]),
        Need::Default("\"coulomb\""),
        "shear: by speed (coulomb, regularised), or by shear displacement (janosi)",
    ),
    field(
        "friction_speed",
        number(&[&SPEED], POSITIVE),
        Need::Derived("half the speed of the rig, else 10 mm/s"),
        "coulomb: sliding speed at which 71 % of the strength is there",
    ),
    field(
        "bekker_width",
        Kind::Choice(&["given", "footprint", "perimeter"]),
        Need::Default("\"given\""),
        "width b of the pressure law: given, short side of the contact, or twice its area over its perimeter",
    ),
    field("given_width", number(&[&LENGTH], SIZE), Need::Default("\"0.1 m\""), "given: the width b"),
    field("deposition", Kind::Flag, Need::Default("true"), "displaced soil is put down beside the footprint"),
    field("erosion", Kind::Flag, Need::Default("true"), "slopes steeper than the friction angle slide"),
    // Assumed: the paper names the exponent of its Eq. 10 but gives no number.
    field(
        "spread_exponent",
        number(&[&NUMBER], SPREAD),
        Need::Default("2"),
        "how narrowly pushed soil is thrown ahead; the default is assumed",
    ),
    field(
        "move_every",
        Kind::Count { min: 1, max: 10_000 },
        Need::Default("20"),
        "displaced soil is moved every so many steps",
    ),
    field("sweeps", Kind::Count { min: 1, max: 1_000 }, Need::Default("2"), "sweeps of erosion each time"),
    field("region", Kind::Map(&REGION), Need::Optional, "a rectangle of another soil; later ones win"),
    field("heap", Kind::Map(&HEAP), Need::Optional, "soil heaped up at the start"),
];

static REGION: Section = Section {
    name: "region",
    about: "a rectangle of another soil, along x and y",
    fields: &[
        field(
            "from",
            Kind::Numbers { dims: &[&LENGTH], range: ANY, lengths: &[2] },
            Need::Required,
            "smallest x and y",
        ),
        field(
            "to",
            Kind::Numbers { dims: &[&LENGTH], range: ANY, lengths: &[2] },
            Need::Required,
            "largest x and y",
        ),
        field(
            "soil",
            Kind::OneOf(&[Kind::Text, Kind::Table(&SOIL)]),
            Need::Required,
            "a soil of the library, a [soil.NAME] of this file, or a table",
        ),
    ],
};

static HEAP: Section = Section {
    name: "heap",
    about: "a cylinder of soil put on the ground at the start, to slide to its natural slope",
    fields: &[
        field(
            "centre",
            Kind::Numbers { dims: &[&LENGTH], range: ANY, lengths: &[2] },
            Need::Default("[\"0 m\", \"0 m\"]"),
            "its middle, x and y",
        ),
        field("radius", number(&[&LENGTH], POSITIVE), Need::Required, "its radius"),
        field("height", number(&[&LENGTH], POSITIVE), Need::Required, "its height"),
    ],
};

pub(super) static WHEEL: Section = Section {
    name: "wheel",
    about: "a rigid wheel that rolls in soil; on a plane ground tyres stand for it",
    fields: &[
        field("body", Kind::Text, Need::Required, "the body"),
        field(
            "centre",
            vector(&[&LENGTH]),
            Need::Default("[\"0 m\", \"0 m\", \"0 m\"]"),
            "wheel centre in the body's frame",
        ),
        field(
            "axis",
            Kind::Axis,
            Need::Default("[0, 1, 0]"),
            "spin axis; turning positively about it rolls forward",
        ),
        field("radius", number(&[&LENGTH], SIZE), Need::Required, "radius of the rim"),
        field("width", number(&[&LENGTH], SIZE), Need::Required, "width"),
        field("grousers", Kind::Table(&GROUSERS), Need::Optional, "bars across the rim"),
        field(
            "carried_layer",
            number(&[&LENGTH], THICKNESS),
            Need::Derived("the height of the grousers, zero if there are none"),
            "thickness of the soil that the sliding rim carries away",
        ),
    ],
};

static GROUSERS: Section = Section {
    name: "grousers",
    about: "bars across the rim of a wheel",
    fields: &[
        field("count", Kind::Count { min: 1, max: 1_000 }, Need::Required, "how many around the rim"),
        field("height", number(&[&LENGTH], SIZE), Need::Required, "height above the rim"),
        field("thickness", number(&[&LENGTH], SIZE), Need::Default("\"3 mm\""), "thickness along the rim"),
    ],
};

pub(super) static SOIL_CONTACT: Section = Section {
    name: "soil_contact",
    about: "a body that touches soil with its surface: one of box, cylinder (about z), sphere, mesh",
    fields: &[
        field("body", Kind::Text, Need::Required, "the body"),
        field("position", vector(&[&LENGTH]), Need::Derived("the body's origin"), "in the body's frame"),
        field("at", vector(&[&LENGTH]), Need::Optional, "in the machine's frame, all joints at zero"),
        field("roll", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about x"),
        field("pitch", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about y"),
        field("yaw", number(&[&ANGLE], ANY), Need::Default("\"0 deg\""), "about z"),
        field(
            "box",
            Kind::Numbers { dims: &[&LENGTH], range: POSITIVE, lengths: &[3] },
            Need::Optional,
            "edge lengths",
        ),
        field(
            "cylinder",
            Kind::Numbers { dims: &[&LENGTH], range: POSITIVE, lengths: &[2] },
            Need::Optional,
            "radius and length",
        ),
        field("sphere", number(&[&LENGTH], POSITIVE), Need::Optional, "radius"),
        field("mesh", Kind::Text, Need::Optional, "an STL, OBJ or glTF file (.stl, .obj, .glb, .gltf)"),
        field(
            "scale",
            Kind::Numbers { dims: &[&NUMBER], range: POSITIVE, lengths: &[1, 3] },
            Need::Default("1"),
            "metres per unit of the mesh file",
        ),
        field(
            "carried_layer",
            number(&[&LENGTH], THICKNESS),
            Need::Default("\"0 mm\""),
            "thickness of the soil that the sliding surface carries away",
        ),
    ],
};
