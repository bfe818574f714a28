//! What the report shows: its answer, figures and phases. Columns are looked up later, when the world stands.

use super::feet_grid::feet_leave_terrain;
use super::{Builder, Origin};
use crate::error::nearest;
use crate::read::{Record, Value};
use crate::report::{AxisKeys, CaptureSections, Drawn, Figure, LineKeys, Phase, Report};
use crate::unit::{self, LENGTH, TIME, UnitError, parse_unit};
use touchdown_sim::description::{Ground, Quantity};

/// Keys that only some kinds of figures have.
const OF_LINES: [&str; 7] = ["x", "x_label", "x_unit", "y", "labels", "y_label", "y_unit"];
const OF_SECTIONS: [&str; 2] = ["along", "at"];
const OF_CAPTURES: [&str; 2] = ["capture", "times"];

/// Where a section lies and where a phase ends, if nothing is written.
pub(super) fn fill_report(record: &mut Record, duration: f64) {
    for phase in record.map_mut("phase") {
        // A phase that a shortened run does not reach is empty, not upside down.
        let end = duration.max(phase.record.number("from").unwrap_or(0.0));
        phase.record.fill("to", Value::Number(end, &TIME));
    }
    for figure in record.map_mut("figure") {
        if figure.record.text("kind") == Some("soil-section") {
            figure.record.fill("along", Value::Text("x".into()));
            figure.record.fill("at", Value::Number(0.0, &LENGTH));
        }
    }
}

impl Builder<'_> {
    /// What the report shows.
    pub fn report(&mut self, record: &Record, duration: f64) -> Report {
        let answer = record.table("report").and_then(|r| r.text("answer")).map(str::to_string);
        let mut phases = self.phases(record, duration);
        if !record.has("phase") {
            let whole = self.rig_phases().into_iter().filter(|phase| phase.from < duration);
            phases.extend(whole.map(|phase| Phase { to: phase.to.min(duration), ..phase }));
        }
        let figures = record.map("figure").iter().filter_map(|f| self.figure(&f.name, &f.record)).collect();
        Report { answer, figures, phases }
    }

    fn phases(&mut self, record: &Record, duration: f64) -> Vec<Phase> {
        let mut list = Vec::new();
        for named in record.map("phase") {
            let r = &named.record;
            let (Some(from), Some(to)) = (r.number("from"), r.number("to")) else { continue };
            if from > to {
                self.issues
                    .at(r.loc_of("from"), r.path_of("from"), "must come before the end of the phase")
                    .found(format!("from {from} s to {to} s"));
            } else if from < to.min(duration) {
                let label = r.about.clone().unwrap_or_else(|| named.name.replace(['-', '_'], " "));
                list.push(Phase { label, from, to: to.min(duration) });
            }
        }
        list
    }

    fn figure(&mut self, name: &str, r: &Record) -> Option<Figure<LineKeys>> {
        self.remember("figure", name, r);
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') {
            self.issues
                .at(r.loc, &r.path, "names a file, which its name does not suit")
                .allowed("letters from a to z, digits, _ and -");
        }
        let kind = r.text("kind")?;
        let foreign: Vec<&str> = match kind {
            "lines" => OF_SECTIONS.into_iter().chain(OF_CAPTURES).collect(),
            "soil-map" => OF_LINES.into_iter().chain(OF_SECTIONS).chain(OF_CAPTURES).collect(),
            "capture-sections" => OF_LINES.into_iter().chain(OF_SECTIONS).collect(),
            _ => OF_LINES.into_iter().chain(OF_CAPTURES).collect(),
        };
        for key in foreign.into_iter().filter(|key| r.has(key)) {
            let what = format!("means nothing in a figure of kind {kind}");
            self.issues.at(r.loc_of(key), r.path_of(key), what);
        }
        if kind.starts_with("soil") && !matches!(self.ground, Some(Ground::Soil(_))) {
            if feet_leave_terrain(self.scopes[0].record) && self.scopes[0].record.has("terrain") {
                return None;
            }
            let issue = self.issues.at(r.loc_of("kind"), r.path_of("kind"), "needs soil to show");
            issue.found(format!("\"{kind}\"")).hint("add [terrain]");
        }
        let drawn = match kind {
            "lines" => Drawn::Lines(self.lines(name, r)),
            "soil-map" => Drawn::SoilMap,
            "capture-sections" => Drawn::CaptureSections(Box::new(self.capture_sections(r)?)),
            _ => Drawn::SoilSection {
                along_x: r.text("along") == Some("x"),
                at: r.number("at").unwrap_or(0.0),
            },
        };
        let text = |key: &str| r.text(key).unwrap_or_default().to_string();
        Some(Figure { name: name.into(), title: text("title"), source: text("source"), drawn })
    }

    /// Outlines of a capture tool, and when they are drawn.
    fn capture_sections(&mut self, r: &Record) -> Option<CaptureSections> {
        let times: Vec<f64> = r.numbers("times").unwrap_or_default().iter().map(|t| t.0).collect();
        let found = self.drawings.iter().find(|d| r.text("capture") == Some(d.capture.as_str()));
        let Some(found) = found.filter(|_| !times.is_empty()) else {
            let what = "needs capture, the name of a capture tool, and times";
            self.issues.at(r.loc, &r.path, what).hint("capture = \"nozzle\", times_s = [0, 40, 50]");
            return None;
        };
        Some(CaptureSections { times, ..found.clone() })
    }

    fn lines(&mut self, name: &str, r: &Record) -> LineKeys {
        let y = r.texts("y");
        if y.is_empty() && (!r.has("y") || r.value("y").is_some()) {
            self.issues
                .at(r.loc, &r.path, "needs y, the columns that it shows")
                .hint("such as y = [\"spring.drawbar.force_n\"]");
        }
        let places = y.iter().enumerate().map(|(i, text)| (format!("y/{i}"), "y", text.1));
        let single = ["x", "x_unit", "y_unit", "labels"].map(|key| (key.to_string(), key, r.loc_of(key)));
        for (place, key, loc) in places.chain(single) {
            let origin = Origin { loc, path: r.path_of(key) };
            self.origins.insert(format!("figure.{name}.{place}"), origin);
        }
        let texts = |key: &str| r.texts(key).iter().map(|t| t.0.clone()).collect();
        LineKeys {
            x: r.text("x").map(str::to_string),
            x_axis: self.axis(r, "x_label", "x_unit"),
            y: texts("y"),
            y_axis: self.axis(r, "y_label", "y_unit"),
            labels: texts("labels"),
        }
    }

    fn axis(&mut self, r: &Record, label: &str, unit: &str) -> AxisKeys {
        let text = |key: &str| r.text(key).map(str::to_string);
        let keys = AxisKeys { label: text(label), unit: text(unit) };
        let Some(written) = &keys.unit else { return keys };
        let what = match parse_unit(written) {
            Ok(_) => return keys,
            Err(UnitError::UnknownUnit(name)) => format!("has an unknown unit, {name}"),
            Err(_) => "has a unit that cannot be read".into(),
        };
        let issue = self.issues.at(r.loc_of(unit), r.path_of(unit), what).found(format!("\"{written}\""));
        match nearest(written, unit::unit_names()) {
            Some(near) => issue.hint(format!("did you mean {near}?")),
            None => issue.hint("units look like mm, deg/s, N m, %"),
        };
        AxisKeys { unit: None, ..keys }
    }

    /// What a study answers with is known only when it has run; a name it must be.
    pub fn check_answer_name(&mut self, record: &Record) {
        let Some(report) = record.table("report") else { return };
        let Some(answer) = report.text("answer") else { return };
        if answer.is_empty() || !answer.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            self.issues
                .at(report.loc_of("answer"), report.path_of("answer"), "is not the name of a quantity")
                .found(format!("\"{answer}\""))
                .hint("names have letters, digits and _");
        }
    }

    /// The answer must be a quantity of the run.
    pub fn check_report(&mut self, record: &Record, quantities: &[Quantity]) {
        let Some(report) = record.table("report") else { return };
        let Some(answer) = report.text("answer") else { return };
        // Added to every run by the simulator, the last two to runs in soil.
        let always = [
            "energy_drift_relative",
            "constraint_residual_max",
            "total_mass_kg",
            "energy_residual_relative",
            "soil_volume_error_relative",
            "heap_radius_m",
        ];
        let given = record.map("quantity").iter().map(|q| q.name.as_str());
        let names: Vec<&str> =
            given.chain(quantities.iter().map(|q| q.name.as_str())).chain(always).collect();
        // A rig whose run was cut short leaves its answer out, with a warning.
        let cut = record.has("rig") && !self.warnings.is_empty();
        if !names.contains(&answer) && !cut {
            let near = nearest(answer, names.iter().copied());
            let (loc, path) = (report.loc_of("answer"), report.path_of("answer"));
            let issue = self
                .issues
                .at(loc, path, "names a quantity that does not exist")
                .found(format!("\"{answer}\""));
            issue.hint(near.map_or("add [quantity.NAME]".into(), |n| format!("did you mean \"{n}\"?")));
        }
    }
}
