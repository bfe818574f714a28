//! The test stand for feet: carriage (along x, its motion given, when it drags) → slide (along z, loaded) with the foot.

use super::Builder;
use super::run::EARTH;
use super::schedule::{smooth, way};
use crate::read::{Record, Value};
use crate::unit::{LENGTH, MASS, SPEED, TIME};
use touchdown_contact::foot::FootShape;
use touchdown_math::{Mat3, Pose, Signal, Vec3};
use touchdown_multibody::description::{Attachment, ElementKind, ForceElement, JointKind};
use touchdown_sim::description::FootContact;

/// Mass where the load is not a weight, kg: as good as none against a hundred newtons that come in a second.
const LITTLE: f64 = 0.1;
/// Times: loads of press and drag come on; what stands between them; speeds change, s.
const PRESS_TIME: f64 = 2.0;
const DRAG_LOAD_TIME: f64 = 1.0;
const HOLD_TIME: f64 = 0.5;
const RAMP_TIME: f64 = 0.1;
const DROP_TIME: f64 = 2.0;
const SPEED_OF_DRAG: f64 = 0.02;
const TRAVEL: f64 = 0.1;
/// Size of the block that stands for the mass, m.
const BLOCK: f64 = 0.1;

/// Puts in what follows from the kind.
pub(crate) fn fill_foot_rig(record: &mut Record) {
    let Some(rig) = record.table_mut("foot_rig") else { return };
    let kind = rig.text("kind").unwrap_or("press").to_string();
    let load = rig.number("load").unwrap_or(0.0);
    let mass = if kind == "drop" { load / EARTH } else { LITTLE };
    rig.fill("mass", Value::Number(mass, &MASS));
    let load_time = if kind == "press" { PRESS_TIME } else { DRAG_LOAD_TIME };
    let duration = match kind.as_str() {
        "drop" => {
            rig.fill("drop_height", Value::Number(0.0, &LENGTH));
            DROP_TIME
        }
        "drag" => {
            rig.fill("load_time", Value::Number(load_time, &TIME));
            rig.fill("speed", Value::Number(SPEED_OF_DRAG, &SPEED));
            rig.fill("travel", Value::Number(TRAVEL, &LENGTH));
            drag_rows(rig).and_then(|rows| Some(rows.last()?.0 + HOLD_TIME)).unwrap_or(1.0)
        }
        _ => {
            rig.fill("load_time", Value::Number(load_time, &TIME));
            2.0 * rig.number("load_time").unwrap_or(load_time) + 2.0 * HOLD_TIME
        }
    };
    record.fill("duration", Value::Number((duration * 1e6).round() / 1e6, &TIME));
}

/// Speeds of the carriage in time: to, and fro.
fn drag_rows(rig: &Record) -> Option<Vec<(f64, f64)>> {
    let (speed, travel, from) = (rig.number("speed")?, rig.number("travel")?, rig.number("load_time")?);
    let (start, time) = (from + HOLD_TIME, travel / speed);
    let mut rows = vec![(start, 0.0)];
    let mut t = start + RAMP_TIME;
    for v in [speed, -speed] {
        rows.extend([(t, v), (t + time, v)]);
        t += time + 2.0 * RAMP_TIME;
    }
    rows.push((t - RAMP_TIME, 0.0));
    Some(rows)
}

impl Builder<'_> {
    /// Bodies, load, motion and foot of the stand.
    pub fn collect_foot_rig(&mut self) {
        let Some(rig) = self.scopes[0].record.table("foot_rig") else { return };
        let allowed: &[&str] = match rig.text("kind") {
            Some("drop") => &["mass", "drop_height"],
            Some("drag") => &["mass", "load_time", "speed", "travel"],
            _ => &["mass", "load_time"],
        };
        for key in ["mass", "drop_height", "load_time", "speed", "travel"] {
            if rig.has(key) && !allowed.contains(&key) {
                let what = format!("means nothing in a stand of kind {}", rig.text("kind").unwrap_or(""));
                self.issues.at(rig.loc_of(key), rig.path_of(key), what);
            }
        }
        self.foot_rig(rig);
    }

    fn foot_rig(&mut self, rig: &Record) -> Option<()> {
        let law = self.foot_law(rig)?;
        let (kind, load, mass) = (rig.text("kind")?, rig.number("load")?, rig.number("mass")?);
        let drops = kind == "drop";
        let record = self.scopes[0].record;
        if drops != (record.text("gravity") == Some("earth")) {
            let what = if drops {
                "must be earth: a dropped foot has weight"
            } else {
                "must be none: the stand brings the load"
            };
            self.issues.at(record.loc_of("gravity"), "gravity", what);
        }
        let block = Mat3::identity() * (mass * BLOCK * BLOCK / 6.0);
        let above = match law.shape {
            FootShape::Cylindrical { radius, .. } | FootShape::Spherical { radius } => radius,
            _ => 0.0,
        };
        let at = Vec3::z() * (above + rig.number("drop_height").unwrap_or(0.0));
        let along = |axis: Vec3| JointKind::Prismatic { axis };
        let mut parent = None;
        if kind == "drag" {
            let carriage = self.part(rig, "carriage", (mass, block), (None, along(Vec3::x())), &at)?;
            self.prescribe(rig, "carriage", carriage.1, way(&drag_rows(rig)?, 1.0));
            parent = Some(carriage.0);
        }
        let (body, _) = self.part(rig, "slide", (mass, block), (parent, along(Vec3::z())), &at)?;
        let force = match kind {
            "drop" => Signal::Constant(mass * EARTH - load),
            "drag" => smooth(&[(0.0, 0.0), (rig.number("load_time")?, load)], -1.0),
            _ => {
                let time = rig.number("load_time")?;
                let rows =
                    [(0.0, 0.0), (time, load), (time + HOLD_TIME, load), (2.0 * time + HOLD_TIME, 0.0)];
                smooth(&rows, -1.0)
            }
        };
        self.remember("load", "load", rig);
        let rest = const { Signal::Constant(0.0) };
        let kind = ElementKind::Load {
            at: Attachment::point(Some(body), Vec3::zeros()),
            force: [rest.clone(), rest.clone(), force],
            torque: [rest.clone(), rest.clone(), rest],
            follows_body: false,
        };
        self.mechanism.elements.push(ForceElement { name: "load".into(), kind });
        self.remember("foot", "foot", rig);
        self.feet.push(FootContact {
            name: "foot".into(),
            body,
            X_BF: Pose::identity(),
            law,
            compare: None,
            soil_body: None,
        });
        Some(())
    }
}
