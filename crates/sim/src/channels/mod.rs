//! Channels: what a row of the series holds, with name, unit, frame and meaning, and how each number is read off the system.

mod boom;
mod capture;
mod devices;
mod feet;
mod flexible;
mod forces;
mod pairs;
mod polygonal;
mod soil;
mod values;

pub(crate) use devices::unit_suffix;

use crate::description::{Input, Point, Study, Walker, WorldDescription};
use crate::gradability;
use crate::history::History;
use crate::ledger::{Energies, Works};
use crate::lift_off::LiftOffs;
use crate::sink::Column;
use crate::system::System;
use crate::validity::{PairExtremes, PolygonalExtremes};
use crate::vehicle::{Driven, VehicleParts};
use std::sync::Arc;
use touchdown_math::{Pose, Wrench};
use touchdown_multibody::description::{Attachment, JointKind, Mechanism};

/// Bodies beyond this number are recorded through their joints only: a row stays readable.
const BODIES_IN_SERIES: usize = 64;

/// Where a column's number comes from.
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
    Tyre(usize, TyreValue),
    Pair(usize, pairs::PairValue),
    Polygonal(usize, polygonal::PolygonalValue),
    Group(usize, polygonal::GroupValue),
    Flexible(usize, flexible::FlexibleValue),
    Boom(usize, boom::BoomValue),
    Capture(usize, capture::CaptureValue),
    Foot(feet::FootAt, feet::FootValue),
    Device(usize, usize),
    Walker(usize, feet::WalkerValue),
    Tyres(TyresValue),
    Soil(usize, soil::SoilValue),
    Vehicle(usize, soil::VehicleValue),
    Slope,
    LineForce(usize),
    LineLength(usize),
    ConstraintResidual(usize),
    Multiplier(usize),
    ReactionForce(usize, usize),
    ReactionTorque(usize, usize),
    Energy(usize),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum TyreValue {
    Normal,
    Deformation,
    Longitudinal,
    Lateral,
    SlipLongitudinal,
    SlipAngle,
    RimSpeed,
    FrictionUsed,
    Gap,
    LiftOffs,
    AirTime,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum TyresValue {
    Touching,
    LiftOffs,
    AirTimeMax,
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
    /// Polygonal contacts that are recorded together.
    groups: Vec<polygonal::Group>,
    /// Feet, in the order of the description.
    feet: Vec<feet::FootAt>,
    /// Machines that walk.
    walkers: Vec<Walker>,
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
    /// What the vehicles have driven, in the order of `vehicles`.
    pub odometers: &'a [Driven],
    /// What the smooth contacts went through before this step.
    pub pairs: &'a [PairExtremes],
    /// What the polygonal contacts went through before this step.
    pub polygonal: &'a [PolygonalExtremes],
    /// What contacts and devices remember.
    pub held: &'a History,
    /// What it was built from.
    pub description: &'a WorldDescription,
    /// What the tyres did in the air.
    pub lift_offs: &'a [LiftOffs],
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
            groups: Vec::new(),
            feet: Vec::new(),
            walkers: Vec::new(),
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
        c.add_tyres(system);
        c.add_pairs(system);
        c.add_polygonal(system);
        c.add_groups(system);
        c.add_flexible(system, description);
        c.add_booms(system);
        c.add_captures(system);
        c.add_feet(system, description);
        c.add_walkers(description);
        c.add_devices(system, 0);
        c.add_tyres_together(system);
        c.add_soil(system);
        c.add_vehicles();
        if let Some(Study::Gradability(_)) = description.study {
            c.sources.push(Source::Slope);
            Arc::make_mut(&mut c.columns).push(gradability::column());
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

    /// Number of columns of a run in time.
    pub(crate) fn source_count(&self) -> usize {
        self.sources.len()
    }

    /// Whether a column needs no more than positions and velocities.
    pub(crate) fn is_kinematic(&self, column: usize) -> bool {
        use Source::*;
        matches!(
            self.sources[column],
            Time | Input(_)
                | PointPosition(..)
                | PointVelocity(..)
                | Coordinate(_)
                | Rate(_)
                | BodyPosition(..)
                | BodyVelocity(..)
                | BodyRate(..)
                | BodyQuaternion(..)
                | BodyAngle(..)
                | BodyPath(_)
                | Slope
        )
    }

    fn put(&mut self, source: Source, name: &str, unit: &'static str, frame: &'static str, about: &str) {
        self.sources.push(source);
        Arc::make_mut(&mut self.columns).push(Column { name: name.into(), unit, frame, about: about.into() });
    }

    /// Three columns, `STEM_x_SUFFIX` to `STEM_z_SUFFIX`.
    fn put_axes(
        &mut self,
        (stem, suffix): (&str, &str),
        (unit, frame, about): (&'static str, &'static str, &str),
        source: impl Fn(usize) -> Source,
    ) {
        for (k, axis) in AXES.iter().enumerate() {
            self.put(source(k), &format!("{stem}_{axis}_{suffix}"), unit, frame, about);
        }
    }

    /// Columns of one thing, `BASE.SUFFIX`: value, suffix, unit and meaning of each.
    fn put_rows<V: Copy>(
        &mut self,
        base: &str,
        frame: &'static str,
        rows: &[(V, &str, &'static str, &str)],
        source: impl Fn(V) -> Source,
    ) {
        for (value, suffix, unit, about) in rows {
            self.put(source(*value), &format!("{base}.{suffix}"), unit, frame, about);
        }
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

    fn add_joints(&mut self, system: &System, mechanism: &Mechanism) {
        for (j, joint) in mechanism.joints.iter().enumerate() {
            let slot = &system.model.joints[j];
            let base = format!("joint.{}", joint.name);
            if self.reactions {
                for (k, axis) in AXES.iter().enumerate() {
                    let name = format!("{base}.reaction_f{axis}_n");
                    self.put(
                        Source::ReactionForce(j, k),
                        &name,
                        "N",
                        "world",
                        "force of the parent on the child through the joint",
                    );
                }
                for (k, axis) in AXES.iter().enumerate() {
                    let name = format!("{base}.reaction_t{axis}_n_m");
                    let about =
                        "torque of the parent on the child through the joint, about the joint frame's origin";
                    self.put(Source::ReactionTorque(j, k), &name, "N m", "world", about);
                }
            }
            if slot.locked {
                continue;
            }
            match joint.kind {
                JointKind::Spherical | JointKind::Free => {
                    self.add_quaternion_joint(&base, &joint.kind, slot.q)
                }
                _ => self.add_axis_joint(&base, &joint.kind, slot.q, slot.v),
            }
        }
    }

    fn add_quaternion_joint(&mut self, base: &str, kind: &JointKind, q: usize) {
        let mut at = q;
        if *kind == JointKind::Free {
            for axis in AXES {
                self.put(
                    Source::Coordinate(at),
                    &format!("{base}.{axis}_m"),
                    "m",
                    "joint",
                    "position in the parent's joint frame",
                );
                at += 1;
            }
        }
        for part in ["qw", "qx", "qy", "qz"] {
            self.put(
                Source::Coordinate(at),
                &format!("{base}.{part}"),
                "1",
                "joint",
                "orientation quaternion in the parent's joint frame",
            );
            at += 1;
        }
    }

    fn add_axis_joint(&mut self, base: &str, kind: &JointKind, q: usize, v: usize) {
        let turns = kind.turning_axes();
        for (k, turning) in turns.iter().enumerate() {
            let base = if turns.len() == 1 { base.to_string() } else { format!("{base}.{k}") };
            let (unit, rate_unit): (&'static str, &'static str) =
                if *turning { ("rad", "rad/s") } else { ("m", "m/s") };
            let rate_suffix = if *turning { "rad_per_s" } else { "m_per_s" };
            self.put(
                Source::Coordinate(q + k),
                &format!("{base}.position_{unit}"),
                unit,
                "joint",
                "joint coordinate",
            );
            self.put(
                Source::Rate(v + k),
                &format!("{base}.rate_{rate_suffix}"),
                rate_unit,
                "joint",
                "rate of the joint coordinate",
            );
        }
    }

    fn add_bodies(&mut self, system: &System) {
        if system.model.bodies.len() > BODIES_IN_SERIES {
            return;
        }
        for b in 0..system.model.bodies.len() {
            let base = format!("body.{}", system.model.body_names[b]);
            for (k, axis) in AXES.iter().enumerate() {
                self.put(
                    Source::BodyPosition(b, k),
                    &format!("{base}.{axis}_m"),
                    "m",
                    "world",
                    "position of the body frame's origin",
                );
            }
            for (k, part) in ["qw", "qx", "qy", "qz"].iter().enumerate() {
                self.put(
                    Source::BodyQuaternion(b, k),
                    &format!("{base}.{part}"),
                    "1",
                    "world",
                    "orientation quaternion",
                );
            }
            for (k, axis) in AXES.iter().enumerate() {
                let name = format!("{base}.v{axis}_m_per_s");
                self.put(
                    Source::BodyVelocity(b, k),
                    &name,
                    "m/s",
                    "world",
                    "velocity of the body frame's origin",
                );
            }
            for (k, axis) in AXES.iter().enumerate() {
                self.put(
                    Source::BodyRate(b, k),
                    &format!("{base}.w{axis}_rad_per_s"),
                    "rad/s",
                    "world",
                    "angular velocity",
                );
            }
            if let Some(slot) = self.path_bodies.iter().position(|p| *p == b) {
                for (k, angle) in ["roll", "pitch", "yaw"].iter().enumerate() {
                    let about = "angle of the rotation z-y-x (yaw, pitch, roll)";
                    self.put(Source::BodyAngle(b, k), &format!("{base}.{angle}_rad"), "rad", "world", about);
                }
                let about = "length of the path travelled, from the speeds at the rows";
                self.put(Source::BodyPath(slot), &format!("{base}.path_m"), "m", "world", about);
            }
        }
    }
}
