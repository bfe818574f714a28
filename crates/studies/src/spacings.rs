//! Error of a map against the formula that it samples: the same run on maps of finer and finer nodes under both kinds of patches, and the order
//! at which its difference falls. Made after the run itself, from the description alone, so that an interruption changes nothing.

use touchdown_geometry::Raster;
use touchdown_geometry::surface::{HeightForm, HeightSurface, Smoothness};
use touchdown_math::Elementary;
use touchdown_sim::RunError;
use touchdown_sim::Simulation;
use touchdown_sim::System;
use touchdown_sim::description::Ground;
use touchdown_sim::description::{Procedure, WorldDescription};
use touchdown_sim::sink::{
    Cell, Column, Frame, NamedValue, Outcome, Progress, Sink, SinkError, Table, TableColumn,
};

/// Numbers of a study of a map's spacing.
#[derive(Clone, Debug, PartialEq)]
pub struct Spacings {
    /// Index in the mechanism's bodies: whose path is compared.
    pub body: usize,
    /// Distances of the maps' nodes, coarse to fine, m.
    pub spacings: Vec<f64>,
    /// How far the maps reach along x and y, m.
    pub size: [f64; 2],
    /// x and y of their middle, m.
    pub centre: [f64; 2],
}

impl Procedure for Spacings {
    fn takes_time(&self) -> bool {
        true
    }

    fn columns(&self, _: &WorldDescription, _: &System) -> Option<Vec<Column>> {
        None
    }

    fn answers(&self) -> Vec<String> {
        names().collect()
    }

    fn run(&self, world: &mut Simulation, sink: &mut dyn Sink) -> Result<Outcome, RunError> {
        let mut outcome = world.run_in_time(sink)?;
        if outcome.finished {
            let duration = world.description().duration;
            let at = Progress { time: duration, duration, steps: outcome.steps };
            add(self, world.description(), &mut outcome, &mut || sink.progress(at));
        }
        Ok(outcome)
    }

    fn equals(&self, other: &dyn Procedure) -> bool {
        crate::equal(self, other)
    }
}

/// Names of the patches, as keys and tables write them.
const PATCHES: [(&str, Smoothness); 2] = [("c1", Smoothness::C1), ("c2", Smoothness::C2)];

/// Names of the numbers that it adds.
fn names() -> impl Iterator<Item = String> {
    PATCHES.into_iter().flat_map(|(name, _)| [format!("difference_{name}_m"), format!("order_{name}")])
}

/// Makes the runs and adds table and numbers. A run that fails is a warning.
fn add(study: &Spacings, description: &WorldDescription, outcome: &mut Outcome, progress: &mut dyn FnMut()) {
    let Some(Ground::Surface(formula)) = &description.ground else { return };
    let mut rows: Vec<Vec<Cell>> = study.spacings.iter().map(|h| vec![Cell::Number(*h)]).collect();
    let reference = path(description, study.body, None);
    let mut quantities = Vec::new();
    for (name, smoothness) in PATCHES {
        let mut last: Option<(f64, f64)> = None;
        let mut order = f64::NAN;
        for (row, &spacing) in rows.iter_mut().zip(&study.spacings) {
            let found = map_of(formula, study, spacing, smoothness)
                .and_then(|map| path(description, study.body, Some(map)))
                .and_then(|path| largest_difference(reference.as_deref()?, &path));
            let difference = found.unwrap_or(f64::NAN);
            order = last.map_or(f64::NAN, |(h, d): (f64, f64)| {
                (d / difference).natural_log() / (h / spacing).natural_log()
            });
            row.extend([
                Cell::Number(difference),
                if order.is_nan() { Cell::Text("-".into()) } else { Cell::Number(order) },
            ]);
            last = Some((spacing, difference));
            progress();
        }
        if last.is_some_and(|(_, d)| d.is_nan()) {
            outcome
                .warnings
                .push(format!("the run on a {name} map did not reach the end of the run by formula"));
        }
        let difference = last.map_or(f64::NAN, |(_, d)| d);
        let value = |name: String, value: f64, unit: &str, about: &str| NamedValue {
            name,
            value,
            unit: unit.into(),
            about: about.into(),
        };
        let about = "largest distance from the run by formula, finest map";
        quantities.push(value(format!("difference_{name}_m"), difference, "m", about));
        let about = "order at which it falls with the spacing, two finest maps";
        quantities.push(value(format!("order_{name}"), order, "1", about));
    }
    outcome.quantities.splice(0..0, quantities);
    let column = |name: &str, unit: &str| TableColumn { name: name.into(), unit: unit.into() };
    outcome.tables.push(Table {
        title: "Map against formula".into(),
        about: "Largest distance of the body from the run by formula, at the rows of the series, with maps of different spacing; order: how fast it falls from \
                one spacing to the next."
            .into(),
        columns: vec![
            column("spacing", "m"),
            column("difference, c1", "m"),
            column("order, c1", "1"),
            column("difference, c2", "m"),
            column("order, c2", "1"),
        ],
        rows,
    });
}

/// The formula at nodes; the map covers the study's rectangle, with a node in its middle.
fn map_of(
    formula: &HeightSurface,
    study: &Spacings,
    spacing: f64,
    smoothness: Smoothness,
) -> Option<HeightSurface> {
    let half = study.size.map(|s| (0.5 * s / spacing - 1e-9).ceil().max(1.0));
    let [columns, rows] = half.map(|n| 2 * n as usize + 1);
    let origin = [0, 1].map(|k| study.centre[k] - half[k] * spacing);
    let mut heights = Vec::with_capacity(columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            let (x, y) = (column as f64 - half[0], row as f64 - half[1]);
            let jet = formula.jet(study.centre[0] + x * spacing, study.centre[1] + y * spacing);
            heights.push(jet.map_or(f64::NAN, |jet| jet.z));
        }
    }
    let raster = Raster::new(origin, spacing, columns, rows, heights).ok()?;
    Some(HeightSurface::new(HeightForm::Map { raster, smoothness }))
}

/// Places of a body at the rows of a run, on another ground where one is given; `None` if it does not reach its end.
fn path(description: &WorldDescription, body: usize, ground: Option<HeightSurface>) -> Option<Vec<[f64; 3]>> {
    let mut other = WorldDescription { study: None, quantities: Vec::new(), ..description.clone() };
    if let Some(surface) = ground {
        other.ground = Some(Ground::Surface(Box::new(surface)));
    }
    other.record.frames_every = description.duration;
    let mut world = Simulation::build(&other).ok()?;
    let name = &world.body_names()[body];
    let place = |axis: &str| world.columns().iter().position(|c| c.name == format!("body.{name}.{axis}_m"));
    let columns = [place("x")?, place("y")?, place("z")?];
    let mut sink = Places { columns, places: Vec::new() };
    let outcome = world.run(&mut sink).ok()?;
    outcome.finished.then_some(sink.places)
}

fn largest_difference(a: &[[f64; 3]], b: &[[f64; 3]]) -> Option<f64> {
    let distance =
        |(p, q): (&[f64; 3], &[f64; 3])| (0..3).map(|k| (p[k] - q[k]).whole_power(2)).sum::<f64>().sqrt();
    (a.len() == b.len()).then(|| a.iter().zip(b).map(distance).fold(0.0, f64::max))
}

/// Keeps three columns.
struct Places {
    columns: [usize; 3],
    places: Vec<[f64; 3]>,
}

impl Sink for Places {
    fn series(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.places.push(self.columns.map(|k| row[k]));
        Ok(())
    }

    fn frame(&mut self, _: &Frame) -> Result<(), SinkError> {
        Ok(())
    }

    fn checkpoint(&mut self, _: &[u8], _: u64, _: u64) -> Result<(), SinkError> {
        Ok(())
    }

    fn progress(&mut self, _: Progress) {}
}
