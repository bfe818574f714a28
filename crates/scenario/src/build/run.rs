//! The run itself: gravity, integrator, recording, quantities; and values that follow from others.

use super::boom::fill_booms;
use super::capture::fill_capture;
use super::flexible::fill_flexible;
use super::foot_rig::fill_foot_rig;
use super::gait::fill_gait;
use super::ground::fill_ground;
use super::polygonal::fill_polygonal;
use super::press::fill_press;
use super::report::fill_report;
use super::rig::fill_rig;
use super::rocks::fill_rocks;
use super::smooth::fill_contacts;
use super::soil::fill_terrain;
use super::study::{brings_its_own, fill_study};
use super::{Builder, Built};
use crate::error::Issues;
use crate::node::{Data, Node};
use crate::read::{Item, Record, Value, read_table};
use crate::source::Loc;
use crate::table::{
    GravityKey, IntegratorKey, IntegratorKeys, IntegratorWord, Key, Keys, MachineKeys, PlaceKeys,
    QuantityKeys, RecordKeys, ScenarioKeys, Section, StartWord, TakeWord, Words, WorldWord,
};
use crate::unit::{LENGTH, NUMBER, TIME};
use touchdown_math::{Elementary, Vec3, rotation};
use touchdown_multibody::description::Gravity;
use touchdown_sim::description::{
    Ground, Integrator, Quantity, RecordOptions, Start, StepControl, Study, Take, WorldDescription,
};
use touchdown_studies::{FreeRolling, WheelPress};

/// Surface gravity, m/s²: Mars as in Samarini et al. section 7; Moon and Earth by convention of this
/// project's sources.
const MARS: f64 = 3.711;
const EARTH: f64 = 9.81;
const MOON: f64 = 1.625;

/// Relative tolerance of the adaptive integrators if not given; the absolute one is a hundredth of it.
const EXPLICIT_TOLERANCE: f64 = 1e-10;
const IMPLICIT_TOLERANCE: f64 = 1e-6;
/// Step of the realtime integrator if not given, s.
const REALTIME_STEP: f64 = 1e-3;
/// Spectral radius of the implicit integrator if not given.
const SPECTRAL_RADIUS: f64 = 0.8;

/// Fills in values that follow from others, so that the resolved scenario contains them.
pub(crate) fn fill_derived(record: &mut Record, issues: &mut Issues) {
    fill_rig(record);
    fill_foot_rig(record);
    fill_terrain(record);
    fill_ground(record);
    fill_contacts(record);
    fill_flexible(record);
    fill_press(record, issues);
    fill_rocks(record);
    fill_polygonal(record);
    fill_booms(record);
    fill_capture(record);
    check_duration(record, issues);
    let duration = record.get(ScenarioKeys::duration).unwrap_or(1.0);
    let name = record.get(ScenarioKeys::integrator);
    let name = name.and_then(|i| if let IntegratorKey::Name(name) = i { Some(name.word()) } else { None });
    let named = name.map(|name| (IntegratorKeys::name.name(), name));
    expand(record, ScenarioKeys::integrator.any(), IntegratorKeys::SECTION, named, issues);
    expand(record, ScenarioKeys::record.any(), RecordKeys::SECTION, None, issues);
    fill_gait(record);
    if let Some(integrator) = record.table_mut(ScenarioKeys::integrator) {
        fill_integrator(integrator, duration);
    }
    if let Some(study) = record.table_mut(ScenarioKeys::study) {
        fill_study(study, duration);
    }
    for quantity in record.map_mut(ScenarioKeys::quantity) {
        quantity.record.fill(QuantityKeys::to, Value::Number(duration, &TIME));
    }
    fill_report(record, duration);
    for machine in record.map_mut(ScenarioKeys::machine) {
        if let Some(place) = machine.record.table_mut(MachineKeys::place)
            && !place.has(PlaceKeys::clearance)
        {
            place.fill(PlaceKeys::z, Value::Number(0.0, &LENGTH));
        }
    }
}

/// Without a rig, whose schedule sets the end, the run requires its duration.
fn check_duration(record: &Record, issues: &mut Issues) {
    let by_itself = record.has(ScenarioKeys::rig) || record.has(ScenarioKeys::foot_rig);
    if !record.is_there(ScenarioKeys::duration) && !by_itself {
        issues
            .at(record.loc, "the scenario", "needs duration (or duration_s)")
            .hint("duration: simulated time");
    }
}

/// A missing table, or the short form `integrator = "implicit"`, becomes the full table.
fn expand(
    record: &mut Record,
    key: Key<ScenarioKeys, ()>,
    section: &'static Section,
    named: Option<(&str, &str)>,
    issues: &mut Issues,
) {
    if record.is_wrong(key) || record.table(key).is_some() {
        return;
    }
    let (loc, given) = (record.loc_of(key), record.has(key));
    let entries = named.map(|(key, word)| crate::node::Entry {
        key: key.into(),
        key_loc: loc,
        node: Node::new(loc, Data::Text(word.into())),
    });
    let node = Node::new(loc, Data::Table(entries.into_iter().collect()));
    let mut table = read_table(&node, section, key.name(), issues);
    table.written_if(given);
    record.replace(key, Item { value: Some(Value::Table(table)), loc, key: key.name().into(), given });
}

fn fill_integrator(table: &mut Record, duration: f64) {
    let name = table.get(IntegratorKeys::name).unwrap_or(IntegratorWord::Explicit);
    let tolerance = match name {
        IntegratorWord::Realtime => {
            table.fill(IntegratorKeys::step, Value::Number(REALTIME_STEP, &TIME));
            return;
        }
        IntegratorWord::Implicit => {
            table.fill(IntegratorKeys::spectral_radius, Value::Number(SPECTRAL_RADIUS, &NUMBER));
            IMPLICIT_TOLERANCE
        }
        IntegratorWord::Explicit => EXPLICIT_TOLERANCE,
    };
    if !table.is_there(IntegratorKeys::step) {
        table.fill(IntegratorKeys::tolerance, Value::Number(tolerance, &NUMBER));
        let absolute = table.get(IntegratorKeys::tolerance).unwrap_or(tolerance) / 100.0;
        table.fill(IntegratorKeys::absolute_tolerance, Value::Number(absolute.max(1e-15), &NUMBER));
        table.fill(IntegratorKeys::longest_step, Value::Number(duration, &TIME));
    }
}

impl Builder<'_> {
    /// The description, from everything built so far and the keys of the run.
    pub fn finish(mut self) -> Built {
        let root = self.root;
        let heaps = matches!(&self.ground, Some(Ground::Soil(soil)) if !soil.heaps.is_empty());
        let nothing =
            self.mechanism.bodies.is_empty() && self.flexible.is_empty() && !heaps && !brings_its_own(root);
        if nothing && self.issues.is_empty() {
            let start = Loc { start: 0, end: 0, ..root.here.loc };
            self.issues
                .at(start, "", "there is nothing to simulate")
                .hint("add [body.NAME], [chain.NAME] or [machine.NAME]");
        }
        self.mechanism.gravity = self.gravity();
        let duration = root.duration.unwrap_or(1.0);
        let mut quantities = self.quantities(duration);
        let vehicles = self.vehicles();
        let study = self.study(&vehicles);
        quantities.extend(
            study.iter().filter_map(|s| s.procedure::<FreeRolling>()).flat_map(FreeRolling::quantities),
        );
        // The other studies have result quantities of their own.
        let report = self.report(duration);
        let has_columns =
            |study: &Study| matches!(study, Study::Static) || study.procedure::<WheelPress>().is_some();
        if study.as_ref().is_none_or(has_columns) {
            self.check_report(&quantities, &vehicles, &report.answer);
        } else {
            self.check_answer_name();
        }
        let integrator = self.integrator(duration);
        let start = match root.start {
            Some(StartWord::Equilibrium) => Start::Equilibrium,
            Some(StartWord::AsGiven) => Start::AsGiven,
            Some(StartWord::Automatic) | None => self.automatic_start(study.as_ref()),
        };
        let description = WorldDescription {
            mechanism: self.mechanism,
            ground: self.ground,
            tyres: self.tyres,
            soil_bodies: self.soil_bodies,
            contacts: self.contacts,
            polygonal: self.polygonal,
            flexible: self.flexible,
            booms: self.booms,
            bumpers: self.bumpers,
            magnets: self.magnets,
            latches: self.latches,
            ratchets: self.ratchets,
            captures: self.captures,
            feet: self.feet,
            intruders: self.intruders,
            walkers: self.walkers,
            vehicles,
            satellites: self.satellites,
            devices: self.devices,
            impulses: self.impulses,
            schedule: self.schedule,
            inputs: self.inputs,
            points: self.points,
            visuals: self.visuals,
            start,
            integrator,
            duration,
            sample_every: root.sample_every.unwrap_or(0.01),
            exchange_every: integrator_keys(root).and_then(|keys| keys.exchange_every),
            record: record_options(root),
            quantities,
            study,
        };
        Built { description, report, origins: self.origins, warnings: self.warnings }
    }

    /// Machines in contact with the ground that do not move start at rest; one above the ground is dropped.
    fn automatic_start(&self, study: Option<&Study>) -> Start {
        let mut clearances = self.clearances().peekable();
        let in_time = matches!(study, None | Some(Study::Gradability(_)));
        let stands = clearances.peek().is_some() && clearances.all(|clearance| clearance <= 0.0);
        let moves = self.mechanism.joints.iter().any(|joint| joint.rate.iter().any(|rate| *rate != 0.0));
        if in_time && stands && !moves { Start::EquilibriumIfFound } else { Start::AsGiven }
    }

    /// Gravity, rotated by `gravity_tilt`: for uphill along +x it tilts towards -x.
    fn gravity(&mut self) -> Gravity {
        let upright = upright_gravity(self.root.gravity.as_ref());
        let Some(tilt) = self.root.gravity_tilt.as_ref().and_then(|tilt| tilt.keys.as_ref()) else {
            return upright;
        };
        match upright {
            Gravity::Uniform(g) => {
                let across = Vec3::new(-tilt.uphill.sine(), tilt.uphill.cosine(), 0.0);
                Gravity::Uniform(rotation::about_axis(&across, tilt.angle) * g)
            }
            Gravity::Central { .. } => {
                self.issues.at(tilt.here.loc, &tilt.here.path, "cannot turn a centre of attraction");
                upright
            }
        }
    }

    fn integrator(&mut self, duration: f64) -> Integrator {
        let fallback = Integrator::Realtime { step: REALTIME_STEP };
        let Some(keys) = integrator_keys(self.root) else { return fallback };
        self.check_integrator(keys);
        let step = match keys.step {
            Some(step) => StepControl::Fixed(step),
            None => StepControl::Adaptive {
                relative: keys.tolerance.unwrap_or(EXPLICIT_TOLERANCE),
                absolute: keys.absolute_tolerance.unwrap_or(EXPLICIT_TOLERANCE),
                longest: keys.longest_step.unwrap_or(duration),
            },
        };
        match keys.name {
            IntegratorWord::Explicit => Integrator::Explicit { step },
            IntegratorWord::Implicit => Integrator::Implicit {
                step,
                spectral_radius: keys.spectral_radius.unwrap_or(SPECTRAL_RADIUS),
            },
            IntegratorWord::Realtime => Integrator::Realtime { step: keys.step.unwrap_or(REALTIME_STEP) },
        }
    }

    /// Settings that do not apply to the integrator are mistakes.
    fn check_integrator(&mut self, keys: &IntegratorKeys) {
        let tolerances = [
            IntegratorKeys::tolerance,
            IntegratorKeys::absolute_tolerance,
            IntegratorKeys::longest_step,
            IntegratorKeys::exchange_every,
        ];
        let radius = [IntegratorKeys::spectral_radius];
        let fixed = keys.here.has(IntegratorKeys::step);
        let useless = match keys.name {
            IntegratorWord::Realtime => [&tolerances[..], &radius].concat(),
            IntegratorWord::Explicit if fixed => [&tolerances[..], &radius].concat(),
            IntegratorWord::Explicit => radius.to_vec(),
            IntegratorWord::Implicit if fixed => tolerances.to_vec(),
            IntegratorWord::Implicit => Vec::new(),
        };
        let with_step =
            if fixed && keys.name != IntegratorWord::Realtime { " with a fixed step" } else { "" };
        for key in useless.into_iter().filter(|key| keys.here.has(*key)) {
            let what = format!("means nothing to the {} integrator{with_step}", keys.name.word());
            self.issues.at(keys.here.loc_of(key), keys.here.path_of(key), what);
        }
    }

    fn quantities(&mut self, duration: f64) -> Vec<Quantity> {
        let mut list = Vec::new();
        for named in &self.root.quantity {
            self.remember("quantity", &named.name, named);
            list.extend(named.keys.as_ref().and_then(|keys| self.quantity(&named.name, keys, duration)));
        }
        for quantity in self.rig_quantities() {
            if quantity.to > duration + 1e-9 * duration {
                let (name, to) = (&quantity.name, quantity.to);
                self.warnings
                    .push(format!("{name} is omitted: it needs {to:.2} s and the run ends at {duration} s"));
            } else if !list.iter().any(|q| q.name == quantity.name) {
                list.push(quantity);
            }
        }
        list
    }

    fn quantity(&mut self, name: &str, keys: &QuantityKeys, duration: f64) -> Option<Quantity> {
        let (from, to) = (keys.from, keys.to);
        // A shortened run may not reach the window; the resolved file of such a run must still load.
        if from > duration {
            self.warnings
                .push(format!("{name} is omitted: it starts at {from} s and the run ends at {duration} s"));
            return None;
        }
        if from > to {
            let (loc, path) = (keys.here.loc_of(QuantityKeys::from), keys.here.path_of(QuantityKeys::from));
            self.issues
                .at(loc, path, "must come before the end of its window")
                .found(format!("from {from} s to {to} s"));
        }
        Some(Quantity {
            name: name.into(),
            column: keys.column.to_string(),
            take: take(keys.take),
            crossing: self.crossing(keys),
            from,
            to,
            about: keys.here.about.clone().unwrap_or_default(),
            scale: keys.scale,
        })
    }

    /// The other column and its level, for a value at a crossing.
    fn crossing(&mut self, keys: &QuantityKeys) -> Option<(String, f64)> {
        for key in [QuantityKeys::crossing.any(), QuantityKeys::level.any()] {
            match (keys.take == TakeWord::AtCrossing, keys.here.has(key)) {
                (true, false) => {
                    let what = format!("needs {}, because it takes the value at a crossing", key.name());
                    self.issues
                        .at(keys.here.loc, &keys.here.path, what)
                        .hint("crossing = \"COLUMN\", level = NUMBER");
                }
                (false, true) => {
                    self.issues
                        .at(keys.here.loc_of(key), keys.here.path_of(key), "means nothing here")
                        .hint("take = \"at-crossing\" has it");
                }
                _ => {}
            }
        }
        Some((keys.crossing.as_ref()?.to_string(), keys.level?))
    }
}

/// The integrator's settings; its short form has been converted to a table before.
fn integrator_keys(root: &ScenarioKeys) -> Option<&IntegratorKeys> {
    match root.integrator.as_ref()? {
        IntegratorKey::Table(keys) => Some(keys),
        IntegratorKey::Name(_) => None,
    }
}

pub(super) fn upright_gravity(gravity: Option<&GravityKey>) -> Gravity {
    let down = |g: f64| Gravity::Uniform(Vec3::new(0.0, 0.0, -g));
    match gravity {
        Some(GravityKey::World(WorldWord::Mars)) => down(MARS),
        Some(GravityKey::World(WorldWord::Earth)) => down(EARTH),
        Some(GravityKey::World(WorldWord::Moon)) => down(MOON),
        Some(GravityKey::World(WorldWord::None)) | None => Gravity::Uniform(Vec3::zeros()),
        Some(GravityKey::Vector(g)) => Gravity::Uniform(*g),
        Some(GravityKey::Central(keys)) => Gravity::Central { centre: keys.centre, mu: keys.mu },
    }
}

fn record_options(root: &ScenarioKeys) -> RecordOptions {
    let keys = root.record.as_ref().and_then(|record| record.keys.as_ref());
    RecordOptions {
        series_every: keys.map_or(1.0, |keys| keys.series_every),
        frames_every: keys.map_or(1.0, |keys| keys.frames_every),
        checkpoint_every: keys.map_or(1.0, |keys| keys.checkpoint_every),
        reactions: keys.is_some_and(|keys| keys.reactions),
    }
}

fn take(word: TakeWord) -> Take {
    match word {
        TakeWord::End => Take::End,
        TakeWord::Begin => Take::Begin,
        TakeWord::Max => Take::Max,
        TakeWord::Min => Take::Min,
        TakeWord::Mean => Take::Mean,
        TakeWord::Deviation => Take::Deviation,
        TakeWord::Change => Take::Change,
        TakeWord::AtCrossing => Take::AtCrossing,
    }
}
