//! What a run is, in the user's words: the mechanism, the ground, the tyres, how to integrate, what to record and what to answer.
//!
//! Plain data, filled by the `scenario` crate (or by hand in tests); `World::build` checks and compiles it.

use touchdown_contact::tyre::BrushParameters;
use touchdown_geometry::Shape;
use touchdown_math::{Pose, Vec3};
use touchdown_multibody::description::{Attachment, Mechanism};
pub use touchdown_solve::Control as StepControl;

/// Everything that `World::build` needs.
#[derive(Clone, Debug)]
pub struct WorldDescription {
    /// Bodies, joints, constraints, force elements, drives, gravity.
    pub mechanism: Mechanism,
    /// The ground, if there is one.
    pub ground: Option<Ground>,
    /// Tyres between wheels and the ground.
    pub tyres: Vec<Tyre>,
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ground {
    /// A rigid plane.
    Plane {
        /// A point of it, m.
        point: Vec3,
        /// Its unit normal, out of the ground.
        normal: Vec3,
    },
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
}

/// A study that is not one run in time.
#[derive(Clone, Debug, PartialEq)]
pub enum Study {
    /// Static stability: gravity is tilted towards every direction until the first wheel lifts or slips.
    Tilt(Tilt),
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
