//! What the functions of FMI 3.0 and 2.0 share: instances and states by handle, values, statuses, messages to the importing tool.

use crate::border::{Fault, array, array_mut, copy_out, place, text};
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

impl Said {
    pub fn error(words: impl Into<String>) -> Said {
        Said(ERROR, words.into())
    }
}

impl From<InstanceError> for Said {
    fn from(error: InstanceError) -> Said {
        Said::error(error.to_string())
    }
}

impl From<Fault> for Said {
    fn from(fault: Fault) -> Said {
        Said(ERROR, fault.1)
    }
}

/// FMI 3.0: environment, status, category, message.
pub type LogMessage = Option<unsafe extern "C" fn(*mut c_void, i32, *const c_char, *const c_char)>;
/// FMI 2.0: environment, instance, status, category, a format as `printf` takes it.
pub type Logger =
    Option<unsafe extern "C" fn(*mut c_void, *const c_char, i32, *const c_char, *const c_char, ...)>;

/// Where messages go. Pointers of the importing tool are kept as numbers: they are its to use, not ours.
pub enum Logged {
    /// FMI 3.0: environment and function.
    Three(usize, LogMessage),
    /// FMI 2.0: environment, function and the name of the instance.
    Two(usize, Logger, CString),
}

impl Logged {
    fn say(&self, Said(status, words): &Said) {
        let words = words.replace('\0', " ");
        let category = c"logStatusError".as_ptr();
        match self {
            Logged::Three(environment, Some(log)) => {
                let words = CString::new(words).unwrap_or_default();
                // SAFETY: function and environment that the importing tool gave for this; the texts live during the call.
                unsafe { log(*environment as *mut c_void, *status, category, words.as_ptr()) }
            }
            Logged::Two(environment, Some(log), name) => {
                // A format without conversions, whatever the words hold.
                let words = CString::new(words.replace('%', "%%")).unwrap_or_default();
                // SAFETY: as above; the format asks for no further argument.
                unsafe { log(*environment as *mut c_void, name.as_ptr(), *status, category, words.as_ptr()) }
            }
            _ => {}
        }
    }
}

/// An instance, texts lent to the importing tool until it asks for others, and whom it speaks to.
pub struct Held {
    fmu: Mutex<(Instance, Vec<CString>)>,
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
    let path = String::from_utf8_lossy(&bytes).into_owned();
    // file:///C:/… names a drive.
    let path = if cfg!(windows) && given.starts_with("file:") { path.trim_start_matches('/') } else { &path };
    Path::new(path).to_path_buf()
}

/// Makes an instance; null, with a message, where that fails.
pub unsafe fn put_instance(token: *const c_char, resources: *const c_char, log: Logged) -> *mut c_void {
    let made = catch_unwind(AssertUnwindSafe(|| -> Result<Instance, Said> {
        // SAFETY: texts of the caller.
        let (token, resources) = unsafe { (text(token, "token")?, text(resources, "resource path")?) };
        Ok(Instance::new(&folder(resources), token)?)
    }));
    match made {
        Ok(Ok(fmu)) => INSTANCES.put(Held { fmu: Mutex::new((fmu, Vec::new())), log }) as *mut c_void,
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

/// Uses an instance and its lent texts; its messages go to the importing tool.
fn with_held(
    instance: *mut c_void,
    f: impl FnOnce(&mut Instance, &mut Vec<CString>) -> Result<(), Said>,
) -> i32 {
    let Ok(held) = INSTANCES.get(instance as u64) else { return ERROR };
    let made = catch_unwind(AssertUnwindSafe(|| match held.fmu.try_lock() {
        Ok(mut guard) => {
            let (fmu, lent) = &mut *guard;
            f(fmu, lent)
        }
        Err(_) => Err(Said::error("this instance is in use, or broke off in an earlier call")),
    }));
    let said = match made {
        Ok(Ok(())) => return OK,
        Ok(Err(said)) => said,
        Err(_) => Said::error("the engine broke off: this is a fault of touchdown, please report it"),
    };
    held.log.say(&said);
    said.0
}

/// Uses an instance.
pub fn with_instance(instance: *mut c_void, f: impl FnOnce(&mut Instance) -> Result<(), Said>) -> i32 {
    with_held(instance, |fmu, _| f(fmu))
}

/// A step; one that failed numerically is discarded: a shorter one from a saved state may succeed.
pub fn step(fmu: &mut Instance, now: f64, h: f64) -> Result<(), Said> {
    fmu.step(now, h).map_err(|error| match error {
        InstanceError::Advance(touchdown_sim::AdvanceError::Step { .. }) => Said(DISCARD, error.to_string()),
        error => error.into(),
    })
}

/// Reads numbers into an array of as many places.
pub unsafe fn numbers(instance: *mut c_void, references: *const u32, count: usize, values: *mut f64) -> i32 {
    with_instance(instance, |fmu| {
        // SAFETY: arrays of the caller, as the standard says.
        let (references, values) =
            unsafe { (array(references, count, "references")?, array_mut(values, count, "values")?) };
        for (reference, value) in references.iter().zip(values) {
            *value = fmu.number(*reference)?;
        }
        Ok(())
    })
}

/// Sets numbers.
pub unsafe fn set_numbers(
    instance: *mut c_void,
    references: *const u32,
    count: usize,
    values: *const f64,
) -> i32 {
    with_instance(instance, |fmu| {
        // SAFETY: arrays of the caller.
        let (references, values) =
            unsafe { (array(references, count, "references")?, array(values, count, "values")?) };
        for (reference, value) in references.iter().zip(values) {
            fmu.set_number(*reference, *value)?;
        }
        Ok(())
    })
}

/// Lends texts until the next call of this function.
pub unsafe fn texts(
    instance: *mut c_void,
    references: *const u32,
    count: usize,
    values: *mut *const c_char,
) -> i32 {
    with_held(instance, |fmu, lent| {
        // SAFETY: arrays of the caller.
        let (references, values) =
            unsafe { (array(references, count, "references")?, array_mut(values, count, "values")?) };
        let read = |r: &u32| Ok(CString::new(fmu.text(*r)?.replace('\0', " ")).unwrap_or_default());
        *lent = references.iter().map(read).collect::<Result<_, Said>>()?;
        for (text, value) in lent.iter().zip(values) {
            *value = text.as_ptr();
        }
        Ok(())
    })
}

/// Sets texts.
pub unsafe fn set_texts(
    instance: *mut c_void,
    references: *const u32,
    count: usize,
    values: *const *const c_char,
) -> i32 {
    with_instance(instance, |fmu| {
        // SAFETY: arrays of the caller.
        let (references, values) =
            unsafe { (array(references, count, "references")?, array(values, count, "values")?) };
        for (reference, value) in references.iter().zip(values) {
            // SAFETY: each is a text of the caller.
            fmu.set_text(*reference, unsafe { text(*value, "a value") }?)?;
        }
        Ok(())
    })
}

/// Uses a state.
fn with_state(state: *mut c_void, f: impl FnOnce(&Saved) -> Result<(), Said>) -> Result<(), Said> {
    f(&*FMU_STATES.get(state as u64)?)
}

/// Takes a state.
pub unsafe fn get_state(instance: *mut c_void, state: *mut *mut c_void) -> i32 {
    with_instance(instance, |fmu| {
        // SAFETY: a place of the caller.
        let out = unsafe { place(state, "state") }?;
        *out = FMU_STATES.put(fmu.save()?) as *mut c_void;
        Ok(())
    })
}

/// Goes back to a state.
pub fn set_state(instance: *mut c_void, state: *mut c_void) -> i32 {
    with_instance(instance, |fmu| with_state(state, |saved| Ok(fmu.restore(saved)?)))
}

/// Frees a state.
pub unsafe fn free_state(instance: *mut c_void, state: *mut *mut c_void) -> i32 {
    with_instance(instance, |_| {
        // SAFETY: a place of the caller.
        let held = unsafe { place(state, "state") }?;
        if !held.is_null() {
            FMU_STATES.free(*held as u64)?;
            *held = std::ptr::null_mut();
        }
        Ok(())
    })
}

/// How many bytes a state has.
pub unsafe fn state_size(instance: *mut c_void, state: *mut c_void, size: *mut usize) -> i32 {
    with_instance(instance, |_| {
        // SAFETY: a place of the caller.
        let out = unsafe { place(size, "size") }?;
        with_state(state, |saved| {
            *out = saved.to_bytes().len();
            Ok(())
        })
    })
}

/// A state as bytes.
pub unsafe fn serialize(instance: *mut c_void, state: *mut c_void, bytes: *mut u8, size: usize) -> i32 {
    with_instance(instance, |_| {
        with_state(state, |saved| {
            // SAFETY: as many bytes as the caller says.
            Ok(unsafe { copy_out(&saved.to_bytes(), bytes, size, std::ptr::null_mut()) }?)
        })
    })
}

/// A state from its bytes.
pub unsafe fn deserialize(
    instance: *mut c_void,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> i32 {
    with_instance(instance, |_| {
        // SAFETY: bytes and place of the caller.
        let (bytes, out) = unsafe { (array(bytes, size, "bytes")?, place(state, "state")?) };
        *out = FMU_STATES.put(Saved::from_bytes(bytes)?) as *mut c_void;
        Ok(())
    })
}

/// The functions that differ between the versions in nothing but their names.
macro_rules! states {
    ($get:ident $set:ident $free:ident $size:ident $serialize:ident $deserialize:ident) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $get(instance: *mut c_void, state: *mut *mut c_void) -> i32 {
            // SAFETY: pointers of the caller, as the standard says; so in all of these.
            unsafe { $crate::fmi::get_state(instance, state) }
        }

        #[unsafe(no_mangle)]
        pub extern "C" fn $set(instance: *mut c_void, state: *mut c_void) -> i32 {
            $crate::fmi::set_state(instance, state)
        }

        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $free(instance: *mut c_void, state: *mut *mut c_void) -> i32 {
            // SAFETY: as above.
            unsafe { $crate::fmi::free_state(instance, state) }
        }

        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $size(instance: *mut c_void, state: *mut c_void, size: *mut usize) -> i32 {
            // SAFETY: as above.
            unsafe { $crate::fmi::state_size(instance, state, size) }
        }

        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $serialize(
            instance: *mut c_void,
            state: *mut c_void,
            bytes: *mut u8,
            size: usize,
        ) -> i32 {
            // SAFETY: as above.
            unsafe { $crate::fmi::serialize(instance, state, bytes, size) }
        }

        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $deserialize(
            instance: *mut c_void,
            bytes: *const u8,
            size: usize,
            state: *mut *mut c_void,
        ) -> i32 {
            // SAFETY: as above.
            unsafe { $crate::fmi::deserialize(instance, bytes, size, state) }
        }
    };
}
pub(crate) use states;

/// Functions of what an FMU of ours does not offer: they say so.
macro_rules! not_offered {
    ($($name:ident)*) => {
        $(#[unsafe(no_mangle)]
        pub extern "C" fn $name(instance: *mut c_void) -> i32 {
            let said = concat!(stringify!($name), " is not offered by this FMU: co-simulation with numbers and texts");
            $crate::fmi::with_instance(instance, |_| Err($crate::fmi::Said::error(said)))
        })*
    };
}
pub(crate) use not_offered;
