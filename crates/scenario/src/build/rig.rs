//! Test stands: the keys of `[rig]` ⇒ [`Rig`], its parts and its answers.

use super::Builder;
use crate::read::{Record, Value};
use crate::table::{
    GravityKey, Key, Keys, RigKeys, RigWord, ScenarioKeys, TerrainKeys, TerrainShapeWord, TerrainStressWord,
    Words, WorldWord,
};
use crate::unit::{ANGLE, LENGTH, MASS, TIME};
use touchdown_machines::Rig;
use touchdown_machines::rig::{RADII_BEFORE, RigKind, RigWheel, shortest_travel};
use touchdown_sim::description::Quantity;
use touchdown_sim::figure::PhaseSpan;

/// Defaults: height of grousers, m; mass of every part, kg; time of spinning, s; loads of a plate.
const GROUSER_HEIGHT: f64 = 0.01;
const MASS_OF_PART: f64 = 10.0;
const SPIN_TIME: f64 = 2.0;
const POINTS: u64 = 20;
type AnyKey = Key<RigKeys, ()>;

/// Keys that a kind requires, and optional keys.
fn keys_of(kind: RigWord) -> (Vec<AnyKey>, Vec<AnyKey>) {
    let load = RigKeys::load.any();
    let wheel = [RigKeys::radius.any(), RigKeys::width.any()];
    let rim = [RigKeys::grousers.any(), RigKeys::grouser_height.any(), RigKeys::carried_layer.any()];
    let (speed, mass, travel) = (RigKeys::speed.any(), RigKeys::mass.any(), RigKeys::travel.any());
    match kind {
        RigWord::SingleWheel => (
            [&wheel[..], &[load, speed]].concat(),
            [
                &rim[..],
                &[RigKeys::slip.any(), RigKeys::rim_speed.any(), RigKeys::slip_angle.any()],
                &[travel, RigKeys::run_in.any(), RigKeys::passes.any(), mass],
            ]
            .concat(),
        ),
        RigWord::Spin => (
            [&wheel[..], &[load, RigKeys::wheel_speed.any()]].concat(),
            [&rim[..], &[RigKeys::spin_time.any(), mass]].concat(),
        ),
        RigWord::Footprint => {
            ([&wheel[..], &[speed, RigKeys::sink_rate.any()]].concat(), [&rim[..], &[travel, mass]].concat())
        }
        RigWord::Plate => (
            vec![load, RigKeys::width.any(), RigKeys::length.any()],
            vec![RigKeys::shift.any(), RigKeys::points.any(), mass],
        ),
    }
}

/// Whether sliding rims dig by means of a carried layer: with pressure by direction they sink without it.
fn digs_by_layer(terrain: &Record) -> bool {
    terrain.get(TerrainKeys::stress_law).is_some_and(|law| law != TerrainStressWord::Directional)
}

/// Fills in values that follow from the kind and from other keys: sizes, masses, and the duration of the run.
pub(crate) fn fill_rig(record: &mut Record) {
    let terrain = record.table(ScenarioKeys::terrain);
    let spacing = terrain.and_then(|t| t.get(TerrainKeys::spacing)).unwrap_or(1.0);
    let digs = terrain.is_some_and(digs_by_layer);
    let Some(rig) = record.table_mut(ScenarioKeys::rig) else { return };
    let kind = rig.get(RigKeys::kind).unwrap_or(RigWord::Plate);
    let radius = rig.get(RigKeys::radius).unwrap_or(1.0);
    let run_in = (RADII_BEFORE * radius * 1e9).round() / 1e9;
    let travel = if kind == RigWord::Footprint {
        8.0 * radius
    } else {
        rig.get(RigKeys::run_in).unwrap_or(run_in) + 2.0 * radius
    };
    let grousers = rig.get(RigKeys::grousers).unwrap_or(0);
    let height = rig.get(RigKeys::grouser_height).unwrap_or(GROUSER_HEIGHT);
    let carried = if digs && grousers > 0 { height } else { 0.0 };
    let values = [
        (RigKeys::grousers.any(), Value::Count(0)),
        (RigKeys::grouser_height.any(), Value::Number(GROUSER_HEIGHT, &LENGTH)),
        (RigKeys::carried_layer.any(), Value::Number(carried, &LENGTH)),
        (RigKeys::travel.any(), Value::Number((travel * 1e9).round() / 1e9, &LENGTH)),
        (RigKeys::run_in.any(), Value::Number(run_in, &LENGTH)),
        (RigKeys::slip_angle.any(), Value::Number(0.0, &ANGLE)),
        (RigKeys::spin_time.any(), Value::Number(SPIN_TIME, &TIME)),
        (RigKeys::passes.any(), Value::Count(1)),
        (RigKeys::shift.any(), Value::Number(0.0, &LENGTH)),
        (RigKeys::points.any(), Value::Count(POINTS)),
        (RigKeys::mass.any(), Value::Number(MASS_OF_PART, &MASS)),
    ];
    let (_, optional) = keys_of(kind);
    for (key, value) in values {
        if optional.iter().any(|own| own.name() == key.name()) {
            rig.fill(key, value);
        }
    }
    let rig = RigKeys::read(rig).and_then(|keys| described(&keys, spacing, 0.0));
    if let Some(rig) = rig {
        record.fill(ScenarioKeys::duration, Value::Number(rig.schedule().duration, &TIME));
    }
}

/// The stand that the keys describe; `None` if a required key is missing.
fn described(keys: &RigKeys, spacing: f64, level: f64) -> Option<Rig> {
    let wheel = || {
        Some(RigWheel {
            radius: keys.radius?,
            width: keys.width?,
            grousers: u32::try_from(keys.grousers?).ok()?,
            grouser_height: keys.grouser_height?,
            carried_layer: keys.carried_layer?,
        })
    };
    let kind = match keys.kind {
        RigWord::SingleWheel => RigKind::SingleWheel {
            wheel: wheel()?,
            load: keys.load?,
            wheel_speed: match (keys.rim_speed, keys.slip) {
                (Some(rim_speed), _) => rim_speed / keys.radius?,
                (None, slip) => keys.speed? / (keys.radius? * (1.0 - slip?)),
            },
            slip_angle: keys.slip_angle?,
            speed: keys.speed?,
            travel: keys.travel?,
            run_in: keys.run_in?,
            passes: keys.passes?,
        },
        RigWord::Spin => RigKind::Spin {
            wheel: wheel()?,
            load: keys.load?,
            wheel_speed: keys.wheel_speed?,
            spin_time: keys.spin_time?,
        },
        RigWord::Footprint => RigKind::Footprint {
            wheel: wheel()?,
            speed: keys.speed?,
            sink_rate: keys.sink_rate?,
            travel: keys.travel?,
        },
        RigWord::Plate => RigKind::Plate { length: keys.length?, width: keys.width?, shift: keys.shift? },
    };
    Some(Rig { kind, mass: keys.mass?, spacing, level })
}

impl<'a> Builder<'a> {
    /// The keys of `[rig]`.
    pub(super) fn rig_keys(&self) -> Option<&'a RigKeys> {
        self.root.rig.as_ref()?.keys.as_ref()
    }

    /// Bodies, joints, motions and load of the rig.
    pub fn collect_rig(&mut self) {
        let Some(keys) = self.rig_keys() else { return };
        self.check_rig(keys);
        self.check_around_rig(keys);
        if let Some(rig) = self.rig() {
            self.add_stand(rig.kit(), &keys.here);
        }
    }

    /// The rig; `None` without one.
    pub(super) fn rig(&self) -> Option<Rig> {
        let terrain = self.terrain_keys()?;
        described(self.rig_keys()?, terrain.spacing, terrain.height)
    }

    /// The results of the rig.
    pub fn rig_quantities(&mut self) -> Vec<Quantity> {
        let (Some(rig), Some(keys)) = (self.rig(), self.rig_keys()) else { return Vec::new() };
        let list = rig.quantities();
        list.iter().for_each(|q| self.remember("quantity", &q.name, &keys.here));
        list
    }

    /// Parts of the rig's schedule.
    pub fn rig_phases(&self) -> Vec<PhaseSpan> {
        self.rig().map(|rig| rig.phases()).unwrap_or_default()
    }

    fn check_rig(&mut self, rig: &RigKeys) {
        let (kind, here) = (rig.kind.word(), &rig.here);
        let (needed, optional) = keys_of(rig.kind);
        for key in needed.iter().filter(|key| !here.has(**key)) {
            self.issues.at(here.loc, &here.path, format!("needs {}, because it is {kind}", key.name()));
        }
        let turns = [RigKeys::slip.any(), RigKeys::rim_speed.any()];
        if rig.kind == RigWord::SingleWheel && !turns.iter().any(|key| here.has(*key)) {
            self.issues.at(here.loc, &here.path, format!("needs slip or rim_speed, because it is {kind}"));
        }
        for (name, loc, path) in here.given() {
            let mut own = needed.iter().chain(&optional).map(|key| key.name());
            if name != RigKeys::kind.name() && !own.any(|key| key == name) {
                self.issues.at(loc, path, format!("means nothing in a rig of kind {kind}"));
            }
        }
        if let (Some(travel), Some(radius), Some(run_in), Some(speed)) =
            (rig.travel, rig.radius, rig.run_in, rig.speed)
            && rig.kind == RigWord::SingleWheel
            && travel < shortest_travel(radius, run_in, speed) * (1.0 - 1e-9)
        {
            let least = shortest_travel(radius, run_in, speed);
            let start = if here.has(RigKeys::run_in) { "run_in" } else { "four radii" };
            self.issues
                .at(
                    here.loc_of(RigKeys::travel),
                    here.path_of(RigKeys::travel),
                    "is too short for a steady stretch",
                )
                .found(format!("{travel} m"))
                .hint(format!("at least {least} m: {start} to start, one radius to average over"));
        }
    }

    /// A rig requires flat soil, and applies its own load.
    fn check_around_rig(&mut self, rig: &RigKeys) {
        let root = self.root;
        if root.terrain.is_none() {
            self.issues.at(rig.here.loc, &rig.here.path, "needs soil to stand in").hint("add [terrain]");
        }
        if let Some(terrain) = self.terrain_keys().filter(|t| t.shape != TerrainShapeWord::Flat) {
            let key = TerrainKeys::shape;
            let (loc, path) = (terrain.here.loc_of(key), terrain.here.path_of(key));
            self.issues.at(loc, path, "must be flat under a rig");
        }
        let weightless = matches!(root.gravity, Some(GravityKey::World(WorldWord::None)));
        if root.here.has(ScenarioKeys::gravity) && !weightless {
            self.issues
                .at(
                    root.here.loc_of(ScenarioKeys::gravity),
                    "gravity",
                    "must be none: a rig brings its own load",
                )
                .hint("set rig.load");
        }
    }
}
