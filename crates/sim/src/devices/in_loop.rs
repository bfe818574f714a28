//! Devices in the loop: lengths before forces, wrenches with forces, books and ticks after accepted steps.

use super::{Device, DeviceState, Devices, DevicesState, Effect, Fleet, Now, Seen, Setting, Tick, each};
use crate::books::channels::{Columns, Snapshot};
use crate::description::WorldDescription;
use crate::engine::method::StepFailure;
use crate::engine::simulation::{Simulation, WorldError};
use crate::engine::state::{CheckpointError, same_count};
use crate::engine::stepping::ObserveError;
use crate::engine::system::{Instant, System};
use crate::interactions::{How, Interaction, Interactions, Making};
use crate::sink::{Column, Table};
use std::sync::Arc;
use touchdown_multibody::rigid::elements::Powers;

impl Devices {
    fn with<'a>(&'a self, held: &'a DevicesState) -> impl Iterator<Item = (&'a Device, &'a DeviceState)> {
        self.list.iter().zip(&held.list)
    }

    /// The next time at which a device ticks, s.
    fn next_tick(&self, held: &DevicesState) -> f64 {
        self.with(held).fold(f64::INFINITY, |least, (device, state)| {
            least.min(each!(device, state, d, s => d.next_time(s)))
        })
    }

    fn next_kink(&self, held: &DevicesState, t: f64, step: Option<f64>) -> f64 {
        self.with(held).fold(f64::INFINITY, |least, (device, state)| {
            least.min(each!(device, state, d, s => d.next_kink(s, t, step)))
        })
    }

    /// Whether a device that samples a column is due by `t`.
    fn samples_at(&self, held: &DevicesState, t: f64) -> bool {
        self.with(held)
            .any(|(device, state)| each!(device, state, d, s => d.samples() && is_due(d.next_time(s), t)))
    }

    /// Names of the signals on the bus.
    pub fn signal_names(&self) -> &[String] {
        &self.signals
    }

    /// Columns of the devices from a number on, with the device and the number of each.
    pub fn columns_from(&self, from: usize) -> impl Iterator<Item = ((usize, usize), Column)> + '_ {
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

/// Whether a tick is reached at `t`: the same instant may be rounded differently by another clock.
fn is_due(tick: f64, t: f64) -> bool {
    tick <= t + 1e-9 * t.max(1.0)
}

impl Interaction for Devices {
    const NAME: &'static str = "devices";
    type Parts = Arc<Devices>;
    type Memory = DevicesState;
    type Book = ();
    type Drawn = ();
    type Value = (usize, usize);

    /// They are fitted later, when the system exists and the sampled columns are known.
    fn build(_: &mut Making) -> Result<Arc<Devices>, Vec<WorldError>> {
        Ok(Arc::default())
    }

    fn count(system: &System) -> usize {
        system.acts.devices.len()
    }

    fn start(system: &mut System, _at: (&[f64], &[f64]), _z: &mut [f64]) -> DevicesState {
        system.acts.devices.start.clone()
    }

    /// Lengths of booms and openings as devices command them, before their forces are evaluated.
    fn prepare(system: &mut System, at: &Instant) {
        let Interactions { devices, booms, polygonal, .. } = &mut system.acts;
        let mut follow = |setting| match setting {
            Setting::Boom(boom, length, rate) => booms[boom].set_length(length, rate),
            Setting::Opening(contact, travel, rate) => polygonal.list[contact].set_opening(travel, rate),
        };
        for (device, state) in devices.with(&at.held.acts.devices) {
            each!(device, state, d, s => d.set(s, at.t, &mut follow));
        }
    }

    fn evaluate(system: &mut System, at: &Instant, _how: How) -> Powers {
        let System { acts, model, cache, .. } = system;
        let mut sum = Powers::default();
        for (device, state) in acts.devices.with(&at.held.acts.devices) {
            let powers = each!(device, state, d, s => d.push(s, model, cache, (at.t, at.v)));
            sum.drives += powers.drives;
            sum.loads += powers.loads;
        }
        sum
    }

    /// The next tick or kink.
    fn next_time(system: &System, memory: &DevicesState, t: f64, step: Option<f64>) -> f64 {
        let devices = &system.acts.devices;
        devices.next_tick(memory).min(devices.next_kink(memory, t, step))
    }

    fn book(system: &System, _times: (f64, f64), memory: &mut DevicesState, _: &mut [()]) {
        for (device, state) in system.acts.devices.list.iter().zip(&mut memory.list) {
            each!(device, state, d, s => d.book(s, system));
        }
    }

    fn settle(system: &System, memory: &mut DevicesState) -> Result<(), CheckpointError> {
        let start = &system.acts.devices.start;
        let [devices, signals] = start.counts();
        let same = start.count_alike(memory);
        same_count("devices", memory.counts()[0], devices)?;
        same_count("signals", memory.counts()[1], signals)?;
        same_count("devices of the same kind and size", same, devices)
    }

    fn columns(system: &System, _: &WorldDescription, out: &mut Columns<(usize, usize)>) {
        for (place, c) in system.acts.devices.columns_from(0) {
            out.put(place, &c.name, c.unit, c.frame, &c.about);
        }
    }

    fn value(system: &System, s: &Snapshot, (device, column): (usize, usize)) -> f64 {
        let (devices, held) = (&system.acts.devices, &s.held.acts.devices);
        let seen = Seen { t: s.t, v: s.v, system, bus: &held.bus };
        each!(&devices.list[device], &held.list[device], d, s => d.value(s, column, &seen))
    }

    fn warnings(system: &System, _t: f64, memory: &DevicesState, _: &[()], out: &mut Vec<String>) {
        out.extend(Fleet::new(&system.acts.devices, memory).warnings());
    }

    fn tables(system: &System, t: f64, memory: &DevicesState) -> Vec<Table> {
        Fleet::new(&system.acts.devices, memory).tables(t)
    }
}

impl Simulation {
    /// Names of the signals on the bus of the devices, which controllers can read.
    pub fn signals(&self) -> &[String] {
        self.system.acts.devices.signal_names()
    }

    /// Devices tick at the end of an accepted step, after its rows, producers before consumers.
    pub(crate) fn commit_devices(&mut self) -> Result<(), StepFailure> {
        let devices = Arc::clone(&self.system.acts.devices);
        let t = self.state.t;
        if !is_due(devices.next_tick(&self.state.held.acts.devices), t) {
            return Ok(());
        }
        self.sample_columns(&devices)?;
        let s = &self.state;
        self.system.update_kinematics(&s.q, &s.v);
        for k in &devices.order {
            let s = &mut self.state;
            let now = Now { t, q: &s.q, v: &s.v, system: &self.system, samples: &self.samples };
            let DevicesState { list, bus } = &mut s.held.acts.devices;
            let effect = each!(&devices.list[*k], &mut list[*k], d, s => d.tick(s, &now, bus));
            let Some(Effect { power }) = effect else { continue };
            // The next step begins with the new torques.
            if let Some((power, body)) = power {
                s.last_powers.drives += power;
                let link = self.system.model.bodies[body].link;
                s.flows.add_drive_power(self.system.cache.parts.of_link(link), power);
            }
            self.follow_device(&devices.list[*k], *k);
        }
        Ok(())
    }

    /// Gives the commands of a device that has ticked.
    fn follow_device(&mut self, device: &Device, k: usize) {
        let mut commands = std::mem::take(&mut self.commands);
        let DevicesState { list, bus } = &self.state.held.acts.devices;
        let mut give = |input, value| commands.push((input, value));
        each!(device, &list[k], d, s => d.command(s, bus, &mut give));
        for (input, value) in commands.drain(..) {
            // Limits of the device lie within those of its inputs.
            let _ = self.command_at(input, value);
        }
        self.commands = commands;
    }

    /// Reads the sampled columns of the accepted step, before any device ticks.
    fn sample_columns(&mut self, devices: &Devices) -> Result<(), StepFailure> {
        if !devices.samples_at(&self.state.held.acts.devices, self.state.t) {
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
