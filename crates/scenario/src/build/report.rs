//! Content of the report: figures and phases; `answer` reads its answer. Columns are looked up later, when
//! the world is built.

use super::feet_grid::feet_leave_terrain;
use super::{Builder, Origin};
use crate::error::nearest;
use crate::points;
use crate::read::{Record, Text, Value};
use crate::report::{AxisKeys, LineKeys, Report, Shows, WrittenFigure};
use crate::table::{AlongWord, FigureKeys, FigureWord, Key, PhaseKeys, ScenarioKeys, Words};
use crate::unit::{self, LENGTH, TIME, UnitError, parse_unit};
use touchdown_sim::description::Ground;
use touchdown_sim::figure::{CaptureSections, FigureKind, PhaseSpan, Points};

type AnyKey = Key<FigureKeys, ()>;

/// Keys of some kinds of figures only.
const OF_LINES: [AnyKey; 8] = [
    FigureKeys::x.any(),
    FigureKeys::x_label.any(),
    FigureKeys::x_unit.any(),
    FigureKeys::y.any(),
    FigureKeys::labels.any(),
    FigureKeys::y_label.any(),
    FigureKeys::y_unit.any(),
    FigureKeys::data.any(),
];
const OF_SECTIONS: [AnyKey; 2] = [FigureKeys::along.any(), FigureKeys::at.any()];
const OF_CAPTURES: [AnyKey; 2] = [FigureKeys::capture.any(), FigureKeys::times.any()];

/// Default position of a section and default end of a phase.
pub(super) fn fill_report(record: &mut Record, duration: f64) {
    for phase in record.map_mut(ScenarioKeys::phase) {
        // A phase that a shortened run does not reach is empty, not inverted.
        let end = duration.max(phase.record.get(PhaseKeys::from).unwrap_or(0.0));
        phase.record.fill(PhaseKeys::to, Value::Number(end, &TIME));
    }
    for figure in record.map_mut(ScenarioKeys::figure) {
        if figure.record.get(FigureKeys::kind) == Some(FigureWord::SoilSection) {
            figure.record.fill(FigureKeys::along, Value::Text(AlongWord::X.word().into()));
            figure.record.fill(FigureKeys::at, Value::Number(0.0, &LENGTH));
        }
    }
}

impl Builder<'_> {
    /// Content of the report.
    pub fn report(&mut self, duration: f64) -> Report {
        let root = self.root;
        let mut phases = self.phases(duration);
        if root.phase.is_empty() {
            let whole = self.rig_phases().into_iter().filter(|phase| phase.from < duration);
            phases.extend(whole.map(|phase| PhaseSpan { to: phase.to.min(duration), ..phase }));
        }
        let mut figures = Vec::new();
        for named in &root.figure {
            self.remember("figure", &named.name, named);
            figures.extend(named.keys.as_ref().and_then(|keys| self.figure(&named.name, keys)));
        }
        Report { answer: self.answer_rule(), figures, phases }
    }

    fn phases(&mut self, duration: f64) -> Vec<PhaseSpan> {
        let mut list = Vec::new();
        for (named, keys) in self.root.phase.iter().filter_map(|n| Some((n, n.keys.as_ref()?))) {
            let (from, to) = (keys.from, keys.to);
            if from > to {
                let (loc, path) = (keys.here.loc_of(PhaseKeys::from), keys.here.path_of(PhaseKeys::from));
                self.issues
                    .at(loc, path, "must come before the end of the phase")
                    .found(format!("from {from} s to {to} s"));
            } else if from < to.min(duration) {
                let label = keys.here.about.clone().unwrap_or_else(|| named.name.replace(['-', '_'], " "));
                list.push(PhaseSpan { label, from, to: to.min(duration) });
            }
        }
        list
    }

    fn figure(&mut self, name: &str, keys: &FigureKeys) -> Option<WrittenFigure> {
        let here = &keys.here;
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') {
            self.issues
                .at(here.loc, &here.path, "names a file, which its name does not suit")
                .allowed("letters from a to z, digits, _ and -");
        }
        let foreign: Vec<AnyKey> = match keys.kind {
            FigureWord::Lines => [OF_SECTIONS, OF_CAPTURES].concat(),
            FigureWord::SoilMap => [&OF_LINES[..], &OF_SECTIONS, &OF_CAPTURES].concat(),
            FigureWord::CaptureSections => [&OF_LINES[..], &OF_SECTIONS].concat(),
            FigureWord::SoilSection => [&OF_LINES[..], &OF_CAPTURES].concat(),
        };
        let word = keys.kind.word();
        for key in foreign.into_iter().filter(|key| here.has(*key)) {
            let what = format!("means nothing in a figure of kind {word}");
            self.issues.at(here.loc_of(key), here.path_of(key), what);
        }
        let of_soil = matches!(keys.kind, FigureWord::SoilMap | FigureWord::SoilSection);
        if of_soil && !matches!(self.ground, Some(Ground::Soil(_))) {
            if feet_leave_terrain(self.root) && self.root.terrain.is_some() {
                return None;
            }
            let key = FigureKeys::kind;
            let issue = self.issues.at(here.loc_of(key), here.path_of(key), "needs soil to show");
            issue.found(format!("\"{word}\"")).hint("add [terrain]");
        }
        let shows = match keys.kind {
            FigureWord::Lines => Shows::Lines(self.lines(name, keys)),
            FigureWord::SoilMap => Shows::Other(FigureKind::SoilMap),
            FigureWord::CaptureSections => {
                Shows::Other(FigureKind::CaptureSections(Box::new(self.capture_sections(keys)?)))
            }
            FigureWord::SoilSection => {
                let (along_x, at) = (keys.along == Some(AlongWord::X), keys.at.unwrap_or(0.0));
                Shows::Other(FigureKind::SoilSection { along_x, at })
            }
        };
        let text = |text: &Option<Text>| text.as_deref().unwrap_or_default().to_string();
        Some(WrittenFigure { name: name.into(), title: text(&keys.title), source: text(&keys.source), shows })
    }

    /// Outlines of a capture tool, and the times at which they are drawn.
    fn capture_sections(&mut self, keys: &FigureKeys) -> Option<CaptureSections> {
        let times = keys.times.clone().unwrap_or_default();
        let found = self.drawings.iter().find(|d| keys.capture.as_deref() == Some(d.capture.as_str()));
        if found.is_none() && self.capture_has_mistakes() {
            return None;
        }
        let Some(found) = found.filter(|_| !times.is_empty()) else {
            let what = "needs capture, the name of a capture tool, and times";
            self.issues
                .at(keys.here.loc, &keys.here.path, what)
                .hint("capture = \"nozzle\", times_s = [0, 40, 50]");
            return None;
        };
        Some(CaptureSections { times, ..found.clone() })
    }

    fn lines(&mut self, name: &str, keys: &FigureKeys) -> LineKeys {
        let here = &keys.here;
        let y = keys.y.as_deref().unwrap_or_default();
        if y.is_empty() && (keys.y.is_some() || !here.has(FigureKeys::y)) {
            self.issues
                .at(here.loc, &here.path, "needs y, the columns that it shows")
                .hint("such as y = [\"spring.drawbar.force_n\"]");
        }
        for (i, text) in y.iter().enumerate() {
            let origin = Origin { loc: text.loc, path: text.path.clone() };
            self.origins.insert(format!("figure.{name}.y/{i}"), origin);
        }
        let single = [
            FigureKeys::x.any(),
            FigureKeys::x_unit.any(),
            FigureKeys::y_unit.any(),
            FigureKeys::labels.any(),
        ];
        for key in single {
            let origin = Origin { loc: here.loc_of(key), path: here.path_of(key) };
            self.origins.insert(format!("figure.{name}.{}", key.name()), origin);
        }
        let strings = |texts: &[Text]| texts.iter().map(Text::to_string).collect();
        LineKeys {
            x: keys.x.as_ref().map(Text::to_string),
            x_axis: self.axis(keys.x_label.as_ref(), keys.x_unit.as_ref()),
            y: strings(y),
            y_axis: self.axis(keys.y_label.as_ref(), keys.y_unit.as_ref()),
            labels: strings(keys.labels.as_deref().unwrap_or_default()),
            points: keys.data.as_ref().map(|file| self.points(file)).unwrap_or_default(),
        }
    }

    /// Points of a file; `None` after a mistake.
    fn points(&mut self, file: &Text) -> Vec<Points> {
        let (what, found, advice) = match self.library.open(file.loc.source, file) {
            Err(error) => {
                let near = error.near.map(|near| format!("did you mean \"{near}\"?"));
                (format!("cannot be read: {}", error.message), format!("\"{file}\""), Err(near))
            }
            Ok((bytes, _)) => match points::read(&String::from_utf8_lossy(&bytes)) {
                Ok(sets) => return sets,
                Err(wrong) => (wrong.what, wrong.found, Ok(wrong.allowed)),
            },
        };
        let issue = self.issues.at(file.loc, &file.path, what).found(found);
        match advice {
            Ok(allowed) => issue.allowed(allowed),
            Err(near) => issue.hint(near.unwrap_or_else(|| "it is looked for beside the scenario".into())),
        };
        Vec::new()
    }

    fn axis(&mut self, label: Option<&Text>, unit: Option<&Text>) -> AxisKeys {
        let keys = AxisKeys { label: label.map(Text::to_string), unit: unit.map(Text::to_string) };
        let Some(written) = unit else { return keys };
        let what = match parse_unit(written) {
            Ok(_) => return keys,
            Err(UnitError::UnknownUnit(name)) => format!("has an unknown unit, {name}"),
            Err(_) => "has a unit that cannot be read".into(),
        };
        let issue = self.issues.at(written.loc, &written.path, what).found(format!("\"{written}\""));
        match nearest(written, unit::unit_names()) {
            Some(near) => issue.hint(format!("did you mean {near}?")),
            None => issue.hint("units look like mm, deg/s, N m, %"),
        };
        AxisKeys { unit: None, ..keys }
    }
}
