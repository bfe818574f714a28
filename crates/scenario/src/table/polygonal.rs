//! The table: polygonal contact, elastic layers on bodies of revolution and meshes; and presses, which place two such bodies.

use super::typed::{
    body_name, choice, count, flag, list, number, numbers, signal, table, text, texts, vector, vector_in,
};
use super::{ANY, NOT_NEGATIVE, POSITIVE, Range, TurnKeys, section, words};
use crate::read::{BodyName, Text, Timed};
use crate::unit::{ANGLE, AREAL_DAMPING, AREAL_STIFFNESS, DENSITY, Dim, LENGTH, NUMBER, PRESSURE, SPEED};
use touchdown_math::Vec3;

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

words! {
    pub(crate) enum UpWord { X = "x", Y = "y", Z = "z" }
}

section! {
    /// Form and layer of a side of a polygonal contact.
    pub(crate) struct SideKeys "side": "one of sphere, cylinder, cone, disc, section, box, mesh, rock, and its layer";
    optional sphere: f64 = number(LENGTHS, POSITIVE), "radius; a body of revolution";
    optional cylinder: [f64; 2] = numbers(LENGTHS, POSITIVE),
        "radius and length about z; its round side touches, not its ends";
    optional cone: Vec3 = vector_in(LENGTHS, NOT_NEGATIVE),
        "radius at z = 0, radius at z = length, and length; its round side touches, not its ends";
    optional disc: f64 = number(LENGTHS, POSITIVE), "radius of a flat plate that looks along +z";
    optional section: Text = text(),
        "longitudinal section of a body of revolution about z: points \"z r, z r\" in metres joined by lines; a point after \
     arc is reached by an arc through the point before it (\"arc z r, z r\"), points after spline by a smooth curve, \
     after line by lines again; parts are separated by semicolons. Going up along z the material is at the axis";
    optional section_open: Text = text(),
        "section of the reference: what it is when opening is 1, in the same strokes; between 0 and 1 every point moves straight. A crown that opens";
    optional opening: Timed = signal(NUMBERS),
        "with section_open: 0 is section, 1 is section_open; in time. The work of the drive that moves it is in drive_work_j";
    default("false") input: bool = flag(),
        "with opening: its rate can be commanded while the simulation runs, by the name of the contact";
    default("false") cavity: bool = flag(),
        "section, cylinder, cone: the material is outside, as in a nozzle or a bore";
    optional cuboid as "box": Vec3 = vector_in(LENGTHS, POSITIVE), "edge lengths, as a mesh";
    optional mesh: Text = text(), "an STL, OBJ or glTF file";
    default("1") scale: Vec<f64> = list(NUMBERS, POSITIVE, &[1, 3]), "mesh: metres per unit of the file";
    derived("z; y for glTF") up: UpWord = choice(), "mesh: the axis of the file that points up; it becomes z";
    optional rock: Vec3 = vector_in(LENGTHS, POSITIVE),
        "an irregular rock from rock_seed, with these edges of the box around it";
    default("1") rock_seed: u64 = count(0, i64::MAX as u64), "which rock";
    default("0.12") roughness: f64 = number(NUMBERS, Range { min: 0.0, max: 0.5, open: false }),
        "rock: height of its bumps over its radius";
    default("720") resolution: u64 = count(8, 20_000),
        "corners around a body of revolution that carries the area; rings along it are as far apart";
    derived("as the mesh is; a 20th of a box's shortest edge") edge: f64 = number(LENGTHS, POSITIVE),
        "box, mesh, rock that carries the area: longest edge of its triangles";
    optional modulus: f64 = number(PRESSURES, POSITIVE),
        "Young's modulus of the layer; with depth. Without a layer the side is rigid";
    derived("with modulus: 0.3") poisson: f64 = number(NUMBERS, POISSON), "Poisson's ratio of the layer";
    optional depth: f64 = number(LENGTHS, DEPTH),
        "depth of the layer; compressed by more than a quarter of it, the run says that it left the model's range";
    optional stiffness: f64 = number(STIFFNESSES, POSITIVE), "of the layer, per area, instead of modulus";
    default("\"0 N s/m^3\"") damping: f64 = number(DAMPINGS, NOT_NEGATIVE), "of the layer, per area";
    derived("of the material; half the stiffness where that is given") tangential_stiffness: f64 = number(STIFFNESSES, POSITIVE),
        "of the layer, per area";
    default("\"0 N s/m^3\"") tangential_damping: f64 = number(DAMPINGS, NOT_NEGATIVE),
        "of the layer while it sticks, per area";
}

section! {
    /// The other side of a polygonal contact.
    pub(crate) struct OtherSideKeys "other_side":
        "form and layer of the other side: one of sphere, cylinder, cone, disc, section, box, mesh, rock";
    derived("the body's origin") position: Vec3 = vector(LENGTHS), "in the body's frame";
    group turn: TurnKeys;
    group side: SideKeys;
}

words! {
    pub(crate) enum ReferenceWord { Other = "other", Body = "body" }
}

words! {
    pub(crate) enum AreaWord { Faces = "faces", Reference = "reference" }
}

words! {
    pub(crate) enum SeparationWord { Clamped = "clamped", Literal = "literal" }
}

words! {
    pub(crate) enum PolygonalFrictionWord {
        None = "none",
        StickSlip = "stick-slip",
        Regularised = "regularised",
    }
}

section! {
    /// A polygonal contact.
    pub(crate) struct PolygonalKeys "polygonal":
        "a body with an elastic layer that touches another body, the world or rigid ground over an area, face by face: one \
            of sphere, cylinder, cone, disc, section, box, mesh, rock";
    required body: Text = text(),
        "the body; columns tell the wrench on it. A name with * makes a contact NAME_BODY for each body that matches";
    derived("the body's origin") position: Vec3 = vector(LENGTHS), "in the body's frame";
    optional at: Vec3 = vector(LENGTHS), "in the machine's frame, all joints at zero";
    group turn: TurnKeys;
    group side: SideKeys;
    default("\"ground\"") other: BodyName = body_name(),
        "what it touches: another body, or world with other_side fixed in it; without other_side the rigid ground";
    optional other_side: OtherSideKeys = table(), "form and layer of what it touches";
    default("\"other\"") reference: ReferenceWord = choice(),
        "the side that penetration and normals come from; the other one carries the faces";
    default("\"faces\"") area: AreaWord = choice(),
        "whose area counts: that of the faces, or that of the reference below them";
    default("\"0 m\"") damping_depth: f64 = number(LENGTHS, NOT_NEGATIVE),
        "penetration over which damping rises, s_d0";
    default("\"clamped\"") separation: SeparationWord = choice(),
        "clamped: the normal force never pulls; literal: damping may pull while the sides part";
    filled("stick-slip with friction above zero, else none") friction_law: PolygonalFrictionWord = choice(),
        "stick-slip: every face is held by an anchor until it breaks away; regularised: creeps at rest";
    optional friction: f64 = number(NUMBERS, FRICTION), "coefficient; stick-slip: at rest";
    derived("stick-slip: friction") friction_min: f64 = number(NUMBERS, FRICTION),
        "stick-slip: coefficient while it slides";
    derived("1 mm/s, with friction") friction_speed: f64 = number(SPEEDS, FRICTION_SPEED),
        "stick-slip: below it a sliding face sticks again; regularised: speed below which it is smooth";
    default("true") on: bool = flag(), "whether it acts at the start";
    default("false") switch: bool = flag(),
        "it can be switched on (1) and off (0) while the simulation runs, by the input NAME.on; what it stored is booked as work of loads";
    default("\"10 mm\"") threshold: f64 = number(LENGTHS, POSITIVE),
        "travel of approach in one step at most: adaptive steps keep it, with fixed steps a check fails where it is exceeded. The thickness of the thinnest part";
}

section! {
    /// Rocks on the ground.
    pub(crate) struct RocksKeys "rocks":
        "irregular rocks at random places, which wheels meet by polygonal contact; in terrain they are bodies that press into the soil";
    required count: u64 = count(1, 1000), "how many";
    filled("the scenario's seed") seed: u64 = count(0, i64::MAX as u64),
        "another seed, other rocks at other places";
    required from: [f64; 2] = numbers(LENGTHS, ANY), "x and y of the corner of their field";
    required to: [f64; 2] = numbers(LENGTHS, ANY), "x and y of the corner across";
    required size: [f64; 2] = numbers(LENGTHS, POSITIVE),
        "longest edge of the boxes around them: smallest and largest";
    default("0.5") buried: f64 = number(NUMBERS, Range { min: 0.0, max: 0.9, open: false }),
        "share of their height below the level ground; soil under them is removed accordingly";
    filled("without terrain") fixed: bool = flag(), "they do not move";
    default("\"2700 kg/m^3\"") density: f64 = number(DENSITIES, POSITIVE), "of the rocks";
    required wheels: Vec<Text> = texts(), "bodies that touch them; * stands for any text";
    required wheel_radius: f64 = number(LENGTHS, POSITIVE), "of these wheels, about y";
    required wheel_width: f64 = number(LENGTHS, POSITIVE), "of these wheels; their edges are rounded";
    required stiffness: f64 = number(STIFFNESSES, POSITIVE), "of the wheels' layer, per area";
    default("\"0 N s/m^3\"") damping: f64 = number(DAMPINGS, NOT_NEGATIVE), "of the layer, per area";
    default("\"0 m\"") damping_depth: f64 = number(LENGTHS, NOT_NEGATIVE),
        "penetration over which damping rises";
    default("\"0 N s/m^3\"") tangential_damping: f64 = number(DAMPINGS, NOT_NEGATIVE),
        "of the layer while it sticks, per area";
    required friction: f64 = number(NUMBERS, FRICTION), "coefficient at rest";
    filled("friction") friction_min: f64 = number(NUMBERS, FRICTION), "coefficient while sliding";
    default("96") resolution: u64 = count(8, 2_000), "corners around a wheel";
}

words! {
    pub(crate) enum PressWord {
        PegInCone = "peg-in-cone",
        SphereOnPlate = "sphere-on-plate",
        CylinderOnPlate = "cylinder-on-plate",
        CylinderInBore = "cylinder-in-bore",
    }
}

section! {
    /// Two bodies pressed together.
    pub(crate) struct PressKeys "press":
        "places a body against another and gives both their forms: fills in polygonal.NAME and the joint's place";
    required kind: PressWord = choice(),
        "peg-in-cone: a truncated cone in a nozzle about z that opens upwards from its throat at z = 0; on-plate: on \
             the plane z = 0; in-bore: across z in a bore about y through the origin, pressed down";
    required contact: Text = text(), "the NAME of [polygonal.NAME]";
    required joint: Text = text(), "the free joint whose place is filled in";
    default("\"0 m\"") push: f64 = number(LENGTHS, ANY),
        "how far beyond first touch, downwards; negative is apart";
    default("\"0 m\"") offset_x: f64 = number(LENGTHS, ANY), "moved along x";
    default("\"0 m\"") offset_y: f64 = number(LENGTHS, ANY), "moved along y";
    default("\"0 deg\"") tilt_x: f64 = number(ANGLES, TILT), "rotation vector along x, about its own origin";
    default("\"0 deg\"") tilt_y: f64 = number(ANGLES, TILT), "rotation vector along y";
    optional radius: f64 = number(LENGTHS, POSITIVE), "of the sphere or cylinder";
    optional bore_radius: f64 = number(LENGTHS, POSITIVE), "cylinder-in-bore: of the bore";
    optional length: f64 = number(LENGTHS, POSITIVE), "of the peg or cylinder";
    optional tip_radius: f64 = number(LENGTHS, POSITIVE), "peg-in-cone: radius of the peg's tip";
    optional half_angle: f64 = number(ANGLES, HALF_ANGLE),
        "peg-in-cone: between axis and surface, of both cones";
    optional throat_radius: f64 = number(LENGTHS, POSITIVE), "peg-in-cone: of the nozzle at z = 0";
    optional exit_radius: f64 = number(LENGTHS, POSITIVE), "peg-in-cone: of the nozzle where it opens";
}
