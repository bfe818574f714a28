//! World = Model (constant) + State: built and checked from a description, ready to run.

use crate::bevameter;
use crate::boom;
use crate::channels::Channels;
use crate::deform::Deforming;
use crate::description::{Ground, Start, Study, WorldDescription};
use crate::equilibrium::{self, Contacts, EquilibriumError};
use crate::feet::SavedFeet;
use crate::flexible::{self, Drawn};
use crate::gradability::Course;
use crate::gravity::{self, Turn};
use crate::impulse::ImpulseOnLink;
use crate::ledger::{Ledger, Works};
use crate::lift_off::LiftOffs;
use crate::memory::memory_at;
use crate::method::StepFailure;
use crate::modes;
use crate::pairs::{PairOnLinks, SavedPairs};
use crate::quantities::{self, Accumulator, Resolved};
use crate::satellites::{ActuatorError, Avionics};
use crate::show;
use crate::sink::Column;
use crate::state::{CheckpointError, LastPowers, State};
use crate::static_load;
use crate::system::System;
use crate::tilt;
use crate::validity::Extremes;
use crate::vehicle::{Odometer, VehicleParts};
use crate::wheel_press;
use touchdown_contact::tyre::{BrushTyre, ParameterError, STATES};
use touchdown_multibody::description::{Command, DriveKind, ElementKind, Gravity};
use touchdown_multibody::rigid::assembly;
use touchdown_multibody::rigid::constrained::DynamicsError;
use touchdown_multibody::rigid::{BuildError, Model, kinematics};

/// What is wrong with a description beyond what its own file can show.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WorldError {
    /// The mechanism is none.
    #[error("{0}")]
    Build(#[from] BuildError),
    /// The loops do not close from the given initial positions, or something massless moves.
    #[error("{0}")]
    Assembly(#[from] DynamicsError),
    /// No static equilibrium.
    #[error("{0}")]
    Equilibrium(#[from] EquilibriumError),
    /// A tyre's parameters are out of range.
    #[error("tyre \"{tyre}\": {problem}")]
    Tyre {
        /// Its name.
        tyre: String,
        /// What is wrong.
        problem: ParameterError,
    },
    /// A smooth contact's form or law is out of range.
    #[error("contact \"{contact}\": {problem}")]
    Contact {
        /// Its name.
        contact: String,
        /// What is wrong.
        problem: ParameterError,
    },
    /// Smooth contact needs smooth ground.
    #[error("contact \"{contact}\" has no rigid ground to touch: add a [ground], or name another body")]
    NoSurface {
        /// Its name.
        contact: String,
    },
    /// A foot's parameters are out of range.
    #[error("foot \"{foot}\": {problem}")]
    Foot {
        /// Its name.
        foot: String,
        /// What is wrong.
        problem: ParameterError,
    },
    /// Feet need a surface to stand on.
    #[error(
        "foot \"{foot}\" has no ground to stand on: add a [ground], which is the surface of its soil, too"
    )]
    NoFootGround {
        /// Its name.
        foot: String,
    },
    /// Tyres need rigid ground.
    #[error("tyre \"{tyre}\" has no rigid ground to roll on: add a [ground]")]
    NoGround {
        /// Its name.
        tyre: String,
    },
    /// A wheel stands where there is no ground.
    #[error("at the start {0}")]
    OffGround(StepFailure),
    /// A rim-speed drive needs a tyre.
    #[error("drive \"{drive}\" follows a rim speed, but its joint's outboard body carries no tyre")]
    NoTyre {
        /// Its name.
        drive: String,
    },
    /// Wheels or thrusters of a satellite cannot be used.
    #[error("attitude control: {0}")]
    Actuators(#[from] ActuatorError),
    /// A flexible body cannot be used.
    #[error("flexible body \"{name}\": {problem}")]
    Flexible {
        /// Its name.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// A gradability study cannot be run.
    #[error("a gradability study {problem}")]
    Gradability {
        /// What it lacks.
        problem: &'static str,
    },
    /// A quantity names a column that does not exist.
    #[error("quantity \"{quantity}\" names the column \"{column}\", which this scenario does not record")]
    NoColumn {
        /// Its name.
        quantity: String,
        /// What it names.
        column: String,
    },
}

/// A model with its state, ready to run.
pub struct World {
    pub(crate) system: System,
    pub(crate) channels: Channels,
    pub(crate) quantities: Vec<Resolved>,
    pub(crate) description: WorldDescription,
    /// Times at which some signal has a corner, rising.
    pub(crate) corners: Vec<f64>,
    /// Forms that change, for frames.
    pub(crate) deforming: Vec<Deforming>,
    /// Forms of the flexible bodies.
    pub(crate) drawn: Vec<Drawn>,
    /// Forms of the booms, straight.
    pub(crate) tubes: Vec<touchdown_geometry::TriangleMesh>,
    /// Impulses, in the order of their times.
    pub(crate) impulses: Vec<ImpulseOnLink>,
    pub(crate) state: State,
    /// Steps that the static equilibrium took, if one was asked for.
    pub(crate) equilibrium_steps: Option<usize>,
}

impl World {
    /// Checks, compiles, assembles and (if asked) settles a description.
    pub fn build(description: &WorldDescription) -> Result<World, Vec<WorldError>> {
        let mut mechanism = description.mechanism.clone();
        let carried = flexible::carry(description, &mut mechanism).map_err(|(i, problem)| {
            vec![WorldError::Flexible { name: description.flexible[i].name.clone(), problem }]
        })?;
        let model =
            Model::build(&mechanism).map_err(|e| e.into_iter().map(WorldError::from).collect::<Vec<_>>())?;
        let tyres = build_tyres(description)?;
        let pairs = PairOnLinks::all(description, &model, tyres.len() * STATES)?;
        let mut system = System::new(description, model, tyres, pairs, carried)?;
        let mut errors = Vec::new();
        match Avionics::at_start(&mut system, &description.satellites) {
            Ok(avionics) => system.avionics = avionics.map(Box::new),
            Err(problem) => errors.push(problem.into()),
        }
        if let Some(drive) = system.drive_without_tyre() {
            errors.push(WorldError::NoTyre { drive: drive.into() });
        }
        let mut channels = Channels::new(&system, description);
        match description.study {
            Some(Study::Tilt(_)) => channels.columns = tilt::columns(),
            Some(Study::Bevameter(_)) => channels.columns = bevameter::columns(),
            Some(Study::WheelPress(ref study)) => {
                channels.columns = wheel_press::columns(study, system.soil.is_some());
            }
            Some(Study::Modes(ref study)) => channels.columns = modes::columns(study),
            Some(Study::StaticLoad(ref study)) => {
                let points = &description.flexible[study.flexible].points;
                channels.columns = static_load::columns(study, points);
            }
            Some(Study::Gradability(_) | Study::Spacings(_) | Study::Static) | None => {}
        }
        let quantities =
            quantities::resolve(&description.quantities, &channels.columns).unwrap_or_else(|missing| {
                errors.extend(
                    missing.into_iter().map(|(quantity, column)| WorldError::NoColumn { quantity, column }),
                );
                vec![]
            });
        errors.extend(check_gradability(description, &channels));
        if !errors.is_empty() {
            return Err(errors);
        }
        let (mut state, equilibrium_steps) =
            initial_state(&mut system, description, &channels, quantities.len()).map_err(|e| vec![e])?;
        state.course = first_course(&system, description, &state);
        system.turn = state.course.as_ref().map(|course| course.turn);
        let impulses = ImpulseOnLink::all(description);
        let corners = corners(description);
        Ok(World {
            system,
            channels,
            quantities,
            description: description.clone(),
            corners,
            deforming: description.tyres.iter().map(|t| Deforming::tyre(t, show::tyre_frame(t))).collect(),
            drawn: description.flexible.iter().map(|f| Drawn::new(&f.mesh)).collect(),
            tubes: description.booms.iter().map(|b| boom::tube(b.radius, b.length.value(0.0))).collect(),
            impulses,
            state,
            equilibrium_steps,
        })
    }

    /// Columns of the series; the first is the time, or what a study varies.
    pub fn columns(&self) -> &[Column] {
        &self.channels.columns
    }

    /// Names of the bodies, in the order of a frame's poses.
    pub fn body_names(&self) -> &[String] {
        &self.system.model.body_names
    }

    /// The description it was built from.
    pub fn description(&self) -> &WorldDescription {
        &self.description
    }

    /// The present state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The mechanism with its contacts, for looking at.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Total mass, kg.
    pub fn total_mass(&self) -> f64 {
        // The sum of nothing is -0.
        self.system.total_mass() + 0.0
    }

    /// Degrees of freedom of the tree, and constraint rows.
    pub fn degrees_of_freedom(&self) -> (usize, usize) {
        (self.system.nv(), self.system.model.nc)
    }

    /// The present state as bytes for a checkpoint.
    pub fn checkpoint(&mut self) -> Vec<u8> {
        self.state.soil = self.system.soil.as_ref().map(|parts| parts.save());
        self.state.pairs = self.system.save_pairs();
        self.state.polygonal = self.system.save_polygonal();
        self.state.feet = self.system.save_feet();
        self.state.avionics = self.system.avionics.as_ref().map(|a| a.state.clone());
        self.state.docking = self.system.docking.as_ref().map(|d| d.state.clone());
        let bytes = self.state.to_bytes();
        self.state.soil = None;
        self.state.pairs = SavedPairs::default();
        self.state.polygonal = Vec::new();
        self.state.feet = SavedFeet::default();
        self.state.avionics = None;
        self.state.docking = None;
        bytes
    }

    /// Goes back to a checkpoint of the same scenario.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), CheckpointError> {
        let state = State::from_bytes(bytes)?;
        for (what, found, expected) in [
            ("coordinates", state.q.len(), self.state.q.len()),
            ("rates", state.v.len(), self.state.v.len()),
            ("contact states", state.z.len(), self.state.z.len()),
            ("vehicles", state.odometers.len(), self.state.odometers.len()),
            ("quantities", state.accumulators.len(), self.state.accumulators.len()),
            ("bodies in soil", state.extremes.soil.len(), self.state.extremes.soil.len()),
            ("tyres", state.extremes.tyres.len(), self.state.extremes.tyres.len()),
            ("smooth contacts", state.extremes.pairs.len(), self.state.extremes.pairs.len()),
            ("booms", state.extremes.booms.len(), self.state.extremes.booms.len()),
            ("polygonal contacts", state.extremes.polygonal.len(), self.state.extremes.polygonal.len()),
            ("flexible bodies", state.extremes.flexible.len(), self.state.extremes.flexible.len()),
            ("tyres", state.lift_offs.len(), self.state.lift_offs.len()),
            ("feet", state.feet_out_of_range.len(), self.state.feet_out_of_range.len()),
        ] {
            if found != expected {
                return Err(CheckpointError::OtherModel { what, found, expected });
            }
        }
        if std::mem::discriminant(&state.method) != std::mem::discriminant(&self.state.method) {
            return Err(CheckpointError::OtherIntegrator);
        }
        self.state = state;
        self.system.turn = self.state.course.as_ref().map(|course| course.turn);
        let fits = match (self.state.soil.take(), &mut self.system.soil) {
            (Some(saved), Some(parts)) => parts.restore(&saved),
            (saved, parts) => saved.is_none() && parts.is_none(),
        };
        let pairs = std::mem::take(&mut self.state.pairs);
        let polygonal = std::mem::take(&mut self.state.polygonal);
        let fits = self.system.restore_polygonal(&polygonal) && fits;
        let feet = std::mem::take(&mut self.state.feet);
        let fits = self.system.restore_feet(&feet) && fits;
        let fits = match (self.state.avionics.take(), &mut self.system.avionics) {
            (Some(saved), Some(avionics)) => {
                avionics.state = saved;
                fits
            }
            (saved, avionics) => saved.is_none() && avionics.is_none() && fits,
        };
        let fits = match (self.state.docking.take(), &mut self.system.docking) {
            (Some(saved), Some(docking)) => {
                docking.state = saved;
                fits
            }
            (saved, docking) => saved.is_none() && docking.is_none() && fits,
        };
        if self.system.restore_pairs(&pairs) && fits { Ok(()) } else { Err(CheckpointError::Damaged) }
    }
}

fn build_tyres(description: &WorldDescription) -> Result<Vec<BrushTyre>, Vec<WorldError>> {
    let mut errors = Vec::new();
    let mut tyres = Vec::new();
    for tyre in &description.tyres {
        match BrushTyre::new(tyre.law) {
            Ok(law) => tyres.push(law),
            Err(problems) => {
                errors.extend(
                    problems.into_iter().map(|problem| WorldError::Tyre { tyre: tyre.name.clone(), problem }),
                );
            }
        }
        if matches!(description.ground, None | Some(Ground::Soil(_))) {
            errors.push(WorldError::NoGround { tyre: tyre.name.clone() });
        }
    }
    if errors.is_empty() { Ok(tyres) } else { Err(errors) }
}

/// Assembles, settles, and fills a state with consistent memory.
fn initial_state(
    system: &mut System,
    description: &WorldDescription,
    channels: &Channels,
    quantities: usize,
) -> Result<(State, Option<usize>), WorldError> {
    let (mut q, mut v) = (system.model.q_initial.clone(), system.model.v_initial.clone());
    let mut z = vec![0.0; system.nz()];
    system.model.normalise(&mut q);
    if system.model.is_constrained() {
        assembly::assemble(&system.model, 0.0, &mut q, &mut system.cache)?;
    }
    system.start_flexible(description, &mut q, &mut v);
    system.start_pairs(0.0, &q, &v);
    system.start_polygonal(&q, &v);
    system.start_feet(&q, &v, &mut z);
    system.update_kinematics(&q, &v);
    (0..system.tyres.len()).for_each(|i| _ = system.update_standing(i));
    system.check_standings().map_err(WorldError::OffGround)?;
    system.check_feet().map_err(WorldError::OffGround)?;
    let plane = system.ground.as_ref().is_none_or(|ground| ground.is_plane());
    let equilibrium_steps = match description.start {
        Start::AsGiven => None,
        Start::Equilibrium if plane => Some(equilibrium::solve(system, 0.0, &mut q, Contacts::Frozen(&z))?),
        // Rough ground holds a machine by the friction under its braked wheels only. First it comes to rest where it is, moored and without
        // friction; then the treads take over.
        Start::Equilibrium => {
            let mut steps = equilibrium::solve(system, 0.0, &mut q, Contacts::Moored(&z))?;
            steps += equilibrium::solve(system, 0.0, &mut q, Contacts::Braked(&z))?;
            system.check_standings().map_err(WorldError::OffGround)?;
            z.copy_from_slice(&system.z_used);
            Some(steps)
        }
    };
    if system.model.is_constrained() {
        let (nq, nv) = (system.model.nq, system.model.nv);
        system.constrained.project_positions(&system.model, 0.0, &mut q[..nq], &mut system.cache)?;
        system.constrained.factor(&system.model, &mut system.cache)?;
        system.constrained.project_velocities(&system.model, 0.0, &mut v[..nv]);
    }
    system.start_pairs(0.0, &q, &v);
    system.start_polygonal(&q, &v);
    system.start_feet(&q, &v, &mut z);
    let powers = system.evaluate(0.0, &q, &v, &z)?;
    let method = memory_at(system, description, 0.0, (&q, &v, &z))?;
    system.evaluate(0.0, &q, &v, &z)?;
    let ledger = Ledger::open(system, powers.elastic);
    let mut extremes = Extremes::new(system);
    extremes.book_pairs(system, 0.0);
    extremes.booms.iter_mut().zip(&system.booms).for_each(|(e, boom)| e.book(boom));
    extremes.polygonal.iter_mut().zip(&system.polygonal).for_each(|(e, p)| e.book(&p.force, 0.0, 0.0));
    let state = State {
        t: 0.0,
        steps: 0,
        evaluations: 0,
        rejected: 0,
        q,
        v,
        z,
        works: Works::default(),
        ledger,
        last_powers: LastPowers { dissipated: powers.dissipated, drives: powers.drives, loads: powers.loads },
        method,
        rows: 0,
        frames: 0,
        paths: vec![(0.0, 0.0); channels.path_bodies.len()],
        odometers: odometers(system, channels, description.record.series_every),
        course: None,
        last_row_time: 0.0,
        accumulators: vec![Accumulator::default(); quantities],
        soil: None,
        pairs: SavedPairs::default(),
        polygonal: Vec::new(),
        feet: SavedFeet::default(),
        avionics: None,
        docking: None,
        out_of_range: vec![None; system.tyres.len()],
        feet_out_of_range: vec![None; system.feet.len()],
        lift_offs: system.tyre_forces.iter().map(|f| LiftOffs::new(f.deformation > 0.0)).collect(),
        extremes,
        impulses: 0,
    };
    Ok((state, equilibrium_steps))
}

fn check_gradability(description: &WorldDescription, channels: &Channels) -> Option<WorldError> {
    let Some(Study::Gradability(study)) = &description.study else { return None };
    let vehicle = channels.vehicles.get(study.vehicle);
    let problem = if vehicle.is_none_or(|v| v.wheels.is_empty()) {
        "needs a vehicle with soil wheels that climbs"
    } else if !matches!(description.mechanism.gravity, Gravity::Uniform(_)) {
        "needs uniform gravity, which it tilts"
    } else {
        return None;
    };
    Some(WorldError::Gradability { problem })
}

/// The begin of a gradability study: gravity as described, uphill where its vehicle looks.
fn first_course(system: &System, description: &WorldDescription, state: &State) -> Option<Course> {
    let Some(Study::Gradability(study)) = &description.study else { return None };
    let Gravity::Uniform(level_g) = system.model.gravity else { return None };
    let uphill = state.odometers.get(study.vehicle)?.uphill();
    let to = study.slopes.first().copied().unwrap_or(0.0);
    Some(Course::new(Turn::first(&level_g, &uphill, to, study.turn_time), study))
}

/// At zero; the state must stand in the cache.
fn odometers(system: &System, channels: &Channels, row_every: f64) -> Vec<Odometer> {
    let odometer = |vehicle: &VehicleParts| {
        let p_W = kinematics::body_pose(&system.model, &system.cache, vehicle.body).p;
        Odometer::new(vehicle.look(system, 0.0), &gravity::up(&system.model.gravity, &p_W), row_every)
    };
    channels.vehicles.iter().map(odometer).collect()
}

/// All times at which a signal may have a corner.
fn corners(description: &WorldDescription) -> Vec<f64> {
    let mechanism = &description.mechanism;
    use touchdown_math::Signal;
    let mut times: Vec<f64> = Vec::new();
    let mut add = |s: &Signal| times.extend(s.corners().iter().map(|c| c.0));
    let mut command = |c: &Command| match c {
        Command::Force(s) => add(s),
        Command::Speed { target, .. } | Command::Position { target, .. } => add(target),
    };
    for opening in description.polygonal.iter().filter_map(|contact| contact.opening.as_ref()) {
        command(&Command::Force(opening.parameter.clone()));
    }
    for boom in &description.booms {
        command(&Command::Force(boom.length.clone()));
    }
    for drive in &mechanism.drives {
        match &drive.kind {
            DriveKind::Follow(c) => command(c),
            DriveKind::RimSpeed { speed, .. } => command(&Command::Force(speed.clone())),
            DriveKind::Lock => {}
        }
    }
    for element in &mechanism.elements {
        match &element.kind {
            ElementKind::Actuator { command: c, .. } => command(c),
            ElementKind::Load { force, torque, .. } => {
                force.iter().chain(torque).for_each(|s| command(&Command::Force(s.clone())))
            }
            _ => {}
        }
    }
    for constraint in &mechanism.constraints {
        if let touchdown_multibody::description::ConstraintKind::Prescribed { motion, .. } = &constraint.kind
        {
            command(&Command::Force(motion.clone()));
        }
    }
    times.extend(mechanism.drives.iter().map(|d| d.active_from));
    for element in &mechanism.elements {
        if let ElementKind::Spring { slack_until, .. } = element.kind {
            times.push(slack_until);
        }
    }
    times.retain(|t| *t > 0.0 && t.is_finite());
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}
