//! Studies: what is asked for beside, or instead of, one run in time.

use super::Builder;
use crate::error::nearest;
use crate::read::{Record, Value};
use crate::unit::{ANGLE, LENGTH, NUMBER, TIME};
use touchdown_sim::description::{Bevameter, Gradability, Ground, Spacings, Study, Tilt, Vehicle};

const TILT_KEYS: [&str; 4] = ["directions", "largest", "resolution", "required"];
const GRADABILITY_KEYS: [&str; 6] =
    ["slopes", "vehicle", "distance", "slip_limit", "time_limit", "turn_time"];

const SPACINGS_KEYS: [&str; 4] = ["body", "spacings", "size", "centre"];
const WHEEL_PRESS_KEYS: [&str; 5] = ["wheel", "deflection_max", "rows", "spring", "beside"];
/// How far a wheel is pressed if nothing is said, m, and in how many steps.
const DEFLECTION: f64 = 0.03;
const PRESS_ROWS: u64 = 60;
/// Extent of the maps of a spacings study if none is given, m.
const MAP_SIZE: f64 = 20.0;

/// Defaults of a study, by its kind: of the tilt as the requirement of Samarini et al. needs it; a slope counts as climbed
/// when a metre is gained with slip below 0.8.
pub(crate) fn fill_study(study: &mut Record, duration: f64) {
    let degrees = |x: f64| Value::Number(x.to_radians(), &ANGLE);
    let values = match study.text("kind") {
        Some("tilt") => {
            vec![("directions", Value::Count(36)), ("largest", degrees(60.0)), ("resolution", degrees(0.1))]
        }
        Some("gradability") => vec![
            ("distance", Value::Number(1.0, &LENGTH)),
            ("slip_limit", Value::Number(0.8, &NUMBER)),
            ("time_limit", Value::Number(duration, &TIME)),
            ("turn_time", Value::Number(5.0, &TIME)),
        ],
        Some("spacings") => vec![
            ("size", Value::Numbers(vec![(MAP_SIZE, &LENGTH)])),
            ("centre", Value::Numbers(vec![(0.0, &LENGTH); 2])),
        ],
        Some("wheel-press") => {
            vec![("deflection_max", Value::Number(DEFLECTION, &LENGTH)), ("rows", Value::Count(PRESS_ROWS))]
        }
        _ => Vec::new(),
    };
    values.into_iter().for_each(|(key, value)| study.fill(key, value));
}

impl Builder<'_> {
    /// The study of `[study]`, or that of a bevameter's rig.
    pub fn study(&mut self, record: &Record, vehicles: &[Vehicle]) -> Option<Study> {
        if record.text("mode") == Some("static") {
            if let Some(table) = record.table("study") {
                self.issues.at(table.loc, &table.path, "means nothing where mode is static");
            }
            return Some(Study::Static);
        }
        let Some(table) = record.table("study") else { return self.bevameter(record) };
        let kind = table.text("kind")?;
        self.remember("study", kind, table);
        let all: [(&str, &[&str]); 4] = [
            ("tilt", &TILT_KEYS),
            ("gradability", &GRADABILITY_KEYS),
            ("spacings", &SPACINGS_KEYS),
            ("wheel-press", &WHEEL_PRESS_KEYS),
        ];
        let own = all.iter().find(|(name, _)| *name == kind).map_or(&[][..], |(_, keys)| *keys);
        let others = all.iter().filter(|(name, _)| *name != kind).flat_map(|(_, keys)| keys.iter());
        for key in others.filter(|k| table.has(k)) {
            self.issues
                .at(table.loc_of(key), table.path_of(key), format!("means nothing in a study of kind {kind}"))
                .allowed(own.join(", "));
        }
        match kind {
            "tilt" => self.tilt(table),
            "spacings" => self.spacings(table),
            "wheel-press" => self.wheel_press(table),
            _ => self.gradability(table, vehicles),
        }
    }

    fn bevameter(&self, record: &Record) -> Option<Study> {
        let rig = record.table("rig").filter(|r| r.text("kind") == Some("plate"))?;
        let body = self.soil_bodies.iter().position(|b| b.name == "plate")?;
        let points = rig.count("points")? as usize;
        Some(Study::Bevameter(Bevameter { body, load: rig.number("load")?, points }))
    }

    fn tilt(&mut self, table: &Record) -> Option<Study> {
        if self.tyres.is_empty() {
            self.issues.at(table.loc, &table.path, "needs tyres: it asks which wheel lifts or slips first");
        }
        self.needs(table, "required");
        let (largest, required) = (table.number("largest")?, table.number("required")?);
        if required > largest {
            self.issues
                .at(table.loc_of("required"), table.path_of("required"), "must not exceed largest")
                .found(format!("{required} rad against {largest} rad"));
        }
        Some(Study::Tilt(Tilt {
            directions: table.count("directions")? as usize,
            largest,
            resolution: table.number("resolution")?,
            required,
        }))
    }

    fn gradability(&mut self, table: &Record, vehicles: &[Vehicle]) -> Option<Study> {
        self.needs(table, "slopes");
        let vehicle = self.climber(table, vehicles);
        let slopes: Vec<f64> = table.numbers("slopes")?.iter().map(|s| s.0).collect();
        Some(Study::Gradability(Gradability {
            vehicle: vehicle?,
            slopes,
            distance: table.number("distance")?,
            slip_limit: table.number("slip_limit")?,
            time_limit: table.number("time_limit")?,
            turn_time: table.number("turn_time")?,
        }))
    }

    fn spacings(&mut self, table: &Record) -> Option<Study> {
        self.needs(table, "spacings");
        if !matches!(&self.ground, Some(Ground::Surface(s)) if s.map().is_none()) {
            self.issues
                .at(table.loc, &table.path, "needs ground by formula: maps of it are compared with it")
                .hint("[ground] with shape = \"paraboloid\" or \"expression\", surface = \"analytic\"");
        }
        let body = match table.text("body") {
            Some(name) => self.body(0, name, table.loc_of("body"), &table.path_of("body"))?,
            None if self.mechanism.bodies.len() == 1 => Some(0),
            None => None,
        };
        let Some(body) = body else {
            let what = "needs body: the one whose way is compared";
            self.issues.at(table.loc, &table.path, what);
            return None;
        };
        let spacings: Vec<f64> = table.numbers("spacings")?.iter().map(|s| s.0).collect();
        if !spacings.is_sorted_by(|a, b| a > b) {
            let (loc, path) = (table.loc_of("spacings"), table.path_of("spacings"));
            self.issues.at(loc, path, "must fall from one to the next");
        }
        let size = match table.numbers("size")? {
            [both] => [both.0; 2],
            [x, y] => [x.0, y.0],
            _ => return None,
        };
        let centre = match table.numbers("centre")? {
            [x, y] => [x.0, y.0],
            _ => return None,
        };
        Some(Study::Spacings(Spacings { body, spacings, size, centre }))
    }

    fn needs(&mut self, table: &Record, key: &str) {
        if !table.has(key) {
            let kind = table.text("kind").unwrap_or("such");
            self.issues.at(table.loc, &table.path, format!("needs {key}, because its kind is {kind}"));
        }
    }

    /// The vehicle that climbs: the one named, or the only one.
    fn climber(&mut self, table: &Record, vehicles: &[Vehicle]) -> Option<usize> {
        let Some(name) = table.text("vehicle") else {
            if vehicles.len() == 1 {
                return Some(0);
            }
            // Without wheels that could be read, those mistakes come first.
            if self.issues.is_empty() {
                let names: Vec<&str> = vehicles.iter().map(|v| v.name.as_str()).collect();
                self.issues
                    .at(table.loc, &table.path, "needs one machine on soil wheels")
                    .found(if names.is_empty() { "none".into() } else { names.join(", ") })
                    .hint("vehicle = \"NAME\" chooses; a machine has a free joint and [wheel.NAME]");
            }
            return None;
        };
        let found = vehicles.iter().position(|v| v.name == name);
        if found.is_none() {
            let near = nearest(name, vehicles.iter().map(|v| v.name.as_str()));
            let issue = self
                .issues
                .at(table.loc_of("vehicle"), table.path_of("vehicle"), "names a vehicle that does not exist")
                .found(format!("\"{name}\""));
            issue.hint(near.map_or("a machine with a free joint and [wheel.NAME]".into(), |n| {
                format!("did you mean \"{n}\"?")
            }));
        }
        found
    }
}
