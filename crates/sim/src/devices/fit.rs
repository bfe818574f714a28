//! Description ⇒ devices: created, named, wired and ordered.

use super::actuators::{Actuators, Hardware};
use super::attitude::Attitude;
use super::control::Control;
use super::docking::{DockingSensors, DockingSequence};
use super::legs::Legs;
use super::path::Path;
use super::phases::Phases;
use super::regulator::Regulator;
use super::sampled::Sampled;
use super::wiring::{Wired, Wiring};
use super::{Device, DeviceError, DeviceState, Devices, DevicesState, base};
use crate::description::{AttitudeControl, WorldDescription};
use crate::engine::system::System;
use crate::sink::Column;

/// Devices that are being fitted.
#[derive(Debug, Default)]
pub(crate) struct Fitting {
    wiring: Wiring,
    list: Vec<Device>,
    states: Vec<DeviceState>,
    sampled: Vec<usize>,
    errors: Vec<DeviceError>,
}

impl Fitting {
    /// Devices of satellites, with the mechanism at its start.
    pub fn new(description: &WorldDescription, system: &mut System) -> Fitting {
        let mut fitting = Fitting::default();
        let satellites = &description.satellites;
        if satellites.controls.is_empty() && satellites.dockings.is_empty() {
            return fitting;
        }
        let (q, v) = (system.model.q_initial.clone(), system.model.v_initial.clone());
        system.update_kinematics(&q, &v);
        for control in &satellites.controls {
            let made = Hardware::on(satellites, control, &system.model);
            match made {
                Ok(hardware) => fitting.add_control(control, hardware, system),
                Err(problem) => {
                    let device = format!("{}.actuators", base("aocs", &control.name));
                    fitting.errors.push(DeviceError::Actuators { device, problem });
                }
            }
        }
        for docking in &satellites.dockings {
            let base = base("docking", &docking.name);
            fitting.wiring.begin(&format!("{base}.sequence"));
            let (d, s) = DockingSequence::new(docking, description.duration, &mut fitting.wiring);
            fitting.add(Device::Sequence(d.into()), DeviceState::Sequence(s.into()));
            fitting.wiring.begin(&format!("{base}.sensors"));
            let (d, s) = DockingSensors::new(docking, &mut fitting.wiring);
            fitting.add(Device::DockingSensors(d.into()), DeviceState::DockingSensors(s.into()));
        }
        fitting
    }

    fn add(&mut self, device: Device, state: DeviceState) {
        self.list.push(device);
        self.states.push(state);
    }

    fn add_control(&mut self, control: &AttitudeControl, hardware: Hardware, system: &System) {
        let base = base("aocs", &control.name);
        self.wiring.begin(&format!("{base}.control"));
        let (d, s) = Control::new(control, &base, system, hardware.unloads(), &mut self.wiring);
        self.add(Device::Control(d.into()), DeviceState::Control(s.into()));
        self.wiring.begin(&format!("{base}.attitude"));
        let start = system.attitude_of(control.body);
        let (d, s) = Attitude::new(control, &base, &start, &mut self.wiring);
        self.add(Device::Attitude(d.into()), DeviceState::Attitude(s.into()));
        self.wiring.begin(&format!("{base}.actuators"));
        let (d, s) = Actuators::new(control, &base, hardware, &mut self.wiring);
        self.add(Device::Actuators(d.into()), DeviceState::Actuators(s.into()));
    }

    /// Sensors of columns, controllers of inputs, drivers of vehicles and sequences.
    pub fn add_plain(&mut self, description: &WorldDescription, columns: &[Column], system: &System) {
        let devices = &description.devices;
        for sensor in &devices.sensors {
            let device = base("sensor", &sensor.name);
            self.wiring.begin(&device);
            match Sampled::new(sensor, &device, (columns, self.sampled.len()), &mut self.wiring) {
                Ok((column, d, s)) => {
                    self.sampled.push(column);
                    self.add(Device::Sampled(d.into()), DeviceState::Sampled(s.into()));
                }
                Err(error) => self.errors.push(error),
            }
        }
        for controller in &devices.controllers {
            let device = base("controller", &controller.name);
            self.wiring.begin(&device);
            match Regulator::new(controller, &device, &description.inputs, &mut self.wiring) {
                Ok((d, s)) => self.add(Device::Regulator(d.into()), DeviceState::Regulator(s.into())),
                Err(error) => self.errors.push(error),
            }
        }
        for (k, path) in devices.paths.iter().enumerate() {
            let device = base("path", &path.name);
            self.wiring.begin(&device);
            match Path::new(path, (k, &device), &description.inputs, &mut self.wiring) {
                Ok((d, s)) => self.add(Device::Path(d.into()), DeviceState::Path(s.into())),
                Err(error) => self.errors.push(error),
            }
        }
        for (k, legs) in devices.legs.iter().enumerate() {
            let device = base("legs", &legs.name);
            self.wiring.begin(&device);
            match Legs::new(legs, (k, &device), description, system, &mut self.wiring) {
                Ok((d, s)) => self.add(Device::Legs(d.into()), DeviceState::Legs(s.into())),
                Err(error) => self.errors.push(error),
            }
        }
        for sequence in &devices.sequences {
            let device = base("sequence", &sequence.name);
            self.wiring.begin(&device);
            let parts = (columns, &mut self.sampled, &description.inputs[..]);
            match Phases::new(sequence, &device, parts, &mut self.wiring) {
                Ok((d, s)) => self.add(Device::Phases(d.into()), DeviceState::Phases(s.into())),
                Err(errors) => self.errors.extend(errors),
            }
        }
        self.check_commands(description);
    }

    /// An input has one master.
    fn check_commands(&mut self, description: &WorldDescription) {
        let devices = &description.devices;
        let mut masters: Vec<(&str, String)> = Vec::new();
        for controller in &devices.controllers {
            masters.extend(
                controller.commands.as_deref().map(|input| (input, base("controller", &controller.name))),
            );
        }
        for path in &devices.paths {
            let drives = path.wheels.iter().filter_map(|w| Some(&*w.drive.as_ref()?.input));
            let steering = path.wheels.iter().filter_map(|w| Some(&*w.steering.as_ref()?.input));
            masters.extend(drives.chain(steering).map(|input| (input, base("path", &path.name))));
        }
        for legs in &devices.legs {
            let joints = legs.legs.iter().flat_map(|leg| &leg.joints);
            masters.extend(joints.map(|joint| (joint.input.as_str(), base("legs", &legs.name))));
        }
        for sequence in &devices.sequences {
            // Each phase may command the same input again.
            let commands = sequence.phases.iter().flat_map(|phase| &phase.commands);
            let mut inputs: Vec<&str> = commands.map(|c| c.input.as_str()).collect();
            inputs.sort_unstable();
            inputs.dedup();
            masters.extend(inputs.into_iter().map(|input| (input, base("sequence", &sequence.name))));
        }
        for (k, (input, second)) in masters.iter().enumerate() {
            if let Some((_, first)) = masters[..k].iter().find(|(other, _)| other == input) {
                let (input, first, second) = ((*input).into(), first.clone(), second.clone());
                self.errors.push(DeviceError::CommandedTwice { input, first, second });
            }
        }
    }

    /// The devices so far, for their columns; they do not tick yet.
    pub fn devices(&self) -> Devices {
        Devices { list: self.list.clone(), ..Devices::default() }
    }

    /// All devices, wired and ordered, with their initial memory.
    pub fn finish(mut self) -> Result<Devices, Vec<DeviceError>> {
        let wired = self.wiring.finish();
        if let Err(errors) = &wired {
            self.errors.extend_from_slice(errors);
        }
        match wired {
            Ok((bus, Wired { order, signals })) if self.errors.is_empty() => {
                let start = DevicesState { list: self.states, bus };
                Ok(Devices { list: self.list, order, sampled: self.sampled, signals, start })
            }
            _ => Err(self.errors),
        }
    }
}
