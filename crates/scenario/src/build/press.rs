//! Presses: a body placed against another by a few numbers. They fill in forms and place, so that the
//! resolved scenario contains both.

use crate::error::Issues;
use crate::read::{Record, Text, Value};
use crate::table::{
    FrameKeys, JointKeys, Key, PolygonalKeys, PressKeys, PressWord, ScenarioKeys, SideKeys, TurnKeys, Words,
};
use crate::unit::{ANGLE, LENGTH};
use std::f64::consts::FRAC_PI_2;
use touchdown_math::{Elementary, Vec3, rotation};

/// The plane under a sphere or cylinder extends over this multiple of their size.
const PLATE: f64 = 10.0;

type AnyKey = Key<PressKeys, f64>;

/// Keys that a kind requires beyond push, offset and tilt.
fn keys_of(kind: PressWord) -> &'static [AnyKey] {
    match kind {
        PressWord::PegInCone => &[
            PressKeys::tip_radius,
            PressKeys::length,
            PressKeys::half_angle,
            PressKeys::throat_radius,
            PressKeys::exit_radius,
        ],
        PressWord::SphereOnPlate => &[PressKeys::radius],
        PressWord::CylinderOnPlate => &[PressKeys::radius, PressKeys::length],
        PressWord::CylinderInBore => &[PressKeys::radius, PressKeys::length, PressKeys::bore_radius],
    }
}

const SIZES: [AnyKey; 7] = [
    PressKeys::radius,
    PressKeys::bore_radius,
    PressKeys::length,
    PressKeys::tip_radius,
    PressKeys::half_angle,
    PressKeys::throat_radius,
    PressKeys::exit_radius,
];

/// Forms and place from `[press]`.
pub(crate) fn fill_press(record: &mut Record, issues: &mut Issues) {
    let Some(press) = record.get(ScenarioKeys::press) else { return };
    let (word, own) = (press.kind.word(), keys_of(press.kind));
    for key in own.iter().filter(|key| !press.here.has(**key)) {
        let what = format!("needs {}, because it is {word}", key.name());
        issues.at(press.here.loc, &press.here.path, what);
    }
    for key in SIZES.into_iter().filter(|key| press.here.has(*key)) {
        if !own.iter().any(|mine| mine.name() == key.name()) {
            let what = format!("means nothing in a press of kind {word}");
            issues.at(press.here.loc_of(key), press.here.path_of(key), what);
        }
    }
    let Some(plan) = plan(&press, issues) else { return };
    match record.map_mut(ScenarioKeys::polygonal).iter_mut().find(|c| c.name == *press.contact) {
        None => missing(&press.contact, "polygonal", issues),
        Some(contact) => {
            let side = &mut contact.record;
            side.fill(plan.own.0, plan.own.1);
            if plan.lies {
                side.put(TurnKeys::roll, Value::Number(FRAC_PI_2, &ANGLE));
            }
            if !side.has(PolygonalKeys::other_side) {
                issues.at(contact.loc, &side.path, "needs other_side = {}, which the press fills in");
            }
            if let Some(other) = side.table_mut(PolygonalKeys::other_side) {
                other.fill(plan.other.0, plan.other.1);
                other.put(SideKeys::cavity, Value::Flag(plan.cavity));
                if plan.lies && plan.cavity {
                    other.put(TurnKeys::roll, Value::Number(FRAC_PI_2, &ANGLE));
                }
            }
        }
    }
    match record.map_mut(ScenarioKeys::joint).iter_mut().find(|j| j.name == *press.joint) {
        None => missing(&press.joint, "joint", issues),
        Some(joint) => match joint.record.table_mut(JointKeys::placed) {
            None => {
                issues.at(joint.loc, &joint.record.path, "needs placed = {}, which the press fills in");
            }
            Some(placed) => {
                let place = plan.place.iter().map(|x| (*x, &LENGTH)).collect();
                placed.put(FrameKeys::position, Value::Numbers(place));
                let (roll, pitch, yaw) = rotation::exp(&plan.tilt).euler_angles();
                placed.put(TurnKeys::roll, Value::Number(roll, &ANGLE));
                placed.put(TurnKeys::pitch, Value::Number(pitch, &ANGLE));
                placed.put(TurnKeys::yaw, Value::Number(yaw, &ANGLE));
            }
        },
    }
}

fn missing(name: &Text, map: &str, issues: &mut Issues) {
    issues.at(name.loc, &name.path, format!("names {map}.{name}, which is not in the file"));
}

/// The values that a press fills in.
struct Plan {
    own: (Key<SideKeys, ()>, Value),
    other: (Key<SideKeys, ()>, Value),
    cavity: bool,
    /// Whether the axes are parallel to y.
    lies: bool,
    place: Vec3,
    tilt: Vec3,
}

fn plan(press: &PressKeys, issues: &mut Issues) -> Option<Plan> {
    let tilt = Vec3::new(press.tilt_x, press.tilt_y, 0.0);
    let at = |z: f64| Vec3::new(press.offset_x, press.offset_y, z - press.push);
    let lengths = |list: &[f64]| Value::Numbers(list.iter().map(|x| (*x, &LENGTH)).collect());
    let mut larger = |key: AnyKey, size: f64, than: AnyKey, bound: f64| {
        if size <= bound {
            let what = format!("must be larger than {}", than.name());
            issues
                .at(press.here.loc_of(key), press.here.path_of(key), what)
                .found(format!("{size} m against {bound} m"));
        }
        (size > bound).then_some(())
    };
    let (cone, cylinder) = (SideKeys::cone.any(), SideKeys::cylinder.any());
    let disc = |radius: f64| (SideKeys::disc.any(), Value::Number(PLATE * radius, &LENGTH));
    Some(match press.kind {
        PressWord::PegInCone => {
            let (tip, length) = (press.tip_radius?, press.length?);
            let (throat, exit) = (press.throat_radius?, press.exit_radius?);
            let tan = press.half_angle?.tangent();
            larger(PressKeys::exit_radius, exit, PressKeys::throat_radius, throat)?;
            larger(PressKeys::tip_radius, tip, PressKeys::throat_radius, throat)?;
            Plan {
                own: (cone, lengths(&[tip, tip + length * tan, length])),
                other: (cone, lengths(&[throat, exit, (exit - throat) / tan])),
                cavity: true,
                lies: false,
                place: at((tip - throat) / tan),
                tilt,
            }
        }
        PressWord::SphereOnPlate => {
            let radius = press.radius?;
            let own = (SideKeys::sphere.any(), Value::Number(radius, &LENGTH));
            Plan { own, other: disc(radius), cavity: false, lies: false, place: at(radius), tilt }
        }
        PressWord::CylinderOnPlate => {
            let (radius, length) = (press.radius?, press.length?);
            let own = (cylinder, lengths(&[radius, length]));
            let other = disc(radius.max(length));
            Plan { own, other, cavity: false, lies: true, place: at(radius), tilt }
        }
        PressWord::CylinderInBore => {
            let (radius, length, bore) = (press.radius?, press.length?, press.bore_radius?);
            larger(PressKeys::bore_radius, bore, PressKeys::radius, radius)?;
            let own = (cylinder, lengths(&[radius, length]));
            // Twice as long as the cylinder, so that the cylinder's ends stay inside.
            let other = (cylinder, lengths(&[bore, 2.0 * length]));
            Plan { own, other, cavity: true, lies: true, place: at(radius - bore), tilt }
        }
    })
}
