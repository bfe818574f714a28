//! What a run is, in the user's words: the mechanism, the ground, the tyres, how to integrate, what to record and what to answer.
//!
//! Plain data, filled by the `scenario` crate (or by hand in tests); `World::build` checks and compiles it.

mod docking;
mod satellites;

pub use docking::{Allowables, Docking, DockingContacts, MOST_BRACKETS};
pub use satellites::{
    AttitudeControl, ControlMode, MOST_WHEELS, ReactionWheel, Satellites, ThrusterBody, WingBody,
};
use std::sync::Arc;
use touchdown_contact::foot::FootParameters;
use touchdown_contact::polygonal::mesh::MeshPair;
use touchdown_contact::polygonal::{Friction, PairLaw, RevolutionPair};
use touchdown_contact::soil::{SoilOptions, SoilParameters, SoilSurface};
use touchdown_contact::surface::{Form, PairOptions, SurfaceLaw};
use touchdown_contact::tyre::BrushParameters;
use touchdown_geometry::revolution::Family;
use touchdown_geometry::surface::HeightSurface;
use touchdown_geometry::{Relief, Shape, TriangleMesh};
use touchdown_math::{Pose, Signal, Vec3};
use touchdown_multibody::description::{Attachment, Mechanism};
use touchdown_multibody::flex::material::Material;
use touchdown_multibody::flex::mesh::FlexMesh;
use touchdown_multibody::flex::press::Press;
use touchdown_multibody::flex::sheet::SheetForm;
pub use touchdown_solve::Control as StepControl;
use touchdown_spacecraft::boom::BoomParameters;

/// Everything that `World::build` needs.
#[derive(Clone, Debug)]
pub struct WorldDescription {
    /// Bodies, joints, constraints, force elements, drives, gravity.
    pub mechanism: Mechanism,
    /// The ground, if there is one.
    pub ground: Option<Ground>,
    /// Tyres between wheels and the ground.
    pub tyres: Vec<Tyre>,
    /// Bodies that touch soil.
    pub soil_bodies: Vec<SoilBody>,
    /// Smooth contacts between bodies and the ground, or between two bodies.
    pub contacts: Vec<SmoothContact>,
    /// Polygonal contacts: elastic layers on bodies of revolution and meshes.
    pub polygonal: Vec<PolygonalContact>,
    /// Flexible bodies.
    pub flexible: Vec<Flexible>,
    /// Extendable booms between bodies.
    pub booms: Vec<Boom>,
    /// Capture tools: their contacts told together.
    pub captures: Vec<Capture>,
    /// Feet on hard ground or in soil.
    pub feet: Vec<FootContact>,
    /// Machines that walk: their distance, energy and lean are recorded.
    pub walkers: Vec<Walker>,
    /// Machines that drive on soil wheels: their slip, speed and power are recorded.
    pub vehicles: Vec<Vehicle>,
    /// Orbit, wheels, thrusters and control of satellites.
    pub satellites: Satellites,
    /// Pushes that act at once.
    pub impulses: Vec<Impulse>,
    /// Named points whose motion is recorded.
    pub points: Vec<Point>,
    /// What the bodies look like.
    pub visuals: Vec<Visual>,
    /// How the initial state is found.
    pub start: Start,
    /// How time advances.
    pub integrator: Integrator,
    /// Simulated time, s.
    pub duration: f64,
    /// What is recorded and how often.
    pub record: RecordOptions,
    /// What the summary answers.
    pub quantities: Vec<Quantity>,
    /// Something other than one run in time.
    pub study: Option<Study>,
}

/// The ground.
#[derive(Clone, Debug, PartialEq)]
pub enum Ground {
    /// A rigid plane.
    Plane {
        /// A point of it, m.
        point: Vec3,
        /// Its unit normal, out of the ground.
        normal: Vec3,
    },
    /// A rigid smooth surface.
    Surface(Box<HeightSurface>),
    /// Soil that deforms.
    Soil(Box<SoilGround>),
}

/// Soil on a relief.
#[derive(Clone, Debug, PartialEq)]
pub struct SoilGround {
    /// Undisturbed surface.
    pub relief: Relief,
    /// Distance of the grid's nodes, m. Node (i, j) lies at (i·spacing, j·spacing).
    pub spacing: f64,
    /// The soils that occur. The first one is everywhere where no region says otherwise.
    pub soils: Vec<SoilParameters>,
    /// Regions of other soils; later ones win.
    pub regions: Vec<SoilRegion>,
    /// Soil heaped up at the start.
    pub heaps: Vec<Heap>,
    /// How it is modelled.
    pub options: SoilOptions,
}

/// A rectangle of another soil.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoilRegion {
    /// Smallest x and y, m.
    pub from: [f64; 2],
    /// Largest x and y, m.
    pub to: [f64; 2],
    /// Index in [`SoilGround::soils`].
    pub soil: usize,
}

/// A cylinder of soil put on the ground at the start, to slide to its natural slope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heap {
    /// Centre, m.
    pub centre: [f64; 2],
    /// Radius, m.
    pub radius: f64,
    /// Height, m.
    pub height: f64,
}

/// A body that touches soil.
#[derive(Clone, Debug)]
pub struct SoilBody {
    /// Unique name, such as `front_left`; columns and quantities are named after it.
    pub name: String,
    /// Index in the mechanism's bodies.
    pub body: usize,
    /// Its surface's frame in the body. A wheel's axis is the frame's y: turning positively about it rolls the wheel along +x.
    pub X_BS: Pose,
    /// Form and carried layer.
    pub surface: SoilSurface,
    /// Where it deforms: the faces that take the place of that form.
    pub skin: Option<FlexSkin>,
}

/// Faces with which a flexible body touches soil.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexSkin {
    /// Index in [`WorldDescription::flexible`]; the body of the soil contact carries it.
    pub flexible: usize,
    /// Element and side (ζ = −½ or ½).
    pub faces: Vec<(usize, f64)>,
    /// Cells along and across each face, by which the soil sees it.
    pub cells: [usize; 2],
}

/// A smooth contact of two sides.
#[derive(Clone, Debug, PartialEq)]
pub struct SmoothContact {
    /// Unique name; columns and quantities are named after it.
    pub name: String,
    /// Side 1; `None` is the ground. Forces act at its closest point.
    pub one: Option<ContactSide>,
    /// Side 2.
    pub two: ContactSide,
    /// What they do to each other.
    pub law: SurfaceLaw,
    /// How candidates are searched for.
    pub options: PairOptions,
}

/// A body's side of a smooth contact.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSide {
    /// Index in the mechanism's bodies.
    pub body: usize,
    /// The form's frame in the body.
    pub X_BS: Pose,
    /// Its form.
    pub form: Form,
}

/// A polygonal contact of two sides.
#[derive(Clone, Debug)]
pub struct PolygonalContact {
    /// Unique name; columns and quantities are named after it.
    pub name: String,
    /// The side that carries the area, and the reference.
    pub sides: [PolygonalSide; 2],
    /// Forms and law, faces in the frame of the first side, the reference in that of the second.
    pub pair: PolygonalPair,
    /// Whether columns tell the wrench on the reference instead of that on the side that carries the area.
    pub tells_reference: bool,
    /// Way of approach in one adaptive step at most, m.
    pub threshold: f64,
    /// How the reference changes, if it is a body of revolution that does: a crown that opens.
    pub opening: Option<Opening>,
    /// Contacts with the same group are recorded as one, by its name: a wheel on many rocks.
    pub group: Option<String>,
}

/// A body of revolution that changes in time.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Its sections.
    pub family: Arc<Family>,
    /// Which of them, in time.
    pub parameter: Signal,
}

impl Opening {
    /// Speed at which its surface moves at most, m/s.
    pub fn speed_max(&self) -> f64 {
        let rate = match &self.parameter {
            Signal::Constant(_) => 0.0,
            Signal::Sine { amplitude, frequency_hz, .. } => {
                (std::f64::consts::TAU * frequency_hz * amplitude).abs()
            }
            Signal::Line { rate, .. } => rate.abs(),
            // The middle of a smooth rise is the steepest.
            rows => rows
                .corners()
                .windows(2)
                .map(|pair| 0.5 * (pair[0].0 + pair[1].0))
                .fold(0.0, |most: f64, t| most.max(rows.jet(t)[1].abs())),
        };
        rate * self.family.speed_max()
    }
}

/// A side of a polygonal contact.
#[derive(Clone, Debug)]
pub struct PolygonalSide {
    /// Index in the mechanism's bodies; `None` is the world.
    pub body: Option<usize>,
    /// The form's frame in the body.
    pub X_BS: Pose,
    /// What it looks like, in that frame; empty for the ground.
    pub mesh: TriangleMesh,
}

/// How a polygonal contact is detected.
#[derive(Clone, Debug)]
pub enum PolygonalPair {
    /// Faces against a body of revolution.
    Revolution(Box<RevolutionPair>),
    /// A mesh against a mesh or smooth ground.
    Mesh(Box<MeshPair>),
}

impl PolygonalPair {
    /// Whether faces remember anchors from step to step.
    pub fn has_memory(&self) -> bool {
        let sticks = |law: &PairLaw| matches!(law.friction, Friction::StickSlip { .. });
        match self {
            PolygonalPair::Revolution(pair) => pair.laws().iter().any(sticks),
            PolygonalPair::Mesh(pair) => sticks(pair.laws.law(0)),
        }
    }

    /// Penetration up to which all layers are linear, m; infinite where no depth is known.
    pub fn penetration_limit(&self) -> f64 {
        match self {
            PolygonalPair::Revolution(pair) => {
                pair.laws().iter().map(|law| law.penetration_limit).fold(f64::INFINITY, f64::min)
            }
            PolygonalPair::Mesh(pair) => pair.laws.law(0).penetration_limit,
        }
    }
}

/// A flexible body: a mesh, free or carried by a body.
#[derive(Clone, Debug)]
pub struct Flexible {
    /// Unique name; columns and quantities are named after it.
    pub name: String,
    /// The mesh, in its own frame M, stress-free. A mesh that is carried has no prescribed coordinates.
    pub mesh: FlexMesh,
    /// Pose of M at the start, of a mesh that nothing carries.
    pub X_WM: Pose,
    /// Velocity of M's origin at the start, m/s, of a mesh that nothing carries.
    pub velocity: Vec3,
    /// Angular velocity at the start, rad/s, world axes, of a mesh that nothing carries.
    pub spin: Vec3,
    /// Free coordinates at the start, in M; `None`: the stress-free form.
    pub shape: Option<Vec<f64>>,
    /// What carries it.
    pub carrier: Option<FlexCarrier>,
    /// Coordinates of the state.
    pub coordinates: NodalCoordinates,
    /// Contact with the ground.
    pub contact: Option<FlexContactDescription>,
    /// Where it is a wheel: its deformation and traction are recorded.
    pub wheel: Option<FlexWheel>,
    /// Points whose motion is recorded: name, element, place in it (ξ, η from 0 to 1, ζ from −½ to ½).
    pub points: Vec<(String, usize, [f64; 3])>,
}

/// How a body carries a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexCarrier {
    /// Index in the mechanism's bodies.
    pub body: usize,
    /// The mesh's frame in the body.
    pub X_BM: Pose,
    /// Nodes of the mesh that move with the body: a reference node, or several.
    pub nodes: Vec<usize>,
    /// Whether their gradients move with it, too; else they are pinned.
    pub gradients: bool,
}

/// Coordinates of a flexible body in the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodalCoordinates {
    /// Nodal vectors.
    #[default]
    Plain,
    /// Lᵀ times them, M = L·Lᵀ: the mass is the identity.
    Cholesky,
}

/// Contact points on a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexContactDescription {
    /// Faces that can touch: element and side (ζ = −½ or ½).
    pub faces: Vec<(usize, f64)>,
    /// Points along and across each face.
    pub points: [usize; 2],
    /// What the ground does to a point.
    pub law: SurfaceLaw,
}

/// A flexible wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlexWheel {
    /// Outer radius without load, m.
    pub radius: f64,
    /// Width, m.
    pub width: f64,
    /// Centre in the mesh's frame, m.
    pub centre: Vec3,
    /// Spin axis in the mesh's frame, a unit vector; turning positively about it rolls the wheel forward.
    pub axis: Vec3,
    /// Rolling radius over the ground = radius − share·deformation, for drives that hold a rim speed: a rim that keeps its length rolls
    /// farther than its hub is high.
    pub rolling_share: f64,
}

/// An extendable boom, clamped in two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Boom {
    /// Unique name; columns and quantities are named after it.
    pub name: String,
    /// Where it leaves its body: z along the boom.
    pub root: Attachment,
    /// Where it is clamped in the other body: coincides with the root moved along z by the length when nothing loads it.
    pub tip: Attachment,
    /// Stiffness, damping, safety spring, limits.
    pub law: BoomParameters,
    /// Its length in time, m, as long as nothing else commands it.
    pub length: Signal,
    /// Radius of the tube that is drawn, m.
    pub radius: f64,
}

/// A capture tool in a nozzle: what its contacts do together.
#[derive(Clone, Debug, PartialEq)]
pub struct Capture {
    /// Unique name; columns and quantities are named after it.
    pub name: String,
    /// Frame of the tool: z forward, into the nozzle.
    pub at: Attachment,
    /// Indices in [`WorldDescription::polygonal`]: shoulder and body, bolt, crown. All tell the wrench on the tool.
    pub contacts: [usize; 3],
    /// Place of the crown along z when its drive is at zero, m; the way of the drive draws it back.
    pub crown_extended: f64,
}

/// A foot on rigid ground, in soil with that surface, or on a grid of soil.
#[derive(Clone, Debug, PartialEq)]
pub struct FootContact {
    /// Unique name; columns and quantities are named after it.
    pub name: String,
    /// Index in the mechanism's bodies.
    pub body: usize,
    /// The foot's frame in the body: z up, origin in the middle of a flat sole or in the centre of a round one.
    pub X_BF: Pose,
    /// Form, spring and ground.
    pub law: FootParameters,
    /// The foot that it is compared with: index in [`WorldDescription::feet`].
    pub compare: Option<usize>,
    /// The body that stands for it where a grid of soil carries it, and keeps its footprints: index in [`WorldDescription::soil_bodies`]. Of `law` the form counts
    /// then; `None`: the law itself.
    pub soil_body: Option<usize>,
}

/// A machine that walks on feet.
#[derive(Clone, Debug, PartialEq)]
pub struct Walker {
    /// Unique name.
    pub name: String,
    /// Its body: index in the mechanism's bodies.
    pub body: usize,
    /// Where it begins, m.
    pub start: Vec3,
}

/// A machine on soil wheels.
#[derive(Clone, Debug, PartialEq)]
pub struct Vehicle {
    /// Unique name.
    pub name: String,
    /// The body whose motion counts as the machine's; its x axis is forward, z up.
    pub body: usize,
    /// Driven wheels: indices in [`WorldDescription::soil_bodies`].
    pub wheels: Vec<usize>,
}

/// A brush tyre on a wheel body.
#[derive(Clone, Debug)]
pub struct Tyre {
    /// Unique name, such as `front_left`; columns and quantities are named after it.
    pub name: String,
    /// The wheel: index in the mechanism's bodies.
    pub body: usize,
    /// Wheel centre in the body frame, m.
    pub centre: Vec3,
    /// Spin axis in the body frame, a unit vector; turning positively about it rolls the wheel forward.
    pub axis: Vec3,
    /// The law's numbers.
    pub law: BrushParameters,
}

/// A push that acts at once: the rates jump by M⁻¹Jᵀp. A row of the series at its time shows the moment before.
#[derive(Clone, Debug, PartialEq)]
pub struct Impulse {
    /// Unique name.
    pub name: String,
    /// Index in the mechanism's bodies.
    pub body: usize,
    /// Where it acts, in the body's frame, m.
    pub p_BP: Vec3,
    /// When, s.
    pub time: f64,
    /// N s, in world axes.
    pub impulse: Vec3,
}

/// A named point.
#[derive(Clone, Debug)]
pub struct Point {
    /// Unique name.
    pub name: String,
    /// Where it is.
    pub at: Attachment,
}

/// Something to draw, fixed to a body or to the world.
#[derive(Clone, Debug)]
pub struct Visual {
    /// Unique name.
    pub name: String,
    /// Index in the mechanism's bodies; `None` is the world.
    pub body: Option<usize>,
    /// Its place in the body.
    pub X_BG: Pose,
    /// Its form.
    pub shape: Shape,
    /// Red, green, blue, alpha, 0 to 1.
    pub colour: [f32; 4],
}

/// How the initial state is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Start {
    /// The coordinates and rates as given, projected onto the constraints.
    #[default]
    AsGiven,
    /// Static equilibrium from there, by Newton's method; rates as given.
    Equilibrium,
}

/// How time advances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Integrator {
    /// Embedded Runge–Kutta, order 8(5,3).
    Explicit {
        /// Error control or fixed step.
        step: StepControl,
    },
    /// Generalised-α on the constrained system.
    Implicit {
        /// Error control or fixed step.
        step: StepControl,
        /// Spectral radius at infinite frequency, 0 (most damping) to 1 (none).
        spectral_radius: f64,
    },
    /// Fixed step, linearly implicit, one factorisation a step.
    Realtime {
        /// Step, s.
        step: f64,
    },
}

/// What is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordOptions {
    /// Time between rows of the series, s.
    pub series_every: f64,
    /// Time between frames, s.
    pub frames_every: f64,
    /// Wall-clock time between checkpoints, s. Does not change the results.
    pub checkpoint_every: f64,
    /// Whether the wrench through every joint is recorded, six columns a joint.
    pub reactions: bool,
}

/// A number of the summary: a column of the series, reduced.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// Stable name with its unit, such as `wheel_load_front_left_n`.
    pub name: String,
    /// Column of the series, such as `tyre.front_left.normal_force_n`.
    pub column: String,
    /// How it is reduced.
    pub take: Take,
    /// For [`Take::AtCrossing`]: the column that crosses, and its level.
    pub crossing: Option<(String, f64)>,
    /// Only rows with `from <= t <= to` count, s.
    pub from: f64,
    /// See `from`.
    pub to: f64,
    /// One line that says what it means.
    pub about: String,
}

/// How a column becomes a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Take {
    /// Value at the last row of the window.
    End,
    /// Value at the first row of the window.
    Begin,
    /// Largest value.
    Max,
    /// Smallest value.
    Min,
    /// Mean over the rows.
    Mean,
    /// Standard deviation over the rows.
    Deviation,
    /// Last minus first value.
    Change,
    /// Value when another column first reaches a level from below, interpolated between rows. None before that: not a number.
    AtCrossing,
}

/// A study that is not one run in time.
#[derive(Clone, Debug, PartialEq)]
pub enum Study {
    /// Static stability: gravity is tilted towards every direction until the first wheel lifts or slips.
    Tilt(Tilt),
    /// A bevameter: a body is pressed into the soil without inertia, load by load, and relieved again.
    Bevameter(Bevameter),
    /// Slopes raised one after the other (gravity tilts) until a vehicle no longer climbs: one run in time that ends there.
    Gradability(Gradability),
    /// No time: one row with the forces at the start.
    Static,
    /// A run on ground by formula, repeated on maps of it with finer and finer nodes.
    Spacings(Spacings),
    /// No time: a flexible wheel is pressed on flat ground or into level soil, deflection by deflection.
    WheelPress(WheelPress),
    /// No time: natural frequencies and modes of a flexible body.
    Modes(Modes),
    /// No time: a flexible body under a load that grows.
    StaticLoad(StaticLoad),
}

/// Numbers of a study of natural frequencies.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// Index in [`WorldDescription::flexible`].
    pub flexible: usize,
    /// Modes with deformation that are wanted.
    pub count: usize,
    /// λ of thin plates over the frequency, s: 2π·l²·√(ρt/D).
    pub thin_plate: Option<f64>,
    /// Free plates to compare: name, form, material.
    pub beside: Vec<(String, SheetForm, Material)>,
}

/// Numbers of a static load.
#[derive(Clone, Debug, PartialEq)]
pub struct StaticLoad {
    /// Index in [`WorldDescription::flexible`].
    pub flexible: usize,
    /// The whole load, N, world axes.
    pub force: Vec3,
    /// Where it acts: element, place in it, share.
    pub at: Vec<(usize, [f64; 3], f64)>,
    /// Rows after the first, which is without load.
    pub rows: usize,
    /// Deflection of a slender beam under the whole load, m.
    pub beam: Option<f64>,
}

/// Numbers of a flexible wheel in a press.
#[derive(Clone, Debug, PartialEq)]
pub struct WheelPress {
    /// Index in [`WorldDescription::flexible`]: the wheel that is shown.
    pub wheel: usize,
    /// The same wheel with its contact points, hub held.
    pub press: Press,
    /// Largest deflection, m.
    pub deflection: f64,
    /// Rows after the first, which is without load.
    pub rows: usize,
    /// Stiffness of the spring to which it is compared, N/m.
    pub line: Option<f64>,
    /// Others that are pressed beside it: name, and the wheel.
    pub beside: Vec<(String, Press)>,
}

/// Numbers of a study of a map's spacing.
#[derive(Clone, Debug, PartialEq)]
pub struct Spacings {
    /// Index in the mechanism's bodies: whose way is compared.
    pub body: usize,
    /// Distances of the maps' nodes, coarse to fine, m.
    pub spacings: Vec<f64>,
    /// How far the maps reach along x and y, m.
    pub size: [f64; 2],
    /// x and y of their middle, m.
    pub centre: [f64; 2],
}

/// Numbers of a bevameter test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bevameter {
    /// Index in [`WorldDescription::soil_bodies`]; that body moves along z only.
    pub body: usize,
    /// Largest load, N.
    pub load: f64,
    /// Loads on the way up, and as many on the way down.
    pub points: usize,
}

/// Numbers of a gradability test.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradability {
    /// Index in [`WorldDescription::vehicles`].
    pub vehicle: usize,
    /// Slopes in the order in which they are tried, rad; uphill is the vehicle's forward direction at the start.
    pub slopes: Vec<f64>,
    /// Distance to gain on each, m.
    pub distance: f64,
    /// Slip from which on a slope counts as not climbed.
    pub slip_limit: f64,
    /// Time at most on each slope, s.
    pub time_limit: f64,
    /// Time in which gravity turns from one slope to the next, s.
    pub turn_time: f64,
}

/// Numbers of a tilt study.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tilt {
    /// Number of directions around the circle.
    pub directions: usize,
    /// Largest tilt tried, rad.
    pub largest: f64,
    /// Resolution of the angle, rad.
    pub resolution: f64,
    /// Required angle, rad.
    pub required: f64,
}
