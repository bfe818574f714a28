//! Channels: the content of a row of the series, with name, unit, frame and meaning, and how each number is
//! read from the system.

mod columns;
mod forces;
mod joints;
mod values;
mod vehicles;

pub(crate) use columns::{Columns, unit_suffix};

use crate::books::ledger::{Energies, Works};
use crate::books::vehicle::{Driven, VehicleParts};
use crate::description::{Input, Point, Study, WorldDescription};
use crate::engine::course;
use crate::engine::history::History;
use crate::engine::system::System;
use crate::interactions::{Books, Reading};
use crate::sink::Column;
use std::sync::Arc;
use touchdown_math::{Pose, Wrench};
use touchdown_multibody::description::{Attachment, DriveKind, JointKind};
use vehicles::VehicleValue;

/// With more bodies than this, only their joints are recorded, so that a row stays readable.
const BODIES_IN_SERIES: usize = 64;

/// Source of a column's number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Source {
    Time,
    Input(usize),
    PointPosition(usize, usize),
    PointVelocity(usize, usize),
    Coordinate(usize),
    Rate(usize),
    BodyPosition(usize, usize),
    BodyVelocity(usize, usize),
    BodyRate(usize, usize),
    BodyQuaternion(usize, usize),
    BodyAngle(usize, usize),
    BodyPath(usize),
    DriveForce(usize),
    DrivePower(usize),
    Acting(Reading),
    Vehicle(usize, VehicleValue),
    Slope,
    LineForce(usize),
    LineLength(usize),
    ConstraintResidual(usize),
    Multiplier(usize),
    ReactionForce(usize, usize),
    ReactionTorque(usize, usize),
    Energy(usize),
}

/// The columns of a run.
#[derive(Clone, Debug)]
pub(crate) struct Channels {
    pub columns: Arc<Vec<Column>>,
    sources: Vec<Source>,
    points: Vec<Attachment>,
    /// Bodies whose path length is recorded: those on free joints.
    pub path_bodies: Vec<usize>,
    /// Machines on soil wheels.
    pub vehicles: Vec<VehicleParts>,
    reactions: bool,
    // scratch of one row
    poses: Vec<Pose>,
    residuals: Vec<f64>,
    wrenches: Vec<Wrench>,
}

/// One accepted (or interpolated) state with its books.
pub(crate) struct Snapshot<'a> {
    pub t: f64,
    pub q: &'a [f64],
    pub v: &'a [f64],
    pub energies: Energies,
    pub works: Works,
    pub energy_residual: f64,
    /// Path lengths, m, in the order of `path_bodies`.
    pub paths: &'a [f64],
    /// Odometers of the vehicles, in the order of `vehicles`.
    pub odometers: &'a [Driven],
    /// Books of the parts of all interactions before this step.
    pub books: &'a Books,
    /// Memory of accepted steps.
    pub held: &'a History,
    /// The description that it was built from.
    pub description: &'a WorldDescription,
}

pub(crate) const AXES: [&str; 3] = ["x", "y", "z"];

impl Channels {
    /// All channels of a system.
    pub(crate) fn new(system: &System, description: &WorldDescription) -> Channels {
        let (mechanism, points) = (&description.mechanism, &description.points);
        let model = &system.model;
        let path_bodies: Vec<usize> =
            mechanism.joints.iter().filter(|j| j.kind == JointKind::Free).map(|j| j.child).collect();
        let mut c = Channels {
            columns: Arc::default(),
            sources: vec![],
            points: points.iter().map(|p| p.at).collect(),
            path_bodies,
            vehicles: VehicleParts::all(description, system),
            reactions: description.record.reactions,
            poses: vec![Pose::identity(); model.bodies.len()],
            residuals: vec![0.0; model.nc],
            wrenches: vec![Wrench::zero(); model.joints.len()],
        };
        c.put(Source::Time, "time_s", "s", "-", "simulated time");
        c.add_points(points);
        c.add_joints(system, mechanism);
        c.add_bodies(system);
        c.add_drives(system, mechanism);
        for (reading, column) in system.columns(description) {
            c.add(reading, column);
        }
        c.add_vehicles();
        if let Some(Study::Gradability(_)) = description.study {
            c.sources.push(Source::Slope);
            Arc::make_mut(&mut c.columns).push(course::column());
        }
        c.add_inputs(&description.inputs);
        c.add_lines_and_constraints(system, mechanism);
        for (k, (name, about)) in [
            ("kinetic", "kinetic energy"),
            ("potential", "potential energy of gravity"),
            ("elastic", "energy in springs, tyres and contacts"),
            ("dissipated", "lost in dampers, friction and contacts since the start"),
            ("drive_work", "fed in by drives, actuators and prescribed motions since the start"),
            ("load_work", "fed in by given loads since the start"),
            ("residual", "E - E0 - W + D: what does not add up"),
        ]
        .iter()
        .enumerate()
        {
            c.put(Source::Energy(k), &format!("energy.{name}_j"), "J", "-", about);
        }
        c
    }

    /// A column of an interaction.
    pub(crate) fn add(&mut self, reading: Reading, column: Column) {
        self.sources.push(Source::Acting(reading));
        Arc::make_mut(&mut self.columns).push(column);
    }

    /// Number of columns of a run in time.
    pub(crate) fn source_count(&self) -> usize {
        self.sources.len()
    }

    /// The number of an interaction that a column shows, if it does.
    pub(crate) fn reading(&self, column: usize) -> Option<Reading> {
        match self.sources[column] {
            Source::Acting(reading) => Some(reading),
            _ => None,
        }
    }

    /// Whether a column needs only positions and velocities.
    pub(crate) fn is_kinematic(&self, system: &System, column: usize) -> bool {
        use Source::*;
        // The speed of a rim follows from the rolling radius, which contacts find.
        let follows = |drive: usize| !matches!(system.model.drives[drive].kind, DriveKind::RimSpeed { .. });
        match self.sources[column] {
            Time | Input(_) | Slope => true,
            PointPosition(..) | PointVelocity(..) | Coordinate(_) | Rate(_) => true,
            BodyPosition(..) | BodyVelocity(..) | BodyRate(..) | BodyQuaternion(..) => true,
            BodyAngle(..) | BodyPath(_) | LineForce(_) | LineLength(_) => true,
            DriveForce(drive) | DrivePower(drive) => follows(drive),
            Vehicle(i, value) => self.is_vehicle_kinematic(i, value, &follows),
            Acting(_)
            | ConstraintResidual(_)
            | Multiplier(_)
            | ReactionForce(..)
            | ReactionTorque(..)
            | Energy(_) => false,
        }
    }

    fn put(&mut self, source: Source, name: &str, unit: &'static str, frame: &'static str, about: &str) {
        self.sources.push(source);
        Arc::make_mut(&mut self.columns).push(Column { name: name.into(), unit, frame, about: about.into() });
    }

    fn add_inputs(&mut self, inputs: &[Input]) {
        for (i, input) in inputs.iter().enumerate() {
            let about = "value of the input: the last command, or what its signal says before the first";
            self.put(
                Source::Input(i),
                &format!("input.{}.value{}", input.name, unit_suffix(input.unit)),
                input.unit,
                "-",
                about,
            );
        }
    }

    fn add_points(&mut self, points: &[Point]) {
        for (i, Point { name, .. }) in points.iter().enumerate() {
            for (k, axis) in AXES.iter().enumerate() {
                self.put(
                    Source::PointPosition(i, k),
                    &format!("point.{name}.{axis}_m"),
                    "m",
                    "world",
                    "position of the point",
                );
            }
            for (k, axis) in AXES.iter().enumerate() {
                let name = format!("point.{name}.v{axis}_m_per_s");
                self.put(Source::PointVelocity(i, k), &name, "m/s", "world", "velocity of the point");
            }
        }
    }
}
