//! Contacts: bodies with their surfaces, tyres, feet and capture tools.

use std::sync::Arc;
use touchdown_contact::foot::FootParameters;
use touchdown_contact::intrusion::IntrusionSoil;
use touchdown_contact::polygonal::mesh::MeshPair;
use touchdown_contact::polygonal::{Friction, PairLaw, RevolutionPair};
use touchdown_contact::soil::SoilSurface;
use touchdown_contact::surface::{Form, PairOptions, SurfaceLaw};
use touchdown_contact::tyre::BrushParameters;
use touchdown_geometry::TriangleMesh;
use touchdown_geometry::revolution::Family;
use touchdown_math::{Pose, Signal, Vec3};
use touchdown_multibody::description::Attachment;

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
    /// For deformable bodies: the faces that replace that form.
    pub skin: Option<FlexSkin>,
}

/// Faces with which a flexible body touches soil.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexSkin {
    /// Index in [`WorldDescription::flexible`](super::WorldDescription::flexible); the body of the soil contact carries it.
    pub flexible: usize,
    /// Element and side (ζ = −½ or ½).
    pub faces: Vec<(usize, f64)>,
    /// Cells along and across each face, for contact with soil.
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
    /// Laws of the contact.
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
    /// Whether columns show the wrench on the reference instead of that on the side that carries the area.
    pub tells_reference: bool,
    /// Distance of approach in one adaptive step at most, m.
    pub threshold: f64,
    /// How the reference changes, if it is a body of revolution that does: a crown that opens.
    pub opening: Option<Opening>,
    /// Whether it acts at the start; otherwise it has no effect until it is switched on.
    pub on: bool,
    /// Contacts with the same group are recorded as one, under its name: for example a wheel on many rocks.
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
            // A smooth rise is steepest in its middle.
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
    /// Its visual form, in that frame; empty for the ground.
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
    /// Whether faces have anchors that persist between steps.
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

/// A capture tool in a nozzle: the sum of its contacts.
#[derive(Clone, Debug, PartialEq)]
pub struct Capture {
    /// Unique name; columns and quantities are named after it.
    pub name: String,
    /// Frame of the tool: z forward, into the nozzle.
    pub at: Attachment,
    /// Indices in [`WorldDescription::polygonal`](super::WorldDescription::polygonal): shoulder and body,
    /// bolt, crown. All report the wrench on the tool.
    pub contacts: [usize; 3],
    /// Place of the crown along z when its drive is at zero, m; the travel of the drive draws it back.
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
    /// The foot that it is compared with: index in [`WorldDescription::feet`](super::WorldDescription::feet).
    pub compare: Option<usize>,
    /// The body that replaces it on a grid of soil, which stores its footprints: index in
    /// [`WorldDescription::soil_bodies`](super::WorldDescription::soil_bodies). Only the form of `law` is
    /// used then; `None`: the law itself.
    pub soil_body: Option<usize>,
    /// The body of surface elements that replaces it in soil; none: its own law.
    pub intruder: Option<usize>,
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

/// A body that moves through soil, below the initial surface of the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct IntruderBody {
    /// Unique name; columns are named after it.
    pub name: String,
    /// Index in the mechanism's bodies.
    pub body: usize,
    /// Its surface's frame in the body.
    pub X_BS: Pose,
    /// Its surface, closed.
    pub mesh: TriangleMesh,
    /// The soil.
    pub soil: IntrusionSoil,
}
