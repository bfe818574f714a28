//! A tripod gait: motion of the joints of six legs such that the feet on the ground stand still and the body
//! advances steadily over the undisturbed ground.
//!
//! `plan` (timetable) and `course` (body and footholds over the ground) ⇒ places of the feet (`walk`) ⇒
//! angles of the three joints (`leg`) ⇒ tables that drives follow. Lengths of the legs are those of the
//! machine with all joints at zero.

mod course;
mod leg;
mod plan;
mod walk;

pub use course::OffGround;
pub use leg::Leg;

use course::Course;
use plan::Plan;
use touchdown_math::{Elementary, Pose, Signal, Vec3};
use touchdown_multibody::description::{Command, Drive, DriveKind, JointAxis, Mechanism};
use touchdown_sim::description::{FootContact, Ground};
use walk::{Tables, Walk};

/// Rows of the tables in one cycle: angles are linear between them, with errors below 1e-4 rad.
const ROWS: f64 = 200.0;
/// Legs of a machine with tripods.
pub const LEGS: usize = 6;

/// A tripod gait; the first, third and fifth leg swing together, then the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gait {
    /// Travel of the body in one cycle, m.
    pub stride: f64,
    /// Time of one cycle, s.
    pub period: f64,
    /// Height to which a foot is lifted, m.
    pub step_height: f64,
    /// Share of a cycle on the ground.
    pub duty: f64,
    /// Time before it begins to walk, s.
    pub settle: f64,
    /// Of the legs' first joints above the ground, m.
    pub height: f64,
    /// Of a standing foot from its first joint, in plan, m.
    pub reach: f64,
}

/// Drives of the joints of the legs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegDrives {
    /// Torque per angle, N m/rad.
    pub stiffness: f64,
    /// Torque per speed, N m s/rad.
    pub damping: f64,
    /// Largest torque, N m.
    pub limit: f64,
}

/// A walk over given ground.
#[derive(Clone, Debug)]
pub struct Walked {
    /// Pose of the body at the start.
    pub X_WB: Pose,
    /// Times and angles of the three joints of each leg.
    pub tables: Vec<Tables>,
}

impl Gait {
    /// The walk of a body from a place for a time, on legs that end in feet.
    pub fn walk(
        &self,
        ground: &Ground,
        X_WB: &Pose,
        (legs, feet): (&[Leg], &[FootContact]),
        duration: f64,
    ) -> Result<Walked, OffGround> {
        let plan = Plan {
            stride: self.stride,
            period: self.period,
            lift: self.step_height,
            duty: self.duty,
            settle: self.settle,
        };
        let soles = legs.iter().map(|leg| {
            let (sin, cos) = leg.heading.sine_cosine();
            let (x, y) = (leg.hip[0] + self.reach * cos, leg.hip[1] + self.reach * sin);
            Vec3::new(x, y, leg.height - self.height)
        });
        let course = Course {
            ground,
            start: [X_WB.p.x, X_WB.p.y],
            heading: X_WB.R[(1, 0)].arctangent2(X_WB.R[(0, 0)]),
            soles: soles.collect(),
            stride: self.stride,
        };
        let step = self.period / ROWS;
        let count = (duration / step).ceil() as usize + 1;
        let poses: Result<Vec<Pose>, _> =
            (0..count).map(|k| course.body(plan.travelled(k as f64 * step))).collect();
        let walk = Walk { plan: &plan, course: &course, step, poses: poses? };
        let above = |leg: &Leg| feet[leg.foot].law.shape.round().unwrap_or(0.0);
        let tables: Result<Vec<Tables>, _> =
            legs.iter().enumerate().map(|(i, leg)| walk.leg(i, leg, above(leg))).collect();
        Ok(Walked { X_WB: walk.poses[0], tables: tables? })
    }
}

impl Walked {
    /// Sets the first position of the legs and adds drives that follow the tables.
    pub fn drive(self, mechanism: &mut Mechanism, legs: &[Leg], drives: &LegDrives) {
        let LegDrives { stiffness, damping, limit } = *drives;
        for (leg, tables) in legs.iter().zip(self.tables) {
            for (joint, table) in leg.joints.into_iter().zip(tables) {
                let joints = &mut mechanism.joints;
                joints[joint].position = vec![table[0].1];
                let (name, axis) = (joints[joint].name.clone(), JointAxis { joint, axis: 0 });
                let target = Signal::Linear(table);
                let kind = DriveKind::Follow(Command::Position { target, stiffness, damping, limit });
                mechanism.drives.push(Drive { name, axis, kind, active_from: 0.0 });
            }
        }
    }
}
