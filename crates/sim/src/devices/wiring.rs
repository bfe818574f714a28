//! Writers and readers of each signal, by name; and the resulting order of the ticks.

use super::DeviceError;
use super::bus::{Bus, Port};

/// A signal before the bus exists.
#[derive(Clone, Debug)]
struct Slot {
    name: String,
    writer: Option<usize>,
    readers: Vec<usize>,
    /// Its value before the first tick.
    first: Option<f64>,
}

/// The wires between devices that are being fitted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wiring {
    devices: Vec<String>,
    slots: Vec<Slot>,
    errors: Vec<DeviceError>,
}

/// Devices that are wired.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wired {
    /// The order in which they tick at one instant: producers before consumers, else as declared.
    pub order: Vec<usize>,
    /// Names of the signals, in the order of the bus.
    pub signals: Vec<String>,
}

impl Wiring {
    /// Begins the connections of a device.
    pub fn begin(&mut self, device: &str) {
        if self.devices.iter().any(|name| name == device) {
            self.errors.push(DeviceError::SameName { device: device.into() });
        }
        self.devices.push(device.into());
    }

    /// The device writes `DEVICE.SUFFIX`.
    pub fn write(&mut self, suffix: &str) -> Port {
        let device = self.devices.len() - 1;
        let name = format!("{}.{suffix}", self.devices[device]);
        let port = self.slot(&name);
        let slot = &mut self.slots[port.0];
        match slot.writer {
            None => slot.writer = Some(device),
            Some(first) => self.errors.push(DeviceError::WrittenTwice {
                signal: name,
                first: self.devices[first].clone(),
                second: self.devices[device].clone(),
            }),
        }
        port
    }

    /// The device writes several signals.
    pub fn write_all<const N: usize>(&mut self, suffixes: [&str; N]) -> [Port; N] {
        suffixes.map(|suffix| self.write(suffix))
    }

    /// The device reads a signal of any writer.
    pub fn read(&mut self, name: &str) -> Port {
        let port = self.slot(name);
        self.slots[port.0].readers.push(self.devices.len() - 1);
        port
    }

    /// The device reads several signals of another one.
    pub fn read_all<const N: usize>(&mut self, device: &str, suffixes: [&str; N]) -> [Port; N] {
        suffixes.map(|suffix| self.read(&format!("{device}.{suffix}")))
    }

    /// Values of signals before the first tick.
    pub fn preset<const N: usize>(&mut self, ports: &[Port; N], values: [f64; N]) {
        ports.iter().zip(values).for_each(|(port, value)| self.slots[port.0].first = Some(value));
    }

    fn slot(&mut self, name: &str) -> Port {
        Port(self.slots.iter().position(|slot| slot.name == name).unwrap_or_else(|| {
            self.slots.push(Slot { name: name.into(), writer: None, readers: Vec::new(), first: None });
            self.slots.len() - 1
        }))
    }

    /// The bus before the first tick, and its constant data.
    pub fn finish(mut self) -> Result<(Bus, Wired), Vec<DeviceError>> {
        let written = self.slots.iter().filter(|slot| slot.writer.is_some());
        let known: Vec<String> = written.map(|slot| slot.name.clone()).collect();
        for slot in self.slots.iter().filter(|slot| slot.writer.is_none()) {
            let readers = slot.readers.iter().map(|reader| self.devices[*reader].clone());
            self.errors.extend(readers.map(|device| DeviceError::NoSignal {
                device,
                signal: slot.name.clone(),
                known: known.clone(),
            }));
        }
        let order = self.order();
        if order.len() < self.devices.len() {
            let left = (0..self.devices.len()).filter(|k| !order.contains(k));
            let devices = left.map(|k| self.devices[k].clone()).collect();
            self.errors.push(DeviceError::Circle { devices });
        }
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        Ok((Bus::new(self.slots.iter().map(|slot| slot.first).collect()), Wired { order, signals: known }))
    }

    /// As far as there is an order.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = Vec::with_capacity(self.devices.len());
        let waits = |k: usize, order: &[usize]| {
            let mut read = self.slots.iter().filter(|slot| slot.readers.contains(&k));
            read.any(|slot| slot.writer.is_some_and(|writer| writer != k && !order.contains(&writer)))
        };
        while let Some(next) = (0..self.devices.len()).find(|k| !order.contains(k) && !waits(*k, &order)) {
            order.push(next);
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Devices tick after those whose signals they read, in whatever order they were declared; else as declared.
    #[test]
    fn producers_tick_before_consumers() {
        let mut wiring = Wiring::default();
        for (device, reads) in [("a", Some("c.out")), ("b", None), ("c", Some("d.out")), ("d", None)] {
            wiring.begin(device);
            wiring.write("out");
            reads.map(|name| wiring.read(name));
        }
        assert_eq!(wiring.finish().map(|(_, wired)| wired.order), Ok(vec![1, 3, 2, 0]));
    }

    /// A signal without a writer, one with two, a name used twice and a circle are errors that list what exists.
    #[test]
    fn wrong_wires_are_refused() {
        let mut wiring = Wiring::default();
        wiring.begin("a");
        wiring.write("out");
        wiring.write("out");
        wiring.read("b.out");
        wiring.begin("b");
        wiring.write("out");
        wiring.read("a.out");
        wiring.read("c.out");
        wiring.begin("b");
        let text = |errors: Vec<DeviceError>| {
            errors.iter().map(DeviceError::to_string).collect::<Vec<_>>().join("\n")
        };
        let said = wiring.finish().map_err(text).expect_err("four mistakes");
        for words in [
            "signal \"a.out\" is written by a and by a",
            "two devices are called b",
            "b reads the signal \"c.out\", which no device writes; signals: a.out, b.out",
            "a, b wait for each other",
        ] {
            assert!(said.contains(words), "{words}: {said}");
        }
    }
}
