//! Default figures, for a run whose scenario names none or whose manifest is lost.

use crate::series::SeriesColumn;
use touchdown_sim::figure::{Figure, FigureKind, Trace};

/// Figures at most.
const MOST_FIGURES: usize = 6;
/// Lines of a figure at most: as many as there are colours.
const MOST_LINES: usize = 8;

/// Families of columns by importance: first and last part of their names, title, label of the axis.
const FAMILIES: [(&str, &str, &str, &str); 13] = [
    ("spring", "force_n", "Forces of springs", "force"),
    ("soil", "sinkage_m", "Sinkage", "sinkage"),
    ("soil", "force_x_n", "Pull of the soil", "force"),
    ("soil", "force_z_n", "Loads on the soil", "force"),
    ("tyre", "normal_force_n", "Loads of the tyres", "force"),
    ("tyre", "longitudinal_force_n", "Pull of the tyres", "force"),
    ("vehicle", "slip_drive", "Slip", "slip"),
    ("vehicle", "speed_m_per_s", "Speed", "speed"),
    ("drive", "torque_n_m", "Torques of the drives", "torque"),
    ("joint", "position_rad", "Angles of joints", "angle"),
    ("joint", "position_m", "Positions of joints", "position"),
    ("body", "z_m", "Heights of bodies", "height"),
    ("energy", "", "Energies", "energy"),
];

/// Figures of the columns; the first column is the time, or the parameter of a study.
pub(super) fn figures(columns: &[SeriesColumn]) -> Vec<Figure> {
    let Some((first, rest)) = columns.split_first() else { return Vec::new() };
    let mut figures: Vec<Figure> = Vec::new();
    for (begins, ends, title, label) in FAMILIES {
        let members: Vec<&SeriesColumn> =
            rest.iter().filter(|column| belongs(&column.name, begins, ends)).collect();
        if !members.is_empty() && figures.len() < MOST_FIGURES {
            figures.push(figure(first, title, label, &members));
        }
    }
    if figures.is_empty() && !rest.is_empty() {
        figures.extend(one_by_one(first, rest));
    }
    figures
}

fn belongs(name: &str, begins: &str, ends: &str) -> bool {
    let inner = name.strip_prefix(begins).and_then(|rest| rest.strip_prefix('.'));
    inner.is_some_and(|inner| {
        ends.is_empty() || inner.strip_suffix(ends).is_some_and(|middle| middle.ends_with('.'))
    })
}

/// Columns of no known family: each separately.
fn one_by_one(first: &SeriesColumn, rest: &[SeriesColumn]) -> Vec<Figure> {
    rest.iter()
        .take(MOST_FIGURES)
        .map(|column| figure(first, &sentence(column), "value", &[column]))
        .collect()
}

fn sentence(column: &SeriesColumn) -> String {
    let about = if column.about.is_empty() { &column.name } else { &column.about };
    let mut letters = about.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn figure(x: &SeriesColumn, title: &str, label: &str, members: &[&SeriesColumn]) -> Figure {
    let unit = |column: &SeriesColumn| super::value::unit(&column.unit);
    let x_label = if x.name == "time_s" {
        "time"
    } else if x.about.is_empty() {
        &x.name
    } else {
        &x.about
    };
    Figure {
        name: title.to_lowercase().replace(' ', "-"),
        title: title.into(),
        source: String::new(),
        kind: FigureKind::Lines {
            x: x.name.clone(),
            x_label: x_label.into(),
            x_unit: unit(x),
            x_scale: 1.0,
            y_label: label.into(),
            y_unit: members.first().map(|column| unit(column)).unwrap_or_default(),
            y_scale: 1.0,
            traces: members.iter().take(MOST_LINES).map(|column| trace(column)).collect(),
            points: Vec::new(),
        },
    }
}

/// The middle of a dotted name identifies the part: `soil.front_left.sinkage_m` is "front left".
fn trace(column: &SeriesColumn) -> Trace {
    let parts: Vec<&str> = column.name.split('.').collect();
    let name = match parts.as_slice() {
        [_, middle @ .., _] if !middle.is_empty() => middle.join("."),
        [.., last] => last.to_string(),
        [] => String::new(),
    };
    Trace { column: column.name.clone(), label: name.replace('_', " "), measured: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, unit: &str) -> SeriesColumn {
        SeriesColumn {
            name: name.into(),
            unit: unit.into(),
            frame: "-".into(),
            about: "about it".into(),
            values: Vec::new(),
        }
    }

    #[test]
    fn families_of_columns_become_figures() {
        let names = [
            "time_s",
            "soil.front_left.sinkage_m",
            "soil.rear.sinkage_m",
            "soil.rear.nodes",
            "energy.kinetic_j",
        ];
        let figures = figures(&names.map(|name| column(name, if name == "time_s" { "s" } else { "m" })));
        let titles: Vec<&str> = figures.iter().map(|figure| figure.title.as_str()).collect();
        assert_eq!(titles, ["Sinkage", "Energies"]);
        let FigureKind::Lines { traces, x, y_unit, .. } = &figures[0].kind else { panic!("no lines") };
        assert_eq!((x.as_str(), y_unit.as_str(), traces[0].label.as_str()), ("time_s", "m", "front left"));
        assert_eq!(traces.len(), 2);
    }

    #[test]
    fn unknown_columns_are_shown_one_by_one() {
        let figures = figures(&[column("direction_deg", "deg"), column("stable_angle_deg", "deg")]);
        assert_eq!(figures.len(), 1);
        assert_eq!(figures[0].title, "About it");
    }
}
