//! One body pressed into the soil of a world at rest: positions are tried, and equilibria are committed.

use super::{SoilHistory, SoilParts, memory::LaidSoil};
use crate::books::validity;
use crate::engine::simulation::Simulation;
use crate::interactions::Books;
use crate::sink::Check;
use std::sync::Arc;
use touchdown_contact::soil::SoilForce;
use touchdown_math::Vec3;

/// The soil of a world, taken out of it while one body is pressed; [`SoilPress::finish`] puts it back.
pub struct SoilPress<'a> {
    world: &'a mut Simulation,
    parts: Box<SoilParts>,
    laid: Arc<LaidSoil>,
    books: Books,
    body: usize,
    p_start: Vec3,
    last: SoilForce,
}

impl<'a> SoilPress<'a> {
    /// For a body that touches soil, by its index; `None` without soil.
    pub fn new(world: &'a mut Simulation, body: usize) -> Option<SoilPress<'a>> {
        let SoilHistory::Laid(laid) = world.state.held.acts.soil.clone() else { return None };
        let parts = world.system.acts.soil.parts.take()?;
        world.state.held.acts.soil = SoilHistory::None;
        let p_start = world.system.soil_motion(body).p_WC;
        let (books, last) = (Books::open(&world.system), SoilForce::default());
        Some(SoilPress { world, parts, laid, books, body, p_start, last })
    }

    /// Force of the soil with the body lowered by `z` from its start, m.
    pub fn force(&mut self, z: f64) -> SoilForce {
        self.last = self.parts.evaluate_at_rest(&self.laid, self.body, self.p_start - Vec3::z() * z);
        self.last
    }

    /// Commits the last evaluated depth to the soil.
    pub fn commit(&mut self, t: f64) {
        self.parts.commit(t, Arc::make_mut(&mut self.laid));
        self.world.system.acts.soil.forces[self.body] = self.last;
        self.books.book(&self.world.system, (0.0, 0.0), &mut self.world.state.held.acts);
    }

    /// Returns the soil to the world, with the checks of the committed states and the relative volume error.
    pub fn finish(self) -> (Vec<Check>, f64) {
        let SoilPress { world, parts, laid, books, .. } = self;
        let error = laid.soil.volume_error_relative();
        (world.system.acts.soil.parts, world.state.held.acts.soil) = (Some(parts), SoilHistory::Laid(laid));
        (validity::static_checks(world, &books), error)
    }
}

impl Simulation {
    /// Replaces the world's soil, if any, by soil that a study pressed.
    pub fn put_soil(&mut self, soil: touchdown_contact::soil::Soil) {
        if let Some(laid) = self.state.held.acts.soil.laid_mut() {
            laid.soil = soil;
        }
    }
}
