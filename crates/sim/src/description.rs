//! Description of a run: the mechanism, the ground, the tyres, how to integrate, what to record and what to
//! answer.
//!
//! Plain data, filled by the `scenario` crate (or by hand in tests); `Simulation::build` checks and compiles it.

mod answers;
mod contacts;
mod devices;
mod docking;
mod flexible;
mod ground;
mod inputs;
mod legs;
mod satellites;
mod study;

pub use crate::interactions::bumpers::Bumper;
pub use crate::interactions::latches::Latch;
pub use crate::interactions::magnets::MagnetPair;
pub use crate::interactions::ratchets::Ratchet;
pub use answers::{Quantity, RecordOptions, Take};
pub use contacts::{
    Capture, ContactSide, FlexSkin, FootContact, IntruderBody, Opening, PolygonalContact, PolygonalPair,
    PolygonalSide, SmoothContact, SoilBody, Tyre,
};
pub use devices::{
    Condition, Controller, Ending, PathFollower, PathMode, PathWheel, Phase, PhaseCommand, PlainDevices,
    Relation, SampledSensor, Sequence, SetPoint, Transition, WheelDrive, WheelSteering,
};
pub use docking::{Allowables, Docking, DockingContacts, MOST_BRACKETS};
pub use flexible::{FlexCarrier, FlexContactDescription, FlexWheel, Flexible, NodalCoordinates};
pub use ground::{Ground, Heap, SoilGround, SoilRegion};
pub use inputs::{ElementNumber, Input, InputTarget, ScheduledCommand};
pub use legs::{ControlledJoint, ControlledLeg, LegController, LegGait};
pub use satellites::{
    AttitudeControl, ControlMode, MOST_WHEELS, ReactionWheel, Satellites, ThrusterBody, WingBody,
};
pub use study::{Gradability, Procedure, SharedProcedure, Study, Traverse};
use touchdown_geometry::Shape;
use touchdown_math::{Pose, Signal, Vec3};
use touchdown_multibody::description::{Attachment, Mechanism};
pub use touchdown_solve::Control as StepControl;
use touchdown_spacecraft::boom::BoomParameters;

/// Everything that `Simulation::build` needs.
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
    /// Bumpers between two balls.
    pub bumpers: Vec<Bumper>,
    /// Pairs of magnets.
    pub magnets: Vec<MagnetPair>,
    /// Latches between two frames.
    pub latches: Vec<Latch>,
    /// Ratchets between two points.
    pub ratchets: Vec<Ratchet>,
    /// Capture tools: their contacts reported together.
    pub captures: Vec<Capture>,
    /// Feet on hard ground or in soil.
    pub feet: Vec<FootContact>,
    /// Bodies that move through soil, feet among them.
    pub intruders: Vec<IntruderBody>,
    /// Machines that walk: their distance, energy and lean are recorded.
    pub walkers: Vec<Walker>,
    /// Machines that drive on soil wheels: their slip, speed and power are recorded.
    pub vehicles: Vec<Vehicle>,
    /// Orbit, wheels, thrusters and control of satellites.
    pub satellites: Satellites,
    /// Sensors and controllers other than those of satellites.
    pub devices: PlainDevices,
    /// Impulses.
    pub impulses: Vec<Impulse>,
    /// What can be commanded while it runs.
    pub inputs: Vec<Input>,
    /// Commands given at their times, rising.
    pub schedule: Vec<ScheduledCommand>,
    /// Named points whose motion is recorded.
    pub points: Vec<Point>,
    /// Visual forms of the bodies.
    pub visuals: Vec<Visual>,
    /// How the initial state is found.
    pub start: Start,
    /// How time advances.
    pub integrator: Integrator,
    /// Simulated time, s.
    pub duration: f64,
    /// Time between samples, s: quantities, odometers and path lengths are reductions of samples, independent
    /// of recording.
    pub sample_every: f64,
    /// Adaptive steps end on multiples of this, s, so that an exchange of values there changes no bit.
    pub exchange_every: Option<f64>,
    /// What is recorded and how often.
    pub record: RecordOptions,
    /// What the summary answers.
    pub quantities: Vec<Quantity>,
    /// Something other than one run in time.
    pub study: Option<Study>,
}

/// An empty world, one second long, with the default settings of a scenario file.
impl Default for WorldDescription {
    fn default() -> Self {
        WorldDescription {
            mechanism: Mechanism::default(),
            ground: None,
            tyres: Vec::new(),
            soil_bodies: Vec::new(),
            contacts: Vec::new(),
            polygonal: Vec::new(),
            flexible: Vec::new(),
            booms: Vec::new(),
            bumpers: Vec::new(),
            magnets: Vec::new(),
            latches: Vec::new(),
            ratchets: Vec::new(),
            captures: Vec::new(),
            feet: Vec::new(),
            intruders: Vec::new(),
            walkers: Vec::new(),
            vehicles: Vec::new(),
            satellites: Satellites::default(),
            devices: PlainDevices::default(),
            impulses: Vec::new(),
            inputs: Vec::new(),
            schedule: Vec::new(),
            points: Vec::new(),
            visuals: Vec::new(),
            start: Start::AsGiven,
            integrator: Integrator::default(),
            duration: 1.0,
            sample_every: 0.01,
            exchange_every: None,
            record: RecordOptions::default(),
            quantities: Vec::new(),
            study: None,
        }
    }
}

/// An extendable boom, clamped to two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Boom {
    /// Unique name; columns and quantities are named after it.
    pub name: String,
    /// Where it leaves its body: z along the boom.
    pub root: Attachment,
    /// Where it is clamped to the other body: without load it coincides with the root moved along z by the
    /// length.
    pub tip: Attachment,
    /// Stiffness, damping, safety spring, limits.
    pub law: BoomParameters,
    /// Its length in time, m, until it is commanded otherwise.
    pub length: Signal,
    /// Radius of the tube that is drawn, m.
    pub radius: f64,
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

/// An impulse: the rates jump by M⁻¹Jᵀp. A row of the series at its time shows the state before the jump.
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
    /// Static equilibrium where one is found, else as given, with a warning.
    EquilibriumIfFound,
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

impl Default for Integrator {
    fn default() -> Self {
        Integrator::Explicit {
            step: StepControl::Adaptive { relative: 1e-10, absolute: 1e-12, longest: f64::INFINITY },
        }
    }
}
