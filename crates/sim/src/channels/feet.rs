//! Columns of feet and of machines that walk.

use super::{AXES, Channels, Snapshot, Source};
use crate::description::WorldDescription;
use crate::system::System;
use touchdown_multibody::rigid::kinematics;

/// A walker that leans by more has fallen, rad.
const FALLEN: f64 = std::f64::consts::FRAC_PI_4;
/// Way before which energy per way says nothing, m.
const LEAST_WAY: f64 = 0.01;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FootValue {
    Sinkage,
    Spring,
    Normal,
    Tangential,
    Strength,
    Share,
    Slip,
    Force(usize),
    Footprints,
    NormalError,
    ShareError,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum WalkerValue {
    Distance,
    EnergyPerMetre,
    Lean,
    Fallen,
    SinkageMax,
    FeetDown,
}

impl Channels {
    pub(super) fn add_feet(&mut self, system: &System) {
        use FootValue::*;
        for (i, on) in system.feet.iter().enumerate() {
            let base = format!("foot.{}", on.name);
            let values: [(FootValue, &str, &'static str, &str); 8] = [
                (
                    Sinkage,
                    "sinkage_m",
                    "m",
                    "depth of the undeformed foot's lowest point below the untouched ground; 0 when above",
                ),
                (Spring, "spring_m", "m", "deformation of the foot"),
                (Normal, "normal_force_n", "N", "force along the normal of the ground"),
                (Tangential, "tangential_force_n", "N", "size of the force along the ground"),
                (Strength, "strength_n", "N", "largest force along the ground at this load"),
                (Share, "tangential_share", "1", "force along the ground over its largest"),
                (Slip, "slip_speed_m_per_s", "m/s", "speed of the lowest point along the ground"),
                (Footprints, "footprints", "1", "1 while the ground keeps a footprint below the foot"),
            ];
            for (value, suffix, unit, about) in values {
                self.put(Source::Foot(i, value), &format!("{base}.{suffix}"), unit, "-", about);
            }
            for (k, axis) in AXES.iter().enumerate() {
                let name = format!("{base}.force_{axis}_n");
                self.put(Source::Foot(i, Force(k)), &name, "N", "world", "force on the foot");
            }
            if let Some(other) = on.compare.and_then(|k| system.feet.get(k)) {
                let about = format!(
                    "|difference| of the normal force from that of {}, over the latter at a depth of its radius",
                    other.name
                );
                let name = format!("{base}.normal_error_relative");
                self.put(Source::Foot(i, NormalError), &name, "1", "-", &about);
                let about = format!("|difference| of the tangential share from that of {}", other.name);
                self.put(Source::Foot(i, ShareError), &format!("{base}.share_error"), "1", "-", &about);
            }
        }
    }

    pub(super) fn add_walkers(&mut self, description: &WorldDescription) {
        use WalkerValue::*;
        for (i, walker) in description.walkers.iter().enumerate() {
            let base = format!("walker.{}", walker.name);
            let values: [(WalkerValue, &str, &'static str, &str); 6] = [
                (Distance, "distance_m", "m", "level distance of its body from where it began"),
                (
                    EnergyPerMetre,
                    "energy_per_metre_j",
                    "J",
                    "work of all drives so far over the distance; 0 within the first centimetre",
                ),
                (
                    Lean,
                    "lean_rad",
                    "rad",
                    "angle between its body's z axis and the direction against gravity",
                ),
                (Fallen, "fallen", "1", "1 where it leans by more than 45 deg"),
                (SinkageMax, "sinkage_max_m", "m", "deepest sinkage of its feet"),
                (FeetDown, "feet_down", "1", "feet that carry"),
            ];
            for (value, suffix, unit, about) in values {
                self.put(Source::Walker(i, value), &format!("{base}.{suffix}"), unit, "-", about);
            }
            self.walkers.push(walker.clone());
        }
    }

    pub(super) fn walker_value(&self, system: &System, s: &Snapshot, i: usize, value: WalkerValue) -> f64 {
        let walker = &self.walkers[i];
        let distance = || {
            let p = kinematics::body_pose(&system.model, &system.cache, walker.body).p;
            (p - walker.start).xy().norm()
        };
        match value {
            WalkerValue::Distance => distance(),
            WalkerValue::EnergyPerMetre => {
                let way = distance();
                if way > LEAST_WAY { s.works.drives / way } else { 0.0 }
            }
            WalkerValue::Lean => system.lean(walker.body),
            WalkerValue::Fallen => f64::from(u8::from(system.lean(walker.body) > FALLEN)),
            WalkerValue::SinkageMax => system.feet.iter().map(|f| f.force.depth).fold(0.0, f64::max),
            WalkerValue::FeetDown => system.feet.iter().filter(|f| f.force.normal_force > 0.0).count() as f64,
        }
    }
}

pub(super) fn foot_value(system: &System, i: usize, value: FootValue) -> f64 {
    let on = &system.feet[i];
    let f = &on.force;
    let other = on.compare.and_then(|k| system.feet.get(k));
    match value {
        FootValue::Sinkage => f.depth.max(0.0),
        FootValue::Spring => f.spring,
        FootValue::Normal => f.normal_force,
        FootValue::Tangential => f.tangential_W.norm(),
        FootValue::Strength => f.strength,
        FootValue::Share => on.shear_share(),
        FootValue::Slip => on.slip,
        FootValue::Force(k) => f.wrench_F.f[k],
        FootValue::Footprints => f64::from(u8::from(on.memory.place.is_some())),
        FootValue::NormalError => other.map_or(f64::NAN, |o| {
            let depth = o.foot.params().shape.round().unwrap_or(o.force.depth.max(0.0));
            let full = o.foot.bearing().map_or(o.force.normal_force, |b| b.at(depth).force);
            if full > 0.0 { (f.normal_force - o.force.normal_force).abs() / full } else { 0.0 }
        }),
        FootValue::ShareError => other.map_or(f64::NAN, |o| (on.shear_share() - o.shear_share()).abs()),
    }
}
