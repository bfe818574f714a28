//! Memory of soil and bodies.

use super::parts::SoilParts;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use touchdown_contact::soil::{ContactState, Soil, SoilState};

/// Memory of soil and bodies of accepted steps.
#[derive(Clone, Debug, Default)]
pub(crate) enum SoilHistory {
    /// There is no soil.
    #[default]
    None,
    /// Soil on its ground. Shared with the crew while it evaluates and with cloned states; shared data are
    /// copied before they are written.
    Laid(Arc<LaidSoil>),
    /// As read from bytes, which do not contain the ground: [`SoilHistory::settle`] places it there.
    Read(Box<(SoilState, Vec<ContactState>)>),
}

/// Soil on its ground, with the bodies that touched it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LaidSoil {
    pub soil: Soil,
    /// Memory of each body.
    pub contacts: Vec<ContactState>,
}

impl PartialEq for SoilHistory {
    fn eq(&self, other: &SoilHistory) -> bool {
        match (self, other) {
            (SoilHistory::None, SoilHistory::None) => true,
            (SoilHistory::Laid(a), SoilHistory::Laid(b)) => Arc::ptr_eq(a, b) || a == b,
            (SoilHistory::Read(a), SoilHistory::Read(b)) => a == b,
            _ => false,
        }
    }
}

impl Serialize for SoilHistory {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            SoilHistory::None => to.serialize_none(),
            SoilHistory::Laid(laid) => to.serialize_some(&(laid.soil.save(), &laid.contacts)),
            SoilHistory::Read(read) => to.serialize_some(read),
        }
    }
}

impl<'de> Deserialize<'de> for SoilHistory {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let read = Option::<Box<(SoilState, Vec<ContactState>)>>::deserialize(from)?;
        Ok(read.map_or(SoilHistory::None, SoilHistory::Read))
    }
}

impl SoilHistory {
    /// Undisturbed soil.
    pub fn new(parts: &SoilParts) -> SoilHistory {
        let contacts = vec![ContactState::default(); parts.bodies.len()];
        SoilHistory::Laid(Arc::new(LaidSoil { soil: (*parts.fresh).clone(), contacts }))
    }

    /// The soil on its ground, if there is any.
    #[inline]
    pub fn laid(&self) -> Option<&Arc<LaidSoil>> {
        match self {
            SoilHistory::Laid(laid) => Some(laid),
            SoilHistory::None | SoilHistory::Read(_) => None,
        }
    }

    /// The same for writing: shared data are copied.
    #[inline]
    pub fn laid_mut(&mut self) -> Option<&mut LaidSoil> {
        match self {
            SoilHistory::Laid(laid) => Some(Arc::make_mut(laid)),
            SoilHistory::None | SoilHistory::Read(_) => None,
        }
    }

    /// Places soil read from bytes on its ground; `false` if it does not fit.
    #[must_use]
    pub fn settle(&mut self, parts: Option<&SoilParts>) -> bool {
        let Some(parts) = parts else { return matches!(self, SoilHistory::None) };
        match std::mem::take(self) {
            SoilHistory::Read(read) => {
                let (state, contacts) = *read;
                let mut soil = (*parts.fresh).clone();
                if !soil.restore(state) {
                    return false;
                }
                *self = SoilHistory::Laid(Arc::new(LaidSoil { soil, contacts }));
            }
            laid => *self = laid,
        }
        self.laid().is_some_and(|laid| {
            laid.contacts.len() == parts.bodies.len() && laid.contacts.iter().all(|c| c.fits(&laid.soil))
        })
    }
}
