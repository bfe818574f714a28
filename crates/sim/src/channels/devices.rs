//! Columns of devices.

use super::{Channels, Source};
use crate::system::System;
use std::sync::Arc;

impl Channels {
    /// Columns of the devices from a number on.
    pub(crate) fn add_devices(&mut self, system: &System, from: usize) {
        for ((device, k), column) in system.devices.columns(from) {
            self.sources.push(Source::Device(device, k));
            Arc::make_mut(&mut self.columns).push(column);
        }
    }
}

/// End of a name whose value has this unit; nothing for plain numbers.
pub(crate) fn unit_suffix(unit: &str) -> String {
    match unit {
        "1" => String::new(),
        unit => format!("_{}", unit.to_lowercase().replace('/', "_per_").replace(' ', "_")),
    }
}
