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
use crate::feet::SavedFeet;
use crate::flexible::{self, Drawn};
use crate::impulse::ImpulseOnLink;
use crate::modes;
use crate::pairs::{PairOnLinks, SavedPairs};
use crate::quantities::{self, Resolved};
use crate::satellites::Avionics;
use crate::show;
use crate::sink::Column;
use crate::state::{CheckpointError, State};
use crate::static_load;
use crate::system::System;
use crate::tilt;
use crate::wheel_press;
use corners::corners;
use start::{first_course, initial_state};
use touchdown_contact::tyre::{BrushTyre, STATES};
use touchdown_multibody::description::Gravity;
use touchdown_multibody::rigid::Model;

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
    /// Forms of what opens.
    pub(crate) opening: Vec<Spreading>,
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
            opening: Spreading::all(description),
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
            (Some(saved), Some(parts)) => parts.restore(saved),
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
