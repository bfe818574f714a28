//! A flexible wheel in a press: its hub is lowered on flat rigid ground without friction, deflection by deflection; no time passes.
//!
//! Where the ground is soil it is pressed into that (`soil`). Wheels that are pressed beside it (turned, of finer meshes, of other materials) give columns of their own.

mod soil;

use rayon::prelude::*;
use touchdown_math::Vec3;
use touchdown_multibody::flex::FlexError;
use touchdown_multibody::flex::branch::Loss;
use touchdown_multibody::flex::press::{Curve, Follow, Press};
use touchdown_sim::FlexDrawn;
use touchdown_sim::RunError;
use touchdown_sim::Simulation;
use touchdown_sim::System;
use touchdown_sim::broken_checks;
use touchdown_sim::description::{Procedure, WorldDescription};
use touchdown_sim::sink::{Column, ContactArrow, Frame, NamedValue, NamedWord, Outcome, Progress, Sink};
use touchdown_sim::{FlexBook, energy_of_rows};

/// Numbers of a flexible wheel in a press.
#[derive(Clone, Debug, PartialEq)]
pub struct WheelPress {
    /// Index in [`WorldDescription::flexible`](touchdown_sim::description::WorldDescription::flexible): the wheel that is shown.
    pub wheel: usize,
    /// The same wheel with its contact points, hub held.
    pub press: Press,
    /// Largest deflection, m.
    pub deflection: f64,
    /// Rows after the first, which is without load.
    pub rows: usize,
    /// Stiffness of the spring to which it is compared, N/m.
    pub line: Option<f64>,
    /// Others that are pressed beside it: name, and the wheel.
    pub beside: Vec<(String, Press)>,
}

impl Procedure for WheelPress {
    fn columns(&self, _: &WorldDescription, system: &System) -> Option<Vec<Column>> {
        Some(columns(self, system.has_soil_contacts()))
    }

    fn run(&self, world: &mut Simulation, sink: &mut dyn Sink) -> Result<Outcome, RunError> {
        run(world, self, sink)
    }

    fn equals(&self, other: &dyn Procedure) -> bool {
        crate::equal(self, other)
    }
}

/// Time between two frames, s: what is shown is a slow press.
const FRAME_TIME: f64 = 0.05;

/// Columns of the study's series; `in_soil` where the wheel is pressed into soil.
fn columns(study: &WheelPress, in_soil: bool) -> Vec<Column> {
    if in_soil {
        return soil::columns();
    }
    let column = Column::scalar;
    let mut columns = vec![
        column("deflection_m", "m", "free radius less the height of the hub"),
        column("force_n", "N", "force of the ground on the wheel"),
        column("stiffness_n_per_m", "N/m", "slope of the force since the row before"),
        column("negative_pivots", "1", "negative pivots of the tangent: zero where equilibrium is stable"),
        column("contact_points", "1", "points that press on the ground"),
        column("elastic_energy_j", "J", "energy of the wheel's deformation"),
        column("contact_energy_j", "J", "energy in the springs of the contact points"),
    ];
    if study.line.is_some() {
        columns.push(column("spring_force_n", "N", "force of the spring to which it is compared"));
    }
    for (name, _) in &study.beside {
        columns.push(column(
            &format!("beside.{name}.force_n"),
            "N",
            "force of the ground on the wheel beside it",
        ));
    }
    columns
}

/// Runs the study. A curve that ends early keeps what was found; the rest of its column is not a number.
fn run(world: &mut Simulation, study: &WheelPress, sink: &mut dyn Sink) -> Result<Outcome, RunError> {
    if let Some(ground) = world.soil().cloned() {
        return soil::run(world, study, ground, sink);
    }
    let count = study.rows.max(1);
    let deflections: Vec<f64> = (0..=count).map(|k| study.deflection * k as f64 / count as f64).collect();
    let mut frames = Frames::new(world, study.wheel);
    let (mut book, mut thickness) = (FlexBook::default(), f64::INFINITY);
    let curve = study.press.curve_with(&deflections, &mut |pressed, mesh, q| {
        book.look(&mesh.look(q).unwrap_or_default(), pressed.penetration);
        thickness = mesh.thinnest();
        frames.add(pressed.deflection, pressed.force, |drawn, shift, out| {
            drawn.displace_by(mesh, q, &shift, out)
        });
    });
    let solved = |(name, press): &(String, Press)| (name.clone(), press.curve(&deflections));
    let beside: Vec<(String, Result<Curve, FlexError>)> = study.beside.par_iter().map(solved).collect();
    let mut outcome = Outcome::of_study();
    let curve = match curve {
        Ok(curve) => curve,
        Err(why) => {
            (outcome.finished, outcome.stopped_because) = (false, Some(why.to_string()));
            return Ok(outcome);
        }
    };
    outcome.warnings.extend(lost_stability("the wheel", &curve, study.press.follow));
    for (name, found) in &beside {
        if let Ok(found) = found {
            let name = format!("\"{name}\" beside it");
            outcome.warnings.extend(lost_stability(&name, found, study.press.follow));
        }
        let why = match found {
            Ok(found) => found.ended.as_ref().map(|why| (found.points.len(), why)),
            Err(why) => Some((0, why)),
        };
        if let Some((rows, why)) = why {
            outcome.warnings.push(format!("\"{name}\" beside it ends after {rows} rows: {why}"));
        }
    }
    for (k, pressed) in curve.points.iter().enumerate() {
        let mut row = vec![
            pressed.deflection,
            pressed.force,
            pressed.stiffness,
            pressed.negative as f64,
            pressed.touching as f64,
            pressed.found.energy,
            pressed.contact_energy,
        ];
        row.extend(study.line.map(|line| line * pressed.deflection));
        row.extend(beside.iter().map(|(_, found)| {
            found.as_ref().ok().and_then(|c| c.points.get(k)).map_or(f64::NAN, |other| other.force)
        }));
        world.add_row(&row);
        sink.series(&row)?;
        if let Some(frame) = frames.all.get(k) {
            sink.frame(frame)?;
        }
        outcome.steps = k as u64 + 1;
        sink.progress(Progress { time: (k + 1) as f64, duration: (count + 1) as f64, steps: outcome.steps });
    }
    if let Some(why) = &curve.ended {
        (outcome.finished, outcome.stopped_because) = (false, Some(why.to_string()));
    }
    let rows = curve.points.windows(2);
    let work: f64 = rows.map(|p| 0.5 * (p[0].force + p[1].force) * (p[1].deflection - p[0].deflection)).sum();
    let stored = curve.points.last().map_or(0.0, |p| p.found.energy + p.contact_energy);
    outcome.validity = book.checks(&world.description().flexible[study.wheel].name, Some(thickness));
    outcome.validity.push(energy_of_rows(stored, work));
    outcome.warnings.extend(broken_checks(&outcome.validity));
    outcome.quantities = world.row_quantities();
    outcome.quantities.push(NamedValue {
        name: "mesh_mass_kg".into(),
        value: curve.mass,
        unit: "kg".into(),
        about: "mass of the wheel's mesh".into(),
    });
    outcome.quantities.push(NamedValue {
        name: "bifurcation_deflection_m".into(),
        value: curve.lost.map_or(f64::NAN, |lost| lost.deflection),
        unit: "m".into(),
        about: "where the branch that begins without load loses its stability, at a bifurcation or a limit point; no value if it does not".into(),
    });
    let stable = curve.points.iter().all(|p| p.negative == 0);
    outcome.words.push(NamedWord {
        name: "branch".into(),
        word: if stable { "stable" } else { "unstable" }.into(),
        about: "stable if every equilibrium of the curve is, else unstable".into(),
    });
    Ok(outcome)
}

/// What is said of a curve that loses its stability.
fn lost_stability(name: &str, curve: &Curve, follow: Follow) -> Option<String> {
    let lost = curve.lost?;
    let by = match lost.by {
        Loss::Bifurcation => "a bifurcation: it buckles",
        Loss::LimitPoint => "a limit point: it snaps through",
    };
    let goes_on = match follow {
        Follow::Stable => "the curve follows the stable branch",
        Follow::Primary => "the curve follows the unstable branch, which no wheel takes",
    };
    Some(format!("{name} loses its stability at {:.3} mm, {by}; {goes_on}", 1e3 * lost.deflection))
}

/// Frames of the wheel that is shown.
struct Frames {
    all: Vec<Frame>,
    empty: Frame,
    drawn: FlexDrawn,
    /// Its place among the forms that change, and among the contacts.
    form: usize,
}

impl Frames {
    fn new(world: &Simulation, wheel: usize) -> Frames {
        let (form, drawn) = world.flexible_form(wheel);
        Frames { all: Vec::new(), empty: world.empty_frame(), drawn, form }
    }

    fn add(&mut self, lowered: f64, force: f64, displace: impl FnOnce(&FlexDrawn, Vec3, &mut Vec<[f32; 3]>)) {
        let mut frame = self.empty.clone();
        frame.time = FRAME_TIME * self.all.len() as f64;
        displace(&self.drawn, Vec3::new(0.0, 0.0, -lowered), &mut frame.deformations[self.form]);
        if let Some(arrow) = frame.contacts.first_mut() {
            let f_W = Vec3::new(0.0, 0.0, force);
            *arrow = ContactArrow { p_WC: Vec3::zeros(), f_W, t_W: Vec3::zeros() };
        }
        self.all.push(frame);
    }
}
