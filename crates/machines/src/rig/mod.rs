//! Test stands in flat soil: a wheel at given slip, spinning, or lowered while it rolls; a bevameter's plate.
//!
//! carriage (along x, its motion given) → cross-slide (along y, its motion given, where the wheel slips sideways) → stop (lifted between passes) → slide (along z, loaded) → wheel (about y, its motion given).

mod answers;
mod schedule;

pub use schedule::{RADII_BEFORE, Schedule, Window, shortest_travel};

use crate::kit::Kit;
use crate::rows::{smooth, travel};
use touchdown_contact::soil::{Grousers, SoilShape, SoilSurface};
use touchdown_geometry::Shape;
use touchdown_math::{Elementary, Mat3, Pose, Vec3};
use touchdown_multibody::description::{ElementKind, ForceElement, JointAxis, JointKind};
use touchdown_sim::description::{SoilBody, Visual};

/// Thickness of grousers along the rim, m.
const GROUSER_THICKNESS: f64 = 0.003;
/// Thickness of a plate, m: only its underside counts.
const PLATE_THICKNESS: f64 = 0.02;
/// Distance of the slide below the stop, in radii: more than the sinkage of a wheel that still rolls; lifted
/// by this, the wheel is clear.
const RADII_HUNG: f64 = 2.0;
const RADII_LIFTED: f64 = 2.5;
/// Deflection of the stop under the load, m; its damping is critical.
const STOP_GIVES: f64 = 0.01;
const COLOUR: [f32; 4] = [0.55, 0.58, 0.62, 1.0];

/// A test stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Rig {
    /// Its test.
    pub kind: RigKind,
    /// Of the carriage, the slide and the wheel or plate, each, kg; steady results do not depend on it.
    pub mass: f64,
    /// Distance of the soil's nodes, m.
    pub spacing: f64,
    /// Height of the undisturbed soil, m.
    pub level: f64,
}

/// The wheel of a stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigWheel {
    /// Radius of the rim, m.
    pub radius: f64,
    /// Width, m.
    pub width: f64,
    /// Bars across the rim.
    pub grousers: u32,
    /// Their height above the rim, m; used only if there are any.
    pub grouser_height: f64,
    /// Thickness of the soil that the sliding rim carries away, m.
    pub carried_layer: f64,
}

/// Tests of a stand.
#[derive(Clone, Debug, PartialEq)]
pub enum RigKind {
    /// A wheel at given slip, in one or several passes through its rut.
    SingleWheel {
        /// The wheel.
        wheel: RigWheel,
        /// Vertical load, N.
        load: f64,
        /// Speed of the wheel, rad/s; zero is a locked wheel.
        wheel_speed: f64,
        /// Angle from the wheel's heading to its travel, rad: positive towards the end of its axle at −y, so that the soil pushes along y.
        slip_angle: f64,
        /// Speed of travel, m/s.
        speed: f64,
        /// Distance of a pass, m.
        travel: f64,
        /// Part of it that is not averaged, m.
        run_in: f64,
        /// Number of passes through its rut.
        passes: u64,
    },
    /// A wheel turned on the spot.
    Spin {
        /// The wheel.
        wheel: RigWheel,
        /// Vertical load, N.
        load: f64,
        /// Its speed, rad/s.
        wheel_speed: f64,
        /// Duration at full speed, s.
        spin_time: f64,
    },
    /// A wheel that rolls while it is lowered steadily.
    Footprint {
        /// The wheel.
        wheel: RigWheel,
        /// Speed of travel, m/s.
        speed: f64,
        /// Speed of lowering, m/s.
        sink_rate: f64,
        /// Distance, m.
        travel: f64,
    },
    /// A bevameter's plate; its loads are applied in sequence without time.
    Plate {
        /// Along x, m.
        length: f64,
        /// Along y, m.
        width: f64,
        /// Moved along x and y against the grid, m.
        shift: f64,
    },
}

impl RigWheel {
    /// Height of the grousers above the rim, zero if there are none.
    pub fn reach(&self) -> f64 {
        if self.grousers > 0 { self.grouser_height } else { 0.0 }
    }

    /// Lift of the stop that brings the wheel clear of the ground, m.
    fn lift(&self) -> f64 {
        RADII_LIFTED * self.radius + self.reach()
    }
}

impl Rig {
    /// Bodies, joints, motions, load and what touches the soil.
    pub fn kit(&self) -> Kit {
        match &self.kind {
            RigKind::SingleWheel { wheel, load, .. } | RigKind::Spin { wheel, load, .. } => {
                self.wheel_kit(wheel, Some(*load))
            }
            RigKind::Footprint { wheel, .. } => self.wheel_kit(wheel, None),
            RigKind::Plate { length, width, shift } => self.plate_kit(*length, *width, *shift),
        }
    }

    /// Angle from the wheel's heading to its travel, rad.
    fn slip_angle(&self) -> f64 {
        if let RigKind::SingleWheel { slip_angle, .. } = self.kind { slip_angle } else { 0.0 }
    }

    fn wheel_kit(&self, wheel: &RigWheel, load: Option<f64>) -> Kit {
        let (plan, mut kit) = (self.schedule(), Kit::default());
        let (RigWheel { radius, width, .. }, mass) = (*wheel, self.mass);
        let hub = Vec3::new(0.0, 0.0, self.level + radius + wheel.reach());
        let block = Mat3::identity() * (mass * radius * radius / 6.0);
        let along = |axis: Vec3| JointKind::Prismatic { axis };
        // Along -x, so that the force that holds the carriage back, its multiplier, is the drawbar pull.
        let mut above = kit.add("carriage", (mass, block), (None, along(-Vec3::x())), &hub);
        let (side, ahead) = self.slip_angle().sine_cosine();
        kit.prescribe("carriage", above, travel(&plan.travel, -ahead));
        if side != 0.0 {
            above = kit.add("cross-slide", (mass, block), (Some(above), along(Vec3::y())), &hub);
            kit.prescribe("cross-slide", above, travel(&plan.travel, -side));
        }
        if !plan.lift.is_empty() {
            above = kit.add("stop", (mass, block), (Some(above), along(Vec3::z())), &hub);
            kit.prescribe("stop", above, smooth(&plan.lift, 1.0));
        }
        let slide = kit.add("slide", (mass, block), (Some(above), along(Vec3::z())), &hub);
        match load {
            Some(load) => self.press(&mut kit, slide, &plan, (load, radius)),
            None => kit.prescribe("slide", slide, travel(&plan.sink, -1.0)),
        }
        let (spin, across) =
            (0.5 * mass * radius * radius, mass * (3.0 * radius * radius + width * width) / 12.0);
        let disc = Mat3::from_diagonal(&Vec3::new(across, spin, across));
        let about = JointKind::Revolute { axis: Vec3::y() };
        let body = kit.add("wheel", (mass, disc), (Some(slide), about), &hub);
        kit.prescribe("wheel", body, travel(&plan.spin, 1.0));
        let height = wheel.reach();
        let grousers = (height > 0.0).then_some(Grousers {
            count: wheel.grousers,
            height,
            thickness: GROUSER_THICKNESS,
        });
        let shape = SoilShape::Wheel { radius, width, grousers };
        let surface = SoilSurface { shape, carried_layer: wheel.carried_layer, bedded: false };
        let X_BS = Pose::identity();
        kit.soil_bodies.push(SoilBody { name: "wheel".into(), body, X_BS, surface, skin: None });
        kit.visuals.push(Visual {
            name: "slide".into(),
            body: Some(slide),
            X_BG: Pose::translation(Vec3::new(0.0, 0.0, 1.8 * radius)),
            shape: Shape::Box { size: Vec3::new(0.3 * radius, width, radius) },
            colour: COLOUR,
        });
        kit
    }

    /// The load on the slide, and the stop that lifts it between passes.
    fn press(&self, kit: &mut Kit, slide: usize, plan: &Schedule, (load, radius): (f64, f64)) {
        kit.load(slide, smooth(&plan.load, -1.0));
        if plan.lift.is_empty() {
            return;
        }
        let stiffness = load / STOP_GIVES;
        let kind = ElementKind::JointLimit {
            axis: JointAxis { joint: slide, axis: 0 },
            lower: -RADII_HUNG * radius,
            upper: RADII_HUNG * radius,
            stiffness,
            damping: 2.0 * (stiffness * 2.0 * self.mass).sqrt(),
        };
        kit.elements.push(ForceElement { name: "slide/limits".into(), kind });
    }

    /// A plate of a bevameter, with its edges midway between nodes before it is shifted.
    fn plate_kit(&self, length: f64, width: f64, shift: f64) -> Kit {
        let mut kit = Kit::default();
        let at = |size: f64| midway(size, self.spacing) + shift;
        let size = Vec3::new(length, width, PLATE_THICKNESS);
        let place = Vec3::new(at(length), at(width), self.level + 0.5 * PLATE_THICKNESS);
        let q = size.component_mul(&size);
        let inertia = Mat3::from_diagonal(&Vec3::new(q.y + q.z, q.x + q.z, q.x + q.y)) * (self.mass / 12.0);
        let kind = JointKind::Prismatic { axis: Vec3::z() };
        let body = kit.add("plate", (self.mass, inertia), (None, kind), &place);
        let shape = SoilShape::Mesh(Shape::Box { size }.triangulate(4));
        let surface = SoilSurface { shape, carried_layer: 0.0, bedded: false };
        let X_BS = Pose::identity();
        kit.soil_bodies.push(SoilBody { name: "plate".into(), body, X_BS, surface, skin: None });
        kit
    }
}

/// Centre of a plate, along one side, that puts its edges midway between nodes: on a node for an odd number of cells, else between.
fn midway(size: f64, spacing: f64) -> f64 {
    let cells = (size / spacing).round();
    if cells % 2.0 == 0.0 { 0.5 * spacing } else { 0.0 }
}
