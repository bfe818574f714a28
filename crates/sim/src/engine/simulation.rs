//! A simulation: a model with its state, built and checked from a description, ready to run.

mod corners;
mod error;
mod start;

pub use error::WorldError;

use crate::books::channels::Channels;
use crate::books::quantities::{self, Resolved};
use crate::books::vehicle_answers;
use crate::description::{SharedProcedure, Study, WorldDescription};
use crate::devices::{DeviceError, Fitting};
use crate::engine::history::History;
use crate::engine::impulse::ImpulseOnLink;
use crate::engine::look::Observer;
use crate::engine::method::Method;
use crate::engine::state::{Recording, State};
use crate::engine::system::System;
use crate::engine::time_error::Twin;
use crate::interactions::{self, Drawing, Reading, flexible};
use crate::sink::Column;
use corners::corners;
pub(crate) use start::Settling;
use start::{first_course, initial_state};
use std::sync::Arc;
use touchdown_multibody::description::Gravity;
use touchdown_multibody::rigid::Model;

/// A model with its state, ready to run.
pub struct Simulation {
    pub(crate) system: System,
    pub(crate) channels: Channels,
    pub(crate) quantities: Arc<[Resolved]>,
    pub(crate) sampled: Sampled,
    pub(crate) description: Arc<WorldDescription>,
    /// Times at which some signal has a corner, rising.
    pub(crate) corners: Arc<[f64]>,
    /// Forms to draw: deformable ones first.
    pub(crate) drawings: Arc<[Drawing]>,
    /// Impulses, in the order of their times.
    pub(crate) impulses: Arc<[ImpulseOnLink]>,
    pub(crate) state: State,
    /// The initial state.
    pub(crate) start: Arc<State>,
    /// The recording so far.
    pub(crate) recording: Recording,
    /// The method with its working memory; created at the first step.
    pub(crate) method: Option<Box<Method>>,
    /// The observer of accepted steps; created at the first observation.
    pub(crate) observer: Option<Box<Observer>>,
    /// A twin with finer steps that measures the error of the step length; created when first needed.
    pub(crate) twin: Option<Box<Twin>>,
    /// Scratch of the ledger: constraint rows.
    pub(crate) constraint: Vec<f64>,
    /// Scratch of the devices: columns that are sampled.
    pub(crate) samples: Vec<f64>,
    /// Commands of a ticking device; otherwise empty.
    pub(crate) commands: Vec<(usize, f64)>,
    /// Result of the search for a static equilibrium at the start.
    pub(crate) settling: Settling,
}

/// Data read at every sample.
#[derive(Clone, Debug)]
pub(crate) struct Sampled {
    /// Columns needed by quantities.
    pub columns: Arc<[usize]>,
    /// Whether a column or a study needs forces.
    pub needs_forces: bool,
}

impl Sampled {
    fn new(
        description: &WorldDescription,
        system: &System,
        channels: &Channels,
        quantities: &[Resolved],
    ) -> Sampled {
        let with_crossing = |r: &Resolved| [Some(r.column), r.crossing.map(|c| c.0), Some(0)];
        let mut columns: Vec<usize> = quantities.iter().flat_map(with_crossing).flatten().collect();
        columns.sort_unstable();
        columns.dedup();
        let climbs = matches!(description.study, Some(Study::Gradability(_)));
        // Studies without time have their own columns.
        let has_source = |k: &usize| *k < channels.source_count();
        let needs_forces =
            climbs || columns.iter().filter(|k| has_source(k)).any(|k| !channels.is_kinematic(system, *k));
        Sampled { columns: columns.into(), needs_forces }
    }
}

impl Simulation {
    /// Checks, compiles, assembles and (if requested) settles a description.
    pub fn build(description: &WorldDescription) -> Result<Simulation, Vec<WorldError>> {
        let mut mechanism = description.mechanism.clone();
        let carried = flexible::carry(description, &mut mechanism).map_err(|(i, problem)| {
            vec![WorldError::Flexible { name: description.flexible[i].name.clone(), problem }]
        })?;
        let model =
            Model::build(&mechanism).map_err(|e| e.into_iter().map(WorldError::from).collect::<Vec<_>>())?;
        let mut system = System::new(description, model, carried)?;
        let mut errors = Vec::new();
        if let Some(drive) = system.drive_without_wheel() {
            errors.push(WorldError::NoTyre { drive: drive.into() });
        }
        let fitting = Fitting::new(description, &mut system);
        system.acts.devices = Arc::new(fitting.devices());
        let mut channels = Channels::new(&system, description);
        let fitted = fit_devices(fitting, description, &mut system, &mut channels);
        errors.extend(fitted.err().into_iter().flatten().map(WorldError::from));
        if let Some(Study::Procedure(SharedProcedure(procedure))) = &description.study
            && let Some(columns) = procedure.columns(description, &system)
        {
            channels.columns = columns.into();
        }
        let mut quantities =
            quantities::resolve(&description.quantities, &channels.columns).unwrap_or_else(|missing| {
                errors.extend(
                    missing.into_iter().map(|(quantity, column)| WorldError::NoColumn { quantity, column }),
                );
                vec![]
            });
        if description.study.as_ref().is_none_or(Study::takes_time) {
            let (vehicles, given) = (&description.vehicles, &description.quantities);
            quantities.extend(vehicle_answers::resolve(vehicles, given, &channels.columns));
        }
        errors.extend(check_gradability(description, &channels));
        if !errors.is_empty() {
            return Err(errors);
        }
        let commands = vec![None; description.inputs.len()];
        let held = History { inputs: commands.clone(), followed: commands, ..History::default() };
        let (mut state, settling) =
            initial_state(&mut system, held, description, &channels, quantities.len())
                .map_err(|e| vec![e])?;
        state.course = first_course(&system, description, &state);
        state.held.turn = state.course.as_ref().map(|course| course.turn);
        Ok(Simulation {
            sampled: Sampled::new(description, &system, &channels, &quantities),
            constraint: vec![0.0; system.model.nc],
            samples: Vec::new(),
            commands: Vec::new(),
            system,
            channels,
            quantities: quantities.into(),
            description: Arc::new(description.clone()),
            corners: corners(description).into(),
            drawings: interactions::drawings(description).into(),
            impulses: ImpulseOnLink::all(description).into(),
            start: Arc::new(state.clone()),
            state,
            recording: Recording::default(),
            method: None,
            observer: None,
            twin: None,
            settling,
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

    /// The mechanism with its contacts, for inspection.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Total mass, kg.
    pub fn total_mass(&self) -> f64 {
        // An empty sum is -0.
        self.system.total_mass() + 0.0
    }

    /// Degrees of freedom of the tree, and constraint rows.
    pub fn degrees_of_freedom(&self) -> (usize, usize) {
        (self.system.nv(), self.system.model.nc)
    }

    /// Number of threads that may evaluate contacts in parallel; default one. The results do not depend on
    /// it.
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
) -> Result<(), Vec<DeviceError>> {
    let shown = system.acts.devices.len();
    fitting.add_plain(description, &channels.columns, system);
    system.fitted = Arc::new(fitting.finish()?);
    system.acts.devices = Arc::clone(&system.fitted);
    for (place, column) in system.acts.devices.columns_from(shown) {
        channels.add(Reading::Devices(place), column);
    }
    Ok(())
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
