//! The table: polygonal contact, elastic layers on bodies of revolution and meshes; and presses, which place two such bodies.

use super::{ANY, Field, Kind, NOT_NEGATIVE, Need, POSITIVE, Range, Section, field, number, vector};
use crate::unit::{ANGLE, AREAL_DAMPING, AREAL_STIFFNESS, DENSITY, Dim, LENGTH, NUMBER, PRESSURE, SPEED};

/// Dimensions, as the fields below share them.
const ANGLES: &[&Dim] = &[&ANGLE];
const LENGTHS: &[&Dim] = &[&LENGTH];
const NUMBERS: &[&Dim] = &[&NUMBER];
const PRESSURES: &[&Dim] = &[&PRESSURE];
const STIFFNESSES: &[&Dim] = &[&AREAL_STIFFNESS];
const DAMPINGS: &[&Dim] = &[&AREAL_DAMPING];
const DENSITIES: &[&Dim] = &[&DENSITY];
const SPEEDS: &[&Dim] = &[&SPEED];

/// Ranges of `contact::polygonal`.
const FRICTION: Range = Range { min: 0.0, max: 10.0, open: false };
const FRICTION_SPEED: Range = Range { min: 0.0, max: 1.0, open: true };
const POISSON: Range = Range { min: 0.0, max: 0.45, open: false };
const DEPTH: Range = Range { min: 0.0, max: 10.0, open: true };
/// Half angle of a cone.
const HALF_ANGLE: Range = Range { min: 0.01, max: 1.55, open: false };
/// Tilt of a pressed body.
const TILT: Range = Range { min: -1.0, max: 1.0, open: false };

const ROLL: Field = field("roll", number(ANGLES, ANY), Need::Default("\"0 deg\""), "about x");
const PITCH: Field = field("pitch", number(ANGLES, ANY), Need::Default("\"0 deg\""), "about y");
const YAW: Field = field("yaw", number(ANGLES, ANY), Need::Default("\"0 deg\""), "about z");
const POSITION: Field =
    field("position", vector(LENGTHS), Need::Derived("the body's origin"), "in the body's frame");
const SPHERE: Field =
    field("sphere", number(LENGTHS, POSITIVE), Need::Optional, "radius; a body of revolution");
const CYLINDER: Field = field(
    "cylinder",
    Kind::Numbers { dims: LENGTHS, range: POSITIVE, lengths: &[2] },
    Need::Optional,
    "radius and length about z; its round side touches, not its ends",
);
const CONE: Field = field(
    "cone",
    Kind::Numbers { dims: LENGTHS, range: NOT_NEGATIVE, lengths: &[3] },
    Need::Optional,
    "radius at z = 0, radius at z = length, and length; its round side touches, not its ends",
);
const DISC: Field =
    field("disc", number(LENGTHS, POSITIVE), Need::Optional, "radius of a flat plate that looks along +z");
const SECTION: Field = field(
    "section",
    Kind::Text,
    Need::Optional,
    "longitudinal section of a body of revolution about z: points \"z r, z r\" in metres joined by lines; a point after \
     arc is reached by an arc through the point before it (\"arc z r, z r\"), points after spline by a smooth curve, \
     after line by lines again; parts are separated by semicolons. Going up along z the material is at the axis",
);
const SECTION_OPEN: Field = field(
    "section_open",
    Kind::Text,
    Need::Optional,
    "section of the reference: what it is when opening is 1, in the same strokes; between 0 and 1 every point moves straight. A crown that opens",
);
const OPENING: Field = field(
    "opening",
    Kind::Signal(NUMBERS),
    Need::Optional,
    "with section_open: 0 is section, 1 is section_open; in time. The work of the drive that moves it is in drive_work_j",
);
const UP: Field = field(
    "up",
    Kind::Choice(&["x", "y", "z"]),
    Need::Derived("z; y for glTF"),
    "mesh: the axis of the file that points up; it becomes z",
);
const CAVITY: Field = field(
    "cavity",
    Kind::Flag,
    Need::Default("false"),
    "section, cylinder, cone: the material is outside, as in a nozzle or a bore",
);
const BOX: Field = field(
    "box",
    Kind::Numbers { dims: LENGTHS, range: POSITIVE, lengths: &[3] },
    Need::Optional,
    "edge lengths, as a mesh",
);
const MESH: Field = field("mesh", Kind::Text, Need::Optional, "an STL, OBJ or glTF file");
const SCALE: Field = field(
    "scale",
    Kind::Numbers { dims: NUMBERS, range: POSITIVE, lengths: &[1, 3] },
    Need::Default("1"),
    "mesh: metres per unit of the file",
);
const ROCK: Field = field(
    "rock",
    Kind::Numbers { dims: LENGTHS, range: POSITIVE, lengths: &[3] },
    Need::Optional,
    "an irregular rock from rock_seed, with these edges of the box around it",
);
const ROCK_SEED: Field =
    field("rock_seed", Kind::Count { min: 0, max: i64::MAX as u64 }, Need::Default("1"), "which rock");
const ROUGHNESS: Field = field(
    "roughness",
    number(NUMBERS, Range { min: 0.0, max: 0.5, open: false }),
    Need::Default("0.12"),
    "rock: height of its bumps over its radius",
);
const RESOLUTION: Field = field(
    "resolution",
    Kind::Count { min: 8, max: 20_000 },
    Need::Default("720"),
    "corners around a body of revolution that carries the area; rings along it are as far apart",
);
const EDGE: Field = field(
    "edge",
    number(LENGTHS, POSITIVE),
    Need::Derived("as the mesh is; a 20th of a box's shortest edge"),
    "box, mesh, rock that carries the area: longest edge of its triangles",
);
const MODULUS: Field = field(
    "modulus",
    number(PRESSURES, POSITIVE),
    Need::Optional,
    "Young's modulus of the layer; with depth. Without a layer the side is rigid",
);
const POISSON_RATIO: Field = field(
    "poisson",
    number(NUMBERS, POISSON),
    Need::Derived("with modulus: 0.3"),
    "Poisson's ratio of the layer",
);
const LAYER_DEPTH: Field = field(
    "depth",
    number(LENGTHS, DEPTH),
    Need::Optional,
    "depth of the layer; compressed by more than a quarter of it, the run says that it left the model's range",
);
const STIFFNESS: Field = field(
    "stiffness",
    number(STIFFNESSES, POSITIVE),
    Need::Optional,
    "of the layer, per area, instead of modulus",
);
const DAMPING: Field = field(
    "damping",
    number(DAMPINGS, NOT_NEGATIVE),
    Need::Default("\"0 N s/m^3\""),
    "of the layer, per area",
);
const TANGENTIAL_STIFFNESS: Field = field(
    "tangential_stiffness",
    number(STIFFNESSES, POSITIVE),
    Need::Derived("of the material; half the stiffness where that is given"),
    "of the layer, per area",
);
const TANGENTIAL_DAMPING: Field = field(
    "tangential_damping",
    number(DAMPINGS, NOT_NEGATIVE),
    Need::Default("\"0 N s/m^3\""),
    "of the layer while it sticks, per area",
);

/// The other side of a polygonal contact.
static OTHER_SIDE: Section = Section {
    name: "other_side",
    about: "form and layer of the other side: one of sphere, cylinder, cone, disc, section, box, mesh, rock",
    fields: &[
        POSITION,
        ROLL,
        PITCH,
        YAW,
        SPHERE,
        CYLINDER,
        CONE,
        DISC,
        SECTION,
        SECTION_OPEN,
        OPENING,
        CAVITY,
        BOX,
        MESH,
        SCALE,
        UP,
        ROCK,
        ROCK_SEED,
        ROUGHNESS,
        RESOLUTION,
        EDGE,
        MODULUS,
        POISSON_RATIO,
        LAYER_DEPTH,
        STIFFNESS,
        DAMPING,
        TANGENTIAL_STIFFNESS,
        TANGENTIAL_DAMPING,
    ],
};

/// A polygonal contact.
pub(super) static POLYGONAL: Section = Section {
    name: "polygonal",
    about: "a body with an elastic layer that touches another body, the world or rigid ground over an area, face by face: one \
            of sphere, cylinder, cone, disc, section, box, mesh, rock",
    fields: &[
        field(
            "body",
            Kind::Text,
            Need::Required,
            "the body; columns tell the wrench on it. A name with * makes a contact NAME_BODY for each body that matches",
        ),
        POSITION,
        field("at", vector(LENGTHS), Need::Optional, "in the machine's frame, all joints at zero"),
        ROLL,
        PITCH,
        YAW,
        SPHERE,
        CYLINDER,
        CONE,
        DISC,
        SECTION,
        SECTION_OPEN,
        OPENING,
        CAVITY,
        BOX,
        MESH,
        SCALE,
        UP,
        ROCK,
        ROCK_SEED,
        ROUGHNESS,
        RESOLUTION,
        EDGE,
        MODULUS,
        POISSON_RATIO,
        LAYER_DEPTH,
        STIFFNESS,
        DAMPING,
        TANGENTIAL_STIFFNESS,
        TANGENTIAL_DAMPING,
        field(
            "other",
            Kind::Text,
            Need::Default("\"ground\""),
            "what it touches: another body, or world with other_side fixed in it; without other_side the rigid ground",
        ),
        field("other_side", Kind::Table(&OTHER_SIDE), Need::Optional, "form and layer of what it touches"),
        field(
            "reference",
            Kind::Choice(&["other", "body"]),
            Need::Default("\"other\""),
            "the side that penetration and normals come from; the other one carries the faces",
        ),
        field(
            "area",
            Kind::Choice(&["faces", "reference"]),
            Need::Default("\"faces\""),
            "whose area counts: that of the faces, or that of the reference below them",
        ),
        field(
            "damping_depth",
            number(LENGTHS, NOT_NEGATIVE),
            Need::Default("\"0 m\""),
            "penetration over which damping rises, s_d0",
        ),
        field(
            "separation",
            Kind::Choice(&["clamped", "literal"]),
            Need::Default("\"clamped\""),
            "clamped: the normal force never pulls; literal: damping may pull while the sides part",
        ),
        field(
            "friction_law",
            Kind::Choice(&["none", "stick-slip", "regularised"]),
            Need::Derived("stick-slip with friction above zero, else none"),
            "stick-slip: every face hangs on an anchor until it breaks away; regularised: creeps at rest",
        ),
        field("friction", number(NUMBERS, FRICTION), Need::Optional, "coefficient; stick-slip: at rest"),
        field(
            "friction_min",
            number(NUMBERS, FRICTION),
            Need::Derived("stick-slip: friction"),
            "stick-slip: coefficient while it slides",
        ),
        field(
            "friction_speed",
            number(SPEEDS, FRICTION_SPEED),
            Need::Derived("1 mm/s, with friction"),
            "stick-slip: below it a sliding face sticks again; regularised: speed below which it is smooth",
        ),
        field(
            "threshold",
            number(LENGTHS, POSITIVE),
            Need::Default("\"10 mm\""),
            "way of approach in one step at most: adaptive steps keep it, with fixed ones a run says when they do not. The thinnest part that counts",
        ),
    ],
};

/// Rocks on the ground.
pub(super) static ROCKS: Section = Section {
    name: "rocks",
    about: "irregular rocks at random places, which wheels meet by polygonal contact; in terrain they are bodies that press into the soil",
    fields: &[
        field("count", Kind::Count { min: 1, max: 1000 }, Need::Required, "how many"),
        field(
            "seed",
            Kind::Count { min: 0, max: i64::MAX as u64 },
            Need::Derived("the scenario's seed"),
            "another seed, other rocks at other places",
        ),
        field(
            "from",
            Kind::Numbers { dims: LENGTHS, range: ANY, lengths: &[2] },
            Need::Required,
            "x and y of the corner of their field",
        ),
        field(
            "to",
            Kind::Numbers { dims: LENGTHS, range: ANY, lengths: &[2] },
            Need::Required,
            "x and y of the corner across",
        ),
        field(
            "size",
            Kind::Numbers { dims: LENGTHS, range: POSITIVE, lengths: &[2] },
            Need::Required,
            "longest edge of the boxes around them: smallest and largest",
        ),
        field(
            "buried",
            number(NUMBERS, Range { min: 0.0, max: 0.9, open: false }),
            Need::Default("0.5"),
            "share of their height below the level ground; soil under them is removed accordingly",
        ),
        field("fixed", Kind::Flag, Need::Derived("without terrain"), "they do not move"),
        field("density", number(DENSITIES, POSITIVE), Need::Default("\"2700 kg/m^3\""), "of the rocks"),
        field("wheels", Kind::Texts, Need::Required, "bodies that meet them; * stands for anything"),
        field("wheel_radius", number(LENGTHS, POSITIVE), Need::Required, "of these wheels, about y"),
        field(
            "wheel_width",
            number(LENGTHS, POSITIVE),
            Need::Required,
            "of these wheels; their edges are rounded",
        ),
        field("stiffness", number(STIFFNESSES, POSITIVE), Need::Required, "of the wheels' layer, per area"),
        field(
            "damping",
            number(DAMPINGS, NOT_NEGATIVE),
            Need::Default("\"0 N s/m^3\""),
            "of the layer, per area",
        ),
        field(
            "damping_depth",
            number(LENGTHS, NOT_NEGATIVE),
            Need::Default("\"0 m\""),
            "penetration over which damping rises",
        ),
        field(
            "tangential_damping",
            number(DAMPINGS, NOT_NEGATIVE),
            Need::Default("\"0 N s/m^3\""),
            "of the layer while it sticks, per area",
        ),
        field("friction", number(NUMBERS, FRICTION), Need::Required, "coefficient at rest"),
        field(
            "friction_min",
            number(NUMBERS, FRICTION),
            Need::Derived("friction"),
            "coefficient while sliding",
        ),
        field(
            "resolution",
            Kind::Count { min: 8, max: 2_000 },
            Need::Default("96"),
            "corners around a wheel",
        ),
    ],
};

/// Two bodies pressed together.
pub(super) static PRESS: Section = Section {
    name: "press",
    about: "places a body against another and gives both their forms: fills in polygonal.NAME and the joint's place",
    fields: &[
        field(
            "kind",
            Kind::Choice(&["peg-in-cone", "sphere-on-plate", "cylinder-on-plate", "cylinder-in-bore"]),
            Need::Required,
            "peg-in-cone: a truncated cone in a nozzle about z that opens upwards from its throat at z = 0; on-plate: on \
             the plane z = 0; in-bore: across z in a bore about y through the origin, pressed down",
        ),
        field("contact", Kind::Text, Need::Required, "the NAME of [polygonal.NAME]"),
        field("joint", Kind::Text, Need::Required, "the free joint whose place is filled in"),
        field(
            "push",
            number(LENGTHS, ANY),
            Need::Default("\"0 m\""),
            "how far beyond first touch, downwards; negative is apart",
        ),
        field("offset_x", number(LENGTHS, ANY), Need::Default("\"0 m\""), "moved along x"),
        field("offset_y", number(LENGTHS, ANY), Need::Default("\"0 m\""), "moved along y"),
        field(
            "tilt_x",
            number(ANGLES, TILT),
            Need::Default("\"0 deg\""),
            "rotation vector along x, about its own origin",
        ),
        field("tilt_y", number(ANGLES, TILT), Need::Default("\"0 deg\""), "rotation vector along y"),
        field("radius", number(LENGTHS, POSITIVE), Need::Optional, "of the sphere or cylinder"),
        field("bore_radius", number(LENGTHS, POSITIVE), Need::Optional, "cylinder-in-bore: of the bore"),
        field("length", number(LENGTHS, POSITIVE), Need::Optional, "of the peg or cylinder"),
        field(
            "tip_radius",
            number(LENGTHS, POSITIVE),
            Need::Optional,
            "peg-in-cone: radius of the peg's tip",
        ),
        field(
            "half_angle",
            number(ANGLES, HALF_ANGLE),
            Need::Optional,
            "peg-in-cone: between axis and surface, of both cones",
        ),
        field(
            "throat_radius",
            number(LENGTHS, POSITIVE),
            Need::Optional,
            "peg-in-cone: of the nozzle at z = 0",
        ),
        field(
            "exit_radius",
            number(LENGTHS, POSITIVE),
            Need::Optional,
            "peg-in-cone: of the nozzle where it opens",
        ),
    ],
};
