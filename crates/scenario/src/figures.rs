//! Matches figures with the columns of the series: finds patterns, makes labels and converts units; errors
//! are reported with their place.

use crate::build::{Origin, glob};
use crate::error::Issues;
use crate::later::no_column;
use crate::report::{AxisKeys, Figures, LineKeys, Shows};
use crate::scenario::Scenario;
use crate::unit::{self, DIMENSIONS, parse_unit};
use touchdown_sim::figure::{Figure, FigureKind, Trace};
use touchdown_sim::sink::{Column, current_name, find_column};

/// More lines cannot be distinguished.
const MOST_LINES: usize = 24;

impl Scenario {
    /// All figures that can be drawn; mistakes go to `issues`.
    pub(crate) fn draw(&self, columns: &[Column], issues: &mut Issues) -> Figures {
        let mut figures = Figures::default();
        for figure in &self.report.figures {
            let (kind, title) = match &figure.shows {
                Shows::Other(kind) => (kind.clone(), title_of(kind)),
                Shows::Lines(keys) => match self.draw_lines(&figure.name, keys, columns, issues) {
                    Some((FigureKind::Lines { traces, .. }, _)) if traces.is_empty() => {
                        figures.left_out.push(figure.name.clone());
                        continue;
                    }
                    Some(drawn) => drawn,
                    None => continue,
                },
            };
            let title = if figure.title.is_empty() { title } else { figure.title.clone() };
            let (name, source) = (figure.name.clone(), figure.source.clone());
            figures.drawn.push(Figure { name, title, source, kind });
        }
        figures
    }

    /// Lines with their axes, and a title; no lines if a pattern matches nothing, `None` after a mistake.
    fn draw_lines(
        &self,
        name: &str,
        keys: &LineKeys,
        columns: &[Column],
        issues: &mut Issues,
    ) -> Option<(FigureKind, String)> {
        let place = |key: &str| self.origin("figure", &format!("{name}.{key}"));
        let x = match &keys.x {
            None => columns.first(),
            Some(x) => {
                let found = find_column(columns, x).map(|k| &columns[k]);
                if found.is_none() {
                    no_column(issues, &place("x"), x, columns);
                }
                found
            }
        };
        let mut found: Vec<&Column> = Vec::new();
        let mut wrong = x.is_none();
        for (i, pattern) in keys.y.iter().enumerate() {
            let now = current_name(pattern);
            let hits: Vec<&Column> = columns.iter().filter(|c| glob(&now, &c.name)).collect();
            if hits.is_empty() && !pattern.contains('*') {
                no_column(issues, &place(&format!("y/{i}")), pattern, columns);
                wrong = true;
            }
            found.extend(hits);
        }
        let x_axis = x.and_then(|x| axis(&keys.x_axis, &[x], &place("x_unit"), issues));
        let y_axis = if same_unit(&found, &place("y/0"), issues) {
            axis(&keys.y_axis, &found, &place("y_unit"), issues)
        } else {
            None
        };
        if wrong || !self.check_lines(keys, &found, &place("labels"), issues) {
            return None;
        }
        let labels = if keys.labels.is_empty() {
            labels(&found, keys.y_axis.label.as_deref())
        } else {
            keys.labels.clone()
        };
        let traces = found.iter().zip(labels).map(|(c, label)| Trace {
            column: c.name.clone(),
            label,
            measured: false,
        });
        let (x, x_axis, y_axis) = (x?, x_axis?, y_axis?);
        let title = format!("{} against {}", capital(&y_axis.label), x_axis.label);
        let lines = FigureKind::Lines {
            x: x.name.clone(),
            x_label: x_axis.label,
            x_unit: x_axis.unit,
            x_scale: x_axis.scale,
            y_label: y_axis.label,
            y_unit: y_axis.unit,
            y_scale: y_axis.scale,
            traces: traces.collect(),
            points: keys.points.clone(),
        };
        Some((lines, title))
    }

    /// As many labels as lines, within the limit.
    fn check_lines(&self, keys: &LineKeys, found: &[&Column], place: &Origin, issues: &mut Issues) -> bool {
        let (given, lines) = (keys.labels.len(), found.len());
        if lines > MOST_LINES {
            issues.at(place.loc, &place.path, format!("has more lines than {MOST_LINES}")).found(lines);
        } else if given != 0 && lines != 0 && given != lines {
            let what = format!("must have as many names as there are lines, {lines}");
            issues.at(place.loc, &place.path, what).found(given);
        } else {
            return true;
        }
        false
    }
}

/// The title of a figure without its own.
fn title_of(kind: &FigureKind) -> String {
    match kind {
        FigureKind::Lines { .. } => String::new(),
        FigureKind::SoilMap => "Change of the soil's height".into(),
        FigureKind::SoilSection { along_x, at } => {
            let (along, across) = if *along_x { ("x", "y") } else { ("y", "x") };
            format!("The soil's surface along {along} at {across} = {at} m")
        }
        FigureKind::CaptureSections(_) => "The tool in the nozzle".into(),
    }
}

/// An axis as drawn: quantity, unit as printed, and the factor from the columns' unit to it.
struct Axis {
    label: String,
    unit: String,
    scale: f64,
}

/// Columns of different units cannot share an axis.
fn same_unit(columns: &[&Column], place: &Origin, issues: &mut Issues) -> bool {
    let first = columns.first().map_or("1", |column| column.unit);
    let other = columns.iter().find(|column| column.unit != first);
    if let Some(other) = other {
        issues
            .at(place.loc, &place.path, "shows columns of different units on one axis")
            .found(format!("{first} and {} ({})", other.unit, other.name));
    }
    other.is_none()
}

/// The axis of columns of one unit: label, unit as printed and factor. An incompatible unit is a mistake.
fn axis(keys: &AxisKeys, columns: &[&Column], place: &Origin, issues: &mut Issues) -> Option<Axis> {
    let label = keys.label.clone().unwrap_or_else(|| shared_words(columns));
    let first = columns.first().map_or("1", |column| column.unit);
    let Some(wanted) = keys.unit.as_deref().filter(|wanted| *wanted != first && !columns.is_empty()) else {
        return Some(Axis { label, unit: printed(first), scale: 1.0 });
    };
    // Columns such as residuals that mix metres and radians have no single unit to convert from.
    match (parse_unit(first), parse_unit(wanted)) {
        (Ok(own), Ok(asked)) if own.exponents == asked.exponents => {
            let scale = own.numerator * asked.denominator / (own.denominator * asked.numerator);
            Some(Axis { label, unit: printed(wanted), scale })
        }
        (own, asked) => {
            let found = asked.map_or(format!("\"{wanted}\""), |u| {
                format!("\"{wanted}\", {}", unit::describe(u.exponents))
            });
            let issue = issues.at(place.loc, &place.path, "does not fit its columns").found(found);
            let fitting = own.ok().and_then(|u| DIMENSIONS.iter().find(|d| d.exponents == u.exponents));
            issue.allowed(fitting.map_or(first, |d| d.examples));
            None
        }
    }
}

/// A unit in its printed form.
pub(crate) fn printed(unit: &str) -> String {
    match unit {
        "1" => String::new(),
        other => other
            .replace("deg", "°")
            .replace("^2", "²")
            .replace("^3", "³")
            .replace("m2", "m²")
            .replace("um", "µm"),
    }
}

/// The meaning of a part of a column's name, without the ending that repeats the unit.
fn words(text: &str, unit: &str) -> String {
    let ending = format!("_{}", unit.replace(' ', "_").replace('/', "_per_").replace('^', "").to_lowercase());
    text.strip_suffix(&ending).unwrap_or(text).replace(['_', '.', '/'], " ")
}

/// The words that the last parts of all names share; empty if there are none.
fn shared_words(columns: &[&Column]) -> String {
    let last = |column: &Column| words(column.name.rsplit('.').next().unwrap_or_default(), column.unit);
    let Some(first) = columns.first().map(|column| last(column)) else { return String::new() };
    if columns.iter().all(|column| last(column) == first) { first } else { String::new() }
}

/// Labels that distinguish the columns: their names without the parts that all share. A single column has the
/// axis's label, or its name.
fn labels(columns: &[&Column], axis: Option<&str>) -> Vec<String> {
    let parts: Vec<Vec<&str>> = columns.iter().map(|column| column.name.split('.').collect()).collect();
    let shortest = parts.iter().map(Vec::len).min().unwrap_or(0);
    if let [only] = columns {
        let own =
            || words(parts[0].get(1..).map_or(only.name.clone(), |rest| rest.join(".")).as_str(), only.unit);
        return vec![axis.map_or_else(own, str::to_string)];
    }
    let same = |at: &dyn Fn(&Vec<&str>) -> usize| parts.iter().all(|p| p[at(p)] == parts[0][at(&parts[0])]);
    let front = (0..shortest).take_while(|i| same(&|_| *i)).count();
    let back = (0..shortest - front).take_while(|i| same(&|p| p.len() - 1 - i)).count();
    let own = |(p, column): (&Vec<&str>, &&Column)| words(&p[front..p.len() - back].join("."), column.unit);
    parts.iter().zip(columns).map(own).collect()
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
