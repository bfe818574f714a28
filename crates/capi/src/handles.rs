//! Handles: a slot and its generation in one number.

use crate::border::{Fault, TD_BUSY, TD_HANDLE, TD_PANIC};
use std::sync::{Arc, Mutex, TryLockError};
use touchdown::soil::{Ground, GroundState};
use touchdown_sim::{Simulation, State};

/// A simulation. 0 is none.
#[allow(non_camel_case_types)]
pub type td_simulation = u64;

/// A state that was saved. 0 is none.
#[allow(non_camel_case_types)]
pub type td_state = u64;

/// A ground with soil for a simulator of yours. 0 is none.
#[allow(non_camel_case_types)]
pub type td_ground = u64;

/// A ground's state that was saved. 0 is none.
#[allow(non_camel_case_types)]
pub type td_ground_state = u64;

/// Things that C holds by number.
pub struct Table<T> {
    slots: Mutex<Vec<Slot<T>>>,
    kind: &'static str,
}

struct Slot<T> {
    generation: u32,
    thing: Option<Arc<T>>,
}

/// All simulations.
pub static SIMULATIONS: Table<Mutex<Simulation>> = Table::new("simulation");
/// All states.
pub static STATES: Table<State> = Table::new("state");
/// All grounds.
pub static GROUNDS: Table<Mutex<Ground>> = Table::new("ground");
/// All states of grounds.
pub static GROUND_STATES: Table<GroundState> = Table::new("state of a ground");

impl<T> Table<T> {
    /// An empty table; `kind` is what messages call its things.
    pub const fn new(kind: &'static str) -> Table<T> {
        Table { slots: Mutex::new(Vec::new()), kind }
    }

    fn with<R>(&self, f: impl FnOnce(&mut Vec<Slot<T>>) -> R) -> R {
        // A panic while the table was held cannot have left it half written: every change is one assignment.
        f(&mut self.slots.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }

    /// Puts a thing in; its handle.
    pub fn put(&self, thing: T) -> u64 {
        let thing = Some(Arc::new(thing));
        self.with(|slots| {
            // A slot whose generations are used up is never used again.
            let free = slots.iter().position(|s| s.thing.is_none() && s.generation < u32::MAX);
            let index = free.unwrap_or_else(|| {
                slots.push(Slot { generation: 0, thing: None });
                slots.len() - 1
            });
            slots[index].generation += 1;
            slots[index].thing = thing;
            u64::from(slots[index].generation) << 32 | index as u64
        })
    }

    /// The thing of a handle.
    pub fn get(&self, handle: u64) -> Result<Arc<T>, Fault> {
        let (index, generation) = ((handle & 0xffff_ffff) as usize, (handle >> 32) as u32);
        let found = self.with(|slots| {
            let slot = slots.get(index).filter(|slot| slot.generation == generation);
            slot.and_then(|slot| slot.thing.clone())
        });
        found.ok_or_else(|| self.stale(handle))
    }

    /// Takes a thing out. One that another thread is using goes when that ends.
    pub fn free(&self, handle: u64) -> Result<(), Fault> {
        self.get(handle)?;
        // Dropped outside the lock.
        let _thing = self.with(|slots| slots[(handle & 0xffff_ffff) as usize].thing.take());
        Ok(())
    }

    fn stale(&self, handle: u64) -> Fault {
        Fault(TD_HANDLE, format!("{handle:#x} is no {}: it was freed, or never given", self.kind))
    }
}

/// Uses a simulation.
pub fn with_simulation<R>(
    handle: td_simulation,
    f: impl FnOnce(&mut Simulation) -> Result<R, Fault>,
) -> Result<R, Fault> {
    with(&SIMULATIONS, handle, "td_fork", f)
}

/// Uses a ground.
pub fn with_ground<R>(
    handle: td_ground,
    f: impl FnOnce(&mut Ground) -> Result<R, Fault>,
) -> Result<R, Fault> {
    with(&GROUNDS, handle, "td_soil_fork", f)
}

fn with<T, R>(
    table: &Table<Mutex<T>>,
    handle: u64,
    fork: &str,
    f: impl FnOnce(&mut T) -> Result<R, Fault>,
) -> Result<R, Fault> {
    let (thing, kind) = (table.get(handle)?, table.kind);
    let mut guard = thing.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => {
            Fault(TD_BUSY, format!("the {kind} is being used by another thread; give each its own by {fork}"))
        }
        TryLockError::Poisoned(_) => {
            Fault(TD_PANIC, format!("the {kind} broke off in an earlier call; free it and make it again"))
        }
    })?;
    f(&mut guard)
}
