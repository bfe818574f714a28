//! What the functions of FMI 3.0 and 2.0 share: instances and states by handle, statuses, messages to the importing tool.

use crate::border::{Fault, text};
use crate::fmi3::LogMessage;
use crate::handles::Table;
use std::ffi::{CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use touchdown_fmu::{Instance, InstanceError, Saved};

pub const OK: i32 = 0;
pub const DISCARD: i32 = 2;
pub const ERROR: i32 = 3;

/// Status and words.
pub struct Said(pub i32, pub String);

impl From<InstanceError> for Said {
    fn from(error: InstanceError) -> Said {
        Said(ERROR, error.to_string())
    }
}

impl From<Fault> for Said {
    fn from(fault: Fault) -> Said {
        Said(ERROR, fault.1)
    }
}

/// Where messages go. Pointers of the importing tool are kept as numbers: they are its to use, not ours.
#[derive(Clone, Copy)]
pub enum Logged {
    /// FMI 3.0: environment and function.
    Three(usize, LogMessage),
}

impl Logged {
    fn say(&self, Said(status, words): &Said) {
        let words = CString::new(words.replace('\0', " ")).unwrap_or_default();
        let Logged::Three(environment, Some(log)) = *self else { return };
        // SAFETY: the function and environment that the importing tool gave for this; the texts live during the call.
        unsafe { log(environment as *mut c_void, *status, c"logStatusError".as_ptr(), words.as_ptr()) }
    }
}

/// An instance, and whom it speaks to.
pub struct Held {
    fmu: Mutex<Instance>,
    log: Logged,
}

pub static INSTANCES: Table<Held> = Table::new("FMU instance");
pub static FMU_STATES: Table<Saved> = Table::new("FMU state");

/// A folder, given as a path (FMI 3.0) or as a URI (FMI 2.0).
fn folder(given: &str) -> PathBuf {
    let path = given.strip_prefix("file://").or_else(|| given.strip_prefix("file:")).unwrap_or(given);
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let code = (*first == b'%' && given.starts_with("file:"))
            .then(|| tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok()))
            .flatten()
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &tail[2..] } else { tail };
    }
    Path::new(&*String::from_utf8_lossy(&bytes)).to_path_buf()
}

/// Makes an instance; null, with a message, where that fails.
pub unsafe fn put_instance(token: *const c_char, resources: *const c_char, log: Logged) -> *mut c_void {
    let made = catch_unwind(AssertUnwindSafe(|| -> Result<u64, Said> {
        // SAFETY: texts of the caller.
        let (token, resources) = unsafe { (text(token, "token")?, text(resources, "resource path")?) };
        let fmu = Mutex::new(Instance::new(&folder(resources), token)?);
        Ok(INSTANCES.put(Held { fmu, log }))
    }));
    match made {
        Ok(Ok(handle)) => handle as *mut c_void,
        Ok(Err(said)) => {
            log.say(&said);
            std::ptr::null_mut()
        }
        Err(_) => std::ptr::null_mut(),
    }
}

/// Gives an instance back; one that is none is left alone.
pub fn free_instance(instance: *mut c_void) {
    let _ = catch_unwind(|| INSTANCES.free(instance as u64));
}

/// Uses an instance; its messages go to the importing tool.
pub fn with_instance(instance: *mut c_void, f: impl FnOnce(&mut Instance) -> Result<(), Said>) -> i32 {
    let Ok(held) = INSTANCES.get(instance as u64) else { return ERROR };
    let made = catch_unwind(AssertUnwindSafe(|| match held.fmu.try_lock() {
        Ok(mut fmu) => f(&mut fmu),
        Err(_) => Err(Said(ERROR, "this instance is in use, or broke off in an earlier call".into())),
    }));
    let said = match made {
        Ok(Ok(())) => return OK,
        Ok(Err(said)) => said,
        Err(_) => Said(ERROR, "the engine broke off: this is a fault of touchdown, please report it".into()),
    };
    held.log.say(&said);
    said.0
}

/// Keeps a state; its handle.
pub fn put_state(saved: Saved) -> *mut c_void {
    FMU_STATES.put(saved) as *mut c_void
}

/// Uses a state.
pub fn with_state(state: *mut c_void, f: impl FnOnce(&Saved) -> Result<(), Said>) -> Result<(), Said> {
    f(&*FMU_STATES.get(state as u64)?)
}
