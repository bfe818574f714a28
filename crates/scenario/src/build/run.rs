//! The run itself: gravity, integrator, recording, quantities; and the values that follow from others.

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
use super::study::fill_study;
use super::{Builder, Built};
use crate::error::Issues;
use crate::node::{Data, Node};
use crate::read::{Item, Record, Value, read_table};
use crate::source::Loc;
use crate::table::SCENARIO;
use crate::unit::{LENGTH, NUMBER, TIME};
use touchdown_math::{Vec3, rotation};
use touchdown_multibody::description::Gravity;
use touchdown_sim::description::{
    Ground, Integrator, Quantity, RecordOptions, Start, StepControl, Study, Take, WorldDescription,
};

/// Surface gravity, m/s²: Mars as in Samarini et al. section 7; Moon and Earth by convention of this project's sources.
const MARS: f64 = 3.711;
pub(super) const EARTH: f64 = 9.81;
const MOON: f64 = 1.625;

/// Tolerances of the adaptive integrators if none is given, relative; the absolute one is a hundredth of it.
const EXPLICIT_TOLERANCE: f64 = 1e-10;
const IMPLICIT_TOLERANCE: f64 = 1e-6;
/// Step of the realtime integrator if none is given, s.
const REALTIME_STEP: f64 = 1e-3;
/// Spectral radius of the implicit integrator if none is given.
const SPECTRAL_RADIUS: f64 = 0.8;

/// Puts in what follows from other values, so that the resolved scenario shows it.
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
    let duration = record.number("duration").unwrap_or(1.0);
    for key in ["integrator", "record"] {
        expand(record, key, issues);
    }
    fill_gait(record);
    if let Some(integrator) = record.table_mut("integrator") {
        fill_integrator(integrator, duration);
    }
    if let Some(study) = record.table_mut("study") {
        fill_study(study, duration);
    }
    for quantity in record.map_mut("quantity") {
        quantity.record.fill("to", Value::Number(duration, &TIME));
    }
    fill_report(record, duration);
    for machine in record.map_mut("machine") {
        if let Some(place) = machine.record.table_mut("place")
            && !place.has("clearance")
        {
            place.fill("z", Value::Number(0.0, &LENGTH));
        }
    }
}

/// Without a rig, whose timetable ends by itself, the run needs its length.
fn check_duration(record: &Record, issues: &mut Issues) {
    if !record.items.contains_key("duration") && !record.has("rig") && !record.has("foot_rig") {
        issues
            .at(record.loc, "the scenario", "needs duration (or duration_s)")
            .hint("duration: simulated time");
    }
}

/// A missing table, or the short form `integrator = "implicit"`, becomes the full table.
fn expand(record: &mut Record, key: &'static str, issues: &mut Issues) {
    let name = record.text(key).map(str::to_string);
    if record.items.get(key).is_some_and(|i| i.value.is_none()) || record.table(key).is_some() {
        return;
    }
    let Some(section) = SCENARIO.find(key).and_then(|(f, _)| f.kind.section()) else { return };
    let (loc, given) = (record.loc_of(key), record.has(key));
    let entries = name.map(|n| crate::node::Entry {
        key: "name".into(),
        key_loc: loc,
        node: Node::new(loc, Data::Text(n)),
    });
    let node = Node::new(loc, Data::Table(entries.into_iter().collect()));
    let mut table = read_table(&node, section, key, issues);
    table.items.values_mut().for_each(|i| i.given &= given);
    record.items.insert(key, Item { value: Some(Value::Table(table)), loc, key: key.into(), given });
}

fn fill_integrator(table: &mut Record, duration: f64) {
    let name = table.text("name").unwrap_or("explicit").to_string();
    if name == "realtime" {
        table.fill("step", Value::Number(REALTIME_STEP, &TIME));
        return;
    }
    if name == "implicit" {
        table.fill("spectral_radius", Value::Number(SPECTRAL_RADIUS, &NUMBER));
    }
    if table.value("step").is_none() && !table.has("step") {
        let default = if name == "implicit" { IMPLICIT_TOLERANCE } else { EXPLICIT_TOLERANCE };
        table.fill("tolerance", Value::Number(default, &NUMBER));
        let absolute = table.number("tolerance").unwrap_or(default) / 100.0;
        table.fill("absolute_tolerance", Value::Number(absolute.max(1e-15), &NUMBER));
        table.fill("longest_step", Value::Number(duration, &TIME));
    }
}

impl Builder<'_> {
    /// The description, from what has been built and the keys of the run.
    pub fn finish(mut self, record: &Record) -> Built {
        let heaps = matches!(&self.ground, Some(Ground::Soil(soil)) if !soil.heaps.is_empty());
        let nothing = self.mechanism.bodies.is_empty() && self.flexible.is_empty() && !heaps;
        if nothing && self.issues.is_empty() {
            let start = Loc { start: 0, end: 0, ..record.loc };
            self.issues
                .at(start, "", "there is nothing to simulate")
                .hint("add [body.NAME], [chain.NAME] or [machine.NAME]");
        }
        self.mechanism.gravity = self.gravity(record);
        let duration = record.number("duration").unwrap_or(1.0);
        let quantities = self.quantities(record, duration);
        let vehicles = self.vehicles();
        let study = self.study(record, &vehicles);
        // The other studies answer with numbers of their own.
        if matches!(study, None | Some(Study::Static | Study::WheelPress(_))) {
            self.check_report(record, &quantities);
        } else {
            self.check_answer_name(record);
        }
        let report = self.report(record, duration);
        let integrator = self.integrator(record, duration);
        let start =
            if record.text("start") == Some("equilibrium") { Start::Equilibrium } else { Start::AsGiven };
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
            captures: self.captures,
            feet: self.feet,
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
            sample_every: record.number("sample_every").unwrap_or(0.01),
            exchange_every: record.table("integrator").and_then(|t| t.number("exchange_every")),
            record: record_options(record),
            quantities,
            study,
        };
        Built { description, report, origins: self.origins, warnings: self.warnings }
    }

    /// Gravity, turned as `gravity_tilt` says: uphill along +x, it leans towards -x.
    fn gravity(&mut self, record: &Record) -> Gravity {
        let upright = upright_gravity(record);
        let Some(tilt) = record.table("gravity_tilt") else { return upright };
        let (Some(angle), Some(uphill)) = (tilt.number("angle"), tilt.number("uphill")) else {
            return upright;
        };
        match upright {
            Gravity::Uniform(g) => {
                let across = Vec3::new(-uphill.sin(), uphill.cos(), 0.0);
                Gravity::Uniform(rotation::about_axis(&across, angle) * g)
            }
            Gravity::Central { .. } => {
                self.issues.at(tilt.loc, &tilt.path, "cannot turn a centre of attraction");
                upright
            }
        }
    }

    fn integrator(&mut self, record: &Record, duration: f64) -> Integrator {
        let fallback = Integrator::Realtime { step: REALTIME_STEP };
        let Some(table) = record.table("integrator") else { return fallback };
        let name = table.text("name").unwrap_or("realtime");
        let tolerances = ["tolerance", "absolute_tolerance", "longest_step", "exchange_every"];
        let useless: Vec<&str> = match name {
            "realtime" => tolerances.iter().copied().chain(["spectral_radius"]).collect(),
            "explicit" if table.has("step") => {
                tolerances.iter().copied().chain(["spectral_radius"]).collect()
            }
            "explicit" => vec!["spectral_radius"],
            _ if table.has("step") => tolerances.to_vec(),
            _ => Vec::new(),
        };
        for key in useless.into_iter().filter(|k| table.has(k)) {
            let what = format!(
                "means nothing to the {name} integrator{}",
                if table.has("step") && name != "realtime" { " with a fixed step" } else { "" }
            );
            self.issues.at(table.loc_of(key), table.path_of(key), what);
        }
        let step = match table.number("step") {
            Some(step) => StepControl::Fixed(step),
            None => StepControl::Adaptive {
                relative: table.number("tolerance").unwrap_or(EXPLICIT_TOLERANCE),
                absolute: table.number("absolute_tolerance").unwrap_or(EXPLICIT_TOLERANCE),
                longest: table.number("longest_step").unwrap_or(duration),
            },
        };
        match name {
            "explicit" => Integrator::Explicit { step },
            "implicit" => Integrator::Implicit {
                step,
                spectral_radius: table.number("spectral_radius").unwrap_or(SPECTRAL_RADIUS),
            },
            _ => Integrator::Realtime { step: table.number("step").unwrap_or(REALTIME_STEP) },
        }
    }

    fn quantities(&mut self, record: &Record, duration: f64) -> Vec<Quantity> {
        let mut list = Vec::new();
        for named in record.map("quantity") {
            let r = &named.record;
            self.remember("quantity", &named.name, r);
            let (Some(column), Some(from), Some(to)) = (r.text("column"), r.number("from"), r.number("to"))
            else {
                continue;
            };
            // A shortened run simply does not reach the window; the resolved file of such a run must load as well.
            if from > duration {
                self.warnings.push(format!(
                    "{} is left out: it starts at {from} s and the run ends at {duration} s",
                    named.name
                ));
                continue;
            }
            if from > to {
                self.issues
                    .at(r.loc_of("from"), r.path_of("from"), "must come before the end of its window")
                    .found(format!("from {from} s to {to} s"));
            }
            let about = r.about.clone().unwrap_or_default();
            let take = r.text("take").map_or(Take::End, take);
            let crossing = self.crossing(r, take);
            list.push(Quantity {
                name: named.name.clone(),
                column: column.into(),
                take,
                crossing,
                from,
                to,
                about,
            });
        }
        for quantity in self.rig_quantities() {
            if quantity.to > duration + 1e-9 * duration {
                let (name, to) = (&quantity.name, quantity.to);
                self.warnings
                    .push(format!("{name} is left out: it needs {to:.2} s and the run ends at {duration} s"));
            } else if !list.iter().any(|q| q.name == quantity.name) {
                list.push(quantity);
            }
        }
        list
    }

    /// The other column and its level, for a value at a crossing.
    fn crossing(&mut self, r: &Record, take: Take) -> Option<(String, f64)> {
        for key in ["crossing", "level"] {
            match (take == Take::AtCrossing, r.has(key)) {
                (true, false) => {
                    let what = format!("needs {key}, because it takes the value at a crossing");
                    self.issues.at(r.loc, &r.path, what).hint("crossing = \"COLUMN\", level = NUMBER");
                }
                (false, true) => {
                    let what = "means nothing here";
                    self.issues.at(r.loc_of(key), r.path_of(key), what).hint("take = \"at-crossing\" has it");
                }
                _ => {}
            }
        }
        Some((r.text("crossing")?.to_string(), r.number("level")?))
    }
}

fn upright_gravity(record: &Record) -> Gravity {
    let down = |g: f64| Gravity::Uniform(Vec3::new(0.0, 0.0, -g));
    match (record.text("gravity"), record.vec3("gravity"), record.table("gravity")) {
        (Some("mars"), ..) => down(MARS),
        (Some("earth"), ..) => down(EARTH),
        (Some("moon"), ..) => down(MOON),
        (_, Some(g), _) => Gravity::Uniform(g),
        (_, _, Some(table)) => Gravity::Central {
            centre: table.vec3("centre").unwrap_or_else(Vec3::zeros),
            mu: table.number("mu").unwrap_or(0.0),
        },
        _ => Gravity::Uniform(Vec3::zeros()),
    }
}

fn record_options(record: &Record) -> RecordOptions {
    let every = |key: &str| record.table("record").and_then(|t| t.number(key)).unwrap_or(1.0);
    RecordOptions {
        series_every: every("series_every"),
        frames_every: every("frames_every"),
        checkpoint_every: every("checkpoint_every"),
        reactions: record.table("record").is_some_and(|t| t.flag("reactions")),
    }
}

fn take(word: &str) -> Take {
    match word {
        "begin" => Take::Begin,
        "max" => Take::Max,
        "min" => Take::Min,
        "mean" => Take::Mean,
        "deviation" => Take::Deviation,
        "change" => Take::Change,
        "at-crossing" => Take::AtCrossing,
        _ => Take::End,
    }
}
