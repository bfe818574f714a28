//! Columns of feet, with their own law or on a grid of soil, and of walking machines.

use super::FeetParts;
use crate::books::channels::{Columns, Snapshot};
use crate::description::WorldDescription;
use crate::engine::history::History;
use crate::engine::system::System;
use touchdown_math::Vec3;
use touchdown_multibody::description::Gravity;
use touchdown_multibody::rigid::kinematics;

/// Lean beyond which a walker has fallen, rad.
const FALLEN: f64 = std::f64::consts::FRAC_PI_4;
/// Distance below which energy per metre has no meaning, m.
const LEAST_DISTANCE: f64 = 0.01;

/// A number of a foot or of a walker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FeetValue {
    Foot(FootAt, FootValue),
    Walker(usize, WalkerValue),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FootValue {
    Sinkage,
    Spring,
    Normal,
    Tangential,
    Strength,
    Share,
    Slip,
    Force(usize),
    Torque(usize),
    Centre(usize),
    Footprints,
    NormalError,
    ShareError,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum WalkerValue {
    Distance,
    EnergyPerMetre,
    CostOfTransport,
    Lean,
    Fallen,
    SinkageMax,
    FeetDown,
}

/// Source of a foot's numbers: its own law, or the body in soil that replaces it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FootAt {
    Law(usize),
    Soil(usize),
    Intruder(usize),
}

impl FootAt {
    /// Its number among feet with a law of their own.
    pub fn law(&self) -> Option<usize> {
        match self {
            FootAt::Law(i) => Some(*i),
            FootAt::Soil(_) | FootAt::Intruder(_) => None,
        }
    }

    /// All feet of a description.
    pub fn all(description: &WorldDescription) -> Vec<FootAt> {
        let mut laws = 0..;
        let at = |foot: &crate::description::FootContact| {
            let stands_for = foot.soil_body.map(FootAt::Soil).or(foot.intruder.map(FootAt::Intruder));
            stands_for.unwrap_or_else(|| FootAt::Law(laws.next().unwrap_or(0)))
        };
        description.feet.iter().map(at).collect()
    }
}

/// Adds the columns of all feet and walkers.
pub(super) fn add(parts: &FeetParts, description: &WorldDescription, out: &mut Columns<FeetValue>) {
    use FootValue::*;
    for (foot, at) in description.feet.iter().zip(&parts.all) {
        let at = *at;
        let base = format!("foot.{}", foot.name);
        let source = |value| FeetValue::Foot(at, value);
        let about = "depth of the undeformed foot's lowest point below the untouched ground; 0 when above";
        out.put_rows(&base, "-", &[(Sinkage, "sinkage_m", "m", about)], source);
        let own = [(Spring, "spring_m", "m", "deformation of the foot")];
        let both = [
            (Normal, "normal_force_n", "N", "force along the normal of the ground"),
            (Tangential, "tangential_force_n", "N", "size of the force along the ground"),
        ];
        let strengths = [
            (Strength, "strength_n", "N", "largest force along the ground at this load"),
            (Share, "tangential_share", "1", "force along the ground over its largest"),
        ];
        let slip = [(Slip, "slip_speed_m_per_s", "m/s", "speed of the lowest point along the ground")];
        let about = "1 while the ground keeps a footprint below the foot";
        let kept = [(Footprints, "footprints", "1", about)];
        let rows: &[&[_]] = match at {
            FootAt::Law(_) => &[&own, &both, &strengths, &slip, &kept],
            FootAt::Soil(_) | FootAt::Intruder(_) => &[&both, &slip],
        };
        rows.iter().for_each(|rows| out.put_rows(&base, "-", rows, source));
        let about = ("N", "world", "force on the foot");
        out.put_axes((&format!("{base}.force"), "n"), about, |k| source(Force(k)));
        if matches!(at, FootAt::Law(_)) && foot.law.shape.sole().is_some() {
            let about = ("N m", "world", "torque of the ground about the middle of the sole");
            out.put_axes((&format!("{base}.torque"), "n_m"), about, |k| source(Torque(k)));
            let about = "where the normal forces act together, in the foot's frame; not a number without any";
            let rows = [(Centre(0), "pressure_x_m", "m", about), (Centre(1), "pressure_y_m", "m", about)];
            out.put_rows(&base, "foot", &rows, source);
        }
        if let Some(other) = foot.compare.and_then(|k| description.feet.get(k)) {
            let normal = format!(
                "|difference| of the normal force from that of {}, over the latter at a depth of its radius",
                other.name
            );
            let share = format!("|difference| of the tangential share from that of {}", other.name);
            let rows = [
                (NormalError, "normal_error_relative", "1", normal.as_str()),
                (ShareError, "share_error", "1", share.as_str()),
            ];
            out.put_rows(&base, "-", &rows, source);
        }
    }
    add_walkers(description, out);
}

fn add_walkers(description: &WorldDescription, out: &mut Columns<FeetValue>) {
    use WalkerValue::*;
    for (i, walker) in description.walkers.iter().enumerate() {
        let base = format!("walker.{}", walker.name);
        let values = [
            (Distance, "distance_m", "m", "level distance of its body from where it began"),
            (
                EnergyPerMetre,
                "energy_per_metre_j",
                "J",
                "work of all drives so far over the distance; 0 within the first centimetre",
            ),
            (
                CostOfTransport,
                "cost_of_transport",
                "1",
                "work of all drives so far over the weight of all bodies times the distance; 0 within the first centimetre",
            ),
            (Lean, "lean_rad", "rad", "angle between its body's z axis and the direction against gravity"),
            (Fallen, "fallen", "1", "1 where it leans by more than 45 deg"),
            (SinkageMax, "sinkage_max_m", "m", "deepest sinkage of its feet"),
            (FeetDown, "feet_down", "1", "feet that carry"),
        ];
        out.put_rows(&base, "-", &values, |value| FeetValue::Walker(i, value));
    }
}

fn walker_value(system: &System, s: &Snapshot, i: usize, value: WalkerValue) -> f64 {
    let walker = &system.acts.feet.walkers[i];
    let distance = || {
        let p = kinematics::body_pose(&system.model, &system.cache, walker.body).p;
        (p - walker.start).xy().norm()
    };
    let per_metre = || {
        let travelled = distance();
        if travelled > LEAST_DISTANCE { s.works.drives / travelled } else { 0.0 }
    };
    match value {
        WalkerValue::Distance => distance(),
        WalkerValue::EnergyPerMetre => per_metre(),
        WalkerValue::CostOfTransport => {
            let gravity = match system.model.gravity {
                Gravity::Uniform(g) => g.norm(),
                Gravity::Central { .. } => 0.0,
            };
            let weight = system.model.total_mass() * gravity;
            if weight > 0.0 { per_metre() / weight } else { 0.0 }
        }
        WalkerValue::Lean => system.lean(walker.body),
        WalkerValue::Fallen => f64::from(u8::from(system.lean(walker.body) > FALLEN)),
        WalkerValue::SinkageMax => {
            let sinkage = |at: &FootAt| foot_value(system, s.held, *at, FootValue::Sinkage);
            system.acts.feet.all.iter().map(sinkage).fold(0.0, f64::max)
        }
        WalkerValue::FeetDown => {
            let carries = |at: &&FootAt| foot_value(system, s.held, **at, FootValue::Normal) > 0.0;
            system.acts.feet.all.iter().filter(carries).count() as f64
        }
    }
}

/// A number of a foot or of a walker. Needs an evaluation.
pub(super) fn value(system: &System, s: &Snapshot, value: FeetValue) -> f64 {
    match value {
        FeetValue::Foot(at, value) => foot_value(system, s.held, at, value),
        FeetValue::Walker(i, value) => walker_value(system, s, i, value),
    }
}

/// A number of a foot. Needs an evaluation.
fn foot_value(system: &System, held: &History, at: FootAt, value: FootValue) -> f64 {
    match at {
        FootAt::Law(i) => value_by_law(system, held, i, value),
        FootAt::Soil(i) => value_in_soil(system, i, value),
        FootAt::Intruder(i) => value_through_soil(system, i, value),
    }
}

/// For a foot that moves through soil. The normal is that of the undisturbed surface above the centre of its
/// load.
fn value_through_soil(system: &System, i: usize, value: FootValue) -> f64 {
    let parts = &system.acts.intruders;
    let (force, motion) = (&parts.list[i].force, &parts.list[i].motion);
    let (p, f) = (force.p_WQ, force.wrench_S.f);
    let normal = parts.surface(p.x, p.y).map_or(Vec3::z(), |(_, normal)| normal);
    let along = |v: &Vec3| v - normal * normal.dot(v);
    match value {
        FootValue::Sinkage => force.depth.max(0.0),
        FootValue::Normal => f.dot(&normal),
        FootValue::Tangential => along(&f).norm(),
        FootValue::Force(k) => f[k],
        FootValue::Slip => along(&(motion.v_WS + motion.w_WS.cross(&(p - motion.X_WS.p)))).norm(),
        _ => f64::NAN,
    }
}

/// For a foot that is a body in soil. The normal is that of the undisturbed surface under its origin.
fn value_in_soil(system: &System, i: usize, value: FootValue) -> f64 {
    let (force, motion) = (&system.acts.soil.forces[i], system.soil_motion(i));
    let relief = system.acts.soil.parts.as_ref().map(|parts| parts.fresh.relief());
    let (normal, height) = relief.and_then(|r| r.over(&motion.p_WC)).unwrap_or_else(|| (Vec3::z(), 0.0));
    let along = |v: &Vec3| v - normal * normal.dot(v);
    match value {
        FootValue::Sinkage => force.sinkage.max(0.0),
        FootValue::Normal => force.wrench_C.f.dot(&normal),
        FootValue::Tangential => along(&force.wrench_C.f).norm(),
        FootValue::Force(k) => force.wrench_C.f[k],
        FootValue::Slip => {
            // The deepest point lies below the origin by the sinkage and the origin's height.
            let arm = -normal * (force.sinkage + height);
            along(&(motion.v_WC + motion.w_WB.cross(&arm))).norm()
        }
        _ => f64::NAN,
    }
}

fn value_by_law(system: &System, held: &History, i: usize, value: FootValue) -> f64 {
    let feet = &system.acts.feet;
    let f = feet.whole(i);
    let other = feet.compared_with(i).map(|k| (feet.parts_of(k).next(), feet.whole(k)));
    match value {
        FootValue::Sinkage => f.depth.max(0.0),
        FootValue::Spring => f.spring,
        FootValue::Normal => f.normal,
        FootValue::Tangential => f.tangential_W.norm(),
        FootValue::Strength => f.strength,
        FootValue::Share => f.shear_share(),
        FootValue::Slip => f.slip,
        FootValue::Force(k) => f.force_W[k],
        FootValue::Torque(k) => f.torque_W[k],
        FootValue::Centre(k) => f.centre[k],
        FootValue::Footprints => {
            let kept = |(k, _): (usize, _)| held.acts.feet.memories[k].place.is_some();
            f64::from(u8::from(feet.parts_of(i).any(kept)))
        }
        FootValue::NormalError => other.map_or(f64::NAN, |(part, o)| {
            let foot = part.map(|(_, on)| &on.foot);
            let depth = foot.and_then(|foot| foot.params().shape.round()).unwrap_or(o.depth.max(0.0));
            let full = foot.and_then(|foot| foot.bearing()).map_or(o.normal, |b| b.at(depth).force);
            if full > 0.0 { (f.normal - o.normal).abs() / full } else { 0.0 }
        }),
        FootValue::ShareError => other.map_or(f64::NAN, |(_, o)| (f.shear_share() - o.shear_share()).abs()),
    }
}
