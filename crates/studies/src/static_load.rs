//! A flexible body under a load that grows, by static equilibrium; no time passes. Each row begins where the one before left off.

use touchdown_math::Vec3;
use touchdown_multibody::flex::mesh::{FlexMesh, Point};
use touchdown_multibody::flex::statics::{Loads, Search, solve};
use touchdown_sim::RunError;
use touchdown_sim::Simulation;
use touchdown_sim::System;
use touchdown_sim::broken_checks;
use touchdown_sim::description::{Procedure, WorldDescription};
use touchdown_sim::sink::{Column, NamedValue, Outcome, Progress, Sink};
use touchdown_sim::{FlexBook, energy_of_rows};

/// Numbers of a static load.
#[derive(Clone, Debug, PartialEq)]
pub struct StaticLoad {
    /// Index in [`WorldDescription::flexible`](touchdown_sim::description::WorldDescription::flexible).
    pub flexible: usize,
    /// The whole load, N, world axes.
    pub force: Vec3,
    /// Where it acts: element, place in it, share.
    pub at: Vec<(usize, [f64; 3], f64)>,
    /// Rows after the first, which is without load.
    pub rows: usize,
    /// Deflection of a slender beam under the whole load, m.
    pub beam: Option<f64>,
}

impl Procedure for StaticLoad {
    fn columns(&self, description: &WorldDescription, _: &System) -> Option<Vec<Column>> {
        Some(columns(self, &description.flexible[self.flexible].points))
    }

    fn run(&self, world: &mut Simulation, sink: &mut dyn Sink) -> Result<Outcome, RunError> {
        run(world, self, sink)
    }

    fn equals(&self, other: &dyn Procedure) -> bool {
        crate::equal(self, other)
    }
}

/// Time between two frames, s.
const FRAME_TIME: f64 = 0.05;

/// Columns of the study's series; `points` are those whose places are recorded.
fn columns(study: &StaticLoad, points: &[(String, usize, [f64; 3])]) -> Vec<Column> {
    let column = |name: &str, unit: &'static str, frame: &'static str, about: &str| Column {
        name: name.into(),
        unit,
        frame,
        about: about.into(),
    };
    let mut columns = vec![
        column("load_n", "N", "-", "size of the load"),
        column("deflection_m", "m", "-", "mean travel of the loaded edge along the load"),
        column("elastic_energy_j", "J", "-", "energy of the deformation"),
        column("work_j", "J", "-", "work of the load, by the trapezoidal rule over the rows"),
        column(
            "strain_max",
            "1",
            "-",
            "largest normal strain at the corners and in the middle of the elements' faces",
        ),
    ];
    if study.beam.is_some() {
        columns.push(column("beam_deflection_m", "m", "-", "P·l³/(3·E·I), the deflection of a slender beam"));
    }
    for (name, ..) in points {
        for axis in ["x", "y", "z"] {
            columns.push(column(&format!("{name}.{axis}_m"), "m", "world", "place of the point"));
        }
    }
    columns
}

/// A force that grows from one share to another.
struct Growing {
    full: Vec<f64>,
    from: f64,
    to: f64,
}

impl Loads for Growing {
    fn add(&mut self, load: f64, _: &FlexMesh, _: &[f64], force: &mut [f64], _: Option<&mut [f64]>) {
        let share = self.from + load * (self.to - self.from);
        force.iter_mut().zip(&self.full).for_each(|(f, g)| *f += share * g);
    }
}

/// Runs the study. A load without equilibrium ends it; what was found is kept.
fn run(world: &mut Simulation, study: &StaticLoad, sink: &mut dyn Sink) -> Result<Outcome, RunError> {
    let flexible = &world.description().flexible[study.flexible];
    let (X_WM, mut mesh) = (flexible.X_WM, flexible.mesh.clone());
    let points: Vec<Point> = flexible.points.iter().map(|(_, e, at)| mesh.point(*e, *at)).collect();
    let edge: Vec<(Point, f64)> =
        study.at.iter().map(|(e, at, share)| (mesh.point(*e, *at), *share)).collect();
    let force_M = X_WM.R.transpose() * study.force;
    let size = force_M.norm();
    let along = if size > 0.0 { force_M / size } else { Vec3::z() };
    let mut load = Growing { full: vec![0.0; mesh.coordinates()], from: 0.0, to: 0.0 };
    edge.iter().for_each(|(point, share)| mesh.add_point_force(point, &(force_M * *share), &mut load.full));
    let mut q = mesh.reference().to_vec();
    let travel = |mesh: &FlexMesh, q: &[f64]| -> f64 {
        let moved =
            |p: &Point| (mesh.point_position(p, q) - mesh.point_position(p, mesh.reference())).dot(&along);
        edge.iter().map(|(point, share)| share * moved(point)).sum()
    };
    let (mut outcome, mut book) = (Outcome::of_study(), FlexBook::default());
    let name = flexible.name.clone();
    let mut frame = world.empty_frame();
    let (form, drawn) = world.flexible_form(study.flexible);
    let (mut work, mut iterations) = (0.0, 0);
    let (mut deflection, mut energy, mut strain) = (0.0, 0.0, 0.0);
    for k in 0..=study.rows {
        load.to = k as f64 / study.rows.max(1) as f64;
        match solve(&mut mesh, &mut q, &mut load, &Search::default()) {
            Ok(found) => {
                iterations += found.iterations;
                energy = found.energy;
            }
            Err(why) => {
                (outcome.finished, outcome.stopped_because) = (false, Some(why.to_string()));
                break;
            }
        }
        let before = std::mem::replace(&mut deflection, travel(&mesh, &q));
        work += 0.5 * size * (load.from + load.to) * (deflection - before);
        strain = largest_strain(&mesh, &q);
        book.look(&mesh.look(&q).unwrap_or_default(), 0.0);
        let mut row = vec![size * load.to, deflection, energy, work, strain];
        row.extend(study.beam.map(|beam| beam * load.to));
        for point in &points {
            let p_W = X_WM.point(&mesh.point_position(point, &q));
            row.extend([p_W.x, p_W.y, p_W.z]);
        }
        load.from = load.to;
        world.add_row(&row);
        sink.series(&row)?;
        frame.time = FRAME_TIME * k as f64;
        drawn.displace_by(&mesh, &q, &Vec3::zeros(), &mut frame.deformations[form]);
        sink.frame(&frame)?;
        outcome.steps = k as u64 + 1;
        sink.progress(Progress {
            time: (k + 1) as f64,
            duration: (study.rows + 1) as f64,
            steps: outcome.steps,
        });
    }
    outcome.validity = book.checks(&name, None);
    outcome.validity.push(energy_of_rows(energy, work));
    outcome.warnings.extend(broken_checks(&outcome.validity));
    outcome.quantities = world.row_quantities();
    let mut put = |name: &str, value: f64, unit: &str, about: &str| {
        let (name, unit, about) = (name.into(), unit.into(), about.into());
        outcome.quantities.push(NamedValue { name, value, unit, about });
    };
    put("deflection_m", deflection, "m", "mean travel of the loaded edge along the load, at the last load");
    if let Some(beam) = study.beam {
        put(
            "deflection_over_beam",
            deflection / (beam * load.from),
            "1",
            "the same over that of a slender beam",
        );
    }
    put("elastic_energy_j", energy, "J", "energy of the deformation at the last load");
    put("energy_over_work", energy / work, "1", "the same over the work of the load");
    put("strain_max", strain, "1", "largest normal strain at the last load");
    put("newton_iterations", iterations as f64, "1", "Newton iterations of all rows");
    put("mesh_mass_kg", mesh.total_mass(), "kg", "mass of the mesh");
    Ok(outcome)
}

/// Largest normal strain at the corners and in the middle of the elements' faces.
fn largest_strain(mesh: &FlexMesh, q: &[f64]) -> f64 {
    let mut largest = 0.0;
    for element in 0..mesh.elements().len() {
        for [xi, eta] in [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.5, 0.5]] {
            for zeta in [-0.5, 0.5] {
                if let Some(found) = mesh.recover(element, q, [xi, eta, zeta]) {
                    largest = found.strain[..3].iter().fold(largest, |m: f64, e| m.max(e.abs()));
                }
            }
        }
    }
    largest
}
