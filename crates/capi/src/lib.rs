//! The C interface: `include/touchdown.h`, library `libtouchdown_c`.
//!
//! **Handles.** Simulations, grounds and their states are numbers (`td_simulation`, `td_ground`, …), looked up in a table; a freed or made-up one is an error and never
//! undefined behaviour, since a slot that is used again gets another generation. 0 is never a handle.
//!
//! **Errors.** Every function returns a status; `TD_OK` is 0. `td_last_error` gives the words of this thread's last error. A refused
//! call changes nothing; a step that fails leaves the last accepted state. A panic of the engine does not cross the border: it becomes `TD_PANIC`.
//!
//! **Pointers.** Texts are UTF-8, ended by a zero, and read during the call only. Texts that come back are copied into the caller's buffer:
//! `needed` (may be null) becomes the size with the final zero, and a buffer that is too small gets nothing and `TD_TOO_SMALL`. Arrays have as many
//! elements as the call says. Null where something is needed is `TD_NULL`. What cannot be checked is up to the caller: that a pointer which is not null
//! points to as much memory as said.
//!
//! **Threads.** Any thread may call any function. Two calls at once on one simulation: the second gets `TD_BUSY`. Give each thread a fork.

mod border;
/// cbindgen:ignore
mod fmi;
/// cbindgen:ignore
mod fmi2;
/// cbindgen:ignore
mod fmi3;
mod handles;
mod simulation;
mod soil;
mod state;

pub use border::{
    TD_BUSY, TD_COMMAND, TD_FAILED, TD_HANDLE, TD_NULL, TD_OK, TD_PANIC, TD_SCENARIO, TD_STATE, TD_TEXT,
    TD_TOO_SMALL, TD_UNKNOWN, td_last_error, td_version,
};
pub use handles::{td_ground, td_ground_state, td_simulation, td_state};
pub use simulation::*;
pub use soil::*;
pub use state::*;
