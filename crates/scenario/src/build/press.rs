//! Presses: a body placed against another by a few numbers. They fill in forms and place, so that the resolved scenario shows both.

use crate::error::Issues;
use crate::read::{Item, Record, Value};
use crate::unit::{ANGLE, LENGTH};
use std::f64::consts::FRAC_PI_2;
use touchdown_math::{Vec3, rotation};

/// The plane under a sphere or cylinder reaches this many of their sizes.
const PLATE: f64 = 10.0;

/// Keys that a kind needs beyond push, offset and tilt.
fn keys(kind: &str) -> &'static [&'static str] {
    match kind {
        "peg-in-cone" => &["tip_radius", "length", "half_angle", "throat_radius", "exit_radius"],
        "sphere-on-plate" => &["radius"],
        "cylinder-on-plate" => &["radius", "length"],
        _ => &["radius", "length", "bore_radius"],
    }
}

const SIZES: [&str; 7] =
    ["radius", "bore_radius", "length", "tip_radius", "half_angle", "throat_radius", "exit_radius"];

/// Forms and place from `[press]`.
pub(crate) fn fill_press(record: &mut Record, issues: &mut Issues) {
    let Some(press) = record.table("press").cloned() else { return };
    let Some(kind) = press.text("kind") else { return };
    for key in keys(kind).iter().filter(|k| !press.has(k)) {
        issues.at(press.loc, &press.path, format!("needs {key}, because it is {kind}"));
    }
    for key in SIZES.iter().filter(|k| press.has(k) && !keys(kind).contains(k)) {
        issues.at(press.loc_of(key), press.path_of(key), format!("means nothing in a press of kind {kind}"));
    }
    let Some(plan) = plan(&press, kind, issues) else { return };
    let (contact, joint) = (press.text("contact").unwrap_or(""), press.text("joint").unwrap_or(""));
    match record.map_mut("polygonal").iter_mut().find(|c| c.name == contact) {
        None => missing(&press, issues, "contact", "polygonal"),
        Some(contact) => {
            let side = &mut contact.record;
            side.fill(plan.own.0, plan.own.1);
            if plan.lies {
                put(side, "roll", Value::Number(FRAC_PI_2, &ANGLE));
            }
            if !side.has("other_side") {
                issues.at(contact.loc, &side.path, "needs other_side = {}, which the press fills in");
            }
            if let Some(other) = side.table_mut("other_side") {
                other.fill(plan.other.0, plan.other.1);
                put(other, "cavity", Value::Flag(plan.cavity));
                if plan.lies && plan.cavity {
                    put(other, "roll", Value::Number(FRAC_PI_2, &ANGLE));
                }
            }
        }
    }
    match record.map_mut("joint").iter_mut().find(|j| j.name == joint) {
        None => missing(&press, issues, "joint", "joint"),
        Some(joint) => match joint.record.table_mut("placed") {
            None => {
                issues.at(joint.loc, &joint.record.path, "needs placed = {}, which the press fills in");
            }
            Some(placed) => {
                let length = |x: f64| (x, &LENGTH);
                put(placed, "position", Value::Numbers(plan.place.iter().map(|x| length(*x)).collect()));
                let (roll, pitch, yaw) = rotation::exp(&plan.tilt).euler_angles();
                for (key, angle) in [("roll", roll), ("pitch", pitch), ("yaw", yaw)] {
                    put(placed, key, Value::Number(angle, &ANGLE));
                }
            }
        },
    }
}

fn missing(press: &Record, issues: &mut Issues, key: &str, map: &str) {
    let what = format!("names {map}.{}, which is not in the file", press.text(key).unwrap_or(""));
    issues.at(press.loc_of(key), press.path_of(key), what);
}

/// Sets a value in place of a default; one that was written stays.
fn put(record: &mut Record, key: &'static str, value: Value) {
    if !record.has(key) {
        let item = Item { value: Some(value), loc: record.loc, key: key.into(), given: false };
        record.items.insert(key, item);
    }
}

/// What a press fills in.
struct Plan {
    own: (&'static str, Value),
    other: (&'static str, Value),
    cavity: bool,
    /// Whether the axes lie along y.
    lies: bool,
    place: Vec3,
    tilt: Vec3,
}

fn plan(press: &Record, kind: &str, issues: &mut Issues) -> Option<Plan> {
    let push = press.number("push")?;
    let tilt = Vec3::new(press.number("tilt_x")?, press.number("tilt_y")?, 0.0);
    let at = |z: f64| Some(Vec3::new(press.number("offset_x")?, press.number("offset_y")?, z - push));
    let lengths = |list: &[f64]| Value::Numbers(list.iter().map(|x| (*x, &LENGTH)).collect());
    Some(match kind {
        "peg-in-cone" => {
            let (tip, length) = (press.number("tip_radius")?, press.number("length")?);
            let (throat, exit) = (press.number("throat_radius")?, press.number("exit_radius")?);
            let tan = press.number("half_angle")?.tan();
            if exit <= throat || tip <= throat {
                let key = if exit <= throat { "exit_radius" } else { "tip_radius" };
                issues
                    .at(press.loc_of(key), press.path_of(key), "must be larger than throat_radius")
                    .found(format!("{} m against {throat} m", press.number(key)?));
                return None;
            }
            Plan {
                own: ("cone", lengths(&[tip, tip + length * tan, length])),
                other: ("cone", lengths(&[throat, exit, (exit - throat) / tan])),
                cavity: true,
                lies: false,
                place: at((tip - throat) / tan)?,
                tilt,
            }
        }
        "sphere-on-plate" => {
            let radius = press.number("radius")?;
            Plan {
                own: ("sphere", Value::Number(radius, &LENGTH)),
                other: ("disc", Value::Number(PLATE * radius, &LENGTH)),
                cavity: false,
                lies: false,
                place: at(radius)?,
                tilt,
            }
        }
        _ => {
            let (radius, length) = (press.number("radius")?, press.number("length")?);
            let own = ("cylinder", lengths(&[radius, length]));
            if kind == "cylinder-on-plate" {
                let other = ("disc", Value::Number(PLATE * radius.max(length), &LENGTH));
                Plan { own, other, cavity: false, lies: true, place: at(radius)?, tilt }
            } else {
                let bore = press.number("bore_radius")?;
                if bore <= radius {
                    issues
                        .at(
                            press.loc_of("bore_radius"),
                            press.path_of("bore_radius"),
                            "must be larger than radius",
                        )
                        .found(format!("{bore} m against {radius} m"));
                    return None;
                }
                // Twice as long as the cylinder, so that its ends stay inside.
                let other = ("cylinder", lengths(&[bore, 2.0 * length]));
                Plan { own, other, cavity: true, lies: true, place: at(radius - bore)?, tilt }
            }
        }
    })
}
