//! The test stand for feet: carriage (along x, its motion given, when it drags) → slide (along z, loaded) with the foot.

use super::Builder;
use super::run::EARTH;
use super::schedule::{smooth, way};
use crate::read::{Record, Value};
use crate::table::{FootRigKeys, FootRigWord, GravityKey, Keys, ScenarioKeys, Words, WorldWord};
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
    let Some(rig) = record.table_mut(ScenarioKeys::foot_rig) else { return };
    let kind = rig.get(FootRigKeys::kind).unwrap_or(FootRigWord::Press);
    let load = rig.get(FootRigKeys::load).unwrap_or(0.0);
    let mass = if kind == FootRigWord::Drop { load / EARTH } else { LITTLE };
    rig.fill(FootRigKeys::mass, Value::Number(mass, &MASS));
    let duration = match kind {
        FootRigWord::Drop => {
            rig.fill(FootRigKeys::drop_height, Value::Number(0.0, &LENGTH));
            DROP_TIME
        }
        FootRigWord::Drag => {
            rig.fill(FootRigKeys::load_time, Value::Number(DRAG_LOAD_TIME, &TIME));
            rig.fill(FootRigKeys::speed, Value::Number(SPEED_OF_DRAG, &SPEED));
            rig.fill(FootRigKeys::travel, Value::Number(TRAVEL, &LENGTH));
            let rows = FootRigKeys::read(rig).and_then(|keys| drag_rows(&keys));
            rows.and_then(|rows| Some(rows.last()?.0 + HOLD_TIME)).unwrap_or(1.0)
        }
        FootRigWord::Press => {
            rig.fill(FootRigKeys::load_time, Value::Number(PRESS_TIME, &TIME));
            2.0 * rig.get(FootRigKeys::load_time).unwrap_or(PRESS_TIME) + 2.0 * HOLD_TIME
        }
    };
    record.fill(ScenarioKeys::duration, Value::Number((duration * 1e6).round() / 1e6, &TIME));
}

/// Speeds of the carriage in time: to, and fro.
fn drag_rows(rig: &FootRigKeys) -> Option<Vec<(f64, f64)>> {
    let (speed, travel, from) = (rig.speed?, rig.travel?, rig.load_time?);
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
        let Some(rig) = self.root.foot_rig.as_ref().and_then(|rig| rig.keys.as_ref()) else { return };
        let of_drag = [FootRigKeys::speed, FootRigKeys::travel];
        let drop_height = [FootRigKeys::drop_height];
        let refused = match rig.kind {
            FootRigWord::Drop => [&of_drag[..], &[FootRigKeys::load_time]].concat(),
            FootRigWord::Drag => drop_height.to_vec(),
            FootRigWord::Press => [&of_drag[..], &drop_height].concat(),
        };
        for key in refused.into_iter().filter(|key| rig.here.has(*key)) {
            let what = format!("means nothing in a stand of kind {}", rig.kind.word());
            self.issues.at(rig.here.loc_of(key), rig.here.path_of(key), what);
        }
        self.foot_rig(rig);
    }

    fn foot_rig(&mut self, rig: &FootRigKeys) -> Option<()> {
        let law = self.foot_law(&rig.law)?;
        let (load, mass) = (rig.load, rig.mass?);
        let drops = rig.kind == FootRigWord::Drop;
        let on_earth = matches!(self.root.gravity, Some(GravityKey::World(WorldWord::Earth)));
        if drops != on_earth {
            let what = if drops {
                "must be earth: a dropped foot has weight"
            } else {
                "must be none: the stand brings the load"
            };
            self.issues.at(self.root.here.loc_of(ScenarioKeys::gravity), "gravity", what);
        }
        let block = Mat3::identity() * (mass * BLOCK * BLOCK / 6.0);
        let above = match law.shape {
            FootShape::Cylindrical { radius, .. } | FootShape::Spherical { radius } => radius,
            _ => 0.0,
        };
        let at = Vec3::z() * (above + rig.drop_height.unwrap_or(0.0));
        let along = |axis: Vec3| JointKind::Prismatic { axis };
        let mut parent = None;
        if rig.kind == FootRigWord::Drag {
            let carriage = self.part(&rig.here, "carriage", (mass, block), (None, along(Vec3::x())), &at)?;
            self.prescribe(&rig.here, "carriage", carriage.1, way(&drag_rows(rig)?, 1.0));
            parent = Some(carriage.0);
        }
        let (body, _) = self.part(&rig.here, "slide", (mass, block), (parent, along(Vec3::z())), &at)?;
        let force = match rig.kind {
            FootRigWord::Drop => Signal::Constant(mass * EARTH - load),
            FootRigWord::Drag => smooth(&[(0.0, 0.0), (rig.load_time?, load)], -1.0),
            FootRigWord::Press => {
                let time = rig.load_time?;
                let rows =
                    [(0.0, 0.0), (time, load), (time + HOLD_TIME, load), (2.0 * time + HOLD_TIME, 0.0)];
                smooth(&rows, -1.0)
            }
        };
        self.remember("load", "load", &rig.here);
        let rest = const { Signal::Constant(0.0) };
        let kind = ElementKind::Load {
            at: Attachment::point(Some(body), Vec3::zeros()),
            force: [rest.clone(), rest.clone(), force],
            torque: [rest.clone(), rest.clone(), rest],
            follows_body: false,
        };
        self.mechanism.elements.push(ForceElement { name: "load".into(), kind });
        self.remember("foot", "foot", &rig.here);
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
