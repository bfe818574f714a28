//! A wheel that is towed without a drive: its rolling radius and resistance, over whole turns of its hub.
//!
//! Nothing is measured of traction: with T = R_e·(F + f·N) a brush tyre that has this radius and resistance *predicts* it. At T = 0 the pull is F = −f·N and its work becomes
//! heat: f = heat/(N·distance). R_e = distance/angle, and its share of the deformation s = (R − R_e)/δ. Places and heat are read where the hub passes two angles, whole turns apart,
//! so that spokes count in equal parts.

use touchdown_sim::description::{Procedure, Quantity, Take, WorldDescription};
use touchdown_sim::sink::{Column, NamedValue, Outcome, Sink};
use touchdown_sim::{RunError, Simulation, System};

/// Numbers of a wheel that rolls freely along x.
#[derive(Clone, Debug, PartialEq)]
pub struct FreeRolling {
    /// Free radius, m.
    pub radius: f64,
    /// Names of the hub's body, of the joint about which it turns, and of the wheel.
    pub body: String,
    /// The joint.
    pub joint: String,
    /// The flexible wheel.
    pub wheel: String,
    /// Angles of the joint between which it counts, rad; whole turns apart.
    pub angles: [f64; 2],
    /// Time from which loads and deformations count, s.
    pub from: f64,
}

/// What is read at the two angles, and averaged between.
const READ: [&str; 6] = [
    "rolling.begin_m",
    "rolling.end_m",
    "rolling.heat_begin_j",
    "rolling.heat_end_j",
    "rolling.load_n",
    "rolling.deformation_m",
];
/// What it answers with: name, unit, meaning.
const ANSWERS: [(&str, &str, &str); 6] = [
    ("rolling_radius_m", "m", "distance over angle, whole turns of the hub"),
    ("rolling_share", "1", "share of the deformation by which the rolling radius falls below the free one"),
    (
        "rolling_resistance",
        "1",
        "heat over load and distance: what a brush tyre calls its rolling resistance",
    ),
    ("rolling_load_n", "N", "mean normal force while it rolls"),
    ("rolling_deformation_m", "m", "mean deformation while it rolls"),
    ("rolling_stiffness_n_per_m", "N/m", "load over deformation"),
];

impl FreeRolling {
    /// Reductions of the run that it needs.
    pub fn quantities(&self) -> Vec<Quantity> {
        let angle = format!("joint.{}.position_rad", self.joint);
        let at = |name: &str, column: &str, k: usize| Quantity {
            name: name.into(),
            column: column.into(),
            take: Take::AtCrossing,
            crossing: Some((angle.clone(), self.angles[k])),
            from: 0.0,
            to: f64::INFINITY,
            about: String::new(),
            scale: None,
        };
        let mean = |name: &str, suffix: &str| Quantity {
            column: format!("flexible.{}.{suffix}", self.wheel),
            take: Take::Mean,
            crossing: None,
            from: self.from,
            ..at(name, "", 0)
        };
        let (x, heat) = (format!("body.{}.x_m", self.body), "energy.dissipated_j");
        vec![
            at(READ[0], &x, 0),
            at(READ[1], &x, 1),
            at(READ[2], heat, 0),
            at(READ[3], heat, 1),
            mean(READ[4], "normal_force_n"),
            mean(READ[5], "deformation_m"),
        ]
    }

    /// What follows from them.
    fn answer(&self, read: [f64; 6]) -> [f64; 6] {
        let [begin, end, cold, warm, load, deformation] = read;
        let (distance, angle) = (end - begin, self.angles[1] - self.angles[0]);
        let rolling = distance / angle;
        let (share, resistance) = ((self.radius - rolling) / deformation, (warm - cold) / (load * distance));
        [rolling, share, resistance, load, deformation, load / deformation]
    }
}

impl Procedure for FreeRolling {
    fn takes_time(&self) -> bool {
        true
    }

    fn columns(&self, _: &WorldDescription, _: &System) -> Option<Vec<Column>> {
        None
    }

    fn answers(&self) -> Vec<String> {
        ANSWERS.iter().map(|(name, ..)| (*name).to_string()).collect()
    }

    fn run(&self, world: &mut Simulation, sink: &mut dyn Sink) -> Result<Outcome, RunError> {
        let mut outcome = world.run_in_time(sink)?;
        let read =
            READ.map(|name| outcome.quantities.iter().find(|q| q.name == name).map_or(f64::NAN, |q| q.value));
        outcome.quantities.retain(|q| !READ.contains(&q.name.as_str()));
        let found = ANSWERS.iter().zip(self.answer(read)).map(|((name, unit, about), value)| NamedValue {
            name: (*name).into(),
            value,
            unit: (*unit).into(),
            about: (*about).into(),
        });
        outcome.quantities.splice(0..0, found);
        Ok(outcome)
    }

    fn equals(&self, other: &dyn Procedure) -> bool {
        crate::equal(self, other)
    }
}
