//! The test stand for feet: carriage (along x, its motion given, when it drags) → slide (along z, loaded) with the foot.

use crate::kit::Kit;
use crate::rows::{smooth, travel};
use touchdown_contact::foot::{FootParameters, FootShape};
use touchdown_math::{Mat3, Pose, Signal, Vec3};
use touchdown_multibody::description::JointKind;
use touchdown_sim::description::FootContact;

/// Times, s: rest between loads; change of speeds; settling of a dropped foot.
const HOLD_TIME: f64 = 0.5;
const RAMP_TIME: f64 = 0.1;
const DROP_TIME: f64 = 2.0;
/// Size of the block that represents the mass, m.
const BLOCK: f64 = 0.1;

/// Tests of a stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FootTest {
    /// The load is applied and removed slowly.
    Press {
        /// Time in which it is applied, or removed, s.
        load_time: f64,
    },
    /// The foot falls with its load.
    Drop {
        /// Height of the sole above the ground at the start, m.
        height: f64,
    },
    /// The foot is loaded, then moved back and forth.
    Drag {
        /// Time in which the load is applied, s.
        load_time: f64,
        /// Speed in either direction, m/s.
        speed: f64,
        /// Distance in each direction, about, m.
        travel: f64,
    },
}

/// A test stand for one foot, called `foot`, on level ground.
#[derive(Clone, Debug)]
pub struct FootStand {
    /// Its test.
    pub test: FootTest,
    /// Total force on the ground at rest, N.
    pub load: f64,
    /// That moves with the foot, kg; its weight is part of the load.
    pub mass: f64,
    /// Gravity, straight down, m/s²: that in which feet are dropped.
    pub gravity: f64,
}

impl FootTest {
    /// Its duration, s.
    pub fn duration(&self) -> f64 {
        match *self {
            FootTest::Press { load_time } => 2.0 * load_time + 2.0 * HOLD_TIME,
            FootTest::Drop { .. } => DROP_TIME,
            FootTest::Drag { load_time, speed, travel } => {
                drag_rows(load_time, speed, travel).last().map_or(1.0, |row| row.0 + HOLD_TIME)
            }
        }
    }
}

/// Speeds of the carriage in time: to, and fro.
fn drag_rows(load_time: f64, speed: f64, travel: f64) -> Vec<(f64, f64)> {
    let (start, time) = (load_time + HOLD_TIME, travel / speed);
    let mut rows = vec![(start, 0.0)];
    let mut t = start + RAMP_TIME;
    for v in [speed, -speed] {
        rows.extend([(t, v), (t + time, v)]);
        t += time + 2.0 * RAMP_TIME;
    }
    rows.push((t - RAMP_TIME, 0.0));
    rows
}

impl FootStand {
    /// Bodies, load, motion and foot.
    pub fn kit(&self, law: FootParameters) -> Kit {
        let (mut kit, mass) = (Kit::default(), self.mass);
        let block = Mat3::identity() * (mass * BLOCK * BLOCK / 6.0);
        let above = match law.shape {
            FootShape::Cylindrical { radius, .. } | FootShape::Spherical { radius } => radius,
            FootShape::FlatCircular { .. } | FootShape::FlatRectangular { .. } => 0.0,
        };
        let height = if let FootTest::Drop { height } = self.test { height } else { 0.0 };
        let at = Vec3::z() * (above + height);
        let along = |axis: Vec3| JointKind::Prismatic { axis };
        let mut parent = None;
        if let FootTest::Drag { load_time, speed, travel: distance } = self.test {
            let carriage = kit.add("carriage", (mass, block), (None, along(Vec3::x())), &at);
            kit.prescribe("carriage", carriage, travel(&drag_rows(load_time, speed, distance), 1.0));
            parent = Some(carriage);
        }
        let body = kit.add("slide", (mass, block), (parent, along(Vec3::z())), &at);
        kit.load(body, self.force());
        kit.feet.push(FootContact {
            name: "foot".into(),
            body,
            X_BF: Pose::identity(),
            law,
            compare: None,
            soil_body: None,
            intruder: None,
        });
        kit
    }

    /// The force on the slide in time, upwards.
    fn force(&self) -> Signal {
        let load = self.load;
        match self.test {
            FootTest::Drop { .. } => Signal::Constant(self.mass * self.gravity - load),
            FootTest::Drag { load_time, .. } => smooth(&[(0.0, 0.0), (load_time, load)], -1.0),
            FootTest::Press { load_time: time } => {
                let rows =
                    [(0.0, 0.0), (time, load), (time + HOLD_TIME, load), (2.0 * time + HOLD_TIME, 0.0)];
                smooth(&rows, -1.0)
            }
        }
    }
}
