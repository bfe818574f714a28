//! Where the loop meets the devices: lengths before forces, wrenches with forces, books and ticks after accepted steps.

use super::{Device, DeviceState, Devices, DevicesState, Effect, Kind, Now, Seen, Setting, each};
use crate::method::StepFailure;
use crate::simulation::ObserveError;
use crate::sink::Column;
use crate::system::{Instant, System};
use crate::world::World;
use std::sync::Arc;
use touchdown_multibody::rigid::elements::Powers;

impl Devices {
    fn with<'a>(&'a self, held: &'a DevicesState) -> impl Iterator<Item = (&'a Device, &'a DeviceState)> {
        self.list.iter().zip(&held.list)
    }

    /// The next time at which a device ticks, s.
    fn next_time(&self, held: &DevicesState) -> f64 {
        self.with(held).fold(f64::INFINITY, |least, (device, state)| {
            least.min(each!(device, state, d, s => d.next_time(s)))
        })
    }

    fn next_kink(&self, held: &DevicesState, t: f64) -> f64 {
        self.with(held).fold(f64::INFINITY, |least, (device, state)| {
            least.min(each!(device, state, d, s => d.next_kink(s, t)))
        })
    }

    /// Whether a device that samples a column is due by `t`.
    fn samples_at(&self, held: &DevicesState, t: f64) -> bool {
        self.with(held)
            .any(|(device, state)| each!(device, state, d, s => d.samples() && is_due(d.next_time(s), t)))
    }

    /// Names of the signals on the bus.
    pub fn signals(&self) -> &[String] {
        &self.signals
    }

    /// Columns of the devices from a number on, with the device and the number of each.
    pub fn columns(&self, from: usize) -> impl Iterator<Item = ((usize, usize), Column)> + '_ {
        let devices = self.list.iter().enumerate().skip(from);
        devices.flat_map(|(i, device)| {
            device.columns().into_iter().enumerate().map(move |(k, column)| ((i, k), column))
        })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }
}

/// Whether a tick is reached at `t`: another clock's time for the same instant may be rounded differently.
fn is_due(tick: f64, t: f64) -> bool {
    tick <= t + 1e-9 * t.max(1.0)
}

impl System {
    /// Sets lengths of booms and openings as devices command them, before their forces are evaluated.
    pub(crate) fn follow_devices(&mut self, at: &Instant) {
        let System { devices, booms, polygonal, .. } = self;
        let mut follow = |setting| match setting {
            Setting::Boom(boom, length, rate) => booms[boom].set_length(length, rate),
            Setting::Opening(contact, travel, rate) => polygonal[contact].set_opening(travel, rate),
        };
        for (device, state) in devices.with(&at.held.devices) {
            each!(device, state, d, s => d.set(s, at.t, &mut follow));
        }
    }

    /// Devices ⇒ torques and wrenches. Needs kinematics.
    pub(crate) fn update_devices(&mut self, at: &Instant) -> Powers {
        let System { devices, model, cache, .. } = self;
        let mut sum = Powers::default();
        for (device, state) in devices.with(&at.held.devices) {
            let powers = each!(device, state, d, s => d.push(s, model, cache, (at.t, at.v)));
            sum.drives += powers.drives;
            sum.loads += powers.loads;
        }
        sum
    }

    /// Books an accepted step. Needs its kinematics and forces.
    pub(crate) fn book_devices(&self, held: &mut DevicesState) {
        for (device, state) in self.devices.list.iter().zip(&mut held.list) {
            each!(device, state, d, s => d.book(s, self));
        }
    }

    /// The number in a column of a device.
    pub(crate) fn device_value(
        &self,
        (device, column): (usize, usize),
        held: &DevicesState,
        (t, v): (f64, &[f64]),
    ) -> f64 {
        let seen = Seen { t, v, system: self, bus: &held.bus };
        each!(&self.devices.list[device], &held.list[device], d, s => d.value(s, column, &seen))
    }
}

impl World {
    /// Names of the signals on the bus of the devices, which controllers can read.
    pub fn signals(&self) -> &[String] {
        self.system.devices.signals()
    }

    /// The time of the next tick or kink of a device, which no step must pass; infinite without devices. Methods with fixed steps stop at ticks only.
    pub(crate) fn next_tick(&self, kinks: bool) -> f64 {
        let (devices, held) = (&self.system.devices, &self.state.held.devices);
        let tick = devices.next_time(held);
        if kinks { tick.min(devices.next_kink(held, self.state.t)) } else { tick }
    }

    /// Devices tick at the end of an accepted step, after its rows, producers before consumers.
    pub(crate) fn commit_devices(&mut self) -> Result<(), StepFailure> {
        let devices = Arc::clone(&self.system.devices);
        let t = self.state.t;
        if !is_due(devices.next_time(&self.state.held.devices), t) {
            return Ok(());
        }
        self.sample_columns(&devices)?;
        let s = &self.state;
        self.system.update_kinematics(&s.q, &s.v);
        for k in &devices.order {
            let s = &mut self.state;
            let now = Now { t, v: &s.v, system: &self.system, samples: &self.samples };
            let DevicesState { list, bus } = &mut s.held.devices;
            let effect = each!(&devices.list[*k], &mut list[*k], d, s => d.tick(s, &now, bus));
            let Some(Effect { power, command }) = effect else { continue };
            // The step to come begins with the new torques.
            s.last_powers.drives += power;
            if let Some((input, value)) = command {
                // Limits of the device lie within those of its input.
                let _ = self.command_at(input, value);
            }
        }
        Ok(())
    }

    /// Reads the columns that sensors sample, as the accepted step left them: before any device ticks.
    fn sample_columns(&mut self, devices: &Devices) -> Result<(), StepFailure> {
        if !devices.samples_at(&self.state.held.devices, self.state.t) {
            return Ok(());
        }
        let mut samples = std::mem::take(&mut self.samples);
        samples.resize(devices.sampled.len(), f64::NAN);
        let read = self.observe(&devices.sampled, &mut samples);
        self.samples = samples;
        read.map_err(|error| match error {
            ObserveError::Step(failure) => failure,
            unknown => StepFailure::NotFinite { what: unknown.to_string() },
        })
    }
}
