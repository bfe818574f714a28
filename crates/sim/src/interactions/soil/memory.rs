//! What soil and bodies remember of accepted steps.

use super::parts::SoilParts;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use touchdown_contact::soil::{BekkerWidth, ContactState, FrictionLaw, Soil, SoilOptions, SoilState};
use touchdown_geometry::Relief;

/// What soil and bodies remember of accepted steps.
#[derive(Clone, Debug)]
pub(crate) struct SoilHistory {
    /// Shared with the crew while it evaluates and with states that were cloned; what is written is copied first.
    pub soil: Arc<Soil>,
    /// What each body keeps of the nodes it touched.
    pub contacts: Vec<ContactState>,
    /// A soil that was read from bytes and does not lie on its ground yet.
    unsettled: Option<SoilState>,
}

impl PartialEq for SoilHistory {
    fn eq(&self, other: &SoilHistory) -> bool {
        self.soil == other.soil && self.contacts == other.contacts
    }
}

impl Serialize for SoilHistory {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (self.soil.save(), &self.contacts).serialize(to)
    }
}

/// What stands in for a soil until it lies on its ground.
fn nowhere() -> Soil {
    let options = SoilOptions {
        width: BekkerWidth::Footprint,
        friction: FrictionLaw::Janosi,
        deposition: false,
        erosion: false,
        spread_exponent: 1.0,
        move_every: 1,
        sweeps: 1,
    };
    Soil::new(Relief::Plane { height: 0.0, gradient: [0.0; 2] }, 1.0, Vec::new(), Vec::new(), options)
}

impl<'de> Deserialize<'de> for SoilHistory {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let (unsettled, contacts) = <(SoilState, Vec<ContactState>)>::deserialize(from)?;
        let soil = Arc::new(nowhere());
        Ok(SoilHistory { soil, contacts, unsettled: Some(unsettled) })
    }
}

impl SoilHistory {
    /// As it lies before anything touches it.
    pub fn new(parts: &SoilParts) -> SoilHistory {
        let contacts = vec![ContactState::default(); parts.bodies.len()];
        SoilHistory { soil: Arc::clone(&parts.fresh), contacts, unsettled: None }
    }

    /// Lays a soil that was read from bytes on the ground it belongs to; `false` if it does not fit.
    #[must_use]
    pub fn settle(&mut self, parts: &SoilParts) -> bool {
        if let Some(state) = self.unsettled.take() {
            let mut soil = (*parts.fresh).clone();
            if !soil.restore(state) {
                return false;
            }
            self.soil = Arc::new(soil);
        }
        self.contacts.len() == parts.bodies.len() && self.contacts.iter().all(|c| c.fits(&self.soil))
    }
}
