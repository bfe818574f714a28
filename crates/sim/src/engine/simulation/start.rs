//! The initial state: assembled, settled, with consistent memory.

use super::WorldError;
use crate::books::channels::Channels;
use crate::books::ledger::{Ledger, Works};
use crate::books::quantities::Accumulator;
use crate::books::vehicle::{Odometer, VehicleParts};
use crate::description::{Ground, Start, Study, WorldDescription};
use crate::engine::course::Course;
use crate::engine::equilibrium::{self, Contacts};
use crate::engine::gravity::{self, Turn};
use crate::engine::history::History;
use crate::engine::integrable::InLoop;
use crate::engine::memory::memory_at;
use crate::engine::state::{Flows, State};
use crate::engine::system::System;
use crate::engine::time_error::TimeError;
use crate::interactions::ground::RigidGround;
use crate::interactions::{Books, Memories};
use touchdown_math::{Vec3, rotation};
use touchdown_multibody::description::Gravity;
use touchdown_multibody::rigid::{assembly, kinematics};

/// Sine of the inclination of a plane below which bodies on it need no holding force.
const LEVEL: f64 = 1e-9;

/// Result of the search for a static equilibrium at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Settling {
    /// The start is as given.
    NotAsked,
    /// At rest.
    Found {
        /// Newton steps that it took.
        steps: usize,
    },
    /// The start is as given, because there is none, or none was found.
    NotFound {
        /// The error of the search.
        why: String,
    },
}

impl Settling {
    /// A warning if the machine should start at rest and does not.
    pub fn warning(&self) -> Option<String> {
        let Settling::NotFound { why } = self else { return None };
        Some(format!("the start is not at rest, but at the positions as given: {why}"))
    }
}

/// Assembles, settles, and fills a state with consistent memory.
pub(super) fn initial_state(
    system: &mut System,
    mut held: History,
    description: &WorldDescription,
    channels: &Channels,
    quantities: usize,
) -> Result<(State, Settling), WorldError> {
    let (mut q, mut v) = (system.model.q_initial.clone(), system.model.v_initial.clone());
    let mut z = vec![0.0; system.nz()];
    system.model.normalise(&mut q);
    if system.model.is_constrained() {
        assembly::assemble(&system.model, 0.0, &mut q, &mut system.cache)?;
    }
    system.start_own_coordinates(description, &mut q, &mut v);
    held.acts = Memories::start(system, (&q, &v), &mut z);
    system.update_kinematics(&q, &v);
    system.check_places().map_err(WorldError::OffGround)?;
    let settling = match description.start {
        Start::AsGiven => Settling::NotAsked,
        Start::Equilibrium => {
            Settling::Found { steps: settle(system, &held, description, (&mut q, &mut z))? }
        }
        Start::EquilibriumIfFound => {
            let (mut q_rest, mut z_rest) = (q.clone(), z.clone());
            match settle(system, &held, description, (&mut q_rest, &mut z_rest)) {
                Ok(steps) => {
                    (q, z) = (q_rest, z_rest);
                    Settling::Found { steps }
                }
                Err(error) => Settling::NotFound { why: error.to_string() },
            }
        }
    };
    if system.model.is_constrained() {
        let (nq, nv) = (system.model.nq, system.model.nv);
        system.constrained.project_positions(&system.model, 0.0, &mut q[..nq], &mut system.cache)?;
        system.constrained.factor(&system.model, &mut system.cache)?;
        system.constrained.project_velocities(&system.model, 0.0, &mut v[..nv]);
    }
    held.acts = Memories::start(system, (&q, &v), &mut z);
    let powers = system.evaluate(0.0, &q, &v, &z, &held)?;
    let method = memory_at(system, description, 0.0, (&q, &v, &z), &held)?;
    system.evaluate(0.0, &q, &v, &z, &held)?;
    let ledger = Ledger::open(system, powers.elastic);
    let books = Books::open(system);
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
        last_powers: powers.into(),
        flows: Flows::start(&system.accepted_parts),
        method,
        held,
        begun: false,
        samples: 0,
        last_sample: 0.0,
        paths: vec![(0.0, 0.0); channels.path_bodies.len()],
        odometers: odometers(system, channels, description.sample_every),
        course: None,
        accumulators: vec![Accumulator::default(); quantities],
        books,
        impulses: 0,
        scheduled: 0,
        time_error: TimeError::new(system.model.links.len()),
    };
    Ok((state, settling))
}

/// Moves positions and contact states to static equilibrium; returns the number of steps.
fn settle(
    system: &mut System,
    held: &History,
    description: &WorldDescription,
    (q, z): (&mut [f64], &mut [f64]),
) -> Result<usize, WorldError> {
    let up = gravity::up(&system.model.gravity, &Vec3::zeros());
    let across = |ground: &RigidGround| ground.up().cross(&up).norm();
    let level = system.ground.as_ref().is_none_or(|ground| ground.is_plane() && across(ground) < LEVEL);
    let on = &mut InLoop { system, held };
    // It sinks in while moored: friction balances the downhill force once it slides.
    if description.ground.as_ref().is_some_and(Ground::holds_by_sliding) {
        return Ok(equilibrium::solve(on, 0.0, q, Contacts::Moored(z))?);
    }
    if level {
        return Ok(equilibrium::solve(on, 0.0, q, Contacts::Frozen(z))?);
    }
    // Rough ground and slopes hold a machine only by the friction under its braked wheels. First it comes to
    // rest in place, moored and without friction; then friction of the treads replaces the mooring.
    let mut steps = equilibrium::solve(on, 0.0, q, Contacts::Moored(z))?;
    steps += equilibrium::solve(on, 0.0, q, Contacts::Braked(z))?;
    on.system.check_interactions(&held.acts).map_err(WorldError::OffGround)?;
    z.copy_from_slice(&on.system.z_used);
    Ok(steps)
}

/// The beginning of a gradability study: gravity as described, uphill in the forward direction of its
/// vehicle, or at the heading of a traverse.
pub(super) fn first_course(system: &System, description: &WorldDescription, state: &State) -> Option<Course> {
    let Some(Study::Gradability(study)) = &description.study else { return None };
    let Gravity::Uniform(level_g) = system.model.gravity else { return None };
    let forward = state.odometers.get(study.vehicle)?.uphill();
    let heading = study.traverse.map_or(0.0, |traverse| traverse.heading);
    let uphill = rotation::about_axis(&gravity::up(&system.model.gravity, &Vec3::zeros()), heading) * forward;
    let to = study.slopes.first().copied().unwrap_or(0.0);
    Some(Course::new(Turn::first(&level_g, &uphill, to, study.turn_time), study))
}

/// At zero; the state must be in the cache.
fn odometers(system: &System, channels: &Channels, every: f64) -> Vec<Odometer> {
    let odometer = |vehicle: &VehicleParts| {
        let p_W = kinematics::body_pose(&system.model, &system.cache, vehicle.body).p;
        Odometer::new(vehicle.look(system, 0.0), &gravity::up(&system.model.gravity, &p_W), every)
    };
    channels.vehicles.iter().map(odometer).collect()
}
