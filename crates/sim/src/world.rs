//! World = Model (constant) + State: built and checked from a description, ready to run.

mod corners;
mod error;
mod start;

pub use error::WorldError;

use crate::bevameter;
use crate::boom;
use crate::channels::Channels;
use crate::deform::{Deforming, Spreading};
use crate::description::{Ground, Study, WorldDescription};
use crate::devices::{DeviceError, DevicesState, Fitting};
use crate::flexible::{self, Drawn};
use crate::history::History;
use crate::impulse::ImpulseOnLink;
use crate::look::Observer;
use crate::method::{Method, StepFailure};
use crate::modes;
use crate::pairs::PairOnLinks;
use crate::quantities::{self, Resolved};
use crate::show;
use crate::sink::Column;
use crate::soil::SoilHistory;
use crate::state::{self, CheckpointError, Recording, State};
use crate::static_load;
use crate::system::System;
use crate::tilt;
use crate::wheel_press;
use corners::corners;
use start::{first_course, initial_state};
use std::sync::Arc;
use touchdown_contact::tyre::{BrushTyre, STATES};
use touchdown_multibody::description::Gravity;
use touchdown_multibody::rigid::Model;

/// A model with its state, ready to run.
pub struct World {
    pub(crate) system: System,
    pub(crate) channels: Channels,
    pub(crate) quantities: Arc<[Resolved]>,
    pub(crate) sampled: Sampled,
    pub(crate) description: Arc<WorldDescription>,
    /// Times at which some signal has a corner, rising.
    pub(crate) corners: Arc<[f64]>,
    /// Forms that change, for frames.
    pub(crate) deforming: Arc<[Deforming]>,
    /// Forms of the flexible bodies.
    pub(crate) drawn: Arc<[Drawn]>,
    /// Forms of the booms, straight.
    pub(crate) tubes: Arc<[touchdown_geometry::TriangleMesh]>,
    /// Forms of what opens.
    pub(crate) opening: Arc<[Spreading]>,
    /// Impulses, in the order of their times.
    pub(crate) impulses: Arc<[ImpulseOnLink]>,
    pub(crate) state: State,
    /// The state it began with.
    start: Arc<State>,
    /// What was recorded so far.
    pub(crate) recording: Recording,
    /// The method with its working memory; made at the first step.
    pub(crate) method: Option<Box<Method>>,
    /// Whoever looks at accepted steps; made at the first look.
    pub(crate) observer: Option<Box<Observer>>,
    /// Scratch of the devices: columns that are sampled.
    pub(crate) samples: Vec<f64>,
    /// Scratch of the ledger: constraint rows.
    pub(crate) constraint: Vec<f64>,
    /// Steps that the static equilibrium took, if one was asked for.
    pub(crate) equilibrium_steps: Option<usize>,
}

/// What is read at every sample.
#[derive(Clone, Debug)]
pub(crate) struct Sampled {
    /// Columns that quantities need.
    pub columns: Arc<[usize]>,
    /// Whether a column or a study needs forces.
    pub needs_forces: bool,
}

impl Sampled {
    fn new(description: &WorldDescription, channels: &Channels, quantities: &[Resolved]) -> Sampled {
        let with_crossing = |r: &Resolved| [Some(r.column), r.crossing.map(|c| c.0), Some(0)];
        let mut columns: Vec<usize> = quantities.iter().flat_map(with_crossing).flatten().collect();
        columns.sort_unstable();
        columns.dedup();
        let climbs = matches!(description.study, Some(Study::Gradability(_)));
        // Studies without time have columns of their own.
        let has_source = |k: &usize| *k < channels.source_count();
        let needs_forces =
            climbs || columns.iter().filter(|k| has_source(k)).any(|k| !channels.is_kinematic(*k));
        Sampled { columns: columns.into(), needs_forces }
    }
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
        let fitting = Fitting::new(description, &mut system);
        system.devices = Arc::new(fitting.devices());
        if let Some(drive) = system.drive_without_tyre() {
            errors.push(WorldError::NoTyre { drive: drive.into() });
        }
        let mut channels = Channels::new(&system, description);
        let devices = fit_devices(fitting, description, &mut system, &mut channels);
        let devices = devices.unwrap_or_else(|problems| {
            errors.extend(problems.into_iter().map(WorldError::from));
            DevicesState::default()
        });
        match description.study {
            Some(Study::Tilt(_)) => channels.columns = tilt::columns().into(),
            Some(Study::Bevameter(_)) => channels.columns = bevameter::columns().into(),
            Some(Study::WheelPress(ref study)) => {
                channels.columns = wheel_press::columns(study, system.soil.is_some()).into();
            }
            Some(Study::Modes(ref study)) => channels.columns = modes::columns(study).into(),
            Some(Study::StaticLoad(ref study)) => {
                let points = &description.flexible[study.flexible].points;
                channels.columns = static_load::columns(study, points).into();
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
        let held = History {
            soil: system.soil.as_deref().map(SoilHistory::new),
            devices,
            inputs: vec![None; description.inputs.len()],
            ..History::default()
        };
        let (mut state, equilibrium_steps) =
            initial_state(&mut system, held, description, &channels, quantities.len())
                .map_err(|e| vec![e])?;
        state.course = first_course(&system, description, &state);
        state.held.turn = state.course.as_ref().map(|course| course.turn);
        Ok(World {
            sampled: Sampled::new(description, &channels, &quantities),
            constraint: vec![0.0; system.model.nc],
            samples: Vec::new(),
            system,
            channels,
            quantities: quantities.into(),
            description: Arc::new(description.clone()),
            corners: corners(description).into(),
            deforming: description.tyres.iter().map(|t| Deforming::tyre(t, show::tyre_frame(t))).collect(),
            drawn: description.flexible.iter().map(|f| Drawn::new(&f.mesh)).collect(),
            tubes: description.booms.iter().map(|b| boom::tube(b.radius, b.length.value(0.0))).collect(),
            opening: Spreading::all(description).into(),
            impulses: ImpulseOnLink::all(description).into(),
            start: Arc::new(state.clone()),
            state,
            recording: Recording::default(),
            method: None,
            observer: None,
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

    /// The present state, and what was recorded so far, as bytes for a checkpoint.
    pub fn checkpoint(&self) -> Vec<u8> {
        state::to_bytes(&self.state, &self.recording)
    }

    /// Goes back to a checkpoint of the same scenario.
    pub fn resume(&mut self, bytes: &[u8]) -> Result<(), CheckpointError> {
        let (state, recording, drawn) = state::from_bytes(bytes)?;
        self.restore(state)?;
        if let (Some(held), Some(marks)) = (&mut self.state.held.soil, drawn)
            && !Arc::make_mut(&mut held.soil).restore_marks(&marks)
        {
            return Err(CheckpointError::Damaged);
        }
        self.recording = recording;
        Ok(())
    }

    /// Puts a state of the same model in place of the present one. One that does not fit is refused, and nothing changes.
    pub fn restore(&mut self, mut state: State) -> Result<(), CheckpointError> {
        self.state.check_fit(&state)?;
        if let (Some(parts), Some(held)) = (&self.system.soil, &mut state.held.soil)
            && !held.settle(parts)
        {
            return Err(CheckpointError::Damaged);
        }
        let before = std::mem::replace(&mut self.state, state);
        // What the method worked out belongs to the state that was left.
        self.method = None;
        if self.stand_at_state().is_err() {
            self.state = before;
            // It stood there before.
            let _ = self.stand_at_state();
            return Err(CheckpointError::Damaged);
        }
        Ok(())
    }

    /// Evaluates the system at the present state, with the commands in force.
    fn stand_at_state(&mut self) -> Result<(), StepFailure> {
        let s = &self.state;
        self.system.take_inputs(&self.description, &s.held.inputs);
        self.system.evaluate(s.t, &s.q, &s.v, &s.z, &s.held)?;
        Ok(())
    }

    /// Back to the state it began with.
    pub fn reset(&mut self) {
        self.state = (*self.start).clone();
        self.recording = Recording::default();
        self.method = None;
        self.system.take_inputs(&self.description, &self.state.held.inputs);
    }

    /// A second simulation that goes on from the present state by itself. What both share (maps, meshes, untouched ground) is not copied.
    pub fn fork(&self) -> World {
        World {
            system: self.system.clone(),
            channels: self.channels.clone(),
            quantities: Arc::clone(&self.quantities),
            sampled: self.sampled.clone(),
            description: Arc::clone(&self.description),
            corners: Arc::clone(&self.corners),
            deforming: Arc::clone(&self.deforming),
            drawn: Arc::clone(&self.drawn),
            tubes: Arc::clone(&self.tubes),
            opening: Arc::clone(&self.opening),
            impulses: Arc::clone(&self.impulses),
            state: self.state.clone(),
            start: Arc::clone(&self.start),
            recording: Recording::default(),
            method: None,
            observer: None,
            constraint: self.constraint.clone(),
            samples: Vec::new(),
            equilibrium_steps: self.equilibrium_steps,
        }
    }

    /// Threads that may evaluate contacts side by side: one unless said here. The results do not depend on it.
    pub fn use_threads(&mut self, threads: usize) {
        self.system.use_threads(threads);
    }
}

/// Devices that need the columns of the others; then all of them in the system, and their columns.
fn fit_devices(
    mut fitting: Fitting,
    description: &WorldDescription,
    system: &mut System,
    channels: &mut Channels,
) -> Result<DevicesState, Vec<DeviceError>> {
    let shown = system.devices.len();
    fitting.add_plain(description, &channels.columns);
    let (devices, state) = fitting.finish()?;
    system.devices = Arc::new(devices);
    channels.add_devices(system, shown);
    Ok(state)
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
