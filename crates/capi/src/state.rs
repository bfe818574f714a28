//! States: save, restore, bytes.

use crate::border::{Fault, TD_STATE, array, copy_out, guarded, place};
use crate::handles::{STATES, td_simulation, td_state, with_simulation};
use touchdown_sim::State;

/// Saves the present state; to be freed by `td_state_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_save(simulation: td_simulation, state: *mut td_state) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let out = unsafe { place(state, "state") }?;
        *out = 0;
        *out = STATES.put(with_simulation(simulation, |sim| Ok(sim.save()))?);
        Ok(())
    })
}

/// Goes back to a state of the same model, to the last bit. The state stays good.
#[unsafe(no_mangle)]
pub extern "C" fn td_restore(simulation: td_simulation, state: td_state) -> i32 {
    guarded(|| {
        let state = STATES.get(state)?;
        let refused = |error: touchdown_sim::CheckpointError| Fault(TD_STATE, error.to_string());
        with_simulation(simulation, |sim| sim.restore((*state).clone()).map_err(refused))
    })
}

/// Gives a state back.
#[unsafe(no_mangle)]
pub extern "C" fn td_state_free(state: td_state) -> i32 {
    guarded(|| STATES.free(state))
}

/// A state as bytes, for files and other processes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_state_bytes(
    state: td_state,
    buffer: *mut u8,
    size: usize,
    needed: *mut usize,
) -> i32 {
    guarded(|| {
        let bytes = STATES.get(state)?.to_bytes();
        // SAFETY: the caller's promises.
        unsafe { copy_out(&bytes, buffer, size, needed) }
    })
}

/// A state from its bytes; to be freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_state_from_bytes(bytes: *const u8, count: usize, state: *mut td_state) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let (bytes, out) = unsafe { (array(bytes, count, "bytes")?, place(state, "state")?) };
        *out = 0;
        *out = STATES.put(State::from_bytes(bytes).map_err(|error| Fault(TD_STATE, error.to_string()))?);
        Ok(())
    })
}
