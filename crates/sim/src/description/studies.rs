//! Runs that are no runs in time: modes, presses, test beds.

use touchdown_math::Vec3;
use touchdown_multibody::flex::material::Material;
use touchdown_multibody::flex::press::Press;
use touchdown_multibody::flex::sheet::SheetForm;

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
    /// Index in [`WorldDescription::flexible`](super::WorldDescription::flexible).
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
    /// Index in [`WorldDescription::flexible`](super::WorldDescription::flexible).
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
    /// Index in [`WorldDescription::flexible`](super::WorldDescription::flexible): the wheel that is shown.
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
    /// Index in [`WorldDescription::soil_bodies`](super::WorldDescription::soil_bodies); that body moves along z only.
    pub body: usize,
    /// Largest load, N.
    pub load: f64,
    /// Loads on the way up, and as many on the way down.
    pub points: usize,
}

/// Numbers of a gradability test.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradability {
    /// Index in [`WorldDescription::vehicles`](super::WorldDescription::vehicles).
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
