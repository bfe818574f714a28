//! Stage and table ⇒ parameters, measured series and the function that predicts them.

use super::IdentifyError;
use super::file::{ModelChoice, Stage};
use super::scenario::ScenarioModel;
use super::watch::Watch;
use std::path::Path;
use touchdown_contact::law::hunt_crossley::HuntCrossley;
use touchdown_contact::law::shear::Mobilisation;
use touchdown_identify::models::{Drag, Drop, Strength, plate, press};
use touchdown_identify::{Measure, Parameter, Series, Table, TableError};
use touchdown_math::Elementary;

/// A stage ready to be fitted.
pub(super) struct Built {
    pub parameters: Vec<Parameter>,
    pub units: Vec<&'static str>,
    pub series: Vec<Series>,
    pub series_units: Vec<&'static str>,
    pub abscissa: (String, &'static str, Vec<f64>),
    /// Every parameter of the model: known values, or the place of the free one.
    slots: Vec<Slot>,
    model: Model,
}

#[derive(Clone, Copy)]
enum Slot {
    Known(f64),
    Free(usize),
}

enum Model {
    Press { deformation: Vec<f64> },
    Plate { sinkage: Vec<f64>, width: Vec<f64> },
    Drop { times: Vec<f64>, plastic: bool, wanted: Vec<&'static str> },
    Drag { displacement: Vec<f64>, normal: Vec<f64>, area: Vec<f64>, curve: Mobilisation, soil: bool },
    Scenario(ScenarioModel),
}

/// Name, unit, default.
type Row = (&'static str, &'static str, Option<f64>);

const PRESS: [Row; 3] = [("k", "N/m^n", None), ("n", "1", Some(1.0)), ("weight", "N", Some(0.0))];
const PLATE: [Row; 3] = [("kc", "N/m^(n+1)", Some(0.0)), ("kphi", "N/m^(n+2)", None), ("n", "1", None)];
const DROP: [Row; 8] = [
    ("mass", "kg", None),
    ("load", "N", None),
    ("speed", "m/s", Some(0.0)),
    ("k", "N/m^n", None),
    ("n", "1", Some(1.0)),
    ("b", "N m^-p (s/m)^q", Some(0.0)),
    ("p", "1", Some(0.0)),
    ("q", "1", Some(1.0)),
];
const FRICTION: [Row; 2] = [("mu", "1", None), ("K", "m", None)];
const SOIL: [Row; 3] = [("c", "Pa", None), ("tan_phi", "1", None), ("K", "m", None)];

/// Looks columns up and checks them; the first mistake comes back.
struct Reader<'a> {
    stage: &'a Stage,
    file: &'a Path,
    table: &'a Table,
}

impl Reader<'_> {
    fn wrong(&self, error: TableError) -> IdentifyError {
        IdentifyError::Data { path: self.file.to_path_buf(), error }
    }

    fn has(&self, role: &str) -> bool {
        self.stage.columns.contains_key(role)
    }

    /// Values of a role, SI.
    fn get(&self, role: &str, kind: Measure) -> Result<Vec<f64>, IdentifyError> {
        let Some(choice) = self.stage.columns.get(role) else {
            let found = self.stage.columns.keys().cloned().collect();
            return Err(self.wrong(TableError::Missing { name: format!("columns.{role}"), found }));
        };
        self.table.si(choice.name(), kind, choice.unit()).map_err(|e| self.wrong(e))
    }

    /// As [`Reader::get`]; it must vary.
    fn varying(&self, role: &str, kind: Measure) -> Result<Vec<f64>, IdentifyError> {
        let values = self.get(role, kind)?;
        if let Some(choice) = self.stage.columns.get(role) {
            self.table.check_varies(choice.name()).map_err(|e| self.wrong(e))?;
        }
        Ok(values)
    }

    fn times(&self) -> Result<Vec<f64>, IdentifyError> {
        let values = self.get("time", Measure::Time)?;
        if let Some(choice) = self.stage.columns.get("time") {
            self.table.check_time(choice.name()).map_err(|e| self.wrong(e))?;
        }
        Ok(values)
    }

    fn series(&self, name: &str, values: Vec<f64>) -> Series {
        Series { sigma: self.stage.fit.noise.get(name).copied(), ..Series::new(name, values) }
    }
}

pub(super) fn build(
    path: &Path,
    stage: &Stage,
    (file, table): (&Path, &Table),
    (known, watch): (&[(String, f64)], &Watch),
) -> Result<Built, IdentifyError> {
    let reader = Reader { stage, file, table };
    let study = |what: String| IdentifyError::Study { path: path.to_path_buf(), what };
    let free: Vec<(&String, &super::file::Free)> = stage.free.iter().collect();
    if free.is_empty() {
        return Err(study("[free] names no parameter".into()));
    }
    table.check_rows(free.len() + 2).map_err(|e| reader.wrong(e))?;
    let parameters: Vec<Parameter> =
        free.iter().map(|(name, f)| Parameter::new(name, f.start, f.min, f.max)).collect();
    if let ModelChoice::Scenario { scenario, set } = &stage.model {
        return scenario_model(&reader, parameters, (scenario, set), watch);
    }
    let (rows, model, series, abscissa) = foot_model(&reader, &study)?;
    for (name, _) in
        stage.free.iter().map(|(n, f)| (n, f.start)).chain(stage.fixed.iter().map(|(n, v)| (n, *v)))
    {
        if !rows.iter().any(|row| row.0 == name) {
            let names: Vec<&str> = rows.iter().map(|row| row.0).collect();
            return Err(study(format!("the model has no parameter {name}; it has {}", names.join(", "))));
        }
    }
    let mut slots = Vec::new();
    for (name, _, default) in &rows {
        let earlier = || known.iter().rev().find(|(n, _)| n == name).map(|(_, v)| *v);
        slots.push(if let Some(k) = free.iter().position(|(n, _)| n == name) {
            Slot::Free(k)
        } else if let Some(value) = stage.fixed.get(*name).copied().or_else(earlier).or(*default) {
            Slot::Known(value)
        } else {
            return Err(study(format!("{name} is neither free nor fixed")));
        });
    }
    let units = free
        .iter()
        .map(|(name, _)| rows.iter().find(|row| row.0 == *name).map_or("1", |row| row.1))
        .collect();
    let (series, series_units) = series.into_iter().unzip();
    Ok(Built { parameters, units, series, series_units, abscissa, slots, model })
}

type Foot = (Vec<Row>, Model, Vec<(Series, &'static str)>, (String, &'static str, Vec<f64>));

fn foot_model(reader: &Reader, study: &dyn Fn(String) -> IdentifyError) -> Result<Foot, IdentifyError> {
    match &reader.stage.model {
        ModelChoice::Press {} => {
            let deformation = reader.varying("deformation", Measure::Length)?;
            let force = reader.series("force", reader.varying("force", Measure::Force)?);
            let abscissa = ("deformation".into(), "m", deformation.clone());
            Ok((PRESS.to_vec(), Model::Press { deformation }, vec![(force, "N")], abscissa))
        }
        ModelChoice::Plate {} => {
            let sinkage = reader.varying("sinkage", Measure::Length)?;
            let width = reader.get("width", Measure::Length)?;
            let force = reader.series("force", reader.varying("force", Measure::Force)?);
            let abscissa = ("sinkage".into(), "m", sinkage.clone());
            Ok((PLATE.to_vec(), Model::Plate { sinkage, width }, vec![(force, "N")], abscissa))
        }
        ModelChoice::Drop { plastic } => {
            let times = reader.times()?;
            let mut series = Vec::new();
            let mut wanted = Vec::new();
            let asked = &reader.stage.fit.series;
            for (role, kind, unit) in [
                ("force", Measure::Force, "N"),
                ("deformation", Measure::Length, "m"),
                ("rate", Measure::Speed, "m/s"),
            ] {
                if reader.has(role) && (asked.is_empty() || asked.iter().any(|a| a == role)) {
                    series.push((reader.series(role, reader.varying(role, kind)?), unit));
                    wanted.push(role);
                }
            }
            if series.is_empty() {
                return Err(study("[columns] names none of force, deformation, rate".into()));
            }
            if times.first().is_some_and(|t| *t < 0.0) {
                return Err(study("time must begin at touch, with zero: shift it".into()));
            }
            let abscissa = ("time".into(), "s", times.clone());
            Ok((DROP.to_vec(), Model::Drop { times, plastic: *plastic, wanted }, series, abscissa))
        }
        ModelChoice::Drag { curve, .. } => {
            let curve = match curve.as_str() {
                "janosi" => Mobilisation::Janosi,
                "tanh" => Mobilisation::Tanh,
                "linear" => Mobilisation::Linear,
                other => {
                    return Err(study(format!(
                        "model.curve is {other:?}; it must be janosi, tanh or linear"
                    )));
                }
            };
            let displacement = reader.varying("displacement", Measure::Length)?;
            let force = reader.series("force", reader.varying("force", Measure::Force)?);
            let normal = reader.get("normal_force", Measure::Force)?;
            let area = drag_area(reader, displacement.len(), study)?;
            let soil = area.is_some();
            let abscissa = ("displacement".into(), "m", displacement.clone());
            let area = area.unwrap_or_else(|| vec![0.0; displacement.len()]);
            let rows = if soil { SOIL.to_vec() } else { FRICTION.to_vec() };
            Ok((rows, Model::Drag { displacement, normal, area, curve, soil }, vec![(force, "N")], abscissa))
        }
        ModelChoice::Scenario { .. } => Err(study("a scenario is not a foot".into())),
    }
}

/// Area on which cohesion acts (section 4.2, corrected: a b for a rectangle, b √(2 r z) for a cylinder, π R z for a ball); none if μ is sought.
fn drag_area(
    reader: &Reader,
    rows: usize,
    study: &dyn Fn(String) -> IdentifyError,
) -> Result<Option<Vec<f64>>, IdentifyError> {
    let ModelChoice::Drag { shape: Some(shape), radius_m, width_m, length_m, .. } = &reader.stage.model
    else {
        return Ok(None);
    };
    let size = |name: &str, value: &Option<f64>| {
        value
            .filter(|v| *v > 0.0)
            .ok_or_else(|| study(format!("a {shape} foot needs model.{name} above zero")))
    };
    let pi = std::f64::consts::PI;
    Ok(Some(match shape.as_str() {
        "flat-circular" => vec![pi * size("radius_m", radius_m)?.whole_power(2); rows],
        "flat-rectangular" => vec![size("width_m", width_m)? * size("length_m", length_m)?; rows],
        "cylindrical" => {
            let (r, b) = (size("radius_m", radius_m)?, size("width_m", width_m)?);
            reader
                .get("sinkage", Measure::Length)?
                .iter()
                .map(|z| b * (2.0 * r * z.max(0.0)).sqrt())
                .collect()
        }
        "spherical" => {
            let r = size("radius_m", radius_m)?;
            reader.get("sinkage", Measure::Length)?.iter().map(|z| pi * r * z.max(0.0)).collect()
        }
        other => return Err(study(format!("model.shape {other:?} is not a foot"))),
    }))
}

fn scenario_model(
    reader: &Reader,
    parameters: Vec<Parameter>,
    (scenario, set): (&str, &[String]),
    watch: &Watch,
) -> Result<Built, IdentifyError> {
    let times = reader.times()?;
    let mut series = Vec::new();
    let mut columns = Vec::new();
    for (role, choice) in reader.stage.columns.iter().filter(|(role, _)| *role != "time") {
        let values = reader.table.si_any(choice.name(), choice.unit()).map_err(|e| reader.wrong(e))?;
        reader.table.check_varies(choice.name()).map_err(|e| reader.wrong(e))?;
        series.push(reader.series(role, values));
        columns.push(role.clone());
    }
    let mut sets = set.to_vec();
    sets.extend(reader.stage.fixed.iter().map(|(name, value)| format!("{name}={value:?}")));
    let names = parameters.iter().map(|p| p.name.clone()).collect();
    let start: Vec<f64> = parameters.iter().map(|p| p.start).collect();
    let model = ScenarioModel { scenario: scenario.into(), sets, names, columns, times: times.clone() };
    model.try_at(&start, watch)?;
    Ok(Built {
        units: vec!["1"; parameters.len()],
        parameters,
        series_units: vec!["SI"; series.len()],
        series,
        abscissa: ("time".into(), "s", times),
        slots: Vec::new(),
        model: Model::Scenario(model),
    })
}

impl Built {
    /// What the free parameters predict; nothing where the model fails or the time is up.
    pub fn predict(&self, x: &[f64], watch: &Watch) -> Option<Vec<Vec<f64>>> {
        let all: Vec<f64> = self
            .slots
            .iter()
            .map(|slot| match *slot {
                Slot::Known(value) => value,
                Slot::Free(k) => x[k],
            })
            .collect();
        match &self.model {
            Model::Press { deformation } => Some(vec![press(deformation, all[0], all[1], all[2])]),
            Model::Plate { sinkage, width } => Some(vec![plate(sinkage, width, [all[0], all[1], all[2]])]),
            Model::Drop { times, plastic, wanted } => {
                let law = HuntCrossley { k: all[3], n: all[4], b: all[5], p: all[6], q: all[7] };
                let drop = Drop { mass: all[0], load: all[1], speed: all[2], law, plastic: *plastic };
                let path = drop.trajectory(times)?;
                let column = |role: &&'static str| {
                    path.iter()
                        .map(|m| match *role {
                            "force" => m.force,
                            "deformation" => m.deformation,
                            _ => m.rate,
                        })
                        .collect()
                };
                Some(wanted.iter().map(column).collect())
            }
            Model::Drag { displacement, normal, area, curve, soil } => {
                let drag = Drag { displacement, normal, area, curve: *curve };
                let (strength, length) = if *soil {
                    (Strength::Soil { cohesion: all[0], tan_phi: all[1] }, all[2])
                } else {
                    (Strength::Friction { mu: all[0] }, all[1])
                };
                Some(vec![drag.force(&strength, length)])
            }
            Model::Scenario(model) => model.predict(x, watch),
        }
    }
}
