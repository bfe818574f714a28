//! Studies of a world other than one run in time.

use super::WorldDescription;
use crate::engine::run::RunError;
use crate::engine::simulation::Simulation;
use crate::engine::system::System;
use crate::sink::{Column, Outcome, Sink};
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// A study that is not one run in time.
#[derive(Clone, Debug, PartialEq)]
pub enum Study {
    /// Slopes raised one after the other (gravity tilts) until a vehicle no longer climbs, or one slope at a heading: one run in time that ends there.
    Gradability(Gradability),
    /// No time: one row with the forces at the start.
    Static,
    /// A procedure outside the loop, such as those of the crate `touchdown-studies`.
    Procedure(SharedProcedure),
}

impl Study {
    /// A study by a procedure.
    pub fn by(procedure: impl Procedure) -> Study {
        Study::Procedure(SharedProcedure(Arc::new(procedure)))
    }

    /// The procedure, if it is of this type.
    pub fn procedure<P: Procedure>(&self) -> Option<&P> {
        match self {
            Study::Procedure(SharedProcedure(procedure)) => (procedure.as_ref() as &dyn Any).downcast_ref(),
            Study::Gradability(_) | Study::Static => None,
        }
    }

    /// Whether the world is stepped through time.
    pub fn takes_time(&self) -> bool {
        match self {
            Study::Procedure(SharedProcedure(procedure)) => procedure.takes_time(),
            Study::Gradability(_) | Study::Static => true,
        }
    }
}

/// A procedure in place of a run in time, or around one. The loop depends only on this interface.
pub trait Procedure: Any + Debug + Send + Sync {
    /// Whether it steps the world through time.
    fn takes_time(&self) -> bool {
        false
    }
    /// Columns of its own series; `None` where it has those of a run in time.
    fn columns(&self, description: &WorldDescription, system: &System) -> Option<Vec<Column>>;
    /// Names of the quantities that it adds to those of a run in time.
    fn answers(&self) -> Vec<String> {
        Vec::new()
    }
    /// Runs it, and sends rows and frames to the sink.
    fn run(&self, world: &mut Simulation, sink: &mut dyn Sink) -> Result<Outcome, RunError>;
    /// Whether another procedure has the same numbers.
    fn equals(&self, other: &dyn Procedure) -> bool;
}

/// A procedure that copies of a description share.
#[derive(Clone, Debug)]
pub struct SharedProcedure(pub(crate) Arc<dyn Procedure>);

impl PartialEq for SharedProcedure {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(other.0.as_ref())
    }
}

/// Numbers of a gradability test.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradability {
    /// Index in [`WorldDescription::vehicles`](super::WorldDescription::vehicles).
    pub vehicle: usize,
    /// Slopes in the order in which they are tried, rad; uphill is the vehicle's forward direction at the
    /// start, unless `traverse` is given.
    pub slopes: Vec<f64>,
    /// Distance to gain on each, m.
    pub distance: f64,
    /// Slip from which on a slope counts as not climbed.
    pub slip_limit: f64,
    /// Time at most on each slope, s.
    pub time_limit: f64,
    /// Time in which gravity turns from one slope to the next, s.
    pub turn_time: f64,
    /// The slope is driven at a heading, and the results follow from its track.
    pub traverse: Option<Traverse>,
}

/// A slope driven at a heading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traverse {
    /// Forward direction at the start, clockwise from uphill, rad: 0 uphill, π downhill; between them the slope falls to the right.
    pub heading: f64,
    /// Distance rolled by the wheels over which the mean slip decides whether the vehicle is stuck, m.
    pub stuck_over: f64,
}
