//! Natural frequencies and modes of a flexible body about its stress-free form; no time passes. Rigid motions are counted and left out.
//!
//! What is shown is each mode in turn, swinging once, with its largest displacement drawn as a tenth of the body's size.

use touchdown_math::Elementary;
use touchdown_math::Vec3;
use touchdown_multibody::flex::FlexError;
use touchdown_multibody::flex::material::Material;
use touchdown_multibody::flex::mesh::{FlexMesh, MeshBuilder};
use touchdown_multibody::flex::modes::{Mode, lowest};
use touchdown_multibody::flex::plate::Weights;
use touchdown_multibody::flex::sheet::SheetForm;
use touchdown_sim::RunError;
use touchdown_sim::Simulation;
use touchdown_sim::System;
use touchdown_sim::broken_checks;
use touchdown_sim::description::{Procedure, WorldDescription};
use touchdown_sim::modes_checks;
use touchdown_sim::sink::{Column, NamedValue, Outcome, Progress, Sink};

/// Numbers of a study of natural frequencies.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// Index in [`WorldDescription::flexible`](touchdown_sim::description::WorldDescription::flexible).
    pub flexible: usize,
    /// Modes with deformation that are wanted.
    pub count: usize,
    /// λ of thin plates over the frequency, s: 2π·l²·√(ρt/D).
    pub thin_plate: Option<f64>,
    /// Free plates to compare: name, form, material.
    pub beside: Vec<(String, SheetForm, Material)>,
}

impl Procedure for Modes {
    fn columns(&self, _: &WorldDescription, _: &System) -> Option<Vec<Column>> {
        Some(columns(self))
    }

    fn run(&self, world: &mut Simulation, sink: &mut dyn Sink) -> Result<Outcome, RunError> {
        run(world, self, sink)
    }

    fn equals(&self, other: &dyn Procedure) -> bool {
        crate::equal(self, other)
    }
}

/// Rigid motions of a body at most.
const RIGID: usize = 6;
/// ω² over the largest found, below which a mode is a rigid motion: round-off of the stiffness.
const RIGID_SHARE: f64 = 1e-7;
/// Frames of a mode, and time between two of them, s.
const FRAMES: usize = 24;
const FRAME_TIME: f64 = 0.05;
/// Largest displacement that is drawn, over the size of the body.
const DRAWN: f64 = 0.1;

/// Columns of the study's series.
fn columns(study: &Modes) -> Vec<Column> {
    let column = Column::scalar;
    let mut columns = vec![
        column("mode", "1", "number of the mode, from 1, without rigid motions"),
        column("frequency_hz", "Hz", "natural frequency"),
    ];
    if study.thin_plate.is_some() {
        let about = "angular frequency times length² times the root of mass per area over bending stiffness";
        columns.push(column("lambda", "1", about));
    }
    for (name, ..) in &study.beside {
        let about = "natural frequency of the same plate with another remedy against locking";
        columns.push(column(&format!("beside.{name}.frequency_hz"), "Hz", about));
    }
    columns
}

/// The lowest modes with deformation, and how many rigid motions there are.
fn elastic(mesh: &FlexMesh, count: usize) -> Option<(Vec<Mode>, usize)> {
    let mut all = lowest(mesh, mesh.reference(), count + RIGID)?;
    let largest = all.last()?.square;
    let rigid = all.iter().take_while(|m| m.square < RIGID_SHARE * largest).count();
    all.drain(..rigid);
    all.truncate(count);
    Some((all, rigid))
}

/// Largest |K·φ − ω²·M·φ| of the modes over |K·φ|.
fn residual(mesh: &FlexMesh, modes: &[Mode]) -> f64 {
    let n = mesh.coordinates();
    let (mut force, mut stiffness) = (vec![0.0; n], vec![0.0; mesh.pattern().entries()]);
    let weights = Weights { position: 1.0, velocity: 0.0 };
    mesh.tangent(mesh.reference(), &vec![0.0; n], weights, &mut force, &mut stiffness);
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let of = |mode: &Mode| {
        let (mut pulled, mut left) = (vec![0.0; n], vec![0.0; n]);
        mesh.pattern().add_product(&stiffness, &mode.shape, &mut pulled);
        mesh.pattern().add_product(mesh.mass(), &mode.shape, &mut left);
        left.iter_mut().zip(&pulled).for_each(|(l, k)| *l = k - mode.square * *l);
        norm(&left) / norm(&pulled)
    };
    modes.iter().map(of).fold(0.0, f64::max)
}

fn free_sheet(form: &SheetForm, material: &Material) -> Result<FlexMesh, FlexError> {
    let mut builder = MeshBuilder::new();
    let material = builder.material(*material);
    form.add_to(&mut builder, material)?;
    builder.build()
}

/// Runs the study.
fn run(world: &mut Simulation, study: &Modes, sink: &mut dyn Sink) -> Result<Outcome, RunError> {
    let mut outcome = Outcome::of_study();
    let mesh = world.description().flexible[study.flexible].mesh.clone();
    let Some((modes, rigid)) = elastic(&mesh, study.count) else {
        outcome.finished = false;
        outcome.stopped_because = Some("its stiffness and mass have no factors".into());
        return Ok(outcome);
    };
    let beside: Vec<Vec<Mode>> = study
        .beside
        .iter()
        .map(|(_, form, material)| free_sheet(form, material).ok().and_then(|m| elastic(&m, study.count)))
        .map(|found| found.map_or_else(Vec::new, |(modes, _)| modes))
        .collect();
    let mut values = Vec::new();
    let mut put = |name: String, value: f64, unit: &str, about: &str| {
        values.push(NamedValue { name, value, unit: unit.into(), about: about.into() });
    };
    for (k, mode) in modes.iter().enumerate() {
        let number = k + 1;
        let mut row = vec![number as f64, mode.frequency];
        put(format!("frequency_{number}_hz"), mode.frequency, "Hz", "natural frequency");
        if let Some(factor) = study.thin_plate {
            row.push(factor * mode.frequency);
            put(
                format!("lambda_{number}"),
                factor * mode.frequency,
                "1",
                "the same as tables of thin plates give it",
            );
        }
        row.extend(beside.iter().map(|other| other.get(k).map_or(f64::NAN, |m| m.frequency)));
        world.add_row(&row);
        sink.series(&row)?;
        show(world, study.flexible, &mesh, mode, k, sink)?;
        outcome.steps = number as u64;
        sink.progress(Progress { time: number as f64, duration: modes.len() as f64, steps: outcome.steps });
    }
    let free = mesh.prescribed().is_empty().then_some(RIGID);
    outcome.validity = modes_checks((rigid, free), residual(&mesh, &modes));
    outcome.warnings.extend(broken_checks(&outcome.validity));
    put("rigid_motions".into(), rigid as f64, "1", "motions without deformation");
    put("mesh_mass_kg".into(), mesh.total_mass(), "kg", "mass of the mesh");
    outcome.quantities = world.row_quantities();
    outcome.quantities.extend(values);
    Ok(outcome)
}

/// Frames of a mode that swings once.
fn show(
    world: &Simulation,
    flexible: usize,
    mesh: &FlexMesh,
    mode: &Mode,
    number: usize,
    sink: &mut dyn Sink,
) -> Result<(), RunError> {
    let place = |q: &[f64], node: usize| mesh.node_position(q, node);
    let moved: Vec<f64> = mesh.reference().iter().zip(&mode.shape).map(|(a, b)| a + b).collect();
    let (mut size, mut largest) = (0.0, 0.0);
    for node in 0..mesh.nodes().len() {
        let at = place(mesh.reference(), node);
        size = f64::max(size, (at - place(mesh.reference(), 0)).norm());
        largest = f64::max(largest, (place(&moved, node) - at).norm());
    }
    let scale = if largest > 0.0 { DRAWN * size / largest } else { 0.0 };
    let mut frame = world.empty_frame();
    let (form, drawn) = world.flexible_form(flexible);
    for k in 0..FRAMES {
        let swing = scale * (std::f64::consts::TAU * k as f64 / FRAMES as f64).sine();
        let e: Vec<f64> = mesh.reference().iter().zip(&mode.shape).map(|(a, b)| a + swing * b).collect();
        frame.time = FRAME_TIME * (number * FRAMES + k) as f64;
        drawn.displace_by(mesh, &e, &Vec3::zeros(), &mut frame.deformations[form]);
        sink.frame(&frame)?;
    }
    Ok(())
}
