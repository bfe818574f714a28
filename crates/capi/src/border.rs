//! The border: pointers of C in and out, statuses, the last error, panics caught.

use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// All went well.
pub const TD_OK: i32 = 0;
/// A pointer was null where something is needed.
pub const TD_NULL: i32 = 1;
/// A handle that was freed, or never given.
pub const TD_HANDLE: i32 = 2;
/// A text that is not UTF-8.
pub const TD_TEXT: i32 = 3;
/// A scenario, knob or file with mistakes.
pub const TD_SCENARIO: i32 = 4;
/// A column or input that does not exist.
pub const TD_UNKNOWN: i32 = 5;
/// A command outside the limits of its input, or not a number.
pub const TD_COMMAND: i32 = 6;
/// Time did not advance: past the end, backwards, or a step that failed.
pub const TD_FAILED: i32 = 7;
/// A state of another model or version, or damaged bytes.
pub const TD_STATE: i32 = 8;
/// A buffer that is too small.
pub const TD_TOO_SMALL: i32 = 9;
/// The simulation is being used by another thread.
pub const TD_BUSY: i32 = 10;
/// A fault of the library.
pub const TD_PANIC: i32 = 11;

/// Status and words of something that went wrong.
pub struct Fault(pub i32, pub String);

impl Fault {
    pub fn null(what: &str) -> Fault {
        Fault(TD_NULL, format!("{what} must not be null"))
    }
}

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs the inside of a function; keeps the words of what goes wrong.
pub fn guarded(inside: impl FnOnce() -> Result<(), Fault>) -> i32 {
    let fault = match catch_unwind(AssertUnwindSafe(inside)) {
        Ok(Ok(())) => return TD_OK,
        Ok(Err(fault)) => fault,
        Err(_) => {
            Fault(TD_PANIC, "the engine broke off: this is a fault of touchdown, please report it".into())
        }
    };
    LAST.with(|last| *last.borrow_mut() = fault.1);
    fault.0
}

/// A text of C.
pub unsafe fn text<'a>(pointer: *const c_char, what: &str) -> Result<&'a str, Fault> {
    if pointer.is_null() {
        return Err(Fault::null(what));
    }
    // SAFETY: not null; the caller promises a text that ends with a zero and lives during the call.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Fault(TD_TEXT, format!("{what} is not UTF-8")))
}

/// An array of C.
pub unsafe fn array<'a, T>(pointer: *const T, count: usize, what: &str) -> Result<&'a [T], Fault> {
    match (pointer.is_null(), count) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Fault::null(what)),
        // SAFETY: not null; the caller promises `count` elements that live during the call.
        (false, count) => Ok(unsafe { std::slice::from_raw_parts(pointer, count) }),
    }
}

/// An array of C that is written.
pub unsafe fn array_mut<'a, T>(pointer: *mut T, count: usize, what: &str) -> Result<&'a mut [T], Fault> {
    match (pointer.is_null(), count) {
        (_, 0) => Ok(&mut []),
        (true, _) => Err(Fault::null(what)),
        // SAFETY: not null; the caller promises `count` elements, not used by others during the call.
        (false, count) => Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) }),
    }
}

/// A place for one value that comes back.
pub unsafe fn place<'a, T>(pointer: *mut T, what: &str) -> Result<&'a mut T, Fault> {
    // SAFETY: as the caller promises for every pointer that is not null.
    unsafe { pointer.as_mut() }.ok_or_else(|| Fault::null(what))
}

/// Copies bytes into a buffer of C; `needed` becomes how many there are.
pub unsafe fn copy_out(bytes: &[u8], buffer: *mut u8, size: usize, needed: *mut usize) -> Result<(), Fault> {
    // SAFETY: null or a place for one number.
    if let Some(needed) = unsafe { needed.as_mut() } {
        *needed = bytes.len();
    }
    if size < bytes.len() {
        let what = format!("the buffer has {size} bytes, {} are needed", bytes.len());
        return Err(Fault(TD_TOO_SMALL, what));
    }
    // SAFETY: `size` bytes, and no more than those are taken.
    let buffer = unsafe { array_mut(buffer, bytes.len(), "buffer") }?;
    buffer.copy_from_slice(bytes);
    Ok(())
}

/// Copies a text with its final zero.
pub unsafe fn text_out(
    text: &str,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> Result<(), Fault> {
    let bytes: Vec<u8> = text.bytes().filter(|b| *b != 0).chain([0]).collect();
    // SAFETY: the same promises.
    unsafe { copy_out(&bytes, buffer.cast(), size, needed) }
}

/// Words of the last error of this thread; empty if there was none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_last_error(buffer: *mut c_char, size: usize, needed: *mut usize) -> i32 {
    let words = LAST.with(|last| last.borrow().clone());
    // SAFETY: the caller's promises; the last error stays as it is.
    match catch_unwind(AssertUnwindSafe(|| unsafe { text_out(&words, buffer, size, needed) })) {
        Ok(Ok(())) => TD_OK,
        Ok(Err(fault)) => fault.0,
        Err(_) => TD_PANIC,
    }
}

/// Version, commit, target and flags of the library, as JSON.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_version(buffer: *mut c_char, size: usize, needed: *mut usize) -> i32 {
    // SAFETY: the caller's promises.
    guarded(|| unsafe { text_out(&touchdown_session::identity::json().to_string(), buffer, size, needed) })
}
