//! Static equilibria of a world on tyres, from one gravity to the next: without time; treads deflect and
//! hold.

use crate::books::validity;
use crate::engine::equilibrium::{self, Contacts, EquilibriumError};
use crate::engine::history::History;
use crate::engine::integrable::InLoop;
use crate::engine::simulation::Simulation;
use crate::engine::system::System;
use crate::interactions::Books;
use crate::sink::Check;
use touchdown_contact::tyre::{BrushParameters, BrushTyre};
use touchdown_math::Vec3;
use touchdown_multibody::description::Gravity;

/// A copy of a world's system that is brought to rest under other gravities and friction.
pub struct Statics<'a> {
    system: System,
    held: &'a History,
}

impl<'a> Statics<'a> {
    /// For the present state of a world.
    pub fn new(world: &'a Simulation) -> Statics<'a> {
        Statics { system: world.system.clone(), held: &world.state.held }
    }

    /// With this friction under every tyre.
    pub fn with_friction(mut self, friction: f64) -> Statics<'a> {
        for on in &mut self.system.acts.tyres {
            let law = BrushParameters { friction_min: friction, friction_max: friction, ..*on.tyre.params() };
            if let Ok(tyre) = BrushTyre::new(law) {
                on.tyre = tyre;
            }
        }
        self
    }

    /// Moves `q` to equilibrium under uniform gravity, m/s²; treads deflect from their states `z` on. Returns the new states.
    pub fn settle(&mut self, g_W: Vec3, q: &mut [f64], z: &[f64]) -> Result<Vec<f64>, EquilibriumError> {
        std::sync::Arc::make_mut(&mut self.system.model).gravity = Gravity::Uniform(g_W);
        let on = &mut InLoop { system: &mut self.system, held: self.held };
        equilibrium::solve(on, 0.0, q, Contacts::Following(z))?;
        Ok(self.system.z_used.clone())
    }

    /// Number of contact states.
    pub fn contact_states(&self) -> usize {
        self.system.nz()
    }

    /// Of each tyre at the last equilibrium: normal force, N, and the part of its friction that it uses.
    pub fn tyres(&self) -> impl ExactSizeIterator<Item = (f64, f64)> {
        self.system.acts.tyres.iter().map(|on| (on.force.normal_force, on.force.friction_used))
    }

    /// Mass of the mechanism, kg.
    pub fn total_mass(&self) -> f64 {
        self.system.model.total_mass()
    }
}

impl Simulation {
    /// Checks of the present world at rest: only those that need no time.
    pub fn checks_at_rest(&self) -> Vec<Check> {
        let mut books = Books::open(&self.system);
        books.book(&self.system, (0.0, 0.0), &mut self.state.held.acts.clone());
        validity::static_checks(self, &books)
    }

    /// Magnitude of uniform gravity, m/s², zero for central gravity; and the upward direction of the ground.
    pub fn gravity_and_up(&self) -> (f64, Vec3) {
        let gravity = match self.system.model.gravity {
            Gravity::Uniform(g) => g.norm(),
            Gravity::Central { .. } => 0.0,
        };
        (gravity, self.system.ground.as_ref().map_or_else(Vec3::z, |g| g.up()))
    }
}
